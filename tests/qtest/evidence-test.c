/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hardware-observed micro-programs on the device: words by PIO, and from a
 * ring behind the GART.
 */
#include "reference.h"
#include "rv.h"

#define MODE_PIO 1

static RvDev *dev;              /* one VM for all programs, reset for each */

static bool fresh(void)
{
    if (dev) {
        rv_vm_reset(dev->vm);
        rv_dev_map(dev);
    } else {
        dev = rv_dev_new("");
    }
    return dev != NULL;
}

static void check_end(const RefProgram *p)
{
    rv_assert_hex(rd_rbbm_status(dev), p->wedged ? 0x80010140 : 0x140);
    for (guint i = 0; i < p->n_expect; i++) {
        const RefExpect *e = &p->expect[i];
        uint32_t got;

        if (e->me_high) {
            wr_cp_me_ram_raddr(dev, e->at);
            got = rd_cp_me_ram_datah(dev);
        } else {
            got = rv_rd32(dev, 4 * e->at);
        }
        if (got != e->value) {
            g_test_fail_printf("%s: %s is %08x, on hardware %08x", p->name,
                               e->name, got, e->value);
        }
    }
}

static void by_pio(gconstpointer data)
{
    const RefProgram *p = data;

    if (!fresh()) {
        return;
    }
    rv_load_words(dev, p->image.hi, p->image.lo);
    rv_cp_mode(dev, MODE_PIO);
    for (guint i = 0; i < p->n_submits; i++) {
        rv_pio(dev, p->submits[i].words, p->submits[i].n);
    }
    check_end(p);
}

static void by_ring(gconstpointer data)
{
    const RefProgram *p = data;
    g_autoptr(RvRing) r = NULL;

    if (!fresh()) {
        return;
    }
    r = rv_ring_new(dev, 8);
    rv_load_words(dev, p->image.hi, p->image.lo);
    for (guint i = 0; i < p->n_submits; i++) {
        rv_words(&r->out, p->submits[i].words, p->submits[i].n);
        rv_ring_kick(r);
        rv_settle(dev);
    }
    check_end(p);
}

static void test_absent(void)
{
    ref_need(NULL, "reference/evidence.json");
}

int main(int argc, char **argv)
{
    const GPtrArray *programs;
    int result;

    g_test_init(&argc, &argv, NULL);
    programs = ref_programs();
    for (guint i = 0; programs && i < programs->len; i++) {
        const RefProgram *p = programs->pdata[i];
        g_autofree char *pio = g_strdup_printf("/evidence/pio/%s", p->name);
        g_autofree char *ring = g_strdup_printf("/evidence/ring/%s", p->name);

        g_test_add_data_func(pio, p, by_pio);
        g_test_add_data_func(ring, p, by_ring);
    }
    if (!programs) {
        g_test_add_func("/evidence/absent", test_absent);
    }
    result = g_test_run();
    rv_dev_free(dev);
    return result;
}
