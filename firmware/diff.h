/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparing two images. */
#ifndef RV100_DIFF_H
#define RV100_DIFF_H

#include <glib.h>

#include "disasm.h"
#include "flow.h"

/* Words that follow each other in both images. */
typedef struct DiffRun {
    unsigned a, b, length;
} DiffRun;

/* The differences, section by section (from one name of a packet or a side file
 * to the next), as text; the number of lines that are not common. */
unsigned diff_images(GString *s, const Listing *a, const Listing *b);
/* The longest run of common words outside the entries and jump tables; empty
 * words do not count. `moved`: addresses of jumps and constants may differ. */
DiffRun diff_longest_run(const Flow *a, const Flow *b, bool moved);

#endif
