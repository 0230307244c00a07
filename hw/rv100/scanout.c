/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scan-out: registers -> checked mode -> rows of 0x00RRGGBB.
 *
 * All bounds are in decode_memory(); the painters use only the mode. Colours
 * of every depth go through the look-up table of the head, which is how a
 * driver sets gamma [linux]. A component of less than 8 bits is the high part
 * of its index.
 */
#include <string.h>

#include "internal.h"

#define PITCH_UNIT 8                /* CRTC_PITCH counts 8 pixels [linux] */

typedef struct Lut {
    uint8_t r[RV100_PALETTE], g[RV100_PALETTE], b[RV100_PALETTE];
} Lut;

typedef void RowFn(const uint8_t *src, uint32_t *dst, uint32_t n, const Lut *lut);

static inline uint32_t rgb(const Lut *lut, uint8_t r, uint8_t g, uint8_t b)
{
    return (uint32_t)lut->r[r] << 16 | lut->g[g] << 8 | lut->b[b];
}

static void row_8(const uint8_t *src, uint32_t *dst, uint32_t n, const Lut *lut)
{
    for (uint32_t i = 0; i < n; i++) {
        dst[i] = rgb(lut, src[i], src[i], src[i]);
    }
}

static void row_1555(const uint8_t *src, uint32_t *dst, uint32_t n,
                     const Lut *lut)
{
    for (uint32_t i = 0; i < n; i++) {
        uint16_t v = src[2 * i] | src[2 * i + 1] << 8;

        dst[i] = rgb(lut, v >> 7 & 0xf8, v >> 2 & 0xf8, v << 3 & 0xf8);
    }
}

static void row_565(const uint8_t *src, uint32_t *dst, uint32_t n,
                    const Lut *lut)
{
    for (uint32_t i = 0; i < n; i++) {
        uint16_t v = src[2 * i] | src[2 * i + 1] << 8;

        dst[i] = rgb(lut, v >> 8 & 0xf8, v >> 3 & 0xfc, v << 3 & 0xf8);
    }
}

static void row_888(const uint8_t *src, uint32_t *dst, uint32_t n,
                    const Lut *lut)
{
    for (uint32_t i = 0; i < n; i++) {
        dst[i] = rgb(lut, src[3 * i + 2], src[3 * i + 1], src[3 * i]);
    }
}

static void row_8888(const uint8_t *src, uint32_t *dst, uint32_t n,
                     const Lut *lut)
{
    for (uint32_t i = 0; i < n; i++) {
        dst[i] = rgb(lut, src[4 * i + 2], src[4 * i + 1], src[4 * i]);
    }
}

/* By CRTC_PIX_WIDTH [linux]; the others are not shown. */
static const struct {
    uint8_t bytes;
    RowFn *row;
} formats[16] = {
    [2] = { 1, row_8 },
    [3] = { 2, row_1555 },
    [4] = { 2, row_565 },
    [5] = { 3, row_888 },
    [6] = { 4, row_8888 },
};

/* --- mode --- */

#define DARK(crtc, reg) (R_##reg##_##crtc##_DISPLAY_DIS_MASK \
                         | R_##reg##_##crtc##_HSYNC_DIS_MASK \
                         | R_##reg##_##crtc##_VSYNC_DIS_MASK)

/* Without one of its syncs a monitor goes to sleep, too (DPMS) [linux]. */
static bool blanked(Rv100 *s, unsigned head, uint32_t gen)
{
    bool off = head ? gen & DARK(CRTC2, CRTC2_GEN_CNTL)
        : s->regs[R_CRTC_EXT_CNTL] & DARK(CRTC, CRTC_EXT_CNTL);

    return off || !(gen & R_CRTC_GEN_CNTL_CRTC_EN_MASK)
        || gen & R_CRTC_GEN_CNTL_CRTC_DISP_REQ_EN_B_MASK;
}

/* Where the picture is; everything is cut to the VRAM here. */
static void decode_memory(Rv100 *s, unsigned head, Rv100DisplayMode *m)
{
    const Rv100HeadRegs *h = &rv100_head_regs[head];
    uint32_t start = RV100_GET(s->regs[R_MC_FB_LOCATION], MC_FB_LOCATION,
                               MC_FB_START) << 16;
    uint32_t pitch = RV100_GET(s->regs[h->pitch], CRTC_PITCH, CRTC_PITCH);

    m->pitch = pitch * PITCH_UNIT * m->bytes;
    /* Modulo the VRAM, like every card address in the frame buffer [hw]. */
    m->offset = (s->regs[h->base] + s->head[head].offset - start) & s->vram_mask;
    m->size = s->vram_size - m->offset;
}

