/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CRTC1 and CRTC2: timing, vertical blank, counters, page flips.
 *
 * The beam is computed from virtual time when somebody looks; a timer is used
 * only for what happens at a time: the vertical blank (interrupt, latch of the
 * offset) and, where asked for, a line interrupt. A programmed rate outside of
 * MIN_FRAME_NS..MAX_FRAME_NS is brought inside, so that a guest cannot make the
 * host spin and a driver that waits does not wait for ever.
 */
#include "internal.h"

#define MIN_FRAME_NS 4000000        /* 250 Hz */
#define MAX_FRAME_NS 50000000       /* 20 Hz */
#define DEFAULT_FRAME_NS 16666667   /* no usable clock: 60 Hz */
#define REFERENCE_HZ 27000000       /* [linux] */

const Rv100HeadRegs rv100_head_regs[RV100_HEADS] = {
    {
        .gen_cntl = R_CRTC_GEN_CNTL,
        .h_total_disp = R_CRTC_H_TOTAL_DISP,
        .v_total_disp = R_CRTC_V_TOTAL_DISP,
        .offset = R_CRTC_OFFSET,
        .offset_cntl = R_CRTC_OFFSET_CNTL,
        .pitch = R_CRTC_PITCH,
        .base = R_DISPLAY_BASE_ADDR,
        .trig_vline = R_CRTC_GUI_TRIG_VLINE,
        .cur_offset = R_CUR_OFFSET,
        .cur_posn = R_CUR_HORZ_VERT_POSN,
        .cur_off = R_CUR_HORZ_VERT_OFF,
        .cur_clr0 = R_CUR_CLR0,
        .cur_clr1 = R_CUR_CLR1,
        .ref_div = P_PPLL_REF_DIV,
        .pll_div = P_PPLL_DIV_0,
        .pll_divs = 4,
        .vblank_int = R_GEN_INT_STATUS_CRTC_VBLANK_STAT_MASK,
        .vline_int = R_GEN_INT_STATUS_CRTC_VLINE_STAT_MASK,
    },
    {
        .gen_cntl = R_CRTC2_GEN_CNTL,
        .h_total_disp = R_CRTC2_H_TOTAL_DISP,
        .v_total_disp = R_CRTC2_V_TOTAL_DISP,
        .offset = R_CRTC2_OFFSET,
        .offset_cntl = R_CRTC2_OFFSET_CNTL,
        .pitch = R_CRTC2_PITCH,
        .base = R_CRTC2_DISPLAY_BASE_ADDR,
        .trig_vline = R_CRTC2_GUI_TRIG_VLINE,
        .cur_offset = R_CUR2_OFFSET,
        .cur_posn = R_CUR2_HORZ_VERT_POSN,
        .cur_off = R_CUR2_HORZ_VERT_OFF,
        .cur_clr0 = R_CUR2_CLR0,
        .cur_clr1 = R_CUR2_CLR1,
        .ref_div = P_P2PLL_REF_DIV,
        .pll_div = P_P2PLL_DIV_0,
        .pll_divs = 1,
        .vblank_int = R_GEN_INT_STATUS_CRTC2_VBLANK_STAT_MASK,
        .vline_int = R_GEN_INT_STATUS_CRTC2_VLINE_STAT_MASK,
    },
};

/* --- timing --- */

typedef struct Timing {
    int64_t frame_ns;
    uint32_t total, displayed;  /* lines */
} Timing;

/* Which of its dividers the PLL of the first head uses. */
static unsigned divider(Rv100 *s)
{
    return RV100_GET(s->regs[R_CLOCK_CNTL_INDEX], CLOCK_CNTL_INDEX, PLL_DIV_SEL);
}

/* Fields of the second head's registers are where the first head's are, so the
 * names of the first are used for both. */
static uint64_t pixel_clock(Rv100 *s, const Rv100HeadRegs *h)
{
    static const uint8_t post_div[8] = { 1, 2, 4, 8, 3, 16, 6, 12 }; /* [linux] */
    unsigned sel = h->pll_divs > 1 ? divider(s) : 0;
    uint32_t div = s->pll[h->pll_div + sel];
    uint32_t fb = (div & P_P2PLL_DIV_0_P2PLL_FB0_DIV_MASK)
        >> P_P2PLL_DIV_0_P2PLL_FB0_DIV_SHIFT;
    uint32_t post = (div & P_P2PLL_DIV_0_P2PLL_POST0_DIV_MASK)
        >> P_P2PLL_DIV_0_P2PLL_POST0_DIV_SHIFT;
    uint32_t ref = (s->pll[h->ref_div] & P_P2PLL_REF_DIV_P2PLL_REF_DIV_MASK)
        >> P_P2PLL_REF_DIV_P2PLL_REF_DIV_SHIFT;

    return ref && fb ? (uint64_t)REFERENCE_HZ * fb / (ref * post_div[post & 7]) : 0;
}

