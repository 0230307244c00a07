/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A debugger session while Debian's radeon driver uses the card: halt at a label
 * of the stock microcode inside a program's packets, look, step, go on. The
 * driver and the program notice nothing but time.
 */
#include <string.h>

#include "linux-guest.h"

static const char *const accelerated[] = {
    "Loading R100 Microcode", "ring test succeeded in [0-9]+ usecs", NULL,
};

static char *debug(Linux *l, const char *command)
{
    g_autofree char *quoted = rv_json_quote(command);
    g_autofree char *args = g_strdup_printf("{\"command\": %s}", quoted);

    return rv_qmp(linux_vm(l), "x-rv100-debug", args);
}

static void expect(Linux *l, const char *command, const char *text)
{
    g_autofree char *reply = debug(l, command);

    g_test_message("%s: %s", command, reply);
    if (!strstr(reply, text)) {
        g_error("'%s' is not in the answer to '%s': %s", text, command, reply);
    }
}

static void wait_halted(Linux *l)
{
    for (int i = 0; i < 3000; i++) {
        g_autofree char *reply = debug(l, "echo");

        if (strstr(reply, "\"halted\": true")) {
            return;
        }
        g_usleep(5000);
    }
    g_error("the engine did not halt");
}

static void test_session(void)
{
    g_autofree char *out = NULL;
    Linux *l;

    if (!linux_need_image(LINUX_STOCK)) {
        return;
    }
    l = linux_new("-device radeon-rv100,id=gpu0", NULL);
    if (!l) {
        return;
    }
    linux_use_image(l, LINUX_STOCK);
    g_free(linux_ok(l, "load radeon"));
    linux_judge(l, accelerated, NULL);
    expect(l, "break p_nop", "Breakpoint 1: at 0x4c p_nop");
    g_free(linux_ok(l, "gfx submit /dev/dri/card0 wait > /tmp/out &"));
    wait_halted(l);
    expect(l, "bt", "#0  0x4c p_nop\\npacket ");
    expect(l, "packets 3", "type 3 NOP");
    expect(l, "status", "GART     0x");
    expect(l, "regs CP_RB_WPTR", "CP_RB_WPTR");
    /* the guest's processor is not stopped */
    out = linux_ok(l, "cat /tmp/out; echo alive");
    g_assert_nonnull(strstr(out, "alive"));
    g_assert_null(strstr(out, "wait=done"));
    expect(l, "step 10", "=> ");
    expect(l, "delete", "\"ok\"");
    expect(l, "continue", "\"ok\"");
    g_free(out);
    out = linux_ok(l, "wait; cat /tmp/out");
    g_assert_nonnull(strstr(out, "wait=done"));
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
