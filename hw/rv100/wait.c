/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * WAIT_UNTIL: the command stream stands still until the display is somewhere.
 *
 * Drawing runs to its end where it is started, so "2D idle" and the like hold
 * at once; so does all that NQWAIT_UNTIL and ISYNC_CNTL can ask for. A wait for a
 * flip or for a line window of a CRTC ends the engine's slice; it ends when the
 * condition holds, or after LONGEST_WAIT_NS with a line in the log, so that a
 * driver's mistake does not hang the guest. Only writes of the engine wait.
 */
#include "internal.h"

#define LONGEST_WAIT_NS 100000000

#define PFLIP R_WAIT_UNTIL_WAIT_CRTC_PFLIP_MASK
#define BOTH_PFLIP R_WAIT_UNTIL_WAIT_BOTH_CRTC_PFLIP_MASK
#define VLINE R_WAIT_UNTIL_WAIT_CRTC_VLINE_MASK
#define VLINE_BEGIN R_WAIT_UNTIL_WAIT_RE_CRTC_VLINE_MASK
#define VLINE_END R_WAIT_UNTIL_WAIT_FE_CRTC_VLINE_MASK
#define DISPLAY (PFLIP | BOTH_PFLIP | VLINE | VLINE_BEGIN | VLINE_END)
/* Kept in cp.wait, where the register has no bit: the beam was seen on the other
 * side of the edge that is waited for. */
#define BEFORE_EDGE (1u << 29)

static unsigned wait_head(Rv100 *s)
{
    return RV100_GET(s->cp.wait, WAIT_UNTIL, ENG_DISPLAY_SELECT);
}

typedef struct Window {
    uint32_t first, last;
    bool inverted;
} Window;

static Window window_of(Rv100 *s)
{
    uint32_t reg = s->regs[rv100_head_regs[wait_head(s)].trig_vline];

    return (Window) {
        .first = RV100_GET(reg, CRTC_GUI_TRIG_VLINE, CRTC_GUI_TRIG_VLINE_START),
        .last = RV100_GET(reg, CRTC_GUI_TRIG_VLINE, CRTC_GUI_TRIG_VLINE_END),
        .inverted = RV100_GET(reg, CRTC_GUI_TRIG_VLINE, CRTC_GUI_TRIG_VLINE_INV),
    };
}

/* INV: the window is what is outside of the lines, which is how drivers keep a
 * copy away from what is being shown [linux]. */
static bool in_window(Rv100 *s)
{
    Window w = window_of(s);
    uint32_t line = rv100_beam(s, wait_head(s)).line;

    return (line >= w.first && line <= w.last) != w.inverted;
}

/* RE waits for the beam to come into the window, FE to leave it [inferred]. */
static bool edge_passed(Rv100 *s)
{
    bool inside = in_window(s), wanted = s->cp.wait & VLINE_BEGIN;

    if (inside != wanted) {
        s->cp.wait |= BEFORE_EDGE;
        return false;
    }
    return s->cp.wait & BEFORE_EDGE;
}

static bool flip_pending(Rv100 *s, unsigned head)
{
    return rv100_beam(s, head).running && s->head[head].pending;
}

static bool satisfied(Rv100 *s)
{
    unsigned head = wait_head(s);

    if ((s->cp.wait & PFLIP && flip_pending(s, head))
        || (s->cp.wait & BOTH_PFLIP && (flip_pending(s, 0) || flip_pending(s, 1)))) {
        return false;
    }
    if (!rv100_beam(s, head).running) {
        return true;
    }
    return (!(s->cp.wait & VLINE) || in_window(s))
        && (!(s->cp.wait & (VLINE_BEGIN | VLINE_END)) || edge_passed(s));
}

void rv100_wait_check(Rv100 *s)
{
    bool late = s->host.now(s->opaque) >= s->cp.wait_until;

    if (!s->cp.wait || !(late || satisfied(s))) {
        return;
    }
    if (late && !satisfied(s)) {
        rv100_guest_error(s, A_WAIT_UNTIL, "0x%08x did not come true in 100 ms, "
                          "given up", s->cp.wait & ~BEFORE_EDGE);
    }
    s->cp.wait = 0;
    rv100_trace(s, RV100_TRACE_wait, 0, 0, 0, 0);
    rv100_cp_kick(s);
}

/* The next time to look again, -1 when nothing waits. Flips come with the
 * vertical blank, which has a time of its own. */
int64_t rv100_wait_time(Rv100 *s)
{
    unsigned head = wait_head(s);
    Window w;
    int64_t first, behind;

    if (!s->cp.wait) {
        return -1;
    }
    w = window_of(s);
    first = rv100_crtc_line_time(s, head, w.first);
    behind = rv100_crtc_line_time(s, head, w.last + 1);
    if (first < 0) {
        return s->cp.wait_until;
    }
    return MIN(MIN(first, behind), s->cp.wait_until);
}

static void write_wait(Rv100 *s, uint32_t offset, uint32_t value)
{
    if (!s->from_engine || !(value & DISPLAY)) {
        return;
    }
    s->cp.wait = value & (DISPLAY | R_WAIT_UNTIL_ENG_DISPLAY_SELECT_MASK);
    s->cp.wait_until = s->host.now(s->opaque) + LONGEST_WAIT_NS;
    if (satisfied(s)) {
        s->cp.wait = 0;
        return;
    }
    rv100_trace(s, RV100_TRACE_wait, s->cp.wait, 0, 0, 0);
    rv100_me_request_stop(&s->me);
    rv100_crtc_schedule(s);
}

const Rv100Hook rv100_wait_hooks[] = {
    { A_WAIT_UNTIL, .write = write_wait },
    { 0 }
};
