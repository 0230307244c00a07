/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values to dwords. Random values through the encoder and the walk come back
 * as they were; and dwords worked out by hand, so that the two cannot share a
 * mistake.
 */
#include <string.h>

#include "gx.h"

#define MAX_DWORDS 300

typedef struct Item {
    const GxField *field;
    uint64_t bit, raw;
} Item;

static GxDoc *load(const char *file)
{
    g_autofree char *path = g_build_filename(XML_DIR, file, NULL);
    g_autofree char *said = NULL;
    GxDoc *doc = gx_doc_new(GX_STRICT);

    gx_doc_load_file(doc, path);
    gx_doc_finish(doc);
    said = gx_doc_diag_text(doc);
    g_assert_cmpstr(said, ==, "");
    return doc;
}

static GxDoc *media(void)
{
    static GxDoc *doc;

    if (!doc) {
        doc = load("gen75-media.xml");
    }
    return doc;
}

static GxDoc *pm4(void)
{
    static GxDoc *doc;

    if (!doc) {
        doc = load("rv100-pm4.xml");
    }
    return doc;
}

/* --- random values --- */

typedef struct Random {
    GArray *items;              /* Item */
    const GxContainer *c;
    unsigned limit;             /* repetitions of groups to the end */
} Random;

static uint64_t random_bits(unsigned bits)
{
    uint64_t v = (uint64_t)(uint32_t)g_test_rand_int() << 32 |
                 (uint32_t)g_test_rand_int();

    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

/* Values that say how long something is stay small. */
static bool random_value(void *opaque, const GxVisit *v, uint64_t *raw)
{
    Random *r = opaque;
    const GxField *f = v->field;
    Item it = { f, v->bit, 0 };

    if (f->structure || f == r->c->length_field || f->has_default ||
        f->alias_of) {
        return false;
    }
    it.raw = random_bits(gx_field_bits(f));
    if (f->named) {
        it.raw %= MIN(UINT64_C(1) << MIN(gx_field_bits(f), 63), 8);
    }
    if (f->type == GX_MBO || f->type == GX_MBZ) {
        return false;
    }
    *raw = it.raw;
    g_array_append_val(r->items, it);
    return true;
}

static bool random_more(void *opaque, const GxVisit *v)
{
    const Random *r = opaque;

    return v->index < r->limit;
}

/* Compare with what the walk sees, in order. */
typedef struct Compare {
    const Random *r;
    unsigned next;
} Compare;

static void compare_field(void *opaque, const GxVisit *v, uint64_t raw)
{
    Compare *c = opaque;
    const Item *it;

    if (v->field == c->r->c->length_field || v->field->alias_of) {
        return;
    }
    if (v->field->has_default || v->field->type == GX_MBZ) {
        g_assert_cmphex(raw, ==, v->field->dflt);
        return;
    }
    g_assert_cmpuint(c->next, <, c->r->items->len);
    it = &g_array_index(c->r->items, Item, c->next++);
    g_assert_cmpstr(it->field->name, ==, v->field->name);
    g_assert_cmpuint(it->bit, ==, v->bit);
    g_assert_cmphex(it->raw, ==, raw);
}

/* No index: a packet, which has at least one word. */
static void random_round(const GxContainer *c, const GxIndex *index)
{
    static const GxEncodeOps ops = { .value = random_value,
                                     .more = random_more };
    static const GxWalkOps walk = { .field = compare_field };
    g_autoptr(GArray) out = g_array_new(false, true, sizeof(uint32_t));
    Random r = { g_array_new(false, false, sizeof(Item)), c,
                 g_test_rand_int_range(index ? 0 : 1, 5) };
    Compare cmp = { &r, 0 };
    const uint32_t *words;
    GxWalkResult res = gx_encode(c, &ops, &r, 4096, out);

    words = (const uint32_t *)out->data;
    g_assert_false(res.truncated);
    g_assert_cmpuint(res.dwords, ==, out->len);
    if (index) {
        g_assert_true(gx_index_find(index, words[0]) == c);
    }
    g_assert_cmpuint(gx_instruction_dwords(c, words[0]), ==, out->len);
    if (c->length) {
        g_assert_cmpuint(out->len, ==, c->length);
        g_assert_cmpuint(gx_get_bits(words, 1, 0, 12), ==,
                         c->length_field->dflt);
    }
    res = gx_walk(c, words, out->len, &walk, &cmp);
    g_assert_false(res.truncated);
    g_assert_cmpuint(cmp.next, ==, r.items->len);
    g_array_unref(r.items);
}

static void test_random_media(gconstpointer name)
{
    g_autoptr(GxIndex) index = gx_index_new(media(), NULL);
    const GxContainer *c = gx_doc_instruction(media(), name);

    g_assert_nonnull(c);
    g_assert_cmpuint(c->bias, ==, 2);
    for (unsigned i = 0; i < 100; i++) {
        random_round(c, index);
    }
}

static void test_random_pm4(void)
{
    for (unsigned i = 0; i < pm4()->containers->len; i++) {
        const GxContainer *c = pm4()->containers->pdata[i];

        if (c->kind == GX_INSTRUCTION) {
            for (unsigned n = 0; n < 100; n++) {
                random_round(c, NULL);
            }
        }
    }
}

/* The listed lengths, biases and engines: name, length (0: variable), DWord
 * Length, engine. */
static const struct {
    const char *name;
    unsigned length, dword_length;
    const char *engine;
} listed[] = {
    { "MEDIA_CURBE_LOAD", 4, 2, "render" },
    { "MEDIA_INTERFACE_DESCRIPTOR_LOAD", 4, 2, "render" },
    { "MEDIA_OBJECT", 0, 4, "render" },
    { "MEDIA_OBJECT_PRT", 16, 14, "render" },
    { "MEDIA_OBJECT_WALKER", 0, 15, "render" },
    { "MEDIA_STATE_FLUSH", 2, 0, "render" },
    { "MEDIA_VFE_STATE", 8, 6, "render" },
    { "MFC_AVC_PAK_OBJECT", 11, 9, "video" },
    { "MFC_AVC_PAK_OBJECT_VDENC", 23, 21, "video" },
    { "MFC_MPEG2_PAK_OBJECT", 9, 7, "video" },
    { "MFC_MPEG2_SLICEGROUP_STATE", 8, 6, "video" },
    { "MFD_AVC_BSD_OBJECT", 6, 4, "video" },
    { "MFD_AVC_DPB_STATE", 11, 9, "video" },
    { "MFD_AVC_SLICEADDR", 3, 1, "video" },
    { "MFD_IT_OBJECT", 0, 6, "video" },
    { "MFD_JPEG_BSD_OBJECT", 6, 4, "video" },
    { "MFD_MPEG2_BSD_OBJECT", 5, 3, "video" },
    { "MFD_VC1_BSD_OBJECT", 5, 3, "video" },
    { "MFD_VC1_LONG_PIC_STATE", 6, 4, "video" },
    { "MFD_VC1_SHORT_PIC_STATE", 5, 3, "video" },
    { "MFX_AVC_DIRECTMODE_STATE", 69, 67, "video" },
    { "MFX_AVC_IMG_STATE", 14, 12, "video" },
};

static void test_listed(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(listed); i++) {
        const GxContainer *c = gx_doc_instruction(media(), listed[i].name);

        g_assert_nonnull(c);
        g_assert_cmpuint(c->length, ==, listed[i].length);
        g_assert_cmpuint(c->bias, ==, 2);
        g_assert_cmpuint(c->length_field->dflt, ==, listed[i].dword_length);
        g_assert_cmpstr(c->engine, ==, listed[i].engine);
    }
    for (unsigned i = 0; i < media()->containers->len; i++) {
        const GxContainer *c = media()->containers->pdata[i];

        n += c->kind == GX_INSTRUCTION;
    }
    g_assert_cmpuint(n, ==, G_N_ELEMENTS(listed));
}

