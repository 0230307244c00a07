/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captures of a device in a VM: rv.cap in its directory. */
#ifndef TESTS_CAPTURE_CHECK_H
#define TESTS_CAPTURE_CHECK_H

#include "capture.h"
#include "replay.h"
#include "rv.h"

/* A mode of the card's own CRTC, 32 bits a pixel, VRAM from its start. */
void capture_show(RvDev *d, unsigned width, unsigned height);
/* Open the file; it can be read when the VM is gone. */
int capture_file(const RvVm *vm);
/* What is in it by now. */
GBytes *capture_read(int fd);
/* Replay: all as captured, the last picture is `want` (NULL: a capture
 * without its end; no picture is compared). */
ReplayStats capture_check(GBytes *file, const RvPicture *want);
/* The same with a picture for each head. */
ReplayStats capture_check_heads(GBytes *file, const RvPicture *const *want);

#endif
