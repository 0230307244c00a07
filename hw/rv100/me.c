/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Microengine: execution.
 *
 * All units of an instruction see the engine registers as they were before it,
 * but for pkt, which the latch replaces first [isa:4]. The order of the code is
 * chosen so that little has to be copied: destination and value of the write,
 * next address, arithmetic unit, counter unit, then the write and the advance.
 *
 * The head of the stream is taken as late as possible. This is what makes the
 * fetch size invisible and lets an indirect buffer begin at the next header.
 */
#include <glib.h>

#include "me-forms.h"
#include "me-insn.h"
#include "rv100-me-isa.h"
#include "rv100-regs.h"

#define INLINE static inline __attribute__((always_inline))

#define COUNT_MASK 0x3fff       /* the loop counter has 14 bits [isa:1, S] */
#define IDX_MASK 0x1fff         /* a register index has 13 bits */
#define IDX_MASK_TYPE1 0x7ff    /* REG_INDEX1 of a type-1 header [isa:2, S] */

/* Engine registers that the loop keeps in local variables. */
typedef struct Regs {
    uint64_t steps, words;
    uint32_t pkt, a, idx, left;
    uint16_t t, count;
    uint8_t ptr, pc;
    bool ended;                 /* the packet ended: me->phase is DISPATCH */
} Regs;

INLINE uint16_t hi16(uint32_t v)
{
    return v >> 16;
}

INLINE uint16_t lo16(uint32_t v)
{
    return v;
}

INLINE uint32_t pair(uint16_t h, uint16_t l)
{
    return (uint32_t)h << 16 | l;
}

INLINE uint16_t s8(uint32_t byte)
{
    return (uint16_t)(int8_t)byte;
}

/* --- head of the stream --- */

INLINE bool pull(Rv100Me *me)
{
    if (G_UNLIKELY(me->in == me->in_end) && !me->ops->refill(me->opaque)) {
        return false;
    }
    me->head = *me->in++;
    me->head_valid = true;
    me->head_seen = false;
    return true;
}

INLINE bool stream_has_word(Rv100Me *me)
{
    return me->in != me->in_end || me->ops->refill(me->opaque);
}

/* An advance over a word that nobody latched depends on whether the stream is
 * exhausted: it waits while that cannot be told (a fetch that is held up). */
INLINE bool stale_undecided(Rv100Me *me, uint16_t flags)
{
    return !(flags & F_LAT) && !me->head_seen && !stream_has_word(me)
        && me->more_later;
}

static void push(Rv100Me *me, uint8_t addr)
{
    if (me->depth == RV100_ME_STACK) {
        me->stack[0] = me->stack[1];
        me->stack[1] = addr;
    } else {
        me->stack[me->depth++] = addr;
    }
}

/* --- units --- */

/* Value of the write; `a` is the accumulator before the instruction. */
INLINE uint32_t src_value(unsigned src, const Regs *r)
{
    switch (src) {
    case ME_SRC_PKT:
        return r->pkt;
    case ME_SRC_A:
        return r->a;
    case ME_SRC_TA:
        return pair(r->t, lo16(r->a));
    case ME_SRC_LA:
        return pair(lo16(r->a), hi16(r->a));
    case 2:                     /* unknown; "alu.h" in the sweep [isa:4, U] */
        return pair(r->t, hi16(r->a));
    default:                    /* ZERO, and 5 and 7, which are unknown */
        return 0;
    }
}

/* Words of a brush and where they go, by brush type [isa:8]. A negative count
 * is multiplied by the bytes of a pixel. */
