/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every construct of the dialect, read from hand-made files. */
#include <glib/gstdio.h>
#include <string.h>

#include "gx.h"

static GxDoc *load(GxMode mode, const char *text)
{
    GxDoc *doc = gx_doc_new(mode);

    gx_doc_load_memory(doc, "t.xml", text, strlen(text));
    gx_doc_finish(doc);
    return doc;
}

static GxDoc *load_clean(const char *text)
{
    GxDoc *doc = load(GX_STRICT, text);
    g_autofree char *said = gx_doc_diag_text(doc);

    g_assert_cmpstr(said, ==, "");
    return doc;
}

static const GxField *field(const GxDoc *doc, const char *s, const char *f)
{
    const GxContainer *c = gx_doc_struct(doc, s);
    const GxField *found;

    g_assert_nonnull(c);
    found = gx_container_field(c, f);
    g_assert_nonnull(found);
    return found;
}

static void test_types(void)
{
    g_autoptr(GxDoc) doc = load_clean(
        "<genxml name='T' gen='1'>"
        "<enum name='E' prefix='P' ref='x'><value name='A' value='0'/>"
        "<value name='B' value='0x3'/></enum>"
        "<struct name='IN' length='1' ref='x'>"
        "<field name='X' start='0' end='31' type='uint'/></struct>"
        "<struct name='S' length='15' ref='x'>"
        "<field name='u' start='0' end='7' type='uint' default='0xfe'/>"
        "<field name='i' start='8' end='15' type='int' default='-2'/>"
        "<field name='b' start='16' end='16' type='bool' default='true'/>"
        "<field name='f' start='32' end='63' type='float' default='1.5'/>"
        "<field name='a' start='70' end='95' type='address' nonzero='true'/>"
        "<field name='o' start='101' end='127' type='offset'/>"
        "<field name='uf' start='128' end='139' type='u4.8' default='2.5'/>"
        "<field name='sf' start='140' end='147' type='s2.5' default='-0.5'/>"
        "<field name='one' start='148' end='149' type='mbo'/>"
        "<field name='zero' start='150' end='159' type='mbz'/>"
        "<field name='e' start='160' end='161' type='E' default='B'/>"
        "<field name='v' start='162' end='163' type='uint' prefix='VP'>"
        "<value name='Q' value='1'/></field>"
        "<field name='big' start='192' end='255' type='uint'"
        " default='0xffffffffffffffff'/>"
        "<field name='across' start='280' end='295' type='uint'/>"
        "<field name='in' start='320' end='351' type='IN'/>"
        "<field name='long' start='352' end='447' type='uint'/>"
        "<field start='448' end='460' type='mbz'/>"
        "<field start='461' end='461' type='mbo'/>"
        "<field start='462' end='462' type='mbo'/>"
        "</struct></genxml>");
    const GxField *f;

    g_assert_cmpstr(doc->name, ==, "T");
    g_assert_cmpstr(doc->gen, ==, "1");
    g_assert_cmphex(field(doc, "S", "u")->dflt, ==, 0xfe);
    f = field(doc, "S", "i");
    g_assert_cmpint(f->type, ==, GX_INT);
    g_assert_cmphex(f->dflt, ==, 0xfe);
    f = field(doc, "S", "b");
    g_assert_cmpint(f->type, ==, GX_BOOL);
    g_assert_cmphex(f->dflt, ==, 1);
    f = field(doc, "S", "f");
    g_assert_cmpint(f->type, ==, GX_FLOAT);
    g_assert_cmphex(f->dflt, ==, 0x3fc00000);
    f = field(doc, "S", "a");
    g_assert_cmpint(f->type, ==, GX_ADDRESS);
    g_assert_true(f->nonzero);
    g_assert_cmpint(field(doc, "S", "o")->type, ==, GX_OFFSET);
    f = field(doc, "S", "uf");
    g_assert_cmpint(f->type, ==, GX_UFIXED);
    g_assert_cmpint(f->int_bits, ==, 4);
    g_assert_cmpint(f->frac_bits, ==, 8);
    g_assert_cmphex(f->dflt, ==, 0x280);
    f = field(doc, "S", "sf");
    g_assert_cmpint(f->type, ==, GX_SFIXED);
    g_assert_cmpint(f->int_bits, ==, 2);
    g_assert_cmpint(f->frac_bits, ==, 5);
    g_assert_cmphex(f->dflt, ==, 0xf0);
    g_assert_cmpint(field(doc, "S", "one")->type, ==, GX_MBO);
    g_assert_cmpint(field(doc, "S", "zero")->type, ==, GX_MBZ);
    f = field(doc, "S", "e");
    g_assert_cmpint(f->type, ==, GX_ENUM_REF);
    g_assert_cmphex(f->dflt, ==, 3);
    g_assert_cmpstr(gx_enum_by_value(f->enumeration, 3)->name, ==, "B");
    g_assert_null(gx_enum_by_value(f->enumeration, 1));
    f = field(doc, "S", "v");
    g_assert_cmpstr(f->prefix, ==, "VP");
    g_assert_cmphex(gx_enum_by_name(f->enumeration, "Q")->value, ==, 1);
    g_assert_cmphex(field(doc, "S", "big")->dflt, ==, UINT64_MAX);
    f = field(doc, "S", "in");
    g_assert_cmpint(f->type, ==, GX_STRUCT_REF);
    g_assert_true(f->structure == gx_doc_struct(doc, "IN"));
    g_assert_cmpuint(gx_field_bits(field(doc, "S", "long")), ==, 96);
    g_assert_cmpint(field(doc, "S", "(mbz)")->start, ==, 448);
}

