/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disasm.h"

#include <string.h>

#include "rv100-me-isa.h"
#include "tool.h"
#include "words.h"

#define COLUMN 60               /* of the comments */

/* --- labels --- */

/* Is the word printed as a word of its own, so that a label can stand there? */
static bool printed(const Flow *f, unsigned addr)
{
    return !flow_is_table(f, addr) &&
           (f->code[addr] || f->data[addr] || f->image.hi[addr] ||
            f->image.lo[addr]);
}

void labels_init(Labels *l, const Flow *f)
{
    static const char *const entries[FLOW_ENTRIES] = {
        "type0", "type0_one", "type1", "settings"
    };

    memset(l, 0, sizeof(*l));
    for (unsigned i = 0; i < FLOW_ENTRIES; i++) {
        if (printed(f, i)) {
            l->name[i] = g_strdup(entries[i]);
            l->head[i] = true;
        }
    }
    for (unsigned op = 0; op < FLOW_OPCODES; op++) {
        unsigned target = flow_dispatch(f, op);
        const char *packet = isa_packet_name(op);

        if (target && !l->name[target] && printed(f, target)) {
            g_autofree char *name = packet ? g_ascii_strdown(packet, -1)
                                           : g_strdup_printf("%02x", op);

            l->name[target] = g_strconcat("p_", name, NULL);
            l->head[target] = true;
        }
    }
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (!l->name[i] && printed(f, i) && (f->target[i] || f->data[i])) {
            l->name[i] = g_strdup_printf("%c_%02x", f->code[i] ? 'L' : 'C', i);
        }
    }
}

void labels_clear(Labels *l)
{
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        g_free(l->name[i]);
        g_free(l->comment[i]);
    }
    memset(l, 0, sizeof(*l));
}

static bool good_name(const char *s)
{
    IsaUnit unit;

    if (!g_ascii_isalpha(*s) && *s != '_') {
        return false;
    }
    for (const char *p = s; *p; p++) {
        if (!g_ascii_isalnum(*p) && *p != '_') {
            return false;
        }
    }
    return !isa_find(s, strlen(s), &unit) && !isa_keyword(s, strlen(s)) &&
           isa_register(s, strlen(s)) < 0;
}

static bool name_is_used(const Labels *l, const char *name, unsigned addr)
{
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (i != addr && l->name[i] && !strcmp(l->name[i], name)) {
            return true;
        }
    }
    return false;
}

/* What is wrong with a line of a side file, or NULL. */
static const char *label_line(Labels *l, char *line)
{
    char *hash = strchr(line, '#');
    g_auto(GStrv) words = NULL;
    uint32_t addr;

    if (hash) {
        *hash++ = 0;
    }
    words = g_strsplit_set(g_strstrip(line), " \t", 2);
    if (!words[0] || !*words[0]) {
        return NULL;
    }
    if (!words_hex(words[0], strlen(words[0]), &addr) ||
        addr >= RV100_ME_WORDS) {
        return "a hexadecimal address of at most ff expected";
    }
    if (!words[1] || !*g_strstrip(words[1])) {
        return "a name, or -, expected behind the address";
    }
    if (strcmp(words[1], "-")) {
        if (!good_name(words[1])) {
            return "a name of letters, digits and _ expected, no mnemonic and "
                   "no register";
        }
        if (name_is_used(l, words[1], addr)) {
            return "the name is used for another address";
        }
        g_free(l->name[addr]);
        l->name[addr] = g_strdup(words[1]);
        l->head[addr] = true;
    }
    if (hash) {
        g_free(l->comment[addr]);
        l->comment[addr] = g_strdup(g_strstrip(hash));
    }
    return NULL;
}

bool labels_parse(Labels *l, const char *file, const char *text, size_t len,
                  GError **error)
{
    g_autofree char *copy = g_strndup(text, len);
    g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);

    for (unsigned i = 0; lines[i]; i++) {
        const char *wrong = label_line(l, lines[i]);

        if (wrong) {
            tool_set_error(error, "%s:%u: %s", file, i + 1, wrong);
            return false;
        }
    }
    return true;
}

bool labels_load(Labels *l, const char *path, GError **error)
{
    size_t len;
    g_autofree char *text = tool_read(path, &len, error);

    return text && labels_parse(l, path, text, len, error);
}

