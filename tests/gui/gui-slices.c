/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drawing counts in a slice of the engine as instructions do: a ring full of
 * large rectangles, a few words, takes many slices, and no rectangle is lost.
 */
#include <string.h>

#include "fake-host.h"
#include "rv100-free.h"

#define RECTANGLES 64
#define SLICE 100000            /* units */
/* A fill of the whole memory is a third of that. */
#define MOST_IN_A_SLICE 5
#define CSQ_RING 2
#define SIDE 512u               /* pixels of 4 bytes: 1 MiB */
#define TYPE0(reg) ((reg) / 4)

static FakeHost *start(void)
{
    FakeHost *h = fake_host_new(0, SLICE);

    G_STATIC_ASSERT(SIDE * SIDE * 4 == FAKE_VRAM);
    for (guint i = 0; i < 256; i++) {
        fake_load_word(h, i, rv100_free_image[i][0], rv100_free_image[i][1]);
    }
    fake_ring_start(h, 9, CSQ_RING);
    fake_wr(h, A_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff);
    fake_wr(h, A_DEFAULT_PITCH_OFFSET,
            SIDE * 4 / 64 << R_DEFAULT_PITCH_OFFSET_PITCH_SHIFT);
    fake_wr(h, A_DP_GUI_MASTER_CNTL, 0x52f036d0);       /* solid, P */
    return h;
}

static guint drawn(const FakeHost *h)
{
    guint n = 0;

    for (guint i = 0; i < h->writes->len; i++) {
        n += g_array_index(h->writes, RefWrite, i).dword == R_DST_HEIGHT_WIDTH;
    }
    return n;
}

static void test_pixels_count(void)
{
    g_autoptr(FakeHost) h = start();
    guint last = 0, slices = 0;
    uint32_t first;

    for (uint32_t i = 1; i <= RECTANGLES; i++) {
        const uint32_t words[] = {
            TYPE0(A_DP_BRUSH_FRGD_CLR), i,
            TYPE0(A_DST_HEIGHT_WIDTH), SIDE << 16 | SIDE,
        };

        fake_ring(h, words, G_N_ELEMENTS(words));
    }
    while (last < RECTANGLES && slices < RECTANGLES) {
        guint n;

        rv100_run(h->chip, 0);
        slices++;
        n = drawn(h);
        g_assert_cmpuint(n, >, last);
        g_assert_cmpuint(n - last, <=, MOST_IN_A_SLICE);
        last = n;
    }
    g_assert_cmpuint(last, ==, RECTANGLES);
    memcpy(&first, h->vram, 4);
    g_assert_cmpuint(GUINT32_FROM_LE(first), ==, RECTANGLES);
    fake_run(h, 10);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gui/slices/pixels-count", test_pixels_count);
    return g_test_run();
}
