/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff.h"

#include <string.h>

/* --- sections --- */

/* One word of a section as text in which places are named by section. */
typedef struct Line {
    unsigned addr;
    char *key;                  /* for comparing */
    char *text;                 /* for reading */
} Line;

static void clear_line(gpointer p)
{
    Line *l = p;

    g_free(l->key);
    g_free(l->text);
}

/* The place an address names, so that it is the same in both images. */
static char *place_key(const Listing *d, unsigned addr, unsigned section)
{
    unsigned home = labels_section(&d->l, addr & 0xff);

    if (addr > 0xff) {
        return g_strdup_printf("0x%x", addr);
    }
    return home == section ? g_strdup_printf("+%u", addr - home)
         : d->l.head[home] ? g_strdup_printf("%s+%u", d->l.name[home],
                                             addr - home)
                           : g_strdup_printf("0x%02x", addr);
}

static IsaOperand place_operand(const IsaWord *w)
{
    static const IsaUnit users[] = { ISA_SEQ, ISA_ALU, ISA_OP };

    for (unsigned i = 0; i < G_N_ELEMENTS(users); i++) {
        const IsaName *n = isa_name(users[i], w->unit[users[i]]);

        if (n && (n->operand == ISA_CODE || n->operand == ISA_DATA)) {
            return n->operand;
        }
    }
    return w->wr && w->mcsel && !w->idxsel ? ISA_DATA : ISA_NO_OPERAND;
}

static char *line_key(const Listing *d, unsigned addr, unsigned section)
{
    IsaWord w = d->f.word[addr];
    IsaOperand kind = place_operand(&w);
    g_autofree char *place = NULL;
    uint8_t hi = d->f.image.hi[addr];
    uint32_t lo = d->f.image.lo[addr];

    if (!d->f.code[addr]) {
        return g_strdup_printf("data %02x %08x", hi, lo);
    }
    /* A constant is compared by its value, wherever it stands. */
    place = kind == ISA_CODE ? place_key(d, w.addr, section)
          : kind == ISA_DATA ? g_strdup_printf("=%08x", d->f.image.lo
                                               [w.addr & 0xff])
                             : g_strdup_printf("%x", w.addr);
    w.addr = 0;
    isa_encode(d->f.chip, &w, &hi, &lo);
    return g_strdup_printf("%s %02x %08x %s", d->f.chip->name, hi, lo, place);
}

static bool empty(const Flow *f, unsigned addr)
{
    return !f->code[addr] && !f->image.hi[addr] && !f->image.lo[addr];
}

static GArray *section_lines(const Listing *d, unsigned first)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(Line));

    g_array_set_clear_func(lines, clear_line);
    for (unsigned i = first; i < RV100_ME_WORDS &&
         (i == first || !d->l.head[i]); i++) {
        g_autoptr(GString) s = g_string_new(NULL);
        Line line = { .addr = i };

        if (empty(&d->f, i) || flow_is_table(&d->f, i)) {
            continue;
        }
        if (d->f.code[i]) {
            disasm_word(s, &d->f, &d->l, i);
        } else {
            g_string_append_printf(s, ".word 0x%02x, 0x%08x",
                                   d->f.image.hi[i], d->f.image.lo[i]);
        }
        line.key = line_key(d, i, first);
        line.text = g_string_free(g_steal_pointer(&s), FALSE);
        g_array_append_val(lines, line);
    }
    return lines;
}

/* --- longest common subsequence of two sections --- */

typedef struct Match {
    const GArray *a, *b;
    uint16_t *length;           /* of the best match of the rests */
} Match;

static bool same(const Match *m, unsigned i, unsigned j)
{
    return !strcmp(g_array_index(m->a, Line, i).key,
                   g_array_index(m->b, Line, j).key);
}

static uint16_t *cell(const Match *m, unsigned i, unsigned j)
{
    return &m->length[i * (m->b->len + 1) + j];
}

static void fill(Match *m)
{
    for (unsigned i = m->a->len; i-- > 0;) {
        for (unsigned j = m->b->len; j-- > 0;) {
            *cell(m, i, j) = same(m, i, j)
                ? (uint16_t)(*cell(m, i + 1, j + 1) + 1)
                : MAX(*cell(m, i + 1, j), *cell(m, i, j + 1));
        }
    }
}

static void put(GString *s, char mark, const Line *l)
{
    g_string_append_printf(s, "%c %02x  %s\n", mark, l->addr, l->text);
}

