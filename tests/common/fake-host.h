/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host for the chip without a machine: system memory, clock and timers in
 * memory, and a record of what the chip did.
 *
 * Bus addresses: [0, FAKE_MEM) is memory, everything else answers nothing.
 */
#ifndef TESTS_FAKE_HOST_H
#define TESTS_FAKE_HOST_H

#include <glib.h>

#include "reference.h"
#include "rv100/chip.h"
#include "rv100/me.h"
#include "rv100-regs.h"

#define FAKE_MEM (512u << 10)
#define FAKE_VRAM (1u << 20)

/* Where fake_ring_start() puts things: the page table and the pages of the
 * GART on the bus, the window on the card. */
#define FAKE_TABLE 0x00010000u
#define FAKE_PAGES 0x00040000u
#define FAKE_N_PAGES 64u
#define FAKE_GART 0x20000000u

typedef struct FakeHost {
    Rv100 *chip;
    uint8_t *vram, *mem;
    bool bus_master;
    int64_t now;
    int64_t when[RV100_N_TIMERS];   /* -1: not requested */
    bool irq;
    GArray *writes;                 /* RefWrite: register writes of the engine */
    GPtrArray *log;                 /* char *: lines of the chip */
    guint slices;                   /* engine timers that expired */
    guint64 dma_words;              /* dwords read from memory */
    guint dma_writes;
    guint dirty;                    /* calls of vram_dirty */
    uint32_t dirty_first, dirty_end;    /* what they span; fake_clean() */
    uint32_t ring_words, wptr;      /* the ring as the driver sees it */
} FakeHost;

FakeHost *fake_host_new(uint32_t fetch_words, uint32_t slice_steps);
void fake_host_free(FakeHost *h);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FakeHost, fake_host_free)

void fake_wr(FakeHost *h, uint32_t offset, uint32_t value);
uint32_t fake_rd(FakeHost *h, uint32_t offset);
/* Little-endian dwords of system memory. */
void fake_poke(FakeHost *h, uint32_t addr, uint32_t value);
uint32_t fake_peek(FakeHost *h, uint32_t addr);

/* Let at most n timers expire; true when none is requested any more. */
bool fake_run(FakeHost *h, guint n);
/* Load an image through CP_ME_RAM_*. */
void fake_load(FakeHost *h, const RefImage *image);
void fake_load_word(FakeHost *h, uint8_t at, uint8_t hi, uint32_t lo);
/* Read a word back through CP_ME_RAM_*. */
void fake_read_word(FakeHost *h, uint8_t at, uint8_t *hi, uint32_t *lo);
/* A small image of our own: packets of type 0 (both forms) and type 1 write
 * registers, type 3 is drained. */
void fake_load_mini(FakeHost *h);
/* Header of a type-0 packet of n words from this register on. */
uint32_t fake_type0(uint32_t offset, uint32_t n);
/* Soft reset of the command processor. */
void fake_soft_reset(FakeHost *h);
/* Switch the command stream on in a mode of CP_CSQ_CNTL, the engine running. */
void fake_csq_mode(FakeHost *h, unsigned mode);
/* Push words into the PIO aperture, waiting for room like a driver. */
void fake_pio(FakeHost *h, const uint32_t *words, guint n);
/* A ring of 2^log2 quadwords at FAKE_GART, behind a GART with its pages in a
 * scattered order, in the given mode. */
void fake_ring_start(FakeHost *h, unsigned log2, unsigned mode);
/* Bus address of an offset in the GART window. */
uint32_t fake_gart_bus(uint32_t offset);
/* Write to memory behind the GART window. */
void fake_gart_write(FakeHost *h, uint32_t offset, const uint32_t *words,
                     guint n);
/* Append to the ring and move WPTR; the words must fit. */
void fake_ring(FakeHost *h, const uint32_t *words, guint n);
/* Forget what vram_dirty told. */
void fake_clean(FakeHost *h);
/* Does a line of the log contain this? */
bool fake_logged(const FakeHost *h, const char *text);

#endif
