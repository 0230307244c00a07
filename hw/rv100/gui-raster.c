/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Painting: rows of an operation, one after the other.
 *
 * The engine takes pixels in the programmed order and a copy inside one surface
 * reads what it has written [hw]. Rows whose source and destination do not
 * overlap are painted at once; others in pieces that keep that order. Memory
 * outside of VRAM is painted through a buffer.
 */
#include <string.h>

#include "internal.h"

#define PIECE 4096u             /* most bytes of a piece that needs buffers */
#define NEAR_PIECE 2048u        /* ... in VRAM: buffers stay in the cache */
#define SLACK 16u               /* vectors run over the end */

/* Costs in engine units (an instruction, about 2 ns): bytes that a unit pays for,
 * by measurement on memory outside of the caches. */
#define FILL_BYTES 32
#define COPY_BYTES 16
#define ROP_BYTES 16
#define MASK_BYTES 48           /* and for each mask */
#define PALETTE_PIXELS 6        /* pixels */
#define BUS_BYTES 16
#define COST_OPERATION 16
#define COST_TRANSFER 250       /* one access to the bus */
#define COST_VRAM 20            /* ... to VRAM, through a buffer */
#define COST_PIECE 40           /* one piece that cannot be longer */
#define COST_STEP 4             /* the same without buffers */

typedef uint64_t Vector __attribute__((vector_size(16), aligned(1), may_alias));

/* One row: where it is, and its memory if that is VRAM without a wrap. */
typedef struct Row {
    int32_t x, y;
    uint32_t w;
    uint32_t dst, src;          /* card addresses */
    uint8_t *dst_mem;
    const uint8_t *src_mem;
    unsigned src_bit;
} Row;

/* --- which pixels of a piece are written, as a mask of bits --- */

static void and_mask(uint8_t *mask, const uint8_t *with, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(Vector)) {
        *(Vector *)(mask + i) &= *(const Vector *)(with + i);
    }
}

static void and_brush(uint8_t *mask, const uint8_t *brush, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(Vector)) {
        *(Vector *)(mask + i) &= *(const Vector *)(brush + i % GUI_PERIOD);
    }
}

#define COMPARE(T) do { \
        typedef T Lanes_ __attribute__((vector_size(16), aligned(1), \
                                        may_alias)); \
        const Lanes_ none_ = { 0 }; \
        for (size_t i = 0; i < n; i += sizeof(Lanes_)) { \
            const Lanes_ *from_ = (const Lanes_ *)(i < whole ? from + i : rest); \
            Lanes_ x_ = (*from_ ^ (T)key) & (T)bits; \
            *(Lanes_ *)(mask + i) &= (Lanes_)(x_ == none_) ^ (T)flip; \
        } \
    } while (0)

/* Clear the mask where a comparison suppresses the write. */
static void and_compare(uint8_t *mask, const uint8_t *from, size_t n,
                        const GuiDraw *d, unsigned compare, uint32_t key)
{
    size_t whole = n & ~(size_t)(SLACK - 1);
    uint8_t rest[SLACK] = { 0 };        /* nothing is read behind the pixels */
    uint32_t bits = GUINT32_TO_LE(d->key_mask);
    uint32_t flip = compare == GUI_CMP_EQUAL ? ~0u : 0;

    if (compare == GUI_CMP_NONE) {
        return;
    }
    memcpy(rest, from + whole, n - whole);
    key = GUINT32_TO_LE(key);
    if (d->shift == 2) {
        COMPARE(uint32_t);
    } else if (d->shift == 1) {
        COMPARE(uint16_t);
    } else {
        COMPARE(uint8_t);
    }
}

/* --- a piece of a row in memory of the host --- */

/* The brush from pixel (x, y) on, in brush[] or brush_mask[]. */
static const uint8_t *brush_at(const GuiDraw *d,
                               const uint8_t (*rows)[GUI_BRUSH_BYTES], int32_t x,
                               int32_t y)
{
    unsigned row = ((uint32_t)y + d->brush_y) & (d->brush_rows - 1);

    return rows[row] + ((((uint32_t)x + d->brush_x) & 31) << d->shift);
}

