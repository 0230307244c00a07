/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Register bus: one way in and one way out for every access.
 *
 * Host accesses of any size and alignment are cut into dwords with byte lanes.
 * A dword access looks up the generated table entry (masks, access, storage),
 * then the hook of the block that owns the register. The engine's writes take
 * the same way, with the chip's restrictions.
 */
#include <string.h>

#include "internal.h"

static const Rv100Hook *const hook_tables[] = {
    rv100_cp_hooks, rv100_me_ram_hooks, rv100_irq_hooks, rv100_pll_hooks,
    rv100_config_hooks, rv100_unimp_hooks, rv100_crtc_hooks, rv100_dac_hooks,
    rv100_ddc_hooks, rv100_wait_hooks, rv100_surface_hooks, rv100_gui_hooks,
};

/* dword index -> hook; built once, the same for every chip. */
static const Rv100Hook *hook_of[RV100_MMIO_DWORDS];

static void build_hooks(void)
{
    static gsize done;

    if (g_once_init_enter(&done)) {
        for (unsigned t = 0; t < G_N_ELEMENTS(hook_tables); t++) {
            for (const Rv100Hook *h = hook_tables[t]; h->read || h->write; h++) {
                for (unsigned n = 0; n < MAX(h->count, 1); n++) {
                    hook_of[h->offset / 4 + n] = h;
                }
            }
        }
        g_once_init_leave(&done, 1);
    }
}

void rv100_regs_reset(Rv100 *s)
{
    build_hooks();
    memset(s->regs, 0, sizeof(s->regs));
    memset(s->pll, 0, sizeof(s->pll));
    for (unsigned i = 0; i < rv100_n_mmio_regs; i++) {
        const Rv100RegInfo *r = &rv100_mmio_regs[i];

        if (r->storage == r->offset) {
            s->regs[r->offset / 4] = r->reset;
        }
    }
    for (unsigned i = 0; i < rv100_n_pll_regs; i++) {
        s->pll[rv100_pll_regs[i].offset] = rv100_pll_regs[i].reset;
    }
}

/* The hook of a register, by its storage so that aliases behave alike. */
static const Rv100Hook *find_hook(const Rv100RegInfo *r, uint32_t dword)
{
    return hook_of[r ? r->storage / 4 : dword];
}

bool rv100_bus_defers(Rv100 *s, uint32_t dword)
{
    const Rv100Hook *h;

    if (dword >= RV100_MMIO_DWORDS) {
        return false;
    }
    h = find_hook(rv100_mmio_info(4 * dword), dword);
    return h && h->deferred;
}

static void unknown_register(Rv100 *s, uint32_t dword, const char *what)
{
    rv100_unimp(s, 4 * dword, "%s of an undescribed register", what);
}

/* --- MM_INDEX, MM_DATA --- */

static uint32_t indexed_read(Rv100 *s, uint32_t lanes)
{
    uint32_t index = s->regs[R_MM_INDEX];
    uint32_t dword = (index & ~R_MM_INDEX_MM_APER_MASK) / 4;

    if (index & R_MM_INDEX_MM_APER_MASK) {
        uint32_t v = 0;

        if (4ull * dword + 4 <= s->vram_size) {
            memcpy(&v, s->vram + 4 * dword, 4);
        }
        return GUINT32_FROM_LE(v);
    }
    if (dword == R_MM_INDEX || dword == R_MM_DATA) {
        return 0;               /* never itself */
    }
    return rv100_bus_read(s, dword, lanes);
}

static void indexed_write(Rv100 *s, uint32_t value, uint32_t lanes)
{
    uint32_t index = s->regs[R_MM_INDEX];
    uint32_t dword = (index & ~R_MM_INDEX_MM_APER_MASK) / 4;
    uint32_t old, le;

    if (!(index & R_MM_INDEX_MM_APER_MASK)) {
        if (dword != R_MM_INDEX && dword != R_MM_DATA) {
            rv100_bus_write(s, dword, value, lanes, RV100_FROM_HOST);
        }
        return;
    }
    if (4ull * dword + 4 > s->vram_size) {
        return;
    }
    memcpy(&old, s->vram + 4 * dword, 4);
    le = GUINT32_TO_LE((GUINT32_FROM_LE(old) & ~lanes) | (value & lanes));
    memcpy(s->vram + 4 * dword, &le, 4);
    if (s->host.vram_dirty) {
        s->host.vram_dirty(s->opaque, 4 * dword, 4);
    }
}

/* --- one dword --- */

uint32_t rv100_bus_read(Rv100 *s, uint32_t dword, uint32_t lanes)
{
    const Rv100RegInfo *r;
    const Rv100Hook *h;
    uint32_t v;

    if (dword >= RV100_MMIO_DWORDS) {
        return 0;
    }
    if (dword == R_MM_DATA) {
        return indexed_read(s, lanes);
    }
    r = rv100_mmio_info(4 * dword);
    h = find_hook(r, dword);
    if (!r && !h) {
        unknown_register(s, dword, "read");
        return 0;
    }
    if (h && h->poll) {
        rv100_cp_poll(s);
    }
    v = h && h->read ? h->read(s, r ? r->storage : 4 * dword)
        : r ? s->regs[r->storage / 4] : 0;
    if (r) {
        v &= r->mask & ~r->wo;
        s->regs[r->storage / 4] &= ~(r->rc & lanes);
    }
    rv100_trace(s, RV100_TRACE_reg_read, 4 * dword, v, 0, 0);
    return v;
}

