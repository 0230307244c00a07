/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory controller: the card's 32-bit address space.
 *
 * An address is in the frame buffer window (MC_FB_LOCATION), else in the PCI
 * GART window (AIC_*) and translated by a table in system memory, else it goes
 * to the bus unchanged [hw]. Table entries are not cached: drivers rewrite them
 * without telling the chip [linux].
 */
#include <inttypes.h>
#include <string.h>

#include "internal.h"

#define GART_PAGE 4096u

typedef enum Place {
    PLACE_VRAM,
    PLACE_BUS,
    PLACE_NOWHERE,
} Place;

/* Where a card address leads, and how far on the mapping is the same. */
typedef struct Target {
    Place place;
    uint64_t addr;              /* VRAM offset or bus address */
    uint64_t entry;             /* of the GART's table, or 0 */
    uint32_t len;
    Rv100DmaResult result;      /* why it is nowhere */
} Target;

static uint32_t min_u64(uint32_t a, uint64_t b)
{
    return b < a ? b : a;
}

static bool in_frame_buffer(Rv100 *s, uint32_t addr, uint32_t len, Target *t)
{
    uint32_t loc = s->regs[R_MC_FB_LOCATION];
    uint64_t first = (uint64_t)RV100_GET(loc, MC_FB_LOCATION, MC_FB_START) << 16;
    uint64_t last = ((uint64_t)RV100_GET(loc, MC_FB_LOCATION, MC_FB_TOP) << 16)
        | 0xffff;
    uint32_t offset;

    if (addr < first || addr > last) {
        return false;
    }
    offset = (addr - first) & s->vram_mask;     /* wraps modulo the VRAM [hw] */
    t->place = PLACE_VRAM;
    t->addr = offset;
    t->len = min_u64(min_u64(len, last - addr + 1), s->vram_size - offset);
    return true;
}

bool rv100_card_vram(Rv100 *s, uint32_t addr, uint32_t len, uint32_t *offset)
{
    Target t;

    if (!in_frame_buffer(s, addr, len, &t) || t.len != len) {
        return false;
    }
    *offset = t.addr;
    return true;
}

/* Bytes from addr to the frame buffer window, if that is inside [addr, +len). */
static uint32_t before_frame_buffer(Rv100 *s, uint32_t addr, uint32_t len)
{
    uint64_t first = (uint64_t)RV100_GET(s->regs[R_MC_FB_LOCATION],
                                         MC_FB_LOCATION, MC_FB_START) << 16;

    return first > addr ? min_u64(len, first - addr) : len;
}

Rv100DmaResult rv100_bus_dma(Rv100 *s, bool write, uint64_t addr, void *buf,
                             uint32_t len)
{
    Rv100DmaResult result;

    if (RV100_GET(s->regs[R_BUS_CNTL], BUS_CNTL, BUS_MASTER_DIS)) {
        result = RV100_DMA_DISABLED;
    } else if (write) {
        result = s->host.dma_write(s->opaque, addr, buf, len);
    } else {
        result = s->host.dma_read(s->opaque, addr, buf, len);
    }
    rv100_trace(s, RV100_TRACE_dma, write, addr, len, result);
    return result;
}

/* The window begins and ends with a page: the low bits of its bounds say
 * nothing. */
static uint32_t gart_first(Rv100 *s)
{
    return s->regs[R_AIC_LO_ADDR] & ~(GART_PAGE - 1);
}

static void through_gart(Rv100 *s, uint32_t addr, uint32_t len, Target *t)
{
    uint32_t page = (addr - gart_first(s)) / GART_PAGE;
    uint32_t in_page = addr % GART_PAGE;
    uint64_t entry = (uint64_t)s->regs[R_AIC_PT_BASE] + 4ull * page;
    uint8_t raw[4];

    t->entry = entry;
    t->len = min_u64(len, GART_PAGE - in_page);
    t->result = rv100_bus_dma(s, false, entry, raw, sizeof(raw));
    if (t->result != RV100_DMA_OK) {
        rv100_trace(s, RV100_TRACE_gart_miss, addr, entry, 0, 0);
        rv100_guest_error(s, A_AIC_PT_BASE, "no table entry at bus address "
                          "0x%08" PRIx64 " for card address 0x%08x", entry, addr);
        t->place = PLACE_NOWHERE;
        return;
    }
    t->place = PLACE_BUS;
    t->addr = ((uint32_t)raw[3] << 24 | raw[2] << 16 | raw[1] << 8 | raw[0])
        & ~(GART_PAGE - 1);
    t->addr += in_page;
}

