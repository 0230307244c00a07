/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debugger: breakpoints and watchpoints. */
#include <string.h>

#include "dbg.h"
#include "tool.h"

#define TYPE_BASE 0x100         /* `at` of a packet type that is not type 3 */

/* --- the list --- */

static void free_break(DbgBreak *b)
{
    dbg_expr_free(b->condition);
    g_free(b);
}

static DbgBreak *nth(Rv100Debug *d, unsigned i)
{
    return g_ptr_array_index(d->breaks, i);
}

static DbgBreak *by_number(Rv100Debug *d, uint64_t number)
{
    for (unsigned i = 0; i < d->breaks->len; i++) {
        if (nth(d, i)->number == number) {
            return nth(d, i);
        }
    }
    return NULL;
}

/* Tell the chip which words stop, and remember which kinds there are. */
static void breaks_changed(Rv100Debug *d)
{
    uint32_t words[RV100_ME_WORDS / 32] = { 0 };

    d->any_packet_break = d->any_me_break = d->any_watch = false;
    memset(d->reg_breaks, 0, sizeof(d->reg_breaks));
    for (unsigned i = 0; i < d->breaks->len; i++) {
        const DbgBreak *b = nth(d, i);

        if (!b->enabled) {
            continue;
        }
        switch (b->kind) {
        case DBG_BREAK_PC:
            words[b->at / 32] |= 1u << b->at % 32;
            break;
        case DBG_BREAK_PACKET:
            d->any_packet_break = true;
            break;
        case DBG_BREAK_REG:
            d->reg_breaks[b->at / 32] |= 1u << b->at % 32;
            break;
        case DBG_BREAK_ME:
            d->any_me_break = true;
            break;
        case DBG_WATCH:
            d->any_watch = true;
            break;
        }
    }
    for (unsigned w = 0; w < RV100_ME_WORDS; w++) {
        bool on = words[w / 32] >> w % 32 & 1;

        if (on != (d->me->breaks[w / 32] >> w % 32 & 1)) {
            rv100_me_set_break(d->me, (uint8_t)w, on);
        }
    }
    dbg_update_hooks(d);
}

static void remove_break(Rv100Debug *d, DbgBreak *b)
{
    g_ptr_array_remove(d->breaks, b);
    free_break(b);
    breaks_changed(d);
}

void dbg_breaks_free(Rv100Debug *d)
{
    for (unsigned i = 0; i < d->breaks->len; i++) {
        free_break(nth(d, i));
    }
    g_ptr_array_free(d->breaks, TRUE);
}

static void add_break(Rv100Debug *d, const DbgBreak *b)
{
    DbgBreak *copy = g_memdup2(b, sizeof(*b));

    copy->number = d->next_break++;
    copy->enabled = true;
    g_ptr_array_add(d->breaks, copy);
    breaks_changed(d);
}

/* --- are they met? --- */

static bool counts(Rv100Debug *d, DbgBreak *b)
{
    if (b->kind != DBG_WATCH && b->condition
        && !dbg_expr_eval(d, b->condition)) {
        return false;
    }
    b->hits++;
    if (b->ignore) {
        b->ignore--;
        return false;
    }
    return true;
}

bool dbg_break_at(Rv100Debug *d)
{
    bool met = false;

    for (unsigned i = 0; i < d->breaks->len; i++) {
        DbgBreak *b = nth(d, i);

        if (b->enabled && b->kind == DBG_BREAK_PC && b->at == d->me->pc
            && counts(d, b)) {
            dbg_halt(d, &(DbgStop) { .b = b, .pc = d->me->pc });
            met = true;
        }
    }
    return met;
}

static bool packet_matches(const DbgBreak *b, uint32_t header)
{
    unsigned type = header >> 30;

    if (b->at >= TYPE_BASE) {
        return b->at == DBG_ANY || b->at - TYPE_BASE == type;
    }
    return type == 3 && b->at == (header >> 8 & 0x7f)
        && (b->settings == DBG_ANY || b->settings == (header >> 15 & 1));
}

