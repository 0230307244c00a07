/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages for people: registers and packets in Markdown. */
#include <string.h>

#include "gx-gen.h"

/* Text for a table cell. */
static void cell(GenOut *out, const char *text)
{
    for (const char *p = text ? text : ""; *p; p++) {
        if (*p == '|') {
            fputc('\\', out->f);
        }
        fputc(*p, out->f);
    }
}

static void bits(GenOut *out, const GxField *f, uint32_t base)
{
    if (f->start == f->end) {
        fprintf(out->f, "%u", base + f->start);
    } else {
        fprintf(out->f, "%u:%u", base + f->end, base + f->start);
    }
}

static void values(GenOut *out, const GxEnum *e)
{
    for (unsigned i = 0; e && i < e->values->len; i++) {
        const GxValue *v = e->values->pdata[i];

        fprintf(out->f, "%s%" G_GUINT64_FORMAT " ", i ? ", " : "", v->value);
        cell(out, v->name);
    }
}

static void field_row(GenOut *out, const GxField *f, uint32_t base,
                      const char *indent)
{
    fputs("| ", out->f);
    bits(out, f, base);
    fprintf(out->f, " | %s", indent);
    cell(out, f->name);
    fputs(" | ", out->f);
    cell(out, f->type_name ? f->type_name : "uint");
    if (f->has_default) {
        fprintf(out->f, " = %s", f->default_text);
    }
    if (f->access) {
        fprintf(out->f, ", %s", gx_access_name(f->access));
    }
    fputs(" | ", out->f);
    values(out, f->values);
    if (f->values && *f->meta.doc) {
        fputs("; ", out->f);
    }
    cell(out, f->meta.doc);
    fputs(" |\n", out->f);
}

static void source(GenOut *out, const GxMeta *m)
{
    fprintf(out->f, "Source: %s%s%s.\n\n", m->ref ? m->ref : "none",
            m->confidence ? ", confidence " : "",
            m->confidence ? m->confidence : "");
}

/* --- registers --- */

static void register_facts(GenOut *out, const GxContainer *c)
{
    fprintf(out->f, "### %s\n\n0x%04x", c->name, c->num);
    if (c->length > 1) {
        fprintf(out->f, ", %u dwords", c->length);
    }
    if (c->width != 32) {
        fprintf(out->f, ", %u bits", c->width);
    }
    fprintf(out->f, ", %s", c->access ? gx_access_name(c->access) : "rw");
    if (c->has_mask) {
        fprintf(out->f, ", mask 0x%08" G_GINT64_MODIFIER "x", c->mask);
    }
    if (c->has_reset) {
        fprintf(out->f, ", reset 0x%08" G_GINT64_MODIFIER "x", c->reset);
    }
    if (c->alias) {
        fprintf(out->f, ", another name of %s", c->alias->name);
    }
    fprintf(out->f, ". %s%s", c->meta.doc, *c->meta.doc ? " " : "");
    source(out, &c->meta);
}

static void register_section(GenOut *out, const GxContainer *c)
{
    register_facts(out, c);
    if (!c->root->items->len) {
        return;
    }
    fputs("| bits | field | type | values |\n|---|---|---|---|\n", out->f);
    for (unsigned i = c->root->items->len; i > 0; i--) {
        const GxField *f = g_array_index(c->root->items, GxItem, i - 1).field;

        if (f) {
            field_row(out, f, 0, "");
        }
    }
    fputc('\n', out->f);
}

static int by_place(const void *a, const void *b)
{
    const GxContainer *ca = *(GxContainer *const *)a;
    const GxContainer *cb = *(GxContainer *const *)b;

    return ca->num != cb->num ? (ca->num > cb->num) - (ca->num < cb->num)
                              : strcmp(ca->name, cb->name);
}

