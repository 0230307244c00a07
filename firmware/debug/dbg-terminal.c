/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debugger: a line editor for terminals behind a character device. It echoes, as
 * nobody else does, and takes what a terminal of the VT100 kind sends: cursor
 * keys, history, completion, and the control characters of a shell.
 */
#include <string.h>

#include "dbg.h"

#define PROMPT "(rv100) "
#define HISTORY 64
#define MAX_ESCAPE 16           /* bytes of a key's sequence */

enum {
    CTRL_A = 1, CTRL_B, CTRL_C, CTRL_D, CTRL_E, CTRL_F, CTRL_H = 8, TAB, LF,
    CTRL_K, CTRL_L, CR, CTRL_N, CTRL_P = 16, CTRL_U = 21, CTRL_W = 23, ESC = 27,
    DELETE = 127,
};

struct Rv100DebugTerminal {
    Rv100Debug *d;
    Rv100DebugResult (*run)(void *opaque, const char *line, size_t len,
                            GString *out);
    void (*send)(void *opaque, const char *text, size_t len);
    void *opaque;
    GString *line;
    size_t at;                  /* cursor */
    size_t lost;                /* bytes beyond the limit, or no text */
    GPtrArray *history;
    unsigned shown;             /* of the history; len: the new line */
    char escape[MAX_ESCAPE];
    unsigned n_escape;          /* 0: none under way */
    bool after_cr;
    bool open;
};

static void send_text(Rv100DebugTerminal *t, const char *text)
{
    g_autoptr(GString) s = g_string_new(NULL);

    for (; *text; text++) {
        g_string_append(s, *text == '\n' ? "\r\n" : "");
        if (*text != '\n') {
            g_string_append_c(s, *text);
        }
    }
    if (s->len) {
        t->send(t->opaque, s->str, s->len);
    }
}

/* The line again, with the cursor where it belongs. */
static void redraw(Rv100DebugTerminal *t)
{
    g_autoptr(GString) s = g_string_new("\r" PROMPT);

    g_string_append(s, t->line->str);
    g_string_append(s, "\033[K");
    if (t->at < t->line->len) {
        g_string_append_printf(s, "\033[%zuD", t->line->len - t->at);
    }
    t->send(t->opaque, s->str, s->len);
}

static void fresh_line(Rv100DebugTerminal *t)
{
    g_string_truncate(t->line, 0);
    t->at = t->lost = t->n_escape = 0;
    t->shown = t->history->len;
    send_text(t, PROMPT);
}

/* --- a whole line --- */

static void remember(Rv100DebugTerminal *t)
{
    const char *last = t->history->len
        ? g_ptr_array_index(t->history, t->history->len - 1) : NULL;

    if (!t->line->len || !g_strcmp0(last, t->line->str)) {
        return;
    }
    if (t->history->len == HISTORY) {
        g_ptr_array_remove_index(t->history, 0);
    }
    g_ptr_array_add(t->history, g_strdup(t->line->str));
}

static void enter(Rv100DebugTerminal *t)
{
    g_autoptr(GString) out = g_string_new(NULL);
    Rv100DebugResult r = RV100_DEBUG_OK;

    send_text(t, "\n");
    if (t->lost) {
        g_string_append_printf(out, "error: the line is left out: %zu bytes were "
                               "no text, or beyond %d\n", t->lost,
                               RV100_DEBUG_MAX_LINE);
    } else {
        remember(t);
        r = t->run(t->opaque, t->line->str, t->line->len, out);
    }
    send_text(t, out->str);
    if (r == RV100_DEBUG_QUIT) {
        send_text(t, rv100_debug_is_halted(t->d)
                  ? "The console stays; the engine is halted.\n"
                  : "The console stays; the engine runs.\n");
    }
    fresh_line(t);
}

/* --- editing --- */

static void insert(Rv100DebugTerminal *t, char c)
{
    if (t->line->len >= RV100_DEBUG_MAX_LINE) {
        t->lost++;
        return;
    }
    g_string_insert_c(t->line, (gssize)t->at++, c);
    if (t->at == t->line->len) {
        t->send(t->opaque, &c, 1);
    } else {
        redraw(t);
    }
}

static void erase(Rv100DebugTerminal *t, size_t from, size_t to)
{
    if (from < to) {
        g_string_erase(t->line, (gssize)from, (gssize)(to - from));
        t->at = from;
        redraw(t);
    }
}

static size_t word_start(const Rv100DebugTerminal *t)
{
    size_t at = t->at;

    while (at && t->line->str[at - 1] == ' ') {
        at--;
    }
    while (at && t->line->str[at - 1] != ' ') {
        at--;
    }
    return at;
}

static void move_to(Rv100DebugTerminal *t, size_t at)
{
    t->at = MIN(at, t->line->len);
    redraw(t);
}

static void show_history(Rv100DebugTerminal *t, int step)
{
    unsigned to = t->shown + (unsigned)step;

    if (to > t->history->len) {
        return;                 /* also below 0 */
    }
    t->shown = to;
    g_string_assign(t->line, to < t->history->len
                    ? g_ptr_array_index(t->history, to) : "");
    move_to(t, t->line->len);
}

static size_t common_prefix(GStrv all)
{
    size_t n = strlen(all[0]);

    for (char **name = all + 1; *name; name++) {
        size_t same = 0;

        while (same < n && (*name)[same] == all[0][same]) {
            same++;
        }
        n = same;
    }
    return n;
}