/* --- dwords worked out by hand --- */

#define MAX_LITERAL 16          /* of them */

/* "NAME=VALUE; NAME=VALUE": in the order of the walk; the next name decides
 * whether a group goes on. */
typedef struct Script {
    char **items;
    unsigned next;
} Script;

static bool next_is(const Script *s, const char *name)
{
    const char *item = s->items[s->next];
    size_t len = strlen(name);

    return item && !strncmp(item, name, len) && item[len] == '=';
}

static bool script_value(void *opaque, const GxVisit *v, uint64_t *raw)
{
    Script *s = opaque;
    const char *why;

    if (!next_is(s, v->field->name)) {
        return false;
    }
    if (!gx_value_parse(v->field, strchr(s->items[s->next], '=') + 1, raw,
                        &why)) {
        g_error("%s: %s", s->items[s->next], why);
    }
    s->next++;
    return true;
}

static bool script_more(void *opaque, const GxVisit *v)
{
    Script *s = opaque;
    g_autofree char *name = NULL;

    if (!s->items[s->next]) {
        return false;
    }
    name = g_strndup(s->items[s->next], strcspn(s->items[s->next], "="));
    return gx_group_field(v->group, name);
}

/* The other way: the walk sees the values of the script, in order. */
static void read_field(void *opaque, const GxVisit *v, uint64_t raw)
{
    Script *s = opaque;
    uint64_t given;

    if (!v->field->structure && script_value(s, v, &given)) {
        g_assert_cmphex(raw, ==, given);
    }
}