static Timing timing(Rv100 *s, unsigned head)
{
    const Rv100HeadRegs *h = &rv100_head_regs[head];
    uint32_t v = s->regs[h->v_total_disp];
    uint64_t pixels, clock = pixel_clock(s, h);
    Timing t = {
        .total = RV100_GET(v, CRTC_V_TOTAL_DISP, CRTC_V_TOTAL) + 1,
        .displayed = RV100_GET(v, CRTC_V_TOTAL_DISP, CRTC_V_DISP) + 1,
    };

    t.total = MAX(t.total, t.displayed + 1);    /* there is always a blank */
    pixels = 8ull * t.total
        * (RV100_GET(s->regs[h->h_total_disp], CRTC_H_TOTAL_DISP, CRTC_H_TOTAL)
           + 1);
    t.frame_ns = clock ? pixels * 1000000000ull / clock : DEFAULT_FRAME_NS;
    t.frame_ns = CLAMP(t.frame_ns, MIN_FRAME_NS, MAX_FRAME_NS);
    return t;
}

static bool running(Rv100 *s, unsigned head)
{
    return s->regs[rv100_head_regs[head].gen_cntl] & R_CRTC_GEN_CNTL_CRTC_EN_MASK;
}

/* ns from the epoch of a frame to the begin of a line: rounded up, so that the
 * beam is in the line then */
static int64_t line_ns(const Timing *t, uint32_t line)
{
    return (t->frame_ns * line + t->total - 1) / t->total;
}

Rv100Beam rv100_beam(Rv100 *s, unsigned head)
{
    Rv100Head *c = &s->head[head];
    Timing t = timing(s, head);
    Rv100Beam beam = { .running = running(s, head), .frame = c->frames };
    int64_t since = s->host.now(s->opaque) - c->epoch;

    if (!beam.running || since < 0) {
        beam.running &= since >= 0;
        return beam;
    }
    beam.line = (since % t.frame_ns) * t.total / t.frame_ns;
    beam.in_vblank = beam.line >= t.displayed;
    /* The frame counter moves with the first line. The driver adds one from the
     * last line shown on until the line counter starts again, so a step in
     * between would make its sum go back [linux]. */
    beam.frame += since / t.frame_ns;
    return beam;
}

int64_t rv100_crtc_line_time(Rv100 *s, unsigned head, uint32_t line)
{
    Timing t = timing(s, head);
    int64_t now = s->host.now(s->opaque), epoch = s->head[head].epoch, when;

    if (!running(s, head)) {
        return -1;
    }
    when = epoch + (now - epoch) / t.frame_ns * t.frame_ns
        + line_ns(&t, line < t.total ? line : 0);
    return when > now ? when : when + t.frame_ns;
}

/* --- events --- */

uint32_t rv100_crtc_refresh(Rv100 *s, unsigned head)
{
    return 1000000000000ll / timing(s, head).frame_ns;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < 0 ? b : b < 0 ? a : MIN(a, b);
}

/* The line interrupt: a time only while somebody can see it come. */
static int64_t vline_time(Rv100 *s, unsigned head)
{
    uint32_t reg = s->regs[head ? R_CRTC2_VLINE_CRNT_VLINE
                                : R_CRTC_VLINE_CRNT_VLINE];
    uint32_t line = RV100_GET(reg, CRTC_VLINE_CRNT_VLINE, CRTC_VLINE);

    if (s->regs[R_GEN_INT_STATUS] & rv100_head_regs[head].vline_int
        || line >= timing(s, head).total) {
        return -1;
    }
    return rv100_crtc_line_time(s, head, line);
}

void rv100_crtc_schedule(Rv100 *s)
{
    int64_t when = rv100_wait_time(s);

    for (unsigned n = 0; n < RV100_HEADS; n++) {
        if (running(s, n)) {
            when = earlier(when, s->head[n].next_vblank);
            s->next_vline[n] = vline_time(s, n);
            when = earlier(when, s->next_vline[n]);
        }
    }
    s->host.set_timer(s->opaque, RV100_TIMER_DISPLAY, when);
}

static void latch_offset(Rv100 *s, unsigned head)
{
    Rv100Head *c = &s->head[head];
    uint32_t reg = s->regs[rv100_head_regs[head].offset];

    if (c->pending && !(reg & R_CRTC_OFFSET_OFFSET_LOCK_MASK)) {
        c->pending = 0;
        c->offset = reg & ~(R_CRTC_OFFSET_OFFSET_LOCK_MASK
                            | R_CRTC_OFFSET_GUI_TRIG_OFFSET_MASK);
        rv100_trace(s, RV100_TRACE_flip, head, c->offset, 0, 0);
        rv100_display_changed(s);
    }
}

