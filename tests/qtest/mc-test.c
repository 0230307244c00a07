/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory controller: frame buffer window, PCI GART, bus, scratch write-back.
 * [hw] unless marked.
 *
 * The card reads by an indirect buffer started from the host, and writes by the
 * scratch write-back.
 */
#include "rv.h"

#define AREA 0x00200000         /* VRAM offset that the tests use */
#define BUS 0x01000000          /* guest memory that the tests use */
#define GTT 0xc0000000
#define PAGE 4096

static void set_window(RvDev *d, uint32_t first, uint32_t last)
{
    wr_mc_fb_location(d, (last & 0xffff0000) | first >> 16);
}

/* The window is at 0 after power-on: move it away from guest memory. */
static void start(RvDev *d)
{
    rv_load_free_image(d);
    rv_cp_reset(d);
    rv_cp_mode(d, 4);
    set_window(d, d->vram_bus, d->vram_bus + rd_config_memsize(d) - 1);
}

/* Run the two words at a card address; true when `value` arrived. */
static bool card_reads(RvDev *d, uint32_t card, uint32_t value)
{
    wr_gui_scratch_reg2(d, ~value);
    wr_cp_ib_base(d, card);
    wr_cp_ib_bufsz(d, 2);
    rv_settle(d);
    return rd_gui_scratch_reg2(d) == value;
}

static void words_for(uint32_t value, uint32_t words[2])
{
    words[0] = pm4_type0(A_GUI_SCRATCH_REG2, 1, false);
    words[1] = value;
}

static void put_vram(RvDev *d, uint32_t offset, uint32_t value)
{
    uint32_t words[2];

    words_for(value, words);
    rv_vram_wr32(d, offset, words[0]);
    rv_vram_wr32(d, offset + 4, words[1]);
}

static void put_bus(RvDev *d, uint32_t addr, uint32_t value)
{
    uint32_t words[2];

    words_for(value, words);
    rv_mem_write_words(d->vm, addr, words, 2);
}

/* --- frame buffer --- */

static void test_fb_location_moves_vram(RvDev *d)
{
    start(d);
    put_vram(d, AREA, 0x11);
    set_window(d, 0x80000000, 0x83ffffff);
    g_assert_true(card_reads(d, 0x80000000 + AREA, 0x11));
    put_vram(d, AREA, 0x22);
    set_window(d, 0x10000000, 0x13ffffff);
    g_assert_true(card_reads(d, 0x10000000 + AREA, 0x22));
}

/* ffff0000: the whole address space, modulo the VRAM size. */
static void test_whole_space_is_vram(RvDev *d)
{
    uint32_t size = rd_config_memsize(d);

    start(d);
    set_window(d, 0, 0xffffffff);
    rv_assert_hex(rd_mc_fb_location(d), 0xffff0000);
    put_vram(d, AREA, 0x33);
    g_assert_true(card_reads(d, AREA, 0x33));
    g_assert_true(card_reads(d, AREA + size, 0x33));
    g_assert_true(card_reads(d, AREA + 5 * size, 0x33));
    g_assert_true(card_reads(d, 0u - size + AREA, 0x33));
}

/* --- GART --- */

static void test_gart_translates(RvDev *d)
{
    RvGart g;

    start(d);
    rv_gart_init(&g, d, GTT, 16);
    for (uint32_t page = 0; page < 16; page++) {
        uint32_t at = GTT + page * PAGE + 8 * page;

        put_bus(d, rv_gart_bus(&g, at), 0x4400 + page);
        g_assert_true(card_reads(d, at, 0x4400 + page));
    }
}

/* A buffer across a page border takes both pages from the table. */
static void test_gart_page_border(RvDev *d)
{
    RvGart g;
    uint32_t words[2], at = GTT + 5 * PAGE - 4;

    start(d);
    rv_gart_init(&g, d, GTT, 16);
    words_for(0x55, words);
    rv_mem_wr(d->vm, rv_gart_bus(&g, at), words[0], 4);
    rv_mem_wr(d->vm, rv_gart_bus(&g, at + 4), words[1], 4);
    g_assert_true(card_reads(d, at, 0x55));
}

