/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "chip-state.h"

bool chip_load(Rv100 *chip, const GByteArray *state, const char **why)
{
    g_assert_cmpuint(snapshot_put(chip, state), ==, state->len);
    if (!rv100_state_check(chip, why)) {
        return false;
    }
    rv100_state_loaded(chip);
    return true;
}

const char *chip_differ(const GByteArray *a, const GByteArray *b,
                        const char *except)
{
    size_t n, at = 0;
    const Rv100StateField *f = rv100_state_fields(&n);

    for (size_t i = 0; i < n; i++) {
        size_t len = (size_t)f[i].size * f[i].count;

        if (memcmp(a->data + at, b->data + at, len)
            && g_strcmp0(f[i].name, except)) {
            return f[i].name;
        }
        at += len;
    }
    return NULL;
}
