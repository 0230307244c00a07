/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hostile input to the workshop: random bytes, random tokens and mutated files.
 * Nothing may crash or hang, every refusal has a message. RV100_FUZZ_SECONDS
 * makes each part go on for that long.
 */
#include <stdlib.h>
#include <string.h>

#include "asm.h"
#include "check.h"
#include "disasm.h"
#include "image.h"
#include "words.h"

#define ROUNDS 3000

typedef struct Fuzz {
    GRand *rand;
    GString *text;
} Fuzz;

static unsigned below(Fuzz *f, unsigned n)
{
    return (unsigned)g_rand_int_range(f->rand, 0, (gint32)n);
}

/* --- inputs --- */

static void random_bytes(Fuzz *f)
{
    for (unsigned n = below(f, 400); n; n--) {
        g_string_append_c(f->text, (char)below(f, 256));
    }
}

static const char *const tokens[] = {
    "latch", "adv", "write", "if_flag", "if_count", "idx", "me", "[", "]", ",",
    ";", ":", "\n", "\n", "\n", "#", ".", ".org", ".equ", ".word", ".include",
    ".chip", ".dispatch", ".pool", "..", "PAINT", "3D_DRAW_VBUF", "r100",
    "r300", "pkt", "a", "ta", "src", "alu", "op", "seq", "addr", "high", "jmp",
    "call", "ld", "=", "addl", "table", "idx_addr", "label", "other", "0", "1",
    "0xff", "0x100", "0xffffffff", "99999999999999999999", "-", "~", "(", ")",
    "+", "*", "/", "%", "<<", ">>", "&", "|", "^", "\"/dev/null\"", "\"", "0b1",
    "0x", "{", "}", "GUI_SCRATCH_REG0", "\t", "\xff"
};

static void random_tokens(Fuzz *f)
{
    for (unsigned n = below(f, 200); n; n--) {
        g_string_append(f->text, tokens[below(f, G_N_ELEMENTS(tokens))]);
        if (below(f, 4)) {
            g_string_append_c(f->text, ' ');
        }
    }
}

static void mutate(Fuzz *f, const char *data, gsize len)
{
    g_string_append_len(f->text, data, (gssize)len);
    for (unsigned n = 1 + below(f, 8); n && f->text->len; n--) {
        unsigned at = below(f, (unsigned)f->text->len);
        unsigned part = below(f, 64);

        part = MIN(part, (unsigned)f->text->len - at);
        switch (below(f, 5)) {
        case 0:
            f->text->str[at] = (char)below(f, 256);
            break;
        case 1:
            g_string_erase(f->text, at, part);
            break;
        case 2:
            g_string_insert(f->text, at,
                            tokens[below(f, G_N_ELEMENTS(tokens))]);
            break;
        case 3: {
            g_autofree char *copy = g_strndup(f->text->str + at, part);

            g_string_insert(f->text, below(f, (unsigned)f->text->len), copy);
            break;
        }
        default:
            g_string_truncate(f->text, at);
            break;
        }
    }
}

/* --- what is fed --- */

static void feed_assembler(Fuzz *f)
{
    AsmResult r;
    bool ok = asm_text("fuzz.s", f->text->str, f->text->len, &r);

    g_assert_true(ok == (r.n_errors == 0));
    g_assert_true(ok || r.messages->len > 0);
    g_assert_true(ok || g_str_has_prefix(strstr(r.messages->str, "error: "),
                                         "error: "));
    asm_result_clear(&r);
}

static void feed_image(Fuzz *f)
{
    g_autofree Flow *flow = g_new(Flow, 1);
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) found = NULL;
    Labels l;
    Image image;

    if (!image_parse(&image, "fuzz", f->text->str, f->text->len, &error)) {
        g_assert_true(g_str_has_prefix(error->message, "fuzz:"));
        return;
    }
    flow_init(flow, &image, rv100_me_chips()[below(f, 4)]);
    labels_init(&l, flow);
    disasm_image(out, flow, &l, "fuzz", below(f, 16));
    found = check_image(flow);
    g_assert_cmpuint(out->len, >, 0);
    labels_clear(&l);
}

static void feed_words(Fuzz *f)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) words = words_parse("fuzz", f->text->str, f->text->len,
                                          &error);

    g_assert_true((words == NULL) == (error != NULL));
}

static void feed_labels(Fuzz *f)
{
    g_autoptr(GError) error = NULL;
    Labels l = { 0 };

    g_assert_true(labels_parse(&l, "fuzz", f->text->str, f->text->len, &error)
                  == (error == NULL));
    labels_clear(&l);
}

/* --- the tests --- */

typedef struct Part {
    const char *name;
    const char *file;           /* environment that names the file to mutate */
    void (*feed)(Fuzz *f);
} Part;

static const Part parts[] = {
    { "/fuzz/asm", "RV100_FREE_SOURCE", feed_assembler },
    { "/fuzz/image-bin", "RV100_FREE_IMAGE", feed_image },
    { "/fuzz/image-text", NULL, feed_image },
    { "/fuzz/words", NULL, feed_words },
    { "/fuzz/labels", NULL, feed_labels },
};

/* The text forms of our image, to be mutated where no file is named. */
static char *text_form(Fuzz *f, gsize *len)
{
    Image image;

    g_assert_true(image_load(&image, g_getenv("RV100_FREE_IMAGE"), NULL));
    return image_format_data(&image, below(f, 2) ? IMAGE_C : IMAGE_TEXT, "x",
                             len);
}

static void one_round(Fuzz *f, const Part *p)
{
    g_autofree char *data = NULL;
    gsize len = 0;

    g_string_truncate(f->text, 0);
    switch (below(f, 3)) {
    case 0:
        random_bytes(f);
        break;
    case 1:
        random_tokens(f);
        break;
    default:
        if (p->file) {
            g_assert_true(g_file_get_contents(g_getenv(p->file), &data, &len,
                                              NULL));
        } else {
            data = text_form(f, &len);
        }
        mutate(f, data, len);
        break;
    }
    p->feed(f);
}

static void test_part(gconstpointer opaque)
{
    const char *seconds = g_getenv("RV100_FUZZ_SECONDS");
    gint64 end = g_get_monotonic_time() +
                 (seconds ? atoi(seconds) : 0) * G_USEC_PER_SEC;
    Fuzz f = {
        .rand = g_rand_new_with_seed(seconds ? g_random_int() : 4711),
        .text = g_string_new(NULL),
    };

    for (unsigned n = 0; n < ROUNDS || g_get_monotonic_time() < end; n++) {
        one_round(&f, opaque);
    }
    g_rand_free(f.rand);
    g_string_free(f.text, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_test_add_data_func(parts[i].name, &parts[i], test_part);
    }
    return g_test_run();
}
