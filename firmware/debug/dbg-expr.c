/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debugger: expressions. C's operators on unsigned 64-bit numbers; "-" and "~"
 * give 32 bits. Parsed once into a list of nodes, since a condition is evaluated
 * often.
 *
 *   pc a t idx ...          engine registers ("$a" too)
 *   steps words value       instructions, stream words; the value of the write
 *                           that a breakpoint looks at
 *   DP_CNTL  DP_CNTL.DST_X_DIR      chip registers and fields
 *   p_bitblt                labels: the address
 *   me[0x2a] meh[0x2a]      microcode: low and high word
 *   mem[0x1000] vram[0x40]  card memory, VRAM: a little-endian dword
 */
#include <string.h>

#include "dbg.h"
#include "tool.h"

#define MAX_NODES 256
#define MAX_NESTING 32

typedef enum Op {
    OP_NUMBER, OP_REG, OP_STEPS, OP_WORDS, OP_VALUE, OP_CHIP, OP_FIELD,
    /* one operand */
    OP_ME, OP_MEH, OP_MEM, OP_VRAM, OP_NEG, OP_NOT, OP_INVERT,
    /* two */
    OP_MUL, OP_DIV, OP_MOD, OP_ADD, OP_SUB, OP_SHL, OP_SHR, OP_LT, OP_LE, OP_GT,
    OP_GE, OP_EQ, OP_NE, OP_AND, OP_XOR, OP_OR, OP_LAND, OP_LOR,
} Op;

typedef struct Node {
    Op op;
    int a, b;                   /* operands */
    uint64_t number;            /* number, register, offset */
    const Rv100RegInfo *reg;
    const Rv100FieldInfo *field;
} Node;

struct DbgExpr {
    char *text;
    int root;
    Node node[];
};

typedef struct Parser {
    Rv100Debug *d;
    const char *at;
    unsigned depth, n;
    Node node[MAX_NODES];
    char *why;                  /* of the first error */
} Parser;

static int parse_binary(Parser *p, unsigned level);

static int fail(Parser *p, const char *why)
{
    if (!p->why) {
        g_autofree char *rest = tool_quote(p->at, strlen(p->at));

        p->why = *p->at ? g_strdup_printf("%s at '%s'", why, rest)
                        : g_strdup_printf("%s at the end", why);
    }
    return -1;
}

static int add(Parser *p, Node node)
{
    if (p->n == MAX_NODES) {
        return fail(p, "the expression is too long");
    }
    p->node[p->n] = node;
    return (int)p->n++;
}

static void skip_blanks(Parser *p)
{
    while (*p->at == ' ' || *p->at == '\t') {
        p->at++;
    }
}

static bool accept(Parser *p, const char *text)
{
    skip_blanks(p);
    if (strncmp(p->at, text, strlen(text))) {
        return false;
    }
    p->at += strlen(text);
    return true;
}

static size_t name_length(const char *s)
{
    size_t n = 0;

    while (g_ascii_isalnum(s[n]) || s[n] == '_') {
        n++;
    }
    return n;
}

/* --- primaries --- */

static int parse_number(Parser *p)
{
    char *end;
    size_t n = name_length(p->at);
    uint64_t value = g_ascii_strtoull(p->at, &end, 0);

    if (end != p->at + n) {
        return fail(p, "no number (hexadecimal ones begin with 0x)");
    }
    p->at = end;
    return add(p, (Node) { .op = OP_NUMBER, .number = value });
}

static int parse_indexed(Parser *p, Op op)
{
    int a = parse_binary(p, 0);

    if (a < 0 || !accept(p, "]")) {
        return fail(p, "']' expected");
    }
    return add(p, (Node) { .op = op, .a = a });
}

static int parse_chip(Parser *p, const Rv100RegInfo *reg)
{
    size_t n;

    if (*p->at != '.') {
        return add(p, (Node) { .op = OP_CHIP, .number = reg->offset, .reg = reg });
    }
    n = name_length(p->at + 1);
    for (unsigned i = 0; i < reg->n_fields; i++) {
        const Rv100FieldInfo *f = &reg->fields[i];

        if (strlen(f->name) == n && !g_ascii_strncasecmp(f->name, p->at + 1, n)) {
            p->at += 1 + n;
            return add(p, (Node) { .op = OP_FIELD, .number = reg->offset,
                                   .reg = reg, .field = f });
        }
    }
    return fail(p, "the register has no such field");
}

