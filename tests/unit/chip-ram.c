/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Microcode RAM through CP_ME_RAM_*: every rule seen on a card [hw]. */
#include "fake-host.h"

/* Word n of the pattern the tests load. */
static uint32_t pattern(guint n)
{
    return 0x01010101u * (n & 255);
}

static FakeHost *loaded(void)
{
    FakeHost *h = fake_host_new(0, 1000);
    RefImage image;

    for (guint i = 0; i < 256; i++) {
        image.hi[i] = i & 0x3f;
        image.lo[i] = pattern(i);
    }
    fake_load(h, &image);
    return h;
}

static void test_contents(void)
{
    g_autoptr(FakeHost) h = loaded();

    fake_wr(h, A_CP_ME_RAM_RADDR, 0);
    for (guint i = 0; i < 256; i++) {
        g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAH), ==, i & 0x3f);
        g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAL), ==, pattern(i));
    }
    /* 256 words, then from the first again. */
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_ADDR), ==, 0);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAL), ==, pattern(0));
}

static void test_widths(void)
{
    g_autoptr(FakeHost) h = loaded();
    uint8_t hi;
    uint32_t lo;

    fake_load_word(h, 0x80, 0xff, 0xffffffff);
    fake_read_word(h, 0x80, &hi, &lo);
    g_assert_cmphex(hi, ==, 0x3f);
    g_assert_cmphex(lo, ==, 0xffffffff);
    fake_wr(h, A_CP_ME_RAM_ADDR, 0x180);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_ADDR), ==, 0x80);
}

static void test_write_pointer(void)
{
    g_autoptr(FakeHost) h = loaded();
    uint8_t hi;
    uint32_t lo;

    fake_wr(h, A_CP_ME_RAM_ADDR, 0xff);
    fake_wr(h, A_CP_ME_RAM_DATAH, 0x15);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_ADDR), ==, 0xff);
    fake_read_word(h, 0xff, &hi, &lo);      /* DATAH alone commits nothing */
    g_assert_cmphex(hi, ==, 0x3f);
    fake_wr(h, A_CP_ME_RAM_ADDR, 0xff);
    fake_wr(h, A_CP_ME_RAM_DATAL, 0xabcdef01);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_ADDR), ==, 0);
    fake_wr(h, A_CP_ME_RAM_DATAL, 0x23456789);      /* DATAH is kept */
    fake_read_word(h, 0xff, &hi, &lo);
    g_assert_cmphex(hi, ==, 0x15);
    g_assert_cmphex(lo, ==, 0xabcdef01);
    fake_read_word(h, 0, &hi, &lo);
    g_assert_cmphex(hi, ==, 0x15);
    g_assert_cmphex(lo, ==, 0x23456789);
}

static void test_raddr(void)
{
    g_autoptr(FakeHost) h = loaded();

    fake_wr(h, A_CP_ME_RAM_RADDR, 0x42);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_RADDR), ==, 0);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_ADDR), ==, 0x42);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAL), ==, pattern(0x42));
}

static void test_addr_leaves_read_pointer(void)
{
    g_autoptr(FakeHost) h = loaded();

    fake_wr(h, A_CP_ME_RAM_RADDR, 0x42);
    fake_wr(h, A_CP_ME_RAM_ADDR, 0x90);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAH), ==, 0x02);
    /* The old place; then the pointers come together. */
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAL), ==, pattern(0x42));
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_ADDR), ==, 0x91);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAL), ==, pattern(0x91));
}

static void test_datah_read_moves_nothing(void)
{
    g_autoptr(FakeHost) h = loaded();

    fake_wr(h, A_CP_ME_RAM_RADDR, 0x21);
    for (guint i = 0; i < 3; i++) {
        g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAH), ==, 0x21);
        g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_ADDR), ==, 0x21);
    }
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAL), ==, pattern(0x21));
}

static void test_datal_write_does_not_sync(void)
{
    g_autoptr(FakeHost) h = loaded();

    fake_wr(h, A_CP_ME_RAM_RADDR, 0x10);
    fake_wr(h, A_CP_ME_RAM_ADDR, 0x80);
    fake_wr(h, A_CP_ME_RAM_DATAL, 0x12345678);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_ADDR), ==, 0x81);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAL), ==, pattern(0x10));
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_ADDR), ==, 0x82);
    g_assert_cmphex(fake_rd(h, A_CP_ME_RAM_DATAL), ==, pattern(0x82));
}

/* A spinning word is replaced while the engine runs, and it goes on. */
static void test_load_while_running(void)
{
    static const uint32_t words[] = { 0x00000578, 0x77 };
    g_autoptr(FakeHost) h = fake_host_new(0, 1000);

    fake_load_word(h, 0, 0x04, 0);              /* jmp 0 */
    fake_csq_mode(h, 1);
    fake_pio(h, words, G_N_ELEMENTS(words));
    g_assert_false(fake_run(h, 5));
    fake_load_word(h, 0, 0, 0x00007578);        /* latch, write, advance */
    g_assert_true(fake_run(h, 5));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 0x77);
}

/* A reset clears the RAM; a soft reset of the CP keeps it. */
static void test_resets(void)
{
    g_autoptr(FakeHost) h = loaded();
    uint8_t hi;
    uint32_t lo;

    fake_wr(h, A_RBBM_SOFT_RESET, R_RBBM_SOFT_RESET_SOFT_RESET_CP_MASK);
    fake_wr(h, A_RBBM_SOFT_RESET, 0);
    fake_read_word(h, 0x33, &hi, &lo);
    g_assert_cmphex(hi, ==, 0x33);
    g_assert_cmphex(lo, ==, pattern(0x33));
    rv100_reset(h->chip);
    fake_read_word(h, 0x33, &hi, &lo);
    g_assert_cmphex(hi, ==, 0);
    g_assert_cmphex(lo, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chip/ram/contents", test_contents);
    g_test_add_func("/chip/ram/widths", test_widths);
    g_test_add_func("/chip/ram/write-pointer", test_write_pointer);
    g_test_add_func("/chip/ram/raddr", test_raddr);
    g_test_add_func("/chip/ram/addr", test_addr_leaves_read_pointer);
    g_test_add_func("/chip/ram/datah-read", test_datah_read_moves_nothing);
    g_test_add_func("/chip/ram/datal-write", test_datal_write_does_not_sync);
    g_test_add_func("/chip/ram/while-running", test_load_while_running);
    g_test_add_func("/chip/ram/resets", test_resets);
    return g_test_run();
}
