/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in the picture: a title, an evening at the sea, tiles of raster
 * operations, the table. Everything is drawn by the packets of the microcode.
 */
#include "draw.h"

#define GRAY 0x00283242u        /* frames */
#define NIGHT 0x00101622u       /* ground of panels */
#define INK 0x00d8dee8u
#define DIM 0x008894a8u
#define GOOD 0x0048d070u
#define BAD 0x00ff5050u

static const Box scene = { 8, 56, 400, 192 };
static const Box tiles = { 416, 56, 216, 192 };
static const Box table = { 8, 254, 624, 212 };

#define HORIZON 168             /* first row of the water */
#define SUN_X 168
#define SUN_Y 138
#define SUN_R 42
#define SKY_TOP 0x000a1038u
#define SKY_MIDDLE 0x00803070u
#define SKY_LOW 0x00ffa050u

/* Below the picture: shapes to be copied. */
#define BALL_R 16
#define KEY 0x00ff00ffu
static const Box balls[] = {
    { 0, PICTURE_HEIGHT, 2 * BALL_R, 2 * BALL_R },
    { 40, PICTURE_HEIGHT, 2 * BALL_R, 2 * BALL_R },
    { 80, PICTURE_HEIGHT, 2 * BALL_R, 2 * BALL_R },
};
static const Box source = { 120, PICTURE_HEIGHT, 46, 26 };

static void frame(const Picture *p, Box b, uint32_t colour)
{
    draw_fill(p, colour, (Box) { b.x - 2, b.y - 2, b.w + 4, b.h + 4 });
    draw_fill(p, NIGHT, b);
}

/* --- title --- */

/* A colour brush: 64 pixels, each row in the colours of the rainbow. */
static void rainbow(const Picture *p, Box b)
{
    static const uint32_t colours[8] = {
        0x00e83830, 0x00f08030, 0x00f8d040, 0x0060c040,
        0x0030b0a0, 0x003878d8, 0x006048c0, 0x00b040a0,
    };
    Packet k;

    packet_begin(&k, p, PM4_OP_PAINT_MULTI, SURFACE | BRUSH(8X8_COLOR) | ROP(P));
    for (unsigned y = 0; y < 8; y++) {
        for (unsigned x = 0; x < 8; x++) {
            packet_put(&k, colours[(x + y) % 8]);
        }
    }
    packet_put(&k, YX(b.x, b.y));
    packet_put(&k, YX(b.w, b.h));
    packet_send(&k);
}

/* Straight lines whose envelope is a curve. */
static void strings(const Picture *p, int x, int y, int w, int h)
{
    for (int i = 0; i <= w; i += 6) {
        draw_line(p, LINES, blend(0x0030c0ff, 0x00ff60c0, i, w),
                  x + i, y + h, x + w, y + h - h * i / w);
        draw_line(p, LINES, blend(0x00ff60c0, 0x0030c0ff, i, w),
                  x + w - i, y, x, y + h * i / w);
    }
}

static void draw_title(const Picture *p)
{
    for (int x = 0; x < PICTURE_WIDTH; x += 10) {
        draw_fill(p, blend(0x00183060, 0x00101622, x, PICTURE_WIDTH),
                  (Box) { x, 0, 10, 42 });
    }
    draw_text(p, 0x00000000, 14, 6, 2, "RV100");
    draw_text(p, 0x00ffffff, 12, 4, 2, "RV100");
    draw_text(p, INK, 112, 6, 1, "drawn by the 2D engine: packets in a ring,");
    draw_text(p, DIM, 112, 22, 1, "turned into register writes by the microcode");
    strings(p, 500, 3, 128, 36);
    rainbow(p, (Box) { 0, 42, PICTURE_WIDTH, 4 });
}

/* --- sky, sun, hills, balls --- */

static void draw_sky(const Picture *p)
{
    const int h = HORIZON - scene.y, half = h / 2;

    for (int y = 0; y < h; y += 2) {
        uint32_t c = y < half ? blend(SKY_TOP, SKY_MIDDLE, y, half)
            : blend(SKY_MIDDLE, SKY_LOW, y - half, h - half);

        draw_fill(p, c, (Box) { scene.x, scene.y + y, scene.w, 2 });
    }
}

static void draw_stars(const Picture *p)
{
    uint32_t r = 1;
    Packet k;

    packet_begin(&k, p, PM4_OP_PAINT_MULTI, SOLID);
    packet_put(&k, 0x00f0f0ff);
    for (int i = 0; i < 70; i++) {
        r = r * 1664525 + 1013904223;
        packet_put(&k, YX(scene.x + (r >> 8) % scene.w, scene.y + (r >> 20) % 60));
        packet_put(&k, YX(1, 1));
    }
    packet_send(&k);
}

