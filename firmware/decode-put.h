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
    if (digits % 2) {
        *p++ = put_hex_pairs[2 * (v >> 4 * (digits - 1) & 15) + 1];
    }
    for (int by = 4 * (int)(digits & ~1u) - 8; by >= 0; by -= 8) {
        memcpy(p, put_hex_pairs + 2 * (v >> by & 0xff), 2);
        p += 2;
    }
    return p;
}

static inline char *put_4_digits(char *p, unsigned v)
{
    memcpy(p, put_decimal_pairs + 2 * (v / 100), 2);
    memcpy(p + 2, put_decimal_pairs + 2 * (v % 100), 2);
    return p + 4;
}

char *put_long_decimal(char *p, uint64_t v);

static inline char *put_decimal(char *p, uint64_t v)
{
    unsigned w = (unsigned)v;

    if (v >= 10000) {
        return put_long_decimal(p, v);
    }
    if (w >= 1000) {
        return put_4_digits(p, w);
    }
    if (w >= 100) {
        *p++ = (char)('0' + w / 100);
        w %= 100;
    } else if (w < 10) {
        *p = (char)('0' + w);
        return p + 1;
    }
    memcpy(p, put_decimal_pairs + 2 * w, 2);
    return p + 2;
}

#endif
