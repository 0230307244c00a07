/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What could go wrong in an image, found without running it. */
#ifndef RV100_CHECK_H
#define RV100_CHECK_H

#include <glib.h>

#include "disasm.h"
#include "flow.h"

typedef enum CheckKind {
    CHECK_ENTRY,                /* a packet begins at an empty word */
    CHECK_OPCODE,               /* an opcode of the jump table has no handler */
    CHECK_ENDLESS,              /* a loop that may never take a word */
    CHECK_EMPTY,                /* an empty word is executed: never ends */
    CHECK_TABLE,                /* the jump table is executed */
    CHECK_DATA,                 /* a constant is executed */
    CHECK_WRAP,                 /* runs over the last word */
    CHECK_STACK,                /* a third return address: the first is lost */
    CHECK_RETURN,               /* a return with an empty stack: stays there */
    CHECK_UNKNOWN,              /* an operation of unknown effect */
    CHECK_OVERWRITE,            /* code that is overwritten by the program */
    CHECK_KINDS,
} CheckKind;

typedef struct CheckFinding {
    uint8_t addr;
    CheckKind kind;
    char *text;
} CheckFinding;

const char *check_kind_name(CheckKind kind);
/* -1 when there is none of the name. */
int check_kind(const char *name);
/* Findings by address. */
GArray *check_image(const Flow *f);

#endif
