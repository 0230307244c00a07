/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of trace events for QEMU names the chip's events, in their order. */
#include <glib.h>

#include "rv100/trace.h"

static const char *events_file;

static const char *const chip_names[RV100_N_TRACES] = {
#define X(name) "rv100_" #name,
    RV100_TRACE_EVENTS(X)
#undef X
};

static void test_names(void)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;
    unsigned n = 0;

    g_assert_true(g_file_get_contents(events_file, &text, NULL, NULL));
    lines = g_strsplit(text, "\n", -1);
    for (char **l = lines; *l; l++) {
        g_auto(GStrv) parts = NULL;

        if (!**l || **l == '#') {
            continue;
        }
        parts = g_strsplit(*l, "(", 2);
        g_assert_cmpuint(n, <, RV100_N_TRACES);
        g_assert_cmpstr(parts[0], ==, chip_names[n]);
        n++;
    }
    g_assert_cmpuint(n, ==, RV100_N_TRACES);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_assert_cmpint(argc, ==, 2);
    events_file = argv[1];
    g_test_add_func("/trace-events/names", test_names);
    return g_test_run();
}
