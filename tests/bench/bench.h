/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ratios of two pieces of code, measured in one process: the median of several
 * pairs of runs, which alternate. Only `meson test --benchmark` reports a goal
 * that is missed.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include <stdbool.h>
#include <stdint.h>

/* Does its work once; returns a checksum that both sides of a pair agree on. */
typedef uint64_t (*BenchRun)(void *opaque);

typedef struct BenchSide {
    const char *name;
    BenchRun run;
    void *opaque;
} BenchSide;

/* CPU model, compiler. */
void bench_banner(void);
/* Prints rates (units of work per run / time) and ratio ours / reference; false
 * when the goal (0: none) is missed or the checksums differ. */
bool bench_ratio(const char *what, const char *unit, uint64_t units,
                 const BenchSide *ours, const BenchSide *reference,
                 double goal);
/* The ratio alone, 0 when the checksums differ: for many that make one row. */
double bench_silent_ratio(const BenchSide *ours, const BenchSide *reference);
/* Prints a row made of such; false when the goal is missed. */
bool bench_goal(const char *what, double ratio, double goal);
/* Prints the rate alone. */
void bench_rate(const char *what, const char *unit, uint64_t units,
                const BenchSide *side);

#endif
