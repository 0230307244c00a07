/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The card's own scan-out, as screendumps show it. */
#include <string.h>

#include "rv.h"

#define WIDTH 640
#define HEIGHT 480

enum {
    BPP_8 = R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_8BPP,
    BPP_15 = R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_15BPP,
    BPP_16 = R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_16BPP,
    BPP_24 = R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_24BPP,
    BPP_32 = R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP,
};

static const unsigned bytes_of[] = { [BPP_8] = 1, [BPP_15] = 2, [BPP_16] = 2,
                                     [BPP_24] = 3, [BPP_32] = 4 };

/* Offsets are from the frame buffer's start; pitch in pixels. */
static void set_mode(RvDev *d, unsigned format, unsigned width, unsigned height,
                     unsigned pitch)
{
    uint32_t size = rd_config_memsize(d);

    wr_mc_fb_location(d, d->vram_bus >> 16 |
                      ((d->vram_bus + size - 1) & 0xffff0000));
    wr_display_base_addr(d, d->vram_bus);
    wr_crtc_h_total_disp(d, (width / 8 - 1) << R_CRTC_H_TOTAL_DISP_CRTC_H_DISP_SHIFT |
                         (width / 8 + 19));
    wr_crtc_v_total_disp(d, (height - 1) << R_CRTC_V_TOTAL_DISP_CRTC_V_DISP_SHIFT |
                         (height + 44));
    wr_crtc_pitch(d, (pitch / 8) << R_CRTC_PITCH_CRTC_PITCH_RIGHT_SHIFT |
                  pitch / 8);
    wr_crtc_gen_cntl(d, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK |
                     R_CRTC_GEN_CNTL_CRTC_EN_MASK |
                     format << R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_SHIFT);
    wr_crtc_offset(d, 0);
}

static void wait_flip(RvDev *d)
{
    for (unsigned i = 0; rd_crtc_offset(d) & R_CRTC_OFFSET_GUI_TRIG_OFFSET_MASK;
         i++) {
        g_assert_cmpuint(i, <, 1000000);
    }
}

static void put_pixel(RvDev *d, unsigned format, unsigned pitch, unsigned x,
                      unsigned y, uint32_t value)
{
    unsigned bytes = bytes_of[format];
    uint8_t le[4] = { value, value >> 8, value >> 16, value >> 24 };

    rv_vram_write(d, (y * pitch + x) * bytes, le, bytes);
}

static uint32_t pixel(const RvPicture *p, unsigned x, unsigned y)
{
    g_assert_true(x < p->width && y < p->height);
    return p->pixels[y * p->width + x];
}

static uint32_t shown(RvDev *d, unsigned x, unsigned y)
{
    g_autoptr(RvPicture) p = rv_screendump(d->vm, NULL);

    return pixel(p, x, y);
}

/* A value of each format and the colour that it is with an even ramp in the
 * look-up table. */
static void test_formats(RvDev *d)
{
    static const struct {
        unsigned format;
        uint32_t value, colour, mask;
    } cases[] = {
        { BPP_8, 0x5a, 0x5a5a5a, 0xffffff },
        { BPP_15, 0x7c00, 0xf80000, 0xf8f8f8 },
        { BPP_15, 0x03e0, 0x00f800, 0xf8f8f8 },
        { BPP_15, 0x001f, 0x0000f8, 0xf8f8f8 },
        { BPP_16, 0xf800, 0xf80000, 0xf8fcf8 },
        { BPP_16, 0x07e0, 0x00fc00, 0xf8fcf8 },
        { BPP_16, 0x001f, 0x0000f8, 0xf8fcf8 },
        { BPP_24, 0x123456, 0x123456, 0xffffff },
        { BPP_32, 0xff654321, 0x654321, 0xffffff },
    };

    rv_wr8(d, A_PALETTE_INDEX, 0);
    for (unsigned i = 0; i < 256; i++) {
        uint32_t v = i << 2 | i >> 6;

        wr_palette_30_data(d, v << 20 | v << 10 | v);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        unsigned f = cases[i].format;

        rv_vram_fill(d, 0, WIDTH * HEIGHT * 4, 0);
        set_mode(d, f, WIDTH, HEIGHT, WIDTH);
        wait_flip(d);
        put_pixel(d, f, WIDTH, 0, 0, cases[i].value);
        put_pixel(d, f, WIDTH, WIDTH - 1, 0, cases[i].value);
        put_pixel(d, f, WIDTH, 3, HEIGHT - 1, cases[i].value);
        {
            g_autoptr(RvPicture) p = rv_screendump(d->vm, NULL);

            g_assert_cmpuint(p->width, ==, WIDTH);
            g_assert_cmpuint(p->height, ==, HEIGHT);
            rv_assert_hex(pixel(p, 0, 0) & cases[i].mask, cases[i].colour);
            rv_assert_hex(pixel(p, WIDTH - 1, 0) & cases[i].mask,
                          cases[i].colour);
            rv_assert_hex(pixel(p, 3, HEIGHT - 1) & cases[i].mask,
                          cases[i].colour);
            rv_assert_hex(pixel(p, 1, 0), 0);
            rv_assert_hex(pixel(p, 0, 1), 0);
        }
    }
}

