/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files with command streams: text, raw dwords, captures. */
#ifndef RV100_INPUT_H
#define RV100_INPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum InputFormat {
    INPUT_AUTO,                 /* capture or text if it is one, else le */
    INPUT_TEXT, INPUT_LE, INPUT_BE, INPUT_CAPTURE,
} InputFormat;

typedef struct Input {
    InputFormat format;         /* never INPUT_AUTO */
    char *name;                 /* for messages */
    const uint8_t *data;        /* the whole file */
    size_t len;
    GArray *words;              /* uint32_t; NULL for a capture */
    GMappedFile *map;
    char *text;
} Input;

/* "auto", "text", "le", "be", "capture" */
bool input_format(const char *name, InputFormat *format, GError **error);
/* "-" is standard input. False with an error: unusable. */
bool input_load(Input *in, const char *path, InputFormat format,
                GError **error);
void input_clear(Input *in);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Input, input_clear)

#endif
