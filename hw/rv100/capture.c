/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of captures (include/rv100/capture.h).
 *
 * While it is attached, the chip's host is the recorder: it passes every call
 * on to the real host and notes what came of it. Calls from the host are noted
 * by the functions of the chip that are called.
 */
#include <string.h>

#include "internal.h"

#define FLUSH_AT 65536
#define PAGE 4096u

struct Rv100Capture {
    Rv100 *s;
    Rv100Host host;             /* the real one */
    void *opaque;
    Rv100CaptureWrite write;
    void *write_opaque;
    GByteArray *buf;
    bool failed;
    bool native;                /* the CRTC shows the frame buffer */
    bool look_at_vram;          /* at the next call */
    bool new_ucode;             /* the host wrote microcode since the hash */
    uint8_t *shadow;            /* VRAM as the reader knows it */
    const uint16_t *states[RV100_N_TRACES];
};

/* --- bytes --- */

static void put8(Rv100Capture *c, uint8_t v)
{
    g_byte_array_append(c->buf, &v, 1);
}

static void put32(Rv100Capture *c, uint32_t v)
{
    v = GUINT32_TO_LE(v);
    g_byte_array_append(c->buf, (const uint8_t *)&v, 4);
}

static void put64(Rv100Capture *c, uint64_t v)
{
    v = GUINT64_TO_LE(v);
    g_byte_array_append(c->buf, (const uint8_t *)&v, 8);
}

static void flush(Rv100Capture *c)
{
    if (!c->failed && c->buf->len) {
        c->failed = !c->write(c->write_opaque, c->buf->data, c->buf->len);
    }
    g_byte_array_set_size(c->buf, 0);
}

static void begin(Rv100Capture *c, Rv100CaptureKind kind, uint32_t bytes)
{
    if (c->buf->len >= FLUSH_AT) {
        flush(c);
    }
    put32(c, kind | bytes << 8);
}

/* A call from the host; bytes: of the payload behind the time. */
static void call(Rv100Capture *c, Rv100CaptureKind kind, uint32_t bytes)
{
    begin(c, kind, 8 + bytes);
    put64(c, c->host.now(c->opaque));
}

/* --- VRAM --- */

static void put_vram(Rv100Capture *c, uint32_t offset, uint32_t len)
{
    while (len) {
        uint32_t n = MIN(len, 1u << 20);

        call(c, RV100_CAPTURE_VRAM, 4 + n);
        put32(c, offset);
        g_byte_array_append(c->buf, c->s->vram + offset, n);
        memcpy(c->shadow + offset, c->s->vram + offset, n);
        offset += n;
        len -= n;
    }
}

/* Pages that were changed past the chip, or by it: the reader gets both. */
static void compare_vram(Rv100Capture *c)
{
    uint32_t size = c->s->vram_size, first = size;

    for (uint32_t at = 0; at <= size; at += PAGE) {
        bool differs = at < size &&
                       memcmp(c->s->vram + at, c->shadow + at, PAGE);

        if (differs) {
            first = MIN(first, at);
        } else if (first < at) {
            put_vram(c, first, at - first);
            first = size;
        }
    }
    c->look_at_vram = false;
}

/* --- the state --- */

static void put_field(Rv100Capture *c, const Rv100StateField *f)
{
    const uint8_t *p = (const uint8_t *)c->s + f->offset;
    size_t len = strlen(f->name);

    put8(c, (uint8_t)len);
    g_byte_array_append(c->buf, (const uint8_t *)f->name, len);
    put8(c, (uint8_t)f->size);
    put8(c, (uint8_t)f->count);
    put8(c, (uint8_t)(f->count >> 8));
    for (unsigned i = 0; i < (unsigned)f->count * f->size; i++) {
        unsigned byte = i % f->size;

        /* of an integer of this machine, lowest byte first */
        put8(c, p[i - byte + (G_BYTE_ORDER == G_LITTLE_ENDIAN
                              ? byte : f->size - 1 - byte)]);
    }
}

static void put_state(Rv100Capture *c)
{
    size_t n, bytes = 0;
    const Rv100StateField *f = rv100_state_fields(&n);

    for (size_t i = 0; i < n; i++) {
        bytes += 4 + strlen(f[i].name) + (size_t)f[i].count * f[i].size;
    }
    call(c, RV100_CAPTURE_STATE, (uint32_t)bytes);
    for (size_t i = 0; i < n; i++) {
        put_field(c, &f[i]);
    }
    c->new_ucode = true;
}

static const Rv100StateField *find_field(const char *name, size_t len)
{
    size_t n;
    const Rv100StateField *f = rv100_state_fields(&n);

    for (size_t i = 0; i < n; i++) {
        if (strlen(f[i].name) == len && !memcmp(f[i].name, name, len)) {
            return &f[i];
        }
    }
    return NULL;
}

