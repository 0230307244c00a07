/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text form. What stands behind "#" and on lines with ">" is for the
 * reader; the rest says every bit of the packet: encode.c makes the same words
 * of it. Bits that no field has are said by WORD[n], odd lengths by WORDS.
 */
#include "decode-private.h"

#include <string.h>

#include "rv100-pm4.h"

#define COMMENT_COLUMN 40

/* Colours, when they are wanted. */
#define C_NAME "\x1b[1;36m"
#define C_CHANGED "\x1b[32m"
#define C_DIM "\x1b[2m"
#define C_OFF "\x1b[0m"

static void color(Decoder *d, const char *code)
{
    if (G_UNLIKELY(d->o.color)) {
        gx_append_text(d->out, code);
    }
}

static void hex32(GString *s, uint32_t v)
{
    gx_append_hex(s, v, 8);
}

static void indent(Decoder *d, unsigned depth)
{
    static const char spaces[] = "                                ";
    unsigned n = 4 * depth;

    for (; n > sizeof(spaces) - 1; n -= sizeof(spaces) - 1) {
        gx_append(d->out, spaces, sizeof(spaces) - 1);
    }
    gx_append(d->out, spaces, n);
}

/* --- bits that are said --- */

static void cover(Decoder *d, uint64_t bit, uint32_t bits)
{
    for (uint64_t end = bit + bits; bit < end;) {
        unsigned shift = bit % 32;
        unsigned take = (unsigned)MIN(32 - shift, end - bit);
        uint32_t mask = (uint32_t)(((UINT64_C(1) << take) - 1) << shift);

        if (bit / 32 >= d->covered->len) {
            return;
        }
        g_array_index(d->covered, uint32_t, bit / 32) |= mask;
        bit += take;
    }
}

static void start_cover(Decoder *d, const DecodePacket *p)
{
    g_array_set_size(d->covered, 0);
    g_array_set_size(d->covered, (guint)p->n);
}

/* Words with bits that nothing has said. */
static void left_over(Decoder *d, const DecodePacket *p)
{
    for (guint i = 0; i < d->covered->len; i++) {
        if (p->words[i] & ~g_array_index(d->covered, uint32_t, i)) {
            g_string_append_printf(d->out, "    WORD[%u] = 0x%08x\n", i,
                                   p->words[i]);
        }
    }
}

/* --- the first line --- */

static void head(Decoder *d, const DecodePacket *p)
{
    static const char blanks[COMMENT_COLUMN] =
        "                                       ";
    unsigned pad = d->name->len < COMMENT_COLUMN - 2
                   ? COMMENT_COLUMN - 2 - (unsigned)d->name->len : 0;

    color(d, C_NAME);
    gx_append(d->out, d->name->str, d->name->len);
    color(d, C_OFF);
    color(d, C_DIM);
    gx_append(d->out, blanks, pad);
    gx_append(d->out, "  # ", 4);
    gx_append_decimal(d->out, p->offset);
    gx_append(d->out, ": ", 2);
    hex32(d->out, p->words[0]);
    if (p->n < p->want) {
        g_string_append_printf(d->out, ", cut off: %zu of %" G_GUINT64_FORMAT
                               " words", p->n, p->want);
    }
    color(d, C_OFF);
    gx_append(d->out, "\n", 1);
    for (size_t i = 0; d->o.verbose && i < p->n; i++) {
        gx_append_text(d->out, i % 8 ? " " : "    # ");
        hex32(d->out, p->words[i]);
        if (i % 8 == 7 || i + 1 == p->n) {
            gx_append(d->out, "\n", 1);
        }
    }
}

/* --- fields --- */

/* Inside { }: only what is set or has a name, unless all is wanted. */
static void reg_field(Decoder *d, const GxField *f, uint64_t raw)
{
    if (f->alias_of ||
        (!d->o.verbose && !raw &&
         !(f->enumeration && gx_enum_by_value(f->enumeration, 0)))) {
        return;
    }
    gx_append_text(d->out, d->first ? " { " : ", ");
    d->first = false;
    gx_append_text(d->out, f->name);
    gx_append(d->out, " = ", 3);
    gx_value_text(d->out, f, raw);
}

static void start_name(Decoder *d, const GxVisit *v)
{
    indent(d, d->indent);
    gx_append_text(d->out, v->field->name);
    if (d->single) {
        gx_append(d->out, "[", 1);
        gx_append_decimal(d->out, v->index);
        gx_append(d->out, "]", 1);
    }
}

