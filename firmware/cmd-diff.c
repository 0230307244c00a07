/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 diff: two images, handler by handler. */
#include <stdio.h>

#include "commands.h"
#include "diff.h"
#include "image.h"

typedef struct DiffOptions {
    const char *chip, *symbols_a, *symbols_b;
    bool brief;
} DiffOptions;

static const ToolOption options[] = {
    { "chip", 'c', TOOL_STRING, offsetof(DiffOptions, chip), "CHIP",
      "of both images (default: what entry 2 of each says)" },
    { "symbols-a", 'a', TOOL_STRING, offsetof(DiffOptions, symbols_a), "FILE",
      "names of words of A, as for rv100 disasm" },
    { "symbols-b", 'b', TOOL_STRING, offsetof(DiffOptions, symbols_b), "FILE",
      "names of words of B" },
    { "brief", 'q', TOOL_FLAG, offsetof(DiffOptions, brief), NULL,
      "only the summary" },
    { NULL }
};

static void print_run(const char *what, DiffRun r)
{
    if (r.length) {
        printf("longest common run%s: %u words, %02x in A, %02x in B\n", what,
               r.length, r.a, r.b);
    } else {
        printf("longest common run%s: none\n", what);
    }
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const DiffOptions *o = opaque;
    g_autoptr(GString) s = g_string_new(NULL);
    g_autoptr(Listing) a = NULL, b = NULL;
    GError *error = NULL;
    unsigned n;

    if (!(a = listing_load(args[0], o->chip, o->symbols_a, &error)) ||
        !(b = listing_load(args[1], o->chip, o->symbols_b, &error))) {
        return tool_fail("diff", error, TOOL_UNUSABLE);
    }
    n = diff_images(s, a, b);
    printf("%s%u lines differ\n", o->brief ? "" : s->str, n);
    print_run("", diff_longest_run(&a->f, &b->f, false));
    print_run(", addresses aside", diff_longest_run(&a->f, &b->f, true));
    return n ? TOOL_FOUND : TOOL_OK;
}

const ToolCommand cmd_diff = {
    .name = "diff",
    .args = "A B",
    .min_args = 2,
    .max_args = 2,
    .summary = "Compare two microcode images handler by handler",
    .detail =
        "Sections begin where packets enter and where a side file names a "
        "word; those of the same name are compared, with jump targets named by "
        "section and constants by value, so that moved code is common. Lines "
        "begin with - (only in A), + (only in B) or a space. The summary tells "
        "the longest runs of words that both images have in common outside "
        "the four entries and the jump tables.\n\n"
        "Exit status 0 when nothing differs, else 1.",
    .options = options,
    .size = sizeof(DiffOptions),
    .run = run,
};