static void load_field(Rv100 *s, const Rv100StateField *f, const uint8_t *data)
{
    uint8_t *p = (uint8_t *)s + f->offset;

    for (unsigned i = 0; i < (unsigned)f->count * f->size; i++) {
        unsigned byte = i % f->size;

        p[i - byte + (G_BYTE_ORDER == G_LITTLE_ENDIAN
                      ? byte : f->size - 1 - byte)] = data[i];
    }
}

bool rv100_capture_load_state(Rv100 *s, const uint8_t *data, size_t len,
                              const char **why)
{
    size_t at = 0;

    while (at < len) {
        size_t name = data[at++], bytes;
        const Rv100StateField *f;
        unsigned size, count;

        *why = "the state is cut off";
        if (len - at < name + 3) {
            return false;
        }
        f = find_field((const char *)data + at, name);
        at += name;
        size = data[at];
        count = data[at + 1] | (unsigned)data[at + 2] << 8;
        at += 3;
        bytes = (size_t)size * count;
        if (len - at < bytes) {
            return false;
        }
        if (!f || f->size != size || f->count != count) {
            *why = "the state has members that this version does not have";
            return false;
        }
        load_field(s, f, data + at);
        at += bytes;
    }
    if (!rv100_state_check(s, why)) {
        return false;
    }
    rv100_state_loaded(s);
    return true;
}

/* --- calls from the host --- */

static void before_call(Rv100Capture *c)
{
    if (c->look_at_vram) {
        compare_vram(c);
    }
}

void rv100_capture_access(Rv100 *s, Rv100CaptureKind kind, uint32_t offset,
                          unsigned size, uint64_t value)
{
    Rv100Capture *c = s->capture;
    bool write = kind == RV100_CAPTURE_MMIO_WRITE ||
                 kind == RV100_CAPTURE_IO_WRITE;

    before_call(c);
    call(c, kind, write ? 13 : 5);
    put32(c, offset);
    put8(c, (uint8_t)size);
    if (write) {
        put64(c, value);
        c->new_ucode |= kind == RV100_CAPTURE_IO_WRITE ||
                        offset / 4 == R_CP_ME_RAM_DATAL || offset / 4 <= 1;
    }
}

void rv100_capture_value(Rv100 *s, uint64_t value)
{
    begin(s->capture, RV100_CAPTURE_VALUE, 8);
    put64(s->capture, value);
}

void rv100_capture_call(Rv100 *s, Rv100CaptureKind kind, unsigned n,
                        const uint32_t *args)
{
    Rv100Capture *c = s->capture;

    before_call(c);
    call(c, kind, 4 * n);
    for (unsigned i = 0; i < n; i++) {
        put32(c, args[i]);
    }
}

void rv100_capture_timer(Rv100 *s, Rv100Timer timer)
{
    Rv100Capture *c = s->capture;

    flush(c);                   /* what happened until now is safe */
    before_call(c);
    call(c, RV100_CAPTURE_TIMER, 1);
    put8(c, timer);
}

void rv100_capture_monitor(Rv100 *s, unsigned connector, bool plugged,
                           const uint8_t *edid, uint32_t size)
{
    Rv100Capture *c = s->capture;

    size = edid ? MIN(size, (uint32_t)RV100_EDID_MAX) : 0;
    call(c, RV100_CAPTURE_MONITOR, 2 + size);
    put8(c, (uint8_t)connector);
    put8(c, plugged);
    if (size) {
        g_byte_array_append(c->buf, edid, size);
    }
}

void rv100_capture_palette(Rv100 *s, unsigned head, unsigned index,
                           uint32_t rgb30)
{
    call(s->capture, RV100_CAPTURE_PALETTE, 6);
    put8(s->capture, (uint8_t)head);
    put8(s->capture, (uint8_t)index);
    put32(s->capture, rgb30);
}

void rv100_capture_debug(Rv100 *s, Rv100CaptureDebug what, uint64_t units)
{
    before_call(s->capture);
    call(s->capture, RV100_CAPTURE_DEBUG, 9);
    put8(s->capture, what);
    put64(s->capture, units);
}

void rv100_capture_halted(Rv100 *s, uint64_t units)
{
    begin(s->capture, RV100_CAPTURE_HALTED, 8);
    put64(s->capture, units);
}

/* A debugger that was there before. */
static void put_session(Rv100 *s)
{
    if (s->debug.hooks) {
        rv100_capture_debug(s, RV100_CAPTURE_ATTACHED, 0);
        rv100_capture_debug(s, s->debug.halted ? RV100_CAPTURE_HALT
                                               : RV100_CAPTURE_GO,
                            s->debug.limit);
    }
}

