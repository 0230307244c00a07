/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reference material that the proofs use: hardware evidence, packet
 * examples and microcode images, in ../shared beside the source tree (Meson
 * option `shared`, environment RV100_SHARED). Tests skip where it is absent.
 */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct RefImage {
    uint8_t hi[256];
    uint32_t lo[256];
} RefImage;

typedef struct RefWords {
    uint32_t *words;
    guint n;
} RefWords;

/* What a program leaves behind: a register, or the high word of a microcode
 * word. */
typedef struct RefExpect {
    char *name;
    bool me_high;
    uint32_t at;                /* dword index, or address of the word */
    uint32_t value;
} RefExpect;

/* One hardware-observed program of evidence.json. */
typedef struct RefProgram {
    char *name, *shows;
    RefImage image;
    bool used[256];             /* words that the program defines */
    RefWords *submits;          /* one after the other */
    guint n_submits;
    RefExpect *expect;
    guint n_expect;
    bool wedged;                /* else idle at the end */
} RefProgram;

typedef struct RefMeWord {
    uint8_t addr, hi;
    uint32_t lo;
} RefMeWord;

typedef struct RefWrite {
    uint32_t dword, value;
} RefWrite;

/* One example of packets.json. */
typedef struct RefPacket {
    char *name;
    RefWords words;
    RefMeWord *patch;           /* words changed in the image before */
    guint n_patch;
    RefWrite *writes;
    guint n_writes;
    RefMeWord *me_writes;
    guint n_me_writes;
    bool waiting;               /* else idle at the end */
    bool whole_only;            /* result depends on being fed whole */
} RefPacket;

/* Full path of a file of the reference material. */
char *ref_path(const char *relative);
/* The files; NULL when absent (the caller skips). Bad content ends the test
 * program: it is a broken installation, not a test result. Kept for the life of
 * the process. */
const GPtrArray *ref_programs(void);        /* RefProgram * */
const GPtrArray *ref_packets(void);         /* RefPacket * */
const RefImage *ref_image(const char *name);    /* "R100_cp.bin" */
/* 2048 bytes: 256 big-endian pairs, high word first. */
bool ref_image_parse(const void *bytes, gsize len, RefImage *image);
/* Dword index of a register by its generated name. */
uint32_t ref_register(const char *name);
/* In a test: skips it and returns false when `found` is NULL. */
bool ref_need(const void *found, const char *what);

#endif
