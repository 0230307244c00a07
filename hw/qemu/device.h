/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The QEMU device radeon-rv100: state shared by the files of hw/qemu.
 */
#ifndef RV100_DEVICE_H
#define RV100_DEVICE_H

#include "compat.h"

#include "qemu/timer.h"
#include "qom/object.h"

#include "rv100/capture.h"
#include "rv100/chip.h"
#include "rv100/debug.h"
#include "rv100/display.h"

#define TYPE_RV100 "radeon-rv100"
OBJECT_DECLARE_SIMPLE_TYPE(RV100Device, RV100)

/* Sizes of the apertures [linux]: the driver wants BAR0 to hold all of VRAM and
 * BAR2 at least 16 KiB. */
#define RV100_BAR0_SIZE (128 * MiB)
#define RV100_BAR1_SIZE 256
#define RV100_BAR2_SIZE (64 * KiB)
#define RV100_MMIO_SIZE (16 * KiB)

/* A console of a head, and what was drawn there last. */
typedef struct RV100Screen {
    QemuConsole *con;
    Rv100DisplayMode mode;
    bool invalid;               /* draw everything */
    bool foreign;               /* the surface is not ours (VGA core, message) */
    uint32_t cursor_state[RV100_CURSOR_STATE];
    uint32_t cursor_first, cursor_lines;
    QEMUCursor *host_cursor;
    int host_x, host_y;
    bool host_on;
} RV100Screen;

struct RV100Device {
    PCIDevice parent_obj;

    VGACommonState vga;
    Rv100 *chip;
    QEMUTimer *timer[RV100_N_TIMERS];

    MemoryRegion bar0, no_vram; /* VRAM is vga.vram */
    MemoryRegion swapped;       /* over VRAM while the card swaps bytes */
    MemoryRegion captured_vram; /* ... or this, with x-capture */
    int capture_fd;
    MemoryRegion io;
    MemoryRegion mmio;
    MemoryRegion legacy_mem_root, legacy_io_root;   /* containers: switches */
    MemoryRegion legacy_mem;    /* the VGA window */
    PortioList legacy_io;       /* the VGA ports */

    /* inside a call into the chip: an access that comes back through DMA finds
     * nobody at home */
    bool busy;
    bool owns_legacy;           /* decodes the VGA ranges */
    bool logged_reserved;       /* an access to the empty part of BAR2 */

    /* rebuilt by rv100_dev_vga_update() */
    bool extended;              /* the card's own CRTC has the screen */
    RV100Screen screen[RV100_HEADS];

    /* the user's debugging session; NULL until there is one */
    Rv100Debug *debugger;
    GString *messages;          /* said while no monitor command ran */
    struct {
        Rv100DebugTerminal *terminal;   /* NULL: no character device */
        GString *unsent;
        guint watch;            /* waits until the device takes more */
        uint64_t lost;          /* bytes of messages that had no room */
    } console;

    /* --- properties --- */
    char *model;
    char *monitor;
    char *capture;
    qemu_edid_info edid_info;
    Rv100CharFrontend debug;
    OnOffAuto edid;
    OnOffAuto legacy;
    uint64_t bar0_size;
    uint32_t slice_steps;
    uint32_t fetch_words;
    uint8_t heads;
    bool guest_hwcursor;
};

/* layout.c: NULL when the structs of the running QEMU are those of this build,
 * else a line (malloc) that says what differs. */
char *rv100_layout_check(void);

/* rv100.c */
void rv100_register_types(void);
/* Call into the chip unless it is being called already; see RV100Device.busy. */
bool rv100_dev_enter(RV100Device *s);
void rv100_dev_leave(RV100Device *s);
/* Tell the chip where its BARs are. */
void rv100_dev_update_bars(RV100Device *s);

/* properties.c */
void rv100_dev_class_properties(ObjectClass *klass);
bool rv100_dev_check_properties(RV100Device *s, Error **errp);

/* rv100-vga.c */
bool rv100_dev_vga_realize(RV100Device *s, Error **errp);
void rv100_dev_vga_exit(RV100Device *s);
void rv100_dev_vga_reset(RV100Device *s);
/* Registers that decide about VGA ranges or the screen may have changed. */
void rv100_dev_vga_update(RV100Device *s);
/* The VGA core's table follows the chip's: one colour, or all of them. */
void rv100_dev_vga_colour(RV100Device *s, unsigned index, uint32_t rgb30);
void rv100_dev_vga_colours(RV100Device *s);
/* The miscellaneous output register. */
uint8_t rv100_dev_vga_misc(RV100Device *s);
void rv100_dev_vga_set_misc(RV100Device *s, uint8_t value);

/* rv100-aperture.c */
void rv100_dev_aperture_realize(RV100Device *s);
void rv100_dev_aperture_update(RV100Device *s);

/* rv100-display.c */
void rv100_dev_display_realize(RV100Device *s);
void rv100_dev_display_exit(RV100Device *s);
/* Bring the console of a head up to date with what its CRTC shows. */
void rv100_dev_scanout(RV100Device *s, unsigned head);
void rv100_dev_host_cursor(RV100Device *s, unsigned head);
void rv100_dev_plug(RV100Device *s, Rv100Connector connector, bool plugged);
/* Property "plugged". */
char *rv100_dev_get_plugged(Object *obj, Error **errp);
void rv100_dev_set_plugged(Object *obj, const char *value, Error **errp);

/* rv100-debug.c */
void rv100_qmp_register(void);
void rv100_dev_debug_realize(RV100Device *s);
void rv100_dev_debug_exit(RV100Device *s);

/* rv100-hmp.c */
void rv100_hmp_register(void);

/* rv100-capture.c: nothing without x-capture */
bool rv100_dev_capture_start(RV100Device *s, Error **errp);
void rv100_dev_capture_stop(RV100Device *s);
/* What the guest sees as VRAM in BAR0. */
MemoryRegion *rv100_dev_vram_region(RV100Device *s);

/* rv100-vmstate.c */
const VMStateDescription *rv100_dev_vmstate(void);

/* rv100-trace.c */
void rv100_trace_register(void);
extern const uint16_t *rv100_trace_states[RV100_N_TRACES];
void rv100_trace_event(void *opaque, Rv100TraceId id, const uint64_t *args);

/* plugin.c; the exported symbols, see plugin.h */
__attribute__((visibility("default"))) extern const char rv100_plugin_api[];
__attribute__((visibility("default"))) char *rv100_plugin_start(int argc, char **argv);

#endif
