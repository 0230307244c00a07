/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command stream: each line of the observed behaviour is a test. [hw] */
#include "rv.h"

#define MODE_PIO 1
#define MODE_PIO_IND_BM 3
#define MODE_BM_IND_BM 4
#define MODE_PIO_IND_PIO 15

#define VRAM_AREA 0x00200000    /* VRAM offset that the tests use */

static uint32_t scratch(unsigned n)
{
    return A_GUI_SCRATCH_REG0 + 4 * n;
}

/* --- CP_CSQ_CNTL --- */

static void test_mode_reads_back(RvDev *d)
{
    for (unsigned mode = 0; mode < 16; mode++) {
        if (mode <= 8 || mode == 15) {
            rv_cp_mode(d, mode);
            rv_assert_hex(rd_cp_csq_cntl(d) >> 28, mode);
        }
    }
}

static void test_counts_are_read_only(RvDev *d)
{
    uint32_t before = rd_cp_csq_cntl(d);

    wr_cp_csq_cntl(d, 0x0000ffff);
    rv_assert_hex(rd_cp_csq_cntl(d), before);
    wr_cp_csq_cntl(d, 0);
    rv_assert_hex(rd_cp_csq_cntl(d), before);
}

/* --- PIO --- */

/* Any address of the aperture pushes. */
static void test_pio_aperture(RvDev *d)
{
    rv_load_free_image(d);
    rv_cp_mode(d, MODE_PIO);
    for (uint32_t at = 0x1000; at <= 0x11fc; at += 8) {
        rv_wr32(d, at, pm4_type0(scratch(1), 1, false));
        rv_wr32(d, at + 4, at);
        g_assert_true(rv_wait_idle(d));
        rv_assert_hex(rd_gui_scratch_reg1(d), at);
    }
}

static void test_indirect_pio_aperture(RvDev *d)
{
    rv_load_free_image(d);
    rv_cp_mode(d, MODE_PIO_IND_PIO);
    for (uint32_t at = 0x1300; at <= 0x13fc; at += 8) {
        rv_wr32(d, at, pm4_type0(scratch(1), 1, false));
        rv_wr32(d, at + 4, at);
        g_assert_true(rv_wait_idle(d));
        rv_assert_hex(rd_gui_scratch_reg1(d), at);
    }
}

/* Words for a queue that is switched off are dropped. */
static void test_pio_when_off(RvDev *d)
{
    rv_load_free_image(d);
    rv_cp_mode(d, 0);
    wr_cp_csq_aper_primary(d, pm4_type0(scratch(0), 1, false));
    wr_cp_csq_aper_primary(d, 0xbad);
    rv_cp_mode(d, MODE_PIO);
    rv_settle(d);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0);
    rv_assert_hex(rd_rbbm_status(d), 0x140);
}

/* Unlike the Rage 128. */
static void test_mmio_is_not_blocked(RvDev *d)
{
    rv_load_free_image(d);
    for (unsigned mode = 1; mode <= 4; mode++) {
        rv_cp_mode(d, mode);
        wr_dp_brush_frgd_clr(d, 0x11110000 + mode);
        rv_assert_hex(rd_dp_brush_frgd_clr(d), 0x11110000 + mode);
    }
    /* nor in the middle of a packet */
    rv_cp_mode(d, MODE_PIO);
    rv_pio(d, (const uint32_t[]) { pm4_type0(scratch(0), 1, false) }, 1);
    wr_dp_brush_frgd_clr(d, 0x22222222);
    rv_assert_hex(rd_dp_brush_frgd_clr(d), 0x22222222);
}

/* --- status --- */

static void test_status_idle(RvDev *d)
{
    rv_assert_hex(rd_rbbm_status(d), 0x140);
    rv_assert_hex(rv_rd32(d, 0x1740), 0x140);
    rv_load_free_image(d);
    rv_pio(d, (const uint32_t[]) { pm4_type0(scratch(0), 1, false), 1 }, 2);
    rv_assert_hex(rd_rbbm_status(d), 0x140);
    rv_assert_hex(rv_rd32(d, 0x1740), 0x140);
    rv_assert_hex(rd_cp_stat(d), 0x80000004);
    rv_assert_hex(rd_cp_csq_stat(d), 0);
}

