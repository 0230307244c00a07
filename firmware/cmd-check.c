/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 check: what could go wrong in an image. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "commands.h"
#include "disasm.h"
#include "image.h"
#include "words.h"

typedef struct CheckOptions {
    const char *chip, *symbols, *known;
} CheckOptions;

static const ToolOption options[] = {
    { "chip", 'c', TOOL_STRING, offsetof(CheckOptions, chip), "CHIP",
      "r128, r100, r200 or r300 (default: what entry 2 of IMAGE says)" },
    { "symbols", 's', TOOL_STRING, offsetof(CheckOptions, symbols), "FILE",
      "names of words, as for rv100 disasm" },
    { "known", 'k', TOOL_STRING, offsetof(CheckOptions, known), "FILE",
      "findings that are as they should be: lines 'ADDRESS KIND # REASON'" },
    { NULL }
};

typedef bool Known[RV100_ME_WORDS][CHECK_KINDS];

static bool known_line(Known known, char *line)
{
    g_auto(GStrv) words = NULL;
    uint32_t addr;
    int kind;

    if (strchr(line, '#')) {
        *strchr(line, '#') = 0;
    }
    g_strstrip(line);
    if (!*line) {
        return true;
    }
    words = g_strsplit_set(line, " \t", 2);
    if (!words[1] || !words_hex(words[0], strlen(words[0]), &addr) ||
        addr >= RV100_ME_WORDS ||
        (kind = check_kind(g_strstrip(words[1]))) < 0) {
        return false;
    }
    known[addr][kind] = true;
    return true;
}

static bool load_known(const char *path, Known known, GError **error)
{
    size_t len;
    g_autofree char *text = tool_read(path, &len, error);
    g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;

    for (unsigned i = 0; lines && lines[i]; i++) {
        if (!known_line(known, lines[i])) {
            tool_set_error(error, "%s:%u: 'ADDRESS KIND # REASON' expected",
                           path, i + 1);
            return false;
        }
    }
    return text != NULL;
}

static unsigned print_findings(const Flow *f, const Labels *l, Known known)
{
    g_autoptr(GArray) all = check_image(f);
    unsigned n = 0;

    for (unsigned i = 0; i < all->len; i++) {
        const CheckFinding *c = &g_array_index(all, CheckFinding, i);
        g_autofree char *place = labels_place(l, c->addr);

        if (!known[c->addr][c->kind]) {
            printf("%02x %s: %s: %s\n", c->addr, place,
                   check_kind_name(c->kind), c->text);
            n++;
        }
    }
    return n;
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const CheckOptions *o = opaque;
    Known known = { { false } };
    GError *error = NULL;
    g_autoptr(Listing) x = listing_load(args[0], o->chip, o->symbols, &error);

    if (!x || (o->known && !load_known(o->known, known, &error))) {
        return tool_fail("check", error, TOOL_UNUSABLE);
    }
    return print_findings(&x->f, &x->l, known) ? TOOL_FOUND : TOOL_OK;
}

const ToolCommand cmd_check = {
    .name = "check",
    .args = "IMAGE",
    .min_args = 1,
    .max_args = 1,
    .summary = "Look for what could hang the engine in an image",
    .detail =
        "A line for each finding: address, place, kind, text. Kinds: entry, "
        "opcode (no code where a packet begins), endless (a loop that may "
        "never take a word), empty, table, data, wrap (runs into what is no "
        "code), stack (more than two return addresses), return (with an empty "
        "stack), unknown (operations), overwrite (of code).\n\n"
        "Exit status 1 when there is a finding that --known does not list.",
    .options = options,
    .size = sizeof(CheckOptions),
    .run = run,
};
