/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 decode, encode and replay as a user runs them. */
#include <string.h>

#include "cli.h"

static const char stream[] =
    "00000578 deadbeef   # a comment\n"
    "c0011100 000a0014 006e00dc\n"
    "00000578 deadbeef 00000578 1\n";

static const char text[] =
    "TYPE0 GUI_SCRATCH_REG0                  # 0: 00000578\n"
    "  + GUI_SCRATCH_REG0 = 0xdeadbeef\n"
    "PAINT                                   # 2: c0011100\n"
    "    [0]\n"
    "        LEFT = 20\n"
    "        TOP = 10\n"
    "        RIGHT = 220\n"
    "        BOTTOM = 110\n"
    "TYPE0 GUI_SCRATCH_REG0                  # 5: 00000578\n"
    "    GUI_SCRATCH_REG0 = 0xdeadbeef\n"
    "TYPE0 GUI_SCRATCH_REG0                  # 7: 00000578\n"
    "  + GUI_SCRATCH_REG0 = 0x00000001\n";

static void test_text(void)
{
    g_auto(Cli) c = cli_run(stream, "decode", NULL);
    g_auto(Cli) d = cli_run(stream, "decode", "--no-color", "--no-pager", "-",
                            NULL);

    cli_assert_out(&c, text);
    cli_assert_out(&d, text);
}

static void test_range(void)
{
    g_auto(Cli) c = cli_run(stream, "decode", "-S", "5", "-E", "7", NULL);

    /* what came before is known: no mark */
    cli_assert_out(&c, "TYPE0 GUI_SCRATCH_REG0                  # 5: "
                   "00000578\n    GUI_SCRATCH_REG0 = 0xdeadbeef\n");
}

static void test_query(void)
{
    g_auto(Cli) c = cli_run(stream, "decode", "-q", "GUI_SCRATCH_REG?,0x0150",
                            NULL);
    g_auto(Cli) d = cli_run(stream, "decode", "-q", "DST_Y_X", "-x",
                            cli_free_image(), NULL);

    cli_assert_out(&c, "0: + GUI_SCRATCH_REG0 = 0xdeadbeef\n"
                   "5:   GUI_SCRATCH_REG0 = 0xdeadbeef\n"
                   "7: + GUI_SCRATCH_REG0 = 0x00000001\n");
    g_assert_cmpint(d.status, ==, 0);
}

static void test_once(void)
{
    g_auto(Cli) c = cli_run("00000578 1 00000578 2 00000578 1", "decode",
                            "--once", NULL);

    cli_assert_out(&c,
                   "TYPE0 GUI_SCRATCH_REG0                  # 0: 00000578\n"
                   "  + GUI_SCRATCH_REG0 = 0x00000001\n"
                   "TYPE0 GUI_SCRATCH_REG0                  # 2: 00000578\n"
                   "  + GUI_SCRATCH_REG0 = 0x00000002\n");
}

static void test_summary(void)
{
    g_auto(Cli) c = cli_run(stream, "decode", "-s", NULL);

    cli_assert_out(&c,
        "packet                                 number        words\n"
        "TYPE0                                       3            6\n"
        "PAINT                                       1            3\n\n"
        "register                               writes      changes  last "
        "value\n"
        "GUI_SCRATCH_REG0                            3            2  "
        "0x00000001\n");
}

static void test_all_registers(void)
{
    g_auto(Cli) c = cli_run(stream, "decode", "-a", NULL);

    g_assert_nonnull(strstr(c.out, "# state   GUI_SCRATCH_REG0 = 0xdeadbeef\n"
                            "PAINT "));
    g_assert_true(g_str_has_suffix(c.out, "# state   GUI_SCRATCH_REG0 = "
                                   "0x00000001\n"));
}

static void test_color(void)
{
    g_auto(Cli) c = cli_run(stream, "decode", "--color", NULL);

    g_assert_true(g_str_has_prefix(c.out, "\x1b[1;36mTYPE0"));
    g_assert_nonnull(strstr(c.out, "\x1b[32m+ GUI_SCRATCH_REG0"));
}