/* A register is given as a whole. */
static void read_open(void *opaque, const GxVisit *v)
{
    Script *s = opaque;

    if (v->field && next_is(s, v->field->name)) {
        s->next++;
    }
}

static void check_read(const GxContainer *c, char **items, const char *dwords)
{
    static const GxWalkOps ops = { .field = read_field, .open = read_open };
    g_auto(GStrv) texts = g_strsplit(dwords, " ", -1);
    uint32_t words[MAX_LITERAL];
    Script s = { items, 0 };
    size_t n = 0;

    for (; texts[n]; n++) {
        g_assert_cmpuint(n, <, MAX_LITERAL);
        words[n] = (uint32_t)g_ascii_strtoull(texts[n], NULL, 16);
    }
    gx_walk(c, words, n, &ops, &s);
    g_assert_null(s.items[s.next]);
}

static void check_dwords(const GxContainer *c, const char *script,
                         const char *want)
{
    static const GxEncodeOps ops = { .value = script_value,
                                     .more = script_more };
    g_autoptr(GArray) out = g_array_new(false, true, sizeof(uint32_t));
    g_autoptr(GString) got = g_string_new(NULL);
    Script s = { g_strsplit(script, "; ", -1), 0 };

    g_assert_nonnull(c);
    gx_encode(c, &ops, &s, MAX_DWORDS, out);
    for (unsigned i = 0; i < out->len; i++) {
        g_string_append_printf(got, "%s%08x", i ? " " : "",
                               g_array_index(out, uint32_t, i));
    }
    g_assert_cmpstr(got->str, ==, want);
    g_assert_null(s.items[s.next]);
    check_read(c, s.items, want);
    g_strfreev(s.items);
}

#define MEDIA(name, script, want) \
    check_dwords(gx_doc_instruction(media(), name), script, want)
#define PM4(name, script, want) \
    check_dwords(gx_doc_instruction(pm4(), name), script, want)