/* Source pixels in the format of the destination. */
static const uint8_t *convert(Rv100 *s, const GuiDraw *d, const uint8_t *src,
                              unsigned bit, size_t n, uint8_t *out)
{
    if (!d->needs_src || d->source == GUI_SRC_SAME
        || d->source == GUI_SRC_NONE) {
        return src;
    }
    if (d->source == GUI_SRC_MONO || d->source == GUI_SRC_MONO_LA) {
        rv100_gui_mono(out, src, bit, n, d->shift, d->src_fg, d->src_bg);
    } else {
        rv100_gui_indexed(out, src, bit, n, d->shift, d->source, s->gui.clut);
    }
    return out;
}

static void paint_masked(const GuiDraw *d, uint8_t *dst, const uint8_t *colour,
                         const uint8_t *src, unsigned bit, const uint8_t *brush,
                         const uint8_t *brush_mask, size_t n)
{
    uint8_t out[PIECE + SLACK], mask[PIECE + SLACK], bits[PIECE + SLACK];
    size_t bytes = n << d->shift;

    rv100_gui_fill(mask, (bytes + SLACK) & ~(size_t)(SLACK - 1), d->write_mask);
    if (d->brush_la) {
        and_brush(mask, brush_mask, bytes);
    }
    if (d->source == GUI_SRC_MONO_LA) {
        memset(bits + bytes, 0, SLACK);
        rv100_gui_mono(bits, src, bit, n, d->shift, ~0u, 0);
        and_mask(mask, bits, bytes);
    }
    if (d->cmp_src) {
        and_compare(mask, colour, bytes, d, d->cmp_src, d->key_src);
    }
    if (d->cmp_dst) {
        and_compare(mask, dst, bytes, d, d->cmp_dst, d->key_dst);
    }
    rv100_gui_rop[d->rop](out, dst, colour, brush, bytes);
    rv100_gui_merge(dst, out, mask, bytes);
}

/* n pixels at (x, y); those of the source begin at bit `bit` of src[0]. */
static void paint_piece(Rv100 *s, const GuiDraw *d, int32_t x, int32_t y,
                        uint8_t *dst, const uint8_t *src, unsigned bit, size_t n)
{
    uint8_t colours[PIECE + SLACK];
    const uint8_t *brush = brush_at(d, d->brush, x, y);
    const uint8_t *colour;

    switch (d->path) {
    case GUI_FILL:
        rv100_gui_fill(dst, n << d->shift, d->fill);
        return;
    case GUI_EXPAND:
        rv100_gui_mono(dst, src, bit, n, d->shift, d->src_fg, d->src_bg);
        return;
    case GUI_EXPAND_LA:
        rv100_gui_mono_la(dst, src, bit, n, d->shift, d->src_fg);
        return;
    }
    colour = convert(s, d, src, bit, n, colours);
    if (d->path == GUI_MASKED) {
        paint_masked(d, dst, colour, src, bit, brush,
                     brush_at(d, d->brush_mask, x, y), n);
    } else {
        rv100_gui_rop[d->rop](dst, dst, colour, brush, n << d->shift);
    }
}

/* --- a row from any memory to any memory --- */

#define BACKED 64u              /* memory begins and ends at multiples of this */

/* Memory that nobody has reads as ones, as on an idle PCI bus [inferred], and
 * takes nothing; the rest of the transfer is made. */
static void transfer_parts(Rv100 *s, bool write, uint32_t addr, uint8_t *buf,
                           uint32_t len)
{
    for (uint32_t n; len; addr += n, buf += n, len -= n) {
        n = MIN(len, BACKED - addr % BACKED);
        if (rv100_card_access(s, write, addr, buf, n) != RV100_DMA_OK && !write) {
            memset(buf, 0xff, n);
        }
    }
}

