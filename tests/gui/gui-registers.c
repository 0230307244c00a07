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
    return g_test_run();
}
