/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What users reported about 2D drawing with other emulators, each as a test of
 * the device with the number of the report.
 */
#include <string.h>

#include "rv.h"

#define FIELD(reg, field, v) \
    ((uint32_t)(v) << R_##reg##_##field##_SHIFT & R_##reg##_##field##_MASK)
#define GMC(field, v) FIELD(DP_GUI_MASTER_CNTL, field, v)
#define TYPE(name) \
    GMC(GMC_DST_DATATYPE, R_DP_GUI_MASTER_CNTL_GMC_DST_DATATYPE_##name)
#define BRUSH(name) \
    GMC(GMC_BRUSH_DATATYPE, R_DP_GUI_MASTER_CNTL_GMC_BRUSH_DATATYPE_##name)
#define SRC_TYPE(name) \
    GMC(GMC_SRC_DATATYPE, R_DP_GUI_MASTER_CNTL_GMC_SRC_DATATYPE_##name)
#define SOURCE(name) GMC(DP_SRC_SOURCE, R_DP_GUI_MASTER_CNTL_DP_SRC_SOURCE_##name)
#define ROP(name) GMC(GMC_ROP3, R_DP_GUI_MASTER_CNTL_GMC_ROP3_##name)
#define NO_KEY_NO_MASK (GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1))

#define FILL (BRUSH(SOLID_COLOR) | SRC_TYPE(COLOR) | SOURCE(MEMORY) | ROP(P) \
              | NO_KEY_NO_MASK)
#define COPY (BRUSH(NONE) | SRC_TYPE(COLOR) | SOURCE(MEMORY) | ROP(S) \
              | NO_KEY_NO_MASK)
#define HOST (BRUSH(NONE) | SOURCE(HOST_DATA) | ROP(S) | NO_KEY_NO_MASK)

#define YX(y, x) ((uint32_t)(y) << 16 | (uint32_t)(x))
#define BASE_KB 1024                /* the picture lies at 1 MiB */
#define BASE (BASE_KB * 1024u)
#define PITCH_UNITS 8
#define PITCH (PITCH_UNITS * 64u)
#define ROWS 96u

/* The picture as bytes, and what it must be. */
typedef struct Picture {
    uint8_t byte[ROWS * PITCH];
} Picture;

static uint32_t get(const Picture *p, uint32_t x, uint32_t y, uint32_t bytes)
{
    uint32_t v = 0;

    for (uint32_t n = 0; n < bytes; n++) {
        v |= (uint32_t)p->byte[y * PITCH + x * bytes + n] << 8 * n;
    }
    return v;
}

static void set(Picture *p, uint32_t x, uint32_t y, uint32_t bytes, uint32_t v)
{
    for (uint32_t n = 0; n < bytes; n++) {
        p->byte[y * PITCH + x * bytes + n] = v >> 8 * n;
    }
}

static void rectangle(Picture *p, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                      uint32_t bytes, uint32_t v)
{
    for (uint32_t j = 0; j < h; j++) {
        for (uint32_t i = 0; i < w; i++) {
            set(p, x + i, y + j, bytes, v);
        }
    }
}

/* The picture as it is in VRAM. */
static void check(RvDev *d, const Picture *want)
{
    Picture is;

    rv_vram_read(d, BASE, is.byte, sizeof(is.byte));
    for (uint32_t i = 0; i < sizeof(is.byte); i++) {
        if (is.byte[i] != want->byte[i]) {
            g_test_message("row %u byte %u: 0x%02x, must be 0x%02x", i / PITCH,
                           i % PITCH, is.byte[i], want->byte[i]);
            g_test_fail();
            return;
        }
    }
}

/* Every byte another one than its neighbours, in VRAM and in *p. */
static void start(RvDev *d, Picture *p)
{
    for (uint32_t i = 0; i < sizeof(p->byte); i++) {
        p->byte[i] = i * 13 + i / PITCH * 7;
    }
    rv_vram_write(d, BASE, p->byte, sizeof(p->byte));
    wr_mc_fb_location(d, ((rd_config_memsize(d) - 1) & 0xffff0000));
    wr_default_pitch_offset(d, FIELD(DEFAULT_PITCH_OFFSET, PITCH, PITCH_UNITS)
                            | FIELD(DEFAULT_PITCH_OFFSET, OFFSET, BASE_KB));
    wr_default_sc_bottom_right(d, YX(0x1fff, 0x1fff));
}

static void box(RvDev *d, uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
    wr_dst_y_x(d, YX(y, x));
    wr_dst_height_width(d, YX(h, w));
}

/* A, rows from the top, leftmost pixel in bit 7. */
static const uint8_t glyph[16] = {
    0x00, 0x00, 0x10, 0x38, 0x6c, 0xc6, 0xc6, 0xfe,
    0xc6, 0xc6, 0xc6, 0xc6, 0x00, 0x00, 0x81, 0x42,
};

static uint8_t reversed(uint8_t b)
{
    uint8_t r = 0;

    for (int i = 0; i < 8; i++) {
        r |= (b >> i & 1) << (7 - i);
    }
    return r;
}

static void send_glyph(RvDev *d, bool lsb_first)
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = 0;

        for (unsigned n = 0; n < 4; n++) {
            uint8_t b = glyph[4 * i + n];

            word |= (uint32_t)(lsb_first ? reversed(b) : b) << 8 * n;
        }
        rv_wr32(d, i == 3 ? A_HOST_DATA_LAST : A_HOST_DATA0 + 4 * i, word);
    }
}

