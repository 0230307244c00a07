/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QEMU process under test: started by path, driven through QEMU's qtest
 * socket protocol and a QMP monitor, stopped by its process id.
 *
 * Environment (set by meson):
 *   RV100_QEMU       qemu-system-x86_64 to run
 *   RV100_QEMU_PPC   qemu-system-ppc to run
 *   RV100_QEMU_ROOT  if not empty: run the QEMU inside this tree by chroot
 *   RV100_PLUGIN     radeon-rv100.so; empty: the tests skip
 *   RV100_BIOS_DIR   directory with halt.bin, count.bin, ppc.bin
 *   RV100_ACCEL_QTEST  directory with X.Y/accel-qtest-x86_64.so for QEMU X.Y
 *                    (scripts/build-accel-qtest), for VMs with a stepped clock
 *   RV100_QEMU_ARGS  further arguments for every QEMU
 *   RV100_SKIP       if not empty: skip with this reason
 *
 * Writes are queued and sent together; every read, monitor command and
 * rv_vm_flush() sends them first, so a test sees its operations in order.
 * Any failure of the protocol prints QEMU's standard error and aborts.
 */
#ifndef RV_VM_H
#define RV_VM_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct RvVm RvVm;

typedef enum RvBios {
    RV_BIOS_HALT,               /* cli; hlt */
    RV_BIOS_COUNT,              /* counts in guest memory at RV_COUNTER */
    RV_BIOS_FIRMWARE,           /* QEMU's default: SeaBIOS */
    RV_BIOS_PPC,                /* the PowerPC program of mkbios.c */
} RvBios;

#define RV_COUNTER 0x500        /* 32 bits, written by RV_BIOS_COUNT */

typedef struct RvVmConfig {
    const char *qemu;           /* variable that names the binary; NULL:
                                 * "RV100_QEMU" */
    RvBios bios;
    bool preload;               /* LD_PRELOAD in place of -plugin */
    bool no_plugin;
    bool stepped;               /* accelerator "qtest": no guest code runs, and
                                 * time moves by rv_clock_step() only */
    const char *plugin_args;    /* "trace=rv100_packet"; NULL: none */
    bool serial;                /* first serial port to rv_serial_line() */
    const char *const *files;   /* copied into the VM's directory; ends with
                                 * NULL; NULL: none */
    const char *args;           /* split as a shell does; %D = the VM's
                                 * directory as QEMU sees it. NULL: none */
} RvVmConfig;

/* NULL after g_test_skip() when there is nothing to run. */
RvVm *rv_vm_new(const RvVmConfig *config);
void rv_vm_free(RvVm *vm);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RvVm, rv_vm_free)

/* Run QEMU to its end without sockets: exit status (or -1 when it was killed
 * by a signal or did not end in two minutes); *out and *err (may be NULL) get
 * its output. */
int rv_vm_run(const RvVmConfig *config, char **out, char **err);
/* Wait until QEMU ends by itself; frees the VM. Exit status as above. */
int rv_vm_wait(RvVm *vm);

/* Print a line, what QEMU said, and abort; no process and no file is left. */
void rv_die(const char *format, ...) G_GNUC_PRINTF(1, 2) G_GNUC_NORETURN;
/* A skip reason, or NULL when tests can run. */
const char *rv_vm_unavailable(void);
GPid rv_vm_pid(const RvVm *vm);
/* What QEMU wrote to standard error so far. */
char *rv_vm_stderr(RvVm *vm);
/* The VM's directory: as this process sees it, and as QEMU sees it. */
const char *rv_vm_dir(const RvVm *vm);
const char *rv_vm_inner_dir(const RvVm *vm);

/* Next line of the serial port, NULL when QEMU has ended. */
char *rv_serial_line(RvVm *vm);
void rv_serial_send(RvVm *vm, const char *text);
/* The port itself, for a program that copies it to a terminal. */
int rv_serial_fd(RvVm *vm);

/* --- qtest --- */
void rv_vm_flush(RvVm *vm);
void rv_outb(RvVm *vm, uint16_t port, uint8_t value);
void rv_outw(RvVm *vm, uint16_t port, uint16_t value);
void rv_outl(RvVm *vm, uint16_t port, uint32_t value);
uint8_t rv_inb(RvVm *vm, uint16_t port);
uint16_t rv_inw(RvVm *vm, uint16_t port);
uint32_t rv_inl(RvVm *vm, uint16_t port);

/* Guest physical memory. One access of the given size; values are
 * little-endian in memory whatever the CPU is. */
uint64_t rv_mem_rd(RvVm *vm, uint64_t addr, unsigned size);
void rv_mem_wr(RvVm *vm, uint64_t addr, uint64_t value, unsigned size);
/* One access as the CPU makes it, in its own byte order. */
uint64_t rv_cpu_rd(RvVm *vm, uint64_t addr, unsigned size);
void rv_cpu_wr(RvVm *vm, uint64_t addr, uint64_t value, unsigned size);
bool rv_vm_big_endian(RvVm *vm);
void rv_mem_read(RvVm *vm, uint64_t addr, void *buf, size_t len);
void rv_mem_write(RvVm *vm, uint64_t addr, const void *buf, size_t len);
void rv_mem_fill(RvVm *vm, uint64_t addr, size_t len, uint8_t byte);
/* Little-endian words. */
void rv_mem_write_words(RvVm *vm, uint64_t addr, const uint32_t *words,
                        size_t n);
void rv_mem_read_words(RvVm *vm, uint64_t addr, uint32_t *words, size_t n);

/* Virtual time of a VM with a stepped clock: move it on; the new time, in ns. */
int64_t rv_clock_step(RvVm *vm, int64_t ns);

/* --- monitor --- */
/* A QMP command with its arguments as JSON (NULL: none). The reply as one line
 * of JSON. rv_qmp() fails the test on an error reply; rv_qmp_try() returns it. */
char *rv_qmp(RvVm *vm, const char *command, const char *arguments);
char *rv_qmp_try(RvVm *vm, const char *command, const char *arguments);
/* A human monitor command; its output with plain newlines. */
char *rv_hmp(RvVm *vm, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Wait for a QMP event of this name (already seen ones count once). */
void rv_qmp_wait_event(RvVm *vm, const char *name);
void rv_vm_reset(RvVm *vm);

/* A string with quotes, backslashes and control characters made safe in JSON. */
char *rv_json_quote(const char *s);

#endif
