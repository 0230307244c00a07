/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debugger: names. Labels come from the microcode itself (jump table), from a
 * symbol file, or from the source when the words are those of the source; the
 * source of the free image is built in.
 */
#include <string.h>

#include "asm.h"
#include "dbg.h"
#include "free-source.h"
#include "tool.h"

#define FREE_NAME "rv100-free.s"
#define OTHER_IMAGE 8           /* changed words that mean another image */

/* --- source --- */

static void clear_source(DbgSymbols *y)
{
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        g_free(y->source[i].file);
        g_free(y->source[i].text);
        y->source[i] = (DbgSource) { 0 };
        y->used[i] = false;
    }
    g_clear_pointer(&y->side, g_free);
    y->have_source = false;
}

/* Text of each word out of a listing: "aa: hh llllllll  text". */
static void take_listing(DbgSymbols *y, const char *listing)
{
    g_auto(GStrv) lines = g_strsplit(listing, "\n", -1);

    for (char **l = lines; *l; l++) {
        char *end;
        uint64_t addr = g_ascii_strtoull(*l, &end, 16);

        if (end == *l + 2 && *end == ':' && strlen(*l) > 16
            && addr < RV100_ME_WORDS && !y->source[addr].text) {
            y->source[addr].text = g_strstrip(g_strdup(*l + 16));
        }
    }
}

static void take_source(DbgSymbols *y, const AsmResult *r)
{
    clear_source(y);
    y->source_image = r->image;
    y->side = g_strdup(r->symbols->str);
    y->have_source = true;
    take_listing(y, r->listing->str);
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (r->used[i] && r->line[i]) {
            y->used[i] = true;
            y->source[i].line = r->line[i];
            y->source[i].file = g_path_get_basename(r->file[i]);
        }
    }
    y->valid = false;
}

static bool same_word(const Image *m, const Rv100Me *me, unsigned i)
{
    return m->hi[i] == me->hi[i] && m->lo[i] == me->lo[i];
}

/* Most words of code are those of the source: then it is its source. */
static bool looks_like(const AsmResult *r, const Rv100Me *me)
{
    unsigned used = 0, same = 0;

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (r->used[i]) {
            used++;
            same += same_word(&r->image, me, i);
        }
    }
    return used && same >= used - used / 8;
}

/* The free image is recognised by itself. */
static void try_free_image(Rv100Debug *d)
{
    DbgSymbols *y = &d->symbols;
    AsmResult r;

    if (asm_text(FREE_NAME, rv100_free_source, strlen(rv100_free_source), &r)
        && looks_like(&r, d->me)) {
        take_source(y, &r);
        y->title = "the free image";
    }
    asm_result_clear(&r);
}

/* --- symbols --- */

bool rv100_debug_symbols(Rv100Debug *d, const char *path, GString *out)
{
    DbgSymbols *y = &d->symbols;
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    size_t len, before = out->len;
    Labels check = { .name = { NULL } };

    if (dbg_bad_file(d, path)) {
        tool_set_error(&error, "%s: %s", path, dbg_bad_file(d, path));
    } else {
        text = tool_read(path, &len, &error);
    }
    if (text && g_str_has_suffix(path, ".s")) {
        AsmResult r;

        if (!asm_text(path, text, len, &r)) {
            g_string_append_printf(out, "error: %s has errors:\n%s", path,
                                   r.messages->str);
        } else {
            take_source(y, &r);
            if (!looks_like(&r, d->me)) {
                g_string_append_printf(out, "warning: the microcode that is "
                                       "loaded was not made from %s\n", path);
            }
        }
        asm_result_clear(&r);
    } else if (text && labels_parse(&check, path, text, len, &error)) {
        clear_source(y);
        y->side = g_steal_pointer(&text);
    }
    labels_clear(&check);
    if (error) {
        g_string_append_printf(out, "error: %s\n", error->message);
    }
    if (g_str_has_prefix(out->str + before, "error: ")) {
        return false;
    }
    g_free(y->given);
    y->given = g_strdup(path);
    y->title = y->given;
    y->valid = false;
    return true;
}

/* Words that have changed since flow and labels were made. */
static unsigned changed_words(const DbgSymbols *y, const Rv100Me *me)
{
    unsigned n = 0;

    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        n += !same_word(&y->flow.image, me, i);
    }
    return n;
}

void dbg_symbols_update(Rv100Debug *d)
{
    DbgSymbols *y = &d->symbols;
    bool same_chip = y->flow.chip == d->me->chip;
    unsigned changed = y->valid ? changed_words(y, d->me) : RV100_ME_WORDS;
    Image image;

    if (!changed && same_chip) {
        return;
    }
    /* A few words are data that the engine writes, or patches. */
    if (!y->given && changed > OTHER_IMAGE) {
        clear_source(y);
        y->title = NULL;
        try_free_image(d);
    }
    labels_clear(&y->labels);
    memcpy(image.hi, d->me->hi, sizeof(image.hi));
    memcpy(image.lo, d->me->lo, sizeof(image.lo));
    flow_init(&y->flow, &image, d->me->chip);
    labels_init(&y->labels, &y->flow);
    if (y->side) {
        labels_parse(&y->labels, "", y->side, strlen(y->side), NULL);
    }
    y->valid = true;
}

