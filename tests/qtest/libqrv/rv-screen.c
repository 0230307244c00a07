/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "rv-screen.h"

#define PLANES 4
#define FONT_STRIDE 32          /* bytes of plane 2 for each character */
#define FONT_PLANE 2
#define WAIT_TRIES 600          /* of 0.2 s: a guard against hangs */

/* --- PPM --- */

/* A decimal number after blanks and comments. */
static bool ppm_number(const uint8_t **p, const uint8_t *end, unsigned *value)
{
    unsigned digits = 0;

    while (*p < end && (g_ascii_isspace(**p) || **p == '#')) {
        if (**p == '#') {
            while (*p < end && **p != '\n') {
                (*p)++;
            }
        } else {
            (*p)++;
        }
    }
    for (*value = 0; *p < end && g_ascii_isdigit(**p) && digits < 5; (*p)++) {
        *value = *value * 10 + (**p - '0');
        digits++;
    }
    return digits > 0;
}

RvPicture *rv_ppm_parse(const uint8_t *data, size_t len, const char **why)
{
    const uint8_t *p = data + 2, *end = data + len;
    unsigned width, height, max;
    RvPicture *pic;

    if (len < 2 || memcmp(data, "P6", 2) != 0) {
        *why = "not a binary PPM";
        return NULL;
    }
    if (!ppm_number(&p, end, &width) || !ppm_number(&p, end, &height) ||
        !ppm_number(&p, end, &max) || p == end || max != 255) {
        *why = "bad PPM header";
        return NULL;
    }
    p++;
    if ((uint64_t)(end - p) != (uint64_t)width * height * 3) {
        *why = "PPM has not the size that its header says";
        return NULL;
    }
    pic = g_new0(RvPicture, 1);
    pic->width = width;
    pic->height = height;
    pic->pixels = g_new(uint32_t, (size_t)width * height + 1);
    for (size_t i = 0; i < (size_t)width * height; i++, p += 3) {
        pic->pixels[i] = p[0] << 16 | p[1] << 8 | p[2];
    }
    return pic;
}

void rv_picture_free(RvPicture *p)
{
    if (p) {
        g_free(p->pixels);
        g_free(p);
    }
}

RvPicture *rv_screendump(RvVm *vm, const char *device)
{
    return rv_screendump_head(vm, device, 0);
}

RvPicture *rv_screendump_head(RvVm *vm, const char *device, unsigned head)
{
    g_autofree char *inner = g_strdup_printf("%s/screen.ppm",
                                             rv_vm_inner_dir(vm));
    g_autofree char *path = g_build_filename(rv_vm_dir(vm), "screen.ppm", NULL);
    g_autofree char *args =
        device ? g_strdup_printf("{\"filename\": \"%s\", \"device\": \"%s\", "
                                 "\"head\": %u}", inner, device, head)
               : g_strdup_printf("{\"filename\": \"%s\"}", inner);
    g_autofree char *reply = rv_qmp(vm, "screendump", args);
    g_autofree char *data = NULL;
    g_autoptr(GError) err = NULL;
    const char *why = NULL;
    RvPicture *p;
    gsize len;

    if (!g_file_get_contents(path, &data, &len, &err)) {
        rv_die("screendump: %s", err->message);
    }
    p = rv_ppm_parse((const uint8_t *)data, len, &why);
    if (!p) {
        rv_die("screendump: %s", why);
    }
    return p;
}

/* --- text --- */

void rv_font_read(RvVm *vm, uint64_t vram, RvFont *font)
{
    g_autofree uint8_t *mem = g_malloc(256 * FONT_STRIDE * PLANES);

    rv_mem_read(vm, vram, mem, 256 * FONT_STRIDE * PLANES);
    for (unsigned c = 0; c < 256; c++) {
        for (unsigned y = 0; y < RV_GLYPH_ROWS; y++) {
            font->rows[c][y] =
                mem[(c * FONT_STRIDE + y) * PLANES + FONT_PLANE];
        }
    }
}