/* Rays that lighten what they cross; the scissor keeps them in the sky. */
static void draw_rays(const Picture *p)
{
    const uint32_t gmc = (LINES & ~R_DP_GUI_MASTER_CNTL_GMC_ROP3_MASK) | ROP(DPX)
        | GMC(GMC_DST_CLIPPING, 1);

    for (int i = 0; i < 48; i++) {
        Packet k;

        packet_begin(&k, p, PM4_OP_POLYLINE, gmc);
        packet_put(&k, YX(scene.y, scene.x));
        packet_put(&k, YX(HORIZON, scene.x + scene.w));
        packet_put(&k, 0x00202010);
        packet_put(&k, YX(SUN_Y, SUN_X));
        packet_put(&k, YX(SUN_Y + wave(300, i, 48), SUN_X + wave(300, i + 12, 48)));
        packet_send(&k);
    }
}

static void draw_sun(const Picture *p)
{
    for (int i = 0; i < SUN_R; i += 2) {
        draw_disc(p, blend(0x00ffb838, 0x00fff4b0, i, SUN_R), SUN_X, SUN_Y,
                  SUN_R - i);
    }
}

/* Columns from a height down to the horizon. */
static void draw_hills(const Picture *p, uint32_t colour, int height, int n, int at)
{
    for (int x = 0; x < scene.w; x += 100) {
        Packet k;

        packet_begin(&k, p, PM4_OP_PAINT, SOLID);
        packet_put(&k, colour);
        for (int i = x; i < x + 100; i++) {
            int h = height + wave(height / 2, i + at, n)
                + wave(height / 4, 3 * i + at, n) + wave(3, 11 * i, n);

            packet_put(&k, YX(HORIZON - h, scene.x + i));       /* top, left */
            packet_put(&k, YX(HORIZON, scene.x + i + 1));       /* bottom, right */
        }
        packet_send(&k);
    }
}

static void make_balls(const Picture *p)
{
    static const uint32_t colours[][2] = {
        { 0x00801010, 0x00ffd0c0 }, { 0x00104080, 0x00c0f0ff },
        { 0x00106020, 0x00d8ffc8 },
    };

    for (unsigned i = 0; i < N_ELEMENTS(balls); i++) {
        int x = balls[i].x + BALL_R, y = balls[i].y + BALL_R;

        draw_fill(p, KEY, balls[i]);
        for (int k = 0; k < BALL_R; k++) {
            draw_disc(p, blend(colours[i][0], colours[i][1], k * k,
                               BALL_R * BALL_R), x - k / 2, y - k / 2, BALL_R - k);
        }
    }
}

#define BALLS 13

/* Three hops from the left to the right. */
static void draw_balls(const Picture *p)
{
    for (int i = 0; i < BALLS; i++) {
        int x = scene.x + 8 + i * 28;
        int up = wave(74 - i, i * 10, 80);

        draw_sprite(p, balls[i % N_ELEMENTS(balls)], x,
                    HORIZON - 2 * BALL_R - 2 - (up < 0 ? -up : up), KEY);
    }
}

/* --- water: what is above, upside down and moved --- */

static void draw_water(const Picture *p)
{
    /* Every other row darker: bits of a transparent brush. */
    static const Pattern dark = { 0, 0x00182850, { 0x00ff00ff, 0x00ff00ff } };
    const int h = scene.y + scene.h - HORIZON;

    for (int i = 0; i < h; i++) {
        draw_copy(p, (Box) { scene.x, HORIZON - 1 - i * 10 / 8, scene.w, 1 },
                  scene.x, HORIZON + i);
    }
    /* Each row over itself, a little to the left or to the right. */
    for (int i = 0; i < h; i++) {
        int by = wave(2 + i / 8, i * i / 6 + 7 * i, 64);
        int at = by < 0 ? -by : 0;

        draw_copy(p, (Box) { scene.x + at, HORIZON + i,
                             scene.w - (by < 0 ? -by : by), 1 },
                  scene.x + at + by, HORIZON + i);
    }
    draw_rop_fill(p, ROP(DPA), 0x00c0e0ff,
                  (Box) { scene.x, HORIZON, scene.w, h });
    draw_pattern(p, BRUSH(8X8_MONO_FG_LA), &dark,
                 (Box) { scene.x, HORIZON, scene.w, h });
}

