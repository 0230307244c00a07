/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 run: output, states, and what it says to unusable input. */
#include <string.h>

#include "cli.h"
#include "reference.h"

/* An image of a few words, as address dump: entry 0 (type 0) writes all words
 * to one register and goes on, entry 1 never ends, entry 2 makes it an R100. */
static const char small[] =
    "00: 00 00007578\n"
    "01: 02 00000000\n"
    "02: 04 00000002\n";

static Cli run_small(const char *packets, const char *option,
                     const char *value)
{
    char *dir = cli_dir();
    g_autofree char *image = cli_file(dir, "small.txt", small, -1);
    Cli c = cli_run(packets, "run", "--firmware", image, "--packets", "-",
                    option, value, NULL);

    cli_dir_remove(dir);
    return c;
}

static void test_idle(void)
{
    g_auto(Cli) c = run_small("00010000 0xdeadbeef # comment 77\n1234ABCD",
                              NULL, NULL);

    cli_assert_out(&c, "write 0x0578 0xdeadbeef\nwrite 0x0578 0x1234abcd\n"
                   "state idle pc 0x00 left 0 steps 2\n");
}

static void test_nothing(void)
{
    g_auto(Cli) c = run_small("# no words\n", NULL, NULL);

    cli_assert_out(&c, "state idle pc 0x00 left 0 steps 0\n");
}

static void test_waiting(void)
{
    g_auto(Cli) c = run_small("00030000#x\n1\n", NULL, NULL);

    cli_assert_out(&c, "write 0x0578 0x00000001\n"
                   "state waiting pc 0x00 left 3 steps 1\n");
}

/* Word 1 falls into word 2, which jumps to itself: steps are counted from the
 * word that was taken last. */
static void test_wedged(void)
{
    g_auto(Cli) c = run_small("00000000 5 00008000 7", "--max-steps", "50");
    g_auto(Cli) d = run_small("00000000 5 00008000 7", NULL, NULL);

    cli_assert_out(&c, "write 0x0578 0x00000005\n"
                   "state wedged pc 0x02 left 1 steps 51\n");
    cli_assert_out(&d, "write 0x0578 0x00000005\n"
                   "state wedged pc 0x02 left 1 steps 1000001\n");
}

static void test_json(void)
{
    g_auto(Cli) c = run_small("00010000 deadbeef", "--json", NULL);

    cli_assert_out(&c, "{\"type\": \"write\", \"addr\": 1400, \"value\": "
                   "3735928559}\n{\"state\": \"waiting\", \"pc\": 0, \"left\": "
                   "1, \"steps\": 1}\n");
}

/* LOAD_MICROCODE of the free image writes microcode words. */
static void test_me_words(void)
{
    g_auto(Cli) c = cli_run("c0022400 000000f0 000000ff 00007578", "run", "-f",
                            cli_free_image(), "-p", "-", NULL);
    g_auto(Cli) j = cli_run("c0022400 000000f0 000000ff 00007578", "run", "-j",
                            "-f", cli_free_image(), "-p", "-", NULL);

    g_assert_true(g_str_has_prefix(c.out, "me 0xf0 0x3f 0x00007578\nstate idle "
                                   "pc 0x"));
    g_assert_true(g_str_has_prefix(j.out, "{\"me\": 240, \"hi\": 63, \"lo\": "
                                   "30072}\n{\"state\": \"idle\""));
}

/* --chip: in the words of r300 the fields are one bit higher. */
static void test_chip(void)
{
    static const char r300[] =
        "00: 00 0000f578\n"     /* lat, wr, adv one bit higher; addr 0x1578 */
        "02: 08 00000000\n";
    char *dir = cli_dir();
    g_autofree char *image = cli_file(dir, "r300.txt", r300, -1);
    g_auto(Cli) c = cli_run("00000000 7", "run", "-f", image, "-p", "-", NULL);
    g_auto(Cli) d = cli_run("00000000 7", "run", "-f", image, "-p", "-",
                            "--chip", "r100", NULL);

    cli_assert_out(&c, "write 0x1578 0x00000007\n"
                   "state idle pc 0x00 left 0 steps 1\n");
    cli_assert_out(&d, "write 0x0578 0x00000007\n"
                   "state idle pc 0x00 left 0 steps 1\n");
    cli_dir_remove(dir);
}

