/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "draw.h"

#define PITCH_OFFSET(base) \
    (PICTURE_WIDTH * 4 / 64 << R_DST_PITCH_OFFSET_PITCH_SHIFT | (base) >> 10)
#define SETTINGS 0x80u          /* opcode with a settings block */
#define KEY_EQUAL (R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_EQ_COLOR \
                   << R_CLR_CMP_CNTL_CLR_CMP_FCN_SRC_SHIFT \
                   | R_CLR_CMP_CNTL_CLR_CMP_SRC_SRC \
                   << R_CLR_CMP_CNTL_CLR_CMP_SRC_SHIFT)

/* --- packets --- */

void packet_begin(Packet *k, const Picture *p, unsigned op, uint32_t gmc)
{
    k->p = p;
    k->words[0] = op;
    k->n = 1;
    packet_put(k, gmc);
    if (gmc & GMC(GMC_SRC_PITCH_OFFSET_CNTL, 1)) {
        packet_put(k, PITCH_OFFSET(p->base));
    }
    packet_put(k, PITCH_OFFSET(p->base));
}

void packet_put(Packet *k, uint32_t word)
{
    if (k->n < PACKET_WORDS) {
        k->words[k->n++] = word;
    }
}

void packet_send(Packet *k)
{
    k->words[0] = pm4_type3(k->words[0] | SETTINGS, k->n - 1);
    k->p->send(k->p->opaque, k->words, k->n);
}

void draw_register(const Picture *p, uint32_t offset, uint32_t value)
{
    const uint32_t words[] = { pm4_type0(offset, 1, false), value };

    p->send(p->opaque, words, N_ELEMENTS(words));
}

/* --- rectangles --- */

void draw_rop_fill(const Picture *p, uint32_t rop, uint32_t colour, Box b)
{
    Packet k;

    packet_begin(&k, p, PM4_OP_PAINT_MULTI, SURFACE | BRUSH(SOLID_COLOR) | rop);
    packet_put(&k, colour);
    packet_put(&k, YX(b.x, b.y));       /* x and width in the high half */
    packet_put(&k, YX(b.w, b.h));
    packet_send(&k);
}

void draw_fill(const Picture *p, uint32_t colour, Box b)
{
    draw_rop_fill(p, ROP(P), colour, b);
}

void draw_pattern(const Picture *p, uint32_t brush, const Pattern *t, Box b)
{
    Packet k;

    packet_begin(&k, p, PM4_OP_PAINT_MULTI, SURFACE | brush | ROP(P));
    if (brush != BRUSH(8X8_MONO_FG_LA)) {
        packet_put(&k, t->ground);
    }
    packet_put(&k, t->ink);
    packet_put(&k, t->rows[0]);
    packet_put(&k, t->rows[1]);
    packet_put(&k, YX(b.x, b.y));
    packet_put(&k, YX(b.w, b.h));
    packet_send(&k);
}

/* Source, destination and size of a copy: the end of its packet. */
static void send_copy(Packet *k, Box from, int x, int y)
{
    packet_put(k, YX(from.x, from.y));
    packet_put(k, YX(x, y));
    packet_put(k, YX(from.w, from.h));
    packet_send(k);
}

void draw_copy(const Picture *p, Box from, int x, int y)
{
    Packet k;

    packet_begin(&k, p, PM4_OP_BITBLT_MULTI, COPY);
    send_copy(&k, from, x, y);
}

void draw_sprite(const Picture *p, Box from, int x, int y, uint32_t key)
{
    Packet k;

    packet_begin(&k, p, PM4_OP_TRANS_BITBLT,
                 COPY & ~GMC(GMC_CLR_CMP_CNTL_DIS, 1));
    packet_put(&k, KEY_EQUAL);
    packet_put(&k, key);
    packet_put(&k, 0);
    send_copy(&k, from, x, y);
}

/* --- spans and lines --- */

void draw_disc(const Picture *p, uint32_t colour, int x, int y, int radius)
{
    Packet k;

    packet_begin(&k, p, PM4_OP_POLYSCANLINES, SOLID);
    packet_put(&k, colour);
    packet_put(&k, 2 * radius);         /* scans */
    for (int i = -radius; i < radius; i++) {
        /* The middle of the row, in halves of a pixel. */
        int half = square_root(4 * radius * radius - (2 * i + 1) * (2 * i + 1));
        int w = (half + 1) / 2;

        packet_put(&k, 1);              /* spans */
        packet_put(&k, YX(1, y + i));   /* height, top */
        packet_put(&k, YX(x + w, x - w));
    }
    packet_send(&k);
}

