/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The device around the chip: legacy VGA ranges, who owns the screen, DMA rules,
 * properties for scripts, migration.
 */
#include <string.h>

#include "rv.h"

#define MIB 0x100000u
#define VGA_MEM 0xb8000
#define SEQ_INDEX 0x3c4
#define SEQ_DATA 0x3c5
#define GFX_INDEX 0x3ce
#define GFX_DATA 0x3cf

/* QEMU's machine with cards of the given properties, gpu0 and gpu1. */
#define TWO_CARDS(first, second) "-machine pc -m 64 -vga none " \
    "-device radeon-rv100,id=gpu0,vgamem_mb=16" first \
    " -device radeon-rv100,id=gpu1,vgamem_mb=16" second

static RvVm *new_vm(const char *args)
{
    RvVmConfig config = { .args = args };

    return rv_vm_new(&config);
}

/* --- accesses --- */

/* Every size at every alignment sees the bytes of two neighbouring registers,
 * through both apertures. */
static void test_access_sizes(RvDev *d)
{
    uint8_t bytes[8] = { 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01 };

    rv_wr64(d, A_BIOS_0_SCRATCH, 0x0123456789abcdef);
    for (unsigned size = 1; size <= 8; size *= 2) {
        for (unsigned at = 0; at + size <= 8; at++) {
            uint64_t want = 0;

            for (unsigned i = 0; i < size; i++) {
                want |= (uint64_t)bytes[at + i] << 8 * i;
            }
            rv_assert_hex(rv_mem_rd(d->vm, d->mmio + A_BIOS_0_SCRATCH + at, size), want);
            if (size <= 4) {
                rv_assert_hex(rv_io_rd(d, A_BIOS_0_SCRATCH + at, size), want);
            }
        }
    }
    for (unsigned size = 1; size <= 8; size *= 2) {
        for (unsigned at = 0; at + size <= 8; at++) {
            rv_wr64(d, A_BIOS_0_SCRATCH, 0);
            rv_mem_wr(d->vm, d->mmio + A_BIOS_0_SCRATCH + at, ~0ull, size);
            rv_assert_hex(rv_rd64(d, A_BIOS_0_SCRATCH),
                          (size == 8 ? ~0ull : (1ull << 8 * size) - 1) << 8 * at);
        }
    }
}

/* BAR2 behind the registers is empty; so is the last byte of both apertures for
 * accesses that reach over it. */
static void test_empty_space(RvDev *d)
{
    for (uint32_t at = 0x4000; at < 0x10000; at += 0x1ffc) {
        rv_wr32(d, at, 0xffffffff);
        rv_assert_hex(rv_rd32(d, at), 0);
        rv_assert_hex(rv_rd64(d, at & ~7u), 0);
    }
    rv_assert_hex(rv_mem_rd(d->vm, d->mmio + 0x3ffd, 8) >> 24, 0);
    rv_assert_hex(rv_vram_rd32(d, 64 * MIB - 2) >> 16, 0);
}

/* --- legacy VGA --- */

/* Plane 0 of VGA memory at b8000, one byte an address. */
static void open_vga_window(RvVm *vm)
{
    static const uint8_t seq[][2] = { { 2, 1 }, { 4, 6 } };
    static const uint8_t gfx[][2] = { { 1, 0 }, { 3, 0 }, { 4, 0 }, { 5, 0 }, { 6, 0xc },
                                      { 8, 0xff } };

    for (unsigned i = 0; i < G_N_ELEMENTS(seq); i++) {
        rv_outb(vm, SEQ_INDEX, seq[i][0]);
        rv_outb(vm, SEQ_DATA, seq[i][1]);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(gfx); i++) {
        rv_outb(vm, GFX_INDEX, gfx[i][0]);
        rv_outb(vm, GFX_DATA, gfx[i][1]);
    }
}

static bool vga_port_answers(RvVm *vm)
{
    rv_outb(vm, SEQ_INDEX, 2);
    return rv_inb(vm, SEQ_INDEX) == 2;
}

