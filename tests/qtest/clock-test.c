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

/* --- rates --- */

typedef struct Mode {
    uint32_t ref, fb, post, divider;    /* of the PLL; post: its code */
    uint32_t h_disp, h_total, v_disp, v_total;
    double hz;                          /* 0: as programmed */
} Mode;

static void start_head(RvDev *d, unsigned head, const Mode *m)
{
    uint32_t base = head ? A_CRTC2_H_TOTAL_DISP - A_CRTC_H_TOTAL_DISP : 0;

    pll(d, head ? P_P2PLL_REF_DIV : P_PPLL_REF_DIV, m->ref);
    pll(d, head ? P_P2PLL_DIV_0 : P_PPLL_DIV_3, m->post << 16 | m->fb);
    rv_wr32(d, base + A_CRTC_H_TOTAL_DISP,
            (m->h_disp / 8 - 1) << 16 | (m->h_total / 8 - 1));
    rv_wr32(d, base + A_CRTC_V_TOTAL_DISP, (m->v_disp - 1) << 16 | (m->v_total - 1));
    rv_wr32(d, head ? A_CRTC2_GEN_CNTL : A_CRTC_GEN_CNTL,
            R_CRTC_GEN_CNTL_CRTC_EN_MASK | (head ? 0 : R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK)
            | R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP << R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_SHIFT);
}

static double rate(const Mode *m)
{
    return m->hz ? m->hz : 27e6 * m->fb / (m->ref * m->divider)
        / ((double)m->h_total * m->v_total);
}

static void assert_rate(const Mode *m, unsigned count, unsigned frames)
{
    double wanted = rate(m) * 10;

    g_test_message("%ux%u: %.2f Hz, %u blanks and %u frames in 10 s", m->h_disp,
                   m->v_disp, rate(m), count, frames);
    g_assert_cmpfloat(ABS(count - wanted), <=, wanted / 100);
    g_assert_cmpuint(ABS((int)count - (int)frames), <=, 1);
}

/* Both heads at once, by an interrupt handler that clears what it has seen. */
static void count_blanks(RvDev *d, const Mode *first, const Mode *second)
{
    uint32_t one = R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK;
    uint32_t two = R_GEN_INT_STATUS_CRTC2_VBLANK_STAT_MASK;
    unsigned n1 = 0, n2 = 0;
    uint32_t f1, f2;

    start_head(d, 0, first);
    start_head(d, 1, second);
    wr_gen_int_cntl(d, one | two);
    wr_gen_int_status(d, one | two);
    f1 = rd_crtc_crnt_frame(d);
    f2 = rd_crtc2_crnt_frame(d);
    for (int64_t t = 0; t < 10 * SECOND; t += 2 * MS) {
        uint32_t status;

        rv_clock_step(d->vm, 2 * MS);
        status = rd_gen_int_status(d) & (one | two);
        if (status) {
            wr_gen_int_status(d, status);
        }
        n1 += !!(status & one);
        n2 += !!(status & two);
    }
    assert_rate(first, n1, rd_crtc_crnt_frame(d) - f1);
    assert_rate(second, n2, rd_crtc2_crnt_frame(d) - f2);
}

/* 25.17, 49.5, 64.98, 157.5 MHz; one with more frames and one with less than any
 * monitor has: they are brought to the nearest of 20 to 250 Hz. */
static const Mode modes[] = {
    { 32, 179, 6, 6, 640, 800, 480, 525, 0 },
    { 12, 88, 2, 4, 800, 1056, 600, 625, 0 },
    { 25, 361, 6, 6, 1024, 1344, 768, 806, 0 },
    { 12, 140, 1, 2, 1280, 1728, 1024, 1072, 0 },
    { 12, 140, 1, 2, 320, 400, 200, 210, 250 },
    { 25, 100, 5, 16, 1600, 2160, 1200, 1250, 20 },
};

static void test_rates(RvDev *d)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(modes); i++) {
        count_blanks(d, &modes[i], &modes[(i + 2) % G_N_ELEMENTS(modes)]);
    }
}

