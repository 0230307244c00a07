/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raster operations: one kernel for each of the 256 codes, made by macros, on
 * bytes of any depth (a raster operation is bitwise).
 *
 * Bit (P*4 + S*2 + D) of the code is the result for those bits of brush, source
 * and destination. The code is split at one of the three operands into two
 * functions f0 and f1 of the others: R = f0 ^ (operand & (f0 ^ f1)). The split
 * with the fewest instructions is chosen at compile time; it has six at most.
 */
#include "internal.h"

/* Steps of a kernel, from the widest to a single byte. */
typedef uint64_t Step16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t Step8 __attribute__((aligned(1), may_alias));
typedef uint32_t Step4 __attribute__((aligned(1), may_alias));
typedef uint16_t Step2 __attribute__((aligned(1), may_alias));
typedef uint8_t Step1 __attribute__((aligned(1), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* --- cost of a split --- */

/* Instructions of a function of two operands a and b; bit (a*2 + b) of f is the
 * result, so 12 is a and 10 is b. */
INLINE unsigned two_cost(unsigned f)
{
    return f == 0 || f == 10 || f == 12 || f == 15 ? 0
        : f == 1 || f == 7 || f == 9 || f == 11 || f == 13 ? 2 : 1;
}

INLINE unsigned split_cost(unsigned f0, unsigned f1)
{
    unsigned g = f0 ^ f1;

    return two_cost(f0) + two_cost(g) + (g == 0 ? 0 : g == 15 || !f0 ? 1 : 2);
}

/* The two functions of a code when an operand is 0 (n = 0) or 1. */
INLINE unsigned half_p(unsigned code, unsigned n)   /* of S and D */
{
    return code >> 4 * n & 15;
}

INLINE unsigned half_s(unsigned code, unsigned n)   /* of P and D */
{
    return (code >> 2 * n & 3) | (code >> (2 + 2 * n) & 12);
}

INLINE unsigned half_d(unsigned code, unsigned n)   /* of P and S */
{
    code >>= n;
    return (code & 1) | (code >> 1 & 2) | (code >> 2 & 4) | (code >> 3 & 8);
}

/* --- the operation on one step --- */

#define DEFINE_STEP(T) \
INLINE T two_##T(T a, T b, unsigned f) \
{ \
    const T none = a ^ a; \
    switch (f) { \
    case 0: return none; \
    case 1: return ~(a | b); \
    case 2: return ~a & b; \
    case 3: return ~a; \
    case 4: return a & ~b; \
    case 5: return ~b; \
    case 6: return a ^ b; \
    case 7: return ~(a & b); \
    case 8: return a & b; \
    case 9: return ~(a ^ b); \
    case 10: return b; \
    case 11: return ~a | b; \
    case 12: return a; \
    case 13: return a | ~b; \
    case 14: return a | b; \
    default: return ~none; \
    } \
} \
INLINE T split_##T(T operand, T a, T b, unsigned f0, unsigned f1) \
{ \
    return two_##T(a, b, f0) ^ (operand & two_##T(a, b, f0 ^ f1)); \
} \
INLINE T rop_##T(T p, T s, T d, unsigned code) \
{ \
    unsigned cp = split_cost(half_p(code, 0), half_p(code, 1)); \
    unsigned cs = split_cost(half_s(code, 0), half_s(code, 1)); \
    unsigned cd = split_cost(half_d(code, 0), half_d(code, 1)); \
    if (cp <= cs && cp <= cd) { \
        return split_##T(p, s, d, half_p(code, 0), half_p(code, 1)); \
    } \
    if (cs <= cd) { \
        return split_##T(s, p, d, half_s(code, 0), half_s(code, 1)); \
    } \
    return split_##T(d, p, s, half_d(code, 0), half_d(code, 1)); \
}

DEFINE_STEP(Step16)
DEFINE_STEP(Step8)
DEFINE_STEP(Step4)
DEFINE_STEP(Step2)
DEFINE_STEP(Step1)

/* --- the operation on a row --- */

INLINE bool code_uses(unsigned code, unsigned shift, unsigned mask)
{
    return ((code >> shift) ^ code) & mask;
}

#define STEP(T) do { \
        T p_ = { 0 }, s_ = { 0 }, d_ = { 0 }; \
        if (code_uses(code, 4, 0x0f)) { \
            p_ = *(const T *)(brush + i % GUI_PERIOD); \
        } \
        if (code_uses(code, 2, 0x33)) { \
            s_ = *(const T *)(src + i); \
        } \
        if (code_uses(code, 1, 0x55)) { \
            d_ = *(const T *)(dst + i); \
        } \
        *(T *)(out + i) = rop_##T(p_, s_, d_, code); \
        i += sizeof(T); \
    } while (0)

#define BLOCK_STEP(k) do { \
        Step16 s_ = p##k, d_ = p##k; \
        if (uses_s) { \
            s_ = *(const Step16 *)(src + i + 16 * k); \
        } \
        if (uses_d) { \
            d_ = *(const Step16 *)(dst + i + 16 * k); \
        } \
        *(Step16 *)(out + i + 16 * k) = rop_Step16(p##k, s_, d_, code); \
    } while (0)
#define BRUSH_STEP(k) (*(const Step16 *)(brush + 16 * k))

/* Whole periods of the brush, which stays in registers. */
INLINE size_t blocks(uint8_t *out, const uint8_t *dst, const uint8_t *src,
                     const uint8_t *brush, size_t n, unsigned code)
{
    bool uses_s = code_uses(code, 2, 0x33), uses_d = code_uses(code, 1, 0x55);
    Step16 p0 = { 0 }, p1 = p0, p2 = p0, p3 = p0, p4 = p0, p5 = p0, p6 = p0, p7 = p0;
    size_t i = 0;

    if (code_uses(code, 4, 0x0f)) {
        p0 = BRUSH_STEP(0);
        p1 = BRUSH_STEP(1);
        p2 = BRUSH_STEP(2);
        p3 = BRUSH_STEP(3);
        p4 = BRUSH_STEP(4);
        p5 = BRUSH_STEP(5);
        p6 = BRUSH_STEP(6);
        p7 = BRUSH_STEP(7);
    }
    for (; n - i >= GUI_PERIOD; i += GUI_PERIOD) {
        BLOCK_STEP(0);
        BLOCK_STEP(1);
        BLOCK_STEP(2);
        BLOCK_STEP(3);
        BLOCK_STEP(4);
        BLOCK_STEP(5);
        BLOCK_STEP(6);
        BLOCK_STEP(7);
    }
    return i;
}

INLINE void row(uint8_t *out, const uint8_t *dst, const uint8_t *src,
                const uint8_t *brush, size_t n, unsigned code)
{
    size_t i = 0;

    if (n >= GUI_PERIOD) {
        i = blocks(out, dst, src, brush, n, code);
    }
    while (n - i >= 16) {
        STEP(Step16);
    }
    if (n & 8) {
        STEP(Step8);
    }
    if (n & 4) {
        STEP(Step4);
    }
    if (n & 2) {
        STEP(Step2);
    }
    if (n & 1) {
        STEP(Step1);
    }
}

/* --- the 256 kernels --- */

#define KERNEL(code) \
static void row_##code(uint8_t *out, const uint8_t *dst, const uint8_t *src, \
                       const uint8_t *brush, size_t n) \
{ \
    row(out, dst, src, brush, n, 0x##code); \
}
#define ENTRY(code) [0x##code] = row_##code,
#define SIXTEEN(X, h) \
    X(h##0) X(h##1) X(h##2) X(h##3) X(h##4) X(h##5) X(h##6) X(h##7) \
    X(h##8) X(h##9) X(h##a) X(h##b) X(h##c) X(h##d) X(h##e) X(h##f)
#define ALL_CODES(X) \
    SIXTEEN(X, 0) SIXTEEN(X, 1) SIXTEEN(X, 2) SIXTEEN(X, 3) \
    SIXTEEN(X, 4) SIXTEEN(X, 5) SIXTEEN(X, 6) SIXTEEN(X, 7) \
    SIXTEEN(X, 8) SIXTEEN(X, 9) SIXTEEN(X, a) SIXTEEN(X, b) \
    SIXTEEN(X, c) SIXTEEN(X, d) SIXTEEN(X, e) SIXTEEN(X, f)

ALL_CODES(KERNEL)

GuiRopRow *const rv100_gui_rop[256] = { ALL_CODES(ENTRY) };

/* --- one colour --- */

void rv100_gui_fill(uint8_t *out, size_t n, uint32_t colour)
{
    uint32_t c = GUINT32_TO_LE(colour);
    uint64_t c2 = (uint64_t)c << 32 | c;
    const Step16 v = { c2, c2 };
    uint8_t *end = out + n;

    if (n >= 16) {
        for (; end - out >= 64; out += 64) {
            ((Step16 *)out)[0] = v;
            ((Step16 *)out)[1] = v;
            ((Step16 *)out)[2] = v;
            ((Step16 *)out)[3] = v;
        }
        for (; end - out >= 16; out += 16) {
            *(Step16 *)out = v;
        }
        /* The rest and some bytes before: n is a whole number of pixels. */
        *(Step16 *)(end - 16) = v;
        return;
    }
    if (n & 8) {
        *(Step8 *)out = c2;
        out += 8;
    }
    if (n & 4) {
        *(Step4 *)out = c;
        out += 4;
    }
    if (n & 2) {
        *(Step2 *)out = GUINT16_TO_LE(colour & 0xffff);
        out += 2;
    }
    if (n & 1) {
        *out = colour;
    }
}

/* Rows of at most 64 bytes, which most rectangles have: stores that overlap. */
INLINE void short_rows(uint8_t *out, ptrdiff_t stride, size_t n, uint32_t rows,
                       const Step16 v)
{
    size_t last = n - 16, second = MIN(16, last), third = n > 32 ? last - 16 : 0;

    for (; rows; rows--, out += stride) {
        *(Step16 *)out = v;
        *(Step16 *)(out + second) = v;
        *(Step16 *)(out + third) = v;
        *(Step16 *)(out + last) = v;
    }
}

void rv100_gui_fill_rows(uint8_t *out, ptrdiff_t stride, size_t n, uint32_t rows,
                         uint32_t colour)
{
    uint32_t c = GUINT32_TO_LE(colour);
    uint64_t c2 = (uint64_t)c << 32 | c;

    if (n >= 16 && n <= 64) {
        short_rows(out, stride, n, rows, (Step16) { c2, c2 });
        return;
    }
    for (; rows; rows--, out += stride) {
        rv100_gui_fill(out, n, colour);
    }
}

/* --- some bits only --- */

#define MERGE(T) do { \
        T m_ = *(const T *)(mask + i), o_ = *(const T *)(out + i); \
        *(T *)(out + i) = o_ ^ ((o_ ^ *(const T *)(in + i)) & m_); \
        i += sizeof(T); \
    } while (0)

void rv100_gui_merge(uint8_t *out, const uint8_t *in, const uint8_t *mask,
                     size_t n)
{
    size_t i = 0;

    while (n - i >= 16) {
        MERGE(Step16);
    }
    if (n & 8) {
        MERGE(Step8);
    }
    if (n & 4) {
        MERGE(Step4);
    }
    if (n & 2) {
        MERGE(Step2);
    }
    if (n & 1) {
        MERGE(Step1);
    }
}
