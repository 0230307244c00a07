/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debugger of the command processor: one table of commands behind every
 * front end (rv100 debug, QMP, monitor, character device).
 *
 * It is a session of a user: breakpoints and the halted engine are no part of
 * the chip's state, survive reset and loadvm, and end with rv100_debug_free().
 * docs/debugging.md describes the commands.
 */
#ifndef RV100_DEBUG_H
#define RV100_DEBUG_H

#include <glib.h>

#include "rv100/chip.h"
#include "rv100/me.h"

#define RV100_DEBUG_MAX_LINE 4096   /* bytes of a command */

typedef struct Rv100Debug Rv100Debug;

/* What the program around the chip does for the debugger; all may be NULL. */
typedef struct Rv100DebugHost {
    /* Text that no command asked for: the engine has halted. Whole lines. */
    void (*message)(void *opaque, const char *text);
    /* The engine was let go: run it until it halts. NULL: the chip's timers do
     * it later. Returns why it stands still though it was not halted (a
     * sentence), or NULL. */
    const char *(*run)(void *opaque);
    /* Like run(), for a host that a halt must not show itself to
     * (Rv100DebugHooks.pause): called while run() is under way, returns when the
     * engine may go on. */
    void (*pause)(void *opaque);
    /* Why the engine must not be touched now, or NULL. */
    const char *(*refuse)(void *opaque);
    /* Stop or start the whole machine ("set stop-vm on"). */
    void (*stop_vm)(void *opaque, bool stop);
    /* Bring the whole state back to that after so many units. False with a
     * sentence in why when it cannot. NULL: only what was recorded is shown. */
    bool (*rewind)(void *opaque, uint64_t units, GString *why);
    /* The user changed the state: what was recorded leads elsewhere. */
    void (*changed)(void *opaque);
} Rv100DebugHost;

typedef enum Rv100DebugResult {
    RV100_DEBUG_OK,
    RV100_DEBUG_ERROR,          /* the command was wrong or could not be done */
    RV100_DEBUG_FAILED,         /* an assertion is false */
    RV100_DEBUG_QUIT,           /* "quit" */
} Rv100DebugResult;

/* The chip must outlive it. Until rv100_debug_free() nobody else may attach. */
Rv100Debug *rv100_debug_new(Rv100 *chip, const Rv100DebugHost *host,
                            void *opaque);
/* Breakpoints go, the engine runs on. */
void rv100_debug_free(Rv100Debug *d);

/* Execute one line and append what it prints, whole lines, to out. Any bytes
 * are allowed in the line; an empty line repeats a step or a look. */
Rv100DebugResult rv100_debug_command(Rv100Debug *d, const char *line, size_t len,
                                     GString *out);
/* What the last word of a line may become: NULL-terminated, sorted. *start is
 * the offset of that word. */
GStrv rv100_debug_complete(Rv100Debug *d, const char *line, size_t *start);
/* The engine stands still. */
bool rv100_debug_is_halted(const Rv100Debug *d);
/* While the host lets the chip do again what it has done already: nothing halts
 * and nothing is told. */
void rv100_debug_mute(Rv100Debug *d, bool on);

/* What the debugger has counted: a host that rewinds keeps it with its
 * checkpoints. Packets that run again while muted are counted anew. */
typedef struct Rv100DebugCounts {
    uint64_t packets, types[4], opcodes[128];
} Rv100DebugCounts;

void rv100_debug_counts(const Rv100Debug *d, Rv100DebugCounts *counts);
void rv100_debug_set_counts(Rv100Debug *d, const Rv100DebugCounts *counts);

/* Names and source lines of the microcode from a symbol file or a source. */
bool rv100_debug_symbols(Rv100Debug *d, const char *path, GString *out);
/* --- words for other outputs (trace events) --- */
/* "type 3 BITBLT with settings, 4 words" */
void rv100_debug_describe_packet(GString *s, uint32_t header);
/* " {FIELD=1 NAME=VALUE}", or nothing */
void rv100_debug_describe_value(GString *s, uint32_t offset, uint32_t value);
/* A microinstruction without names of places. */
void rv100_debug_describe_word(GString *s, const Rv100MeChip *chip, uint8_t hi,
                               uint32_t lo);

/* Engine registers, for scripts: name and value of the nth, false at the end. */
bool rv100_debug_register(Rv100 *chip, unsigned n, const char **name,
                          uint64_t *value);

/* --- a line editor for dumb terminals (character devices) --- */

typedef struct Rv100DebugTerminal Rv100DebugTerminal;

/* run() executes a line, as rv100_debug_command(); send() gets what the terminal
 * shows. */
Rv100DebugTerminal *rv100_debug_terminal_new(Rv100Debug *d,
    Rv100DebugResult (*run)(void *opaque, const char *line, size_t len,
                            GString *out),
    void (*send)(void *opaque, const char *text, size_t len), void *opaque);
void rv100_debug_terminal_free(Rv100DebugTerminal *t);
/* A client has come: greeting and prompt. */
void rv100_debug_terminal_open(Rv100DebugTerminal *t);
/* It has gone: what was typed is forgotten. */
void rv100_debug_terminal_close(Rv100DebugTerminal *t);
void rv100_debug_terminal_input(Rv100DebugTerminal *t, const uint8_t *buf,
                                size_t len);
/* Text in between; the line that is being typed is shown again behind it. */
void rv100_debug_terminal_message(Rv100DebugTerminal *t, const char *text);

#endif
