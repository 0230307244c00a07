/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages and keyword files that the build makes: everything that is described is
 * in them. Environment: RV100_PAGES = build/xml.
 */
#include <string.h>

#include "gx-baked.h"

static char *page(const char *name)
{
    g_autofree char *path = g_build_filename(g_getenv("RV100_PAGES"), name,
                                             NULL);
    g_autoptr(GError) err = NULL;
    char *text;

    g_file_get_contents(path, &text, NULL, &err);
    g_assert_no_error(err);
    return text;
}

static void has(const char *text, const char *format, const char *name)
{
    g_autofree char *part = g_strdup_printf(format, name);

    if (!strstr(text, part)) {
        g_error("'%s' is missing", part);
    }
}

static void test_pages(void)
{
    g_autofree char *regs = page("registers.md");
    g_autofree char *packets = page("packets.md");
    g_autofree char *media = page("media.md");

    for (unsigned i = 0; i < gx_doc_rv100_pm4.containers->len; i++) {
        const GxContainer *c = gx_doc_rv100_pm4.containers->pdata[i];

        has(c->kind == GX_REGISTER ? regs : packets,
            c->kind == GX_REGISTER ? "### %s\n" : "## %s\n", c->name);
    }
    for (unsigned i = 0; i < gx_doc_gen75_media.containers->len; i++) {
        const GxContainer *c = gx_doc_gen75_media.containers->pdata[i];

        has(media, "## %s\n", c->name);
    }
    has(regs, "0x0704, rw. %s", "RB_BUFSZ: log2");
    has(regs, "| 17:16 | %s | ENDIAN_SWAP |", "BUF_SWAP");
    has(packets, "Type 3, opcode 0x13. %s", "x accumulates DX");
    has(packets, "*%s times*", "(W * H + 31) / 32");
}

static void test_vim(void)
{
    g_autofree char *vim = page("rv100.vim");

    has(vim, "syn keyword rv100Mnemonic %s", "");
    for (unsigned i = 0; i < gx_doc_rv100_pm4.containers->len; i++) {
        const GxContainer *c = gx_doc_rv100_pm4.containers->pdata[i];
        g_autofree char *middle = g_strdup_printf(" %s ", c->name);
        g_autofree char *last = g_strdup_printf(" %s\n", c->name);

        if (!strstr(vim, middle) && !strstr(vim, last)) {
            g_error("no keyword %s", c->name);
        }
    }
}

/* Each "match" is a regular expression; one of them takes the word whole. */
static void test_textmate(void)
{
    static const struct {
        const char *scope, *text;
    } cases[] = {
        { "register", "GUI_SCRATCH_REG0" }, { "packet", "CNTL_PAINT" },
        { "field", "GMC_ROP3" }, { "mnemonic", "idx_inc" },
        { "directive", ".dispatch" }, { "numeric", "0x1f" },
        { "comment", "# words" }, { "label", "settings:" },
    };
    g_autofree char *text = page("rv100.tmLanguage.json");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        bool found = false;

        for (char **l = lines; *l; l++) {
            const char *at = strstr(*l, "\"match\": \"");
            const char *end = at ? strrchr(*l, '"') : NULL;
            g_autofree char *raw = NULL, *re = NULL;
            g_autoptr(GRegex) r = NULL;

            if (!at) {
                continue;
            }
            raw = g_strndup(at + 10, end - (at + 10));
            re = g_strcompress(raw);
            r = g_regex_new(re, 0, 0, NULL);
            g_assert_nonnull(r);
            found |= strstr(*l, cases[i].scope) &&
                     g_regex_match(r, cases[i].text, 0, NULL);
        }
        if (!found) {
            g_error("%s is no %s", cases[i].text, cases[i].scope);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pages/markdown", test_pages);
    g_test_add_func("/pages/vim", test_vim);
    g_test_add_func("/pages/textmate", test_textmate);
    return g_test_run();
}
