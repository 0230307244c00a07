/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Display block: timing and vertical blank, page flips, scan-out, palettes,
 * cursor, DDC, and the waits of the command stream for the display. */
#include <string.h>

#include "fake-host.h"
#include "rv100/display.h"
#include "rv100/reginfo.h"

#define MS 1000000ll
#define SECOND 1000000000ll

/* Let the clock reach t, timers expiring on the way; the host's clock begins at
 * one second. */
static void run_to(FakeHost *h, int64_t t)
{
    t += SECOND;
    for (;;) {
        int first = -1;

        for (int i = 0; i < RV100_N_TIMERS; i++) {
            if (h->when[i] >= 0 && h->when[i] <= t
                && (first < 0 || h->when[i] < h->when[first])) {
                first = i;
            }
        }
        if (first < 0) {
            break;
        }
        h->now = MAX(h->now, h->when[first]);
        h->when[first] = -1;
        rv100_timer(h->chip, first);
    }
    h->now = t;
}

static void pll(FakeHost *h, uint32_t index, uint32_t value)
{
    fake_wr(h, A_CLOCK_CNTL_INDEX, index | R_CLOCK_CNTL_INDEX_PLL_WR_EN_MASK
            | R_CLOCK_CNTL_INDEX_PLL_DIV_SEL_MASK);
    fake_wr(h, A_CLOCK_CNTL_DATA, value);
}

/* 1024x768 at 60 Hz: 65 MHz = 27 MHz * 130 / (12 * 4.5): the nearest is
 * 27 * 361 / (25 * 6) = 64.98 MHz; 1344 x 806 pixels in all: 59.99 Hz. */
static void mode_1024(FakeHost *h, unsigned pix_width)
{
    pll(h, P_PPLL_REF_DIV, 25);
    pll(h, P_PPLL_DIV_3, 6u << 16 | 361);
    fake_wr(h, A_CRTC_H_TOTAL_DISP, 127u << 16 | 167);
    fake_wr(h, A_CRTC_V_TOTAL_DISP, 767u << 16 | 805);
    fake_wr(h, A_CRTC_V_SYNC_STRT_WID, 6u << 16 | 770);
    fake_wr(h, A_CRTC_PITCH, 128);
    fake_wr(h, A_CRTC_OFFSET, 0);
    fake_wr(h, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK
            | R_CRTC_GEN_CNTL_CRTC_EN_MASK | pix_width << 8);
}

static void mode_second(FakeHost *h)
{
    pll(h, P_P2PLL_REF_DIV, 25);
    pll(h, P_P2PLL_DIV_0, 6u << 16 | 361);
    fake_wr(h, A_CRTC2_H_TOTAL_DISP, 127u << 16 | 167);
    fake_wr(h, A_CRTC2_V_TOTAL_DISP, 767u << 16 | 805);
    fake_wr(h, A_CRTC2_GEN_CNTL, R_CRTC2_GEN_CNTL_CRTC2_EN_MASK | 6 << 8);
}

static void test_vblank_rate(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t stat = R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK, first;
    guint count = 0;

    mode_1024(h, 6);
    fake_wr(h, A_GEN_INT_STATUS, stat);
    fake_wr(h, A_GEN_INT_CNTL, stat);
    first = fake_rd(h, A_CRTC_CRNT_FRAME);
    for (int64_t t = MS; t <= 10 * SECOND; t += MS) {
        run_to(h, t);
        if (h->irq) {
            count++;
            fake_wr(h, A_GEN_INT_STATUS, stat);
            g_assert_false(h->irq);
            g_assert_cmphex(fake_rd(h, A_CRTC_STATUS) & 2, ==, 2);
            fake_wr(h, A_CRTC_STATUS, 2);
            g_assert_cmphex(fake_rd(h, A_CRTC_STATUS) & 2, ==, 0);
        }
    }
    g_assert_cmpuint(count, >=, 594);       /* 1 % of 600 */
    g_assert_cmpuint(count, <=, 606);
    g_assert_cmpint(ABS((int)(fake_rd(h, A_CRTC_CRNT_FRAME) - first)
                        - (int)count), <=, 1);
}

/* The line counter moves and CRTC_STATUS agrees with it. */
static void test_beam(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    bool seen[2] = { false, false };

    mode_1024(h, 6);
    for (int64_t t = 0; t < 20 * MS; t += MS / 4) {
        uint32_t line, blank;

        run_to(h, t);
        line = RV100_GET(fake_rd(h, A_CRTC_VLINE_CRNT_VLINE),
                         CRTC_VLINE_CRNT_VLINE, CRTC_CRNT_VLINE);
        blank = fake_rd(h, A_CRTC_STATUS) & 1;
        g_assert_cmpuint(line, <, 806);
        g_assert_cmpuint(blank, ==, line >= 768);
        seen[blank] = true;
    }
    g_assert_true(seen[0] && seen[1]);
}

/* When the interrupt comes the beam is in the blank, whatever the numbers. */
static void test_blank_begins(void)
{
    uint32_t stat = R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK;

    for (uint32_t lines = 400; lines < 420; lines++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);

        mode_1024(h, 6);
        fake_wr(h, A_CRTC_V_TOTAL_DISP, (lines - 1) << 16 | (lines + 28));
        fake_wr(h, A_GEN_INT_STATUS, stat);
        fake_wr(h, A_GEN_INT_CNTL, stat);
        while (!h->irq) {
            fake_run(h, 1);
        }
        g_assert_cmpuint(RV100_GET(fake_rd(h, A_CRTC_VLINE_CRNT_VLINE),
                                   CRTC_VLINE_CRNT_VLINE, CRTC_CRNT_VLINE), ==, lines);
        g_assert_cmphex(fake_rd(h, A_CRTC_STATUS) & 1, ==, 1);
    }
}