static void test_chip_unknown_entry(void)
{
    char *dir = cli_dir();
    g_autofree char *image = cli_file(dir, "x.txt", "00: 00 00007578\n", -1);
    g_auto(Cli) c = cli_run("00000000 7", "run", "-f", image, "-p", "-", NULL);
    g_auto(Cli) d = cli_run("00000000 7", "run", "-f", image, "-p", "-",
                            "--chip=r100", NULL);

    g_assert_cmpint(c.status, ==, 0);
    g_assert_nonnull(strstr(c.err, "names no chip"));
    g_assert_cmpstr(c.out, ==, d.out);
    g_assert_cmpstr(d.err, ==, "");
    cli_dir_remove(dir);
}

/* --- unusable input --- */

static const struct {
    const char *text, *message;
} bad_words[] = {
    { "1 2\n3 xyz 4", ":2: word 2 'xyz' is no hexadecimal" },
    { "0x123456789", ":1: word 1 '0x123456789' is no" },
    { "0x", ":1: word 1 '0x' is no" },
    { "# 1\n\n  -1", ":3: word 1 '-1' is no" },
    { "1 2 3,", ":1: word 3 '3,' is no" },
    { "1\x01", ":1: word 1 '1\\x01' is no" },
};

static void test_bad_words(void)
{
    char *dir = cli_dir();
    g_autofree char *image = cli_file(dir, "small.txt", small, -1);

    for (unsigned i = 0; i < G_N_ELEMENTS(bad_words); i++) {
        g_autofree char *file = cli_file(dir, "bad.txt", bad_words[i].text, -1);
        g_autofree char *message = g_strconcat(file, bad_words[i].message,
                                               NULL);
        g_auto(Cli) c = cli_run(NULL, "run", "-f", image, "-p", file, NULL);

        cli_assert_fails(&c, 2, message);
    }
    cli_dir_remove(dir);
}

static void test_bad_words_stdin(void)
{
    g_auto(Cli) c = run_small("1 g", NULL, NULL);

    cli_assert_fails(&c, 2, "standard input:1: word 2 'g' is no");
}

static void test_nul_in_words(void)
{
    char *dir = cli_dir();
    g_autofree char *image = cli_file(dir, "small.txt", small, -1);
    g_autofree char *file = cli_file(dir, "nul.txt", "1 \0 2", 5);
    g_auto(Cli) c = cli_run(NULL, "run", "-f", image, "-p", file, NULL);

    cli_assert_fails(&c, 2, ":1: word 2 '\\x00' is no");
    cli_dir_remove(dir);
}

static const struct {
    const char *data;
    gssize len;
    const char *message;
} bad_images[] = {
    { "", 0, "empty, no microcode image" },
    { "\0\0\0", 3, "3 bytes; an image is 256 pairs" },
    { "00: 00 zz\n", -1, ":1: a low part of 32 bits expected, not 'zz'" },
    { "00: 00 1\n00: 00 2\n", -1, ":2: address 0x00 a second time" },
    { "100: 00 1\n", -1, ":1: an address of at most 0xff" },
    { "00: 100 1\n", -1, ":1: a high part of at most 0xff" },
    { "00: 00", -1, "(end of file)" },
    { "00 # no more", -1, "(end of file)" },
    { "{ 1, 2, 3 }", -1, "3 numbers in the array" },
    { "{ { 256, 1 }, { 1, 256 } }", -1, "no column of high parts" },
    { "x = { 1, y }", -1, ":1: a number of 32 bits expected, not 'y'" },
};

static void test_bad_images(void)
{
    char *dir = cli_dir();

    for (unsigned i = 0; i < G_N_ELEMENTS(bad_images); i++) {
        g_autofree char *file = cli_file(dir, "image", bad_images[i].data,
                                         bad_images[i].len);
        g_auto(Cli) c = cli_run("1", "run", "-f", file, "-p", "-", NULL);

        cli_assert_fails(&c, 2, bad_images[i].message);
        cli_assert_fails(&c, 2, file);
    }
    cli_dir_remove(dir);
}

static void test_little_endian_image(void)
{
    g_autofree char *data = NULL;
    char *dir = cli_dir();
    g_autofree char *file = NULL;
    gsize len;

    g_assert_true(g_file_get_contents(cli_free_image(), &data, &len, NULL));
    for (gsize i = 0; i < len; i += 4) {
        char a = data[i], b = data[i + 1];

        data[i] = data[i + 3];
        data[i + 1] = data[i + 2];
        data[i + 2] = b;
        data[i + 3] = a;
    }
    file = cli_file(dir, "le.bin", data, (gssize)len);
    {
        g_auto(Cli) c = cli_run("1", "run", "-f", file, "-p", "-", NULL);

        cli_assert_fails(&c, 2, "seems to be little-endian");
    }
    cli_dir_remove(dir);
}

