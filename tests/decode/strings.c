/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A decoder that makes a string for each value and each field. */
#include "strings.h"

#include <string.h>

#define LL G_GUINT64_FORMAT

void strings_init(Strings *s, const DecodeSet *set, GString *out)
{
    memset(s, 0, sizeof(*s));
    s->set = set;
    s->out = out;
    s->fields = g_ptr_array_new_with_free_func(g_free);
}

void strings_clear(Strings *s)
{
    g_ptr_array_unref(s->fields);
}

/* --- values and fields --- */

static int64_t sign_extend(uint64_t raw, unsigned bits)
{
    return bits < 64 && raw >> (bits - 1)
           ? (int64_t)(raw | ~((UINT64_C(1) << bits) - 1)) : (int64_t)raw;
}

static char *number_string(const GxField *f, uint64_t raw)
{
    unsigned bits = gx_field_bits(f), low = f->start % 32;

    if (f->type == GX_INT) {
        return g_strdup_printf("%" G_GINT64_FORMAT, sign_extend(raw, bits));
    }
    if (f->type == GX_ADDRESS || f->type == GX_OFFSET) {
        low = bits + low > 64 ? 0 : low;
        return g_strdup_printf("0x%0*" G_GINT64_MODIFIER "x",
                               (int)(bits + low + 3) / 4, raw << low);
    }
    if (bits >= 24) {
        return g_strdup_printf("0x%0*" G_GINT64_MODIFIER "x",
                               (int)(MIN(bits, 64) + 3) / 4, raw);
    }
    return g_strdup_printf("%" LL, raw);
}

static char *value_string(const GxField *f, uint64_t raw)
{
    const GxValue *v = f->enumeration ? gx_enum_by_value(f->enumeration, raw)
                                      : NULL;
    char *number, *named;

    if (f->type == GX_FLOAT || f->type == GX_UFIXED || f->type == GX_SFIXED) {
        GString *s = g_string_new(NULL);

        gx_value_text(s, f, raw);
        return g_string_free(s, FALSE);
    }
    if (f->type == GX_BOOL && gx_field_bits(f) == 1 && !f->enumeration) {
        return g_strdup(raw ? "true" : "false");
    }
    number = number_string(f, raw);
    if (!v) {
        return number;
    }
    named = g_strdup_printf("%s (%s)", number, v->name);
    g_free(number);
    return named;
}

static char *field_string(const GxField *f, uint64_t raw)
{
    g_autofree char *value = value_string(f, raw);

    return g_strdup_printf("%s = %s", f->name, value);
}

static void cover(Strings *s, uint64_t bit, uint32_t bits)
{
    for (uint64_t end = bit + bits; bit < end && bit / 32 < s->n;) {
        uint32_t take = (uint32_t)MIN(32 - bit % 32, end - bit);

        s->covered[bit / 32] |= UINT32_MAX >> (32 - take) << bit % 32;
        bit += take;
    }
}

static void line(Strings *s, const char *text)
{
    for (unsigned i = 0; i < s->indent; i++) {
        g_string_append(s->out, "    ");
    }
    g_string_append(s->out, text);
    g_string_append_c(s->out, '\n');
}

/* --- layouts --- */

static bool is_header(const Strings *s, const GxVisit *v, uint64_t raw)
{
    const GxField *f = v->field;

    return v->bit < 32 && v->depth == 0 &&
           (f == s->c->length_field || (f->has_default && f->dflt == raw) ||
            (!s->set->index && f->start == 15));
}

static bool repeats(const GxGroup *g)
{
    return g->count != 1 || g->count_from;
}

static bool is_single(const GxGroup *g)
{
    return g->items->len == 1 && g_array_index(g->items, GxItem, 0).field;
}

static void register_field(Strings *s, const GxField *f, uint64_t raw)
{
    if (!f->alias_of && (raw || (f->enumeration &&
                                 gx_enum_by_value(f->enumeration, 0)))) {
        g_ptr_array_add(s->fields, field_string(f, raw));
    }
}

/* "NAME" or "NAME[n]" */
static char *visit_name(const Strings *s, const GxVisit *v)
{
    return s->single ? g_strdup_printf("%s[%u]", v->field->name, v->index)
                     : g_strdup(v->field->name);
}

static char *row_string(const Strings *s, const GxVisit *v)
{
    GString *t = g_string_new(NULL);

    for (uint32_t i = 0; i < gx_field_bits(v->field); i += 32) {
        g_string_append_printf(t, i ? " 0x%08x" : "0x%08x", (uint32_t)
                               gx_get_bits(s->words, s->n, v->bit + i, 32));
    }
    return g_string_free(t, FALSE);
}

