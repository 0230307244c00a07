/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * radeon-rv100, the PCI device: apertures, DMA, interrupt, timers and reset.
 * What the card does is in hw/rv100; this file is its host.
 */
#include "compat.h"

#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "qemu/units.h"
#include "qemu/datadir.h"

#include "device.h"

/* PCI identity: a Radeon VE board of ATI's own [linux: no driver has a quirk for
 * this subsystem]. */
#define RV100_VENDOR 0x1002
#define RV100_DEVICE 0x5159
#define RV100_SUBSYSTEM 0x0008
#define RV100_PM_CAP 0x50       /* [inferred] lspci of these boards */
#define RV100_ROM "vgabios-ati.bin"

/* --- calls into the chip --- */

bool rv100_dev_enter(RV100Device *s)
{
    if (s->busy) {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_RV100 ": an access of the card to itself over "
                      "the bus was refused\n");
        return false;
    }
    s->busy = true;
    return true;
}

void rv100_dev_leave(RV100Device *s)
{
    s->busy = false;
}

/* --- what the chip asks for --- */

/* Does a bus address range touch a memory BAR of ours? The card would answer to
 * itself; it gets a bus error instead. */
static bool hits_own_bar(RV100Device *s, uint64_t addr, uint32_t len)
{
    const struct {
        int bar;
        uint64_t size;
    } bars[] = {
        { 0, s->bar0_size }, { 2, RV100_BAR2_SIZE },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(bars); i++) {
        pcibus_t base = pci_get_bar_addr(PCI_DEVICE(s), bars[i].bar);

        if (base != PCI_BAR_UNMAPPED &&
            addr < base + bars[i].size && base < addr + len) {
            return true;
        }
    }
    return false;
}

static Rv100DmaResult dma(RV100Device *s, uint64_t addr, void *buf, uint32_t len,
                          DMADirection dir)
{
    PCIDevice *pdev = PCI_DEVICE(s);
    /* Memory only: registers of other devices are out of reach, and with them
     * every way for the guest to re-enter a device through this one. */
    MemTxAttrs attrs = { .memory = true };

    if (!(pci_get_word(pdev->config + PCI_COMMAND) & PCI_COMMAND_MASTER)) {
        return RV100_DMA_DISABLED;
    }
    if (hits_own_bar(s, addr, len)) {
        return RV100_DMA_ERROR;
    }
    return pci_dma_rw(pdev, addr, buf, len, dir, attrs) == MEMTX_OK ? RV100_DMA_OK :
                                                                      RV100_DMA_ERROR;
}

static Rv100DmaResult host_dma_read(void *opaque, uint64_t addr, void *buf, uint32_t len)
{
    return dma(opaque, addr, buf, len, DMA_DIRECTION_TO_DEVICE);
}

static Rv100DmaResult host_dma_write(void *opaque, uint64_t addr, const void *buf,
                                     uint32_t len)
{
    return dma(opaque, addr, (void *)buf, len, DMA_DIRECTION_FROM_DEVICE);
}

static void host_irq(void *opaque, bool level)
{
    pci_set_irq(PCI_DEVICE(opaque), level);
}

static int64_t host_now(void *opaque)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void host_set_timer(void *opaque, Rv100Timer timer, int64_t when)
{
    RV100Device *s = opaque;

    if (when < 0) {
        timer_del(s->timer[timer]);
    } else {
        timer_mod(s->timer[timer], when);
    }
}

static void host_vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    RV100Device *s = opaque;

    memory_region_set_dirty(&s->vga.vram, offset, len);
}

static void host_display_changed(void *opaque)
{
    rv100_dev_vga_update(opaque);
}

static void host_palette_changed(void *opaque, unsigned head, unsigned index,
                                 uint32_t rgb30)
{
    if (head == 0) {
        rv100_dev_vga_colour(opaque, index, rgb30);
    }
}

static uint8_t host_vga_misc_read(void *opaque)
{
    return rv100_dev_vga_misc(opaque);
}

static void host_vga_misc_write(void *opaque, uint8_t value)
{
    rv100_dev_vga_set_misc(opaque, value);
}

static uint32_t host_config_read(void *opaque, uint32_t offset)
{
    return pci_default_read_config(PCI_DEVICE(opaque), offset, 4);
}

static void host_log(void *opaque, Rv100LogLevel level, const char *line)
{
    qemu_log_mask(level == RV100_LOG_UNIMP ? LOG_UNIMP : LOG_GUEST_ERROR,
                  "%s\n", line);
}

