/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build-time program: isa-doc PROOFS OUTPUT writes the page of the instruction
 * set from the tables of xml/rv100-me.xml and the programs of PROOFS, which it
 * runs. Fails when one of them does not do what it says.
 */
#include <stdio.h>
#include <string.h>

#include "isa.h"
#include "proofs.h"
#include "rv100-me-isa.h"
#include "tool.h"

typedef struct Statement {
    const char *key, *text;
} Statement;

/* What is no code of a unit: the bits, and the rules between packets. */
static const Statement items[] = {
    { "item.latch", "`latch`: pkt = the word at the head of the stream, before "
      "anything else of the instruction" },
    { "item.adv", "`adv`: the head of the stream is taken away, the packet has "
      "one word less" },
    { "item.write_idx", "`write idx`: the register that idx names" },
    { "item.write_me", "`write me[]`: a word of the microcode; its high part is "
      "T[5:0]" },
    { "item.if_flag", "`if_flag`: latch, adv and write only if bit ptr of idx "
      "is set; operations and the next address are not affected" },
    { "item.if_count", "`if_count`: latch, adv and write only if count was not "
      "0" },
};

static const Statement rules[] = {
    { "rule.header", "At the beginning of a packet its header is in pkt, A and "
      "idx; ptr is 0 and the stack is empty" },
    { "rule.type0", "Type 0 begins at word 00, with bit 15 of the header at "
      "word 01" },
    { "rule.type1", "Type 1 begins at word 02 and has two words" },
    { "rule.type2", "Type 2 is skipped" },
    { "rule.type3", "Type 3 begins at the byte of its opcode in the table, "
      "byte (opcode & 3) of word (opcode >> 2)" },
    { "rule.settings", "Type 3 with bit 15 begins at word 03, with the handler "
      "on the stack" },
    { "rule.stack", "The stack holds two addresses; a third drops the oldest. A "
      "return with an empty stack stays where it is" },
    { "rule.old_values", "All units see the registers as they were before the "
      "instruction, but for pkt" },
    { "rule.stall", "Without a word an instruction that needs one waits as a "
      "whole" },
    { "rule.end", "With its last word the packet is over; the instruction is "
      "finished, its next address does not count" },
    { "rule.stale", "A word that was never latched stays at the head when the "
      "stream is exhausted, and is taken for a header" },
    { "rule.wedge", "A program that takes no word never ends" },
};

