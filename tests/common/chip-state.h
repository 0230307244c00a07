/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_CHIP_STATE_H
#define TESTS_CHIP_STATE_H

#include "fake-host.h"

/* The state of a chip by its field table, as migration moves it. */
GByteArray *chip_save(Rv100 *chip);
/* False with the reason in *why when the state is refused. */
bool chip_load(Rv100 *chip, const GByteArray *state, const char **why);
/* Name of the first field that differs, `except` (may be NULL) aside, or NULL. */
const char *chip_differ(const GByteArray *a, const GByteArray *b,
                        const char *except);

#endif
