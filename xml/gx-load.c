/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From XML text to the model. libxml2 builds the tree; no entity is expanded
 * because a document type declaration ends the parse.
 */
#include <errno.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <string.h>

#include "gx-private.h"

typedef struct Loader {
    GxDoc *doc;
    const struct Loader *outer; /* of the file that imports this one */
    const char *file;
    GPtrArray *excludes;        /* GHashTable of names, of the open imports */
    unsigned depth;             /* of imports */
    bool refused;               /* an error has been given for this file */
} Loader;

static bool load_text(Loader *ld, const char *name, const char *text,
                      size_t length);

static GxLoc node_loc(const Loader *ld, const xmlNode *node)
{
    return (GxLoc) { ld->file, (int)xmlGetLineNo((xmlNode *)node) };
}

static bool is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE &&
           !strcmp((const char *)node->name, name);
}

/* --- attributes --- */

#define META " ref confidence chips"

/* Complain about attributes that are not in the list. */
static void check_attributes(Loader *ld, const xmlNode *node, const char *list)
{
    g_auto(GStrv) known = g_strsplit(list, " ", -1);

    for (const xmlAttr *a = node->properties; a; a = a->next) {
        if (!g_strv_contains((const char *const *)known,
                             (const char *)a->name)) {
            gx_complain(ld->doc, node_loc(ld, node),
                        "<%s> has no attribute '%s'", node->name, a->name);
        }
    }
}

static const char *attr(Loader *ld, const xmlNode *node, const char *name)
{
    xmlChar *v = xmlGetNoNsProp((xmlNode *)node, BAD_CAST name);
    const char *text;

    if (!v) {
        return NULL;
    }
    text = gx_intern(ld->doc, (const char *)v);
    xmlFree(v);
    return text;
}

/* A number up to max; *present tells whether there is a good one. */
static uint64_t attr_number(Loader *ld, const xmlNode *node, const char *name,
                            uint64_t max, bool *present)
{
    const char *text = attr(ld, node, name);
    uint64_t v;

    *present = false;
    if (!text) {
        return 0;
    }
    if (!gx_parse_number(text, &v)) {
        gx_error(ld->doc, node_loc(ld, node), "%s=\"%s\" is not a number",
                 name, text);
        return 0;
    }
    if (v > max) {
        gx_error(ld->doc, node_loc(ld, node),
                 "%s=\"%s\" is out of range (at most %" G_GUINT64_FORMAT ")",
                 name, text, max);
        return 0;
    }
    *present = true;
    return v;
}

static const char *required_name(Loader *ld, const xmlNode *node)
{
    const char *name = attr(ld, node, "name");

    if (!name || !*name) {
        gx_error(ld->doc, node_loc(ld, node), "<%s> without a name",
                 node->name);
        return NULL;
    }
    return name;
}

static bool attr_flag(Loader *ld, const xmlNode *node, const char *name)
{
    const char *text = attr(ld, node, name);

    if (!text || !strcmp(text, "false") || !strcmp(text, "0")) {
        return false;
    }
    if (strcmp(text, "true") && strcmp(text, "1")) {
        gx_error(ld->doc, node_loc(ld, node), "%s=\"%s\" is not true or false",
                 name, text);
    }
    return true;
}

static GxAccess attr_access(Loader *ld, const xmlNode *node)
{
    const char *text = attr(ld, node, "access");

    if (!text) {
        return GX_ACCESS_UNSET;
    }
    for (GxAccess a = GX_RW; a <= GX_RC; a++) {
        if (!strcmp(text, gx_access_name(a))) {
            return a;
        }
    }
    gx_error(ld->doc, node_loc(ld, node),
             "access=\"%s\" is none of rw, ro, wo, w1c, rc", text);
    return GX_ACCESS_UNSET;
}

/* Text content with runs of white space made one blank. */
static const char *content(Loader *ld, const xmlNode *node)
{
    GString *s = g_string_new(NULL);
    const char *text;

    for (const xmlNode *n = node->children; n; n = n->next) {
        if (n->type != XML_TEXT_NODE && n->type != XML_CDATA_SECTION_NODE) {
            continue;
        }
        for (const xmlChar *p = n->content; p && *p; p++) {
            if (!g_ascii_isspace(*p)) {
                g_string_append_c(s, (char)*p);
            } else if (s->len && s->str[s->len - 1] != ' ') {
                g_string_append_c(s, ' ');
            }
        }
    }
    while (s->len && s->str[s->len - 1] == ' ') {
        g_string_truncate(s, s->len - 1);
    }
    text = gx_intern(ld->doc, s->str);
    g_string_free(s, true);
    return text;
}

