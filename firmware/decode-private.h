/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the decoder only. */
#ifndef RV100_DECODE_PRIVATE_H
#define RV100_DECODE_PRIVATE_H

#include "decode.h"
#include "decode-plan.h"
#include "runner.h"

/* A packet on its way through the decoder. */
typedef struct DecodePacket {
    uint64_t offset;
    const uint32_t *words;
    size_t n;                   /* that are there */
    uint64_t want;              /* that the header announces */
    const GxContainer *c;       /* its layout, or NULL */
    bool pm4;                   /* of our own description */
    const DecodeWrite *writes;  /* made by the engine in a capture */
    size_t n_writes;
} DecodePacket;

/* A way of printing. Only what a decoder shows arrives here. */
typedef struct DecodeFormat {
    /* What the description says of its words. */
    void (*layout)(Decoder *d, const DecodePacket *p);
    /* Types 0 and 1, then one call of `reg` for each word, then `end`. */
    void (*registers)(Decoder *d, const DecodePacket *p, const char *mode);
    void (*reg)(Decoder *d, uint32_t dword, uint32_t value);
    void (*end)(Decoder *d, const DecodePacket *p);
    /* What the microcode writes, behind any packet and before its `end`. */
    void (*engine)(Decoder *d, uint32_t dword, uint32_t value);
    void (*me_word)(Decoder *d, uint8_t addr, uint8_t hi, uint32_t lo);
    void (*engine_state)(Decoder *d, RunState state);
    /* The capture has other writes than the image that was executed, from the
     * nth on. */
    void (*engine_differs)(Decoder *d, const DecodePacket *p, size_t n);
    /* Outside of packets. */
    void (*write)(Decoder *d, const char *what, uint32_t dword,
                  uint32_t value);
    void (*note)(Decoder *d, const char *text);
} DecodeFormat;

typedef struct DecodeCount {
    uint64_t packets, words;
} DecodeCount;

typedef enum DecodeChange {
    DECODE_SAME, DECODE_FIRST, DECODE_CHANGED,
} DecodeChange;

/* Beginnings of lines of text that are made once. No text: not made. */
typedef struct DecodeHeads {
    PlanText op[2 * DECODE_OPS];    /* with and without settings */
    GHashTable *other;              /* instruction -> PlanText */
} DecodeHeads;

typedef struct DecodeLine {
    PlanText name;              /* "NAME = 0x" */
    PlanText head[2];           /* of TYPE0 that begins here; one-reg */
    PlanList *list;             /* its fields, or NULL */
} DecodeLine;

struct Decoder {
    const DecodeSet *set;
    DecodeOptions o;
    const DecodeFormat *format;
    GString *out;
    bool *queried;              /* by dword */
    GHashTable *shown;          /* --once: packets */
    Runner *runner;             /* --execute, or NULL */
    bool executed;              /* what the engine writes is known */
    bool wedged;
    GArray *ran;                /* DecodeWrite: of the packet at hand, --execute
                                 * with a capture; or NULL */
    uint64_t n_ran, n_differ;   /* packets */
    bool show;                  /* the packet at hand is printed */
    bool outside;               /* the place that was told is not in the range */

    /* registers as far as they are known */
    uint32_t last[DECODE_REGS];
    uint8_t seen[DECODE_REGS];
    uint64_t writes[DECODE_REGS], changes[DECODE_REGS];

    /* --summary */
    DecodeCount types[3];       /* types 0 to 2 */
    DecodeCount ops[2 * DECODE_OPS];    /* with and without settings */
    GHashTable *other;          /* instruction -> DecodeCount */
    DecodeCount unknown, cut;

    /* of a format: the packet at hand */
    const DecodePacket *packet;
    unsigned indent;
    bool in_reg;                /* JSON: the list of writes is open */
    bool single;                /* JSON: a repeated group of a single field */
    GString *name;

    /* text */
    Plans *plans;
    char *limit;                /* of the room in `out` */
    GArray *covered;            /* bits that the text says, by word */
    DecodeHeads *heads;
    DecodeLine *lines;          /* by dword */
};

extern const DecodeFormat decode_text, decode_json;

/* What text is printed with: the tables above. */
void decode_text_init(Decoder *d);
void decode_text_free(Decoder *d);

/* Take note of a write: is it a change? The value before is *old. */
DecodeChange decoder_record(Decoder *d, uint32_t dword, uint32_t value,
                            uint32_t *old);
void decoder_summary(Decoder *d);
void decoder_registers(Decoder *d);

/* Names of packets: "CNTL_" before those with a settings block; "OP_2b" where
 * the description has none. */
void decode_packet_name(GString *s, const DecodePacket *p);
/* Part of dword 0 that the name of the packet says already. */
bool decode_is_header(const DecodePacket *p, const GxVisit *v, uint64_t raw);
/* Repetitions are numbered if there may be more than one. */
bool decode_repeats(const GxGroup *g);
/* A group of a single field needs no line of its own. */
const GxField *decode_single(const GxGroup *g);

#endif
