/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command processor as a test uses it: microcode, PIO, GART, ring,
 * indirect buffers. A ring test:
 *
 *     g_autoptr(RvRing) r = rv_ring_new(d, 10);
 *
 *     rv_load_free_image(d);
 *     rv_packet0(&r->out, A_GUI_SCRATCH_REG0, 0xdeadbeef);
 *     rv_ring_run(r);
 *     g_assert_cmphex(rd_gui_scratch_reg0(d), ==, 0xdeadbeef);
 */
#ifndef RV_CP_H
#define RV_CP_H

#include "rv-dev.h"

/* --- command words --- */

typedef struct RvStream {
    GArray *words;              /* uint32_t */
} RvStream;

void rv_stream_init(RvStream *s);
void rv_stream_clear(RvStream *s);
void rv_word(RvStream *s, uint32_t word);
void rv_words(RvStream *s, const uint32_t *words, size_t n);
/* Type 0, one word to the register at a byte offset. */
void rv_packet0(RvStream *s, uint32_t offset, uint32_t value);
/* Type 0, n words to consecutive registers, or (one) all to the same. */
void rv_packet0_n(RvStream *s, uint32_t offset, bool one, const uint32_t *values,
                  size_t n);
/* Type 1: two registers. */
void rv_packet1(RvStream *s, uint32_t offset1, uint32_t value1,
                uint32_t offset2, uint32_t value2);
void rv_packet2(RvStream *s);
/* Type 3; opcode with bit 7 = settings flag (0x9b). */
void rv_packet3(RvStream *s, unsigned opcode, const uint32_t *values, size_t n);

/* --- engine --- */

/* All 256 words from hi/lo pairs; the CP need not be stopped. */
void rv_load_words(RvDev *d, const uint8_t hi[256], const uint32_t lo[256]);
void rv_load_word(RvDev *d, uint8_t addr, uint8_t hi, uint32_t lo);
/* The free image, firmware/rv100-free.s. */
void rv_load_free_image(RvDev *d);
/* Soft reset of the command processor, queue off. */
void rv_cp_reset(RvDev *d);
/* Poll until idle. False when the engine is still busy after many slices. */
bool rv_wait_idle(RvDev *d);
/* Give the engine slices until nothing changes any more (wedged or idle). */
void rv_settle(RvDev *d);
void rv_cp_mode(RvDev *d, unsigned mode);
/* Mode 1 (or what is set), words to the primary aperture; then rv_settle(). */
void rv_pio(RvDev *d, const uint32_t *words, size_t n);
void rv_pio_stream(RvDev *d, const RvStream *s);

/* How often each microcode word was executed; `id` = that of -device. */
void rv_coverage(RvVm *vm, const char *id, uint64_t cover[256]);

/* --- GART --- */

/* A window of card addresses; its pages lie in guest memory in reverse order,
 * so whatever bypasses the table reads the wrong page. */
typedef struct RvGart {
    RvDev *d;
    uint32_t start;             /* card address */
    uint32_t pages;
    uint32_t table;             /* bus address */
    uint32_t memory;            /* bus address of the pages */
} RvGart;

void rv_gart_init(RvGart *g, RvDev *d, uint32_t start, uint32_t pages);
uint32_t rv_gart_bus(const RvGart *g, uint32_t card);
void rv_gart_write_words(RvGart *g, uint32_t card, const uint32_t *words,
                         size_t n);
uint32_t rv_gart_rd32(RvGart *g, uint32_t card);

/* --- ring --- */

typedef struct RvRing {
    RvDev *d;
    RvGart gart;
    RvStream out;               /* words not yet in the ring */
    uint32_t base;              /* card address of the ring */
    uint32_t size;              /* dwords */
    uint32_t wptr;              /* dwords */
    uint32_t ib_next;           /* card address of the next indirect buffer */
    uint32_t rptr_bus;          /* bus address of the RPTR write-back */
} RvRing;

/* Ring of 2^(log2_quads + 1) dwords behind a GART of 256 pages; mode 4. */
RvRing *rv_ring_new(RvDev *d, unsigned log2_quads);
void rv_ring_free(RvRing *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RvRing, rv_ring_free)
/* Copy the words of r->out into the ring and move WPTR, in portions when the
 * ring is smaller than they are. */
void rv_ring_kick(RvRing *r);
/* rv_ring_kick(), then the engine must become idle. */
void rv_ring_run(RvRing *r);
/* Place words in memory of the GART; its card address (32-byte aligned). */
uint32_t rv_ring_place(RvRing *r, const uint32_t *words, size_t n);
/* Packet that starts an indirect buffer. */
void rv_ring_ib(RvRing *r, const RvStream *ib);

#endif
