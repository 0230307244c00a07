/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command streams as text.
 *
 * A DecodeSet is what a stream is read with: our registers and packets, or
 * the instructions of any other description. A Decoder keeps what has been
 * written so far and prints packet after packet. The text is what
 * encode_text() (encode.h) reads.
 */
#ifndef RV100_DECODE_H
#define RV100_DECODE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gx.h"
#include "image.h"
#include "rv100/me.h"

#define DECODE_REGS 0x2000      /* dword addresses that packets can name */
#define DECODE_BEYOND 0x4000    /* ... and that a long type 0 runs on to */
#define DECODE_OPS 128

typedef struct DecodeReg {
    const GxContainer *c;       /* NULL: not described */
    uint16_t part;              /* dword inside it */
    uint16_t name_len;
} DecodeReg;

typedef struct DecodeSet {
    const GxDoc *doc;
    GxIndex *index;             /* NULL: packets of our own description */
    const GxContainer *op[DECODE_OPS];
    DecodeReg *regs;            /* DECODE_REGS */
} DecodeSet;

/* Registers and packets of our own description. */
DecodeSet *decode_set_pm4(void);
/* The instructions of a description (for an engine; NULL = all). doc must
 * outlive the set. */
DecodeSet *decode_set_other(const GxDoc *doc, const char *engine);
void decode_set_free(DecodeSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DecodeSet, decode_set_free)

/* Name of a register; undescribed ones are 0x and the byte offset. */
void decode_reg_name(const DecodeSet *set, GString *s, uint32_t dword);
/* The reverse, false: no such register. */
bool decode_reg_find(const DecodeSet *set, const char *name, uint32_t *dword);

/* Marks the registers (DECODE_REGS of them) that are meant by names, byte
 * addresses and patterns with commas between. NULL, or the one that means
 * none; to be freed. */
char *decode_query(const DecodeSet *set, const char *query, bool *queried);

typedef struct DecodeOptions {
    bool verbose;               /* words; all fields of registers */
    bool summary;               /* only counts, by decoder_finish() */
    bool all_regs;              /* state of the registers at each type 3 */
    bool once;                  /* the same packet is shown once */
    bool color;
    bool json;
    uint64_t start, end;        /* packets at these offsets; end 0 = all */
    const char *query;          /* only writes to these registers, or NULL; see
                                 * decode_query() */
} DecodeOptions;

typedef struct Decoder Decoder;

/* Text is appended to `out`; the caller empties it when it likes. */
Decoder *decoder_new(const DecodeSet *set, const DecodeOptions *options,
                     GString *out);
void decoder_free(Decoder *d);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Decoder, decoder_free)
/* Run the packets through a microcode image and print what it writes. */
void decoder_execute(Decoder *d, const Image *image, const Rv100MeChip *chip);

/* Length in dwords of the packet that begins with this header. */
uint64_t decoder_packet_dwords(const Decoder *d, uint32_t header);
/* One packet of n words, all that is there of it; `offset` is its place. */
void decoder_packet(Decoder *d, uint64_t offset, const uint32_t *words,
                    size_t n);
/* The same with the register writes that the engine made. */
typedef struct DecodeWrite {
    uint32_t dword, value;
} DecodeWrite;
void decoder_captured(Decoder *d, uint64_t offset, const uint32_t *words,
                      size_t n, const DecodeWrite *writes, size_t n_writes);
/* As many packets as begin in the first `n` words; returns the words that
 * were used. `last`: nothing follows, a packet that is cut off is shown as
 * such. */
size_t decoder_stream(Decoder *d, uint64_t offset, const uint32_t *words,
                      size_t n, bool last);
/* A register write that was not a packet's (capture files). */
void decoder_write(Decoder *d, const char *what, uint32_t dword,
                   uint32_t value);
/* The writes and lines that follow have this place, too: like packets they are
 * shown if it is in the range. NULL: none, they are shown. */
void decoder_place(Decoder *d, const uint64_t *offset);
/* Name of a register, or its offset; to be freed. */
char *decoder_reg_name(const Decoder *d, uint32_t dword);
/* A line that is no packet: a comment in the text, {"note": ...} in JSON. */
void decoder_note(Decoder *d, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Counts and last values, if they were asked for. */
void decoder_finish(Decoder *d);

#endif
