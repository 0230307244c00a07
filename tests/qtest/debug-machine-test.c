/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debugger while the machine around the card changes: migration into another
 * process with the engine halted inside of a packet, removal of the card, the
 * end of the machine; and the same session on a PowerPC machine.
 */
#include <string.h>

#include "rv.h"
#include "rv-debug.h"

#define WORDS 5                 /* of the packet that is halted in */

static RvVm *machine(const char *args, const char *state)
{
    const char *const files[] = { state, NULL };
    g_autofree char *all = g_strconcat("-machine pc -m 64 -vga none " RV_CONSOLE_CHARDEV
        " -device radeon-rv100,id=gpu0,vgamem_mb=8,debug=dbg ", args, NULL);
    RvVmConfig config = { .files = files, .args = all };

    return rv_vm_new(&config);
}

/* A packet of type 0 that writes scratch registers; the engine runs. */
static RvRing *start_ring(RvDev *d)
{
    uint32_t words[WORDS];
    RvRing *r = rv_ring_new(d, 8);
    RvStream s;

    for (unsigned n = 0; n < WORDS; n++) {
        words[n] = 0x1111 * (n + 1);
    }
    rv_load_free_image(d);
    rv_stream_init(&s);
    rv_packet0_n(&s, A_GUI_SCRATCH_REG0, false, words, WORDS);
    rv_words(&r->out, (const uint32_t *)s.words->data, s.words->len);
    rv_stream_clear(&s);
    return r;
}

/* Halted with two of the words written. */
static void halt_inside(RvDebugger *g, RvRing *r)
{
    rv_debugger_expect(g, "break type0", ": at 0x00 type0");
    rv_ring_kick(r);
    rv_vm_flush(g->vm);
    rv_debugger_wait_halted(g);
    rv_debugger_expect(g, "delete", "");
    rv_debugger_expect(g, "step 2", "=> ");
    rv_debugger_expect(g, "print left", "left = 3");
}

static void check_inside(RvDebugger *g)
{
    rv_debugger_expect(g, "print left", "left = 3");
    rv_debugger_expect(g, "print pc == type0", "= 1");
    rv_debugger_expect(g, "print GUI_SCRATCH_REG1", "0x2222");
    rv_debugger_expect(g, "print GUI_SCRATCH_REG2", "= 0");
}

/* A debugger on a machine whose engine is halted inside. */
typedef struct Session {
    RvVm *vm;
    RvDev *d;
    RvRing *ring;
    RvDebugger g;
} Session;

static bool session_open(Session *s, RvVm *vm, RvFront front, const char *first)
{
    if (!vm) {
        return false;
    }
    s->vm = vm;
    s->d = rv_dev_probe(vm, 0);
    s->ring = start_ring(s->d);
    rv_debugger_open(&s->g, vm, front);
    if (first) {
        rv_debugger_expect(&s->g, first, "");
    }
    halt_inside(&s->g, s->ring);
    return true;
}

static void session_close(Session *s)
{
    rv_debugger_close(&s->g);
    rv_ring_free(s->ring);
    rv_dev_unref(s->d);
    if (s->vm) {
        rv_vm_free(s->vm);
    }
}

static void check_done(RvDev *d)
{
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x1111);
    rv_assert_hex(rd_gui_scratch_reg4(d), 0x5555);
}

static void wait_completed(RvVm *vm)
{
    for (int i = 0; i < 2000; i++) {
        g_autofree char *s = rv_qmp(vm, "query-migrate", NULL);

        if (strstr(s, "\"status\": \"completed\"")) {
            return;
        }
        g_usleep(5000);
    }
    g_error("the migration does not end");
}

/* The card as the source left it: nothing is mapped anew. */
static RvDev *same_device(RvVm *vm, const RvDev *before)
{
    RvDev *d = g_memdup2(before, sizeof(*before));

    d->vm = vm;
    return d;
}

