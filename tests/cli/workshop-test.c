/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 asm, disasm, identify, diff, check, cfg and cover as a user runs them. */
#include <string.h>

#include "cli.h"
#include "json.h"
#include "reference.h"

#define assert_contains(text, part)                             \
    do {                                                        \
        if (!strstr((text), (part))) {                          \
            g_error("'%s' is not in: %s", (part), (text));      \
        }                                                       \
    } while (0)

/* A stock image, or NULL and the test is skipped. */
static char *stock(const char *name)
{
    g_autofree char *path = g_strconcat("firmware/", name, NULL);

    return ref_need(ref_image(name), name) ? ref_path(path) : NULL;
}

/* --- asm, disasm --- */

static const char source[] =
    ".chip r100\n"
    "start: latch adv ; write GUI_SCRATCH_REG0, pkt\n"
    "  jmp start\n";

static void test_asm_files(void)
{
    char *dir = cli_dir();
    g_autofree char *in = cli_file(dir, "in.s", source, -1);
    g_autofree char *out = g_build_filename(dir, "out.txt", NULL);
    g_autofree char *list = g_build_filename(dir, "out.lst", NULL);
    g_autofree char *sym = g_build_filename(dir, "out.sym", NULL);
    g_autofree char *dep = g_build_filename(dir, "out.d", NULL);
    g_auto(Cli) c = cli_run(NULL, "asm", in, "-o", out, "-f", "text",
                            "--listing", list, "--symbols", sym, "--depend",
                            dep, NULL);
    g_autofree char *image = NULL, *listing = NULL, *symbols = NULL;
    g_autofree char *rule = NULL;
    g_autofree char *expect = g_strdup_printf("%s: %s\n", out, in);

    cli_assert_out(&c, "");
    g_assert_true(g_file_get_contents(out, &image, NULL, NULL));
    g_assert_true(g_file_get_contents(list, &listing, NULL, NULL));
    g_assert_true(g_file_get_contents(sym, &symbols, NULL, NULL));
    g_assert_true(g_file_get_contents(dep, &rule, NULL, NULL));
    g_assert_true(g_str_has_prefix(image, "00: 02 00007578\n01: 04 00000000\n"
                                   "02: 00 00000000\n"));
    assert_contains(listing, "01: 04 00000000    jmp start\n");
    g_assert_cmpstr(symbols, ==, "00 start\n");
    g_assert_cmpstr(rule, ==, expect);
    cli_dir_remove(dir);
}

static void test_asm_stdin(void)
{
    g_auto(Cli) c = cli_run(source, "asm", "-", "-f", "c", "-n", "cp", NULL);

    g_assert_cmpint(c.status, ==, 0);
    g_assert_true(g_str_has_prefix(c.out, "static const unsigned int cp[256][2]"
                                   " = {\n    { 0x02, 0x00007578 }, /* 00 */"));
}

static void test_asm_errors(void)
{
    char *dir = cli_dir();
    g_autofree char *in = cli_file(dir, "in.s", "  latch\n  jmp nix\n", -1);
    g_autofree char *out = g_build_filename(dir, "out.bin", NULL);
    g_autofree char *message = g_strconcat(in, ":2:7: error: no label, constant "
                                           "or register 'nix'\n  jmp nix\n"
                                           "      ^\n", NULL);
    g_auto(Cli) c = cli_run(NULL, "asm", in, "-o", out, NULL);
    g_auto(Cli) d = cli_run("  shr 1\n", "asm", "-", "-o", out, NULL);
    g_auto(Cli) e = cli_run("  shr 1\n", "asm", "-", "-o", out, "-W", NULL);
    g_auto(Cli) f = cli_run(source, "asm", "-", "-f", "elf", NULL);
    g_auto(Cli) g = cli_run(source, "asm", "-", "-o", "/nonexistent/x", NULL);

    cli_assert_fails(&c, 2, message);
    g_assert_cmpint(d.status, ==, 0);
    assert_contains(d.err, "<stdin>:1:3: warning: what alu 0x1d does on r100");
    cli_assert_fails(&e, 2, "0 errors, 1 warning; nothing written");
    cli_assert_fails(&f, 2, "no format 'elf'");
    cli_assert_fails(&g, 1, "cannot write /nonexistent/x");
    cli_dir_remove(dir);
}

