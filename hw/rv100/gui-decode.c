/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers -> decoded state -> checked operation.
 *
 * The state is decoded once after a change of a register it depends on. All
 * bounds of an operation are computed in check_bounds(), in 64 bits.
 */
#include "internal.h"

int32_t rv100_gui_coordinate(uint32_t value)
{
    return (int32_t)(value << 18) >> 18;
}

/* --- formats --- */

#define DST(name) R_DP_DATATYPE_DP_DST_DATATYPE_##name
#define SRC(name) R_DP_DATATYPE_DP_SRC_DATATYPE_##name

/* Bytes of a pixel. Formats of the Rage 128 that drivers of this chip do not
 * use have their size there [inferred]; 24 bits do not exist here [linux]. */
static const uint8_t dst_bytes[16] = {
    [DST(8BPP_CI)] = 1, [DST(15BPP)] = 2, [DST(16BPP)] = 2, [DST(32BPP)] = 4,
    [DST(8BPP_RGB)] = 1, [DST(Y8)] = 1, [DST(RGB8)] = 1, [DST(VYUY)] = 2,
    [DST(YVYU)] = 2, [DST(AYUV444)] = 4, [DST(ARGB4444)] = 2,
};

static const uint8_t src_format[8] = {
    [SRC(MONO_FG_BG)] = GUI_SRC_MONO,
    [SRC(MONO_FG_LA)] = GUI_SRC_MONO_LA,
    [2] = GUI_SRC_SAME,                     /* reserved [inferred] */
    [SRC(COLOR)] = GUI_SRC_SAME,
    [SRC(CI4)] = GUI_SRC_CI4,               /* [inferred] */
    [SRC(CLUT_8BPP)] = GUI_SRC_CI8,
    [SRC(CLUT_32BPP)] = GUI_SRC_CI32,
    [7] = GUI_SRC_SAME,                     /* "OBUFFER" [inferred] */
};

/* A condition that is true suppresses the write [linux]. */
static const uint8_t compares[8] = {
    [R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_TRUE] = GUI_CMP_ALWAYS,
    [R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_EQ_COLOR] = GUI_CMP_EQUAL,
    [R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_NEQ_COLOR] = GUI_CMP_DIFFERENT,
    [R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_EQ_FLIP] = GUI_CMP_EQUAL,   /* [inferred] */
    [7] = GUI_CMP_EQUAL,                                        /* [inferred] */
};

/* Swaps of memory: none, in 16 bits, in 32 bits, of the halves [inferred]. */
static const uint8_t swaps[4] = { 0, 1, 3, 2 };

/* The low bits of a colour that the depth has, repeated to 32 bits. */
static uint32_t repeat(const GuiDraw *d, uint32_t colour)
{
    return d->shift == 2 ? colour
        : d->shift == 1 ? (colour & 0xffff) * 0x00010001u
        : (colour & 0xff) * 0x01010101u;
}

/* --- decoded state --- */

