/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boots the bare-metal demo guest and looks at its table, its exit status and
 * its picture.
 *
 *   guest-demo                  as a test (TAP)
 *   guest-demo --show OUT.png   for people: prints the table, saves the screen;
 *                               exit status 0 when every line passed
 *
 * Environment: that of rv-vm.h, and RV100_DEMO_GUEST = demo.elf,
 * RV100_FIRMWARE = a microcode image to use (default: the usual places),
 * RV100_PACKETS = a file of packets to send at the end (--show only),
 * RV100_SHARED = directory with firmware/R100_cp.bin.
 */
#include <stdio.h>
#include <string.h>

#include "picture-ref.h"
#include "rv-cp.h"
#include "rv-screen.h"
#include "rv100-free.h"
#include "rv100-pm4.h"
#include "words.h"

#define IMAGE_NAME "R100_cp.bin"
#define IMAGE_BYTES 2048u
#define EXIT_PASS 33            /* isa-debug-exit of 0x10 */
#define MAX_PACKET_WORDS 512    /* half of the guest's ring */
/* Where a line of the table has its name. */
#define NAME 5
#define NAME_WIDTH 40

typedef struct Demo {
    RvVm *vm;
    GPtrArray *lines;           /* what the guest printed */
    GPtrArray *names;           /* of the lines of its table */
    uint32_t font;              /* address of its glyphs */
} Demo;

/* A microcode image, or NULL. */
static char *find_image(void)
{
    static const char *const dirs[] = {
        "/lib/firmware/radeon", "/usr/lib/firmware/radeon",
    };
    const char *given = g_getenv("RV100_FIRMWARE");
    const char *shared = g_getenv("RV100_SHARED");
    char *path;

    if (given && *given) {
        return g_strdup(given);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(dirs); i++) {
        path = g_build_filename(dirs[i], IMAGE_NAME, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
            return path;
        }
        g_free(path);
    }
    path = shared && *shared ? g_build_filename(shared, "firmware", IMAGE_NAME,
                                                NULL) : NULL;
    if (path && g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        return path;
    }
    g_free(path);
    return NULL;
}

/* The guest gets up to two files as multiboot modules. */
static char *module_args(const char *const modules[2])
{
    GString *s = g_string_new(NULL);

    for (unsigned i = 0; i < 2 && modules[i]; i++) {
        g_autofree char *base = g_path_get_basename(modules[i]);

        g_string_append_printf(s, "%s%%D/%s", i ? "," : "-initrd ", base);
    }
    return g_string_free(s, FALSE);
}

/* Boot and read the table until the picture is there. */
static bool demo_boot(Demo *demo, const char *image, const char *packets)
{
    const char *modules[2] = { image ? image : packets, image ? packets : NULL };
    const char *const files[] = { g_getenv("RV100_DEMO_GUEST"), modules[0],
                                  modules[1], NULL };
    g_autofree char *initrd = module_args(modules);
    g_autofree char *args = g_strdup_printf(
        "-machine pc -m 64 -vga none -device radeon-rv100,id=gpu "
        "-device isa-debug-exit,iobase=0xf4 -kernel %%D/demo.elf -append wait "
        "%s", initrd);
    RvVmConfig config = { .bios = RV_BIOS_FIRMWARE, .serial = true,
                          .files = files, .args = args };
    char *line;

    *demo = (Demo) { .vm = rv_vm_new(&config) };
    if (!demo->vm) {
        return false;
    }
    demo->lines = g_ptr_array_new_with_free_func(g_free);
    demo->names = g_ptr_array_new_with_free_func(g_free);
    while ((line = rv_serial_line(demo->vm)) && strcmp(line, "READY") != 0) {
        if (g_str_has_prefix(line, "FONT ")) {
            demo->font = g_ascii_strtoull(line + 5, NULL, 16);
        }
        g_ptr_array_add(demo->lines, line);
    }
    if (!line) {
        fprintf(stderr, "# the guest ended before its picture was ready\n");
    }
    g_free(line);
    return true;
}

/* Let the guest end; QEMU's exit status. */
static int demo_end(Demo *demo)
{
    rv_serial_send(demo->vm, "\n");
    g_ptr_array_free(demo->lines, TRUE);
    g_ptr_array_free(demo->names, TRUE);
    return rv_vm_wait(demo->vm);
}

/* --- test --- */

static void check_table(const Demo *demo)
{
    unsigned passed = 0;
    g_autofree char *result = NULL;

    for (unsigned i = 0; i < demo->lines->len; i++) {
        const char *line = demo->lines->pdata[i];

        g_test_message("%s", line);
        if (g_str_has_prefix(line, "FAIL")) {
            g_test_fail_printf("%s", line);
        }
        passed += g_str_has_prefix(line, "PASS");
    }
    /* The table is whole: the guest counted as many lines as arrived. */
    g_assert_cmpuint(passed, >=, 20);
    result = g_strdup_printf("RESULT %u passed, 0 failed", passed);
    if (!g_ptr_array_find_with_equal_func(demo->lines, result, g_str_equal, NULL)) {
        g_test_fail_printf("no line '%s'", result);
    }
}

