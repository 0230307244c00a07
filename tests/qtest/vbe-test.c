/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modes of the video BIOS, set by int 10h from a boot sector, and the way back to
 * text: what is shown after each.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "rv.h"
#include "rv-golden.h"

#define LFB 0x4000
#define TEXT_MODE 3
#define VGA_MODE 0x13               /* 8 bits a pixel: this BIOS has no others */
#define TEXT 0xb8000
#define VGA 0xa0000
#define TRIES 60000                 /* of 2 ms: a guard against hangs */

/* Mailbox of the sector: a mode to set (0: nothing to do), the BIOS's answer. */
enum { MODE = 0x7e00, ANSWER = 0x7e02, READY = 0x7e04, IS_READY = 0x1234 };

static const uint8_t sector[] = {
    0x31, 0xc0,                             /*       xor ax, ax */
    0x8e, 0xd8,                             /*       mov ds, ax */
    0xa3, 0x00, 0x7e,                       /*       mov [7e00h], ax */
    0xc7, 0x06, 0x04, 0x7e, 0x34, 0x12,     /*       mov word [7e04h], 1234h */
    0xa1, 0x00, 0x7e,                       /* wait: mov ax, [7e00h] */
    0x85, 0xc0,                             /*       test ax, ax */
    0x74, 0xf9,                             /*       jz wait */
    0x89, 0xc3,                             /*       mov bx, ax */
    0xb8, 0x02, 0x4f,                       /*       mov ax, 4f02h */
    0xcd, 0x10,                             /*       int 10h */
    0xa3, 0x02, 0x7e,                       /*       mov [7e02h], ax */
    0x31, 0xc0,                             /*       xor ax, ax */
    0xa3, 0x00, 0x7e,                       /*       mov [7e00h], ax */
    0xeb, 0xe8,                             /*       jmp wait */
};

typedef struct Pc {
    RvVm *vm;
    uint64_t vram, regs;
} Pc;

static void wait_word(RvVm *vm, uint32_t addr, uint16_t value)
{
    for (unsigned tries = 0; rv_mem_rd(vm, addr, 2) != value; tries++) {
        g_assert_cmpuint(tries, <, TRIES);
        g_usleep(2000);
    }
}

static bool boot(Pc *pc)
{
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "rv100-XXXXXX.img", NULL);
    g_autofree char *base = NULL, *args = NULL;
    uint8_t disk[64 * 512] = { 0 };
    const char *files[] = { path, NULL };
    int fd = g_mkstemp(path);

    memcpy(disk, sector, sizeof(sector));
    disk[510] = 0x55;
    disk[511] = 0xaa;
    g_assert_true(g_close(fd, NULL)
                  && g_file_set_contents(path, (char *)disk, sizeof(disk), NULL));
    base = g_path_get_basename(path);
    args = g_strdup_printf("-machine pc -m 64 -vga none -device radeon-rv100 "
                           "-drive if=ide,format=raw,file=%%D/%s", base);
    pc->vm = rv_vm_new(&(RvVmConfig) { .bios = RV_BIOS_FIRMWARE, .files = files,
                                       .args = args });
    g_remove(path);
    if (!pc->vm) {
        return false;
    }
    wait_word(pc->vm, READY, IS_READY);
    pc->vram = rv_firmware_bar(pc->vm, 0, 0);
    pc->regs = rv_firmware_bar(pc->vm, 0, 2);
    return true;
}

static void set_mode(Pc *pc, uint16_t mode)
{
    rv_mem_wr(pc->vm, MODE, mode, 2);
    wait_word(pc->vm, MODE, 0);
    rv_assert_hex(rv_mem_rd(pc->vm, ANSWER, 2), 0x004f);
}

static bool native(Pc *pc)
{
    return rv_mem_rd(pc->vm, pc->regs + A_CRTC_GEN_CNTL, 4)
        & R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK;
}

/* --- text --- */

/* Five lines, the rest blank, without a cursor. */
static void write_text(Pc *pc)
{
    for (unsigned i = 0; i < 80 * 25; i++) {
        uint16_t cell = i < 5 * 80 ? (0x0700 + (i << 8 & 0x7800)) | (0x21 + i % 90) : 0x0720;

        rv_mem_wr(pc->vm, TEXT + 2 * i, cell, 2);
    }
    rv_outw(pc->vm, 0x3d4, 0x200a);             /* CRTC 0ah: cursor off */
}

static RvPicture *text_picture(Pc *pc)
{
    write_text(pc);
    return rv_screendump(pc->vm, NULL);
}

/* --- graphics --- */

/* Sixteen bars; the middle of each is looked at, and the corners. */
static uint32_t bar_value(unsigned bits, unsigned bar)
{
    uint32_t r = bar & 1 ? 0xff : 0, g = bar & 2 ? 0xff : 0, b = bar & 4 ? 0xff : 0;

    if (bar & 8) {
        r &= 0x80;
        g &= 0x80;
        b &= 0x80;
    }
    return bits == 8 ? bar : bits == 15 ? r >> 3 << 10 | g >> 3 << 5 | b >> 3
        : bits == 16 ? r >> 3 << 11 | g >> 2 << 5 | b >> 3 : r << 16 | g << 8 | b;
}

static uint32_t bar_colour(unsigned bits, unsigned bar)
{
    /* the first colours of the BIOS's table of 256 */
    static const uint32_t vga[16] = {
        0x000000, 0x0000aa, 0x00aa00, 0x00aaaa, 0xaa0000, 0xaa00aa, 0xaa5500, 0xaaaaaa,
        0x555555, 0x5555ff, 0x55ff55, 0x55ffff, 0xff5555, 0xff55ff, 0xffff55, 0xffffff,
    };

    return bits == 8 ? vga[bar] : bar_value(32, bar);
}

