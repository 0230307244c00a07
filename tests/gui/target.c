/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "target.h"

static uint32_t le32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | p[2] << 16 | p[1] << 8 | p[0];
}

/* What the painter finds outside of the frame buffer: system memory, by pages
 * where the GART translates. */
static uint8_t *bus_byte(void *opaque, uint32_t addr)
{
    Gui *g = opaque;
    const uint32_t *reg = g->p->reg;
    uint32_t first = reg[R_AIC_LO_ADDR] & ~0xfffu;
    uint32_t last = reg[R_AIC_HI_ADDR] | 0xfff;

    if (reg[R_AIC_CNTL] & R_AIC_CNTL_PCIGART_TRANSLATE_EN_MASK && addr >= first
        && addr <= last) {
        uint64_t entry = reg[R_AIC_PT_BASE] + 4ull * ((addr - first) / 4096);

        if (entry > FAKE_MEM - 4) {
            return NULL;
        }
        addr = (le32(g->mem + entry) & ~0xfffu) + addr % 4096;
    }
    return addr < FAKE_MEM ? &g->mem[addr] : NULL;
}

Gui *gui_new(bool chip, bool painter)
{
    Gui *g = g_new0(Gui, 1);

    g->h = chip ? fake_host_new(0, 0) : NULL;
    if (painter) {
        g->p = ref_painter_new(FAKE_VRAM);
        g->p->other_byte = bus_byte;
        g->p->opaque = g;
        g->mem = g_malloc0(FAKE_MEM);
    }
    g->writes = g_array_new(FALSE, FALSE, sizeof(GuiWrite));
    gui_clear(g);
    return g;
}

void gui_free(Gui *g)
{
    g_clear_pointer(&g->h, fake_host_free);
    g_clear_pointer(&g->p, ref_painter_free);
    g_array_unref(g->writes);
    g_free(g->mem);
    g_free(g);
}

void gui_clear(Gui *g)
{
    if (g->h) {
        rv100_reset(g->h->chip);
        memset(g->h->vram, 0, FAKE_VRAM);
        memset(g->h->mem, 0, FAKE_MEM);
        g_ptr_array_set_size(g->h->log, 0);
    }
    if (g->p) {
        ref_painter_reset(g->p);
        memset(g->p->vram, 0, FAKE_VRAM);
        memset(g->mem, 0, FAKE_MEM);
    }
    gui_write(g, A_MC_FB_LOCATION, (FAKE_VRAM - 1) & 0xffff0000u);
    g_array_set_size(g->writes, 0);
}

void gui_write(Gui *g, uint32_t offset, uint32_t value)
{
    GuiWrite w = { offset, value };

    g_array_append_val(g->writes, w);
    if (g->h) {
        fake_wr(g->h, offset, value);
    }
    if (g->p) {
        ref_painter_write(g->p, offset, value);
    }
}

uint32_t gui_read(Gui *g, uint32_t offset)
{
    g_assert_true(!g->h != !g->p);
    return g->h ? fake_rd(g->h, offset) : ref_painter_read(g->p, offset);
}

uint8_t *gui_vram(Gui *g)
{
    return g->h ? g->h->vram : g->p->vram;
}

uint32_t gui_peek(Gui *g, uint32_t addr, uint32_t bytes)
{
    const uint8_t *vram = gui_vram(g);
    uint32_t v = 0;

    for (uint32_t n = 0; n < bytes; n++) {
        v |= (uint32_t)vram[(addr + n) % FAKE_VRAM] << 8 * n;
    }
    return v;
}

void gui_poke(Gui *g, uint32_t addr, uint32_t bytes, uint32_t value)
{
    for (uint32_t n = 0; n < bytes; n++) {
        if (g->h) {
            g->h->vram[(addr + n) % FAKE_VRAM] = value >> 8 * n;
        }
        if (g->p) {
            g->p->vram[(addr + n) % FAKE_VRAM] = value >> 8 * n;
        }
    }
}

static void noise(uint8_t *to, uint32_t len, uint32_t v)
{
    static const uint32_t often[4] = { 0, 0xffffffff, 0x12345678, 0x00ff00ff };

    for (uint32_t i = 0; i < len; i += 4) {
        uint32_t le;

        v ^= v << 13;
        v ^= v >> 17;
        v ^= v << 5;
        /* Half of it from few values, for keys to meet. */
        le = GUINT32_TO_LE(v & 0x100 ? v : often[v >> 12 & 3]);
        memcpy(to + i, &le, 4);
    }
}

