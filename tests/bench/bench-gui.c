/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The 2D engine against plain memory operations of the same size: rows 1 to 6 of
 * the performance goals. Everything of ours goes through the registers.
 */
#include <glib.h>
#include <pixman.h>
#include <stdio.h>
#include <string.h>

#include "../../hw/rv100/internal.h"
#include "bench.h"
#include "rv100-free.h"

#define VRAM (16u << 20)
#define MEM (1u << 20)
#define W 1024u
#define H 768u
#define SECOND (4u << 20)       /* another surface */
#define GMC(field, v) \
    ((uint32_t)(v) << R_DP_GUI_MASTER_CNTL_##field##_SHIFT)
#define YX(y, x) ((uint32_t)(y) << 16 | (x))

typedef struct Bench {
    Rv100 *chip;
    uint8_t *vram, *mem;
    unsigned bytes;             /* of a pixel */
    uint32_t corner;            /* DST_Y_X and SRC_Y_X: first pixel */
    uint32_t end;               /* of the packets in the ring, dwords */
    GuiOp op;                   /* decoded, for the bare painter */
} Bench;

static Rv100DmaResult on_read(void *opaque, uint64_t addr, void *buf, uint32_t len)
{
    Bench *b = opaque;

    memcpy(buf, b->mem + addr % MEM, MIN(len, MEM - addr % MEM));
    return RV100_DMA_OK;
}

static Rv100DmaResult on_write(void *opaque, uint64_t addr, const void *buf,
                               uint32_t len)
{
    Bench *b = opaque;

    memcpy(b->mem + addr % MEM, buf, MIN(len, MEM - addr % MEM));
    return RV100_DMA_OK;
}

static int64_t on_now(void *opaque)
{
    return 0;
}

static void on_timer(void *opaque, Rv100Timer timer, int64_t when)
{
}

static void on_dirty(void *opaque, uint32_t offset, uint32_t len)
{
}

static void wr(Bench *b, uint32_t offset, uint32_t value)
{
    rv100_mmio_write(b->chip, offset, value, 4);
}

static void make(Bench *b)
{
    static const Rv100Host host = {
        .dma_read = on_read, .dma_write = on_write, .now = on_now,
        .set_timer = on_timer, .vram_dirty = on_dirty,
    };
    Rv100Config config = { .vram_size = VRAM };

    b->vram = config.vram = g_malloc(VRAM);
    b->mem = g_malloc0(MEM);
    for (size_t i = 0; i < VRAM; i++) {
        b->vram[i] = i * 2654435761u >> 13;
    }
    b->chip = rv100_new(&host, b, &config);
    wr(b, A_MC_FB_LOCATION, (VRAM - 1) & R_MC_FB_LOCATION_MC_FB_TOP_MASK);
    wr(b, A_DEFAULT_SC_BOTTOM_RIGHT, YX(0x1fff, 0x1fff));
}

/* State for operations on pixels of so many bytes. */
static void set(Bench *b, unsigned bytes, uint32_t gmc)
{
    static const uint8_t types[] = {
        [1] = R_DP_DATATYPE_DP_DST_DATATYPE_8BPP_CI,
        [2] = R_DP_DATATYPE_DP_DST_DATATYPE_16BPP,
        [4] = R_DP_DATATYPE_DP_DST_DATATYPE_32BPP,
    };
    uint32_t pitch = W * bytes / 64 << R_DEFAULT_PITCH_OFFSET_PITCH_SHIFT;

    b->bytes = bytes;
    b->corner = 0;
    wr(b, A_DEFAULT_PITCH_OFFSET, pitch);
    wr(b, A_SRC_PITCH_OFFSET, pitch | SECOND >> 10);
    wr(b, A_DP_BRUSH_FRGD_CLR, 0x12345678);
    wr(b, A_DP_SRC_FRGD_CLR, 0x00c0ffee);
    wr(b, A_DP_SRC_BKGD_CLR, 0x00123456);
    wr(b, A_DP_GUI_MASTER_CNTL,
       gmc | GMC(GMC_DST_DATATYPE, types[bytes]) | GMC(GMC_SRC_PITCH_OFFSET_CNTL, 1)
       | GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1));
}

#define SOLID GMC(GMC_BRUSH_DATATYPE, R_DP_DATATYPE_DP_BRUSH_DATATYPE_SOLID_COLOR)
#define FROM_MEMORY (GMC(DP_SRC_SOURCE, R_DP_MIX_DP_SRC_SOURCE_MEMORY) \
                     | GMC(GMC_SRC_DATATYPE, R_DP_DATATYPE_DP_SRC_DATATYPE_COLOR))