/* The clock of one head, or of the engine, is nothing to the other's beam. */
static void test_clocks_apart(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t line;

    mode_1024(h, 6);
    run_to(h, 10 * MS);
    mode_second(h);
    pll(h, P_SCLK_CNTL, 2);
    pll(h, P_PPLL_DIV_3, 6u << 16 | 361);       /* what it is already */
    line = RV100_GET(fake_rd(h, A_CRTC_VLINE_CRNT_VLINE), CRTC_VLINE_CRNT_VLINE,
                     CRTC_CRNT_VLINE);
    g_assert_cmpuint(line, ==, 483);            /* 10 ms of 16.67, 806 lines */
    pll(h, P_PPLL_DIV_3, 6u << 16 | 360);
    line = RV100_GET(fake_rd(h, A_CRTC_VLINE_CRNT_VLINE), CRTC_VLINE_CRNT_VLINE,
                     CRTC_CRNT_VLINE);
    g_assert_cmpuint(line, ==, 0);
}

static uint32_t current_line(FakeHost *h)
{
    return RV100_GET(fake_rd(h, A_CRTC_VLINE_CRNT_VLINE), CRTC_VLINE_CRNT_VLINE,
                     CRTC_CRNT_VLINE);
}

/* Another divider is another clock, at once; the rest of the index is not. */
static void test_divider(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t stat = R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK;
    uint32_t third = R_CLOCK_CNTL_INDEX_PLL_DIV_SEL_MASK;

    fake_wr(h, A_CLOCK_CNTL_INDEX, P_PPLL_DIV_0 | R_CLOCK_CNTL_INDEX_PLL_WR_EN_MASK | third);
    fake_wr(h, A_CLOCK_CNTL_DATA, 6u << 16 | 722);          /* twice as fast */
    mode_1024(h, 6);
    run_to(h, 10 * MS);
    fake_wr(h, A_CLOCK_CNTL_INDEX, P_PPLL_CNTL | third);
    g_assert_cmpuint(current_line(h), ==, 483);             /* 10 ms of 16.67, 806 lines */
    fake_wr(h, A_CLOCK_CNTL_INDEX, P_PPLL_CNTL);
    g_assert_cmpuint(current_line(h), ==, 0);
    fake_wr(h, A_GEN_INT_STATUS, stat);
    run_to(h, 17 * MS);                                     /* blank 7.9 ms later */
    g_assert_cmphex(fake_rd(h, A_GEN_INT_STATUS) & stat, ==, 0);
    run_to(h, 18 * MS);
    g_assert_cmphex(fake_rd(h, A_GEN_INT_STATUS) & stat, ==, stat);
    run_to(h, 10 * MS + 8340 * 1000);
    g_assert_cmpuint(current_line(h), <, 10);
}

/* CRTC_STATUS: what is now, and that there was a blank until it is written back. */
static void test_status(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    static const uint32_t status[] = { A_CRTC_STATUS, A_CRTC2_STATUS };
    const uint32_t cur = R_CRTC_STATUS_CRTC_VBLANK_CUR_MASK;
    const uint32_t save = R_CRTC_STATUS_CRTC_VBLANK_SAVE_MASK;

    mode_1024(h, 6);
    mode_second(h);
    for (unsigned n = 0; n < RV100_HEADS; n++) {
        int64_t frame = n * 100 * MS;

        run_to(h, frame + 1 * MS);
        fake_wr(h, status[n], save);
        g_assert_cmphex(fake_rd(h, status[n]) & (cur | save), ==,
                        fake_rd(h, status[n]) & cur);
        run_to(h, frame + 20 * MS);             /* a blank has passed */
        g_assert_cmphex(fake_rd(h, status[n]) & save, ==, save);
        fake_wr(h, status[n], 0);
        g_assert_cmphex(fake_rd(h, status[n]) & save, ==, save);
        fake_wr(h, status[n], save);
        g_assert_cmphex(fake_rd(h, status[n]) & save, ==, 0);
    }
}

/* A rate that no monitor has does not make the host spin, or stand still. */
static void test_clamp(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t stat = R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK;
    Rv100DisplayMode m;

    mode_1024(h, 6);
    fake_wr(h, A_CRTC_H_TOTAL_DISP, 0);
    fake_wr(h, A_CRTC_V_TOTAL_DISP, 0);
    rv100_display_mode(h->chip, 0, &m);
    g_assert_cmpuint(m.refresh, ==, 250000);
    fake_wr(h, A_CRTC_H_TOTAL_DISP, 0x3ff);
    fake_wr(h, A_CRTC_V_TOTAL_DISP, 0x7ff);
    rv100_display_mode(h->chip, 0, &m);
    g_assert_cmpuint(m.refresh, ==, 20000);
    fake_wr(h, A_CRTC_H_TOTAL_DISP, 0);
    fake_wr(h, A_CRTC_V_TOTAL_DISP, 0);
    pll(h, P_PPLL_DIV_3, 0);
    rv100_display_mode(h->chip, 0, &m);
    g_assert_cmpuint(m.refresh, ==, 59999);
    fake_wr(h, A_GEN_INT_STATUS, stat);
    run_to(h, SECOND / 10);
    g_assert_cmphex(fake_rd(h, A_GEN_INT_STATUS) & stat, ==, stat);
}

static uint32_t shown_offset(FakeHost *h)
{
    Rv100DisplayMode m;

    rv100_display_mode(h->chip, 0, &m);
    return m.offset;
}

/* A locked offset is pending and latches at the blank after the unlock. */
static void test_flip(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t pending = R_CRTC_OFFSET_GUI_TRIG_OFFSET_MASK;

    mode_1024(h, 6);
    run_to(h, 30 * MS);
    g_assert_cmphex(fake_rd(h, A_CRTC_OFFSET) & pending, ==, 0);
    fake_wr(h, A_CRTC_OFFSET, 0x1000 | R_CRTC_OFFSET_OFFSET_LOCK_MASK);
    g_assert_cmphex(fake_rd(h, A_CRTC_OFFSET) & pending, ==, pending);
    run_to(h, 80 * MS);
    g_assert_cmphex(shown_offset(h), ==, 0);
    fake_wr(h, A_CRTC_OFFSET, 0x1000);
    g_assert_cmphex(shown_offset(h), ==, 0);
    g_assert_cmphex(fake_rd(h, A_CRTC_OFFSET) & pending, ==, pending);
    run_to(h, 100 * MS);
    g_assert_cmphex(shown_offset(h), ==, 0x1000);
    g_assert_cmphex(fake_rd(h, A_CRTC_OFFSET), ==, 0x1000);
}