static const struct {
    uint16_t idx;
    int8_t words;
} brushes[16] = {
    [0] = { R_DP_BRUSH_BKGD_CLR, 4 },
    [1] = { R_DP_BRUSH_FRGD_CLR, 3 },
    [2] = { R_DP_BRUSH_BKGD_CLR, 3 },
    [3] = { R_DP_BRUSH_FRGD_CLR, 2 },
    [4] = { R_DP_BRUSH_BKGD_CLR, 3 },
    [5] = { R_DP_BRUSH_FRGD_CLR, 2 },
    [6] = { R_DP_BRUSH_BKGD_CLR, 3 },
    [7] = { R_DP_BRUSH_FRGD_CLR, 2 },
    [8] = { R_DP_BRUSH_BKGD_CLR, 34 },
    [9] = { R_DP_BRUSH_FRGD_CLR, 33 },
    [10] = { R_BRUSH_DATA0, -16 },
    [11] = { R_BRUSH_DATA0, -2 },
    [12] = { R_BRUSH_DATA0, -2 },
    [13] = { R_DP_BRUSH_FRGD_CLR, 1 },
    [14] = { R_DP_BRUSH_FRGD_CLR, 1 },
    [15] = { 0, 0 },
};

/* Bytes of a pixel of a destination type; 24 bpp counts as 4 [isa:8]. */
static const uint8_t pixel_bytes[16] = {
    1, 1, 1, 2, 2, 4, 4, 1, 1, 1, 1, 2, 2, 1, 4, 2
};

INLINE void brush_lookup(Regs *r, uint32_t gui_control)
{
    unsigned type = gui_control >> 4 & 15;
    int words = brushes[type].words;

    r->count = words < 0 ? -words * pixel_bytes[gui_control >> 8 & 15] : words;
    if (brushes[type].words) {
        r->idx = brushes[type].idx;
    }
    r->ptr = 0;
}

INLINE void load_idx(Regs *r, uint32_t value)
{
    r->idx = value;
    r->ptr = 0;                 /* every load selects bit 0 [isa:5, P] */
}

/* Index and counter unit; a and t are A and T before the instruction. */
INLINE void counter_unit(Rv100Me *me, Regs *r, const Rv100MeInsn *i,
                         unsigned op, uint32_t a, uint16_t t)
{
    switch (op) {
    case ME_OP_CNT_T:
        r->count = t & COUNT_MASK;
        break;
    case ME_OP_PTR_INC:
        r->ptr = (r->ptr + 1) & 31;
        break;
    case ME_OP_CNT_DEC:
        r->count = (r->count - 1) & COUNT_MASK;
        break;
    case ME_OP_PTR_0:
        r->ptr = 0;
        break;
    case ME_OP_CNT_PKT:
        r->count = r->pkt & COUNT_MASK;
        break;
    case ME_OP_IDX_INC_CNT_DEC:
        r->count = (r->count - 1) & COUNT_MASK;
        r->idx++;
        break;
    case ME_OP_IDX_INC:
        r->idx++;
        break;
    case ME_OP_IDX_A:
        load_idx(r, a);
        break;
    case ME_OP_BRUSH:
        brush_lookup(r, a);
        break;
    case ME_OP_IDX_PKT:
        load_idx(r, r->pkt);
        break;
    case ME_OP_MCPTR:
        me->mcptr = i->jump;
        break;
    case ME_OP_IDX_ADDR:
        load_idx(r, i->addr);
        break;
    case ME_OP_IDX_SIGNS:
        load_idx(r, (a >> 30 & 2) | (a >> 15 & 1));
        break;
    case ME_OP_LEFT_PKT:
        r->left = r->pkt;
        break;
    case ME_OP_U_A:
        me->u = a;
        break;
    default:
        break;
    }
}

INLINE uint8_t jump_if(bool taken, const Regs *r, const Rv100MeInsn *i)
{
    return taken ? i->jump : (uint8_t)(r->pc + 1);
}

/* Address of the next instruction. */
INLINE uint8_t sequence(Rv100Me *me, const Regs *r, const Rv100MeInsn *i,
                        unsigned seq)
{
    uint8_t next = r->pc + 1;

    switch (seq) {
    case ME_SEQ_RPT:
        return r->pc;
    case ME_SEQ_JMP:
        return i->jump;
    case ME_SEQ_RET:
        return me->depth ? me->stack[--me->depth] : r->pc;
    case ME_SEQ_JF:
        return jump_if(r->idx >> r->ptr & 1, r, i);
    case ME_SEQ_JCZ:
        return jump_if(r->count == 0, r, i);
    case ME_SEQ_JNX:
        return jump_if(r->idx >> 31, r, i);
    case ME_SEQ_JNH:
        return jump_if(r->a >> 31, r, i);
    case ME_SEQ_JNL:
        return jump_if(r->a >> 15 & 1, r, i);
    case ME_SEQ_SKP:
        return r->pc + 2;
    case ME_SEQ_CALL:
        push(me, next);
        return i->jump;
    case ME_SEQ_JZ:
        return jump_if(r->a == 0, r, i);
    case ME_SEQ_JZL:
        return jump_if(!(r->a & 1), r, i);
    case ME_SEQ_CALLT:
        push(me, next);
        return me->table[r->a & 7];
    case ME_SEQ_LOOP:
        return r->count ? r->pc : next;
    default:
        return next;
    }
}