#define ROP(n) GMC(GMC_ROP3, n)

/* Some pixels of the picture: both sides of a row have drawn the same. */
static uint64_t sample(const Bench *b)
{
    uint64_t sum = 0;

    for (uint32_t at = 0; at < W * H * b->bytes; at += 4093) {
        sum = sum * 31 + b->vram[at];
    }
    return sum;
}

static void rectangle(Bench *b)
{
    wr(b, A_SRC_Y_X, b->corner);
    wr(b, A_DST_Y_X, b->corner);
    wr(b, A_DST_HEIGHT_WIDTH, YX(H, W));
}

#define SCREENS 16              /* whole pictures of a run */

static uint64_t our_rectangles(void *opaque)
{
    for (unsigned i = 0; i < SCREENS; i++) {
        rectangle(opaque);
    }
    return sample(opaque);
}

/* --- 1, 2: fills --- */

static uint64_t pixman_rectangles(void *opaque)
{
    Bench *b = opaque;

    for (unsigned i = 0; i < SCREENS; i++) {
        pixman_fill((uint32_t *)b->vram, W * b->bytes / 4, 8 * b->bytes, 0, 0, W, H,
                    0x12345678);
    }
    return sample(b);
}

static bool fills(Bench *b)
{
    const BenchSide ours = { "by registers", our_rectangles, b };
    const BenchSide theirs = { "pixman_fill", pixman_rectangles, b };
    bool met = true;

    for (unsigned bytes = 4; bytes; bytes /= 2) {
        g_autofree char *name = g_strdup_printf("%u solid fill %ux%u, %u bpp",
                                                bytes == 4 ? 1 : 2, W, H, 8 * bytes);

        set(b, bytes, SOLID | FROM_MEMORY | ROP(0xf0));
        met &= bench_ratio(name, "px", SCREENS * W * H, &ours, &theirs,
                           bytes == 4 ? 0.9 : 0.8);
    }
    return met;
}

/* --- 3: copies --- */

static uint64_t move_rows(void *opaque)
{
    Bench *b = opaque;
    unsigned n = W * b->bytes;

    for (unsigned i = 0; i < SCREENS; i++) {
        for (unsigned y = 0; y < H; y++) {
            memmove(b->vram + y * n, b->vram + SECOND + y * n, n);
        }
    }
    return sample(b);
}

static bool copies(Bench *b)
{
    static const char *const names[] = {
        "left, up", "right, up", "left, down", "right, down"
    };
    const BenchSide ours = { "by registers", our_rectangles, b };
    const BenchSide theirs = { "memmove of rows", move_rows, b };
    bool met = true;

    for (unsigned dir = 0; dir < 4; dir++) {
        g_autofree char *name = g_strdup_printf("3 copy %ux%u, %s", W, H, names[dir]);

        set(b, 4, SOLID | FROM_MEMORY | ROP(0xcc));
        wr(b, A_DP_CNTL, dir);
        b->corner = YX(dir & 2 ? 0 : H - 1, dir & 1 ? 0 : W - 1);
        met &= bench_ratio(name, "px", SCREENS * W * H, &ours, &theirs, 0.9);
    }
    return met;
}

/* --- 4: raster operations --- */

/* What a compiler makes of the simplest loop when it may vectorise it. */
static __attribute__((noinline, optimize("O3")))
void xor_words(uint32_t *restrict dst, const uint32_t *restrict src, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        dst[i] ^= src[i];
    }
}

static uint64_t xor_loop(void *opaque)
{
    Bench *b = opaque;

    for (unsigned i = 0; i < SCREENS / 4; i++) {
        xor_words((uint32_t *)b->vram, (const uint32_t *)(b->vram + SECOND), W * H);
    }
    return 0;
}