static void test_asm_include(void)
{
    char *dir = cli_dir();
    g_autofree char *part = cli_file(dir, "part.i", "  latch latch\n", -1);
    g_autofree char *self = cli_file(dir, "self.s", ".include \"self.s\"\n", -1);
    g_autofree char *good = cli_file(dir, "good.i", ".equ reg, 0x123\n", -1);
    g_autofree char *in = cli_file(dir, "in.s", ".include \"part.i\"\n", -1);
    g_autofree char *ok = cli_file(dir, "ok.s", ".include \"good.i\" # x\n"
                                   "  write reg\n", -1);
    g_auto(Cli) c = cli_run(NULL, "asm", in, "-f", "text", NULL);
    g_auto(Cli) d = cli_run(NULL, "asm", self, "-f", "text", NULL);
    g_auto(Cli) e = cli_run(NULL, "asm", ok, "-f", "text", NULL);

    cli_assert_fails(&c, 2, "part.i:1:9: error: said twice");
    cli_assert_fails(&d, 2, "too many .include, or one that includes itself");
    g_assert_true(g_str_has_prefix(e.out, "00: 02 00002123\n"));
    cli_dir_remove(dir);
}

static void test_disasm(void)
{
    char *dir = cli_dir();
    g_autofree char *side = cli_file(dir, "x.sym", "00 begin # it all\n", -1);
    g_autofree char *bad = cli_file(dir, "bad.sym", "00 jmp\n", -1);
    g_autofree char *image = cli_file(dir, "x.txt", "00: 02 00007578\n"
                                      "01: 04 00000000\n", -1);
    g_auto(Cli) c = cli_run(NULL, "disasm", "--plain", "-c", "r100", "-s",
                            side, image, NULL);
    g_auto(Cli) d = cli_run(NULL, "disasm", "--raw", "--marks", "-c", "r100",
                            image, NULL);
    g_auto(Cli) e = cli_run(NULL, "disasm", "-c", "r100", "-s", bad, image,
                            NULL);
    g_auto(Cli) x = cli_run(NULL, "disasm", "-x", "-c", "r100", image, NULL);

    assert_contains(c.out, "    .chip r100\n    # it all\nbegin:\n"
                    "    latch adv ; write GUI_SCRATCH_REG0, pkt\n"
                    "type0_one:\n    jmp begin\n");
    g_assert_cmpstr(c.err, ==, "");
    assert_contains(d.out, "# 01: 04 00000000 seq:H seq 02 cg 0 cond 0");
    cli_assert_fails(&e, 2, "bad.sym:1: a name of letters");
    assert_contains(x.out, "    # from: type0_one\ntype0:\n");
    cli_dir_remove(dir);
}

/* --- identify --- */

static void test_identify(void)
{
    g_auto(Cli) own = cli_run(NULL, "identify", cli_free_image(), NULL);
    static const char *const names[] = {
        "r128_cce.bin", "R100_cp.bin", "R200_cp.bin", "R300_cp.bin",
        "R420_cp.bin", "R520_cp.bin", "RS600_cp.bin", "RS690_cp.bin"
    };

    assert_contains(own.out, "image  not one of linux-firmware\n");
    assert_contains(own.out, "chip   r100 or r200: 12 address bits");
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = stock(names[i]);
        g_auto(Cli) c = { 0 };

        if (!path) {
            return;
        }
        c = cli_run(NULL, "identify", path, NULL);
        assert_contains(c.out, names[i]);
    }
}

