/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The 2D engine: registers -> decoded state -> checked operation -> painter.
 *
 *   gui-regs.c    hooks: aliases, initiators, palette, what reads back
 *   gui-decode.c  decoded state of the registers; rectangles, clipping, bounds
 *   gui-raster.c  rows of an operation, from any memory to any memory
 *   gui-rop.c     256 raster operations (gui-rop-kernels.h), fills on bytes
 *   gui-expand.c  sources that are not in the destination's format
 *   gui-brush.c   brushes as periodic rows
 *   gui-host.c    host data
 *   gui-line.c    lines
 *
 * The rules are in docs/2d-engine.md.
 */
#ifndef RV100_GUI_H
#define RV100_GUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Rv100 Rv100;

#define GUI_CLUT 256            /* entries of the palette */
#define GUI_RING 8              /* dwords of the host data buffer */
#define GUI_GROUP 4             /* dwords that are drawn at once */
/* Rows of a brush repeat after 32 pixels of at most 4 bytes. */
#define GUI_PERIOD 128
#define GUI_BRUSH_ROWS 32
/* A row of a brush from any of its first 32 pixels on, and one vector more. */
#define GUI_BRUSH_BYTES (2 * GUI_PERIOD + 16)

/* An operation ends after so many engine units (about 2 ns): 192 MiB copied, more
 * than a full VRAM. Only rectangles whose rows lie over each other, or over
 * themselves pixel by pixel, or on the bus, can be larger: a guest must not hold
 * up the host [our choice]. */
#define GUI_MAX_COST (12u << 20)

/* --- chip state: what the registers do not hold --- */
typedef struct Rv100Gui {
    uint32_t clut[GUI_CLUT];
    uint32_t ring[GUI_RING];    /* host data, as written */
    uint16_t x, y, w, h;        /* rectangle that takes host data; x and y are
                                 * the 14-bit start corner */
    uint16_t col, row;          /* its next pixel, counted from the corner */
    uint8_t slot;               /* next place in the ring */
    uint8_t pending;            /* dwords in the ring that are not drawn yet */
    uint8_t host;               /* a rectangle takes host data */
} Rv100Gui;

/* --- decoded state of the registers (rebuilt) --- */
typedef enum GuiSource {
    GUI_SRC_NONE,               /* no source pixel is needed */
    GUI_SRC_SAME,               /* format of the destination */
    GUI_SRC_MONO,
    GUI_SRC_MONO_LA,            /* 0: the pixel stays ("leave alone") */
    GUI_SRC_CI4,
    GUI_SRC_CI8,
    GUI_SRC_CI32,
} GuiSource;

typedef enum GuiPath {
    GUI_NOTHING,                /* no pixel can change */
    GUI_FILL,                   /* one colour */
    GUI_COPY,                   /* bytes of the source */
    GUI_EXPAND,                 /* bits of the source in two colours */
    GUI_EXPAND_LA,              /* ... or in one */
    GUI_ROP,                    /* one kernel for every pixel */
    GUI_MASKED,                 /* pixels or bits may stay as they are */
} GuiPath;

typedef enum GuiCompare {
    GUI_CMP_NONE,               /* never suppresses */
    GUI_CMP_ALWAYS,
    GUI_CMP_EQUAL,
    GUI_CMP_DIFFERENT,
} GuiCompare;

typedef struct GuiDraw {
    bool valid;                 /* agrees with the registers */
    bool host;                  /* source is host data */
    bool host_bytes;            /* ... each row begins at a byte */
    bool msb_first;             /* ... bit 7 of a byte is the leftmost pixel */
    bool rtl, btt;              /* directions: to the left, upwards */
    bool needs_src;             /* a source pixel is an operand */
    bool reads_src;             /* source memory is read */
    bool reads_dst;
    bool uses_brush;
    bool brush_valid;           /* brush[] and brush_mask[] agree as well */
    bool brush_la;              /* transparent brush: brush_mask[] counts */
    uint8_t shift;              /* log2 of the bytes of a pixel */
    uint8_t bytes;              /* of a pixel; 0: format does not exist */
    uint8_t rop;
    uint8_t path;               /* GuiPath */
    uint8_t source;             /* GuiSource */
    uint8_t brush_type, brush_rows;
    uint8_t cmp_src, cmp_dst;   /* GuiCompare */
    uint32_t dst, dst_pitch;    /* card address, bytes */
    uint32_t src, src_pitch;
    uint8_t dst_swap, src_swap; /* XOR of a byte's place in its dword */
    int32_t left, top, right, bottom;   /* scissor; right, bottom excluded */
    /* Colours and masks, repeated to 32 bits. */
    uint32_t fill;
    uint32_t brush_fg, brush_bg;
    uint32_t brush_x, brush_y;
    uint32_t write_mask;
    uint32_t src_fg, src_bg;
    uint32_t key_src, key_dst, key_mask;
    uint8_t brush[GUI_BRUSH_ROWS][GUI_BRUSH_BYTES];
    uint8_t brush_mask[GUI_BRUSH_ROWS][GUI_BRUSH_BYTES];
} GuiDraw;

