/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text form of command streams to words: what decode-text.c prints, and
 * what people write. docs/decode.md describes it.
 */
#ifndef RV100_ENCODE_H
#define RV100_ENCODE_H

#include "decode.h"

/* A GArray of uint32_t; NULL with an error that names file and line. */
GArray *encode_text(const DecodeSet *set, const char *name, const char *text,
                    size_t len, GError **error);

#endif
