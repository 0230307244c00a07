/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hostile 2D input: the checklist of display device bugs, items 4 to 11. The
 * sanitizer build looks for what goes wrong silently; the tests look at the
 * pixels, at what was written outside of the picture, and that the engine goes
 * on to work.
 */
#include <string.h>

#include "chip-state.h"
#include "target.h"
#include "../../hw/rv100/internal.h"

#define FIELD(reg, field, v) \
    ((uint32_t)(v) << R_##reg##_##field##_SHIFT & R_##reg##_##field##_MASK)
#define GMC(field, v) FIELD(DP_GUI_MASTER_CNTL, field, v)
#define YX(y, x) ((uint32_t)(y) << 16 | (uint32_t)(x))
#define MAX14 0x3fffu
#define PITCH_UNITS 10
#define PITCH (PITCH_UNITS * 64u)

/* Plain fills and copies, without key and mask. */
static uint32_t plain(uint32_t type, uint32_t brush, uint32_t rop)
{
    return GMC(GMC_DST_DATATYPE, type) | GMC(GMC_BRUSH_DATATYPE, brush)
        | GMC(GMC_ROP3, rop) | GMC(GMC_SRC_DATATYPE, 3) | GMC(DP_SRC_SOURCE, 2)
        | GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1);
}

static Gui *start(void)
{
    Gui *g = gui_new(true, true);

    gui_noise(g, 11);
    gui_write(g, A_DEFAULT_PITCH_OFFSET,
              FIELD(DEFAULT_PITCH_OFFSET, PITCH, PITCH_UNITS));
    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff);
    return g;
}

static void same(Gui *g)
{
    g_autofree char *what = gui_difference(g);

    g_assert_cmpstr(what, ==, NULL);
}

/* A write may cost the longest operation, and the row that takes it over its
 * limit: at most 16383 pixels by bus accesses. In units of the engine. */
#define MAX_WORK (GUI_MAX_COST + MAX14 * 1024ull)

static uint64_t bounded_write(Gui *g, uint32_t offset, uint32_t value,
                              uint64_t bound)
{
    uint64_t before = g->h->chip->work;

    gui_write(g, offset, value);
    g_assert_cmpuint(g->h->chip->work - before, <=, bound);
    return g->h->chip->work - before;
}

/* A small fill arrives: the engine is in order. */
static void still_works(FakeHost *h)
{
    static const GuiWrite writes[] = {
        { A_DEFAULT_PITCH_OFFSET, FIELD(DEFAULT_PITCH_OFFSET, PITCH, 1) },
        { A_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff },
        { A_DP_BRUSH_FRGD_CLR, 0x5ca1ab1e },
    };

    fake_wr(h, A_MC_FB_LOCATION, (FAKE_VRAM - 1) & 0xffff0000u);
    for (unsigned i = 0; i < G_N_ELEMENTS(writes); i++) {
        fake_wr(h, writes[i].offset, writes[i].value);
    }
    memset(h->vram, 0, 4);
    fake_wr(h, A_DP_GUI_MASTER_CNTL, plain(6, 13, 0xf0));
    fake_wr(h, A_DST_Y_X, 0);
    fake_wr(h, A_DST_HEIGHT_WIDTH, YX(1, 1));
    g_assert_cmpmem(h->vram, 4, "\x1e\xab\xa1\x5c", 4);
}

/* 4: CVE-2021-3638, the writes of its reproducer. */
static void test_cve_2021_3638(void)
{
    static const GuiWrite writes[] = {
        { 0x16c0, 1 }, { 0x146c, 2 }, { 0x16c8, 0xff0000 }, { 0x16c4, 2 },
        { 0x224, 0 }, { 0x142c, 0xfe00000 }, { 0x1420, 0x3fff },
        { 0x1410, 0x3fff }, { 0x1588, 0x3fff3fff },
    };
    g_autoptr(Gui) g = gui_new(true, false);
    g_autofree uint8_t *before = NULL;

    gui_noise(g, 4);
    before = g_memdup2(g->h->vram, FAKE_VRAM);
    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff);
    for (unsigned i = 0; i < G_N_ELEMENTS(writes); i++) {
        bounded_write(g, writes[i].offset, writes[i].value, MAX_WORK);
    }
    /* The destination is at 2 GiB: no VRAM there. */
    g_assert_true(!memcmp(before, g->h->vram, FAKE_VRAM));
    still_works(g->h);
}

