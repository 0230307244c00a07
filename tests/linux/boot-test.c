/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debian's kernel with its radeon driver on the card, in one boot: acceleration,
 * the console's text, loading and unloading, with the stock and the free image.
 */
#include <stdio.h>
#include <string.h>

#include "linux-guest.h"
#include "rv100-pm4.h"

#define TYPED 24                /* characters */
#define FENCES 8

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
        char letter[2] = { *text, 0 };
        g_autofree char *args = g_strdup_printf(
            "{\"keys\": [{\"type\": \"qcode\", \"data\": \"%s\"}], \"hold-time\": 1}",
            *text == ' ' ? "spc" : *text == '\n' ? "ret" : letter);

        g_free(rv_qmp(linux_vm(l), "send-key", args));
        g_free(linux_ok(l, "usleep 20000"));
    }
}

/* Until the text is on the screen. */
static void await_text(Linux *l, const char *expected)
{
    g_autofree char *text = NULL;

    for (unsigned tries = 0; tries < 200; tries++) {
        g_free(text);
        text = linux_screen_text(l, "gpu0");
        if (strstr(text, expected)) {
            return;
        }
        g_free(linux_ok(l, "usleep 50000"));
    }
    linux_fail("not on the screen:\n%s\nbut:\n%s", expected, text);
}

/* A shell on the console: what is typed there, and the answer, are on the screen
 * glyph by glyph, in the places where a console has them. */
static void check_console(Linux *l, unsigned width, unsigned height)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    g_autoptr(RvPicture) p = NULL;
    g_autofree char *command = NULL, *expected = NULL;
    char typed[TYPED + 1] = "";

    for (unsigned i = 0; i < TYPED; i++) {
        typed[i] = letters[g_test_rand_int_range(0, strlen(letters))];
    }
    command = g_strdup_printf("echo %s\n", typed);
    expected = g_strdup_printf("on tty1: %s%s\non tty1:", command, typed);
    g_test_message("typed on the console: %s", typed);
    g_free(linux_ok(l, "printf '\\033c' > /dev/tty1; PS1='on tty1: ' setsid sh -c"
                    " 'exec sh -i < /dev/tty1 > /dev/tty1 2>&1' &"));
    await_text(l, "\non tty1:");
    type_text(l, command);
    await_text(l, expected);
    p = rv_screendump(linux_vm(l), "gpu0");
    g_assert_cmpuint(p->width, ==, width);
    g_assert_cmpuint(p->height, ==, height);
    type_text(l, "exit\n");
    g_free(linux_ok(l, "wait; true"));
}

static unsigned lit_pixels(Linux *l)
{
    g_autoptr(RvPicture) p = linux_still(l, "gpu0", 0);
    unsigned lit = 0;

    for (unsigned i = 0; i < p->width * p->height; i++) {
        lit += p->pixels[i] != 0;
    }
    return lit;
}

/* DPMS: blank, standby, suspend, off; and on again. */
static void check_blanking(Linux *l)
{
    unsigned lit;

    g_free(linux_ok(l, "printf '\\033[?25l' > /dev/tty1; dmesg | tail > /dev/tty1"));
    lit = lit_pixels(l);
    g_assert_cmpuint(lit, >, 1000);
    for (unsigned level = 1; level <= 4; level++) {
        g_free(linux_ok(l, "echo %u > /sys/class/graphics/fb0/blank", level));
        g_assert_cmpuint(lit_pixels(l), ==, 0);
        g_free(linux_ok(l, "echo 0 > /sys/class/graphics/fb0/blank"));
        g_assert_cmpuint(lit_pixels(l), ==, lit);
    }
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
    uint64_t before = linux_handler_count(l, "gpu0", LINUX_STOCK, PM4_OP_BITBLT_MULTI);
    unsigned rounds;

    load_for(l, "test=1 gartsize=32", copied);
    rounds = linux_count(l, "Tested GTT->VRAM and VRAM->GTT copy");
    g_test_message("%u megabytes copied there and back", rounds);
    g_assert_cmpuint(rounds, >=, 29);
    g_assert_cmpuint(linux_handler_count(l, "gpu0", LINUX_STOCK, PM4_OP_BITBLT_MULTI), >=,
                     before + 2 * rounds);
}

static double number(const GMatchInfo *match, int n)
{
    g_autofree char *text = g_match_info_fetch(match, n);

    return g_ascii_strtod(text, NULL);
}

/* The driver's own figure for copies inside VRAM, and the same by the guest's
 * CPU through BAR0. */
static void benchmark(Linux *l)
{
    g_autofree char *cpu = NULL, *line = NULL;
    g_autoptr(GMatchInfo) match = NULL;
    g_autoptr(GRegex) regex = g_regex_new("blit ([0-9]+) bo moves of 1024 kB from 4 to 4 "
                                          "in ([0-9]+) ms", 0, 0, NULL);
    double megabytes, ms, by_cpu;

    load(l, "benchmark=2");
    line = linux_find(l, "(dma|blit) .* bo moves of");
    g_test_message("%s", line);
    if (!g_regex_match(regex, line, 0, &match)) {
        linux_fail("not a copy by the 2D engine inside VRAM: %s", line);
        return;
    }
    megabytes = number(match, 1);
    ms = MAX(number(match, 2), 1);
    cpu = linux_ok(l, "gfx copy /dev/dri/card0 32");
    by_cpu = linux_value(cpu, "rate");
    g_test_message("VRAM to VRAM: blit %.0f MB/s, CPU %.0f MB/s, ratio %.0f",
                   megabytes * 1e3 / ms, by_cpu, megabytes * 1e3 / ms / by_cpu);
    unload(l);
}

