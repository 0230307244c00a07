/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The firmware's text screen, read back from the picture. */
#include <stdio.h>
#include <string.h>

#include "rv.h"

static void boot(const char *devices)
{
    g_autofree char *args = g_strdup_printf("-machine pc -m 64 -vga none %s",
                                            devices);
    RvVmConfig config = { .bios = RV_BIOS_FIRMWARE, .args = args };
    g_autoptr(RvVm) vm = rv_vm_new(&config);
    g_autofree char *text = NULL;

    if (!vm) {
        return;
    }
    text = rv_screen_wait_text(vm, NULL, "SeaBIOS");
    g_assert_nonnull(text);
    g_test_message("%s", text);
}

static void test_seabios(void)
{
    boot("-device radeon-rv100");
}

static void test_seabios_second_card(void)
{
    boot("-device radeon-rv100 -device radeon-rv100");
}

static void test_seabios_vgamem_8(void)
{
    boot("-device radeon-rv100,vgamem_mb=8");
}

/* The plugin alone changes nothing for other machines. */
static void test_other_card(void)
{
    RvVmConfig config = { .bios = RV_BIOS_HALT,
                          .args = "-machine pc -m 64 -device VGA" };
    g_autoptr(RvVm) vm = rv_vm_new(&config);

    if (vm) {
        g_assert_cmpint(rv_pci_find(vm, 0x11111234, 0), >=, 0);
    }
}

/* Blanks and blinking attributes are no glyphs: what the reader makes of a
 * screen that the test itself writes into text memory. */
static void test_reader(void)
{
    static const char line[] = "The quick brown fox 0123456789 #$%&()*+,-./:;<>@";
    RvVmConfig config = { .bios = RV_BIOS_FIRMWARE, .args =
        "-machine pc -m 64 -vga none -device radeon-rv100" };
    g_autoptr(RvVm) vm = rv_vm_new(&config);
    g_autofree char *first = NULL, *text = NULL;

    if (!vm) {
        return;
    }
    first = rv_screen_wait_text(vm, NULL, "SeaBIOS");
    g_assert_nonnull(first);
    for (unsigned i = 0; line[i]; i++) {
        uint16_t cell = (i % 2 ? 0x1f00 : 0x4200) | line[i];

        rv_mem_write(vm, 0xb8000 + 20 * 160 + 2 * i,
                     &(uint16_t) { GUINT16_TO_LE(cell) }, 2);
    }
    text = rv_screen_wait_text(vm, NULL, line);
    g_assert_nonnull(text);
}

/* --- a graphics mode --- */

#define WIDTH 640
#define HEIGHT 480
#define TRIES 600               /* of 0.1 s: a guard against hangs */

static uint32_t splash_colour(unsigned x, unsigned y)
{
    return (x / 80 * 0x20) << 16 | (y / 60 * 0x20) << 8 | (x + y) / 160 % 8 * 0x20;
}

/* A picture file of 24 bits, rows from below. */
static char *make_splash(void)
{
    static const uint8_t header[54] = {
        'B', 'M', 0x36, 0x10, 0x0e, 0, 0, 0, 0, 0, 54, 0, 0, 0,
        40, 0, 0, 0, WIDTH & 0xff, WIDTH >> 8, 0, 0, HEIGHT & 0xff, HEIGHT >> 8, 0, 0,
        1, 0, 24, 0, 0, 0, 0, 0, 0, 0x10, 0x0e, 0,
    };
    char *path = g_build_filename(g_get_tmp_dir(), "rv100-splash.bmp", NULL);
    g_autoptr(GByteArray) file = g_byte_array_new();

    g_byte_array_append(file, header, sizeof(header));
    for (unsigned y = HEIGHT; y-- > 0;) {
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t c = splash_colour(x, y);

            g_byte_array_append(file, (uint8_t[]) { c, c >> 8, c >> 16 }, 3);
        }
    }
    g_assert_true(g_file_set_contents(path, (char *)file->data, file->len, NULL));
    return path;
}

/* The high bits of each component: the mode may have 16 bits. */
static bool shows_splash(RvVm *vm)
{
    g_autoptr(RvPicture) p = rv_screendump(vm, NULL);

    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        if (p->width != WIDTH || p->height != HEIGHT
            || (p->pixels[i] ^ splash_colour(i % WIDTH, i / WIDTH)) & 0xe0e0e0) {
            return false;
        }
    }
    return true;
}

/* The video BIOS sets a mode of the card's own CRTC; then the menu takes text
 * mode back, without a rest of the picture. */
static void test_splash(void)
{
    g_autofree char *path = make_splash();
    const char *const files[] = { path, NULL };
    RvVmConfig config = { .bios = RV_BIOS_FIRMWARE, .files = files, .args =
        "-machine pc -m 64 -vga none -device radeon-rv100 "
        "-boot menu=on,splash=%D/rv100-splash.bmp,splash-time=60000" };
    g_autoptr(RvVm) vm = rv_vm_new(&config);
    g_autofree char *text = NULL;
    unsigned tries = 0;

    remove(path);
    if (!vm) {
        return;
    }
    while (!shows_splash(vm)) {
        g_assert_cmpuint(++tries, <, TRIES);
        g_usleep(100000);
    }
    rv_assert_hex(rv_mem_rd(vm, rv_firmware_bar(vm, 0, 2) + A_CRTC_GEN_CNTL, 4)
                  & R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK,
                  R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK);
    g_free(rv_qmp(vm, "send-key", "{\"keys\": [{\"type\": \"qcode\", \"data\": \"esc\"}]}"));
    text = rv_screen_wait_text(vm, NULL, "Select boot device");
    g_assert_nonnull(text);
    g_test_message("%s", text);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/firmware/seabios", test_seabios);
    g_test_add_func("/firmware/seabios-second-card", test_seabios_second_card);
    g_test_add_func("/firmware/seabios-vgamem-8", test_seabios_vgamem_8);
    g_test_add_func("/firmware/other-card", test_other_card);
    g_test_add_func("/firmware/reader", test_reader);
    g_test_add_func("/firmware/splash", test_splash);
    return g_test_run();
}
