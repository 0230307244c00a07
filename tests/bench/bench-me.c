/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speed of the microengine: against a loop over eight operations on the same
 * words, with and without breakpoints and coverage, and against a plain parser
 * of packets.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "fake-host.h"
#include "rv100-me-isa.h"
#include "rv100/me.h"

#define STEPS 20000000u
#define STREAM_WORDS (1u << 16)
#define ROUNDS 60
#define WINDOW 256              /* words of a refill, as in the chip */

/* Compiled for any words and any callback, as the engine is. */
#ifdef __clang__
#define GENERAL __attribute__((noinline))
#else
#define GENERAL __attribute__((noipa))
#endif

/* --- a program that needs no stream --- */

/* Eight operations, one in a word. */
typedef enum Op {
    OP_LOAD, OP_ADD_LOW, OP_ADD_HIGH, OP_SWAP, OP_SHIFT, OP_TRIPLE, OP_JUMP,
    OP_JUMP_LOW_NEGATIVE,
} Op;

static const struct {
    Op op;
    uint8_t operand;
} program[] = {
    { OP_LOAD, 0x80 },
    { OP_ADD_LOW, 0x11 },           /* 1: the loop begins */
    { OP_SWAP, 0 },
    { OP_TRIPLE, 0 },
    { OP_ADD_HIGH, 0xfb },
    { OP_JUMP_LOW_NEGATIVE, 9 },
    { OP_ADD_LOW, 0x7f },
    { OP_SHIFT, 0 },
    { OP_JUMP, 11 },
    { OP_SWAP, 0 },                 /* 9 */
    { OP_ADD_HIGH, 3 },
    { OP_TRIPLE, 0 },               /* 11 */
    { OP_ADD_LOW, 0xe5 },
    { OP_JUMP, 1 },
};

#define CONSTANT 0x12345678u

static uint64_t encode(Op op, uint8_t operand)
{
    static const uint8_t alu[] = {
        [OP_LOAD] = ME_ALU_LD, [OP_ADD_LOW] = ME_ALU_ADDL,
        [OP_ADD_HIGH] = ME_ALU_ADDH, [OP_SWAP] = ME_ALU_SWAP,
        [OP_SHIFT] = ME_ALU_SAR1, [OP_TRIPLE] = ME_ALU_MUL3L,
        [OP_JUMP] = ME_ALU_NONE, [OP_JUMP_LOW_NEGATIVE] = ME_ALU_NONE,
    };
    uint64_t seq = op == OP_JUMP ? ME_SEQ_JMP
                   : op == OP_JUMP_LOW_NEGATIVE ? ME_SEQ_JNL : ME_SEQ_NXT;

    return seq << ME_WORD_SEQ_SHIFT
           | (uint64_t)alu[op] << ME_WORD_ALU_SHIFT | operand;
}

/* The same words for a loop that knows these eight operations only. */
typedef struct Trivial {
    struct {
        uint8_t op, operand;
    } word[256];
    uint32_t constant;
} Trivial;

static Op decode(uint64_t q)
{
    for (Op op = 0; op <= OP_JUMP_LOW_NEGATIVE; op++) {
        if (encode(op, q & 0xff) == q) {
            return op;
        }
    }
    g_error("%" G_GINT64_MODIFIER "x is none of the eight", q);
}

static GENERAL uint32_t trivial_loop(const Trivial *t, uint64_t steps)
{
    uint32_t a = 0;
    uint8_t pc = 0;

    while (steps--) {
        uint8_t x = t->word[pc].operand;

        switch (t->word[pc].op) {
        case OP_LOAD:
            a = t->constant;
            pc++;
            break;
        case OP_ADD_LOW:
            a = (a & 0xffff0000) | (uint16_t)(a + (int8_t)x);
            pc++;
            break;
        case OP_ADD_HIGH:
            a += (uint32_t)(int8_t)x << 16;
            pc++;
            break;
        case OP_SWAP:
            a = a << 16 | a >> 16;
            pc++;
            break;
        case OP_SHIFT:
            a = (uint32_t)((int32_t)a >> 1);
            pc++;
            break;
        case OP_TRIPLE:
            a = (a & 0xffff0000) | (uint16_t)(a * 3);
            pc++;
            break;
        case OP_JUMP:
            pc = x;
            break;
        case OP_JUMP_LOW_NEGATIVE:
            pc = a & 0x8000 ? x : pc + 1;
            break;
        }
    }
    return a;
}

