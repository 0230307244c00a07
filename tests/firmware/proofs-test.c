/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of the instruction-set page: each does what it says, and those
 * marked as seen on hardware are those of the evidence, bit for bit.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "proofs.h"
#include "reference.h"

static GPtrArray *proofs;

static void test_holds(gconstpointer opaque)
{
    const Proof *p = opaque;

    for (guint i = 0; i < p->values->len; i++) {
        const ProofValue *v = &g_array_index(p->values, ProofValue, i);

        g_test_message("%s: expected %x, is %x", v->text, v->expected,
                       v->actual);
        g_assert_cmphex(v->actual, ==, v->expected);
    }
    g_assert_cmpint(p->actual, ==, p->expected);
    g_assert_true(proof_holds(p));
}

static const Proof *find(const char *name)
{
    for (guint i = 0; i < proofs->len; i++) {
        const Proof *p = g_ptr_array_index(proofs, i);

        if (!strcmp(p->name, name)) {
            return p;
        }
    }
    g_error("no program %s", name);
}

static void check_values(const Proof *p, const RefProgram *r)
{
    g_assert_cmpuint(p->values->len, ==, r->n_expect);
    for (guint i = 0; i < r->n_expect; i++) {
        const ProofValue *v = &g_array_index(p->values, ProofValue, i);

        g_assert_cmphex(v->at, ==, r->expect[i].at);
        g_assert_cmphex(v->expected, ==, r->expect[i].value);
        g_assert_true(v->me_high == r->expect[i].me_high);
    }
    g_assert_cmpint(p->expected, ==, r->wedged ? RUN_WEDGED : RUN_IDLE);
}

static void check_packets(const Proof *p, const RefProgram *r)
{
    g_assert_cmpuint(p->packets->len, ==, r->n_submits);
    for (guint i = 0; i < r->n_submits; i++) {
        const GArray *words = g_ptr_array_index(p->packets, i);

        g_assert_cmpmem(words->data, words->len * sizeof(uint32_t),
                        r->submits[i].words,
                        r->submits[i].n * sizeof(uint32_t));
    }
}

static void test_hardware(void)
{
    const GPtrArray *programs = ref_programs();
    guint hardware = 0;

    if (!ref_need(programs, "evidence.json")) {
        return;
    }
    for (guint i = 0; i < programs->len; i++) {
        const RefProgram *r = g_ptr_array_index(programs, i);
        const Proof *p = find(r->name);

        g_test_message("%s", r->name);
        g_assert_true(p->hardware);
        g_assert_cmpmem(p->image.hi, sizeof(p->image.hi), r->image.hi,
                        sizeof(r->image.hi));
        g_assert_cmpmem(p->image.lo, sizeof(p->image.lo), r->image.lo,
                        sizeof(r->image.lo));
        check_packets(p, r);
        check_values(p, r);
    }
    for (guint i = 0; i < proofs->len; i++) {
        hardware += ((const Proof *)g_ptr_array_index(proofs, i))->hardware;
    }
    g_assert_cmpuint(hardware, ==, programs->len);
}

/* A program that does something else is noticed, a file that is none refused. */
static void test_bad_files(void)
{
    static const char head[] = "== x\nshows: seq.nxt\ntext: t\n"
                               "packets: 00000000 1\n";
    static const struct {
        const char *rest, *message;
    } cases[] = {
        { "expect: GUI_SCRATCH_REG0=2\nprogram:\n", ":5: idle, waiting" },
        { "expect: NOTHING=2 idle\nprogram:\n", ":5: a register" },
        { "expect: GUI_SCRATCH_REG0=z idle\nprogram:\n", ":5: a hexadecimal" },
        { "program:\n rpt\n", "is missing above" },
        { "expect: writes=1 idle\n", ":6: shows, text" },
        { "expect: writes=1 idle\nprogram:\n nonsense\n", "no instruction item" },
    };
    g_autofree char *dir = g_dir_make_tmp("rv100-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "proofs", NULL);

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strconcat(head, cases[i].rest, NULL);
        g_autoptr(GError) error = NULL;

        g_assert_true(g_file_set_contents(path, text, -1, NULL));
        g_assert_null(proofs_load(path, &error));
        if (!strstr(error->message, cases[i].message)) {
            g_error("%s", error->message);
        }
    }
    {
        g_autofree char *text = g_strconcat(head, "expect: writes=7 idle\n"
                                            "program:\n latch adv\n", NULL);
        g_autoptr(GPtrArray) all = NULL;

        g_assert_true(g_file_set_contents(path, text, -1, NULL));
        all = proofs_load(path, NULL);
        g_assert_false(proof_holds(g_ptr_array_index(all, 0)));
    }
    g_assert_cmpint(g_remove(path), ==, 0);
    g_assert_cmpint(g_rmdir(dir), ==, 0);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    int status;

    g_test_init(&argc, &argv, NULL);
    proofs = proofs_load(g_getenv("RV100_PROOFS"), &error);
    g_assert_no_error(error);
    for (guint i = 0; i < proofs->len; i++) {
        const Proof *p = g_ptr_array_index(proofs, i);
        g_autofree char *path = g_strconcat("/proofs/", p->name, NULL);

        g_test_add_data_func(path, p, test_holds);
    }
    g_test_add_func("/proofs-hardware", test_hardware);
    g_test_add_func("/proofs-bad-files", test_bad_files);
    status = g_test_run();
    g_ptr_array_unref(proofs);
    return status;
}
