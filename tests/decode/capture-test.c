/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures: what the chip did is done again; what was changed in the file is
 * found; a file that is cut anywhere is replayed up to the cut.
 */
#include <string.h>

#include "capture.h"
#include "capture-decode.h"
#include "fake-host.h"
#include "replay.h"
#include "rv100/debug-hooks.h"
#include "rv100/display.h"
#include "rv100/reginfo.h"

#define WIDTH 64
#define HEIGHT 32
#define IB 0x20000u
#define WRITE_BACK 0x21000u

static bool sink(void *opaque, const void *data, size_t len)
{
    g_byte_array_append(opaque, data, (guint)len);
    return true;
}

static void ring2(FakeHost *h, uint32_t a, uint32_t b)
{
    const uint32_t words[] = { a, b };

    fake_ring(h, words, 2);
}

/* A picture of our own in VRAM, painted past the chip. */
static void paint(FakeHost *h, uint32_t seed)
{
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t v = GUINT32_TO_LE(i * 0x010305 + seed);

        memcpy(h->vram + 4 * i, &v, 4);
    }
}

static void show(FakeHost *h)
{
    fake_wr(h, A_CRTC_H_TOTAL_DISP,
            (WIDTH / 8 - 1) << R_CRTC_H_TOTAL_DISP_CRTC_H_DISP_SHIFT |
            (WIDTH / 8 + 19));
    fake_wr(h, A_CRTC_V_TOTAL_DISP,
            (HEIGHT - 1) << R_CRTC_V_TOTAL_DISP_CRTC_V_DISP_SHIFT |
            (HEIGHT + 44));
    fake_wr(h, A_CRTC_PITCH, WIDTH / 8);
    fake_wr(h, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK |
            R_CRTC_GEN_CNTL_CRTC_EN_MASK |
            R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP
            << R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_SHIFT);
}

/* Ring, indirect buffer, write-back, PIO after a reset, display, interrupts. */
static void activity(FakeHost *h)
{
    static const uint32_t ib[] = { R_GUI_SCRATCH_REG2, 0x1b1b1b1b };

    fake_load_mini(h);
    fake_ring_start(h, 6, 4);
    fake_wr(h, A_GEN_INT_CNTL, R_GEN_INT_CNTL_GUI_IDLE_MASK);
    fake_wr(h, A_SCRATCH_ADDR, FAKE_GART + WRITE_BACK);
    fake_wr(h, A_SCRATCH_UMSK, 1);
    ring2(h, R_GUI_SCRATCH_REG0, 0x11111111);
    fake_run(h, 100);
    fake_wr(h, A_GEN_INT_STATUS, 0xffffffff);
    fake_gart_write(h, IB, ib, 2);
    ring2(h, R_CP_IB_BASE, FAKE_GART + IB);
    ring2(h, R_CP_IB_BUFSZ, 2);
    ring2(h, 0x80000000, 0x80000000);
    ring2(h, R_GUI_SCRATCH_REG1, 0x22222222);
    for (int i = 0; i < 40; i++) {
        ring2(h, R_GUI_SCRATCH_REG3, (uint32_t)i);
    }
    fake_run(h, 100);
    paint(h, 0x123456);
    show(h);
    fake_rd(h, A_RBBM_STATUS);
    fake_run(h, 3);
    h->now += 100000000;
    fake_soft_reset(h);
    fake_csq_mode(h, 1);
    fake_pio(h, (const uint32_t[]) { R_GUI_SCRATCH_REG4, 0x44 }, 2);
    fake_run(h, 10);
    fake_rd(h, A_GUI_SCRATCH_REG4);
}

static GByteArray *record(FakeHost **host)
{
    GByteArray *file = g_byte_array_new();
    FakeHost *h = fake_host_new(0, 0);

    rv100_capture_start(h->chip, sink, file);
    activity(h);
    rv100_capture_stop(h->chip);
    if (host) {
        *host = h;
    } else {
        fake_host_free(h);
    }
    return file;
}

static bool no_flush(void *opaque)
{
    return true;
}

typedef struct Result {
    ReplayResult result;
    ReplayStats stats;
    char *difference, *cut;
} Result;

static void result_clear(Result *r)
{
    g_free(r->difference);
    g_free(r->cut);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Result, result_clear)

