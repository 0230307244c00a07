/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decoder: cuts a stream into packets and keeps what was written. */
#include "decode-private.h"

#include <stdarg.h>
#include <string.h>

#include "rv100-pm4.h"

#define MAX_STEPS 1000000       /* of the microcode without taking a word */

static unsigned packet_type(uint32_t header)
{
    return header >> PM4_TYPE0_TYPE_SHIFT;
}

static unsigned packet_op(uint32_t header)
{
    return (header & PM4_TYPE3_IT_OPCODE_MASK) >> PM4_TYPE3_IT_OPCODE_SHIFT;
}

static unsigned packet_count(uint32_t header)
{
    return (header & PM4_TYPE3_COUNT_MASK) >> PM4_TYPE3_COUNT_SHIFT;
}

/* --- new, free --- */

/* Registers that a name, an address or a pattern means: marks them. */
static bool query_part(const DecodeSet *set, const char *part, bool *queried)
{
    g_autoptr(GString) name = g_string_new(NULL);
    bool any = false;
    uint32_t dword;

    if (decode_reg_find(set, part, &dword)) {
        queried[dword % DECODE_REGS] = true;
        return true;
    }
    for (unsigned r = 0; r < DECODE_REGS; r++) {
        g_string_truncate(name, 0);
        decode_reg_name(set, name, r);
        if (g_pattern_match_simple(part, name->str)) {
            queried[r] = any = true;
        }
    }
    return any;
}

char *decode_query(const DecodeSet *set, const char *query, bool *queried)
{
    g_auto(GStrv) parts = g_strsplit(query, ",", -1);

    if (!*parts) {
        return g_strdup(query); /* empty */
    }
    for (char **p = parts; *p; p++) {
        if (!query_part(set, g_strstrip(*p), queried)) {
            return g_strdup(*p);
        }
    }
    return NULL;
}

