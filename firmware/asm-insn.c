/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembler: one instruction. It is a list of items; ';' may stand between
 * them. Whatever is not said is off, and the next word follows.
 */
#include <string.h>

#include "asm-private.h"
#include "tool.h"

typedef struct Insn {
    IsaWord *w;
    bool has[ISA_UNITS];        /* code was given */
    bool has_addr;
    AsmPlace addr_place;
    AsmPlace unit_place[ISA_UNITS];
} Insn;

/* Everything that an instruction names in its address field must agree. */
static bool set_addr(Asm *a, Insn *i, AsmPlace place, int64_t value)
{
    int64_t limit = (int64_t)1 << a->chip->addr_bits;

    if (a->pass == 1) {
        return true;
    }
    if (value < 0 || value >= limit) {
        asm_error_at(a, place, "%" G_GINT64_FORMAT " does not fit the %u bits "
                     "of the address field", value, a->chip->addr_bits);
        return false;
    }
    if (i->has_addr && i->w->addr != value) {
        asm_error_at(a, place, "the one address field would have to hold both "
                     "0x%x and 0x%x", i->w->addr, (unsigned)value);
        return false;
    }
    i->has_addr = true;
    i->w->addr = (uint16_t)value;
    return true;
}

static bool addr_operand(Asm *a, Insn *i, IsaOperand kind)
{
    AsmPlace place = asm_place(a);
    int64_t value;

    if (kind == ISA_DATA && asm_accept(a, '=')) {
        if (!asm_literal(a, &value)) {
            return false;
        }
    } else if (!asm_expr(a, &value, NULL)) {
        return false;
    }
    if (kind == ISA_SIGNED && value < 0 && value >= -128) {
        value &= 0xff;
    }
    return set_addr(a, i, place, value);
}

static bool set_unit(Asm *a, Insn *i, IsaUnit unit, unsigned code,
                     AsmPlace place)
{
    if (i->has[unit]) {
        asm_error_at(a, place, "a second %s operation in one instruction",
                     isa_unit_name(unit));
        return false;
    }
    i->has[unit] = true;
    i->unit_place[unit] = place;
    i->w->unit[unit] = (uint8_t)code;
    return true;
}

/* "seq 7" and so on: a code by number. */
static bool raw_unit(Asm *a, Insn *i, IsaUnit unit, AsmPlace place)
{
    AsmPlace at = asm_place(a);
    int64_t value;

    if (!asm_expr(a, &value, NULL)) {
        return false;
    }
    if (value < 0 || value >= isa_codes(unit)) {
        asm_error_at(a, at, "%s has codes 0 to 0x%x", isa_unit_name(unit),
                     isa_codes(unit) - 1);
        return false;
    }
    return set_unit(a, i, unit, (unsigned)value, place);
}

static bool source(Asm *a, Insn *i)
{
    AsmPlace place = asm_place(a);
    const IsaName *n = a->token == T_NAME ? isa_find_src(a->start, a->length)
                                          : NULL;

    if (n) {
        asm_next(a);
        return set_unit(a, i, ISA_SRC, n->code, place);
    }
    if (asm_is(a, "src")) {
        asm_next(a);
        return raw_unit(a, i, ISA_SRC, place);
    }
    asm_error(a, "a source expected: pkt, a, ta, zero, la or src NUMBER");
    return false;
}

/* write REG | idx | me[ADDR] | me[idx] [, SOURCE] */
static bool item_write(Asm *a, Insn *i, AsmPlace place)
{
    if (i->w->wr) {
        asm_error_at(a, place, "a second write in one instruction");
        return false;
    }
    i->w->wr = true;
    if (asm_is(a, "me")) {
        asm_next(a);
        i->w->mcsel = true;
        if (!asm_expect(a, '[', "'[' behind me")) {
            return false;
        }
    }
    if (asm_is(a, "idx")) {
        asm_next(a);
        i->w->idxsel = true;
    } else if (!addr_operand(a, i, ISA_REG)) {
        return false;
    }
    if (i->w->mcsel && !asm_expect(a, ']', "']'")) {
        return false;
    }
    return !asm_accept(a, ',') || source(a, i);
}

