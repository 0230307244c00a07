/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "rv100-me-isa.h"
#include "slow-me.h"

/* What one chip has that another has not. */
static const struct {
    unsigned addr_bits;
    uint8_t hi_mask;
} chips[] = {
    [SLOW_R128] = { 11, 0x1f },
    [SLOW_R100] = { 12, 0x3f },
    [SLOW_R200] = { 12, 0x3f },
    [SLOW_R300] = { 13, 0xff },
};

/* One instruction, decoded. */
typedef struct Word {
    uint32_t addr, seq, op, alu, src;
    bool lat, wr, adv, idxsel, mcsel, cond, cgate;
} Word;

static uint32_t lo16(uint32_t v)
{
    return v & 0xffff;
}

static uint32_t hi16(uint32_t v)
{
    return v >> 16;
}

static uint32_t pair(uint32_t high, uint32_t low)
{
    return lo16(high) << 16 | lo16(low);
}

/* Sign-extended low byte. */
static uint32_t s8(uint32_t v)
{
    v &= 0xff;
    return v & 0x80 ? v | 0xffffff00u : v;
}

static Word decode(const SlowMe *s, unsigned at)
{
    unsigned w = chips[s->chip].addr_bits;
    uint64_t q = s->me[at & 255];
    uint64_t rest = w < 12 ? q << (12 - w) : q >> (w - 12);

#define FIELD(name) ((rest & ME_WORD_##name##_MASK) >> ME_WORD_##name##_SHIFT)
    return (Word) {
        .addr = q & ((1u << w) - 1),
        .lat = FIELD(LAT), .wr = FIELD(WR), .adv = FIELD(ADV),
        .alu = FIELD(ALU), .op = FIELD(OP), .src = FIELD(SRC),
        .idxsel = FIELD(IDXSEL), .mcsel = FIELD(MCSEL),
        .cond = FIELD(COND), .cgate = FIELD(CGATE), .seq = FIELD(SEQ),
    };
#undef FIELD
}

void slow_me_init(SlowMe *s, SlowChip chip)
{
    memset(s, 0, sizeof(*s));
    s->chip = chip;
    s->dispatching = true;
    s->fifo = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    s->writes = g_array_new(FALSE, FALSE, sizeof(SlowWrite));
}

void slow_me_clear(SlowMe *s)
{
    g_array_unref(s->fifo);
    g_array_unref(s->writes);
}

void slow_me_load(SlowMe *s, uint8_t at, uint8_t hi, uint32_t lo)
{
    s->me[at] = (uint64_t)(hi & chips[s->chip].hi_mask) << 32 | lo;
    s->before_valid = false;
}

static void pull(SlowMe *s)
{
    if (!s->head_valid && s->taken < s->fifo->len) {
        s->head = g_array_index(s->fifo, uint32_t, s->taken++);
        s->head_valid = true;
        s->head_seen = false;
    }
}

static void consume(SlowMe *s)
{
    s->head_valid = false;
    s->head_seen = false;
    pull(s);
}

void slow_me_feed(SlowMe *s, const uint32_t *words, guint n)
{
    g_array_append_vals(s->fifo, words, n);
    pull(s);
}

guint slow_me_waiting(const SlowMe *s)
{
    return s->fifo->len - s->taken + s->head_valid;
}

static void push(SlowMe *s, uint8_t pc)
{
    if (s->depth == 2) {
        s->stack[0] = s->stack[1];
        s->depth = 1;
    }
    s->stack[s->depth++] = pc;
}

static SlowResult dispatch(SlowMe *s)
{
    uint32_t h = s->head, entry, at;
    uint64_t word;

    if (!s->head_valid) {
        return SLOW_STALL;
    }
    consume(s);
    if (h >> 30 == 2) {
        return SLOW_HEADER;
    }
    s->pkt = s->a = s->idx = h;
    at = h >> 10 & 0x1f;
    word = s->before_valid && s->before_at == at ? s->before : s->me[at];
    s->before_valid = false;
    s->ptr = 0;
    s->depth = 0;
    s->type = h >> 30;
    s->left = s->type == 1 ? 2 : (h >> 16 & 0x3fff) + 1;
    s->dispatching = false;
    switch (s->type) {
    case 0:
        s->pc = h >> 15 & 1;
        break;
    case 1:
        s->pc = 2;
        break;
    default:
        entry = word >> 8 * (h >> 8 & 3) & 0xff;
        if (h >> 15 & 1) {
            push(s, entry);
            s->pc = 3;
        } else {
            s->pc = entry;
        }
    }
    return SLOW_HEADER;
}

