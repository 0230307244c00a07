/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are the structs of the running QEMU laid out as this build was compiled?
 *
 * The version alone does not tell: 7.2.x changed DeviceState and MemoryRegion
 * inside the series. QEMU publishes offsets and sizes in its VMState tables, so
 * they can be compared before anything of the device exists.
 */
#include "compat.h"

#include "device.h"

/* VMState tables hold fewer fields than this; ends a search in a strange one. */
#define MAX_FIELDS 256

/* A build with another number is refused everywhere: for the tests. */
#ifndef RV100_LAYOUT_SKEW
#define RV100_LAYOUT_SKEW 0
#endif

typedef struct LayoutItem {
    const char *table;          /* struct or device class, for the message */
    const VMStateDescription *vmsd; /* NULL: that of the device class "VGA" */
    const char *field;
    size_t offset;
    size_t size;                /* 0: not compared */
} LayoutItem;

static const VMStateField *find_field(const VMStateDescription *vmsd, const char *name)
{
    const VMStateField *f = vmsd ? vmsd->fields : NULL;

    for (int i = 0; f && f->name && i < MAX_FIELDS; i++, f++) {
        if (g_str_equal(f->name, name)) {
            return f;
        }
    }
    return NULL;
}

static char *check_item(const LayoutItem *item, const VMStateDescription *vmsd)
{
    const VMStateField *f = find_field(vmsd, item->field);
    size_t offset = item->offset + RV100_LAYOUT_SKEW;

    if (!f) {
        return g_strdup_printf("struct layout of this QEMU cannot be checked (%s.%s is not "
                               "in its tables): rebuild the plugin for this QEMU",
                               item->table, item->field);
    }
    if (f->offset != offset || (item->size && f->size != item->size)) {
        return g_strdup_printf("struct layout of this QEMU differs (%s.%s at %zu size %zu, "
                               "built for %zu size %zu): rebuild the plugin for this QEMU",
                               item->table, item->field, f->offset, f->size, offset,
                               item->size ? item->size : f->size);
    }
    return NULL;
}

/* hw/display/vga-pci.c: the only user of both structs that all targets have. */
typedef struct VgaCard {
    PCIDevice dev;
    VGACommonState vga;
} VgaCard;

char *rv100_layout_check(void)
{
    /* The last member of VGACommonState proves the whole struct. */
    static const LayoutItem items[] = {
        { "VGACommonState", &vmstate_vga_common, "latch",
          offsetof(VGACommonState, latch), 4 },
        { "VGACommonState", &vmstate_vga_common, "palette",
          offsetof(VGACommonState, palette), 0 },
        { "VGACommonState", &vmstate_vga_common, "vbe_bank_mask",
          offsetof(VGACommonState, vbe_bank_mask), 4 },
        { "VGACommonState", &vmstate_vga_common, "is_vbe_vmstate",
          offsetof(VGACommonState, is_vbe_vmstate), 1 },
        { "PCIDevice", &vmstate_pci_device, "version_id",
          offsetof(PCIDevice, version_id), 4 },
        { "PCIDevice", &vmstate_pci_device, "config", offsetof(PCIDevice, config), 0 },
        { "VGA", NULL, "dev", offsetof(VgaCard, dev), sizeof(PCIDevice) },
        { "VGA", NULL, "vga", offsetof(VgaCard, vga), sizeof(VGACommonState) },
    };
    ObjectClass *oc;
    char *why = NULL;

    for (size_t i = 0; i < G_N_ELEMENTS(items) && !why; i++) {
        const VMStateDescription *vmsd = items[i].vmsd;

        if (!vmsd) {
            oc = object_class_by_name("VGA");
            vmsd = oc ? DEVICE_CLASS(oc)->vmsd : NULL;
        }
        why = check_item(&items[i], vmsd);
    }
    return why;
}
