/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layouts made ready for printing. */
#include "decode-plan.h"

#include <string.h>

#include "decode-private.h"
#include "rv100-pm4.h"

/* Fields so small, and with names a little larger, have all texts ready. */
#define TABLE_BITS 4
#define TABLE_BITS_NAMED 8

struct Plans {
    GHashTable *lists[2];       /* by GxGroup; in registers or not */
    GPtrArray *mem;
    GString *text;              /* at hand */
    bool pm4, all;
};

static void list_free(gpointer p)
{
    PlanList *l = p;

    g_free(l->ops);
    g_free(l->cover);
    g_free(l);
}

Plans *plans_new(bool pm4, bool all)
{
    Plans *plans = g_new0(Plans, 1);

    plans->lists[0] = g_hash_table_new_full(NULL, NULL, NULL, list_free);
    plans->lists[1] = g_hash_table_new_full(NULL, NULL, NULL, list_free);
    plans->mem = g_ptr_array_new_with_free_func(g_free);
    plans->text = g_string_new(NULL);
    plans->pm4 = pm4;
    plans->all = all;
    return plans;
}

void plans_free(Plans *plans)
{
    g_hash_table_unref(plans->lists[0]);
    g_hash_table_unref(plans->lists[1]);
    g_ptr_array_unref(plans->mem);
    g_string_free(plans->text, TRUE);
    g_free(plans);
}

PlanText plans_text(Plans *plans, const char *s, size_t len)
{
    char *copy = g_malloc0(len + PLAN_BLOCK);

    memcpy(copy, s, len);
    g_ptr_array_add(plans->mem, copy);
    return (PlanText) { copy, (uint32_t)len };
}

/* --- fields --- */

static void begin_name(Plans *plans, const PlanList *l, const GxField *f)
{
    g_string_assign(plans->text, l->in_register ? ", " : "");
    g_string_append(plans->text, f->name);
}

static PlanText name_text(Plans *plans, const PlanList *l, const GxField *f)
{
    begin_name(plans, l, f);
    g_string_append(plans->text, l->numbered ? "[" : " = ");
    return plans_text(plans, plans->text->str, plans->text->len);
}

/* Every value with its name; no text: not shown. */
static const PlanText *value_table(Plans *plans, const PlanList *l,
                                   const PlanOp *op)
{
    uint32_t n = 1u << gx_field_bits(op->field);
    PlanText *table = g_new0(PlanText, n);

    g_ptr_array_add(plans->mem, table);
    for (uint32_t v = 0; v < n; v++) {
        if (l->in_register && !v && !op->keep_zero) {
            continue;
        }
        begin_name(plans, l, op->field);
        g_string_append(plans->text, " = ");
        gx_value_text(plans->text, op->field, v);
        g_string_append(plans->text, l->in_register ? "" : "\n");
        table[v] = plans_text(plans, plans->text->str, plans->text->len);
    }
    return table;
}

static PlanKind number_kind(const GxField *f, PlanOp *op)
{
    static const PlanKind kinds[] = {
        [GX_AS_DECIMAL] = PLAN_DECIMAL, [GX_AS_SIGNED] = PLAN_SIGNED,
        [GX_AS_HEX] = PLAN_HEX, [GX_AS_OTHER] = PLAN_OTHER,
    };
    GxShape shape = gx_value_shape(f);

    op->low = shape.low;
    op->digits = shape.digits;
    return kinds[shape.kind];
}

/* Does the name of the packet say the field already? */
static bool is_header(const Plans *plans, const GxContainer *c,
                      const GxField *f)
{
    return c && (f == c->length_field ||
                 (plans->pm4 && f->start == PM4_TYPE3_SETTINGS_SHIFT));
}

static bool must_be(const GxField *f)
{
    return f->type == GX_MBZ || f->type == GX_MBO;
}

static void plan_value(Plans *plans, const PlanList *l, const GxContainer *c,
                       PlanOp *op)
{
    const GxField *f = op->field;
    uint32_t bits = gx_field_bits(f);

    op->named = f->named;
    op->if_not_default = c && f->has_default && f->start < 32;
    op->keep_zero = plans->all ||
                    (f->enumeration && gx_enum_by_value(f->enumeration, 0));
    op->shift = f->start % 32;
    if (op->shift + bits <= 32) {
        op->mask = UINT32_MAX >> (32 - bits);
    }
    if ((must_be(f) && !l->in_register) || f->alias_of ||
        is_header(plans, c, f)) {
        op->kind = f->type == GX_MBO && !l->in_register ? PLAN_ONES
                                                        : PLAN_SILENT;
        return;
    }
    op->text = name_text(plans, l, f);
    if (bits > 64 && !l->in_register) {
        op->kind = PLAN_ROW;
    } else if (!l->numbered && bits <= (f->enumeration ? TABLE_BITS_NAMED
                                                       : TABLE_BITS)) {
        op->kind = PLAN_TABLE;
        op->table = value_table(plans, l, op);
    } else {
        op->kind = (uint8_t)number_kind(f, op);
    }
}

