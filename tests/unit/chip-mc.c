/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory controller: where card addresses lead. */
#include <string.h>

#include "fake-host.h"

#define FB_AT(first, last) ((uint32_t)(last) << 16 | (first))
#define PAGE 4096u

/* The card's view of one dword; writes and reads must agree. */
static uint32_t card(FakeHost *h, uint32_t addr)
{
    uint32_t le = 0;

    g_assert_true(rv100_card_read(h->chip, addr, &le, 4));
    return GUINT32_FROM_LE(le);
}

static void card_write(FakeHost *h, uint32_t addr, uint32_t value)
{
    uint32_t le = GUINT32_TO_LE(value);

    g_assert_true(rv100_card_write(h->chip, addr, &le, 4));
}

static uint32_t vram(FakeHost *h, uint32_t offset)
{
    uint32_t le;

    memcpy(&le, h->vram + offset, 4);
    return GUINT32_FROM_LE(le);
}

static void test_window(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    /* One MiB of VRAM at 0x10000000. */
    fake_wr(h, A_MC_FB_LOCATION, FB_AT(0x1000, 0x100f));
    card_write(h, 0x10000000, 0x11111111);
    card_write(h, 0x100ffffc, 0x22222222);
    g_assert_cmphex(vram(h, 0), ==, 0x11111111);
    g_assert_cmphex(vram(h, 0xffffc), ==, 0x22222222);
    g_assert_cmpuint(h->dirty, ==, 2);
    /* Before and behind it is the bus. */
    g_assert_false(rv100_card_read(h->chip, 0x0ffffffc, &(uint32_t) { 0 }, 4));
    g_assert_false(rv100_card_read(h->chip, 0x10100000, &(uint32_t) { 0 }, 4));
    fake_poke(h, 0x1000, 0x33333333);
    g_assert_cmphex(card(h, 0x1000), ==, 0x33333333);
    card_write(h, 0x2000, 0x44444444);
    g_assert_cmphex(fake_peek(h, 0x2000), ==, 0x44444444);
}

/* An access across both ends of the window is cut there. */
static void test_window_edges(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t words[2];

    fake_wr(h, A_MC_FB_LOCATION, FB_AT(0x0001, 0x0002));
    fake_poke(h, 0xfffc, 1);
    card_write(h, 0x10000, 2);
    g_assert_true(rv100_card_read(h->chip, 0xfffc, words, 8));
    g_assert_cmphex(GUINT32_FROM_LE(words[0]), ==, 1);
    g_assert_cmphex(GUINT32_FROM_LE(words[1]), ==, 2);
    fake_poke(h, 0x30000, 4);
    card_write(h, 0x2fffc, 3);
    g_assert_cmphex(vram(h, 0x1fffc), ==, 3);
    g_assert_true(rv100_card_read(h->chip, 0x2fffc, words, 8));
    g_assert_cmphex(GUINT32_FROM_LE(words[0]), ==, 3);
    g_assert_cmphex(GUINT32_FROM_LE(words[1]), ==, 4);
}

/* 0xffff0000: everything is frame buffer, modulo its size [hw]. */
static void test_whole_space(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t words[2];

    fake_wr(h, A_MC_FB_LOCATION, 0xffff0000);
    card_write(h, 0x1234, 0x55555555);
    g_assert_cmphex(card(h, 0x1234 + FAKE_VRAM), ==, 0x55555555);
    g_assert_cmphex(card(h, 0xfff01234), ==, 0x55555555);
    /* Across the end of the VRAM and of the address space. */
    card_write(h, 0xfffffffc, 6);
    card_write(h, 0, 7);
    g_assert_cmphex(vram(h, FAKE_VRAM - 4), ==, 6);
    for (guint i = 0; i < 2; i++) {
        g_assert_true(rv100_card_read(h->chip, i ? 0xfffffffc : FAKE_VRAM - 4,
                                      words, 8));
        g_assert_cmphex(GUINT32_FROM_LE(words[0]), ==, 6);
        g_assert_cmphex(GUINT32_FROM_LE(words[1]), ==, 7);
    }
}

/* A window larger than the VRAM repeats it; first above last is none. */
static void test_odd_windows(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    fake_wr(h, A_MC_FB_LOCATION, FB_AT(0x0100, 0x013f));
    card_write(h, 0x01000010, 8);
    g_assert_cmphex(card(h, 0x01300010), ==, 8);
    fake_wr(h, A_MC_FB_LOCATION, FB_AT(0x0002, 0x0001));
    fake_poke(h, 0x10000, 9);
    g_assert_cmphex(card(h, 0x10000), ==, 9);
}

static void gart(FakeHost *h)
{
    fake_ring_start(h, 4, 0);
}