/* One written inside a blank is shown with the frame that follows. */
static void test_flip_in_blank(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    mode_1024(h, 6);
    run_to(h, 30 * MS);
    run_to(h, 33 * MS);             /* line 789 of 806 */
    g_assert_cmphex(fake_rd(h, A_CRTC_STATUS) & 1, ==, 1);
    fake_wr(h, A_CRTC_OFFSET, 0x1000);
    g_assert_cmphex(fake_rd(h, A_CRTC_OFFSET), ==, 0x1000);
    g_assert_cmphex(shown_offset(h), ==, 0x1000);
    /* ... unless it is locked */
    fake_wr(h, A_CRTC_OFFSET, 0x2000 | R_CRTC_OFFSET_OFFSET_LOCK_MASK);
    run_to(h, 60 * MS);
    g_assert_cmphex(shown_offset(h), ==, 0x1000);
}

/* As the driver counts frames: one more from the last line shown on. The sum
 * never goes back. */
/* A CRTC that is switched off has no blank to wait for. */
static void test_flip_switched_off(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t gen;

    mode_1024(h, 6);
    run_to(h, 5 * MS);
    fake_wr(h, A_CRTC_OFFSET, 0x2000);
    g_assert_cmphex(shown_offset(h), ==, 0);
    gen = fake_rd(h, A_CRTC_GEN_CNTL);
    fake_wr(h, A_CRTC_GEN_CNTL, gen & ~R_CRTC_GEN_CNTL_CRTC_EN_MASK);
    g_assert_cmphex(shown_offset(h), ==, 0x2000);
    g_assert_cmphex(fake_rd(h, A_CRTC_OFFSET), ==, 0x2000);
}

static void test_frame_count(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t last = 0, first = 0;

    mode_1024(h, 6);
    for (int64_t t = 1; t < SECOND; t += MS / 10) {
        uint32_t count, line;

        run_to(h, t);
        count = fake_rd(h, A_CRTC_CRNT_FRAME);
        line = RV100_GET(fake_rd(h, A_CRTC_VLINE_CRNT_VLINE),
                         CRTC_VLINE_CRNT_VLINE, CRTC_CRNT_VLINE);
        count += line >= 767;
        first = last ? first : count;
        g_assert_true(!last || count == last || count == last + 1);
        last = count;
    }
    g_assert_cmpuint(last - first, >=, 59);
    g_assert_cmpuint(last - first, <=, 60);
    /* 21 bits: 2.4 million frames are more than it holds */
    h->now += 40000 * SECOND;
    g_assert_cmpuint(fake_rd(h, A_CRTC_CRNT_FRAME), <, 1u << 21);
    g_assert_cmpuint(fake_rd(h, A_CRTC_CRNT_FRAME), >, 300000);
}

/* --- scan-out --- */

static uint32_t pixel(FakeHost *h, uint32_t x, uint32_t y)
{
    g_autofree uint32_t *row = g_new0(uint32_t, 4096);
    Rv100DisplayMode m;

    rv100_display_mode(h->chip, 0, &m);
    g_assert_cmpuint(x, <, m.width);
    rv100_scanout(h->chip, 0, &m, y, 1, row, 0);
    return row[x];
}

static void test_formats(void)
{
    static const struct {
        unsigned width, bytes;
        uint32_t raw, rgb;
    } cases[] = {
        { 2, 1, 0x42, 0x424242 },
        { 3, 2, 0x7c1f, 0xf800f8 },         /* 1555: red and blue full */
        { 4, 2, 0x07e0, 0x00fc00 },         /* 565: green full */
        { 5, 3, 0x123456, 0x123456 },
        { 6, 4, 0xff654321, 0x654321 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);
        uint32_t at = (128 * 8 * 3 + 5) * cases[i].bytes;

        mode_1024(h, cases[i].width);
        run_to(h, 30 * MS);
        for (unsigned b = 0; b < cases[i].bytes; b++) {
            h->vram[at + b] = cases[i].raw >> 8 * b;
        }
        g_assert_cmphex(pixel(h, 5, 3), ==, cases[i].rgb);
        g_assert_cmphex(pixel(h, 4, 3), ==, 0);
        fake_wr(h, A_CRTC_EXT_CNTL, R_CRTC_EXT_CNTL_CRTC_DISPLAY_DIS_MASK);
        g_assert_cmphex(pixel(h, 5, 3), ==, 0);
    }
}

/* Display off, either sync off, CRTC off, no display requests: black, on both
 * heads. */
static void test_dark(void)
{
    static const struct {
        unsigned head;
        uint32_t offset, set, clear;
    } cases[] = {
        { 0, A_CRTC_EXT_CNTL, R_CRTC_EXT_CNTL_CRTC_DISPLAY_DIS_MASK, 0 },
        { 0, A_CRTC_EXT_CNTL, R_CRTC_EXT_CNTL_CRTC_HSYNC_DIS_MASK, 0 },
        { 0, A_CRTC_EXT_CNTL, R_CRTC_EXT_CNTL_CRTC_VSYNC_DIS_MASK, 0 },
        { 0, A_CRTC_GEN_CNTL, 0, R_CRTC_GEN_CNTL_CRTC_EN_MASK },
        { 0, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_DISP_REQ_EN_B_MASK, 0 },
        { 1, A_CRTC2_GEN_CNTL, R_CRTC2_GEN_CNTL_CRTC2_DISPLAY_DIS_MASK, 0 },
        { 1, A_CRTC2_GEN_CNTL, R_CRTC2_GEN_CNTL_CRTC2_HSYNC_DIS_MASK, 0 },
        { 1, A_CRTC2_GEN_CNTL, R_CRTC2_GEN_CNTL_CRTC2_VSYNC_DIS_MASK, 0 },
        { 1, A_CRTC2_GEN_CNTL, R_CRTC2_GEN_CNTL_CRTC2_DISP_REQ_EN_B_MASK, 0 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);
        uint32_t on;
        Rv100DisplayMode m;

        mode_1024(h, 6);
        mode_second(h);
        on = fake_rd(h, cases[i].offset);
        rv100_display_mode(h->chip, cases[i].head, &m);
        g_assert_true(m.native && !m.blank);
        fake_wr(h, cases[i].offset, (on | cases[i].set) & ~cases[i].clear);
        rv100_display_mode(h->chip, cases[i].head, &m);
        g_assert_true(m.blank);
        rv100_display_mode(h->chip, !cases[i].head, &m);
        g_assert_true(m.native && !m.blank);
        fake_wr(h, cases[i].offset, on);
        rv100_display_mode(h->chip, cases[i].head, &m);
        g_assert_true(m.native && !m.blank);
    }
}

