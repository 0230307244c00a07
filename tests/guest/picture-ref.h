/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The demo's picture without the project's engines: its packets, executed by the
 * slow interpreter of the microengine (tests/common/slow-me.h), and the register
 * writes drawn by the reference painter (tests/gui/ref-painter.h).
 */
#ifndef PICTURE_REF_H
#define PICTURE_REF_H

#include <glib.h>

#include "picture.h"

/* The font and the lines of p; microcode as pairs of high and low word. Fills
 * PICTURE_PIXELS dwords; false when the microcode did not take all packets. */
bool picture_reference(const Picture *p, const uint32_t image[256][2],
                       uint32_t *pixels);

#endif
