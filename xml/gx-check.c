/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks: what gx_complain() reports is an error in our own files and a
 * warning in foreign ones.
 */
#include <string.h>

#include "gx-private.h"

/* A field or group as a range of bits inside its group. */
typedef struct Range {
    uint32_t start, end;
    const char *name;
    GxLoc loc;
} Range;

typedef struct Checker {
    GxDoc *doc;
    const GxContainer *c;
} Checker;

/* --- sizes --- */

/* Bits from the group's own items; 0 when they vary. */
static uint64_t group_extent(const GxGroup *g)
{
    uint64_t end = 0;

    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);
        uint64_t e;

        if (it->field) {
            e = (uint64_t)it->field->end + 1;
        } else {
            uint64_t size = it->group->size ? it->group->size
                                            : group_extent(it->group);
            e = it->group->flows ? 0 :
                it->group->start + size * it->group->count;
        }
        end = MAX(end, e);
    }
    return end;
}

/* Does the number of bits depend on the contents? */
static bool group_varies(const GxGroup *g)
{
    return g->flows || g->count == 0 || g->count_from || g->present_if;
}

/* Do the contents have groups of variable size? */
static bool body_varies(const GxGroup *g)
{
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);

        if (it->group ? group_varies(it->group) :
            it->field->structure && !it->field->structure->length) {
            return true;
        }
    }
    return false;
}

static uint64_t container_bits(const GxContainer *c)
{
    if (c->kind == GX_REGISTER) {
        return c->length > 1 ? (uint64_t)c->length * 32 : c->width;
    }
    return (uint64_t)c->length * 32;
}

/* No foreign file has refs: one warning is enough there. */
static void missing_ref(GxDoc *doc, GxLoc loc, const char *kind,
                        const char *name)
{
    if (doc->mode == GX_STRICT || !doc->n_without_ref++) {
        gx_complain(doc, loc, "%s '%s' has no ref%s", kind, name,
                    doc->mode == GX_STRICT ? "" :
                    " (further ones are not reported)");
    }
}

/* --- one field --- */

static void check_values(GxDoc *doc, const GxEnum *e, unsigned bits)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_int64_hash,
                                                     g_int64_equal);

    for (unsigned i = 0; i < e->values->len; i++) {
        GxValue *v = e->values->pdata[i];
        const GxValue *other = g_hash_table_lookup(numbers, &v->value);

        if (!v->meta.ref) {
            missing_ref(doc, v->meta.loc, "value", v->name);
        }
        if (!g_hash_table_add(names, (char *)v->name)) {
            gx_complain(doc, v->meta.loc, "value '%s' is there twice",
                        v->name);
        }
        if (bits < 64 && v->value >> bits) {
            gx_complain(doc, v->meta.loc, "value '%s' does not fit in %u bits",
                        v->name, bits);
        }
        if (v->alias_of && !gx_enum_by_name(e, v->alias_of)) {
            gx_error(doc, v->meta.loc, "alias-of=\"%s\": no such value",
                     v->alias_of);
        } else if (other && !v->alias_of) {
            gx_complain(doc, v->meta.loc,
                        "value '%s' has the number of '%s'", v->name,
                        other->name);
        }
        if (!other) {
            g_hash_table_insert(numbers, &v->value, v);
        }
    }
}

/* Longer than 64 bits: a row of dwords. */
static bool is_row(const GxField *f)
{
    return f->type == GX_UINT && f->start % 32 == 0 && f->end % 32 == 31;
}

static void check_width(GxDoc *doc, const GxField *f)
{
    uint32_t bits = gx_field_bits(f);
    uint32_t fixed = (uint32_t)f->int_bits + f->frac_bits +
                     (f->type == GX_SFIXED);    /* the sign */
    const char *why = NULL;

    switch (f->type) {
    case GX_MBO:
    case GX_MBZ:
    case GX_STRUCT_REF:
        return;
    case GX_BOOL:
        why = bits != 1 ? "a bool is one bit" : NULL;
        break;
    case GX_FLOAT:
        why = bits != 32 && bits != 64 && bits != 16 ?
              "a float has 16, 32 or 64 bits" : NULL;
        break;
    case GX_UFIXED:
    case GX_SFIXED:
        why = bits != fixed ? "its fixed point format has another number of "
                              "bits" : NULL;
        break;
    default:
        break;
    }
    if (bits > 64 && !is_row(f)) {
        why = "more than 64 bits and no row of dwords";
    }
    if (why) {
        gx_complain(doc, f->meta.loc, "field '%s' (%u bits): %s", f->name,
                    bits, why);
    }
}

