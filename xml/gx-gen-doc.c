/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A document as C data, so that a program starts without reading XML. The
 * arrays are written one after the other; what refers to an element says its
 * place in its array.
 */
#include <inttypes.h>

#include "gx-gen.h"
#include "gx-private.h"

typedef struct Baker {
    const GxDoc *doc;
    GHashTable *strings;        /* text -> number + 1 */
    GHashTable *containers, *enums;     /* element -> place + 1 */
    GString *text, *exprs, *values, *value_lists, *enum_list, *fields;
    GString *items, *groups, *container_list;
    unsigned n_exprs, n_values, n_enums, n_fields, n_items, n_groups;
} Baker;

#define ADD(s, ...) g_string_append_printf(s, __VA_ARGS__)

/* Equal texts are the same object: expressions compare pointers. */
static void put_string(Baker *b, GString *to, const char *text)
{
    gpointer n = text ? g_hash_table_lookup(b->strings, text) : NULL;

    if (!text) {
        g_string_append(to, "NULL");
        return;
    }
    if (!n) {
        g_autofree char *literal = gen_string(text);

        n = GUINT_TO_POINTER(g_hash_table_size(b->strings) + 1);
        g_hash_table_insert(b->strings, (char *)text, n);
        ADD(b->text, "static const char s%u[] = %s;\n", GPOINTER_TO_UINT(n),
            literal);
    }
    ADD(to, "s%u", GPOINTER_TO_UINT(n));
}

static void put_meta(Baker *b, GString *to, const GxMeta *m)
{
    g_string_append(to, "{ { ");
    put_string(b, to, m->loc.file);
    ADD(to, ", %d }, ", m->loc.line);
    put_string(b, to, m->ref);
    g_string_append(to, ", ");
    put_string(b, to, m->confidence);
    g_string_append(to, ", ");
    put_string(b, to, m->chips);
    g_string_append(to, ", ");
    put_string(b, to, m->doc);
    g_string_append(to, " }");
}

static void put_expr(Baker *b, GString *to, const GxExpr *e)
{
    unsigned n = b->n_exprs;

    if (!e) {
        g_string_append(to, "NULL");
        return;
    }
    b->n_exprs++;
    ADD(b->exprs, "static const GxCode x%u_code[] = {\n", n);
    for (unsigned i = 0; i < e->n; i++) {
        ADD(b->exprs, "    { %d, INT64_C(%" PRId64 "), ", (int)e->code[i].op,
            e->code[i].number);
        put_string(b, b->exprs, e->code[i].name);
        g_string_append(b->exprs, " },\n");
    }
    ADD(b->exprs, "};\nstatic const GxExpr x%u = { ", n);
    put_string(b, b->exprs, e->text);
    ADD(b->exprs, ", %u, x%u_code };\n", e->n, n);
    ADD(to, "&x%u", n);
}

/* Returns its place. */
static unsigned add_enum(Baker *b, const GxEnum *e)
{
    unsigned n = b->n_enums++;

    g_hash_table_insert(b->enums, (gpointer)e, GUINT_TO_POINTER(n + 1));
    ADD(b->value_lists, "static gpointer v%u[] = {", n);
    for (unsigned i = 0; i < e->values->len; i++) {
        const GxValue *v = e->values->pdata[i];

        ADD(b->value_lists, "%s &values[%u],", i % 4 ? "" : "\n   ",
            b->n_values++);
        g_string_append(b->values, "    { ");
        put_meta(b, b->values, &v->meta);
        g_string_append(b->values, ", ");
        put_string(b, b->values, v->name);
        g_string_append(b->values, ", ");
        put_string(b, b->values, v->alias_of);
        ADD(b->values, ", UINT64_C(0x%" PRIx64 ") },\n", v->value);
    }
    ADD(b->value_lists, " NULL };\nstatic GPtrArray va%u = { v%u, %u };\n", n,
        n, e->values->len);
    g_string_append(b->enum_list, "    { ");
    put_meta(b, b->enum_list, &e->meta);
    g_string_append(b->enum_list, ", ");
    put_string(b, b->enum_list, e->name);
    g_string_append(b->enum_list, ", ");
    put_string(b, b->enum_list, e->prefix);
    ADD(b->enum_list, ", &va%u, %u },\n", n, e->level);
    return n;
}

