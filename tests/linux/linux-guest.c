/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux-guest.h"

#define END_OF_COMMAND "::status "
#define IMAGE_BYTES 2048

struct Linux {
    RvVm *vm;
    char *console;              /* the kernel's messages */
    gsize judged;               /* bytes of them that were looked at */
    char **part;                /* lines of the last judgement */
    unsigned marks;
    gint64 started;
    RvFont *font;
};

/* Lines that no boot may print. */
static const char *const bad_lines[] = {
    "divide error", "\\bBUG:", "\\bOops\\b", "general protection", "Call Trace",
    "\\bWARNING:", "Kernel panic", "nobody cared",
    "GPU lockup", "stalled for more than", "failed to reset GPU",
    "Disabling GPU acceleration", "(ring|ib) test failed",
    "fence wait (failed|timed out)", "Wait for MC idle timeout",
    "wait for empty RBBM fifo failed", "Failed to wait GUI idle",
    "Forbidden register", "Failed to parse relocation",
    "may not have enough display bandwidth",
    "Incorrect (GTT->VRAM|VRAM->GTT) copy",
    "(flip_done|vblank wait|commit wait) timed out", "vblank wait timed out",
};

/* GLib keeps the last message of a test only. */
void linux_fail(const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    g_test_message("FAILED: %s", text);
    g_test_fail_printf("%s", text);
}

/* --- images --- */

char *linux_image_path(LinuxImage image)
{
    const char *free_image = g_getenv("RV100_FREE_IMAGE");
    const char *shared = g_getenv("RV100_SHARED");
    g_autofree char *ours = shared ? g_build_filename(shared, "firmware", "R100_cp.bin",
                                                      NULL) : NULL;
    const char *const places[] = {
        g_getenv("RV100_FIRMWARE"), "/lib/firmware/radeon/R100_cp.bin",
        "/usr/lib/firmware/radeon/R100_cp.bin", ours,
    };

    if (image == LINUX_FREE) {
        return free_image && g_file_test(free_image, G_FILE_TEST_EXISTS)
            ? g_strdup(free_image) : NULL;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        if (places[i] && *places[i] && g_file_test(places[i], G_FILE_TEST_EXISTS)) {
            return g_strdup(places[i]);
        }
    }
    return NULL;
}

static const char *const image_names[] = { "stock.bin", "free.bin" };

bool linux_need_image(LinuxImage image)
{
    g_autofree char *path = linux_image_path(image);

    if (!path) {
        g_test_skip(image == LINUX_FREE ? "no free microcode image (RV100_FREE_IMAGE)"
                    : "no R100_cp.bin in /lib/firmware/radeon or ../shared");
    }
    return path != NULL;
}

void linux_use_image(Linux *l, LinuxImage image)
{
    g_free(linux_ok(l, "cp /images/%s /lib/firmware/radeon/R100_cp.bin",
                    image_names[image]));
}

uint64_t linux_handler_count(Linux *l, const char *device, LinuxImage image,
                             uint8_t opcode)
{
    g_autofree char *path = linux_image_path(image);
    g_autofree char *data = NULL;
    uint64_t cover[256];
    gsize len;
    uint8_t entry;

    g_assert_true(g_file_get_contents(path, &data, &len, NULL));
    g_assert_cmpuint(len, ==, IMAGE_BYTES);
    /* Pairs of big-endian words, high word first: the entry of an opcode is a
     * byte of the low word, the first one lowest. */
    entry = data[8 * (opcode / 4) + 7 - opcode % 4];
    rv_coverage(l->vm, device, cover);
    return cover[entry];
}

