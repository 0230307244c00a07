/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine around the chip for rv100 debug: VRAM, some memory with a ring in
 * it, a clock that engine units drive. It is deterministic, so that any earlier
 * point can be brought back: from the checkpoint before it by doing it again.
 *
 * Card addresses: VRAM from 0 on, memory at OFFLINE_MEMORY (not through a GART).
 */
#ifndef RV100_OFFLINE_H
#define RV100_OFFLINE_H

#include "image.h"
#include "rv100/debug.h"

#define OFFLINE_MEMORY 0x10000000u
#define OFFLINE_MAX_STEPS 1000000   /* default limit without a consumed word */

typedef struct Offline Offline;

typedef struct OfflineConfig {
    const Image *image;
    const Rv100MeChip *chip;
    const uint32_t *words;      /* the stream */
    size_t n_words;             /* at most OFFLINE_MAX_WORDS */
    uint32_t vram_size;
    uint64_t max_steps;         /* 0: the default */
} OfflineConfig;

#define OFFLINE_MAX_WORDS (4u << 20)

/* out gets the chip's messages. The debugger is attached and halted. */
Offline *offline_new(const OfflineConfig *config, GString *out);
void offline_free(Offline *o);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Offline, offline_free)
Rv100Debug *offline_debug(Offline *o);
Rv100 *offline_chip(Offline *o);
/* From a signal handler: halt soon, now or when it goes on; off: forget that. */
void offline_interrupt(Offline *o, bool on);

/* VRAM and memory, for tests. */
uint8_t *offline_vram(Offline *o);
uint8_t *offline_memory(Offline *o, uint32_t *size);

#endif
