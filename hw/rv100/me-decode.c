/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Microengine: generations, microcode RAM and predecoding.
 *
 * A word is decoded when it is written and never while it runs. The positions
 * of the fields come from xml/rv100-me.xml; a generation moves all fields above
 * ADDR by the width of ADDR [isa:3, generations].
 */
#include <string.h>

#include "me-forms.h"
#include "me-insn.h"
#include "rv100-me-isa.h"

static const Rv100MeChip me_r128 = {
    .name = "r128", .addr_bits = 11, .hi_mask = 0x1f,
    .seq = ME_SEQ_KNOWN_R128, .op = ME_OP_KNOWN_R128,
    .alu = ME_ALU_KNOWN_R128, .src = ME_SRC_KNOWN_R128,
};
static const Rv100MeChip me_r100 = {
    .name = "r100", .addr_bits = 12, .hi_mask = 0x3f,
    .seq = ME_SEQ_KNOWN_R100, .op = ME_OP_KNOWN_R100,
    .alu = ME_ALU_KNOWN_R100, .src = ME_SRC_KNOWN_R100,
};
static const Rv100MeChip me_r200 = {
    .name = "r200", .addr_bits = 12, .hi_mask = 0x3f,
    .seq = ME_SEQ_KNOWN_R200, .op = ME_OP_KNOWN_R200,
    .alu = ME_ALU_KNOWN_R200, .src = ME_SRC_KNOWN_R200,
};
static const Rv100MeChip me_r300 = {
    .name = "r300", .addr_bits = 13, .hi_mask = 0xff,
    .seq = ME_SEQ_KNOWN_R300, .op = ME_OP_KNOWN_R300,
    .alu = ME_ALU_KNOWN_R300, .src = ME_SRC_KNOWN_R300,
};
static const Rv100MeChip *const me_chips[] = {
    &me_r128, &me_r100, &me_r200, &me_r300, NULL
};

const Rv100MeChip *const *rv100_me_chips(void)
{
    return me_chips;
}

const Rv100MeChip *rv100_me_chip(const char *name)
{
    for (unsigned i = 0; me_chips[i]; i++) {
        if (!strcmp(me_chips[i]->name, name)) {
            return me_chips[i];
        }
    }
    return NULL;
}

const Rv100MeChip *rv100_me_chip_of_image(const uint8_t hi[RV100_ME_WORDS],
                                          const uint32_t lo[RV100_ME_WORDS])
{
    (void)lo;
    switch (hi[2]) {
    case 2:
        return &me_r128;
    case 4:
        return &me_r100;
    case 8:
        return &me_r300;
    default:
        return NULL;
    }
}

