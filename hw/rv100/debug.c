/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The chip's side of the debugger: halting the command processor and telling
 * what it does (debug-hooks.h). Nothing here is part of the chip's state.
 */
#include <string.h>

#include "internal.h"

/* --- from the chip to the debugger --- */

void rv100_debug_packet(Rv100 *s, uint32_t header, uint8_t entry)
{
    if (G_UNLIKELY(s->debug.hooks && s->debug.hooks->packet)) {
        s->debug.hooks->packet(s->debug.opaque, header, entry);
    }
}

void rv100_debug_me_write(Rv100 *s, uint8_t addr, bool by_engine)
{
    if (G_UNLIKELY(s->debug.hooks && s->debug.hooks->me_write)) {
        s->debug.hooks->me_write(s->debug.opaque, addr, by_engine);
    }
}

/* Halted inside a slice: is that to go on afterwards? */
void rv100_debug_pause(Rv100 *s)
{
    if (!s->debug.halted || !s->debug.hooks || !s->debug.hooks->pause) {
        return;
    }
    rv100_csq_sync(s);
    s->in_slice = false;        /* the user may change what he likes */
    rv100_debug_stood_still(s);
    s->debug.hooks->pause(s->debug.opaque);
    s->in_slice = true;
    rv100_csq_window(s);
}

/* Did rv100_me_run() return for the debugger's sake only? Then the slice is not
 * charged yet for what was drawn, as it would not be without a debugger. */
bool rv100_debug_cut(const Rv100 *s, Rv100MeStop why, bool rest)
{
    return rest && (why == RV100_ME_STOPPED || why == RV100_ME_BUDGET)
        && (s->debug.cut || s->debug.limit);
}

/* It goes only a little at a time; a replay that pauses knows nothing of it. */
bool rv100_debug_stepping(const Rv100 *s)
{
    return (s->debug.limit && !s->debug.hooks->pause) || s->held.stepping;
}

/* What may be run at once; 0: halted. */
uint64_t rv100_debug_budget(Rv100 *s, uint64_t budget)
{
    if (s->debug.limit) {
        budget = MIN(budget, s->debug.limit);
    }
    if (s->held.stop) {
        budget = MIN(budget, s->held.stop - 1);
        s->held.halted |= !budget;
    }
    return budget;
}

void rv100_debug_used(Rv100 *s, uint64_t units)
{
    if (s->held.stop) {
        s->held.stop -= MIN(s->held.stop - 1, units);
        s->held.halted |= s->held.stop == 1;
    }
    if (!s->debug.hooks) {
        return;
    }
    s->debug.cut = false;
    s->debug.units += units;
    if (s->debug.ask) {
        s->debug.ask = false;
        s->debug.halted |= s->debug.hooks->asked(s->debug.opaque);
    }
    if (s->debug.limit) {
        s->debug.limit -= MIN(s->debug.limit, units);
        if (!s->debug.limit) {
            s->debug.halted = true;
        }
    }
}

/* In front of a word with a breakpoint: does the engine halt there? */
void rv100_debug_break(Rv100 *s)
{
    if (s->debug.hooks && s->debug.hooks->at_break
        && s->debug.hooks->at_break(s->debug.opaque)) {
        s->debug.halted = true;
    }
}

void rv100_debug_stood_still(Rv100 *s)
{
    s->debug.limit = 0;
    if (s->debug.hooks && s->debug.hooks->halted) {
        s->debug.hooks->halted(s->debug.opaque);
    }
}

void rv100_debug_was_reset(Rv100 *s)
{
    if (s->debug.hooks && s->debug.hooks->reset) {
        s->debug.hooks->reset(s->debug.opaque);
    }
}

void rv100_debug_was_loaded(Rv100 *s)
{
    if (s->debug.hooks && s->debug.hooks->loaded) {
        s->debug.hooks->loaded(s->debug.opaque);
    }
}

/* --- from the debugger to the chip --- */

static void record(Rv100 *s, Rv100CaptureDebug what, uint64_t units)
{
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_debug(s, what, units);
    }
}

void rv100_debug_attach(Rv100 *s, const Rv100DebugHooks *hooks, void *opaque)
{
    record(s, hooks ? RV100_CAPTURE_ATTACHED : RV100_CAPTURE_DETACHED, 0);
    s->debug = (Rv100Session) { .hooks = hooks, .opaque = opaque };
    s->me.exact = hooks && hooks->packet;
    if (!hooks) {
        memset(s->me.breaks, 0, sizeof(s->me.breaks));
        s->me.skip_break = false;
        rv100_me_rebuild(&s->me);
        rv100_cp_kick(s);
    }
}

