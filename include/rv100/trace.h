/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace events of the chip: one line each. The host gets an id and up to four
 * values; hw/qemu turns them into QEMU trace events of the same name
 * (hw/qemu/trace-events is checked against this list by a test).
 */
#ifndef RV100_TRACE_H
#define RV100_TRACE_H

/*    name           values */
#define RV100_TRACE_EVENTS(X) \
    X(reg_read)     /* byte offset, value */ \
    X(reg_write)    /* byte offset, value */ \
    X(engine_write) /* byte offset, value */ \
    X(packet)       /* header, entry address */ \
    X(insn)         /* pc, high word, low word */ \
    X(me_write)     /* address, high word, low word, 1 by the engine */ \
    X(slice)        /* units used, stalled */ \
    X(fetch)        /* 0 ring, 1 indirect; card address, dwords */ \
    X(dma)          /* 0 read, 1 write; bus address, bytes, result */ \
    X(gart_miss)    /* card address */ \
    X(irq)          /* status, enabled, level */ \
    X(soft_reset)   /* mask */ \
    X(draw)         /* 0 rectangle, 1 host data, 2 line; y << 16 | x, h << 16 | w,
                     * DP_GUI_MASTER_CNTL */ \
    X(wait)         /* WAIT_UNTIL conditions, 0 when they are met */ \
    X(mode)         /* head, width << 16 | height, bits per pixel, mHz */ \
    X(flip)         /* head, offset */ \
    X(pll_write)    /* index, value */ \
    X(palette)      /* head, index, 10 bits a colour */ \
    X(ddc)          /* connector, 0 to the card or 1 from it, byte */

typedef enum Rv100TraceId {
#define X(name) RV100_TRACE_##name,
    RV100_TRACE_EVENTS(X)
#undef X
    RV100_N_TRACES
} Rv100TraceId;

#endif
