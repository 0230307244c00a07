/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The 2D packets of the stock microcode draw: the picture after a packet
 * through the ring equals the picture of the register writes that it stands
 * for, on a second chip and on the painter.
 */
#include <string.h>

#include "target.h"

#define FIELD(reg, field, v) \
    ((uint32_t)(v) << R_##reg##_##field##_SHIFT & R_##reg##_##field##_MASK)
#define GMC(field, v) FIELD(DP_GUI_MASTER_CNTL, field, v)
#define SOURCE(name) GMC(DP_SRC_SOURCE, R_DP_GUI_MASTER_CNTL_DP_SRC_SOURCE_##name)
#define BRUSH(name) \
    GMC(GMC_BRUSH_DATATYPE, R_DP_GUI_MASTER_CNTL_GMC_BRUSH_DATATYPE_##name)
#define SRC_TYPE(name) \
    GMC(GMC_SRC_DATATYPE, R_DP_GUI_MASTER_CNTL_GMC_SRC_DATATYPE_##name)
#define ROP(name) GMC(GMC_ROP3, R_DP_GUI_MASTER_CNTL_GMC_ROP3_##name)

/* Destination given by the settings block, 32 bpp, no key, all bits. */
#define BASE (GMC(GMC_DST_PITCH_OFFSET_CNTL, 1) \
              | GMC(GMC_DST_DATATYPE, R_DP_GUI_MASTER_CNTL_GMC_DST_DATATYPE_32BPP) \
              | GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1))
#define FILL (BASE | BRUSH(SOLID_COLOR) | SRC_TYPE(COLOR) | SOURCE(MEMORY))
#define COPY (BASE | BRUSH(NONE) | SRC_TYPE(COLOR) | SOURCE(MEMORY) | ROP(S) \
              | GMC(GMC_SRC_PITCH_OFFSET_CNTL, 1))
#define TEXT (BASE | BRUSH(NONE) | SOURCE(HOST_DATA) | ROP(S) \
              | GMC(GMC_BYTE_PIX_ORDER, 1))
#define LINE (BASE | BRUSH(SOLID_LINE) | SRC_TYPE(COLOR) | SOURCE(MEMORY))
/* 640 bytes a row, 64 KiB into VRAM. */
#define PO (FIELD(DST_PITCH_OFFSET, PITCH, 10) | FIELD(DST_PITCH_OFFSET, OFFSET, 64))

#define P3(op, n) (0xc0000000u | ((n) - 1u) << 16 | (op) << 8)
#define P0(name) (A_##name / 4)
#define MAX_WORDS 40

typedef struct Packet {
    const char *name;
    uint32_t words[MAX_WORDS];      /* through the ring */
    guint n;
    GuiWrite direct[MAX_WORDS];     /* ends with offset 0 */
} Packet;

#define W(name, v) { A_##name, v }
#define YX(y, x) ((uint32_t)(y) << 16 | (x))

