/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 isa: the operations of the microengine, for people and for programs. */
#include <stdio.h>

#include "commands.h"
#include "isa.h"

typedef struct IsaOptions {
    const char *chip;
    bool json;
} IsaOptions;

static const ToolOption options[] = {
    { "chip", 'c', TOOL_STRING, offsetof(IsaOptions, chip), "CHIP",
      "only what this chip is known to have" },
    { "json", 'j', TOOL_FLAG, offsetof(IsaOptions, json), NULL,
      "one JSON object a line" },
    { NULL }
};

static const char *const operands[] = {
    [ISA_NO_OPERAND] = "", [ISA_CODE] = "code", [ISA_DATA] = "data",
    [ISA_REG] = "register", [ISA_SIGNED] = "signed", [ISA_UNSIGNED] = "number",
};

static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            putchar('\\');
        }
        putchar((unsigned char)*text < 0x20 ? ' ' : *text);
    }
    putchar('"');
}

static void print_json(IsaUnit unit, const IsaName *n)
{
    printf("{\"unit\": \"%s\", \"code\": %u, \"name\": \"%s\", \"operand\": "
           "\"%s\", \"confidence\": \"%c\", \"text\": ",
           isa_unit_name(unit), n->code, n->name, operands[n->operand],
           n->confidence);
    print_string(n->text);
    printf(", \"chips\": [");
    for (unsigned i = 0, any = 0; rv100_me_chips()[i]; i++) {
        if (isa_known(rv100_me_chips()[i], unit, n->code)) {
            printf("%s\"%s\"", any++ ? ", " : "", rv100_me_chips()[i]->name);
        }
    }
    printf("]}\n");
}

static void print_line(IsaUnit unit, const IsaName *n)
{
    printf("%-4s %02x  %-16s %-9s %c  %s\n", isa_unit_name(unit), n->code,
           n->name, operands[n->operand], n->confidence, n->text);
}

static int run(const void *opaque, char **args, unsigned n_args)
{
    const IsaOptions *o = opaque;
    const Rv100MeChip *chip = o->chip ? rv100_me_chip(o->chip) : NULL;
    GError *error = NULL;

    if (o->chip && !chip) {
        tool_set_error(&error, "no chip '%s'", o->chip);
        return tool_fail("isa", error, TOOL_UNUSABLE);
    }
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        for (unsigned c = 0; c < isa_codes((IsaUnit)u); c++) {
            const IsaName *n = isa_name((IsaUnit)u, c);

            if (n && (!chip || isa_known(chip, (IsaUnit)u, c))) {
                (o->json ? print_json : print_line)((IsaUnit)u, n);
            }
        }
    }
    return TOOL_OK;
}

const ToolCommand cmd_isa = {
    .name = "isa",
    .args = "",
    .summary = "List the operations of the microengine",
    .detail =
        "Unit, code, mnemonic, what it takes from the address field, how sure "
        "its effect is (H hardware, S stock image, X image of another chip, P "
        "plausible, U unknown), effect.",
    .options = options,
    .size = sizeof(IsaOptions),
    .run = run,
};
