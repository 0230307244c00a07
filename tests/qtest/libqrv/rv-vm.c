/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Life of a QEMU process: directory, arguments, sockets, end.
 *
 * QEMU connects to sockets that we listen on, so there is no waiting for
 * files to appear; a QEMU that ends early is noticed while we wait.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rv-vm-internal.h"

#define END_MS 30000
#define CONSOLE_LINES 40
#define PATIENCE_MS 120000      /* a guard against hangs, not a limit of speed */

static GPtrArray *live;         /* VMs to report when a test aborts */

static const char *env(const char *name)
{
    const char *s = g_getenv(name);

    return s && *s ? s : NULL;
}

const char *rv_vm_unavailable(void)
{
    if (env("RV100_SKIP")) {
        return env("RV100_SKIP");
    }
    if (!env("RV100_PLUGIN")) {
        return "the plugin was not built (meson option qemu_headers)";
    }
    if (!env("RV100_QEMU")) {
        return "no qemu-system-x86_64 (meson option qemu_binary)";
    }
    if (env("RV100_QEMU_ROOT") && geteuid() != 0) {
        return "running the QEMU of another root needs root (chroot)";
    }
    return NULL;
}

/* --- the VM's directory --- */

static void empty_dir(const char *path)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;

    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *child = g_build_filename(path, name, NULL);
        g_unlink(child);
    }
}

/* A program that QEMU started ("exec:cat > FILE") may still make its file. */
static void remove_dir(const char *path)
{
    for (int tries = 0; tries < 100; tries++) {
        empty_dir(path);
        if (g_rmdir(path) == 0 || errno != ENOTEMPTY) {
            return;
        }
        g_usleep(5000);
    }
}

static void make_dir(RvVm *vm)
{
    const char *root = env("RV100_QEMU_ROOT");
    g_autofree char *tmp = root ? g_build_filename(root, "tmp", NULL)
                                : g_strdup(g_get_tmp_dir());
    g_autofree char *template = g_build_filename(tmp, "rv100-XXXXXX", NULL);

    vm->dir = g_strdup(g_mkdtemp(template));
    if (!vm->dir) {
        rv_die("cannot make a directory in %s: %s", tmp, g_strerror(errno));
    }
    vm->inner = g_strdup(root ? vm->dir + strlen(root) : vm->dir);
}

static void copy_in(RvVm *vm, const char *path)
{
    g_autofree char *base = g_path_get_basename(path);
    g_autofree char *copy = g_build_filename(vm->dir, base, NULL);
    g_autofree char *data = NULL;
    g_autoptr(GError) err = NULL;
    gsize len;

    if (!g_file_get_contents(path, &data, &len, &err) ||
        !g_file_set_contents(copy, data, len, &err)) {
        rv_die("%s", err->message);
    }
}

/* A file that QEMU can open: itself, or inside a root a copy of it. */
static char *visible(RvVm *vm, const char *path)
{
    g_autofree char *base = g_path_get_basename(path);

    if (!env("RV100_QEMU_ROOT")) {
        return g_canonicalize_filename(path, NULL);
    }
    copy_in(vm, path);
    return g_build_filename(vm->inner, base, NULL);
}

/* The plugin and, inside another root, the builds beside it. */
static char *visible_plugin(RvVm *vm)
{
    const char *path = env("RV100_PLUGIN");
    g_autofree char *where = g_path_get_dirname(path);
    g_autoptr(GDir) dir = g_dir_open(where, 0, NULL);
    const char *name;

    while (env("RV100_QEMU_ROOT") && dir && (name = g_dir_read_name(dir))) {
        if (g_str_has_suffix(name, ".so")) {
            g_autofree char *full = g_build_filename(where, name, NULL);
            g_free(visible(vm, full));
        }
    }
    return visible(vm, path);
}

/* The accel-qtest module for the QEMU that runs, NULL: there is none. */
static char *accel_module(void)
{
    static const RvVmConfig version = { .no_plugin = true,
                                        .bios = RV_BIOS_FIRMWARE,
                                        .args = "--version" };
    g_autofree char *out = NULL, *api = NULL, *path = NULL;
    g_auto(GStrv) parts = NULL;

    if (!env("RV100_ACCEL_QTEST") || rv_vm_run(&version, &out, NULL) != 0 ||
        !g_str_has_prefix(out, "QEMU emulator version ")) {
        return NULL;
    }
    parts = g_strsplit(out + strlen("QEMU emulator version "), ".", 3);
    if (g_strv_length(parts) < 3) {
        return NULL;
    }
    api = g_strdup_printf("%s.%s", parts[0], parts[1]);
    path = g_build_filename(env("RV100_ACCEL_QTEST"), api,
                            "accel-qtest-x86_64.so", NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS) ? g_steal_pointer(&path) : NULL;
}

