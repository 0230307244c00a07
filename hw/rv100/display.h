/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two display controllers: the registers of each, and state beyond them. */
#ifndef RV100_INTERNAL_DISPLAY_H
#define RV100_INTERNAL_DISPLAY_H

#include "rv100/display.h"

/* Members of struct Rv100, one for each head; times in ns of virtual time. */
typedef struct Rv100Head {
    int64_t epoch;              /* when line 0 of frame `frames` began */
    int64_t next_vblank;        /* time of the next vertical blank, 0 = off */
    uint32_t frames;            /* frame counter at epoch */
    uint32_t offset;            /* CRTC_OFFSET as latched */
    uint8_t pending;            /* an offset waits for the vertical blank */
    uint8_t blank_seen;         /* CRTC_STATUS.VBLANK_SAVE */
    /* The cursor's registers as they were when CUR_LOCK last was clear. */
    uint32_t cur_offset, cur_posn, cur_off;
} Rv100Head;

/* dword indices of a head's registers, and its bits elsewhere */
typedef struct Rv100HeadRegs {
    uint16_t gen_cntl, h_total_disp, v_total_disp, offset, offset_cntl;
    uint16_t pitch, base, trig_vline;
    uint16_t cur_offset, cur_posn, cur_off, cur_clr0, cur_clr1;
    uint8_t ref_div, pll_div, pll_divs; /* PLL indices; divider registers */
    uint32_t vblank_int, vline_int;     /* GEN_INT_STATUS */
} Rv100HeadRegs;

extern const Rv100HeadRegs rv100_head_regs[RV100_HEADS];

/* Where the beam is. */
typedef struct Rv100Beam {
    bool running;
    bool in_vblank;
    uint32_t line;              /* from the first displayed line */
    uint32_t frame;
} Rv100Beam;

struct Rv100;
Rv100Beam rv100_beam(struct Rv100 *s, unsigned head);
void rv100_crtc_reset(struct Rv100 *s);
void rv100_crtc_timer(struct Rv100 *s);
void rv100_crtc_rebuild(struct Rv100 *s);
bool rv100_crtc_check(const struct Rv100 *s, const char **why);
/* Time when the beam of a head next enters a line, or line 0 if there is no such
 * line; -1 when it does not run. */
int64_t rv100_crtc_line_time(struct Rv100 *s, unsigned head, uint32_t line);
/* Ask for rv100_crtc_timer() anew after something that it waits for changed. */
void rv100_crtc_schedule(struct Rv100 *s);

#endif
