/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The documented packets through the decoder: golden text of the layouts, the
 * words back from that text, and what --execute says against the listed
 * writes.
 *
 * tests/golden/packets.txt was read by hand before it was taken in. After a
 * change of the text: GOLDEN_WRITE=1 build/tests/decode/packets-test, then read
 * the difference.
 */
#include <stdio.h>
#include <string.h>

#include "decode.h"
#include "encode.h"
#include "reference.h"

#define STOCK "R100_cp.bin"
#define BLIT_SAVE 0xe4          /* ME word of the blits; the lists leave it out */

static DecodeSet *set;

static char *golden_path(void)
{
    return g_build_filename(GOLDEN_DIR, "packets.txt", NULL);
}

static char *decode(const RefWords *w)
{
    DecodeOptions o = { .verbose = false };
    GString *out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);

    g_assert_cmpuint(decoder_stream(d, 0, w->words, w->n, true), ==, w->n);
    return g_string_free(out, FALSE);
}

/* "## name", then the text. */
static char *golden_text(const GPtrArray *packets)
{
    GString *s = g_string_new(NULL);

    for (guint i = 0; i < packets->len; i++) {
        const RefPacket *p = packets->pdata[i];
        g_autofree char *text = decode(&p->words);

        g_string_append_printf(s, "%s## %s\n%s", i ? "\n" : "", p->name,
                               text);
    }
    return g_string_free(s, FALSE);
}

static bool need_packets(void)
{
    return ref_need(ref_packets(), "reference/packets.json");
}

static void test_golden(void)
{
    g_autofree char *path = golden_path(), *golden = NULL, *text = NULL;
    g_auto(GStrv) want = NULL, got = NULL;

    if (!need_packets()) {
        return;
    }
    text = golden_text(ref_packets());
    if (g_getenv("GOLDEN_WRITE")) {
        g_assert_true(g_file_set_contents(path, text, -1, NULL));
    }
    g_assert_true(g_file_get_contents(path, &golden, NULL, NULL));
    want = g_strsplit(golden, "\n", -1);
    got = g_strsplit(text, "\n", -1);
    for (guint i = 0; want[i] || got[i]; i++) {
        g_assert_cmpstr(got[i], ==, want[i]);
    }
}

/* Needs no reference: the golden text is encoded, and decoded again. */
static void test_back(void)
{
    g_autofree char *path = golden_path(), *golden = NULL;
    g_auto(GStrv) parts = NULL;
    guint n = 0;

    g_assert_true(g_file_get_contents(path, &golden, NULL, NULL));
    parts = g_strsplit(golden, "## ", -1);
    for (char **p = parts + 1; *p; p++) {
        const char *body = strchr(*p, '\n') + 1;
        g_autoptr(GArray) words = NULL;
        g_autofree char *again = NULL, *trimmed = NULL;
        g_autoptr(GError) err = NULL;
        RefWords w;

        words = encode_text(set, "golden", body, strlen(body), &err);
        g_assert_no_error(err);
        w = (RefWords) { (uint32_t *)words->data, words->len };
        again = decode(&w);
        trimmed = g_strchomp(g_strdup(body));
        g_assert_cmpstr(g_strchomp(again), ==, trimmed);
        n++;
    }
    g_assert_cmpuint(n, >=, 80);
}

static void test_words(void)
{
    if (!need_packets()) {
        return;
    }
    for (guint i = 0; i < ref_packets()->len; i++) {
        const RefPacket *p = ref_packets()->pdata[i];
        g_autofree char *text = decode(&p->words);
        g_autoptr(GError) err = NULL;
        g_autoptr(GArray) words = encode_text(set, p->name, text, strlen(text),
                                              &err);

        g_assert_no_error(err);
        g_assert_cmpmem(words->data, 4 * words->len, p->words.words,
                        4 * p->words.n);
    }
}

/* --- --execute --- */

static void check_me_line(const RefPacket *p, const char *line, guint *n)
{
    unsigned addr, hi, lo;

    g_assert_cmpint(sscanf(line, "ME[%x] = 0x%x 0x%x", &addr, &hi, &lo), ==,
                    3);
    if (addr == BLIT_SAVE) {
        return;
    }
    g_assert_cmpuint(*n, <, p->n_me_writes);
    g_assert_cmphex(addr, ==, p->me_writes[*n].addr);
    g_assert_cmphex(hi, ==, p->me_writes[*n].hi);
    g_assert_cmphex(lo, ==, p->me_writes[*n].lo);
    ++*n;
}

static void check_write_line(const RefPacket *p, const char *line, guint *n)
{
    const char *eq = strstr(line, " = 0x");
    g_autofree char *name = g_strndup(line, eq - line);
    uint32_t dword;

    g_assert_cmpuint(*n, <, p->n_writes);
    g_assert_true(decode_reg_find(set, name, &dword));
    g_assert_cmphex(dword, ==, p->writes[*n].dword);
    g_assert_cmphex(g_ascii_strtoull(eq + 5, NULL, 16), ==,
                    p->writes[*n].value);
    ++*n;
}

static void test_execute(gconstpointer data)
{
    const RefPacket *p = data;
    const RefImage *stock = ref_image(STOCK);
    DecodeOptions o = { .verbose = false };
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    g_auto(GStrv) lines = NULL;
    guint writes = 0, words = 0, waits = 0;
    Image image;

    memcpy(image.hi, stock->hi, sizeof(image.hi));
    memcpy(image.lo, stock->lo, sizeof(image.lo));
    for (guint i = 0; i < p->n_patch; i++) {
        image.hi[p->patch[i].addr] = p->patch[i].hi;
        image.lo[p->patch[i].addr] = p->patch[i].lo;
    }
    decoder_execute(d, &image, rv100_me_chip("r100"));
    decoder_stream(d, 0, p->words.words, p->words.n, true);
    lines = g_strsplit(out->str, "\n", -1);
    for (char **l = lines; *l; l++) {
        if (g_str_has_prefix(*l, "  >   ME[")) {
            check_me_line(p, *l + 6, &words);
        } else if (g_str_has_prefix(*l, "  >   the microcode waits")) {
            waits++;
        } else if (g_str_has_prefix(*l, "  > ")) {
            check_write_line(p, *l + 6, &writes);
        }
    }
    g_assert_cmpuint(writes, ==, p->n_writes);
    g_assert_cmpuint(words, ==, p->n_me_writes);
    g_assert_cmpuint(waits, ==, p->waiting);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    set = decode_set_pm4();
    g_test_add_func("/decode/golden", test_golden);
    g_test_add_func("/decode/golden-back", test_back);
    g_test_add_func("/decode/words-back", test_words);
    for (guint i = 0; ref_packets() && ref_image(STOCK) &&
         i < ref_packets()->len; i++) {
        RefPacket *p = ref_packets()->pdata[i];
        g_autofree char *name = g_strdelimit(g_strdup(p->name), "/", '-');
        g_autofree char *path = g_strdup_printf("/decode/execute/%s", name);

        g_test_add_data_func(path, p, test_execute);
    }
    status = g_test_run();
    decode_set_free(set);
    return status;
}
