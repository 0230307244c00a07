/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Malformed and hostile files: refused with file, line and reason. */
#include <string.h>

#include "gx.h"

#define HEAD "<genxml name='T' gen='1'>\n"
#define TAIL "</genxml>\n"
#define STRUCT(fields) \
    HEAD "<struct name='S' length='2' ref='x'>\n" fields "</struct>\n" TAIL

typedef struct Case {
    const char *name;
    const char *text;
    int line;
    const char *why;            /* part of the message */
} Case;

static const Case cases[] = {
    { "empty", "", 1, "" },
    { "no-xml", "hello", 1, "" },
    { "cut-off", HEAD "<struct name='S'", 2, "" },
    { "wrong-end-tag", HEAD "<struct name='S'>\n</enum>\n" TAIL, 3, "" },
    { "other-root", "<database/>", 1, "not <genxml>" },
    { "unknown-element", HEAD "<bitfield name='x'/>\n" TAIL, 2,
      "<bitfield> inside <genxml>" },
    { "unknown-attribute", HEAD "<enum name='x' colour='red'/>\n" TAIL, 2,
      "no attribute 'colour'" },
    { "unnamed-struct", HEAD "<struct length='1' ref='x'/>\n" TAIL, 2,
      "without a name" },
    { "unnamed-field", STRUCT("<field start='0' end='1' type='uint'/>\n"), 3,
      "without a name" },
    { "field-without-end", STRUCT("<field name='F' start='0' type='uint'/>\n"),
      3, "no end" },
    { "field-without-start", STRUCT("<field name='F' end='0' type='uint'/>\n"),
      3, "no start" },
    { "field-backwards",
      STRUCT("<field name='F' start='5' end='4' type='uint'/>\n"), 3,
      "ends before it starts" },
    { "bad-number",
      STRUCT("<field name='F' start='0' end='7x' type='uint'/>\n"), 3,
      "end=\"7x\" is not a number" },
    { "bit-out-of-range",
      STRUCT("<field name='F' start='0' end='99999999' type='uint'/>\n"), 3,
      "out of range" },
    { "past-the-end",
      STRUCT("<field name='F' start='60' end='64' type='uint'/>\n"), 3,
      "past the end of struct 'S'" },
    { "overlap",
      STRUCT("<field name='F' start='0' end='4' type='uint'/>\n"
             "<field name='G' start='4' end='8' type='uint'/>\n"), 4,
      "'G' (bits 4..8) overlaps 'F'" },
    { "same-field-twice",
      STRUCT("<field name='F' start='0' end='4' type='uint'/>\n"
             "<field name='F' start='5' end='8' type='uint'/>\n"), 4,
      "'F' is there twice" },
    { "no-type", STRUCT("<field name='F' start='0' end='4'/>\n"), 3,
      "no type" },
    { "unknown-type",
      STRUCT("<field name='F' start='0' end='4' type='NOPE'/>\n"), 3,
      "unknown type 'NOPE'" },
    { "wide-bool", STRUCT("<field name='F' start='0' end='1' type='bool'/>\n"),
      3, "a bool is one bit" },
    { "short-float",
      STRUCT("<field name='F' start='0' end='9' type='float'/>\n"), 3,
      "a float has" },
    { "fixed-of-other-width",
      STRUCT("<field name='F' start='0' end='9' type='u4.8'/>\n"), 3,
      "fixed point" },
    { "too-wide", STRUCT("<field name='F' start='0' end='64' type='uint'/>\n"),
      3, "more than 64 bits" },
    { "fixed-without-sign",
      STRUCT("<field name='F' start='0' end='11' type='s4.8'/>\n"), 3,
      "fixed point" },
    { "default-too-large",
      STRUCT("<field name='F' start='0' end='3' type='uint' default='16'/>\n"),
      3, "default=\"16\" is no value" },
    { "default-negative",
      STRUCT("<field name='F' start='0' end='3' type='uint' default='-1'/>\n"),
      3, "default=\"-1\" is no value" },
    { "nonzero-neither",
      STRUCT("<field name='F' start='0' end='3' type='uint' nonzero='2'/>\n"),
      3, "not true or false" },
    { "bad-bits", STRUCT("<field name='F' dword='0' bits='a:b' "
                         "type='uint'/>\n"), 3, "is not hi:lo" },
    { "value-without-number",
      HEAD "<enum name='E' ref='x'>\n<value name='A'/></enum>" TAIL, 3,
      "without a number" },
    { "value-number-twice",
      HEAD "<enum name='E' ref='x'>\n<value name='A' value='1'/>\n"
      "<value name='B' value='1'/></enum>" TAIL, 4, "has the number of 'A'" },
    { "value-too-large",
      STRUCT("<field name='F' start='0' end='1' type='uint'>\n"
             "<value name='A' value='4'/></field>\n"), 4,
      "does not fit in 2 bits" },
    { "value-without-ref",
      HEAD "<enum name='E'>\n<value name='A' value='1'/></enum>" TAIL, 3,
      "no ref" },
    { "struct-without-ref", HEAD "<struct name='S' length='1'/>\n" TAIL, 2,
      "struct 'S' has no ref" },
    { "register-without-ref", HEAD "<register name='R' num='0'/>\n" TAIL, 2,
      "register 'R' has no ref" },
    { "instruction-without-length",
      HEAD "<instruction name='I' ref='x'/>\n" TAIL, 2, "neither length" },
    { "struct-twice",
      HEAD "<struct name='S' length='1' ref='x'/>\n"
      "<struct name='S' length='1' ref='x'/>\n" TAIL, 3, "defined twice" },
    { "enum-twice", HEAD "<enum name='E'/>\n<enum name='E'/>\n" TAIL, 3,
      "defined twice" },
    { "register-without-num", HEAD "<register name='R' ref='x'/>\n" TAIL, 2,
      "has no num" },
    { "register-unaligned",
      HEAD "<register name='R' num='2' ref='x'/>\n" TAIL, 2, "not aligned" },
    { "register-outside",
      HEAD "<register name='R' num='0x4000' ref='x'/>\n" TAIL, 2,
      "outside its space" },
    { "registers-at-one-place",
      HEAD "<register name='R' num='4' ref='x'/>\n"
      "<register name='Q' num='4' ref='x'/>\n" TAIL, 3,
      "at the place of 'R'" },
    { "register-inside-a-port",
      HEAD "<register name='R' num='16' length='4' ref='x'/>\n"
      "<register name='Q' num='24' ref='x'/>\n" TAIL, 3,
      "at the place of 'R'" },
    { "alias-of-nothing",
      HEAD "<register name='R' num='4' alias-of='Z' ref='x'/>\n" TAIL, 2,
      "no such mmio register" },
    { "alias-of-alias",
      HEAD "<register name='R' num='4' ref='x'/>\n"
      "<register name='Q' num='4' alias-of='R' ref='x'/>\n"
      "<register name='P' num='4' alias-of='Q' ref='x'/>\n" TAIL, 4,
      "itself an alias" },
    { "reset-outside-mask",
      HEAD "<register name='R' num='4' mask='1' reset='2' ref='x'/>\n" TAIL, 2,
      "outside its mask" },
    { "mask-outside-width",
      HEAD "<register name='R' num='4' width='8' mask='0x100' ref='x'/>\n"
      TAIL, 2, "outside its width" },
    { "unknown-access",
      HEAD "<register name='R' num='4' access='rx' ref='x'/>\n" TAIL, 2,
      "is none of rw" },
    { "unknown-space",
      HEAD "<register name='R' num='4' space='moon' ref='x'/>\n" TAIL, 2,
      "is none of mmio" },
    { "odd-width",
      HEAD "<register name='R' num='0' width='24' ref='x'/>\n" TAIL, 2,
      "is not 8, 16 or 32" },
    { "field-alias-of-nothing",
      STRUCT("<field name='F' start='0' end='1' type='uint' alias-of='G'/>\n"),
      3, "no such field" },
    { "group-without-size",
      STRUCT("<group count='2' start='0'>\n"
             "<field name='F' start='0' end='1' type='uint'/></group>\n"), 3,
      "has no size" },
    { "group-past-the-end",
      STRUCT("<group count='3' start='0' size='32'>\n"
             "<field name='F' start='0' end='1' type='uint'/></group>\n"), 3,
      "past the end" },
    { "field-past-its-group",
      STRUCT("<group count='2' start='0' size='8'>\n"
             "<field name='F' start='4' end='8' type='uint'/></group>\n"), 4,
      "past the end" },
    { "field-overlaps-group",
      STRUCT("<group count='2' start='0' size='8'>\n"
             "<field name='F' start='0' end='7' type='uint'/></group>\n"
             "<field name='G' start='15' end='16' type='uint'/>\n"), 5,
      "overlaps 'group'" },
    { "field-after-variable-group",
      HEAD "<struct name='S' ref='x'>\n"
      "<field name='N' start='0' end='1' type='uint'/>\n"
      "<group count-from='N' start='32' size='32'>\n"
      "<field name='F' start='0' end='7' type='uint'/></group>\n"
      "<field name='G' start='64' end='65' type='uint'/></struct>\n" TAIL, 6,
      "after a group of variable size" },
    { "expression-syntax",
      STRUCT("<group present-if='1 +' size='32'/>\n"), 3, "unexpected end" },
    { "expression-parenthesis",
      STRUCT("<group present-if='(1' size='32'/>\n"), 3, "missing ')'" },
    { "expression-character",
      STRUCT("<group present-if='1 # 2' size='32'/>\n"), 3,
      "unexpected character" },
    { "expression-unknown-name",
      STRUCT("<group present-if='LATER' size='32'>\n"
             "<field name='LATER' start='0' end='1' type='uint'/></group>\n"),
      3, "names 'LATER'" },
    { "struct-in-itself",
      HEAD "<struct name='S' length='1' ref='x'>\n"
      "<field name='F' start='0' end='31' type='S'/></struct>\n" TAIL, 3,
      "contains itself" },
    { "structs-in-a-ring",
      HEAD "<struct name='S' length='1' ref='x'>\n"
      "<field name='F' start='0' end='31' type='Q'/></struct>\n"
      "<struct name='Q' length='1' ref='x'>\n"
      "<field name='F' start='0' end='31' type='S'/></struct>\n" TAIL, 5,
      "contains itself" },
    { "import-of-a-path", HEAD "<import name='../x.xml'/>\n" TAIL, 2,
      "same directory" },
    { "import-of-nothing", HEAD "<import name='no-such.xml'/>\n" TAIL, 2,
      "import of 'no-such.xml'" },
    { "unknown-entity", HEAD "<enum name='E'>&what;</enum>\n" TAIL, 2, "" },
    { "doctype", "<!DOCTYPE genxml>\n" HEAD TAIL, 1,
      "document type declarations are not accepted" },
    { "external-dtd",
      "\n<!DOCTYPE genxml SYSTEM 'http://127.0.0.1:1/x.dtd'>\n" HEAD TAIL, 2,
      "document type declarations are not accepted" },
    { "external-entity",
      "<!DOCTYPE genxml [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>\n"
      HEAD "<enum name='E'>&x;</enum>" TAIL, 1,
      "document type declarations are not accepted" },
    { "billion-laughs",
      "<!DOCTYPE genxml [\n<!ENTITY a 'lollollollollollollollollol'>\n"
      "<!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>\n"
      "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>\n"
      "<!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>\n"
      "<!ENTITY e '&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;'>\n"
      "<!ENTITY f '&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;'>\n"
      "<!ENTITY g '&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;'>]>\n"
      HEAD "<enum name='&g;'/>" TAIL, 1,
      "document type declarations are not accepted" },
};

