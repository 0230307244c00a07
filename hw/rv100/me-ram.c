/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Host access to the microcode RAM: CP_ME_RAM_ADDR, RADDR, DATAH, DATAL.
 *
 * There are two pointers: the visible ADDR, and an internal read pointer that a
 * write to ADDR does not move. All rules here were seen on a card [hw].
 */
#include "internal.h"

static uint32_t read_addr(Rv100 *s, uint32_t offset)
{
    return s->cp.me_write_addr;
}

static void write_addr(Rv100 *s, uint32_t offset, uint32_t value)
{
    s->cp.me_write_addr = value;
}

static uint32_t read_raddr(Rv100 *s, uint32_t offset)
{
    return 0;
}

static void write_raddr(Rv100 *s, uint32_t offset, uint32_t value)
{
    s->cp.me_write_addr = s->cp.me_read_addr = value;
}

static uint32_t read_datah(Rv100 *s, uint32_t offset)
{
    return s->me.hi[s->cp.me_read_addr];
}

static void write_datah(Rv100 *s, uint32_t offset, uint32_t value)
{
    s->cp.me_datah = value & s->me.chip->hi_mask;
}

/* The word; then ADDR moves on and the read pointer follows it. */
static uint32_t read_datal(Rv100 *s, uint32_t offset)
{
    uint32_t value = s->me.lo[s->cp.me_read_addr];

    s->cp.me_read_addr = ++s->cp.me_write_addr;
    return value;
}

static void write_datal(Rv100 *s, uint32_t offset, uint32_t value)
{
    uint8_t addr = s->cp.me_write_addr++;

    rv100_me_load(&s->me, addr, s->cp.me_datah, value);
    rv100_trace(s, RV100_TRACE_me_write, addr, s->me.hi[addr], value, 0);
    rv100_debug_me_write(s, addr, s->from_engine);
    rv100_cp_kick(s);           /* it may have been what the engine spins on */
}

const Rv100Hook rv100_me_ram_hooks[] = {
    { A_CP_ME_RAM_ADDR, .read = read_addr, .write = write_addr,
      .deferred = true, .silent_read = true },
    { A_CP_ME_RAM_RADDR, .read = read_raddr, .write = write_raddr,
      .deferred = true, .silent_read = true },
    { A_CP_ME_RAM_DATAH, .read = read_datah, .write = write_datah,
      .deferred = true, .silent_read = true },
    { A_CP_ME_RAM_DATAL, .read = read_datal, .write = write_datal,
      .deferred = true },
    { 0 }
};
