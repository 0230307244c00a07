/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words arrive by fetches and by the host's writes to the apertures of the
 * command queue; when the engine begins a packet its header is the next one in
 * the stream that it comes from. Should it not be (the microcode may take more
 * or fewer words than a header says), it is looked for.
 */
#include "capture-decode.h"

#include <inttypes.h>
#include <string.h>

#include "rv100-pm4.h"
#include "rv100-regs.h"

#define FLUSH_RECORDS 4096
#define KEEP_WORDS 0x10000      /* of a stream that nobody takes from */

typedef struct Reader {
    Decoder *d;
    bool verbose;
    bool started;               /* the first state was there */
    GArray *stream[2];          /* words not taken yet: primary, indirect */
    /* the packet at hand */
    bool open;
    uint64_t number;            /* of its record */
    uint32_t header;
    unsigned from;              /* stream */
    GArray *writes;             /* DecodeWrite */
} Reader;

static void drop(GArray *a, guint n)
{
    if (n) {
        g_array_remove_range(a, 0, MIN(n, a->len));
    }
}

/* Where in the stream is this header? Its length: it is not there. */
static guint find_header(const GArray *a, uint32_t header)
{
    guint i = 0;

    while (i < a->len && g_array_index(a, uint32_t, i) != header) {
        i++;
    }
    return i;
}

/* The packet is over when the next one begins: all its words have come. */
static void close_packet(Reader *r)
{
    GArray *a = r->stream[r->from];
    uint64_t want = decoder_packet_dwords(r->d, r->header);
    guint at, n;

    if (!r->open) {
        return;
    }
    r->open = false;
    decoder_place(r->d, &r->number);
    at = find_header(a, r->header);
    if (at == a->len) {
        r->from = !r->from;
        a = r->stream[r->from];
        at = find_header(a, r->header);
    }
    if (at == a->len) {
        /* The fetch is not in the capture: only the header is known. */
        decoder_captured(r->d, r->number, &r->header, 1,
                         (const DecodeWrite *)r->writes->data, r->writes->len);
        return;
    }
    for (guint i = 0; i < at; i++) {
        if (g_array_index(a, uint32_t, i) >> PM4_TYPE2_TYPE_SHIFT != 2) {
            decoder_note(r->d, "%u words in front of this packet were taken "
                         "by the one before, or not at all", at);
            break;
        }
    }
    drop(a, at);
    n = (guint)MIN(want, a->len);
    decoder_captured(r->d, r->number, (const uint32_t *)a->data, n,
                     (const DecodeWrite *)r->writes->data, r->writes->len);
    drop(a, n);
}

static void add_words(Reader *r, unsigned stream, const uint8_t *p, uint32_t n)
{
    GArray *a = r->stream[stream];

    for (uint32_t i = 0; i < n; i++) {
        uint32_t w = capture_32(p + 4 * i);

        g_array_append_val(a, w);
    }
    if (a->len > KEEP_WORDS) {
        drop(a, a->len - KEEP_WORDS);
    }
}

/* --- records --- */

static bool in_port(uint32_t offset, uint32_t first, uint32_t dwords)
{
    return offset >= first && offset < first + 4 * dwords;
}

static void host_write(Reader *r, const CaptureRecord *x)
{
    uint32_t offset = capture_32(x->data);
    uint64_t value = capture_64(x->data + 5);
    bool indirect = in_port(offset, A_CP_CSQ_APER_INDIRECT,
                            R_CP_CSQ_APER_INDIRECT_DWORDS);

    if (x->data[4] != 4 || offset % 4) {
        decoder_note(r->d, "host  writes %u bytes at 0x%04x: 0x%" PRIx64,
                     x->data[4], offset, value);
        return;
    }
    if (indirect || in_port(offset, A_CP_CSQ_APER_PRIMARY,
                            R_CP_CSQ_APER_PRIMARY_DWORDS)) {
        add_words(r, indirect, x->data + 5, 1);
    } else if (in_port(offset, A_CP_ME_RAM_ADDR, 4) && !r->verbose) {
        return;                 /* the hash says which microcode it was */
    } else {
        decoder_write(r->d, "host ", offset / 4, (uint32_t)value);
    }
}

/* The I/O ports are the first 256 bytes of the registers. */
static void rec_io_write(Reader *r, const CaptureRecord *x)
{
    uint32_t offset = capture_32(x->data);
    uint64_t value = capture_64(x->data + 5);

    if (x->data[4] == 4 && offset % 4 == 0) {
        decoder_write(r->d, "port ", offset / 4, (uint32_t)value);
    } else {
        decoder_note(r->d, "port  writes %u bytes at 0x%02x: 0x%" PRIx64,
                     x->data[4], offset, value);
    }
}

static void rec_read(Reader *r, const CaptureRecord *x)
{
    if (r->verbose) {
        uint32_t offset = capture_32(x->data);
        g_autofree char *name = decoder_reg_name(r->d, offset / 4);

        if (offset % 4) {
            decoder_note(r->d, "host  reads %s, from byte %u on", name,
                         offset % 4);
        } else {
            decoder_note(r->d, "host  reads %s", name);
        }
    }
}

