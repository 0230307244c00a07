/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pm4-random.h"

#include <stdbool.h>

#include "rv100-pm4.h"
#include "rv100-regs.h"

static uint32_t below(Pm4Random *p, unsigned n)
{
    return (uint32_t)g_rand_int_range(p->rand, 0, (gint32)n);
}

/* Any 32 bits, but small and edge values often. */
static uint32_t any(Pm4Random *p)
{
    static const uint32_t edges[] = {
        0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x8000, 0x7fff7fff,
        0x80008000, 0xffff, 0xffff0000, 0x00010000
    };

    switch (below(p, 3)) {
    case 0:
        return edges[below(p, G_N_ELEMENTS(edges))];
    case 1:
        return below(p, 2048) << 16 | below(p, 2048);
    default:
        return g_rand_int(p->rand);
    }
}

static void put(Pm4Random *p, uint32_t word)
{
    g_array_append_val(p->words, word);
}

static void put_any(Pm4Random *p, unsigned n)
{
    while (n--) {
        put(p, any(p));
    }
}

/* --- the settings block --- */

/* Words of a brush by type and bytes of a pixel [isa:8]. */
static unsigned brush_words(unsigned type, unsigned datatype)
{
    static const uint8_t fixed[16] = {
        4, 3, 3, 2, 3, 2, 3, 2, 34, 33, 0, 0, 0, 1, 1, 0
    };
    static const uint8_t bytes[16] = {
        1, 1, 1, 2, 2, 4, 4, 1, 1, 1, 1, 2, 2, 1, 4, 2
    };

    return type == 10 ? 16 * bytes[datatype]
         : type == 11 || type == 12 ? 2 * bytes[datatype] : fixed[type];
}

static void settings(Pm4Random *p)
{
    uint32_t gui = g_rand_int(p->rand);

    put(p, gui);
    put_any(p, (gui & 1) + (gui >> 1 & 1) + (gui >> 2 & 1)
               + 2 * (gui >> 3 & 1));
    put_any(p, brush_words(gui >> 4 & 15, gui >> 8 & 15));
    put_any(p, gui >> 31);
}

/* --- what stands behind it --- */

static void some_pairs(Pm4Random *p)
{
    put_any(p, 2 * (1 + below(p, 8)));
}

static void some_words(Pm4Random *p)
{
    put_any(p, 1 + below(p, 24));
}

static void blits(Pm4Random *p)
{
    put_any(p, 3 * (1 + below(p, 6)));
}

static void transparent_blits(Pm4Random *p)
{
    put_any(p, 3);
    blits(p);
}

static void small_text(Pm4Random *p)
{
    put_any(p, 2);
    for (unsigned n = 1 + below(p, 6); n; n--) {
        unsigned h = below(p, 4) ? below(p, 20) : 0;
        unsigned w = below(p, 4) ? below(p, 20) : below(p, 256);

        put(p, h << 24 | w << 16 | below(p, 0x10000));
        put_any(p, (w * h + 31) / 32);
    }
}

static void host_data(Pm4Random *p)
{
    put_any(p, 2);
    for (unsigned n = 1 + below(p, 5); n; n--) {
        unsigned words = below(p, 3) ? below(p, 20) : below(p, 3);

        put_any(p, 2);
        /* Bits above 13 of the number do not count. */
        put(p, words | (below(p, 4) ? 0 : below(p, 1 << 18) << 14));
        put_any(p, words);
    }
}

static void polyline(Pm4Random *p)
{
    put_any(p, 2 + below(p, 10));
}

static void scans(Pm4Random *p)
{
    unsigned n = 1 + below(p, 5);

    put(p, n);
    while (n--) {
        unsigned spans = below(p, 6);

        put(p, spans | (below(p, 4) ? 0 : 0xffffc000));
        put(p, any(p));
        put_any(p, spans);
    }
}

static void next_scan(Pm4Random *p)
{
    put_any(p, 1 + below(p, 8));
}

static void next_char(Pm4Random *p)
{
    put_any(p, 3 + below(p, 40));
}

static void scissors(Pm4Random *p)
{
    put_any(p, 2 + (below(p, 4) ? 0 : below(p, 4)));
}

static void draw_list(Pm4Random *p)
{
    put_any(p, 4 + below(p, 12));
}

static void draw(Pm4Random *p)
{
    put_any(p, 2 + below(p, 20));
}

static void microcode(Pm4Random *p)
{
    unsigned first = below(p, p->n_free), n = 1;

    while (first + n < p->n_free && below(p, 4)
           && p->free_words[first + n] == p->free_words[first] + n) {
        n++;
    }
    put(p, p->free_words[first] | below(p, 2) << 8);
    while (n--) {
        put_any(p, 2);
    }
}

static void palette(Pm4Random *p)
{
    put_any(p, 2 + below(p, 16));
}

static void clear_zmask(Pm4Random *p)
{
    unsigned n = below(p, 400) ? 1 + below(p, 60) : 0;

    put(p, any(p));
    put(p, n | below(p, 4) << 14);
    put(p, any(p));
}

static void macroblock(Pm4Random *p)
{
    static const uint8_t data[8] = { 0, 3, 4, 1, 3, 8, 6, 2 };

    put(p, any(p));
    for (unsigned n = below(p, 12); n; n--) {
        unsigned code = below(p, 8);

        put(p, code);
        put_any(p, data[code]);
    }
}

/* --- headers --- */

typedef struct Kind {
    const char *name;
    uint8_t op;
    bool with_settings;         /* may also come with a settings block */
    void (*body)(Pm4Random *p);
} Kind;

