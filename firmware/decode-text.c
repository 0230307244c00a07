/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text form. What stands behind "#" and on lines with ">" is for the
 * reader; the rest says every bit of the packet: encode.c makes the same words
 * of it. Bits that no field has are said by WORD[n], odd lengths by WORDS.
 */
#include "decode-layout.h"
#include "decode-put.h"

#include "rv100-pm4.h"

#define COMMENT_COLUMN 40

/* Colours, when they are wanted. */
#define C_NAME "\x1b[1;36m"
#define C_CHANGED "\x1b[32m"
#define C_DIM "\x1b[2m"
#define C_OFF "\x1b[0m"

void decode_text_init(Decoder *d)
{
    d->plans = plans_new(!d->set->index, d->o.verbose);
    d->covered = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    d->heads = g_new0(DecodeHeads, 1);
    d->heads->other = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    d->lines = g_new0(DecodeLine, DECODE_REGS);
}

void decode_text_free(Decoder *d)
{
    plans_free(d->plans);
    g_array_unref(d->covered);
    g_hash_table_unref(d->heads->other);
    g_free(d->heads);
    g_free(d->lines);
}

static char *color(const Decoder *d, char *p, const char *code)
{
    return d->o.color ? stpcpy(p, code) : p;
}

/* --- the first line --- */

/* d->name, blanks and what stands before the offset. */
static PlanText make_head(Decoder *d)
{
    g_autoptr(GString) s = g_string_new(NULL);
    unsigned len = (unsigned)d->name->len;

    g_string_append_printf(s, "%s%s%s%s%*s  # ", d->o.color ? C_NAME : "",
                           d->name->str, d->o.color ? C_OFF : "",
                           d->o.color ? C_DIM : "", len < COMMENT_COLUMN - 2 ?
                           (int)(COMMENT_COLUMN - 2 - len) : 0, "");
    return plans_text(d->plans, s->str, s->len);
}

static PlanText packet_head(Decoder *d, const DecodePacket *p)
{
    PlanText *head = &d->heads->op[p->words[0] >> PM4_TYPE3_IT_OPCODE_SHIFT &
                                   0xff];

    if (!p->pm4) {
        head = g_hash_table_lookup(d->heads->other, p->c);
        if (!head) {
            head = g_new0(PlanText, 1);
            g_hash_table_insert(d->heads->other, (gpointer)p->c, head);
        }
    }
    if (!head->len) {
        g_string_truncate(d->name, 0);
        decode_packet_name(d->name, p);
        *head = make_head(d);
    }
    return *head;
}

static char *put_words(Decoder *d, const DecodePacket *p, char *at)
{
    for (size_t i = 0; i < p->n; i++) {
        at = put_room(d, at, PUT_NUMBER);
        at = i % 8 ? put_literal(at, " ") : put_literal(at, "    # ");
        at = put_hex32(at, p->words[i]);
        if (i % 8 == 7 || i + 1 == p->n) {
            at = put_literal(at, "\n");
        }
    }
    return at;
}

static char *put_head(Decoder *d, const DecodePacket *p, PlanText head,
                      char *at)
{
    at = put_room(d, at, head.len + 6 * PUT_NUMBER);
    at = put_decimal(put_text(at, head), p->offset);
    at = put_hex32(put_literal(at, ": "), p->words[0]);
    if (p->n < p->want) {
        at = put_decimal(put_literal(at, ", cut off: "), p->n);
        at = put_decimal(put_literal(at, " of "), p->want);
        at = put_literal(at, " words");
    }
    at = put_literal(color(d, at, C_OFF), "\n");
    return d->o.verbose ? put_words(d, p, at) : at;
}

/* --- what no field says --- */

static uint32_t *start_cover(Decoder *d, const DecodePacket *p)
{
    g_array_set_size(d->covered, 0);
    g_array_set_size(d->covered, (guint)p->n);
    return (uint32_t *)d->covered->data;
}

static char *put_word(Decoder *d, const char *name, size_t i, uint32_t v,
                      char *at)
{
    at = put_room(d, at, 3 * PUT_NUMBER);
    at = put_decimal(stpcpy(at, name), i);
    at = put_hex32(put_literal(at, "] = 0x"), v);
    return put_literal(at, "\n");
}

/* Words with bits that nothing has said, or that are `wrong` (may be NULL). */
static char *left_over(Decoder *d, const DecodePacket *p,
                       const uint32_t *covered, const bool *wrong, char *at)
{
    for (size_t i = 0; i < p->n; i++) {
        if (G_UNLIKELY(p->words[i] & ~covered[i] || (wrong && wrong[i]))) {
            at = put_word(d, "    WORD[", i, p->words[i], at);
        }
    }
    return at;
}

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