/* 6: every register at its corners, in a pseudo-random choice of the product. */
#define CORNER_CASES 400

static const uint32_t corner_sizes[] = { 0, 1, 0x1fff, 0x3fff };
static const uint32_t corner_places[] = { 0, 1, 0x1fff, 0x2000, 0x3fff };
static const uint32_t corner_pitches[] = { 0, 16, 0x3fc0, 0x3fff };
static const uint32_t corner_offsets[] = {
    0, FAKE_VRAM - 1, FAKE_VRAM, FAKE_VRAM - PITCH, 0xffffffff,
};

#define CORNER(list, n) list[(n) % G_N_ELEMENTS(list)]

static void test_corners(void)
{
    g_autoptr(Gui) g = gui_new(true, false);
    uint64_t worst = 0;
    uint32_t r = 1;

    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff);
    for (unsigned i = 0; i < CORNER_CASES; i++) {
        uint32_t n[10];

        for (unsigned k = 0; k < G_N_ELEMENTS(n); k++) {
            r = r * 1664525 + 1013904223;
            n[k] = r >> 16;
        }
        gui_write(g, A_DP_GUI_MASTER_CNTL,
                  (plain(i % 16, n[0], n[0] >> 4)
                   & ~R_DP_GUI_MASTER_CNTL_GMC_SRC_DATATYPE_MASK)
                  | GMC(GMC_SRC_DATATYPE, i / 16) | 3);
        gui_write(g, A_DP_CNTL, n[1]);
        gui_write(g, A_DST_PITCH, CORNER(corner_pitches, n[2]));
        gui_write(g, A_SRC_PITCH, CORNER(corner_pitches, n[3]));
        gui_write(g, A_DST_OFFSET, CORNER(corner_offsets, n[4]));
        gui_write(g, A_SRC_OFFSET, CORNER(corner_offsets, n[5]));
        gui_write(g, A_SRC_Y_X, YX(CORNER(corner_places, n[6]),
                                   CORNER(corner_places, n[7])));
        gui_write(g, A_DST_Y_X, YX(CORNER(corner_places, n[8]),
                                   CORNER(corner_places, n[9])));
        worst = MAX(worst, bounded_write(g, A_DST_HEIGHT_WIDTH,
            YX(CORNER(corner_sizes, n[0] >> 8), CORNER(corner_sizes, n[1] >> 8)),
            MAX_WORK));
    }
    g_test_message("longest operation: %" G_GUINT64_FORMAT " units", worst);
    still_works(g->h);
}

/* 7: a copy over itself by one pixel in all directions against memmove; 24 bpp
 * does nothing. */
static void move_one(Gui *g, uint32_t type, uint32_t bytes, int dx, int dy)
{
    const int x = 7, y = 9, w = 61, h = 23;
    g_autofree uint8_t *want = g_memdup2(g->h->vram, FAKE_VRAM);
    bool right = dx <= 0, down = dy <= 0;

    gui_write(g, A_DP_GUI_MASTER_CNTL, plain(type, 15, 0xcc));
    gui_write(g, A_DP_CNTL, FIELD(DP_CNTL, DST_X_LEFT_TO_RIGHT, right)
              | FIELD(DP_CNTL, DST_Y_TOP_TO_BOTTOM, down));
    gui_write(g, A_SRC_Y_X, YX(down ? y : y + h - 1, right ? x : x + w - 1));
    gui_write(g, A_DST_Y_X, YX(dy + (down ? y : y + h - 1),
                               dx + (right ? x : x + w - 1)));
    gui_write(g, A_DST_HEIGHT_WIDTH, YX(h, w));
    for (int n = 0; n < h && bytes; n++) {
        int row = down ? n : h - 1 - n;

        memmove(want + (y + dy + row) * PITCH + (x + dx) * bytes,
                want + (y + row) * PITCH + x * bytes, w * bytes);
    }
    g_assert_true(!memcmp(want, g->h->vram, FAKE_VRAM));
}