static Result replay(const uint8_t *data, size_t len, const ReplayOptions *o)
{
    static const ReplayOptions none;
    g_auto(Capture) c = { 0 };
    GError *error = NULL;
    Result r = { 0 };

    g_assert_true(capture_open(&c, "cap", data, len, &error));
    r.result = replay_run(&c, o ? o : &none, &r.stats, &r.difference);
    r.cut = g_steal_pointer(&c.cut);
    return r;
}

/* Whatever comes of it. */
static void replay_clear(const uint8_t *data, size_t len)
{
    g_auto(Result) r = replay(data, len, NULL);
}

static void assert_same(const Result *r)
{
    if (r->result != REPLAY_SAME) {
        g_error("%s", r->difference);
    }
}

static void test_same(void)
{
    FakeHost *h;
    g_autoptr(GByteArray) file = record(&h);
    g_auto(Result) r = replay(file->data, file->len, NULL);

    assert_same(&r);
    g_assert_null(r.cut);
    g_assert_cmpuint(r.stats.writes, ==, h->writes->len);
    g_assert_cmpuint(r.stats.writes, >=, 44);
    g_assert_cmpuint(r.stats.packets, >=, 44);
    g_assert_cmpuint(r.stats.interrupts, >=, 2);
    g_assert_cmpuint(r.stats.reads, >, 0);
    g_assert_cmpuint(r.stats.memory, >, 300);
    fake_host_free(h);
}

/* Attached to a chip at work: the state comes first. */
static void test_later(void)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    FakeHost *h = fake_host_new(7, 20);

    fake_load_mini(h);
    fake_ring_start(h, 6, 4);
    paint(h, 7);
    for (int i = 0; i < 30; i++) {
        ring2(h, R_GUI_SCRATCH_REG3, (uint32_t)i);
    }
    fake_run(h, 2);
    rv100_capture_start(h->chip, sink, file);
    g_array_set_size(h->writes, 0);
    fake_run(h, 100);
    ring2(h, R_GUI_SCRATCH_REG0, 5);
    fake_run(h, 100);
    rv100_capture_stop(h->chip);
    g_assert_cmpuint(h->writes->len, >, 1);
    {
        g_auto(Result) r = replay(file->data, file->len, NULL);

        assert_same(&r);
        g_assert_cmpuint(r.stats.writes, ==, h->writes->len);
    }
    fake_host_free(h);
}

/* A state that is loaded while a capture runs is in it. */
static void test_state_loaded(void)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    FakeHost *h = fake_host_new(0, 0);

    rv100_capture_start(h->chip, sink, file);
    fake_load_mini(h);
    rv100_state_loaded(h->chip);
    fake_ring_start(h, 6, 4);
    ring2(h, R_GUI_SCRATCH_REG0, 5);
    fake_run(h, 100);
    rv100_capture_stop(h->chip);
    {
        g_auto(Result) r = replay(file->data, file->len, NULL);

        assert_same(&r);
        g_assert_cmpuint(r.stats.writes, ==, 1);
    }
    fake_host_free(h);
}

/* --- a debugger --- */

typedef struct Session {
    FakeHost *h;
    unsigned packets;           /* until it halts; 0: at none */
    bool attached;
} Session;

static void halt_at_packet(void *opaque, uint32_t header, uint8_t entry)
{
    Session *s = opaque;
    uint32_t word;

    /* Looks at memory, as conditions of breakpoints do. */
    rv100_debug_read(s->h->chip, rv100_peek(s->h->chip, A_CP_RB_BASE), &word,
                     4);
    if (s->packets && !--s->packets) {
        rv100_debug_halt(s->h->chip);
    }
}

static const Rv100DebugHooks session_hooks = { .packet = halt_at_packet };

/* Halts in the middle, steps, changes what will be drawn, and goes. */
static void session(Session *s)
{
    FakeHost *h = s->h;
    uint32_t size, word;

    s->packets = 3;
    fake_run(h, 20);
    g_assert_true(rv100_debug_halted(h->chip));
    for (unsigned i = 0; i < 5; i++) {
        rv100_debug_go(h->chip, 1 + i % 2);
        fake_run(h, 20);
        g_assert_true(rv100_debug_halted(h->chip));
    }
    word = 0x600df00d;
    g_assert_true(rv100_debug_write(h->chip, rv100_peek(h->chip, A_CP_RB_BASE)
                                    + 1024, &word, 4));
    rv100_debug_vram(h->chip, &size)[5] = 0x5a;
    g_assert_true(rv100_debug_inject(h->chip, (const uint32_t[]) {
        R_GUI_SCRATCH_REG5, 0x5005 }, 2, &size));
    rv100_debug_changed(h->chip);
    rv100_debug_go(h->chip, 0);
    fake_run(h, 100);
    rv100_debug_halt(h->chip);
    ring2(h, R_GUI_SCRATCH_REG3, 0x33);
    fake_run(h, 20);
}

