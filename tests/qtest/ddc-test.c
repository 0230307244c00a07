/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DDC as a driver does it, bit by bit: four pairs of open-drain lines, by dword
 * and by byte accesses; the monitor on one of them; hot-plug.
 */
#include <string.h>

#include "rv.h"

/* Lines of a port: a line is pulled low by its EN bit, the output bits being 0. */
#define CLOCK_LOW R_GPIO_VGA_DDC_CLK_EN_MASK
#define DATA_LOW R_GPIO_VGA_DDC_DATA_EN_MASK
#define CLOCK_IN R_GPIO_VGA_DDC_CLK_IN_MASK
#define DATA_IN R_GPIO_VGA_DDC_DATA_IN_MASK
#define EN_BYTE 2
#define IN_BYTE 1

typedef struct Bus {
    RvDev *d;
    uint32_t port;
    bool bytes;                 /* accesses of one byte */
} Bus;

static const uint32_t ports[] = {
    A_GPIO_VGA_DDC, A_GPIO_DVI_DDC, A_GPIO_MONID, A_GPIO_CRT2_DDC,
};

static void pull(const Bus *b, uint32_t low)
{
    if (b->bytes) {
        rv_wr8(b->d, b->port + EN_BYTE, low >> 8 * EN_BYTE);
    } else {
        rv_wr32(b->d, b->port, low);
    }
}

static uint32_t levels(const Bus *b)
{
    uint32_t v = b->bytes ? (uint32_t)rv_rd8(b->d, b->port + IN_BYTE) << 8 * IN_BYTE
        : rv_rd32(b->d, b->port);

    return v & (CLOCK_IN | DATA_IN);
}

static void i2c_start(const Bus *b)
{
    pull(b, CLOCK_LOW);
    pull(b, 0);
    pull(b, DATA_LOW);
    pull(b, DATA_LOW | CLOCK_LOW);
}

static void i2c_stop(const Bus *b)
{
    pull(b, DATA_LOW | CLOCK_LOW);
    pull(b, DATA_LOW);
    pull(b, 0);
}

static bool i2c_bit(const Bus *b, bool bit)
{
    uint32_t data = bit ? 0 : DATA_LOW, in;

    pull(b, data | CLOCK_LOW);
    g_assert_false(levels(b) & CLOCK_IN);
    pull(b, data);
    in = levels(b);
    g_assert_true(in & CLOCK_IN);           /* nobody stretches it */
    pull(b, data | CLOCK_LOW);
    return in & DATA_IN;
}

/* True when the byte was acknowledged. */
static bool i2c_put(const Bus *b, uint8_t byte)
{
    for (int i = 7; i >= 0; i--) {
        i2c_bit(b, byte >> i & 1);
    }
    return !i2c_bit(b, true);
}

static uint8_t i2c_get(const Bus *b, bool last)
{
    uint8_t byte = 0;

    for (int i = 0; i < 8; i++) {
        byte = byte << 1 | i2c_bit(b, true);
    }
    i2c_bit(b, last);
    return byte;
}

/* False when nobody answers. */
static bool read_edid(const Bus *b, uint8_t *edid, unsigned from, unsigned n)
{
    bool there;

    i2c_start(b);
    there = i2c_put(b, 0xa0);
    if (there) {
        g_assert_true(i2c_put(b, from));
        i2c_start(b);
        g_assert_true(i2c_put(b, 0xa1));
        for (unsigned i = 0; i < n; i++) {
            edid[i] = i2c_get(b, i == n - 1);
        }
    }
    i2c_stop(b);
    return there;
}

static void check_block(const uint8_t *edid)
{
    uint8_t sum = 0;

    for (unsigned i = 0; i < 128; i++) {
        sum += edid[i];
    }
    g_assert_cmphex(sum, ==, 0);
}

/* Port of the monitor, or 0: none answers. */
static void check_ports(RvDev *d, uint32_t wanted)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(ports); i++) {
        Bus dwords = { d, ports[i], false }, bytes = { d, ports[i], true };
        uint8_t a[256], b[256];

        g_assert_cmphex(levels(&dwords), ==, CLOCK_IN | DATA_IN);
        g_assert_cmpint(read_edid(&dwords, a, 0, 256), ==, ports[i] == wanted);
        g_assert_cmpint(read_edid(&bytes, b, 0, 256), ==, ports[i] == wanted);
        g_assert_cmphex(levels(&bytes), ==, CLOCK_IN | DATA_IN);
        if (ports[i] == wanted) {
            g_assert_cmpmem(a, 256, b, 256);
            g_assert_cmpmem(a, 8, "\0\xff\xff\xff\xff\xff\xff\0", 8);
            check_block(a);
            g_assert_true(read_edid(&bytes, b, 54, 16));
            g_assert_cmpmem(a + 54, 16, b, 16);
            /* bit 7: digital, as the connector is */
            g_assert_cmpint(a[20] >> 7, ==, wanted == A_GPIO_DVI_DDC);
        }
    }
}

static void test_vga(RvDev *d)
{
    check_ports(d, A_GPIO_VGA_DDC);
    g_assert_true(rd_dac_cntl(d) & R_DAC_CNTL_DAC_CMP_OUTPUT_MASK);
    g_assert_false(rd_fp_gen_cntl(d) & R_FP_GEN_CNTL_FP_DETECT_SENSE_MASK);
}

