/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our own microcode image against the stock one: the same register writes on
 * the documented packets and on random ones.
 */
#include <string.h>

#include "image.h"
#include "pm4-random.h"
#include "reference.h"
#include "runner.h"

#define PACKETS 100000
#define FLAG_24BPP 0xe5         /* microcode word [packets:1e] */
#define BLIT_SAVE 0xe4          /* of the blits; only its low word is used */

typedef struct Write {
    int16_t me_addr;            /* -1 = a register */
    uint8_t hi;
    uint32_t at, value;
} Write;

typedef struct Side {
    Runner r;
    GArray *writes;             /* Write */
} Side;

static void log_reg(Runner *r, uint32_t dword, uint32_t value)
{
    Write w = { -1, 0, dword, value };

    g_array_append_val(((Side *)r->opaque)->writes, w);
}

static void log_me(Runner *r, uint8_t addr, uint8_t hi, uint32_t lo)
{
    Write w = { addr, addr == BLIT_SAVE ? 0 : hi, addr, lo };

    g_array_append_val(((Side *)r->opaque)->writes, w);
}

static void side_init(Side *s, const Image *image)
{
    runner_init(&s->r, image, rv100_me_chip("r100"));
    s->r.reg = log_reg;
    s->r.me_word = log_me;
    s->r.opaque = s;
    s->writes = g_array_new(FALSE, FALSE, sizeof(Write));
}

static void side_clear(Side *s)
{
    g_array_free(s->writes, TRUE);
}

/* Feed a packet whole or `step` words at a time: all its words are taken, and
 * none of it is left to do. */
static bool feed(Side *s, const uint32_t *words, guint n, guint step)
{
    bool ok = true;

    g_array_set_size(s->writes, 0);
    for (guint i = 0; ok && i < n; i += step) {
        guint part = MIN(step, n - i);

        ok = runner_run(&s->r, words + i, part, RUN_MAX_STEPS) ==
             (i + part < n ? RUN_WAITING : RUN_IDLE);
    }
    return ok && s->r.me.left == 0;
}

static bool load_free(Image *image)
{
    g_autoptr(GError) error = NULL;
    bool ok = image_load(image, g_getenv("RV100_FREE_IMAGE"), &error);

    g_assert_no_error(error);
    return ok;
}

static bool load_stock(Image *image)
{
    const RefImage *ref = ref_image("R100_cp.bin");

    if (!ref_need(ref, "R100_cp.bin")) {
        return false;
    }
    memcpy(image->hi, ref->hi, sizeof(image->hi));
    memcpy(image->lo, ref->lo, sizeof(image->lo));
    return true;
}

/* --- the documented packets --- */

/* Three examples are about words of the stock image, not about packets: a
 * patched byte of its jump table, the text that 0x2b runs, an MPEG code that
 * does not exist. */
static bool about_stock(const RefPacket *p)
{
    return (p->n_patch && p->patch[0].addr != FLAG_24BPP) ||
           g_str_has_prefix(p->name, "2b ") ||
           g_str_has_prefix(p->name, "31 macroblock: code 8");
}

static void check_example(const Image *image, const RefPacket *p, guint step)
{
    guint regs = 0, words = 0;
    Side s;

    side_init(&s, image);
    for (guint i = 0; i < p->n_patch; i++) {
        rv100_me_load(&s.r.me, p->patch[i].addr, p->patch[i].hi,
                      p->patch[i].lo);
    }
    if (step) {
        for (guint i = 0; i < p->words.n; i += step) {
            runner_run(&s.r, p->words.words + i, MIN(step, p->words.n - i),
                       RUN_MAX_STEPS);
        }
        g_assert_true(rv100_me_idle(&s.r.me));
    } else {
        g_assert_true(feed(&s, p->words.words, p->words.n, p->words.n));
    }
    for (guint i = 0; i < s.writes->len; i++) {
        const Write *w = &g_array_index(s.writes, Write, i);

        if (w->me_addr < 0) {
            g_assert_cmpuint(regs, <, p->n_writes);
            g_assert_cmphex(w->at, ==, p->writes[regs].dword);
            g_assert_cmphex(w->value, ==, p->writes[regs++].value);
        } else if (w->me_addr != BLIT_SAVE) {
            g_assert_cmpuint(words, <, p->n_me_writes);
            g_assert_cmphex(w->at, ==, p->me_writes[words].addr);
            g_assert_cmphex(w->hi, ==, p->me_writes[words].hi);
            g_assert_cmphex(w->value, ==, p->me_writes[words++].lo);
        }
    }
    g_assert_cmpuint(regs, ==, p->n_writes);
    g_assert_cmpuint(words, ==, p->n_me_writes);
    side_clear(&s);
}

static void test_examples(void)
{
    const GPtrArray *packets = ref_packets();
    guint n = 0;
    Image image;

    load_free(&image);
    if (!ref_need(packets, "packets.json")) {
        return;
    }
    for (guint i = 0; i < packets->len; i++) {
        const RefPacket *p = g_ptr_array_index(packets, i);

        if (!about_stock(p)) {
            g_test_message("%s", p->name);
            check_example(&image, p, 0);
            check_example(&image, p, 1);
            n++;
        }
    }
    g_assert_cmpuint(n, ==, packets->len - 3);
}

/* --- random packets --- */

static void packet_error(const char *what, const Pm4Random *p, unsigned kind)
{
    g_autoptr(GString) s = g_string_new(NULL);

    for (guint i = 0; i < p->words->len; i++) {
        g_string_append_printf(s, " %08x",
                               g_array_index(p->words, uint32_t, i));
    }
    g_error("%s %s:%s", pm4_kind_name(kind), what, s->str);
}

