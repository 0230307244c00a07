/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assembling a disassembly gives the same bits, whatever the image. */
#include <string.h>

#include "asm.h"
#include "disasm.h"
#include "image.h"
#include "reference.h"

#define RANDOM_IMAGES 10000

static void check(const Image *image, const Rv100MeChip *chip, unsigned style,
                  const char *what)
{
    g_autofree Flow *f = g_new(Flow, 1);
    g_autoptr(GString) s = g_string_new(NULL);
    AsmResult r;
    Labels l;

    flow_init(f, image, chip);
    labels_init(&l, f);
    disasm_image(s, f, &l, what, style);
    if (!asm_text(what, s->str, s->len, &r)) {
        g_error("%s: %s", what, r.messages->str);
    }
    g_assert_true(r.chip == chip);
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        if (r.image.hi[i] != image->hi[i] || r.image.lo[i] != image->lo[i]) {
            g_error("%s: word %02x: %02x %08x becomes %02x %08x\n%s", what, i,
                    image->hi[i], image->lo[i], r.image.hi[i], r.image.lo[i],
                    s->str);
        }
    }
    asm_result_clear(&r);
    labels_clear(&l);
}

static void image_of(const RefImage *ref, Image *image)
{
    memcpy(image->hi, ref->hi, sizeof(image->hi));
    memcpy(image->lo, ref->lo, sizeof(image->lo));
}

static const struct {
    const char *name, *chip;
} images[] = {
    { "r128_cce.bin", "r128" }, { "R100_cp.bin", "r100" },
    { "R200_cp.bin", "r200" }, { "R300_cp.bin", "r300" },
    { "R420_cp.bin", "r300" }, { "R520_cp.bin", "r300" },
    { "RS600_cp.bin", "r300" }, { "RS690_cp.bin", "r300" },
};

static void test_images(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(images); i++) {
        const RefImage *ref = ref_image(images[i].name);
        Image image;

        if (!ref_need(ref, images[i].name)) {
            return;
        }
        image_of(ref, &image);
        for (unsigned style = 0; style < 16; style++) {
            check(&image, rv100_me_chip(images[i].chip), style,
                  images[i].name);
        }
        /* Every image through every other chip's glasses, too. */
        for (unsigned c = 0; rv100_me_chips()[c]; c++) {
            check(&image, rv100_me_chips()[c], 0, images[i].name);
        }
    }
}

static void test_free(void)
{
    Image image;

    g_assert_true(image_load(&image, g_getenv("RV100_FREE_IMAGE"), NULL));
    check(&image, rv100_me_chip("r100"), DISASM_ADDRESS, "free");
}

static void test_evidence(void)
{
    const GPtrArray *programs = ref_programs();

    if (!ref_need(programs, "evidence.json")) {
        return;
    }
    for (guint i = 0; i < programs->len; i++) {
        const RefProgram *p = g_ptr_array_index(programs, i);
        Image image;

        image_of(&p->image, &image);
        check(&image, rv100_me_chip("r100"), 0, p->name);
    }
    g_assert_cmpuint(programs->len, ==, 31);
}

/* Random images of different density: all words, few words, the free image
 * with bits flipped. */
static void random_image(GRand *r, Image *image)
{
    unsigned kind = (unsigned)g_rand_int_range(r, 0, 3);
    unsigned n = (unsigned)g_rand_int_range(r, 1, 40);

    if (kind == 0) {
        image_load(image, g_getenv("RV100_FREE_IMAGE"), NULL);
        while (n--) {
            unsigned at = (unsigned)g_rand_int_range(r, 0, 256);

            image->hi[at] ^= 1u << g_rand_int_range(r, 0, 8) &
                             (g_rand_boolean(r) ? 0xff : 0);
            image->lo[at] ^= 1u << g_rand_int_range(r, 0, 32);
        }
        return;
    }
    memset(image, 0, sizeof(*image));
    n = kind == 1 ? 256 : n;
    for (unsigned i = 0; i < n; i++) {
        unsigned at = kind == 1 ? i : (unsigned)g_rand_int_range(r, 0, 256);

        image->hi[at] = (uint8_t)g_rand_int(r);
        image->lo[at] = g_rand_int(r);
    }
}

static void test_random(void)
{
    GRand *r = g_rand_new_with_seed(1971);

    for (unsigned i = 0; i < RANDOM_IMAGES; i++) {
        g_autofree char *name = g_strdup_printf("random %u", i);
        Image image;

        random_image(r, &image);
        check(&image, rv100_me_chips()[i % 4], i / 4 % 16, name);
    }
    g_rand_free(r);
}