static void check_session(bool before)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    Session s = { fake_host_new(0, 0), 0, true };
    FakeHost *h = s.h;
    guint n;

    if (before) {
        rv100_debug_attach(h->chip, &session_hooks, &s);
    }
    rv100_capture_start(h->chip, sink, file);
    if (!before) {
        rv100_debug_attach(h->chip, &session_hooks, &s);
    }
    fake_load_mini(h);
    fake_ring_start(h, 6, 4);
    for (uint32_t i = 0; i < 6; i++) {
        ring2(h, R_GUI_SCRATCH_REG0, i);
    }
    session(&s);
    n = h->writes->len;
    g_assert_cmpuint(n, ==, 7);
    rv100_debug_attach(h->chip, NULL, NULL);
    fake_run(h, 20);
    g_assert_cmpuint(h->writes->len, ==, 8);
    g_assert_cmphex(fake_rd(h, A_GUI_SCRATCH_REG5), ==, 0x5005);
    rv100_capture_stop(h->chip);
    {
        g_auto(Result) r = replay(file->data, file->len, NULL);

        assert_same(&r);
        g_assert_cmpuint(r.stats.writes, ==, 8);
    }
    fake_host_free(h);
}

static void test_debugger(void)
{
    check_session(false);
    check_session(true);
}

/* --- anything --- */

static uint32_t any_offset(void)
{
    if (g_test_rand_int_range(0, 4) == 0) {
        return (uint32_t)g_test_rand_int() & 0x3ffc;
    }
    return rv100_mmio_regs[g_test_rand_int_range(0, rv100_n_mmio_regs)].offset;
}

static void any_action(FakeHost *h)
{
    uint32_t value = (uint32_t)g_test_rand_int();

    switch (g_test_rand_int_range(0, 9)) {
    case 0:
        rv100_mmio_write(h->chip, any_offset() + (value & 3), value,
                         1u << g_test_rand_int_range(0, 4));
        break;
    case 1:
        rv100_mmio_read(h->chip, any_offset() + (value & 3),
                        1u << g_test_rand_int_range(0, 4));
        break;
    case 2:
        rv100_io_write(h->chip, value & 0xff, value, 4);
        rv100_io_read(h->chip, value & 0xfc, 4);
        break;
    case 3:
        ring2(h, any_offset() / 4, value);
        break;
    case 4:
        fake_soft_reset(h);
        fake_load_mini(h);
        fake_ring_start(h, 6, 4);
        break;
    case 5:
        memset(h->vram + (value & 0xff000), (int)value, 4096);
        rv100_capture_vram(h->chip, value & 0xff000, 4096);
        break;
    case 6:
        rv100_run(h->chip, value & 0xff);
        break;
    case 7:
        rv100_set_monitor(h->chip, value & 1, value & 2, h->mem, 128);
        break;
    default:
        h->now += value & 0xfffff;
        fake_run(h, g_test_rand_int_range(1, 10));
        break;
    }
}

/* Any act of a debugger. */
static void any_debugging(Session *s)
{
    uint32_t size;

    switch (s->attached ? g_test_rand_int_range(0, 8) : 0) {
    case 0:
        s->attached = g_test_rand_bit();
        rv100_debug_attach(s->h->chip, s->attached ? &session_hooks : NULL, s);
        break;
    case 1:
        rv100_debug_halt(s->h->chip);
        break;
    case 2:
        rv100_debug_vram(s->h->chip, &size)[g_test_rand_int_range(0, 4096)]++;
        rv100_debug_changed(s->h->chip);
        break;
    case 3:
        s->packets = (unsigned)g_test_rand_int_range(1, 20);
        break;
    default:
        rv100_debug_go(s->h->chip, (uint64_t)g_test_rand_int_range(0, 30));
        break;
    }
}

