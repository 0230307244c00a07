/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hardware-observed programs and the documented packets through the chip:
 * microcode loaded through registers, words by PIO and through a ring behind
 * the GART, and indirect buffers.
 */
#include <string.h>

#include "fake-host.h"
#include "relocate.h"
#include "rv100/reginfo.h"

#define WEDGE_SLICES 12
#define SLICE 1000
#define STATUS_IDLE 0x140u      /* [hw] */
#define CSQ_PIO 1
#define CSQ_RING 2
#define CSQ_PIO_IB 3
#define CSQ_RING_IB 4
#define FILLER 0x80000000u

static const uint32_t fetch_sizes[] = { 1, 2, 3, 5, 8, 256 };

/* --- evidence programs --- */

static void check_registers(FakeHost *h, const RefProgram *p)
{
    for (guint i = 0; i < p->n_expect; i++) {
        const RefExpect *e = &p->expect[i];
        uint32_t is = 0, lo;
        uint8_t hi;

        if (e->me_high) {
            fake_read_word(h, e->at, &hi, &lo);
            is = hi;
        } else {
            is = fake_rd(h, 4 * e->at);
        }
        if (is != e->value) {
            g_test_message("%s is %08x, hardware left %08x", e->name, is,
                           e->value);
            g_test_fail();
        }
    }
}

/* Busy and not to be had; a soft reset brings the engine back. */
static void check_wedged(FakeHost *h)
{
    uint32_t busy = R_RBBM_STATUS_CP_CMDSTRM_BUSY_MASK
                    | R_RBBM_STATUS_GUI_ACTIVE_MASK;

    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS) & busy, ==, busy);
    g_assert_true(fake_rd(h, A_CP_STAT) & R_CP_STAT_CMDSTRM_BUSY_MASK);
    g_assert_false(rv100_idle(h->chip));
    fake_soft_reset(h);
    g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, STATUS_IDLE);
    g_assert_true(fake_run(h, 2));
}

static void check_end(FakeHost *h, const RefProgram *p)
{
    bool quiet = fake_run(h, WEDGE_SLICES);

    check_registers(h, p);
    if (p->wedged) {
        g_assert_false(quiet);
        check_wedged(h);
    } else {
        g_assert_true(quiet);
        g_assert_true(rv100_idle(h->chip));
        g_assert_cmphex(fake_rd(h, A_RBBM_STATUS), ==, STATUS_IDLE);
    }
}

static void program_by_pio(const RefProgram *p)
{
    g_autoptr(FakeHost) h = fake_host_new(0, SLICE);

    fake_load(h, &p->image);
    fake_csq_mode(h, CSQ_PIO);
    for (guint i = 0; i < p->n_submits; i++) {
        fake_pio(h, p->submits[i].words, p->submits[i].n);
        fake_run(h, WEDGE_SLICES);
    }
    check_end(h, p);
}

static void test_pio(gconstpointer data)
{
    const RefProgram *p = data;

    program_by_pio(p);
    for (guint seed = 0; seed < 4; seed++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
        RefProgram *moved = program_relocate(p, rand);

        program_by_pio(moved);
        program_free(moved);
    }
}

/* In a ring of eight dwords, beginning at each of them. */
static void program_by_ring(const RefProgram *p, uint32_t fetch, guint start)
{
    g_autoptr(FakeHost) h = fake_host_new(fetch, SLICE);

    fake_load(h, &p->image);
    fake_ring_start(h, 2, CSQ_RING);
    for (guint i = 0; i < start; i++) {
        fake_ring(h, (const uint32_t[]) { FILLER }, 1);
    }
    g_assert_true(fake_run(h, WEDGE_SLICES));
    for (guint i = 0; i < p->n_submits; i++) {
        fake_ring(h, p->submits[i].words, p->submits[i].n);
        fake_run(h, WEDGE_SLICES);
    }
    check_end(h, p);
}

static void test_ring(gconstpointer data)
{
    const RefProgram *p = data;

    for (gsize i = 0; i < G_N_ELEMENTS(fetch_sizes); i++) {
        for (guint start = 0; start < 8; start++) {
            program_by_ring(p, fetch_sizes[i], start);
        }
    }
}