void dbg_break_packet(Rv100Debug *d, uint32_t header)
{
    if (!d->any_packet_break) {
        return;
    }
    d->value = header;
    for (unsigned i = 0; i < d->breaks->len; i++) {
        DbgBreak *b = nth(d, i);

        if (b->enabled && b->kind == DBG_BREAK_PACKET
            && packet_matches(b, header) && counts(d, b)) {
            dbg_halt(d, &(DbgStop) { .b = b, .value = header });
        }
    }
}

/* What is written now is looked at when the instruction is over. */
void dbg_break_write(Rv100Debug *d, uint32_t dword, uint32_t value)
{
    d->write = (DbgStop) { .valid = true, .dword = dword, .value = value,
                           .pc = d->me->pc };
    rv100_debug_ask(d->chip);
}

static bool written(Rv100Debug *d, DbgBreakKind kind)
{
    const DbgStop *w = &d->write;
    bool met = false;

    d->value = w->value;
    for (unsigned i = 0; i < d->breaks->len; i++) {
        DbgBreak *b = nth(d, i);

        if (b->enabled && b->kind == kind
            && (b->at == w->dword || b->at == DBG_ANY) && counts(d, b)) {
            DbgStop stop = *w;

            stop.b = b;
            dbg_halt(d, &stop);
            met = true;
        }
    }
    return met;
}

void dbg_break_me(Rv100Debug *d, uint8_t addr, bool by_engine)
{
    d->write = (DbgStop) { .valid = true, .dword = addr, .pc = d->me->pc,
                           .value = d->me->lo[addr], .by_host = !by_engine,
                           .me = true };
    if (by_engine) {
        rv100_debug_ask(d->chip);
    } else if (!rv100_debug_halted(d->chip) && written(d, DBG_BREAK_ME)) {
        dbg_halted_by_host(d);
    }
}

bool dbg_break_asked(Rv100Debug *d)
{
    bool met = d->write.valid
        && written(d, d->write.me ? DBG_BREAK_ME : DBG_BREAK_REG);

    d->write.valid = false;
    return met;
}

void dbg_watch_step(Rv100Debug *d, uint8_t pc)
{
    for (unsigned i = 0; i < d->breaks->len; i++) {
        DbgBreak *b = nth(d, i);
        uint64_t old = b->last;

        if (!b->enabled || b->kind != DBG_WATCH) {
            continue;
        }
        b->last = dbg_expr_eval(d, b->condition);
        if (b->last != old && counts(d, b)) {
            dbg_halt(d, &(DbgStop) { .b = b, .old = old, .now = b->last,
                                     .pc = pc });
        }
    }
}

/* --- break --- */

/* What follows the place: "if COND", or for a register "== VALUE". */
static bool parse_condition(Rv100Debug *d, DbgBreak *b, char *args)
{
    g_autofree char *why = NULL, *text = NULL;

    g_strstrip(args);
    if (!*args) {
        return true;
    }
    if (b->kind == DBG_BREAK_REG && g_str_has_prefix(args, "==")) {
        text = g_strdup_printf("value == (%s)", g_strchug(args + 2));
    } else if (g_str_has_prefix(args, "if") && strchr(" \t(", args[2])
               && args[2]) {
        text = g_strdup(args + 2);
    } else {
        g_autofree char *quoted = tool_quote(args, strlen(args));

        dbg_error(d, "'if CONDITION'%s expected, not '%s'",
                  b->kind == DBG_BREAK_REG ? " or '== VALUE'" : "", quoted);
        return false;
    }
    b->condition = dbg_expr_parse(d, text, NULL, &why);
    if (!b->condition) {
        dbg_error(d, "%s", why);
    }
    return b->condition != NULL;
}

static bool begins_with(const char *args, const char *word)
{
    size_t n = strlen(word);

    return !strncmp(args, word, n) && (!args[n] || strchr(" \t(", args[n]));
}

#define CNTL "CNTL_"