static void test_random(void)
{
    for (unsigned n = 0; n < 120; n++) {
        Session session = { NULL, 0, false };
        g_autoptr(GByteArray) file = g_byte_array_new();
        FakeHost *h = fake_host_new((uint32_t)g_test_rand_int_range(0, 20),
                                    200);
        guint writes;

        session.h = h;
        fake_load_mini(h);
        fake_ring_start(h, 6, 4);
        rv100_capture_start(h->chip, sink, file);
        writes = h->writes->len;
        for (unsigned i = 0; i < 200; i++) {
            any_action(h);
            if (n % 2) {
                any_debugging(&session);
            }
        }
        rv100_capture_stop(h->chip);
        {
            g_auto(Result) r = replay(file->data, file->len, NULL);

            assert_same(&r);
            g_assert_cmpuint(r.stats.writes, ==, h->writes->len - writes);
        }
        fake_host_free(h);
    }
}

/* --- files that are not what they were --- */

static void test_cut(void)
{
    g_autoptr(GByteArray) file = record(NULL);
    g_auto(Result) whole = replay(file->data, file->len, NULL);
    uint64_t last = 0;

    for (guint len = RV100_CAPTURE_HEADER; len < file->len;
         len += MAX(1, file->len / 700)) {
        g_autofree uint8_t *copy = g_memdup2(file->data, len);
        g_auto(Result) r = replay(copy, len, NULL);

        assert_same(&r);
        g_assert_nonnull(r.cut);
        g_assert_cmpuint(r.stats.calls, >=, last);
        last = r.stats.calls;
    }
    g_assert_cmpuint(last, >, 0);
    g_assert_cmpuint(last, <=, whole.stats.calls);
}

/* The one of the fake host, with another write in type 0 when `other`. */
static void mini_image(Image *image, bool other)
{
    FakeHost *h = fake_host_new(0, 0);

    fake_load_mini(h);
    memset(image, 0, sizeof(*image));
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        image->hi[i] = rv100_engine(h->chip)->hi[i];
        image->lo[i] = rv100_engine(h->chip)->lo[i];
    }
    if (other) {
        image->hi[1] = image->hi[0];    /* one-reg counts up, too */
        image->lo[1] = image->lo[0];
    }
    fake_host_free(h);
}

/* What a user may do with a file; whatever is in it, it ends. */
static void use(const uint8_t *data, guint len)
{
    g_autofree uint8_t *copy = g_memdup2(data, len);    /* for ASan */
    g_autoptr(DecodeSet) set = decode_set_pm4();
    DecodeOptions o = { .verbose = true };
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    g_auto(Capture) c = { 0 };
    Image image;

    mini_image(&image, true);
    decoder_execute(d, &image, rv100_me_chip("r100"));
    if (capture_open(&c, "cap", copy, len, NULL)) {
        capture_decode(&c, d, true, no_flush, NULL);
        g_assert_true(c.cut || c.ended);
        replay_clear(copy, len);
    }
}

/* A small one: cut at every byte. Inside of the long state not all of them. */
static void test_every_byte(void)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    FakeHost *h = fake_host_new(0, 0);
    guint state;

    rv100_capture_start(h->chip, sink, file);
    state = file->len;
    fake_ring_start(h, 6, 4);
    ring2(h, R_GUI_SCRATCH_REG0, 5);
    fake_run(h, 3);
    fake_rd(h, A_RBBM_STATUS);
    rv100_capture_stop(h->chip);
    fake_host_free(h);
    for (guint len = 0; len < file->len; len += len < 200 || len + 64 > state
         ? 1 : 61) {
        use(file->data, len);
    }
}

/* Bits that flip: read, decoded and replayed as far as it goes. */
static void test_flips(void)
{
    g_autoptr(GByteArray) file = record(NULL);

    for (unsigned n = 0; n < 400; n++) {
        g_autofree uint8_t *copy = g_memdup2(file->data, file->len);

        for (int k = g_test_rand_int_range(1, 9); k; k--) {
            guint at = (guint)g_test_rand_int_range(n % 4 ? 0 : 8,
                                                    (int)file->len);

            copy[at] ^= (uint8_t)(1 << g_test_rand_int_range(0, 8));
        }
        use(copy, file->len);
    }
}