static void rec_value(Reader *r, const CaptureRecord *x)
{
    if (r->verbose) {
        decoder_note(r->d, "      ... 0x%08" PRIx64, capture_64(x->data));
    }
}

static void rec_irq(Reader *r, const CaptureRecord *x)
{
    decoder_note(r->d, "irq   %s", x->data[0] ? "up" : "down");
}

static void rec_debug(Reader *r, const CaptureRecord *x)
{
    static const char *const what[RV100_CAPTURE_DEBUGS] = {
        [RV100_CAPTURE_DETACHED] = "goes",
        [RV100_CAPTURE_ATTACHED] = "comes",
        [RV100_CAPTURE_HALT] = "halts the engine",
        [RV100_CAPTURE_GO] = "lets the engine go",
    };
    uint64_t units = capture_64(x->data + 1);
    const char *text = x->data[0] < RV100_CAPTURE_DEBUGS ? what[x->data[0]]
                                                         : "does something";

    if (units) {
        decoder_note(r->d, "debugger %s for %" PRIu64 " units", text, units);
    } else {
        decoder_note(r->d, "debugger %s", text);
    }
}

static void rec_halted(Reader *r, const CaptureRecord *x)
{
    decoder_note(r->d, "debugger has halted the engine, after %" PRIu64
                 " units of a slice", capture_64(x->data));
}

static void rec_state(Reader *r, const CaptureRecord *x)
{
    if (r->started) {
        decoder_note(r->d, "a state was loaded, or a debugger changed it");
    }
    r->started = true;
}

static void rec_ucode(Reader *r, const CaptureRecord *x)
{
    g_autoptr(GString) s = g_string_new(NULL);

    for (unsigned i = 0; i < RV100_CAPTURE_HASH; i++) {
        g_string_append_printf(s, "%02x", x->data[i]);
    }
    decoder_note(r->d, "microcode sha256 %s", s->str);
}

static void rec_reset(Reader *r, const CaptureRecord *x)
{
    decoder_note(r->d, "reset of the device");
    g_array_set_size(r->stream[0], 0);
    g_array_set_size(r->stream[1], 0);
}

static void rec_fetch(Reader *r, const CaptureRecord *x)
{
    uint32_t n = (x->len - 5) / 4;

    if (r->verbose) {
        decoder_note(r->d, "fetch %u words of the %s at card address 0x%08x",
                     n, x->data[0] ? "indirect buffer" : "ring",
                     capture_32(x->data + 1));
    }
    add_words(r, x->data[0] != 0, x->data + 5, n);
}

static void rec_engine(Reader *r, const CaptureRecord *x)
{
    DecodeWrite w = { capture_32(x->data), capture_32(x->data + 4) };

    g_array_append_val(r->writes, w);
}

static void rec_packet(Reader *r, const CaptureRecord *x)
{
    close_packet(r);
    r->open = true;
    r->number = x->number;
    r->header = capture_32(x->data);
    r->from = x->data[5] != 0;
    g_array_set_size(r->writes, 0);
}

static const struct {
    Rv100CaptureKind kind;
    bool ends_packet;           /* shown in order with the packets */
    void (*run)(Reader *r, const CaptureRecord *x);
} records[] = {
    { RV100_CAPTURE_MMIO_WRITE, false, host_write },
    { RV100_CAPTURE_IO_WRITE, false, rec_io_write },
    { RV100_CAPTURE_MMIO_READ, false, rec_read },
    { RV100_CAPTURE_IO_READ, false, rec_read },
    { RV100_CAPTURE_VALUE, false, rec_value },
    { RV100_CAPTURE_IRQ, true, rec_irq },
    { RV100_CAPTURE_UCODE, true, rec_ucode },
    { RV100_CAPTURE_RESET, true, rec_reset },
    { RV100_CAPTURE_FETCH, false, rec_fetch },
    { RV100_CAPTURE_ENGINE, false, rec_engine },
    { RV100_CAPTURE_PACKET, true, rec_packet },
    { RV100_CAPTURE_DEBUG, true, rec_debug },
    { RV100_CAPTURE_HALTED, true, rec_halted },
    { RV100_CAPTURE_STATE, true, rec_state },
};

void capture_decode(Capture *c, Decoder *d, bool verbose,
                    bool (*flush)(void *opaque), void *opaque)
{
    Reader r = {
        .d = d, .verbose = verbose,
        .writes = g_array_new(FALSE, FALSE, sizeof(DecodeWrite)),
    };
    CaptureRecord x;
    bool go_on = true;

    for (unsigned i = 0; i < 2; i++) {
        r.stream[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    while (go_on && capture_next(c, &x)) {
        for (unsigned i = 0; i < G_N_ELEMENTS(records); i++) {
            if (records[i].kind == x.kind) {
                if (records[i].ends_packet) {
                    close_packet(&r);
                }
                decoder_place(d, &x.number);
                records[i].run(&r, &x);
            }
        }
        if (x.number % FLUSH_RECORDS == 0) {
            go_on = flush(opaque);
        }
    }
    close_packet(&r);
    decoder_place(d, NULL);
    g_array_unref(r.stream[0]);
    g_array_unref(r.stream[1]);
    g_array_unref(r.writes);
}
