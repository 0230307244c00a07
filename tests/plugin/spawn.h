/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a program to its end. */
#ifndef TESTS_PLUGIN_SPAWN_H
#define TESTS_PLUGIN_SPAWN_H

#include <glib.h>
#include <stdbool.h>

typedef struct Run {
    int status;                 /* exit status, -1 after a signal */
    char *out, *err;
    char **lines;               /* of err, without the empty one at the end */
    unsigned n_lines;
} Run;

/* `input` goes to standard input; LD_PRELOAD is `preload` or not set. */
Run *spawn(const char *input, const char *preload, const char *const *argv);
void run_free(Run *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Run, run_free)

/* spawn() with the arguments of a NULL-terminated list. */
#define SPAWN(input, preload, ...) \
    spawn(input, preload, (const char *const[]) { __VA_ARGS__, NULL })

#endif