/* What is not emulated is said, once. */
static void test_unimp(void)
{
    static const struct {
        uint32_t offset, bits;
        const char *line;
    } cases[] = {
        { A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_INTERLACE_EN_MASK, "interlaced" },
        { A_CRTC_GEN_CNTL, 8u << 8, "pixel width" },
        { A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK | 1u << 20, "cursor mode 1" },
        { A_CRTC_OFFSET_CNTL, R_CRTC_OFFSET_CNTL_CRTC_TILE_EN_MASK, "tiled" },
        { A_DAC_CNTL, R_DAC_CNTL_DAC_BLANKING_MASK, "DAC_BLANKING" },
        { A_OV0_SCALE_CNTL, R_OV0_SCALE_CNTL_OV0_OVERLAY_EN_MASK, "overlay" },
    };
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    mode_1024(h, 6);
    pixel(h, 0, 0);
    g_assert_cmpuint(h->log->len, ==, 0);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint32_t old = fake_rd(h, cases[i].offset);

        for (unsigned n = 0; n < 2; n++) {
            fake_wr(h, cases[i].offset, old | cases[i].bits);
            pixel(h, 0, 0);
            fake_wr(h, cases[i].offset, old);
            g_assert_cmpuint(h->log->len, ==, i + 1);
        }
        g_assert_true(fake_logged(h, cases[i].line));
    }
}

/* Rows beyond the VRAM are black, and nothing is read there. */
static void test_beyond_vram(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    mode_1024(h, 6);
    run_to(h, 30 * MS);
    memset(h->vram, 0xff, FAKE_VRAM);
    fake_wr(h, A_CRTC_OFFSET, FAKE_VRAM - 4096 - 8);
    run_to(h, 60 * MS);
    g_assert_cmphex(pixel(h, 1023, 0), ==, 0xffffff);
    g_assert_cmphex(pixel(h, 1, 1), ==, 0xffffff);
    g_assert_cmphex(pixel(h, 2, 1), ==, 0);
    g_assert_cmphex(pixel(h, 0, 2), ==, 0);
}

static void test_double_scan(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    mode_1024(h, 2);
    run_to(h, 30 * MS);
    h->vram[1024 + 7] = 0x80;
    fake_wr(h, A_CRTC_GEN_CNTL, fake_rd(h, A_CRTC_GEN_CNTL)
            | R_CRTC_GEN_CNTL_CRTC_DBL_SCAN_EN_MASK);
    g_assert_cmphex(pixel(h, 7, 1), ==, 0);
    g_assert_cmphex(pixel(h, 7, 2), ==, 0x808080);
    g_assert_cmphex(pixel(h, 7, 3), ==, 0x808080);
    g_assert_cmphex(pixel(h, 7, 4), ==, 0);
}

/* --- palettes --- */

static void test_palette(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    mode_1024(h, 2);
    run_to(h, 30 * MS);
    rv100_mmio_write(h->chip, A_PALETTE_INDEX, 0x41, 1);
    fake_wr(h, A_PALETTE_30_DATA, 0x3ff00000);
    fake_wr(h, A_PALETTE_DATA, 0x00ff8001);         /* index went on to 0x42 */
    h->vram[0] = 0x41;
    h->vram[1] = 0x42;
    g_assert_cmphex(pixel(h, 0, 0), ==, 0xff0000);
    g_assert_cmphex(pixel(h, 1, 0), ==, 0xff8001);
    /* The second table is another one. */
    fake_wr(h, A_DAC_CNTL2, R_DAC_CNTL2_DAC2_PALETTE_ACC_CTL_MASK);
    rv100_mmio_write(h->chip, A_PALETTE_INDEX, 0x41, 1);
    fake_wr(h, A_PALETTE_30_DATA, 0x000003ff);
    g_assert_cmphex(pixel(h, 0, 0), ==, 0xff0000);
    g_assert_cmphex(rv100_palette_get(h->chip, 1, 0x41), ==, 0x3ff);
    fake_wr(h, A_PALETTE_INDEX, 0x41u << 16);
    g_assert_cmphex(fake_rd(h, A_PALETTE_30_DATA), ==, 0x3ff);
    fake_wr(h, A_DAC_CNTL2, 0);
    fake_wr(h, A_PALETTE_INDEX, 0x41u << 16);       /* each read goes on */
    g_assert_cmphex(fake_rd(h, A_PALETTE_DATA), ==, 0xff0000);
    g_assert_cmphex(fake_rd(h, A_PALETTE_DATA), ==, 0xff8001);
    /* 8 bits are the high ones of 10, and full scale is full scale */
    fake_wr(h, A_PALETTE_INDEX, 0x42u << 16);
    g_assert_cmphex(fake_rd(h, A_PALETTE_30_DATA), ==, 0x3ffu << 20 | 0x202 << 10 | 0x004);
}

/* PLL registers: written only with PLL_WR_EN; the bit that starts an update reads
 * back as done. */
