/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions, and the walk over the fields of dwords. */
#include <string.h>

#include "gx.h"

static GxDoc *load(const char *text)
{
    GxDoc *doc = gx_doc_new(GX_STRICT);
    g_autofree char *said = NULL;

    gx_doc_load_memory(doc, "t.xml", text, strlen(text));
    gx_doc_finish(doc);
    said = gx_doc_diag_text(doc);
    g_assert_cmpstr(said, ==, "");
    return doc;
}

/* "name@bit=value" of each field; "{" and "}" around groups and structs. */
static void note(void *opaque, const GxVisit *v, uint64_t raw)
{
    g_string_append_printf(opaque, "%s@%" G_GUINT64_FORMAT "=%"
                           G_GINT64_MODIFIER "x ", v->field->name, v->bit,
                           raw);
}

static void note_open(void *opaque, const GxVisit *v)
{
    g_string_append_printf(opaque, "%s%u{ ", v->field ? v->field->name : "",
                           v->index);
}

static void note_close(void *opaque, const GxVisit *v)
{
    g_string_append(opaque, "} ");
}

static const GxWalkOps ops = { note, note_open, note_close };

static void check(const GxDoc *doc, const uint32_t *words, size_t n,
                  const char *want, uint64_t dwords, bool truncated)
{
    GString *s = g_string_new(NULL);
    GxWalkResult r = gx_walk(gx_doc_struct(doc, "S"), words, n, &ops, s);

    g_assert_cmpstr(s->str, ==, want);
    g_assert_cmpuint(r.dwords, ==, dwords);
    g_assert_true(r.truncated == truncated);
    g_string_free(s, true);
}

static void test_plain(void)
{
    static const uint32_t words[] = { 0x12345678, 0x9abcdef0, 0x11223344 };
    g_autoptr(GxDoc) doc = load(
        "<genxml name='T' gen='1'><struct name='S' length='3' ref='x'>"
        "<field name='A' start='4' end='7' type='uint'/>"
        "<field name='B' start='28' end='35' type='uint'/>"
        "<field name='C' start='36' end='95' type='uint'/>"
        "</struct></genxml>");

    check(doc, words, 3, "A@4=7 B@28=1 C@36=112233449abcdef ", 3, false);
    check(doc, words, 2, "A@4=7 B@28=1 ", 2, true);
    check(doc, words, 0, "", 0, true);
}

static void test_groups(void)
{
    static const uint32_t words[] = { 0x04030201, 1, 2, 3 };
    g_autoptr(GxDoc) doc = load(
        "<genxml name='T' gen='1'><struct name='S' ref='x'>"
        "<group count='4' start='0' size='8'>"
        "<field name='A' start='0' end='7' type='uint'/></group>"
        "<group count='0' start='32' size='32'>"
        "<field name='B' start='0' end='31' type='uint'/></group>"
        "</struct></genxml>");

    check(doc, words, 4, "0{ A@0=1 } 1{ A@8=2 } 2{ A@16=3 } 3{ A@24=4 } "
          "0{ B@32=1 } 1{ B@64=2 } 2{ B@96=3 } ", 4, false);
    check(doc, words, 1, "0{ A@0=1 } 1{ A@8=2 } 2{ A@16=3 } 3{ A@24=4 } ", 1,
          false);
}

static void count_field(void *opaque, const GxVisit *v, uint64_t raw)
{
    ++*(unsigned *)opaque;
}

/* Records with a count in each, the last one cut off. */
static void test_count_from(void)
{
    static const uint32_t words[] = { 2, 0xa, 0xb, 0, 3, 0xc };
    g_autoptr(GxDoc) doc = load(
        "<genxml name='T' gen='1'><struct name='S' ref='x'>"
        "<group count='0'>"
        "<field name='N' start='0' end='15' type='uint'/>"
        "<group count-from='N' size='32'>"
        "<field name='D' start='0' end='31' type='uint'/></group></group>"
        "</struct></genxml>");

    check(doc, words, 4, "0{ N@0=2 0{ D@32=a } 1{ D@64=b } } 1{ N@96=0 } ", 4,
          false);
    check(doc, words, 6, "0{ N@0=2 0{ D@32=a } 1{ D@64=b } } 1{ N@96=0 } "
          "2{ N@128=3 0{ D@160=c } } ", 6, true);
}