void rv100_debug_watch(Rv100 *s, bool steps, const uint32_t *writes)
{
    s->debug.steps = steps && s->debug.hooks && s->debug.hooks->step;
    s->debug.writes = s->debug.hooks && s->debug.hooks->engine_write ? writes : NULL;
    s->me.trace_steps = s->debug.steps;     /* of the slice under way */
}

void rv100_debug_halt(Rv100 *s)
{
    s->debug.halted = true;
    if (s->in_slice) {
        s->debug.cut = true;
        rv100_me_request_stop(&s->me);
    } else {
        record(s, RV100_CAPTURE_HALT, 0);
        s->debug.limit = 0;
    }
}

void rv100_debug_ask(Rv100 *s)
{
    s->debug.ask = s->debug.hooks->asked != NULL;
    s->debug.cut = true;
    rv100_me_request_stop(&s->me);
}

void rv100_debug_go(Rv100 *s, uint64_t units)
{
    record(s, RV100_CAPTURE_GO, units);
    s->debug.halted = false;
    s->debug.limit = units;
    s->me.skip_break = s->me.phase == RV100_ME_RUN;
    if (!s->debug.hooks->pause) {
        rv100_cp_kick(s);       /* its timer may have been missed */
    }
}

bool rv100_debug_halted(const Rv100 *s)
{
    return s->debug.halted;
}

uint64_t rv100_debug_limit(const Rv100 *s)
{
    return s->debug.limit;
}

uint64_t rv100_debug_units(const Rv100 *s)
{
    return s->debug.units;
}

void rv100_debug_set_units(Rv100 *s, uint64_t units)
{
    s->debug.units = units;
}

/* --- looking --- */

bool rv100_debug_inject(Rv100 *s, const uint32_t *words, uint32_t n,
                        uint32_t *room)
{
    bool ok = rv100_csq_insert(s, words, n, room);

    if (ok) {
        rv100_cp_kick(s);
    }
    return ok;
}

uint32_t rv100_debug_coming(Rv100 *s, uint32_t *words, uint32_t n)
{
    return rv100_csq_peek(s, words, n);
}

void rv100_debug_queues(Rv100 *s, Rv100DebugQueues *q)
{
    const Rv100Cp *cp = &s->cp;
    uint32_t mask = rv100_ring_mask(s);

    if (!s->in_slice) {
        rv100_csq_sync(s);
    }
    *q = (Rv100DebugQueues) {
        .ring_base = s->regs[R_CP_RB_BASE], .ring_dwords = mask + 1,
        .rptr = cp->rptr & mask, .wptr = s->regs[R_CP_RB_WPTR] & mask,
        .primary = cp->primary.wr - cp->primary.rd,
        .indirect = cp->indirect.wr - cp->indirect.rd,
        .on_indirect = cp->on_indirect,
        .ib_addr = cp->ib_addr, .ib_left = cp->ib_left,
        .ib_pending = cp->ib_pending,
        .next_addr = cp->next_addr, .next_left = cp->next_left,
        .fault = cp->fault, .on = rv100_csq_on(s), .wait = cp->wait,
        .guest_step = cp->step, .hang = cp->hang,
    };
}

bool rv100_debug_read(Rv100 *s, uint32_t addr, void *buf, uint32_t len)
{
    bool ok;

    s->debug.quiet = true;
    ok = rv100_card_read(s, addr, buf, len);
    s->debug.quiet = false;
    return ok;
}

bool rv100_debug_looking(const Rv100 *s)
{
    return s->debug.quiet;
}

bool rv100_debug_write(Rv100 *s, uint32_t addr, const void *buf, uint32_t len)
{
    bool ok;

    s->debug.quiet = true;
    ok = rv100_card_write(s, addr, buf, len);
    s->debug.quiet = false;
    return ok;
}

/* A capture has the whole state from here on. Loading it there begins some
 * things anew: so do they here. */
void rv100_debug_changed(Rv100 *s)
{
    const Rv100DebugHooks *hooks = s->debug.hooks;

    if (s->capture) {
        s->debug.hooks = NULL;
        rv100_state_loaded(s);
        s->debug.hooks = hooks;
    }
}

uint8_t *rv100_debug_vram(Rv100 *s, uint32_t *size)
{
    *size = s->vram_size;
    return s->vram;
}

void rv100_debug_vram_changed(Rv100 *s, uint32_t offset, uint32_t len)
{
    if (s->host.vram_dirty) {
        s->host.vram_dirty(s->opaque, offset, len);
    }
}

/* --- the debugger of a capture --- */

void rv100_held_set(Rv100 *s, bool halted, bool stepping)
{
    s->held = (Rv100Held) { .halted = halted, .stepping = stepping };
}

void rv100_held_go(Rv100 *s)
{
    rv100_cp_kick(s);
}

void rv100_held_stop_after(Rv100 *s, uint64_t units)
{
    s->held.stop = units + 1;
}
