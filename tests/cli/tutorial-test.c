/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the tutorial. In docs/microcode-tutorial.md a block that begins with
 * "```asm NAME" is a file, and a block that begins with "```console" is a
 * session: lines with "$ " are commands, the lines behind one are its output,
 * "[exit status N]" stands for a status that is not 0.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"

typedef struct Tutorial {
    char *dir;
    GStrv lines;
    unsigned at;                /* in lines */
    unsigned n_files, n_commands;
} Tutorial;

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
    Tutorial t = { .dir = cli_dir() };
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;

    g_file_get_contents(g_getenv("RV100_TUTORIAL"), &text, NULL, &error);
    g_assert_no_error(error);
    t.lines = g_strsplit(text, "\n", -1);
    while (t.lines[t.at]) {
        const char *line = next_line(&t);

        if (g_str_has_prefix(line, "```asm ")) {
            write_file(&t, line + strlen("```asm "));
        } else if (!strcmp(line, "```console")) {
            check_session(&t);
        } else {
            g_assert_false(g_str_has_prefix(line, "```"));
        }
    }
    g_assert_cmpuint(t.n_files, >=, 5);
    g_assert_cmpuint(t.n_commands, >=, 15);
    g_strfreev(t.lines);
    cli_dir_remove(t.dir);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tutorial", test_tutorial);
    return g_test_run();
}