/* --- vertical blank and page flips --- */

/* The count of vertical blanks over ten seconds of the guest's time. */
static void check_vblank(Linux *l)
{
    g_autofree char *out = linux_ok(
        l, "grep -qx hpet /sys/devices/system/clocksource/clocksource0/current_clocksource"
        " && gfx vblank /dev/dri/card0 10");
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

static void submit(Linux *l, const char *how, const char *result)
{
    g_autofree char *out = linux_ok(l, "gfx submit /dev/dri/card0 %s", how);

    if (!strstr(out, result)) {
        linux_fail("an indirect buffer: %s instead of %s", out, result);
    }
}

static double interrupts(Linux *l)
{
    g_autofree char *out = linux_ok(
        l, "awk '/radeon/ { print \"interrupts=\" $2 }' /proc/interrupts");

    return linux_value(out, "interrupts");
}

/* A stream that waits for the beam. Drawing is done before the driver can wait for
 * its fence; here it sleeps, and only the fence's interrupt wakes it. */
static void check_fences(Linux *l)
{
    double before = interrupts(l), after;

    for (unsigned i = 0; i < FENCES; i++) {
        submit(l, "line", "wait=done");
    }
    after = interrupts(l);
    g_test_message("interrupts: %.0f before, %.0f after", before, after);
    g_assert_cmpfloat(after, >=, before + FENCES / 2);  /* the beam may be there already */
}

/* A program's own stream: type 3 NOP is in it. */
static void check_submit(Linux *l, LinuxImage image)
{
    uint64_t before = linux_handler_count(l, "gpu0", image, PM4_OP_NOP);

    submit(l, "wait", "wait=done");
    g_assert_cmpuint(linux_handler_count(l, "gpu0", image, PM4_OP_NOP), >, before);
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
    submit(l, "wait", "wait=Resource temporarily unavailable");
    linux_judge(l, reset, "GPU lockup|stalled for more than|Failed to wait GUI idle|"
                "wait for empty RBBM fifo failed");
    submit(l, "wait", "wait=done");
    linux_judge(l, NULL, NULL);
}

/* All devices are suspended and resumed; the card has lost nothing, but the driver
 * does all it would do after a loss: evicts VRAM, stops and starts the rings. Its
 * resume pins the console's buffer once more, so that an unload afterwards warns
 * in the memory manager, on any card: the last thing of a boot. */
static void check_suspend(Linux *l)
{
    static const char *const resumed[] = {
        "PM: suspend exit", "PCI GART of 512M enabled", "ring test succeeded",
        "ib test succeeded", NULL,
    };

    g_free(linux_ok(l, "echo 1 > /sys/module/suspend/parameters/pm_test_delay;"
                    " echo devices > /sys/power/pm_test && echo mem > /sys/power/state"));
    linux_judge(l, resumed, NULL);
    linux_progress(l, "suspended and resumed");
    submit(l, "wait", "wait=done");
}

/* What the boot has executed. */
static void check_coverage(Linux *l, LinuxImage image)
{
    uint64_t type0 = linux_type0_count(l, "gpu0");
    uint64_t nop = linux_handler_count(l, "gpu0", image, PM4_OP_NOP);
    uint64_t blit = linux_handler_count(l, "gpu0", image, PM4_OP_BITBLT_MULTI);

    g_test_message("executions: type 0 %" G_GUINT64_FORMAT ", NOP %" G_GUINT64_FORMAT
                   ", BITBLT_MULTI %" G_GUINT64_FORMAT, type0, nop, blit);
    g_assert_cmpuint(type0, >, 0);
    g_assert_cmpuint(nop, >, 0);
    g_assert_cmpuint(blit, >, 0);
}

static void test_stock(void)
{
    Linux *l = boot(LINUX_STOCK);

    if (!l) {
        return;
    }
    check_console(l, 1280, 800);
    check_blanking(l);
    check_submit(l, LINUX_STOCK);
    check_fences(l);
    unload(l);
    benchmark(l);
    copy_test(l);
    check_coverage(l, LINUX_STOCK);
    linux_progress(l, "end");
    linux_free(l);
}

static void test_free(void)
{
    Linux *l = boot(LINUX_FREE);

    if (!l) {
        return;
    }
    check_console(l, 1280, 800);
    check_submit(l, LINUX_FREE);
    check_vblank(l);
    check_flips(l);
    linux_judge(l, NULL, NULL);
    unload(l);
    load(l, "lockup_timeout=1000 benchmark=2");
    check_reset(l);
    check_console(l, 1280, 800);
    check_suspend(l);
    check_console(l, 1280, 800);
    check_coverage(l, LINUX_FREE);
    linux_progress(l, "end");
    linux_free(l);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linux/stock", test_stock);
    g_test_add_func("/linux/free", test_free);
    return g_test_run();
}
