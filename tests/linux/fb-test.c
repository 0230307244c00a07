/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The older driver, radeonfb, in all depths: its console with the 2D engine shows
 * the same picture as without. Debian's kernels (from 11 on) scroll by software;
 * the engine fills.
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
    g_free(linux_ok(l, "sleep 0.2"));
    return rv_screendump(linux_vm(l), "gpu0");
}

#define MARK 0x1234             /* no line of the screen */

static uint64_t dst_y(Linux *l)
{
    return rv_firmware_bar(linux_vm(l), 0, 2) + A_DST_Y;
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
    g_autoptr(RvPicture) plain = NULL, accelerated = NULL;
    unsigned differ = 0;

    rv_mem_wr(linux_vm(l), dst_y(l), MARK, 4);
    plain = draw(l, bpp, "noaccel=1");
    g_assert_cmphex(rv_mem_rd(linux_vm(l), dst_y(l), 4), ==, MARK);
    check_text(l);
    g_free(linux_ok(l, "unload radeonfb"));
    accelerated = draw(l, bpp, "");
    /* the engine has painted */
    g_assert_cmphex(rv_mem_rd(linux_vm(l), dst_y(l), 4), <, 480);
    g_assert_cmpuint(plain->width, ==, 640);
    g_assert_cmpuint(plain->height, ==, 480);
    g_assert_cmpuint(accelerated->width, ==, 640);
    g_assert_cmpuint(accelerated->height, ==, 480);
    for (unsigned i = 0; i < 640 * 480; i++) {
        differ += plain->pixels[i] != accelerated->pixels[i];
    }
    if (differ) {
        linux_fail("%u bpp: %u pixels differ", bpp, differ);
        check_text(l);
    }
    g_free(linux_ok(l, "unload radeonfb"));
    linux_judge(l, NULL, NULL);
}

static void test_radeonfb(void)
{
    Linux *l = linux_new("-device radeon-rv100,id=gpu0", NULL);

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