static uint32_t source(const SlowMe *s, unsigned src, uint32_t pkt)
{
    const uint32_t values[8] = {
        [0] = pkt,
        [1] = s->a,
        [2] = pair(s->t, hi16(s->a)),       /* unknown: the stated default */
        [3] = pair(s->t, s->a),
        [6] = pair(s->a, hi16(s->a)),
    };

    return values[src];
}

/* Results of the arithmetic unit. */
typedef struct Alu {
    uint32_t a, t, s;
    uint8_t table[8];
} Alu;

static Alu arithmetic(const SlowMe *s, const Word *w, uint32_t pkt)
{
    Alu r = { .a = s->a, .t = s->t, .s = s->s };
    uint32_t ah = hi16(s->a), al = lo16(s->a);
    uint32_t next = s->me[(s->pc + 1) & 255];
    bool r300 = s->chip == SLOW_R300;

    memcpy(r.table, s->table, sizeof(r.table));
    switch (w->alu) {
    case ME_ALU_ADDL_PKT0: r.a = pair(ah, al + s8(pkt)); break;
    case ME_ALU_RSUBH: r.a = pair(hi16(pkt) - ah, al); break;
    case ME_ALU_RSUBL: r.a = pair(ah, lo16(pkt) - al); break;
    case ME_ALU_NEGH: r.a = pair(0 - ah, al); break;
    case ME_ALU_NEGL: r.a = pair(ah, 0 - al); break;
    case ME_ALU_LD_IDX: r.a = r300 ? s->me[s->idx & 255] : s->a; break;
    case ME_ALU_LD: r.a = s->me[w->addr & 255]; break;
    case ME_ALU_T_SUB_PKT1: r.t = ah - s8(pkt >> 8); break;
    case ME_ALU_T_PKT2: r.t = pkt >> 16 & 0xff; break;
    case ME_ALU_T_MUL_PKT3: r.t = s->t * (pkt >> 24); break;
    case ME_ALU_T_SUB: r.t = ah - al; break;
    case ME_ALU_LD_PKT: r.a = pkt; break;
    case ME_ALU_SAR1: r.a = s->a >> 1 | (s->a & 0x80000000u); break;
    case ME_ALU_SHR11: r.a = s->a >> 11; break;
    case ME_ALU_T_WORDS: r.t = lo16(s->t + 31) >> 5; break;
    case ME_ALU_LD_NEXT: r.a = next; break;
    case ME_ALU_MUL3H: r.a = pair(ah * 3, al); break;
    case ME_ALU_MUL3L: r.a = pair(ah, al * 3); break;
    case ME_ALU_T_AL: r.t = al; break;
    case ME_ALU_T_AH: r.t = ah; break;
    case ME_ALU_AL_T: r.a = pair(ah, s->t); break;
    case ME_ALU_AH_T: r.a = pair(s->t, al); break;
    case ME_ALU_SWAP: r.a = pair(al, ah); break;
    case ME_ALU_LD_MCPTR: r.a = s->me[s->mcptr]; break;
    case ME_ALU_CLR: r.a = 0; break;
    case ME_ALU_AND: r.a = s->a & w->addr; break;
    case ME_ALU_ADDL: r.a = pair(ah, al + s8(w->addr)); break;
    case ME_ALU_ADDH: r.a = pair(ah + s8(w->addr), al); break;
    case ME_ALU_SHR: r.a = r300 ? s->a >> (w->addr & 31) : s->a; break;
    case ME_ALU_TABLE:
        for (unsigned n = 0; n < 4; n++) {
            r.table[4 * (w->addr & 1) + n] = next >> 8 * n;
        }
        break;
    case ME_ALU_ADDH_PKT: r.a = pair(ah + hi16(pkt), al); break;
    case ME_ALU_ADDL_PKT: r.a = pair(ah, al + lo16(pkt)); break;
    case ME_ALU_LD_S: r.a = s->s; break;
    case ME_ALU_SAVE: r.s = s->a; break;
    case ME_ALU_BSWAPL: r.a = pair(ah, al >> 8 | al << 8); break;
    case ME_ALU_SUBL: r.a = pair(ah, al - s8(w->addr)); break;
    case ME_ALU_LD_U: r.a = r300 ? s->u : s->a; break;
    default: break;
    }
    r.t = lo16(r.t);
    return r;
}

