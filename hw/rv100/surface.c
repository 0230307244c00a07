/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Surfaces: how the host's accesses through BAR0 are turned on their way to
 * VRAM. A big-endian driver has the card swap bytes, by the depth of what it
 * draws: outside of the eight surfaces as SURFACE_CNTL says, inside of one as its
 * INFO says [linux]. Swapping the bytes of a 16 or 32-bit word is the same as
 * changing the low bits of each byte's address.
 *
 * Tiled surfaces are not emulated: they are seen as linear.
 */
#include "internal.h"

#define SURFACES 8
#define SURFACE_STEP (A_SURFACE1_INFO - A_SURFACE0_INFO)
#define APERTURE_SIZE (64u << 20)   /* the second half of BAR0 is aperture 1 */

static uint32_t surface_reg(Rv100 *s, unsigned n, uint32_t offset)
{
    return s->regs[(offset + n * SURFACE_STEP) / 4];
}

/* Address bits to change, from the four swap bits of a register. */
static unsigned swap_of(uint32_t reg, bool second)
{
    unsigned bits = RV100_GET(reg, SURFACE0_INFO, SURF_AP0_SWP_16BPP)
        | RV100_GET(reg, SURFACE0_INFO, SURF_AP0_SWP_32BPP) << 1;

    if (second) {
        bits = RV100_GET(reg, SURFACE0_INFO, SURF_AP1_SWP_16BPP)
            | RV100_GET(reg, SURFACE0_INFO, SURF_AP1_SWP_32BPP) << 1;
    }
    return bits & 2 ? 3 : bits & 1;
}

/* The surface registers have the same swap bits as SURFACE_CNTL. */
G_STATIC_ASSERT(R_SURFACE0_INFO_SURF_AP0_SWP_16BPP_MASK
                == R_SURFACE_CNTL_NONSURF_AP0_SWP_16BPP_MASK);
G_STATIC_ASSERT(R_SURFACE0_INFO_SURF_AP1_SWP_32BPP_MASK
                == R_SURFACE_CNTL_NONSURF_AP1_SWP_32BPP_MASK);

static bool surfaces_on(Rv100 *s)
{
    return !RV100_GET(s->regs[R_SURFACE_CNTL], SURFACE_CNTL, SURF_TRANSLATION_DIS);
}

/* Bounds are inclusive; a surface with none set covers nothing. */
static bool in_surface(Rv100 *s, unsigned n, uint32_t offset)
{
    uint32_t lower = surface_reg(s, n, A_SURFACE0_LOWER_BOUND);
    uint32_t upper = surface_reg(s, n, A_SURFACE0_UPPER_BOUND);

    return upper > lower && offset >= lower && offset <= upper;
}

uint32_t rv100_aperture_address(Rv100 *s, uint32_t offset)
{
    bool second = offset >= APERTURE_SIZE;

    for (unsigned n = 0; n < SURFACES && surfaces_on(s); n++) {
        if (in_surface(s, n, offset)) {
            return offset ^ swap_of(surface_reg(s, n, A_SURFACE0_INFO), second);
        }
    }
    return offset ^ swap_of(s->regs[R_SURFACE_CNTL], second);
}

bool rv100_aperture_plain(Rv100 *s)
{
    uint32_t used = s->regs[R_SURFACE_CNTL];

    for (unsigned n = 0; n < SURFACES && surfaces_on(s); n++) {
        if (surface_reg(s, n, A_SURFACE0_UPPER_BOUND)
            > surface_reg(s, n, A_SURFACE0_LOWER_BOUND)) {
            used |= surface_reg(s, n, A_SURFACE0_INFO);
        }
    }
    return !swap_of(used, false) && !swap_of(used, true);
}

static void write_surface(Rv100 *s, uint32_t offset, uint32_t value)
{
    unsigned n = (offset - A_SURFACE0_LOWER_BOUND) / SURFACE_STEP;

    if (offset != A_SURFACE_CNTL
        && in_surface(s, n, surface_reg(s, n, A_SURFACE0_LOWER_BOUND))
        && RV100_GET(surface_reg(s, n, A_SURFACE0_INFO), SURFACE0_INFO, SURF_PITCH)) {
        rv100_unimp(s, A_SURFACE0_INFO, "tiled surfaces are not emulated, seen as "
                    "linear");
    }
    rv100_display_changed(s);
}

const Rv100Hook rv100_surface_hooks[] = {
    { A_SURFACE_CNTL, .write = write_surface },
#define SURFACE(n) { A_SURFACE##n##_LOWER_BOUND, 3, .write = write_surface }
    SURFACE(0), SURFACE(1), SURFACE(2), SURFACE(3),
    SURFACE(4), SURFACE(5), SURFACE(6), SURFACE(7),
#undef SURFACE
    { 0 }
};
