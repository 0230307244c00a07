/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debugger: disassemble, backtrace, packets, cover, regs. */
#include <string.h>

#include "dbg.h"
#include "tool.h"

#define AROUND 5                /* words before and behind the pc */

/* --- disassemble --- */

static void show_words(Rv100Debug *d, unsigned first, unsigned last)
{
    dbg_symbols_update(d);
    for (unsigned at = first; at <= last && at < RV100_ME_WORDS; at++) {
        bool here = d->me->phase == RV100_ME_RUN && at == d->me->pc;

        dbg_say_word(d, d->out, at, here ? "=>" : "  ");
    }
}

static void cmd_disassemble(Rv100Debug *d, char *args)
{
    char *first = dbg_word(&args), *last = dbg_word(&args);
    uint64_t from, to, pc = d->me->pc;

    if (!first) {
        show_words(d, (unsigned)(pc < AROUND ? 0 : pc - AROUND),
                   (unsigned)pc + AROUND);
        return;
    }
    if (!dbg_number(d, first, &from) || (last && !dbg_number(d, last, &to))) {
        return;
    }
    if (!last) {
        to = from + 2 * AROUND;
    }
    if (from >= RV100_ME_WORDS || to < from) {
        dbg_error(d, "disassemble FIRST LAST: microcode addresses, first <= last");
        return;
    }
    show_words(d, (unsigned)from, (unsigned)MIN(to, RV100_ME_WORDS - 1));
}

/* --- backtrace --- */

static void cmd_backtrace(Rv100Debug *d, char *args)
{
    const DbgPacket *p = dbg_last_packet(d);
    DbgRegs r;

    dbg_view(d, &r);
    if (r.v[DBG_PHASE] != RV100_ME_RUN) {
        dbg_say_place(d, d->out);
        return;
    }
    for (unsigned n = 0; n <= r.v[DBG_DEPTH]; n++) {
        unsigned depth = r.v[DBG_DEPTH] - n;
        unsigned at = n == 0 ? r.v[DBG_PC] : r.v[DBG_STACK0 + depth];
        g_autofree char *name = dbg_place_name(d, at);

        dbg_print(d, "#%u  0x%02x %s%s\n", n, at, name,
                  n ? "  (returns there)" : "");
    }
    if (p) {
        g_autofree char *name = dbg_place_name(d, p->entry);

        dbg_print(d, "packet %" PRIu64 ": ", p->number);
        dbg_header_print(d->out, p->header);
        dbg_print(d, ", %u left, entry %s\n", r.v[DBG_LEFT], name);
    }
}

/* --- packets --- */

void dbg_packet_seen(Rv100Debug *d, uint32_t header, uint8_t entry)
{
    DbgPacket *p = &d->packets[d->n_packets % DBG_PACKETS];
    uint32_t left = d->me->left;

    *p = (DbgPacket) { .number = ++d->n_packets, .header = header,
                       .entry = entry };
    p->n = (uint8_t)rv100_debug_coming(d->chip, p->words,
                                        MIN(left, DBG_PACKET_WORDS));
    d->types[header >> 30]++;
    if (header >> 30 == 3) {
        d->opcodes[header >> 8 & 0x7f]++;
    }
    if (d->trace.packets && !d->off) {
        dbg_trace_packet(d, p);
    }
}

/* A packet by its number. After the engine was brought back those of the future
 * may have taken the place of older ones. */
static const DbgPacket *find_packet(const Rv100Debug *d, uint64_t number)
{
    const DbgPacket *p = &d->packets[(number - 1) % DBG_PACKETS];

    return number && p->number == number ? p : NULL;
}

const DbgPacket *dbg_last_packet(const Rv100Debug *d)
{
    return find_packet(d, d->n_packets);
}

void rv100_debug_counts(const Rv100Debug *d, Rv100DebugCounts *counts)
{
    counts->packets = d->n_packets;
    memcpy(counts->types, d->types, sizeof(counts->types));
    memcpy(counts->opcodes, d->opcodes, sizeof(counts->opcodes));
}

