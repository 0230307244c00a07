/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_CHIP_STATE_H
#define TESTS_CHIP_STATE_H

#include "fake-host.h"
#include "snapshot.h"

/* A state of snapshot_save(), as migration moves it: false with the reason in *why
 * when it is refused. */
bool chip_load(Rv100 *chip, const GByteArray *state, const char **why);
/* Name of the first field that differs, `except` (may be NULL) aside, or NULL. */
const char *chip_differ(const GByteArray *a, const GByteArray *b,
                        const char *except);

#endif
