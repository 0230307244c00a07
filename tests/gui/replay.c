/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "replay.h"

char *replay_writes(Gui *g, uint32_t seed, const GArray *writes)
{
    gui_clear(g);
    gui_noise(g, seed);
    for (guint i = 0; i < writes->len; i++) {
        const GuiWrite *w = &g_array_index(writes, GuiWrite, i);

        gui_write(g, w->offset, w->value);
    }
    return gui_difference(g);
}

/* Try without writes [at, at + n). */
static bool try_without(Gui *g, uint32_t seed, GArray *writes, guint at, guint n)
{
    g_autoptr(GArray) rest = g_array_copy(writes);
    g_autofree char *what = NULL;

    g_array_remove_range(rest, at, n);
    what = replay_writes(g, seed, rest);
    if (what) {
        g_array_remove_range(writes, at, n);
    }
    return what;
}

void replay_shrink(Gui *g, uint32_t seed, GArray *writes)
{
    for (guint n = writes->len / 2; n; n /= 2) {
        for (guint end = writes->len; end >= n; ) {
            try_without(g, seed, writes, end - n, n);
            end = end - n > writes->len ? writes->len : end - n;
        }
    }
}

static bool parse_line(const char *line, uint32_t *seed, GArray *writes)
{
    GuiWrite w;

    if (sscanf(line, "w %x %x", &w.offset, &w.value) == 2
        && w.offset < 4 * REF_REGS && w.offset % 4 == 0) {
        g_array_append_val(writes, w);
        return true;
    }
    return sscanf(line, "noise %u", seed) == 1 || !*line || *line == '#';
}

bool replay_parse(const char *text, uint32_t *seed, GArray *writes)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    *seed = 0;
    for (char **line = lines; *line; line++) {
        if (!parse_line(g_strstrip(*line), seed, writes)) {
            return false;
        }
    }
    return writes->len;
}
