/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens at which virtual time: exact, since only the test moves the clock. */
#include "rv.h"

#define MS 1000000ll
#define SECOND 1000000000ll

/* 1024x768: 27 MHz * 361 / (25 * 6) = 64.98 MHz, 1344 x 806 pixels: 59.99 Hz. */
#define PIXEL_HZ 64980000
#define PIXELS (1344 * 806)
#define FRAME_NS (PIXELS * SECOND / PIXEL_HZ)
#define BLANK_NS (FRAME_NS * 768 / 806)     /* first line that is not displayed */

typedef void (*ClockTest)(RvDev *d);

static void run(gconstpointer data)
{
    static const RvVmConfig config = { .stepped = true,
                                       .args = "-device radeon-rv100" };
    g_autoptr(RvVm) vm = rv_vm_new(&config);
    RvDev *d;

    if (vm) {
        d = rv_dev_probe(vm, 0);
        ((ClockTest)data)(d);
        rv_dev_unref(d);
    }
}

static void pll(RvDev *d, uint32_t index, uint32_t value)
{
    wr_clock_cntl_index(d, index | R_CLOCK_CNTL_INDEX_PLL_WR_EN_MASK |
                        R_CLOCK_CNTL_INDEX_PLL_DIV_SEL_MASK);
    wr_clock_cntl_data(d, value);
}

/* The frame begins when the CRTC is switched on. */
static void start_crtc(RvDev *d)
{
    pll(d, P_PPLL_REF_DIV, 25);
    pll(d, P_PPLL_DIV_3, 6u << P_PPLL_DIV_3_PPLL_POST3_DIV_SHIFT | 361);
    wr_crtc_h_total_disp(d, 127u << R_CRTC_H_TOTAL_DISP_CRTC_H_DISP_SHIFT | 167);
    wr_crtc_v_total_disp(d, 767u << R_CRTC_V_TOTAL_DISP_CRTC_V_DISP_SHIFT | 805);
    wr_crtc_v_sync_strt_wid(d, 6u << R_CRTC_V_SYNC_STRT_WID_CRTC_V_SYNC_WID_SHIFT |
                            770);
    wr_crtc_gen_cntl(d, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK |
                     R_CRTC_GEN_CNTL_CRTC_EN_MASK |
                     R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP <<
                     R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_SHIFT);
}

static void test_stands_still(RvDev *d)
{
    uint32_t line;

    start_crtc(d);
    rv_clock_step(d->vm, 5 * MS);
    line = rd_crtc_vline_crnt_vline(d);
    rv_assert_hex(rd_crtc_vline_crnt_vline(d), line);
    rv_clock_step(d->vm, MS);
    g_assert_cmphex(rd_crtc_vline_crnt_vline(d), !=, line);
}

/* The counter counts at the start of vertical sync. */
static void test_frames(RvDev *d)
{
    uint32_t first;

    start_crtc(d);
    first = rd_crtc_crnt_frame(d);
    for (unsigned frame = 1; frame <= 50; frame++) {
        rv_clock_step(d->vm, FRAME_NS);
        g_assert_cmpuint(rd_crtc_crnt_frame(d) - first, ==, frame);
    }
    rv_clock_step(d->vm, 950 * FRAME_NS);
    g_assert_cmpuint(rd_crtc_crnt_frame(d) - first, ==, 1000);
}

static bool vblank_seen(RvDev *d)
{
    uint32_t stat = R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK;
    bool pending = rv_cfg_rd(d, 0x06, 2) & 0x8;     /* PCI: interrupt status */

    g_assert_cmpint(!!(rd_gen_int_status(d) & stat), ==, pending);
    wr_gen_int_status(d, stat);
    g_assert_cmphex(rv_cfg_rd(d, 0x06, 2) & 0x8, ==, 0);
    return pending;
}

/* One interrupt a frame, in the microsecond in which the last displayed line ends. */
static void test_vblank(RvDev *d)
{
    start_crtc(d);
    wr_gen_int_status(d, R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK);
    wr_gen_int_cntl(d, R_GEN_INT_CNTL_CRTC_VBLANK_MASK);
    rv_clock_step(d->vm, BLANK_NS - 1000);
    for (unsigned frame = 0; frame < 60; frame++) {
        g_assert_false(vblank_seen(d));
        rv_clock_step(d->vm, 2000);
        g_assert_true(vblank_seen(d));
        rv_clock_step(d->vm, FRAME_NS - 2000);
    }
}

/* A write of WPTR starts nothing by itself: the engine's slices come from the
 * clock. The write-back in memory is read since a register would give a slice. */
static void test_slices(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);

    rv_load_free_image(d);
    rv_packet0(&r->out, A_GUI_SCRATCH_REG0, 0xdeadbeef);
    for (unsigned i = 0; i < 62; i++) {
        rv_packet2(&r->out);
    }
    rv_ring_kick(r);
    rv_assert_hex(rv_mem_rd(d->vm, r->rptr_bus, 4), 0);
    rv_clock_step(d->vm, 100 * MS);
    rv_assert_hex(rv_mem_rd(d->vm, r->rptr_bus, 4), r->wptr);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0xdeadbeef);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_data_func("/clock/stands-still", test_stands_still, run);
    g_test_add_data_func("/clock/frames", test_frames, run);
    g_test_add_data_func("/clock/vblank", test_vblank, run);
    g_test_add_data_func("/clock/slices", test_slices, run);
    return g_test_run();
}