static void test_verbose(void)
{
    g_auto(Cli) c = cli_run("00000578 1 00000578 2", "decode", "-v", NULL);
    /* DP_CNTL */
    g_auto(Cli) d = cli_run("000005b0 2", "decode", "-v", NULL);
    g_auto(Cli) e = cli_run("000005b0 2", "decode", NULL);

    g_assert_nonnull(strstr(c.out, "    # 00000578 00000001\n"));
    g_assert_nonnull(strstr(c.out, "= 0x00000002  # was 0x00000001\n"));
    g_assert_null(strstr(e.out, "DST_X_LEFT_TO_RIGHT"));
    g_assert_nonnull(strstr(d.out, "{ DST_X_LEFT_TO_RIGHT = false, "
                            "DST_Y_TOP_TO_BOTTOM = true, "));
}

static void test_json(void)
{
    g_auto(Cli) c = cli_run("00000578 1 c0011500 00010002 00030004", "decode",
                            "-j", NULL);

    cli_assert_out(&c,
        "{\"off\": 0, \"type\": 0, \"name\": \"TYPE0\", \"count\": 2, "
        "\"regs\": [{\"reg\": 1400, \"name\": \"GUI_SCRATCH_REG0\", \"val\": "
        "1, \"changed\": true, \"fields\": {}}], \"writes\": []}\n"
        "{\"off\": 2, \"type\": 3, \"name\": \"POLYLINE\", \"count\": 3, "
        "\"op\": 21, \"fields\": ["
        "{\"name\": \"IT_OPCODE\", \"val\": 21, \"text\": \"21\"}, "
        "{\"name\": \"SETTINGS\", \"val\": 0, \"text\": \"false\"}, "
        "{\"name\": \"COUNT\", \"val\": 1, \"text\": \"1\"}, "
        "{\"name\": \"TYPE\", \"val\": 3, \"text\": \"3\"}, "
        "{\"index\": 0, \"fields\": [{\"name\": \"X\", \"val\": 2, \"text\": "
        "\"2\"}, {\"name\": \"Y\", \"val\": 1, \"text\": \"1\"}]}, "
        "{\"index\": 1, \"fields\": [{\"name\": \"X\", \"val\": 4, \"text\": "
        "\"4\"}, {\"name\": \"Y\", \"val\": 3, \"text\": \"3\"}]}], "
        "\"writes\": []}\n");
}

static void test_binary(void)
{
    static const char le[] = "\x78\x05\0\0\x01\0\0\0";
    static const char be[] = "\0\0\x05\x78\0\0\0\x01";
    char *dir = cli_dir();
    g_autofree char *fle = cli_file(dir, "le", le, 8);
    g_autofree char *fbe = cli_file(dir, "be", be, 8);
    g_auto(Cli) c = cli_run(NULL, "decode", fle, NULL);
    g_auto(Cli) d = cli_run(NULL, "decode", "-f", "be", fbe, NULL);
    /* without control characters, but no text */
    g_autofree char *high = cli_file(dir, "high", "\x90\xa1\xb2\x83", 4);
    g_auto(Cli) e = cli_run(NULL, "decode", high, NULL);

    cli_assert_out(&c, "TYPE0 GUI_SCRATCH_REG0                  # 0: "
                   "00000578\n  + GUI_SCRATCH_REG0 = 0x00000001\n");
    g_assert_cmpstr(c.out, ==, d.out);
    g_assert_true(g_str_has_prefix(e.out, "TYPE2                                  "
                                   " # 0: 83b2a190\n"));
    cli_dir_remove(dir);
}

static void test_nothing(void)
{
    g_auto(Cli) c = cli_run("# no words\n", "decode", NULL);

    cli_assert_out(&c, "");
}

/* --- other descriptions --- */

