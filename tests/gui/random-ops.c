/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "random-ops.h"

#define FIELD(reg, field, v) \
    ((uint32_t)(v) << R_##reg##_##field##_SHIFT & R_##reg##_##field##_MASK)
#define GMC(field, v) FIELD(DP_GUI_MASTER_CNTL, field, v)

/* Pixels of one operation: the painter looks at each of them. */
#define MAX_PIXELS 3000

void random_ops_init(RandomOps *r, uint64_t seed, GArray *out)
{
    *r = (RandomOps) {
        .state = seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull,
        .out = out,
        .bytes = 4,
    };
    r->state = r->state ? r->state : 1;
}

static uint32_t next(RandomOps *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state >> 32;
}

static uint32_t below(RandomOps *r, uint32_t n)
{
    return next(r) % n;
}

static bool percent(RandomOps *r, uint32_t n)
{
    return below(r, 100) < n;
}

static uint32_t any_of(RandomOps *r, const uint32_t *list, uint32_t n)
{
    return list[below(r, n)];
}

#define ANY_OF(r, ...) \
    any_of(r, (const uint32_t[]) { __VA_ARGS__ }, \
           sizeof((const uint32_t[]) { __VA_ARGS__ }) / sizeof(uint32_t))

static void put(RandomOps *r, uint32_t offset, uint32_t value)
{
    GuiWrite w = { offset, value };

    g_array_append_val(r->out, w);
}

/* Few different values, so that keys and masks meet something. */
static uint32_t colour(RandomOps *r)
{
    if (percent(r, 30)) {
        return next(r);
    }
    return ANY_OF(r, 0, 0xffffffff, 0x00ff00ff, 0x12345678, 0xf0f0f0f0,
                  0x80000001, 0x7fffffff, 0x55aa55aa);
}

static uint32_t coordinate(RandomOps *r)
{
    if (percent(r, 4)) {
        return ANY_OF(r, 0, 1, 0x1fff, 0x2000, 0x2001, 0x3fff, 0x3ffe, 0xffff);
    }
    if (percent(r, 15)) {
        return -(int)below(r, 20) & 0x3fff;
    }
    return below(r, percent(r, 80) ? 64 : 300);
}

/* --- registers --- */

static void surface_offset(RandomOps *r, uint32_t reg)
{
    uint32_t v = below(r, FAKE_VRAM / 2);

    if (percent(r, 15)) {
        v = FAKE_VRAM - 16 * below(r, 600);
    } else if (r->wild && percent(r, 30)) {
        v = ANY_OF(r, 0, FAKE_VRAM, FAKE_VRAM - 16, 0xfffffff0, 0xffffe000,
                   FAKE_MEM - 32, FAKE_MEM);
    } else if (r->gart && percent(r, 50)) {
        v = FAKE_GART + below(r, FAKE_N_PAGES * 4096);
    }
    put(r, reg, v);
}

static void surface_pitch(RandomOps *r, uint32_t reg)
{
    put(r, reg, percent(r, 90) ? 16 * below(r, 80)
        : ANY_OF(r, 0, 16, 0x3ff0, 0x3fff, 64));
}

static uint32_t pitch_offset(RandomOps *r)
{
    uint32_t pitch = percent(r, 90) ? 1 + below(r, 40) : ANY_OF(r, 0, 1, 255);
    uint32_t offset = below(r, FAKE_VRAM / 2048);

    if (percent(r, 15)) {
        offset = FAKE_VRAM / 1024 - below(r, 10);
    } else if (r->wild && percent(r, 20)) {
        offset = ANY_OF(r, 0x3fffff, 0x3ffff0, FAKE_MEM / 1024 - 1);
    } else if (r->gart && percent(r, 50)) {
        offset = FAKE_GART / 1024 + below(r, FAKE_N_PAGES * 4);
    }
    return FIELD(DST_PITCH_OFFSET, PITCH, pitch)
        | FIELD(DST_PITCH_OFFSET, OFFSET, offset)
        | FIELD(DST_PITCH_OFFSET, TILE, percent(r, 5) ? below(r, 4) : 0);
}

static void scissor(RandomOps *r)
{
    uint32_t left = below(r, 40), top = below(r, 40);
    uint32_t right = left + below(r, 200), bottom = top + below(r, 100);

    if (percent(r, 10)) {               /* inverted or empty */
        right = left - below(r, 3);
        bottom = percent(r, 50) ? bottom : top;
    }
    if (percent(r, 4)) {
        right = ANY_OF(r, 0, 1, 0x1fff, 0x2000, 0x3fff, 0xffff);
    }
    if (percent(r, 2)) {
        bottom = ANY_OF(r, 0, 1, 0x1fff);
    }
    put(r, A_SC_TOP_LEFT, top << 16 | left);
    put(r, A_SC_BOTTOM_RIGHT, bottom << 16 | (right & 0xffff));
}

static void compare(RandomOps *r)
{
    put(r, A_CLR_CMP_CNTL,
        FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_SRC, ANY_OF(r, 0, 4, 5, 4, 5, below(r, 8)))
        | FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_DST, ANY_OF(r, 0, 4, 5, below(r, 8)))
        | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC, ANY_OF(r, 0, 1, 2, 3)));
    put(r, A_CLR_CMP_CLR_SRC, colour(r));
    put(r, A_CLR_CMP_CLR_DST, colour(r));
    put(r, A_CLR_CMP_MASK, percent(r, 60) ? 0xffffffff : colour(r));
}

