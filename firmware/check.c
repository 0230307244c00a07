/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"

#include <string.h>

#include "rv100-me-isa.h"

typedef struct Check {
    const Flow *f;
    GArray *found;
    /* Can control come back from a call of this word without a word of the
     * packet having been taken? 0 not known yet, 1 no, 2 yes */
    uint8_t passes[RV100_ME_WORDS];
    bool reach[RV100_ME_WORDS][RV100_ME_WORDS]; /* without taking a word */
} Check;

static const char *const kind_names[CHECK_KINDS] = {
    "entry", "opcode", "endless", "empty", "table", "data", "wrap", "stack",
    "return", "unknown", "overwrite"
};

const char *check_kind_name(CheckKind kind)
{
    return kind_names[kind];
}

int check_kind(const char *name)
{
    for (unsigned i = 0; i < CHECK_KINDS; i++) {
        if (!strcmp(kind_names[i], name)) {
            return (int)i;
        }
    }
    return -1;
}

static void find(Check *c, unsigned addr, CheckKind kind, const char *format,
                 ...) G_GNUC_PRINTF(4, 5);

static void find(Check *c, unsigned addr, CheckKind kind, const char *format,
                 ...)
{
    CheckFinding finding = { .addr = (uint8_t)addr, .kind = kind };
    va_list ap;

    va_start(ap, format);
    finding.text = g_strdup_vprintf(format, ap);
    va_end(ap);
    g_array_append_val(c->found, finding);
}

static bool empty(const Flow *f, unsigned addr)
{
    return !f->image.hi[addr] && !f->image.lo[addr];
}

/* --- loops --- */

/* Takes a word of the packet each time it is executed. */
static bool always_takes(const Flow *f, unsigned pc)
{
    const IsaWord *w = &f->word[pc];

    return w->adv && !w->cond && !w->cgate;
}

static bool counts_down(const Flow *f, unsigned pc)
{
    unsigned op = f->word[pc].unit[ISA_OP];

    return op == ME_OP_CNT_DEC || op == ME_OP_IDX_INC_CNT_DEC;
}

static bool passes(Check *c, unsigned entry);

/* Ways out of a word that do not take a word of the packet. */
static void quiet_next(Check *c, unsigned pc, FlowNext *quiet)
{
    FlowNext all;
    bool back = false;

    quiet->n = 0;
    if (always_takes(c->f, pc)) {
        return;
    }
    flow_next(c->f, pc, &all);
    for (unsigned i = 0; i < all.n; i++) {
        if (all.way[i] == FLOW_CALL && passes(c, all.to[i])) {
            back = true;
        }
    }
    for (unsigned i = 0; i < all.n; i++) {
        bool counted = all.to[i] == pc && flow_seq(c->f, pc) == ME_SEQ_LOOP &&
                       counts_down(c->f, pc);

        if (!counted && (all.way[i] != FLOW_BACK || back)) {
            quiet->to[quiet->n] = all.to[i];
            quiet->way[quiet->n++] = all.way[i];
        }
    }
}

static bool passes(Check *c, unsigned entry)
{
    bool seen[RV100_ME_WORDS] = { false };
    uint8_t todo[RV100_ME_WORDS];
    unsigned n = 0;

    if (c->passes[entry]) {
        return c->passes[entry] == 2;
    }
    c->passes[entry] = 1;       /* while it calls itself */
    todo[n++] = (uint8_t)entry;
    seen[entry] = true;
    while (n) {
        unsigned pc = todo[--n];
        FlowNext next;

        if (flow_seq(c->f, pc) == ME_SEQ_RET && !always_takes(c->f, pc)) {
            c->passes[entry] = 2;
            return true;
        }
        quiet_next(c, pc, &next);
        for (unsigned i = 0; i < next.n; i++) {
            if (next.way[i] != FLOW_CALL && !seen[next.to[i]]) {
                seen[next.to[i]] = true;
                todo[n++] = next.to[i];
            }
        }
    }
    return false;
}