static void test_instruction(void)
{
    g_autoptr(GxDoc) doc = load_clean(
        "<genxml name='T' gen='1'>"
        "<instruction name='I' bias='2' length='3' engine='render' ref='x'>"
        " Some  text\n here "
        "<field name='DWord Length' start='0' end='7' type='uint'"
        " default='1'/>"
        "<field name='Opcode' start='16' end='31' type='uint'"
        " default='0x7001'/>"
        "</instruction></genxml>");
    const GxContainer *c = gx_doc_instruction(doc, "I");

    g_assert_cmpuint(c->bias, ==, 2);
    g_assert_cmpuint(c->length, ==, 3);
    g_assert_cmpstr(c->engine, ==, "render");
    g_assert_cmpstr(c->meta.doc, ==, "Some text here");
    g_assert_cmpstr(c->length_field->name, ==, "DWord Length");
    g_assert_cmphex(gx_container_field(c, "Opcode")->dflt, ==, 0x7001);
    g_assert_null(gx_doc_instruction(doc, "J"));
}

static void test_groups(void)
{
    g_autoptr(GxDoc) doc = load_clean(
        "<genxml name='T' gen='1'><struct name='S' length='8' ref='x'>"
        "<group count='2' start='32' size='64'>"
        "<field name='A' start='0' end='31' type='uint'/>"
        "<group count='4' start='32' size='8'>"
        "<field name='B' start='0' end='7' type='uint'/></group></group>"
        "<group count='0' start='160' size='32'>"
        "<field name='C' start='0' end='31' type='uint'/></group>"
        "</struct></genxml>");
    const GxGroup *root = gx_doc_struct(doc, "S")->root;
    const GxGroup *g = g_array_index(root->items, GxItem, 0).group;
    const GxGroup *inner = g_array_index(g->items, GxItem, 1).group;

    g_assert_cmpuint(g->count, ==, 2);
    g_assert_cmpuint(g->start, ==, 32);
    g_assert_cmpuint(g->size, ==, 64);
    g_assert_cmpuint(inner->count, ==, 4);
    g_assert_cmpuint(inner->start, ==, 32);
    g = g_array_index(root->items, GxItem, 1).group;
    g_assert_cmpuint(g->count, ==, 0);
    g_assert_false(g->flows);
}

/* The spelling of newer files: dword and bits. */
static void test_dword_bits(void)
{
    g_autoptr(GxDoc) doc = load_clean(
        "<genxml name='T' gen='1'><struct name='S' length='6' ref='x'>"
        "<field name='A' dword='1' bits='31:6' type='address'/>"
        "<field name='B' dword='0' bits='4' type='bool'/>"
        "<group count='2' dword='2' offset-bits='16' size='32'>"
        "<field name='C' start='0' end='3' type='uint'/></group>"
        "</struct></genxml>");
    const GxField *a = field(doc, "S", "A"), *b = field(doc, "S", "B");
    const GxGroup *root = gx_doc_struct(doc, "S")->root;

    g_assert_cmpuint(a->start, ==, 38);
    g_assert_cmpuint(a->end, ==, 63);
    g_assert_cmpuint(b->start, ==, 4);
    g_assert_cmpuint(b->end, ==, 4);
    g_assert_cmpuint(g_array_index(root->items, GxItem, 2).group->start, ==,
                     80);
}

