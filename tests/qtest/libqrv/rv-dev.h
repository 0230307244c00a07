/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The radeon-rv100 of a VM: found on the PCI bus, its BARs mapped.
 *
 * Register accessors rd_NAME(d) and wr_NAME(d, value) are generated from the
 * register descriptions (rv100-accessors.h) on top of rv_rd32() and rv_wr32().
 */
#ifndef RV_DEV_H
#define RV_DEV_H

#include "rv-vm.h"

typedef struct RvDev {
    RvVm *vm;
    uint8_t devfn;
    uint64_t vram, mmio;        /* as the CPU sees BAR0 and BAR2 */
    uint32_t vram_bus;          /* as the card sees them */
    uint32_t mmio_bus;
    uint16_t io;                /* BAR1 */
} RvDev;

#define RV_VENDOR 0x1002
#define RV_DEVICE 0x5159

/* A VM with one device; extra: further arguments of -device, as ",x=y" or "".
 * NULL after g_test_skip(). */
RvDev *rv_dev_new(const char *extra);
/* Frees the VM too. */
void rv_dev_free(RvDev *d);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RvDev, rv_dev_free)

/* The nth RV100 of the VM, mapped and enabled at addresses of our choice;
 * the VM is not freed with it. Fails the test when there is none. */
RvDev *rv_dev_probe(RvVm *vm, unsigned nth);
void rv_dev_unref(RvDev *d);
/* After a reset: map and enable it again. */
void rv_dev_map(RvDev *d);

/* PCI configuration space. */
uint32_t rv_cfg_rd(RvDev *d, uint8_t offset, unsigned size);
void rv_cfg_wr(RvDev *d, uint8_t offset, uint32_t value, unsigned size);
/* devfn of the nth device with this id on bus 0, -1: none. */
int rv_pci_find(RvVm *vm, uint32_t id, unsigned nth);

/* Register aperture. */
uint8_t rv_rd8(RvDev *d, uint32_t offset);
uint16_t rv_rd16(RvDev *d, uint32_t offset);
uint32_t rv_rd32(RvDev *d, uint32_t offset);
uint64_t rv_rd64(RvDev *d, uint32_t offset);
void rv_wr8(RvDev *d, uint32_t offset, uint8_t value);
void rv_wr16(RvDev *d, uint32_t offset, uint16_t value);
void rv_wr32(RvDev *d, uint32_t offset, uint32_t value);
void rv_wr64(RvDev *d, uint32_t offset, uint64_t value);

/* I/O aperture. */
uint32_t rv_io_rd(RvDev *d, uint8_t offset, unsigned size);
void rv_io_wr(RvDev *d, uint8_t offset, uint32_t value, unsigned size);

/* Frame buffer through BAR0. */
uint32_t rv_vram_rd32(RvDev *d, uint32_t offset);
void rv_vram_wr32(RvDev *d, uint32_t offset, uint32_t value);
void rv_vram_read(RvDev *d, uint32_t offset, void *buf, size_t len);
void rv_vram_write(RvDev *d, uint32_t offset, const void *buf, size_t len);
void rv_vram_fill(RvDev *d, uint32_t offset, size_t len, uint8_t byte);

/* --- tests --- */
typedef void (*RvTestFn)(RvDev *d);

/* Register a test that gets a fresh VM with one device. */
void rv_test_add(const char *path, RvTestFn fn);
/* The same with further -device arguments (",x-cp-fetch-words=3"). */
void rv_test_add_with(const char *path, const char *extra, RvTestFn fn);

#define rv_assert_hex(a, b) g_assert_cmphex((a), ==, (b))

#endif
