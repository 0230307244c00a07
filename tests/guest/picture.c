/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen: a mode of the card's own CRTC, and the picture, sent through the
 * ring. Its text is in the VGA's font, which the VGA BIOS has put into plane 2.
 */
#include "guest.h"
#include "picture.h"
#include "rv100-regs.h"

#define WINDOW ((volatile uint8_t *)0xa0000)
#define FONT_STRIDE 32          /* bytes of plane 2 for a character */
#define SEQ 0x3c4
#define GC 0x3ce

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

static uint32_t font_sum(void)
{
    const uint8_t *p = &picture_font[0][0];
    uint32_t sum = PICTURE_SUM_INIT;

    for (unsigned i = 0; i < sizeof(picture_font); i++) {
        sum = picture_sum(sum, p[i]);
    }
    return sum;
}

/* --- the mode: 640 x 480 at 60 Hz, 32 bits a pixel --- */

#define FIELD(reg, field, v) ((uint32_t)(v) << R_##reg##_##field##_SHIFT)

/* Counted in characters of 8 pixels, less one; widths of syncs as they are. */
static const struct {
    uint16_t offset;
    uint32_t value;
} mode[] = {
    { A_CRTC_H_TOTAL_DISP, FIELD(CRTC_H_TOTAL_DISP, CRTC_H_TOTAL, 800 / 8 - 1)
                           | FIELD(CRTC_H_TOTAL_DISP, CRTC_H_DISP, 640 / 8 - 1) },
    { A_CRTC_H_SYNC_STRT_WID, FIELD(CRTC_H_SYNC_STRT_WID, CRTC_H_SYNC_STRT_CHAR,
                                    656 / 8 - 1)
                              | FIELD(CRTC_H_SYNC_STRT_WID, CRTC_H_SYNC_WID, 12)
                              | FIELD(CRTC_H_SYNC_STRT_WID, CRTC_H_SYNC_POL, 1) },
    { A_CRTC_V_TOTAL_DISP, FIELD(CRTC_V_TOTAL_DISP, CRTC_V_TOTAL, 525 - 1)
                           | FIELD(CRTC_V_TOTAL_DISP, CRTC_V_DISP, 480 - 1) },
    { A_CRTC_V_SYNC_STRT_WID, FIELD(CRTC_V_SYNC_STRT_WID, CRTC_V_SYNC_STRT,
                                    490 - 1)
                              | FIELD(CRTC_V_SYNC_STRT_WID, CRTC_V_SYNC_WID, 2)
                              | FIELD(CRTC_V_SYNC_STRT_WID, CRTC_V_SYNC_POL, 1) },
    { A_CRTC_OFFSET, PICTURE_OFFSET },
    { A_CRTC_OFFSET_CNTL, 0 },
    { A_CRTC_PITCH, PICTURE_WIDTH / 8 },
    { A_CRTC_EXT_CNTL, 0 },             /* nothing blanked */
    { A_CRTC_GEN_CNTL, FIELD(CRTC_GEN_CNTL, CRTC_EXT_DISP_EN, 1)
                       | FIELD(CRTC_GEN_CNTL, CRTC_EN, 1)
                       | FIELD(CRTC_GEN_CNTL, CRTC_PIX_WIDTH,
                               R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP) },
};

static void set_mode(const Device *d)
{
    wr(d, A_DISPLAY_BASE_ADDR, (uint32_t)d->vram);
    for (unsigned i = 0; i < N_ELEMENTS(mode); i++) {
        wr(d, mode[i].offset, mode[i].value);
    }
    /* No gamma: the VGA BIOS has left the colours of text. */
    wr(d, A_PALETTE_INDEX, 0);
    for (uint32_t i = 0; i < 256; i++) {
        wr(d, A_PALETTE_DATA, i * 0x010101);
    }
}

/* --- the picture --- */

typedef struct Sender {
    const Device *d;
    unsigned words;             /* in the ring */
    bool idle;
} Sender;

static void send_packet(void *opaque, const uint32_t *words, unsigned n)
{
    Sender *s = opaque;

    if (s->words + n >= RING_DWORDS) {
        s->idle = s->idle && ring_run(s->d);
        s->words = 0;
    }
    for (unsigned i = 0; i < n; i++) {
        ring_emit(words[i]);
    }
    s->words += n;
}

/* As the CPU reads it. */
static uint32_t sum_of_screen(const Device *d)
{
    volatile uint32_t *pixels = (volatile uint32_t *)(d->vram + PICTURE_OFFSET);
    uint32_t sum = PICTURE_SUM_INIT;

    for (unsigned i = 0; i < PICTURE_PIXELS; i++) {
        sum = picture_sum(sum, pixels[i]);
    }
    return sum;
}

void picture_show(const Device *d)
{
    static PictureLine lines[MAX_RESULTS];
    Sender s = { .d = d, .idle = true };
    Picture p = {
        .base = (uint32_t)d->vram + PICTURE_OFFSET, .font = picture_font,
        .lines = lines, .send = send_packet, .opaque = &s,
    };

    read_font();
    check("font of the VGA BIOS", PICTURE_FONT_SUM, font_sum());
    for (p.n_lines = 0; p.n_lines < n_results; p.n_lines++) {
        const Result *r = &results[p.n_lines];

        lines[p.n_lines] = (PictureLine) { r->name, r->expected == r->got };
    }
    set_mode(d);
    picture_draw(&p);
    s.idle = ring_run(d) && s.idle;
    check("picture drawn", 1, s.idle);
    check("picture, sum of its pixels", PICTURE_SUM, sum_of_screen(d));
}
