/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the VM: process (rv-vm.c) and protocols (rv-io.c). */
#ifndef RV_VM_INTERNAL_H
#define RV_VM_INTERNAL_H

#include "rv-vm.h"

struct RvVm {
    /* process */
    GPid pid;                   /* 0: has ended */
    int status;                 /* of waitpid() */
    GPtrArray *argv;
    char *dir, *inner;          /* our and QEMU's name of the directory */
    /* qtest: queued commands and the replies that are due */
    int qtest;
    GString *out, *in_qtest;
    unsigned due;
    int endian;                 /* 0 not asked yet, 1 little, 2 big */
    /* monitor */
    int qmp;
    GString *in_qmp;
    int serial;
    GString *in_serial;
    GPtrArray *events;          /* names seen and not waited for */
};

void rv_vm_fail(RvVm *vm, const char *why) G_GNUC_NORETURN;
/* Wait for input; false at the end of it. */
bool rv_vm_fill(RvVm *vm, int fd, GString *in);
/* A line without its end; NULL at the end of input. */
char *rv_vm_line(RvVm *vm, int fd, GString *in);
void rv_vm_send(RvVm *vm, int fd, const char *data, size_t len);
void rv_qmp_hello(RvVm *vm);
void rv_qmp_quit(RvVm *vm);

#endif
