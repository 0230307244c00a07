/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The capture runs in a thread of its own, so that the user can halt the engine
 * in the middle of a call, look, change something and let the very same call go
 * on. Only one of the two threads runs at a time: they hand over to each other.
 *
 * Steps back begin at the checkpoint before the wanted unit and run the capture
 * from there again. Checkpoints are made between calls.
 */
#include "recorded.h"

#include <signal.h>
#include <string.h>

#include "replay.h"
#include "rv100/debug-hooks.h"
#include "snapshot.h"
#include "tool.h"

#define PAGE 4096u
#define MAX_POINTS 64           /* then every other one goes */
#define MAX_STORED (256u << 20) /* bytes of VRAM in them, likewise */
#define FIRST_INTERVAL 20000    /* work between two of them: units ... */
#define CALL_WORK 20            /* ... and this for a call */

typedef struct Checkpoint {
    ReplayPlace place;
    uint64_t units;
    GByteArray *state;
    Rv100DebugCounts counts;
    GPtrArray *pages;           /* GBytes of each page of VRAM */
} Checkpoint;

typedef enum Order {
    GO,
    REWIND,                     /* to `target` */
    END,
} Order;

struct Recorded {
    Capture *capture;
    Replay *replay;
    ReplayOptions options;
    ReplayStats stats;
    Rv100 *chip;
    Rv100Debug *debug;
    GString *out;

    GThread *thread;
    GMutex lock;
    GCond turn;
    bool running;               /* it is the capture's turn */
    Order order;
    uint64_t target;
    const char *why;            /* it handed over without a halt */
    char *end;                  /* sentence about the end of the capture */
    bool again;                 /* what is done was done before */
    bool changed;               /* by the user: it is another story now */
    volatile sig_atomic_t interrupted;

    GPtrArray *points;          /* Checkpoint */
    GPtrArray *pages;           /* of the last one; what has changed is NULL */
    uint64_t work, interval;    /* since the last one */
    size_t stored;
};

/* --- taking turns --- */

/* The other side runs until it hands over. */
static void hand_over(Recorded *m, bool to_capture)
{
    g_mutex_lock(&m->lock);
    m->running = to_capture;
    g_cond_broadcast(&m->turn);
    while (m->running == to_capture) {
        g_cond_wait(&m->turn, &m->lock);
    }
    g_mutex_unlock(&m->lock);
}

/* --- checkpoints --- */

typedef struct Page {
    uint8_t data[PAGE];
    size_t *stored;
} Page;

static void free_page(gpointer p)
{
    Page *page = p;

    *page->stored -= PAGE;
    g_free(page);
}

static GBytes *page_bytes(Recorded *m, unsigned n)
{
    Page *p = g_new(Page, 1);

    memcpy(p->data, replay_vram(m->replay) + (size_t)n * PAGE, PAGE);
    p->stored = &m->stored;
    m->stored += PAGE;
    return g_bytes_new_with_free_func(p->data, PAGE, free_page, p);
}

static void free_bytes(gpointer p)
{
    if (p) {
        g_bytes_unref(p);
    }
}

static void free_point(gpointer p)
{
    Checkpoint *c = p;

    g_byte_array_unref(c->state);
    g_ptr_array_unref(c->pages);
    g_free(c);
}

static Checkpoint *point(Recorded *m, unsigned i)
{
    return g_ptr_array_index(m->points, i);
}

static void vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    Recorded *m = opaque;

    for (uint64_t at = offset / PAGE; m->pages && len
         && at <= ((uint64_t)offset + len - 1) / PAGE && at < m->pages->len; at++) {
        free_bytes(g_ptr_array_index(m->pages, at));
        g_ptr_array_index(m->pages, at) = NULL;
    }
}

/* Every other checkpoint goes, but the first and the last. */
static void thin_out(Recorded *m)
{
    for (unsigned i = 1; i + 1 < m->points->len; i++) {
        g_ptr_array_remove_index(m->points, i);
    }
    m->interval *= 2;
}

