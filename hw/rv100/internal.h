/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The chip's state and the interfaces between its blocks.
 *
 * Every member of struct Rv100 below the line "chip state" is listed in state.c
 * or marked "rebuilt"; tests/evidence checks that none is forgotten.
 */
#ifndef RV100_INTERNAL_H
#define RV100_INTERNAL_H

#include <glib.h>

#include "rv100/capture.h"
#include "rv100/chip.h"
#include "rv100/debug-hooks.h"
#include "rv100/me.h"
#include "rv100/reginfo.h"
#include "rv100-regs.h"

#include "display.h"
#include "gui.h"

#define RV100_APERTURE 0x4000       /* bytes of registers in BAR2 */
#define RV100_QUEUE_WORDS RV100_FETCH_MAX   /* command stream queue, dwords */
/* Default slice: about 0.3 ms of host time, which is what a polling read of a
 * guest may have to wait. */
#define RV100_SLICE_UNITS 100000

typedef enum Rv100Source {
    RV100_FROM_HOST,
    RV100_FROM_ENGINE,
} Rv100Source;

/* A queue of command words; [rd, wr) holds what has not been taken yet. */
typedef struct Rv100Queue {
    uint32_t word[RV100_QUEUE_WORDS];
    uint16_t rd, wr;
} Rv100Queue;

typedef struct Rv100Cp {
    Rv100Queue primary;         /* ring or PIO words */
    Rv100Queue indirect;        /* words of the running indirect buffer */
    uint32_t rptr;              /* ring fetch pointer, dwords */
    uint32_t ib_addr, ib_left;  /* rest of the running buffer to be fetched */
    uint32_t next_addr, next_left;  /* buffer that begins at the next header */
    uint8_t ib_pending;         /* next_* is valid */
    uint8_t on_indirect;        /* the engine takes words from `indirect` */
    uint8_t fault;              /* a fetch met a bus error: held until reset */
    uint8_t idle_slices;        /* slices in a row that consumed no word */
    uint8_t step;               /* ME_STEP was written: one instruction */
    uint8_t me_write_addr;      /* CP_ME_RAM_ADDR */
    uint8_t me_read_addr;       /* internal read pointer */
    uint8_t me_datah;           /* CP_ME_RAM_DATAH as written */
    uint8_t hang;               /* stands still until a soft reset (debug knob) */
    uint32_t wait;              /* WAIT_UNTIL conditions of the display, or 0 */
    int64_t wait_until;         /* ... and when they are given up */
} Rv100Cp;

typedef enum Rv100DdcState {
    DDC_IDLE, DDC_ADDRESS, DDC_READ_ACK, DDC_READ, DDC_OFFSET, DDC_WRITE,
    DDC_STATES
} Rv100DdcState;

/* The monitor's EEPROM on the DDC lines. */
typedef struct Rv100Ddc {
    uint8_t state;              /* Rv100DdcState */
    uint8_t bits;               /* clocks of the byte so far, with acknowledge */
    uint8_t shift;
    uint8_t offset;
    uint8_t pull;               /* it holds the data line low */
    uint8_t nack;               /* the reader wants no more */
    uint8_t clock, data;        /* lines as last seen */
} Rv100Ddc;

/* The user's debugging session: no part of the chip's state. */
typedef struct Rv100Session {
    const Rv100DebugHooks *hooks;   /* NULL: nobody debugs */
    void *opaque;
    bool halted;                /* the CP stands still */
    bool steps;                 /* which hooks are wanted */
    const uint32_t *writes;     /* NULL, or a bit for each register */
    bool ask;                   /* call hooks->asked after the instruction */
    bool quiet;                 /* the debugger looks: nothing is logged */
    bool cut;                   /* it has stopped rv100_me_run() */
    uint64_t limit;             /* units until it halts; 0: none */
    uint64_t units;             /* used so far */
} Rv100Session;

/* A debugger of the time when the capture was made that is replayed. */
typedef struct Rv100Held {
    bool halted;                /* it has halted the engine */
    bool stepping;              /* ... or let it go for some units */
    uint64_t stop;              /* units of the next slice, and 1; 0: all */
} Rv100Held;

typedef struct Rv100Capture Rv100Capture;

struct Rv100 {
    /* --- host --- */
    Rv100Host host;
    void *opaque;
    Rv100Capture *capture;      /* the recorder, or NULL */
    Rv100Config config;
    uint8_t *vram;
    uint32_t vram_size, vram_mask;
    uint32_t bar0, bar_io, bar_mmio;
    uint8_t edid[RV100_CONNECTORS][RV100_EDID_MAX];
    uint32_t edid_size[RV100_CONNECTORS];
    Rv100Session debug;
    Rv100Held held;