/* Bit 0 of AIC_CNTL switches it; without it the address goes to the bus. */
static void test_gart_enable(RvDev *d)
{
    RvGart g;

    start(d);
    rv_gart_init(&g, d, BUS, 16);
    put_bus(d, rv_gart_bus(&g, BUS), 0x66);
    put_bus(d, BUS, 0x77);
    g_assert_true(card_reads(d, BUS, 0x66));
    wr_aic_cntl(d, 0);
    g_assert_true(card_reads(d, BUS, 0x77));
    wr_aic_cntl(d, R_AIC_CNTL_PCIGART_TRANSLATE_EN_MASK);
    g_assert_true(card_reads(d, BUS, 0x66));
}

/* AIC_LO_ADDR and AIC_HI_ADDR are the first and the last address. */
static void test_gart_bounds(RvDev *d)
{
    const uint32_t end = BUS + 16 * PAGE;
    RvGart g;

    start(d);
    rv_gart_init(&g, d, BUS, 16);
    put_bus(d, BUS - 8, 0x81);
    put_bus(d, rv_gart_bus(&g, BUS), 0x82);
    put_bus(d, rv_gart_bus(&g, end - 8), 0x83);
    put_bus(d, end, 0x84);
    g_assert_true(card_reads(d, BUS - 8, 0x81));
    g_assert_true(card_reads(d, BUS, 0x82));
    g_assert_true(card_reads(d, end - 8, 0x83));
    g_assert_true(card_reads(d, end, 0x84));
}

/* The driver rewrites the table and flushes nothing [linux]. */
static void test_gart_is_not_cached(RvDev *d)
{
    RvGart g;

    start(d);
    rv_gart_init(&g, d, GTT, 16);
    put_bus(d, rv_gart_bus(&g, GTT), 0x91);
    put_bus(d, BUS, 0x92);
    g_assert_true(card_reads(d, GTT, 0x91));
    rv_mem_wr(d->vm, g.table, BUS, 4);
    g_assert_true(card_reads(d, GTT, 0x92));
}

static void test_gart_table_base(RvDev *d)
{
    RvGart g;

    start(d);
    rv_gart_init(&g, d, GTT, 16);
    rv_mem_wr(d->vm, 0x00e00000, BUS, 4);
    put_bus(d, BUS, 0xa1);
    wr_aic_pt_base(d, 0x00e00000);
    g_assert_true(card_reads(d, GTT, 0xa1));
}

/* --- bus --- */

static void test_other_addresses_go_to_the_bus(RvDev *d)
{
    RvGart g;

    start(d);
    rv_gart_init(&g, d, GTT, 16);
    put_bus(d, BUS + 0x120, 0xb1);
    g_assert_true(card_reads(d, BUS + 0x120, 0xb1));
}

/* Bus mastering off: nothing is fetched; it goes on when it is on again. */
static void test_bus_master_off(RvDev *d)
{
    start(d);
    put_bus(d, BUS, 0xc1);
    rv_cfg_wr(d, 0x04, 0x0003, 2);
    g_assert_false(card_reads(d, BUS, 0xc1));
    rv_cfg_wr(d, 0x04, 0x0007, 2);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg2(d), 0xc1);
    wr_bus_cntl(d, rd_bus_cntl(d) | R_BUS_CNTL_BUS_MASTER_DIS_MASK);
    put_bus(d, BUS, 0xc2);
    g_assert_false(card_reads(d, BUS, 0xc2));
    wr_bus_cntl(d, rd_bus_cntl(d) & ~R_BUS_CNTL_BUS_MASTER_DIS_MASK);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg2(d), 0xc2);
}

/* Nothing answers: the engine holds, busy; a soft reset brings it back. */
static void test_bus_error(RvDev *d)
{
    start(d);
    g_assert_false(card_reads(d, 0x30000000, 0xd1));
    g_assert_true(rd_rbbm_status(d) & R_RBBM_STATUS_GUI_ACTIVE_MASK);
    rv_cp_reset(d);
    rv_assert_hex(rd_rbbm_status(d), 0x140);
    rv_cp_mode(d, 4);
    put_bus(d, BUS, 0xd2);
    g_assert_true(card_reads(d, BUS, 0xd2));
}

/* --- scratch write-back --- */