static void put_place(GString *to, const char *member, const char *array,
                      GHashTable *places, const void *element)
{
    gpointer n = element ? g_hash_table_lookup(places, element) : NULL;

    if (n) {
        ADD(to, ", .%s = &%s[%u]", member, array, GPOINTER_TO_UINT(n) - 1);
    }
}

static unsigned add_field(Baker *b, const GxField *f)
{
    GString *s = b->fields;

    if (f->values) {
        add_enum(b, f->values);
    }
    g_string_append(s, "    { .meta = ");
    put_meta(b, s, &f->meta);
    g_string_append(s, ", .name = ");
    put_string(b, s, f->name);
    g_string_append(s, ", .prefix = ");
    put_string(b, s, f->prefix);
    g_string_append(s, ", .alias_of = ");
    put_string(b, s, f->alias_of);
    g_string_append(s, ", .type_name = ");
    put_string(b, s, f->type_name);
    g_string_append(s, ", .default_text = ");
    put_string(b, s, f->default_text);
    ADD(s, ",\n      .type = %d, .start = %u, .end = %u, .int_bits = %u, "
        ".frac_bits = %u, .access = %d, .nonzero = %d, .has_default = %d, "
        ".named = %d, .dflt = UINT64_C(0x%" PRIx64 ")",
        (int)f->type, f->start, f->end, f->int_bits, f->frac_bits,
        (int)f->access, f->nonzero, f->has_default, f->named, f->dflt);
    put_place(s, "values", "enums", b->enums, f->values);
    put_place(s, "enumeration", "enums", b->enums, f->enumeration);
    put_place(s, "structure", "containers", b->containers, f->structure);
    g_string_append(s, " },\n");
    return b->n_fields++;
}

static unsigned add_group(Baker *b, const GxGroup *g)
{
    g_autoptr(GString) list = g_string_new(NULL);
    unsigned first;

    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);

        if (it->field) {
            ADD(list, "    { &fields[%u], NULL },\n", add_field(b, it->field));
        } else {
            ADD(list, "    { NULL, &groups[%u] },\n", add_group(b, it->group));
        }
    }
    first = b->n_items;
    b->n_items += g->items->len;
    g_string_append(b->items, list->str);
    ADD(b->text, "static GArray i%u;\n", b->n_groups);
    ADD(b->value_lists, "static GArray i%u = { (char *)&items[%u], %u };\n",
        b->n_groups, first, g->items->len);
    g_string_append(b->groups, "    { .meta = ");
    put_meta(b, b->groups, &g->meta);
    ADD(b->groups, ", .flows = %d, .start = %u, .size = %u, .count = %u, "
        ".has_count = %d, .items = &i%u, .count_from = ", g->flows, g->start,
        g->size, g->count, g->has_count, b->n_groups);
    put_expr(b, b->groups, g->count_from);
    g_string_append(b->groups, ", .present_if = ");
    put_expr(b, b->groups, g->present_if);
    g_string_append(b->groups, " },\n");
    return b->n_groups++;
}

static void add_container(Baker *b, const GxContainer *c)
{
    GString *s = b->container_list;
    /* The fields of the group are numbered while it is added. */
    unsigned fields = b->n_fields;
    unsigned root = add_group(b, c->root);

    g_string_append(s, "    { .meta = ");
    put_meta(b, s, &c->meta);
    g_string_append(s, ", .name = ");
    put_string(b, s, c->name);
    g_string_append(s, ", .engine = ");
    put_string(b, s, c->engine);
    g_string_append(s, ", .alias_name = ");
    put_string(b, s, c->alias_name);
    ADD(s, ",\n      .kind = %d, .length = %u, .has_length = %d, .has_bias = "
        "%d, .bias = %u, .level = %u, .root = &groups[%u], .space = %d, .num = "
        "0x%x, .width = %u, .access = %d, .has_mask = %d, .has_reset = %d, "
        ".mask = UINT64_C(0x%" PRIx64 "), .reset = UINT64_C(0x%" PRIx64 ")",
        (int)c->kind, c->length, c->has_length, c->has_bias, c->bias, c->level,
        root, (int)c->space, c->num, c->width, (int)c->access, c->has_mask,
        c->has_reset, c->mask, c->reset);
    put_place(s, "alias", "containers", b->containers, c->alias);
    for (unsigned i = 0, n = fields; c->length_field &&
         i < c->root->items->len; i++) {
        const GxField *f = g_array_index(c->root->items, GxItem, i).field;

        if (!f) {
            break;              /* the length field comes before groups */
        }
        if (f == c->length_field) {
            ADD(s, ", .length_field = &fields[%u]", n);
        }
        n++;
    }
    g_string_append(s, " },\n");
}

