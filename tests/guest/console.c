/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results on the first serial port, one line each. */
#include "guest.h"

#define COM1 0x3f8
#define LSR_DATA 0x01
#define LSR_EMPTY 0x20

#define NAME_WIDTH 40

Result results[MAX_RESULTS];
unsigned n_results, n_failed;

void serial_init(void)
{
    outb(COM1 + 1, 0x00);       /* no interrupts */
    outb(COM1 + 3, 0x80);
    outb(COM1 + 0, 0x01);       /* 115200 baud, 8n1 */
    outb(COM1 + 1, 0x00);
    outb(COM1 + 3, 0x03);
    outb(COM1 + 2, 0xc7);
}

static void put(char c)
{
    while (!(inb(COM1 + 5) & LSR_EMPTY)) {
    }
    outb(COM1, c);
}

void print(const char *text)
{
    for (; *text; text++) {
        put(*text);
    }
}

void print_hex(uint32_t value)
{
    for (int shift = 28; shift >= 0; shift -= 4) {
        put("0123456789abcdef"[value >> shift & 15]);
    }
}

void print_dec(uint32_t value)
{
    char digits[11];
    unsigned n = 0;

    do {
        digits[n++] = '0' + value % 10;
        value /= 10;
    } while (value);
    while (n) {
        put(digits[--n]);
    }
}

uint8_t serial_wait(void)
{
    while (!(inb(COM1 + 5) & LSR_DATA)) {
    }
    return inb(COM1);
}

void check(const char *name, uint32_t expected, uint32_t got)
{
    unsigned n = 0;

    print(expected == got ? "PASS " : "FAIL ");
    for (; name[n]; n++) {
        put(name[n]);
    }
    for (; n < NAME_WIDTH; n++) {
        put(' ');
    }
    print(" expected ");
    print_hex(expected);
    print(" got ");
    print_hex(got);
    print("\n");
    n_failed += expected != got;
    if (n_results < MAX_RESULTS) {
        results[n_results++] = (Result) { name, expected, got };
    }
}
