/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reference 2D engine: slow and obvious, one pixel and one bit at a time,
 * written from the truth tables of the 2D engine reference. It exists to be
 * compared with the chip and shares nothing with it but the generated names.
 *
 * Numbers after "2d:" name sections of that reference.
 */
#ifndef TESTS_REF_PAINTER_H
#define TESTS_REF_PAINTER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define REF_REGS 0x1000             /* dwords of the register aperture */
#define REF_BRUSH_WORDS 64
#define REF_CLUT 256
#define REF_RING 8                  /* dwords behind the host data port */

typedef struct RefSurface {
    uint32_t offset, pitch;         /* card address and bytes */
    uint32_t swap;                  /* XOR of byte addresses */
} RefSurface;

/* Everything that a drawing operation looks at, as it is when it is drawn. */
typedef struct RefOp {
    uint32_t bytes;                 /* of a pixel; 0: nothing can be drawn */
    uint32_t depth;                 /* mask of a pixel's bits */
    RefSurface dst, src;
    int left, top, right, bottom;   /* right and bottom are outside */
    int x, y, width, height, x_step, y_step;
    int src_x, src_y;
    uint32_t rop, source, src_type, brush_type, lsb_first;
    uint32_t brush[REF_BRUSH_WORDS], brush_x, brush_y, fg, bg;
    uint32_t src_fg, src_bg, clut[REF_CLUT];
    uint32_t write_mask, cmp_cntl, cmp_src, cmp_dst, cmp_mask;
    bool line;
    uint32_t pattern_bit;           /* of a dashed line */
} RefOp;

typedef struct RefPainter {
    uint8_t *vram;
    uint32_t vram_size;             /* a power of two */
    /* Bytes of card addresses outside of the frame buffer; NULL: none. */
    uint8_t *(*other_byte)(void *opaque, uint32_t addr);
    void *opaque;

    uint32_t reg[REF_REGS];
    uint32_t clut[REF_CLUT];
    uint32_t ring[REF_RING];
    uint32_t ring_at, ring_read;    /* dwords written and used by this blit */
    uint64_t host_bit;              /* next bit of the stream */
    bool armed;                     /* a host blit wants data */
    int host_x, host_y, host_w, host_h;
    uint64_t host_pixel;            /* next pixel of it */

    uint64_t pixels;                /* pixels looked at so far */
} RefPainter;

RefPainter *ref_painter_new(uint32_t vram_size);
void ref_painter_free(RefPainter *p);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RefPainter, ref_painter_free)
/* Registers and host data as after power-on; VRAM stays. */
void ref_painter_reset(RefPainter *p);
/* A dword write to a register, by byte offset, and a read back. */
void ref_painter_write(RefPainter *p, uint32_t offset, uint32_t value);
uint32_t ref_painter_read(RefPainter *p, uint32_t offset);

#endif
