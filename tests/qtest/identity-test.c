/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the card shows of itself: PCI configuration, apertures, properties. */
#include <string.h>

#include "rv.h"

#define MIB 0x100000u

enum {
    PCI_COMMAND = 0x04, PCI_STATUS = 0x06, PCI_CLASS = 0x0a,
    PCI_HEADER = 0x0e, PCI_BAR0 = 0x10, PCI_SUBSYSTEM = 0x2c, PCI_CAPS = 0x34,
    PCI_PIN = 0x3d,
};
enum { CAP_PM = 0x01, CAP_AGP = 0x02, CAP_MSI = 0x05, CAP_PCIE = 0x10 };

static void test_ids(RvDev *d)
{
    rv_assert_hex(rv_cfg_rd(d, 0, 4), 0x51591002);
    rv_assert_hex(rv_cfg_rd(d, PCI_CLASS, 2), 0x0300);
    rv_assert_hex(rv_cfg_rd(d, PCI_HEADER, 1) & 0x80, 0);
    rv_assert_hex(rv_cfg_rd(d, PCI_PIN, 1), 1);
    rv_assert_hex(rv_cfg_rd(d, PCI_SUBSYSTEM, 2), RV_VENDOR);
}

/* The driver takes the PCI path of its GART only without AGP and PCIe. */
static void test_capabilities(RvDev *d)
{
    bool seen[256] = { false };
    unsigned at = rv_cfg_rd(d, PCI_CAPS, 1), n = 0;

    g_assert_true(rv_cfg_rd(d, PCI_STATUS, 2) & 0x10);
    while (at && n++ < 48) {
        seen[rv_cfg_rd(d, at, 1)] = true;
        at = rv_cfg_rd(d, at + 1, 1);
    }
    g_assert_true(seen[CAP_PM]);
    g_assert_false(seen[CAP_AGP]);
    g_assert_false(seen[CAP_MSI]);
    g_assert_false(seen[CAP_PCIE]);
}

/* user report 3: BAR0 after writing ~0 reads f8000008 */
static void test_bar_sizes(RvDev *d)
{
    static const uint32_t size[] = { 0xf8000008, 0xffffff01, 0xffff0000 };

    for (unsigned i = 0; i < 6; i++) {
        rv_cfg_wr(d, PCI_BAR0 + 4 * i, 0xffffffff, 4);
        rv_assert_hex(rv_cfg_rd(d, PCI_BAR0 + 4 * i, 4), i < 3 ? size[i] : 0);
    }
}

/* user report 24: a machine with little room for PCI */
static void test_small_aperture(RvDev *d)
{
    rv_cfg_wr(d, PCI_BAR0, 0xffffffff, 4);
    rv_assert_hex(rv_cfg_rd(d, PCI_BAR0, 4), 0xfc000008);
    rv_dev_map(d);
    rv_assert_hex(rd_config_memsize(d), 32 * MIB);
    rv_assert_hex(rd_config_aper_size(d), 64 * MIB);
    rv_vram_wr32(d, 32 * MIB - 4, 0x89abcdef);
    rv_assert_hex(rv_vram_rd32(d, 32 * MIB - 4), 0x89abcdef);
    rv_vram_wr32(d, 64 * MIB - 4, 0xffffffff);
    rv_assert_hex(rv_vram_rd32(d, 64 * MIB - 4), 0);
}

static void check_vram(RvDev *d, unsigned mb)
{
    uint32_t size = mb * MIB;

    rv_assert_hex(rd_config_memsize(d), size);
    rv_assert_hex(rd_config_aper_size(d), 64 * MIB);
    rv_assert_hex(rd_host_path_cntl(d) & R_HOST_PATH_CNTL_HDP_APER_CNTL_MASK,
                  mb == 128 ? R_HOST_PATH_CNTL_HDP_APER_CNTL_MASK : 0);
    rv_vram_wr32(d, 0, 0x01234567);
    rv_vram_wr32(d, size - 4, 0x89abcdef);
    rv_assert_hex(rv_vram_rd32(d, 0), 0x01234567);
    rv_assert_hex(rv_vram_rd32(d, size - 4), 0x89abcdef);
    if (mb < 128) {
        /* behind VRAM: reads give 0, writes vanish, nothing wraps */
        rv_vram_wr32(d, size, 0xffffffff);
        rv_assert_hex(rv_vram_rd32(d, size), 0);
        rv_vram_wr32(d, 128 * MIB - 4, 0xffffffff);
        rv_assert_hex(rv_vram_rd32(d, 128 * MIB - 4), 0);
        rv_assert_hex(rv_vram_rd32(d, 0), 0x01234567);
        rv_assert_hex(rv_vram_rd32(d, size - 4), 0x89abcdef);
    }
}

static void test_vram_default(RvDev *d)
{
    check_vram(d, 64);
}

static void test_vram_8(RvDev *d)
{
    check_vram(d, 8);
}

static void test_vram_16(RvDev *d)
{
    check_vram(d, 16);
}

static void test_vram_32(RvDev *d)
{
    check_vram(d, 32);
}

static void test_vram_128(RvDev *d)
{
    check_vram(d, 128);
}

/* The card's own view of its BARs follows the configuration. */
static void test_bar_registers(RvDev *d)
{
    rv_assert_hex(rd_config_aper_0_base(d), d->vram_bus);
    d->vram_bus += 0x08000000;
    d->vram = d->vram_bus;
    rv_dev_map(d);
    rv_assert_hex(rd_config_aper_0_base(d), d->vram_bus);
}

