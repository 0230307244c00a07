/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packet headers and opcodes. */
#include "gx-gen.h"

static void header_fields(GenOut *out, const GxContainer *c)
{
    g_autofree char *id = gen_ident(c->name);
    g_autofree char *prefix = g_strdup_printf("PM4_%s", id);

    fputc('\n', out->f);
    for (unsigned i = 0; i < c->root->items->len; i++) {
        const GxField *f = g_array_index(c->root->items, GxItem, i).field;

        if (f) {
            gen_field_macros(out, prefix, f);
        }
    }
}

void gen_pm4_header(GenOut *out, const GxDoc *doc)
{
    fputs("#ifndef RV100_PM4_H\n#define RV100_PM4_H\n\n#include <stdint.h>\n",
          out->f);
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];

        if (c->kind == GX_STRUCT && c->length == 1) {
            header_fields(out, c);
        }
    }
    fputs("\n/* Opcodes of type-3 packets. */\nenum {\n", out->f);
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];
        const GxField *f = c->kind == GX_INSTRUCTION ?
                           gx_container_field(c, "IT_OPCODE") : NULL;

        if (f && f->has_default) {
            g_autofree char *id = gen_ident(c->name);
            fprintf(out->f, "    PM4_OP_%s = 0x%02x,\n", id,
                    (unsigned)f->dflt);
        }
    }
    fputs("};\n\n/* Names by opcode, NULL = none; in rv100-pm4.c, for the "
          "toolchain only. */\n"
          "extern const char *const PM4_OP_NAMES[128];\n\n#endif\n", out->f);
}

void gen_pm4_tables(GenOut *out, const GxDoc *doc)
{
    fputs("#include \"rv100-pm4.h\"\n\n"
          "const char *const PM4_OP_NAMES[128] = {\n", out->f);
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];
        const GxField *f = c->kind == GX_INSTRUCTION ?
                           gx_container_field(c, "IT_OPCODE") : NULL;

        if (f && f->has_default && f->dflt < 128) {
            fprintf(out->f, "    [0x%02x] = \"%s\",\n", (unsigned)f->dflt,
                    c->name);
        }
    }
    fputs("};\n", out->f);
}