/* Expect the glyph; up: drawn from the bottom row upwards. */
static void draw_glyph(Picture *p, uint32_t x, uint32_t y, uint32_t bytes,
                       uint32_t fg, const uint32_t *bg, bool up, bool left)
{
    for (unsigned j = 0; j < 16; j++) {
        for (unsigned i = 0; i < 8; i++) {
            uint32_t px = left ? x - i : x + i, py = up ? y - j : y + j;

            if (glyph[j] >> (7 - i) & 1) {
                set(p, px, py, bytes, fg);
            } else if (bg) {
                set(p, px, py, bytes, *bg);
            }
        }
    }
}

static void test_01_text_by_host_data(RvDev *d)
{
    static const struct {
        uint32_t type, bytes;
    } depths[] = { { TYPE(8BPP_CI), 1 }, { TYPE(16BPP), 2 }, { TYPE(32BPP), 4 } };
    uint32_t bg = 0x33445566;
    Picture p;

    for (unsigned i = 0; i < G_N_ELEMENTS(depths); i++) {
        start(d, &p);
        for (uint32_t lsb = 0; lsb < 2; lsb++) {
            wr_dp_gui_master_cntl(d, HOST | SRC_TYPE(MONO_FG_BG) | depths[i].type
                                  | GMC(GMC_BYTE_PIX_ORDER, lsb));
            wr_dp_src_frgd_clr(d, 0x0a0b0c0d);
            wr_dp_src_bkgd_clr(d, bg);
            box(d, 5 + 20 * lsb, 7, 8, 16);
            send_glyph(d, lsb);
            draw_glyph(&p, 5 + 20 * lsb, 7, depths[i].bytes, 0x0a0b0c0d, &bg,
                       false, false);
        }
        check(d, &p);
    }
}

static void test_02_scissor_limits_a_fill(RvDev *d)
{
    Picture p;

    start(d, &p);
    wr_dp_gui_master_cntl(d, FILL | TYPE(32BPP) | GMC(GMC_DST_CLIPPING, 1));
    wr_dp_brush_frgd_clr(d, 0x00c0ffee);
    wr_sc_top_left(d, YX(11, 20));
    wr_sc_bottom_right(d, YX(31, 50));
    box(d, 0, 0, 100, 90);
    rectangle(&p, 20, 11, 30, 20, 4, 0x00c0ffee);
    check(d, &p);
}

static void test_06_pitches_read_back(RvDev *d)
{
    wr_dst_pitch(d, 0xa00);
    wr_src_pitch(d, 0x640);
    rv_assert_hex(rd_dst_pitch(d), 0xa00);
    rv_assert_hex(rd_src_pitch(d), 0x640);
    wr_dst_pitch_offset(d, FIELD(DST_PITCH_OFFSET, PITCH, 20));
    rv_assert_hex(rd_dst_pitch(d), 20 * 64);
    rv_assert_hex(rd_src_pitch(d), 0x640);
}

static void test_07_position_stays(RvDev *d)
{
    Picture p;

    start(d, &p);
    wr_dp_gui_master_cntl(d, COPY | TYPE(32BPP));
    wr_src_y_x(d, YX(2, 3));
    box(d, 30, 31, 12, 9);
    rv_assert_hex(rd_dst_x(d), 30);
    rv_assert_hex(rd_dst_y(d), 31);
    rv_assert_hex(rd_src_x(d), 3);
    rv_assert_hex(rd_src_y(d), 2);
    wr_dp_gui_master_cntl(d, HOST | SRC_TYPE(MONO_FG_BG) | TYPE(32BPP));
    box(d, 40, 41, 8, 16);
    send_glyph(d, false);
    rv_assert_hex(rd_dst_x(d), 40);
    rv_assert_hex(rd_dst_y(d), 41);
}