/* Values of properties that are refused: one line, exit status 1. */
static void test_bad_properties(void)
{
    static const char *const bad[] = {
        "vgamem_mb=0", "vgamem_mb=7", "vgamem_mb=48", "vgamem_mb=256",
        "model=rage128p", "heads=0", "heads=3", "monitor=tv",
        "x-cp-fetch-words=0", "x-cp-fetch-words=257", "x-cp-slice-steps=1000001",
        "x-linear-aper-size=0", "x-linear-aper-size=96M", "x-linear-aper-size=256M",
        "x-linear-aper-size=64M,vgamem_mb=128",
    };
    const char *why = rv_vm_unavailable();

    if (why) {
        g_test_skip(why);
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *args = g_strdup_printf(
            "-machine pc -vga none -device radeon-rv100,%s", bad[i]);
        RvVmConfig config = { .args = args };
        g_autofree char *err = NULL, *name = NULL;

        name = g_strndup(bad[i], strcspn(bad[i], "="));
        g_assert_cmpint(rv_vm_run(&config, NULL, &err), ==, 1);
        g_strchomp(err);
        if (strchr(err, '\n') || !strstr(err, name)) {
            g_test_fail_printf("%s: %s", bad[i], err);
        }
    }
}

/* What `-device radeon-rv100,help` lists, asked of a running QEMU. */
static void test_property_list(RvDev *d)
{
    static const char *const names[] = {
        "vgamem_mb", "model", "romfile", "edid", "xres", "yres", "xmax",
        "ymax", "heads", "monitor", "guest_hwcursor", "debug", "x-capture",
        "x-cp-slice-steps", "x-cp-fetch-words", "x-linear-aper-size",
        "x-legacy-vga",
    };
    g_autofree char *list = rv_qmp(d->vm, "device-list-properties",
                                   "{\"typename\": \"radeon-rv100\"}");

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *name = g_strdup_printf("\"name\": \"%s\"", names[i]);

        if (!strstr(list, name)) {
            g_test_fail_printf("no property %s", names[i]);
        }
    }
}

/* Two cards in one machine: each has its registers and its VRAM. */
static void test_two_devices(void)
{
    RvVmConfig config = { .args = "-machine pc -m 64 -vga none "
        "-device radeon-rv100,vgamem_mb=16 -device radeon-rv100,vgamem_mb=32" };
    g_autoptr(RvVm) vm = rv_vm_new(&config);
    RvDev *a, *b;

    if (!vm) {
        return;
    }
    a = rv_dev_probe(vm, 0);
    b = rv_dev_probe(vm, 1);
    rv_assert_hex(rd_config_memsize(a), 16 * MIB);
    rv_assert_hex(rd_config_memsize(b), 32 * MIB);
    wr_bios_0_scratch(a, 0xaaaaaaaa);
    wr_bios_0_scratch(b, 0xbbbbbbbb);
    rv_vram_wr32(a, MIB, 0x0a0a0a0a);
    rv_vram_wr32(b, MIB, 0x0b0b0b0b);
    rv_assert_hex(rd_bios_0_scratch(a), 0xaaaaaaaa);
    rv_assert_hex(rd_bios_0_scratch(b), 0xbbbbbbbb);
    rv_assert_hex(rv_vram_rd32(a, MIB), 0x0a0a0a0a);
    rv_assert_hex(rv_vram_rd32(b, MIB), 0x0b0b0b0b);
    /* Both engines run their own microcode. */
    rv_load_free_image(a);
    rv_load_free_image(b);
    rv_pio(a, (const uint32_t[]) { pm4_type0(A_GUI_SCRATCH_REG0, 1, false), 1 }, 2);
    rv_pio(b, (const uint32_t[]) { pm4_type0(A_GUI_SCRATCH_REG0, 1, false), 2 }, 2);
    rv_assert_hex(rd_gui_scratch_reg0(a), 1);
    rv_assert_hex(rd_gui_scratch_reg0(b), 2);
    rv_dev_unref(a);
    rv_dev_unref(b);
}

/* system_reset gives back the power-on state. */
static void test_reset(RvDev *d)
{
    uint32_t status = rd_rbbm_status(d);

    wr_gui_scratch_reg0(d, 0x12345678);
    wr_cp_rb_base(d, 0x00100000);
    rv_cp_mode(d, 1);
    /* a packet that has begun */
    wr_cp_csq_aper_primary(d, pm4_type0(A_GUI_SCRATCH_REG0, 2, false));
    rv_vm_reset(d->vm);
    rv_dev_map(d);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0);
    rv_assert_hex(rd_cp_rb_base(d), 0);
    rv_assert_hex(rd_cp_csq_cntl(d) & R_CP_CSQ_CNTL_CSQ_MODE_MASK, 0);
    rv_assert_hex(rd_rbbm_status(d), status);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/identity/ids", test_ids);
    rv_test_add("/identity/capabilities", test_capabilities);
    rv_test_add("/identity/bar-sizes", test_bar_sizes);
    rv_test_add("/identity/bar-registers", test_bar_registers);
    rv_test_add("/identity/vram/default", test_vram_default);
    rv_test_add_with("/identity/report-24/small-aperture",
                     ",vgamem_mb=32,x-linear-aper-size=64M", test_small_aperture);
    rv_test_add_with("/identity/vram/8", ",vgamem_mb=8", test_vram_8);
    rv_test_add_with("/identity/vram/16", ",vgamem_mb=16", test_vram_16);
    rv_test_add_with("/identity/vram/32", ",vgamem_mb=32", test_vram_32);
    rv_test_add_with("/identity/vram/128", ",vgamem_mb=128", test_vram_128);
    g_test_add_func("/identity/bad-properties", test_bad_properties);
    rv_test_add("/identity/property-list", test_property_list);
    g_test_add_func("/identity/two-devices", test_two_devices);
    rv_test_add("/identity/reset", test_reset);
    return g_test_run();
}
