/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command processor: ring, indirect buffers, status, slices.
 *
 * The engine runs in slices from the engine timer, never inside the write that
 * kicked it. A host read that a driver polls first gives a runnable engine one
 * slice, so that polling loops see progress. Microcode that never ends keeps
 * the chip busy, as hardware does, at a bounded cost: slices that consume no
 * word are spaced out.
 */
#include <string.h>

#include "internal.h"

#define SLICE_DELAY_NS 10000            /* between slices that make progress */
/* Time that a unit takes on the card, about a clock [inferred]. The next slice
 * waits for it, so that a stream that never ends leaves the host a core. */
#define UNIT_NS 6
#define DEBT_MAX_NS 1000000
#define BACKOFF_FIRST_NS 1000000        /* after the first that does not */
#define BACKOFF_MAX_NS 16000000         /* 0.3 ms in 16 ms: 2 % of a core */
/* A poll runs no slice once this many in a row consumed nothing. */
#define POLL_GIVES_UP 2
/* Units of drawing after which the rest of the slice is counted anew. */
#define WORK_STOP 1000

/* --- scheduling --- */

static bool me_mode_run(Rv100 *s)
{
    return RV100_GET(s->regs[R_CP_ME_CNTL], CP_ME_CNTL, ME_MODE);
}

/* Inside a packet, or words are waiting. */
bool rv100_cp_busy(Rv100 *s)
{
    return s->cp.hang || s->cp.wait || !rv100_me_idle(&s->me)
        || (rv100_csq_on(s) && rv100_csq_pending(s));
}

/* Could a slice do anything? A stalled engine with nothing to fetch could not;
 * one that waits for a fetch that is held up is tried again. */
bool rv100_cp_runnable(Rv100 *s)
{
    return !s->debug.halted && !s->held.halted && rv100_debug_runnable(s);
}

bool rv100_debug_runnable(Rv100 *s)
{
    if (!rv100_csq_on(s) || s->cp.fault || s->cp.hang || s->cp.wait
        || !(me_mode_run(s) || s->cp.step)) {
        return false;
    }
    return !s->me_stalled || rv100_csq_pending(s);
}

static int64_t slice_delay(Rv100 *s)
{
    unsigned n = s->cp.idle_slices;

    if (!n) {
        return SLICE_DELAY_NS;
    }
    return MIN((int64_t)BACKOFF_FIRST_NS << MIN(n - 1, 8), BACKOFF_MAX_NS);
}

static void arm(Rv100 *s)
{
    if (!s->slice_armed && !s->in_slice && rv100_cp_runnable(s)) {
        int64_t when = s->host.now(s->opaque) + slice_delay(s);

        s->slice_armed = true;
        s->host.set_timer(s->opaque, RV100_TIMER_ENGINE,
                          MAX(when, s->engine_until));
    }
}

/* The units of a slice occupy the engine for a while. */
static void charge(Rv100 *s, uint64_t units)
{
    int64_t now = s->host.now(s->opaque);
    int64_t until = MAX(s->engine_until, now) + (int64_t)units * UNIT_NS;

    s->engine_until = MIN(until, now + DEBT_MAX_NS);
}

void rv100_cp_kick(Rv100 *s)
{
    s->me_stalled = false;      /* what it waits for may be there now */
    arm(s);
}

void rv100_cp_timer(Rv100 *s)
{
    s->slice_armed = false;
    rv100_cp_slice(s, 0);
    arm(s);
}

void rv100_cp_poll(Rv100 *s)
{
    if (!s->in_slice && s->cp.idle_slices < POLL_GIVES_UP
        && rv100_cp_runnable(s)) {
        rv100_cp_slice(s, 0);
    }
}

static void apply_deferred(Rv100 *s)
{
    if (s->deferred) {
        s->deferred = false;
        rv100_bus_write(s, s->deferred_dword, s->deferred_value, ~0u,
                        RV100_FROM_ENGINE);
    }
}

/* Drawing counts as well: a slice ends when its share is used up. What the host
 * draws itself is complete when its write is. */
void rv100_cp_worked(Rv100 *s)
{
    if (!s->in_slice && !s->gui.host && !rv100_cp_busy(s)) {
        rv100_irq_raise(s, R_GEN_INT_STATUS_GUI_IDLE_STAT_MASK);
    }
    if (s->in_slice && s->work >= WORK_STOP) {
        rv100_me_request_stop(&s->me);
    }
}

/* What ends rv100_me_run() without anybody debugging. */
static bool own_stop(const Rv100 *s)
{
    return s->deferred || s->cp.wait || s->work >= WORK_STOP || s->cp.step;
}