static int parse_name(Parser *p)
{
    static const struct {
        const char *name;
        Op op;
    } arrays[] = {
        { "me", OP_ME }, { "meh", OP_MEH }, { "mem", OP_MEM }, { "vram", OP_VRAM },
    }, scalars[] = {
        { "steps", OP_STEPS }, { "words", OP_WORDS }, { "value", OP_VALUE },
    };
    bool engine = *p->at == '$';
    const char *name = p->at + engine;
    size_t n = name_length(name);
    const Rv100RegInfo *reg;
    int found;

    for (unsigned i = 0; i < G_N_ELEMENTS(arrays); i++) {
        if (strlen(arrays[i].name) == n && !strncmp(name, arrays[i].name, n)
            && name[n] == '[') {
            p->at = name + n + 1;
            return parse_indexed(p, arrays[i].op);
        }
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(scalars); i++) {
        if (strlen(scalars[i].name) == n && !strncmp(name, scalars[i].name, n)) {
            p->at = name + n;
            return add(p, (Node) { .op = scalars[i].op });
        }
    }
    if ((found = dbg_reg_find(name, n)) >= 0) {
        p->at = name + n;
        return add(p, (Node) { .op = OP_REG, .number = (unsigned)found });
    }
    if (!engine && (found = dbg_label_find(p->d, name, n)) >= 0) {
        p->at = name + n;
        return add(p, (Node) { .op = OP_NUMBER, .number = (unsigned)found });
    }
    if (!engine && (reg = dbg_chip_reg(name, n))) {
        p->at = name + n;
        return parse_chip(p, reg);
    }
    return fail(p, "neither an engine register nor a label nor a register of the "
                "chip");
}

static int parse_primary(Parser *p)
{
    skip_blanks(p);
    if (g_ascii_isdigit(*p->at)) {
        return parse_number(p);
    }
    if (g_ascii_isalpha(*p->at) || *p->at == '_' || *p->at == '$') {
        return parse_name(p);
    }
    if (accept(p, "(")) {
        int a = parse_binary(p, 0);

        return a >= 0 && accept(p, ")") ? a : fail(p, "')' expected");
    }
    return fail(p, "a number, a name or '(' expected");
}

static int parse_unary(Parser *p)
{
    static const struct {
        char sign;
        Op op;
    } signs[] = { { '-', OP_NEG }, { '!', OP_NOT }, { '~', OP_INVERT } };
    int result = -1;

    skip_blanks(p);
    if (++p->depth > MAX_NESTING) {
        return fail(p, "nested too deeply");
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(signs); i++) {
        if (*p->at == signs[i].sign) {
            p->at++;
            result = parse_unary(p);
            p->depth--;
            return result < 0 ? -1
                : add(p, (Node) { .op = signs[i].op, .a = result });
        }
    }
    result = parse_primary(p);
    p->depth--;
    return result;
}

/* Longer operators first where one begins like another. */
static const struct {
    const char *text;
    Op op;
    unsigned level;
} operators[] = {
    { "||", OP_LOR, 0 }, { "&&", OP_LAND, 1 }, { "==", OP_EQ, 5 },
    { "!=", OP_NE, 5 }, { "<<", OP_SHL, 7 }, { ">>", OP_SHR, 7 },
    { "<=", OP_LE, 6 }, { ">=", OP_GE, 6 }, { "<", OP_LT, 6 }, { ">", OP_GT, 6 },
    { "|", OP_OR, 2 }, { "^", OP_XOR, 3 }, { "&", OP_AND, 4 }, { "+", OP_ADD, 8 },
    { "-", OP_SUB, 8 }, { "*", OP_MUL, 9 }, { "/", OP_DIV, 9 }, { "%", OP_MOD, 9 },
};

