/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 debug as a user or a script runs it: options, exit status, bad input. */
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

static const char packets[] = "578 1234 c0001000 0 579 5678";

static char *dir;

static char *file(const char *name, const char *text)
{
    return cli_file(dir, name, text, -1);
}

static void check(const char *script, int status, const char *text)
{
    g_autofree char *words = file("words", packets), *path = file("script", script);
    g_auto(Cli) c = cli_run(NULL, "debug", "-p", words, "-x", path, "-batch", NULL);

    if (c.status != status || !strstr(c.out, text)) {
        g_error("status %d, output: %s%s", c.status, c.out, c.err);
    }
}

static void test_batch(void)
{
    check("continue\nassert GUI_SCRATCH_REG1 == 0x5678\n", 0, "at its end");
    check("continue\nassert GUI_SCRATCH_REG1 == 1\necho no\n", 1,
          "assertion failed: GUI_SCRATCH_REG1 == 1");
    check("nonsense\nassert 0\n", 2, ":1: the rest of the file is left out");
    check("quit\nassert 0\n", 0, "");
    check("", 0, "");
}

/* Commands from a pipe: without -batch all are executed. */
static void test_pipe(void)
{
    g_autofree char *words = file("words", packets);
    g_auto(Cli) all = cli_run("assert 0\necho more", "debug", "-p", words, NULL);
    g_auto(Cli) first = cli_run("assert 0\necho more\n", "debug", "--batch", NULL);

    g_assert_cmpint(all.status, ==, 1);
    g_assert_nonnull(strstr(all.out, "more"));
    g_assert_cmpint(first.status, ==, 1);
    g_assert_null(strstr(first.out, "more"));
}

/* A source: stops show its lines; a symbol file: its names. */
static void test_symbols(void)
{
    g_autofree char *source = file("mine.s", "type0:\n    latch adv ; write idx, pkt ; "
                                   "rpt  # mine\n");
    g_autofree char *words = file("words", packets);
    g_autofree char *sym = file("names.sym", "00 begin\n");
    g_auto(Cli) lines = cli_run("b type0\nc\n", "debug", "-f", source, "-p", words,
                                NULL);
    g_auto(Cli) names = cli_run("b begin\nc\nbt\n", "debug", "-s", sym, "-p", words,
                                NULL);
    g_auto(Cli) free_image = cli_run("info symbols\n", "debug", "-f",
                                     cli_free_image(), NULL);

    g_assert_nonnull(strstr(lines.out, "# mine.s:2"));
    g_assert_cmpint(names.status, ==, 0);
    g_assert_nonnull(strstr(names.out, "Breakpoint 1, begin"));
    g_assert_nonnull(strstr(free_image.out, "source line: the free image"));
}

static void test_unusable(void)
{
    g_autofree char *bad = file("bad", "xyz");
    g_autofree char *bad_source = file("bad.s", "    frobnicate\n");
    g_auto(Cli) image = cli_run(NULL, "debug", "-f", "/nonexistent", NULL);
    g_auto(Cli) source = cli_run(NULL, "debug", "-f", bad_source, NULL);
    g_auto(Cli) words = cli_run(NULL, "debug", "-p", bad, NULL);
    g_auto(Cli) names = cli_run(NULL, "debug", "-s", bad, NULL);
    g_auto(Cli) vram = cli_run(NULL, "debug", "--vram", "3", NULL);
    g_auto(Cli) chip = cli_run(NULL, "debug", "-f", cli_free_image(), "-c", "r9000",
                               NULL);

    cli_assert_fails(&image, 2, "cannot open /nonexistent");
    cli_assert_fails(&source, 2, "has errors");
    cli_assert_fails(&words, 2, "bad");
    cli_assert_fails(&names, 2, "bad");
    cli_assert_fails(&vram, 2, "--vram 3");
    cli_assert_fails(&chip, 2, "r9000");
}

/* Captures that are none, are cut or damaged in front of the first state. */
static void test_bad_captures(void)
{
    guint8 head[48] = "RV100CAP";
    static const guint8 rest[] = {
        1, 0, 32, 0, 0x02, 0x10, 0x59, 0x51, 0, 0, 0x10, 0, 0, 1, 0, 0, 0, 1, 0, 0,
    };
    g_autofree char *magic = cli_file(dir, "magic.cap", (const char *)head, 8);
    g_autofree char *empty = NULL, *version = NULL;

    memcpy(head + 8, rest, sizeof(rest));
    empty = cli_file(dir, "empty.cap", (const char *)head, 32);
    head[8] = 9;
    version = cli_file(dir, "version.cap", (const char *)head, 32);
    {
        g_auto(Cli) a = cli_run(NULL, "debug", "-p", magic, NULL);
        g_auto(Cli) b = cli_run(NULL, "debug", "-p", empty, NULL);
        g_auto(Cli) c = cli_run(NULL, "debug", "-p", version, NULL);
        g_auto(Cli) d = cli_run(NULL, "debug", "-p", empty, "-f", cli_free_image(),
                                NULL);

        cli_assert_fails(&a, 2, "no capture of the device");
        cli_assert_fails(&b, 2, "ends before its first state");
        cli_assert_fails(&c, 2, "version 9 of captures");
        cli_assert_fails(&d, 2, "--firmware");
    }
}

