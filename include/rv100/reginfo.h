/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shape of the generated register tables.
 *
 * The tables themselves are generated from xml/ by xml/gx-gen at build time
 * (rv100-regs-table.c); the names of offsets and fields are in the generated
 * header rv100-regs.h in the shape of QEMU's registerfields.h:
 *
 *   A_NAME                byte offset (PLL space: the index)
 *   R_NAME                dword index (A_NAME / 4)
 *   R_NAME_DWORDS         of a port that spans several addresses
 *   R_NAME_FIELD_SHIFT, R_NAME_FIELD_LENGTH, R_NAME_FIELD_MASK
 *   R_NAME_FIELD_VALUE    enumerated value of a field, not shifted
 *
 * PLL registers are P_NAME (index) and P_NAME_FIELD_SHIFT and so on; PCI
 * configuration registers C_NAME; VGA registers V_NAME.
 */
#ifndef RV100_REGINFO_H
#define RV100_REGINFO_H

#include <stddef.h>
#include <stdint.h>

typedef enum Rv100Space {
    RV100_SPACE_MMIO,
    RV100_SPACE_PLL,
    RV100_SPACE_PCI,
    RV100_SPACE_VGA,
} Rv100Space;

typedef struct Rv100ValueInfo {
    const char *name;
    uint32_t value;
} Rv100ValueInfo;

typedef struct Rv100FieldInfo {
    const char *name;
    uint8_t start;              /* lowest bit */
    uint8_t end;                /* highest bit, inclusive */
    const Rv100ValueInfo *values;   /* sorted by value, NULL if n_values == 0 */
    uint16_t n_values;
} Rv100FieldInfo;

typedef struct Rv100RegInfo {
    const char *name;
    uint16_t offset;            /* bytes in its space (PLL: index) */
    uint16_t storage;           /* offset of the register that keeps the value:
                                 * its own, or the target of alias-of */
    uint8_t space;              /* Rv100Space */
    uint8_t width;              /* bits: 8, 16, 32 */
    uint16_t dwords;            /* 1; more for a port that spans addresses */
    uint32_t mask;              /* bits that exist; the others read 0 */
    uint32_t ro;                /* existing bits that a write leaves alone */
    uint32_t w1c;               /* existing bits that a written 1 clears */
    uint32_t wo;                /* existing bits that read as 0 */
    uint32_t rc;                /* existing bits that a read clears */
    uint32_t reset;             /* value after power-on */
    const Rv100FieldInfo *fields;   /* NULL if n_fields == 0 */
    uint16_t n_fields;
} Rv100RegInfo;

/* Every table is sorted by offset; one entry per offset (an alias at the same
 * offset is a second name only and is left out of the table). In the MMIO
 * table offset and storage are those of the dword, and masks and reset are
 * placed in the dword, also for a register that is narrower (GENMO_WT); the
 * fields keep their places inside the register. An alias without attributes
 * and fields of its own has those of its target. */
extern const Rv100RegInfo rv100_mmio_regs[];
extern const uint16_t rv100_n_mmio_regs;
/* dword index of the aperture -> 1 + position in rv100_mmio_regs, 0 = none */
#define RV100_MMIO_DWORDS 0x1000
extern const uint16_t rv100_mmio_index[RV100_MMIO_DWORDS];

extern const Rv100RegInfo rv100_pll_regs[];
extern const uint16_t rv100_n_pll_regs;
#define RV100_PLL_REGS 64
extern const uint16_t rv100_pll_index[RV100_PLL_REGS];

/* The entry for a byte offset of the aperture, or NULL. */
static inline const Rv100RegInfo *rv100_mmio_info(uint32_t offset)
{
    uint32_t i = offset / 4;
    uint16_t n = i < RV100_MMIO_DWORDS ? rv100_mmio_index[i] : 0;

    return n ? &rv100_mmio_regs[n - 1] : NULL;
}

/* Value of a generated field of a register, and a register with a field set. */
#define RV100_GET(value, reg, field) \
    (((value) & R_##reg##_##field##_MASK) >> R_##reg##_##field##_SHIFT)
#define RV100_SET(value, reg, field, x) \
    (((value) & ~R_##reg##_##field##_MASK) | \
     (((x) << R_##reg##_##field##_SHIFT) & R_##reg##_##field##_MASK))

#endif