static void load_table(Rv100Me *me, unsigned half, uint32_t word)
{
    for (unsigned n = 0; n < 4; n++) {
        me->table[4 * half + n] = word >> 8 * n;
    }
}

INLINE void set_high(Regs *r, uint16_t h)
{
    r->a = pair(h, lo16(r->a));
}

INLINE void set_low(Regs *r, uint16_t l)
{
    r->a = pair(hi16(r->a), l);
}

/*
 * Arithmetic unit: one case a code, as xml/rv100-me.xml describes them. Halves
 * of A and T are 16 bits wide, without carry between them.
 */
INLINE void arithmetic_unit(Rv100Me *me, Regs *r, const Rv100MeInsn *i,
                            unsigned alu)
{
    uint16_t h = hi16(r->a), l = lo16(r->a);
    uint32_t a = r->a, pkt = r->pkt;
    uint8_t next = r->pc + 1;

#define CASE(code, action) case ME_ALU_##code: action; break
    switch (alu) {
    CASE(ADDL_PKT0, set_low(r, l + s8(pkt)));
    CASE(RSUBH, set_high(r, hi16(pkt) - h));
    CASE(RSUBL, set_low(r, lo16(pkt) - l));
    CASE(NEGH, set_high(r, -h));
    CASE(NEGL, set_low(r, -l));
    CASE(LD_IDX, r->a = me->lo[r->idx & 0xff]);
    CASE(LD, r->a = me->lo[i->jump]);
    CASE(T_SUB_PKT1, r->t = h - s8(pkt >> 8));
    CASE(T_PKT2, r->t = pkt >> 16 & 0xff);
    CASE(T_MUL_PKT3, r->t = (uint32_t)r->t * (pkt >> 24));
    CASE(T_SUB, r->t = h - l);
    CASE(LD_PKT, r->a = pkt);
    CASE(SAR1, r->a = (uint32_t)((int32_t)a >> 1));
    CASE(SHR11, r->a = a >> 11);
    CASE(T_WORDS, r->t = (uint16_t)(r->t + 31) >> 5);
    CASE(LD_NEXT, r->a = me->lo[next]);
    CASE(MUL3H, set_high(r, h * 3u));
    CASE(MUL3L, set_low(r, l * 3u));
    CASE(T_AL, r->t = l);
    CASE(T_AH, r->t = h);
    CASE(AL_T, set_low(r, r->t));
    CASE(AH_T, set_high(r, r->t));
    CASE(SWAP, r->a = pair(l, h));
    CASE(LD_MCPTR, r->a = me->lo[me->mcptr]);
    CASE(CLR, r->a = 0);
    CASE(AND, r->a = a & i->addr);
    CASE(ADDL, set_low(r, l + s8(i->addr)));
    CASE(ADDH, set_high(r, h + s8(i->addr)));
    CASE(SHR, r->a = a >> (i->addr & 31));
    CASE(TABLE, load_table(me, i->addr & 1, me->lo[next]));
    CASE(ADDH_PKT, set_high(r, h + hi16(pkt)));
    CASE(ADDL_PKT, set_low(r, l + lo16(pkt)));
    CASE(LD_S, r->a = me->s);
    CASE(SAVE, me->s = a);
    CASE(BSWAPL, set_low(r, l << 8 | l >> 8));
    CASE(SUBL, set_low(r, l - s8(i->addr)));
    CASE(LD_U, r->a = me->u);
    default:
        break;
    }
#undef CASE
}