static void complete(Rv100DebugTerminal *t)
{
    g_autofree char *front = g_strndup(t->line->str, t->at);
    size_t start, common, typed;
    g_auto(GStrv) all = rv100_debug_complete(t->d, front, &start);

    if (!all[0]) {
        return;
    }
    typed = strlen(g_strchug(front)) - start;
    common = common_prefix(all);
    if (!all[1] || common > typed) {
        erase(t, t->at - typed, t->at);
        for (size_t i = 0; i < common; i++) {
            insert(t, all[0][i]);
        }
        if (!all[1]) {
            insert(t, ' ');
        }
        return;
    }
    send_text(t, "\n");
    for (char **name = all; *name; name++) {
        send_text(t, *name);
        send_text(t, name[1] ? "  " : "\n");
    }
    redraw(t);
}

static void control(Rv100DebugTerminal *t, uint8_t c)
{
    switch (c) {
    case CTRL_A:
        move_to(t, 0);
        break;
    case CTRL_B:
        move_to(t, t->at ? t->at - 1 : 0);
        break;
    case CTRL_E:
        move_to(t, t->line->len);
        break;
    case CTRL_F:
        move_to(t, t->at + 1);
        break;
    case CTRL_C:
        send_text(t, "^C\n");
        fresh_line(t);
        break;
    case CTRL_D:
        erase(t, t->at, MIN(t->at + 1, t->line->len));
        break;
    case CTRL_H:
    case DELETE:
        erase(t, t->at ? t->at - 1 : 0, t->at);
        break;
    case TAB:
        complete(t);
        break;
    case CTRL_K:
        erase(t, t->at, t->line->len);
        break;
    case CTRL_L:
        send_text(t, "\033[H\033[2J");
        redraw(t);
        break;
    case CTRL_N:
        show_history(t, 1);
        break;
    case CTRL_P:
        show_history(t, -1);
        break;
    case CTRL_U:
        erase(t, 0, t->at);
        break;
    case CTRL_W:
        erase(t, word_start(t), t->at);
        break;
    default:
        t->lost++;              /* no text */
        break;
    }
}

/* A byte of a key's sequence: ESC [ ... letter or ~, or ESC O letter. */
static void escape(Rv100DebugTerminal *t, uint8_t c)
{
    static const struct {
        const char *sequence;
        uint8_t key;
    } keys[] = {
        { "[A", CTRL_P }, { "[B", CTRL_N }, { "[C", CTRL_F }, { "[D", CTRL_B },
        { "OA", CTRL_P }, { "OB", CTRL_N }, { "OC", CTRL_F }, { "OD", CTRL_B },
        { "[H", CTRL_A }, { "[F", CTRL_E }, { "[1~", CTRL_A }, { "[4~", CTRL_E },
        { "[3~", CTRL_D },
    };

    t->escape[t->n_escape - 1] = (char)c;
    t->escape[t->n_escape++] = 0;
    if (t->n_escape == MAX_ESCAPE
        || !(c == '[' || c == 'O' || c == ';' || g_ascii_isdigit(c))
        || (t->n_escape > 2 && c == 'O')) {
        t->n_escape = 0;
    }
    for (unsigned i = 0; !t->n_escape && i < G_N_ELEMENTS(keys); i++) {
        if (!strcmp(keys[i].sequence, t->escape)) {
            control(t, keys[i].key);
        }
    }
}

void rv100_debug_terminal_input(Rv100DebugTerminal *t, const uint8_t *buf,
                                size_t len)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t c = buf[i];

        if (t->n_escape) {
            escape(t, c);
        } else if (c == ESC) {
            t->n_escape = 1;
        } else if (c == CR || (c == LF && !t->after_cr)) {
            enter(t);
        } else if (c >= 0x20 && c < 0x7f) {
            insert(t, (char)c);
        } else if (c != LF) {
            control(t, c);
        }
        t->after_cr = c == CR;
    }
}

/* --- clients --- */

void rv100_debug_terminal_open(Rv100DebugTerminal *t)
{
    t->open = true;
    send_text(t, rv100_debug_is_halted(t->d)
              ? "radeon-rv100: the engine is halted. help lists the commands.\n"
              : "radeon-rv100: the engine runs. help lists the commands.\n");
    fresh_line(t);
}

void rv100_debug_terminal_close(Rv100DebugTerminal *t)
{
    t->open = t->after_cr = false;
    g_string_truncate(t->line, 0);
    t->at = t->lost = t->n_escape = 0;
}

void rv100_debug_terminal_message(Rv100DebugTerminal *t, const char *text)
{
    if (t->open) {
        send_text(t, "\r\033[K");
        send_text(t, text);
        redraw(t);
    }
}

Rv100DebugTerminal *rv100_debug_terminal_new(Rv100Debug *d,
    Rv100DebugResult (*run)(void *opaque, const char *line, size_t len,
                            GString *out),
    void (*send)(void *opaque, const char *text, size_t len), void *opaque)
{
    Rv100DebugTerminal *t = g_new0(Rv100DebugTerminal, 1);

    t->d = d;
    t->run = run;
    t->send = send;
    t->opaque = opaque;
    t->line = g_string_new(NULL);
    t->history = g_ptr_array_new_with_free_func(g_free);
    return t;
}

void rv100_debug_terminal_free(Rv100DebugTerminal *t)
{
    g_string_free(t->line, TRUE);
    g_ptr_array_unref(t->history);
    g_free(t);
}