/* Results of the index and counter unit. */
typedef struct Unit {
    uint32_t idx, ptr, count, mcptr, u, left;
} Unit;

/* The brush look-up: words and first register for a GUI_CONTROL. */
static void brush(uint32_t gui_control, uint32_t *count, uint32_t *idx)
{
    static const struct {
        uint16_t idx;
        uint8_t count, per_byte;
    } types[16] = {
        { 0x51e, 4, 0 }, { 0x51f, 3, 0 }, { 0x51e, 3, 0 }, { 0x51f, 2, 0 },
        { 0x51e, 3, 0 }, { 0x51f, 2, 0 }, { 0x51e, 3, 0 }, { 0x51f, 2, 0 },
        { 0x51e, 34, 0 }, { 0x51f, 33, 0 }, { 0x520, 0, 16 }, { 0x520, 0, 2 },
        { 0x520, 0, 2 }, { 0x51f, 1, 0 }, { 0x51f, 1, 0 }, { 0, 0, 0 },
    };
    static const uint8_t bytes[16] = {
        1, 1, 1, 2, 2, 4, 4, 1, 1, 1, 1, 2, 2, 1, 4, 2,
    };
    unsigned type = gui_control >> 4 & 15;

    *count = types[type].count
             + types[type].per_byte * bytes[gui_control >> 8 & 15];
    if (types[type].idx) {
        *idx = types[type].idx;
    }
}

static Unit index_unit(const SlowMe *s, const Word *w, uint32_t pkt)
{
    Unit r = { s->idx, s->ptr, s->count, s->mcptr, s->u, s->left };
    bool load = false;

    switch (w->op) {
    case ME_OP_CNT_T: r.count = s->t; break;
    case ME_OP_PTR_INC: r.ptr = s->ptr + 1; break;
    case ME_OP_CNT_DEC: r.count = s->count - 1; break;
    case ME_OP_PTR_0: r.ptr = 0; break;
    case ME_OP_CNT_PKT: r.count = pkt; break;
    case ME_OP_IDX_INC_CNT_DEC:
        r.idx = s->idx + 1;
        r.count = s->count - 1;
        break;
    case ME_OP_IDX_INC: r.idx = s->idx + 1; break;
    case ME_OP_IDX_A: r.idx = s->a; load = true; break;
    case ME_OP_BRUSH: brush(s->a, &r.count, &r.idx); load = true; break;
    case ME_OP_IDX_PKT: r.idx = pkt; load = true; break;
    case ME_OP_MCPTR: r.mcptr = w->addr & 255; break;
    case ME_OP_IDX_ADDR: r.idx = w->addr; load = true; break;
    case ME_OP_IDX_SIGNS:
        r.idx = (s->a >> 31 & 1) << 1 | (s->a >> 15 & 1);
        load = true;
        break;
    case ME_OP_LEFT_PKT:
        if (s->chip >= SLOW_R200) {
            r.left = pkt;
        }
        break;
    case ME_OP_U_A:
        if (s->chip >= SLOW_R300) {
            r.u = s->a;
        }
        break;
    default: break;
    }
    if (load) {
        r.ptr = 0;
    }
    r.ptr &= 31;
    r.count &= 0x3fff;
    return r;
}

