/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay.h"

#include <inttypes.h>
#include <string.h>

#include "replay-memory.h"
#include "rv100/debug-hooks.h"
#include "rv100/display.h"
#include "rv100/reginfo.h"
#include "rv100-regs.h"

#define FRAME_NS 16666666       /* a picture at most every 60th of a second */
#define MAX_PIXELS (8192u * 8192u)

/* The last picture of a head. */
typedef struct Shown {
    uint64_t number;
    uint32_t width, height;
    GArray *pixels;             /* uint32_t */
} Shown;

struct Replay {
    Capture *c;
    const ReplayOptions *o;
    ReplayStats *stats;
    Rv100 *chip;
    uint8_t *vram;
    CaptureRecord call;         /* the call at hand */
    GArray *inside;             /* CaptureRecord: what happened in it */
    guint next_now, next_mem, next_out, next_irq, next_engine, next_packet;
    int64_t time;
    char *difference;
    bool paused, astray;
    ReplayMemory *memory;       /* or NULL */

    /* pictures */
    bool dirty;
    int64_t last_frame;
    GArray *pixels;             /* uint32_t: of the next picture */
    Shown shown[RV100_HEADS];
};

static void differs(Replay *r, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The first difference counts; what follows from it helps nobody. */
static void differs(Replay *r, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    if (r->difference || r->astray || r->paused) {
        return;
    }
    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    r->difference = g_strdup_printf("%s: record %" PRIu64 " (byte %zu, time %"
                                    PRId64 " ns): %s", r->c->name,
                                    r->call.number, r->call.at, r->call.time,
                                    text);
}

/* The next record of a kind inside the call, or NULL. */
static const CaptureRecord *take(Replay *r, Rv100CaptureKind kind, guint *next)
{
    while (*next < r->inside->len) {
        const CaptureRecord *x = &g_array_index(r->inside, CaptureRecord,
                                                (*next)++);

        if (x->kind == kind) {
            return x;
        }
    }
    return NULL;
}

static const char *reg_name(uint32_t dword)
{
    const Rv100RegInfo *info = dword < RV100_MMIO_DWORDS
                               ? rv100_mmio_info(4 * dword) : NULL;

    return info ? info->name : "an undescribed register";
}

/* --- the chip's host --- */

/* Not the card asks, but somebody who looks at it. */
static bool looking(const Replay *r)
{
    return r->paused || (r->chip && rv100_debug_looking(r->chip));
}

static int64_t host_now(void *opaque)
{
    Replay *r = opaque;
    const CaptureRecord *x = looking(r)
        ? NULL : take(r, RV100_CAPTURE_NOW, &r->next_now);

    if (x) {
        r->time = (int64_t)capture_64(x->data);
    }
    return r->time;
}

static Rv100DmaResult remembered(Replay *r, uint64_t addr, void *buf,
                                 uint32_t len)
{
    if (r->memory && replay_memory_get(r->memory, addr, buf, len)) {
        return RV100_DMA_OK;
    }
    memset(buf, 0, len);
    return RV100_DMA_ERROR;
}

static Rv100DmaResult host_dma_read(void *opaque, uint64_t addr, void *buf,
                                    uint32_t len)
{
    Replay *r = opaque;
    const CaptureRecord *x;

    if (looking(r) || r->astray) {
        return remembered(r, addr, buf, len);
    }
    x = take(r, RV100_CAPTURE_MEM, &r->next_mem);
    if (x && capture_64(x->data + 1) == addr && x->data[0] != RV100_DMA_OK &&
        x->data[0] <= RV100_DMA_ERROR && x->len == 9) {
        return x->data[0];
    }
    if (!x || capture_64(x->data + 1) != addr || x->len - 9 != len) {
        differs(r, "the chip reads %u bytes at bus address 0x%08" PRIx64
                ", which the capture does not have here", len, addr);
        return remembered(r, addr, buf, len);
    }
    memcpy(buf, x->data + 9, len);
    r->stats->memory += len;
    return RV100_DMA_OK;
}

static Rv100DmaResult host_dma_write(void *opaque, uint64_t addr,
                                     const void *buf, uint32_t len)
{
    Replay *r = opaque;
    const CaptureRecord *x;

    if (r->memory) {
        replay_memory_put(r->memory, addr, buf, len);
    }
    if (r->paused || r->astray) {
        return RV100_DMA_OK;
    }
    x = take(r, RV100_CAPTURE_OUT, &r->next_out);
    if (!x || capture_64(x->data + 1) != addr || x->len - 9 != len ||
        memcmp(x->data + 9, buf, len)) {
        differs(r, "the chip writes %u bytes at bus address 0x%08" PRIx64
                ", in the capture it did not", len, addr);
        return RV100_DMA_OK;
    }
    return x->data[0] <= RV100_DMA_ERROR ? x->data[0] : RV100_DMA_ERROR;
}

static void host_irq(void *opaque, bool level)
{
    Replay *r = opaque;
    const CaptureRecord *x;

    if (r->call.kind == RV100_CAPTURE_STATE || r->paused) {
        return;                 /* a loaded state drives the line anew */
    }
    x = take(r, RV100_CAPTURE_IRQ, &r->next_irq);
    if (!x || x->data[0] != level) {
        differs(r, "the interrupt line goes %s, in the capture it does not",
                level ? "up" : "down");
    }
    r->stats->interrupts++;
}

static void host_set_timer(void *opaque, Rv100Timer timer, int64_t when)
{
    /* When timers expire the capture says. */
}

static void host_vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    Replay *r = opaque;

    r->dirty = true;
    if (r->o->vram_dirty) {
        r->o->vram_dirty(r->o->opaque, offset, len);
    }
}