static void test_media(void)
{
    static const char decoded[] =
        "MEDIA_CURBE_LOAD                        # 0: 70010002\n"
        "    CURBE Total Data Length = 512\n"
        "    CURBE Data Start Address = 0x00001000\n"
        "MEDIA_STATE_FLUSH                       # 4: 70040000\n"
        "    Interface Descriptor Offset = 5\n"
        "    Watermark Required = 1\n"
        "0x12345678                              # 6: 12345678\n";
    g_auto(Cli) c = cli_run("70010002 0 200 1000 70040000 45 12345678",
                            "decode", "--xml", "gen75-media", NULL);
    g_auto(Cli) d = cli_run(decoded, "encode", "--xml", "gen75-media", NULL);
    g_auto(Cli) v = cli_run("70010002 0 200 1000", "decode", "--xml",
                            "gen75-media", "--engine", "video", NULL);

    cli_assert_out(&c, decoded);
    cli_assert_out(&d, "70010002 00000000 00000200 00001000 70040000 00000045 "
                   "12345678\n");
    g_assert_true(g_str_has_prefix(v.out, "0x70010002"));
}

static const char xml[] =
    "<genxml name='T' gen='1'>\n"
    "<instruction name='GO' bias='1'>\n"
    "<field name='DWord Length' start='0' end='7' type='uint'/>\n"
    "<field name='op' start='24' end='31' type='uint' default='0x42'/>\n"
    "<field name='A' start='32' end='47' type='u8.8'/>\n"
    "</instruction>\n</genxml>\n";

static void test_xml_file(void)
{
    char *dir = cli_dir();
    g_autofree char *good = cli_file(dir, "t.xml", xml, -1);
    g_autofree char *bad = cli_file(dir, "bad.xml",
                                    "<genxml name='T' gen='1'>\n<struct/>\n"
                                    "</genxml>", -1);
    g_autofree char *laughs = cli_file(dir, "laughs.xml",
        "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]>\n"
        "<genxml name='&b;' gen='1'/>", -1);
    g_auto(Cli) c = cli_run("42000001 00000180", "decode", "--xml", good,
                            NULL);
    g_auto(Cli) d = cli_run("1", "decode", "--xml", bad, NULL);
    g_auto(Cli) e = cli_run("1", "decode", "--xml", laughs, NULL);
    g_auto(Cli) f = cli_run("1", "decode", "--xml", "/nonexistent.xml", NULL);

    cli_assert_out(&c, "GO                                      # 0: 42000001\n"
                   "    A = 1.5\n");
    cli_assert_fails(&d, 2, "bad.xml:2: <struct> without a name");
    cli_assert_fails(&e, 2, "laughs.xml:1: document type declarations");
    cli_assert_fails(&f, 2, "/nonexistent.xml:1: ");
    cli_dir_remove(dir);
}

/* Imports: at most 32 deep, at most 64 files. */
static void test_many_imports(void)
{
    char *dir = cli_dir();
    g_autoptr(GString) wide = g_string_new("<genxml name='W' gen='1'>\n");
    g_autofree char *first = NULL, *second = NULL;

    for (unsigned i = 0; i < 70; i++) {
        g_autofree char *name = g_strdup_printf("c%u.xml", i);
        g_autofree char *flat = g_strdup_printf("f%u.xml", i);
        g_autofree char *chain = g_strdup_printf("<genxml name='C' gen='1'>\n"
            "<import name='c%u.xml'/></genxml>", i + 1);
        g_autofree char *a = cli_file(dir, name, chain, -1);
        g_autofree char *b = cli_file(dir, flat, "<genxml/>", -1);

        g_string_append_printf(wide, "<import name='f%u.xml'/>\n", i);
        first = first ? first : g_strdup(a);
    }
    g_string_append(wide, "</genxml>");
    second = cli_file(dir, "wide.xml", wide->str, -1);
    {
        g_auto(Cli) c = cli_run("1", "decode", "--xml", first, NULL);
        g_auto(Cli) d = cli_run("1", "decode", "--xml", second, NULL);

        cli_assert_fails(&c, 2, "c32.xml:2: too many imports");
        cli_assert_fails(&d, 2, "wide.xml:65: too many imports");
    }
    cli_dir_remove(dir);
}

/* --- encode --- */

