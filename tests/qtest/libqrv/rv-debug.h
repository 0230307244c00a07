/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The debugger of the device through its front ends. */
#ifndef RV_DEBUG_H
#define RV_DEBUG_H

#include <glib.h>

#include "rv-vm.h"

/* --- the console: -chardev socket,id=dbg,path=%D/dbg,server=on,wait=off --- */

#define RV_CONSOLE_CHARDEV "-chardev socket,id=dbg,path=%D/dbg,server=on,wait=off"
#define RV_CONSOLE_PROMPT "(rv100) "

typedef struct RvConsole {
    int fd;
    GString *in;
} RvConsole;

void rv_console_open(RvConsole *c, RvVm *vm);
void rv_console_close(RvConsole *c);
void rv_console_send(RvConsole *c, const char *data, size_t len);
/* Everything up to and with a text; to be freed. */
char *rv_console_until(RvConsole *c, const char *text);
/* A text, and the prompt behind it. */
void rv_console_said(RvConsole *c, const char *text);
/* A line, its echo, and the answer with the text in it. */
void rv_console_ask(RvConsole *c, const char *line, const char *text);

/* --- the same session through each front end --- */

typedef enum RvFront {
    RV_FRONT_QMP,
    RV_FRONT_HMP,
    RV_FRONT_CONSOLE,           /* of the chardev "dbg" */
    RV_FRONTS
} RvFront;

typedef struct RvDebugger {
    RvVm *vm;
    RvFront front;
    RvConsole console;
} RvDebugger;

extern const char *const rv_front_names[RV_FRONTS];

void rv_debugger_open(RvDebugger *d, RvVm *vm, RvFront front);
void rv_debugger_close(RvDebugger *d);
/* The answer to a command; to be freed. */
char *rv_debugger_ask(RvDebugger *d, const char *command);
/* It must contain the text. */
void rv_debugger_expect(RvDebugger *d, const char *command, const char *text);
/* The engine works in slices of virtual time: until it has halted. */
void rv_debugger_wait_halted(RvDebugger *d);

#endif
