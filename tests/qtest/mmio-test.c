/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shape of the apertures: access sizes, alignment, MM_INDEX and MM_DATA. */
#include "rv.h"

#define APERTURE 0x4000
#define BAR2_SIZE 0x10000
#define VRAM_SELECT 0x80000000

/* Registers whose value a read changes, or that change by themselves. */
static bool moves(uint32_t offset)
{
    return offset == A_MM_DATA || offset == A_CP_ME_RAM_DATAL ||
           offset == A_CP_ME_RAM_ADDR || offset == A_CP_ME_RAM_DATAH ||
           offset == A_PALETTE_DATA || offset == A_PALETTE_30_DATA;
}

static void test_lanes_of_a_register(RvDev *d)
{
    const uint32_t at = A_BIOS_0_SCRATCH;

    rv_wr32(d, at, 0x44332211);
    rv_wr32(d, at + 4, 0x88776655);
    for (unsigned i = 0; i < 8; i++) {
        rv_assert_hex(rv_rd8(d, at + i), 0x11 * (i + 1));
    }
    for (unsigned i = 0; i < 7; i++) {
        rv_assert_hex(rv_rd16(d, at + i), 0x1100 * (i + 2) + 0x11 * (i + 1));
    }
    rv_assert_hex(rv_rd32(d, at + 1), 0x55443322);
    rv_assert_hex(rv_rd32(d, at + 2), 0x66554433);
    rv_assert_hex(rv_rd32(d, at + 3), 0x77665544);
    rv_assert_hex(rv_rd64(d, at), 0x8877665544332211);
}

static void test_writes_of_every_size(RvDev *d)
{
    const uint32_t at = A_BIOS_0_SCRATCH;

    rv_wr64(d, at, 0x8877665544332211);
    rv_assert_hex(rv_rd32(d, at), 0x44332211);
    rv_assert_hex(rv_rd32(d, at + 4), 0x88776655);
    rv_wr8(d, at + 2, 0xab);
    rv_assert_hex(rv_rd32(d, at), 0x44ab2211);
    rv_wr16(d, at + 2, 0xcdef);
    rv_assert_hex(rv_rd32(d, at), 0xcdef2211);
    rv_wr16(d, at + 3, 0x1234);         /* across both registers */
    rv_assert_hex(rv_rd32(d, at), 0x34ef2211);
    rv_assert_hex(rv_rd32(d, at + 4), 0x88776612);
    rv_wr32(d, at + 2, 0xdeadbeef);
    rv_assert_hex(rv_rd64(d, at), 0x8877deadbeef2211);
}

/* user report 16: drivers write halves of cursor registers */
static void test_cursor_position_by_halves(RvDev *d)
{
    wr_cur_horz_vert_posn(d, 0);
    rv_wr16(d, A_CUR_HORZ_VERT_POSN + 2, 0x0123);
    rv_wr16(d, A_CUR_HORZ_VERT_POSN, 0x0045);
    rv_assert_hex(rd_cur_horz_vert_posn(d) & 0x07ff07ff, 0x01230045);
    rv_wr8(d, A_CUR_HORZ_VERT_POSN, 0x46);
    rv_assert_hex(rd_cur_horz_vert_posn(d) & 0x07ff07ff, 0x01230046);
}

/* Every dword is the same whether read at once or in parts. */
static void test_reads_of_every_offset(RvDev *d)
{
    for (uint32_t at = 0; at < APERTURE; at += 4) {
        uint32_t v = rv_rd32(d, at), bytes = 0, halves = 0;

        if (moves(at) || v != rv_rd32(d, at)) {
            continue;
        }
        for (unsigned i = 0; i < 4; i++) {
            bytes |= (uint32_t)rv_rd8(d, at + i) << (8 * i);
        }
        for (unsigned i = 0; i < 4; i += 2) {
            halves |= (uint32_t)rv_rd16(d, at + i) << (8 * i);
        }
        if (bytes != v || halves != v) {
            g_test_fail_printf("0x%04x: dword %08x, halves %08x, bytes %08x",
                               at, v, halves, bytes);
        }
    }
}

static void read_all(RvDev *d, uint32_t *v)
{
    for (uint32_t at = 0; at < APERTURE; at += 4) {
        v[at / 4] = moves(at) ? 0 : rv_rd32(d, at);
    }
}

