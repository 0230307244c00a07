/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk over the fields in a row of dwords. */
#include "gx-private.h"

#define MAX_NEST (2 * GX_MAX_DEPTH)

typedef struct Walk {
    const uint32_t *words;
    size_t n;
    const GxWalkOps *ops;
    void *opaque;
    GxWalkResult result;
    uint64_t steps;             /* left; bounds empty repetitions and structs
                                 * that overlap */
    unsigned n_named;
    struct {
        const char *name;
        int64_t value;
    } named[GX_MAX_NAMED];
} Walk;

uint64_t gx_get_bits(const uint32_t *words, size_t n, uint64_t bit,
                     unsigned bits)
{
    uint64_t v = 0;

    bits = MIN(bits, 64);
    for (unsigned done = 0; done < bits;) {
        uint64_t at = bit + done;
        unsigned shift = at % 32;
        unsigned take = MIN(32 - shift, bits - done);
        uint64_t word = at / 32 < n ? words[at / 32] >> shift : 0;

        v |= (word & ((UINT64_C(1) << take) - 1)) << done;
        done += take;
    }
    return v;
}

static bool look_up(void *opaque, const char *name, int64_t *value)
{
    const Walk *w = opaque;

    for (unsigned i = w->n_named; i > 0; i--) {
        if (w->named[i - 1].name == name) {
            *value = w->named[i - 1].value;
            return true;
        }
    }
    *value = 0;                 /* in a part that was not there */
    return true;
}

/* The newest value of a name replaces the older one. */
static void remember(Walk *w, const GxField *f, uint64_t raw)
{
    unsigned bits = gx_field_bits(f);
    int64_t v = (int64_t)raw;
    unsigned i;

    if (f->type == GX_INT && bits < 64 && raw >> (bits - 1)) {
        v = (int64_t)(raw | ~((UINT64_C(1) << bits) - 1));
    }
    for (i = 0; i < w->n_named && w->named[i].name != f->name; i++) {
        continue;
    }
    if (i == GX_MAX_NAMED) {
        return;
    }
    w->named[i].name = f->name;
    w->named[i].value = v;
    w->n_named = MAX(w->n_named, i + 1);
}

static void cover(Walk *w, uint64_t end)
{
    w->result.dwords = MAX(w->result.dwords, (end + 31) / 32);
}

static uint64_t walk_items(Walk *w, const GxGroup *g, uint64_t base,
                           unsigned depth, unsigned index);

/* A struct without a length ends where its contents do. */
static uint64_t walk_struct(Walk *w, const GxVisit *v, uint64_t end)
{
    const GxContainer *c = v->field->structure;
    uint64_t inner;

    if (w->ops->open) {
        w->ops->open(w->opaque, v);
    }
    inner = walk_items(w, c->root, v->bit, v->depth + 1, v->index);
    if (w->ops->close) {
        w->ops->close(w->opaque, v);
    }
    end = c->length ? end : MAX(inner, v->bit);
    cover(w, MIN(end, (uint64_t)w->n * 32));
    return end;
}

/* Returns the bit behind the field. */
static uint64_t walk_field(Walk *w, const GxField *f, uint64_t base,
                           unsigned depth, unsigned index)
{
    GxVisit v = { f, NULL, depth, index, base + f->start };
    uint64_t end = base + f->end + 1;
    uint64_t limit = (uint64_t)w->n * 32;
    uint64_t raw;

    if ((f->structure ? v.bit >= limit : end > limit) || w->steps == 0) {
        w->result.truncated = true;
        return end;
    }
    w->steps--;
    if (f->structure) {
        return walk_struct(w, &v, end);
    }
    raw = gx_get_bits(w->words, w->n, v.bit, gx_field_bits(f));
    if (f->named) {
        remember(w, f, raw);
    }
    w->ops->field(w->opaque, &v, raw);
    cover(w, end);
    return end;
}

/* How often; UINT64_MAX = to the end of the dwords. */
static uint64_t repetitions(Walk *w, const GxGroup *g)
{
    int64_t v;

    if (g->present_if && gx_expr_eval(g->present_if, look_up, w, &v) && !v) {
        return 0;
    }
    if (g->count_from) {
        gx_expr_eval(g->count_from, look_up, w, &v);
        return v < 0 ? 0 : (uint64_t)v;
    }
    return g->count ? g->count : UINT64_MAX;
}

static uint64_t walk_group(Walk *w, const GxGroup *g, uint64_t base,
                           uint64_t previous, unsigned depth)
{
    uint64_t at = g->flows ? (previous + 31) / 32 * 32 : base + g->start;
    uint64_t left = repetitions(w, g);
    uint64_t limit = (uint64_t)w->n * 32;

    for (unsigned index = 0; left; index++, left--) {
        GxVisit v = { NULL, g, depth, index, at };
        uint64_t end;

        if (at >= limit || w->steps == 0) {
            w->result.truncated |= left != UINT64_MAX - index;
            break;
        }
        w->steps--;
        if (w->ops->open) {
            w->ops->open(w->opaque, &v);
        }
        end = walk_items(w, g, at, depth + 1, index);
        if (w->ops->close) {
            w->ops->close(w->opaque, &v);
        }
        end = g->size ? at + g->size : (end + 31) / 32 * 32;
        if (end == at && left == UINT64_MAX - index) {
            break;              /* nothing in it: would never end */
        }
        at = end;
    }
    return at;
}

static uint64_t walk_items(Walk *w, const GxGroup *g, uint64_t base,
                           unsigned depth, unsigned index)
{
    uint64_t end = base;

    if (depth >= MAX_NEST) {
        return end;
    }
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);
        uint64_t e = it->field ? walk_field(w, it->field, base, depth, index)
                               : walk_group(w, it->group, base, end, depth);

        end = MAX(end, e);
    }
    return end;
}

GxWalkResult gx_walk(const GxContainer *c, const uint32_t *words, size_t n,
                     const GxWalkOps *ops, void *opaque)
{
    Walk w = {
        .words = words, .n = n, .ops = ops, .opaque = opaque,
        .steps = (uint64_t)n * 32 * 8 + GX_MAX_COUNT,
    };

    walk_items(&w, c->root, 0, 0, 0);
    return w.result;
}
