/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DAC: the two colour tables behind PALETTE_INDEX, PALETTE_DATA (8 bits a
 * component) and PALETTE_30_DATA (10 bits), and what the comparators tell about
 * the monitor. DAC_CNTL2.DAC2_PALETTE_ACC_CTL selects the table [linux].
 */
#include "internal.h"

static unsigned selected(Rv100 *s)
{
    return RV100_GET(s->regs[R_DAC_CNTL2], DAC_CNTL2, DAC2_PALETTE_ACC_CTL);
}

uint32_t rv100_palette_get(Rv100 *s, unsigned head, unsigned index)
{
    return s->palette[head * RV100_PALETTE + index];
}

static void set_colour(Rv100 *s, unsigned head, unsigned index, uint32_t rgb30)
{
    s->palette[head * RV100_PALETTE + index] = rgb30 & 0x3fffffff;
    rv100_display_changed(s);
}

void rv100_palette_set(Rv100 *s, unsigned head, unsigned index, uint32_t rgb30)
{
    if (G_UNLIKELY(s->capture)) {
        rv100_capture_palette(s, head, index, rgb30);
    }
    s->palette_vga |= head == 0;
    set_colour(s, head, index, rgb30);
}

/* 8 bits to 10: the high bits again below, so that 255 is full scale. */
static uint32_t widen(uint32_t v, unsigned shift)
{
    uint32_t c = v >> shift & 0xff;

    return c << 2 | c >> 6;
}

static uint32_t narrow(uint32_t rgb30)
{
    return (rgb30 >> 22 & 0xff) << 16 | (rgb30 >> 12 & 0xff) << 8
        | (rgb30 >> 2 & 0xff);
}

static void write_index(Rv100 *s, uint32_t offset, uint32_t value)
{
    s->pal_write = RV100_GET(value, PALETTE_INDEX, PALETTE_W_INDEX);
    s->pal_read = RV100_GET(value, PALETTE_INDEX, PALETTE_R_INDEX);
}

static uint32_t read_index(Rv100 *s, uint32_t offset)
{
    uint32_t v = RV100_SET(0u, PALETTE_INDEX, PALETTE_W_INDEX,
                           (uint32_t)s->pal_write);

    return RV100_SET(v, PALETTE_INDEX, PALETTE_R_INDEX, (uint32_t)s->pal_read);
}

static void write_colour(Rv100 *s, uint32_t rgb30)
{
    unsigned head = selected(s), index = s->pal_write++;

    rv100_trace(s, RV100_TRACE_palette, head, index, rgb30, 0);
    s->palette_vga &= head != 0;
    set_colour(s, head, index, rgb30);
    if (s->host.palette_changed) {
        s->host.palette_changed(s->opaque, head, index, rgb30);
    }
}

static void write_data(Rv100 *s, uint32_t offset, uint32_t value)
{
    write_colour(s, widen(value, 16) << 20 | widen(value, 8) << 10
                 | widen(value, 0));
}

static void write_30_data(Rv100 *s, uint32_t offset, uint32_t value)
{
    write_colour(s, value & 0x3fffffff);
}

static uint32_t read_data(Rv100 *s, uint32_t offset)
{
    return narrow(rv100_palette_get(s, selected(s), s->pal_read++));
}

static uint32_t read_30_data(Rv100 *s, uint32_t offset)
{
    return rv100_palette_get(s, selected(s), s->pal_read++);
}

/* A mask of 0 is that of a guest which has not set one. */
static void write_dac_cntl(Rv100 *s, uint32_t offset, uint32_t value)
{
    uint32_t mask = RV100_GET(value, DAC_CNTL, DAC_MASK_ALL);

    if (value & R_DAC_CNTL_DAC_BLANKING_MASK || (mask && mask != 0xff)) {
        rv100_unimp(s, offset, "DAC_BLANKING and DAC_MASK are not emulated, the picture "
                    "is shown as without them");
    }
}

/* A monitor loads the lines of the primary DAC, which is the VGA connector. */
static uint32_t read_dac_cntl(Rv100 *s, uint32_t offset)
{
    return RV100_SET(s->regs[R_DAC_CNTL], DAC_CNTL, DAC_CMP_OUTPUT,
                     s->plugged[RV100_CONNECTOR_VGA]);
}

/* Sense of the hot-plug line of the DVI connector [linux]. */
static uint32_t read_fp_gen_cntl(Rv100 *s, uint32_t offset)
{
    return RV100_SET(s->regs[R_FP_GEN_CNTL], FP_GEN_CNTL, FP_DETECT_SENSE,
                     s->plugged[RV100_CONNECTOR_DVI]);
}

const Rv100Hook rv100_dac_hooks[] = {
    { A_PALETTE_INDEX, .read = read_index, .write = write_index,
      .silent_read = true },
    { A_PALETTE_DATA, .read = read_data, .write = write_data },
    { A_PALETTE_30_DATA, .read = read_30_data, .write = write_30_data },
    { A_DAC_CNTL, .read = read_dac_cntl, .write = write_dac_cntl,
      .silent_read = true },
    { A_FP_GEN_CNTL, .read = read_fp_gen_cntl, .silent_read = true },
    { 0 }
};

void rv100_dac_reset(Rv100 *s)
{
    s->pal_read = s->pal_write = s->palette_vga = 0;
    for (unsigned i = 0; i < RV100_PALETTE; i++) {
        uint32_t c = widen(i, 0);

        /* A straight line: guests that never load it see true colours
         * [inferred]. */
        s->palette[i] = s->palette[RV100_PALETTE + i] = c << 20 | c << 10 | c;
    }
}
