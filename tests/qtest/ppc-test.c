/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The card in a machine with a big-endian CPU. */
#include <string.h>

#include "rv.h"

/* Mailbox of the program in mkbios.c. */
enum {
    GO = 0x1000, REGISTERS = 0x1004, VRAM = 0x1008, RESULTS = 0x1010,
    DONE = 0x1040,
};

static RvDev *ppc_device(void)
{
    RvVmConfig config = { .qemu = "RV100_QEMU_PPC", .bios = RV_BIOS_PPC, .args =
        "-machine g3beige -m 64 -vga none -device radeon-rv100" };
    RvVm *vm = rv_vm_new(&config);

    if (!vm) {
        return NULL;
    }
    g_assert_true(rv_vm_big_endian(vm));
    return rv_dev_probe(vm, 0);
}

/* Stores and loads of the CPU itself. */
static void test_cpu(void)
{
    static const uint32_t expect[] = { 0x11223344, 0x11223344, 0x3344, 0x11 };
    g_autoptr(RvDev) d = ppc_device();
    unsigned polls = 0;

    if (!d) {
        return;
    }
    wr_gui_scratch_reg2(d, 0xffffffff);
    rv_vram_wr32(d, 8, 0xffffffff);
    rv_cpu_wr(d->vm, REGISTERS, d->mmio + A_GUI_SCRATCH_REG0, 4);
    rv_cpu_wr(d->vm, VRAM, d->vram, 4);
    rv_cpu_wr(d->vm, GO, 1, 4);
    while (rv_cpu_rd(d->vm, DONE, 4) != 1) {
        g_assert_cmpuint(++polls, <, 100000);
    }
    /* What the card has: the bytes in the order of a little-endian bus. */
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x44332211);
    rv_assert_hex(rd_gui_scratch_reg1(d), 0x11223344);
    rv_assert_hex(rd_gui_scratch_reg2(d), 0x44ff4433);
    rv_assert_hex(rv_vram_rd32(d, 0), 0x44332211);
    rv_assert_hex(rv_vram_rd32(d, 4), 0x11223344);
    rv_assert_hex(rv_vram_rd32(d, 8), 0x44ff4433);
    /* What the CPU read back, from both apertures. */
    for (unsigned i = 0; i < 8; i++) {
        rv_assert_hex(rv_cpu_rd(d->vm, RESULTS + 4 * i, 4), expect[i % 4]);
    }
}

static void test_apertures(void)
{
    g_autoptr(RvDev) d = ppc_device();

    if (!d) {
        return;
    }
    rv_cpu_wr(d->vm, d->mmio + A_GUI_SCRATCH_REG0, 0x01020304, 4);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x04030201);
    rv_assert_hex(rv_cpu_rd(d->vm, d->mmio + A_GUI_SCRATCH_REG0, 4),
                  0x01020304);
    rv_assert_hex(rv_cpu_rd(d->vm, d->mmio + A_GUI_SCRATCH_REG0 + 1, 1), 2);
    rv_cpu_wr(d->vm, d->vram + 0x100000, 0x0a0b0c0d, 4);
    rv_assert_hex(rv_vram_rd32(d, 0x100000), 0x0d0c0b0a);
    rv_assert_hex(rv_cpu_rd(d->vm, d->vram + 0x100002, 2), 0x0c0d);
    /* I/O, and VRAM through MM_INDEX: the same bytes */
    rv_io_wr(d, A_MM_INDEX, 0x80100000, 4);
    rv_assert_hex(rv_io_rd(d, A_MM_DATA, 4), 0x0d0c0b0a);
    rv_io_wr(d, A_BIOS_0_SCRATCH, 0x55667788, 4);
    rv_assert_hex(rd_bios_0_scratch(d), 0x55667788);
}

/* Ring, GART table and write-backs are little-endian in memory ... */
static void test_ring(void)
{
    g_autoptr(RvDev) d = ppc_device();
    g_autoptr(RvRing) r = NULL;

    if (!d) {
        return;
    }
    rv_load_free_image(d);
    r = rv_ring_new(d, 8);
    wr_scratch_addr(d, 0x00e00000);
    wr_scratch_umsk(d, 1);
    rv_packet0(&r->out, A_GUI_SCRATCH_REG0, 0x13579bdf);
    rv_ring_run(r);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x13579bdf);
    rv_assert_hex(rv_mem_rd(d->vm, r->rptr_bus, 4), r->wptr);
    rv_assert_hex(rv_mem_rd(d->vm, 0x00e00000, 4), 0x13579bdf);
}

