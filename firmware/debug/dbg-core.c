/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debugger: the session, the table of commands, help and completion.
 *
 * Each part of the debugger has a table of its commands; a name may be cut short
 * as long as one command begins with it (of several the first in the order of
 * the tables that is marked by being an alias, as in gdb: b, c, d, n, s, p).
 */
#include <stdarg.h>
#include <string.h>

#include "dbg.h"
#include "tool.h"

static const DbgCommand *const tables[] = {
    dbg_break_commands, dbg_run_commands, dbg_data_commands, dbg_show_commands,
    dbg_status_commands, dbg_record_commands, dbg_trace_commands,
    dbg_core_commands,
};

/* --- output --- */

void dbg_print(Rv100Debug *d, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    g_string_append_vprintf(d->out, format, ap);
    va_end(ap);
}

void dbg_error(Rv100Debug *d, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    g_string_append(d->out, "error: ");
    g_string_append_vprintf(d->out, format, ap);
    g_string_append_c(d->out, '\n');
    va_end(ap);
    d->result = MAX(d->result, RV100_DEBUG_ERROR);
}

/* --- arguments --- */

char *dbg_word(char **args)
{
    char *start = g_strchug(*args);

    if (!*start) {
        *args = start;
        return NULL;
    }
    *args = start + strcspn(start, " \t");
    if (**args) {
        *(*args)++ = 0;
        g_strchug(*args);
    }
    return start;
}

bool dbg_no_more(Rv100Debug *d, char *args)
{
    if (*g_strstrip(args)) {
        g_autofree char *quoted = tool_quote(args, strlen(args));

        dbg_error(d, "unexpected '%s'", quoted);
        return false;
    }
    return true;
}

bool dbg_count(Rv100Debug *d, char *text, uint64_t min, uint64_t max,
               uint64_t otherwise, uint64_t *n)
{
    *n = otherwise;
    if (!text || !*g_strstrip(text)) {
        return true;
    }
    if (!dbg_number(d, text, n)) {
        return false;
    }
    if (*n < min || *n > max) {
        dbg_error(d, "%s: a number from %" PRIu64 " to %" PRIu64 " expected", text,
                  min, max);
        return false;
    }
    return true;
}

bool dbg_needs_halt(Rv100Debug *d, const char *what)
{
    if (!rv100_debug_halted(d->chip)) {
        dbg_error(d, "%s: the engine is running (stop halts it)", what);
        return false;
    }
    if (dbg_viewing_back(d)) {
        dbg_error(d, "%s: this is a look back (continue or step go on from the "
                  "present)", what);
        return false;
    }
    return true;
}

/* --- commands of the core --- */

static const DbgCommand *next_row(unsigned *t, const DbgCommand *c)
{
    c = c ? c + 1 : tables[*t];
    while (!c->name) {
        if (++*t == G_N_ELEMENTS(tables)) {
            return NULL;
        }
        c = tables[*t];
    }
    return c;
}

/* The row with function and help of an alias. */
static const DbgCommand *main_row(const DbgCommand *c)
{
    while (!c->run) {
        c--;
    }
    return c;
}

static const DbgCommand *find_command(const char *name, GString *several)
{
    const DbgCommand *found = NULL;
    unsigned t = 0;

    for (const DbgCommand *c = next_row(&t, NULL); c; c = next_row(&t, c)) {
        if (!strcmp(c->name, name)) {
            return c;
        }
    }
    t = 0;
    for (const DbgCommand *c = next_row(&t, NULL); c; c = next_row(&t, c)) {
        if (!strncmp(c->name, name, strlen(name))) {
            g_string_append_printf(several, "%s%s", several->len ? ", " : "",
                                   c->name);
            if (found && main_row(found) != main_row(c)) {
                g_string_append_c(several, '!');
            }
            found = found ? found : c;
        }
    }
    if (strchr(several->str, '!')) {
        GString *names = g_string_new(NULL);

        for (const char *p = several->str; *p; p++) {
            if (*p != '!') {
                g_string_append_c(names, *p);
            }
        }
        g_string_assign(several, names->str);
        g_string_free(names, TRUE);
        return NULL;
    }
    return found;
}

#define HELP_COLUMN 38

static void help_all(Rv100Debug *d)
{
    unsigned t = 0;

    for (const DbgCommand *c = next_row(&t, NULL); c; c = next_row(&t, c)) {
        if (c->run) {
            g_autofree char *left = g_strdup_printf("%s %s", c->name, c->args);

            if (strlen(left) > HELP_COLUMN) {
                dbg_print(d, "  %s\n  %*s", left, HELP_COLUMN, "");
            } else {
                dbg_print(d, "  %-*s", HELP_COLUMN, left);
            }
            dbg_print(d, " %.*s\n", (int)strcspn(c->help, "\n"), c->help);
        }
    }
    dbg_print(d, "\nNames may be cut short. help COMMAND says more. An empty line "
              "repeats a step or a look.\n");
}

