/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "image.h"

#include <stdio.h>
#include <string.h>

#include "tool.h"
#include "words.h"

bool image_format(const char *name, ImageFormat *format, GError **error)
{
    static const char *const names[] = { "bin", "c", "text" };

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!name || !strcmp(name, names[i])) {
            *format = (ImageFormat)i;
            return true;
        }
    }
    tool_set_error(error, "no format '%s': bin, c or text", name);
    return false;
}

static uint32_t be32(const char *p)
{
    const uint8_t *b = (const uint8_t *)p;

    return (uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

static bool parse_bin(Image *image, const char *name, const char *data,
                      size_t len, GError **error)
{
    if (len != IMAGE_BIN_SIZE) {
        tool_set_error(error, "%s: %zu bytes; an image is 256 pairs of "
                       "big-endian dwords, %d bytes", name, len,
                       IMAGE_BIN_SIZE);
        return false;
    }
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        uint32_t hi = be32(data + 8 * i);

        if (hi > 0xff) {
            tool_set_error(error, "%s: word 0x%02x: high dword 0x%08x has more "
                           "than 8 bits%s", name, i, hi, hi & 0xffffff ? "" :
                           "; the file seems to be little-endian");
            return false;
        }
        image->hi[i] = (uint8_t)hi;
        image->lo[i] = be32(data + 8 * i + 4);
    }
    return true;
}

/* A position in a text, for messages. */
typedef struct Text {
    const char *name, *at, *end;
    unsigned line;
} Text;

static void skip_comment(Text *t, const char *stop)
{
    size_t n = strlen(stop);

    while (t->at < t->end &&
           ((size_t)(t->end - t->at) < n || memcmp(t->at, stop, n))) {
        t->line += *t->at++ == '\n';
    }
}

/* The next token: a run of letters, digits and '_', or one other character;
 * NULL at the end. Comments of C and '#' lines are skipped. */
static const char *next_token(Text *t, size_t *len)
{
    while (t->at < t->end) {
        const char *start = t->at;
        bool two = t->end - start > 1;

        if (g_ascii_isspace(*start)) {
            t->line += *start == '\n';
            t->at++;
        } else if (*start == '#' || (two && !memcmp(start, "//", 2))) {
            skip_comment(t, "\n");
        } else if (two && !memcmp(start, "/*", 2)) {
            skip_comment(t, "*/");
            t->at = t->end - t->at < 2 ? t->end : t->at + 2;
        } else {
            do {
                t->at++;
            } while (t->at < t->end && (g_ascii_isalnum(*start) || *start == '_')
                     && (g_ascii_isalnum(*t->at) || *t->at == '_'));
            *len = (size_t)(t->at - start);
            return start;
        }
    }
    *len = 0;
    return NULL;
}

static bool bad_token(const Text *t, const char *what, const char *token,
                      size_t len, GError **error)
{
    g_autofree char *text = tool_quote(token ? token : "", len);

    tool_set_error(error, "%s:%u: %s expected, not '%s'%s", t->name, t->line,
                   what, text, token ? "" : " (end of file)");
    return false;
}

static bool hex_token(Text *t, const char *what, uint32_t max, uint32_t *value,
                      GError **error)
{
    size_t len;
    const char *token = next_token(t, &len);

    if (!token || !words_hex(token, len, value) || *value > max) {
        return bad_token(t, what, token, len, error);
    }
    return true;
}

/* The numbers between the braces of the first C initialiser, nested or flat. */
static GArray *c_numbers(Text *t, GError **error)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    unsigned depth = 0;
    const char *token;
    size_t len;

    while ((token = next_token(t, &len))) {
        g_autofree char *text = g_strndup(token, len);
        char *end = text;
        uint64_t v = g_ascii_strtoull(text, &end, 0);

        if (*token == '{') {
            depth++;
        } else if (!depth || *token == ',') {
            continue;
        } else if (*token == '}') {
            if (!--depth) {
                break;
            }
        } else if (end == text || v > UINT32_MAX || end[strspn(end, "uUlL")]) {
            bad_token(t, "a number of 32 bits", token, len, error);
            return NULL;
        } else {
            uint32_t value = (uint32_t)v;

            g_array_append_val(all, value);
        }
    }
    if (all->len < 2 || all->len % 2 || all->len > 2 * RV100_ME_WORDS) {
        tool_set_error(error, "%s: %u numbers in the array, not 1 to 256 pairs",
                       t->name, all->len);
        return NULL;
    }
    return g_steal_pointer(&all);
}

/* Pairs in either order (old kernels have the low dword first): the high part
 * is the column without numbers above 0xff. */
