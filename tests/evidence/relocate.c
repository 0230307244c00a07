/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words are moved in runs: one run of defined words keeps its order, and at
 * least two zero words follow it, because some programs run off their end.
 */
#include <string.h>

#include "relocate.h"
#include "rv100-me-isa.h"
#include "rv100-regs.h"

#define FIRST_MOVABLE 16        /* entries and byte table are below */
#define GAP 2
#define N_SCRATCH 6             /* GUI_SCRATCH_REG0 .. 5 */

typedef struct Map {
    uint8_t to[256];
    bool taken[256];
} Map;

static uint64_t word_of(const RefImage *image, unsigned at)
{
    return (uint64_t)image->hi[at] << 32 | image->lo[at];
}

#define GET(q, name) (((q) & ME_WORD_##name##_MASK) >> ME_WORD_##name##_SHIFT)

static uint64_t set_addr(uint64_t q, uint32_t addr)
{
    return (q & ~(uint64_t)ME_WORD_ADDR_MASK) | addr;
}

/* Exchange the two sets of scratch registers. */
static uint32_t swap_register(uint32_t dword)
{
    uint32_t gui = dword - R_GUI_SCRATCH_REG0, bios = dword - R_BIOS_0_SCRATCH;

    if (gui < N_SCRATCH) {
        return R_BIOS_0_SCRATCH + gui;
    }
    return bios < N_SCRATCH ? R_GUI_SCRATCH_REG0 + bios : dword;
}

static bool fits(const Map *map, unsigned at, unsigned n)
{
    for (unsigned i = 0; i < n + GAP; i++) {
        if (map->taken[(at + i) & 255]) {
            return false;
        }
    }
    return true;
}

static void place_runs(const RefProgram *p, Map *map, GRand *rand)
{
    for (unsigned i = 0; i < 256; i++) {
        map->to[i] = i;
        map->taken[i] = i < FIRST_MOVABLE;
    }
    for (unsigned i = FIRST_MOVABLE; i < 256; i++) {
        unsigned n = 0, at;

        while (i + n < 256 && p->used[i + n]) {
            n++;
        }
        if (!n) {
            continue;
        }
        do {
            at = g_rand_int_range(rand, FIRST_MOVABLE, 256);
        } while (!fits(map, at, n));
        for (unsigned k = 0; k < n + GAP; k++) {
            map->taken[(at + k) & 255] = true;
            if (k < n) {
                map->to[i + k] = at + k;
            }
        }
        i += n;
    }
}

static bool jumps(unsigned seq)
{
    static const uint8_t with_target[] = {
        ME_SEQ_JMP, ME_SEQ_JF, ME_SEQ_JCZ, ME_SEQ_JNH, ME_SEQ_JNL, ME_SEQ_CALL,
        ME_SEQ_JZ, ME_SEQ_JZL,
    };

    return memchr(with_target, seq, sizeof(with_target)) != NULL;
}

static uint64_t move_instruction(uint64_t q, const Map *map, bool swap)
{
    uint32_t addr = GET(q, ADDR);

    if (jumps(GET(q, SEQ)) || GET(q, ALU) == ME_ALU_LD
        || GET(q, OP) == ME_OP_MCPTR || GET(q, MCSEL)) {
        return set_addr(q, map->to[addr & 255]);
    }
    if (GET(q, WR) && !GET(q, IDXSEL) && swap) {
        return set_addr(q, swap_register(addr));
    }
    return q;
}

static uint64_t move_table(uint64_t q, const Map *map)
{
    uint64_t r = 0;

    for (unsigned n = 0; n < 4; n++) {
        r |= (uint64_t)map->to[q >> 8 * n & 255] << 8 * n;
    }
    return r;
}

/* Words that some instruction loads are data. The programs keep their data at
 * f0 and above; what it would mean as an instruction counts for nothing. */
#define FIRST_DATA 0xf0

static void find_constants(const RefProgram *p, bool constant[256])
{
    for (unsigned i = 0; i < 256; i++) {
        uint64_t q = word_of(&p->image, i);

        if (p->used[i] && i < FIRST_DATA && GET(q, ALU) == ME_ALU_LD) {
            constant[GET(q, ADDR) & 255] = true;
        }
    }
}

static void move_submits(RefProgram *r, const RefProgram *p, bool swap)
{
    r->submits = g_new0(RefWords, p->n_submits);
    for (guint i = 0; i < p->n_submits; i++) {
        uint32_t *words = g_memdup2(p->submits[i].words,
                                    p->submits[i].n * sizeof(uint32_t));

        /* The header of a type-0 packet names the first register. */
        if (swap && words[0] >> 30 == 0) {
            words[0] = (words[0] & ~0x1fffu)
                       | swap_register(words[0] & 0x1fff);
        }
        r->submits[i] = (RefWords) { words, p->submits[i].n };
    }
}

RefProgram *program_relocate(const RefProgram *p, GRand *rand)
{
    RefProgram *r = g_new0(RefProgram, 1);
    bool constant[256] = { false };
    bool swap = g_rand_boolean(rand);
    Map map;

    place_runs(p, &map, rand);
    find_constants(p, constant);
    for (unsigned i = 0; i < 256; i++) {
        uint64_t q = word_of(&p->image, i);
        unsigned to = map.to[i];

        if (!p->used[i]) {
            continue;
        }
        if (i >= 4 && i < FIRST_MOVABLE) {
            q = move_table(q, &map);
        } else if (!constant[i]) {
            q = move_instruction(q, &map, swap);
        }
        r->used[to] = true;
        r->image.hi[to] = q >> 32;
        r->image.lo[to] = q;
    }
    r->name = g_strdup(p->name);
    r->shows = g_strdup(p->shows);
    r->n_submits = p->n_submits;
    move_submits(r, p, swap);
    r->n_expect = p->n_expect;
    r->expect = g_memdup2(p->expect, p->n_expect * sizeof(*p->expect));
    for (guint i = 0; i < r->n_expect; i++) {
        RefExpect *e = &r->expect[i];

        e->name = g_strdup(e->name);
        e->at = e->me_high ? map.to[e->at] : swap ? swap_register(e->at) : e->at;
    }
    r->wedged = p->wedged;
    return r;
}

void program_free(RefProgram *p)
{
    for (guint i = 0; i < p->n_submits; i++) {
        g_free(p->submits[i].words);
    }
    for (guint i = 0; i < p->n_expect; i++) {
        g_free(p->expect[i].name);
    }
    g_free(p->submits);
    g_free(p->expect);
    g_free(p->name);
    g_free(p->shows);
    g_free(p);
}