static void cmd_help(Rv100Debug *d, char *args)
{
    g_autoptr(GString) several = g_string_new(NULL);
    char *name = dbg_word(&args);
    const DbgCommand *c, *row;

    if (!name) {
        help_all(d);
        return;
    }
    row = find_command(name, several);
    if (!row) {
        g_autofree char *quoted = tool_quote(name, strlen(name));

        dbg_error(d, several->len ? "'%s' may be %s" : "there is no command '%s'",
                  quoted, several->str);
        return;
    }
    c = main_row(row);
    dbg_print(d, "%s %s\n", c->name, c->args);
    for (const DbgCommand *a = c + 1; a->name && !a->run; a++) {
        dbg_print(d, "%s%s", a == c + 1 ? "also: " : ", ", a->name);
        dbg_print(d, "%s", a[1].name && !a[1].run ? "" : "\n");
    }
    dbg_print(d, "%s\n", c->help);
}

static void cmd_quit(Rv100Debug *d, char *args)
{
    d->result = MAX(d->result, RV100_DEBUG_QUIT);
}

static void cmd_echo(Rv100Debug *d, char *args)
{
    dbg_print(d, "%s\n", args);
}

static void cmd_assert(Rv100Debug *d, char *args)
{
    uint64_t value;

    if (dbg_number(d, args, &value) && !value) {
        dbg_print(d, "assertion failed: %s\n", g_strstrip(args));
        d->result = MAX(d->result, RV100_DEBUG_FAILED);
    }
}

static void cmd_source(Rv100Debug *d, char *args)
{
    if (!*g_strstrip(args)) {
        dbg_error(d, "source wants the name of a file");
        return;
    }
    dbg_run_script(d, args);
}

static void cmd_symbols(Rv100Debug *d, char *args)
{
    if (!*g_strstrip(args)) {
        dbg_show_symbols(d);
    } else if (!rv100_debug_symbols(d, args, d->out)) {
        d->result = MAX(d->result, RV100_DEBUG_ERROR);
    } else {
        dbg_show_symbols(d);
    }
}

static void cmd_info(Rv100Debug *d, char *args)
{
    static const struct {
        const char *name;
        void (*show)(Rv100Debug *d);
    } topics[] = {
        { "breakpoints", dbg_show_breaks },
        { "watchpoints", dbg_show_breaks },
        { "display", dbg_show_displays },
        { "record", dbg_show_record },
        { "symbols", dbg_show_symbols },
        { "status", dbg_show_status },
    };
    char *name = dbg_word(&args);

    if (name && !strncmp("registers", name, strlen(name))) {
        DbgRegs r;

        dbg_view(d, &r);
        dbg_print(d, "  pc 0x%02x\n", r.v[DBG_PC]);
        dbg_regs_print(d->out, &r, NULL, "  ");
        return;
    }
    for (unsigned i = 0; name && i < G_N_ELEMENTS(topics); i++) {
        if (!strncmp(topics[i].name, name, strlen(name))) {
            topics[i].show(d);
            return;
        }
    }
    dbg_error(d, "info wants one of breakpoints, display, record, registers, "
              "status, symbols");
}

const DbgCommand dbg_core_commands[] = {
    { "info", "breakpoints|display|record|registers|status|symbols",
      "Show what is set", cmd_info, DBG_COMPLETE_WORDS,
      "breakpoints display record registers status symbols", false, true },
    { "i", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, false, true },
    { "symbols", "[FILE]",
      "Names and lines: a symbol file, or a source (.s)\n"
      "The source of the free image is recognised by itself.",
      cmd_symbols, DBG_COMPLETE_NONE, NULL, false, true },
    { "assert", "EXPR", "Fail when EXPR is 0: exit status 1 of a batch",
      cmd_assert, DBG_COMPLETE_EXPR, NULL, false, true },
    { "echo", "TEXT", "Print TEXT", cmd_echo, DBG_COMPLETE_NONE, NULL, false,
      true },
    { "source", "FILE", "Execute the commands in FILE", cmd_source,
      DBG_COMPLETE_NONE, NULL, false, true },
    { "help", "[COMMAND]", "This list, or more about a command", cmd_help,
      DBG_COMPLETE_COMMAND, NULL, false, true },
    { "quit", "", "End the session (the engine stays as it is)", cmd_quit,
      DBG_COMPLETE_NONE, NULL, false, true },
    { "exit", NULL, NULL, NULL, DBG_COMPLETE_NONE, NULL, false, true },
    { 0 }
};

