/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognising instructions by their first dword. */
#include <string.h>

#include "gx-private.h"

/* Fields below belong to the arguments as often as to the code. */
#define CODE_BIT 16

typedef struct Entry {
    uint32_t mask, value;           /* fields with a default */
    unsigned bits;                  /* set in mask */
    const GxContainer *c;
} Entry;

struct GxIndex {
    GArray *entries;                /* sorted by value & common */
    uint32_t common;                /* code bits that all entries have */
};

static bool has_engine(const GxContainer *c, const char *engine)
{
    g_auto(GStrv) engines = NULL;

    if (!engine || !c->engine) {
        return true;
    }
    engines = g_strsplit(c->engine, "|", -1);
    return g_strv_contains((const char *const *)engines, engine);
}

static Entry entry_of(const GxContainer *c)
{
    Entry e = { .c = c };

    for (unsigned i = 0; i < c->root->items->len; i++) {
        const GxField *f = g_array_index(c->root->items, GxItem, i).field;

        if (f && f->has_default && f->end < 32 && f != c->length_field) {
            uint64_t mask = ((UINT64_C(1) << gx_field_bits(f)) - 1)
                            << f->start;

            e.mask |= (uint32_t)mask;
            e.value |= (uint32_t)(f->dflt << f->start) & (uint32_t)mask;
        }
    }
    for (uint32_t m = e.mask; m; m &= m - 1) {
        e.bits++;
    }
    return e;
}

static int by_code(const void *a, const void *b, void *opaque)
{
    const GxIndex *x = opaque;
    uint32_t va = ((const Entry *)a)->value & x->common;
    uint32_t vb = ((const Entry *)b)->value & x->common;

    return (va > vb) - (va < vb);
}

GxIndex *gx_index_new(const GxDoc *doc, const char *engine)
{
    GxIndex *x = g_new0(GxIndex, 1);

    x->entries = g_array_new(false, false, sizeof(Entry));
    x->common = ~((1u << CODE_BIT) - 1);
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];

        if (c->kind == GX_INSTRUCTION && has_engine(c, engine)) {
            Entry e = entry_of(c);

            if (e.mask >> CODE_BIT) {
                x->common &= e.mask;
                g_array_append_val(x->entries, e);
            }
        }
    }
    g_array_sort_with_data(x->entries, by_code, x);
    return x;
}

void gx_index_free(GxIndex *index)
{
    if (index) {
        g_array_unref(index->entries);
        g_free(index);
    }
}

bool gx_index_empty(const GxIndex *index)
{
    return index->entries->len == 0;
}

uint64_t gx_instruction_dwords(const GxContainer *c, uint32_t dword)
{
    const GxField *f = c->length_field;

    if (!f) {
        return MAX(c->length, 1);
    }
    return MAX(gx_get_bits(&dword, 1, f->start, gx_field_bits(f)) + c->bias,
               1);
}

/* How well does it fit? 0: not at all. */
static unsigned score(const Entry *e, uint32_t dword)
{
    uint32_t wrong = (dword ^ e->value) & e->mask;
    unsigned s;

    if (wrong >> CODE_BIT) {
        return 0;
    }
    s = 4 * e->bits + 2;
    if (!wrong) {
        s += 4 * 32;
    }
    if (e->c->length && gx_instruction_dwords(e->c, dword) == e->c->length) {
        s++;
    }
    return s;
}

const GxContainer *gx_index_find(const GxIndex *index, uint32_t dword)
{
    const Entry *best = NULL;
    unsigned best_score = 0, lo = 0, hi = index->entries->len;
    uint32_t code = dword & index->common;

    while (lo < hi) {
        unsigned mid = (lo + hi) / 2;
        const Entry *e = &g_array_index(index->entries, Entry, mid);

        if ((e->value & index->common) < code) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    for (; lo < index->entries->len; lo++) {
        const Entry *e = &g_array_index(index->entries, Entry, lo);
        unsigned s;

        if ((e->value & index->common) != code) {
            break;
        }
        s = score(e, dword);
        if (s > best_score) {
            best_score = s;
            best = e;
        }
    }
    return best ? best->c : NULL;
}