void rv100_capture_state(Rv100 *s)
{
    compare_vram(s->capture);
    put_state(s->capture);
}

void rv100_capture_vram(Rv100 *s, uint32_t offset, uint32_t len)
{
    if (s->capture && offset < s->vram_size) {
        before_call(s->capture);
        put_vram(s->capture, offset, MIN(len, s->vram_size - offset));
    }
}

/* --- calls to the host --- */

static void put_dma(Rv100Capture *c, Rv100CaptureKind kind,
                    Rv100DmaResult result, uint64_t addr, const void *buf,
                    uint32_t len)
{
    uint32_t n = MIN(len, RV100_CAPTURE_MAX - 9);

    begin(c, kind, 9 + n);
    put8(c, result);
    put64(c, addr);
    g_byte_array_append(c->buf, buf, n);
}

static Rv100DmaResult dma_read(void *opaque, uint64_t addr, void *buf,
                               uint32_t len)
{
    Rv100Capture *c = opaque;
    Rv100DmaResult result = c->host.dma_read(c->opaque, addr, buf, len);

    if (c->s->debug.quiet) {
        return result;          /* a look of the debugger */
    }
    /* What an access that failed leaves in the buffer is no memory. */
    put_dma(c, RV100_CAPTURE_MEM, result, addr, buf,
            result == RV100_DMA_OK ? len : 0);
    return result;
}

static Rv100DmaResult dma_write(void *opaque, uint64_t addr, const void *buf,
                                uint32_t len)
{
    Rv100Capture *c = opaque;
    Rv100DmaResult result = c->host.dma_write(c->opaque, addr, buf, len);

    if (!c->s->debug.quiet) {
        put_dma(c, RV100_CAPTURE_OUT, result, addr, buf, len);
    }
    return result;
}

static void irq(void *opaque, bool level)
{
    Rv100Capture *c = opaque;

    begin(c, RV100_CAPTURE_IRQ, 1);
    put8(c, level);
    if (c->host.irq) {
        c->host.irq(c->opaque, level);
    }
}

static int64_t now(void *opaque)
{
    Rv100Capture *c = opaque;
    int64_t t = c->host.now(c->opaque);

    if (c->s->debug.quiet) {
        return t;
    }
    begin(c, RV100_CAPTURE_NOW, 8);
    put64(c, t);
    return t;
}

static void set_timer(void *opaque, Rv100Timer timer, int64_t when)
{
    Rv100Capture *c = opaque;

    c->host.set_timer(c->opaque, timer, when);
}

static void vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    Rv100Capture *c = opaque;

    if (c->host.vram_dirty) {
        c->host.vram_dirty(c->opaque, offset, len);
    }
}

/* What the VGA core painted past the chip matters from here on. */
static void display_changed(void *opaque)
{
    Rv100Capture *c = opaque;

    bool native = RV100_GET(c->s->regs[R_CRTC_GEN_CNTL], CRTC_GEN_CNTL,
                            CRTC_EXT_DISP_EN);

    c->look_at_vram |= native && !c->native;
    c->native = native;
    if (c->host.display_changed) {
        c->host.display_changed(c->opaque);
    }
}

static void palette_changed(void *opaque, unsigned head, unsigned index,
                            uint32_t rgb30)
{
    Rv100Capture *c = opaque;

    if (c->host.palette_changed) {
        c->host.palette_changed(c->opaque, head, index, rgb30);
    }
}

static uint8_t vga_misc_read(void *opaque)
{
    Rv100Capture *c = opaque;

    return c->host.vga_misc_read(c->opaque);
}

static void vga_misc_write(void *opaque, uint8_t value)
{
    Rv100Capture *c = opaque;

    c->host.vga_misc_write(c->opaque, value);
}

static uint32_t config_read(void *opaque, uint32_t offset)
{
    Rv100Capture *c = opaque;

    return c->host.config_read(c->opaque, offset);
}

static void log_line(void *opaque, Rv100LogLevel level, const char *line)
{
    Rv100Capture *c = opaque;

    if (c->host.log) {
        c->host.log(c->opaque, level, line);
    }
}

static void engine_write(void *opaque, uint32_t dword, uint32_t value)
{
    Rv100Capture *c = opaque;

    begin(c, RV100_CAPTURE_ENGINE, 8);
    put32(c, dword);
    put32(c, value);
    if (c->host.engine_write) {
        c->host.engine_write(c->opaque, dword, value);
    }
}

