/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the firmware images of the device tests.
 *
 *   mkbios halt FILE     the CPU stops: cli; hlt
 *   mkbios count FILE    the CPU counts at 0:500h for ever
 *   mkbios ppc FILE      for a g3beige: waits for a word in memory, then stores
 *                        to and loads from the card (ppc-test.c)
 *
 * An x86 starts at offset fff0h of the image, in 16-bit mode; a PowerPC at
 * fff00100h, where the image lies from ffc00000h.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIZE 0x10000
#define START 0xfff0

static const uint8_t halt[] = {
    0xfa,                           /* start: cli */
    0xf4,                           /*        hlt */
    0xeb, 0xfc,                     /*        jmp start */
};

static const uint8_t count[] = {
    0x66, 0xff, 0x06, 0x00, 0x05,   /* start: inc dword [500h] (ds = 0) */
    0xeb, 0xf9,                     /*        jmp start */
};

/* --- PowerPC --- */

#define PPC_SIZE 0x300400
#define PPC_START 0x300100

#define D(op, rt, ra, imm) \
    ((uint32_t)(op) << 26 | (rt) << 21 | (ra) << 16 | ((imm) & 0xffff))
#define X(rt, ra, rb, xo) \
    (31u << 26 | (rt) << 21 | (ra) << 16 | (rb) << 11 | (xo) << 1)
#define LI(rt, imm) D(14, rt, 0, imm)           /* rt = imm */
#define LIS(rt, imm) D(15, rt, 0, imm)          /* rt = imm << 16 */
#define ORI(rt, ra, imm) D(24, ra, rt, imm)     /* rt = ra | imm */
#define LWZ(rt, d, ra) D(32, rt, ra, d)
#define LBZ(rt, d, ra) D(34, rt, ra, d)
#define LHZ(rt, d, ra) D(40, rt, ra, d)
#define STW(rt, d, ra) D(36, rt, ra, d)
#define STB(rt, d, ra) D(38, rt, ra, d)
#define STH(rt, d, ra) D(44, rt, ra, d)
#define LWBRX(rt, ra, rb) X(rt, ra, rb, 534)
#define STWBRX(rt, ra, rb) X(rt, ra, rb, 662)
#define CMPWI(ra, imm) D(11, 0, ra, imm)
#define BEQ(d) D(16, 12, 2, d)
#define B(d) (18u << 26 | ((d) & 0x3fffffc))

/* Mailbox in memory: 1000h go, 1004h register base, 1008h VRAM base,
 * 1010h results, 1040h done. */
static const uint32_t ppc[] = {
    LI(10, 0),
    LWZ(11, 0x1000, 10), CMPWI(11, 0), BEQ(-8),
    LWZ(3, 0x1004, 10), LWZ(8, 0x1008, 10),
    LIS(4, 0x1122), ORI(4, 4, 0x3344), LI(5, 4),
    /* registers: in CPU order, byte-reversed, in parts */
    STW(4, 0, 3), STWBRX(4, 3, 5),
    LWZ(6, 0, 3), STW(6, 0x1010, 10),
    LWBRX(6, 3, 5), STW(6, 0x1014, 10),
    LHZ(6, 2, 3), STW(6, 0x1018, 10),
    LBZ(6, 7, 3), STW(6, 0x101c, 10),
    STH(4, 8, 3), STB(4, 11, 3),
    /* VRAM: the same */
    STW(4, 0, 8), STWBRX(4, 8, 5),
    LWZ(6, 0, 8), STW(6, 0x1020, 10),
    LWBRX(6, 8, 5), STW(6, 0x1024, 10),
    LHZ(6, 2, 8), STW(6, 0x1028, 10),
    LBZ(6, 7, 8), STW(6, 0x102c, 10),
    STH(4, 8, 8), STB(4, 11, 8),
    LI(11, 1), STW(11, 0x1040, 10),
    B(0),
};

static void put_ppc(uint8_t *image)
{
    for (unsigned i = 0; i < sizeof(ppc) / sizeof(ppc[0]); i++) {
        for (unsigned b = 0; b < 4; b++) {
            image[PPC_START + 4 * i + b] = ppc[i] >> (24 - 8 * b);
        }
    }
}

int main(int argc, char **argv)
{
    static uint8_t image[PPC_SIZE];
    size_t size = SIZE;
    FILE *f;

    if (argc != 3 || (strcmp(argv[1], "halt") && strcmp(argv[1], "count") &&
                      strcmp(argv[1], "ppc"))) {
        fprintf(stderr, "usage: mkbios halt|count|ppc FILE\n");
        return 2;
    }
    if (argv[1][0] == 'h') {
        memcpy(image + START, halt, sizeof(halt));
    } else if (argv[1][0] == 'c') {
        memcpy(image + START, count, sizeof(count));
    } else {
        put_ppc(image);
        size = PPC_SIZE;
    }
    f = fopen(argv[2], "wb");
    if (!f || fwrite(image, size, 1, f) != 1 || fclose(f) != 0) {
        perror(argv[2]);
        return 1;
    }
    return 0;
}