static uint64_t our_rop(void *opaque)
{
    for (unsigned i = 0; i < SCREENS / 4; i++) {
        rectangle(opaque);
    }
    return 0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool rops(Bench *b, const char *what, uint32_t brush)
{
    const BenchSide ours = { "ROP", our_rop, b };
    const BenchSide theirs = { "XOR loop", xor_loop, b };
    g_autofree char *worst = NULL, *median = NULL;
    double ratios[256], sorted[256];
    unsigned code = 0;
    bool met;

    for (unsigned rop = 0; rop < 256; rop++) {
        set(b, 4, brush | FROM_MEMORY | ROP(rop));
        ratios[rop] = bench_silent_ratio(&ours, &theirs);
        code = ratios[rop] < ratios[code] ? rop : code;
    }
    memcpy(sorted, ratios, sizeof(sorted));
    qsort(sorted, 256, sizeof(sorted[0]), by_value);
    worst = g_strdup_printf("4 256 ROPs, %s, against an XOR loop: worst, %02x", what,
                            code);
    median = g_strdup_printf("4 256 ROPs, %s, against an XOR loop: median", what);
    met = bench_goal(worst, sorted[0], 0.25);
    return bench_goal(median, sorted[128], 0.8) && met;
}

/* --- 5: glyphs --- */

#define GLYPHS 8192             /* of a run */

static const uint32_t glyph[] = { 0x00180000, 0x663c6666, 0x66667e66, 0x00006666 };

static uint64_t our_glyphs(void *opaque)
{
    Bench *b = opaque;

    for (unsigned i = 0; i < GLYPHS; i++) {
        wr(b, A_DST_Y_X, YX(100, 200 + i % 64 * 8));
        wr(b, A_DST_HEIGHT_WIDTH_8, 16u << 24 | 8u << 16);
        wr(b, A_HOST_DATA0, glyph[0]);
        wr(b, A_HOST_DATA1, glyph[1]);
        wr(b, A_HOST_DATA2, glyph[2]);
        wr(b, A_HOST_DATA_LAST, glyph[3]);
    }
    return sample(b);
}

/* The expander of a driver without acceleration: four pixels at a time by a table
 * of masks; any size and colours, whole bytes a row. */
static G_GNUC_NO_INLINE void expand_by_table(uint8_t *out, size_t pitch,
                                             const uint8_t *bits, unsigned w,
                                             unsigned h, uint32_t fg, uint32_t bg)
{
    static uint32_t masks[16][4];

    if (!masks[15][0]) {
        for (unsigned n = 0; n < 64; n++) {
            masks[n / 4][n % 4] = n / 4 >> n % 4 & 1 ? ~0u : 0;
        }
    }
    for (unsigned y = 0; y < h; y++, out += pitch) {
        uint32_t *pixel = (uint32_t *)out;

        for (unsigned x = 0; x < w; x += 8, bits++) {
            for (unsigned k = 0; k < 4; k++) {
                *pixel++ = bg ^ (masks[*bits & 15][k] & (fg ^ bg));
            }
            for (unsigned k = 0; k < 4; k++) {
                *pixel++ = bg ^ (masks[*bits >> 4][k] & (fg ^ bg));
            }
        }
    }
}

static uint64_t table_glyphs(void *opaque)
{
    Bench *b = opaque;

    for (unsigned i = 0; i < GLYPHS; i++) {
        expand_by_table(b->vram + (100 * W + 200 + i % 64 * 8) * 4, W * 4,
                        (const uint8_t *)glyph, 8, 16, 0x00c0ffee, 0x00123456);
    }
    return sample(b);
}

static bool glyphs(Bench *b)
{
    const BenchSide ours = { "by registers", our_glyphs, b };
    const BenchSide theirs = { "by a table", table_glyphs, b };

    set(b, 4, SOLID | ROP(0xcc) | GMC(GMC_BYTE_PIX_ORDER, 1)
        | GMC(DP_SRC_SOURCE, R_DP_MIX_DP_SRC_SOURCE_HOST_DATA));
    return bench_ratio("5 glyphs of 8x16", "glyphs", GLYPHS, &ours, &theirs, 0.5);
}

/* --- 6: small rectangles through the ring --- */

#define SMALL 8
#define PACKETS 15
#define RECTANGLES 100
#define RING_LOG2 12            /* quadwords */
#define RING_DWORDS (2u << RING_LOG2)
#define CARD_RING 0x40000000u
#define ALL (PACKETS * RECTANGLES)

static void load_microcode(Bench *b)
{
    wr(b, A_CP_ME_RAM_ADDR, 0);
    for (unsigned i = 0; i < 256; i++) {
        wr(b, A_CP_ME_RAM_DATAH, rv100_free_image[i][0]);
        wr(b, A_CP_ME_RAM_DATAL, rv100_free_image[i][1]);
    }
}

/* Place of rectangle i. */
static uint32_t place(unsigned i)
{
    return (i % RECTANGLES * 9) << 16 | (100 + i / RECTANGLES * 9);     /* X, Y */
}

/* A ring full of packets; drawing them again is a round of the write pointer. */
static void ring_start(Bench *b)
{
    uint32_t *word = (uint32_t *)b->mem;

    load_microcode(b);
    for (unsigned i = 0; i < RING_DWORDS; i++) {
        word[i] = GUINT32_TO_LE(0x80000000);                    /* fillers */
    }
    for (unsigned i = 0; i < PACKETS * RECTANGLES; i++) {
        if (i % RECTANGLES == 0) {
            *word++ = GUINT32_TO_LE(0xc0001a00 | (2 * RECTANGLES - 1) << 16);
        }
        *word++ = GUINT32_TO_LE(place(i));                      /* PAINT_MULTI */
        *word++ = GUINT32_TO_LE(SMALL << 16 | SMALL);
    }
    b->end = word - (uint32_t *)b->mem;
    wr(b, A_CP_RB_BASE, CARD_RING);
    wr(b, A_CP_RB_CNTL, RING_LOG2 << R_CP_RB_CNTL_RB_BUFSZ_SHIFT);
    wr(b, A_CP_ME_CNTL, R_CP_ME_CNTL_ME_MODE_MASK);
    wr(b, A_CP_CSQ_CNTL, 2u << R_CP_CSQ_CNTL_CSQ_MODE_SHIFT);
}

static uint64_t ring_fills(void *opaque)
{
    Bench *b = opaque;

    wr(b, A_CP_RB_RPTR, 0);
    wr(b, A_CP_RB_WPTR, b->end);
    while (rv100_run(b->chip, 0)) {
    }
    return sample(b);
}

static uint64_t register_fills(void *opaque)
{
    Bench *b = opaque;

    for (unsigned i = 0; i < ALL; i++) {
        wr(b, A_DST_X_Y, place(i));
        wr(b, A_DST_WIDTH_HEIGHT, SMALL << 16 | SMALL);
    }
    return sample(b);
}

static uint64_t bare_fills(void *opaque)
{
    Bench *b = opaque;
    const GuiDraw *d = rv100_gui_draw(b->chip);

    for (unsigned i = 0; i < ALL; i++) {
        rv100_gui_paint(b->chip, d, &b->op);
    }
    return sample(b);
}

/* Setup: one pixel, and all of the state before it. */
static uint64_t one_pixel(void *opaque)
{
    for (unsigned i = 0; i < ALL; i++) {
        wr(opaque, A_DST_HEIGHT_WIDTH, YX(1, 1));
    }
    return 0;
}

static uint64_t full_state(void *opaque)
{
    for (unsigned i = 0; i < ALL; i++) {
        set(opaque, 4, SOLID | FROM_MEMORY | ROP(0xf0));
        wr(opaque, A_DST_HEIGHT_WIDTH, YX(1, 1));
    }
    return 0;
}

static bool small(Bench *b)
{
    const BenchSide ring = { "through the ring", ring_fills, b };
    const BenchSide regs = { "by registers", register_fills, b };
    const BenchSide bare = { "rows alone", bare_fills, b };
    const BenchSide pixel = { "one register", one_pixel, b };
    const BenchSide state = { "after all of the state", full_state, b };
    bool met;

    set(b, 4, SOLID | FROM_MEMORY | ROP(0xf0));
    ring_start(b);
    wr(b, A_DST_X_Y, place(0));
    wr(b, A_DST_WIDTH_HEIGHT, SMALL << 16 | SMALL);
    g_assert(rv100_gui_rect(b->chip, rv100_gui_draw(b->chip), &b->op));
    register_fills(b);
    met = bench_ratio("6 fills of 8x8", "fills", ALL, &ring, &regs, 0.5);
    bench_ratio("  fills of 8x8", "fills", ALL, &ring, &bare, 0);
    bench_rate("  setup: fill of 1x1 (goal: 10)", "fills", ALL, &pixel);
    bench_rate("  setup: fill of 1x1", "fills", ALL, &state);
    return met;
}

int main(void)
{
    Bench b = { 0 };
    bool met;

    bench_banner();
    make(&b);
    met = fills(&b);
    met &= copies(&b);
    met &= rops(&b, "solid brush", SOLID);
    met &= rops(&b, "8x8 colour brush",
                GMC(GMC_BRUSH_DATATYPE, R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X8_COLOR));
    met &= glyphs(&b);
    met &= small(&b);
    rv100_free(b.chip);
    g_free(b.vram);
    g_free(b.mem);
    return met ? 0 : 1;
}