/* ... or, with BUF_SWAP, the ring is in the order of the CPU. */
static void test_ring_swapped(void)
{
    g_autoptr(RvDev) d = ppc_device();
    g_autoptr(RvRing) r = NULL;

    if (!d) {
        return;
    }
    rv_load_free_image(d);
    r = rv_ring_new(d, 8);
    wr_cp_rb_cntl(d, rd_cp_rb_cntl(d) | 2u << R_CP_RB_CNTL_BUF_SWAP_SHIFT);
    rv_cpu_wr(d->vm, rv_gart_bus(&r->gart, r->base),
              pm4_type0(A_GUI_SCRATCH_REG0, 1, false), 4);
    rv_cpu_wr(d->vm, rv_gart_bus(&r->gart, r->base + 4), 0x2468ace0, 4);
    wr_cp_rb_wptr(d, 2);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x2468ace0);
}

/* --- OpenBIOS runs docs/examples/openbios-rv100.fth --- */

static const uint32_t bar_colours[8] = {
    0x000000, 0xff0000, 0x00ff00, 0x0000ff, 0xffff00, 0xff8000, 0x8040ff, 0xffffff,
};

static RvVm *boot_script(const char *machine, const char *card)
{
    g_autofree char *path = g_build_filename(g_getenv("RV100_DOCS"), "examples",
                                             "openbios-rv100.fth", NULL);
    g_autofree char *script = NULL, *quoted = NULL, *args = NULL;
    g_autoptr(GError) err = NULL;

    if (!g_file_get_contents(path, &script, NULL, &err)) {
        rv_die("%s", err->message);
    }
    quoted = g_shell_quote(script);
    args = g_strdup_printf("-machine %s -m 128 -vga none -device radeon-rv100%s "
                           "-prom-env auto-boot?=false -prom-env use-nvramrc?=true "
                           "-prom-env nvramrc=%s", machine, card, quoted);
    return rv_vm_new(&(RvVmConfig) { .qemu = "RV100_QEMU_PPC", .serial = true,
                                     .bios = RV_BIOS_FIRMWARE, .args = args });
}

/* Eight bars, below them the eight colours in the order of the CPU's bytes. */
static void check_bars(const RvPicture *p)
{
    g_assert_cmpuint(p->width, ==, 640);
    g_assert_cmpuint(p->height, ==, 480);
    for (unsigned i = 0; i < 640 * 480; i++) {
        unsigned x = i % 640, bar = i / 640 < 460 ? x / 80 : x % 8;

        if (p->pixels[i] != bar_colours[bar]) {
            rv_die("pixel %u,%u is %06x, not %06x", x, i / 640, p->pixels[i],
                   bar_colours[bar]);
        }
    }
}

static void openbios(const char *machine, const char *card)
{
    g_autoptr(RvVm) vm = boot_script(machine, card);
    g_autoptr(RvPicture) p = NULL;
    bool edid = false, done = false;

    while (vm && !done) {
        g_autofree char *line = rv_serial_line(vm);

        if (!line) {
            rv_die("OpenBIOS ended");
        }
        g_test_message("%s", line);
        edid |= strstr(line, "EDID 00 ff ff ff ff ff ff 00") != NULL;
        done = strstr(line, "PICTURE") != NULL;
        if (strstr(line, "of_startup returned")) {
            rv_die("the script failed");
        }
    }
    if (vm) {
        g_assert_true(edid);
        p = rv_screendump(vm, NULL);
        check_bars(p);
    }
}

static void test_openbios_mac99(void)
{
    openbios("mac99", ",addr=2");
}

static void test_openbios_mac99_small_aperture(void)
{
    openbios("mac99", ",x-linear-aper-size=64M");
}

static void test_openbios_g3beige(void)
{
    openbios("g3beige", "");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ppc/cpu", test_cpu);
    g_test_add_func("/ppc/apertures", test_apertures);
    g_test_add_func("/ppc/ring", test_ring);
    g_test_add_func("/ppc/ring-swapped", test_ring_swapped);
    g_test_add_func("/ppc/openbios-mac99", test_openbios_mac99);
    g_test_add_func("/ppc/openbios-mac99-small-aperture", test_openbios_mac99_small_aperture);
    g_test_add_func("/ppc/openbios-g3beige", test_openbios_g3beige);
    return g_test_run();
}
