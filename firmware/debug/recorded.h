/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture of the device under the debugger: the chip gets the same calls,
 * times and memory as the card did; the user can halt it anywhere in them.
 */
#ifndef RV100_RECORDED_H
#define RV100_RECORDED_H

#include "capture.h"
#include "rv100/debug.h"

typedef struct Recorded Recorded;

/* The capture's first state is loaded, the debugger attached and halted. out
 * gets messages. NULL with an error: there is no state that could be loaded.
 * The capture must outlive it. */
Recorded *recorded_new(Capture *c, GString *out, GError **error);
void recorded_free(Recorded *m);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Recorded, recorded_free)
Rv100Debug *recorded_debug(Recorded *m);
Rv100 *recorded_chip(Recorded *m);
/* VRAM, for tests. */
uint8_t *recorded_vram(Recorded *m);
/* As offline_interrupt(). */
void recorded_interrupt(Recorded *m, bool on);

#endif