static void test_overlap_by_one(void)
{
    static const struct {
        uint32_t type, bytes;
    } depths[] = { { 2, 1 }, { 3, 2 }, { 4, 2 }, { 5, 0 }, { 6, 4 } };
    g_autoptr(Gui) g = start();

    for (unsigned d = 0; d < G_N_ELEMENTS(depths); d++) {
        for (int dx = -1; dx <= 1; dx++) {
            for (int dy = -1; dy <= 1; dy++) {
                move_one(g, depths[d].type, depths[d].bytes, dx, dy);
            }
        }
    }
    same(g);
}

/* 8: the largest rectangle, xor, an even number of times: what is in VRAM is
 * drawn and nothing changed in the end. */
static void test_largest_blit(void)
{
    g_autoptr(Gui) g = gui_new(true, false);
    g_autofree uint8_t *before = NULL;

    gui_noise(g, 5);
    before = g_memdup2(g->h->vram, FAKE_VRAM);
    gui_write(g, A_DEFAULT_PITCH_OFFSET,
              FIELD(DEFAULT_PITCH_OFFSET, PITCH, PITCH_UNITS));
    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, YX(FAKE_VRAM / PITCH, PITCH / 4));
    gui_write(g, A_DP_GUI_MASTER_CNTL, plain(6, 13, 0x5a));
    gui_write(g, A_DP_BRUSH_FRGD_CLR, 0xffffffff);
    gui_write(g, A_DST_Y_X, 0);
    /* What is in VRAM, at eight bytes a unit. */
    bounded_write(g, A_DST_HEIGHT_WIDTH, YX(MAX14, MAX14), FAKE_VRAM / 8);
    for (uint32_t i = 0; i < FAKE_VRAM / PITCH * PITCH; i++) {
        g_assert_cmphex(g->h->vram[i], ==, before[i] ^ 0xff);
    }
    for (int i = 0; i < 99; i++) {
        bounded_write(g, A_DST_HEIGHT_WIDTH, YX(MAX14, MAX14), FAKE_VRAM / 8);
    }
    g_assert_true(!memcmp(before, g->h->vram, FAKE_VRAM));
    still_works(g->h);
}

/* 8: rows that lie over each other are 67 M pixels, here in 1 MiB. */
#define MAX_SIDE 0x1fffu

static void over_each_other(Gui *g, uint32_t type, uint32_t rop, uint32_t pitch,
                            uint32_t dx)
{
    gui_write(g, A_DEFAULT_PITCH_OFFSET,
              FIELD(DEFAULT_PITCH_OFFSET, PITCH, pitch / 64));
    gui_write(g, A_DP_GUI_MASTER_CNTL, plain(type, 13, rop));
    gui_write(g, A_DP_BRUSH_FRGD_CLR, 0x12345678);
    gui_write(g, A_SRC_Y_X, 0);
    gui_write(g, A_DST_Y_X, dx);
}

static void test_rows_over_each_other(void)
{
    static const uint32_t rops[] = { 0xf0, 0xcc, 0x5a, 0x66, 0xb8 };
    g_autoptr(Gui) g = gui_new(true, false);

    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff);
    for (unsigned i = 0; i < G_N_ELEMENTS(rops); i++) {
        for (uint32_t dx = 0; dx < 2; dx++) {
            over_each_other(g, 2, rops[i], 64, dx);
            bounded_write(g, A_DST_HEIGHT_WIDTH, YX(MAX_SIDE, MAX_SIDE), MAX_WORK);
        }
    }
    /* With keys, in pieces of a pixel. */
    over_each_other(g, 2, 0x66, 64, 1);
    gui_write(g, A_CLR_CMP_CNTL, FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_SRC, 4)
              | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC, 1));
    bounded_write(g, A_DST_HEIGHT_WIDTH, YX(MAX_SIDE, MAX_SIDE), MAX_WORK);
    g_assert_true(fake_logged(g->h, "larger than any memory"));
    still_works(g->h);
}