/* The nth record of a kind. */
static uint8_t *find(GByteArray *file, Rv100CaptureKind kind, unsigned nth)
{
    g_auto(Capture) c = { 0 };
    CaptureRecord x;

    g_assert_true(capture_open(&c, "cap", file->data, file->len, NULL));
    while (capture_next(&c, &x)) {
        if (x.kind == kind && !nth--) {
            return (uint8_t *)x.data;
        }
    }
    g_assert_not_reached();
}

static void check_changed(Rv100CaptureKind kind, unsigned nth, unsigned byte,
                          const char *text)
{
    g_autoptr(GByteArray) file = record(NULL);

    find(file, kind, nth)[byte] ^= 1;
    {
        g_auto(Result) r = replay(file->data, file->len, NULL);

        g_assert_cmpint(r.result, ==, REPLAY_DIFFERS);
        if (!strstr(r.difference, text)) {
            g_error("'%s' is not in: %s", text, r.difference);
        }
        g_assert_true(g_str_has_prefix(r.difference, "cap: record "));
    }
}

static void test_changed(void)
{
    check_changed(RV100_CAPTURE_ENGINE, 0, 4,
                  "the engine writes GUI_SCRATCH_REG0 [0578] = 0x11111111, in "
                  "the capture GUI_SCRATCH_REG0 [0578] = 0x11111110");
    check_changed(RV100_CAPTURE_ENGINE, 3, 0, "in the capture");
    check_changed(RV100_CAPTURE_VALUE, 0, 0, "a read of ");
    check_changed(RV100_CAPTURE_MEM, 1, 1, "which the capture does not have");
    check_changed(RV100_CAPTURE_OUT, 0, 9, "writes 4 bytes");
    check_changed(RV100_CAPTURE_IRQ, 0, 0, "interrupt line goes up");
    check_changed(RV100_CAPTURE_PACKET, 0, 0, "begins the packet");
}

static void check_refused(GByteArray *file, guint len, const char *text)
{
    g_auto(Capture) c = { 0 };
    g_autoptr(GError) error = NULL;

    g_assert_false(capture_open(&c, "cap", file->data, len, &error));
    g_assert_nonnull(strstr(error->message, text));
    g_assert_true(g_str_has_prefix(error->message, "cap: "));
}

static void test_refused(void)
{
    g_autoptr(GByteArray) file = record(NULL);

    check_refused(file, 0, "no capture");
    check_refused(file, RV100_CAPTURE_HEADER - 1, "no capture");
    file->data[8] = 3;
    check_refused(file, file->len, "version 3 of captures; this tool reads up "
                  "to version 2");
    file->data[8] = 0;
    check_refused(file, file->len, "version 0 of captures");
    file->data[8] = 2;
    file->data[12] ^= 1;
    check_refused(file, file->len, "another chip (PCI 1003:5159)");
    file->data[12] ^= 1;
    file->data[16] = 1;
    check_refused(file, file->len, "damaged");
    file->data[16] = 0;
    file->data[23] = 0x7f;
    check_refused(file, file->len, "slices of ");
    file->data[23] = 0;
    file->data[26] = 1;
    check_refused(file, file->len, "fetches of ");
    file->data[26] = 0;
    file->data[0] = 'X';
    check_refused(file, file->len, "no capture");
}

/* Of another version: kinds that are unknown are passed over. */
static void test_unknown_kind(void)
{
    static const uint8_t record_80[] = { 0x7f, 2, 0, 0, 'h', 'i' };
    g_autoptr(GByteArray) file = record(NULL);
    g_autoptr(GByteArray) other = g_byte_array_new();

    g_byte_array_append(other, file->data, RV100_CAPTURE_HEADER);
    g_byte_array_append(other, record_80, sizeof(record_80));
    g_byte_array_append(other, file->data + RV100_CAPTURE_HEADER,
                        file->len - RV100_CAPTURE_HEADER);
    {
        g_auto(Result) r = replay(other->data, other->len, NULL);

        assert_same(&r);
        g_assert_null(r.cut);
    }
}

/* --- pictures --- */

typedef struct Seen {
    unsigned n;
    uint32_t width, height;
    GArray *last;
} Seen;

