/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register names, register tables, accessors of the test client. */
#include "gx-gen.h"

/* Prefix of the macro with the place, and of the macros of the fields. */
static const struct {
    const char *place, *fields;
} prefixes[GX_N_SPACES] = {
    [GX_SPACE_MMIO] = { "A", "R" },
    [GX_SPACE_PLL] = { "P", "P" },
    [GX_SPACE_PCI] = { "C", "C" },
    [GX_SPACE_VGA] = { "V", "V" },
};

static const GxField *top_field(const GxContainer *c, unsigned i)
{
    return g_array_index(c->root->items, GxItem, i).field;
}

/* --- names --- */

static void value_macros(GenOut *out, const char *prefix, const GxField *f)
{
    g_autofree char *field = gen_ident(f->name);

    for (unsigned i = 0; f->enumeration && i < f->enumeration->values->len;
         i++) {
        const GxValue *v = f->enumeration->values->pdata[i];
        g_autofree char *id = gen_ident(v->name);
        g_autofree char *name = g_strdup_printf("%s_%s_%s", prefix, field, id);

        gen_define(out, v->meta.loc, name, "0x%" G_GINT64_MODIFIER "xu",
                   v->value);
    }
}

static void register_macros(GenOut *out, const GxContainer *c)
{
    g_autofree char *id = gen_ident(c->name);
    g_autofree char *place = g_strdup_printf("%s_%s",
                                             prefixes[c->space].place, id);
    g_autofree char *prefix = g_strdup_printf("%s_%s",
                                              prefixes[c->space].fields, id);

    fputc('\n', out->f);
    gen_define(out, c->meta.loc, place, "0x%04x", c->num);
    if (c->space == GX_SPACE_MMIO) {
        gen_define(out, c->meta.loc, prefix, "0x%04x", c->num / 4);
    }
    if (c->length > 1) {
        g_autofree char *dwords = g_strdup_printf("%s_DWORDS", prefix);
        gen_define(out, c->meta.loc, dwords, "%u", c->length);
    }
    for (unsigned i = 0; i < c->root->items->len; i++) {
        const GxField *f = top_field(c, i);

        if (f) {
            gen_field_macros(out, prefix, f);
            value_macros(out, prefix, f);
        }
    }
}

void gen_regs_header(GenOut *out, const GxDoc *doc)
{
    fputs("#ifndef RV100_REGS_H\n#define RV100_REGS_H\n", out->f);
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];

        if (c->kind == GX_REGISTER) {
            register_macros(out, c);
        }
    }
    fputs("\n#endif\n", out->f);
}

/* --- tables --- */

static int by_num(const void *a, const void *b)
{
    const GxContainer *ca = *(GxContainer *const *)a;
    const GxContainer *cb = *(GxContainer *const *)b;

    return (ca->num > cb->num) - (ca->num < cb->num);
}

/* The registers of a space that get an entry, sorted. */
static GPtrArray *table_registers(const GxDoc *doc, GxSpace space)
{
    GPtrArray *a = g_ptr_array_new();

    for (unsigned i = 0; i < doc->containers->len; i++) {
        GxContainer *c = doc->containers->pdata[i];

        if (c->kind == GX_REGISTER && c->space == space &&
            !(c->alias && c->alias->num == c->num)) {
            g_ptr_array_add(a, c);
        }
    }
    g_ptr_array_sort(a, by_num);
    return a;
}

static int by_value(const void *a, const void *b)
{
    const GxValue *va = *(GxValue *const *)a;
    const GxValue *vb = *(GxValue *const *)b;

    return (va->value > vb->value) - (va->value < vb->value);
}

static void value_table(GenOut *out, const char *id, unsigned i,
                        const GxEnum *e)
{
    g_autoptr(GPtrArray) values = g_ptr_array_new();

    for (unsigned j = 0; j < e->values->len; j++) {
        g_ptr_array_add(values, e->values->pdata[j]);
    }
    g_ptr_array_sort(values, by_value);
    fprintf(out->f, "static const Rv100ValueInfo v_%s_%u[] = {\n", id, i);
    for (unsigned j = 0; j < values->len; j++) {
        const GxValue *v = values->pdata[j];
        fprintf(out->f, "    { \"%s\", 0x%" G_GINT64_MODIFIER "x },\n",
                v->name, v->value);
    }
    fputs("};\n", out->f);
}

static void field_table(GenOut *out, const char *id, const GxContainer *c)
{
    for (unsigned i = 0; i < c->root->items->len; i++) {
        const GxField *f = top_field(c, i);

        if (f && f->enumeration && f->enumeration->values->len) {
            value_table(out, id, i, f->enumeration);
        }
    }
    fprintf(out->f, "static const Rv100FieldInfo f_%s[] = {\n", id);
    for (unsigned i = 0; i < c->root->items->len; i++) {
        const GxField *f = top_field(c, i);

        if (!f) {
            continue;
        }
        fprintf(out->f, "    { \"%s\", %u, %u, ", f->name, f->start, f->end);
        if (f->enumeration && f->enumeration->values->len) {
            fprintf(out->f, "v_%s_%u, %u },\n", id, i,
                    f->enumeration->values->len);
        } else {
            fputs("NULL, 0 },\n", out->f);
        }
    }
    fputs("};\n", out->f);
}

typedef struct Bits {
    uint32_t mask, ro, w1c, wo, rc;
} Bits;

