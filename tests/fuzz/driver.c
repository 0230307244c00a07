/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a fuzz target without libFuzzer.
 *
 * usage: fuzz-TARGET [-runs=N] [-seed=N] [FILE...]
 *
 * Without files: N inputs of the seeds from the given one on, the same on every
 * machine. An input that fails can be written with -write=FILE and -runs=1.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

#define INPUT_BYTES 2048

/* Bytes, with the values that limits are made of among them. */
static size_t make_input(uint32_t seed, uint8_t *data)
{
    static const uint32_t odd[] = {
        0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc, 0x3fff, 0x4000,
        0xc0001000, 0x3fff0000, 0x40000000, 0x00001fff, 0x000001ce, 0xff, 0x100,
    };
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    size_t size = g_rand_int_range(rand, 1, INPUT_BYTES);
    unsigned percent = g_rand_int_range(rand, 0, 40);

    for (size_t i = 0; i < size; i++) {
        if (i + 4 <= size && (unsigned)g_rand_int_range(rand, 0, 100) < percent) {
            uint32_t v = odd[g_rand_int_range(rand, 0, G_N_ELEMENTS(odd))];

            memcpy(data + i, &v, 4);
            i += 3;
        } else {
            data[i] = g_rand_int(rand);
        }
    }
    return size;
}

static int run_file(const char *name)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) err = NULL;
    gsize len;

    if (!g_file_get_contents(name, &text, &len, &err)) {
        fprintf(stderr, "%s\n", err->message);
        return 2;
    }
    LLVMFuzzerTestOneInput((const uint8_t *)text, len);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned long runs = 1000, seed = 1;
    const char *write = NULL;
    int files = 0;

    for (int i = 1; i < argc; i++) {
        if (g_str_has_prefix(argv[i], "-runs=")) {
            runs = strtoul(argv[i] + 6, NULL, 0);
        } else if (g_str_has_prefix(argv[i], "-seed=")) {
            seed = strtoul(argv[i] + 6, NULL, 0);
        } else if (g_str_has_prefix(argv[i], "-write=")) {
            write = argv[i] + 7;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "%s: unknown option; -runs=N, -seed=N, -write=FILE "
                    "or files\n", argv[i]);
            return 2;
        } else if (run_file(argv[i]) == 0) {
            files++;
        } else {
            return 2;
        }
    }
    for (unsigned long n = 0; n < runs && !files; n++) {
        uint8_t data[INPUT_BYTES];
        size_t size = make_input(seed + n, data);
        /* Of its own, so that a read past the end is seen. */
        g_autofree uint8_t *copy = g_memdup2(data, size);

        if (write && !g_file_set_contents(write, (char *)data, size, NULL)) {
            fprintf(stderr, "%s: cannot be written\n", write);
            return 2;
        }
        LLVMFuzzerTestOneInput(copy, size);
    }
    return 0;
}
