/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speed of the decoder: against one that builds a string for each field, as
 * text, as summary; start of the whole program.
 *
 * Environment: RV100_TOOL, the program. Goals are printed; with --check a miss
 * is an exit status of 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decode.h"
#include "rv100-pm4.h"
#include "rv100-regs.h"
#include "strings.h"

#define WORDS (1u << 20)        /* of the stream */
#define STRING_WORDS (WORDS / 4)        /* ... for the slow decoder */
#define AT_ONCE 4096u
#define PAIRS 7
#define STARTS 40

static unsigned misses;

static void figure(const char *name, double value, const char *unit,
                   double goal, bool less)
{
    bool ok = less ? value <= goal : value >= goal;

    printf("%-44s %10.2f %-9s goal %s %g%s\n", name, value, unit,
           less ? "<=" : ">=", goal, ok ? "" : "  MISSED");
    misses += !ok;
}

/* Registers, rectangles with and without settings, text. */
static uint32_t *make_stream(void)
{
    static const uint32_t regs[] = {
        R_GUI_SCRATCH_REG0, R_DST_PITCH_OFFSET, R_DP_GUI_MASTER_CNTL,
        R_SC_TOP_LEFT,
    };
    uint32_t *w = g_new0(uint32_t, WORDS + 64);
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);

    for (size_t n = 0; n < WORDS;) {
        uint32_t k = (uint32_t)g_rand_int_range(rand, 1, 5);
        size_t at = n;

        switch (g_rand_int_range(rand, 0, 4)) {
        case 0:
            w[n++] = (k - 1) << 16 | regs[k - 1];
            break;
        case 1:
            w[n++] = 0xc0000000 | (2 * k - 1) << 16 | PM4_OP_PAINT << 8;
            k *= 2;
            break;
        case 2:
            w[n++] = 0xc0048000 | PM4_OP_PAINT_MULTI << 8;
            w[n++] = 0x73cc36d2;
            k = 4;
            break;
        default:
            w[n++] = 0xc0000000 | (2 + k) << 16 | PM4_OP_SMALLTEXT << 8;
            w[n++] = 0x00ffffff;
            w[n++] = 0x00640032;
            w[n++] = k << 24 | 32 << 16;
            break;
        }
        for (; k; k--) {
            w[n++] = g_rand_int(rand) & (at & 1 ? 0xfff0fff : 0xffffffff);
        }
    }
    return w;
}

/* As the program does: so many words at once, and the text goes away. */
typedef size_t (*Stream)(void *decoder, uint64_t offset, const uint32_t *words,
                         size_t n, bool last);

static double run(Stream stream, void *decoder, GString *out,
                  const uint32_t *w, size_t n)
{
    clock_t start = clock();    /* other processes do not count */

    for (size_t at = 0; at < n;) {
        size_t there = MIN(AT_ONCE, n - at);

        at += stream(decoder, at, w + at, there, at + there == n);
        g_string_truncate(out, 0);
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static size_t table_stream(void *d, uint64_t offset, const uint32_t *words,
                           size_t n, bool last)
{
    return decoder_stream(d, offset, words, n, last);
}

static size_t string_stream(void *s, uint64_t offset, const uint32_t *words,
                            size_t n, bool last)
{
    return strings_stream(s, offset, words, n, last);
}

static double run_tables(const DecodeSet *set, const uint32_t *w, bool summary)
{
    DecodeOptions o = { .summary = summary };
    g_autoptr(GString) out = g_string_sized_new(1u << 20);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);

    return run(table_stream, d, out, w, WORDS);
}

static double run_strings(const DecodeSet *set, const uint32_t *w)
{
    g_autoptr(GString) out = g_string_sized_new(1u << 20);
    g_autofree Strings *s = g_new(Strings, 1);
    double t;

    strings_init(s, set, out);
    t = run(string_stream, s, out, w, STRING_WORDS);
    strings_clear(s);
    return t;
}

/* Lines of the stream; both decoders say the same. */
static gsize count_lines(const DecodeSet *set, const uint32_t *w)
{
    DecodeOptions o = { .verbose = false };
    g_autoptr(GString) text = g_string_new(NULL), same = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, text);
    g_autofree Strings *s = g_new(Strings, 1);
    gsize n = 0;

    strings_init(s, set, same);
    strings_stream(s, 0, w, WORDS, true);
    strings_clear(s);
    decoder_stream(d, 0, w, WORDS, true);
    g_assert_true(g_string_equal(text, same));
    for (gsize i = 0; i < text->len; i++) {
        n += text->str[i] == '\n';
    }
    return n;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *v)
{
    qsort(v, PAIRS, sizeof(*v), by_size);
    return v[PAIRS / 2];
}

/* The fastest of whole runs of the program on no packet. */
static double start_ms(void)
{
    const char *tool = g_getenv("RV100_TOOL");
    char *argv[] = { (char *)tool, "decode", "/dev/null", NULL };
    double best = 1e9;

    for (unsigned i = 0; i < STARTS; i++) {
        gint64 start = g_get_monotonic_time();

        g_assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL,
                                   NULL, NULL, NULL, NULL, NULL));
        best = MIN(best, (double)(g_get_monotonic_time() - start) / 1e3);
    }
    return best;
}

int main(int argc, char **argv)
{
    g_autoptr(DecodeSet) set = decode_set_pm4();
    g_autofree uint32_t *w = make_stream();
    double text[PAIRS], summary[PAIRS], strings[PAIRS], ratio[PAIRS];
    gsize lines = count_lines(set, w);

    for (unsigned i = 0; i < PAIRS; i++) {
        text[i] = run_tables(set, w, false) / WORDS;
        strings[i] = run_strings(set, w) / STRING_WORDS;
        summary[i] = run_tables(set, w, true) / WORDS;
        ratio[i] = strings[i] / text[i];
    }
    figure("text", (double)lines / WORDS / median(text) / 1e6, "M lines/s", 1,
           false);
    figure("text, of the stream", 4 / median(text) / 1e6, "MB/s", 20, false);
    figure("summary", 4 / median(summary) / 1e6, "MB/s", 200, false);
    printf("%-44s %10.2f M lines/s\n", "a string for each field",
           (double)lines / WORDS / median(strings) / 1e6);
    figure("ratio, median of pairs", median(ratio), "", 10, false);
    if (g_getenv("RV100_TOOL")) {
        figure("start of rv100 decode, fastest", start_ms(), "ms", 20, true);
    }
    return argc > 1 && !strcmp(argv[1], "--check") && misses;
}