/* --- a checked operation: rows that are painted one after the other --- */
typedef struct GuiOp {
    uint32_t w, h;              /* pixels, rows; never 0 */
    int32_t x, y;               /* leftmost pixel of the first row */
    int32_t y_step;             /* 1, or -1 upwards */
    /* Card addresses of that pixel and of its source; per row is added. */
    uint32_t dst, src;
    uint32_t dst_step, src_step;
    uint8_t src_bit;            /* pixel inside the byte at src */
    /* Memory of the first row when all rows lie in VRAM without a wrap, and
     * the range of VRAM that they touch. */
    uint8_t *dst_mem;
    const uint8_t *src_mem;
    uint32_t dirty, dirty_len;
} GuiOp;

/* gui-decode.c */
const GuiDraw *rv100_gui_draw(Rv100 *s);        /* decodes when needed */
/* The rectangle of the registers, clipped and checked; false when nothing is
 * left of it. */
bool rv100_gui_rect(Rv100 *s, const GuiDraw *d, GuiOp *op);
/* An area without source memory; it has to be inside the scissor. */
void rv100_gui_area(Rv100 *s, const GuiDraw *d, int32_t x, int32_t y, uint32_t w,
                    uint32_t h, GuiOp *op);
int32_t rv100_gui_coordinate(uint32_t value);   /* 14 bits, signed */

/* gui-raster.c */
void rv100_gui_paint(Rv100 *s, const GuiDraw *d, const GuiOp *op);
/* n pixels at (x, y) inside an area; those of the source are in memory of the
 * host, from bit `bit` of src[0] on. rv100_gui_painted() when all are done. */
void rv100_gui_paint_from(Rv100 *s, const GuiDraw *d, const GuiOp *area, int32_t x,
                          int32_t y, uint32_t n, const uint8_t *src, unsigned bit);
void rv100_gui_painted(Rv100 *s, const GuiOp *area);
/* Bytes from or to the card address; never fails. */
void rv100_gui_transfer(Rv100 *s, bool write, uint32_t addr, uint8_t *buf,
                        uint32_t len, unsigned swap);
/* Has the operation that began when s->work was `begin` had its share? */
bool rv100_gui_exhausted(Rv100 *s, uint64_t begin);

/* gui-rop.c */
typedef void GuiRopRow(uint8_t *out, const uint8_t *dst, const uint8_t *src,
                       const uint8_t *brush, size_t n);
/* out may be dst; src may be anything that does not overlap later bytes of out;
 * brush is GUI_PERIOD bytes that repeat. */
extern GuiRopRow *const rv100_gui_rop[256];
void rv100_gui_fill(uint8_t *out, size_t n, uint32_t colour);
void rv100_gui_fill_rows(uint8_t *out, ptrdiff_t stride, size_t n, uint32_t rows,
                         uint32_t colour);
/* out = out where mask is 0, else in */
void rv100_gui_merge(uint8_t *out, const uint8_t *in, const uint8_t *mask,
                     size_t n);

/* gui-expand.c: n pixels from bit `bit` of the source on */
void rv100_gui_mono(uint8_t *out, const uint8_t *bits, unsigned bit, size_t n,
                    unsigned shift, uint32_t fg, uint32_t bg);
void rv100_gui_indexed(uint8_t *out, const uint8_t *src, unsigned bit, size_t n,
                       unsigned shift, GuiSource source, const uint32_t *clut);
/* Pixels whose bit is clear stay. */
void rv100_gui_mono_la(uint8_t *out, const uint8_t *bits, unsigned bit, size_t n,
                       unsigned shift, uint32_t fg);
/* Rows of w pixels whose bits follow each other in one stream, `step` apart; there
 * are 8 bytes more behind them. */
typedef struct GuiMonoRows {
    uint8_t *out;
    ptrdiff_t stride;
    const uint8_t *bits;
    unsigned bit, step, w, rows;
    uint32_t fg, bg;
} GuiMonoRows;
void rv100_gui_mono_rows(const GuiMonoRows *m, unsigned shift, bool la);
/* Bits of a source pixel. */
unsigned rv100_gui_source_bits(GuiSource source, unsigned shift);

/* gui-brush.c */
bool rv100_gui_brush_solid(unsigned type);
bool rv100_gui_brush_leaves(unsigned type);     /* transparent */
unsigned rv100_gui_brush_rows(unsigned type);
void rv100_gui_brush(Rv100 *s, GuiDraw *d);     /* makes the rows */
/* Colour in column 0..31 and a row of the brush; *leave: leave the pixel. */
uint32_t rv100_gui_brush_at(Rv100 *s, const GuiDraw *d, unsigned column,
                            unsigned row, bool *leave);

/* gui-host.c */
void rv100_gui_host_start(Rv100 *s, const GuiDraw *d);
void rv100_gui_host_data(Rv100 *s, uint32_t value, bool last);

/* gui-line.c */
void rv100_gui_line(Rv100 *s, const GuiDraw *d);

/* gui-regs.c */
void rv100_gui_reset(Rv100 *s);         /* power-on */
void rv100_gui_abandon(Rv100 *s);       /* host data still missing is given up */
void rv100_gui_loaded(Rv100 *s);        /* registers were changed from outside */
bool rv100_gui_check(const Rv100 *s, const char **why);

#endif
