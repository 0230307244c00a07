/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What streams are read with: tables made from a description. */
#include <string.h>

#include "decode.h"
#include "gx-baked.h"

static void add_register(DecodeSet *set, const GxContainer *c)
{
    uint32_t first = c->num / 4;

    if (c->space != GX_SPACE_MMIO || (c->alias && c->alias->num == c->num)) {
        return;                 /* a second name of the same place */
    }
    for (uint32_t i = 0; i < c->length && first + i < DECODE_REGS; i++) {
        DecodeReg *r = &set->regs[first + i];

        /* Of registers that share a dword the one at its start names it. */
        if (!r->c || (r->c->num & 3 && !(c->num & 3))) {
            *r = (DecodeReg) { c, (uint16_t)i, (uint16_t)strlen(c->name) };
        }
    }
}

static void add_packet(DecodeSet *set, const GxContainer *c)
{
    const GxField *op = gx_container_field(c, "IT_OPCODE");

    if (op && op->has_default && op->dflt < DECODE_OPS) {
        set->op[op->dflt] = c;
    }
}

DecodeSet *decode_set_pm4(void)
{
    DecodeSet *set = g_new0(DecodeSet, 1);

    set->doc = &gx_doc_rv100_pm4;
    set->regs = g_new0(DecodeReg, DECODE_REGS);
    for (unsigned i = 0; i < set->doc->containers->len; i++) {
        const GxContainer *c = set->doc->containers->pdata[i];

        if (c->kind == GX_REGISTER) {
            add_register(set, c);
        } else if (c->kind == GX_INSTRUCTION) {
            add_packet(set, c);
        }
    }
    return set;
}

DecodeSet *decode_set_other(const GxDoc *doc, const char *engine)
{
    DecodeSet *set = g_new0(DecodeSet, 1);

    set->doc = doc;
    set->index = gx_index_new(doc, engine);
    set->regs = g_new0(DecodeReg, DECODE_REGS);
    return set;
}

void decode_set_free(DecodeSet *set)
{
    if (set) {
        gx_index_free(set->index);
        g_free(set->regs);
        g_free(set);
    }
}

void decode_reg_name(const DecodeSet *set, GString *s, uint32_t dword)
{
    const DecodeReg *r = &set->regs[dword % DECODE_REGS];

    if (!r->c || dword >= DECODE_REGS) {
        g_string_append_printf(s, "0x%04x", 4 * dword);
        return;
    }
    gx_append(s, r->c->name, r->name_len);
    if (r->part) {
        g_string_append_printf(s, "+%u", r->part);
    }
}

bool decode_reg_find(const DecodeSet *set, const char *name, uint32_t *dword)
{
    const char *plus = strchr(name, '+');
    size_t len = plus ? (size_t)(plus - name) : strlen(name);
    uint64_t v, part = 0;

    if (plus && !gx_parse_number(plus + 1, &part)) {
        return false;
    }
    if (g_ascii_isdigit(name[0]) && name[1] == 'x') {
        if (plus || !gx_parse_number(name, &v) || v % 4 ||
            v / 4 >= DECODE_REGS + DECODE_BEYOND) {
            return false;
        }
        *dword = (uint32_t)v / 4;
        return true;
    }
    for (unsigned i = 0; i < set->doc->containers->len; i++) {
        const GxContainer *c = set->doc->containers->pdata[i];

        if (c->kind == GX_REGISTER && c->space == GX_SPACE_MMIO &&
            strlen(c->name) == len && !memcmp(c->name, name, len) &&
            part < c->length && c->num / 4 + part < DECODE_REGS) {
            *dword = (uint32_t)(c->num / 4 + part);
            return true;
        }
    }
    return false;
}
