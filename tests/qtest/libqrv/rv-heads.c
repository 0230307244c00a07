/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rv.h"
#include "rv-heads.h"

/* Two flips of a slow mode: a guard against hangs. */
#define TRIES 1000000

static const unsigned bytes_of[] = {
    [RV_BPP_8] = 1, [RV_BPP_15] = 2, [RV_BPP_16] = 2, [RV_BPP_24] = 3, [RV_BPP_32] = 4,
};

RvDev *rv_heads_new(const char *extra)
{
    g_autofree char *args = g_strdup_printf(
        "-machine pc -m 64 -vga none -device radeon-rv100,id=gpu0,heads=2%s", extra);
    RvVmConfig config = { .bios = RV_BIOS_HALT, .args = args };
    RvVm *vm = rv_vm_new(&config);

    return vm ? rv_dev_probe(vm, 0) : NULL;
}

uint32_t rv_head_reg(const RvHead *h, uint32_t offset)
{
    if (!h->n) {
        return offset;
    }
    return offset == A_CRTC_GEN_CNTL ? A_CRTC2_GEN_CNTL
        : offset == A_CRTC_STATUS ? A_CRTC2_STATUS
        : offset + A_CRTC2_H_TOTAL_DISP - A_CRTC_H_TOTAL_DISP;
}

void rv_head_wr(const RvHead *h, uint32_t offset, uint32_t value)
{
    rv_wr32(h->d, rv_head_reg(h, offset), value);
}

uint32_t rv_head_rd(const RvHead *h, uint32_t offset)
{
    return rv_rd32(h->d, rv_head_reg(h, offset));
}

void rv_head_pan(const RvHead *h, uint32_t offset)
{
    unsigned tries = 0;

    rv_head_wr(h, A_CRTC_OFFSET, offset);
    while (rv_head_rd(h, A_CRTC_OFFSET) & R_CRTC_OFFSET_GUI_TRIG_OFFSET_MASK) {
        g_assert_cmpuint(++tries, <, TRIES);
    }
}

void rv_head_mode(RvHead *h, unsigned format, unsigned width, unsigned height,
                  unsigned pitch, uint32_t start)
{
    RvDev *d = h->d;

    h->format = format;
    h->bytes = bytes_of[format];
    h->width = width;
    h->height = height;
    h->pitch = pitch;
    h->start = start;
    wr_mc_fb_location(d, d->vram_bus >> 16
                      | ((d->vram_bus + rd_config_memsize(d) - 1) & 0xffff0000));
    rv_head_wr(h, A_DISPLAY_BASE_ADDR, d->vram_bus + start);
    rv_head_wr(h, A_CRTC_H_TOTAL_DISP, (width / 8 - 1) << 16 | (width / 8 + 9));
    rv_head_wr(h, A_CRTC_V_TOTAL_DISP, (height - 1) << 16 | (height + 9));
    rv_head_wr(h, A_CRTC_PITCH, pitch / 8);
    rv_head_wr(h, A_CRTC_GEN_CNTL, format << R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_SHIFT
               | R_CRTC_GEN_CNTL_CRTC_EN_MASK
               | (h->n ? 0 : R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK));
    rv_head_pan(h, 0);
}

void rv_head_put(const RvHead *h, unsigned x, unsigned y, uint32_t value)
{
    uint8_t le[4] = { value, value >> 8, value >> 16, value >> 24 };

    rv_vram_write(h->d, h->start + (y * h->pitch + x) * h->bytes, le, h->bytes);
}

void rv_head_colours(const RvHead *h, uint32_t (*colour)(unsigned i))
{
    wr_dac_cntl2(h->d, h->n ? R_DAC_CNTL2_DAC2_PALETTE_ACC_CTL_MASK : 0);
    rv_wr8(h->d, A_PALETTE_INDEX, 0);
    for (unsigned i = 0; i < 256; i++) {
        wr_palette_30_data(h->d, colour(i));
    }
}

RvPicture *rv_head_picture(const RvHead *h)
{
    return rv_screendump_head(h->d->vm, "gpu0", h->n);
}