static void brush(RandomOps *r)
{
    uint32_t n = percent(r, 10) ? 64 : below(r, 4);

    for (uint32_t i = 0; i < n; i++) {
        put(r, A_BRUSH_DATA0 + 4 * (n == 64 ? i : below(r, 64)), next(r));
    }
    put(r, A_BRUSH_DATA0, next(r));
    put(r, A_BRUSH_DATA1, next(r));
    put(r, A_BRUSH_Y_X, percent(r, 50) ? 0 : next(r));
}

static void palette(RandomOps *r)
{
    put(r, A_SRC_CLUT_ADDRESS, below(r, 256));
    for (uint32_t i = below(r, 20); i; i--) {
        put(r, A_SRC_CLUT_DATA, colour(r));
    }
}

static uint32_t any_rop(RandomOps *r)
{
    return percent(r, 50) ? below(r, 256)
        : ANY_OF(r, 0xf0, 0xcc, 0x5a, 0x66, 0xb8, 0xe2, 0x55, 0x00, 0xff, 0xaa);
}

/* Written directly, what DP_GUI_MASTER_CNTL and pairs write otherwise. */
static void parts(RandomOps *r)
{
    static const uint32_t edges[] = {
        A_SC_LEFT, A_SC_RIGHT, A_SC_TOP, A_SC_BOTTOM, A_SRC_SC_RIGHT,
        A_SRC_SC_BOTTOM,
    };

    switch (below(r, 5)) {
    case 0:
        put(r, A_DP_DATATYPE,
            FIELD(DP_DATATYPE, DP_DST_DATATYPE, ANY_OF(r, 2, 3, 4, 6))
            | FIELD(DP_DATATYPE, DP_BRUSH_DATATYPE, below(r, 16))
            | FIELD(DP_DATATYPE, DP_SRC_DATATYPE, ANY_OF(r, 0, 1, 3))
            | FIELD(DP_DATATYPE, DP_BYTE_PIX_ORDER, below(r, 2)));
        break;
    case 1:
        put(r, A_DP_MIX, FIELD(DP_MIX, DP_ROP3, any_rop(r))
            | FIELD(DP_MIX, DP_SRC_SOURCE, 2));
        break;
    case 2:
        put(r, any_of(r, edges, G_N_ELEMENTS(edges)), below(r, 200));
        break;
    case 3:
        put(r, A_DST_HEIGHT_Y, below(r, 30) << 16 | below(r, 100));
        break;
    case 4:
        put(r, percent(r, 50) ? A_DST_TILE : A_SRC_TILE, below(r, 4));
        break;
    }
    if (percent(r, 30)) {               /* and drawn with */
        put(r, A_DST_WIDTH_X, below(r, 60) << 16 | below(r, 100));
    }
}

