/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control of the command processor: modes, status, soft reset, bus errors,
 * microcode that never ends, and writes of the engine to itself.
 */
#include <string.h>

#include "fake-host.h"

#define CSQ_PIO 1
#define CSQ_RING 2
#define CSQ_RING_IB 4
#define CSQ_PIO_INDPIO 15
#define FILLER 0x80000000u
#define STATUS_IDLE 0x140u          /* [hw] */
#define MS 1000000
#define JMP_HI 0x04                 /* jmp, with the target in the low word */

static void pio(FakeHost *h, uint32_t word)
{
    fake_pio(h, &word, 1);
}

static FakeHost *pio_host(void)
{
    FakeHost *h = fake_host_new(0, 1000);

    fake_load_mini(h);
    fake_csq_mode(h, CSQ_PIO);
    return h;
}

static FakeHost *ring_host(void)
{
    FakeHost *h = fake_host_new(0, 1000);

    fake_load_mini(h);
    fake_ring_start(h, 6, CSQ_RING_IB);
    return h;
}

/* The engine is there and does what it is told. */
static void check_alive(FakeHost *h)
{
    static guint32 value = 0x1000;

    fake_load_mini(h);
    fake_csq_mode(h, CSQ_PIO);
    pio(h, fake_type0(A_GUI_SCRATCH_REG0, 1));
    pio(h, ++value);
    g_assert_true(fake_run(h, 10));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, value);
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, STATUS_IDLE);
}

/* --- modes and status --- */

static void test_mode_reads_back(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 1000);

    for (uint32_t mode = 0; mode < 16; mode++) {
        fake_wr(h, A_CP_CSQ_CNTL, mode << R_CP_CSQ_CNTL_CSQ_MODE_SHIFT);
        g_assert_cmphex(fake_rd(h, A_CP_CSQ_CNTL) >> 28, ==, mode);
        fake_wr(h, A_CP_CSQ_CNTL, mode << R_CP_CSQ_CNTL_CSQ_MODE_SHIFT | 0xffff);
        g_assert_cmphex(fake_rd(h, A_CP_CSQ_CNTL) >> 28, ==, mode);
    }
}

/* Which modes take words from where. */
static void test_modes(void)
{
    static const struct {
        bool pio, ring, ind_pio, ind_bm;
    } takes[16] = {
        [1] = { true, false, false, false },
        [2] = { false, true, false, false },
        [3] = { true, false, false, true },
        [4] = { false, true, false, true },
        [15] = { true, false, true, false },
    };

    for (unsigned mode = 0; mode < 16; mode++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 1000);

        if (mode >= 5 && mode < 15) {
            continue;           /* not settled on hardware */
        }
        fake_load_mini(h);
        fake_ring_start(h, 4, mode);
        fake_gart_write(h, 0x8000, (const uint32_t[]) { 0x57a, 3 }, 2);
        pio(h, 0x578);
        pio(h, 1);
        fake_run(h, 5);
        fake_ring(h, (const uint32_t[]) { 0x579, 2 }, 2);
        fake_run(h, 5);
        fake_wr(h, A_CP_IB_BASE, FAKE_GART + 0x8000);
        fake_wr(h, A_CP_IB_BUFSZ, 2);
        fake_run(h, 5);
        fake_wr(h, A_CP_CSQ_APER_INDIRECT, 0x57b);
        fake_wr(h, A_CP_CSQ_APER_INDIRECT + 4, 4);
        g_assert_true(fake_run(h, 5));
        g_assert_cmpuint(fake_rd(h, A_GUI_SCRATCH_REG0), ==,
                         takes[mode].pio ? 1 : 0);
        g_assert_cmpuint(fake_rd(h, A_GUI_SCRATCH_REG1), ==,
                         takes[mode].ring ? 2 : 0);
        g_assert_cmpuint(fake_rd(h, A_GUI_SCRATCH_REG2), ==,
                         takes[mode].ind_bm ? 3 : 0);
        g_assert_cmpuint(fake_rd(h, A_GUI_SCRATCH_REG3), ==,
                         takes[mode].ind_pio ? 4 : 0);
    }
}

