/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debugger through every front end of the device: QMP, the monitor command,
 * the console on a character device. The guest notices nothing but time.
 */
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rv.h"
#include "rv-debug.h"

#define FENCE 0xfe9ce000

/* --- QMP --- */

/* What a command prints, as JSON has it. */
static char *debug(RvVm *vm, const char *command)
{
    g_autofree char *quoted = rv_json_quote(command);
    g_autofree char *args = g_strdup_printf("{\"command\": %s}", quoted);

    return rv_qmp(vm, "x-rv100-debug", args);
}

static void expect(RvVm *vm, const char *command, const char *text)
{
    g_autofree char *reply = debug(vm, command);

    if (!strstr(reply, text)) {
        g_error("'%s' is not in the answer to '%s': %s", text, command, reply);
    }
}

static bool halted(RvVm *vm)
{
    g_autofree char *reply = debug(vm, "echo");

    return strstr(reply, "\"halted\": true");
}

/* The engine works in slices of virtual time: ask until it has halted. */
static void wait_halted(RvVm *vm)
{
    for (int i = 0; i < 1000; i++) {
        if (halted(vm)) {
            return;
        }
        g_usleep(2000);
    }
    g_error("the engine did not halt");
}

/* --- a packet to be looked at --- */

/* BITBLT in VRAM and a fence behind it. */
static void blit_words(RvStream *s)
{
    static const uint32_t blit[] = { 0, 8 << 16 | 8, 4 << 16 | 4 };

    rv_stream_init(s);
    rv_packet3(s, 0x12, blit, G_N_ELEMENTS(blit));
    rv_packet0(s, A_GUI_SCRATCH_REG1, FENCE);
}

static void set_up_2d(RvDev *d)
{
    wr_mc_fb_location(d, (rd_config_memsize(d) - 1) & 0xffff0000);
    wr_default_pitch_offset(d, 1 << R_DEFAULT_PITCH_OFFSET_PITCH_SHIFT);
    wr_default_sc_bottom_right(d, 0x1fff1fff);
    wr_dp_write_mask(d, ~0u);
    wr_dp_cntl(d, 3);
    wr_dp_gui_master_cntl(d, 0x52cc36f0);   /* SRCCOPY, 32 bpp, from memory */
    for (unsigned y = 0; y < 4; y++) {
        for (unsigned x = 0; x < 4; x++) {
            rv_vram_wr32(d, 64 * y + 4 * x, 0x1000 * y + x + 1);
        }
    }
}

static void check_drawn(RvDev *d)
{
    for (unsigned y = 0; y < 4; y++) {
        for (unsigned x = 0; x < 2; x++) {
            rv_assert_hex(rv_vram_rd32(d, 64 * (8 + y) + 4 * (8 + x)),
                          0x1000 * y + x + 1);
        }
    }
}

static RvDev *device(const char *args, const char *plugin_args, RvBios bios)
{
    g_autofree char *all = g_strdup_printf("-machine pc -m 64 -vga none %s", args);
    RvVmConfig config = { .bios = bios, .args = all, .plugin_args = plugin_args };
    RvVm *vm = rv_vm_new(&config);

    return vm ? rv_dev_probe(vm, 0) : NULL;
}

static RvRing *start_ring(RvDev *d)
{
    RvRing *r = rv_ring_new(d, 8);
    RvStream s;

    rv_load_free_image(d);
    set_up_2d(d);
    blit_words(&s);
    rv_words(&r->out, (const uint32_t *)s.words->data, s.words->len);
    rv_stream_clear(&s);
    return r;
}

static void finish_ring(RvDev *d)
{
    g_assert_true(rv_wait_idle(d));
    rv_assert_hex(rd_gui_scratch_reg1(d), FENCE);
    check_drawn(d);
    rv_assert_hex(rd_rbbm_status(d), 0x140);
}

/* --- sessions --- */

