/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the 64 KiB firmware images of the device tests.
 *
 *   mkbios halt FILE     the CPU stops: cli; hlt
 *   mkbios count FILE    the CPU counts at 0:500h for ever
 *
 * The CPU starts at offset fff0h of the image, in 16-bit mode.
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

int main(int argc, char **argv)
{
    static uint8_t image[SIZE];
    FILE *f;

    if (argc != 3 || (strcmp(argv[1], "halt") && strcmp(argv[1], "count"))) {
        fprintf(stderr, "usage: mkbios halt|count FILE\n");
        return 2;
    }
    if (argv[1][0] == 'h') {
        memcpy(image + START, halt, sizeof(halt));
    } else {
        memcpy(image + START, count, sizeof(count));
    }
    f = fopen(argv[2], "wb");
    if (!f || fwrite(image, SIZE, 1, f) != 1 || fclose(f) != 0) {
        perror(argv[2]);
        return 1;
    }
    return 0;
}
