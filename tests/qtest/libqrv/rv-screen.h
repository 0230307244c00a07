/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures of the guest's screen, and the VGA text in them.
 *
 * The glyphs come from the running guest: in text mode the VGA keeps them in
 * plane 2 of its memory, which is the start of the frame buffer.
 */
#ifndef RV_SCREEN_H
#define RV_SCREEN_H

#include "rv-dev.h"

typedef struct RvPicture {
    unsigned width, height;
    uint32_t *pixels;           /* 0x00rrggbb, rows without gaps */
} RvPicture;

#define RV_GLYPH_ROWS 16

typedef struct RvFont {
    uint8_t rows[256][RV_GLYPH_ROWS];   /* bit 7 = leftmost pixel */
} RvFont;

/* QMP screendump of the console of a device (id or NULL: the first). */
RvPicture *rv_screendump(RvVm *vm, const char *device);
/* ... of one of its heads. */
RvPicture *rv_screendump_head(RvVm *vm, const char *device, unsigned head);
/* A binary PPM of 8 bits a colour; NULL and *why when it is none. */
RvPicture *rv_ppm_parse(const uint8_t *data, size_t len, const char **why);
void rv_picture_free(RvPicture *p);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RvPicture, rv_picture_free)

/* The font in plane 2; `vram` = CPU address of the frame buffer. */
void rv_font_read(RvVm *vm, uint64_t vram, RvFont *font);
/* Where the firmware mapped a BAR of the nth RV100; 0: nowhere yet. */
uint64_t rv_firmware_bar(RvVm *vm, unsigned nth, unsigned bar);

/* The text in cells of `cell_width` (8 or 9) x 16 pixels, one line per row,
 * without trailing blanks; what matches no glyph becomes '?'. */
char *rv_picture_text(const RvPicture *p, const RvFont *font,
                      unsigned cell_width);
/* Wait until the screen of a device contains a text; the whole text. NULL when
 * it does not come in two minutes (the last text is then printed). */
char *rv_screen_wait_text(RvVm *vm, const char *device, const char *wanted);

#endif