/* --- arguments --- */

static void add_split(RvVm *vm, const char *args)
{
    g_autoptr(GError) err = NULL;
    g_auto(GStrv) argv = NULL;

    if (!args || !*args) {
        return;
    }
    if (!g_shell_parse_argv(args, NULL, &argv, &err)) {
        rv_die("arguments \"%s\": %s", args, err->message);
    }
    for (int i = 0; argv[i]; i++) {
        GString *s = g_string_new(argv[i]);
        g_string_replace(s, "%D", vm->inner, 0);
        g_ptr_array_add(vm->argv, g_string_free(s, FALSE));
    }
}

static void add(RvVm *vm, const char *a, const char *b)
{
    g_ptr_array_add(vm->argv, g_strdup(a));
    if (b) {
        g_ptr_array_add(vm->argv, g_strdup(b));
    }
}

static const char *const bios_file[] = {
    [RV_BIOS_HALT] = "halt.bin",
    [RV_BIOS_COUNT] = "count.bin",
    [RV_BIOS_PPC] = "ppc.bin",
};

static void build_args(RvVm *vm, const RvVmConfig *c)
{
    const char *root = env("RV100_QEMU_ROOT");
    const char *var = c->qemu ? c->qemu : "RV100_QEMU";
    g_autofree char *plugin = NULL;

    for (int i = 0; c->files && c->files[i]; i++) {
        copy_in(vm, c->files[i]);
    }
    if (root) {
        add(vm, "chroot", root);
    }
    if (!c->no_plugin) {
        plugin = visible_plugin(vm);
    }
    if (plugin && c->preload) {
        g_autofree char *set = g_strdup_printf("LD_PRELOAD=%s", plugin);
        add(vm, "env", set);
    }
    if (c->stepped) {
        g_autofree char *module = accel_module();
        g_autofree char *set = g_strdup_printf("QEMU_MODULE_DIR=%s", vm->inner);
        copy_in(vm, module);
        add(vm, "env", set);
    }
    add(vm, env(var), NULL);
    if (plugin && !c->preload) {
        g_autofree char *arg = g_strdup_printf(
            "%s%s%s", plugin, c->plugin_args ? "," : "",
            c->plugin_args ? c->plugin_args : "");
        add(vm, "-plugin", arg);
    }
    add(vm, "-accel", c->stepped ? "qtest" : "tcg");
    add_split(vm, "-nodefaults -no-user-config -display none");
    if (c->bios != RV_BIOS_FIRMWARE) {
        g_autofree char *path = g_build_filename(env("RV100_BIOS_DIR"),
                                                 bios_file[c->bios], NULL);
        g_autofree char *seen = visible(vm, path);
        add(vm, "-bios", seen);
    }
    add_split(vm, c->args);
    add_split(vm, env("RV100_QEMU_ARGS"));
}

/* --- process --- */

