/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two displays of the card, driven in the same way: registers of the second
 * are those of the first at another place.
 */
#ifndef RV_HEADS_H
#define RV_HEADS_H

#include "rv-screen.h"

/* CRTC_PIX_WIDTH */
enum { RV_BPP_8 = 2, RV_BPP_15, RV_BPP_16, RV_BPP_24, RV_BPP_32 };

typedef struct RvHead {
    RvDev *d;
    unsigned n;
    unsigned format, bytes, width, height;
    unsigned pitch;             /* pixels */
    uint32_t start;             /* of the picture in VRAM */
} RvHead;

/* A VM with both displays: id gpu0; extra: further properties. NULL after
 * g_test_skip(). */
RvDev *rv_heads_new(const char *extra);
/* The register of a head that has this offset on the first one. */
uint32_t rv_head_reg(const RvHead *h, uint32_t offset);
void rv_head_wr(const RvHead *h, uint32_t offset, uint32_t value);
uint32_t rv_head_rd(const RvHead *h, uint32_t offset);

/* A mode at 60 Hz, its picture at `start`; the head is on. Card addresses are
 * those of BAR0. The offset is shown when it returns. */
void rv_head_mode(RvHead *h, unsigned format, unsigned width, unsigned height,
                  unsigned pitch, uint32_t start);
/* CRTC_OFFSET, and wait until it is shown. */
void rv_head_pan(const RvHead *h, uint32_t offset);
void rv_head_put(const RvHead *h, unsigned x, unsigned y, uint32_t value);
/* Entry i of the table: 10 bits a component. */
void rv_head_colours(const RvHead *h, uint32_t (*colour)(unsigned i));
RvPicture *rv_head_picture(const RvHead *h);

#endif