/* With a guest that counts: its count goes on while the engine is halted. */
static void test_qmp(void)
{
    g_autoptr(RvDev) d = device("-device radeon-rv100,id=gpu0,vgamem_mb=8", NULL,
                                RV_BIOS_COUNT);
    g_autoptr(RvRing) r = NULL;
    uint64_t count;

    if (!d) {
        return;
    }
    r = start_ring(d);
    expect(d->vm, "break bitblt_next", "Breakpoint 1: at 0x5a bitblt_next");
    rv_ring_kick(r);
    wait_halted(d->vm);
    expect(d->vm, "info status", "halted by the debugger");
    /* busy bits tell the truth: in a packet, words are waiting */
    rv_assert_hex(rd_rbbm_status(d) & 0x80010000, 0x80010000);
    rv_assert_hex(rd_cp_rb_rptr(d), rd_cp_rb_wptr(d));
    count = rv_mem_rd(d->vm, RV_COUNTER, 4);
    for (int i = 0; i < 500 && rv_mem_rd(d->vm, RV_COUNTER, 4) == count; i++) {
        g_usleep(2000);
    }
    g_assert_cmpuint(rv_mem_rd(d->vm, RV_COUNTER, 4), !=, count);
    expect(d->vm, "bt", "#0  0x5a bitblt_next\\npacket 1: type 3 BITBLT, 3 words");
    expect(d->vm, "print left", "left = 3");
    expect(d->vm, "step 10", "=> ");
    g_assert_true(halted(d->vm));
    expect(d->vm, "packets", "0x00080008");
    rv_assert_hex(rd_gui_scratch_reg1(d), 0);
    expect(d->vm, "delete", "\"ok\"");
    expect(d->vm, "continue", "Continuing.");
    finish_ring(d);
    g_assert_false(halted(d->vm));
}

static void expect_hmp(RvVm *vm, const char *command, const char *text)
{
    g_autofree char *out = rv_hmp(vm, "rv100 %s", command);

    if (!strstr(out, text)) {
        g_error("'%s' is not in the answer to '%s': %s", text, command, out);
    }
}

static void test_hmp(void)
{
    g_autoptr(RvDev) d = device("-device radeon-rv100,id=gpu0,vgamem_mb=8", NULL,
                                RV_BIOS_HALT);
    g_autoptr(RvRing) r = NULL;
    g_autofree char *help = NULL, *gart = NULL, *bus = NULL;

    if (!d) {
        return;
    }
    help = rv_hmp(d->vm, "help rv100");
    g_assert_nonnull(strstr(help, "debugger of the radeon-rv100"));
    r = start_ring(d);
    expect_hmp(d->vm, "break reg DST_WIDTH_HEIGHT", "Breakpoint 1: write to DST_WIDTH");
    rv_ring_kick(r);
    wait_halted(d->vm);
    expect_hmp(d->vm, "@gpu0 list bitblt_next", "bitblt_next:");
    expect_hmp(d->vm, "step 2", "=> ");
    expect_hmp(d->vm, "@none status", "there is no radeon-rv100 none");
    gart = g_strdup_printf("gart 0x%x", r->base + 4);
    bus = g_strdup_printf("bus 0x%08x (GART, entry at", rv_gart_bus(&r->gart, r->base + 4));
    expect_hmp(d->vm, gart, bus);
    expect_hmp(d->vm, "delete", "");
    expect_hmp(d->vm, "c", "Continuing.");
    finish_ring(d);
}

static void test_no_hmp(void)
{
    g_autoptr(RvDev) d = device("-device radeon-rv100", "hmp=off", RV_BIOS_HALT);
    g_autofree char *out = NULL;

    if (!d) {
        return;
    }
    out = rv_hmp(d->vm, "rv100 status");
    g_assert_nonnull(strstr(out, "unknown command: 'rv100'"));
    expect(d->vm, "status", "engine   stands still");
}

/* --- the console --- */

