/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debugger, shared by its parts:
 *
 *   dbg-core.c     session, table of commands, help, completion
 *   dbg-regs.c     engine registers: one table
 *   dbg-expr.c     expressions
 *   dbg-symbols.c  labels, source lines, names of registers and packets
 *   dbg-break.c    breakpoints and watchpoints
 *   dbg-run.c      step, next, finish, until, continue; what a halt prints
 *   dbg-data.c     print, set, x, patch, inject, display
 *   dbg-show.c     disassemble, backtrace, packets, cover, regs
 *   dbg-status.c   status, gart, stats
 *   dbg-record.c   record, backstep, trace
 *   dbg-terminal.c line editor
 */
#ifndef RV100_DBG_H
#define RV100_DBG_H

#include <inttypes.h>
#include <stdio.h>

#include "decode.h"
#include "disasm.h"
#include "rv100/debug.h"
#include "rv100/debug-hooks.h"
#include "rv100/me.h"
#include "rv100/reginfo.h"

/* --- engine registers (dbg-regs.c) --- */

typedef enum DbgReg {
    DBG_PC, DBG_PKT, DBG_A, DBG_T, DBG_S, DBG_U, DBG_IDX, DBG_PTR, DBG_COUNT,
    DBG_LEFT, DBG_HEAD, DBG_MCPTR, DBG_DEPTH, DBG_TYPE, DBG_PHASE,
    DBG_HEAD_VALID, DBG_STACK0, DBG_STACK1, DBG_TABLE0,
    DBG_TABLE7 = DBG_TABLE0 + RV100_ME_TABLE - 1,
    DBG_REGS
} DbgReg;

/* A picture of the engine. */
typedef struct DbgRegs {
    uint32_t v[DBG_REGS];
} DbgRegs;

void dbg_regs_get(const Rv100Me *me, DbgRegs *r);
const char *dbg_reg_name(unsigned reg);
/* -1: there is none. */
int dbg_reg_find(const char *name, size_t len);
bool dbg_reg_writable(unsigned reg);
/* The largest value that fits. */
uint32_t dbg_reg_max(unsigned reg);
void dbg_reg_set(Rv100Me *me, unsigned reg, uint64_t value);
/* "a 0x00000001  t 0x2": those that differ from `old` (NULL: that are not 0),
 * in lines that begin with indent. */
void dbg_regs_print(GString *s, const DbgRegs *r, const DbgRegs *old,
                    const char *indent);

/* --- expressions (dbg-expr.c) --- */

/* A parsed expression, to be evaluated often. */
typedef struct DbgExpr DbgExpr;

/* NULL with a message in *why (to be freed). Reads from text on, *end is behind
 * it; with end NULL all of the text must be used. */
DbgExpr *dbg_expr_parse(Rv100Debug *d, const char *text, const char **end,
                        char **why);
/* Only a place: "a", "DP_CNTL.DST_X_DIR", "me[3 + 4]"; text follows. */
DbgExpr *dbg_expr_parse_place(Rv100Debug *d, const char *text, const char **end,
                              char **why);
void dbg_expr_free(DbgExpr *e);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DbgExpr, dbg_expr_free)
/* For conditions: a division by zero gives 0. */
uint64_t dbg_expr_eval(Rv100Debug *d, const DbgExpr *e);
/* For commands: false after an error in d->out. */
bool dbg_expr_value(Rv100Debug *d, const DbgExpr *e, uint64_t *value);
/* The same for the address of a microcode word. */
bool dbg_expr_word(Rv100Debug *d, const DbgExpr *e, uint64_t *at);
const char *dbg_expr_text(const DbgExpr *e);
/* A whole text to a number; false after an error in d->out. */
bool dbg_number(Rv100Debug *d, const char *text, uint64_t *value);

