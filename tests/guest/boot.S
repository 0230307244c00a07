/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiboot header and entry: a stack, then guest_main(magic, info). */
#define MULTIBOOT_MAGIC 0x1badb002
#define MULTIBOOT_FLAGS 0x00000003      /* align modules, memory information */

    .section .multiboot, "a"
    .align 4
    .long MULTIBOOT_MAGIC
    .long MULTIBOOT_FLAGS
    .long -(MULTIBOOT_MAGIC + MULTIBOOT_FLAGS)

    .text
    .globl _start
_start:
    movl $stack_top, %esp
    cld
    pushl %ebx
    pushl %eax
    call guest_main
1:  cli
    hlt
    jmp 1b

    .bss
    .align 16
    .space 16384
stack_top:

    .section .note.GNU-stack, "", @progbits
