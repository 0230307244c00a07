/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembler: lines, directives and the two passes. Pass 1 finds the addresses
 * of labels, pass 2 evaluates and emits.
 */
#include "asm.h"

#include <string.h>

#include "asm-private.h"
#include "tool.h"

static void source_text(Asm *a, const char *name, const char *text, size_t len);

/* --- symbols --- */

static void free_symbol(gpointer p)
{
    AsmSymbol *s = p;

    g_free(s->name);
    g_free(s);
}

static void free_literal(gpointer p)
{
    AsmLiteral *l = p;

    g_free(l->key);
    g_free(l);
}

static void define(Asm *a, const char *name, AsmPlace place, int64_t value,
                   bool known, bool label)
{
    AsmSymbol *s = g_hash_table_lookup(a->symbols, name);
    IsaUnit unit;

    if (isa_find(name, strlen(name), &unit) ||
        isa_keyword(name, strlen(name))) {
        asm_error_at(a, place, "'%s' is a mnemonic", name);
    } else if (isa_register(name, strlen(name)) >= 0) {
        asm_error_at(a, place, "'%s' is a register", name);
    } else if (s && s->pass == a->pass) {
        asm_error_at(a, place, "'%s' is defined already in %s:%u", name,
                     s->place.file, s->place.line);
    } else {
        if (!s) {
            s = g_new0(AsmSymbol, 1);
            s->name = g_strdup(name);
            g_hash_table_insert(a->symbols, s->name, s);
        }
        s->value = value;
        s->pass = a->pass;
        s->known = known;
        s->label = label;
        s->place = place;
    }
}

/* --- words --- */

static bool claim(Asm *a, unsigned addr, AsmKind kind, AsmPlace place)
{
    AsmWord *w = &a->words[addr];

    if (w->kind != WORD_NONE) {
        asm_error_at(a, place, "word 0x%02x is defined already in %s:%u", addr,
                     w->place.file, w->place.line);
        return false;
    }
    w->kind = kind;
    w->place = place;
    a->out->used[addr] = true;
    a->out->line[addr] = place.line;
    a->out->file[addr] = place.file;
    return true;
}

static void list_word(Asm *a, unsigned addr, const char *text)
{
    const Image *m = &a->out->image;

    g_string_append_printf(a->out->listing, "%02x: %02x %08x  %s\n", addr,
                           m->hi[addr], m->lo[addr], text);
}

static void emit(Asm *a, AsmKind kind, AsmPlace place, uint8_t hi, uint32_t lo)
{
    a->any_word = true;
    if (a->here >= RV100_ME_WORDS) {
        asm_error_at(a, place, "the program does not fit into 256 words");
        return;
    }
    if (a->pass == 2 && claim(a, a->here, kind, place)) {
        a->out->image.hi[a->here] = hi;
        a->out->image.lo[a->here] = lo;
        list_word(a, a->here, a->text);
    }
    a->here++;
}

/* --- constants written in place: "ld =VALUE" --- */

bool asm_literal(Asm *a, int64_t *addr)
{
    const char *start = a->start;
    AsmPlace place = asm_place(a);
    g_autofree char *key = NULL;
    AsmLiteral *l = NULL;
    int64_t value;

    if (!asm_expr(a, &value, NULL)) {
        return false;
    }
    if (a->pass == 2 && (value < INT32_MIN || value > UINT32_MAX)) {
        asm_error_at(a, place, "the constant does not fit 32 bits");
        return false;
    }
    key = g_strchomp(g_strndup(start, (size_t)(a->start - start)));
    for (unsigned i = 0; i < a->literals->len && !l; i++) {
        AsmLiteral *other = g_ptr_array_index(a->literals, i);

        l = strcmp(other->key, key) ? NULL : other;
    }
    if (!l) {
        l = g_new0(AsmLiteral, 1);
        l->key = g_steal_pointer(&key);
        l->addr = -1;
        g_ptr_array_add(a->literals, l);
    }
    l->value = value;
    *addr = l->addr < 0 ? 0 : l->addr;
    return true;
}

/* Place the constants asked for so far: .pool, and the end of the source. In
 * pass 2 their values are known only at the end. */
