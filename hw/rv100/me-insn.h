/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predecoded microinstructions: shared by me-decode.c and me.c. */
#ifndef RV100_ME_INSN_H
#define RV100_ME_INSN_H

#include "rv100/me.h"

enum {
    F_LAT = 1 << 0,
    F_WR = 1 << 1,
    F_ADV = 1 << 2,
    F_IDXSEL = 1 << 3,
    F_MCSEL = 1 << 4,
    F_COND = 1 << 5,
    F_CGATE = 1 << 6,
    F_BREAK = 1 << 7,           /* breakpoint on this word */
    F_UNKNOWN = 1 << 8,         /* has a code that the generation does not know */
    F_GATED = F_COND | F_CGATE,
    F_STREAM = F_LAT | F_WR | F_ADV,
};

/* Specialised forms of the common words; all are ungated and do not use idx or
 * the microcode RAM as a destination, but for KIND_DRAIN. */
enum {
    KIND_GENERAL,
    KIND_INNER,                 /* neither stream nor write */
    KIND_LATCH,
    KIND_TAKE,                  /* latch and advance */
    KIND_PUT,                   /* write */
    KIND_PASS,                  /* latch, write and advance */
    /* Writes each word of the packet to one register, or to consecutive ones,
     * until the packet ends: the body of type 0 and of the draw packets. */
    KIND_DRAIN,
};

void rv100_me_decode(Rv100Me *me, uint8_t addr);

#endif
