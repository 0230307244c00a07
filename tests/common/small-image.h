/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small microcode image of our own for the tests and the demo guest, which
 * may find no image of the chip's maker: packets of type 0 and 1 as documented,
 * of type 3 a NOP and one that writes a scratch register. Freestanding.
 */
#ifndef SMALL_IMAGE_H
#define SMALL_IMAGE_H

#include <stdint.h>

#include "rv100-me-isa.h"
#include "rv100-pm4.h"
#include "rv100-regs.h"

typedef struct SmallWord {
    uint8_t addr;
    uint64_t word;
} SmallWord;

#define SMALL_OP_NOP PM4_OP_NOP      /* drains its words */
#define SMALL_OP_SCRATCH3 0x11      /* writes each word to GUI_SCRATCH_REG3 */

#define SMALL_BIT(field) (1ull << ME_WORD_##field##_SHIFT)
#define SMALL_TAKE (SMALL_BIT(LAT) | SMALL_BIT(ADV))    /* use up a word */
#define SMALL_STORE (SMALL_TAKE | SMALL_BIT(WR))        /* and write it */
#define SMALL_SEQ(x) ((uint64_t)ME_SEQ_##x << ME_WORD_SEQ_SHIFT)
#define SMALL_OP(x) ((uint64_t)ME_OP_##x << ME_WORD_OP_SHIFT)
#define SMALL_ALU(x) ((uint64_t)ME_ALU_##x << ME_WORD_ALU_SHIFT)

/* Words not listed are 0. A packet ends with its last word, whatever the
 * microprogram is doing, so a handler is a loop over the words. */
static const SmallWord small_image[] = {
    /* type 0: each word to the next register */
    { 0x00, SMALL_STORE | SMALL_BIT(IDXSEL) | SMALL_OP(IDX_INC) |
            SMALL_SEQ(RPT) },
    /* type 0 with bit 15: all words to the same register */
    { 0x01, SMALL_STORE | SMALL_BIT(IDXSEL) | SMALL_SEQ(RPT) },
    /* type 1: at 40h */
    { 0x02, SMALL_SEQ(JMP) | 0x40 },
    /* type 3 with the settings flag: there are no settings here, go on to the
     * handler, which is on the stack */
    { 0x03, SMALL_SEQ(RET) },
    /* table of type-3 handlers, a byte for each opcode from 10h */
    { 0x04, 0x50505150 },
    { 0x05, 0x50505050 }, { 0x06, 0x50505050 }, { 0x07, 0x50505050 },
    { 0x08, 0x50505050 }, { 0x09, 0x50505050 }, { 0x0a, 0x50505050 },
    { 0x0b, 0x50505050 }, { 0x0c, 0x50505050 }, { 0x0d, 0x50505050 },
    { 0x0e, 0x50505050 }, { 0x0f, 0x50505050 }, { 0x10, 0x50505050 },
    { 0x11, 0x50505050 }, { 0x12, 0x50505050 }, { 0x13, 0x50505050 },
    { 0x14, 0x50505050 }, { 0x15, 0x50505050 }, { 0x16, 0x50505050 },
    { 0x17, 0x50505050 }, { 0x18, 0x50505050 }, { 0x19, 0x50505050 },
    { 0x1a, 0x50505050 }, { 0x1b, 0x50505050 }, { 0x1c, 0x50505050 },
    { 0x1d, 0x50505050 }, { 0x1e, 0x50505050 }, { 0x1f, 0x50505050 },
    /* type 1: first word to the register in the low bits of the header, which
     * is in idx and A; then the second index, 11 bits above */
    { 0x40, SMALL_STORE | SMALL_BIT(IDXSEL) | SMALL_ALU(SHR11) |
            SMALL_SEQ(NXT) },
    { 0x41, SMALL_OP(IDX_A) | SMALL_SEQ(NXT) },
    { 0x42, SMALL_STORE | SMALL_BIT(IDXSEL) | SMALL_SEQ(RPT) },
    /* type 3 */
    { 0x50, SMALL_TAKE | SMALL_SEQ(RPT) },
    { 0x51, SMALL_STORE | SMALL_SEQ(RPT) | R_GUI_SCRATCH_REG3 },
};

#endif