static void transfer(Rv100 *s, bool write, uint32_t addr, void *buf, uint32_t len)
{
    uint32_t offset;
    bool vram = rv100_card_vram(s, addr, len, &offset);

    s->work += (vram ? COST_VRAM : COST_TRANSFER) + len / BUS_BYTES;
    if (rv100_card_access(s, write, addr, buf, len) != RV100_DMA_OK) {
        rv100_guest_error(s, A_DP_GUI_MASTER_CNTL, "the 2D engine cannot %s all of "
                          "card address 0x%08x, length %u",
                          write ? "write" : "read", addr, len);
        s->work += COST_TRANSFER * (uint64_t)(len / BACKED + 1);
        transfer_parts(s, write, addr, buf, len);
    }
}

void rv100_gui_transfer(Rv100 *s, bool write, uint32_t addr, uint8_t *buf,
                        uint32_t len, unsigned swap)
{
    uint8_t dwords[4 * PIECE + SLACK];
    uint32_t before = addr & 3, n = (before + len + 3) & ~3u;

    if (!swap) {
        transfer(s, write, addr, buf, len);
        return;
    }
    transfer(s, false, addr - before, dwords, n);
    for (uint32_t i = 0; i < len; i++) {
        if (write) {
            dwords[(before + i) ^ swap] = buf[i];
        } else {
            buf[i] = dwords[(before + i) ^ swap];
        }
    }
    if (write) {
        transfer(s, true, addr - before, dwords, n);
    }
}

/* n pixels of the row from pixel `at` on; `copy`: not from where they are. */
static void paint_part(Rv100 *s, const GuiDraw *d, const Row *r, uint32_t at,
                       uint32_t n, bool copy)
{
    uint8_t dst_buf[PIECE + SLACK], src_buf[4 * PIECE + SLACK];
    unsigned bits = rv100_gui_source_bits(d->source, d->shift);
    uint64_t first = (uint64_t)at * bits + r->src_bit;
    uint32_t src_len = ((first & 7) + (uint64_t)n * bits + 7) / 8;
    uint32_t bytes = n << d->shift;
    uint32_t dst_addr = r->dst + (at << d->shift);
    uint8_t *dst = r->dst_mem ? r->dst_mem + ((size_t)at << d->shift) : dst_buf;
    const uint8_t *src = r->src_mem ? r->src_mem + first / 8 : NULL;

    if (d->reads_src && !src) {
        rv100_gui_transfer(s, false, r->src + first / 8, src_buf, src_len,
                           d->src_swap);
        src = src_buf;
    } else if (d->reads_src && copy) {
        src = memcpy(src_buf, src, src_len);
    }
    if (!r->dst_mem && d->reads_dst) {
        rv100_gui_transfer(s, false, dst_addr, dst_buf, bytes, d->dst_swap);
    }
    paint_piece(s, d, r->x + at, r->y, dst, src, first & 7, n);
    if (!r->dst_mem) {
        rv100_gui_transfer(s, true, dst_addr, dst_buf, bytes, d->dst_swap);
    }
}

/* Distance in bytes from the source of a row to its destination, if their
 * memory is the same; else a distance that is no overlap. */
static int64_t distance(Rv100 *s, const Row *r)
{
    uint32_t a, b, gap;

    if (r->dst_mem && r->src_mem) {
        return r->dst_mem - r->src_mem;
    }
    if (rv100_card_vram(s, r->dst, 1, &a) && rv100_card_vram(s, r->src, 1, &b)) {
        gap = (a - b) & s->vram_mask;       /* the other way round may be less */
        return gap > s->vram_size / 2 ? (int64_t)gap - s->vram_size : gap;
    }
    return (int32_t)(r->dst - r->src);
}

/* How the pixels of a row have to be taken. */
typedef struct Order {
    uint32_t step;              /* at most so many at once */
    bool backwards;             /* pieces from the right */
    bool copy;                  /* source of a piece read before it is written */
} Order;

