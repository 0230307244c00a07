/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PCI configuration (ports 0xcf8/0xcfc on a PC, the registers of the Grackle
 * bridge on a g3beige) and access to the apertures.
 */
#include "rv-dev.h"

#define PCI_BARS 0x10
#define PCI_COMMAND 0x04
#define COMMAND_IO 1
#define COMMAND_MEM 2
#define COMMAND_MASTER 4

#define BAR0_SIZE 0x08000000    /* 128 MiB: design, apertures */
#define GRACKLE_ADDR 0xfec00000
#define GRACKLE_DATA 0xfee00000
#define GRACKLE_IO 0xfe000000

/* --- configuration space --- */

static void select_cfg(RvVm *vm, unsigned devfn, uint8_t offset)
{
    uint32_t addr = 0x80000000 | devfn << 8 | (offset & 0xfc);

    if (rv_vm_big_endian(vm)) {
        rv_mem_wr(vm, GRACKLE_ADDR, addr, 4);
    } else {
        rv_outl(vm, 0xcf8, addr);
    }
}

static uint32_t cfg_rd(RvVm *vm, unsigned devfn, uint8_t offset, unsigned size)
{
    select_cfg(vm, devfn, offset);
    if (rv_vm_big_endian(vm)) {
        return rv_mem_rd(vm, GRACKLE_DATA + (offset & 3), size);
    }
    return size == 1 ? rv_inb(vm, 0xcfc + (offset & 3))
         : size == 2 ? rv_inw(vm, 0xcfc + (offset & 2))
                     : rv_inl(vm, 0xcfc);
}

static void cfg_wr(RvVm *vm, unsigned devfn, uint8_t offset, uint32_t value,
                   unsigned size)
{
    select_cfg(vm, devfn, offset);
    if (rv_vm_big_endian(vm)) {
        rv_mem_wr(vm, GRACKLE_DATA + (offset & 3), value, size);
    } else if (size == 1) {
        rv_outb(vm, 0xcfc + (offset & 3), value);
    } else if (size == 2) {
        rv_outw(vm, 0xcfc + (offset & 2), value);
    } else {
        rv_outl(vm, 0xcfc, value);
    }
}

int rv_pci_find(RvVm *vm, uint32_t id, unsigned nth)
{
    for (unsigned devfn = 0; devfn < 256; devfn++) {
        if (cfg_rd(vm, devfn, 0, 4) == id && nth-- == 0) {
            return devfn;
        }
    }
    return -1;
}

uint32_t rv_cfg_rd(RvDev *d, uint8_t offset, unsigned size)
{
    return cfg_rd(d->vm, d->devfn, offset, size);
}

void rv_cfg_wr(RvDev *d, uint8_t offset, uint32_t value, unsigned size)
{
    cfg_wr(d->vm, d->devfn, offset, value, size);
}

/* --- the device --- */

void rv_dev_map(RvDev *d)
{
    rv_cfg_wr(d, PCI_BARS, d->vram_bus, 4);
    rv_cfg_wr(d, PCI_BARS + 4, d->io, 4);
    rv_cfg_wr(d, PCI_BARS + 8, d->mmio_bus, 4);
    rv_cfg_wr(d, PCI_COMMAND, COMMAND_IO | COMMAND_MEM | COMMAND_MASTER, 2);
}

RvDev *rv_dev_probe(RvVm *vm, unsigned nth)
{
    RvDev *d = g_new0(RvDev, 1);
    int devfn = rv_pci_find(vm, (uint32_t)RV_DEVICE << 16 | RV_VENDOR, nth);

    if (devfn < 0) {
        rv_die("no RV100 number %u on the PCI bus", nth);
    }
    d->vm = vm;
    d->devfn = devfn;
    /* Free on both machines: above RAM, below the bridges and the ROM. */
    d->vram = d->vram_bus = 0xd0000000 + nth * BAR0_SIZE;
    d->mmio = d->mmio_bus = 0xe8000000 + nth * 0x100000;
    d->io = 0xc000 + nth * 0x100;
    rv_dev_map(d);
    return d;
}

void rv_dev_unref(RvDev *d)
{
    g_free(d);
}

