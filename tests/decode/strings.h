/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A decoder that makes a string for each value and each field and joins them,
 * as many decoders do. Its text is that of rv100 decode without options, made
 * in another way: by gx_walk() and printf.
 */
#ifndef RV100_TEST_STRINGS_H
#define RV100_TEST_STRINGS_H

#include "decode.h"

typedef struct Strings {
    const DecodeSet *set;
    GString *out;
    uint32_t last[DECODE_REGS];
    bool seen[DECODE_REGS];
    /* the packet at hand */
    const uint32_t *words;
    size_t n, want;
    const GxContainer *c;
    uint32_t *covered;          /* bits that a line says */
    bool *wrong;                /* words in which ones are missing */
    unsigned indent;
    bool in_register, single;
    GPtrArray *fields;          /* of the register at hand: strings */
} Strings;

void strings_init(Strings *s, const DecodeSet *set, GString *out);
void strings_clear(Strings *s);
/* As decoder_stream(). */
size_t strings_stream(Strings *s, uint64_t offset, const uint32_t *words,
                      size_t n, bool last);

#endif
