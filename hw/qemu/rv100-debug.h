/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The debugger's front ends among themselves: rv100-debug.c, rv100-hmp.c. */
#ifndef RV100_QEMU_DEBUG_H
#define RV100_QEMU_DEBUG_H

#include "device.h"

/* A device by its id or path; NULL: the first. */
RV100Device *rv100_dev_find(const char *id);
Rv100DebugResult rv100_dev_debug(RV100Device *s, const char *line, size_t len,
                                 GString *out);
/* The same for a monitor, which also gets what was said meanwhile. */
Rv100DebugResult rv100_dev_debug_monitor(RV100Device *s, const char *line, GString *out);
GStrv rv100_dev_debug_complete(RV100Device *s, const char *line, size_t *start);

#endif