static void find_reach(Check *c, unsigned from)
{
    uint8_t todo[RV100_ME_WORDS];
    unsigned n = 0, pc = from;

    for (;;) {
        FlowNext next;

        quiet_next(c, pc, &next);
        for (unsigned i = 0; i < next.n; i++) {
            if (!c->reach[from][next.to[i]]) {
                c->reach[from][next.to[i]] = true;
                todo[n++] = next.to[i];
            }
        }
        if (!n) {
            return;
        }
        pc = todo[--n];
    }
}

static bool same_loop(const Check *c, unsigned a, unsigned b)
{
    return c->reach[a][b] && c->reach[b][a];
}

/* Is a loop left when the counter is used up? It counts down, and a jump on
 * count == 0 leads out of it. */
static bool counted_loop(Check *c, unsigned head)
{
    bool down = false, out = false;

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (same_loop(c, head, i)) {
            down = down || counts_down(c->f, i);
            out = out || (flow_seq(c->f, i) == ME_SEQ_JCZ &&
                          !same_loop(c, head, c->f->word[i].addr & 0xff));
        }
    }
    return down && out;
}

static void check_loops(Check *c)
{
    bool said[RV100_ME_WORDS] = { false };

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (c->f->code[i]) {
            find_reach(c, i);
        }
    }
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        unsigned n = 0;

        if (!c->f->code[i] || !c->reach[i][i] || said[i]) {
            continue;
        }
        for (unsigned k = i; k < RV100_ME_WORDS; k++) {
            said[k] = said[k] || same_loop(c, i, k);
            n += same_loop(c, i, k);
        }
        if (!empty(c->f, i) && !counted_loop(c, i)) {
            find(c, i, CHECK_ENDLESS, n == 1
                 ? "may repeat itself without taking a word"
                 : "%u words from here may go round without taking a word", n);
        }
    }
}

/* --- the stack --- */

typedef struct Visit {
    uint8_t pc, depth;
} Visit;

typedef struct Walk {
    Check *c;
    bool seen[RV100_ME_WORDS][RV100_ME_STACK + 1];
    Visit todo[RV100_ME_WORDS * (RV100_ME_STACK + 1)];
    unsigned n;
} Walk;

static void visit(Walk *w, unsigned pc, unsigned depth)
{
    if (!w->seen[pc][depth]) {
        w->seen[pc][depth] = true;
        w->todo[w->n++] = (Visit) { (uint8_t)pc, (uint8_t)depth };
    }
}

static void walk_word(Walk *w, Visit v, bool *lost, bool *bare)
{
    FlowNext next;

    if (flow_seq(w->c->f, v.pc) == ME_SEQ_RET && v.depth == 0) {
        bare[v.pc] = true;
    }
    flow_next(w->c->f, v.pc, &next);
    for (unsigned i = 0; i < next.n; i++) {
        if (next.way[i] != FLOW_CALL) {
            visit(w, next.to[i], v.depth);
        } else if (v.depth < RV100_ME_STACK) {
            visit(w, next.to[i], v.depth + 1u);
        } else {
            lost[v.pc] = true;
            visit(w, next.to[i], RV100_ME_STACK);
        }
    }
}

/* A handler begins with an empty stack; a settings block with the handler on
 * it. */
static void check_stack(Check *c)
{
    bool lost[RV100_ME_WORDS] = { false }, bare[RV100_ME_WORDS] = { false };
    g_autofree Walk *w = g_new0(Walk, 1);

    w->c = c;
    for (unsigned i = 0; i < FLOW_ENTRIES; i++) {
        if (!empty(c->f, i)) {
            visit(w, i, i == 3);
        }
    }
    for (unsigned op = 0; op < FLOW_OPCODES; op++) {
        if (flow_dispatch(c->f, op)) {
            visit(w, flow_dispatch(c->f, op), 0);
        }
    }
    while (w->n) {
        walk_word(w, w->todo[--w->n], lost, bare);
    }
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (lost[i]) {
            find(c, i, CHECK_STACK, "calls with two return addresses on the "
                 "stack: the older one is lost");
        }
        if (bare[i]) {
            find(c, i, CHECK_RETURN, always_takes(c->f, i)
                 ? "may return with an empty stack: swallows the packet"
                 : "may return with an empty stack: never ends");
        }
    }
}

