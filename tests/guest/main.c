/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The demo: what a driver does to bring the command processor up, each step
 * with a check. Options on the command line: "wait" = keep the picture until
 * a byte arrives on the serial port. Modules: a microcode image, and a text of
 * packets that are sent at the end.
 */
#include "guest.h"
#include "pm4-words.h"
#include "rv100-pm4.h"
#include "rv100-regs.h"

#define BOOT_MAGIC 0x2badb002u
#define INFO_CMDLINE (1u << 2)
#define INFO_MODULES (1u << 3)
#define EXIT_PORT 0xf4          /* isa-debug-exit: status = 2 * value + 1 */
#define EXIT_PASS 0x10
#define EXIT_FAIL 0x11

#define IMAGE_BYTES 2048

typedef struct BootInfo {
    uint32_t flags, mem_lower, mem_upper, boot_device, cmdline;
    uint32_t n_modules, modules;
} BootInfo;

typedef struct BootModule {
    uint32_t start, end, text, reserved;
} BootModule;

typedef struct Packets {
    const uint8_t *start, *end; /* start NULL: none */
} Packets;

/* gcc may call these. */
void *memset(void *p, int c, size_t n);
void *memcpy(void *to, const void *from, size_t n);

void *memset(void *p, int c, size_t n)
{
    volatile uint8_t *b = p;

    while (n--) {
        *b++ = c;
    }
    return p;
}

void *memcpy(void *to, const void *from, size_t n)
{
    volatile uint8_t *d = to;
    const uint8_t *s = from;

    while (n--) {
        *d++ = *s++;
    }
    return to;
}

static bool has_word(const char *line, const char *word)
{
    for (; *line; line++) {
        unsigned n = 0;

        while (word[n] && line[n] == word[n]) {
            n++;
        }
        if (!word[n]) {
            return true;
        }
    }
    return false;
}

static void packet0(uint32_t offset, uint32_t value)
{
    ring_emit(pm4_type0(offset, 1, false));
    ring_emit(value);
}

/* --- steps --- */

static void check_apertures(const Device *d)
{
    volatile uint32_t *v = (volatile uint32_t *)(d->vram + 0x100000);
    uint32_t n = (d->vram_size - 0x100000) / 4, wrong = 0;

    check("class of the card", 0x0300, cfg_rd(d, 0x08) >> 16);
    wr(d, A_BIOS_0_SCRATCH, 0x600dcafe);
    outl(d->io, A_BIOS_0_SCRATCH);
    check("MM_INDEX reaches the registers", 0x600dcafe, inl(d->io + 4));
    /* Each 64 KiB its own value, then all of them read back. */
    for (uint32_t i = 0; i < n; i += 0x4000) {
        v[i] = (i + 1) * 0x9e3779b1u;
    }
    for (uint32_t i = 0; i < n; i += 0x4000) {
        wrong += v[i] != (i + 1) * 0x9e3779b1u;
    }
    check("VRAM: wrong words", 0, wrong);
    outl(d->io, 0x80100000u);
    check("MM_INDEX bit 31 reaches VRAM", v[0], inl(d->io + 4));
}

static void check_packets(const Device *d)
{
    packet0(A_GUI_SCRATCH_REG0, 0xdeadbeef);
    check("ring runs", 1, ring_run(d));
    check("type 0", 0xdeadbeef, rd(d, A_GUI_SCRATCH_REG0));

    ring_emit(pm4_type0(A_GUI_SCRATCH_REG0, 3, false));
    ring_emit(1);
    ring_emit(2);
    ring_emit(3);
    ring_run(d);
    check("type 0, three registers", 3, rd(d, A_GUI_SCRATCH_REG2));

    ring_emit(pm4_type0(A_GUI_SCRATCH_REG1, 3, true));
    ring_emit(7);
    ring_emit(8);
    ring_emit(9);
    ring_run(d);
    check("type 0, one register", 9, rd(d, A_GUI_SCRATCH_REG1));

    ring_emit(pm4_type1(A_GUI_SCRATCH_REG3, A_GUI_SCRATCH_REG4));
    ring_emit(0x11);
    ring_emit(0x44);
    ring_run(d);
    check("type 1, first register", 0x11, rd(d, A_GUI_SCRATCH_REG3));
    check("type 1, second register", 0x44, rd(d, A_GUI_SCRATCH_REG4));

    ring_emit(pm4_type2());
    ring_emit(pm4_type2());
    packet0(A_GUI_SCRATCH_REG5, 0x55);
    ring_run(d);
    check("type 2", 0x55, rd(d, A_GUI_SCRATCH_REG5));

    ring_emit(pm4_type3(PM4_OP_NOP, 3));
    ring_emit(R_GUI_SCRATCH_REG5);
    ring_emit(0xbad);
    ring_emit(0xbad);
    packet0(A_GUI_SCRATCH_REG0, 0x10);
    ring_run(d);
    check("type 3, NOP takes its words", 0x55, rd(d, A_GUI_SCRATCH_REG5));
    check("type 3, next packet", 0x10, rd(d, A_GUI_SCRATCH_REG0));
}

/* A packet with a handler of its own. */
static void check_handler(const Device *d)
{
    ring_emit(pm4_type3(PM4_OP_3D_LOAD_VBPNTR, 2));
    ring_emit(1);
    ring_emit(0x00000808);
    ring_run(d);
    check("type 3, LOAD_VBPNTR, arrays", 1, rd(d, A_SE_VTX_NUM_ARRAYS));
    check("type 3, LOAD_VBPNTR, attributes", 0x00000808,
          rd(d, A_SE_VTX_AOS_ATTR01));
}