static void test_golden_media(void)
{
    /* Header of every media command: type 3 in 31:29 and pipeline 2 in 28:27
     * are 0x70000000; opcode in 26:24. Render commands: sub-opcode in 23:16,
     * video commands: sub-opcode A in 23:21, B in 20:16. */

    /* sub-opcode 1, 4 - 2 = 2 dwords; bits 64.. are dword 2, 96.. dword 3 */
    MEDIA("MEDIA_CURBE_LOAD",
          "CURBE Total Data Length=0x200; CURBE Data Start Address=0x1000",
          "70010002 00000000 00000200 00001000");
    /* sub-opcode 4; 5 in bits 5:0, bit 38 is bit 6 of dword 1: 0x40 */
    MEDIA("MEDIA_STATE_FLUSH",
          "Interface Descriptor Offset=5; Watermark Required=1",
          "70040000 00000045");
    /* opcode 1: 0x01000000, A 1: 0x00200000, B 7: 0x00070000, length 1 */
    MEDIA("MFD_AVC_SLICEADDR",
          "Indirect BSD Data Length=0x12345; "
          "Indirect BSD Data Start Address=0x1fffffff",
          "71270001 00012345 1fffffff");
    /* opcode 7: 0x07000000, A 1, B 8: 0x00280000. Dword 3: 3, and 5 from bit
     * 16 (112 - 96). Dword 4: 0x64, components 7 from bit 27 (155 - 128):
     * 0x38000000, interleaved bit 30: 0x40000000 */
    MEDIA("MFD_JPEG_BSD_OBJECT",
          "Indirect Data Length=0x400; Indirect Data Start Address=0x800; "
          "Scan Vertical Position=3; Scan Horizontal Position=5; "
          "MCU Count=100; Scan Components=7; Interleaved=true; "
          "Restart Interval=16",
          "77280004 00000400 00000800 00050003 78000064 00000010");
    /* Dword 1: 3 in 3:0, the address keeps its place in 31:10. Dword 2 (from
     * bit 64): GPGPU bit 2: 4; access 2 from bit 3: 0x10; bits 6 and 7: 0xc0;
     * 0x20 from bit 8: 0x2000; 0x7f from bit 16. Dword 4: 0x10, and 2 from bit
     * 16. Dword 5: mask, bits 30 and 31. Dword 6: nibbles -1 = f, 0, -2 = e,
     * -8 = 8 from the right */
    MEDIA("MEDIA_VFE_STATE",
          "Per Thread Scratch Space=3; Scratch Space Base Pointer=0x12345400; "
          "GPGPU Mode=1; Gateway MMIO Access Control=MMIO read/write to any "
          "address; Bypass Gateway Control=1; Reset Gateway Timer=1; "
          "Number of URB Entries=32; Maximum Number of Threads=127; "
          "CURBE Allocation Size=16; URB Entry Allocation Size=2; "
          "Scoreboard Mask=255; Scoreboard Type=Non-Stalling Scoreboard; "
          "Scoreboard Enable=Scoreboard enabled; Scoreboard 0 Delta X=-1; "
          "Scoreboard 0 Delta Y=0; Scoreboard 1 Delta X=-2; "
          "Scoreboard 1 Delta Y=-8",
          "70000006 12345403 007f20d4 00000000 00020010 c00000ff 00008e0f "
          "00000000");
    /* opcode 1, sub-opcode 0; 6 dwords and two of inline data: length 6.
     * Dword 2: 0x20, half-slice 2 from bit 17: 0x40000, children bit 31.
     * Dword 4: 1, and 2 from bit 16; dword 5: mask 3, colour 4 from bit 16 */
    MEDIA("MEDIA_OBJECT",
          "Interface Descriptor Offset=1; Indirect Data Length=32; "
          "Half-Slice Destination Select=Half-Slice 1; Children Present=true; "
          "Indirect Data Start Address=0xabc0; Scoreboard X=1; "
          "Scoredboard Y=2; Scoreboard Mask=3; Scoreboard Color=4; "
          "Inline Data=0x11111111; Inline Data=0x22222222",
          "71000006 00000001 80040020 0000abc0 00020001 00040003 11111111 "
          "22222222");
}

