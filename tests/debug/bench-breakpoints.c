/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speed of the microengine with 10 breakpoints set, compared with none and with
 * no debugger at all. CPU time, the best of several runs taken in turn.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "machine.h"
#include "rv100/debug-hooks.h"

#define PACKETS 200000
#define RUNS 9
#define GOAL 0.8

typedef enum Case {
    NO_DEBUGGER, NO_BREAKPOINTS, AT_WORDS, AT_WORDS_AND_WRITES, CASES
} Case;

static const char *const names[CASES] = {
    "no debugger", "debugger, no breakpoint", "10 breakpoints at words",
    "5 at words, 5 at register writes"
};

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Words and registers that this stream does not reach. */
static void set_breakpoints(Machine *m, Case c)
{
    static const char *const words[] = {
        "settings_brush", "smalltext_glyph", "hostdata_bitmap", "nextchar",
        "load_microcode_next", "load_palette", "draw", "clear_zmask",
        "polyscanlines", "set_scissors",
    };
    static const char *const regs[] = {
        "HOST_DATA0", "SE_VF_CNTL", "RB3D_CNTL", "CLR_CMP_CNTL", "SRC_CLUT_DATA",
    };
    unsigned n = c == AT_WORDS ? 10 : c == AT_WORDS_AND_WRITES ? 5 : 0;

    for (unsigned i = 0; i < n; i++) {
        g_assert_cmpint(machine_do(m, "break %s", words[i]), ==, RV100_DEBUG_OK);
        if (n == 5) {
            g_assert_cmpint(machine_do(m, "break reg %s", regs[i]), ==,
                            RV100_DEBUG_OK);
        }
    }
}

/* Instructions a second. */
static double measure(Case c)
{
    g_autoptr(Machine) m = machine_new(PACKETS, 3, false, 0);
    Rv100Me *me = rv100_engine(m->chip);
    double start;

    set_breakpoints(m, c);
    if (c == NO_DEBUGGER) {
        rv100_debug_attach(m->chip, NULL, NULL);
    } else {
        rv100_debug_go(m->chip, 0);
    }
    start = cpu_seconds();
    while (rv100_run(m->chip, 0)) {
    }
    g_assert_cmpuint(me->steps, >, PACKETS);
    return me->steps / (cpu_seconds() - start);
}

int main(void)
{
    double best[CASES] = { 0 };
    int status = 0;

    for (unsigned run = 0; run < RUNS; run++) {
        for (Case c = 0; c < CASES; c++) {
            best[c] = MAX(best[c], measure(c));
        }
    }
    for (Case c = 0; c < CASES; c++) {
        double ratio = best[c] / best[NO_BREAKPOINTS];

        printf("%-34s %6.2f M instructions/s, %.2f of no breakpoint", names[c],
               best[c] / 1e6, ratio);
        if (c >= AT_WORDS) {
            printf(" (goal %.1f)", GOAL);
            status |= ratio < GOAL;
        }
        printf("\n");
    }
    return status;
}
