/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 cover: which words of an image a stream of packets executes. */
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "disasm.h"
#include "image.h"
#include "runner.h"
#include "words.h"

typedef struct CoverOptions {
    const char *firmware, *packets, *chip, *symbols;
    uint64_t max_steps;
    bool listing;
} CoverOptions;

static const ToolOption options[] = {
    { "firmware", 'f', TOOL_STRING, offsetof(CoverOptions, firmware), "IMAGE",
      "microcode image" },
    { "packets", 'p', TOOL_STRING, offsetof(CoverOptions, packets), "FILE",
      "hexadecimal words; - is standard input" },
    { "chip", 'c', TOOL_STRING, offsetof(CoverOptions, chip), "CHIP",
      "r128, r100, r200 or r300 (default: what entry 2 of IMAGE says)" },
    { "symbols", 's', TOOL_STRING, offsetof(CoverOptions, symbols), "FILE",
      "names of words, as for rv100 disasm" },
    { "max-steps", 0, TOOL_NUMBER, offsetof(CoverOptions, max_steps), "N",
      "instructions without taking a word that count as wedged (1000000)" },
    { "listing", 'l', TOOL_FLAG, offsetof(CoverOptions, listing), NULL,
      "print every word with the number of its executions" },
    { NULL }
};

typedef struct Cover {
    const Flow *f;
    const Labels *l;
    const uint64_t *count;
} Cover;

static void print_section(const Cover *c, unsigned first, unsigned end)
{
    unsigned code = 0, done = 0;
    uint64_t total = 0;

    for (unsigned i = first; i < end; i++) {
        code += c->f->code[i];
        done += c->f->code[i] && c->count[i];
        total += c->count[i];
    }
    if (code) {
        printf("%02x-%02x %3u of %3u words %10" PRIu64 " steps  %s\n", first,
               end - 1, done, code, total,
               c->l->name[first] ? c->l->name[first] : "");
    }
}

static void print_sections(const Cover *c)
{
    unsigned first = 0;

    for (unsigned i = 1; i <= RV100_ME_WORDS; i++) {
        if (i == RV100_ME_WORDS || c->l->head[i]) {
            print_section(c, first, i);
            first = i;
        }
    }
}

static void print_listing(const Cover *c)
{
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        g_autoptr(GString) s = g_string_new(NULL);

        if (!c->f->code[i] && !c->count[i]) {
            continue;
        }
        if (c->l->name[i]) {
            printf("%s:\n", c->l->name[i]);
        }
        disasm_word(s, c->f, c->l, i);
        printf("%10" PRIu64 "  %02x  %s\n", c->count[i], i, s->str);
    }
}

static void report(const Cover *c, bool listing)
{
    unsigned code = 0, done = 0;

    print_sections(c);
    if (listing) {
        print_listing(c);
    }
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        code += c->f->code[i];
        done += c->f->code[i] && c->count[i];
    }
    printf("executed %u of %u reachable words (%u %%)\n", done, code,
           code ? 100 * done / code : 0);
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const CoverOptions *o = opaque;
    g_autofree Runner *r = g_new(Runner, 1);
    g_autoptr(Listing) x = NULL;
    g_autoptr(GArray) words = NULL;
    GError *error = NULL;
    RunState state;

    if (!o->firmware || !o->packets) {
        tool_set_error(&error, "--firmware and --packets are needed (try "
                       "'rv100 help cover')");
        return tool_fail("cover", error, TOOL_UNUSABLE);
    }
    if (!(x = listing_load(o->firmware, o->chip, o->symbols, &error)) ||
        !(words = words_load(o->packets, &error))) {
        return tool_fail("cover", error, TOOL_UNUSABLE);
    }
    runner_init(r, &x->f.image, x->f.chip);
    state = runner_run(r, (const uint32_t *)words->data, words->len,
                       o->max_steps ? o->max_steps : RUN_MAX_STEPS);
    report(&(Cover) { &x->f, &x->l, r->me.cover }, o->listing);
    printf("state %s after %" PRIu64 " steps\n", runner_state_name(state),
           r->me.steps);
    return TOOL_OK;
}

const ToolCommand cmd_cover = {
    .name = "cover",
    .args = "--firmware IMAGE --packets FILE",
    .summary = "Count which words of an image a stream of packets executes",
    .detail =
        "A line for each handler: its words, how many of them were executed, "
        "the steps spent there; then the share of all words that a packet can "
        "reach.",
    .options = options,
    .size = sizeof(CoverOptions),
    .run = run,
};
