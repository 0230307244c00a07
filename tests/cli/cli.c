/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_stdin(gpointer path)
{
    int fd = open(path, O_RDONLY);

    if (fd >= 0) {
        dup2(fd, 0);
        close(fd);
    }
}

Cli cli_run(const char *input, ...)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_autofree char *path = NULL;
    g_autoptr(GError) error = NULL;
    Cli c = { 0 };
    const char *arg;
    int wait_status;
    va_list ap;

    g_assert_nonnull(g_getenv("RV100_TOOL"));
    g_ptr_array_add(argv, (char *)g_getenv("RV100_TOOL"));
    va_start(ap, input);
    while ((arg = va_arg(ap, const char *))) {
        g_ptr_array_add(argv, (char *)arg);
    }
    va_end(ap);
    g_ptr_array_add(argv, NULL);
    if (input) {
        int fd = g_file_open_tmp("rv100-XXXXXX", &path, &error);

        g_assert_no_error(error);
        close(fd);
        g_assert_true(g_file_set_contents(path, input, -1, NULL));
    } else {
        path = g_strdup("/dev/null");
    }
    g_spawn_sync(NULL, (char **)argv->pdata, NULL, G_SPAWN_DEFAULT, use_stdin,
                 path, &c.out, &c.err, &wait_status, &error);
    g_assert_no_error(error);
    c.status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
    if (input) {
        g_unlink(path);
    }
    return c;
}

void cli_clear(Cli *c)
{
    g_free(c->out);
    g_free(c->err);
}

char *cli_dir(void)
{
    g_autoptr(GError) error = NULL;
    char *dir = g_dir_make_tmp("rv100-XXXXXX", &error);

    g_assert_no_error(error);
    return dir;
}

void cli_dir_remove(char *dir)
{
    GDir *d = g_dir_open(dir, 0, NULL);
    const char *name;

    while ((name = g_dir_read_name(d))) {
        g_autofree char *path = g_build_filename(dir, name, NULL);

        g_unlink(path);
    }
    g_dir_close(d);
    g_rmdir(dir);
    g_free(dir);
}

char *cli_file(const char *dir, const char *name, const char *text, gssize len)
{
    char *path = g_build_filename(dir, name, NULL);
    g_autoptr(GError) error = NULL;

    g_file_set_contents(path, text, len, &error);
    g_assert_no_error(error);
    return path;
}

const char *cli_free_image(void)
{
    const char *path = g_getenv("RV100_FREE_IMAGE");

    g_assert_nonnull(path);
    return path;
}