static GxMeta meta(Loader *ld, const xmlNode *node, const GxMeta *outer)
{
    GxMeta m = {
        .loc = node_loc(ld, node),
        .ref = attr(ld, node, "ref"),
        .confidence = attr(ld, node, "confidence"),
        .chips = attr(ld, node, "chips"),
        .doc = content(ld, node),
    };

    if (outer) {
        m.ref = m.ref ? m.ref : outer->ref;
        m.confidence = m.confidence ? m.confidence : outer->confidence;
    }
    return m;
}

static void unexpected(Loader *ld, const xmlNode *node, const xmlNode *in)
{
    if (node->type == XML_ELEMENT_NODE) {
        gx_complain(ld->doc, node_loc(ld, node), "<%s> inside <%s>",
                    node->name, in->name);
    } else if (node->type == XML_ENTITY_REF_NODE) {
        gx_error(ld->doc, node_loc(ld, node), "entity '&%s;' inside <%s>",
                 node->name, in->name);
    }
}

/* --- values and enums --- */

static void load_value(Loader *ld, const xmlNode *node, GxEnum *e)
{
    GxValue *v = gx_alloc(ld->doc, sizeof(*v));
    bool present;

    check_attributes(ld, node, "name value alias-of" META);
    v->meta = meta(ld, node, &e->meta);
    v->name = required_name(ld, node);
    v->alias_of = attr(ld, node, "alias-of");
    v->value = attr_number(ld, node, "value", UINT64_MAX, &present);
    if (!v->name) {
        return;
    }
    if (!attr(ld, node, "value")) {
        gx_error(ld->doc, v->meta.loc, "value '%s' without a number",
                 v->name);
        return;
    }
    if (present) {
        g_ptr_array_add(e->values, v);
    }
}

static GxEnum *new_enum(Loader *ld, const xmlNode *node, const GxMeta *outer)
{
    GxEnum *e = gx_alloc(ld->doc, sizeof(*e));

    e->meta = meta(ld, node, outer);
    e->values = gx_ptr_array(ld->doc);
    return e;
}

/*
 * A definition replaces one of the same name that its file imports. Returns
 * whether the new one is to be kept; *twice: both are of the same level.
 */
static bool supersedes(unsigned new_level, unsigned old_level, bool *twice)
{
    *twice = new_level == old_level;
    return new_level < old_level;
}

static void add_enum(Loader *ld, GxEnum *e)
{
    GHashTable *h = ld->doc->enum_by_name;
    GxEnum *old = g_hash_table_lookup(h, e->name);
    bool twice;

    if (old && !supersedes(e->level, old->level, &twice)) {
        if (twice) {
            gx_complain(ld->doc, e->meta.loc,
                        "enum '%s' is defined twice (before: %s:%d)", e->name,
                        old->meta.loc.file, old->meta.loc.line);
        }
        return;
    }
    if (old) {
        g_ptr_array_remove(ld->doc->enums, old);
    }
    g_hash_table_insert(h, (char *)e->name, e);
    g_ptr_array_add(ld->doc->enums, e);
}

static void load_enum(Loader *ld, const xmlNode *node, const char *name)
{
    GxEnum *e = new_enum(ld, node, NULL);

    check_attributes(ld, node, "name prefix" META);
    e->name = name;
    e->prefix = attr(ld, node, "prefix");
    for (const xmlNode *n = node->children; n; n = n->next) {
        if (is(n, "value")) {
            load_value(ld, n, e);
        } else {
            unexpected(ld, n, node);
        }
    }
    e->level = ld->depth;
    add_enum(ld, e);
}

/* --- fields and groups --- */