static void write_doc(GenOut *out, const Baker *b)
{
    g_autofree char *symbol = g_ascii_strdown(b->doc->name, -1);

    fprintf(out->f, "#include \"gx-baked.h\"\n#include \"gx-private.h\"\n\n");
    fprintf(out->f, "static GxField fields[%u];\nstatic GxGroup groups[%u];\n"
            "static GxContainer containers[%u];\nstatic GxEnum enums[%u];\n"
            "static GxValue values[%u];\nstatic GxItem items[%u];\n",
            b->n_fields, b->n_groups, b->doc->containers->len, b->n_enums + 1,
            b->n_values + 1, b->n_items);
    fputs(b->text->str, out->f);
    fputs(b->exprs->str, out->f);
    fputs(b->value_lists->str, out->f);
    fprintf(out->f, "static GxValue values[%u] = {\n%s};\n", b->n_values + 1,
            b->values->str);
    fprintf(out->f, "static GxEnum enums[%u] = {\n%s};\n", b->n_enums + 1,
            b->enum_list->str);
    fprintf(out->f, "static GxField fields[%u] = {\n%s};\n", b->n_fields,
            b->fields->str);
    fprintf(out->f, "static GxItem items[%u] = {\n%s};\n", b->n_items,
            b->items->str);
    fprintf(out->f, "static GxGroup groups[%u] = {\n%s};\n", b->n_groups,
            b->groups->str);
    fprintf(out->f, "static GxContainer containers[%u] = {\n%s};\n",
            b->doc->containers->len, b->container_list->str);
    fprintf(out->f, "static gpointer all[] = {\n");
    for (unsigned i = 0; i < b->doc->containers->len; i++) {
        fprintf(out->f, "    &containers[%u],\n", i);
    }
    fprintf(out->f, "    NULL };\nstatic gpointer named[] = {\n");
    for (unsigned i = 0; i < b->doc->enums->len; i++) {
        fprintf(out->f, "    &enums[%u],\n", i);
    }
    fprintf(out->f, "    NULL };\n"
            "static GPtrArray all_array = { all, %u };\n"
            "static GPtrArray named_array = { named, %u };\n"
            "static GPtrArray none = { NULL, 0 };\n\n"
            "const GxDoc gx_doc_%s = {\n    .mode = GX_STRICT, .name = \"%s\", "
            ".gen = \"%s\", .containers = &all_array,\n    .enums = "
            "&named_array, .files = &none, .diags = &none, .finished = true,\n"
            "};\n", b->doc->containers->len, b->doc->enums->len, symbol,
            b->doc->name, b->doc->gen ? b->doc->gen : "");
}

void gen_doc(GenOut *out, const GxDoc *doc)
{
    Baker b = {
        .doc = doc,
        .strings = g_hash_table_new(g_str_hash, g_str_equal),
        .containers = g_hash_table_new(NULL, NULL),
        .enums = g_hash_table_new(NULL, NULL),
    };
    GString **parts[] = {
        &b.text, &b.exprs, &b.values, &b.value_lists, &b.enum_list, &b.fields,
        &b.items, &b.groups, &b.container_list,
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(parts); i++) {
        *parts[i] = g_string_new(NULL);
    }
    for (unsigned i = 0; i < doc->containers->len; i++) {
        g_hash_table_insert(b.containers, doc->containers->pdata[i],
                            GUINT_TO_POINTER(i + 1));
    }
    for (unsigned i = 0; i < doc->enums->len; i++) {
        add_enum(&b, doc->enums->pdata[i]);     /* first: place i */
    }
    for (unsigned i = 0; i < doc->containers->len; i++) {
        add_container(&b, doc->containers->pdata[i]);
    }
    write_doc(out, &b);
    for (unsigned i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_string_free(*parts[i], TRUE);
    }
    g_hash_table_unref(b.strings);
    g_hash_table_unref(b.containers);
    g_hash_table_unref(b.enums);
}