#define CONSOLE_ARGS RV_CONSOLE_CHARDEV " -device radeon-rv100,vgamem_mb=8,debug=dbg"

static void test_console(void)
{
    g_autoptr(RvDev) d = device(CONSOLE_ARGS, NULL, RV_BIOS_COUNT);
    g_autoptr(RvRing) r = NULL;
    g_autofree char *hello = NULL, *message = NULL;
    RvConsole c;

    if (!d) {
        return;
    }
    r = start_ring(d);
    rv_console_open(&c, d->vm);
    hello = rv_console_until(&c, RV_CONSOLE_PROMPT);
    g_assert_nonnull(strstr(hello, "the engine runs"));
    rv_console_ask(&c, "break packet BITBLT", "Breakpoint 1: packet 0x12 BITBLT");
    rv_ring_kick(r);
    rv_vm_flush(d->vm);
    message = rv_console_until(&c, "Breakpoint 1, packet 1: type 3 BITBLT, 3 words\r\n");
    /* line editing: backspace, cursor left, completion */
    rv_console_send(&c, "pront\177\177\177int t\033[D\033[Dxx\b\b", 23);
    rv_console_send(&c, "\025step 1\t0\r", 10);
    rv_console_said(&c, "=> ");
    rv_console_send(&c, "\025print DST_HEIGHT_W\t\r", 21);
    rv_console_said(&c, "DST_HEIGHT_WIDTH = ");
    rv_console_ask(&c, "delete", "");
    rv_console_ask(&c, "continue", "Continuing.");
    finish_ring(d);
    rv_console_close(&c);
}

/* One terminal for the monitor and the console: C-a c switches. */
static void test_mux(void)
{
    g_autoptr(RvDev) d = device("-chardev socket,id=dbg,path=%D/dbg,server=on,wait=off,mux=on "
        "-mon chardev=dbg -device radeon-rv100,vgamem_mb=8,debug=dbg", NULL, RV_BIOS_HALT);
    RvConsole c;

    if (!d) {
        return;
    }
    rv_console_open(&c, d->vm);
    rv_console_send(&c, "\001c", 2);
    g_usleep(100000);
    rv_console_send(&c, "\001c\r", 3);
    rv_console_send(&c, "echo on the console\r", 20);
    rv_console_said(&c, "\r\non the console\r\n");
    rv_console_send(&c, "\001c", 2);
    rv_console_send(&c, "\rrv100 echo from the monitor\r", 29);
    g_free(rv_console_until(&c, "\nfrom the monitor\r\n"));
    rv_console_close(&c);
}

/* --- the machine around it --- */

static void test_stop_vm(void)
{
    g_autoptr(RvDev) d = device("-device radeon-rv100,vgamem_mb=8", NULL, RV_BIOS_COUNT);
    g_autoptr(RvRing) r = NULL;
    g_autofree char *status = NULL, *again = NULL;

    if (!d) {
        return;
    }
    r = start_ring(d);
    expect(d->vm, "set stop-vm on", "\"ok\"");
    expect(d->vm, "break bitblt", "Breakpoint 1");
    rv_ring_kick(r);
    rv_qmp_wait_event(d->vm, "STOP");
    status = rv_qmp(d->vm, "query-status", NULL);
    g_assert_nonnull(strstr(status, "\"status\": \"debug\""));
    expect(d->vm, "step", "=> ");
    expect(d->vm, "delete", "");
    expect(d->vm, "c", "Continuing.");
    rv_qmp_wait_event(d->vm, "RESUME");
    finish_ring(d);
    again = rv_qmp(d->vm, "query-status", NULL);
    g_assert_nonnull(strstr(again, "\"status\": \"running\""));
}

