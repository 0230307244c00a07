/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bare-metal demo guest: no library, identity-mapped, interrupts off. */
#ifndef GUEST_H
#define GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))

static inline void outb(uint16_t port, uint8_t v)
{
    __asm__ volatile("outb %0, %1" : : "a"(v), "Nd"(port) : "memory");
}

static inline void outw(uint16_t port, uint16_t v)
{
    __asm__ volatile("outw %0, %1" : : "a"(v), "Nd"(port) : "memory");
}

static inline void outl(uint16_t port, uint32_t v)
{
    __asm__ volatile("outl %0, %1" : : "a"(v), "Nd"(port) : "memory");
}

static inline uint8_t inb(uint16_t port)
{
    uint8_t v;

    __asm__ volatile("inb %1, %0" : "=a"(v) : "Nd"(port) : "memory");
    return v;
}

static inline uint16_t inw(uint16_t port)
{
    uint16_t v;

    __asm__ volatile("inw %1, %0" : "=a"(v) : "Nd"(port) : "memory");
    return v;
}

static inline uint32_t inl(uint16_t port)
{
    uint32_t v;

    __asm__ volatile("inl %1, %0" : "=a"(v) : "Nd"(port) : "memory");
    return v;
}

/* --- console.c: serial port, table of results --- */
void serial_init(void);
void print(const char *text);
void print_hex(uint32_t value);
void print_dec(uint32_t value);
/* Wait for a byte on the serial port. */
uint8_t serial_wait(void);

typedef struct Result {
    const char *name;
    uint32_t expected, got;
} Result;

#define MAX_RESULTS 64
extern Result results[MAX_RESULTS];
extern unsigned n_results, n_failed;

/* One line of the table: PASS or FAIL. */
void check(const char *name, uint32_t expected, uint32_t got);

/* --- device.c: the card on the PCI bus, its microcode, ring and GART --- */
typedef struct Device {
    uint16_t devfn;
    uint16_t io;
    volatile uint8_t *vram;
    volatile uint8_t *mmio;
    uint32_t vram_size;
} Device;

bool device_find(Device *d);
uint32_t cfg_rd(const Device *d, uint8_t offset);
void cfg_wr(const Device *d, uint8_t offset, uint32_t value);

static inline uint32_t rd(const Device *d, uint32_t offset)
{
    return *(volatile uint32_t *)(d->mmio + offset);
}

static inline void wr(const Device *d, uint32_t offset, uint32_t value)
{
    *(volatile uint32_t *)(d->mmio + offset) = value;
}

/* 2048 bytes of big-endian pairs, or NULL: the free image. Returns the number
 * of words that read back as written. */
unsigned microcode_load(const Device *d, const uint8_t *image);
void gart_init(const Device *d);
void ring_init(const Device *d);
void ring_emit(uint32_t word);
/* Hand the words over and wait; false when the engine does not become idle. */
bool ring_run(const Device *d);
uint32_t ring_wptr(void);
/* Card address of a copy of the words in memory of the GART. */
uint32_t gart_place(const uint32_t *words, unsigned n);
/* RPTR and the scratch registers as the card wrote them to memory. */
extern volatile uint32_t rptr_written, scratch_written[8];
#define RING_DWORDS 1024

/* --- picture.c, draw.c, scene.c --- */
#define GLYPH_ROWS 16
/* The VGA's glyphs, after picture_show(). */
extern uint8_t picture_font[256][GLYPH_ROWS];
/* Draw the picture with the table so far, show it and check it. */
void picture_show(const Device *d);

#endif