    /* --- chip state --- */
    uint32_t regs[RV100_MMIO_DWORDS];   /* by storage offset / 4 */
    uint32_t pll[RV100_PLL_REGS];
    Rv100Cp cp;
    Rv100Me me;
    Rv100Gui gui;
    uint8_t irq_level;
    Rv100Head head[RV100_HEADS];
    uint32_t palette[RV100_HEADS * RV100_PALETTE];  /* 10 bits a component */
    uint8_t pal_write, pal_read;
    uint8_t palette_vga;        /* the first table was last written by VGA ports */
    Rv100Ddc ddc[RV100_CONNECTORS];
    uint8_t plugged[RV100_CONNECTORS];  /* there is a monitor */

    /* --- rebuilt --- */
    bool slice_armed;           /* the engine timer is requested */
    bool in_slice;
    int64_t engine_until;       /* when the units executed so far are over */
    bool was_running[RV100_HEADS];
    uint8_t was_divider;
    int64_t next_vline[RV100_HEADS];
    bool from_engine;           /* the bus write under way is the engine's */
    bool me_stalled;            /* needs a word and none can be had */
    bool deferred;              /* a write of the engine to itself waits */
    uint32_t deferred_dword, deferred_value;
    GuiDraw draw;               /* decoded registers of the 2D engine */
    uint64_t work;              /* units used by drawing since the last count */
    uint32_t log_second[RV100_MMIO_DWORDS];     /* rate limit, by register */
    uint32_t unimp_logged[RV100_MMIO_DWORDS / 32];
};

/* Behaviour of a register beyond its generated masks. */
typedef struct Rv100Hook {
    uint16_t offset;            /* byte offset of the first register */
    uint16_t count;             /* registers, 4 bytes apart; 0 means 1 */
    /* Value of a host read; NULL: the stored value. Side effects allowed. */
    uint32_t (*read)(Rv100 *s, uint32_t offset);
    /* After the store: `value` as written (lanes not written as stored). */
    void (*write)(Rv100 *s, uint32_t offset, uint32_t value);
    bool poll;                  /* a host read first runs a slice */
    bool deferred;              /* engine writes apply after the instruction */
    bool host_only;             /* engine writes vanish */
    bool silent_read;           /* read() has no side effect: peek may use it */
} Rv100Hook;

/* rbbm.c: register bus */
void rv100_bus_write(Rv100 *s, uint32_t dword, uint32_t value, uint32_t lanes,
                     Rv100Source source);
uint32_t rv100_bus_read(Rv100 *s, uint32_t dword, uint32_t lanes);
/* Does a write of the engine to this register wait for its instruction? */
bool rv100_bus_defers(Rv100 *s, uint32_t dword);
void rv100_regs_reset(Rv100 *s);
bool rv100_regs_check(const Rv100 *s, const char **why);
/* Hook tables of the blocks, each ended by an entry without functions. */
extern const Rv100Hook rv100_cp_hooks[], rv100_me_ram_hooks[],
    rv100_irq_hooks[], rv100_pll_hooks[], rv100_config_hooks[],
    rv100_unimp_hooks[], rv100_crtc_hooks[], rv100_dac_hooks[],
    rv100_cursor_hooks[], rv100_ddc_hooks[], rv100_wait_hooks[], rv100_surface_hooks[],
    rv100_gui_hooks[];

/* cp.c, csq.c */
void rv100_cp_reset(Rv100 *s);
void rv100_cp_kick(Rv100 *s);           /* schedule a slice if runnable */
void rv100_cp_poll(Rv100 *s);           /* a host read may want progress */
bool rv100_cp_slice(Rv100 *s, uint32_t units);
void rv100_cp_worked(Rv100 *s);         /* something was added to s->work */
void rv100_cp_timer(Rv100 *s);
bool rv100_cp_runnable(Rv100 *s);
bool rv100_cp_busy(Rv100 *s);
void rv100_cp_rebuild(Rv100 *s);
bool rv100_cp_check(const Rv100 *s, const char **why);
extern const Rv100MeOps rv100_cp_me_ops;
/* csq.c: the queues in front of the engine */
/* A word turned by an ENDIAN_SWAP code: that of the ring, a write-back, host data. */
uint32_t rv100_swap(uint32_t v, unsigned code);
bool rv100_csq_refill(void *opaque);
void rv100_csq_header(void *opaque);
void rv100_csq_sync(Rv100 *s);          /* rd pointers from the engine's window */
void rv100_csq_window(Rv100 *s);        /* engine's window from the queues */
void rv100_csq_flush(Rv100 *s);
void rv100_csq_push(Rv100 *s, Rv100Queue *q, uint32_t word);
void rv100_csq_start_ib(Rv100 *s, uint32_t addr, uint32_t dwords);
bool rv100_csq_on(Rv100 *s);            /* CP_CSQ_CNTL has a primary mode */
bool rv100_csq_pending(Rv100 *s);       /* anything left in the stream */
uint32_t rv100_ring_mask(Rv100 *s);     /* ring size in dwords - 1 */

