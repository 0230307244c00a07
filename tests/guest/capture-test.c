/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The demo guest with x-capture: the chip library alone makes the same register
 * writes of it, and the same picture as QEMU's screen showed.
 */
#include <string.h>
#include <unistd.h>

#include "capture-check.h"
#include "picture.h"

static bool wait_ready(RvVm *vm)
{
    for (;;) {
        g_autofree char *line = rv_serial_line(vm);

        if (!line) {
            return false;
        }
        if (!strcmp(line, "READY")) {
            return true;
        }
    }
}

static void test_demo(void)
{
    const char *const files[] = { g_getenv("RV100_DEMO_GUEST"), NULL };
    RvVmConfig config = {
        .bios = RV_BIOS_FIRMWARE, .serial = true, .files = files,
        .args = "-machine pc -m 64 -vga none -device radeon-rv100,id=gpu,"
                "x-capture=%D/rv.cap -device isa-debug-exit,iobase=0xf4 "
                "-kernel %D/demo.elf -append wait",
    };
    RvVm *vm = rv_vm_new(&config);
    g_autoptr(RvPicture) want = NULL;
    g_autoptr(GBytes) file = NULL;
    ReplayStats stats;
    int fd;

    if (!vm) {
        return;
    }
    g_assert_true(wait_ready(vm));
    want = rv_screendump(vm, "gpu");
    g_assert_cmpuint(want->width, ==, PICTURE_WIDTH);
    fd = capture_file(vm);
    rv_serial_send(vm, "\n");
    g_assert_cmpint(rv_vm_wait(vm), ==, 33);
    file = capture_read(fd);
    close(fd);
    stats = capture_check(file, want);
    g_test_message("%u packets, %u writes", (unsigned)stats.packets,
                   (unsigned)stats.writes);
    g_assert_cmpuint(stats.packets, >=, 500);
    g_assert_cmpuint(stats.writes, >=, 5000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/demo/capture", test_demo);
    return g_test_run();
}
