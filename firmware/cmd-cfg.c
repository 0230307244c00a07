/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 cfg: control flow of an image as a Graphviz graph. */
#include <stdio.h>

#include "commands.h"
#include "disasm.h"
#include "image.h"

typedef struct CfgOptions {
    const char *output, *chip, *symbols;
} CfgOptions;

static const ToolOption options[] = {
    { "output", 'o', TOOL_STRING, offsetof(CfgOptions, output), "FILE",
      "graph to write (default: standard output)" },
    { "chip", 'c', TOOL_STRING, offsetof(CfgOptions, chip), "CHIP",
      "r128, r100, r200 or r300 (default: what entry 2 of IMAGE says)" },
    { "symbols", 's', TOOL_STRING, offsetof(CfgOptions, symbols), "FILE",
      "names of words, as for rv100 disasm" },
    { NULL }
};

typedef struct Cfg {
    const Flow *f;
    const Labels *l;
    GString *s;
} Cfg;

/* Does control leave the word in any other way than to the next one? */
static bool ends_block(const Flow *f, unsigned pc)
{
    FlowNext next;

    flow_next(f, pc, &next);
    return next.n != 1 || next.to[0] != (uint8_t)(pc + 1);
}

static bool begins_block(const Flow *f, unsigned pc)
{
    return f->code[pc] && (f->target[pc] || !pc || !f->code[pc - 1] ||
                           ends_block(f, pc - 1));
}

static unsigned block_end(const Flow *f, unsigned first)
{
    unsigned pc = first;

    while (pc < 0xff && !ends_block(f, pc) && !begins_block(f, pc + 1)) {
        pc++;
    }
    return pc;
}

static void put_text(GString *s, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\') {
            g_string_append_c(s, '\\');
        }
        g_string_append_c(s, *p);
    }
}

static void put_word(Cfg *c, unsigned pc)
{
    g_autoptr(GString) text = g_string_new(NULL);

    disasm_word(text, c->f, c->l, pc);
    g_string_append_printf(c->s, "%02x  ", pc);
    put_text(c->s, text->str);
    g_string_append(c->s, "\\l");
}

static void put_edges(Cfg *c, unsigned first, unsigned last)
{
    static const char *const styles[] = {
        [FLOW_GO] = "", [FLOW_CALL] = " [style=bold, color=blue]",
        [FLOW_BACK] = " [style=dashed]",
    };
    FlowNext next;

    flow_next(c->f, last, &next);
    for (unsigned i = 0; i < next.n; i++) {
        g_string_append_printf(c->s, "    w%02x -> w%02x%s;\n", first,
                               next.to[i], styles[next.way[i]]);
    }
}

static void put_block(Cfg *c, unsigned first)
{
    unsigned last = block_end(c->f, first);

    g_string_append_printf(c->s, "    w%02x [label=\"", first);
    if (c->l->name[first]) {
        g_string_append_printf(c->s, "%s:\\l", c->l->name[first]);
    }
    for (unsigned pc = first; pc <= last; pc++) {
        put_word(c, pc);
    }
    g_string_append(c->s, "\"];\n");
    put_edges(c, first, last);
}

/* Words that nothing reaches and nothing reads, in runs. */
static void put_unreached(Cfg *c)
{
    const Flow *f = c->f;

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        unsigned first = i;

        while (i < RV100_ME_WORDS && !f->code[i] && !f->data[i] &&
               !flow_is_table(f, i) && (f->image.hi[i] || f->image.lo[i])) {
            i++;
        }
        if (i > first) {
            g_string_append_printf(c->s, "    w%02x [label=\"not reached\\l",
                                   first);
            for (unsigned pc = first; pc < i; pc++) {
                put_word(c, pc);
            }
            g_string_append(c->s, "\", style=filled, fillcolor=grey80, "
                            "fontcolor=grey30];\n");
        }
    }
}

static void put_dispatch(Cfg *c)
{
    static const char *const types[FLOW_ENTRIES] = {
        "type 0", "type 0, one register", "type 1", "settings"
    };

    g_string_append(c->s, "    dispatch [shape=ellipse];\n");
    for (unsigned i = 0; i < FLOW_ENTRIES; i++) {
        if (c->f->code[i]) {
            g_string_append_printf(c->s, "    dispatch -> w%02x [color=red, "
                                   "label=\"%s\"];\n", i, types[i]);
        }
    }
    for (unsigned op = 0; op < FLOW_OPCODES; op++) {
        uint8_t target = flow_dispatch(c->f, op);
        const char *name = isa_packet_name(op);

        if (target) {
            g_string_append_printf(c->s, "    dispatch -> w%02x [color=red, "
                                   "label=\"%02x %s\"];\n", target, op,
                                   name ? name : "");
        }
    }
}

static void put_graph(Cfg *c)
{
    g_string_append(c->s, "digraph microcode {\n"
                    "    node [shape=box, fontname=monospace];\n");
    put_dispatch(c);
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (begins_block(c->f, i)) {
            put_block(c, i);
        }
    }
    put_unreached(c);
    g_string_append(c->s, "}\n");
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const CfgOptions *o = opaque;
    g_autoptr(GString) s = g_string_new(NULL);
    GError *error = NULL;
    g_autoptr(Listing) x = listing_load(args[0], o->chip, o->symbols, &error);

    if (!x) {
        return tool_fail("cfg", error, TOOL_UNUSABLE);
    }
    put_graph(&(Cfg) { &x->f, &x->l, s });
    if (!tool_write(o->output, s->str, s->len, &error)) {
        return tool_fail("cfg", error, TOOL_FOUND);
    }
    return TOOL_OK;
}

const ToolCommand cmd_cfg = {
    .name = "cfg",
    .args = "IMAGE",
    .min_args = 1,
    .max_args = 1,
    .summary = "Draw the control flow of an image (Graphviz)",
    .detail =
        "Boxes are blocks of words; red edges come from packets, blue ones are "
        "calls, dashed ones returns from them; grey boxes are words that no "
        "packet reaches. 'rv100 cfg IMAGE | dot -Tsvg > image.svg' makes a "
        "picture.",
    .options = options,
    .size = sizeof(CfgOptions),
    .run = run,
};
