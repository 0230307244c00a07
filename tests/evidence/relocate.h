/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_RELOCATE_H
#define TESTS_RELOCATE_H

#include "reference.h"

/*
 * The same program elsewhere: code and constants at other addresses (jump
 * targets, operands and the byte table follow), the general-purpose scratch
 * registers exchanged with the BIOS scratch registers. Entries 0..3 and the
 * byte table stay. Free with program_free().
 */
RefProgram *program_relocate(const RefProgram *p, GRand *rand);
void program_free(RefProgram *p);

#endif
