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
    uint64_t frames;            /* pictures that changed, of both heads */
} ReplayStats;

typedef struct ReplayOptions {
    /* The nth picture of a head that differs from the one before: 0x00RRGGBB
     * pixels. (may be NULL) False ends the replay. */
    bool (*frame)(void *opaque, unsigned head, uint64_t number, uint32_t width,
                  uint32_t height, const uint32_t *pixels);
    /* The chip has written to VRAM. (may be NULL) */
    void (*vram_dirty)(void *opaque, uint32_t offset, uint32_t len);
    /* A message of the chip. (may be NULL) */
    void (*log)(void *opaque, const char *line);
    /* Keep what the capture knows of the guest's memory, so that the chip can
     * be looked at and led astray. */
    bool keep_memory;
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

/* --- call by call, for the debugger --- */

typedef struct Replay Replay;

Replay *replay_new(Capture *c, const ReplayOptions *o, ReplayStats *stats);
void replay_free(Replay *r);
Rv100 *replay_chip(Replay *r);
uint8_t *replay_vram(Replay *r);
/* One call and what happens in it; false: nothing follows (`cut` of the capture
 * says why when it is not its end). */
bool replay_call(Replay *r);
/* Kind of the call before. */
Rv100CaptureKind replay_kind(const Replay *r);
/* The first difference, or NULL. */
const char *replay_difference(const Replay *r);
/* Inside of a call: what the chip asks for is for a user who looks, or changes
 * something, and is not in the capture. */
void replay_pause(Replay *r, bool on);
/* The chip does something else from here on; nothing is compared. */
void replay_astray(Replay *r, bool on);

typedef struct ReplayPlace {
    size_t at;
    uint64_t n;
    int64_t time;
} ReplayPlace;

/* Between two calls. Going to a place brings everything but state and VRAM of
 * the chip to what it was there. */
ReplayPlace replay_place(const Replay *r);
void replay_go_to(Replay *r, const ReplayPlace *place);

#endif
