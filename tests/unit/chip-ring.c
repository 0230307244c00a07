/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ring, write-backs, indirect buffers and the end of the stream. */
#include <string.h>

#include "fake-host.h"

#define CSQ_PIO 1
#define CSQ_RING 2
#define CSQ_PIO_IB 3
#define CSQ_RING_IB 4
#define FILLER 0x80000000u
#define IB_A 0x8000u                /* offsets in the GART window */
#define IB_B 0xa000u

static const uint32_t fetch_sizes[] = { 1, 2, 3, 5, 8, 256 };

static void ring1(FakeHost *h, uint32_t word)
{
    fake_ring(h, &word, 1);
}

static void pio(FakeHost *h, uint32_t word)
{
    fake_pio(h, &word, 1);
}

static FakeHost *ring_host(uint32_t fetch, unsigned log2)
{
    FakeHost *h = fake_host_new(fetch, 1000);

    fake_load_mini(h);
    fake_ring_start(h, log2, CSQ_RING_IB);
    return h;
}

/* Register writes so far, as "reg=value" relative to GUI_SCRATCH_REG0. */
static char *writes(FakeHost *h)
{
    GString *s = g_string_new(NULL);

    for (guint i = 0; i < h->writes->len; i++) {
        RefWrite w = g_array_index(h->writes, RefWrite, i);

        if (w.dword - R_GUI_SCRATCH_REG0 < 6) {
            g_string_append_printf(s, "%s%u=%x", s->len ? " " : "",
                                   w.dword - R_GUI_SCRATCH_REG0, w.value);
        }
    }
    return g_string_free(s, FALSE);
}

#define check(h, expected) \
    do { \
        g_autofree char *is = writes(h); \
        g_assert_cmpstr(is, ==, expected); \
    } while (0)

/* --- ring --- */

/* Packets of one to three words through rings from two dwords up. */
static void test_wrap(void)
{
    for (unsigned log2 = 0; log2 < 9; log2++) {
        for (gsize f = 0; f < G_N_ELEMENTS(fetch_sizes); f++) {
            g_autoptr(FakeHost) h = ring_host(fetch_sizes[f], log2);
            uint32_t size = 2u << log2;
            guint n = MIN(3, size - 1);

            for (guint i = 0; i < 3 * size; i++) {
                uint32_t words[3] = { fake_type0(A_GUI_SCRATCH_REG0, 2), i,
                                      i + 1 };

                if (n == 1) {       /* one at a time in two dwords */
                    for (guint k = 0; k < 3; k++) {
                        ring1(h, words[k]);
                        g_assert_true(fake_run(h, 10));
                    }
                } else {
                    fake_ring(h, words, n);
                    g_assert_true(fake_run(h, 10));
                }
                g_assert_cmphex(fake_rd(h, A_CP_RB_RPTR), ==, h->wptr);
                g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, i);
                g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG1), ==, i + 1);
            }
        }
    }
}

/* A full ring, all in one go. */
static void test_full(void)
{
    g_autoptr(FakeHost) h = ring_host(0, 7);
    uint32_t words[255];

    for (guint start = 0; start < 3; start++) {
        for (guint i = 0; i < 254; i += 2) {
            words[i] = fake_type0(A_GUI_SCRATCH_REG0, 1);
            words[i + 1] = i + start;
        }
        words[254] = FILLER;
        g_array_set_size(h->writes, 0);
        fake_ring(h, words, 255);
        g_assert_true(fake_run(h, 10));
        g_assert_cmpuint(h->writes->len, ==, 127);
        for (guint i = 0; i < 127; i++) {
            g_assert_cmphex(g_array_index(h->writes, RefWrite, i).value, ==,
                            2 * i + start);
        }
    }
}

