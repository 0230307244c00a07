/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Migration of radeon-rv100. The chip publishes one table of its members
 * (rv100_state_fields()); the VMState of the chip is that table in QEMU's form.
 */
#include "compat.h"

#include "qemu/error-report.h"

#include "device.h"

static const VMStateInfo *info_of_size(unsigned size)
{
    switch (size) {
    case 1:
        return &vmstate_info_uint8;
    case 2:
        return &vmstate_info_uint16;
    case 4:
        return &vmstate_info_uint32;
    case 8:
        return &vmstate_info_uint64;
    }
    g_assert_not_reached();     /* a mistake in our own table */
}

static int chip_post_load(void *opaque, int version_id)
{
    const char *why;

    if (!rv100_state_check(opaque, &why)) {
        error_report(TYPE_RV100 ": the state of the chip is impossible: %s", why);
        return -EINVAL;
    }
    return 0;
}

static const VMStateDescription *chip_vmstate(void)
{
    static VMStateDescription vmsd = {
        .name = TYPE_RV100 "/chip",
        .version_id = RV100_STATE_VERSION,
        .minimum_version_id = 1,
        .post_load = chip_post_load,
    };
    const Rv100StateField *table;
    VMStateField *fields;
    size_t n;

    table = rv100_state_fields(&n);
    fields = g_new0(VMStateField, n + 1);
    for (size_t i = 0; i < n; i++) {
        fields[i] = (VMStateField) {
            .name = table[i].name,
            .offset = table[i].offset,
            .size = table[i].size,
            .num = table[i].count,
            .info = info_of_size(table[i].size),
            .flags = table[i].count > 1 ? VMS_ARRAY : VMS_SINGLE,
            .version_id = table[i].since,
        };
    }
    fields[n] = (VMStateField) VMSTATE_END_OF_LIST();
    vmsd.fields = fields;
    return &vmsd;
}

/* All parts are there: derived state follows, of the screen by display_changed(). */
static int device_post_load(void *opaque, int version_id)
{
    RV100Device *s = opaque;

    rv100_dev_update_bars(s);
    rv100_state_loaded(s->chip);
    rv100_dev_vga_colours(s);
    return 0;
}

const VMStateDescription *rv100_dev_vmstate(void)
{
    static VMStateField fields[4];
    static VMStateDescription vmsd = {
        .name = TYPE_RV100,
        .version_id = 1,
        .minimum_version_id = 1,
        .post_load = device_post_load,
        .fields = fields,
    };
    VMStateField table[] = {
        VMSTATE_PCI_DEVICE(parent_obj, RV100Device),
        VMSTATE_STRUCT(vga, RV100Device, 0, vmstate_vga_common, VGACommonState),
        {
            .name = "chip",
            .vmsd = chip_vmstate(),
            .size = sizeof(Rv100 *),
            .flags = VMS_STRUCT | VMS_POINTER,
            .offset = offsetof(RV100Device, chip),
        },
        VMSTATE_END_OF_LIST(),
    };

    memcpy(fields, table, sizeof(table));
    return &vmsd;
}
