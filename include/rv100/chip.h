/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The RV100 chip: what a host program (QEMU device, tool, test, fuzzer) sees.
 *
 * Single threaded: the caller serialises all calls. No call blocks; engine work
 * is done in slices from rv100_timer(). Addresses and sizes are in bytes,
 * times in nanoseconds of the host's virtual clock.
 */
#ifndef RV100_CHIP_H
#define RV100_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rv100/trace.h"

typedef struct Rv100 Rv100;

typedef enum Rv100DmaResult {
    RV100_DMA_OK,
    RV100_DMA_DISABLED,         /* bus mastering is off: may be tried again */
    RV100_DMA_ERROR,            /* nothing answers at the address */
} Rv100DmaResult;

typedef enum Rv100LogLevel {
    RV100_LOG_GUEST_ERROR,      /* the guest did something the chip does not do */
    RV100_LOG_UNIMP,            /* the chip does it, the model does not */
} Rv100LogLevel;

typedef enum Rv100Timer {
    RV100_TIMER_ENGINE,         /* next slice of the command processor */
    RV100_TIMER_DISPLAY,        /* next event of the CRTCs */
    RV100_N_TIMERS,
} Rv100Timer;

/* Everything the chip asks of the host. Members marked (opt) may be NULL. */
typedef struct Rv100Host {
    /* Bus address space (PCI): system memory as the card sees it. */
    Rv100DmaResult (*dma_read)(void *opaque, uint64_t addr, void *buf,
                               uint32_t len);
    Rv100DmaResult (*dma_write)(void *opaque, uint64_t addr, const void *buf,
                                uint32_t len);
    /* Level of INTA. (opt) */
    void (*irq)(void *opaque, bool level);
    /* Virtual time now. */
    int64_t (*now)(void *opaque);
    /* Call rv100_timer(chip, timer) once at `when`; replaces an earlier request
     * of the same timer; when < 0 cancels it. */
    void (*set_timer)(void *opaque, Rv100Timer timer, int64_t when);
    /* VRAM bytes [offset, offset+len) were changed by the chip. (opt) */
    void (*vram_dirty)(void *opaque, uint32_t offset, uint32_t len);
    /* Scan-out parameters may have changed. (opt) */
    void (*display_changed)(void *opaque);
    /* The guest wrote a colour through the chip's palette registers: for a VGA
     * core that keeps its own table. (opt) */
    void (*palette_changed)(void *opaque, unsigned head, unsigned index,
                            uint32_t rgb30);
    /* The VGA core's miscellaneous output register, which GENMO_WT mirrors; both
     * or neither. (opt) */
    uint8_t (*vga_misc_read)(void *opaque);
    void (*vga_misc_write)(void *opaque, uint8_t value);
    /* A dword of the PCI configuration space, which registers mirror. (opt) */
    uint32_t (*config_read)(void *opaque, uint32_t offset);
    /* One line, no newline. Rate limits are applied by the chip. (opt) */
    void (*log)(void *opaque, Rv100LogLevel level, const char *line);
    /* A register write that the engine made, in order. (opt) */
    void (*engine_write)(void *opaque, uint32_t dword, uint32_t value);
    /* Trace events (trace.h): state[id] points to a counter that is non-zero
     * while the event is enabled. Both or neither. (opt) */
    const uint16_t *const *trace_state;
    void (*trace)(void *opaque, Rv100TraceId id, const uint64_t *args);
} Rv100Host;

/* Engine units of a slice, at most: about 10 ms of host time. */
#define RV100_SLICE_MAX 1000000u
/* Dwords of a fetch of the ring or of an indirect buffer, at most. */
#define RV100_FETCH_MAX 256u

typedef struct Rv100Config {
    uint8_t *vram;              /* owned by the host; vram_size bytes */
    uint32_t vram_size;         /* a power of two, 1 MiB .. 128 MiB */
    uint32_t bar0_base;         /* bus address of BAR0 for CONFIG_APER_0_BASE;
                                 * see rv100_set_bars() */
    uint32_t slice_steps;       /* engine units per slice, at most
                                 * RV100_SLICE_MAX; 0 = default */
    uint32_t fetch_words;       /* dwords per ring or IB fetch, at most
                                 * RV100_FETCH_MAX; 0 = that */
} Rv100Config;

/* host and config are copied. Never fails (g_new aborts when out of memory). */
Rv100 *rv100_new(const Rv100Host *host, void *opaque, const Rv100Config *config);
void rv100_free(Rv100 *s);
/* Power-on reset: registers, queues, engines. VRAM contents stay. */
void rv100_reset(Rv100 *s);
/* Bus addresses of the BARs as the guest set them (0 = not mapped). */
void rv100_set_bars(Rv100 *s, uint32_t bar0, uint32_t io, uint32_t mmio);

/* Register aperture (BAR2): any offset and size 1, 2, 4, 8. Offsets beyond
 * 0x3fff read 0 and ignore writes. Little-endian lanes. */
uint64_t rv100_mmio_read(Rv100 *s, uint32_t offset, unsigned size);
void rv100_mmio_write(Rv100 *s, uint32_t offset, uint64_t value, unsigned size);
/* I/O aperture (BAR1, 256 bytes). */
uint32_t rv100_io_read(Rv100 *s, uint32_t offset, unsigned size);
void rv100_io_write(Rv100 *s, uint32_t offset, uint32_t value, unsigned size);
/* VRAM byte that a host access of BAR0 at a byte offset means: SURFACE_CNTL and
 * the surfaces swap bytes for big-endian drivers. While rv100_aperture_plain()
 * holds it is the offset itself, everywhere; display_changed() tells of changes. */
uint32_t rv100_aperture_address(Rv100 *s, uint32_t offset);
bool rv100_aperture_plain(Rv100 *s);
/* Value of a register without side effects (debuggers, tests). */
uint32_t rv100_peek(Rv100 *s, uint32_t offset);

/* A timer requested with set_timer has expired. */
void rv100_timer(Rv100 *s, Rv100Timer timer);
/* Run one slice of at most `units` now (0 = the configured slice, more than
 * RV100_SLICE_MAX = that); true if the engine can go on. Used by tools and tests; QEMU uses timers. */
bool rv100_run(Rv100 *s, uint32_t units);
/* Nothing in the queues and the engine is between packets. */
bool rv100_idle(Rv100 *s);

/* Card address space (through the memory controller). False on a bus error. */
bool rv100_card_read(Rv100 *s, uint32_t addr, void *buf, uint32_t len);
bool rv100_card_write(Rv100 *s, uint32_t addr, const void *buf, uint32_t len);

/* The microengine, for tools, tests and debuggers. */
struct Rv100Me *rv100_engine(Rv100 *s);

/* --- state table: VMState, snapshots and capture are built from it --- */
typedef struct Rv100StateField {
    const char *name;
    uint32_t offset;            /* in Rv100 */
    uint16_t size;              /* bytes of an element: 1, 2, 4, 8 */
    uint16_t count;             /* elements */
    uint16_t since;             /* first version that has it */
} Rv100StateField;

#define RV100_STATE_VERSION 1

const Rv100StateField *rv100_state_fields(size_t *n);
/* Is the state in s possible? On false *why (static) names the member. */
bool rv100_state_check(const Rv100 *s, const char **why);
/* Rebuild derived data after the fields were loaded and checked; re-arms
 * timers and drives the interrupt line. */
void rv100_state_loaded(Rv100 *s);

#endif
