/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words.h"

#include <string.h>

#include "tool.h"

bool words_hex(const char *text, size_t len, uint32_t *value)
{
    uint64_t v = 0;

    if (len > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
        text += 2;
        len -= 2;
    }
    for (size_t i = 0; i < len; i++) {
        int digit = g_ascii_xdigit_value(text[i]);

        v = v << 4 | (uint64_t)digit;
        if (digit < 0 || v > UINT32_MAX) {
            return false;
        }
    }
    *value = (uint32_t)v;
    return len > 0;
}

GArray *words_parse(const char *name, const char *text, size_t len,
                    GError **error)
{
    g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    unsigned line = 1, nth = 0;
    size_t i = 0;

    while (i < len) {
        size_t start = i;
        uint32_t value;

        if (text[i] == '\n') {
            line++;
            nth = 0;
            i++;
        } else if (g_ascii_isspace(text[i])) {
            i++;
        } else if (text[i] == '#') {
            while (i < len && text[i] != '\n') {
                i++;
            }
        } else {
            while (i < len && !g_ascii_isspace(text[i]) && text[i] != '#') {
                i++;
            }
            nth++;
            if (!words_hex(text + start, i - start, &value)) {
                g_autofree char *word = tool_quote(text + start, i - start);

                tool_set_error(error, "%s:%u: word %u '%s' is no hexadecimal "
                               "32-bit word", name, line, nth, word);
                return NULL;
            }
            g_array_append_val(words, value);
        }
    }
    return g_steal_pointer(&words);
}

GArray *words_load(const char *path, GError **error)
{
    size_t len;
    g_autofree char *text = tool_read(path, &len, error);

    return text ? words_parse(strcmp(path, "-") ? path : "standard input",
                              text, len, error)
                : NULL;
}