static void check_write_back(RvDev *d, uint64_t cpu)
{
    RvStream s;

    rv_stream_init(&s);
    for (unsigned n = 0; n < 6; n++) {
        rv_packet0(&s, A_GUI_SCRATCH_REG0 + 4 * n, 0xe0e00000 + n);
        rv_mem_wr(d->vm, cpu + 4 * n, 0xffffffff, 4);
    }
    rv_mem_wr(d->vm, cpu + 24, 0xffffffff, 4);
    wr_scratch_umsk(d, 0x15);           /* registers 0, 2, 4 */
    rv_pio_stream(d, &s);
    for (unsigned n = 0; n < 6; n++) {
        rv_assert_hex(rv_rd32(d, A_GUI_SCRATCH_REG0 + 4 * n), 0xe0e00000 + n);
        rv_assert_hex(rv_mem_rd(d->vm, cpu + 4 * n, 4),
                      n % 2 ? 0xffffffff : 0xe0e00000 + n);
    }
    wr_scratch_umsk(d, 0x3f);
    rv_pio_stream(d, &s);
    for (unsigned n = 0; n < 6; n++) {
        rv_assert_hex(rv_mem_rd(d->vm, cpu + 4 * n, 4), 0xe0e00000 + n);
    }
    rv_assert_hex(rv_mem_rd(d->vm, cpu + 24, 4), 0xffffffff);
    rv_stream_clear(&s);
}

static void test_scratch_to_bus(RvDev *d)
{
    start(d);
    rv_cp_mode(d, 1);
    wr_scratch_addr(d, BUS + 0x40);
    check_write_back(d, BUS + 0x40);
}

static void test_scratch_to_vram(RvDev *d)
{
    rv_load_free_image(d);
    set_window(d, 0x80000000, 0x83ffffff);
    wr_scratch_addr(d, 0x80000000 + AREA);
    check_write_back(d, d->vram + AREA);
}

static void test_scratch_through_gart(RvDev *d)
{
    RvGart g;

    rv_load_free_image(d);
    rv_gart_init(&g, d, GTT, 16);
    wr_scratch_addr(d, GTT + 3 * PAGE + 0x60);
    check_write_back(d, rv_gart_bus(&g, GTT + 3 * PAGE + 0x60));
}

/* A host write is written back, too. */
static void test_scratch_from_host(RvDev *d)
{
    start(d);
    wr_scratch_addr(d, BUS);
    wr_scratch_umsk(d, 1 << 5);
    rv_mem_wr(d->vm, BUS + 20, 0, 4);
    wr_gui_scratch_reg5(d, 0xf1f1f1f1);
    rv_assert_hex(rd_gui_scratch_reg5(d), 0xf1f1f1f1);
    rv_assert_hex(rv_mem_rd(d->vm, BUS + 20, 4), 0xf1f1f1f1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/mc/fb-location-moves-vram", test_fb_location_moves_vram);
    rv_test_add("/mc/whole-space-is-vram", test_whole_space_is_vram);
    rv_test_add_with("/mc/whole-space-is-vram-8", ",vgamem_mb=8",
                     test_whole_space_is_vram);
    rv_test_add("/mc/gart-translates", test_gart_translates);
    rv_test_add("/mc/gart-page-border", test_gart_page_border);
    rv_test_add("/mc/gart-enable", test_gart_enable);
    rv_test_add("/mc/gart-bounds", test_gart_bounds);
    rv_test_add("/mc/gart-is-not-cached", test_gart_is_not_cached);
    rv_test_add("/mc/gart-table-base", test_gart_table_base);
    rv_test_add("/mc/other-addresses-go-to-the-bus",
                test_other_addresses_go_to_the_bus);
    rv_test_add("/mc/bus-master-off", test_bus_master_off);
    rv_test_add("/mc/bus-error", test_bus_error);
    rv_test_add("/mc/scratch-to-bus", test_scratch_to_bus);
    rv_test_add("/mc/scratch-to-vram", test_scratch_to_vram);
    rv_test_add("/mc/scratch-through-gart", test_scratch_through_gart);
    rv_test_add("/mc/scratch-from-host", test_scratch_from_host);
    return g_test_run();
}
