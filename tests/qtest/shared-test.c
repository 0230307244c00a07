/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the chip shares with the VGA core and with PCI: palette, miscellaneous
 * output register, configuration space; a graphics mode of the firmware.
 */
#include <string.h>

#include "rv.h"
#include "rv-screen.h"

#define PEL_READ 0x3c7
#define PEL_WRITE 0x3c8
#define PEL_DATA 0x3c9
#define MISC_WRITE 0x3c2
#define MISC_READ 0x3cc

/* --- palette --- */

static void vga_colour(RvVm *vm, uint8_t index, uint8_t r, uint8_t g, uint8_t b)
{
    rv_outb(vm, PEL_WRITE, index);
    rv_outb(vm, PEL_DATA, r);
    rv_outb(vm, PEL_DATA, g);
    rv_outb(vm, PEL_DATA, b);
}

static void assert_vga_colour(RvVm *vm, uint8_t index, uint8_t r, uint8_t g, uint8_t b)
{
    rv_outb(vm, PEL_READ, index);
    rv_assert_hex(rv_inb(vm, PEL_DATA), r);
    rv_assert_hex(rv_inb(vm, PEL_DATA), g);
    rv_assert_hex(rv_inb(vm, PEL_DATA), b);
}

static void assert_chip_colour(RvDev *d, uint8_t index, uint32_t rgb30)
{
    wr_palette_index(d, (uint32_t)index << R_PALETTE_INDEX_PALETTE_R_INDEX_SHIFT);
    rv_assert_hex(rd_palette_30_data(d), rgb30);
}

/* A colour written at one door is seen at the other, with the bits it has. */
static void test_palette(RvDev *d)
{
    vga_colour(d->vm, 5, 63, 0, 33);
    assert_chip_colour(d, 5, 0x3ffu << 20 | (33 << 4 | 33 >> 2));
    vga_colour(d->vm, 255, 1, 2, 3);
    assert_chip_colour(d, 255, 0x10u << 20 | 0x20 << 10 | 0x30);
    wr_palette_index(d, 7);
    wr_palette_data(d, 0xff8040);
    assert_vga_colour(d->vm, 7, 63, 32, 16);
    wr_palette_index(d, 8);
    wr_palette_30_data(d, 0x3ff003ff);
    assert_vga_colour(d->vm, 8, 63, 0, 63);
    /* The second head's table is the chip's own. */
    wr_dac_cntl2(d, R_DAC_CNTL2_DAC2_PALETTE_ACC_CTL_MASK);
    wr_palette_index(d, 8);
    wr_palette_30_data(d, 0);
    assert_vga_colour(d->vm, 8, 63, 0, 63);
}

/* --- mirrors --- */

static void test_misc(RvDev *d)
{
    rv_outb(d->vm, MISC_WRITE, 0x67);
    rv_assert_hex(rv_rd8(d, A_GENMO_WT), 0x67);
    rv_wr8(d, A_GENMO_WT, 0x65);
    rv_assert_hex(rv_inb(d->vm, MISC_READ), 0x65);
    rv_assert_hex(rv_rd8(d, A_GENMO_WT), 0x65);
}

static void test_pci_mirror(RvDev *d)
{
    for (uint32_t at = 0; at < 0x40; at += 4) {
        uint32_t offset = A_VENDOR_ID + at, value = rv_cfg_rd(d, at, 4);

        if (at != 0x0c && at != 0x1c && at != 0x20 && at != 0x24 && at != 0x28
            && at != 0x38) {        /* described ones */
            rv_assert_hex(rv_rd32(d, offset), value);
        }
        rv_wr32(d, offset, 0x5a5a5a5a);
        rv_assert_hex(rv_cfg_rd(d, at, 4), value);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/shared/palette", test_palette);
    rv_test_add("/shared/misc", test_misc);
    rv_test_add("/shared/pci-mirror", test_pci_mirror);
    return g_test_run();
}
