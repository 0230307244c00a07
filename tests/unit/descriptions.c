/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our own descriptions pass the strict checks; damaged copies do not. */
#include <string.h>

#include "gx.h"

static const char *const tops[] = {
    "rv100-registers.xml", "rv100-pm4.xml", "rv100-me.xml",
    "gen75-media.xml",
};

static void test_clean(gconstpointer data)
{
    g_autofree char *path = g_build_filename(XML_DIR, (const char *)data,
                                             NULL);
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);
    g_autofree char *said = NULL;

    gx_doc_load_file(doc, path);
    gx_doc_finish(doc);
    said = gx_doc_diag_text(doc);
    g_assert_cmpstr(said, ==, "");
    g_assert_cmpuint(doc->containers->len, >, 0);
}

/* Several hundred registers in every space, each with confidence. */
static void test_complete(void)
{
    g_autofree char *path = g_build_filename(XML_DIR, tops[0], NULL);
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);
    unsigned n[GX_N_SPACES] = { 0 };

    g_assert_true(gx_doc_load_file(doc, path));
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];

        g_assert_cmpint(c->kind, ==, GX_REGISTER);
        g_assert_nonnull(c->meta.confidence);
        n[c->space]++;
    }
    g_assert_cmpuint(n[GX_SPACE_MMIO], >, 600);
    g_assert_cmpuint(n[GX_SPACE_PLL], >, 20);
    g_assert_cmpuint(n[GX_SPACE_PCI], >, 20);
    g_assert_cmpuint(n[GX_SPACE_VGA], >, 15);
}

/* A change of one line of a file, and what the checker says of it. */
typedef struct Mutant {
    const char *name;
    const char *file;
    const char *from, *to;      /* the first occurrence is replaced */
    const char *why;
} Mutant;

static const Mutant mutants[] = {
    { "duplicate-offset", "rv100-registers-cp.xml",
      "name=\"CP_RB_CNTL\" num=\"0x0704\"",
      "name=\"CP_RB_CNTL\" num=\"0x0700\"", "at the place of 'CP_RB_" },
    { "undeclared-alias", "rv100-registers-cp.xml",
      "num=\"0x15e0\" alias-of=\"GUI_SCRATCH_REG0\"", "num=\"0x15e0\"",
      "no alias-of it" },
    { "overlapping-field", "rv100-registers-cp.xml",
      "<field name=\"RB_BLKSZ\" start=\"8\"",
      "<field name=\"RB_BLKSZ\" start=\"5\"", "overlaps 'RB_BUFSZ'" },
    { "undeclared-view", "rv100-registers-host.xml",
      " alias-of=\"SW_INT_SET\"", "", "overlaps 'SW_INT_" },
    { "field-past-the-end", "rv100-registers-cp.xml",
      "<field name=\"RB_RPTR_WR_ENA\" start=\"31\" end=\"31\" type=\"bool\"",
      "<field name=\"RB_RPTR_WR_ENA\" start=\"31\" end=\"32\" type=\"uint\"",
      "past the end of register 'CP_RB_CNTL'" },
    { "attribute-twice", "rv100-registers-pll.xml", " num=\"",
      " num=\"0\" num=\"", "num redefined" },
    { "register-without-ref", "rv100-registers-vga.xml", "ref=\"VGA\"", "",
      "has no ref" },
    { "reset-outside-mask", "rv100-registers-host.xml",
      "mask=\"0x03030303\" reset=\"0x00000300\"",
      "mask=\"0x03030003\" reset=\"0x00000300\"", "outside its mask" },
    { "value-of-me-without-ref", "rv100-me.xml", "value=\"1\" ref=\"isa:4\"",
      "value=\"1\"", "value 'A' has no ref" },
    { "instruction-without-ref", "rv100-pm4.xml", " ref=\"packets:10\"", "",
      "instruction 'NOP' has no ref" },
    { "struct-without-ref", "rv100-pm4.xml", " ref=\"packets:type0\"", "",
      "struct 'TYPE0' has no ref" },
};

static void test_mutant(gconstpointer data)
{
    const Mutant *m = data;
    g_autofree char *path = g_build_filename(XML_DIR, m->file, NULL);
    g_autofree char *pm4 = g_build_filename(XML_DIR, "rv100-pm4.xml", NULL);
    g_autofree char *text = NULL;
    g_autofree char *bad = NULL;
    g_autofree char *said = NULL;
    g_autofree char *start = NULL;
    g_autoptr(GxDoc) doc = gx_doc_new(GX_STRICT);
    const char *at;

    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    at = strstr(text, m->from);
    g_assert_nonnull(at);
    bad = g_strdup_printf("%.*s%s%s", (int)(at - text), text, m->to,
                          at + strlen(m->from));
    gx_doc_load_memory(doc, path, bad, strlen(bad));
    gx_doc_load_file(doc, pm4);         /* all the other files */
    g_assert_false(gx_doc_finish(doc));
    said = gx_doc_diag_text(doc);
    g_test_message("%s", said);
    start = g_strdup_printf("%s:", path);
    g_assert_true(g_str_has_prefix(said, start));
    g_assert_true(g_ascii_isdigit(said[strlen(start)]));
    g_assert_nonnull(strstr(said, m->why));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(tops); i++) {
        g_autofree char *path = g_strdup_printf("/descriptions/clean/%s",
                                                tops[i]);
        g_test_add_data_func(path, tops[i], test_clean);
    }
    g_test_add_func("/descriptions/complete", test_complete);
    for (unsigned i = 0; i < G_N_ELEMENTS(mutants); i++) {
        g_autofree char *path = g_strdup_printf("/descriptions/damaged/%s",
                                                mutants[i].name);
        g_test_add_data_func(path, &mutants[i], test_mutant);
    }
    return g_test_run();
}