/* The arbiter's bits of CONFIG_CNTL close and open the ranges. */
static void test_legacy_off(RvDev *d)
{
    open_vga_window(d->vm);
    rv_mem_wr(d->vm, VGA_MEM, 0x5a, 1);
    rv_assert_hex(rv_mem_rd(d->vm, VGA_MEM, 1), 0x5a);
    g_assert_true(vga_port_answers(d->vm));

    wr_config_cntl(d, R_CONFIG_CNTL_CFG_VGA_IO_DIS_MASK);
    rv_mem_wr(d->vm, VGA_MEM, 0xa5, 1);
    rv_assert_hex(rv_vram_rd32(d, 0) & 0xff, 0x5a);
    g_assert_false(vga_port_answers(d->vm));

    wr_config_cntl(d, R_CONFIG_CNTL_CFG_VGA_RAM_EN_MASK);
    rv_assert_hex(rv_mem_rd(d->vm, VGA_MEM, 1), 0x5a);
    g_assert_true(vga_port_answers(d->vm));

    /* both: the window without the ports */
    wr_config_cntl(d, R_CONFIG_CNTL_CFG_VGA_IO_DIS_MASK | R_CONFIG_CNTL_CFG_VGA_RAM_EN_MASK);
    rv_assert_hex(rv_mem_rd(d->vm, VGA_MEM, 1), 0x5a);
    g_assert_false(vga_port_answers(d->vm));

    /* A reset opens them. */
    wr_config_cntl(d, R_CONFIG_CNTL_CFG_VGA_IO_DIS_MASK);
    rv_vm_reset(d->vm);
    g_assert_true(vga_port_answers(d->vm));
}

static void check_owner(const char *args, unsigned owner)
{
    g_autoptr(RvVm) vm = new_vm(args);

    if (!vm) {
        return;
    }
    for (unsigned n = 0; n < 2; n++) {
        RvDev *d = rv_dev_probe(vm, n);

        open_vga_window(vm);
        rv_vram_wr32(d, 0, 0);
        rv_mem_wr(vm, VGA_MEM, 0x5a, 1);
        rv_assert_hex(rv_vram_rd32(d, 0), n == owner ? 0x5a : 0);
        rv_dev_unref(d);
    }
}

static void test_legacy_first_card(void)
{
    check_owner(TWO_CARDS("", ""), 0);
    check_owner(TWO_CARDS(",x-legacy-vga=off", ""), 1);
    check_owner(TWO_CARDS(",x-legacy-vga=on", ",x-legacy-vga=off"), 0);
}

/* --- screen --- */

static void check_screen(RvVm *vm, unsigned width, unsigned height)
{
    g_autoptr(RvPicture) p = rv_screendump(vm, NULL);

    g_assert_cmpuint(p->width, ==, width);
    g_assert_cmpuint(p->height, ==, height);
}

/* 800 x 600, shown when the card's own CRTC has the screen. */
static void extended_mode(RvDev *d)
{
    wr_crtc_h_total_disp(d, (800 / 8 - 1) << R_CRTC_H_TOTAL_DISP_CRTC_H_DISP_SHIFT);
    wr_crtc_v_total_disp(d, (600 - 1) << R_CRTC_V_TOTAL_DISP_CRTC_V_DISP_SHIFT);
    wr_crtc_gen_cntl(d, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK);
}

/* The VGA core has the screen while CRTC_EXT_DISP_EN is clear, and writes to no
 * surface of another size when it gets it back. */
static void test_screen_owner(void)
{
    g_autoptr(RvVm) vm = new_vm("-machine pc -m 64 -vga none -device radeon-rv100");
    RvDev *d;

    if (!vm) {
        return;
    }
    check_screen(vm, 640, 480);
    d = rv_dev_probe(vm, 0);
    for (unsigned i = 0; i < 3; i++) {
        extended_mode(d);
        check_screen(vm, 800, 600);
        wr_crtc_gen_cntl(d, 0);
        check_screen(vm, 640, 480);
    }
    extended_mode(d);
    check_screen(vm, 800, 600);
    rv_vm_reset(vm);
    check_screen(vm, 640, 480);
    rv_dev_unref(d);
}

/* --- DMA --- */

/* A scratch register's write-back is a DMA write of one dword. */
static void write_back(RvDev *d, uint32_t addr, uint32_t value)
{
    wr_scratch_umsk(d, 1);
    wr_scratch_addr(d, addr);
    wr_gui_scratch_reg0(d, value);
}

