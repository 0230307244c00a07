/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chip's state in bytes by its field table, for steps back and tests. */
#ifndef RV100_SNAPSHOT_H
#define RV100_SNAPSHOT_H

#include <glib.h>

#include "rv100/chip.h"

GByteArray *snapshot_save(const Rv100 *chip);
/* One that snapshot_save() has made: the members alone (how many bytes they
 * are), or all that follows from them, too. */
size_t snapshot_put(Rv100 *chip, const GByteArray *state);
void snapshot_load(Rv100 *chip, const GByteArray *state);

#endif
