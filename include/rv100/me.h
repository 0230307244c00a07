/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CP microengine: a 256-word horizontal microprogram that turns command
 * words into register writes.
 *
 * It knows nothing of the chip around it: words come from a window that the
 * owner refills, register writes go out through one callback. It is total:
 * every word of every width has a defined, bounded outcome.
 *
 * Semantics: docs/microengine.md; sources of each rule in xml/rv100-me.xml.
 */
#ifndef RV100_ME_H
#define RV100_ME_H

#include <stdbool.h>
#include <stdint.h>

#define RV100_ME_WORDS 256
#define RV100_ME_STACK 2
#define RV100_ME_TABLE 8

/* A generation of the engine. Words of all generations have the same fields;
 * only the width of the address field differs, and which codes are known. */
typedef struct Rv100MeChip {
    const char *name;           /* "r128", "r100", "r200", "r300" */
    uint8_t addr_bits;          /* 11, 12, 13 */
    uint8_t hi_mask;            /* bits kept of a high word */
    uint64_t seq, op, alu, src; /* sets of known codes, bit n = code n */
} Rv100MeChip;

/* NULL when the name is unknown. */
const Rv100MeChip *rv100_me_chip(const char *name);
/* NULL-terminated list of all generations. */
const Rv100MeChip *const *rv100_me_chips(void);
/* Recognise the generation from entry 2 of an image, a jump in every public
 * image (its high word is 2, 4 or 8); NULL when it is none of these. An image
 * of 12 address bits is taken for r100. */
const Rv100MeChip *rv100_me_chip_of_image(const uint8_t hi[RV100_ME_WORDS],
                                          const uint32_t lo[RV100_ME_WORDS]);

/* One predecoded word. */
typedef struct Rv100MeInsn {
    uint16_t addr;              /* register dword index, or operand */
    uint16_t flags;             /* private to me.c */
    uint8_t seq, op, alu, src;
    uint8_t jump;               /* addr as a microcode address */
    uint8_t kind;               /* private to me.c: specialised form */
    uint8_t pad[2];
} Rv100MeInsn;

typedef struct Rv100Me Rv100Me;

typedef struct Rv100MeOps {
    /* A register write: dword index (0..0x1fff) and value. It may call
     * rv100_me_request_stop(), and rv100_me_at_header(). Of the engine's
     * registers only pc is up to date here and in me_write. */
    void (*reg_write)(void *opaque, uint32_t dword, uint32_t value);
    /* The window [in, in_end) is empty: set it to at least one word and return
     * true, or return false when the whole stream is exhausted. */
    bool (*refill)(void *opaque);
    /* Called before the next header is taken after rv100_me_at_header(). */
    void (*header)(void *opaque);
    /* A microcode word was written by the engine itself (mcsel). May be NULL. */
    void (*me_write)(void *opaque, uint8_t addr, uint8_t hi, uint32_t lo);
    /* A word with an unknown code is executed for the first time since its
     * image was loaded. May be NULL. */
    void (*unknown)(void *opaque, uint8_t pc, uint8_t hi, uint32_t lo);
    /* A packet begins (header as dispatched, entry address). May be NULL. */
    void (*packet)(void *opaque, uint32_t header, uint8_t entry);
    /* The instruction at pc was executed; called only while
     * Rv100Me.trace_steps is set. May be NULL. */
    void (*step)(void *opaque, uint8_t pc);
} Rv100MeOps;

typedef enum Rv100MePhase {
    RV100_ME_DISPATCH,          /* waits for a header */
    RV100_ME_RUN,               /* inside a packet */
} Rv100MePhase;

struct Rv100Me {
    /* --- microcode RAM --- */
    uint32_t lo[RV100_ME_WORDS];
    uint8_t hi[RV100_ME_WORDS];

    /* --- engine registers (docs/microengine.md "State") --- */
    uint32_t pkt;               /* latched word; the header after dispatch */
    uint32_t a, s, u;           /* accumulator, save registers */
    uint32_t idx;
    uint32_t head;              /* word at the head of the stream */
    uint32_t left;              /* data words left in the packet */
    uint16_t t;
    uint16_t count;             /* 14 bits */
    uint8_t ptr;                /* 5 bits */
    uint8_t pc, mcptr;
    uint8_t table[RV100_ME_TABLE];
    uint8_t stack[RV100_ME_STACK];
    uint8_t depth;              /* entries on the stack */
    uint8_t type;               /* packet type of the header */
    uint8_t phase;              /* Rv100MePhase */
    uint8_t head_valid, head_seen;  /* 0 or 1: loaded states are checked */
    /* Word of the dispatch table as it was before the last instruction of a
     * packet wrote it; dispatch still sees it. */
    uint8_t old_valid;          /* 0 or 1 */
    uint8_t old_addr;
    uint32_t old_lo;

    /* --- counters --- */
    uint64_t steps;             /* instructions executed */
    uint64_t words;             /* stream words consumed */
    uint64_t last_word;         /* steps when the last word was consumed */
    uint64_t cover[RV100_ME_WORDS]; /* executions of each word */

    /* --- not migrated: rebuilt or set by the owner --- */
    Rv100MeInsn insn[RV100_ME_WORDS];
    uint32_t breaks[RV100_ME_WORDS / 32];   /* bit set = stop before the word */
    bool debug;                 /* breakpoints and coverage on (default) */
    bool trace_steps;
    bool stop, header_pending, logged_unknown;
    bool exact;                 /* all registers are valid in ops->packet() */
    bool more_later;            /* refill failed, but the stream goes on */
    bool skip_break;            /* set by a break: the next run passes it */
    const uint32_t *in, *in_end;
    const Rv100MeChip *chip;
    const Rv100MeOps *ops;
    void *opaque;
};

typedef enum Rv100MeStop {
    RV100_ME_BUDGET,            /* the budget is used up */
    RV100_ME_STALLED,           /* needs a word and the stream is exhausted */
    RV100_ME_STOPPED,           /* rv100_me_request_stop() */
    RV100_ME_BREAK,             /* breakpoint: the word at pc is not executed */
} Rv100MeStop;

/* RAM zero, registers reset, everything decoded. ops must outlive me. */
void rv100_me_init(Rv100Me *me, const Rv100MeChip *chip,
                   const Rv100MeOps *ops, void *opaque);
/* Back to waiting for a header; microcode RAM and counters stay. */
void rv100_me_reset(Rv100Me *me);
/* Predecode all words and make the state safe after it was loaded from outside
 * (the caller has checked it with rv100_me_check()). */
void rv100_me_rebuild(Rv100Me *me);
/* Is the loaded state possible? On false *why names the member. */
bool rv100_me_check(const Rv100Me *me, const char **why);
/* Write one word; hi is masked as the chip does. Decoded at once. */
void rv100_me_load(Rv100Me *me, uint8_t addr, uint8_t hi, uint32_t lo);
/* Run at most `budget` units: each instruction and each header is one unit.
 * On return *used (may be NULL) is what was used. */
Rv100MeStop rv100_me_run(Rv100Me *me, uint64_t budget, uint64_t *used);
/* From a callback: return from rv100_me_run() after this instruction. */
void rv100_me_request_stop(Rv100Me *me);
/* From a callback: call ops->header before the next header is taken. */
void rv100_me_at_header(Rv100Me *me);
void rv100_me_set_break(Rv100Me *me, uint8_t addr, bool on);

/* Between packets and nothing buffered: idle. */
static inline bool rv100_me_idle(const Rv100Me *me)
{
    return me->phase == RV100_ME_DISPATCH && !me->head_valid;
}

#endif