static void test_gart(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    g_autofree uint8_t *out = g_malloc(3 * PAGE), *in = g_malloc(3 * PAGE);

    gart(h);
    for (guint i = 0; i < FAKE_N_PAGES; i++) {
        uint32_t at = i * PAGE + 8 * i;

        card_write(h, FAKE_GART + at, 0x1000 + i);
        g_assert_cmphex(fake_peek(h, fake_gart_bus(at)), ==, 0x1000 + i);
        g_assert_cmphex(card(h, FAKE_GART + at), ==, 0x1000 + i);
    }
    /* Over several pages, not aligned to them. */
    for (guint i = 0; i < 3 * PAGE; i++) {
        out[i] = i * 7 + i / 256;
    }
    g_assert_true(rv100_card_write(h->chip, FAKE_GART + 5 * PAGE + 77, out,
                                   3 * PAGE));
    g_assert_true(rv100_card_read(h->chip, FAKE_GART + 5 * PAGE + 77, in,
                                  3 * PAGE));
    g_assert_cmpmem(in, 3 * PAGE, out, 3 * PAGE);
    g_assert_cmphex(h->mem[fake_gart_bus(7 * PAGE)], ==, out[2 * PAGE - 77]);
}

/* The bounds are inclusive; outside of them and with translation off the
 * address goes to the bus unchanged. */
static void test_gart_bounds(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t end = FAKE_GART + FAKE_N_PAGES * PAGE, word;

    gart(h);
    card_write(h, end - 4, 10);
    g_assert_cmphex(fake_peek(h, fake_gart_bus(FAKE_N_PAGES * PAGE - 4)), ==, 10);
    g_assert_false(rv100_card_read(h->chip, end, &word, 4));
    g_assert_false(rv100_card_read(h->chip, FAKE_GART - 4, &word, 4));
    /* A window over low bus addresses, which answer without translation. */
    fake_wr(h, A_MC_FB_LOCATION, FB_AT(0x4000, 0x400f));
    fake_wr(h, A_AIC_LO_ADDR, 0x2000);
    fake_wr(h, A_AIC_HI_ADDR, 0x3fff);
    for (uint32_t at = 0x1ffc; at <= 0x4000; at += 4) {
        fake_poke(h, at, at);
    }
    fake_poke(h, fake_gart_bus(0), 11);
    fake_poke(h, fake_gart_bus(0x1ffc), 12);
    g_assert_cmphex(card(h, 0x1ffc), ==, 0x1ffc);
    g_assert_cmphex(card(h, 0x2000), ==, 11);
    g_assert_cmphex(card(h, 0x3ffc), ==, 12);
    g_assert_cmphex(card(h, 0x4000), ==, 0x4000);
    fake_wr(h, A_AIC_CNTL, 0);
    g_assert_cmphex(card(h, 0x2000), ==, 0x2000);
}

/* The low bits of the bounds say nothing: an access from below is cut where the
 * first page begins. */
static void test_gart_low_bits(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t words[4];

    gart(h);
    fake_wr(h, A_MC_FB_LOCATION, FB_AT(0x4000, 0x400f));
    fake_wr(h, A_AIC_LO_ADDR, 0x2abc);
    fake_wr(h, A_AIC_HI_ADDR, 0x3004);
    for (uint32_t at = 0x1ff8; at < 0x4008; at += 4) {
        fake_poke(h, at, at);
    }
    for (uint32_t at = 0; at < 8; at += 4) {
        fake_poke(h, fake_gart_bus(at), 20 + at);
        fake_poke(h, fake_gart_bus(0x1ff8 + at), 30 + at);
    }
    g_assert_true(rv100_card_read(h->chip, 0x1ff8, words, sizeof(words)));
    g_assert_cmphex(GUINT32_FROM_LE(words[1]), ==, 0x1ffc);
    g_assert_cmphex(GUINT32_FROM_LE(words[2]), ==, 20);
    g_assert_cmphex(GUINT32_FROM_LE(words[3]), ==, 24);
    g_assert_true(rv100_card_read(h->chip, 0x3ff8, words, sizeof(words)));
    g_assert_cmphex(GUINT32_FROM_LE(words[1]), ==, 34);
    g_assert_cmphex(GUINT32_FROM_LE(words[2]), ==, 0x4000);
}

/* First above last: nothing is translated. */
static void test_gart_inverted(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    gart(h);
    fake_wr(h, A_MC_FB_LOCATION, FB_AT(0x4000, 0x400f));
    fake_wr(h, A_AIC_LO_ADDR, 0x5000);
    fake_wr(h, A_AIC_HI_ADDR, 0x1fff);
    for (uint32_t at = 0x1000; at < 0x7000; at += PAGE) {
        fake_poke(h, at, at);
        g_assert_cmphex(card(h, at), ==, at);
    }
}