static void host_display_changed(void *opaque)
{
    Replay *r = opaque;

    r->dirty = true;
}

/* Registers of the host's own: what the access under way gave. `at`: the
 * register's dword. */
static uint32_t recorded(Replay *r, uint32_t at)
{
    bool read = r->call.kind == RV100_CAPTURE_MMIO_READ
        || r->call.kind == RV100_CAPTURE_IO_READ;
    guint next = 0;
    const CaptureRecord *x = read ? take(r, RV100_CAPTURE_VALUE, &next) : NULL;
    uint32_t from = read ? capture_32(r->call.data) : 0, dword = 0;

    at = from / 4 == A_MM_DATA / 4 ? A_MM_DATA : at;
    for (unsigned i = 0; x && i < 4; i++) {
        uint32_t byte = at + i - from;

        if (byte < r->call.data[4] && byte < 8) {
            dword |= (uint32_t)(capture_64(x->data) >> 8 * byte & 0xff) << 8 * i;
        }
    }
    return dword;
}

static uint32_t host_config_read(void *opaque, uint32_t offset)
{
    return recorded(opaque, A_VENDOR_ID + offset);
}

static uint8_t host_vga_misc_read(void *opaque)
{
    return recorded(opaque, A_GENMO_WT & ~3) >> 8 * (A_GENMO_WT % 4);
}

static void host_vga_misc_write(void *opaque, uint8_t value)
{
}

/* There, so that the chip asks for the time as it did. */
static void host_log(void *opaque, Rv100LogLevel level, const char *line)
{
    Replay *r = opaque;

    if (r->o->log) {
        r->o->log(r->o->opaque, line);
    }
}

static void host_engine_write(void *opaque, uint32_t dword, uint32_t value)
{
    Replay *r = opaque;
    const CaptureRecord *x = take(r, RV100_CAPTURE_ENGINE, &r->next_engine);

    r->stats->writes++;
    if (!x) {
        differs(r, "the engine writes %s [%04x] = 0x%08x, in the capture "
                "nothing more", reg_name(dword), dword, value);
    } else if (capture_32(x->data) != dword ||
               capture_32(x->data + 4) != value) {
        differs(r, "the engine writes %s [%04x] = 0x%08x, in the capture %s "
                "[%04x] = 0x%08x", reg_name(dword), dword, value,
                reg_name(capture_32(x->data)), capture_32(x->data),
                capture_32(x->data + 4));
    }
}

