/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions of count-from and present-if, kept as postfix code. */
#include <string.h>

#include "gx-private.h"

#define MAX_CODE 256            /* operations of one expression */
#define MAX_NEST 32             /* parentheses and unary operators */

/* Longer spellings before their prefixes. */
static const struct {
    const char *text;
    GxOp op;
    int level;                  /* binding strength */
} binary[] = {
    { "||", OP_OR, 1 }, { "&&", OP_AND, 2 }, { "|", OP_BITOR, 3 },
    { "&", OP_BITAND, 4 }, { "==", OP_EQ, 5 }, { "!=", OP_NE, 5 },
    { "<<", OP_SHL, 7 }, { ">>", OP_SHR, 7 }, { "<=", OP_LE, 6 },
    { ">=", OP_GE, 6 }, { "<", OP_LT, 6 }, { ">", OP_GT, 6 },
    { "+", OP_ADD, 8 }, { "-", OP_SUB, 8 }, { "*", OP_MUL, 9 },
    { "/", OP_DIV, 9 }, { "%", OP_MOD, 9 },
};

typedef struct Parser {
    GxDoc *doc;
    const char *p;
    const char *why;
    int nest;
    unsigned n;
    GxCode code[MAX_CODE];
} Parser;

static bool fail(Parser *ps, const char *why)
{
    if (!ps->why) {
        ps->why = why;
    }
    return false;
}

static bool emit(Parser *ps, GxOp op, int64_t number, const char *name)
{
    if (ps->n == MAX_CODE) {
        return fail(ps, "too long");
    }
    ps->code[ps->n++] = (GxCode) { op, number, name };
    return true;
}

static void skip_space(Parser *ps)
{
    while (g_ascii_isspace(*ps->p)) {
        ps->p++;
    }
}

static bool accept(Parser *ps, char c)
{
    skip_space(ps);
    if (*ps->p != c) {
        return false;
    }
    ps->p++;
    return true;
}

static bool parse_select(Parser *ps);

