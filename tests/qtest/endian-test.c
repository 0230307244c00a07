/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The byte swaps of a big-endian driver's words (report 13): ring and indirect
 * buffers (CP_RB_CNTL), host data (RBBM_GUICNTL) in each depth, write-backs. On a
 * PC, where a test sees the bytes, and on a PowerPC machine.
 */
#include <string.h>

#include "rv.h"

#define GMC(field, v) ((uint32_t)(v) << R_DP_GUI_MASTER_CNTL_##field##_SHIFT)
#define VALUE(field, name) GMC(field, R_DP_GUI_MASTER_CNTL_##field##_##name)
/* Host data in colour, ROP S, to where DST_PITCH_OFFSET says. */
#define HOST (GMC(GMC_DST_PITCH_OFFSET_CNTL, 1) | VALUE(GMC_BRUSH_DATATYPE, NONE) \
              | VALUE(GMC_SRC_DATATYPE, COLOR) | VALUE(DP_SRC_SOURCE, HOST_DATA) \
              | VALUE(GMC_ROP3, S) | GMC(GMC_CLR_CMP_CNTL_DIS, 1) | GMC(GMC_WR_MSK_DIS, 1))

#define PIXELS_AT 0x00200000
#define SCRATCH_AT 0x00e00000
#define BYTES 32                    /* of pixels: two groups of the engine */

/* Byte i of a swapped word is byte places[code][i] of the other. */
static const uint8_t places[4][4] = {
    { 0, 1, 2, 3 }, { 1, 0, 3, 2 }, { 3, 2, 1, 0 }, { 2, 3, 0, 1 },
};

static uint32_t swapped(uint32_t v, unsigned code)
{
    uint32_t out = 0;

    for (unsigned i = 0; i < 4; i++) {
        out |= (v >> 8 * places[code][i] & 0xff) << 8 * i;
    }
    return out;
}

static uint8_t pixel_byte(unsigned i)
{
    return 0x11 + 7 * i;
}

/* The host data of one row of BYTES bytes, so that the card has pixel_byte(). */
static void draw(RvStream *out, const RvDev *d, unsigned bytes, unsigned swap)
{
    const uint32_t type = bytes == 1 ? VALUE(GMC_DST_DATATYPE, 8BPP_CI)
        : bytes == 2 ? VALUE(GMC_DST_DATATYPE, 16BPP) : VALUE(GMC_DST_DATATYPE, 32BPP);
    uint32_t words[BYTES / 4];

    for (unsigned i = 0; i < BYTES / 4; i++) {
        uint32_t v = 0;

        for (unsigned b = 0; b < 4; b++) {
            v |= (uint32_t)pixel_byte(4 * i + b) << 8 * b;
        }
        words[i] = swapped(v, swap);
    }
    rv_packet0(out, A_RBBM_GUICNTL, swap << R_RBBM_GUICNTL_HOST_DATA_SWAP_SHIFT);
    rv_packet0(out, A_DST_PITCH_OFFSET, (d->vram_bus + PIXELS_AT) >> 10 | 4u << 22);
    rv_packet0(out, A_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff);
    rv_packet0(out, A_DP_GUI_MASTER_CNTL, HOST | type);
    rv_packet0(out, A_DP_CNTL, 3);
    rv_packet0(out, A_DST_Y_X, 0);
    rv_packet0(out, A_DST_HEIGHT_WIDTH, 1u << 16 | BYTES / bytes);
    rv_packet0_n(out, A_HOST_DATA0, true, words, BYTES / 4);
}

static void turn(RvStream *s, unsigned code)
{
    for (unsigned i = 0; i < s->words->len; i++) {
        uint32_t *word = &g_array_index(s->words, uint32_t, i);

        *word = swapped(*word, code);
    }
}

static void check_pixels(RvDev *d, const char *what, unsigned code, unsigned swap,
                         unsigned bytes)
{
    uint8_t got[BYTES + 4];

    rv_vram_read(d, PIXELS_AT, got, sizeof(got));
    for (unsigned i = 0; i < sizeof(got); i++) {
        if (got[i] != (i < BYTES ? pixel_byte(i) : 0)) {
            rv_die("%s swap %u, host data swap %u, %u bytes: byte %u is %02x", what, code,
                   swap, bytes, i, got[i]);
        }
    }
    rv_vram_fill(d, PIXELS_AT, sizeof(got), 0);
}

static void draw_by_ring(RvRing *r, unsigned code, unsigned swap, unsigned bytes)
{
    RvDev *d = r->d;
    RvStream ib;

    draw(&r->out, d, bytes, swap);
    turn(&r->out, code);
    rv_ring_run(r);
    check_pixels(d, "ring", code, swap, bytes);
    rv_stream_init(&ib);
    draw(&ib, d, bytes, swap);
    turn(&ib, code);
    rv_ring_ib(r, &ib);
    turn(&r->out, code);
    rv_ring_run(r);
    check_pixels(d, "indirect buffer", code, swap, bytes);
    rv_stream_clear(&ib);
}

/* Each code of the ring with each of the host data, in each depth. */
static void streams(RvDev *d)
{
    for (unsigned code = 0; code < 4; code++) {
        g_autoptr(RvRing) r = rv_ring_new(d, 8);

        wr_mc_fb_location(d, d->vram_bus >> 16
                          | ((d->vram_bus + rd_config_memsize(d) - 1) & 0xffff0000));
        rv_load_free_image(d);
        wr_cp_rb_cntl(d, rd_cp_rb_cntl(d) | code << R_CP_RB_CNTL_BUF_SWAP_SHIFT);
        for (unsigned i = 0; i < 12; i++) {
            draw_by_ring(r, code, i % 4, 1u << i / 4);
        }
    }
}

/* What the card writes to memory is turned by codes of its own. */
static void write_backs(RvDev *d)
{
    for (unsigned code = 0; code < 4; code++) {
        g_autoptr(RvRing) r = rv_ring_new(d, 8);

        rv_load_free_image(d);
        wr_cp_rb_rptr_addr(d, r->rptr_bus | code << R_CP_RB_RPTR_ADDR_RB_RPTR_SWAP_SHIFT);
        wr_scratch_addr(d, SCRATCH_AT);
        wr_scratch_umsk(d, 2 | code << R_SCRATCH_UMSK_SCRATCH_SWAP_SHIFT);
        rv_packet0(&r->out, A_GUI_SCRATCH_REG1, 0x13579bdf);
        rv_ring_run(r);
        rv_assert_hex(rd_gui_scratch_reg1(d), 0x13579bdf);
        rv_assert_hex(rv_mem_rd(d->vm, SCRATCH_AT + 4, 4), swapped(0x13579bdf, code));
        rv_assert_hex(rv_mem_rd(d->vm, r->rptr_bus, 4), swapped(r->wptr, code));
    }
}

static void on_ppc(gconstpointer data)
{
    RvVmConfig config = { .qemu = "RV100_QEMU_PPC", .bios = RV_BIOS_PPC, .args =
        "-machine g3beige -m 64 -vga none -device radeon-rv100" };
    RvVm *vm = rv_vm_new(&config);
    g_autoptr(RvDev) d = vm ? rv_dev_probe(vm, 0) : NULL;

    if (d) {
        ((RvTestFn)data)(d);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rv_test_add("/endian/streams", streams);
    rv_test_add("/endian/write-backs", write_backs);
    g_test_add_data_func("/endian/ppc/streams", streams, on_ppc);
    g_test_add_data_func("/endian/ppc/write-backs", write_backs, on_ppc);
    return g_test_run();
}
