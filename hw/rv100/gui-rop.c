/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raster operations: one kernel for each of the 256 codes, made by macros, on
 * bytes of any depth (a raster operation is bitwise).
 *
 * Bit (P*4 + S*2 + D) of the code is the result for those bits of brush, source
 * and destination. So the low digit of the code is the function of S and D where
 * the brush is 0, the high digit the one where it is 1, and their bit (S*2 + D)
 * is the result: R = low ^ (P & (low ^ high)). The compiler drops what cancels.
 */
#include "internal.h"

/* Steps of a kernel: a vector, and for the end of a row. */
typedef uint64_t Step16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t Step8 __attribute__((aligned(1), may_alias));
typedef uint32_t Step4 __attribute__((aligned(1), may_alias));
typedef uint16_t Step2 __attribute__((aligned(1), may_alias));
typedef uint8_t Step1 __attribute__((aligned(1), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* --- the 16 functions of S and D, and of two of them with P --- */

#define F0(s, d) (s ^ s)
#define F1(s, d) ~(s | d)
#define F2(s, d) (~s & d)
#define F3(s, d) ~s
#define F4(s, d) (s & ~d)
#define F5(s, d) ~d
#define F6(s, d) (s ^ d)
#define F7(s, d) ~(s & d)
#define F8(s, d) (s & d)
#define F9(s, d) ~(s ^ d)
#define Fa(s, d) d
#define Fb(s, d) (~s | d)
#define Fc(s, d) s
#define Fd(s, d) (s | ~d)
#define Fe(s, d) (s | d)
#define Ff(s, d) ~(s ^ s)

#define ROP(h, l, p, s, d) (F##l(s, d) ^ (p & (F##l(s, d) ^ F##h(s, d))))

/* --- a kernel --- */

/* Is the operand used whose two values differ by `shift` in the bit number? */
#define USES(code, shift, mask) ((((code) >> (shift)) ^ (code)) & (mask))
#define USES_P(code) USES(code, 4, 0x0f)
#define USES_S(code) USES(code, 2, 0x33)
#define USES_D(code) USES(code, 1, 0x55)

/* One step at byte i; operands that are not used are not read. */
#define STEP(T, h, l, brush_step) do { \
        T p_ = { 0 }, s_ = { 0 }, d_ = { 0 }; \
        if (USES_P(0x##h##l)) { \
            p_ = brush_step; \
        } \
        if (USES_S(0x##h##l)) { \
            s_ = *(const T *)(src + i); \
        } \
        if (USES_D(0x##h##l)) { \
            d_ = *(const T *)(dst + i); \
        } \
        (void)s_, (void)d_;     /* not in every code */ \
        *(T *)(out + i) = ROP(h, l, p_, s_, d_); \
        i += sizeof(T); \
    } while (0)
#define STEP_ANY(T, h, l) \
    STEP(T, h, l, *(const T *)(brush + i % GUI_PERIOD))

/* The brush of whole periods, in registers. */
typedef struct Period {
    Step16 v[GUI_PERIOD / 16];
} Period;

INLINE Period load_period(const uint8_t *brush, bool used)
{
    Period p = { 0 };

    for (unsigned k = 0; used && k < G_N_ELEMENTS(p.v); k++) {
        p.v[k] = ((const Step16 *)brush)[k];
    }
    return p;
}

#define KERNEL(h, l) \
static void row_##h##l(uint8_t *out, const uint8_t *dst, const uint8_t *src, \
                       const uint8_t *brush, size_t n) \
{ \
    size_t i = 0; \
    if (n >= GUI_PERIOD) { \
        const Period p = load_period(brush, USES_P(0x##h##l)); \
        while (n - i >= GUI_PERIOD) { \
            STEP(Step16, h, l, p.v[0]); \
            STEP(Step16, h, l, p.v[1]); \
            STEP(Step16, h, l, p.v[2]); \
            STEP(Step16, h, l, p.v[3]); \
            STEP(Step16, h, l, p.v[4]); \
            STEP(Step16, h, l, p.v[5]); \
            STEP(Step16, h, l, p.v[6]); \
            STEP(Step16, h, l, p.v[7]); \
        } \
    } \
    while (n - i >= 16) { \
        STEP_ANY(Step16, h, l); \
    } \
    while (n - i >= 4) { \
        STEP_ANY(Step4, h, l); \
    } \
    while (i < n) { \
        STEP_ANY(Step1, h, l); \
    } \
}

/* --- the 256 of them --- */

#define ENTRY(h, l) [0x##h##l] = row_##h##l,
#define SIXTEEN(X, h) \
    X(h, 0) X(h, 1) X(h, 2) X(h, 3) X(h, 4) X(h, 5) X(h, 6) X(h, 7) \
    X(h, 8) X(h, 9) X(h, a) X(h, b) X(h, c) X(h, d) X(h, e) X(h, f)
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