/* In an indirect buffer. The host starts it: under a program's microcode no
 * packet does. */
static void test_indirect(gconstpointer data)
{
    const RefProgram *p = data;
    const uint32_t at = 0x8000;

    for (gsize k = 0; k < G_N_ELEMENTS(fetch_sizes); k++) {
        g_autoptr(FakeHost) h = fake_host_new(fetch_sizes[k], SLICE);

        fake_load(h, &p->image);
        fake_ring_start(h, 4, CSQ_RING_IB);
        for (guint i = 0; i < p->n_submits; i++) {
            fake_gart_write(h, at, p->submits[i].words, p->submits[i].n);
            fake_wr(h, A_CP_IB_BASE, FAKE_GART + at);
            fake_wr(h, A_CP_IB_BUFSZ, p->submits[i].n);
            fake_run(h, WEDGE_SLICES);
        }
        check_end(h, p);
    }
}

/* --- packets --- */

static void check_writes(FakeHost *h, const RefPacket *p, guint skip)
{
    g_assert_cmpuint(h->writes->len, ==, p->n_writes + skip);
    for (guint i = 0; i < p->n_writes; i++) {
        RefWrite w = g_array_index(h->writes, RefWrite, i + skip);

        g_assert_cmphex(w.dword, ==, p->writes[i].dword);
        g_assert_cmphex(w.value, ==, p->writes[i].value);
    }
}

/* The microcode words that the packet leaves. */
static void check_me_writes(FakeHost *h, const RefPacket *p)
{
    for (guint i = 0; i < p->n_me_writes; i++) {
        const RefMeWord *m = &p->me_writes[i];
        bool last = true;
        uint8_t hi;
        uint32_t lo;

        for (guint k = i + 1; k < p->n_me_writes; k++) {
            last = last && p->me_writes[k].addr != m->addr;
        }
        if (last) {
            fake_read_word(h, m->addr, &hi, &lo);
            g_assert_cmphex(hi, ==, m->hi);
            g_assert_cmphex(lo, ==, m->lo);
        }
    }
}

static FakeHost *packet_host(const RefPacket *p, uint32_t fetch)
{
    FakeHost *h = fake_host_new(fetch, SLICE);

    fake_load(h, ref_image("R100_cp.bin"));
    for (guint i = 0; i < p->n_patch; i++) {
        fake_load_word(h, p->patch[i].addr, p->patch[i].hi, p->patch[i].lo);
    }
    return h;
}

static void check_packet_end(FakeHost *h, const RefPacket *p, guint skip)
{
    g_assert_true(fake_run(h, 1000));
    check_writes(h, p, skip);
    check_me_writes(h, p);
    g_assert_true(rv100_idle(h->chip) == !p->waiting);
}

/* The writes land in the register file: the last one of each register that
 * keeps its value as it is. The palette address counts on with each entry. */
static void check_stored(FakeHost *h, const RefPacket *p)
{
    for (guint i = 0; i < p->n_writes; i++) {
        const Rv100RegInfo *r = rv100_mmio_info(4 * p->writes[i].dword);
        bool last = true;
        uint32_t plain;

        if (!r) {
            g_test_message("%04x is not described", 4 * p->writes[i].dword);
            g_test_fail();
            continue;
        }
        for (guint k = i + 1; k < p->n_writes; k++) {
            last = last && p->writes[k].dword != p->writes[i].dword;
        }
        last = last && p->writes[i].dword != R_SRC_CLUT_ADDRESS;
        plain = r->mask & ~r->ro & ~r->w1c & ~r->wo;
        if (last && (rv100_peek(h->chip, 4 * p->writes[i].dword) & plain)
                    != (p->writes[i].value & plain)) {
            g_test_message("%s does not keep %08x", r->name,
                           p->writes[i].value);
            g_test_fail();
        }
    }
}

