/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture-check.h"
#include "rv100/display.h"

typedef struct Last {
    unsigned n;
    uint32_t width, height;
    GArray *pixels;
} Last;

static bool keep(void *opaque, unsigned head, uint64_t number, uint32_t width,
                 uint32_t height, const uint32_t *pixels)
{
    Last *l = (Last *)opaque + head;

    l->n++;
    l->width = width;
    l->height = height;
    g_array_set_size(l->pixels, 0);
    g_array_append_vals(l->pixels, pixels, width * height);
    return true;
}

void capture_show(RvDev *d, unsigned width, unsigned height)
{
    uint32_t size = rd_config_memsize(d);

    wr_mc_fb_location(d, d->vram_bus >> 16 |
                      ((d->vram_bus + size - 1) & 0xffff0000));
    wr_display_base_addr(d, d->vram_bus);
    wr_crtc_h_total_disp(d, (width / 8 - 1)
                         << R_CRTC_H_TOTAL_DISP_CRTC_H_DISP_SHIFT |
                         (width / 8 + 19));
    wr_crtc_v_total_disp(d, (height - 1)
                         << R_CRTC_V_TOTAL_DISP_CRTC_V_DISP_SHIFT |
                         (height + 44));
    wr_crtc_pitch(d, width / 8);
    wr_crtc_gen_cntl(d, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK |
                     R_CRTC_GEN_CNTL_CRTC_EN_MASK |
                     R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP
                     << R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_SHIFT);
}

/* The file outlives the VM's directory. */
int capture_file(const RvVm *vm)
{
    g_autofree char *path = g_build_filename(rv_vm_dir(vm), "rv.cap", NULL);
    int fd = open(path, O_RDONLY);

    g_assert_cmpint(fd, >=, 0);
    return fd;
}

GBytes *capture_read(int fd)
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

static void check_last(const Last *last, const RvPicture *want)
{
    g_assert_cmpuint(last->n, >=, 1);
    g_assert_cmpuint(last->width, ==, want->width);
    g_assert_cmpuint(last->height, ==, want->height);
    g_assert_cmpmem(last->pixels->data, 4 * last->pixels->len, want->pixels,
                    4 * (gsize)want->width * want->height);
}

ReplayStats capture_check_heads(GBytes *file, const RvPicture *const *want)
{
    gsize len;
    const uint8_t *data = g_bytes_get_data(file, &len);
    g_autofree char *difference = NULL;
    g_auto(Capture) c = { 0 };
    Last last[RV100_HEADS] = { 0 };
    ReplayOptions o = { .frame = keep, .opaque = last };
    ReplayStats stats;
    GError *error = NULL;

    for (unsigned i = 0; i < RV100_HEADS; i++) {
        last[i].pixels = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    g_assert_true(capture_open(&c, "rv.cap", data, len, &error));
    if (replay_run(&c, &o, &stats, &difference) != REPLAY_SAME) {
        g_error("%s", difference);
    }
    g_assert_cmpint(!c.cut, ==, want[0] != NULL);
    for (unsigned i = 0; i < RV100_HEADS; i++) {
        if (want[i]) {
            check_last(&last[i], want[i]);
        }
        g_array_unref(last[i].pixels);
    }
    return stats;
}

ReplayStats capture_check(GBytes *file, const RvPicture *want)
{
    return capture_check_heads(file, (const RvPicture *[]) { want, NULL });
}