static void say_unimp(Rv100 *s, const Rv100HeadRegs *h, const Rv100DisplayMode *m)
{
    uint32_t gen = s->regs[h->gen_cntl];

    if (m->tiled) {
        rv100_unimp(s, 4 * h->offset_cntl, "scan-out of tiled surfaces is not "
                    "emulated, shown as linear");
    }
    if (RV100_GET(gen, CRTC_GEN_CNTL, CRTC_INTERLACE_EN)) {
        rv100_unimp(s, 4 * h->v_total_disp, "interlaced modes are not emulated, shown "
                    "as progressive");
    }
    if (!m->bytes && gen & R_CRTC_GEN_CNTL_CRTC_EN_MASK) {
        rv100_unimp(s, 4 * h->gen_cntl, "pixel width %u is not emulated, the "
                    "screen is black", m->format);
    }
}

void rv100_display_mode(Rv100 *s, unsigned head, Rv100DisplayMode *m)
{
    const Rv100HeadRegs *h = &rv100_head_regs[head];
    uint32_t gen = s->regs[h->gen_cntl];
    uint32_t ht = s->regs[h->h_total_disp], vt = s->regs[h->v_total_disp];

    memset(m, 0, sizeof(*m));
    m->native = head ? gen & R_CRTC2_GEN_CNTL_CRTC2_EN_MASK
                     : gen & R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK;
    m->format = RV100_GET(gen, CRTC_GEN_CNTL, CRTC_PIX_WIDTH);
    m->bytes = formats[m->format].bytes;
    m->blank = blanked(s, head, gen) || !m->bytes;
    m->double_scan = RV100_GET(gen, CRTC_GEN_CNTL, CRTC_DBL_SCAN_EN);
    m->tiled = RV100_GET(s->regs[h->offset_cntl], CRTC_OFFSET_CNTL, CRTC_TILE_EN);
    m->cursor = !m->blank && RV100_GET(gen, CRTC_GEN_CNTL, CRTC_CUR_EN);
    m->width = 8 * (RV100_GET(ht, CRTC_H_TOTAL_DISP, CRTC_H_DISP) + 1);
    m->height = RV100_GET(vt, CRTC_V_TOTAL_DISP, CRTC_V_DISP) + 1;
    decode_memory(s, head, m);
    m->refresh = rv100_crtc_refresh(s, head);
    if (m->native) {
        say_unimp(s, h, m);
    }
}

/* --- rows --- */

/* A video BIOS may leave the colours of text mode in the table; they are no
 * gamma curve: QEMU's does [inferred]. */
static bool plain_colours(Rv100 *s, unsigned head, const Rv100DisplayMode *m)
{
    return head == 0 && s->palette_vga && m->bytes > 1;
}

static void build_lut(Rv100 *s, unsigned head, const Rv100DisplayMode *m, Lut *lut)
{
    bool plain = plain_colours(s, head, m);

    for (unsigned i = 0; i < RV100_PALETTE; i++) {
        uint32_t v = plain ? i << 22 | i << 12 | i << 2
            : s->palette[head * RV100_PALETTE + i];

        lut->r[i] = v >> 22;
        lut->g[i] = v >> 12;
        lut->b[i] = v >> 2;
    }
}

static void paint_row(Rv100 *s, const Rv100DisplayMode *m, uint32_t line,
                      uint32_t *dst, const Lut *lut)
{
    uint64_t at = (uint64_t)m->pitch * (m->double_scan ? line / 2 : line);
    uint32_t n = m->width;

    memset(dst, 0, 4ull * n);
    if (m->blank || at >= m->size) {
        return;
    }
    n = MIN(n, (m->size - at) / m->bytes);
    formats[m->format].row(s->vram + m->offset + at, dst, n, lut);
}

void rv100_scanout(Rv100 *s, unsigned head, const Rv100DisplayMode *m,
                   uint32_t first, uint32_t lines, void *dst, uint32_t stride)
{
    Lut lut;

    build_lut(s, head, m, &lut);
    for (uint32_t i = 0; i < lines && first + i < m->height; i++) {
        uint32_t *row = (uint32_t *)((uint8_t *)dst + (size_t)stride * i);

        paint_row(s, m, first + i, row, &lut);
        if (m->cursor) {
            rv100_cursor_row(s, head, m, first + i, row);
        }
    }
}
