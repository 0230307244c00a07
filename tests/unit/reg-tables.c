/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The generated register tables against their contract and the descriptions. */
#include "gx.h"
#include "rv100-regs.h"
#include "rv100/reginfo.h"

static GxDoc *doc;

static void check_fields(const Rv100RegInfo *r)
{
    for (unsigned i = 0; i < r->n_fields; i++) {
        const Rv100FieldInfo *f = &r->fields[i];

        g_assert_cmpuint(f->start, <=, f->end);
        g_assert_cmpuint(f->end, <, r->width);
        for (unsigned j = 0; j < f->n_values; j++) {
            g_assert_true(j == 0 ||
                          f->values[j - 1].value <= f->values[j].value);
            g_assert_cmphex((uint64_t)f->values[j].value >>
                            (f->end - f->start + 1), ==, 0);
        }
        g_assert_true((f->n_values == 0) == (f->values == NULL));
    }
    g_assert_true((r->n_fields == 0) == (r->fields == NULL));
}

static void check_entry(const Rv100RegInfo *r)
{
    g_test_message("%s", r->name);
    g_assert_cmphex(r->reset & ~r->mask, ==, 0);
    g_assert_cmphex((r->ro | r->w1c | r->wo | r->rc) & ~r->mask, ==, 0);
    g_assert_cmphex(r->ro & r->w1c, ==, 0);
    g_assert_cmphex(r->ro & r->wo, ==, 0);
    g_assert_cmphex(r->w1c & r->wo, ==, 0);
    g_assert_cmpuint(r->dwords, >=, 1);
    check_fields(r);
}

static void test_mmio(void)
{
    unsigned used = 0, indexed = 0;

    for (unsigned i = 0; i < rv100_n_mmio_regs; i++) {
        const Rv100RegInfo *r = &rv100_mmio_regs[i];

        check_entry(r);
        g_assert_cmpint(r->space, ==, RV100_SPACE_MMIO);
        g_assert_cmphex(r->offset % 4, ==, 0);
        g_assert_true(i == 0 || r[-1].offset < r->offset);
        for (unsigned d = 0; d < r->dwords; d++) {
            g_assert_true(rv100_mmio_info(r->offset + 4 * d) == r);
            used++;
        }
        if (r->storage != r->offset) {
            const Rv100RegInfo *s = rv100_mmio_info(r->storage);
            g_assert_nonnull(s);
            g_assert_cmphex(s->storage, ==, s->offset);
        }
    }
    for (unsigned i = 0; i < RV100_MMIO_DWORDS; i++) {
        indexed += rv100_mmio_index[i] != 0;
        g_assert_cmpuint(rv100_mmio_index[i], <=, rv100_n_mmio_regs);
    }
    g_assert_cmpuint(indexed, ==, used);
    g_assert_null(rv100_mmio_info(0x4000));
    g_assert_null(rv100_mmio_info(0xfffffffc));
}

static void test_pll(void)
{
    for (unsigned i = 0; i < rv100_n_pll_regs; i++) {
        const Rv100RegInfo *r = &rv100_pll_regs[i];

        check_entry(r);
        g_assert_cmpint(r->space, ==, RV100_SPACE_PLL);
        g_assert_true(i == 0 || r[-1].offset < r->offset);
        g_assert_cmpuint(rv100_pll_index[r->offset], ==, i + 1);
    }
}

/* Every register of the description is in its table with its data. */
static void test_agree(void)
{
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];
        const Rv100RegInfo *r;

        if (c->space == GX_SPACE_MMIO) {
            r = rv100_mmio_info(c->num);
        } else if (c->space == GX_SPACE_PLL) {
            r = &rv100_pll_regs[rv100_pll_index[c->num] - 1];
        } else {
            continue;
        }
        g_assert_nonnull(r);
        if (c->alias && c->alias->num == c->num) {
            g_assert_cmpstr(r->name, ==, c->alias->name);
            continue;
        }
        g_assert_cmpstr(r->name, ==, c->name);
        if (c->width == 32 && !c->alias) {
            g_assert_cmphex(r->mask, ==, c->has_mask ? c->mask : UINT32_MAX);
            g_assert_cmphex(r->reset, ==, c->reset);
            g_assert_cmpuint(r->n_fields, ==, c->root->items->len);
        }
    }
}