static void outside_gart(Rv100 *s, uint32_t addr, uint32_t len, Target *t)
{
    uint32_t first = gart_first(s);
    uint32_t cntl = s->regs[R_AIC_CNTL];
    bool on = RV100_GET(cntl, AIC_CNTL, PCIGART_TRANSLATE_EN);

    t->len = on && first > addr ? min_u64(len, first - addr) : len;
    t->addr = addr;
    t->place = PLACE_BUS;
    if (on && RV100_GET(cntl, AIC_CNTL, DIS_OUT_OF_PCI_GART_ACCESS)) {
        rv100_guest_error(s, A_AIC_CNTL, "card address 0x%08x is outside of the "
                          "GART window", addr);
        t->place = PLACE_NOWHERE;
        t->result = RV100_DMA_ERROR;
    }
}

static Target translate(Rv100 *s, uint32_t addr, uint32_t len)
{
    uint32_t hi = s->regs[R_AIC_HI_ADDR] | (GART_PAGE - 1);
    Target t = { .place = PLACE_NOWHERE };

    len = min_u64(len, 0x100000000ull - addr);
    if (in_frame_buffer(s, addr, len, &t)) {
        return t;
    }
    len = before_frame_buffer(s, addr, len);
    if (RV100_GET(s->regs[R_AIC_CNTL], AIC_CNTL, PCIGART_TRANSLATE_EN)
        && addr >= gart_first(s) && addr <= hi) {
        through_gart(s, addr, len, &t);
    } else {
        outside_gart(s, addr, len, &t);
    }
    return t;
}

Rv100DmaResult rv100_card_access(Rv100 *s, bool write, uint32_t addr, void *buf,
                                 uint32_t len)
{
    uint8_t *p = buf;

    while (len) {
        Target t = translate(s, addr, len);

        if (t.place == PLACE_NOWHERE) {
            return t.result;
        }
        if (t.place == PLACE_BUS) {
            Rv100DmaResult result = rv100_bus_dma(s, write, t.addr, p, t.len);

            if (result != RV100_DMA_OK) {
                return result;
            }
        } else if (write) {
            memcpy(s->vram + t.addr, p, t.len);
            if (s->host.vram_dirty) {
                s->host.vram_dirty(s->opaque, t.addr, t.len);
            }
        } else {
            memcpy(p, s->vram + t.addr, t.len);
        }
        addr += t.len;          /* wraps at 4 GiB */
        p += t.len;
        len -= t.len;
    }
    return RV100_DMA_OK;
}

bool rv100_card_read(Rv100 *s, uint32_t addr, void *buf, uint32_t len)
{
    return rv100_card_access(s, false, addr, buf, len) == RV100_DMA_OK;
}

bool rv100_card_write(Rv100 *s, uint32_t addr, const void *buf, uint32_t len)
{
    return rv100_card_access(s, true, addr, (void *)buf, len) == RV100_DMA_OK;
}

void rv100_debug_translate(Rv100 *s, uint32_t addr, Rv100DebugTarget *d)
{
    Target t;

    s->debug.quiet = true;
    t = translate(s, addr, UINT32_MAX);
    s->debug.quiet = false;
    *d = (Rv100DebugTarget) {
        .place = t.place == PLACE_VRAM ? RV100_PLACE_VRAM
            : t.place == PLACE_NOWHERE ? RV100_PLACE_NOWHERE
            : t.entry ? RV100_PLACE_GART : RV100_PLACE_BUS,
        .addr = t.addr, .entry = t.entry, .len = t.len,
    };
}