static void pool(Asm *a, AsmPlace place)
{
    for (unsigned i = 0; i < a->literals->len; i++) {
        AsmLiteral *l = g_ptr_array_index(a->literals, i);

        if (a->pass == 1 && l->addr < 0) {
            if (a->here >= RV100_ME_WORDS) {
                asm_error_at(a, place, "no room for the constant %s", l->key);
                return;
            }
            l->addr = (int)a->here++;
            l->filled = false;
        } else if (a->pass == 2 && !l->filled && l->addr == (int)a->here &&
                   a->here < RV100_ME_WORDS) {
            claim(a, a->here++, WORD_DATA, place);
            l->filled = true;
        }
    }
}

static void fill_literals(Asm *a)
{
    for (unsigned i = 0; i < a->literals->len; i++) {
        const AsmLiteral *l = g_ptr_array_index(a->literals, i);

        if (l->filled) {
            g_autofree char *text = g_strdup_printf("    # constant %s", l->key);

            a->out->image.lo[l->addr] = (uint32_t)l->value;
            list_word(a, (unsigned)l->addr, text);
        }
    }
}

/* --- directives --- */

static void d_org(Asm *a)
{
    AsmPlace place = asm_place(a);
    int64_t value;
    bool known;

    if (!asm_expr(a, &value, &known)) {
        return;
    }
    if (!known) {
        asm_error_at(a, place, ".org wants a value that is known here");
    } else if (value < 0 || value > RV100_ME_WORDS) {
        asm_error_at(a, place, ".org wants an address of at most 0xff");
    } else {
        a->here = (unsigned)value;
    }
}

static void d_equ(Asm *a)
{
    AsmPlace place = asm_place(a);
    g_autofree char *name = g_strndup(a->start, a->length);
    int64_t value;
    bool known;

    if (a->token != T_NAME || g_ascii_isdigit(*name)) {
        asm_error(a, "a name expected");
        return;
    }
    asm_next(a);
    if (asm_expect(a, ',', "',' behind the name") &&
        asm_expr(a, &value, &known)) {
        define(a, name, place, value, known, false);
    }
}

static void d_word(Asm *a)
{
    AsmPlace place = asm_place(a);
    int64_t hi = 0, lo;

    if (!asm_expr(a, &lo, NULL)) {
        return;
    }
    if (asm_accept(a, ',')) {
        hi = lo;
        if (!asm_expr(a, &lo, NULL)) {
            return;
        }
    }
    if (hi < 0 || hi > 0xff || lo < INT32_MIN || lo > UINT32_MAX) {
        asm_error_at(a, place, ".word [HIGH,] LOW: at most 0xff and 32 bits");
        return;
    }
    emit(a, WORD_DATA, place, (uint8_t)hi, (uint32_t)lo);
}

static void d_chip(Asm *a)
{
    g_autofree char *name = g_strndup(a->start, a->length);
    const Rv100MeChip *chip = a->token == T_NAME ? rv100_me_chip(name) : NULL;

    if (!chip) {
        asm_error(a, "a chip expected: r128, r100, r200 or r300");
        return;
    }
    if (a->any_word && chip != a->chip) {
        asm_error(a, ".chip must come before the first word");
        return;
    }
    a->chip = chip;
    asm_next(a);
}

/* PACKET or a number */
static bool opcode(Asm *a, unsigned *op)
{
    AsmPlace place = asm_place(a);
    int64_t value;
    int packet = a->token == T_NAME ? isa_packet(a->start, a->length) : -1;

    if (packet >= 0) {
        *op = (unsigned)packet;
        asm_next(a);
        return true;
    }
    if (!asm_expr(a, &value, NULL)) {
        return false;
    }
    if (value < 0 || value >= ASM_OPCODES) {
        asm_error_at(a, place, "a packet name or an opcode up to 0x7f expected");
        return false;
    }
    *op = (unsigned)value;
    return true;
}

/* .dispatch PACKET[..PACKET], TARGET */
static void d_dispatch(Asm *a)
{
    AsmPlace place = asm_place(a), target;
    unsigned first, last;
    int64_t value;
    bool range;

    if (!opcode(a, &first)) {
        return;
    }
    last = first;
    range = asm_accept(a, P_RANGE);
    if (range && !opcode(a, &last)) {
        return;
    }
    if (!asm_expect(a, ',', "',' and a label")) {
        return;
    }
    target = asm_place(a);
    if (!asm_expr(a, &value, NULL) || a->pass == 1) {
        return;
    }
    if (value < 0 || value >= RV100_ME_WORDS) {
        asm_error_at(a, target, "a microcode address expected");
        return;
    }
    for (unsigned op = first; op <= last; op++) {
        AsmDispatch *d = &a->dispatch[op];

        if (d->set && d->range == range) {
            asm_error_at(a, place, "opcode 0x%02x is dispatched already in "
                         "%s:%u", op, d->place.file, d->place.line);
            return;
        }
        if (!d->set || d->range) {
            *d = (AsmDispatch) { true, range, (uint8_t)value, place };
        }
    }
}

