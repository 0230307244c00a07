/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What random tests found once: every file of reproducers/ again. */
#include "replay.h"

static void test_file(gconstpointer data)
{
    g_autoptr(GArray) writes = g_array_new(FALSE, FALSE, sizeof(GuiWrite));
    g_autofree char *text = NULL, *what = NULL;
    g_autoptr(Gui) g = gui_new(true, true);
    uint32_t seed;

    g_assert_true(g_file_get_contents(data, &text, NULL, NULL));
    g_assert_true(replay_parse(text, &seed, writes));
    what = replay_writes(g, seed, writes);
    g_assert_cmpstr(what, ==, NULL);
}

int main(int argc, char **argv)
{
    g_autoptr(GDir) dir = g_dir_open(REPRODUCERS, 0, NULL);
    const char *name;

    g_test_init(&argc, &argv, NULL);
    g_assert_nonnull(dir);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *test = g_strconcat("/gui/reproducer/", name, NULL);

        g_test_add_data_func_full(test, g_build_filename(REPRODUCERS, name, NULL),
                                  test_file, g_free);
    }
    return g_test_run();
}