static void on_field(void *opaque, const GxVisit *v, uint64_t raw)
{
    Strings *s = opaque;
    const GxField *f = v->field;
    g_autofree char *text = NULL;

    if (s->in_register) {
        register_field(s, f, raw);
        return;
    }
    if (f->type == GX_MBZ) {
        return;
    }
    cover(s, v->bit, gx_field_bits(f));
    if (f->type == GX_MBO) {
        for (uint32_t i = 0; i < MIN(gx_field_bits(f), 64); i++) {
            s->wrong[(v->bit + i) / 32] |= !(raw >> i & 1);
        }
        return;
    }
    if (f->alias_of || is_header(s, v, raw)) {
        return;
    }
    if (s->single || gx_field_bits(f) > 64) {
        g_autofree char *name = visit_name(s, v);
        g_autofree char *value = gx_field_bits(f) > 64 ? row_string(s, v)
                                                       : value_string(f, raw);

        text = g_strdup_printf("%s = %s", name, value);
    } else {
        text = field_string(f, raw);
    }
    line(s, text);
}

static void on_open(void *opaque, const GxVisit *v)
{
    Strings *s = opaque;

    if (s->in_register || (v->group && !repeats(v->group))) {
        return;
    }
    if (v->group && is_single(v->group)) {
        s->single = true;
    } else if (v->group) {
        g_autofree char *text = g_strdup_printf("[%u]", v->index);

        line(s, text);
        s->indent++;
    } else if (v->field->structure->kind == GX_REGISTER) {
        g_ptr_array_set_size(s->fields, 0);
        s->in_register = true;
    } else {
        g_autofree char *name = visit_name(s, v);

        line(s, name);
        s->indent++;
        s->single = false;
    }
}

/* "NAME = 0x01234567 { FIELD = VALUE, ... }" */
static char *register_string(Strings *s, const char *name, uint64_t value,
                             unsigned bits)
{
    g_autofree char *fields = NULL;

    if (!s->fields->len) {
        return g_strdup_printf("%s = 0x%0*" G_GINT64_MODIFIER "x", name,
                               (int)(bits + 3) / 4, value);
    }
    g_ptr_array_add(s->fields, NULL);
    fields = g_strjoinv(", ", (char **)s->fields->pdata);
    return g_strdup_printf("%s = 0x%0*" G_GINT64_MODIFIER "x { %s }", name,
                           (int)(bits + 3) / 4, value, fields);
}

static void on_close(void *opaque, const GxVisit *v)
{
    Strings *s = opaque;

    if (s->in_register) {
        g_autofree char *name = NULL, *text = NULL;
        unsigned bits = v->field ? MIN(gx_field_bits(v->field), 64) : 0;

        if (!v->field || v->field->structure->kind != GX_REGISTER) {
            return;
        }
        name = visit_name(s, v);
        text = register_string(s, name, gx_get_bits(s->words, s->n, v->bit,
                                                    bits), bits);
        line(s, text);
        cover(s, v->bit, bits);
        s->in_register = false;
    } else if (v->field) {
        s->indent--;
    } else if (repeats(v->group)) {
        if (is_single(v->group)) {
            s->single = false;
        } else {
            s->indent--;
        }
    }
}

/* --- packets --- */

static void head(Strings *s, const char *name, uint64_t offset)
{
    g_string_append_printf(s->out, "%-38s  # %" LL ": %08x", name, offset,
                           s->words[0]);
    if (s->n < s->want) {
        g_string_append_printf(s->out, ", cut off: %zu of %zu words", s->n,
                               s->want);
    }
    g_string_append_c(s->out, '\n');
}

static void left_over(Strings *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->words[i] & ~s->covered[i] || s->wrong[i]) {
            g_string_append_printf(s->out, "    WORD[%zu] = 0x%08x\n", i,
                                   s->words[i]);
        }
    }
}

static void lengths(Strings *s, bool odd, const GxField *f)
{
    if (odd) {
        g_string_append_printf(s->out, "    WORDS = %zu\n", s->n);
    }
    if (s->n < s->want) {
        g_string_append_printf(s->out, "    %s = %u\n",
                               f ? f->name : "COUNT", (uint32_t)
                               gx_get_bits(s->words, 1, f ? f->start : 16,
                                           f ? gx_field_bits(f) : 14));
    }
}

static void layout(Strings *s, uint64_t offset)
{
    static const GxWalkOps ops = { on_field, on_open, on_close };
    bool cntl = !s->set->index && s->words[0] & 0x8000;
    g_autofree char *name = g_strdup_printf("%s%s", cntl ? "CNTL_" : "",
                                            s->c->name);
    GxWalkResult r;

    head(s, name, offset);
    s->indent = 1;
    r = gx_walk(s->c, s->words, s->n, &ops, s);
    left_over(s);
    lengths(s, r.truncated || s->n < s->c->bias ||
            MAX(r.dwords, s->c->length) != s->n, s->c->length_field);
}