static void d_pool(Asm *a)
{
    pool(a, asm_place(a));
}

static void d_include(Asm *a)
{
    g_autofree char *dir = g_path_get_dirname(a->file);
    g_autofree char *name = g_strndup(a->start, a->length);
    g_autofree char *path = NULL, *text = NULL;
    g_autoptr(GError) error = NULL;
    size_t len;

    if (a->token != T_STRING) {
        asm_error(a, "a file name in quotes expected");
        return;
    }
    if (a->depth >= ASM_MAX_INCLUDE_DEPTH || a->n_includes >= ASM_MAX_INCLUDES) {
        asm_error(a, "too many .include, or one that includes itself");
        return;
    }
    path = g_path_is_absolute(name) ? g_strdup(name)
                                    : g_build_filename(dir, name, NULL);
    text = g_file_test(path, G_FILE_TEST_IS_REGULAR)
           ? tool_read(path, &len, &error) : NULL;
    if (!text) {
        asm_error(a, "%s", error ? error->message : "no such file");
        return;
    }
    asm_next(a);
    if (a->token == T_END) {
        Asm saved = *a;
        AsmPlace place = asm_place(a);

        a->n_includes++;
        a->depth++;
        if (a->text_read + len > ASM_MAX_TEXT) {
            asm_error_at(a, place, "more than 1 MiB of source");
        } else {
            source_text(a, path, text, len);
        }
        a->depth--;
        a->file = saved.file;
        a->text = saved.text;
        a->line = saved.line;
        a->at = a->start = saved.at;
        a->token = T_END;
    }
}

static const struct {
    const char *name;
    void (*handle)(Asm *a);
} directives[] = {
    { "org", d_org }, { "equ", d_equ }, { "word", d_word },
    { "chip", d_chip }, { "dispatch", d_dispatch }, { "pool", d_pool },
    { "include", d_include },
};

static void directive(Asm *a)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(directives); i++) {
        if (asm_is(a, directives[i].name)) {
            asm_next(a);
            directives[i].handle(a);
            if (!a->failed && a->token != T_END) {
                asm_error(a, "the line should end here");
            }
            return;
        }
    }
    asm_error(a, "no such directive");
}

/* --- lines --- */

/* NAME ':' at the beginning of what is left of the line */
static bool label(Asm *a)
{
    AsmPlace place = asm_place(a);
    const char *behind = a->at + strspn(a->at, " \t");

    if (a->token != T_NAME || *behind != ':' || a->failed) {
        return false;
    }
    if (g_ascii_isdigit(*a->start)) {
        asm_error(a, "a label may not begin with a digit");
        return false;
    } else {
        g_autofree char *name = g_strndup(a->start, a->length);

        define(a, name, place, a->here, true, true);
    }
    asm_next(a);
    asm_next(a);
    return true;
}

static void statement(Asm *a)
{
    AsmPlace place;
    IsaWord w;
    uint8_t hi;
    uint32_t lo;

    while (label(a)) {
    }
    if (a->failed || a->token == T_END) {
        return;
    }
    if (asm_accept(a, '.')) {
        directive(a);
        return;
    }
    place = asm_place(a);
    if (asm_instruction(a, &w)) {
        isa_encode(a->chip, &w, &hi, &lo);
        emit(a, WORD_INSN, place, hi, lo);
    }
}

static void source_line(Asm *a, char *text)
{
    unsigned before = a->here;
    size_t listed = a->out->listing->len;

    a->text = a->at = text;
    a->failed = false;
    asm_next(a);
    statement(a);
    if (a->pass == 2 && a->here == before && a->out->listing->len == listed) {
        g_string_append_printf(a->out->listing, "%16s%s\n", "", text);
    }
}

/* A copy of the name that lives as long as the messages; one for each file. */
static const char *file_name(Asm *a, const char *name)
{
    GPtrArray *files = a->out->files;

    for (unsigned i = 0; i < files->len; i++) {
        if (!strcmp(g_ptr_array_index(files, i), name)) {
            return g_ptr_array_index(files, i);
        }
    }
    g_ptr_array_add(files, g_strdup(name));
    return g_ptr_array_index(files, files->len - 1);
}