static void row(Decoder *d, const GxVisit *v)
{
    const GxField *f = v->field;

    for (uint32_t i = 0; i < gx_field_bits(f); i += 32) {
        gx_append_text(d->out, i ? " 0x" : "0x");
        hex32(d->out, (uint32_t)gx_get_bits(d->packet->words, d->packet->n,
                                            v->bit + i, 32));
    }
}

static void text_field(void *opaque, const GxVisit *v, uint64_t raw)
{
    Decoder *d = opaque;
    const GxField *f = v->field;

    if (d->in_reg) {
        reg_field(d, f, raw);
        return;
    }
    if (f->type == GX_MBZ || f->type == GX_MBO) {
        return;                 /* what is wrong there is left over */
    }
    cover(d, v->bit, gx_field_bits(f));
    if (f->alias_of || decode_is_header(d->packet, v, raw)) {
        return;
    }
    start_name(d, v);
    gx_append(d->out, " = ", 3);
    if (gx_field_bits(f) > 64) {
        row(d, v);
    } else {
        gx_value_text(d->out, f, raw);
    }
    gx_append(d->out, "\n", 1);
}

static bool is_register(const GxVisit *v)
{
    return v->field && v->field->structure->kind == GX_REGISTER;
}

static void text_open(void *opaque, const GxVisit *v)
{
    Decoder *d = opaque;

    if (d->in_reg) {
        return;
    }
    if (v->group) {
        if (!decode_repeats(v->group)) {
            return;
        }
        if (decode_single(v->group)) {
            d->single = true;
            return;
        }
        indent(d, d->indent);
        gx_append(d->out, "[", 1);
        gx_append_decimal(d->out, v->index);
        gx_append(d->out, "]\n", 2);
        d->indent++;
        return;
    }
    start_name(d, v);
    if (is_register(v)) {
        gx_append_text(d->out, " = 0x");
        hex32(d->out, (uint32_t)gx_get_bits(d->packet->words, d->packet->n,
                                            v->bit, 32));
        cover(d, v->bit, gx_field_bits(v->field));
        d->in_reg = d->first = true;
        return;
    }
    gx_append(d->out, "\n", 1);
    d->indent++;
    d->single = false;
}

static void text_close(void *opaque, const GxVisit *v)
{
    Decoder *d = opaque;

    if (v->field && d->in_reg && is_register(v)) {
        gx_append_text(d->out, d->first ? "\n" : " }\n");
        d->in_reg = false;
    } else if (d->in_reg) {
        return;
    } else if (v->field) {
        d->indent--;
    } else if (decode_repeats(v->group)) {
        if (decode_single(v->group)) {
            d->single = false;
        } else {
            d->indent--;
        }
    }
}

/* --- a packet by its layout --- */

/* What the encoder cannot know from the fields. */
static void odd_length(Decoder *d, const DecodePacket *p, bool odd)
{
    if (odd) {
        g_string_append_printf(d->out, "    WORDS = %zu\n", p->n);
    }
    if (p->n < p->want) {
        const GxField *f = p->c ? p->c->length_field : NULL;
        uint32_t bits = f ? f->end - f->start + 1 : 0;

        g_string_append_printf(d->out, "    %s = %u\n", f ? f->name : "COUNT",
            f ? (unsigned)gx_get_bits(p->words, 1, f->start, bits)
              : (p->words[0] & PM4_TYPE3_COUNT_MASK) >> PM4_TYPE3_COUNT_SHIFT);
    }
}

static void plain_words(Decoder *d, const DecodePacket *p)
{
    for (size_t i = 1; i < p->n; i++) {
        g_string_append_printf(d->out, "    DATA[%zu] = 0x", i - 1);
        hex32(d->out, p->words[i]);
        gx_append(d->out, "\n", 1);
        cover(d, 32 * i, 32);
    }
}

static void unknown_layout(Decoder *d, const DecodePacket *p)
{
    uint32_t h = p->words[0];

    if (!p->pm4) {
        g_string_printf(d->name, "0x%08x", h);
        head(d, p);
        return;
    }
    if (h >> PM4_TYPE2_TYPE_SHIFT == 2) {
        g_string_assign(d->name, "TYPE2");
        head(d, p);
        cover(d, 30, 2);
        left_over(d, p);
        return;
    }
    decode_packet_name(d->name, p);
    head(d, p);
    cover(d, 0, 32);
    plain_words(d, p);
    if (h & 0xff) {
        g_string_append_printf(d->out, "    WORD[0] = 0x%08x\n", h);
    }
    odd_length(d, p, p->n < 2);
}

