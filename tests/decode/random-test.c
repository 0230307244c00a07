/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any words: to text and back, the same words; and the same text from the
 * decoder that makes strings by gx_walk().
 */
#include <string.h>

#include "decode.h"
#include "encode.h"
#include "gx-baked.h"
#include "strings.h"

#define STREAMS 400

static uint32_t word(void)
{
    uint32_t w = (uint32_t)g_test_rand_int();

    switch (g_test_rand_int_range(0, 4)) {
    case 0:
        return w & 0xf;
    case 1:
        return w & 0xffff;
    default:
        return w;
    }
}

static uint32_t packet_header(void)
{
    uint32_t type = (uint32_t)g_test_rand_int_range(0, 4);
    uint32_t count = (uint32_t)g_test_rand_int_range(0, 12);

    return type << 30 | count << 16 | (word() & 0xffff);
}

static uint32_t media_header(void)
{
    return 0x70000000 | (word() & 0x07ff0000) |
           (uint32_t)g_test_rand_int_range(0, 12);
}

static void check(const DecodeSet *set, const GArray *words, bool verbose)
{
    DecodeOptions o = { .verbose = verbose };
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    g_autoptr(GArray) back = NULL;
    g_autoptr(GError) err = NULL;

    g_assert_cmpuint(decoder_stream(d, 0, (const uint32_t *)words->data,
                                    words->len, true), ==, words->len);
    back = encode_text(set, "text", out->str, out->len, &err);
    if (!back) {
        g_error("%s in\n%s", err->message, out->str);
    }
    g_assert_cmpmem(back->data, 4 * back->len, words->data, 4 * words->len);
}

static void check_strings(const DecodeSet *set, const GArray *words)
{
    DecodeOptions o = { .verbose = false };
    g_autoptr(GString) out = g_string_new(NULL), same = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    g_autofree Strings *s = g_new(Strings, 1);

    decoder_stream(d, 0, (const uint32_t *)words->data, words->len, true);
    strings_init(s, set, same);
    strings_stream(s, 0, (const uint32_t *)words->data, words->len, true);
    strings_clear(s);
    g_assert_cmpstr(out->str, ==, same->str);
}

static void streams(const DecodeSet *set, uint32_t (*header)(void))
{
    for (unsigned i = 0; i < STREAMS; i++) {
        g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(uint32_t));

        for (int n = g_test_rand_int_range(1, 60); n; n--) {
            uint32_t w = header();

            g_array_append_val(words, w);
            for (int k = g_test_rand_int_range(0, 14); k; k--) {
                w = word();
                g_array_append_val(words, w);
            }
        }
        check(set, words, i & 1);
        check_strings(set, words);
    }
}

static void test_pm4(void)
{
    g_autoptr(DecodeSet) set = decode_set_pm4();

    streams(set, packet_header);
}

static void test_media(void)
{
    g_autoptr(DecodeSet) set = decode_set_other(&gx_doc_gen75_media, NULL);

    streams(set, media_header);
}

/* JSON of anything is whole lines of balanced brackets. */
static void test_json(void)
{
    g_autoptr(DecodeSet) set = decode_set_pm4();
    DecodeOptions o = { .json = true, .verbose = true };
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    uint32_t words[400];
    int depth = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        words[i] = i % 5 ? word() : packet_header();
    }
    decoder_stream(d, 0, words, G_N_ELEMENTS(words), true);
    for (const char *p = out->str; *p; p++) {
        depth += (*p == '{') + (*p == '[') - (*p == '}') - (*p == ']');
        g_assert_cmpint(depth, >=, 0);
        if (*p == '\n') {
            g_assert_cmpint(depth, ==, 0);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/random/pm4", test_pm4);
    g_test_add_func("/random/media", test_media);
    g_test_add_func("/random/json", test_json);
    return g_test_run();
}
