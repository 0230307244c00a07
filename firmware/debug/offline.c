/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "offline.h"

#include <signal.h>
#include <string.h>

#include "rv100/debug-hooks.h"
#include "rv100/reginfo.h"
#include "rv100-regs.h"
#include "snapshot.h"

#define PAGE 4096u
#define QUANTUM 1000            /* units between looks at the timers */
#define UNIT_NS 10
#define MAX_CHECKPOINTS 256     /* then every other one goes */
#define EXTRA_MEMORY (1u << 20) /* behind the ring, for packets to write to */

/* VRAM, or the memory. */
typedef struct Region {
    uint8_t *data;
    uint8_t *shadow;            /* as it was at the last checkpoint */
    uint32_t size;
    GHashTable *dirty;          /* pages changed since then */
} Region;

enum { VRAM, MEMORY, REGIONS };

typedef struct OldPage {
    uint32_t region, page;
    uint8_t data[PAGE];
} OldPage;

typedef struct Checkpoint {
    uint64_t units;
    int64_t idle;
    GByteArray *state;
    Rv100DebugCounts counts;
    GArray *pages;              /* OldPage: what has changed until the next one */
} Checkpoint;

struct Offline {
    Rv100 *chip;
    Rv100Debug *debug;
    Region region[REGIONS];
    int64_t when[RV100_N_TIMERS];
    int64_t idle;               /* ns that nothing but the clock went on */
    GPtrArray *points;          /* Checkpoint */
    uint64_t interval;          /* units between checkpoints */
    uint64_t max_steps;
    GString *out;
    bool again;                 /* what is done was done before */
    volatile sig_atomic_t interrupted;
};

/* --- host of the chip --- */

static void touch(Offline *o, unsigned n, uint64_t offset, uint64_t len)
{
    for (uint64_t page = offset / PAGE; len && page <= (offset + len - 1) / PAGE;
         page++) {
        g_hash_table_add(o->region[n].dirty, GUINT_TO_POINTER(page));
    }
}

static uint8_t *at_bus(Offline *o, uint64_t addr, uint32_t len)
{
    const Region *r = &o->region[MEMORY];

    if (addr < OFFLINE_MEMORY || addr - OFFLINE_MEMORY > r->size
        || len > r->size - (addr - OFFLINE_MEMORY)) {
        return NULL;
    }
    return r->data + (addr - OFFLINE_MEMORY);
}

static Rv100DmaResult dma_read(void *opaque, uint64_t addr, void *buf,
                               uint32_t len)
{
    const uint8_t *p = at_bus(opaque, addr, len);

    if (!p) {
        return RV100_DMA_ERROR;
    }
    memcpy(buf, p, len);
    return RV100_DMA_OK;
}

static Rv100DmaResult dma_write(void *opaque, uint64_t addr, const void *buf,
                                uint32_t len)
{
    uint8_t *p = at_bus(opaque, addr, len);

    if (!p) {
        return RV100_DMA_ERROR;
    }
    memcpy(p, buf, len);
    touch(opaque, MEMORY, addr - OFFLINE_MEMORY, len);
    return RV100_DMA_OK;
}

/* The same for a whole quantum: where in it somebody halted does not matter. */
static int64_t now(void *opaque)
{
    Offline *o = opaque;
    uint64_t units = o->chip ? rv100_debug_units(o->chip) : 0;

    return (int64_t)(units / QUANTUM * QUANTUM) * UNIT_NS + o->idle;
}

static void set_timer(void *opaque, Rv100Timer timer, int64_t when)
{
    Offline *o = opaque;

    o->when[timer] = when;
}

static void vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    touch(opaque, VRAM, offset, len);
}

static void chip_log(void *opaque, Rv100LogLevel level, const char *line)
{
    Offline *o = opaque;

    if (!o->again) {
        g_string_append_printf(o->out, "%s\n", line);
    }
}

/* --- checkpoints --- */

static void free_point(gpointer p)
{
    Checkpoint *c = p;

    g_byte_array_unref(c->state);
    g_array_unref(c->pages);
    g_free(c);
}

static Checkpoint *point(Offline *o, unsigned i)
{
    return g_ptr_array_index(o->points, i);
}

/* Add page contents to c, or put them back, for every page touched since the
 * last checkpoint; then memory and shadow are the same. */
static void settle_dirty(Offline *o, Checkpoint *c)
{
    for (unsigned n = 0; n < REGIONS; n++) {
        Region *r = &o->region[n];
        GHashTableIter iter;
        gpointer key;

        g_hash_table_iter_init(&iter, r->dirty);
        while (g_hash_table_iter_next(&iter, &key, NULL)) {
            uint32_t page = GPOINTER_TO_UINT(key);
            uint8_t *data = r->data + (size_t)page * PAGE;
            uint8_t *shadow = r->shadow + (size_t)page * PAGE;

            if (!c) {
                memcpy(data, shadow, PAGE);
            } else if (memcmp(data, shadow, PAGE)) {
                OldPage old = { .region = n, .page = page };

                memcpy(old.data, shadow, PAGE);
                g_array_append_val(c->pages, old);
                memcpy(shadow, data, PAGE);
            }
        }
        g_hash_table_remove_all(r->dirty);
    }
}