static void test_encode(void)
{
    static const char input[] =
        "# by hand\n"
        "CNTL_PAINT\n"
        "  BRUSH_FRGD_CLR = 0x00ff00ff        # any order inside the block\n"
        "  GUI_CONTROL = { GMC_DST_PITCH_OFFSET_CNTL = true, "
        "GMC_BRUSH_DATATYPE = SOLID_COLOR, GMC_DST_DATATYPE = 32BPP }\n"
        "  DST_PITCH_OFFSET = 0x00401000\n"
        "  [0]\n"
        "    RIGHT = 6\n    BOTTOM = 3\n    TOP = 1\n    LEFT = 2\n"
        "TYPE0\n"
        "  GUI_SCRATCH_REG0 = 5\n"
        "  GUI_SCRATCH_REG1 = 6\n"
        "TYPE0 SRC_CLUT_DATA one-reg\n"
        "  SRC_CLUT_DATA = 1\n"
        "  0x1784 = 2\n"
        "TYPE1\n  GUI_SCRATCH_REG0 = 0xa\n  GUI_SCRATCH_REG2 = 0xb\n"
        "TYPE2\n"
        "OP_2b\n  DATA = 1\n  DATA = 2\n"
        "0xcafe\n";
    g_auto(Cli) c = cli_run(input, "encode", NULL);

    cli_assert_out(&c, "c0049100 000006d2 00401000 00ff00ff 00010002 00030006 "
                   "00010578 00000005\n00000006 000185e1 00000001 00000002 "
                   "402bd578 0000000a 0000000b 80000000\nc0012b00 00000001 "
                   "00000002 0000cafe\n");
}

static void test_encode_files(void)
{
    char *dir = cli_dir();
    g_autofree char *out = g_build_filename(dir, "out", NULL);
    g_autofree char *data = NULL;
    gsize len;
    g_auto(Cli) c = cli_run("TYPE0\n GUI_SCRATCH_REG0 = 0x11223344\n",
                            "encode", "-f", "be", "-o", out, NULL);

    cli_assert_out(&c, "");
    g_assert_true(g_file_get_contents(out, &data, &len, NULL));
    g_assert_cmpmem(data, len, "\0\0\x05\x78\x11\x22\x33\x44", 8);
    cli_dir_remove(dir);
}

static void test_bad_text(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "NOPE\n", ":1: no packet 'NOPE'" },
        { "  LEFT = 1\n", ":1: 'LEFT = 1' before the first packet" },
        { "PAINT\n  MIDDLE = 1\n", ":2: 'MIDDLE = ...' is no field of PAINT" },
        { "PAINT\n [0]\n  LEFT = 99999\n", ":3: '99999' for LEFT: no value" },
        { "PAINT\n [0]\n  LEFT = red\n", ":3: 'red' for LEFT" },
        { "PAINT\n LEFT = 1\n RIGHT = 2\n", ":3: TOP is missing here" },
        { "PAINT\n [1]\n", ":2: '[...]' is no field" },
        { "\n\nTYPE0\n", ":3: TYPE0 without REGISTER = value lines" },
        { "TYPE0 NOREG\n", ":1: no register 'NOREG'" },
        { "TYPE0\n NOREG = 1\n", ":2: no register 'NOREG'" },
        { "TYPE0\n GUI_SCRATCH_REG0 = 0x1ffffffff\n", ":2: '0x1ffffffff' is "
          "no number of 32 bits" },
        { "TYPE0\n GUI_SCRATCH_REG0 = 1\n GUI_SCRATCH_REG2 = 1\n",
          ":3: GUI_SCRATCH_REG2 is not next here, but GUI_SCRATCH_REG1" },
        { "TYPE1\n GUI_SCRATCH_REG0 = 1\n", ":1: TYPE1 needs two" },
        { "TYPE1\n SE_PORT_DATA0 = 1\n SE_PORT_DATA0 = 1\n",
          ":2: SE_PORT_DATA0 is out of reach of TYPE1; use TYPE0" },
        { "TYPE2\n DATA = 1\n", ":2: TYPE2 has no words" },
        { "OP_2b\n", ":1: OP_2b without words" },
        { "OP_99\n DATA = 1\n", ":1: no packet 'OP_99'" },
        { "CNTL_PAINT\n GUI_CONTROL = { GMC_ROP3 = S\n", ":2: '}' is missing" },
        { "CNTL_PAINT\n GUI_CONTROL = { NO = 1 }\n",
          ":2: 'NO = 1' of DP_GUI_MASTER_CNTL: no such field" },
        { "CNTL_PAINT\n GUI_CONTROL = { GMC_ROP3 }\n", "NAME = value expected" },
        { "PAINT\n WORDS = 99999999\n", ":2: '99999999' is no number" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *where = g_strconcat("standard input",
                                             cases[i].message[0] == ':'
                                             ? cases[i].message : "", NULL);
        g_auto(Cli) c = cli_run(cases[i].text, "encode", NULL);

        cli_assert_fails(&c, 2, where);
        cli_assert_fails(&c, 2, cases[i].message);
    }
}

