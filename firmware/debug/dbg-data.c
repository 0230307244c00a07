/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debugger: print, set, x, patch, inject, display. */
#include <errno.h>
#include <string.h>

#include "asm.h"
#include "dbg.h"
#include "tool.h"

#define MAX_UNITS 4096          /* of one x */
#define MAX_INJECT 256

/* --- values --- */

static void binary(GString *s, uint64_t value, unsigned bytes)
{
    g_string_append(s, "0b");
    for (unsigned bit = 8 * bytes; bit-- > 0; ) {
        g_string_append_c(s, value >> bit & 1 ? '1' : '0');
        if (bit && bit % 4 == 0) {
            g_string_append_c(s, '_');
        }
    }
}

void dbg_format_value(GString *s, uint64_t value, char format, unsigned bytes)
{
    int64_t signed_value = bytes == 1 ? (int8_t)value
        : bytes == 2 ? (int16_t)value : (int32_t)value;

    switch (format) {
    case 'd':
        g_string_append_printf(s, "%" PRId64, value > UINT32_MAX ? (int64_t)value
                               : signed_value);
        break;
    case 'u':
        g_string_append_printf(s, "%" PRIu64, value);
        break;
    case 't':
        binary(s, value, value > UINT32_MAX ? 8 : bytes);
        break;
    case 'c':
        g_string_append_printf(s, value >= 0x20 && value < 0x7f ? "'%c'"
                               : "0x%02x", (unsigned)(value & 0xff));
        break;
    case 'f': {
        uint32_t bits = (uint32_t)value;
        float f;

        memcpy(&f, &bits, 4);
        g_string_append_printf(s, "%.9g", (double)f);
        break;
    }
    default:
        g_string_append_printf(s, "0x%0*" PRIx64, (int)(2 * bytes), value);
        break;
    }
}

static bool is_format(char c)
{
    return c && strchr("xdutcfi", c);
}

/* "/[N][FORMAT][SIZE]" in front of the arguments. */
static bool parse_slash(Rv100Debug *d, char **args, unsigned *n, char *format,
                        unsigned *bytes)
{
    char *p = *args;
    uint64_t count;

    if (*p != '/') {
        return true;
    }
    p++;
    if (g_ascii_isdigit(*p)) {
        count = g_ascii_strtoull(p, &p, 10);
        if (count < 1 || count > MAX_UNITS) {
            dbg_error(d, "a count of 1 to %d expected", MAX_UNITS);
            return false;
        }
        *n = (unsigned)count;
    }
    for (; *p && !strchr(" \t", *p); p++) {
        if (is_format(*p)) {
            *format = *p;
        } else if (*p == 'b' || *p == 'h' || *p == 'w') {
            *bytes = *p == 'b' ? 1 : *p == 'h' ? 2 : 4;
        } else {
            dbg_error(d, "'/%c': formats are x d u t c f i, sizes b h w",
                      g_ascii_isprint(*p) ? *p : '?');
            return false;
        }
    }
    *args = g_strchug(p);
    return true;
}

/* A value with its fields if it is a register of the chip. */
static void print_value(Rv100Debug *d, GString *s, const DbgExpr *e, char format)
{
    uint64_t value;
    DbgPlace place;

    if (!dbg_expr_value(d, e, &value)) {
        return;
    }
    dbg_expr_place(d, e, &place);
    g_string_append_printf(s, "%s = ", dbg_expr_text(e));
    if (format == 'x' && value <= 9) {
        g_string_append_printf(s, "%" PRIu64, value);
    } else if (format == 'x') {
        g_string_append_printf(s, "0x%" PRIx64 " (%" PRIu64 ")", value, value);
    } else {
        dbg_format_value(s, value, format, 4);
    }
    if (place.kind == DBG_PLACE_CHIP) {
        dbg_fields_print(s, place.reg, (uint32_t)value);
    }
    g_string_append_c(s, '\n');
}

