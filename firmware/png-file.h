/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RV100_PNG_FILE_H
#define RV100_PNG_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* 0x00RRGGBB pixels as a PNG file. */
bool png_file_write(const char *path, uint32_t width, uint32_t height,
                    const uint32_t *pixels, GError **error);

#endif
