/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "fast-me.h"

static void on_write(void *opaque, uint32_t dword, uint32_t value)
{
    FastMe *f = opaque;
    SlowWrite w = { .at = dword, .value = value, .hi = -1 };

    g_array_append_val(f->writes, w);
    if (f->stops && !g_rand_int_range(f->stops, 0, 4)) {
        rv100_me_request_stop(&f->me);
    }
}

static void on_me_write(void *opaque, uint8_t addr, uint8_t hi, uint32_t lo)
{
    FastMe *f = opaque;
    SlowWrite w = { .at = addr, .value = lo, .hi = hi };

    g_array_append_val(f->writes, w);
}

static bool on_refill(void *opaque)
{
    FastMe *f = opaque;
    guint n = MIN(f->chunk, f->stream->len - f->given);

    if (!n) {
        return false;
    }
    memcpy(f->window, &g_array_index(f->stream, uint32_t, f->given), n * 4);
    f->given += n;
    f->me.in = f->window;
    f->me.in_end = f->window + n;
    return true;
}

static void on_unknown(void *opaque, uint8_t pc, uint8_t hi, uint32_t lo)
{
    FastMe *f = opaque;

    f->unknown++;
}

static void on_header(void *opaque)
{
}

static void on_step(void *opaque, uint8_t pc)
{
    FastMe *f = opaque;

    g_array_append_val(f->pcs, pc);
}

static const Rv100MeOps ops = {
    .reg_write = on_write,
    .refill = on_refill,
    .header = on_header,
    .me_write = on_me_write,
    .unknown = on_unknown,
    .step = on_step,
};

void fast_me_init(FastMe *f, const char *chip, guint chunk)
{
    memset(f, 0, sizeof(*f));
    f->chunk = chunk;
    f->stream = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    f->writes = g_array_new(FALSE, FALSE, sizeof(SlowWrite));
    f->pcs = g_array_new(FALSE, FALSE, sizeof(uint8_t));
    rv100_me_init(&f->me, rv100_me_chip(chip), &ops, f);
}

void fast_me_clear(FastMe *f)
{
    g_array_unref(f->stream);
    g_array_unref(f->writes);
    g_array_unref(f->pcs);
}

void fast_me_image(FastMe *f, const RefImage *image)
{
    for (guint i = 0; i < 256; i++) {
        rv100_me_load(&f->me, i, image->hi[i], image->lo[i]);
    }
}

void fast_me_feed(FastMe *f, const uint32_t *words, guint n)
{
    g_array_append_vals(f->stream, words, n);
}

guint fast_me_run_pieces(FastMe *f, guint units, GRand *rand)
{
    guint used = 0;
    bool stalled = false;

    while (used < units && !stalled) {
        uint64_t n;

        stalled = rv100_me_run(&f->me, g_rand_int_range(rand, 1, units - used + 1),
                               &n) == RV100_ME_STALLED;
        used += n;
    }
    return used;
}

guint fast_me_waiting(const FastMe *f)
{
    return f->stream->len - f->given + (f->me.in_end - f->me.in)
           + f->me.head_valid;
}

bool fast_me_idle(const FastMe *f)
{
    return rv100_me_idle(&f->me) && !fast_me_waiting(f);
}

uint32_t fast_me_register(const FastMe *f, uint32_t dword)
{
    for (guint i = f->writes->len; i--;) {
        const SlowWrite *w = &g_array_index(f->writes, SlowWrite, i);

        if (w->hi < 0 && w->at == dword) {
            return w->value;
        }
    }
    return 0;
}

const char *slow_chip_name(SlowChip chip)
{
    static const char *const names[] = { "r128", "r100", "r200", "r300" };

    return names[chip];
}

void slow_me_image(SlowMe *s, const RefImage *image)
{
    for (guint i = 0; i < 256; i++) {
        slow_me_load(s, i, image->hi[i], image->lo[i]);
    }
}

/* A value of `bits` bits: small, nearly all ones or anything. */
static uint32_t odd_value(GRand *rand, unsigned bits)
{
    uint32_t v = g_rand_int(rand);
    uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;

    switch (g_rand_int_range(rand, 0, 4)) {
    case 0:
        v &= 3;
        break;
    case 1:
        v = mask - (v & 3);
        break;
    default:
        break;
    }
    return v & mask;
}

