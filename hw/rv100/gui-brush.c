/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brushes. Column (x + BRUSH_X), row (y + BRUSH_Y) of absolute destination
 * coordinates [linux: the X driver passes the negated origin]. Bit 0 is the
 * leftmost pixel on this chip whatever BYTE_PIX_ORDER says [linux].
 */
#include <string.h>

#include "internal.h"

typedef enum Kind {
    SOLID,
    MONO,
    COLOUR,
} Kind;

#define TYPE(name) R_DP_DATATYPE_DP_BRUSH_DATATYPE_##name

/* Sizes of the types that drivers do not use on this chip are those of the
 * Rage 128 [inferred]. */
static const struct {
    uint8_t kind, width, rows;
    bool leave;                 /* a clear bit leaves the pixel alone */
} types[16] = {
    [TYPE(8X8_MONO_FG_BG)] = { MONO, 8, 8, false },
    [TYPE(8X8_MONO_FG_LA)] = { MONO, 8, 8, true },
    [TYPE(8X1_MONO_FG_BG)] = { MONO, 8, 1, false },
    [TYPE(8X1_MONO_FG_LA)] = { MONO, 8, 1, true },
    [TYPE(1X8_MONO_FG_BG)] = { MONO, 1, 8, false },
    [TYPE(1X8_MONO_FG_LA)] = { MONO, 1, 8, true },
    [TYPE(32X1_MONO_FG_BG)] = { MONO, 32, 1, false },
    [TYPE(32X1_MONO_FG_LA)] = { MONO, 32, 1, true },
    [TYPE(32X32_MONO_FG_BG)] = { MONO, 32, 32, false },
    [TYPE(32X32_MONO_FG_LA)] = { MONO, 32, 32, true },
    [TYPE(8X8_COLOR)] = { COLOUR, 8, 8, false },
    [TYPE(8X1_COLOR)] = { COLOUR, 8, 1, false },
    [TYPE(1X8_COLOR)] = { COLOUR, 1, 8, false },
    [TYPE(SOLID_COLOR)] = { SOLID, 1, 1, false },
    [TYPE(SOLID_LINE)] = { SOLID, 1, 1, false },
    [TYPE(NONE)] = { SOLID, 1, 1, false },      /* as 13 [linux] */
};

bool rv100_gui_brush_solid(unsigned type)
{
    return types[type].kind == SOLID;
}

bool rv100_gui_brush_leaves(unsigned type)
{
    return types[type].leave;
}

unsigned rv100_gui_brush_rows(unsigned type)
{
    return types[type].rows;
}

/* 32 columns of a row of a mono brush. */
static uint32_t mono_word(Rv100 *s, unsigned type, unsigned row)
{
    const uint32_t *data = &s->regs[R_BRUSH_DATA0];
    unsigned width = types[type].width;

    if (width == 32) {
        return data[row];
    }
    if (width == 8) {
        return (data[row / 4] >> row % 4 * 8 & 0xff) * 0x01010101u;
    }
    return data[0] >> row & 1 ? ~0u : 0;
}

/* Pixels are packed from BRUSH_DATA0 on, row by row [inferred]. */
static uint32_t colour_pixel(Rv100 *s, const GuiDraw *d, unsigned column,
                             unsigned row)
{
    unsigned width = types[d->brush_type].width;
    unsigned bit = (row * width + column % width) * (8u << d->shift);

    return s->regs[R_BRUSH_DATA0 + bit / 32] >> bit % 32;
}

uint32_t rv100_gui_brush_at(Rv100 *s, const GuiDraw *d, unsigned column,
                            unsigned row, bool *leave)
{
    unsigned type = d->brush_type;
    uint32_t colour = s->regs[R_DP_BRUSH_FRGD_CLR];

    *leave = false;
    if (types[type].kind == COLOUR) {
        return colour_pixel(s, d, column, row);
    }
    if (types[type].kind == MONO && !(mono_word(s, type, row) >> column & 1)) {
        *leave = types[type].leave;
        colour = s->regs[R_DP_BRUSH_BKGD_CLR];
    }
    return colour;
}

static void mono_row(Rv100 *s, GuiDraw *d, unsigned row)
{
    uint32_t bits[GUI_BRUSH_BYTES / 32 + 1];
    uint32_t word = GUINT32_TO_LE(mono_word(s, d->brush_type, row));

    for (unsigned i = 0; i < G_N_ELEMENTS(bits); i++) {
        bits[i] = word;
    }
    rv100_gui_mono(d->brush[row], (const uint8_t *)bits, 0,
                   GUI_BRUSH_BYTES >> d->shift, d->shift, d->brush_fg,
                   d->brush_bg);
    if (d->brush_la) {
        rv100_gui_mono(d->brush_mask[row], (const uint8_t *)bits, 0,
                       GUI_BRUSH_BYTES >> d->shift, d->shift, ~0u, 0);
    }
}

static void colour_row(Rv100 *s, GuiDraw *d, unsigned row)
{
    uint8_t *out = d->brush[row];
    unsigned bytes = 8u << d->shift;

    for (unsigned i = 0; i < 8; i++) {
        rv100_gui_fill(out + (i << d->shift), d->bytes,
                       colour_pixel(s, d, i, row));
    }
    for (unsigned at = bytes; at < GUI_BRUSH_BYTES; at += bytes) {
        memcpy(out + at, out, MIN(bytes, GUI_BRUSH_BYTES - at));
    }
}

void rv100_gui_brush(Rv100 *s, GuiDraw *d)
{
    unsigned kind = types[d->brush_type].kind;

    for (unsigned row = 0; row < d->brush_rows; row++) {
        if (kind == SOLID) {
            rv100_gui_fill(d->brush[row], GUI_BRUSH_BYTES, d->brush_fg);
        } else if (kind == MONO) {
            mono_row(s, d, row);
        } else {
            colour_row(s, d, row);
        }
    }
    d->brush_valid = true;
}