static void vblank(Rv100 *s, unsigned head, int64_t now)
{
    Rv100Head *c = &s->head[head];
    Timing t = timing(s, head);
    int64_t frames = (now - c->epoch) / t.frame_ns;

    /* Keep the epoch near, so that times never overflow. */
    c->epoch += frames * t.frame_ns;
    c->frames += frames;
    c->next_vblank = c->epoch + line_ns(&t, t.displayed);
    if (c->next_vblank <= now) {
        c->next_vblank += t.frame_ns;
    }
    c->blank_seen = 1;
    latch_offset(s, head);
    rv100_irq_raise(s, rv100_head_regs[head].vblank_int);
}

void rv100_crtc_timer(Rv100 *s)
{
    int64_t now = s->host.now(s->opaque);

    for (unsigned n = 0; n < RV100_HEADS; n++) {
        if (!running(s, n)) {
            continue;
        }
        if (s->next_vline[n] >= 0 && s->next_vline[n] <= now) {
            rv100_irq_raise(s, rv100_head_regs[n].vline_int);
        }
        if (s->head[n].next_vblank <= now) {
            vblank(s, n, now);
        }
    }
    rv100_wait_check(s);
    rv100_crtc_schedule(s);
}

/* The mode or the clock changed: a new frame begins now. */
static void restart(Rv100 *s, unsigned head)
{
    Rv100Head *c = &s->head[head];
    Rv100Beam beam = rv100_beam(s, head);
    Timing t = timing(s, head);

    c->frames = beam.frame;
    c->epoch = s->host.now(s->opaque);
    c->next_vblank = c->epoch + line_ns(&t, t.displayed);
    if (!running(s, head)) {
        latch_offset(s, head);      /* no blank to wait for */
    }
}

void rv100_crtc_retime(Rv100 *s, unsigned pll)
{
    for (unsigned n = 0; n < RV100_HEADS; n++) {
        const Rv100HeadRegs *h = &rv100_head_regs[n];

        if (pll == h->ref_div || (pll >= h->pll_div && pll < h->pll_div + h->pll_divs)) {
            restart(s, n);
        }
    }
    rv100_wait_check(s);
    rv100_crtc_schedule(s);
}

/* A driver writes the index for every access to a PLL register; only another
 * divider is another clock. */
static void write_clock_index(Rv100 *s, uint32_t offset, uint32_t value)
{
    if (divider(s) != s->was_divider) {
        s->was_divider = divider(s);
        rv100_crtc_retime(s, P_PPLL_DIV_0);
    }
}

/* --- registers --- */

static unsigned head_of(uint32_t offset)
{
    /* CRTC2's registers are from 0x300 on, but for the general control and
     * status of CRTC1 at 0x050. */
    return offset >= A_CRTC2_H_TOTAL_DISP;
}

static void trace_mode(Rv100 *s, unsigned head)
{
    Rv100DisplayMode m;

    if (rv100_tracing(s, RV100_TRACE_mode)) {
        rv100_display_mode(s, head, &m);
        rv100_trace(s, RV100_TRACE_mode, head,
                    m.native ? m.width << 16 | m.height : 0, 8u * m.bytes,
                    rv100_crtc_refresh(s, head));
    }
}

static void write_timing(Rv100 *s, uint32_t offset, uint32_t value)
{
    trace_mode(s, head_of(offset));
    restart(s, head_of(offset));
    rv100_wait_check(s);
    rv100_crtc_schedule(s);
    rv100_display_changed(s);
}

static void write_gen_cntl(Rv100 *s, uint32_t offset, uint32_t value)
{
    unsigned head = head_of(offset);

    if (running(s, head) != s->was_running[head]) {
        s->was_running[head] = running(s, head);
        write_timing(s, offset, value);
    } else {
        trace_mode(s, head);
        rv100_display_changed(s);
    }
}

static void write_offset(Rv100 *s, uint32_t offset, uint32_t value)
{
    unsigned head = head_of(offset);

    s->head[head].pending = 1;
    /* Inside a blank it is taken at once: the driver counts on it [linux]. */
    if (!running(s, head) || rv100_beam(s, head).in_vblank) {
        latch_offset(s, head);
    }
}

static uint32_t read_offset(Rv100 *s, uint32_t offset)
{
    uint32_t v = s->regs[offset / 4]
        & ~R_CRTC_OFFSET_GUI_TRIG_OFFSET_MASK;

    return s->head[head_of(offset)].pending
        ? v | R_CRTC_OFFSET_GUI_TRIG_OFFSET_MASK : v;
}

