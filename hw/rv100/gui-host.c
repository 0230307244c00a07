/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Host data: pixels that come through HOST_DATA.
 *
 * Eight dwords form a ring; four at a time are drawn, the rest with
 * HOST_DATA_LAST. A rectangle that is not complete then goes on with what the
 * ring held before [hw]. Data are one stream of pixels over all rows [hw].
 */
#include <string.h>

#include "internal.h"

#define COST_GROUP 24

void rv100_gui_host_start(Rv100 *s, const GuiDraw *d)
{
    Rv100Gui *g = &s->gui;

    /* Data of a rectangle before this one are abandoned [inferred]; the ring
     * keeps its contents [hw]. */
    g->x = s->regs[R_DST_X];
    g->y = s->regs[R_DST_Y];
    g->w = s->regs[R_DST_WIDTH];
    g->h = s->regs[R_DST_HEIGHT];
    g->col = g->row = 0;
    g->slot = g->pending = 0;
    g->host = g->w && g->h;
}

static uint32_t reverse_bits_in_bytes(uint32_t v)
{
    v = (v & 0x0f0f0f0f) << 4 | (v >> 4 & 0x0f0f0f0f);
    v = (v & 0x33333333) << 2 | (v >> 2 & 0x33333333);
    return (v & 0x55555555) << 1 | (v >> 1 & 0x55555555);
}

/* Rows that up to n pixels from the present one on touch, inside the scissor,
 * as one area; false when nothing of it can be seen. */
static bool touched(Rv100 *s, const GuiDraw *d, uint32_t n, GuiOp *op)
{
    const Rv100Gui *g = &s->gui;
    int32_t rows = MIN((g->col + n - 1) / g->w + 1, (uint32_t)(g->h - g->row));
    int32_t left = rv100_gui_coordinate(g->x), right = left + g->w;
    int32_t top = rv100_gui_coordinate(g->y), bottom;

    if (d->rtl) {
        right = left + 1;
        left = right - g->w;
    }
    top = d->btt ? top - g->row - rows + 1 : top + g->row;
    bottom = MIN(top + rows, d->bottom);
    top = MAX(top, d->top);
    left = MAX(left, d->left);
    right = MIN(right, d->right);
    if (d->path == GUI_NOTHING || left >= right || top >= bottom) {
        return false;
    }
    rv100_gui_area(s, d, left, top, right - left, bottom - top, op);
    return true;
}

/* n pixels at x in row y of the area, those of them that are in it. */
static void draw_span(Rv100 *s, const GuiDraw *d, const GuiOp *area, int32_t x,
                      int32_t y, int32_t n, const uint8_t *src, unsigned bit)
{
    int32_t from = MAX(x, area->x);
    int32_t to = MIN(x + n, area->x + (int32_t)area->w);

    if (from < to && y >= area->y && y - area->y < (int32_t)area->h) {
        bit += (from - x) * rv100_gui_source_bits(d->source, d->shift);
        rv100_gui_paint_from(s, d, area, from, y, to - from, src + bit / 8,
                             bit % 8);
    }
}

/* The next n pixels, all of one row. */
static void draw_pixels(Rv100 *s, const GuiDraw *d, const GuiOp *area,
                        const uint8_t *src, unsigned bit, uint32_t n)
{
    const Rv100Gui *g = &s->gui;
    int32_t x = rv100_gui_coordinate(g->x), y = rv100_gui_coordinate(g->y);

    y = d->btt ? y - g->row : y + g->row;
    if (!d->rtl) {
        draw_span(s, d, area, x + g->col, y, n, src, bit);
        return;
    }
    /* Undefined on hardware [hw]; here the mirror image. */
    for (uint32_t i = 0; i < n; i++) {
        draw_span(s, d, area, x - g->col - (int32_t)i, y, 1, src, bit);
        bit += rv100_gui_source_bits(d->source, d->shift);
    }
}

/* Go on by n pixels, of one row or of whole rows; true at the end of a row. */
static bool advance(Rv100Gui *g, unsigned n)
{
    g->col += n;
    if (g->col < g->w) {
        return false;
    }
    g->row += g->col / g->w;
    g->col = 0;
    g->host = g->row < g->h;
    return true;
}

/* Whole rows of two colours, which is what text is: all that the data hold at
 * once. Returns the bits that they took. */
