/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "png-file.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>

#include "tool.h"

bool png_file_write(const char *path, uint32_t width, uint32_t height,
                    const uint32_t *pixels, GError **error)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height,
        .format = PNG_FORMAT_RGB,
    };
    g_autofree uint8_t *rgb = g_malloc((size_t)width * height * 3);
    FILE *f = fopen(path, "wb");
    bool ok;

    if (!f) {
        tool_set_error(error, "cannot write %s: %s", path, g_strerror(errno));
        return false;
    }
    for (size_t i = 0; i < (size_t)width * height; i++) {
        rgb[3 * i] = (uint8_t)(pixels[i] >> 16);
        rgb[3 * i + 1] = (uint8_t)(pixels[i] >> 8);
        rgb[3 * i + 2] = (uint8_t)pixels[i];
    }
    ok = png_image_write_to_stdio(&image, f, 0, rgb, 0, NULL);
    if (fclose(f) || !ok) {
        tool_set_error(error, "cannot write %s: %s", path,
                       ok ? g_strerror(errno) : image.message);
        return false;
    }
    return true;
}
