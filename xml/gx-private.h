/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the gx library only. */
#ifndef GX_PRIVATE_H
#define GX_PRIVATE_H

#include "gx.h"

/* Expressions: postfix code. */
typedef enum GxOp {
    OP_NUMBER, OP_NAME, OP_SELECT, OP_NOT, OP_INVERT, OP_NEGATE,
    OP_OR, OP_AND, OP_BITOR, OP_BITAND, OP_EQ, OP_NE, OP_LE, OP_LT, OP_GE,
    OP_GT, OP_SHL, OP_SHR, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD,
} GxOp;

typedef struct GxCode {
    GxOp op;
    int64_t number;
    const char *name;
} GxCode;

struct GxExpr {
    const char *text;
    unsigned n;
    const GxCode *code;
};

/* Memory that lives as long as the document. */
void *gx_alloc(GxDoc *doc, size_t size);
const char *gx_intern(GxDoc *doc, const char *text);
GPtrArray *gx_ptr_array(GxDoc *doc);
GArray *gx_item_array(GxDoc *doc);

/* An error in any file. */
void gx_error(GxDoc *doc, GxLoc loc, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* An error in our own files, a warning in foreign ones. */
void gx_complain(GxDoc *doc, GxLoc loc, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* NULL and *why when the text is not an expression. */
GxExpr *gx_expr_parse(GxDoc *doc, const char *text, const char **why);

void gx_resolve(GxDoc *doc);
void gx_check(GxDoc *doc);
char *gx_register_key(GxSpace space, const char *name);

#endif