Listing *listing_load(const char *image, const char *chip, const char *symbols,
                      GError **error)
{
    g_autoptr(Listing) x = g_new0(Listing, 1);
    const Rv100MeChip *model;
    Image loaded;

    if (!image_load(&loaded, image, error) ||
        !(model = image_chip(&loaded, image, chip, error))) {
        return NULL;
    }
    flow_init(&x->f, &loaded, model);
    labels_init(&x->l, &x->f);
    if (symbols && !labels_load(&x->l, symbols, error)) {
        return NULL;
    }
    return g_steal_pointer(&x);
}

void listing_free(Listing *x)
{
    labels_clear(&x->l);
    g_free(x);
}

unsigned labels_section(const Labels *l, unsigned addr)
{
    while (addr && !l->head[addr]) {
        addr--;
    }
    return addr;
}

char *labels_place(const Labels *l, unsigned addr)
{
    for (unsigned n = 0; n <= addr && n < 64; n++) {
        if (l->name[addr - n]) {
            return n ? g_strdup_printf("%s+%u", l->name[addr - n], n)
                     : g_strdup(l->name[addr]);
        }
    }
    return g_strdup_printf("0x%02x", addr);
}

/* --- one instruction --- */

typedef struct Line {
    GString *s;
    const Flow *f;
    const Labels *l;
    bool any;                   /* an item was printed */
    bool addr_said;             /* the address field was printed */
} Line;

/* Begin a group of items: groups are set apart by ';'. */
static void group(Line *o)
{
    if (o->any) {
        g_string_append(o->s, " ; ");
    }
    o->any = true;
}

static void put_me_address(Line *o, unsigned addr)
{
    const char *name = addr < RV100_ME_WORDS && printed(o->f, addr)
                       ? o->l->name[addr] : NULL;

    if (name) {
        g_string_append(o->s, name);
    } else {
        g_string_append_printf(o->s, "0x%02x", addr);
    }
}

static void put_operand(Line *o, IsaOperand kind, unsigned addr)
{
    const char *reg = kind == ISA_REG ? isa_register_name(addr) : NULL;

    o->addr_said = true;
    if (kind == ISA_CODE || kind == ISA_DATA) {
        put_me_address(o, addr);
    } else if (kind == ISA_SIGNED && addr < 0x100) {
        g_string_append_printf(o->s, "%d", (int8_t)addr);
    } else if (reg) {
        g_string_append(o->s, reg);
    } else {
        g_string_append_printf(o->s, "0x%x", addr);
    }
}

static void put_src(Line *o, unsigned code)
{
    const IsaName *n = isa_name(ISA_SRC, code);

    if (n) {
        g_string_append(o->s, n->name);
    } else {
        g_string_append_printf(o->s, "src %u", code);
    }
}

static void put_write(Line *o, const IsaWord *w)
{
    g_string_append(o->s, w->mcsel ? "write me[" : "write ");
    if (w->idxsel) {
        g_string_append(o->s, "idx");
    } else {
        put_operand(o, w->mcsel ? ISA_DATA : ISA_REG, w->addr);
    }
    g_string_append(o->s, w->mcsel ? "], " : ", ");
    put_src(o, w->unit[ISA_SRC]);
}

static void put_unit(Line *o, const IsaWord *w, IsaUnit unit)
{
    unsigned code = w->unit[unit];
    const IsaName *n = isa_name(unit, code);

    group(o);
    if (!n) {
        g_string_append_printf(o->s, "%s 0x%02x", isa_unit_name(unit), code);
        return;
    }
    g_string_append(o->s, n->name);
    if (n->operand != ISA_NO_OPERAND) {
        g_string_append_c(o->s, ' ');
        put_operand(o, n->operand, w->addr);
    }
}

