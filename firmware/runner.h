/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The microengine alone, fed with an array of words. */
#ifndef RV100_RUNNER_H
#define RV100_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"
#include "rv100/me.h"

#define RUN_MAX_STEPS 1000000   /* default limit without a consumed word */

typedef enum RunState {
    RUN_IDLE,                   /* between packets, all words taken */
    RUN_WAITING,                /* inside a packet, needs another word */
    RUN_WEDGED,                 /* max_steps instructions without taking one */
} RunState;

typedef struct Runner {
    Rv100Me me;
    const uint32_t *words, *end;
    size_t feed;                /* words given at a time, 0 = all */
    /* A register write (me_addr < 0: dword, value) or a microcode word. */
    void (*reg)(struct Runner *r, uint32_t dword, uint32_t value);
    void (*me_word)(struct Runner *r, uint8_t addr, uint8_t hi, uint32_t lo);
    void *opaque;
} Runner;

/* Load the image; reg and me_word (may be NULL) are set by the caller after. */
void runner_init(Runner *r, const Image *image, const Rv100MeChip *chip);
/* Give the engine n more words and run until it stalls or is wedged. */
RunState runner_run(Runner *r, const uint32_t *words, size_t n,
                    uint64_t max_steps);
const char *runner_state_name(RunState state);

#endif