static void host_trace(void *opaque, Rv100TraceId id, const uint64_t *args)
{
    Replay *r = opaque;
    const CaptureRecord *x = take(r, RV100_CAPTURE_PACKET, &r->next_packet);

    r->stats->packets++;
    if (!x || capture_32(x->data) != args[0] || x->data[4] != args[1]) {
        differs(r, "the engine begins the packet 0x%08x, in the capture it "
                "does not", (uint32_t)args[0]);
    }
}

/* --- calls --- */

static uint64_t arg(const Replay *r, unsigned i)
{
    return capture_32(r->call.data + 4 * i);
}

static void check_value(Replay *r, uint64_t value, uint32_t offset)
{
    guint next = 0;
    const CaptureRecord *x = take(r, RV100_CAPTURE_VALUE, &next);

    r->stats->reads++;
    if (!x || capture_64(x->data) != value) {
        differs(r, "a read of %s (0x%04x) gives 0x%08" PRIx64 ", in the "
                "capture 0x%08" PRIx64, reg_name(offset / 4), offset, value,
                x ? capture_64(x->data) : 0);
    }
}

static void call_mmio_read(Replay *r)
{
    check_value(r, rv100_mmio_read(r->chip, arg(r, 0), r->call.data[4]),
                arg(r, 0));
}

static void call_mmio_write(Replay *r)
{
    r->dirty = true;            /* of the cursor nothing else tells */
    rv100_mmio_write(r->chip, arg(r, 0), capture_64(r->call.data + 5),
                     r->call.data[4]);
}

static void call_io_read(Replay *r)
{
    check_value(r, rv100_io_read(r->chip, arg(r, 0), r->call.data[4]),
                arg(r, 0));
}

static void call_io_write(Replay *r)
{
    r->dirty = true;
    rv100_io_write(r->chip, arg(r, 0), (uint32_t)capture_64(r->call.data + 5),
                   r->call.data[4]);
}

static void call_timer(Replay *r)
{
    if (r->call.data[0] < RV100_N_TIMERS) {
        rv100_timer(r->chip, r->call.data[0]);
    }
}

static void call_run(Replay *r)
{
    rv100_run(r->chip, arg(r, 0));
}

static void call_reset(Replay *r)
{
    rv100_reset(r->chip);
}

static void call_bars(Replay *r)
{
    rv100_set_bars(r->chip, arg(r, 0), arg(r, 1), arg(r, 2));
}

static void call_monitor(Replay *r)
{
    if (r->call.data[0] < RV100_CONNECTORS) {
        rv100_set_monitor(r->chip, r->call.data[0], r->call.data[1],
                          r->call.data + 2, r->call.len - 2);
    }
}

static void call_palette(Replay *r)
{
    if (r->call.data[0] < RV100_HEADS) {
        rv100_palette_set(r->chip, r->call.data[0], r->call.data[1],
                          capture_32(r->call.data + 2));
    }
}

static void call_hang(Replay *r)
{
    rv100_hang(r->chip);
}

static void call_vram(Replay *r)
{
    uint32_t offset = arg(r, 0), len = r->call.len - 4;

    if (offset > r->c->vram_size || len > r->c->vram_size - offset) {
        differs(r, "video memory at 0x%08x, behind its end: the record is "
                "damaged", offset);
        return;
    }
    memcpy(r->vram + offset, r->call.data + 4, len);
    host_vram_dirty(r, offset, len);
}

static void call_state(Replay *r)
{
    const char *why;

    if (!rv100_capture_load_state(r->chip, r->call.data, r->call.len, &why)) {
        differs(r, "the state cannot be loaded: %s", why);
    }
}

