/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source pixels that are not in the destination's format: bits become one of
 * two colours, indices become entries of the palette. */
#include <string.h>

#include "internal.h"

typedef uint32_t Four __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint16_t Eight __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint8_t Sixteen __attribute__((vector_size(16), aligned(1), may_alias));

/* The next n (1..16) bits from bit `at` on; touches only bytes that hold them. */
static inline unsigned take_bits(const uint8_t *bits, size_t at, unsigned n)
{
    const uint8_t *p = bits + at / 8;
    unsigned first = at % 8, v = p[0];

    if (first + n > 8) {
        v |= p[1] << 8;
    }
    if (first + n > 16) {
        v |= (unsigned)p[2] << 16;
    }
    return v >> first;
}

/* Vectors of 4, 8 and 16 pixels. */
static inline Four expand4(unsigned v, uint32_t bg, uint32_t flip)
{
    const Four bit = { 1, 2, 4, 8 };
    Four x = { v, v, v, v };

    return bg ^ ((Four)((x & bit) == bit) & flip);
}

static inline Eight expand8(unsigned v, uint16_t bg, uint16_t flip)
{
    const Eight bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
    uint16_t b = v;
    Eight x = { b, b, b, b, b, b, b, b };

    return bg ^ ((Eight)((x & bit) == bit) & flip);
}

static inline Sixteen expand16(unsigned v, uint8_t bg, uint8_t flip)
{
    const Sixteen bit = { 1, 2, 4, 8, 16, 32, 64, 128,
                          1, 2, 4, 8, 16, 32, 64, 128 };
    uint8_t a = v, b = v >> 8;
    Sixteen x = { a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b };

    return bg ^ ((Sixteen)((x & bit) == bit) & flip);
}

#define EXPAND(T, N, bg, flip) do { \
        for (; n >= N; n -= N, at += N, out += sizeof(T)) { \
            *(T *)out = expand##N(take_bits(bits, at, N), bg, flip); \
        } \
        if (n) { \
            T last_ = expand##N(take_bits(bits, at, n), bg, flip); \
            memcpy(out, &last_, n << shift); \
        } \
    } while (0)

void rv100_gui_mono(uint8_t *out, const uint8_t *bits, unsigned bit, size_t n,
                    unsigned shift, uint32_t fg, uint32_t bg)
{
    uint32_t flip = GUINT32_TO_LE(fg ^ bg);
    size_t at = bit;

    bg = GUINT32_TO_LE(bg);
    if (shift == 2) {
        EXPAND(Four, 4, bg, flip);
    } else if (shift == 1) {
        EXPAND(Eight, 8, bg, flip);
    } else {
        EXPAND(Sixteen, 16, bg, flip);
    }
}

#define EXPAND_LA(T, N, fg) do { \
        for (; n >= N; n -= N, at += N, out += sizeof(T)) { \
            T d_ = *(T *)out; \
            *(T *)out = d_ ^ ((d_ ^ fg) & expand##N(take_bits(bits, at, N), 0, \
                                                   -1)); \
        } \
        if (n) { \
            T d_ = { 0 }; \
            memcpy(&d_, out, n << shift); \
            d_ ^= (d_ ^ fg) & expand##N(take_bits(bits, at, n), 0, -1); \
            memcpy(out, &d_, n << shift); \
        } \
    } while (0)

void rv100_gui_mono_la(uint8_t *out, const uint8_t *bits, unsigned bit, size_t n,
                       unsigned shift, uint32_t fg)
{
    size_t at = bit;

    fg = GUINT32_TO_LE(fg);
    if (shift == 2) {
        EXPAND_LA(Four, 4, fg);
    } else if (shift == 1) {
        EXPAND_LA(Eight, 8, (uint16_t)fg);
    } else {
        EXPAND_LA(Sixteen, 16, (uint8_t)fg);
    }
}

static unsigned index_of(const uint8_t *src, size_t bit, GuiSource source)
{
    const uint8_t *p = src + bit / 8;

    /* The low nibble is the left pixel; an index of 32 bits is its low byte
     * [inferred] */
    return source == GUI_SRC_CI4 ? *p >> bit % 8 & 15 : *p;
}

void rv100_gui_indexed(uint8_t *out, const uint8_t *src, unsigned bit, size_t n,
                       unsigned shift, GuiSource source, const uint32_t *clut)
{
    unsigned step = rv100_gui_source_bits(source, shift);

    for (size_t i = 0; i < n; i++) {
        uint32_t c = clut[index_of(src, bit + i * step, source)];

        /* An entry is cut to the depth like every colour [inferred] */
        for (unsigned b = 0; b < 1u << shift; b++) {
            *out++ = c >> 8 * b;
        }
    }
}

unsigned rv100_gui_source_bits(GuiSource source, unsigned shift)
{
    static const uint8_t bits[] = {
        [GUI_SRC_MONO] = 1, [GUI_SRC_MONO_LA] = 1,
        [GUI_SRC_CI4] = 4, [GUI_SRC_CI8] = 8, [GUI_SRC_CI32] = 32,
    };

    return source == GUI_SRC_SAME || source == GUI_SRC_NONE ? 8u << shift
        : bits[source];
}