/* Any address of the apertures pushes; the registers behind them are no
 * aperture. */
static void test_apertures(void)
{
    g_autoptr(FakeHost) h = pio_host();

    for (uint32_t at = A_CP_CSQ_APER_PRIMARY; at <= 0x11fc; at += 4) {
        fake_wr(h, at, at & 4 ? at : 0x578);
        if (at & 4) {
            g_assert_true(fake_run(h, 5));
            g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, at);
        }
    }
    fake_csq_mode(h, CSQ_PIO_INDPIO);
    for (uint32_t at = A_CP_CSQ_APER_INDIRECT; at <= 0x13fc; at += 4) {
        fake_wr(h, at, at & 4 ? at : 0x579);
        if (at & 4) {
            g_assert_true(fake_run(h, 5));
            g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG1), ==, at);
        }
    }
    fake_wr(h, A_DP_BRUSH_FRGD_CLR, 0x1234);
    g_assert_cmphex(fake_rd(h, A_DP_BRUSH_FRGD_CLR), ==, 0x1234);
    fake_wr(h, 0x1420, 0x111);      /* DST_Y: right behind */
    g_assert_true(fake_run(h, 5));
    g_assert_true(rv100_idle(h->chip));
}

/* Between the header of a type-0 packet and its word [hw]. */
static void test_status(void)
{
    g_autoptr(FakeHost) h = pio_host();

    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, STATUS_IDLE);
    pio(h, 0x578);
    g_assert_true(fake_run(h, 5));
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, 0x80010140);
    g_assert_cmphex(fake_rd(h, A_CP_STAT), ==,
                    R_CP_STAT_RSIU_BUSY_MASK | R_CP_STAT_CSI_BUSY_MASK
                    | R_CP_STAT_CMDSTRM_BUSY_MASK | R_CP_STAT_CP_BUSY_MASK);
    pio(h, 1);
    g_assert_true(fake_run(h, 5));
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, STATUS_IDLE);
    g_assert_cmphex(fake_rd(h, 0x1740), ==, STATUS_IDLE);      /* alias */
    g_assert_cmphex(fake_rd(h, A_CP_STAT), ==,
                    R_CP_STAT_RSIU_BUSY_MASK | R_CP_STAT_CP_BUSY_MASK);
    g_assert_cmphex(fake_rd(h, A_CP_CSQ_STAT), ==, 0);
}

/* A polling loop sees progress without a timer. */
static void test_polling(void)
{
    static const uint32_t polled[] = {
        A_RBBM_STATUS, A_CP_STAT, A_CP_RB_RPTR, A_GUI_SCRATCH_REG0,
    };

    for (gsize i = 0; i < G_N_ELEMENTS(polled); i++) {
        g_autoptr(FakeHost) h = ring_host();

        fake_ring(h, (const uint32_t[]) { 0x578, 9 }, 2);
        g_assert_cmpuint(h->writes->len, ==, 0);    /* never in the write */
        fake_rd(h, polled[i]);
        g_assert_cmpuint(h->writes->len, ==, 1);
    }
}

/* The queue has 256 places; what does not fit is dropped and said. */
static void test_queue_full(void)
{
    g_autoptr(FakeHost) h = pio_host();

    for (guint i = 0; i < 300; i++) {
        fake_wr(h, A_CP_CSQ_APER_PRIMARY, i % 2 ? i : 0x578);
    }
    g_assert_true(fake_logged(h, "CP_CSQ_APER_PRIMARY"));
    g_assert_true(fake_run(h, 10));
    g_assert_cmpuint(h->writes->len, ==, 128);
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 255);
    check_alive(h);
}

/* MM_INDEX and MM_DATA cannot be written by packets [hw]; the apertures are the
 * host's. */
