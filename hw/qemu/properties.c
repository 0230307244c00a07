/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of radeon-rv100: those of the command line with their descriptions,
 * and read-only ones for scripts (qom-get).
 */
#include "compat.h"

#include "qapi/error.h"
#include "qapi/qapi-builtin-visit.h"
#include "qemu/units.h"

#include "rv100/me.h"
#include "rv100-regs.h"

#include "device.h"

/* --- command line --- */

static Rv100Property properties[] = {
    DEFINE_PROP_UINT32("vgamem_mb", RV100Device, vga.vram_size_mb, 64),
    DEFINE_PROP_STRING("model", RV100Device, model),
    DEFINE_PROP_ON_OFF_AUTO("edid", RV100Device, edid, ON_OFF_AUTO_AUTO),
    DEFINE_PROP_UINT32("xres", RV100Device, edid_info.prefx, 0),
    DEFINE_PROP_UINT32("yres", RV100Device, edid_info.prefy, 0),
    DEFINE_PROP_UINT32("xmax", RV100Device, edid_info.maxx, 0),
    DEFINE_PROP_UINT32("ymax", RV100Device, edid_info.maxy, 0),
    DEFINE_PROP_UINT8("heads", RV100Device, heads, 1),
    DEFINE_PROP_STRING("monitor", RV100Device, monitor),
    DEFINE_PROP_BOOL("guest_hwcursor", RV100Device, guest_hwcursor, false),
    DEFINE_PROP_CHR("debug", RV100Device, debug),
    DEFINE_PROP_STRING("x-capture", RV100Device, capture),
    DEFINE_PROP_UINT32("x-cp-slice-steps", RV100Device, slice_steps, 0),
    DEFINE_PROP_UINT32("x-cp-fetch-words", RV100Device, fetch_words, RV100_FETCH_MAX),
    DEFINE_PROP_SIZE("x-linear-aper-size", RV100Device, bar0_size, RV100_BAR0_SIZE),
    DEFINE_PROP_ON_OFF_AUTO("x-legacy-vga", RV100Device, legacy, ON_OFF_AUTO_AUTO),
    RV100_PROP_END
};

static const struct {
    const char *name, *text;
} descriptions[] = {
    { "vgamem_mb", "video memory in MiB: 8, 16, 32, 64 or 128" },
    { "model", "chip; only rv100" },
    { "edid", "the monitor has EDID data" },
    { "xres", "preferred width of the monitor" },
    { "yres", "preferred height of the monitor" },
    { "xmax", "largest width of the monitor" },
    { "ymax", "largest height of the monitor" },
    { "heads", "number of displays, 1 or 2" },
    { "monitor", "connector of the monitor: vga, dvi or none" },
    { "guest_hwcursor", "draw the hardware cursor into the picture; off: the host draws it" },
    { "debug", "character device of the debugger" },
    { "x-capture", "file for what the card is given and does: rv100 decode, rv100 replay" },
    { "x-cp-slice-steps", "microengine steps per slice, up to 1000000; 0: the chip's own choice" },
    { "x-cp-fetch-words", "dwords per fetch of the ring or an indirect buffer, 1 to 256" },
    { "x-linear-aper-size", "size of BAR0: 128M or 64M" },
    { "x-legacy-vga", "decode VGA memory and ports; auto: the first VGA card does" },
};

bool rv100_dev_check_properties(RV100Device *s, Error **errp)
{
    static const char *const monitors[] = { "vga", "dvi", "none", NULL };
    uint32_t mb = s->vga.vram_size_mb;

    if (mb < 8 || mb > 128 || !is_power_of_2(mb)) {
        error_setg(errp, "vgamem_mb=%u: video memory is 8, 16, 32, 64 or 128 MiB", mb);
    } else if (s->model && !g_str_equal(s->model, "rv100")) {
        error_setg(errp, "model=%s: the only model is rv100", s->model);
    } else if (s->heads < 1 || s->heads > 2) {
        error_setg(errp, "heads=%u: the card has 1 or 2 displays", s->heads);
    } else if (s->monitor && !g_strv_contains(monitors, s->monitor)) {
        error_setg(errp, "monitor=%s: the monitor is at vga, dvi or none", s->monitor);
    } else if (s->fetch_words < 1 || s->fetch_words > RV100_FETCH_MAX) {
        error_setg(errp, "x-cp-fetch-words=%u: a fetch is 1 to %u dwords", s->fetch_words,
                   RV100_FETCH_MAX);
    } else if (s->slice_steps > RV100_SLICE_MAX) {
        error_setg(errp, "x-cp-slice-steps=%u: a slice is 1 to %u steps, 0 is the chip's own "
                   "choice", s->slice_steps, RV100_SLICE_MAX);
    } else if (s->bar0_size != RV100_BAR0_SIZE && s->bar0_size != RV100_BAR0_SIZE / 2) {
        error_setg(errp, "x-linear-aper-size=%" PRIu64 ": BAR0 has 128 MiB or 64 MiB",
                   s->bar0_size);
    } else if (s->bar0_size < mb * MiB) {
        error_setg(errp, "x-linear-aper-size=%" PRIu64 ": BAR0 cannot be smaller than the "
                   "video memory, vgamem_mb=%u", s->bar0_size, mb);
    } else {
        return true;
    }
    return false;
}

/* --- for scripts --- */

static Rv100Me *engine(Object *obj)
{
    RV100Device *s = RV100(obj);

    return s->chip ? rv100_engine(s->chip) : NULL;
}

static void get_steps(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    Rv100Me *me = engine(obj);
    uint64_t value = me ? me->steps : 0;

    visit_type_uint64(v, name, &value, errp);
}