static void add_access(Bits *b, GxAccess access, uint32_t bits)
{
    bits &= b->mask;
    b->ro &= ~bits;
    b->w1c &= ~bits;
    b->wo &= ~bits;
    b->rc &= ~bits;
    switch (access) {
    case GX_RO: b->ro |= bits; break;
    case GX_WO: b->wo |= bits; break;
    case GX_W1C: b->w1c |= bits; break;
    case GX_RC:
        b->rc |= bits;
        b->ro |= bits;
        break;
    default: break;
    }
}

/* The access of the register for all its bits, then that of single fields. */
static Bits register_bits(const GxContainer *c)
{
    uint32_t all = c->width >= 32 ? UINT32_MAX : (1u << c->width) - 1;
    Bits b = { .mask = c->has_mask ? (uint32_t)c->mask : all };

    add_access(&b, c->access, UINT32_MAX);
    for (unsigned i = 0; i < c->root->items->len; i++) {
        const GxField *f = top_field(c, i);

        if (f && f->access && !f->alias_of && f->end < 32) {
            uint32_t bits = gx_field_bits(f);
            uint32_t m = bits == 32 ? UINT32_MAX : ((1u << bits) - 1);
            add_access(&b, f->access, m << f->start);
        }
    }
    return b;
}

static void table_entry(GenOut *out, const GxContainer *c)
{
    /* An alias without fields of its own is the other register entirely. */
    const GxContainer *s = c->alias && !c->root->items->len && !c->has_mask &&
                           !c->has_reset && !c->access ? c->alias : c;
    g_autofree char *id = gen_ident(s->name);
    Bits b = register_bits(s);
    unsigned shift = c->space == GX_SPACE_MMIO ? (c->num & 3) * 8 : 0;

    fprintf(out->f, "    { \"%s\", 0x%04x, 0x%04x, %s, %u, %u,\n", c->name,
            c->num - shift / 8,
            (c->alias ? c->alias->num : c->num) - shift / 8,
            c->space == GX_SPACE_PLL ? "RV100_SPACE_PLL" : "RV100_SPACE_MMIO",
            c->width, c->length);
    fprintf(out->f, "      0x%08x, 0x%08x, 0x%08x, 0x%08x, 0x%08x, 0x%08x,\n",
            b.mask << shift, b.ro << shift, b.w1c << shift, b.wo << shift,
            b.rc << shift, (uint32_t)s->reset << shift);
    if (s->root->items->len) {
        fprintf(out->f, "      f_%s%s, %u },\n",
                c->space == GX_SPACE_PLL ? "P_" : "R_", id,
                s->root->items->len);
    } else {
        fputs("      NULL, 0 },\n", out->f);
    }
}

static void space_table(GenOut *out, const GxDoc *doc, GxSpace space,
                        const char *name, const char *size)
{
    g_autoptr(GPtrArray) regs = table_registers(doc, space);
    unsigned step = space == GX_SPACE_PLL ? 1 : 4;

    for (unsigned i = 0; i < regs->len; i++) {
        const GxContainer *c = regs->pdata[i];
        g_autofree char *id = gen_ident(c->name);
        g_autofree char *full = g_strdup_printf("%s_%s",
                                                prefixes[space].fields, id);

        if (c->root->items->len) {
            field_table(out, full, c);
        }
    }
    fprintf(out->f, "const Rv100RegInfo rv100_%s_regs[] = {\n", name);
    for (unsigned i = 0; i < regs->len; i++) {
        table_entry(out, regs->pdata[i]);
    }
    fprintf(out->f, "};\nconst uint16_t rv100_n_%s_regs = %u;\n", name,
            regs->len);
    fprintf(out->f, "const uint16_t rv100_%s_index[%s] = {\n", name, size);
    for (unsigned i = 0; i < regs->len; i++) {
        const GxContainer *c = regs->pdata[i];

        for (unsigned d = 0; d < c->length; d++) {
            fprintf(out->f, "    [0x%x] = %u,\n", c->num / step + d, i + 1);
        }
    }
    fputs("};\n\n", out->f);
}

void gen_regs_table(GenOut *out, const GxDoc *doc)
{
    fputs("#include \"rv100/reginfo.h\"\n\n", out->f);
    space_table(out, doc, GX_SPACE_MMIO, "mmio", "RV100_MMIO_DWORDS");
    space_table(out, doc, GX_SPACE_PLL, "pll", "RV100_PLL_REGS");
}

/* --- accessors --- */

void gen_accessors(GenOut *out, const GxDoc *doc)
{
    fputs("/* Include rv100-regs.h and declare RvDev, rv_rd32() and rv_wr32() "
          "before. */\n"
          "#ifndef RV100_ACCESSORS_H\n#define RV100_ACCESSORS_H\n\n", out->f);
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];
        g_autofree char *id = gen_ident(c->name);
        g_autofree char *low = g_ascii_strdown(id, -1);

        if (c->kind != GX_REGISTER || c->space != GX_SPACE_MMIO || c->num % 4) {
            continue;
        }
        fprintf(out->f, "static inline uint32_t rd_%s(RvDev *d)\n"
                "{\n    return rv_rd32(d, A_%s);\n}\n"
                "static inline void wr_%s(RvDev *d, uint32_t v)\n"
                "{\n    rv_wr32(d, A_%s, v);\n}\n", low, id, low, id);
    }
    fputs("\n#endif\n", out->f);
}
