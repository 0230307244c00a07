/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers that start work the model does not do yet: the value is kept, the
 * lack is said once. docs/not-emulated.md lists the same things.
 */
#include "internal.h"

static void draw_3d(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_unimp(s, offset, "3D drawing is not emulated");
}

static void idct(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_unimp(s, offset, "motion compensation is not emulated");
}

static void overlay(Rv100 *s, uint32_t offset, uint32_t value)
{
    if (value & R_OV0_SCALE_CNTL_OV0_OVERLAY_EN_MASK) {
        rv100_unimp(s, offset, "the overlay is not emulated");
    }
}

const Rv100Hook rv100_unimp_hooks[] = {
    { A_SE_VF_CNTL, .write = draw_3d },
    { A_SE_PORT_DATA0, .write = draw_3d },
    { A_SE_MC_CNTL_START, .write = idct },
    { A_OV0_SCALE_CNTL, .write = overlay },
    { A_IDCT_RUNS, .write = idct },
    { 0 }
};
