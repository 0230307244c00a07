/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Type names, defaults, aliases and sizes, once all files are loaded. */
#include <string.h>

#include "gx-private.h"

static const struct {
    const char *name;
    GxType type;
} types[] = {
    { "uint", GX_UINT }, { "int", GX_INT }, { "bool", GX_BOOL },
    { "float", GX_FLOAT }, { "address", GX_ADDRESS }, { "offset", GX_OFFSET },
    { "mbo", GX_MBO }, { "mbz", GX_MBZ },
};

/* u4.8, s3.4: digits on both sides of the point. */
static bool fixed_type(GxField *f, const char *t)
{
    g_auto(GStrv) part = NULL;
    uint64_t i, n;

    if (t[0] != 'u' && t[0] != 's') {
        return false;
    }
    part = g_strsplit(t + 1, ".", 2);
    if (!part[0] || !part[1] || !g_ascii_isdigit(part[0][0]) ||
        !gx_parse_number(part[0], &i) || !gx_parse_number(part[1], &n) ||
        i > 64 || n > 64) {
        return false;
    }
    f->type = t[0] == 'u' ? GX_UFIXED : GX_SFIXED;
    f->int_bits = (uint8_t)i;
    f->frac_bits = (uint8_t)n;
    return true;
}

static void resolve_type(GxDoc *doc, GxField *f)
{
    f->enumeration = f->values;
    if (!f->type_name) {
        gx_complain(doc, f->meta.loc, "field '%s' has no type", f->name);
        f->type = GX_UINT;
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        if (!strcmp(f->type_name, types[i].name)) {
            f->type = types[i].type;
            return;
        }
    }
    if (fixed_type(f, f->type_name)) {
        return;
    }
    f->structure = gx_doc_struct(doc, f->type_name);
    if (!f->structure) {
        f->structure = gx_doc_register(doc, GX_SPACE_MMIO, f->type_name);
    }
    if (f->structure) {
        f->type = GX_STRUCT_REF;
        return;
    }
    f->type = GX_ENUM_REF;
    if (gx_doc_enum(doc, f->type_name)) {
        f->enumeration = gx_doc_enum(doc, f->type_name);
        return;
    }
    f->type = GX_UNKNOWN;
    gx_complain(doc, f->meta.loc, "field '%s' has the unknown type '%s'",
                f->name, f->type_name);
}

static void resolve_field(GxDoc *doc, GxField *f)
{
    resolve_type(doc, f);
    if (!f->default_text) {
        return;
    }
    f->has_default = gx_parse_field_value(f, f->default_text, &f->dflt);
    if (!f->has_default) {
        gx_complain(doc, f->meta.loc,
                    "default=\"%s\" is no value of field '%s' (%s, %u bits)",
                    f->default_text, f->name,
                    f->type_name ? f->type_name : "uint", gx_field_bits(f));
    }
}

static void add_name(void *opaque, const char *name)
{
    g_hash_table_add(opaque, (char *)name);
}

/* All names that expressions use; they and the names of fields are interned,
 * so equal names are the same pointer. */
static void expression_names(const GxGroup *g, GHashTable *names)
{
    if (g->count_from) {
        gx_expr_names(g->count_from, add_name, names);
    }
    if (g->present_if) {
        gx_expr_names(g->present_if, add_name, names);
    }
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);

        if (it->group) {
            expression_names(it->group, names);
        }
    }
}

static void mark_named(GxGroup *g, GHashTable *names)
{
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);

        if (it->group) {
            mark_named(it->group, names);
        } else {
            it->field->named = g_hash_table_contains(names, it->field->name);
        }
    }
}

static void resolve_group(GxDoc *doc, GxGroup *g)
{
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);

        if (it->field) {
            resolve_field(doc, it->field);
        } else {
            resolve_group(doc, it->group);
        }
    }
}

/* The field of the first dword that holds the number of dwords. */
static void find_length_field(GxContainer *c)
{
    for (unsigned i = 0; i < c->root->items->len; i++) {
        GxField *f = g_array_index(c->root->items, GxItem, i).field;

        if (f && f->end < 32 && (!strcmp(f->name, "DWord Length") ||
                                 !strcmp(f->name, "COUNT"))) {
            c->length_field = f;
            return;
        }
    }
}

static void resolve_alias(GxDoc *doc, GxContainer *c)
{
    const GxContainer *target;

    if (!c->alias_name) {
        return;
    }
    target = gx_doc_register(doc, c->space, c->alias_name);
    if (!target) {
        gx_error(doc, c->meta.loc, "alias-of=\"%s\": no such %s register",
                 c->alias_name, gx_space_name(c->space));
    } else if (target->alias_name) {
        gx_error(doc, c->meta.loc,
                 "alias-of=\"%s\": that register is itself an alias",
                 c->alias_name);
    } else {
        c->alias = target;
    }
}

void gx_resolve(GxDoc *doc)
{
    g_autoptr(GHashTable) names = g_hash_table_new(NULL, NULL);

    for (unsigned i = 0; i < doc->containers->len; i++) {
        GxContainer *c = doc->containers->pdata[i];

        resolve_group(doc, c->root);
        if (c->kind == GX_INSTRUCTION) {
            find_length_field(c);
        }
        if (c->kind == GX_REGISTER) {
            resolve_alias(doc, c);
        }
        expression_names(c->root, names);
    }
    for (unsigned i = 0; i < doc->containers->len; i++) {
        mark_named(((GxContainer *)doc->containers->pdata[i])->root, names);
    }
}

bool gx_doc_finish(GxDoc *doc)
{
    if (!doc->finished) {
        doc->finished = true;
        gx_resolve(doc);
        gx_check(doc);
    }
    return doc->n_errors == 0;
}