/* Their fill is one of the memory that they cover, at 32 bytes a unit. */
static void test_fill_covers_once(void)
{
    g_autoptr(Gui) g = start();
    uint32_t covered = 1999 * 64 + 200 * 4;
    uint64_t units;

    over_each_other(g, 6, 0xf0, 64, 3);
    units = bounded_write(g, A_DST_HEIGHT_WIDTH, YX(2000, 200), covered / 32 + 32);
    g_assert_cmpuint(units, >=, covered / 32);
    same(g);
    /* Upwards, and all rows the same. */
    gui_write(g, A_DP_CNTL, R_DP_CNTL_DST_X_LEFT_TO_RIGHT_MASK);
    gui_write(g, A_DP_BRUSH_FRGD_CLR, 0x89abcdef);
    gui_write(g, A_DST_Y_X, YX(1500, 1));
    gui_write(g, A_DST_HEIGHT_WIDTH, YX(1000, 100));
    over_each_other(g, 6, 0x0f, 0, 2);
    gui_write(g, A_DST_HEIGHT_WIDTH, YX(300, 100));
    same(g);
    still_works(g->h);
}

/* What an operation costs follows from what it does. */
static uint64_t cost_with(Gui *g, uint32_t gmc, uint32_t write_mask, uint32_t keys)
{
    gui_write(g, A_DP_GUI_MASTER_CNTL, gmc);
    gui_write(g, A_DP_WRITE_MASK, write_mask);
    gui_write(g, A_CLR_CMP_CNTL, keys);
    gui_write(g, A_SRC_Y_X, YX(200, 0));
    gui_write(g, A_DST_Y_X, 0);
    return bounded_write(g, A_DST_HEIGHT_WIDTH, YX(100, 96), MAX_WORK);
}

static void test_masks_cost(void)
{
    const uint32_t src_key = FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_SRC, 4);
    const uint32_t dst_key = FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_DST, 4);
    g_autoptr(Gui) g = start();
    uint64_t plain_cost = cost_with(g, plain(6, 13, 0xb8), ~0u, 0);
    uint64_t mask = cost_with(g, plain(6, 13, 0xb8), 0xff00, 0);
    uint64_t key = cost_with(g, plain(6, 13, 0xb8), 0xff00,
                             src_key | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC, 1));
    uint64_t both = cost_with(g, plain(6, 13, 0xb8), 0xff00, src_key | dst_key
                              | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC, 2));
    uint64_t brush = cost_with(g, plain(6, 1, 0xb8), 0xff00, src_key | dst_key
                               | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC, 2));

    /* 100 rows of 384 bytes: 24 units for 16 bytes each, 8 for 48. */
    g_assert_cmpuint(plain_cost, >=, 100 * 24);
    g_assert_cmpuint(plain_cost, <=, 100 * 24 + 100);
    g_assert_cmpuint(mask, >=, plain_cost + 100 * 8);
    g_assert_cmpuint(key - mask, ==, 100 * 8);
    g_assert_cmpuint(both - key, ==, 100 * 8);
    g_assert_cmpuint(brush - both, ==, 100 * 8);
    same(g);
}