static bool parse_packet(Rv100Debug *d, DbgBreak *b, char **args)
{
    static const char *const types[] = { "type0", "type1", "type2" };
    char *name, *end;
    int op;

    b->kind = DBG_BREAK_PACKET;
    b->at = b->settings = DBG_ANY;
    *args = g_strchug(*args);
    if (!**args || begins_with(*args, "if")) {
        return true;            /* any */
    }
    name = dbg_word(args);
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        if (!strcmp(name, types[i])) {
            b->at = TYPE_BASE + i;
            return true;
        }
    }
    /* as the decoder writes it: CNTL_BITBLT is BITBLT with settings */
    op = isa_packet(name, strlen(name));
    if (op < 0 && g_str_has_prefix(name, CNTL)) {
        op = isa_packet(name + strlen(CNTL), strlen(name) - strlen(CNTL));
        b->settings = 1;
    }
    if (op < 0) {
        b->settings = DBG_ANY;
        uint64_t value = g_ascii_strtoull(name, &end, 0);

        op = *end || end == name || value > 0xff ? -1 : (int)value;
        /* 0x92 is 0x12 with settings, as in lists of packets */
        if (op >= 0x80) {
            b->settings = 1;
        }
    }
    if (op < 0) {
        g_autofree char *quoted = tool_quote(name, strlen(name));

        dbg_error(d, "no packet '%s': a name, an opcode of at most 0xff, type0 or "
                  "type1 expected", quoted);
        return false;
    }
    b->at = (uint32_t)op & 0x7f;
    return true;
}

static bool parse_reg(Rv100Debug *d, DbgBreak *b, char **args)
{
    size_t n = strcspn(*args, " \t=");
    const Rv100RegInfo *r = dbg_chip_reg(*args, n);
    char *end;
    uint64_t offset = g_ascii_strtoull(*args, &end, 0);

    b->kind = DBG_BREAK_REG;
    if (r) {
        offset = r->offset;
    } else if (end == *args || end != *args + n || offset >= 0x8000) {
        g_autofree char *quoted = tool_quote(*args, n);

        dbg_error(d, "no register '%s': a name, or a byte offset below 0x8000, "
                  "expected", quoted);
        return false;
    }
    b->at = (uint32_t)offset / 4;
    *args += n;
    return true;
}

/* A microcode address: an expression up to "if". */
static bool parse_address(Rv100Debug *d, char **args, uint32_t *at)
{
    g_autofree char *why = NULL;
    const char *end;
    g_autoptr(DbgExpr) e = dbg_expr_parse(d, *args, &end, &why);
    uint64_t value;

    if (!e) {
        dbg_error(d, "%s", why);
        return false;
    }
    if (!dbg_expr_word(d, e, &value)) {
        return false;
    }
    *at = (uint32_t)value;
    *args += end - *args;
    return true;
}

static bool parse_place(Rv100Debug *d, DbgBreak *b, char **args)
{
    if (begins_with(*args, "packet")) {
        *args += strlen("packet");
        return parse_packet(d, b, args);
    }
    if (begins_with(*args, "reg")) {
        *args = g_strchug(*args + strlen("reg"));
        return parse_reg(d, b, args);
    }
    if (begins_with(*args, "me")) {
        *args = g_strchug(*args + strlen("me"));
        b->kind = DBG_BREAK_ME;
        b->at = DBG_ANY;
        return !**args || begins_with(*args, "if")
            || parse_address(d, args, &b->at);
    }
    if (begins_with(*args, "pc")) {
        *args = g_strchug(*args + strlen("pc"));
    }
    b->kind = DBG_BREAK_PC;
    b->at = d->me->pc;
    if (!**args || begins_with(*args, "if")) {
        if (d->me->phase != RV100_ME_RUN) {
            dbg_error(d, "between packets there is no pc: name an address");
            return false;
        }
        return true;
    }
    return parse_address(d, args, &b->at);
}

