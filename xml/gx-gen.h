/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the generator of C names and tables; each writes one file. */
#ifndef GX_GEN_H
#define GX_GEN_H

#include <stdio.h>

#include "gx.h"

typedef struct GenOut {
    FILE *f;
    GHashTable *macros;         /* name -> GxLoc of the element */
    unsigned n_errors;
} GenOut;

/* "#define NAME text"; a second definition of a name is an error that names
 * both elements. */
void gen_define(GenOut *out, GxLoc loc, const char *name, const char *format,
                ...) G_GNUC_PRINTF(4, 5);
/* A C identifier in upper case; to be freed. */
char *gen_ident(const char *name);
/* A C string literal with its quotes; to be freed. */
char *gen_string(const char *text);
/* SHIFT, LENGTH and MASK of a field. */
void gen_field_macros(GenOut *out, const char *prefix, const GxField *f);

void gen_regs_header(GenOut *out, const GxDoc *doc);
void gen_regs_table(GenOut *out, const GxDoc *doc);
void gen_accessors(GenOut *out, const GxDoc *doc);
void gen_me_header(GenOut *out, const GxDoc *doc);
void gen_me_tables(GenOut *out, const GxDoc *doc);
void gen_pm4_header(GenOut *out, const GxDoc *doc);
void gen_pm4_tables(GenOut *out, const GxDoc *doc);
void gen_doc(GenOut *out, const GxDoc *doc);
void gen_register_page(GenOut *out, const GxDoc *doc);
void gen_packet_page(GenOut *out, const GxDoc *doc);
void gen_vim(GenOut *out, const GxDoc *doc);
void gen_textmate(GenOut *out, const GxDoc *doc);

#endif