/* A row of a page is one transfer on the bus, as drivers move buffers. */
static void test_pages_on_the_bus(void)
{
    const uint32_t on_bus = 0x20000000, rows = 60, bytes = 4096;
    g_autoptr(Gui) g = start();
    uint64_t bound = rows * (bytes / 16 * 2 + 250 + 100);

    gui_write(g, A_MC_FB_LOCATION, ((on_bus + FAKE_VRAM - 1) & 0xffff0000u)
              | on_bus >> 16);
    gui_write(g, A_SRC_PITCH_OFFSET, FIELD(SRC_PITCH_OFFSET, PITCH, bytes / 64)
              | on_bus >> 10);
    gui_write(g, A_DST_PITCH_OFFSET, FIELD(DST_PITCH_OFFSET, PITCH, bytes / 64));
    gui_write(g, A_DP_GUI_MASTER_CNTL, plain(6, 15, 0xcc) | 3);
    gui_write(g, A_SRC_Y_X, YX(3, 0));
    gui_write(g, A_DST_Y_X, YX(2, 0));
    bounded_write(g, A_DST_HEIGHT_WIDTH, YX(rows, bytes / 4), bound);
    gui_write(g, A_SRC_PITCH_OFFSET, FIELD(SRC_PITCH_OFFSET, PITCH, bytes / 64));
    gui_write(g, A_DST_PITCH_OFFSET, FIELD(DST_PITCH_OFFSET, PITCH, bytes / 64)
              | on_bus >> 10);
    bounded_write(g, A_DST_HEIGHT_WIDTH, YX(rows, bytes / 4), bound);
    same(g);
}

/* Lines where nobody answers. */
static void test_lines_to_nowhere(void)
{
    g_autoptr(Gui) g = gui_new(true, false);

    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff);
    gui_write(g, A_DEFAULT_PITCH_OFFSET, FIELD(DEFAULT_PITCH_OFFSET, PITCH, 255)
              | 0x80000000u >> 10);
    gui_write(g, A_DP_DST_ENDIAN, 2);
    gui_write(g, A_DP_GUI_MASTER_CNTL, plain(6, 14, 0x5a));
    gui_write(g, A_DST_LINE_START, 0);
    bounded_write(g, A_DST_LINE_END, YX(MAX_SIDE, MAX_SIDE), MAX_WORK);
    gui_write(g, A_DP_DST_ENDIAN, 0);
    still_works(g->h);
}

/* 9: a host blit that is left alone. */
static void half_host_blit(Gui *g, uint32_t w, uint32_t h)
{
    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, YX(200, 150));
    gui_write(g, A_DP_GUI_MASTER_CNTL,
              (plain(6, 15, 0xcc) & ~(R_DP_GUI_MASTER_CNTL_GMC_SRC_DATATYPE_MASK
                                      | R_DP_GUI_MASTER_CNTL_DP_SRC_SOURCE_MASK))
              | GMC(DP_SRC_SOURCE, 3));
    gui_write(g, A_DP_SRC_FRGD_CLR, 0x11111111);
    gui_write(g, A_DST_Y_X, 0);
    gui_write(g, A_DST_HEIGHT_WIDTH, YX(h, w));
    gui_write(g, A_HOST_DATA0, 0xa5a5a5a5);
}

static void test_host_soft_reset(void)
{
    g_autoptr(Gui) g = start();

    half_host_blit(g, 8191, 8191);
    gui_write(g, A_RBBM_SOFT_RESET, R_RBBM_SOFT_RESET_SOFT_RESET_E2_MASK);
    gui_write(g, A_RBBM_SOFT_RESET, 0);
    for (int i = 0; i < 20; i++) {
        gui_write(g, A_HOST_DATA0, i);
    }
    same(g);
    still_works(g->h);
}

static void test_host_system_reset(void)
{
    g_autoptr(Gui) g = start();
    g_autofree uint8_t *before = NULL;

    half_host_blit(g, 8191, 8191);
    before = g_memdup2(g->h->vram, FAKE_VRAM);
    rv100_reset(g->h->chip);
    for (int i = 0; i < 20; i++) {
        fake_wr(g->h, A_HOST_DATA0, i);
    }
    g_assert_true(!memcmp(before, g->h->vram, FAKE_VRAM));
    still_works(g->h);
}

/* The other chip goes on where the first one stopped. */
static void test_host_migrates(void)
{
    g_autoptr(Gui) g = start();
    g_autoptr(Gui) other = gui_new(true, false);
    g_autoptr(GByteArray) state = NULL;
    const char *why = NULL;

    half_host_blit(g, 33, 40);
    for (uint32_t i = 0; i < 5; i++) {
        gui_write(g, A_HOST_DATA1, i * 0x01234567);
    }
    state = snapshot_save(g->h->chip);
    g_assert_true(chip_load(other->h->chip, state, &why));
    memcpy(other->h->vram, g->h->vram, FAKE_VRAM);
    for (uint32_t i = 0; i < 36; i++) {
        uint32_t reg = i == 35 ? A_HOST_DATA_LAST : A_HOST_DATA0;

        gui_write(g, reg, i * 0x89abcdef);
        gui_write(other, reg, i * 0x89abcdef);
    }
    same(g);
    g_assert_true(!memcmp(other->h->vram, g->h->vram, FAKE_VRAM));
}

