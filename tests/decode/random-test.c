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
#define DAMAGED 600             /* descriptions */

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
    for (guint i = 0; i < MIN(back->len, words->len); i++) {
        uint32_t w = g_array_index(words, uint32_t, i);

        if (g_array_index(back, uint32_t, i) != w) {
            g_error("word %u is 0x%08x, not 0x%08x, of\n%s", i,
                    g_array_index(back, uint32_t, i), w, out->str);
        }
    }
    g_assert_cmpuint(back->len, ==, words->len);
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
    for (char *a = out->str, *b = same->str; *a || *b;) {
        g_autofree char *mine = g_strndup(a, strcspn(a, "\n"));
        g_autofree char *theirs = g_strndup(b, strcspn(b, "\n"));

        g_assert_cmpstr(mine, ==, theirs);
        a += strlen(mine) + 1;
        b += strlen(theirs) + 1;
    }
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

/* --- layouts that no chip has --- */

/* Every construct, also where it is unhandy: fields across dwords, structs and
 * groups that begin in the middle of one. */
static const char constructs[] =
    "<genxml name='T' gen='1'>\n"
    "<enum name='E' prefix='P'><value name='ZERO' value='0'/>"
    "<value name='FIVE' value='5'/><value name='BIG' value='200'/></enum>\n"
    "<register name='R' num='0x40' length='1'>"
    "<field name='RA' start='0' end='3' type='uint'/>"
    "<field name='RB' start='4' end='11' type='E'/>"
    "<field name='RC' start='12' end='12' type='bool'/>"
    "<field name='RD' start='16' end='31' type='int'/></register>\n"
    "<struct name='S' length='2'>"
    "<field name='SA' start='3' end='20' type='u10.8'/>"
    "<field name='SB' start='21' end='40' type='int'/>"
    "<group count='4' start='44' size='5'>"
    "<field name='SC' start='1' end='3' type='uint'/></group></struct>\n"
    "<struct name='F'>"
    "<field name='FN' start='0' end='7' type='uint'/>"
    "<group count-from='FN &amp; 3' size='64'>"
    "<field name='FV' start='0' end='63' type='uint'/></group>"
    "<group present-if='FN &gt; 100' size='32'>"
    "<field name='FW' start='4' end='31' type='offset'/></group></struct>\n"
    "<instruction name='A' bias='2' length='12'>"
    "<field name='DWord Length' start='0' end='7' type='uint' default='10'/>"
    "<field name='Code' start='16' end='31' type='uint' default='0x7001'/>"
    "<field name='A1' start='12' end='12' type='bool'/>"
    "<field name='A2' start='32' end='63' type='R'/>"
    "<field name='A3' start='70' end='133' type='S'/>"
    "<field name='A4' start='134' end='165' type='float'/>"
    "<field name='A5' start='166' end='170' type='mbz'/>"
    "<field name='A6' start='171' end='173' type='mbo'/>"
    "<field name='A7' start='174' end='182' type='s4.4'/>"
    "<field name='A8' start='192' end='287' type='uint'/>"
    "<group count='1' start='288' size='32'>"
    "<field name='A9' start='6' end='31' type='address'/>"
    "<field name='AA' start='0' end='2' type='uint'>"
    "<value name='TWO' value='2'/></field></group>"
    "<group count='2' start='325' size='20'>"
    "<field name='AB' start='0' end='19' type='R'/></group></instruction>\n"
    "<instruction name='B' bias='1'>"
    "<field name='DWord Length' start='0' end='7' type='uint'/>"
    "<field name='Code' start='16' end='31' type='uint' default='0x7002'/>"
    "<group count='0' start='32' size='96'>"
    "<field name='B1' start='0' end='31' type='R'/>"
    "<group count='3' start='40' size='17'>"
    "<field name='B2' start='0' end='10' type='E'/>"
    "<field name='B3' start='11' end='16' type='int'/></group>"
    "</group></instruction>\n"
    "<instruction name='C' bias='1'>"
    "<field name='DWord Length' start='0' end='7' type='uint'/>"
    "<field name='Code' start='16' end='31' type='uint' default='0x7003'/>"
    "<group count='2'><field name='C1' start='0' end='31' type='F'/></group>"
    "<group count='0'><field name='C2' start='0' end='31' type='uint'/></group>"
    "</instruction>\n"
    /* names as some files have them; a struct that may be cut */
    "<instruction name='D' bias='1'>"
    "<field name='DWord Length' start='0' end='7' type='uint'/>"
    "<field name='Code' start='16' end='31' type='uint' default='0x7004'/>"
    "<field name='D1[0][1]' start='8' end='11' type='uint'/>"
    "<field name='D2 ' start='12' end='15' type='uint'/>"
    "<field name='D3' start='32' end='95' type='S'/>"
    "<group count='0' start='96' size='64'>"
    "<field name='D4[0]' start='0' end='31' type='uint'/>"
    "<field name='D4[1]' start='32' end='63' type='uint'/></group>"
    "</instruction>\n</genxml>\n";

static uint32_t construct_header(void)
{
    return 0x70000000 | (uint32_t)g_test_rand_int_range(1, 6) << 16 |
           (uint32_t)g_test_rand_int_range(0, 20) |
           (word() & 0xff00);
}

static GxDoc *parse(const char *text)
{
    GxDoc *doc = gx_doc_new(GX_LENIENT);

    gx_doc_load_memory(doc, "t.xml", text, strlen(text));
    gx_doc_finish(doc);
    return doc;
}

static void test_constructs(void)
{
    g_autoptr(GxDoc) doc = parse(constructs);
    g_autofree char *said = gx_doc_diag_text(doc);
    g_autoptr(DecodeSet) set = NULL;

    if (doc->n_errors) {
        g_error("%s", said);
    }
    set = decode_set_other(doc, NULL);
    streams(set, construct_header);
}

/* Other digits somewhere: what still loads is decoded the same in both ways.
 * (Fields that overlap say their bits twice: no way back.) */
static void test_damaged(void)
{
    unsigned loaded = 0;

    for (unsigned n = 0; n < DAMAGED; n++) {
        g_autofree char *text = g_strdup(constructs);
        g_autoptr(GxDoc) doc = NULL;
        g_autoptr(DecodeSet) set = NULL;
        g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(uint32_t));

        for (int k = g_test_rand_int_range(1, 8); k;) {
            char *c = &text[g_test_rand_int_range(0, sizeof(constructs) - 1)];

            if (g_ascii_isdigit(*c)) {
                *c = (char)('0' + g_test_rand_int_range(0, 10));
                k--;
            }
        }
        doc = parse(text);
        if (doc->n_errors) {
            continue;
        }
        loaded++;
        set = decode_set_other(doc, NULL);
        for (unsigned i = 0; i < 300; i++) {
            uint32_t w = i % 9 ? word() : construct_header();

            g_array_append_val(words, w);
        }
        check_strings(set, words);
    }
    g_assert_cmpuint(loaded, >, DAMAGED / 8);
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
    g_test_add_func("/random/constructs", test_constructs);
    g_test_add_func("/random/damaged", test_damaged);
    g_test_add_func("/random/json", test_json);
    return g_test_run();
}
