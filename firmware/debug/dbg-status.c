/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debugger: overviews: status, gart, stats. */
#include <string.h>

#include "dbg.h"
#include "rv100/display.h"
#include "rv100-regs.h"

static uint32_t peek(Rv100Debug *d, uint32_t offset)
{
    return rv100_peek(d->chip, offset);
}

/* --- status --- */

static void status_engine(Rv100Debug *d)
{
    const char *why = dbg_stands_still(d);
    const DbgPacket *p = dbg_last_packet(d);

    dbg_print(d, "engine   %s%s%s\n", rv100_debug_halted(d->chip)
              ? "halted by the debugger" : why ? "stands still" : "runs",
              why ? ": " : "", why ? why : "");
    if (d->me->phase == RV100_ME_RUN) {
        g_autofree char *name = dbg_place_name(d, d->me->pc);

        dbg_print(d, "         pc 0x%02x %s, %u word%s left\n", d->me->pc, name,
                  d->me->left, d->me->left == 1 ? "" : "s");
    }
    if (p) {
        dbg_print(d, "packet   %" PRIu64 ": ", d->n_packets);
        dbg_header_print(d->out, p->header);
        dbg_print(d, "\n");
    }
}

static void status_streams(Rv100Debug *d)
{
    Rv100DebugQueues q;

    rv100_debug_queues(d->chip, &q);
    dbg_print(d, "queue    CP_CSQ_CNTL 0x%08x", peek(d, A_CP_CSQ_CNTL));
    dbg_fields_print(d->out, rv100_mmio_info(A_CP_CSQ_CNTL),
                     peek(d, A_CP_CSQ_CNTL));
    dbg_print(d, "\n         fetched and waiting: %u primary, %u indirect\n",
              q.primary, q.indirect);
    dbg_print(d, "ring     0x%08x, %u dwords, read %u, write %u%s\n", q.ring_base,
              q.ring_dwords, q.rptr, q.wptr, q.fault ? ", bus error" : "");
    if (q.on_indirect || q.ib_left) {
        dbg_print(d, "IB       the engine is in it; next fetch 0x%08x, %u dwords "
                  "left\n", q.ib_addr, q.ib_left);
    }
    if (q.ib_pending) {
        dbg_print(d, "IB       0x%08x, %u dwords, begins at the next header\n",
                  q.next_addr, q.next_left);
    }
}

static void status_memory(Rv100Debug *d)
{
    uint32_t loc = peek(d, A_MC_FB_LOCATION), size;

    rv100_debug_vram(d->chip, &size);
    dbg_print(d, "memory   frame buffer 0x%08x..0x%08x, VRAM %u MiB\n",
              RV100_GET(loc, MC_FB_LOCATION, MC_FB_START) << 16,
              RV100_GET(loc, MC_FB_LOCATION, MC_FB_TOP) << 16 | 0xffff,
              size >> 20);
    if (RV100_GET(peek(d, A_AIC_CNTL), AIC_CNTL, PCIGART_TRANSLATE_EN)) {
        dbg_print(d, "GART     0x%08x..0x%08x, table at bus 0x%08x\n",
                  peek(d, A_AIC_LO_ADDR) & ~0xfffu,
                  peek(d, A_AIC_HI_ADDR) | 0xfff, peek(d, A_AIC_PT_BASE));
    } else {
        dbg_print(d, "GART     off\n");
    }
}

static void status_register(Rv100Debug *d, const char *title, uint32_t offset)
{
    const Rv100RegInfo *r = rv100_mmio_info(offset);
    uint32_t v = peek(d, offset);

    dbg_print(d, "%-8s %s 0x%08x", title, r->name, v);
    dbg_fields_print(d->out, r, v);
    dbg_print(d, "\n");
}

