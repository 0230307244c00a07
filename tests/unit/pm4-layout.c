/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layouts of the type-3 packets. */
#include <string.h>

#include "gx.h"
#include "reference.h"
#include "rv100-pm4.h"

static GxDoc *doc;

static const GxContainer *packet_of(uint32_t header)
{
    uint32_t op = (header & PM4_TYPE3_IT_OPCODE_MASK) >>
                  PM4_TYPE3_IT_OPCODE_SHIFT;

    for (unsigned i = 0; i < doc->containers->len; i++) {
        const GxContainer *c = doc->containers->pdata[i];

        if (c->kind == GX_INSTRUCTION &&
            gx_container_field(c, "IT_OPCODE")->dflt == op) {
            return c;
        }
    }
    return NULL;
}

/* "name=value" of each field behind the header. */
static void note(void *opaque, const GxVisit *v, uint64_t raw)
{
    if (v->bit >= 32) {
        g_string_append_printf(opaque, "%s=%" G_GINT64_MODIFIER "x ",
                               v->field->name, raw);
    }
}

static void ignore(void *opaque, const GxVisit *v, uint64_t raw)
{
}

static void check(const uint32_t *words, size_t n, const char *name,
                  const char *want)
{
    static const GxWalkOps ops = { note, NULL, NULL };
    const GxContainer *c = packet_of(words[0]);
    GString *s = g_string_new(NULL);
    GxWalkResult r;

    g_assert_nonnull(c);
    g_assert_cmpstr(c->name, ==, name);
    r = gx_walk(c, words, n, &ops, s);
    g_assert_cmpstr(s->str, ==, want);
    g_assert_cmpuint(r.dwords, ==, n);
    g_assert_false(r.truncated);
    g_string_free(s, true);
}

#define CHECK(name, want, ...) do { \
        static const uint32_t words_[] = { __VA_ARGS__ }; \
        check(words_, G_N_ELEMENTS(words_), name, want); \
    } while (0)

static void test_paint(void)
{
    CHECK("PAINT", "LEFT=14 TOP=a RIGHT=dc BOTTOM=6e ",
          0xc0011100, 0x000a0014, 0x006e00dc);
    CHECK("PAINT_MULTI", "Y=2 X=1 H=4 W=3 Y=6 X=5 H=8 W=7 ",
          0xc0031a00, 0x00010002, 0x00030004, 0x00050006, 0x00070008);
}

static void test_text(void)
{
    CHECK("SMALLTEXT", "FRGD_COLOR=1 BAS_X=32 BAS_Y=64 "
          "DX=14 DY=0 W=0 H=0 DX=fd DY=ff W=6 H=1 RASTER=55 "
          "DX=1 DY=2 W=20 H=3 RASTER=1 RASTER=2 RASTER=3 ",
          0xc0081300, 1, 0x00640032, 0x00000014, 0x0106fffd, 0x55, 0x03200201,
          1, 2, 3);
    CHECK("HOSTDATA_BLT", "FRGD_COLOR=1 BKGD_COLOR=2 "
          "X=4 Y=3 W=6 H=5 NUMBER=1 RASTER=a X=8 Y=7 W=0 H=0 NUMBER=0 "
          "X=9 Y=9 W=2 H=2 NUMBER=2 RASTER=d RASTER=e ",
          0xc00d1400, 1, 2, 0x00030004, 0x00050006, 1, 0xa, 0x00070008, 0, 0,
          0x00090009, 0x00020002, 2, 0xd, 0xe);
}

static void test_spans(void)
{
    CHECK("POLYSCANLINES", "SCAN_COUNT=2 NUM_LINE=1 TOP=a HEIGHT=2 START=5 "
          "END=14 NUM_LINE=0 TOP=c HEIGHT=1 ",
          0xc0051800, 2, 1, 0x0002000a, 0x00140005, 0, 0x0001000c);
}

static void test_mpeg(void)
{
    CHECK("MPEG_IDCT_MACROBLOCK", "MODE=20 CODE=3 REST=0 START=aa CODE=1 REST=0 "
          "IDCT_RUNS=ff IDCT_LEVELS_0=10 IDCT_LEVELS_1=20 CODE=0 REST=0 "
          "CODE=7 REST=0 DST=5 START=6 ",
          0xc0093000, 0x20, 3, 0xaa, 1, 0xff, 0x10, 0x20, 0, 7, 5, 6);
}

static void test_arrays(void)
{
    static const uint32_t words[] = { 0xc0052f00, 3, 0x08080404, 0x1000,
                                      0x2000, 0x0303, 0x3000 };
    static const GxWalkOps ops = { ignore, NULL, NULL };
    GxWalkResult r = gx_walk(packet_of(words[0]), words, G_N_ELEMENTS(words),
                             &ops, NULL);

    g_assert_cmpuint(r.dwords, ==, G_N_ELEMENTS(words));
    g_assert_false(r.truncated);
}

/* Number of payload words that a settings block takes. */
static uint64_t settings(uint32_t gui_control)
{
    static const GxWalkOps ops = { ignore, NULL, NULL };
    g_autofree uint32_t *words = g_new0(uint32_t, 200);

    words[0] = gui_control;
    return gx_walk(gx_doc_struct(doc, "SETTINGS_BLOCK"), words, 200, &ops,
                   NULL).dwords;
}