/* Anything that operations look at, now and then. */
static void some_registers(RandomOps *r)
{
    static const uint32_t colours[] = {
        A_DP_BRUSH_FRGD_CLR, A_DP_BRUSH_BKGD_CLR, A_DP_SRC_FRGD_CLR,
        A_DP_SRC_BKGD_CLR,
    };

    if (percent(r, 60)) {
        put(r, any_of(r, colours, G_N_ELEMENTS(colours)), colour(r));
    }
    if (percent(r, 8)) {
        put(r, A_DEFAULT_PITCH_OFFSET, pitch_offset(r));
    }
    if (percent(r, 8)) {
        put(r, percent(r, 50) ? A_DST_PITCH_OFFSET : A_SRC_PITCH_OFFSET,
            pitch_offset(r));
    }
    if (percent(r, 8)) {
        surface_offset(r, percent(r, 50) ? A_DST_OFFSET : A_SRC_OFFSET);
    }
    if (percent(r, 8)) {
        surface_pitch(r, percent(r, 50) ? A_DST_PITCH : A_SRC_PITCH);
    }
    if (percent(r, 15)) {
        scissor(r);
    }
    if (percent(r, 3)) {
        put(r, A_DEFAULT_SC_BOTTOM_RIGHT, (40 + below(r, 200)) << 16
            | (40 + below(r, 300)));
    }
    if (percent(r, 30)) {
        brush(r);
    }
    if (percent(r, 4)) {
        palette(r);
    }
    if (percent(r, 2)) {
        put(r, percent(r, 50) ? A_DP_SRC_ENDIAN : A_DP_DST_ENDIAN, below(r, 4));
    }
    if (percent(r, 3)) {
        parts(r);
    }
    if (percent(r, 1)) {                /* abandons host data */
        put(r, A_RBBM_SOFT_RESET, R_RBBM_SOFT_RESET_SOFT_RESET_E2_MASK);
        put(r, A_RBBM_SOFT_RESET, 0);
    }
}

void random_ops_begin(RandomOps *r)
{
    r->wild = percent(r, 15);
    r->gart = !r->wild && percent(r, 12);
    if (r->gart) {
        put(r, A_AIC_PT_BASE, FAKE_TABLE);
        put(r, A_AIC_LO_ADDR, FAKE_GART);
        put(r, A_AIC_HI_ADDR, FAKE_GART + FAKE_N_PAGES * 4096 - 1);
        put(r, A_AIC_CNTL, R_AIC_CNTL_PCIGART_TRANSLATE_EN_MASK);
    } else if (percent(r, 10)) {
        /* The frame buffer somewhere else, or larger than the VRAM. */
        put(r, A_MC_FB_LOCATION, ANY_OF(r, 0x03ff0000, 0x001f0010, 0xffff0000));
    }
    put(r, A_DEFAULT_PITCH_OFFSET, pitch_offset(r));
    put(r, A_DST_PITCH_OFFSET, pitch_offset(r));
    put(r, A_SRC_PITCH_OFFSET, pitch_offset(r));
    put(r, A_DEFAULT_SC_BOTTOM_RIGHT, percent(r, 80) ? 0x00ff01ff : 0x00ff1fff);
    put(r, A_DEFAULT2_SC_BOTTOM_RIGHT, 0x00500060);
    put(r, A_DEFAULT2_PITCH_OFFSET, pitch_offset(r));
    put(r, A_DP_WRITE_MASK, 0xffffffff);
    put(r, A_CLR_CMP_MASK, 0xffffffff);
    put(r, A_DP_BRUSH_FRGD_CLR, colour(r));
    put(r, A_DP_BRUSH_BKGD_CLR, colour(r));
    put(r, A_DP_SRC_FRGD_CLR, colour(r));
    put(r, A_DP_SRC_BKGD_CLR, colour(r));
    scissor(r);
    brush(r);
    palette(r);
}

/* --- operations --- */

static uint32_t common_gmc(RandomOps *r)
{
    uint32_t type = percent(r, 96) ? ANY_OF(r, 2, 3, 4, 6, 6) : below(r, 16);
    uint32_t v = next(r) & (R_DP_GUI_MASTER_CNTL_GMC_SRC_PITCH_OFFSET_CNTL_MASK
                            | R_DP_GUI_MASTER_CNTL_GMC_DST_PITCH_OFFSET_CNTL_MASK
                            | R_DP_GUI_MASTER_CNTL_GMC_SRC_CLIPPING_MASK
                            | R_DP_GUI_MASTER_CNTL_GMC_DST_CLIPPING_MASK);

    r->bytes = type == 2 ? 1 : type == 3 || type == 4 ? 2 : 4;
    return v | GMC(GMC_DST_DATATYPE, type)
        | GMC(GMC_BYTE_PIX_ORDER, below(r, 2))
        | GMC(GMC_DEFAULT_SEL, percent(r, 3))
        | GMC(GMC_ROP3, any_rop(r))
        | GMC(GMC_CLR_CMP_CNTL_DIS, percent(r, 70))
        | GMC(GMC_AUX_CLIP_DIS, below(r, 2))
        | GMC(GMC_WR_MSK_DIS, percent(r, 70));
}