static bool item_high(Asm *a, Insn *i)
{
    AsmPlace place = asm_place(a);
    unsigned bits = isa_high_bits(a->chip);
    int64_t value;

    if (!asm_expr(a, &value, NULL)) {
        return false;
    }
    if (value < 0 || value >> bits) {
        asm_error_at(a, place, "%s has %u bits above the last field",
                     a->chip->name, bits);
        return false;
    }
    i->w->high = (uint8_t)value;
    return true;
}

static bool set_flag(Asm *a, bool *flag, AsmPlace place)
{
    if (*flag) {
        asm_error_at(a, place, "said twice");
        return false;
    }
    *flag = true;
    return true;
}

/* Items that are no mnemonics. *known: the token was one. */
static bool keyword_item(Asm *a, Insn *i, bool *known)
{
    AsmPlace place = asm_place(a);
    IsaWord *w = i->w;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        { "latch", &w->lat }, { "adv", &w->adv }, { "if_flag", &w->cond },
        { "if_count", &w->cgate }, { "idxsel", &w->idxsel },
        { "mcsel", &w->mcsel },
    };

    for (unsigned n = 0; n < G_N_ELEMENTS(flags); n++) {
        if (asm_is(a, flags[n].name)) {
            asm_next(a);
            return set_flag(a, flags[n].flag, place);
        }
    }
    if (asm_is(a, "write")) {
        asm_next(a);
        return item_write(a, i, place);
    }
    if (asm_is(a, "addr")) {
        asm_next(a);
        return addr_operand(a, i, ISA_UNSIGNED);
    }
    if (asm_is(a, "high")) {
        asm_next(a);
        return item_high(a, i);
    }
    if (asm_is(a, "src")) {
        asm_next(a);
        return isa_find_src(a->start, a->length) && a->token == T_NAME
               ? source(a, i) : raw_unit(a, i, ISA_SRC, place);
    }
    for (unsigned u = 0; u < ISA_SRC; u++) {
        if (asm_is(a, isa_unit_name((IsaUnit)u))) {
            asm_next(a);
            return raw_unit(a, i, (IsaUnit)u, place);
        }
    }
    *known = false;
    return true;
}

static bool item(Asm *a, Insn *i)
{
    AsmPlace place = asm_place(a);
    const IsaName *n;
    IsaUnit unit;
    bool known = true;

    if (a->token != T_NAME) {
        asm_error(a, "an instruction item expected");
        return false;
    }
    if (!keyword_item(a, i, &known)) {
        return false;
    }
    if (known) {
        return true;
    }
    n = isa_find(a->start, a->length, &unit);
    if (!n) {
        g_autofree char *text = tool_quote(a->start, a->length);

        asm_error(a, "no instruction item '%s' (labels end in ':')", text);
        return false;
    }
    asm_next(a);
    return set_unit(a, i, unit, n->code, place) &&
           (n->operand == ISA_NO_OPERAND || addr_operand(a, i, n->operand));
}

static void warn_unknown(Asm *a, const Insn *i)
{
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        if (i->has[u] && !isa_known(a->chip, (IsaUnit)u, i->w->unit[u])) {
            asm_warning_at(a, i->unit_place[u], "what %s 0x%02x does on %s is "
                           "not known", isa_unit_name((IsaUnit)u),
                           i->w->unit[u], a->chip->name);
        }
    }
}

bool asm_instruction(Asm *a, IsaWord *w)
{
    Insn i = { .w = w };

    memset(w, 0, sizeof(*w));
    do {
        if (!item(a, &i)) {
            return false;
        }
        while (asm_accept(a, ';')) {
        }
    } while (a->token != T_END);
    if (!i.has[ISA_SEQ]) {
        w->unit[ISA_SEQ] = isa_default_seq(w->unit[ISA_ALU]);
    }
    warn_unknown(a, &i);
    return true;
}
