/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Front ends of the debugger: QMP x-rv100-debug and the console on a character
 * device (property debug). The commands are those of rv100/debug.h.
 *
 * The session of a device begins with its first command, or with the device
 * when it has a console. What a halt prints goes to the console; without one it
 * is kept for the next command of a monitor.
 */
#include "compat.h"

#include "monitor/monitor-internal.h"
#include "qapi/error.h"
#include "qemu/notify.h"
#include "qemu/units.h"

#include "device.h"
#include "rv100-debug.h"

#define MAX_PENDING (64 * KiB)      /* messages for a monitor */
#define MAX_UNSENT (4 * MiB)        /* output for a console that does not read */
/* No commands are taken while so much waits; few bytes at a time, so that what
 * they print has room. */
#define BUSY_UNSENT (64 * KiB)
#define INPUT_AT_ONCE 64

/* All devices, in the order in which they came. */
static GPtrArray *devices;

/* --- the session --- */

static void host_message(void *opaque, const char *text)
{
    RV100Device *s = opaque;

    if (s->console.terminal) {
        rv100_debug_terminal_message(s->console.terminal, text);
    } else if (s->messages->len + strlen(text) < MAX_PENDING) {
        g_string_append(s->messages, text);
    }
}

/* Not while the state is on its way elsewhere: it would be torn. */
static const char *host_refuse(void *opaque)
{
    static const RunState states[] = {
        RUN_STATE_INMIGRATE, RUN_STATE_FINISH_MIGRATE, RUN_STATE_POSTMIGRATE,
        RUN_STATE_SAVE_VM, RUN_STATE_RESTORE_VM,
    };

    for (size_t i = 0; i < G_N_ELEMENTS(states); i++) {
        if (runstate_check(states[i])) {
            return "the machine is being saved or migrated";
        }
    }
    return NULL;
}

/* By a request: vm_stop() would wait for CPUs that may be calling us. */
static void host_stop_vm(void *opaque, bool stop)
{
    if (stop) {
        qemu_system_vmstop_request_prepare();
        qemu_system_vmstop_request(RUN_STATE_DEBUG);
    } else {
        vm_start();
    }
}

static Rv100Debug *session(RV100Device *s)
{
    static const Rv100DebugHost host = {
        .message = host_message,
        .refuse = host_refuse,
        .stop_vm = host_stop_vm,
    };

    if (!s->debugger) {
        s->debugger = rv100_debug_new(s->chip, &host, s);
        s->messages = g_string_new(NULL);
    }
    return s->debugger;
}

Rv100DebugResult rv100_dev_debug(RV100Device *s, const char *line, size_t len,
                                 GString *out)
{
    Rv100DebugResult result;

    if (!rv100_dev_enter(s)) {
        g_string_append(out, "error: the device is busy\n");
        return RV100_DEBUG_ERROR;
    }
    result = rv100_debug_command(session(s), line, len, out);
    rv100_dev_leave(s);
    return result;
}

Rv100DebugResult rv100_dev_debug_monitor(RV100Device *s, const char *line, GString *out)
{
    session(s);
    g_string_append_len(out, s->messages->str, s->messages->len);
    g_string_truncate(s->messages, 0);
    return rv100_dev_debug(s, line, strlen(line), out);
}

GStrv rv100_dev_debug_complete(RV100Device *s, const char *line, size_t *start)
{
    return rv100_debug_complete(session(s), line, start);
}

RV100Device *rv100_dev_find(const char *id)
{
    if (!devices || !devices->len) {
        return NULL;
    }
    if (!id) {
        return g_ptr_array_index(devices, 0);
    }
    for (guint i = 0; i < devices->len; i++) {
        RV100Device *s = g_ptr_array_index(devices, i);
        g_autofree char *path = object_get_canonical_path(OBJECT(s));

        if (!g_strcmp0(DEVICE(s)->id, id) || g_str_equal(path, id)) {
            return s;
        }
    }
    return NULL;
}

/* --- QMP --- */

static void qmp_x_rv100_debug(QDict *args, QObject **ret, Error **errp)
{
    static const char *const results[] = { "ok", "error", "failed", "quit" };
    const char *command = qdict_get_try_str(args, "command");
    const char *id = qdict_get_try_str(args, "device");
    g_autoptr(GString) out = g_string_new(NULL);
    Rv100DebugResult result;
    RV100Device *s;
    QDict *reply;

    if (!command || qdict_size(args) != (qdict_haskey(args, "device") ? 2 : 1) ||
        (qdict_haskey(args, "device") && !id)) {
        error_setg(errp, "x-rv100-debug wants the string 'command' and may have the string "
                   "'device' (an id)");
        return;
    }
    s = rv100_dev_find(id);
    if (!s) {
        error_setg(errp, id ? "there is no radeon-rv100 '%s'" : "there is no radeon-rv100", id);
        return;
    }
    result = rv100_dev_debug_monitor(s, command, out);
    reply = qdict_new();
    qdict_put_str(reply, "output", out->str);
    qdict_put_str(reply, "result", results[result]);
    qdict_put_bool(reply, "halted", rv100_debug_is_halted(s->debugger));
    *ret = QOBJECT(reply);
}

