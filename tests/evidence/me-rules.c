/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The microengine's interface: budgets, stops, breakpoints, tracing, unknown
 * codes, and rules that need a program of their own. */
#include <string.h>

#include "fast-me.h"
#include "rv100-me-isa.h"

#define SEQ(n) ((uint64_t)ME_SEQ_##n << ME_WORD_SEQ_SHIFT)
#define OP(n) ((uint64_t)ME_OP_##n << ME_WORD_OP_SHIFT)
#define LAT ME_WORD_LAT_MASK
#define WR ME_WORD_WR_MASK
#define ADV ME_WORD_ADV_MASK
#define IDXSEL ME_WORD_IDXSEL_MASK
#define MCSEL ME_WORD_MCSEL_MASK

static void load(FastMe *f, uint8_t at, uint64_t q)
{
    rv100_me_load(&f->me, at, q >> 32, q);
}

/* Type 0 writes word for word, type 3 is drained at 40. */
static void start(FastMe *f)
{
    fast_me_init(f, "r100", 256);
    load(f, 0, LAT | WR | ADV | IDXSEL | OP(IDX_INC));
    load(f, 1, LAT | WR | ADV | IDXSEL);
    for (guint i = 4; i < 32; i++) {
        load(f, i, 0x40404040);
    }
    load(f, 0x40, LAT | ADV);
}

#define FEED(f, ...) \
    fast_me_feed(f, (const uint32_t[]) { __VA_ARGS__ }, \
                 G_N_ELEMENTS(((const uint32_t[]) { __VA_ARGS__ })))

static void test_budget(void)
{
    for (guint budget = 0; budget < 12; budget++) {
        FastMe f;
        uint64_t used;
        Rv100MeStop why;

        start(&f);
        FEED(&f, 0x00020010, 1, 2, 3, 0x80000000, 0x00000020, 4);
        why = rv100_me_run(&f.me, budget, &used);
        /* Three headers, four instructions. */
        g_assert_cmpint(why, ==, budget <= 7 ? RV100_ME_BUDGET
                                             : RV100_ME_STALLED);
        g_assert_cmpuint(used, ==, MIN(budget, 7));
        g_assert_cmpuint(fast_me_waiting(&f), ==, 7 - MIN(budget, 7));
        rv100_me_run(&f.me, 100, NULL);
        g_assert_cmpuint(f.writes->len, ==, 4);
        g_assert_cmpuint(f.me.cover[0], ==, 4);
        g_assert_cmpuint(f.me.steps, ==, 4);
        g_assert_cmpuint(f.me.words, ==, 7);
        fast_me_clear(&f);
    }
}

/* A breakpoint stops before the word, each time; going on passes it once. */
static void test_break(void)
{
    FastMe f;
    uint64_t used;

    start(&f);
    rv100_me_set_break(&f.me, 0, true);
    FEED(&f, 0x00020010, 1, 2, 3, 0x00008020, 4);
    for (guint n = 0; n < 3; n++) {
        g_assert_cmpint(rv100_me_run(&f.me, 100, NULL), ==, RV100_ME_BREAK);
        g_assert_cmpuint(f.writes->len, ==, n);
        g_assert_cmpuint(f.me.pc, ==, 0);
        g_assert_cmpuint(f.me.left, ==, 3 - n);
    }
    rv100_me_set_break(&f.me, 0, false);
    g_assert_cmpint(rv100_me_run(&f.me, 100, &used), ==, RV100_ME_STALLED);
    g_assert_cmpuint(used, ==, 3);
    g_assert_cmpuint(f.writes->len, ==, 4);
    fast_me_clear(&f);
}

/* Without debug there are no breakpoints and no counts. */
static void test_no_debug(void)
{
    FastMe f;

    start(&f);
    f.me.debug = false;
    rv100_me_set_break(&f.me, 0, true);
    FEED(&f, 0x00020010, 1, 2, 3);
    g_assert_cmpint(rv100_me_run(&f.me, 100, NULL), ==, RV100_ME_STALLED);
    g_assert_cmpuint(f.writes->len, ==, 3);
    g_assert_cmpuint(f.me.cover[0], ==, 0);
    fast_me_clear(&f);
}

static void test_trace(void)
{
    static const uint8_t expected[] = { 0, 0, 0x40, 0x40, 0x40, 1 };
    FastMe f;

    start(&f);
    f.me.trace_steps = true;
    FEED(&f, 0x00010010, 1, 2, 0xc0021000, 3, 4, 5, 0x00008020, 6);
    rv100_me_run(&f.me, 100, NULL);
    g_assert_cmpmem(f.pcs->data, f.pcs->len, expected, sizeof(expected));
    fast_me_clear(&f);
}

