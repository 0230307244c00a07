/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields as text. What is there and in which order is as gx_walk() has it;
 * tests/decode/strings.c prints the same by way of that.
 */
#include "decode-layout.h"

#include "decode-put.h"

/* A place in the words: the items of a group, struct or register. */
typedef struct Place {
    uint64_t base;              /* bit */
    unsigned depth, index;
} Place;

static char *run_list(LayoutRun *r, const PlanList *l, Place at, char *p,
                      uint64_t *end);

static void said(LayoutRun *r, uint64_t bit, uint64_t bits)
{
    uint64_t end = MIN(bit + bits, r->limit);

    for (; bit < end; bit = (bit | 31) + 1) {
        uint64_t last = MIN(bit | 31, end - 1);

        r->covered[bit / 32] |= UINT32_MAX << bit % 32 &
                                UINT32_MAX >> (31 - last % 32);
    }
}

static void has_dwords(LayoutRun *r, uint64_t end)
{
    r->dwords = MAX(r->dwords, (end + 31) / 32);
}

/* Bits that must be ones: one that is not shows in its word only. */
static void ones(LayoutRun *r, const PlanOp *op, uint64_t bit, uint64_t raw)
{
    unsigned bits = MIN(op->end - op->start, 64);

    said(r, bit, op->end - op->start);
    if (raw == UINT64_MAX >> (64 - bits)) {
        return;
    }
    if (!r->wrong) {
        r->wrong = g_new0(bool, r->limit / 32);
    }
    for (unsigned i = 0; i < bits; i++) {
        r->wrong[(bit + i) / 32] |= !(raw >> i & 1);
    }
}

/* --- values --- */

static char *other_value(Decoder *d, const PlanOp *op, uint64_t raw, char *p)
{
    put_end(d, p);
    gx_value_text(d->out, op->field, raw);
    return put_room(d, put_begin(d), PUT_SLACK);
}

static char *signed_value(const PlanOp *op, uint64_t raw, char *p)
{
    unsigned bits = MIN(op->end - op->start, 64);
    uint64_t sign = UINT64_C(1) << (bits - 1);

    if (raw & sign) {
        *p++ = '-';
        raw = (sign << 1) - raw;        /* of 64 bits: 0 - raw */
    }
    return put_decimal(p, raw);
}

/* There is room for PUT_NUMBER. */
static inline char *put_value(Decoder *d, const PlanOp *op, uint64_t raw,
                              char *p)
{
    switch (op->kind) {
    case PLAN_DECIMAL:
        return put_decimal(p, raw);
    case PLAN_SIGNED:
        return signed_value(op, raw, p);
    case PLAN_HEX:
        return put_hex(put_literal(p, "0x"), raw << op->low, op->digits);
    default:
        return other_value(d, op, raw, p);
    }
}

static char *put_row(LayoutRun *r, const PlanOp *op, uint64_t bit, char *p)
{
    uint64_t n = r->limit / 32;

    for (uint32_t i = 0; i < op->end - op->start; i += 32) {
        p = put_room(r->d, p, PUT_NUMBER);
        p = i ? put_literal(p, " 0x") : put_literal(p, "0x");
        p = put_hex32(p, (uint32_t)gx_get_bits(r->words, n, bit + i, 32));
    }
    return put_room(r->d, p, PUT_NUMBER);
}

/* Inside { }: only what is set or has a name, unless all is wanted. */
static inline char *register_field(LayoutRun *r, const PlanOp *op,
                                   uint64_t raw, char *p)
{
    PlanText t = op->text;

    if (op->kind == PLAN_TABLE) {
        t = op->table[raw];
    } else if (!raw && !op->keep_zero) {
        t.len = 0;
    }
    if (!t.len) {
        return p;
    }
    p = put_room(r->d, p, t.len + PUT_NUMBER);
    if (r->first) {
        r->first = false;
        p = put_literal(p, " { ");
        p = put_text(p, (PlanText) { t.s + 2, t.len - 2 });
    } else {
        p = put_text(p, t);
    }
    return op->kind == PLAN_TABLE ? p : put_value(r->d, op, raw, p);
}

