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

/* What a vector runs on. VRAM is at card address 0. */
typedef struct VectorTarget {
    void (*write)(void *opaque, uint32_t offset, uint32_t value);
    uint32_t (*read)(void *opaque, uint32_t offset);
    uint32_t (*peek)(void *opaque, uint32_t addr, uint32_t bytes);
    void (*poke)(void *opaque, uint32_t addr, uint32_t bytes, uint32_t value);
    void *opaque;
} VectorTarget;

/* From power-on state with VRAM all 0. Fails the test where an expectation is
 * not met. */
void vector_run(const VectorTarget *t, const Vector *vector);

#endif
