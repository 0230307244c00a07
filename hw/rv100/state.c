/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The field table: every member of the chip's state, once.
 *
 * VMState, snapshots and captures are built from it. Counters of the engine are
 * part of it so that a resumed run counts on.
 */
#include "internal.h"

#define ARRAY(member, since) \
    { #member, offsetof(Rv100, member), \
      sizeof(((Rv100 *)0)->member[0]), \
      G_N_ELEMENTS(((Rv100 *)0)->member), since }
#define FIELD(member, since) \
    { #member, offsetof(Rv100, member), sizeof(((Rv100 *)0)->member), 1, since }

#define HEAD(n) \
    FIELD(head[n].epoch, 1), \
    FIELD(head[n].next_vblank, 1), \
    FIELD(head[n].frames, 1), \
    FIELD(head[n].offset, 1), \
    FIELD(head[n].pending, 1), \
    FIELD(head[n].blank_seen, 1), \
    FIELD(head[n].cur_offset, 1), \
    FIELD(head[n].cur_posn, 1), \
    FIELD(head[n].cur_off, 1)
#define DDC(n) \
    FIELD(ddc[n].state, 1), \
    FIELD(ddc[n].bits, 1), \
    FIELD(ddc[n].shift, 1), \
    FIELD(ddc[n].offset, 1), \
    FIELD(ddc[n].pull, 1), \
    FIELD(ddc[n].nack, 1), \
    FIELD(ddc[n].clock, 1), \
    FIELD(ddc[n].data, 1)

static const Rv100StateField fields[] = {
    ARRAY(regs, 1),
    ARRAY(pll, 1),
    ARRAY(cp.primary.word, 1),
    FIELD(cp.primary.rd, 1),
    FIELD(cp.primary.wr, 1),
    ARRAY(cp.indirect.word, 1),
    FIELD(cp.indirect.rd, 1),
    FIELD(cp.indirect.wr, 1),
    FIELD(cp.rptr, 1),
    FIELD(cp.ib_addr, 1),
    FIELD(cp.ib_left, 1),
    FIELD(cp.next_addr, 1),
    FIELD(cp.next_left, 1),
    FIELD(cp.ib_pending, 1),
    FIELD(cp.on_indirect, 1),
    FIELD(cp.fault, 1),
    FIELD(cp.idle_slices, 1),
    FIELD(cp.step, 1),
    FIELD(cp.me_write_addr, 1),
    FIELD(cp.me_read_addr, 1),
    FIELD(cp.me_datah, 1),
    ARRAY(me.lo, 1),
    ARRAY(me.hi, 1),
    FIELD(me.pkt, 1),
    FIELD(me.a, 1),
    FIELD(me.s, 1),
    FIELD(me.u, 1),
    FIELD(me.idx, 1),
    FIELD(me.head, 1),
    FIELD(me.left, 1),
    FIELD(me.t, 1),
    FIELD(me.count, 1),
    FIELD(me.ptr, 1),
    FIELD(me.pc, 1),
    FIELD(me.mcptr, 1),
    ARRAY(me.table, 1),
    ARRAY(me.stack, 1),
    FIELD(me.depth, 1),
    FIELD(me.type, 1),
    FIELD(me.phase, 1),
    FIELD(me.head_valid, 1),
    FIELD(me.head_seen, 1),
    FIELD(me.old_valid, 1),
    FIELD(me.old_addr, 1),
    FIELD(me.old_lo, 1),
    FIELD(me.steps, 1),
    FIELD(me.words, 1),
    FIELD(me.last_word, 1),
    ARRAY(me.cover, 1),
    ARRAY(gui.clut, 1),
    ARRAY(gui.ring, 1),
    FIELD(gui.x, 1),
    FIELD(gui.y, 1),
    FIELD(gui.w, 1),
    FIELD(gui.h, 1),
    FIELD(gui.col, 1),
    FIELD(gui.row, 1),
    FIELD(gui.slot, 1),
    FIELD(gui.pending, 1),
    FIELD(gui.host, 1),
    FIELD(irq_level, 1),
    FIELD(cp.hang, 1),
    FIELD(cp.wait, 1),
    FIELD(cp.wait_until, 1),
    HEAD(0),
    HEAD(1),
    ARRAY(palette, 1),
    FIELD(pal_write, 1),
    FIELD(pal_read, 1),
    FIELD(palette_vga, 1),
    DDC(0),
    DDC(1),
    ARRAY(plugged, 1),
};

const Rv100StateField *rv100_state_fields(size_t *n)
{
    *n = G_N_ELEMENTS(fields);
    return fields;
}

bool rv100_state_check(const Rv100 *s, const char **why)
{
    if (s->irq_level > 1) {
        *why = "irq_level";
        return false;
    }
    return rv100_regs_check(s, why) && rv100_me_check(&s->me, why) && rv100_cp_check(s, why)
        && rv100_crtc_check(s, why) && rv100_ddc_check(s, why)
        && rv100_gui_check(s, why);
}

void rv100_state_loaded(Rv100 *s)
{
    rv100_gui_loaded(s);
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_state(s);
    }
    rv100_cp_rebuild(s);
    rv100_crtc_rebuild(s);
    if (s->host.irq) {
        s->host.irq(s->opaque, s->irq_level);
    }
    rv100_display_changed(s);
    rv100_debug_was_loaded(s);
}