/* SHA-256 of the image as linux-firmware has it: pairs, big-endian. */
static void put_ucode(Rv100Capture *c)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    uint8_t hash[RV100_CAPTURE_HASH];
    gsize len = sizeof(hash);

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        uint32_t pair[2] = { GUINT32_TO_BE(c->s->me.hi[i]),
                             GUINT32_TO_BE(c->s->me.lo[i]) };

        g_checksum_update(sum, (const guchar *)pair, sizeof(pair));
    }
    g_checksum_get_digest(sum, hash, &len);
    begin(c, RV100_CAPTURE_UCODE, sizeof(hash));
    g_byte_array_append(c->buf, hash, sizeof(hash));
    c->new_ucode = false;
}

static void put_packet(Rv100Capture *c, uint32_t header, uint8_t entry)
{
    if (c->new_ucode) {
        put_ucode(c);
    }
    begin(c, RV100_CAPTURE_PACKET, 6);
    put32(c, header);
    put8(c, entry);
    put8(c, c->s->cp.on_indirect);
}

static void put_fetch(Rv100Capture *c, bool indirect, uint32_t addr,
                      uint32_t n)
{
    const Rv100Queue *q = indirect ? &c->s->cp.indirect : &c->s->cp.primary;

    n = MIN(n, RV100_QUEUE_WORDS);
    begin(c, RV100_CAPTURE_FETCH, 5 + 4 * n);
    put8(c, indirect);
    put32(c, addr);
    for (uint32_t i = 0; i < n; i++) {
        put32(c, q->word[i]);
    }
}

static const uint16_t always = 1, never;

static void trace(void *opaque, Rv100TraceId id, const uint64_t *args)
{
    Rv100Capture *c = opaque;

    if (id == RV100_TRACE_packet) {
        put_packet(c, (uint32_t)args[0], (uint8_t)args[1]);
    } else if (id == RV100_TRACE_fetch) {
        put_fetch(c, args[0], (uint32_t)args[1], (uint32_t)args[2]);
    }
    if (c->host.trace_state && *c->host.trace_state[id]) {
        c->host.trace(c->opaque, id, args);
    }
}

/* --- start, stop --- */

static void put_header(Rv100Capture *c)
{
    g_byte_array_append(c->buf, (const uint8_t *)RV100_CAPTURE_MAGIC, 8);
    put32(c, RV100_CAPTURE_VERSION | RV100_CAPTURE_HEADER << 16);
    put32(c, RV100_CAPTURE_ID);
    put32(c, c->s->vram_size);
    put32(c, c->s->config.slice_steps);
    put32(c, c->s->config.fetch_words);
    put32(c, 0);
}

static void attach(Rv100Capture *c)
{
    for (int id = 0; id < RV100_N_TRACES; id++) {
        c->states[id] = c->host.trace_state ? c->host.trace_state[id] : &never;
    }
    c->states[RV100_TRACE_packet] = c->states[RV100_TRACE_fetch] = &always;
    c->s->host = (Rv100Host) {
        .dma_read = dma_read,
        .dma_write = dma_write,
        .irq = irq,
        .now = now,
        .set_timer = set_timer,
        .vram_dirty = vram_dirty,
        .display_changed = display_changed,
        .palette_changed = palette_changed,
        .vga_misc_read = c->host.vga_misc_read ? vga_misc_read : NULL,
        .vga_misc_write = c->host.vga_misc_write ? vga_misc_write : NULL,
        .config_read = c->host.config_read ? config_read : NULL,
        .log = log_line,
        .engine_write = engine_write,
        .trace_state = c->states,
        .trace = trace,
    };
    c->s->opaque = c;
    c->s->capture = c;
}

void rv100_capture_start(Rv100 *s, Rv100CaptureWrite write, void *opaque)
{
    Rv100Capture *c;

    rv100_capture_stop(s);
    c = g_new0(Rv100Capture, 1);
    c->s = s;
    c->host = s->host;
    c->opaque = s->opaque;
    c->write = write;
    c->write_opaque = opaque;
    c->buf = g_byte_array_new();
    c->shadow = g_malloc0(s->vram_size);
    put_header(c);
    attach(c);
    rv100_capture_call(s, RV100_CAPTURE_BARS, 3,
                       (const uint32_t[]) { s->bar0, s->bar_io, s->bar_mmio });
    for (unsigned i = 0; i < RV100_CONNECTORS; i++) {
        rv100_capture_monitor(s, i, s->plugged[i], s->edid[i],
                              s->edid_size[i]);
    }
    rv100_capture_state(s);
    put_session(s);
    flush(c);
}

void rv100_capture_stop(Rv100 *s)
{
    Rv100Capture *c = s->capture;

    if (!c) {
        return;
    }
    compare_vram(c);
    call(c, RV100_CAPTURE_END, 0);
    flush(c);
    s->host = c->host;
    s->opaque = c->opaque;
    s->capture = NULL;
    g_byte_array_unref(c->buf);
    g_free(c->shadow);
    g_free(c);
}