static void test_pll(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    static const uint32_t regs[] = { P_PPLL_REF_DIV, P_P2PLL_REF_DIV };

    for (unsigned i = 0; i < G_N_ELEMENTS(regs); i++) {
        pll(h, regs[i], 0x8055);
        g_assert_cmphex(fake_rd(h, A_CLOCK_CNTL_DATA), ==, 0x55);
        fake_wr(h, A_CLOCK_CNTL_INDEX, regs[i]);
        fake_wr(h, A_CLOCK_CNTL_DATA, 0x33);
        g_assert_cmphex(fake_rd(h, A_CLOCK_CNTL_DATA), ==, 0x55);
        g_assert_cmphex(fake_rd(h, A_CLOCK_CNTL_INDEX), ==, regs[i]);
    }
}

/* A monitor at the VGA connector is a load for the first DAC. */
static void test_load(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    const uint32_t load = R_DAC_CNTL_DAC_CMP_OUTPUT_MASK;
    uint8_t edid[128] = { 0 };

    g_assert_cmphex(fake_rd(h, A_DAC_CNTL) & load, ==, 0);
    rv100_set_monitor(h->chip, RV100_CONNECTOR_DVI, true, edid, sizeof(edid));
    g_assert_cmphex(fake_rd(h, A_DAC_CNTL) & load, ==, 0);
    rv100_set_monitor(h->chip, RV100_CONNECTOR_VGA, true, edid, sizeof(edid));
    g_assert_cmphex(fake_rd(h, A_DAC_CNTL) & load, ==, load);
    fake_wr(h, A_DAC_CNTL, 0);
    g_assert_cmphex(fake_rd(h, A_DAC_CNTL) & load, ==, load);
}

/* The table is gamma in direct colour. */
static void test_gamma(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    mode_1024(h, 4);
    run_to(h, 30 * MS);
    rv100_mmio_write(h->chip, A_PALETTE_INDEX, 0xf8, 1);
    fake_wr(h, A_PALETTE_30_DATA, 0x12u << 22 | 0x34u << 12 | 0x56u << 2);
    rv100_mmio_write(h->chip, A_PALETTE_INDEX, 0xfc, 1);
    fake_wr(h, A_PALETTE_30_DATA, 0x78u << 12);
    h->vram[0] = h->vram[1] = 0xff;
    g_assert_cmphex(pixel(h, 0, 0), ==, 0x127856);
    /* ... unless VGA ports wrote it last: these are colours of 8 bits a pixel. */
    rv100_palette_set(h->chip, 0, 0xf8, 0);
    g_assert_cmphex(pixel(h, 0, 0), ==, 0xf8fcf8);
    rv100_mmio_write(h->chip, A_PALETTE_INDEX, 0xf8, 1);
    fake_wr(h, A_PALETTE_30_DATA, 0x12u << 22 | 0x34u << 12 | 0x56u << 2);
    g_assert_cmphex(pixel(h, 0, 0), ==, 0x127856);
    rv100_palette_set(h->chip, 0, 0xf8, 0);
    mode_1024(h, 2);
    h->vram[0] = 0xf8;
    g_assert_cmphex(pixel(h, 0, 0), ==, 0);
}

/* --- cursor --- */

#define CURSOR_AT 0xf0000

static void cursor(FakeHost *h, unsigned mode, uint32_t x, uint32_t y,
                   uint32_t skip_x, uint32_t skip_y)
{
    fake_wr(h, A_CUR_OFFSET, CURSOR_AT + skip_y * (mode ? 256 : 16));
    fake_wr(h, A_CUR_HORZ_VERT_OFF, skip_x << 16 | skip_y);
    fake_wr(h, A_CUR_HORZ_VERT_POSN, x << 16 | y);
    fake_wr(h, A_CUR_CLR0, 0x112233);
    fake_wr(h, A_CUR_CLR1, 0x445566);
    fake_wr(h, A_CRTC_GEN_CNTL, (fake_rd(h, A_CRTC_GEN_CNTL)
            & ~R_CRTC_GEN_CNTL_CRTC_CUR_MODE_MASK)
            | mode << R_CRTC_GEN_CNTL_CRTC_CUR_MODE_SHIFT
            | R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK);
}

/* A 160x120 picture, so that it and the cursor fit the small VRAM. */
static void small_mode(FakeHost *h)
{
    mode_1024(h, 6);
    fake_wr(h, A_CRTC_H_TOTAL_DISP, 19u << 16 | 167);
    fake_wr(h, A_CRTC_V_TOTAL_DISP, 119u << 16 | 805);
    fake_wr(h, A_CRTC_PITCH, 20);
    run_to(h, 60 * MS);
    memset(h->vram, 0x20, 160 * 120 * 4);
}

static void test_cursor_mono(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    small_mode(h);
    /* Row 0: clr0, clr1, clear, invert; all else clear. */
    for (unsigned row = 0; row < 64; row++) {
        memset(h->vram + CURSOR_AT + 16 * row, 0xff, 8);
    }
    h->vram[CURSOR_AT] = 0x3f;
    h->vram[CURSOR_AT + 8] = 0x50;
    cursor(h, 0, 10, 20, 0, 0);
    g_assert_cmphex(pixel(h, 10, 20), ==, 0x112233);
    g_assert_cmphex(pixel(h, 11, 20), ==, 0x445566);
    g_assert_cmphex(pixel(h, 12, 20), ==, 0x202020);
    g_assert_cmphex(pixel(h, 13, 20), ==, 0xdfdfdf);
    g_assert_cmphex(pixel(h, 10, 21), ==, 0x202020);
}

