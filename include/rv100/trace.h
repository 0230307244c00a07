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
    X(slice)        /* units used, stop reason */ \
    X(fetch)        /* 0 ring, 1 indirect; card address, dwords */ \
    X(dma)          /* 0 read, 1 write; bus address, bytes, result */ \
    X(gart_miss)    /* card address */ \
    X(irq)          /* status, enabled, level */ \
    X(soft_reset)   /* mask */

typedef enum Rv100TraceId {
#define X(name) RV100_TRACE_##name,
    RV100_TRACE_EVENTS(X)
#undef X
    RV100_N_TRACES
} Rv100TraceId;

#endif