/* "hi:lo" or "n" */
static bool parse_bits(const char *text, uint32_t *start, uint32_t *end)
{
    g_auto(GStrv) part = g_strsplit(text, ":", 2);
    uint64_t hi, lo;

    if (!part[0] || !gx_parse_number(part[0], &hi)) {
        return false;
    }
    lo = hi;
    if (part[1] && !gx_parse_number(part[1], &lo)) {
        return false;
    }
    if (hi >= GX_MAX_BITS || lo >= GX_MAX_BITS) {
        return false;
    }
    *start = (uint32_t)lo;
    *end = (uint32_t)hi;
    return true;
}

/* start and end, or dword and bits. */
static bool field_place(Loader *ld, const xmlNode *node, GxField *f)
{
    const char *bits = attr(ld, node, "bits");
    bool has_start, has_end, has_dword;
    uint64_t start, end, dword;

    if (bits) {
        dword = attr_number(ld, node, "dword", GX_MAX_BITS / 32 - 1,
                            &has_dword);
        if (!parse_bits(bits, &f->start, &f->end)) {
            gx_error(ld->doc, f->meta.loc, "bits=\"%s\" is not hi:lo", bits);
            return false;
        }
        f->start += dword * 32;
        f->end += dword * 32;
    } else {
        start = attr_number(ld, node, "start", GX_MAX_BITS - 1, &has_start);
        end = attr_number(ld, node, "end", GX_MAX_BITS - 1, &has_end);
        if (!has_start || !has_end) {
            gx_error(ld->doc, f->meta.loc, "field '%s' has no %s", f->name,
                     has_start ? "end" : "start");
            return false;
        }
        f->start = (uint32_t)start;
        f->end = (uint32_t)end;
    }
    if (f->start > f->end) {
        gx_error(ld->doc, f->meta.loc, "field '%s' ends before it starts",
                 f->name);
        return false;
    }
    return true;
}

/* Bits that must be ones or zeros need no name. */
static const char *field_name(Loader *ld, const xmlNode *node)
{
    const char *type = attr(ld, node, "type");

    if (!attr(ld, node, "name") && type &&
        (!strcmp(type, "mbo") || !strcmp(type, "mbz"))) {
        return type[2] == 'o' ? "(mbo)" : "(mbz)";
    }
    return required_name(ld, node);
}

static GxField *load_field(Loader *ld, const xmlNode *node,
                           const GxMeta *outer)
{
    GxField *f = gx_alloc(ld->doc, sizeof(*f));

    check_attributes(ld, node, "name start end dword bits type default prefix "
                     "nonzero access alias-of" META);
    f->meta = meta(ld, node, outer);
    f->name = field_name(ld, node);
    if (!f->name || !field_place(ld, node, f)) {
        return NULL;
    }
    f->prefix = attr(ld, node, "prefix");
    f->alias_of = attr(ld, node, "alias-of");
    f->type_name = attr(ld, node, "type");
    f->default_text = attr(ld, node, "default");
    f->access = attr_access(ld, node);
    f->nonzero = attr_flag(ld, node, "nonzero");
    for (const xmlNode *n = node->children; n; n = n->next) {
        if (!is(n, "value")) {
            unexpected(ld, n, node);
            continue;
        }
        if (!f->values) {
            f->values = new_enum(ld, node, &f->meta);
            f->values->prefix = f->prefix;
        }
        load_value(ld, n, f->values);
    }
    return f;
}

static const GxExpr *attr_expr(Loader *ld, const xmlNode *node,
                               const char *name)
{
    const char *text = attr(ld, node, name);
    const char *why;
    const GxExpr *e;

    if (!text) {
        return NULL;
    }
    e = gx_expr_parse(ld->doc, text, &why);
    if (!e) {
        gx_error(ld->doc, node_loc(ld, node), "%s=\"%s\": %s", name, text,
                 why);
    }
    return e;
}

static void load_items(Loader *ld, const xmlNode *node, GxGroup *group,
                       unsigned depth);

