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
#include "rows.h"
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

/* --- 1, 2: fills --- */

static void our_rectangle(void *opaque)
{
    Bench *b = opaque;

    wr(b, A_SRC_Y_X, b->corner);
    wr(b, A_DST_Y_X, b->corner);
    wr(b, A_DST_HEIGHT_WIDTH, YX(H, W));
}

static void pixman_rectangle(void *opaque)
{
    Bench *b = opaque;

    pixman_fill((uint32_t *)b->vram, W * b->bytes / 4, 8 * b->bytes, 0, 0, W, H,
                0x12345678);
}

static void fills(Bench *b)
{
    for (unsigned bytes = 4; bytes; bytes /= 2) {
        g_autofree char *name = g_strdup_printf("%u solid fill %ux%u, %u bpp / "
            "pixman_fill", bytes == 4 ? 1 : 2, W, H, 8 * bytes);
        BenchPair p;

        set(b, bytes, SOLID | FROM_MEMORY | ROP(0xf0));
        p = bench_pair(our_rectangle, pixman_rectangle, b);
        bench_row(name, p.ratio, bytes == 4 ? 0.9 : 0.8, "%.1f Gpx/s",
                  W * H / p.ours * 1e-9);
    }
}

/* --- 3: copies --- */

static void move_rows(void *opaque)
{
    Bench *b = opaque;

    for (unsigned y = 0; y < H; y++) {
        memmove(b->vram + y * W * b->bytes, b->vram + SECOND + y * W * b->bytes,
                W * b->bytes);
    }
}