static void cmd_print(Rv100Debug *d, char *args)
{
    char format = 'x';
    unsigned n = 1, bytes = 4;
    g_autofree char *why = NULL;
    g_autoptr(DbgExpr) e = NULL;

    if (!parse_slash(d, &args, &n, &format, &bytes)) {
        return;
    }
    if (!*args) {
        DbgRegs r;

        dbg_view(d, &r);
        dbg_print(d, "  pc 0x%02x\n", r.v[DBG_PC]);
        dbg_regs_print(d->out, &r, NULL, "  ");
        return;
    }
    e = dbg_expr_parse(d, args, NULL, &why);
    if (!e) {
        dbg_error(d, "%s", why);
        return;
    }
    print_value(d, d->out, e, format == 'i' ? 'x' : format);
}

/* --- set --- */

static bool set_engine_reg(Rv100Debug *d, unsigned reg, uint64_t value)
{
    if (!dbg_reg_writable(reg)) {
        dbg_error(d, "%s follows from what the engine does; it cannot be set",
                  dbg_reg_name(reg));
        return false;
    }
    if (reg == DBG_PC && d->me->phase != RV100_ME_RUN) {
        dbg_error(d, "between packets there is no pc");
        return false;
    }
    if (reg == DBG_LEFT && !value) {
        dbg_error(d, "left is at least 1 inside a packet");
        return false;
    }
    if (value > dbg_reg_max(reg)) {
        dbg_error(d, "%s is at most 0x%x", dbg_reg_name(reg), dbg_reg_max(reg));
        return false;
    }
    dbg_reg_set(d->me, reg, value);
    return true;
}

static bool set_chip(Rv100Debug *d, const DbgPlace *p, uint64_t value)
{
    uint32_t v = (uint32_t)value, offset = p->reg->offset;

    if (p->kind == DBG_PLACE_FIELD) {
        unsigned bits = p->field->end - p->field->start + 1u;
        uint32_t mask = (bits < 32 ? (1u << bits) - 1 : ~0u) << p->field->start;

        if (value > mask >> p->field->start) {
            dbg_error(d, "%s has %u bits", p->field->name, bits);
            return false;
        }
        v = (rv100_peek(d->chip, offset) & ~mask) | v << p->field->start;
    }
    rv100_mmio_write(d->chip, offset, v, 4);
    return true;
}

static bool set_memory(Rv100Debug *d, const DbgPlace *p, uint64_t value)
{
    uint32_t le = GUINT32_TO_LE((uint32_t)value), size;
    uint8_t *vram = rv100_debug_vram(d->chip, &size);

    if (p->kind == DBG_PLACE_MEM) {
        if (!rv100_debug_write(d->chip, p->at, &le, 4)) {
            dbg_error(d, "nothing answers at card address 0x%08x", p->at);
            return false;
        }
    } else if (p->at > size - 4) {
        dbg_error(d, "VRAM ends at 0x%x", size - 1);
        return false;
    } else {
        memcpy(vram + p->at, &le, 4);
        rv100_debug_vram_changed(d->chip, p->at, 4);
    }
    return true;
}

static bool set_place(Rv100Debug *d, const DbgPlace *p, uint64_t value)
{
    bool me = p->kind == DBG_PLACE_ME || p->kind == DBG_PLACE_MEH;
    uint8_t at = (uint8_t)p->at;

    if (me && (p->beyond || p->at >= RV100_ME_WORDS)) {
        dbg_error(d, "microcode addresses end at 0xff");
        return false;
    }
    if (p->beyond) {
        dbg_error(d, "addresses have 32 bits");
        return false;
    }
    if (p->kind != DBG_PLACE_NONE && value > UINT32_MAX) {
        dbg_error(d, "0x%" PRIx64 " has more than 32 bits", value);
        return false;
    }
    switch (p->kind) {
    case DBG_PLACE_REG:
        return set_engine_reg(d, p->at, value);
    case DBG_PLACE_CHIP:
    case DBG_PLACE_FIELD:
        return set_chip(d, p, value);
    case DBG_PLACE_ME:
        rv100_me_load(d->me, at, d->me->hi[at], (uint32_t)value);
        return true;
    case DBG_PLACE_MEH:
        rv100_me_load(d->me, at, (uint8_t)value, d->me->lo[at]);
        return true;
    case DBG_PLACE_MEM:
    case DBG_PLACE_VRAM:
        return set_memory(d, p, value);
    default:
        dbg_error(d, "an engine register, a chip register or field, me[], meh[], "
                  "mem[] or vram[] expected");
        return false;
    }
}