RvDev *rv_dev_new(const char *extra)
{
    g_autofree char *args =
        g_strdup_printf("-machine pc -m 64 -vga none -device radeon-rv100%s",
                        extra);
    RvVmConfig config = { .bios = RV_BIOS_HALT, .args = args };
    RvVm *vm = rv_vm_new(&config);

    return vm ? rv_dev_probe(vm, 0) : NULL;
}

void rv_dev_free(RvDev *d)
{
    if (d) {
        rv_vm_free(d->vm);
        g_free(d);
    }
}

/* --- apertures --- */

uint8_t rv_rd8(RvDev *d, uint32_t offset)
{
    return rv_mem_rd(d->vm, d->mmio + offset, 1);
}

uint16_t rv_rd16(RvDev *d, uint32_t offset)
{
    return rv_mem_rd(d->vm, d->mmio + offset, 2);
}

uint32_t rv_rd32(RvDev *d, uint32_t offset)
{
    return rv_mem_rd(d->vm, d->mmio + offset, 4);
}

uint64_t rv_rd64(RvDev *d, uint32_t offset)
{
    return rv_mem_rd(d->vm, d->mmio + offset, 8);
}

void rv_wr8(RvDev *d, uint32_t offset, uint8_t value)
{
    rv_mem_wr(d->vm, d->mmio + offset, value, 1);
}

void rv_wr16(RvDev *d, uint32_t offset, uint16_t value)
{
    rv_mem_wr(d->vm, d->mmio + offset, value, 2);
}

void rv_wr32(RvDev *d, uint32_t offset, uint32_t value)
{
    rv_mem_wr(d->vm, d->mmio + offset, value, 4);
}

void rv_wr64(RvDev *d, uint32_t offset, uint64_t value)
{
    rv_mem_wr(d->vm, d->mmio + offset, value, 8);
}

uint32_t rv_io_rd(RvDev *d, uint8_t offset, unsigned size)
{
    if (rv_vm_big_endian(d->vm)) {
        return rv_mem_rd(d->vm, GRACKLE_IO + d->io + offset, size);
    }
    return size == 1 ? rv_inb(d->vm, d->io + offset)
         : size == 2 ? rv_inw(d->vm, d->io + offset)
                     : rv_inl(d->vm, d->io + offset);
}

void rv_io_wr(RvDev *d, uint8_t offset, uint32_t value, unsigned size)
{
    if (rv_vm_big_endian(d->vm)) {
        rv_mem_wr(d->vm, GRACKLE_IO + d->io + offset, value, size);
    } else if (size == 1) {
        rv_outb(d->vm, d->io + offset, value);
    } else if (size == 2) {
        rv_outw(d->vm, d->io + offset, value);
    } else {
        rv_outl(d->vm, d->io + offset, value);
    }
}

uint32_t rv_vram_rd32(RvDev *d, uint32_t offset)
{
    return rv_mem_rd(d->vm, d->vram + offset, 4);
}

void rv_vram_wr32(RvDev *d, uint32_t offset, uint32_t value)
{
    rv_mem_wr(d->vm, d->vram + offset, value, 4);
}

void rv_vram_read(RvDev *d, uint32_t offset, void *buf, size_t len)
{
    rv_mem_read(d->vm, d->vram + offset, buf, len);
}

void rv_vram_write(RvDev *d, uint32_t offset, const void *buf, size_t len)
{
    rv_mem_write(d->vm, d->vram + offset, buf, len);
}

void rv_vram_fill(RvDev *d, uint32_t offset, size_t len, uint8_t byte)
{
    rv_mem_fill(d->vm, d->vram + offset, len, byte);
}

/* --- tests --- */

typedef struct TestCase {
    char *extra;
    RvTestFn fn;
} TestCase;

static void run_case(gconstpointer data)
{
    const TestCase *t = data;
    g_autoptr(RvDev) d = rv_dev_new(t->extra);

    if (d) {
        t->fn(d);
    }
}

static void free_case(gpointer data)
{
    TestCase *t = data;

    g_free(t->extra);
    g_free(t);
}

void rv_test_add_with(const char *path, const char *extra, RvTestFn fn)
{
    TestCase *t = g_new0(TestCase, 1);

    t->extra = g_strdup(extra);
    t->fn = fn;
    g_test_add_data_func_full(path, t, run_case, free_case);
}

void rv_test_add(const char *path, RvTestFn fn)
{
    rv_test_add_with(path, "", fn);
}
