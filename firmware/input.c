/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input.h"

#include <string.h>

#include "tool.h"
#include "words.h"

#define LOOK_AT 4096            /* bytes that decide whether it is text */

static const char *const names[] = { "auto", "text", "le", "be", "capture" };
static const char magic[8] = "RV100CAP";

bool input_format(const char *name, InputFormat *format, GError **error)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!strcmp(name, names[i])) {
            *format = (InputFormat)i;
            return true;
        }
    }
    tool_set_error(error, "no format '%s'; there are: text le be capture auto",
                   name);
    return false;
}

static bool is_text(const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < MIN(len, LOOK_AT); i++) {
        if (data[i] >= 0x7f || (data[i] < 0x20 && !g_ascii_isspace(data[i]))) {
            return false;
        }
    }
    return true;
}

static InputFormat recognise(const Input *in)
{
    if (in->len >= sizeof(magic) && !memcmp(in->data, magic, sizeof(magic))) {
        return INPUT_CAPTURE;
    }
    return is_text(in->data, in->len) ? INPUT_TEXT : INPUT_LE;
}

static bool binary_words(Input *in, GError **error)
{
    size_t n = in->len / 4;
    uint32_t *words;

    if (in->len % 4) {
        tool_set_error(error, "%s: %zu bytes, which is no whole number of "
                       "dwords; cut off the last %zu, or say what it is "
                       "(--format)", in->name, in->len, in->len % 4);
        return false;
    }
    if (n > G_MAXUINT / 4) {
        tool_set_error(error, "%s: larger than 4 GiB", in->name);
        return false;
    }
    in->words = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), (guint)n);
    g_array_append_vals(in->words, in->data, (guint)n);
    words = (uint32_t *)in->words->data;
    for (size_t i = 0; i < n; i++) {
        words[i] = in->format == INPUT_BE ? GUINT32_FROM_BE(words[i])
                                          : GUINT32_FROM_LE(words[i]);
    }
    return true;
}

static bool load_data(Input *in, const char *path, GError **error)
{
    g_autoptr(GError) err = NULL;

    if (!strcmp(path, "-")) {
        in->name = g_strdup("standard input");
        in->text = tool_read(path, &in->len, error);
        in->data = (const uint8_t *)in->text;
        return in->text;
    }
    in->name = g_strdup(path);
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        in->text = tool_read(path, &in->len, error);    /* pipes, too */
        in->data = (const uint8_t *)in->text;
        return in->text;
    }
    in->map = g_mapped_file_new(path, FALSE, &err);
    if (!in->map) {
        tool_set_error(error, "cannot open %s: %s", path, err->message);
        return false;
    }
    in->data = (const uint8_t *)g_mapped_file_get_contents(in->map);
    in->len = g_mapped_file_get_length(in->map);
    return true;
}

bool input_load(Input *in, const char *path, InputFormat format,
                GError **error)
{
    *in = (Input) { .format = format };
    if (!load_data(in, path, error)) {
        return false;
    }
    if (format == INPUT_AUTO) {
        in->format = recognise(in);
    }
    switch (in->format) {
    case INPUT_TEXT:
        in->words = words_parse(in->name, in->data ? (const char *)in->data
                                                   : "", in->len, error);
        return in->words;
    case INPUT_CAPTURE:
        return true;
    default:
        return binary_words(in, error);
    }
}

void input_clear(Input *in)
{
    if (in->words) {
        g_array_unref(in->words);
    }
    if (in->map) {
        g_mapped_file_unref(in->map);
    }
    g_free(in->text);
    g_free(in->name);
}
