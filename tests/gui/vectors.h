/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The 2D test vectors of the reference material, parsed at run time. */
#ifndef TESTS_GUI_VECTORS_H
#define TESTS_GUI_VECTORS_H

#include <glib.h>
#include <stdint.h>

typedef enum StepKind {
    STEP_WRITE,                 /* offset, value */
    STEP_READ,                  /* offset, mask, value */
    STEP_PUT,                   /* x, y, value */
    STEP_FILL,                  /* x0, y0, x1, y1, value; inclusive */
    STEP_MEM,                   /* address, dword */
    STEP_BOX,                   /* size, border, x, y: prefill */
    STEP_COLORHOST,             /* size, border: the box as host data */
    STEP_EXPECT,                /* x, y, value */
    STEP_EXPECT_RECT,           /* x0, y0, x1, y1, value; inclusive */
    STEP_EXPECT_MEM,            /* address, dword */
    STEP_FB,                    /* bytes per pixel, pitch, base */
} StepKind;

typedef struct Step {
    StepKind kind;
    uint32_t arg[5];
    guint line;                 /* of the file */
} Step;

typedef struct Vector {
    char *name;                 /* "025-rop3-copy-16x16" */
    char *mark;                 /* hw, doc, drv, ... */
    GArray *steps;              /* Step */
} Vector;

typedef struct Vectors {
    GArray *init;               /* Step: writes before each vector */
    GPtrArray *list;            /* Vector * */
} Vectors;

/* NULL when the file is absent; a file that cannot be understood ends the
 * program with its line. Kept for the life of the process. */
const Vectors *vectors_read(void);

#endif
