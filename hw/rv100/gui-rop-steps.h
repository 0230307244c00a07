/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces that row kernels work in, at any address. */
#ifndef RV100_GUI_ROP_STEPS_H
#define RV100_GUI_ROP_STEPS_H

#include <stdint.h>

/* Steps of a kernel: a vector, and for the end of a row. */
typedef uint64_t Step16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t Step8 __attribute__((aligned(1), may_alias));
typedef uint32_t Step4 __attribute__((aligned(1), may_alias));
typedef uint16_t Step2 __attribute__((aligned(1), may_alias));
typedef uint8_t Step1 __attribute__((aligned(1), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* X(h, l) for the 16 codes of a high digit. */
#define SIXTEEN(X, h) \
    X(h, 0) X(h, 1) X(h, 2) X(h, 3) X(h, 4) X(h, 5) X(h, 6) X(h, 7) \
    X(h, 8) X(h, 9) X(h, a) X(h, b) X(h, c) X(h, d) X(h, e) X(h, f)

#endif