static const Kind kinds[] = {
    { "NOP", PM4_OP_NOP, false, some_words },
    { "PAINT", PM4_OP_PAINT, true, some_pairs },
    { "BITBLT", PM4_OP_BITBLT, true, blits },
    { "SMALLTEXT", PM4_OP_SMALLTEXT, true, small_text },
    { "HOSTDATA_BLT", PM4_OP_HOSTDATA_BLT, true, host_data },
    { "POLYLINE", PM4_OP_POLYLINE, true, polyline },
    { "POLYSCANLINES", PM4_OP_POLYSCANLINES, true, scans },
    { "NEXTCHAR", PM4_OP_NEXTCHAR, false, next_char },
    { "PAINT_MULTI", PM4_OP_PAINT_MULTI, true, some_pairs },
    { "BITBLT_MULTI", PM4_OP_BITBLT_MULTI, true, blits },
    { "TRANS_BITBLT", PM4_OP_TRANS_BITBLT, true, transparent_blits },
    { "PLY_NEXTSCAN", PM4_OP_PLY_NEXTSCAN, false, next_scan },
    { "SET_SCISSORS", PM4_OP_SET_SCISSORS, false, scissors },
    { "3D_RNDR_GEN_INDX_PRIM", PM4_OP_3D_RNDR_GEN_INDX_PRIM, false,
      draw_list },
    { "LOAD_MICROCODE", PM4_OP_LOAD_MICROCODE, false, microcode },
    { "3D_RNDR_GEN_PRIM", PM4_OP_3D_RNDR_GEN_PRIM, false, draw },
    { "WAIT_FOR_IDLE", PM4_OP_WAIT_FOR_IDLE, false, some_words },
    { "3D_DRAW_VBUF", PM4_OP_3D_DRAW_VBUF, false, draw },
    { "3D_DRAW_IMMD", PM4_OP_3D_DRAW_IMMD, false, draw },
    { "3D_DRAW_INDX", PM4_OP_3D_DRAW_INDX, false, draw },
    { "LOAD_PALETTE", PM4_OP_LOAD_PALETTE, false, palette },
    { "3D_LOAD_VBPNTR", PM4_OP_3D_LOAD_VBPNTR, false, some_words },
    { "MPEG_IDCT_MACROBLOCK", PM4_OP_MPEG_IDCT_MACROBLOCK, false, macroblock },
    { "MPEG_IDCT_MACROBLOCK_REV", PM4_OP_MPEG_IDCT_MACROBLOCK_REV, false,
      macroblock },
    { "3D_CLEAR_ZMASK", PM4_OP_3D_CLEAR_ZMASK, false, clear_zmask },
    /* The other opcodes of the table do nothing on the R100. */
    { "0x16", 0x16, false, some_words },
    { "0x17", 0x17, false, some_words },
    { "0x1f", 0x1f, false, some_words },
    { "0x20", 0x20, false, some_words },
    { "0x21", 0x21, false, some_words },
    { "0x22", 0x22, false, some_words },
    { "0x27", 0x27, false, some_words },
    { "0x2d", 0x2d, false, some_words },
    { "0x2e", 0x2e, false, some_words },
    { "0x33", 0x33, false, some_words },
};

enum { TYPE_0, TYPE_1, TYPE_2, N_TYPES };

unsigned pm4_kinds(void)
{
    return G_N_ELEMENTS(kinds) + N_TYPES;
}

const char *pm4_kind_name(unsigned kind)
{
    static const char *const types[] = { "type 0", "type 1", "type 2" };

    return kind < G_N_ELEMENTS(kinds) ? kinds[kind].name
                                      : types[kind - G_N_ELEMENTS(kinds)];
}

/* Registers without a meaning to the engine itself. */
static uint32_t some_register(Pm4Random *p)
{
    return R_GUI_SCRATCH_REG0 + below(p, 6);
}

static void other_type(Pm4Random *p, unsigned type)
{
    unsigned n = 1 + below(p, 20);

    switch (type) {
    case TYPE_0:
        put(p, (n - 1) << 16 | below(p, 2) << 15 | below(p, 0x2000));
        put_any(p, n);
        break;
    case TYPE_1:
        put(p, 1u << 30 | below(p, 0x100) << 22 | below(p, 0x800) << 11
               | (some_register(p) & 0x7ff));
        put_any(p, 2);
        break;
    default:
        put(p, 2u << 30 | (g_rand_int(p->rand) & 0x3fffffff));
        break;
    }
}

void pm4_random(Pm4Random *p, unsigned kind)
{
    bool c;
    uint32_t *header;

    g_array_set_size(p->words, 0);
    if (kind >= G_N_ELEMENTS(kinds)) {
        other_type(p, kind - G_N_ELEMENTS(kinds));
        return;
    }
    c = kinds[kind].with_settings && below(p, 2);
    /* Bits 7:0 of the header mean nothing. */
    put(p, 3u << 30 | (uint32_t)c << 15 | (uint32_t)kinds[kind].op << 8
           | (below(p, 4) ? 0 : below(p, 256)));
    if (c) {
        settings(p);
    }
    /* POLYSCANLINES may be settings alone, for PLY_NEXTSCAN to use. */
    if (!c || kinds[kind].op != PM4_OP_POLYSCANLINES || below(p, 3)) {
        kinds[kind].body(p);
    }
    header = &g_array_index(p->words, uint32_t, 0);
    *header |= (p->words->len - 2) << 16;
}