static void test_cursor_argb(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint8_t *c = NULL;

    small_mode(h);
    c = h->vram + CURSOR_AT;
    memset(c, 0, 64 * 256);
    memcpy(c + 63 * 256 + 63 * 4, "\x10\x20\x30\xff", 4);   /* opaque */
    memcpy(c + 5 * 256 + 7 * 4, "\x40\x00\x00\x80", 4);     /* half blue */
    cursor(h, 2, 0, 0, 0, 0);
    g_assert_cmphex(pixel(h, 63, 63), ==, 0x302010);
    g_assert_cmphex(pixel(h, 7, 5), ==, 0x101050);
    g_assert_cmphex(pixel(h, 8, 5), ==, 0x202020);
    /* Beyond the left and upper edge. */
    cursor(h, 2, 0, 0, 60, 61);
    g_assert_cmphex(pixel(h, 3, 2), ==, 0x302010);
    g_assert_cmphex(pixel(h, 3, 3), ==, 0x202020);
    /* Over the right and lower edge, and beyond. */
    cursor(h, 2, 159, 119, 0, 0);
    memcpy(c, "\x01\x02\x03\xff", 4);
    g_assert_cmphex(pixel(h, 159, 119), ==, 0x030201);
    cursor(h, 2, 4000, 4000, 0, 0);
    g_assert_cmphex(pixel(h, 159, 119), ==, 0x202020);
    /* A picture that ends beyond the VRAM is cut. */
    fake_wr(h, A_CUR_OFFSET, FAKE_VRAM - 8);
    fake_wr(h, A_CUR_HORZ_VERT_POSN, 0);
    g_assert_cmphex(pixel(h, 0, 0), ==, 0x202020);
}

/* CUR_LOCK in one register holds back all three until it is clear in one. */
static void test_cursor_lock(void)
{
    static const uint32_t regs[] = { A_CUR_OFFSET, A_CUR_HORZ_VERT_POSN,
                                     A_CUR_HORZ_VERT_OFF };
    const uint32_t lock = R_CUR_OFFSET_CUR_LOCK_MASK;

    for (unsigned first = 0; first < 3; first++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);
        uint32_t values[3] = { CURSOR_AT + 3 * 256, 50u << 16 | 40, 2u << 16 | 3 };
        unsigned last = (first + 2) % 3;

        small_mode(h);
        memset(h->vram + CURSOR_AT, 0xff, 64 * 256);
        memcpy(h->vram + CURSOR_AT + 3 * 256 + 2 * 4, "\x10\x20\x30\xff", 4);
        cursor(h, 2, 0, 0, 0, 0);
        for (unsigned i = 0; i < 3; i++) {
            unsigned n = (first + i) % 3;

            g_assert_cmphex(pixel(h, 2, 3), ==, 0x302010);
            g_assert_cmphex(pixel(h, 50, 40), ==, 0xffffff);
            g_assert_cmphex(pixel(h, 80, 80), ==, 0x202020);
            fake_wr(h, regs[n], values[n] | (n != last ? lock : 0));
        }
        g_assert_cmphex(pixel(h, 2, 3), ==, 0x202020);
        g_assert_cmphex(pixel(h, 50, 40), ==, 0x302010);
        g_assert_cmphex(pixel(h, 80, 80), ==, 0xffffff);
    }
}

/* --- DDC --- */

static void lines(FakeHost *h, uint32_t port, bool clock, bool data)
{
    fake_wr(h, port, (clock ? 0 : R_GPIO_VGA_DDC_CLK_EN_MASK)
            | (data ? 0 : R_GPIO_VGA_DDC_DATA_EN_MASK));
}

static bool data_in(FakeHost *h, uint32_t port)
{
    return fake_rd(h, port) & R_GPIO_VGA_DDC_DATA_IN_MASK;
}

static void i2c_start(FakeHost *h, uint32_t port)
{
    lines(h, port, true, true);
    lines(h, port, true, false);
    lines(h, port, false, false);
}

static void i2c_stop(FakeHost *h, uint32_t port)
{
    lines(h, port, false, false);
    lines(h, port, true, false);
    lines(h, port, true, true);
}

static bool i2c_bit(FakeHost *h, uint32_t port, bool bit)
{
    bool in;

    lines(h, port, false, bit);
    lines(h, port, true, bit);
    in = data_in(h, port);
    lines(h, port, false, bit);
    return in;
}

static bool i2c_write(FakeHost *h, uint32_t port, uint8_t byte)
{
    for (int i = 7; i >= 0; i--) {
        i2c_bit(h, port, byte >> i & 1);
    }
    return !i2c_bit(h, port, true);
}

static uint8_t i2c_read(FakeHost *h, uint32_t port, bool last)
{
    uint8_t byte = 0;

    for (int i = 0; i < 8; i++) {
        byte = byte << 1 | i2c_bit(h, port, true);
    }
    i2c_bit(h, port, last);
    return byte;
}

static void test_ddc(gconstpointer data)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    Rv100Connector connector = GPOINTER_TO_INT(data);
    uint32_t port = connector == RV100_CONNECTOR_VGA ? A_GPIO_VGA_DDC
        : A_GPIO_DVI_DDC;
    uint32_t other = port == A_GPIO_VGA_DDC ? A_GPIO_DVI_DDC : A_GPIO_VGA_DDC;
    uint8_t edid[128];

    for (unsigned i = 0; i < sizeof(edid); i++) {
        edid[i] = i * 37 + 5;
    }
    rv100_set_monitor(h->chip, connector, true, edid, sizeof(edid));
    g_assert_cmphex(fake_rd(h, other) & 0x300, ==, 0x300);
    g_assert_cmphex(fake_rd(h, A_GPIO_MONID) & 0x300, ==, 0x300);
    i2c_start(h, port);
    g_assert_true(i2c_write(h, port, 0xa0));
    g_assert_true(i2c_write(h, port, 3));
    i2c_start(h, port);
    g_assert_true(i2c_write(h, port, 0xa1));
    for (unsigned i = 3; i < sizeof(edid); i++) {
        g_assert_cmphex(i2c_read(h, port, i == sizeof(edid) - 1), ==, edid[i]);
    }
    i2c_stop(h, port);
    g_assert_cmphex(fake_rd(h, port) & 0x300, ==, 0x300);
    /* Nobody else answers. */
    i2c_start(h, port);
    g_assert_false(i2c_write(h, port, 0x60));
    i2c_stop(h, port);
    i2c_start(h, other);
    g_assert_false(i2c_write(h, other, 0xa0));
    i2c_stop(h, other);
    g_assert_cmphex(fake_rd(h, A_FP_GEN_CNTL)
                    & R_FP_GEN_CNTL_FP_DETECT_SENSE_MASK, ==,
                    connector == RV100_CONNECTOR_DVI
                    ? R_FP_GEN_CNTL_FP_DETECT_SENSE_MASK : 0);
}

