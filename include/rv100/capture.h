/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures: everything that goes into the chip, and what came out of it.
 *
 * The recorder sits between the chip and its host; while none is attached it
 * costs one test in each call from the host. A chip that is given the same
 * calls, times and memory does the same again: that is replay.
 *
 * File: a header of RV100_CAPTURE_HEADER bytes, then records. Numbers are
 * little-endian. A record is its kind (8 bits), the bytes of its payload (24
 * bits) and the payload. Kinds that a reader does not know are skipped. Calls
 * from the host come first, what happened inside of them follows.
 *
 * Header: magic (8 bytes), version (16 bits), bytes of the header (16), PCI
 * device << 16 | vendor (32), bytes of VRAM (32), units of a slice (32), words
 * of a fetch (32), 0 (32).
 */
#ifndef RV100_CAPTURE_H
#define RV100_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rv100/chip.h"

#define RV100_CAPTURE_MAGIC "RV100CAP"
#define RV100_CAPTURE_VERSION 2         /* 1: without DEBUG and HALTED */
#define RV100_CAPTURE_HEADER 32
#define RV100_CAPTURE_ID 0x51591002u
#define RV100_CAPTURE_HASH 32           /* SHA-256 */
#define RV100_CAPTURE_MAX 0xffffffu     /* bytes of a payload */

/*    name         kind  least bytes of the payload
 * The payload of a call begins with the time of it (64 bits). */
#define RV100_CAPTURE_KINDS(X) \
    X(MMIO_READ,   0x01, 13)    /* offset (32), size (8) */ \
    X(MMIO_WRITE,  0x02, 21)    /* offset (32), size (8), value (64) */ \
    X(IO_READ,     0x03, 13) \
    X(IO_WRITE,    0x04, 21) \
    X(TIMER,       0x05, 9)     /* Rv100Timer (8) */ \
    X(RUN,         0x06, 12)    /* rv100_run: units (32) */ \
    X(RESET,       0x07, 8) \
    X(BARS,        0x08, 20)    /* 3 addresses (32) */ \
    X(MONITOR,     0x09, 10)    /* connector, plugged (8 each), EDID */ \
    X(PALETTE,     0x0a, 14)    /* head, index (8 each), colour (32) */ \
    X(HANG,        0x0b, 8) \
    X(VRAM,        0x0c, 12)    /* offset (32), bytes: written past the chip */ \
    X(STATE,       0x0d, 8)     /* fields: see capture.c */ \
    X(END,         0x0e, 8)     /* the capture was closed */ \
    X(DEBUG,       0x0f, 17)    /* what a debugger does: Rv100CaptureDebug (8),
                                 * units (64) */ \
    /* inside of a call */ \
    X(NOW,         0x40, 8)     /* the time that the chip was told (64) */ \
    X(MEM,         0x41, 9)     /* read: result (8), address (64), bytes */ \
    X(OUT,         0x42, 9)     /* written: result, address, bytes */ \
    X(IRQ,         0x43, 1)     /* level of INTA (8) */ \
    X(ENGINE,      0x44, 8)     /* register write: dword (32), value (32) */ \
    X(PACKET,      0x45, 6)     /* header (32), entry, from the indirect
                                 * stream (8 each) */ \
    X(FETCH,       0x46, 5)     /* indirect (8), card address (32), words */ \
    X(UCODE,       0x47, 32)    /* hash of the image that is there now */ \
    X(VALUE,       0x48, 8)     /* what a read returned (64) */ \
    X(HALTED,      0x49, 8)     /* by a debugger, after units of a slice (64) */

#define RV100_CAPTURE_INSIDE 0x40

typedef enum Rv100CaptureKind {
#define X(name, kind, least) RV100_CAPTURE_##name = kind,
    RV100_CAPTURE_KINDS(X)
#undef X
} Rv100CaptureKind;

typedef enum Rv100CaptureDebug {
    RV100_CAPTURE_DETACHED,
    RV100_CAPTURE_ATTACHED,
    RV100_CAPTURE_HALT,         /* between slices */
    RV100_CAPTURE_GO,           /* for so many units, 0: no limit */
    RV100_CAPTURE_DEBUGS,
} Rv100CaptureDebug;

/* Where the bytes go; false: they cannot be written, the capture ends. */
typedef bool (*Rv100CaptureWrite)(void *opaque, const void *data, size_t len);

/* From now on. The state at this moment and VRAM are recorded first. */
void rv100_capture_start(Rv100 *s, Rv100CaptureWrite write, void *opaque);
/* Write the end mark and detach; nothing happens if there is no capture. */
void rv100_capture_stop(Rv100 *s);
/* The host wrote to VRAM itself (after it did). */
void rv100_capture_vram(Rv100 *s, uint32_t offset, uint32_t len);
/* Load the payload of a STATE record behind the time. On false *why (static)
 * says what does not fit. */
bool rv100_capture_load_state(Rv100 *s, const uint8_t *data, size_t len,
                              const char **why);

#endif