/* The form of the file does not matter. */
static void test_identify_text(void)
{
    char *dir = cli_dir();
    g_autofree char *text = g_build_filename(dir, "t.txt", NULL);
    g_autofree char *source_path = g_build_filename(dir, "t.s", NULL);
    g_auto(Cli) a = cli_run(NULL, "disasm", cli_free_image(), "-o",
                            source_path, NULL);
    g_auto(Cli) b = cli_run(NULL, "asm", source_path, "-f", "c", "-o", text,
                            NULL);
    g_auto(Cli) c = cli_run(NULL, "identify", text, NULL);
    g_auto(Cli) d = cli_run(NULL, "identify", cli_free_image(), NULL);

    cli_assert_out(&a, "");
    cli_assert_out(&b, "");
    cli_assert_out(&c, d.out);
    cli_dir_remove(dir);
}

/* --- diff --- */

static unsigned run_length(const char *out, const char *line)
{
    const char *at = strstr(out, line);

    g_assert_nonnull(at);
    return (unsigned)g_ascii_strtoull(at + strlen(line), NULL, 10);
}

/* The free image is no copy: no more than eight words in a row are those of the
 * stock image, outside the entries and the jump table. */
static void test_diff_free_and_stock(void)
{
    g_autofree char *path = stock("R100_cp.bin");
    g_auto(Cli) c = { 0 };

    if (!path) {
        return;
    }
    c = cli_run(NULL, "diff", path, cli_free_image(), NULL);
    g_assert_cmpint(c.status, ==, 1);
    g_assert_cmpuint(run_length(c.out, "longest common run: "), <=, 8);
    g_assert_cmpuint(run_length(c.out, "longest common run, addresses aside: "),
                     <=, 8);
}

/* Moved code is common; a changed word is not. */
static void test_diff(void)
{
    static const char a[] = "00: 04 00000020\n20: 02 00007578\n"
                            "21: 02 000380f0\n22: 04 00000020\nf0: 00 00000007\n";
    static const char b[] = "00: 04 00000030\n30: 02 00007578\n"
                            "31: 02 000380f1\n32: 04 00000030\nf1: 00 00000007\n";
    static const char d[] = "00: 04 00000030\n30: 02 00007579\n"
                            "31: 02 000380f1\n32: 04 00000030\nf1: 00 00000007\n";
    char *dir = cli_dir();
    g_autofree char *fa = cli_file(dir, "a", a, -1);
    g_autofree char *fb = cli_file(dir, "b", b, -1);
    g_autofree char *fd = cli_file(dir, "d", d, -1);
    g_autofree char *sa = cli_file(dir, "sa", "20 body\nf0 seven\n", -1);
    g_autofree char *sb = cli_file(dir, "sb", "30 body\nf1 seven\n", -1);
    g_auto(Cli) same = cli_run(NULL, "diff", "-c", "r100", "-a", sa, "-b", sb,
                               fa, fb, NULL);
    g_auto(Cli) other = cli_run(NULL, "diff", "-c", "r100", "-a", sa, "-b", sb,
                                fa, fd, NULL);

    cli_assert_out(&same, "0 lines differ\n"
                   "longest common run: 1 words, 20 in A, 30 in B\n"
                   "longest common run, addresses aside: 3 words, 20 in A, 30 "
                   "in B\n");
    g_assert_cmpint(other.status, ==, 1);
    assert_contains(other.out, "body:\n- 20  latch adv ; write "
                    "GUI_SCRATCH_REG0, pkt\n+ 30  latch adv ; write "
                    "GUI_SCRATCH_REG1, pkt\n  21  ld seven\n");
    cli_dir_remove(dir);
}

/* --- check --- */

