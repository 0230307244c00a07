/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of the debugger, its line editor, and input that means harm. */
#include <glib/gstdio.h>
#include <string.h>

#include "machine.h"
#include "rv100/debug-hooks.h"

/* type 0 of two words; BITBLT; type 1; type 0. */
static const uint32_t stream[] = {
    0x00010578, 0x11, 0x22,
    0xc0021200, 0x00000000, 0x00080008, 0x00040004,
    0x402bcd7a, 0x33, 0x44,
    0x0000057c, 0x55,
};

typedef struct Line {
    const char *line, *text;
} Line;

static void session(const Line *lines, size_t n)
{
    g_autoptr(Machine) m = machine_with(stream, G_N_ELEMENTS(stream));

    for (size_t i = 0; i < n; i++) {
        machine_expect(m, lines[i].line, lines[i].text);
    }
}

#define SESSION(...) \
    do { \
        static const Line lines[] = { __VA_ARGS__ }; \
        session(lines, G_N_ELEMENTS(lines)); \
    } while (0)

static void test_break(void)
{
    SESSION({ "break bitblt_next", "Breakpoint 1: at 0x5a bitblt_next" },
            { "c", "Breakpoint 1, bitblt_next" },
            { "tbreak packet type1", "Temporary breakpoint 2: packet type 1" },
            { "c", "Temporary breakpoint 2, packet 3: type 1" },
            { "info break", "at 0x5a bitblt_next, 1 hit" },
            { "c", "The stream is at its end." });
    SESSION({ "break packet 0x12", "packet 0x12 BITBLT" },
            { "c", "Breakpoint 1, packet 2: type 3 BITBLT, 3 words" });
    SESSION({ "break packet 0x92", "with settings" },
            { "c", "The stream is at its end." });
    SESSION({ "break packet CNTL_BITBLT", "packet 0x12 BITBLT with settings" },
            { "c", "The stream is at its end." });
    SESSION({ "b reg DST_WIDTH_HEIGHT", "write to DST_WIDTH_HEIGHT (0x1598)" },
            { "c", "DST_WIDTH_HEIGHT (0x1598) = 0x00040004" });
    SESSION({ "b reg GUI_SCRATCH_REG1 == 0x33", "value == (0x33)" },
            { "c", "The stream is at its end." });
    SESSION({ "b reg 0x15f0 if value == 0x55", "GUI_SCRATCH_REG4" },
            { "c", "GUI_SCRATCH_REG4 (0x15f0) = 0x00000055, written at 0x00 type0" });
    SESSION({ "b me", "write to microcode word (any)" },
            { "c", "microcode word 0x" },
            { "bt", "bitblt_next+1" });
    SESSION({ "b bitblt_next+1 if left == 3", "if left == 3" },
            { "c", "The stream is at its end." });
    SESSION({ "b bitblt_next+1 if left == 2", "if left == 2" },
            { "c", "Breakpoint 1" });
    SESSION({ "watch left == 1", "Watchpoint 1: left == 1 (now 0x0)" },
            { "c", "Watchpoint 1, left == 1: 0x0 -> 0x1, after 0x00 type0" },
            { "c", "0x1 -> 0x0" });
    SESSION({ "b type0", "Breakpoint 1" },
            { "ignore 1 2", "" },
            { "c", "Breakpoint 1, type0" },
            { "disable", "" },
            { "c", "The stream is at its end." });
}

static void test_run(void)
{
    SESSION({ "info status", "engine   halted" },
            { "stop", "next 0x00010578: type 0, 2 words from GUI_SCRATCH_REG0" },
            { "step", "type0:\n=> 00  latch adv" },
            { "step", "left 1" },
            { "", "=> between packets; next 0xc0021200: type 3 BITBLT, 3 words" },
            { "step", "=> 59" },
            { "next", "=> 5a" },
            { "finish", "The packet is over." },
            { "until type0", "=> 00" },
            { "c", "The stream is at its end." },
            { "backstep 5", "=> " },
            { "stats", "type 1" });
    SESSION({ "b flush_2d", "Breakpoint 1" },
            { "c", "Breakpoint 1, flush_2d" },
            { "bt", "#1  0x5a bitblt_next  (returns there)" },
            { "finish", "=> 5a" },
            { "until bitblt_next+4", "=> 5e" });
}

