/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines from DST_LINE_START to DST_LINE_END, the end point not drawn [linux].
 * The direction is that of the end points, DP_CNTL is not consulted [linux].
 */
#include "internal.h"

#define COST_PIXEL 4

/* Brush pixel of the n-th pixel of the line. 32x1 brushes run along it from the
 * phase of DST_LINE_PATCOUNT, others lie on the screen as for rectangles
 * [inferred]. The phase is not changed by drawing [inferred]. */
static uint32_t line_brush(Rv100 *s, const GuiDraw *d, int32_t x, int32_t y,
                           uint32_t n, bool *leave)
{
    unsigned type = d->brush_type;

    if (type == R_DP_DATATYPE_DP_BRUSH_DATATYPE_32X1_MONO_FG_BG
        || type == R_DP_DATATYPE_DP_BRUSH_DATATYPE_32X1_MONO_FG_LA) {
        n += RV100_GET(s->regs[R_DST_LINE_PATCOUNT], DST_LINE_PATCOUNT,
                       PATTERN_PHASE);
        return rv100_gui_brush_at(s, d, n & 31, 0, leave);
    }
    return rv100_gui_brush_at(s, d, ((uint32_t)x + d->brush_x) & 31,
                              ((uint32_t)y + d->brush_y) & (d->brush_rows - 1),
                              leave);
}

typedef struct Line {
    int32_t x, y;               /* next pixel */
    int32_t major_x, major_y;   /* every step */
    int32_t minor_x, minor_y;   /* and this, when the error says so */
    int32_t error, plus, minus;
    int32_t tie;                /* the error at which it is time */
    uint32_t length;            /* steps along the major axis: pixels drawn */
    uint32_t minor_length;
} Line;

static Line make_line(Rv100 *s)
{
    uint32_t a = s->regs[R_DST_LINE_START], b = s->regs[R_DST_LINE_END];
    Line l = {
        .x = rv100_gui_coordinate(RV100_GET(a, DST_LINE_START, X)),
        .y = rv100_gui_coordinate(RV100_GET(a, DST_LINE_START, Y)),
    };
    int32_t dx = rv100_gui_coordinate(RV100_GET(b, DST_LINE_END, X)) - l.x;
    int32_t dy = rv100_gui_coordinate(RV100_GET(b, DST_LINE_END, Y)) - l.y;
    int32_t sx = dx < 0 ? -1 : 1, sy = dy < 0 ? -1 : 1;
    int32_t major = MAX(ABS(dx), ABS(dy)), minor = MIN(ABS(dx), ABS(dy));

    if (ABS(dx) >= ABS(dy)) {
        l.major_x = sx;
        l.minor_y = sy;
    } else {
        l.major_y = sy;
        l.minor_x = sx;
    }
    l.length = major;
    l.minor_length = minor;
    l.error = 2 * minor - major;
    l.plus = 2 * minor;
    l.minus = 2 * major;
    /* On a tie only lines with y decreasing step [linux]. */
    l.tie = dy < 0 ? 0 : 1;
    return l;
}

static void step(Line *l)
{
    l->x += l->major_x;
    l->y += l->major_y;
    if (l->error >= l->tie) {
        l->x += l->minor_x;
        l->y += l->minor_y;
        l->error -= l->minus;
    }
    l->error += l->plus;
}

/* --- one pixel --- */

static void put(uint8_t *p, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        p[i] = value >> 8 * i;
    }
}

static bool suppressed(const GuiDraw *d, const uint8_t *dst)
{
    uint32_t differ = 0;

    for (unsigned i = 0; i < d->bytes; i++) {
        differ |= (dst[i] ^ d->key_dst >> 8 * i) & (d->key_mask >> 8 * i) & 0xff;
    }
    return d->cmp_dst == GUI_CMP_EQUAL ? !differ
        : d->cmp_dst == GUI_CMP_DIFFERENT && differ;
}

/* There is no source: it is 0, and not compared [inferred]. */
static void draw_pixel(const GuiDraw *d, uint8_t *dst, uint32_t brush)
{
    static const uint8_t no_source[4];
    uint8_t p[4], out[4], mask[4];

    if (!suppressed(d, dst)) {
        put(p, brush, d->bytes);
        put(mask, d->write_mask, d->bytes);
        rv100_gui_rop[d->rop](out, dst, no_source, p, d->bytes);
        rv100_gui_merge(dst, out, mask, d->bytes);
    }
}

static void draw_pixel_anywhere(Rv100 *s, const GuiDraw *d, int32_t x, int32_t y,
                                uint32_t brush)
{
    uint8_t pixel[4];
    GuiOp at;

    rv100_gui_area(s, d, x, y, 1, 1, &at);
    rv100_gui_transfer(s, false, at.dst, pixel, d->bytes, d->dst_swap);
    draw_pixel(d, pixel, brush);
    rv100_gui_transfer(s, true, at.dst, pixel, d->bytes, d->dst_swap);
}

/* The part of the line's bounding box inside the scissor. */
static bool seen_area(Rv100 *s, const GuiDraw *d, const Line *l, GuiOp *area)
{
    int32_t dx = l->major_x ? l->length : l->minor_length;
    int32_t dy = l->major_y ? l->length : l->minor_length;
    int32_t left = MAX(MIN(l->x, l->x + dx * (l->major_x + l->minor_x)), d->left);
    int32_t top = MAX(MIN(l->y, l->y + dy * (l->major_y + l->minor_y)), d->top);
    int32_t right = MIN(MAX(l->x, l->x + dx * (l->major_x + l->minor_x)) + 1,
                        d->right);
    int32_t bottom = MIN(MAX(l->y, l->y + dy * (l->major_y + l->minor_y)) + 1,
                         d->bottom);

    if (d->path == GUI_NOTHING || left >= right || top >= bottom) {
        return false;
    }
    rv100_gui_area(s, d, left, top, right - left, bottom - top, area);
    return true;
}

void rv100_gui_line(Rv100 *s, const GuiDraw *d)
{
    Line l = make_line(s);
    uint64_t begin = s->work;
    GuiOp area;

    if (!seen_area(s, d, &l, &area)) {
        return;
    }
    s->work += COST_PIXEL * (1 + l.length);
    for (uint32_t n = 0; n < l.length; n++, step(&l)) {
        int32_t column = l.x - area.x, row = l.y - area.y;
        bool leave;
        uint32_t brush;

        if (column < 0 || row < 0 || column >= (int32_t)area.w
            || row >= (int32_t)area.h) {
            continue;
        }
        brush = line_brush(s, d, l.x, l.y, n, &leave);
        if (leave) {
            continue;
        }
        if (area.dst_mem) {
            draw_pixel(d, area.dst_mem + (ptrdiff_t)row * area.dst_step
                       + ((ptrdiff_t)column << d->shift), brush);
        } else if (rv100_gui_exhausted(s, begin)) {
            break;
        } else {
            draw_pixel_anywhere(s, d, l.x, l.y, brush);
        }
    }
    rv100_gui_painted(s, &area);
}