static GxGroup *load_group(Loader *ld, const xmlNode *node,
                           const GxMeta *outer, unsigned depth)
{
    GxGroup *g = gx_alloc(ld->doc, sizeof(*g));
    bool has_start, has_dword, has_size, has_offset;
    uint64_t dword, offset;

    check_attributes(ld, node, "name count start size dword offset-bits "
                     "count-from present-if" META);
    g->meta = meta(ld, node, outer);
    g->items = gx_item_array(ld->doc);
    g->start = attr_number(ld, node, "start", GX_MAX_BITS - 1, &has_start);
    dword = attr_number(ld, node, "dword", GX_MAX_BITS / 32 - 1, &has_dword);
    offset = attr_number(ld, node, "offset-bits", GX_MAX_BITS / 2,
                         &has_offset);
    if (has_dword || has_offset) {
        g->start = (uint32_t)(dword * 32 + offset);
    }
    g->flows = !has_start && !has_dword && !has_offset;
    g->size = attr_number(ld, node, "size", GX_MAX_BITS, &has_size);
    g->count = attr_number(ld, node, "count", GX_MAX_COUNT, &g->has_count);
    g->count_from = attr_expr(ld, node, "count-from");
    g->present_if = attr_expr(ld, node, "present-if");
    if (!g->has_count) {
        g->count = 1;
    }
    load_items(ld, node, g, depth + 1);
    return g;
}

static void load_items(Loader *ld, const xmlNode *node, GxGroup *group,
                       unsigned depth)
{
    if (depth > GX_MAX_DEPTH) {
        gx_error(ld->doc, node_loc(ld, node),
                 "groups are nested more than %d deep", GX_MAX_DEPTH);
        return;
    }
    for (const xmlNode *n = node->children; n; n = n->next) {
        GxItem it = { NULL, NULL };

        if (is(n, "field")) {
            it.field = load_field(ld, n, &group->meta);
        } else if (is(n, "group")) {
            it.group = load_group(ld, n, &group->meta, depth);
        } else {
            unexpected(ld, n, node);
        }
        if (it.field || it.group) {
            g_array_append_val(group->items, it);
        }
    }
}

/* --- struct, instruction, register --- */

static void load_register_attributes(Loader *ld, const xmlNode *node,
                                     GxContainer *c)
{
    const char *space = attr(ld, node, "space");
    bool present;

    c->num = attr_number(ld, node, "num", UINT32_MAX, &present);
    if (!present && !attr(ld, node, "num")) {
        gx_error(ld->doc, c->meta.loc, "register '%s' has no num", c->name);
    }
    c->width = attr_number(ld, node, "width", 64, &present);
    if (!present) {
        c->width = 32;
    }
    c->access = attr_access(ld, node);
    c->mask = attr_number(ld, node, "mask", UINT64_MAX, &c->has_mask);
    c->reset = attr_number(ld, node, "reset", UINT64_MAX, &c->has_reset);
    c->alias_name = attr(ld, node, "alias-of");
    if (!space) {
        return;
    }
    for (GxSpace s = 0; s < GX_N_SPACES; s++) {
        if (!strcmp(space, gx_space_name(s))) {
            c->space = s;
            return;
        }
    }
    gx_error(ld->doc, c->meta.loc,
             "space=\"%s\" is none of mmio, pll, pci, vga", space);
}

static const char *const container_attributes[] = {
    [GX_STRUCT] = "name length" META,
    [GX_INSTRUCTION] = "name bias length engine" META,
    [GX_REGISTER] = "name num length space alias-of width access reset mask"
                    META,
};

static void add_container(Loader *ld, GxContainer *c)
{
    GHashTable *h = ld->doc->by_name[c->kind];
    char *key = c->kind == GX_REGISTER ? gx_register_key(c->space, c->name)
                                       : g_strdup(c->name);
    GxContainer *old = g_hash_table_lookup(h, key);
    bool twice;

    if (old && !supersedes(c->level, old->level, &twice)) {
        if (twice) {
            gx_complain(ld->doc, c->meta.loc,
                        "%s '%s' is defined twice (before: %s:%d)",
                        gx_kind_name(c->kind), c->name, old->meta.loc.file,
                        old->meta.loc.line);
        }
        g_free(key);
        return;
    }
    if (old) {
        g_ptr_array_remove(ld->doc->containers, old);
    }
    g_hash_table_replace(h, key, c);
    g_ptr_array_add(ld->doc->containers, c);
}

