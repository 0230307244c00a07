/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rv100 check: small images with one defect each, and images without.
 */
#include <string.h>

#include "asm.h"
#include "check.h"
#include "image.h"
#include "reference.h"

/* The beginning of a small image without defects: entries 0 to 3 and a table
 * with one handler. `handler` follows at 0x20. */
#define GOOD_ENTRIES \
    "    latch adv ; write idx, pkt ; idx_inc ; rpt\n" \
    "    latch adv ; write idx, pkt ; rpt\n" \
    "    jmp type1\n" \
    "    jmp settings\n" \
    "    .dispatch 0x10..0x13, handler\n" \
    "    .org 0x14\n" \
    "type1:\n" \
    "    latch adv ; rpt\n" \
    "settings:\n" \
    "    latch adv ; write DP_GUI_MASTER_CNTL, pkt ; ret\n" \
    "    .org 0x20\n"
#define GOOD_HANDLER "handler:\n    latch adv ; rpt\n"

static const struct {
    const char *name, *source;
    CheckKind kind;
    uint8_t addr;
} bad[] = {
    { "repeats without taking a word",
      GOOD_ENTRIES "handler: latch ; rpt\n", CHECK_ENDLESS, 0x20 },
    { "two words that jump to each other",
      GOOD_ENTRIES "handler: latch\n write GUI_SCRATCH_REG0, pkt\n jmp handler\n",
      CHECK_ENDLESS, 0x20 },
    { "a loop that does not count",
      GOOD_ENTRIES "handler: latch adv ; cnt_pkt\n"
      " write GUI_SCRATCH_REG0, pkt ; loop\n latch adv ; rpt\n",
      CHECK_ENDLESS, 0x21 },
    { "a loop that takes words only while a flag is set",
      GOOD_ENTRIES "handler: if_flag latch adv\n jmp handler\n",
      CHECK_ENDLESS, 0x20 },
    { "a loop around a call that may take nothing",
      GOOD_ENTRIES "handler: latch ; call sub\n jmp handler\n"
      "sub: jcz out\n adv ; ret\nout: ret\n",
      CHECK_ENDLESS, 0x20 },
    { "runs on into an empty word",
      GOOD_ENTRIES "handler: latch adv\n", CHECK_EMPTY, 0x21 },
    { "runs on into a constant",
      GOOD_ENTRIES "handler: ld three\n latch adv\n"
      "three: .word 2, 0x5000\n latch adv ; rpt\n", CHECK_DATA, 0x22 },
    { "an entry runs on into the jump table",
      " latch adv ; rpt\n latch adv ; rpt\n latch adv ; rpt\n"
      " latch ; write GUI_SCRATCH_REG0, pkt\n"
      " .dispatch 0x10..0x13, handler\n .org 5\n" GOOD_HANDLER,
      CHECK_TABLE, 4 },
    { "three calls deep",
      GOOD_ENTRIES "handler: call one\n latch adv ; rpt\n"
      "one: call two\n ret\ntwo: call three\n ret\nthree: adv ; ret\n",
      CHECK_STACK, 0x24 },
    { "a settings block that calls twice",
      "    latch adv ; rpt\n latch adv ; rpt\n latch adv ; rpt\n call one\n"
      " .dispatch 0x10..0x13, handler\n .org 0x20\n" GOOD_HANDLER
      " .org 0x30\none: call two\n ret\ntwo: ret\n", CHECK_TABLE, 4 },
    { "returns to nowhere",
      GOOD_ENTRIES "handler: latch\n ret\n", CHECK_RETURN, 0x21 },
    { "an operation that nobody knows",
      GOOD_ENTRIES "handler: alu 0x2a\n latch adv ; rpt\n",
      CHECK_UNKNOWN, 0x20 },
    { "bits that no field has",
      GOOD_ENTRIES "handler: latch adv ; rpt ; high 1\n",
      CHECK_UNKNOWN, 0x20 },
    { "an opcode without handler",
      GOOD_ENTRIES " .dispatch 0x14, handler\n" GOOD_HANDLER,
      CHECK_OPCODE, 5 },
    { "no code for type 1",
      " latch adv ; rpt\n latch adv ; rpt\n .org 3\n jmp type3\n"
      " .dispatch 0x10..0x13, handler\n .org 0x20\n" GOOD_HANDLER
      "type3: latch adv ; ret\n", CHECK_ENTRY, 2 },
    { "writes over its own code",
      GOOD_ENTRIES "handler: latch\n write me[handler], pkt\n adv ; rpt\n",
      CHECK_OVERWRITE, 0x21 },
    { "runs over the end",
      GOOD_ENTRIES "handler: jmp last\n .org 0xff\nlast: latch adv\n",
      CHECK_WRAP, 0xff },
};