static void source_text(Asm *a, const char *name, const char *text, size_t len)
{
    a->file = file_name(a, name);
    a->line = 0;
    a->text_read += len;
    for (size_t i = 0; i < len && a->out->n_errors < ASM_MAX_ERRORS;) {
        const char *end = memchr(text + i, '\n', len - i);
        size_t n = end ? (size_t)(end - text - i) : len - i;
        g_autofree char *line = g_strndup(text + i, n);
        const char *file = a->file;

        a->line++;
        if (strlen(line) < n) {
            a->text = a->start = line;
            asm_error(a, "a NUL character in the source");
        } else {
            source_line(a, line);
        }
        a->file = file;
        a->text = NULL;
        i += n + 1;
    }
}

/* --- the whole --- */

static void emit_dispatch(Asm *a)
{
    Image *m = &a->out->image;

    for (unsigned op = 0; op < ASM_OPCODES; op++) {
        const AsmDispatch *d = &a->dispatch[op];
        unsigned addr = op >> 2;

        if (d->set && (a->words[addr].kind == WORD_DISPATCH ||
                       claim(a, addr, WORD_DISPATCH, d->place))) {
            m->lo[addr] |= (uint32_t)d->target << 8 * (op & 3);
        }
    }
    for (unsigned addr = 0; addr < ASM_OPCODES / 4; addr++) {
        if (a->words[addr].kind == WORD_DISPATCH) {
            list_word(a, addr, "    # dispatch table");
        }
    }
}

static gint by_value(gconstpointer x, gconstpointer y)
{
    const AsmSymbol *p = *(const AsmSymbol *const *)x;
    const AsmSymbol *q = *(const AsmSymbol *const *)y;

    return p->value != q->value ? (p->value < q->value ? -1 : 1)
                                : strcmp(p->name, q->name);
}

static void write_symbols(Asm *a)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    GHashTableIter iter;
    gpointer p;

    g_hash_table_iter_init(&iter, a->symbols);
    while (g_hash_table_iter_next(&iter, NULL, &p)) {
        if (((AsmSymbol *)p)->label) {
            g_ptr_array_add(all, p);
        }
    }
    g_ptr_array_sort(all, by_value);
    for (unsigned i = 0; i < all->len; i++) {
        const AsmSymbol *s = g_ptr_array_index(all, i);

        g_string_append_printf(a->out->symbols, "%02x %s\n",
                               (unsigned)s->value, s->name);
    }
}

static void run_pass(Asm *a, unsigned pass, const char *name, const char *text,
                     size_t len)
{
    AsmPlace end = { name, 0, 0 };

    a->pass = pass;
    a->here = 0;
    a->any_word = false;
    a->n_includes = 0;
    a->text_read = 0;
    source_text(a, name, text, len);
    end.line = a->line;
    a->text = NULL;
    pool(a, end);
}

bool asm_text(const char *name, const char *text, size_t len, AsmResult *out)
{
    g_autofree Asm *a = g_new0(Asm, 1);

    memset(out, 0, sizeof(*out));
    out->messages = g_string_new(NULL);
    out->listing = g_string_new(NULL);
    out->symbols = g_string_new(NULL);
    out->files = g_ptr_array_new_with_free_func(g_free);
    a->out = out;
    a->chip = rv100_me_chip("r100");
    a->symbols = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                       free_symbol);
    a->literals = g_ptr_array_new_with_free_func(free_literal);
    if (len > ASM_MAX_TEXT) {
        asm_error_at(a, (AsmPlace) { name, 0, 0 }, "more than 1 MiB of source");
    } else {
        run_pass(a, 1, name, text, len);
    }
    if (!out->n_errors) {
        run_pass(a, 2, name, text, len);
        emit_dispatch(a);
        fill_literals(a);
    }
    out->chip = a->chip;
    write_symbols(a);
    g_hash_table_destroy(a->symbols);
    g_ptr_array_free(a->literals, TRUE);
    return out->n_errors == 0;
}

void asm_result_clear(AsmResult *r)
{
    g_string_free(r->messages, TRUE);
    g_string_free(r->listing, TRUE);
    g_string_free(r->symbols, TRUE);
    g_ptr_array_free(r->files, TRUE);
    memset(r, 0, sizeof(*r));
}
