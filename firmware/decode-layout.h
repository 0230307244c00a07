/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run over a list of operations (decode-plan.h): fields as text. */
#ifndef RV100_DECODE_LAYOUT_H
#define RV100_DECODE_LAYOUT_H

#include "decode-private.h"

typedef struct LayoutRun {
    Decoder *d;
    const uint32_t *words;
    uint32_t *covered;          /* bits that are said; of registers: NULL */
    bool *wrong;                /* words in which ones are missing, or NULL */
    uint64_t limit;             /* bits that are there */
    uint64_t steps;             /* left, as in gx_walk() */
    uint64_t dwords;            /* that fields have */
    unsigned indent;
    bool truncated, first;      /* of a register: nothing put yet */
    GxNames names;
} LayoutRun;

/* Before the run. covered: n words of zeros, or NULL. Afterwards: g_free() what
 * is wrong. */
static inline void layout_begin(LayoutRun *r, Decoder *d,
                                const uint32_t *words, size_t n,
                                uint32_t *covered)
{
    r->d = d;
    r->words = words;
    r->covered = covered;
    r->wrong = NULL;
    r->limit = (uint64_t)n * 32;
    r->steps = gx_max_steps(n);
    r->dwords = 0;
    r->indent = 1;
    r->truncated = false;
    r->first = true;
    r->names.n = 0;
}

char *layout_run(LayoutRun *r, const PlanList *l, char *p);

#endif
