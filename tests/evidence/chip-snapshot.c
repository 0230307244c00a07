/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots: the chip's state, saved after each of the first engine units of
 * several packets and loaded into another chip, goes on to the same writes, the
 * same VRAM and the same state. No member of the state is left out.
 */
#include <string.h>

#include "chip-state.h"
#include "../../hw/rv100/internal.h"

#define STEPS 200
#define CSQ_PIO 1
#define CSQ_RING_IB 4
#define IB_AT 0x9000

typedef enum Way { BY_PIO, BY_RING, BY_IB, BY_RING_STALLED } Way;

/* Ten packets; the last ones from an indirect buffer, and in two parts with the
 * engine stalled in between. */
static const struct {
    const char *packet;
    Way way;
} cases[] = {
    { "type0 consecutive", BY_PIO },
    { "type1", BY_RING },
    { "12 BITBLT 3 rects mixed", BY_RING },
    { "13 SMALLTEXT two 8x8-ish glyphs", BY_PIO },
    { "94 CNTL_HOSTDATA_BLT", BY_RING },
    { "settings: brush type 10, dst type 6", BY_RING },
    { "24 LOAD_MICROCODE three entries", BY_PIO },
    { "30 macroblock: 5, 6, 7, 3, six empty blocks", BY_RING },
    { "32 3D_CLEAR_ZMASK 4 tiles", BY_RING },
    { "9c CNTL_TRANS_BITBLT", BY_IB },
    { "98 setup only, then 1d, then 91 (Windows 2000 DrvFillPath)",
      BY_RING_STALLED },
};

static const RefPacket *find_packet(const char *name)
{
    for (guint i = 0; i < ref_packets()->len; i++) {
        const RefPacket *p = ref_packets()->pdata[i];

        if (!strcmp(p->name, name)) {
            return p;
        }
    }
    g_error("no example is named '%s'", name);
}

/* Words of the first part of a stream in two parts: it ends inside a packet. */
static guint first_part(const RefPacket *p)
{
    return p->words.n / 2 + 2;
}

/* A host with the packet under way, nothing executed yet. */
static FakeHost *start(const RefPacket *p, Way way)
{
    const uint32_t start_ib[] = {
        1 << 16 | A_CP_IB_BASE / 4, FAKE_GART + IB_AT, p->words.n,
    };
    const uint32_t fence[] = { A_GUI_SCRATCH_REG3 / 4, 0xfeed };
    FakeHost *h = fake_host_new(3, 1000);

    fake_load(h, ref_image("R100_cp.bin"));
    fake_wr(h, A_SCRATCH_UMSK, 0x3f);
    fake_wr(h, A_SCRATCH_ADDR, 0x4000);
    if (way == BY_PIO) {
        fake_wr(h, A_MC_FB_LOCATION, (FAKE_VRAM - 1) & 0xffff0000u);
        fake_csq_mode(h, CSQ_PIO);
        fake_pio(h, p->words.words, p->words.n);
        fake_pio(h, fence, G_N_ELEMENTS(fence));
        return h;
    }
    fake_ring_start(h, 7, CSQ_RING_IB);
    fake_wr(h, A_CP_RB_RPTR_ADDR, 0x100);
    if (way == BY_IB) {
        fake_gart_write(h, IB_AT, p->words.words, p->words.n);
        fake_ring(h, start_ib, G_N_ELEMENTS(start_ib));
        fake_ring(h, fence, G_N_ELEMENTS(fence));
    } else if (way == BY_RING_STALLED) {
        fake_ring(h, p->words.words, first_part(p));
    } else {
        fake_ring(h, p->words.words, p->words.n);
        fake_ring(h, fence, G_N_ELEMENTS(fence));
    }
    return h;
}

/* To the end of the packet. */
static void finish(FakeHost *h, const RefPacket *p, Way way)
{
    guint half = first_part(p);

    g_assert_true(fake_run(h, 1000));
    if (way == BY_RING_STALLED) {
        g_assert_false(rv100_idle(h->chip));
        fake_ring(h, p->words.words + half, p->words.n - half);
        g_assert_true(fake_run(h, 1000));
    }
    g_assert_true(rv100_idle(h->chip));
}

