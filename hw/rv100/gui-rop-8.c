/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui-rop-kernels.h"

SIXTEEN(KERNEL, 8)
SIXTEEN(KERNEL, 9)
SIXTEEN(KERNEL, a)
SIXTEEN(KERNEL, b)