static void test_present_if(void)
{
    static const uint32_t both[] = { 3, 0xa, 0xb, 0xc };
    static const uint32_t second[] = { 2, 0xb, 0xc };
    g_autoptr(GxDoc) doc = load(
        "<genxml name='T' gen='1'>"
        "<struct name='PART' ref='x'>"
        "<field name='FLAGS' start='0' end='31' type='uint'/>"
        "<group present-if='FLAGS &amp; 1'>"
        "<field name='A' start='0' end='31' type='uint'/></group>"
        "<group present-if='FLAGS &amp; 2'>"
        "<field name='B' start='0' end='31' type='uint'/></group></struct>"
        "<struct name='S' ref='x'>"
        "<group><field name='P' start='0' end='31' type='PART'/></group>"
        "<group><field name='C' start='0' end='31' type='uint'/></group>"
        "</struct></genxml>");

    check(doc, both, 4, "0{ P0{ FLAGS@0=3 0{ A@32=a } 0{ B@64=b } } } "
          "0{ C@96=c } ", 4, false);
    check(doc, second, 3, "0{ P0{ FLAGS@0=2 0{ B@32=b } } } 0{ C@64=c } ", 3,
          false);
}

/* A field may have the layout of a register. */
static void test_register_type(void)
{
    static const uint32_t words[] = { 0x00050003 };
    g_autoptr(GxDoc) doc = load(
        "<genxml name='T' gen='1'>"
        "<register name='R' num='4' ref='x'>"
        "<field name='X' start='0' end='13' type='uint'/>"
        "<field name='Y' start='16' end='29' type='uint'/></register>"
        "<struct name='S' length='1' ref='x'>"
        "<field name='V' start='0' end='31' type='R'/></struct></genxml>");

    check(doc, words, 1, "V0{ X@0=3 Y@16=5 } ", 1, false);
}

/* Repetitions without contents, and structs that overlap, end. */
static void test_bounded(void)
{
    static const uint32_t words[] = { 0xffffffff, 1, 2, 3 };
    g_autoptr(GxDoc) doc = load(
        "<genxml name='T' gen='1'><struct name='S' ref='x'>"
        "<field name='N' start='0' end='31' type='uint'/>"
        "<group count='0'><group present-if='0'>"
        "<field name='A' start='0' end='31' type='uint'/></group></group>"
        "<group count-from='N' size='32'>"
        "<field name='B' start='0' end='31' type='uint'/></group>"
        "</struct></genxml>");
    GString *s = g_string_new(NULL);
    GxWalkResult r = gx_walk(gx_doc_struct(doc, "S"), words, 4, &ops, s);

    g_assert_true(r.truncated);
    g_assert_cmpuint(s->len, <, 10 << 20);
    g_string_free(s, true);
}

typedef struct Expr {
    const char *text;
    int64_t value;
} Expr;

/* An expression as the number of repetitions, X = 5, Z = -3. */
/* Structs that have the next one four times at the same place, 20 deep: 4^20
 * fields. A foreign file may overlap like that. */
static void test_overlapping_structs(void)
{
    static const uint32_t words[4] = { 1, 2, 3, 4 };
    g_autoptr(GxDoc) doc = gx_doc_new(GX_LENIENT);
    GString *text = g_string_new("<genxml name='T' gen='1'>");
    unsigned fields = 0;
    GxWalkOps count = { count_field, NULL, NULL };
    GxWalkResult r;

    for (unsigned i = 0; i < 20; i++) {
        g_string_append_printf(text, "<struct name='S%u' length='1'>", i);
        for (unsigned j = 0; j < 4; j++) {
            g_string_append_printf(text, "<field name='F%u' start='0' end='31' "
                                   "type='", j);
            g_string_append_printf(text, i < 19 ? "S%u'/>" : "uint'/>", i + 1);
        }
        g_string_append(text, "</struct>");
    }
    g_string_append(text, "</genxml>");
    gx_doc_load_memory(doc, "t.xml", text->str, text->len);
    g_string_free(text, true);
    g_assert_true(gx_doc_finish(doc));
    r = gx_walk(gx_doc_struct(doc, "S0"), words, 4, &count, &fields);
    g_assert_true(r.truncated);
    g_assert_cmpuint(fields, <, gx_max_steps(4));
}