static Order find_order(Rv100 *s, const GuiDraw *d, const Row *r)
{
    unsigned bits = rv100_gui_source_bits(d->source, d->shift);
    bool direct = r->dst_mem && (!d->reads_src || r->src_mem);
    bool buffers = !direct || d->path == GUI_MASKED
        || (d->needs_src && d->source != GUI_SRC_SAME);
    uint32_t piece = (direct ? NEAR_PIECE : PIECE) >> d->shift;
    Order o = { .step = buffers ? piece : r->w };
    int64_t bytes = (int64_t)r->w << d->shift;
    int64_t src_len = ((uint64_t)r->w * bits + r->src_bit + 7) / 8;
    int64_t by, slack;

    if (!d->reads_src) {
        return o;
    }
    by = distance(s, r);
    slack = d->src_swap != d->dst_swap ? 3 : 0;
    if (by >= src_len + slack || -by >= bytes + slack) {
        return o;               /* no overlap */
    }
    o.backwards = d->rtl;
    if (d->source != GUI_SRC_SAME || slack) {
        o.step = 1;
    } else if ((by > 0) == d->rtl || !by) {
        /* Away from what is written: nothing is read twice. */
        o.step = d->rtl ? piece : o.step;
        o.copy = d->rtl;
    } else {
        /* Towards it: what is written is read again this far on. */
        o.step = MIN(o.step, (uint64_t)ABS(by) >> d->shift);
        o.step = MAX(o.step, 1);
    }
    return o;
}

/* A row of one surface whose pixels have to be taken by `step` bytes: a kernel
 * for each step. */
static void rop_by_steps(const GuiDraw *d, const Row *r, uint32_t step)
{
    uint32_t bytes = r->w << d->shift;
    GuiRopRow *rop = rv100_gui_rop[d->rop];

    for (uint32_t done = 0, n; done < bytes; done += n) {
        uint32_t at;

        n = MIN(step, bytes - done);
        at = d->rtl ? bytes - done - n : done;
        rop(r->dst_mem + at, r->dst_mem + at, r->src_mem + at,
            brush_at(d, d->brush, r->x + (int32_t)(at >> d->shift), r->y), n);
    }
}

/* Units for n pixels, apart from pieces and transfers. */
static uint64_t pixel_cost(const GuiDraw *d, uint32_t n)
{
    uint64_t bytes = (uint64_t)n << d->shift;
    unsigned masks = d->path != GUI_MASKED ? 0
        : 1 + d->brush_la + (d->source == GUI_SRC_MONO_LA) + !!d->cmp_src
          + !!d->cmp_dst;

    return bytes / ROP_BYTES + bytes * masks / MASK_BYTES
        + (d->source > GUI_SRC_MONO_LA ? n / PALETTE_PIXELS : 0);
}

static void paint_row(Rv100 *s, const GuiDraw *d, const Row *r)
{
    Order o = find_order(s, d, r);

    s->work += pixel_cost(d, r->w);
    if (o.step < r->w && d->path == GUI_ROP && d->source == GUI_SRC_SAME
        && !o.copy && r->dst_mem && r->src_mem) {
        s->work += (uint64_t)COST_STEP * r->w / o.step;
        rop_by_steps(d, r, o.step << d->shift);
        return;
    }
    s->work += (uint64_t)COST_PIECE * r->w / o.step;
    for (uint32_t done = 0, n; done < r->w; done += n) {
        n = MIN(o.step, r->w - done);
        paint_part(s, d, r, o.backwards ? r->w - done - n : done, n, o.copy);
    }
}

/* --- operations --- */

static void dirty(Rv100 *s, uint32_t offset, uint32_t len)
{
    if (s->host.vram_dirty) {
        s->host.vram_dirty(s->opaque, offset, len);
    }
}