static const Packet packets[] = {
    { "paint", { P3(0x91, 7), FILL | ROP(P), PO, 0x00ff8040,
                 YX(4, 3), YX(20, 60), YX(30, 10), YX(33, 11) }, 8,
      { W(DP_GUI_MASTER_CNTL, FILL | ROP(P)), W(DST_PITCH_OFFSET, PO),
        W(DP_BRUSH_FRGD_CLR, 0x00ff8040),
        W(DST_Y_X, YX(4, 3)), W(DST_HEIGHT_WIDTH, YX(16, 57)),
        W(DST_Y_X, YX(30, 10)), W(DST_HEIGHT_WIDTH, YX(3, 1)) } },
    { "paint-mono-brush", { P3(0x91, 8), BASE | SRC_TYPE(COLOR) | SOURCE(MEMORY)
                            | ROP(DPX), PO, 0x000000ff, 0x00ff0000, 0x8142241b,
                            0x18244281, YX(5, 1), YX(25, 44) }, 9,
      { W(DP_GUI_MASTER_CNTL, BASE | SRC_TYPE(COLOR) | SOURCE(MEMORY) | ROP(DPX)),
        W(DST_PITCH_OFFSET, PO), W(DP_BRUSH_BKGD_CLR, 0x000000ff),
        W(DP_BRUSH_FRGD_CLR, 0x00ff0000), W(BRUSH_DATA0, 0x8142241b),
        W(BRUSH_DATA1, 0x18244281),
        W(DST_Y_X, YX(5, 1)), W(DST_HEIGHT_WIDTH, YX(20, 43)) } },
    { "paint-multi", { P3(0x9a, 7), FILL | ROP(DPX), PO, 0x00ffffff,
                       YX(3, 4), YX(50, 9), YX(20, 8), YX(50, 9) }, 8,
      { W(DP_GUI_MASTER_CNTL, FILL | ROP(DPX)), W(DST_PITCH_OFFSET, PO),
        W(DP_BRUSH_FRGD_CLR, 0x00ffffff),
        W(DST_X_Y, YX(3, 4)), W(DST_WIDTH_HEIGHT, YX(50, 9)),
        W(DST_X_Y, YX(20, 8)), W(DST_WIDTH_HEIGHT, YX(50, 9)) } },
    { "bitblt", { P3(0x92, 6), COPY, PO, PO, YX(30, 40), YX(20, 35), YX(25, 12) },
      7,
      { W(DP_GUI_MASTER_CNTL, COPY), W(SRC_PITCH_OFFSET, PO),
        W(DST_PITCH_OFFSET, PO), W(DP_CNTL, 3),
        W(DST_X_Y, YX(20, 35)), W(SRC_X_Y, YX(30, 40)),
        W(DST_WIDTH_HEIGHT, YX(25, 12)) } },
    /* Three overlapping moves: down-right, up-right, down-left. */
    { "bitblt-multi", { P3(0x9b, 12), COPY, PO, PO,
                        YX(10, 10), YX(14, 13), YX(30, 20),
                        YX(20, 20), YX(27, 11), YX(30, 20),
                        YX(60, 5), YX(52, 9), YX(30, 20) }, 13,
      { W(DP_GUI_MASTER_CNTL, COPY), W(SRC_PITCH_OFFSET, PO),
        W(DST_PITCH_OFFSET, PO), W(DP_CNTL, 0),
        W(DST_X_Y, YX(14 + 29, 13 + 19)), W(SRC_X_Y, YX(10 + 29, 10 + 19)),
        W(DST_WIDTH_HEIGHT, YX(30, 20)),
        W(DP_CNTL, R_DP_CNTL_DST_Y_TOP_TO_BOTTOM_MASK),
        W(DST_X_Y, YX(27 + 29, 11)), W(SRC_X_Y, YX(20 + 29, 20)),
        W(DST_WIDTH_HEIGHT, YX(30, 20)),
        W(DP_CNTL, R_DP_CNTL_DST_X_LEFT_TO_RIGHT_MASK),
        W(DST_X_Y, YX(52, 9 + 19)), W(SRC_X_Y, YX(60, 5 + 19)),
        W(DST_WIDTH_HEIGHT, YX(30, 20)) } },
    { "trans-bitblt", { P3(0x9c, 9), COPY & ~GMC(GMC_CLR_CMP_CNTL_DIS, 1), PO, PO,
                        0x01000004, 0x00ff00ff, 0, YX(60, 40), YX(10, 9),
                        YX(40, 21) }, 10,
      { W(DP_GUI_MASTER_CNTL, COPY & ~GMC(GMC_CLR_CMP_CNTL_DIS, 1)),
        W(SRC_PITCH_OFFSET, PO), W(DST_PITCH_OFFSET, PO),
        W(CLR_CMP_CNTL, 0x01000004), W(CLR_CMP_CLR_SRC, 0x00ff00ff),
        W(CLR_CMP_CLR_DST, 0),
        W(DST_X_Y, YX(10, 9)), W(SRC_X_Y, YX(60, 40)),
        W(DST_WIDTH_HEIGHT, YX(40, 21)) } },
    { "hostdata-blt", { P3(0x94, 17), TEXT, PO, 0x00112233, 0x00445566,
                        YX(3, 4), YX(9, 21), 6, 0x12345678, 0x9abcdef0,
                        0x0f1e2d3c, 0xffff0000, 0x55555555, 0x80000001,
                        YX(40, 5), YX(1, 32), 1, 0xf0f0aa55 }, 18,
      { W(DP_GUI_MASTER_CNTL, TEXT), W(DST_PITCH_OFFSET, PO),
        W(DP_SRC_FRGD_CLR, 0x00112233), W(DP_SRC_BKGD_CLR, 0x00445566),
        W(DST_Y_X, YX(3, 4)), W(DST_HEIGHT_WIDTH, YX(9, 21)),
        W(HOST_DATA0, 0x12345678), W(HOST_DATA1, 0x9abcdef0),
        W(HOST_DATA2, 0x0f1e2d3c), W(HOST_DATA3, 0xffff0000),
        W(HOST_DATA4, 0x55555555), W(HOST_DATA_LAST, 0x80000001),
        W(DST_Y_X, YX(40, 5)), W(DST_HEIGHT_WIDTH, YX(1, 32)),
        W(HOST_DATA_LAST, 0xf0f0aa55) } },
    { "hostdata-blt-colour", { P3(0x94, 13), TEXT | SRC_TYPE(COLOR), PO, 0, 0,
                               YX(3, 4), YX(2, 3), 6, 1, 2, 3, 4, 5, 6 }, 14,
      { W(DP_GUI_MASTER_CNTL, TEXT | SRC_TYPE(COLOR)), W(DST_PITCH_OFFSET, PO),
        W(DP_SRC_FRGD_CLR, 0), W(DP_SRC_BKGD_CLR, 0),
        W(DST_Y_X, YX(3, 4)), W(DST_HEIGHT_WIDTH, YX(2, 3)),
        W(HOST_DATA0, 1), W(HOST_DATA1, 2), W(HOST_DATA2, 3), W(HOST_DATA3, 4),
        W(HOST_DATA4, 5), W(HOST_DATA_LAST, 6) } },
    /* Two glyphs with a space between them; the second one word only. */
    { "smalltext", { P3(0x93, 11), TEXT | SRC_TYPE(MONO_FG_LA), PO, 0x00ffffff,
                     YX(60, 30), 0x08080c02, 0x8142241b, 0x18244281, 0x00000006,
                     0x0507fd09, 0xa5a5a5a5, 0x00000007 }, 12,
      { W(DP_GUI_MASTER_CNTL, TEXT | SRC_TYPE(MONO_FG_LA)),
        W(DST_PITCH_OFFSET, PO), W(DP_SRC_FRGD_CLR, 0x00ffffff),
        W(DST_Y_X, YX(60 - 12, 32)), W(DST_HEIGHT_WIDTH, YX(8, 8)),
        W(HOST_DATA0, 0x8142241b), W(HOST_DATA_LAST, 0x18244281),
        W(DST_Y_X, YX(60 + 3, 32 + 6 + 9)), W(DST_HEIGHT_WIDTH, YX(5, 7)),
        W(HOST_DATA0, 0xa5a5a5a5), W(HOST_DATA_LAST, 0x00000007) } },
    { "nextchar", { P3(0x19, 4), YX(20, 17), YX(8, 8), 0x8142241b, 0x18244281,
                    P3(0x19, 3), YX(20, 26), YX(4, 8), 0xdeadbeef }, 9,
      { W(DST_Y_X, YX(20, 17)), W(DST_HEIGHT_WIDTH, YX(8, 8)),
        W(HOST_DATA0, 0x8142241b), W(HOST_DATA_LAST, 0x18244281),
        W(DST_Y_X, YX(20, 26)), W(DST_HEIGHT_WIDTH, YX(4, 8)),
        W(HOST_DATA_LAST, 0xdeadbeef) } },
    { "polyline", { P3(0x95, 7), LINE | ROP(DPX), PO, 0x00ffff00,
                    YX(5, 5), YX(30, 70), YX(60, 20), YX(5, 5) }, 8,
      { W(DP_GUI_MASTER_CNTL, LINE | ROP(DPX)), W(DST_PITCH_OFFSET, PO),
        W(DP_BRUSH_FRGD_CLR, 0x00ffff00), W(BRUSH_Y_X, 0),
        W(DST_LINE_START, YX(5, 5)), W(DST_LINE_END, YX(30, 70)),
        W(DST_LINE_START, YX(30, 70)), W(DST_LINE_END, YX(60, 20)),
        W(DST_LINE_START, YX(60, 20)), W(DST_LINE_END, YX(5, 5)) } },
    /* Scans of two, no and one span; then the last shape goes on. */
    { "polyscanlines", { P3(0x98, 13), FILL | ROP(P), PO, 0x00aa5500,
                         3, 2, YX(2, 10), YX(20, 5), YX(50, 30), 0, YX(1, 12),
                         1, YX(3, 13), YX(19, 11),
                         P3(0x1d, 3), YX(1, 17), YX(8, 3), YX(60, 40) }, 18,
      { W(DP_GUI_MASTER_CNTL, FILL | ROP(P)), W(DST_PITCH_OFFSET, PO),
        W(DP_BRUSH_FRGD_CLR, 0x00aa5500),
        W(DST_Y_X, YX(10, 5)), W(DST_HEIGHT_WIDTH, YX(2, 15)),
        W(DST_Y_X, YX(10, 30)), W(DST_HEIGHT_WIDTH, YX(2, 20)),
        W(DST_Y_X, YX(13, 11)), W(DST_HEIGHT_WIDTH, YX(3, 8)),
        W(DST_Y_X, YX(17, 3)), W(DST_HEIGHT_WIDTH, YX(1, 5)),
        W(DST_Y_X, YX(17, 40)), W(DST_HEIGHT_WIDTH, YX(1, 20)) } },
    { "set-scissors", { P3(0x1e, 2), YX(10, 12), YX(20, 40),
                        P0(DP_GUI_MASTER_CNTL),
                        FILL | ROP(P) | GMC(GMC_DST_CLIPPING, 1),
                        P0(DST_PITCH_OFFSET), PO, P0(DP_BRUSH_FRGD_CLR), 0x00123456,
                        P3(0x11, 2), YX(0, 0), YX(100, 100) }, 12,
      { W(SC_TOP_LEFT, YX(10, 12)), W(SC_BOTTOM_RIGHT, YX(20, 40)),
        W(DP_GUI_MASTER_CNTL, FILL | ROP(P) | GMC(GMC_DST_CLIPPING, 1)),
        W(DST_PITCH_OFFSET, PO), W(DP_BRUSH_FRGD_CLR, 0x00123456),
        W(DST_Y_X, YX(0, 0)), W(DST_HEIGHT_WIDTH, YX(100, 100)) } },
    /* Four entries, then 8-bit pixels from the host through them. */
    { "load-palette", { P3(0x2c, 5), 0, 0x00111111, 0x00222222, 0x00333333,
                        0x00444444, P3(0x94, 9),
                        TEXT | SRC_TYPE(MONO_FG_LA) | GMC(GMC_SRC_DATATYPE2, 1),
                        PO, 0, 0, YX(3, 4), YX(2, 4), 2, 0x00010203,
                        0x03020100 }, 16,
      { W(SRC_CLUT_ADDRESS, 0), W(SRC_CLUT_DATA, 0x00111111),
        W(SRC_CLUT_DATA, 0x00222222), W(SRC_CLUT_DATA, 0x00333333),
        W(SRC_CLUT_DATA, 0x00444444),
        W(DP_GUI_MASTER_CNTL, TEXT | SRC_TYPE(MONO_FG_LA)
          | GMC(GMC_SRC_DATATYPE2, 1)),
        W(DST_PITCH_OFFSET, PO), W(DP_SRC_FRGD_CLR, 0), W(DP_SRC_BKGD_CLR, 0),
        W(DST_Y_X, YX(3, 4)), W(DST_HEIGHT_WIDTH, YX(2, 4)),
        W(HOST_DATA0, 0x00010203), W(HOST_DATA_LAST, 0x03020100) } },
};