static void test_dvi(RvDev *d)
{
    check_ports(d, A_GPIO_DVI_DDC);
    g_assert_false(rd_dac_cntl(d) & R_DAC_CNTL_DAC_CMP_OUTPUT_MASK);
    g_assert_true(rd_fp_gen_cntl(d) & R_FP_GEN_CNTL_FP_DETECT_SENSE_MASK);
}

static void test_none(RvDev *d)
{
    check_ports(d, 0);
    g_assert_false(rd_dac_cntl(d) & R_DAC_CNTL_DAC_CMP_OUTPUT_MASK);
    g_assert_false(rd_fp_gen_cntl(d) & R_FP_GEN_CNTL_FP_DETECT_SENSE_MASK);
}

/* A monitor without data still loads the DAC. */
static void test_no_edid(RvDev *d)
{
    check_ports(d, 0);
    g_assert_true(rd_dac_cntl(d) & R_DAC_CNTL_DAC_CMP_OUTPUT_MASK);
}

/* What one pulls low is low for all; what is released is high, output bit or not. */
static void test_lines(RvDev *d)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(ports); i++) {
        const uint32_t out = R_GPIO_VGA_DDC_CLK_OUT_MASK | R_GPIO_VGA_DDC_DATA_OUT_MASK;
        static const struct {
            uint32_t write;
            uint32_t levels;
        } cases[] = {
            { 0, CLOCK_IN | DATA_IN }, { CLOCK_LOW, DATA_IN }, { DATA_LOW, CLOCK_IN },
            { CLOCK_LOW | DATA_LOW, 0 }, { 0, CLOCK_IN | DATA_IN },
        };
        Bus b = { d, ports[i], false };

        for (unsigned n = 0; n < G_N_ELEMENTS(cases); n++) {
            rv_wr32(d, ports[i], cases[n].write);
            g_assert_cmphex(levels(&b), ==, cases[n].levels);
            rv_wr32(d, ports[i], cases[n].write | out);     /* driven high */
            g_assert_cmphex(levels(&b), ==, CLOCK_IN | DATA_IN);
            rv_wr32(d, ports[i], out);
            g_assert_cmphex(levels(&b), ==, CLOCK_IN | DATA_IN);
        }
        rv_wr32(d, ports[i], 0);
    }
}

/* xres and yres are in the first detailed timing. */
static void test_preferred(RvDev *d)
{
    Bus b = { d, A_GPIO_VGA_DDC, true };
    uint8_t edid[128];

    g_assert_true(read_edid(&b, edid, 0, 128));
    g_assert_cmpuint(edid[54 + 2] | (edid[54 + 4] & 0xf0) << 4, ==, 1152);
    g_assert_cmpuint(edid[54 + 5] | (edid[54 + 7] & 0xf0) << 4, ==, 864);
}

/* --- hot-plug --- */

static void plug(RvDev *d, const char *where)
{
    g_autofree char *args = g_strdup_printf(
        "{\"path\": \"gpu0\", \"property\": \"plugged\", \"value\": \"%s\"}", where);

    g_free(rv_qmp(d->vm, "qom-set", args));
}

static bool take_hot_plug(RvDev *d)
{
    uint32_t stat = R_GEN_INT_STATUS_FP_DETECT_STAT_MASK;
    bool seen = rd_gen_int_status(d) & stat;

    g_assert_cmpint(!!(rv_cfg_rd(d, 0x06, 2) & 0x8), ==, seen);     /* INTx */
    wr_gen_int_status(d, stat);
    g_assert_cmphex(rv_cfg_rd(d, 0x06, 2) & 0x8, ==, 0);
    return seen;
}

/* The driver turns the polarity after each event [linux]. */
static void test_hot_plug(RvDev *d)
{
    uint32_t pol = R_FP_GEN_CNTL_FP_DETECT_INT_POL_MASK;

    wr_gen_int_cntl(d, R_GEN_INT_CNTL_FP_DETECT_MASK);
    wr_fp_gen_cntl(d, pol);
    check_ports(d, 0);
    plug(d, "dvi");
    g_assert_true(take_hot_plug(d));
    check_ports(d, A_GPIO_DVI_DDC);
    wr_fp_gen_cntl(d, 0);
    plug(d, "dvi");
    g_assert_false(take_hot_plug(d));       /* nothing changed */
    plug(d, "vga");
    g_assert_true(take_hot_plug(d));
    check_ports(d, A_GPIO_VGA_DDC);
    plug(d, "dvi");
    g_assert_false(take_hot_plug(d));       /* the other edge is asked for */
    plug(d, "none");
    g_assert_true(take_hot_plug(d));
    check_ports(d, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/ddc/vga", test_vga);
    rv_test_add_with("/ddc/dvi", ",monitor=dvi", test_dvi);
    rv_test_add_with("/ddc/none", ",monitor=none", test_none);
    rv_test_add_with("/ddc/no-edid", ",edid=off", test_no_edid);
    rv_test_add_with("/ddc/lines", ",monitor=none", test_lines);
    rv_test_add_with("/ddc/preferred", ",xres=1152,yres=864", test_preferred);
    rv_test_add_with("/ddc/hot-plug", ",monitor=none,id=gpu0", test_hot_plug);
    return g_test_run();
}
