/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hardware-observed programs on the microengine alone: as published, moved
 * elsewhere, and mutated against the slow interpreter.
 */
#include <string.h>

#include "fast-me.h"
#include "relocate.h"

#define BUDGET 10000            /* units; the longest program needs 40 */
#define RELOCATIONS 64
#define MUTATIONS 1000
#define MUTANT_UNITS 400

static void check_program(const RefProgram *p, guint chunk)
{
    FastMe f;
    Rv100MeStop why = RV100_ME_STALLED;

    fast_me_init(&f, "r100", chunk);
    fast_me_image(&f, &p->image);
    for (guint i = 0; i < p->n_submits; i++) {
        fast_me_feed(&f, p->submits[i].words, p->submits[i].n);
        why = rv100_me_run(&f.me, BUDGET, NULL);
    }
    for (guint i = 0; i < p->n_expect; i++) {
        const RefExpect *e = &p->expect[i];
        uint32_t is = e->me_high ? f.me.hi[e->at]
                                 : fast_me_register(&f, e->at);

        if (is != e->value) {
            g_test_message("%s: %s (at %x) is %08x, hardware left %08x",
                           p->name, e->name, e->at, is, e->value);
            g_test_fail();
        }
    }
    if (p->wedged) {
        g_assert_cmpint(why, ==, RV100_ME_BUDGET);
        g_assert_cmpint(f.me.phase, ==, RV100_ME_RUN);
    } else {
        g_assert_cmpint(why, ==, RV100_ME_STALLED);
        g_assert_true(fast_me_idle(&f));
    }
    fast_me_clear(&f);
}

static void test_published(gconstpointer data)
{
    check_program(data, 256);
    check_program(data, 1);
}

static void test_relocated(gconstpointer data)
{
    const RefProgram *p = data;

    for (guint seed = 0; seed < RELOCATIONS; seed++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
        RefProgram *moved = program_relocate(p, rand);

        check_program(moved, 256);
        if (g_test_failed()) {
            g_test_message("relocation seed %u", seed);
            program_free(moved);
            return;
        }
        program_free(moved);
    }
}

/* Change a word of `bits` bits: one bit, several, or all of it. */
static uint64_t mutate_word(uint64_t word, unsigned bits, GRand *rand)
{
    uint64_t any = (uint64_t)g_rand_int(rand) << 32 | g_rand_int(rand);

    switch (g_rand_int_range(rand, 0, 4)) {
    case 0:
        any &= (uint64_t)g_rand_int(rand) << 32 | g_rand_int(rand);
        any &= (uint64_t)g_rand_int(rand) << 32 | g_rand_int(rand);
        word ^= any;
        break;
    case 1:
        word = any;
        break;
    default:
        word ^= UINT64_C(1) << g_rand_int_range(rand, 0, bits);
        break;
    }
    return bits == 64 ? word : word & ((UINT64_C(1) << bits) - 1);
}

static void mutate_image(RefImage *image, const bool used[256], GRand *rand)
{
    unsigned at = g_rand_int(rand) & 255;
    uint64_t q;

    /* Mostly words that the program has. */
    for (unsigned n = 0; n < 64 && !used[at]; n++) {
        at = g_rand_int(rand) & 255;
    }
    q = mutate_word((uint64_t)image->hi[at] << 32 | image->lo[at], 38, rand);
    image->hi[at] = q >> 32;
    image->lo[at] = q;
}

/* Feed both alike and let both use the same number of units. */
static char *run_both(FastMe *f, SlowMe *s, const RefWords *words, GRand *rand)
{
    guint fed = 0;

    while (fed < words->n) {
        guint n = g_rand_int_range(rand, 1, words->n - fed + 1);
        char *why;

        fast_me_feed(f, words->words + fed, n);
        slow_me_feed(s, words->words + fed, n);
        rv100_me_run(&f->me, MUTANT_UNITS, NULL);
        slow_me_run(s, MUTANT_UNITS);
        why = both_me_differ(f, s);
        if (why) {
            return why;
        }
        fed += n;
    }
    return NULL;
}

static char *run_mutant(const RefProgram *p, guint32 seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    RefImage image = p->image;
    SlowChip chip = g_rand_int_range(rand, 0, 4) ? SLOW_R100
                    : g_rand_int_range(rand, 0, 4);
    char *why = NULL;
    FastMe f;
    SlowMe s;

    for (guint n = g_rand_int_range(rand, 1, 4); n--;) {
        mutate_image(&image, p->used, rand);
    }
    fast_me_init(&f, slow_chip_name(chip), g_rand_int_range(rand, 1, 9));
    slow_me_init(&s, chip);
    fast_me_image(&f, &image);
    slow_me_image(&s, &image);
    if (g_rand_boolean(rand)) {
        both_me_scramble(&f, &s, rand);
    }
    for (guint i = 0; i < p->n_submits && !why; i++) {
        g_autofree uint32_t *copy = g_memdup2(p->submits[i].words,
                                              p->submits[i].n * 4);
        RefWords words = { copy, p->submits[i].n };

        if (g_rand_boolean(rand)) {
            guint at = g_rand_int_range(rand, 0, words.n);

            copy[at] = mutate_word(copy[at], 32, rand);
        }
        why = run_both(&f, &s, &words, rand);
    }
    fast_me_clear(&f);
    slow_me_clear(&s);
    return why;
}

/* RV100_SEED=n runs only that mutation. */
static void test_mutated(gconstpointer data)
{
    const RefProgram *p = data;
    const char *only = g_getenv("RV100_SEED");
    guint first = only ? g_ascii_strtoull(only, NULL, 0) : 0;
    guint last = only ? first + 1 : MUTATIONS;

    for (guint seed = first; seed < last; seed++) {
        g_autofree char *why = run_mutant(p, seed);

        if (why) {
            g_test_message("%s\nagain: RV100_SEED=%u %s -p %s", why, seed,
                           g_get_prgname(), g_test_get_path());
            g_test_fail();
            return;
        }
    }
}

static void test_absent(void)
{
    ref_need(NULL, "reference/evidence.json");
}

static void test_count(void)
{
    g_assert_cmpuint(ref_programs()->len, ==, 31);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*test)(gconstpointer);
    } ways[] = {
        { "published", test_published },
        { "relocated", test_relocated },
        { "mutated", test_mutated },
    };
    const GPtrArray *programs;

    g_test_init(&argc, &argv, NULL);
    programs = ref_programs();
    if (!programs) {
        g_test_add_func("/evidence/absent", test_absent);
        return g_test_run();
    }
    g_test_add_func("/evidence/count", test_count);
    for (gsize w = 0; w < G_N_ELEMENTS(ways); w++) {
        for (guint i = 0; i < programs->len; i++) {
            RefProgram *p = programs->pdata[i];
            g_autofree char *path = g_strdup_printf("/evidence/%s/%s",
                                                    ways[w].name, p->name);

            g_test_add_data_func(path, p, ways[w].test);
        }
    }
    return g_test_run();
}