#define SCREEN_W 640
#define SCREEN_H 480

static void set_mode(RvDev *d, uint32_t format)
{
    wr_mc_fb_location(d, d->vram_bus >> 16
                      | ((d->vram_bus + rd_config_memsize(d) - 1) & 0xffff0000));
    wr_display_base_addr(d, d->vram_bus);
    wr_crtc_h_total_disp(d, FIELD(CRTC_H_TOTAL_DISP, CRTC_H_DISP, SCREEN_W / 8 - 1)
                         | (SCREEN_W / 8 + 19));
    wr_crtc_v_total_disp(d, FIELD(CRTC_V_TOTAL_DISP, CRTC_V_DISP, SCREEN_H - 1)
                         | (SCREEN_H + 44));
    wr_crtc_pitch(d, FIELD(CRTC_PITCH, CRTC_PITCH, SCREEN_W / 8));
    wr_crtc_offset(d, 0);
    wr_crtc_gen_cntl(d, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK
                     | R_CRTC_GEN_CNTL_CRTC_EN_MASK
                     | FIELD(CRTC_GEN_CNTL, CRTC_PIX_WIDTH, format));
}

static uint32_t shown(RvDev *d, unsigned x, unsigned y)
{
    g_autoptr(RvPicture) p = rv_screendump(d->vm, NULL);

    g_assert_cmpuint(p->width, ==, SCREEN_W);
    return p->pixels[y * p->width + x];
}

/* What the engine draws is on the screen though the CPU wrote nothing. */
static void test_10_screen_follows_the_engine(RvDev *d)
{
    static const struct {
        uint32_t crtc, type, bytes, colour, rgb;
    } depths[] = {
        { R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_8BPP, TYPE(8BPP_CI), 1, 0xff, 0xffffff },
        { R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_16BPP, TYPE(16BPP), 2, 0xffff, 0xf8fcf8 },
        { R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP, TYPE(32BPP), 4, 0xffffff, 0xffffff },
    };

    wr_palette_index(d, 0);
    for (uint32_t i = 0; i < 256; i++) {
        wr_palette_data(d, i * 0x010101);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(depths); i++) {
        uint32_t pitch = SCREEN_W * depths[i].bytes;

        set_mode(d, depths[i].crtc);
        wr_default_pitch_offset(d, FIELD(DEFAULT_PITCH_OFFSET, PITCH, pitch / 64)
                                | FIELD(DEFAULT_PITCH_OFFSET, OFFSET,
                                        d->vram_bus >> 10));
        wr_default_sc_bottom_right(d, YX(SCREEN_H, SCREEN_W));
        wr_dp_gui_master_cntl(d, FILL | depths[i].type);
        wr_dp_brush_frgd_clr(d, 0);
        box(d, 0, 0, SCREEN_W, SCREEN_H);
        rv_assert_hex(shown(d, 300, 200), 0);
        wr_dp_brush_frgd_clr(d, depths[i].colour);
        box(d, 300, 200, 7, 5);
        rv_assert_hex(shown(d, 300, 200), depths[i].rgb);
        rv_assert_hex(shown(d, 306, 204), depths[i].rgb);
        rv_assert_hex(shown(d, 307, 204), 0);
        rv_assert_hex(shown(d, 306, 205), 0);
    }
}

/* Colour data from a big-endian host through the swaps that its driver sets. */
static void test_13_host_data_byte_order(RvDev *d)
{
    static const struct {
        uint32_t type, bytes, swap, word;
    } depths[] = {
        { TYPE(8BPP_CI), 1, R_RBBM_GUICNTL_HOST_DATA_SWAP_NONE, 0x44332211 },
        { TYPE(16BPP), 2, R_RBBM_GUICNTL_HOST_DATA_SWAP_16BIT, 0x33441122 },
        { TYPE(32BPP), 4, R_RBBM_GUICNTL_HOST_DATA_SWAP_32BIT, 0x11223344 },
    };
    Picture p;

    for (unsigned i = 0; i < G_N_ELEMENTS(depths); i++) {
        start(d, &p);
        wr_rbbm_guicntl(d, FIELD(RBBM_GUICNTL, HOST_DATA_SWAP, depths[i].swap));
        wr_dp_gui_master_cntl(d, HOST | SRC_TYPE(COLOR) | depths[i].type);
        box(d, 8, 3, 4 / depths[i].bytes, 1);
        wr_host_data_last(d, depths[i].word);
        wr_rbbm_guicntl(d, 0);
        for (uint32_t n = 0; n < 4; n++) {
            p.byte[3 * PITCH + 8 * depths[i].bytes + n] = 0x11 * (n + 1);
        }
        check(d, &p);
    }
}