static guint packet_hash(gconstpointer key)
{
    const DecodePacket *p = key;
    uint64_t h = p->n;

    for (size_t i = 0; i < p->n; i++) {
        h = (h ^ p->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return (guint)(h >> 32);
}

static gboolean packet_equal(gconstpointer a, gconstpointer b)
{
    const DecodePacket *pa = a, *pb = b;

    return pa->n == pb->n && !memcmp(pa->words, pb->words, 4 * pa->n);
}

Decoder *decoder_new(const DecodeSet *set, const DecodeOptions *options,
                     GString *out)
{
    Decoder *d = g_new0(Decoder, 1);

    d->set = set;
    d->o = *options;
    d->format = options->json ? &decode_json : &decode_text;
    d->out = out;
    decode_text_init(d);
    d->name = g_string_new(NULL);
    d->other = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    if (d->o.query) {
        d->queried = g_new0(bool, DECODE_REGS);
        g_free(decode_query(set, d->o.query, d->queried));
    }
    if (d->o.once) {
        d->shown = g_hash_table_new_full(packet_hash, packet_equal, g_free,
                                         NULL);
    }
    return d;
}

void decoder_free(Decoder *d)
{
    if (!d) {
        return;
    }
    decode_text_free(d);
    g_string_free(d->name, TRUE);
    g_hash_table_unref(d->other);
    if (d->shown) {
        g_hash_table_unref(d->shown);
    }
    g_free(d->queried);
    g_free(d->runner);
    if (d->ran) {
        g_array_unref(d->ran);
    }
    g_free(d);
}

/* --- registers --- */

DecodeChange decoder_record(Decoder *d, uint32_t dword, uint32_t value,
                            uint32_t *old)
{
    bool seen;

    dword %= DECODE_REGS;
    seen = d->seen[dword];
    *old = d->last[dword];
    d->last[dword] = value;
    d->seen[dword] = 1;
    d->writes[dword]++;
    if (seen && *old == value) {
        return DECODE_SAME;
    }
    d->changes[dword]++;
    return seen ? DECODE_CHANGED : DECODE_FIRST;
}

static bool wants(const Decoder *d, uint32_t dword)
{
    return d->show && (!d->queried || d->queried[dword % DECODE_REGS]);
}

/* --- the microcode --- */

static void engine_wrote(Decoder *d, uint32_t dword, uint32_t value)
{
    uint32_t old;

    if (wants(d, dword)) {
        d->format->engine(d, dword, value);
    } else {
        decoder_record(d, dword, value, &old);
    }
}

static void executed_reg(Runner *r, uint32_t dword, uint32_t value)
{
    Decoder *d = r->opaque;
    DecodeWrite w = { dword, value };

    engine_wrote(d, dword, value);
    if (d->ran) {
        g_array_append_val(d->ran, w);
    }
}

static void executed_word(Runner *r, uint8_t addr, uint8_t hi, uint32_t lo)
{
    Decoder *d = r->opaque;

    if (d->show && !d->queried) {
        d->format->me_word(d, addr, hi, lo);
    }
}

void decoder_execute(Decoder *d, const Image *image, const Rv100MeChip *chip)
{
    d->runner = g_new(Runner, 1);
    runner_init(d->runner, image, chip);
    d->runner->reg = executed_reg;
    d->runner->me_word = executed_word;
    d->runner->opaque = d;
    d->executed = true;
}

static void execute(Decoder *d, const DecodePacket *p)
{
    RunState state;

    if (!d->runner || d->wedged) {
        return;
    }
    state = runner_run(d->runner, p->words, p->n, MAX_STEPS);
    d->wedged = state == RUN_WEDGED;
    if (state != RUN_IDLE && d->show && !d->queried) {
        d->format->engine_state(d, state);
    }
}

/* A packet of a capture: did its engine write the same? The image begins each
 * packet anew, for the capture may not have all words of one. */
static void compare_writes(Decoder *d, const DecodePacket *p)
{
    const DecodeWrite *ran = (const DecodeWrite *)d->ran->data;
    size_t n = 0;

    while (n < d->ran->len && n < p->n_writes &&
           ran[n].dword == p->writes[n].dword &&
           ran[n].value == p->writes[n].value) {
        n++;
    }
    d->n_ran++;
    if (n < d->ran->len || n < p->n_writes) {
        d->n_differ++;
        if (d->show && !d->queried) {
            d->format->engine_differs(d, p, n);
        }
    }
    rv100_me_reset(&d->runner->me);
}

static void execute_captured(Decoder *d, const DecodePacket *p)
{
    if (d->wedged) {
        return;
    }
    g_array_set_size(d->ran, 0);
    execute(d, p);
    compare_writes(d, p);
}

/* --- one packet --- */

/* Writes of types 0 and 1: what the registers will hold. When the microcode
 * is executed, it does the writing. */
static void packet_writes(Decoder *d, const DecodePacket *p)
{
    uint32_t h = p->words[0], old;
    bool one = packet_type(h) == 0 && h & PM4_TYPE0_ONE_REG_WR_MASK;
    uint32_t base = h & PM4_TYPE0_BASE_INDEX_MASK;

    for (size_t i = 1; i < p->n; i++) {
        uint32_t dword = one ? base : base + (uint32_t)(i - 1);

        if (packet_type(h) == 1) {
            dword = i == 1 ? h & PM4_TYPE1_REG_INDEX1_MASK
                           : (h & PM4_TYPE1_REG_INDEX2_MASK) >>
                             PM4_TYPE1_REG_INDEX2_SHIFT;
        }
        if (wants(d, dword)) {
            d->format->reg(d, dword, p->words[i]);
        } else if (!d->executed) {
            decoder_record(d, dword, p->words[i], &old);
        }
    }
}

static void count_packet(Decoder *d, const DecodePacket *p)
{
    uint32_t h = p->words[0];
    unsigned type = packet_type(h);
    DecodeCount *c = &d->unknown;

    if (d->set->index) {
        if (p->c) {
            c = g_hash_table_lookup(d->other, p->c);
            if (!c) {
                c = g_new0(DecodeCount, 1);
                g_hash_table_insert(d->other, (gpointer)p->c, c);
            }
        }
    } else if (type < 3) {
        c = &d->types[type];
    } else {
        c = &d->ops[h >> PM4_TYPE3_IT_OPCODE_SHIFT & 0xff];
    }
    c->packets++;
    c->words += p->n;
    d->cut.packets += p->n < p->want;
}

static bool in_range(const Decoder *d, uint64_t offset)
{
    return offset >= d->o.start && (!d->o.end || offset < d->o.end);
}

static bool is_shown(const Decoder *d, const DecodePacket *p)
{
    DecodePacket *copy;

    if (!in_range(d, p->offset) || d->o.summary) {
        return false;
    }
    if (!d->shown) {
        return true;
    }
    if (g_hash_table_contains(d->shown, p)) {
        return false;
    }
    copy = g_malloc(sizeof(*copy) + 4 * p->n);
    *copy = *p;
    copy->words = memcpy(copy + 1, p->words, 4 * p->n);
    g_hash_table_add(d->shown, copy);
    return true;
}

/* Registers, a layout, or a query that looks only at writes. */
static void show_packet(Decoder *d, const DecodePacket *p)
{
    unsigned type = packet_type(p->words[0]);
    bool regs = !d->set->index && type < 2;

    d->packet = p;
    if (d->o.all_regs && d->show && !regs && type == 3) {
        decoder_registers(d);
    }
    if (d->show && !d->queried) {
        if (regs) {
            d->format->registers(d, p, type == 0 && p->words[0] &
                                 PM4_TYPE0_ONE_REG_WR_MASK ? "one-reg" : NULL);
        } else {
            d->format->layout(d, p);
        }
    }
    if (regs) {
        packet_writes(d, p);
    }
    if (d->ran) {
        execute_captured(d, p);
    } else {
        execute(d, p);
        for (size_t i = 0; i < p->n_writes; i++) {
            engine_wrote(d, p->writes[i].dword, p->writes[i].value);
        }
    }
    if (d->show && !d->queried) {
        d->format->end(d, p);
    }
}

static void take_packet(Decoder *d, const DecodePacket *p)
{
    count_packet(d, p);
    d->show = is_shown(d, p);
    if (d->show || !d->set->index) {
        show_packet(d, p);
    }
}

static void describe(const Decoder *d, DecodePacket *p)
{
    uint32_t h = p->words[0];

    p->pm4 = !d->set->index;
    p->c = d->set->index ? gx_index_find(d->set->index, h)
         : packet_type(h) == 3 ? d->set->op[packet_op(h)] : NULL;
}

static uint64_t packet_dwords(const DecodePacket *p)
{
    uint32_t h = p->words[0];

    if (!p->pm4) {
        return p->c ? gx_instruction_dwords(p->c, h) : 1;
    }
    switch (packet_type(h)) {
    case 1:
        return 3;
    case 2:
        return 1;
    default:
        return packet_count(h) + 2;
    }
}

uint64_t decoder_packet_dwords(const Decoder *d, uint32_t header)
{
    DecodePacket p = { .words = &header, .n = 1 };

    describe(d, &p);
    return packet_dwords(&p);
}

void decoder_packet(Decoder *d, uint64_t offset, const uint32_t *words,
                    size_t n)
{
    DecodePacket p = { .offset = offset, .words = words, .n = n };

    describe(d, &p);
    p.want = packet_dwords(&p);
    take_packet(d, &p);
}

void decoder_captured(Decoder *d, uint64_t offset, const uint32_t *words,
                      size_t n, const DecodeWrite *writes, size_t n_writes)
{
    DecodePacket p = { .offset = offset, .words = words, .n = n,
                       .writes = writes, .n_writes = n_writes };

    d->executed = true;
    if (d->runner && !d->ran) {
        d->ran = g_array_new(FALSE, FALSE, sizeof(DecodeWrite));
    }
    describe(d, &p);
    p.want = packet_dwords(&p);
    take_packet(d, &p);
}

size_t decoder_stream(Decoder *d, uint64_t offset, const uint32_t *words,
                      size_t n, bool last)
{
    size_t at = 0;

    while (at < n) {
        DecodePacket p = { .offset = offset + at, .words = words + at };

        describe(d, &p);
        p.want = packet_dwords(&p);
        p.n = (size_t)MIN(p.want, n - at);
        if (p.n < p.want && !last) {
            break;
        }
        take_packet(d, &p);
        at += p.n;
    }
    return at;
}

void decoder_write(Decoder *d, const char *what, uint32_t dword,
                   uint32_t value)
{
    uint32_t old;

    d->show = !d->o.summary && !d->outside;
    if (wants(d, dword)) {
        d->format->write(d, what, dword, value);
    } else {
        decoder_record(d, dword, value, &old);
    }
}

void decoder_place(Decoder *d, const uint64_t *offset)
{
    d->outside = offset && !in_range(d, *offset);
}

char *decoder_reg_name(const Decoder *d, uint32_t dword)
{
    GString *name = g_string_new(NULL);

    decode_reg_name(d->set, name, dword);
    return g_string_free(name, FALSE);
}

void decoder_note(Decoder *d, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    if (d->o.summary || d->queried || d->outside) {
        return;
    }
    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    d->format->note(d, text);
}

void decoder_finish(Decoder *d)
{
    if (d->ran) {
        decoder_note(d, "%" G_GUINT64_FORMAT " packets executed, %"
                     G_GUINT64_FORMAT " with other writes than in the capture",
                     d->n_ran, d->n_differ);
    }
    if (d->o.summary) {
        decoder_summary(d);
    } else if (d->o.all_regs) {
        d->show = true;
        decoder_registers(d);
    }
}

/* --- shared by the formats --- */

void decode_packet_name(GString *s, const DecodePacket *p)
{
    uint32_t h = p->words[0];

    if (p->pm4 && h & PM4_TYPE3_SETTINGS_MASK) {
        g_string_append(s, "CNTL_");
    }
    if (p->c) {
        g_string_append(s, p->c->name);
    } else {
        g_string_append_printf(s, "OP_%02x", packet_op(h));
    }
}

bool decode_is_header(const DecodePacket *p, const GxVisit *v, uint64_t raw)
{
    const GxField *f = v->field;

    return v->bit < 32 && v->depth == 0 &&
           (f == p->c->length_field || (f->has_default && f->dflt == raw) ||
            (p->pm4 && f->start == PM4_TYPE3_SETTINGS_SHIFT));
}

bool decode_repeats(const GxGroup *g)
{
    return g->count != 1 || g->count_from;
}

const GxField *decode_single(const GxGroup *g)
{
    return g->items->len == 1 ? g_array_index(g->items, GxItem, 0).field
                              : NULL;
}
