/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware cursor: 64 x 64, monochrome (AND and XOR planes, two colours) or
 * premultiplied ARGB.
 *
 * The position register never is negative: at the left and upper edge a driver
 * gives the first column and row of the picture to be shown in
 * CUR_HORZ_VERT_OFF, and moves CUR_OFFSET down by the rows it skips [linux].
 * CUR_LOCK, in any of the three, holds them back until all are written [linux].
 */
#include <string.h>

#include "internal.h"

#define SIZE RV100_CURSOR_SIZE
#define MODE_MONO 0
#define MODE_ARGB 2                 /* [linux] */
#define MONO_ROW 16                 /* bytes: 64 AND bits, 64 XOR bits */
#define ARGB_ROW 256

typedef struct Cursor {
    bool on;
    uint8_t mode;
    uint32_t x, y;                  /* where its first shown pixel is */
    uint32_t skip_x, skip_y;        /* columns and rows not shown */
    uint32_t offset;                /* of the first shown row in VRAM */
    uint32_t clr0, clr1;
} Cursor;

static Cursor decode(Rv100 *s, unsigned head)
{
    const Rv100HeadRegs *h = &rv100_head_regs[head];
    uint32_t gen = s->regs[h->gen_cntl];
    uint32_t posn = s->head[head].cur_posn, off = s->head[head].cur_off;
    uint32_t start = RV100_GET(s->regs[R_MC_FB_LOCATION], MC_FB_LOCATION,
                               MC_FB_START) << 16;
    Cursor c = {
        .on = RV100_GET(gen, CRTC_GEN_CNTL, CRTC_CUR_EN),
        .mode = RV100_GET(gen, CRTC_GEN_CNTL, CRTC_CUR_MODE),
        .x = RV100_GET(posn, CUR_HORZ_VERT_POSN, CUR_HORZ_POSN),
        .y = RV100_GET(posn, CUR_HORZ_VERT_POSN, CUR_VERT_POSN),
        .skip_x = RV100_GET(off, CUR_HORZ_VERT_OFF, CUR_HORZ_OFF),
        .skip_y = RV100_GET(off, CUR_HORZ_VERT_OFF, CUR_VERT_OFF),
        .clr0 = s->regs[h->cur_clr0] & 0xffffff,
        .clr1 = s->regs[h->cur_clr1] & 0xffffff,
    };

    c.offset = (s->regs[h->base] + RV100_GET(s->head[head].cur_offset, CUR_OFFSET,
                                             CUR_OFFSET) - start) & s->vram_mask;
    if (c.on && c.mode != MODE_MONO && c.mode != MODE_ARGB) {
        rv100_unimp(s, 4 * h->cur_offset, "cursor mode %u is not emulated", c.mode);
        c.on = false;
    }
    return c;
}

/* Row `row` of the shown part: false beyond the VRAM. */
static const uint8_t *row_data(Rv100 *s, const Cursor *c, uint32_t row)
{
    uint32_t bytes = c->mode == MODE_MONO ? MONO_ROW : ARGB_ROW;
    uint64_t at = c->offset + (uint64_t)bytes * row;

    return at + bytes <= s->vram_size ? s->vram + at : NULL;
}

/* The lock is one, with a bit in each of the registers: the last write counts. */
static void write_place(Rv100 *s, uint32_t offset, uint32_t value)
{
    unsigned n = offset >= A_CUR2_OFFSET;

    if (!(value & R_CUR_OFFSET_CUR_LOCK_MASK)) {
        s->head[n].cur_offset = s->regs[rv100_head_regs[n].cur_offset];
        s->head[n].cur_posn = s->regs[rv100_head_regs[n].cur_posn];
        s->head[n].cur_off = s->regs[rv100_head_regs[n].cur_off];
    }
}

const Rv100Hook rv100_cursor_hooks[] = {
    { A_CUR_OFFSET, 3, .write = write_place },
    { A_CUR2_OFFSET, 3, .write = write_place },
    { 0 }
};

