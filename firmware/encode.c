/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text to words. A line at the left margin begins a packet; the lines below
 * it are items, which the walk over the layout takes one after the other.
 */
#include "encode.h"

#include <string.h>

#include "rv100-pm4.h"
#include "tool.h"

#define MAX_PACKET 0x10000      /* dwords */
#define NO_INDEX UINT64_MAX

typedef enum ItemKind {
    ITEM_VALUE,                 /* NAME = TEXT, NAME[INDEX] = TEXT */
    ITEM_OPEN,                  /* NAME, NAME[INDEX]: a struct follows */
    ITEM_REPEAT,                /* [INDEX] */
} ItemKind;

typedef struct Item {
    ItemKind kind;
    unsigned line;
    uint64_t index;
    char *name, *text;
} Item;

typedef struct Patch {
    uint64_t word;
    uint32_t value;
} Patch;

typedef struct Encoder {
    const DecodeSet *set;
    const char *file;
    GError **error;
    bool failed;
    GArray *out;                /* all words */

    /* the packet at hand */
    unsigned line;              /* of its head */
    char *head;
    GArray *items;              /* Item */
    unsigned next;
    const GxContainer *c;
    bool settings;
    bool has_length, has_words;
    uint64_t length, words;     /* given: length field, number of words */
    GArray *patches;
    const GxGroup *asked;       /* a group was continued without an item */
    unsigned asked_at;
    unsigned implicit;          /* inside repetitions without [n]: how many */
    GArray *scopes;             /* bool: is this repetition without [n]? */
} Encoder;

