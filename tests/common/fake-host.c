/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "fake-host.h"
#include "rv100-me-isa.h"

#define CSQ_MODE(n) ((uint32_t)(n) << R_CP_CSQ_CNTL_CSQ_MODE_SHIFT)
#define QUEUE_WORDS 256

static Rv100DmaResult dma_ok(FakeHost *h, uint64_t addr, uint32_t len)
{
    if (!h->bus_master) {
        return RV100_DMA_DISABLED;
    }
    return addr < FAKE_MEM && len <= FAKE_MEM - addr ? RV100_DMA_OK
                                                      : RV100_DMA_ERROR;
}

static Rv100DmaResult on_dma_read(void *opaque, uint64_t addr, void *buf,
                                  uint32_t len)
{
    FakeHost *h = opaque;
    Rv100DmaResult r = dma_ok(h, addr, len);

    if (r == RV100_DMA_OK) {
        memcpy(buf, h->mem + addr, len);
        h->dma_words += len / 4;
    }
    return r;
}

static Rv100DmaResult on_dma_write(void *opaque, uint64_t addr, const void *buf,
                                   uint32_t len)
{
    FakeHost *h = opaque;
    Rv100DmaResult r = dma_ok(h, addr, len);

    if (r == RV100_DMA_OK) {
        memcpy(h->mem + addr, buf, len);
        h->dma_writes++;
    }
    return r;
}

static void on_irq(void *opaque, bool level)
{
    FakeHost *h = opaque;

    h->irq = level;
}

static int64_t on_now(void *opaque)
{
    FakeHost *h = opaque;

    return h->now;
}

static void on_set_timer(void *opaque, Rv100Timer timer, int64_t when)
{
    FakeHost *h = opaque;

    h->when[timer] = when;
}

static void on_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    FakeHost *h = opaque;

    g_assert_cmpuint(offset, <, FAKE_VRAM);
    g_assert_cmpuint(len, <=, FAKE_VRAM - offset);
    h->dirty++;
    h->dirty_first = MIN(h->dirty_first, offset);
    h->dirty_end = MAX(h->dirty_end, offset + len);
}

static void on_log(void *opaque, Rv100LogLevel level, const char *line)
{
    FakeHost *h = opaque;

    g_assert_null(strchr(line, '\n'));
    g_ptr_array_add(h->log, g_strdup(line));
}

static void on_engine_write(void *opaque, uint32_t dword, uint32_t value)
{
    FakeHost *h = opaque;
    RefWrite w = { dword, value };

    g_array_append_val(h->writes, w);
}

FakeHost *fake_host_new(uint32_t fetch_words, uint32_t slice_steps)
{
    static const Rv100Host host = {
        .dma_read = on_dma_read,
        .dma_write = on_dma_write,
        .irq = on_irq,
        .now = on_now,
        .set_timer = on_set_timer,
        .vram_dirty = on_dirty,
        .log = on_log,
        .engine_write = on_engine_write,
    };
    FakeHost *h = g_new0(FakeHost, 1);
    Rv100Config config = {
        .vram_size = FAKE_VRAM,
        .slice_steps = slice_steps,
        .fetch_words = fetch_words,
    };

    h->mem = g_malloc0(FAKE_MEM);
    h->vram = config.vram = g_malloc0(FAKE_VRAM);
    h->bus_master = true;
    fake_clean(h);
    h->now = 1000000000;
    h->writes = g_array_new(FALSE, FALSE, sizeof(RefWrite));
    h->log = g_ptr_array_new_with_free_func(g_free);
    for (int t = 0; t < RV100_N_TIMERS; t++) {
        h->when[t] = -1;
    }
    h->chip = rv100_new(&host, h, &config);
    return h;
}

void fake_host_free(FakeHost *h)
{
    rv100_free(h->chip);
    for (int t = 0; t < RV100_N_TIMERS; t++) {
        g_assert_cmpint(h->when[t], ==, -1);
    }
    g_array_unref(h->writes);
    g_ptr_array_unref(h->log);
    g_free(h->vram);
    g_free(h->mem);
    g_free(h);
}

void fake_wr(FakeHost *h, uint32_t offset, uint32_t value)
{
    rv100_mmio_write(h->chip, offset, value, 4);
}

uint32_t fake_rd(FakeHost *h, uint32_t offset)
{
    return rv100_mmio_read(h->chip, offset, 4);
}

void fake_poke(FakeHost *h, uint32_t addr, uint32_t value)
{
    uint32_t le = GUINT32_TO_LE(value);

    g_assert_cmpuint(addr, <=, FAKE_MEM - 4);
    memcpy(h->mem + addr, &le, 4);
}

uint32_t fake_peek(FakeHost *h, uint32_t addr)
{
    uint32_t le;

    g_assert_cmpuint(addr, <=, FAKE_MEM - 4);
    memcpy(&le, h->mem + addr, 4);
    return GUINT32_FROM_LE(le);
}

bool fake_run(FakeHost *h, guint n)
{
    for (;;) {
        int first = -1;

        for (int t = 0; t < RV100_N_TIMERS; t++) {
            if (h->when[t] >= 0
                && (first < 0 || h->when[t] < h->when[first])) {
                first = t;
            }
        }
        if (first < 0) {
            return true;
        }
        if (!n--) {
            return false;
        }
        h->now = MAX(h->now, h->when[first]);
        h->when[first] = -1;
        h->slices += first == RV100_TIMER_ENGINE;
        rv100_timer(h->chip, first);
    }
}

void fake_load_word(FakeHost *h, uint8_t at, uint8_t hi, uint32_t lo)
{
    fake_wr(h, A_CP_ME_RAM_ADDR, at);
    fake_wr(h, A_CP_ME_RAM_DATAH, hi);
    fake_wr(h, A_CP_ME_RAM_DATAL, lo);
}