void linux_check_image(Linux *l, LinuxImage image)
{
    g_autofree char *path = linux_image_path(image);
    g_autofree char *data = NULL;
    uint64_t mmio = rv_firmware_bar(l->vm, 0, 2);
    gsize len;

    g_assert_cmpuint(mmio, !=, 0);
    g_assert_true(g_file_get_contents(path, &data, &len, NULL));
    g_assert_cmpuint(len, ==, IMAGE_BYTES);
    rv_mem_wr(l->vm, mmio + A_CP_ME_RAM_RADDR, 0, 4);
    for (unsigned i = 0; i < IMAGE_BYTES; i += 4) {
        uint32_t at = i % 8 ? A_CP_ME_RAM_DATAL : A_CP_ME_RAM_DATAH;
        uint32_t word;

        memcpy(&word, data + i, 4);
        g_assert_cmphex(rv_mem_rd(l->vm, mmio + at, 4), ==, GUINT32_FROM_BE(word));
    }
}

static char *debug(Linux *l, const char *command)
{
    g_autofree char *quoted = rv_json_quote(command);
    g_autofree char *args = g_strdup_printf("{\"command\": %s}", quoted);

    return rv_qmp(l->vm, "x-rv100-debug", args);
}

/* The word of the loaded microcode that a label names. */
static unsigned label(Linux *l, const char *name)
{
    g_autofree char *command = g_strdup_printf("print %s", name);
    g_autofree char *reply = debug(l, command);
    const char *value = strstr(reply, "= ");
    unsigned word = value ? strtoul(value + 2, NULL, 0) : 256;

    if (word >= 256) {
        rv_die("no label %s: %s", name, reply);
    }
    return word;
}

uint64_t linux_type0_count(Linux *l, const char *device)
{
    uint64_t cover[256];

    rv_coverage(l->vm, device, cover);
    return cover[label(l, "type0")] + cover[label(l, "type0_one")];
}

/* --- boot --- */

static bool talking;

void linux_talk(void)
{
    talking = true;
}

/* Run a program of the source tree: its standard output without the end of
 * line, or NULL and the last line of standard error in *why. */
static char *run_script(char **argv, char **why)
{
    g_autofree char *out = NULL, *err = NULL;
    g_autoptr(GError) error = NULL;
    int status;

    if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out,
                      talking ? NULL : &err, &status, &error)) {
        *why = g_strdup(error->message);
        return NULL;
    }
    if (!g_spawn_check_wait_status(status, NULL) && talking) {
        *why = g_strdup_printf("%s has failed", argv[0]);
        return NULL;
    }
    if (!g_spawn_check_wait_status(status, NULL)) {
        g_auto(GStrv) lines = g_strsplit(g_strchomp(err), "\n", -1);
        guint n = g_strv_length(lines);

        /* the line before "failed at" says why */
        *why = g_strdup(n > 1 && strstr(lines[n - 1], "failed at") ? lines[n - 2]
                        : n ? lines[n - 1] : "no reason given");
        return NULL;
    }
    return g_strchomp(g_steal_pointer(&out));
}

/* What a script of scripts/ prepares for a Debian release: its path. */
static char *prepare(const char *name, const char *suite, char **why)
{
    g_autofree char *script = g_build_filename(g_getenv("RV100_TOP"), "scripts", name, NULL);
    char *argv[] = { script, suite ? "--suite" : NULL, (char *)suite, NULL };

    return run_script(argv, why);
}

static char *module;            /* of linux_need_module() */

static bool pack(const char *guest, const char *out, char **why)
{
    g_autofree char *script = g_build_filename(g_getenv("RV100_TOP"), "tests", "linux",
                                               "pack-guest", NULL);
    g_autofree char *gfx = g_strdup_printf("bin/gfx=%s", g_getenv("RV100_GFX"));
    g_autofree char *done = NULL;
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

    g_ptr_array_add(argv, g_strdup(script));
    g_ptr_array_add(argv, g_strdup(guest));
    g_ptr_array_add(argv, g_strdup(out));
    g_ptr_array_add(argv, g_strdup(gfx));
    for (LinuxImage i = LINUX_STOCK; i <= LINUX_FREE; i++) {
        g_autofree char *path = linux_image_path(i);

        if (path) {
            g_ptr_array_add(argv, g_strdup_printf("images/%s=%s", image_names[i], path));
        }
    }
    if (module) {
        g_ptr_array_add(argv, g_strdup_printf("lib/modules/move.ko=%s", module));
    }
    g_ptr_array_add(argv, NULL);
    done = run_script((char **)argv->pdata, why);
    return done != NULL;
}

