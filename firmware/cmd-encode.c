/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 encode: the text of 'rv100 decode', or one's own, to words. */
#include <string.h>

#include "commands.h"
#include "description.h"
#include "encode.h"

typedef struct Options {
    const char *output, *format, *xml, *engine;
} Options;

static const ToolOption options[] = {
    { "output", 'o', TOOL_STRING, offsetof(Options, output), "FILE",
      "where to write (default: standard output)" },
    { "format", 'f', TOOL_STRING, offsetof(Options, format), "FORMAT",
      "text (default), le or be" },
    { "xml", 0, TOOL_STRING, offsetof(Options, xml), "FILE",
      "instructions of a genxml file, or the built-in gen75-media" },
    { "engine", 0, TOOL_STRING, offsetof(Options, engine), "NAME",
      "only instructions of this engine (--xml)" },
    { NULL }
};

static const char *const formats[] = { "text", "le", "be" };

static bool find_format(const char *name, unsigned *format, GError **error)
{
    for (*format = 0; *format < G_N_ELEMENTS(formats); (*format)++) {
        if (!name || !strcmp(name, formats[*format])) {
            return true;
        }
    }
    tool_set_error(error, "no format '%s'; there are: text le be", name);
    return false;
}

static GString *format_words(const GArray *words, unsigned format)
{
    GString *s = g_string_new(NULL);

    for (guint i = 0; i < words->len; i++) {
        uint32_t w = g_array_index(words, uint32_t, i);

        if (format == 0) {
            g_string_append_printf(s, "%08x%c", w,
                                   i % 8 == 7 || i + 1 == words->len ? '\n'
                                                                     : ' ');
            continue;
        }
        w = format == 1 ? GUINT32_TO_LE(w) : GUINT32_TO_BE(w);
        g_string_append_len(s, (const char *)&w, 4);
    }
    return s;
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const Options *o = opaque;
    const char *path = n_args ? args[0] : "-";
    g_auto(Description) x = { NULL, NULL };
    g_autofree char *text = NULL;
    g_autoptr(GArray) words = NULL;
    g_autoptr(GString) s = NULL;
    GError *error = NULL;
    unsigned format;
    size_t len;

    if (!find_format(o->format, &format, &error) ||
        !description_load(&x, o->xml, o->engine, false, &error) ||
        !(text = tool_read(path, &len, &error)) ||
        !(words = encode_text(x.set, strcmp(path, "-") ? path
                              : "standard input", text, len, &error))) {
        return tool_fail("encode", error, TOOL_UNUSABLE);
    }
    s = format_words(words, format);
    if (!tool_write(o->output, s->str, s->len, &error)) {
        return tool_fail("encode", error, TOOL_FOUND);
    }
    return TOOL_OK;
}

const ToolCommand cmd_encode = {
    .name = "encode",
    .args = "[FILE]",
    .summary = "Make command words of a readable text",
    .detail =
        "FILE (default: standard input) is the text that 'rv100 decode' "
        "prints, or written by hand: a packet at the left margin, below it "
        "NAME = value lines in the order of the layout. What is left out has "
        "its default, else 0. Lengths are filled in.\n\n"
        "TYPE0 and TYPE1 are followed by REGISTER = value lines; a value may "
        "be a number or { FIELD = value, ... }. CNTL_ before the name of a "
        "packet: with a settings block. OP_nn: type 3 by its number, followed "
        "by DATA lines. A number alone is a word. WORD[n] = value replaces a "
        "word of the packet, WORDS = n sets their number.",
    .options = options,
    .size = sizeof(Options),
    .max_args = 1,
    .run = run,
};
