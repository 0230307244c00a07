/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source of the free image as a string: RV100_FREE_SOURCE is its path. */
#include "free-source.h"

__asm__(".pushsection .rodata\n"
        ".globl rv100_free_source\n"
        ".hidden rv100_free_source\n"
        "rv100_free_source:\n"
        ".incbin \"" RV100_FREE_SOURCE "\"\n"
        ".byte 0\n"
        ".popsection\n");