void both_me_scramble(FastMe *f, SlowMe *s, GRand *rand)
{
    Rv100Me *me = &f->me;

    me->a = s->a = odd_value(rand, 32);
    me->s = s->s = odd_value(rand, 32);
    me->u = s->u = odd_value(rand, 32);
    s->t = me->t = odd_value(rand, 16);
    s->count = me->count = odd_value(rand, 14);
    s->mcptr = me->mcptr = odd_value(rand, 8);
    for (unsigned i = 0; i < 8; i++) {
        me->table[i] = s->table[i] = odd_value(rand, 8);
    }
}

static char *differ_writes(const GArray *fast, const GArray *slow)
{
    for (guint i = 0; i < MAX(fast->len, slow->len); i++) {
        SlowWrite none = { .at = 0, .value = 0, .hi = -2 };
        SlowWrite a = i < fast->len ? g_array_index(fast, SlowWrite, i) : none;
        SlowWrite b = i < slow->len ? g_array_index(slow, SlowWrite, i) : none;

        if (a.at != b.at || a.value != b.value || a.hi != b.hi) {
            return g_strdup_printf("write %u is %x=%08x (%d), expected %x=%08x "
                                   "(%d); -2: none, -1: register, else high "
                                   "word", i, a.at, a.value, a.hi, b.at,
                                   b.value, b.hi);
        }
    }
    return NULL;
}

static char *differ_ram(const Rv100Me *me, const SlowMe *s)
{
    for (guint i = 0; i < 256; i++) {
        if (me->lo[i] != (uint32_t)s->me[i] || me->hi[i] != s->me[i] >> 32) {
            return g_strdup_printf("ME[%02x] is %02x %08x, expected %02x %08x",
                                   i, me->hi[i], me->lo[i],
                                   (unsigned)(s->me[i] >> 32),
                                   (unsigned)s->me[i]);
        }
        if (me->cover[i] != s->cover[i]) {
            return g_strdup_printf("word %02x was executed %u times, expected "
                                   "%u", i, (unsigned)me->cover[i],
                                   (unsigned)s->cover[i]);
        }
        if (i < s->depth && me->stack[i] != s->stack[i]) {
            return g_strdup_printf("stack[%u] is %02x, expected %02x", i,
                                   me->stack[i], s->stack[i]);
        }
        if (i < 8 && me->table[i] != s->table[i]) {
            return g_strdup_printf("table[%u] is %02x, expected %02x", i,
                                   me->table[i], s->table[i]);
        }
    }
    return NULL;
}

char *both_me_differ(const FastMe *f, const SlowMe *s)
{
    const Rv100Me *me = &f->me;
    bool run = !s->dispatching;
    const struct {
        const char *name;
        uint64_t is, expected;
    } members[] = {
        { "phase", me->phase == RV100_ME_RUN, run },
        { "pc", run ? me->pc : 0, run ? s->pc : 0 },
        { "pkt", me->pkt, s->pkt }, { "A", me->a, s->a },
        { "T", me->t, s->t }, { "S", me->s, s->s }, { "U", me->u, s->u },
        { "idx", me->idx, s->idx }, { "ptr", me->ptr, s->ptr },
        { "count", me->count, s->count }, { "mcptr", me->mcptr, s->mcptr },
        { "left", run ? me->left : 0, run ? s->left : 0 },
        { "type", me->type, s->type }, { "depth", me->depth, s->depth },
        { "words waiting", fast_me_waiting(f), slow_me_waiting(s) },
        { "head seen",
          me->head_valid && me->head_seen, s->head_valid && s->head_seen },
        { "steps", me->steps, s->steps },
    };
    char *why = differ_writes(f->writes, s->writes);

    for (gsize i = 0; !why && i < G_N_ELEMENTS(members); i++) {
        if (members[i].is != members[i].expected) {
            why = g_strdup_printf("%s is %" G_GINT64_MODIFIER "x, expected %"
                                  G_GINT64_MODIFIER "x", members[i].name,
                                  members[i].is, members[i].expected);
        }
    }
    return why ? why : differ_ram(me, s);
}