static void set_stop_vm(Rv100Debug *d, char *args)
{
    char *value = dbg_word(&args);

    if (value && !strcmp(value, "on")) {
        d->stop_vm = true;
    } else if (value && !strcmp(value, "off")) {
        d->stop_vm = false;
    } else {
        dbg_error(d, "set stop-vm on or off");
        return;
    }
    if (!d->host.stop_vm) {
        dbg_print(d, "(there is no machine to be stopped here)\n");
    }
}

static void cmd_set(Rv100Debug *d, char *args)
{
    g_autofree char *why = NULL;
    g_autoptr(DbgExpr) e = NULL;
    const char *end;
    DbgPlace place;
    uint64_t value;

    if (g_str_has_prefix(args, "stop-vm")) {
        args += strlen("stop-vm");
        set_stop_vm(d, args);
        return;
    }
    if (!dbg_needs_halt(d, "set")) {
        return;
    }
    /* "set a = 3" and "set a 3" */
    e = dbg_expr_parse_place(d, args, &end, &why);
    if (!e) {
        dbg_error(d, "%s", why);
        return;
    }
    args += end - args;
    args = g_strchug(args);
    if (*args == '=') {
        args++;
    }
    if (!dbg_number(d, args, &value)) {
        return;
    }
    dbg_expr_place(d, e, &place);
    if (set_place(d, &place, value)) {
        print_value(d, d->out, e, 'x');
    }
    dbg_user_changed(d);
}

/* --- patch --- */

/* Labels as constants, so that the instruction may name them. */
static char *patch_source(Rv100Debug *d, unsigned at, const char *text)
{
    GString *s = g_string_new(NULL);

    dbg_symbols_update(d);
    g_string_append_printf(s, ".chip %s\n", d->me->chip->name);
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (d->symbols.labels.name[i]) {
            g_string_append_printf(s, ".equ %s, 0x%x\n",
                                   d->symbols.labels.name[i], i);
        }
    }
    g_string_append_printf(s, ".org 0x%x\n%s\n", at, text);
    return g_string_free(s, FALSE);
}

static void cmd_patch(Rv100Debug *d, char *args)
{
    g_autofree char *why = NULL, *source = NULL;
    const char *end;
    g_autoptr(DbgExpr) e = dbg_expr_parse(d, args, &end, &why);
    uint64_t at;
    AsmResult r;

    if (!dbg_needs_halt(d, "patch")) {
        return;
    }
    if (!e) {
        dbg_error(d, "%s", why);
        return;
    }
    if (!dbg_expr_word(d, e, &at)) {
        return;
    }
    while (*end == ' ' || *end == '\t' || *end == ':') {
        end++;
    }
    source = patch_source(d, (unsigned)at, end);
    if (!asm_text("patch", source, strlen(source), &r) || !r.used[at]) {
        const char *text = strstr(r.messages->str, "error: ");

        text = text ? text + strlen("error: ")
                    : "an instruction expected behind the address";
        dbg_error(d, "%.*s", (int)strcspn(text, "\n"), text);
    } else {
        for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
            if (r.used[i]) {    /* more than one for "ld =VALUE" */
                rv100_me_load(d->me, (uint8_t)i, r.image.hi[i], r.image.lo[i]);
                dbg_symbols_update(d);
                dbg_say_word(d, d->out, i, "  ");
            }
        }
        dbg_user_changed(d);
    }
    asm_result_clear(&r);
}

/* --- x --- */

