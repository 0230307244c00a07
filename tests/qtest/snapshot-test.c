/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * savevm in the middle of a packet: after loadvm the rest of the words makes
 * the same register writes, and VRAM is what it was.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rv.h"
#include "rv-golden.h"
#include "rv-heads.h"

#define POINTS 12
#define MODE_PIO 1
#define VRAM_AT 0x00300000

/* tests/evidence looks at every member of the state; here a stream of words is
 * cut at every place. */
typedef struct Feed {
    RvRing *ring;               /* NULL: PIO */
    const uint32_t *words;
} Feed;

static char *empty_disk(void)
{
    g_autofree char *name = g_build_filename(g_get_tmp_dir(),
                                             "rv100-XXXXXX.qcow2", NULL);
    int fd = g_mkstemp(name);
    const char *argv[] = { "qemu-img", "create", "-q", "-f", "qcow2", name,
                           "1M", NULL };
    int status = -1;

    close(fd);
    if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                      NULL, NULL, &status, NULL) || status != 0) {
        unlink(name);
        g_test_skip("qemu-img is not installed");
        return NULL;
    }
    return g_steal_pointer(&name);
}

static RvDev *device_with_disk_and(const char *extra)
{
    g_autofree char *disk = rv_vm_unavailable() ? NULL : empty_disk();
    g_autofree char *base = disk ? g_path_get_basename(disk) : NULL;
    const char *const files[] = { disk, NULL };
    g_autofree char *args = g_strdup_printf(
        "-machine pc -m 64 -vga none -device radeon-rv100,vgamem_mb=8%s "
        "-drive if=none,format=qcow2,file=%%D/%s", extra, base);
    RvVmConfig config = { .plugin_args = "trace=rv100_engine_write",
                          .files = files, .args = args };
    RvVm *vm = disk || rv_vm_unavailable() ? rv_vm_new(&config) : NULL;

    if (disk) {
        unlink(disk);
    }
    return vm ? rv_dev_probe(vm, 0) : NULL;
}

static RvDev *device_with_disk(void)
{
    return device_with_disk_and("");
}

static void hmp_quiet(RvDev *d, const char *command)
{
    g_autofree char *out = rv_hmp(d->vm, "%s", command);

    g_assert_cmpstr(out, ==, "");
}

/* Give the engine word i of the stream. */
static void feed(RvDev *d, const Feed *f, unsigned i)
{
    if (f->ring) {
        rv_word(&f->ring->out, f->words[i]);
        rv_ring_kick(f->ring);
        rv_settle(d);
    } else {
        rv_pio(d, &f->words[i], 1);
    }
}

/* The writes in QEMU's trace from a place on. */
static char *writes_from(RvDev *d, size_t from)
{
    g_autofree char *text = rv_vm_stderr(d->vm);
    g_auto(GStrv) lines = g_strsplit(text + from, "\n", -1);
    GString *out = g_string_new(NULL);

    for (int i = 0; lines[i]; i++) {
        const char *at = strstr(lines[i], "rv100_engine_write");

        if (at) {
            g_string_append_printf(out, "%s\n", at);
        }
    }
    return g_string_free(out, FALSE);
}

static size_t trace_length(RvDev *d)
{
    g_autofree char *text = rv_vm_stderr(d->vm);

    return strlen(text);
}

static char *feed_rest(RvDev *d, const Feed *f, unsigned from, unsigned n)
{
    size_t start = trace_length(d);

    for (unsigned i = from; i < n; i++) {
        feed(d, f, i);
    }
    return writes_from(d, start);
}

static void cut_everywhere(RvDev *d, const Feed *f, unsigned n)
{
    unsigned start_wptr = f->ring ? f->ring->wptr : 0;

    g_assert_cmpuint(n, >=, POINTS);
    for (unsigned cut = 1; cut <= POINTS; cut++) {
        g_autofree char *first = NULL, *second = NULL;
        unsigned wptr;

        rv_vram_wr32(d, VRAM_AT, 0xa0000000 + cut);
        for (unsigned i = 0; i < cut; i++) {
            feed(d, f, i);
        }
        wptr = f->ring ? f->ring->wptr : 0;
        hmp_quiet(d, "savevm point");
        first = feed_rest(d, f, cut, n);
        g_assert_true(rv_wait_idle(d));
        /* spoil what the snapshot has to bring back */
        rv_vram_wr32(d, VRAM_AT, 0);
        rv_load_word(d, 0, 0, 0);
        wr_gui_scratch_reg5(d, 0xdead);
        hmp_quiet(d, "loadvm point");
        if (f->ring) {
            f->ring->wptr = wptr;
        }
        rv_assert_hex(rv_vram_rd32(d, VRAM_AT), 0xa0000000 + cut);
        second = feed_rest(d, f, cut, n);
        g_assert_true(rv_wait_idle(d));
        g_assert_cmpstr(first, ==, second);
        g_assert_nonnull(strstr(first, "0x15e"));
    }
    g_assert_true(!f->ring || f->ring->wptr != start_wptr);
}

