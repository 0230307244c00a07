/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nothing is latched: whatever register of the 2D engine is written between two
 * operations, and without a write of DP_GUI_MASTER_CNTL, the second one is drawn
 * with the new value. The chip keeps its state decoded; this test finds a
 * register that it does not notice.
 */
#include <string.h>

#include "target.h"

#define FIELD(reg, field, v) \
    ((uint32_t)(v) << R_##reg##_##field##_SHIFT & R_##reg##_##field##_MASK)
#define GMC(field, v) FIELD(DP_GUI_MASTER_CNTL, field, v)
#define PO(pitch, kb) \
    (FIELD(DST_PITCH_OFFSET, PITCH, pitch) | FIELD(DST_PITCH_OFFSET, OFFSET, kb))

/* Three sets of registers that are looked at. */
static const uint32_t settings[] = {
    /* the surfaces and scissor of their own; all operands, both comparisons */
    GMC(GMC_SRC_PITCH_OFFSET_CNTL, 1) | GMC(GMC_DST_PITCH_OFFSET_CNTL, 1)
    | GMC(GMC_DST_CLIPPING, 1) | GMC(GMC_DST_DATATYPE, 6) | GMC(GMC_SRC_DATATYPE, 3)
    | GMC(GMC_BRUSH_DATATYPE, R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X8_COLOR)
    | GMC(GMC_ROP3, 0x96) | GMC(DP_SRC_SOURCE, 2),
    /* the defaults, mono source and brush */
    GMC(GMC_DST_DATATYPE, 4) | GMC(GMC_SRC_DATATYPE, 0)
    | GMC(GMC_BRUSH_DATATYPE, R_DP_DATATYPE_DP_BRUSH_DATATYPE_8X8_MONO_FG_BG)
    | GMC(GMC_ROP3, 0x96) | GMC(DP_SRC_SOURCE, 2),
    /* the other defaults, a fill that changes its pixels each time */
    GMC(GMC_DEFAULT_SEL, 1) | GMC(GMC_DST_DATATYPE, 2) | GMC(GMC_SRC_DATATYPE, 3)
    | GMC(GMC_BRUSH_DATATYPE, R_DP_DATATYPE_DP_BRUSH_DATATYPE_SOLID_COLOR)
    | GMC(GMC_ROP3, 0x5a) | GMC(DP_SRC_SOURCE, 2),
};

static const GuiWrite state[] = {
    { A_SRC_PITCH_OFFSET, PO(4, 64) }, { A_DST_PITCH_OFFSET, PO(4, 8) },
    { A_DEFAULT_PITCH_OFFSET, PO(5, 16) }, { A_DEFAULT2_PITCH_OFFSET, PO(6, 24) },
    { A_DEFAULT_SC_BOTTOM_RIGHT, 0x00300030 },
    { A_DEFAULT2_SC_BOTTOM_RIGHT, 0x00310031 },
    { A_SC_TOP_LEFT, 0x00060005 }, { A_SC_BOTTOM_RIGHT, 0x001d001e },
    { A_DP_SRC_ENDIAN, 0 }, { A_DP_DST_ENDIAN, 0 }, { A_BRUSH_Y_X, 0 },
    { A_DP_BRUSH_FRGD_CLR, 0x12345678 }, { A_DP_BRUSH_BKGD_CLR, 0x9abcdef0 },
    { A_DP_SRC_FRGD_CLR, 0x0fedcba9 }, { A_DP_SRC_BKGD_CLR, 0x87654321 },
};

/* Colours that two pixels of the first setting have, so that the comparison
 * with them is noticed. */
static const GuiWrite state_2[] = {
    { A_DP_WRITE_MASK, 0xfffffff0 }, { A_CLR_CMP_MASK, 0x0000000f },
    { A_CLR_CMP_CNTL, FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_SRC, 4)
      | FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_DST, 4)
      | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC, 2) },
    { A_CLR_CMP_CLR_SRC, 5 }, { A_CLR_CMP_CLR_DST, 9 },
};

static void write_all(Gui *g, const GuiWrite *w, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        gui_write(g, w[i].offset, w[i].value);
    }
}

static void draw(Gui *g)
{
    gui_write(g, A_SRC_Y_X, 0x00010002);
    gui_write(g, A_DST_Y_X, 0x00050004);
    gui_write(g, A_DST_HEIGHT_WIDTH, 0x001c001b);
    gui_write(g, A_DST_LINE_START, 0x00040004);
    gui_write(g, A_DST_LINE_END, 0x00100009);
}