static bool parse_c(Image *image, Text *t, GError **error)
{
    g_autoptr(GArray) all = c_numbers(t, error);
    uint32_t max[2] = { 0, 0 };
    unsigned high;

    if (!all) {
        return false;
    }
    for (unsigned i = 0; i < all->len; i++) {
        max[i % 2] = MAX(max[i % 2], g_array_index(all, uint32_t, i));
    }
    if (MIN(max[0], max[1]) > 0xff) {
        tool_set_error(error, "%s: no column of high parts (at most 0xff) in "
                       "the pairs", t->name);
        return false;
    }
    high = max[0] > 0xff;
    for (unsigned i = 0; i < all->len / 2; i++) {
        image->hi[i] = (uint8_t)g_array_index(all, uint32_t, 2 * i + high);
        image->lo[i] = g_array_index(all, uint32_t, 2 * i + !high);
    }
    return true;
}

static bool parse_dump(Image *image, Text *t, GError **error)
{
    bool seen[RV100_ME_WORDS] = { false };
    unsigned n = 0;
    size_t len;

    for (;;) {
        Text ahead = *t;
        const char *token;
        uint32_t addr, hi, lo;

        if (!next_token(&ahead, &len)) {
            break;
        }
        if (!hex_token(t, "an address of at most 0xff", 0xff, &addr, error)) {
            return false;
        }
        ahead = *t;
        token = next_token(&ahead, &len);
        if (token && *token == ':') {
            *t = ahead;
        }
        if (!hex_token(t, "a high part of at most 0xff", 0xff, &hi, error) ||
            !hex_token(t, "a low part of 32 bits", UINT32_MAX, &lo, error)) {
            return false;
        }
        if (seen[addr]) {
            tool_set_error(error, "%s:%u: address 0x%02x a second time",
                           t->name, t->line, addr);
            return false;
        }
        seen[addr] = true;
        image->hi[addr] = (uint8_t)hi;
        image->lo[addr] = lo;
        n++;
    }
    if (!n) {
        tool_set_error(error, "%s: empty, no microcode image", t->name);
    }
    return n > 0;
}

static bool is_text(const char *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = data[i];

        if (c < 0x20 && !g_ascii_isspace(c)) {
            return false;
        }
    }
    return true;
}

bool image_parse(Image *image, const char *name, const char *data, size_t len,
                 GError **error)
{
    Text t = { name, data, data + len, 1 };

    memset(image, 0, sizeof(*image));
    if (!is_text(data, len)) {
        return parse_bin(image, name, data, len, error);
    }
    return memchr(data, '{', len) ? parse_c(image, &t, error)
                                  : parse_dump(image, &t, error);
}

bool image_load(Image *image, const char *path, GError **error)
{
    size_t len;
    g_autofree char *data = tool_read(path, &len, error);

    return data && image_parse(image, strcmp(path, "-") ? path
                                      : "standard input", data, len, error);
}

static void append_be32(GString *s, uint32_t v)
{
    const uint8_t b[] = { v >> 24, v >> 16 & 0xff, v >> 8 & 0xff, v & 0xff };

    g_string_append_len(s, (const char *)b, 4);
}

char *image_format_data(const Image *image, ImageFormat format,
                        const char *name, size_t *len)
{
    GString *s = g_string_new(NULL);

    if (format == IMAGE_C) {
        g_string_append_printf(s, "static const unsigned int %s[256][2] = {\n",
                               name);
    }
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        switch (format) {
        case IMAGE_BIN:
            append_be32(s, image->hi[i]);
            append_be32(s, image->lo[i]);
            break;
        case IMAGE_C:
            g_string_append_printf(s, "    { 0x%02x, 0x%08x }, /* %02x */\n",
                                   image->hi[i], image->lo[i], i);
            break;
        case IMAGE_TEXT:
            g_string_append_printf(s, "%02x: %02x %08x\n", i, image->hi[i],
                                   image->lo[i]);
            break;
        }
    }
    if (format == IMAGE_C) {
        g_string_append(s, "};\n");
    }
    *len = s->len;
    return g_string_free(s, FALSE);
}

const Rv100MeChip *image_chip(const Image *image, const char *path,
                              const char *name, GError **error)
{
    const Rv100MeChip *chip;

    if (name) {
        chip = rv100_me_chip(name);
        if (!chip) {
            g_autoptr(GString) all = g_string_new(NULL);

            for (unsigned i = 0; rv100_me_chips()[i]; i++) {
                g_string_append_printf(all, " %s", rv100_me_chips()[i]->name);
            }
            tool_set_error(error, "no chip '%s'; there are:%s", name, all->str);
        }
        return chip;
    }
    chip = rv100_me_chip_of_image(image->hi, image->lo);
    if (!chip) {
        fprintf(stderr, "rv100: note: entry 2 of %s names no chip (high part "
                "0x%02x, not 2, 4 or 8); taken for r100 (see --chip)\n", path,
                image->hi[2]);
        chip = rv100_me_chip("r100");
    }
    return chip;
}