static void test_settings(void)
{
    static const struct {
        unsigned type, dst;     /* brush, destination */
        unsigned words;
    } brushes[] = {             /* cp-isa.md section 8 */
        { 0, 6, 4 }, { 1, 6, 3 }, { 2, 6, 3 }, { 3, 6, 2 }, { 4, 6, 3 },
        { 5, 6, 2 }, { 6, 6, 3 }, { 7, 6, 2 }, { 8, 6, 34 }, { 9, 6, 33 },
        { 10, 2, 16 }, { 10, 3, 32 }, { 10, 4, 32 }, { 10, 5, 64 },
        { 10, 6, 64 }, { 10, 14, 64 }, { 10, 15, 32 }, { 10, 9, 16 },
        { 11, 2, 2 }, { 12, 4, 4 }, { 12, 6, 8 }, { 13, 6, 1 }, { 14, 6, 1 },
        { 15, 6, 0 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(brushes); i++) {
        g_test_message("brush %u, destination %u", brushes[i].type,
                       brushes[i].dst);
        g_assert_cmpuint(settings(brushes[i].type << 4 | brushes[i].dst << 8),
                         ==, 1 + brushes[i].words);
    }
    g_assert_cmpuint(settings(0x6f1), ==, 2);
    g_assert_cmpuint(settings(0x6f2), ==, 2);
    g_assert_cmpuint(settings(0x6f4), ==, 2);
    g_assert_cmpuint(settings(0x6f8), ==, 3);
    g_assert_cmpuint(settings(0x800006df), ==, 8);
    CHECK("PAINT_MULTI", "GMC_SRC_PITCH_OFFSET_CNTL=0 "
          "GMC_DST_PITCH_OFFSET_CNTL=1 GMC_SRC_CLIPPING=0 GMC_DST_CLIPPING=0 "
          "GMC_BRUSH_DATATYPE=d GMC_DST_DATATYPE=6 GMC_SRC_DATATYPE=3 "
          "GMC_BYTE_PIX_ORDER=0 GMC_DEFAULT_SEL=0 GMC_CONVERSION_TEMP=0 "
          "GMC_ROP3=f0 DP_SRC_SOURCE=0 GMC_SRC_DATATYPE2=0 GMC_3D_FCN_EN=0 "
          "GMC_CLR_CMP_CNTL_DIS=1 GMC_AUX_CLIP_DIS=0 GMC_WR_MSK_DIS=1 "
          "GMC_LD_BRUSH_Y_X=0 OFFSET=800 PITCH=1 TILE=0 "
          "BRUSH_FRGD_CLR=ff8040 Y=10 X=8 H=1e0 W=280 ",
          0xc0049a00, 0x50f036d2, 0x00400800, 0x00ff8040, 0x00080010,
          0x028001e0);
}

/* Every documented packet is covered to its last word by its layout. */
static void check_examples(const RefPacket *p, unsigned *n)
{
    static const GxWalkOps ops = { ignore, NULL, NULL };

    for (guint i = 0; i < p->words.n;) {
        uint32_t h = p->words.words[i];
        unsigned type = h >> PM4_TYPE3_TYPE_SHIFT;
        guint left = p->words.n - i;
        guint len = type == 2 ? 1 : type == 1 ? 3 :
                    ((h & PM4_TYPE3_COUNT_MASK) >> PM4_TYPE3_COUNT_SHIFT) + 2;
        const GxContainer *c = type == 3 ? packet_of(h) : NULL;

        if (len > left) {       /* an unfinished packet */
            return;
        }
        if (c) {
            GxWalkResult r = gx_walk(c, p->words.words + i, len, &ops, NULL);
            g_test_message("%s: %s", p->name, c->name);
            g_assert_cmpuint(r.dwords, ==, len);
            g_assert_false(r.truncated);
            ++*n;
        } else if (type == 3) {
            g_assert_true((h >> 8 & 0x7f) == 0x2b);
        }
        i += len;
    }
}

static void test_examples(void)
{
    const GPtrArray *packets = ref_packets();
    unsigned n = 0;

    if (!ref_need(packets, "packets.json")) {
        return;
    }
    for (guint i = 0; i < packets->len; i++) {
        const RefPacket *p = packets->pdata[i];

        if (!strstr(p->name, "setup only") && !strstr(p->name, "code 8")) {
            check_examples(p, &n);
        }
    }
    g_test_message("%u packets", n);
    g_assert_cmpuint(n, >, 60);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    doc = gx_doc_new(GX_STRICT);
    gx_doc_load_file(doc, XML_DIR "/rv100-pm4.xml");
    if (!gx_doc_finish(doc)) {
        g_printerr("the descriptions are broken: see the test descriptions\n");
        return 1;
    }
    g_test_add_func("/pm4-layout/paint", test_paint);
    g_test_add_func("/pm4-layout/text", test_text);
    g_test_add_func("/pm4-layout/spans", test_spans);
    g_test_add_func("/pm4-layout/mpeg", test_mpeg);
    g_test_add_func("/pm4-layout/arrays", test_arrays);
    g_test_add_func("/pm4-layout/settings", test_settings);
    g_test_add_func("/pm4-layout/examples", test_examples);
    status = g_test_run();
    gx_doc_free(doc);
    return status;
}