/* Another host in the same state: its chip had done something else before. */
static FakeHost *resume(FakeHost *from)
{
    static const uint32_t other[] = {
        0xc0049100, 0x800006df, 0x11, 0x22, 0x33, 0x44,
    };
    g_autoptr(GByteArray) state = snapshot_save(from->chip);
    FakeHost *h = fake_host_new(3, 1000);
    const char *why = "";

    fake_load(h, ref_image("R100_cp.bin"));
    fake_csq_mode(h, CSQ_PIO);
    fake_pio(h, other, G_N_ELEMENTS(other));
    fake_run(h, 10);
    g_array_set_size(h->writes, 0);
    memcpy(h->mem, from->mem, FAKE_MEM);
    memcpy(h->vram, from->vram, FAKE_VRAM);
    h->now = from->now;
    h->ring_words = from->ring_words;
    h->wptr = from->wptr;
    g_array_append_vals(h->writes, from->writes->data, from->writes->len);
    if (!chip_load(h->chip, state, &why)) {
        g_error("a state that the chip was in is refused: %s", why);
    }
    return h;
}

static void check_same(FakeHost *is, FakeHost *expected)
{
    g_autoptr(GByteArray) a = snapshot_save(is->chip);
    g_autoptr(GByteArray) b = snapshot_save(expected->chip);

    g_assert_cmpmem(is->writes->data, is->writes->len * sizeof(RefWrite),
                    expected->writes->data,
                    expected->writes->len * sizeof(RefWrite));
    g_assert_cmpint(memcmp(is->vram, expected->vram, FAKE_VRAM), ==, 0);
    g_assert_cmpint(memcmp(is->mem, expected->mem, FAKE_MEM), ==, 0);
    /* How often the engine was let run in vain depends on the slices. */
    g_assert_cmpstr(chip_differ(a, b, "cp.idle_slices"), ==, NULL);
}

static void test_snapshot(gconstpointer data)
{
    guint n = GPOINTER_TO_UINT(data);
    const RefPacket *p = find_packet(cases[n].packet);
    Way way = cases[n].way;
    g_autoptr(FakeHost) straight = start(p, way);
    g_autoptr(FakeHost) stepped = start(p, way);

    finish(straight, p, way);
    for (guint step = 0; step < STEPS; step++) {
        g_autoptr(FakeHost) h = resume(stepped);

        finish(h, p, way);
        check_same(h, straight);
        if (!rv100_run(stepped->chip, 1) && rv100_idle(stepped->chip)) {
            break;
        }
    }
}

/* --- nothing is forgotten --- */

/* Members of the chip's state that are made from others or come from outside. */
static const struct {
    const char *name;
    size_t offset, size;
} rebuilt[] = {
#define MEMBER(m) { #m, offsetof(Rv100, m), sizeof(((Rv100 *)0)->m) }
    MEMBER(me.insn), MEMBER(me.breaks), MEMBER(me.debug),
    MEMBER(me.trace_steps), MEMBER(me.stop), MEMBER(me.header_pending),
    MEMBER(me.exact),
    MEMBER(me.logged_unknown), MEMBER(me.more_later), MEMBER(me.skip_break),
    MEMBER(me.in), MEMBER(me.in_end), MEMBER(me.chip), MEMBER(me.ops),
    MEMBER(me.opaque),
#undef MEMBER
};

#define STATE_BEGIN offsetof(Rv100, regs)
#define STATE_END offsetof(Rv100, slice_armed)

static bool *covered_bytes(void)
{
    bool *covered = g_new0(bool, STATE_END);
    size_t n;
    const Rv100StateField *f = rv100_state_fields(&n);

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < (size_t)f[i].size * f[i].count; k++) {
            g_assert_cmpuint(f[i].offset + k, >=, STATE_BEGIN);
            g_assert_cmpuint(f[i].offset + k, <, STATE_END);
            g_assert_false(covered[f[i].offset + k]);
            covered[f[i].offset + k] = true;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(rebuilt); i++) {
        for (size_t k = 0; k < rebuilt[i].size; k++) {
            g_assert_false(covered[rebuilt[i].offset + k]);
            covered[rebuilt[i].offset + k] = true;
        }
    }
    return covered;
}

/* What is left uncovered can only be padding in front of an aligned member. */
static void test_holes(void)
{
    g_autofree bool *covered = covered_bytes();

    for (size_t i = STATE_BEGIN; i < STATE_END; i++) {
        size_t end = i;

        while (end < STATE_END && !covered[end]) {
            end++;
        }
        if (end > i) {
            g_test_message("bytes %zu to %zu of the state are padding", i, end);
            g_assert_cmpuint(end - i, <, 8);
            g_assert_true(end % 8 == 0 || (end % 4 == 0 && end - i < 4)
                          || (end % 2 == 0 && end - i < 2));
            i = end;
        }
    }
}

