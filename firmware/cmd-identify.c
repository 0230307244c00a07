/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 identify: which image is this, for which chip? */
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "flow.h"
#include "image.h"

/* CRC-32 of the images of linux-firmware (2048 bytes, high part first). */
static const struct {
    uint32_t crc;
    const char *name, *chips;
} known[] = {
    { 0xfb2e59a2, "r128/r128_cce.bin", "Rage 128" },
    { 0x92b7f8d8, "radeon/R100_cp.bin", "R100, RV100, RV200, RS100, RS200" },
    { 0xf8f7c7c3, "radeon/R200_cp.bin", "R200, RV250, RV280, RS300" },
    { 0x63b4be38, "radeon/R300_cp.bin", "R300, R350, RV350, RV380, RS400" },
    { 0xe73cc904, "radeon/R420_cp.bin", "R420, R423, RV410" },
    { 0xabea771a, "radeon/R520_cp.bin", "R520, RV515, RV530, R580, RV560" },
    { 0xe5f4096a, "radeon/RS600_cp.bin", "RS600" },
    { 0xff756426, "radeon/RS690_cp.bin", "RS690, RS740" },
};

static uint32_t crc32_of(const char *data, size_t len)
{
    uint32_t crc = 0xffffffff;

    for (size_t i = 0; i < len; i++) {
        crc ^= (uint8_t)data[i];
        for (unsigned bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
    }
    return ~crc;
}

static void print_known(uint32_t crc)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(known); i++) {
        if (known[i].crc == crc) {
            printf("image  %s of linux-firmware, for %s\n", known[i].name,
                   known[i].chips);
            return;
        }
    }
    printf("image  not one of linux-firmware\n");
}

static void print_chip(const Image *image, const Rv100MeChip *chip)
{
    if (chip) {
        printf("chip   %s%s: %u address bits (high part of entry 2 is "
               "0x%02x)\n", chip->name,
               chip->addr_bits == 12 ? " or r200" : "", chip->addr_bits,
               image->hi[2]);
    } else {
        printf("chip   cannot be told: the high part of entry 2 is 0x%02x, not "
               "2, 4 or 8\n", image->hi[2]);
    }
}

static void print_contents(const Image *image, const Rv100MeChip *chip)
{
    g_autofree Flow *f = g_new(Flow, 1);
    bool seen[RV100_ME_WORDS] = { false };
    unsigned code = 0, handlers = 0, used = 0;

    flow_init(f, image, chip ? chip : rv100_me_chip("r100"));
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        code += f->code[i];
        used += image->hi[i] || image->lo[i];
    }
    for (unsigned op = 0; op < FLOW_OPCODES; op++) {
        uint8_t target = flow_dispatch(f, op);

        handlers += target && !seen[target];
        seen[target] = true;
    }
    printf("words  %u of 256 in use, %u reached by packets\n", used, code);
    if (f->table_end == FLOW_TABLE) {
        printf("table  none\n");
        return;
    }
    printf("table  opcodes 0x%02x to 0x%02x, %u handlers\n", 4 * FLOW_TABLE,
           4 * f->table_end - 1, handlers);
}

static int run(const void *options, char **args, unsigned n_args)
{
    GError *error = NULL;
    const Rv100MeChip *chip;
    g_autofree char *data = NULL;
    Image image;
    uint32_t crc;
    size_t len;

    if (!image_load(&image, args[0], &error)) {
        return tool_fail("identify", error, TOOL_UNUSABLE);
    }
    data = image_format_data(&image, IMAGE_BIN, "", &len);
    crc = crc32_of(data, len);
    chip = rv100_me_chip_of_image(image.hi, image.lo);
    print_known(crc);
    printf("crc32  0x%08" PRIx32 "\n", crc);
    print_chip(&image, chip);
    print_contents(&image, chip);
    return TOOL_OK;
}

static const ToolOption options[] = { { NULL } };

const ToolCommand cmd_identify = {
    .name = "identify",
    .args = "IMAGE",
    .min_args = 1,
    .max_args = 1,
    .summary = "Say which microcode image this is, and for which chip",
    .detail =
        "The checksum is that of the image in the form of linux-firmware, "
        "whatever form IMAGE has. The chip comes from the encoding of entry 2, "
        "a jump in every public image.",
    .options = options,
    .size = 1,
    .run = run,
};
