/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assembler: expressions, 64-bit two's complement with wrap-around. */
#include <string.h>

#include "asm-private.h"
#include "tool.h"

typedef struct Value {
    uint64_t v;
    bool known;
} Value;

static bool expr(Asm *a, unsigned level, Value *out);

static bool name_value(Asm *a, Value *out)
{
    g_autofree char *name = g_strndup(a->start, a->length);
    const AsmSymbol *s = g_hash_table_lookup(a->symbols, name);
    int reg;

    if (s) {
        *out = (Value) { (uint64_t)s->value, s->known };
    } else if ((reg = isa_register(a->start, a->length)) >= 0) {
        *out = (Value) { (uint64_t)reg, true };
    } else if (a->pass == 1) {
        *out = (Value) { 0, false };
    } else {
        g_autofree char *quoted = tool_quote(a->start, a->length);

        asm_error(a, "no label, constant or register '%s'", quoted);
        return false;
    }
    asm_next(a);
    return true;
}

static bool primary(Asm *a, Value *out)
{
    if (a->token == T_NUMBER) {
        *out = (Value) { a->number, true };
        asm_next(a);
        return true;
    }
    if (a->token == T_NAME) {
        return name_value(a, out);
    }
    if (asm_accept(a, '.')) {
        *out = (Value) { a->here, true };
        return true;
    }
    if (asm_accept(a, '(')) {
        return expr(a, 0, out) && asm_expect(a, ')', "')'");
    }
    asm_error(a, "a value expected");
    return false;
}

static bool unary(Asm *a, Value *out)
{
    int op = a->token == T_PUNCT ? a->punct : 0;

    if (op != '-' && op != '~' && op != '+') {
        return primary(a, out);
    }
    asm_next(a);
    if (++a->expr_depth > ASM_MAX_EXPR_DEPTH) {
        asm_error(a, "the expression is nested too deeply");
        return false;
    }
    if (!unary(a, out)) {
        return false;
    }
    a->expr_depth--;
    out->v = op == '-' ? 0 - out->v : op == '~' ? ~out->v : out->v;
    return true;
}

static unsigned binding(const Asm *a)
{
    static const struct {
        int op;
        unsigned level;
    } ops[] = {
        { '|', 1 }, { '^', 2 }, { '&', 3 }, { P_SHL, 4 }, { P_SHR, 4 },
        { '+', 5 }, { '-', 5 }, { '*', 6 }, { '/', 6 }, { '%', 6 },
    };

    for (unsigned i = 0; a->token == T_PUNCT && i < G_N_ELEMENTS(ops); i++) {
        if (ops[i].op == a->punct) {
            return ops[i].level;
        }
    }
    return 0;
}

static bool apply(Asm *a, int op, AsmPlace place, Value *l, const Value *r)
{
    l->known = l->known && r->known;
    if ((op == '/' || op == '%') && r->v == 0) {
        if (r->known) {
            asm_error_at(a, place, "division by zero");
            return false;
        }
        return true;
    }
    switch (op) {
    case '|':
        l->v |= r->v;
        break;
    case '^':
        l->v ^= r->v;
        break;
    case '&':
        l->v &= r->v;
        break;
    case P_SHL:
        l->v = r->v < 64 ? l->v << r->v : 0;
        break;
    case P_SHR:
        l->v = r->v < 64 ? l->v >> r->v : 0;
        break;
    case '+':
        l->v += r->v;
        break;
    case '-':
        l->v -= r->v;
        break;
    case '*':
        l->v *= r->v;
        break;
    case '/':
        l->v /= r->v;
        break;
    case '%':
        l->v %= r->v;
        break;
    }
    return true;
}

/* Precedence climbing: operators that bind tighter than `level`. */
static bool expr(Asm *a, unsigned level, Value *out)
{
    unsigned l;

    if (++a->expr_depth > ASM_MAX_EXPR_DEPTH) {
        asm_error(a, "the expression is nested too deeply");
        return false;
    }
    if (!unary(a, out)) {
        return false;
    }
    while ((l = binding(a)) > level) {
        int op = a->punct;
        AsmPlace place = asm_place(a);
        Value right;

        asm_next(a);
        if (!expr(a, l, &right) || !apply(a, op, place, out, &right)) {
            return false;
        }
    }
    a->expr_depth--;
    return true;
}

bool asm_expr(Asm *a, int64_t *value, bool *known)
{
    Value v;

    a->expr_depth = 0;
    if (!expr(a, 0, &v)) {
        return false;
    }
    *value = (int64_t)v.v;
    if (known) {
        *known = v.known;
    }
    return true;
}