static void get_pc(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    Rv100Me *me = engine(obj);
    uint8_t value = me ? me->pc : 0;

    visit_type_uint8(v, name, &value, errp);
}

static void get_coverage(Object *obj, Visitor *v, const char *name, void *opaque,
                         Error **errp)
{
    Rv100Me *me = engine(obj);
    uint64List *list = NULL, **tail = &list;

    for (int i = 0; me && i < RV100_ME_WORDS; i++) {
        QAPI_LIST_APPEND(tail, me->cover[i]);
    }
    visit_type_uint64List(v, name, &list, errp);
    qapi_free_uint64List(list);
}

static char *get_phase(Object *obj, Error **errp)
{
    Rv100Me *me = engine(obj);

    if (!me || rv100_me_idle(me)) {
        return g_strdup("idle");
    }
    return g_strdup(me->phase == RV100_ME_RUN ? "packet" : "header");
}

/* The engine's registers and what it is doing, as a struct. */
static void get_state(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    RV100Device *s = RV100(obj);
    g_autofree char *phase = get_phase(obj, NULL);
    bool halted = s->debugger && rv100_debug_is_halted(s->debugger);
    const char *reg;
    uint64_t value;

    if (!visit_start_struct(v, name, NULL, 0, errp)) {
        return;
    }
    for (unsigned n = 0; s->chip && rv100_debug_register(s->chip, n, &reg, &value); n++) {
        if (!g_str_equal(reg, "phase") && !visit_type_uint64(v, reg, &value, errp)) {
            goto out;
        }
    }
    if (visit_type_bool(v, "halted", &halted, errp) &&
        visit_type_str(v, "phase", &phase, errp)) {
        visit_check_struct(v, errp);
    }
out:
    visit_end_struct(v, NULL);
}

static void get_counters(Object *obj, Visitor *v, const char *name, void *opaque,
                         Error **errp)
{
    Rv100Me *me = engine(obj);
    uint64_t steps = me ? me->steps : 0, words = me ? me->words : 0, executed = 0;

    for (int i = 0; me && i < RV100_ME_WORDS; i++) {
        executed += me->cover[i] > 0;
    }
    if (!visit_start_struct(v, name, NULL, 0, errp)) {
        return;
    }
    if (visit_type_uint64(v, "steps", &steps, errp) &&
        visit_type_uint64(v, "words", &words, errp) &&
        visit_type_uint64(v, "executed", &executed, errp)) {
        visit_check_struct(v, errp);
    }
    visit_end_struct(v, NULL);
}

static void set_hang(Object *obj, bool value, Error **errp)
{
    RV100Device *s = RV100(obj);

    if (!s->chip || !value) {
        error_setg(errp, "x-hang: only 'on', after the device is realized");
        return;
    }
    rv100_hang(s->chip);
}

#define SCRATCH_REGS 6

static void get_scratch(Object *obj, Visitor *v, const char *name, void *opaque,
                        Error **errp)
{
    RV100Device *s = RV100(obj);
    uint32_t offset = A_GUI_SCRATCH_REG0 + 4 * GPOINTER_TO_UINT(opaque);
    uint32_t value = s->chip ? rv100_peek(s->chip, offset) : 0;

    visit_type_uint32(v, name, &value, errp);
}

void rv100_dev_class_properties(ObjectClass *klass)
{
    device_class_set_props(DEVICE_CLASS(klass), properties);
    for (size_t i = 0; i < G_N_ELEMENTS(descriptions); i++) {
        object_class_property_set_description(klass, descriptions[i].name,
                                              descriptions[i].text);
    }
    object_class_property_add(klass, "cp-steps", "uint64", get_steps, NULL, NULL, NULL);
    object_class_property_set_description(klass, "cp-steps",
                                          "microinstructions executed (read only)");
    object_class_property_add(klass, "cp-pc", "uint8", get_pc, NULL, NULL, NULL);
    object_class_property_set_description(klass, "cp-pc",
                                          "address of the next microinstruction (read only)");
    object_class_property_add_str(klass, "cp-phase", get_phase, NULL);
    object_class_property_set_description(klass, "cp-phase",
                                          "idle, header or packet (read only)");
    object_class_property_add(klass, "cp-coverage", "uint64List", get_coverage, NULL, NULL,
                              NULL);
    object_class_property_set_description(klass, "cp-coverage",
                                          "executions of each microcode word (read only)");
    object_class_property_add(klass, "cp-state", "Rv100CpState", get_state, NULL, NULL, NULL);
    object_class_property_set_description(klass, "cp-state",
        "registers of the microengine, halted by the debugger, phase (read only)");
    object_class_property_add(klass, "cp-counters", "Rv100CpCounters", get_counters, NULL,
                              NULL, NULL);
    object_class_property_set_description(klass, "cp-counters",
        "instructions, stream words, microcode words executed at all (read only)");
    object_class_property_add_str(klass, "plugged", rv100_dev_get_plugged,
                                  rv100_dev_set_plugged);
    object_class_property_set_description(klass, "plugged",
        "connectors with a monitor: none, vga, dvi or vga+dvi (hot-plug by qom-set)");
    object_class_property_add_bool(klass, "x-hang", NULL, set_hang);
    object_class_property_set_description(klass, "x-hang",
        "write on: the engine stands still, busy, until a soft reset of the CP (debugging)");
    for (unsigned n = 0; n < SCRATCH_REGS; n++) {
        g_autofree char *name = g_strdup_printf("scratch%u", n);

        object_class_property_add(klass, name, "uint32", get_scratch, NULL, NULL,
                                  GUINT_TO_POINTER(n));
        object_class_property_set_description(klass, name,
                                              "GUI scratch register (read only)");
    }
}
