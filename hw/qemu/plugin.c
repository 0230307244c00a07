/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of a build. The loader has compared the versions; only when the structs
 * agree, too, is anything registered.
 */
#include "compat.h"

#include "trace/control.h"

#include "device.h"
#include "plugin.h"

typedef struct PluginOptions {
    bool hmp;                   /* the monitor command rv100 */
    const char *trace;          /* pattern of events to enable */
} PluginOptions;

const char rv100_plugin_api[] = stringify(QEMU_VERSION_MAJOR) "." stringify(QEMU_VERSION_MINOR);

static bool parse_on_off(const char *value, bool *on)
{
    *on = g_str_equal(value, "on");
    return *on || g_str_equal(value, "off");
}

static char *parse_options(PluginOptions *o, int argc, char **argv)
{
    *o = (PluginOptions) { .hmp = true };
    for (int i = 0; i < argc; i++) {
        if (g_str_has_prefix(argv[i], "hmp=")) {
            if (!parse_on_off(argv[i] + 4, &o->hmp)) {
                return g_strdup_printf("plugin argument '%s': hmp is on or off", argv[i]);
            }
        } else if (g_str_has_prefix(argv[i], "trace=")) {
            o->trace = argv[i] + 6;
        } else {
            return g_strdup_printf("unknown plugin argument '%s' (known: hmp=on|off, "
                                   "trace=PATTERN)", argv[i]);
        }
    }
    return NULL;
}

char *rv100_plugin_start(int argc, char **argv)
{
    PluginOptions options;
    char *why = rv100_layout_check();

    if (!why && object_class_by_name(TYPE_RV100)) {
        why = g_strdup("loaded twice: the device type is registered already");
    }
    if (!why) {
        why = parse_options(&options, argc, argv);
    }
    if (why) {
        return why;
    }
    rv100_trace_register();
    if (options.trace) {
        trace_enable_events(options.trace);
    }
    rv100_register_types();
    rv100_qmp_register();
    if (options.hmp) {
        rv100_hmp_register();
    }
    return NULL;
}
