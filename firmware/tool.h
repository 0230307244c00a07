/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command-line tool: what a subcommand is made of.
 *
 * A subcommand is one ToolCommand in its own cmd-*.c file and one row of the
 * table in main.c; dispatch, help and the man page come from that table.
 */
#ifndef RV100_TOOL_H
#define RV100_TOOL_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses of the tool. */
enum {
    TOOL_OK = 0,
    TOOL_FOUND = 1,             /* differences or defects found; or the output
                                 * could not be written */
    TOOL_UNUSABLE = 2,          /* wrong arguments or unusable input */
};

typedef enum ToolArg {
    TOOL_FLAG,                  /* bool */
    TOOL_STRING,                /* const char * */
    TOOL_NUMBER,                /* uint64_t, decimal or 0x... */
} ToolArg;

typedef struct ToolOption {
    const char *name;           /* without "--" */
    char letter;                /* short form, 0 = none */
    ToolArg type;
    size_t offset;              /* in the options struct of the command */
    const char *arg;            /* name of the value in help */
    const char *help;
} ToolOption;

typedef struct ToolCommand {
    const char *name;
    const char *args;           /* synopsis of what follows the options */
    unsigned min_args, max_args;
    const char *summary;        /* one line */
    const char *detail;         /* paragraphs separated by an empty line */
    const ToolOption *options;  /* ends with a NULL name */
    size_t size;                /* of the options struct */
    const void *preset;         /* its first contents; NULL: zeros */
    int (*run)(const void *options, char **args, unsigned n_args);
} ToolCommand;

#define TOOL_ERROR tool_error_quark()
GQuark tool_error_quark(void);
void tool_set_error(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Fill `options` (zeroed or preset by the caller) from argv[1..]; what is no
 * option is left in args (argc pointers of room). "--" ends the options. */
bool tool_parse(const ToolCommand *cmd, int argc, char **argv, void *options,
                char **args, unsigned *n_args, GError **error);
/* The synopsis line of a command, without "rv100". */
char *tool_synopsis(const ToolCommand *cmd);

/* Print "rv100 CMD: message" to stderr, free the error, return `status`. The
 * message is one line of bounded length, whatever file it quotes. */
int tool_fail(const char *cmd, GError *error, int status);
/* The whole of a file, or of standard input for "-"; NUL-terminated. More than
 * 64 MiB is refused. */
char *tool_read(const char *path, size_t *len, GError **error);
/* Write a file, or standard output for "-" or NULL: that is flushed, and a
 * failure reported, when the command has ended (tool_flush). */
bool tool_write(const char *path, const char *data, size_t len, GError **error);
/* Flush standard output: false when it could not all be written. */
bool tool_flush(GError **error);
/* A copy of at most 40 bytes of text that is safe to print. */
char *tool_quote(const char *text, size_t len);

#endif