static void test_packet_pio(gconstpointer data)
{
    const RefPacket *p = data;
    g_autoptr(FakeHost) h = packet_host(p, 0);

    fake_csq_mode(h, CSQ_PIO);
    fake_pio(h, p->words.words, p->words.n);
    check_packet_end(h, p, 0);
    check_stored(h, p);
}

static void test_packet_ring(gconstpointer data)
{
    const RefPacket *p = data;

    for (gsize i = 0; i < G_N_ELEMENTS(fetch_sizes); i++) {
        g_autoptr(FakeHost) h = packet_host(p, fetch_sizes[i]);

        fake_ring_start(h, 6, CSQ_RING);
        for (guint n = 0; n < 90; n++) {
            fake_ring(h, (const uint32_t[]) { FILLER }, 1);
        }
        g_assert_true(fake_run(h, 10));
        fake_ring(h, p->words.words, p->words.n);
        check_packet_end(h, p, 0);
    }
}

static void test_packet_indirect(gconstpointer data)
{
    const RefPacket *p = data;

    for (gsize i = 0; i < G_N_ELEMENTS(fetch_sizes); i++) {
        g_autoptr(FakeHost) h = packet_host(p, fetch_sizes[i]);
        /* Across a page end of the GART. */
        const uint32_t at = 0x9000 - 12;
        const uint32_t start[] = {
            fake_type0(A_CP_IB_BASE, 2), FAKE_GART + at, p->words.n,
        };

        fake_ring_start(h, 4, CSQ_RING_IB);
        fake_gart_write(h, at, p->words.words, p->words.n);
        fake_ring(h, start, G_N_ELEMENTS(start));
        check_packet_end(h, p, 2);
    }
}

/* Changing one word of the image changes what the packets write: nothing reads
 * packets behind the engine's back. */
static void test_image_matters(void)
{
    static const uint32_t words[] = { 0x00000578, 0x1234 };
    g_autoptr(FakeHost) h = fake_host_new(0, SLICE);
    const RefImage *image = ref_image("R100_cp.bin");
    RefWrite w;

    fake_load(h, image);
    fake_csq_mode(h, CSQ_PIO);
    fake_pio(h, words, G_N_ELEMENTS(words));
    g_assert_true(fake_run(h, 10));
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG0), ==, 0x1234);
    /* Without "write" in the words that the type-0 entry leads to. */
    for (guint i = 0; i < 256; i++) {
        if (rv100_engine(h->chip)->cover[i]) {
            fake_load_word(h, i, image->hi[i], image->lo[i] & ~0x2000u);
        }
    }
    fake_pio(h, words, G_N_ELEMENTS(words));
    g_assert_true(fake_run(h, 10));
    g_assert_cmpuint(h->writes->len, ==, 1);
    w = g_array_index(h->writes, RefWrite, 0);
    g_assert_cmphex(w.value, ==, 0x1234);
}

static void test_absent(void)
{
    ref_need(NULL, "reference/evidence.json, packets.json or R100_cp.bin");
}

static void add_all(const GPtrArray *items, const char *what, bool packets,
                    void (*test)(gconstpointer))
{
    for (guint i = 0; i < items->len; i++) {
        const char *name = packets ? ((RefPacket *)items->pdata[i])->name
                                   : ((RefProgram *)items->pdata[i])->name;
        g_autofree char *clean = g_strdelimit(g_strdup(name), "/", '-');
        g_autofree char *path = g_strdup_printf("/chip/%s/%s", what, clean);

        g_test_add_data_func(path, items->pdata[i], test);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (!ref_programs() || !ref_packets() || !ref_image("R100_cp.bin")) {
        g_test_add_func("/chip/absent", test_absent);
        return g_test_run();
    }
    add_all(ref_programs(), "program-pio", false, test_pio);
    add_all(ref_programs(), "program-ring", false, test_ring);
    add_all(ref_programs(), "program-indirect", false, test_indirect);
    add_all(ref_packets(), "packet-pio", true, test_packet_pio);
    add_all(ref_packets(), "packet-ring", true, test_packet_ring);
    add_all(ref_packets(), "packet-indirect", true, test_packet_indirect);
    g_test_add_func("/chip/image-matters", test_image_matters);
    return g_test_run();
}