static const Rv100RegInfo *reg(uint32_t offset)
{
    const Rv100RegInfo *r = rv100_mmio_info(offset);

    g_assert_nonnull(r);
    return r;
}

/* Facts of the reference material, written out by hand. */
static void test_facts(void)
{
    g_assert_cmphex(A_RBBM_STATUS, ==, 0x0e40);
    g_assert_cmphex(reg(A_RBBM_STATUS)->ro, ==, 0xffffffff);
    g_assert_cmphex(reg(A_RBBM_STATUS)->reset, ==, 0x140);
    g_assert_cmphex(A_RBBM_STATUS_ALIAS, ==, 0x1740);
    g_assert_cmphex(reg(0x1740)->storage, ==, 0x0e40);
    g_assert_cmphex(reg(0x1740)->ro, ==, 0xffffffff);
    g_assert_cmpuint(reg(0x1740)->n_fields, >, 10);
    g_assert_cmphex(reg(0x1714)->storage, ==, 0x342c);
    g_assert_cmphex(A_GUI_SCRATCH_REG5, ==, 0x15f4);
    g_assert_cmphex(A_SCRATCH_REG5, ==, 0x15f4);
    g_assert_cmpstr(reg(0x15f4)->name, ==, "GUI_SCRATCH_REG5");
    g_assert_cmphex(reg(A_SC_RIGHT)->mask, ==, 0x3fff);
    g_assert_cmphex(reg(A_SC_TOP_LEFT)->mask, ==, 0x3fff3fff);
    g_assert_cmphex(reg(A_DST_OFFSET)->mask & 0x1f, ==, 0x10);
    g_assert_cmphex(reg(A_SRC_PITCH)->mask & 0x22, ==, 0x20);
    g_assert_cmphex(reg(A_DEFAULT_PITCH_OFFSET)->mask, ==, 0xffffffff);
    g_assert_cmphex(reg(A_CP_ME_RAM_DATAH)->mask, ==, 0x3f);
    g_assert_cmphex(reg(A_CP_CSQ_CNTL)->ro, ==, 0xffff);
    g_assert_cmphex(reg(A_GEN_INT_STATUS)->w1c & 0x06080211, ==, 0x02080211);
    g_assert_cmphex(reg(A_GEN_INT_STATUS)->wo, ==, 0x04000000);
    g_assert_cmphex(reg(A_GPIO_VGA_DDC)->reset, ==, 0x300);
    g_assert_cmphex(reg(A_GPIO_VGA_DDC)->ro, ==, 0x300);
    g_assert_cmphex(reg(A_CRTC_OFFSET)->ro, ==, 0x40000000);
    g_assert_cmphex(reg(0x11fc)->offset, ==, A_CP_CSQ_APER_PRIMARY);
    g_assert_null(rv100_mmio_info(0x1200));
    g_assert_cmphex(reg(0x13fc)->offset, ==, A_CP_CSQ_APER_INDIRECT);
    g_assert_cmphex(reg(0x3c2)->mask, ==, 0x00ff0000);
    g_assert_cmphex(rv100_pll_regs[rv100_pll_index[0x0a] - 1].reset, ==,
                    0x0025250c);
    g_assert_cmphex(rv100_pll_regs[rv100_pll_index[0x03] - 1].wo, ==, 0x8000);
    g_assert_cmphex(P_PPLL_REF_DIV, ==, 3);
    g_assert_cmphex(RV100_GET(0xc0000700, CP_RB_CNTL, RB_BLKSZ), ==, 7);
    g_assert_cmphex(RV100_SET(0xffffffffu, CP_RB_CNTL, RB_BUFSZ, 0x41u), ==,
                    0xffffffc1);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    doc = gx_doc_new(GX_STRICT);
    gx_doc_load_file(doc, XML_DIR "/rv100-registers.xml");
    if (!gx_doc_finish(doc)) {
        g_printerr("the descriptions are broken: see the test descriptions\n");
        return 1;
    }
    g_test_add_func("/reg-tables/mmio", test_mmio);
    g_test_add_func("/reg-tables/pll", test_pll);
    g_test_add_func("/reg-tables/agree", test_agree);
    g_test_add_func("/reg-tables/facts", test_facts);
    status = g_test_run();
    gx_doc_free(doc);
    return status;
}