static void test_engine_cannot(void)
{
    g_autoptr(FakeHost) h = pio_host();

    fake_wr(h, A_MM_INDEX, A_GUI_SCRATCH_REG1);
    pio(h, fake_type0(A_MM_INDEX, 2));
    pio(h, A_GUI_SCRATCH_REG0);
    pio(h, 0xbad);
    pio(h, fake_type0(A_CP_CSQ_APER_PRIMARY, 2));
    pio(h, 0x57a);
    pio(h, 0xbad);
    pio(h, fake_type0(A_BIOS_0_SCRATCH, 1));
    pio(h, 0x90d);
    g_assert_true(fake_run(h, 10));
    g_assert_cmphex(fake_rd(h, A_MM_INDEX), ==, A_GUI_SCRATCH_REG1);
    for (guint n = 0; n < 6; n++) {
        g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0 + 4 * n), ==, 0);
    }
    g_assert_cmphex(fake_rd(h, A_BIOS_0_SCRATCH), ==, 0x90d);
}

/* --- soft reset --- */

static void wedge(FakeHost *h)
{
    fake_load_word(h, 0, JMP_HI, 0);
    fake_csq_mode(h, CSQ_PIO);
    pio(h, 0x578);
    pio(h, 1);
    g_assert_false(fake_run(h, 20));
}

static void in_packet(FakeHost *h)
{
    fake_csq_mode(h, CSQ_PIO);
    pio(h, fake_type0(A_GUI_SCRATCH_REG1, 5));
    pio(h, 1);
    fake_run(h, 5);
}

static void queued(FakeHost *h)
{
    fake_csq_mode(h, CSQ_PIO);
    for (guint i = 0; i < 256; i++) {
        fake_wr(h, A_CP_CSQ_APER_PRIMARY, i % 2 ? i : 0x578);
    }
}

static void in_indirect(FakeHost *h)
{
    fake_ring_start(h, 4, CSQ_RING_IB);
    fake_gart_write(h, 0x8000, (const uint32_t[]) { 0x30579, 2, 3 }, 3);
    fake_wr(h, A_CP_IB_BASE, FAKE_GART + 0x8000);
    fake_wr(h, A_CP_IB_BUFSZ, 3);
    fake_run(h, 5);
    g_assert_false(rv100_idle(h->chip));
}

static void indirect_waits(FakeHost *h)
{
    in_packet(h);
    fake_ring_start(h, 4, CSQ_RING_IB);
    fake_wr(h, A_CP_IB_BASE, FAKE_GART + 0x8000);
    fake_wr(h, A_CP_IB_BUFSZ, 3);
}

static void faulted(FakeHost *h)
{
    fake_ring_start(h, 4, CSQ_RING);
    fake_wr(h, A_CP_RB_BASE, 0xf0000000);
    fake_wr(h, A_CP_RB_WPTR, 4);
    fake_run(h, 5);
    g_assert_false(rv100_idle(h->chip));
}

static void halted(FakeHost *h)
{
    in_packet(h);
    fake_wr(h, A_CP_ME_CNTL, 0);
    pio(h, 2);
}

static void idle(FakeHost *h)
{
}

/* From any state: idle, nothing left of the stream, pointers 0, microcode and
 * registers kept. */
static void test_soft_reset(void)
{
    static void (*const states[])(FakeHost *) = {
        idle, wedge, in_packet, queued, in_indirect, indirect_waits, faulted,
        halted,
    };

    for (gsize i = 0; i < G_N_ELEMENTS(states); i++) {
        for (guint hard = 0; hard < 2; hard++) {
            g_autoptr(FakeHost) h = fake_host_new(0, 1000);
            guint n;

            fake_load_mini(h);
            fake_wr(h, A_BIOS_4_SCRATCH, 0x5555);
            states[i](h);
            if (hard) {
                rv100_reset(h->chip);
            } else {
                fake_soft_reset(h);
                g_assert_cmphex(fake_rd(h, A_BIOS_4_SCRATCH), ==, 0x5555);
            }
            n = h->writes->len;
            g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, STATUS_IDLE);
            g_assert_cmphex(fake_rd(h, A_CP_RB_RPTR), ==, 0);
            g_assert_cmphex(fake_rd(h, A_CP_RB_WPTR), ==, 0);
            g_assert_true(rv100_idle(h->chip));
            g_assert_true(fake_run(h, 2));
            g_assert_cmpuint(h->writes->len, ==, n);
            check_alive(h);
        }
    }
}

