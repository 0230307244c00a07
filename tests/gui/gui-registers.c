/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers of the 2D engine: what the RV100 does not have takes writes, reads
 * 0 and does nothing, and what only latches draws nothing.
 */
#include <string.h>

#include "target.h"

#define FIELD(reg, field, v) \
    ((uint32_t)(v) << R_##reg##_##field##_SHIFT & R_##reg##_##field##_MASK)
#define GMC(field, v) FIELD(DP_GUI_MASTER_CNTL, field, v)

/* First and last of a run of Rage 128 registers. */
static const struct {
    const char *name;
    uint32_t first, last;
} absent[] = {
    { "brush-scale", A_BRUSH_SCALE, A_BRUSH_SCALE },
    { "subpixels", A_DST_X_SUB, A_DST_Y_SUB },
    { "height-width-bw", A_DST_HEIGHT_WIDTH_BW, A_DST_HEIGHT_WIDTH_BW },
    { "trapezoids-and-bresenham", A_TRAIL_BRES_ERR, A_DST_BRES_LNTH_SUB },
    { "auxiliary-scissors", A_AUX_SC_CNTL, A_AUX3_SC_BOTTOM },
    { "debug", A_GUI_DEBUG0, A_GUI_PROBE },
    { "default-pitch", A_DEFAULT_PITCH, A_DEFAULT_PITCH },
    /* The scaler; no names here. In between is motion compensation. */
    { "scaler", 0x1970, 0x19d0 },
    { "scaler-end", 0x19e4, 0x1a00 },
};

/* What drawing a rectangle and a line looks at. */
static void set_up(Gui *g)
{
    gui_write(g, A_DEFAULT_PITCH_OFFSET,
              FIELD(DEFAULT_PITCH_OFFSET, PITCH, 10));
    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, 0x00400040);
    gui_write(g, A_DP_GUI_MASTER_CNTL, GMC(GMC_DST_DATATYPE, 6)
              | GMC(GMC_BRUSH_DATATYPE, 13) | GMC(GMC_ROP3, 0x5a)
              | GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1));
    gui_write(g, A_DP_BRUSH_FRGD_CLR, 0x13579bdf);
    gui_write(g, A_DST_Y_X, 0x00050005);
    gui_write(g, A_DST_LINE_START, 0x00010001);
}

static Gui *start(void)
{
    Gui *g = gui_new(true, true);

    gui_noise(g, 2);
    set_up(g);
    return g;
}

static void same(Gui *g)
{
    g_autofree char *what = gui_difference(g);

    g_assert_cmpstr(what, ==, NULL);
}

static void test_absent(gconstpointer data)
{
    guint i = GPOINTER_TO_UINT(data);
    g_autoptr(Gui) g = start();

    for (uint32_t r = absent[i].first; r <= absent[i].last; r += 4) {
        /* Not to the painter: it has no register of this kind. */
        fake_wr(g->h, r, 0xffffffff);
        g_assert_cmphex(fake_rd(g->h, r), ==, 0);
        fake_wr(g->h, r, 0x00100010);
        g_assert_cmphex(fake_rd(g->h, r), ==, 0);
    }
    same(g);
    gui_write(g, A_DST_HEIGHT_WIDTH, 0x00080009);
    gui_write(g, A_DST_LINE_END, 0x00200010);
    same(g);
}

static bool starts(uint32_t reg)
{
    static const uint32_t starters[] = {
        A_DST_WIDTH, A_DST_HEIGHT_WIDTH, A_DST_WIDTH_X, A_DST_HEIGHT_WIDTH_8,
        A_DST_WIDTH_HEIGHT, A_DST_WIDTH_X_INCY, A_DST_LINE_END,
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(starters); i++) {
        if (starters[i] == reg) {
            return true;
        }
    }
    return false;
}

/* All others below the host data leave the picture alone. */
static void test_only_initiators_draw(void)
{
    g_autoptr(Gui) g = start();
    g_autofree uint8_t *before = g_malloc(FAKE_VRAM);

    for (uint32_t r = A_DST_OFFSET; r < A_DSTCACHE_MODE; r += 4) {
        if (starts(r)) {
            continue;
        }
        set_up(g);
        gui_write(g, A_DST_HEIGHT_WIDTH, 0x00080009);
        memcpy(before, g->h->vram, FAKE_VRAM);
        fake_wr(g->h, r, 0x00070007);
        g_assert_true(!memcmp(before, g->h->vram, FAKE_VRAM));
    }
}