/* The debugger of the recording. */
static void set_held(Replay *r)
{
    uint8_t what = r->call.data[0];

    rv100_held_set(r->chip, what == RV100_CAPTURE_HALT,
                   what == RV100_CAPTURE_GO && capture_64(r->call.data + 1));
}

static void call_debug(Replay *r)
{
    uint8_t what = r->call.data[0];

    if (what >= RV100_CAPTURE_DEBUGS) {
        differs(r, "the debugger does what this version does not know");
        return;
    }
    set_held(r);
    if (what == RV100_CAPTURE_GO || what == RV100_CAPTURE_DETACHED) {
        rv100_held_go(r->chip);
    }
}

/* It will halt the engine in this call. */
static void halt_in_time(Replay *r)
{
    guint next = 0;
    const CaptureRecord *x = take(r, RV100_CAPTURE_HALTED, &next);

    if (x) {
        rv100_held_stop_after(r->chip, capture_64(x->data));
    }
}

static void call_end(Replay *r)
{
}

static const struct {
    Rv100CaptureKind kind;
    void (*run)(Replay *r);
} calls[] = {
    { RV100_CAPTURE_MMIO_READ, call_mmio_read },
    { RV100_CAPTURE_MMIO_WRITE, call_mmio_write },
    { RV100_CAPTURE_IO_READ, call_io_read },
    { RV100_CAPTURE_IO_WRITE, call_io_write },
    { RV100_CAPTURE_TIMER, call_timer },
    { RV100_CAPTURE_RUN, call_run },
    { RV100_CAPTURE_RESET, call_reset },
    { RV100_CAPTURE_BARS, call_bars },
    { RV100_CAPTURE_MONITOR, call_monitor },
    { RV100_CAPTURE_PALETTE, call_palette },
    { RV100_CAPTURE_HANG, call_hang },
    { RV100_CAPTURE_VRAM, call_vram },
    { RV100_CAPTURE_STATE, call_state },
    { RV100_CAPTURE_END, call_end },
    { RV100_CAPTURE_DEBUG, call_debug },
};

/* --- pictures --- */

/* What a head shows, in r->pixels; false: nothing of the card's own. */
static bool scan_out(Replay *r, unsigned head, Rv100DisplayMode *mode)
{
    rv100_display_mode(r->chip, head, mode);
    if (!mode->native || !mode->width || !mode->height ||
        mode->width > MAX_PIXELS / mode->height) {
        return false;
    }
    g_array_set_size(r->pixels, mode->width * mode->height);
    if (mode->blank) {
        memset(r->pixels->data, 0, 4 * (gsize)r->pixels->len);
    } else {
        rv100_scanout(r->chip, head, mode, 0, mode->height, r->pixels->data,
                      4 * mode->width);
    }
    return true;
}

static bool picture(Replay *r, unsigned head)
{
    Shown *s = &r->shown[head];
    Rv100DisplayMode mode;
    GArray *swap = s->pixels;

    if (!scan_out(r, head, &mode) ||
        (s->width == mode.width && s->height == mode.height &&
         !memcmp(r->pixels->data, s->pixels->data,
                 4 * (gsize)r->pixels->len))) {
        return true;
    }
    s->width = mode.width;
    s->height = mode.height;
    s->pixels = r->pixels;
    r->pixels = swap;
    r->stats->frames++;
    return r->o->frame(r->o->opaque, head, ++s->number, mode.width,
                       mode.height, (const uint32_t *)s->pixels->data);
}

static bool pictures(Replay *r)
{
    bool go_on = true;

    r->dirty = false;
    r->last_frame = r->call.time;
    for (unsigned head = 0; head < RV100_HEADS && go_on; head++) {
        go_on = picture(r, head);
    }
    return go_on;
}

/* --- one call --- */

/* Reads a call and all that happened in it. A call that the file is cut in is
 * left out: nobody knows what else happened. */