static void checkpoint(Recorded *m)
{
    Checkpoint *c = g_new0(Checkpoint, 1);

    c->place = replay_place(m->replay);
    c->units = rv100_debug_units(m->chip);
    c->state = snapshot_save(m->chip);
    rv100_debug_counts(m->debug, &c->counts);
    c->pages = g_ptr_array_new_full(m->pages->len, free_bytes);
    for (unsigned i = 0; i < m->pages->len; i++) {
        if (!g_ptr_array_index(m->pages, i)) {
            g_ptr_array_index(m->pages, i) = page_bytes(m, i);
        }
        g_ptr_array_add(c->pages, g_bytes_ref(g_ptr_array_index(m->pages, i)));
    }
    g_ptr_array_add(m->points, c);
    m->work = 0;
    if (m->points->len > (m->stored > MAX_STORED ? 4 : MAX_POINTS)) {
        thin_out(m);
    }
}

/* The state of the last checkpoint. */
static void restore(Recorded *m)
{
    const Checkpoint *c = point(m, m->points->len - 1);

    for (unsigned i = 0; i < m->pages->len; i++) {
        GBytes *then = g_ptr_array_index(c->pages, i);

        if (g_ptr_array_index(m->pages, i) != then) {
            free_bytes(g_ptr_array_index(m->pages, i));
            g_ptr_array_index(m->pages, i) = g_bytes_ref(then);
            memcpy(replay_vram(m->replay) + (size_t)i * PAGE,
                   g_bytes_get_data(then, NULL), PAGE);
        }
    }
    replay_go_to(m->replay, &c->place);
    replay_pause(m->replay, true);
    rv100_debug_set_units(m->chip, c->units);
    snapshot_load(m->chip, c->state);
    rv100_debug_set_counts(m->debug, &c->counts);
    replay_pause(m->replay, false);
    m->work = 0;
}

/* --- the capture's side --- */

static bool next_call(Recorded *m)
{
    uint64_t before = rv100_debug_units(m->chip);

    if (!replay_call(m->replay)) {
        return false;
    }
    m->work += rv100_debug_units(m->chip) - before + CALL_WORK;
    if (replay_difference(m->replay)) {
        if (!m->again) {
            g_string_append_printf(m->out, "This run is not as it was captured: "
                                   "%s\n", replay_difference(m->replay));
        }
        replay_astray(m->replay, true);
    }
    if (m->work >= m->interval && !m->changed && m->order == GO) {
        checkpoint(m);
    }
    return true;
}

/* What the user has made it do may need slices that the capture has not. */
static bool own_slice(Recorded *m)
{
    if (!m->changed || !rv100_debug_runnable(m->chip)) {
        return false;
    }
    rv100_run(m->chip, 0);
    return true;
}

static void rewind_now(Recorded *m)
{
    while (m->points->len > 1 && point(m, m->points->len - 1)->units >= m->target) {
        g_ptr_array_set_size(m->points, (int)m->points->len - 1);
    }
    m->order = GO;
    m->changed = false;
    replay_astray(m->replay, false);
    restore(m);
    if (rv100_debug_units(m->chip) < m->target) {
        rv100_debug_go(m->chip, m->target - rv100_debug_units(m->chip));
    }
}

/* Why the user gets the turn between two calls; NULL: the engine has halted. */
static const char *run_on(Recorded *m)
{
    uint64_t start = rv100_debug_units(m->chip);

    while (!rv100_debug_halted(m->chip)) {
        if (m->interrupted && !m->again) {
            return "Interrupted.";
        }
        if (!next_call(m) && (!own_slice(m)
                              || rv100_debug_units(m->chip) - start > 1000000)) {
            g_free(m->end);
            m->end = m->capture->cut
                ? g_strdup_printf("The capture ends here: %s.", m->capture->cut)
                : g_strdup("The capture is at its end.");
            return m->end;
        }
        if (m->order != GO) {
            return NULL;
        }
        own_slice(m);
    }
    return NULL;
}

static gpointer capture_thread(gpointer opaque)
{
    Recorded *m = opaque;

    while (m->order != END) {
        if (m->order == REWIND) {
            rewind_now(m);
        }
        m->why = run_on(m);
        if (m->order == GO) {
            hand_over(m, false);
        }
    }
    g_mutex_lock(&m->lock);
    m->running = false;
    g_cond_broadcast(&m->turn);
    g_mutex_unlock(&m->lock);
    return NULL;
}

