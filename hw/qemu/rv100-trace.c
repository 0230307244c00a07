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

#include "rv100/debug.h"
#include "rv100/reginfo.h"
#include "rv100-regs.h"
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

/* Texts live until the event is out; only enabled events come here. */
static const char *fields(uint32_t offset, uint32_t value)
{
    static GString *text;

    text = text ? g_string_truncate(text, 0) : g_string_new(NULL);
    rv100_debug_describe_value(text, offset, value);
    return text->str;
}

static void call_reg_read(const uint64_t *a)
{
    trace_rv100_reg_read(a[0], reg_name(a[0]), a[1], fields(a[0], a[1]));
}

static void call_reg_write(const uint64_t *a)
{
    trace_rv100_reg_write(a[0], reg_name(a[0]), a[1], fields(a[0], a[1]));
}

static void call_engine_write(const uint64_t *a)
{
    trace_rv100_engine_write(a[0], reg_name(a[0]), a[1], fields(a[0], a[1]));
}

static void call_packet(const uint64_t *a)
{
    g_autoptr(GString) text = g_string_new(NULL);

    rv100_debug_describe_packet(text, a[0]);
    trace_rv100_packet(a[0], a[1], text->str);
}

static void call_insn(const uint64_t *a)
{
    g_autoptr(GString) text = g_string_new(NULL);

    rv100_debug_describe_word(text, rv100_me_chip("r100"), a[1], a[2]);
    trace_rv100_insn(a[0], a[1], a[2], text->str);
}

static void call_me_write(const uint64_t *a)
{
    trace_rv100_me_write(a[0], a[1], a[2], a[3] ? "engine" : "host");
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
    trace_rv100_irq(a[0], a[1], a[2], fields(A_GEN_INT_STATUS, a[0]));
}

static void call_soft_reset(const uint64_t *a)
{
    trace_rv100_soft_reset(a[0], fields(A_RBBM_SOFT_RESET, a[0]));
}

static void call_draw(const uint64_t *a)
{
    static const char *const kinds[] = { "rectangle", "host data", "line" };

    trace_rv100_draw(kinds[a[0]], a[1] & 0xffff, a[1] >> 16 & 0xffff, a[2] & 0xffff,
                     a[2] >> 16 & 0xffff, a[3], fields(A_DP_GUI_MASTER_CNTL, a[3]));
}

static void call_wait(const uint64_t *a)
{
    trace_rv100_wait(a[0], fields(A_WAIT_UNTIL, a[0]));
}

static void call_mode(const uint64_t *a)
{
    trace_rv100_mode(a[0], a[1] >> 16, a[1] & 0xffff, a[2], a[3]);
}

static void call_flip(const uint64_t *a)
{
    trace_rv100_flip(a[0], a[1]);
}

static void call_pll_write(const uint64_t *a)
{
    uint16_t n = a[0] < RV100_PLL_REGS ? rv100_pll_index[a[0]] : 0;

    trace_rv100_pll_write(a[0], n ? rv100_pll_regs[n - 1].name : "-", a[1]);
}

static void call_palette(const uint64_t *a)
{
    trace_rv100_palette(a[0], a[1], a[2]);
}

static void call_ddc(const uint64_t *a)
{
    trace_rv100_ddc(a[0], a[1] ? "from the card" : "to the card", a[2]);
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