/* Resets while halted: the user's session goes on. */
static void test_reset(void)
{
    g_autoptr(RvDev) d = device("-device radeon-rv100,vgamem_mb=8", NULL, RV_BIOS_HALT);
    RvRing *r;

    if (!d) {
        return;
    }
    r = start_ring(d);
    expect(d->vm, "break bitblt", "Breakpoint 1");
    rv_ring_kick(r);
    wait_halted(d->vm);
    rv_cp_reset(d);
    expect(d->vm, "status", "it is still halted");
    rv_assert_hex(rd_rbbm_status(d), 0x140);
    rv_ring_free(r);
    rv_vm_reset(d->vm);
    rv_dev_map(d);
    g_assert_true(halted(d->vm));
    expect(d->vm, "info break", "at 0x59");
    expect(d->vm, "c", "Continuing.");
    r = start_ring(d);
    rv_ring_kick(r);
    wait_halted(d->vm);
    expect(d->vm, "delete", "");
    expect(d->vm, "c", "Continuing.");
    finish_ring(d);
    rv_ring_free(r);
}

/* The guest's own ME_MODE and ME_STEP. */
static void test_guest_step(void)
{
    g_autoptr(RvDev) d = device("-device radeon-rv100,vgamem_mb=8", NULL, RV_BIOS_HALT);
    g_autoptr(RvRing) r = NULL;

    if (!d) {
        return;
    }
    r = start_ring(d);
    wr_cp_me_cntl(d, 0);
    rv_ring_kick(r);
    expect(d->vm, "stop", "the guest has halted the engine");
    expect(d->vm, "step", "Running: the guest has halted the engine");
    wr_cp_me_cntl(d, R_CP_ME_CNTL_ME_STEP_MASK);
    wait_halted(d->vm);             /* the header */
    expect(d->vm, "print phase", "phase = 1");
    /* a step of the guest is kept until the user lets it happen */
    wr_cp_me_cntl(d, R_CP_ME_CNTL_ME_STEP_MASK);
    rv_assert_hex(rd_rbbm_status(d) & 0x80000000, 0x80000000);
    expect(d->vm, "print pc == bitblt", "= 1");
    expect(d->vm, "c", "Continuing.");
    rd_rbbm_status(d);
    expect(d->vm, "print pc == bitblt", "= 0");
    wr_cp_me_cntl(d, R_CP_ME_CNTL_ME_MODE_MASK);
    finish_ring(d);
}

static char *disk(void)
{
    g_autofree char *name = g_build_filename(g_get_tmp_dir(), "rv100-XXXXXX.qcow2",
                                             NULL);
    const char *argv[] = { "qemu-img", "create", "-q", "-f", "qcow2", name, "1M",
                           NULL };
    int fd = g_mkstemp(name), status = -1;

    close(fd);
    if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                      NULL, NULL, &status, NULL) || status) {
        unlink(name);
        return NULL;
    }
    return g_steal_pointer(&name);
}