/* WPTR starts the fetch, and nothing behind it is read. */
static void test_wptr(void)
{
    g_autoptr(FakeHost) h = ring_host(256, 6);
    uint64_t before;

    fake_gart_write(h, 0, (const uint32_t[]) { 0x578, 1, 0x578, 2 }, 4);
    g_assert_true(fake_run(h, 5));
    check(h, "");
    before = h->dma_words;
    fake_wr(h, A_CP_RB_WPTR, 2);
    g_assert_true(fake_run(h, 5));
    check(h, "0=1");
    /* Two words and what the table of the GART cost. */
    g_assert_cmpuint(h->dma_words - before, <=, 4);
    fake_wr(h, A_CP_RB_WPTR, 4);
    g_assert_true(fake_run(h, 5));
    check(h, "0=1 0=2");
}

/* RPTR can be set, so that a driver starts in the middle. */
static void test_rptr_write(void)
{
    g_autoptr(FakeHost) h = ring_host(0, 4);

    fake_wr(h, A_CP_RB_CNTL, 4 | R_CP_RB_CNTL_RB_RPTR_WR_ENA_MASK);
    fake_wr(h, A_CP_RB_RPTR_WR, 6);
    fake_wr(h, A_CP_RB_WPTR, 6);
    fake_wr(h, A_CP_RB_CNTL, 4);
    g_assert_cmphex(fake_rd(h, A_CP_RB_RPTR), ==, 6);
    h->wptr = 6;
    fake_ring(h, (const uint32_t[]) { 0x578, 5 }, 2);
    g_assert_true(fake_run(h, 5));
    check(h, "0=5");
    g_assert_cmphex(fake_rd(h, A_CP_RB_RPTR), ==, 8);
}

/* The write-back is a bus address: neither GART nor frame buffer [hw]. */
static void test_rptr_write_back(void)
{
    g_autoptr(FakeHost) h = ring_host(4, 5);

    fake_wr(h, A_MC_FB_LOCATION, 0x00070000);   /* covers the address */
    fake_wr(h, A_CP_RB_RPTR_ADDR, 0x3000);
    fake_poke(h, 0x3000, 0xdead);
    fake_ring(h, (const uint32_t[]) { 0x578, 1, FILLER }, 3);
    g_assert_true(fake_run(h, 5));
    g_assert_cmphex(fake_peek(h, 0x3000), ==, 3);
    fake_wr(h, A_CP_RB_CNTL, 5 | R_CP_RB_CNTL_RB_NO_UPDATE_MASK);
    fake_ring(h, (const uint32_t[]) { 0x578, 2 }, 2);
    g_assert_true(fake_run(h, 5));
    check(h, "0=1 0=2");
    g_assert_cmphex(fake_peek(h, 0x3000), ==, 3);
    g_assert_cmphex(fake_rd(h, A_CP_RB_RPTR), ==, 5);
}

/* BUF_SWAP: a big-endian driver's words. */
static void test_swap(void)
{
    g_autoptr(FakeHost) h = ring_host(0, 4);

    fake_wr(h, A_CP_RB_CNTL,
            4 | R_CP_RB_CNTL_BUF_SWAP_32BIT << R_CP_RB_CNTL_BUF_SWAP_SHIFT);
    fake_ring(h, (const uint32_t[]) { GUINT32_SWAP_LE_BE(0x578),
                                      GUINT32_SWAP_LE_BE(0x1234567u) }, 2);
    g_assert_true(fake_run(h, 5));
    check(h, "0=1234567");
}

/* --- scratch write-back --- */

static void write_all_scratch(FakeHost *h, uint32_t value)
{
    for (guint n = 0; n < 6; n++) {
        fake_ring(h, (const uint32_t[]) { R_GUI_SCRATCH_REG0 + n, value + n },
                  2);
    }
    g_assert_true(fake_run(h, 5));
}

