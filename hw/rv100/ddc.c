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

static unsigned monitor_port(Rv100 *s)
{
    return s->monitor == RV100_CONNECTOR_VGA ? R_GPIO_VGA_DDC
        : s->monitor == RV100_CONNECTOR_DVI ? R_GPIO_DVI_DDC : 0;
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

    if (offset / 4 == monitor_port(s)) {
        data &= !s->ddc.pull;
    }
    v = RV100_SET(v, GPIO_VGA_DDC, CLK_IN, chip_clock(v) ? 1u : 0u);
    return RV100_SET(v, GPIO_VGA_DDC, DATA_IN, data ? 1u : 0u);
}

/* --- the EEPROM: an I2C slave that looks at edges --- */

static uint8_t next_byte(Rv100 *s)
{
    uint16_t at = s->ddc.offset++ & 0xff;

    return at < s->edid_size ? s->edid[at] : 0xff;
}

/* A byte has come in and is to be acknowledged. */
static bool take_byte(Rv100 *s)
{
    Rv100Ddc *d = &s->ddc;

    switch (d->state) {
    case DDC_ADDRESS:
        if ((d->shift & 0xfe) != EEPROM_ADDRESS || !s->edid_size) {
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

static void clock_rises(Rv100 *s, bool data)
{
    Rv100Ddc *d = &s->ddc;

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
static void clock_falls(Rv100 *s)
{
    Rv100Ddc *d = &s->ddc;

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
            d->shift = next_byte(s);
        }
    } else if (d->bits == 8 && d->state != DDC_READ) {
        d->pull = take_byte(s);
        return;
    }
    if (d->state == DDC_READ) {
        d->pull = d->bits < 8 ? !(d->shift >> (7 - d->bits) & 1) : 0;
    }
}

static void lines_change(Rv100 *s, bool clock, bool data)
{
    Rv100Ddc *d = &s->ddc;

    if (clock && d->clock && data != d->data) {
        d->state = data ? DDC_IDLE : DDC_ADDRESS;   /* stop, start */
        d->bits = 0;
        d->pull = 0;
    } else if (clock && !d->clock) {
        clock_rises(s, data);
    } else if (!clock && d->clock) {
        clock_falls(s);
    }
    d->clock = clock;
    d->data = data;
}

static void write_port(Rv100 *s, uint32_t offset, uint32_t value)
{
    uint32_t v = s->regs[offset / 4];

    if (offset / 4 == monitor_port(s)) {
        lines_change(s, chip_clock(v), chip_data(v));
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

void rv100_ddc_reset(Rv100 *s)
{
    s->ddc = (Rv100Ddc) { .clock = 1, .data = 1 };
}

bool rv100_ddc_check(const Rv100 *s, const char **why)
{
    const Rv100Ddc *d = &s->ddc;

    if (d->state >= DDC_STATES || d->bits > 9 || d->pull > 1 || d->clock > 1
        || d->data > 1 || d->nack > 1) {
        *why = "ddc";
        return false;
    }
    return true;
}

void rv100_set_monitor(Rv100 *s, Rv100Connector connector, const uint8_t *edid,
                       uint32_t size)
{
    bool was_dvi = s->monitor == RV100_CONNECTOR_DVI;
    bool is_dvi = connector == RV100_CONNECTOR_DVI;

    s->monitor = connector;
    s->edid_size = connector == RV100_CONNECTOR_NONE ? 0
        : MIN(size, (uint32_t)RV100_EDID_MAX);
    if (s->edid_size) {
        memcpy(s->edid, edid, s->edid_size);
    }
    rv100_ddc_reset(s);
    if (was_dvi != is_dvi) {
        /* FP_DETECT_INT_POL: which change interrupts [linux]. */
        bool polarity = RV100_GET(s->regs[R_FP_GEN_CNTL], FP_GEN_CNTL,
                                  FP_DETECT_INT_POL);

        if (polarity == is_dvi) {
            rv100_irq_raise(s, R_GEN_INT_STATUS_FP_DETECT_STAT_MASK);
        }
    }
}