/* Refused, and the first error is the expected one. */
static void expect(GxDoc *doc, int line, const char *why)
{
    g_autofree char *start = g_strdup_printf("bad.xml:%d: error: ", line);
    g_autofree char *said = gx_doc_diag_text(doc);
    g_auto(GStrv) lines = g_strsplit(said, "\n", -1);

    g_test_message("%s", said);
    g_assert_cmpuint(doc->n_errors, >, 0);
    for (unsigned i = 0; lines[i]; i++) {
        if (g_str_has_prefix(lines[i], start) && strstr(lines[i], why)) {
            return;
        }
    }
    g_error("expected \"%s...%s\", got:\n%s", start, why, said);
}

static void test_case(gconstpointer data)
{
    const Case *c = data;
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);

    gx_doc_load_memory(doc, "bad.xml", c->text, strlen(c->text));
    g_assert_false(gx_doc_finish(doc));
    expect(doc, c->line, c->why);
    if (strstr(c->text, "<!DOCTYPE")) {
        /* It stopped there: nothing of the document was looked at. */
        g_assert_cmpuint(doc->n_errors, ==, 1);
        g_assert_null(doc->name);
    }
}

static void test_deep_elements(void)
{
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);
    GString *s = g_string_new(HEAD "<struct name='S' length='1' ref='x'>");

    for (unsigned i = 0; i < 100000; i++) {
        g_string_append(s, "<group size='32'>");
    }
    gx_doc_load_memory(doc, "bad.xml", s->str, s->len);
    g_assert_false(gx_doc_finish(doc));
    g_string_free(s, true);
}

