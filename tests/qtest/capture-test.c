/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x-capture: what QEMU records is replayed by the chip library alone. */
#include <string.h>
#include <unistd.h>

#include "capture-check.h"

#define WIDTH 320
#define HEIGHT 200

/* A ramp, of different colours in each row. */
static void paint(RvDev *d)
{
    g_autofree uint32_t *row = g_new0(uint32_t, WIDTH);

    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++) {
            row[x] = GUINT32_TO_LE(x << 16 | (x * y & 0xff) << 8 | y);
        }
        rv_vram_write(d, 4 * WIDTH * y, row, 4 * WIDTH);
    }
}

static void packets(RvDev *d)
{
    g_autoptr(RvRing) r = rv_ring_new(d, 10);
    RvStream s;

    rv_load_free_image(d);
    for (unsigned n = 0; n < 3; n++) {
        rv_stream_init(&s);
        rv_packet0(&s, A_GUI_SCRATCH_REG0, 0x1000 + n);
        rv_packet0(&s, A_GUI_SCRATCH_REG1, 0x2000 + n);
        rv_ring_ib(r, &s);
        rv_ring_run(r);
        rv_assert_hex(rd_gui_scratch_reg1(d), 0x2000 + n);
        rv_stream_clear(&s);
    }
}

static void test_replay(void)
{
    RvVmConfig config = {
        .args = "-vga none -device "
                "radeon-rv100,id=gpu,vgamem_mb=16,x-capture=%D/rv.cap",
    };
    RvVm *vm = rv_vm_new(&config);
    g_autoptr(RvPicture) want = NULL;
    g_autoptr(GBytes) early = NULL, late = NULL;
    ReplayStats stats;
    RvDev *d;
    int fd;

    if (!vm) {
        return;
    }
    d = rv_dev_probe(vm, 0);
    fd = capture_file(vm);
    paint(d);
    capture_show(d, WIDTH, HEIGHT);
    packets(d);
    paint(d);
    want = rv_screendump(vm, NULL);
    g_assert_cmpuint(want->width, ==, WIDTH);
    g_assert_cmphex(want->pixels[WIDTH * 10 + 20], ==, 0x14c80a);
    early = capture_read(fd);       /* QEMU still has it open: no end mark */
    rv_dev_unref(d);
    rv_qmp(vm, "quit", NULL);
    g_assert_cmpint(rv_vm_wait(vm), ==, 0);
    late = capture_read(fd);
    close(fd);
    capture_check(early, NULL);
    stats = capture_check(late, want);
    g_assert_cmpuint(stats.packets, >=, 6);
    g_assert_cmpuint(stats.writes, >=, 6);
}

static void test_no_file(void)
{
    static const RvVmConfig config = {
        .args = "-vga none -device radeon-rv100,x-capture=/nonexistent/f",
    };
    g_autofree char *err = NULL;

    if (rv_vm_unavailable()) {
        g_test_skip(rv_vm_unavailable());
        return;
    }
    g_assert_cmpint(rv_vm_run(&config, NULL, &err), ==, 1);
    g_assert_nonnull(strstr(err, "x-capture=/nonexistent/f: No such file"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/capture/replay", test_replay);
    g_test_add_func("/capture/no-file", test_no_file);
    return g_test_run();
}
