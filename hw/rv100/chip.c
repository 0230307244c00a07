/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chip as a whole: creation, reset, timers. */
#include "internal.h"

Rv100 *rv100_new(const Rv100Host *host, void *opaque, const Rv100Config *config)
{
    Rv100 *s = g_new0(Rv100, 1);

    s->host = *host;
    s->opaque = opaque;
    s->config = *config;
    if (!s->config.slice_steps) {
        s->config.slice_steps = RV100_SLICE_UNITS;
    }
    s->config.slice_steps = MIN(s->config.slice_steps, RV100_SLICE_MAX);
    if (!s->config.fetch_words || s->config.fetch_words > RV100_FETCH_MAX) {
        s->config.fetch_words = RV100_FETCH_MAX;
    }
    s->vram = config->vram;
    s->vram_size = config->vram_size;
    s->vram_mask = config->vram_size - 1;
    rv100_me_init(&s->me, rv100_me_chip("r100"), &rv100_cp_me_ops, s);
    rv100_reset(s);
    return s;
}

void rv100_free(Rv100 *s)
{
    rv100_capture_stop(s);
    for (int t = 0; t < RV100_N_TIMERS; t++) {
        s->host.set_timer(s->opaque, t, -1);
    }
    g_free(s);
}

void rv100_reset(Rv100 *s)
{
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_call(s, RV100_CAPTURE_RESET, 0, NULL);
    }
    for (int t = 0; t < RV100_N_TIMERS; t++) {
        s->host.set_timer(s->opaque, t, -1);
    }
    s->slice_armed = false;
    rv100_regs_reset(s);
    if (s->vram_size > 64u << 20) {
        /* Two apertures: VRAM continues in the second half of BAR0. */
        s->regs[R_HOST_PATH_CNTL] |= R_HOST_PATH_CNTL_HDP_APER_CNTL_MASK;
    }
    for (unsigned n = 0; n < RV100_ME_WORDS; n++) {
        rv100_me_load(&s->me, n, 0, 0);
    }
    rv100_cp_reset(s);
    rv100_gui_reset(s);
    s->cp.me_write_addr = s->cp.me_read_addr = s->cp.me_datah = 0;
    rv100_dac_reset(s);
    rv100_ddc_reset(s);
    rv100_crtc_reset(s);
    rv100_irq_update(s);
    rv100_display_changed(s);
}

void rv100_set_bars(Rv100 *s, uint32_t bar0, uint32_t io, uint32_t mmio)
{
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_call(s, RV100_CAPTURE_BARS, 3,
                           (const uint32_t[]) { bar0, io, mmio });
    }
    s->bar0 = bar0;
    s->bar_io = io;
    s->bar_mmio = mmio;
}

void rv100_timer(Rv100 *s, Rv100Timer timer)
{
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_timer(s, timer);
    }
    if (timer == RV100_TIMER_ENGINE) {
        rv100_cp_timer(s);
    } else {
        rv100_crtc_timer(s);
    }
}

bool rv100_run(Rv100 *s, uint32_t units)
{
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_call(s, RV100_CAPTURE_RUN, 1, &units);
    }
    return rv100_cp_slice(s, MIN(units, RV100_SLICE_MAX));
}

bool rv100_idle(Rv100 *s)
{
    return !rv100_cp_busy(s);
}

void rv100_hang(Rv100 *s)
{
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_call(s, RV100_CAPTURE_HANG, 0, NULL);
    }
    s->cp.hang = 1;
}

Rv100Me *rv100_engine(Rv100 *s)
{
    return &s->me;
}