static void test_deep_groups(void)
{
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);
    GString *s = g_string_new(HEAD "<struct name='S' length='1' ref='x'>");

    for (unsigned i = 0; i < 100; i++) {
        g_string_append(s, "<group start='0' size='32'>");
    }
    for (unsigned i = 0; i < 100; i++) {
        g_string_append(s, "</group>");
    }
    g_string_append(s, "</struct>" TAIL);
    gx_doc_load_memory(doc, "bad.xml", s->str, s->len);
    g_assert_false(gx_doc_finish(doc));
    expect(doc, 2, "nested more than");
    g_string_free(s, true);
}

static void test_deep_structs(void)
{
    g_autoptr(GxDoc) doc = gx_doc_new(GX_LENIENT);
    GString *s = g_string_new(HEAD);

    /* Ten times the next struct in each: 10^40 fields when expanded. */
    for (unsigned i = 0; i < 40; i++) {
        g_string_append_printf(s, "<struct name='S%u' length='1'>", i);
        for (unsigned j = 0; i < 39 && j < 10; j++) {
            g_string_append_printf(s, "<field name='F%u' start='0' end='31' "
                                   "type='S%u'/>", j, i + 1);
        }
        g_string_append(s, "</struct>");
    }
    g_string_append(s, TAIL);
    gx_doc_load_memory(doc, "bad.xml", s->str, s->len);
    g_assert_false(gx_doc_finish(doc));
    expect(doc, 2, "nests too deeply");
    g_string_free(s, true);
}