static const Op no_op = OP_NUMBER;

/* The operator at the place if it binds at least as strongly as level. */
static Op next_operator(Parser *p, unsigned level, unsigned *its_level)
{
    skip_blanks(p);
    for (unsigned i = 0; i < G_N_ELEMENTS(operators); i++) {
        size_t n = strlen(operators[i].text);

        if (!strncmp(p->at, operators[i].text, n)) {
            if (operators[i].level < level) {
                return no_op;
            }
            p->at += n;
            *its_level = operators[i].level;
            return operators[i].op;
        }
    }
    return no_op;
}

static int parse_binary(Parser *p, unsigned level)
{
    unsigned its;
    int a;
    Op op;

    if (++p->depth > MAX_NESTING) {
        return fail(p, "nested too deeply");
    }
    a = parse_unary(p);
    while (a >= 0 && (op = next_operator(p, level, &its)) != no_op) {
        int b = parse_binary(p, its + 1);

        a = b < 0 ? -1 : add(p, (Node) { .op = op, .a = a, .b = b });
    }
    p->depth--;
    return a;
}

static DbgExpr *parse(Rv100Debug *d, const char *text, const char **end,
                      char **why, bool place)
{
    g_autofree Parser *p = g_new0(Parser, 1);
    DbgExpr *e;
    int root;

    p->d = d;
    p->at = text;
    root = place ? parse_primary(p) : parse_binary(p, 0);
    if (root >= 0) {
        skip_blanks(p);
        if (!end && *p->at) {
            root = fail(p, "unexpected text");
        }
    }
    if (root < 0) {
        *why = p->why;
        return NULL;
    }
    e = g_malloc0(sizeof(DbgExpr) + p->n * sizeof(Node));
    e->text = g_strstrip(g_strndup(text, (size_t)(p->at - text)));
    e->root = root;
    memcpy(e->node, p->node, p->n * sizeof(Node));
    if (end) {
        *end = p->at;
    }
    return e;
}

DbgExpr *dbg_expr_parse(Rv100Debug *d, const char *text, const char **end,
                        char **why)
{
    return parse(d, text, end, why, false);
}

DbgExpr *dbg_expr_parse_place(Rv100Debug *d, const char *text, const char **end,
                              char **why)
{
    return parse(d, text, end, why, true);
}

void dbg_expr_free(DbgExpr *e)
{
    if (e) {
        g_free(e->text);
        g_free(e);
    }
}

const char *dbg_expr_text(const DbgExpr *e)
{
    return e->text;
}

/* --- evaluation --- */

static uint64_t card_dword(Rv100Debug *d, uint32_t addr)
{
    uint32_t v = 0;

    return rv100_debug_read(d->chip, addr, &v, 4) ? GUINT32_FROM_LE(v) : 0;
}

static uint64_t vram_dword(Rv100Debug *d, uint64_t offset)
{
    uint32_t size, v = 0;
    const uint8_t *vram = rv100_debug_vram(d->chip, &size);

    if (offset <= size - 4u) {
        memcpy(&v, vram + offset, 4);
    }
    return GUINT32_FROM_LE(v);
}

static uint64_t chip_value(Rv100Debug *d, const Node *n)
{
    uint32_t v = rv100_peek(d->chip, (uint32_t)n->number);
    unsigned bits;

    if (!n->field) {
        return v;
    }
    bits = n->field->end - n->field->start + 1;
    return v >> n->field->start & (bits < 32 ? (1u << bits) - 1 : ~0u);
}

static uint64_t leaf(Rv100Debug *d, const Node *n)
{
    DbgRegs r;

    switch (n->op) {
    case OP_REG:
        dbg_view(d, &r);
        return r.v[n->number];
    case OP_STEPS:
        return d->me->steps;
    case OP_WORDS:
        return d->me->words;
    case OP_VALUE:
        return d->value;
    case OP_CHIP:
    case OP_FIELD:
        return chip_value(d, n);
    default:
        return n->number;
    }
}

