/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What both displays show, against PNG files that somebody has looked at:
 * pixel formats with their colour tables, placing of the picture, the hardware
 * cursor at and beyond the edges.
 */
#include "rv.h"
#include "rv-golden.h"
#include "rv-heads.h"

#define SECOND_AT 0x00200000        /* the second head's picture in VRAM */

typedef void (*HeadTest)(RvHead *h);

static void run_with(const char *extra, HeadTest test)
{
    for (unsigned n = 0; n < 2; n++) {
        g_autoptr(RvDev) d = rv_heads_new(extra);
        RvHead h = { .d = d, .n = n };

        if (!d) {
            return;
        }
        test(&h);
    }
}

static void check(RvSheet *sheet, const RvHead *h, const char *name)
{
    g_autofree char *file = g_strdup_printf("%s-%u", name, h->n);

    rv_sheet_check(sheet, file);
}

static void shoot(RvSheet *sheet, const RvHead *h)
{
    g_autoptr(RvPicture) p = rv_head_picture(h);

    rv_sheet_add(sheet, p);
}

/* --- formats --- */

#define RAMP_W 64
#define RAMP_H 32

static uint32_t straight(unsigned i)
{
    uint32_t c = i << 2 | i >> 6;

    return c << 20 | c << 10 | c;
}

/* Each component its own curve; the low bits of 10 differ from those of 8. */
static uint32_t curved(unsigned i)
{
    uint32_t red = i * i * 1023 / (255 * 255), green = i < 128 ? 8 * i : 1023;

    return red << 20 | green << 10 | (1023 - 4 * i);
}

/* A table as a palette has it: neighbours have nothing in common. */
static uint32_t scattered(unsigned i)
{
    return (i * 37 & 0xff) << 22 | (i * 101 & 0xff) << 12 | (i * 199 & 0xff) << 2;
}

/* A component of 8 bits cut to what the format has. */
static uint32_t pack(unsigned format, uint32_t r, uint32_t g, uint32_t b)
{
    switch (format) {
    case RV_BPP_15:
        return r >> 3 << 10 | g >> 3 << 5 | b >> 3;
    case RV_BPP_16:
        return r >> 3 << 11 | g >> 2 << 5 | b >> 3;
    default:
        return 0xa5000000 | r << 16 | g << 8 | b;
    }
}

/* Four ramps: red, green, blue, grey; with 8 bpp all indices in four rows. */
static uint32_t ramp_pixel(unsigned format, unsigned x, unsigned y)
{
    unsigned band = y / (RAMP_H / 4), v = x * 255 / (RAMP_W - 1);

    if (format == RV_BPP_8) {
        return band * RAMP_W + x;
    }
    return pack(format, band == 0 || band == 3 ? v : 0, band == 1 || band == 3 ? v : 0,
                band >= 2 ? v : 0);
}

static void formats(RvHead *h)
{
    uint32_t (*const tables[])(unsigned) = { straight, curved, scattered };
    g_autoptr(RvSheet) sheet = rv_sheet_new(5, 3, RAMP_W, RAMP_H);

    for (unsigned t = 0; t < G_N_ELEMENTS(tables); t++) {
        rv_head_colours(h, tables[t]);
        for (unsigned f = RV_BPP_8; f <= RV_BPP_32; f++) {
            rv_head_mode(h, f, RAMP_W, RAMP_H, RAMP_W, h->n * SECOND_AT);
            for (unsigned i = 0; i < RAMP_W * RAMP_H; i++) {
                rv_head_put(h, i % RAMP_W, i / RAMP_W,
                            ramp_pixel(f, i % RAMP_W, i / RAMP_W));
            }
            shoot(sheet, h);
        }
    }
    check(sheet, h, "formats");
}

static void test_formats(void)
{
    run_with("", formats);
}

/* --- grounds --- */

#define W 96
#define H 72

/* A picture in which each place can be told from the others. */
static uint32_t ground(unsigned x, unsigned y)
{
    return (x * 2) << 16 | (y * 3) << 8 | ((x ^ y) & 8 ? 0xa0 : 0x20);
}

static void paint_ground(const RvHead *h, unsigned width, unsigned height)
{
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            uint32_t c = ground(x, y);

            rv_head_put(h, x, y, pack(h->format, c >> 16 & 0xff, c >> 8 & 0xff, c & 0xff));
        }
    }
}