static void put_flags(Line *o, const IsaWord *w)
{
    const struct {
        bool on;
        const char *name;
    } flags[] = {
        { w->cond, "if_flag" }, { w->cgate, "if_count" },
        { w->lat, "latch" }, { w->adv, "adv" },
        { !w->wr && w->idxsel, "idxsel" }, { !w->wr && w->mcsel, "mcsel" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(flags); i++) {
        if (flags[i].on) {
            g_string_append_printf(o->s, "%s%s", o->any ? " " : "",
                                   flags[i].name);
            o->any = true;
        }
    }
}

void disasm_word(GString *s, const Flow *f, const Labels *l, unsigned addr)
{
    const IsaWord *w = &f->word[addr];
    uint8_t seq = w->unit[ISA_SEQ];
    Line o = { .s = s, .f = f, .l = l };

    put_flags(&o, w);
    if (w->wr) {
        group(&o);
        put_write(&o, w);
    } else if (w->unit[ISA_SRC]) {
        group(&o);
        g_string_append(s, isa_name(ISA_SRC, w->unit[ISA_SRC]) ? "src " : "");
        put_src(&o, w->unit[ISA_SRC]);
    }
    if (w->unit[ISA_ALU]) {
        put_unit(&o, w, ISA_ALU);
    }
    if (w->unit[ISA_OP]) {
        put_unit(&o, w, ISA_OP);
    }
    if (seq != isa_default_seq(w->unit[ISA_ALU]) || !o.any) {
        put_unit(&o, w, ISA_SEQ);
    }
    if (w->addr && !o.addr_said) {
        group(&o);
        g_string_append_printf(s, "addr 0x%x", w->addr);
    }
    if (w->high) {
        group(&o);
        g_string_append_printf(s, "high %u", w->high);
    }
}

/* --- the whole image --- */

static void put_marks(GString *s, const IsaWord *w)
{
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        unsigned code = w->unit[u];
        const IsaName *n = isa_name((IsaUnit)u, code);

        if (code || u == ISA_SEQ || (u == ISA_SRC && w->wr)) {
            g_string_append_printf(s, " %s:%c", isa_unit_name((IsaUnit)u),
                                   n ? n->confidence : 'U');
        }
    }
}

static void put_unknown(GString *s, const Flow *f, const IsaWord *w)
{
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        if (!isa_known(f->chip, (IsaUnit)u, w->unit[u])) {
            g_string_append_printf(s, " (%s 0x%02x is unknown)",
                                   isa_unit_name((IsaUnit)u), w->unit[u]);
        }
    }
    if (w->high) {
        g_string_append(s, " (bits above the last field)");
    }
}

static void put_raw(GString *s, const IsaWord *w)
{
    g_string_append_printf(s, " seq %02x cg %d cond %d mc %d ix %d src %d "
                           "op %02x alu %02x adv %d wr %d lat %d addr %03x",
                           w->unit[ISA_SEQ], w->cgate, w->cond, w->mcsel,
                           w->idxsel, w->unit[ISA_SRC], w->unit[ISA_OP],
                           w->unit[ISA_ALU], w->adv, w->wr, w->lat, w->addr);
}

static void put_comment(GString *s, size_t line_start, const char *comment)
{
    size_t width = s->len - line_start;

    if (*comment) {
        g_string_append_printf(s, "%*s#%s",
                               width < COLUMN ? (int)(COLUMN - width) : 1, "",
                               comment);
    }
}

/* Does the word read or write another one as a constant? */
static bool uses_data(const Flow *f, unsigned from, unsigned addr)
{
    const IsaWord *w = &f->word[from];
    const IsaName *alu = isa_name(ISA_ALU, w->unit[ISA_ALU]);
    const IsaName *op = isa_name(ISA_OP, w->unit[ISA_OP]);

    return (w->addr & 0xff) == addr &&
           ((alu && alu->operand == ISA_DATA) ||
            (op && op->operand == ISA_DATA) ||
            (w->wr && w->mcsel && !w->idxsel));
}

/* A comment with the packets and the words that lead to a word, but for the one
 * before it. */
static void put_xref(GString *s, const Flow *f, const Labels *l, unsigned addr)
{
    g_autoptr(GString) from = g_string_new(NULL);

    for (unsigned op = 0; op < FLOW_OPCODES && addr; op++) {
        unsigned first = op;

        while (op < FLOW_OPCODES && flow_dispatch(f, op) == addr) {
            op++;
        }
        if (op > first) {
            g_string_append_printf(from, op - first > 1 ? " opcode_%02x..%02x"
                                   : " opcode_%02x", first, op - 1);
        }
    }
    for (unsigned pc = 0; pc < RV100_ME_WORDS; pc++) {
        bool comes = f->code[pc] && uses_data(f, pc, addr);
        FlowNext next;

        flow_next(f, pc, &next);
        for (unsigned i = 0; i < next.n && f->code[pc]; i++) {
            comes = comes || (next.to[i] == addr && addr != pc + 1);
        }
        if (comes) {
            g_autofree char *place = labels_place(l, pc);

            g_string_append_printf(from, " %s", place);
        }
    }
    if (from->len) {
        g_string_append_printf(s, "    # from:%s\n", from->str);
    }
}

