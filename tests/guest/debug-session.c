/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A debugger session while the bare-metal demo guest runs on its own: halt at a
 * label of the free microcode, look, step, go on, by each front end. The guest's
 * table is whole and passes, as without the session.
 */
#include <string.h>

#include "rv.h"
#include "rv-debug.h"

#define EXIT_PASS 33            /* isa-debug-exit of 0x10 */

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

/* The guest has limits for its waiting: the machine stops with the engine. The
 * microcode is not loaded yet: the first halt is by the type of a packet. */
static void begin(RvDebugger *d)
{
    rv_debugger_expect(d, "set stop-vm on", "");
    rv_debugger_expect(d, "tbreak packet type1", "Temporary breakpoint 1: packet type 1");
    g_free(rv_qmp(d->vm, "cont", NULL));
}

/* From there to a label. */
static void at_label(RvDebugger *d)
{
    rv_qmp_wait_event(d->vm, "STOP");
    rv_debugger_expect(d, "bt", "#0  0x02 type1");
    rv_debugger_expect(d, "tbreak nop",
                       "Temporary breakpoint 2: at 0x22 nop");
    rv_debugger_expect(d, "continue", "Continuing.");
    rv_qmp_wait_event(d->vm, "RESUME");
    rv_qmp_wait_event(d->vm, "STOP");
}

static void look_and_go_on(RvDebugger *d)
{
    rv_debugger_expect(d, "status", "halted by the debugger");
    rv_debugger_expect(d, "info registers", "pc 0x22");
    rv_debugger_expect(d, "backtrace", "type 3 NOP");
    rv_debugger_expect(d, "list", "# rv100-free.s:");
    rv_debugger_expect(d, "print GUI_SCRATCH_REG3", "0x11");
    rv_debugger_expect(d, "x/4xw CP_RB_BASE", ": 0x");
    /* more than the packet has: the guest goes on until it has sent enough */
    rv_debugger_expect(d, "step 10", "Running: the engine waits for a packet.");
    rv_qmp_wait_event(d->vm, "RESUME");
    rv_qmp_wait_event(d->vm, "STOP");
    rv_debugger_expect(d, "status", "halted by the debugger");
    rv_debugger_expect(d, "continue", "Continuing.");
}

static void session(gconstpointer front)
{
    const char *const files[] = { g_getenv("RV100_DEMO_GUEST"), NULL };
    RvVmConfig config = { .bios = RV_BIOS_FIRMWARE, .serial = true, .files = files,
        .args = "-S -machine pc -m 64 -vga none " RV_CONSOLE_CHARDEV
                " -device radeon-rv100,id=gpu,debug=dbg "
                "-device isa-debug-exit,iobase=0xf4 -kernel %D/demo.elf -append wait" };
    RvVm *vm = rv_vm_new(&config);
    RvDebugger d;
    unsigned passed;

    if (!vm) {
        return;
    }
    rv_debugger_open(&d, vm, GPOINTER_TO_INT(front));
    begin(&d);
    passed = read_until(vm, "PASS type 0, one register");
    at_label(&d);
    passed += read_until(vm, "PASS type 2");
    look_and_go_on(&d);
    passed += read_until(vm, "READY");
    g_assert_cmpuint(passed, >=, 20);
    rv_serial_send(vm, "\n");
    g_assert_cmpint(rv_vm_wait(vm), ==, EXIT_PASS);
    rv_debugger_close(&d);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (int front = 0; front < RV_FRONTS; front++) {
        g_autofree char *path = g_strconcat("/guest/debug-session/",
                                            rv_front_names[front], NULL);

        g_test_add_data_func(path, GINT_TO_POINTER(front), session);
    }
    return g_test_run();
}
