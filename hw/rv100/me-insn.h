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
    F_STALE = 1 << 9,           /* written by the engine, not decoded yet */
    F_GATED = F_COND | F_CGATE,
    F_ATTENTION = F_BREAK | F_UNKNOWN | F_STALE,
    F_STREAM = F_LAT | F_WR | F_ADV,
};

/* Rv100MeInsn.kind: how me.c executes the word. */
enum {
    KIND_GENERAL,
    /* Writes each word of the packet to one register, or to consecutive ones,
     * until the packet ends: the body of type 0 and of the draw packets. */
    KIND_DRAIN,
    /* The first of RV100_ME_FORMS; the others follow in their order. */
    KIND_FORM,
};

void rv100_me_decode(Rv100Me *me, uint8_t addr);

#endif