static void test_bad_arguments(void)
{
    static const struct {
        const char *args[6];
        const char *message;
    } cases[] = {
        { { "run" }, "--firmware and --packets are needed" },
        { { "run", "-f" }, "--firmware wants a value" },
        { { "run", "--nonsense" }, "unknown option '--nonsense'" },
        { { "run", "x" }, "too many arguments" },
        { { "run", "--json=1" }, "--json takes no value" },
        { { "run", "--max-steps", "many" }, "--max-steps wants a number" },
        { { "run", "-f", "/nonexistent", "-p", "-" }, "cannot open" },
        { { "run", "-f", "/", "-p", "-" }, "cannot read" },
        { { "fly" }, "no command 'fly'" },
        { { "help", "fly" }, "no command 'fly'" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const *a = cases[i].args;
        g_auto(Cli) c = cli_run(NULL, a[0], a[1], a[2], a[3], a[4], a[5],
                                NULL);

        cli_assert_fails(&c, 2, cases[i].message);
    }
}

static void test_bad_chip(void)
{
    g_auto(Cli) c = run_small("1", "--chip", "r600");

    cli_assert_fails(&c, 2, "no chip 'r600'; there are: r128 r100 r200 r300");
}

/* --- the documented packets --- */

static void test_packets(void)
{
    g_autofree char *path = ref_path("firmware/R100_cp.bin");
    const GPtrArray *packets = ref_packets();

    if (!ref_need(packets, "packets.json") ||
        !ref_need(ref_image("R100_cp.bin"), "R100_cp.bin")) {
        return;
    }
    for (guint i = 0; i < packets->len; i++) {
        const RefPacket *p = g_ptr_array_index(packets, i);
        g_autoptr(GString) words = g_string_new(NULL);
        g_autoptr(GString) expect = g_string_new(NULL);
        g_auto(Cli) c = { 0 };

        if (p->n_patch || p->n_me_writes || p->waiting) {
            continue;
        }
        for (guint w = 0; w < p->words.n; w++) {
            g_string_append_printf(words, "0x%x\n", p->words.words[w]);
        }
        for (guint w = 0; w < p->n_writes; w++) {
            g_string_append_printf(expect, "write 0x%04x 0x%08x\n",
                                   p->writes[w].dword, p->writes[w].value);
        }
        g_string_append(expect, "state idle");
        c = cli_run(words->str, "run", "-f", path, "-p", "-", NULL);
        if (!strstr(c.out, "me 0xe4 ")) {       /* of the blits: not listed */
            g_assert_true(g_str_has_prefix(c.out, expect->str));
        }
        g_assert_cmpint(c.status, ==, 0);
    }
}

/* --- help --- */

static void test_help(void)
{
    g_auto(Cli) c = cli_run(NULL, "help", NULL);
    g_auto(Cli) d = cli_run(NULL, "help", "run", NULL);
    g_auto(Cli) e = cli_run(NULL, "run", "--help", NULL);
    g_auto(Cli) man = cli_run(NULL, "--man", NULL);

    g_assert_nonnull(strstr(c.out, "  run "));
    g_assert_nonnull(strstr(d.out, "--max-steps N"));
    cli_assert_out(&e, d.out);
    g_assert_nonnull(strstr(man.out, ".SS rv100 run"));
    g_assert_nonnull(strstr(man.out, "\\-\\-max\\-steps N"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/run/idle", test_idle);
    g_test_add_func("/cli/run/nothing", test_nothing);
    g_test_add_func("/cli/run/waiting", test_waiting);
    g_test_add_func("/cli/run/wedged", test_wedged);
    g_test_add_func("/cli/run/json", test_json);
    g_test_add_func("/cli/run/me-words", test_me_words);
    g_test_add_func("/cli/run/chip", test_chip);
    g_test_add_func("/cli/run/chip-unknown-entry", test_chip_unknown_entry);
    g_test_add_func("/cli/run/bad-words", test_bad_words);
    g_test_add_func("/cli/run/bad-words-stdin", test_bad_words_stdin);
    g_test_add_func("/cli/run/nul-in-words", test_nul_in_words);
    g_test_add_func("/cli/run/bad-images", test_bad_images);
    g_test_add_func("/cli/run/little-endian", test_little_endian_image);
    g_test_add_func("/cli/run/bad-arguments", test_bad_arguments);
    g_test_add_func("/cli/run/bad-chip", test_bad_chip);
    g_test_add_func("/cli/run/packets", test_packets);
    g_test_add_func("/cli/help", test_help);
    return g_test_run();
}