static bool has_page(const Checkpoint *c, const OldPage *old)
{
    for (unsigned i = 0; i < c->pages->len; i++) {
        const OldPage *p = &g_array_index(c->pages, OldPage, i);

        if (p->region == old->region && p->page == old->page) {
            return true;
        }
    }
    return false;
}

/* Remove every other checkpoint but the first and the last. */
static void thin_out(Offline *o)
{
    for (unsigned i = 1; i + 1 < o->points->len; i++) {
        Checkpoint *kept = point(o, i - 1), *gone = point(o, i);

        for (unsigned n = 0; n < gone->pages->len; n++) {
            const OldPage *old = &g_array_index(gone->pages, OldPage, n);

            if (!has_page(kept, old)) {
                g_array_append_vals(kept->pages, old, 1);
            }
        }
        g_ptr_array_remove_index(o->points, i);
    }
    o->interval *= 2;
}

static void checkpoint(Offline *o)
{
    Checkpoint *c = g_new0(Checkpoint, 1);

    if (o->points->len) {
        settle_dirty(o, point(o, o->points->len - 1));
    }
    c->units = rv100_debug_units(o->chip);
    c->idle = o->idle;
    c->state = snapshot_save(o->chip);
    rv100_debug_counts(o->debug, &c->counts);
    c->pages = g_array_new(FALSE, FALSE, sizeof(OldPage));
    g_ptr_array_add(o->points, c);
    if (o->points->len > MAX_CHECKPOINTS) {
        thin_out(o);
    }
}

static void go_back_to(Offline *o, unsigned i)
{
    Checkpoint *c = point(o, i);

    settle_dirty(o, NULL);
    for (unsigned k = o->points->len - 1; k-- > i; ) {
        GArray *pages = point(o, k)->pages;

        for (unsigned n = 0; n < pages->len; n++) {
            const OldPage *old = &g_array_index(pages, OldPage, n);
            Region *r = &o->region[old->region];

            memcpy(r->data + (size_t)old->page * PAGE, old->data, PAGE);
            memcpy(r->shadow + (size_t)old->page * PAGE, old->data, PAGE);
        }
    }
    g_ptr_array_set_size(o->points, (int)i + 1);
    g_array_set_size(c->pages, 0);
    o->idle = c->idle;
    rv100_debug_set_units(o->chip, c->units);
    snapshot_load(o->chip, c->state);
    rv100_debug_set_counts(o->debug, &c->counts);
}

/* --- running --- */

static void run_due_timers(Offline *o)
{
    for (unsigned t = 0; t < RV100_N_TIMERS; t++) {
        /* the engine runs by run() below, not by its timer */
        if (t != RV100_TIMER_ENGINE && o->when[t] >= 0 && o->when[t] <= now(o)) {
            o->when[t] = -1;
            rv100_timer(o->chip, t);
        }
    }
}

/* The engine waits for the display: let time pass until its next event. */
static bool let_time_pass(Offline *o)
{
    Rv100DebugQueues q;
    int64_t when = o->when[RV100_TIMER_DISPLAY];

    rv100_debug_queues(o->chip, &q);
    if (!q.wait || when < 0) {
        return false;
    }
    o->idle += MAX(when - now(o), 0);
    run_due_timers(o);
    return true;
}

static bool checkpoint_is_due(Offline *o, uint64_t units)
{
    return units % QUANTUM == 0
        && units >= point(o, o->points->len - 1)->units + o->interval;
}

static const char *run(void *opaque)
{
    Offline *o = opaque;
    const Rv100Me *me = rv100_engine(o->chip);
    uint64_t start = me->steps;

    while (!rv100_debug_halted(o->chip)) {
        uint64_t units = rv100_debug_units(o->chip);

        if (checkpoint_is_due(o, units)) {
            checkpoint(o);
        }
        if (units % QUANTUM == 0) {
            run_due_timers(o);
        }
        if (me->steps - MAX(start, me->last_word) >= o->max_steps) {
            return "No word was taken for a long time (--max-steps): halted.";
        }
        if (o->interrupted && !o->again) {
            o->interrupted = 0;
            return "Interrupted.";
        }
        if (!rv100_run(o->chip, (uint32_t)(QUANTUM - units % QUANTUM))
            && !rv100_debug_halted(o->chip) && !rv100_debug_runnable(o->chip)
            && !let_time_pass(o)) {
            return me->phase == RV100_ME_RUN
                ? "The stream is at its end inside of a packet."
                : "The stream is at its end.";
        }
    }
    return NULL;
}