static void test_data(void)
{
    SESSION({ "b bitblt_next", "" }, { "c", "" },
            { "print /t 5", "0b0000_0000_0000_0000_0000_0000_0000_0101" },
            { "p /d -1", "= -1" },
            { "p 1 + 2 * 3 == 7 && 0x10 >> 4 == 1", "= 1" },
            { "p (1 | 6) & 3 ^ 1", "= 2" },
            { "p $left", "= 3" },
            { "p CP_ME_CNTL.ME_MODE", "= 1" },
            { "set a = 0x1234", "a = 0x1234" },
            { "p a", "0x1234" },
            { "set GUI_SCRATCH_REG5 7", "GUI_SCRATCH_REG5 = 7" },
            { "set CP_ME_CNTL.ME_MODE 1", "CP_ME_CNTL.ME_MODE = 1" },
            { "set me[0xff] = 0xabcd", "0xabcd" },
            { "set meh[0xff] = 5", "= 5" },
            { "p meh[0xff] << 32 | me[0xff]", "0x50000abcd" },
            { "set vram[0x100] 0x01020304", "0x1020304" },
            { "x/4xb 0x100", "0x00000100: 0x04 0x03 0x02 0x01" },
            { "x/1xh 0x102", "0x0102" },
            { "set mem[0x200] = 0x41424344", "" },
            { "x/4cb 0x200", "'D' 'C' 'B' 'A'" },
            { "x/2i bitblt", "call flush_2d" },
            { "", "   5b  latch" },
            { "patch last_pixel addl -2", "addl -2" },
            { "list last_pixel", "addl -2" },
            { "regs DP_CNTL", "0x16c0 DP_CNTL" },
            { "gart 0x100", "VRAM 0x00000100" },
            { "gart 0x10000000", "bus 0x10000000 (not translated)" },
            { "display left", "1: left = 3" },
            { "step", "1: left = " },
            { "undisplay", "" },
            { "status", "ring     0x10000000, 16 dwords" },
            { "cover", "bitblt_next" },
            { "cover bitblt", "bitblt:\n          " },
            { "i rec", "" });
}

/* Data of packets that the engine runs in a row, and the layout of type 3. */
static void test_packets(void)
{
    static const uint32_t row[] = {
        0x00000578, 0x11, 0x0000057b, 0x22, 0x0001057c, 0x33, 0x44, 0xc0001000, 0x55,
    };
    g_autoptr(Machine) m = machine_with(row, G_N_ELEMENTS(row));

    machine_expect(m, "break packet type0 if left == 2 && words == 5 && steps == 2",
                   "Breakpoint 1");
    machine_expect(m, "continue", "Breakpoint 1, packet 3: type 0, 2 words");
    machine_expect(m, "continue", "at its end");
    machine_expect(m, "packets", "GUI_SCRATCH_REG0 (0x15e0) = 0x00000011\n");
    machine_expect(m, "packets", "GUI_SCRATCH_REG3 (0x15ec) = 0x00000022\n");
    machine_expect(m, "packets 2", "REG4 (0x15f0) = 0x00000033\n"
                   "        GUI_SCRATCH_REG5 (0x15f4) = 0x00000044\n");
    SESSION({ "c", "at its end" },
            { "packets 3", "BITBLT, 3 words -> bitblt\n"
              "        0x00000000  0x00080008  0x00040004\n" },
            { "packets 3", "            DST_Y = 8\n            DST_X = 8\n" });
}

/* More packets than are remembered, and back to where there were none. */
static void test_packets_back(void)
{
    g_autoptr(Machine) m = machine_new(1000, 5, false, 0);
    g_autofree char *stats = NULL, *packets = NULL;

    machine_expect(m, "step 600", "=> ");
    machine_expect(m, "stats", "packets       ");
    stats = g_strdup(strstr(m->out->str, "packets   "));
    machine_expect(m, "packets 5", "type ");
    packets = g_strdup(m->out->str);
    machine_expect(m, "continue", "at its end");
    machine_expect(m, "print steps + 0", " = ");
    g_assert_cmpuint(rv100_debug_units(m->chip), >, 2000);
    machine_do(m, "backstep %u", (unsigned)rv100_debug_units(m->chip) - 600);
    machine_expect(m, "stats", stats);
    machine_expect(m, "packets 5", "");
    g_assert_cmpstr(m->out->str, ==, packets);
    machine_expect(m, "backstep 600", "=> ");
    machine_expect(m, "packets", "No packet was seen");
    machine_expect(m, "stats", "packets       0 since");
    g_assert_null(strstr(m->out->str, "type 0"));
}