#define FIELD(q, name) \
    (unsigned)(((q) & ME_WORD_##name##_MASK) >> ME_WORD_##name##_SHIFT)

/* Bring a word into the field positions of the R100; ADDR apart. */
static uint64_t normalise(const Rv100MeChip *chip, uint8_t hi, uint32_t lo)
{
    uint64_t q = (uint64_t)hi << 32 | lo;
    uint64_t rest = q >> chip->addr_bits;

    return rest << ME_WORD_ADDR_LENGTH;
}

static bool known(uint64_t set, unsigned code)
{
    return set >> code & 1;
}

/* Codes outside the known set do nothing, but for two that the published sweep
 * saw at work and no image uses [isa:7, U]. */
static uint8_t known_or(uint64_t set, unsigned code, uint8_t otherwise,
                        uint16_t *flags)
{
    if (known(set, code)) {
        return code;
    }
    *flags |= F_UNKNOWN;
    return otherwise;
}

static void decode_units(const Rv100MeChip *chip, uint64_t q, Rv100MeInsn *i)
{
    unsigned alu = FIELD(q, ALU);

    i->seq = known_or(chip->seq, FIELD(q, SEQ), ME_SEQ_NXT, &i->flags);
    i->op = known_or(chip->op, FIELD(q, OP), ME_OP_NONE, &i->flags);
    i->src = FIELD(q, SRC);
    if (!known(chip->src, i->src)) {
        i->flags |= F_UNKNOWN;  /* the value is stated in src_value() */
    }
    i->alu = known_or(chip->alu, alu,
                      alu == ME_ALU_BSWAPL || alu == ME_ALU_SUBL
                      ? alu : ME_ALU_NONE, &i->flags);
}

/* What a form needs of a word; flags that steer nothing are left out. */
#define FORM_FLAGS (F_STREAM | F_IDXSEL | F_MCSEL | F_GATED)

static const struct {
    uint16_t flags;
    uint8_t src, op, alu, seq;
} forms[] = {
#define X(flags, src, op, alu, seq) \
    { flags, ME_SRC_##src, ME_OP_##op, ME_ALU_##alu, ME_SEQ_##seq },
    RV100_ME_FORMS(X)
#undef X
};

static uint8_t form_of(const Rv100MeInsn *i)
{
    for (unsigned n = 0; n < sizeof(forms) / sizeof(forms[0]); n++) {
        if (forms[n].flags == (i->flags & FORM_FLAGS)
            && (!(i->flags & F_WR) || forms[n].src == i->src)
            && forms[n].op == i->op && forms[n].alu == i->alu
            && forms[n].seq == i->seq) {
            return KIND_FORM + n;
        }
    }
    return KIND_GENERAL;
}

static uint8_t kind_of(const Rv100MeInsn *i)
{
    if ((i->flags & (F_STREAM | F_GATED | F_MCSEL)) == F_STREAM
        && i->src == ME_SRC_PKT && i->alu == ME_ALU_NONE
        && i->seq == ME_SEQ_RPT
        && (i->op == ME_OP_NONE || i->op == ME_OP_IDX_INC)) {
        return KIND_DRAIN;
    }
    return form_of(i);
}

void rv100_me_decode(Rv100Me *me, uint8_t addr)
{
    const Rv100MeChip *chip = me->chip;
    uint64_t q = normalise(chip, me->hi[addr], me->lo[addr]);
    Rv100MeInsn *i = &me->insn[addr];

    memset(i, 0, sizeof(*i));
    i->addr = me->lo[addr] & ((1u << chip->addr_bits) - 1);
    i->jump = i->addr;
    i->flags = (FIELD(q, LAT) ? F_LAT : 0) | (FIELD(q, WR) ? F_WR : 0)
        | (FIELD(q, ADV) ? F_ADV : 0) | (FIELD(q, IDXSEL) ? F_IDXSEL : 0)
        | (FIELD(q, MCSEL) ? F_MCSEL : 0) | (FIELD(q, COND) ? F_COND : 0)
        | (FIELD(q, CGATE) ? F_CGATE : 0);
    decode_units(chip, q, i);
    if (me->breaks[addr / 32] >> addr % 32 & 1) {
        i->flags |= F_BREAK;
    }
    i->kind = kind_of(i);
}

void rv100_me_load(Rv100Me *me, uint8_t addr, uint8_t hi, uint32_t lo)
{
    me->hi[addr] = hi & me->chip->hi_mask;
    me->lo[addr] = lo;
    me->old_valid = false;
    if (addr == 0) {
        me->logged_unknown = false;     /* word 0: a new image begins */
    }
    rv100_me_decode(me, addr);
}

void rv100_me_rebuild(Rv100Me *me)
{
    for (unsigned n = 0; n < RV100_ME_WORDS; n++) {
        rv100_me_decode(me, n);
    }
}

void rv100_me_set_break(Rv100Me *me, uint8_t addr, bool on)
{
    uint32_t bit = 1u << addr % 32;

    if (on) {
        me->breaks[addr / 32] |= bit;
    } else {
        me->breaks[addr / 32] &= ~bit;
    }
    rv100_me_decode(me, addr);
}

void rv100_me_reset(Rv100Me *me)
{
    me->pkt = me->a = me->s = me->u = me->idx = me->head = me->left = 0;
    me->t = me->count = 0;
    me->ptr = me->pc = me->mcptr = me->depth = me->type = 0;
    memset(me->table, 0, sizeof(me->table));
    memset(me->stack, 0, sizeof(me->stack));
    me->phase = RV100_ME_DISPATCH;
    me->head_valid = me->head_seen = me->old_valid = me->more_later = false;
    me->stop = me->header_pending = me->skip_break = false;
    me->in = me->in_end = NULL;
}

void rv100_me_init(Rv100Me *me, const Rv100MeChip *chip,
                   const Rv100MeOps *ops, void *opaque)
{
    memset(me, 0, sizeof(*me));
    me->chip = chip;
    me->ops = ops;
    me->opaque = opaque;
    me->debug = true;
    rv100_me_reset(me);
    rv100_me_rebuild(me);
}

bool rv100_me_check(const Rv100Me *me, const char **why)
{
    const struct {
        bool ok;
        const char *name;
    } checks[] = {
        { me->count < 1 << 14, "me.count" },
        { me->ptr < 32, "me.ptr" },
        { me->depth <= RV100_ME_STACK, "me.depth" },
        { me->type < 4 && me->type != 2, "me.type" },
        { me->phase <= RV100_ME_RUN, "me.phase" },
        { me->head_valid <= 1, "me.head_valid" },
        { me->head_seen <= 1, "me.head_seen" },
        { me->old_valid <= 1, "me.old_valid" },
    };

    for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
        if (!checks[i].ok) {
            *why = checks[i].name;
            return false;
        }
    }
    for (unsigned n = 0; n < RV100_ME_WORDS; n++) {
        if (me->hi[n] & ~me->chip->hi_mask) {
            *why = "me.hi";
            return false;
        }
    }
    return true;
}