/* Halted in the middle of a call. Who comes back with another order wants to be
 * rid of the call: its rest is run without comparing. */
static void pause_call(void *opaque)
{
    Recorded *m = opaque;

    if (m->order == GO) {
        m->why = NULL;
        replay_pause(m->replay, true);
        hand_over(m, false);
        replay_pause(m->replay, false);
    }
    if (m->order != GO) {
        replay_astray(m->replay, true);
        rv100_debug_halt(m->chip);
    }
}

/* --- the user's side --- */

static const char *run(void *opaque)
{
    Recorded *m = opaque;

    m->order = GO;
    hand_over(m, true);
    return m->why;
}

static bool rewind_to(void *opaque, uint64_t units, GString *why)
{
    Recorded *m = opaque;

    if (m->changed) {
        g_string_append(m->out, "What you have changed is taken back.\n");
    }
    m->order = REWIND;
    m->target = units;
    m->again = true;
    hand_over(m, true);
    m->again = false;
    rv100_debug_halt(m->chip);
    return true;
}

/* By the user, if it is his turn; from here on nothing is as captured. */
static void changed(void *opaque)
{
    Recorded *m = opaque;

    if (!m->running && m->points->len) {
        m->changed = true;
        replay_astray(m->replay, true);
    }
}

static void chip_log(void *opaque, const char *line)
{
    Recorded *m = opaque;

    if (!m->again) {
        g_string_append_printf(m->out, "%s\n", line);
    }
}

/* --- the machine --- */

/* Calls up to the first state are the recorder's own. */
static bool first_state(Recorded *m, GError **error)
{
    do {
        if (!replay_call(m->replay)) {
            tool_set_error(error, "%s: the capture ends before its first state: %s",
                           m->capture->name,
                           m->capture->cut ? m->capture->cut : "it has none");
            return false;
        }
        if (replay_difference(m->replay)) {
            tool_set_error(error, "%s", replay_difference(m->replay));
            return false;
        }
    } while (replay_kind(m->replay) != RV100_CAPTURE_STATE);
    return true;
}

Recorded *recorded_new(Capture *c, GString *out, GError **error)
{
    static const Rv100DebugHost host = {
        .run = run, .pause = pause_call, .rewind = rewind_to, .changed = changed,
    };
    Recorded *m = g_new0(Recorded, 1);

    m->capture = c;
    m->out = out;
    m->options = (ReplayOptions) { .vram_dirty = vram_dirty, .log = chip_log,
                                   .keep_memory = true, .opaque = m };
    m->interval = FIRST_INTERVAL;
    m->points = g_ptr_array_new_with_free_func(free_point);
    m->pages = g_ptr_array_new_with_free_func(free_bytes);
    g_ptr_array_set_size(m->pages, (int)(c->vram_size / PAGE));
    m->replay = replay_new(c, &m->options, &m->stats);
    m->chip = replay_chip(m->replay);
    if (!first_state(m, error)) {
        recorded_free(m);
        return NULL;
    }
    m->debug = rv100_debug_new(m->chip, &host, m);
    rv100_debug_halt(m->chip);
    checkpoint(m);
    m->running = true;
    m->thread = g_thread_new("capture", capture_thread, m);
    g_mutex_lock(&m->lock);
    while (m->running) {
        g_cond_wait(&m->turn, &m->lock);
    }
    g_mutex_unlock(&m->lock);
    return m;
}

void recorded_free(Recorded *m)
{
    if (!m) {
        return;
    }
    if (m->thread) {
        m->order = END;
        rv100_debug_mute(m->debug, true);
        hand_over(m, true);
        g_thread_join(m->thread);
    }
    if (m->debug) {
        replay_pause(m->replay, true);
        rv100_debug_free(m->debug);
    }
    g_ptr_array_unref(m->points);
    g_ptr_array_unref(m->pages);
    replay_free(m->replay);
    g_free(m->end);
    g_free(m);
}

Rv100Debug *recorded_debug(Recorded *m)
{
    return m->debug;
}

Rv100 *recorded_chip(Recorded *m)
{
    return m->chip;
}

uint8_t *recorded_vram(Recorded *m)
{
    return replay_vram(m->replay);
}

void recorded_interrupt(Recorded *m, bool on)
{
    m->interrupted = on;
}
