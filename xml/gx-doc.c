/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document: memory, diagnostics, look-ups. */
#include <stdarg.h>
#include <string.h>

#include "gx-private.h"

#define MAX_DIAGS 500

static const char *const space_names[GX_N_SPACES] = {
    [GX_SPACE_MMIO] = "mmio",
    [GX_SPACE_PLL] = "pll",
    [GX_SPACE_PCI] = "pci",
    [GX_SPACE_VGA] = "vga",
};

static const char *const kind_names[] = {
    [GX_STRUCT] = "struct",
    [GX_INSTRUCTION] = "instruction",
    [GX_REGISTER] = "register",
};

static const char *const access_names[] = {
    [GX_ACCESS_UNSET] = "",
    [GX_RW] = "rw",
    [GX_RO] = "ro",
    [GX_WO] = "wo",
    [GX_W1C] = "w1c",
    [GX_RC] = "rc",
};

GxDoc *gx_doc_new(GxMode mode)
{
    GxDoc *doc = g_new0(GxDoc, 1);

    doc->mode = mode;
    doc->mem = g_ptr_array_new_with_free_func(g_free);
    doc->arrays = g_ptr_array_new();
    doc->strings = g_string_chunk_new(64 << 10);
    doc->containers = g_ptr_array_new();
    doc->enums = g_ptr_array_new();
    doc->files = g_ptr_array_new();
    doc->diags = g_ptr_array_new();
    for (unsigned i = 0; i < G_N_ELEMENTS(doc->by_name); i++) {
        doc->by_name[i] = g_hash_table_new_full(g_str_hash, g_str_equal,
                                                g_free, NULL);
    }
    doc->enum_by_name = g_hash_table_new(g_str_hash, g_str_equal);
    return doc;
}

void gx_doc_free(GxDoc *doc)
{
    if (!doc) {
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(doc->by_name); i++) {
        g_hash_table_destroy(doc->by_name[i]);
    }
    g_hash_table_destroy(doc->enum_by_name);
    /* Pairs: the array and how to free it. */
    for (unsigned i = 0; i < doc->arrays->len; i += 2) {
        GDestroyNotify f = (GDestroyNotify)doc->arrays->pdata[i + 1];
        f(doc->arrays->pdata[i]);
    }
    g_ptr_array_unref(doc->arrays);
    g_ptr_array_unref(doc->containers);
    g_ptr_array_unref(doc->enums);
    g_ptr_array_unref(doc->files);
    g_ptr_array_unref(doc->diags);
    g_ptr_array_unref(doc->mem);
    g_string_chunk_free(doc->strings);
    g_free(doc);
}

void *gx_alloc(GxDoc *doc, size_t size)
{
    void *p = g_malloc0(size);

    g_ptr_array_add(doc->mem, p);
    return p;
}

const char *gx_intern(GxDoc *doc, const char *text)
{
    return g_string_chunk_insert_const(doc->strings, text);
}

GPtrArray *gx_ptr_array(GxDoc *doc)
{
    GPtrArray *a = g_ptr_array_new();

    g_ptr_array_add(doc->arrays, a);
    g_ptr_array_add(doc->arrays, (void *)g_ptr_array_unref);
    return a;
}

GArray *gx_item_array(GxDoc *doc)
{
    GArray *a = g_array_new(false, true, sizeof(GxItem));

    g_ptr_array_add(doc->arrays, a);
    g_ptr_array_add(doc->arrays, (void *)g_array_unref);
    return a;
}

static void diag(GxDoc *doc, bool error, GxLoc loc, const char *format,
                 va_list ap)
{
    g_autofree char *text = NULL;
    GxDiag *d;

    if (error) {
        doc->n_errors++;
    } else {
        doc->n_warnings++;
    }
    if (doc->diags->len >= MAX_DIAGS) {
        return;
    }
    text = g_strdup_vprintf(format, ap);
    d = gx_alloc(doc, sizeof(*d));
    d->error = error;
    d->loc = loc;
    d->text = gx_intern(doc, text);
    g_ptr_array_add(doc->diags, d);
}

void gx_error(GxDoc *doc, GxLoc loc, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    diag(doc, true, loc, format, ap);
    va_end(ap);
}

