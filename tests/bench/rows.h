/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Benchmarks: the ratio of a reference's time to ours, of the same work in the
 * same run, against a goal. Times are those of this thread alone; the median of
 * seven runs counts. A miss of a goal makes the program fail: benchmarks run
 * with `meson test --benchmark` only.
 */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

typedef void BenchRun(void *opaque);

/* CPU and compiler, and the head of the table. */
void bench_head(const char *title);
/* Both are called so often that it takes long enough to be measured, in turns. */
typedef struct BenchPair {
    double ours, reference;     /* seconds of a call */
    double ratio;
} BenchPair;
BenchPair bench_pair(BenchRun *ours, BenchRun *reference, void *opaque);
/* Seconds of one call alone. */
double bench_time(BenchRun *run, void *opaque);
/* A row of the table; goal 0: for information. */
void bench_row(const char *name, double ratio, double goal, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Exit status: 1 when a goal was missed. */
int bench_end(void);

#endif
