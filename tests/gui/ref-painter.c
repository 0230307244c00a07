/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "ref-painter.h"
#include "rv100-regs.h"

#define REG(p, name) ((p)->reg[R_##name])
#define FIELD(value, reg, field) \
    (((value) & R_##reg##_##field##_MASK) >> R_##reg##_##field##_SHIFT)
#define GET(p, name, field) FIELD(REG(p, name), name, field)

/* Position and size registers keep 14 bits (2d:1). */
#define KEEP14 R_DST_Y_X_X_MASK

/* Coordinates are 14-bit two's complement (2d:5.3). */
static int coordinate(uint32_t v)
{
    v &= KEEP14;
    return v >= 0x2000 ? (int)v - 0x4000 : (int)v;
}

/* --- memory --- */

static uint8_t *byte_at(RefPainter *p, uint32_t addr)
{
    uint32_t first = GET(p, MC_FB_LOCATION, MC_FB_START) << 16;
    uint32_t last = GET(p, MC_FB_LOCATION, MC_FB_TOP) << 16 | 0xffff;

    if (addr >= first && addr <= last) {
        return &p->vram[(addr - first) % p->vram_size];
    }
    return p->other_byte ? p->other_byte(p->opaque, addr) : NULL;
}

/* Byte n of the pixel of a size at x, y (2d:3.1, 5.4): plain arithmetic, also
 * outside of the surface. */
static uint8_t *pixel_byte(RefPainter *p, const RefSurface *s, int x, int y,
                           uint32_t bytes, uint32_t n)
{
    uint32_t addr = s->offset + (uint32_t)y * s->pitch + (uint32_t)x * bytes;

    return byte_at(p, (addr + n) ^ s->swap);
}

static uint32_t get_pixel(RefPainter *p, const RefSurface *s, int x, int y,
                          uint32_t bytes)
{
    uint32_t v = 0;

    for (uint32_t n = 0; n < bytes; n++) {
        const uint8_t *b = pixel_byte(p, s, x, y, bytes, n);

        v |= (uint32_t)(b ? *b : 0xff) << 8 * n;    /* as PCI reads nothing */
    }
    return v;
}

static void put_pixel(RefPainter *p, const RefSurface *s, int x, int y,
                      uint32_t bytes, uint32_t v)
{
    for (uint32_t n = 0; n < bytes; n++) {
        uint8_t *b = pixel_byte(p, s, x, y, bytes, n);

        if (b) {
            *b = v >> 8 * n;
        }
    }
}

/* --- the pattern (2d:3.4) --- */

/* Bit n of the brush words, least significant first at either bit order. */
static bool brush_bit(const RefOp *op, uint32_t n)
{
    return op->brush[n / 32 % REF_BRUSH_WORDS] >> n % 32 & 1;
}

/* Pixel n of the brush words, packed in destination format. */
static uint32_t brush_pixel(const RefOp *op, uint32_t n)
{
    uint32_t at = n * op->bytes;

    return op->brush[at / 4 % REF_BRUSH_WORDS] >> 8 * (at % 4) & op->depth;
}

/* False where a transparent brush leaves the pixel alone. */
static bool pattern(const RefOp *op, int x, int y, uint32_t *value)
{
    uint32_t px = (uint32_t)x + op->brush_x, py = (uint32_t)y + op->brush_y;
    bool bit;

    switch (op->brush_type) {
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X8_MONO_FG_BG:
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X8_MONO_FG_LA:
        bit = brush_bit(op, py % 8 * 8 + px % 8);
        break;
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X1_MONO_FG_BG:
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X1_MONO_FG_LA:
        bit = brush_bit(op, px % 8);
        break;
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_1X8_MONO_FG_BG:
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_1X8_MONO_FG_LA:
        bit = brush_bit(op, py % 8);
        break;
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_32X1_MONO_FG_BG:
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_32X1_MONO_FG_LA:
        bit = brush_bit(op, (op->line ? op->pattern_bit : px) % 32);
        break;
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_32X32_MONO_FG_BG:
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_32X32_MONO_FG_LA:
        bit = brush_bit(op, py % 32 * 32 + px % 32);
        break;
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X8_COLOR:
        *value = brush_pixel(op, py % 8 * 8 + px % 8);
        return true;
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X1_COLOR:
        *value = brush_pixel(op, px % 8);
        return true;
    case R_DP_DATATYPE_DP_BRUSH_DATATYPE_1X8_COLOR:
        *value = brush_pixel(op, py % 8);
        return true;
    default:
        *value = op->fg & op->depth;
        return true;
    }
    *value = (bit ? op->fg : op->bg) & op->depth;
    return bit || op->brush_type % 2 == 0;      /* odd types: transparent */
}

/* --- the pipeline (2d:4) --- */

static bool rop_uses_source(uint32_t rop)
{
    return ((rop >> 2 ^ rop) & 0x33) != 0;
}

static uint32_t rop3(uint32_t rop, uint32_t p, uint32_t s, uint32_t d)
{
    uint32_t r = 0;

    for (uint32_t bit = 0; bit < 32; bit++) {
        uint32_t i = (p >> bit & 1) * 4 + (s >> bit & 1) * 2 + (d >> bit & 1);

        r |= (rop >> i & 1) << bit;
    }
    return r;
}

/* Does a compare function suppress the pixel? (2d:4.3) */
static bool suppresses(uint32_t function, uint32_t pixel, uint32_t key,
                       uint32_t mask)
{
    switch (function) {
    case R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_TRUE:
        return true;
    case R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_EQ_COLOR:
    case R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_EQ_FLIP:
    case 7:                             /* EQ_FLIP of the Rage 128 */
        return (pixel & mask) == (key & mask);
    case R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_NEQ_COLOR:
        return (pixel & mask) != (key & mask);
    default:
        return false;
    }
}

static bool keyed_out(const RefOp *op, uint32_t s, uint32_t d)
{
    uint32_t which = FIELD(op->cmp_cntl, CLR_CMP_CNTL, CLR_CMP_SRC);
    uint32_t fcn_src = FIELD(op->cmp_cntl, CLR_CMP_CNTL, CLR_CMP_FCN_SRC);
    uint32_t fcn_dst = FIELD(op->cmp_cntl, CLR_CMP_CNTL, CLR_CMP_FCN_DST);
    uint32_t mask = op->cmp_mask & op->depth;
    bool by_src, by_dst;

    if (op->line && fcn_src != R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_TRUE) {
        /* A line has no source to compare [inferred]. */
        fcn_src = R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_FALSE;
    }
    by_src = suppresses(fcn_src, s, op->cmp_src, mask);
    by_dst = suppresses(fcn_dst, d, op->cmp_dst, mask);
    switch (which) {
    case R_CLR_CMP_CNTL_CLR_CMP_SRC_DST:
        return by_dst;
    case R_CLR_CMP_CNTL_CLR_CMP_SRC_SRC:
        return by_src;
    default:
        return by_src || by_dst;
    }
}

/* The key looks at the source. */
static bool key_uses_source(const RefOp *op)
{
    uint32_t function = FIELD(op->cmp_cntl, CLR_CMP_CNTL, CLR_CMP_FCN_SRC);

    return FIELD(op->cmp_cntl, CLR_CMP_CNTL, CLR_CMP_SRC)
            != R_CLR_CMP_CNTL_CLR_CMP_SRC_DST
        && function >= R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_EQ_COLOR;
}

static bool in_scissor(const RefOp *op, int x, int y)
{
    return x >= op->left && x < op->right && y >= op->top && y < op->bottom;
}

/* A pixel whose source is known. */
static void draw(RefPainter *p, const RefOp *op, int x, int y, uint32_t s)
{
    uint32_t pat, d, r;

    if (!in_scissor(op, x, y) || !pattern(op, x, y, &pat)) {
        return;
    }
    d = get_pixel(p, &op->dst, x, y, op->bytes);
    if (keyed_out(op, s, d)) {
        return;
    }
    r = rop3(op->rop, pat, s, d);
    put_pixel(p, &op->dst, x, y, op->bytes,
              (r & op->write_mask) | (d & ~op->write_mask));
}

/* --- sources (2d:3.2) --- */

/* Bits of a source pixel. */
static uint32_t source_bits(const RefOp *op)
{
    switch (op->src_type) {
    case R_DP_DATATYPE_DP_SRC_DATATYPE_MONO_FG_BG:
    case R_DP_DATATYPE_DP_SRC_DATATYPE_MONO_FG_LA:
        return 1;
    case R_DP_DATATYPE_DP_SRC_DATATYPE_CI4:
        return 4;
    case R_DP_DATATYPE_DP_SRC_DATATYPE_CLUT_8BPP:
        return 8;
    case R_DP_DATATYPE_DP_SRC_DATATYPE_CLUT_32BPP:
        return 32;
    default:
        return op->bytes ? 8 * op->bytes : 8;
    }
}

/* What a raw source value means; false where mono is transparent. */
static bool expand(const RefOp *op, uint32_t raw, uint32_t *s)
{
    switch (op->src_type) {
    case R_DP_DATATYPE_DP_SRC_DATATYPE_MONO_FG_BG:
    case R_DP_DATATYPE_DP_SRC_DATATYPE_MONO_FG_LA:
        *s = (raw ? op->src_fg : op->src_bg) & op->depth;
        return raw || op->src_type == R_DP_DATATYPE_DP_SRC_DATATYPE_MONO_FG_BG;
    case R_DP_DATATYPE_DP_SRC_DATATYPE_CI4:
    case R_DP_DATATYPE_DP_SRC_DATATYPE_CLUT_8BPP:
    case R_DP_DATATYPE_DP_SRC_DATATYPE_CLUT_32BPP:
        *s = op->clut[raw % REF_CLUT] & op->depth;
        return true;
    default:
        *s = raw & op->depth;
        return true;
    }
}

static uint32_t memory_raw(RefPainter *p, const RefOp *op, int x, int y)
{
    uint32_t bits = source_bits(op);
    uint32_t per_byte = 8 / bits, in_byte;
    int byte_x;

    if (bits >= 8) {
        return get_pixel(p, &op->src, x, y, bits / 8);
    }
    in_byte = (uint32_t)x % per_byte;
    byte_x = (x - (int)in_byte) / (int)per_byte;
    /* Least significant first, whatever the bit order says (2d:3.2). */
    return get_pixel(p, &op->src, byte_x, y, 1) >> in_byte * bits
        & ((1u << bits) - 1);
}

static bool from_host(const RefOp *op)
{
    return op->source == R_DP_MIX_DP_SRC_SOURCE_HOST_DATA
        || op->source == R_DP_MIX_DP_SRC_SOURCE_HOST_DATA_BYTE;
}

/* --- rectangles (2d:5) --- */

static void memory_rectangle(RefPainter *p, const RefOp *op)
{
    bool fetch = rop_uses_source(op->rop) || key_uses_source(op);

    for (int j = 0; j < op->height; j++) {
        int dy = j * op->y_step;

        if (op->y + dy < op->top || op->y + dy >= op->bottom) {
            continue;                   /* saves time only */
        }
        for (int i = 0; i < op->width; i++) {
            int dx = i * op->x_step;
            uint32_t s = 0;
            bool opaque = true;

            p->pixels++;
            if (!in_scissor(op, op->x + dx, op->y + dy)) {
                continue;
            }
            if (fetch) {
                opaque = expand(op, memory_raw(p, op, op->src_x + dx,
                                               op->src_y + dy), &s);
            }
            if (opaque) {
                draw(p, op, op->x + dx, op->y + dy, s);
            }
        }
    }
}

/* --- lines (2d:7) --- */

static void line(RefPainter *p, RefOp *op)
{
    int x = coordinate(GET(p, DST_LINE_START, X));
    int y = coordinate(GET(p, DST_LINE_START, Y));
    int dx = coordinate(GET(p, DST_LINE_END, X)) - x;
    int dy = coordinate(GET(p, DST_LINE_END, Y)) - y;
    int step_x = dx < 0 ? -1 : 1, step_y = dy < 0 ? -1 : 1;
    bool x_major = ABS(dx) >= ABS(dy);
    int major = MAX(ABS(dx), ABS(dy)), minor = MIN(ABS(dx), ABS(dy));
    int e = 2 * minor - major;

    op->line = true;
    op->pattern_bit = GET(p, DST_LINE_PATCOUNT, PATTERN_PHASE);
    for (int n = 0; n < major; n++) {
        p->pixels++;
        draw(p, op, x, y, 0);
        op->pattern_bit++;
        if (e > 0 || (e == 0 && dy < 0)) {
            x += x_major ? 0 : step_x;
            y += x_major ? step_y : 0;
            e -= 2 * major;
        }
        x += x_major ? step_x : 0;
        y += x_major ? 0 : step_y;
        e += 2 * minor;
    }
}

/* --- from the registers to an operation (2d:2, 3) --- */

static uint32_t bytes_of(uint32_t type)
{
    switch (type) {
    case R_DP_DATATYPE_DP_DST_DATATYPE_8BPP_CI:
    case R_DP_DATATYPE_DP_DST_DATATYPE_8BPP_RGB:
    case R_DP_DATATYPE_DP_DST_DATATYPE_Y8:
    case R_DP_DATATYPE_DP_DST_DATATYPE_RGB8:
        return 1;
    case R_DP_DATATYPE_DP_DST_DATATYPE_15BPP:
    case R_DP_DATATYPE_DP_DST_DATATYPE_16BPP:
    case R_DP_DATATYPE_DP_DST_DATATYPE_VYUY:
    case R_DP_DATATYPE_DP_DST_DATATYPE_YVYU:
    case R_DP_DATATYPE_DP_DST_DATATYPE_ARGB4444:
        return 2;
    case R_DP_DATATYPE_DP_DST_DATATYPE_32BPP:
    case R_DP_DATATYPE_DP_DST_DATATYPE_AYUV444:
        return 4;
    default:
        return 0;                       /* 24 bpp does not exist here */
    }
}

/* Memory swap as an XOR of byte addresses (2d:6.8). */
static uint32_t swap_xor(uint32_t swap)
{
    static const uint32_t table[4] = { 0, 1, 3, 2 };

    return table[swap];
}

static RefSurface default_surface(RefPainter *p)
{
    bool second = GET(p, DP_GUI_MASTER_CNTL, GMC_DEFAULT_SEL);
    uint32_t v = second ? REG(p, DEFAULT2_PITCH_OFFSET)
                        : REG(p, DEFAULT_PITCH_OFFSET);

    return (RefSurface) {
        .offset = FIELD(v, DEFAULT_PITCH_OFFSET, OFFSET) * 1024,
        .pitch = FIELD(v, DEFAULT_PITCH_OFFSET, PITCH) * 64,
    };
}

static void select_surfaces(RefPainter *p, RefOp *op)
{
    op->src = op->dst = default_surface(p);
    if (GET(p, DP_GUI_MASTER_CNTL, GMC_SRC_PITCH_OFFSET_CNTL)) {
        op->src.offset = REG(p, SRC_OFFSET);
        op->src.pitch = REG(p, SRC_PITCH);
    }
    if (GET(p, DP_GUI_MASTER_CNTL, GMC_DST_PITCH_OFFSET_CNTL)) {
        op->dst.offset = REG(p, DST_OFFSET);
        op->dst.pitch = REG(p, DST_PITCH);
    }
    op->src.swap = swap_xor(GET(p, DP_SRC_ENDIAN, SWAP));
    op->dst.swap = swap_xor(GET(p, DP_DST_ENDIAN, SWAP));
}

static void select_scissor(RefPainter *p, RefOp *op)
{
    uint32_t v = GET(p, DP_GUI_MASTER_CNTL, GMC_DEFAULT_SEL)
        ? REG(p, DEFAULT2_SC_BOTTOM_RIGHT) : REG(p, DEFAULT_SC_BOTTOM_RIGHT);

    if (GET(p, DP_GUI_MASTER_CNTL, GMC_DST_CLIPPING)) {
        op->left = REG(p, SC_LEFT);
        op->top = REG(p, SC_TOP);
        op->right = REG(p, SC_RIGHT);
        op->bottom = REG(p, SC_BOTTOM);
    } else {
        op->right = FIELD(v, DEFAULT_SC_BOTTOM_RIGHT, RIGHT);
        op->bottom = FIELD(v, DEFAULT_SC_BOTTOM_RIGHT, BOTTOM);
    }
}

static void select_colours(RefPainter *p, RefOp *op)
{
    memcpy(op->brush, &REG(p, BRUSH_DATA0), sizeof(op->brush));
    memcpy(op->clut, p->clut, sizeof(op->clut));
    op->brush_x = GET(p, BRUSH_Y_X, X);
    op->brush_y = GET(p, BRUSH_Y_X, Y);
    op->fg = REG(p, DP_BRUSH_FRGD_CLR);
    op->bg = REG(p, DP_BRUSH_BKGD_CLR);
    op->src_fg = REG(p, DP_SRC_FRGD_CLR);
    op->src_bg = REG(p, DP_SRC_BKGD_CLR);
    op->write_mask = REG(p, DP_WRITE_MASK);
    op->cmp_cntl = REG(p, CLR_CMP_CNTL);
    op->cmp_src = REG(p, CLR_CMP_CLR_SRC);
    op->cmp_dst = REG(p, CLR_CMP_CLR_DST);
    op->cmp_mask = REG(p, CLR_CMP_MASK);
}

static RefOp operation(RefPainter *p)
{
    RefOp op = { 0 };

    op.bytes = bytes_of(GET(p, DP_DATATYPE, DP_DST_DATATYPE));
    op.depth = op.bytes == 4 ? UINT32_MAX : (1u << 8 * op.bytes) - 1;
    op.x = coordinate(REG(p, DST_X));
    op.y = coordinate(REG(p, DST_Y));
    op.width = REG(p, DST_WIDTH);
    op.height = REG(p, DST_HEIGHT);
    op.src_x = coordinate(REG(p, SRC_X));
    op.src_y = coordinate(REG(p, SRC_Y));
    op.x_step = GET(p, DP_CNTL, DST_X_LEFT_TO_RIGHT) ? 1 : -1;
    op.y_step = GET(p, DP_CNTL, DST_Y_TOP_TO_BOTTOM) ? 1 : -1;
    op.rop = GET(p, DP_MIX, DP_ROP3);
    op.source = GET(p, DP_MIX, DP_SRC_SOURCE);
    op.src_type = GET(p, DP_DATATYPE, DP_SRC_DATATYPE);
    op.brush_type = GET(p, DP_DATATYPE, DP_BRUSH_DATATYPE);
    op.lsb_first = GET(p, DP_DATATYPE, DP_BYTE_PIX_ORDER);
    select_surfaces(p, &op);
    select_scissor(p, &op);
    select_colours(p, &op);
    return op;
}

/* --- host data (2d:6) --- */

static void host_start(RefPainter *p, const RefOp *op)
{
    p->armed = true;
    p->host_x = op->x;
    p->host_y = op->y;
    p->host_w = op->width;
    p->host_h = op->height;
    p->host_pixel = 0;
    p->host_bit = 0;
    p->ring_at = 0;
}

/* Bits from host_bit on; a stream of bytes, low byte of a dword first. */
static uint32_t host_raw(RefPainter *p, const RefOp *op, uint32_t bits)
{
    uint32_t word = p->ring[p->host_bit / 32 % REF_RING];
    uint32_t at = p->host_bit % 32;

    if (bits == 1 && !op->lsb_first) {
        at ^= 7;
    }
    return bits == 32 ? word : word >> at & ((1u << bits) - 1);
}

/* Draw as long as the pixels end within `limit` bits of the stream. The rest of
 * the state is that of now: nothing is latched. */
static void host_draw(RefPainter *p, uint64_t limit)
{
    RefOp op = operation(p);
    uint64_t all = (uint64_t)p->host_w * p->host_h;
    uint32_t bits = source_bits(&op);

    while (p->host_pixel < all && p->host_bit + bits <= limit) {
        int i = p->host_pixel % p->host_w, j = p->host_pixel / p->host_w;
        uint32_t s;

        p->pixels++;
        if (op.bytes && expand(&op, host_raw(p, &op, bits), &s)) {
            draw(p, &op, p->host_x + i * op.x_step, p->host_y + j * op.y_step, s);
        }
        p->host_bit += bits;
        p->host_pixel++;
        if (i == p->host_w - 1
            && op.source == R_DP_MIX_DP_SRC_SOURCE_HOST_DATA_BYTE) {
            p->host_bit = (p->host_bit + 7) / 8 * 8;
        }
    }
    if (p->host_pixel == all) {
        p->armed = false;
    }
}

/* RBBM_GUICNTL (2d:6.8). */
static uint32_t host_swap(RefPainter *p, uint32_t v)
{
    switch (GET(p, RBBM_GUICNTL, HOST_DATA_SWAP)) {
    case R_RBBM_GUICNTL_HOST_DATA_SWAP_16BIT:
        return (v & 0x00ff00ff) << 8 | (v >> 8 & 0x00ff00ff);
    case R_RBBM_GUICNTL_HOST_DATA_SWAP_32BIT:
        return v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
    case R_RBBM_GUICNTL_HOST_DATA_SWAP_HDW:
        return v << 16 | v >> 16;
    default:
        return v;
    }
}

static void host_data(RefPainter *p, uint32_t value, bool last)
{
    if (!p->armed) {
        return;
    }
    p->ring[p->ring_at++ % REF_RING] = host_swap(p, value);
    if (last) {
        host_draw(p, UINT64_MAX);       /* the rest comes from the ring */
        p->armed = false;
    } else if (p->ring_at % 4 == 0) {
        host_draw(p, 32ull * p->ring_at);
    }
}

/* --- starting --- */

static void start_rectangle(RefPainter *p)
{
    RefOp op = operation(p);

    p->armed = false;                   /* what was outstanding is abandoned */
    if (!op.width || !op.height) {
        return;
    }
    if (from_host(&op)) {
        host_start(p, &op);
    } else if (op.bytes) {
        memory_rectangle(p, &op);
    }
}

static void start_line(RefPainter *p)
{
    RefOp op = operation(p);

    p->armed = false;
    if (op.bytes) {
        line(p, &op);
    }
}

/* --- registers (2d:1) --- */

/* Registers that write two others: low half, high half, and starters. */
static const struct {
    uint32_t offset, low, high;
    bool starts;
} pairs[] = {
    { A_SRC_Y_X, R_SRC_X, R_SRC_Y, false },
    { A_SRC_X_Y, R_SRC_Y, R_SRC_X, false },
    { A_DST_Y_X, R_DST_X, R_DST_Y, false },
    { A_DST_X_Y, R_DST_Y, R_DST_X, false },
    { A_DST_HEIGHT_WIDTH, R_DST_WIDTH, R_DST_HEIGHT, true },
    { A_DST_WIDTH_HEIGHT, R_DST_HEIGHT, R_DST_WIDTH, true },
    { A_DST_WIDTH_X, R_DST_X, R_DST_WIDTH, true },
    { A_DST_WIDTH_X_INCY, R_DST_X, R_DST_WIDTH, true },
    { A_DST_HEIGHT_Y, R_DST_Y, R_DST_HEIGHT, false },
    { A_SC_TOP_LEFT, R_SC_LEFT, R_SC_TOP, false },
    { A_SC_BOTTOM_RIGHT, R_SC_RIGHT, R_SC_BOTTOM, false },
    { A_SRC_SC_BOTTOM_RIGHT, R_SRC_SC_RIGHT, R_SRC_SC_BOTTOM, false },
};

/* Registers that keep only some bits. */
static const struct {
    uint32_t offset, keep;
} masks[] = {
    { A_DST_OFFSET, 0xfffffff0 }, { A_SRC_OFFSET, 0xfffffff0 },
    { A_DST_PITCH, 0x3ff0 }, { A_SRC_PITCH, 0x3ff0 },
    { A_DST_X, KEEP14 }, { A_DST_Y, KEEP14 },
    { A_SRC_X, KEEP14 }, { A_SRC_Y, KEEP14 },
    { A_DST_WIDTH, KEEP14 }, { A_DST_HEIGHT, KEEP14 },
    { A_SC_LEFT, KEEP14 }, { A_SC_RIGHT, KEEP14 },
    { A_SC_TOP, KEEP14 }, { A_SC_BOTTOM, KEEP14 },
    { A_SRC_SC_RIGHT, KEEP14 }, { A_SRC_SC_BOTTOM, KEEP14 },
};

static void set_field(uint32_t *reg, uint32_t mask, uint32_t shift, uint32_t v)
{
    *reg = (*reg & ~mask) | (v << shift & mask);
}

#define SET(p, name, field, v) \
    set_field(&REG(p, name), R_##name##_##field##_MASK, \
              R_##name##_##field##_SHIFT, (v))

/* 2d:2 */
static void write_master_cntl(RefPainter *p, uint32_t v)
{
#define GMC(field) FIELD(v, DP_GUI_MASTER_CNTL, field)
    SET(p, DP_DATATYPE, DP_BRUSH_DATATYPE, GMC(GMC_BRUSH_DATATYPE));
    SET(p, DP_DATATYPE, DP_DST_DATATYPE, GMC(GMC_DST_DATATYPE));
    SET(p, DP_DATATYPE, DP_SRC_DATATYPE,
        GMC(GMC_SRC_DATATYPE) | GMC(GMC_SRC_DATATYPE2) << 2);
    SET(p, DP_DATATYPE, DP_BYTE_PIX_ORDER, GMC(GMC_BYTE_PIX_ORDER));
    SET(p, DP_MIX, DP_ROP3, GMC(GMC_ROP3));
    SET(p, DP_MIX, DP_SRC_SOURCE, GMC(DP_SRC_SOURCE));
    SET(p, DP_CNTL, DST_X_LEFT_TO_RIGHT, 1);
    SET(p, DP_CNTL, DST_Y_TOP_TO_BOTTOM, 1);
    if (GMC(GMC_CLR_CMP_CNTL_DIS)) {
        SET(p, CLR_CMP_CNTL, CLR_CMP_FCN_SRC, 0);
        SET(p, CLR_CMP_CNTL, CLR_CMP_FCN_DST, 0);
    }
    if (GMC(GMC_WR_MSK_DIS)) {
        REG(p, DP_WRITE_MASK) = UINT32_MAX;
        REG(p, CLR_CMP_MASK) = UINT32_MAX;
    }
#undef GMC
}

static void write_pitch_offset(RefPainter *p, uint32_t v, uint32_t offset_reg,
                               uint32_t pitch_reg, uint32_t tile_reg)
{
    p->reg[offset_reg] = FIELD(v, DST_PITCH_OFFSET, OFFSET) * 1024;
    p->reg[pitch_reg] = FIELD(v, DST_PITCH_OFFSET, PITCH) * 64;
    p->reg[tile_reg] = FIELD(v, DST_PITCH_OFFSET, TILE);
    if (tile_reg == R_DST_TILE) {
        SET(p, DP_CNTL, DP_DST_TILE, REG(p, DST_TILE));     /* one state (2d:5.4) */
    }
}

static bool write_pair(RefPainter *p, uint32_t offset, uint32_t v)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (pairs[i].offset == offset) {
            p->reg[pairs[i].low] = v & KEEP14;
            p->reg[pairs[i].high] = v >> 16 & KEEP14;
            if (pairs[i].starts) {
                start_rectangle(p);
            }
            return true;
        }
    }
    return false;
}

static void write_special(RefPainter *p, uint32_t offset, uint32_t v)
{
    switch (offset) {
    case A_DP_GUI_MASTER_CNTL:
        write_master_cntl(p, v);
        break;
    case A_SRC_PITCH_OFFSET:
        write_pitch_offset(p, v, R_SRC_OFFSET, R_SRC_PITCH, R_SRC_TILE);
        break;
    case A_DST_PITCH_OFFSET:
        write_pitch_offset(p, v, R_DST_OFFSET, R_DST_PITCH, R_DST_TILE);
        break;
    case A_DP_CNTL_XDIR_YDIR_YMAJOR:
        SET(p, DP_CNTL, DST_X_LEFT_TO_RIGHT, v >> 31);
        SET(p, DP_CNTL, DST_Y_TOP_TO_BOTTOM, v >> 15 & 1);
        break;
    case A_DP_CNTL:
        REG(p, DST_TILE) = GET(p, DP_CNTL, DP_DST_TILE);
        break;
    case A_DST_TILE:
        SET(p, DP_CNTL, DP_DST_TILE, v);
        break;
    case A_DST_HEIGHT_WIDTH_8:
        REG(p, DST_WIDTH) = FIELD(v, DST_HEIGHT_WIDTH_8, WIDTH);
        REG(p, DST_HEIGHT) = FIELD(v, DST_HEIGHT_WIDTH_8, HEIGHT);
        start_rectangle(p);
        break;
    case A_DST_WIDTH:
        start_rectangle(p);
        break;
    case A_DST_LINE_END:
        start_line(p);
        break;
    case A_SRC_CLUT_DATA:
        p->clut[REG(p, SRC_CLUT_ADDRESS)++ % REF_CLUT] = v;
        break;
    case A_HOST_DATA_LAST:
        host_data(p, v, true);
        break;
    case A_RBBM_SOFT_RESET:
        p->armed &= !FIELD(v, RBBM_SOFT_RESET, SOFT_RESET_E2);
        break;
    }
}

void ref_painter_write(RefPainter *p, uint32_t offset, uint32_t v)
{
    p->reg[offset / 4] = v;
    for (unsigned i = 0; i < G_N_ELEMENTS(masks); i++) {
        if (masks[i].offset == offset) {
            p->reg[offset / 4] &= masks[i].keep;
        }
    }
    if (offset >= A_HOST_DATA0 && offset <= A_HOST_DATA7) {
        host_data(p, v, false);
    } else if (!write_pair(p, offset, v)) {
        write_special(p, offset, v);
    }
    if (offset == A_DST_WIDTH_X_INCY) {
        REG(p, DST_Y) = (REG(p, DST_Y) + REG(p, DST_HEIGHT)) & KEEP14;
    }
}

uint32_t ref_painter_read(RefPainter *p, uint32_t offset)
{
    switch (offset) {
    case A_SRC_CLUT_DATA_RD:
        return p->clut[REG(p, SRC_CLUT_ADDRESS)++ % REF_CLUT];
    case A_RBBM_STATUS:
    case A_RBBM_STATUS_ALIAS:
        return 64u << R_RBBM_STATUS_CMDFIFO_AVAIL_SHIFT;    /* always idle */
    case A_DSTCACHE_CTLSTAT:
        return 0;
    case A_SRC_CLUT_ADDRESS:
        return REG(p, SRC_CLUT_ADDRESS) % REF_CLUT;
    default:
        return p->reg[offset / 4];
    }
}

void ref_painter_reset(RefPainter *p)
{
    memset(p->reg, 0, sizeof(p->reg));
    memset(p->clut, 0, sizeof(p->clut));
    memset(p->ring, 0, sizeof(p->ring));
    p->armed = false;
    p->pixels = 0;
    REG(p, MC_FB_LOCATION) = (p->vram_size - 1) & 0xffff0000;
}

RefPainter *ref_painter_new(uint32_t vram_size)
{
    RefPainter *p = g_new0(RefPainter, 1);

    p->vram_size = vram_size;
    p->vram = g_malloc0(vram_size);
    ref_painter_reset(p);
    return p;
}

void ref_painter_free(RefPainter *p)
{
    g_free(p->vram);
    g_free(p);
}