/* The opaque: a Seen for each head. */
static bool frame(void *opaque, unsigned head, uint64_t number, uint32_t width,
                  uint32_t height, const uint32_t *pixels)
{
    Seen *s = (Seen *)opaque + head;

    g_assert_cmpuint(number, ==, ++s->n);
    s->width = width;
    s->height = height;
    g_array_set_size(s->last, 0);
    g_array_append_vals(s->last, pixels, width * height);
    return true;
}

/* The last picture is what the chip shows that was recorded. */
static void check_seen(FakeHost *h, unsigned head, const Seen *s,
                       uint32_t width, uint32_t height)
{
    g_autofree uint32_t *want = g_new0(uint32_t, width * height);
    Rv100DisplayMode mode;

    rv100_display_mode(h->chip, head, &mode);
    g_assert_true(mode.native && !mode.blank);
    g_assert_cmpuint(mode.width, ==, width);
    g_assert_cmpuint(mode.height, ==, height);
    rv100_scanout(h->chip, head, &mode, 0, height, want, 4 * width);
    g_assert_cmpuint(s->width, ==, width);
    g_assert_cmpuint(s->height, ==, height);
    g_assert_cmpmem(s->last->data, 4 * s->last->len, want, 4 * width * height);
}

static void test_frames(void)
{
    FakeHost *h;
    g_autoptr(GByteArray) file = record(&h);
    g_autoptr(GArray) last = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    Seen seen[RV100_HEADS] = { { .last = last } };
    ReplayOptions o = { .frame = frame, .opaque = seen };
    g_auto(Result) r = replay(file->data, file->len, &o);

    assert_same(&r);
    g_assert_cmpuint(seen[0].n, ==, r.stats.frames);
    g_assert_cmpuint(seen[0].n, >=, 1);
    g_assert_cmphex(g_array_index(last, uint32_t, 100), !=, 0);
    check_seen(h, 0, &seen[0], WIDTH, HEIGHT);
    fake_host_free(h);
}

/* Both heads at a depth, each with a cursor that moves. */
static void both_heads(FakeHost *h, uint32_t depth)
{
    for (unsigned i = 0; i < 256; i++) {
        rv100_palette_set(h->chip, 0, i, i * 0x00100401);
        rv100_palette_set(h->chip, 1, i, (255 - i) * 0x00100401);
    }
    show(h);
    fake_wr(h, A_CRTC2_H_TOTAL_DISP, fake_rd(h, A_CRTC_H_TOTAL_DISP));
    fake_wr(h, A_CRTC2_V_TOTAL_DISP, fake_rd(h, A_CRTC_V_TOTAL_DISP));
    fake_wr(h, A_CRTC2_PITCH, WIDTH / 8);
    fake_wr(h, A_CRTC2_OFFSET, 0x40000);
    fake_wr(h, A_CUR_OFFSET, 0x80000);
    fake_wr(h, A_CUR2_OFFSET, 0x90000);
    fake_wr(h, A_CUR_CLR0, 0x102030);
    fake_wr(h, A_CUR_CLR1, 0xf0e0d0);
    fake_wr(h, A_CUR2_CLR0, 0x405060);
    fake_wr(h, A_CRTC_GEN_CNTL, R_CRTC_GEN_CNTL_CRTC_EXT_DISP_EN_MASK |
            R_CRTC_GEN_CNTL_CRTC_EN_MASK | R_CRTC_GEN_CNTL_CRTC_CUR_EN_MASK |
            depth << R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_SHIFT);
    fake_wr(h, A_CRTC2_GEN_CNTL, R_CRTC2_GEN_CNTL_CRTC2_EN_MASK |
            R_CRTC2_GEN_CNTL_CRTC2_CUR_EN_MASK |
            depth << R_CRTC2_GEN_CNTL_CRTC2_PIX_WIDTH_SHIFT);
    for (unsigned i = 1; i < 4; i++) {
        h->now += 20000000;
        fake_wr(h, A_CUR_HORZ_VERT_POSN, 10 * i << 16 | 3 * i);
        fake_wr(h, A_CUR2_HORZ_VERT_POSN, 7 * i << 16 | 5 * i);
        fake_run(h, 1);
    }
}

