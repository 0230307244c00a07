/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "reference.h"
#include "vectors.h"

/* The words of the file: number of arguments and, as letters, their notation. */
static const struct {
    const char *word;
    StepKind kind;
    const char *args;           /* d decimal, x hexadecimal */
    guint optional;             /* of these, how many may be missing */
} words[] = {
    { "FB", STEP_FB, "ddx", 1 },
    { "PUT", STEP_PUT, "ddx", 0 },
    { "FILL", STEP_FILL, "ddddx", 0 },
    { "MEM", STEP_MEM, "xx", 0 },
    { "BOX", STEP_BOX, "dddd", 0 },
    { "COLORHOST", STEP_COLORHOST, "dd", 0 },
    { "RD", STEP_READ, "xxx", 0 },
    { "EXP", STEP_EXPECT, "ddx", 0 },
    { "EXPR", STEP_EXPECT_RECT, "ddddx", 0 },
    { "MEMEXP", STEP_EXPECT_MEM, "xx", 0 },
};

typedef struct Parser {
    Vectors *v;
    Vector *current;            /* between VEC and END */
    guint line;
} Parser;

static G_GNUC_NORETURN void bad(const Parser *p, const char *what)
{
    g_printerr("2d-vectors.txt:%u: %s\n", p->line, what);
    exit(2);
}

static uint32_t number(const Parser *p, const char *text, guint base)
{
    char *end;
    uint64_t v = g_ascii_strtoull(text, &end, base);

    if (end == text || *end || v > UINT32_MAX) {
        bad(p, "not a number");
    }
    return v;
}

/* "off=val": true when it is one. */
static bool assignment(const Parser *p, const char *text, Step *s)
{
    g_auto(GStrv) sides = g_strsplit(text, "=", 2);

    if (g_strv_length(sides) != 2 || !g_ascii_isxdigit(*text)) {
        return false;
    }
    *s = (Step) { .kind = STEP_WRITE, .line = p->line };
    s->arg[0] = number(p, sides[0], 16);
    s->arg[1] = number(p, sides[1], 16);
    return true;
}

static void writes(const Parser *p, char **words, GArray *steps)
{
    for (; *words; words++) {
        Step s;

        if (!assignment(p, *words, &s)) {
            bad(p, "not OFFSET=VALUE");
        }
        g_array_append_val(steps, s);
    }
}

/* Text in names of tests: lower case, one dash for everything else. */
static char *test_name(char **text)
{
    g_autofree char *all = g_strjoinv("-", text);
    GString *out = g_string_new(NULL);

    for (const char *c = all; *c; c++) {
        if (g_ascii_isalnum(*c)) {
            g_string_append_c(out, g_ascii_tolower(*c));
        } else if (out->len && out->str[out->len - 1] != '-') {
            g_string_append_c(out, '-');
        }
    }
    return g_string_free(out, FALSE);
}

static void begin(Parser *p, char **text)
{
    if (p->current || !text[0]) {
        bad(p, "VEC needs a number and must follow END");
    }
    p->current = g_new0(Vector, 1);
    p->current->name = test_name(text);
    p->current->mark = g_strdup("");
    p->current->steps = g_array_new(FALSE, FALSE, sizeof(Step));
    g_ptr_array_add(p->v->list, p->current);
}

static void parse_step(Parser *p, char **text)
{
    guint n = g_strv_length(text) - 1;

    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        guint max = strlen(words[i].args);
        Step s = { .kind = words[i].kind, .line = p->line };

        if (strcmp(text[0], words[i].word)) {
            continue;
        }
        if (n > max || n < max - words[i].optional) {
            bad(p, "wrong number of arguments");
        }
        for (guint a = 0; a < n; a++) {
            s.arg[a] = number(p, text[a + 1], words[i].args[a] == 'x' ? 16 : 10);
        }
        g_array_append_val(p->current->steps, s);
        return;
    }
    bad(p, "unknown word");
}

/* The comments at the top name the writes before each vector. */
static void parse_comment(Parser *p, char **text)
{
    Step s;

    if (!p->current && text[0] && text[1] && assignment(p, text[1], &s)) {
        writes(p, text + 1, p->v->init);
    }
}

static void parse_line(Parser *p, const char *line)
{
    g_auto(GStrv) text = g_strsplit_set(line, " \t\r", -1);
    guint n = 0;

    for (guint i = 0; text[i]; i++) {       /* without empty ones */
        char *t = text[i];

        text[i] = NULL;
        if (*t) {
            text[n++] = t;
        } else {
            g_free(t);
        }
    }
    if (!n) {
        return;
    }
    if (text[0][0] == '#') {
        parse_comment(p, text);
    } else if (!strcmp(text[0], "VEC")) {
        begin(p, text + 1);
    } else if (!p->current) {
        bad(p, "outside of VEC and END");
    } else if (!strcmp(text[0], "END")) {
        p->current = NULL;
    } else if (!strcmp(text[0], "MARK") && n > 1) {
        g_free(p->current->mark);
        p->current->mark = g_strdup(text[1]);
    } else if (!strcmp(text[0], "W")) {
        writes(p, text + 1, p->current->steps);
    } else if (strcmp(text[0], "SRC") && strcmp(text[0], "FIX")
               && strcmp(text[0], "NOTE")) {
        parse_step(p, text);
    }
}

const Vectors *vectors_read(void)
{
    static Vectors *v;
    g_autofree char *path = ref_path("reference/2d-vectors.txt");
    g_autofree char *content = NULL;
    Parser p = { 0 };

    if (v || !g_file_get_contents(path, &content, NULL, NULL)) {
        return v;
    }
    v = g_new0(Vectors, 1);
    v->init = g_array_new(FALSE, FALSE, sizeof(Step));
    v->list = g_ptr_array_new();
    p.v = v;
    for (char *line = content, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) {
            *next++ = 0;
        }
        p.line++;
        parse_line(&p, line);
    }
    if (p.current || !v->list->len || !v->init->len) {
        bad(&p, "the file ends early");
    }
    return v;
}
