/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debugger: record and backstep; trace to a file.
 *
 * Where the host can rewind (rv100 debug), backstep brings everything back. On a
 * live device it shows what the engine's registers were: a look, from which
 * step and continue go on with the present. Writes and DMA are never undone.
 */
#include <errno.h>
#include <string.h>

#include "dbg.h"
#include "tool.h"

#define DEFAULT_RECORD 10000
#define MAX_RECORD 1000000
#define MAX_TRACE_LINES 10000000u

/* --- record --- */

void dbg_record_free(Rv100Debug *d)
{
    g_clear_pointer(&d->record.ring, g_free);
    g_clear_pointer(&d->record.units, g_free);
    d->record = (DbgRecord) { 0 };
}

/* Registers as they are after the instruction. */
void dbg_record_step(Rv100Debug *d)
{
    DbgRecord *r = &d->record;

    dbg_regs_get(d->me, &r->ring[r->next]);
    r->units[r->next] = d->me->steps;
    r->next = (r->next + 1) % r->size;
    r->n = MIN(r->n + 1, r->size);
}

static const DbgRegs *entry(const DbgRecord *r, unsigned back)
{
    return &r->ring[(r->next + r->size - 1 - back) % r->size];
}

bool dbg_viewing_back(const Rv100Debug *d)
{
    return d->record.back > 0;
}

void dbg_view(Rv100Debug *d, DbgRegs *r)
{
    if (dbg_viewing_back(d)) {
        *r = *entry(&d->record, d->record.back);
    } else {
        dbg_regs_get(d->me, r);
    }
}

void dbg_show_record(Rv100Debug *d)
{
    const DbgRecord *r = &d->record;

    if (d->host.rewind) {
        dbg_print(d, "Everything can be brought back; %" PRIu64 " units so far.\n",
                  rv100_debug_units(d->chip));
    }
    if (!r->ring) {
        dbg_print(d, "Recording is off.\n");
        return;
    }
    dbg_print(d, "%u of %u instructions recorded", r->n, r->size);
    if (r->back) {
        dbg_print(d, "; looking %u back", r->back);
    }
    dbg_print(d, "\n");
}

static void cmd_record(Rv100Debug *d, char *args)
{
    char *word = dbg_word(&args);
    uint64_t n;

    if (!word) {
        dbg_show_record(d);
    } else if (!strcmp(word, "off")) {
        dbg_record_free(d);
    } else if (strcmp(word, "on")) {
        dbg_error(d, "record on [N] or off");
    } else if (dbg_count(d, args, 1, MAX_RECORD, DEFAULT_RECORD, &n)) {
        dbg_record_free(d);
        d->record.size = (unsigned)n;
        d->record.ring = g_new(DbgRegs, n);
        d->record.units = g_new(uint64_t, n);
        dbg_print(d, "The last %u instructions are recorded.\n", d->record.size);
    }
    dbg_update_hooks(d);
}

/* --- backstep --- */

static void look_back(Rv100Debug *d, uint64_t n)
{
    DbgRecord *r = &d->record;
    DbgRegs old, now;

    if (!r->ring || r->n < 2) {
        dbg_error(d, r->ring ? "nothing was recorded yet"
                  : "recording is off (record on)");
        return;
    }
    dbg_view(d, &old);
    if (r->back == r->n - 1) {
        dbg_error(d, "the record begins here");
        return;
    }
    r->back = (unsigned)MIN(r->back + n, r->n - 1);
    dbg_view(d, &now);
    dbg_symbols_update(d);
    dbg_print(d, "%u back (registers only; continue and step go on from the "
              "present)\n", r->back);
    if (now.v[DBG_PHASE] == RV100_ME_RUN) {
        dbg_say_word(d, d->out, now.v[DBG_PC] & 0xff, "<-");
    } else {
        dbg_print(d, "<- between packets\n");
    }
    dbg_regs_print(d->out, &now, &old, "      ");
}

static void rewind_host(Rv100Debug *d, uint64_t n)
{
    uint64_t now = rv100_debug_units(d->chip);
    g_autoptr(GString) why = g_string_new(NULL);
    DbgRegs old;
    bool ok;

    dbg_regs_get(d->me, &old);
    rv100_debug_mute(d, true);
    ok = d->host.rewind(d->opaque, now - MIN(n, now), why);
    rv100_debug_mute(d, false);
    if (!ok) {
        dbg_error(d, "%s", why->str);
        return;
    }
    d->record.n = 0;
    d->stop.valid = d->write.valid = false;
    d->shown = old;
    d->shown_valid = true;
    dbg_say_stop(d, d->out);
}

static void cmd_backstep(Rv100Debug *d, char *args)
{
    uint64_t n;

    if (!dbg_count(d, args, 1, UINT64_MAX, 1, &n)) {
        return;
    }
    if (!rv100_debug_halted(d->chip)) {
        dbg_error(d, "the engine is running (stop halts it)");
    } else if (d->host.rewind) {
        rewind_host(d, n);
    } else {
        look_back(d, n);
    }
}