/* --- one instruction --- */

static void microcode_write(Rv100Me *me, uint8_t addr, uint8_t hi, uint32_t lo)
{
    hi &= me->chip->hi_mask;
    me->old_addr = addr;
    me->old_lo = me->lo[addr];
    me->hi[addr] = hi;
    me->lo[addr] = lo;
    me->insn[addr].flags |= F_STALE;    /* mostly data: decoded if executed */
    if (me->ops->me_write) {
        me->ops->me_write(me->opaque, addr, hi, lo);
    }
}

/* left -= 1; a head that was looked at goes, and so does one that has a word
 * behind it; a head that nobody latched stays on an empty stream [isa:2, H]. */
INLINE bool consume(Rv100Me *me)
{
    if (me->head_seen || stream_has_word(me)) {
        me->head_valid = false;
        return true;
    }
    return false;
}

/* Execute `i` at r->pc; false when the instruction needs a word and has none
 * (it has then had no effect). The codes are those of the word; they are
 * constants in the specialised forms. */
INLINE bool step(Rv100Me *me, Regs *r, const Rv100MeInsn *i, uint16_t flags,
                 unsigned src, unsigned op, unsigned alu, unsigned seq)
{
    uint32_t a = r->a, value = 0, dest = 0;
    uint16_t t = r->t;
    uint8_t next;

    if (flags & F_GATED
        && (((flags & F_COND) && !(r->idx >> r->ptr & 1))
            || ((flags & F_CGATE) && !r->count))) {
        flags &= ~F_STREAM;
    }
    if ((flags & (F_LAT | F_ADV))
        && ((!me->head_valid && !pull(me)) || stale_undecided(me, flags))) {
        return false;
    }
    if (flags & F_LAT) {
        r->pkt = me->head;
        me->head_seen = true;
    }
    if (flags & F_WR) {
        dest = flags & F_IDXSEL
            ? r->idx & (me->type == 1 ? IDX_MASK_TYPE1 : IDX_MASK) : i->addr;
        value = src_value(src, r);
        if (flags & F_MCSEL) {
            dest = (flags & F_IDXSEL ? r->idx : i->addr) & 0xff;
            value = src == ME_SRC_TA ? r->a : value;
            dest |= (uint32_t)(uint8_t)r->t << 8;
        }
    }
    next = sequence(me, r, i, seq);
    arithmetic_unit(me, r, i, alu);
    counter_unit(me, r, i, op, a, t);
    if (flags & F_WR) {
        me->pc = r->pc;         /* for whoever asks who writes */
        if (flags & F_MCSEL) {
            microcode_write(me, dest, dest >> 8, value);
        } else {
            me->ops->reg_write(me->opaque, dest, value);
        }
    }
    r->pc = next;
    if (flags & F_ADV) {
        if (consume(me)) {
            r->words++;
            me->last_word = r->steps + 1;
        }
        if (--r->left == 0) {
            r->ended = true;
            me->phase = RV100_ME_DISPATCH;
            /* Dispatch sees the word as it was before a write of the last
             * instruction [isa:2, P]. */
            me->old_valid = (flags & F_WR) && (flags & F_MCSEL);
        }
    }
    r->steps++;
    return true;
}

/* Write up to `want` words of the stream to registers from dest on; the last one
 * is left in me->head. Returns their number. Kept out of the loop, whose
 * registers it would take. */
static __attribute__((noinline)) uint64_t write_words(Rv100Me *me, uint32_t dest,
                                                      uint32_t mask,
                                                      uint32_t increment,
                                                      uint64_t want)
{
    void (*write)(void *, uint32_t, uint32_t) = me->ops->reg_write;
    void *opaque = me->opaque;
    uint64_t n = 0;

    if (G_UNLIKELY(me->head_valid)) {
        me->head_valid = false;
        write(opaque, dest & mask, me->head);
        dest += increment;
        n = 1;
    }
    while (n < want && !me->stop
           && (me->in != me->in_end || me->ops->refill(me->opaque))) {
        const uint32_t *in = me->in;
        const uint32_t *end = in + MIN(want - n, (uint64_t)(me->in_end - in));

        do {
            write(opaque, dest & mask, *in++);
            dest += increment;
        } while (in != end && !me->stop);
        n += in - me->in;
        me->head = in[-1];
        me->in = in;
    }
    return n;
}

