/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The assembler: encodings, directives, expressions, messages. */
#include <string.h>

#include "asm.h"
#include "rv100-me-isa.h"
#include "rv100-regs.h"

#define BIT(name) ME_WORD_##name##_MASK
#define CODE(field, value) ((uint64_t)(value) << ME_WORD_##field##_SHIFT)
#define NXT CODE(SEQ, ME_SEQ_NXT)

/* Word `addr` of a source, which must assemble. */
static uint64_t word_of(const char *source, unsigned addr)
{
    AsmResult r;
    uint64_t q;

    asm_text("test.s", source, strlen(source), &r);
    if (r.n_errors) {
        g_error("%s", r.messages->str);
    }
    q = (uint64_t)r.image.hi[addr] << 32 | r.image.lo[addr];
    asm_result_clear(&r);
    return q;
}

static const struct {
    const char *text;
    uint64_t word;
} lines[] = {
    { "nxt", NXT },
    { "rpt", 0 },
    { "latch adv", NXT | BIT(LAT) | BIT(ADV) },
    { "adv;latch;;", NXT | BIT(LAT) | BIT(ADV) },
    { "write GUI_SCRATCH_REG0, pkt ; latch adv",
      NXT | BIT(WR) | BIT(LAT) | BIT(ADV) | R_GUI_SCRATCH_REG0 },
    { "write GUI_SCRATCH_REG0", NXT | BIT(WR) | R_GUI_SCRATCH_REG0 },
    { "write idx, a ; idx_inc ; rpt",
      BIT(WR) | BIT(IDXSEL) | CODE(SRC, ME_SRC_A) | CODE(OP, ME_OP_IDX_INC) },
    { "write me[0x12], ta",
      NXT | BIT(WR) | BIT(MCSEL) | CODE(SRC, ME_SRC_TA) | 0x12 },
    { "write me[idx], src 7",
      NXT | BIT(WR) | BIT(MCSEL) | BIT(IDXSEL) | CODE(SRC, 7) },
    { "if_flag if_count latch ; jz 0x34",
      CODE(SEQ, ME_SEQ_JZ) | BIT(COND) | BIT(CGATE) | BIT(LAT) | 0x34 },
    { "addl -1", NXT | CODE(ALU, ME_ALU_ADDL) | 0xff },
    { "addh 127 ; ret",
      CODE(SEQ, ME_SEQ_RET) | CODE(ALU, ME_ALU_ADDH) | 0x7f },
    { "ld 0x80 ; mcptr 0x80 ; jmp 0x80",
      CODE(SEQ, ME_SEQ_JMP) | CODE(ALU, ME_ALU_LD) | CODE(OP, ME_OP_MCPTR)
      | 0x80 },
    { "idx_addr GUI_SCRATCH_REG0 + 1",
      NXT | CODE(OP, ME_OP_IDX_ADDR) | (R_GUI_SCRATCH_REG0 + 1) },
    { "ld_next", CODE(SEQ, ME_SEQ_SKP) | CODE(ALU, ME_ALU_LD_NEXT) },
    { "ld_next nxt", NXT | CODE(ALU, ME_ALU_LD_NEXT) },
    { "table 1", CODE(SEQ, ME_SEQ_SKP) | CODE(ALU, ME_ALU_TABLE) | 1 },
    { "addr 0xabc", NXT | 0xabc },
    { "idxsel mcsel src a",
      NXT | BIT(IDXSEL) | BIT(MCSEL) | CODE(SRC, ME_SRC_A) },
    { "high 3 ; rpt", CODE(SEQ, 0) | UINT64_C(3) << 38 },
    { ".word 0x12345678", 0x12345678 },
    { ".word 0x3f, -1", UINT64_C(0x3fffffffff) },
    { ".word (1 + 2) * 3 << 4 | 0b101 ^ ~0 & 0", (9 << 4) | 5 },
    { ".word 7 / 2 + 9 % 4 - 0 - -1", 5 },
};

static void test_lines(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_test_message("%s", lines[i].text);
        g_assert_cmphex(word_of(lines[i].text, 0), ==, lines[i].word);
    }
}

static void test_widths(void)
{
    g_assert_cmphex(word_of(".chip r300\nlatch ; write 0x1fff, pkt", 0), ==,
                    UINT64_C(1) << 34 | 1 << 14 | 1 << 13 | 0x1fff);
    g_assert_cmphex(word_of(".chip r128\nlatch ; write 0x7ff, pkt", 0), ==,
                    UINT64_C(1) << 32 | 1 << 12 | 1 << 11 | 0x7ff);
}

