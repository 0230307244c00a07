/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One JSON object a packet:
 *   {"off": N, "type": 0..3, "name": S, "count": N, "cut": N?, "op": N?,
 *    "words": [N...] (verbose), "fields": [FIELD...] | "regs": [REG...],
 *    "writes": [REG or {"me": N, "hi": N, "lo": N} or {"state": S} or
 *    {"differs": N, "captured": [{"reg": N, "val": N}...]}...]}
 * FIELD: {"name": S, "index": N?, "val": N, "text": S} or, for a repetition or
 * a struct, {"name": S?, "index": N?, "fields": [FIELD...]}.
 * REG: {"reg": dword address, "name": S, "val": N, "changed": bool, "fields":
 * {NAME: N...}}.
 */
#include "decode-private.h"

#include "rv100-pm4.h"

static void put(Decoder *d, const char *text)
{
    g_string_append(d->out, text);
}

/* A comma unless something has just been opened. */
static void next(Decoder *d)
{
    char c = d->out->len ? d->out->str[d->out->len - 1] : 0;

    if (c != '[' && c != '{') {
        put(d, ", ");
    }
}

static void put_string(Decoder *d, const char *text)
{
    g_string_append_c(d->out, '"');
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\') {
            g_string_append_c(d->out, '\\');
            g_string_append_c(d->out, (char)*p);
        } else if (*p < 0x20) {
            g_string_append_printf(d->out, "\\u%04x", *p);
        } else {
            g_string_append_c(d->out, (char)*p);
        }
    }
    g_string_append_c(d->out, '"');
}

static void key_number(Decoder *d, const char *key, uint64_t value)
{
    next(d);
    g_string_append_printf(d->out, "\"%s\": %" G_GUINT64_FORMAT, key, value);
}

static void key_string(Decoder *d, const char *key, const char *text)
{
    next(d);
    g_string_append_printf(d->out, "\"%s\": ", key);
    put_string(d, text);
}

static void start(Decoder *d, const DecodePacket *p)
{
    put(d, "{");
    key_number(d, "off", p->offset);
    if (p->pm4) {
        key_number(d, "type", p->words[0] >> PM4_TYPE0_TYPE_SHIFT);
    }
    key_string(d, "name", d->name->str);
    key_number(d, "count", p->n);
    if (p->n < p->want) {
        key_number(d, "cut", p->want);
    }
    if (d->o.verbose) {
        put(d, ", \"words\": [");
        for (size_t i = 0; i < p->n; i++) {
            g_string_append_printf(d->out, i ? ", %u" : "%u", p->words[i]);
        }
        put(d, "]");
    }
}

/* --- layouts --- */

static void json_field(void *opaque, const GxVisit *v, uint64_t raw)
{
    Decoder *d = opaque;
    g_autoptr(GString) text = NULL;

    if (v->field->type == GX_MBZ || v->field->type == GX_MBO) {
        return;
    }
    next(d);
    put(d, "{");
    key_string(d, "name", v->field->name);
    if (d->single) {
        key_number(d, "index", v->index);
    }
    key_number(d, "val", raw);
    text = g_string_new(NULL);
    gx_value_text(text, v->field, raw);
    key_string(d, "text", text->str);
    put(d, "}");
}

static void json_open(void *opaque, const GxVisit *v)
{
    Decoder *d = opaque;

    if (v->group) {
        if (!decode_repeats(v->group)) {
            return;
        }
        d->single = decode_single(v->group);
        if (d->single) {
            return;
        }
    }
    next(d);
    put(d, "{");
    if (v->field) {
        key_string(d, "name", v->field->name);
    }
    if (v->group || d->single) {
        key_number(d, "index", v->index);
    }
    d->single = false;
    if (v->field && v->field->structure->kind == GX_REGISTER) {
        key_number(d, "val", gx_get_bits(d->packet->words, d->packet->n,
                                         v->bit, gx_field_bits(v->field)));
    }
    put(d, ", \"fields\": [");
}

static void json_close(void *opaque, const GxVisit *v)
{
    Decoder *d = opaque;

    if (v->group && (!decode_repeats(v->group) || decode_single(v->group))) {
        d->single = false;
        return;
    }
    put(d, "]}");
}

static void json_layout(Decoder *d, const DecodePacket *p)
{
    static const GxWalkOps ops = { json_field, json_open, json_close };
    uint32_t h = p->words[0];

    g_string_truncate(d->name, 0);
    if (!p->pm4 && !p->c) {
        g_string_assign(d->name, "(unknown)");
    } else if (p->pm4 && h >> PM4_TYPE2_TYPE_SHIFT == 2) {
        g_string_assign(d->name, "TYPE2");
    } else {
        decode_packet_name(d->name, p);
    }
    start(d, p);
    if (p->pm4 && h >> PM4_TYPE3_TYPE_SHIFT == 3) {
        key_number(d, "op", (h & PM4_TYPE3_IT_OPCODE_MASK) >>
                            PM4_TYPE3_IT_OPCODE_SHIFT);
    }
    put(d, ", \"fields\": [");
    if (p->c) {
        d->single = false;
        gx_walk(p->c, p->words, p->n, &ops, d);
    } else {
        for (size_t i = p->pm4 ? 1 : 0; i < p->n; i++) {
            next(d);
            g_string_append_printf(d->out, "{\"name\": \"DATA\", \"index\": "
                                   "%zu, \"val\": %u}", i - p->pm4,
                                   p->words[i]);
        }
    }
    put(d, "], \"writes\": [");
}