/* The whole rest of a packet under a KIND_DRAIN instruction, or as much of it
 * as budget and stream allow. Returns the number of instructions executed. */
INLINE uint64_t drain(Rv100Me *me, Regs *r, const Rv100MeInsn *i,
                      uint64_t budget)
{
    bool indexed = i->flags & F_IDXSEL;
    uint32_t mask = indexed && me->type == 1 ? IDX_MASK_TYPE1 : IDX_MASK;
    uint32_t increment = i->op == ME_OP_IDX_INC;
    uint64_t n;

    me->pc = r->pc;
    n = write_words(me, indexed ? r->idx : i->addr, mask, indexed & increment,
                    MIN(budget, r->left ? r->left : 1));

    if (n) {
        r->pkt = me->head;
        r->idx += increment * (uint32_t)n;
        r->left -= n;
        me->head_seen = true;
        r->steps += n;
        r->words += n;
        me->last_word = r->steps;
        if (r->left == 0) {
            r->ended = true;
            me->phase = RV100_ME_DISPATCH;
        }
    }
    return n;
}

/* --- registers in the loop and in memory --- */

INLINE void get_regs(const Rv100Me *me, Regs *r)
{
    *r = (Regs) {
        .steps = me->steps, .words = me->words,
        .pkt = me->pkt, .a = me->a, .idx = me->idx, .left = me->left,
        .t = me->t, .count = me->count, .ptr = me->ptr, .pc = me->pc,
        .ended = me->phase == RV100_ME_DISPATCH,
    };
}

INLINE void put_regs(Rv100Me *me, const Regs *r)
{
    me->steps = r->steps;
    me->words = r->words;
    me->pkt = r->pkt;
    me->a = r->a;
    me->idx = r->idx;
    me->left = r->left;
    me->t = r->t;
    me->count = r->count;
    me->ptr = r->ptr;
    me->pc = r->pc;
}

/* --- dispatch --- */

/* The next header; false when the stream is exhausted. */
INLINE bool next_header(Rv100Me *me, uint32_t *h)
{
    if (G_UNLIKELY(me->head_valid)) {   /* a head that nobody latched */
        me->head_valid = false;
        *h = me->head;
        return true;
    }
    if (G_UNLIKELY(me->header_pending)) {
        me->header_pending = false;
        me->ops->header(me->opaque);
    }
    if (G_UNLIKELY(me->in == me->in_end) && !me->ops->refill(me->opaque)) {
        return false;
    }
    *h = *me->in++;
    return true;
}

/* Entry address of a type-3 packet. */
static uint8_t table_entry(const Rv100Me *me, uint32_t h)
{
    uint8_t at = h >> 10 & 0x1f;
    uint32_t word = me->old_valid && me->old_addr == at ? me->old_lo
                                                        : me->lo[at];

    return word >> 8 * (h >> 8 & 3);
}

/* Take the next header; false when the stream is exhausted. Fillers leave the
 * engine waiting for a header. */
INLINE bool dispatch(Rv100Me *me, Regs *r)
{
    uint32_t h;
    uint8_t entry;

    if (!next_header(me, &h)) {
        return false;
    }
    r->words++;
    me->last_word = r->steps;
    if (h >> 30 == 2) {
        return true;
    }
    me->type = h >> 30;
    r->pkt = r->a = r->idx = h;
    r->ptr = 0;
    me->depth = 0;              /* [isa:2, P] */
    r->left = me->type == 1 ? 2 : (h >> 16 & 0x3fff) + 1;
    entry = h >> 30 == 0 ? h >> 15 & 1 : h >> 30 == 1 ? 2 : table_entry(me, h);
    r->pc = entry;
    if (h >> 30 == 3 && h >> 15 & 1) {  /* the settings block comes first */
        push(me, entry);
        r->pc = 3;
    }
    r->ended = false;
    me->phase = RV100_ME_RUN;
    me->old_valid = false;
    if (me->ops->packet) {
        put_regs(me, r);        /* a debugger looks at them */
        me->ops->packet(me->opaque, h, entry);
    }
    return true;
}

