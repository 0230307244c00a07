/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debugger: step, next, finish, until, continue, stop; what a halt prints.
 *
 * The unit of a step is an instruction or a header. Where the host has no run(),
 * the engine belongs to timers: a step is then made at once, as far as there is
 * work for it, and continue returns before anything has happened.
 */
#include <string.h>

#include "dbg.h"
#include "rv100-me-isa.h"
#include "rv100-regs.h"

#define SLICES_AT_ONCE 16       /* of a step: what a monitor may have to wait */

/* --- halting --- */

void dbg_halt(Rv100Debug *d, const DbgStop *why)
{
    if (!d->stop.valid) {
        d->stop = *why;
        d->stop.valid = true;
    }
    rv100_debug_halt(d->chip);
}

static bool packet_over(const Rv100Debug *d)
{
    return d->me->phase == RV100_ME_DISPATCH || d->n_packets != d->run.packet;
}

void dbg_run_step(Rv100Debug *d, uint8_t pc)
{
    const DbgRun *r = &d->run;
    bool over = packet_over(d);
    bool done;

    switch (r->kind) {
    case DBG_RUN_NEXT:
        done = over || d->me->depth <= r->depth;
        break;
    case DBG_RUN_FINISH:
        done = over || d->me->depth < r->depth;
        break;
    case DBG_RUN_UNTIL:
        done = d->me->phase == RV100_ME_RUN && d->me->pc == r->until;
        break;
    case DBG_RUN_PAST:
        done = over || d->me->pc > r->until;
        break;
    default:
        return;
    }
    if (done) {
        dbg_halt(d, &(DbgStop) { .reason = over && r->kind != DBG_RUN_UNTIL
                                 ? "The packet is over." : NULL });
    }
}

/* until: the word may be the first of a packet; finish and next that begin in
 * front of a header belong to the packet that comes. */
void dbg_run_packet(Rv100Debug *d)
{
    if (d->run.kind == DBG_RUN_UNTIL && d->me->pc == d->run.until) {
        dbg_halt(d, &(DbgStop) { .reason = NULL });
    }
    if (d->run.at_header) {
        d->run.at_header = false;
        d->run.packet = d->n_packets;
    }
}

/* --- what is said --- */

void dbg_say_word(Rv100Debug *d, GString *s, unsigned addr, const char *mark)
{
    const DbgSource *source = dbg_source_of(d, addr);
    const DbgSymbols *y = &d->symbols;
    size_t start;

    if (y->labels.name[addr]) {
        g_string_append_printf(s, "%s:\n", y->labels.name[addr]);
    }
    start = s->len;
    g_string_append_printf(s, "%s%c%02x  ", mark,
                           d->me->breaks[addr / 32] >> addr % 32 & 1 ? '*' : ' ',
                           addr);
    if (y->flow.code[addr]) {
        disasm_word(s, &y->flow, &y->labels, addr);
    } else {
        g_string_append_printf(s, ".word 0x%02x, 0x%08x", d->me->hi[addr],
                               d->me->lo[addr]);
    }
    if (source) {
        g_string_append_printf(s, "%*s# %s:%u",
                               MAX(1, 64 - (int)(s->len - start)), "",
                               source->file, source->line);
    }
    g_string_append_c(s, '\n');
}

/* The word that will be the next header, if it is known. */
static bool next_header(Rv100Debug *d, uint32_t *word)
{
    if (d->me->head_valid) {
        *word = d->me->head;
        return true;
    }
    return !d->me->header_pending && rv100_debug_coming(d->chip, word, 1);
}

void dbg_say_place(Rv100Debug *d, GString *s)
{
    uint32_t word;

    dbg_symbols_update(d);
    if (d->me->phase == RV100_ME_RUN) {
        dbg_say_word(d, s, d->me->pc, "=>");
    } else if (next_header(d, &word)) {
        g_string_append_printf(s, "=> between packets; next 0x%08x: ", word);
        dbg_header_print(s, word);
        g_string_append_c(s, '\n');
    } else {
        g_string_append(s, "=> between packets\n");
    }
}