/* --- bus errors --- */

static void test_ring_in_hole(void)
{
    static const uint32_t holes[] = {
        0xf0000000, 0xfffffffc, FAKE_VRAM, 0xe0000000,
    };

    for (gsize i = 0; i < G_N_ELEMENTS(holes); i++) {
        g_autoptr(FakeHost) h = ring_host();

        fake_wr(h, A_CP_RB_BASE, holes[i]);
        fake_wr(h, A_CP_RB_WPTR, 4);
        g_assert_true(fake_run(h, 10));     /* no retries without end */
        g_assert_true(fake_logged(h, "CP_RB_BASE"));
        g_assert_true(fake_rd(h, A_RBBM_STATUS) & 0x80010000);
        g_assert_cmpuint(h->writes->len, ==, 0);
        /* Held until a soft reset, even if the address is put right. */
        fake_wr(h, A_CP_RB_BASE, FAKE_GART);
        fake_run(h, 10);
        g_assert_false(rv100_idle(h->chip));
        fake_soft_reset(h);
        check_alive(h);
    }
}

/* Bus mastering off holds the fetch, and on again it goes on. */
static void test_bus_master_off(void)
{
    for (guint by_register = 0; by_register < 2; by_register++) {
        g_autoptr(FakeHost) h = ring_host();
        uint32_t bus_cntl = fake_rd(h, A_BUS_CNTL);
        guint slices;

        if (by_register) {
            fake_wr(h, A_BUS_CNTL, bus_cntl | R_BUS_CNTL_BUS_MASTER_DIS_MASK);
        } else {
            h->bus_master = false;
        }
        fake_ring(h, (const uint32_t[]) { 0x578, 3 }, 2);
        slices = h->slices;
        fake_run(h, 100);
        /* Retries are spaced out: at most one in a millisecond on average. */
        g_assert_cmpint(h->now - 1000000000, >=,
                        (int64_t)(h->slices - slices) * MS / 2);
        g_assert_cmpuint(h->writes->len, ==, 0);
        g_assert_false(rv100_idle(h->chip));
        h->bus_master = true;
        fake_wr(h, A_BUS_CNTL, bus_cntl & ~R_BUS_CNTL_BUS_MASTER_DIS_MASK);
        g_assert_true(fake_run(h, 100));
        g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 3);
    }
}

static void test_ib_in_hole(void)
{
    g_autoptr(FakeHost) h = ring_host();

    fake_wr(h, A_CP_IB_BASE, 0xf0000000);
    fake_wr(h, A_CP_IB_BUFSZ, 0x7fffff);
    g_assert_true(fake_run(h, 10));
    g_assert_true(fake_logged(h, "CP_IB_BASE"));
    g_assert_false(rv100_idle(h->chip));
    fake_soft_reset(h);
    check_alive(h);
}

/* A page of the ring that the table does not map. */
static void test_unmapped_page(void)
{
    g_autoptr(FakeHost) h = ring_host();

    fake_ring(h, (const uint32_t[]) { 0x578, 1 }, 2);
    g_assert_true(fake_run(h, 10));
    fake_wr(h, A_AIC_PT_BASE, 0xf0000000);
    fake_ring(h, (const uint32_t[]) { 0x578, 2 }, 2);
    g_assert_true(fake_run(h, 10));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 1);
    g_assert_true(fake_logged(h, "AIC_PT_BASE"));
    fake_soft_reset(h);
    check_alive(h);
}