void dbg_symbols_clear(Rv100Debug *d)
{
    labels_clear(&d->symbols.labels);
    clear_source(&d->symbols);
    g_free(d->symbols.given);
}

char *dbg_place_name(Rv100Debug *d, unsigned addr)
{
    dbg_symbols_update(d);
    return labels_place(&d->symbols.labels, addr);
}

int dbg_label_find(Rv100Debug *d, const char *name, size_t len)
{
    const Labels *l = &d->symbols.labels;

    dbg_symbols_update(d);
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (l->name[i] && strlen(l->name[i]) == len
            && !memcmp(l->name[i], name, len)) {
            return (int)i;
        }
    }
    return -1;
}

const DbgSource *dbg_source_of(Rv100Debug *d, unsigned addr)
{
    const DbgSymbols *y = &d->symbols;

    dbg_symbols_update(d);
    return y->have_source && y->used[addr] && y->source[addr].text
        && same_word(&y->source_image, d->me, addr) ? &y->source[addr] : NULL;
}

void dbg_show_symbols(Rv100Debug *d)
{
    unsigned names = 0, lines = 0;

    dbg_symbols_update(d);
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        names += d->symbols.labels.name[i] != NULL;
        lines += dbg_source_of(d, i) != NULL;
    }
    dbg_print(d, "%u names, %u words with a source line: %s\n", names, lines,
              d->symbols.title ? d->symbols.title : "the jump table alone");
}

/* --- registers of the chip, packets --- */

const Rv100RegInfo *dbg_chip_reg(const char *name, size_t len)
{
    for (unsigned i = 0; i < rv100_n_mmio_regs; i++) {
        const Rv100RegInfo *r = &rv100_mmio_regs[i];

        if (strlen(r->name) == len && !g_ascii_strncasecmp(r->name, name, len)) {
            return r;
        }
    }
    return NULL;
}

static const char *value_name(const Rv100FieldInfo *f, uint32_t value)
{
    for (unsigned i = 0; i < f->n_values; i++) {
        if (f->values[i].value == value) {
            return f->values[i].name;
        }
    }
    return NULL;
}

void dbg_fields_print(GString *s, const Rv100RegInfo *r, uint32_t value)
{
    const char *before = " {";

    for (unsigned i = 0; i < r->n_fields; i++) {
        const Rv100FieldInfo *f = &r->fields[i];
        unsigned bits = f->end - f->start + 1u;
        uint32_t v = value >> f->start & (bits < 32 ? (1u << bits) - 1 : ~0u);
        const char *name = value_name(f, v);

        if (!v && !name) {
            continue;
        }
        g_string_append(s, before);
        if (name) {
            g_string_append_printf(s, "%s=%s", f->name, name);
        } else {
            g_string_append_printf(s, v > 9 ? "%s=0x%x" : "%s=%u", f->name, v);
        }
        before = " ";
    }
    g_string_append(s, *before == ' ' && before[1] == '{' ? "" : "}");
}

void dbg_reg_title(GString *s, uint32_t offset)
{
    const Rv100RegInfo *r = rv100_mmio_info(offset);

    g_string_append_printf(s, "%s (0x%04x)", r ? r->name : "unknown register",
                           offset);
}

void dbg_header_print(GString *s, uint32_t header)
{
    unsigned type = header >> 30, n = (header >> 16 & 0x3fff) + 1;
    unsigned op = header >> 8 & 0x7f;
    const char *name = isa_packet_name(op);
    const char *plural = n == 1 ? "" : "s";

    if (type == 2) {
        g_string_append(s, "type 2, filler");
    } else if (type == 3) {
        g_string_append(s, "type 3 ");
        if (name) {
            g_string_append(s, name);
        } else {
            g_string_append_printf(s, "opcode 0x%02x", op);
        }
        g_string_append_printf(s, "%s, %u word%s",
                               header >> 15 & 1 ? " with settings" : "", n, plural);
    } else if (type == 1) {
        g_string_append(s, "type 1, ");
        dbg_reg_title(s, 4 * (header & 0x7ff));
        g_string_append(s, " and ");
        dbg_reg_title(s, 4 * (header >> 11 & 0x7ff));
    } else {
        g_string_append_printf(s, "type 0, %u word%s %s ", n, plural,
                               header >> 15 & 1 ? "all to" : "from");
        dbg_reg_title(s, 4 * (header & 0x1fff));
        g_string_append(s, header >> 15 & 1 || n == 1 ? "" : " on");
    }
}

/* --- for others --- */

void rv100_debug_describe_packet(GString *s, uint32_t header)
{
    dbg_header_print(s, header);
}

void rv100_debug_describe_value(GString *s, uint32_t offset, uint32_t value)
{
    const Rv100RegInfo *r = rv100_mmio_info(offset);

    if (r) {
        dbg_fields_print(s, r, value);
    }
}

void rv100_debug_describe_word(GString *s, const Rv100MeChip *chip, uint8_t hi,
                               uint32_t lo)
{
    static Flow f;              /* large; only word 0 is used */
    static Labels l;

    f.chip = chip;
    isa_decode(chip, hi, lo, &f.word[0]);
    disasm_word(s, &f, &l, 0);
}
