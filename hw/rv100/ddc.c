/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DDC: four pairs of open-drain lines, and the monitor's EEPROM on one of them.
 *
 * A line is low when the chip drives it (EN set, output bit clear) or the
 * monitor does, else it is high, monitor or not [linux].
 */
#include <string.h>

#include "internal.h"

#define EEPROM_ADDRESS 0xa0         /* 0x50 << 1 [VESA E-DDC] */

static const uint16_t ports[RV100_CONNECTORS] = {
    [RV100_CONNECTOR_VGA] = A_GPIO_VGA_DDC,
    [RV100_CONNECTOR_DVI] = A_GPIO_DVI_DDC,
};

/* The connector whose monitor listens at a port, RV100_CONNECTORS if none. */
static unsigned listener(Rv100 *s, uint32_t offset)
{
    unsigned n = 0;

    while (n < RV100_CONNECTORS && !(ports[n] == offset && s->plugged[n])) {
        n++;
    }
    return n;
}

/* What the chip does to the lines of a port. */
static bool chip_clock(uint32_t v)
{
    return !(v & R_GPIO_VGA_DDC_CLK_EN_MASK) || v & R_GPIO_VGA_DDC_CLK_OUT_MASK;
}

static bool chip_data(uint32_t v)
{
    return !(v & R_GPIO_VGA_DDC_DATA_EN_MASK) || v & R_GPIO_VGA_DDC_DATA_OUT_MASK;
}

static uint32_t read_port(Rv100 *s, uint32_t offset)
{
    uint32_t v = s->regs[offset / 4];
    bool data = chip_data(v);
    unsigned n = listener(s, offset);

    if (n < RV100_CONNECTORS) {
        data &= !s->ddc[n].pull;
    }
    v = RV100_SET(v, GPIO_VGA_DDC, CLK_IN, chip_clock(v) ? 1u : 0u);
    return RV100_SET(v, GPIO_VGA_DDC, DATA_IN, data ? 1u : 0u);
}

/* --- the EEPROM: an I2C slave that looks at edges --- */

static uint8_t next_byte(Rv100 *s, unsigned n)
{
    uint8_t at = s->ddc[n].offset++;
    uint8_t byte = at < s->edid_size[n] ? s->edid[n][at] : 0xff;

    rv100_trace(s, RV100_TRACE_ddc, n, 0, byte, 0);
    return byte;
}

/* A byte has come in and is to be acknowledged. */
static bool take_byte(Rv100 *s, unsigned n)
{
    Rv100Ddc *d = &s->ddc[n];

    rv100_trace(s, RV100_TRACE_ddc, n, 1, d->shift, 0);
    switch (d->state) {
    case DDC_ADDRESS:
        if ((d->shift & 0xfe) != EEPROM_ADDRESS || !s->edid_size[n]) {
            d->state = DDC_IDLE;
            return false;
        }
        d->state = d->shift & 1 ? DDC_READ_ACK : DDC_OFFSET;
        return true;
    case DDC_OFFSET:
        d->offset = d->shift;
        d->state = DDC_WRITE;
        return true;
    case DDC_WRITE:                 /* read-only: acknowledged, dropped */
        d->offset++;
        return true;
    default:
        return false;
    }
}

static void clock_rises(Rv100Ddc *d, bool data)
{
    if (d->state == DDC_IDLE) {
        return;
    }
    if (d->state == DDC_READ) {
        d->nack = d->bits == 8 && data;
    } else if (d->bits < 8) {
        d->shift = d->shift << 1 | data;
    }
    d->bits++;
}