/* The words of an image, NULL: the free one. */
static void load_words(const char *image, uint32_t words[256][2])
{
    g_autofree char *data = NULL;
    gsize len;

    if (!image) {
        memcpy(words, rv100_free_image, sizeof(rv100_free_image));
        return;
    }
    g_assert_true(g_file_get_contents(image, &data, &len, NULL));
    g_assert_cmpuint(len, ==, IMAGE_BYTES);
    for (unsigned i = 0; i < 512; i++) {
        const uint8_t *p = (const uint8_t *)data + 4 * i;

        words[i / 2][i % 2] = (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
    }
}

/* The lines that are on the screen: those before the picture's own. */
static GArray *table_lines(const Demo *demo)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(PictureLine));

    for (unsigned i = 0; i < demo->lines->len; i++) {
        const char *line = demo->lines->pdata[i];
        bool passed = g_str_has_prefix(line, "PASS ");

        if ((passed || g_str_has_prefix(line, "FAIL "))
            && !g_str_has_prefix(line + NAME, "picture")) {
            char *name = g_strchomp(g_strndup(line + NAME, NAME_WIDTH));
            PictureLine l = { name, passed };

            g_ptr_array_add(demo->names, name);
            g_array_append_val(lines, l);
        }
    }
    return lines;
}

/* The sums in picture.h are those of this picture. */
static void check_sums(const RvFont *font, const uint32_t *pixels)
{
    uint32_t sum = PICTURE_SUM_INIT, font_sum = PICTURE_SUM_INIT;

    for (unsigned i = 0; i < sizeof(font->rows); i++) {
        font_sum = picture_sum(font_sum, font->rows[i / RV_GLYPH_ROWS]
                                                   [i % RV_GLYPH_ROWS]);
    }
    for (unsigned i = 0; i < PICTURE_PIXELS; i++) {
        sum = picture_sum(sum, pixels[i]);
    }
    if (font_sum != PICTURE_FONT_SUM || sum != PICTURE_SUM) {
        g_test_message("by the reference painter: PICTURE_SUM 0x%08x, "
                       "PICTURE_FONT_SUM 0x%08x", sum, font_sum);
        g_test_fail_printf("tests/guest/picture.h has other sums");
    }
}

/* The screen is, pixel by pixel, the picture of the second interpreter and the
 * reference painter. */
static void check_picture(const Demo *demo, const char *image)
{
    g_autoptr(RvPicture) screen = rv_screendump(demo->vm, NULL);
    g_autofree RvFont *font = g_new(RvFont, 1);
    g_autofree uint32_t *pixels = g_new(uint32_t, PICTURE_PIXELS);
    g_autofree char *text = NULL;
    g_autoptr(GArray) lines = table_lines(demo);
    Picture p = { .font = font->rows, .lines = (const PictureLine *)lines->data,
                  .n_lines = lines->len };
    uint32_t words[256][2];

    load_words(image, words);
    rv_mem_read(demo->vm, demo->font, font->rows, sizeof(font->rows));
    g_assert_true(picture_reference(&p, words, pixels));
    check_sums(font, pixels);
    g_assert_cmpuint(screen->width, ==, PICTURE_WIDTH);
    g_assert_cmpuint(screen->height, ==, PICTURE_HEIGHT);
    for (unsigned i = 0; i < PICTURE_PIXELS; i++) {
        if (screen->pixels[i] != (pixels[i] & 0xffffff)) {
            g_error("pixel (%u, %u) is %06x, by the reference painter %06x",
                    i % PICTURE_WIDTH, i / PICTURE_WIDTH, screen->pixels[i],
                    pixels[i] & 0xffffff);
        }
    }
    /* People can read it: every line of the table is found in the pixels. */
    text = rv_picture_text(screen, font, 8);
    for (unsigned i = 0; i < lines->len; i++) {
        g_autofree char *shown = g_strconcat("PASS ", p.lines[i].name, NULL);

        if (!strstr(text, shown)) {
            g_test_message("the screen shows:\n%s", text);
            g_test_fail_printf("not on the screen: %s", shown);
            return;
        }
    }
}

/* The entries and the handlers of the packets that the guest sent were
 * executed. */
static void check_coverage(const Demo *demo, const char *image)
{
    static const uint8_t opcodes[] = {
        PM4_OP_NOP, PM4_OP_3D_LOAD_VBPNTR, PM4_OP_PAINT, PM4_OP_PAINT_MULTI,
        PM4_OP_BITBLT_MULTI, PM4_OP_TRANS_BITBLT, PM4_OP_SMALLTEXT,
        PM4_OP_HOSTDATA_BLT, PM4_OP_POLYLINE, PM4_OP_POLYSCANLINES,
    };
    uint64_t cover[256];
    uint32_t words[256][2];

    load_words(image, words);
    rv_coverage(demo->vm, "gpu", cover);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpuint(cover[i], >, 0);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(opcodes); i++) {
        unsigned op = opcodes[i];
        uint8_t entry = words[op >> 2][1] >> 8 * (op & 3) & 0xff;

        if (!cover[entry]) {
            g_test_fail_printf("microcode word 0x%02x was not executed", entry);
        }
    }
}

