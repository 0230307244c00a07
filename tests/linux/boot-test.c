/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debian's kernel with its radeon driver on the card, in one boot: acceleration,
 * the console's text, loading and unloading, with the stock and the free image.
 */
#include <stdio.h>
#include <string.h>

#include "linux-guest.h"

#define TYPED 24                /* characters */

static const char *const accelerated[] = {
    "Loading R100 Microcode", "ring test succeeded in [0-9]+ usecs", "ib test succeeded in [0-9]+ usecs",
    "fb0: radeondrmfb frame buffer device", "Initialized radeon 2\\.[0-9]+", NULL,
};

/* Keys of the guest's keyboard, one at a time: the guest has taken each before
 * the next comes. */
static void type_text(Linux *l, const char *text)
{
    for (; *text; text++) {
        g_autofree char *args = g_strdup_printf(
            "{\"keys\": [{\"type\": \"qcode\", \"data\": \"%c\"}], \"hold-time\": 1}", *text);

        g_free(rv_qmp(linux_vm(l), "send-key", args));
        g_free(linux_ok(l, "usleep 20000"));
    }
}

/* What is typed on the console is on the screen, glyph by glyph. */
static void check_console(Linux *l, unsigned width, unsigned height)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    g_autoptr(RvPicture) p = NULL;
    g_autofree char *text = NULL;
    char typed[TYPED + 1] = "";

    for (unsigned i = 0; i < TYPED; i++) {
        typed[i] = letters[g_random_int_range(0, strlen(letters))];
    }
    g_free(linux_ok(l, "printf '\\033c' > /dev/tty1; cat /dev/tty1 > /dev/null & usleep 100000"));
    type_text(l, typed);
    p = rv_screendump(linux_vm(l), "gpu0");
    g_assert_cmpuint(p->width, ==, width);
    g_assert_cmpuint(p->height, ==, height);
    text = linux_screen_text(l, "gpu0");
    if (!strstr(text, typed)) {
        g_test_message("the screen shows:\n%s", text);
        g_test_fail_printf("not on the screen: %s", typed);
    }
    g_free(linux_ok(l, "kill %%1; wait; true"));
}

static void load(Linux *l, const char *parameters)
{
    double from = linux_seconds(l);

    g_free(linux_ok(l, "load radeon %s", parameters));
    g_test_message("%.1f s: radeon %s loaded in %.1f s", linux_seconds(l), parameters,
                   linux_seconds(l) - from);
    linux_judge(l, accelerated, NULL);
}

static void unload(Linux *l)
{
    g_free(linux_ok(l, "unload radeon"));
    linux_judge(l, NULL, NULL);
}

/* A boot with an image; NULL after g_test_skip(). The driver loads it once: the
 * kernel keeps what it has read under its name, so each image has its boot. */
static Linux *boot(LinuxImage image)
{
    Linux *l;

    if (!linux_need_image(image)) {
        return NULL;
    }
    l = linux_new("-device radeon-rv100,id=gpu0", NULL);
    if (l) {
        linux_use_image(l, image);
        load(l, "");
        linux_check_image(l, image);
    }
    return l;
}

static void test_stock(void)
{
    Linux *l = boot(LINUX_STOCK);

    if (!l) {
        return;
    }
    g_assert_cmpuint(linux_type0_count(l, "gpu0"), >, 0);
    check_console(l, 1280, 800);
    unload(l);
    load(l, "");
    unload(l);
    linux_free(l);
}

static void test_free(void)
{
    Linux *l = boot(LINUX_FREE);

    if (!l) {
        return;
    }
    g_assert_cmpuint(linux_type0_count(l, "gpu0"), >, 0);
    check_console(l, 1280, 800);
    linux_free(l);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linux/stock", test_stock);
    g_test_add_func("/linux/free", test_free);
    return g_test_run();
}