static void test_too_long(void)
{
    g_autoptr(GxDoc) doc = gx_doc_new(GX_LENIENT);
    g_autofree char *text = g_malloc(GX_MAX_FILE + 1);

    memset(text, ' ', GX_MAX_FILE + 1);
    memcpy(text, "<genxml/>", 9);
    gx_doc_load_memory(doc, "bad.xml", text, GX_MAX_FILE + 1);
    expect(doc, 1, "longer than");
}

static void test_missing_file(void)
{
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);
    g_autofree char *said = NULL;

    g_assert_false(gx_doc_load_file(doc, "/nonexistent/bad.xml"));
    said = gx_doc_diag_text(doc);
    g_assert_true(g_str_has_prefix(said, "/nonexistent/bad.xml:1: error: "));
}

/* Many errors do not make a long report. */
static void test_many(void)
{
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);
    GString *s = g_string_new(HEAD);
    g_autofree char *said = NULL;

    for (unsigned i = 0; i < 3000; i++) {
        g_string_append(s, "<nonsense/>\n");
    }
    g_string_append(s, TAIL);
    gx_doc_load_memory(doc, "bad.xml", s->str, s->len);
    g_assert_cmpuint(doc->n_errors, ==, 3000);
    said = gx_doc_diag_text(doc);
    g_assert_nonnull(strstr(said, "... and 2500 more"));
    g_string_free(s, true);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/gx/refuse/%s",
                                                cases[i].name);
        g_test_add_data_func(path, &cases[i], test_case);
    }
    g_test_add_func("/gx/refuse/deep-elements", test_deep_elements);
    g_test_add_func("/gx/refuse/deep-groups", test_deep_groups);
    g_test_add_func("/gx/refuse/deep-structs", test_deep_structs);
    g_test_add_func("/gx/refuse/too-long", test_too_long);
    g_test_add_func("/gx/refuse/missing-file", test_missing_file);
    g_test_add_func("/gx/refuse/many", test_many);
    return g_test_run();
}