static void test_heads(void)
{
    for (uint32_t depth = R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_8BPP;
         depth <= R_CRTC_GEN_CNTL_CRTC_PIX_WIDTH_32BPP; depth++) {
        g_autoptr(GByteArray) file = g_byte_array_new();
        g_autoptr(GArray) one = g_array_new(FALSE, FALSE, 4);
        g_autoptr(GArray) two = g_array_new(FALSE, FALSE, 4);
        FakeHost *h = fake_host_new(0, 0);
        Seen seen[RV100_HEADS] = { { .last = one }, { .last = two } };
        ReplayOptions o = { .frame = frame, .opaque = seen };

        rv100_capture_start(h->chip, sink, file);
        for (unsigned i = 0; i < 0xa0000; i++) {
            h->vram[i] = (uint8_t)(i * 7 + i / 251);
        }
        rv100_capture_vram(h->chip, 0, 0xa0000);
        both_heads(h, depth);
        rv100_capture_stop(h->chip);
        {
            g_auto(Result) r = replay(file->data, file->len, &o);

            assert_same(&r);
            g_assert_cmpuint(seen[0].n + seen[1].n, ==, r.stats.frames);
            /* each place of the cursors was seen */
            g_assert_cmpuint(seen[0].n, >=, 3);
            g_assert_cmpuint(seen[1].n, >=, 3);
        }
        check_seen(h, 0, &seen[0], WIDTH, HEIGHT);
        check_seen(h, 1, &seen[1], WIDTH, HEIGHT);
        fake_host_free(h);
    }
}

/* --- as text --- */

static void test_decode(void)
{
    g_autoptr(GByteArray) file = record(NULL);
    g_autoptr(DecodeSet) set = decode_set_pm4();
    DecodeOptions o = { .verbose = false };
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    g_auto(Capture) c = { 0 };
    static const char *const in_order[] = {
        "microcode sha256 ", "TYPE0 GUI_SCRATCH_REG0", "> + GUI_SCRATCH_REG0 =",
        "irq   up", "TYPE0 CP_IB_BASE", "TYPE0 CP_IB_BUFSZ",
        /* the indirect buffer runs before the rest of the ring */
        "TYPE0 GUI_SCRATCH_REG2", "> + GUI_SCRATCH_REG2 = 0x1b1b1b1b",
        "TYPE0 GUI_SCRATCH_REG1", "# host  + CRTC_GEN_CNTL = ",
        "TYPE0 GUI_SCRATCH_REG4", "> + GUI_SCRATCH_REG4 = 0x00000044",
    };
    const char *at;

    g_assert_true(capture_open(&c, "cap", file->data, file->len, NULL));
    capture_decode(&c, d, false, no_flush, NULL);
    g_assert_null(c.cut);
    at = out->str;
    for (unsigned i = 0; i < G_N_ELEMENTS(in_order); i++) {
        const char *next = strstr(at, in_order[i]);

        if (!next) {
            g_error("'%s' is not in:\n%s", in_order[i], at);
        }
        at = next;
    }
    g_assert_null(strstr(out->str, "in front of this packet"));
}

/* I/O ports and reads have the names of their registers. */
static void test_ports(void)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    FakeHost *h = fake_host_new(0, 0);
    g_autoptr(DecodeSet) set = decode_set_pm4();
    DecodeOptions o = { .verbose = true };
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    g_auto(Capture) c = { 0 };
    static const char *const lines[] = {
        "# port  + GPIO_VGA_DDC = 0x00010000 { ",
        "# port  writes 1 bytes at 0x62: 0x2\n",
        "# host  reads GPIO_VGA_DDC\n",
        "# host  reads CRTC_GEN_CNTL, from byte 3 on\n",
    };

    rv100_capture_start(h->chip, sink, file);
    rv100_io_write(h->chip, A_GPIO_VGA_DDC, 0x10000, 4);
    rv100_io_write(h->chip, A_GPIO_VGA_DDC + 2, 2, 1);
    rv100_io_read(h->chip, A_GPIO_VGA_DDC, 4);
    rv100_mmio_read(h->chip, A_CRTC_GEN_CNTL + 3, 1);
    rv100_capture_stop(h->chip);
    g_assert_true(capture_open(&c, "cap", file->data, file->len, NULL));
    capture_decode(&c, d, true, no_flush, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(lines); i++) {
        if (!strstr(out->str, lines[i])) {
            g_error("'%s' is not in:\n%s", lines[i], out->str);
        }
    }
    fake_host_free(h);
}

