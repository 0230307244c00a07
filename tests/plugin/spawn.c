/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "spawn.h"

Run *spawn(const char *input, const char *preload, const char *const *argv)
{
    /* The shell makes a pipe of the input and becomes the program. */
    g_autoptr(GPtrArray) args = g_ptr_array_new();
    g_auto(GStrv) env = g_get_environ();
    g_autoptr(GError) error = NULL;
    Run *run = g_new0(Run, 1);
    int wait_status;

    g_ptr_array_add(args, (void *)"sh");
    g_ptr_array_add(args, (void *)"-c");
    g_ptr_array_add(args, (void *)"i=$1; p=$2; shift 2; printf %s \"$i\" | "
                    "{ [ -z \"$p\" ] || export LD_PRELOAD=\"$p\"; exec \"$@\"; }");
    g_ptr_array_add(args, (void *)"sh");
    g_ptr_array_add(args, (void *)input);
    g_ptr_array_add(args, (void *)(preload ? preload : ""));
    for (; *argv; argv++) {
        g_ptr_array_add(args, (void *)*argv);
    }
    g_ptr_array_add(args, NULL);
    env = g_environ_setenv(env, "LC_ALL", "C", true);
    if (!g_spawn_sync(NULL, (char **)args->pdata, env, G_SPAWN_SEARCH_PATH, NULL, NULL,
                      &run->out, &run->err, &wait_status, &error)) {
        g_error("%s", error->message);
    }
    run->status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
    run->lines = g_strsplit(run->err, "\n", -1);
    run->n_lines = g_strv_length(run->lines);
    if (run->n_lines && !*run->lines[run->n_lines - 1]) {
        run->n_lines--;
    }
    return run;
}

void run_free(Run *run)
{
    g_free(run->out);
    g_free(run->err);
    g_strfreev(run->lines);
    g_free(run);
}