static void test_inject(void)
{
    SESSION({ "inject 0x0000057d 0x77", "2 words in front of the stream." },
            { "step 2", "=> between packets; next 0x00010578" },
            { "p GUI_SCRATCH_REG5", "0x77" },
            { "c", "The stream is at its end." },
            { "p GUI_SCRATCH_REG4", "0x55" });
}

static void test_record(void)
{
    g_autofree char *dir = g_dir_make_tmp("rv100-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "trace", NULL);
    g_autofree char *text = NULL, *line = g_strdup_printf("trace on %s packets writes "
                                                          "steps", path);
    g_autoptr(Machine) m = machine_with(stream, G_N_ELEMENTS(stream));

    machine_expect(m, line, "Tracing to");
    machine_expect(m, "record on 5", "The last 5 instructions");
    machine_expect(m, "continue", "at its end");
    machine_expect(m, "info record", "5 of 5 instructions");
    machine_expect(m, "trace off", " lines in ");
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_nonnull(strstr(text, "packet 2 0xc0021200 type 3 BITBLT, 3 words\n"));
    g_assert_nonnull(strstr(text, "write GUI_SCRATCH_REG4 (0x15f0) 0x00000055\n"));
    g_assert_nonnull(strstr(text, "step 59 call flush_2d"));
    g_unlink(path);
    g_rmdir(dir);
}

/* --- mistakes --- */

static void test_mistakes(void)
{
    static const Line bad[] = {
        { "foo", "no command 'foo'" },
        { "e", "'e' may be" },
        { "step x", "neither an engine register" },
        { "step 0", "a number from 1 to" },
        { "break nowhere", "neither an engine register" },
        { "break 256", "microcode addresses end at 0xff" },
        { "break packet NONE", "no packet 'NONE'" },
        { "break reg NONE", "no register 'NONE'" },
        { "break type0 unless 1", "'if CONDITION' expected" },
        { "break type0 if (1", "')' expected at the end" },
        { "delete 9", "there is no breakpoint 9" },
        { "condition", "the number of a breakpoint" },
        { "print 1 +", "a number, a name or '(' expected at the end" },
        { "print 12ab", "no number" },
        { "print 1 / 0", "1 / 0: division by zero" },
        { "break 5 % (3 - 3)", "division by zero" },
        { "patch 7 / 0 nxt", "division by zero" },
        { "set a = 4 % 0", "division by zero" },
        { "print DP_CNTL.NONE", "no such field" },
        { "set 3 = 4", "an engine register" },
        { "set depth 1", "cannot be set" },
        { "set me[256] = 1", "microcode addresses end at 0xff" },
        { "set meh[-1] = 1", "microcode addresses end at 0xff" },
        { "set mem[1 << 32] = 1", "addresses have 32 bits" },
        { "set vram[1 << 40] = 1", "addresses have 32 bits" },
        { "set CP_RB_BASE = 0x1ffffffff", "0x1ffffffff has more than 32 bits" },
        { "set a = 1 << 32", "has more than 32 bits" },
        { "set count = 0x4000", "count is at most 0x3fff" },
        { "step -1", "-1: a number from 1 to" },
        { "set pc 3", "between packets there is no pc" },
        { "set stop-vm maybe", "on or off" },
        { "set mem[0xf0000000] 1", "nothing answers" },
        { "set vram[0x100000] 1", "VRAM ends at 0xfffff" },
        { "set CP_ME_CNTL.ME_MODE 2", "has 1 bits" },
        { "patch type0 frobnicate", "frobnicate" },
        { "patch type0", "an instruction expected" },
        { "x/5000xw 0", "a count of 1 to" },
        { "x/4z 0", "formats are" },
        { "x 0xf0000000", "nothing answers" },
        { "inject", "inject wants words" },
        { "inject 0x100000000", "words have 32 bits" },
        { "gart 0x100000000", "card addresses have 32 bits" },
        { "regs NO_SUCH", "no register is named so" },
        { "info nothing", "info wants one of" },
        { "undisplay 4", "there is no display 4" },
        { "trace", "trace on FILE" },
        { "trace on /nonexistent/x", "cannot write" },
        { "record maybe", "record on [N] or off" },
        { "source /nonexistent/x", "cannot open" },
        { "symbols /nonexistent/x", "cannot open" },
        { "status now", "unexpected 'now'" },
        { "help nothing", "there is no command 'nothing'" },
    };
    g_autoptr(Machine) m = machine_with(stream, G_N_ELEMENTS(stream));
    g_autofree char *line = g_strnfill(1 << 20, 'a');

    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        Rv100DebugResult r = machine_do(m, "%s", bad[i].line);

        if (r != RV100_DEBUG_ERROR || !strstr(m->out->str, bad[i].text)) {
            g_error("'%s' is not in the answer to '%s': %s", bad[i].text,
                    bad[i].line, m->out->str);
        }
    }
    g_assert_cmpint(machine_do(m, "%s", line), ==, RV100_DEBUG_ERROR);
    g_assert_nonnull(strstr(m->out->str, "a line of 1048576 bytes"));
    g_string_truncate(m->out, 0);
    g_assert_cmpint(rv100_debug_command(m->debug, "a\0b", 3, m->out), ==,
                    RV100_DEBUG_ERROR);
    g_assert_cmpint(machine_do(m, "assert 1 == 2"), ==, RV100_DEBUG_FAILED);
    g_assert_cmpint(machine_do(m, "assert 1 == 1"), ==, RV100_DEBUG_OK);
    g_assert_cmpint(machine_do(m, "quit"), ==, RV100_DEBUG_QUIT);
    machine_expect(m, "continue", "at its end");
}

