/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second, slow interpreter of the CP microengine, to check the real one.
 *
 * Written from the description of the instruction set alone: one instruction is
 * decoded from its 40 bits each time, every unit computes its result whether it
 * is used or not, the head of the stream is taken as soon as there is a word.
 * It shares nothing with hw/rv100 but the generated names of the codes.
 */
#ifndef TESTS_SLOW_ME_H
#define TESTS_SLOW_ME_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum SlowChip { SLOW_R128, SLOW_R100, SLOW_R200, SLOW_R300 } SlowChip;

/* A register write (hi < 0) or a write of a microcode word by the engine. */
typedef struct SlowWrite {
    uint32_t at, value;
    int hi;
} SlowWrite;

typedef enum SlowResult {
    SLOW_INSN,                  /* one instruction was executed */
    SLOW_HEADER,                /* one header was taken */
    SLOW_STALL,                 /* needs a word */
} SlowResult;

typedef struct SlowMe {
    SlowChip chip;
    uint64_t me[256];           /* as loaded: high word in bits 32 and up */

    uint32_t pkt, a, s, u, idx, left;
    uint32_t t, count, ptr, pc, mcptr, type;
    uint8_t table[8];
    uint8_t stack[2];           /* [0] is the older entry */
    unsigned depth;
    bool dispatching;

    uint32_t head;
    bool head_valid, head_seen;
    GArray *fifo;               /* uint32_t: all words ever fed */
    guint taken;                /* words of it that became the head */

    /* The word that the last instruction wrote, as it was before: the dispatch
     * behind that instruction still sees it. */
    uint64_t before;
    uint8_t before_at;
    bool before_valid;

    uint64_t steps;
    uint64_t cover[256];
    GArray *writes;             /* SlowWrite, in order */
} SlowMe;

void slow_me_init(SlowMe *s, SlowChip chip);
void slow_me_clear(SlowMe *s);
/* Keeps the bits of a high word that the chip keeps. */
void slow_me_load(SlowMe *s, uint8_t at, uint8_t hi, uint32_t lo);
void slow_me_feed(SlowMe *s, const uint32_t *words, guint n);
SlowResult slow_me_step(SlowMe *s);
/* Steps until it stalls or `units` are used; returns what was used. */
guint slow_me_run(SlowMe *s, guint units);
/* Words fed and not consumed, the head included. */
guint slow_me_waiting(const SlowMe *s);

#endif