void gx_complain(GxDoc *doc, GxLoc loc, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    diag(doc, doc->mode == GX_STRICT, loc, format, ap);
    va_end(ap);
}

char *gx_diag_string(const GxDiag *d)
{
    return g_strdup_printf("%s:%d: %s: %s", d->loc.file, d->loc.line,
                           d->error ? "error" : "warning", d->text);
}

char *gx_doc_diag_text(const GxDoc *doc)
{
    GString *s = g_string_new(NULL);
    unsigned n = doc->n_errors + doc->n_warnings;

    for (unsigned i = 0; i < doc->diags->len; i++) {
        g_autofree char *line = gx_diag_string(doc->diags->pdata[i]);
        g_string_append_printf(s, "%s\n", line);
    }
    if (n > doc->diags->len) {
        g_string_append_printf(s, "... and %u more\n", n - doc->diags->len);
    }
    return g_string_free(s, false);
}

char *gx_register_key(GxSpace space, const char *name)
{
    return g_strdup_printf("%s:%s", space_names[space], name);
}

/* Documents made at build time have no hash tables. */
static GxContainer *by_name(const GxDoc *doc, GxKind kind, GxSpace space,
                            const char *name)
{
    g_autofree char *key = NULL;

    if (doc->by_name[kind]) {
        key = kind == GX_REGISTER ? gx_register_key(space, name) : NULL;
        return g_hash_table_lookup(doc->by_name[kind], key ? key : name);
    }
    for (unsigned i = 0; i < doc->containers->len; i++) {
        GxContainer *c = doc->containers->pdata[i];

        if (c->kind == kind && !strcmp(c->name, name) &&
            (kind != GX_REGISTER || c->space == space)) {
            return c;
        }
    }
    return NULL;
}

GxContainer *gx_doc_struct(const GxDoc *doc, const char *name)
{
    return by_name(doc, GX_STRUCT, 0, name);
}

GxContainer *gx_doc_instruction(const GxDoc *doc, const char *name)
{
    return by_name(doc, GX_INSTRUCTION, 0, name);
}

GxContainer *gx_doc_register(const GxDoc *doc, GxSpace space, const char *name)
{
    return by_name(doc, GX_REGISTER, space, name);
}

GxEnum *gx_doc_enum(const GxDoc *doc, const char *name)
{
    if (doc->enum_by_name) {
        return g_hash_table_lookup(doc->enum_by_name, name);
    }
    for (unsigned i = 0; i < doc->enums->len; i++) {
        GxEnum *e = doc->enums->pdata[i];

        if (!strcmp(e->name, name)) {
            return e;
        }
    }
    return NULL;
}

const GxValue *gx_enum_by_value(const GxEnum *e, uint64_t value)
{
    for (unsigned i = 0; i < e->values->len; i++) {
        const GxValue *v = e->values->pdata[i];
        if (v->value == value) {
            return v;
        }
    }
    return NULL;
}

const GxValue *gx_enum_by_name(const GxEnum *e, const char *name)
{
    for (unsigned i = 0; i < e->values->len; i++) {
        const GxValue *v = e->values->pdata[i];
        if (!strcmp(v->name, name)) {
            return v;
        }
    }
    return NULL;
}

GxField *gx_group_field(const GxGroup *g, const char *name)
{
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);
        GxField *f = it->field;

        if (f && !strcmp(f->name, name)) {
            return f;
        }
        f = it->group ? gx_group_field(it->group, name) : NULL;
        if (f) {
            return f;
        }
    }
    return NULL;
}

GxField *gx_container_field(const GxContainer *c, const char *name)
{
    return gx_group_field(c->root, name);
}

const char *gx_space_name(GxSpace space)
{
    return space_names[space];
}

const char *gx_kind_name(GxKind kind)
{
    return kind_names[kind];
}

const char *gx_access_name(GxAccess access)
{
    return access_names[access];
}

bool gx_chips_has(const char *chips, const char *chip)
{
    g_auto(GStrv) list = NULL;

    if (!chips) {
        return true;
    }
    list = g_strsplit(chips, " ", -1);
    return g_strv_contains((const char *const *)list, chip);
}
