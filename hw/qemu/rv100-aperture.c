/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BAR0 while the card swaps bytes for a big-endian driver: a region over VRAM
 * that turns each access. It is on only then; at other times a guest writes VRAM
 * as plain memory.
 */
#include "compat.h"

#include "device.h"

static uint64_t swapped_read(void *opaque, hwaddr addr, unsigned size)
{
    RV100Device *s = opaque;
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++) {
        uint32_t at = rv100_aperture_address(s->chip, addr + i);

        value |= (uint64_t)s->vga.vram_ptr[at] << 8 * i;
    }
    return value;
}

static void swapped_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    RV100Device *s = opaque;

    for (unsigned i = 0; i < size; i++) {
        uint32_t at = rv100_aperture_address(s->chip, addr + i);

        s->vga.vram_ptr[at] = value >> 8 * i;
    }
    /* The swapped bytes are in the words of the access. */
    size = QEMU_ALIGN_UP(addr + size, 4) - QEMU_ALIGN_DOWN(addr, 4);
    addr = QEMU_ALIGN_DOWN(addr, 4);
    memory_region_set_dirty(&s->vga.vram, addr, size);
    rv100_capture_vram(s->chip, addr, size);
}

static const MemoryRegionOps swapped_ops = {
    .read = swapped_read,
    .write = swapped_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

void rv100_dev_aperture_realize(RV100Device *s)
{
    memory_region_init_io(&s->swapped, OBJECT(s), &swapped_ops, s, "rv100.swapped-vram",
                          s->vga.vram_size);
    memory_region_set_enabled(&s->swapped, false);
    memory_region_add_subregion_overlap(&s->bar0, 0, &s->swapped, 1);
}

void rv100_dev_aperture_update(RV100Device *s)
{
    memory_region_set_enabled(&s->swapped, !rv100_aperture_plain(s->chip));
}