/* A line interrupt comes with its line; none for a line that is not there. */
static void test_vline(RvDev *d)
{
    uint32_t stat = R_GEN_INT_STATUS_CRTC_VLINE_STAT_MASK;

    start_crtc(d);
    wr_crtc_vline_crnt_vline(d, 300);
    wr_gen_int_status(d, stat);
    for (unsigned frame = 0; frame < 3; frame++) {
        rv_clock_step(d->vm, FRAME_NS * 300 / 806 - 1000);
        g_assert_false(rd_gen_int_status(d) & stat);
        rv_clock_step(d->vm, 2000);
        g_assert_true(rd_gen_int_status(d) & stat);
        g_assert_cmpuint(rd_crtc_vline_crnt_vline(d)
                         >> R_CRTC_VLINE_CRNT_VLINE_CRTC_CRNT_VLINE_SHIFT, ==, 300);
        wr_gen_int_status(d, stat);
        rv_clock_step(d->vm, FRAME_NS - FRAME_NS * 300 / 806 - 1000);
        g_assert_false(rd_gen_int_status(d) & stat);
    }
    wr_crtc_vline_crnt_vline(d, 806);
    rv_clock_step(d->vm, 5 * FRAME_NS);
    g_assert_false(rd_gen_int_status(d) & stat);
}

/* A guest that polls finds each blank, however long it looks away. */
static void test_polling(RvDev *d)
{
    start_crtc(d);
    for (unsigned n = 0; n < 20; n++) {
        wr_crtc_status(d, R_CRTC_STATUS_CRTC_VBLANK_SAVE_MASK);
        wr_gen_int_status(d, R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK);
        g_assert_false(rd_crtc_status(d) & R_CRTC_STATUS_CRTC_VBLANK_SAVE_MASK);
        rv_clock_step(d->vm, FRAME_NS + n * 7 * MS);
        g_assert_true(rd_crtc_status(d) & R_CRTC_STATUS_CRTC_VBLANK_SAVE_MASK);
        g_assert_true(rd_gen_int_status(d) & R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK);
    }
}

/* The software interrupt, and the line's level: enabled after it was raised. */
static void test_software(RvDev *d)
{
    wr_gen_int_status(d, R_GEN_INT_STATUS_SW_INT_SET_MASK);
    rv_assert_hex(rd_gen_int_status(d), R_GEN_INT_STATUS_SW_INT_MASK);
    g_assert_cmphex(rv_cfg_rd(d, 0x06, 2) & 0x8, ==, 0);
    wr_gen_int_cntl(d, R_GEN_INT_CNTL_SW_INT_EN_MASK);
    g_assert_cmphex(rv_cfg_rd(d, 0x06, 2) & 0x8, ==, 0x8);
    wr_gen_int_status(d, ~(uint32_t)(R_GEN_INT_STATUS_SW_INT_MASK
                                     | R_GEN_INT_STATUS_SW_INT_SET_MASK));
    g_assert_cmphex(rv_cfg_rd(d, 0x06, 2) & 0x8, ==, 0x8);
    wr_gen_int_status(d, R_GEN_INT_STATUS_SW_INT_MASK);
    g_assert_cmphex(rv_cfg_rd(d, 0x06, 2) & 0x8, ==, 0);
    rv_assert_hex(rd_gen_int_status(d), 0);
}

/* GUI idle comes after drawing: that of the engine's stream and the host's own. */
static void test_gui_idle(RvDev *d)
{
    const uint32_t word[] = { pm4_type0(A_GUI_SCRATCH_REG0, 1, false), 1 };
    uint32_t stat = R_GEN_INT_STATUS_GUI_IDLE_STAT_MASK;

    rv_load_free_image(d);
    rv_cp_mode(d, 1);
    wr_gen_int_status(d, stat);
    rv_wr32(d, A_CP_CSQ_APER_PRIMARY, word[0]);
    rv_wr32(d, A_CP_CSQ_APER_PRIMARY, word[1]);
    g_assert_false(rd_gen_int_status(d) & stat);
    rv_clock_step(d->vm, 10 * MS);
    g_assert_true(rd_gen_int_status(d) & stat);
    wr_gen_int_status(d, stat);
    wr_dp_gui_master_cntl(d, 0x00f006d0);       /* solid, 32 bpp, ROP P */
    wr_dst_y_x(d, 0);
    g_assert_false(rd_gen_int_status(d) & stat);
    wr_dst_height_width(d, 4u << 16 | 4);
    g_assert_true(rd_gen_int_status(d) & stat);
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
    g_test_add_data_func("/clock/rates", test_rates, run);
    g_test_add_data_func("/clock/vline", test_vline, run);
    g_test_add_data_func("/clock/polling", test_polling, run);
    g_test_add_data_func("/clock/software-interrupt", test_software, run);
    g_test_add_data_func("/clock/gui-idle", test_gui_idle, run);
    g_test_add_data_func("/clock/slices", test_slices, run);
    return g_test_run();
}