static void test_hotplug(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    uint32_t stat = R_GEN_INT_STATUS_FP_DETECT_STAT_MASK;
    uint8_t edid[128] = { 0 };

    fake_wr(h, A_FP_GEN_CNTL, R_FP_GEN_CNTL_FP_DETECT_INT_POL_MASK);
    fake_wr(h, A_GEN_INT_CNTL, stat);
    rv100_set_monitor(h->chip, RV100_CONNECTOR_DVI, true, edid,
                      sizeof(edid));
    g_assert_true(h->irq);
    fake_wr(h, A_GEN_INT_STATUS, stat);
    g_assert_false(h->irq);
    /* The polarity says which edge: unplugging is silent until it changes. */
    rv100_set_monitor(h->chip, RV100_CONNECTOR_DVI, false, NULL, 0);
    g_assert_cmphex(fake_rd(h, A_GEN_INT_STATUS) & stat, ==, 0);
    rv100_set_monitor(h->chip, RV100_CONNECTOR_DVI, true, edid, sizeof(edid));
    fake_wr(h, A_GEN_INT_STATUS, stat);
    fake_wr(h, A_FP_GEN_CNTL, 0);
    rv100_set_monitor(h->chip, RV100_CONNECTOR_DVI, false, NULL, 0);
    g_assert_true(h->irq);
    g_assert_cmphex(fake_rd(h, A_FP_GEN_CNTL) & R_FP_GEN_CNTL_FP_DETECT_SENSE_MASK, ==, 0);
}

/* --- waits --- */

/* A stream that waits, then writes 0x1234 to the first scratch register. */
static void stream_wait(FakeHost *h, uint32_t wait)
{
    const uint32_t words[] = {
        fake_type0(A_WAIT_UNTIL, 1), wait, fake_type0(A_GUI_SCRATCH_REG0, 1), 0x1234,
    };

    fake_load_mini(h);
    fake_csq_mode(h, R_CP_CSQ_CNTL_CSQ_MODE_PRIPIO_INDDIS);
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        fake_wr(h, A_CP_CSQ_APER_PRIMARY, words[i]);
    }
}

/* The wait holds at t, and holds no longer at t2; times as for run_to(). */
static void assert_waits(FakeHost *h, int64_t t, int64_t t2)
{
    run_to(h, t);
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 0);
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS) & R_RBBM_STATUS_GUI_ACTIVE_MASK, !=, 0);
    run_to(h, t2);
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 0x1234);
}

/* A wait for a flip holds the stream until the blank. */
static void test_wait_flip(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    mode_1024(h, 6);
    run_to(h, 18 * MS);             /* just after the first blank */
    fake_wr(h, A_CRTC_OFFSET, 0x1000);
    stream_wait(h, R_WAIT_UNTIL_WAIT_CRTC_PFLIP_MASK);
    assert_waits(h, 20 * MS, 40 * MS);
    g_assert_cmphex(shown_offset(h), ==, 0x1000);
    g_assert_cmpuint(h->log->len, ==, 0);
}

/* ... of the second CRTC, or of both; the second's blanks come 10 ms later. */
static void test_wait_flips(void)
{
    static const struct {
        uint32_t wait;
        int64_t until;
    } cases[] = {
        { R_WAIT_UNTIL_WAIT_CRTC_PFLIP_MASK, 16 },
        { R_WAIT_UNTIL_WAIT_CRTC_PFLIP_MASK | R_WAIT_UNTIL_ENG_DISPLAY_SELECT_MASK, 26 },
        { R_WAIT_UNTIL_WAIT_BOTH_CRTC_PFLIP_MASK, 26 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);

        mode_1024(h, 6);
        run_to(h, 10 * MS);
        mode_second(h);
        run_to(h, 11 * MS);
        fake_wr(h, A_CRTC_OFFSET, 0x1000);
        fake_wr(h, A_CRTC2_OFFSET, 0x1000);
        stream_wait(h, cases[i].wait);
        assert_waits(h, (cases[i].until - 1) * MS, (cases[i].until + 1) * MS);
        g_assert_cmpuint(h->log->len, ==, 0);
    }
}

/* Lines 200 to 399 are shown from 4.1 to 8.3 ms of each frame of 16.7 ms. */
static void test_wait_lines(void)
{
    const uint32_t inside = R_WAIT_UNTIL_WAIT_CRTC_VLINE_MASK;
    const uint32_t begin = R_WAIT_UNTIL_WAIT_RE_CRTC_VLINE_MASK;
    const uint32_t end = R_WAIT_UNTIL_WAIT_FE_CRTC_VLINE_MASK;
    const uint32_t inv = R_CRTC_GUI_TRIG_VLINE_CRTC_GUI_TRIG_VLINE_INV_MASK;
    const struct {
        uint32_t wait, lines;
        int64_t at, until;          /* 0.1 ms */
    } cases[] = {
        { inside, 399u << 16 | 200, 10, 41 },
        { inside, 399u << 16 | 200, 100, 208 },
        { inside, inv | 399u << 16 | 200, 50, 83 },
        { begin, 399u << 16 | 200, 10, 41 },
        { begin, 399u << 16 | 200, 50, 208 },
        { end, 399u << 16 | 200, 50, 83 },
        { end, 399u << 16 | 200, 10, 83 },
        { end, 399u << 16 | 200, 100, 249 },
        { end, 805u << 16 | 780, 10, 166 },     /* ends with the frame */
        { begin, inv | 399u << 16 | 200, 10, 83 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);

        mode_1024(h, 6);
        fake_wr(h, A_CRTC_GUI_TRIG_VLINE, cases[i].lines);
        run_to(h, cases[i].at * MS / 10);
        stream_wait(h, cases[i].wait);
        assert_waits(h, (cases[i].until - 1) * MS / 10, (cases[i].until + 2) * MS / 10);
        g_assert_cmpuint(h->log->len, ==, 0);
    }
}