static void decode_surfaces(Rv100 *s, GuiDraw *d)
{
    uint32_t gmc = s->regs[R_DP_GUI_MASTER_CNTL];
    bool second = RV100_GET(gmc, DP_GUI_MASTER_CNTL, GMC_DEFAULT_SEL);
    uint32_t po = s->regs[second ? R_DEFAULT2_PITCH_OFFSET      /* [inferred] */
                                 : R_DEFAULT_PITCH_OFFSET];
    uint32_t sc = s->regs[second ? R_DEFAULT2_SC_BOTTOM_RIGHT
                                 : R_DEFAULT_SC_BOTTOM_RIGHT];
    unsigned tile = RV100_GET(po, DEFAULT_PITCH_OFFSET, TILE);

    /* Chosen when drawing starts; nothing was latched before [hw]. */
    d->dst = d->src = RV100_GET(po, DEFAULT_PITCH_OFFSET, OFFSET) << 10;
    d->dst_pitch = d->src_pitch = RV100_GET(po, DEFAULT_PITCH_OFFSET, PITCH) << 6;
    if (RV100_GET(gmc, DP_GUI_MASTER_CNTL, GMC_DST_PITCH_OFFSET_CNTL)) {
        d->dst = s->regs[R_DST_OFFSET];
        d->dst_pitch = s->regs[R_DST_PITCH];
        tile |= s->regs[R_DST_TILE];
    }
    if (RV100_GET(gmc, DP_GUI_MASTER_CNTL, GMC_SRC_PITCH_OFFSET_CNTL)) {
        d->src = s->regs[R_SRC_OFFSET];
        d->src_pitch = s->regs[R_SRC_PITCH];
        tile |= s->regs[R_SRC_TILE];
    }
    if (tile) {
        rv100_unimp(s, A_DST_TILE, "tiled surfaces are drawn as linear ones");
    }
    d->dst_swap = swaps[RV100_GET(s->regs[R_DP_DST_ENDIAN], DP_DST_ENDIAN, SWAP)];
    d->src_swap = swaps[RV100_GET(s->regs[R_DP_SRC_ENDIAN], DP_SRC_ENDIAN, SWAP)];
    /* Right and bottom are excluded [hw]; unsigned [inferred]. The source
     * scissor has no effect on pixels [inferred]. */
    if (RV100_GET(gmc, DP_GUI_MASTER_CNTL, GMC_DST_CLIPPING)) {
        d->left = s->regs[R_SC_LEFT];
        d->top = s->regs[R_SC_TOP];
        d->right = s->regs[R_SC_RIGHT];
        d->bottom = s->regs[R_SC_BOTTOM];
    } else {
        d->left = d->top = 0;
        d->right = RV100_GET(sc, DEFAULT_SC_BOTTOM_RIGHT, RIGHT);
        d->bottom = RV100_GET(sc, DEFAULT_SC_BOTTOM_RIGHT, BOTTOM);
    }
}

static void decode_compare(Rv100 *s, GuiDraw *d)
{
    uint32_t cntl = s->regs[R_CLR_CMP_CNTL];
    unsigned which = RV100_GET(cntl, CLR_CMP_CNTL, CLR_CMP_SRC);

    d->cmp_src = d->cmp_dst = GUI_CMP_NONE;
    if (which != R_CLR_CMP_CNTL_CLR_CMP_SRC_DST) {
        d->cmp_src = compares[RV100_GET(cntl, CLR_CMP_CNTL, CLR_CMP_FCN_SRC)];
    }
    if (which != R_CLR_CMP_CNTL_CLR_CMP_SRC_SRC) {
        d->cmp_dst = compares[RV100_GET(cntl, CLR_CMP_CNTL, CLR_CMP_FCN_DST)];
    }
    d->key_src = repeat(d, s->regs[R_CLR_CMP_CLR_SRC]);
    d->key_dst = repeat(d, s->regs[R_CLR_CMP_CLR_DST]);
    d->key_mask = repeat(d, s->regs[R_CLR_CMP_MASK]);   /* [inferred] */
}

static void decode_formats(Rv100 *s, GuiDraw *d)
{
    uint32_t type = s->regs[R_DP_DATATYPE], mix = s->regs[R_DP_MIX];
    unsigned from = RV100_GET(mix, DP_MIX, DP_SRC_SOURCE);
    uint32_t cntl = s->regs[R_DP_CNTL];

    d->bytes = dst_bytes[RV100_GET(type, DP_DATATYPE, DP_DST_DATATYPE)];
    d->shift = d->bytes / 2;            /* 1, 2, 4 -> 0, 1, 2 */
    d->rop = RV100_GET(mix, DP_MIX, DP_ROP3);
    d->host_bytes = from == R_DP_MIX_DP_SRC_SOURCE_HOST_DATA_BYTE;
    d->host = d->host_bytes || from == R_DP_MIX_DP_SRC_SOURCE_HOST_DATA;
    d->source = src_format[RV100_GET(type, DP_DATATYPE, DP_SRC_DATATYPE)];
    d->msb_first = !RV100_GET(type, DP_DATATYPE, DP_BYTE_PIX_ORDER);
    d->brush_type = RV100_GET(type, DP_DATATYPE, DP_BRUSH_DATATYPE);
    d->brush_rows = rv100_gui_brush_rows(d->brush_type);
    d->brush_la = rv100_gui_brush_leaves(d->brush_type);
    d->rtl = !RV100_GET(cntl, DP_CNTL, DST_X_LEFT_TO_RIGHT);
    d->btt = !RV100_GET(cntl, DP_CNTL, DST_Y_TOP_TO_BOTTOM);
}