/* --- a packet by its layout --- */

static void named_head(Decoder *d, const DecodePacket *p)
{
    put_end(d, put_head(d, p, make_head(d), put_begin(d)));
}

static void unknown_dword(Decoder *d, const DecodePacket *p)
{
    g_string_printf(d->name, "0x%08x", p->words[0]);
    named_head(d, p);
}

static void filler(Decoder *d, const DecodePacket *p)
{
    uint32_t covered[1] = { PM4_TYPE2_TYPE_MASK };

    g_string_assign(d->name, "TYPE2");
    named_head(d, p);
    put_end(d, left_over(d, p, covered, NULL, put_begin(d)));
}

/* Type 3 without a layout. */
static void plain_words(Decoder *d, const DecodePacket *p)
{
    char *at = put_head(d, p, packet_head(d, p), put_begin(d));

    for (size_t i = 1; i < p->n; i++) {
        at = put_word(d, "    DATA[", i - 1, p->words[i], at);
    }
    if (p->words[0] & 0xff) {
        at = put_word(d, "    WORD[", 0, p->words[0], at);
    }
    put_end(d, at);
    odd_length(d, p, p->n < 2);
}

static void text_layout(Decoder *d, const DecodePacket *p)
{
    LayoutRun r;
    char *at;

    if (!p->c) {
        (!p->pm4 ? unknown_dword :
         p->words[0] >> PM4_TYPE2_TYPE_SHIFT == 2 ? filler :
         plain_words)(d, p);
        return;
    }
    at = put_head(d, p, packet_head(d, p), put_begin(d));
    layout_begin(&r, d, p->words, p->n, start_cover(d, p));
    at = layout_run(&r, plans_list(d->plans, p->c, false), at);
    put_end(d, left_over(d, p, r.covered, r.wrong, at));
    g_free(r.wrong);
    odd_length(d, p, r.truncated || p->n < p->c->bias ||
               MAX(r.dwords, p->c->length) != p->n);
}

/* --- registers --- */

static DecodeLine *line_of(Decoder *d, uint32_t dword)
{
    const DecodeReg *reg = &d->set->regs[dword];
    DecodeLine *line = &d->lines[dword];

    if (!line->name.len) {
        g_autoptr(GString) s = g_string_new(NULL);

        decode_reg_name(d->set, s, dword);
        g_string_append(s, " = 0x");
        line->name = plans_text(d->plans, s->str, s->len);
        line->list = reg->c && !reg->part
                     ? plans_list(d->plans, reg->c, true) : NULL;
    }
    return line;
}

static char *name_and_value(Decoder *d, uint32_t dword, uint32_t value,
                            char *at)
{
    const DecodeLine *line;
    LayoutRun r;

    if (dword >= DECODE_REGS) {
        /* Where a long type 0 runs on to. */
        at = put_hex(put_literal(put_room(d, at, 3 * PUT_NUMBER), "0x"),
                     4 * dword, dword < 0x4000 ? 4 : 5);
        return put_hex32(put_literal(at, " = 0x"), value);
    }
    line = line_of(d, dword);
    at = put_room(d, at, line->name.len + PUT_NUMBER);
    at = put_hex32(put_text(at, line->name), value);
    if (!line->list) {
        return at;
    }
    layout_begin(&r, d, &value, 1, NULL);
    at = put_room(d, layout_run(&r, line->list, at), PUT_NUMBER);
    return r.first ? at : put_literal(at, " }");
}

/* A write with its mark: + changed or first, blank the same again. */
static char *write_line(Decoder *d, bool record, uint32_t dword,
                        uint32_t value, char *at)
{
    uint32_t old = 0;
    DecodeChange change = record ? decoder_record(d, dword, value, &old)
                                 : DECODE_SAME;

    at = put_room(d, at, PUT_NUMBER);
    if (change != DECODE_SAME) {
        at = put_literal(color(d, at, C_CHANGED), "+ ");
    } else {
        at = put_literal(at, "  ");
    }
    at = put_room(d, name_and_value(d, dword, value, at), 2 * PUT_NUMBER);
    if (change != DECODE_SAME) {
        at = color(d, at, C_OFF);
    }
    if (d->o.verbose && change == DECODE_CHANGED) {
        at = put_hex32(put_literal(at, "  # was 0x"), old);
    }
    return put_literal(at, "\n");
}