void rv100_debug_set_counts(Rv100Debug *d, const Rv100DebugCounts *counts)
{
    d->n_packets = counts->packets;
    memcpy(d->types, counts->types, sizeof(counts->types));
    memcpy(d->opcodes, counts->opcodes, sizeof(counts->opcodes));
}

/* The registers that a packet of type 0 or 1 writes, and their fields. */
static void say_register_words(GString *s, const DbgPacket *p)
{
    unsigned type = p->header >> 30;

    for (unsigned i = 0; i < p->n; i++) {
        uint32_t dword = type == 1 ? p->header >> (i ? 11 : 0) & 0x7ff
            : (p->header & 0x1fff) + (p->header >> 15 & 1 ? 0 : i);
        const Rv100RegInfo *r = rv100_mmio_info(4 * dword);

        g_string_append(s, "        ");
        dbg_reg_title(s, 4 * dword);
        g_string_append_printf(s, " = 0x%08x", p->words[i]);
        if (r) {
            dbg_fields_print(s, r, p->words[i]);
        }
        g_string_append_c(s, '\n');
    }
}

/* The words of a packet of type 3 as the description lays them out, as far as
 * they are known. */
static void say_layout(Rv100Debug *d, GString *s, const DbgPacket *p)
{
    static const DecodeOptions options;
    uint32_t words[1 + DBG_PACKET_WORDS] = { p->header };
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(Decoder) decoder = NULL;
    g_auto(GStrv) lines = NULL;

    if (!p->n) {
        return;
    }
    d->layouts = d->layouts ? d->layouts : decode_set_pm4();
    decoder = decoder_new(d->layouts, &options, text);
    memcpy(words + 1, p->words, 4 * p->n);
    decoder_packet(decoder, 0, words, 1 + p->n);
    lines = g_strsplit(g_strchomp(text->str), "\n", -1);
    /* the first says again what the header is */
    for (char **line = lines + 1; *lines && *line; line++) {
        g_string_append_printf(s, "    %s\n", *line);
    }
}

void dbg_say_packet(Rv100Debug *d, GString *s, const DbgPacket *p)
{
    uint32_t words = (p->header >> 16 & 0x3fff) + 1;

    g_string_append_printf(s, "%6" PRIu64 "  0x%08x  ", p->number, p->header);
    dbg_header_print(s, p->header);
    if (p->header >> 30 == 3) {
        g_autofree char *name = dbg_place_name(d, p->entry);

        g_string_append_printf(s, " -> %s", name);
    }
    g_string_append_c(s, '\n');
    words = p->header >> 30 == 1 ? 2 : words;
    if (p->header >> 30 == 3) {
        for (unsigned i = 0; i < p->n; i++) {
            g_string_append_printf(s, "%s0x%08x%s", i % 4 ? "  " : "        ",
                                   p->words[i], i % 4 == 3 || i + 1 == p->n
                                   ? "\n" : "");
        }
        say_layout(d, s, p);
    } else {
        say_register_words(s, p);
    }
    if (p->n < words) {
        g_string_append_printf(s, "        (%u more)\n", words - p->n);
    }
}

void dbg_show_packets(Rv100Debug *d, unsigned n)
{
    uint64_t have = MIN(d->n_packets, DBG_PACKETS);

    if (!have) {
        dbg_print(d, "No packet was seen since the debugger came.\n");
    } else if (!dbg_last_packet(d)) {
        dbg_print(d, "The last packets are not remembered any more.\n");
    }
    for (uint64_t i = MIN(n, have); i > 0; i--) {
        const DbgPacket *p = find_packet(d, d->n_packets - i + 1);

        if (p) {
            dbg_say_packet(d, d->out, p);
        }
    }
}

static void cmd_packets(Rv100Debug *d, char *args)
{
    uint64_t n;

    if (dbg_count(d, args, 1, DBG_PACKETS, 10, &n)) {
        dbg_show_packets(d, (unsigned)n);
    }
}

/* --- coverage --- */