/* A line of a kernel that has died would not come: the test's time limit and the
 * VM's patience end the wait, and its report shows the file "console". */
static void wait_for_shell(Linux *l)
{
    for (bool ready = false; !ready;) {
        g_autofree char *line = rv_serial_line(l->vm);

        if (!line) {
            rv_die("the guest has ended before its shell was ready");
        }
        ready = strstr(line, "guest ready") != NULL;
    }
}

/* The files are copied into the VM's directory, which goes with it. The guest's
 * time is the HPET's, which is QEMU's virtual time: a kernel that measures the TSC
 * on a busy host gets a wrong rate. */
static RvVm *start(const char *guest, const char *initrd, const char *args)
{
    g_autofree char *kernel = g_build_filename(guest, "vmlinux", NULL);
    g_autofree char *all = g_strdup_printf(
        "-machine pc -cpu qemu64 -m 512 -vga none -no-reboot -serial file:%%D/console "
        "-kernel %%D/vmlinux -initrd %%D/initrd -append 'console=ttyS0,115200 panic=-1 "
        "tsc=reliable clocksource=hpet no_timer_check mitigations=off nokaslr "
        "random.trust_cpu=on rv100.tty=ttyS1' %s", args);
    const char *const files[] = { kernel, initrd, NULL };
    RvVmConfig config = { .bios = RV_BIOS_FIRMWARE, .serial = true, .files = files,
                          .args = all };

    return rv_vm_new(&config);
}

Linux *linux_start(const char *args, const char *suite, char **why)
{
    g_autofree char *guest = prepare("prepare-linux-guest", suite, why), *dir = NULL, *initrd = NULL;
    Linux *l;

    if (!guest) {
        return NULL;
    }
    l = g_new0(Linux, 1);
    l->started = g_get_monotonic_time();
    dir = g_dir_make_tmp("rv100-XXXXXX", NULL);
    initrd = g_build_filename(dir, "initrd", NULL);
    if (!pack(guest, initrd, why)) {
        rv_die("the initramfs cannot be packed: %s", *why);
    }
    l->vm = start(guest, initrd, args);
    remove(initrd);
    remove(dir);
    l->console = g_build_filename(rv_vm_dir(l->vm), "console", NULL);
    wait_for_shell(l);
    return l;
}

static void skip(const char *why)
{
    g_autofree char *text = g_strdup_printf("no Debian kernel for the guest: %s", why);

    g_test_skip(text);
}

bool linux_available(const char *suite)
{
    g_autofree char *why = NULL, *guest = prepare("prepare-linux-guest", suite, &why);

    if (!guest) {
        skip(why);
    }
    return guest != NULL;
}

bool linux_need_module(const char *suite)
{
    g_autofree char *why = NULL;

    g_free(module);
    module = prepare("prepare-linux-module", suite, &why);
    if (!module) {
        skip(why);
    }
    return module != NULL;
}

Linux *linux_new(const char *args, const char *suite)
{
    const char *unavailable = rv_vm_unavailable();
    g_autofree char *why = NULL;
    Linux *l = NULL;

    if (unavailable) {
        g_test_skip(unavailable);
        return NULL;
    }
    l = linux_start(args, suite, &why);
    if (!l) {
        skip(why);
        return NULL;
    }
    linux_progress(l, "the guest is up");
    return l;
}

static void release(Linux *l)
{
    g_free(l->console);
    g_strfreev(l->part);
    g_free(l->font);
    g_free(l);
}

void linux_free(Linux *l)
{
    rv_vm_free(l->vm);
    release(l);
}