static void test_golden_pm4(void)
{
    /* Header: 0xc0000000, words - 1 from bit 16, opcode from bit 8, settings
     * block 0x8000. 20 = 0x14, 10 = 0xa, 220 = 0xdc, 110 = 0x6e */
    PM4("PAINT", "LEFT=20; TOP=10; RIGHT=220; BOTTOM=110",
        "c0011100 000a0014 006e00dc");
    /* x in the high half: 100 = 0x64, 200 = 0xc8, 50 = 0x32, 60 = 0x3c */
    PM4("BITBLT", "SRC_Y=200; SRC_X=100; DST_Y=60; DST_X=50; H=40; W=30",
        "c0021200 006400c8 0032003c 001e0028");
    /* 0xd2: bit 1 = destination pitch, brush type 13 = solid: one colour */
    PM4("PAINT", "SETTINGS=true; GUI_CONTROL=0x73cc06d2; "
        "DST_PITCH_OFFSET=0x00401000; BRUSH_FRGD_CLR=0x00ff00ff; "
        "LEFT=2; TOP=1; RIGHT=6; BOTTOM=3",
        "c0049100 73cc06d2 00401000 00ff00ff 00010002 00030006");
    /* a space of 20 (W * H = 0: no raster), then 6 x 1 at -3, -1 */
    PM4("SMALLTEXT", "FRGD_COLOR=1; BAS_X=50; BAS_Y=100; "
        "DX=20; DY=0; W=0; H=0; DX=-3; DY=-1; W=6; H=1; RASTER=0x55",
        "c0041300 00000001 00640032 00000014 0106fffd 00000055");
    PM4("HOSTDATA_BLT", "FRGD_COLOR=1; BKGD_COLOR=2; X=4; Y=3; W=6; H=5; "
        "NUMBER=2; RASTER=10; RASTER=11",
        "c0061400 00000001 00000002 00030004 00050006 00000002 0000000a "
        "0000000b");
    PM4("POLYLINE", "X=2; Y=1; X=4; Y=3", "c0011500 00010002 00030004");
    PM4("POLYSCANLINES", "SCAN_COUNT=1; NUM_LINE=1; TOP=10; HEIGHT=1; "
        "START=5; END=20", "c0031800 00000001 00000001 0001000a 00140005");
    /* three arrays: a pair (attributes, two addresses) and a single one */
    PM4("3D_LOAD_VBPNTR", "NUM_ARRAYS=3; ATTR=1; ADDR_0=2; ADDR_1=3; ATTR=4; "
        "ADDR_0=5", "c0052f00 00000003 00000001 00000002 00000003 00000004 "
        "00000005");
    PM4("LOAD_MICROCODE", "START=0xf0; HIGH=2; LOW=0x7578",
        "c0022400 000000f0 00000002 00007578");
    PM4("3D_CLEAR_ZMASK", "FIRST_TILE=0x80; NUM_TILES=4; "
        "CLEAR_MASK=0xffffffff", "c0023200 00000080 00000004 ffffffff");
    PM4("MPEG_IDCT_MACROBLOCK", "MODE=0x20; CODE=3; START=0xaa; CODE=1; "
        "IDCT_RUNS=0xff; IDCT_LEVELS_0=0x10; IDCT_LEVELS_1=0x20; CODE=0",
        "c0073000 00000020 00000003 000000aa 00000001 000000ff 00000010 "
        "00000020 00000000");
    /* Type 0: register 0x578, 3 words - 1 from bit 16; type 1: 0x57a << 11 =
     * 0x2bd000, and bit 30 */
    check_dwords(gx_doc_struct(pm4(), "TYPE0"), "BASE_INDEX=0x578; COUNT=2",
                 "00020578");
    check_dwords(gx_doc_struct(pm4(), "TYPE1"),
                 "REG_INDEX1=0x578; REG_INDEX2=0x57a", "402bd578");
}

/* --- constructs --- */

static GxDoc *parse(const char *text)
{
    GxDoc *doc = gx_doc_new(GX_STRICT);
    g_autofree char *said = NULL;

    gx_doc_load_memory(doc, "t.xml", text, strlen(text));
    gx_doc_finish(doc);
    said = gx_doc_diag_text(doc);
    g_assert_cmpstr(said, ==, "");
    return doc;
}

static void test_constructs(void)
{
    g_autoptr(GxDoc) doc = parse(
        "<genxml name='T' gen='1'>"
        "<enum name='E' ref='x'><value name='A' value='1'/></enum>"
        "<struct name='IN' length='1' ref='x'>"
        "<field name='X' start='0' end='7' type='int'/></struct>"
        "<struct name='S' length='6' ref='x'>"
        "<field name='one' start='0' end='3' type='mbo'/>"
        "<field name='d' start='4' end='7' type='uint' default='9'/>"
        "<field name='e' start='8' end='9' type='E'/>"
        "<field name='u' start='16' end='27' type='u4.8'/>"
        "<field name='wide' start='40' end='103' type='uint'/>"
        "<field name='in' start='128' end='159' type='IN'/>"
        "<field name='f' start='160' end='191' type='float'/>"
        "</struct>"
        "<struct name='ROW' length='4' ref='x'>"
        "<field name='r' start='32' end='127' type='uint'/></struct>"
        "</genxml>");

    /* 0xf | 9 << 4 | 1 << 8 | 2.5 * 256 = 0x280 << 16; the wide field from bit
     * 8 of dword 1 to bit 7 of dword 3; -2 in 8 bits; 1.5f = 0x3fc00000 */
    check_dwords(gx_doc_struct(doc, "S"),
                 "e=A; u=2.5; wide=0x1122334455667788; X=-2; f=1.5",
                 "0280019f 66778800 22334455 00000011 000000fe 3fc00000");
    check_dwords(gx_doc_struct(doc, "S"), "in=0x7f",
                 "0000009f 00000000 00000000 00000000 0000007f 00000000");
    check_dwords(gx_doc_struct(doc, "ROW"), "",
                 "00000000 00000000 00000000 00000000");
}

