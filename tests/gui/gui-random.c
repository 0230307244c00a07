/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random operations on the chip and on the painter: no pixel may differ.
 *
 *   gui-random                 20000 operations
 *   GUI_RANDOM_OPS=1000000     so many
 *   GUI_RANDOM_SEED=N          begin with the case of this seed
 *
 * A failure prints the seed of its case and the fewest writes that show it;
 * such text can be kept in reproducers/, where gui-reproducers replays it.
 */
#include <stdlib.h>
#include <string.h>

#include "../../hw/rv100/internal.h"
#include "random-ops.h"
#include "replay.h"

#define OPS 20000
#define OPS_PER_CASE 25
#define DIRTY_CASES 80

static uint64_t number(const char *variable, uint64_t otherwise)
{
    const char *text = g_getenv(variable);

    return text ? g_ascii_strtoull(text, NULL, 0) : otherwise;
}

static void fail(Gui *g, uint32_t seed, GArray *writes)
{
    g_autofree char *what = NULL, *text = NULL;

    replay_shrink(g, seed, writes);
    what = replay_writes(g, seed, writes);
    text = gui_reproducer(g);
    g_test_message("case of seed %u: %s\nreproducer:\nnoise %u\n%s", seed, what,
                   seed, text);
    g_test_fail();
}

/* The chip cuts operations that cost too much (GUI_MAX_COST), the painter does
 * not: such a case says nothing. */
static bool was_cut(Gui *g, uint32_t seed, const GArray *writes)
{
    gui_clear(g);
    gui_noise(g, seed);
    for (guint i = 0; i < writes->len; i++) {
        const GuiWrite *w = &g_array_index(writes, GuiWrite, i);
        uint64_t before = g->h->chip->work;

        gui_write(g, w->offset, w->value);
        if (g->h->chip->work - before >= GUI_MAX_COST) {
            return true;
        }
    }
    return false;
}

/* One in so many cases may be of that kind. */
#define CASES_PER_CUT 4000

static void test_random(void)
{
    uint64_t ops = number("GUI_RANDOM_OPS", OPS);
    uint32_t seed = number("GUI_RANDOM_SEED", 1);
    g_autoptr(Gui) g = gui_new(true, true);
    g_autoptr(GArray) writes = g_array_new(FALSE, FALSE, sizeof(GuiWrite));
    unsigned failures = 0, cut = 0;

    for (uint64_t done = 0; done < ops; done += OPS_PER_CASE, seed++) {
        g_autofree char *what = NULL;
        RandomOps r;

        g_array_set_size(writes, 0);
        random_ops_init(&r, seed, writes);
        random_ops_begin(&r);
        for (int i = 0; i < OPS_PER_CASE; i++) {
            random_ops_one(&r);
        }
        what = replay_writes(g, seed, writes);
        if (what && was_cut(g, seed, writes)) {
            cut++;
        } else if (what) {
            fail(g, seed, writes);
            if (++failures == 3) {
                return;
            }
        }
    }
    g_test_message("%" G_GUINT64_FORMAT " operations, %" G_GUINT64_FORMAT
                   " pixels in the last case, %u cases with an operation that was "
                   "cut", ops, g->p->pixels, cut);
    g_assert_cmpuint(cut, <=, 1 + ops / OPS_PER_CASE / CASES_PER_CUT);
}

/* Whatever an operation changes lies in the range that it reports. */
static void check_dirty(Gui *g, uint8_t *before, uint32_t seed)
{
    uint32_t first = g->h->dirty_first, end = g->h->dirty_end;
    uint8_t *vram = g->h->vram;

    if (end < first) {
        first = end = 0;
    }
    if (memcmp(vram, before, first)
        || memcmp(vram + end, before + end, FAKE_VRAM - end)) {
        g_autofree char *text = gui_reproducer(g);

        g_test_message("seed %u: a change outside of [0x%05x, 0x%05x)\n%s", seed,
                       first, end, text);
        g_test_fail();
    }
    memcpy(before + first, vram + first, end - first);
    fake_clean(g->h);
}

static void test_dirty(void)
{
    g_autoptr(Gui) g = gui_new(true, false);
    g_autoptr(GArray) writes = g_array_new(FALSE, FALSE, sizeof(GuiWrite));
    g_autofree uint8_t *before = g_malloc(FAKE_VRAM);

    for (uint32_t seed = 1; seed <= DIRTY_CASES && !g_test_failed(); seed++) {
        RandomOps r;

        gui_clear(g);
        gui_noise(g, seed);
        memcpy(before, g->h->vram, FAKE_VRAM);
        fake_clean(g->h);
        random_ops_init(&r, seed, writes);
        random_ops_begin(&r);
        for (int i = 0; i < OPS_PER_CASE; i++) {
            random_ops_one(&r);
            for (guint n = 0; n < writes->len; n++) {
                const GuiWrite *w = &g_array_index(writes, GuiWrite, n);

                gui_write(g, w->offset, w->value);
            }
            g_array_set_size(writes, 0);
            check_dirty(g, before, seed);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gui/random/pixels", test_random);
    g_test_add_func("/gui/random/dirty-range", test_dirty);
    return g_test_run();
}
