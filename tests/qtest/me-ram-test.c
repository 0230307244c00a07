/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Microcode RAM: each line of the observed behaviour is a test. [hw] */
#include "rv.h"
#include "rv100-me-isa.h"

/* Word n of a recognisable image. */
static uint32_t hi_of(unsigned n)
{
    return n * 7 & 0x3f;
}

static uint32_t lo_of(unsigned n)
{
    return 0x1000000 + n * 0x10101;
}

static void fill(RvDev *d)
{
    wr_cp_me_ram_addr(d, 0);
    for (unsigned i = 0; i < 256; i++) {
        wr_cp_me_ram_datah(d, hi_of(i));
        wr_cp_me_ram_datal(d, lo_of(i));
    }
}

static void test_size(RvDev *d)
{
    fill(d);
    wr_cp_me_ram_raddr(d, 0);
    for (unsigned i = 0; i < 256; i++) {
        rv_assert_hex(rd_cp_me_ram_datah(d), hi_of(i));
        rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(i));
    }
    /* 256 words: the next one is word 0 again */
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0));
}

static void test_datah_keeps_6_bits(RvDev *d)
{
    rv_load_word(d, 5, 0xff, 0xffffffff);
    wr_cp_me_ram_raddr(d, 5);
    rv_assert_hex(rd_cp_me_ram_datah(d), 0x3f);
    rv_assert_hex(rd_cp_me_ram_datal(d), 0xffffffff);
    wr_cp_me_ram_addr(d, 6);
    wr_cp_me_ram_datah(d, 0xffffffc0);
    wr_cp_me_ram_datal(d, 0);
    wr_cp_me_ram_raddr(d, 6);
    rv_assert_hex(rd_cp_me_ram_datah(d), 0);
}

static void test_write_datah_does_not_move(RvDev *d)
{
    fill(d);
    wr_cp_me_ram_addr(d, 0x10);
    wr_cp_me_ram_datah(d, 1);
    wr_cp_me_ram_datah(d, 2);
    rv_assert_hex(rd_cp_me_ram_addr(d), 0x10);
    wr_cp_me_ram_datal(d, 0x1234);
    wr_cp_me_ram_raddr(d, 0x10);
    rv_assert_hex(rd_cp_me_ram_datah(d), 2);
    rv_assert_hex(rd_cp_me_ram_datal(d), 0x1234);
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0x11));
}

static void test_write_datah_alone_commits_nothing(RvDev *d)
{
    fill(d);
    wr_cp_me_ram_addr(d, 0x10);
    wr_cp_me_ram_datah(d, hi_of(0x10) ^ 0x3f);
    wr_cp_me_ram_raddr(d, 0x10);
    rv_assert_hex(rd_cp_me_ram_datah(d), hi_of(0x10));
}

static void test_write_datal_commits_and_increments(RvDev *d)
{
    wr_cp_me_ram_addr(d, 0x20);
    wr_cp_me_ram_datah(d, 3);
    wr_cp_me_ram_datal(d, 0x111);
    rv_assert_hex(rd_cp_me_ram_addr(d), 0x21);
    wr_cp_me_ram_datal(d, 0x222);
    rv_assert_hex(rd_cp_me_ram_addr(d), 0x22);
    wr_cp_me_ram_addr(d, 0xff);
    wr_cp_me_ram_datal(d, 0x333);
    rv_assert_hex(rd_cp_me_ram_addr(d), 0);
    wr_cp_me_ram_raddr(d, 0x20);
    rv_assert_hex(rd_cp_me_ram_datal(d), 0x111);
    rv_assert_hex(rd_cp_me_ram_datal(d), 0x222);
    wr_cp_me_ram_raddr(d, 0xff);
    rv_assert_hex(rd_cp_me_ram_datal(d), 0x333);
}

static void test_raddr_reads_0(RvDev *d)
{
    wr_cp_me_ram_raddr(d, 0x42);
    rv_assert_hex(rd_cp_me_ram_raddr(d), 0);
    rd_cp_me_ram_datal(d);
    rv_assert_hex(rd_cp_me_ram_raddr(d), 0);
}

static void test_raddr_sets_both(RvDev *d)
{
    fill(d);
    wr_cp_me_ram_raddr(d, 0x42);
    rv_assert_hex(rd_cp_me_ram_addr(d), 0x42);
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0x42));
}