/* Each of them does, and leaves the position (but the one that says so). */
static void test_initiators(void)
{
    static const GuiWrite starts[] = {
        { A_DST_HEIGHT_WIDTH, 0x00030004 }, { A_DST_WIDTH_HEIGHT, 0x00030004 },
        { A_DST_WIDTH_X, 0x00030004 }, { A_DST_WIDTH_X_INCY, 0x00030004 },
        { A_DST_HEIGHT_WIDTH_8, 0x03041234 }, { A_DST_WIDTH, 3 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(starts); i++) {
        g_autoptr(Gui) g = start();
        g_autofree uint8_t *before = NULL;

        gui_write(g, A_DST_HEIGHT, 5);
        before = g_memdup2(g->h->vram, FAKE_VRAM);
        gui_write(g, starts[i].offset, starts[i].value);
        g_assert_true(memcmp(before, g->h->vram, FAKE_VRAM) != 0);
        same(g);
    }
}

/* An operation of many rows tells the host of one range, which is what it
 * covers. */
static void test_one_dirty_range(void)
{
    static const struct {
        uint32_t rop, brush, write_mask;
    } ops[] = {
        { 0xf0, 13, ~0u },              /* fill */
        { 0xcc, 13, ~0u },              /* copy */
        { 0xb8, 0, ~0u },               /* raster operation */
        { 0x5a, 1, 0x00ff00ff },        /* masks */
    };
    const uint32_t pitch = 640, x = 7, y = 9, w = 30, h = 20;
    g_autoptr(Gui) g = start();

    for (unsigned i = 0; i < G_N_ELEMENTS(ops); i++) {
        guint before;

        gui_write(g, A_DP_GUI_MASTER_CNTL, GMC(GMC_DST_DATATYPE, 6)
                  | GMC(GMC_BRUSH_DATATYPE, ops[i].brush) | GMC(GMC_ROP3, ops[i].rop)
                  | GMC(GMC_SRC_DATATYPE, 3) | GMC(DP_SRC_SOURCE, 2));
        gui_write(g, A_DP_WRITE_MASK, ops[i].write_mask);
        gui_write(g, A_SRC_Y_X, 0x00300010);
        gui_write(g, A_DST_Y_X, y << 16 | x);
        fake_clean(g->h);
        before = g->h->dirty;
        gui_write(g, A_DST_HEIGHT_WIDTH, h << 16 | w);
        g_assert_cmpuint(g->h->dirty, ==, before + 1);
        g_assert_cmphex(g->h->dirty_first, ==, y * pitch + x * 4);
        g_assert_cmphex(g->h->dirty_end, ==, (y + h - 1) * pitch + (x + w) * 4);
    }
    fake_clean(g->h);
    gui_write(g, A_DST_LINE_START, y << 16 | x);
    gui_write(g, A_DST_LINE_END, (y + h) << 16 | (x + w));
    g_assert_cmphex(g->h->dirty_first, ==, y * pitch + x * 4);
    g_assert_cmphex(g->h->dirty_end, ==, (y + h) * pitch + (x + w + 1) * 4);
    same(g);
}

/* An initiator or a soft reset while host data are missing: what comes later is
 * not drawn. */
static void test_host_data_abandoned(void)
{
    static const GuiWrite ends[] = {
        { A_DST_HEIGHT_WIDTH, 0x00030004 }, { A_DST_WIDTH_X, 0x00030004 },
        { A_DST_LINE_END, 0x00090009 },
        { A_RBBM_SOFT_RESET, R_RBBM_SOFT_RESET_SOFT_RESET_E2_MASK },
    };
    const uint32_t gmc = GMC(GMC_DST_DATATYPE, 6) | GMC(GMC_BRUSH_DATATYPE, 13)
        | GMC(GMC_SRC_DATATYPE, 3) | GMC(GMC_CLR_CMP_CNTL_DIS, 1)
        | GMC(GMC_WR_MSK_DIS, 1);

    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(ends); i++) {
        const GuiWrite *end = &ends[i / 2];
        g_autoptr(Gui) g = start();
        g_autofree uint8_t *before = NULL;

        gui_write(g, A_DP_GUI_MASTER_CNTL,
                  gmc | GMC(GMC_ROP3, 0xcc) | GMC(DP_SRC_SOURCE, 3));
        gui_write(g, A_DST_HEIGHT_WIDTH, 0x00080008);
        /* a group that was drawn, and, the second time, one that was not */
        for (uint32_t n = 0; n < 4 + i % 2 * 3; n++) {
            gui_write(g, A_HOST_DATA0, 0x11111111 * (n + 1));
        }
        gui_write(g, A_DP_GUI_MASTER_CNTL,
                  gmc | GMC(GMC_ROP3, 0x5a) | GMC(DP_SRC_SOURCE, 2));
        gui_write(g, end->offset, end->value);
        gui_write(g, A_RBBM_SOFT_RESET, 0);
        gui_write(g, A_DP_GUI_MASTER_CNTL,
                  gmc | GMC(GMC_ROP3, 0xcc) | GMC(DP_SRC_SOURCE, 3));
        before = g_memdup2(g->h->vram, FAKE_VRAM);
        for (uint32_t n = 0; n < 9; n++) {
            gui_write(g, n == 8 ? A_HOST_DATA_LAST : A_HOST_DATA0, 0xabcdef00 + n);
        }
        g_assert_true(!memcmp(before, g->h->vram, FAKE_VRAM));
        same(g);
    }
}

/* The port of the palette: 256 entries, the address goes on with each access
 * and wraps. */
