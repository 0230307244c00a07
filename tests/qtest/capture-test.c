/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x-capture: what QEMU records is replayed by the chip library alone. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture.h"
#include "replay.h"
#include "rv.h"

#define WIDTH 320
#define HEIGHT 200

typedef struct Last {
    unsigned n;
    uint32_t width, height;
    GArray *pixels;
} Last;

static bool keep(void *opaque, uint64_t number, uint32_t width,
                 uint32_t height, const uint32_t *pixels)
{
    Last *l = opaque;

    l->n++;
    l->width = width;
    l->height = height;
    g_array_set_size(l->pixels, 0);
    g_array_append_vals(l->pixels, pixels, width * height);
    return true;
}

static void show(RvDev *d)
{
    uint32_t size = rd_config_memsize(d);

    wr_mc_fb_location(d, d->vram_bus >> 16 |
                      ((d->vram_bus + size - 1) & 0xffff0000));
    wr_display_base_addr(d, d->vram_bus);
    wr_crtc_h_total_disp(d, (WIDTH / 8 - 1)
                         << R_CRTC_H_TOTAL_DISP_CRTC_H_DISP_SHIFT |
                         (WIDTH / 8 + 19));
    wr_crtc_v_total_disp(d, (HEIGHT - 1)
                         << R_CRTC_V_TOTAL_DISP_CRTC_V_DISP_SHIFT |
                         (HEIGHT + 44));
    wr_crtc_pitch(d, WIDTH / 8);
    wr_crtc_gen_cntl(d, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK |
                     R_CRTC_GEN_CNTL_CRTC_EN_MASK |
                     R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP
                     << R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_SHIFT);
}

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

/* The file outlives the VM's directory. */
static int open_capture(const RvDev *d)
{
    g_autofree char *path = g_build_filename(rv_vm_dir(d->vm), "rv.cap", NULL);
    int fd = open(path, O_RDONLY);

    g_assert_cmpint(fd, >=, 0);
    return fd;
}

static GBytes *read_all(int fd)
{
    struct stat st;
    g_autofree char *data = NULL;
    gsize at = 0;

    g_assert_cmpint(fstat(fd, &st), ==, 0);
    data = g_malloc(st.st_size);
    while (at < (gsize)st.st_size) {
        ssize_t n = pread(fd, data + at, st.st_size - at, at);

        g_assert_cmpint(n, >, 0);
        at += n;
    }
    return g_bytes_new_take(g_steal_pointer(&data), at);
}

static void check(GBytes *file, const RvPicture *want, bool cut)
{
    gsize len;
    const uint8_t *data = g_bytes_get_data(file, &len);
    g_autoptr(GArray) pixels = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autofree char *difference = NULL;
    g_auto(Capture) c = { 0 };
    Last last = { .pixels = pixels };
    ReplayOptions o = { keep, &last };
    ReplayStats stats;
    GError *error = NULL;

    g_assert_true(capture_open(&c, "rv.cap", data, len, &error));
    g_assert_cmpuint(c.vram_size, ==, 16 << 20);
    if (replay_run(&c, &o, &stats, &difference) != REPLAY_SAME) {
        g_error("%s", difference);
    }
    g_assert_cmpint(!!c.cut, ==, cut);
    if (cut) {
        return;
    }
    g_assert_cmpuint(stats.packets, >=, 6);
    g_assert_cmpuint(stats.writes, >=, 6);
    g_assert_cmpuint(last.n, >=, 1);
    g_assert_cmpuint(last.width, ==, want->width);
    g_assert_cmpuint(last.height, ==, want->height);
    g_assert_cmpmem(pixels->data, 4 * pixels->len, want->pixels,
                    4 * WIDTH * HEIGHT);
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
    RvDev *d;
    int fd;

    if (!vm) {
        return;
    }
    d = rv_dev_probe(vm, 0);
    fd = open_capture(d);
    paint(d);
    show(d);
    packets(d);
    paint(d);
    want = rv_screendump(vm, NULL);
    g_assert_cmpuint(want->width, ==, WIDTH);
    g_assert_cmphex(want->pixels[WIDTH * 10 + 20], ==, 0x14c80a);
    early = read_all(fd);       /* QEMU still has it open: no end mark */
    rv_dev_unref(d);
    rv_qmp(vm, "quit", NULL);
    g_assert_cmpint(rv_vm_wait(vm), ==, 0);
    late = read_all(fd);
    close(fd);
    check(early, want, true);
    check(late, want, false);
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
