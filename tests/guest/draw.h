/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawing in packets: one function makes one packet, or a few. */
#ifndef DRAW_H
#define DRAW_H

#include "picture.h"
#include "pm4-words.h"
#include "rv100-regs.h"

#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))
#define YX(y, x) ((uint32_t)(y) << 16 | (uint32_t)(x))
#define GMC(field, v) ((uint32_t)(v) << R_DP_GUI_MASTER_CNTL_##field##_SHIFT)
#define BRUSH(name) \
    GMC(GMC_BRUSH_DATATYPE, R_DP_GUI_MASTER_CNTL_GMC_BRUSH_DATATYPE_##name)
#define ROP(name) GMC(GMC_ROP3, R_DP_GUI_MASTER_CNTL_GMC_ROP3_##name)
#define SOURCE(name) GMC(DP_SRC_SOURCE, R_DP_GUI_MASTER_CNTL_DP_SRC_SOURCE_##name)
#define SRC_TYPE(name) \
    GMC(GMC_SRC_DATATYPE, R_DP_GUI_MASTER_CNTL_GMC_SRC_DATATYPE_##name)

/* The picture as source and destination, 32 bits a pixel, no key, all bits. */
#define SURFACE (GMC(GMC_DST_PITCH_OFFSET_CNTL, 1) | SRC_TYPE(COLOR) \
    | GMC(GMC_DST_DATATYPE, R_DP_GUI_MASTER_CNTL_GMC_DST_DATATYPE_32BPP) \
    | SOURCE(MEMORY) | GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1))
#define SOLID (SURFACE | BRUSH(SOLID_COLOR) | ROP(P))
#define COPY (SURFACE | BRUSH(NONE) | ROP(S) | GMC(GMC_SRC_PITCH_OFFSET_CNTL, 1))
#define LINES (SURFACE | BRUSH(SOLID_LINE) | ROP(P))

#define PACKET_WORDS 300

typedef struct Packet {
    const Picture *p;
    uint32_t words[PACKET_WORDS];
    unsigned n;
} Packet;

typedef struct Box {
    int x, y, w, h;
} Box;

/* Mono brush of 8x8: a byte for each row, bit 0 leftmost. */
typedef struct Pattern {
    uint32_t ground, ink;
    uint32_t rows[2];
} Pattern;

/* A packet of opcode `op` with its settings block up to the brush. */
void packet_begin(Packet *k, const Picture *p, unsigned op, uint32_t gmc);
void packet_put(Packet *k, uint32_t word);
void packet_send(Packet *k);
/* A register by a packet of type 0. */
void draw_register(const Picture *p, uint32_t offset, uint32_t value);

void draw_fill(const Picture *p, uint32_t colour, Box b);
void draw_rop_fill(const Picture *p, uint32_t rop, uint32_t colour, Box b);
/* brush: of 8x8 mono; a transparent one has no ground. */
void draw_pattern(const Picture *p, uint32_t brush, const Pattern *t, Box b);
void draw_copy(const Picture *p, Box from, int x, int y);
/* Pixels of the colour `key` are left out. */
void draw_sprite(const Picture *p, Box from, int x, int y, uint32_t key);
void draw_disc(const Picture *p, uint32_t colour, int x, int y, int radius);
void draw_line(const Picture *p, uint32_t gmc, uint32_t colour, int x0, int y0,
               int x1, int y1);
/* Text by SMALLTEXT, each pixel `scale` times as large. */
void draw_text(const Picture *p, uint32_t colour, int x, int y, unsigned scale,
               const char *text);
/* Text by HOSTDATA_BLT, on a ground. */
void draw_label(const Picture *p, uint32_t colour, uint32_t ground, int x, int y,
                const char *text);

/* Colour `i` of `n` steps from one to another. */
uint32_t blend(uint32_t from, uint32_t to, int i, int n);
/* amplitude * sin(2 pi i / n) */
int wave(int amplitude, int i, int n);
int square_root(int v);

#endif
