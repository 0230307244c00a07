/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --xml of the tool: which description a stream is read with. */
#ifndef RV100_DESCRIPTION_H
#define RV100_DESCRIPTION_H

#include "decode.h"

typedef struct Description {
    GxDoc *loaded;              /* from a file, or NULL */
    DecodeSet *set;
} Description;

/* xml: NULL for our own packets, the name of a built-in description
 * (gen75-media) or a file of the genxml dialect. Warnings about a file are
 * printed if `verbose`; at most a few otherwise. */
bool description_load(Description *x, const char *xml, const char *engine,
                      bool verbose, GError **error);
void description_clear(Description *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Description, description_clear)

#endif