static uint64_t unary(Rv100Debug *d, Op op, uint64_t a)
{
    switch (op) {
    case OP_ME:
        return d->me->lo[a & 0xff];
    case OP_MEH:
        return d->me->hi[a & 0xff];
    case OP_MEM:
        return card_dword(d, (uint32_t)a);
    case OP_VRAM:
        return vram_dword(d, a);
    case OP_NEG:
        return (uint32_t)-a;
    case OP_INVERT:
        return (uint32_t)~a;
    default:
        return !a;
    }
}

static uint64_t binary(Rv100Debug *d, Op op, uint64_t a, uint64_t b)
{
    d->divided_by_zero |= !b && (op == OP_DIV || op == OP_MOD);
#define CASE(name, value) case OP_##name: return value
    switch (op) {
    CASE(MUL, a * b);
    CASE(DIV, b ? a / b : 0);
    CASE(MOD, b ? a % b : 0);
    CASE(ADD, a + b);
    CASE(SUB, a - b);
    CASE(SHL, b < 64 ? a << b : 0);
    CASE(SHR, b < 64 ? a >> b : 0);
    CASE(LT, a < b);
    CASE(LE, a <= b);
    CASE(GT, a > b);
    CASE(GE, a >= b);
    CASE(EQ, a == b);
    CASE(NE, a != b);
    CASE(AND, a & b);
    CASE(XOR, a ^ b);
    CASE(OR, a | b);
    CASE(LAND, a && b);
    default: return a || b;
    }
#undef CASE
}

static uint64_t eval(Rv100Debug *d, const DbgExpr *e, int at)
{
    const Node *n = &e->node[at];

    if (n->op < OP_ME) {
        return leaf(d, n);
    }
    if (n->op < OP_MUL) {
        return unary(d, n->op, eval(d, e, n->a));
    }
    return binary(d, n->op, eval(d, e, n->a), eval(d, e, n->b));
}

uint64_t dbg_expr_eval(Rv100Debug *d, const DbgExpr *e)
{
    return eval(d, e, e->root);
}

bool dbg_expr_value(Rv100Debug *d, const DbgExpr *e, uint64_t *value)
{
    d->divided_by_zero = false;
    *value = dbg_expr_eval(d, e);
    if (d->divided_by_zero) {
        dbg_error(d, "%s: division by zero", e->text);
    }
    return !d->divided_by_zero;
}

bool dbg_expr_word(Rv100Debug *d, const DbgExpr *e, uint64_t *at)
{
    if (!dbg_expr_value(d, e, at)) {
        return false;
    }
    if (*at >= RV100_ME_WORDS) {
        dbg_error(d, "0x%" PRIx64 ": microcode addresses end at 0xff", *at);
        return false;
    }
    return true;
}

bool dbg_number(Rv100Debug *d, const char *text, uint64_t *value)
{
    g_autofree char *why = NULL;
    g_autoptr(DbgExpr) e = dbg_expr_parse(d, text, NULL, &why);

    if (!e) {
        dbg_error(d, "%s", why);
        return false;
    }
    return dbg_expr_value(d, e, value);
}

void dbg_expr_place(Rv100Debug *d, const DbgExpr *e, DbgPlace *place)
{
    static const DbgPlaceKind kinds[] = {
        [OP_REG] = DBG_PLACE_REG, [OP_CHIP] = DBG_PLACE_CHIP,
        [OP_FIELD] = DBG_PLACE_FIELD, [OP_ME] = DBG_PLACE_ME,
        [OP_MEH] = DBG_PLACE_MEH, [OP_MEM] = DBG_PLACE_MEM,
        [OP_VRAM] = DBG_PLACE_VRAM, [OP_LOR] = DBG_PLACE_NONE,
    };
    const Node *n = &e->node[e->root];

    *place = (DbgPlace) { .kind = kinds[n->op], .at = (uint32_t)n->number,
                          .reg = n->reg, .field = n->field };
    if (n->op >= OP_ME && n->op <= OP_VRAM) {
        uint64_t at = eval(d, e, n->a);

        place->at = (uint32_t)at;
        place->beyond = at > UINT32_MAX;
    }
}