/* The write-back goes nowhere: said, and the ring goes on. */
static void test_rptr_addr_in_hole(void)
{
    g_autoptr(FakeHost) h = ring_host();

    fake_wr(h, A_CP_RB_RPTR_ADDR, 0xf0000000);
    fake_ring(h, (const uint32_t[]) { 0x578, 1 }, 2);
    g_assert_true(fake_run(h, 10));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 1);
    g_assert_true(fake_logged(h, "CP_RB_RPTR_ADDR"));
}

/* --- microcode that never ends --- */

/* Steps and slices in a second of virtual time, with nobody polling. */
static void test_endless(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    int64_t begin;
    guint slices;
    uint64_t steps;

    fake_load_mini(h);
    fake_csq_mode(h, CSQ_PIO);
    wedge(h);
    begin = h->now;
    slices = h->slices;
    steps = rv100_engine(h->chip)->steps;
    while (h->now < begin + 1000 * MS) {
        g_assert_false(fake_run(h, 1));
    }
    slices = h->slices - slices;
    steps = rv100_engine(h->chip)->steps - steps;
    g_test_message("endless: %u slices, %u thousand steps in a second", slices,
                   (guint)(steps / 1000));
    /* At 300 steps in a microsecond a quarter of a core is 75 million. */
    g_assert_cmpuint(steps, <=, 75000000);
    g_assert_cmpuint(slices, <=, 250);
    g_assert_cmpuint(slices, >=, 10);       /* it does go on */
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS) & 0x80010000, ==, 0x80010000);
    fake_soft_reset(h);
    check_alive(h);
}

/* A guest that polls does not make it dearer. */
static void test_endless_polled(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint64_t steps;

    fake_load_mini(h);
    fake_csq_mode(h, CSQ_PIO);
    wedge(h);
    steps = rv100_engine(h->chip)->steps;
    for (guint i = 0; i < 10000; i++) {
        fake_rd(h, A_RBBM_STATUS);
        fake_rd(h, A_GUI_SCRATCH_REG0);
    }
    g_assert_cmpuint(rv100_engine(h->chip)->steps - steps, <=, 1000000);
}

/* One slice is bounded whatever the engine does: words, fillers, a buffer that
 * starts itself again. */
static void test_slice_bounded(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 500);
    const uint32_t again[] = {
        fake_type0(A_CP_IB_BASE, 2), FAKE_GART + 0x8000, 3,
    };
    uint64_t steps;

    fake_load_mini(h);
    fake_ring_start(h, 6, CSQ_RING_IB);
    fake_gart_write(h, 0x8000, again, G_N_ELEMENTS(again));
    fake_ring(h, again, G_N_ELEMENTS(again));
    for (guint i = 0; i < 100; i++) {
        steps = rv100_engine(h->chip)->steps;
        g_assert_false(fake_run(h, 1));
        g_assert_cmpuint(rv100_engine(h->chip)->steps - steps, <=, 500);
    }
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS) & 0x80010000, ==, 0x80010000);
    fake_soft_reset(h);
    check_alive(h);
}

/* Nobody gets a slice that holds up the host. */
static void test_slice_limit(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, G_MAXUINT32);
    uint64_t steps;

    fake_load_mini(h);
    fake_csq_mode(h, CSQ_PIO);
    wedge(h);
    steps = rv100_engine(h->chip)->steps;
    rv100_run(h->chip, 0);
    g_assert_cmpuint(rv100_engine(h->chip)->steps - steps, <=, RV100_SLICE_MAX);
    rv100_run(h->chip, G_MAXUINT32);
    g_assert_cmpuint(rv100_engine(h->chip)->steps - steps, <=, 2 * RV100_SLICE_MAX);
    g_assert_cmpuint(rv100_engine(h->chip)->steps - steps, >, RV100_SLICE_MAX);
}

