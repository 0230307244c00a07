/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reader of register, packet and instruction descriptions: the genxml dialect
 * and the extensions listed in docs/description-language.md.
 *
 * A GxDoc holds the elements of one or more files. Load them, then call
 * gx_doc_finish() once: it resolves type names and runs all checks. Every
 * diagnostic names file and line. Nothing is ever fetched from a network and
 * no document type declaration is accepted, so no entity is ever expanded.
 */
#ifndef GX_H
#define GX_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Limits on what a file may ask for. */
#define GX_MAX_FILE     (16u << 20)     /* bytes */
#define GX_MAX_DEPTH    32              /* nested elements */
#define GX_MAX_IMPORTS  64              /* files of one document */
#define GX_MAX_BITS     (1u << 20)      /* size of a container, in bits */
#define GX_MAX_COUNT    65536u          /* repetitions of a group */
#define GX_MAX_NAMED    256             /* named fields of one walk */

/* Our own files are checked strictly; files of others load with warnings for
 * things that their authors' tools accept. */
typedef enum GxMode {
    GX_STRICT,
    GX_LENIENT,
} GxMode;

typedef struct GxLoc {
    const char *file;
    int line;
} GxLoc;

typedef struct GxDiag {
    bool error;                 /* false: a warning */
    GxLoc loc;
    const char *text;
} GxDiag;

/* What every element may carry beside its own attributes. */
typedef struct GxMeta {
    GxLoc loc;
    const char *ref;            /* source of the facts, NULL = none given */
    const char *confidence;     /* NULL = none given */
    const char *chips;          /* space separated list, NULL = all */
    const char *doc;            /* text content, "" = none */
} GxMeta;

typedef enum GxAccess {
    GX_ACCESS_UNSET,
    GX_RW,
    GX_RO,
    GX_WO,
    GX_W1C,
    GX_RC,
} GxAccess;

typedef enum GxSpace {
    GX_SPACE_MMIO,
    GX_SPACE_PLL,
    GX_SPACE_PCI,
    GX_SPACE_VGA,
    GX_N_SPACES,
} GxSpace;

typedef enum GxType {
    GX_UINT,
    GX_INT,
    GX_BOOL,
    GX_FLOAT,
    GX_ADDRESS,
    GX_OFFSET,
    GX_UFIXED,
    GX_SFIXED,
    GX_MBO,
    GX_MBZ,
    GX_ENUM_REF,
    GX_STRUCT_REF,
    GX_UNKNOWN,                 /* foreign files only: shown as a number */
} GxType;

typedef enum GxKind {
    GX_STRUCT,
    GX_INSTRUCTION,
    GX_REGISTER,
} GxKind;

typedef struct GxContainer GxContainer;
typedef struct GxGroup GxGroup;
typedef struct GxExpr GxExpr;

typedef struct GxValue {
    GxMeta meta;
    const char *name;
    const char *alias_of;       /* may repeat the number of that value */
    uint64_t value;
} GxValue;

typedef struct GxEnum {
    GxMeta meta;
    const char *name;           /* NULL for values inside a field */
    const char *prefix;
    GPtrArray *values;          /* GxValue, in file order */
    unsigned level;             /* of imports that it came through */
} GxEnum;

typedef struct GxField {
    GxMeta meta;
    const char *name;
    const char *prefix;         /* of the names of its values */
    const char *alias_of;       /* field of the same container, other view */
    const char *type_name;
    const char *default_text;
    GxType type;
    uint32_t start, end;        /* bits, inclusive; from the group's start */
    uint8_t int_bits, frac_bits;        /* ufixed, sfixed */
    GxAccess access;
    bool nonzero;
    bool has_default;
    bool named;                 /* an expression names such a field */
    uint64_t dflt;              /* the raw bits */
    GxEnum *values;             /* inside the field, or NULL */
    const GxEnum *enumeration;  /* values, or the enum that type names */
    const GxContainer *structure;       /* GX_STRUCT_REF: a struct, or a
                                         * register whose fields it has */
} GxField;

/* A field or a group. */
typedef struct GxItem {
    GxField *field;
    GxGroup *group;
} GxItem;

struct GxGroup {
    GxMeta meta;
    bool flows;                 /* no start: begins where the previous ends */
    uint32_t start, size;       /* bits */
    uint32_t count;             /* 0 = to the end of the container */
    bool has_count;
    const GxExpr *count_from;   /* number of repetitions, or NULL */
    const GxExpr *present_if;   /* is it there at all, or NULL */
    GArray *items;              /* GxItem */
};

struct GxContainer {
    GxMeta meta;
    GxKind kind;
    const char *name;
    const char *engine;         /* instructions; NULL = any */
    uint32_t length;            /* dwords; 0 = variable */
    bool has_length, has_bias;
    uint32_t bias;              /* dwords = value of the length field + bias */
    unsigned level;             /* of imports that it came through */
    GxGroup *root;
    GxField *length_field;      /* instructions: "DWord Length" or "COUNT" */

