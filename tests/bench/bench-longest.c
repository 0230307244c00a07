/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The longest single operations of the 2D engine: one register write each, on a
 * VRAM of 64 MiB. Prints engine units and processor time; the units are what the
 * engine charges to its slice, about 2 ns each.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../../hw/rv100/internal.h"

#define VRAM (64u << 20)
#define MEM (1u << 20)
#define NOWHERE 0x80000000u     /* the bus answers below this */
#define RUNS 5

#define FIELD(reg, field, v) ((uint32_t)(v) << R_##reg##_##field##_SHIFT)
#define GMC(field, v) FIELD(DP_GUI_MASTER_CNTL, field, v)
#define YX(y, x) ((uint32_t)(y) << 16 | (x))

static Rv100 *chip;
static uint8_t *mem;

static Rv100DmaResult on_read(void *opaque, uint64_t addr, void *buf, uint32_t len)
{
    if (addr >= NOWHERE) {
        return RV100_DMA_ERROR;
    }
    memcpy(buf, mem + addr % (MEM / 2), MIN(len, MEM / 2));
    return RV100_DMA_OK;
}

static Rv100DmaResult on_write(void *opaque, uint64_t addr, const void *buf,
                               uint32_t len)
{
    if (addr >= NOWHERE) {
        return RV100_DMA_ERROR;
    }
    memcpy(mem + addr % (MEM / 2), buf, MIN(len, MEM / 2));
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

static void wr(uint32_t offset, uint32_t value)
{
    rv100_mmio_write(chip, offset, value, 4);
}

static void make(void)
{
    static const Rv100Host host = {
        .dma_read = on_read, .dma_write = on_write, .now = on_now,
        .set_timer = on_timer, .vram_dirty = on_dirty,
    };
    Rv100Config config = { .vram_size = VRAM, .vram = g_malloc(VRAM) };

    for (size_t i = 0; i < VRAM; i++) {
        config.vram[i] = i * 2654435761u >> 13;
    }
    mem = g_malloc0(MEM);
    chip = rv100_new(&host, NULL, &config);
    wr(A_MC_FB_LOCATION, (VRAM - 1) & R_MC_FB_LOCATION_MC_FB_TOP_MASK);
    wr(A_DEFAULT_SC_BOTTOM_RIGHT, YX(0x1fff, 0x1fff));
}

/* --- cases --- */

#define DST_8 GMC(GMC_DST_DATATYPE, R_DP_DATATYPE_DP_DST_DATATYPE_8BPP_CI)
#define DST_32 GMC(GMC_DST_DATATYPE, R_DP_DATATYPE_DP_DST_DATATYPE_32BPP)
#define MEMORY GMC(DP_SRC_SOURCE, R_DP_MIX_DP_SRC_SOURCE_MEMORY)
#define SAME (MEMORY | GMC(GMC_SRC_DATATYPE, R_DP_DATATYPE_DP_SRC_DATATYPE_COLOR))
#define MONO_LA \
    (MEMORY | GMC(GMC_SRC_DATATYPE, R_DP_DATATYPE_DP_SRC_DATATYPE_MONO_FG_LA))
#define INDEXED (MEMORY | GMC(GMC_SRC_DATATYPE, 1) | GMC(GMC_SRC_DATATYPE2, 1))
#define SOLID GMC(GMC_BRUSH_DATATYPE, R_DP_DATATYPE_DP_BRUSH_DATATYPE_SOLID_COLOR)
#define ROP(n) GMC(GMC_ROP3, n)

#define WHOLE_32 .w = 4080, .h = 4112, .pitch = 16320      /* nearly all of VRAM */
#define WHOLE_8 .w = 8191, .h = 8191, .pitch = 8192
#define LARGEST .w = 8191, .h = 8191, .pitch = 16320

typedef struct Case {
    const char *name;
    uint32_t gmc;
    unsigned w, h, pitch;       /* pitch of the destination, */
    unsigned src_pitch;         /* and of the source; 0: the same */
    uint32_t src, dst;          /* offsets, multiples of 1 KiB */
    unsigned dst_x;             /* to the right of the source */
    bool keys;                  /* compare source and destination */
    uint32_t write_mask;        /* 0: all */
    unsigned swap;              /* DP_DST_ENDIAN */
} Case;

static const Case cases[] = {
    { "fill, all of VRAM", DST_32 | SAME | SOLID | ROP(0xf0), WHOLE_32 },
    { "copy, all of VRAM", DST_32 | SAME | SOLID | ROP(0xcc), WHOLE_32, .src = 1024 },
    { "XOR, all of VRAM", DST_32 | SAME | SOLID | ROP(0x66), WHOLE_32 },
    { "brush with source and destination", DST_32 | SAME | ROP(0xb8), WHOLE_32 },
    { "write mask", DST_32 | SAME | SOLID | ROP(0xf0), WHOLE_32,
      .write_mask = 0x00ff00ff },
    { "transparent brush", DST_32 | SAME | GMC(GMC_BRUSH_DATATYPE, 1) | ROP(0xf0),
      WHOLE_32 },
    { "both keys", DST_32 | SAME | SOLID | ROP(0xcc), WHOLE_32, .keys = true },
    { "all masks", DST_32 | MONO_LA | GMC(GMC_BRUSH_DATATYPE, 1) | ROP(0xca),
      .w = 4080, .h = 3980, .pitch = 16320, .src = 62u << 20, .src_pitch = 512,
      .keys = true, .write_mask = 0x00ff00ff },
    { "palette, 8 bpp, half of VRAM", DST_8 | INDEXED | SOLID | ROP(0xcc), .w = 8191,
      .h = 4090, .pitch = 8192, .src = 32u << 20 },
    { "palette, 32 bpp", DST_32 | INDEXED | SOLID | ROP(0xcc), .w = 4080, .h = 3200,
      .pitch = 16320, .src = 50u << 20, .src_pitch = 4096 },
    { "bits over themselves", DST_8 | MONO_LA | SOLID | ROP(0xca), WHOLE_8 },
    { "XOR over itself by 1 pixel, 8 bpp", DST_8 | SAME | SOLID | ROP(0x66), WHOLE_8,
      .dst_x = 1 },
    { "with keys over itself by 1 pixel, 8 bpp", DST_8 | SAME | SOLID | ROP(0x66),
      WHOLE_8, .dst_x = 1, .keys = true },
    { "fill, rows over each other", DST_32 | SAME | SOLID | ROP(0xf0), LARGEST },
    { "XOR, rows over each other", DST_32 | SAME | SOLID | ROP(0x5a), LARGEST },
    { "copy over itself, byte swap", DST_32 | SAME | SOLID | ROP(0xcc), WHOLE_32, .swap = 2 },
    { "fill, memory on the bus", DST_32 | SAME | SOLID | ROP(0xf0), LARGEST,
      .dst = 0x10000000 },
    { "XOR, memory on the bus", DST_32 | SAME | SOLID | ROP(0x66), LARGEST,
      .src = 0x20000000, .dst = 0x10000000 },
    { "fill, nothing there", DST_32 | SAME | SOLID | ROP(0xf0), LARGEST,
      .dst = NOWHERE },
    { "XOR, nothing there", DST_32 | SAME | SOLID | ROP(0x66), LARGEST,
      .src = 0x90000000, .dst = NOWHERE },
};

static void set(const Case *c)
{
    uint32_t pitch = c->pitch / 64 << R_DST_PITCH_OFFSET_PITCH_SHIFT;

    wr(A_SRC_PITCH_OFFSET, (c->src_pitch ? c->src_pitch / 64
       << R_SRC_PITCH_OFFSET_PITCH_SHIFT : pitch) | c->src >> 10);
    wr(A_DST_PITCH_OFFSET, pitch | c->dst >> 10);
    wr(A_DP_GUI_MASTER_CNTL, c->gmc | GMC(GMC_SRC_PITCH_OFFSET_CNTL, 1)
       | GMC(GMC_DST_PITCH_OFFSET_CNTL, 1) | GMC(GMC_CLR_CMP_CNTL_DIS, 1)
       | GMC(GMC_WR_MSK_DIS, 1));
    wr(A_BRUSH_DATA0, 0x55aa1234);
    wr(A_BRUSH_DATA1, 0x01f0aa55);
    wr(A_DP_BRUSH_FRGD_CLR, 0x12345678);
    wr(A_DP_SRC_FRGD_CLR, 0x00c0ffee);
    wr(A_DP_DST_ENDIAN, c->swap);
    if (c->keys) {
        wr(A_CLR_CMP_CNTL, FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_SRC, 4)
           | FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_DST, 4)
           | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC, R_CLR_CMP_CNTL_CLR_CMP_SRC_BOTH));
    }
    if (c->write_mask) {
        wr(A_DP_WRITE_MASK, c->write_mask);
    }
    wr(A_SRC_Y_X, 0);
    wr(A_DST_Y_X, YX(0, c->dst_x));
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void measure(const Case *c)
{
    uint64_t units = 0;
    double best = 1e9;

    set(c);
    for (unsigned i = 0; i < RUNS; i++) {
        uint64_t before = chip->work;
        double begin = now();

        wr(A_DST_HEIGHT_WIDTH, YX(c->h, c->w));
        best = MIN(best, now() - begin);
        units = chip->work - before;
    }
    printf("# %-42s %5.2f M units %6.2f ms  %5.2f ns/unit%s\n", c->name,
           units / 1e6, best, 1e6 * best / units,
           units >= GUI_MAX_COST ? "  cut" : "");
    fflush(stdout);
}

int main(void)
{
    make();
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        measure(&cases[i]);
    }
    printf("ok 1 longest operations of the 2D engine\n1..1\n");
    return 0;
}