static bool read_call(Replay *r)
{
    CaptureRecord x;

    g_array_set_size(r->inside, 0);
    do {
        if (!capture_next(r->c, &r->call)) {
            return false;
        }
    } while (r->call.kind >= RV100_CAPTURE_INSIDE);
    while (capture_next(r->c, &x)) {
        if (x.kind < RV100_CAPTURE_INSIDE) {
            capture_back(r->c, &x);
            return true;
        }
        g_array_append_val(r->inside, x);
    }
    return r->c->ended;
}

/* --- what is known of the memory --- */

static void learn_record(Replay *r, const CaptureRecord *x)
{
    if ((x->kind == RV100_CAPTURE_MEM || x->kind == RV100_CAPTURE_OUT)
        && x->data[0] == RV100_DMA_OK) {
        replay_memory_put(r->memory, capture_64(x->data + 1), x->data + 9,
                          x->len - 9);
    }
}

/* The guest has told the card of new words: what the card will fetch until it
 * is told of the next ones is in memory by now. */
static bool tells_of_words(const CaptureRecord *x)
{
    return x->kind == RV100_CAPTURE_STATE
        || (x->kind == RV100_CAPTURE_MMIO_WRITE
            && capture_32(x->data) == A_CP_RB_WPTR);
}

static void look_ahead(Replay *r)
{
    Capture ahead = *r->c;
    CaptureRecord x;

    ahead.cut = NULL;
    while (capture_next(&ahead, &x) && !tells_of_words(&x)) {
        if (x.kind == RV100_CAPTURE_MEM) {
            learn_record(r, &x);
        }
    }
    g_free(ahead.cut);
}

static void learn(Replay *r)
{
    for (guint i = 0; i < r->inside->len; i++) {
        const CaptureRecord *x = &g_array_index(r->inside, CaptureRecord, i);

        if (x->kind == RV100_CAPTURE_MEM) {
            learn_record(r, x);
        }
    }
    if (tells_of_words(&r->call)) {
        look_ahead(r);
    }
}

static void check_rest(Replay *r)
{
    const CaptureRecord *x = take(r, RV100_CAPTURE_ENGINE, &r->next_engine);

    if (x) {
        differs(r, "the engine wrote %s [%04x] = 0x%08x in the capture, here "
                "it does not", reg_name(capture_32(x->data)),
                capture_32(x->data), capture_32(x->data + 4));
    } else if (take(r, RV100_CAPTURE_OUT, &r->next_out)) {
        differs(r, "the chip wrote to memory in the capture, here it does "
                "not");
    }
}

static void run_call(Replay *r)
{
    if (r->memory) {
        learn(r);
    }
    r->next_now = r->next_mem = r->next_out = 0;
    r->next_irq = r->next_engine = r->next_packet = 0;
    r->time = r->call.time;
    halt_in_time(r);
    for (unsigned i = 0; i < G_N_ELEMENTS(calls); i++) {
        if (calls[i].kind == r->call.kind) {
            calls[i].run(r);
        }
    }
    check_rest(r);
    r->stats->calls++;
}

static Rv100 *new_chip(Replay *r)
{
    static const uint16_t on = 1, off = 0;
    static const uint16_t *states[RV100_N_TRACES];
    static const Rv100Host host = {
        .dma_read = host_dma_read,
        .dma_write = host_dma_write,
        .irq = host_irq,
        .now = host_now,
        .set_timer = host_set_timer,
        .vram_dirty = host_vram_dirty,
        .display_changed = host_display_changed,
        .vga_misc_read = host_vga_misc_read,
        .vga_misc_write = host_vga_misc_write,
        .config_read = host_config_read,
        .log = host_log,
        .engine_write = host_engine_write,
        .trace_state = states,
        .trace = host_trace,
    };
    Rv100Config config = {
        .vram = r->vram, .vram_size = r->c->vram_size,
        .slice_steps = r->c->slice_steps, .fetch_words = r->c->fetch_words,
    };

    for (int id = 0; id < RV100_N_TRACES; id++) {
        states[id] = id == RV100_TRACE_packet ? &on : &off;
    }
    return rv100_new(&host, r, &config);
}