/* --- words --- */

/* Only the last two words can run on over the end. */
static void check_wrap(Check *c, unsigned i)
{
    const IsaName *seq = isa_name(ISA_SEQ, flow_seq(c->f, i));
    bool jumps = seq && seq->operand == ISA_CODE;
    FlowNext next;

    flow_next(c->f, i, &next);
    for (unsigned n = 0; n < next.n; n++) {
        if (i >= 0xfe && next.to[n] < 2 && next.way[n] != FLOW_CALL &&
            !(jumps && next.to[n] == (c->f->word[i].addr & 0xff))) {
            find(c, i, CHECK_WRAP, "runs over the last word to word 00");
        }
    }
}

static void check_word(Check *c, unsigned i)
{
    const Flow *f = c->f;
    const IsaWord *w = &f->word[i];

    if (empty(f, i)) {
        find(c, i, CHECK_EMPTY, "an empty word is executed: never ends");
    }
    if (i >= FLOW_TABLE && i < f->table_end) {
        find(c, i, CHECK_TABLE, "a word of the jump table is executed");
    }
    if (f->data[i]) {
        find(c, i, CHECK_DATA, "is executed and is also read or written as a "
             "constant");
    }
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        if (!isa_known(f->chip, (IsaUnit)u, w->unit[u])) {
            find(c, i, CHECK_UNKNOWN, "%s 0x%02x: effect on %s not known",
                 isa_unit_name((IsaUnit)u), w->unit[u], f->chip->name);
        }
    }
    if (w->high) {
        find(c, i, CHECK_UNKNOWN, "bits above the last field are set");
    }
    if (w->wr && w->mcsel && !w->idxsel && f->code[w->addr & 0xff]) {
        find(c, i, CHECK_OVERWRITE, "writes over word %02x, which is executed",
             w->addr & 0xff);
    }
    check_wrap(c, i);
}

static void check_table(Check *c)
{
    const Flow *f = c->f;
    bool any = false;

    for (unsigned op = 0; op < FLOW_OPCODES; op++) {
        any = any || flow_dispatch(f, op);
    }
    for (unsigned op = 4 * FLOW_TABLE; any && op < 4 * f->table_end; op++) {
        const char *name = isa_packet_name(op);

        if (!flow_dispatch(f, op)) {
            find(c, op >> 2, CHECK_OPCODE, "opcode 0x%02x %s has no handler",
                 op, name ? name : "");
        }
    }
}

static gint by_addr(gconstpointer a, gconstpointer b)
{
    const CheckFinding *x = a, *y = b;

    return x->addr != y->addr ? x->addr - y->addr
                              : (int)x->kind - (int)y->kind;
}

static void clear_finding(gpointer p)
{
    g_free(((CheckFinding *)p)->text);
}

GArray *check_image(const Flow *f)
{
    static const char *const types[FLOW_ENTRIES] = {
        "type 0", "type 0 to one register", "type 1", "type 3 with settings"
    };
    g_autofree Check *c = g_new0(Check, 1);

    c->f = f;
    c->found = g_array_new(FALSE, FALSE, sizeof(CheckFinding));
    g_array_set_clear_func(c->found, clear_finding);
    for (unsigned i = 0; i < FLOW_ENTRIES; i++) {
        if (empty(f, i)) {
            find(c, i, CHECK_ENTRY, "packets of %s begin here: empty, never "
                 "ends", types[i]);
        }
    }
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (f->code[i]) {
            check_word(c, i);
        }
    }
    check_table(c);
    check_loops(c);
    check_stack(c);
    g_array_sort(c->found, by_addr);
    return c->found;
}
