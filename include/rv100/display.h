/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scan-out: what the two CRTCs show, for consoles, screenshots and tests.
 *
 * A mode is decoded from the registers into a checked struct; all its memory is
 * inside VRAM. Colours come out as 0x00RRGGBB after the look-up table of the
 * head and with the hardware cursor drawn in.
 */
#ifndef RV100_DISPLAY_H
#define RV100_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "rv100/chip.h"

#define RV100_HEADS 2
#define RV100_PALETTE 256

typedef struct Rv100DisplayMode {
    bool native;            /* the CRTC shows the frame buffer (head 0: not VGA) */
    bool blank;             /* native, but black: blanked, DPMS, or switched off */
    bool double_scan;       /* each row of the frame buffer is shown twice */
    bool tiled;
    bool cursor;            /* the hardware cursor is on */
    uint8_t format;         /* CRTC_PIX_WIDTH: 2 8 bpp, 3 1555, 4 565, 5 888,
                             * 6 8888 */
    uint8_t bytes;          /* of a pixel */
    uint32_t width, height; /* pixels and lines shown */
    uint32_t offset;        /* first byte in VRAM */
    uint32_t pitch;         /* bytes from row to row */
    uint32_t size;          /* bytes of VRAM from offset that may be shown; it
                             * ends inside VRAM, rows beyond are black */
    uint32_t refresh;       /* mHz, as the CRTC is paced */
} Rv100DisplayMode;

void rv100_display_mode(Rv100 *s, unsigned head, Rv100DisplayMode *mode);
/* Lines [first, first + lines) of the picture into dst, stride bytes apart. */
void rv100_scanout(Rv100 *s, unsigned head, const Rv100DisplayMode *mode,
                   uint32_t first, uint32_t lines, void *dst, uint32_t stride);
/* Lines that the cursor covers: false when it is not to be seen. */
bool rv100_cursor_lines(Rv100 *s, unsigned head, const Rv100DisplayMode *mode,
                        uint32_t *first, uint32_t *lines);

/* What decides where the cursor is and which colours it has: while these words are
 * the same only its picture in VRAM can change. */
#define RV100_CURSOR_STATE 5
void rv100_cursor_state(Rv100 *s, unsigned head, uint32_t state[RV100_CURSOR_STATE]);

/* Cursor as a picture of its own, for hosts that draw it themselves:
 * 64 x 64 ARGB (not premultiplied mono: 0 or opaque; inverted pixels come out
 * opaque white) and its position, which may be negative. False when off. */
#define RV100_CURSOR_SIZE 64
bool rv100_cursor_image(Rv100 *s, unsigned head, uint32_t *argb, int *x, int *y);

/* Colour table of a head: 10 bits each, red 29:20, green 19:10, blue 9:0. The host
 * sets what comes through VGA ports, which it decodes itself. */
uint32_t rv100_palette_get(Rv100 *s, unsigned head, unsigned index);
void rv100_palette_set(Rv100 *s, unsigned head, unsigned index, uint32_t rgb30);

/* The connectors. */
typedef enum Rv100Connector {
    RV100_CONNECTOR_VGA,        /* GPIO_VGA_DDC */
    RV100_CONNECTOR_DVI,        /* GPIO_DVI_DDC and hot-plug detect 1 */
    RV100_CONNECTORS
} Rv100Connector;

#define RV100_EDID_MAX 256

/* Plug a monitor in or out. Its EDID (at most RV100_EDID_MAX bytes, none for one
 * without DDC) is copied; it is not part of the chip's state. */
void rv100_set_monitor(Rv100 *s, Rv100Connector connector, bool plugged,
                       const uint8_t *edid, uint32_t size);
bool rv100_monitor_plugged(Rv100 *s, Rv100Connector connector);

/* Debug knob: the engine stands still and GUI_ACTIVE reads 1 until a soft reset
 * of the CP, as after a lockup. */
void rv100_hang(Rv100 *s);

#endif