static void no_layout(Strings *s, uint64_t offset)
{
    g_autofree char *name = NULL;
    uint32_t h = s->words[0];

    if (s->set->index) {
        name = g_strdup_printf("0x%08x", h);
        head(s, name, offset);
        return;
    }
    if (h >> 30 == 2) {
        head(s, "TYPE2", offset);
        s->covered[0] = 3u << 30;
        left_over(s);
        return;
    }
    name = g_strdup_printf("%sOP_%02x", h & 0x8000 ? "CNTL_" : "",
                           h >> 8 & 0x7f);
    head(s, name, offset);
    for (size_t i = 1; i < s->n; i++) {
        g_string_append_printf(s->out, "    DATA[%zu] = 0x%08x\n", i - 1,
                               s->words[i]);
    }
    if (h & 0xff) {
        g_string_append_printf(s->out, "    WORD[0] = 0x%08x\n", h);
    }
    lengths(s, s->n < 2, NULL);
}

static char *register_name(const Strings *s, uint32_t dword)
{
    const DecodeReg *r = &s->set->regs[dword % DECODE_REGS];

    if (!r->c || dword >= DECODE_REGS) {
        return g_strdup_printf("0x%04x", 4 * dword);
    }
    return r->part ? g_strdup_printf("%s+%u", r->c->name, r->part)
                   : g_strdup(r->c->name);
}

static void write_line(Strings *s, uint32_t dword, uint32_t value)
{
    const DecodeReg *r = &s->set->regs[dword % DECODE_REGS];
    uint32_t at = dword % DECODE_REGS;
    bool same = s->seen[at] && s->last[at] == value;
    g_autofree char *name = register_name(s, dword), *text = NULL;

    g_ptr_array_set_size(s->fields, 0);
    for (unsigned i = 0; r->c && !r->part && dword < DECODE_REGS &&
         i < r->c->root->items->len; i++) {
        const GxField *f = g_array_index(r->c->root->items, GxItem, i).field;

        if (f && f->end < 32) {
            register_field(s, f, gx_get_bits(&value, 1, f->start,
                                             gx_field_bits(f)));
        }
    }
    text = register_string(s, name, value, 32);
    g_string_append_printf(s->out, "  %s %s\n", same ? " " : "+", text);
    s->seen[at] = true;
    s->last[at] = value;
}

static void registers(Strings *s, uint64_t offset)
{
    uint32_t h = s->words[0], base = h & 0x1fff;

    if (h >> 30) {
        head(s, "TYPE1", offset);
        if (s->n < s->want || h & 0x3fc00000) {
            g_string_append_printf(s->out, "    WORD[0] = 0x%08x\n", h);
        }
    } else {
        g_autofree char *reg = register_name(s, base);
        g_autofree char *name = g_strdup_printf("TYPE0 %s%s", reg, h & 0x8000
                                                ? " one-reg" : "");

        head(s, name, offset);
        if (h & 0x6000) {
            g_string_append_printf(s->out, "    WORD[0] = 0x%08x\n", h);
        }
        lengths(s, false, NULL);
    }
    for (uint32_t i = 1; i < s->n; i++) {
        write_line(s, h >> 30 ? (i == 1 ? h & 0x7ff : h >> 11 & 0x7ff)
                              : h & 0x8000 ? base : base + i - 1,
                   s->words[i]);
    }
}

static void packet(Strings *s, uint64_t offset)
{
    unsigned type = s->words[0] >> 30;

    if (!s->set->index && type < 2) {
        registers(s, offset);
        return;
    }
    s->covered = g_new0(uint32_t, s->n);
    s->wrong = g_new0(bool, s->n);
    if (s->c) {
        layout(s, offset);
    } else {
        no_layout(s, offset);
    }
    g_free(s->covered);
    g_free(s->wrong);
}

static size_t packet_dwords(const Strings *s, uint32_t h)
{
    if (s->set->index) {
        return s->c ? gx_instruction_dwords(s->c, h) : 1;
    }
    return h >> 30 == 1 ? 3 : h >> 30 == 2 ? 1 : (h >> 16 & 0x3fff) + 2;
}

size_t strings_stream(Strings *s, uint64_t offset, const uint32_t *words,
                      size_t n, bool last)
{
    size_t at = 0;

    while (at < n) {
        uint32_t h = words[at];

        s->words = words + at;
        s->c = s->set->index ? gx_index_find(s->set->index, h)
                             : h >> 30 == 3 ? s->set->op[h >> 8 & 0x7f] : NULL;
        s->want = packet_dwords(s, h);
        s->n = MIN(s->want, n - at);
        if (s->n < s->want && !last) {
            break;
        }
        packet(s, offset + at);
        at += s->n;
    }
    return at;
}
