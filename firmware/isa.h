/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The microinstruction word for assembler and disassembler: fields, mnemonics
 * (the value names of xml/rv100-me.xml in lower case) and what an operand of
 * each means.
 */
#ifndef RV100_ISA_H
#define RV100_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rv100/me.h"

typedef enum IsaUnit {
    ISA_SEQ,
    ISA_ALU,
    ISA_OP,
    ISA_SRC,
    ISA_UNITS,
} IsaUnit;

/* What a code takes from the address field. */
typedef enum IsaOperand {
    ISA_NO_OPERAND,
    ISA_CODE,                   /* a microcode address to go to */
    ISA_DATA,                   /* a microcode address to read */
    ISA_REG,                    /* a register */
    ISA_SIGNED,                 /* a signed byte */
    ISA_UNSIGNED,               /* a number */
} IsaOperand;

typedef struct IsaName {
    const char *name;           /* mnemonic */
    uint8_t code;
    char confidence;            /* H S X P U, see docs/microcode.md */
    const char *text;           /* what it does, "" for none */
    IsaOperand operand;
} IsaName;

/* A word taken apart. Widths of the address field differ by generation. */
typedef struct IsaWord {
    uint16_t addr;
    bool lat, wr, adv, idxsel, mcsel, cond, cgate;
    uint8_t unit[ISA_UNITS];    /* codes */
    uint8_t high;               /* bits above the last field */
} IsaWord;

#define ISA_MAX_CODE 64

void isa_decode(const Rv100MeChip *chip, uint8_t hi, uint32_t lo, IsaWord *w);
void isa_encode(const Rv100MeChip *chip, const IsaWord *w, uint8_t *hi,
                uint32_t *lo);
/* Number of bits above the last field in a word of 40 bits. */
unsigned isa_high_bits(const Rv100MeChip *chip);
/* Codes of a unit: 32, 64, 32, 8. */
unsigned isa_codes(IsaUnit unit);
/* "seq", "alu", "op", "src" */
const char *isa_unit_name(IsaUnit unit);
/* NULL when a code has no name. */
const IsaName *isa_name(IsaUnit unit, unsigned code);
/* Look a mnemonic up in all units but src; NULL when there is none. */
const IsaName *isa_find(const char *name, size_t len, IsaUnit *unit);
/* Words of the language that are no mnemonics: "latch", "write" and so on. */
bool isa_keyword(const char *name, size_t len);
const IsaName *isa_find_src(const char *name, size_t len);
/* Does the generation know the code? */
bool isa_known(const Rv100MeChip *chip, IsaUnit unit, unsigned code);
/* Is any code of the word unknown? */
bool isa_word_known(const Rv100MeChip *chip, const IsaWord *w);

/* What follows when an instruction does not say: the next word; the one after
 * it for operations that read the next word as a constant. */
uint8_t isa_default_seq(unsigned alu);

/* Registers that the engine can name: dword index, or -1. */
int isa_register(const char *name, size_t len);
/* NULL when there is none at the index. */
const char *isa_register_name(unsigned dword);
/* Type-3 opcodes: -1 or NULL when there is none. */
int isa_packet(const char *name, size_t len);
const char *isa_packet_name(unsigned opcode);

#endif
