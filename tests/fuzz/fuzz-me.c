/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any microcode, any stream: the microengine ends in the state that the slow
 * interpreter ends in, and in one that it calls possible.
 *
 * Input: generation, words of the window, number of microcode words, those
 * (address, high, low), then the stream.
 */
#include "fuzz.h"
#include "fast-me.h"

#define UNITS 1500

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzInput in = { data, data + size };
    SlowChip chip = fuzz_take(&in, 1) & 3;
    guint chunk = fuzz_take(&in, 1) + 1;
    guint words = fuzz_take(&in, 1);
    g_autofree char *differ = NULL;
    const char *why = "";
    FastMe f;
    SlowMe s;

    fast_me_init(&f, slow_chip_name(chip), chunk);
    slow_me_init(&s, chip);
    for (guint i = 0; i < words && fuzz_left(&in); i++) {
        uint8_t at = fuzz_take(&in, 1), hi = fuzz_take(&in, 1);
        uint32_t lo = fuzz_take(&in, 4);

        rv100_me_load(&f.me, at, hi, lo);
        slow_me_load(&s, at, hi, lo);
    }
    while (fuzz_left(&in)) {
        uint32_t word = fuzz_take(&in, 4);

        fast_me_feed(&f, &word, 1);
        slow_me_feed(&s, &word, 1);
    }
    rv100_me_run(&f.me, UNITS, NULL);
    slow_me_run(&s, UNITS);
    differ = both_me_differ(&f, &s);
    if (differ) {
        g_error("%s", differ);
    }
    if (chip == SLOW_R100 && !rv100_me_check(&f.me, &why)) {
        g_error("a state that was reached is refused: %s", why);
    }
    fast_me_clear(&f);
    slow_me_clear(&s);
    return 0;
}
