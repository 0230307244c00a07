/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The microinstruction word: enums, field masks, sets of known codes. */
#include <string.h>

#include "gx-gen.h"

static const struct {
    const char *name;           /* of the enum and of the prefix */
    const char *field;          /* of ME_WORD that holds the code */
} codes[] = {
    { "ME_SRC", "SRC" },
    { "ME_OP", "OP" },
    { "ME_SEQ", "SEQ" },
    { "ME_ALU", "ALU" },
};

static const char *const generations[] = { "r128", "r100", "r200", "r300" };

static void missing(GenOut *out, const char *what)
{
    fprintf(stderr, "gx-gen: no %s in the description of the microengine\n",
            what);
    out->n_errors++;
}

static uint64_t known_codes(const GxEnum *e, const char *chip)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < e->values->len; i++) {
        const GxValue *v = e->values->pdata[i];

        if (v->value < 64 && gx_chips_has(v->meta.chips, chip)) {
            set |= UINT64_C(1) << v->value;
        }
    }
    return set;
}

static void code_enum(GenOut *out, const GxEnum *e, const char *prefix,
                      unsigned bits)
{
    fputs("\nenum {\n", out->f);
    for (unsigned i = 0; i < e->values->len; i++) {
        const GxValue *v = e->values->pdata[i];
        g_autofree char *id = gen_ident(v->name);

        fprintf(out->f, "    %s_%s = 0x%02x,", prefix, id,
                (unsigned)v->value);
        fprintf(out->f, v->meta.doc[0] ? "  /* %s */\n" : "\n", v->meta.doc);
    }
    fputs("};\n", out->f);
    for (unsigned i = 0; i < G_N_ELEMENTS(generations); i++) {
        g_autofree char *chip = gen_ident(generations[i]);
        g_autofree char *name = g_strdup_printf("%s_KNOWN_%s", prefix, chip);

        gen_define(out, e->meta.loc, name,
                   "UINT64_C(0x%016" G_GINT64_MODIFIER "x)",
                   known_codes(e, generations[i]));
    }
    fprintf(out->f, "extern const Rv100MeCode %s_NAMES[%u];\n", prefix,
            1u << bits);
}

void gen_me_header(GenOut *out, const GxDoc *doc)
{
    const GxContainer *word = gx_doc_struct(doc, "ME_WORD");

    fputs("#ifndef RV100_ME_ISA_H\n#define RV100_ME_ISA_H\n\n"
          "#include <stdint.h>\n\n"
          "/* Tables of the mnemonics, indexed by code; name NULL = no code.\n"
          " * They are in rv100-me-isa.c, for the toolchain only. */\n"
          "typedef struct Rv100MeCode {\n"
          "    const char *name;\n"
          "    const char *doc;\n"
          "    const char *chips;      /* NULL: all, \"none\": no chip */\n"
          "    char confidence;        /* H S X P U */\n"
          "} Rv100MeCode;\n\n", out->f);
    if (!word) {
        missing(out, "struct ME_WORD");
        return;
    }
    for (unsigned i = 0; i < word->root->items->len; i++) {
        const GxField *f = g_array_index(word->root->items, GxItem, i).field;
        g_autofree char *id = f ? gen_ident(f->name) : NULL;
        g_autofree char *shift = g_strdup_printf("ME_WORD_%s_SHIFT", id);
        g_autofree char *length = g_strdup_printf("ME_WORD_%s_LENGTH", id);
        g_autofree char *mask = g_strdup_printf("ME_WORD_%s_MASK", id);

        if (!f) {
            continue;
        }
        gen_define(out, f->meta.loc, shift, "%u", f->start);
        gen_define(out, f->meta.loc, length, "%u", gx_field_bits(f));
        gen_define(out, f->meta.loc, mask,
                   "UINT64_C(0x%016" G_GINT64_MODIFIER "x)",
                   ((UINT64_C(1) << gx_field_bits(f)) - 1) << f->start);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(codes); i++) {
        const GxEnum *e = gx_doc_enum(doc, codes[i].name);
        const GxField *f = gx_container_field(word, codes[i].field);

        if (!e || !f) {
            missing(out, codes[i].name);
            continue;
        }
        code_enum(out, e, codes[i].name, gx_field_bits(f));
    }
    fputs("\n#endif\n", out->f);
}

static void code_names(GenOut *out, const GxEnum *e, const char *prefix,
                       unsigned bits)
{
    fprintf(out->f, "\nconst Rv100MeCode %s_NAMES[%u] = {\n", prefix,
            1u << bits);
    for (unsigned i = 0; i < e->values->len; i++) {
        const GxValue *v = e->values->pdata[i];
        g_autofree char *doc = gen_string(v->meta.doc);
        g_autofree char *chips = v->meta.chips ? gen_string(v->meta.chips)
                                               : g_strdup("NULL");

        fprintf(out->f, "    [0x%02x] = { \"%s\", %s, %s, '%c' },\n",
                (unsigned)v->value, v->name, doc, chips,
                v->meta.confidence ? v->meta.confidence[0] : 'U');
    }
    fputs("};\n", out->f);
}

void gen_me_tables(GenOut *out, const GxDoc *doc)
{
    const GxContainer *word = gx_doc_struct(doc, "ME_WORD");

    fputs("#include <stddef.h>\n\n#include \"rv100-me-isa.h\"\n", out->f);
    for (unsigned i = 0; word && i < G_N_ELEMENTS(codes); i++) {
        const GxEnum *e = gx_doc_enum(doc, codes[i].name);
        const GxField *f = gx_container_field(word, codes[i].field);

        if (e && f) {
            code_names(out, e, codes[i].name, gx_field_bits(f));
        }
    }
}