static void test_dma_targets(void)
{
    g_autoptr(RvVm) vm = new_vm(TWO_CARDS("", ""));
    RvDev *d, *other;

    if (!vm) {
        return;
    }
    d = rv_dev_probe(vm, 0);
    other = rv_dev_probe(vm, 1);
    /* The frame buffer of the card's own address space is out of the way. */
    wr_mc_fb_location(d, 0x0fff0fff);

    write_back(d, 0x00100000, 1);
    rv_assert_hex(rv_mem_rd(vm, 0x00100000, 4), 1);
    /* memory of another card */
    write_back(d, other->vram_bus + MIB, 2);
    rv_assert_hex(rv_vram_rd32(other, MIB), 2);
    /* registers of another card */
    write_back(d, other->mmio_bus + A_BIOS_0_SCRATCH, 3);
    rv_assert_hex(rd_bios_0_scratch(other), 0);
    /* the card's own apertures, also where only the end reaches into one */
    write_back(d, d->mmio_bus + A_BIOS_0_SCRATCH, 4);
    rv_assert_hex(rd_bios_0_scratch(d), 0);
    write_back(d, d->vram_bus + MIB, 5);
    rv_assert_hex(rv_vram_rd32(d, MIB), 0);
    write_back(d, d->vram_bus - 2, 0x00060006);
    rv_assert_hex(rv_vram_rd32(d, 0), 0);
    /* unmapped, it is an address like others */
    rv_cfg_wr(d, 0x04, 0x4, 2);
    rv_cfg_wr(d, 0x04, 0x7, 2);
    write_back(d, 0x00100000, 7);
    rv_assert_hex(rv_mem_rd(vm, 0x00100000, 4), 7);
    /* no bus master */
    rv_cfg_wr(d, 0x04, 0x3, 2);
    write_back(d, 0x00100000, 8);
    rv_assert_hex(rv_mem_rd(vm, 0x00100000, 4), 7);
    rv_dev_unref(d);
    rv_dev_unref(other);
}

/* --- properties for scripts --- */

static uint64_t get_number(RvVm *vm, const char *name)
{
    g_autofree char *args =
        g_strdup_printf("{\"path\": \"gpu0\", \"property\": \"%s\"}", name);
    g_autofree char *reply = rv_qmp(vm, "qom-get", args);
    const char *value = strstr(reply, "\"return\": ");

    g_assert_nonnull(value);
    return g_ascii_strtoull(value + strlen("\"return\": "), NULL, 10);
}

static void assert_phase(RvVm *vm, const char *phase)
{
    g_autofree char *reply =
        rv_qmp(vm, "qom-get", "{\"path\": \"gpu0\", \"property\": \"cp-phase\"}");

    if (!strstr(reply, phase)) {
        g_test_fail_printf("cp-phase is not %s: %s", phase, reply);
    }
}

static uint64_t sum_of_coverage(RvVm *vm)
{
    g_autofree char *reply =
        rv_qmp(vm, "qom-get", "{\"path\": \"gpu0\", \"property\": \"cp-coverage\"}");
    const char *list = strchr(reply, '[');
    g_auto(GStrv) counts = NULL;
    uint64_t sum = 0;

    g_assert_nonnull(list);
    counts = g_strsplit(list + 1, ",", -1);
    g_assert_cmpuint(g_strv_length(counts), ==, 256);
    for (char **c = counts; *c; c++) {
        sum += g_ascii_strtoull(g_strstrip(*c), NULL, 10);
    }
    return sum;
}

static void test_qom(RvDev *d)
{
    uint32_t packet[] = { pm4_type0(A_GUI_SCRATCH_REG0, 2, false), 0x1111, 0x2222 };
    uint64_t steps;

    rv_load_free_image(d);
    g_assert_cmpuint(get_number(d->vm, "cp-steps"), ==, 0);
    assert_phase(d->vm, "idle");
    rv_cp_mode(d, 1);
    rv_pio(d, packet, 2);
    assert_phase(d->vm, "packet");
    rv_pio(d, packet + 2, 1);
    assert_phase(d->vm, "idle");
    g_assert_cmpuint(get_number(d->vm, "scratch0"), ==, 0x1111);
    g_assert_cmpuint(get_number(d->vm, "scratch1"), ==, 0x2222);
    steps = get_number(d->vm, "cp-steps");
    g_assert_cmpuint(steps, >=, 2);
    g_assert_cmpuint(sum_of_coverage(d->vm), ==, steps);
    g_assert_cmpuint(get_number(d->vm, "cp-pc"), <, 256);
}

/* --- migration --- */

#define CARD "-machine pc -m 64 -vga none -device radeon-rv100,id=gpu0,vgamem_mb=8"

/* The state of a VM in a file of this process; complete once it has its name. */
static char *save_state(RvVm *vm)
{
    const char *dir = rv_vm_inner_dir(vm);
    g_autofree char *args = g_strdup_printf(
        "{\"uri\": \"exec:cat >%s/part && mv %s/part %s/state\"}", dir, dir, dir);
    g_autofree char *reply = rv_qmp(vm, "migrate", args);
    char *path = g_build_filename(rv_vm_dir(vm), "state", NULL);

    while (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_autofree char *status = rv_qmp(vm, "query-migrate", NULL);

        g_assert_null(strstr(status, "\"failed\""));
        g_usleep(10000);
    }
    return path;
}

static RvVmConfig incoming(const char *const *files)
{
    return (RvVmConfig) { .files = files, .args = CARD " -incoming 'exec:cat %D/state'" };
}