static void copies(Bench *b)
{
    static const char *const names[] = {
        "left, up", "right, up", "left, down", "right, down"
    };

    for (unsigned dir = 0; dir < 4; dir++) {
        g_autofree char *name = g_strdup_printf("3 copy %ux%u to the %s / memmove",
                                                W, H, names[dir]);
        BenchPair p;

        set(b, 4, SOLID | FROM_MEMORY | ROP(0xcc));
        wr(b, A_DP_CNTL, dir);
        b->corner = YX(dir & 2 ? 0 : H - 1, dir & 1 ? 0 : W - 1);
        p = bench_pair(our_rectangle, move_rows, b);
        bench_row(name, p.ratio, 0.9, "%.1f Gpx/s", W * H / p.ours * 1e-9);
    }
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

static void xor_loop(void *opaque)
{
    Bench *b = opaque;

    xor_words((uint32_t *)b->vram, (const uint32_t *)(b->vram + SECOND), W * H);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void rops(Bench *b, const char *what, uint32_t brush)
{
    g_autofree char *name = g_strdup_printf("4 256 ROPs, %s brush / XOR loop", what);
    double ratios[256], sorted[256], slowest = 1e9;
    unsigned worst = 0;

    for (unsigned rop = 0; rop < 256; rop++) {
        set(b, 4, brush | FROM_MEMORY | ROP(rop));
        ratios[rop] = bench_pair(our_rectangle, xor_loop, b).ratio;
        if (ratios[rop] < slowest) {
            slowest = ratios[rop];
            worst = rop;
        }
    }
    memcpy(sorted, ratios, sizeof(sorted));
    qsort(sorted, 256, sizeof(sorted[0]), by_value);
    bench_row(name, sorted[0], 0.25, "worst: ROP %02x", worst);
    bench_row(name, sorted[128], 0.8, "median");
}

/* --- 5: glyphs --- */

static const uint32_t glyph[] = { 0x00180000, 0x663c6666, 0x66667e66, 0x00006666 };

static void our_glyph(void *opaque)
{
    Bench *b = opaque;

    wr(b, A_DST_Y_X, YX(100, 203));
    wr(b, A_DST_HEIGHT_WIDTH_8, 16u << 24 | 8u << 16);
    wr(b, A_HOST_DATA0, glyph[0]);
    wr(b, A_HOST_DATA1, glyph[1]);
    wr(b, A_HOST_DATA2, glyph[2]);
    wr(b, A_HOST_DATA_LAST, glyph[3]);
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

static void table_glyph(void *opaque)
{
    Bench *b = opaque;

    expand_by_table(b->vram + (100 * W + 203) * 4, W * 4, (const uint8_t *)glyph, 8,
                    16, 0x00c0ffee, 0x00123456);
}

static void glyphs(Bench *b)
{
    BenchPair p;

    for (unsigned la = 0; la < 2; la++) {
        set(b, 4, SOLID | ROP(0xcc) | GMC(GMC_SRC_DATATYPE, la)
            | GMC(GMC_BYTE_PIX_ORDER, 1)
            | GMC(DP_SRC_SOURCE, R_DP_MIX_DP_SRC_SOURCE_HOST_DATA));
        p = bench_pair(our_glyph, table_glyph, b);
        bench_row(la ? "5 glyph 8x16, transparent / opaque by a table"
                     : "5 glyph 8x16, opaque / by a table", p.ratio,
                  la ? 0 : 0.5, "%.0f ns, %.0f ns", p.ours * 1e9, p.reference * 1e9);
    }
}

/* --- 6: small rectangles through the ring --- */

#define SMALL 8
#define PACKETS 15
#define RECTANGLES 100
#define RING_LOG2 12            /* quadwords */
#define RING_DWORDS (2u << RING_LOG2)
#define CARD_RING 0x40000000u

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

static void ring_fills(void *opaque)
{
    Bench *b = opaque;

    wr(b, A_CP_RB_RPTR, 0);
    wr(b, A_CP_RB_WPTR, b->end);
    while (rv100_run(b->chip, 0)) {
    }
}

static void register_fills(void *opaque)
{
    Bench *b = opaque;

    for (unsigned i = 0; i < PACKETS * RECTANGLES; i++) {
        wr(b, A_DST_X_Y, place(i));
        wr(b, A_DST_WIDTH_HEIGHT, SMALL << 16 | SMALL);
    }
}

static void painter_fills(void *opaque)
{
    Bench *b = opaque;
    const GuiDraw *d = rv100_gui_draw(b->chip);

    for (unsigned i = 0; i < PACKETS * RECTANGLES; i++) {
        rv100_gui_paint(b->chip, d, &b->op);
    }
}

static void small_fill(void *opaque)
{
    Bench *b = opaque;

    wr(b, A_DST_Y_X, YX(100, 203));
    wr(b, A_DST_HEIGHT_WIDTH, YX(SMALL, SMALL));
}

static void one_pixel(void *opaque)
{
    Bench *b = opaque;

    wr(b, A_DST_HEIGHT_WIDTH, YX(1, 1));
}

static void full_state(void *opaque)
{
    Bench *b = opaque;

    set(b, 4, SOLID | FROM_MEMORY | ROP(0xf0));
    wr(b, A_DST_Y_X, YX(100, 203));
    wr(b, A_DST_HEIGHT_WIDTH, YX(1, 1));
}

static void small(Bench *b)
{
    BenchPair p;
    double n = PACKETS * RECTANGLES;

    set(b, 4, SOLID | FROM_MEMORY | ROP(0xf0));
    ring_start(b);
    small_fill(b);
    g_assert(rv100_gui_rect(b->chip, rv100_gui_draw(b->chip), &b->op));
    p = bench_pair(ring_fills, register_fills, b);
    bench_row("6 fills 8x8 through the ring / by registers", p.ratio, 0.5,
              "%.0f ns, %.0f ns", p.ours / n * 1e9, p.reference / n * 1e9);
    p = bench_pair(ring_fills, painter_fills, b);
    bench_row("  fills 8x8 through the ring / rows alone", p.ratio, 0,
              "%.0f ns, %.0f ns", p.ours / n * 1e9, p.reference / n * 1e9);
    bench_row("  fill 1x1, one register", 0, 0, "%.0f ns (goal: below 100)",
              bench_time(one_pixel, b) * 1e9);
    bench_row("  fill 1x1, all of the state written before", 0, 0, "%.0f ns",
              bench_time(full_state, b) * 1e9);
}

int main(void)
{
    Bench b = { 0 };

    bench_head("2D engine");
    make(&b);
    fills(&b);
    copies(&b);
    rops(&b, "solid", SOLID);
    rops(&b, "8x8 colour", GMC(GMC_BRUSH_DATATYPE,
                               R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X8_COLOR));
    glyphs(&b);
    small(&b);
    rv100_free(b.chip);
    g_free(b.vram);
    g_free(b.mem);
    return bench_end();
}