/* Run the engine until the budget is used, it stalls or it is switched off. */
static uint64_t run_engine(Rv100 *s, uint64_t units)
{
    uint64_t left = units;

    while (left && !s->debug.halted && !s->held.halted && rv100_csq_on(s) && !s->cp.fault
           && !s->cp.wait && (me_mode_run(s) || s->cp.step)) {
        uint64_t used, budget = s->cp.step ? 1 : left;
        Rv100MeStop why;

        budget = rv100_debug_budget(s, budget);
        if (!budget) {
            break;
        }
        why = rv100_me_run(&s->me, budget, &used);
        if (why == RV100_ME_BREAK) {
            left -= MIN(left, used);
            rv100_debug_used(s, used);
            rv100_debug_break(s);
            rv100_debug_pause(s);
            continue;
        }
        if (rv100_debug_cut(s, why, used < left) && !own_stop(s)) {
            left -= used;
        } else {
            left -= MIN(left, used + s->work);
            s->work = 0;
        }
        s->cp.step = 0;
        apply_deferred(s);
        rv100_debug_used(s, used);
        rv100_debug_pause(s);
        if (why == RV100_ME_STALLED) {
            s->me_stalled = true;
            break;
        }
    }
    return units - left;
}

bool rv100_cp_slice(Rv100 *s, uint32_t units)
{
    uint64_t words = s->me.words, used, before = s->debug.units;
    bool was_busy = rv100_cp_busy(s), stepping = rv100_debug_stepping(s);

    if (!rv100_cp_runnable(s)) {
        return false;
    }
    s->me.trace_steps = s->debug.steps || rv100_tracing(s, RV100_TRACE_insn);
    s->in_slice = true;
    s->me_stalled = false;
    s->work = 0;                /* of the host's own drawing */
    rv100_csq_window(s);
    used = run_engine(s, units ? units : s->config.slice_steps);
    charge(s, used);
    rv100_csq_sync(s);
    s->in_slice = false;
    if (s->me.words != words || (s->me_stalled && !rv100_csq_pending(s))) {
        s->cp.idle_slices = 0;  /* progress, or nothing there to be done */
    } else if (s->cp.idle_slices < G_MAXUINT8 && !stepping && !s->debug.halted
               && !s->held.halted) {
        s->cp.idle_slices++;
    }
    rv100_trace(s, RV100_TRACE_slice, used, s->me_stalled, 0, 0);
    if (was_busy && !rv100_cp_busy(s)) {
        rv100_irq_raise(s, R_GEN_INT_STATUS_GUI_IDLE_STAT_MASK);
    }
    if (s->debug.halted) {
        if (G_UNLIKELY(s->capture)) {
            rv100_capture_halted(s, s->debug.units - before);
        }
        rv100_debug_stood_still(s);
    }
    return rv100_cp_runnable(s);
}

/* --- engine callbacks --- */

static void engine_write(void *opaque, uint32_t dword, uint32_t value)
{
    Rv100 *s = opaque;

    if (s->host.engine_write) {
        s->host.engine_write(s->opaque, dword, value);
    }
    if (G_UNLIKELY(s->debug.writes)
        && s->debug.writes[dword / 32 % (RV100_DEBUG_DWORDS / 32)] >> dword % 32 & 1) {
        s->debug.hooks->engine_write(s->debug.opaque, dword, value);
    }
    rv100_trace(s, RV100_TRACE_engine_write, 4 * dword, value, 0, 0);
    if (rv100_bus_defers(s, dword)) {
        s->deferred = true;
        s->deferred_dword = dword;
        s->deferred_value = value;
        rv100_me_request_stop(&s->me);
        return;
    }
    rv100_bus_write(s, dword, value, ~0u, RV100_FROM_ENGINE);
}

static void engine_unknown(void *opaque, uint8_t pc, uint8_t hi, uint32_t lo)
{
    rv100_unimp(opaque, A_CP_ME_RAM_DATAL, "microcode word 0x%02x: %02x %08x has "
                "an unknown code, taken for no operation", pc, hi, lo);
}

static void engine_packet(void *opaque, uint32_t header, uint8_t entry)
{
    rv100_trace(opaque, RV100_TRACE_packet, header, entry, 0, 0);
    rv100_debug_packet(opaque, header, entry);
}

static void engine_me_write(void *opaque, uint8_t addr, uint8_t hi, uint32_t lo)
{
    rv100_trace(opaque, RV100_TRACE_me_write, addr, hi, lo, 1);
    rv100_debug_me_write(opaque, addr, true);
}

