/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debugger: the registers of the microengine, one table. */
#include <string.h>

#include "dbg.h"

#define ROW_WIDTH 90            /* of a line of registers */

#define MEMBER(m) offsetof(Rv100Me, m), sizeof(((Rv100Me *)0)->m)

static const struct {
    const char *name;
    size_t offset;
    uint8_t size;               /* bytes */
    bool fixed;                 /* follows from others: cannot be set */
    uint32_t mask;              /* bits that exist */
} regs[DBG_REGS] = {
    [DBG_PC] = { "pc", MEMBER(pc), false, 0xff },
    [DBG_PKT] = { "pkt", MEMBER(pkt), false, ~0u },
    [DBG_A] = { "a", MEMBER(a), false, ~0u },
    [DBG_T] = { "t", MEMBER(t), false, 0xffff },
    [DBG_S] = { "s", MEMBER(s), false, ~0u },
    [DBG_U] = { "u", MEMBER(u), false, ~0u },
    [DBG_IDX] = { "idx", MEMBER(idx), false, ~0u },
    [DBG_PTR] = { "ptr", MEMBER(ptr), false, 31 },
    [DBG_COUNT] = { "count", MEMBER(count), false, 0x3fff },
    [DBG_LEFT] = { "left", MEMBER(left), false, ~0u },
    [DBG_HEAD] = { "head", MEMBER(head), false, ~0u },
    [DBG_MCPTR] = { "mcptr", MEMBER(mcptr), false, 0xff },
    [DBG_DEPTH] = { "depth", MEMBER(depth), true, 3 },
    [DBG_TYPE] = { "type", MEMBER(type), true, 3 },
    [DBG_PHASE] = { "phase", MEMBER(phase), true, 1 },
    [DBG_HEAD_VALID] = { "head_valid", MEMBER(head_valid), true, 1 },
    [DBG_STACK0] = { "stack0", MEMBER(stack[0]), false, 0xff },
    [DBG_STACK1] = { "stack1", MEMBER(stack[1]), false, 0xff },
#define TABLE(n) \
    [DBG_TABLE0 + n] = { "table" #n, MEMBER(table[n]), false, 0xff }
    TABLE(0), TABLE(1), TABLE(2), TABLE(3),
    TABLE(4), TABLE(5), TABLE(6), TABLE(7),
};

static uint32_t load(const Rv100Me *me, unsigned reg)
{
    const uint8_t *at = (const uint8_t *)me + regs[reg].offset;
    uint32_t u32;
    uint16_t u16;

    switch (regs[reg].size) {
    case 1:
        return *at;
    case 2:
        memcpy(&u16, at, 2);
        return u16;
    default:
        memcpy(&u32, at, 4);
        return u32;
    }
}

void dbg_regs_get(const Rv100Me *me, DbgRegs *r)
{
    for (unsigned i = 0; i < DBG_REGS; i++) {
        r->v[i] = load(me, i);
    }
}

const char *dbg_reg_name(unsigned reg)
{
    return regs[reg].name;
}

int dbg_reg_find(const char *name, size_t len)
{
    for (unsigned i = 0; i < DBG_REGS; i++) {
        if (strlen(regs[i].name) == len && !memcmp(regs[i].name, name, len)) {
            return (int)i;
        }
    }
    return -1;
}

bool dbg_reg_writable(unsigned reg)
{
    return !regs[reg].fixed;
}

uint32_t dbg_reg_max(unsigned reg)
{
    return regs[reg].mask;
}

void dbg_reg_set(Rv100Me *me, unsigned reg, uint64_t value)
{
    uint8_t *at = (uint8_t *)me + regs[reg].offset;
    uint32_t v = (uint32_t)value & regs[reg].mask;
    uint16_t u16 = (uint16_t)v;

    switch (regs[reg].size) {
    case 1:
        *at = (uint8_t)v;
        break;
    case 2:
        memcpy(at, &u16, 2);
        break;
    default:
        memcpy(at, &v, 4);
        break;
    }
}

/* pc and phase are told by the place; the stack by backtrace. */
static bool is_listed(unsigned reg)
{
    return reg != DBG_PC && reg != DBG_PHASE && reg != DBG_HEAD_VALID
        && reg != DBG_TYPE && reg != DBG_DEPTH && reg != DBG_STACK0
        && reg != DBG_STACK1;
}

void dbg_regs_print(GString *s, const DbgRegs *r, const DbgRegs *old,
                    const char *indent)
{
    size_t start = s->len;

    for (unsigned i = 0; i < DBG_REGS; i++) {
        char text[64];

        if (!is_listed(i) || r->v[i] == (old ? old->v[i] : 0)) {
            continue;
        }
        g_snprintf(text, sizeof(text), regs[i].size == 4 && i != DBG_LEFT
                   ? "%s 0x%08x" : regs[i].mask > 0xff && i != DBG_T
                   ? "%s %u" : "%s 0x%x", regs[i].name, r->v[i]);
        if (s->len == start || s->len - start + strlen(text) > ROW_WIDTH) {
            g_string_append(s, s->len == start ? "" : "\n");
            start = s->len;
            g_string_append(s, indent);
        } else {
            g_string_append(s, "  ");
        }
        g_string_append(s, text);
    }
    if (s->len != start) {
        g_string_append_c(s, '\n');
    }
}

bool rv100_debug_register(Rv100 *chip, unsigned n, const char **name,
                          uint64_t *value)
{
    if (n >= DBG_REGS) {
        return false;
    }
    *name = regs[n].name;
    *value = load(rv100_engine(chip), n);
    return true;
}