static bool is_name(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static bool parse_word(Parser *ps)
{
    const char *start = ps->p;
    g_autofree char *word = NULL;
    uint64_t v;

    while (is_name(*ps->p)) {
        ps->p++;
    }
    if (ps->p == start) {
        return fail(ps, *start ? "unexpected character" : "unexpected end");
    }
    word = g_strndup(start, ps->p - start);
    if (!g_ascii_isdigit(*word)) {
        return emit(ps, OP_NAME, 0, gx_intern(ps->doc, word));
    }
    if (!gx_parse_number(word, &v)) {
        return fail(ps, "bad number");
    }
    return emit(ps, OP_NUMBER, (int64_t)v, NULL);
}

static bool parse_primary(Parser *ps)
{
    static const struct {
        char c;
        GxOp op;
    } unary[] = { { '!', OP_NOT }, { '~', OP_INVERT }, { '-', OP_NEGATE } };
    bool ok;

    if (++ps->nest > MAX_NEST) {
        return fail(ps, "nested too deeply");
    }
    if (accept(ps, '(')) {
        ok = parse_select(ps) && (accept(ps, ')') || fail(ps, "missing ')'"));
        ps->nest--;
        return ok;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(unary); i++) {
        if (accept(ps, unary[i].c)) {
            ok = parse_primary(ps) && emit(ps, unary[i].op, 0, NULL);
            ps->nest--;
            return ok;
        }
    }
    ps->nest--;
    return parse_word(ps);
}

static int next_binary(Parser *ps)
{
    skip_space(ps);
    for (unsigned i = 0; i < G_N_ELEMENTS(binary); i++) {
        if (g_str_has_prefix(ps->p, binary[i].text)) {
            return (int)i;
        }
    }
    return -1;
}

static bool parse_binary(Parser *ps, int level)
{
    int i;

    if (!parse_primary(ps)) {
        return false;
    }
    while ((i = next_binary(ps)) >= 0 && binary[i].level >= level) {
        ps->p += strlen(binary[i].text);
        if (!parse_binary(ps, binary[i].level + 1) ||
            !emit(ps, binary[i].op, 0, NULL)) {
            return false;
        }
    }
    return true;
}

static bool parse_select(Parser *ps)
{
    if (!parse_binary(ps, 1)) {
        return false;
    }
    if (!accept(ps, '?')) {
        return true;
    }
    if (++ps->nest > MAX_NEST) {
        return fail(ps, "nested too deeply");
    }
    if (!parse_select(ps) || !(accept(ps, ':') || fail(ps, "missing ':'")) ||
        !parse_select(ps)) {
        return false;
    }
    ps->nest--;
    return emit(ps, OP_SELECT, 0, NULL);
}

GxExpr *gx_expr_parse(GxDoc *doc, const char *text, const char **why)
{
    g_autofree Parser *ps = g_new0(Parser, 1);
    GxExpr *e;
    GxCode *code;

    ps->doc = doc;
    ps->p = text;
    if (!parse_select(ps)) {
        *why = ps->why;
        return NULL;
    }
    skip_space(ps);
    if (*ps->p) {
        *why = "unexpected character";
        return NULL;
    }
    e = gx_alloc(doc, sizeof(*e));
    code = gx_alloc(doc, ps->n * sizeof(*code));
    memcpy(code, ps->code, ps->n * sizeof(*code));
    e->text = gx_intern(doc, text);
    e->n = ps->n;
    e->code = code;
    return e;
}

static int64_t shift(int64_t a, int64_t by, bool left)
{
    if (by < 0 || by > 63) {
        return 0;
    }
    return (int64_t)(left ? (uint64_t)a << by : (uint64_t)a >> by);
}

static int64_t divide(int64_t a, int64_t b, bool rest)
{
    if (b == 0) {
        return 0;
    }
    if (b == -1) {
        return rest ? 0 : (int64_t)-(uint64_t)a;
    }
    return rest ? a % b : a / b;
}

static int64_t apply(GxOp op, int64_t a, int64_t b)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

    switch (op) {
    case OP_OR: return a || b;
    case OP_AND: return a && b;
    case OP_BITOR: return a | b;
    case OP_BITAND: return a & b;
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LE: return a <= b;
    case OP_LT: return a < b;
    case OP_GE: return a >= b;
    case OP_GT: return a > b;
    case OP_SHL: return shift(a, b, true);
    case OP_SHR: return shift(a, b, false);
    case OP_ADD: return (int64_t)(ua + ub);
    case OP_SUB: return (int64_t)(ua - ub);
    case OP_MUL: return (int64_t)(ua * ub);
    case OP_DIV: return divide(a, b, false);
    default: return divide(a, b, true);
    }
}

bool gx_expr_eval(const GxExpr *e, GxLookup lookup, void *opaque,
                  int64_t *result)
{
    int64_t st[MAX_CODE];
    unsigned n = 0;

    if (e->n == 1 && e->code[0].op == OP_NAME) {
        return lookup(opaque, e->code[0].name, result);
    }
    for (unsigned i = 0; i < e->n; i++) {
        const GxCode *c = &e->code[i];

        switch (c->op) {
        case OP_NUMBER:
            st[n++] = c->number;
            break;
        case OP_NAME:
            if (!lookup(opaque, c->name, &st[n++])) {
                return false;
            }
            break;
        case OP_NOT:
            st[n - 1] = !st[n - 1];
            break;
        case OP_INVERT:
            st[n - 1] = ~st[n - 1];
            break;
        case OP_NEGATE:
            st[n - 1] = (int64_t)-(uint64_t)st[n - 1];
            break;
        case OP_SELECT:
            n -= 2;
            st[n - 1] = st[n - 1] ? st[n] : st[n + 1];
            break;
        default:
            n--;
            st[n - 1] = apply(c->op, st[n - 1], st[n]);
            break;
        }
    }
    *result = st[0];
    return true;
}

const char *gx_expr_text(const GxExpr *e)
{
    return e->text;
}

void gx_expr_names(const GxExpr *e, void (*f)(void *opaque, const char *name),
                   void *opaque)
{
    for (unsigned i = 0; i < e->n; i++) {
        if (e->code[i].op == OP_NAME) {
            f(opaque, e->code[i].name);
        }
    }
}
