/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui-rop-kernels.h"

SIXTEEN(KERNEL, 0)
SIXTEEN(KERNEL, 1)
SIXTEEN(KERNEL, 2)
SIXTEEN(KERNEL, 3)