static void test_status_inside_packet(RvDev *d)
{
    rv_load_free_image(d);
    rv_pio(d, (const uint32_t[]) { pm4_type0(scratch(0), 1, false) }, 1);
    rv_assert_hex(rd_rbbm_status(d), 0x80010140);
    rv_assert_hex(rv_rd32(d, 0x1740), 0x80010140);
    rv_assert_hex(rd_cp_stat(d), 0xc0002004);
    rv_pio(d, (const uint32_t[]) { 5 }, 1);
    rv_assert_hex(rd_rbbm_status(d), 0x140);
    rv_assert_hex(rd_cp_stat(d), 0x80000004);
    rv_assert_hex(rd_cp_csq_stat(d), 0);
    rv_assert_hex(rd_gui_scratch_reg0(d), 5);
}

/* --- what a packet can write --- */

static void test_packet_cannot_write_mm_index(RvDev *d)
{
    RvStream s;

    rv_load_free_image(d);
    wr_bios_0_scratch(d, 0x600df00d);
    wr_mm_index(d, A_BIOS_0_SCRATCH);
    rv_stream_init(&s);
    rv_packet0(&s, A_MM_INDEX, A_BIOS_1_SCRATCH);
    rv_packet0(&s, A_MM_DATA, 0xbadbad);
    rv_pio_stream(d, &s);
    rv_stream_clear(&s);
    rv_assert_hex(rd_mm_index(d), A_BIOS_0_SCRATCH);
    rv_assert_hex(rd_mm_data(d), 0x600df00d);
    rv_assert_hex(rd_bios_1_scratch(d), 0);
}

static void test_packet_can_write_scratch(RvDev *d)
{
    RvStream s;

    rv_load_free_image(d);
    rv_stream_init(&s);
    for (unsigned n = 0; n < 6; n++) {
        rv_packet0(&s, scratch(n), 0x5c000000 + n);
    }
    for (unsigned n = 0; n < 8; n++) {
        rv_packet0(&s, A_BIOS_0_SCRATCH + 4 * n, 0xb1050000 + n);
    }
    rv_pio_stream(d, &s);
    rv_stream_clear(&s);
    for (unsigned n = 0; n < 6; n++) {
        rv_assert_hex(rv_rd32(d, scratch(n)), 0x5c000000 + n);
    }
    for (unsigned n = 0; n < 8; n++) {
        rv_assert_hex(rv_rd32(d, A_BIOS_0_SCRATCH + 4 * n), 0xb1050000 + n);
    }
}

/* --- ring --- */

static void ring_smoke(RvRing *r, uint32_t value)
{
    rv_packet0(&r->out, scratch(0), value);
    rv_ring_run(r);
    rv_assert_hex(rd_gui_scratch_reg0(r->d), value);
}

static void test_ring_through_gart(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);

    rv_load_free_image(d);
    ring_smoke(r, 0xdeadbeef);
}

/* The ring test of a driver, word for word (user report 27). */
static void test_ring_test_of_driver(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);

    rv_load_free_image(d);
    wr_gui_scratch_reg1(d, 0xcafedead);
    rv_packet0(&r->out, scratch(1), 0xdeadbeef);
    rv_ring_kick(r);
    for (unsigned polls = 0; rd_gui_scratch_reg1(d) != 0xdeadbeef; polls++) {
        g_assert_cmpuint(polls, <, 1000);
    }
    rv_assert_hex(rd_cp_rb_wptr(d), 2);
    rv_assert_hex(rd_cp_rb_rptr(d), 2);
}

static void test_ring_in_vram(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);
    const uint32_t words[] = { pm4_type0(scratch(2), 1, false), 0x76543210 };

    rv_load_free_image(d);
    wr_cp_rb_base(d, d->vram_bus + VRAM_AREA);
    rv_vram_wr32(d, VRAM_AREA, words[0]);
    rv_vram_wr32(d, VRAM_AREA + 4, words[1]);
    wr_cp_rb_wptr(d, 2);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg2(d), 0x76543210);
}

static void test_ring_of_every_size(RvDev *d)
{
    rv_load_free_image(d);
    for (unsigned size = 1; size <= 16; size++) {
        g_autoptr(RvRing) r = rv_ring_new(d, size);

        ring_smoke(r, 0x100 + size);
    }
}

/* A size field of 1 is 4 dwords. */
static void test_ring_of_4_dwords(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 1);

    rv_load_free_image(d);
    g_assert_cmpuint(r->size, ==, 4);
    for (unsigned i = 0; i < 13; i++) {
        ring_smoke(r, 0xabc0 + i);
    }
    /* a packet longer than the ring */
    rv_packet0_n(&r->out, scratch(3), true,
                 (const uint32_t[]) { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, 9);
    rv_ring_run(r);
    rv_assert_hex(rd_gui_scratch_reg3(d), 9);
}