static const struct {
    const char *name, *text;
    unsigned shift, length;
} fields[] = {
#define FIELD(name, text) \
    { #name, text, ME_WORD_##name##_SHIFT, ME_WORD_##name##_LENGTH }
    FIELD(SEQ, "sequencer: which word comes next"),
    FIELD(CGATE, "`if_count`"),
    FIELD(COND, "`if_flag`"),
    FIELD(MCSEL, "the write goes to the microcode"),
    FIELD(IDXSEL, "idx says where the write goes, not ADDR"),
    FIELD(SRC, "value of the write"),
    FIELD(OP, "index and counter unit"),
    FIELD(ALU, "arithmetic unit"),
    FIELD(ADV, "`adv`"),
    FIELD(WR, "`write`"),
    FIELD(LAT, "`latch`"),
    FIELD(ADDR, "register, microcode address or operand"),
#undef FIELD
};

static const char intro[] =
    "# The instruction set of the command processor\n\n"
    "Made by the build from `xml/rv100-me.xml` and the programs of "
    "`firmware/proofs.txt`, which were run for it.\n\n"
    "How sure each statement is: **H** seen on a real card; **S** forced by the "
    "stock R100 image together with the documented layout of the packets; "
    "**X** forced only by the image of another chip; **P** plausible, no check "
    "distinguishes it; **U** unknown. A program marked *hardware* has results "
    "that were published from a real card; the others show what the model "
    "does.\n\n"
    "The language of the programs is described in "
    "`docs/microcode-language.md`.\n\n";

static void put_fields(GString *s)
{
    g_string_append(s, "## The word\n\nR100 and R200; on the Rage 128 ADDR has "
                    "11 bits and from the R300 on 13, and everything above it "
                    "moves by one bit.\n\n| bits | field | |\n|---|---|---|\n");
    for (unsigned i = 0; i < G_N_ELEMENTS(fields); i++) {
        g_string_append_printf(s, "| %u:%u | %s | %s |\n", fields[i].shift +
                               fields[i].length - 1, fields[i].shift,
                               fields[i].name, fields[i].text);
    }
}

static bool shows(const Proof *p, const char *key)
{
    return g_strv_contains((const char *const *)p->shows, key);
}

static unsigned put_links(GString *s, const GPtrArray *proofs, const char *key)
{
    unsigned n = 0;

    for (unsigned i = 0; i < proofs->len; i++) {
        const Proof *p = g_ptr_array_index(proofs, i);

        if (shows(p, key)) {
            g_string_append_printf(s, "%s[%s](#%s)%s", n++ ? ", " : "", p->name,
                                   p->name, p->hardware ? " *hardware*" : "");
        }
    }
    return n;
}

static void put_chips(GString *s, IsaUnit unit, unsigned code)
{
    unsigned known = 0, all = 0;

    for (; rv100_me_chips()[all]; all++) {
        known += isa_known(rv100_me_chips()[all], unit, code);
    }
    for (unsigned i = 0; i < all && known < all; i++) {
        if (isa_known(rv100_me_chips()[i], unit, code)) {
            g_string_append_printf(s, "%s ", rv100_me_chips()[i]->name);
        }
    }
    g_string_append(s, known == all ? "all" : known ? "" : "none");
}

/* Text of the XML in a cell of a table. */
static void put_cell(GString *s, const char *text)
{
    for (; *text; text++) {
        if (*text == '|') {
            g_string_append_c(s, '\\');
        }
        g_string_append_c(s, *text);
    }
}

/* Statements without a program are an error: the page promises proofs. */
static unsigned put_unit(GString *s, const GPtrArray *proofs, IsaUnit unit,
                         const char *title)
{
    unsigned missing = 0;

    g_string_append_printf(s, "\n## %s\n\n| code | name | effect | sure | chips "
                           "| shown by |\n|---|---|---|---|---|---|\n", title);
    for (unsigned code = 0; code < isa_codes(unit); code++) {
        const IsaName *n = isa_name(unit, code);
        g_autofree char *key = n ? g_strdup_printf("%s.%s", isa_unit_name(unit),
                                                   n->name) : NULL;

        if (!n) {
            continue;
        }
        g_string_append_printf(s, "| %02x | `%s` | ", code, n->name);
        put_cell(s, n->text);
        g_string_append_printf(s, " | %c | ", n->confidence);
        put_chips(s, unit, code);
        g_string_append(s, " | ");
        if (!put_links(s, proofs, key)) {
            fprintf(stderr, "isa-doc: no program shows %s\n", key);
            missing++;
        }
        g_string_append(s, " |\n");
    }
    return missing;
}

static unsigned put_statements(GString *s, const GPtrArray *proofs,
                               const Statement *all, size_t n,
                               const char *title)
{
    unsigned missing = 0;

    g_string_append_printf(s, "\n## %s\n\n| statement | shown by |\n|---|---|\n",
                           title);
    for (size_t i = 0; i < n; i++) {
        g_string_append_printf(s, "| %s | ", all[i].text);
        if (!put_links(s, proofs, all[i].key)) {
            fprintf(stderr, "isa-doc: no program shows %s\n", all[i].key);
            missing++;
        }
        g_string_append(s, " |\n");
    }
    return missing;
}

static void put_packets(GString *s, const Proof *p)
{
    for (unsigned i = 0; i < p->packets->len; i++) {
        const GArray *words = g_ptr_array_index(p->packets, i);

        g_string_append(s, i ? ", then `" : "Packets `");
        for (unsigned w = 0; w < words->len; w++) {
            g_string_append_printf(s, "%s%08x", w ? " " : "",
                                   g_array_index(words, uint32_t, w));
        }
        g_string_append(s, "`");
    }
    g_string_append(s, "\n\n");
}

static void put_proof(GString *s, const Proof *p)
{
    g_string_append_printf(s, "\n### <a id=\"%s\"></a>%s\n\n%s%s\n\n"
                           "```\n%s```\n\n", p->name, p->name, p->text,
                           p->hardware ? " *hardware*" : "", p->source);
    put_packets(s, p);
    g_string_append(s, "| | expected | actual |\n|---|---|---|\n");
    for (unsigned i = 0; i < p->values->len; i++) {
        const ProofValue *v = &g_array_index(p->values, ProofValue, i);

        g_string_append_printf(s, "| %s | %08x | %08x |\n", v->text,
                               v->expected, v->actual);
    }
    g_string_append_printf(s, "| engine | %s | %s |\n",
                           runner_state_name(p->expected),
                           runner_state_name(p->actual));
}

static bool known_key(const char *key)
{
    const char *dot = strchr(key, '.');
    IsaUnit unit;
    const IsaName *n = dot ? isa_find(dot + 1, strlen(dot + 1), &unit) : NULL;

    if (n && !strncmp(key, isa_unit_name(unit), (size_t)(dot - key))) {
        return true;
    }
    if (dot && !strncmp(key, "src.", 4)) {
        return isa_find_src(dot + 1, strlen(dot + 1)) != NULL;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(items); i++) {
        if (!strcmp(items[i].key, key)) {
            return true;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
        if (!strcmp(rules[i].key, key)) {
            return true;
        }
    }
    return false;
}

static unsigned check_proofs(const GPtrArray *proofs)
{
    unsigned bad = 0;

    for (unsigned i = 0; i < proofs->len; i++) {
        const Proof *p = g_ptr_array_index(proofs, i);

        if (!proof_holds(p)) {
            g_autoptr(GString) s = g_string_new(NULL);

            put_proof(s, p);
            fprintf(stderr, "isa-doc: a program does not do what it says:\n%s",
                    s->str);
            bad++;
        }
        for (unsigned k = 0; p->shows[k]; k++) {
            if (!known_key(p->shows[k])) {
                fprintf(stderr, "isa-doc: %s shows '%s', which is nothing\n",
                        p->name, p->shows[k]);
                bad++;
            }
        }
    }
    return bad;
}

int main(int argc, char **argv)
{
    g_autoptr(GString) s = g_string_new(intro);
    g_autoptr(GPtrArray) proofs = NULL;
    g_autoptr(GError) error = NULL;
    unsigned bad;

    if (argc != 3) {
        fprintf(stderr, "usage: isa-doc PROOFS OUTPUT\n");
        return TOOL_UNUSABLE;
    }
    proofs = proofs_load(argv[1], &error);
    if (!proofs) {
        fprintf(stderr, "isa-doc: %s\n", error->message);
        return TOOL_UNUSABLE;
    }
    put_fields(s);
    bad = check_proofs(proofs);
    bad += put_statements(s, proofs, rules, G_N_ELEMENTS(rules), "Rules");
    bad += put_statements(s, proofs, items, G_N_ELEMENTS(items),
                          "Latch, advance, write");
    bad += put_unit(s, proofs, ISA_SRC, "Value of the write (SRC)");
    bad += put_unit(s, proofs, ISA_SEQ, "Sequencer (SEQ)");
    bad += put_unit(s, proofs, ISA_OP, "Index and counter unit (OP)");
    bad += put_unit(s, proofs, ISA_ALU, "Arithmetic unit (ALU)");
    g_string_append(s, "\nCodes without a name have no known effect: no "
                    "operation (SEQ: next word), logged once for each image.\n"
                    "\n## The programs\n");
    for (unsigned i = 0; i < proofs->len; i++) {
        put_proof(s, g_ptr_array_index(proofs, i));
    }
    if (!bad && !tool_write(argv[2], s->str, s->len, &error)) {
        fprintf(stderr, "isa-doc: %s\n", error->message);
        return TOOL_FOUND;
    }
    return bad ? TOOL_FOUND : TOOL_OK;
}
