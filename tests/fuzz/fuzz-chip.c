/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest that does anything: register accesses of every size, packets by PIO,
 * ring and indirect buffer, microcode, resets, snapshots and changed snapshots.
 * Whatever it did, a soft reset and a proper image make the engine work.
 */
#include "fuzz.h"
#include "chip-state.h"
#include "rv100/reginfo.h"

#define CSQ_PIO 1
#define CSQ_RING_IB 4

/* A register that exists, mostly; else any offset. */
static uint32_t take_offset(FuzzInput *in)
{
    uint32_t n = fuzz_take(in, 2);

    if (n & 0x8000) {
        return n & 0x7fff;
    }
    return rv100_mmio_regs[n % rv100_n_mmio_regs].offset;
}

static void mmio_write(FakeHost *h, FuzzInput *in)
{
    uint32_t offset = take_offset(in);

    rv100_mmio_write(h->chip, offset, fuzz_take(in, 4), 4);
}

static void mmio_odd(FakeHost *h, FuzzInput *in)
{
    uint32_t offset = take_offset(in) + fuzz_take(in, 1) % 4;
    unsigned size = 1u << fuzz_take(in, 1) % 4;
    uint64_t value = fuzz_take(in, 4);

    rv100_mmio_write(h->chip, offset, value << 32 | fuzz_take(in, 4), size);
    rv100_mmio_read(h->chip, offset, size);
    rv100_io_write(h->chip, offset & 0xff, value, MIN(size, 4));
    rv100_io_read(h->chip, offset & 0xff, MIN(size, 4));
    rv100_peek(h->chip, offset);
}

static void poke(FakeHost *h, FuzzInput *in)
{
    uint32_t at = fuzz_take(in, 4) % (FAKE_MEM - 3);

    fake_poke(h, at, fuzz_take(in, 4));
}

static void microcode(FakeHost *h, FuzzInput *in)
{
    uint8_t at = fuzz_take(in, 1), hi = fuzz_take(in, 1);

    fake_load_word(h, at, hi, fuzz_take(in, 4));
}

static void pio(FakeHost *h, FuzzInput *in)
{
    for (guint n = fuzz_take(in, 1) % 16; n--;) {
        uint32_t at = fuzz_take(in, 1) & 0x7c;

        fake_wr(h, A_CP_CSQ_APER_PRIMARY + at, fuzz_take(in, 4));
    }
}

static void ring(FakeHost *h, FuzzInput *in)
{
    for (guint n = fuzz_take(in, 1) % 16; n--;) {
        uint32_t word = fuzz_take(in, 4);

        fake_ring(h, &word, 1);
    }
}

/* A packet to one register: what the engine can do to the chip. */
static void type0(FakeHost *h, FuzzInput *in)
{
    uint32_t words[2] = { fake_type0(take_offset(in) & 0x7ffc, 1) };

    words[1] = fuzz_take(in, 4);
    fake_ring(h, words, 2);
}

static void indirect(FakeHost *h, FuzzInput *in)
{
    fake_wr(h, A_CP_IB_BASE, FAKE_GART + (fuzz_take(in, 2) & 0xfffc));
    fake_wr(h, A_CP_IB_BUFSZ, fuzz_take(in, 2));
}

static void run(FakeHost *h, FuzzInput *in)
{
    fake_run(h, fuzz_take(in, 1) % 8 + 1);
}

static void one_slice(FakeHost *h, FuzzInput *in)
{
    rv100_run(h->chip, fuzz_take(in, 1));
}

static void resets(FakeHost *h, FuzzInput *in)
{
    switch (fuzz_take(in, 1) % 8) {
    case 0:
        rv100_reset(h->chip);
        break;
    case 1:
        fake_wr(h, A_RBBM_SOFT_RESET, fuzz_take(in, 4));
        break;
    case 2:
        h->bus_master = !h->bus_master;
        break;
    case 3:
        fake_ring_start(h, 1 + fuzz_take(in, 1) % 8, fuzz_take(in, 1) % 16);
        break;
    case 4:
        fake_csq_mode(h, CSQ_PIO);
        break;
    case 5:
        rv100_set_bars(h->chip, fuzz_take(in, 4), fuzz_take(in, 4),
                       fuzz_take(in, 4));
        break;
    default:
        break;
    }
}

/* Save, change some bytes, load: refused with a reason, or a chip that goes
 * on. */
static void snapshot(FakeHost *h, FuzzInput *in)
{
    g_autoptr(GByteArray) good = snapshot_save(h->chip);
    g_autoptr(GByteArray) state = snapshot_save(h->chip);
    const char *why = NULL;

    for (guint n = fuzz_take(in, 1) % 4; n--;) {
        state->data[fuzz_take(in, 4) % state->len] = fuzz_take(in, 1);
    }
    if (!chip_load(h->chip, state, &why)) {
        g_assert_nonnull(why);
        if (!chip_load(h->chip, good, &why)) {
            g_error("a state that was reached is refused: %s", why);
        }
    }
}

/* Whatever happened, this works. */
static void recover(FakeHost *h)
{
    static const uint32_t words[] = { R_GUI_SCRATCH_REG0, 0x600d600d };

    h->bus_master = true;
    fake_soft_reset(h);
    fake_load_mini(h);
    fake_wr(h, A_CP_CSQ_CNTL, 0);
    fake_csq_mode(h, CSQ_PIO);
    for (guint i = 0; i < 2; i++) {
        fake_wr(h, A_CP_CSQ_APER_PRIMARY, words[i]);
    }
    fake_run(h, 100);
    g_assert_cmphex(rv100_peek(h->chip, A_GUI_SCRATCH_REG0), ==, words[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const actions[])(FakeHost *, FuzzInput *) = {
        mmio_write, mmio_odd, poke, microcode, pio, ring, type0, indirect, run,
        one_slice, resets, snapshot, ring, type0, run, mmio_write,
    };
    FuzzInput in = { data, data + size };
    FakeHost *h = fake_host_new(fuzz_take(&in, 1) + 1, 200);

    fake_load_mini(h);
    fake_ring_start(h, 7, CSQ_RING_IB);
    while (fuzz_left(&in)) {
        actions[fuzz_take(&in, 1) % G_N_ELEMENTS(actions)](h, &in);
    }
    recover(h);
    fake_host_free(h);
    return 0;
}