/* What an expression that stands alone names, for set and print. */
typedef enum DbgPlaceKind {
    DBG_PLACE_NONE,             /* no place: a computed value */
    DBG_PLACE_REG,              /* engine register */
    DBG_PLACE_CHIP,             /* chip register, offset */
    DBG_PLACE_FIELD,            /* field of one */
    DBG_PLACE_ME,               /* low word of microcode */
    DBG_PLACE_MEH,              /* high word */
    DBG_PLACE_MEM,              /* card memory, dword */
    DBG_PLACE_VRAM,
} DbgPlaceKind;

typedef struct DbgPlace {
    DbgPlaceKind kind;
    uint32_t at;                /* register, offset or address */
    bool beyond;                /* the address has more than 32 bits */
    const Rv100RegInfo *reg;
    const Rv100FieldInfo *field;
} DbgPlace;

void dbg_expr_place(Rv100Debug *d, const DbgExpr *e, DbgPlace *place);

/* --- symbols (dbg-symbols.c) --- */

typedef struct DbgSource {
    unsigned line;              /* 0: none */
    char *file, *text;
} DbgSource;

typedef struct DbgSymbols {
    Flow flow;                  /* of the words as they are now */
    Labels labels;
    bool valid;
    char *given;                /* file that the user named */
    char *side;                 /* names out of it: lines of a side file */
    Image source_image;         /* what the source assembles to */
    bool have_source;
    bool used[RV100_ME_WORDS];
    DbgSource source[RV100_ME_WORDS];
    const char *title;          /* "free image" and so on */
} DbgSymbols;

/* Bring flow and labels up to date with the microcode RAM. */
void dbg_symbols_update(Rv100Debug *d);
void dbg_symbols_clear(Rv100Debug *d);
/* "name", "name+2" or "0x2a"; to be freed. */
char *dbg_place_name(Rv100Debug *d, unsigned addr);
/* Address of a label, -1: there is none. */
int dbg_label_find(Rv100Debug *d, const char *name, size_t len);
/* The source line of a word when its bits are still those of the source. */
const DbgSource *dbg_source_of(Rv100Debug *d, unsigned addr);
const Rv100RegInfo *dbg_chip_reg(const char *name, size_t len);
/* " {FIELD=1 NAME=VALUE}" of a register's value, nothing without fields. */
void dbg_fields_print(GString *s, const Rv100RegInfo *r, uint32_t value);
/* "DST_X_Y (0x1594)" */
void dbg_reg_title(GString *s, uint32_t offset);
/* "type 3 BITBLT, settings, 4 words" */
void dbg_header_print(GString *s, uint32_t header);

/* --- breakpoints (dbg-break.c) --- */

typedef enum DbgBreakKind {
    DBG_BREAK_PC,
    DBG_BREAK_PACKET,
    DBG_BREAK_REG,
    DBG_BREAK_ME,
    DBG_WATCH,
} DbgBreakKind;

typedef struct DbgBreak {
    unsigned number;
    DbgBreakKind kind;
    bool temporary, enabled;
    uint32_t at;                /* word, opcode (ANY), dword index */
    uint32_t settings;          /* packet: 0 or 1 wanted, ANY */
    DbgExpr *condition;         /* or NULL; of a watch: what is watched */
    uint64_t last;              /* watch: value seen last */
    uint64_t hits, ignore;
} DbgBreak;

#define DBG_ANY UINT32_MAX
#define DBG_MAX_BREAKS 256

/* --- run control (dbg-run.c) --- */

typedef enum DbgRunKind {
    DBG_RUN_FREE,               /* continue */
    DBG_RUN_UNITS,              /* step */
    DBG_RUN_NEXT, DBG_RUN_FINISH, DBG_RUN_UNTIL,
    DBG_RUN_PAST,               /* behind a word, or the packet is over */
} DbgRunKind;

typedef struct DbgRun {
    DbgRunKind kind;
    unsigned depth;             /* of the stack when it began */
    uint64_t packet;            /* number of the last one */
    bool at_header;             /* it began between packets */
    uint8_t until;
} DbgRun;