static void child_setup(gpointer data)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void spawn(RvVm *vm)
{
    g_autofree char *err = g_build_filename(vm->dir, "stderr", NULL);
    g_autofree char *out = g_build_filename(vm->dir, "stdout", NULL);
    g_autoptr(GError) error = NULL;
    int efd = open(err, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    int ofd = open(out, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);

    g_ptr_array_add(vm->argv, NULL);
    if (!g_spawn_async_with_fds(NULL, (char **)vm->argv->pdata, NULL,
                                G_SPAWN_SEARCH_PATH |
                                G_SPAWN_DO_NOT_REAP_CHILD |
                                G_SPAWN_STDIN_FROM_DEV_NULL,
                                child_setup, NULL, &vm->pid, -1, ofd, efd,
                                &error)) {
        rv_die("cannot start QEMU: %s", error->message);
    }
    close(efd);
    close(ofd);
}

/* True when the process has ended; its status is then in vm->status. */
static bool ended(RvVm *vm)
{
    if (vm->pid && waitpid(vm->pid, &vm->status, WNOHANG) == vm->pid) {
        vm->pid = 0;
    }
    return vm->pid == 0;
}

static bool wait_end(RvVm *vm, int ms)
{
    for (; ms > 0 && !ended(vm); ms -= 5) {
        g_usleep(5000);
    }
    return ended(vm);
}

static void end_process(RvVm *vm, int ms)
{
    if (vm->pid && !wait_end(vm, ms)) {
        kill(vm->pid, SIGKILL);
        waitpid(vm->pid, &vm->status, 0);
        vm->pid = 0;
    }
}

static char *read_file(RvVm *vm, const char *name)
{
    g_autofree char *path = g_build_filename(vm->dir, name, NULL);
    char *text = NULL;

    return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

char *rv_vm_stderr(RvVm *vm)
{
    rv_vm_flush(vm);
    return read_file(vm, "stderr");
}

/* The end of the guest's own messages, for a VM that has them in a file. */
static void print_console(RvVm *vm)
{
    g_autofree char *text = read_file(vm, "console");
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    guint n = g_strv_length(lines);

    for (guint i = n > CONSOLE_LINES ? n - CONSOLE_LINES : 0; i < n; i++) {
        fprintf(stderr, "# console: %s\n", g_strchomp(lines[i]));
    }
}

static void print_report(RvVm *vm)
{
    g_autofree char *text = read_file(vm, "stderr");
    g_autofree char *line = g_strjoinv(" ", (char **)vm->argv->pdata);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);

    fprintf(stderr, "# command: %s\n# QEMU's standard error:\n", line);
    for (int i = 0; lines[i]; i++) {
        fprintf(stderr, "#   %s\n", lines[i]);
    }
    print_console(vm);
    if (vm->pid == 0) {
        fprintf(stderr, "# QEMU has ended: %s %d\n",
                WIFEXITED(vm->status) ? "exit status" : "signal",
                WIFEXITED(vm->status) ? WEXITSTATUS(vm->status)
                                      : WTERMSIG(vm->status));
    }
    fflush(stderr);
}

static void end_all(bool report)
{
    for (guint i = 0; live && i < live->len; i++) {
        RvVm *vm = g_ptr_array_index(live, i);

        if (!ended(vm)) {
            kill(vm->pid, SIGKILL);
        }
        if (report) {
            print_report(vm);
        }
        remove_dir(vm->dir);
    }
}

/* A test has failed (abort), or the user or the time limit ends it. */
static void on_signal(int sig)
{
    signal(sig, SIG_DFL);
    end_all(sig == SIGABRT);
    raise(sig);
}

void rv_die(const char *format, ...)
{
    va_list ap;

    fputs("# ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    abort();
}

static RvVm *vm_alloc(void)
{
    RvVm *vm = g_new0(RvVm, 1);

    vm->qtest = vm->qmp = vm->serial = -1;
    vm->argv = g_ptr_array_new_with_free_func(g_free);
    vm->out = g_string_new(NULL);
    vm->in_qtest = g_string_new(NULL);
    vm->in_qmp = g_string_new(NULL);
    vm->in_serial = g_string_new(NULL);
    vm->events = g_ptr_array_new_with_free_func(g_free);
    if (!live) {
        live = g_ptr_array_new();
        signal(SIGABRT, on_signal);
        signal(SIGHUP, on_signal);
        signal(SIGINT, on_signal);
        signal(SIGTERM, on_signal);
        signal(SIGPIPE, SIG_IGN);
    }
    g_ptr_array_add(live, vm);
    make_dir(vm);
    return vm;
}

static void vm_release(RvVm *vm)
{
    g_ptr_array_remove(live, vm);
    remove_dir(vm->dir);
    g_ptr_array_free(vm->argv, TRUE);
    g_ptr_array_free(vm->events, TRUE);
    g_string_free(vm->out, TRUE);
    g_string_free(vm->in_qtest, TRUE);
    g_string_free(vm->in_qmp, TRUE);
    g_string_free(vm->in_serial, TRUE);
    g_free(vm->dir);
    g_free(vm->inner);
    g_free(vm);
}

/* --- sockets --- */

static int listen_at(RvVm *vm, const char *name)
{
    struct sockaddr_un sa = { .sun_family = AF_UNIX };
    g_autofree char *path = g_build_filename(vm->dir, name, NULL);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    g_strlcpy(sa.sun_path, path, sizeof(sa.sun_path));
    if (fd < 0 || bind(fd, (struct sockaddr *)&sa, sizeof(sa)) < 0 ||
        listen(fd, 1) < 0) {
        rv_die("socket %s: %s", path, g_strerror(errno));
    }
    return fd;
}

static int accept_from(RvVm *vm, int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    for (int ms = 0; ms < PATIENCE_MS; ms += 50) {
        if (poll(&p, 1, 50) > 0) {
            int s = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
            close(fd);
            return s;
        }
        if (ended(vm)) {
            break;
        }
    }
    rv_vm_fail(vm, "QEMU did not start");
}

void rv_vm_fail(RvVm *vm, const char *why)
{
    wait_end(vm, 200);          /* let a dying QEMU finish its message */
    rv_die("%s", why);
}

bool rv_vm_fill(RvVm *vm, int fd, GString *in)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    char buf[65536];
    ssize_t n;

    if (poll(&p, 1, PATIENCE_MS) <= 0) {
        rv_vm_fail(vm, "QEMU does not answer");
    }
    n = read(fd, buf, sizeof(buf));
    if (n > 0) {
        g_string_append_len(in, buf, n);
    }
    return n > 0;
}

char *rv_vm_line(RvVm *vm, int fd, GString *in)
{
    char *end, *line;

    while (!(end = memchr(in->str, '\n', in->len))) {
        if (!rv_vm_fill(vm, fd, in)) {
            return NULL;
        }
    }
    line = g_strndup(in->str, end - in->str);
    g_string_erase(in, 0, end - in->str + 1);
    return g_strchomp(line);
}

char *rv_serial_line(RvVm *vm)
{
    rv_vm_flush(vm);
    return rv_vm_line(vm, vm->serial, vm->in_serial);
}

int rv_serial_fd(RvVm *vm)
{
    return vm->serial;
}

void rv_serial_send(RvVm *vm, const char *text)
{
    rv_vm_send(vm, vm->serial, text, strlen(text));
}

void rv_vm_send(RvVm *vm, int fd, const char *data, size_t len)
{
    while (len) {
        ssize_t n = write(fd, data, len);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            rv_vm_fail(vm, "cannot write to QEMU");
        }
        data += n;
        len -= n;
    }
}

