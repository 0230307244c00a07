/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <string.h>

#include "json.h"

#define MAX_DEPTH 32

typedef struct Reader {
    const char *p, *end;
    guint line, depth;
    GError **err;
} Reader;

static Json *read_value(Reader *r);

static Json *fail(Reader *r, Json *j, const char *what)
{
    if (r->err && !*r->err) {
        g_set_error(r->err, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                    "line %u: %s", r->line, what);
    }
    json_free(j);
    return NULL;
}

static Json *make(JsonType type)
{
    Json *j = g_new0(Json, 1);

    j->type = type;
    if (type == JSON_ARRAY || type == JSON_OBJECT) {
        j->items = g_ptr_array_new_with_free_func((GDestroyNotify)json_free);
    }
    if (type == JSON_OBJECT) {
        j->keys = g_ptr_array_new_with_free_func(g_free);
    }
    return j;
}

void json_free(Json *j)
{
    if (!j) {
        return;
    }
    g_free(j->string);
    g_clear_pointer(&j->items, g_ptr_array_unref);
    g_clear_pointer(&j->keys, g_ptr_array_unref);
    g_free(j);
}

static void skip_space(Reader *r)
{
    while (r->p < r->end && g_ascii_isspace(*r->p)) {
        r->line += *r->p++ == '\n';
    }
}

/* Take `c` if it is the next character that is no white space. */
static gboolean take(Reader *r, char c)
{
    skip_space(r);
    if (r->p < r->end && *r->p == c) {
        r->p++;
        return TRUE;
    }
    return FALSE;
}

static gboolean read_escape(Reader *r, GString *s)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *at;

    if (r->p == r->end) {
        return FALSE;
    }
    if (*r->p == 'u') {
        guint code = 0;

        for (int i = 1; i <= 4; i++) {
            if (r->p + i >= r->end || !g_ascii_isxdigit(r->p[i])) {
                return FALSE;
            }
            code = code * 16 + g_ascii_xdigit_value(r->p[i]);
        }
        if (!code || code > 0xff) {
            return FALSE;
        }
        g_string_append_unichar(s, code);
        r->p += 5;
        return TRUE;
    }
    at = strchr(from, *r->p++);
    if (!at || !*at) {
        return FALSE;
    }
    g_string_append_c(s, to[at - from]);
    return TRUE;
}

static Json *read_string(Reader *r)
{
    g_autoptr(GString) s = g_string_new(NULL);
    Json *j;

    while (r->p < r->end && *r->p != '"') {
        if (*r->p == '\n') {
            return fail(r, NULL, "a string does not end");
        }
        if (*r->p == '\\') {
            r->p++;
            if (!read_escape(r, s)) {
                return fail(r, NULL, "unknown escape in a string");
            }
            continue;
        }
        g_string_append_c(s, *r->p++);
    }
    if (r->p == r->end) {
        return fail(r, NULL, "a string does not end");
    }
    r->p++;
    j = make(JSON_STRING);
    j->string = g_strdup(s->str);
    return j;
}

static Json *read_member(Reader *r, Json *object)
{
    g_autoptr(Json) key = NULL;
    Json *value;

    if (!take(r, '"')) {
        return fail(r, NULL, "a key in double quotes is missing");
    }
    key = read_string(r);
    if (!key) {
        return NULL;
    }
    if (!take(r, ':')) {
        return fail(r, NULL, "':' is missing");
    }
    value = read_value(r);
    if (value) {
        g_ptr_array_add(object->keys, g_steal_pointer(&key->string));
    }
    return value;
}

static Json *read_items(Reader *r, JsonType type, char close)
{
    Json *j = make(type);

    if (take(r, close)) {
        return j;
    }
    do {
        Json *item = type == JSON_OBJECT ? read_member(r, j) : read_value(r);

        if (!item) {
            json_free(j);
            return NULL;
        }
        g_ptr_array_add(j->items, item);
    } while (take(r, ','));
    return take(r, close) ? j : fail(r, j, "',' or the end is missing");
}

static Json *read_word(Reader *r)
{
    static const struct {
        const char *text;
        JsonType type;
        gint64 number;
    } words[] = {
        { "null", JSON_NULL, 0 }, { "true", JSON_BOOL, 1 },
        { "false", JSON_BOOL, 0 },
    };
    Json *j;
    g_autofree char *digits = NULL;
    const char *start = r->p;

    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        gsize n = strlen(words[i].text);

        if ((gsize)(r->end - r->p) >= n && !memcmp(r->p, words[i].text, n)) {
            r->p += n;
            j = make(words[i].type);
            j->number = words[i].number;
            return j;
        }
    }
    while (r->p < r->end && !strchr(",]} \t\r\n", *r->p)) {
        r->p++;
    }
    digits = g_strndup(start, r->p - start);
    j = make(JSON_INT);
    if (!g_ascii_string_to_signed(digits, 10, G_MININT64, G_MAXINT64,
                                  &j->number, NULL)) {
        return fail(r, j, "not a value that this reader knows");
    }
    return j;
}

static Json *read_value(Reader *r)
{
    Json *j;

    if (++r->depth > MAX_DEPTH) {
        return fail(r, NULL, "nested too deeply");
    }
    if (take(r, '{')) {
        j = read_items(r, JSON_OBJECT, '}');
    } else if (take(r, '[')) {
        j = read_items(r, JSON_ARRAY, ']');
    } else if (take(r, '"')) {
        j = read_string(r);
    } else {
        j = read_word(r);
    }
    r->depth--;
    return j;
}

Json *json_parse(const char *text, gsize len, GError **err)
{
    Reader r = { .p = text, .end = text + len, .line = 1, .err = err };
    Json *j = read_value(&r);

    skip_space(&r);
    if (j && r.p != r.end) {
        return fail(&r, j, "text after the value");
    }
    return j;
}

Json *json_read_file(const char *path, GError **err)
{
    g_autofree char *text = NULL;
    gsize len;
    Json *j;

    if (!g_file_get_contents(path, &text, &len, err)) {
        return NULL;
    }
    j = json_parse(text, len, err);
    if (!j) {
        g_prefix_error(err, "%s: ", path);
    }
    return j;
}

const Json *json_get(const Json *j, const char *key)
{
    if (!j || j->type != JSON_OBJECT) {
        return NULL;
    }
    for (guint i = 0; i < j->keys->len; i++) {
        if (!strcmp(j->keys->pdata[i], key)) {
            return j->items->pdata[i];
        }
    }
    return NULL;
}

guint json_len(const Json *j)
{
    return j && j->items ? j->items->len : 0;
}

const Json *json_at(const Json *j, guint i)
{
    return i < json_len(j) ? j->items->pdata[i] : NULL;
}

guint64 json_hex(const Json *j)
{
    const char *s = j && j->type == JSON_STRING ? j->string : "";
    guint64 value = 0;

    if (g_str_has_prefix(s, "0x")) {
        s += 2;
    }
    if (!g_ascii_string_to_unsigned(s, 16, 0, G_MAXUINT64, &value, NULL)) {
        g_error("'%s' is not a hexadecimal number", s);
    }
    return value;
}