static bool rewind_to(void *opaque, uint64_t units, GString *why)
{
    Offline *o = opaque;
    unsigned i = o->points->len;

    while (i > 1 && point(o, i - 1)->units > units) {
        i--;
    }
    o->again = true;
    go_back_to(o, i - 1);
    if (rv100_debug_units(o->chip) < units) {
        rv100_debug_go(o->chip, units - rv100_debug_units(o->chip));
        run(o);
    }
    rv100_debug_halt(o->chip);
    o->again = false;
    return true;
}

/* The user has changed something: it is a beginning of its own. */
static void changed(void *opaque)
{
    Offline *o = opaque;

    if (o->points->len) {
        checkpoint(o);
    }
}

/* --- the machine --- */

static void new_region(Region *r, uint32_t size)
{
    r->size = size;
    r->data = g_malloc0(size);
    r->shadow = g_malloc0(size);
    r->dirty = g_hash_table_new(NULL, NULL);
}

static void wr(Offline *o, uint32_t offset, uint32_t value)
{
    rv100_mmio_write(o->chip, offset, value, 4);
}

/* A ring with all the words in it, the engine running. */
static void start_ring(Offline *o, const OfflineConfig *config, uint32_t log2)
{
    uint8_t *ring = o->region[MEMORY].data;

    for (size_t i = 0; i < config->n_words; i++) {
        uint32_t le = GUINT32_TO_LE(config->words[i]);

        memcpy(ring + 4 * i, &le, 4);
    }
    memcpy(o->region[MEMORY].shadow, ring, o->region[MEMORY].size);
    wr(o, A_MC_FB_LOCATION, (config->vram_size - 1) & 0xffff0000u);
    wr(o, A_BUS_CNTL, rv100_peek(o->chip, A_BUS_CNTL)
       & ~R_BUS_CNTL_BUS_MASTER_DIS_MASK);
    wr(o, A_CP_RB_BASE, OFFLINE_MEMORY);
    wr(o, A_CP_RB_CNTL, RV100_SET(R_CP_RB_CNTL_RB_NO_UPDATE_MASK, CP_RB_CNTL,
                                  RB_BUFSZ, log2));
    wr(o, A_CP_RB_WPTR, (uint32_t)config->n_words);
    wr(o, A_CP_CSQ_CNTL, RV100_SET(0u, CP_CSQ_CNTL, CSQ_MODE, 4u));
    wr(o, A_CP_ME_CNTL, R_CP_ME_CNTL_ME_MODE_MASK);
}

Offline *offline_new(const OfflineConfig *config, GString *out)
{
    static const Rv100Host host = {
        .dma_read = dma_read, .dma_write = dma_write, .now = now,
        .set_timer = set_timer, .vram_dirty = vram_dirty, .log = chip_log,
    };
    static const Rv100DebugHost debug_host = {
        .run = run, .rewind = rewind_to, .changed = changed,
    };
    Offline *o = g_new0(Offline, 1);
    Rv100Me *me;
    uint32_t log2 = 0;

    while ((2u << log2) <= config->n_words) {
        log2++;
    }
    o->out = out;
    o->interval = QUANTUM;
    o->max_steps = config->max_steps ? config->max_steps : OFFLINE_MAX_STEPS;
    o->points = g_ptr_array_new_with_free_func(free_point);
    new_region(&o->region[VRAM], config->vram_size);
    new_region(&o->region[MEMORY], MAX(8u << log2, PAGE) + EXTRA_MEMORY);
    for (unsigned t = 0; t < RV100_N_TIMERS; t++) {
        o->when[t] = -1;
    }
    o->chip = rv100_new(&host, o, &(Rv100Config) {
        .vram = o->region[VRAM].data, .vram_size = config->vram_size });
    me = rv100_engine(o->chip);
    me->chip = config->chip;
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        rv100_me_load(me, (uint8_t)i, config->image->hi[i], config->image->lo[i]);
    }
    o->debug = rv100_debug_new(o->chip, &debug_host, o);
    rv100_debug_halt(o->chip);
    start_ring(o, config, log2);
    checkpoint(o);
    return o;
}

void offline_free(Offline *o)
{
    if (!o) {
        return;
    }
    rv100_debug_free(o->debug);
    rv100_free(o->chip);
    for (unsigned n = 0; n < REGIONS; n++) {
        g_free(o->region[n].data);
        g_free(o->region[n].shadow);
        g_hash_table_unref(o->region[n].dirty);
    }
    g_ptr_array_unref(o->points);
    g_free(o);
}

Rv100Debug *offline_debug(Offline *o)
{
    return o->debug;
}

Rv100 *offline_chip(Offline *o)
{
    return o->chip;
}

void offline_interrupt(Offline *o, bool on)
{
    o->interrupted = on;
}

uint8_t *offline_vram(Offline *o)
{
    return o->region[VRAM].data;
}

uint8_t *offline_memory(Offline *o, uint32_t *size)
{
    *size = o->region[MEMORY].size;
    return o->region[MEMORY].data;
}