static void engine_step(void *opaque, uint8_t pc)
{
    Rv100 *s = opaque;

    rv100_trace(s, RV100_TRACE_insn, pc, s->me.hi[pc], s->me.lo[pc], 0);
    if (s->debug.steps) {
        s->debug.hooks->step(s->debug.opaque, pc);
    }
}

const Rv100MeOps rv100_cp_me_ops = {
    .reg_write = engine_write,
    .refill = rv100_csq_refill,
    .header = rv100_csq_header,
    .me_write = engine_me_write,
    .unknown = engine_unknown,
    .packet = engine_packet,
    .step = engine_step,
};

/* --- registers --- */

static uint32_t read_cntl(Rv100 *s, uint32_t offset)
{
    /* Counts of free places, as documented; not settled on hardware. */
    uint32_t v = s->regs[R_CP_CSQ_CNTL];
    unsigned primary = s->cp.primary.wr - s->cp.primary.rd;
    unsigned indirect = s->cp.indirect.wr - s->cp.indirect.rd;

    v = RV100_SET(v, CP_CSQ_CNTL, CSQ_CNT_PRIMARY, 255u - MIN(primary, 255u));
    return RV100_SET(v, CP_CSQ_CNTL, CSQ_CNT_INDIRECT,
                     127u - MIN(indirect, 127u));
}

static void write_csq_cntl(Rv100 *s, uint32_t offset, uint32_t value)
{
    if (!rv100_csq_on(s)) {
        rv100_csq_flush(s);     /* [inferred] */
    }
    rv100_cp_kick(s);
}

static uint32_t read_rptr(Rv100 *s, uint32_t offset)
{
    return s->cp.rptr & rv100_ring_mask(s);
}

static void write_rptr(Rv100 *s, uint32_t offset, uint32_t value)
{
    if (offset == A_CP_RB_RPTR_WR
        && !RV100_GET(s->regs[R_CP_RB_CNTL], CP_RB_CNTL, RB_RPTR_WR_ENA)) {
        return;
    }
    s->cp.rptr = value & rv100_ring_mask(s);
    rv100_cp_kick(s);
}

static void write_kick(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_cp_kick(s);
}

static void write_ib_size(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_csq_start_ib(s, s->regs[R_CP_IB_BASE], s->regs[R_CP_IB_BUFSZ]);
}

static void push_primary(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_csq_push(s, &s->cp.primary, value);
}

static void push_indirect(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_csq_push(s, &s->cp.indirect, value);
}

static uint32_t read_status(Rv100 *s, uint32_t offset)
{
    uint32_t v = 0;

    v = RV100_SET(v, RBBM_STATUS, CMDFIFO_AVAIL, 64u);
    v = RV100_SET(v, RBBM_STATUS, HIRQ_ON_RBB, 1u);     /* this very read [hw] */
    if (rv100_cp_busy(s)) {
        v |= R_RBBM_STATUS_CP_CMDSTRM_BUSY_MASK | R_RBBM_STATUS_GUI_ACTIVE_MASK;
    }
    return v;
}

static uint32_t read_cp_stat(Rv100 *s, uint32_t offset)
{
    /* The read itself keeps RSIU and the CP busy [hw]. */
    uint32_t v = R_CP_STAT_RSIU_BUSY_MASK | R_CP_STAT_CP_BUSY_MASK;

    if (rv100_cp_busy(s)) {
        v |= R_CP_STAT_CSI_BUSY_MASK | R_CP_STAT_CMDSTRM_BUSY_MASK;
    }
    return v;
}

static uint32_t read_csq_stat(Rv100 *s, uint32_t offset)
{
    /* Read pointers of the queues are not modelled; an empty queue reads 0
     * [hw]. */
    return 0;
}

static uint32_t read_me_cntl(Rv100 *s, uint32_t offset)
{
    return RV100_SET(s->regs[R_CP_ME_CNTL], CP_ME_CNTL, ME_BUSY,
                     s->me.phase == RV100_ME_RUN ? 1u : 0u);
}

static void write_me_cntl(Rv100 *s, uint32_t offset, uint32_t value)
{
    if (value & R_CP_ME_CNTL_ME_STEP_MASK && !me_mode_run(s)) {
        s->cp.step = 1;
    }
    rv100_cp_kick(s);
}