static unsigned put_lines(GString *s, const Match *m)
{
    unsigned i = 0, j = 0, different = 0;

    while (i < m->a->len || j < m->b->len) {
        if (i < m->a->len && j < m->b->len && same(m, i, j)) {
            put(s, ' ', &g_array_index(m->a, Line, i++));
            j++;
            continue;
        }
        if (j == m->b->len ||
            (i < m->a->len && *cell(m, i + 1, j) >= *cell(m, i, j + 1))) {
            put(s, '-', &g_array_index(m->a, Line, i++));
        } else {
            put(s, '+', &g_array_index(m->b, Line, j++));
        }
        different++;
    }
    return different;
}

/* --- the whole --- */

static int find_section(const Listing *d, const char *name)
{
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (d->l.head[i] && !strcmp(d->l.name[i], name)) {
            return (int)i;
        }
    }
    return -1;
}

static unsigned diff_section(GString *s, const Listing *a, int at_a,
                             const Listing *b, int at_b, const char *name)
{
    GArray *none = g_array_new(FALSE, FALSE, sizeof(Line));
    GArray *x = at_a >= 0 ? section_lines(a, (unsigned)at_a)
                          : g_array_ref(none);
    GArray *y = at_b >= 0 ? section_lines(b, (unsigned)at_b)
                          : g_array_ref(none);
    Match m = { x, y, g_new0(uint16_t, (x->len + 1) * (y->len + 1)) };
    g_autoptr(GString) text = g_string_new(NULL);
    unsigned n;

    fill(&m);
    n = put_lines(text, &m);
    if (n) {
        g_string_append_printf(s, "%s:\n%s", name, text->str);
    }
    g_free(m.length);
    g_array_unref(x);
    g_array_unref(y);
    g_array_unref(none);
    return n;
}

static unsigned diff_dispatch(GString *s, const Listing *a, const Listing *b)
{
    unsigned n = 0;

    for (unsigned op = 0; op < FLOW_OPCODES; op++) {
        uint8_t x = flow_dispatch(&a->f, op), y = flow_dispatch(&b->f, op);
        g_autofree char *to_x = x ? labels_place(&a->l, x) : g_strdup("nothing");
        g_autofree char *to_y = y ? labels_place(&b->l, y) : g_strdup("nothing");

        if (strcmp(to_x, to_y)) {
            g_string_append_printf(s, "opcode 0x%02x: %s -> %s\n", op, to_x,
                                   to_y);
            n++;
        }
    }
    return n;
}

unsigned diff_images(GString *s, const Listing *a, const Listing *b)
{
    unsigned n = diff_dispatch(s, a, b);

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (a->l.head[i] || i == 0) {
            const char *name = a->l.head[i] ? a->l.name[i] : "words 00";
            int other = a->l.head[i] ? find_section(b, name) : -1;

            n += diff_section(s, a, (int)i, b, other, name);
        }
    }
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (b->l.head[i] && find_section(a, b->l.name[i]) < 0) {
            n += diff_section(s, a, -1, b, (int)i, b->l.name[i]);
        }
    }
    return n;
}

/* --- common runs --- */

static bool counts(const Flow *f, unsigned addr)
{
    return addr >= FLOW_TABLE && !flow_is_table(f, addr) && !empty(f, addr);
}

static bool same_word(const Flow *a, unsigned i, const Flow *b, unsigned j,
                      bool moved)
{
    IsaWord x = a->word[i], y = b->word[j];
    IsaOperand kind = place_operand(&x);

    if (!counts(a, i) || !counts(b, j) || a->chip->addr_bits !=
        b->chip->addr_bits) {
        return false;
    }
    if (moved && a->code[i] && b->code[j] && kind != ISA_NO_OPERAND &&
        kind == place_operand(&y)) {
        x.addr = y.addr = 0;
        return !memcmp(&x, &y, sizeof(x));
    }
    return a->image.hi[i] == b->image.hi[j] && a->image.lo[i] == b->image.lo[j];
}

DiffRun diff_longest_run(const Flow *a, const Flow *b, bool moved)
{
    DiffRun best = { 0, 0, 0 };

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        for (unsigned j = 0; j < RV100_ME_WORDS; j++) {
            unsigned n = 0;

            while (MAX(i, j) + n < RV100_ME_WORDS &&
                   same_word(a, i + n, b, j + n, moved)) {
                n++;
            }
            if (n > best.length) {
                best = (DiffRun) { i, j, n };
            }
        }
    }
    return best;
}