static void cover_all(Rv100Debug *d)
{
    const DbgSymbols *y = &d->symbols;
    unsigned code = 0, done = 0, section = 0;
    uint64_t steps = 0;

    for (unsigned at = 0; at <= RV100_ME_WORDS; at++) {
        if (at == RV100_ME_WORDS || (y->labels.head[at] && at > section)) {
            if (code) {
                g_autofree char *name = labels_place(&y->labels, section);

                dbg_print(d, "  %-28s %3u of %3u words  %12" PRIu64 " steps\n",
                          name, done, code, steps);
            }
            section = at;
            code = done = 0;
            steps = 0;
        }
        if (at < RV100_ME_WORDS && y->flow.code[at]) {
            code++;
            done += d->me->cover[at] > 0;
            steps += d->me->cover[at];
        }
    }
}

static void cmd_cover(Rv100Debug *d, char *args)
{
    char *word = dbg_word(&args);
    uint64_t at;

    dbg_symbols_update(d);
    if (!word) {
        cover_all(d);
    } else if (!strcmp(word, "clear")) {
        memset(d->me->cover, 0, sizeof(d->me->cover));
        dbg_changed(d);
    } else if (dbg_number(d, word, &at)) {
        unsigned first = at < RV100_ME_WORDS
            ? labels_section(&d->symbols.labels, (unsigned)at) : RV100_ME_WORDS;

        if (first == RV100_ME_WORDS) {
            dbg_error(d, "microcode addresses end at 0xff");
        }
        for (unsigned i = first; i < RV100_ME_WORDS
             && (i == first || !d->symbols.labels.head[i]); i++) {
            g_autofree char *times = g_strdup_printf("%12" PRIu64 " ", d->me->cover[i]);

            dbg_say_word(d, d->out, i, times);
        }
    }
}

/* --- regs --- */

static void show_reg(Rv100Debug *d, const Rv100RegInfo *r)
{
    uint32_t v = rv100_peek(d->chip, r->offset);

    dbg_print(d, "  0x%04x %-28s 0x%08x", r->offset, r->name, v);
    dbg_fields_print(d->out, r, v);
    dbg_print(d, "\n");
}

static void cmd_regs(Rv100Debug *d, char *args)
{
    g_autofree char *upper = g_ascii_strup(g_strstrip(args), -1);
    g_autoptr(GPatternSpec) pattern = NULL;
    unsigned shown = 0;

    if (strlen(upper) > 64) {
        dbg_error(d, "a pattern of at most 64 characters expected");
        return;
    }
    if (*upper && !strpbrk(upper, "*?")) {
        g_autofree char *part = g_strdup_printf("*%s*", upper);

        pattern = g_pattern_spec_new(dbg_chip_reg(upper, strlen(upper)) ? upper
                                     : part);
    } else {
        pattern = g_pattern_spec_new(*upper ? upper : "*");
    }
    for (unsigned i = 0; i < rv100_n_mmio_regs; i++) {
        const Rv100RegInfo *r = &rv100_mmio_regs[i];
        g_autofree char *name = g_ascii_strup(r->name, -1);

        if (!g_pattern_spec_match_string(pattern, name)
            || (!*upper && (r->storage != r->offset
                            || rv100_peek(d->chip, r->offset) == r->reset))) {
            continue;
        }
        show_reg(d, r);
        shown++;
    }
    if (!shown) {
        dbg_error(d, "no register is named so");
    }
}

const DbgCommand dbg_show_commands[] = {
    { "disassemble", "[FIRST [LAST]]", "Microcode with labels, around the pc",
      cmd_disassemble, DBG_COMPLETE_LABEL, NULL, false, true },
    { "list", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, false, true },
    { "backtrace", "", "The call stack and the packet", cmd_backtrace,
      DBG_COMPLETE_NONE, NULL, false, true },
    { "bt", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, false, true },
    { "packets", "[N]", "The last N (10) packets, decoded", cmd_packets,
      DBG_COMPLETE_NONE, NULL, false, true },
    { "cover", "[ADDR | clear]", "How often words were executed", cmd_cover,
      DBG_COMPLETE_LABEL, NULL, false, true },
    { "regs", "[PATTERN]", "Registers of the chip with their fields\n"
      "PATTERN: a part of the name, or with * and ?. Without one: those that are "
      "not as after a reset.",
      cmd_regs, DBG_COMPLETE_REG, NULL, false, true },
    { 0 }
};
