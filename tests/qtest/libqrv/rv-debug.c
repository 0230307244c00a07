/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rv-debug.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* --- the console --- */

void rv_console_open(RvConsole *c, RvVm *vm)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    struct timeval patience = { .tv_sec = 60 };

    g_snprintf(addr.sun_path, sizeof(addr.sun_path), "%s/dbg", rv_vm_dir(vm));
    c->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    g_assert_cmpint(connect(c->fd, (struct sockaddr *)&addr, sizeof(addr)), ==, 0);
    setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    c->in = g_string_new(NULL);
}

void rv_console_close(RvConsole *c)
{
    close(c->fd);
    g_string_free(c->in, TRUE);
}

void rv_console_send(RvConsole *c, const char *data, size_t len)
{
    while (len) {
        ssize_t n = send(c->fd, data, len, MSG_NOSIGNAL);

        g_assert_cmpint(n, >, 0);
        data += n;
        len -= n;
    }
}

char *rv_console_until(RvConsole *c, const char *text)
{
    char *at;

    while (!(at = strstr(c->in->str, text))) {
        char buf[4096];
        ssize_t n = read(c->fd, buf, sizeof(buf));

        if (n <= 0) {
            g_error("the console does not say '%s' but: %s", text, c->in->str);
        }
        for (ssize_t i = 0; i < n; i++) {
            g_string_append_c(c->in, buf[i] ? buf[i] : '?');
        }
    }
    at = g_strndup(c->in->str, at + strlen(text) - c->in->str);
    g_string_erase(c->in, 0, strlen(at));
    return at;
}

void rv_console_said(RvConsole *c, const char *text)
{
    g_free(rv_console_until(c, text));
    g_free(rv_console_until(c, RV_CONSOLE_PROMPT));
}

static void send_line(RvConsole *c, const char *line)
{
    g_autofree char *sent = g_strconcat(line, "\r", NULL);
    g_autofree char *echo = NULL;

    rv_console_send(c, sent, strlen(sent));
    echo = rv_console_until(c, "\r\n");
    g_assert_nonnull(strstr(echo, line));
}

void rv_console_ask(RvConsole *c, const char *line, const char *text)
{
    send_line(c, line);
    rv_console_said(c, text);
}

/* --- front ends --- */

const char *const rv_front_names[RV_FRONTS] = { "qmp", "hmp", "console" };

void rv_debugger_open(RvDebugger *d, RvVm *vm, RvFront front)
{
    *d = (RvDebugger) { .vm = vm, .front = front };
    if (front == RV_FRONT_CONSOLE) {
        rv_console_open(&d->console, vm);
        rv_console_said(&d->console, "help lists the commands.");
    }
}

void rv_debugger_close(RvDebugger *d)
{
    if (d->front == RV_FRONT_CONSOLE) {
        rv_console_close(&d->console);
    }
}

static char *ask_qmp(RvDebugger *d, const char *command)
{
    g_autofree char *quoted = rv_json_quote(command);
    g_autofree char *args = g_strdup_printf("{\"command\": %s}", quoted);

    return rv_qmp(d->vm, "x-rv100-debug", args);
}

/* The answer has an end of its own: a command that prints a mark. What the engine
 * says in between belongs to it, too. */
static char *ask_console(RvDebugger *d, const char *command)
{
    g_autofree char *sent = g_strconcat(command, "\recho END\r", NULL);
    g_autofree char *answer = NULL;

    rv_console_send(&d->console, sent, strlen(sent));
    answer = rv_console_until(&d->console, "\nEND\r\n");
    rv_console_said(&d->console, "");
    return g_steal_pointer(&answer);
}

char *rv_debugger_ask(RvDebugger *d, const char *command)
{
    switch (d->front) {
    case RV_FRONT_QMP:
        return ask_qmp(d, command);
    case RV_FRONT_HMP:
        return rv_hmp(d->vm, "rv100 %s", command);
    default:
        return ask_console(d, command);
    }
}

void rv_debugger_expect(RvDebugger *d, const char *command, const char *text)
{
    g_autofree char *answer = rv_debugger_ask(d, command);

    g_test_message("%s: %s: %s", rv_front_names[d->front], command, answer);
    if (!strstr(answer, text)) {
        g_error("%s: '%s' is not in the answer to '%s': %s",
                rv_front_names[d->front], text, command, answer);
    }
}

void rv_debugger_wait_halted(RvDebugger *d)
{
    for (int i = 0; i < 3000; i++) {
        g_autofree char *status = rv_debugger_ask(d, "status");

        if (strstr(status, "halted by the debugger")) {
            return;
        }
        g_usleep(5000);
    }
    g_error("the engine did not halt");
}