static void type1(Decoder *d, const DecodePacket *p)
{
    uint32_t *covered = start_cover(d, p);

    memset(covered, 0xff, 4 * p->n);
    covered[0] = p->n == p->want ? PM4_TYPE1_TYPE_MASK |
                 PM4_TYPE1_REG_INDEX1_MASK | PM4_TYPE1_REG_INDEX2_MASK : 0;
    g_string_assign(d->name, "TYPE1");
    named_head(d, p);
    put_end(d, left_over(d, p, covered, NULL, put_begin(d)));
}

static PlanText type0_head(Decoder *d, uint32_t h, const char *mode)
{
    uint32_t base = h & PM4_TYPE0_BASE_INDEX_MASK;
    PlanText *head = &d->lines[base].head[mode != NULL];

    if (!head->len) {
        g_string_assign(d->name, "TYPE0 ");
        decode_reg_name(d->set, d->name, base);
        if (mode) {
            g_string_append_printf(d->name, " %s", mode);
        }
        *head = make_head(d);
    }
    return *head;
}

static void text_registers(Decoder *d, const DecodePacket *p,
                           const char *mode)
{
    uint32_t h = p->words[0], unknown;
    char *at;

    if (h >> PM4_TYPE0_TYPE_SHIFT) {
        type1(d, p);
        return;
    }
    at = put_head(d, p, type0_head(d, h, mode), put_begin(d));
    unknown = h & ~(PM4_TYPE0_TYPE_MASK | PM4_TYPE0_COUNT_MASK |
                    PM4_TYPE0_ONE_REG_WR_MASK | PM4_TYPE0_BASE_INDEX_MASK);
    put_end(d, unknown ? put_word(d, "    WORD[", 0, h, at) : at);
    if (p->n < p->want) {
        odd_length(d, p, false);
    }
}

/* A line of a query begins with the offset. */
static char *begin_line(Decoder *d, const char *start)
{
    char *at = put_room(d, put_begin(d), 2 * PUT_NUMBER);

    if (d->queried) {
        at = put_literal(put_decimal(at, d->packet->offset), ": ");
    }
    return stpcpy(at, start);
}

static void text_reg(Decoder *d, uint32_t dword, uint32_t value)
{
    put_end(d, write_line(d, !d->executed, dword, value,
                          begin_line(d, d->queried ? "" : "  ")));
}

static void text_end(Decoder *d, const DecodePacket *p)
{
}

/* --- the microcode --- */

static void text_engine(Decoder *d, uint32_t dword, uint32_t value)
{
    put_end(d, write_line(d, true, dword, value, begin_line(d, "  > ")));
}

static void text_me_word(Decoder *d, uint8_t addr, uint8_t hi, uint32_t lo)
{
    g_string_append_printf(d->out, "  >   ME[%02x] = 0x%02x 0x%08x\n", addr,
                           hi, lo);
}

static void text_engine_state(Decoder *d, RunState state)
{
    g_string_append(d->out, state == RUN_WEDGED ?
                    "  >   the microcode never ends here; not executed any "
                    "further\n" :
                    "  >   the microcode waits for more words\n");
}

static void text_engine_differs(Decoder *d, const DecodePacket *p, size_t n)
{
    char *at;

    if (n == p->n_writes) {
        g_string_append_printf(d->out, "  >   the capture has %zu writes here\n",
                               n);
        return;
    }
    g_string_append_printf(d->out, "  >   the capture has %zu writes, number "
                           "%zu is ", p->n_writes, n + 1);
    at = name_and_value(d, p->writes[n].dword, p->writes[n].value,
                        put_begin(d));
    put_end(d, put_literal(at, "\n"));
}

/* --- outside of packets --- */

static void text_write(Decoder *d, const char *what, uint32_t dword,
                       uint32_t value)
{
    g_string_append_printf(d->out, "# %s ", what);
    put_end(d, write_line(d, true, dword, value, put_begin(d)));
}

static void text_note(Decoder *d, const char *text)
{
    g_string_append_printf(d->out, "# %s\n", text);
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
        g_string_append(d->out, "# state   ");
        put_end(d, put_literal(name_and_value(d, r, d->last[r],
                                              put_begin(d)), "\n"));
    }
}

const DecodeFormat decode_text = {
    .layout = text_layout,
    .registers = text_registers,
    .reg = text_reg,
    .end = text_end,
    .engine = text_engine,
    .me_word = text_me_word,
    .engine_state = text_engine_state,
    .engine_differs = text_engine_differs,
    .write = text_write,
    .note = text_note,
};
