/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layouts made ready for printing: the items of a struct or group as a list of
 * flat operations, with the text that is always the same made once. A list is
 * made when it is needed first and kept until the decoder goes.
 */
#ifndef RV100_DECODE_PLAN_H
#define RV100_DECODE_PLAN_H

#include "gx.h"

/* Texts may be copied in blocks: so many bytes behind each are readable. */
#define PLAN_BLOCK 16

#define PLAN_TIMES 16
#define PLAN_ASK (UINT64_MAX - 1)

typedef struct PlanText {
    const char *s;
    uint32_t len;
} PlanText;

typedef enum PlanKind {
    PLAN_SILENT,                /* says nothing, or what the name said */
    PLAN_ONES,                  /* says something only if a bit is 0 */
    PLAN_TABLE,                 /* a text for each value, with the name */
    PLAN_DECIMAL, PLAN_SIGNED, PLAN_HEX,
    PLAN_OTHER,                 /* gx_value_text() */
    PLAN_ROW,                   /* more than 64 bits */
    PLAN_REGISTER, PLAN_STRUCT, PLAN_GROUP,
} PlanKind;

typedef struct PlanList PlanList;

typedef struct PlanOp {
    uint8_t kind;
    uint8_t shift;              /* of a field within a dword */
    uint8_t low, digits;        /* PLAN_HEX: see GxShape */
    bool named;                 /* an expression wants the value */
    bool if_not_default;        /* the code of an instruction */
    bool keep_zero;             /* in registers: 0 has a name */
    bool brackets;              /* groups: [n] on a line of its own */
    uint32_t mask;              /* after the shift; 0: not in one dword */
    uint32_t start, end;        /* bits; of groups: where they start */
    uint32_t before;            /* groups: end of the fields before */
    union {
        PlanText text;          /* "NAME = ", in registers ", NAME = " */
        struct {                /* groups whose presence hangs on one name: */
            const char *name;
            const uint64_t *times;      /* by its value < PLAN_TIMES, or
                                         * PLAN_ASK: hangs on more */
        };
    };
    const GxField *field;
    const GxGroup *group;
    union {
        const PlanText *table;
        PlanList *list;         /* of a group or struct, or NULL: not made */
    };
} PlanOp;

struct PlanList {
    PlanOp *ops;
    uint32_t n;
    uint32_t n_needed;          /* the others only cover bits */
    uint32_t end;               /* of the fields, in bits */
    uint32_t last;              /* end of what must be there for the fast way:
                                 * fields, and starts of structs */
    uint32_t n_cover;           /* bits that the fields say, by dword */
    uint32_t *cover;
    bool in_register;           /* fields go between { }, on one line */
    bool numbered;              /* a single field, as NAME[n] */
};

typedef struct Plans Plans;

/* `pm4`: headers are those of our packets; `all`: registers show fields that
 * are 0, too. */
Plans *plans_new(bool pm4, bool all);
void plans_free(Plans *plans);
/* The items of an instruction, struct or register. */
PlanList *plans_list(Plans *plans, const GxContainer *c, bool in_register);
/* What a group or struct of a list holds. */
PlanList *plans_inner(Plans *plans, const PlanList *in, const PlanOp *op);
/* A copy with PLAN_BLOCK bytes behind it. */
PlanText plans_text(Plans *plans, const char *s, size_t len);

#endif