/* Asked of the monitor: a running firmware uses the configuration ports. */
uint64_t rv_firmware_bar(RvVm *vm, unsigned nth, unsigned bar)
{
    g_autofree char *text = rv_hmp(vm, "info pci");
    g_autofree char *name = g_strdup_printf("BAR%u: ", bar);
    const char *p = text, *end;
    uint64_t addr;

    for (unsigned i = 0; i <= nth; i++) {
        p = strstr(p, "PCI device 1002:5159");
        if (!p) {
            return 0;
        }
        p += strlen("PCI device ");
    }
    end = strstr(p, "Bus ");
    p = strstr(p, name);
    if (!p || (end && p > end) || !(p = strstr(p, " at 0x"))) {
        return 0;
    }
    addr = g_ascii_strtoull(p + strlen(" at 0x"), NULL, 16);
    return addr <= UINT32_MAX ? addr : 0;
}

/* Bits of a cell: pixels that differ from the one at its corner. */
static void cell_bits(const RvPicture *p, unsigned x, unsigned y,
                      uint8_t bits[RV_GLYPH_ROWS])
{
    uint32_t ground = p->pixels[y * p->width + x];

    for (unsigned r = 0; r < RV_GLYPH_ROWS; r++) {
        const uint32_t *row = &p->pixels[(y + r) * p->width + x];

        bits[r] = 0;
        for (unsigned b = 0; b < 8; b++) {
            bits[r] |= (row[b] != ground) << (7 - b);
        }
    }
}

static char cell_char(const RvFont *font, const uint8_t bits[RV_GLYPH_ROWS])
{
    uint8_t inverse[RV_GLYPH_ROWS];
    static const uint8_t blank[RV_GLYPH_ROWS];

    if (memcmp(bits, blank, RV_GLYPH_ROWS) == 0) {
        return ' ';
    }
    for (unsigned r = 0; r < RV_GLYPH_ROWS; r++) {
        inverse[r] = ~bits[r];
    }
    /* ASCII first: other code points may share a glyph. */
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = (i + ' ') & 0xff;

        if (memcmp(bits, font->rows[c], RV_GLYPH_ROWS) == 0 ||
            memcmp(inverse, font->rows[c], RV_GLYPH_ROWS) == 0) {
            return c < 0x7f && c >= ' ' ? c : '?';
        }
    }
    return '?';
}

char *rv_picture_text(const RvPicture *p, const RvFont *font,
                      unsigned cell_width)
{
    GString *text = g_string_new(NULL);

    for (unsigned y = 0; y + RV_GLYPH_ROWS <= p->height; y += RV_GLYPH_ROWS) {
        gsize start = text->len, used = start;

        for (unsigned x = 0; x + cell_width <= p->width; x += cell_width) {
            uint8_t bits[RV_GLYPH_ROWS];
            char c;

            cell_bits(p, x, y, bits);
            c = cell_char(font, bits);
            g_string_append_c(text, c);
            used = c != ' ' ? text->len : used;
        }
        g_string_truncate(text, used);
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}

char *rv_screen_wait_text(RvVm *vm, const char *device, const char *wanted)
{
    g_autofree char *text = NULL;

    for (int tries = 0; tries < WAIT_TRIES; tries++) {
        uint64_t vram = rv_firmware_bar(vm, 0, 0);

        if (vram) {
            g_autoptr(RvPicture) p = rv_screendump(vm, device);
            g_autofree RvFont *font = g_new(RvFont, 1);

            rv_font_read(vm, vram, font);
            g_free(text);
            text = rv_picture_text(p, font, p->width % 9 ? 8 : 9);
            if (strstr(text, wanted)) {
                return g_steal_pointer(&text);
            }
        }
        g_usleep(200000);
    }
    g_test_message("the screen shows:\n%s", text ? text : "(nothing)");
    return NULL;
}