static void test_layout(void)
{
    static const char source[] =
        "    .equ top, 0xf0\n"
        "    .org 2\n"
        "    jmp body        # forward\n"
        "    .org 0x20\n"
        "body: again:\n"
        "    ld top\n"
        "    jz again ; latch\n"
        "    ld =0x12345678\n"
        "    ld =42\n"
        "    ld =0x12345678\n"
        "    jmp .\n"
        "    .pool\n"
        "    ld =43\n"
        "    .org top\n"
        "    .word body + 1\n";

    g_assert_cmphex(word_of(source, 2), ==, CODE(SEQ, ME_SEQ_JMP) | 0x20);
    g_assert_cmphex(word_of(source, 0x20), ==,
                    NXT | CODE(ALU, ME_ALU_LD) | 0xf0);
    g_assert_cmphex(word_of(source, 0x21), ==,
                    CODE(SEQ, ME_SEQ_JZ) | BIT(LAT) | 0x20);
    g_assert_cmphex(word_of(source, 0x22), ==,
                    NXT | CODE(ALU, ME_ALU_LD) | 0x26);
    g_assert_cmphex(word_of(source, 0x23), ==,
                    NXT | CODE(ALU, ME_ALU_LD) | 0x27);
    g_assert_cmphex(word_of(source, 0x24), ==,
                    NXT | CODE(ALU, ME_ALU_LD) | 0x26);
    g_assert_cmphex(word_of(source, 0x25), ==, CODE(SEQ, ME_SEQ_JMP) | 0x25);
    g_assert_cmphex(word_of(source, 0x26), ==, 0x12345678);
    g_assert_cmphex(word_of(source, 0x27), ==, 42);
    g_assert_cmphex(word_of(source, 0x28), ==,
                    NXT | CODE(ALU, ME_ALU_LD) | 0xf1);
    g_assert_cmphex(word_of(source, 0xf0), ==, 0x21);
    g_assert_cmphex(word_of(source, 0xf1), ==, 43);
}

static void test_dispatch(void)
{
    static const char source[] =
        "    .dispatch 0x10..0x13, rest\n"
        "    .dispatch PAINT, paint\n"
        "    .dispatch 3D_DRAW_IMMD, rest\n"
        "    .org 0x40\n"
        "rest: latch adv ; rpt\n"
        "paint: rpt\n";

    g_assert_cmphex(word_of(source, 4), ==, 0x40404140);
    g_assert_cmphex(word_of(source, 0x29 >> 2), ==, 0x40 << 8);
}

/* Each source has one mistake; the message begins like this. */
static const struct {
    const char *source, *message;
} mistakes[] = {
    { "  wriet 1, pkt", "t.s:1:3: error: no instruction item 'wriet'" },
    { "\n  jmp nowhere", "t.s:2:7: error: no label, constant or register 'now" },
    { "  write GUI_SCRATCHREG0, pkt", "t.s:1:9: error: no label, constant or" },
    { "  latch latch", "t.s:1:9: error: said twice" },
    { "  jmp 1 ; call 1", "t.s:1:11: error: a second seq operation" },
    { "  ld 1 ; addl 1", "t.s:1:10: error: a second alu operation" },
    { "  write 1 ; write 1", "t.s:1:13: error: a second write" },
    { "  write 1, pkt ; jmp 2", "t.s:1:22: error: the one address field would "
      "have to hold both 0x1 and 0x2" },
    { "  write 0x1000, pkt", "t.s:1:9: error: 4096 does not fit the 12 bits" },
    { "  addl -129", "t.s:1:8: error: -129 does not fit" },
    { "  write 1, nix", "t.s:1:12: error: a source expected" },
    { "  write 1, pkt,", "t.s:1:15: error: an instruction item expected" },
    { "  write me[1, pkt", "t.s:1:13: error: ']' expected" },
    { "  write me 1", "t.s:1:12: error: '[' behind me expected" },
    { "  jmp", "t.s:1:6: error: a value expected" },
    { "  jmp (1", "t.s:1:9: error: ')' expected" },
    { "  jmp 1 +", "t.s:1:10: error: a value expected" },
    { "  jmp 1/0", "t.s:1:8: error: division by zero" },
    { "  alu 64", "t.s:1:7: error: alu has codes 0 to 0x3f" },
    { "  high 4", "t.s:1:8: error: r100 has 2 bits above" },
    { "a: rpt\na: rpt", "t.s:2:1: error: 'a' is defined already in t.s:1" },
    { "jmp: rpt", "t.s:1:1: error: 'jmp' is a mnemonic" },
    { "latch: rpt", "t.s:1:1: error: 'latch' is a mnemonic" },
    { "GUI_SCRATCH_REG0: rpt", "t.s:1:1: error: 'GUI_SCRATCH_REG0' is a reg" },
    { "1a: rpt", "t.s:1:1: error: a label may not begin with a digit" },
    { "  .org later\nlater: rpt", "t.s:1:8: error: .org wants a value that is" },
    { "  .org 257", "t.s:1:8: error: .org wants an address" },
    { "  .org 255\n rpt\n rpt", "t.s:3:2: error: the program does not fit" },
    { "  rpt\n  .org 0\n  rpt", "t.s:3:3: error: word 0x00 is defined already "
      "in t.s:1" },
    { "  .org 4\n  rpt\n  .dispatch PAINT, 5", "t.s:3:13: error: word 0x04 is" },
    { "  .dispatch 0x80, 1", "t.s:1:13: error: a packet name or an opcode" },
    { "  .dispatch 1", "t.s:1:14: error: ',' and a label expected" },
    { "  .dispatch PAINT, 256", "t.s:1:20: error: a microcode address" },
    { "  .dispatch PAINT, 5\n  .dispatch 0x11, 6", "t.s:2:13: error: opcode "
      "0x11 is dispatched already in t.s:1" },
    { "  .word 0x100, 0", "t.s:1:9: error: .word [HIGH,] LOW" },
    { "  .word 0x100000000", "t.s:1:9: error: .word [HIGH,] LOW" },
    { "  .word 1 2", "t.s:1:11: error: the line should end here" },
    { "  .nonsense", "t.s:1:4: error: no such directive" },
    { "  .chip r600", "t.s:1:9: error: a chip expected" },
    { "  rpt\n  .chip r300", "t.s:2:9: error: .chip must come before" },
    { "  .include \"/nonexistent\"", "t.s:1:13: error: no such file" },
    { "  .include 5", "t.s:1:12: error: a file name in quotes" },
    { "  .include \"x", "t.s:1:13: error: no closing" },
    { "  .equ 5, 1", "t.s:1:8: error: a name expected" },
    { "  .equ x 1", "t.s:1:10: error: ',' behind the name expected" },
    { "  ld =0x100000000", "t.s:1:7: error: the constant does not fit" },
    { "  rpt $", "t.s:1:7: error: an instruction item expected" },
    { "\x80", "t.s:1:1: error: an instruction item expected" },
};

