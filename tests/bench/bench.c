/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define PAIRS 9
#define WARM_UP 2

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double timed(const BenchSide *side, uint64_t *sum)
{
    double begin = now();

    *sum = side->run(side->opaque);
    return now() - begin;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double median(double *values)
{
    qsort(values, PAIRS, sizeof(*values), compare);
    return values[PAIRS / 2];
}

void bench_banner(void)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;
    const char *model = "unknown CPU";

    if (g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL)) {
        lines = g_strsplit(text, "\n", -1);
        for (char **line = lines; *line; line++) {
            char *colon = strchr(*line, ':');

            if (colon && (g_str_has_prefix(*line, "model name")
                          || g_str_has_prefix(*line, "cpu\t"))) {
                model = g_strstrip(colon + 1);
                break;
            }
        }
    }
    printf("# %s, compiler %s%s, median of %d pairs\n", model,
#ifdef __clang__
           "clang ", __clang_version__,
#else
           "gcc ", __VERSION__,
#endif
           PAIRS);
}

bool bench_ratio(const char *what, const char *unit, uint64_t units,
                 const BenchSide *ours, const BenchSide *reference,
                 double goal)
{
    double a[PAIRS], b[PAIRS], ratio[PAIRS], r;
    uint64_t x, y;
    bool met;

    for (int i = -WARM_UP; i < PAIRS; i++) {
        /* The side that begins changes, so that neither profits. */
        double first = timed(i & 1 ? ours : reference, i & 1 ? &x : &y);
        double second = timed(i & 1 ? reference : ours, i & 1 ? &y : &x);

        if (x != y) {
            printf("%s: %s gives %" G_GINT64_MODIFIER "x, %s gives %"
                   G_GINT64_MODIFIER "x\n", what, ours->name, x,
                   reference->name, y);
            return false;
        }
        if (i >= 0) {
            a[i] = i & 1 ? first : second;
            b[i] = i & 1 ? second : first;
            ratio[i] = b[i] / a[i];
        }
    }
    r = median(ratio);
    met = r >= goal;
    printf("%-34s %-22s %7.1f M %s/s, %-18s %7.1f: ratio %.2f", what,
           ours->name, units / median(a) / 1e6, unit, reference->name,
           units / median(b) / 1e6, r);
    if (goal > 0) {
        printf(", goal %.2f%s", goal, met ? "" : "  MISSED");
    }
    printf("\n");
    return met;
}

void bench_rate(const char *what, const char *unit, uint64_t units,
                const BenchSide *side)
{
    double a[PAIRS];
    uint64_t sum;

    for (int i = -WARM_UP; i < PAIRS; i++) {
        double t = timed(side, &sum);

        if (i >= 0) {
            a[i] = t;
        }
    }
    printf("%-34s %-22s %7.1f M %s/s\n", what, side->name,
           units / median(a) / 1e6, unit);
}
