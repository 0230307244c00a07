/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The monitor command "rv100 [@ID] COMMAND".
 *
 * QEMU's table of monitor commands has no free place and cannot be made longer.
 * The command takes the place of exit_preconfig, which does nothing once the
 * machine is there. Nothing else depends on this file: hmp=off leaves it out.
 */
#include "compat.h"

#include "monitor/monitor.h"
#include "monitor/monitor-internal.h"
#include "qemu/error-report.h"
#include "qemu/notify.h"
#include "qemu/readline.h"

#include "rv100-debug.h"

static void hmp_rv100(Monitor *mon, const QDict *args)
{
    const char *line = qdict_get_try_str(args, "command");
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *id = NULL;
    RV100Device *s;

    line = line ? line : "help";
    if (*line == '@') {
        size_t n = strcspn(line, " ");

        id = g_strndup(line + 1, n - 1);
        line += n;
    }
    s = rv100_dev_find(id);
    if (!s) {
        monitor_printf(mon, "there is no radeon-rv100%s%s\n", id ? " " : "", id ? id : "");
        return;
    }
    rv100_dev_debug_monitor(s, line, out);
    monitor_puts(mon, out->str);
}

/* QEMU gives the last word only; the line in front of it is in its editor. */
static void complete(ReadLineState *rs, int nb_args, const char *str)
{
    g_autofree char *typed = g_strndup(rs->cmd_buf, rs->cmd_buf_index);
    g_autofree char *id = NULL;
    const char *line = g_strchug(typed);
    g_auto(GStrv) all = NULL;
    RV100Device *s;
    size_t start;

    line += strcspn(line, " \t");               /* rv100 itself */
    line += strspn(line, " \t");
    if (*line == '@') {
        size_t n = strcspn(line, " \t");

        id = g_strndup(line + 1, n - 1);
        line += n;
        if (!*line) {
            return;
        }
        line += strspn(line, " \t");
    }
    s = rv100_dev_find(id);
    if (!s) {
        return;
    }
    all = rv100_dev_debug_complete(s, line, &start);
    readline_set_completion_index(rs, strlen(line + start));
    for (char **name = all; name && *name; name++) {
        readline_add_completion(rs, *name);
    }
}

static void take_place(Notifier *notifier, void *data)
{
    for (HMPCommand *c = hmp_cmds; c->name; c++) {
        if (g_str_equal(c->name, "exit_preconfig")) {
            *c = (HMPCommand) {
                .name = "rv100",
                .args_type = "command:S?",
                .params = "[@ID] [command]",
                .help = "debugger of the radeon-rv100 (rv100 help)",
                .cmd = hmp_rv100,
                .command_completion = complete,
            };
            return;
        }
    }
    warn_report(TYPE_RV100 ": this QEMU has no place for the monitor command rv100 "
                "(x-rv100-debug of QMP is there)");
}

void rv100_hmp_register(void)
{
    static Notifier notifier = { .notify = take_place };

    qemu_add_machine_init_done_notifier(&notifier);
}