/* Two packets: type 0 of ten words to one register, type 1. */
static void make_words(RvStream *s)
{
    static const uint32_t values[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

    rv_stream_init(s);
    rv_packet0_n(s, A_GUI_SCRATCH_REG1, true, values, G_N_ELEMENTS(values));
    rv_packet1(s, A_GUI_SCRATCH_REG2, 11, A_GUI_SCRATCH_REG3, 12);
}

static void test_pio(void)
{
    g_autoptr(RvDev) d = device_with_disk();
    RvStream s;
    Feed f = { NULL, NULL };

    if (!d) {
        return;
    }
    rv_load_free_image(d);
    make_words(&s);
    f.words = (const uint32_t *)s.words->data;
    cut_everywhere(d, &f, s.words->len);
    rv_stream_clear(&s);
}

static void test_ring(void)
{
    g_autoptr(RvDev) d = device_with_disk();
    g_autoptr(RvRing) r = NULL;
    RvStream s;
    Feed f = { NULL, NULL };

    if (!d) {
        return;
    }
    rv_load_free_image(d);
    r = rv_ring_new(d, 8);
    make_words(&s);
    f = (Feed) { r, (const uint32_t *)s.words->data };
    cut_everywhere(d, &f, s.words->len);
    rv_stream_clear(&s);
}

/* An indirect buffer whose microcode never ends: the state is busy before and
 * after, and a repaired image lets the buffer and the ring finish. */
static void test_inside_indirect_buffer(void)
{
    g_autoptr(RvDev) d = device_with_disk();
    g_autoptr(RvRing) r = NULL;
    RvStream ib;

    if (!d) {
        return;
    }
    r = rv_ring_new(d, 8);
    rv_load_word(d, 0, 0, 0);           /* type 0: for ever */
    rv_load_word(d, 1, 0, 0);
    rv_stream_init(&ib);
    rv_packet0(&ib, A_GUI_SCRATCH_REG1, 0x1111);
    rv_packet0(&ib, A_GUI_SCRATCH_REG2, 0x2222);
    wr_cp_ib_base(d, rv_ring_place(r, (const uint32_t *)ib.words->data,
                                   ib.words->len));
    wr_cp_ib_bufsz(d, ib.words->len);
    rv_packet0(&r->out, A_GUI_SCRATCH_REG3, 0x3333);
    rv_ring_kick(r);
    rv_settle(d);
    rv_assert_hex(rd_rbbm_status(d), 0x80010140);
    hmp_quiet(d, "savevm point");
    rv_cp_reset(d);
    rv_assert_hex(rd_rbbm_status(d), 0x140);
    hmp_quiet(d, "loadvm point");
    rv_assert_hex(rd_rbbm_status(d), 0x80010140);
    rv_assert_hex(rd_gui_scratch_reg1(d), 0);
    rv_load_free_image(d);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg1(d), 0x1111);
    rv_assert_hex(rd_gui_scratch_reg2(d), 0x2222);
    rv_assert_hex(rd_gui_scratch_reg3(d), 0x3333);
    rv_stream_clear(&ib);
}

/* --- displays --- */

#define FLIP_TO 0x00200000
#define CURSOR_AT 0x00300000        /* from the head's picture on */

static uint32_t table(unsigned i)
{
    return (i * 3 & 0x3ff) << 20 | (1023 - i) << 10 | (i * 5 & 0x3ff);
}

