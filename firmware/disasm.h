/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disassembler. What it prints assembles to the same bits. */
#ifndef RV100_DISASM_H
#define RV100_DISASM_H

#include <glib.h>

#include "flow.h"

/* Names and comments of words: from the jump table, or from a side file. */
typedef struct Labels {
    char *name[RV100_ME_WORDS];
    char *comment[RV100_ME_WORDS];
    bool head[RV100_ME_WORDS];  /* begins a section: the name says more than
                                 * the address */
} Labels;

/* An image with all that is known about its words. */
typedef struct Listing {
    Flow f;
    Labels l;
} Listing;

typedef enum DisasmStyle {
    DISASM_SOURCE = 0,
    DISASM_ADDRESS = 1 << 0,    /* address and bits in a comment */
    DISASM_RAW = 1 << 1,        /* every field in a comment */
    DISASM_MARKS = 1 << 2,      /* how sure each operation is, in a comment */
    DISASM_XREF = 1 << 3,       /* who comes from where, above a label */
} DisasmStyle;

/* type0, p_PACKET and so on where packets enter, L_2a for other targets. */
void labels_init(Labels *l, const Flow *f);
void labels_clear(Labels *l);
/* A side file: lines "aa name", "aa name # comment" or "aa - # comment". The
 * names replace those of labels_init(). */
bool labels_parse(Labels *l, const char *file, const char *text, size_t len,
                  GError **error);
bool labels_load(Labels *l, const char *path, GError **error);
/* The chip and the side file may be NULL: what the image says, no names. NULL and a
 * reason when a file cannot be used. */
Listing *listing_load(const char *image, const char *chip, const char *symbols,
                      GError **error);
void listing_free(Listing *x);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Listing, listing_free)
/* First word of the section of a word. */
unsigned labels_section(const Labels *l, unsigned addr);
/* "name", or "name+2" behind one, or "0x2a". To be freed. */
char *labels_place(const Labels *l, unsigned addr);

/* One instruction, without address and label. */
void disasm_word(GString *s, const Flow *f, const Labels *l, unsigned addr);
/* The whole image as assembler source. */
void disasm_image(GString *s, const Flow *f, const Labels *l,
                  const char *title, unsigned style);

#endif