Replay *replay_new(Capture *c, const ReplayOptions *o, ReplayStats *stats)
{
    Replay *r = g_new0(Replay, 1);

    *stats = (ReplayStats) { 0 };
    r->c = c;
    r->o = o;
    r->stats = stats;
    r->vram = g_malloc0(c->vram_size);
    r->inside = g_array_new(FALSE, FALSE, sizeof(CaptureRecord));
    r->pixels = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    for (unsigned head = 0; head < RV100_HEADS; head++) {
        r->shown[head].pixels = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    }
    r->memory = o->keep_memory ? replay_memory_new() : NULL;
    r->chip = new_chip(r);
    return r;
}

void replay_free(Replay *r)
{
    rv100_free(r->chip);
    g_free(r->vram);
    g_array_unref(r->inside);
    g_array_unref(r->pixels);
    for (unsigned head = 0; head < RV100_HEADS; head++) {
        g_array_unref(r->shown[head].pixels);
    }
    g_clear_pointer(&r->memory, replay_memory_free);
    g_free(r->difference);
    g_free(r);
}

bool replay_call(Replay *r)
{
    if (!read_call(r)) {
        return false;
    }
    run_call(r);
    return true;
}

ReplayResult replay_run(Capture *c, const ReplayOptions *o, ReplayStats *stats,
                        char **difference)
{
    Replay *r = replay_new(c, o, stats);
    bool go_on = true, same;

    while (go_on && !r->difference && replay_call(r)) {
        if (o->frame && r->dirty && r->call.time - r->last_frame >= FRAME_NS) {
            go_on = pictures(r);
        }
    }
    if (o->frame && r->dirty && go_on && !r->difference) {
        go_on = pictures(r);
    }
    same = !r->difference;
    *difference = g_steal_pointer(&r->difference);
    replay_free(r);
    return !same ? REPLAY_DIFFERS : go_on ? REPLAY_SAME : REPLAY_STOPPED;
}

/* --- for the debugger --- */

Rv100 *replay_chip(Replay *r)
{
    return r->chip;
}

uint8_t *replay_vram(Replay *r)
{
    return r->vram;
}

Rv100CaptureKind replay_kind(const Replay *r)
{
    return r->call.kind;
}

const char *replay_difference(const Replay *r)
{
    return r->difference;
}

void replay_pause(Replay *r, bool on)
{
    r->paused = on;
}

void replay_astray(Replay *r, bool on)
{
    r->astray = on;
    g_clear_pointer(&r->difference, g_free);
}

ReplayPlace replay_place(const Replay *r)
{
    return (ReplayPlace) { r->c->at, r->c->n, r->time };
}

/* Calls that change what is not part of the chip's state. */
static void redo_outside(Replay *r)
{
    if (r->call.kind == RV100_CAPTURE_BARS) {
        call_bars(r);
    } else if (r->call.kind == RV100_CAPTURE_MONITOR) {
        call_monitor(r);
    } else if (r->call.kind == RV100_CAPTURE_DEBUG) {
        set_held(r);
    }
}

void replay_go_to(Replay *r, const ReplayPlace *place)
{
    Capture *c = r->c;

    replay_memory_free(r->memory);
    r->memory = replay_memory_new();
    capture_rewind(c);
    rv100_held_set(r->chip, false, false);
    while (c->at < place->at && read_call(r)) {
        redo_outside(r);
        for (guint i = 0; i < r->inside->len; i++) {
            const CaptureRecord *x = &g_array_index(r->inside, CaptureRecord,
                                                    i);

            learn_record(r, x);
            if (x->kind == RV100_CAPTURE_HALTED) {
                rv100_held_set(r->chip, true, false);
            }
        }
    }
    g_array_set_size(r->inside, 0);
    look_ahead(r);
    r->time = place->time;
}
