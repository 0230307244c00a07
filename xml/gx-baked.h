/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our own descriptions, loaded and checked when the project was built. */
#ifndef GX_BAKED_H
#define GX_BAKED_H

#include "gx.h"

extern const GxDoc gx_doc_rv100_pm4;    /* registers and packets */
extern const GxDoc gx_doc_gen75_media;

#endif
