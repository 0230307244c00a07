/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The microcode assembler. The language: docs/microcode-language.md.
 */
#ifndef RV100_ASM_H
#define RV100_ASM_H

#include <glib.h>
#include <stdbool.h>

#include "image.h"
#include "rv100/me.h"

typedef struct AsmResult {
    Image image;
    const Rv100MeChip *chip;
    bool used[RV100_ME_WORDS];  /* words that the source defines */
    unsigned line[RV100_ME_WORDS];      /* where, and in which of the files */
    const char *file[RV100_ME_WORDS];
    GString *messages;          /* errors and warnings, one with source line and
                                 * caret each */
    unsigned n_errors, n_warnings;
    GString *listing;           /* "aa: hh llllllll  source" */
    GString *symbols;           /* "aa label" lines, as rv100 disasm reads */
    GPtrArray *files;           /* names of the files read */
} AsmResult;

/* Assemble a text; `name` is used in messages and as the place that .include
 * is relative to. False when there were errors. */
bool asm_text(const char *name, const char *text, size_t len, AsmResult *out);
void asm_result_clear(AsmResult *r);

#endif
