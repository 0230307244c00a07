/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay: a capture on the chip library. What the chip does is compared with
 * what it did.
 */
#ifndef RV100_REPLAY_H
#define RV100_REPLAY_H

#include "capture.h"

typedef struct ReplayStats {
    uint64_t calls;             /* from the host */
    uint64_t packets, writes;   /* of the engine */
    uint64_t reads;             /* of registers by the host */
    uint64_t memory;            /* bytes from memory */
    uint64_t interrupts;        /* changes of INTA */
    uint64_t frames;            /* pictures that changed */
} ReplayStats;

typedef struct ReplayOptions {
    /* A picture of head 0 that differs from the one before: 0x00RRGGBB pixels.
     * (may be NULL) False ends the replay. */
    bool (*frame)(void *opaque, uint64_t number, uint32_t width,
                  uint32_t height, const uint32_t *pixels);
    void *opaque;
} ReplayOptions;

typedef enum ReplayResult {
    REPLAY_SAME,
    REPLAY_DIFFERS,             /* *difference says where and how */
    REPLAY_STOPPED,             /* by frame() */
} ReplayResult;

/* Up to the end, or the cut, of the capture. *difference is to be freed. */
ReplayResult replay_run(Capture *c, const ReplayOptions *o, ReplayStats *stats,
                        char **difference);

#endif