/* savevm and loadvm while halted inside of a packet; then migration. */
static void test_snapshot(void)
{
    g_autofree char *image = rv_vm_unavailable() ? NULL : disk();
    g_autofree char *base = image ? g_path_get_basename(image) : NULL;
    const char *const files[] = { image, NULL };
    g_autofree char *args = g_strdup_printf(
        "-machine pc -m 64 -vga none -device radeon-rv100,vgamem_mb=8 "
        "-drive if=none,format=qcow2,file=%%D/%s", base);
    RvVmConfig config = { .files = files, .args = args };
    g_autoptr(RvRing) r = NULL;
    g_autofree char *migrate = NULL;
    RvDev *d;
    RvVm *vm;

    if (!image && !rv_vm_unavailable()) {
        g_test_skip("qemu-img is not installed");
        return;
    }
    vm = rv_vm_new(&config);
    if (!vm) {
        return;
    }
    unlink(image);
    d = rv_dev_probe(vm, 0);
    r = start_ring(d);
    expect(vm, "break bitblt_next", "Breakpoint 1");
    rv_ring_kick(r);
    wait_halted(vm);
    expect(vm, "step 3", "=> ");
    g_free(rv_hmp(vm, "savevm inside"));
    expect(vm, "assert pc == bitblt_next + 3", "\"ok\"");
    expect(vm, "step 8", "=> ");
    expect(vm, "assert pc != bitblt_next + 3", "\"ok\"");
    g_free(rv_hmp(vm, "loadvm inside"));
    expect(vm, "assert pc == bitblt_next + 3", "still halted");
    g_assert_true(halted(vm));
    expect(vm, "info break", "at 0x5a bitblt_next");
    migrate = g_strdup_printf("{\"uri\": \"exec:cat > %s/state\"}", rv_vm_inner_dir(vm));
    expect(vm, "delete", "");
    expect(vm, "c", "Continuing.");
    finish_ring(d);
    /* halted again, and the state leaves */
    expect(vm, "stop", "Halted");
    g_free(rv_qmp(vm, "migrate", migrate));
    rv_qmp_wait_event(vm, "STOP");
    for (int i = 0; i < 1000; i++) {
        g_autofree char *s = rv_qmp(vm, "query-migrate", NULL);

        if (strstr(s, "\"status\": \"completed\"")) {
            break;
        }
        g_usleep(5000);
    }
    expect(vm, "step", "the machine is being saved or migrated");
    expect(vm, "status", "halted by the debugger");
    rv_dev_free(d);
}

/* --- hostile input --- */

static void test_hostile_console(void)
{
    g_autoptr(RvDev) d = device(CONSOLE_ARGS, NULL, RV_BIOS_HALT);
    g_autoptr(RvRing) r = NULL;
    g_autofree char *line = NULL;
    GRand *rand = g_rand_new_with_seed(31);
    RvConsole c;

    if (!d) {
        return;
    }
    r = start_ring(d);
    rv_console_open(&c, d->vm);
    g_free(rv_console_until(&c, RV_CONSOLE_PROMPT));
    rv_console_ask(&c, "break bitblt_next", "Breakpoint 1");
    /* 1 MiB without an end, then one more line */
    line = g_strnfill(1 << 20, 'x');
    rv_console_send(&c, line, 1 << 20);
    rv_console_send(&c, "\r", 1);
    rv_console_said(&c, "error: the line is left out: 1044480 bytes");
    /* garbage, without what would make a command of it */
    for (int i = 0; i < 20000; i++) {
        char byte = g_rand_int_range(rand, 128, 256);

        rv_console_send(&c, &byte, 1);
    }
    rv_console_send(&c, "\r", 1);
    rv_console_said(&c, "error: the line is left out: 20000 bytes");
    rv_console_send(&c, "\007print\r", 7);
    rv_console_said(&c, "error: the line is left out: 1 bytes");
    rv_console_ask(&c, "nonsense", "error: no command 'nonsense'");
    /* gone while the engine is halted, and back */
    rv_ring_kick(r);
    rv_vm_flush(d->vm);
    g_free(rv_console_until(&c, "Breakpoint 1"));
    rv_console_close(&c);
    g_assert_true(halted(d->vm));
    rv_assert_hex(rd_rbbm_status(d) & 0x80000000, 0x80000000);
    rv_console_open(&c, d->vm);
    g_free(rv_console_until(&c, "the engine is halted"));
    g_free(rv_console_until(&c, RV_CONSOLE_PROMPT));
    rv_console_ask(&c, "info break", "bitblt_next, 1 hit");
    rv_console_ask(&c, "delete", "");
    rv_console_ask(&c, "c", "Continuing.");
    finish_ring(d);
    rv_console_close(&c);
    g_rand_free(rand);
}

/* A client that sends and does not read: the machine goes on, and when it reads
 * at last all answers are there. */
