/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk over the fields in a row of dwords, reading or writing them. */
#include "gx-private.h"

typedef struct Walk {
    const uint32_t *words;
    size_t n;
    void (*field)(void *opaque, const GxVisit *v, uint64_t raw);
    void (*open)(void *opaque, const GxVisit *v);
    void (*close)(void *opaque, const GxVisit *v);
    void *opaque;
    const GxEncodeOps *encode;  /* writing: NULL = reading */
    GArray *out;                /* ... to here */
    unsigned given;             /* inside a struct whose bits were given */
    GxWalkResult result;
    uint64_t steps;             /* left; bounds empty repetitions and structs
                                 * that overlap */
    GxNames names;
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

/* --- values that expressions name --- */

int64_t gx_names_get(const GxNames *names, const char *name)
{
    for (unsigned i = names->n; i > 0; i--) {
        if (names->at[i - 1].name == name) {
            return names->at[i - 1].value;
        }
    }
    return 0;
}

static bool look_up(void *opaque, const char *name, int64_t *value)
{
    *value = gx_names_get(opaque, name);
    return true;
}

/* The newest value of a name replaces the older one. */
void gx_names_set(GxNames *names, const GxField *f, uint64_t raw)
{
    unsigned bits = gx_field_bits(f);
    int64_t v = (int64_t)raw;
    unsigned i;

    if (f->type == GX_INT && bits < 64 && raw >> (bits - 1)) {
        v = (int64_t)(raw | ~((UINT64_C(1) << bits) - 1));
    }
    for (i = 0; i < names->n && names->at[i].name != f->name; i++) {
        continue;
    }
    if (i == GX_MAX_NAMED) {
        return;
    }
    names->at[i].name = f->name;
    names->at[i].value = v;
    names->n = MAX(names->n, i + 1);
}

uint64_t gx_repetitions(const GxGroup *g, GxNames *names)
{
    int64_t v;

    if (g->present_if && gx_expr_eval(g->present_if, look_up, names, &v) &&
        !v) {
        return 0;
    }
    if (g->count_from) {
        gx_expr_eval(g->count_from, look_up, names, &v);
        return v < 0 ? 0 : (uint64_t)v;
    }
    return g->count ? g->count : UINT64_MAX;
}

/* --- the walk --- */

static void cover(Walk *w, uint64_t end)
{
    uint64_t dwords = (end + 31) / 32;

    w->result.dwords = MAX(w->result.dwords, dwords);
    if (w->out && dwords > w->out->len) {
        g_array_set_size(w->out, (guint)dwords);    /* cleared */
    }
}

static void put_bits(Walk *w, uint64_t bit, unsigned bits, uint64_t raw)
{
    uint32_t *words;

    cover(w, bit + bits);
    words = (uint32_t *)w->out->data;
    for (unsigned done = 0; done < bits;) {
        uint64_t at = bit + done;
        unsigned shift = at % 32;
        unsigned take = MIN(32 - shift, bits - done);
        uint32_t mask = (uint32_t)(((UINT64_C(1) << take) - 1) << shift);

        words[at / 32] = (words[at / 32] & ~mask) |
                         ((uint32_t)(raw >> done << shift) & mask);
        done += take;
    }
}

static uint64_t written_bits(const Walk *w, const GxVisit *v)
{
    return gx_get_bits((const uint32_t *)w->out->data, w->out->len, v->bit,
                       gx_field_bits(v->field));
}

static uint64_t walk_items(Walk *w, const GxGroup *g, uint64_t base,
                           unsigned depth, unsigned index);

/* A struct without a length ends where its contents do. */
static uint64_t walk_struct(Walk *w, const GxVisit *v, uint64_t end)
{
    const GxContainer *c = v->field->structure;
    uint64_t inner;

    if (w->open && !w->given) {
        w->open(w->opaque, v);
    }
    inner = walk_items(w, c->root, v->bit, v->depth + 1, v->index);
    if (w->close && !w->given) {
        w->close(w->opaque, v);
    }
    end = c->length ? end : MAX(inner, v->bit);
    w->result.truncated |= !w->encode && end > (uint64_t)w->n * 32;
    cover(w, MIN(end, (uint64_t)w->n * 32));
    return end;
}

/* A field that is longer than 64 bits: a row of dwords. */
static void encode_row(Walk *w, const GxVisit *v, uint64_t end)
{
    cover(w, end);
    if (w->encode->row) {
        w->encode->row(w->opaque, v, &g_array_index(w->out, uint32_t,
                                                    v->bit / 32),
                       gx_field_bits(v->field) / 32);
    }
}

static uint64_t encode_struct(Walk *w, const GxVisit *v, uint64_t end)
{
    unsigned bits = gx_field_bits(v->field);
    uint64_t raw;
    bool given = !w->given && bits <= 64 &&
                 w->encode->value(w->opaque, v, &raw);

    if (!given) {
        return walk_struct(w, v, end);
    }
    put_bits(w, v->bit, bits, raw);
    w->given++;
    end = walk_struct(w, v, end);
    w->given--;
    return end;
}

static void encode_field(Walk *w, const GxVisit *v, uint64_t end)
{
    const GxField *f = v->field;
    unsigned bits = gx_field_bits(f);
    uint64_t raw = 0;

    if (bits > 64 && v->bit % 32 == 0 && bits % 32 == 0) {
        encode_row(w, v, end);
        return;
    }
    if (!w->given && w->encode->value(w->opaque, v, &raw)) {
        put_bits(w, v->bit, MIN(bits, 64), raw);
    } else if (!w->given && (f->has_default || f->type == GX_MBO)) {
        put_bits(w, v->bit, MIN(bits, 64),
                 f->type == GX_MBO ? UINT64_MAX : f->dflt);
    }
    cover(w, end);
    if (f->named) {
        gx_names_set(&w->names, f, written_bits(w, v));
    }
}

/* Returns the bit behind the field. */
static uint64_t walk_field(Walk *w, const GxField *f, uint64_t base,
                           unsigned depth, unsigned index)
{
    GxVisit v = { f, NULL, depth, index, base + f->start };
    uint64_t end = base + f->end + 1;
    uint64_t limit = (uint64_t)w->n * 32;
    uint64_t raw;

    if (f->structure ? v.bit >= limit : end > limit) {
        w->result.truncated = true;
        return end;
    }
    if (f->structure) {
        return w->encode ? encode_struct(w, &v, end)
                         : walk_struct(w, &v, end);
    }
    if (w->encode) {
        encode_field(w, &v, end);
        return end;
    }
    raw = gx_get_bits(w->words, w->n, v.bit, gx_field_bits(f));
    if (f->named) {
        gx_names_set(&w->names, f, raw);
    }
    w->field(w->opaque, &v, raw);
    cover(w, end);
    return end;
}

/* Does a group that goes to the end go on? */
static bool more(Walk *w, const GxVisit *v)
{
    return !w->given && w->encode->more && w->encode->more(w->opaque, v);
}

static uint64_t walk_group(Walk *w, const GxGroup *g, uint64_t base,
                           uint64_t previous, unsigned depth)
{
    uint64_t at = g->flows ? (previous + 31) / 32 * 32 : base + g->start;
    uint64_t left = gx_repetitions(g, &w->names);
    uint64_t limit = (uint64_t)w->n * 32;

    for (unsigned index = 0; left; index++, left--) {
        GxVisit v = { NULL, g, depth, index, at };
        uint64_t end;

        if (at >= limit || w->steps <= g->items->len) {
            w->result.truncated |= left != UINT64_MAX - index;
            break;
        }
        if (w->encode && left == UINT64_MAX - index && !more(w, &v)) {
            break;
        }
        if (w->open && !w->given) {
            w->open(w->opaque, &v);
        }
        end = walk_items(w, g, at, depth + 1, index);
        if (w->close && !w->given) {
            w->close(w->opaque, &v);
        }
        end = g->size ? at + g->size : (end + 31) / 32 * 32;
        if (w->encode) {
            cover(w, MIN(end, limit));
        }
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

    if (depth >= GX_MAX_NEST) {
        return end;
    }
    if (w->steps <= g->items->len) {
        w->result.truncated = true;
        return end;
    }
    w->steps -= g->items->len + 1;
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
    Walk w;

    /* The names are not cleared: n_named says how many there are. */
    w.words = words;
    w.n = n;
    w.field = ops->field;
    w.open = ops->open;
    w.close = ops->close;
    w.opaque = opaque;
    w.encode = NULL;
    w.out = NULL;
    w.given = 0;
    w.result = (GxWalkResult) { 0, false };
    w.steps = gx_max_steps(n);
    w.names.n = 0;
    walk_items(&w, c->root, 0, 0, 0);
    return w.result;
}

/* Value of the length field, unless the caller gave one. */
static void set_length(Walk *w, const GxContainer *c)
{
    const GxField *f = c->length_field;
    GxVisit v = { f, NULL, 0, 0, f->start };
    uint64_t raw;

    if (!w->encode->value(w->opaque, &v, &raw)) {
        put_bits(w, f->start, gx_field_bits(f),
                 (uint64_t)w->out->len - c->bias);
    }
}

GxWalkResult gx_encode(const GxContainer *c, const GxEncodeOps *ops,
                       void *opaque, size_t max, GArray *out)
{
    g_autofree Walk *w = g_new0(Walk, 1);

    g_array_set_size(out, 0);
    w->n = max;
    w->open = ops->open;
    w->close = ops->close;
    w->opaque = opaque;
    w->encode = ops;
    w->out = out;
    w->steps = gx_max_steps(max);
    walk_items(w, c->root, 0, 0, 0);
    cover(w, (uint64_t)c->length * 32);
    if (c->length_field) {
        /* The length field cannot say less. */
        cover(w, (uint64_t)c->bias * 32);
        set_length(w, c);
    }
    w->result.dwords = out->len;
    return w->result;
}