static void check_struct_field(Checker *k, const GxField *f)
{
    uint64_t want = (uint64_t)f->structure->length * 32;
    uint64_t used = group_extent(f->structure->root);

    if (f->structure->has_length && want != gx_field_bits(f) &&
        used > gx_field_bits(f)) {
        gx_complain(k->doc, f->meta.loc,
                    "field '%s' has %u bits, its struct '%s' %"
                    G_GUINT64_FORMAT, f->name, gx_field_bits(f),
                    f->structure->name, used);
    }
}

static void check_field(Checker *k, const GxField *f)
{
    check_width(k->doc, f);
    if (f->values) {
        check_values(k->doc, f->values, gx_field_bits(f));
    } else if (f->enumeration) {
        for (unsigned i = 0; i < f->enumeration->values->len; i++) {
            const GxValue *v = f->enumeration->values->pdata[i];

            if (gx_field_bits(f) < 64 && v->value >> gx_field_bits(f)) {
                gx_complain(k->doc, f->meta.loc,
                            "value '%s' of enum '%s' does not fit in field "
                            "'%s'", v->name, f->enumeration->name, f->name);
                break;
            }
        }
    }
    if (f->type == GX_STRUCT_REF) {
        check_struct_field(k, f);
    }
    if (f->access && k->c->kind != GX_REGISTER) {
        gx_complain(k->doc, f->meta.loc,
                    "access of field '%s' outside a register", f->name);
    }
}

/* --- the items of a group --- */

static int by_start(const void *a, const void *b)
{
    const Range *ra = a, *rb = b;

    if (ra->start != rb->start) {
        return ra->start < rb->start ? -1 : 1;
    }
    return ra->loc.line - rb->loc.line;
}

static void check_overlap(Checker *k, GArray *ranges)
{
    const Range *last = NULL;

    g_array_sort(ranges, by_start);
    for (unsigned i = 0; i < ranges->len; i++) {
        const Range *r = &g_array_index(ranges, Range, i);

        if (last && r->start <= last->end) {
            gx_complain(k->doc, r->loc,
                        "'%s' (bits %u..%u) overlaps '%s' (bits %u..%u, line "
                        "%d) in %s '%s'", r->name, r->start, r->end,
                        last->name, last->start, last->end, last->loc.line,
                        gx_kind_name(k->c->kind), k->c->name);
        }
        if (!last || r->end > last->end) {
            last = r;
        }
    }
}

static void check_past_end(Checker *k, const Range *r, uint64_t bits)
{
    if (bits && r->end >= bits) {
        gx_complain(k->doc, r->loc,
                    "'%s' (bits %u..%u) ends past the end of %s '%s' (%"
                    G_GUINT64_FORMAT " bits)", r->name, r->start, r->end,
                    gx_kind_name(k->c->kind), k->c->name, bits);
    }
}

static GxField *own_field(const GxGroup *g, const char *name)
{
    for (unsigned i = 0; i < g->items->len; i++) {
        GxField *f = g_array_index(g->items, GxItem, i).field;

        if (f && !strcmp(f->name, name)) {
            return f;
        }
    }
    return NULL;
}

static void check_names(Checker *k, const GxGroup *g)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (unsigned i = 0; i < g->items->len; i++) {
        const GxField *f = g_array_index(g->items, GxItem, i).field;

        if (f && f->name[0] != '(' &&
            !g_hash_table_add(seen, (char *)f->name)) {
            gx_complain(k->doc, f->meta.loc, "field '%s' is there twice",
                        f->name);
        }
        if (f && f->alias_of && !own_field(g, f->alias_of)) {
            gx_error(k->doc, f->meta.loc, "alias-of=\"%s\": no such field",
                     f->alias_of);
        }
    }
}

static void check_group(Checker *k, const GxGroup *g, uint64_t bits);

static void check_inner(Checker *k, const GxGroup *g, GArray *ranges,
                        uint64_t bits, bool varied)
{
    uint64_t size = g->size ? g->size : group_extent(g);
    Range r = { g->start, 0, "group", g->meta.loc };

    if ((g->count != 1 || g->count_from) && !g->size && !body_varies(g)) {
        gx_complain(k->doc, g->meta.loc, "a group with a count has no size");
    }
    if (g->count_from && g->has_count) {
        gx_complain(k->doc, g->meta.loc,
                    "a group has both count and count-from");
    }
    check_group(k, g, g->size);
    if (g->flows) {
        return;
    }
    if (varied) {
        gx_complain(k->doc, g->meta.loc,
                    "a group with a start after one of variable size");
    }
    if (group_varies(g) || !size) {
        r.end = g->start ? g->start - 1 : 0;    /* it may be empty */
        check_past_end(k, &r, bits);
        return;
    }
    if (g->start + size * g->count > GX_MAX_BITS) {
        gx_error(k->doc, g->meta.loc, "a group is larger than %u bits",
                 GX_MAX_BITS);
        return;
    }
    r.end = (uint32_t)(g->start + size * g->count - 1);
    check_past_end(k, &r, bits);
    g_array_append_val(ranges, r);
}

