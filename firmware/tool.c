/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options, files and messages of the command-line tool. */
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_FILE (64u << 20)
#define MAX_QUOTE 40
#define MAX_MESSAGE 600         /* bytes of a message */

GQuark tool_error_quark(void)
{
    return g_quark_from_static_string("rv100-tool");
}

void tool_set_error(GError **error, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    if (error) {
        *error = g_error_new_valist(TOOL_ERROR, 0, format, ap);
    }
    va_end(ap);
}

static const ToolOption *find_option(const ToolCommand *cmd, const char *name,
                                     size_t len, char letter)
{
    for (const ToolOption *o = cmd->options; o->name; o++) {
        if (name ? strlen(o->name) == len && !memcmp(o->name, name, len)
                 : o->letter == letter) {
            return o;
        }
    }
    return NULL;
}

static bool set_number(const ToolOption *o, const char *value, uint64_t *out,
                       GError **error)
{
    char *end;

    errno = 0;
    *out = g_ascii_strtoull(value, &end, 0);
    if (!g_ascii_isdigit(value[0]) || *end || errno) {
        tool_set_error(error, "--%s wants a number, not '%s'", o->name, value);
        return false;
    }
    return true;
}

/* Is it "-name", the long form with one dash, as gdb's "-batch"? */
static bool short_dash(const ToolCommand *cmd, const char *arg)
{
    return arg[1] && arg[2]
        && find_option(cmd, arg + 1, strcspn(arg + 1, "="), 0);
}

/* One option at argv[*i]: "--name", "--name=value", "--name value", "-xvalue",
 * "-x value" or "-name". */
static bool parse_option(const ToolCommand *cmd, int argc, char **argv, int *i,
                         void *options, GError **error)
{
    const char *arg = argv[*i];
    bool longer = arg[1] == '-' || short_dash(cmd, arg);
    const char *name = arg + (arg[1] == '-' ? 2 : 1);
    size_t len = longer ? strcspn(name, "=") : 0;
    const ToolOption *o = find_option(cmd, longer ? name : NULL, len, arg[1]);
    const char *value = longer ? (name[len] ? name + len + 1 : NULL)
                               : (arg[2] ? arg + 2 : NULL);
    uint8_t *at;

    if (!o) {
        tool_set_error(error, "unknown option '%s' (try 'rv100 help %s')", arg,
                       cmd->name);
        return false;
    }
    at = (uint8_t *)options + o->offset;
    if (o->type == TOOL_FLAG) {
        if (value) {
            tool_set_error(error, "--%s takes no value", o->name);
            return false;
        }
        *(bool *)at = true;
        return true;
    }
    if (!value) {
        if (*i + 1 >= argc) {
            tool_set_error(error, "--%s wants a value (%s)", o->name, o->arg);
            return false;
        }
        value = argv[++*i];
    }
    if (o->type == TOOL_NUMBER) {
        return set_number(o, value, (uint64_t *)at, error);
    }
    *(const char **)at = value;
    return true;
}

bool tool_parse(const ToolCommand *cmd, int argc, char **argv, void *options,
                char **args, unsigned *n_args, GError **error)
{
    bool only_args = false;

    *n_args = 0;
    for (int i = 1; i < argc; i++) {
        if (only_args || argv[i][0] != '-' || !argv[i][1]) {
            args[(*n_args)++] = argv[i];
        } else if (!strcmp(argv[i], "--")) {
            only_args = true;
        } else if (!parse_option(cmd, argc, argv, &i, options, error)) {
            return false;
        }
    }
    if (*n_args < cmd->min_args || *n_args > cmd->max_args) {
        g_autofree char *synopsis = tool_synopsis(cmd);

        tool_set_error(error, "too %s arguments; usage: rv100 %s",
                       *n_args < cmd->min_args ? "few" : "many", synopsis);
        return false;
    }
    return true;
}

char *tool_synopsis(const ToolCommand *cmd)
{
    return g_strdup_printf("%s%s%s%s", cmd->name,
                           cmd->options->name ? " [OPTION...]" : "",
                           cmd->args[0] ? " " : "", cmd->args);
}

/* Without control characters, and without the middle if it is long: the place
 * stands in front, the reason at the end. */
static char *one_line(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    glong n = g_utf8_strlen(valid, -1);
    GString *s = g_string_new(NULL);
    glong i = 0;

    for (const char *p = valid; *p; p = g_utf8_next_char(p), i++) {
        gunichar c = g_utf8_get_char(p);

        if (n > MAX_MESSAGE && i == MAX_MESSAGE / 2) {
            p = g_utf8_offset_to_pointer(p, n - MAX_MESSAGE);
            c = g_utf8_get_char(p);
            g_string_append(s, " ... ");
        }
        if (g_unichar_iscntrl(c)) {
            g_string_append_c(s, ' ');
        } else {
            g_string_append_unichar(s, c);
        }
    }
    return g_string_free(s, FALSE);
}

int tool_fail(const char *cmd, GError *error, int status)
{
    g_autofree char *line = one_line(error->message);

    fflush(stdout);
    fprintf(stderr, "rv100 %s: %s\n", cmd, line);
    g_error_free(error);
    return status;
}

char *tool_read(const char *path, size_t *len, GError **error)
{
    bool std = !strcmp(path, "-");
    FILE *f = std ? stdin : fopen(path, "rb");
    GString *all;
    char buf[16384];
    size_t n;
    int err;

    if (!f) {
        tool_set_error(error, "cannot open %s: %s", path, g_strerror(errno));
        return NULL;
    }
    all = g_string_new(NULL);
    while (all->len <= MAX_FILE && (n = fread(buf, 1, sizeof(buf), f)) > 0) {
        g_string_append_len(all, buf, n);
    }
    err = ferror(f) ? errno : 0;
    if (!std) {
        fclose(f);
    }
    if (err || all->len > MAX_FILE) {
        tool_set_error(error, "cannot read %s: %s",
                       std ? "standard input" : path,
                       err ? g_strerror(err) : "larger than 64 MiB");
        g_string_free(all, TRUE);
        return NULL;
    }
    *len = all->len;
    return g_string_free(all, FALSE);
}

bool tool_flush(GError **error)
{
    if (fflush(stdout) || ferror(stdout)) {
        tool_set_error(error, "cannot write standard output: %s",
                       g_strerror(errno));
        return false;
    }
    return true;
}

bool tool_write(const char *path, const char *data, size_t len, GError **error)
{
    FILE *f;
    bool ok;

    if (!path || !strcmp(path, "-")) {
        fwrite(data, 1, len, stdout);
        return true;
    }
    f = fopen(path, "wb");
    ok = f && fwrite(data, 1, len, f) == len;
    if (f && fclose(f)) {
        ok = false;
    }
    if (!ok) {
        tool_set_error(error, "cannot write %s: %s", path, g_strerror(errno));
    }
    return ok;
}

char *tool_quote(const char *text, size_t len)
{
    GString *s = g_string_new(NULL);

    for (size_t i = 0; i < len && i < MAX_QUOTE; i++) {
        unsigned char c = text[i];

        if (c >= 0x20 && c < 0x7f) {
            g_string_append_c(s, c);
        } else {
            g_string_append_printf(s, "\\x%02x", c);
        }
    }
    if (len > MAX_QUOTE) {
        g_string_append(s, "...");
    }
    return g_string_free(s, FALSE);
}