/* A row of packets that drain_packets() has run. */
typedef struct Row {
    uint64_t units, steps;      /* used; instructions among them */
    uint32_t header, word;      /* the last ones */
    uint32_t n, left;           /* words of the last packet: written, left */
} Row;

/*
 * Packets of type 0 in [me->in, end), one after the other, while the word at
 * their entry is a KIND_DRAIN: the same as dispatch and drain for each, with the
 * bookkeeping done once. Most of a driver's stream is like this.
 */
static __attribute__((noinline)) void drain_packets(Rv100Me *me,
                                                    const uint32_t *end,
                                                    uint64_t *cover, Row *row)
{
    void (*write)(void *, uint32_t, uint32_t) = me->ops->reg_write;
    void (*packet)(void *, uint32_t, uint8_t) = me->ops->packet;
    void *opaque = me->opaque;
    const uint32_t *in = me->in, *begin, *last;
    uint64_t packets = 0;
    uint32_t n = 0, left = 0;

    me->phase = RV100_ME_RUN;
    while (end - in >= 2 && !left) {
        uint32_t h = *in, entry = h >> 15 & 1, dest, up;
        const Rv100MeInsn *i = &me->insn[entry];

        if (h >> 30 || i->kind != KIND_DRAIN || i->flags & F_ATTENTION) {
            break;
        }
        left = (h >> 16) + 1;
        last = in + MIN(left, (size_t)(end - in) - 1);
        dest = i->flags & F_IDXSEL ? h : i->addr;
        up = i->op == ME_OP_IDX_INC && i->flags & F_IDXSEL;
        me->pc = entry;
        row->header = h;
        begin = in++;
        packets++;
        n = 0;
        if (packet) {
            me->pkt = me->a = me->idx = h;
            packet(opaque, h, entry);
            if (me->stop) {
                break;
            }
        }
        do {
            write(opaque, dest & IDX_MASK, *in++);
            dest += up;
        } while (in <= last && !me->stop);
        n = in - begin - 1;
        left -= n;
        cover[entry] += n;
        if (me->stop || me->header_pending) {
            break;
        }
    }
    me->phase = packets && left ? RV100_ME_RUN : RV100_ME_DISPATCH;
    row->units = in - me->in;
    row->steps = row->units - packets;
    row->n = n;
    row->left = left;
    if (packets) {
        me->type = me->depth = 0;
        me->old_valid = false;
        me->head = row->word = in[-1];
        me->head_seen = true;
        me->in = in;
    }
}

/* Try that; returns the units used. */
INLINE uint64_t run_row(Rv100Me *me, Regs *r, uint64_t budget, bool debug)
{
    uint64_t none[2] = { 0 };
    uint64_t window = me->in_end - me->in;
    Row row;

    /* A debugger looks at the state at each packet; in a row it is not there. */
    if (me->exact || me->head_valid || me->header_pending || !window || *me->in >> 30) {
        return 0;
    }
    drain_packets(me, me->in + MIN(window, budget), debug ? me->cover : none,
                  &row);
    if (row.units) {
        bool up = me->insn[row.header >> 15 & 1].op == ME_OP_IDX_INC;

        r->pkt = row.word;
        r->a = row.header;
        r->idx = row.header + (up ? row.n : 0);
        r->left = row.left;
        r->ptr = 0;
        r->pc = row.header >> 15 & 1;
        r->steps += row.steps;
        r->words += row.units;
        r->ended = !row.left;
        me->last_word = r->steps;
    }
    return row.units;
}

/* --- the loop --- */

/* A word that was written since it was decoded, or has an unknown code. */
static void unusual_word(Rv100Me *me, uint8_t pc)
{
    if (me->insn[pc].flags & F_STALE) {
        rv100_me_decode(me, pc);
    }
    if (me->insn[pc].flags & F_UNKNOWN && !me->logged_unknown) {
        me->logged_unknown = true;
        if (me->ops->unknown) {
            me->ops->unknown(me->opaque, pc, me->hi[pc], me->lo[pc]);
        }
    }
}

