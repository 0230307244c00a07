/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "isa.h"

#include <glib.h>
#include <string.h>

#include "rv100-me-isa.h"
#include "rv100-pm4.h"
#include "rv100/reginfo.h"

/* The tables that the generator makes of xml/rv100-me.xml. */
static const struct {
    const char *name;
    const Rv100MeCode *codes;
    unsigned n;
} units[ISA_UNITS] = {
    [ISA_SEQ] = { "seq", ME_SEQ_NAMES, G_N_ELEMENTS(ME_SEQ_NAMES) },
    [ISA_ALU] = { "alu", ME_ALU_NAMES, G_N_ELEMENTS(ME_ALU_NAMES) },
    [ISA_OP] = { "op", ME_OP_NAMES, G_N_ELEMENTS(ME_OP_NAMES) },
    [ISA_SRC] = { "src", ME_SRC_NAMES, G_N_ELEMENTS(ME_SRC_NAMES) },
};

/* Codes that take something from the address field [isa:5, 6, 7]. */
static const struct {
    IsaUnit unit;
    uint8_t code;
    IsaOperand operand;
} operands[] = {
    { ISA_SEQ, ME_SEQ_JMP, ISA_CODE }, { ISA_SEQ, ME_SEQ_JF, ISA_CODE },
    { ISA_SEQ, ME_SEQ_JCZ, ISA_CODE }, { ISA_SEQ, ME_SEQ_JNX, ISA_CODE },
    { ISA_SEQ, ME_SEQ_JNH, ISA_CODE }, { ISA_SEQ, ME_SEQ_JNL, ISA_CODE },
    { ISA_SEQ, ME_SEQ_CALL, ISA_CODE }, { ISA_SEQ, ME_SEQ_JZ, ISA_CODE },
    { ISA_SEQ, ME_SEQ_JZL, ISA_CODE },
    { ISA_ALU, ME_ALU_LD, ISA_DATA }, { ISA_ALU, ME_ALU_AND, ISA_UNSIGNED },
    { ISA_ALU, ME_ALU_ADDL, ISA_SIGNED }, { ISA_ALU, ME_ALU_ADDH, ISA_SIGNED },
    { ISA_ALU, ME_ALU_SHR, ISA_UNSIGNED },
    { ISA_ALU, ME_ALU_TABLE, ISA_UNSIGNED },
    { ISA_ALU, ME_ALU_SUBL, ISA_SIGNED },
    { ISA_OP, ME_OP_MCPTR, ISA_DATA }, { ISA_OP, ME_OP_IDX_ADDR, ISA_REG },
};

static IsaName names[ISA_UNITS][ISA_MAX_CODE];
static GHashTable *by_name[ISA_UNITS];  /* mnemonic -> IsaName */
static GHashTable *registers;           /* name -> 1 + dword index */

#define MAX_NAME 64

static void make_registers(void)
{
    registers = g_hash_table_new(g_str_hash, g_str_equal);
    for (unsigned i = 0; i < rv100_n_mmio_regs; i++) {
        const Rv100RegInfo *r = &rv100_mmio_regs[i];

        if (r->offset % 4 == 0) {
            g_hash_table_insert(registers, (gpointer)r->name,
                                GUINT_TO_POINTER(1 + r->offset / 4));
        }
    }
}

static gpointer make_names(gpointer unused)
{
    make_registers();
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        by_name[u] = g_hash_table_new(g_str_hash, g_str_equal);
        for (unsigned c = 0; c < units[u].n; c++) {
            const Rv100MeCode *from = &units[u].codes[c];

            if (from->name && (u == ISA_SRC || strcmp(from->name, "NONE"))) {
                names[u][c] = (IsaName) {
                    .name = g_ascii_strdown(from->name, -1),
                    .code = (uint8_t)c,
                    .confidence = from->confidence,
                    .text = from->doc,
                };
                g_hash_table_insert(by_name[u], (gpointer)names[u][c].name,
                                    &names[u][c]);
            }
        }
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(operands); i++) {
        names[operands[i].unit][operands[i].code].operand = operands[i].operand;
    }
    return names;
}

static void need_names(void)
{
    static GOnce once = G_ONCE_INIT;

    g_once(&once, make_names, NULL);
}

unsigned isa_codes(IsaUnit unit)
{
    return units[unit].n;
}

const char *isa_unit_name(IsaUnit unit)
{
    return units[unit].name;
}

const IsaName *isa_name(IsaUnit unit, unsigned code)
{
    need_names();
    return code < units[unit].n && names[unit][code].name ? &names[unit][code]
                                                          : NULL;
}

/* Look up a name that does not end in NUL. */
static gpointer lookup(GHashTable *table, const char *name, size_t len)
{
    char key[MAX_NAME];

    if (len >= sizeof(key)) {
        return NULL;
    }
    memcpy(key, name, len);
    key[len] = 0;
    return g_hash_table_lookup(table, key);
}

static const IsaName *find_in(IsaUnit unit, const char *name, size_t len)
{
    need_names();
    return lookup(by_name[unit], name, len);
}

const IsaName *isa_find(const char *name, size_t len, IsaUnit *unit)
{
    for (unsigned u = 0; u < ISA_SRC; u++) {
        const IsaName *n = find_in((IsaUnit)u, name, len);

        if (n) {
            *unit = (IsaUnit)u;
            return n;
        }
    }
    return NULL;
}

