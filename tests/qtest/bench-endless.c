/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What endless microcode costs: an image whose words all jump to themselves.
 *
 *   - CPU time of QEMU with a halted guest: goal <= 0.25 of one core
 *   - rate of a guest that counts, against its rate with an idle engine:
 *     goal >= 0.75
 *
 * Exit status 1 when a goal is missed, 77 (skipped) when nothing can run.
 */
#include <stdio.h>
#include <unistd.h>

#include "rv.h"
#include "rv100-me-isa.h"

#define SECONDS 4
#define ROUNDS 6                /* the best of so many half seconds each, in
                                 * turn: other load disturbs both */
#define GOAL_CPU 0.25
#define GOAL_RATE 0.75

/* User and system time of a process. */
static double cpu_seconds(GPid pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)pid);
    g_autofree char *text = NULL;
    g_auto(GStrv) field = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return 0;
    }
    field = g_strsplit(text, " ", 0);   /* the name has no blank: qemu-system-* */
    return (g_ascii_strtod(field[13], NULL) + g_ascii_strtod(field[14], NULL)) /
           sysconf(_SC_CLK_TCK);
}

static RvDev *start(RvBios bios)
{
    RvVmConfig config = { .bios = bios, .args =
        "-machine pc -m 64 -vga none -device radeon-rv100" };

    return rv_dev_probe(rv_vm_new(&config), 0);
}

static void run_endless(RvDev *d)
{
    for (unsigned i = 0; i < 256; i++) {
        rv_load_word(d, i, ME_SEQ_JMP << (ME_WORD_SEQ_SHIFT - 32), i);
    }
    rv_pio(d, (const uint32_t[]) { pm4_type0(A_GUI_SCRATCH_REG0, 1, false) }, 1);
}

/* Guest's counts in a second of real time. */
static double count_rate(RvDev *d)
{
    gint64 start = g_get_monotonic_time();
    uint32_t first = rv_mem_rd(d->vm, RV_COUNTER, 4), last;

    g_usleep(G_USEC_PER_SEC / 2);
    last = rv_mem_rd(d->vm, RV_COUNTER, 4);
    return (last - first) * 1e6 / (g_get_monotonic_time() - start);
}

int main(int argc, char **argv)
{
    const char *why = rv_vm_unavailable();
    double cpu, idle = 0, busy = 0;
    gint64 from;
    RvDev *d;

    g_test_init(&argc, &argv, NULL);
    if (why) {
        printf("SKIP %s\n", why);
        return 77;
    }
    d = start(RV_BIOS_HALT);
    run_endless(d);
    cpu = cpu_seconds(rv_vm_pid(d->vm));
    from = g_get_monotonic_time();
    g_usleep(SECONDS * G_USEC_PER_SEC);
    cpu = (cpu_seconds(rv_vm_pid(d->vm)) - cpu) * 1e6 /
          (g_get_monotonic_time() - from);
    rv_dev_free(d);
    d = start(RV_BIOS_COUNT);
    for (unsigned i = 0; i < ROUNDS; i++) {
        rv_cp_reset(d);
        idle = MAX(idle, count_rate(d));
        run_endless(d);
        busy = MAX(busy, count_rate(d));
    }
    rv_dev_free(d);
    printf("endless microcode, guest halted: %.3f of a core (goal <= %.2f)\n",
           cpu, GOAL_CPU);
    printf("counting guest: %.1f M/s idle, %.1f M/s with endless microcode, "
           "ratio %.2f (goal >= %.2f)\n", idle / 1e6, busy / 1e6, busy / idle,
           GOAL_RATE);
    return cpu <= GOAL_CPU && busy / idle >= GOAL_RATE ? 0 : 1;
}