/* The frame buffer comes first where both windows overlap. */
static void test_frame_buffer_first(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    gart(h);
    fake_wr(h, A_MC_FB_LOCATION, FB_AT(FAKE_GART >> 16, FAKE_GART >> 16));
    card_write(h, FAKE_GART + 16, 13);
    g_assert_cmphex(vram(h, 16), ==, 13);
    g_assert_cmphex(fake_peek(h, fake_gart_bus(16)), ==, 0);
    card_write(h, FAKE_GART + 0x10010, 14);
    g_assert_cmphex(fake_peek(h, fake_gart_bus(0x10010)), ==, 14);
}

/* The driver rewrites the table without telling the chip [linux]. */
static void test_table_rewritten(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    gart(h);
    card_write(h, FAKE_GART, 15);
    fake_poke(h, FAKE_TABLE, FAKE_PAGES + 9 * PAGE);
    card_write(h, FAKE_GART, 16);
    g_assert_cmphex(fake_peek(h, FAKE_PAGES + 9 * PAGE), ==, 16);
    g_assert_cmphex(fake_peek(h, fake_gart_bus(0)), ==, 15);
}

static void test_errors(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint8_t buf[2 * PAGE];

    gart(h);
    /* A page that nothing answers, and a table that nothing answers. */
    fake_poke(h, FAKE_TABLE + 4, 0xf0000000);
    g_assert_false(rv100_card_read(h->chip, FAKE_GART + PAGE, buf, 4));
    g_assert_false(rv100_card_write(h->chip, FAKE_GART, buf, sizeof(buf)));
    g_assert_true(rv100_card_write(h->chip, FAKE_GART, buf, PAGE));
    fake_wr(h, A_AIC_PT_BASE, FAKE_MEM);
    g_assert_false(rv100_card_read(h->chip, FAKE_GART, buf, 4));
    fake_wr(h, A_AIC_PT_BASE, 0xfffffffc);
    g_assert_false(rv100_card_read(h->chip, FAKE_GART + PAGE, buf, 4));
    fake_wr(h, A_AIC_PT_BASE, FAKE_TABLE);
    g_assert_true(rv100_card_read(h->chip, FAKE_GART, buf, 4));
    /* Bus mastering off, by the host and by BUS_CNTL. */
    h->bus_master = false;
    g_assert_false(rv100_card_read(h->chip, FAKE_GART, buf, 4));
    g_assert_false(rv100_card_write(h->chip, FAKE_GART, buf, 4));
    g_assert_true(rv100_card_write(h->chip, 0, buf, 4));
    h->bus_master = true;
    fake_wr(h, A_BUS_CNTL, R_BUS_CNTL_BUS_MASTER_DIS_MASK);
    g_assert_false(rv100_card_read(h->chip, FAKE_GART, buf, 4));
    fake_wr(h, A_BUS_CNTL, 0);
    g_assert_true(rv100_card_read(h->chip, FAKE_GART, buf, 4));
}

/* Every length at every place near the edges of both windows: no access
 * outside, and what is written is read back. */
static void test_sweep(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    g_autoptr(GRand) rand = g_rand_new_with_seed(4);
    static const uint32_t edges[] = {
        0, 0x10000, 0x20000, 0x30000, FAKE_GART, FAKE_GART + PAGE,
        FAKE_GART + FAKE_N_PAGES * PAGE, 0xffff0000,
    };
    uint8_t out[600], in[600];

    gart(h);
    for (guint i = 0; i < 4000; i++) {
        uint32_t loc = g_rand_int_range(rand, 0, 4);
        uint32_t at = edges[g_rand_int_range(rand, 0, G_N_ELEMENTS(edges))]
                      + g_rand_int_range(rand, -600, 600);
        uint32_t len = g_rand_int_range(rand, 0, sizeof(out) + 1);

        fake_wr(h, A_MC_FB_LOCATION, loc == 3 ? 0xffff0000
                : FB_AT(loc, loc + (g_rand_int(rand) & 3)));
        for (guint k = 0; k < sizeof(out); k++) {
            out[k] = g_rand_int(rand);
        }
        if (rv100_card_write(h->chip, at, out, len)) {
            g_assert_true(rv100_card_read(h->chip, at, in, len));
            g_assert_cmpmem(in, len, out, len);
        }
        gart(h);    /* it may have hit the table */
    }
}

/* --- the host's view of VRAM through BAR0 --- */

#define SECOND_APERTURE (64u << 20)