static void decode_colours(Rv100 *s, GuiDraw *d)
{
    uint32_t origin = s->regs[R_BRUSH_Y_X];

    d->brush_fg = repeat(d, s->regs[R_DP_BRUSH_FRGD_CLR]);
    d->brush_bg = repeat(d, s->regs[R_DP_BRUSH_BKGD_CLR]);
    d->brush_x = RV100_GET(origin, BRUSH_Y_X, X);
    d->brush_y = RV100_GET(origin, BRUSH_Y_X, Y);
    d->src_fg = repeat(d, s->regs[R_DP_SRC_FRGD_CLR]);
    d->src_bg = repeat(d, s->regs[R_DP_SRC_BKGD_CLR]);
    d->write_mask = repeat(d, s->regs[R_DP_WRITE_MASK]);
}

/* Which operands the raster operation and the comparisons need, and with that
 * the way to paint. */
static void decode_path(GuiDraw *d)
{
    unsigned rop = d->rop;
    bool uses_p = (rop >> 4 ^ rop) & 0x0f;
    bool uses_s = (rop >> 2 ^ rop) & 0x33;
    bool uses_d = (rop >> 1 ^ rop) & 0x55;
    bool other_masks, masked;

    /* Source memory is fetched only for an operation that needs it [linux]. */
    if (!uses_s && d->cmp_src == GUI_CMP_NONE && !d->host) {
        d->source = GUI_SRC_NONE;
    }
    other_masks = d->write_mask != ~0u || d->brush_la || d->cmp_src || d->cmp_dst;
    masked = other_masks || d->source == GUI_SRC_MONO_LA;
    d->needs_src = uses_s || d->cmp_src;
    d->reads_src = d->source != GUI_SRC_NONE && !d->host;
    d->uses_brush = uses_p || d->brush_la;
    d->reads_dst = uses_d || masked;
    if (!d->bytes || d->cmp_src == GUI_CMP_ALWAYS
        || d->cmp_dst == GUI_CMP_ALWAYS || !d->write_mask || rop == 0xaa) {
        d->path = GUI_NOTHING;
    } else if (rop == 0xcc && d->source == GUI_SRC_MONO_LA && !other_masks) {
        d->path = GUI_EXPAND_LA;
    } else if (masked) {
        d->path = GUI_MASKED;
    } else if (!uses_s && !uses_d
               && (!uses_p || rv100_gui_brush_solid(d->brush_type))) {
        d->path = GUI_FILL;
        d->fill = (rop & 0x10 ? d->brush_fg : 0) | (rop & 1 ? ~d->brush_fg : 0);
    } else if (rop == 0xcc && d->source == GUI_SRC_SAME) {
        d->path = GUI_COPY;
    } else if (rop == 0xcc && d->source == GUI_SRC_MONO) {
        d->path = GUI_EXPAND;
    } else {
        d->path = GUI_ROP;
    }
}

const GuiDraw *rv100_gui_draw(Rv100 *s)
{
    GuiDraw *d = &s->draw;

    if (!d->valid) {
        decode_formats(s, d);
        decode_surfaces(s, d);
        decode_colours(s, d);
        decode_compare(s, d);
        decode_path(d);
        d->brush_valid = false;
        d->valid = true;
    }
    if (d->uses_brush && !d->brush_valid && d->path >= GUI_COPY) {
        rv100_gui_brush(s, d);
    }
    return d;
}

/* --- operations --- */

/* Address range of rows of n bytes from `addr` on, `step` apart: its memory,
 * when all of it is in VRAM and nothing wraps. Sets *vram to the offset of the
 * lowest byte and *len. */
static uint8_t *rows_in_vram(Rv100 *s, uint32_t addr, uint32_t step, uint32_t h,
                             uint64_t n, uint32_t *vram, uint32_t *len)
{
    int64_t first = addr;
    int64_t last = first + (int64_t)(int32_t)step * (h - 1);
    int64_t low = MIN(first, last), high = MAX(first, last) + (int64_t)n;

    if (low < 0 || high > 0x100000000ll || high - low > s->vram_size
        || !rv100_card_vram(s, low, high - low, vram)) {
        return NULL;
    }
    *len = high - low;
    return s->vram + *vram + (first - low);
}