/* --- public life cycle --- */

static bool unavailable(const RvVmConfig *c)
{
    const char *why = rv_vm_unavailable();

    if (!why && c->qemu && !env(c->qemu)) {
        why = "the QEMU binary for this test is not installed";
    }
    if (!why && c->stepped) {
        g_autofree char *module = accel_module();
        why = module ? NULL : "no accel-qtest module for this QEMU "
            "(scripts/build makes build/accel-qtest)";
    }
    if (why) {
        g_test_skip(why);
    }
    return why != NULL;
}

RvVm *rv_vm_new(const RvVmConfig *config)
{
    static const RvVmConfig none;
    const RvVmConfig *c = config ? config : &none;
    g_autofree char *qtest_arg = NULL, *qmp_arg = NULL;
    int qtest, qmp, serial = -1;
    RvVm *vm;

    if (unavailable(c)) {
        return NULL;
    }
    vm = vm_alloc();
    qtest = listen_at(vm, "qtest");
    qmp = listen_at(vm, "qmp");
    qtest_arg = g_strdup_printf("unix:%s/qtest", vm->inner);
    qmp_arg = g_strdup_printf("unix:%s/qmp", vm->inner);
    build_args(vm, c);
    add(vm, "-qtest", qtest_arg);
    add_split(vm, "-qtest-log /dev/null");
    add(vm, "-qmp", qmp_arg);
    if (c->serial) {
        serial = listen_at(vm, "serial");
        add_split(vm, "-serial unix:%D/serial");
    }
    spawn(vm);
    vm->qmp = accept_from(vm, qmp);
    if (c->serial) {
        vm->serial = accept_from(vm, serial);
    }
    vm->qtest = accept_from(vm, qtest);
    rv_qmp_hello(vm);
    return vm;
}

static int exit_status(const RvVm *vm)
{
    return WIFEXITED(vm->status) ? WEXITSTATUS(vm->status) : -1;
}

static void close_all(RvVm *vm)
{
    close(vm->qtest);
    close(vm->qmp);
    if (vm->serial >= 0) {
        close(vm->serial);
    }
}

void rv_vm_free(RvVm *vm)
{
    if (!vm) {
        return;
    }
    if (!ended(vm)) {
        rv_vm_flush(vm);
        rv_qmp_quit(vm);
    }
    end_process(vm, END_MS);
    close_all(vm);
    if (exit_status(vm) != 0) {
        rv_vm_fail(vm, "QEMU did not end cleanly");
    }
    vm_release(vm);
}

int rv_vm_wait(RvVm *vm)
{
    int status;

    rv_vm_flush(vm);
    end_process(vm, PATIENCE_MS);
    close_all(vm);
    status = exit_status(vm);
    vm_release(vm);
    return status;
}

int rv_vm_run(const RvVmConfig *c, char **out, char **err)
{
    RvVm *vm = vm_alloc();
    int status;

    build_args(vm, c);
    spawn(vm);
    end_process(vm, PATIENCE_MS);
    status = exit_status(vm);
    if (out) {
        *out = read_file(vm, "stdout");
    }
    if (err) {
        *err = read_file(vm, "stderr");
    }
    vm_release(vm);
    return status;
}

GPid rv_vm_pid(const RvVm *vm)
{
    return vm->pid;
}

const char *rv_vm_dir(const RvVm *vm)
{
    return vm->dir;
}

const char *rv_vm_inner_dir(const RvVm *vm)
{
    return vm->inner;
}