/* --- registers --- */

static void reg_body(Decoder *d, uint32_t dword, uint32_t value, bool record)
{
    const DecodeReg *reg = &d->set->regs[dword % DECODE_REGS];
    uint32_t old;
    bool changed = record && decoder_record(d, dword, value, &old);

    key_number(d, "reg", dword);
    g_string_truncate(d->name, 0);
    decode_reg_name(d->set, d->name, dword);
    key_string(d, "name", d->name->str);
    key_number(d, "val", value);
    if (record) {
        put(d, changed ? ", \"changed\": true" : ", \"changed\": false");
    }
    put(d, ", \"fields\": {");
    for (unsigned i = 0; reg->c && !reg->part && dword < DECODE_REGS &&
         i < reg->c->root->items->len; i++) {
        const GxField *f = g_array_index(reg->c->root->items, GxItem, i).field;

        if (f && f->end < 32) {
            next(d);
            put_string(d, f->name);
            g_string_append_printf(d->out, ": %u", (uint32_t)
                                   gx_get_bits(&value, 1, f->start,
                                               gx_field_bits(f)));
        }
    }
    put(d, "}");
}

static void json_registers(Decoder *d, const DecodePacket *p,
                           const char *mode)
{
    g_string_assign(d->name, p->words[0] >> PM4_TYPE0_TYPE_SHIFT ? "TYPE1"
                                                                 : "TYPE0");
    start(d, p);
    put(d, ", \"regs\": [");
}

static void json_write(Decoder *d, const char *what, uint32_t dword,
                       uint32_t value)
{
    g_autofree char *who = g_strchomp(g_strdup(what));  /* of text in columns */

    put(d, "{");
    key_string(d, "what", who);
    reg_body(d, dword, value, true);
    put(d, "}\n");
}

static void json_reg(Decoder *d, uint32_t dword, uint32_t value)
{
    if (d->queried) {
        put(d, "{");
        key_number(d, "off", d->packet->offset);
        reg_body(d, dword, value, !d->executed);
        put(d, "}\n");
        return;
    }
    next(d);
    put(d, "{");
    reg_body(d, dword, value, !d->executed);
    put(d, "}");
}

/* --- the microcode --- */

/* Behind the registers of types 0 and 1 the list of writes is not begun yet;
 * "regs" has been closed by then. */
static void begin_writes(Decoder *d)
{
    const DecodePacket *p = d->packet;

    if (p->pm4 && p->words[0] >> PM4_TYPE0_TYPE_SHIFT < 2 && !d->in_reg) {
        put(d, "], \"writes\": [");
        d->in_reg = true;
    }
}

static void json_engine(Decoder *d, uint32_t dword, uint32_t value)
{
    if (d->queried) {
        put(d, "{");
        key_number(d, "off", d->packet->offset);
        reg_body(d, dword, value, true);
        put(d, "}\n");
        return;
    }
    begin_writes(d);
    next(d);
    put(d, "{");
    reg_body(d, dword, value, true);
    put(d, "}");
}

static void json_me_word(Decoder *d, uint8_t addr, uint8_t hi, uint32_t lo)
{
    begin_writes(d);
    next(d);
    g_string_append_printf(d->out, "{\"me\": %u, \"hi\": %u, \"lo\": %u}",
                           addr, hi, lo);
}

static void json_engine_state(Decoder *d, RunState state)
{
    begin_writes(d);
    next(d);
    put(d, "{");
    key_string(d, "state", runner_state_name(state));
    put(d, "}");
}

static void json_engine_differs(Decoder *d, const DecodePacket *p, size_t n)
{
    begin_writes(d);
    next(d);
    put(d, "{");
    key_number(d, "differs", n);
    put(d, ", \"captured\": [");
    for (size_t i = 0; i < p->n_writes; i++) {
        next(d);
        put(d, "{");
        key_number(d, "reg", p->writes[i].dword);
        key_number(d, "val", p->writes[i].value);
        put(d, "}");
    }
    put(d, "]}");
}

static void json_end(Decoder *d, const DecodePacket *p)
{
    begin_writes(d);            /* there, if empty */
    d->in_reg = false;
    put(d, "]}\n");
}

static void json_note(Decoder *d, const char *text)
{
    put(d, "{");
    key_string(d, "note", text);
    put(d, "}\n");
}

const DecodeFormat decode_json = {
    .layout = json_layout,
    .registers = json_registers,
    .reg = json_reg,
    .end = json_end,
    .engine = json_engine,
    .me_word = json_me_word,
    .engine_state = json_engine_state,
    .engine_differs = json_engine_differs,
    .write = json_write,
    .note = json_note,
};