static GArray *check_source(const char *source)
{
    g_autofree Flow *f = g_new(Flow, 1);
    AsmResult r;

    if (!asm_text("bad.s", source, strlen(source), &r)) {
        g_error("%s", r.messages->str);
    }
    flow_init(f, &r.image, r.chip);
    asm_result_clear(&r);
    return check_image(f);
}

static bool has(const GArray *found, CheckKind kind, unsigned addr)
{
    for (guint i = 0; i < found->len; i++) {
        const CheckFinding *c = &g_array_index(found, CheckFinding, i);

        if (c->kind == kind && c->addr == addr) {
            return true;
        }
    }
    return false;
}

static void print(const GArray *found)
{
    for (guint i = 0; i < found->len; i++) {
        const CheckFinding *c = &g_array_index(found, CheckFinding, i);

        g_test_message("  %02x %s: %s", c->addr, check_kind_name(c->kind),
                       c->text);
    }
}

static void test_bad(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GArray) found = check_source(bad[i].source);

        g_test_message("%s", bad[i].name);
        print(found);
        g_assert_true(has(found, bad[i].kind, bad[i].addr));
    }
}

/* What the small images have in common is no defect. */
static void test_good(void)
{
    static const char *const good[] = {
        GOOD_ENTRIES GOOD_HANDLER,
        /* loops that end: by count, by the jump on the count, by a call that
         * always takes a word */
        GOOD_ENTRIES "handler: latch adv ; cnt_pkt\n"
        " write GUI_SCRATCH_REG0, pkt ; cnt_dec ; loop\n latch adv ; rpt\n",
        GOOD_ENTRIES "handler: latch adv ; cnt_pkt\nnext: jcz out\n"
        " cnt_dec ; jmp next\nout: latch adv ; rpt\n",
        GOOD_ENTRIES "handler: latch ; call sub\n jmp handler\n"
        "sub: jcz out\nout: adv ; ret\n",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(GArray) found = check_source(good[i]);

        print(found);
        g_assert_cmpuint(found->len, ==, 0);
    }
}

static void test_free(void)
{
    g_autofree Flow *f = g_new(Flow, 1);
    g_autoptr(GArray) found = NULL;
    Image image;

    g_assert_true(image_load(&image, g_getenv("RV100_FREE_IMAGE"), NULL));
    flow_init(f, &image, rv100_me_chip("r100"));
    found = check_image(f);
    print(found);
    g_assert_cmpuint(found->len, ==, 0);
}

/* Never a crash, whatever the image; and the reports have an order. */
static void test_random(void)
{
    GRand *r = g_rand_new_with_seed(99);

    for (unsigned n = 0; n < 300; n++) {
        g_autofree Flow *f = g_new(Flow, 1);
        g_autoptr(GArray) found = NULL;
        Image image;

        for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
            image.hi[i] = (uint8_t)g_rand_int(r);
            image.lo[i] = g_rand_int(r);
        }
        flow_init(f, &image, rv100_me_chips()[n % 4]);
        found = check_image(f);
        for (guint i = 1; i < found->len; i++) {
            g_assert_cmpuint(g_array_index(found, CheckFinding, i).addr, >=,
                             g_array_index(found, CheckFinding, i - 1).addr);
        }
    }
    g_rand_free(r);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/check/bad", test_bad);
    g_test_add_func("/check/good", test_good);
    g_test_add_func("/check/free", test_free);
    g_test_add_func("/check/random", test_random);
    return g_test_run();
}
