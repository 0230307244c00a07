/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine of rv100 debug with the free image and a stream of packets. */
#ifndef TESTS_DEBUG_MACHINE_H
#define TESTS_DEBUG_MACHINE_H

#include "offline.h"

typedef struct Machine {
    GString *out;
    GArray *words;              /* uint32_t */
    Offline *offline;
    Rv100Debug *debug;
    Rv100 *chip;
} Machine;

/* n packets of many kinds with contents out of a seed; draw: not clipped away. */
Machine *machine_new(unsigned n_packets, guint32 seed, bool draw,
                     uint64_t max_steps);
/* The same with the words given. */
Machine *machine_with(const uint32_t *words, size_t n);
void machine_free(Machine *m);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Machine, machine_free)
/* Execute a line; what it prints stays in m->out until the next one. */
Rv100DebugResult machine_do(Machine *m, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* ... and it must succeed and print this. */
void machine_expect(Machine *m, const char *line, const char *text);

#endif
