/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Configuration the chip reports about itself. */
#include "internal.h"

#define APER_SIZE (64u << 20)       /* half of BAR0: two apertures [linux] */

static uint32_t read_memsize(Rv100 *s, uint32_t offset)
{
    return s->vram_size;
}

static uint32_t read_aper_size(Rv100 *s, uint32_t offset)
{
    return APER_SIZE;
}

static uint32_t read_aper_base(Rv100 *s, uint32_t offset)
{
    return s->bar0 + (offset == A_CONFIG_APER_1_BASE ? APER_SIZE : 0);
}

static uint32_t read_reg_base(Rv100 *s, uint32_t offset)
{
    return s->bar_mmio;
}

/* The PCI configuration space, read only [doc]. */
static uint32_t read_pci(Rv100 *s, uint32_t offset)
{
    return s->host.config_read ? s->host.config_read(s->opaque, offset - A_VENDOR_ID)
        : s->regs[offset / 4];
}

/* GENMO_WT is a byte inside of its dword. */
#define GENMO_SHIFT (8 * (A_GENMO_WT % 4))

static uint32_t read_genmo(Rv100 *s, uint32_t offset)
{
    return s->host.vga_misc_read
        ? (uint32_t)s->host.vga_misc_read(s->opaque) << GENMO_SHIFT : s->regs[offset / 4];
}

static void write_genmo(Rv100 *s, uint32_t offset, uint32_t value)
{
    if (s->host.vga_misc_write) {
        s->host.vga_misc_write(s->opaque, value >> GENMO_SHIFT);
    }
}

static void write_config_cntl(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_display_changed(s);
}

const Rv100Hook rv100_config_hooks[] = {
    { A_CONFIG_MEMSIZE, .read = read_memsize, .silent_read = true },
    { A_CONFIG_APER_SIZE, .read = read_aper_size, .silent_read = true },
    { A_CONFIG_APER_0_BASE, 2, .read = read_aper_base, .silent_read = true },
    { A_CONFIG_REG_1_BASE, .read = read_reg_base, .silent_read = true },
    { A_VENDOR_ID, (A_INTERRUPT_LINE - A_VENDOR_ID) / 4 + 1, .read = read_pci,
      .silent_read = true },
    { A_GENMO_WT & ~3, .read = read_genmo, .write = write_genmo, .silent_read = true },
    { A_CONFIG_CNTL, .write = write_config_cntl },    /* legacy VGA ranges */
    { 0 }
};
