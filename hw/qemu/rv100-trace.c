/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The chip's trace events as QEMU trace events: rv100_* of trace-events.
 *
 * The generated code is included, because it would have the group registered by
 * a constructor; a plugin that refuses to run registers nothing.
 */
#include "compat.h"

#include "qemu/log.h"
#include "qemu/module.h"

#include "rv100/reginfo.h"
#include "device.h"

#undef trace_init
#define trace_init(function) \
    void rv100_trace_register_group(void); \
    void rv100_trace_register_group(void) \
    { \
        function(); \
    }

#include "trace-events.c.inc"

const uint16_t *rv100_trace_states[RV100_N_TRACES];

static const char *reg_name(uint32_t offset)
{
    const Rv100RegInfo *info = rv100_mmio_info(offset);

    return info ? info->name : "-";
}

static void call_reg_read(const uint64_t *a)
{
    trace_rv100_reg_read(a[0], reg_name(a[0]), a[1]);
}

static void call_reg_write(const uint64_t *a)
{
    trace_rv100_reg_write(a[0], reg_name(a[0]), a[1]);
}

static void call_engine_write(const uint64_t *a)
{
    trace_rv100_engine_write(a[0], reg_name(a[0]), a[1]);
}

static void call_packet(const uint64_t *a)
{
    trace_rv100_packet(a[0], a[1]);
}

static void call_insn(const uint64_t *a)
{
    trace_rv100_insn(a[0], a[1], a[2]);
}

static void call_slice(const uint64_t *a)
{
    trace_rv100_slice(a[0], a[1]);
}

static void call_fetch(const uint64_t *a)
{
    trace_rv100_fetch(a[0], a[1], a[2]);
}

static void call_dma(const uint64_t *a)
{
    trace_rv100_dma(a[0], a[1], a[2], a[3]);
}

static void call_gart_miss(const uint64_t *a)
{
    trace_rv100_gart_miss(a[0]);
}

static void call_irq(const uint64_t *a)
{
    trace_rv100_irq(a[0], a[1], a[2]);
}

static void call_soft_reset(const uint64_t *a)
{
    trace_rv100_soft_reset(a[0]);
}

void rv100_trace_event(void *opaque, Rv100TraceId id, const uint64_t *args)
{
    static void (*const calls[RV100_N_TRACES])(const uint64_t *a) = {
#define X(name) [RV100_TRACE_##name] = call_##name,
        RV100_TRACE_EVENTS(X)
#undef X
    };

    calls[id](args);
}

/* The chip looks at QEMU's own switch of an event before it calls. */
void rv100_trace_register(void)
{
    static const char *const names[RV100_N_TRACES] = {
#define X(name) [RV100_TRACE_##name] = "rv100_" #name,
        RV100_TRACE_EVENTS(X)
#undef X
    };

    for (int id = 0; id < RV100_N_TRACES; id++) {
        for (TraceEvent **ev = rv100_trace_events; *ev; ev++) {
            if (g_str_equal((*ev)->name, names[id])) {
                rv100_trace_states[id] = (*ev)->dstate;
            }
        }
        g_assert(rv100_trace_states[id]);
    }
    rv100_trace_register_group();
}