static void fill_row(void *opaque, const GxVisit *v, uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        words[i] = (uint32_t)(i + 1);
    }
}

static bool no_value(void *opaque, const GxVisit *v, uint64_t *raw)
{
    return false;
}

static bool always(void *opaque, const GxVisit *v)
{
    return true;
}

static void test_row_and_limit(void)
{
    static const GxEncodeOps ops = { .value = no_value, .row = fill_row,
                                     .more = always };
    g_autoptr(GArray) out = g_array_new(false, true, sizeof(uint32_t));
    g_autoptr(GxDoc) doc = parse(
        "<genxml name='T' gen='1'><struct name='ROW' length='4' ref='x'>"
        "<field name='r' start='32' end='127' type='uint'/></struct>"
        "<struct name='END' ref='x'><group count='0' start='0' size='32'>"
        "<field name='d' start='0' end='31' type='uint'/></group></struct>"
        "</genxml>");
    GxWalkResult r = gx_encode(gx_doc_struct(doc, "ROW"), &ops, NULL, 10, out);

    g_assert_cmpuint(r.dwords, ==, 4);
    g_assert_cmpuint(g_array_index(out, uint32_t, 1), ==, 1);
    g_assert_cmpuint(g_array_index(out, uint32_t, 3), ==, 3);
    r = gx_encode(gx_doc_struct(doc, "END"), &ops, NULL, 10, out);
    g_assert_cmpuint(r.dwords, ==, 10);
}

/* --- values as text --- */

static void check_text(const GxDoc *doc, const char *name, uint64_t raw,
                       const char *want)
{
    const GxField *f = gx_container_field(gx_doc_struct(doc, "V"), name);
    g_autoptr(GString) s = g_string_new(NULL);
    const char *why;
    uint64_t back;

    g_assert_nonnull(f);
    gx_value_text(s, f, raw);
    g_assert_cmpstr(s->str, ==, want);
    g_assert_true(gx_value_parse(f, s->str, &back, &why));
    g_assert_cmphex(back, ==, raw);
}

static const char values_xml[] =
    "<genxml name='T' gen='1'>"
    "<struct name='V' length='16' ref='x'>"
    "<field name='u8' start='0' end='7' type='uint'/>"
    "<field name='u24' start='8' end='31' type='uint'/>"
    "<field name='i8' start='32' end='39' type='int'/>"
    "<field name='i64' start='64' end='127' type='int'/>"
    "<field name='b' start='128' end='128' type='bool'/>"
    "<field name='e' start='129' end='132' type='uint'>"
    "<value name='TWO (2)' value='2'/></field>"
    "<field name='h' start='144' end='159' type='float'/>"
    "<field name='f' start='160' end='191' type='float'/>"
    "<field name='d' start='192' end='255' type='float'/>"
    "<field name='s' start='256' end='264' type='s4.4'/>"
    "<field name='a' start='300' end='319' type='address'/>"
    "<field name='a48' start='326' end='367' type='address'/>"
    "<field name='z' start='368' end='370' type='mbz'/>"
    "</struct></genxml>";

