/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The demo's picture: a list of packets, made from a font and the lines of the
 * table. The guest sends them through its ring; the test has them executed by
 * the second interpreter and the reference painter, which have to arrive at the
 * same pixels. Freestanding: compiled for the guest and for the host.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PICTURE_WIDTH 640
#define PICTURE_HEIGHT 480
#define PICTURE_PIXELS (PICTURE_WIDTH * PICTURE_HEIGHT)
/* Shapes that are copied into the picture are drawn below it. */
#define PICTURE_ROWS (PICTURE_HEIGHT + 48)
#define PICTURE_GLYPH_ROWS 16
/* Where the guest has it in VRAM: behind the VGA's memory. */
#define PICTURE_OFFSET 0x00100000u

/* picture_sum() of the picture with the table of a run that passed and the font
 * of QEMU's VGA BIOS. The test guest-demo computes it with the reference
 * painter: when picture or table change, it prints the new one. */
#define PICTURE_SUM 0x68275372u
#define PICTURE_FONT_SUM 0x17228351u

typedef struct PictureLine {
    const char *name;
    bool passed;
} PictureLine;

typedef struct Picture {
    uint32_t base;              /* card address, a multiple of 1 KiB */
    const uint8_t (*font)[PICTURE_GLYPH_ROWS];  /* 256; bit 7 = leftmost */
    const PictureLine *lines;
    unsigned n_lines;
    /* One whole packet. */
    void (*send)(void *opaque, const uint32_t *words, unsigned n);
    void *opaque;
} Picture;

void picture_draw(const Picture *p);

/* FNV-1a over dwords. */
#define PICTURE_SUM_INIT 2166136261u
static inline uint32_t picture_sum(uint32_t sum, uint32_t value)
{
    return (sum ^ value) * 16777619u;
}

#endif