void linux_wait(Linux *l)
{
    rv_vm_wait(l->vm);
    release(l);
}

RvVm *linux_vm(Linux *l)
{
    return l->vm;
}

double linux_seconds(const Linux *l)
{
    return (g_get_monotonic_time() - l->started) / 1e6;
}

void linux_progress(const Linux *l, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    g_test_message("%.1f s: %s", linux_seconds(l), text);
}

/* --- shell --- */

void linux_begin(Linux *l, const char *command)
{
    g_autofree char *sent = g_strdup_printf("%s\n", command);

    rv_serial_send(l->vm, sent);
}

/* Output up to the end of the command, or of the guest: then the status is
 * LINUX_ENDED. */
static char *output(Linux *l, int *status)
{
    GString *out = g_string_new(NULL);

    for (;;) {
        g_autofree char *got = rv_serial_line(l->vm);

        if (!got) {
            *status = LINUX_ENDED;
            break;
        }
        if (g_str_has_prefix(got, END_OF_COMMAND)) {
            *status = atoi(got + strlen(END_OF_COMMAND));
            break;
        }
        g_string_append_printf(out, "%s\n", got);
    }
    g_string_truncate(out, out->len ? out->len - 1 : 0);    /* the empty line */
    return g_string_free(out, FALSE);
}

char *linux_end(Linux *l, int *status)
{
    char *out = output(l, status);

    if (*status == LINUX_ENDED) {
        rv_die("the guest has ended in a command: %s", out);
    }
    return out;
}

static char *run_command(Linux *l, int *status, const char *command)
{
    linux_begin(l, command);
    return output(l, status);
}

char *linux_sh(Linux *l, int *status, const char *format, ...)
{
    g_autofree char *command = NULL;
    va_list ap;

    va_start(ap, format);
    command = g_strdup_vprintf(format, ap);
    va_end(ap);
    return run_command(l, status, command);
}

char *linux_ok(Linux *l, const char *format, ...)
{
    g_autofree char *command = NULL;
    char *out;
    int status;
    va_list ap;

    va_start(ap, format);
    command = g_strdup_vprintf(format, ap);
    va_end(ap);
    out = run_command(l, &status, command);
    if (status) {
        rv_die("status %d of the guest's command: %s\n%s", status, command, out);
    }
    return out;
}

double linux_value(const char *output, const char *name)
{
    g_autofree char *pattern = g_strdup_printf("(^|\\s)%s=(-?[0-9.]+)", name);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_autofree char *value = NULL;

    if (!g_regex_match(regex, output, 0, &match)) {
        rv_die("no %s= in: %s", name, output);
    }
    value = g_match_info_fetch(match, 2);
    return g_ascii_strtod(value, NULL);
}

/* --- messages --- */

void linux_tick(Linux *l)
{
    g_free(linux_ok(l, "echo on > /proc/sys/kernel/printk_devkmsg; "
                    "while :; do echo tick > /dev/kmsg; sleep 0.1; done &"));
}

static unsigned ticks(Linux *l)
{
    g_autofree char *text = NULL;
    unsigned n = 0;

    g_file_get_contents(l->console, &text, NULL, NULL);
    for (const char *at = text; at && (at = strstr(at, "] tick")); at++) {
        n++;
    }
    return n;
}

void linux_wait_tick(Linux *l)
{
    unsigned before = ticks(l);

    for (unsigned tries = 0; tries < 6000; tries++) {
        /* one may have been under way */
        if (ticks(l) > before + 1) {
            return;
        }
        g_usleep(10000);
    }
    rv_die("the guest stands still");
}

/* All messages up to now: a line of our own comes after them. */
static char *messages(Linux *l)
{
    g_autofree char *mark = g_strdup_printf("rv100 mark %u", ++l->marks);
    char *text = NULL;

    g_free(linux_ok(l, "echo '%s' > /dev/kmsg", mark));
    for (unsigned tries = 0; tries < 3000; tries++) {
        g_free(text);
        text = NULL;
        if (g_file_get_contents(l->console, &text, NULL, NULL) && strstr(text, mark)) {
            return text;
        }
        g_usleep(10000);
    }
    rv_die("a message does not reach the serial console");
}

