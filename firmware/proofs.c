/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "proofs.h"

#include <string.h>

#include "asm.h"
#include "isa.h"
#include "tool.h"
#include "words.h"

#define MAX_STEPS 10000

typedef struct Reader {
    const char *path;
    GStrv lines;
    unsigned at;
    GError **error;
} Reader;

static bool wrong(Reader *r, const char *what)
{
    tool_set_error(r->error, "%s:%u: %s", r->path, r->at, what);
    return false;
}

static void free_words(gpointer p)
{
    g_array_free(p, TRUE);
}

static void clear_value(gpointer p)
{
    g_free(((ProofValue *)p)->text);
}

static void free_proof(gpointer opaque)
{
    Proof *p = opaque;

    g_free(p->name);
    g_free(p->text);
    g_free(p->source);
    g_strfreev(p->shows);
    g_ptr_array_free(p->packets, TRUE);
    g_array_free(p->values, TRUE);
    g_free(p);
}

static Proof *new_proof(const char *name)
{
    Proof *p = g_new0(Proof, 1);

    p->name = g_strdup(name);
    p->packets = g_ptr_array_new_with_free_func(free_words);
    p->values = g_array_new(FALSE, TRUE, sizeof(ProofValue));
    g_array_set_clear_func(p->values, clear_value);
    return p;
}

/* --- reading --- */

static bool read_packets(Reader *r, Proof *p, const char *text)
{
    GArray *words = words_parse(r->path, text, strlen(text), r->error);

    if (words) {
        g_ptr_array_add(p->packets, words);
    }
    return words != NULL;
}

static bool read_value(Reader *r, Proof *p, const char *text)
{
    const char *equals = strchr(text, '=');
    size_t len = (size_t)(equals - text);
    ProofValue v = { .at = 0 };
    int reg = isa_register(text, len);

    if (!words_hex(equals + 1, strlen(equals + 1), &v.expected)) {
        return wrong(r, "a hexadecimal value expected behind '='");
    }
    if (reg >= 0) {
        v.at = (uint32_t)reg;
    } else if (g_str_has_prefix(text, "ME[")) {
        v.me_high = true;
        v.at = (uint32_t)g_ascii_strtoull(text + 3, NULL, 10) & 0xff;
    } else if (!strncmp(text, "writes", len)) {
        v.count = true;
    } else {
        return wrong(r, "a register, ME[N].high or writes expected");
    }
    v.text = g_strndup(text, len);
    g_array_append_val(p->values, v);
    return true;
}

static bool read_expect(Reader *r, Proof *p, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    bool state = false;

    for (unsigned i = 0; words[i]; i++) {
        if (strchr(words[i], '=')) {
            if (!read_value(r, p, words[i])) {
                return false;
            }
            continue;
        }
        for (unsigned s = RUN_IDLE; s <= RUN_WEDGED; s++) {
            if (!strcmp(words[i], runner_state_name((RunState)s))) {
                p->expected = (RunState)s;
                state = true;
            }
        }
    }
    return state || wrong(r, "idle, waiting or wedged expected");
}

/* The source: all lines up to the next block. */
static bool read_program(Reader *r, Proof *p)
{
    g_autoptr(GString) s = g_string_new(NULL);
    unsigned first = r->at;
    AsmResult out;
    bool ok;

    while (r->lines[r->at] && !g_str_has_prefix(r->lines[r->at], "== ")) {
        g_string_append_printf(s, "%s\n", r->lines[r->at++]);
    }
    while (s->len > 1 && g_str_has_suffix(s->str, "\n\n")) {
        g_string_truncate(s, s->len - 1);
    }
    ok = asm_text(p->name, s->str, s->len, &out);
    if (!ok) {
        tool_set_error(r->error, "%s: the program from line %u on: %s",
                       r->path, first + 1, out.messages->str);
    }
    p->image = out.image;
    p->chip = out.chip;
    p->source = g_strdup(s->str);
    asm_result_clear(&out);
    return ok;
}