    /* registers */
    GxSpace space;
    uint32_t num;               /* byte offset, or index in the PLL space */
    uint8_t width;              /* bits */
    GxAccess access;
    bool has_mask, has_reset;
    uint64_t mask, reset;
    const char *alias_name;     /* alias-of */
    const GxContainer *alias;   /* resolved, never an alias itself */
};

typedef struct GxDoc {
    GxMode mode;
    const char *name;           /* of the first genxml element */
    const char *gen;
    GPtrArray *containers;      /* GxContainer, in file order */
    GPtrArray *enums;           /* GxEnum */
    GPtrArray *files;           /* names of the files loaded */
    GPtrArray *diags;           /* GxDiag */
    unsigned n_errors, n_warnings;
    unsigned n_without_ref;     /* elements of foreign files without ref */
    bool finished;

    /* private */
    GHashTable *by_name[3];     /* per GxKind; registers: "space:name" */
    GHashTable *enum_by_name;
    GPtrArray *mem;
    GPtrArray *arrays;
    GStringChunk *strings;
} GxDoc;

GxDoc *gx_doc_new(GxMode mode);
void gx_doc_free(GxDoc *doc);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GxDoc, gx_doc_free)

/* False when an error was found; doc->diags says which. */
bool gx_doc_load_file(GxDoc *doc, const char *path);
bool gx_doc_load_memory(GxDoc *doc, const char *name, const char *text,
                        size_t length);
bool gx_doc_finish(GxDoc *doc);

/* "file:line: error: text", to be freed by the caller. */
char *gx_diag_string(const GxDiag *diag);
/* All diagnostics, one a line. */
char *gx_doc_diag_text(const GxDoc *doc);

GxContainer *gx_doc_struct(const GxDoc *doc, const char *name);
GxContainer *gx_doc_instruction(const GxDoc *doc, const char *name);
GxContainer *gx_doc_register(const GxDoc *doc, GxSpace space,
                             const char *name);
GxEnum *gx_doc_enum(const GxDoc *doc, const char *name);
const GxValue *gx_enum_by_value(const GxEnum *e, uint64_t value);
const GxValue *gx_enum_by_name(const GxEnum *e, const char *name);
/* A field of the container's top level or of its groups, or NULL. */
GxField *gx_container_field(const GxContainer *c, const char *name);
GxField *gx_group_field(const GxGroup *g, const char *name);

const char *gx_space_name(GxSpace space);
const char *gx_kind_name(GxKind kind);
/* "rw" and so on. */
const char *gx_access_name(GxAccess access);
/* Is `chip` in the list (NULL list: all chips; "none": no chip)? */
bool gx_chips_has(const char *chips, const char *chip);

static inline uint32_t gx_field_bits(const GxField *f)
{
    return f->end - f->start + 1;
}

/*
 * Expressions of count-from and present-if: integers, names of fields that
 * stand before, + - * / % << >> & | == != < <= > >= && || ! ~ ?: ( ).
 * Arithmetic is on 64 bits and wraps; a division by zero gives 0.
 */
typedef bool (*GxLookup)(void *opaque, const char *name, int64_t *value);
/* False when a name is unknown to the look-up function. */
bool gx_expr_eval(const GxExpr *e, GxLookup lookup, void *opaque,
                  int64_t *result);
const char *gx_expr_text(const GxExpr *e);
/* Calls f for every name in it. */
void gx_expr_names(const GxExpr *e, void (*f)(void *opaque, const char *name),
                   void *opaque);

/*
 * Walk over the fields of a container in a row of dwords, in the order of the
 * description; groups of variable size are measured on the way.
 */
typedef struct GxVisit {
    const GxField *field;       /* or NULL: a group */
    const GxGroup *group;
    unsigned depth;             /* of groups and structs around it */
    unsigned index;             /* repetition of the innermost group */
    uint64_t bit;               /* place in the dwords */
} GxVisit;

typedef struct GxWalkOps {
    /* A field that is no struct; raw has at most its low 64 bits. */
    void (*field)(void *opaque, const GxVisit *v, uint64_t raw);
    /* A repetition of a group or a field that is a struct begins, ends. Both
     * may be NULL. */
    void (*open)(void *opaque, const GxVisit *v);
    void (*close)(void *opaque, const GxVisit *v);
} GxWalkOps;

typedef struct GxWalkResult {
    uint64_t dwords;            /* covered by fields */
    bool truncated;             /* something described lies past the end */
} GxWalkResult;

GxWalkResult gx_walk(const GxContainer *c, const uint32_t *words, size_t n,
                     const GxWalkOps *ops, void *opaque);

