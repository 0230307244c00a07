/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real microengine with a stream in memory and a record of its writes, and
 * the comparison with the slow interpreter.
 */
#ifndef TESTS_FAST_ME_H
#define TESTS_FAST_ME_H

#include "reference.h"
#include "rv100/me.h"
#include "slow-me.h"

typedef struct FastMe {
    Rv100Me me;
    GArray *stream;             /* uint32_t: all words ever fed */
    guint given;                /* words of it that went into the window */
    guint chunk;                /* words per refill, 1 .. 256 */
    uint32_t window[256];
    GArray *writes;             /* SlowWrite, in order */
    guint unknown;              /* calls of ops->unknown */
    GRand *stops;               /* writes ask to stop now and then (not owned) */
    GArray *pcs;                /* uint8_t: what ops->step was called with */
} FastMe;

void fast_me_init(FastMe *f, const char *chip, guint chunk);
void fast_me_clear(FastMe *f);
void fast_me_image(FastMe *f, const RefImage *image);
void fast_me_feed(FastMe *f, const uint32_t *words, guint n);
/* Run exactly `units`, or until it stalls, over stops and breakpoints, in pieces
 * of random sizes. Returns what was used. */
guint fast_me_run_pieces(FastMe *f, guint units, GRand *rand);
/* Words fed and not consumed, the head included. */
guint fast_me_waiting(const FastMe *f);
/* In front of a header and nothing is left of the stream. */
bool fast_me_idle(const FastMe *f);
/* Last value written to a register, 0 when there was none. */
uint32_t fast_me_register(const FastMe *f, uint32_t dword);

const char *slow_chip_name(SlowChip chip);
void slow_me_image(SlowMe *s, const RefImage *image);
/* The same engine registers in both, made from a seed. */
void both_me_scramble(FastMe *f, SlowMe *s, GRand *rand);
/* NULL when both made the same writes and are in the same state, else what
 * differs first (to be freed). */
char *both_me_differ(const FastMe *f, const SlowMe *s);

#endif