static void say_write(Rv100Debug *d, GString *s, const DbgStop *stop)
{
    g_autofree char *by = dbg_place_name(d, stop->pc);

    if (stop->me) {
        g_autofree char *word = dbg_place_name(d, stop->dword);

        g_string_append_printf(s, "microcode word 0x%02x %s = 0x%02x 0x%08x",
                               stop->dword, word, d->me->hi[stop->dword & 0xff],
                               d->me->lo[stop->dword & 0xff]);
    } else {
        const Rv100RegInfo *r = rv100_mmio_info(4 * stop->dword);

        dbg_reg_title(s, 4 * stop->dword);
        g_string_append_printf(s, " = 0x%08x", stop->value);
        if (r) {
            dbg_fields_print(s, r, stop->value);
        }
    }
    if (stop->by_host) {
        g_string_append(s, ", written by the host\n");
    } else {
        g_string_append_printf(s, ", written at 0x%02x %s\n", stop->pc, by);
    }
}

static void say_break(Rv100Debug *d, GString *s, const DbgStop *stop)
{
    const DbgBreak *b = stop->b;
    g_autofree char *place = dbg_place_name(d, stop->pc);

    g_string_append_printf(s, "%s %u, ", b->kind == DBG_WATCH ? "Watchpoint"
                           : b->temporary ? "Temporary breakpoint" : "Breakpoint",
                           b->number);
    switch (b->kind) {
    case DBG_BREAK_PC:
        g_string_append_printf(s, "%s\n", place);
        break;
    case DBG_BREAK_PACKET:
        g_string_append_printf(s, "packet %" PRIu64 ": ", d->n_packets);
        dbg_header_print(s, stop->value);
        g_string_append_c(s, '\n');
        break;
    case DBG_WATCH:
        g_string_append_printf(s, "%s: 0x%" PRIx64 " -> 0x%" PRIx64
                               ", after 0x%02x %s\n", dbg_expr_text(b->condition),
                               stop->old, stop->now, stop->pc, place);
        break;
    default:
        say_write(d, s, stop);
        break;
    }
}

static void say_changes(Rv100Debug *d, GString *s)
{
    DbgRegs now;

    dbg_regs_get(d->me, &now);
    dbg_regs_print(s, &now, d->shown_valid ? &d->shown : NULL, "      ");
    d->shown = now;
    d->shown_valid = true;
}

void dbg_say_stop(Rv100Debug *d, GString *s)
{
    DbgStop stop = d->stop;

    d->stop.valid = false;
    d->run.kind = DBG_RUN_FREE;
    dbg_update_hooks(d);
    dbg_symbols_update(d);
    if (stop.valid && stop.b) {
        say_break(d, s, &stop);
        dbg_break_done(d, stop.b);
    } else if (stop.valid && stop.reason) {
        g_string_append_printf(s, "%s\n", stop.reason);
    }
    dbg_say_place(d, s);
    say_changes(d, s);
    dbg_say_displays(d, s);
}

/* Why nothing moves although the engine is not halted by the user; NULL: it can
 * move. */
static const char *stands_still(Rv100Debug *d)
{
    Rv100DebugQueues q;

    rv100_debug_queues(d->chip, &q);
    if (rv100_debug_runnable(d->chip)) {
        return NULL;
    }
    if (!q.on) {
        return "the command queue is off (CP_CSQ_CNTL)";
    }
    if (q.hang) {
        return "the engine hangs (x-hang)";
    }
    if (q.fault) {
        return "a fetch met a bus error; a soft reset of the CP goes on";
    }
    if (q.wait) {
        return "the engine waits for the display (WAIT_UNTIL)";
    }
    if (!(rv100_peek(d->chip, A_CP_ME_CNTL) & R_CP_ME_CNTL_ME_MODE_MASK)
        && !q.guest_step) {
        return "the guest has halted the engine (CP_ME_CNTL.ME_MODE is 0)";
    }
    return d->me->phase == RV100_ME_RUN ? "the engine waits for words of its packet"
                                        : "the engine waits for a packet";
}

const char *dbg_stands_still(Rv100Debug *d)
{
    return stands_still(d);
}

/* --- going --- */

static void run_at_once(Rv100Debug *d)
{
    for (unsigned i = 0; i < SLICES_AT_ONCE && !rv100_debug_halted(d->chip); i++) {
        if (!rv100_run(d->chip, 0)) {
            break;
        }
    }
    if (!rv100_debug_halted(d->chip)) {
        const char *why = stands_still(d);

        dbg_print(d, "Running%s%s.\n", why ? ": " : "", why ? why : "");
    }
}

static void run_by_host(Rv100Debug *d)
{
    const char *why = d->host.run(d->opaque);

    if (!rv100_debug_halted(d->chip)) {
        rv100_debug_halt(d->chip);
        d->stop = (DbgStop) { .valid = true, .reason = why };
        dbg_say_stop(d, d->out);
    }
}