static void test_values(void)
{
    g_autoptr(GxDoc) doc = parse(values_xml);
    static const struct {
        const char *name;
        uint64_t raw;
        const char *text;
    } v[] = {
        { "u8", 200, "200" }, { "u24", 0xabc, "0x000abc" },
        { "i8", 0xff, "-1" }, { "i8", 0x80, "-128" }, { "i8", 127, "127" },
        { "i64", UINT64_C(1) << 63, "-9223372036854775808" },
        { "b", 1, "true" }, { "b", 0, "false" },
        { "e", 2, "2 (TWO (2))" }, { "e", 3, "3" },
        { "h", 0x3c00, "1" }, { "h", 0xc000, "-2" },
        { "h", 1, "5.9604644775390625e-08" },
        { "h", 0x7c00, "raw:0x7c00" }, { "h", 0x8000, "-0" },
        { "f", 0x3dcccccd, "0.1" }, { "f", 0x7fc00001, "raw:0x7fc00001" },
        { "f", 0x00000001, "1.4013e-45" },
        { "d", 0x3fb999999999999a, "0.1" },
        { "s", 0x1f8, "-0.5" }, { "s", 0x100, "-16" }, { "s", 24, "1.5" },
        { "a", 0x12345, "0x12345000" }, { "a48", 1, "0x000000000040" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(v); i++) {
        check_text(doc, v[i].name, v[i].raw, v[i].text);
    }
}

static void test_bad_values(void)
{
    g_autoptr(GxDoc) doc = parse(values_xml);
    static const struct {
        const char *name, *text, *why;
    } v[] = {
        { "u8", "256", "no value" }, { "u8", "", "no value" },
        { "u8", "-1", "no value" }, { "u8", "1x", "no value" },
        { "u8", "1 (ONE)", "no value" }, { "u8", "raw:256", "no value" },
        { "i8", "-129", "no value" }, { "b", "2", "no value" },
        { "e", "2 (ONE)", "differ" }, { "e", "3 (TWO (2))", "differ" },
        { "e", "99 (X)", "differ" }, { "a", "0x12345678", "low bits" },
        { "a", "0x112345000", "too large" }, { "a", "pear", "no address" },
        { "s", "16", "no value" }, { "f", "pear", "no value" },
        { "h", "0.1", "no value" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(v); i++) {
        const GxField *f = gx_container_field(gx_doc_struct(doc, "V"),
                                              v[i].name);
        const char *why;
        uint64_t raw;

        if (gx_value_parse(f, v[i].text, &raw, &why)) {
            g_error("%s = %s is read", v[i].name, v[i].text);
        }
        g_assert_nonnull(strstr(why, v[i].why));
    }
}

/* --- recognising --- */

static void test_index(void)
{
    g_autoptr(GxDoc) doc = parse(
        "<genxml name='T' gen='1'>"
        "<instruction name='A' bias='2' length='3' engine='render|blitter'"
        " ref='x'><field name='DWord Length' start='0' end='7' type='uint'"
        " default='1'/><field name='op' start='24' end='31' type='uint'"
        " default='0x70'/></instruction>"
        "<instruction name='B' bias='2' length='3' engine='video' ref='x'>"
        "<field name='DWord Length' start='0' end='7' type='uint'"
        " default='1'/><field name='op' start='24' end='31' type='uint'"
        " default='0x70'/></instruction>"
        "<instruction name='SUB' bias='2' length='3' ref='x'>"
        "<field name='DWord Length' start='0' end='7' type='uint'"
        " default='1'/><field name='sub' start='16' end='23' type='uint'"
        " default='5'/><field name='op' start='24' end='31' type='uint'"
        " default='0x70'/></instruction>"
        "<instruction name='ONE' length='1' ref='x'>"
        "<field name='flag' start='8' end='8' type='uint' default='1'/>"
        "<field name='op' start='24' end='31' type='uint' default='0x05'/>"
        "</instruction></genxml>");
    g_autoptr(GxIndex) render = gx_index_new(doc, "render");
    g_autoptr(GxIndex) video = gx_index_new(doc, "video");

    g_assert_cmpstr(gx_index_find(render, 0x70000001)->name, ==, "A");
    g_assert_cmpstr(gx_index_find(video, 0x70000001)->name, ==, "B");
    g_assert_cmpstr(gx_index_find(video, 0x70050001)->name, ==, "SUB");
    /* a lower default is only a hint */
    g_assert_cmpstr(gx_index_find(video, 0x05000000)->name, ==, "ONE");
    g_assert_null(gx_index_find(video, 0x06000000));
    g_assert_cmpuint(gx_instruction_dwords(gx_doc_instruction(doc, "ONE"), 0),
                     ==, 1);
    g_assert_cmpuint(gx_instruction_dwords(gx_doc_instruction(doc, "A"), 9),
                     ==, 11);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(listed); i++) {
        g_autofree char *path = g_strdup_printf("/encode/random/%s",
                                                listed[i].name);

        g_test_add_data_func(path, listed[i].name, test_random_media);
    }
    g_test_add_func("/encode/random/packets", test_random_pm4);
    g_test_add_func("/encode/listed", test_listed);
    g_test_add_func("/encode/golden/media", test_golden_media);
    g_test_add_func("/encode/golden/packets", test_golden_pm4);
    g_test_add_func("/encode/constructs", test_constructs);
    g_test_add_func("/encode/row-and-limit", test_row_and_limit);
    g_test_add_func("/encode/values", test_values);
    g_test_add_func("/encode/bad-values", test_bad_values);
    g_test_add_func("/encode/index", test_index);
    return g_test_run();
}