static void run_demo(const char *image)
{
    Demo demo;

    if (demo_boot(&demo, image, NULL)) {
        check_picture(&demo, image);
        check_table(&demo);
        check_coverage(&demo, image);
        g_assert_cmpint(demo_end(&demo), ==, EXIT_PASS);
    }
}

static void test_free_image(void)
{
    run_demo(NULL);
}

static void test_given_image(void)
{
    g_autofree char *image = find_image();

    if (!image) {
        g_test_skip("no " IMAGE_NAME " in /lib/firmware/radeon or ../shared");
        return;
    }
    run_demo(image);
}

/* --- show --- */

static bool save_png(Demo *demo, const char *out)
{
    g_autofree char *path = g_build_filename(rv_vm_dir(demo->vm), "screen.png",
                                             NULL);
    g_autofree char *args = g_strdup_printf(
        "{\"filename\": \"%s/screen.png\", \"format\": \"png\"}",
        rv_vm_inner_dir(demo->vm));
    g_autofree char *reply = rv_qmp(demo->vm, "screendump", args);
    g_autofree char *data = NULL;
    g_autoptr(GError) err = NULL;
    gsize len;

    if (!g_file_get_contents(path, &data, &len, &err) ||
        !g_file_set_contents(out, data, len, &err)) {
        fprintf(stderr, "guest-demo: %s\n", err->message);
        return false;
    }
    printf("Screen saved as %s\n", out);
    return true;
}

static bool is_image(const char *path)
{
    g_autofree char *data = NULL;
    g_autoptr(GError) err = NULL;
    gsize len;

    if (!g_file_get_contents(path, &data, &len, &err)) {
        fprintf(stderr, "guest-demo: %s\n", err->message);
        return false;
    }
    if (len != IMAGE_BYTES) {
        fprintf(stderr, "guest-demo: %s has %zu bytes; a microcode image has "
                "%u\n", path, (size_t)len, IMAGE_BYTES);
        return false;
    }
    return true;
}

/* Few enough words, and nothing else. */
static bool is_packets(const char *path)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(GArray) words = words_load(path, &err);

    if (!words) {
        fprintf(stderr, "guest-demo: %s\n", err->message);
        return false;
    }
    if (words->len > MAX_PACKET_WORDS) {
        fprintf(stderr, "guest-demo: %s has %u words; the demo takes %u\n",
                path, words->len, MAX_PACKET_WORDS);
        return false;
    }
    return true;
}

static const char *cannot_run(void)
{
    g_autofree char *qemu = g_find_program_in_path(g_getenv("RV100_QEMU"));
    const char *why = rv_vm_unavailable();

    if (!why && !qemu) {
        why = "qemu-system-x86_64 is not installed";
    }
    if (!why && !g_file_test(g_getenv("RV100_PLUGIN"), G_FILE_TEST_EXISTS)) {
        why = "the plugin is not built (scripts/build)";
    }
    return why;
}

/* One boot with an image, NULL for the free one. */
static int show_image(const char *image, const char *packets, const char *out)
{
    bool saved = true, passed;
    Demo demo;

    printf("Microcode image: %s\n", image ? image : "rv100-free.bin, the free one");
    demo_boot(&demo, image, packets);
    for (unsigned i = 0; i < demo.lines->len; i++) {
        const char *line = demo.lines->pdata[i];

        if (!g_str_has_prefix(line, "FONT")) {
            printf("%s\n", line);
        }
    }
    if (out) {
        saved = save_png(&demo, out);
    }
    passed = demo_end(&demo) == EXIT_PASS;
    return !saved ? 2 : passed ? 0 : 1;
}

/* A given image; else the free one and, where it is found, the stock one. */
static int show(const char *out)
{
    const char *packets = g_getenv("RV100_PACKETS");
    const char *given = g_getenv("RV100_FIRMWARE");
    g_autofree char *image = find_image();
    const char *why = cannot_run();
    int status = 0;

    if (why) {
        fprintf(stderr, "guest-demo: cannot run: %s\n", why);
        return 2;
    }
    packets = packets && *packets ? packets : NULL;
    if ((image && !is_image(image)) || (packets && !is_packets(packets))) {
        return 2;
    }
    if (!(given && *given)) {
        status = show_image(NULL, packets, out);
    }
    return image && !status ? show_image(image, packets, out) : status;
}

int main(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "--show") == 0) {
        return show(argv[2]);
    }
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/guest/demo/free-image", test_free_image);
    g_test_add_func("/guest/demo/given-image", test_given_image);
    return g_test_run();
}