/* Each register has a bit; the address is a card address. */
static void test_scratch(void)
{
    static const uint32_t places[] = { 0x400, FAKE_GART + 0xc000, 0x7f000 };

    for (guint mask = 0; mask < 64; mask++) {
        for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
            g_autoptr(FakeHost) h = ring_host(0, 6);

            /* The frame buffer is at 0; the last place is bus memory. */
            fake_wr(h, A_MC_FB_LOCATION, 0x00030000);
            fake_wr(h, A_SCRATCH_ADDR, places[i]);
            fake_wr(h, A_SCRATCH_UMSK, mask);
            write_all_scratch(h, 0x100);
            for (guint n = 0; n < 6; n++) {
                uint32_t le, expected = mask >> n & 1 ? 0x100 + n : 0;

                g_assert_true(rv100_card_read(h->chip, places[i] + 4 * n, &le,
                                              4));
                g_assert_cmphex(GUINT32_FROM_LE(le), ==, expected);
                g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0 + 4 * n), ==,
                                0x100 + n);
            }
            if (i == 1) {
                g_assert_cmphex(fake_peek(h, fake_gart_bus(0xc000)), ==,
                                mask & 1 ? 0x100 : 0);
            }
        }
    }
}

static void test_scratch_error(void)
{
    g_autoptr(FakeHost) h = ring_host(0, 6);

    fake_wr(h, A_SCRATCH_ADDR, 0xf0000000);
    fake_wr(h, A_SCRATCH_UMSK, 0x3f);
    write_all_scratch(h, 0x200);
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG5), ==, 0x205);
    g_assert_true(fake_logged(h, "SCRATCH_ADDR"));
    g_assert_true(rv100_idle(h->chip));
}

/* --- indirect buffers --- */

static void ib(FakeHost *h, uint32_t offset, const uint32_t *words, guint n)
{
    fake_gart_write(h, offset, words, n);
}

#define IB(h, offset, ...) \
    ib(h, offset, (const uint32_t[]) { __VA_ARGS__ }, \
       G_N_ELEMENTS(((const uint32_t[]) { __VA_ARGS__ })))
#define START(offset, n) \
    1u << 16 | R_CP_IB_BASE, FAKE_GART + (offset), (n)

/* The buffer begins when the packet that started it ends, and the ring goes on
 * behind it. */
static void test_ib_ring(void)
{
    for (gsize f = 0; f < G_N_ELEMENTS(fetch_sizes); f++) {
        g_autoptr(FakeHost) h = ring_host(fetch_sizes[f], 5);
        const uint32_t words[] = {
            0x578, 1, START(IB_A, 4), 0x578, 4,
        };

        IB(h, IB_A, 0x579, 2, 0x57a, 3);
        fake_ring(h, words, G_N_ELEMENTS(words));
        g_assert_true(fake_run(h, 20));
        check(h, "0=1 1=2 2=3 0=4");
    }
}

/* The starting packet has more words: they come first. */
static void test_ib_after_packet(void)
{
    for (gsize f = 0; f < G_N_ELEMENTS(fetch_sizes); f++) {
        g_autoptr(FakeHost) h = ring_host(fetch_sizes[f], 5);
        const uint32_t words[] = {
            /* From CP_IB_BASE on: base, size, then CP_CSQ_CNTL unchanged. */
            2u << 16 | R_CP_IB_BASE, FAKE_GART + IB_A, 2,
            (uint32_t)CSQ_RING_IB << 28, 0x578, 7,
        };

        IB(h, IB_A, 0x579, 6);
        fake_ring(h, words, G_N_ELEMENTS(words));
        g_assert_true(fake_run(h, 20));
        check(h, "1=6 0=7");
    }
}

/* Started inside another one: replaces what is left of it [inferred]. */
static void test_ib_nested(void)
{
    for (gsize f = 0; f < G_N_ELEMENTS(fetch_sizes); f++) {
        g_autoptr(FakeHost) h = ring_host(fetch_sizes[f], 5);
        const uint32_t words[] = { START(IB_A, 7), 0x578, 9 };

        IB(h, IB_A, 0x579, 1, START(IB_B, 2), 0x579, 2);
        IB(h, IB_B, 0x57a, 3);
        fake_ring(h, words, G_N_ELEMENTS(words));
        g_assert_true(fake_run(h, 20));
        check(h, "1=1 2=3 0=9");
    }
}