static void check_indirect(const Device *d)
{
    const uint32_t words[] = {
        pm4_type0(A_GUI_SCRATCH_REG1, 1, false), 0x1b1b1b1b,
        pm4_type0(A_GUI_SCRATCH_REG2, 2, false), 0x2b2b2b2b, 0x3b3b3b3b,
        pm4_type2(),
    };
    uint32_t at = gart_place(words, N_ELEMENTS(words));

    packet0(A_GUI_SCRATCH_REG3, 0);
    ring_emit(pm4_type0(A_CP_IB_BASE, 2, false));
    ring_emit(at);
    ring_emit(N_ELEMENTS(words));
    packet0(A_GUI_SCRATCH_REG4, 0x4b4b4b4b);
    ring_run(d);
    check("indirect buffer, first packet", 0x1b1b1b1b,
          rd(d, A_GUI_SCRATCH_REG1));
    check("indirect buffer, last word", 0x3b3b3b3b,
          rd(d, A_GUI_SCRATCH_REG3));
    check("ring goes on after it", 0x4b4b4b4b, rd(d, A_GUI_SCRATCH_REG4));
}

static void check_write_back(const Device *d)
{
    check("RPTR written to memory", ring_wptr(), rptr_written);
    wr(d, A_SCRATCH_UMSK, 1 << 0);
    packet0(A_GUI_SCRATCH_REG0, 0x5c5c0000);
    packet0(A_GUI_SCRATCH_REG1, 0x5c5c1111);
    ring_run(d);
    check("scratch 0 written to memory", 0x5c5c0000, scratch_written[0]);
    check("scratch 1 masked off", 0, scratch_written[1]);
}

static void check_wrap(const Device *d)
{
    uint32_t n = 0;

    /* Three times round, with packets across the end of the ring. */
    while (n < 3 * RING_DWORDS) {
        for (unsigned i = 0; i < 100; i++) {
            packet0(A_GUI_SCRATCH_REG1, n + i);
            ring_emit(pm4_type2());
        }
        n += 300;
        if (!ring_run(d)) {
            break;
        }
    }
    check("ring wraps", n - 300 + 99, rd(d, A_GUI_SCRATCH_REG1));
    check("idle at the end", 0x140, rd(d, A_RBBM_STATUS));
}

/* --- packets of a file --- */

static int hex_digit(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0'
         : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/* Hexadecimal words, '#' comments (the sender has checked them): into the
 * ring. */
static unsigned emit_text(const uint8_t *at, const uint8_t *end)
{
    unsigned n = 0;

    while (at < end) {
        uint32_t word = 0;

        if (*at == '#') {
            while (at < end && *at != '\n') {
                at++;
            }
        } else if (hex_digit(*at) < 0) {
            at++;
        } else {
            for (; at < end && (hex_digit(*at) >= 0 || (*at | 0x20) == 'x');
                 at++) {
                /* "0x" begins anew. */
                word = hex_digit(*at) < 0 ? 0
                     : word << 4 | (uint32_t)hex_digit(*at);
            }
            ring_emit(word);
            n++;
        }
    }
    return n;
}

static void run_packets(const Device *d, const Packets *p)
{
    bool idle;

    print("PACKETS ");
    print_dec(emit_text(p->start, p->end));
    idle = ring_run(d);
    print(idle ? " words, engine idle\n" : " words, engine busy\n");
    for (unsigned i = 0; i < 6; i++) {
        print("GUI_SCRATCH_REG");
        print_dec(i);
        print(" ");
        print_hex(rd(d, A_GUI_SCRATCH_REG0 + 4 * i));
        print("\n");
    }
}

static void run(const uint8_t *image, const Packets *packets)
{
    Device d;

    if (!device_find(&d)) {
        check("card on the PCI bus", 1, 0);
        return;
    }
    check_apertures(&d);
    check("microcode words read back", 256, microcode_load(&d, image));
    gart_init(&d);
    ring_init(&d);
    check_packets(&d);
    check_handler(&d);
    check_indirect(&d);
    check_write_back(&d);
    check_wrap(&d);
    if (packets->start) {
        run_packets(&d, packets);
    }
    picture_show(&d);
}

void guest_main(uint32_t magic, const BootInfo *info);

void guest_main(uint32_t magic, const BootInfo *info)
{
    const BootModule *modules = (const BootModule *)info->modules;
    const uint8_t *image = NULL;
    Packets packets = { NULL, NULL };
    bool wait;

    serial_init();
    wait = magic == BOOT_MAGIC && (info->flags & INFO_CMDLINE) &&
           has_word((const char *)info->cmdline, "wait");
    for (uint32_t i = 0; magic == BOOT_MAGIC && (info->flags & INFO_MODULES) &&
         i < info->n_modules; i++) {
        const uint8_t *start = (const uint8_t *)modules[i].start;
        const uint8_t *end = (const uint8_t *)modules[i].end;

        /* An image begins with a zero byte, which no text has. */
        if (end - start == IMAGE_BYTES && !*start) {
            image = start;
        } else {
            packets = (Packets) { start, end };
        }
    }
    print("RV100 demo, microcode: ");
    print(image ? "given image\n" : "free image\n");
    run(image, &packets);
    print("RESULT ");
    print_dec(n_results - n_failed);
    print(" passed, ");
    print_dec(n_failed);
    print(" failed\n");
    if (wait) {
        print("FONT ");
        print_hex((uint32_t)picture_font);
        print("\nREADY\n");
        serial_wait();
    }
    outl(EXIT_PORT, n_failed ? EXIT_FAIL : EXIT_PASS);
}
