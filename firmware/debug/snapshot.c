/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snapshot.h"

#include <string.h>

GByteArray *snapshot_save(const Rv100 *chip)
{
    GByteArray *state = g_byte_array_new();
    size_t n;
    const Rv100StateField *f = rv100_state_fields(&n);

    for (size_t i = 0; i < n; i++) {
        g_byte_array_append(state, (const uint8_t *)chip + f[i].offset,
                            (guint)f[i].size * f[i].count);
    }
    return state;
}

size_t snapshot_put(Rv100 *chip, const GByteArray *state)
{
    size_t n, at = 0;
    const Rv100StateField *f = rv100_state_fields(&n);

    for (size_t i = 0; i < n; i++) {
        size_t bytes = (size_t)f[i].size * f[i].count;

        g_assert(at + bytes <= state->len);
        memcpy((uint8_t *)chip + f[i].offset, state->data + at, bytes);
        at += bytes;
    }
    return at;
}

void snapshot_load(Rv100 *chip, const GByteArray *state)
{
    snapshot_put(chip, state);
    rv100_state_loaded(chip);
}