/* --- one line --- */

static bool refused(Rv100Debug *d, const DbgCommand *c)
{
    const char *why = !c->look && d->host.refuse ? d->host.refuse(d->opaque)
                                                 : NULL;

    if (why) {
        dbg_error(d, "%s: %s", c->name, why);
    }
    return why != NULL;
}

static void execute(Rv100Debug *d, char *line)
{
    g_autoptr(GString) several = g_string_new(NULL);
    size_t n = 0;
    g_autofree char *name = NULL;
    const DbgCommand *row;

    while (g_ascii_isalnum(line[n]) || line[n] == '-' || line[n] == '_') {
        n++;
    }
    name = g_strndup(line, n);
    row = n ? find_command(name, several) : NULL;
    /* x/4xw is written without a blank */
    if (!row || (line[n] && !strchr(" \t/", line[n]))) {
        g_autofree char *quoted = tool_quote(line, strcspn(line, " \t"));

        dbg_error(d, several->len ? "'%s' may be %s"
                  : "no command '%s' (help lists them)", quoted, several->str);
        return;
    }
    row = main_row(row);
    if (refused(d, row)) {
        return;
    }
    if (!row->args[0] && !dbg_no_more(d, line + n)) {
        return;
    }
    if (row->repeat) {
        g_free(d->again);
        d->again = g_strdup(line);
    } else {
        g_clear_pointer(&d->again, g_free);
    }
    row->run(d, g_strchug(line + n));
}

Rv100DebugResult rv100_debug_command(Rv100Debug *d, const char *line, size_t len,
                                     GString *out)
{
    GString *outer = d->out;
    Rv100DebugResult outer_result = d->result, result;

    d->out = out;
    d->result = RV100_DEBUG_OK;
    while (len && strchr("\r\n \t", line[len - 1])) {
        len--;
    }
    while (len && (*line == ' ' || *line == '\t')) {
        line++;
        len--;
    }
    if (len > RV100_DEBUG_MAX_LINE) {
        dbg_error(d, "a line of %zu bytes: at most %d", len, RV100_DEBUG_MAX_LINE);
    } else if (len && memchr(line, 0, len)) {
        dbg_error(d, "a line with a zero byte");
    } else if (!len && d->again && !d->depth) {
        g_autofree char *copy = g_strdup(d->again);

        execute(d, copy);
    } else if (len && *line != '#') {
        g_autofree char *copy = g_strndup(line, len);

        execute(d, copy);
    }
    result = d->result;
    d->out = outer;
    d->result = outer ? MAX(outer_result, result) : result;
    return result;
}

const char *dbg_bad_file(const Rv100Debug *d, const char *path)
{
    if (d->host.run || !g_file_test(path, G_FILE_TEST_EXISTS)
        || g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        return NULL;
    }
    return "no regular file; the machine could have to wait for it";
}

void dbg_run_script(Rv100Debug *d, const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    size_t len;

    if (d->depth == DBG_MAX_DEPTH) {
        dbg_error(d, "%s: files that read each other", path);
        return;
    }
    if (dbg_bad_file(d, path)) {
        dbg_error(d, "%s: %s", path, dbg_bad_file(d, path));
        return;
    }
    text = tool_read(path, &len, &error);
    if (!text) {
        dbg_error(d, "%s", error->message);
        return;
    }
    d->depth++;
    for (size_t at = 0, n = 1; at < len; n++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t length = end ? (size_t)(end - text) - at : len - at;
        Rv100DebugResult r = rv100_debug_command(d, text + at, length, d->out);

        if (r == RV100_DEBUG_ERROR || r == RV100_DEBUG_FAILED) {
            dbg_print(d, "%s:%zu: the rest of the file is left out\n", path, n);
        }
        if (r != RV100_DEBUG_OK) {
            break;
        }
        at += length + 1;
    }
    d->depth--;
}

/* --- completion --- */

static void candidate(GPtrArray *all, const char *name, const char *prefix)
{
    if (!g_ascii_strncasecmp(name, prefix, strlen(prefix))) {
        g_ptr_array_add(all, g_strdup(name));
    }
}

static void chip_registers(GPtrArray *all, const char *prefix)
{
    for (unsigned i = 0; *prefix && i < rv100_n_mmio_regs; i++) {
        candidate(all, rv100_mmio_regs[i].name, prefix);
    }
}