/* A stop that a write asks for comes after that instruction. */
static void test_stop(void)
{
    FastMe f;
    guint stops = 0;
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);

    start(&f);
    f.stops = rand;
    FEED(&f, 0x00020010, 1, 2, 3, 0x00008020, 4, 0x00050010, 5, 6, 7, 8, 9, 10);
    for (Rv100MeStop why = RV100_ME_STOPPED; why == RV100_ME_STOPPED;) {
        uint64_t used;
        guint before = f.writes->len;

        why = rv100_me_run(&f.me, 100, &used);
        stops += why == RV100_ME_STOPPED;
        g_assert_cmpuint(f.writes->len - before, <=, used);
    }
    g_assert_cmpuint(stops, >, 0);
    g_assert_cmpuint(f.writes->len, ==, 10);
    for (guint i = 0; i < 10; i++) {
        g_assert_cmpuint(g_array_index(f.writes, SlowWrite, i).value, ==, i + 1);
    }
    fast_me_clear(&f);
}

/* The dispatch behind an instruction that writes the table sees the word as it
 * was; the next one sees the new word. */
static void test_dispatch_sees_old(void)
{
    FastMe f;
    const uint64_t at50 = LAT | WR | ADV | 0x100, at60 = LAT | WR | ADV | 0x200;

    start(&f);
    load(&f, 0, LAT | WR | ADV | MCSEL | 4);    /* ME[4] = the word */
    load(&f, 4, 0x50505050);
    load(&f, 0x50, at50);
    load(&f, 0x60, at60);
    FEED(&f, 0x00000000, 0x60606060, 0x80000000, 0xc0001000, 1, 0xc0001000, 2);
    rv100_me_run(&f.me, 100, NULL);
    /* 10 is the first opcode of ME[4]. */
    g_assert_cmpuint(f.writes->len, ==, 3);
    g_assert_cmphex(g_array_index(f.writes, SlowWrite, 1).at, ==, 0x100);
    g_assert_cmphex(g_array_index(f.writes, SlowWrite, 2).at, ==, 0x200);
    fast_me_clear(&f);
}

/* Said once for an image, with the word. */
static void test_unknown(void)
{
    static const uint64_t words[] = {
        (uint64_t)0x07 << ME_WORD_SEQ_SHIFT, (uint64_t)0x07 << ME_WORD_OP_SHIFT,
        (uint64_t)0x06 << ME_WORD_ALU_SHIFT, (uint64_t)0x3f << ME_WORD_ALU_SHIFT,
        (uint64_t)2 << ME_WORD_SRC_SHIFT, (uint64_t)7 << ME_WORD_SRC_SHIFT,
    };

    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        FastMe f;

        start(&f);
        load(&f, 0, words[i] | (i ? SEQ(NXT) : 0) | WR | 0x10);
        load(&f, 1, LAT | ADV);
        g_assert_cmpuint(f.unknown, ==, 0);     /* loading says nothing */
        FEED(&f, 0, 1, 0, 2, 0, 3);
        rv100_me_run(&f.me, 100, NULL);
        g_assert_cmpuint(f.unknown, ==, 1);
        g_assert_cmpuint(f.writes->len, ==, 3);
        fast_me_clear(&f);
    }
}

/* What the generations have that the R100 has not. */
static void test_generations(void)
{
    static const struct {
        const char *chip;
        bool jumps, left, u;
    } rows[] = {
        { "r128", false, false, false }, { "r100", false, false, false },
        { "r200", true, true, false }, { "r300", true, true, true },
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Rv100MeChip *chip = rv100_me_chip(rows[i].chip);

        g_assert_nonnull(chip);
        g_assert_true((chip->seq >> ME_SEQ_JNX & 1) == rows[i].jumps);
        g_assert_true((chip->op >> ME_OP_LEFT_PKT & 1) == rows[i].left);
        g_assert_true((chip->op >> ME_OP_U_A & 1) == rows[i].u);
        g_assert_true((chip->alu >> ME_ALU_LD_U & 1) == rows[i].u);
    }
    g_assert_null(rv100_me_chip("r600"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rules/budget", test_budget);
    g_test_add_func("/rules/break", test_break);
    g_test_add_func("/rules/no-debug", test_no_debug);
    g_test_add_func("/rules/trace", test_trace);
    g_test_add_func("/rules/stop", test_stop);
    g_test_add_func("/rules/dispatch-sees-old", test_dispatch_sees_old);
    g_test_add_func("/rules/unknown", test_unknown);
    g_test_add_func("/rules/generations", test_generations);
    return g_test_run();
}
