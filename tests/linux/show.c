/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Linux guest for people: boots it, loads the radeon driver, saves the screen
 * and gives them its shell. Called by run-linux, which explains the options.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "linux-guest.h"

#define LEAVE 0x1d              /* control-] */

static char *png, *parameters, *suite, *qemu_args;
static gboolean no_shell, no_driver, use_free;

static const GOptionEntry options[] = {
    { "png", 0, 0, G_OPTION_ARG_FILENAME, &png,
      "where the picture of the screen goes (linux.png)", "FILE" },
    { "parameters", 'p', 0, G_OPTION_ARG_STRING, &parameters,
      "parameters of the module radeon, as \"test=1 gartsize=32\"", "TEXT" },
    { "free", 0, 0, G_OPTION_ARG_NONE, &use_free,
      "this project's microcode (default: R100_cp.bin where it is found)", NULL },
    { "no-driver", 0, 0, G_OPTION_ARG_NONE, &no_driver,
      "do not load a driver (in the guest: load radeon, load radeonfb)", NULL },
    { "no-shell", 0, 0, G_OPTION_ARG_NONE, &no_shell,
      "end after the picture", NULL },
    { "suite", 0, 0, G_OPTION_ARG_STRING, &suite,
      "kernel of another Debian release", "CODENAME" },
    { "qemu-args", 0, 0, G_OPTION_ARG_STRING, &qemu_args,
      "further arguments of QEMU, as \"-device radeon-rv100,id=gpu1\"", "TEXT" },
    { NULL, 0, 0, 0, NULL, NULL, NULL }
};

static bool save_png(Linux *l, const char *out)
{
    RvVm *vm = linux_vm(l);
    g_autofree char *path = g_build_filename(rv_vm_dir(vm), "screen.png", NULL);
    g_autofree char *args = g_strdup_printf(
        "{\"filename\": \"%s/screen.png\", \"format\": \"png\", \"device\": \"gpu0\"}",
        rv_vm_inner_dir(vm));
    g_autofree char *reply = rv_qmp(vm, "screendump", args);
    g_autofree char *data = NULL;
    g_autoptr(GError) err = NULL;
    gsize len;

    if (!g_file_get_contents(path, &data, &len, &err) ||
        !g_file_set_contents(out, data, len, &err)) {
        fprintf(stderr, "run-linux: %s\n", err->message);
        return false;
    }
    printf("Screen saved as %s\n", out);
    return true;
}

static bool load_driver(Linux *l)
{
    g_autofree char *out = NULL, *log = NULL;
    int status;

    out = linux_sh(l, &status, "load radeon %s", parameters ? parameters : "");
    log = linux_ok(l, "dmesg | grep -iE 'drm|radeon' | tail -n 60");
    printf("%s%s", out, log);
    printf("%.1f s: driver %s\n", linux_seconds(l), status ? "FAILED" : "loaded");
    if (!status) {
        g_free(linux_ok(l, "uname -a > /dev/tty1"));
        g_free(linux_ok(l, "dmesg | grep -E 'drm|radeon' | tail -n 24 > /dev/tty1"));
    }
    return status == 0;
}

/* Copy between the terminal and the guest until one of them ends: true when it was
 * the guest. */
static bool bridge(int serial)
{
    struct pollfd fds[2] = {
        { .fd = STDIN_FILENO, .events = POLLIN }, { .fd = serial, .events = POLLIN },
    };
    char buf[4096];
    ssize_t n;

    while (poll(fds, 2, -1) > 0) {
        if (fds[0].revents) {
            n = read(STDIN_FILENO, buf, sizeof(buf));
            if (n <= 0 || memchr(buf, LEAVE, n)) {
                return false;
            }
            if (write(serial, buf, n) != n) {
                return true;
            }
        }
        if (fds[1].revents) {
            n = read(serial, buf, sizeof(buf));
            if (n <= 0) {
                return true;
            }
            if (write(STDOUT_FILENO, buf, n) != n) {
                return false;
            }
        }
    }
    return false;
}

/* Commands from a file or pipe, one a line: true when one of them has ended the
 * guest. */
static bool run_commands(Linux *l)
{
    char line[4096];
    int status = 0;

    while (status != LINUX_ENDED && fgets(line, sizeof(line), stdin)) {
        g_autofree char *out = linux_sh(l, &status, "%s", g_strchomp(line));

        printf("guest# %s\n%s", line, out);
        if (status > 0) {
            printf("status %d\n", status);
        }
        fflush(stdout);
    }
    return status == LINUX_ENDED;
}

static void leave(Linux *l, bool ended)
{
    if (ended) {
        linux_wait(l);
    } else {
        linux_free(l);
    }
}

/* Commands until their end, or a shell; frees the guest. */
static void give_shell(Linux *l)
{
    struct termios saved, raw;
    struct winsize size;
    bool ended;

    if (tcgetattr(STDIN_FILENO, &saved) < 0) {
        leave(l, run_commands(l));
        return;
    }
    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
        g_free(linux_ok(l, "stty rows %u cols %u -F /dev/ttyS1", size.ws_row, size.ws_col));
    }
    printf("A shell of the guest; \"exit\" or control-] ends it. Try: dmesg, gfx, cat /proc/fb\n");
    fflush(stdout);
    rv_serial_send(linux_vm(l), "shell\n");
    raw = saved;
    cfmakeraw(&raw);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    ended = bridge(rv_serial_fd(linux_vm(l)));
    tcsetattr(STDIN_FILENO, TCSANOW, &saved);
    putchar('\n');
    leave(l, ended);
}

static bool usable(void)
{
    LinuxImage image = use_free ? LINUX_FREE : LINUX_STOCK;
    g_autofree char *path = linux_image_path(image);
    const char *why = rv_vm_unavailable();

    if (!path && !use_free) {
        printf("No R100_cp.bin in /lib/firmware/radeon or ../shared: with the free image\n");
        use_free = TRUE;
    }
    if (why) {
        fprintf(stderr, "run-linux: cannot run: %s\n", why);
    }
    return !why;
}

int main(int argc, char **argv)
{
    g_autoptr(GOptionContext) context = g_option_context_new("");
    g_autoptr(GError) err = NULL;
    g_autofree char *args = NULL, *why = NULL;
    bool good = true;
    Linux *l;

    g_option_context_add_main_entries(context, options, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &err) || argc > 1) {
        fprintf(stderr, "run-linux: %s (--help lists the options)\n",
                err ? err->message : "too many arguments");
        return 2;
    }
    if (!usable()) {
        return 2;
    }
    printf("Booting: about ten seconds, and a minute more the first time, to fetch the kernel\n");
    fflush(stdout);
    linux_talk();
    args = g_strdup_printf("-device radeon-rv100,id=gpu0 %s", qemu_args ? qemu_args : "");
    l = linux_start(args, suite, &why);
    if (!l) {
        fprintf(stderr, "run-linux: %s\n", why);
        return 2;
    }
    printf("%.1f s: the guest is up\n", linux_seconds(l));
    linux_use_image(l, use_free ? LINUX_FREE : LINUX_STOCK);
    if (!no_driver) {
        good = load_driver(l);
        good &= save_png(l, png ? png : "linux.png");
    }
    if (no_shell) {
        linux_free(l);
    } else {
        give_shell(l);
    }
    return good ? 0 : 1;
}
