/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that show what the microengine does: firmware/proofs.txt. */
#ifndef RV100_PROOFS_H
#define RV100_PROOFS_H

#include <glib.h>
#include <stdbool.h>

#include "image.h"
#include "runner.h"

typedef struct ProofValue {
    char *text;                 /* as written: "GUI_SCRATCH_REG0" */
    bool me_high, count;        /* high part of a microcode word; number of
                                 * register writes */
    uint32_t at;                /* dword index, or microcode address */
    uint32_t expected, actual;
} ProofValue;

typedef struct Proof {
    char *name, *text, *source;
    GStrv shows;
    bool hardware;
    GPtrArray *packets;         /* GArray of uint32_t: fed one after the other */
    GArray *values;             /* ProofValue */
    RunState expected, actual;
    Image image;
    const Rv100MeChip *chip;
} Proof;

/* All programs of a file: Proof, assembled and run. NULL with an error that names
 * the line when the file is not as it should be. */
GPtrArray *proofs_load(const char *path, GError **error);
/* Is everything as expected? */
bool proof_holds(const Proof *p);

#endif