static void run_timer(RV100Device *s, Rv100Timer timer)
{
    if (rv100_dev_enter(s)) {
        rv100_timer(s->chip, timer);
        rv100_dev_leave(s);
    }
}

static void engine_timer(void *opaque)
{
    run_timer(opaque, RV100_TIMER_ENGINE);
}

static void display_timer(void *opaque)
{
    run_timer(opaque, RV100_TIMER_DISPLAY);
}

/* --- apertures --- */

static uint64_t mmio_read(void *opaque, hwaddr addr, unsigned size)
{
    RV100Device *s = opaque;
    uint64_t value = 0;

    if (addr >= RV100_MMIO_SIZE) {
        if (!s->logged_reserved) {
            s->logged_reserved = true;
            qemu_log_mask(LOG_UNIMP, TYPE_RV100 ": access to BAR2 offset 0x%" PRIx64
                          " beyond the registers (further ones are not logged)\n", addr);
        }
    } else if (rv100_dev_enter(s)) {
        value = rv100_mmio_read(s->chip, addr, size);
        rv100_dev_leave(s);
    }
    return value;
}

static void mmio_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    RV100Device *s = opaque;

    if (addr >= RV100_MMIO_SIZE) {
        mmio_read(s, addr, size);
    } else if (rv100_dev_enter(s)) {
        rv100_mmio_write(s->chip, addr, value, size);
        rv100_dev_leave(s);
    }
}

/* Every size and alignment reaches the chip as it is; lanes are its business. */
static const MemoryRegionOps mmio_ops = {
    .read = mmio_read,
    .write = mmio_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

static uint64_t io_read(void *opaque, hwaddr addr, unsigned size)
{
    RV100Device *s = opaque;
    uint64_t value = 0;

    if (rv100_dev_enter(s)) {
        value = rv100_io_read(s->chip, addr, size);
        rv100_dev_leave(s);
    }
    return value;
}

static void io_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    RV100Device *s = opaque;

    if (rv100_dev_enter(s)) {
        rv100_io_write(s->chip, addr, value, size);
        rv100_dev_leave(s);
    }
}

static const MemoryRegionOps io_ops = {
    .read = io_read,
    .write = io_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 4, .unaligned = true },
};

static uint64_t no_vram_read(void *opaque, hwaddr addr, unsigned size)
{
    return 0;
}

static void no_vram_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
}

