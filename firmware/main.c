/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rv100: the command-line tool. One table gives dispatch, help and man page.
 *
 * To add a subcommand: a cmd-NAME.c with a `const ToolCommand cmd_NAME`, its
 * declaration in commands.h, a row here, the file in meson.build.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "tool.h"

static const ToolCommand *const commands[] = {
    &cmd_run,
    &cmd_asm,
    &cmd_disasm,
    &cmd_identify,
    &cmd_diff,
    &cmd_check,
    &cmd_cfg,
    &cmd_cover,
    &cmd_isa,
    &cmd_decode,
    &cmd_encode,
    &cmd_debug,
    &cmd_replay,
};

static const char about[] =
    "Tools for the command processor of the ATI Radeon RV100 family: its "
    "microcode and its command streams.";

static const ToolCommand *find_command(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (!strcmp(commands[i]->name, name)) {
            return commands[i];
        }
    }
    return NULL;
}

static void print_commands(FILE *f)
{
    fprintf(f, "usage: rv100 COMMAND [ARGUMENT...]\n\n%s\n\nCommands:\n",
            about);
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        fprintf(f, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    fprintf(f, "  %-10s %s\n\nExit status: 0, 1 when differences or defects "
            "were found, 2 for unusable input.\n", "help",
            "how to use a command: rv100 help COMMAND");
}

static char *option_text(const ToolOption *o)
{
    g_autofree char *letter = o->letter ? g_strdup_printf("-%c, ", o->letter)
                                        : g_strdup("    ");

    return g_strdup_printf("%s--%s%s%s", letter, o->name,
                           o->arg ? " " : "", o->arg ? o->arg : "");
}

static void print_command(FILE *f, const ToolCommand *cmd)
{
    g_autofree char *synopsis = tool_synopsis(cmd);

    fprintf(f, "usage: rv100 %s\n\n%s.\n\n%s\n", synopsis, cmd->summary,
            cmd->detail);
    if (cmd->options->name) {
        fprintf(f, "\nOptions:\n");
    }
    for (const ToolOption *o = cmd->options; o->name; o++) {
        g_autofree char *text = option_text(o);

        fprintf(f, "  %-26s %s\n", text, o->help);
    }
}

/* Text for troff: backslashes and leading dots must not be taken for markup. */
static void man_text(const char *text)
{
    bool line_start = true;

    for (const char *p = text; *p; p++) {
        if (line_start && (*p == '.' || *p == '\'')) {
            fputs("\\&", stdout);
        }
        line_start = *p == '\n';
        if (line_start && p[1] == '\n') {
            fputs("\n.PP", stdout);
        } else if (*p == '\\') {
            fputs("\\e", stdout);
        } else if (*p == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*p);
        }
    }
    putchar('\n');
}

static void man_command(const ToolCommand *cmd)
{
    g_autofree char *synopsis = tool_synopsis(cmd);

    printf(".SS rv100 ");
    man_text(synopsis);
    man_text(cmd->summary);
    printf(".PP\n");
    man_text(cmd->detail);
    for (const ToolOption *o = cmd->options; o->name; o++) {
        g_autofree char *text = option_text(o);

        printf(".TP\n.B ");
        man_text(g_strchug(text));
        man_text(o->help);
    }
}

static void print_man(void)
{
    printf(".\\\" made by 'rv100 --man' from the table of commands\n"
           ".TH RV100 1 \"\" \"rv100\" \"User Commands\"\n"
           ".SH NAME\nrv100 \\- microcode and command streams of the Radeon RV100\n"
           ".SH SYNOPSIS\n.B rv100\n.I COMMAND\n[\\fIARGUMENT\\fR...]\n"
           ".SH DESCRIPTION\n");
    man_text(about);
    printf(".SH COMMANDS\n");
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        man_command(commands[i]);
    }
    printf(".SH EXIT STATUS\n0 on success, 1 when differences or defects were "
           "found or the output could not be written, 2 for wrong arguments "
           "or unusable input.\n");
}

static int help(int argc, char **argv)
{
    const ToolCommand *cmd;

    if (argc < 2) {
        print_commands(stdout);
        return TOOL_OK;
    }
    cmd = find_command(argv[1]);
    if (!cmd) {
        fprintf(stderr, "rv100 help: no command '%s' (try 'rv100 help')\n",
                argv[1]);
        return TOOL_UNUSABLE;
    }
    print_command(stdout, cmd);
    return TOOL_OK;
}

/* All output must have arrived. */
static int end(const char *name, int status)
{
    GError *error = NULL;

    return tool_flush(&error) ? status : tool_fail(name, error, TOOL_FOUND);
}

static int run_command(const ToolCommand *cmd, int argc, char **argv)
{
    g_autofree void *options = cmd->preset ? g_memdup2(cmd->preset, cmd->size)
                                           : g_malloc0(cmd->size);
    g_autofree char **args = g_new0(char *, argc + 1);
    g_autoptr(GError) error = NULL;
    unsigned n_args;
    int status;

    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
        if (!strcmp(argv[i], "--help")) {
            print_command(stdout, cmd);
            return end(cmd->name, TOOL_OK);
        }
    }
    if (!tool_parse(cmd, argc, argv, options, args, &n_args, &error)) {
        return tool_fail(cmd->name, g_steal_pointer(&error), TOOL_UNUSABLE);
    }
    status = cmd->run(options, args, n_args);
    return end(cmd->name, status);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const ToolCommand *cmd = find_command(name);

    if (cmd) {
        return run_command(cmd, argc - 1, argv + 1);
    }
    if (!strcmp(name, "--man")) {
        print_man();
        return end(name, TOOL_OK);
    }
    if (!strcmp(name, "--version")) {
        printf("rv100 " RV100_VERSION "\n");
        return end(name, TOOL_OK);
    }
    if (!strcmp(name, "help") || !strcmp(name, "--help") ||
        !strcmp(name, "-h")) {
        return end("help", help(argc - 1, argv + 1));
    }
    if (argc > 1) {
        fprintf(stderr, "rv100: no command '%s' (try 'rv100 help')\n", name);
    } else {
        print_commands(stderr);
    }
    return TOOL_UNUSABLE;
}
