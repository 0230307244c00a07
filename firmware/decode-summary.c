/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of packets and registers. */
#include "decode-private.h"

#include <string.h>

#include "rv100-pm4.h"

static void count_line(Decoder *d, const char *name, const DecodeCount *c)
{
    if (c->packets) {
        g_string_append_printf(d->out, "%-32s %12" G_GUINT64_FORMAT " %12"
                               G_GUINT64_FORMAT "\n", name, c->packets,
                               c->words);
    }
}

static int by_name(gconstpointer a, gconstpointer b)
{
    const GxContainer *const *ca = a, *const *cb = b;

    return strcmp((*ca)->name, (*cb)->name);
}

static void other_counts(Decoder *d)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    GHashTableIter it;
    gpointer c;

    g_hash_table_iter_init(&it, d->other);
    while (g_hash_table_iter_next(&it, &c, NULL)) {
        g_ptr_array_add(list, c);
    }
    g_ptr_array_sort(list, by_name);
    for (unsigned i = 0; i < list->len; i++) {
        const GxContainer *k = list->pdata[i];

        count_line(d, k->name, g_hash_table_lookup(d->other, k));
    }
}

void decoder_summary(Decoder *d)
{
    static const char *const types[] = { "TYPE0", "TYPE1", "TYPE2" };
    bool written = false;

    g_string_append_printf(d->out, "%-32s %12s %12s\n", "packet", "number",
                           "words");
    for (unsigned t = 0; t < G_N_ELEMENTS(types); t++) {
        count_line(d, types[t], &d->types[t]);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(d->ops); i++) {
        uint32_t header = i << PM4_TYPE3_IT_OPCODE_SHIFT;
        DecodePacket p = { .words = &header, .n = 1, .pm4 = true,
                           .c = d->set->op[i % DECODE_OPS] };

        g_string_truncate(d->name, 0);
        decode_packet_name(d->name, &p);
        count_line(d, d->name->str, &d->ops[i]);
    }
    other_counts(d);
    count_line(d, "(unknown dwords)", &d->unknown);
    if (d->cut.packets) {
        g_string_append_printf(d->out, "%-32s %12" G_GUINT64_FORMAT "\n",
                               "(cut off)", d->cut.packets);
    }
    for (uint32_t r = 0; r < DECODE_REGS; r++) {
        if (!d->writes[r]) {
            continue;
        }
        if (!written) {
            g_string_append_printf(d->out, "\n%-32s %12s %12s  last value\n",
                                   "register", "writes", "changes");
            written = true;
        }
        g_string_truncate(d->name, 0);
        decode_reg_name(d->set, d->name, r);
        g_string_append_printf(d->out, "%-32s %12" G_GUINT64_FORMAT " %12"
                               G_GUINT64_FORMAT "  0x%08x\n", d->name->str,
                               d->writes[r], d->changes[r], d->last[r]);
    }
}
