/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading capture files (include/rv100/capture.h has their form). */
#ifndef RV100_CAPTURE_READER_H
#define RV100_CAPTURE_READER_H

#include <glib.h>

#include "rv100/capture.h"

typedef struct Capture {
    const char *name;           /* for messages */
    const uint8_t *data;
    size_t len, at;             /* bytes; the next record */
    uint32_t vram_size, slice_steps, fetch_words;
    uint64_t n;                 /* records read */
    uint64_t skipped;           /* ... of unknown kinds */
    bool ended;                 /* the end mark was there */
    char *cut;                  /* why nothing follows, NULL = it ended */
    bool damaged;               /* ... because the contents are impossible */
} Capture;

typedef struct CaptureRecord {
    Rv100CaptureKind kind;
    uint64_t number;            /* of the record, from 0 */
    size_t at;                  /* byte in the file */
    int64_t time;               /* calls only */
    const uint8_t *data;        /* payload, of calls: behind the time */
    uint32_t len;
} CaptureRecord;

/* False with an error: no capture, or of another version. */
bool capture_open(Capture *c, const char *name, const uint8_t *data,
                  size_t len, GError **error);
/* False: nothing follows; `cut` says why. */
bool capture_next(Capture *c, CaptureRecord *r);
/* The same record again by the next capture_next(). */
void capture_back(Capture *c, const CaptureRecord *r);
/* To the first record. */
void capture_rewind(Capture *c);
void capture_close(Capture *c);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Capture, capture_close)

static inline uint32_t capture_32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

static inline uint64_t capture_64(const uint8_t *p)
{
    return capture_32(p) | (uint64_t)capture_32(p + 4) << 32;
}

#endif