static void put_line(GString *s, const Flow *f, const Labels *l, unsigned addr,
                     unsigned style)
{
    g_autoptr(GString) comment = g_string_new(NULL);
    const IsaWord *w = &f->word[addr];
    size_t start;

    if (l->comment[addr]) {
        g_string_append_printf(s, "    # %s\n", l->comment[addr]);
    }
    if (style & DISASM_XREF) {
        put_xref(s, f, l, addr);
    }
    if (l->name[addr]) {
        g_string_append_printf(s, "%s:\n", l->name[addr]);
    }
    start = s->len;
    g_string_append(s, "    ");
    if (f->code[addr]) {
        disasm_word(s, f, l, addr);
    } else if (f->image.hi[addr]) {
        g_string_append_printf(s, ".word 0x%02x, 0x%08x", f->image.hi[addr],
                               f->image.lo[addr]);
    } else {
        g_string_append_printf(s, ".word 0x%08x", f->image.lo[addr]);
    }
    if (style & DISASM_ADDRESS) {
        g_string_append_printf(comment, " %02x: %02x %08x", addr,
                               f->image.hi[addr], f->image.lo[addr]);
    }
    if (f->code[addr] && style & DISASM_MARKS) {
        put_marks(comment, w);
    }
    if (style & DISASM_RAW) {
        put_raw(comment, w);
    }
    if (f->code[addr]) {
        put_unknown(comment, f, w);
    } else if (!f->data[addr]) {
        g_string_append(comment, " not reached: ");
        disasm_word(comment, f, l, addr);
    }
    put_comment(s, start, comment->str);
    g_string_append_c(s, '\n');
}

static void put_packet(GString *s, unsigned op)
{
    const char *name = isa_packet_name(op);

    if (name) {
        g_string_append(s, name);
    } else {
        g_string_append_printf(s, "0x%02x", op);
    }
}

/* The target that most opcodes share, when a range of all of them says it
 * shorter; else 0. */
static unsigned common_target(const Flow *f)
{
    unsigned count[RV100_ME_WORDS] = { 0 }, best = 0;

    for (unsigned w = FLOW_TABLE; w < f->table_end; w++) {
        if (!flow_is_table(f, w)) {
            return 0;
        }
        for (unsigned op = 4 * w; op < 4 * w + 4; op++) {
            unsigned t = flow_dispatch(f, op);

            if (++count[t] > count[best]) {
                best = t;
            }
        }
    }
    return count[best] > 2 ? best : 0;
}

static void put_dispatch(GString *s, const Flow *f, const Labels *l)
{
    unsigned common = common_target(f);
    Line o = { .s = s, .f = f, .l = l };

    if (common) {
        g_string_append_printf(s, "    .dispatch 0x%02x..0x%02x, ",
                               4 * FLOW_TABLE, 4 * f->table_end - 1);
        put_me_address(&o, common);
        g_string_append_c(s, '\n');
    }
    for (unsigned op = 4 * FLOW_TABLE; op < 4 * f->table_end; op++) {
        unsigned target = flow_dispatch(f, op);

        if (flow_is_table(f, op >> 2) && target != common) {
            g_string_append(s, "    .dispatch ");
            put_packet(s, op);
            g_string_append(s, ", ");
            put_me_address(&o, target);
            g_string_append_c(s, '\n');
        }
    }
}

void disasm_image(GString *s, const Flow *f, const Labels *l,
                  const char *title, unsigned style)
{
    unsigned here = 0;

    g_string_append_printf(s, "# %s\n    .chip %s\n", title, f->chip->name);
    for (unsigned addr = 0; addr < RV100_ME_WORDS; addr++) {
        if (addr == FLOW_TABLE) {
            put_dispatch(s, f, l);
        }
        if (!printed(f, addr)) {
            continue;
        }
        if (addr != here) {
            g_string_append_printf(s, "\n    .org 0x%02x\n", addr);
        }
        put_line(s, f, l, addr, style);
        here = addr + 1;
    }
}
