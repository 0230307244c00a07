/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-linux as a person uses it: at a terminal the driver's messages, a picture, a
 * shell with job control, its end; with a file the commands in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "linux-guest.h"

#define PATIENCE 120000         /* ms without a byte */

typedef struct Terminal {
    int fd;
    GPid pid;
    GString *shown;             /* all of it */
    gsize looked_at;
} Terminal;

static void take_terminal(gpointer name)
{
    setsid();
    ioctl(open(name, O_RDWR), TIOCSCTTY, 0);
}

static Terminal start(char **argv)
{
    Terminal t = { .fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), .shown = g_string_new(NULL) };
    struct winsize size = { .ws_row = 40, .ws_col = 100 };
    g_autoptr(GError) err = NULL;
    const char *name;
    int slave;

    g_assert_cmpint(grantpt(t.fd) | unlockpt(t.fd), ==, 0);
    name = ptsname(t.fd);
    slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    ioctl(slave, TIOCSWINSZ, &size);
    g_spawn_async_with_fds(NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, take_terminal,
                           (gpointer)name, &t.pid, slave, slave, slave, &err);
    g_assert_no_error(err);
    close(slave);
    return t;
}

/* Read until the text is shown, or the end when it is NULL. */
static void await(Terminal *t, const char *text)
{
    struct pollfd pfd = { .fd = t->fd, .events = POLLIN };
    char buf[4096], *at = NULL;
    ssize_t n;

    while (!text || !(at = strstr(t->shown->str + t->looked_at, text))) {
        n = poll(&pfd, 1, PATIENCE) == 1 ? read(t->fd, buf, sizeof(buf)) : 0;
        if (n <= 0 && !text && n < 0 && errno == EIO) {
            return;             /* the other side is closed */
        }
        if (n <= 0) {
            g_error("not shown: %s\n%s", text ? text : "the end", t->shown->str);
        }
        g_string_append_len(t->shown, buf, n);
    }
    t->looked_at = at + strlen(text) - t->shown->str;
}

static void enter(Terminal *t, const char *text)
{
    g_assert_cmpint(write(t->fd, text, strlen(text)), ==, strlen(text));
}

static void check_png(const char *path)
{
    static const uint8_t size[] = { 'I', 'H', 'D', 'R', 0, 0, 1280 >> 8, 0, 0, 0, 800 >> 8,
                                    800 & 255 };
    g_autofree char *data = NULL;
    gsize len;

    g_assert_true(g_file_get_contents(path, &data, &len, NULL));
    g_assert_cmpuint(len, >, 1000);
    g_assert_cmpmem(data + 12, sizeof(size), size, sizeof(size));
    g_remove(path);
}

static char *run_linux(void)
{
    return g_build_filename(g_getenv("RV100_TOP"), "tests", "linux", "run-linux", NULL);
}

static bool available(void)
{
    const char *why = rv_vm_unavailable();

    if (why) {
        g_test_skip(why);
    }
    return !why && linux_available(NULL);
}

static void test_terminal(void)
{
    g_autofree char *script = run_linux(), *dir = NULL, *png = NULL, *option = NULL;
    int status;
    Terminal t;

    if (!available()) {
        return;
    }
    dir = g_dir_make_tmp("rv100-XXXXXX", NULL);
    png = g_build_filename(dir, "screen.png", NULL);
    option = g_strdup_printf("--png=%s", png);
    t = start((char *[]) { script, (char *)g_getenv("RV100_BUILD"), option, "--free", NULL });
    await(&t, "Initialized radeon");
    await(&t, "Screen saved as ");
    await(&t, "guest:/# ");
    enter(&t, "cat /proc/fb; tty; stty size\n");
    await(&t, "\r\n0 radeondrmfb\r\n/dev/ttyS1\r\n40 100\r\n");
    enter(&t, "sh -c 'echo $((2 * 3)) seconds; exec sleep 1000'\n");
    await(&t, "\r\n6 seconds\r\n");
    enter(&t, "\003");          /* control-C ends the program, not the shell */
    await(&t, "guest:/# ");
    enter(&t, "echo $((6 * 7))\n");
    await(&t, "\r\n42\r\n");
    enter(&t, "exit\n");
    await(&t, NULL);
    g_assert_cmpint(waitpid(t.pid, &status, 0), ==, t.pid);
    g_assert_cmpint(status, ==, 0);
    check_png(png);
    g_remove(dir);
    close(t.fd);
    g_string_free(t.shown, TRUE);
}

/* A line that cannot be parsed is no end, "exit" is. */
static void test_commands(void)
{
    static const char commands[] =
        "cd /tmp; echo $((6 * 7))\nif\necho $PWD\nfalse\ncd / && exit 3\necho never\n";
    static const char answers[] =
        "guest# cd /tmp; echo $((6 * 7))\n42\nguest# if\n*status 2\n"
        "guest# echo $PWD\n/tmp\nguest# false\nstatus 1\nguest# cd / && exit 3\n";
    g_autofree char *script = run_linux(), *out = NULL, *pattern = NULL;
    g_autoptr(GError) err = NULL;
    int status;

    if (!available()) {
        return;
    }
    g_assert_true(g_setenv("COMMANDS", commands, TRUE));
    g_spawn_sync(NULL, (char *[]) {
        "/bin/sh", "-c", "printf '%s' \"$COMMANDS\" | \"$0\" \"$1\" --no-driver", script,
        (char *)g_getenv("RV100_BUILD"), NULL,
    }, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, &err);
    g_assert_no_error(err);
    pattern = g_strdup_printf("*%s", answers);
    if (!g_pattern_match_simple(pattern, out)) {
        linux_fail("not what was to be answered: %s", out);
    }
    g_assert_cmpint(status, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linux/terminal/keys", test_terminal);
    g_test_add_func("/linux/terminal/commands", test_commands);
    return g_test_run();
}
