/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the tutorial. In docs/microcode-tutorial.md a block that begins with
 * "```asm NAME" or "```text NAME" is a file, and a block that begins with
 * "```console" is a session: lines with "$ " are commands, the lines behind one
 * are its output, "[exit status N]" stands for a status that is not 0.
 *
 * "```console device" is a session with the device in QEMU: the lines shown are
 * among those printed. It runs when RV100_BUILD names the build directory with
 * the plugin; "scripts/run demo" becomes run-demo, since the build is there.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"

typedef struct Tutorial {
    char *dir;
    GStrv lines;
    unsigned at;                /* in lines */
    unsigned n_files, n_commands, n_device;
} Tutorial;

#define DEVICE_COMMAND "scripts/run demo"


static const char *next_line(Tutorial *t)
{
    const char *line = t->lines[t->at];

    g_assert_nonnull(line);
    t->at++;
    return line;
}

static void write_file(Tutorial *t, const char *name)
{
    g_autofree char *path = g_build_filename(t->dir, name, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    const char *line;

    while (strcmp(line = next_line(t), "```")) {
        g_string_append_printf(text, "%s\n", line);
    }
    g_assert_true(g_file_set_contents(path, text->str, -1, NULL));
    t->n_files++;
}

/* Run a command by the shell in the directory of the tutorial; what it prints,
 * and its status if it is not 0. */
static char *run_command(Tutorial *t, const char *command)
{
    const char *argv[] = { "/bin/sh", "-c", command, NULL };
    g_autofree char *tool_dir = g_path_get_dirname(g_getenv("RV100_TOOL"));
    g_autofree char *path = g_strdup_printf("%s:%s", tool_dir,
                                            g_getenv("PATH"));
    g_auto(GStrv) env = g_environ_setenv(g_get_environ(), "PATH", path, TRUE);
    g_autofree char *out = NULL, *err = NULL;
    g_autoptr(GError) error = NULL;
    int status;

    g_spawn_sync(t->dir, (char **)argv, env, G_SPAWN_DEFAULT, NULL, NULL, &out,
                 &err, &status, &error);
    g_assert_no_error(error);
    status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return status ? g_strdup_printf("%s%s[exit status %d]\n", out, err, status)
                  : g_strconcat(out, err, NULL);
}

/* The command as the test runs it: without the build that scripts/run does. */
static char *device_command(const char *command)
{
    g_autofree char *runner = g_strdup_printf("\"%s\" \"%s\"",
                                              g_getenv("RV100_RUN_DEMO"),
                                              g_getenv("RV100_BUILD"));

    g_assert_true(g_str_has_prefix(command, DEVICE_COMMAND));
    return g_strconcat(runner, command + strlen(DEVICE_COMMAND), " screen.png",
                       NULL);
}

static void check_device_session(Tutorial *t)
{
    const char *line = next_line(t);
    g_autofree char *command = NULL, *got = NULL;

    g_assert_true(g_str_has_prefix(line, "$ "));
    if (g_getenv("RV100_BUILD")) {
        command = device_command(line + 2);
        got = run_command(t, command);
    }
    while (strcmp(line = next_line(t), "```")) {
        g_autofree char *whole = g_strdup_printf("\n%s\n", line);

        if (got && !strstr(got, whole)) {
            g_error("'%s' is not in:\n%s", line, got);
        }
    }
    t->n_device += got != NULL;
}

static void check_session(Tutorial *t)
{
    const char *line = next_line(t);

    while (strcmp(line, "```")) {
        g_autoptr(GString) expected = g_string_new(NULL);
        g_autofree char *got = NULL;
        const char *command = line + 2;

        g_assert_true(g_str_has_prefix(line, "$ "));
        while (strcmp(line = next_line(t), "```") &&
               !g_str_has_prefix(line, "$ ")) {
            g_string_append_printf(expected, "%s\n", line);
        }
        got = run_command(t, command);
        if (strcmp(got, expected->str)) {
            g_test_message("%s", command);
            g_error("the tutorial shows:\n%sbut the command says:\n%s",
                    expected->str, got);
        }
        t->n_commands++;
    }
}

static void test_tutorial(void)
{
    Tutorial t = { .dir = NULL };
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;

    if (g_getenv("RV100_BUILD") && (!*g_getenv("RV100_PLUGIN") ||
                                    !*g_getenv("RV100_QEMU"))) {
        g_test_skip("no plugin built, or no qemu-system-x86_64 (scripts/build)");
        return;
    }
    t.dir = cli_dir();

    g_file_get_contents(g_getenv("RV100_TUTORIAL"), &text, NULL, &error);
    g_assert_no_error(error);
    t.lines = g_strsplit(text, "\n", -1);
    while (t.lines[t.at]) {
        const char *line = next_line(&t);

        if (g_str_has_prefix(line, "```asm ")) {
            write_file(&t, line + strlen("```asm "));
        } else if (g_str_has_prefix(line, "```text ")) {
            write_file(&t, line + strlen("```text "));
        } else if (!strcmp(line, "```console device")) {
            check_device_session(&t);
        } else if (!strcmp(line, "```console")) {
            check_session(&t);
        } else {
            g_assert_false(g_str_has_prefix(line, "```"));
        }
    }
    g_assert_cmpuint(t.n_files, >=, 5);
    g_assert_cmpuint(t.n_commands, >=, 15);
    g_assert_true(t.n_device > 0 || !g_getenv("RV100_BUILD"));
    g_strfreev(t.lines);
    cli_dir_remove(t.dir);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tutorial", test_tutorial);
    return g_test_run();
}