void fake_load(FakeHost *h, const RefImage *image)
{
    fake_wr(h, A_CP_ME_RAM_ADDR, 0);
    for (guint i = 0; i < 256; i++) {
        fake_wr(h, A_CP_ME_RAM_DATAH, image->hi[i]);
        fake_wr(h, A_CP_ME_RAM_DATAL, image->lo[i]);
    }
}

void fake_read_word(FakeHost *h, uint8_t at, uint8_t *hi, uint32_t *lo)
{
    fake_wr(h, A_CP_ME_RAM_RADDR, at);
    *hi = fake_rd(h, A_CP_ME_RAM_DATAH);
    *lo = fake_rd(h, A_CP_ME_RAM_DATAL);
}

#define ALU(n) ((uint32_t)ME_ALU_##n << ME_WORD_ALU_SHIFT)
#define OP(n) ((uint32_t)ME_OP_##n << ME_WORD_OP_SHIFT)
#define SEQ_HI(n) (ME_SEQ_##n << (ME_WORD_SEQ_SHIFT - 32))
#define WRITE_IDX (uint32_t)(ME_WORD_LAT_MASK | ME_WORD_WR_MASK \
                             | ME_WORD_ADV_MASK | ME_WORD_IDXSEL_MASK)
#define DRAIN (uint32_t)(ME_WORD_LAT_MASK | ME_WORD_ADV_MASK)

void fake_load_mini(FakeHost *h)
{
    RefImage image = { .lo = {
        [0] = WRITE_IDX | OP(IDX_INC),
        [1] = WRITE_IDX,
        [2] = WRITE_IDX | ALU(SHR11) | 0x41,
        [3] = DRAIN,
        [0x40] = DRAIN,
        [0x41] = OP(IDX_A),
        [0x42] = WRITE_IDX,
    }, .hi = {
        [2] = SEQ_HI(JMP),
        [0x41] = SEQ_HI(NXT),
    } };

    for (guint i = 4; i < 32; i++) {
        image.lo[i] = 0x40404040;
    }
    fake_load(h, &image);
}

uint32_t fake_type0(uint32_t offset, uint32_t n)
{
    return (n - 1) << 16 | offset / 4;
}

void fake_soft_reset(FakeHost *h)
{
    fake_wr(h, A_RBBM_SOFT_RESET, R_RBBM_SOFT_RESET_SOFT_RESET_CP_MASK);
    fake_rd(h, A_RBBM_SOFT_RESET);
    fake_wr(h, A_RBBM_SOFT_RESET, 0);
}

void fake_csq_mode(FakeHost *h, unsigned mode)
{
    fake_wr(h, A_CP_ME_CNTL, R_CP_ME_CNTL_ME_MODE_MASK);
    fake_wr(h, A_CP_CSQ_CNTL, CSQ_MODE(mode));
}

void fake_pio(FakeHost *h, const uint32_t *words, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (i % (QUEUE_WORDS / 2) == QUEUE_WORDS / 2 - 1) {
            fake_run(h, 10);
        }
        fake_wr(h, A_CP_CSQ_APER_PRIMARY + 4 * (i % 64), words[i]);
    }
}

uint32_t fake_gart_bus(uint32_t offset)
{
    uint32_t page = offset / 4096 % FAKE_N_PAGES;

    /* 37 is prime to the number of pages: a permutation. */
    return FAKE_PAGES + page * 37 % FAKE_N_PAGES * 4096 + offset % 4096;
}

void fake_gart_write(FakeHost *h, uint32_t offset, const uint32_t *words,
                     guint n)
{
    for (guint i = 0; i < n; i++) {
        fake_poke(h, fake_gart_bus(offset + 4 * i), words[i]);
    }
}

void fake_ring_start(FakeHost *h, unsigned log2, unsigned mode)
{
    for (guint i = 0; i < FAKE_N_PAGES; i++) {
        fake_poke(h, FAKE_TABLE + 4 * i, fake_gart_bus(4096 * i));
    }
    h->ring_words = 2u << log2;
    h->wptr = 0;
    fake_wr(h, A_MC_FB_LOCATION, (FAKE_VRAM - 1) & 0xffff0000u);
    fake_wr(h, A_AIC_PT_BASE, FAKE_TABLE);
    fake_wr(h, A_AIC_LO_ADDR, FAKE_GART);
    fake_wr(h, A_AIC_HI_ADDR, FAKE_GART + FAKE_N_PAGES * 4096 - 1);
    fake_wr(h, A_AIC_CNTL, R_AIC_CNTL_PCIGART_TRANSLATE_EN_MASK);
    fake_wr(h, A_CP_RB_BASE, FAKE_GART);
    fake_wr(h, A_CP_RB_CNTL, log2 << R_CP_RB_CNTL_RB_BUFSZ_SHIFT);
    fake_wr(h, A_CP_RB_WPTR, 0);
    fake_csq_mode(h, mode);
}

void fake_ring(FakeHost *h, const uint32_t *words, guint n)
{
    g_assert_cmpuint(n, <, h->ring_words);
    for (guint i = 0; i < n; i++) {
        fake_gart_write(h, 4 * h->wptr, &words[i], 1);
        h->wptr = (h->wptr + 1) % h->ring_words;
    }
    fake_wr(h, A_CP_RB_WPTR, h->wptr);
}

void fake_clean(FakeHost *h)
{
    h->dirty_first = FAKE_VRAM;
    h->dirty_end = 0;
}

bool fake_logged(const FakeHost *h, const char *text)
{
    for (guint i = 0; i < h->log->len; i++) {
        if (strstr(h->log->pdata[i], text)) {
            return true;
        }
    }
    return false;
}
