/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 disasm: image to source. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "disasm.h"
#include "image.h"

typedef struct DisasmOptions {
    const char *output, *chip, *symbols;
    bool raw, marks, plain, xref;
} DisasmOptions;

static const ToolOption options[] = {
    { "output", 'o', TOOL_STRING, offsetof(DisasmOptions, output), "FILE",
      "source to write (default: standard output)" },
    { "chip", 'c', TOOL_STRING, offsetof(DisasmOptions, chip), "CHIP",
      "r128, r100, r200 or r300 (default: what entry 2 of IMAGE says)" },
    { "symbols", 's', TOOL_STRING, offsetof(DisasmOptions, symbols), "FILE",
      "names and comments: lines 'ADDRESS NAME # COMMENT', NAME may be -" },
    { "raw", 'r', TOOL_FLAG, offsetof(DisasmOptions, raw), NULL,
      "all fields of each word in a comment" },
    { "marks", 'm', TOOL_FLAG, offsetof(DisasmOptions, marks), NULL,
      "how sure each operation is: H hardware, S stock image, X image of "
      "another chip, P plausible, U unknown" },
    { "xref", 'x', TOOL_FLAG, offsetof(DisasmOptions, xref), NULL,
      "packets and words that lead to each label" },
    { "plain", 'p', TOOL_FLAG, offsetof(DisasmOptions, plain), NULL,
      "no comments with address and bits" },
    { NULL }
};

static int run(const void *opaque, char **args, unsigned n_args)
{
    const DisasmOptions *o = opaque;
    unsigned style = (o->plain ? 0 : DISASM_ADDRESS) |
                     (o->raw ? DISASM_RAW : 0) |
                     (o->marks ? DISASM_MARKS : 0) |
                     (o->xref ? DISASM_XREF : 0);
    g_autofree char *title = tool_quote(args[0], strlen(args[0]));
    g_autoptr(GString) s = g_string_new(NULL);
    GError *error = NULL;
    g_autoptr(Listing) x = listing_load(args[0], o->chip, o->symbols, &error);

    if (!x) {
        return tool_fail("disasm", error, TOOL_UNUSABLE);
    }
    disasm_image(s, &x->f, &x->l, title, style);
    if (!tool_write(o->output, s->str, s->len, &error)) {
        return tool_fail("disasm", error, TOOL_FOUND);
    }
    return TOOL_OK;
}

const ToolCommand cmd_disasm = {
    .name = "disasm",
    .args = "IMAGE",
    .min_args = 1,
    .max_args = 1,
    .summary = "Disassemble a microcode image",
    .detail =
        "IMAGE is a linux-firmware .bin, a C array, or a dump of lines 'address "
        "high low'. The output assembles to the same bits. Labels come from "
        "the jump table and from --symbols; words that no packet reaches are "
        "shown as data, with what they would do in a comment.",
    .options = options,
    .size = sizeof(DisasmOptions),
    .run = run,
};