static void describe(Rv100Debug *d, GString *s, const DbgBreak *b)
{
    g_autofree char *name = b->at < RV100_ME_WORDS ? dbg_place_name(d, b->at)
                                                   : NULL;
    const char *packet = b->at < 128 ? isa_packet_name(b->at) : NULL;

    switch (b->kind) {
    case DBG_BREAK_PC:
        g_string_append_printf(s, "at 0x%02x %s", b->at, name);
        break;
    case DBG_BREAK_PACKET:
        if (b->at >= TYPE_BASE) {
            g_string_append_printf(s, b->at == DBG_ANY ? "any packet"
                                   : "packet type %u", b->at - TYPE_BASE);
        } else {
            g_string_append_printf(s, "packet 0x%02x %s", b->at,
                                   packet ? packet : "");
        }
        g_string_append(s, b->settings == 1 ? " with settings" : "");
        break;
    case DBG_BREAK_REG:
        g_string_append(s, "write to ");
        dbg_reg_title(s, 4 * b->at);
        break;
    case DBG_BREAK_ME:
        g_string_append_printf(s, "write to microcode word %s",
                               b->at == DBG_ANY ? "(any)" : name);
        break;
    case DBG_WATCH:
        g_string_append_printf(s, "watch %s", dbg_expr_text(b->condition));
        return;
    }
    if (b->condition) {
        g_string_append_printf(s, " if %s", dbg_expr_text(b->condition));
    }
}

static void set_break(Rv100Debug *d, char *args, bool temporary)
{
    DbgBreak b = { .temporary = temporary };
    g_autoptr(GString) text = g_string_new(NULL);

    if (d->breaks->len >= DBG_MAX_BREAKS) {
        dbg_error(d, "there are %d breakpoints already (delete)", DBG_MAX_BREAKS);
        return;
    }
    if (parse_place(d, &b, &args) && parse_condition(d, &b, args)) {
        add_break(d, &b);
        describe(d, text, &b);
        dbg_print(d, "%s %u: %s\n", temporary ? "Temporary breakpoint"
                  : "Breakpoint", d->next_break - 1, text->str);
    }
}

static void cmd_break(Rv100Debug *d, char *args)
{
    set_break(d, args, false);
}

static void cmd_tbreak(Rv100Debug *d, char *args)
{
    set_break(d, args, true);
}

static void cmd_watch(Rv100Debug *d, char *args)
{
    g_autofree char *why = NULL;
    DbgBreak b = { .kind = DBG_WATCH };

    if (d->breaks->len >= DBG_MAX_BREAKS) {
        dbg_error(d, "there are %d breakpoints already (delete)", DBG_MAX_BREAKS);
        return;
    }
    b.condition = dbg_expr_parse(d, args, NULL, &why);
    if (!b.condition) {
        dbg_error(d, "%s", why);
        return;
    }
    b.last = dbg_expr_eval(d, b.condition);
    add_break(d, &b);
    dbg_print(d, "Watchpoint %u: %s (now 0x%" PRIx64 ")\n", d->next_break - 1,
              dbg_expr_text(b.condition), b.last);
}

/* --- the others --- */

/* Do something to each number of a list, or to all. */
static void for_numbers(Rv100Debug *d, char *args, bool all_without,
                        void (*fn)(Rv100Debug *d, DbgBreak *b))
{
    char *word = dbg_word(&args);

    if (!word && !all_without) {
        dbg_error(d, "the number of a breakpoint expected");
        return;
    }
    for (unsigned i = d->breaks->len; !word && i > 0; i--) {
        fn(d, nth(d, i - 1));
    }
    for (; word; word = dbg_word(&args)) {
        uint64_t number;
        DbgBreak *b;

        if (!dbg_number(d, word, &number)) {
            return;
        }
        b = by_number(d, number);
        if (!b) {
            dbg_error(d, "there is no breakpoint %" PRIu64, number);
            return;
        }
        fn(d, b);
    }
}

static void enable(Rv100Debug *d, DbgBreak *b)
{
    b->enabled = true;
    if (b->kind == DBG_WATCH) {
        b->last = dbg_expr_eval(d, b->condition);
    }
}

static void disable(Rv100Debug *d, DbgBreak *b)
{
    b->enabled = false;
}

static void cmd_delete(Rv100Debug *d, char *args)
{
    for_numbers(d, args, true, remove_break);
}

static void cmd_enable(Rv100Debug *d, char *args)
{
    for_numbers(d, args, true, enable);
    breaks_changed(d);
}

static void cmd_disable(Rv100Debug *d, char *args)
{
    for_numbers(d, args, true, disable);
    breaks_changed(d);
}

