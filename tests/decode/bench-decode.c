/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speed of the decoder: against one that builds a string for each field, as
 * text, as summary; start of the whole program.
 *
 * Environment: RV100_TOOL, the program. Goals are printed; with --check a miss
 * is an exit status of 1.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "decode.h"
#include "rv100-pm4.h"
#include "rv100-regs.h"

#define WORDS (1u << 20)        /* of the stream */
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

static GString *run(const DecodeSet *set, const uint32_t *w, bool summary,
                    double *seconds)
{
    DecodeOptions o = { .summary = summary };
    GString *out = g_string_sized_new(256u << 20);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    clock_t start = clock();    /* other processes do not count */

    decoder_stream(d, 0, w, WORDS, true);
    decoder_finish(d);
    *seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return out;
}

/* --- the other way: a string for each field, joined line by line --- */

typedef struct Strings {
    const DecodeSet *set;
    GString *out;
    char *line;
} Strings;

static char *field_string(const GxField *f, uint64_t raw)
{
    const GxValue *v = f->enumeration ? gx_enum_by_value(f->enumeration, raw)
                                      : NULL;

    if (v) {
        return g_strdup_printf("%s = %" G_GUINT64_FORMAT " (%s)", f->name, raw,
                               v->name);
    }
    if (f->type == GX_BOOL) {
        return g_strdup_printf("%s = %s", f->name, raw ? "true" : "false");
    }
    return g_strdup_printf(f->end - f->start >= 23 ? "%s = 0x%08" G_GINT64_MODIFIER
                           "x" : "%s = %" G_GUINT64_FORMAT, f->name, raw);
}

static void string_field(void *opaque, const GxVisit *v, uint64_t raw)
{
    Strings *s = opaque;
    g_autofree char *text = field_string(v->field, raw);
    g_autofree char *indent = g_strnfill(4 * v->depth + 4, ' ');
    g_autofree char *line = g_strconcat(indent, text, "\n", NULL);

    g_string_append(s->out, line);
}

static void string_register(Strings *s, uint32_t dword, uint32_t value)
{
    const DecodeReg *r = &s->set->regs[dword % DECODE_REGS];
    char *line = g_strdup_printf("    %s = 0x%08x", r->c ? r->c->name : "?",
                                 value);

    for (unsigned i = 0; r->c && i < r->c->root->items->len; i++) {
        const GxField *f = g_array_index(r->c->root->items, GxItem, i).field;

        if (f && f->end < 32) {
            uint64_t raw = gx_get_bits(&value, 1, f->start, gx_field_bits(f));
            g_autofree char *text = field_string(f, raw);
            char *longer;

            if (!raw && !(f->enumeration &&
                          gx_enum_by_value(f->enumeration, 0))) {
                continue;
            }
            longer = g_strconcat(line, i ? ", " : " { ", text, NULL);
            g_free(line);
            line = longer;
        }
    }
    g_string_append(s->out, line);
    g_string_append(s->out, " }\n");
    g_free(line);
}

static double run_strings(const DecodeSet *set, const uint32_t *w, size_t n,
                          gsize *lines)
{
    static const GxWalkOps ops = { .field = string_field };
    Strings s = { set, g_string_sized_new(64u << 20), NULL };
    clock_t start = clock(), end;

    for (size_t at = 0; at < n;) {
        uint32_t h = w[at];
        size_t len = MIN(2 + (h >> 16 & 0x3fff), n - at);
        const GxContainer *c = set->op[h >> 8 & 0x7f];
        g_autofree char *head = g_strdup_printf("%s  # %zu: %08x\n", h >> 30 ?
                                                c->name : "TYPE0", at, h);

        g_string_append(s.out, head);
        if (h >> 30) {
            gx_walk(c, w + at, len, &ops, &s);
        } else {
            for (size_t i = 1; i < len; i++) {
                string_register(&s, (h & 0x1fff) + (uint32_t)i - 1, w[at + i]);
            }
        }
        at += len;
    }
    end = clock();
    *lines = 0;
    for (const char *p = s.out->str; *p; p++) {
        *lines += *p == '\n';
    }
    g_string_free(s.out, TRUE);
    return (double)(end - start) / CLOCKS_PER_SEC;
}

static gsize count_lines(const GString *s)
{
    gsize n = 0;

    for (gsize i = 0; i < s->len; i++) {
        n += s->str[i] == '\n';
    }
    return n;
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
    double text = 1e9, summary = 1e9, strings, t;
    gsize lines = 0, string_lines;

    for (unsigned i = 0; i < 3; i++) {
        GString *out = run(set, w, false, &t);

        text = MIN(text, t);
        lines = count_lines(out);
        g_string_free(out, TRUE);
        g_string_free(run(set, w, true, &t), TRUE);
        summary = MIN(summary, t);
    }
    strings = run_strings(set, w, WORDS / 8, &string_lines);
    figure("text", (double)lines / text / 1e6, "M lines/s", 1, false);
    figure("text, of the stream", 4.0 * WORDS / text / 1e6, "MB/s", 20, false);
    figure("summary", 4.0 * WORDS / summary / 1e6, "MB/s", 200, false);
    printf("%-44s %10.2f M lines/s\n", "a string for each field",
           (double)string_lines / strings / 1e6);
    figure("ratio of words a second", WORDS / text / (WORDS / 8 / strings), "",
           10, false);
    if (g_getenv("RV100_TOOL")) {
        figure("start of rv100 decode, fastest", start_ms(), "ms", 20, true);
    }
    return argc > 1 && !strcmp(argv[1], "--check") && misses;
}
