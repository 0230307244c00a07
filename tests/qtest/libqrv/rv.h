/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that a device test uses. */
#ifndef RV_H
#define RV_H

#include "rv-vm.h"
#include "rv-dev.h"
#include "rv-cp.h"
#include "rv-screen.h"
#include "pm4-words.h"
#include "rv100-regs.h"
#include "rv100-accessors.h"

#endif