/* A range of records: packets, the host's writes and notes inside of it. */
static void test_range(void)
{
    g_autoptr(GByteArray) file = record(NULL);
    g_autoptr(DecodeSet) set = decode_set_pm4();

    for (unsigned i = 0; i < 2; i++) {
        DecodeOptions o = { .start = i ? 1000000 : 1, .json = true };
        g_autoptr(GString) out = g_string_new(NULL);
        g_autoptr(Decoder) d = decoder_new(set, &o, out);
        g_auto(Capture) c = { 0 };

        g_assert_true(capture_open(&c, "cap", file->data, file->len, NULL));
        capture_decode(&c, d, false, no_flush, NULL);
        g_assert_true(!out->len == (i == 1));
        g_assert_true(!strstr(out->str, "{\"what\": \"host\", \"reg\": ")
                      == (i == 1));
        decoder_note(d, "at the end");      /* of no record: shown */
        g_assert_true(g_str_has_suffix(out->str, "at the end\"}\n"));
    }
}

/* --- another image on the packets of a capture --- */

static char *execute(const GByteArray *file, bool other, bool json)
{
    g_autoptr(DecodeSet) set = decode_set_pm4();
    DecodeOptions o = { .json = json };
    GString *out = g_string_new(NULL);
    g_autoptr(Decoder) d = decoder_new(set, &o, out);
    g_auto(Capture) c = { 0 };
    Image image;

    mini_image(&image, other);
    decoder_execute(d, &image, rv100_me_chip("r100"));
    g_assert_true(capture_open(&c, "cap", file->data, file->len, NULL));
    capture_decode(&c, d, false, no_flush, NULL);
    decoder_finish(d);
    return g_string_free(out, FALSE);
}

static void test_execute(void)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    FakeHost *h = fake_host_new(0, 0);
    g_autofree char *same = NULL, *other = NULL, *json = NULL;

    rv100_capture_start(h->chip, sink, file);
    fake_load_mini(h);
    fake_ring_start(h, 6, 4);
    ring2(h, R_GUI_SCRATCH_REG0, 5);
    fake_ring(h, (const uint32_t[]) {
        0x00018000 | R_GUI_SCRATCH_REG1, 0x11, 0x12 }, 3);
    ring2(h, R_GUI_SCRATCH_REG3, 6);
    fake_run(h, 100);
    rv100_capture_stop(h->chip);
    fake_host_free(h);

    same = execute(file, false, false);
    g_assert_nonnull(strstr(same, "  > + GUI_SCRATCH_REG1 = 0x00000012\n"));
    g_assert_null(strstr(same, "the capture has"));
    g_assert_nonnull(strstr(same, "# 3 packets executed, 0 with other writes "
                            "than in the capture\n"));
    other = execute(file, true, false);
    g_assert_nonnull(strstr(other,
        "  > + GUI_SCRATCH_REG1 = 0x00000011\n"
        "  > + GUI_SCRATCH_REG2 = 0x00000012\n"
        "  >   the capture has 2 writes, number 2 is GUI_SCRATCH_REG1 = "
        "0x00000012\n"));
    g_assert_nonnull(strstr(other, "# 3 packets executed, 1 with other writes "
                            "than in the capture\n"));
    json = execute(file, true, true);
    g_assert_nonnull(strstr(json, "{\"differs\": 1, \"captured\": [{\"reg\": "
                            "1401, \"val\": 17}, {\"reg\": 1401, \"val\": "
                            "18}]}]}\n"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/capture/same", test_same);
    g_test_add_func("/capture/later", test_later);
    g_test_add_func("/capture/state-loaded", test_state_loaded);
    g_test_add_func("/capture/debugger", test_debugger);
    g_test_add_func("/capture/random", test_random);
    g_test_add_func("/capture/cut", test_cut);
    g_test_add_func("/capture/every-byte", test_every_byte);
    g_test_add_func("/capture/flips", test_flips);
    g_test_add_func("/capture/changed", test_changed);
    g_test_add_func("/capture/refused", test_refused);
    g_test_add_func("/capture/unknown-kind", test_unknown_kind);
    g_test_add_func("/capture/frames", test_frames);
    g_test_add_func("/capture/heads", test_heads);
    g_test_add_func("/capture/decode", test_decode);
    g_test_add_func("/capture/ports", test_ports);
    g_test_add_func("/capture/range", test_range);
    g_test_add_func("/capture/execute", test_execute);
    return g_test_run();
}
