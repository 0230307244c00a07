/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A debugger session while Debian's radeon driver uses the card: halt at a label
 * of the stock microcode inside a program's packets, look, step, go on, by each
 * front end. The driver and the program notice nothing but time.
 */
#include <string.h>

#include "linux-guest.h"
#include "rv-debug.h"

static const char *const accelerated[] = {
    "Loading R100 Microcode", "ring test succeeded in [0-9]+ usecs", NULL,
};

/* Other programs of the guest go on while the engine is halted. */
static void session(Linux *l, RvFront front)
{
    g_autofree char *out = NULL;
    RvDebugger d;
    int status;

    rv_debugger_open(&d, linux_vm(l), front);
    rv_debugger_expect(&d, "break p_nop", ": at 0x4c p_nop");
    linux_begin(l, "gfx submit /dev/dri/card0 wait");
    rv_debugger_wait_halted(&d);
    rv_debugger_expect(&d, "bt", "#0  0x4c p_nop");
    rv_debugger_expect(&d, "packets 3", "type 3 NOP");
    rv_debugger_expect(&d, "status", "GART     0x");
    rv_debugger_expect(&d, "regs CP_RB_WPTR", "CP_RB_WPTR");
    rv_debugger_expect(&d, "x/4xw CP_RB_BASE", ": 0x");
    linux_wait_tick(l);
    rv_debugger_expect(&d, "step 10", "=> ");
    rv_debugger_expect(&d, "status", "halted by the debugger");
    rv_debugger_expect(&d, "delete", "");
    rv_debugger_expect(&d, "continue", "Continuing.");
    out = linux_end(l, &status);
    g_assert_cmpint(status, ==, 0);
    g_assert_nonnull(strstr(out, "wait=done"));
    linux_judge(l, NULL, NULL);         /* the kernel has said nothing bad */
    rv_debugger_close(&d);
    linux_progress(l, "session by %s", rv_front_names[front]);
}

static void test_session(void)
{
    Linux *l;

    if (!linux_need_image(LINUX_STOCK)) {
        return;
    }
    l = linux_new(RV_CONSOLE_CHARDEV " -device radeon-rv100,id=gpu0,debug=dbg", NULL);
    if (!l) {
        return;
    }
    linux_use_image(l, LINUX_STOCK);
    g_free(linux_ok(l, "load radeon"));
    linux_judge(l, accelerated, NULL);
    linux_tick(l);
    for (RvFront front = 0; front < RV_FRONTS; front++) {
        session(l, front);
    }
    g_free(linux_ok(l, "unload radeon"));
    linux_judge(l, NULL, NULL);
    linux_free(l);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linux/debug", test_session);
    return g_test_run();
}