bool isa_keyword(const char *name, size_t len)
{
    static const char *const keywords[] = {
        "latch", "adv", "write", "if_flag", "if_count", "idxsel", "mcsel",
        "addr", "high", "src", "seq", "alu", "op", "me", "idx"
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(keywords); i++) {
        if (strlen(keywords[i]) == len && !memcmp(keywords[i], name, len)) {
            return true;
        }
    }
    return false;
}

const IsaName *isa_find_src(const char *name, size_t len)
{
    return find_in(ISA_SRC, name, len);
}

bool isa_known(const Rv100MeChip *chip, IsaUnit unit, unsigned code)
{
    const uint64_t sets[ISA_UNITS] = {
        [ISA_SEQ] = chip->seq, [ISA_ALU] = chip->alu, [ISA_OP] = chip->op,
        [ISA_SRC] = chip->src,
    };

    return code < ISA_MAX_CODE && (sets[unit] >> code & 1);
}

bool isa_word_known(const Rv100MeChip *chip, const IsaWord *w)
{
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        if (!isa_known(chip, (IsaUnit)u, w->unit[u])) {
            return false;
        }
    }
    return true;
}

uint8_t isa_default_seq(unsigned alu)
{
    return alu == ME_ALU_LD_NEXT || alu == ME_ALU_TABLE ? ME_SEQ_SKP
                                                        : ME_SEQ_NXT;
}

/* --- words --- */

/* The fields of one bit and where they go. */
static const struct {
    uint64_t mask;
    size_t offset;
} flags[] = {
    { ME_WORD_LAT_MASK, offsetof(IsaWord, lat) },
    { ME_WORD_WR_MASK, offsetof(IsaWord, wr) },
    { ME_WORD_ADV_MASK, offsetof(IsaWord, adv) },
    { ME_WORD_IDXSEL_MASK, offsetof(IsaWord, idxsel) },
    { ME_WORD_MCSEL_MASK, offsetof(IsaWord, mcsel) },
    { ME_WORD_COND_MASK, offsetof(IsaWord, cond) },
    { ME_WORD_CGATE_MASK, offsetof(IsaWord, cgate) },
};

static const struct {
    unsigned shift, length;
} code_bits[ISA_UNITS] = {
    [ISA_SEQ] = { ME_WORD_SEQ_SHIFT, ME_WORD_SEQ_LENGTH },
    [ISA_ALU] = { ME_WORD_ALU_SHIFT, ME_WORD_ALU_LENGTH },
    [ISA_OP] = { ME_WORD_OP_SHIFT, ME_WORD_OP_LENGTH },
    [ISA_SRC] = { ME_WORD_SRC_SHIFT, ME_WORD_SRC_LENGTH },
};

/* First bit above the last field, in R100 positions. */
#define HIGH_SHIFT (ME_WORD_SEQ_SHIFT + ME_WORD_SEQ_LENGTH)

unsigned isa_high_bits(const Rv100MeChip *chip)
{
    return 40 - HIGH_SHIFT + ME_WORD_ADDR_LENGTH - chip->addr_bits;
}

void isa_decode(const Rv100MeChip *chip, uint8_t hi, uint32_t lo, IsaWord *w)
{
    uint64_t q = (uint64_t)hi << 32 | lo;
    uint64_t n = q >> chip->addr_bits << ME_WORD_ADDR_LENGTH;

    memset(w, 0, sizeof(*w));
    w->addr = (uint16_t)(q & ((1u << chip->addr_bits) - 1));
    for (unsigned i = 0; i < G_N_ELEMENTS(flags); i++) {
        *((bool *)((char *)w + flags[i].offset)) = n & flags[i].mask;
    }
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        w->unit[u] = n >> code_bits[u].shift &
                     ((1u << code_bits[u].length) - 1);
    }
    w->high = (uint8_t)(n >> HIGH_SHIFT);
}

void isa_encode(const Rv100MeChip *chip, const IsaWord *w, uint8_t *hi,
                uint32_t *lo)
{
    uint64_t n = (uint64_t)w->high << HIGH_SHIFT, q;

    for (unsigned i = 0; i < G_N_ELEMENTS(flags); i++) {
        if (*((const bool *)((const char *)w + flags[i].offset))) {
            n |= flags[i].mask;
        }
    }
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        n |= (uint64_t)w->unit[u] << code_bits[u].shift;
    }
    q = n >> ME_WORD_ADDR_LENGTH << chip->addr_bits | w->addr;
    *hi = (uint8_t)(q >> 32);
    *lo = (uint32_t)q;
}

/* --- names of registers and packets --- */

int isa_register(const char *name, size_t len)
{
    need_names();
    return GPOINTER_TO_INT(lookup(registers, name, len)) - 1;
}

const char *isa_register_name(unsigned dword)
{
    const Rv100RegInfo *r = rv100_mmio_info(4 * dword);

    /* The entry of a register of many dwords stands at all of them. */
    return r && r->offset == 4 * dword ? r->name : NULL;
}

int isa_packet(const char *name, size_t len)
{
    for (unsigned op = 0; op < G_N_ELEMENTS(PM4_OP_NAMES); op++) {
        const char *n = PM4_OP_NAMES[op];

        if (n && strlen(n) == len && !memcmp(n, name, len)) {
            return (int)op;
        }
    }
    return -1;
}

const char *isa_packet_name(unsigned opcode)
{
    return opcode < G_N_ELEMENTS(PM4_OP_NAMES) ? PM4_OP_NAMES[opcode] : NULL;
}
