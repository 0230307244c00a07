/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting text at a cursor in the decoder's output. put_room() sees to the
 * room, once for a line; the others only copy, and always in whole blocks:
 * they may write up to PUT_SLACK bytes more than they say.
 */
#ifndef RV100_DECODE_PUT_H
#define RV100_DECODE_PUT_H

#include <string.h>

#include "decode-private.h"

#define PUT_SLACK 64
#define PUT_NUMBER 24           /* no number is longer */

static inline char *put_begin(Decoder *d)
{
    d->limit = d->out->str + d->out->allocated_len;
    return d->out->str + d->out->len;
}

static inline void put_end(Decoder *d, char *p)
{
    d->out->len = (gsize)(p - d->out->str);
    *p = 0;                     /* room: the slack */
}

char *put_more_room(Decoder *d, char *p, size_t n);

/* n bytes will be put, and the slack. */
static inline char *put_room(Decoder *d, char *p, size_t n)
{
    if (G_UNLIKELY((size_t)(d->limit - p) < n + PUT_SLACK)) {
        return put_more_room(d, p, n);
    }
    return p;
}

/* Text with PLAN_BLOCK bytes behind it. */
static inline char *put_text(char *p, PlanText t)
{
    for (uint32_t i = 0; i < t.len; i += PLAN_BLOCK) {
        memcpy(p + i, t.s + i, PLAN_BLOCK);
    }
    return p + t.len;
}

#define put_literal(p, text) \
    ((char *)memcpy(p, text, sizeof(text) - 1) + sizeof(text) - 1)

static inline char *put_blanks(char *p, unsigned n)
{
    for (unsigned i = 0; i < n; i += 16) {
        memcpy(p + i, "                ", 16);
    }
    return p + n;
}

extern const char put_hex_pairs[512], put_decimal_pairs[200];

static inline char *put_hex32(char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++) {
        memcpy(p + 2 * i, put_hex_pairs + 2 * (v >> (24 - 8 * i) & 0xff), 2);
    }
    return p + 8;
}

static inline char *put_hex(char *p, uint64_t v, unsigned digits)
{
    char text[32];

    put_hex32(text, (uint32_t)(v >> 32));
    put_hex32(text + 8, (uint32_t)v);
    memcpy(p, text + 16 - digits, 16);
    return p + digits;
}

static inline char *put_decimal(char *p, uint64_t v)
{
    char text[40];
    unsigned at = 20;

    if (v < 10) {
        *p = (char)('0' + v);
        return p + 1;
    }
    for (; v >= 100; v /= 100) {
        at -= 2;
        memcpy(text + at, put_decimal_pairs + 2 * (v % 100), 2);
    }
    if (v >= 10) {
        at -= 2;
        memcpy(text + at, put_decimal_pairs + 2 * v, 2);
    } else {
        text[--at] = (char)('0' + v);
    }
    memcpy(p, text + at, 20);
    return p + 20 - at;
}

#endif