typedef enum Watch {
    WATCH_NOTHING,
    WATCH_DEBUG,                /* breakpoints and coverage */
    WATCH_TRACE,                /* and ops->step after each instruction */
} Watch;

/*
 * Headers and instructions until the budget is used or something stops them. A
 * form that moves no word and writes nothing cannot stall, end the packet or be
 * told to stop: it goes straight to the next instruction.
 */
INLINE Rv100MeStop run_loop(Rv100Me *me, uint64_t *budget, const Watch watch)
{
    enum { FIRST = __COUNTER__ + 1 };
    uint64_t left = *budget, first = me->steps, n;
    bool pass_break = me->skip_break;
    Rv100MeStop why = RV100_ME_BUDGET;
    const Rv100MeInsn *i;
    uint8_t pc;
    Regs r;

    get_regs(me, &r);
dispatch:
    while (r.ended && left) {
        n = watch != WATCH_TRACE
            ? run_row(me, &r, left, watch == WATCH_DEBUG) : 0;
        if (!n && !(n = dispatch(me, &r))) {
            why = RV100_ME_STALLED;
            goto out;
        }
        left -= n;
        if (G_UNLIKELY(me->stop)) {
            why = RV100_ME_STOPPED;
            goto out;
        }
    }
next:
    if (!left) {
        goto out;
    }
    pc = r.pc;
    i = &me->insn[pc];
    if (G_UNLIKELY(i->flags & F_ATTENTION)) {
        if (watch != WATCH_NOTHING && i->flags & F_BREAK
            && !(pass_break && r.steps == first)) {
            why = RV100_ME_BREAK;
            goto out;
        }
        unusual_word(me, pc);
    }
    switch (i->kind) {
    case KIND_DRAIN:
        /* Seen from a breakpoint or a trace it is a row of single steps. */
        n = drain(me, &r, i, watch == WATCH_TRACE
                  || (watch == WATCH_DEBUG && i->flags & F_BREAK) ? 1 : left);
        break;
#define X(flags, src, op, alu, seq) \
    case KIND_FORM + __COUNTER__ - FIRST: \
        n = step(me, &r, i, flags, ME_SRC_##src, ME_OP_##op, ME_ALU_##alu, \
                 ME_SEQ_##seq); \
        if (!((flags) & F_STREAM) && watch != WATCH_TRACE) { \
            goto quiet; \
        } \
        break;
    RV100_ME_FORMS(X)
#undef X
    default:
        n = step(me, &r, i, i->flags, i->src, i->op, i->alu, i->seq);
        break;
    }
    if (!n) {
        why = RV100_ME_STALLED;
        goto out;
    }
    left -= n;
    if (watch != WATCH_NOTHING) {
        me->cover[pc] += n;
    }
    if (watch == WATCH_TRACE && me->ops->step) {
        put_regs(me, &r);
        me->ops->step(me->opaque, pc);
    }
    if (G_UNLIKELY(me->stop)) {
        why = RV100_ME_STOPPED;
        goto out;
    }
    if (r.ended) {
        goto dispatch;
    }
    goto next;

quiet:
    left--;
    if (watch != WATCH_NOTHING) {
        me->cover[pc]++;
    }
    goto next;

out:
    put_regs(me, &r);
    *budget = left;
    me->skip_break = why == RV100_ME_BREAK || (pass_break && r.steps == first);
    return why;
}

Rv100MeStop rv100_me_run(Rv100Me *me, uint64_t budget, uint64_t *used)
{
    uint64_t left = budget;
    Rv100MeStop why;

    me->stop = false;
    if (!me->debug) {
        why = run_loop(me, &left, WATCH_NOTHING);
    } else if (!me->trace_steps) {
        why = run_loop(me, &left, WATCH_DEBUG);
    } else {
        why = run_loop(me, &left, WATCH_TRACE);
    }
    if (used) {
        *used = budget - left;
    }
    return why;
}

void rv100_me_request_stop(Rv100Me *me)
{
    me->stop = true;
}

void rv100_me_at_header(Rv100Me *me)
{
    me->header_pending = true;
}