static void test_host_then_cp_packet(void)
{
    const uint32_t words[] = { 1 << 16 | A_DP_SRC_FRGD_CLR / 4, 1, 2 };
    const RefImage *image = ref_image("R100_cp.bin");
    g_autoptr(Gui) g = NULL;

    if (!ref_need(image, "firmware/R100_cp.bin")) {
        return;
    }
    g = start();
    fake_load(g->h, image);
    fake_csq_mode(g->h, 1);
    half_host_blit(g, 8191, 8191);
    fake_pio(g->h, words, G_N_ELEMENTS(words));
    g_assert_true(fake_run(g->h, 10));
    g_assert_cmphex(fake_rd(g->h, A_DP_SRC_BKGD_CLR), ==, 2);
    still_works(g->h);
}

/* Registers that change under a blit do not move it. */
static void test_host_pitch_changes(void)
{
    g_autoptr(Gui) g = start();

    half_host_blit(g, 40, 30);
    gui_write(g, A_DEFAULT_PITCH_OFFSET, 0);
    gui_write(g, A_DST_PITCH, 0);
    gui_write(g, A_DST_OFFSET, 0xfffffff0);
    for (uint32_t i = 0; i < 37; i++) {
        gui_write(g, i == 36 ? A_HOST_DATA_LAST : A_HOST_DATA0, i * 0x01010101);
    }
    same(g);
    still_works(g->h);
}

static void test_host_early_last(void)
{
    g_autoptr(Gui) g = start();

    half_host_blit(g, 8191, 700);
    bounded_write(g, A_HOST_DATA_LAST, 0x12345678, MAX_WORK);
    same(g);
    still_works(g->h);
}

/* All of the rest from the ring, in the largest rectangle. */
static void test_host_earliest_last(void)
{
    g_autoptr(Gui) g = gui_new(true, false);

    gui_write(g, A_DEFAULT_PITCH_OFFSET,
              FIELD(DEFAULT_PITCH_OFFSET, PITCH, PITCH_UNITS));
    half_host_blit(g, MAX14, MAX14);
    bounded_write(g, A_HOST_DATA_LAST, 0x12345678, MAX_WORK);
    still_works(g->h);
}

/* 10 */
static void test_lines(void)
{
    static const uint32_t ends[] = {
        0, 1, 50, 0x1fff, 0x2000, 0x2001, 0x3fff, 0x3f00,
    };
    const unsigned n = G_N_ELEMENTS(ends);
    g_autoptr(Gui) g = start();

    gui_write(g, A_DEFAULT_SC_BOTTOM_RIGHT, YX(300, 200));
    gui_write(g, A_DP_GUI_MASTER_CNTL, plain(6, 14, 0x5a));
    for (unsigned i = 0; i < n * n * n * n; i++) {
        gui_write(g, A_DP_BRUSH_FRGD_CLR, i * 0x01010101);
        gui_write(g, A_DST_LINE_START, YX(ends[i % n], ends[i / n % n]));
        bounded_write(g, A_DST_LINE_END,
                      YX(ends[i / n / n % n], ends[i / n / n / n]), 16 * MAX14);
    }
    same(g);
}

