/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of raster operations; fills; bits that stay. */
#include "internal.h"
#include "gui-rop-steps.h"

/* --- the 256 of them: gui-rop-kernels.h --- */

#define DECLARE(h, l) GuiRopRow rv100_gui_row_##h##l;
#define ENTRY(h, l) [0x##h##l] = rv100_gui_row_##h##l,
#define ALL_CODES(X) \
    SIXTEEN(X, 0) SIXTEEN(X, 1) SIXTEEN(X, 2) SIXTEEN(X, 3) \
    SIXTEEN(X, 4) SIXTEEN(X, 5) SIXTEEN(X, 6) SIXTEEN(X, 7) \
    SIXTEEN(X, 8) SIXTEEN(X, 9) SIXTEEN(X, a) SIXTEEN(X, b) \
    SIXTEEN(X, c) SIXTEEN(X, d) SIXTEEN(X, e) SIXTEEN(X, f)

ALL_CODES(DECLARE)

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