/* In the middle of a packet, with the VGA ranges closed and the screen in an
 * extended mode. */
static void test_migration(void)
{
    g_autoptr(RvVm) from = new_vm(CARD), to = NULL;
    g_autofree char *state = NULL;
    const char *files[2] = { NULL };
    RvVmConfig config;
    uint32_t packet[] = { pm4_type0(A_GUI_SCRATCH_REG0, 2, false), 0x1111, 0x2222 };
    RvDev *d;

    if (!from) {
        return;
    }
    d = rv_dev_probe(from, 0);
    rv_load_free_image(d);
    rv_cp_mode(d, 1);
    rv_pio(d, packet, 2);
    rv_vram_wr32(d, MIB, 0xcafe);
    wr_config_cntl(d, R_CONFIG_CNTL_CFG_VGA_IO_DIS_MASK);
    extended_mode(d);
    files[0] = state = save_state(from);

    config = incoming(files);
    to = rv_vm_new(&config);
    rv_qmp_wait_event(to, "RESUME");
    d->vm = to;
    rv_assert_hex(rv_vram_rd32(d, MIB), 0xcafe);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x1111);
    rv_assert_hex(rd_config_aper_0_base(d), d->vram_bus);
    g_assert_false(vga_port_answers(to));
    check_screen(to, 800, 600);
    assert_phase(to, "packet");
    rv_pio(d, packet + 2, 1);
    rv_assert_hex(rd_gui_scratch_reg1(d), 0x2222);
    assert_phase(to, "idle");
    rv_dev_unref(d);
}

/* A stream with an impossible state of the chip is refused with a line. */
static void test_hostile_migration(void)
{
    g_autoptr(RvVm) from = new_vm(CARD);
    g_autofree char *state = NULL, *data = NULL, *err = NULL;
    const char *files[2] = { NULL };
    RvVmConfig config;
    gsize len, name = 0, end;

    if (!from) {
        return;
    }
    files[0] = state = save_state(from);
    g_assert_true(g_file_get_contents(state, &data, &len, NULL));
    /* The section of the device: \4, number (4 bytes), length of the name, the
     * name "0000:00:02.0/radeon-rv100", members, 0x7e, number. */
    for (gsize i = 18; i + 13 < len; i++) {
        if (!memcmp(data + i, "/radeon-rv100", 13) && data[i - 18] == 4 &&
            data[i - 13] == 25) {
            name = i;
            break;
        }
    }
    g_assert_cmpuint(name, >, 0);
    for (end = name; end + 5 < len; end++) {
        if (data[end] == 0x7e && !memcmp(data + end + 1, data + name - 17, 4)) {
            break;
        }
    }
    g_assert_cmpuint(end - name, >, 16384);
    memset(data + end - 4096, 0xff, 4096);
    g_assert_true(g_file_set_contents(state, data, len, NULL));

    config = incoming(files);
    g_assert_cmpint(rv_vm_run(&config, NULL, &err), ==, 1);
    if (!strstr(err, "radeon-rv100: the state of the chip is impossible: ")) {
        g_test_fail_printf("no reason in: %s", err);
    }
}

/* --- reset --- */

/* A reset finds the engine anywhere: idle, inside a packet, in an endless loop. */
static void test_resets(RvDev *d)
{
    for (unsigned i = 0; i < 30; i++) {
        rv_load_free_image(d);
        rv_cp_mode(d, 1);
        rv_wr32(d, A_CP_CSQ_APER_PRIMARY, pm4_type0(A_GUI_SCRATCH_REG0, 1 + i % 3, false));
        if (i % 2) {
            rv_wr32(d, A_CP_CSQ_APER_PRIMARY, i);
            rd_rbbm_status(d);
        }
        rv_vm_reset(d->vm);
        rv_dev_map(d);
        rv_assert_hex(rd_rbbm_status(d), 0x140);
        rv_assert_hex(rd_gui_scratch_reg0(d), 0);
        rv_assert_hex(rd_cp_csq_cntl(d) & R_CP_CSQ_CNTL_CSQ_MODE_MASK, 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/device/access-sizes", test_access_sizes);
    rv_test_add("/device/empty-space", test_empty_space);
    rv_test_add("/device/legacy/off", test_legacy_off);
    g_test_add_func("/device/legacy/first-card", test_legacy_first_card);
    g_test_add_func("/device/screen-owner", test_screen_owner);
    g_test_add_func("/device/dma-targets", test_dma_targets);
    rv_test_add_with("/device/qom", ",id=gpu0", test_qom);
    g_test_add_func("/device/migration", test_migration);
    g_test_add_func("/device/hostile-migration", test_hostile_migration);
    rv_test_add("/device/resets", test_resets);
    return g_test_run();
}
