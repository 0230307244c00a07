/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raster operations: one kernel for each of the 256 codes, made by macros, on
 * bytes of any depth (a raster operation is bitwise). Four files are made of this
 * one, which a build compiles side by side.
 *
 * Bit (P*4 + S*2 + D) of the code is the result for those bits of brush, source
 * and destination. So the low digit of the code is the function of S and D where
 * the brush is 0, the high digit the one where it is 1, and their bit (S*2 + D)
 * is the result: R = low ^ (P & (low ^ high)). The compiler drops what cancels.
 */
#include "internal.h"
#include "gui-rop-steps.h"

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
GuiRopRow rv100_gui_row_##h##l; \
void rv100_gui_row_##h##l(uint8_t *out, const uint8_t *dst, const uint8_t *src, \
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