/* The head in one format, the other one on as well and with another size. */
static void two_modes(RvHead *h, unsigned pitch)
{
    RvHead other = { .d = h->d, .n = !h->n };

    rv_head_colours(&other, scattered);
    rv_head_mode(&other, RV_BPP_8, 128, 48, 128, !h->n * SECOND_AT);
    rv_head_colours(h, straight);
    rv_head_mode(h, h->n ? RV_BPP_16 : RV_BPP_32, W, H, pitch, h->n * SECOND_AT);
}

/* --- places --- */

static void set_bits(const RvHead *h, uint32_t offset, uint32_t bits)
{
    rv_head_wr(h, offset, rv_head_rd(h, offset) | bits);
}

static void clear_bits(const RvHead *h, uint32_t offset, uint32_t bits)
{
    rv_head_wr(h, offset, rv_head_rd(h, offset) & ~bits);
}

/* Plain; shifted by 9, 5; double scan; the tile bit, which changes nothing; a
 * wrong pitch; black; plain again. */
static void places(RvHead *h)
{
    g_autoptr(RvSheet) sheet = rv_sheet_new(4, 2, W, H);
    uint32_t off_reg = h->n ? A_CRTC_GEN_CNTL : A_CRTC_EXT_CNTL;
    uint32_t off = h->n ? R_CRTC2_GEN_CNTL_CRTC2_DISPLAY_DIS_MASK
        : R_CRTC_EXT_CNTL_CRTC_DISPLAY_DIS_MASK;

    two_modes(h, 128);
    paint_ground(h, 128, H + 8);
    shoot(sheet, h);
    rv_head_pan(h, (5 * h->pitch + 9) * h->bytes);
    shoot(sheet, h);
    rv_head_pan(h, 0);
    set_bits(h, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_DBL_SCAN_EN_MASK);
    shoot(sheet, h);
    clear_bits(h, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_DBL_SCAN_EN_MASK);
    set_bits(h, A_CRTC_OFFSET_CNTL, R_CRTC_OFFSET_CNTL_CRTC_TILE_EN_MASK);
    shoot(sheet, h);
    clear_bits(h, A_CRTC_OFFSET_CNTL, R_CRTC_OFFSET_CNTL_CRTC_TILE_EN_MASK);
    rv_head_wr(h, A_CRTC_PITCH, 128 / 8 + 1);
    shoot(sheet, h);
    rv_head_wr(h, A_CRTC_PITCH, 128 / 8);
    set_bits(h, off_reg, off);
    shoot(sheet, h);
    clear_bits(h, off_reg, off);
    shoot(sheet, h);
    rv_head_pan(h, h->pitch * h->bytes * (H / 2));     /* past the painted rows */
    shoot(sheet, h);
    check(sheet, h, "places");
}

static void test_places(void)
{
    run_with("", places);
}

/* --- cursor --- */

#define CURSOR 64

/* Border white, upper left quarter opaque, upper right half transparent, lower
 * left clear, lower right an increasing alpha; premultiplied. */
static uint32_t argb_at(unsigned x, unsigned y)
{
    uint32_t a = (x + y - 64) * 4;

    if (x == 0 || y == 0 || x == CURSOR - 1 || y == CURSOR - 1) {
        return 0xffffffff;
    }
    if (y < CURSOR / 2) {
        return x < CURSOR / 2 ? 0xff000000 | (x * 8) << 16 | (y * 8) << 8 : 0x80008000;
    }
    return x < CURSOR / 2 ? 0 : a << 24 | a;
}

/* AND and XOR bits: border colour 1, upper left colour 0, upper right inverted,
 * lower left clear, lower right a check of colours 0 and 1. */
static unsigned mono_at(unsigned x, unsigned y)
{
    if (x == 0 || y == 0 || x == CURSOR - 1 || y == CURSOR - 1) {
        return 1;
    }
    if (y < CURSOR / 2) {
        return x < CURSOR / 2 ? 0 : 3;
    }
    return x < CURSOR / 2 ? 2 : (x / 2 + y / 2) & 1;
}

#define PICTURE_AT 0x00100000       /* from the head's picture on */

static void load_cursor(const RvHead *h, bool argb)
{
    uint32_t at = h->start + PICTURE_AT;

    for (unsigned y = 0; y < CURSOR; y++) {
        uint8_t mono[16] = { 0 };

        for (unsigned x = 0; x < CURSOR; x++) {
            unsigned bits = mono_at(x, y);

            mono[x / 8] |= (bits >> 1) << (7 - x % 8);
            mono[8 + x / 8] |= (bits & 1) << (7 - x % 8);
            if (argb) {
                rv_vram_wr32(h->d, at + 256 * y + 4 * x, argb_at(x, y));
            }
        }
        if (!argb) {
            rv_vram_write(h->d, at + 16 * y, mono, sizeof(mono));
        }
    }
}