/* A dashed frame: lines with a brush of 32 bits. */
static void draw_dashes(const Picture *p, Box b)
{
    Packet k;

    packet_begin(&k, p, PM4_OP_POLYLINE,
                 SURFACE | BRUSH(32X1_MONO_FG_BG) | ROP(P));
    packet_put(&k, GRAY);
    packet_put(&k, 0x00f8d040);
    packet_put(&k, 0x0f0f0f0f);
    packet_put(&k, YX(b.y - 2, b.x - 2));
    packet_put(&k, YX(b.y - 2, b.x + b.w + 1));
    packet_put(&k, YX(b.y + b.h + 1, b.x + b.w + 1));
    packet_put(&k, YX(b.y + b.h + 1, b.x - 2));
    packet_put(&k, YX(b.y - 2, b.x - 2));
    packet_send(&k);
}

static void draw_scene(const Picture *p)
{
    make_balls(p);
    frame(p, scene, GRAY);
    draw_sky(p);
    draw_stars(p);
    draw_rays(p);
    draw_sun(p);
    draw_hills(p, 0x00502850, 22, 300, 40);
    draw_hills(p, 0x00301838, 12, 170, 0);
    draw_balls(p);
    draw_water(p);
    draw_dashes(p, scene);
}

/* --- raster operations --- */

static void draw_tile(const Picture *p, uint8_t rop, Box b)
{
    static const uint32_t stripes[] = {
        0x00c03028, 0x00d0a030, 0x0040a040, 0x003060c0,
    };
    const int n = N_ELEMENTS(stripes);
    char code[3] = { "0123456789ABCDEF"[rop >> 4],
                     "0123456789ABCDEF"[rop & 15], 0 };
    Packet k;

    for (int i = 0; i < n; i++) {
        draw_fill(p, stripes[i], (Box) { b.x, b.y + b.h * i / n, b.w,
                                         b.h * (i + 1) / n - b.h * i / n });
    }
    packet_begin(&k, p, PM4_OP_BITBLT_MULTI, SURFACE | BRUSH(8X8_MONO_FG_BG)
                 | GMC(GMC_SRC_PITCH_OFFSET_CNTL, 1) | GMC(GMC_ROP3, rop));
    packet_put(&k, 0x00000000);
    packet_put(&k, 0x00ffffff);
    packet_put(&k, 0x88442211);         /* diagonals */
    packet_put(&k, 0x88442211);
    packet_put(&k, YX(source.x, source.y));
    packet_put(&k, YX(b.x, b.y));
    packet_put(&k, YX(b.w, b.h));
    packet_send(&k);
    draw_label(p, INK, NIGHT, b.x + b.w / 2 - 8, b.y + b.h + 1, code);
}

static void draw_tiles(const Picture *p)
{
    static const uint8_t codes[16] = {
        0x00, 0x11, 0x33, 0x44, 0x55, 0x5a, 0x66, 0x88,
        0xbb, 0xc0, 0xca, 0xcc, 0xee, 0xf0, 0xfb, 0xff,
    };

    draw_fill(p, 0x00203060, source);
    draw_disc(p, 0x00ffe0a0, source.x + source.w / 2, source.y + source.h / 2, 10);
    frame(p, tiles, GRAY);
    draw_label(p, DIM, NIGHT, tiles.x + 8, tiles.y, "16 of 256 raster ops");
    for (int i = 0; i < 16; i++) {
        draw_tile(p, codes[i], (Box) { tiles.x + 4 + i % 4 * 54,
                                       tiles.y + 16 + i / 4 * 44, source.w,
                                       source.h });
    }
}

/* --- table: two columns, in cells of 8 x 16 --- */

static void draw_table(const Picture *p)
{
    const int rows = 13, top = 256, columns[2] = { 16, 328 };

    frame(p, table, GRAY);
    for (unsigned i = 0; i < p->n_lines && i < 2u * rows; i++) {
        const PictureLine *l = &p->lines[i];
        int x = columns[i / rows], y = top + (int)i % rows * PICTURE_GLYPH_ROWS;

        draw_text(p, l->passed ? GOOD : BAD, x, y, 1, l->passed ? "PASS" : "FAIL");
        draw_text(p, INK, x + 5 * 8, y, 1, l->name);
    }
}

void picture_draw(const Picture *p)
{
    static const Pattern hatch = { 0x00161e2c, 0x001a2434,
                                   { 0x88442211, 0x88442211 } };

    draw_register(p, A_DEFAULT_SC_BOTTOM_RIGHT, YX(PICTURE_ROWS, PICTURE_WIDTH));
    draw_register(p, A_DST_LINE_PATCOUNT, 0);
    draw_register(p, A_RBBM_GUICNTL, 0);
    draw_register(p, A_BRUSH_Y_X, 0);
    draw_pattern(p, BRUSH(8X8_MONO_FG_BG), &hatch,
                 (Box) { 0, 0, PICTURE_WIDTH, PICTURE_HEIGHT });
    draw_title(p);
    draw_scene(p);
    draw_tiles(p);
    draw_table(p);
}
