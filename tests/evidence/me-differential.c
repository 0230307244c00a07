/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The microengine against the slow interpreter on images and streams that
 * nobody would write: random ones, and the stock image with one bit changed.
 */
#include <string.h>

#include "fast-me.h"
#include "rv100-me-isa.h"

#define ROUNDS 20000            /* random images, `-m thorough`: 20 times that */
#define UNITS 300
#define FLIP_UNITS 6000
#define FLIP_STRIDE 13          /* every n-th bit; `-m thorough`: every bit */

static bool chance(GRand *rand, int percent)
{
    return g_rand_int_range(rand, 0, 100) < percent;
}

static uint64_t field(GRand *rand, unsigned codes, unsigned shift)
{
    return (uint64_t)g_rand_int_range(rand, 0, codes) << shift;
}

/* A word in the fields of the R100. Most go on to the next word, most flags are
 * clear, so that a program lives for a while. */
static uint64_t random_word(GRand *rand, unsigned addr_bits)
{
    uint64_t q = 0;

    if (chance(rand, 3)) {
        return (uint64_t)g_rand_int(rand) << 8 | (g_rand_int(rand) & 255);
    }
    q |= chance(rand, 50) ? ME_WORD_LAT_MASK : 0;
    q |= chance(rand, 50) ? ME_WORD_WR_MASK : 0;
    q |= chance(rand, 25) ? ME_WORD_ADV_MASK : 0;
    q |= chance(rand, 25) ? ME_WORD_IDXSEL_MASK : 0;
    q |= chance(rand, 5) ? ME_WORD_MCSEL_MASK : 0;
    q |= chance(rand, 20) ? ME_WORD_COND_MASK : 0;
    q |= chance(rand, 20) ? ME_WORD_CGATE_MASK : 0;
    q |= chance(rand, 80) ? field(rand, 0x29, ME_WORD_ALU_SHIFT) : 0;
    q |= chance(rand, 80) ? field(rand, 0x18, ME_WORD_OP_SHIFT) : 0;
    q |= chance(rand, 70) ? field(rand, 8, ME_WORD_SRC_SHIFT) : 0;
    q |= chance(rand, 50) ? field(rand, 0x13, ME_WORD_SEQ_SHIFT)
                          : (uint64_t)ME_SEQ_NXT << ME_WORD_SEQ_SHIFT;
    if (addr_bits == 11) {
        q >>= 1;
    } else if (addr_bits == 13) {
        q <<= 1;
    }
    return q | (g_rand_int(rand) & ((1u << addr_bits) - 1));
}

/* The loops that write a packet word for word: the engine runs rows of them at
 * once. */
static uint64_t drain_word(GRand *rand)
{
    return ME_WORD_LAT_MASK | ME_WORD_WR_MASK | ME_WORD_ADV_MASK
           | (chance(rand, 80) ? ME_WORD_IDXSEL_MASK : 0)
           | (chance(rand, 70) ? (uint64_t)ME_OP_IDX_INC << ME_WORD_OP_SHIFT : 0);
}

static uint32_t random_header(GRand *rand)
{
    uint32_t h = g_rand_int(rand);

    h &= ~0x3fff0000u;
    h |= (chance(rand, 95) ? g_rand_int_range(rand, 0, 12)
                           : g_rand_int_range(rand, 0, 0x4000)) << 16;
    return h;
}

static GArray *random_stream(GRand *rand)
{
    GArray *words = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    guint n = g_rand_int_range(rand, 1, 40);

    while (words->len < n) {
        uint32_t w = chance(rand, 40) ? random_header(rand)
                     : chance(rand, 30) ? g_rand_int(rand) & 0x8000800f
                     : g_rand_int(rand);

        g_array_append_val(words, w);
    }
    return words;
}

/* What may watch the engine must not change what it does. */
static void watch(FastMe *f, GRand *rand)
{
    f->me.debug = chance(rand, 80);
    f->me.trace_steps = chance(rand, 20);
    f->stops = chance(rand, 30) ? rand : NULL;
    for (guint n = chance(rand, 30) ? 20 : 0; n--;) {
        rv100_me_set_break(&f->me, g_rand_int_range(rand, 0, 256), true);
    }
}

