/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <png.h>
#include <string.h>

#include "rv-golden.h"

#define GAP 1
#define GAP_COLOUR 0xff00ff

/* --- PNG: 0x00rrggbb pixels are B, G, R, x in memory --- */

static png_image image_of(unsigned width, unsigned height)
{
    return (png_image) { .version = PNG_IMAGE_VERSION, .width = width,
                         .height = height, .format = PNG_FORMAT_RGB };
}

static void write_png(const RvPicture *p, const char *path)
{
    size_t n = (size_t)p->width * p->height;
    g_autofree uint8_t *rgb = g_malloc(3 * n);
    png_image image = image_of(p->width, p->height);

    for (size_t i = 0; i < n; i++) {
        rgb[3 * i] = p->pixels[i] >> 16;
        rgb[3 * i + 1] = p->pixels[i] >> 8;
        rgb[3 * i + 2] = p->pixels[i];
    }
    if (!png_image_write_to_file(&image, path, 0, rgb, 0, NULL)) {
        rv_die("%s: %s", path, image.message);
    }
}

static RvPicture *new_picture(unsigned width, unsigned height)
{
    RvPicture *p = g_new0(RvPicture, 1);

    p->width = width;
    p->height = height;
    p->pixels = g_new0(uint32_t, (size_t)width * height);
    return p;
}

static RvPicture *read_png(const char *path)
{
    png_image image = image_of(0, 0);
    g_autofree uint8_t *rgb = NULL;
    RvPicture *p;

    if (!png_image_begin_read_from_file(&image, path)) {
        rv_die("%s: %s", path, image.message);
    }
    image.format = PNG_FORMAT_RGB;
    rgb = g_malloc(PNG_IMAGE_SIZE(image));
    if (!png_image_finish_read(&image, NULL, rgb, 0, NULL)) {
        rv_die("%s: %s", path, image.message);
    }
    p = new_picture(image.width, image.height);
    for (size_t i = 0; i < (size_t)p->width * p->height; i++) {
        p->pixels[i] = rgb[3 * i] << 16 | rgb[3 * i + 1] << 8 | rgb[3 * i + 2];
    }
    return p;
}

/* --- comparing --- */

/* Index of the first pixel that differs, -1: none; sizes are the same. */
static ssize_t first_difference(const RvPicture *a, const RvPicture *b)
{
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        if (a->pixels[i] != b->pixels[i]) {
            return i;
        }
    }
    return -1;
}

void rv_assert_same_picture(const RvPicture *a, const RvPicture *b)
{
    ssize_t at;

    g_assert_cmpuint(a->width, ==, b->width);
    g_assert_cmpuint(a->height, ==, b->height);
    at = first_difference(a, b);
    if (at >= 0) {
        rv_die("pixel %zd,%zd is %06x in one picture, %06x in the other",
               at % a->width, at / a->width, a->pixels[at], b->pixels[at]);
    }
}

void rv_assert_golden(const RvPicture *p, const char *name)
{
    g_autofree char *file = g_strdup_printf("%s.png", name);
    g_autofree char *path = g_build_filename(g_getenv("RV100_GOLDEN"), file, NULL);
    g_autofree char *shown = g_build_filename(g_getenv("RV100_PICTURES"), file, NULL);
    g_autoptr(RvPicture) golden = NULL;
    ssize_t at = 0;

    if (g_getenv("RV100_GOLDEN_UPDATE")) {
        write_png(p, path);
        return;
    }
    golden = read_png(path);
    if (golden->width == p->width && golden->height == p->height) {
        at = first_difference(p, golden);
        if (at < 0) {
            return;
        }
    }
    write_png(p, shown);
    rv_die("%s differs at %zd,%zd; what was shown: %s", path, at % p->width,
           at / p->width, shown);
}

/* --- sheets --- */

RvSheet *rv_sheet_new(unsigned columns, unsigned rows, unsigned width,
                      unsigned height)
{
    RvSheet *s = g_new0(RvSheet, 1);

    *s = (RvSheet) { columns, rows, width, height, 0,
                     new_picture(columns * (width + GAP) - GAP,
                                 rows * (height + GAP) - GAP) };
    for (size_t i = 0; i < (size_t)s->picture->width * s->picture->height; i++) {
        s->picture->pixels[i] = GAP_COLOUR;
    }
    return s;
}

void rv_sheet_free(RvSheet *s)
{
    if (s) {
        rv_picture_free(s->picture);
        g_free(s);
    }
}

void rv_sheet_add(RvSheet *s, const RvPicture *p)
{
    unsigned x = s->used % s->columns * (s->width + GAP);
    unsigned y = s->used / s->columns * (s->height + GAP);

    g_assert_cmpuint(p->width, ==, s->width);
    g_assert_cmpuint(p->height, ==, s->height);
    g_assert_cmpuint(s->used++, <, s->columns * s->rows);
    for (unsigned row = 0; row < s->height; row++) {
        memcpy(&s->picture->pixels[(y + row) * s->picture->width + x],
               &p->pixels[row * p->width], 4 * s->width);
    }
}

void rv_sheet_check(RvSheet *s, const char *name)
{
    g_assert_cmpuint(s->used, ==, s->columns * s->rows);
    rv_assert_golden(s->picture, name);
}
