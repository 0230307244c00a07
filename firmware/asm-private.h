/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the parts of the assembler: asm.c, asm-lex.c, asm-expr.c,
 * asm-insn.c. */
#ifndef RV100_ASM_PRIVATE_H
#define RV100_ASM_PRIVATE_H

#include "asm.h"
#include "isa.h"

#define ASM_MAX_ERRORS 20
#define ASM_MAX_INCLUDES 64
#define ASM_MAX_INCLUDE_DEPTH 8
#define ASM_MAX_EXPR_DEPTH 64
#define ASM_MAX_TEXT (1u << 20)
#define ASM_OPCODES 128

typedef enum AsmToken {
    T_END,                      /* of the line, or a comment */
    T_NAME,
    T_NUMBER,
    T_STRING,
    T_PUNCT,                    /* one character, or << >> .. as below */
} AsmToken;

enum { P_SHL = 256, P_SHR, P_RANGE };

/* A place in a source: an offset in the current line. */
typedef struct AsmPlace {
    const char *file;
    unsigned line;
    size_t column;              /* from 0 */
} AsmPlace;

typedef struct AsmSymbol {
    char *name;
    int64_t value;
    unsigned pass;              /* in which it was defined last */
    bool known;                 /* value is final */
    bool label;
    AsmPlace place;
} AsmSymbol;

typedef struct AsmLiteral {
    char *key;                  /* the expression as written */
    int64_t value;
    int addr;                   /* -1 = not yet placed */
    bool filled;
} AsmLiteral;

typedef enum AsmKind {
    WORD_NONE,
    WORD_INSN,
    WORD_DATA,
    WORD_DISPATCH,
} AsmKind;

typedef struct AsmWord {
    AsmKind kind;
    AsmPlace place;
} AsmWord;

typedef struct AsmDispatch {
    bool set, range;            /* range: set by A..B, a single one wins */
    uint8_t target;
    AsmPlace place;
} AsmDispatch;

typedef struct Asm {
    AsmResult *out;
    unsigned pass;              /* 1 or 2 */
    unsigned here;              /* address of the next word, up to 256 */
    const Rv100MeChip *chip;
    bool any_word;              /* .chip comes too late */
    GHashTable *symbols;        /* name -> AsmSymbol */
    GPtrArray *literals;        /* AsmLiteral */
    AsmWord words[RV100_ME_WORDS];
    AsmDispatch dispatch[ASM_OPCODES];
    unsigned n_includes, depth, expr_depth;
    size_t text_read;

    /* the current line */
    const char *file, *text;    /* text: NUL-terminated, without newline */
    unsigned line;
    const char *at;             /* behind the current token */
    AsmToken token;
    const char *start;          /* of the current token */
    size_t length;
    int punct;
    uint64_t number;
    bool failed;                /* an error was reported in this line */
} Asm;

/* asm-lex.c */
void asm_next(Asm *a);
bool asm_is(const Asm *a, const char *name);
bool asm_accept(Asm *a, int punct);
bool asm_expect(Asm *a, int punct, const char *what);
AsmPlace asm_place(const Asm *a);
void asm_error(Asm *a, const char *format, ...) G_GNUC_PRINTF(2, 3);
void asm_error_at(Asm *a, AsmPlace place, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void asm_warning_at(Asm *a, AsmPlace place, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* asm-expr.c; false when an error was reported. *known (may be NULL): no
 * symbol in it is still undefined. */
bool asm_expr(Asm *a, int64_t *value, bool *known);

/* asm-insn.c: the rest of the line is one instruction. */
bool asm_instruction(Asm *a, IsaWord *w);

/* asm.c: address of the constant `= expr` that begins at the current token. */
bool asm_literal(Asm *a, int64_t *addr);

#endif
