/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 decode: a command stream as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture-decode.h"
#include "commands.h"
#include "decode.h"
#include "description.h"
#include "image.h"
#include "input.h"

#define FLUSH_AT (256u << 10)
#define WORDS_AT_ONCE 4096

typedef struct Options {
    const char *format, *xml, *engine, *query, *execute, *chip;
    uint64_t start, end;
    bool verbose, summary, all_regs, once, json, color, no_color, no_pager;
} Options;

static const ToolOption options[] = {
    { "format", 'f', TOOL_STRING, offsetof(Options, format), "FORMAT",
      "text, le, be or capture (default: by the contents; binary: le)" },
    { "verbose", 'v', TOOL_FLAG, offsetof(Options, verbose), NULL,
      "the words, all fields of registers, values before" },
    { "summary", 's', TOOL_FLAG, offsetof(Options, summary), NULL,
      "only how often each packet and register occurs, and last values" },
    { "allregs", 'a', TOOL_FLAG, offsetof(Options, all_regs), NULL,
      "all registers written so far at each type-3 packet and at the end" },
    { "start", 'S', TOOL_NUMBER, offsetof(Options, start), "N",
      "show packets from this offset on (the number behind #)" },
    { "end", 'E', TOOL_NUMBER, offsetof(Options, end), "N",
      "... and before this one" },
    { "query", 'q', TOOL_STRING, offsetof(Options, query), "REG,...",
      "show only writes to these registers: names, byte addresses; * and ? "
      "match" },
    { "once", 0, TOOL_FLAG, offsetof(Options, once), NULL,
      "show packets with the same words once" },
    { "execute", 'x', TOOL_STRING, offsetof(Options, execute), "IMAGE",
      "show what this microcode image writes for each packet; with a "
      "capture: and where that differs" },
    { "chip", 'c', TOOL_STRING, offsetof(Options, chip), "CHIP",
      "of IMAGE: r128, r100, r200 or r300 (default: what entry 2 says)" },
    { "xml", 0, TOOL_STRING, offsetof(Options, xml), "FILE",
      "instructions of a genxml file, or the built-in gen75-media" },
    { "engine", 0, TOOL_STRING, offsetof(Options, engine), "NAME",
      "only instructions of this engine (--xml)" },
    { "json", 'j', TOOL_FLAG, offsetof(Options, json), NULL,
      "one JSON object a packet" },
    { "color", 0, TOOL_FLAG, offsetof(Options, color), NULL,
      "colours (default: on a terminal)" },
    { "no-color", 0, TOOL_FLAG, offsetof(Options, no_color), NULL,
      "no colours" },
    { "no-pager", 0, TOOL_FLAG, offsetof(Options, no_pager), NULL,
      "no pager (default: $PAGER or less on a terminal)" },
    { NULL }
};

/* On a terminal the output goes to a pager. */
static FILE *start_pager(const Options *o)
{
    const char *pager = getenv("PAGER");
    FILE *f;

    if (o->no_pager || !isatty(STDOUT_FILENO)) {
        return NULL;
    }
    setenv("LESS", "FRX", 0);
    f = popen(pager && *pager ? pager : "less", "w");
    if (f) {
        dup2(fileno(f), STDOUT_FILENO);
    }
    return f;
}

static void end_pager(FILE *f)
{
    if (f) {
        fflush(stdout);
        fclose(stdout);
        pclose(f);
    }
}

static bool flush(GString *out, size_t at)
{
    bool ok = true;

    if (out->len > at) {
        ok = fwrite(out->str, 1, out->len, stdout) == out->len;
        g_string_truncate(out, 0);
    }
    return ok;
}

static void decode_words(Decoder *d, const Input *in, GString *out)
{
    const uint32_t *words = (const uint32_t *)in->words->data;
    size_t n = in->words->len, at = 0, take = WORDS_AT_ONCE;

    while (at < n) {
        size_t there = MIN(take, n - at);
        size_t used = decoder_stream(d, at, words + at, there,
                                     at + there == n);

        at += used;
        /* A packet that is longer than what was given. */
        take = used ? WORDS_AT_ONCE : 2 * take;
        if (!flush(out, FLUSH_AT)) {
            return;             /* reported when standard output is flushed */
        }
    }
}

static bool flush_some(void *out)
{
    return flush(out, FLUSH_AT);
}

static int decode_capture(Decoder *d, Capture *c, bool verbose, GString *out)
{
    capture_decode(c, d, verbose, flush_some, out);
    if (!c->cut) {
        return TOOL_OK;
    }
    decoder_note(d, "%s", c->cut);
    fprintf(stderr, "rv100 decode: %s: %s\n", c->name, c->cut);
    return c->damaged ? TOOL_UNUSABLE : TOOL_OK;
}

