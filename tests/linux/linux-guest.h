/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A Linux guest with a shell at a serial port, and the kernel's messages in a
 * file (console in the VM's directory).
 *
 *     Linux *l = linux_new("-device radeon-rv100,id=gpu0", NULL);
 *
 *     linux_ok(l, "load radeon test=1");
 *     linux_judge(l, (const char *const[]) { "ring test succeeded", NULL }, NULL);
 *
 * Environment: that of rv-vm.h, and RV100_TOP = the source tree, RV100_GFX = the
 * guest's program gfx, RV100_FREE_IMAGE, RV100_FIRMWARE, RV100_SHARED = where
 * microcode images are.
 */
#ifndef LINUX_GUEST_H
#define LINUX_GUEST_H

#include "rv.h"

typedef struct Linux Linux;

typedef enum LinuxImage {
    LINUX_STOCK,                /* R100_cp.bin of Debian's firmware package */
    LINUX_FREE,                 /* ours */
} LinuxImage;

/* Boot the kernel of a Debian release (NULL: the default one of
 * scripts/prepare-linux-guest) with these QEMU arguments. NULL after
 * g_test_skip() when there is nothing to run. */
Linux *linux_new(const char *args, const char *suite);
/* The same without a test: NULL and a reason. */
Linux *linux_start(const char *args, const char *suite, char **why);
/* Compile our module for the kernel and pack it as /lib/modules/move.ko into the
 * guests that are started from now on; false after g_test_skip(). */
bool linux_need_module(const char *suite);
/* False after g_test_skip() when there is no kernel. */
bool linux_available(const char *suite);
/* From now on the preparation of a guest says on standard error what it does. */
void linux_talk(void);
/* Ends QEMU. */
void linux_free(Linux *l);
/* Waits for the end of QEMU, which is near: the guest has been switched off. */
void linux_wait(Linux *l);
RvVm *linux_vm(Linux *l);
/* Seconds since QEMU was started; a line with them in the test's log. */
double linux_seconds(const Linux *l);
void linux_progress(const Linux *l, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The test has failed, but goes on. */
void linux_fail(const char *format, ...) G_GNUC_PRINTF(1, 2);

#define LINUX_ENDED (-1)         /* no status: the guest is off */

/* Run a command in the guest's shell: its output (both streams). */
char *linux_sh(Linux *l, int *status, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* The same; a status other than 0 ends the test. */
char *linux_ok(Linux *l, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A command whose end is waited for later; no other can be run meanwhile. */
void linux_begin(Linux *l, const char *command);
char *linux_end(Linux *l, int *status);
/* Let the guest say something ten times a second from now on; wait until it has. */
void linux_tick(Linux *l);
void linux_wait_tick(Linux *l);
/* "name=VALUE" in the output of a command, as a number. */
double linux_value(const char *output, const char *name);

/* The kernel's messages since the last judgement must match each of the
 * regular expressions, and none of the list of bad lines but those that match
 * `allowed` (NULL: none). */
void linux_judge(Linux *l, const char *const *expected, const char *allowed);

/* More lines that the part which was judged last must have. */
void linux_judge_again(Linux *l, const char *const *expected);
/* The first line of that part that matches; fails the test when none does. */
char *linux_find(Linux *l, const char *pattern);
unsigned linux_count(Linux *l, const char *pattern);

/* False after g_test_skip() when there is no such image. */
bool linux_need_image(LinuxImage image);
/* Put a microcode image where the driver finds it. */
void linux_use_image(Linux *l, LinuxImage image);
/* The image as a file of the host, or NULL. */
char *linux_image_path(LinuxImage image);
/* The microcode of the first card is that of the image. */
void linux_check_image(Linux *l, LinuxImage image);
/* Executions of the handler of a type-3 opcode (by the dispatch table of the
 * image), or of the entries of type 0 (by the debugger's labels). */
uint64_t linux_handler_count(Linux *l, const char *device, LinuxImage image,
                             uint8_t opcode);
uint64_t linux_type0_count(Linux *l, const char *device);

/* What a display shows when it no longer changes: nothing in 0.1 s of the guest's
 * time. Ends the test when it never comes to rest. */
RvPicture *linux_still(Linux *l, const char *device, unsigned head);
/* The text on the screen of a device, with the font of the guest's console. */
char *linux_screen_text(Linux *l, const char *device);

#endif