static void test_register(void)
{
    g_autoptr(GxDoc) doc = load_clean(
        "<genxml name='T' gen='1'>"
        "<register name='R' num='0x100' access='ro' mask='0xff' reset='0x12'"
        " ref='hw' confidence='hw' chips='rv100'>"
        "<field name='F' start='0' end='3' type='uint' access='w1c'/>"
        "<field name='G' start='0' end='3' type='uint' alias-of='F'/>"
        "</register>"
        "<register name='R2' num='0x100' alias-of='R' ref='x'/>"
        "<register name='R3' num='0x200' alias-of='R' ref='x'/>"
        "<register name='R' num='5' space='pll' ref='x'/>"
        "<register name='P' num='0x1000' length='16' access='wo' ref='x'/>"
        "<register name='B' num='0x3c2' space='vga' width='8' ref='x'/>"
        "</genxml>");
    const GxContainer *r = gx_doc_register(doc, GX_SPACE_MMIO, "R");
    const GxField *f = gx_container_field(r, "F");

    g_assert_cmphex(r->num, ==, 0x100);
    g_assert_cmpint(r->access, ==, GX_RO);
    g_assert_cmphex(r->mask, ==, 0xff);
    g_assert_cmphex(r->reset, ==, 0x12);
    g_assert_cmpstr(r->meta.confidence, ==, "hw");
    g_assert_true(gx_chips_has(r->meta.chips, "rv100"));
    g_assert_false(gx_chips_has(r->meta.chips, "r200"));
    g_assert_cmpint(f->access, ==, GX_W1C);
    g_assert_cmpstr(f->meta.ref, ==, "hw");
    g_assert_true(gx_doc_register(doc, GX_SPACE_MMIO, "R2")->alias == r);
    g_assert_true(gx_doc_register(doc, GX_SPACE_MMIO, "R3")->alias == r);
    g_assert_cmphex(gx_doc_register(doc, GX_SPACE_PLL, "R")->num, ==, 5);
    g_assert_cmpuint(gx_doc_register(doc, GX_SPACE_MMIO, "P")->length, ==, 16);
    g_assert_cmpuint(gx_doc_register(doc, GX_SPACE_VGA, "B")->width, ==, 8);
}

static void test_values(void)
{
    g_autoptr(GxDoc) doc = load_clean(
        "<genxml name='T' gen='1'><enum name='E' ref='x'>"
        "<value name='A' value='1' ref='y' confidence='S' chips='none'>t</value>"
        "<value name='A2' value='1' alias-of='A'/></enum></genxml>");
    const GxEnum *e = gx_doc_enum(doc, "E");
    const GxValue *a = gx_enum_by_name(e, "A");

    g_assert_cmpstr(a->meta.ref, ==, "y");
    g_assert_cmpstr(a->meta.doc, ==, "t");
    g_assert_false(gx_chips_has(a->meta.chips, "r100"));
    g_assert_cmpstr(gx_enum_by_name(e, "A2")->meta.ref, ==, "x");
}

