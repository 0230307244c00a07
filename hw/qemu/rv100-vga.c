/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The VGA side of radeon-rv100: QEMU's VGA core behind the legacy ranges, and
 * the console. The legacy ranges are mapped here, not by vga_init(), so that
 * they can be switched off and so that a second card has none.
 */
#include "compat.h"

#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/log.h"

#include "rv100/reginfo.h"
#include "rv100-regs.h"

#include "device.h"

#define VGA_MEM_BASE 0xa0000
#define VGA_MEM_SIZE 0x20000
#define VGA_IO_BASE 0x3b0
#define VGA_IO_SIZE 0x30

/* --- legacy ranges --- */

static uint32_t legacy_read(void *opaque, uint32_t addr)
{
    RV100Device *s = opaque;

    return vga_ioport_read(&s->vga, addr);
}

/* --- palette: the VGA core has 6 or 8 bits of a component, the chip 10 --- */

static unsigned core_bits(RV100Device *s)
{
    return s->vga.dac_8bit ? 8 : 6;
}

/* The high bits again below, so that full scale stays full scale. */
static uint32_t widen(uint32_t value, unsigned bits)
{
    return (value << (10 - bits) | value >> (2 * bits - 10)) & 0x3ff;
}

void rv100_dev_vga_colour(RV100Device *s, unsigned index, uint32_t rgb30)
{
    unsigned drop = 10 - core_bits(s);

    for (unsigned i = 0; i < 3; i++) {
        s->vga.palette[3 * index + i] = (rgb30 >> (20 - 10 * i) & 0x3ff) >> drop;
    }
}

void rv100_dev_vga_colours(RV100Device *s)
{
    for (unsigned i = 0; i < RV100_PALETTE; i++) {
        rv100_dev_vga_colour(s, i, rv100_palette_get(s->chip, 0, i));
    }
}

static void colour_to_chip(RV100Device *s, uint8_t index)
{
    uint32_t rgb30 = 0;

    for (unsigned i = 0; i < 3; i++) {
        rgb30 = rgb30 << 10 | widen(s->vga.palette[3 * index + i], core_bits(s));
    }
    rv100_palette_set(s->chip, 0, index, rgb30);
}

/* A colour is complete when the core's index moves on. */
static void legacy_write(void *opaque, uint32_t addr, uint32_t value)
{
    RV100Device *s = opaque;
    uint8_t index = s->vga.dac_write_index;

    vga_ioport_write(&s->vga, addr, value);
    if (addr == VGA_PEL_D && s->vga.dac_write_index != index) {
        colour_to_chip(s, index);
    }
}

uint8_t rv100_dev_vga_misc(RV100Device *s)
{
    return s->vga.msr;
}

void rv100_dev_vga_set_misc(RV100Device *s, uint8_t value)
{
    vga_ioport_write(&s->vga, VGA_MIS_W, value);
}

static const MemoryRegionPortio legacy_ports[] = {
    { 0x04, 2, 1, .read = legacy_read, .write = legacy_write },     /* 3b4: CRTC, mono */
    { 0x0a, 1, 1, .read = legacy_read, .write = legacy_write },     /* 3ba: status, mono */
    { 0x10, 16, 1, .read = legacy_read, .write = legacy_write },    /* 3c0 .. 3cf */
    { 0x24, 2, 1, .read = legacy_read, .write = legacy_write },     /* 3d4: CRTC, colour */
    { 0x2a, 1, 1, .read = legacy_read, .write = legacy_write },     /* 3da: status, colour */
    PORTIO_END_OF_LIST(),
};

/* The first other VGA card on the bus; one of ours only while it decodes VGA. */
static void find_card(PCIBus *bus, PCIDevice *pdev, void *opaque)
{
    PCIDevice **found = opaque;
    Object *ours = object_dynamic_cast(OBJECT(pdev), TYPE_RV100);

    if (!*found && (ours ? RV100(ours)->owns_legacy :
                    pci_get_word(pdev->config + PCI_CLASS_DEVICE) == PCI_CLASS_DISPLAY_VGA)) {
        *found = pdev;
    }
}

/* The first VGA card decodes VGA: it is the one that the firmware of a PC picks. */
static bool choose_legacy(RV100Device *s, Error **errp)
{
    PCIDevice *other = NULL;

    pci_for_each_device_under_bus(pci_get_bus(PCI_DEVICE(s)), find_card, &other);
    if (other && s->legacy == ON_OFF_AUTO_ON) {
        error_setg(errp, "x-legacy-vga=on: %s decodes the legacy VGA ranges already (-vga none "
                   "leaves out the machine's own card)", object_get_typename(OBJECT(other)));
        return false;
    }
    if (other && s->legacy == ON_OFF_AUTO_AUTO && !object_dynamic_cast(OBJECT(other),
                                                                       TYPE_RV100)) {
        warn_report(TYPE_RV100 ": %s is the first VGA card of this machine and shows the "
                    "firmware; -vga none leaves it out", object_get_typename(OBJECT(other)));
    }
    s->owns_legacy = !other && s->legacy != ON_OFF_AUTO_OFF;
    return true;
}

