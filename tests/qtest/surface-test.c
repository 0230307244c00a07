/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BAR0 of a big-endian driver: SURFACE_CNTL and the surfaces swap the bytes of
 * 16 or 32-bit words (report 13).
 */
#include "rv.h"

#define AT 0x10000
#define SURFACE_BEGIN 0x20000
#define SURFACE_END 0x20fff

static const uint8_t plain[8] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };
static const uint8_t swapped16[8] = { 0x22, 0x11, 0x44, 0x33, 0x66, 0x55, 0x88, 0x77 };
static const uint8_t swapped32[8] = { 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55 };

static void assert_vram(RvDev *d, uint32_t offset, const uint8_t expected[8])
{
    uint8_t got[8];

    rv_vram_read(d, offset, got, sizeof(got));
    g_assert_cmpmem(got, sizeof(got), expected, 8);
}

/* What is written with a swap on, seen with it off, and the other way. */
static void check_depth(RvDev *d, uint32_t swap, const uint8_t expected[8])
{
    wr_surface_cntl(d, swap);
    rv_vram_write(d, AT, plain, sizeof(plain));
    assert_vram(d, AT, plain);
    wr_surface_cntl(d, 0);
    assert_vram(d, AT, expected);
    rv_vram_write(d, AT, plain, sizeof(plain));
    wr_surface_cntl(d, swap);
    assert_vram(d, AT, expected);
    wr_surface_cntl(d, 0);
}

static void test_13_aperture_depths(RvDev *d)
{
    check_depth(d, 0, plain);
    check_depth(d, R_SURFACE_CNTL_NONSURF_AP0_SWP_16BPP_MASK, swapped16);
    check_depth(d, R_SURFACE_CNTL_NONSURF_AP0_SWP_32BPP_MASK, swapped32);
    /* The bits of the second aperture do not act on the first. */
    check_depth(d, R_SURFACE_CNTL_NONSURF_AP1_SWP_32BPP_MASK, plain);
}

/* A pixel of a big-endian CPU in 16 and 32 bpp, by accesses of its size. */
static void test_13_access_sizes(RvDev *d)
{
    wr_surface_cntl(d, R_SURFACE_CNTL_NONSURF_AP0_SWP_32BPP_MASK);
    rv_vram_wr32(d, AT, 0x11223344);
    rv_assert_hex(rv_vram_rd32(d, AT), 0x11223344);
    wr_surface_cntl(d, 0);
    rv_assert_hex(rv_vram_rd32(d, AT), 0x44332211);
    wr_surface_cntl(d, R_SURFACE_CNTL_NONSURF_AP0_SWP_16BPP_MASK);
    rv_assert_hex(rv_vram_rd32(d, AT), 0x33441122);
    rv_vram_write(d, AT + 1, "\xaa", 1);
    wr_surface_cntl(d, 0);
    rv_assert_hex(rv_vram_rd32(d, AT), 0x443322aa);
}

static void test_surface_swaps_inside(RvDev *d)
{
    wr_surface0_lower_bound(d, SURFACE_BEGIN);
    wr_surface0_upper_bound(d, SURFACE_END);
    wr_surface0_info(d, R_SURFACE0_INFO_SURF_AP0_SWP_32BPP_MASK);
    rv_vram_write(d, SURFACE_BEGIN - 8, plain, 8);
    rv_vram_write(d, SURFACE_BEGIN, plain, 8);
    rv_vram_write(d, SURFACE_END - 7, plain, 8);
    rv_vram_write(d, SURFACE_END + 1, plain, 8);
    /* SURF_TRANSLATION_DIS turns the surfaces off. */
    wr_surface_cntl(d, R_SURFACE_CNTL_SURF_TRANSLATION_DIS_MASK);
    assert_vram(d, SURFACE_BEGIN - 8, plain);
    assert_vram(d, SURFACE_BEGIN, swapped32);
    assert_vram(d, SURFACE_END - 7, swapped32);
    assert_vram(d, SURFACE_END + 1, plain);
    /* Inside of a surface its own bits count, not SURFACE_CNTL's. */
    wr_surface_cntl(d, R_SURFACE_CNTL_NONSURF_AP0_SWP_16BPP_MASK);
    assert_vram(d, SURFACE_BEGIN, plain);
    assert_vram(d, SURFACE_BEGIN - 8, swapped16);
}

/* A reset leaves plain memory. */
static void test_reset(RvDev *d)
{
    wr_surface_cntl(d, R_SURFACE_CNTL_NONSURF_AP0_SWP_32BPP_MASK);
    rv_vram_wr32(d, AT, 0x11223344);
    rv_vm_reset(d->vm);
    rv_dev_map(d);
    rv_assert_hex(rv_vram_rd32(d, AT), 0x44332211);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/surface/report-13/aperture-depths", test_13_aperture_depths);
    rv_test_add("/surface/report-13/access-sizes", test_13_access_sizes);
    rv_test_add("/surface/swaps-inside", test_surface_swaps_inside);
    rv_test_add("/surface/reset", test_reset);
    return g_test_run();
}