static void set_up(Gui *g, uint32_t gmc)
{
    write_all(g, state, G_N_ELEMENTS(state));
    for (uint32_t i = 0; i < 64; i++) {
        gui_write(g, A_BRUSH_DATA0 + 4 * i, (i + 1) * 0x9e3779b9u);
    }
    gui_write(g, A_DP_GUI_MASTER_CNTL, gmc);
    write_all(g, state_2, G_N_ELEMENTS(state_2));
}

/* Does a write between two operations change what the painter draws? The chip
 * must agree with it. */
static bool matters(Gui *g, Gui *without, uint32_t gmc, uint32_t reg, uint32_t v)
{
    set_up(g, gmc);
    set_up(without, gmc);
    draw(g);
    draw(without);
    gui_write(g, reg, v);
    draw(g);
    draw(without);
    if (memcmp(g->h->vram, g->p->vram, FAKE_VRAM)) {
        g_error("0x%04x = 0x%08x, with DP_GUI_MASTER_CNTL 0x%08x: the chip draws "
                "something else than the painter", reg, v, gmc);
    }
    return memcmp(g->p->vram, without->p->vram, FAKE_VRAM) != 0;
}

/* Registers that must have made a difference, so that the test is one. */
static const struct {
    uint32_t first, last;
} all[] = {
    { A_DST_OFFSET, A_DST_PITCH }, { A_SRC_OFFSET, A_SRC_PITCH },
    { A_SRC_PITCH_OFFSET, A_SRC_PITCH_OFFSET },
    { A_DST_PITCH_OFFSET, A_DST_PITCH_OFFSET },
    { A_DEFAULT_PITCH_OFFSET, A_DEFAULT_PITCH_OFFSET },
    { A_DEFAULT2_PITCH_OFFSET, A_DEFAULT2_PITCH_OFFSET },
    { A_DEFAULT_SC_BOTTOM_RIGHT, A_DEFAULT_SC_BOTTOM_RIGHT },
    { A_DEFAULT2_SC_BOTTOM_RIGHT, A_DEFAULT2_SC_BOTTOM_RIGHT },
    { A_SC_LEFT, A_SC_BOTTOM }, { A_SC_TOP_LEFT, A_SC_TOP_LEFT },
    { A_SC_BOTTOM_RIGHT, A_SC_BOTTOM_RIGHT }, { A_DP_CNTL, A_DP_CNTL },
    { A_DP_CNTL_XDIR_YDIR_YMAJOR, A_DP_CNTL_XDIR_YDIR_YMAJOR },
    { A_DP_DATATYPE, A_DP_WRITE_MASK }, { A_DP_GUI_MASTER_CNTL, A_DP_GUI_MASTER_CNTL },
    { A_DP_DST_ENDIAN, A_DP_DST_ENDIAN }, { A_DP_SRC_ENDIAN, A_DP_SRC_ENDIAN },
    { A_DP_BRUSH_FRGD_CLR, A_DP_BRUSH_FRGD_CLR },
    { A_DP_BRUSH_BKGD_CLR, A_DP_BRUSH_BKGD_CLR },
    { A_DP_SRC_FRGD_CLR, A_DP_SRC_FRGD_CLR },
    { A_DP_SRC_BKGD_CLR, A_DP_SRC_BKGD_CLR },
    { A_BRUSH_Y_X, A_BRUSH_Y_X }, { A_BRUSH_DATA0, A_BRUSH_DATA63 },
    { A_CLR_CMP_CNTL, A_CLR_CMP_CNTL }, { A_CLR_CMP_CLR_SRC, A_CLR_CMP_CLR_SRC },
    { A_CLR_CMP_CLR_DST, A_CLR_CMP_CLR_DST }, { A_CLR_CMP_MASK, A_CLR_CMP_MASK },
};

static void test_each_register(gconstpointer data)
{
    unsigned i = GPOINTER_TO_UINT(data);
    static const uint32_t values[] = {
        0x00090008, 0x13572462, 0x00000000, 0x00800040, 0x7fff0001,
    };

    for (uint32_t reg = all[i].first; reg <= all[i].last; reg += 4) {
        g_autoptr(Gui) g = gui_new(true, true);
        g_autoptr(Gui) without = gui_new(false, true);
        bool any = false;

        gui_noise(g, 3);
        gui_noise(without, 3);
        for (unsigned k = 0; k < G_N_ELEMENTS(settings); k++) {
            for (unsigned v = 0; v < G_N_ELEMENTS(values); v++) {
                any |= matters(g, without, settings[k], reg, values[v]);
            }
        }
        if (!any) {
            g_error("0x%04x makes no difference", reg);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
        g_autofree char *path = g_strdup_printf("/gui/stale/%04x", all[i].first);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_each_register);
    }
    return g_test_run();
}