/* DP_GUI_MASTER_CNTL and what drivers write after it. */
static void master_cntl(RandomOps *r, uint32_t gmc)
{
    put(r, A_DP_GUI_MASTER_CNTL, gmc);
    if (percent(r, 15)) {
        compare(r);
    }
    if (percent(r, 15)) {
        put(r, A_DP_WRITE_MASK, colour(r));
    }
    if (percent(r, 30)) {
        put(r, A_DP_CNTL, below(r, percent(r, 95) ? 4 : 32));
    } else if (percent(r, 20)) {
        put(r, A_DP_CNTL_XDIR_YDIR_YMAJOR, next(r));
    }
}

static void destination(RandomOps *r, uint32_t x, uint32_t y)
{
    if (percent(r, 60)) {
        put(r, A_DST_Y_X, y << 16 | (x & 0xffff));
    } else if (percent(r, 70)) {
        put(r, A_DST_X_Y, x << 16 | (y & 0xffff));
    } else {
        put(r, A_DST_X, x);
        put(r, A_DST_Y, y);
    }
}

static void source(RandomOps *r, uint32_t x, uint32_t y)
{
    if (percent(r, 60)) {
        put(r, A_SRC_Y_X, y << 16 | (x & 0xffff));
    } else {
        put(r, A_SRC_X_Y, x << 16 | (y & 0xffff));
    }
}

/* Write a size through one of the registers that start. */
static void start(RandomOps *r, uint32_t x, uint32_t w, uint32_t h)
{
    uint32_t how = below(r, 10);

    if (how < 4) {
        put(r, A_DST_HEIGHT_WIDTH, h << 16 | w);
    } else if (how < 7) {
        put(r, A_DST_WIDTH_HEIGHT, w << 16 | h);
    } else if (how == 7 && w < 256 && h < 256) {
        put(r, A_DST_HEIGHT_WIDTH_8, h << 24 | w << 16 | (next(r) & 0xffff));
    } else {
        put(r, A_DST_HEIGHT, h);
        put(r, how == 8 ? A_DST_WIDTH_X : A_DST_WIDTH_X_INCY,
            w << 16 | (x & 0xffff));
    }
}

static void any_size(RandomOps *r, uint32_t *w, uint32_t *h)
{
    *w = below(r, percent(r, 70) ? 40 : 120);
    *h = below(r, percent(r, 70) ? 20 : 60);
    if (percent(r, 3)) {
        *w = ANY_OF(r, 0, 1, 0x1fff, 0x3fff);
    }
    if (percent(r, 3)) {
        *h = ANY_OF(r, 0, 1, 0x3fff);
    }
    if (percent(r, 2)) {                /* rows in more than one piece */
        *w = 400 + below(r, 2000);
    }
    if (percent(r, 97)) {
        *h = *w && *w * *h > MAX_PIXELS ? MAX_PIXELS / *w : *h;
    }
}

static void fill(RandomOps *r)
{
    uint32_t x = coordinate(r), y = coordinate(r), w, h;
    uint32_t gmc = common_gmc(r) | GMC(GMC_SRC_DATATYPE, 3)
        | GMC(GMC_BRUSH_DATATYPE, percent(r, 40) ? 13 : below(r, 16))
        | GMC(DP_SRC_SOURCE, 2);

    any_size(r, &w, &h);
    master_cntl(r, gmc);
    destination(r, x, y);
    start(r, x, w, h);
}