static void test_check(void)
{
    g_auto(Cli) own = cli_run(NULL, "check", cli_free_image(), NULL);
    char *dir = cli_dir();
    g_autofree char *bad = cli_file(dir, "bad.txt", "00: 04 00000000\n"
                                    "02: 04 00000000\n", -1);
    g_autofree char *known = cli_file(dir, "known", "00 endless # meant\n"
                                      "01 entry\n03 entry # x\n", -1);
    g_autofree char *wrong = cli_file(dir, "wrong", "\n00 nonsense\n", -1);
    g_auto(Cli) c = cli_run(NULL, "check", bad, NULL);
    g_auto(Cli) d = cli_run(NULL, "check", bad, "--known", known, NULL);
    g_auto(Cli) e = cli_run(NULL, "check", bad, "--known", wrong, NULL);

    cli_assert_out(&own, "");
    g_assert_cmpint(c.status, ==, 1);
    g_assert_true(g_str_has_prefix(c.out, "00 type0: endless: may repeat "
                                   "itself without taking a word\n01 type0+1: "
                                   "entry: packets of type 0 to one register"));
    cli_assert_out(&d, "");
    cli_assert_fails(&e, 2, "wrong:2: 'ADDRESS KIND # REASON' expected");
    cli_dir_remove(dir);
}

/* Nothing in the stock image beyond what is listed with reasons. */
static void test_check_stock(void)
{
    g_autofree char *path = stock("R100_cp.bin");
    g_auto(Cli) c = { 0 }, d = { 0 };

    if (!path) {
        return;
    }
    c = cli_run(NULL, "check", path, "-k", g_getenv("RV100_STOCK_KNOWN"), NULL);
    cli_assert_out(&c, "");
    d = cli_run(NULL, "check", path, NULL);
    g_assert_cmpint(d.status, ==, 1);
}

/* --- cfg, cover --- */

static void test_cfg(void)
{
    char *dir = cli_dir();
    g_autofree char *image = cli_file(dir, "x", "00: 18 00000020\n"
                                      "01: 04 00000001\n20: 06 00004000\n"
                                      "40: 02 00001000\n", -1);
    g_auto(Cli) c = cli_run(NULL, "cfg", "-c", "r100", image, NULL);

    g_assert_true(g_str_has_prefix(c.out, "digraph microcode {\n"));
    assert_contains(c.out, "dispatch -> w00 [color=red, label=\"type 0\"];\n");
    assert_contains(c.out, "w00 [label=\"type0:\\l00  call L_20\\l\"];\n");
    assert_contains(c.out, "w00 -> w20 [style=bold, color=blue];\n");
    assert_contains(c.out, "w00 -> w01 [style=dashed];\n");
    assert_contains(c.out, "w01 -> w01;\n");
    assert_contains(c.out, "w40 [label=\"not reached\\l40  latch\\l\", style="
                    "filled");
    g_assert_true(g_str_has_suffix(c.out, "}\n"));
    cli_dir_remove(dir);
}

static void test_cover(void)
{
    g_auto(Cli) c = cli_run("c0011100 000a0014 006e00dc", "cover", "-f",
                            cli_free_image(), "-p", "-", "--listing", NULL);
    g_auto(Cli) d = cli_run("c0011100 x", "cover", "-f", cli_free_image(),
                            "-p", "-", NULL);

    assert_contains(c.out, " 7 of   9 words          7 steps  p_paint\n");
    assert_contains(c.out, " 0 of   1 words          0 steps  type0\n");
    assert_contains(c.out, "         1  4a  latch adv ; write DST_Y_X, pkt ; "
                    "ld_pkt\n");
    assert_contains(c.out, "state idle after 9 steps\n");
    cli_assert_fails(&d, 2, "standard input:1: word 2 'x'");
}

/* All the documented packets together reach every word of our image that a
 * packet can reach, but for the ends of blocks that never come. */