static void test_mistakes(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(mistakes); i++) {
        AsmResult r;
        bool ok = asm_text("t.s", mistakes[i].source,
                           strlen(mistakes[i].source), &r);

        g_assert_false(ok);
        if (!g_str_has_prefix(r.messages->str, mistakes[i].message) ||
            r.n_errors != 1) {
            g_error("'%s' gives: %s", mistakes[i].source, r.messages->str);
        }
        asm_result_clear(&r);
    }
}

static void test_caret(void)
{
    AsmResult r;

    asm_text("t.s", "\tjmp x", 6, &r);
    g_assert_cmpstr(r.messages->str, ==,
                    "t.s:1:6: error: no label, constant or register 'x'\n"
                    " jmp x\n"
                    "     ^\n");
    asm_result_clear(&r);
}

static void test_many_errors(void)
{
    g_autoptr(GString) s = g_string_new(NULL);
    AsmResult r;

    for (unsigned i = 0; i < 1000; i++) {
        g_string_append(s, "  wrong\n");
    }
    g_assert_false(asm_text("t.s", s->str, s->len, &r));
    g_assert_cmpuint(r.n_errors, ==, 20);
    asm_result_clear(&r);
}

static void test_unknown_code_warns(void)
{
    AsmResult r;

    g_assert_true(asm_text("t.s", "  shr 3", 7, &r));
    g_assert_cmpuint(r.n_warnings, ==, 1);
    g_assert_nonnull(strstr(r.messages->str, "t.s:1:3: warning: what alu 0x1d "
                            "does on r100 is not known"));
    asm_result_clear(&r);
}

static void test_nesting(void)
{
    g_autoptr(GString) s = g_string_new("  .word ");
    AsmResult r;

    for (unsigned i = 0; i < 100000; i++) {
        g_string_append_c(s, i % 3 ? '(' : '-');
    }
    g_assert_false(asm_text("t.s", s->str, s->len, &r));
    g_assert_nonnull(strstr(r.messages->str, "nested too deeply"));
    asm_result_clear(&r);
}

static void test_listing_and_symbols(void)
{
    static const char source[] = "start:\n  latch adv\n  jmp start # x\n";
    AsmResult r;

    g_assert_true(asm_text("t.s", source, strlen(source), &r));
    g_assert_cmpstr(r.listing->str, ==,
                    "                start:\n"
                    "00: 02 00005000    latch adv\n"
                    "01: 04 00000000    jmp start # x\n");
    g_assert_cmpstr(r.symbols->str, ==, "00 start\n");
    asm_result_clear(&r);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/asm/lines", test_lines);
    g_test_add_func("/asm/widths", test_widths);
    g_test_add_func("/asm/layout", test_layout);
    g_test_add_func("/asm/dispatch", test_dispatch);
    g_test_add_func("/asm/mistakes", test_mistakes);
    g_test_add_func("/asm/caret", test_caret);
    g_test_add_func("/asm/many-errors", test_many_errors);
    g_test_add_func("/asm/unknown-code", test_unknown_code_warns);
    g_test_add_func("/asm/nesting", test_nesting);
    g_test_add_func("/asm/listing-and-symbols", test_listing_and_symbols);
    return g_test_run();
}