static void text_layout(Decoder *d, const DecodePacket *p)
{
    static const GxWalkOps ops = { text_field, text_open, text_close };
    GxWalkResult r;

    start_cover(d, p);
    g_string_truncate(d->name, 0);
    if (!p->c) {
        unknown_layout(d, p);
        return;
    }
    decode_packet_name(d->name, p);
    head(d, p);
    d->indent = 1;
    d->in_reg = d->single = false;
    r = gx_walk(p->c, p->words, p->n, &ops, d);
    left_over(d, p);
    odd_length(d, p, r.truncated || p->n < p->c->bias ||
               MAX(r.dwords, p->c->length) != p->n);
}

/* --- registers --- */

static void value_and_fields(Decoder *d, uint32_t dword, uint32_t value)
{
    const DecodeReg *reg = &d->set->regs[dword % DECODE_REGS];
    bool known = reg->c && !reg->part && dword < DECODE_REGS;

    gx_append(d->out, " = 0x", 5);
    hex32(d->out, value);
    d->first = true;
    for (unsigned i = 0; known && i < reg->c->root->items->len;
         i++) {
        const GxField *f = g_array_index(reg->c->root->items, GxItem, i).field;

        if (f && f->end < 32) {
            uint32_t bits = f->end - f->start + 1;
            uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;

            reg_field(d, f, value >> f->start & mask);
        }
    }
    gx_append_text(d->out, d->first ? "" : " }");
}

/* A write with its mark: + changed or first, blank the same again. */
static void write_line(Decoder *d, const char *start, bool record,
                       uint32_t dword, uint32_t value)
{
    uint32_t old = 0;
    DecodeChange change = record ? decoder_record(d, dword, value, &old)
                                 : DECODE_SAME;

    gx_append_text(d->out, start);
    if (change != DECODE_SAME) {
        color(d, C_CHANGED);
    }
    gx_append(d->out, change == DECODE_SAME ? "  " : "+ ", 2);
    decode_reg_name(d->set, d->out, dword);
    value_and_fields(d, dword, value);
    if (change != DECODE_SAME) {
        color(d, C_OFF);
    }
    if (d->o.verbose && change == DECODE_CHANGED) {
        gx_append_text(d->out, "  # was 0x");
        hex32(d->out, old);
    }
    gx_append(d->out, "\n", 1);
}

static void text_registers(Decoder *d, const DecodePacket *p,
                           const char *mode)
{
    uint32_t h = p->words[0];

    start_cover(d, p);
    if (h >> PM4_TYPE0_TYPE_SHIFT) {
        g_string_assign(d->name, "TYPE1");
        if (p->n == p->want) {
            cover(d, 0, 22);
            cover(d, 30, 2);
        }
    } else {
        g_string_assign(d->name, "TYPE0 ");
        decode_reg_name(d->set, d->name, h & PM4_TYPE0_BASE_INDEX_MASK);
        if (mode) {
            g_string_append_printf(d->name, " %s", mode);
        }
        cover(d, 0, 13);
        cover(d, 15, 17);
    }
    head(d, p);
    cover(d, 32, (uint32_t)(32 * (p->n - 1)));
    left_over(d, p);
    if (p->n < p->want && !(h >> PM4_TYPE0_TYPE_SHIFT)) {
        odd_length(d, p, false);
    }
}

static void text_reg(Decoder *d, uint32_t dword, uint32_t value)
{
    if (d->queried) {
        g_string_append_printf(d->out, "%" G_GUINT64_FORMAT ": ",
                               d->packet->offset);
        write_line(d, "", !d->executed, dword, value);
    } else {
        write_line(d, "  ", !d->executed, dword, value);
    }
}

static void text_end(Decoder *d, const DecodePacket *p)
{
}

/* --- the microcode --- */

static void text_engine(Decoder *d, uint32_t dword, uint32_t value)
{
    if (d->queried) {
        g_string_append_printf(d->out, "%" G_GUINT64_FORMAT ": ",
                               d->packet->offset);
    }
    write_line(d, "  > ", true, dword, value);
}