static uint64_t run_trivial(void *opaque)
{
    return trivial_loop(opaque, STEPS);
}

/* --- the engine with a stream in memory --- */

typedef struct Engine {
    Rv100Me me;
    uint32_t *stream;
    uint32_t n, at;
    uint32_t regs[0x2000];
    uint64_t sum;
} Engine;

/* What both sides do with a register write, through a pointer. */
static GENERAL void on_write(void *opaque, uint32_t dword, uint32_t value)
{
    Engine *e = opaque;

    e->regs[dword] = value;
    e->sum += value ^ dword;
}

static bool on_refill(void *opaque)
{
    Engine *e = opaque;
    uint32_t n = MIN(WINDOW, e->n - e->at);

    e->me.in = e->stream + e->at;
    e->me.in_end = e->me.in + n;
    e->at += n;
    return n;
}

static void on_header(void *opaque)
{
}

static const Rv100MeOps ops = {
    .reg_write = on_write, .refill = on_refill, .header = on_header,
};

static Engine *engine_new(void)
{
    Engine *e = g_new0(Engine, 1);

    rv100_me_init(&e->me, rv100_me_chip("r100"), &ops, e);
    return e;
}

static Engine *engine_with_program(bool debug)
{
    Engine *e = engine_new();

    for (guint i = 0; i < G_N_ELEMENTS(program); i++) {
        uint64_t q = encode(program[i].op, program[i].operand);

        rv100_me_load(&e->me, i, q >> 32, q);
    }
    rv100_me_load(&e->me, program[0].operand, 0, CONSTANT);
    e->me.debug = debug;
    rv100_me_set_break(&e->me, 0xee, debug);
    return e;
}

static uint64_t run_engine(void *opaque)
{
    static uint32_t header;         /* type 0: entry 0 */
    Engine *e = opaque;

    rv100_me_reset(&e->me);
    e->stream = &header;
    e->n = 1;
    e->at = 0;
    rv100_me_run(&e->me, STEPS + 1, NULL);
    return e->me.a;
}

/* --- packets --- */

static Engine *engine_with_packets(const RefImage *image)
{
    Engine *e = engine_new();

    for (guint i = 0; i < 256; i++) {
        rv100_me_load(&e->me, i, image->hi[i], image->lo[i]);
    }
    return e;
}

static uint64_t run_packets(void *opaque)
{
    Engine *e = opaque;

    e->sum = 0;
    for (guint i = 0; i < ROUNDS; i++) {
        e->at = 0;
        rv100_me_run(&e->me, UINT64_MAX, NULL);
    }
    if (!rv100_me_idle(&e->me)) {
        g_error("the stream does not end between packets");
    }
    return e->sum;
}

/* The plain parser: type 0 and 2, nothing else. */
static GENERAL void parse(const uint32_t *p, const uint32_t *end,
                          const Rv100MeOps *to, void *opaque)
{
    while (p < end) {
        uint32_t h = *p++, n = (h >> 16 & 0x3fff) + 1, reg = h & 0x1fff;

        if (h >> 30 == 2) {
            continue;
        }
        if (h >> 30 != 0 || n > (size_t)(end - p)) {
            return;
        }
        while (n--) {
            to->reg_write(opaque, reg, *p++);
            reg += !(h >> 15 & 1);
        }
    }
}

static uint64_t run_parser(void *opaque)
{
    Engine *e = opaque;

    e->sum = 0;
    for (guint i = 0; i < ROUNDS; i++) {
        parse(e->stream, e->stream + e->n, &ops, e);
    }
    return e->sum;
}

/* Packets of these lengths, one after the other, until the stream is full. */
static void fill_stream(Engine *e, const uint16_t *lengths)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    guint at = 0;

    e->stream = g_new(uint32_t, STREAM_WORDS);
    for (guint k = 0;; k++) {
        guint n = lengths[k] ? lengths[k] : lengths[k = 0];

        if (at + n + 1 > STREAM_WORDS) {
            break;
        }
        e->stream[at++] = (n - 1) << 16 | (0x500 + k * 16);
        while (n--) {
            e->stream[at++] = g_rand_int(rand);
        }
    }
    e->n = at;
}

