/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 debug: the debugger on an image and a stream of packets. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <editline/readline.h>

#include "asm.h"
#include "commands.h"
#include "debug/free-source.h"
#include "debug/offline.h"
#include "debug/recorded.h"
#include "image.h"
#include "input.h"

#define PROMPT "(rv100) "

typedef struct DebugOptions {
    const char *firmware, *packets, *symbols, *chip, *script;
    uint64_t max_steps, vram;
    bool batch;
} DebugOptions;

static const ToolOption options[] = {
    { "firmware", 'f', TOOL_STRING, offsetof(DebugOptions, firmware), "IMAGE",
      "microcode image or source, .s (default: the free image)" },
    { "packets", 'p', TOOL_STRING, offsetof(DebugOptions, packets), "FILE",
      "packets: hexadecimal words or raw little-endian ones; or a capture of the "
      "device (x-capture); - is standard input" },
    { "symbols", 's', TOOL_STRING, offsetof(DebugOptions, symbols), "FILE",
      "symbol file or source (.s) of the image" },
    { "chip", 'c', TOOL_STRING, offsetof(DebugOptions, chip), "CHIP",
      "r128, r100, r200 or r300 (default: what entry 2 of IMAGE says)" },
    { "execute", 'x', TOOL_STRING, offsetof(DebugOptions, script), "FILE",
      "commands to execute first" },
    { "batch", 'b', TOOL_FLAG, offsetof(DebugOptions, batch), NULL,
      "end behind FILE (or behind standard input), at the first failure" },
    { "max-steps", 0, TOOL_NUMBER, offsetof(DebugOptions, max_steps), "N",
      "instructions without taking a word that halt (1000000)" },
    { "vram", 0, TOOL_NUMBER, offsetof(DebugOptions, vram), "MIB",
      "video memory: 1, 2, 4, 8, 16, 32 or 64 (8)" },
    { NULL }
};

typedef struct Session {
    Offline *machine;           /* one of the two */
    Recorded *recorded;
    Rv100Debug *debug;
    GString *out;
    bool batch;
    int status;
} Session;

/* Of libedit's and the signal's callbacks, which have no argument. */
static Session *current;

/* --- one line --- */

/* False when the session is over. */
static bool execute(Session *s, const char *line, size_t len)
{
    Rv100DebugResult r = rv100_debug_command(s->debug, line, len, s->out);

    fwrite(s->out->str, 1, s->out->len, stdout);
    fflush(stdout);
    g_string_truncate(s->out, 0);
    if (r == RV100_DEBUG_ERROR) {
        s->status = TOOL_UNUSABLE;
    } else if (r == RV100_DEBUG_FAILED) {
        s->status = MAX(s->status, TOOL_FOUND);
    }
    return r != RV100_DEBUG_QUIT && !(s->batch && s->status);
}

/* A line of standard input; what is too long is cut behind the limit, so that
 * the debugger refuses it. False at the end. */
static bool read_line(GString *line)
{
    int c;

    g_string_truncate(line, 0);
    while ((c = getchar()) != EOF && c != '\n') {
        if (line->len <= RV100_DEBUG_MAX_LINE) {
            g_string_append_c(line, (char)c);
        }
    }
    return c != EOF || line->len;
}

static void read_pipe(Session *s)
{
    g_autoptr(GString) line = g_string_new(NULL);

    while (read_line(line) && execute(s, line->str, line->len)) {
    }
}

/* --- terminal --- */

static char *nth_candidate(const char *text, int n)
{
    static GStrv all;

    if (n == 0) {
        size_t start;

        g_strfreev(all);
        all = rv100_debug_complete(current->debug, rl_line_buffer, &start);
    }
    /* libedit frees it with free() */
    return all[n] ? strdup(all[n]) : NULL;
}

static char **complete(const char *text, int start, int end)
{
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, nth_candidate);
}

static volatile sig_atomic_t interrupted;

static void set_interrupted(bool on)
{
    interrupted = on;
    if (current->recorded) {
        recorded_interrupt(current->recorded, on);
    } else {
        offline_interrupt(current->machine, on);
    }
}

static void interrupt(int signal)
{
    set_interrupted(true);
}

static void read_terminal(Session *s)
{
    struct sigaction action = { .sa_handler = interrupt };
    char *line;

    sigaction(SIGINT, &action, NULL);
    rl_readline_name = (char *)"rv100";
    rl_attempted_completion_function = complete;
    using_history();
    for (;;) {
        bool go_on;

        set_interrupted(false);
        line = readline(PROMPT);
        if (!line && interrupted) {
            printf("^C\n");     /* the line is forgotten, not the session */
            continue;
        }
        if (!line) {
            break;
        }
        if (*line) {
            add_history(line);
        }
        go_on = execute(s, line, strlen(line));
        free(line);
        if (!go_on) {
            return;
        }
    }
    putchar('\n');
}

/* --- files --- */

static bool load_source(const char *name, const char *text, size_t len,
                        Image *image, const Rv100MeChip **chip, GError **error)
{
    AsmResult r;
    bool ok = asm_text(name, text, len, &r);

    if (ok) {
        *image = r.image;
        *chip = r.chip;
    } else {
        fputs(r.messages->str, stderr);
        tool_set_error(error, "%s has errors", name);
    }
    asm_result_clear(&r);
    return ok;
}