static unsigned draw_rows(const GuiDraw *d, const GuiOp *area, const uint8_t *data,
                          unsigned at, unsigned end, const Rv100Gui *g)
{
    unsigned n = MIN((end - at) / g->w, (unsigned)(g->h - g->row));
    int32_t x = rv100_gui_coordinate(g->x);
    int32_t first = rv100_gui_coordinate(g->y), last, y;
    unsigned skip;
    GuiMonoRows m = { .bits = data, .step = g->w, .w = area->w,
                      .stride = area->dst_step, .fg = d->src_fg, .bg = d->src_bg };

    /* Rows first .. last of the screen, of which the area has some. */
    first = d->btt ? first - g->row : first + g->row;
    last = d->btt ? first - (int32_t)n + 1 : first + (int32_t)n - 1;
    if (d->btt) {
        y = MIN(first, area->y + (int32_t)area->h - 1);
        m.rows = MAX(y - MAX(last, area->y) + 1, 0);
        m.stride = -m.stride;
    } else {
        y = MAX(first, area->y);
        m.rows = MAX(MIN(last, area->y + (int32_t)area->h - 1) - y + 1, 0);
    }
    skip = ABS(y - first) * g->w + (area->x - x);
    m.bit = at + skip;
    m.out = area->dst_mem + (ptrdiff_t)(y - area->y) * area->dst_step;
    rv100_gui_mono_rows(&m, d->shift, d->path == GUI_EXPAND_LA);
    return n * g->w;
}

/* Draw the pixels that n dwords of the ring from `slot` on cover. */
static void draw_dwords(Rv100 *s, const GuiDraw *d, unsigned slot, unsigned n)
{
    Rv100Gui *g = &s->gui;
    unsigned bits = rv100_gui_source_bits(d->source, d->shift), end = 32 * n;
    bool reverse = bits == 1 && d->msb_first;
    uint32_t data[GUI_RING + 2] = { 0 };
    GuiOp area;
    bool seen = touched(s, d, end / bits, &area);
    bool simple = seen && area.dst_mem && !d->rtl && !d->host_bytes
        && (d->path == GUI_EXPAND || d->path == GUI_EXPAND_LA);

    for (unsigned i = 0; i < n; i++) {
        uint32_t v = g->ring[(slot + i) % GUI_RING];

        data[i] = GUINT32_TO_LE(reverse ? reverse_bits_in_bytes(v) : v);
    }
    s->work += COST_GROUP;
    for (unsigned at = 0, count; at + bits <= end && g->host; ) {
        if (simple && !g->col && end - at >= g->w) {
            count = draw_rows(d, &area, (const uint8_t *)data, at, end, g);
        } else {
            count = MIN((end - at) / bits, (uint32_t)(g->w - g->col));
            if (seen) {
                draw_pixels(s, d, &area, (const uint8_t *)data, at, count);
            }
        }
        at += count * bits;
        if (advance(g, count) && d->host_bytes) {
            at = (at + 7) & ~7u;
        }
    }
    if (seen) {
        rv100_gui_painted(s, &area);
    }
}

/* HOST_DATA_LAST before the rectangle is complete: the ring goes round. */
static void repeat_ring(Rv100 *s, const GuiDraw *d)
{
    Rv100Gui *g = &s->gui;
    uint64_t begin = s->work;

    while (g->host && !rv100_gui_exhausted(s, begin)) {
        draw_dwords(s, d, g->slot, GUI_RING);
    }
    g->host = 0;
}

void rv100_gui_host_data(Rv100 *s, uint32_t value, bool last)
{
    Rv100Gui *g = &s->gui;
    const GuiDraw *d;

    if (!g->host) {
        return;                 /* outside of a rectangle: dropped [hw] */
    }
    g->ring[g->slot] = rv100_swap(value, RV100_GET(s->regs[R_RBBM_GUICNTL], RBBM_GUICNTL,
                                                   HOST_DATA_SWAP));
    g->slot = (g->slot + 1) % GUI_RING;
    g->pending++;
    if (g->pending < GUI_GROUP && !last) {
        return;
    }
    d = rv100_gui_draw(s);
    draw_dwords(s, d, g->slot - g->pending, g->pending);
    g->pending = 0;
    if (last) {
        repeat_ring(s, d);
    }
}
