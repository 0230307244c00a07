/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Microcode images in files: reading and writing of every usual form. */
#ifndef RV100_IMAGE_H
#define RV100_IMAGE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rv100/me.h"

/* A file of linux-firmware: 256 pairs (high, low) of big-endian dwords. */
#define IMAGE_BIN_SIZE (RV100_ME_WORDS * 8)

typedef struct Image {
    uint8_t hi[RV100_ME_WORDS];
    uint32_t lo[RV100_ME_WORDS];
} Image;

typedef enum ImageFormat {
    IMAGE_BIN,                  /* linux-firmware .bin */
    IMAGE_C,                    /* a C array of (high, low) pairs; also read
                                 * flat, or low part first as in old kernels */
    IMAGE_TEXT,                 /* "aa: hh llllllll" lines; also read without
                                 * the colon, as debugfs dumps have it */
} ImageFormat;

/* "bin", "c", "text" */
bool image_format(const char *name, ImageFormat *format, GError **error);
/* Recognise the form and read it. Words that a text does not give are zero.
 * `name` is used in messages. */
bool image_parse(Image *image, const char *name, const char *data, size_t len,
                 GError **error);
bool image_load(Image *image, const char *path, GError **error);
/* The bytes of a file, *len of them. `name` names the C array. */
char *image_format_data(const Image *image, ImageFormat format,
                        const char *name, size_t *len);
/* The generation: by name, or what entry 2 of the image says, or r100 with a
 * note on standard error. NULL with an error for an unknown name. */
const Rv100MeChip *image_chip(const Image *image, const char *path,
                              const char *name, GError **error);

#endif
