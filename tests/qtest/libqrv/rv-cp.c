/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "rv-cp.h"
#include "rv100-regs.h"
#include "rv100-accessors.h"
#include "pm4-words.h"
#include "rv100-free.h"

#define SETTLE_POLLS 64         /* each gives the engine a slice */
#define IDLE_POLLS 100000

#define GART_TABLE 0x00200000   /* guest memory: the table, */
#define RPTR_BUS 0x00210000     /* the word of the RPTR write-back */
#define GART_MEMORY 0x00300000  /* and the pages */
#define GART_START 0xc0000000   /* card address */
#define GART_PAGES 256
#define PAGE 4096

#define MODE_BM_IND_BM 4        /* CP_CSQ_CNTL: ring and indirect buffers */
#define MODE_PIO 1
#define BUSY (R_RBBM_STATUS_GUI_ACTIVE_MASK | \
              R_RBBM_STATUS_CP_CMDSTRM_BUSY_MASK)

/* --- command words --- */

void rv_stream_init(RvStream *s)
{
    s->words = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

void rv_stream_clear(RvStream *s)
{
    g_array_free(s->words, TRUE);
    s->words = NULL;
}

void rv_word(RvStream *s, uint32_t word)
{
    g_array_append_val(s->words, word);
}

void rv_words(RvStream *s, const uint32_t *words, size_t n)
{
    g_array_append_vals(s->words, words, n);
}

void rv_packet0(RvStream *s, uint32_t offset, uint32_t value)
{
    rv_packet0_n(s, offset, false, &value, 1);
}

void rv_packet0_n(RvStream *s, uint32_t offset, bool one, const uint32_t *values,
                  size_t n)
{
    g_assert(n >= 1 && n <= 0x4000);
    rv_word(s, pm4_type0(offset, n, one));
    rv_words(s, values, n);
}

void rv_packet1(RvStream *s, uint32_t offset1, uint32_t value1,
                uint32_t offset2, uint32_t value2)
{
    rv_word(s, pm4_type1(offset1, offset2));
    rv_word(s, value1);
    rv_word(s, value2);
}

void rv_packet2(RvStream *s)
{
    rv_word(s, pm4_type2());
}

void rv_packet3(RvStream *s, unsigned opcode, const uint32_t *values, size_t n)
{
    g_assert(n >= 1 && n <= 0x4000);
    rv_word(s, pm4_type3(opcode, n));
    rv_words(s, values, n);
}

/* --- engine --- */

void rv_load_word(RvDev *d, uint8_t addr, uint8_t hi, uint32_t lo)
{
    wr_cp_me_ram_addr(d, addr);
    wr_cp_me_ram_datah(d, hi);
    wr_cp_me_ram_datal(d, lo);
}

void rv_load_words(RvDev *d, const uint8_t hi[256], const uint32_t lo[256])
{
    wr_cp_me_ram_addr(d, 0);
    for (unsigned i = 0; i < 256; i++) {
        wr_cp_me_ram_datah(d, hi[i]);
        wr_cp_me_ram_datal(d, lo[i]);
    }
}

void rv_load_free_image(RvDev *d)
{
    uint8_t hi[256];
    uint32_t lo[256];

    for (unsigned i = 0; i < 256; i++) {
        hi[i] = (uint8_t)rv100_free_image[i][0];
        lo[i] = rv100_free_image[i][1];
    }
    rv_load_words(d, hi, lo);
}

void rv_cp_mode(RvDev *d, unsigned mode)
{
    wr_cp_csq_cntl(d, mode << R_CP_CSQ_CNTL_CSQ_MODE_SHIFT);
}

void rv_cp_reset(RvDev *d)
{
    rv_cp_mode(d, 0);
    wr_rbbm_soft_reset(d, R_RBBM_SOFT_RESET_SOFT_RESET_CP_MASK);
    rd_rbbm_soft_reset(d);
    wr_rbbm_soft_reset(d, 0);
}

bool rv_wait_idle(RvDev *d)
{
    for (unsigned i = 0; i < IDLE_POLLS; i++) {
        if (!(rd_rbbm_status(d) & BUSY)) {
            return true;
        }
    }
    return false;
}

void rv_settle(RvDev *d)
{
    for (unsigned i = 0; i < SETTLE_POLLS; i++) {
        if (!(rd_rbbm_status(d) & BUSY)) {
            return;
        }
    }
}

void rv_pio(RvDev *d, const uint32_t *words, size_t n)
{
    if (!(rd_cp_csq_cntl(d) & R_CP_CSQ_CNTL_CSQ_MODE_MASK)) {
        rv_cp_mode(d, MODE_PIO);
    }
    for (size_t i = 0; i < n; i++) {
        wr_cp_csq_aper_primary(d, words[i]);
        if (i % 128 == 127) {
            rv_settle(d);       /* the queue has 256 words */
        }
    }
    rv_settle(d);
}

void rv_pio_stream(RvDev *d, const RvStream *s)
{
    rv_pio(d, (const uint32_t *)s->words->data, s->words->len);
}

void rv_coverage(RvVm *vm, const char *id, uint64_t cover[256])
{
    g_autofree char *args = g_strdup_printf(
        "{\"path\": \"/machine/peripheral/%s\", \"property\": \"cp-coverage\"}",
        id);
    g_autofree char *reply = rv_qmp(vm, "qom-get", args);
    char *p = strchr(reply, '[');

    g_assert_nonnull(p);
    for (unsigned i = 0; i < 256; i++) {
        cover[i] = g_ascii_strtoull(p + 1, &p, 10);
        g_assert_true(*p == (i < 255 ? ',' : ']'));
    }
}

/* --- GART --- */

uint32_t rv_gart_bus(const RvGart *g, uint32_t card)
{
    uint32_t page = (card - g->start) / PAGE;

    g_assert(page < g->pages);
    return g->memory + (g->pages - 1 - page) * PAGE + card % PAGE;
}

void rv_gart_init(RvGart *g, RvDev *d, uint32_t start, uint32_t pages)
{
    g_autofree uint32_t *table = g_new(uint32_t, pages);
    uint32_t vram_size = rd_config_memsize(d);

    *g = (RvGart) { d, start, pages, GART_TABLE, GART_MEMORY };
    for (uint32_t i = 0; i < pages; i++) {
        table[i] = rv_gart_bus(g, start + i * PAGE);
    }
    rv_mem_write_words(d->vm, g->table, table, pages);
    wr_mc_fb_location(d, d->vram_bus >> 16 |
                      ((d->vram_bus + vram_size - 1) & 0xffff0000));
    wr_aic_pt_base(d, g->table);
    wr_aic_lo_addr(d, start);
    wr_aic_hi_addr(d, start + pages * PAGE - 1);
    wr_aic_cntl(d, R_AIC_CNTL_PCIGART_TRANSLATE_EN_MASK);
}

void rv_gart_write_words(RvGart *g, uint32_t card, const uint32_t *words,
                         size_t n)
{
    while (n) {
        size_t part = MIN(n, (PAGE - card % PAGE) / 4);

        rv_mem_write_words(g->d->vm, rv_gart_bus(g, card), words, part);
        card += part * 4;
        words += part;
        n -= part;
    }
}

uint32_t rv_gart_rd32(RvGart *g, uint32_t card)
{
    return rv_mem_rd(g->d->vm, rv_gart_bus(g, card), 4);
}

/* --- ring --- */

RvRing *rv_ring_new(RvDev *d, unsigned log2_quads)
{
    RvRing *r = g_new0(RvRing, 1);

    g_assert(log2_quads >= 1 && log2_quads <= 16);
    r->d = d;
    r->size = 2u << log2_quads;
    r->base = GART_START;
    r->rptr_bus = RPTR_BUS;
    r->ib_next = r->base + MAX(r->size * 4, PAGE);
    rv_stream_init(&r->out);
    rv_cp_reset(d);
    rv_gart_init(&r->gart, d, GART_START, GART_PAGES);
    wr_cp_rb_base(d, r->base);
    wr_cp_rb_cntl(d, log2_quads | R_CP_RB_CNTL_RB_RPTR_WR_ENA_MASK);
    wr_cp_rb_rptr_wr(d, 0);
    wr_cp_rb_wptr(d, 0);
    wr_cp_rb_rptr_addr(d, r->rptr_bus);
    wr_cp_rb_cntl(d, log2_quads);
    rv_cp_mode(d, MODE_BM_IND_BM);
    return r;
}

void rv_ring_free(RvRing *r)
{
    if (r) {
        rv_stream_clear(&r->out);
        g_free(r);
    }
}

void rv_ring_kick(RvRing *r)
{
    const uint32_t *words = (const uint32_t *)r->out.words->data;
    size_t n = r->out.words->len;
    unsigned polls = 0;

    while (n) {
        uint32_t rptr = rd_cp_rb_rptr(r->d);
        uint32_t space = (rptr - r->wptr - 1) & (r->size - 1);
        size_t part = MIN(MIN(n, space), r->size - r->wptr);

        if (part == 0) {
            g_assert_cmpuint(++polls, <, IDLE_POLLS);
            continue;
        }
        rv_gart_write_words(&r->gart, r->base + r->wptr * 4, words, part);
        r->wptr = (r->wptr + part) & (r->size - 1);
        words += part;
        n -= part;
        if (n && n <= space - part) {
            continue;           /* the rest is behind the wrap */
        }
        wr_cp_rb_wptr(r->d, r->wptr);
    }
    g_array_set_size(r->out.words, 0);
}

void rv_ring_run(RvRing *r)
{
    rv_ring_kick(r);
    g_assert_true(rv_wait_idle(r->d));
    g_assert_cmphex(rd_cp_rb_rptr(r->d), ==, r->wptr);
}

uint32_t rv_ring_place(RvRing *r, const uint32_t *words, size_t n)
{
    uint32_t at = r->ib_next;

    rv_gart_write_words(&r->gart, at, words, n);
    r->ib_next = (at + n * 4 + 31) & ~31u;
    return at;
}

void rv_ring_ib(RvRing *r, const RvStream *ib)
{
    uint32_t at = rv_ring_place(r, (const uint32_t *)ib->words->data,
                                ib->words->len);

    rv_packet0_n(&r->out, A_CP_IB_BASE, false,
                 (const uint32_t[]) { at, ib->words->len }, 2);
}