static void fail(Encoder *e, unsigned line, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* The first mistake is reported. */
static void fail(Encoder *e, unsigned line, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    if (e->failed) {
        return;
    }
    e->failed = true;
    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    tool_set_error(e->error, "%s:%u: %s", e->file, line, text);
}

static Item *next_item(Encoder *e)
{
    return e->next < e->items->len ? &g_array_index(e->items, Item, e->next)
                                   : NULL;
}

static void clear_item(gpointer opaque)
{
    Item *it = opaque;

    g_free(it->name);
    g_free(it->text);
}

/* --- values --- */

/* "{ FIELD = value, ... }": the bits of a register. */
static bool compose(Encoder *e, unsigned line, const GxContainer *c,
                    const char *text, uint64_t *raw)
{
    g_autofree char *inner = g_strstrip(g_strdup(text + 1));
    g_auto(GStrv) parts = NULL;
    size_t len = strlen(inner);

    if (!len || inner[len - 1] != '}') {
        fail(e, line, "'}' is missing behind the fields");
        return false;
    }
    inner[len - 1] = 0;
    parts = g_strsplit(g_strstrip(inner), ", ", -1);
    *raw = 0;
    for (char **p = parts; *p && **p; p++) {
        char *eq = strstr(*p, " = ");
        g_autofree char *name = eq ? g_strndup(*p, eq - *p) : g_strdup(*p);
        const GxField *f = gx_container_field(c, g_strstrip(name));
        const char *why = "no such field";
        uint64_t v;

        if (!eq || !f || f->end > 63 ||
            !gx_value_parse(f, g_strstrip(eq + 3), &v, &why)) {
            fail(e, line, "'%s' of %s: %s", *p, c->name,
                 eq ? why : "NAME = value expected");
            return false;
        }
        *raw |= v << f->start;
    }
    return true;
}

/* A whole register: a number, what stands in { } behind it is a comment; or
 * only { }. */
static bool register_value(Encoder *e, const Item *it, const GxContainer *c,
                           unsigned bits, uint64_t *raw)
{
    char *brace = strchr(it->text, '{');
    g_autofree char *number = brace ? g_strndup(it->text, brace - it->text)
                                    : g_strdup(it->text);

    g_strstrip(number);
    if (!*number && brace && c) {
        return compose(e, it->line, c, brace, raw);
    }
    if (!gx_parse_number(number, raw) || number[0] == '-' ||
        (bits < 64 && *raw >> bits)) {
        fail(e, it->line, "'%s' is no number of %u bits (for %s)", number,
             bits, it->name);
        return false;
    }
    return true;
}

/* --- what the walk asks --- */

/* Blanks behind a name do not count; some names have a [n] of their own. */
static bool is_named(const Item *it, const GxField *f, uint64_t index)
{
    size_t len = strlen(it->name);
    g_autofree char *own = NULL;

    if (strncmp(f->name, it->name, len)) {
        return false;
    }
    if (f->name[len + strspn(f->name + len, " ")] == 0) {
        return it->index == NO_INDEX || it->index == index;
    }
    own = g_strdup_printf("[%" G_GUINT64_FORMAT "]", it->index);
    return it->index != NO_INDEX && !strcmp(f->name + len, own);
}

static bool matches(const Item *it, ItemKind kind, const GxVisit *v)
{
    return it && it->kind == kind && is_named(it, v->field, v->index);
}

static bool has_field(const GxGroup *g, const Item *it, uint64_t index)
{
    for (guint i = 0; i < g->items->len; i++) {
        const GxItem *x = &g_array_index(g->items, GxItem, i);

        if (x->field ? is_named(it, x->field, index)
                     : has_field(x->group, it, it->index)) {
            return true;
        }
    }
    return false;
}

/* Between [n] and the names of structs the items may be in any order: the
 * wanted one is moved to the front. */
static const Item *bring_item(Encoder *e, const GxVisit *v)
{
    for (guint i = e->next; i < e->items->len; i++) {
        Item it = g_array_index(e->items, Item, i);

        if (it.kind != ITEM_VALUE || (e->implicit && i > e->next)) {
            break;
        }
        if (!matches(&it, ITEM_VALUE, v)) {
            continue;
        }
        memmove(&g_array_index(e->items, Item, e->next + 1),
                &g_array_index(e->items, Item, e->next),
                (i - e->next) * sizeof(Item));
        g_array_index(e->items, Item, e->next) = it;
        return next_item(e);
    }
    return NULL;
}

/* Bits that must be 0 or 1, and are not: the line for the whole word says. */
static bool patched(const Encoder *e, const GxVisit *v, uint64_t *raw)
{
    for (guint i = 0; i < e->patches->len; i++) {
        const Patch *p = &g_array_index(e->patches, Patch, i);

        if (p->word == v->bit / 32) {
            *raw = gx_get_bits(&p->value, 1, v->bit % 32,
                               gx_field_bits(v->field));
            return true;
        }
    }
    return false;
}

static bool give_value(void *opaque, const GxVisit *v, uint64_t *raw)
{
    Encoder *e = opaque;
    const GxField *f = v->field;
    const Item *it;
    const char *why;

    if (f == e->c->length_field) {
        *raw = e->length;
        return e->has_length;
    }
    if (!e->set->index && v->depth == 0 &&
        v->bit == PM4_TYPE3_SETTINGS_SHIFT) {
        *raw = e->settings;
        return true;
    }
    if (f->type == GX_MBZ || f->type == GX_MBO) {
        return patched(e, v, raw);
    }
    it = bring_item(e, v);
    if (!it) {
        if (e->implicit && !f->structure && !f->alias_of) {
            it = next_item(e);
            fail(e, it ? it->line : e->line, "%s is missing here; or begin "
                 "each repetition with [0], [1] ...", f->name);
        }
        return false;
    }
    if (f->structure) {
        if (!register_value(e, it, f->structure, gx_field_bits(f), raw)) {
            return false;
        }
    } else if (!gx_value_parse(f, it->text, raw, &why)) {
        fail(e, it->line, "'%s' for %s: %s (%s, %u bits)", it->text, f->name,
             why, f->type_name ? f->type_name : "uint", gx_field_bits(f));
        return false;
    }
    e->next++;
    return true;
}

static void give_row(void *opaque, const GxVisit *v, uint32_t *words,
                     size_t n)
{
    Encoder *e = opaque;
    const Item *it = next_item(e);
    g_auto(GStrv) parts = NULL;

    if (!matches(it, ITEM_VALUE, v)) {
        return;
    }
    parts = g_strsplit(it->text, " ", -1);
    for (size_t i = 0; i < n; i++) {
        uint64_t x;

        if (g_strv_length(parts) != n || !gx_parse_number(parts[i], &x) ||
            x > UINT32_MAX) {
            fail(e, it->line, "%s wants %zu dwords", v->field->name, n);
            return;
        }
        words[i] = (uint32_t)x;
    }
    e->next++;
}

/* "[n]", or the next item is a field of the group. */
static bool give_more(void *opaque, const GxVisit *v)
{
    Encoder *e = opaque;
    const Item *it = next_item(e);

    if (!it || e->failed) {
        return false;
    }
    if (it->kind == ITEM_REPEAT) {
        return it->index == v->index;
    }
    if (!has_field(v->group, it, v->index) ||
        (e->asked == v->group && e->asked_at == e->next)) {
        return false;           /* the last repetition took nothing */
    }
    e->asked = v->group;
    e->asked_at = e->next;
    return true;
}

static void give_open(void *opaque, const GxVisit *v)
{
    Encoder *e = opaque;
    const Item *it = next_item(e);

    bool repeats = v->group && (v->group->count != 1 || v->group->count_from);
    bool implicit = repeats && v->group->items->len > 1;

    if (v->group ? repeats && it && it->kind == ITEM_REPEAT &&
                   it->index == v->index
                 : matches(it, ITEM_OPEN, v)) {
        e->next++;
        implicit = false;
    }
    g_array_append_val(e->scopes, implicit);
    e->implicit += implicit;
}

static void give_close(void *opaque, const GxVisit *v)
{
    Encoder *e = opaque;

    e->implicit -= g_array_index(e->scopes, bool, e->scopes->len - 1);
    g_array_set_size(e->scopes, e->scopes->len - 1);
}

/* --- packets --- */

static void append(Encoder *e, const uint32_t *words, size_t n)
{
    g_array_append_vals(e->out, words, (guint)n);
}

/* WORDS and WORD[n]: lines that speak of words, not of fields. */
static void resize(Encoder *e, GArray *words)
{
    if (e->has_words) {
        g_array_set_size(words, (guint)e->words);
    }
}

static void patch(Encoder *e, GArray *words)
{
    for (guint i = 0; i < e->patches->len; i++) {
        const Patch *p = &g_array_index(e->patches, Patch, i);

        if (p->word >= words->len) {
            g_array_set_size(words, (guint)p->word + 1);
        }
        g_array_index(words, uint32_t, p->word) = p->value;
    }
}

static void finish(Encoder *e, GArray *words)
{
    resize(e, words);
    patch(e, words);
    append(e, (const uint32_t *)words->data, words->len);
}

/* The length field, of the number of words that there are in the end. */
static void fill_length(Encoder *e, GArray *words)
{
    const GxField *f = e->c->length_field;
    uint64_t v = (uint64_t)words->len - e->c->bias;
    uint32_t bits = f ? gx_field_bits(f) : 0;
    uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;

    if (!f || e->has_length || !words->len || words->len < e->c->bias) {
        return;
    }
    if (v & ~(uint64_t)mask) {
        fail(e, e->line, "%s would have %u dwords, more than its length field "
             "can say", e->c->name, words->len);
        return;
    }
    g_array_index(words, uint32_t, 0) &= ~(mask << f->start);
    g_array_index(words, uint32_t, 0) |= (uint32_t)v << f->start;
}

static void encode_layout(Encoder *e)
{
    static const GxEncodeOps ops = {
        .value = give_value, .row = give_row, .more = give_more,
        .open = give_open, .close = give_close,
    };
    g_autoptr(GArray) words = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    GxWalkResult r = gx_encode(e->c, &ops, e,
                               e->has_words ? e->words : MAX_PACKET, words);
    const Item *it = next_item(e);

    if (e->failed) {
        return;
    }
    if (it) {
        fail(e, it->line, "'%s%s' is no field of %s at this place",
             it->kind == ITEM_REPEAT ? "[...]" : it->name,
             it->kind == ITEM_VALUE ? " = ..." : "", e->c->name);
        return;
    }
    if (r.truncated && !e->has_words) {
        fail(e, e->line, "%s would have more than %u dwords", e->c->name,
             MAX_PACKET);
        return;
    }
    resize(e, words);
    fill_length(e, words);
    patch(e, words);
    append(e, (const uint32_t *)words->data, words->len);
}

static bool register_item(Encoder *e, const Item *it, uint32_t *dword,
                          uint32_t *value)
{
    uint64_t raw;

    if (it->kind != ITEM_VALUE) {
        fail(e, it->line, "REGISTER = value expected");
        return false;
    }
    if (!decode_reg_find(e->set, it->name, dword)) {
        fail(e, it->line, "no register '%s'", it->name);
        return false;
    }
    if (!register_value(e, it, e->set->regs[*dword % DECODE_REGS].c, 32,
                        &raw)) {
        return false;
    }
    *value = (uint32_t)raw;
    return true;
}

static void encode_registers(Encoder *e, GArray *words, uint32_t base,
                             bool one, bool have_base)
{
    for (guint i = 0; i < e->items->len && !e->failed; i++) {
        const Item *it = &g_array_index(e->items, Item, i);
        uint32_t dword = 0, value = 0, want = one ? base : base + i;

        if (!register_item(e, it, &dword, &value)) {
            return;
        }
        if (!have_base && i == 0) {
            base = want = dword;
        }
        if (dword != want) {
            g_autoptr(GString) s = g_string_new(NULL);

            decode_reg_name(e->set, s, want);
            fail(e, it->line, "%s is not next here, but %s; begin a new TYPE0",
                 it->name, s->str);
            return;
        }
        g_array_append_val(words, value);
    }
    g_array_index(words, uint32_t, 0) = base;
}

static void encode_type0(Encoder *e, char **parts)
{
    g_autoptr(GArray) words = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    uint32_t base = 0, n;
    bool one = false, have_base = false;

    g_array_set_size(words, 1);
    for (char **p = parts + 1; *p; p++) {
        if (!strcmp(*p, "one-reg")) {
            one = true;
        } else if (**p && !(have_base = decode_reg_find(e->set, *p, &base))) {
            fail(e, e->line, "no register '%s'", *p);
            return;
        }
    }
    if (one && !have_base) {
        fail(e, e->line, "one-reg needs the register: TYPE0 REGISTER one-reg");
        return;
    }
    encode_registers(e, words, base, one, have_base);
    n = words->len - 1;
    if (!n && !e->has_length) {
        fail(e, e->line, "TYPE0 without REGISTER = value lines");
    } else if (n > (PM4_TYPE0_COUNT_MASK >> PM4_TYPE0_COUNT_SHIFT) + 1) {
        fail(e, e->line, "TYPE0 with %u words; at most %u", n,
             (PM4_TYPE0_COUNT_MASK >> PM4_TYPE0_COUNT_SHIFT) + 1);
    }
    if (e->failed) {
        return;
    }
    g_array_index(words, uint32_t, 0) |=
        ((uint32_t)(e->has_length ? e->length : n - 1)
         << PM4_TYPE0_COUNT_SHIFT & PM4_TYPE0_COUNT_MASK) |
        (one ? PM4_TYPE0_ONE_REG_WR_MASK : 0);
    finish(e, words);
}

static void encode_type1(Encoder *e, char **parts)
{
    static const uint32_t shift[2] = { PM4_TYPE1_REG_INDEX1_SHIFT,
                                       PM4_TYPE1_REG_INDEX2_SHIFT };
    g_autoptr(GArray) words = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    uint32_t header = 1u << PM4_TYPE1_TYPE_SHIFT;

    g_array_append_val(words, header);
    for (guint i = 0; i < e->items->len && !e->failed; i++) {
        uint32_t dword = 0, value = 0;
        const Item *it = &g_array_index(e->items, Item, i);

        if (i == 2) {
            fail(e, it->line, "TYPE1 has two registers");
        } else if (register_item(e, it, &dword, &value)) {
            if (dword > PM4_TYPE1_REG_INDEX1_MASK) {
                fail(e, it->line, "%s is out of reach of TYPE1; use TYPE0",
                     it->name);
            }
            header |= dword << shift[i];
            g_array_append_val(words, value);
        }
    }
    g_array_index(words, uint32_t, 0) = header;
    if (words->len < 3 && !e->patches->len) {
        fail(e, e->line, "TYPE1 needs two REGISTER = value lines");
    }
    finish(e, words);
}

static void encode_type2(Encoder *e, char **parts)
{
    g_autoptr(GArray) words = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    uint32_t header = 2u << PM4_TYPE2_TYPE_SHIFT;

    if (e->items->len) {
        fail(e, g_array_index(e->items, Item, 0).line, "TYPE2 has no words");
        return;
    }
    g_array_append_val(words, header);
    finish(e, words);
}

/* OP_2b: a type-3 packet without a layout. */
static bool encode_op(Encoder *e, const char *name)
{
    g_autoptr(GArray) words = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    g_autofree char *digits = NULL;
    uint32_t header = 3u << PM4_TYPE3_TYPE_SHIFT |
                      (e->settings ? PM4_TYPE3_SETTINGS_MASK : 0);
    uint64_t op;

    if (!g_str_has_prefix(name, "OP_")) {
        return false;
    }
    digits = g_strconcat("0x", name + 3, NULL);
    if (!gx_parse_number(digits, &op) || op >= DECODE_OPS) {
        return false;
    }
    header |= (uint32_t)op << PM4_TYPE3_IT_OPCODE_SHIFT;
    g_array_append_val(words, header);
    for (guint i = 0; i < e->items->len; i++) {
        const Item *it = &g_array_index(e->items, Item, i);
        uint32_t value;
        uint64_t v = 0;

        if (it->kind != ITEM_VALUE || strcmp(it->name, "DATA") ||
            !gx_parse_number(it->text, &v) || v > UINT32_MAX) {
            fail(e, it->line, "DATA = 32-bit number expected");
            return true;
        }
        value = (uint32_t)v;
        g_array_append_val(words, value);
    }
    if (words->len < 2 && !e->has_length) {
        fail(e, e->line, "%s without words", name);
        return true;
    }
    g_array_index(words, uint32_t, 0) |=
        (uint32_t)(e->has_length ? e->length : words->len - 2)
        << PM4_TYPE3_COUNT_SHIFT & PM4_TYPE3_COUNT_MASK;
    finish(e, words);
    return true;
}

static const struct {
    const char *name;
    void (*encode)(Encoder *e, char **parts);
} types[] = {
    { "TYPE0", encode_type0 }, { "TYPE1", encode_type1 },
    { "TYPE2", encode_type2 },
};

/* The container that a head names. */
static const GxContainer *find_packet(Encoder *e)
{
    const GxContainer *c = gx_doc_instruction(e->set->doc, e->head);

    e->settings = false;
    if (!c && !e->set->index && g_str_has_prefix(e->head, "CNTL_")) {
        e->settings = true;
        c = gx_doc_instruction(e->set->doc, e->head + strlen("CNTL_"));
    }
    return c;
}

/* WORD[n], WORDS and the length field are no items of the walk. */
static void take_special(Encoder *e)
{
    const char *length = e->c && e->c->length_field ? e->c->length_field->name
                                                    : "COUNT";

    e->has_length = e->has_words = false;
    g_array_set_size(e->patches, 0);
    for (guint i = 0; i < e->items->len;) {
        const Item *it = &g_array_index(e->items, Item, i);
        bool word = !strcmp(it->name, "WORD") && it->index != NO_INDEX;
        bool words = !strcmp(it->name, "WORDS");
        Patch p = { it->index, 0 };
        uint64_t v;

        if (it->kind != ITEM_VALUE ||
            (!word && !words && strcmp(it->name, length))) {
            i++;
            continue;
        }
        if (!gx_parse_number(it->text, &v) || v > UINT32_MAX ||
            (words && v > MAX_PACKET) || (word && p.word >= MAX_PACKET)) {
            fail(e, it->line, "'%s' is no number for %s", it->text, it->name);
            return;
        }
        if (word) {
            p.value = (uint32_t)v;
            g_array_append_val(e->patches, p);
        } else if (words) {
            e->has_words = true;
            e->words = v;
        } else {
            e->has_length = true;
            e->length = v;
        }
        g_array_remove_index(e->items, i);
    }
}

static void encode_packet(Encoder *e)
{
    g_auto(GStrv) parts = NULL;
    uint64_t word;

    if (!e->head || e->failed) {
        return;
    }
    e->c = find_packet(e);
    take_special(e);
    e->next = 0;
    e->asked = NULL;
    e->implicit = 0;
    g_array_set_size(e->scopes, 0);
    if (e->failed) {
        return;
    }
    if (e->c) {
        encode_layout(e);
        return;
    }
    if (gx_parse_number(e->head, &word) && word <= UINT32_MAX &&
        !e->items->len) {
        uint32_t w = (uint32_t)word;

        append(e, &w, 1);
        return;
    }
    parts = g_strsplit(e->head, " ", -1);
    for (unsigned i = 0; i < G_N_ELEMENTS(types) && !e->set->index; i++) {
        if (!strcmp(parts[0], types[i].name)) {
            types[i].encode(e, parts);
            return;
        }
    }
    e->settings = g_str_has_prefix(e->head, "CNTL_");
    if (e->set->index ||
        !encode_op(e, e->head + (e->settings ? strlen("CNTL_") : 0))) {
        fail(e, e->line, "no packet '%s'", e->head);
    }
}

/* --- lines --- */

/* A comment begins with # at the start or behind a blank, but not inside a
 * name in parentheses. */
static void cut_comment(char *line)
{
    int open = 0;

    for (char *p = line; *p; p++) {
        open += (*p == '(') - (*p == ')');
        if (*p == '#' && open <= 0 &&
            (p == line || g_ascii_isspace(p[-1]))) {
            *p = 0;
            return;
        }
    }
}

/* "NAME[3]": the index is cut off. */
static uint64_t cut_index(char *name)
{
    size_t len = strlen(name);
    char *open = strrchr(name, '[');
    uint64_t v;

    if (!len || name[len - 1] != ']' || !open) {
        return NO_INDEX;
    }
    name[len - 1] = 0;
    if (!gx_parse_number(open + 1, &v) || open[1] == '-') {
        name[len - 1] = ']';
        return NO_INDEX;
    }
    *open = 0;
    return v;
}

static void add_item(Encoder *e, char *text, unsigned line)
{
    char *eq = strstr(text, " = ");
    Item it = { ITEM_OPEN, line, NO_INDEX, NULL, NULL };

    if (!e->head) {
        fail(e, line, "'%s' before the first packet; packets begin at the "
             "left margin", text);
        return;
    }
    if (eq) {
        *eq = 0;
        it.kind = ITEM_VALUE;
        it.text = g_strdup(g_strstrip(eq + 3));
    }
    it.name = g_strdup(g_strchomp(text));
    it.index = cut_index(it.name);
    if (!eq && it.index != NO_INDEX && !*it.name) {
        it.kind = ITEM_REPEAT;
    }
    g_array_append_val(e->items, it);
}

static void read_line(Encoder *e, char *line, unsigned number)
{
    bool margin = !g_ascii_isspace(line[0]) && line[0] != '+';

    cut_comment(line);
    line = g_strstrip(line);
    if (!*line || *line == '>') {
        return;
    }
    if (!margin) {
        if (line[0] == '+' && g_ascii_isspace(line[1])) {
            line = g_strchug(line + 1);
        }
        add_item(e, line, number);
        return;
    }
    encode_packet(e);
    g_free(e->head);
    e->head = g_strdup(line);
    e->line = number;
    g_array_set_size(e->items, 0);
}

GArray *encode_text(const DecodeSet *set, const char *name, const char *text,
                    size_t len, GError **error)
{
    Encoder e = {
        .set = set, .file = name, .error = error,
        .out = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .items = g_array_new(FALSE, FALSE, sizeof(Item)),
        .patches = g_array_new(FALSE, FALSE, sizeof(Patch)),
        .scopes = g_array_new(FALSE, FALSE, sizeof(bool)),
    };
    unsigned line = 1;

    g_array_set_clear_func(e.items, clear_item);
    for (size_t at = 0; at < len && !e.failed; line++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - (text + at)) : len - at;
        g_autofree char *copy = g_strndup(text + at, n);

        if (strlen(copy) != n) {
            fail(&e, line, "a zero byte: this is no text");
        } else {
            read_line(&e, copy, line);
        }
        at += n + 1;
    }
    encode_packet(&e);
    g_free(e.head);
    g_array_unref(e.items);
    g_array_unref(e.patches);
    g_array_unref(e.scopes);
    if (e.failed) {
        g_array_unref(e.out);
        return NULL;
    }
    return e.out;
}