/* Exhausted in a packet: its next words come from the ring. */
static void test_ib_exhausted(void)
{
    for (gsize f = 0; f < G_N_ELEMENTS(fetch_sizes); f++) {
        g_autoptr(FakeHost) h = ring_host(fetch_sizes[f], 5);
        const uint32_t words[] = { START(IB_A, 3), 0x22, 0x33, 0x578, 5 };

        IB(h, IB_A, 0x579, 1, 1 << 16 | 0x57a, 0xbad);
        fake_ring(h, words, G_N_ELEMENTS(words));
        g_assert_true(fake_run(h, 20));
        check(h, "1=1 2=22 3=33 0=5");
    }
}

/* The ring is empty at that moment: the packet waits for it. */
static void test_ib_exhausted_waits(void)
{
    g_autoptr(FakeHost) h = ring_host(0, 5);
    const uint32_t words[] = { START(IB_A, 2) };

    IB(h, IB_A, 1 << 16 | 0x57a, 0x44);
    fake_ring(h, words, G_N_ELEMENTS(words));
    g_assert_true(fake_run(h, 20));
    check(h, "2=44");
    g_assert_false(rv100_idle(h->chip));
    ring1(h, 0x55);
    g_assert_true(fake_run(h, 20));
    check(h, "2=44 3=55");
    g_assert_true(rv100_idle(h->chip));
}

/* By the host, with a ring and with a PIO stream, also in a packet of it. */
static void test_ib_host(void)
{
    for (guint mode = CSQ_PIO_IB; mode <= CSQ_RING_IB; mode++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 1000);

        fake_load_mini(h);
        fake_ring_start(h, 5, mode);
        IB(h, IB_A, 0x578, 1, 0x579, 2);
        fake_wr(h, A_CP_IB_BASE, FAKE_GART + IB_A);
        fake_wr(h, A_CP_IB_BUFSZ, 4);
        g_assert_true(fake_run(h, 20));
        check(h, "0=1 1=2");
        if (mode == CSQ_PIO_IB) {
            pio(h, 1u << 16 | 0x57a);
            pio(h, 3);
            g_assert_true(fake_run(h, 20));
            fake_wr(h, A_CP_IB_BUFSZ, 2);
            fake_run(h, 20);
            check(h, "0=1 1=2 2=3");    /* the packet is not finished */
            pio(h, 4);
            g_assert_true(fake_run(h, 20));
            check(h, "0=1 1=2 2=3 3=4 0=1");
        }
    }
}

static void test_ib_none(void)
{
    g_autoptr(FakeHost) h = ring_host(0, 5);
    const uint32_t words[] = { START(IB_A, 0), 0x578, 1 };

    fake_ring(h, words, G_N_ELEMENTS(words));
    g_assert_true(fake_run(h, 20));
    check(h, "0=1");
    /* A mode without indirect buffers. */
    fake_csq_mode(h, CSQ_RING);
    fake_wr(h, A_CP_IB_BUFSZ, 2);
    g_assert_true(fake_run(h, 20));
    check(h, "0=1");
    g_assert_true(fake_logged(h, "CP_IB_BUFSZ"));
}

/* The largest buffer, all fillers but the end, in GART and bus memory. */
static void test_ib_large(void)
{
    g_autoptr(FakeHost) h = ring_host(0, 5);
    guint n = FAKE_N_PAGES * 1024 - IB_A / 4;
    const uint32_t words[] = { START(IB_A, n) };

    for (guint i = 0; i < n; i++) {
        fake_gart_write(h, IB_A + 4 * i, (const uint32_t[]) { FILLER }, 1);
    }
    IB(h, IB_A + 4 * (n - 2), 0x578, 1);
    fake_ring(h, words, G_N_ELEMENTS(words));
    g_assert_true(fake_run(h, 1000));
    check(h, "0=1");
}

/* --- the end of the stream --- */

/* A skipped word that nobody latched stays at the head only when the whole
 * stream is exhausted [isa:2]: not at the end of a fetch, of the words in the
 * queue, or of a buffer. */
