/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hostile use of the command processor. Each case has a defined outcome; after
 * each the monitor answers, a soft reset recovers the engine and a packet runs.
 */
#include "reference.h"
#include "rv.h"

#define BUSY_STATUS 0x80010140
#define IDLE_STATUS 0x140
#define HOLE 0x30000000         /* bus address where nothing is */
#define IMAGE "R100_cp.bin"

static void check_recovers(RvDev *d)
{
    g_autofree char *status = rv_hmp(d->vm, "info status");
    g_autoptr(RvRing) r = NULL;

    g_assert_true(g_str_has_prefix(status, "VM status: running"));
    r = rv_ring_new(d, 8);
    rv_load_free_image(d);
    rv_assert_hex(rd_rbbm_status(d), IDLE_STATUS);
    rv_packet0(&r->out, A_GUI_SCRATCH_REG5, 0x600d);
    rv_ring_run(r);
    rv_assert_hex(rd_gui_scratch_reg5(d), 0x600d);
    wr_gui_scratch_reg5(d, 0);
}

static RvRing *ring(RvDev *d)
{
    rv_load_free_image(d);
    return rv_ring_new(d, 8);
}

/* --- ring --- */

/* Nothing answers there, or it is the card itself: held, busy. */
static void test_ring_base(RvDev *d)
{
    const uint32_t bad[] = {
        HOLE, d->mmio_bus, d->mmio_bus + A_CP_RB_BASE,
        d->vram_bus + 0x04000000,       /* BAR0 behind VRAM */
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(RvRing) r = ring(d);

        wr_cp_rb_base(d, bad[i]);
        wr_cp_rb_wptr(d, 4);
        rv_settle(d);
        rv_assert_hex(rd_rbbm_status(d), BUSY_STATUS);
        rv_assert_hex(rd_cp_rb_rptr(d), 0);
        check_recovers(d);
    }
}

/* At the end of the address space, where a PC has its firmware: the fetch goes
 * on at 0. What it finds there are words like any others. */
static void test_ring_at_the_end_of_space(RvDev *d)
{
    g_autoptr(RvRing) r = ring(d);

    wr_cp_rb_base(d, 0xfffffffc);
    wr_cp_rb_wptr(d, 64);
    rv_settle(d);
    rv_assert_hex(rd_cp_rb_rptr(d), 64);
    check_recovers(d);
}

static void test_ring_size(RvDev *d)
{
    static const unsigned sizes[] = { 0, 23, 31, 63 };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autoptr(RvRing) r = ring(d);
        const uint32_t words[] = { pm4_type0(A_GUI_SCRATCH_REG0, 1, false),
                                   0x51 + i };

        wr_cp_rb_cntl(d, sizes[i]);
        rv_gart_write_words(&r->gart, r->base, words, 2);
        wr_cp_rb_wptr(d, 1);
        rv_settle(d);
        wr_cp_rb_wptr(d, sizes[i] ? 2 : 0);     /* size 0: two dwords */
        rv_settle(d);
        rv_assert_hex(rd_gui_scratch_reg0(d), 0x51 + i);
        check_recovers(d);
    }
}

/* Beyond the end: modulo the size. */
static void test_wptr_beyond_the_ring(RvDev *d)
{
    g_autoptr(RvRing) r = ring(d);
    const uint32_t words[] = { pm4_type0(A_GUI_SCRATCH_REG0, 1, false), 0x61 };

    rv_gart_write_words(&r->gart, r->base, words, 2);
    wr_cp_rb_wptr(d, r->size * 7 + 2);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x61);
    rv_assert_hex(rd_cp_rb_rptr(d), 2);
    check_recovers(d);
}

/* A write-back that cannot be done does not stop the ring. */
static void test_rptr_address(RvDev *d)
{
    const uint32_t bad[] = { HOLE, d->mmio_bus + A_CP_RB_WPTR, 0xfffffffc, 1 };

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(RvRing) r = ring(d);

        wr_cp_rb_rptr_addr(d, bad[i]);
        rv_packet0(&r->out, A_GUI_SCRATCH_REG0, 0x70 + i);
        rv_ring_run(r);
        rv_assert_hex(rd_gui_scratch_reg0(d), 0x70 + i);
        rv_assert_hex(rd_cp_rb_wptr(d), r->wptr);
        check_recovers(d);
    }
}

/* --- GART --- */

static void test_gart_entries(RvDev *d)
{
    const uint32_t bad[] = { HOLE, d->mmio_bus, d->vram_bus };

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(RvRing) r = ring(d);

        rv_mem_wr(d->vm, r->gart.table, bad[i], 4);
        wr_cp_rb_wptr(d, 2);
        rv_settle(d);
        rv_assert_hex(rd_rbbm_status(d), BUSY_STATUS);
        check_recovers(d);
    }
}

/* The table in a hole, across the end of memory; a page that is the table
 * itself is a page like any other. */