/* The slave changes its line while the clock is low. */
static void clock_falls(Rv100 *s, unsigned n)
{
    Rv100Ddc *d = &s->ddc[n];

    if (d->state == DDC_IDLE) {
        d->pull = 0;
        return;
    }
    if (d->bits == 9) {             /* after the acknowledge: a new byte */
        d->bits = 0;
        d->pull = 0;
        if (d->state == DDC_READ && d->nack) {
            d->state = DDC_IDLE;
            return;
        }
        if (d->state == DDC_READ || d->state == DDC_READ_ACK) {
            d->state = DDC_READ;
            d->shift = next_byte(s, n);
        }
    } else if (d->bits == 8 && d->state != DDC_READ) {
        d->pull = take_byte(s, n);
        return;
    }
    if (d->state == DDC_READ) {
        d->pull = d->bits < 8 ? !(d->shift >> (7 - d->bits) & 1) : 0;
    }
}

static void lines_change(Rv100 *s, unsigned n, bool clock, bool data)
{
    Rv100Ddc *d = &s->ddc[n];

    if (clock && d->clock && data != d->data) {
        d->state = data ? DDC_IDLE : DDC_ADDRESS;   /* stop, start */
        d->bits = 0;
        d->pull = 0;
    } else if (clock && !d->clock) {
        clock_rises(d, data);
    } else if (!clock && d->clock) {
        clock_falls(s, n);
    }
    d->clock = clock;
    d->data = data;
}

static void write_port(Rv100 *s, uint32_t offset, uint32_t value)
{
    uint32_t v = s->regs[offset / 4];
    unsigned n = listener(s, offset);

    if (n < RV100_CONNECTORS) {
        lines_change(s, n, chip_clock(v), chip_data(v));
    }
}

const Rv100Hook rv100_ddc_hooks[] = {
    { A_GPIO_VGA_DDC, .read = read_port, .write = write_port,
      .silent_read = true },
    { A_GPIO_DVI_DDC, .read = read_port, .write = write_port,
      .silent_read = true },
    { A_GPIO_MONID, .read = read_port, .write = write_port,
      .silent_read = true },
    { A_GPIO_CRT2_DDC, .read = read_port, .write = write_port,
      .silent_read = true },
    { 0 }
};

static void reset_lines(Rv100 *s, unsigned n)
{
    s->ddc[n] = (Rv100Ddc) { .clock = 1, .data = 1 };
}

void rv100_ddc_reset(Rv100 *s)
{
    for (unsigned n = 0; n < RV100_CONNECTORS; n++) {
        reset_lines(s, n);
    }
}

bool rv100_ddc_check(const Rv100 *s, const char **why)
{
    for (unsigned n = 0; n < RV100_CONNECTORS; n++) {
        const Rv100Ddc *d = &s->ddc[n];

        if (d->state >= DDC_STATES || d->bits > 9 || d->pull > 1 || d->clock > 1
            || d->data > 1 || d->nack > 1 || s->plugged[n] > 1) {
            *why = "ddc";
            return false;
        }
    }
    return true;
}

bool rv100_monitor_plugged(Rv100 *s, Rv100Connector connector)
{
    return s->plugged[connector];
}

/* FP_DETECT_INT_POL says which change of the hot-plug line interrupts
 * [linux]. */
static void hot_plug(Rv100 *s, bool plugged)
{
    bool polarity = RV100_GET(s->regs[R_FP_GEN_CNTL], FP_GEN_CNTL,
                              FP_DETECT_INT_POL);

    if (polarity == plugged) {
        rv100_irq_raise(s, R_GEN_INT_STATUS_FP_DETECT_STAT_MASK);
    }
}

void rv100_set_monitor(Rv100 *s, Rv100Connector connector, bool plugged,
                       const uint8_t *edid, uint32_t size)
{
    bool was = s->plugged[connector];

    if (G_UNLIKELY(s->capture)) {
        rv100_capture_monitor(s, connector, plugged, edid, size);
    }
    s->plugged[connector] = plugged;
    s->edid_size[connector] = plugged ? MIN(size, (uint32_t)RV100_EDID_MAX) : 0;
    if (s->edid_size[connector]) {
        memcpy(s->edid[connector], edid, s->edid_size[connector]);
    }
    reset_lines(s, connector);
    if (connector == RV100_CONNECTOR_DVI && was != plugged) {
        hot_plug(s, plugged);
    }
}