/* The session is the user's: the new process has one of its own. With a halt in
 * it the engine stands still where it was; without one it goes on. */
static void migrate(bool halt_there)
{
    g_autofree char *state = NULL, *args = NULL;
    g_autofree RvDev *moved = NULL;
    RvDebugger g;
    RvVm *there;
    Session here;

    if (!session_open(&here, machine("", NULL), RV_FRONT_CONSOLE, NULL)) {
        return;
    }
    args = g_strdup_printf("{\"uri\": \"exec:cat > %s/state\"}", rv_vm_inner_dir(here.vm));
    g_free(rv_qmp(here.vm, "migrate", args));
    wait_completed(here.vm);
    rv_debugger_expect(&here.g, "step", "the machine is being saved or migrated");
    check_inside(&here.g);
    state = g_strdup_printf("%s/state", rv_vm_dir(here.vm));

    there = machine("-incoming defer", state);
    rv_debugger_open(&g, there, RV_FRONT_QMP);
    if (halt_there) {
        rv_debugger_expect(&g, "stop", "Halted");
        rv_debugger_expect(&g, "set a = 1", "the machine is being saved or migrated");
    }
    g_free(args);
    args = g_strdup_printf("{\"uri\": \"exec:cat %s/state\"}", rv_vm_inner_dir(there));
    g_free(rv_qmp(there, "migrate-incoming", args));
    wait_completed(there);
    g_free(rv_qmp(there, "cont", NULL));
    moved = same_device(there, here.d);
    if (halt_there) {
        check_inside(&g);
        rv_debugger_expect(&g, "step", "left 2");
        rv_debugger_expect(&g, "continue", "Continuing.");
    }
    check_done(moved);
    rv_debugger_close(&g);
    rv_vm_free(there);
    session_close(&here);
}

static void test_migrate_halted(void)
{
    migrate(true);
}

static void test_migrate_running(void)
{
    migrate(false);
}

/* The card does not come out of a running machine; the machine may end. */
static void test_unplug(void)
{
    g_autofree char *reply = NULL;
    Session s;

    if (!session_open(&s, machine("", NULL), RV_FRONT_CONSOLE, "set stop-vm on")) {
        return;
    }
    reply = rv_qmp_try(s.vm, "device_del", "{\"id\": \"gpu0\"}");
    g_assert_nonnull(strstr(reply, "hot"));
    check_inside(&s.g);
    g_free(rv_qmp(s.vm, "quit", NULL));
    g_assert_cmpint(rv_vm_wait(s.vm), ==, 0);
    s.vm = NULL;
    session_close(&s);
}

/* Big-endian CPU: both monitors and the console. */
static void test_ppc(void)
{
    RvVmConfig config = { .qemu = "RV100_QEMU_PPC", .bios = RV_BIOS_PPC, .args =
        "-machine g3beige -m 64 -vga none " RV_CONSOLE_CHARDEV
        " -device radeon-rv100,vgamem_mb=8,debug=dbg" };

    for (RvFront front = 0; front < RV_FRONTS; front++) {
        Session s;

        if (!session_open(&s, rv_vm_new(&config), front, NULL)) {
            return;
        }
        check_inside(&s.g);
        rv_debugger_expect(&s.g, "x/2xw CP_RB_BASE", "0x00040578 0x00001111");
        rv_debugger_expect(&s.g, "packets", "GUI_SCRATCH_REG2 (0x15e8) = 0x00003333");
        rv_debugger_expect(&s.g, "step 10", "Running");
        rv_debugger_expect(&s.g, "stop", "Halted");
        rv_debugger_expect(&s.g, "continue", "Continuing.");
        check_done(s.d);
        session_close(&s);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/debug-machine/migrate-halted", test_migrate_halted);
    g_test_add_func("/debug-machine/migrate-running", test_migrate_running);
    g_test_add_func("/debug-machine/unplug", test_unplug);
    g_test_add_func("/debug-machine/ppc", test_ppc);
    return g_test_run();
}