/* A wait for a line that never comes ends, with a line in the log. */
static void test_wait_gives_up(void)
{
    static const uint32_t waits[] = {
        R_WAIT_UNTIL_WAIT_CRTC_VLINE_MASK, R_WAIT_UNTIL_WAIT_RE_CRTC_VLINE_MASK,
        R_WAIT_UNTIL_WAIT_FE_CRTC_VLINE_MASK,
    };

    for (guint i = 0; i < G_N_ELEMENTS(waits); i++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);

        mode_1024(h, 6);
        fake_wr(h, A_CRTC_GUI_TRIG_VLINE, 1000u << 16 | 999);
        stream_wait(h, waits[i]);
        assert_waits(h, 90 * MS, 110 * MS);
        g_assert_cmpuint(h->log->len, ==, 1);
        g_assert_true(fake_logged(h, "did not come true in 100 ms"));
    }
}

/* A stopped CRTC holds nobody up, and host writes do not wait. */
static void test_wait_stopped(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    stream_wait(h, R_WAIT_UNTIL_WAIT_CRTC_VLINE_MASK);
    run_to(h, MS);
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 0x1234);
    mode_1024(h, 6);
    fake_wr(h, A_CRTC_GUI_TRIG_VLINE, 1000u << 16 | 999);
    fake_wr(h, A_WAIT_UNTIL, R_WAIT_UNTIL_WAIT_CRTC_VLINE_MASK);
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, 0x140);
}

/* One that is switched off meanwhile lets go. */
static void test_wait_switched_off(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    mode_1024(h, 6);
    fake_wr(h, A_CRTC_GUI_TRIG_VLINE, 1000u << 16 | 999);
    stream_wait(h, R_WAIT_UNTIL_WAIT_CRTC_VLINE_MASK);
    run_to(h, 30 * MS);
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 0);
    fake_wr(h, A_CRTC_GEN_CNTL, 0);
    run_to(h, 31 * MS);
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 0x1234);
    g_assert_cmpuint(h->log->len, ==, 0);
}

/* Caches are flushed at once: a driver that polls sees no busy bit, from either
 * side, and the stream goes on. */
static void test_cache_flush(void)
{
    static const uint32_t regs[] = { A_DSTCACHE_CTLSTAT, A_RB2D_DSTCACHE_CTLSTAT,
                                     A_RB3D_DSTCACHE_CTLSTAT, A_RB3D_ZCACHE_CTLSTAT };

    for (guint i = 0; i < G_N_ELEMENTS(regs); i++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);
        const uint32_t words[] = {
            fake_type0(regs[i], 1), 0xf, fake_type0(A_GUI_SCRATCH_REG0, 1), 0x1234,
        };

        fake_load_mini(h);
        fake_csq_mode(h, R_CP_CSQ_CNTL_CSQ_MODE_PRIPIO_INDDIS);
        fake_wr(h, regs[i], 0xffffffff);
        g_assert_cmphex(fake_rd(h, regs[i]) >> 31, ==, 0);
        fake_pio(h, words, G_N_ELEMENTS(words));
        run_to(h, MS);
        g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 0x1234);
        g_assert_cmphex(fake_rd(h, regs[i]) >> 31, ==, 0);
        g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, 0x140);
    }
}

/* The debug knob: busy and still until a soft reset. */
static void test_hang(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    fake_load_mini(h);
    fake_csq_mode(h, R_CP_CSQ_CNTL_CSQ_MODE_PRIPIO_INDDIS);
    rv100_hang(h->chip);
    fake_wr(h, A_CP_CSQ_APER_PRIMARY, fake_type0(A_GUI_SCRATCH_REG0, 1));
    fake_wr(h, A_CP_CSQ_APER_PRIMARY, 0x1234);
    run_to(h, SECOND);
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 0);
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS)
                    & R_RBBM_STATUS_GUI_ACTIVE_MASK, !=, 0);
    fake_soft_reset(h);
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, 0x140);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/display/vblank-rate", test_vblank_rate);
    g_test_add_func("/display/beam", test_beam);
    g_test_add_func("/display/clocks-apart", test_clocks_apart);
    g_test_add_func("/display/divider", test_divider);
    g_test_add_func("/display/pll", test_pll);
    g_test_add_func("/display/load", test_load);
    g_test_add_func("/display/status", test_status);
    g_test_add_func("/display/blank-begins", test_blank_begins);
    g_test_add_func("/display/clamp", test_clamp);
    g_test_add_func("/display/flip", test_flip);
    g_test_add_func("/display/flip-in-blank", test_flip_in_blank);
    g_test_add_func("/display/flip-switched-off", test_flip_switched_off);
    g_test_add_func("/display/frame-count", test_frame_count);
    g_test_add_func("/display/formats", test_formats);
    g_test_add_func("/display/dark", test_dark);
    g_test_add_func("/display/unimp", test_unimp);
    g_test_add_func("/display/beyond-vram", test_beyond_vram);
    g_test_add_func("/display/double-scan", test_double_scan);
    g_test_add_func("/display/palette", test_palette);
    g_test_add_func("/display/gamma", test_gamma);
    g_test_add_func("/display/cursor-mono", test_cursor_mono);
    g_test_add_func("/display/cursor-argb", test_cursor_argb);
    g_test_add_func("/display/cursor-lock", test_cursor_lock);
    g_test_add_data_func("/display/ddc-vga", GINT_TO_POINTER(RV100_CONNECTOR_VGA),
                         test_ddc);
    g_test_add_data_func("/display/ddc-dvi", GINT_TO_POINTER(RV100_CONNECTOR_DVI),
                         test_ddc);
    g_test_add_func("/display/hotplug", test_hotplug);
    g_test_add_func("/display/wait-flip", test_wait_flip);
    g_test_add_func("/display/wait-flips", test_wait_flips);
    g_test_add_func("/display/wait-lines", test_wait_lines);
    g_test_add_func("/display/wait-gives-up", test_wait_gives_up);
    g_test_add_func("/display/wait-stopped", test_wait_stopped);
    g_test_add_func("/display/wait-switched-off", test_wait_switched_off);
    g_test_add_func("/display/cache-flush", test_cache_flush);
    g_test_add_func("/display/hang", test_hang);
    return g_test_run();
}