static void dump_instructions(Rv100Debug *d, unsigned at, unsigned n)
{
    dbg_symbols_update(d);
    for (; n > 0 && at < RV100_ME_WORDS; n--, at++) {
        dbg_say_word(d, d->out, at, d->me->phase == RV100_ME_RUN
                     && at == d->me->pc ? "=>" : "  ");
    }
    d->x_next = at;
}

static uint32_t little(const uint8_t *p, unsigned bytes)
{
    uint32_t v = 0;

    for (unsigned i = bytes; i-- > 0; ) {
        v = v << 8 | p[i];
    }
    return v;
}

static void dump_memory(Rv100Debug *d, uint32_t at, unsigned n, char format,
                        unsigned bytes)
{
    unsigned per_line = format == 't' ? 1 : format == 'c' ? 8
        : 16 / bytes;

    for (unsigned i = 0; i < n; i++, at += bytes) {
        uint8_t raw[4] = { 0 };

        if (i % per_line == 0) {
            dbg_print(d, "%s0x%08x:", i ? "\n" : "", at);
        }
        g_string_append_c(d->out, ' ');
        if (!rv100_debug_read(d->chip, at, raw, bytes)) {
            dbg_print(d, "nothing answers\n");
            d->result = MAX(d->result, RV100_DEBUG_ERROR);
            return;
        }
        dbg_format_value(d->out, little(raw, bytes), format, bytes);
    }
    dbg_print(d, "\n");
    d->x_next = at;
}

static void cmd_x(Rv100Debug *d, char *args)
{
    unsigned n = 4, bytes = 4;
    char format = 'x';
    uint64_t at = d->x_next;

    if (!parse_slash(d, &args, &n, &format, &bytes)
        || (*args && !dbg_number(d, args, &at))) {
        return;
    }
    if (format == 'i') {
        dump_instructions(d, (unsigned)MIN(at, RV100_ME_WORDS), n);
    } else {
        dump_memory(d, (uint32_t)at, n, format, bytes);
    }
    /* an empty line goes on behind it */
    if (d->again && *args) {
        char *place = strstr(d->again, args);

        if (place) {
            *place = 0;
        }
    }
}

/* --- inject --- */

static void cmd_inject(Rv100Debug *d, char *args)
{
    uint32_t words[MAX_INJECT], room = 0;
    unsigned n = 0;
    Rv100DebugQueues q;

    for (char *word = dbg_word(&args); word; word = dbg_word(&args)) {
        uint64_t value;

        if (!dbg_number(d, word, &value)) {
            return;
        }
        if (n == MAX_INJECT || value > UINT32_MAX) {
            dbg_error(d, n == MAX_INJECT ? "at most %d words" : "words have 32 "
                      "bits", MAX_INJECT);
            return;
        }
        words[n++] = (uint32_t)value;
    }
    if (!n) {
        dbg_error(d, "inject wants words");
        return;
    }
    if (!dbg_needs_halt(d, "inject")) {
        return;
    }
    rv100_debug_queues(d->chip, &q);
    if (!q.on || (q.ib_pending && d->me->phase == RV100_ME_DISPATCH)) {
        dbg_error(d, q.on ? "an indirect buffer begins at the next header (step "
                  "first)" : "the command queue is off (CP_CSQ_CNTL)");
        return;
    }
    if (!rv100_debug_inject(d->chip, words, n, &room)) {
        dbg_error(d, "%u words, but the queue has room for %u", n, room);
        return;
    }
    dbg_user_changed(d);
    dbg_print(d, "%u word%s in front of the stream.\n", n, n == 1 ? "" : "s");
}

/* --- display --- */

static DbgDisplay *nth_display(Rv100Debug *d, unsigned i)
{
    return &g_array_index(d->displays, DbgDisplay, i);
}

void dbg_say_displays(Rv100Debug *d, GString *s)
{
    for (unsigned i = 0; i < d->displays->len; i++) {
        const DbgDisplay *y = nth_display(d, i);

        g_string_append_printf(s, "%u: ", y->number);
        print_value(d, s, y->expr, y->format);
    }
}