static bool check_options(const Options *o, GError **error)
{
    if (o->summary && o->json) {
        tool_set_error(error, "--summary has no JSON form");
    } else if (o->color && o->no_color) {
        tool_set_error(error, "either --color or --no-color");
    } else if (o->summary && (o->query || o->all_regs || o->once ||
                              o->start || o->end != UINT64_MAX)) {
        tool_set_error(error, "--summary counts all packets: not with "
                       "--query, --allregs, --once, --start or --end");
    } else if (o->end <= o->start) {
        tool_set_error(error, "--end must be behind --start");
    } else if (o->xml && (o->execute || o->query || o->all_regs)) {
        tool_set_error(error, "--execute, --query and --allregs are for our "
                       "own packets, not for --xml");
    } else if (o->chip && !o->execute) {
        tool_set_error(error, "--chip goes with --execute");
    } else {
        return true;
    }
    return false;
}

static bool check_query(const Options *o, const DecodeSet *set, GError **error)
{
    g_autofree bool *queried = g_new0(bool, DECODE_REGS);
    g_autofree char *bad = o->query ? decode_query(set, o->query, queried)
                                    : NULL;

    if (bad) {
        tool_set_error(error, "--query: no register '%s' (names, byte "
                       "addresses, * and ? match)", bad);
    }
    return !bad;
}

static int decode_all(const Options *o, const Input *in, Capture *capture,
                      const Description *x, const Image *image,
                      const Rv100MeChip *chip)
{
    DecodeOptions opt = {
        .verbose = o->verbose, .summary = o->summary,
        .all_regs = o->all_regs, .once = o->once, .json = o->json,
        .color = !o->json && !o->no_color &&
                 (o->color || isatty(STDOUT_FILENO)),
        .start = o->start, .end = o->end, .query = o->query,
    };
    g_autoptr(GString) out = g_string_sized_new(FLUSH_AT + 65536);
    g_autoptr(Decoder) d = decoder_new(x->set, &opt, out);
    FILE *pager = start_pager(o);
    int status = TOOL_OK;

    if (image) {
        decoder_execute(d, image, chip);
    }
    if (in->words) {
        decode_words(d, in, out);
    } else {
        status = decode_capture(d, capture, o->verbose, out);
    }
    decoder_finish(d);
    flush(out, 0);
    end_pager(pager);
    return status;
}

static bool open_capture(const Options *o, const Input *in, Capture *c,
                         GError **error)
{
    if (o->xml) {
        tool_set_error(error, "%s is a capture: its packets are those of this "
                       "chip (no --xml)", in->name);
        return false;
    }
    return capture_open(c, in->name, in->data, in->len, error);
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const Options *o = opaque;
    g_auto(Description) x = { NULL, NULL };
    g_auto(Input) in = { 0 };
    g_auto(Capture) capture = { 0 };
    GError *error = NULL;
    InputFormat format = INPUT_AUTO;
    const Rv100MeChip *chip = NULL;
    Image image;

    if (!check_options(o, &error) ||
        (o->format && !input_format(o->format, &format, &error)) ||
        !description_load(&x, o->xml, o->engine, o->verbose, &error) ||
        !check_query(o, x.set, &error) ||
        (o->execute && (!image_load(&image, o->execute, &error) ||
                        !(chip = image_chip(&image, o->execute, o->chip,
                                            &error)))) ||
        !input_load(&in, n_args ? args[0] : "-", format, &error) ||
        (!in.words && !(open_capture(o, &in, &capture, &error)))) {
        return tool_fail("decode", error, TOOL_UNUSABLE);
    }
    return decode_all(o, &in, &capture, &x, chip ? &image : NULL, chip);
}

const ToolCommand cmd_decode = {
    .name = "decode",
    .args = "[FILE]",
    .summary = "Show a command stream packet by packet",
    .detail =
        "FILE (default: standard input) holds hexadecimal words with # "
        "comments, raw little- or big-endian dwords, or a capture of the "
        "device (x-capture=FILE).\n\n"
        "A packet begins at the left margin; behind # stand its offset and "
        "header. Packets of type 3 are shown by their layout, registers as "
        "NAME = value { fields that are set }; + marks a register that is "
        "written for the first time or changes. Lines with > are what the "
        "microcode writes (--execute). 'rv100 encode' reads this text.",
    .options = options,
    .size = sizeof(Options),
    .preset = &(const Options) { .end = UINT64_MAX },
    .max_args = 1,
    .run = run,
};
