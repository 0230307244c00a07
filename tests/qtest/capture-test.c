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

/* Both heads and their cursors at a depth. */
static void show_heads(RvDev *d, uint32_t depth)
{
    static const uint32_t cursor[2 * 64] = { [0 ... 127] = 0x0ff0a55a };

    for (uint32_t i = 0; i < 256; i++) {
        wr_palette_index(d, i);
        wr_palette_data(d, i << 16 | (255 - i) << 8 | (i ^ 0x55));
    }
    capture_show(d, WIDTH, HEIGHT);
    rv_vram_write(d, 0x100000, cursor, sizeof(cursor));
    wr_cur_offset(d, 0x100000);
    wr_cur_clr0(d, 0xff0000);
    wr_cur_clr1(d, 0x00ffff);
    wr_cur_horz_vert_posn(d, 100 << 16 | 50);
    wr_crtc2_display_base_addr(d, rd_display_base_addr(d));
    wr_crtc2_h_total_disp(d, rd_crtc_h_total_disp(d));
    wr_crtc2_v_total_disp(d, rd_crtc_v_total_disp(d));
    wr_crtc2_pitch(d, WIDTH / 8);
    wr_crtc2_offset(d, 4 * WIDTH * 20);
    wr_cur2_offset(d, 0x100000);
    wr_cur2_clr0(d, 0x00ff00);
    wr_cur2_horz_vert_posn(d, 30 << 16 | 60);
    wr_crtc_gen_cntl(d, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK |
                     R_CRTC_GEN_CNTL_CRTC_EN_MASK |
                     R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK |
                     depth << R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_SHIFT);
    wr_crtc2_gen_cntl(d, R_CRTC2_GEN_CNTL_CRTC2_EN_MASK |
                      R_CRTC2_GEN_CNTL_CRTC2_CUR_EN_MASK |
                      depth << R_CRTC2_GEN_CNTL_CRTC2_PIX_WIDTH_SHIFT);
}

/* The cursor is in the picture: 32 of its 64 columns, 4 of them at a time. */
static void check_cursor(const RvPicture *p, uint32_t x, uint32_t y,
                         uint32_t color)
{
    unsigned n = 0;

    for (unsigned i = 0; i < 64 * 64; i++) {
        n += p->pixels[(y + i / 64) * p->width + x + i % 64] == color;
    }
    g_assert_cmpuint(n, >=, 64 * 30);
}

static void test_heads(gconstpointer data)
{
    RvVmConfig config = {
        .args = "-vga none -device radeon-rv100,id=gpu,vgamem_mb=16,heads=2,"
                "guest_hwcursor=on,x-capture=%D/rv.cap",
    };
    RvVm *vm = rv_vm_new(&config);
    g_autoptr(RvPicture) one = NULL, two = NULL;
    g_autoptr(GBytes) file = NULL;
    RvDev *d;
    int fd;

    if (!vm) {
        return;
    }
    d = rv_dev_probe(vm, 0);
    fd = capture_file(vm);
    paint(d);
    show_heads(d, GPOINTER_TO_UINT(data));
    one = rv_screendump_head(vm, "gpu", 0);
    two = rv_screendump_head(vm, "gpu", 1);
    g_assert_cmpuint(one->width, ==, WIDTH);
    g_assert_cmpuint(two->width, ==, WIDTH);
    check_cursor(one, 100, 50, 0xff0000);
    check_cursor(two, 30, 60, 0x00ff00);
    rv_dev_unref(d);
    rv_qmp(vm, "quit", NULL);
    g_assert_cmpint(rv_vm_wait(vm), ==, 0);
    file = capture_read(fd);
    close(fd);
    capture_check_heads(file, (const RvPicture *[]) { one, two });
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
    for (unsigned depth = R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_8BPP;
         depth <= R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP; depth++) {
        g_autofree char *path = g_strdup_printf("/capture/heads/%u", depth);

        g_test_add_data_func(path, GUINT_TO_POINTER(depth), test_heads);
    }
    g_test_add_func("/capture/no-file", test_no_file);
    return g_test_run();
}
