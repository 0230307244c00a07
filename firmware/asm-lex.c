/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assembler: tokens of a line, and messages that point at them. */
#include <stdarg.h>
#include <string.h>

#include "asm-private.h"
#include "tool.h"

static bool name_char(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* A run of letters, digits and '_': a number if all of it is one. Packet names
 * may begin with a digit. */
static void lex_word(Asm *a)
{
    char buf[72];
    char *end;
    bool binary;

    while (name_char(*a->at)) {
        a->at++;
    }
    a->length = (size_t)(a->at - a->start);
    a->token = T_NAME;
    if (!g_ascii_isdigit(*a->start) || a->length >= sizeof(buf)) {
        return;
    }
    memcpy(buf, a->start, a->length);
    buf[a->length] = 0;
    binary = buf[0] == '0' && (buf[1] | 0x20) == 'b' && buf[2];
    a->number = binary ? g_ascii_strtoull(buf + 2, &end, 2)
        : g_ascii_strtoull(buf, &end,
                           buf[0] == '0' && (buf[1] | 0x20) == 'x' ? 16 : 10);
    if (!*end) {
        a->token = T_NUMBER;
    }
}

static void lex_punct(Asm *a)
{
    static const struct {
        char text[3];
        int punct;
    } pairs[] = { { "<<", P_SHL }, { ">>", P_SHR }, { "..", P_RANGE } };

    a->token = T_PUNCT;
    a->punct = (unsigned char)*a->at;
    for (unsigned i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (!strncmp(a->at, pairs[i].text, 2)) {
            a->punct = pairs[i].punct;
            a->at++;
        }
    }
    a->at++;
    a->length = (size_t)(a->at - a->start);
}

static void lex_string(Asm *a)
{
    const char *end = strchr(a->at + 1, '"');

    a->token = T_STRING;
    a->start = a->at + 1;
    a->length = end ? (size_t)(end - a->start) : strlen(a->start);
    a->at = a->start + a->length + (end ? 1 : 0);
    if (!end) {
        asm_error(a, "no closing '\"' in this line");
    }
}

void asm_next(Asm *a)
{
    a->at += strspn(a->at, " \t\r\f\v");
    a->start = a->at;
    a->length = 0;
    if (!*a->at || *a->at == '#') {
        a->token = T_END;
    } else if (name_char(*a->at)) {
        lex_word(a);
    } else if (*a->at == '"') {
        lex_string(a);
    } else {
        lex_punct(a);
    }
}

bool asm_is(const Asm *a, const char *name)
{
    return a->token == T_NAME && a->length == strlen(name) &&
           !memcmp(a->start, name, a->length);
}

bool asm_accept(Asm *a, int punct)
{
    if (a->token != T_PUNCT || a->punct != punct) {
        return false;
    }
    asm_next(a);
    return true;
}

bool asm_expect(Asm *a, int punct, const char *what)
{
    if (asm_accept(a, punct)) {
        return true;
    }
    asm_error(a, "%s expected", what);
    return false;
}

AsmPlace asm_place(const Asm *a)
{
    return (AsmPlace) { a->file, a->line, (size_t)(a->start - a->text) };
}

static void message(Asm *a, AsmPlace place, const char *kind,
                    const char *format, va_list ap)
{
    GString *m = a->out->messages;
    bool here = place.file == a->file && place.line == a->line;

    g_string_append_printf(m, "%s:%u:%zu: %s: ", place.file, place.line,
                           place.column + 1, kind);
    g_string_append_vprintf(m, format, ap);
    g_string_append_c(m, '\n');
    if (!here || !a->text) {
        return;
    }
    for (const char *p = a->text; *p; p++) {
        g_string_append_c(m, (unsigned char)*p < 0x20 ? ' '
                          : (unsigned char)*p < 0x7f ? *p : '?');
    }
    g_string_append_printf(m, "\n%*s^\n", (int)MIN(place.column, 4096), "");
}

void asm_error_at(Asm *a, AsmPlace place, const char *format, ...)
{
    va_list ap;

    a->failed = true;
    if (a->out->n_errors++ < ASM_MAX_ERRORS) {
        va_start(ap, format);
        message(a, place, "error", format, ap);
        va_end(ap);
    }
}

void asm_error(Asm *a, const char *format, ...)
{
    va_list ap;

    if (a->failed) {
        return;                 /* one message a line is enough */
    }
    a->failed = true;
    if (a->out->n_errors++ < ASM_MAX_ERRORS) {
        va_start(ap, format);
        message(a, asm_place(a), "error", format, ap);
        va_end(ap);
    }
}

void asm_warning_at(Asm *a, AsmPlace place, const char *format, ...)
{
    va_list ap;

    if (a->pass == 2 && a->out->n_warnings++ < ASM_MAX_ERRORS) {
        va_start(ap, format);
        message(a, place, "warning", format, ap);
        va_end(ap);
    }
}