static void test_slow_reader(void)
{
    enum { COMMANDS = 150, ANSWER = 30000 };    /* more than is kept */
    g_autoptr(RvDev) d = device(CONSOLE_ARGS, NULL, RV_BIOS_HALT);
    g_autoptr(GString) sent = g_string_new(NULL);
    RvConsole c;
    gsize done = 0;

    if (!d) {
        return;
    }
    for (unsigned n = 0; n < COMMANDS; n++) {
        g_string_append_printf(sent, "regs *\recho end-%u\r", n);
    }
    rv_console_open(&c, d->vm);
    for (unsigned tries = 0; done < sent->len && tries < 100; tries++) {
        ssize_t n = send(c.fd, sent->str + done, sent->len - done,
                         MSG_DONTWAIT | MSG_NOSIGNAL);

        done += n > 0 ? n : 0;
        expect(d->vm, "echo", "\"ok\"");
    }
    for (unsigned n = 0; n < COMMANDS; n++) {
        g_autofree char *end = g_strdup_printf("\nend-%u\r\n", n);
        g_autofree char *answer = NULL;

        if (done < sent->len) {
            ssize_t more = send(c.fd, sent->str + done, sent->len - done,
                                MSG_DONTWAIT | MSG_NOSIGNAL);

            done += more > 0 ? more : 0;
        }
        answer = rv_console_until(&c, end);
        g_assert_cmpuint(strlen(answer), >, ANSWER);
    }
    rv_console_close(&c);
}

/* A pipe that nobody writes to does not hold up the machine. */
static void test_pipes(void)
{
    static const char *const commands[] = { "source", "symbols", "trace on" };
    g_autoptr(RvDev) d = device("-device radeon-rv100", NULL, RV_BIOS_HALT);
    g_autofree char *path = NULL, *inner = NULL;

    if (!d) {
        return;
    }
    path = g_strdup_printf("%s/pipe", rv_vm_dir(d->vm));
    inner = g_strdup_printf("%s/pipe", rv_vm_inner_dir(d->vm));
    g_assert_cmpint(mkfifo(path, 0600), ==, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_autofree char *line = g_strdup_printf("%s %s", commands[i], inner);

        expect(d->vm, line, "no regular file");
    }
    unlink(path);
}

static void test_hostile_monitors(void)
{
    static const char *const bad[] = {
        "{}", "{\"command\": 3}", "{\"command\": \"status\", \"device\": \"x\"}",
        "{\"command\": \"status\", \"device\": 1}", "{\"command\": \"status\", \"y\": 1}",
    };
    g_autoptr(RvDev) d = device("-device radeon-rv100,vgamem_mb=8", NULL, RV_BIOS_HALT);
    g_autofree char *line = g_strnfill(1 << 20, 'x');
    g_autofree char *hmp = NULL;

    if (!d) {
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *reply = rv_qmp_try(d->vm, "x-rv100-debug", bad[i]);

        g_assert_nonnull(strstr(reply, "radeon-rv100") ? reply
                         : strstr(reply, "x-rv100-debug wants"));
    }
    expect(d->vm, line, "error: a line of 1048576 bytes: at most 4096");
    expect(d->vm, "\001\002\177 x", "error: no command");
    line[8000] = '\0';
    hmp = rv_hmp(d->vm, "rv100 %s", line);
    g_assert_nonnull(strstr(hmp, "error: a line of 8000 bytes"));
    expect(d->vm, "print ((((((((((((((((((((((((((((((((((((((((1", "nested too deeply");
    expect(d->vm, "x/8xw 0xf8000000", "nothing answers");
    expect(d->vm, "break 0x100", "microcode addresses end at 0xff");
    expect(d->vm, "step 0", "a number from 1");
    expect(d->vm, "status", "\"ok\"");
}

/* --- for scripts --- */