static void map_legacy(RV100Device *s)
{
    PCIDevice *pdev = PCI_DEVICE(s);
    Object *obj = OBJECT(s);

    /* Containers from 0 on show what lies below where they are empty. The core
     * adds an alias of its own at absolute addresses to legacy_address_space, and
     * a port list cannot be disabled, or added twice, before QEMU 9.1. */
    memory_region_init(&s->legacy_mem_root, obj, "rv100.legacy-mem",
                       VGA_MEM_BASE + VGA_MEM_SIZE);
    memory_region_init_io(&s->legacy_mem, obj, &vga_mem_ops, &s->vga, "rv100.vga-lowmem",
                          VGA_MEM_SIZE);
    memory_region_set_flush_coalesced(&s->legacy_mem);
    memory_region_add_subregion_overlap(&s->legacy_mem_root, VGA_MEM_BASE, &s->legacy_mem, 1);
    memory_region_set_coalescing(&s->legacy_mem);
    memory_region_add_subregion_overlap(pci_address_space(pdev), 0, &s->legacy_mem_root, 1);
    s->vga.legacy_address_space = &s->legacy_mem_root;

    memory_region_init(&s->legacy_io_root, obj, "rv100.legacy-io", VGA_IO_BASE + VGA_IO_SIZE);
    portio_list_init(&s->legacy_io, obj, legacy_ports, s, "rv100.vga");
    portio_list_set_flush_coalesced(&s->legacy_io);
    portio_list_add(&s->legacy_io, &s->legacy_io_root, VGA_IO_BASE);
    memory_region_add_subregion_overlap(pci_address_space_io(pdev), 0, &s->legacy_io_root, 1);
}

/* --- console --- */

/* Give the screen back to the VGA core, which remembers the size of its surface
 * and writes to it without asking. */
static void return_to_vga(RV100Device *s)
{
    s->vga.last_scr_width = 640;
    s->vga.last_scr_height = 480;
    s->vga.graphic_mode = -1;
    qemu_console_resize(s->vga.con, s->vga.last_scr_width, s->vga.last_scr_height);
    s->vga.hw_ops->invalidate(&s->vga);
    s->screen[0].foreign = true;
}

static void console_invalidate(void *opaque)
{
    RV100Device *s = opaque;

    if (s->extended) {
        s->screen[0].invalid = true;
    } else {
        s->vga.hw_ops->invalidate(&s->vga);
    }
}

static void console_update(void *opaque)
{
    RV100Device *s = opaque;

    if (!s->extended) {
        s->vga.hw_ops->gfx_update(&s->vga);
    } else {
        rv100_dev_scanout(s, 0);
    }
}

static void console_text(void *opaque, console_ch_t *text)
{
    RV100Device *s = opaque;

    if (!s->extended) {
        s->vga.hw_ops->text_update(&s->vga, text);
    }
}

static const GraphicHwOps console_ops = {
    .invalidate = console_invalidate,
    .gfx_update = console_update,
    .text_update = console_text,
};

/* --- registers --- */

/* VGA arbiters write both bits of CONFIG_CNTL [linux]. VGA_RAM_EN alone does not
 * close the window: its value after power-on is not known. */
static void update_legacy(RV100Device *s)
{
    uint32_t config = rv100_peek(s->chip, A_CONFIG_CNTL);
    bool io = !RV100_GET(config, CONFIG_CNTL, CFG_VGA_IO_DIS);

    memory_region_set_enabled(&s->legacy_io_root, io);
    memory_region_set_enabled(&s->legacy_mem_root,
                              io || RV100_GET(config, CONFIG_CNTL, CFG_VGA_RAM_EN));
}

void rv100_dev_vga_update(RV100Device *s)
{
    bool extended;

    if (!s->chip) {
        return;                 /* the chip's first reset; ours comes later */
    }
    if (s->owns_legacy) {
        update_legacy(s);
    }
    rv100_dev_aperture_update(s);
    for (unsigned n = 0; n < RV100_HEADS; n++) {
        s->screen[n].invalid = true;
    }
    extended = RV100_GET(rv100_peek(s->chip, A_CRTC_GEN_CNTL), CRTC_GEN_CNTL,
                         CRTC_EXT_DISP_EN);
    if (extended != s->extended) {
        s->extended = extended;
        if (!extended) {
            return_to_vga(s);
        }
    }
}

void rv100_dev_vga_reset(RV100Device *s)
{
    vga_common_reset(&s->vga);
    rv100_dev_vga_update(s);
}

bool rv100_dev_vga_realize(RV100Device *s, Error **errp)
{
    if (!choose_legacy(s, errp) || !vga_common_init(&s->vga, OBJECT(s), errp)) {
        return false;
    }
    if (s->owns_legacy) {
        map_legacy(s);
    }
    s->vga.con = graphic_console_init(DEVICE(s), 0, &console_ops, s);
    return true;
}

void rv100_dev_vga_exit(RV100Device *s)
{
    graphic_console_close(s->vga.con);
    if (s->owns_legacy) {
        portio_list_del(&s->legacy_io);
        portio_list_destroy(&s->legacy_io);
        memory_region_del_subregion(pci_address_space_io(PCI_DEVICE(s)), &s->legacy_io_root);
        memory_region_del_subregion(pci_address_space(PCI_DEVICE(s)), &s->legacy_mem_root);
    }
}