static void write_scratch(Rv100 *s, uint32_t offset, uint32_t value)
{
    unsigned n = (offset - A_GUI_SCRATCH_REG0) / 4;
    unsigned swap = RV100_GET(s->regs[R_SCRATCH_UMSK], SCRATCH_UMSK, SCRATCH_SWAP);
    uint32_t le = GUINT32_TO_LE(rv100_swap(value, swap));
    uint32_t addr = s->regs[R_SCRATCH_ADDR] + 4 * n;

    if (!(s->regs[R_SCRATCH_UMSK] >> n & 1)) {
        return;
    }
    if (rv100_card_access(s, true, addr, &le, 4) != RV100_DMA_OK) {
        rv100_guest_error(s, A_SCRATCH_ADDR, "write-back to card address 0x%08x "
                          "failed", addr);
    }
}

static void write_soft_reset(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_trace(s, RV100_TRACE_soft_reset, value, 0, 0, 0);
    if (value & R_RBBM_SOFT_RESET_SOFT_RESET_CP_MASK) {
        rv100_cp_reset(s);
    }
    if (value & R_RBBM_SOFT_RESET_SOFT_RESET_E2_MASK) {
        rv100_gui_abandon(s);   /* registers stay [inferred] */
    }
}

#define SCRATCHES ((A_GUI_SCRATCH_REG5 - A_GUI_SCRATCH_REG0) / 4 + 1)

const Rv100Hook rv100_cp_hooks[] = {
    { A_CP_CSQ_CNTL, .read = read_cntl, .write = write_csq_cntl,
      .deferred = true, .silent_read = true },
    { A_CP_RB_CNTL, .write = write_kick },
    { A_CP_RB_BASE, .write = write_kick },
    { A_CP_RB_RPTR, .read = read_rptr, .write = write_rptr, .poll = true,
      .silent_read = true },
    { A_CP_RB_RPTR_WR, .write = write_rptr },
    { A_CP_RB_WPTR, .write = write_kick },
    { A_CP_IB_BUFSZ, .write = write_ib_size },
    { A_CP_CSQ_APER_PRIMARY, R_CP_CSQ_APER_PRIMARY_DWORDS, .write = push_primary,
      .host_only = true },
    { A_CP_CSQ_APER_INDIRECT, R_CP_CSQ_APER_INDIRECT_DWORDS, .write = push_indirect,
      .host_only = true },
    { A_RBBM_STATUS, .read = read_status, .poll = true, .silent_read = true },
    { A_CP_STAT, .read = read_cp_stat, .poll = true, .silent_read = true },
    { A_CP_CSQ_STAT, .read = read_csq_stat, .silent_read = true },
    { A_CP_ME_CNTL, .read = read_me_cntl, .write = write_me_cntl,
      .deferred = true, .silent_read = true },
    { A_GUI_SCRATCH_REG0, SCRATCHES, .write = write_scratch, .poll = true },
    { A_RBBM_SOFT_RESET, .write = write_soft_reset, .deferred = true },
    { 0 }
};

/* --- reset and state --- */

void rv100_cp_reset(Rv100 *s)
{
    rv100_csq_flush(s);
    rv100_me_reset(&s->me);
    rv100_csq_window(s);
    s->cp.rptr = 0;
    s->regs[R_CP_RB_WPTR] = 0;
    s->cp.idle_slices = s->cp.step = s->cp.hang = 0;
    s->cp.wait = 0;
    s->engine_until = 0;
    s->me_stalled = false;
    s->deferred = false;
    rv100_debug_was_reset(s);
}

static bool queue_ok(const Rv100Queue *q)
{
    return q->rd <= q->wr && q->wr <= RV100_QUEUE_WORDS;
}

bool rv100_cp_check(const Rv100 *s, const char **why)
{
    const Rv100Cp *cp = &s->cp;
    const struct {
        bool ok;
        const char *name;
    } checks[] = {
        { queue_ok(&cp->primary), "cp.primary" },
        { queue_ok(&cp->indirect), "cp.indirect" },
        { cp->ib_pending <= 1, "cp.ib_pending" },
        { cp->on_indirect <= 1, "cp.on_indirect" },
        { cp->fault <= 1, "cp.fault" },
        { cp->step <= 1, "cp.step" },
        { cp->hang <= 1, "cp.hang" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(checks); i++) {
        if (!checks[i].ok) {
            *why = checks[i].name;
            return false;
        }
    }
    return true;
}

void rv100_cp_rebuild(Rv100 *s)
{
    rv100_me_rebuild(&s->me);
    rv100_csq_window(s);
    s->me.header_pending = s->cp.ib_pending
        || (!s->cp.on_indirect && s->cp.indirect.rd != s->cp.indirect.wr);
    s->engine_until = 0;
    s->me_stalled = s->slice_armed = s->deferred = false;
    rv100_cp_kick(s);
}