/* A stream that never ends, words and all: the engine gets no more than the
 * card would execute, which leaves the rest of the machine its share. */
static void test_endless_stream(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    const uint32_t again[] = {
        fake_type0(A_CP_IB_BASE, 2), FAKE_GART + 0x8000, 3,
    };
    int64_t begin;
    uint64_t steps;

    fake_load_mini(h);
    fake_ring_start(h, 6, CSQ_RING_IB);
    fake_gart_write(h, 0x8000, again, G_N_ELEMENTS(again));
    fake_ring(h, again, G_N_ELEMENTS(again));
    begin = h->now;
    steps = rv100_engine(h->chip)->steps;
    while (h->now < begin + 20 * MS) {
        g_assert_false(fake_run(h, 1));
    }
    steps = rv100_engine(h->chip)->steps - steps;
    g_test_message("endless stream: %u thousand steps in 20 ms",
                   (guint)(steps / 1000));
    g_assert_cmpuint(steps, <=, 5000000);
    g_assert_cmpuint(steps, >=, 100000);
}

/* --- writes of the engine to itself --- */

static void packet(FakeHost *h, uint32_t offset, const uint32_t *words, guint n)
{
    pio(h, fake_type0(offset, n));
    for (guint i = 0; i < n; i++) {
        pio(h, words[i]);
    }
}

#define PACKET(h, offset, ...) \
    packet(h, offset, (const uint32_t[]) { __VA_ARGS__ }, \
           G_N_ELEMENTS(((const uint32_t[]) { __VA_ARGS__ })))

static void test_self_reset(void)
{
    g_autoptr(FakeHost) h = pio_host();

    PACKET(h, A_RBBM_SOFT_RESET, R_RBBM_SOFT_RESET_SOFT_RESET_CP_MASK);
    PACKET(h, A_GUI_SCRATCH_REG1, 0xbad);
    g_assert_true(fake_run(h, 10));
    /* What was behind it in the queue is gone. */
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG1), ==, 0);
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, STATUS_IDLE);
    fake_wr(h, A_RBBM_SOFT_RESET, 0);
    check_alive(h);
}

static void test_self_reset_in_packet(void)
{
    g_autoptr(FakeHost) h = pio_host();

    pio(h, fake_type0(A_RBBM_SOFT_RESET, 3));
    pio(h, R_RBBM_SOFT_RESET_SOFT_RESET_CP_MASK);
    g_assert_true(fake_run(h, 10));
    g_assert_true(rv100_idle(h->chip));
    /* The next word is a header. */
    fake_wr(h, A_RBBM_SOFT_RESET, 0);
    PACKET(h, A_GUI_SCRATCH_REG1, 0x900d);
    g_assert_true(fake_run(h, 10));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG1), ==, 0x900d);
}

static void test_self_csq_off(void)
{
    g_autoptr(FakeHost) h = pio_host();

    PACKET(h, A_CP_CSQ_CNTL, 0);
    PACKET(h, A_GUI_SCRATCH_REG1, 0xbad);
    g_assert_true(fake_run(h, 10));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG1), ==, 0);
    g_assert_cmphex(fake_rd(h, A_CP_CSQ_CNTL) >> 28, ==, 0);
    check_alive(h);
}

/* The instruction that a packet replaces finishes as it was; the next pass runs
 * the new word. */
static void test_self_ram(void)
{
    g_autoptr(FakeHost) h = pio_host();
    uint8_t hi;
    uint32_t lo;

    PACKET(h, A_CP_ME_RAM_ADDR, 0xf0, 0xf0, 0x3f, 0x12345678);
    g_assert_true(fake_run(h, 10));
    fake_read_word(h, 0xf0, &hi, &lo);
    g_assert_cmphex(hi, ==, 0x3f);
    g_assert_cmphex(lo, ==, 0x12345678);
    /* Word 0 itself: from then on type 0 drains without writing. */
    PACKET(h, A_CP_ME_RAM_ADDR, 0, 0, 0, 0x5000);
    PACKET(h, A_GUI_SCRATCH_REG1, 0xbad);
    g_assert_true(fake_run(h, 10));
    g_assert_true(rv100_idle(h->chip));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG1), ==, 0);
    check_alive(h);
}