static void test_gart_table(RvDev *d)
{
    {
        g_autoptr(RvRing) r = ring(d);

        wr_aic_pt_base(d, HOLE);
        wr_cp_rb_wptr(d, 2);
        rv_settle(d);
        rv_assert_hex(rd_rbbm_status(d), BUSY_STATUS);
        check_recovers(d);
    }
    {
        g_autoptr(RvRing) r = ring(d);

        wr_aic_pt_base(d, 0x04000000 - 2);      /* 64 MiB of memory */
        wr_cp_rb_wptr(d, 2);
        rv_settle(d);
        rv_assert_hex(rd_rbbm_status(d), BUSY_STATUS);
        check_recovers(d);
    }
    {
        g_autoptr(RvRing) r = ring(d);
        const uint32_t words[] = { pm4_type2(), pm4_type2(),
            pm4_type0(A_GUI_SCRATCH_REG0, 1, false), 0x88 };

        rv_mem_wr(d->vm, r->gart.table, r->gart.table, 4);
        rv_mem_write_words(d->vm, r->gart.table + 4, words, 4);
        wr_cp_rb_rptr_wr(d, 0);
        wr_cp_rb_base(d, r->base + 4);
        wr_cp_rb_wptr(d, 4);
        g_assert_true(rv_wait_idle(d));
        rv_assert_hex(rd_gui_scratch_reg0(d), 0x88);
        check_recovers(d);
    }
}

/* An empty window translates nothing. */
static void test_gart_window_reversed(RvDev *d)
{
    g_autoptr(RvRing) r = ring(d);

    wr_aic_lo_addr(d, r->gart.start + 0x100000);
    wr_aic_hi_addr(d, r->gart.start);
    wr_cp_rb_wptr(d, 2);
    rv_settle(d);
    rv_assert_hex(rd_rbbm_status(d), BUSY_STATUS);
    check_recovers(d);
}

/* --- indirect buffers --- */

static void test_ib_of_no_words(RvDev *d)
{
    g_autoptr(RvRing) r = ring(d);

    rv_packet0_n(&r->out, A_CP_IB_BASE, false,
                 (const uint32_t[]) { r->base, 0 }, 2);
    rv_packet0(&r->out, A_GUI_SCRATCH_REG0, 0x91);
    rv_ring_run(r);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x91);
    check_recovers(d);
}

/* Longer than the memory: runs until it meets the end of the window. */
static void test_ib_without_end(RvDev *d)
{
    g_autoptr(RvRing) r = ring(d);
    const uint32_t words[] = { pm4_type0(A_GUI_SCRATCH_REG0, 1, false), 0xa1 };
    uint32_t at = rv_ring_place(r, words, 2);

    rv_packet0_n(&r->out, A_CP_IB_BASE, false,
                 (const uint32_t[]) { at, 0x7fffff }, 2);
    rv_ring_kick(r);
    for (unsigned i = 0; i < 64; i++) {
        rd_rbbm_status(d);
    }
    rv_assert_hex(rd_gui_scratch_reg0(d), 0xa1);
    check_recovers(d);
}

/* A hundred buffers, each started by the one before. */
static void test_ib_chain(RvDev *d)
{
    g_autoptr(RvRing) r = ring(d);
    uint32_t next = 0, next_size = 0;
    RvStream ib;

    for (unsigned i = 100; i > 0; i--) {
        rv_stream_init(&ib);
        rv_packet0(&ib, A_GUI_SCRATCH_REG0, i);
        if (next) {
            rv_packet0_n(&ib, A_CP_IB_BASE, false,
                         (const uint32_t[]) { next, next_size }, 2);
        }
        next = rv_ring_place(r, (const uint32_t *)ib.words->data, ib.words->len);
        next_size = ib.words->len;
        rv_stream_clear(&ib);
    }
    rv_packet0_n(&r->out, A_CP_IB_BASE, false,
                 (const uint32_t[]) { next, next_size }, 2);
    rv_packet0(&r->out, A_GUI_SCRATCH_REG1, 0xe4d);
    rv_ring_run(r);
    rv_assert_hex(rd_gui_scratch_reg0(d), 100);
    rv_assert_hex(rd_gui_scratch_reg1(d), 0xe4d);
    check_recovers(d);
}

/* A buffer that starts itself: for ever, but the monitor answers. */
static void test_ib_of_itself(RvDev *d)
{
    g_autoptr(RvRing) r = ring(d);
    uint32_t at = r->ib_next;
    RvStream ib;

    rv_stream_init(&ib);
    rv_packet0(&ib, A_GUI_SCRATCH_REG0, 0xb1);
    rv_packet0_n(&ib, A_CP_IB_BASE, false, (const uint32_t[]) { at, 5 }, 2);
    rv_ring_ib(r, &ib);
    rv_stream_clear(&ib);
    rv_ring_kick(r);
    rv_settle(d);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0xb1);
    rv_assert_hex(rd_rbbm_status(d), BUSY_STATUS);
    check_recovers(d);
}

/* --- packets --- */

/* 16384 words from the last register on: those behind the end vanish, and the
 * next packet is the next packet. */
