/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Microcode that never ends: the chip is busy as hardware is, QEMU and the
 * guest go on, a soft reset brings the engine back.
 */
#include "reference.h"
#include "rv.h"
#include "rv100-me-isa.h"

#define MODE_PIO 1

static RvDev *counting_device(void)
{
    RvVmConfig config = { .bios = RV_BIOS_COUNT, .args =
        "-machine pc -m 64 -vga none -device radeon-rv100" };
    RvVm *vm = rv_vm_new(&config);

    return vm ? rv_dev_probe(vm, 0) : NULL;
}

static uint32_t counter(RvDev *d)
{
    return rv_mem_rd(d->vm, RV_COUNTER, 4);
}

/* The guest's CPU gets on while the engine is busy. */
static void check_guest_goes_on(RvDev *d)
{
    uint32_t before = counter(d);

    for (unsigned tries = 0; counter(d) - before < 1000; tries++) {
        g_assert_cmpuint(tries, <, 10000);
        g_usleep(1000);
    }
}

static void check_monitor(RvDev *d)
{
    g_autofree char *status = rv_hmp(d->vm, "info status");

    g_assert_true(g_str_has_prefix(status, "VM status: running"));
}

static void check_recovers(RvDev *d)
{
    rv_cp_reset(d);
    rv_assert_hex(rd_rbbm_status(d), 0x140);
    rv_load_free_image(d);
    rv_pio(d, (const uint32_t[]) { pm4_type0(A_GUI_SCRATCH_REG4, 1, false),
                                   0x60d60d }, 2);
    rv_assert_hex(rd_gui_scratch_reg4(d), 0x60d60d);
    rv_assert_hex(rd_rbbm_status(d), 0x140);
}

static void check_busy(RvDev *d)
{
    rv_settle(d);
    rv_assert_hex(rd_rbbm_status(d), 0x80010140);
    check_monitor(d);
    check_guest_goes_on(d);
    rv_assert_hex(rd_rbbm_status(d), 0x80010140);
}

/* Every wedging program that was seen on hardware. */
static void test_evidence(void)
{
    const GPtrArray *all = ref_programs();
    g_autoptr(RvDev) d = NULL;
    unsigned n = 0;

    if (!ref_need(all, "reference/evidence.json") ||
        !(d = counting_device())) {
        return;
    }
    for (guint i = 0; i < all->len; i++) {
        const RefProgram *p = all->pdata[i];

        if (p->wedged) {
            rv_load_words(d, p->image.hi, p->image.lo);
            rv_cp_mode(d, MODE_PIO);
            for (guint k = 0; k < p->n_submits; k++) {
                rv_pio(d, p->submits[k].words, p->submits[k].n);
            }
            check_busy(d);
            check_recovers(d);
            n++;
        }
    }
    g_assert_cmpuint(n, >=, 5);
}

/* All 256 words jump to themselves. */
static void test_self_jump(void)
{
    g_autoptr(RvDev) d = counting_device();

    if (!d) {
        return;
    }
    for (unsigned i = 0; i < 256; i++) {
        rv_load_word(d, i, ME_SEQ_JMP << (ME_WORD_SEQ_SHIFT - 32), i);
    }
    rv_pio(d, (const uint32_t[]) { pm4_type0(A_GUI_SCRATCH_REG0, 1, false) }, 1);
    check_busy(d);
    /* words for a busy engine wait, too many are dropped; nobody blocks */
    for (unsigned i = 0; i < 1000; i++) {
        wr_cp_csq_aper_primary(d, i);
    }
    check_busy(d);
    check_recovers(d);
}

/* The same from a ring: system_reset instead of the soft reset. */
static void test_system_reset(void)
{
    g_autoptr(RvDev) d = counting_device();
    g_autoptr(RvRing) r = NULL;

    if (!d) {
        return;
    }
    r = rv_ring_new(d, 8);
    for (unsigned i = 0; i < 256; i++) {
        rv_load_word(d, i, ME_SEQ_JMP << (ME_WORD_SEQ_SHIFT - 32), i);
    }
    rv_packet0(&r->out, A_GUI_SCRATCH_REG0, 1);
    rv_ring_kick(r);
    check_busy(d);
    rv_vm_reset(d->vm);
    rv_dev_map(d);
    rv_assert_hex(rd_rbbm_status(d), 0x140);
    check_recovers(d);
}

/* The engine can be stopped and its microcode changed under it: it leaves. */
static void test_repaired_while_running(void)
{
    g_autoptr(RvDev) d = counting_device();

    if (!d) {
        return;
    }
    rv_load_free_image(d);
    rv_load_word(d, 0, ME_SEQ_JMP << (ME_WORD_SEQ_SHIFT - 32), 0);
    rv_pio(d, (const uint32_t[]) { pm4_type0(A_GUI_SCRATCH_REG0, 1, false),
                                   0x7e57 }, 2);
    check_busy(d);
    rv_assert_hex(rd_gui_scratch_reg0(d), 0);
    rv_load_free_image(d);
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg0(d), 0x7e57);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/endless/evidence", test_evidence);
    g_test_add_func("/endless/self-jump", test_self_jump);
    g_test_add_func("/endless/system-reset", test_system_reset);
    g_test_add_func("/endless/repaired-while-running",
                    test_repaired_while_running);
    return g_test_run();
}