static bool bench_packets(const RefImage *image, const char *image_name)
{
    static const struct {
        const char *name;
        uint16_t lengths[8];
        double goal;
    } streams[] = {
        { "type 0, packets of 1 .. 32", { 1, 2, 4, 8, 16, 32, 0 }, 0.7 },
        { "type 0, packets of 1", { 1, 0 }, 0 },
        { "type 0, packets of 200", { 200, 0 }, 0 },
    };
    bool met = true;

    for (gsize i = 0; i < G_N_ELEMENTS(streams); i++) {
        Engine *ours = engine_with_packets(image), *plain = engine_new();

        fill_stream(ours, streams[i].lengths);
        fill_stream(plain, streams[i].lengths);
        met &= bench_ratio(streams[i].name, "words",
                           (uint64_t)ours->n * ROUNDS,
                           &(BenchSide) { image_name, run_packets, ours },
                           &(BenchSide) { "plain parser", run_parser, plain },
                           streams[i].goal);
        g_free(ours->stream);
        g_free(plain->stream);
        g_free(ours);
        g_free(plain);
    }
    return met;
}

/* The documented 2D packets one after the other. */
static void bench_2d(const RefImage *image)
{
    const GPtrArray *packets = ref_packets();
    Engine *e = engine_with_packets(image);
    uint64_t steps;
    g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    for (guint i = 0; words->len < STREAM_WORDS; i++) {
        const RefPacket *p = packets->pdata[i % packets->len];

        if (!p->whole_only && !p->n_me_writes) {
            g_array_append_vals(words, p->words.words, p->words.n);
        }
    }
    e->stream = (uint32_t *)words->data;
    e->n = words->len;
    steps = e->me.steps;
    run_packets(e);
    steps = e->me.steps - steps;
    printf("# documented packets: %.1f instructions a word\n",
           (double)steps / ROUNDS / e->n);
    bench_rate("documented packets", "words", (uint64_t)e->n * ROUNDS,
               &(BenchSide) { "R100_cp.bin", run_packets, e });
    g_free(e);
}

/* Type 0 through the whole chip: ring, GART, registers. */
static uint64_t run_ring(void *opaque)
{
    FakeHost *h = opaque;
    uint32_t words[33] = { 31 << 16 | 1 << 15 | R_BIOS_0_SCRATCH };

    for (guint i = 0; i < 2000; i++) {
        for (guint k = 0; k < 30; k++) {
            fake_ring(h, words, G_N_ELEMENTS(words));
        }
        fake_run(h, 20);
        g_array_set_size(h->writes, 0);
    }
    return 0;
}

int main(void)
{
    const RefImage *image = ref_image("R100_cp.bin");
    Engine *on = engine_with_program(true), *off = engine_with_program(false);
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    Trivial t = { .constant = CONSTANT };
    RefImage mini = { .lo = { 0 } };
    bool met = true;

    for (guint i = 0; i < G_N_ELEMENTS(program); i++) {
        uint64_t q = (uint64_t)on->me.hi[i] << 32 | on->me.lo[i];

        t.word[i].op = decode(q);
        t.word[i].operand = q;
    }
    bench_banner();
    met &= bench_ratio("microengine, debug on", "steps", STEPS,
                       &(BenchSide) { "engine", run_engine, on },
                       &(BenchSide) { "8-op switch", run_trivial, &t }, 0.5);
    met &= bench_ratio("breakpoints and coverage", "steps", STEPS,
                       &(BenchSide) { "on", run_engine, on },
                       &(BenchSide) { "off", run_engine, off }, 0.8);
    fake_load_mini(h);
    for (guint i = 0; i < 256; i++) {
        fake_read_word(h, i, &mini.hi[i], &mini.lo[i]);
    }
    met &= bench_packets(image ? image : &mini,
                         image ? "R100_cp.bin" : "image of our own");
    if (image && ref_packets()) {
        bench_2d(image);
    }
    fake_ring_start(h, 10, 4);
    bench_rate("whole chip: ring, GART, registers", "words", 2000 * 30 * 33,
               &(BenchSide) { "image of our own", run_ring, h });
    fake_run(h, 100);
    g_free(on);
    g_free(off);
    return met ? 0 : 1;
}