void gui_noise(Gui *g, uint32_t seed)
{
    uint8_t *mem = g->h ? g->h->mem : g->mem;

    noise(gui_vram(g), FAKE_VRAM, seed * 2654435761u + 1);
    noise(mem, FAKE_MEM, seed * 2246822519u + 1);
    for (uint32_t i = 0; i < FAKE_N_PAGES; i++) {
        uint32_t le = GUINT32_TO_LE(fake_gart_bus(4096 * i));

        memcpy(mem + FAKE_TABLE + 4 * i, &le, 4);
    }
    if (g->h && g->p) {
        memcpy(g->p->vram, g->h->vram, FAKE_VRAM);
        memcpy(g->mem, g->h->mem, FAKE_MEM);
    }
}

/* Registers that can be read and the bits that matter. */
static const struct {
    const char *name;
    uint32_t offset, mask;
} readable[] = {
#define R(name, mask) { #name, A_##name, mask }
    R(DST_OFFSET, ~0u), R(DST_PITCH, ~0u), R(SRC_OFFSET, ~0u),
    R(SRC_PITCH, ~0u), R(DST_WIDTH, ~0u), R(DST_HEIGHT, ~0u),
    R(SRC_X, ~0u), R(SRC_Y, ~0u), R(DST_X, ~0u), R(DST_Y, ~0u),
    R(SC_LEFT, ~0u), R(SC_RIGHT, ~0u), R(SC_TOP, ~0u), R(SC_BOTTOM, ~0u),
    R(SRC_SC_RIGHT, ~0u), R(SRC_SC_BOTTOM, ~0u),
    R(DP_CNTL, R_DP_CNTL_DST_X_LEFT_TO_RIGHT_MASK
               | R_DP_CNTL_DST_Y_TOP_TO_BOTTOM_MASK | R_DP_CNTL_DP_DST_TILE_MASK),
    R(DST_TILE, R_DST_TILE_TILE_MASK), R(SRC_TILE, 1),
    R(DP_DATATYPE, R_DP_DATATYPE_DP_DST_DATATYPE_MASK
                   | R_DP_DATATYPE_DP_BRUSH_DATATYPE_MASK
                   | R_DP_DATATYPE_DP_SRC_DATATYPE_MASK
                   | R_DP_DATATYPE_DP_BYTE_PIX_ORDER_MASK),
    R(DP_MIX, R_DP_MIX_DP_SRC_SOURCE_MASK | R_DP_MIX_DP_ROP3_MASK),
    R(DP_SRC_FRGD_CLR, ~0u), R(DP_SRC_BKGD_CLR, ~0u),
    R(DP_BRUSH_FRGD_CLR, ~0u), R(DP_BRUSH_BKGD_CLR, ~0u),
#undef R
};

static char *memory_difference(const char *name, const uint8_t *chip,
                               const uint8_t *painter, uint32_t len)
{
    uint32_t i = 0;

    if (!memcmp(chip, painter, len)) {
        return NULL;
    }
    while (chip[i] == painter[i]) {
        i++;
    }
    return g_strdup_printf("%s 0x%05x: chip 0x%02x, painter 0x%02x", name, i,
                           chip[i], painter[i]);
}

char *gui_difference(Gui *g)
{
    char *what = memory_difference("VRAM", g->h->vram, g->p->vram, FAKE_VRAM);

    if (!what) {
        what = memory_difference("memory", g->h->mem, g->mem, FAKE_MEM);
    }
    if (what) {
        return what;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(readable); i++) {
        uint32_t c = fake_rd(g->h, readable[i].offset) & readable[i].mask;
        uint32_t p = ref_painter_read(g->p, readable[i].offset)
            & readable[i].mask;

        if (c != p) {
            return g_strdup_printf("%s: chip 0x%08x, painter 0x%08x",
                                   readable[i].name, c, p);
        }
    }
    return NULL;
}

char *gui_reproducer(const Gui *g)
{
    GString *out = g_string_new(NULL);

    for (guint i = 0; i < g->writes->len; i++) {
        const GuiWrite *w = &g_array_index(g->writes, GuiWrite, i);

        g_string_append_printf(out, "w %04x %08x\n", w->offset, w->value);
    }
    return g_string_free(out, FALSE);
}
