/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture.h"

#include <inttypes.h>
#include <string.h>

#include "tool.h"

#define RECORD_HEADER 4
#define MIN_VRAM (1u << 20)
#define MAX_VRAM (128u << 20)

/* Least bytes of the payload of each kind. */
static const struct {
    uint8_t kind, least;
} kinds[] = {
#define X(name, kind, least) { kind, least },
    RV100_CAPTURE_KINDS(X)
#undef X
};

static int least_bytes(unsigned kind)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (kinds[i].kind == kind) {
            return kinds[i].least;
        }
    }
    return -1;
}

bool capture_open(Capture *c, const char *name, const uint8_t *data,
                  size_t len, GError **error)
{
    uint32_t version, header;

    *c = (Capture) { .name = name, .data = data, .len = len };
    if (len < RV100_CAPTURE_HEADER ||
        memcmp(data, RV100_CAPTURE_MAGIC, strlen(RV100_CAPTURE_MAGIC))) {
        tool_set_error(error, "%s: no capture of the device (its first bytes "
                       "are not " RV100_CAPTURE_MAGIC " and a header)", name);
        return false;
    }
    version = capture_32(data + 8) & 0xffff;
    header = capture_32(data + 8) >> 16;
    c->vram_size = capture_32(data + 16);
    c->slice_steps = capture_32(data + 20);
    c->fetch_words = capture_32(data + 24);
    if (!version || version > RV100_CAPTURE_VERSION) {
        tool_set_error(error, "%s: version %u of captures; this tool reads up "
                       "to version %u", name, version, RV100_CAPTURE_VERSION);
    } else if (capture_32(data + 12) != RV100_CAPTURE_ID) {
        tool_set_error(error, "%s: of another chip (PCI %04x:%04x)", name,
                       capture_32(data + 12) & 0xffff,
                       capture_32(data + 12) >> 16);
    } else if (header < RV100_CAPTURE_HEADER || header > len ||
               c->vram_size < MIN_VRAM || c->vram_size > MAX_VRAM ||
               c->vram_size & (c->vram_size - 1)) {
        tool_set_error(error, "%s: the header is damaged (%u bytes, %u bytes "
                       "of video memory)", name, header, c->vram_size);
    } else if (c->slice_steps > RV100_SLICE_MAX || c->fetch_words > RV100_FETCH_MAX) {
        tool_set_error(error, "%s: the header is damaged (slices of %u steps, at most "
                       "%u; fetches of %u words, at most %u)", name, c->slice_steps,
                       RV100_SLICE_MAX, c->fetch_words, RV100_FETCH_MAX);
    } else {
        c->at = header;
        return true;
    }
    return false;
}

static bool cut_here(Capture *c, bool damaged, const char *what)
{
    g_free(c->cut);
    c->damaged = damaged;
    c->cut = g_strdup_printf("%s at byte %zu, behind record %" PRIu64, what,
                             c->at, c->n);
    return false;
}

/* The next record of a known kind. */
bool capture_next(Capture *c, CaptureRecord *r)
{
    for (;;) {
        uint32_t head, bytes;
        int least;

        if (c->ended) {
            return c->at < c->len
                   ? cut_here(c, true, "bytes follow the end mark") : false;
        }
        if (c->len - c->at < RECORD_HEADER) {
            return cut_here(c, false, c->at == c->len
                            ? "the end mark is missing" : "cut off");
        }
        head = capture_32(c->data + c->at);
        bytes = head >> 8;
        if (c->len - c->at - RECORD_HEADER < bytes) {
            return cut_here(c, false, "cut off");
        }
        least = least_bytes(head & 0xff);
        if (least >= 0 && bytes < (uint32_t)least) {
            return cut_here(c, true, "a record is too short for its kind");
        }
        *r = (CaptureRecord) {
            .kind = head & 0xff, .number = c->n, .at = c->at,
            .data = c->data + c->at + RECORD_HEADER, .len = bytes,
        };
        c->at += RECORD_HEADER + bytes;
        c->n++;
        if (least < 0) {
            c->skipped++;
            continue;
        }
        if (r->kind < RV100_CAPTURE_INSIDE) {
            r->time = (int64_t)capture_64(r->data);
            r->data += 8;
            r->len -= 8;
        }
        c->ended = r->kind == RV100_CAPTURE_END;
        return true;
    }
}

void capture_back(Capture *c, const CaptureRecord *r)
{
    c->at = r->at;
    c->n = r->number;
    c->ended = false;
}

void capture_rewind(Capture *c)
{
    g_clear_pointer(&c->cut, g_free);
    c->at = capture_32(c->data + 8) >> 16;
    c->n = c->skipped = 0;
    c->ended = c->damaged = false;
}

void capture_close(Capture *c)
{
    g_free(c->cut);
    c->cut = NULL;
}