/* --- what is wrong with arguments and files --- */

static void test_bad_arguments(void)
{
    static const struct {
        const char *args[6];
        const char *message;
    } cases[] = {
        { { "decode", "/nonexistent" }, "cannot open /nonexistent" },
        { { "decode", "-f", "pdf" }, "no format 'pdf'; there are: text le" },
        { { "decode", "-s", "-j" }, "--summary has no JSON form" },
        { { "decode", "--color", "--no-color" }, "either --color or" },
        { { "decode", "-S", "5", "-E", "5" }, "--end must be behind --start" },
        { { "decode", "-E", "0" }, "--end must be behind --start" },
        { { "decode", "-s", "-q", "DST_Y_X" }, "--summary counts all" },
        { { "decode", "-s", "--once" }, "--summary counts all" },
        { { "decode", "-s", "-a" }, "--summary counts all" },
        { { "decode", "-s", "-S", "1" }, "--summary counts all" },
        { { "decode", "-s", "-E", "9" }, "--summary counts all" },
        { { "decode", "-q", "" }, "no register ''" },
        { { "decode", "--xml", "/dev/zero" },
          "/dev/zero:1: longer than 16777216 bytes" },
        { { "decode", "--xml", "/" }, "/:1: Is a directory" },
        { { "decode", "/dev/zero" }, "cannot read /dev/zero: larger than" },
        { { "decode", "--chip", "r100" }, "--chip goes with --execute" },
        { { "decode", "--engine", "x" }, "--engine needs --xml" },
        { { "decode", "-x", "/nonexistent" }, "cannot open" },
        { { "decode", "--xml", "gen75-media", "-q", "X" }, "not for --xml" },
        { { "decode", "-q", "DST_Y_X,NO_*" }, "no register 'NO_*'" },
        { { "decode", "-q", "0x1234567" }, "no register '0x1234567'" },
        { { "decode", "--xml", "gen75-media", "--engine", "x" },
          "gen75-media: no instructions of engine x" },
        { { "encode", "-f", "elf" }, "no format 'elf'; there are: text le" },
        { { "encode", "/nonexistent" }, "cannot open" },
        { { "replay" }, "too few arguments" },
        { { "replay", "/nonexistent" }, "cannot open" },
        { { "replay", "/dev/null" }, "no capture of the device" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const *a = cases[i].args;
        g_auto(Cli) c = cli_run("", a[0], a[1], a[2], a[3], a[4], a[5], NULL);

        cli_assert_fails(&c, 2, cases[i].message);
    }
}

static void test_bad_files(void)
{
    char *dir = cli_dir();
    g_autofree char *odd = cli_file(dir, "odd", "\x01\x02\x03\x04\x05", 5);
    g_autofree char *cap = cli_file(dir, "cap", "RV100CAP\x09\0\x20\0", 12);
    g_auto(Cli) c = cli_run(NULL, "decode", odd, NULL);
    g_auto(Cli) d = cli_run("1 2\n3 xyz", "decode", NULL);
    g_auto(Cli) e = cli_run(NULL, "decode", cap, NULL);
    g_auto(Cli) f = cli_run(NULL, "replay", cap, NULL);

    cli_assert_fails(&c, 2, "odd: 5 bytes, which is no whole number of dwords; "
                     "cut off the last 1,");
    cli_assert_fails(&d, 2, "standard input:2: word 2 'xyz' is no");
    cli_assert_fails(&e, 2, "cap: no capture of the device");
    cli_assert_fails(&f, 2, "cap: no capture of the device");
    cli_dir_remove(dir);
}

/* A message is one line of a bounded length and without control characters,
 * and has the place and the reason. */
static void test_long_messages(void)
{
    g_autofree char *many = g_strnfill(1000000, '{');
    g_autofree char *item = g_strconcat("PAINT\n LEFT = ", many, "\n", NULL);
    g_auto(Cli) c = cli_run(many, "encode", NULL);
    g_auto(Cli) d = cli_run(item, "encode", NULL);
    g_auto(Cli) e = cli_run("P\x1b[2J\xff\r\xc2\x9bX\n", "encode", NULL);

    cli_assert_fails(&c, 2, "standard input:1: no packet '{{{");
    g_assert_cmpuint(strlen(c.err), <, 1000);
    cli_assert_fails(&d, 2, "standard input:2: '{{{");
    cli_assert_fails(&d, 2, " ... {{{");
    g_assert_true(g_str_has_suffix(d.err, "no value of this field (int, 16 bits)\n"));
    g_assert_cmpuint(strlen(d.err), <, 1000);
    cli_assert_fails(&e, 2, "no packet 'P [2J");
    for (const char *p = e.err; *p; p++) {
        g_assert_true((unsigned char)*p >= 0x20 || !p[1]);
    }
    g_assert_null(strstr(e.err, "\xc2\x9b"));
}

/* The output does not fit on the disk: one line, exit status 1. */
static void test_disk_full(void)
{
    static const char *const commands[] = {
        "decode", "decode -s", "decode -j", "decode --xml gen75-media",
        "encode", "help", "help decode", "decode --help", "--help", "--man",
        "--version",
    };

    if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        g_test_skip("no /dev/full");
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_autofree char *line = g_strdup_printf(
            "echo 0x80000000 | \"$RV100_TOOL\" %s >/dev/full", commands[i]);
        const char *argv[] = { "/bin/sh", "-c", line, NULL };
        g_autofree char *err = NULL;
        int status;

        g_assert_true(g_spawn_sync(NULL, (char **)argv, NULL, 0, NULL, NULL,
                                   NULL, &err, &status, NULL));
        g_test_message("%s: %s", commands[i], err);
        g_assert_true(g_str_has_suffix(err, ": cannot write standard output: "
                                       "No space left on device\n"));
        g_assert_true(strchr(err, '\n')[1] == 0);
        g_assert_false(g_spawn_check_wait_status(status, NULL));
        g_assert_cmpint(status >> 8, ==, 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/decode/text", test_text);
    g_test_add_func("/decode/range", test_range);
    g_test_add_func("/decode/query", test_query);
    g_test_add_func("/decode/once", test_once);
    g_test_add_func("/decode/summary", test_summary);
    g_test_add_func("/decode/all-registers", test_all_registers);
    g_test_add_func("/decode/color", test_color);
    g_test_add_func("/decode/verbose", test_verbose);
    g_test_add_func("/decode/json", test_json);
    g_test_add_func("/decode/binary", test_binary);
    g_test_add_func("/decode/nothing", test_nothing);
    g_test_add_func("/decode/media", test_media);
    g_test_add_func("/decode/xml-file", test_xml_file);
    g_test_add_func("/decode/many-imports", test_many_imports);
    g_test_add_func("/encode/by-hand", test_encode);
    g_test_add_func("/encode/files", test_encode_files);
    g_test_add_func("/encode/bad-text", test_bad_text);
    g_test_add_func("/bad/arguments", test_bad_arguments);
    g_test_add_func("/bad/files", test_bad_files);
    g_test_add_func("/bad/long-messages", test_long_messages);
    g_test_add_func("/bad/disk-full", test_disk_full);
    return g_test_run();
}
