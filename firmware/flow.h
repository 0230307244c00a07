/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the words of an image are: code, constants, jump table, and how control
 * goes from one to the next. */
#ifndef RV100_FLOW_H
#define RV100_FLOW_H

#include "image.h"
#include "isa.h"
#include "rv100/me.h"

#define FLOW_ENTRIES 4          /* words where packets begin [isa:2] */
#define FLOW_TABLE 4            /* first word of the jump table that is no
                                 * entry: opcode 0x10 */
#define FLOW_OPCODES 128
#define FLOW_MAX_NEXT (RV100_ME_TABLE + 1)

typedef struct Flow {
    const Rv100MeChip *chip;
    Image image;
    IsaWord word[RV100_ME_WORDS];
    unsigned table_end;         /* first word behind the jump table */
    bool code[RV100_ME_WORDS];  /* can be executed */
    bool target[RV100_ME_WORDS];        /* is jumped to, called or dispatched */
    bool data[RV100_ME_WORDS];  /* is read as a constant, or written */
    uint8_t table[RV100_ME_WORDS];      /* call targets that callt may take */
    unsigned n_table;
} Flow;

/* A way out of a word. */
typedef enum FlowWay {
    FLOW_GO,                    /* continues or jumps there */
    FLOW_CALL,                  /* calls it */
    FLOW_BACK,                  /* comes back there after a call */
} FlowWay;

typedef struct FlowNext {
    uint8_t to[RV100_ME_WORDS + 1];
    FlowWay way[RV100_ME_WORDS + 1];
    unsigned n;
} FlowNext;

void flow_init(Flow *f, const Image *image, const Rv100MeChip *chip);
/* The sequencer code, nxt where the generation does not know it. */
uint8_t flow_seq(const Flow *f, unsigned pc);
/* Where control can go from a word; a packet that ends is no way out. */
void flow_next(const Flow *f, unsigned pc, FlowNext *next);
/* Target of an opcode in the jump table, 0 = none. */
uint8_t flow_dispatch(const Flow *f, unsigned opcode);
/* Is the word one of the jump table that is not executed? */
bool flow_is_table(const Flow *f, unsigned addr);

#endif