static void test_properties(void)
{
    g_autoptr(RvDev) d = device("-device radeon-rv100,id=gpu0,vgamem_mb=8", NULL,
                                RV_BIOS_HALT);
    g_autoptr(RvRing) r = NULL;
    g_autofree char *state = NULL, *counters = NULL;

    if (!d) {
        return;
    }
    r = start_ring(d);
    expect(d->vm, "break bitblt_next", "Breakpoint 1");
    rv_ring_kick(r);
    wait_halted(d->vm);
    state = rv_qmp(d->vm, "qom-get", "{\"path\": \"gpu0\", \"property\": \"cp-state\"}");
    g_assert_nonnull(strstr(state, "\"pc\": 90"));
    g_assert_nonnull(strstr(state, "\"halted\": true"));
    g_assert_nonnull(strstr(state, "\"phase\": \"packet\""));
    g_assert_nonnull(strstr(state, "\"left\": 3"));
    counters = rv_qmp(d->vm, "qom-get",
                      "{\"path\": \"gpu0\", \"property\": \"cp-counters\"}");
    g_assert_nonnull(strstr(counters, "\"words\": 1,"));
}

/* A start and the address of the monitor's EEPROM. */
static void send_ddc_address(RvDev *d)
{
    const uint32_t clock = R_GPIO_VGA_DDC_CLK_EN_MASK, data = R_GPIO_VGA_DDC_DATA_EN_MASK;

    wr_gpio_vga_ddc(d, 0);
    wr_gpio_vga_ddc(d, data);
    for (unsigned bit = 8; bit--;) {
        uint32_t low = 0xa0 >> bit & 1 ? 0 : data;

        wr_gpio_vga_ddc(d, clock | low);
        wr_gpio_vga_ddc(d, low);
    }
    wr_gpio_vga_ddc(d, clock);
}

/* Events of the blocks, with names and fields. */
static void test_trace(void)
{
    static const char *const lines[] = {
        "rv100_packet header 0xc0021200 entry 0x59 type 3 BITBLT, 3 words",
        "rv100_insn pc 0x5a word ",
        "rv100_engine_write 0x15e4 GUI_SCRATCH_REG1 0xfe9ce000",
        "rv100_draw rectangle at 11,11 size 4x4 control ",
        "DP_SRC_SOURCE=",
        "rv100_fetch stream 0 addr ",
        "rv100_dma write 0 addr ",
        "rv100_me_write 0x59 word 0x",
        "rv100_irq status 0x",
        "GUI_IDLE",
        "rv100_soft_reset mask 0x00000001 {SOFT_RESET_CP=1}",
        "rv100_pll_write 0x",
        "rv100_palette head 0 index 7 rgb30 0x",
        "rv100_mode head 0 640x480 bits 32 mHz",
        "rv100_mode head 0 640x480 bits 16 mHz",
        "rv100_flip head 0 offset 0x00002000",
        "rv100_ddc connector 0 ",
        "rv100_slice ",
        "rv100_reg_read 0x",
        "rv100_reg_write 0x",
        "rv100_gart_miss addr 0x",
    };
    g_autoptr(RvDev) d = device("-device radeon-rv100,vgamem_mb=8", "trace=rv100_*",
                                RV_BIOS_HALT);
    g_autoptr(RvRing) r = NULL;
    g_autofree char *log = NULL;

    if (!d) {
        return;
    }
    rv_cp_reset(d);
    wr_gen_int_cntl(d, R_GEN_INT_CNTL_GUI_IDLE_MASK);
    r = start_ring(d);
    rv_ring_run(r);
    wr_clock_cntl_index(d, 0x80 | 3);
    wr_clock_cntl_data(d, 0x1234);
    wr_palette_index(d, 7);
    wr_palette_data(d, 0x112233);
    wr_crtc_gen_cntl(d, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK
                     | R_CRTC_GEN_CNTL_CRTC_EN_MASK | 6 << 8);
    wr_crtc_h_total_disp(d, 79 << 16 | 99);
    wr_crtc_v_total_disp(d, 479 << 16 | 524);
    wr_crtc_gen_cntl(d, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK
                     | R_CRTC_GEN_CNTL_CRTC_EN_MASK | 4 << 8);
    wr_crtc_offset(d, 0x2000);
    wr_crtc_gen_cntl(d, 0);
    send_ddc_address(d);
    wr_aic_pt_base(d, 0xf0000000);
    wr_cp_rb_base(d, r->base);
    wr_cp_rb_wptr(d, (r->wptr + 1) & (r->size - 1));
    rv_settle(d);
    log = rv_vm_stderr(d->vm);
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        if (!strstr(log, lines[i])) {
            g_test_message("%s", log);
            g_error("no event '%s'", lines[i]);
        }
    }
}