static void write_display(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_display_changed(s);
}

static uint32_t read_status(Rv100 *s, uint32_t offset)
{
    unsigned head = head_of(offset);
    Rv100Beam beam = rv100_beam(s, head);
    uint32_t v = 0;

    v = RV100_SET(v, CRTC_STATUS, CRTC_VBLANK_CUR, beam.in_vblank ? 1u : 0u);
    return RV100_SET(v, CRTC_STATUS, CRTC_VBLANK_SAVE,
                     s->head[head].blank_seen ? 1u : 0u);
}

static void write_status(Rv100 *s, uint32_t offset, uint32_t value)
{
    if (value & R_CRTC_STATUS_CRTC_VBLANK_SAVE_MASK) {
        s->head[head_of(offset)].blank_seen = 0;
    }
}

static uint32_t read_vline(Rv100 *s, uint32_t offset)
{
    return RV100_SET(s->regs[offset / 4], CRTC_VLINE_CRNT_VLINE, CRTC_CRNT_VLINE,
                     rv100_beam(s, head_of(offset)).line);
}

static void write_vline(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_crtc_schedule(s);
}

static uint32_t read_frame(Rv100 *s, uint32_t offset)
{
    return rv100_beam(s, head_of(offset)).frame & 0x1fffff;  /* 21 bits [linux] */
}

const Rv100Hook rv100_crtc_hooks[] = {
    { A_CLOCK_CNTL_INDEX, .write = write_clock_index },
    { A_CRTC_GEN_CNTL, .write = write_gen_cntl },
    { A_CRTC2_GEN_CNTL, .write = write_gen_cntl },
    { A_CRTC_EXT_CNTL, .write = write_display },
    { A_CRTC_H_TOTAL_DISP, .write = write_timing },
    { A_CRTC2_H_TOTAL_DISP, .write = write_timing },
    { A_CRTC_V_TOTAL_DISP, .write = write_timing },
    { A_CRTC2_V_TOTAL_DISP, .write = write_timing },
    { A_CRTC_OFFSET, .read = read_offset, .write = write_offset,
      .silent_read = true },
    { A_CRTC2_OFFSET, .read = read_offset, .write = write_offset,
      .silent_read = true },
    { A_CRTC_OFFSET_CNTL, .write = write_display },
    { A_CRTC2_OFFSET_CNTL, .write = write_display },
    { A_CRTC_PITCH, .write = write_display },
    { A_CRTC2_PITCH, .write = write_display },
    { A_DISPLAY_BASE_ADDR, .write = write_display },
    { A_CRTC2_DISPLAY_BASE_ADDR, .write = write_display },
    { A_MC_FB_LOCATION, .write = write_display },
    { A_CRTC_STATUS, .read = read_status, .write = write_status,
      .silent_read = true },
    { A_CRTC2_STATUS, .read = read_status, .write = write_status,
      .silent_read = true },
    { A_CRTC_VLINE_CRNT_VLINE, .read = read_vline, .write = write_vline,
      .silent_read = true },
    { A_CRTC2_VLINE_CRNT_VLINE, .read = read_vline, .write = write_vline,
      .silent_read = true },
    { A_CRTC_CRNT_FRAME, .read = read_frame, .silent_read = true },
    { A_CRTC2_CRNT_FRAME, .read = read_frame, .silent_read = true },
    { 0 }
};

/* --- reset and state --- */

void rv100_crtc_reset(Rv100 *s)
{
    for (unsigned n = 0; n < RV100_HEADS; n++) {
        s->head[n] = (Rv100Head) { .epoch = s->host.now(s->opaque) };
        s->was_running[n] = false;
        s->next_vline[n] = -1;
    }
    s->was_divider = divider(s);
    rv100_crtc_schedule(s);
}

bool rv100_crtc_check(const Rv100 *s, const char **why)
{
    int64_t now = s->host.now(s->opaque);

    for (unsigned n = 0; n < RV100_HEADS; n++) {
        if (s->head[n].epoch > now || s->head[n].epoch < 0) {
            *why = "head.epoch";
            return false;
        }
        if (s->head[n].pending > 1 || s->head[n].blank_seen > 1) {
            *why = "head.pending";
            return false;
        }
    }
    return true;
}

void rv100_crtc_rebuild(Rv100 *s)
{
    s->was_divider = divider(s);
    for (unsigned n = 0; n < RV100_HEADS; n++) {
        s->was_running[n] = running(s, n);
    }
    rv100_crtc_schedule(s);
}