static void load_container(Loader *ld, const xmlNode *node, const char *name,
                           GxKind kind)
{
    GxContainer *c = gx_alloc(ld->doc, sizeof(*c));

    check_attributes(ld, node, container_attributes[kind]);
    c->meta = meta(ld, node, NULL);
    c->kind = kind;
    c->level = ld->depth;
    c->name = name;
    c->engine = attr(ld, node, "engine");
    c->length = attr_number(ld, node, "length", GX_MAX_BITS / 32,
                            &c->has_length);
    c->bias = attr_number(ld, node, "bias", GX_MAX_BITS / 32, &c->has_bias);
    if (kind == GX_REGISTER) {
        load_register_attributes(ld, node, c);
        if (!c->has_length) {
            c->length = 1;
        }
    }
    c->root = gx_alloc(ld->doc, sizeof(*c->root));
    c->root->meta = c->meta;
    c->root->count = 1;
    c->root->items = gx_item_array(ld->doc);
    load_items(ld, node, c->root, 0);
    add_container(ld, c);
}

/* --- files --- */

static bool excluded(const Loader *ld, const char *name)
{
    for (unsigned i = 0; i < ld->excludes->len; i++) {
        if (g_hash_table_contains(ld->excludes->pdata[i], name)) {
            return true;
        }
    }
    return false;
}

static char *import_path(Loader *ld, const xmlNode *node, const char *name)
{
    g_autofree char *dir = NULL;

    if (strchr(name, '/') || strchr(name, '\\')) {
        gx_error(ld->doc, node_loc(ld, node),
                 "import of '%s': only a file of the same directory", name);
        return NULL;
    }
    dir = g_path_get_dirname(ld->file);
    return strcmp(dir, ".") ? g_build_filename(dir, name, NULL)
                            : g_strdup(name);
}

/* No more of it than load_text() takes and one byte: a device has no end. */
static char *read_file(const char *path, size_t *length, const char **why)
{
    FILE *f = fopen(path, "rb");
    GString *s;
    char buf[16384];
    int err;

    if (!f) {
        *why = g_strerror(errno);
        return NULL;
    }
    s = g_string_new(NULL);
    do {
        *length = fread(buf, 1, sizeof(buf), f);
        g_string_append_len(s, buf, *length);
    } while (*length && s->len <= GX_MAX_FILE);
    err = ferror(f) ? errno : 0;
    fclose(f);
    *length = s->len;
    if (err) {
        *why = g_strerror(err);
        g_string_free(s, true);
        return NULL;
    }
    return g_string_free(s, false);
}

static bool file_is_loaded(const GxDoc *doc, const char *path)
{
    for (unsigned i = 0; i < doc->files->len; i++) {
        if (!strcmp(doc->files->pdata[i], path)) {
            return true;
        }
    }
    return false;
}

static void load_import(Loader *ld, const xmlNode *node)
{
    const char *name = required_name(ld, node);
    g_autofree char *path = name ? import_path(ld, node, name) : NULL;
    g_autoptr(GHashTable) exclude = g_hash_table_new(g_str_hash, g_str_equal);
    g_autofree char *text = NULL;
    const char *why;
    Loader inner = *ld;
    size_t length;

    check_attributes(ld, node, "name" META);
    if (!path) {
        return;
    }
    for (const xmlNode *n = node->children; n; n = n->next) {
        if (is(n, "exclude")) {
            const char *x = required_name(ld, n);
            check_attributes(ld, n, "name" META);
            g_hash_table_add(exclude, (char *)(x ? x : ""));
        } else {
            unexpected(ld, n, node);
        }
    }
    for (const Loader *l = ld; l; l = l->outer) {
        if (!strcmp(l->file, path)) {
            gx_error(ld->doc, node_loc(ld, node), "'%s' imports itself",
                     name);
            return;
        }
    }
    if (file_is_loaded(ld->doc, path)) {
        return;
    }
    if (ld->depth >= GX_MAX_DEPTH || ld->doc->files->len >= GX_MAX_IMPORTS) {
        gx_error(ld->doc, node_loc(ld, node), "too many imports");
        return;
    }
    text = read_file(path, &length, &why);
    if (!text) {
        gx_error(ld->doc, node_loc(ld, node), "import of '%s': %s", name,
                 why);
        return;
    }
    inner.depth++;
    inner.outer = ld;
    g_ptr_array_add(ld->excludes, exclude);
    load_text(&inner, path, text, length);
    g_ptr_array_remove_index(ld->excludes, ld->excludes->len - 1);
}

