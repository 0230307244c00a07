/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that differs between the QEMU series 7.2 to 10.2, for hw/qemu.
 * Included first in every file instead of qemu/osdep.h.
 */
#ifndef RV100_COMPAT_H
#define RV100_COMPAT_H

#include "qemu/osdep.h"

#define RV100_QEMU_AT_LEAST(major, minor) \
    (QEMU_VERSION_MAJOR > (major) || \
     (QEMU_VERSION_MAJOR == (major) && QEMU_VERSION_MINOR >= (minor)))

#include "hw/pci/pci.h"
#if RV100_QEMU_AT_LEAST(8, 0)
#include "hw/pci/pci_device.h"
#endif
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#include "hw/display/edid.h"
#include "hw/display/vga_int.h"
#include "hw/display/vga_regs.h"
#include "chardev/char-fe.h"
#include "migration/vmstate.h"
#if RV100_QEMU_AT_LEAST(10, 0)
#include "qapi/qmp-registry.h"
#include "qobject/qdict.h"
#include "system/runstate.h"
#include "system/system.h"
#else
#include "qapi/qmp/dispatch.h"
#include "qapi/qmp/qdict.h"
#include "sysemu/runstate.h"
#include "sysemu/sysemu.h"
#endif
#include "ui/console.h"

/* Data of class_init and of interface lists became const in 10.1. */
#if RV100_QEMU_AT_LEAST(10, 1)
typedef const void *Rv100ClassData;
typedef const InterfaceInfo Rv100InterfaceInfo;
#else
typedef void *Rv100ClassData;
typedef InterfaceInfo Rv100InterfaceInfo;
#endif

/* Property tables: const and without an end mark from 10.0 on. */
#ifdef DEFINE_PROP_END_OF_LIST
typedef Property Rv100Property;
#define RV100_PROP_END DEFINE_PROP_END_OF_LIST(),
#else
typedef const Property Rv100Property;
#define RV100_PROP_END
#endif

/* CharBackend was renamed in 10.2. */
#if RV100_QEMU_AT_LEAST(10, 2)
typedef CharFrontend Rv100CharFrontend;
#else
typedef CharBackend Rv100CharFrontend;
#endif

static inline void rv100_compat_cursor_unref(QEMUCursor *c)
{
#if RV100_QEMU_AT_LEAST(8, 0)
    cursor_unref(c);
#else
    cursor_put(c);
#endif
}

static inline void rv100_compat_set_reset(DeviceClass *dc,
                                          void (*reset)(DeviceState *dev))
{
#if RV100_QEMU_AT_LEAST(9, 2)
    device_class_set_legacy_reset(dc, reset);
#else
    dc->reset = reset;
#endif
}

#endif