static void check_bounds(Rv100 *s, const GuiDraw *d, GuiOp *op)
{
    uint64_t bytes = (uint64_t)op->w << d->shift;
    uint32_t vram, len;

    op->dst_mem = d->dst_swap ? NULL
        : rows_in_vram(s, op->dst, op->dst_step, op->h, bytes, &op->dirty,
                       &op->dirty_len);
    op->src_mem = NULL;
    if (d->reads_src && !d->src_swap) {
        uint64_t bits = (uint64_t)op->w
            * rv100_gui_source_bits(d->source, d->shift) + op->src_bit;

        op->src_mem = rows_in_vram(s, op->src, op->src_step, op->h,
                                   (bits + 7) / 8, &vram, &len);
    }
}

/* Address of pixel (x, y) in a surface of `bits` per pixel; *bit is what is
 * left inside the byte. Addresses wrap at 32 bits. */
static uint32_t pixel_address(uint32_t base, uint32_t pitch, int32_t x,
                              int32_t y, unsigned bits, uint8_t *bit)
{
    int64_t at = (int64_t)y * pitch * 8 + (int64_t)x * bits;

    *bit = at & 7;
    return base + (uint32_t)(at >> 3);
}

/* The part of [first, first + n) inside [low, high). */
static bool clip(int32_t first, uint32_t n, int32_t low, int32_t high,
                 int32_t *from, uint32_t *left)
{
    int64_t a = MAX((int64_t)first, low);
    int64_t b = MIN((int64_t)first + n, high);

    *from = a;
    *left = b > a ? b - a : 0;
    return b > a;
}

bool rv100_gui_rect(Rv100 *s, const GuiDraw *d, GuiOp *op)
{
    uint32_t w = s->regs[R_DST_WIDTH], h = s->regs[R_DST_HEIGHT];
    int32_t left = rv100_gui_coordinate(s->regs[R_DST_X]);
    int32_t top = rv100_gui_coordinate(s->regs[R_DST_Y]);
    int32_t sx = rv100_gui_coordinate(s->regs[R_SRC_X]);
    int32_t sy = rv100_gui_coordinate(s->regs[R_SRC_Y]);
    uint32_t last;
    uint8_t bit;

    /* The start corner is the first pixel, whatever the direction [hw]. */
    if (d->rtl) {
        left -= (int32_t)w - 1;
        sx -= (int32_t)w - 1;
    }
    if (d->btt) {
        top -= (int32_t)h - 1;
        sy -= (int32_t)h - 1;
    }
    if (!clip(left, w, d->left, d->right, &op->x, &op->w)
        || !clip(top, h, d->top, d->bottom, &op->y, &op->h)) {
        return false;
    }
    sx += op->x - left;
    sy += op->y - top;
    last = d->btt ? op->h - 1 : 0;      /* rows from the top to the first */
    op->y += last;
    sy += last;
    op->y_step = d->btt ? -1 : 1;
    op->dst_step = d->btt ? -d->dst_pitch : d->dst_pitch;
    op->src_step = d->btt ? -d->src_pitch : d->src_pitch;
    op->dst = pixel_address(d->dst, d->dst_pitch, op->x, op->y, 8u << d->shift,
                            &bit);
    op->src = pixel_address(d->src, d->src_pitch, sx, sy,
                            rv100_gui_source_bits(d->source, d->shift),
                            &op->src_bit);
    check_bounds(s, d, op);
    return true;
}

void rv100_gui_area(Rv100 *s, const GuiDraw *d, int32_t x, int32_t y, uint32_t w,
                    uint32_t h, GuiOp *op)
{
    uint8_t bit;

    *op = (GuiOp) { .w = w, .h = h, .x = x, .y = y, .y_step = 1,
                    .dst_step = d->dst_pitch };
    op->dst = pixel_address(d->dst, d->dst_pitch, x, y, 8u << d->shift, &bit);
    op->dst_mem = d->dst_swap ? NULL
        : rows_in_vram(s, op->dst, op->dst_step, h, (uint64_t)w << d->shift,
                       &op->dirty, &op->dirty_len);
}
