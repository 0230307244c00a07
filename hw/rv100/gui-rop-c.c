/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui-rop-kernels.h"

SIXTEEN(KERNEL, c)
SIXTEEN(KERNEL, d)
SIXTEEN(KERNEL, e)
SIXTEEN(KERNEL, f)