void dbg_displays_free(Rv100Debug *d)
{
    for (unsigned i = 0; i < d->displays->len; i++) {
        dbg_expr_free(nth_display(d, i)->expr);
    }
    g_array_free(d->displays, TRUE);
}

void dbg_show_displays(Rv100Debug *d)
{
    if (!d->displays->len) {
        dbg_print(d, "Nothing is displayed.\n");
    }
    dbg_say_displays(d, d->out);
}

static void cmd_display(Rv100Debug *d, char *args)
{
    DbgDisplay y = { .format = 'x' };
    unsigned n, bytes;
    g_autofree char *why = NULL;

    if (!parse_slash(d, &args, &n, &y.format, &bytes)) {
        return;
    }
    if (!*args) {
        dbg_show_displays(d);
        return;
    }
    if (d->displays->len >= DBG_MAX_DISPLAYS) {
        dbg_error(d, "there are %d displays already (undisplay)",
                  DBG_MAX_DISPLAYS);
        return;
    }
    y.expr = dbg_expr_parse(d, args, NULL, &why);
    if (!y.expr) {
        dbg_error(d, "%s", why);
        return;
    }
    y.number = d->next_display++;
    g_array_append_val(d->displays, y);
    dbg_print(d, "%u: ", y.number);
    print_value(d, d->out, y.expr, y.format);
}

static void cmd_undisplay(Rv100Debug *d, char *args)
{
    uint64_t number;

    if (!dbg_count(d, args, 1, UINT32_MAX, 0, &number)) {
        return;
    }
    for (unsigned i = d->displays->len; i-- > 0; ) {
        if (!number || nth_display(d, i)->number == number) {
            dbg_expr_free(nth_display(d, i)->expr);
            g_array_remove_index(d->displays, i);
            if (number) {
                return;
            }
        }
    }
    if (number) {
        dbg_error(d, "there is no display %" PRIu64, number);
    }
}

const DbgCommand dbg_data_commands[] = {
    { "print", "[/F] [EXPR]", "Value of an expression (the engine registers)\n"
      "  print a + 1           engine registers: pc pkt a t s u idx ptr count left ...\n"
      "  print CP_ME_CNTL      registers of the chip, with their fields\n"
      "  print /t CP_ME_CNTL.ME_MODE      one field\n"
      "  print me[0x2a]        microcode (meh[]: high part), mem[] card memory, vram[]\n"
      "  print p_bitblt        labels are addresses\n"
      "Formats: x d u t (binary) c f (float).",
      cmd_print, DBG_COMPLETE_EXPR, NULL, false, true },
    { "p", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, false, true },
    { "set", "PLACE [=] EXPR | stop-vm on|off",
      "Change a register, a microcode word, memory\n"
      "A register of the chip is written as the host would, with all effects.\n"
      "set stop-vm on: a halt stops the whole machine.",
      cmd_set, DBG_COMPLETE_EXPR, NULL, false, false },
    { "patch", "ADDR INSTRUCTION", "Assemble a word of microcode in place\n"
      "  patch L_68 addl -2",
      cmd_patch, DBG_COMPLETE_LABEL, NULL, false, false },
    { "x", "[/NFS] [ADDR]", "Card memory, through memory controller and GART\n"
      "N: how many; F: x d u t c f, i for microcode; S: size b h w.",
      cmd_x, DBG_COMPLETE_EXPR, NULL, true, true },
    { "inject", "WORD...", "Put words in front of the stream", cmd_inject,
      DBG_COMPLETE_NONE, NULL, false, false },
    { "display", "[/F] [EXPR]", "Print EXPR at every halt", cmd_display,
      DBG_COMPLETE_EXPR, NULL, false, true },
    { "undisplay", "[N]", "No more display N (none at all)", cmd_undisplay,
      DBG_COMPLETE_NONE, NULL, false, true },
    { 0 }
};