static void compare(const Side *a, const Side *b, const Pm4Random *p,
                    unsigned kind)
{
    bool same = a->writes->len == b->writes->len;

    for (guint i = 0; same && i < a->writes->len; i++) {
        const Write *x = &g_array_index(a->writes, Write, i);
        const Write *y = &g_array_index(b->writes, Write, i);

        same = x->me_addr == y->me_addr && x->hi == y->hi && x->at == y->at
               && x->value == y->value;
    }
    if (!same) {
        packet_error("makes different writes", p, kind);
    }
}

/* Words behind the last one that either image uses. */
static unsigned free_words(const Image *a, const Image *b, uint8_t *out)
{
    unsigned last = 0, n = 0;

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (a->hi[i] || a->lo[i] || b->hi[i] || b->lo[i]) {
            last = i;
        }
    }
    while (++last < RV100_ME_WORDS) {
        out[n++] = (uint8_t)last;
    }
    return n;
}

static void test_random(void)
{
    uint8_t free_list[RV100_ME_WORDS];
    Pm4Random p = { .rand = g_rand_new_with_seed(20260), .n_free = 0 };
    Image stock, own;
    Side a, b;

    load_free(&own);
    if (!load_stock(&stock)) {
        g_rand_free(p.rand);
        return;
    }
    p.words = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    p.free_words = free_list;
    p.n_free = free_words(&stock, &own, free_list);
    g_assert_cmpuint(p.n_free, >, 4);
    side_init(&a, &stock);
    side_init(&b, &own);
    for (unsigned i = 0; i < PACKETS; i++) {
        unsigned kind = i % pm4_kinds();
        guint step;

        if (i % 64 == 0) {
            uint32_t flag = (uint32_t)g_rand_int_range(p.rand, 0, 2);

            rv100_me_load(&a.r.me, FLAG_24BPP, 0, flag);
            rv100_me_load(&b.r.me, FLAG_24BPP, 0, flag);
        }
        pm4_random(&p, kind);
        step = i / 128 % 2 ? 1 + i / 256 % 3 : p.words->len;
        if (!feed(&a, (uint32_t *)p.words->data, p.words->len, step)) {
            packet_error("does not end in the stock image", &p, kind);
        }
        if (!feed(&b, (uint32_t *)p.words->data, p.words->len, step)) {
            packet_error("does not end in our image", &p, kind);
        }
        compare(&a, &b, &p, kind);
    }
    side_clear(&a);
    side_clear(&b);
    g_array_free(p.words, TRUE);
    g_rand_free(p.rand);
}

/* --- what the image promises beyond the stock one --- */

/* Every opcode above the table of the stock image is swallowed. */
static void test_all_opcodes(void)
{
    Image image;

    load_free(&image);
    for (unsigned op = 0x10; op < 0x80; op++) {
        const uint32_t words[] = { 3u << 30 | 1 << 16 | op << 8, 0, 0 };
        Side s;

        side_init(&s, &image);
        g_assert_true(feed(&s, words, 3, 3));
        if (op > 0x33) {
            g_assert_cmpuint(s.writes->len, ==, 0);
        }
        side_clear(&s);
    }
}

/* --- what hardware does to begin a packet holds with this image --- */

/* Words that were executed for a packet, in `cover`. */
static void run_one(const Image *image, const uint32_t *words, guint n,
                    uint64_t cover[RV100_ME_WORDS])
{
    Side s;

    side_init(&s, image);
    g_assert_true(feed(&s, words, n, n));
    memcpy(cover, s.r.me.cover, sizeof(s.r.me.cover));
    side_clear(&s);
}

/* Types 0 and 1 enter at their words and not at others. */
static void test_dispatch_types(void)
{
    static const struct {
        uint32_t words[3];
        guint n, entry;
    } cases[] = {
        { { 0x00000578, 1 }, 2, 0 }, { { 0x00008578, 1 }, 2, 1 },
        { { 0x402bd578, 1, 2 }, 3, 2 },
    };
    Image image;

    load_free(&image);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint64_t cover[RV100_ME_WORDS];

        run_one(&image, cases[i].words, cases[i].n, cover);
        for (guint e = 0; e < 4; e++) {
            g_assert_true((cover[e] > 0) == (e == cases[i].entry));
        }
    }
}

/* Type 3 enters at the byte of the table; with bit 15 at word 03, and then at
 * the byte. */
static void test_dispatch_type3(void)
{
    Image image;

    load_free(&image);
    for (unsigned op = 0x10; op < 0x80; op++) {
        uint8_t entry = image.lo[op >> 2] >> 8 * (op & 3) & 0xff;
        uint32_t words[] = { 3u << 30 | 2 << 16 | op << 8, 0xf0, 0, 0 };
        uint64_t cover[RV100_ME_WORDS];

        run_one(&image, words, 4, cover);
        g_assert_cmpuint(cover[entry], >, 0);
        g_assert_cmpuint(cover[3], ==, 0);
        words[0] |= 1 << 15;
        run_one(&image, words, 4, cover);
        g_assert_cmpuint(cover[entry], >, 0);
        g_assert_cmpuint(cover[3], ==, 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/free/examples", test_examples);
    g_test_add_func("/free/random", test_random);
    g_test_add_func("/free/all-opcodes", test_all_opcodes);
    g_test_add_func("/free/dispatch-types", test_dispatch_types);
    g_test_add_func("/free/dispatch-type3", test_dispatch_type3);
    return g_test_run();
}