/* A struct is as long as it says, and as its contents where it does not. */
static void test_struct_length(void)
{
    static const uint32_t words[] = { 1, 2, 3, 4 };
    g_autoptr(GxDoc) doc = load(
        "<genxml name='T' gen='1'><struct name='L' length='3' ref='x'>"
        "<field name='A' start='0' end='31' type='uint'/></struct>"
        "<struct name='S' ref='x'>"
        "<field name='L' start='0' end='95' type='L'/>"
        "<group count='1'><field name='B' start='0' end='31' type='uint'/>"
        "</group></struct></genxml>");

    check(doc, words, 4, "L0{ A@0=1 } 0{ B@96=4 } ", 4, false);
    check(doc, words, 2, "L0{ A@0=1 } ", 2, true);
}

/* A count below 0 is none. */
static void test_negative_count(void)
{
    static const uint32_t words[] = { 0xffffffff, 2 };
    g_autoptr(GxDoc) doc = load(
        "<genxml name='T' gen='1'><struct name='S' ref='x'>"
        "<field name='N' start='0' end='31' type='int'/>"
        "<group count-from='N' size='32'>"
        "<field name='B' start='0' end='31' type='uint'/></group>"
        "</struct></genxml>");

    check(doc, words, 2, "N@0=ffffffff ", 1, false);
}

static void test_expressions(void)
{
    static const Expr exprs[] = {
        { "1 + 2 * 3", 7 }, { "(1 + 2) * 3", 9 }, { "7 - 2 - 1", 4 },
        { "X", 5 }, { "X == 5", 1 }, { "X != 5", 0 }, { "X &lt; 5", 0 },
        { "X &lt;= 5", 1 }, { "X &gt; 4 &amp;&amp; X &lt; 6", 1 },
        { "0 || X", 1 }, { "!X", 0 }, { "!!X", 1 }, { "-Z", 3 },
        { "Z &lt; 0", 1 }, { "0x12 &gt;&gt; 1 &amp; 1", 1 },
        { "1 &lt;&lt; 3 | 1", 9 }, { "X % 3", 2 }, { "X / 2", 2 },
        { "X / 0", 0 }, { "X % 0", 0 }, { "1 &lt;&lt; 64", 0 },
        { "X == 5 ? 3 : 4", 3 }, { "X == 4 ? 3 : X == 5 ? 6 : 7", 6 },
        { "~0 &amp; 15", 15 }, { "(X + 31) / 32", 1 },
        { "0x7fffffffffffffff + 2 &lt; 0", 1 },
    };
    static const uint32_t words[64] = { 5 | 0xfd00 };

    for (unsigned i = 0; i < G_N_ELEMENTS(exprs); i++) {
        g_autofree char *text = g_strdup_printf(
            "<genxml name='T' gen='1'><struct name='S' ref='x'>"
            "<field name='X' start='0' end='7' type='uint'/>"
            "<field name='Z' start='8' end='15' type='int'/>"
            "<group count-from='%s' size='32'>"
            "<field name='B' start='0' end='31' type='uint'/></group>"
            "</struct></genxml>", exprs[i].text);
        g_autoptr(GxDoc) doc = load(text);
        GString *s = g_string_new(NULL);
        GxWalkResult r = gx_walk(gx_doc_struct(doc, "S"), words, 64, &ops, s);

        g_test_message("%s", exprs[i].text);
        g_assert_cmpuint(r.dwords, ==, 1 + exprs[i].value);
        g_string_free(s, true);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gx/walk/plain", test_plain);
    g_test_add_func("/gx/walk/groups", test_groups);
    g_test_add_func("/gx/walk/count-from", test_count_from);
    g_test_add_func("/gx/walk/present-if", test_present_if);
    g_test_add_func("/gx/walk/register-type", test_register_type);
    g_test_add_func("/gx/walk/bounded", test_bounded);
    g_test_add_func("/gx/walk/overlapping-structs", test_overlapping_structs);
    g_test_add_func("/gx/walk/struct-length", test_struct_length);
    g_test_add_func("/gx/walk/negative-count", test_negative_count);
    g_test_add_func("/gx/walk/expressions", test_expressions);
    return g_test_run();
}
