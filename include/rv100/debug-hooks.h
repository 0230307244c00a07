/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the chip offers to a debugger (debug.h): halt the command processor
 * before any unit of work, be told what it does, look without side effects.
 *
 * A unit is what rv100_me_run() counts: an instruction or a header. All this
 * belongs to the user's session and is no part of the chip's state; without a
 * debugger each hook costs one test.
 */
#ifndef RV100_DEBUG_HOOKS_H
#define RV100_DEBUG_HOOKS_H

#include "rv100/chip.h"

/* Called while the engine works, unless said otherwise. All may be NULL. */
typedef struct Rv100DebugHooks {
    /* A packet begins. */
    void (*packet)(void *opaque, uint32_t header, uint8_t entry);
    /* The instruction at pc was executed; only with rv100_debug_watch(steps). */
    void (*step)(void *opaque, uint8_t pc);
    /* A register write of the engine; only those of rv100_debug_watch(). */
    void (*engine_write)(void *opaque, uint32_t dword, uint32_t value);
    /* A microcode word was written, by the engine or by the host. */
    void (*me_write)(void *opaque, uint8_t addr, bool by_engine);
    /* In front of a word with a breakpoint: true halts. */
    bool (*at_break)(void *opaque);
    /* After the instruction in which rv100_debug_ask() was called: true halts.
     * The engine's registers are valid here, as they are in packet, step and
     * at_break; in engine_write and me_write only pc is. */
    bool (*asked)(void *opaque);
    /* The CP stands still, at the end of its slice: rv100_debug_halt() was
     * called, or the units of rv100_debug_go() are used up. */
    void (*halted)(void *opaque);
    /* When it is there, a halt inside a slice does not end the slice: pause() is
     * called behind halted() and returns when the engine may go on. If it is
     * still halted then, the slice ends. For a host that must not be shown that
     * somebody halted the engine (a capture that is replayed). */
    void (*pause)(void *opaque);
    /* Power-on or soft reset of the CP; a state was loaded. */
    void (*reset)(void *opaque);
    void (*loaded)(void *opaque);
} Rv100DebugHooks;

/* One debugger at a time; NULL: none, breakpoints go and the CP runs on. */
void rv100_debug_attach(Rv100 *s, const Rv100DebugHooks *hooks, void *opaque);
/* Which hooks are wanted: every step; register writes, a bit for each of
 * RV100_DEBUG_DWORDS (NULL: none; the bits must stay in place). */
#define RV100_DEBUG_DWORDS 0x2000
void rv100_debug_watch(Rv100 *s, bool steps, const uint32_t *writes);
/* The CP stands still: inside a hook after the instruction or header that is
 * executed, else at once. */
void rv100_debug_halt(Rv100 *s);
/* From engine_write or me_write: call `asked` after this instruction. */
void rv100_debug_ask(Rv100 *s);
/* Let it go on, for so many units (0: no limit). A breakpoint at the very word
 * where it stands is passed. */
void rv100_debug_go(Rv100 *s, uint64_t units);
bool rv100_debug_halted(const Rv100 *s);
/* Units that are left of rv100_debug_go(), and all that were ever used while a
 * debugger was attached. */
uint64_t rv100_debug_limit(const Rv100 *s);
uint64_t rv100_debug_units(const Rv100 *s);
void rv100_debug_set_units(Rv100 *s, uint64_t units);

/* Could the engine do anything if it were not halted? */
bool rv100_debug_runnable(Rv100 *s);
/* Words become the next of the stream, in front of those that wait. False when
 * the queue has no room for them (*room words fit). */
bool rv100_debug_inject(Rv100 *s, const uint32_t *words, uint32_t n,
                        uint32_t *room);
/* The next words of the stream, behind the engine's head; at most n, the number.
 * Nothing is taken. */
uint32_t rv100_debug_coming(Rv100 *s, uint32_t *words, uint32_t n);

/* What the queues in front of the engine hold. */
typedef struct Rv100DebugQueues {
    uint32_t ring_base, ring_dwords, rptr, wptr;
    uint32_t primary, indirect; /* words fetched and not taken */
    bool on_indirect;           /* the engine takes words of the buffer */
    uint32_t ib_addr, ib_left;  /* rest that is not fetched */
    bool ib_pending;            /* one more begins at the next header */
    uint32_t next_addr, next_left;
    bool fault;                 /* a fetch met a bus error */
    bool on;                    /* CP_CSQ_CNTL has a mode */
    uint32_t wait;              /* WAIT_UNTIL conditions, 0: none */
    bool guest_step;            /* ME_STEP was written and not yet done */
    bool hang;
} Rv100DebugQueues;

void rv100_debug_queues(Rv100 *s, Rv100DebugQueues *q);

typedef enum Rv100DebugPlace {
    RV100_PLACE_VRAM,           /* addr is an offset in VRAM */
    RV100_PLACE_GART,           /* addr is a bus address out of the table */
    RV100_PLACE_BUS,            /* addr is a bus address */
    RV100_PLACE_NOWHERE,
} Rv100DebugPlace;

typedef struct Rv100DebugTarget {
    Rv100DebugPlace place;
    uint64_t addr;
    uint64_t entry;             /* bus address of the table entry (GART, or
                                 * nowhere with an entry that cannot be read) */
    uint32_t len;               /* the mapping is the same for so many bytes */
} Rv100DebugTarget;

/* Where the memory controller takes a card address. Nothing is logged. */
void rv100_debug_translate(Rv100 *s, uint32_t addr, Rv100DebugTarget *t);
/* rv100_card_read() that logs nothing. */
bool rv100_debug_read(Rv100 *s, uint32_t addr, void *buf, uint32_t len);
/* A look of the debugger is under way: what the chip asks its host for now
 * (memory, time) is for the user, not part of what the card does. */
bool rv100_debug_looking(const Rv100 *s);
/* rv100_card_write() by the user: nothing is logged, it is no deed of the
 * chip. */
bool rv100_debug_write(Rv100 *s, uint32_t addr, const void *buf, uint32_t len);
/* The user changed the chip's state or video memory, outside of a slice: a
 * capture must know. */
void rv100_debug_changed(Rv100 *s);
/* VRAM and its size. */
uint8_t *rv100_debug_vram(Rv100 *s, uint32_t *size);
/* The debugger has written to it. */
void rv100_debug_vram_changed(Rv100 *s, uint32_t offset, uint32_t len);

/* --- for a replay: what a debugger did when the capture was made ---
 * It is no session: the user may have one of his own. */

/* The engine stands still, or goes (stepping: for some units only). */
void rv100_held_set(Rv100 *s, bool halted, bool stepping);
/* It was let go just now. */
void rv100_held_go(Rv100 *s);
/* The next slice ends with a halt after so many units. */
void rv100_held_stop_after(Rv100 *s, uint64_t units);

#endif
