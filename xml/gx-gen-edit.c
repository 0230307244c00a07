/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keywords for editors: microcode (*.s of rv100 asm) and the text form of
 * command streams (rv100 decode) in one language, "rv100".
 */
#include <string.h>

#include "gx-gen.h"

typedef enum Class {
    CLASS_REGISTER, CLASS_PACKET, CLASS_FIELD, CLASS_MNEMONIC, CLASS_DIRECTIVE,
    N_CLASSES
} Class;

static const struct {
    const char *vim, *group;    /* names of the class, what it looks like */
    const char *scope;          /* TextMate */
} classes[N_CLASSES] = {
    { "rv100Register", "Identifier", "variable.other.register.rv100" },
    { "rv100Packet", "Type", "entity.name.type.packet.rv100" },
    { "rv100Field", "Special", "variable.parameter.field.rv100" },
    { "rv100Mnemonic", "Statement", "keyword.operator.mnemonic.rv100" },
    { "rv100Directive", "PreProc", "keyword.control.directive.rv100" },
};

static const char *const directives[] = {
    "chip", "org", "equ", "word", "dispatch", "pool", "include",
};

/* A word belongs to the first class that has it. */
typedef struct Words {
    GHashTable *seen;
    GPtrArray *list[N_CLASSES];
} Words;

static bool is_word(const char *text)
{
    for (const char *p = text; *p; p++) {
        if (!g_ascii_isalnum(*p) && *p != '_') {
            return false;
        }
    }
    return *text;
}

static void add(Words *w, Class c, const char *text)
{
    char *copy;

    if (is_word(text) && !g_hash_table_contains(w->seen, text)) {
        copy = g_strdup(text);
        g_hash_table_add(w->seen, copy);
        g_ptr_array_add(w->list[c], copy);
    }
}

static void add_fields(Words *w, const GxGroup *g)
{
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);

        if (it->group) {
            add_fields(w, it->group);
        } else {
            add(w, CLASS_FIELD, it->field->name);
        }
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_containers(Words *w, const GxDoc *doc, GxKind kind, Class c)
{
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *k = doc->containers->pdata[i];
        g_autofree char *cntl = g_strconcat("CNTL_", k->name, NULL);

        if (k->kind == kind) {
            add(w, c, k->name);
            if (kind == GX_INSTRUCTION) {
                add(w, c, cntl);
            }
        }
    }
}

static void collect(Words *w, const GxDoc *doc)
{
    w->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (Class c = 0; c < N_CLASSES; c++) {
        w->list[c] = g_ptr_array_new();
    }
    add_containers(w, doc, GX_REGISTER, CLASS_REGISTER);
    add_containers(w, doc, GX_INSTRUCTION, CLASS_PACKET);
    add_containers(w, doc, GX_STRUCT, CLASS_PACKET);
    for (unsigned i = 0; i < doc->enums->len; i++) {
        const GxEnum *e = doc->enums->pdata[i];

        for (unsigned v = 0; g_str_has_prefix(e->name, "ME_") &&
             v < e->values->len; v++) {
            const GxValue *value = e->values->pdata[v];
            g_autofree char *low = g_ascii_strdown(value->name, -1);

            add(w, CLASS_MNEMONIC, low);
        }
    }
    for (unsigned i = 0; i < doc->containers->len; i++) {
        add_fields(w, ((GxContainer *)doc->containers->pdata[i])->root);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(directives); i++) {
        g_ptr_array_add(w->list[CLASS_DIRECTIVE], g_strdup(directives[i]));
    }
    for (Class c = 0; c < N_CLASSES; c++) {
        g_ptr_array_sort(w->list[c], by_text);
    }
}

/* Any of the words, in a regular expression. */
static void put_any(GenOut *out, const GPtrArray *words, const char *between)
{
    for (unsigned i = 0; i < words->len; i++) {
        fprintf(out->f, "%s%s", i ? between : "", (char *)words->pdata[i]);
    }
}

void gen_vim(GenOut *out, const GxDoc *doc)
{
    Words w;

    collect(&w, doc);
    fputs("\" Vim syntax for rv100 microcode and command streams\n"
          "\" To ~/.vim/syntax/rv100.vim; then :set filetype=rv100\n"
          "if exists(\"b:current_syntax\")\n  finish\nendif\n"
          "syn case match\nsyn iskeyword @,48-57,_\n", out->f);
    for (Class c = 0; c < N_CLASSES; c++) {
        if (c == CLASS_DIRECTIVE) {
            fputs("syn match rv100Directive \"\\.\\(", out->f);
            put_any(out, w.list[c], "\\|");
            fputs("\\)\\>\"\n", out->f);
            continue;
        }
        for (unsigned i = 0; i < w.list[c]->len; i++) {
            fprintf(out->f, "%s%s%s", i % 8 ? " " : "syn keyword ",
                    i % 8 ? "" : classes[c].vim, i % 8 ? "" : " ");
            fprintf(out->f, "%s%s", (char *)w.list[c]->pdata[i],
                    i % 8 == 7 || i + 1 == w.list[c]->len ? "\n" : "");
        }
    }
    fputs("syn match rv100Number \"\\<\\(0x\\x\\+\\|0b[01]\\+\\|\\d\\+\\)\\>\"\n"
          "syn match rv100Label \"^\\s*\\w\\+:\"\n"
          "syn match rv100Written \"^\\s*>.*\" contains=ALL\n"
          "syn match rv100Comment \"\\(^\\|\\s\\)#.*\"\n", out->f);
    for (Class c = 0; c < N_CLASSES; c++) {
        fprintf(out->f, "hi def link %s %s\n", classes[c].vim,
                classes[c].group);
    }
    fputs("hi def link rv100Number Number\nhi def link rv100Label Label\n"
          "hi def link rv100Comment Comment\n"
          "let b:current_syntax = \"rv100\"\n", out->f);
}

void gen_textmate(GenOut *out, const GxDoc *doc)
{
    Words w;

    collect(&w, doc);
    fputs("{\n  \"name\": \"rv100\",\n  \"scopeName\": \"source.rv100\",\n"
          "  \"fileTypes\": [\"rv100\"],\n  \"patterns\": [\n"
          "    { \"name\": \"comment.line.number-sign.rv100\", \"match\": "
          "\"(^|\\\\s)#.*\" },\n"
          "    { \"name\": \"entity.name.function.label.rv100\", \"match\": "
          "\"^\\\\s*\\\\w+:\" },\n", out->f);
    for (Class c = 0; c < N_CLASSES; c++) {
        fprintf(out->f, "    { \"name\": \"%s\", \"match\": \"%s(",
                classes[c].scope, c == CLASS_DIRECTIVE ? "\\\\." : "\\\\b");
        put_any(out, w.list[c], "|");
        fputs(")\\\\b\" },\n", out->f);
    }
    fputs("    { \"name\": \"constant.numeric.rv100\", \"match\": "
          "\"\\\\b(0x[0-9a-fA-F]+|0b[01]+|[0-9]+)\\\\b\" }\n  ]\n}\n", out->f);
}