static char *run_random(guint32 seed)
{
    static const uint8_t addr_bits[] = { 11, 12, 12, 13 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    SlowChip chip = g_rand_int_range(rand, 0, 4);
    g_autoptr(GArray) words = random_stream(rand);
    bool drains = chance(rand, 40);
    char *why = NULL;
    guint fed = 0;
    FastMe f;
    SlowMe s;

    fast_me_init(&f, slow_chip_name(chip), g_rand_int_range(rand, 1, 10));
    slow_me_init(&s, chip);
    for (guint i = 0; i < 256; i++) {
        uint64_t q = random_word(rand, addr_bits[chip]);

        if (drains && (i < 2 || chance(rand, 5))) {
            q = drain_word(rand) >> 12 << addr_bits[chip] | (q & 0x7ff);
        }
        rv100_me_load(&f.me, i, q >> 32, q);
        slow_me_load(&s, i, q >> 32, q);
    }
    both_me_scramble(&f, &s, rand);
    watch(&f, rand);
    while (fed < words->len && !why) {
        guint n = g_rand_int_range(rand, 1, words->len - fed + 1);
        guint units = g_rand_int_range(rand, 1, UNITS);

        fast_me_feed(&f, &g_array_index(words, uint32_t, fed), n);
        slow_me_feed(&s, &g_array_index(words, uint32_t, fed), n);
        if (fast_me_run_pieces(&f, units, rand) != slow_me_run(&s, units)) {
            why = g_strdup("another number of units was used");
            break;
        }
        if (!f.me.debug) {
            memcpy(f.me.cover, s.cover, sizeof(s.cover));
        }
        why = both_me_differ(&f, &s);
        fed += n;
    }
    fast_me_clear(&f);
    slow_me_clear(&s);
    return why;
}

/* RV100_SEED=n runs only that image. */
static void test_random(void)
{
    const char *only = g_getenv("RV100_SEED");
    guint first = only ? g_ascii_strtoull(only, NULL, 0) : 0;
    guint n = g_test_thorough() ? 20 * ROUNDS : ROUNDS;

    for (guint seed = first; seed < (only ? first + 1 : n); seed++) {
        g_autofree char *why = run_random(seed);

        if (why) {
            g_test_message("%s\nagain: RV100_SEED=%u %s -p "
                           "/differential/random", why, seed,
                           g_get_prgname());
            g_test_fail();
            return;
        }
    }
}

/* Fifty of the documented packets one after the other. */
static GArray *packet_stream(void)
{
    const GPtrArray *packets = ref_packets();
    GArray *words = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (guint i = 0, n = 0; i < packets->len && n < 50; i++) {
        const RefPacket *p = packets->pdata[i];

        if (p->words.n <= 12 && !p->whole_only) {
            g_array_append_vals(words, p->words.words, p->words.n);
            n++;
        }
    }
    return words;
}

static char *run_flip(const RefImage *image, const GArray *words, guint bit)
{
    uint8_t at = bit / 38;
    uint64_t q = (uint64_t)image->hi[at] << 32 | image->lo[at];
    char *why;
    FastMe f;
    SlowMe s;

    fast_me_init(&f, "r100", 7);
    slow_me_init(&s, SLOW_R100);
    fast_me_image(&f, image);
    slow_me_image(&s, image);
    q ^= UINT64_C(1) << bit % 38;
    rv100_me_load(&f.me, at, q >> 32, q);
    slow_me_load(&s, at, q >> 32, q);
    fast_me_feed(&f, (const uint32_t *)words->data, words->len);
    slow_me_feed(&s, (const uint32_t *)words->data, words->len);
    rv100_me_run(&f.me, FLIP_UNITS, NULL);
    slow_me_run(&s, FLIP_UNITS);
    why = both_me_differ(&f, &s);
    fast_me_clear(&f);
    slow_me_clear(&s);
    return why;
}

/* RV100_BIT=n flips only that bit (38 bits a word). */
static void test_flips(void)
{
    const RefImage *image = ref_image("R100_cp.bin");
    const char *only = g_getenv("RV100_BIT");
    guint stride = g_test_thorough() ? 1 : FLIP_STRIDE;
    guint bit = only ? g_ascii_strtoull(only, NULL, 0) : 0;
    g_autoptr(GArray) words = NULL;

    if (!ref_need(image, "firmware/R100_cp.bin")
        || !ref_need(ref_packets(), "reference/packets.json")) {
        return;
    }
    words = packet_stream();
    for (; bit < 256 * 38; bit += only ? 256 * 38 : stride) {
        g_autofree char *why = run_flip(image, words, bit);

        if (why) {
            g_test_message("%s\nagain: RV100_BIT=%u %s -p "
                           "/differential/flips", why, bit, g_get_prgname());
            g_test_fail();
            return;
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/differential/random", test_random);
    g_test_add_func("/differential/flips", test_flips);
    return g_test_run();
}