static void copy(RandomOps *r)
{
    uint32_t x = coordinate(r), y = coordinate(r), w, h;
    uint32_t sx = coordinate(r), sy = coordinate(r);
    uint32_t gmc = common_gmc(r)
        | GMC(GMC_BRUSH_DATATYPE, percent(r, 60) ? 15 : below(r, 16))
        | GMC(GMC_SRC_DATATYPE, percent(r, 90) ? 3 : below(r, 2))
        | GMC(DP_SRC_SOURCE, 2);

    if (percent(r, 5)) {                /* palettes, reserved formats */
        gmc = (gmc & ~R_DP_GUI_MASTER_CNTL_GMC_SRC_DATATYPE_MASK)
            | GMC(GMC_SRC_DATATYPE, below(r, 4))
            | GMC(GMC_SRC_DATATYPE2, percent(r, 80));
    }
    if (percent(r, 3)) {                /* reserved sources count as memory */
        gmc = (gmc & ~R_DP_GUI_MASTER_CNTL_DP_SRC_SOURCE_MASK)
            | GMC(DP_SRC_SOURCE, ANY_OF(r, 0, 1, 5, 6, 7));
    }
    if (percent(r, 40)) {               /* overlap on one surface */
        gmc &= ~(R_DP_GUI_MASTER_CNTL_GMC_SRC_PITCH_OFFSET_CNTL_MASK
                 | R_DP_GUI_MASTER_CNTL_GMC_DST_PITCH_OFFSET_CNTL_MASK);
        sx = x + below(r, 9) - 4;
        sy = percent(r, 50) ? y : y + below(r, 5) - 2;
    }
    any_size(r, &w, &h);
    master_cntl(r, gmc);
    destination(r, x, y);
    source(r, sx, sy);
    start(r, x, w, h);
}

static void host_words(RandomOps *r, uint64_t words)
{
    uint64_t n = words;
    bool last = percent(r, 80);

    if (percent(r, 10)) {               /* too few, or too many */
        n = words ? below(r, words + 1) : 0;
    } else if (percent(r, 5)) {
        n += below(r, 6);
    }
    for (uint64_t i = 0; i < n; i++) {
        put(r, last && i + 1 == n ? A_HOST_DATA_LAST
            : A_HOST_DATA0 + 4 * (percent(r, 90) ? i % 8 : below(r, 8)),
            percent(r, 80) ? next(r) : colour(r));
    }
}

static void host(RandomOps *r)
{
    bool mono = percent(r, 70), bytes = percent(r, 25);
    uint32_t x = coordinate(r), y = coordinate(r), bits, row;
    uint32_t w = below(r, percent(r, 70) ? 20 : 80), h = below(r, 12);
    uint32_t gmc = common_gmc(r)
        | GMC(GMC_BRUSH_DATATYPE, percent(r, 60) ? 15 : below(r, 16))
        | GMC(GMC_SRC_DATATYPE, mono ? below(r, 2) : 3)
        | GMC(DP_SRC_SOURCE, bytes ? 4 : 3);

    if (percent(r, 3)) {                /* through the palette */
        gmc = (gmc & ~R_DP_GUI_MASTER_CNTL_GMC_SRC_DATATYPE_MASK)
            | GMC(GMC_SRC_DATATYPE, below(r, 4)) | GMC(GMC_SRC_DATATYPE2, 1);
    }
    if (percent(r, 50)) {               /* text: no key, all bits */
        gmc = (gmc & ~R_DP_GUI_MASTER_CNTL_GMC_ROP3_MASK) | GMC(GMC_ROP3, 0xcc)
            | GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1);
    }
    bits = mono ? 1 : 8 * r->bytes;
    row = bytes ? (w * bits + 7) / 8 * 8 : w * bits;
    if (percent(r, 5)) {
        put(r, A_RBBM_GUICNTL, below(r, 4));
    }
    master_cntl(r, gmc);
    destination(r, x, y);
    start(r, x, w, h);
    host_words(r, ((uint64_t)row * h + 31) / 32);
}

static void line(RandomOps *r)
{
    static const uint8_t types[] = { 14, 14, 6, 7, 13, 0, 10 };
    uint32_t gmc = common_gmc(r) | GMC(GMC_SRC_DATATYPE, 3)
        | GMC(GMC_BRUSH_DATATYPE, types[below(r, sizeof(types))])
        | GMC(DP_SRC_SOURCE, 2);

    master_cntl(r, gmc);
    put(r, A_DST_LINE_START, coordinate(r) << 16 | coordinate(r));
    if (percent(r, 40)) {
        put(r, A_DST_LINE_PATCOUNT, below(r, 32));
    }
    put(r, A_DST_LINE_END, coordinate(r) << 16 | coordinate(r));
    if (percent(r, 20)) {
        put(r, A_DST_LINE_END, coordinate(r) << 16 | coordinate(r));
    }
}

void random_ops_one(RandomOps *r)
{
    uint32_t what = below(r, 100);

    some_registers(r);
    if (what < 30) {
        fill(r);
    } else if (what < 60) {
        copy(r);
    } else if (what < 82) {
        host(r);
    } else {
        line(r);
    }
}