/* Halted by a packet: the instruction is done, the rest waits for the host. */
static void test_self_halt(void)
{
    g_autoptr(FakeHost) h = pio_host();

    PACKET(h, A_CP_ME_CNTL, 0);
    PACKET(h, A_GUI_SCRATCH_REG1, 0x900d);
    g_assert_true(fake_run(h, 10));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG1), ==, 0);
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS) & 0x80010000, ==, 0x80010000);
    fake_wr(h, A_CP_ME_CNTL, R_CP_ME_CNTL_ME_MODE_MASK);
    g_assert_true(fake_run(h, 10));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG1), ==, 0x900d);
}

/* One unit for each write of ME_STEP. */
static void test_step(void)
{
    g_autoptr(FakeHost) h = pio_host();

    fake_wr(h, A_CP_ME_CNTL, 0);
    PACKET(h, A_GUI_SCRATCH_REG1, 1);
    PACKET(h, A_GUI_SCRATCH_REG2, 2);
    for (guint i = 0; i < 4; i++) {
        g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG1), ==, i >= 2 ? 1 : 0);
        g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG2), ==, 0);
        fake_wr(h, A_CP_ME_CNTL, R_CP_ME_CNTL_ME_STEP_MASK);
        fake_run(h, 3);
    }
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG2), ==, 2);
}

/* The microcode writes its own loop through mcsel, and unknown words are said
 * once for an image. */
static void test_unknown_logged(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 1000);
    guint lines = 0;

    fake_load_word(h, 0, 0x02, 0x07e00000);     /* op 3f & 1f: none has it */
    fake_load_word(h, 1, 0x02, 0x1fu << 21);
    fake_load_word(h, 2, 0x00, 0x5000);
    fake_csq_mode(h, CSQ_PIO);
    for (guint i = 0; i < 5; i++) {
        pio(h, 0x578);
        pio(h, 1);
        g_assert_true(fake_run(h, 5));
    }
    for (guint i = 0; i < h->log->len; i++) {
        lines += strstr(h->log->pdata[i], "unknown") != NULL;
    }
    g_assert_cmpuint(lines, ==, 1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *path;
        void (*test)(void);
    } tests[] = {
        { "csq/mode-reads-back", test_mode_reads_back },
        { "csq/modes", test_modes },
        { "csq/apertures", test_apertures },
        { "csq/queue-full", test_queue_full },
        { "csq/engine-cannot", test_engine_cannot },
        { "status/bits", test_status },
        { "status/polling", test_polling },
        { "soft-reset", test_soft_reset },
        { "error/ring-in-hole", test_ring_in_hole },
        { "error/bus-master-off", test_bus_master_off },
        { "error/ib-in-hole", test_ib_in_hole },
        { "error/unmapped-page", test_unmapped_page },
        { "error/rptr-addr-in-hole", test_rptr_addr_in_hole },
        { "endless/alone", test_endless },
        { "endless/polled", test_endless_polled },
        { "endless/slice", test_slice_bounded },
        { "endless/slice-limit", test_slice_limit },
        { "endless/stream", test_endless_stream },
        { "self/reset", test_self_reset },
        { "self/reset-in-packet", test_self_reset_in_packet },
        { "self/csq-off", test_self_csq_off },
        { "self/ram", test_self_ram },
        { "self/halt", test_self_halt },
        { "me/step", test_step },
        { "me/unknown-logged", test_unknown_logged },
    };

    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++) {
        g_autofree char *path = g_strdup_printf("/chip/%s", tests[i].path);

        g_test_add_func(path, tests[i].test);
    }
    return g_test_run();
}
