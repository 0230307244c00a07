/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 replay: a capture on the chip library. */
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "input.h"
#include "png-file.h"
#include "replay.h"

typedef struct Options {
    const char *frames;
} Options;

static const ToolOption options[] = {
    { "frames", 'F', TOOL_STRING, offsetof(Options, frames), "PREFIX",
      "write pictures that differ from the one before: PREFIX0001.png ..., "
      "of the second head PREFIXhead2-0001.png ..." },
    { NULL }
};

typedef struct Frames {
    const char *prefix;
    GError *error;
} Frames;

static bool write_frame(void *opaque, unsigned head, uint64_t number,
                        uint32_t width, uint32_t height,
                        const uint32_t *pixels)
{
    Frames *f = opaque;
    g_autofree char *path = g_strdup_printf("%s%s%04" PRIu64 ".png", f->prefix,
                                            head ? "head2-" : "", number);

    return png_file_write(path, width, height, pixels, &f->error);
}

static int report(const Capture *c, ReplayResult result,
                  const ReplayStats *stats, const char *difference)
{
    if (result == REPLAY_DIFFERS) {
        fflush(stdout);
        fprintf(stderr, "rv100 replay: %s\n", difference);
        return TOOL_FOUND;
    }
    printf("%" PRIu64 " calls, %" PRIu64 " packets, %" PRIu64 " register "
           "writes of the engine, %" PRIu64 " reads, %" PRIu64 " bytes of "
           "memory, %" PRIu64 " changes of the interrupt line: all as "
           "captured\n", stats->calls, stats->packets, stats->writes,
           stats->reads, stats->memory, stats->interrupts);
    if (stats->frames) {
        printf("%" PRIu64 " pictures\n", stats->frames);
    }
    if (c->cut) {
        fflush(stdout);
        fprintf(stderr, "rv100 replay: %s: %s; replayed up to there\n",
                c->name, c->cut);
        return c->damaged ? TOOL_UNUSABLE : TOOL_OK;
    }
    return TOOL_OK;
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const Options *o = opaque;
    g_auto(Input) in = { 0 };
    g_auto(Capture) c = { 0 };
    g_autofree char *difference = NULL;
    Frames frames = { o->frames, NULL };
    ReplayOptions ro = { .frame = o->frames ? write_frame : NULL,
                         .opaque = &frames };
    ReplayStats stats;
    ReplayResult result;
    GError *error = NULL;

    if (!input_load(&in, args[0], INPUT_CAPTURE, &error) ||
        !capture_open(&c, in.name, in.data, in.len, &error)) {
        return tool_fail("replay", error, TOOL_UNUSABLE);
    }
    result = replay_run(&c, &ro, &stats, &difference);
    if (result == REPLAY_STOPPED) {
        return tool_fail("replay", frames.error, TOOL_FOUND);
    }
    return report(&c, result, &stats, difference);
}

const ToolCommand cmd_replay = {
    .name = "replay",
    .args = "CAPTURE",
    .summary = "Run a capture of the device again and compare",
    .detail =
        "CAPTURE was recorded by the device (property x-capture=FILE). The "
        "chip is given the same accesses, times and memory; register writes "
        "of the engine, values that were read, memory written and interrupts "
        "are compared. The first difference ends the replay with exit status "
        "1.\n\n"
        "A capture that is cut off is replayed up to the last whole call.",
    .options = options,
    .size = sizeof(Options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