/* Whatever is written anywhere, a reset gives the power-on values back. */
static void test_writes_of_every_offset_then_reset(RvDev *d)
{
    static uint32_t before[APERTURE / 4], after[APERTURE / 4];
    static const unsigned sizes[] = { 4, 1, 2, 8 };
    static const uint64_t patterns[] = { UINT64_MAX, 0, 0x5a5a5a5aa5a5a5a5 };

    read_all(d, before);
    for (unsigned s = 0; s < G_N_ELEMENTS(sizes); s++) {
        for (unsigned p = 0; p < G_N_ELEMENTS(patterns); p++) {
            for (uint32_t at = 0; at < APERTURE; at += sizes[s]) {
                rv_mem_wr(d->vm, d->mmio + at, patterns[p], sizes[s]);
            }
        }
    }
    rv_vm_reset(d->vm);
    rv_dev_map(d);
    read_all(d, after);
    for (uint32_t at = 0; at < APERTURE; at += 4) {
        if (before[at / 4] != after[at / 4]) {
            g_test_fail_printf("0x%04x: %08x after power-on, %08x after reset",
                               at, before[at / 4], after[at / 4]);
        }
    }
}

/* The rest of BAR2 reads 0 and ignores writes, across its start, too. */
static void test_behind_the_registers(RvDev *d)
{
    static const uint32_t at[] = { 0x4000, 0x4004, 0x8000, 0xfffc };

    for (unsigned i = 0; i < G_N_ELEMENTS(at); i++) {
        rv_wr32(d, at[i], 0xffffffff);
        rv_assert_hex(rv_rd32(d, at[i]), 0);
        rv_assert_hex(rv_rd8(d, at[i] + 3), 0);
    }
    rv_wr32(d, APERTURE - 1, 0xffffffff);
    rv_assert_hex(rv_rd32(d, APERTURE - 1) >> 8, 0);
    rv_assert_hex(rv_rd64(d, APERTURE - 4) >> 32, 0);
    rv_assert_hex(rv_rd32(d, BAR2_SIZE - 4), 0);
}

/* --- MM_INDEX, MM_DATA --- */

static void test_index_reaches_registers(RvDev *d)
{
    wr_mm_index(d, A_BIOS_3_SCRATCH);
    wr_mm_data(d, 0x13579bdf);
    rv_assert_hex(rd_bios_3_scratch(d), 0x13579bdf);
    rv_assert_hex(rd_mm_data(d), 0x13579bdf);
    rv_assert_hex(rv_rd8(d, A_MM_DATA + 1), 0x9b);
    rv_wr8(d, A_MM_DATA + 3, 0x77);
    rv_assert_hex(rd_bios_3_scratch(d), 0x77579bdf);
}

/* robustness 2: never itself */
static void test_index_of_itself(RvDev *d)
{
    wr_mm_index(d, 0);
    wr_mm_data(d, 1);
    rv_assert_hex(rd_mm_index(d), 0);
    rv_assert_hex(rd_mm_data(d), 0);
    wr_mm_index(d, A_MM_DATA);
    wr_mm_data(d, 0xffffffff);
    rv_assert_hex(rd_mm_index(d), A_MM_DATA);
    rv_assert_hex(rd_mm_data(d), 0);
    rv_io_wr(d, A_MM_DATA, 0x12345678, 4);
    rv_assert_hex(rv_io_rd(d, A_MM_DATA, 4), 0);
    rv_assert_hex(rd_mm_index(d), A_MM_DATA);
}

static void test_index_reaches_vram(RvDev *d)
{
    rv_vram_wr32(d, 0x00300000, 0xa1b2c3d4);
    wr_mm_index(d, VRAM_SELECT | 0x00300000);
    rv_assert_hex(rd_mm_data(d), 0xa1b2c3d4);
    wr_mm_data(d, 0x0badcafe);
    rv_assert_hex(rv_vram_rd32(d, 0x00300000), 0x0badcafe);
    rv_wr16(d, A_MM_DATA + 2, 0x1111);
    rv_assert_hex(rv_vram_rd32(d, 0x00300000), 0x1111cafe);
    /* with bit 31 nothing is a register */
    wr_bios_0_scratch(d, 0x42424242);
    wr_mm_index(d, VRAM_SELECT | A_BIOS_0_SCRATCH);
    wr_mm_data(d, 0);
    rv_assert_hex(rd_bios_0_scratch(d), 0x42424242);
}

/* robustness 2: an index that is not a multiple of four stays in its dword */
static void test_unaligned_index(RvDev *d)
{
    uint32_t size = rd_config_memsize(d);

    rv_vram_wr32(d, 0, 0x03020100);
    rv_vram_wr32(d, 4, 0x07060504);
    wr_mm_index(d, VRAM_SELECT | 3);
    rv_assert_hex(rd_mm_data(d), 0x03020100);
    rv_assert_hex(rv_io_rd(d, A_MM_DATA, 4), 0x03020100);
    rv_vram_wr32(d, size - 4, 0x5e5e5e5e);
    wr_mm_index(d, VRAM_SELECT | (size - 2));
    rv_assert_hex(rd_mm_data(d), 0x5e5e5e5e);
    wr_mm_index(d, A_BIOS_2_SCRATCH + 3);
    wr_mm_data(d, 0x99);
    rv_assert_hex(rd_bios_2_scratch(d), 0x99);
}

