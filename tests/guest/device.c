/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The card: found on bus 0, microcode, PCI GART, ring. */
#include "guest.h"
#include "rv100-regs.h"
#include "rv100-free.h"

#define RV100_ID 0x51591002u

#define GTT_START 0xc0000000u   /* card address of the window */
#define GTT_PAGES 16
#define PAGE 4096
#define RING_PAGE 0             /* pages of the window */
#define IB_PAGE 4

#define IDLE_POLLS 1000000
#define BUSY (R_RBBM_STATUS_GUI_ACTIVE_MASK | \
              R_RBBM_STATUS_CP_CMDSTRM_BUSY_MASK)

static uint8_t pages[GTT_PAGES][PAGE] __attribute__((aligned(PAGE)));
static uint32_t table[PAGE / 4] __attribute__((aligned(PAGE)));
volatile uint32_t rptr_written __attribute__((aligned(32)));
volatile uint32_t scratch_written[8] __attribute__((aligned(32)));

static uint32_t wptr, ib_used;

/* --- PCI --- */

static void select_cfg(uint16_t devfn, uint8_t offset)
{
    outl(0xcf8, 0x80000000u | (uint32_t)devfn << 8 | (offset & 0xfc));
}

uint32_t cfg_rd(const Device *d, uint8_t offset)
{
    select_cfg(d->devfn, offset);
    return inl(0xcfc);
}

void cfg_wr(const Device *d, uint8_t offset, uint32_t value)
{
    select_cfg(d->devfn, offset);
    outl(0xcfc, value);
}

bool device_find(Device *d)
{
    for (d->devfn = 0; d->devfn < 256; d->devfn++) {
        if (cfg_rd(d, 0x00) == RV100_ID) {
            d->vram = (volatile uint8_t *)(cfg_rd(d, 0x10) & ~0xfu);
            d->io = cfg_rd(d, 0x14) & ~0x3u;
            d->mmio = (volatile uint8_t *)(cfg_rd(d, 0x18) & ~0xfu);
            cfg_wr(d, 0x04, 0x0007);    /* I/O, memory, bus master */
            d->vram_size = rd(d, A_CONFIG_MEMSIZE);
            return true;
        }
    }
    return false;
}

/* --- microcode --- */

static uint32_t big_endian(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

unsigned microcode_load(const Device *d, const uint8_t *image)
{
    static uint32_t hi[256], lo[256];
    unsigned same = 0;

    for (unsigned i = 0; i < 256; i++) {
        hi[i] = image ? big_endian(image + 8 * i) : rv100_free_image[i][0];
        lo[i] = image ? big_endian(image + 8 * i + 4) : rv100_free_image[i][1];
    }
    wr(d, A_CP_ME_RAM_ADDR, 0);
    for (unsigned i = 0; i < 256; i++) {
        wr(d, A_CP_ME_RAM_DATAH, hi[i]);
        wr(d, A_CP_ME_RAM_DATAL, lo[i]);
    }
    wr(d, A_CP_ME_RAM_RADDR, 0);
    for (unsigned i = 0; i < 256; i++) {
        uint32_t h = rd(d, A_CP_ME_RAM_DATAH);
        uint32_t l = rd(d, A_CP_ME_RAM_DATAL);

        same += h == hi[i] && l == lo[i];
    }
    return same;
}

/* --- GART: the pages in reverse order, so that the table is needed --- */

static uint32_t *gtt(uint32_t offset)
{
    return (uint32_t *)&pages[GTT_PAGES - 1 - offset / PAGE][offset % PAGE];
}

void gart_init(const Device *d)
{
    uint32_t vram = (uint32_t)d->vram;

    for (unsigned i = 0; i < GTT_PAGES; i++) {
        table[i] = (uint32_t)gtt(i * PAGE);
    }
    wr(d, A_MC_FB_LOCATION, vram >> 16 |
                            ((vram + d->vram_size - 1) & 0xffff0000));
    wr(d, A_AIC_PT_BASE, (uint32_t)table);
    wr(d, A_AIC_LO_ADDR, GTT_START);
    wr(d, A_AIC_HI_ADDR, GTT_START + GTT_PAGES * PAGE - 1);
    wr(d, A_AIC_CNTL, R_AIC_CNTL_PCIGART_TRANSLATE_EN_MASK);
}

uint32_t gart_place(const uint32_t *words, unsigned n)
{
    uint32_t offset = IB_PAGE * PAGE + ib_used;

    for (unsigned i = 0; i < n; i++) {
        *gtt(offset + 4 * i) = words[i];
    }
    ib_used = (ib_used + 4 * n + 31) & ~31u;
    return GTT_START + offset;
}

/* --- ring --- */

void ring_init(const Device *d)
{
    uint32_t size = 0;

    while ((2u << size) < RING_DWORDS) {
        size++;
    }
    wr(d, A_CP_RB_BASE, GTT_START + RING_PAGE * PAGE);
    wr(d, A_CP_RB_CNTL, size | R_CP_RB_CNTL_RB_RPTR_WR_ENA_MASK);
    wr(d, A_CP_RB_RPTR_WR, 0);
    wr(d, A_CP_RB_WPTR, 0);
    wr(d, A_CP_RB_RPTR_ADDR, (uint32_t)&rptr_written);
    wr(d, A_CP_RB_CNTL, size);
    wr(d, A_SCRATCH_ADDR, (uint32_t)scratch_written);
    wr(d, A_CP_CSQ_CNTL, 4u << R_CP_CSQ_CNTL_CSQ_MODE_SHIFT);
    wptr = 0;
}

void ring_emit(uint32_t word)
{
    *gtt(RING_PAGE * PAGE + 4 * wptr) = word;
    wptr = (wptr + 1) % RING_DWORDS;
}

bool ring_run(const Device *d)
{
    wr(d, A_CP_RB_WPTR, wptr);
    for (unsigned i = 0; i < IDLE_POLLS; i++) {
        if (!(rd(d, A_RBBM_STATUS) & BUSY) && rd(d, A_CP_RB_RPTR) == wptr) {
            return true;
        }
    }
    return false;
}

uint32_t ring_wptr(void)
{
    return wptr;
}