static void packet_names(GPtrArray *all, const char *prefix)
{
    for (unsigned op = 0; op < 128; op++) {
        if (isa_packet_name(op)) {
            candidate(all, isa_packet_name(op), prefix);
        }
    }
}

static void label_names(Rv100Debug *d, GPtrArray *all, const char *prefix)
{
    dbg_symbols_update(d);
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (d->symbols.labels.name[i]) {
            candidate(all, d->symbols.labels.name[i], prefix);
        }
    }
}

static void command_names(GPtrArray *all, const char *prefix)
{
    unsigned t = 0;

    for (const DbgCommand *c = next_row(&t, NULL); c; c = next_row(&t, c)) {
        candidate(all, c->name, prefix);
    }
}

static void words(GPtrArray *all, const char *list, const char *prefix)
{
    g_auto(GStrv) names = g_strsplit(list, " ", -1);

    for (char **n = names; *n; n++) {
        candidate(all, *n, prefix);
    }
}

/* Arguments of break: the second word depends on the first. */
static void break_words(Rv100Debug *d, GPtrArray *all, const char *args,
                        const char *prefix)
{
    if (g_str_has_prefix(args, "packet ")) {
        packet_names(all, prefix);
    } else if (g_str_has_prefix(args, "reg ")) {
        chip_registers(all, prefix);
    } else {
        words(all, "packet reg me if", prefix);
        label_names(d, all, prefix);
    }
}

static int by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void complete_args(Rv100Debug *d, GPtrArray *all, const char *line,
                          const char *prefix)
{
    g_autoptr(GString) several = g_string_new(NULL);
    size_t n = strcspn(line, " \t/");
    g_autofree char *name = g_strndup(line, n);
    const DbgCommand *row = find_command(name, several);

    row = row ? main_row(row) : NULL;
    if (!row || row->complete == DBG_COMPLETE_NONE) {
        return;
    }
    if (row->complete == DBG_COMPLETE_COMMAND) {
        command_names(all, prefix);
    } else if (row->complete == DBG_COMPLETE_WORDS) {
        words(all, row->words, prefix);
    } else if (row->complete == DBG_COMPLETE_REG) {
        chip_registers(all, prefix);
    } else if (row->complete == DBG_COMPLETE_BREAK) {
        break_words(d, all, line + n + strspn(line + n, " \t"), prefix);
    } else {
        label_names(d, all, prefix);
        if (row->complete == DBG_COMPLETE_EXPR) {
            for (unsigned i = 0; i < DBG_REGS; i++) {
                candidate(all, dbg_reg_name(i), prefix);
            }
            chip_registers(all, prefix);
        }
    }
}

GStrv rv100_debug_complete(Rv100Debug *d, const char *line, size_t *start)
{
    GPtrArray *all = g_ptr_array_new();
    size_t at = strlen(line);

    line += strspn(line, " \t");
    at = strlen(line);
    while (at && (g_ascii_isalnum(line[at - 1]) || strchr("_-", line[at - 1]))) {
        at--;
    }
    if (at == 0) {
        command_names(all, line);
    } else {
        complete_args(d, all, line, line + at);
    }
    g_ptr_array_sort(all, by_name);
    *start = at;
    g_ptr_array_add(all, NULL);
    return (GStrv)g_ptr_array_free(all, FALSE);
}

/* --- hooks of the chip --- */

static void on_packet(void *opaque, uint32_t header, uint8_t entry)
{
    Rv100Debug *d = opaque;

    dbg_packet_seen(d, header, entry);
    if (!d->off) {
        dbg_run_packet(d);
        dbg_break_packet(d, header);
    }
}

static void on_step(void *opaque, uint8_t pc)
{
    Rv100Debug *d = opaque;

    if (d->off) {
        return;
    }
    if (d->trace.steps) {
        dbg_trace_step(d, pc);
    }
    if (d->record.ring) {
        dbg_record_step(d);
    }
    if (d->any_watch) {
        dbg_watch_step(d, pc);
    }
    dbg_run_step(d, pc);
}

static void on_write(void *opaque, uint32_t dword, uint32_t value)
{
    Rv100Debug *d = opaque;

    if (d->off) {
        return;
    }
    if (d->trace.writes) {
        dbg_trace_write(d, dword, value);
    }
    if (d->reg_breaks[dword / 32 % G_N_ELEMENTS(d->reg_breaks)] >> dword % 32 & 1) {
        dbg_break_write(d, dword, value);
    }
}

