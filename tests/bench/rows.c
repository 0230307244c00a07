/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "rows.h"

#define RUNS 7
#define LONG_ENOUGH 0.003       /* seconds */

static unsigned missed;

static void print_cpu(void)
{
    g_autofree char *text = NULL;
    const char *name;

    if (g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL)
        && (name = strstr(text, "model name"))) {
        name = strchr(name, ':') + 2;
        printf("CPU: %.*s\n", (int)strcspn(name, "\n"), name);
    } else {
        printf("CPU: unknown\n");
    }
}

void bench_head(const char *title)
{
    printf("%s\n", title);
    print_cpu();
    printf("compiler: %s %s\n", 
#ifdef __clang__
           "clang",
#else
           "gcc",
#endif
           __VERSION__);
    printf("%-44s %7s %6s\n", "row (reference time / our time)", "ratio", "goal");
    fflush(stdout);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double run_times(BenchRun *run, void *opaque, unsigned n)
{
    double start = now();

    for (unsigned i = 0; i < n; i++) {
        run(opaque);
    }
    return now() - start;
}

static unsigned find_count(BenchRun *run, void *opaque)
{
    unsigned n = 1;

    while (run_times(run, opaque, n) < LONG_ENOUGH && n < 1u << 24) {
        n *= 2;
    }
    return n;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *v)
{
    qsort(v, RUNS, sizeof(*v), by_value);
    return v[RUNS / 2];
}

BenchPair bench_pair(BenchRun *ours, BenchRun *reference, void *opaque)
{
    unsigned n = find_count(ours, opaque), m = find_count(reference, opaque);
    double a[RUNS], b[RUNS], ratio[RUNS];
    BenchPair pair;

    for (unsigned i = 0; i < RUNS; i++) {
        a[i] = run_times(ours, opaque, n) / n;
        b[i] = run_times(reference, opaque, m) / m;
        ratio[i] = b[i] / a[i];
    }
    pair.ratio = median(ratio);
    pair.ours = median(a);
    pair.reference = median(b);
    return pair;
}

double bench_time(BenchRun *run, void *opaque)
{
    unsigned n = find_count(run, opaque);
    double t[RUNS];

    for (unsigned i = 0; i < RUNS; i++) {
        t[i] = run_times(run, opaque, n) / n;
    }
    return median(t);
}

void bench_row(const char *name, double ratio, double goal, const char *format, ...)
{
    va_list args;

    printf("%-44s ", name);
    if (ratio) {
        printf("%7.2f ", ratio);
    } else {
        printf("%7s ", "");
    }
    if (goal) {
        printf("%6.2f  %s", goal, ratio < goal ? "MISS  " : "");
        missed += ratio < goal;
    } else {
        printf("%6s  ", "");
    }
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

int bench_end(void)
{
    if (missed) {
        printf("%u goals missed\n", missed);
    }
    return missed ? 1 : 0;
}