/* Writing ADDR leaves the internal read pointer where it was. */
static void test_addr_does_not_move_read_pointer(RvDev *d)
{
    fill(d);
    wr_cp_me_ram_raddr(d, 0x30);
    wr_cp_me_ram_addr(d, 0x80);
    rv_assert_hex(rd_cp_me_ram_addr(d), 0x80);
    rv_assert_hex(rd_cp_me_ram_datah(d), hi_of(0x30));
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0x30));
    /* the read has put both together: ADDR was 80h, plus one */
    rv_assert_hex(rd_cp_me_ram_addr(d), 0x81);
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0x81));
}

static void test_read_datah_can_be_repeated(RvDev *d)
{
    fill(d);
    wr_cp_me_ram_raddr(d, 0x33);
    for (int i = 0; i < 3; i++) {
        rv_assert_hex(rd_cp_me_ram_datah(d), hi_of(0x33));
        rv_assert_hex(rd_cp_me_ram_addr(d), 0x33);
    }
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0x33));
}

static void test_read_datal_increments(RvDev *d)
{
    fill(d);
    wr_cp_me_ram_raddr(d, 0xfe);
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0xfe));
    rv_assert_hex(rd_cp_me_ram_addr(d), 0xff);
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0xff));
    rv_assert_hex(rd_cp_me_ram_addr(d), 0);
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0));
}

static void test_write_datal_does_not_synchronise(RvDev *d)
{
    fill(d);
    wr_cp_me_ram_raddr(d, 0x10);
    wr_cp_me_ram_addr(d, 0x50);
    wr_cp_me_ram_datah(d, 0);
    wr_cp_me_ram_datal(d, 0xabcd);      /* ADDR 51h, read pointer still 10h */
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0x10));
    rv_assert_hex(rd_cp_me_ram_datal(d), lo_of(0x52));
}

/* A handler changed between two words of a packet is used for the second. */
static void test_load_while_running(RvDev *d)
{
    rv_load_free_image(d);
    rv_pio(d, (const uint32_t[]) {
        pm4_type0(A_GUI_SCRATCH_REG0, 3, false), 0x11 }, 2);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x11);
    /* The loop of type 0 is at 0: without the write bit the words vanish. */
    wr_cp_me_ram_raddr(d, 0);
    {
        uint32_t hi = rd_cp_me_ram_datah(d), lo = rd_cp_me_ram_datal(d);

        rv_load_word(d, 0, hi, lo & ~(uint32_t)ME_WORD_WR_MASK);
        rv_pio(d, (const uint32_t[]) { 0x22 }, 1);
        rv_assert_hex(rd_gui_scratch_reg1(d), 0);
        rv_load_word(d, 0, hi, lo);
    }
    rv_pio(d, (const uint32_t[]) { 0x33 }, 1);
    rv_assert_hex(rd_gui_scratch_reg2(d), 0x33);
    g_assert_true(rv_wait_idle(d));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/me-ram/size", test_size);
    rv_test_add("/me-ram/datah-keeps-6-bits", test_datah_keeps_6_bits);
    rv_test_add("/me-ram/write-datah-does-not-move",
                test_write_datah_does_not_move);
    rv_test_add("/me-ram/write-datah-alone-commits-nothing",
                test_write_datah_alone_commits_nothing);
    rv_test_add("/me-ram/write-datal-commits-and-increments",
                test_write_datal_commits_and_increments);
    rv_test_add("/me-ram/raddr-reads-0", test_raddr_reads_0);
    rv_test_add("/me-ram/raddr-sets-both", test_raddr_sets_both);
    rv_test_add("/me-ram/addr-does-not-move-read-pointer",
                test_addr_does_not_move_read_pointer);
    rv_test_add("/me-ram/read-datah-can-be-repeated",
                test_read_datah_can_be_repeated);
    rv_test_add("/me-ram/read-datal-increments", test_read_datal_increments);
    rv_test_add("/me-ram/write-datal-does-not-synchronise",
                test_write_datal_does_not_synchronise);
    rv_test_add("/me-ram/load-while-running", test_load_while_running);
    return g_test_run();
}