static void test_type0_over_the_end(RvDev *d)
{
    g_autofree uint32_t *values = g_new0(uint32_t, 0x4000);
    g_autoptr(RvRing) r = ring(d);
    RvStream ib;

    for (unsigned i = 0; i < 0x4000; i++) {
        values[i] = 0xffffffff;
    }
    rv_stream_init(&ib);
    rv_packet0_n(&ib, 0x3ffc, false, values, 0x1000);
    rv_packet0_n(&ib, 0x7ffc, true, values, 0x4000);
    rv_packet0(&ib, A_GUI_SCRATCH_REG0, 0xc1);
    rv_ring_ib(r, &ib);
    rv_stream_clear(&ib);
    rv_ring_run(r);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0xc1);
    check_recovers(d);
}

/* A packet that writes the registers of its own engine. */
static void test_packet_on_itself(RvDev *d)
{
    static const struct {
        uint32_t offset, value;
    } writes[] = {
        { A_RBBM_SOFT_RESET, 0xffffffff }, { A_CP_CSQ_CNTL, 0 },
        { A_CP_CSQ_CNTL, 0x10000000 }, { A_CP_ME_CNTL, 0 },
        { A_CP_ME_CNTL, 0x80000000 }, { A_CP_RB_WPTR, 0xffffffff },
        { A_CP_RB_CNTL, 0xffffffff }, { A_CP_RB_BASE, HOLE },
        { A_CP_ME_RAM_ADDR, 0 }, { A_CP_ME_RAM_DATAL, 0 },
        { A_AIC_CNTL, 0 }, { A_MC_FB_LOCATION, 0xffff0000 },
        { A_BUS_CNTL, 0xffffffff }, { A_MM_INDEX, 4 }, { A_MM_DATA, 4 },
        { A_CP_CSQ_APER_PRIMARY, 0 }, { A_SCRATCH_ADDR, 0xffffffff },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(writes); i++) {
        g_autoptr(RvRing) r = ring(d);

        for (unsigned n = 0; n < 3; n++) {
            rv_packet0(&r->out, writes[i].offset, writes[i].value);
            rv_packet0(&r->out, A_GUI_SCRATCH_REG0, n);
        }
        rv_word(&r->out, pm4_type0(A_GUI_SCRATCH_REG1, 4, false));
        rv_ring_kick(r);
        rv_settle(d);
        rv_cp_reset(d);
        wr_bus_cntl(d, 0);
        wr_cp_me_cntl(d, R_CP_ME_CNTL_ME_MODE_MASK);
        g_test_message("write of 0x%04x", writes[i].offset);
        check_recovers(d);
    }
}

/* Every opcode, with and without settings, of one and two words, cut short, on
 * the stock image: opcodes outside of its table run what the bytes say. */
static void test_every_opcode(RvDev *d)
{
    const RefImage *image = ref_image(IMAGE);
    bool changes_image = true;

    if (!ref_need(image, "firmware/" IMAGE)) {
        return;
    }
    for (unsigned op = 0; op < 256; op++) {
        static const uint32_t word[] = { 0, 0xffffffff, 0x00010001 };
        g_autoptr(RvRing) r = rv_ring_new(d, 8);

        if (op == 0 || changes_image) {
            rv_load_words(d, image->hi, image->lo);
        }
        changes_image = (op & 0x7f) < PM4_OP_NOP ||
                        (op & 0x7f) == PM4_OP_LOAD_MICROCODE;
        for (unsigned i = 0; i < G_N_ELEMENTS(word); i++) {
            rv_packet3(&r->out, op, &word[i], 1);
            rv_packet3(&r->out, op, (const uint32_t[]) { word[i], 1 }, 2);
        }
        rv_word(&r->out, pm4_type3(op, 0x4000));
        rv_ring_kick(r);
        rv_settle(d);
        wr_rbbm_soft_reset(d, 0);
        rv_cp_reset(d);
        rv_assert_hex(rd_rbbm_status(d), IDLE_STATUS);
    }
    check_recovers(d);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/hostile/ring-base", test_ring_base);
    rv_test_add("/hostile/ring-at-the-end-of-space",
                test_ring_at_the_end_of_space);
    rv_test_add("/hostile/ring-size", test_ring_size);
    rv_test_add("/hostile/wptr-beyond-the-ring", test_wptr_beyond_the_ring);
    rv_test_add("/hostile/rptr-address", test_rptr_address);
    rv_test_add("/hostile/gart-entries", test_gart_entries);
    rv_test_add("/hostile/gart-table", test_gart_table);
    rv_test_add("/hostile/gart-window-reversed", test_gart_window_reversed);
    rv_test_add("/hostile/ib-of-no-words", test_ib_of_no_words);
    rv_test_add("/hostile/ib-without-end", test_ib_without_end);
    rv_test_add("/hostile/ib-chain", test_ib_chain);
    rv_test_add("/hostile/ib-of-itself", test_ib_of_itself);
    rv_test_add("/hostile/type0-over-the-end", test_type0_over_the_end);
    rv_test_add("/hostile/packet-on-itself", test_packet_on_itself);
    rv_test_add("/hostile/every-opcode", test_every_opcode);
    return g_test_run();
}