static inline char *line_field(LayoutRun *r, const PlanList *l,
                               const PlanOp *op, uint64_t bit, unsigned index,
                               uint64_t raw, char *p)
{
    PlanText t = op->kind == PLAN_TABLE ? op->table[raw] : op->text;

    p = put_room(r->d, p, 4 * r->indent + t.len + 2 * PUT_NUMBER);
    p = put_blanks(p, 4 * r->indent);
    p = put_text(p, t);
    if (op->kind == PLAN_TABLE) {
        return p;
    }
    if (l->numbered) {
        p = put_decimal(p, index);
        p = put_literal(p, "] = ");
    }
    p = op->kind == PLAN_ROW ? put_row(r, op, bit, p)
                             : put_value(r->d, op, raw, p);
    return put_literal(p, "\n");
}

static inline char *put_field(LayoutRun *r, const PlanList *l,
                              const PlanOp *op, const Place *at, char *p)
{
    uint64_t raw, bit = at->base + op->start;

    if (op->mask && at->base % 32 == 0) {
        raw = r->words[bit / 32] >> op->shift & op->mask;
    } else {
        raw = gx_get_bits(r->words, r->limit / 32, bit, op->end - op->start);
    }
    if (op->named) {
        gx_names_set(&r->names, op->field, raw);
    }
    if (op->kind == PLAN_ONES) {
        ones(r, op, bit, raw);
        return p;
    }
    if (op->kind == PLAN_SILENT ||
        (op->if_not_default && raw == op->field->dflt)) {
        return p;
    }
    return l->in_register ? register_field(r, op, raw, p)
                          : line_field(r, l, op, bit, at->index, raw, p);
}

/* --- structs, registers, groups --- */

static char *put_name(LayoutRun *r, const PlanList *l, const PlanOp *op,
                      unsigned index, char *p)
{
    p = put_room(r->d, p, 4 * r->indent + op->text.len + 2 * PUT_NUMBER);
    p = put_text(put_blanks(p, 4 * r->indent), op->text);
    return l->numbered ? put_literal(put_decimal(p, index), "]") : p;
}

static char *put_register(LayoutRun *r, const PlanList *l, const PlanOp *op,
                          Place inner, char *p, uint64_t *end)
{
    unsigned bits = MIN(op->end - op->start, 64);
    uint64_t value = gx_get_bits(r->words, r->limit / 32, inner.base, bits);

    p = put_name(r, l, op, inner.index, p);
    p = put_hex(put_literal(p, " = 0x"), value, (bits + 3) / 4);
    said(r, inner.base, bits);
    r->first = true;
    p = run_list(r, op->list, inner, p, end);
    p = put_room(r->d, p, PUT_NUMBER);
    return r->first ? put_literal(p, "\n") : put_literal(p, " }\n");
}

static char *put_struct(LayoutRun *r, const PlanList *l, PlanOp *op,
                        const Place *at, char *p, uint64_t *end)
{
    Place inner = { at->base + op->start, at->depth + 1, at->index };
    const GxContainer *c = op->field->structure;
    uint64_t inside;

    if (!op->list) {
        op->list = plans_inner(r->d->plans, l, op);
    }
    if (op->kind == PLAN_REGISTER) {
        p = put_register(r, l, op, inner, p, &inside);
    } else if (l->in_register) {
        p = run_list(r, op->list, inner, p, &inside);
    } else {
        p = put_name(r, l, op, at->index, p);
        p = put_literal(p, "\n");
        r->indent++;
        p = run_list(r, op->list, inner, p, &inside);
        r->indent--;
    }
    /* A struct without a length ends where its contents do. */
    *end = c->length ? at->base + op->end : MAX(inside, inner.base);
    r->truncated |= *end > r->limit;
    has_dwords(r, MIN(*end, r->limit));
    return p;
}

static char *put_repetition(LayoutRun *r, const PlanOp *op, Place inner,
                            char *p, uint64_t *end)
{
    if (!op->brackets) {
        return run_list(r, op->list, inner, p, end);
    }
    p = put_room(r->d, p, 4 * r->indent + 2 * PUT_NUMBER);
    p = put_literal(put_blanks(p, 4 * r->indent), "[");
    p = put_literal(put_decimal(p, inner.index), "]\n");
    r->indent++;
    p = run_list(r, op->list, inner, p, end);
    r->indent--;
    return p;
}