/* --- the other text forms of an image --- */

static void test_formats(void)
{
    GRand *r = g_rand_new_with_seed(7);

    for (unsigned i = 0; i < 300; i++) {
        ImageFormat format = (ImageFormat)(i % 3);
        Image image, again;
        g_autofree char *data = NULL;
        g_autoptr(GError) error = NULL;
        size_t len;

        random_image(r, &image);
        data = image_format_data(&image, format, "x", &len);
        image_parse(&again, "x", data, len, &error);
        g_assert_no_error(error);
        g_assert_cmpmem(image.hi, sizeof(image.hi), again.hi,
                        sizeof(again.hi));
        g_assert_cmpmem(image.lo, sizeof(image.lo), again.lo,
                        sizeof(again.lo));
    }
    g_rand_free(r);
}

/* What kernels have in their sources and print. */
static void test_foreign_texts(void)
{
    static const char *const texts[] = {
        "00 2 3802\n01 1f ffffffff\n",
        "0x00 0x02 0x00003802\n0x01 0x1f 0xFFFFFFFF\n",
        "static u32 cp[][2] = {\n { 0x3802, 0000000002 }, /* 0 */\n"
        " { 0xffffffff, 0x1f },\n};\n",
        "static const u32 x[512] = { 2, 14338, 31, 4294967295, };",
        "// high first\nu32 x[256][2] = {{0x2, 0x3802}, {0x1fu, 0xffffffffUL}};",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        Image image;

        image_parse(&image, "x", texts[i], strlen(texts[i]), &error);
        g_assert_no_error(error);
        g_assert_cmphex(image.hi[0], ==, 2);
        g_assert_cmphex(image.lo[0], ==, 0x3802);
        g_assert_cmphex(image.hi[1], ==, 0x1f);
        g_assert_cmphex(image.lo[1], ==, 0xffffffff);
        g_assert_cmphex(image.lo[2], ==, 0);
    }
}

/* --- the side file --- */

static void test_side_file(void)
{
    static const char text[] = "# names\n20 start # where it begins\n"
                               "21 -  # nothing special\n";
    g_autofree Flow *f = g_new(Flow, 1);
    g_autoptr(GString) s = g_string_new(NULL);
    Image image = { .hi = { [0] = 4, [0x20] = 2, [0x21] = 4 },
                    .lo = { [0] = 0x20, [0x20] = 0x5000, [0x21] = 0x20 } };
    Labels l;

    flow_init(f, &image, rv100_me_chip("r100"));
    labels_init(&l, f);
    g_assert_true(labels_parse(&l, "x", text, strlen(text), NULL));
    disasm_image(s, f, &l, "side", DISASM_SOURCE);
    g_assert_cmpstr(s->str, ==,
                    "# side\n    .chip r100\ntype0:\n    jmp start\n"
                    "\n    .org 0x20\n    # where it begins\nstart:\n"
                    "    latch adv\n    # nothing special\n    jmp start\n");
    labels_clear(&l);
}

static void test_bad_side_files(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "xyz a", "x:1: a hexadecimal address" },
        { "\n100 a", "x:2: a hexadecimal address" },
        { "20", "x:1: a name, or -, expected" },
        { "20 a-b", "x:1: a name of letters" },
        { "20 jmp", "x:1: a name of letters" },
        { "20 GUI_SCRATCH_REG0", "x:1: a name of letters" },
        { "20 a\n21 a", "x:2: the name is used for another" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        Labels l = { 0 };

        g_assert_false(labels_parse(&l, "x", cases[i].text,
                                    strlen(cases[i].text), &error));
        g_assert_true(g_str_has_prefix(error->message, cases[i].message));
        labels_clear(&l);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/roundtrip/images", test_images);
    g_test_add_func("/roundtrip/free", test_free);
    g_test_add_func("/roundtrip/evidence", test_evidence);
    g_test_add_func("/roundtrip/random", test_random);
    g_test_add_func("/roundtrip/formats", test_formats);
    g_test_add_func("/roundtrip/foreign-texts", test_foreign_texts);
    g_test_add_func("/roundtrip/side-file", test_side_file);
    g_test_add_func("/roundtrip/bad-side-files", test_bad_side_files);
    return g_test_run();
}
