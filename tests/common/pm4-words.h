/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packet headers for the tests and the demo guest. Freestanding. */
#ifndef PM4_WORDS_H
#define PM4_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "rv100-pm4.h"

/* n words to the register at a byte offset and the following ones, or (one)
 * all to the same. */
static inline uint32_t pm4_type0(uint32_t offset, uint32_t n, bool one)
{
    return (n - 1) << PM4_TYPE0_COUNT_SHIFT |
           (one ? PM4_TYPE0_ONE_REG_WR_MASK : 0) | offset / 4;
}

static inline uint32_t pm4_type1(uint32_t offset1, uint32_t offset2)
{
    return 1u << PM4_TYPE1_TYPE_SHIFT |
           (offset2 / 4) << PM4_TYPE1_REG_INDEX2_SHIFT | offset1 / 4;
}

static inline uint32_t pm4_type2(void)
{
    return 2u << PM4_TYPE2_TYPE_SHIFT;
}

/* opcode: PM4_OP_x, with 0x80 added = with a settings block. */
static inline uint32_t pm4_type3(uint32_t opcode, uint32_t n)
{
    return 3u << PM4_TYPE3_TYPE_SHIFT | (n - 1) << PM4_TYPE3_COUNT_SHIFT |
           opcode << PM4_TYPE3_IT_OPCODE_SHIFT;
}

#endif
