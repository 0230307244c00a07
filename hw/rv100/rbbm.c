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
    rv100_cursor_hooks, rv100_ddc_hooks, rv100_wait_hooks, rv100_surface_hooks,
    rv100_gui_hooks,
};

/* dword index -> description and hook; built once, the same for every chip. An
 * alias has the hook of the register that keeps its value. */
typedef struct Slot {
    const Rv100RegInfo *info;
    const Rv100Hook *hook;
    void (*write)(Rv100 *s, uint32_t offset, uint32_t value);
    uint32_t plain;             /* bits that a write sets as they are */
    uint32_t w1c;
    uint16_t storage;           /* offset of the register that keeps the value */
    bool special;               /* a write needs more than this */
} Slot;

static Slot slots[RV100_MMIO_DWORDS];

static void prepare_write(unsigned dword)
{
    Slot *slot = &slots[dword];
    const Rv100RegInfo *r = slot->info;

    slot->special = !r || dword == R_MM_INDEX || dword == R_MM_DATA
        || (slot->hook && slot->hook->host_only);
    slot->write = slot->hook ? slot->hook->write : NULL;
    slot->storage = 4 * dword;
    if (r) {
        slot->storage = r->storage;
        slot->plain = r->mask & ~r->ro & ~r->w1c;
        slot->w1c = r->w1c;
    }
}

static void build_hooks(void)
{
    static gsize done;

    if (g_once_init_enter(&done)) {
        for (unsigned t = 0; t < G_N_ELEMENTS(hook_tables); t++) {
            for (const Rv100Hook *h = hook_tables[t]; h->read || h->write; h++) {
                for (unsigned n = 0; n < MAX(h->count, 1); n++) {
                    slots[h->offset / 4 + n].hook = h;
                }
            }
        }
        for (unsigned n = 0; n < RV100_MMIO_DWORDS; n++) {
            const Rv100RegInfo *r = slots[n].info = rv100_mmio_info(4 * n);

            if (r) {
                slots[n].hook = slots[r->storage / 4].hook;
            }
            prepare_write(n);
        }
        g_once_init_leave(&done, 1);
    }
}

/* No write leaves a bit that does not exist: what computes with registers counts
 * on it, so a state from outside must not have one either. */
bool rv100_regs_check(const Rv100 *s, const char **why)
{
    for (unsigned n = 0; n < G_N_ELEMENTS(s->regs); n++) {
        const Rv100RegInfo *r = slots[n].info;

        if (s->regs[n] && (!r || s->regs[n] & ~r->mask)) {
            *why = r ? r->name : "regs";
            return false;
        }
    }
    return true;
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

bool rv100_bus_defers(Rv100 *s, uint32_t dword)
{
    const Rv100Hook *h;

    if (dword >= RV100_MMIO_DWORDS) {
        return false;
    }
    h = slots[dword].hook;
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
    r = slots[dword].info;
    h = slots[dword].hook;
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

/* What few writes need; true when nothing is left to be done. Apart from the
 * rest to keep that short. */
static G_GNUC_NO_INLINE bool special_write(Rv100 *s, uint32_t dword, uint32_t value,
                                           uint32_t lanes, Rv100Source source)
{
    const Rv100Hook *h;

    if (source == RV100_FROM_HOST) {
        rv100_trace(s, RV100_TRACE_reg_write, 4 * dword, value, lanes, 0);
    }
    if (dword >= RV100_MMIO_DWORDS) {
        rv100_guest_error(s, 0, "the engine wrote 0x%08x to dword 0x%04x, beyond "
                          "the registers", value, dword);
        return true;
    }
    if (dword == R_MM_DATA || dword == R_MM_INDEX) {
        if (source == RV100_FROM_ENGINE) {
            return true;        /* such writes vanish [hw] */
        }
        if (dword == R_MM_DATA) {
            indexed_write(s, value, lanes);
            return true;
        }
    }
    h = slots[dword].hook;
    if (h && h->host_only && source == RV100_FROM_ENGINE) {
        rv100_guest_error(s, 4 * dword, "the engine cannot write here, 0x%08x "
                          "dropped", value);
        return true;
    }
    if (!slots[dword].info && !h) {
        unknown_register(s, dword, "write");
    }
    return false;
}

void rv100_bus_write(Rv100 *s, uint32_t dword, uint32_t value, uint32_t lanes,
                     Rv100Source source)
{
    const Slot *slot;
    uint32_t *reg;

    if (G_UNLIKELY(dword >= RV100_MMIO_DWORDS || slots[dword].special
                   || rv100_tracing(s, RV100_TRACE_reg_write))
        && special_write(s, dword, value, lanes, source)) {
        return;
    }
    slot = &slots[dword];
    reg = &s->regs[slot->storage / 4];
    value = (value & lanes) | (*reg & ~lanes);
    *reg = (*reg & ~(value & slot->w1c & lanes) & ~(slot->plain & lanes))
        | (value & slot->plain & lanes);
    if (slot->write) {
        s->from_engine = source == RV100_FROM_ENGINE;
        slot->write(s, slot->storage, value);
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
    if (size == 4 && !(offset & 3) && offset < RV100_APERTURE) {
        rv100_bus_write(s, offset / 4, value, ~0u, RV100_FROM_HOST);
        return;                 /* what drivers do */
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
    h = slots[offset / 4].hook;
    if (h && h->read && h->silent_read) {
        bool quiet = s->debug.quiet;
        uint32_t value;

        s->debug.quiet = true;
        value = h->read(s, r->storage) & r->mask;
        s->debug.quiet = quiet;
        return value;
    }
    return s->regs[r->storage / 4];
}
