/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts: GEN_INT_STATUS latches, whether or not an interrupt is enabled;
 * the level of INTA is (status & enabled) != 0 [linux].
 */
#include "internal.h"

void rv100_irq_update(Rv100 *s)
{
    uint32_t status = s->regs[R_GEN_INT_STATUS];
    uint32_t enabled = s->regs[R_GEN_INT_CNTL];
    bool level = status & enabled;

    if (level != s->irq_level) {
        s->irq_level = level;
        rv100_trace(s, RV100_TRACE_irq, status, enabled, level, 0);
        if (s->host.irq) {
            s->host.irq(s->opaque, level);
        }
    }
}

void rv100_irq_raise(Rv100 *s, uint32_t bits)
{
    s->regs[R_GEN_INT_STATUS] |= bits;
    rv100_irq_update(s);
}

static void write_cntl(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_irq_update(s);
}

static void write_status(Rv100 *s, uint32_t offset, uint32_t value)
{
    if (value & R_GEN_INT_STATUS_SW_INT_SET_MASK) {
        s->regs[R_GEN_INT_STATUS] |= R_GEN_INT_STATUS_SW_INT_MASK;
    }
    rv100_irq_update(s);
}

const Rv100Hook rv100_irq_hooks[] = {
    { A_GEN_INT_CNTL, .write = write_cntl },
    { A_GEN_INT_STATUS, .write = write_status },
    { 0 }
};