bool rv100_gui_exhausted(Rv100 *s, uint64_t begin)
{
    if (s->work - begin < GUI_MAX_COST) {
        return false;
    }
    rv100_guest_error(s, A_DP_GUI_MASTER_CNTL, "an operation of the 2D engine is "
                      "larger than any memory: cut");
    return true;
}

/* Rows of memory that is not all VRAM, or not without a wrap. */
static void paint_anywhere(Rv100 *s, const GuiDraw *d, const GuiOp *op)
{
    Row r = { .x = op->x, .w = op->w, .src_bit = op->src_bit };
    uint64_t begin = s->work;
    uint32_t bytes = op->w << d->shift;
    uint32_t src_bytes = ((uint64_t)op->w
        * rv100_gui_source_bits(d->source, d->shift) + op->src_bit + 7) / 8;

    for (uint32_t i = 0; i < op->h && !rv100_gui_exhausted(s, begin); i++) {
        uint32_t offset = 0, from;
        bool in_vram;

        r.y = op->y + op->y_step * (int32_t)i;
        r.dst = op->dst + i * op->dst_step;
        r.src = op->src + i * op->src_step;
        in_vram = !d->dst_swap && rv100_card_vram(s, r.dst, bytes, &offset);
        r.dst_mem = in_vram ? s->vram + offset : NULL;
        r.src_mem = d->reads_src && !d->src_swap
            && rv100_card_vram(s, r.src, src_bytes, &from) ? s->vram + from : NULL;
        paint_row(s, d, &r);
        if (in_vram) {
            dirty(s, offset, bytes);
        }
    }
}

/* Memory of row i. */
static uint8_t *dst_row(const GuiOp *op, uint32_t i)
{
    return op->dst_mem + (ptrdiff_t)(int32_t)op->dst_step * i;
}

static const uint8_t *src_row(const GuiOp *op, uint32_t i)
{
    return op->src_mem + (ptrdiff_t)(int32_t)op->src_step * i;
}

static void paint_rows(Rv100 *s, const GuiDraw *d, const GuiOp *op)
{
    Row r = { .x = op->x, .w = op->w, .src_bit = op->src_bit };
    uint64_t begin = s->work;

    for (uint32_t i = 0; i < op->h && !rv100_gui_exhausted(s, begin); i++) {
        r.y = op->y + op->y_step * (int32_t)i;
        r.dst_mem = dst_row(op, i);
        r.src_mem = d->reads_src ? src_row(op, i) : NULL;
        paint_row(s, d, &r);
    }
}

/* Rows that a simple operation may have, and their cost. */
static uint32_t count_rows(Rv100 *s, const GuiOp *op, size_t n, unsigned bytes)
{
    uint32_t rows = MIN(op->h, (uint64_t)GUI_MAX_COST * bytes / n);

    s->work += (uint64_t)n * rows / bytes;
    return rows;
}

static void fill_rows(Rv100 *s, const GuiDraw *d, const GuiOp *op)
{
    size_t n = (size_t)op->w << d->shift;
    uint32_t rows;

    if ((uint32_t)ABS((int32_t)op->dst_step) <= n) {
        /* Rows that touch or lie over each other are one. */
        s->work += op->dirty_len / FILL_BYTES;
        rv100_gui_fill(s->vram + op->dirty, op->dirty_len, d->fill);
        return;
    }
    rows = count_rows(s, op, n, FILL_BYTES);
    rv100_gui_fill_rows(op->dst_mem, (int32_t)op->dst_step, n, rows, d->fill);
}

/* Copy a row onto itself in the direction in which it reads what it has written:
 * the first `by` bytes repeat. */
static void repeat_row(uint8_t *to, const uint8_t *from, size_t n, bool rtl)
{
    size_t by = to > from ? to - from : from - to;
    size_t done = MIN(by, n), more;

    if (rtl) {
        memcpy(to + n - done, from + n - done, done);
    } else {
        memcpy(to, from, done);
    }
    for (; done < n; done += more) {
        /* Source and what is done are one stretch of whole repetitions. */
        more = MIN(done + by, n - done);
        if (rtl) {
            memcpy(to + n - done - more, to + n + by - more, more);
        } else {
            memcpy(to + done, to - by, more);
        }
    }
}

