/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running the rv100 tool from a test. The environment names the binary:
 * RV100_TOOL, and the free image: RV100_FREE_IMAGE. */
#ifndef TESTS_CLI_H
#define TESTS_CLI_H

#include <glib.h>

typedef struct Cli {
    int status;                 /* exit status; -1 when a signal ended it */
    char *out, *err;
} Cli;

/* Run `rv100 ARG...`; `input` (may be NULL) is its standard input. */
Cli cli_run(const char *input, ...) G_GNUC_NULL_TERMINATED;
void cli_clear(Cli *c);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cli, cli_clear)

/* A directory for the files of one test; removed by cli_dir_remove(). */
char *cli_dir(void);
void cli_dir_remove(char *dir);
/* Write a file there; its path, to be freed. */
char *cli_file(const char *dir, const char *name, const char *text,
               gssize len);

const char *cli_free_image(void);

/* The output is exactly this, without messages, exit status 0. */
#define cli_assert_out(cli, text)                       \
    do {                                                \
        g_assert_cmpstr((cli)->err, ==, "");            \
        g_assert_cmpstr((cli)->out, ==, (text));        \
        g_assert_cmpint((cli)->status, ==, 0);          \
    } while (0)

/* Failed with this status, no output, and a message that contains `text`. */
#define cli_assert_fails(cli, code, text)               \
    do {                                                \
        g_assert_cmpint((cli)->status, ==, (code));     \
        g_assert_cmpstr((cli)->out, ==, "");            \
        if (!strstr((cli)->err, (text))) {              \
            g_error("'%s' is not in the message: %s", (text), (cli)->err); \
        }                                               \
    } while (0)

#endif
