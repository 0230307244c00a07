/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracetool's own name for the header that Meson's generator calls after its
 * input file. */
#include "trace-events.h"
