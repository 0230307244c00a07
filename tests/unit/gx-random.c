/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damaged descriptions and random dwords: every outcome is defined. What is
 * looked for is a crash, an endless loop, or a report from a sanitizer.
 */
#include <string.h>

#include "gx.h"

static const char *const files[] = {
    "rv100-pm4.xml", "rv100-me.xml", "rv100-registers-cp.xml",
};

static const char *const splices[] = {
    "\"", "<", ">", "/>", "<group count=\"0\">", "</group>", "0", "-1",
    "99999999999999999999", "start=\"0\" end=\"31\"", "type=\"TYPE3\"",
    "type=\"SETTINGS_BLOCK\"", "count-from=\"COUNT\"", "present-if=\"1\"",
    "&amp;", "&x;", "<!DOCTYPE x>", "<![CDATA[", "<?x", "name=\"COUNT\"",
};

static void count_field(void *opaque, const GxVisit *v, uint64_t raw)
{
    ++*(uint64_t *)opaque;
}

static void walk_all(const GxDoc *doc)
{
    static const GxWalkOps ops = { count_field, NULL, NULL };
    uint32_t words[24];
    uint64_t seen = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        words[i] = (uint32_t)g_test_rand_int();
        words[i] &= g_test_rand_bit() ? 0xf : 0xffffffff;
    }
    for (unsigned i = 0; i < doc->containers->len; i++) {
        GxWalkResult r = gx_walk(doc->containers->pdata[i], words,
                                 G_N_ELEMENTS(words), &ops, &seen);

        g_assert_cmpuint(r.dwords, <=, G_N_ELEMENTS(words));
    }
}

static const char *const contents[] = {
    "0", "1", "31", "32", "-1", "0x7fffffff", "1048575", "18446744073709551615",
    "", "uint", "TYPE3", "SETTINGS_BLOCK", "u4.8", "s64.64", "float", "COUNT",
    "COUNT * COUNT", "1 ? COUNT : ~0", "-COUNT", "w1c", "mmio", "true",
};

/* Another content for an attribute: still well-formed. */
static void change_attribute(GString *s)
{
    gsize at = (gsize)g_test_rand_int_range(0, (gint32)s->len);
    const char *from = strstr(s->str + at, "=\"");
    const char *to = from ? strchr(from + 2, '"') : NULL;

    if (to) {
        gssize pos = from + 2 - s->str;

        g_string_erase(s, pos, to - from - 2);
        g_string_insert(s, pos,
                        contents[g_test_rand_int_range(0,
                                                       G_N_ELEMENTS(contents))]);
    }
}

/* One change: cut, overwrite a byte, or put a piece of syntax in. */
static void damage(GString *s)
{
    gsize at = (gsize)g_test_rand_int_range(0, (gint32)s->len);
    gssize cut = g_test_rand_int_range(1, 60);  /* MIN() evaluates twice */

    switch (g_test_rand_int_range(0, 4)) {
    case 0:
        g_string_erase(s, (gssize)at, MIN((gssize)(s->len - at), cut));
        break;
    case 1:
        s->str[at] = (char)g_test_rand_int_range(1, 256);
        break;
    default:
        g_string_insert(s, (gssize)at,
                        splices[g_test_rand_int_range(0,
                                                      G_N_ELEMENTS(splices))]);
        break;
    }
}

static void test_damaged(gconstpointer data)
{
    g_autofree char *path = g_build_filename(XML_DIR, (const char *)data,
                                             NULL);
    g_autofree char *text = NULL;
    gsize length;

    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    for (unsigned i = 0; i < 150; i++) {
        g_autoptr(GxDoc) doc = gx_doc_new(i % 2 ? GX_STRICT : GX_LENIENT);
        GString *s = g_string_new_len(text, (gssize)length);
        unsigned n = (unsigned)g_test_rand_int_range(1, 4);

        for (unsigned j = 0; j < n && s->len; j++) {
            if (i % 4) {
                change_attribute(s);
            } else {
                damage(s);
            }
        }
        gx_doc_load_memory(doc, path, s->str, s->len);
        gx_doc_finish(doc);
        walk_all(doc);
        g_string_free(s, true);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_strdup_printf("/gx/random/%s", files[i]);
        g_test_add_data_func(path, files[i], test_damaged);
    }
    return g_test_run();
}