static void go(Rv100Debug *d, const DbgRun *run, uint64_t units)
{
    if (!rv100_debug_halted(d->chip)) {
        dbg_error(d, "the engine is running (stop halts it)");
        return;
    }
    d->record.back = 0;
    d->run = *run;
    d->run.depth = d->me->depth;
    d->run.packet = d->n_packets;
    d->run.at_header = d->me->phase == RV100_ME_DISPATCH;
    d->stop.valid = false;
    dbg_regs_get(d->me, &d->shown);
    d->shown_valid = true;
    rv100_debug_go(d->chip, units);
    dbg_update_hooks(d);
    if (d->host.run) {
        run_by_host(d);
        return;
    }
    if (run->kind != DBG_RUN_FREE) {
        run_at_once(d);
    } else {
        dbg_print(d, "Continuing.\n");
    }
    if (d->vm_stopped && !rv100_debug_halted(d->chip)) {
        d->vm_stopped = false;
        d->host.stop_vm(d->opaque, false);
    }
}

static void cmd_continue(Rv100Debug *d, char *args)
{
    go(d, &(DbgRun) { .kind = DBG_RUN_FREE }, 0);
}

static void cmd_step(Rv100Debug *d, char *args)
{
    uint64_t n;

    if (dbg_count(d, args, 1, 1000000000, 1, &n)) {
        go(d, &(DbgRun) { .kind = DBG_RUN_UNITS }, n);
    }
}

static bool is_call(Rv100Debug *d)
{
    unsigned seq;

    dbg_symbols_update(d);
    seq = flow_seq(&d->symbols.flow, d->me->pc);
    return d->me->phase == RV100_ME_RUN
        && (seq == ME_SEQ_CALL || seq == ME_SEQ_CALLT);
}

static void cmd_next(Rv100Debug *d, char *args)
{
    bool call = is_call(d);

    go(d, &(DbgRun) { .kind = call ? DBG_RUN_NEXT : DBG_RUN_UNITS },
       call ? 0 : 1);
}

static void cmd_finish(Rv100Debug *d, char *args)
{
    go(d, &(DbgRun) { .kind = DBG_RUN_FINISH }, 0);
}

static void cmd_until(Rv100Debug *d, char *args)
{
    uint64_t at;

    if (!*g_strstrip(args)) {
        go(d, &(DbgRun) { .kind = DBG_RUN_PAST, .until = d->me->pc }, 0);
    } else if (dbg_number(d, args, &at)) {
        if (at >= RV100_ME_WORDS) {
            dbg_error(d, "0x%" PRIx64 ": microcode addresses end at 0xff", at);
            return;
        }
        go(d, &(DbgRun) { .kind = DBG_RUN_UNTIL, .until = (uint8_t)at }, 0);
    }
}

static void cmd_stop(Rv100Debug *d, char *args)
{
    const char *why;

    if (rv100_debug_halted(d->chip)) {
        dbg_print(d, "The engine is halted already.\n");
    } else {
        why = stands_still(d);
        rv100_debug_halt(d->chip);
        if (d->stop_vm && d->host.stop_vm) {
            d->vm_stopped = true;
            d->host.stop_vm(d->opaque, true);
        }
        dbg_print(d, "Halted%s%s.\n", why ? "; " : "", why ? why : "");
    }
    d->stop.valid = false;
    dbg_say_stop(d, d->out);
}

const DbgCommand dbg_run_commands[] = {
    { "continue", "", "Let the engine run", cmd_continue, DBG_COMPLETE_NONE, NULL,
      false, false },
    { "c", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, false, false },
    { "step", "[N]", "Execute N (1) instructions; a header counts as one",
      cmd_step, DBG_COMPLETE_NONE, NULL, true, false },
    { "s", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, true, false },
    { "next", "", "Step over a call", cmd_next, DBG_COMPLETE_NONE, NULL, true,
      false },
    { "n", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, true, false },
    { "finish", "", "To the end of the subroutine, else of the packet",
      cmd_finish, DBG_COMPLETE_NONE, NULL, true, false },
    { "until", "[ADDR]", "Until the word at ADDR (or behind this one: out of loops)",
      cmd_until, DBG_COMPLETE_LABEL, NULL, true, false },
    { "u", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, true, false },
    { "stop", "", "Halt the engine now", cmd_stop, DBG_COMPLETE_NONE, NULL, false,
      true },
    { "halt", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, false, true },
    { 0 }
};