static void test_palette_port(void)
{
    g_autoptr(Gui) g = gui_new(true, false);

    gui_write(g, A_SRC_CLUT_ADDRESS, 0);
    for (uint32_t i = 0; i < 256; i++) {
        g_assert_cmphex(gui_read(g, A_SRC_CLUT_ADDRESS), ==, i);
        gui_write(g, A_SRC_CLUT_DATA, 0x01000000 * i + 0x00654321);
    }
    g_assert_cmphex(gui_read(g, A_SRC_CLUT_ADDRESS), ==, 0);
    gui_write(g, A_SRC_CLUT_ADDRESS, 254);
    for (uint32_t i = 254; i < 260; i++) {
        g_assert_cmphex(gui_read(g, A_SRC_CLUT_ADDRESS), ==, i % 256);
        g_assert_cmphex(gui_read(g, A_SRC_CLUT_DATA_RD), ==,
                        0x01000000 * (i % 256) + 0x00654321);
    }
}

/* Two rows of four indices 1 2 3 1, 2 3 1 2 in each format, worked out by hand:
 * nibbles and bytes from the low end, the low byte of a dword. Entry n is
 * 0xn1n2n3n4; less deep destinations take the low bits. */
static void test_palette_formats(void)
{
    static const uint8_t indices[2][4] = { { 1, 2, 3, 1 }, { 2, 3, 1, 2 } };
    static const struct {
        uint32_t type, n, host[8];
    } formats[] = {
        { 4, 1, { 0x21321321 } },
        { 5, 2, { 0x01030201, 0x02010302 } },
        { 6, 8, { 0x11111101, 0x22222202, 0x33333303, 0x44444401,
                  0x55555502, 0x66666603, 0x77777701, 0x88888802 } },
    };
    static const struct {
        uint32_t type, bytes, mask;
    } depths[] = { { 2, 1, 0xff }, { 4, 2, 0xffff }, { 6, 4, 0xffffffff } };
    const uint32_t pitch = 640, from = 0x8000;

    for (unsigned i = 0; i < 2 * 3 * 3; i++) {
        unsigned f = i % 3, depth = i / 3 % 3;
        bool host = i / 9;
        uint32_t row = formats[f].n * 2;    /* bytes of a row in memory */
        g_autoptr(Gui) g = start();

        gui_write(g, A_SRC_CLUT_ADDRESS, 1);
        for (uint32_t n = 1; n <= 3; n++) {
            gui_write(g, A_SRC_CLUT_DATA, n * 0x10101010 + 0x01020304);
        }
        gui_write(g, A_SRC_OFFSET, from);
        gui_write(g, A_SRC_PITCH, 64);
        for (uint32_t at = 0; at < 2 * row; at++) {
            gui_poke(g, from + at / row * 64 + at % row, 1,
                     formats[f].host[at / 4] >> at % 4 * 8 & 0xff);
        }
        gui_write(g, A_DP_GUI_MASTER_CNTL, GMC(GMC_DST_DATATYPE, depths[depth].type)
                  | GMC(GMC_BRUSH_DATATYPE, 15) | GMC(GMC_ROP3, 0xcc)
                  | GMC(GMC_SRC_PITCH_OFFSET_CNTL, 1)
                  | GMC(GMC_SRC_DATATYPE, formats[f].type)
                  | GMC(GMC_SRC_DATATYPE2, formats[f].type >> 2)
                  | GMC(DP_SRC_SOURCE, host ? 3 : 2)
                  | GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1));
        gui_write(g, A_SRC_Y_X, 0);
        gui_write(g, A_DST_Y_X, 0x00030005);
        gui_write(g, A_DST_HEIGHT_WIDTH, 0x00020004);
        for (uint32_t w = 0; host && w < formats[f].n; w++) {
            gui_write(g, w + 1 == formats[f].n ? A_HOST_DATA_LAST : A_HOST_DATA0,
                      formats[f].host[w]);
        }
        for (unsigned p = 0; p < 8; p++) {
            uint32_t bytes = depths[depth].bytes;

            g_assert_cmphex(gui_peek(g, (3 + p / 4) * pitch + (5 + p % 4) * bytes,
                                     bytes), ==,
                            (indices[p / 4][p % 4] * 0x10101010 + 0x01020304)
                            & depths[depth].mask);
        }
        same(g);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(absent); i++) {
        g_autofree char *path = g_strconcat("/gui/registers/absent/",
                                            absent[i].name, NULL);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_absent);
    }
    g_test_add_func("/gui/registers/only-initiators-draw",
                    test_only_initiators_draw);
    g_test_add_func("/gui/registers/initiators", test_initiators);
    g_test_add_func("/gui/registers/one-dirty-range", test_one_dirty_range);
    g_test_add_func("/gui/registers/host-data-abandoned",
                    test_host_data_abandoned);
    g_test_add_func("/gui/registers/palette-port", test_palette_port);
    g_test_add_func("/gui/registers/palette-formats", test_palette_formats);
    return g_test_run();
}