/* Padding never changes: a chip that did all kinds of things still has zeros
 * there. A member that hides in padding has not. */
static void test_padding(void)
{
    g_autofree bool *covered = covered_bytes();
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);

    for (guint round = 0; round < 40; round++) {
        g_autoptr(FakeHost) h = fake_host_new(round % 5 + 1, 50);
        const uint8_t *bytes = (const uint8_t *)h->chip;

        fake_load(h, ref_image("R100_cp.bin"));
        fake_ring_start(h, 7, CSQ_RING_IB);
        for (guint i = 0; i < ref_packets()->len; i++) {
            const RefPacket *p = ref_packets()->pdata[i];

            fake_ring(h, p->words.words, p->words.n);
            fake_run(h, 1 + round);
            fake_wr(h, g_rand_int_range(rand, 0, 0x1000) * 4,
                    g_rand_int(rand));
            fake_wr(h, A_CP_IB_BUFSZ, g_rand_int_range(rand, 0, 9));
            fake_wr(h, A_CP_CSQ_CNTL, (uint32_t)CSQ_RING_IB << 28);
        }
        for (size_t i = STATE_BEGIN; i < STATE_END; i++) {
            if (!covered[i] && bytes[i]) {
                g_error("byte %zu of the state changes and is not listed", i);
            }
        }
    }
}

/* Every field matters: a change of any byte of it survives save and load, or
 * the state is refused. */
static void test_every_byte(void)
{
    g_autoptr(FakeHost) from = fake_host_new(0, 0);
    g_autoptr(GByteArray) state = snapshot_save(from->chip);
    guint stride = g_test_thorough() ? 1 : 7;
    guint refused = 0;

    for (guint at = 0; at < state->len; at += stride) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);
        g_autoptr(GByteArray) again = NULL;
        const char *why = NULL;

        state->data[at] ^= 0xff;
        if (chip_load(h->chip, state, &why)) {
            again = snapshot_save(h->chip);
            g_assert_cmpstr(chip_differ(again, state, NULL), ==, NULL);
            fake_run(h, 3);
            rv100_reset(h->chip);
        } else {
            g_assert_nonnull(why);
            refused++;
        }
        state->data[at] ^= 0xff;
    }
    g_assert_cmpuint(refused, >, 0);
}

/* What no chip can come to is refused, with the name of what is wrong; the
 * largest good value is not. */
#define CHECK(member, good, bad, name) do { \
        const char *why_ = NULL; \
        s->member = (good); \
        g_assert_true(rv100_state_check(s, &why_)); \
        s->member = (bad); \
        g_assert_false(rv100_state_check(s, &why_)); \
        g_assert_cmpstr(why_, ==, name); \
        s->member = 0; \
    } while (0)

static void refuse_registers(Rv100 *s)
{
    CHECK(irq_level, 1, 2, "irq_level");
    CHECK(regs[R_DST_WIDTH], 0x3fff, 0x4000, "DST_WIDTH");
    CHECK(regs[R_SC_RIGHT], 0x3fff, 0x80000000, "SC_RIGHT");
    CHECK(regs[R_DST_OFFSET], 0xfffffff0, 0xffffffff, "DST_OFFSET");
    CHECK(regs[R_SRC_PITCH], 0x3ff0, 0x10000, "SRC_PITCH");
    /* the storage of an alias, a place without a register */
    CHECK(regs[R_DST_TILE], 3, 4, "DST_TILE");
    CHECK(regs[0x3ff], 0, 1, "regs");
}

static void refuse_engine(Rv100 *s)
{
    CHECK(me.count, 0x3fff, 0x4000, "me.count");
    CHECK(me.ptr, 31, 32, "me.ptr");
    CHECK(me.depth, RV100_ME_STACK, RV100_ME_STACK + 1, "me.depth");
    CHECK(me.type, 3, 2, "me.type");
    CHECK(me.type, 1, 4, "me.type");
    CHECK(me.phase, RV100_ME_RUN, RV100_ME_RUN + 1, "me.phase");
    CHECK(me.head_valid, 1, 2, "me.head_valid");
    CHECK(me.head_seen, 1, 2, "me.head_seen");
    CHECK(me.old_valid, 1, 2, "me.old_valid");
    CHECK(me.hi[255], s->me.chip->hi_mask, 0xff, "me.hi");
    CHECK(cp.primary.wr, RV100_QUEUE_WORDS, RV100_QUEUE_WORDS + 1, "cp.primary");
    CHECK(cp.primary.rd, 0, 1, "cp.primary");
    CHECK(cp.indirect.wr, RV100_QUEUE_WORDS, RV100_QUEUE_WORDS + 1,
          "cp.indirect");
    CHECK(cp.ib_pending, 1, 2, "cp.ib_pending");
    CHECK(cp.on_indirect, 1, 2, "cp.on_indirect");
    CHECK(cp.fault, 1, 2, "cp.fault");
    CHECK(cp.step, 1, 2, "cp.step");
    CHECK(cp.hang, 1, 2, "cp.hang");
}

