/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random packets that a driver may send [packets]. */
#ifndef TESTS_PM4_RANDOM_H
#define TESTS_PM4_RANDOM_H

#include <glib.h>
#include <stdint.h>

typedef struct Pm4Random {
    GRand *rand;
    GArray *words;              /* uint32_t: the packet made last */
    const uint8_t *free_words;  /* microcode addresses that may be loaded */
    unsigned n_free;
} Pm4Random;

/* Number of kinds of packets: opcodes with and without settings, types 0 to 2. */
unsigned pm4_kinds(void);
/* Its name, for messages. */
const char *pm4_kind_name(unsigned kind);
/* Make one; its words replace those before. */
void pm4_random(Pm4Random *p, unsigned kind);

#endif
