/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A capture as text: packets as the engine took them, accesses of the host. */
#ifndef RV100_CAPTURE_DECODE_H
#define RV100_CAPTURE_DECODE_H

#include "capture.h"
#include "decode.h"

/* Offsets are numbers of records. `flush` is called now and then (false:
 * enough). */
void capture_decode(Capture *c, Decoder *d, bool verbose,
                    bool (*flush)(void *opaque), void *opaque);

#endif
