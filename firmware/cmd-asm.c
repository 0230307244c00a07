/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 asm: source to image. */
#include <stdio.h>
#include <string.h>

#include "asm.h"
#include "commands.h"
#include "image.h"

typedef struct AsmOptions {
    const char *output, *format, *listing, *symbols, *depend, *name;
    bool werror;
} AsmOptions;

static const ToolOption options[] = {
    { "output", 'o', TOOL_STRING, offsetof(AsmOptions, output), "FILE",
      "image to write (default: standard output)" },
    { "format", 'f', TOOL_STRING, offsetof(AsmOptions, format), "FORMAT",
      "bin (linux-firmware), c (array) or text (addresses)" },
    { "listing", 'l', TOOL_STRING, offsetof(AsmOptions, listing), "FILE",
      "source with addresses and bits" },
    { "symbols", 's', TOOL_STRING, offsetof(AsmOptions, symbols), "FILE",
      "labels, in the form that rv100 disasm --symbols reads" },
    { "depend", 'M', TOOL_STRING, offsetof(AsmOptions, depend), "FILE",
      "a make rule with all files that were read" },
    { "name", 'n', TOOL_STRING, offsetof(AsmOptions, name), "NAME",
      "name of the C array (default: microcode)" },
    { "werror", 'W', TOOL_FLAG, offsetof(AsmOptions, werror), NULL,
      "take warnings for errors" },
    { NULL }
};

static char *make_rule(const AsmOptions *o, const AsmResult *r)
{
    GString *s = g_string_new(o->output ? o->output : "-");

    g_string_append_c(s, ':');
    for (unsigned i = 0; i < r->files->len; i++) {
        g_string_append_printf(s, " %s",
                               (const char *)g_ptr_array_index(r->files, i));
    }
    g_string_append_c(s, '\n');
    return g_string_free(s, FALSE);
}

static bool write_string(const char *path, const char *text, GError **error)
{
    return !path || tool_write(path, text, strlen(text), error);
}

static bool write_all(const AsmOptions *o, const AsmResult *r,
                      ImageFormat format, GError **error)
{
    size_t len;
    g_autofree char *data = image_format_data(&r->image, format, o->name
                                              ? o->name : "microcode", &len);
    g_autofree char *rule = make_rule(o, r);

    return tool_write(o->output, data, len, error) &&
           write_string(o->listing, r->listing->str, error) &&
           write_string(o->symbols, r->symbols->str, error) &&
           write_string(o->depend, rule, error);
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const AsmOptions *o = opaque;
    const char *name = strcmp(args[0], "-") ? args[0] : "<stdin>";
    GError *error = NULL;
    g_autofree char *text = NULL;
    ImageFormat format;
    AsmResult r;
    int status = TOOL_OK;
    size_t len;

    if (!image_format(o->format, &format, &error) ||
        !(text = tool_read(args[0], &len, &error))) {
        return tool_fail("asm", error, TOOL_UNUSABLE);
    }
    asm_text(name, text, len, &r);
    fputs(r.messages->str, stderr);
    if (r.n_errors || (o->werror && r.n_warnings)) {
        fprintf(stderr, "%s: %u error%s, %u warning%s; nothing written\n", name,
                r.n_errors, r.n_errors == 1 ? "" : "s",
                r.n_warnings, r.n_warnings == 1 ? "" : "s");
        status = TOOL_UNUSABLE;
    } else if (!write_all(o, &r, format, &error)) {
        status = tool_fail("asm", error, TOOL_FOUND);
    }
    asm_result_clear(&r);
    return status;
}

const ToolCommand cmd_asm = {
    .name = "asm",
    .args = "SOURCE",
    .min_args = 1,
    .max_args = 1,
    .summary = "Assemble microcode",
    .detail =
        "SOURCE is a text in the language of docs/microcode-language.md, - for "
        "standard input. Errors are printed as FILE:LINE:COLUMN with the line "
        "and a caret; then nothing is written and the exit status is 2.",
    .options = options,
    .size = sizeof(AsmOptions),
    .run = run,
};