static void on_me_write(void *opaque, uint8_t addr, bool by_engine)
{
    Rv100Debug *d = opaque;

    if (d->any_me_break && !d->off) {
        dbg_break_me(d, addr, by_engine);
    }
}

static bool on_break(void *opaque)
{
    Rv100Debug *d = opaque;

    return !d->off && dbg_break_at(d);
}

static bool on_asked(void *opaque)
{
    Rv100Debug *d = opaque;

    return !d->off && dbg_break_asked(d);
}

static void deliver(Rv100Debug *d, const char *text)
{
    if (d->out) {
        g_string_append(d->out, text);
    } else if (d->host.message) {
        d->host.message(d->opaque, text);
    }
}

static void on_halted(void *opaque)
{
    Rv100Debug *d = opaque;
    g_autoptr(GString) text = g_string_new(NULL);

    if (d->off) {
        return;
    }
    if (d->stop_vm && !d->vm_stopped && d->host.stop_vm) {
        d->vm_stopped = true;
        d->host.stop_vm(d->opaque, true);
    }
    dbg_say_stop(d, text);
    deliver(d, text->str);
}

/* The host's write has met a breakpoint between two slices. */
void dbg_halted_by_host(Rv100Debug *d)
{
    on_halted(d);
}

static void on_pause(void *opaque)
{
    Rv100Debug *d = opaque;

    d->host.pause(d->opaque);
}

static void forget(Rv100Debug *d)
{
    d->record.n = d->record.back = 0;
    d->shown_valid = false;
}

static void on_reset(void *opaque)
{
    Rv100Debug *d = opaque;

    if (!d->off) {
        forget(d);
        dbg_changed(d);
        if (rv100_debug_halted(d->chip)) {
            deliver(d, "The command processor was reset; it is still halted.\n");
        }
    }
}

static void on_loaded(void *opaque)
{
    Rv100Debug *d = opaque;

    if (!d->off) {
        forget(d);
        if (rv100_debug_halted(d->chip)) {
            g_autoptr(GString) text = g_string_new("A state was loaded; the engine "
                                                   "is still halted.\n");

            dbg_say_place(d, text);
            deliver(d, text->str);
        }
    }
}

void dbg_update_hooks(Rv100Debug *d)
{
    bool by_step = !rv100_debug_halted(d->chip)
        && d->run.kind >= DBG_RUN_NEXT;
    bool any = false;

    for (unsigned i = 0; i < G_N_ELEMENTS(d->writes); i++) {
        d->writes[i] = d->trace.writes ? ~0u : d->reg_breaks[i];
        any |= d->writes[i] != 0;
    }
    rv100_debug_watch(d->chip, by_step || d->trace.steps || d->record.ring
                      || d->any_watch, any ? d->writes : NULL);
}

void dbg_changed(Rv100Debug *d)
{
    if (d->host.changed) {
        d->host.changed(d->opaque);
    }
}

void dbg_user_changed(Rv100Debug *d)
{
    rv100_debug_changed(d->chip);
    dbg_changed(d);
}

/* --- the session --- */

Rv100Debug *rv100_debug_new(Rv100 *chip, const Rv100DebugHost *host,
                            void *opaque)
{
    static const Rv100DebugHooks hooks = {
        .packet = on_packet,
        .step = on_step,
        .engine_write = on_write,
        .me_write = on_me_write,
        .at_break = on_break,
        .asked = on_asked,
        .halted = on_halted,
        .reset = on_reset,
        .loaded = on_loaded,
    };
    Rv100Debug *d = g_new0(Rv100Debug, 1);

    d->chip = chip;
    d->me = rv100_engine(chip);
    d->host = *host;
    d->opaque = opaque;
    d->breaks = g_ptr_array_new();
    d->displays = g_array_new(FALSE, TRUE, sizeof(DbgDisplay));
    d->next_break = d->next_display = 1;
    d->hooks = hooks;
    d->hooks.pause = host->pause ? on_pause : NULL;
    rv100_debug_attach(chip, &d->hooks, d);
    return d;
}

void rv100_debug_free(Rv100Debug *d)
{
    rv100_debug_attach(d->chip, NULL, NULL);
    dbg_breaks_free(d);
    dbg_displays_free(d);
    dbg_record_free(d);
    dbg_trace_close(d);
    dbg_symbols_clear(d);
    decode_set_free(d->layouts);
    g_free(d->again);
    g_free(d);
}

void rv100_debug_mute(Rv100Debug *d, bool on)
{
    d->off = on;
}

bool rv100_debug_is_halted(const Rv100Debug *d)
{
    return rv100_debug_halted(d->chip);
}
