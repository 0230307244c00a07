/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of register writes, played on chip and painter, compared, shrunk. */
#ifndef TESTS_GUI_REPLAY_H
#define TESTS_GUI_REPLAY_H

#include "target.h"

/* From the power-on state with VRAM as of gui_noise(seed): the difference, or
 * NULL. */
char *replay_writes(Gui *g, uint32_t seed, const GArray *writes);
/* Remove writes as long as a difference remains. */
void replay_shrink(Gui *g, uint32_t seed, GArray *writes);
/* Text as a failing random test prints it: "noise SEED", "w OFFSET VALUE", "#"
 * comments. False: not such a text. */
bool replay_parse(const char *text, uint32_t *seed, GArray *writes);

#endif