static void add_command(Notifier *notifier, void *data)
{
    qmp_register_command(&qmp_commands, "x-rv100-debug", qmp_x_rv100_debug, 0, 0);
}

/* Preloaded, we come before QEMU has made its list of commands. */
void rv100_qmp_register(void)
{
    static Notifier notifier = { .notify = add_command };

    qemu_add_machine_init_done_notifier(&notifier);
}

/* --- console --- */

static void flush_console(RV100Device *s);

static int console_can_read(void *opaque)
{
    RV100Device *s = opaque;

    return s->console.unsent->len < BUSY_UNSENT ? INPUT_AT_ONCE : 0;
}

static gboolean console_writable(void *do_not_use, GIOCondition cond, void *opaque)
{
    RV100Device *s = opaque;

    s->console.watch = 0;
    flush_console(s);
    if (console_can_read(s)) {
        qemu_chr_fe_accept_input(&s->debug);
    }
    return G_SOURCE_REMOVE;
}

/* A client that does not read must not hold up the machine. */
static void flush_console(RV100Device *s)
{
    GString *unsent = s->console.unsent;

    while (unsent->len && !s->console.watch) {
        int n = qemu_chr_fe_write(&s->debug, (const uint8_t *)unsent->str, unsent->len);

        if (n > 0) {
            g_string_erase(unsent, 0, n);
            continue;
        }
        s->console.watch = qemu_chr_fe_add_watch(&s->debug, G_IO_OUT | G_IO_HUP,
                                                 console_writable, s);
        if (!s->console.watch) {
            g_string_truncate(unsent, 0);   /* nobody is there */
        }
    }
}

static void console_send(void *opaque, const char *text, size_t len)
{
    RV100Device *s = opaque;

    if (s->console.lost && s->console.unsent->len < BUSY_UNSENT) {
        g_string_append_printf(s->console.unsent, "\r\n[%" PRIu64 " bytes that nobody read "
                               "are left out]\r\n", s->console.lost);
        s->console.lost = 0;
    }
    if (s->console.unsent->len + len <= MAX_UNSENT) {
        g_string_append_len(s->console.unsent, text, len);
    } else {
        s->console.lost += len;
    }
    flush_console(s);
}

static void console_read(void *opaque, const uint8_t *buf, int size)
{
    RV100Device *s = opaque;

    rv100_debug_terminal_input(s->console.terminal, buf, size);
}

static void console_event(void *opaque, QEMUChrEvent event)
{
    RV100Device *s = opaque;

    if (event == CHR_EVENT_OPENED) {
        g_string_truncate(s->console.unsent, 0);
        s->console.lost = 0;
        rv100_debug_terminal_open(s->console.terminal);
    } else if (event == CHR_EVENT_CLOSED) {
        rv100_debug_terminal_close(s->console.terminal);
    }
}

static Rv100DebugResult console_command(void *opaque, const char *line, size_t len,
                                        GString *out)
{
    return rv100_dev_debug(opaque, line, len, out);
}

void rv100_dev_debug_realize(RV100Device *s)
{
    if (!devices) {
        devices = g_ptr_array_new();
    }
    g_ptr_array_add(devices, s);
    if (!qemu_chr_fe_backend_connected(&s->debug)) {
        return;
    }
    s->console.unsent = g_string_new(NULL);
    s->console.terminal = rv100_debug_terminal_new(session(s), console_command,
                                                   console_send, s);
    qemu_chr_fe_set_handlers(&s->debug, console_can_read, console_read, console_event,
                             NULL, s, NULL, true);
}

void rv100_dev_debug_exit(RV100Device *s)
{
    g_ptr_array_remove(devices, s);
    if (s->console.terminal) {
        qemu_chr_fe_set_handlers(&s->debug, NULL, NULL, NULL, NULL, NULL, NULL, false);
        if (s->console.watch) {
            g_source_remove(s->console.watch);
        }
        rv100_debug_terminal_free(s->console.terminal);
        g_string_free(s->console.unsent, TRUE);
    }
    if (s->debugger) {
        rv100_debug_free(s->debugger);
        g_string_free(s->messages, TRUE);
    }
}