static void status_display(Rv100Debug *d)
{
    for (unsigned head = 0; head < RV100_HEADS; head++) {
        Rv100DisplayMode m;

        rv100_display_mode(d->chip, head, &m);
        if (!m.native) {
            dbg_print(d, "display  %u: %s\n", head + 1, head ? "off" : "VGA");
        } else {
            dbg_print(d, "display  %u: %ux%u, %u byte%s a pixel, VRAM 0x%08x, pitch "
                      "%u%s%s\n", head + 1, m.width, m.height, m.bytes,
                      m.bytes == 1 ? "" : "s", m.offset,
                      m.pitch, m.tiled ? ", tiled" : "",
                      m.blank ? ", blank" : "");
        }
    }
}

void dbg_show_status(Rv100Debug *d)
{
    status_engine(d);
    status_streams(d);
    status_memory(d);
    status_register(d, "busy", A_RBBM_STATUS);
    status_register(d, "control", A_CP_ME_CNTL);
    status_register(d, "irq", A_GEN_INT_STATUS);
    status_register(d, "enabled", A_GEN_INT_CNTL);
    status_display(d);
    dbg_print(d, "session  %u breakpoint%s, stop-vm %s\n", d->breaks->len,
              d->breaks->len == 1 ? "" : "s", d->stop_vm ? "on" : "off");
}

static void cmd_status(Rv100Debug *d, char *args)
{
    dbg_show_status(d);
}

/* --- gart --- */

static void cmd_gart(Rv100Debug *d, char *args)
{
    Rv100DebugTarget t;
    uint64_t addr;

    if (!*g_strstrip(args)) {
        status_memory(d);
        return;
    }
    if (!dbg_number(d, args, &addr)) {
        return;
    }
    if (addr > UINT32_MAX) {
        dbg_error(d, "card addresses have 32 bits");
        return;
    }
    rv100_debug_translate(d->chip, (uint32_t)addr, &t);
    dbg_print(d, "0x%08" PRIx64 " -> ", addr);
    switch (t.place) {
    case RV100_PLACE_VRAM:
        dbg_print(d, "VRAM 0x%08" PRIx64 "\n", t.addr);
        break;
    case RV100_PLACE_GART:
        dbg_print(d, "bus 0x%08" PRIx64 " (GART, entry at bus 0x%08" PRIx64 ")\n",
                  t.addr, t.entry);
        break;
    case RV100_PLACE_BUS:
        dbg_print(d, "bus 0x%08" PRIx64 " (not translated)\n", t.addr);
        break;
    default:
        dbg_print(d, t.entry ? "nowhere: no table entry at bus 0x%08" PRIx64 "\n"
                  : "nowhere: outside of the GART (AIC_CNTL)\n", t.entry);
        break;
    }
}

/* --- stats --- */

static void cmd_stats(Rv100Debug *d, char *args)
{
    static const char *const types[] = {
        "type 0", "type 1", "type 2", "type 3"
    };
    unsigned done = 0;

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        done += d->me->cover[i] > 0;
    }
    dbg_print(d, "instructions  %" PRIu64 "\nstream words  %" PRIu64
              "\nmicrocode     %u words were executed\n", d->me->steps,
              d->me->words, done);
    dbg_print(d, "packets       %" PRIu64 " since the debugger came\n",
              d->n_packets);
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        if (d->types[i]) {
            dbg_print(d, "  %-28s %" PRIu64 "\n", types[i], d->types[i]);
        }
    }
    for (unsigned op = 0; op < G_N_ELEMENTS(d->opcodes); op++) {
        const char *name = isa_packet_name(op);

        if (d->opcodes[op]) {
            dbg_print(d, "    0x%02x %-23s %" PRIu64 "\n", op, name ? name : "",
                      d->opcodes[op]);
        }
    }
    if (d->trace.file) {
        dbg_print(d, "trace         %" PRIu64 " lines in %s\n", d->trace.lines,
                  d->trace.path);
    }
}

const DbgCommand dbg_status_commands[] = {
    { "status", "", "One screen: engine, ring, memory, interrupts, displays",
      cmd_status, DBG_COMPLETE_NONE, NULL, false, true },
    { "gart", "[ADDR]", "Where a card address leads", cmd_gart,
      DBG_COMPLETE_NONE, NULL, false, true },
    { "stats", "", "Counters", cmd_stats, DBG_COMPLETE_NONE, NULL, false, true },
    { 0 }
};