/* There is no 24 bpp drawing on this chip: nothing happens, QEMU lives. */
static void test_14_24bpp_is_harmless(RvDev *d)
{
    Picture p;

    start(d, &p);
    wr_dp_gui_master_cntl(d, FILL | TYPE(24BPP));
    wr_dp_brush_frgd_clr(d, 0x00ffffff);
    box(d, 1, 1, 50, 50);
    wr_dp_gui_master_cntl(d, COPY | TYPE(24BPP));
    box(d, 1, 1, 50, 50);
    wr_dp_gui_master_cntl(d, HOST | SRC_TYPE(COLOR) | TYPE(24BPP));
    box(d, 1, 1, 4, 4);
    wr_host_data_last(d, 0x12345678);
    check(d, &p);
    wr_dp_gui_master_cntl(d, FILL | TYPE(32BPP));
    box(d, 1, 1, 3, 3);
    rectangle(&p, 1, 1, 3, 3, 4, 0x00ffffff);
    check(d, &p);
}

static void test_19_offset_is_no_multiple_of_the_pitch(RvDev *d)
{
    const uint32_t odd = 0x110;
    Picture p;

    start(d, &p);
    wr_dst_offset(d, BASE + odd);
    wr_dst_pitch(d, PITCH);
    wr_dp_gui_master_cntl(d, FILL | TYPE(16BPP)
                          | GMC(GMC_DST_PITCH_OFFSET_CNTL, 1));
    wr_dp_brush_frgd_clr(d, 0xbeef);
    box(d, 0, 0, PITCH / 2, 50);
    for (uint32_t i = 0; i < 50 * PITCH; i += 2) {
        p.byte[odd + i] = 0xef;
        p.byte[odd + i + 1] = 0xbe;
    }
    check(d, &p);
}

/* A copy by (dx, dy) over itself in the direction that a driver chooses. */
static void overlap(RvDev *d, int dx, int dy, uint32_t type, uint32_t bytes)
{
    const uint32_t x = 20, y = 20, w = 40, h = 30;
    bool right = dx <= 0, down = dy <= 0;
    Picture p, before;

    start(d, &p);
    before = p;
    wr_dp_gui_master_cntl(d, COPY | type);
    wr_dp_cntl(d, FIELD(DP_CNTL, DST_X_LEFT_TO_RIGHT, right)
               | FIELD(DP_CNTL, DST_Y_TOP_TO_BOTTOM, down));
    wr_src_y_x(d, YX(y + (down ? 0 : h - 1), x + (right ? 0 : w - 1)));
    box(d, x + dx + (right ? 0 : w - 1), y + dy + (down ? 0 : h - 1), w, h);
    for (uint32_t j = 0; j < h; j++) {
        for (uint32_t i = 0; i < w; i++) {
            set(&p, x + dx + i, y + dy + j, bytes,
                get(&before, x + i, y + j, bytes));
        }
    }
    check(d, &p);
}

static void test_22_overlapping_moves(RvDev *d)
{
    static const int shifts[] = { -17, -1, 0, 1, 17 };

    for (unsigned i = 0; i < G_N_ELEMENTS(shifts); i++) {
        for (unsigned j = 0; j < G_N_ELEMENTS(shifts); j++) {
            overlap(d, shifts[i], shifts[j], TYPE(8BPP_CI), 1);
            overlap(d, shifts[i], shifts[j], TYPE(15BPP), 2);
            overlap(d, shifts[i], shifts[j], TYPE(32BPP), 4);
        }
    }
}

static void test_29_bitmap_fonts(RvDev *d)
{
    uint32_t bg = 0x00777777;
    Picture p;

    start(d, &p);
    wr_dp_src_frgd_clr(d, 0x00c0c0c0);
    wr_dp_src_bkgd_clr(d, bg);
    /* Transparent, then from the bottom upwards; [hw]. */
    wr_dp_gui_master_cntl(d, HOST | SRC_TYPE(MONO_FG_LA) | TYPE(32BPP));
    box(d, 4, 5, 8, 16);
    send_glyph(d, false);
    draw_glyph(&p, 4, 5, 4, 0x00c0c0c0, NULL, false, false);
    wr_dp_gui_master_cntl(d, HOST | SRC_TYPE(MONO_FG_BG) | TYPE(32BPP));
    wr_dp_cntl(d, FIELD(DP_CNTL, DST_X_LEFT_TO_RIGHT, 1));
    box(d, 40, 60, 8, 16);
    send_glyph(d, false);
    draw_glyph(&p, 40, 60, 4, 0x00c0c0c0, &bg, true, false);
    /* To the left is undefined on hardware; ours is the mirror image. */
    wr_dp_gui_master_cntl(d, HOST | SRC_TYPE(MONO_FG_BG) | TYPE(32BPP));
    wr_dp_cntl(d, 0);
    box(d, 90, 80, 8, 16);
    send_glyph(d, false);
    draw_glyph(&p, 90, 80, 4, 0x00c0c0c0, &bg, true, true);
    check(d, &p);
}