/* The next pc from the state before the instruction. Changes the stack. */
static uint32_t sequence(SlowMe *s, const Word *w, bool flag)
{
    uint32_t next = (s->pc + 1) & 255, target = w->addr & 255;

    switch (w->seq) {
    case ME_SEQ_RPT: return s->pc;
    case ME_SEQ_JMP: return target;
    case ME_SEQ_RET: return s->depth ? s->stack[--s->depth] : s->pc;
    case ME_SEQ_JF: return flag ? target : next;
    case ME_SEQ_JCZ: return s->count == 0 ? target : next;
    case ME_SEQ_JNX:
        return s->chip >= SLOW_R200 && s->idx >> 31 ? target : next;
    case ME_SEQ_JNH: return s->a >> 31 & 1 ? target : next;
    case ME_SEQ_JNL: return s->a >> 15 & 1 ? target : next;
    case ME_SEQ_SKP: return (s->pc + 2) & 255;
    case ME_SEQ_CALL: push(s, next); return target;
    case ME_SEQ_JZ: return s->a == 0 ? target : next;
    case ME_SEQ_JZL: return (s->a & 1) == 0 ? target : next;
    case ME_SEQ_CALLT: push(s, next); return s->table[s->a & 7];
    case ME_SEQ_LOOP: return s->count == 0 ? next : s->pc;
    default: return next;
    }
}

static void write_out(SlowMe *s, const Word *w, uint32_t value)
{
    uint32_t idx = s->idx & (s->type == 1 ? 0x7ff : 0x1fff);
    SlowWrite out = { .value = value, .hi = -1 };

    out.at = w->idxsel ? idx : w->addr;
    if (w->mcsel) {
        out.at = (w->idxsel ? s->idx : w->addr) & 255;
        /* T[5:0] on R100; the whole high word of the other generations. */
        out.hi = s->t & chips[s->chip].hi_mask;
    }
    if (w->mcsel && w->src == ME_SRC_TA) {
        out.value = s->a;
    }
    g_array_append_val(s->writes, out);
}

static SlowResult execute(SlowMe *s)
{
    Word w = decode(s, s->pc);
    bool flag = s->idx >> s->ptr & 1;
    bool enabled = (!w.cond || flag) && (!w.cgate || s->count);
    bool lat = w.lat && enabled, adv = w.adv && enabled;
    uint32_t pkt = s->pkt;
    guint written = s->writes->len;
    uint64_t before;
    Alu alu;
    Unit unit;

    if ((lat || adv) && !s->head_valid) {
        return SLOW_STALL;
    }
    s->before_valid = false;
    s->steps++;
    s->cover[s->pc]++;
    if (lat) {
        pkt = s->head;
        s->head_seen = true;
    }
    if (w.wr && enabled) {
        write_out(s, &w, source(s, w.src, pkt));
    }
    alu = arithmetic(s, &w, pkt);
    unit = index_unit(s, &w, pkt);
    s->pc = sequence(s, &w, flag);
    s->pkt = pkt;
    s->a = alu.a;
    s->t = alu.t;
    s->s = alu.s;
    memcpy(s->table, alu.table, sizeof(s->table));
    s->idx = unit.idx;
    s->ptr = unit.ptr;
    s->count = unit.count;
    s->mcptr = unit.mcptr;
    s->u = unit.u;
    s->left = unit.left;
    if (s->writes->len > written) {
        const SlowWrite *out = &g_array_index(s->writes, SlowWrite, written);

        if (out->hi >= 0) {
            before = s->me[out->at];
            slow_me_load(s, out->at, out->hi, out->value);
            s->before = before;
            s->before_at = out->at;
            s->before_valid = true;
        }
    }
    if (adv) {
        if (s->head_seen || s->taken < s->fifo->len) {
            consume(s);
        }
        if (--s->left == 0) {
            s->dispatching = true;
        }
    }
    return SLOW_INSN;
}

SlowResult slow_me_step(SlowMe *s)
{
    return s->dispatching ? dispatch(s) : execute(s);
}

guint slow_me_run(SlowMe *s, guint units)
{
    guint used = 0;

    while (used < units && slow_me_step(s) != SLOW_STALL) {
        used++;
    }
    return used;
}