/* As drivers place it: the registers are not negative; columns and rows beyond the
 * left and upper edge are left out, 63 at most [linux]. */
static void move_cursor(const RvHead *h, bool argb, int x, int y)
{
    const uint32_t lock = R_CUR_OFFSET_CUR_LOCK_MASK;
    uint32_t skip_x = CLAMP(-x, 0, CURSOR - 1), skip_y = CLAMP(-y, 0, CURSOR - 1);

    rv_head_wr(h, A_CUR_HORZ_VERT_OFF, lock | skip_x << 16 | skip_y);
    rv_head_wr(h, A_CUR_HORZ_VERT_POSN, lock | MAX(x, 0) << 16 | MAX(y, 0));
    rv_head_wr(h, A_CUR_OFFSET, PICTURE_AT + skip_y * (argb ? 256 : 16));
}

static void cursor(RvHead *h, bool argb)
{
    static const int places[][2] = {
        { 16, 4 }, { -20, 4 }, { 16, -20 }, { -40, -40 },
        { 80, 4 }, { 16, 60 }, { 80, 60 }, { 80, -50 },
        { -50, 60 }, { W - 1, H - 1 }, { -63, -63 }, { W, 4 },
        { 16, H }, { -64, 4 }, { 4000, 2000 },
    };
    g_autoptr(RvSheet) sheet = rv_sheet_new(4, 4, W, H);

    two_modes(h, W);
    paint_ground(h, W, H);
    load_cursor(h, argb);
    rv_head_wr(h, A_CUR_CLR0, 0x102040);
    rv_head_wr(h, A_CUR_CLR1, 0xffe080);
    set_bits(h, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK
             | (argb ? 2u : 0u) << R_CRTC_GEN_CNTL_CRTC_CUR_MODE_SHIFT);
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        move_cursor(h, argb, places[i][0], places[i][1]);
        shoot(sheet, h);
    }
    move_cursor(h, argb, 16, 4);
    clear_bits(h, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK);
    shoot(sheet, h);
    check(sheet, h, argb ? "cursor-argb" : "cursor-mono");
}

static void cursor_argb(RvHead *h)
{
    cursor(h, true);
}

static void cursor_mono(RvHead *h)
{
    cursor(h, false);
}

static void test_cursor_argb(void)
{
    run_with(",guest_hwcursor=on", cursor_argb);
}

static void test_cursor_mono(void)
{
    run_with(",guest_hwcursor=on", cursor_mono);
}

/* Half of a move is not to be seen, and leaves nothing behind. */
static void cursor_lock(RvHead *h)
{
    const uint32_t lock = R_CUR_OFFSET_CUR_LOCK_MASK;
    g_autoptr(RvPicture) here = NULL, there = NULL;

    two_modes(h, W);
    paint_ground(h, W, H);
    load_cursor(h, true);
    set_bits(h, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK
             | 2u << R_CRTC_GEN_CNTL_CRTC_CUR_MODE_SHIFT);
    move_cursor(h, true, -30, -20);
    there = rv_head_picture(h);
    move_cursor(h, true, 16, 4);
    here = rv_head_picture(h);
    for (unsigned n = 0; n < 2; n++) {
        g_autoptr(RvPicture) during = NULL, after = NULL;

        rv_head_wr(h, A_CUR_HORZ_VERT_OFF, lock | 30u << 16 | 20);
        rv_head_wr(h, A_CUR_HORZ_VERT_POSN, lock);
        during = rv_head_picture(h);
        rv_assert_same_picture(during, here);
        move_cursor(h, true, n ? -30 : 16, n ? -20 : 4);
        after = rv_head_picture(h);
        rv_assert_same_picture(after, n ? there : here);
    }
}

static void test_cursor_lock(void)
{
    run_with(",guest_hwcursor=on", cursor_lock);
}

/* Without guest_hwcursor the host draws it: it is not in the picture. */
static void host_cursor(RvHead *h)
{
    g_autoptr(RvPicture) before = NULL, after = NULL;

    two_modes(h, W);
    paint_ground(h, W, H);
    load_cursor(h, true);
    before = rv_head_picture(h);
    move_cursor(h, true, 16, 4);
    set_bits(h, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK
             | 2u << R_CRTC_GEN_CNTL_CRTC_CUR_MODE_SHIFT);
    after = rv_head_picture(h);
    rv_assert_same_picture(before, after);
}