/* What the register keeps of a write, by the generated masks. */
static uint32_t stored_value(const Rv100RegInfo *r, uint32_t old,
                             uint32_t value, uint32_t lanes)
{
    uint32_t plain = r->mask & ~r->ro & ~r->w1c & lanes;

    old &= ~(value & r->w1c & lanes);
    return (old & ~plain) | (value & plain);
}

void rv100_bus_write(Rv100 *s, uint32_t dword, uint32_t value, uint32_t lanes,
                     Rv100Source source)
{
    const Rv100RegInfo *r;
    const Rv100Hook *h;
    uint32_t offset = 4 * dword;

    if (source == RV100_FROM_HOST) {
        rv100_trace(s, RV100_TRACE_reg_write, offset, value, lanes, 0);
    }
    if (dword >= RV100_MMIO_DWORDS) {
        rv100_guest_error(s, 0, "the engine wrote 0x%08x to dword 0x%04x, beyond "
                          "the registers", value, dword);
        return;
    }
    if (dword == R_MM_DATA || dword == R_MM_INDEX) {
        if (source == RV100_FROM_ENGINE) {
            return;             /* such writes vanish [hw] */
        }
        if (dword == R_MM_DATA) {
            indexed_write(s, value, lanes);
            return;
        }
    }
    r = rv100_mmio_info(offset);
    h = find_hook(r, dword);
    if (h && h->host_only && source == RV100_FROM_ENGINE) {
        rv100_guest_error(s, offset, "the engine cannot write here, 0x%08x "
                          "dropped", value);
        return;
    }
    if (r) {
        uint32_t *reg = &s->regs[r->storage / 4];

        offset = r->storage;
        value = (value & lanes) | (*reg & ~lanes);
        *reg = stored_value(r, *reg, value, lanes);
    } else if (!h) {
        unknown_register(s, dword, "write");
    }
    if (h && h->write) {
        s->from_engine = source == RV100_FROM_ENGINE;
        h->write(s, offset, value);
    }
}

/* --- host accesses of any size --- */

static uint32_t lane_mask(unsigned first, unsigned bytes)
{
    uint64_t mask = (1ull << 8 * bytes) - 1;

    return mask << 8 * first;
}

static uint64_t access_read(Rv100 *s, uint32_t offset, unsigned size,
                            uint32_t limit)
{
    uint64_t value = 0;

    for (unsigned done = 0; done < size; ) {
        uint32_t at = offset + done;
        unsigned lane = at & 3, n = MIN(4 - lane, size - done);
        uint32_t lanes = lane_mask(lane, n);

        if (at < limit) {
            uint32_t v = rv100_bus_read(s, at / 4, lanes) & lanes;

            value |= (uint64_t)(v >> 8 * lane) << 8 * done;
        }
        done += n;
    }
    return value;
}

static void access_write(Rv100 *s, uint32_t offset, uint64_t value,
                         unsigned size, uint32_t limit)
{
    for (unsigned done = 0; done < size; ) {
        uint32_t at = offset + done;
        unsigned lane = at & 3, n = MIN(4 - lane, size - done);

        if (at < limit) {
            rv100_bus_write(s, at / 4, (uint32_t)(value >> 8 * done) << 8 * lane,
                            lane_mask(lane, n), RV100_FROM_HOST);
        }
        done += n;
    }
}

uint64_t rv100_mmio_read(Rv100 *s, uint32_t offset, unsigned size)
{
    uint64_t v;

    if (G_LIKELY(!s->capture)) {
        return access_read(s, offset, MIN(size, 8u), RV100_APERTURE);
    }
    rv100_capture_access(s, RV100_CAPTURE_MMIO_READ, offset, size, 0);
    v = access_read(s, offset, MIN(size, 8u), RV100_APERTURE);
    rv100_capture_value(s, v);
    return v;
}

void rv100_mmio_write(Rv100 *s, uint32_t offset, uint64_t value, unsigned size)
{
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_access(s, RV100_CAPTURE_MMIO_WRITE, offset, size, value);
    }
    access_write(s, offset, value, MIN(size, 8u), RV100_APERTURE);
}

uint32_t rv100_io_read(Rv100 *s, uint32_t offset, unsigned size)
{
    uint32_t v;

    if (G_LIKELY(!s->capture)) {
        return access_read(s, offset, MIN(size, 4u), 256);
    }
    rv100_capture_access(s, RV100_CAPTURE_IO_READ, offset, size, 0);
    v = access_read(s, offset, MIN(size, 4u), 256);
    rv100_capture_value(s, v);
    return v;
}

void rv100_io_write(Rv100 *s, uint32_t offset, uint32_t value, unsigned size)
{
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_access(s, RV100_CAPTURE_IO_WRITE, offset, size, value);
    }
    access_write(s, offset, value, MIN(size, 4u), 256);
}

uint32_t rv100_peek(Rv100 *s, uint32_t offset)
{
    const Rv100RegInfo *r = rv100_mmio_info(offset);
    const Rv100Hook *h;

    if (offset >= RV100_APERTURE || !r) {
        return 0;
    }
    h = find_hook(r, offset / 4);
    if (h && h->read && h->silent_read) {
        return h->read(s, r->storage) & r->mask;
    }
    return s->regs[r->storage / 4];
}