static void test_pitch(RvDev *d)
{
    set_mode(d, BPP_32, WIDTH, HEIGHT, 1024);
    wait_flip(d);
    put_pixel(d, BPP_32, 1024, 5, 100, 0x112233);
    rv_assert_hex(shown(d, 5, 100), 0x112233);
    /* odd offsets in steps of eight pixels, too */
    wr_crtc_pitch(d, WIDTH / 8 + 1);
    put_pixel(d, BPP_32, WIDTH + 8, 9, 33, 0x445566);
    rv_assert_hex(shown(d, 9, 33), 0x445566);
}

/* DISPLAY_BASE_ADDR has to be the frame buffer's start for the CRTC to show
 * what BAR0 shows. [hw] */
static void test_base_address(RvDev *d)
{
    set_mode(d, BPP_32, WIDTH, HEIGHT, WIDTH);
    wait_flip(d);
    rv_vram_wr32(d, 0, 0x0000aa);
    rv_vram_wr32(d, 0x00400000, 0x00bb00);
    rv_assert_hex(shown(d, 0, 0), 0x0000aa);
    wr_display_base_addr(d, d->vram_bus + 0x00400000);
    rv_assert_hex(shown(d, 0, 0), 0x00bb00);
    wr_display_base_addr(d, d->vram_bus);
    rv_assert_hex(shown(d, 0, 0), 0x0000aa);
}

/* A new offset is taken at the vertical blank, not while it is locked; until
 * then bit 30 reads 1. [linux] */
static void test_offset_latch(RvDev *d)
{
    set_mode(d, BPP_32, WIDTH, HEIGHT, WIDTH);
    wait_flip(d);
    rv_vram_wr32(d, 0, 0x010101);
    rv_vram_wr32(d, 0x00200000, 0x020202);
    wr_crtc_offset(d, 0x00200000 | R_CRTC_OFFSET_OFFSET_LOCK_MASK);
    /* two blanks go by */
    for (unsigned n = 0; n < 2; n++) {
        wr_gen_int_status(d, R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK);
        for (unsigned i = 0; !(rd_gen_int_status(d) &
                               R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK); i++) {
            g_assert_cmpuint(i, <, 1000000);
        }
    }
    g_assert_true(rd_crtc_offset(d) & R_CRTC_OFFSET_GUI_TRIG_OFFSET_MASK);
    rv_assert_hex(shown(d, 0, 0), 0x010101);
    wr_crtc_offset(d, 0x00200000);
    wait_flip(d);
    rv_assert_hex(shown(d, 0, 0), 0x020202);
}

static void test_blank(RvDev *d)
{
    set_mode(d, BPP_32, WIDTH, HEIGHT, WIDTH);
    wait_flip(d);
    rv_vram_wr32(d, 0, 0x777777);
    rv_assert_hex(shown(d, 0, 0), 0x777777);
    wr_crtc_ext_cntl(d, rd_crtc_ext_cntl(d) |
                     R_CRTC_EXT_CNTL_CRTC_DISPLAY_DIS_MASK);
    rv_assert_hex(shown(d, 0, 0), 0);
    wr_crtc_ext_cntl(d, rd_crtc_ext_cntl(d) &
                     ~R_CRTC_EXT_CNTL_CRTC_DISPLAY_DIS_MASK);
    rv_assert_hex(shown(d, 0, 0), 0x777777);
}

/* user report 12: enable first, sizes after */
static void test_enable_before_size(RvDev *d)
{
    set_mode(d, BPP_32, WIDTH, HEIGHT, WIDTH);
    wr_crtc_h_total_disp(d, (800 / 8 - 1) << R_CRTC_H_TOTAL_DISP_CRTC_H_DISP_SHIFT |
                         131);
    wr_crtc_v_total_disp(d, 599 << R_CRTC_V_TOTAL_DISP_CRTC_V_DISP_SHIFT | 627);
    wr_crtc_pitch(d, 100);
    {
        g_autoptr(RvPicture) p = rv_screendump(d->vm, NULL);

        g_assert_cmpuint(p->width, ==, 800);
        g_assert_cmpuint(p->height, ==, 600);
    }
}

/* The guest stores with the CPU; the screen follows without more. */
static void test_cpu_store_is_seen(RvDev *d)
{
    set_mode(d, BPP_32, WIDTH, HEIGHT, WIDTH);
    wait_flip(d);
    for (unsigned i = 1; i < 5; i++) {
        put_pixel(d, BPP_32, WIDTH, 17 * i, 91 * i, 0x10203 * i);
        rv_assert_hex(shown(d, 17 * i, 91 * i), 0x10203 * i);
    }
}

