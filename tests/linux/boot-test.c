/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debian's kernel with its radeon driver on the card, in one boot: acceleration,
 * the console's text, loading and unloading, with the stock and the free image.
 */
#include <stdio.h>
#include <string.h>

#include "linux-guest.h"

#define TYPED 24                /* characters */
#define OP_NOP 0x10
#define OP_BITBLT_MULTI 0x1b

static const char *const accelerated[] = {
    "Loading R100 Microcode", "ring test succeeded in [0-9]+ usecs", "ib test succeeded in [0-9]+ usecs",
    "fb0: radeondrmfb frame buffer device", "Initialized radeon 2\\.[0-9]+", NULL,
};

static const char *const copied[] = {
    "ring test succeeded in [0-9]+ usecs", "ib test succeeded in [0-9]+ usecs",
    "Initialized radeon 2\\.[0-9]+", NULL,
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
        linux_fail("not on the screen: %s", typed);
    }
    g_free(linux_ok(l, "kill %%1; wait; true"));
}

static void load_for(Linux *l, const char *parameters, const char *const *expected)
{
    double from = linux_seconds(l);

    g_free(linux_ok(l, "load radeon %s", parameters));
    g_test_message("%.1f s: radeon %s loaded in %.1f s", linux_seconds(l), parameters,
                   linux_seconds(l) - from);
    linux_judge(l, expected, NULL);
}

static void load(Linux *l, const char *parameters)
{
    load_for(l, parameters, accelerated);
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

/* Copies between frame buffer and each megabyte of the GART, checked by the CPU.
 * The driver keeps these megabytes, so that no frame buffer device can follow:
 * the last thing of a boot. */
static void copy_test(Linux *l)
{
    uint64_t before = linux_handler_count(l, "gpu0", LINUX_STOCK, OP_BITBLT_MULTI);
    unsigned rounds;

    load_for(l, "test=1 gartsize=32", copied);
    rounds = linux_count(l, "Tested GTT->VRAM and VRAM->GTT copy");
    g_test_message("%u megabytes copied there and back", rounds);
    g_assert_cmpuint(rounds, >=, 29);
    g_assert_cmpuint(linux_handler_count(l, "gpu0", LINUX_STOCK, OP_BITBLT_MULTI), >=,
                     before + 2 * rounds);
}

static void benchmark(Linux *l)
{
    g_autofree char *cpu = NULL, *line = NULL;

    load(l, "benchmark=2");
    line = linux_find(l, "dma|blit.* bo moves of");
    cpu = linux_ok(l, "gfx copy /dev/dri/card0 32");
    g_test_message("%s", line);
    g_test_message("CPU: %s", cpu);
    unload(l);
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
    benchmark(l);
    copy_test(l);
    linux_free(l);
}

/* --- vertical blank and page flips --- */

/* The count of vertical blanks over ten seconds of the guest's time. */
static void check_vblank(Linux *l)
{
    g_autofree char *out = linux_ok(l, "gfx vblank /dev/dri/card0 10");
    double rate = linux_value(out, "count") / linux_value(out, "seconds");

    g_test_message("vertical blanks: %s", g_strchomp(out));
    g_assert_cmpfloat(rate, >, 0.99 * linux_value(out, "rate"));
    g_assert_cmpfloat(rate, <, 1.01 * linux_value(out, "rate"));
}

/* Each flip is complete at a vertical blank, whichever. */
static void check_flips(Linux *l)
{
    g_autofree char *out = linux_ok(l, "gfx flip /dev/dri/card0 60");

    g_test_message("page flips: %s", g_strchomp(out));
    g_assert_cmpfloat(linux_value(out, "flips"), ==, 60);
    g_assert_cmpfloat(linux_value(out, "off"), <, 0.05);
}

/* --- submissions and reset --- */

static void submit(Linux *l, const char *result)
{
    g_autofree char *out = linux_ok(l, "gfx submit /dev/dri/card0 wait");

    if (!strstr(out, result)) {
        linux_fail("an indirect buffer: %s instead of %s", out, result);
    }
}

/* A program's own stream: type 3 NOP is in it. */
static void check_submit(Linux *l, LinuxImage image)
{
    uint64_t before = linux_handler_count(l, "gpu0", image, OP_NOP);

    submit(l, "wait=done");
    g_assert_cmpuint(linux_handler_count(l, "gpu0", image, OP_NOP), >, before);
}

/* The engine stands still: the driver sees it, resets the card, and its rings
 * work again. */
static void check_reset(Linux *l)
{
    static const char *const reset[] = {
        "GPU lockup", "GPU reset succeed", "ring test succeeded", "ib test succeeded", NULL,
    };

    g_free(rv_qmp(linux_vm(l), "qom-set",
                  "{\"path\": \"gpu0\", \"property\": \"x-hang\", \"value\": true}"));
    g_free(linux_ok(l, "gfx submit /dev/dri/card0 leave; sleep 2"));
    submit(l, "wait=Resource temporarily unavailable");
    linux_judge(l, reset, "GPU lockup|stalled for more than|Failed to wait GUI idle|"
                "wait for empty RBBM fifo failed");
    submit(l, "wait=done");
    linux_judge(l, NULL, NULL);
}

static void test_free(void)
{
    Linux *l = boot(LINUX_FREE);

    if (!l) {
        return;
    }
    g_assert_cmpuint(linux_type0_count(l, "gpu0"), >, 0);
    check_console(l, 1280, 800);
    check_submit(l, LINUX_FREE);
    check_vblank(l);
    check_flips(l);
    linux_judge(l, NULL, NULL);
    unload(l);
    load(l, "lockup_timeout=1000");
    check_reset(l);
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
