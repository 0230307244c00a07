/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen, drawn by the CPU: colour bars and the table of results in the
 * VGA's own font. The mode is the VGA's 640 x 480 with 16 colours, set through
 * its registers, so the chip's own scan-out is not needed; the pixels go
 * through the VGA window into the card's memory, a plane at a time.
 */
#include "guest.h"

#define WINDOW ((volatile uint8_t *)0xa0000)
#define WIDTH 640
#define HEIGHT 480
#define ROW (WIDTH / 8)
#define FONT_STRIDE 32          /* bytes of plane 2 for a character */

#define MISC_WRITE 0x3c2
#define SEQ 0x3c4
#define GC 0x3ce
#define CRTC 0x3d4
#define STATUS1 0x3da
#define ATTR 0x3c0
#define DAC_INDEX 0x3c8
#define DAC_DATA 0x3c9

/* Colours: 0..6 ground and text, 8..15 the bars. */
enum { GROUND, INK, GOOD, BAD, DIM, BAR = 8 };

static const uint8_t colours[16][3] = {     /* 6 bits each */
    { 4, 6, 12 }, { 58, 58, 58 }, { 20, 56, 28 }, { 63, 20, 20 },
    { 32, 36, 44 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 },
    { 63, 63, 63 }, { 63, 63, 0 }, { 0, 63, 63 }, { 0, 63, 0 },
    { 63, 0, 63 }, { 63, 0, 0 }, { 0, 0, 63 }, { 16, 16, 16 },
};

/* 25.175 MHz, 640 x 480 at 60 Hz, 80 bytes a row. */
static const uint8_t seq_mode[] = { 0x03, 0x01, 0x0f, 0x00, 0x06 };
static const uint8_t crtc_mode[] = {
    0x5f, 0x4f, 0x50, 0x82, 0x54, 0x80, 0x0b, 0x3e, 0x00, 0x40, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0xea, 0x0c, 0xdf, 0x28, 0x00, 0xe7, 0x04, 0xe3,
    0xff,
};
static const uint8_t gc_mode[] = { 0, 0, 0, 0, 0, 0, 0x05, 0x0f, 0xff };
static const uint8_t attr_mode[] = { 0x01, 0x00, 0x0f, 0x00, 0x00 };

uint8_t picture_font[256][GLYPH_ROWS];

static void indexed(uint16_t port, uint8_t index, uint8_t value)
{
    outb(port, index);
    outb(port + 1, value);
}

/* Plane 2 as plain bytes at the start of the window, text mode. */
static void read_font(void)
{
    indexed(SEQ, 2, 0x04);
    indexed(SEQ, 4, 0x06);
    indexed(GC, 4, 0x02);
    indexed(GC, 5, 0x00);
    indexed(GC, 6, 0x04);
    for (unsigned c = 0; c < 256; c++) {
        for (unsigned y = 0; y < GLYPH_ROWS; y++) {
            picture_font[c][y] = WINDOW[c * FONT_STRIDE + y];
        }
    }
}

static void set_mode(void)
{
    outb(MISC_WRITE, 0xe3);
    for (unsigned i = 0; i < N_ELEMENTS(seq_mode); i++) {
        indexed(SEQ, i, seq_mode[i]);
    }
    indexed(CRTC, 0x11, 0x0c);  /* unlock registers 0..7 */
    for (unsigned i = 0; i < N_ELEMENTS(crtc_mode); i++) {
        indexed(CRTC, i, crtc_mode[i]);
    }
    for (unsigned i = 0; i < N_ELEMENTS(gc_mode); i++) {
        indexed(GC, i, gc_mode[i]);
    }
    inb(STATUS1);               /* the attribute controller expects an index */
    for (unsigned i = 0; i < 16; i++) {
        outb(ATTR, i);
        outb(ATTR, i);
    }
    for (unsigned i = 0; i < N_ELEMENTS(attr_mode); i++) {
        outb(ATTR, 16 + i);
        outb(ATTR, attr_mode[i]);
    }
    outb(ATTR, 0x20);           /* show */
    outb(DAC_INDEX, 0);
    for (unsigned i = 0; i < 16; i++) {
        for (unsigned c = 0; c < 3; c++) {
            outb(DAC_DATA, colours[i][c]);
        }
    }
}

/* Eight pixels: bits set in colour, the others in the ground colour. */
static void octet(unsigned x, unsigned y, uint8_t bits, unsigned colour)
{
    for (unsigned plane = 0; plane < 4; plane++) {
        uint8_t v = (colour >> plane & 1 ? bits : 0) |
                    (GROUND >> plane & 1 ? (uint8_t)~bits : 0);

        indexed(SEQ, 2, 1 << plane);
        WINDOW[y * ROW + x] = v;
    }
}

static unsigned text(unsigned column, unsigned line, const char *s,
                     unsigned colour)
{
    for (; *s && column < ROW; s++, column++) {
        for (unsigned r = 0; r < GLYPH_ROWS; r++) {
            octet(column, line * GLYPH_ROWS + r, picture_font[(uint8_t)*s][r],
                  colour);
        }
    }
    return column;
}

static void hex(unsigned column, unsigned line, uint32_t value)
{
    char s[9];

    for (unsigned i = 0; i < 8; i++) {
        s[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    }
    s[8] = 0;
    text(column, line, s, DIM);
}

void picture_show(const char *title)
{
    unsigned line = 3;

    read_font();
    set_mode();
    for (unsigned i = 0; i < HEIGHT * ROW; i++) {
        octet(i % ROW, i / ROW, 0, INK);
    }
    for (unsigned i = 0; i < 32 * ROW; i++) {
        octet(i % ROW, i / ROW, 0xff, BAR + i % ROW / (ROW / 8));
    }
    text(1, 2, title, INK);
    for (unsigned i = 0; i < n_results && line < HEIGHT / GLYPH_ROWS; i++) {
        bool ok = results[i].expected == results[i].got;

        text(1, line, ok ? "PASS" : "FAIL", ok ? GOOD : BAD);
        text(7, line, results[i].name, INK);
        hex(52, line, results[i].expected);
        hex(62, line, results[i].got);
        line++;
    }
}
