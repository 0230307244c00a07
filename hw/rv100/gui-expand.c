/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source pixels that are not in the destination's format: bits become one of
 * two colours, indices become entries of the palette. */
#include <string.h>

#include "internal.h"

typedef uint32_t Four __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint16_t Eight __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint8_t Sixteen __attribute__((vector_size(16), aligned(1), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* --- 4, 8 and 16 pixels: all ones where the bit of v is set --- */

INLINE Four mask4(uint64_t v)
{
    const Four bit = { 1, 2, 4, 8 };
    uint32_t b = v;
    Four x = { b, b, b, b };

    return (Four)((x & bit) == bit);
}

INLINE Eight mask8(uint64_t v)
{
    const Eight bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
    uint16_t b = v;
    Eight x = { b, b, b, b, b, b, b, b };

    return (Eight)((x & bit) == bit);
}

INLINE Sixteen mask16(uint64_t v)
{
    const Sixteen bit = { 1, 2, 4, 8, 16, 32, 64, 128,
                          1, 2, 4, 8, 16, 32, 64, 128 };
    uint8_t a = v, b = v >> 8;
    Sixteen x = { a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b };

    return (Sixteen)((x & bit) == bit);
}

/* n pixels by the bits of v; la: only those whose bit is set. */
#define DEFINE_PIXELS(T, N, Lane) \
INLINE void pixels##N(uint8_t *out, uint64_t v, unsigned n, Lane fg, Lane bg, \
                      bool la) \
{ \
    T old = (T) { 0 } ^ bg; \
    for (; n >= N; n -= N, v >>= N, out += sizeof(T)) { \
        if (la) { \
            old = *(const T *)out; \
        } \
        *(T *)out = old ^ ((old ^ fg) & mask##N(v)); \
    } \
    if (n) { \
        if (la) { \
            memcpy(&old, out, n * sizeof(Lane)); \
        } \
        old ^= (old ^ fg) & mask##N(v); \
        memcpy(out, &old, n * sizeof(Lane)); \
    } \
}

DEFINE_PIXELS(Four, 4, uint32_t)
DEFINE_PIXELS(Eight, 8, uint16_t)
DEFINE_PIXELS(Sixteen, 16, uint8_t)

INLINE void pixels(uint8_t *out, uint64_t v, unsigned n, unsigned shift,
                   uint32_t fg, uint32_t bg, bool la)
{
    if (shift == 2) {
        pixels4(out, v, n, fg, bg, la);
    } else if (shift == 1) {
        pixels8(out, v, n, fg, bg, la);
    } else {
        pixels16(out, v, n, fg, bg, la);
    }
}

/* --- runs of any length --- */

/* Bits that are taken at once: what 8 bytes give from any bit on, in whole
 * vectors. */
#define TAKE 48u

/* 56 bits from bit `at` on, of which the first n are wanted; n bytes are there. */
INLINE uint64_t load_bits(const uint8_t *bits, size_t at, size_t n)
{
    uint64_t v = 0;

    memcpy(&v, bits + at / 8, MIN((at % 8 + n + 7) / 8, sizeof(v)));
    return GUINT64_FROM_LE(v) >> at % 8;
}

INLINE void run(uint8_t *out, const uint8_t *bits, size_t at, size_t n,
                unsigned shift, uint32_t fg, uint32_t bg, bool la)
{
    for (size_t done = 0; done < n; done += TAKE) {
        pixels(out + (done << shift), load_bits(bits, at + done, n - done),
               MIN(n - done, TAKE), shift, fg, bg, la);
    }
}

void rv100_gui_mono(uint8_t *out, const uint8_t *bits, unsigned bit, size_t n,
                    unsigned shift, uint32_t fg, uint32_t bg)
{
    run(out, bits, bit, n, shift, GUINT32_TO_LE(fg), GUINT32_TO_LE(bg), false);
}

void rv100_gui_mono_la(uint8_t *out, const uint8_t *bits, unsigned bit, size_t n,
                       unsigned shift, uint32_t fg)
{
    run(out, bits, bit, n, shift, GUINT32_TO_LE(fg), 0, true);
}

/* --- rows that follow each other in a stream of bits --- */

INLINE void rows(const GuiMonoRows *from, unsigned shift, bool la)
{
    const GuiMonoRows m = *from;
    uint8_t *out = m.out;
    unsigned at = m.bit;
    uint32_t fg = GUINT32_TO_LE(m.fg), bg = GUINT32_TO_LE(m.bg);

    if (m.w == 8) {             /* the width of most text */
        for (unsigned i = 0; i < m.rows; i++, out += m.stride, at += m.step) {
            pixels(out, load_bits(m.bits, at, 64), 8, shift, fg, bg, la);
        }
        return;
    }
    for (unsigned i = 0; i < m.rows; i++, out += m.stride, at += m.step) {
        for (unsigned done = 0; done < m.w; done += TAKE) {
            pixels(out + (done << shift), load_bits(m.bits, at + done, 64),
                   MIN(m.w - done, TAKE), shift, fg, bg, la);
        }
    }
}

#define DEFINE_ROWS(name, shift, la) \
static void name(const GuiMonoRows *m) \
{ \
    rows(m, shift, la); \
}

DEFINE_ROWS(rows_8, 0, false)
DEFINE_ROWS(rows_8_la, 0, true)
DEFINE_ROWS(rows_16, 1, false)
DEFINE_ROWS(rows_16_la, 1, true)
DEFINE_ROWS(rows_32, 2, false)
DEFINE_ROWS(rows_32_la, 2, true)

void rv100_gui_mono_rows(const GuiMonoRows *m, unsigned shift, bool la)
{
    static void (*const kinds[3][2])(const GuiMonoRows *m) = {
        { rows_8, rows_8_la }, { rows_16, rows_16_la }, { rows_32, rows_32_la },
    };

    kinds[shift][la](m);
}

/* --- indices --- */

static unsigned index_of(const uint8_t *src, size_t bit, GuiSource source)
{
    const uint8_t *p = src + bit / 8;

    /* The low nibble is the left pixel; an index of 32 bits is its low byte
     * [inferred] */
    return source == GUI_SRC_CI4 ? *p >> bit % 8 & 15 : *p;
}

/* An entry is cut to the depth like every colour [inferred]. */
#define LOOK_UP(T, to_le) do { \
        typedef T Pixel_ __attribute__((aligned(1), may_alias)); \
        Pixel_ *to_ = (Pixel_ *)out; \
        if (source == GUI_SRC_CI4) { \
            for (size_t i = 0; i < n; i++) { \
                to_[i] = to_le((T)clut[index_of(src, bit + 4 * i, source)]); \
            } \
        } else { \
            for (size_t i = 0; i < n; i++) {    /* whole bytes */ \
                to_[i] = to_le((T)clut[src[i * step]]); \
            } \
        } \
    } while (0)
#define SAME_BYTE(v) (v)

void rv100_gui_indexed(uint8_t *out, const uint8_t *src, unsigned bit, size_t n,
                       unsigned shift, GuiSource source, const uint32_t *clut)
{
    unsigned step = rv100_gui_source_bits(source, shift) / 8;

    if (shift == 2) {
        LOOK_UP(uint32_t, GUINT32_TO_LE);
    } else if (shift == 1) {
        LOOK_UP(uint16_t, GUINT16_TO_LE);
    } else {
        LOOK_UP(uint8_t, SAME_BYTE);
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
