/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Truth tables: all 256 raster operations with every brush type and every kind
 * of source in four depths, chip against painter.
 */
#include <string.h>

#include "target.h"

#define FIELD(reg, field, v) \
    ((uint32_t)(v) << R_##reg##_##field##_SHIFT & R_##reg##_##field##_MASK)
#define GMC(field, v) FIELD(DP_GUI_MASTER_CNTL, field, v)
#define TYPE(name) R_DP_GUI_MASTER_CNTL_GMC_DST_DATATYPE_##name
#define SOURCE(name) R_DP_GUI_MASTER_CNTL_DP_SRC_SOURCE_##name
#define SRC_TYPE(name) R_DP_GUI_MASTER_CNTL_GMC_SRC_DATATYPE_##name

/* A cell for each code: 16 x 16 cells of 24 x 5 pixels. */
#define CELL_W 24
#define CELL_H 5
#define DRAW_W 19
#define DRAW_H 4
#define PITCH_UNITS 25              /* 1600 bytes */
#define SRC_KB 512

typedef struct Depth {
    const char *name;
    uint32_t type, bytes;
} Depth;

static const Depth depths[] = {
    { "8bpp", TYPE(8BPP_CI), 1 },
    { "15bpp", TYPE(15BPP), 2 },
    { "16bpp", TYPE(16BPP), 2 },
    { "32bpp", TYPE(32BPP), 4 },
};

typedef struct Kind {
    const char *name;
    uint32_t source, src_type;
} Kind;

static const Kind kinds[] = {
    { "memory", SOURCE(MEMORY), SRC_TYPE(COLOR) },
    { "memory-mono", SOURCE(MEMORY), SRC_TYPE(MONO_FG_BG) },
    { "memory-mono-transparent", SOURCE(MEMORY), SRC_TYPE(MONO_FG_LA) },
    { "host-colour", SOURCE(HOST_DATA), SRC_TYPE(COLOR) },
    { "host-mono", SOURCE(HOST_DATA), SRC_TYPE(MONO_FG_BG) },
    { "host-mono-transparent", SOURCE(HOST_DATA), SRC_TYPE(MONO_FG_LA) },
    { "host-byte-mono", SOURCE(HOST_DATA_BYTE), SRC_TYPE(MONO_FG_BG) },
};

typedef struct Table {
    const Depth *depth;
    const Kind *kind;               /* NULL: lines */
} Table;

static void set_up(Gui *g)
{
    uint32_t po = FIELD(DEFAULT_PITCH_OFFSET, PITCH, PITCH_UNITS);

    gui_clear(g);
    gui_noise(g, 7);
    gui_write(g, A_DEFAULT_PITCH_OFFSET, po);
    gui_write(g, A_SRC_PITCH_OFFSET,
              po | FIELD(SRC_PITCH_OFFSET, OFFSET, SRC_KB));
    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff);
    gui_write(g, A_BRUSH_Y_X, 0x0503);
    for (uint32_t i = 0; i < REF_BRUSH_WORDS; i++) {
        gui_write(g, A_BRUSH_DATA0 + 4 * i, (i + 1) * 0x9e3779b9u);
    }
    gui_write(g, A_DP_BRUSH_FRGD_CLR, 0xf0f0a5f0);
    gui_write(g, A_DP_BRUSH_BKGD_CLR, 0x0f33cc5a);
    gui_write(g, A_DP_SRC_FRGD_CLR, 0xcccc3355);
    gui_write(g, A_DP_SRC_BKGD_CLR, 0x33aa0ff0);
}

static uint32_t gmc(const Depth *d, uint32_t brush, uint32_t rop)
{
    return GMC(GMC_SRC_PITCH_OFFSET_CNTL, 1) | GMC(GMC_DST_DATATYPE, d->type)
        | GMC(GMC_BRUSH_DATATYPE, brush) | GMC(GMC_ROP3, rop)
        | GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1);
}