/* Components of 5 or 6 bits lose the low ones; in 8 bpp the table has 6. */
static bool same_colour(unsigned bits, uint32_t a, uint32_t b)
{
    uint32_t mask = bits == 8 ? 0xfcfcfc : bits < 24 ? 0xf8f8f8 : 0xffffff;

    return !((a ^ b) & mask);
}

static void check_bars(Pc *pc, unsigned bits, unsigned width, unsigned height)
{
    unsigned bytes = (bits + 7) / 8, zoom = bits == 8 ? 2 : 1;
    g_autofree uint8_t *row = g_malloc0(width * bytes);
    g_autoptr(RvPicture) p = NULL;

    for (unsigned x = 0; x < width; x++) {
        uint32_t v = GUINT32_TO_LE(bar_value(bits, x * 16 / width));

        memcpy(row + x * bytes, &v, bytes);
    }
    for (unsigned y = 0; y < height; y++) {
        rv_mem_write(pc->vm, (bits == 8 ? VGA : pc->vram) + (uint64_t)y * width * bytes, row, width * bytes);
    }
    p = rv_screendump(pc->vm, NULL);
    g_assert_cmpuint(p->width, ==, width * zoom);
    g_assert_cmpuint(p->height, ==, height * zoom);
    for (unsigned i = 0; i < p->width * p->height; i++) {
        uint32_t wanted = bar_colour(bits, i % p->width * 16 / p->width);

        if (!same_colour(bits, p->pixels[i], wanted)) {
            rv_die("%u bits: pixel %u,%u is %06x, not %06x", bits, i % p->width,
                   i / p->width, p->pixels[i], wanted);
        }
    }
}

static void test_modes(void)
{
    static const struct {
        uint16_t mode;
        unsigned bits, width, height;
    } modes[] = {
        { LFB | 0x111, 16, 640, 480 }, { LFB | 0x142, 32, 640, 480 },
        { LFB | 0x110, 15, 640, 480 }, { VGA_MODE, 8, 320, 200 },
        { LFB | 0x114, 16, 800, 600 }, { LFB | 0x118, 24, 1024, 768 },
        { VGA_MODE, 8, 320, 200 },
    };
    g_autoptr(RvPicture) text = NULL;
    Pc pc;

    if (!boot(&pc)) {
        return;
    }
    set_mode(&pc, TEXT_MODE);
    text = text_picture(&pc);
    for (unsigned i = 0; i < G_N_ELEMENTS(modes); i++) {
        g_autoptr(RvPicture) again = NULL;

        g_test_message("mode %x", modes[i].mode);
        set_mode(&pc, modes[i].mode);
        g_assert_cmpint(native(&pc), ==, modes[i].mode != VGA_MODE);
        check_bars(&pc, modes[i].bits, modes[i].width, modes[i].height);
        set_mode(&pc, TEXT_MODE);
        g_assert_false(native(&pc));
        again = text_picture(&pc);
        rv_assert_same_picture(text, again);
    }
    rv_vm_free(pc.vm);
}

/* A driver takes the screen while text is shown, and gives it back: the text is
 * still there, as it was. */
static void test_native_over_text(void)
{
    g_autoptr(RvPicture) text = NULL;
    const uint32_t at = 0x00800000;
    Pc pc;

    if (!boot(&pc)) {
        return;
    }
    set_mode(&pc, TEXT_MODE);
    text = text_picture(&pc);
    for (unsigned n = 0; n < 4; n++) {
        g_autoptr(RvPicture) p = NULL, again = NULL;
        unsigned w = n % 2 ? 160 : 720, h = n % 2 ? 120 : 400;
        uint64_t r = pc.regs;

        rv_mem_fill(pc.vm, pc.vram + at, w * h * 4, 0x10 * (n + 1));
        rv_mem_wr(pc.vm, r + A_CRTC_H_TOTAL_DISP, (w / 8 - 1) << 16 | (w / 8 + 9), 4);
        rv_mem_wr(pc.vm, r + A_CRTC_V_TOTAL_DISP, (h - 1) << 16 | (h + 9), 4);
        rv_mem_wr(pc.vm, r + A_CRTC_PITCH, w / 8, 4);
        rv_mem_wr(pc.vm, r + A_CRTC_OFFSET, at, 4);
        rv_mem_wr(pc.vm, r + A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK
                  | R_CRTC_GEN_CNTL_CRTC_EN_MASK | 6 << 8, 4);
        while (rv_mem_rd(pc.vm, r + A_CRTC_OFFSET, 4) & R_CRTC_OFFSET_GUI_TRIG_OFFSET_MASK) {
            g_usleep(1000);
        }
        p = rv_screendump(pc.vm, NULL);
        g_assert_cmpuint(p->width, ==, w);
        g_assert_cmpuint(p->height, ==, h);
        for (unsigned i = 0; i < w * h; i++) {
            g_assert_cmphex(p->pixels[i], ==, 0x101010 * (n + 1));
        }
        rv_mem_wr(pc.vm, r + A_CRTC_GEN_CNTL, 0, 4);
        again = rv_screendump(pc.vm, NULL);
        rv_assert_same_picture(text, again);
    }
    rv_vm_free(pc.vm);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/vbe/modes", test_modes);
    g_test_add_func("/vbe/native-over-text", test_native_over_text);
    return g_test_run();
}
