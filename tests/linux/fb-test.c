/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The older driver, radeonfb, in all depths: its console with the 2D engine shows
 * the same picture as without. In the console of Debian's kernels (from 11 on) the
 * engine fills only; scrolling by the engine is compiled out. The guest's module
 * move.ko calls the driver's function for it.
 */
#include <string.h>

#include "linux-guest.h"

/* Lines of many lengths in all colours, then lines, columns and characters are
 * moved: scrolling both ways, a scrolling region, insertion and deletion. */
static const char picture[] =
    "{ printf '\\033c\\033[?25l';"
    " for i in $(seq 1 90); do"
    " printf '\\033[%d;%dmline %d of the console %s\\033[0m\\n' $((30 + i % 8))"
    " $((40 + i / 8 % 8)) $i $((i * i * i)); done;"
    " printf '\\033[5;20r\\033[20;1H\\n\\n\\nregion\\033[r';"
    " printf '\\033[3;10H\\033[7Linserted\\033[12;4H\\033[4M\\033[14;8H\\033[12P\\033[15;8H\\033[9@';"
    " printf '\\033[1;1H\\033M\\033M\\033Mtop\\033[30;60Hbottom'; } > /dev/tty1";

static RvPicture *draw(Linux *l, unsigned bpp, const char *parameters)
{
    g_free(linux_ok(l, "load radeonfb mode_option=640x480-%u@60 %s", bpp, parameters));
    g_free(linux_ok(l, "%s", picture));
    return linux_still(l, "gpu0", 0);
}

#define MARK 0x1234             /* no line of the screen */

static uint64_t dst_y(Linux *l)
{
    return rv_firmware_bar(linux_vm(l), 0, 2) + A_DST_Y;
}

/* Scrolling as a console does it, up and down, and areas over themselves in all
 * directions. The destination of the last one is known again. */
#define LAST_DST_Y 197

static RvPicture *move(Linux *l)
{
    static const int moves[][6] = {
        /* from x, y, width, height, to x, y */
        { 0, 16, 640, 464, 0, 0 }, { 0, 0, 640, 432, 0, 48 }, { 0, 80, 640, 160, 0, 64 },
        { 100, 200, 256, 96, 103, 200 }, { 203, 60, 300, 301, 190, 60 },
        { 40, 100, 333, 200, 51, 107 }, { 300, 111, 280, 300, 289, 118 },
        { 7, 3, 1, 1, 630, 470 }, { 77, 201, 117, 93, 70, LAST_DST_Y },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(moves); i++) {
        const int *m = moves[i];

        g_free(linux_ok(l, "insmod /lib/modules/move.ko area=%d,%d,%d,%d,%d,%d && rmmod move",
                        m[0], m[1], m[2], m[3], m[4], m[5]));
    }
    return linux_still(l, "gpu0", 0);
}

static unsigned differences(const RvPicture *a, const RvPicture *b)
{
    unsigned n = 0;

    g_assert_cmpuint(a->width, ==, 640);
    g_assert_cmpuint(a->height, ==, 480);
    g_assert_cmpuint(b->width, ==, 640);
    g_assert_cmpuint(b->height, ==, 480);
    for (unsigned i = 0; i < 640 * 480; i++) {
        n += a->pixels[i] != b->pixels[i];
    }
    return n;
}

static void check_text(Linux *l)
{
    static const char *const shown[] = { "top", "bottom", "inserted", "region",
                                         "line 84 of the console" };
    g_autofree char *text = linux_screen_text(l, "gpu0");

    g_test_message("the screen shows:\n%s", text);
    for (unsigned i = 0; i < G_N_ELEMENTS(shown); i++) {
        if (!strstr(text, shown[i])) {
            linux_fail("not on the screen: %s", shown[i]);
        }
    }
}

static void check_depth(Linux *l, unsigned bpp)
{
    g_autoptr(RvPicture) plain = NULL, plain_moved = NULL, accelerated = NULL, moved = NULL;
    unsigned differ;

    rv_mem_wr(linux_vm(l), dst_y(l), MARK, 4);
    plain = draw(l, bpp, "noaccel=1");
    check_text(l);
    plain_moved = move(l);
    g_assert_cmphex(rv_mem_rd(linux_vm(l), dst_y(l), 4), ==, MARK);
    g_assert_cmpuint(differences(plain, plain_moved), >, 1000);
    g_free(linux_ok(l, "unload radeonfb"));

    accelerated = draw(l, bpp, "");
    g_assert_cmphex(rv_mem_rd(linux_vm(l), dst_y(l), 4), <, 480);   /* the engine has filled */
    moved = move(l);
    g_assert_cmpuint(rv_mem_rd(linux_vm(l), dst_y(l), 4), ==, LAST_DST_Y);      /* and copied */
    differ = differences(plain, accelerated);
    if (differ) {
        linux_fail("%u bpp: %u pixels differ", bpp, differ);
        check_text(l);
    }
    differ = differences(plain_moved, moved);
    if (differ) {
        linux_fail("%u bpp: %u pixels differ after copies", bpp, differ);
    }
    g_free(linux_ok(l, "unload radeonfb"));
    linux_judge(l, NULL, NULL);
    linux_progress(l, "%u bpp", bpp);
}

static void test_radeonfb(void)
{
    Linux *l;

    if (!linux_need_module(NULL)) {
        return;
    }
    l = linux_new("-device radeon-rv100,id=gpu0", NULL);
    if (!l) {
        return;
    }
    check_depth(l, 8);
    check_depth(l, 16);
    check_depth(l, 32);
    linux_free(l);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linux/radeonfb", test_radeonfb);
    return g_test_run();
}