/* Transparent copy: the key colour of the source is not drawn. */
static void test_42_transparent_menu(RvDev *d)
{
    const uint32_t key = 0x00fe01fd;
    Picture p;

    start(d, &p);
    for (uint32_t i = 0; i < 20; i += 3) {
        set(&p, i, 1 + i % 4, 4, key);
        rv_vram_wr32(d, BASE + (1 + i % 4) * PITCH + i * 4, key);
    }
    wr_dp_gui_master_cntl(d, COPY | TYPE(32BPP));
    wr_clr_cmp_cntl(d, FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_SRC,
                             R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_EQ_COLOR)
                    | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC,
                            R_CLR_CMP_CNTL_CLR_CMP_SRC_SRC));
    wr_clr_cmp_clr_src(d, key);
    wr_src_y_x(d, YX(0, 0));
    box(d, 50, 40, 20, 6);
    for (uint32_t j = 0; j < 6; j++) {
        for (uint32_t i = 0; i < 20; i++) {
            if (get(&p, i, j, 4) != key) {
                set(&p, 50 + i, 40 + j, 4, get(&p, i, j, 4));
            }
        }
    }
    check(d, &p);
}

/* Hilite mode: only pixels of the background colour change, to the hilite
 * colour, by an exclusive or that a second time undoes. */
static void test_42_hilite_mode(RvDev *d)
{
    const uint32_t background = 0x00eeeeee, hilite = 0x00ccccff;
    Picture p;

    start(d, &p);
    for (uint32_t y = 10; y < 20; y++) {
        for (uint32_t x = 10; x < 40; x += 2) {
            set(&p, x, y, 4, background);
        }
    }
    rv_vram_write(d, BASE, p.byte, sizeof(p.byte));
    wr_dp_gui_master_cntl(d, (FILL & ~R_DP_GUI_MASTER_CNTL_GMC_ROP3_MASK)
                          | ROP(DPX) | TYPE(32BPP));
    wr_dp_brush_frgd_clr(d, background ^ hilite);
    wr_clr_cmp_cntl(d, FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_DST,
                             R_CLR_CMP_CNTL_CLR_CMP_FCN_DST_NEQ_COLOR)
                    | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC,
                            R_CLR_CMP_CNTL_CLR_CMP_SRC_DST));
    wr_clr_cmp_clr_dst(d, background);
    box(d, 10, 10, 30, 10);
    for (uint32_t y = 10; y < 20; y++) {
        for (uint32_t x = 10; x < 40; x += 2) {
            set(&p, x, y, 4, hilite);
        }
    }
    check(d, &p);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/gui/report-01/text-by-host-data", test_01_text_by_host_data);
    rv_test_add("/gui/report-02/scissor-limits-a-fill",
                test_02_scissor_limits_a_fill);
    rv_test_add("/gui/report-06/pitches-read-back", test_06_pitches_read_back);
    rv_test_add("/gui/report-07/position-stays", test_07_position_stays);
    rv_test_add("/gui/report-10/screen-follows-the-engine",
                test_10_screen_follows_the_engine);
    rv_test_add("/gui/report-13/host-data-byte-order",
                test_13_host_data_byte_order);
    rv_test_add("/gui/report-14/24bpp-is-harmless", test_14_24bpp_is_harmless);
    rv_test_add("/gui/report-19/offset-is-no-multiple-of-the-pitch",
                test_19_offset_is_no_multiple_of_the_pitch);
    rv_test_add("/gui/report-22/overlapping-moves", test_22_overlapping_moves);
    rv_test_add("/gui/report-29/bitmap-fonts", test_29_bitmap_fonts);
    rv_test_add("/gui/report-42/transparent-menu", test_42_transparent_menu);
    rv_test_add("/gui/report-42/hilite-mode", test_42_hilite_mode);
    return g_test_run();
}
