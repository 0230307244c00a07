/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tools that read streams: any words decode to text that encodes to the
 * same words; any text encodes or is refused with file and line; any file that
 * begins like a capture, and any changed capture, is decoded and replayed or
 * refused.
 *
 * Input: which of these, then the data.
 */
#include "fuzz.h"

#include "capture-decode.h"
#include "encode.h"
#include "fake-host.h"
#include "gx-baked.h"
#include "replay.h"

static const DecodeSet *pm4(void)
{
    static DecodeSet *set;

    if (!set) {
        set = decode_set_pm4();
    }
    return set;
}

static const DecodeSet *media(void)
{
    static DecodeSet *set;

    if (!set) {
        set = decode_set_other(&gx_doc_gen75_media, NULL);
    }
    return set;
}

static void words(const DecodeSet *set, FuzzInput *in, bool json)
{
    DecodeOptions o = { .verbose = json, .json = json };
    size_t n = fuzz_left(in) / 4;
    g_autofree uint32_t *w = g_new(uint32_t, n + 1);
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    g_autoptr(GArray) back = NULL;
    g_autoptr(GError) err = NULL;

    for (size_t i = 0; i < n; i++) {
        w[i] = fuzz_take(in, 4);
    }
    g_assert_cmpuint(decoder_stream(d, 0, w, n, true), ==, n);
    if (json) {
        return;
    }
    back = encode_text(set, "text", out->str, out->len, &err);
    g_assert_no_error(err);
    g_assert_cmpmem(back->data, 4 * back->len, w, 4 * n);
}

static void pm4_words(FuzzInput *in)
{
    words(pm4(), in, false);
}

static void pm4_json(FuzzInput *in)
{
    words(pm4(), in, true);
}

static void media_words(FuzzInput *in)
{
    words(media(), in, false);
}

/* Text made of what such texts are made of. */
static void text(FuzzInput *in)
{
    static const char *const parts[] = {
        "\n", "\n    ", "\n        ", "PAINT", "CNTL_PAINT", "SMALLTEXT",
        "TYPE0", "TYPE1", "TYPE2", "OP_2b", " = ", "[0]", "[1]", "WORDS",
        "WORD[1]", "COUNT", "LEFT", "TOP", "RIGHT", "BOTTOM", "DATA",
        "GUI_CONTROL", "SETTINGS_BLOCK", "GUI_SCRATCH_REG0", " one-reg",
        "0x10", "-1", "7", "99999999999999999999", "{ GMC_ROP3 = S }", "{",
        "}", "#", ">", "+", "(", ")", "raw:1", " ", "true", "HOSTDATA_BLT",
        "NUMBER", "RASTER[0]", "RASTER", "3D_LOAD_VBPNTR", "NUM_ARRAYS",
    };
    g_autoptr(GString) s = g_string_new(NULL);
    g_autoptr(GError) err = NULL;
    g_autoptr(GArray) w = NULL;

    while (fuzz_left(in)) {
        uint32_t c = fuzz_take(in, 1);

        if (c < 0xf0) {
            g_string_append(s, parts[c % G_N_ELEMENTS(parts)]);
        } else {
            g_string_append_c(s, (char)fuzz_take(in, 1));
        }
    }
    w = encode_text(pm4(), "text", s->str, s->len, &err);
    g_assert_true(!w == !!err);
    if (err) {
        g_assert_true(g_str_has_prefix(err->message, "text:"));
    }
}

static bool no_flush(void *opaque)
{
    return true;
}

static void read_capture(const uint8_t *data, size_t len)
{
    static const ReplayOptions none;
    DecodeOptions o = { .verbose = true };
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(pm4(), &o, out);
    g_autofree char *difference = NULL;
    g_autoptr(GError) err = NULL;
    g_auto(Capture) c = { 0 };
    g_auto(Capture) r = { 0 };
    ReplayStats stats;

    if (!capture_open(&c, "capture", data, len, &err)) {
        g_assert_nonnull(err);
        return;
    }
    capture_decode(&c, d, true, no_flush, NULL);
    capture_open(&r, "capture", data, len, NULL);
    r.vram_size = MIN(r.vram_size, 1u << 20);
    replay_run(&r, &none, &stats, &difference);
}

static bool sink(void *opaque, const void *data, size_t len)
{
    g_byte_array_append(opaque, data, (guint)len);
    return true;
}

/* A short capture that is as it should be. */
static const GByteArray *good_capture(void)
{
    static GByteArray *file;
    const uint32_t packets[] = { fake_type0(A_GUI_SCRATCH_REG0, 1), 7 };
    FakeHost *h;

    if (file) {
        return file;
    }
    file = g_byte_array_new();
    h = fake_host_new(0, 0);
    rv100_capture_start(h->chip, sink, file);
    fake_load_mini(h);
    fake_ring_start(h, 6, 4);
    fake_ring(h, packets, 2);
    fake_run(h, 20);
    rv100_capture_stop(h->chip);
    fake_host_free(h);
    return file;
}

static void changed_capture(FuzzInput *in)
{
    const GByteArray *good = good_capture();
    size_t len = good->len - (fuzz_take(in, 1) & 1 ? fuzz_take(in, 2) %
                              (good->len - RV100_CAPTURE_HEADER) : 0);
    g_autofree uint8_t *data = g_memdup2(good->data, len);

    for (unsigned n = fuzz_take(in, 1) % 32; n; n--) {
        data[fuzz_take(in, 2) % len] = (uint8_t)fuzz_take(in, 1);
    }
    read_capture(data, len);
}

static void any_capture(FuzzInput *in)
{
    g_autoptr(GByteArray) file = g_byte_array_new();

    g_byte_array_append(file, good_capture()->data, RV100_CAPTURE_HEADER);
    while (fuzz_left(in)) {
        uint8_t head[4] = {
            fuzz_take(in, 1) % 0x4a, fuzz_take(in, 1) & 0x3f, 0,
            fuzz_take(in, 1) == 7,
        };
        unsigned n = head[1];

        g_byte_array_append(file, head, 4);
        while (n--) {
            uint8_t b = (uint8_t)fuzz_take(in, 1);

            g_byte_array_append(file, &b, 1);
        }
    }
    read_capture(file->data, file->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(FuzzInput *in) = {
        pm4_words, pm4_json, media_words, text, text, changed_capture,
        any_capture,
    };
    FuzzInput in = { data, data + size };

    readers[fuzz_take(&in, 1) % G_N_ELEMENTS(readers)](&in);
    return 0;
}
