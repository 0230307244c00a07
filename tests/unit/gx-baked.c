/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The documents made at build time say what the files say. */
#include <string.h>

#include "gx-baked.h"

static void same_meta(const GxMeta *a, const GxMeta *b)
{
    g_assert_cmpint(a->loc.line, ==, b->loc.line);
    g_assert_cmpstr(a->ref, ==, b->ref);
    g_assert_cmpstr(a->confidence, ==, b->confidence);
    g_assert_cmpstr(a->chips, ==, b->chips);
    g_assert_cmpstr(a->doc, ==, b->doc);
}

static void same_enum(const GxEnum *a, const GxEnum *b)
{
    g_assert_true(!a == !b);
    if (!a) {
        return;
    }
    g_assert_cmpstr(a->name, ==, b->name);
    g_assert_cmpuint(a->values->len, ==, b->values->len);
    for (unsigned i = 0; i < a->values->len; i++) {
        const GxValue *va = a->values->pdata[i], *vb = b->values->pdata[i];

        g_assert_cmpstr(va->name, ==, vb->name);
        g_assert_cmphex(va->value, ==, vb->value);
        same_meta(&va->meta, &vb->meta);
    }
}

static void same_field(const GxField *a, const GxField *b)
{
    g_assert_cmpstr(a->name, ==, b->name);
    g_assert_cmpstr(a->alias_of, ==, b->alias_of);
    g_assert_cmpint(a->type, ==, b->type);
    g_assert_cmpuint(a->start, ==, b->start);
    g_assert_cmpuint(a->end, ==, b->end);
    g_assert_cmpint(a->access, ==, b->access);
    g_assert_cmpint(a->named, ==, b->named);
    g_assert_cmpint(a->has_default, ==, b->has_default);
    g_assert_cmphex(a->dflt, ==, b->dflt);
    g_assert_cmpstr(a->structure ? a->structure->name : "-", ==,
                    b->structure ? b->structure->name : "-");
    same_enum(a->enumeration, b->enumeration);
    same_meta(&a->meta, &b->meta);
}

static const char *text_of(const GxExpr *e)
{
    return e ? gx_expr_text(e) : "";
}

static void same_group(const GxGroup *a, const GxGroup *b)
{
    g_assert_cmpint(a->flows, ==, b->flows);
    g_assert_cmpuint(a->start, ==, b->start);
    g_assert_cmpuint(a->size, ==, b->size);
    g_assert_cmpuint(a->count, ==, b->count);
    g_assert_cmpstr(text_of(a->count_from), ==, text_of(b->count_from));
    g_assert_cmpstr(text_of(a->present_if), ==, text_of(b->present_if));
    g_assert_cmpuint(a->items->len, ==, b->items->len);
    for (unsigned i = 0; i < a->items->len; i++) {
        const GxItem *ia = &g_array_index(a->items, GxItem, i);
        const GxItem *ib = &g_array_index(b->items, GxItem, i);

        g_assert_true(!ia->field == !ib->field);
        if (ia->field) {
            same_field(ia->field, ib->field);
        } else {
            same_group(ia->group, ib->group);
        }
    }
}

static void same_container(const GxContainer *a, const GxContainer *b)
{
    g_assert_cmpstr(a->name, ==, b->name);
    g_assert_cmpint(a->kind, ==, b->kind);
    g_assert_cmpstr(a->engine, ==, b->engine);
    g_assert_cmpuint(a->length, ==, b->length);
    g_assert_cmpuint(a->bias, ==, b->bias);
    g_assert_cmpint(a->space, ==, b->space);
    g_assert_cmphex(a->num, ==, b->num);
    g_assert_cmpuint(a->width, ==, b->width);
    g_assert_cmphex(a->mask, ==, b->mask);
    g_assert_cmphex(a->reset, ==, b->reset);
    g_assert_cmpstr(a->alias ? a->alias->name : "-", ==,
                    b->alias ? b->alias->name : "-");
    g_assert_true(!a->length_field == !b->length_field);
    if (a->length_field) {
        g_assert_true(a->length_field ==
                      gx_container_field(a, b->length_field->name));
    }
    same_group(a->root, b->root);
    same_meta(&a->meta, &b->meta);
}

static void check(const GxDoc *baked, const char *file)
{
    g_autofree char *path = g_build_filename(XML_DIR, file, NULL);
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);

    g_assert_true(gx_doc_load_file(doc, path) && gx_doc_finish(doc));
    g_assert_cmpstr(baked->name, ==, doc->name);
    g_assert_cmpstr(baked->gen, ==, doc->gen);
    g_assert_cmpuint(baked->containers->len, ==, doc->containers->len);
    g_assert_cmpuint(baked->enums->len, ==, doc->enums->len);
    for (unsigned i = 0; i < doc->containers->len; i++) {
        same_container(baked->containers->pdata[i], doc->containers->pdata[i]);
    }
    for (unsigned i = 0; i < doc->enums->len; i++) {
        same_enum(baked->enums->pdata[i], doc->enums->pdata[i]);
    }
}

static void test_pm4(void)
{
    check(&gx_doc_rv100_pm4, "rv100-pm4.xml");
}

static void test_media(void)
{
    check(&gx_doc_gen75_media, "gen75-media.xml");
}

/* Names are found, and expressions work on the built-in strings. */
static void note(void *opaque, const GxVisit *v, uint64_t raw)
{
    g_string_append_printf(opaque, "%s ", v->field->name);
}

static void test_use(void)
{
    static const GxWalkOps ops = { .field = note };
    static const uint32_t words[] = { 0xc0041300, 1, 2, 0x01060000, 7, 0 };
    const GxDoc *doc = &gx_doc_rv100_pm4;
    g_autoptr(GString) s = g_string_new(NULL);

    g_assert_cmphex(gx_doc_register(doc, GX_SPACE_MMIO, "CP_RB_WPTR")->num, ==,
                    0x714);
    g_assert_null(gx_doc_register(doc, GX_SPACE_PLL, "CP_RB_WPTR"));
    g_assert_nonnull(gx_doc_struct(doc, "TYPE0"));
    g_assert_nonnull(gx_doc_enum(doc, "ENDIAN_SWAP"));
    g_assert_null(gx_doc_instruction(doc, "TYPE0"));
    gx_walk(gx_doc_instruction(doc, "SMALLTEXT"), words, G_N_ELEMENTS(words),
            &ops, s);
    g_assert_cmpstr(s->str, ==, "IT_OPCODE SETTINGS COUNT TYPE FRGD_COLOR "
                    "BAS_X BAS_Y DX DY W H RASTER DX DY W H ");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/baked/pm4", test_pm4);
    g_test_add_func("/baked/media", test_media);
    g_test_add_func("/baked/use", test_use);
    return g_test_run();
}