static void set_up(Gui *g)
{
    static const GuiWrite state[] = {
        W(DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff), W(DEFAULT_PITCH_OFFSET, PO),
        W(CLR_CMP_MASK, 0xffffffff), W(DP_WRITE_MASK, 0xffffffff),
        W(DP_SRC_FRGD_CLR, 0x00c0ffee), W(DP_SRC_BKGD_CLR, 0x00000bad),
        W(DP_GUI_MASTER_CNTL, TEXT),
    };

    gui_clear(g);
    gui_noise(g, 3);
    for (unsigned i = 0; i < G_N_ELEMENTS(state); i++) {
        gui_write(g, state[i].offset, state[i].value);
    }
}

#define RING_LOG2 9
#define RING_MODE 4
#define MANY_SLICES 100

static void test_packet(gconstpointer data)
{
    const Packet *p = data;
    const RefImage *image = ref_image("R100_cp.bin");
    g_autoptr(Gui) ring = NULL;
    g_autoptr(Gui) direct = NULL;
    g_autofree char *what = NULL, *before = NULL;

    if (!ref_need(image, "firmware/R100_cp.bin")) {
        return;
    }
    ring = gui_new(true, false);
    direct = gui_new(true, true);
    set_up(ring);
    set_up(direct);
    before = g_memdup2(gui_vram(ring), FAKE_VRAM);
    fake_load(ring->h, image);
    fake_ring_start(ring->h, RING_LOG2, RING_MODE);
    fake_ring(ring->h, p->words, p->n);
    g_assert_true(fake_run(ring->h, MANY_SLICES));
    g_assert_true(rv100_idle(ring->h->chip));
    for (const GuiWrite *w = p->direct; w->offset; w++) {
        gui_write(direct, w->offset, w->value);
    }
    what = gui_difference(direct);
    g_assert_cmpstr(what, ==, NULL);
    g_assert_true(memcmp(before, ring->h->vram, FAKE_VRAM) != 0);
    g_assert_true(!memcmp(direct->h->vram, ring->h->vram, FAKE_VRAM));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(packets); i++) {
        g_autofree char *path = g_strconcat("/gui/packet/", packets[i].name,
                                            NULL);

        g_test_add_data_func(path, &packets[i], test_packet);
    }
    return g_test_run();
}