/* The same events by QEMU's own option, which wants the plugin preloaded. */
static void test_trace_option(void)
{
    static const RvVmConfig config = { .preload = true, .args = "-machine pc -m 64 "
        "-vga none -device radeon-rv100,vgamem_mb=8 -trace rv100_pack* "
        "-trace enable=rv100_engine_write" };
    RvVm *vm = rv_vm_new(&config);
    g_autoptr(RvRing) r = NULL;
    g_autofree char *log = NULL;
    RvDev *d;

    if (!vm) {
        return;
    }
    d = rv_dev_probe(vm, 0);
    r = start_ring(d);
    rv_ring_run(r);
    log = rv_vm_stderr(vm);
    g_assert_nonnull(strstr(log, "rv100_packet header 0xc0021200 entry 0x"));
    g_assert_nonnull(strstr(log, " type 3 BITBLT, 3 words"));
    g_assert_nonnull(strstr(log, "rv100_engine_write 0x15e4 GUI_SCRATCH_REG1 0xfe9ce000"));
    g_assert_null(strstr(log, "rv100_insn"));
    rv_dev_free(d);
}

/* Tab in the monitor's own line editor, which knows only the last word. */
static void test_monitor_completion(void)
{
    static const struct {
        const char *typed, *shown;
    } keys[] = {
        { "rv100 brea\tpacket NO\t", "rv100 break packet NOP" },
        { "\rrv100 regs CP_RB_WPT\t", "rv100 regs CP_RB_WPTR" },
        { "\rrv100 @gpu0 info rec\t", "rv100 @gpu0 info record" },
        { "\rrv100 print a + cou\t", "rv100 print a + count" },
        { "\rrv100 s\t", "status" },
    };
    g_autoptr(RvDev) d = device("-chardev socket,id=dbg,path=%D/dbg,server=on,wait=off "
        "-mon chardev=dbg -device radeon-rv100,id=gpu0", NULL, RV_BIOS_HALT);
    RvConsole c;

    if (!d) {
        return;
    }
    rv_console_open(&c, d->vm);
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        rv_console_send(&c, keys[i].typed, strlen(keys[i].typed));
        g_free(rv_console_until(&c, keys[i].shown));
    }
    rv_console_close(&c);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/debug/qmp", test_qmp);
    g_test_add_func("/debug/hmp", test_hmp);
    g_test_add_func("/debug/no-hmp", test_no_hmp);
    g_test_add_func("/debug/console", test_console);
    g_test_add_func("/debug/mux", test_mux);
    g_test_add_func("/debug/stop-vm", test_stop_vm);
    g_test_add_func("/debug/reset", test_reset);
    g_test_add_func("/debug/guest-step", test_guest_step);
    g_test_add_func("/debug/snapshot", test_snapshot);
    g_test_add_func("/debug/hostile-console", test_hostile_console);
    g_test_add_func("/debug/slow-reader", test_slow_reader);
    g_test_add_func("/debug/pipes", test_pipes);
    g_test_add_func("/debug/hostile-monitors", test_hostile_monitors);
    g_test_add_func("/debug/properties", test_properties);
    g_test_add_func("/debug/trace", test_trace);
    g_test_add_func("/debug/trace-option", test_trace_option);
    g_test_add_func("/debug/monitor-completion", test_monitor_completion);
    return g_test_run();
}