static void test_inverted_scissor(void)
{
    static const uint32_t edges[] = { 0, 1, 5, 60, 0x1fff, 0x2000, 0x3fff };
    const unsigned n = G_N_ELEMENTS(edges);
    g_autoptr(Gui) g = start();

    gui_write(g, A_DP_GUI_MASTER_CNTL,
              plain(6, 13, 0x5a) | GMC(GMC_DST_CLIPPING, 1));
    gui_write(g, A_DP_BRUSH_FRGD_CLR, 0x77777777);
    gui_write(g, A_DST_Y_X, 0);
    for (unsigned i = 0; i < n * n * n * n; i++) {
        gui_write(g, A_SC_TOP_LEFT, YX(edges[i % n], edges[i / n % n]));
        gui_write(g, A_SC_BOTTOM_RIGHT,
                  YX(edges[i / n / n % n], edges[i / n / n / n]));
        gui_write(g, A_DST_HEIGHT_WIDTH, YX(20, 70));
    }
    same(g);
}

/* 11 */
static void test_brushes_and_keys(void)
{
    g_autoptr(Gui) g = start();

    for (uint32_t i = 0; i < REF_BRUSH_WORDS; i++) {
        gui_write(g, A_BRUSH_DATA0 + 4 * i, i * 0x9e3779b9u);
    }
    gui_write(g, A_DP_BRUSH_FRGD_CLR, 0x12345678);
    gui_write(g, A_CLR_CMP_CLR_SRC, 0x12345678);
    gui_write(g, A_CLR_CMP_CLR_DST, 0x00ff00ff);
    for (uint32_t i = 0; i < 16 * 8 * 8 * 4; i++) {
        uint32_t brush = i % 16, fn_src = i / 16 % 8, fn_dst = i / 128 % 8;

        gui_write(g, A_BRUSH_Y_X, i % 2 ? 0x1f1f : 0xffffffff);
        gui_write(g, A_DP_GUI_MASTER_CNTL,
                  plain(i % 3 ? 6 : 4, brush, i % 5 ? 0xb8 : 0xf0));
        gui_write(g, A_CLR_CMP_CNTL,
                  FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_SRC, fn_src)
                  | FIELD(CLR_CMP_CNTL, CLR_CMP_FCN_DST, fn_dst)
                  | FIELD(CLR_CMP_CNTL, CLR_CMP_SRC, i / 1024));
        gui_write(g, A_SRC_Y_X, YX(100, i % 50));
        gui_write(g, A_DST_Y_X, YX(i % 40, i % 37));
        gui_write(g, A_DST_HEIGHT_WIDTH, YX(9, 21));
    }
    same(g);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gui/hostile/04-cve-2021-3638", test_cve_2021_3638);
    g_test_add_func("/gui/hostile/06-corners", test_corners);
    g_test_add_func("/gui/hostile/07-overlap-by-one", test_overlap_by_one);
    g_test_add_func("/gui/hostile/08-largest-blit", test_largest_blit);
    g_test_add_func("/gui/hostile/08-rows-over-each-other",
                    test_rows_over_each_other);
    g_test_add_func("/gui/hostile/08-fill-covers-once", test_fill_covers_once);
    g_test_add_func("/gui/hostile/08-masks-cost", test_masks_cost);
    g_test_add_func("/gui/hostile/08-pages-on-the-bus", test_pages_on_the_bus);
    g_test_add_func("/gui/hostile/08-lines-to-nowhere", test_lines_to_nowhere);
    g_test_add_func("/gui/hostile/09-host-soft-reset", test_host_soft_reset);
    g_test_add_func("/gui/hostile/09-host-system-reset", test_host_system_reset);
    g_test_add_func("/gui/hostile/09-host-migrates", test_host_migrates);
    g_test_add_func("/gui/hostile/09-host-then-cp-packet",
                    test_host_then_cp_packet);
    g_test_add_func("/gui/hostile/09-host-pitch-changes",
                    test_host_pitch_changes);
    g_test_add_func("/gui/hostile/09-host-early-last", test_host_early_last);
    g_test_add_func("/gui/hostile/09-host-earliest-last",
                    test_host_earliest_last);
    g_test_add_func("/gui/hostile/10-lines", test_lines);
    g_test_add_func("/gui/hostile/10-inverted-scissor", test_inverted_scissor);
    g_test_add_func("/gui/hostile/11-brushes-and-keys", test_brushes_and_keys);
    return g_test_run();
}
