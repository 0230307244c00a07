/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv100 isa: the operations of the microengine, for people and for programs. */
#include <stdio.h>

#include "commands.h"
#include "isa.h"

typedef struct IsaOptions {
    const char *chip;
    bool json, vim;
} IsaOptions;

static const ToolOption options[] = {
    { "chip", 'c', TOOL_STRING, offsetof(IsaOptions, chip), "CHIP",
      "only what this chip is known to have" },
    { "json", 'j', TOOL_FLAG, offsetof(IsaOptions, json), NULL,
      "one JSON object a line" },
    { "vim", 0, TOOL_FLAG, offsetof(IsaOptions, vim), NULL,
      "a syntax file for Vim" },
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

/* Groups of Vim: what each unit looks like. */
static void print_vim(void)
{
    static const char *const looks[ISA_UNITS] = {
        [ISA_SEQ] = "Statement", [ISA_ALU] = "Function", [ISA_OP] = "Type",
        [ISA_SRC] = "Constant",
    };

    printf("\" Microcode of the Radeon command processor; made by 'rv100 isa "
           "--vim'\nsyn case match\n"
           "syn match cpucodeComment \"#.*$\"\n"
           "syn match cpucodeNumber \"\\<\\(0x\\x\\+\\|0b[01]\\+\\|\\d\\+\\)\\>\"\n"
           "syn match cpucodeLabel \"^\\s*\\h\\w*\\s*:\"\n"
           "syn match cpucodeDirective \"\\.\\h\\w*\"\n"
           "syn keyword cpucodeItem latch adv write if_flag if_count idx me "
           "addr high src alu op seq idxsel mcsel\n");
    for (unsigned u = 0; u < ISA_UNITS; u++) {
        printf("syn keyword cpucode_%s", isa_unit_name((IsaUnit)u));
        for (unsigned c = 0; c < isa_codes((IsaUnit)u); c++) {
            const IsaName *n = isa_name((IsaUnit)u, c);

            printf("%s%s", n ? " " : "", n ? n->name : "");
        }
        printf("\nhi def link cpucode_%s %s\n", isa_unit_name((IsaUnit)u),
               looks[u]);
    }
    printf("hi def link cpucodeComment Comment\n"
           "hi def link cpucodeNumber Number\n"
           "hi def link cpucodeLabel Label\n"
           "hi def link cpucodeDirective PreProc\n"
           "hi def link cpucodeItem Keyword\n");
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
    if (o->vim) {
        print_vim();
        return TOOL_OK;
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