static void test_pointers_wrap(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 4);    /* 32 dwords */
    uint32_t seen = 0, before = 0;

    rv_load_free_image(d);
    for (unsigned i = 0; i < 50; i++) {
        rv_packet0(&r->out, scratch(0), i);
        rv_packet2(&r->out);
        rv_ring_run(r);
        rv_assert_hex(rd_gui_scratch_reg0(d), i);
        g_assert_cmphex(rd_cp_rb_rptr(d), <, 32);
        seen += rd_cp_rb_rptr(d) < before;
        before = rd_cp_rb_rptr(d);
    }
    g_assert_cmpuint(seen, ==, 50 * 3 / 32);
    /* exactly to the end: 0, not the size */
    while (r->wptr != 0) {
        rv_packet2(&r->out);
        rv_ring_run(r);
    }
    rv_assert_hex(rd_cp_rb_rptr(d), 0);
}

static void test_wptr_starts_the_fetch(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);
    const uint32_t words[] = { pm4_type0(scratch(0), 1, false), 0x1234 };

    rv_load_free_image(d);
    rv_gart_write_words(&r->gart, r->base, words, 2);
    rv_settle(d);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0);
    rv_assert_hex(rd_cp_rb_rptr(d), 0);
    wr_cp_rb_wptr(d, 2);
    rv_settle(d);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x1234);
    rv_assert_hex(rd_cp_rb_rptr(d), 2);
}

static void test_nothing_fetched_while_off(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);

    rv_load_free_image(d);
    rv_cp_mode(d, 0);
    rv_packet0(&r->out, scratch(0), 0x77);
    rv_ring_kick(r);
    rv_settle(d);
    rv_assert_hex(rd_cp_rb_rptr(d), 0);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0);
    rv_cp_mode(d, MODE_BM_IND_BM);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x77);
}

static void test_rptr_wr(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);
    uint32_t cntl = rd_cp_rb_cntl(d);

    rv_cp_mode(d, 0);
    wr_cp_rb_rptr_wr(d, 0x55);          /* not enabled */
    rv_assert_hex(rd_cp_rb_rptr(d), 0);
    wr_cp_rb_cntl(d, cntl | R_CP_RB_CNTL_RB_RPTR_WR_ENA_MASK);
    wr_cp_rb_rptr_wr(d, 0x55);
    rv_assert_hex(rd_cp_rb_rptr(d), 0x55);
    wr_cp_rb_rptr_wr(d, 0xfffff855);    /* the ring has 2048 dwords */
    rv_assert_hex(rd_cp_rb_rptr(d), 0x055);
}

static void test_rptr_write_back(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 6);    /* 128 dwords */

    rv_load_free_image(d);
    rv_mem_wr(d->vm, r->rptr_bus, 0xffffffff, 4);
    for (unsigned i = 0; i < 100; i++) {
        ring_smoke(r, i);
        rv_assert_hex(rv_mem_rd(d->vm, r->rptr_bus, 4), r->wptr);
    }
}

/* The write-back address is a bus address: a GART window over it is not used. */
static void test_rptr_write_back_is_physical(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 6);
    RvGart g;

    rv_load_free_image(d);
    rv_gart_init(&g, d, 0x02000000, 256);
    wr_cp_rb_base(d, 0x02000000);
    r->base = 0x02000000;
    r->gart = g;
    wr_cp_rb_rptr_addr(d, 0x02000800);
    rv_mem_wr(d->vm, 0x02000800, 0xffffffff, 4);
    rv_mem_wr(d->vm, rv_gart_bus(&g, 0x02000800), 0xffffffff, 4);
    ring_smoke(r, 1);
    rv_assert_hex(rv_mem_rd(d->vm, 0x02000800, 4), r->wptr);
    rv_assert_hex(rv_mem_rd(d->vm, rv_gart_bus(&g, 0x02000800), 4), 0xffffffff);
}

static void test_no_update(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 6);

    rv_load_free_image(d);
    wr_cp_rb_cntl(d, rd_cp_rb_cntl(d) | R_CP_RB_CNTL_RB_NO_UPDATE_MASK);
    rv_mem_wr(d->vm, r->rptr_bus, 0xffffffff, 4);
    ring_smoke(r, 1);
    rv_assert_hex(rv_mem_rd(d->vm, r->rptr_bus, 4), 0xffffffff);
}

/* --- indirect buffers --- */

static void place_ib(RvRing *r, uint32_t value, uint32_t *at)
{
    const uint32_t words[] = { pm4_type0(scratch(2), 1, false), value,
                               pm4_type2() };

    *at = rv_ring_place(r, words, 3);
}