static char *write_file(const char *dir, const char *name, const char *text)
{
    char *path = g_build_filename(dir, name, NULL);

    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static void test_import(void)
{
    g_autofree char *dir = g_dir_make_tmp("gx-XXXXXX", NULL);
    g_autofree char *base = write_file(dir, "base.xml",
        "<genxml name='B' gen='1'>"
        "<struct name='A' length='1' ref='base'/>"
        "<struct name='X' length='1' ref='base'/>"
        "<struct name='Y' length='1' ref='base'/>"
        "<enum name='E'/><enum name='F'/></genxml>");
    g_autofree char *top = write_file(dir, "top.xml",
        "<genxml name='T' gen='2'><import name='base.xml'>"
        "<exclude name='X'/><exclude name='E'/></import>"
        "<struct name='X' length='2' ref='top'/>"
        "<struct name='Y' length='2' ref='top'/>"
        "<enum name='F' ref='top'/></genxml>");
    g_autofree char *self = write_file(dir, "self.xml",
        "<genxml name='T' gen='2'>\n<import name='self.xml'/></genxml>");
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);
    g_autoptr(GxDoc) loop = gx_doc_new(GX_STRICT);
    g_autofree char *said = NULL;

    g_assert_true(gx_doc_load_file(doc, top));
    g_assert_true(gx_doc_load_file(doc, base));     /* already there */
    g_assert_true(gx_doc_finish(doc));
    g_assert_cmpstr(doc->name, ==, "T");
    g_assert_cmpstr(gx_doc_struct(doc, "A")->meta.ref, ==, "base");
    g_assert_cmpstr(gx_doc_struct(doc, "X")->meta.ref, ==, "top");
    g_assert_null(gx_doc_enum(doc, "E"));
    /* What the importing file defines replaces what it imports. */
    g_assert_cmpstr(gx_doc_struct(doc, "Y")->meta.ref, ==, "top");
    g_assert_cmpstr(gx_doc_enum(doc, "F")->meta.ref, ==, "top");
    g_assert_cmpuint(doc->containers->len, ==, 3);
    g_assert_cmpuint(doc->enums->len, ==, 1);
    g_assert_cmpstr(gx_doc_struct(doc, "A")->meta.loc.file, ==, base);

    g_assert_false(gx_doc_load_file(loop, self));
    said = gx_doc_diag_text(loop);
    g_assert_nonnull(strstr(said, "self.xml:2: error: 'self.xml' imports "
                            "itself"));
    g_unlink(base);
    g_unlink(top);
    g_unlink(self);
    g_rmdir(dir);
}

/* What strict mode refuses, a foreign file may have: it loads with warnings. */
static void test_foreign(void)
{
    static const char text[] =
        "<genxml name='T' gen='1'>\n"
        "<struct name='S' length='1'>\n"
        "<field name='A' start='0' end='7' type='uint'/>\n"
        "<field name='B' start='4' end='40' type='uint'/>\n"
        "<field name='C' start='10' end='11' type='Unknown Type'/>\n"
        "<field name='D' start='12' end='12' type='uint' shiny='1'/>\n"
        "</struct>\n"
        "<register name='R' length='1' num='0x2120'/>\n"
        "<register name='Q' length='1' num='0x2120'/>\n"
        "</genxml>\n";
    g_autoptr(GxDoc) strict = load(GX_STRICT, text);
    g_autoptr(GxDoc) doc = load(GX_LENIENT, text);

    g_assert_cmpuint(strict->n_errors, >, 0);
    g_assert_cmpuint(doc->n_errors, ==, 0);
    g_assert_cmpuint(doc->n_without_ref, ==, 3);
    g_assert_cmpuint(doc->n_warnings, ==, strict->n_errors - 2);
    g_assert_cmpint(field(doc, "S", "C")->type, ==, GX_UNKNOWN);
    g_assert_cmphex(gx_doc_register(doc, GX_SPACE_MMIO, "Q")->num, ==, 0x2120);
}

static void test_numbers(void)
{
    static const char *const bad[] = {
        "", "-", "0x", "12a", "0xg", " 1", "1 ", "+1", "0b1", "1.0",
        "18446744073709551616", "0x10000000000000000", "abc",
    };
    uint64_t v;

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_test_message("'%s'", bad[i]);
        g_assert_false(gx_parse_number(bad[i], &v));
    }
    g_assert_true(gx_parse_number("010", &v));
    g_assert_cmphex(v, ==, 10);
    g_assert_true(gx_parse_number("0XfF", &v));
    g_assert_cmphex(v, ==, 0xff);
    g_assert_true(gx_parse_number("-1", &v));
    g_assert_cmphex(v, ==, UINT64_MAX);
    g_assert_true(gx_parse_number("18446744073709551615", &v));
    g_assert_cmphex(v, ==, UINT64_MAX);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gx/types", test_types);
    g_test_add_func("/gx/instruction", test_instruction);
    g_test_add_func("/gx/groups", test_groups);
    g_test_add_func("/gx/dword-bits", test_dword_bits);
    g_test_add_func("/gx/register", test_register);
    g_test_add_func("/gx/values", test_values);
    g_test_add_func("/gx/import", test_import);
    g_test_add_func("/gx/foreign", test_foreign);
    g_test_add_func("/gx/numbers", test_numbers);
    return g_test_run();
}
