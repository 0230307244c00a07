/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random 2D operations as register writes, with the corners boosted: sizes and
 * coordinates 0, 1, largest, at changes of sign; overlapping copies; inverted
 * scissors; surfaces at the end of VRAM.
 */
#ifndef TESTS_GUI_RANDOM_OPS_H
#define TESTS_GUI_RANDOM_OPS_H

#include "target.h"

typedef struct RandomOps {
    uint64_t state;             /* of the generator of numbers */
    GArray *out;                /* GuiWrite: appended to */
    uint32_t bytes;             /* per pixel of the next operation */
    bool wild;                  /* surfaces anywhere on the card */
    bool gart;                  /* surfaces behind the GART, too */
} RandomOps;

void random_ops_init(RandomOps *r, uint64_t seed, GArray *out);
/* Registers that all operations of a case share. */
void random_ops_begin(RandomOps *r);
/* One operation, with the registers that it changes. */
void random_ops_one(RandomOps *r);

#endif