static void enum_sections(GenOut *out, const GxDoc *doc)
{
    fputs("## Named values\n\n", out->f);
    for (unsigned i = 0; i < doc->enums->len; i++) {
        const GxEnum *e = doc->enums->pdata[i];

        fprintf(out->f, "**%s**: ", e->name);
        values(out, e);
        fputs("\n\n", out->f);
    }
}

void gen_register_page(GenOut *out, const GxDoc *doc)
{
    static const char *const titles[GX_N_SPACES] = {
        [GX_SPACE_MMIO] = "Registers of BAR2 (byte offsets)",
        [GX_SPACE_PLL] = "PLL registers (behind CLOCK_CNTL_INDEX)",
        [GX_SPACE_PCI] = "PCI configuration",
        [GX_SPACE_VGA] = "VGA ports",
    };

    fputs("# Registers\n\nMade from xml/rv100-registers*.xml by the build.\n"
          "\n", out->f);
    for (GxSpace s = 0; s < GX_N_SPACES; s++) {
        g_autoptr(GPtrArray) regs = g_ptr_array_new();

        for (unsigned i = 0; i < doc->containers->len; i++) {
            GxContainer *c = doc->containers->pdata[i];

            if (c->kind == GX_REGISTER && c->space == s) {
                g_ptr_array_add(regs, c);
            }
        }
        g_ptr_array_sort(regs, by_place);
        fprintf(out->f, "## %s\n\n", titles[s]);
        for (unsigned i = 0; i < regs->len; i++) {
            register_section(out, regs->pdata[i]);
        }
    }
    enum_sections(out, doc);
}

/* --- packets --- */

static void group_rows(GenOut *out, const GxGroup *g, const char *indent);

static void item_rows(GenOut *out, const GxGroup *g, const char *indent)
{
    for (unsigned i = 0; i < g->items->len; i++) {
        const GxItem *it = &g_array_index(g->items, GxItem, i);

        if (it->field) {
            field_row(out, it->field, 0, indent);
        } else {
            group_rows(out, it->group, indent);
        }
    }
}

static void group_rows(GenOut *out, const GxGroup *g, const char *indent)
{
    g_autofree char *deeper = g_strconcat(indent, "&emsp;", NULL);

    if (g->flows) {
        fprintf(out->f, "| next | %s*", indent);
    } else {
        fprintf(out->f, "| from %u | %s*", g->start, indent);
    }
    if (g->count_from) {
        fprintf(out->f, "%s times", gx_expr_text(g->count_from));
    } else if (g->count == 0) {
        fputs("to the end", out->f);
    } else if (g->count > 1) {
        fprintf(out->f, "%u times", g->count);
    } else {
        fputs("then", out->f);
    }
    if (g->present_if) {
        fputs(", if ", out->f);
        cell(out, gx_expr_text(g->present_if));
    }
    fputs("* | | |\n", out->f);
    item_rows(out, g, deeper);
}

static void packet_section(GenOut *out, const GxContainer *c)
{
    const GxField *op = gx_container_field(c, "IT_OPCODE");

    fprintf(out->f, "## %s\n\n", c->name);
    if (op && op->has_default) {
        fprintf(out->f, "Type 3, opcode 0x%02x. ", (unsigned)op->dflt);
    } else if (c->length) {
        fprintf(out->f, "%u dword%s. ", c->length,
                c->length == 1 ? "" : "s");
    }
    if (c->engine) {
        fprintf(out->f, "Engine %s. ", c->engine);
    }
    fprintf(out->f, "%s%s", c->meta.doc, *c->meta.doc ? " " : "");
    source(out, &c->meta);
    fputs("| bits | field | type | values |\n|---|---|---|---|\n", out->f);
    item_rows(out, c->root, "");
    fputc('\n', out->f);
}

void gen_packet_page(GenOut *out, const GxDoc *doc)
{
    fprintf(out->f, "# %s\n\nMade by the build from its description. Bits "
            "count from the start of the packet, inside a group from the start "
            "of the group.\n\n", doc->name);
    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];

        if (c->kind != GX_REGISTER) {
            packet_section(out, c);
        }
    }
}
