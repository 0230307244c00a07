/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The documented packets through the stock microcode on the microengine alone,
 * the images of the other generations, and changed images.
 */
#include <string.h>

#include "fast-me.h"
#include "rv100-regs.h"

#define BUDGET 200000

static const char stock[] = "R100_cp.bin";

/* Run a packet; `step` words are fed at a time (0: all). */
static Rv100MeStop run_packet(FastMe *f, const char *chip,
                              const RefImage *image, const RefPacket *p,
                              guint step)
{
    Rv100MeStop why = RV100_ME_STALLED;

    fast_me_init(f, chip, 256);
    fast_me_image(f, image);
    for (guint i = 0; i < p->n_patch; i++) {
        rv100_me_load(&f->me, p->patch[i].addr, p->patch[i].hi,
                      p->patch[i].lo);
    }
    step = step ? step : p->words.n;
    for (guint i = 0; i < p->words.n && why == RV100_ME_STALLED; i += step) {
        fast_me_feed(f, p->words.words + i, MIN(step, p->words.n - i));
        why = rv100_me_run(&f->me, BUDGET, NULL);
    }
    return why;
}

/* The blits save their first word here; the examples do not list it. */
#define BLIT_SAVE 0xe4

/* The writes of each kind, in order. */
static void check_writes(const FastMe *f, const RefPacket *p)
{
    guint regs = 0, words = 0;

    for (guint i = 0; i < f->writes->len; i++) {
        const SlowWrite *w = &g_array_index(f->writes, SlowWrite, i);

        if (w->hi < 0) {
            g_assert_cmpuint(regs, <, p->n_writes);
            g_assert_cmphex(w->at, ==, p->writes[regs].dword);
            g_assert_cmphex(w->value, ==, p->writes[regs].value);
            regs++;
        } else if (w->at != BLIT_SAVE) {
            g_assert_cmpuint(words, <, p->n_me_writes);
            g_assert_cmphex(w->at, ==, p->me_writes[words].addr);
            g_assert_cmphex(w->hi, ==, p->me_writes[words].hi);
            g_assert_cmphex(w->value, ==, p->me_writes[words].lo);
            words++;
        }
    }
    g_assert_cmpuint(regs, ==, p->n_writes);
    g_assert_cmpuint(words, ==, p->n_me_writes);
}

static void check_packet(const RefPacket *p, guint step)
{
    FastMe f;

    g_assert_cmpint(run_packet(&f, "r100", ref_image(stock), p, step), ==,
                    RV100_ME_STALLED);
    check_writes(&f, p);
    if (p->waiting) {
        g_assert_cmpint(f.me.phase, ==, RV100_ME_RUN);
    } else {
        g_assert_true(fast_me_idle(&f));
    }
    /* The stock image has no unknown code but for the text that 2b runs. */
    g_assert_true(!f.unknown || g_str_has_prefix(p->name, "2b "));
    fast_me_clear(&f);
}

static void test_whole(gconstpointer data)
{
    check_packet(data, 0);
}

static void test_by_words(gconstpointer data)
{
    check_packet(data, 1);
    check_packet(data, 2);
    check_packet(data, 3);
}

/* What the other images make of the 2D packets [generations, last table]. */
typedef struct Generation {
    const char *image, *chip;
    bool cache_writes;          /* writes DSTCACHE_CTLSTAT as R100 does */
    const char *without;        /* opcodes (hexadecimal, low 7 bits) */
    guint at_least;             /* examples that must have been compared */
} Generation;

static const Generation generations[] = {
    { "R200_cp.bin", "r200", false, "", 50 },
    { "R300_cp.bin", "r300", false, "13 14 19", 40 },
    { "R420_cp.bin", "r300", false, "13 14 19", 40 },
    { "R520_cp.bin", "r300", false, "13 14 19", 40 },
    { "RS600_cp.bin", "r300", false, "13 14 19", 40 },
    { "r128_cce.bin", "r128", false, "13 14 15 1c", 40 },
};

/* Is this example made of 2D packets that generation `g` must do alike? */
static bool applies(const Generation *g, const RefPacket *p)
{
    static const char two_d[] = "11 12 13 14 15 18 19 1a 1b 1c 1d 1e";
    guint n;

    if (p->n_patch) {
        return false;           /* addresses of the R100 image */
    }
    for (guint i = 0; i < p->words.n; i += n) {
        uint32_t h = p->words.words[i];
        g_autofree char *op = g_strdup_printf("%02x", h >> 8 & 0x7f);

        n = h >> 30 == 2 ? 1 : h >> 30 == 1 ? 3 : 2 + (h >> 16 & 0x3fff);
        if (h >> 30 == 3 && (!strstr(two_d, op) || strstr(g->without, op))) {
            return false;
        }
    }
    return true;
}