/* One line of a block; *done: it was the last. */
static bool read_line(Reader *r, Proof *p, const char *line, bool *done)
{
    const char *value = strchr(line, ':');

    value = value ? value + 1 + strspn(value + 1, " ") : "";
    if (g_str_has_prefix(line, "shows: ") && !p->shows) {
        p->shows = g_strsplit(value, " ", -1);
        return true;
    }
    if (g_str_has_prefix(line, "text: ") && !p->text) {
        p->text = g_strdup(value);
        return true;
    }
    if (!strcmp(line, "hardware: yes")) {
        p->hardware = true;
        return true;
    }
    if (g_str_has_prefix(line, "packets: ")) {
        return read_packets(r, p, value);
    }
    if (g_str_has_prefix(line, "expect: ")) {
        return read_expect(r, p, value);
    }
    if (!strcmp(line, "program:")) {
        *done = true;
        return read_program(r, p);
    }
    return wrong(r, "shows, text, hardware, packets, expect or program "
                 "expected");
}

/* --- running --- */

typedef struct Log {
    GHashTable *last;           /* dword index -> value */
    uint32_t n;
} Log;

static void log_reg(Runner *r, uint32_t dword, uint32_t value)
{
    Log *log = r->opaque;

    g_hash_table_insert(log->last, GUINT_TO_POINTER(dword),
                        GUINT_TO_POINTER(value));
    log->n++;
}

static void run_proof(Proof *p)
{
    g_autofree Runner *r = g_new(Runner, 1);
    Log log = { g_hash_table_new(NULL, NULL), 0 };

    runner_init(r, &p->image, p->chip);
    r->reg = log_reg;
    r->opaque = &log;
    for (unsigned i = 0; i < p->packets->len; i++) {
        const GArray *words = g_ptr_array_index(p->packets, i);

        p->actual = runner_run(r, (const uint32_t *)words->data, words->len,
                               MAX_STEPS);
    }
    for (unsigned i = 0; i < p->values->len; i++) {
        ProofValue *v = &g_array_index(p->values, ProofValue, i);

        v->actual = v->me_high ? r->me.hi[v->at]
                  : v->count ? log.n
                  : GPOINTER_TO_UINT(g_hash_table_lookup
                                     (log.last, GUINT_TO_POINTER(v->at)));
    }
    g_hash_table_destroy(log.last);
}

bool proof_holds(const Proof *p)
{
    bool ok = p->expected == p->actual;

    for (unsigned i = 0; i < p->values->len; i++) {
        const ProofValue *v = &g_array_index(p->values, ProofValue, i);

        ok = ok && v->expected == v->actual;
    }
    return ok;
}

/* --- the whole --- */

static bool read_block(Reader *r, GPtrArray *all)
{
    Proof *p = new_proof(r->lines[r->at++] + strlen("== "));
    bool done = false;

    g_ptr_array_add(all, p);
    while (!done) {
        const char *line = r->lines[r->at];

        if (!line) {
            return wrong(r, "program expected");
        }
        r->at++;
        if (!read_line(r, p, line, &done)) {
            return false;
        }
    }
    if (!p->shows || !p->text || !p->packets->len || !p->values->len) {
        return wrong(r, "shows, text, packets or expect is missing above");
    }
    run_proof(p);
    return true;
}

GPtrArray *proofs_load(const char *path, GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(free_proof);
    size_t len;
    g_autofree char *text = tool_read(path, &len, error);
    Reader r = { .path = path, .error = error };
    bool ok = text != NULL;

    if (!ok) {
        return NULL;
    }
    r.lines = g_strsplit(text, "\n", -1);
    while (ok && r.lines[r.at]) {
        const char *line = r.lines[r.at];

        if (g_str_has_prefix(line, "== ")) {
            ok = read_block(&r, all);
        } else if (*line && *line != '#') {
            ok = wrong(&r, "'== NAME' expected");
        } else {
            r.at++;
        }
    }
    g_strfreev(r.lines);
    return ok ? g_steal_pointer(&all) : NULL;
}