/* A VGA core that is off. When it gets the screen, of the size that it has anyway
 * or of another, for the first time or again, it is black. */
static void test_back_to_vga(RvDev *d)
{
    static const unsigned widths[] = { WIDTH, WIDTH, WIDTH / 2, 2 * WIDTH, WIDTH };

    for (unsigned n = 0; n < G_N_ELEMENTS(widths); n++) {
        g_autoptr(RvPicture) p = NULL;
        unsigned width = widths[n];

        set_mode(d, BPP_32, width, HEIGHT, width);
        wait_flip(d);
        rv_vram_fill(d, 0, width * HEIGHT * 4, 0x77);
        rv_assert_hex(shown(d, 5, 100), 0x777777);
        wr_crtc_gen_cntl(d, 0);
        p = rv_screendump(d->vm, NULL);
        g_assert_cmpuint(p->width, ==, WIDTH);
        g_assert_cmpuint(p->height, ==, HEIGHT);
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
            rv_assert_hex(p->pixels[i], 0);
        }
    }
}

/* With double scan a store changes two lines. */
static void test_double_scan(RvDev *d)
{
    set_mode(d, BPP_32, WIDTH, HEIGHT, WIDTH);
    wr_crtc_gen_cntl(d, rd_crtc_gen_cntl(d) | R_CRTC_GEN_CNTL_CRTC_DBL_SCAN_EN_MASK);
    wait_flip(d);
    shown(d, 0, 0);
    for (unsigned i = 1; i < 5; i++) {
        g_autoptr(RvPicture) p = NULL;

        put_pixel(d, BPP_32, WIDTH, 17 * i, 41 * i, 0x10203 * i);
        p = rv_screendump(d->vm, NULL);
        rv_assert_hex(pixel(p, 17 * i, 82 * i), 0x10203 * i);
        rv_assert_hex(pixel(p, 17 * i, 82 * i + 1), 0x10203 * i);
        rv_assert_hex(pixel(p, 17 * i, 82 * i + 2), 0);
    }
}

/* A premultiplied ARGB cursor over a plain ground, at the corners. With
 * guest_hwcursor=on it is in the picture. */
static void test_cursor(RvDev *d)
{
    static uint32_t image[64 * 64];
    static const struct {
        unsigned x, y;
    } at[] = { { 0, 0 }, { 100, 200 }, { WIDTH - 10, HEIGHT - 20 } };
    const uint32_t place = 0x00300000;

    for (unsigned i = 0; i < 64 * 64; i++) {
        image[i] = i % 64 < 32 ? 0xff00c000 : 0;
    }
    rv_vram_write(d, place, image, sizeof(image));
    rv_vram_fill(d, 0, WIDTH * HEIGHT * 4, 0x40);
    set_mode(d, BPP_32, WIDTH, HEIGHT, WIDTH);
    wait_flip(d);
    wr_cur_offset(d, place);
    wr_crtc_gen_cntl(d, rd_crtc_gen_cntl(d) | R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK |
                     2u << R_CRTC_GEN_CNTL_CRTC_CUR_MODE_SHIFT);
    for (unsigned i = 0; i < G_N_ELEMENTS(at); i++) {
        g_autoptr(RvPicture) p = NULL;
        unsigned inside = MIN(at[i].x + 31, WIDTH - 1);

        wr_cur_horz_vert_posn(d, at[i].x << 16 | at[i].y);
        p = rv_screendump(d->vm, NULL);
        rv_assert_hex(pixel(p, at[i].x, at[i].y), 0x00c000);
        rv_assert_hex(pixel(p, inside, at[i].y), 0x00c000);
        if (at[i].x + 32 < WIDTH) {
            rv_assert_hex(pixel(p, at[i].x + 32, at[i].y), 0x404040);
        }
        if (at[i].x) {
            rv_assert_hex(pixel(p, at[i].x - 1, at[i].y), 0x404040);
            rv_assert_hex(pixel(p, at[i].x, at[i].y - 1), 0x404040);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/display/formats", test_formats);
    rv_test_add("/display/pitch", test_pitch);
    rv_test_add("/display/base-address", test_base_address);
    rv_test_add("/display/offset-latch", test_offset_latch);
    rv_test_add("/display/blank", test_blank);
    rv_test_add("/display/enable-before-size", test_enable_before_size);
    rv_test_add("/display/cpu-store-is-seen", test_cpu_store_is_seen);
    rv_test_add("/display/double-scan", test_double_scan);
    rv_test_add("/display/back-to-vga", test_back_to_vga);
    rv_test_add_with("/display/cursor", ",guest_hwcursor=on", test_cursor);
    return g_test_run();
}