static void host_words(Gui *g, const Table *t)
{
    uint32_t bits = t->kind->src_type == SRC_TYPE(COLOR) ? 8 * t->depth->bytes : 1;
    uint32_t row = t->kind->source == SOURCE(HOST_DATA_BYTE)
        ? (DRAW_W * bits + 7) / 8 * 8 : DRAW_W * bits;
    uint32_t n = (row * DRAW_H + 31) / 32;

    for (uint32_t i = 0; i < n; i++) {
        gui_write(g, i + 1 == n ? A_HOST_DATA_LAST : A_HOST_DATA0,
                  (i + 3) * 0x85ebca6bu);
    }
}

static void rectangle(Gui *g, const Table *t, uint32_t brush, uint32_t rop)
{
    uint32_t x = rop % 16 * CELL_W, y = rop / 16 * CELL_H;

    gui_write(g, A_DP_GUI_MASTER_CNTL, gmc(t->depth, brush, rop)
              | GMC(GMC_SRC_DATATYPE, t->kind->src_type)
              | GMC(DP_SRC_SOURCE, t->kind->source)
              | GMC(GMC_BYTE_PIX_ORDER, brush));
    gui_write(g, A_SRC_Y_X, y << 16 | (x + 1));
    gui_write(g, A_DST_Y_X, y << 16 | x);
    gui_write(g, A_DST_HEIGHT_WIDTH, DRAW_H << 16 | DRAW_W);
    if (t->kind->source != SOURCE(MEMORY)) {
        host_words(g, t);
    }
}

/* Lines have no source: the codes of P and D only. */
static void one_line(Gui *g, const Table *t, uint32_t brush, uint32_t rop)
{
    uint32_t x = rop % 16 * CELL_W, y = rop / 16 * CELL_H;

    if (((rop >> 2 ^ rop) & 0x33) != 0) {
        return;
    }
    gui_write(g, A_DP_GUI_MASTER_CNTL, gmc(t->depth, brush, rop)
              | GMC(GMC_SRC_DATATYPE, 3) | GMC(DP_SRC_SOURCE, SOURCE(MEMORY)));
    gui_write(g, A_DST_LINE_START, y << 16 | x);
    gui_write(g, A_DST_LINE_PATCOUNT, rop % 32);
    gui_write(g, A_DST_LINE_END, (y + DRAW_H) << 16 | (x + DRAW_W));
}

/* Which code the first difference belongs to. */
static void report(Gui *g, const Table *t, uint32_t brush)
{
    g_autofree char *what = gui_difference(g);
    uint32_t at = 0, x, y;

    if (!what) {
        return;
    }
    while (at < FAKE_VRAM && g->h->vram[at] == g->p->vram[at]) {
        at++;
    }
    x = at % (PITCH_UNITS * 64) / t->depth->bytes;
    y = at / (PITCH_UNITS * 64);
    g_test_message("brush type %u: %s (code 0x%02x, pixel %u,%u of its cell)",
                   brush, what, y / CELL_H * 16 + x / CELL_W, x % CELL_W,
                   y % CELL_H);
    g_test_fail();
}

static void test_table(gconstpointer data)
{
    const Table *t = data;
    g_autoptr(Gui) g = gui_new(true, true);

    for (uint32_t brush = 0; brush < 16; brush++) {
        set_up(g);
        for (uint32_t rop = 0; rop < 256; rop++) {
            if (t->kind) {
                rectangle(g, t, brush, rop);
            } else {
                one_line(g, t, brush, rop);
            }
        }
        report(g, t, brush);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned d = 0; d < G_N_ELEMENTS(depths); d++) {
        for (unsigned k = 0; k <= G_N_ELEMENTS(kinds); k++) {
            const Kind *kind = k < G_N_ELEMENTS(kinds) ? &kinds[k] : NULL;
            Table *t = g_new0(Table, 1);
            g_autofree char *path = g_strdup_printf("/gui/truth/%s/%s",
                depths[d].name, kind ? kind->name : "line");

            *t = (Table) { &depths[d], kind };
            g_test_add_data_func_full(path, t, test_table, g_free);
        }
    }
    return g_test_run();
}
