/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * WAIT_UNTIL: the command stream stands still until the display is somewhere.
 *
 * Drawing runs to its end where it is started, so "2D idle" and the like hold
 * at once. A wait for a flip or for a line window of a CRTC ends the engine's
 * slice; it ends when the condition holds, or after LONGEST_WAIT_NS with a line
 * in the log, so that a driver's mistake does not hang the guest. Only writes of
 * the engine wait.
 */
#include "internal.h"

#define LONGEST_WAIT_NS 100000000

static unsigned wait_head(Rv100 *s)
{
    return RV100_GET(s->cp.wait, WAIT_UNTIL, ENG_DISPLAY_SELECT);
}

static bool in_window(Rv100 *s, unsigned head)
{
    uint32_t reg = s->regs[rv100_head_regs[head].trig_vline];
    uint32_t first = RV100_GET(reg, CRTC_GUI_TRIG_VLINE, CRTC_GUI_TRIG_VLINE_START);
    uint32_t last = RV100_GET(reg, CRTC_GUI_TRIG_VLINE, CRTC_GUI_TRIG_VLINE_END);
    bool inv = RV100_GET(reg, CRTC_GUI_TRIG_VLINE, CRTC_GUI_TRIG_VLINE_INV);
    Rv100Beam beam = rv100_beam(s, head);

    /* INV: wait until the beam is outside of the window, which is how drivers
     * keep a copy away from what is being shown [linux]. */
    return (beam.line >= first && beam.line <= last) != inv;
}

static bool satisfied(Rv100 *s)
{
    unsigned head = wait_head(s);

    if (!rv100_beam(s, head).running) {
        return true;
    }
    if (s->cp.wait & R_WAIT_UNTIL_WAIT_CRTC_PFLIP_MASK && s->head[head].pending) {
        return false;
    }
    return !(s->cp.wait & R_WAIT_UNTIL_WAIT_CRTC_VLINE_MASK) || in_window(s, head);
}

void rv100_wait_check(Rv100 *s)
{
    bool late = s->host.now(s->opaque) >= s->cp.wait_until;

    if (!s->cp.wait || !(late || satisfied(s))) {
        return;
    }
    if (late && !satisfied(s)) {
        rv100_guest_error(s, A_WAIT_UNTIL, "0x%08x did not come true in 100 ms, "
                          "given up", s->cp.wait);
    }
    s->cp.wait = 0;
    rv100_trace(s, RV100_TRACE_wait, 0, 0, 0, 0);
    rv100_cp_kick(s);
}

/* The next time to look again, -1 when nothing waits. */
int64_t rv100_wait_time(Rv100 *s)
{
    unsigned head = wait_head(s);
    uint32_t reg = s->regs[rv100_head_regs[head].trig_vline];
    uint32_t line;
    int64_t when;

    if (!s->cp.wait) {
        return -1;
    }
    line = RV100_GET(reg, CRTC_GUI_TRIG_VLINE, CRTC_GUI_TRIG_VLINE_INV)
        ? RV100_GET(reg, CRTC_GUI_TRIG_VLINE, CRTC_GUI_TRIG_VLINE_END) + 1
        : RV100_GET(reg, CRTC_GUI_TRIG_VLINE, CRTC_GUI_TRIG_VLINE_START);
    when = rv100_crtc_line_time(s, head, line);
    return when < 0 ? s->cp.wait_until : MIN(when, s->cp.wait_until);
}

static void write_wait(Rv100 *s, uint32_t offset, uint32_t value)
{
    uint32_t display = R_WAIT_UNTIL_WAIT_CRTC_PFLIP_MASK
        | R_WAIT_UNTIL_WAIT_CRTC_VLINE_MASK;

    if (!s->from_engine || !(value & display)) {
        return;
    }
    s->cp.wait = value & (display | R_WAIT_UNTIL_ENG_DISPLAY_SELECT_MASK);
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
