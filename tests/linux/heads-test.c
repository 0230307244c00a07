/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two cards, one of them with two displays: both drive their rings, each display
 * has a mode and a picture of its own, the cursor at the edges, hot-plug.
 */
#include <string.h>

#include "linux-guest.h"

#define CURSOR 64
#define WAITS 600               /* of 0.1 s */

/* Colour inside a black frame of one pixel, as gfx paints it. */
static void check_picture(Linux *l, unsigned head, unsigned width, unsigned height,
                          uint32_t colour)
{
    g_autoptr(RvPicture) p = linux_still(l, "gpu0", head);
    unsigned wrong = 0;

    g_assert_cmpuint(p->width, ==, width);
    g_assert_cmpuint(p->height, ==, height);
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            bool frame = !x || !y || x == width - 1 || y == height - 1;

            wrong += p->pixels[y * width + x] != (frame ? 0 : colour);
        }
    }
    g_assert_cmpuint(wrong, ==, 0);
}

static void stop(Linux *l)
{
    g_free(linux_ok(l, "kill $(cat /tmp/pid); wait; true"));
}

/* A gfx command that stays, until its picture is shown or it has ended. */
static void show(Linux *l, const char *command)
{
    g_autofree char *out = linux_ok(
        l, "{ : > /tmp/shown; gfx %s > /tmp/shown & echo $! > /tmp/pid;"
        " until grep -q . /tmp/shown || ! kill -0 $!; do usleep 50000; done;"
        " cat /tmp/shown; }", command);

    if (!strstr(out, "shown=")) {
        rv_die("gfx %s: %s", command, out);
    }
}

static void check_heads(Linux *l)
{
    show(l, "heads /dev/dri/card0 1024x768 800x600");
    check_picture(l, 0, 1024, 768, 0x2040ff);
    check_picture(l, 1, 800, 600, 0xff8020);
    stop(l);
}

/* The cursor of gfx: white with a red left column, on black. */
static void check_cursor(Linux *l, int cx, int cy)
{
    g_autofree char *command = g_strdup_printf("cursor /dev/dri/card1 1024x768 %d %d", cx, cy);
    g_autoptr(RvPicture) p = NULL;
    unsigned wrong = 0;

    show(l, command);
    p = linux_still(l, "gpu1", 0);
    g_assert_cmpuint(p->width, ==, 1024);
    g_assert_cmpuint(p->height, ==, 768);
    for (int y = 0; y < 768; y++) {
        for (int x = 0; x < 1024; x++) {
            bool inside = x >= cx && x < cx + CURSOR && y >= cy && y < cy + CURSOR;
            uint32_t want = !inside ? 0 : x == cx ? 0xff0000 : 0xffffff;

            wrong += p->pixels[y * 1024 + x] != want;
        }
    }
    if (wrong) {
        linux_fail("cursor at %d, %d: %u wrong pixels", cx, cy, wrong);
    }
    stop(l);
}

static void plug(Linux *l, const char *connectors)
{
    g_autofree char *args = g_strdup_printf(
        "{\"path\": \"gpu1\", \"property\": \"plugged\", \"value\": \"%s\"}", connectors);

    g_free(rv_qmp(linux_vm(l), "qom-set", args));
}

/* The driver hears of it by an interrupt; nobody asks. */
static void await_status(Linux *l, const char *status)
{
    g_autofree char *out = linux_ok(
        l, "n=0; until grep -qx %s /sys/class/drm/card1-DVI-I-2/status || [ $n = %u ];"
        " do usleep 100000; n=$((n + 1)); done; cat /sys/class/drm/card1-DVI-I-2/status",
        status, WAITS);

    g_assert_cmpstr(g_strchomp(out), ==, status);
}

static void check_hotplug(Linux *l)
{
    g_autofree char *modes = linux_ok(l, "head -n 1 /sys/class/drm/card1-DVI-I-2/modes");

    g_assert_cmpstr(g_strchomp(modes), ==, "1024x768");
    await_status(l, "connected");
    plug(l, "none");
    await_status(l, "disconnected");
    plug(l, "dvi");
    await_status(l, "connected");
}

static void test_heads(void)
{
    static const int places[][2] = {
        { 480, 300 }, { -20, 100 }, { 100, -30 }, { -63, -63 }, { 1000, 200 },
        { 200, 740 }, { 1023, 767 },
    };
    Linux *l;

    if (!linux_need_image(LINUX_STOCK)) {
        return;
    }
    l = linux_new("-device radeon-rv100,id=gpu0,heads=2 -device radeon-rv100,id=gpu1,"
                  "monitor=dvi,xres=1024,yres=768,vgamem_mb=32,guest_hwcursor=on", NULL);
    if (!l) {
        return;
    }
    linux_use_image(l, LINUX_STOCK);
    g_free(linux_ok(l, "load radeon"));
    linux_judge(l, NULL, NULL);
    g_assert_cmpuint(linux_count(l, "ring test succeeded"), ==, 2);
    g_assert_cmpuint(linux_count(l, "ib test succeeded"), ==, 2);
    linux_progress(l, "two cards");
    check_heads(l);
    linux_progress(l, "two displays");
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        check_cursor(l, places[i][0], places[i][1]);
    }
    linux_progress(l, "cursors");
    check_hotplug(l);
    linux_progress(l, "hot-plug");
    linux_judge(l, NULL, NULL);
    linux_free(l);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linux/heads", test_heads);
    return g_test_run();
}