/* A mode, colours and a cursor of its own for each head. */
static void show(RvHead *h)
{
    unsigned w = h->n ? 128 : 96, lines = h->n ? 48 : 72;

    rv_head_colours(h, table);
    rv_head_mode(h, h->n ? RV_BPP_8 : RV_BPP_32, w, lines, w, h->n * 0x00400000);
    for (unsigned i = 0; i < w * lines; i++) {
        rv_head_put(h, i % w, i / w, i * 0x3517);
    }
    for (unsigned i = 0; i < 64 * 64; i++) {
        rv_vram_wr32(h->d, h->start + CURSOR_AT + 4 * i, i % 3 ? 0xff000000 | i * 0x10f : 0);
    }
    rv_head_wr(h, A_CUR_OFFSET, CURSOR_AT + 4 * 256);
    rv_head_wr(h, A_CUR_HORZ_VERT_OFF, 9u << 16 | 4);
    rv_head_wr(h, A_CUR_HORZ_VERT_POSN, 20u << 16 | 10);
    rv_head_wr(h, A_CRTC_GEN_CNTL, rv_head_rd(h, A_CRTC_GEN_CNTL)
               | R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK
               | 2u << R_CRTC_GEN_CNTL_CRTC_CUR_MODE_SHIFT);
}

/* Everything else than what show() has made. */
static void spoil(RvHead *h)
{
    rv_head_wr(h, A_CUR_HORZ_VERT_POSN, 0);
    rv_head_wr(h, A_CUR_OFFSET, 0);
    rv_head_wr(h, A_CRTC_OFFSET, 0);
    wr_dac_cntl2(h->d, h->n ? R_DAC_CNTL2_DAC2_PALETTE_ACC_CTL_MASK : 0);
    rv_wr8(h->d, A_PALETTE_INDEX, 0);
    for (unsigned i = 0; i < 256; i++) {
        wr_palette_30_data(h->d, 0);
    }
    rv_vram_fill(h->d, h->start, 0x8000, 0x55);
    rv_head_mode(h, RV_BPP_16, 160, 100, 160, 0);
}

/* A flip that is locked stays pending over the snapshot; what is shown comes back
 * with every colour and both cursors, and the flip goes on. */
static void test_displays(void)
{
    g_autoptr(RvDev) d = device_with_disk_and(",id=gpu0,heads=2,guest_hwcursor=on");
    const uint32_t pending = R_CRTC_OFFSET_GUI_TRIG_OFFSET_MASK;

    if (!d) {
        return;
    }
    for (unsigned n = 0; n < 2; n++) {
        RvHead heads[2] = { { .d = d, .n = 0 }, { .d = d, .n = 1 } };
        g_autoptr(RvPicture) a = NULL, b = NULL, a2 = NULL, b2 = NULL, flipped = NULL;

        show(&heads[0]);
        show(&heads[1]);
        rv_vram_fill(d, heads[n].start + FLIP_TO, 0x8000, 0x77);
        rv_head_wr(&heads[n], A_CRTC_OFFSET, FLIP_TO | R_CRTC_OFFSET_OFFSET_LOCK_MASK);
        a = rv_head_picture(&heads[0]);
        b = rv_head_picture(&heads[1]);
        hmp_quiet(d, "savevm point");
        spoil(&heads[0]);
        spoil(&heads[1]);
        hmp_quiet(d, "loadvm point");
        a2 = rv_head_picture(&heads[0]);
        b2 = rv_head_picture(&heads[1]);
        rv_assert_same_picture(a, a2);
        rv_assert_same_picture(b, b2);
        g_assert_true(rv_head_rd(&heads[n], A_CRTC_OFFSET) & pending);
        g_assert_false(rv_head_rd(&heads[!n], A_CRTC_OFFSET) & pending);
        rv_head_wr(&heads[n], A_CRTC_GEN_CNTL, rv_head_rd(&heads[n], A_CRTC_GEN_CNTL)
                   & ~R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK);
        rv_head_pan(&heads[n], FLIP_TO);
        flipped = rv_head_picture(&heads[n]);
        for (unsigned i = 1; i < flipped->width * flipped->height; i++) {
            rv_assert_hex(flipped->pixels[i], flipped->pixels[0]);
        }
        g_assert_cmphex(flipped->pixels[0], !=, 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/snapshot/pio", test_pio);
    g_test_add_func("/snapshot/ring", test_ring);
    g_test_add_func("/snapshot/inside-indirect-buffer",
                    test_inside_indirect_buffer);
    g_test_add_func("/snapshot/displays", test_displays);
    return g_test_run();
}
