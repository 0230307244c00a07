/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 run: what a microcode image does with a stream of packets. */
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "image.h"
#include "runner.h"
#include "words.h"

typedef struct RunOptions {
    const char *firmware, *packets, *chip;
    uint64_t max_steps;
    bool json;
} RunOptions;

static const ToolOption options[] = {
    { "firmware", 'f', TOOL_STRING, offsetof(RunOptions, firmware), "IMAGE",
      "microcode image (.bin, C array or address dump)" },
    { "packets", 'p', TOOL_STRING, offsetof(RunOptions, packets), "FILE",
      "hexadecimal words; - is standard input" },
    { "chip", 'c', TOOL_STRING, offsetof(RunOptions, chip), "CHIP",
      "r128, r100, r200 or r300 (default: what entry 2 of IMAGE says)" },
    { "max-steps", 0, TOOL_NUMBER, offsetof(RunOptions, max_steps), "N",
      "instructions without taking a word that count as wedged (1000000)" },
    { "json", 'j', TOOL_FLAG, offsetof(RunOptions, json), NULL,
      "one JSON object a line" },
    { NULL }
};

static void print_reg(Runner *r, uint32_t dword, uint32_t value)
{
    printf("write 0x%04" PRIx32 " 0x%08" PRIx32 "\n", dword, value);
}

static void print_reg_json(Runner *r, uint32_t dword, uint32_t value)
{
    printf("{\"type\": \"write\", \"addr\": %" PRIu32 ", \"value\": %" PRIu32
           "}\n", dword, value);
}

static void print_me(Runner *r, uint8_t addr, uint8_t hi, uint32_t lo)
{
    printf("me 0x%02x 0x%02x 0x%08" PRIx32 "\n", addr, hi, lo);
}

static void print_me_json(Runner *r, uint8_t addr, uint8_t hi, uint32_t lo)
{
    printf("{\"me\": %u, \"hi\": %u, \"lo\": %" PRIu32 "}\n", addr, hi, lo);
}

static void print_state(const Runner *r, RunState state, bool json)
{
    printf(json ? "{\"state\": \"%s\", \"pc\": %u, \"left\": %" PRIu32
                  ", \"steps\": %" PRIu64 "}\n"
                : "state %s pc 0x%02x left %" PRIu32 " steps %" PRIu64 "\n",
           runner_state_name(state), r->me.pc, r->me.left, r->me.steps);
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const RunOptions *o = opaque;
    g_autofree Runner *r = g_new(Runner, 1);
    g_autoptr(GArray) words = NULL;
    GError *error = NULL;
    const Rv100MeChip *chip;
    Image image;

    if (!o->firmware || !o->packets) {
        tool_set_error(&error, "--firmware and --packets are needed (try "
                       "'rv100 help run')");
        return tool_fail("run", error, TOOL_UNUSABLE);
    }
    if (!image_load(&image, o->firmware, &error) ||
        !(chip = image_chip(&image, o->firmware, o->chip, &error)) ||
        !(words = words_load(o->packets, &error))) {
        return tool_fail("run", error, TOOL_UNUSABLE);
    }
    runner_init(r, &image, chip);
    r->reg = o->json ? print_reg_json : print_reg;
    r->me_word = o->json ? print_me_json : print_me;
    print_state(r, runner_run(r, (const uint32_t *)words->data, words->len,
                              o->max_steps ? o->max_steps : RUN_MAX_STEPS),
                o->json);
    return TOOL_OK;
}

const ToolCommand cmd_run = {
    .name = "run",
    .args = "--firmware IMAGE --packets FILE",
    .summary = "Run microcode over a stream of packets and print what it writes",
    .detail =
        "FILE holds 32-bit hexadecimal words, with or without 0x, separated by "
        "white space; '#' starts a comment.\n\n"
        "In order of execution: 'write 0xDDDD 0xVVVVVVVV' for each register "
        "write (dword address, value), 'me 0xAA 0xHH 0xLLLLLLLL' for each "
        "microcode word that the engine writes, then 'state idle|waiting|wedged "
        "pc 0xPP left N steps N'. idle: all words taken and between packets; "
        "waiting: inside a packet, with N words left; wedged: the limit of "
        "instructions since the last word was taken is reached.",
    .options = options,
    .size = sizeof(RunOptions),
    .max_args = 0,
    .run = run,
};