static void copy_rows(Rv100 *s, const GuiDraw *d, const GuiOp *op)
{
    size_t n = (size_t)op->w << d->shift;
    uint32_t rows = count_rows(s, op, n, COPY_BYTES);

    for (uint32_t i = 0; i < rows; i++) {
        uint8_t *to = dst_row(op, i);
        const uint8_t *from = src_row(op, i);
        ptrdiff_t by = to - from;

        if ((size_t)ABS(by) < n && by && (by > 0) != d->rtl) {
            repeat_row(to, from, n, d->rtl);
        } else {
            memmove(to, from, n);
        }
    }
}

static void rop_rows(Rv100 *s, const GuiDraw *d, const GuiOp *op)
{
    size_t n = (size_t)op->w << d->shift;
    uint64_t begin = s->work;
    GuiRopRow *rop = rv100_gui_rop[d->rop];

    if (d->needs_src && d->source != GUI_SRC_SAME) {
        paint_rows(s, d, op);
        return;
    }
    for (uint32_t i = 0; i < op->h && !rv100_gui_exhausted(s, begin); i++) {
        int32_t y = op->y + op->y_step * (int32_t)i;
        uint8_t *to = dst_row(op, i);
        const uint8_t *from = d->reads_src ? src_row(op, i) : to;
        ptrdiff_t by = to - from;

        if ((size_t)ABS(by) >= n || by == 0 || (by < 0 && !d->rtl)) {
            s->work += n / ROP_BYTES;
            rop(to, to, from, brush_at(d, d->brush, op->x, y), n);
        } else {
            Row r = { .x = op->x, .y = y, .w = op->w, .dst_mem = to,
                      .src_mem = from };

            paint_row(s, d, &r);
        }
    }
}

void rv100_gui_paint(Rv100 *s, const GuiDraw *d, const GuiOp *op)
{
    static void (*const paths[])(Rv100 *s, const GuiDraw *d, const GuiOp *op) = {
        [GUI_FILL] = fill_rows,
        [GUI_COPY] = copy_rows,
        [GUI_EXPAND] = paint_rows,
        [GUI_EXPAND_LA] = paint_rows,
        [GUI_ROP] = rop_rows,
        [GUI_MASKED] = paint_rows,
    };

    if (d->path == GUI_NOTHING) {
        return;
    }
    s->work += COST_OPERATION;
    if (op->dst_mem && (!d->reads_src || op->src_mem)) {
        paths[d->path](s, d, op);
        dirty(s, op->dirty, op->dirty_len);
    } else {
        paint_anywhere(s, d, op);
    }
}

void rv100_gui_paint_from(Rv100 *s, const GuiDraw *d, const GuiOp *area, int32_t x,
                          int32_t y, uint32_t n, const uint8_t *src, unsigned bit)
{
    uint8_t buffer[PIECE + SLACK];
    uint32_t bytes = n << d->shift;
    ptrdiff_t at = (ptrdiff_t)(y - area->y) * area->dst_step
        + ((ptrdiff_t)(x - area->x) << d->shift);

    s->work += COST_PIECE / 2 + pixel_cost(d, n);
    if (area->dst_mem) {
        paint_piece(s, d, x, y, area->dst_mem + at, src, bit, n);
        return;
    }
    if (d->reads_dst) {
        rv100_gui_transfer(s, false, area->dst + at, buffer, bytes, d->dst_swap);
    }
    paint_piece(s, d, x, y, buffer, src, bit, n);
    rv100_gui_transfer(s, true, area->dst + at, buffer, bytes, d->dst_swap);
}

void rv100_gui_painted(Rv100 *s, const GuiOp *area)
{
    if (area->dst_mem) {
        dirty(s, area->dirty, area->dirty_len);
    }
}