static void text_me_word(Decoder *d, uint8_t addr, uint8_t hi, uint32_t lo)
{
    g_string_append_printf(d->out, "  >   ME[%02x] = 0x%02x 0x%08x\n", addr,
                           hi, lo);
}

static void text_engine_state(Decoder *d, RunState state)
{
    gx_append_text(d->out, state == RUN_WEDGED ?
                    "  >   the microcode never ends here; not executed any "
                    "further\n" :
                    "  >   the microcode waits for more words\n");
}

/* --- outside of packets --- */

static void text_write(Decoder *d, const char *what, uint32_t dword,
                       uint32_t value)
{
    g_string_append_printf(d->out, "# %s", what);
    write_line(d, " ", true, dword, value);
}

static void text_note(Decoder *d, const char *text)
{
    g_string_append_printf(d->out, "# %s\n", text);
}

const DecodeFormat decode_text = {
    .layout = text_layout,
    .registers = text_registers,
    .reg = text_reg,
    .end = text_end,
    .engine = text_engine,
    .me_word = text_me_word,
    .engine_state = text_engine_state,
    .write = text_write,
    .note = text_note,
};

/* --- tables --- */

static void count_line(Decoder *d, const char *name, const DecodeCount *c)
{
    if (c->packets) {
        g_string_append_printf(d->out, "%-32s %12" G_GUINT64_FORMAT " %12"
                               G_GUINT64_FORMAT "\n", name, c->packets,
                               c->words);
    }
}

static int by_name(gconstpointer a, gconstpointer b)
{
    const GxContainer *const *ca = a, *const *cb = b;

    return strcmp((*ca)->name, (*cb)->name);
}

static void other_counts(Decoder *d)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    GHashTableIter it;
    gpointer c;

    g_hash_table_iter_init(&it, d->other);
    while (g_hash_table_iter_next(&it, &c, NULL)) {
        g_ptr_array_add(list, c);
    }
    g_ptr_array_sort(list, by_name);
    for (unsigned i = 0; i < list->len; i++) {
        const GxContainer *k = list->pdata[i];

        count_line(d, k->name, g_hash_table_lookup(d->other, k));
    }
}

void decoder_summary(Decoder *d)
{
    static const char *const types[] = { "TYPE0", "TYPE1", "TYPE2" };
    bool written = false;

    g_string_append_printf(d->out, "%-32s %12s %12s\n", "packet", "number",
                           "words");
    for (unsigned t = 0; t < G_N_ELEMENTS(types); t++) {
        count_line(d, types[t], &d->types[t]);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(d->ops); i++) {
        uint32_t header = i << PM4_TYPE3_IT_OPCODE_SHIFT;
        DecodePacket p = { .words = &header, .n = 1, .pm4 = true,
                           .c = d->set->op[i % DECODE_OPS] };

        g_string_truncate(d->name, 0);
        decode_packet_name(d->name, &p);
        count_line(d, d->name->str, &d->ops[i]);
    }
    other_counts(d);
    count_line(d, "(unknown dwords)", &d->unknown);
    if (d->cut.packets) {
        g_string_append_printf(d->out, "%-32s %12" G_GUINT64_FORMAT "\n",
                               "(cut off)", d->cut.packets);
    }
    for (uint32_t r = 0; r < DECODE_REGS; r++) {
        if (!d->writes[r]) {
            continue;
        }
        if (!written) {
            g_string_append_printf(d->out, "\n%-32s %12s %12s  last value\n",
                                   "register", "writes", "changes");
            written = true;
        }
        g_string_truncate(d->name, 0);
        decode_reg_name(d->set, d->name, r);
        g_string_append_printf(d->out, "%-32s %12" G_GUINT64_FORMAT " %12"
                               G_GUINT64_FORMAT "  0x%08x\n", d->name->str,
                               d->writes[r], d->changes[r], d->last[r]);
    }
}

void decoder_registers(Decoder *d)
{
    for (uint32_t r = 0; r < DECODE_REGS; r++) {
        if (!d->seen[r] || (d->queried && !d->queried[r])) {
            continue;
        }
        if (d->o.json) {
            d->format->write(d, "state", r, d->last[r]);
            d->writes[r]--;     /* it was none */
            continue;
        }
        gx_append_text(d->out, "# state   ");
        decode_reg_name(d->set, d->out, r);
        value_and_fields(d, r, d->last[r]);
        gx_append(d->out, "\n", 1);
    }
}
