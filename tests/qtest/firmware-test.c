/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The firmware's text screen, read back from the picture. */
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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/firmware/seabios", test_seabios);
    g_test_add_func("/firmware/seabios-second-card", test_seabios_second_card);
    g_test_add_func("/firmware/seabios-vgamem-8", test_seabios_vgamem_8);
    g_test_add_func("/firmware/other-card", test_other_card);
    g_test_add_func("/firmware/reader", test_reader);
    return g_test_run();
}