static void surface(FakeHost *h, uint32_t n, uint32_t lower, uint32_t upper,
                    uint32_t info)
{
    fake_wr(h, A_SURFACE0_LOWER_BOUND + n * 16, lower);
    fake_wr(h, A_SURFACE0_UPPER_BOUND + n * 16, upper);
    fake_wr(h, A_SURFACE0_INFO + n * 16, info);
}

/* Each of the eight surfaces has bounds and swaps of its own. */
static void test_surfaces(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    g_assert_true(rv100_aperture_plain(h->chip));
    for (uint32_t n = 0; n < 8; n++) {
        surface(h, n, 0x1000 * n + 0x1000, 0x1000 * n + 0x17ff, n % 2
                ? R_SURFACE0_INFO_SURF_AP0_SWP_32BPP_MASK
                : R_SURFACE0_INFO_SURF_AP0_SWP_16BPP_MASK);
        g_assert_false(rv100_aperture_plain(h->chip));
    }
    for (uint32_t n = 0; n < 8; n++) {
        uint32_t at = 0x1000 * n + 0x1000, swap = n % 2 ? 3 : 1;

        g_assert_cmphex(rv100_aperture_address(h->chip, at - 1), ==, at - 1);
        g_assert_cmphex(rv100_aperture_address(h->chip, at), ==, at + swap);
        g_assert_cmphex(rv100_aperture_address(h->chip, at + 2), ==,
                        (at + 2) ^ swap);
        g_assert_cmphex(rv100_aperture_address(h->chip, at + 0x7ff), ==,
                        at + 0x7ff - swap);
        g_assert_cmphex(rv100_aperture_address(h->chip, at + 0x800), ==,
                        at + 0x800);
    }
    fake_wr(h, A_SURFACE_CNTL, R_SURFACE_CNTL_SURF_TRANSLATION_DIS_MASK);
    g_assert_true(rv100_aperture_plain(h->chip));
    g_assert_cmphex(rv100_aperture_address(h->chip, 0x8000), ==, 0x8000);
}

/* The second half of BAR0 has swaps of its own, inside and outside of surfaces. */
static void test_second_aperture(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    const uint32_t at = SECOND_APERTURE;

    fake_wr(h, A_SURFACE_CNTL, R_SURFACE_CNTL_NONSURF_AP0_SWP_16BPP_MASK
            | R_SURFACE_CNTL_NONSURF_AP1_SWP_32BPP_MASK);
    g_assert_cmphex(rv100_aperture_address(h->chip, at - 4), ==, at - 3);
    g_assert_cmphex(rv100_aperture_address(h->chip, at), ==, at + 3);
    fake_wr(h, A_SURFACE_CNTL, R_SURFACE_CNTL_NONSURF_AP1_SWP_16BPP_MASK);
    g_assert_false(rv100_aperture_plain(h->chip));
    g_assert_cmphex(rv100_aperture_address(h->chip, at - 4), ==, at - 4);
    g_assert_cmphex(rv100_aperture_address(h->chip, at), ==, at + 1);
    fake_wr(h, A_SURFACE_CNTL, 0);
    surface(h, 7, at, at + 3, R_SURFACE0_INFO_SURF_AP1_SWP_32BPP_MASK);
    g_assert_false(rv100_aperture_plain(h->chip));
    g_assert_cmphex(rv100_aperture_address(h->chip, at), ==, at + 3);
    g_assert_cmphex(rv100_aperture_address(h->chip, at + 4), ==, at + 4);
    surface(h, 7, at, at + 3, R_SURFACE0_INFO_SURF_AP0_SWP_32BPP_MASK);
    g_assert_cmphex(rv100_aperture_address(h->chip, at), ==, at);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chip/mc/window", test_window);
    g_test_add_func("/chip/mc/window-edges", test_window_edges);
    g_test_add_func("/chip/mc/whole-space", test_whole_space);
    g_test_add_func("/chip/mc/odd-windows", test_odd_windows);
    g_test_add_func("/chip/mc/gart", test_gart);
    g_test_add_func("/chip/mc/gart-bounds", test_gart_bounds);
    g_test_add_func("/chip/mc/gart-low-bits", test_gart_low_bits);
    g_test_add_func("/chip/mc/gart-inverted", test_gart_inverted);
    g_test_add_func("/chip/mc/frame-buffer-first", test_frame_buffer_first);
    g_test_add_func("/chip/mc/table-rewritten", test_table_rewritten);
    g_test_add_func("/chip/mc/errors", test_errors);
    g_test_add_func("/chip/mc/sweep", test_sweep);
    g_test_add_func("/chip/mc/surfaces", test_surfaces);
    g_test_add_func("/chip/mc/second-aperture", test_second_aperture);
    return g_test_run();
}
