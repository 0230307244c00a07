/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui-rop-kernels.h"

SIXTEEN(KERNEL, 4)
SIXTEEN(KERNEL, 5)
SIXTEEN(KERNEL, 6)
SIXTEEN(KERNEL, 7)
