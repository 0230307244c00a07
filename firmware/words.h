/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text files of hexadecimal 32-bit words: streams of packets. */
#ifndef RV100_WORDS_H
#define RV100_WORDS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words separated by white space, each with or without 0x; '#' starts a
 * comment. `name` is used in messages. A GArray of uint32_t, NULL on error. */
GArray *words_parse(const char *name, const char *text, size_t len,
                    GError **error);
/* The same from a file, "-" for standard input. */
GArray *words_load(const char *path, GError **error);
/* One hexadecimal number of 1 to 8 significant digits, with or without 0x. */
bool words_hex(const char *text, size_t len, uint32_t *value);

#endif