static void plan_field(Plans *plans, const PlanList *l, const GxContainer *c,
                       PlanOp *op)
{
    const GxField *f = op->field;

    op->start = f->start;
    op->end = f->end + 1;
    if (!f->structure) {
        plan_value(plans, l, c, op);
        return;
    }
    op->kind = f->structure->kind == GX_REGISTER && !l->in_register
               ? PLAN_REGISTER : PLAN_STRUCT;
    begin_name(plans, l, f);
    if (l->numbered) {
        g_string_append_c(plans->text, '[');
    }
    op->text = plans_text(plans, plans->text->str, plans->text->len);
}

/* --- groups --- */

typedef struct Only {
    const char *name;
    bool more;                  /* than one */
} Only;

static void only_name(void *opaque, const char *name)
{
    Only *o = opaque;

    o->more |= o->name && o->name != name;
    o->name = name;
}

/* The name that an expression hangs on. */
static Only names_of(const GxExpr *e)
{
    Only only = { NULL, false };

    if (e) {
        gx_expr_names(e, only_name, &only);
    }
    return only;
}

/* Most expressions hang on one field of few bits: all results are ready. */
static void plan_times(Plans *plans, PlanOp *op)
{
    const GxGroup *g = op->group;
    Only present = names_of(g->present_if), count = names_of(g->count_from);
    const char *name = g->present_if ? present.name : count.name;
    bool ask = count.more || (count.name && count.name != name);
    uint64_t *times;

    if (!name || present.more || (ask && !g->present_if)) {
        return;
    }
    times = g_new(uint64_t, PLAN_TIMES);
    g_ptr_array_add(plans->mem, times);
    for (int64_t v = 0; v < PLAN_TIMES; v++) {
        GxNames names = { 1, { { name, v } } };
        GxGroup is_there = { .present_if = g->present_if, .count = 1 };

        times[v] = ask && gx_repetitions(&is_there, &names)
                   ? PLAN_ASK : gx_repetitions(ask ? &is_there : g, &names);
    }
    op->name = name;
    op->times = times;
}

static void plan_group(Plans *plans, const PlanList *l, PlanOp *op)
{
    op->kind = PLAN_GROUP;
    op->start = op->group->start;
    op->brackets = !l->in_register && decode_repeats(op->group) &&
                   !decode_single(op->group);
    plan_times(plans, op);
}

/* --- lists --- */

static bool needed(const PlanOp *op)
{
    return op->kind != PLAN_SILENT || op->named;
}

static void cover_field(PlanList *l, const PlanOp *op)
{
    const GxField *f = op->field;

    l->end = MAX(l->end, op->end);
    l->last = MAX(l->last, op->end);
    if (must_be(f) || l->in_register) {
        return;                 /* what is wrong there is left over */
    }
    if (op->end > 32 * l->n_cover) {
        uint32_t n = (op->end + 31) / 32;

        l->cover = g_renew(uint32_t, l->cover, n);
        memset(l->cover + l->n_cover, 0, 4 * (n - l->n_cover));
        l->n_cover = n;
    }
    for (uint32_t b = op->start; b < op->end; b = (b | 31) + 1) {
        uint32_t last = MIN(b | 31, op->end - 1);

        l->cover[b / 32] |= UINT32_MAX << b % 32 &
                            UINT32_MAX >> (31 - last % 32);
    }
}

/* In the order of the description, first those that are needed. */
static void sort_ops(PlanList *l, const PlanOp *all, uint32_t n)
{
    l->ops = g_new(PlanOp, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (needed(&all[i])) {
            l->ops[l->n++] = all[i];
        }
    }
    l->n_needed = l->n;
    for (uint32_t i = 0; i < n; i++) {
        if (!needed(&all[i])) {
            l->ops[l->n++] = all[i];
        }
    }
}

static PlanList *make(Plans *plans, const GxGroup *g, const GxContainer *c,
                      bool in_register, bool numbered)
{
    uint32_t n = g->items->len;
    g_autofree PlanOp *ops = g_new0(PlanOp, n + 1);
    PlanList *l = g_new0(PlanList, 1);

    l->in_register = in_register;
    l->numbered = numbered;
    for (uint32_t i = 0; i < n; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);
        PlanOp *op = &ops[i];

        op->field = it->field;
        op->group = it->group;
        op->before = l->end;
        if (it->field) {
            plan_field(plans, l, c, op);
            if (it->field->structure) {
                l->last = MAX(l->last, op->start + 1);
            } else {
                cover_field(l, op);
            }
        } else {
            plan_group(plans, l, op);
        }
    }
    sort_ops(l, ops, n);
    return l;
}

static PlanList *find(Plans *plans, const GxGroup *g, const GxContainer *c,
                      bool in_register, bool numbered)
{
    GHashTable *t = plans->lists[in_register];
    PlanList *l = g_hash_table_lookup(t, g);

    if (!l) {
        l = make(plans, g, c, in_register, numbered);
        g_hash_table_insert(t, (gpointer)g, l);
    }
    return l;
}

PlanList *plans_list(Plans *plans, const GxContainer *c, bool in_register)
{
    return find(plans, c->root, c->kind == GX_INSTRUCTION ? c : NULL,
                in_register, false);
}

PlanList *plans_inner(Plans *plans, const PlanList *in, const PlanOp *op)
{
    if (op->field) {
        return plans_list(plans, op->field->structure,
                          in->in_register || op->kind == PLAN_REGISTER);
    }
    return find(plans, op->group, NULL, in->in_register, !in->in_register &&
                decode_repeats(op->group) && decode_single(op->group));
}
