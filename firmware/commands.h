/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands, one a file. */
#ifndef RV100_COMMANDS_H
#define RV100_COMMANDS_H

#include "tool.h"

extern const ToolCommand cmd_asm;
extern const ToolCommand cmd_cfg;
extern const ToolCommand cmd_check;
extern const ToolCommand cmd_cover;
extern const ToolCommand cmd_decode;
extern const ToolCommand cmd_debug;
extern const ToolCommand cmd_diff;
extern const ToolCommand cmd_disasm;
extern const ToolCommand cmd_encode;
extern const ToolCommand cmd_identify;
extern const ToolCommand cmd_isa;
extern const ToolCommand cmd_replay;
extern const ToolCommand cmd_run;

#endif
