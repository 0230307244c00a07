/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the sessions of docs/debugging.md. A block "```text NAME" is a file. A
 * block "```console" begins with "$ rv100 debug ..." or goes on with the session
 * of the block before; lines "(rv100) COMMAND" are commands, the lines behind
 * are what they print. R100_cp.bin and guest.cap, a capture, lie in the directory
 * of the sessions. The whole page is written anew and compared with what it
 * is; with RV100_UPDATE it replaces the page.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"
#include "fake-host.h"
#include "rv100/capture.h"

#define PROMPT "(rv100) "
#define MARK "@@@@"             /* printed between two commands */

typedef struct Page {
    char *dir;
    GStrv lines;
    GString *out;               /* the page anew */
    unsigned at, n_sessions, n_commands;
} Page;

static char *run(Page *p, const char *command, const char *input)
{
    g_autofree char *file = cli_file(p->dir, "input", input, -1);
    g_autofree char *whole = g_strdup_printf("%s < input 2>&1", command);
    g_autofree char *tool_dir = g_path_get_dirname(g_getenv("RV100_TOOL"));
    g_autofree char *path = g_strdup_printf("%s:%s", tool_dir, g_getenv("PATH"));
    g_auto(GStrv) env = g_environ_setenv(g_get_environ(), "PATH", path, TRUE);
    const char *argv[] = { "/bin/sh", "-c", whole, NULL };
    g_autoptr(GError) error = NULL;
    int status;
    char *out;

    g_spawn_sync(p->dir, (char **)argv, env, G_SPAWN_DEFAULT, NULL, NULL, &out,
                 NULL, &status, &error);
    g_assert_no_error(error);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        g_error("'%s' fails: %s", command, out);
    }
    return out;
}

/* Commands of this session from a line on, over all its blocks. */
static char *collect(Page *p, unsigned at)
{
    GString *input = g_string_new(NULL);
    bool inside = true;

    for (; p->lines[at]; at++) {
        const char *line = p->lines[at];

        if (inside && g_str_has_prefix(line, PROMPT)) {
            g_string_append_printf(input, "echo " MARK "\n%s\n",
                                   line + strlen(PROMPT));
        } else if (inside && !strcmp(line, "```")) {
            inside = false;
        } else if (!inside && !strcmp(line, "```console")) {
            inside = true;
            if (g_str_has_prefix(p->lines[at + 1], "$ ")) {
                break;
            }
        }
    }
    g_string_append(input, "echo " MARK "\n");
    return g_string_free(input, FALSE);
}

static void copy_line(Page *p)
{
    g_string_append_printf(p->out, "%s\n", p->lines[p->at++]);
}

/* One block; *outputs are those of the commands that are still to come. */
static void session_block(Page *p, GStrv *outputs)
{
    while (strcmp(p->lines[p->at], "```")) {
        if (g_str_has_prefix(p->lines[p->at], PROMPT)) {
            copy_line(p);
            g_assert_nonnull(**outputs);
            g_string_append(p->out, **outputs);
            (*outputs)++;
            p->n_commands++;
        } else {
            p->at++;            /* what the page showed before */
        }
    }
    copy_line(p);
}

static void console(Page *p, GStrv *all, GStrv *outputs)
{
    const char *line = p->lines[p->at];

    if (g_str_has_prefix(line, "$ ")) {
        g_autofree char *input = collect(p, p->at + 1);
        g_autofree char *text = run(p, line + 2, input);

        copy_line(p);
        g_strfreev(*all);
        *all = g_strsplit(text, MARK "\n", -1);
        g_string_append(p->out, **all);
        *outputs = *all + 1;
        p->n_sessions++;
        p->at += strcmp(p->lines[p->at], "```") != 0
            && !g_str_has_prefix(p->lines[p->at], PROMPT);
    }
    session_block(p, outputs);
}

static void text_file(Page *p, const char *name)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *path = NULL;

    while (strcmp(p->lines[p->at], "```")) {
        g_string_append_printf(text, "%s\n", p->lines[p->at]);
        copy_line(p);
    }
    path = cli_file(p->dir, name, text->str, text->len);
}

static void rewrite(Page *p)
{
    GStrv all = NULL, outputs = NULL;

    while (p->lines[p->at] && (p->lines[p->at + 1] || *p->lines[p->at])) {
        const char *line = p->lines[p->at];

        copy_line(p);
        if (g_str_has_prefix(line, "```text ")) {
            text_file(p, line + strlen("```text "));
        } else if (!strcmp(line, "```console")) {
            console(p, &all, &outputs);
        }
    }
    g_strfreev(all);
}

static bool sink(void *opaque, const void *data, size_t len)
{
    g_byte_array_append(opaque, data, (guint)len);
    return true;
}

/* A guest that lets the stock microcode copy three rectangles, out of a ring
 * behind the GART. */
static char *guest_capture(const char *dir, const char *image, gsize len)
{
    static const uint32_t set_up[] = {
        R_DEFAULT_PITCH_OFFSET, 0x00400000, R_DEFAULT_SC_BOTTOM_RIGHT, 0x1fff1fff,
    };
    g_autoptr(GByteArray) file = g_byte_array_new();
    g_autoptr(FakeHost) h = fake_host_new(0, 0);
    RefImage stock;

    g_assert_true(ref_image_parse(image, len, &stock));
    rv100_capture_start(h->chip, sink, file);
    fake_load(h, &stock);
    fake_ring_start(h, 6, 4);
    fake_ring(h, set_up, G_N_ELEMENTS(set_up));
    fake_run(h, 10);
    for (uint32_t n = 1; n <= 3; n++) {
        const uint32_t words[] = {
            0xc0039200, 0x52cc36f0, 0x00010001 * n, 0x00080004 * n, 0x00030002 + n,
            R_GUI_SCRATCH_REG0, n,
        };

        fake_ring(h, words, G_N_ELEMENTS(words));
        fake_run(h, 10);
    }
    rv100_capture_stop(h->chip);
    return cli_file(dir, "guest.cap", (const char *)file->data, file->len);
}

static void test_page(void)
{
    const char *name = g_getenv("RV100_DEBUGGING");
    g_autofree char *stock = g_build_filename(g_getenv("RV100_SHARED"),
                                              "firmware/R100_cp.bin", NULL);
    g_autofree char *text = NULL, *image = NULL, *copy = NULL;
    g_autofree char *capture = NULL;
    gsize len;
    Page p = { .out = g_string_new(NULL) };

    if (!g_file_get_contents(stock, &image, &len, NULL)) {
        g_test_skip("no stock microcode (shared/firmware/R100_cp.bin)");
        g_string_free(p.out, TRUE);
        return;
    }
    p.dir = cli_dir();
    copy = cli_file(p.dir, "R100_cp.bin", image, len);
    capture = guest_capture(p.dir, image, len);
    g_assert_true(g_file_get_contents(name, &text, NULL, NULL));
    p.lines = g_strsplit(text, "\n", -1);
    rewrite(&p);
    if (g_getenv("RV100_UPDATE")) {
        g_assert_true(g_file_set_contents(name, p.out->str, p.out->len, NULL));
    } else if (strcmp(text, p.out->str)) {
        g_error("docs/debugging.md differs from what the sessions print "
                "(RV100_UPDATE=1 writes it); the sessions are:\n%s", p.out->str);
    }
    g_assert_cmpuint(p.n_sessions, >=, 5);
    g_assert_cmpuint(p.n_commands, >=, 20);
    g_strfreev(p.lines);
    g_string_free(p.out, TRUE);
    cli_dir_remove(p.dir);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/debugging", test_page);
    return g_test_run();
}
