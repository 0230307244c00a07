/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow.h"

#include <string.h>

#include "rv100-me-isa.h"

static void bound(unsigned *end, unsigned w, unsigned target)
{
    if (target > w && target < *end) {
        *end = target;
    }
}

/* The table ends where the first code behind its beginning starts, as far as
 * entries and handlers tell, or at a word that has a high part: every
 * instruction but rpt has one. Empty words at its end do not belong to it. */
static unsigned find_table_end(const Flow *f)
{
    unsigned end = FLOW_OPCODES / 4, last = FLOW_TABLE;

    for (unsigned i = 0; i < FLOW_ENTRIES; i++) {
        const IsaName *seq = isa_name(ISA_SEQ, flow_seq(f, i));

        if (seq && seq->operand == ISA_CODE) {
            bound(&end, FLOW_TABLE, f->word[i].addr & 0xff);
        }
    }
    for (unsigned w = FLOW_TABLE; w < end && !f->image.hi[w]; w++) {
        for (unsigned n = 0; n < 4; n++) {
            bound(&end, w, f->image.lo[w] >> 8 * n & 0xff);
        }
        last = f->image.lo[w] ? w + 1 : last;
    }
    return last;
}

uint8_t flow_dispatch(const Flow *f, unsigned opcode)
{
    unsigned w = opcode >> 2;

    return w >= FLOW_TABLE && w < f->table_end
           ? f->image.lo[w] >> 8 * (opcode & 3) & 0xff : 0;
}

uint8_t flow_seq(const Flow *f, unsigned pc)
{
    unsigned seq = f->word[pc].unit[ISA_SEQ];

    return isa_known(f->chip, ISA_SEQ, seq) ? (uint8_t)seq : ME_SEQ_NXT;
}

static void add(FlowNext *next, unsigned to, FlowWay way)
{
    next->to[next->n] = (uint8_t)to;
    next->way[next->n++] = way;
}

void flow_next(const Flow *f, unsigned pc, FlowNext *next)
{
    uint8_t seq = flow_seq(f, pc);
    const IsaName *name = isa_name(ISA_SEQ, seq);

    next->n = 0;
    switch (seq) {
    case ME_SEQ_RET:
        return;
    case ME_SEQ_RPT:
        add(next, pc, FLOW_GO);
        return;
    case ME_SEQ_SKP:
        add(next, pc + 2, FLOW_GO);
        return;
    case ME_SEQ_JMP:
        add(next, f->word[pc].addr, FLOW_GO);
        return;
    case ME_SEQ_LOOP:
        add(next, pc, FLOW_GO);
        add(next, pc + 1, FLOW_GO);
        return;
    case ME_SEQ_CALL:
        add(next, f->word[pc].addr, FLOW_CALL);
        add(next, pc + 1, FLOW_BACK);
        return;
    case ME_SEQ_CALLT:
        for (unsigned i = 0; i < f->n_table; i++) {
            add(next, f->table[i], FLOW_CALL);
        }
        add(next, pc + 1, FLOW_BACK);
        return;
    default:
        if (name && name->operand == ISA_CODE) {
            add(next, f->word[pc].addr, FLOW_GO);
        }
        add(next, pc + 1, FLOW_GO);
        return;
    }
}

/* Note which constants a word reads, and the call targets that it loads. */
static void note_data(Flow *f, unsigned pc)
{
    const IsaWord *w = &f->word[pc];
    const IsaName *alu = isa_name(ISA_ALU, w->unit[ISA_ALU]);
    const IsaName *op = isa_name(ISA_OP, w->unit[ISA_OP]);
    uint8_t next = (uint8_t)(pc + 1);

    if ((alu && alu->operand == ISA_DATA) || (op && op->operand == ISA_DATA) ||
        (w->wr && w->mcsel && !w->idxsel)) {
        f->data[w->addr & 0xff] = true;
    }
    if (alu && isa_default_seq(alu->code) != ME_SEQ_NXT) {
        f->data[next] = true;
    }
    if (w->unit[ISA_ALU] != ME_ALU_TABLE) {
        return;
    }
    for (unsigned n = 0; n < 4; n++) {
        uint8_t target = f->image.lo[next] >> 8 * n & 0xff;

        if (!memchr(f->table, target, f->n_table)) {
            f->table[f->n_table++] = target;
        }
    }
}

/* Follow control from a word; true when something new was found. */
static bool reach(Flow *f, unsigned from)
{
    uint8_t todo[RV100_ME_WORDS];
    unsigned n = 0;
    bool any = false;

    if (!f->code[from]) {
        f->code[from] = true;
        todo[n++] = (uint8_t)from;
    }
    while (n) {
        unsigned pc = todo[--n];
        FlowNext next;

        any = true;
        note_data(f, pc);
        flow_next(f, pc, &next);
        for (unsigned i = 0; i < next.n; i++) {
            if (next.to[i] != (uint8_t)(pc + 1) || next.way[i] == FLOW_CALL) {
                f->target[next.to[i]] = true;
            }
            if (!f->code[next.to[i]]) {
                f->code[next.to[i]] = true;
                todo[n++] = next.to[i];
            }
        }
    }
    return any;
}

/* A callt that was followed before its table was known has more ways out. */
static bool reach_table(Flow *f)
{
    bool any = false;

    for (unsigned pc = 0; pc < RV100_ME_WORDS; pc++) {
        if (!f->code[pc] || flow_seq(f, pc) != ME_SEQ_CALLT) {
            continue;
        }
        for (unsigned i = 0; i < f->n_table; i++) {
            f->target[f->table[i]] = true;
            any = reach(f, f->table[i]) || any;
        }
    }
    return any;
}

bool flow_is_table(const Flow *f, unsigned addr)
{
    return addr >= FLOW_TABLE && addr < f->table_end && !f->code[addr] &&
           f->image.hi[addr] == 0;
}

void flow_init(Flow *f, const Image *image, const Rv100MeChip *chip)
{
    memset(f, 0, sizeof(*f));
    f->chip = chip;
    f->image = *image;
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        isa_decode(chip, image->hi[i], image->lo[i], &f->word[i]);
    }
    f->table_end = find_table_end(f);
    for (unsigned i = 0; i < FLOW_ENTRIES; i++) {
        if (image->hi[i] || image->lo[i]) {
            f->target[i] = true;
            reach(f, i);
        }
    }
    for (unsigned op = 0; op < FLOW_OPCODES; op++) {
        unsigned target = flow_dispatch(f, op);

        if (target) {
            f->target[target] = true;
            reach(f, target);
        }
    }
    while (reach_table(f)) {
    }
}