/* BAR0 behind the end of VRAM. */
static const MemoryRegionOps no_vram_ops = {
    .read = no_vram_read,
    .write = no_vram_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

static uint32_t bar_addr(RV100Device *s, int bar)
{
    pcibus_t addr = pci_get_bar_addr(PCI_DEVICE(s), bar);

    return addr == PCI_BAR_UNMAPPED ? 0 : addr;
}

void rv100_dev_update_bars(RV100Device *s)
{
    rv100_set_bars(s->chip, bar_addr(s, 0), bar_addr(s, 1), bar_addr(s, 2));
}

static void config_write(PCIDevice *pdev, uint32_t addr, uint32_t value, int len)
{
    pci_default_write_config(pdev, addr, value, len);
    rv100_dev_update_bars(RV100(pdev));
}

static void init_apertures(RV100Device *s)
{
    PCIDevice *pdev = PCI_DEVICE(s);
    Object *obj = OBJECT(s);

    memory_region_init(&s->bar0, obj, "rv100.bar0", s->bar0_size);
    memory_region_add_subregion(&s->bar0, 0, rv100_dev_vram_region(s));
    rv100_dev_aperture_realize(s);
    if (s->vga.vram_size < s->bar0_size) {
        memory_region_init_io(&s->no_vram, obj, &no_vram_ops, s, "rv100.no-vram",
                              s->bar0_size - s->vga.vram_size);
        memory_region_add_subregion(&s->bar0, s->vga.vram_size, &s->no_vram);
    }
    memory_region_init_io(&s->io, obj, &io_ops, s, "rv100.io", RV100_BAR1_SIZE);
    memory_region_init_io(&s->mmio, obj, &mmio_ops, s, "rv100.mmio", RV100_BAR2_SIZE);
    pci_register_bar(pdev, 0, PCI_BASE_ADDRESS_MEM_PREFETCH, &s->bar0);
    pci_register_bar(pdev, 1, PCI_BASE_ADDRESS_SPACE_IO, &s->io);
    pci_register_bar(pdev, 2, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->mmio);
}

/* --- device --- */

static bool init_config(PCIDevice *pdev, Error **errp)
{
    int pm;

    pci_set_byte(pdev->config + PCI_INTERRUPT_PIN, 1);
    pm = pci_add_capability(pdev, PCI_CAP_ID_PM, RV100_PM_CAP, PCI_PM_SIZEOF, errp);
    if (pm < 0) {
        return false;
    }
    pci_set_word(pdev->config + pm + PCI_PM_PMC, 2 | PCI_PM_CAP_D1 | PCI_PM_CAP_D2);
    pci_set_word(pdev->wmask + pm + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
    return true;
}

/* The text screen needs a video BIOS; a machine without one must still start. */
static void choose_rom(PCIDevice *pdev)
{
    g_autofree char *path = NULL;

    if (pdev->romfile) {
        return;
    }
    path = qemu_find_file(QEMU_FILE_TYPE_BIOS, RV100_ROM);
    if (path) {
        pdev->romfile = g_strdup(RV100_ROM);
    } else {
        warn_report(TYPE_RV100 ": no video BIOS: " RV100_ROM " was not found (Debian package "
                    "seabios; romfile= silences this)");
    }
}

static void init_chip(RV100Device *s)
{
    static const Rv100Host host = {
        .dma_read = host_dma_read,
        .dma_write = host_dma_write,
        .irq = host_irq,
        .now = host_now,
        .set_timer = host_set_timer,
        .vram_dirty = host_vram_dirty,
        .display_changed = host_display_changed,
        .palette_changed = host_palette_changed,
        .vga_misc_read = host_vga_misc_read,
        .vga_misc_write = host_vga_misc_write,
        .config_read = host_config_read,
        .log = host_log,
        .trace_state = rv100_trace_states,
        .trace = rv100_trace_event,
    };
    Rv100Config config = {
        .vram = s->vga.vram_ptr,
        .vram_size = s->vga.vram_size,
        .slice_steps = s->slice_steps,
        .fetch_words = s->fetch_words,
    };

    s->timer[RV100_TIMER_ENGINE] = timer_new_ns(QEMU_CLOCK_VIRTUAL, engine_timer, s);
    s->timer[RV100_TIMER_DISPLAY] = timer_new_ns(QEMU_CLOCK_VIRTUAL, display_timer, s);
    s->chip = rv100_new(&host, s, &config);
}

static void rv100_realize(PCIDevice *pdev, Error **errp)
{
    RV100Device *s = RV100(pdev);

    if (!rv100_dev_check_properties(s, errp) || !init_config(pdev, errp) ||
        !rv100_dev_vga_realize(s, errp)) {
        return;
    }
    choose_rom(pdev);
    init_chip(s);
    if (!rv100_dev_capture_start(s, errp)) {
        return;
    }
    rv100_dev_display_realize(s);
    init_apertures(s);
    rv100_dev_debug_realize(s);
}

static void rv100_exit(PCIDevice *pdev)
{
    RV100Device *s = RV100(pdev);

    rv100_dev_debug_exit(s);
    rv100_dev_display_exit(s);
    rv100_dev_vga_exit(s);
    rv100_dev_capture_stop(s);
    rv100_free(s->chip);        /* cancels its timers */
    s->chip = NULL;
    for (int i = 0; i < RV100_N_TIMERS; i++) {
        timer_free(s->timer[i]);
    }
}

static void rv100_dev_reset(DeviceState *dev)
{
    RV100Device *s = RV100(dev);

    rv100_reset(s->chip);
    rv100_set_bars(s->chip, 0, 0, 0);
    rv100_dev_vga_reset(s);
}

static void rv100_class_init(ObjectClass *klass, Rv100ClassData data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

    k->realize = rv100_realize;
    k->exit = rv100_exit;
    k->config_write = config_write;
    k->vendor_id = RV100_VENDOR;
    k->device_id = RV100_DEVICE;
    k->subsystem_vendor_id = RV100_VENDOR;
    k->subsystem_id = RV100_SUBSYSTEM;
    k->revision = 0;
    k->class_id = PCI_CLASS_DISPLAY_VGA;
    dc->desc = "ATI Radeon RV100 (Radeon VE, 7000), runs its own microcode";
    dc->vmsd = rv100_dev_vmstate();
    dc->hotpluggable = false;
    rv100_compat_set_reset(dc, rv100_dev_reset);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    rv100_dev_class_properties(klass);
}

void rv100_register_types(void)
{
    static Rv100InterfaceInfo interfaces[] = {
        { INTERFACE_CONVENTIONAL_PCI_DEVICE },
        { }
    };
    static const TypeInfo info = {
        .name = TYPE_RV100,
        .parent = TYPE_PCI_DEVICE,
        .instance_size = sizeof(RV100Device),
        .class_init = rv100_class_init,
        .interfaces = interfaces,
    };

    type_register_static(&info);
}