static void test_host_cursor(void)
{
    run_with("", host_cursor);
}

/* --- changes of mode --- */

#define ORDERS 40

/* From one mode to another by the same writes in any order. */
static void orders(RvHead *h)
{
    g_autoptr(RvPicture) wanted = NULL;
    g_autoptr(GRand) rnd = g_rand_new_with_seed(4);
    uint32_t values[6];
    static const uint32_t regs[G_N_ELEMENTS(values)] = {
        A_CRTC_H_TOTAL_DISP, A_CRTC_V_TOTAL_DISP, A_CRTC_PITCH, A_CRTC_OFFSET,
        A_DISPLAY_BASE_ADDR, A_CRTC_GEN_CNTL,
    };

    rv_head_colours(h, straight);
    rv_head_mode(h, RV_BPP_16, W, H, 128, SECOND_AT);
    paint_ground(h, 128, H + 8);
    rv_head_pan(h, (3 * 128 + 7) * 2);
    for (unsigned i = 0; i < G_N_ELEMENTS(regs); i++) {
        values[i] = rv_head_rd(h, regs[i]);
    }
    wanted = rv_head_picture(h);
    for (unsigned n = 0; n < ORDERS; n++) {
        unsigned order[] = { 0, 1, 2, 3, 4, 5 };
        g_autoptr(RvPicture) p = NULL;

        rv_head_mode(h, n % 2 ? RV_BPP_8 : RV_BPP_32, 160, 120, 160, 0x00400000);
        for (unsigned i = G_N_ELEMENTS(order) - 1; i > 0; i--) {
            unsigned j = g_rand_int_range(rnd, 0, i + 1), keep = order[i];

            order[i] = order[j];
            order[j] = keep;
        }
        for (unsigned i = 0; i < G_N_ELEMENTS(order); i++) {
            rv_head_wr(h, regs[order[i]], values[order[i]]);
        }
        rv_head_pan(h, values[3]);
        p = rv_head_picture(h);
        rv_assert_same_picture(p, wanted);
    }
}

static void test_orders(void)
{
    run_with("", orders);
}

/* --- both heads and the same memory --- */

static void assert_pixel(const RvHead *h, unsigned x, unsigned y, uint32_t colour)
{
    g_autoptr(RvPicture) p = rv_head_picture(h);

    rv_assert_hex(p->pixels[y * p->width + x], colour);
}

/* What one head has drawn, or its drawing anew, hides no store from the other. */
static void shared_memory(RvHead *h)
{
    RvHead other = { .d = h->d, .n = !h->n };

    rv_head_colours(h, straight);
    rv_head_colours(&other, straight);
    rv_head_mode(h, RV_BPP_32, W, H, W, 0);
    rv_head_mode(&other, RV_BPP_32, W, H, W, 0);
    for (uint32_t i = 1; i < 10; i++) {
        rv_head_put(h, i, i, i * 0x010203);
        assert_pixel(h, i, i, i * 0x010203);
        assert_pixel(&other, i, i, i * 0x010203);
    }
    /* memory of its own, behind what the first shows */
    rv_head_mode(&other, RV_BPP_32, W, H, W, SECOND_AT);
    for (uint32_t i = 10; i < 20; i++) {
        assert_pixel(h, i, i, 0);
        assert_pixel(&other, i, i, 0);
        rv_head_put(&other, i, i, i * 0x010203);
        rv_head_put(h, i, i, i * 0x030201);
        assert_pixel(&other, i, i, i * 0x010203);
        rv_head_put(&other, i, i, i * 0x020101);
        assert_pixel(h, i, i, i * 0x030201);
        assert_pixel(&other, i, i, i * 0x020101);
    }
}

static void test_shared_memory(void)
{
    run_with("", shared_memory);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/picture/formats", test_formats);
    g_test_add_func("/picture/places", test_places);
    g_test_add_func("/picture/cursor-argb", test_cursor_argb);
    g_test_add_func("/picture/cursor-mono", test_cursor_mono);
    g_test_add_func("/picture/cursor-lock", test_cursor_lock);
    g_test_add_func("/picture/host-cursor", test_host_cursor);
    g_test_add_func("/picture/orders", test_orders);
    g_test_add_func("/picture/shared-memory", test_shared_memory);
    return g_test_run();
}