static void check_group(Checker *k, const GxGroup *g, uint64_t bits)
{
    g_autoptr(GArray) ranges = g_array_new(false, false, sizeof(Range));
    bool varied = false;

    check_names(k, g);
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);
        const GxField *f = it->field;

        if (!f) {
            check_inner(k, it->group, ranges, bits, varied);
            varied |= group_varies(it->group);
            continue;
        }
        Range r = { f->start, f->end, f->name, f->meta.loc };
        check_field(k, f);
        check_past_end(k, &r, bits);
        if (varied) {
            gx_complain(k->doc, f->meta.loc,
                        "field '%s' stands after a group of variable size",
                        f->name);
        }
        if (!f->alias_of) {
            g_array_append_val(ranges, r);
        }
    }
    check_overlap(k, ranges);
}

/* --- expressions: only names that are decoded before --- */

typedef struct Names {
    Checker *k;
    GxLoc loc;
    GHashTable *known;
} Names;

static void check_expr_name(void *opaque, const char *name)
{
    Names *n = opaque;

    if (!g_hash_table_contains(n->known, name)) {
        gx_error(n->k->doc, n->loc, "expression names '%s', no field before "
                 "it", name);
    }
}

/* known: names seen so far; seen: structs whose names are in it. */
static void check_expressions(Checker *k, const GxGroup *g, GHashTable *known,
                              GHashTable *seen)
{
    Names n = { k, g->meta.loc, known };

    if (g->count_from) {
        gx_expr_names(g->count_from, check_expr_name, &n);
    }
    if (g->present_if) {
        gx_expr_names(g->present_if, check_expr_name, &n);
    }
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);

        if (it->group) {
            check_expressions(k, it->group, known, seen);
            continue;
        }
        g_hash_table_add(known, (char *)it->field->name);
        if (it->field->structure &&
            g_hash_table_add(seen, (void *)it->field->structure)) {
            check_expressions(k, it->field->structure->root, known, seen);
        }
    }
}

/* --- structs inside structs --- */

/* Heights of the structs seen: 0 while one is being visited. */
static unsigned cut_cycles(GxDoc *doc, const GxContainer *c,
                           GHashTable *heights);

static unsigned cut_group(GxDoc *doc, GxGroup *g, GHashTable *heights)
{
    unsigned height = 1;

    for (unsigned i = 0; i < g->items->len; i++) {
        GxItem *it = &g_array_index(g->items, GxItem, i);
        GxField *f = it->field;
        unsigned h = 0;

        if (it->group) {
            h = cut_group(doc, it->group, heights);
        } else if (f->structure) {
            h = cut_cycles(doc, f->structure, heights);
            if (h == 0 || h >= GX_MAX_DEPTH) {
                gx_error(doc, f->meta.loc,
                         "%s '%s' %s",
                         gx_kind_name(f->structure->kind), f->structure->name,
                         h ? "nests too deeply" : "contains itself");
                f->structure = NULL;
                f->type = GX_UNKNOWN;
                h = 0;
            }
            h++;
        }
        height = MAX(height, h);
    }
    return height;
}

/* Cut every field whose struct contains itself, so that all walks end. */
static unsigned cut_cycles(GxDoc *doc, const GxContainer *c,
                           GHashTable *heights)
{
    unsigned height;

    if (g_hash_table_contains(heights, c)) {
        return GPOINTER_TO_UINT(g_hash_table_lookup(heights, c));
    }
    g_hash_table_insert(heights, (void *)c, GUINT_TO_POINTER(0));
    height = cut_group(doc, c->root, heights);
    g_hash_table_insert(heights, (void *)c, GUINT_TO_POINTER(height));
    return height;
}

/* --- registers --- */