static bool matches(const char *pattern, const char *line)
{
    return pattern && g_regex_match_simple(pattern, line, 0, 0);
}

static bool is_bad(const char *line, const char *allowed)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(bad_lines); i++) {
        if (matches(bad_lines[i], line) && !matches(allowed, line)) {
            linux_fail("bad line: %s", line);
            return true;
        }
    }
    return false;
}

static const char *find(Linux *l, const char *pattern)
{
    for (char **line = l->part; *line; line++) {
        if (matches(pattern, *line)) {
            return *line;
        }
    }
    return NULL;
}

void linux_judge_again(Linux *l, const char *const *expected)
{
    for (; expected && *expected; expected++) {
        if (!find(l, *expected)) {
            linux_fail("no line of the kernel matches: %s", *expected);
        }
    }
}

void linux_judge(Linux *l, const char *const *expected, const char *allowed)
{
    g_autofree char *text = messages(l);
    bool bad = false;

    g_strfreev(l->part);
    l->part = g_strsplit(text + l->judged, "\n", -1);
    l->judged = strlen(text);
    for (char **line = l->part; *line; line++) {
        bad |= is_bad(g_strchomp(*line), allowed);
    }
    for (char **line = l->part; bad && *line; line++) {
        g_test_message("%s", *line);
    }
    linux_judge_again(l, expected);
}

char *linux_find(Linux *l, const char *pattern)
{
    const char *line = find(l, pattern);

    if (!line) {
        rv_die("no line of the kernel matches: %s", pattern);
    }
    return g_strdup(line);
}

unsigned linux_count(Linux *l, const char *pattern)
{
    unsigned n = 0;

    for (char **line = l->part; *line; line++) {
        n += matches(pattern, *line);
    }
    return n;
}

/* --- screen --- */

/* The console's font as `gfx font` prints it: 16 bytes a glyph. */
static RvFont *read_font(Linux *l)
{
    g_autofree char *hex = linux_ok(l, "gfx font");
    RvFont *font = g_new0(RvFont, 1);
    const char *p = hex;

    for (unsigned i = 0; i < 256 * RV_GLYPH_ROWS; i++, p += 2) {
        if (!g_ascii_isxdigit(p[0]) || !g_ascii_isxdigit(p[1])) {
            rv_die("the guest's font: not hexadecimal at %u: %.80s", i, p);
        }
        font->rows[i / RV_GLYPH_ROWS][i % RV_GLYPH_ROWS] =
            g_ascii_xdigit_value(p[0]) << 4 | g_ascii_xdigit_value(p[1]);
    }
    return font;
}

static bool same_picture(const RvPicture *a, const RvPicture *b)
{
    return a->width == b->width && a->height == b->height
        && !memcmp(a->pixels, b->pixels, sizeof(a->pixels[0]) * a->width * a->height);
}

RvPicture *linux_still(Linux *l, const char *device, unsigned head)
{
    g_autoptr(RvPicture) p = rv_screendump_head(l->vm, device, head);

    for (unsigned tries = 0; tries < 200; tries++) {
        g_autoptr(RvPicture) before = g_steal_pointer(&p);

        g_free(linux_ok(l, "usleep 100000"));
        p = rv_screendump_head(l->vm, device, head);
        if (same_picture(before, p)) {
            return g_steal_pointer(&p);
        }
    }
    rv_die("the picture of %s does not come to rest", device);
}

char *linux_screen_text(Linux *l, const char *device)
{
    g_autoptr(RvPicture) p = rv_screendump(l->vm, device);

    if (!l->font) {
        l->font = read_font(l);
    }
    return rv_picture_text(p, l->font, 8);
}