static FakeHost *stale_host(uint32_t fetch)
{
    FakeHost *h = fake_host_new(fetch, 1000);

    fake_load_mini(h);
    /* Type 0: 0 writes the header, 1 skips a word without latching it. */
    fake_load_word(h, 0, 0x02, 0x2578);     /* write pkt, next */
    fake_load_word(h, 1, 0x00, 0x4000);     /* advance, stay */
    fake_ring_start(h, 5, CSQ_RING_IB);
    return h;
}

static void test_stale_ring(void)
{
    for (gsize f = 0; f < G_N_ELEMENTS(fetch_sizes); f++) {
        for (guint start = 0; start < 9; start++) {
            g_autoptr(FakeHost) h = stale_host(fetch_sizes[f]);
            const uint32_t words[] = { 0x11, 0x22, 0x33, 0x44 };

            for (guint i = 0; i < start; i++) {
                ring1(h, FILLER);
            }
            g_assert_true(fake_run(h, 20));
            fake_ring(h, words, G_N_ELEMENTS(words));
            g_assert_true(fake_run(h, 20));
            /* 22 is skipped and goes; 44 is skipped, stays, and becomes the
             * next header, whose word is missing. */
            check(h, "0=11 0=33 0=44");
            g_assert_false(rv100_idle(h->chip));
        }
    }
}

static void test_stale_ib(void)
{
    for (gsize f = 0; f < G_N_ELEMENTS(fetch_sizes); f++) {
        g_autoptr(FakeHost) h = stale_host(fetch_sizes[f]);
        const uint32_t words[] = { 0x55, 0x66 };

        IB(h, IB_A, 0x11, 0x22, 0x33, 0x44);
        fake_wr(h, A_CP_IB_BASE, FAKE_GART + IB_A);
        fake_wr(h, A_CP_IB_BUFSZ, 4);
        fake_ring(h, words, 2);
        g_assert_true(fake_run(h, 20));
        check(h, "0=11 0=33 0=55 0=66");
    }
}

/* The fetch of the word behind is held up: the rule waits for it. */
static void test_stale_held(void)
{
    g_autoptr(FakeHost) h = stale_host(2);
    const uint32_t words[] = { 0x11, 0x22, 0x33, 0x44 };

    fake_ring(h, words, G_N_ELEMENTS(words));
    rv100_run(h->chip, 2);          /* the header of 11 and its write */
    check(h, "0=11");
    h->bus_master = false;          /* 33 cannot be fetched */
    g_assert_false(fake_run(h, 3));
    check(h, "0=11");
    h->bus_master = true;
    g_assert_true(fake_run(h, 20));
    check(h, "0=11 0=33 0=44");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chip/ring/wrap", test_wrap);
    g_test_add_func("/chip/ring/full", test_full);
    g_test_add_func("/chip/ring/wptr", test_wptr);
    g_test_add_func("/chip/ring/rptr-write", test_rptr_write);
    g_test_add_func("/chip/ring/rptr-write-back", test_rptr_write_back);
    g_test_add_func("/chip/ring/swap", test_swap);
    g_test_add_func("/chip/scratch/masks", test_scratch);
    g_test_add_func("/chip/scratch/error", test_scratch_error);
    g_test_add_func("/chip/ib/ring", test_ib_ring);
    g_test_add_func("/chip/ib/after-packet", test_ib_after_packet);
    g_test_add_func("/chip/ib/nested", test_ib_nested);
    g_test_add_func("/chip/ib/exhausted", test_ib_exhausted);
    g_test_add_func("/chip/ib/exhausted-waits", test_ib_exhausted_waits);
    g_test_add_func("/chip/ib/host", test_ib_host);
    g_test_add_func("/chip/ib/none", test_ib_none);
    g_test_add_func("/chip/ib/large", test_ib_large);
    g_test_add_func("/chip/stale/ring", test_stale_ring);
    g_test_add_func("/chip/stale/ib", test_stale_ib);
    g_test_add_func("/chip/stale/held", test_stale_held);
    return g_test_run();
}