static bool load_firmware(const DebugOptions *o, Image *image,
                          const Rv100MeChip **chip, GError **error)
{
    g_autofree char *text = NULL;
    size_t len;

    if (!o->firmware) {
        return load_source("rv100-free.s", rv100_free_source,
                           strlen(rv100_free_source), image, chip, error);
    }
    if (g_str_has_suffix(o->firmware, ".s")) {
        text = tool_read(o->firmware, &len, error);
        return text && load_source(o->firmware, text, len, image, chip, error);
    }
    return image_load(image, o->firmware, error)
        && (*chip = image_chip(image, o->firmware, o->chip, error));
}

/* "IMAGE.sym" beside an image, a source itself, or what --symbols says. */
static char *symbol_file(const DebugOptions *o)
{
    g_autofree char *beside = NULL;

    if (o->symbols) {
        return g_strdup(o->symbols);
    }
    if (!o->firmware || g_str_has_suffix(o->firmware, ".s")) {
        return g_strdup(o->firmware);
    }
    beside = g_strdup_printf("%.*s.sym", g_str_has_suffix(o->firmware, ".bin")
                             ? (int)strlen(o->firmware) - 4
                             : (int)strlen(o->firmware), o->firmware);
    return g_file_test(beside, G_FILE_TEST_EXISTS) ? g_steal_pointer(&beside)
                                                   : NULL;
}

static bool load_packets(const DebugOptions *o, Input *input, GError **error)
{
    if (!o->packets) {
        return true;
    }
    if (!input_load(input, o->packets, INPUT_AUTO, error)) {
        return false;
    }
    if (input->words && input->words->len > OFFLINE_MAX_WORDS) {
        tool_set_error(error, "%s: %u words, at most %u", o->packets,
                       input->words->len, OFFLINE_MAX_WORDS);
        return false;
    }
    if (!input->words && (o->firmware || o->vram || o->chip)) {
        tool_set_error(error, "%s is a capture, which has a card and microcode of "
                       "its own: --firmware, --chip and --vram are not for it "
                       "(--symbols FILE gives names)", o->packets);
        return false;
    }
    return true;
}

static bool check_options(const DebugOptions *o, GError **error)
{
    if (o->vram > 64 || (o->vram & (o->vram - 1))) {
        tool_set_error(error, "--vram %" G_GUINT64_FORMAT ": 1, 2, 4, 8, 16, 32 "
                       "or 64 expected", o->vram);
        return false;
    }
    return true;
}

static int session(Session *s, const DebugOptions *o)
{
    g_autofree char *symbols = symbol_file(o);
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

    if (symbols && !rv100_debug_symbols(s->debug, symbols, s->out)) {
        fprintf(stderr, "rv100 debug: %s", s->out->str + strlen("error: "));
        return TOOL_UNUSABLE;
    }
    fputs(s->out->str, stdout);
    g_string_truncate(s->out, 0);
    if (o->script) {
        g_autofree char *line = g_strdup_printf("source %s", o->script);

        if (!execute(s, line, strlen(line)) || s->batch) {
            return s->status;
        }
    }
    if (terminal && !s->batch) {
        printf("help lists the commands, quit ends.\n");
        read_terminal(s);
        return TOOL_OK;
    }
    read_pipe(s);
    return s->status;
}

/* The machine for packets. */
static bool packet_machine(Session *s, const DebugOptions *o, const Input *input,
                           GError **error)
{
    const GArray *words = input->words;
    const Rv100MeChip *chip;
    Image image;

    if (!load_firmware(o, &image, &chip, error)) {
        return false;
    }
    s->machine = offline_new(&(OfflineConfig) {
        .image = &image, .chip = chip,
        .words = words ? (const uint32_t *)words->data : NULL,
        .n_words = words ? words->len : 0,
        .vram_size = (uint32_t)(o->vram ? o->vram : 8) << 20,
        .max_steps = o->max_steps }, s->out);
    s->debug = offline_debug(s->machine);
    return true;
}

static bool capture_machine(Session *s, Capture *c, const Input *input,
                            GError **error)
{
    if (!capture_open(c, input->name, input->data, input->len, error)) {
        return false;
    }
    s->recorded = recorded_new(c, s->out, error);
    s->debug = s->recorded ? recorded_debug(s->recorded) : NULL;
    return s->recorded;
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const DebugOptions *o = opaque;
    Session s = { .batch = o->batch };
    g_auto(Input) input = { .name = NULL };
    g_auto(Capture) capture = { .name = NULL };
    GError *error = NULL;
    int status;

    if (!check_options(o, &error) || !load_packets(o, &input, &error)) {
        return tool_fail("debug", error, TOOL_UNUSABLE);
    }
    s.out = g_string_new(NULL);
    if (input.name && !input.words
        ? !capture_machine(&s, &capture, &input, &error)
        : !packet_machine(&s, o, &input, &error)) {
        g_string_free(s.out, TRUE);
        return tool_fail("debug", error, TOOL_UNUSABLE);
    }
    current = &s;
    status = session(&s, o);
    current = NULL;
    offline_free(s.machine);
    recorded_free(s.recorded);
    g_string_free(s.out, TRUE);
    return status;
}

const ToolCommand cmd_debug = {
    .name = "debug",
    .args = "",
    .summary = "Debug microcode: breakpoints, single steps, steps back",
    .detail =
        "The image runs over the words of FILE in a model of the whole chip; a "
        "capture brings its own microcode and memory and is run as it was. "
        "'help' lists the commands; docs/debugging.md is a tutorial.\n\n"
        "'rv100 debug -x SCRIPT -batch' is for scripts: the exit status is 1 when "
        "an 'assert' failed and 2 when a command was wrong.",
    .options = options,
    .size = sizeof(DebugOptions),
    .run = run,
};