void rv100_cursor_state(Rv100 *s, unsigned head, uint32_t state[RV100_CURSOR_STATE])
{
    const Rv100HeadRegs *h = &rv100_head_regs[head];

    state[0] = s->head[head].cur_offset;
    state[1] = s->head[head].cur_posn;
    state[2] = s->head[head].cur_off;
    state[3] = s->regs[h->cur_clr0];
    state[4] = s->regs[h->cur_clr1];
}

typedef enum MonoPixel {
    MONO_CLR0, MONO_CLR1, MONO_CLEAR, MONO_INVERT       /* AND, XOR as 2 bits */
} MonoPixel;

static MonoPixel mono_pixel(const uint8_t *data, uint32_t column)
{
    unsigned bit = 7 - column % 8;

    return (data[column / 8] >> bit & 1) << 1
        | (data[MONO_ROW / 2 + column / 8] >> bit & 1);
}

static uint32_t mix(uint32_t under, uint32_t argb)
{
    uint32_t left = 255 - (argb >> 24), out = 0;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        uint32_t v = (argb >> shift & 0xff)
            + ((under >> shift & 0xff) * left + 127) / 255;

        out |= MIN(v, 255u) << shift;
    }
    return out;
}

static uint32_t argb_pixel(const uint8_t *data, uint32_t column)
{
    const uint8_t *p = data + 4 * column;

    return (uint32_t)p[3] << 24 | p[2] << 16 | p[1] << 8 | p[0];
}

static uint32_t draw(const Cursor *c, const uint8_t *data, uint32_t column,
                     uint32_t under)
{
    if (c->mode == MODE_ARGB) {
        return mix(under, argb_pixel(data, column));
    }
    switch (mono_pixel(data, column)) {
    case MONO_CLR0:
        return c->clr0;
    case MONO_CLR1:
        return c->clr1;
    case MONO_INVERT:
        return under ^ 0xffffff;
    default:
        return under;
    }
}

bool rv100_cursor_lines(Rv100 *s, unsigned head, const Rv100DisplayMode *m,
                        uint32_t *first, uint32_t *lines)
{
    Cursor c = decode(s, head);
    uint32_t rows = SIZE - MIN(c.skip_y, SIZE);

    if (!m->cursor || !c.on || c.y >= m->height || !rows) {
        return false;
    }
    *first = c.y;
    *lines = MIN(rows, m->height - c.y);
    return true;
}

void rv100_cursor_row(Rv100 *s, unsigned head, const Rv100DisplayMode *m,
                      uint32_t line, uint32_t *row)
{
    Cursor c = decode(s, head);
    const uint8_t *data;

    if (!c.on || line < c.y || line - c.y >= SIZE - MIN(c.skip_y, SIZE)) {
        return;
    }
    data = row_data(s, &c, line - c.y);
    if (!data) {
        return;
    }
    for (uint32_t i = c.skip_x, x = c.x; i < SIZE && x < m->width; i++, x++) {
        row[x] = draw(&c, data, i, row[x]);
    }
}

/* Opaque picture of a mono pixel, for a host that cannot invert. */
static uint32_t mono_argb(const Cursor *c, MonoPixel p)
{
    const uint32_t argb[] = {
        [MONO_CLR0] = 0xff000000 | c->clr0,
        [MONO_CLR1] = 0xff000000 | c->clr1,
        [MONO_CLEAR] = 0,
        [MONO_INVERT] = 0xffffffff,
    };

    return argb[p];
}

bool rv100_cursor_image(Rv100 *s, unsigned head, uint32_t *argb, int *x, int *y)
{
    Cursor c = decode(s, head);

    memset(argb, 0, 4 * SIZE * SIZE);
    *x = (int)c.x - (int)c.skip_x;
    *y = (int)c.y - (int)c.skip_y;
    for (uint32_t row = c.skip_y; c.on && row < SIZE; row++) {
        const uint8_t *data = row_data(s, &c, row - c.skip_y);

        for (uint32_t i = c.skip_x; data && i < SIZE; i++) {
            argb[row * SIZE + i] = c.mode == MODE_ARGB ? argb_pixel(data, i)
                : mono_argb(&c, mono_pixel(data, i));
        }
    }
    return c.on;
}
