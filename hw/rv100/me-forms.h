/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Specialised forms of the microinstruction: the combinations of flags, source,
 * counter, arithmetic and sequencer codes that most words of real images have.
 * me.c instantiates one step for each, with constants that the compiler folds;
 * any other word runs through the general step, with the same result.
 *
 * X(flags, source, counter unit, arithmetic unit, sequencer)
 */
#ifndef RV100_ME_FORMS_H
#define RV100_ME_FORMS_H

#define RV100_ME_FORMS(X) \
    X(0, PKT, BRUSH, NONE, NXT) \
    X(0, PKT, CNT_DEC, NONE, JCZ) \
    X(0, PKT, CNT_DEC, NONE, JMP) \
    X(0, PKT, CNT_T, NONE, NXT) \
    X(0, PKT, IDX_A, NONE, NXT) \
    X(0, PKT, IDX_ADDR, NONE, NXT) \
    X(0, PKT, NONE, ADDH, NXT) \
    X(0, PKT, NONE, ADDL, NXT) \
    X(0, PKT, NONE, ADDL, RET) \
    X(0, PKT, NONE, LD, NXT) \
    X(0, PKT, NONE, LD_S, NXT) \
    X(0, PKT, NONE, MUL3L, NXT) \
    X(0, PKT, NONE, MUL3L, RET) \
    X(0, PKT, NONE, NONE, CALL) \
    X(0, PKT, NONE, NONE, JCZ) \
    X(0, PKT, NONE, NONE, JMP) \
    X(0, PKT, NONE, NONE, JNH) \
    X(0, PKT, NONE, NONE, JNL) \
    X(0, PKT, NONE, NONE, NXT) \
    X(0, PKT, NONE, NONE, JZ) \
    X(0, PKT, NONE, NONE, JZL) \
    X(0, PKT, NONE, NONE, RET) \
    X(0, PKT, NONE, NONE, RPT) \
    X(0, PKT, NONE, SAR1, JZL) \
    X(0, PKT, NONE, SAR1, NXT) \
    X(0, PKT, NONE, SAVE, NXT) \
    X(0, PKT, NONE, SWAP, NXT) \
    X(0, PKT, NONE, TABLE, SKP) \
    X(0, PKT, NONE, T_AH, NXT) \
    X(0, PKT, NONE, T_SUB, NXT) \
    X(0, PKT, PTR_0, NONE, JF) \
    X(0, PKT, PTR_0, NONE, RET) \
    X(F_ADV, PKT, NONE, NONE, CALLT) \
    X(F_ADV, PKT, NONE, NONE, RPT) \
    X(F_LAT, PKT, CNT_DEC, LD_PKT, NXT) \
    X(F_LAT, PKT, NONE, ADDH_PKT, NXT) \
    X(F_LAT, PKT, NONE, ADDL_PKT, NXT) \
    X(F_LAT, PKT, NONE, ADDL_PKT0, NXT) \
    X(F_LAT, PKT, NONE, LD_PKT, CALL) \
    X(F_LAT, PKT, NONE, LD_PKT, NXT) \
    X(F_LAT, PKT, NONE, RSUBH, JNL) \
    X(F_LAT, PKT, NONE, RSUBL, NXT) \
    X(F_LAT, PKT, NONE, T_MUL_PKT3, NXT) \
    X(F_LAT, PKT, NONE, T_PKT2, NXT) \
    X(F_LAT, PKT, NONE, T_SUB_PKT1, NXT) \
    X(F_LAT, PKT, PTR_INC, NONE, JF) \
    X(F_WR, A, CNT_DEC, NONE, LOOP) \
    X(F_WR, A, NONE, NONE, NXT) \
    X(F_LAT | F_ADV, PKT, CNT_PKT, NONE, NXT) \
    X(F_LAT | F_ADV, PKT, IDX_ADDR, LD_PKT, NXT) \
    X(F_LAT | F_ADV, PKT, NONE, LD_PKT, CALL) \
    X(F_LAT | F_ADV, PKT, NONE, LD_PKT, NXT) \
    X(F_LAT | F_ADV, PKT, NONE, NONE, JMP) \
    X(F_LAT | F_ADV, PKT, NONE, NONE, NXT) \
    X(F_LAT | F_ADV, PKT, NONE, NONE, RPT) \
    X(F_LAT | F_WR, PKT, NONE, NONE, NXT) \
    X(F_LAT | F_WR, TA, NONE, NONE, NXT) \
    X(F_WR | F_ADV, A, NONE, NONE, NXT) \
    X(F_WR | F_ADV, A, NONE, NONE, RET) \
    X(F_LAT | F_WR | F_ADV, A, NONE, NONE, RPT) \
    X(F_LAT | F_WR | F_ADV, PKT, CNT_T, NONE, NXT) \
    X(F_LAT | F_WR | F_ADV, PKT, IDX_A, NONE, NXT) \
    X(F_LAT | F_WR | F_ADV, PKT, NONE, LD_PKT, NXT) \
    X(F_LAT | F_WR | F_ADV, PKT, NONE, NONE, NXT) \
    X(F_LAT | F_WR | F_ADV, PKT, NONE, NONE, RET) \
    X(F_LAT | F_WR | F_ADV, PKT, NONE, T_AH, NXT) \
    X(F_LAT | F_WR | F_ADV, PKT, PTR_0, NONE, RET) \
    X(F_LAT | F_WR | F_ADV, TA, CNT_DEC, NONE, NXT) \
    X(F_LAT | F_WR | F_ADV | F_CGATE, PKT, CNT_DEC, NONE, LOOP) \
    X(F_LAT | F_WR | F_ADV | F_COND, A, NONE, NONE, NXT) \
    X(F_LAT | F_WR | F_ADV | F_COND, A, PTR_INC, NONE, NXT) \
    X(F_LAT | F_WR | F_ADV | F_COND, PKT, NONE, NONE, NXT) \
    X(F_LAT | F_WR | F_ADV | F_COND, PKT, PTR_INC, NONE, NXT) \
    X(F_LAT | F_WR | F_ADV | F_IDXSEL, A, IDX_SIGNS, LD_PKT, CALL) \
    X(F_LAT | F_WR | F_ADV | F_IDXSEL, PKT, IDX_INC_CNT_DEC, NONE, LOOP) \
    X(F_LAT | F_WR | F_ADV | F_IDXSEL, PKT, NONE, SHR11, NXT)

#endif