/* For a walk of one's own: the values that expressions may name. */
typedef struct GxNames {
    unsigned n;                 /* the only member to be cleared */
    struct {
        const char *name;
        int64_t value;
    } at[GX_MAX_NAMED];
} GxNames;

void gx_names_set(GxNames *names, const GxField *f, uint64_t raw);
/* 0 for a name in a part that was not there. */
int64_t gx_names_get(const GxNames *names, const char *name);
/* Repetitions of a group; UINT64_MAX = to the end of the dwords. */
uint64_t gx_repetitions(const GxGroup *g, GxNames *names);
/* ... how deep it may nest, and how many steps it may take: each run through
 * the items of a group costs one and one for each item. */
#define GX_MAX_NEST (2 * GX_MAX_DEPTH)
static inline uint64_t gx_max_steps(size_t dwords)
{
    return (uint64_t)dwords * 32 * 8 + GX_MAX_COUNT;
}

/*
 * The same walk the other way: values to dwords. What is given no value has
 * its default, else zeros (bits that must be ones: ones).
 */
typedef struct GxEncodeOps {
    /* The raw bits of a field, false: none given. Also asked for a field that
     * is a struct of at most 64 bits: false means field by field. */
    bool (*value)(void *opaque, const GxVisit *v, uint64_t *raw);
    /* The dwords, now 0, of a field longer than 64 bits. (may be NULL) */
    void (*row)(void *opaque, const GxVisit *v, uint32_t *words, size_t n);
    /* Is there another repetition of a group that goes to the end? (may be
     * NULL: no) */
    bool (*more)(void *opaque, const GxVisit *v);
    /* As in GxWalkOps. */
    void (*open)(void *opaque, const GxVisit *v);
    void (*close)(void *opaque, const GxVisit *v);
} GxEncodeOps;

/* `out` (uint32_t, made with clear = true) becomes the dwords of c, at most
 * max; truncated: it would need more. The length field is filled in unless it
 * is given a value. */
GxWalkResult gx_encode(const GxContainer *c, const GxEncodeOps *ops,
                       void *opaque, size_t max, GArray *out);

/*
 * Instructions are recognised by the fields of dword 0 that have a default:
 * those from bit 16 up decide; of several the one is taken whose lower fields,
 * too, and whose length match. Several engines may use the same codes.
 */
typedef struct GxIndex GxIndex;

/* engine: NULL = all. The index must not outlive doc. */
GxIndex *gx_index_new(const GxDoc *doc, const char *engine);
void gx_index_free(GxIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GxIndex, gx_index_free)
bool gx_index_empty(const GxIndex *index);
const GxContainer *gx_index_find(const GxIndex *index, uint32_t dword);
/* Length in dwords of an instruction that begins with this dword, at least
 * 1. */
uint64_t gx_instruction_dwords(const GxContainer *c, uint32_t dword);

/* The bits of a field at a place; those past the end read as 0. */
uint64_t gx_get_bits(const uint32_t *words, size_t n, uint64_t bit,
                     unsigned bits);

/*
 * A value as text: 12, 0x000000ff (24 bits and more, addresses), -3, true,
 * 1.5, "13 (SOLID)"; what a float cannot show exactly: raw:0x7fc00000. An
 * address is shown in place: its low bits, which the field leaves out, are 0.
 */
void gx_value_text(GString *s, const GxField *f, uint64_t raw);
/* What gx_value_text() makes of a field's values. */
typedef struct GxShape {
    enum {
        GX_AS_DECIMAL, GX_AS_SIGNED,
        GX_AS_HEX,              /* 0x, `digits` of them, of raw << low */
        GX_AS_OTHER,            /* a name, a fraction, true and false */
    } kind;
    uint8_t low, digits;
} GxShape;
GxShape gx_value_shape(const GxField *f);
/* The reverse; a name of a value alone is read too. *why is static. */
bool gx_value_parse(const GxField *f, const char *text, uint64_t *raw,
                    const char **why);

/* Appending without a call where there is room: a decoder lives on it. */
static inline void gx_append(GString *s, const char *text, size_t n)
{
    if (G_LIKELY(s->len + n < s->allocated_len)) {
        memcpy(s->str + s->len, text, n);
        s->len += n;
        s->str[s->len] = 0;
    } else {
        g_string_append_len(s, text, (gssize)n);
    }
}

static inline void gx_append_text(GString *s, const char *text)
{
    gx_append(s, text, strlen(text));
}

void gx_append_decimal(GString *s, uint64_t v);
/* Digits only. */
void gx_append_hex(GString *s, uint64_t v, unsigned digits);

/* Decimal or 0x hexadecimal, optional minus sign; false on anything else. */
bool gx_parse_number(const char *text, uint64_t *value);
/* The raw bits of a default: a number in the field's type, or a value name. */
bool gx_parse_field_value(const GxField *f, const char *text, uint64_t *raw);

#endif