static void refuse_displays(Rv100 *s, int64_t now)
{
    CHECK(head[1].epoch, 0, now + 1, "head.epoch");
    CHECK(head[0].epoch, 0, -1, "head.epoch");
    CHECK(head[1].pending, 1, 2, "head.pending");
    CHECK(head[0].blank_seen, 1, 2, "head.pending");
    CHECK(ddc[1].bits, 9, 10, "ddc");
    CHECK(ddc[0].state, 0, 0xff, "ddc");
    CHECK(ddc[0].pull, 1, 2, "ddc");
    CHECK(plugged[1], 1, 2, "ddc");
}

static void refuse_gui(Rv100 *s)
{
    CHECK(gui.host, 0, 2, "gui.host");
    CHECK(gui.x, 0x3fff, 0x4000, "gui.x, gui.y");
    CHECK(gui.y, 0x3fff, 0x4000, "gui.x, gui.y");
    CHECK(gui.w, 0x3fff, 0x4000, "gui.w, gui.h");
    CHECK(gui.h, 0x3fff, 0x4000, "gui.w, gui.h");
    CHECK(gui.col, 0x3fff, 0x4000, "gui.col, gui.row");
    CHECK(gui.row, 0x3fff, 0x4000, "gui.col, gui.row");
    CHECK(gui.slot, GUI_RING - 1, GUI_RING, "gui.slot");
    CHECK(gui.pending, GUI_GROUP - 1, GUI_GROUP, "gui.pending");
    s->gui.host = 1;
    s->gui.w = s->gui.h = 5;
    CHECK(gui.col, 4, 5, "gui.col");
    CHECK(gui.row, 4, 5, "gui.row");
}
#undef CHECK

static void test_refused(void)
{
    g_autoptr(FakeHost) h = fake_host_new(0, 0);

    refuse_registers(h->chip);
    refuse_engine(h->chip);
    refuse_displays(h->chip, h->now);
    refuse_gui(h->chip);
}

/* Whatever a guest writes, the state can be saved and loaded. */
static void test_always_good(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    const guint n = g_test_thorough() ? 100 : 10;

    for (guint round = 0; round < n; round++) {
        g_autoptr(FakeHost) h = fake_host_new(0, 0);
        const char *why = NULL;

        for (guint i = 0; i < 4000; i++) {
            static const uint32_t corners[] = {
                0, ~0u, 0x7fffffff, 0x80000000, 1, 0xffff, 0x4000, 0x3fff,
            };
            uint32_t at = (uint32_t)g_rand_int_range(rand, 0, 0x4000);
            uint32_t v = i % 2 ? corners[at / 4 % 8] : g_rand_int(rand);

            if (i % 5) {
                fake_wr(h, at & ~3u, v);
            } else {
                rv100_mmio_write(h->chip, at, v, 1u << i / 5 % 4);
                rv100_io_write(h->chip, at & 0xff, v, 1u << i / 5 % 3);
                fake_rd(h, at & ~3u);
            }
            if (i % 32 == 0) {
                h->now += v & 0xffffff;
                rv100_run(h->chip, 50);
                rv100_timer(h->chip, RV100_TIMER_DISPLAY);
                if (!rv100_state_check(h->chip, &why)) {
                    g_error("round %u, write %u: %s", round, i, why);
                }
            }
        }
    }
}

static void test_absent(void)
{
    ref_need(NULL, "reference/packets.json or firmware/R100_cp.bin");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/snapshot/holes", test_holes);
    g_test_add_func("/snapshot/every-byte", test_every_byte);
    g_test_add_func("/snapshot/refused", test_refused);
    g_test_add_func("/snapshot/always-good", test_always_good);
    if (!ref_packets() || !ref_image("R100_cp.bin")) {
        g_test_add_func("/snapshot/absent", test_absent);
        return g_test_run();
    }
    g_test_add_func("/snapshot/padding", test_padding);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/snapshot/%s",
                                                cases[i].packet);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_snapshot);
    }
    return g_test_run();
}