static void test_ib_from_ring(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);
    RvStream ib;

    rv_load_free_image(d);
    rv_stream_init(&ib);
    for (unsigned i = 0; i < 3000; i++) {       /* longer than a page */
        rv_packet0(&ib, scratch(i % 3), 0x10000 + i);
    }
    rv_packet0(&r->out, scratch(2), 1);
    rv_ring_ib(r, &ib);
    rv_packet0(&r->out, scratch(3), 2);
    rv_ring_run(r);
    rv_stream_clear(&ib);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x10000 + 2997);
    rv_assert_hex(rd_gui_scratch_reg2(d), 0x10000 + 2999);
    rv_assert_hex(rd_gui_scratch_reg3(d), 2);
}

/* Writing the size starts it, also from the host. */
static void test_ib_from_host(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);
    uint32_t at;

    rv_load_free_image(d);
    place_ib(r, 0x4567, &at);
    wr_cp_ib_base(d, at);
    rv_settle(d);
    rv_assert_hex(rd_gui_scratch_reg2(d), 0);
    wr_cp_ib_bufsz(d, 3);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg2(d), 0x4567);
    /* the size is in dwords: nothing behind the end is run */
    place_ib(r, 0x89ab, &at);
    wr_cp_ib_base(d, at);
    wr_cp_ib_bufsz(d, 1);
    rv_settle(d);
    rv_assert_hex(rd_gui_scratch_reg2(d), 0x4567);
    rv_assert_hex(rd_rbbm_status(d), 0x80010140);
}

/* Mode 3: beside a PIO primary stream. */
static void test_ib_in_mode_3(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);
    RvStream s;
    uint32_t at;

    rv_load_free_image(d);
    rv_cp_reset(d);
    rv_cp_mode(d, MODE_PIO_IND_BM);
    place_ib(r, 0x3333, &at);
    rv_stream_init(&s);
    rv_packet0(&s, scratch(1), 1);
    rv_packet0_n(&s, A_CP_IB_BASE, false, (const uint32_t[]) { at, 3 }, 2);
    rv_packet0(&s, scratch(3), 0x44);
    rv_pio_stream(d, &s);
    rv_stream_clear(&s);
    rv_assert_hex(rd_gui_scratch_reg1(d), 1);
    rv_assert_hex(rd_gui_scratch_reg2(d), 0x3333);
    rv_assert_hex(rd_gui_scratch_reg3(d), 0x44);
    place_ib(r, 0x5555, &at);
    wr_cp_ib_base(d, at);
    wr_cp_ib_bufsz(d, 3);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg2(d), 0x5555);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/stream/mode-reads-back", test_mode_reads_back);
    rv_test_add("/stream/counts-are-read-only", test_counts_are_read_only);
    rv_test_add("/stream/pio-aperture", test_pio_aperture);
    rv_test_add("/stream/indirect-pio-aperture", test_indirect_pio_aperture);
    rv_test_add("/stream/pio-when-off", test_pio_when_off);
    rv_test_add("/stream/mmio-is-not-blocked", test_mmio_is_not_blocked);
    rv_test_add("/stream/status-idle", test_status_idle);
    rv_test_add("/stream/status-inside-packet", test_status_inside_packet);
    rv_test_add("/stream/packet-cannot-write-mm-index",
                test_packet_cannot_write_mm_index);
    rv_test_add("/stream/packet-can-write-scratch",
                test_packet_can_write_scratch);
    rv_test_add("/stream/ring-through-gart", test_ring_through_gart);
    rv_test_add("/stream/ring-test-of-driver", test_ring_test_of_driver);
    rv_test_add("/stream/ring-in-vram", test_ring_in_vram);
    rv_test_add("/stream/ring-of-every-size", test_ring_of_every_size);
    rv_test_add("/stream/ring-of-4-dwords", test_ring_of_4_dwords);
    rv_test_add("/stream/pointers-wrap", test_pointers_wrap);
    rv_test_add("/stream/wptr-starts-the-fetch", test_wptr_starts_the_fetch);
    rv_test_add("/stream/nothing-fetched-while-off",
                test_nothing_fetched_while_off);
    rv_test_add("/stream/rptr-wr", test_rptr_wr);
    rv_test_add("/stream/rptr-write-back", test_rptr_write_back);
    rv_test_add("/stream/rptr-write-back-is-physical",
                test_rptr_write_back_is_physical);
    rv_test_add("/stream/no-update", test_no_update);
    rv_test_add("/stream/ib-from-ring", test_ib_from_ring);
    rv_test_add("/stream/ib-from-host", test_ib_from_host);
    rv_test_add("/stream/ib-in-mode-3", test_ib_in_mode_3);
    return g_test_run();
}
