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

/* Medians of the times and of the ratio; false when the checksums differ. */
static bool measure(const char *what, const BenchSide *ours,
                    const BenchSide *reference, double *time_ours,
                    double *time_reference, double *r)
{
    double a[PAIRS], b[PAIRS], ratio[PAIRS];
    uint64_t x, y;

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
    *time_ours = median(a);
    *time_reference = median(b);
    *r = median(ratio);
    return true;
}

static bool print_goal(double ratio, double goal)
{
    bool met = ratio >= goal;

    printf(": ratio %.2f", ratio);
    if (goal > 0) {
        printf(", goal %.2f%s", goal, met ? "" : "  MISSED");
    }
    printf("\n");
    fflush(stdout);
    return met;
}

bool bench_ratio(const char *what, const char *unit, uint64_t units,
                 const BenchSide *ours, const BenchSide *reference,
                 double goal)
{
    double a, b, r;

    if (!measure(what, ours, reference, &a, &b, &r)) {
        return false;
    }
    printf("%-34s %-22s %7.1f M %s/s, %-18s %7.1f", what, ours->name,
           units / a / 1e6, unit, reference->name, units / b / 1e6);
    return print_goal(r, goal);
}

double bench_silent_ratio(const BenchSide *ours, const BenchSide *reference)
{
    double a, b, r;

    return measure("", ours, reference, &a, &b, &r) ? r : 0;
}

bool bench_goal(const char *what, double ratio, double goal)
{
    printf("%-34s", what);
    return print_goal(ratio, goal);
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