const DbgCommand dbg_record_commands[] = {
    { "record", "[on [N] | off]", "Remember the registers of the last N "
      "instructions\nrv100 debug needs no recording for backstep.", cmd_record,
      DBG_COMPLETE_WORDS, "on off", false, true },
    { "backstep", "[N]", "N (1) steps back\n"
      "rv100 debug brings the whole state back. On a live device it is a look at "
      "the recorded registers.",
      cmd_backstep, DBG_COMPLETE_NONE, NULL, true, true },
    { "bs", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, true, true },
    { 0 }
};

/* --- trace --- */

void dbg_trace_close(Rv100Debug *d)
{
    if (d->trace.file) {
        fclose(d->trace.file);
    }
    g_free(d->trace.path);
    d->trace = (DbgTrace) { 0 };
}

/* One line; a full disk or an endless run ends the trace. */
static void put_line(Rv100Debug *d, const GString *line)
{
    DbgTrace *t = &d->trace;

    if (fwrite(line->str, 1, line->len, t->file) != line->len
        || t->lines >= MAX_TRACE_LINES) {
        t->packets = t->writes = t->steps = false;
        return;
    }
    t->lines++;
}

void dbg_trace_packet(Rv100Debug *d, const DbgPacket *p)
{
    g_autoptr(GString) s = g_string_new("packet ");

    g_string_append_printf(s, "%" PRIu64 " 0x%08x ", p->number, p->header);
    dbg_header_print(s, p->header);
    g_string_append_c(s, '\n');
    put_line(d, s);
}

void dbg_trace_write(Rv100Debug *d, uint32_t dword, uint32_t value)
{
    const Rv100RegInfo *r = rv100_mmio_info(4 * dword);
    g_autoptr(GString) s = g_string_new("write ");

    dbg_reg_title(s, 4 * dword);
    g_string_append_printf(s, " 0x%08x", value);
    if (r) {
        dbg_fields_print(s, r, value);
    }
    g_string_append_c(s, '\n');
    put_line(d, s);
}

void dbg_trace_step(Rv100Debug *d, uint8_t pc)
{
    g_autoptr(GString) s = g_string_new("step ");

    dbg_symbols_update(d);
    g_string_append_printf(s, "%02x ", pc);
    disasm_word(s, &d->symbols.flow, &d->symbols.labels, pc);
    g_string_append_c(s, '\n');
    put_line(d, s);
}

static bool trace_kinds(Rv100Debug *d, char *args, DbgTrace *t)
{
    for (char *word = dbg_word(&args); word; word = dbg_word(&args)) {
        if (!strcmp(word, "packets")) {
            t->packets = true;
        } else if (!strcmp(word, "writes")) {
            t->writes = true;
        } else if (!strcmp(word, "steps")) {
            t->steps = true;
        } else {
            dbg_error(d, "trace on FILE [packets] [writes] [steps]");
            return false;
        }
    }
    if (!t->packets && !t->writes && !t->steps) {
        t->packets = t->writes = true;
    }
    return true;
}

static void trace_on(Rv100Debug *d, char *args)
{
    DbgTrace t = { 0 };
    char *path = dbg_word(&args);

    if (!path) {
        dbg_error(d, "trace on FILE [packets] [writes] [steps]");
        return;
    }
    if (!trace_kinds(d, args, &t)) {
        return;
    }
    if (dbg_bad_file(d, path)) {
        dbg_error(d, "%s: %s", path, dbg_bad_file(d, path));
        return;
    }
    dbg_trace_close(d);
    t.file = fopen(path, "w");
    if (!t.file) {
        dbg_error(d, "cannot write %s: %s", path, g_strerror(errno));
        return;
    }
    t.path = g_strdup(path);
    d->trace = t;
    dbg_print(d, "Tracing to %s.\n", path);
}

static void cmd_trace(Rv100Debug *d, char *args)
{
    char *word = dbg_word(&args);

    if (word && !strcmp(word, "on")) {
        trace_on(d, args);
    } else if (word && !strcmp(word, "off")) {
        if (d->trace.file) {
            dbg_print(d, "%" PRIu64 " lines in %s%s\n", d->trace.lines,
                      d->trace.path, ferror(d->trace.file)
                      ? ", which could not all be written" : "");
        }
        dbg_trace_close(d);
    } else {
        dbg_error(d, "trace on FILE [packets] [writes] [steps], or trace off");
    }
    dbg_update_hooks(d);
}

const DbgCommand dbg_trace_commands[] = {
    { "trace", "on FILE [packets] [writes] [steps] | off",
      "Write what happens to a file (packets and writes)", cmd_trace,
      DBG_COMPLETE_WORDS, "on off packets writes steps", false, true },
    { 0 }
};
