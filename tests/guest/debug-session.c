/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A debugger session while the bare-metal demo guest runs on its own: halt at a
 * label of the free microcode, look, step, go on. The guest's table is whole and
 * passes, as without the session.
 */
#include <string.h>

#include "rv.h"

#define EXIT_PASS 33            /* isa-debug-exit of 0x10 */

static void expect(RvVm *vm, const char *command, const char *text)
{
    g_autofree char *quoted = rv_json_quote(command);
    g_autofree char *args = g_strdup_printf("{\"command\": %s}", quoted);
    g_autofree char *reply = rv_qmp(vm, "x-rv100-debug", args);

    if (!strstr(reply, text)) {
        g_error("'%s' is not in the answer to '%s': %s", text, command, reply);
    }
}

/* Lines of the guest up to one that begins so; how many passed. */
static unsigned read_until(RvVm *vm, const char *last)
{
    unsigned passed = 0;

    for (;;) {
        g_autofree char *line = rv_serial_line(vm);

        g_assert_nonnull(line);
        g_test_message("%s", line);
        g_assert_false(g_str_has_prefix(line, "FAIL"));
        passed += g_str_has_prefix(line, "PASS");
        if (g_str_has_prefix(line, last)) {
            return passed;
        }
    }
}

/* The guest has limits for its waiting: the machine stops with the engine. */
static void session(RvVm *vm)
{
    expect(vm, "set stop-vm on", "\"ok\"");
    /* the microcode is not loaded yet: by the type of the packet */
    expect(vm, "tbreak packet type1", "Temporary breakpoint 1: packet type 1");
    g_free(rv_qmp(vm, "cont", NULL));
}

static void look_and_go_on(RvVm *vm)
{
    rv_qmp_wait_event(vm, "STOP");
    expect(vm, "status", "halted by the debugger");
    expect(vm, "bt", "#0  0x02 type1");
    expect(vm, "break type1", "Breakpoint 2: at 0x02 type1");
    expect(vm, "step 2", "=> ");
    expect(vm, "print GUI_SCRATCH_REG3", "0x11");
    expect(vm, "delete", "\"ok\"");
    expect(vm, "continue", "Continuing.");
}

static void test_demo(void)
{
    const char *const files[] = { g_getenv("RV100_DEMO_GUEST"), NULL };
    RvVmConfig config = { .bios = RV_BIOS_FIRMWARE, .serial = true, .files = files,
        .args = "-S -machine pc -m 64 -vga none -device radeon-rv100,id=gpu "
                "-device isa-debug-exit,iobase=0xf4 -kernel %D/demo.elf -append wait" };
    RvVm *vm = rv_vm_new(&config);
    unsigned passed;

    if (!vm) {
        return;
    }
    session(vm);
    passed = read_until(vm, "PASS type 0, one register");
    look_and_go_on(vm);
    passed += read_until(vm, "READY");
    g_assert_cmpuint(passed, >=, 20);
    rv_serial_send(vm, "\n");
    g_assert_cmpint(rv_vm_wait(vm), ==, EXIT_PASS);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/guest/debug-session", test_demo);
    return g_test_run();
}