/* Why the engine halted; the first reason counts. */
typedef struct DbgStop {
    bool valid;
    const char *reason;         /* static text, or NULL when b is set */
    const DbgBreak *b;
    uint32_t dword, value;      /* register write or microcode word */
    uint64_t old, now;          /* watch */
    uint8_t pc;                 /* word that did it */
    bool by_host, me;           /* me: dword is a microcode word */
} DbgStop;

/* --- packets seen (dbg-show.c) --- */

#define DBG_PACKETS 256         /* remembered */
#define DBG_PACKET_WORDS 16     /* data words of each */

typedef struct DbgPacket {
    uint64_t number;
    uint32_t header;
    uint32_t words[DBG_PACKET_WORDS];
    uint8_t n, entry;
} DbgPacket;

typedef struct DbgRecord {
    DbgRegs *ring;
    uint64_t *units;            /* when */
    unsigned size, n, next;     /* n valid ones before next */
    unsigned back;              /* how far the view has gone back */
} DbgRecord;

typedef struct DbgTrace {
    FILE *file;
    char *path;
    bool packets, writes, steps;
    uint64_t lines;
} DbgTrace;

typedef struct DbgDisplay {
    unsigned number;
    char format;
    DbgExpr *expr;
} DbgDisplay;

#define DBG_MAX_DISPLAYS 32
#define DBG_MAX_DEPTH 8         /* of source files */

struct Rv100Debug {
    Rv100 *chip;
    Rv100Me *me;
    Rv100DebugHost host;
    Rv100DebugHooks hooks;
    void *opaque;
    GString *out;               /* of the command under way, or NULL */
    Rv100DebugResult result;
    char *again;                /* what an empty line repeats, or NULL */
    unsigned depth;             /* of source files */
    bool stop_vm, vm_stopped;
    bool divided_by_zero;       /* by an expression */
    bool off;                   /* attached, but hooks are to stay still: the
                                 * host replays */

    DbgSymbols symbols;
    GPtrArray *breaks;          /* DbgBreak */
    unsigned next_break;
    bool any_packet_break, any_me_break, any_watch;
    uint32_t reg_breaks[RV100_DEBUG_DWORDS / 32];   /* dwords with a breakpoint */
    uint32_t writes[RV100_DEBUG_DWORDS / 32];       /* that the chip reports */

    DbgRun run;
    DbgStop stop;
    DbgStop write;              /* of the instruction under way */
    DbgRegs shown;              /* registers when it was last said */
    bool shown_valid;
    uint32_t value;             /* of the write under way, for conditions */

    DbgPacket packets[DBG_PACKETS];
    DecodeSet *layouts;         /* of packets; made when it is needed */
    uint64_t n_packets;
    uint64_t opcodes[128], types[4];    /* packets counted */
    GArray *displays;           /* DbgDisplay */
    unsigned next_display;
    DbgRecord record;
    DbgTrace trace;
    uint32_t x_next;            /* where x goes on */
};

/* --- commands --- */

typedef enum DbgComplete {
    DBG_COMPLETE_NONE,
    DBG_COMPLETE_EXPR,          /* engine registers, labels, chip registers */
    DBG_COMPLETE_LABEL,
    DBG_COMPLETE_BREAK,         /* packet, reg, me, labels */
    DBG_COMPLETE_REG,
    DBG_COMPLETE_COMMAND,
    DBG_COMPLETE_WORDS,         /* those of the table entry */
} DbgComplete;

typedef struct DbgCommand {
    const char *name;
    const char *args;           /* synopsis, "" for none */
    const char *help;           /* a line or more */
    void (*run)(Rv100Debug *d, char *args);     /* NULL: alias of the row before */
    DbgComplete complete;
    const char *words;          /* for DBG_COMPLETE_WORDS, blank separated */
    bool repeat;                /* an empty line does it again */
    bool look;                  /* allowed while the host refuses changes */
} DbgCommand;

/* Each file's commands, ended by a row without a name. */
extern const DbgCommand dbg_core_commands[], dbg_break_commands[],
    dbg_run_commands[], dbg_data_commands[], dbg_show_commands[],
    dbg_status_commands[], dbg_record_commands[], dbg_trace_commands[];