/* A file that reads itself; one that goes wrong in the middle. */
static void test_source(void)
{
    g_autofree char *dir = g_dir_make_tmp("rv100-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "s", NULL);
    g_autofree char *self = g_strdup_printf("echo x\nsource %s\n", path);
    g_autoptr(Machine) m = machine_with(stream, G_N_ELEMENTS(stream));

    g_assert_true(g_file_set_contents(path, self, -1, NULL));
    g_assert_cmpint(machine_do(m, "source %s", path), ==, RV100_DEBUG_ERROR);
    g_assert_nonnull(strstr(m->out->str, "files that read each other"));
    g_assert_true(g_file_set_contents(path, "# no\necho a\nassert 0\necho b\n", -1,
                                      NULL));
    g_assert_cmpint(machine_do(m, "source %s", path), ==, RV100_DEBUG_FAILED);
    g_assert_nonnull(strstr(m->out->str, "a\nassertion failed: 0\n"));
    g_assert_nonnull(strstr(m->out->str, ":3: the rest of the file is left out"));
    g_assert_null(strstr(m->out->str, "b\n"));
    g_unlink(path);
    g_rmdir(dir);
}

/* Lines made of words that mean something, and of bytes that do not. */
static void test_random(void)
{
    static const char *const words[] = {
        "break", "tbreak", "watch", "delete", "info", "step", "next", "finish",
        "until", "continue", "backtrace", "print", "set", "x/4xw", "x/9i", "patch",
        "inject", "display", "undisplay", "packets", "cover", "regs", "status",
        "gart", "stats", "record", "backstep", "stop", "condition", "ignore",
        "packet", "reg", "me", "if", "on", "off", "type0", "BITBLT", "DP_CNTL",
        "bitblt_next", "pc", "a", "left", "1", "0x12", "==", "(", ")", "me[", "]",
        "mem[0x10000000]", "vram[0]", "&&", "+", "-", "/t", ".", "0xffffffff", "3",
        "latch", "adv", ";", "jmp", "CP_RB_WPTR", "CP_CSQ_CNTL", "RBBM_SOFT_RESET",
    };
    g_autoptr(Machine) m = machine_new(2000, 9, true, 2000);
    GRand *rand = g_rand_new_with_seed(31);

    for (unsigned i = 0; i < 6000; i++) {
        g_autoptr(GString) line = g_string_new(NULL);
        unsigned n = g_rand_int_range(rand, 1, 7);

        while (n--) {
            if (g_rand_int_range(rand, 0, 40) == 0) {
                g_string_append_c(line, g_rand_int_range(rand, 0, 256));
            }
            g_string_append(line, words[g_rand_int_range(rand, 0,
                                                         G_N_ELEMENTS(words))]);
            g_string_append_c(line, ' ');
        }
        g_string_truncate(m->out, 0);
        rv100_debug_command(m->debug, line->str, line->len, m->out);
        if (m->out->len && m->out->str[m->out->len - 1] != '\n') {
            g_error("'%s' ends without a newline: %s", line->str, m->out->str);
        }
    }
    g_rand_free(rand);
}

/* --- completion and terminal --- */

static void complete(Machine *m, const char *line, const char *expected)
{
    size_t start;
    g_auto(GStrv) all = rv100_debug_complete(m->debug, line, &start);
    g_autofree char *joined = g_strjoinv(" ", all);

    if (!strstr(joined, expected)) {
        g_error("'%s' completes to '%s'", line, joined);
    }
}

static void test_complete(void)
{
    g_autoptr(Machine) m = machine_with(stream, G_N_ELEMENTS(stream));

    complete(m, "bac", "backstep backtrace");
    complete(m, "break bitb", "bitblt bitblt_next");
    complete(m, "break packet BITB", "BITBLT BITBLT_MULTI");
    complete(m, "break reg GUI_SCRATCH_REG", "GUI_SCRATCH_REG0");
    complete(m, "print a + DST_HEIGHT_W", "DST_HEIGHT_WIDTH");
    complete(m, "print coun", "count");
    complete(m, "info dis", "display");
    complete(m, "help st", "stats status step stop");
    complete(m, "", "backstep");
}

typedef struct Screen {
    GString *text;
    Machine *m;
} Screen;

static void screen_send(void *opaque, const char *text, size_t len)
{
    g_string_append_len(((Screen *)opaque)->text, text, len);
}

static Rv100DebugResult screen_run(void *opaque, const char *line, size_t len,
                                   GString *out)
{
    return rv100_debug_command(((Screen *)opaque)->m->debug, line, len, out);
}

static void type(Rv100DebugTerminal *t, Screen *s, const char *keys,
                 const char *text)
{
    g_string_truncate(s->text, 0);
    rv100_debug_terminal_input(t, (const uint8_t *)keys, strlen(keys));
    if (!strstr(s->text->str, text)) {
        g_error("'%s' does not show '%s': %s", keys, text, s->text->str);
    }
}

static void test_terminal(void)
{
    g_autoptr(Machine) m = machine_with(stream, G_N_ELEMENTS(stream));
    Screen s = { g_string_new(NULL), m };
    Rv100DebugTerminal *t = rv100_debug_terminal_new(m->debug, screen_run,
                                                     screen_send, &s);

    rv100_debug_terminal_open(t);
    g_assert_nonnull(strstr(s.text->str, "the engine is halted"));
    g_assert_true(g_str_has_suffix(s.text->str, "(rv100) "));
    type(t, &s, "echo one\r", "echo one\r\none\r\n(rv100) ");
    type(t, &s, "echo two\n", "two\r\n(rv100) ");
    type(t, &s, "echo x\177three\r\n", "three\r\n(rv100) ");
    type(t, &s, "\033[A\r", "three\r\n");               /* history */
    type(t, &s, "\033[A\033[A\033[A\r", "one\r\n");
    type(t, &s, "\020\016\r", "(rv100) ");
    type(t, &s, "ho hi\033[H\033[C\010ec\033[4~!\r", "no command 'eco'");
    type(t, &s, "garbage\025echo a b\027c\r", "\r\na c\r\n");
    type(t, &s, "echo abc\001\033[3~\004\013echo z\r", "\r\nz\r\n");
    type(t, &s, "ec\t", "o ");
    type(t, &s, "k\r", "\r\nk\r\n");
    type(t, &s, "st\t", "stats  status  step  stop");
    type(t, &s, "\003", "^C\r\n(rv100) ");
    type(t, &s, "\006\007\r", "the line is left out: 1 bytes");
    type(t, &s, "echo \033[999999999999999999999Zok\r", "ok\r\n");
    type(t, &s, "half", "half");
    g_string_truncate(s.text, 0);
    rv100_debug_terminal_message(t, "Breakpoint\n");
    g_assert_cmpstr(s.text->str, ==, "\r\033[KBreakpoint\r\n\r(rv100) half\033[K");
    rv100_debug_terminal_close(t);
    rv100_debug_terminal_message(t, "nobody\n");
    rv100_debug_terminal_open(t);
    type(t, &s, "\r", "(rv100) ");
    type(t, &s, "quit\r", "The console stays; the engine is halted.");
    rv100_debug_terminal_free(t);
    g_string_free(s.text, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/commands/break", test_break);
    g_test_add_func("/commands/run", test_run);
    g_test_add_func("/commands/data", test_data);
    g_test_add_func("/commands/packets", test_packets);
    g_test_add_func("/commands/packets-back", test_packets_back);
    g_test_add_func("/commands/inject", test_inject);
    g_test_add_func("/commands/record", test_record);
    g_test_add_func("/commands/mistakes", test_mistakes);
    g_test_add_func("/commands/source", test_source);
    g_test_add_func("/commands/random", test_random);
    g_test_add_func("/commands/complete", test_complete);
    g_test_add_func("/commands/terminal", test_terminal);
    return g_test_run();
}