static void load_element(Loader *ld, const xmlNode *root, const xmlNode *node)
{
    static const GxKind kinds[] = { GX_STRUCT, GX_INSTRUCTION, GX_REGISTER };
    const char *name;

    if (is(node, "import")) {
        load_import(ld, node);
        return;
    }
    if (is(node, "enum")) {
        name = required_name(ld, node);
        if (name && !excluded(ld, name)) {
            load_enum(ld, node, name);
        }
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (is(node, gx_kind_name(kinds[i]))) {
            name = required_name(ld, node);
            if (name && !excluded(ld, name)) {
                load_container(ld, node, name, kinds[i]);
            }
            return;
        }
    }
    unexpected(ld, node, root);
}

static void load_root(Loader *ld, const xmlNode *root)
{
    if (!is(root, "genxml")) {
        gx_error(ld->doc, node_loc(ld, root),
                 "the document element is <%s>, not <genxml>", root->name);
        return;
    }
    check_attributes(ld, root, "name gen" META);
    if (!ld->doc->name) {
        ld->doc->name = attr(ld, root, "name");
        ld->doc->gen = attr(ld, root, "gen");
    }
    for (const xmlNode *n = root->children; n; n = n->next) {
        load_element(ld, root, n);
    }
}

static void refuse_dtd(void *ctx, const xmlChar *name, const xmlChar *public,
                       const xmlChar *system)
{
    xmlParserCtxt *ctxt = ctx;
    Loader *ld = ctxt->_private;
    GxLoc loc = { ld->file, ctxt->input ? ctxt->input->line : 1 };

    gx_error(ld->doc, loc, "document type declarations are not accepted");
    ld->refused = true;
    xmlStopParser(ctxt);
}

static void xml_error(void *ctx, xmlErrorPtr e)
{
    xmlParserCtxt *ctxt = ctx;
    Loader *ld = ctxt->_private;
    GxLoc loc = { ld->file, e->line > 0 ? e->line : 1 };
    g_autofree char *text = NULL;

    if (ld->refused || e->level < XML_ERR_ERROR) {
        return;
    }
    text = g_strdup(e->message ? e->message : "not well-formed");
    g_strchomp(text);
    gx_error(ld->doc, loc, "%s", text);
    ld->refused = true;
}

static bool load_text(Loader *ld, const char *name, const char *text,
                      size_t length)
{
    unsigned before = ld->doc->n_errors;
    xmlParserCtxt *ctxt;
    xmlDoc *xml;

    ld->file = gx_intern(ld->doc, name);
    ld->refused = false;
    g_ptr_array_add(ld->doc->files, (char *)ld->file);
    if (length > GX_MAX_FILE) {
        gx_error(ld->doc, (GxLoc) { ld->file, 1 },
                 "longer than %u bytes", GX_MAX_FILE);
        return false;
    }
    ctxt = xmlNewParserCtxt();
    ctxt->_private = ld;
    ctxt->sax->internalSubset = refuse_dtd;
    ctxt->sax->serror = xml_error;
    xml = xmlCtxtReadMemory(ctxt, text, (int)length, name, NULL,
                            XML_PARSE_NONET | XML_PARSE_NOERROR |
                            XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES |
                            XML_PARSE_COMPACT);
    if (xml && !ld->refused && xmlDocGetRootElement(xml)) {
        load_root(ld, xmlDocGetRootElement(xml));
    } else if (!ld->refused) {
        gx_error(ld->doc, (GxLoc) { ld->file, 1 }, "not an XML document");
    }
    xmlFreeDoc(xml);
    xmlFreeParserCtxt(ctxt);
    return ld->doc->n_errors == before;
}

bool gx_doc_load_memory(GxDoc *doc, const char *name, const char *text,
                        size_t length)
{
    Loader ld = { .doc = doc, .excludes = g_ptr_array_new() };
    bool ok = load_text(&ld, name, text, length);

    g_ptr_array_unref(ld.excludes);
    return ok;
}

bool gx_doc_load_file(GxDoc *doc, const char *path)
{
    g_autofree char *text = NULL;
    const char *why;
    size_t length;

    if (file_is_loaded(doc, path)) {
        return true;
    }
    text = read_file(path, &length, &why);
    if (!text) {
        gx_error(doc, (GxLoc) { gx_intern(doc, path), 1 }, "%s", why);
        return false;
    }
    return gx_doc_load_memory(doc, path, text, length);
}