/* 1 MiB lines, bytes that are no text, no last newline. */
static void test_hostile(void)
{
    g_autofree char *line = g_strnfill(1 << 20, 'p');
    g_autofree char *input = g_strconcat(line, "\n\001\377\n\nbreak type0\nc", NULL);
    g_autofree char *words = file("words", packets);
    g_auto(Cli) c = cli_run(input, "debug", "-p", words, NULL);

    g_assert_cmpint(c.status, ==, 2);
    g_assert_nonnull(strstr(c.out, "at most 4096"));
    g_assert_nonnull(strstr(c.out, "no command '\\x01\\xff'"));
    g_assert_nonnull(strstr(c.out, "Breakpoint 1, type0"));
}

/* Microcode that takes no word is stopped; other generations' images run. */
static void test_engine(void)
{
    g_autofree char *wedge = file("wedge.s", "type0:\n    jmp type0\n");
    g_autofree char *r300 = file("r300.s", "    .chip r300\ntype0:\n    latch adv ; "
                                 "write idx, pkt ; rpt\n");
    g_autofree char *words = file("words", packets);
    g_auto(Cli) c = cli_run("c\nassert steps >= 5000 && steps < 7000\n", "debug", "-f", wedge, "-p",
                            words, "--max-steps", "5000", NULL);
    g_auto(Cli) other = cli_run("b type0\nc\nfinish\nassert GUI_SCRATCH_REG0 == 0x1234\n",
                                "debug", "-f", r300, "-p", words, NULL);

    g_assert_nonnull(strstr(c.out, "No word was taken for a long time"));
    g_assert_cmpint(c.status, ==, 0);
    g_assert_cmpint(other.status, ==, 0);
}

/* --- at the keyboard --- */

#define PROMPT "(rv100) "
#define PATIENCE_MS 60000

/* Type something and wait until a text comes, behind the one before. */
static void keys(int fd, GString *screen, const char *typed, const char *text)
{
    char buf[512];

    g_assert_cmpint(write(fd, typed, strlen(typed)), ==, (ssize_t)strlen(typed));
    while (!strstr(screen->str, text)) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        ssize_t n = poll(&p, 1, PATIENCE_MS) == 1 ? read(fd, buf, sizeof(buf)) : 0;

        if (n <= 0) {
            g_error("'%s' does not show '%s' but: %s", typed, text, screen->str);
        }
        g_string_append_len(screen, buf, n);
    }
    g_string_erase(screen, 0, strstr(screen->str, text) - screen->str + strlen(text));
}

/* Completion; Ctrl-C forgets a line, or halts, and never ends the session. */
static void test_keyboard(void)
{
    g_autofree char *wedge = file("wedge.s", "type0:\n    jmp type0\n");
    g_autofree char *words = file("words", packets);
    g_autoptr(GString) screen = g_string_new(NULL);
    int fd, status;
    pid_t child = forkpty(&fd, NULL, NULL, NULL);

    if (!child) {
        setenv("TERM", "dumb", 1);
        execl(g_getenv("RV100_TOOL"), "rv100", "debug", "-f", wedge, "-p", words,
              "--max-steps", "1000000000000", NULL);
        _exit(127);
    }
    g_assert_cmpint(child, >, 0);
    keys(fd, screen, "", PROMPT);
    keys(fd, screen, "half a line", "half a line");
    /* a Ctrl-C between prompt and reading shows no new prompt: hence the \n */
    keys(fd, screen, "\003\n", PROMPT);
    keys(fd, screen, "print 5+1\n", "5+1 = 6");
    keys(fd, screen, "", PROMPT);
    keys(fd, screen, "tbre\ttyp\t\n", "Temporary breakpoint 1: at 0x00 type0");
    keys(fd, screen, "", PROMPT);
    keys(fd, screen, "continue\n", "Temporary breakpoint 1, type0");
    keys(fd, screen, "", PROMPT);
    keys(fd, screen, "continue\n", "continue\r\n");
    /* it runs, or the line is still being read: then only that is forgotten */
    keys(fd, screen, "\003\n", PROMPT);
    keys(fd, screen, "quit\n", "quit");
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
    close(fd);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    dir = cli_dir();
    g_test_add_func("/debug/batch", test_batch);
    g_test_add_func("/debug/pipe", test_pipe);
    g_test_add_func("/debug/symbols", test_symbols);
    g_test_add_func("/debug/unusable", test_unusable);
    g_test_add_func("/debug/bad-captures", test_bad_captures);
    g_test_add_func("/debug/hostile", test_hostile);
    g_test_add_func("/debug/engine", test_engine);
    g_test_add_func("/debug/keyboard", test_keyboard);
    status = g_test_run();
    cli_dir_remove(dir);
    return status;
}