void dbg_print(Rv100Debug *d, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A line "error: ..." (no newline in format); the command has failed. */
void dbg_error(Rv100Debug *d, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Cut the next word, separated by blanks, off *args; NULL at the end. */
char *dbg_word(char **args);
bool dbg_no_more(Rv100Debug *d, char *args);
/* A number in [min, max]; `otherwise` when there is no text. */
bool dbg_count(Rv100Debug *d, char *text, uint64_t min, uint64_t max,
               uint64_t otherwise, uint64_t *n);
/* The engine must be halted for this. */
bool dbg_needs_halt(Rv100Debug *d, const char *what);
/* Registers to show: now, or where the view has gone back to. */
void dbg_view(Rv100Debug *d, DbgRegs *r);
bool dbg_viewing_back(const Rv100Debug *d);
void dbg_changed(Rv100Debug *d);
/* The user changed the state, memory or what comes in the stream. */
void dbg_user_changed(Rv100Debug *d);
/* Which hooks the chip has to call, by what is set. */
void dbg_update_hooks(Rv100Debug *d);
void dbg_run_script(Rv100Debug *d, const char *path);
/* A running machine must not wait for somebody at the other end of a pipe: why
 * the file is not opened there, or NULL. */
const char *dbg_bad_file(const Rv100Debug *d, const char *path);

/* hooks of the parts */
bool dbg_break_at(Rv100Debug *d);
void dbg_break_packet(Rv100Debug *d, uint32_t header);
void dbg_break_write(Rv100Debug *d, uint32_t dword, uint32_t value);
void dbg_break_me(Rv100Debug *d, uint8_t addr, bool by_engine);
bool dbg_break_asked(Rv100Debug *d);
void dbg_break_done(Rv100Debug *d, const DbgBreak *b);
void dbg_halted_by_host(Rv100Debug *d);
void dbg_watch_step(Rv100Debug *d, uint8_t pc);
void dbg_run_step(Rv100Debug *d, uint8_t pc);
void dbg_run_packet(Rv100Debug *d);
void dbg_packet_seen(Rv100Debug *d, uint32_t header, uint8_t entry);
/* The last packet, NULL when it is not known any more, or there was none. */
const DbgPacket *dbg_last_packet(const Rv100Debug *d);
void dbg_record_step(Rv100Debug *d);
void dbg_trace_packet(Rv100Debug *d, const DbgPacket *p);
void dbg_trace_write(Rv100Debug *d, uint32_t dword, uint32_t value);
void dbg_trace_step(Rv100Debug *d, uint8_t pc);

/* Why nothing moves though the user has not halted it; NULL: it can move. */
const char *dbg_stands_still(Rv100Debug *d);
/* Halt with a reason, unless there is one already. */
void dbg_halt(Rv100Debug *d, const DbgStop *why);
/* What a halt prints; clears d->stop. */
void dbg_say_stop(Rv100Debug *d, GString *s);
/* "=> 5b  ld C_e6" or the packet that comes. */
void dbg_say_place(Rv100Debug *d, GString *s);
void dbg_say_word(Rv100Debug *d, GString *s, unsigned addr, const char *mark);
void dbg_say_packet(Rv100Debug *d, GString *s, const DbgPacket *p);
void dbg_say_displays(Rv100Debug *d, GString *s);
void dbg_format_value(GString *s, uint64_t value, char format, unsigned bytes);
void dbg_breaks_free(Rv100Debug *d);
void dbg_displays_free(Rv100Debug *d);
void dbg_record_free(Rv100Debug *d);
void dbg_trace_close(Rv100Debug *d);
void dbg_show_breaks(Rv100Debug *d);
void dbg_show_displays(Rv100Debug *d);
void dbg_show_record(Rv100Debug *d);
void dbg_show_symbols(Rv100Debug *d);
void dbg_show_status(Rv100Debug *d);
void dbg_show_packets(Rv100Debug *d, unsigned n);

#endif