static bool compare_generation(const Generation *g, const RefPacket *p)
{
    guint n = 0;
    bool same = true;
    FastMe f;

    if (run_packet(&f, g->chip, ref_image(g->image), p, 0)
        != RV100_ME_STALLED || !fast_me_idle(&f)) {
        fast_me_clear(&f);
        return false;
    }
    for (guint i = 0; same && i < f.writes->len; i++) {
        const SlowWrite *w = &g_array_index(f.writes, SlowWrite, i);

        while (n < p->n_writes && p->writes[n].dword == R_DSTCACHE_CTLSTAT) {
            n++;
        }
        if (w->hi < 0 && w->at != R_DSTCACHE_CTLSTAT) {
            same = n < p->n_writes && w->at == p->writes[n].dword
                   && w->value == p->writes[n].value;
            n++;
        }
    }
    while (n < p->n_writes && p->writes[n].dword == R_DSTCACHE_CTLSTAT) {
        n++;
    }
    fast_me_clear(&f);
    return same && n == p->n_writes;
}

static void test_generation(gconstpointer data)
{
    const Generation *g = data;
    const GPtrArray *packets = ref_packets();
    guint compared = 0;

    if (!ref_need(ref_image(g->image), g->image)) {
        return;
    }
    for (guint i = 0; i < packets->len; i++) {
        const RefPacket *p = packets->pdata[i];

        if (applies(g, p)) {
            compared++;
            if (!compare_generation(g, p)) {
                g_test_message("%s: %s", g->image, p->name);
                g_test_fail();
            }
        }
    }
    g_test_message("%s: %u examples", g->image, compared);
    g_assert_cmpuint(compared, >=, g->at_least);
}

/* No claim about what RS690 writes, only that it does no harm: the slow
 * interpreter agrees and every packet ends within the budget. */
static void test_rs690(void)
{
    const RefImage *image = ref_image("RS690_cp.bin");
    const GPtrArray *packets = ref_packets();

    if (!ref_need(image, "RS690_cp.bin")) {
        return;
    }
    for (guint i = 0; i < packets->len; i++) {
        const RefPacket *p = packets->pdata[i];
        g_autofree char *why = NULL;
        FastMe f;
        SlowMe s;

        fast_me_init(&f, "r300", 5);
        slow_me_init(&s, SLOW_R300);
        fast_me_image(&f, image);
        slow_me_image(&s, image);
        fast_me_feed(&f, p->words.words, p->words.n);
        slow_me_feed(&s, p->words.words, p->words.n);
        rv100_me_run(&f.me, 5000, NULL);
        slow_me_run(&s, 5000);
        why = both_me_differ(&f, &s);
        g_assert_cmpstr(why, ==, NULL);
        fast_me_clear(&f);
        slow_me_clear(&s);
    }
}

static void test_recognised(void)
{
    static const struct {
        const char *image, *chip;
    } images[] = {
        { "r128_cce.bin", "r128" }, { "R100_cp.bin", "r100" },
        { "R200_cp.bin", "r100" }, { "R300_cp.bin", "r300" },
        { "R420_cp.bin", "r300" }, { "R520_cp.bin", "r300" },
        { "RS600_cp.bin", "r300" }, { "RS690_cp.bin", "r300" },
    };
    static const RefImage empty;

    for (gsize i = 0; i < G_N_ELEMENTS(images); i++) {
        const RefImage *image = ref_image(images[i].image);

        if (!ref_need(image, images[i].image)) {
            return;
        }
        g_assert_cmpstr(rv100_me_chip_of_image(image->hi, image->lo)->name,
                        ==, images[i].chip);
    }
    g_assert_null(rv100_me_chip_of_image(empty.hi, empty.lo));
}

static void add_packets(const GPtrArray *packets)
{
    for (guint i = 0; i < packets->len; i++) {
        RefPacket *p = packets->pdata[i];
        g_autofree char *name = g_strdelimit(g_strdup(p->name), "/", '-');
        g_autofree char *whole = g_strdup_printf("/packets/whole/%s", name);
        g_autofree char *words = g_strdup_printf("/packets/words/%s", name);

        g_test_add_data_func(whole, p, test_whole);
        if (!p->whole_only) {
            g_test_add_data_func(words, p, test_by_words);
        }
    }
}

static void test_absent(void)
{
    ref_need(NULL, "reference/packets.json or firmware/R100_cp.bin");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (!ref_packets() || !ref_image(stock)) {
        g_test_add_func("/packets/absent", test_absent);
        return g_test_run();
    }
    add_packets(ref_packets());
    for (gsize i = 0; i < G_N_ELEMENTS(generations); i++) {
        g_autofree char *path = g_strdup_printf("/packets/image/%s",
                                                generations[i].image);

        g_test_add_data_func(path, &generations[i], test_generation);
    }
    g_test_add_func("/packets/image/RS690_cp.bin", test_rs690);
    g_test_add_func("/packets/recognised", test_recognised);
    return g_test_run();
}
