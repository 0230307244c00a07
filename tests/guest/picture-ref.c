/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "picture-ref.h"
#include "ref-painter.h"
#include "slow-me.h"

#define VRAM (4u << 20)
#define STEPS_A_WORD 100        /* of the microcode, at most */

static void keep_packet(void *opaque, const uint32_t *words, unsigned n)
{
    g_array_append_vals(opaque, words, n);
}

static GArray *packets_of(const Picture *p)
{
    GArray *words = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    Picture kept = *p;

    kept.base = 0;
    kept.send = keep_packet;
    kept.opaque = words;
    picture_draw(&kept);
    return words;
}

/* Between packets, and no word left. */
static bool run(SlowMe *me, const uint32_t image[256][2], const GArray *words)
{
    slow_me_init(me, SLOW_R100);
    for (unsigned i = 0; i < 256; i++) {
        slow_me_load(me, i, image[i][0], image[i][1]);
    }
    slow_me_feed(me, (const uint32_t *)words->data, words->len);
    slow_me_run(me, STEPS_A_WORD * words->len);
    return me->dispatching && !slow_me_waiting(me);
}

bool picture_reference(const Picture *p, const uint32_t image[256][2],
                       uint32_t *pixels)
{
    g_autoptr(RefPainter) painter = ref_painter_new(VRAM);
    g_autoptr(GArray) words = packets_of(p);
    SlowMe me;
    bool done;

    G_STATIC_ASSERT(PICTURE_WIDTH * PICTURE_ROWS * 4 <= VRAM);
    done = run(&me, image, words);
    for (guint i = 0; i < me.writes->len; i++) {
        const SlowWrite *w = &g_array_index(me.writes, SlowWrite, i);

        if (w->hi < 0) {
            ref_painter_write(painter, 4 * w->at, w->value);
        }
    }
    slow_me_clear(&me);
    for (guint i = 0; i < PICTURE_PIXELS; i++) {
        const uint8_t *b = painter->vram + 4 * i;

        pixels[i] = (uint32_t)b[3] << 24 | b[2] << 16 | b[1] << 8 | b[0];
    }
    return done;
}
