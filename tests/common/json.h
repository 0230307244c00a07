/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader for the JSON of the reference material: objects, arrays, strings,
 * integers, true, false, null. Numbers with a fraction and \u escapes beyond
 * Latin-1 do not occur there and are errors.
 */
#ifndef TESTS_JSON_H
#define TESTS_JSON_H

#include <glib.h>

typedef enum JsonType {
    JSON_NULL,
    JSON_BOOL,
    JSON_INT,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
} JsonType;

typedef struct Json Json;

struct Json {
    JsonType type;
    gint64 number;              /* JSON_INT, JSON_BOOL */
    char *string;               /* JSON_STRING */
    GPtrArray *items;           /* JSON_ARRAY, JSON_OBJECT: Json * */
    GPtrArray *keys;            /* JSON_OBJECT: char *, in file order */
};

/* NULL and an error with line number when the text is not JSON. */
Json *json_parse(const char *text, gsize len, GError **err);
Json *json_read_file(const char *path, GError **err);
void json_free(Json *j);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Json, json_free)

/* Member of an object, or NULL. */
const Json *json_get(const Json *j, const char *key);
/* Number of items of an array or object; 0 for anything else. */
guint json_len(const Json *j);
const Json *json_at(const Json *j, guint i);
/* Value of a string of hexadecimal digits, with or without 0x; it must be one. */
guint64 json_hex(const Json *j);

#endif