static DbgBreak *one_number(Rv100Debug *d, char **args)
{
    char *word = dbg_word(args);
    uint64_t number = 0;
    DbgBreak *b;

    if (!word) {
        dbg_error(d, "the number of a breakpoint expected");
        return NULL;
    }
    if (!dbg_number(d, word, &number)) {
        return NULL;
    }
    b = by_number(d, number);
    if (!b) {
        dbg_error(d, "there is no breakpoint %" PRIu64, number);
    }
    return b;
}

static void cmd_condition(Rv100Debug *d, char *args)
{
    DbgBreak *b = one_number(d, &args);
    g_autofree char *why = NULL;
    DbgExpr *e = NULL;

    if (!b) {
        return;
    }
    if (b->kind == DBG_WATCH) {
        dbg_error(d, "a watchpoint has no condition");
        return;
    }
    if (*g_strstrip(args) && !(e = dbg_expr_parse(d, args, NULL, &why))) {
        dbg_error(d, "%s", why);
        return;
    }
    dbg_expr_free(b->condition);
    b->condition = e;
}

static void cmd_ignore(Rv100Debug *d, char *args)
{
    DbgBreak *b = one_number(d, &args);
    uint64_t n;

    if (b && dbg_count(d, args, 0, UINT32_MAX, 1, &n)) {
        b->ignore = n;
    }
}

void dbg_show_breaks(Rv100Debug *d)
{
    if (!d->breaks->len) {
        dbg_print(d, "No breakpoints.\n");
    }
    for (unsigned i = 0; i < d->breaks->len; i++) {
        const DbgBreak *b = nth(d, i);

        dbg_print(d, "%3u  ", b->number);
        describe(d, d->out, b);
        dbg_print(d, "%s%s, %" PRIu64 " hit%s", b->temporary ? ", temporary" : "",
                  b->enabled ? "" : ", disabled", b->hits,
                  b->hits == 1 ? "" : "s");
        if (b->ignore) {
            dbg_print(d, ", next %" PRIu64 " ignored", b->ignore);
        }
        dbg_print(d, "\n");
    }
}

/* A temporary one is gone once it was told. */
void dbg_break_done(Rv100Debug *d, const DbgBreak *b)
{
    if (b->temporary) {
        remove_break(d, (DbgBreak *)b);
    }
}

const DbgCommand dbg_break_commands[] = {
    { "break", "[ADDR | packet P | reg R | me [ADDR]] [if E]",
      "Halt in front of a word, at a packet, at a write\n"
      "  break p_bitblt          in front of a microcode word: label or address\n"
      "  break packet BITBLT     when the packet begins: name, opcode, type0, type1\n"
      "  break packet 0x92       opcode 0x12 with the settings flag; also CNTL_BITBLT\n"
      "  break reg DP_CNTL == 3  after the engine has written it (also: if value > 3)\n"
      "  break me 0xe4           after a microcode word was written, by engine or host\n"
      "  break L_64 if a > 0xff  only when the expression is not 0",
      cmd_break, DBG_COMPLETE_BREAK, NULL, false, true },
    { "b", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, false, true },
    { "tbreak", "[ADDR | packet P | reg R | me [ADDR]] [if E]",
      "The same, for once", cmd_tbreak, DBG_COMPLETE_BREAK, NULL, false, true },
    { "watch", "EXPR", "Halt after the instruction that changes EXPR\n"
      "Every instruction is looked at: slow.",
      cmd_watch, DBG_COMPLETE_EXPR, NULL, false, true },
    { "delete", "[N...]", "Remove breakpoints (all)", cmd_delete,
      DBG_COMPLETE_NONE, NULL, false, true },
    { "d", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, false, true },
    { "enable", "[N...]", "Switch breakpoints on (all)", cmd_enable,
      DBG_COMPLETE_NONE, NULL, false, true },
    { "disable", "[N...]", "Switch breakpoints off (all)", cmd_disable,
      DBG_COMPLETE_NONE, NULL, false, true },
    { "condition", "N [EXPR]", "Halt at breakpoint N only if EXPR (always)",
      cmd_condition, DBG_COMPLETE_EXPR, NULL, false, true },
    { "ignore", "N [COUNT]", "Pass breakpoint N the next COUNT times", cmd_ignore,
      DBG_COMPLETE_NONE, NULL, false, true },
    { 0 }
};