static void test_cover_packets(void)
{
    const GPtrArray *packets = ref_packets();
    g_autoptr(GString) all = g_string_new(NULL);
    g_auto(Cli) c = { 0 };
    const char *at;

    if (!ref_need(packets, "packets.json")) {
        return;
    }
    for (guint i = 0; i < packets->len; i++) {
        const RefPacket *p = g_ptr_array_index(packets, i);

        if (p->n_patch && p->patch[0].addr == 0xe5) {
            g_string_append_printf(all, "c0022400 e5 0 %x\n", p->patch[0].lo);
        }
        for (guint w = 0; w < p->words.n; w++) {
            g_string_append_printf(all, "%x\n", p->words.words[w]);
        }
        g_string_append(all, "c0022400 e5 0 0\n");
    }
    c = cli_run(all->str, "cover", "-f", cli_free_image(), "-p", "-", NULL);
    g_assert_cmpint(c.status, ==, 0);
    at = strstr(c.out, "reachable words (");
    g_assert_nonnull(at);
    g_test_message("%s", c.out);
    g_assert_cmpuint(g_ascii_strtoull(at + strlen("reachable words ("), NULL,
                                      10), >=, 98);
}

/* --- isa --- */

static void test_isa(void)
{
    g_auto(Cli) all = cli_run(NULL, "isa", NULL);
    g_auto(Cli) r100 = cli_run(NULL, "isa", "--chip", "r100", NULL);
    g_auto(Cli) json = cli_run(NULL, "isa", "--json", NULL);
    g_auto(Cli) vim = cli_run(NULL, "isa", "--vim", NULL);
    g_auto(Cli) bad = cli_run(NULL, "isa", "-c", "x", NULL);
    g_auto(GStrv) lines = g_strsplit(json.out, "\n", -1);

    assert_contains(all.out, "alu  1d  shr              number    X  A >>= addr");
    assert_contains(r100.out, "seq  02  jmp              code      H  jump\n");
    g_assert_null(strstr(r100.out, " shr "));
    assert_contains(json.out, "{\"unit\": \"op\", \"code\": 15, \"name\": "
                    "\"idx_addr\", \"operand\": \"register\", "
                    "\"confidence\": \"S\", \"text\": \"idx = addr\", "
                    "\"chips\": [\"r128\", \"r100\", \"r200\", \"r300\"]}\n");
    for (unsigned i = 0; lines[i] && *lines[i]; i++) {
        Json *j = json_parse(lines[i], strlen(lines[i]), NULL);

        g_assert_nonnull(j);
        g_assert_nonnull(json_get(j, "name"));
        json_free(j);
    }
    assert_contains(vim.out, "syn keyword cpucode_seq rpt nxt jmp ret jf ");
    assert_contains(vim.out, "syn keyword cpucode_src pkt a ta ");
    cli_assert_fails(&bad, 2, "no chip 'x'");
}

/* Every command refuses what is no image, with the name of the file. */
static void test_bad_image(void)
{
    static const char *const commands[] = {
        "disasm", "identify", "check", "cfg"
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_auto(Cli) c = cli_run(NULL, commands[i], "/dev/null", NULL);
        g_auto(Cli) d = cli_run(NULL, commands[i], NULL);

        cli_assert_fails(&c, 2, "/dev/null: empty, no microcode image");
        cli_assert_fails(&d, 2, "too few arguments");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/asm/files", test_asm_files);
    g_test_add_func("/cli/asm/stdin", test_asm_stdin);
    g_test_add_func("/cli/asm/errors", test_asm_errors);
    g_test_add_func("/cli/asm/include", test_asm_include);
    g_test_add_func("/cli/disasm", test_disasm);
    g_test_add_func("/cli/identify", test_identify);
    g_test_add_func("/cli/identify/text", test_identify_text);
    g_test_add_func("/cli/diff", test_diff);
    g_test_add_func("/cli/diff/free-and-stock", test_diff_free_and_stock);
    g_test_add_func("/cli/check", test_check);
    g_test_add_func("/cli/check/stock", test_check_stock);
    g_test_add_func("/cli/cfg", test_cfg);
    g_test_add_func("/cli/cover", test_cover);
    g_test_add_func("/cli/cover/packets", test_cover_packets);
    g_test_add_func("/cli/isa", test_isa);
    g_test_add_func("/cli/bad-image", test_bad_image);
    return g_test_run();
}
