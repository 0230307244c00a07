/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fuzz target is one function of libFuzzer's shape. driver.c runs it on inputs
 * made from fixed seeds, or on files; with -Dfuzzers=true clang's libFuzzer does.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input as a source of values; 0 when it is used up. */
typedef struct FuzzInput {
    const uint8_t *p, *end;
} FuzzInput;

static inline uint32_t fuzz_take(FuzzInput *in, unsigned bytes)
{
    uint32_t v = 0;

    for (unsigned i = 0; i < bytes && in->p < in->end; i++) {
        v |= (uint32_t)*in->p++ << 8 * i;
    }
    return v;
}

static inline size_t fuzz_left(const FuzzInput *in)
{
    return in->end - in->p;
}

#endif