static void check_masks(GxDoc *doc, const GxContainer *c)
{
    uint64_t all = c->width >= 64 ? UINT64_MAX
                                  : (UINT64_C(1) << c->width) - 1;
    uint64_t mask = c->has_mask ? c->mask : all;

    if (mask & ~all) {
        gx_complain(doc, c->meta.loc,
                    "mask of register '%s' has bits outside its width",
                    c->name);
    }
    if (c->has_reset && (c->reset & ~mask)) {
        gx_complain(doc, c->meta.loc,
                    "reset of register '%s' has bits outside its mask",
                    c->name);
    }
}

static void check_register(GxDoc *doc, const GxContainer *c)
{
    static const uint32_t limits[GX_N_SPACES] = {
        [GX_SPACE_MMIO] = 0x4000,
        [GX_SPACE_PLL] = 64,
        [GX_SPACE_PCI] = 256,
        [GX_SPACE_VGA] = 0x400,
    };

    if (c->width != 8 && c->width != 16 && c->width != 32 &&
        (c->width != 64 || doc->mode == GX_STRICT)) {
        gx_complain(doc, c->meta.loc, "width of register '%s' is not 8, 16 "
                    "or 32", c->name);
    }
    check_masks(doc, c);
    if (doc->mode != GX_STRICT) {
        return;
    }
    if ((uint64_t)c->num + (c->length - 1) * 4 >= limits[c->space]) {
        gx_error(doc, c->meta.loc, "register '%s' is outside its space",
                 c->name);
    }
    if (c->space != GX_SPACE_PLL && c->num % (c->width / 8)) {
        gx_error(doc, c->meta.loc, "register '%s' is not aligned", c->name);
    }
}

static int by_place(const void *a, const void *b)
{
    const GxContainer *ca = *(GxContainer *const *)a;
    const GxContainer *cb = *(GxContainer *const *)b;

    if (ca->space != cb->space) {
        return ca->space < cb->space ? -1 : 1;
    }
    if (ca->num != cb->num) {
        return ca->num < cb->num ? -1 : 1;
    }
    return ca->meta.loc.line - cb->meta.loc.line;
}

static uint32_t register_end(const GxContainer *c)
{
    if (c->space == GX_SPACE_PLL) {
        return c->num;
    }
    return c->num + (c->length > 1 ? c->length * 4 : c->width / 8) - 1;
}

/* Two registers at one place, none of them an alias of the other. */
static void check_places(GxDoc *doc)
{
    g_autoptr(GPtrArray) regs = g_ptr_array_new();
    const GxContainer *last = NULL;

    for (unsigned i = 0; i < doc->containers->len; i++) {
        GxContainer *c = doc->containers->pdata[i];

        if (c->kind == GX_REGISTER && c->length && c->width >= 8 &&
            !(c->alias && c->alias->num == c->num)) {
            g_ptr_array_add(regs, c);
        }
    }
    g_ptr_array_sort(regs, by_place);
    for (unsigned i = 0; i < regs->len; i++) {
        const GxContainer *c = regs->pdata[i];

        if (last && last->space == c->space &&
            c->num <= register_end(last)) {
            gx_complain(doc, c->meta.loc,
                        "register '%s' (0x%x) is at the place of '%s' "
                        "(%s:%d) and no alias-of it", c->name, c->num,
                        last->name, last->meta.loc.file,
                        last->meta.loc.line);
        }
        if (!last || last->space != c->space ||
            register_end(c) > register_end(last)) {
            last = c;
        }
    }
}

/* --- all --- */

static void check_container(GxDoc *doc, GxContainer *c)
{
    Checker k = { doc, c };
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

    if (!c->meta.ref) {
        missing_ref(doc, c->meta.loc, gx_kind_name(c->kind), c->name);
    }
    if (c->kind == GX_INSTRUCTION && !c->has_length && !c->length_field) {
        gx_complain(doc, c->meta.loc,
                    "instruction '%s' has neither length nor length field",
                    c->name);
    }
    if (c->kind == GX_REGISTER) {
        check_register(doc, c);
    }
    check_group(&k, c->root, container_bits(c));
    check_expressions(&k, c->root, known, seen);
}

void gx_check(GxDoc *doc)
{
    g_autoptr(GHashTable) heights = g_hash_table_new(NULL, NULL);

    for (unsigned i = 0; i < doc->containers->len; i++) {
        cut_cycles(doc, doc->containers->pdata[i], heights);
    }
    for (unsigned i = 0; i < doc->enums->len; i++) {
        check_values(doc, doc->enums->pdata[i], 64);
    }
    for (unsigned i = 0; i < doc->containers->len; i++) {
        check_container(doc, doc->containers->pdata[i]);
    }
    check_places(doc);
}