/* Behind VRAM and behind the registers there is nothing. */
static void test_index_out_of_range(RvDev *d)
{
    static const uint32_t bad[] = {
        VRAM_SELECT | 0x07fffffe, VRAM_SELECT | 0x04000000, 0xffffffff,
        0x7fffffff, 0x00004000, 0x00010000,
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        wr_mm_index(d, bad[i]);
        wr_mm_data(d, 0xffffffff);
        rv_assert_hex(rd_mm_data(d), 0);
        rv_io_wr(d, A_MM_DATA, 0xffffffff, 4);
        rv_assert_hex(rv_io_rd(d, A_MM_DATA, 4), 0);
    }
}

static void test_index_of_the_last_dword(RvDev *d)
{
    rv_vram_wr32(d, 0x07fffffc, 0x1a57d00d);
    wr_mm_index(d, VRAM_SELECT | 0x07fffffe);
    rv_assert_hex(rd_mm_data(d), 0x1a57d00d);
}

/* --- I/O aperture --- */

static void test_io_direct(RvDev *d)
{
    rv_io_wr(d, A_BIOS_1_SCRATCH, 0x55667788, 4);
    rv_assert_hex(rd_bios_1_scratch(d), 0x55667788);
    rv_assert_hex(rv_io_rd(d, A_BIOS_1_SCRATCH, 4), 0x55667788);
    rv_assert_hex(rv_io_rd(d, A_BIOS_1_SCRATCH + 1, 1), 0x77);
    rv_assert_hex(rv_io_rd(d, A_BIOS_1_SCRATCH + 2, 2), 0x5566);
    rv_io_wr(d, A_BIOS_1_SCRATCH + 3, 0x99, 1);
    rv_assert_hex(rd_bios_1_scratch(d), 0x99667788);
}

static void test_io_indexed(RvDev *d)
{
    rv_io_wr(d, A_MM_INDEX, A_GUI_SCRATCH_REG1, 4);
    rv_io_wr(d, A_MM_DATA, 0x10203040, 4);
    rv_assert_hex(rd_gui_scratch_reg1(d), 0x10203040);
    rv_io_wr(d, A_MM_INDEX, VRAM_SELECT | 0x00400000, 4);
    rv_io_wr(d, A_MM_DATA, 0x66778899, 4);
    rv_assert_hex(rv_vram_rd32(d, 0x00400000), 0x66778899);
}

/* robustness 3, launchpad bug 1878134 */
static void test_io_unaligned(RvDev *d)
{
    rv_outl(d->vm, d->io, 0xffffffff);
    rv_assert_hex(rv_inl(d->vm, d->io + 4), 0);
    for (unsigned i = 5; i < 8; i++) {
        rv_assert_hex(rv_inb(d->vm, d->io + i), 0);
        rv_assert_hex(rv_inw(d->vm, d->io + i) & 0xff, 0);
    }
    wr_bios_0_scratch(d, 0x44332211);
    rv_assert_hex(rv_inw(d->vm, d->io + A_BIOS_0_SCRATCH + 1), 0x3322);
    rv_assert_hex(rv_inl(d->vm, d->io + A_BIOS_0_SCRATCH + 1) & 0xffffff,
                  0x443322);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/mmio/lanes-of-a-register", test_lanes_of_a_register);
    rv_test_add("/mmio/writes-of-every-size", test_writes_of_every_size);
    rv_test_add("/mmio/cursor-position-by-halves",
                test_cursor_position_by_halves);
    rv_test_add("/mmio/reads-of-every-offset", test_reads_of_every_offset);
    rv_test_add("/mmio/writes-of-every-offset-then-reset",
                test_writes_of_every_offset_then_reset);
    rv_test_add("/mmio/behind-the-registers", test_behind_the_registers);
    rv_test_add("/mmio/index-reaches-registers", test_index_reaches_registers);
    rv_test_add("/mmio/index-of-itself", test_index_of_itself);
    rv_test_add("/mmio/index-reaches-vram", test_index_reaches_vram);
    rv_test_add("/mmio/unaligned-index", test_unaligned_index);
    rv_test_add("/mmio/index-out-of-range", test_index_out_of_range);
    rv_test_add_with("/mmio/index-of-the-last-dword", ",vgamem_mb=128",
                     test_index_of_the_last_dword);
    rv_test_add("/mmio/io-direct", test_io_direct);
    rv_test_add("/mmio/io-indexed", test_io_indexed);
    rv_test_add("/mmio/io-unaligned", test_io_unaligned);
    return g_test_run();
}
