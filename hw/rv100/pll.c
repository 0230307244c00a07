/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PLL registers behind CLOCK_CNTL_INDEX and CLOCK_CNTL_DATA.
 *
 * A write needs PLL_WR_EN in the index. Everything is storage but for the
 * atomic-update bits, which the XML gives as bits that read 0.
 */
#include "internal.h"

static const Rv100RegInfo *selected(Rv100 *s)
{
    uint32_t index = RV100_GET(s->regs[R_CLOCK_CNTL_INDEX], CLOCK_CNTL_INDEX,
                               PLL_ADDR) % RV100_PLL_REGS;
    uint16_t n = rv100_pll_index[index];

    return n ? &rv100_pll_regs[n - 1] : NULL;
}

static uint32_t read_data(Rv100 *s, uint32_t offset)
{
    const Rv100RegInfo *r = selected(s);

    return r ? s->pll[r->storage] & r->mask & ~r->wo : 0;
}

static void write_data(Rv100 *s, uint32_t offset, uint32_t value)
{
    const Rv100RegInfo *r = selected(s);
    uint32_t plain, old;

    if (!r || !(s->regs[R_CLOCK_CNTL_INDEX] & R_CLOCK_CNTL_INDEX_PLL_WR_EN_MASK)) {
        return;
    }
    rv100_trace(s, RV100_TRACE_pll_write, r->offset, value, 0, 0);
    plain = r->mask & ~r->ro;
    old = s->pll[r->storage];
    s->pll[r->storage] = (old & ~plain) | (value & plain);
    if (s->pll[r->storage] != old) {
        rv100_crtc_retime(s, r->storage);
    }
}

const Rv100Hook rv100_pll_hooks[] = {
    { A_CLOCK_CNTL_DATA, .read = read_data, .write = write_data,
      .silent_read = true },
    { 0 }
};