void draw_line(const Picture *p, uint32_t gmc, uint32_t colour, int x0, int y0,
               int x1, int y1)
{
    Packet k;

    packet_begin(&k, p, PM4_OP_POLYLINE, gmc);
    packet_put(&k, colour);
    packet_put(&k, YX(y0, x0));
    packet_put(&k, YX(y1, x1));
    packet_send(&k);
}

/* --- text --- */

/* The bits of a glyph, each `scale` times in both directions, as they follow each
 * other in the stream: leftmost is bit 7 of a byte. Returns the words. */
static unsigned glyph_words(const uint8_t *rows, unsigned scale, uint32_t *words)
{
    unsigned w = 8 * scale, h = PICTURE_GLYPH_ROWS * scale;

    for (unsigned i = 0; i < w * h / 32; i++) {
        words[i] = 0;
    }
    for (unsigned y = 0; y < h; y++) {
        for (unsigned x = 0; x < w; x++) {
            unsigned at = y * w + x;
            uint32_t bit = rows[y / scale] >> (7 - x / scale) & 1;

            words[at / 32] |= bit << (at % 32 ^ 7);
        }
    }
    return w * h / 32;
}

#define TEXT(type) ((SURFACE & ~(SRC_TYPE(COLOR) | R_DP_GUI_MASTER_CNTL_DP_SRC_SOURCE_MASK)) \
                    | BRUSH(NONE) | ROP(S) | SRC_TYPE(type) | SOURCE(HOST_DATA))
#define MAX_SCALE 3
#define LINE_GLYPHS 40          /* of scale 1 in a packet */

static void put_glyph(Packet *k, const uint8_t *rows, unsigned scale)
{
    uint32_t words[PICTURE_GLYPH_ROWS / 4 * MAX_SCALE * MAX_SCALE];
    unsigned n = glyph_words(rows, scale, words);

    for (unsigned i = 0; i < n; i++) {
        packet_put(k, words[i]);
    }
}

void draw_text(const Picture *p, uint32_t colour, int x, int y, unsigned scale,
               const char *text)
{
    unsigned w = 8 * scale, h = PICTURE_GLYPH_ROWS * scale;
    unsigned most = LINE_GLYPHS / (scale * scale);

    while (*text) {
        Packet k;

        packet_begin(&k, p, PM4_OP_SMALLTEXT, TEXT(MONO_FG_LA));
        packet_put(&k, colour);
        packet_put(&k, YX(y, x));
        for (unsigned i = 0; *text && i < most; i++, text++) {
            /* Height, width, rise above the line, step from the last one. */
            packet_put(&k, h << 24 | w << 16 | (i ? w : 0));
            put_glyph(&k, p->font[(uint8_t)*text], scale);
        }
        packet_send(&k);
        x += most * w;
    }
}

void draw_label(const Picture *p, uint32_t colour, uint32_t ground, int x, int y,
                const char *text)
{
    Packet k;

    packet_begin(&k, p, PM4_OP_HOSTDATA_BLT, TEXT(MONO_FG_BG));
    packet_put(&k, colour);
    packet_put(&k, ground);
    for (; *text; text++, x += 8) {
        packet_put(&k, YX(y, x));
        packet_put(&k, YX(PICTURE_GLYPH_ROWS, 8));
        packet_put(&k, PICTURE_GLYPH_ROWS * 8 / 32);
        put_glyph(&k, p->font[(uint8_t)*text], 1);
    }
    packet_send(&k);
}

/* --- numbers --- */

uint32_t blend(uint32_t from, uint32_t to, int i, int n)
{
    uint32_t out = 0;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        int a = from >> shift & 0xff, b = to >> shift & 0xff;

        out |= (uint32_t)(a + (b - a) * i / n) << shift;
    }
    return out;
}

/* By Bhaskara's formula, in half turns of 180. */
int wave(int amplitude, int i, int n)
{
    int degrees = 360 * (i % n) / n, d = degrees % 180;
    int v = amplitude * 4 * d * (180 - d) / (40500 - d * (180 - d));

    return degrees < 180 ? v : -v;
}

int square_root(int v)
{
    int root = 0;

    while ((root + 1) * (root + 1) <= v) {
        root++;
    }
    return root;
}