static uint64_t repetitions(LayoutRun *r, const PlanOp *op)
{
    if (op->times) {
        int64_t v = gx_names_get(&r->names, op->name);

        if (v >= 0 && v < PLAN_TIMES && op->times[v] != PLAN_ASK) {
            return op->times[v];
        }
    }
    return gx_repetitions(op->group, &r->names);
}

static char *put_group(LayoutRun *r, const PlanList *l, PlanOp *op,
                       const Place *at, char *p, uint64_t *end)
{
    const GxGroup *g = op->group;
    uint64_t left = repetitions(r, op);
    uint64_t before = MAX(*end, at->base + op->before);
    Place inner = { g->flows ? (before + 31) / 32 * 32 : at->base + op->start,
                    at->depth + 1, 0 };

    if (!op->list) {
        op->list = plans_inner(r->d->plans, l, op);
    }
    for (; left; inner.index++, left--) {
        bool to_end = left == UINT64_MAX - inner.index;
        uint64_t next;

        if (inner.base >= r->limit || r->steps <= op->list->n) {
            r->truncated |= !to_end;
            break;
        }
        p = put_repetition(r, op, inner, p, &next);
        next = g->size ? inner.base + g->size : (next + 31) / 32 * 32;
        if (next == inner.base && to_end) {
            break;              /* nothing in it: would never end */
        }
        inner.base = next;
    }
    *end = inner.base;
    return p;
}

/* --- lists --- */

/* Bits that the fields of a list say, all of which are there. */
static void said_list(LayoutRun *r, const PlanList *l, uint64_t base)
{
    uint32_t *covered = r->covered + base / 32;
    unsigned shift = base % 32;

    for (uint32_t i = 0; i < l->n_cover; i++) {
        covered[i] |= l->cover[i] << shift;
        if (shift && l->cover[i] >> (32 - shift)) {
            covered[i + 1] |= l->cover[i] >> (32 - shift);
        }
    }
}

/* Where not all is there: is this? */
static bool is_there(LayoutRun *r, const PlanList *l, const PlanOp *op,
                     const Place *at)
{
    uint64_t bit = at->base + op->start, end = at->base + op->end;
    const GxField *f = op->field;

    if (!f) {
        return true;
    }
    if (f->structure ? bit >= r->limit : end > r->limit) {
        r->truncated = true;
        return false;
    }
    if (!f->structure) {
        has_dwords(r, end);
        if (!l->in_register && f->type != GX_MBZ && f->type != GX_MBO) {
            said(r, bit, end - bit);
        }
    }
    return true;
}

static char *run_list(LayoutRun *r, const PlanList *l, Place at, char *p,
                      uint64_t *end)
{
    bool whole = at.base + l->last <= r->limit;
    uint32_t n = whole ? l->n_needed : l->n;

    *end = at.base;
    if (at.depth >= GX_MAX_NEST) {
        return p;
    }
    if (r->steps <= l->n) {
        r->truncated = true;
        return p;
    }
    r->steps -= l->n + 1;
    if (whole && l->end) {
        has_dwords(r, at.base + l->end);
        if (l->n_cover) {
            said_list(r, l, at.base);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        PlanOp *op = &l->ops[i];
        uint64_t e;

        if (!whole && !is_there(r, l, op, &at)) {
            /* A struct that is not there has its place all the same. */
            *end = MAX(*end, at.base + (op->field->structure ? op->end : 0));
            continue;
        }
        if (op->kind < PLAN_REGISTER) {
            p = put_field(r, l, op, &at, p);
            continue;
        }
        e = *end;
        p = op->kind == PLAN_GROUP ? put_group(r, l, op, &at, p, &e)
                                   : put_struct(r, l, op, &at, p, &e);
        *end = MAX(*end, e);
    }
    *end = MAX(*end, at.base + l->end);
    return p;
}

char *layout_run(LayoutRun *r, const PlanList *l, char *p)
{
    uint64_t end;

    return run_list(r, l, (Place) { 0, 0, 0 }, p, &end);
}