/* debug.c: calls of the debugger's hooks */
void rv100_debug_packet(Rv100 *s, uint32_t header, uint8_t entry);
void rv100_debug_me_write(Rv100 *s, uint8_t addr, bool by_engine);
void rv100_debug_used(Rv100 *s, uint64_t units);
bool rv100_debug_stepping(const Rv100 *s);
uint64_t rv100_debug_budget(Rv100 *s, uint64_t budget);
bool rv100_debug_cut(const Rv100 *s, Rv100MeStop why, bool rest);
void rv100_debug_break(Rv100 *s);
void rv100_debug_pause(Rv100 *s);
void rv100_debug_stood_still(Rv100 *s);
void rv100_debug_was_reset(Rv100 *s);
void rv100_debug_was_loaded(Rv100 *s);
/* csq.c: for the debugger */
uint32_t rv100_csq_peek(Rv100 *s, uint32_t *words, uint32_t n);
bool rv100_csq_insert(Rv100 *s, const uint32_t *words, uint32_t n,
                      uint32_t *room);

/* mc.c; both report DISABLED when bus mastering is off */
Rv100DmaResult rv100_bus_dma(Rv100 *s, bool write, uint64_t addr, void *buf,
                             uint32_t len);
Rv100DmaResult rv100_card_access(Rv100 *s, bool write, uint32_t addr, void *buf,
                                 uint32_t len);
/* Do the card addresses [addr, addr + len) lie in the frame buffer, and one
 * behind the other in VRAM? *offset is the first. */
bool rv100_card_vram(Rv100 *s, uint32_t addr, uint32_t len, uint32_t *offset);

/* irq.c */
void rv100_irq_raise(Rv100 *s, uint32_t bits);
void rv100_irq_update(Rv100 *s);

/* wait.c: WAIT_UNTIL */
void rv100_wait_check(Rv100 *s);
int64_t rv100_wait_time(Rv100 *s);

/* crtc.c, scanout.c, cursor.c, dac.c, ddc.c; see display.h */
void rv100_crtc_retime(Rv100 *s, unsigned pll);    /* a PLL register changed */
uint32_t rv100_crtc_refresh(Rv100 *s, unsigned head);   /* mHz */
void rv100_cursor_row(Rv100 *s, unsigned head, const Rv100DisplayMode *mode,
                      uint32_t line, uint32_t *row);
void rv100_dac_reset(Rv100 *s);
void rv100_ddc_reset(Rv100 *s);
bool rv100_ddc_check(const Rv100 *s, const char **why);

/* capture.c: calls from the host, to be noted while s->capture is there */
void rv100_capture_access(Rv100 *s, Rv100CaptureKind kind, uint32_t offset,
                          unsigned size, uint64_t value);
void rv100_capture_value(Rv100 *s, uint64_t value);
void rv100_capture_call(Rv100 *s, Rv100CaptureKind kind, unsigned n,
                        const uint32_t *args);
void rv100_capture_timer(Rv100 *s, Rv100Timer timer);
void rv100_capture_monitor(Rv100 *s, unsigned connector, bool plugged,
                           const uint8_t *edid, uint32_t size);
void rv100_capture_palette(Rv100 *s, unsigned head, unsigned index,
                           uint32_t rgb30);
void rv100_capture_state(Rv100 *s);
void rv100_capture_debug(Rv100 *s, Rv100CaptureDebug what, uint64_t units);
void rv100_capture_halted(Rv100 *s, uint64_t units);

/* log.c */
void rv100_guest_error(Rv100 *s, uint32_t offset, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void rv100_unimp(Rv100 *s, uint32_t offset, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
const char *rv100_reg_name(uint32_t offset);

static inline void rv100_trace(Rv100 *s, Rv100TraceId id, uint64_t a,
                               uint64_t b, uint64_t c, uint64_t d)
{
    if (G_UNLIKELY(s->host.trace_state && *s->host.trace_state[id])) {
        s->host.trace(s->opaque, id, (const uint64_t[]) { a, b, c, d });
    }
}

static inline void rv100_display_changed(Rv100 *s)
{
    if (s->host.display_changed) {
        s->host.display_changed(s->opaque);
    }
}

static inline bool rv100_tracing(Rv100 *s, Rv100TraceId id)
{
    return s->host.trace_state && *s->host.trace_state[id];
}

#endif
