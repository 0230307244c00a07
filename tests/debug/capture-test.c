/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures under the debugger: halting, stepping and looking anywhere leave the
 * run as it was captured; steps back give what was there.
 */
#include <string.h>

#include "machine.h"
#include "recorded.h"
#include "rv100/debug-hooks.h"
#include "rv100-regs.h"
#include "snapshot.h"

#define BACK_STEPS 60

typedef struct Session {
    GString *out;
    GByteArray *file;
    Capture capture;
    Recorded *recorded;
    Rv100Debug *debug;
    Rv100 *chip;
} Session;

static bool sink(void *opaque, const void *data, size_t len)
{
    g_byte_array_append(opaque, data, (guint)len);
    return true;
}

/* Random packets that draw, by slices and by polls; on the way the host writes
 * registers and VRAM. */
static GByteArray *record(unsigned packets, guint32 seed)
{
    g_autoptr(Machine) m = machine_new(packets, seed, true, 0);
    GByteArray *file = g_byte_array_new();

    rv100_capture_start(m->chip, sink, file);
    rv100_debug_go(m->chip, 0);
    for (unsigned n = 0; n < 20000 && !rv100_idle(m->chip); n++) {
        if (n % 5 == 0) {       /* looks leave no trace in the capture */
            machine_expect(m, "x/8xw 0x10000000", "0x10000010: ");
            machine_expect(m, "regs C*", "CRTC_CRNT_FRAME");
            machine_expect(m, "packets 3", "");
        }
        if (n % 3) {
            rv100_run(m->chip, 50 + n * 7 % 900);
        } else {
            rv100_mmio_read(m->chip, n % 2 ? A_RBBM_STATUS : A_CP_RB_RPTR, 4);
            rv100_mmio_write(m->chip, A_BIOS_0_SCRATCH, n, 4);
            memset(offline_vram(m->offline) + 0xff000, (int)n, 64);
            rv100_capture_vram(m->chip, 0xff000, 64);
        }
    }
    g_assert_true(rv100_idle(m->chip));
    rv100_capture_stop(m->chip);
    return file;
}

static Session *session_new(GByteArray *file)
{
    Session *s = g_new0(Session, 1);
    GError *error = NULL;

    s->out = g_string_new(NULL);
    s->file = file;
    if (!capture_open(&s->capture, "cap", file->data, file->len, &error)
        || !(s->recorded = recorded_new(&s->capture, s->out, &error))) {
        g_error("%s", error->message);
    }
    s->debug = recorded_debug(s->recorded);
    s->chip = recorded_chip(s->recorded);
    return s;
}

static void session_free(Session *s)
{
    recorded_free(s->recorded);
    capture_close(&s->capture);
    g_byte_array_unref(s->file);
    g_string_free(s->out, TRUE);
    g_free(s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Session, session_free)

static const char *ask(Session *s, const char *line)
{
    g_string_truncate(s->out, 0);
    rv100_debug_command(s->debug, line, strlen(line), s->out);
    if (strstr(s->out->str, "not as it was")) {
        g_error("'%s': %s", line, s->out->str);
    }
    return s->out->str;
}

static void expect(Session *s, const char *line, const char *text)
{
    if (!strstr(ask(s, line), text)) {
        g_error("'%s' is not in the answer to '%s':\n%s", text, line, s->out->str);
    }
}

static void to_the_end(Session *s)
{
    for (unsigned n = 0; n < 100000; n++) {
        if (strstr(ask(s, "continue"), "The capture is at its end.")) {
            return;
        }
    }
    g_assert_not_reached();
}

static void test_continue(void)
{
    g_autoptr(Session) s = session_new(record(2000, 1));

    to_the_end(s);
    g_assert_cmpuint(rv100_debug_units(s->chip), >, 2000);
    expect(s, "step", "The capture is at its end.");
    expect(s, "packets 1", "type");
}

/* Every way to halt; looks in between. */
static void test_halts(void)
{
    static const char *const looks[] = {
        "status", "regs CP_", "x/8xw CP_RB_BASE", "packets 3", "print mem[CP_RB_BASE]",
        "info registers", "gart 0", "backtrace", "disassemble", "stats", "cover",
        "print CRTC_CRNT_FRAME", "x/4xw 0",
    };
    g_autoptr(Session) s = session_new(record(2000, 2));

    for (unsigned n = 1; n < 500; n++) {
        g_autofree char *step = g_strdup_printf("step %u", n % 9 + 1);

        ask(s, step);
        ask(s, looks[n % G_N_ELEMENTS(looks)]);
        ask(s, "next");
    }
    ask(s, "break reg DST_WIDTH_HEIGHT");
    ask(s, "break reg DP_BRUSH_FRGD_CLR == 1");
    ask(s, "break packet type1");
    ask(s, "break type0 if steps % 3 == 0");
    ask(s, "watch GUI_SCRATCH_REG1");
    for (unsigned n = 0; n < 100; n++) {
        ask(s, n % 4 ? "continue" : n % 8 ? "finish" : "until");
        ask(s, looks[n % G_N_ELEMENTS(looks)]);
    }
    to_the_end(s);
}

/* A mode set by the engine for each packet, in one slice: each begins a frame at
 * the time that the capture has there. Here every look at the clock gave another
 * time. */
static GByteArray *record_times(void)
{
    uint32_t words[200];
    g_autoptr(Machine) m = NULL;
    GByteArray *file = g_byte_array_new();
    uint64_t looks = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(words); i += 2) {
        words[i] = A_CRTC_H_TOTAL_DISP / 4;
        words[i + 1] = i + 1;
    }
    m = machine_with(words, G_N_ELEMENTS(words));
    rv100_capture_start(m->chip, sink, file);
    rv100_debug_go(m->chip, 0);
    for (unsigned n = 0; n < 1000 && !rv100_idle(m->chip); n++) {
        rv100_run(m->chip, 0);
    }
    g_assert_true(rv100_idle(m->chip));
    rv100_capture_stop(m->chip);
    for (guint at = RV100_CAPTURE_HEADER; at < file->len;) {
        if (file->data[at] == RV100_CAPTURE_NOW) {
            uint64_t t = GUINT64_TO_LE(++looks << 20);

            memcpy(file->data + at + 4, &t, sizeof(t));
        }
        at += 4 + (file->data[at + 1] | file->data[at + 2] << 8
                   | (guint)file->data[at + 3] << 16);
    }
    g_assert_cmpuint(looks, >, 100);
    return file;
}

/* When the frame of the first head began. */
static int64_t frame_begin(Session *s)
{
    size_t n;
    const Rv100StateField *f = rv100_state_fields(&n);

    while (n && !g_str_equal(f->name, "head[0].epoch")) {
        f++;
        n--;
    }
    g_assert_cmpuint(n, >, 0);
    return *(const int64_t *)(const void *)((const char *)s->chip + f->offset);
}

/* Who looks at the clock takes no time of the capture's. */
static void test_time(void)
{
    g_autoptr(Session) straight = session_new(record_times());
    g_autoptr(Session) s = session_new(record_times());
    g_autoptr(GByteArray) want = NULL, state = NULL;

    to_the_end(straight);
    want = snapshot_save(straight->chip);
    for (unsigned n = 0; n < 50; n++) {
        ask(s, n % 5 ? "step 3" : "break type0");
        ask(s, "print CRTC_CRNT_FRAME");
        ask(s, "regs CRTC_VLINE*");
    }
    ask(s, "delete");
    expect(s, "backstep 20", "=>");
    to_the_end(s);
    state = snapshot_save(s->chip);
    g_assert_cmpmem(state->data, state->len, want->data, want->len);
}

/* What the user writes in the middle of a call neither. */
static void test_time_of_writes(void)
{
    g_autoptr(Session) straight = session_new(record_times());
    g_autoptr(Session) s = session_new(record_times());

    ask(straight, "step 60");
    ask(s, "step 30");
    for (unsigned n = 0; n < 5; n++) {
        expect(s, "set CRTC_H_TOTAL_DISP = 7", "");
    }
    ask(s, "step 30");
    g_assert_cmpuint(rv100_debug_units(s->chip), ==, rv100_debug_units(straight->chip));
    g_assert_cmpint(frame_begin(straight), >, 0);
    g_assert_cmpint(frame_begin(s), ==, frame_begin(straight));
}

/* After each slice the host writes a register, often: the end of a slice and all
 * that are at the same unit. */
static GByteArray *record_marks(void)
{
    g_autoptr(Machine) m = machine_new(3000, 8, true, 0);
    GByteArray *file = g_byte_array_new();

    rv100_capture_start(m->chip, sink, file);
    rv100_debug_go(m->chip, 0);
    for (unsigned n = 0; n < 20000 && !rv100_idle(m->chip); n++) {
        rv100_run(m->chip, 500);
        for (unsigned k = 0; k < 30; k++) {
            rv100_mmio_write(m->chip, A_BIOS_0_SCRATCH, 30 * n + k, 4);
        }
    }
    rv100_capture_stop(m->chip);
    return file;
}

typedef struct Mark {
    uint64_t units;
    GByteArray *state;
} Mark;

/* A step back to the end of a slice is a step into it, not to what came next,
 * and that also where the session has a checkpoint. */
static void test_slice_ends(void)
{
    g_autoptr(Session) s = session_new(record_marks());
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(Mark));
    g_autoptr(GByteArray) before = snapshot_save(s->chip);

    while (rv100_debug_units(s->chip) < 42000) {
        uint64_t units = rv100_debug_units(s->chip);
        uint32_t mark = rv100_peek(s->chip, A_BIOS_0_SCRATCH);

        ask(s, "step");
        g_assert_cmpuint(rv100_debug_units(s->chip), ==, units + 1);
        if (rv100_peek(s->chip, A_BIOS_0_SCRATCH) != mark) {
            Mark m = { units, g_byte_array_ref(before) };

            g_array_append_val(marks, m);
        }
        g_byte_array_unref(before);
        before = snapshot_save(s->chip);
    }
    g_assert_cmpuint(marks->len, >, 50);
    for (guint i = marks->len; i--;) {
        Mark *m = &g_array_index(marks, Mark, i);
        g_autofree char *line = g_strdup_printf("backstep %" G_GUINT64_FORMAT,
                                                rv100_debug_units(s->chip) - m->units);
        g_autoptr(GByteArray) state = NULL;

        ask(s, line);
        g_assert_cmpuint(rv100_debug_units(s->chip), ==, m->units);
        state = snapshot_save(s->chip);
        g_assert_cmpmem(state->data, state->len, m->state->data, m->state->len);
        g_byte_array_unref(m->state);
    }
}

/* What the chip is at the same unit whichever way it came there. */
static void test_backstep(void)
{
    g_autoptr(Session) s = session_new(record(4000, 3));
    g_autoptr(GPtrArray) states = g_ptr_array_new_with_free_func(
        (GDestroyNotify)g_byte_array_unref);
    g_autoptr(GPtrArray) vram = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    const size_t bytes = 1 << 20;

    for (unsigned n = 0; n < BACK_STEPS; n++) {
        ask(s, "step 907");
        g_ptr_array_add(states, snapshot_save(s->chip));
        g_ptr_array_add(vram, g_memdup2(recorded_vram(s->recorded), bytes));
    }
    for (unsigned n = 0; n < 100; n++) {
        unsigned to = g_rand_int_range(rand, 0, BACK_STEPS);
        uint64_t want = 907 * (to + 1), now = rv100_debug_units(s->chip);
        g_autofree char *line = g_strdup_printf(want < now ? "backstep %" G_GUINT64_FORMAT
                                                : "step %" G_GUINT64_FORMAT,
                                                want < now ? now - want : want - now);
        g_autoptr(GByteArray) state = NULL;
        const GByteArray *then = g_ptr_array_index(states, to);

        if (want != now) {
            ask(s, line);
        }
        g_assert_cmpuint(rv100_debug_units(s->chip), ==, want);
        state = snapshot_save(s->chip);
        g_assert_cmpmem(state->data, state->len, then->data, then->len);
        g_assert_true(!memcmp(recorded_vram(s->recorded),
                              g_ptr_array_index(vram, to), bytes));
    }
    expect(s, "backstep 1000000", "");
    expect(s, "packets", "No packet was seen");
    g_assert_cmpuint(rv100_debug_units(s->chip), ==, 0);
    to_the_end(s);
}

/* What the user changes counts until he steps back. */
static void test_changes(void)
{
    g_autoptr(Session) s = session_new(record(100, 4));

    ask(s, "step 100");
    expect(s, "set GUI_SCRATCH_REG5 = 0x1234", "");
    expect(s, "inject 0x00000579 0x77777777", "");
    expect(s, "print GUI_SCRATCH_REG5", "0x1234");
    ask(s, "step 500");
    expect(s, "backstep 10", "What you have changed is taken back.");
    expect(s, "print GUI_SCRATCH_REG5", "= 0");
    to_the_end(s);
}

static void test_cut(void)
{
    GByteArray *file = record(2000, 5);
    g_autoptr(Session) s = NULL;

    g_byte_array_set_size(file, file->len - file->len / 9);
    s = session_new(file);

    expect(s, "continue", "The capture ends here: ");
    expect(s, "backstep", "=>");
    expect(s, "continue", "cut off at byte");
}

/* Cut anywhere: an error, or a session that ends without harm. */
static void test_cut_anywhere(void)
{
    GByteArray *whole = record(20, 6);

    for (guint len = 0; len < whole->len; len += 1 + whole->len / 97) {
        g_autofree guint8 *part = g_memdup2(whole->data, len);
        g_auto(Capture) c = { 0 };
        g_autoptr(GString) out = g_string_new(NULL);
        g_autoptr(Recorded) m = NULL;
        g_autoptr(GError) error = NULL;

        if (!capture_open(&c, "cap", part, len, &error)
            || !(m = recorded_new(&c, out, &error))) {
            g_assert_nonnull(error);
            g_assert_null(strchr(error->message, '\n'));
            continue;
        }
        rv100_debug_command(recorded_debug(m), "continue", 8, out);
        g_assert_nonnull(strstr(out->str, "The capture ends here: "));
    }
    g_byte_array_unref(whole);
}

/* Bytes changed at random: a session that says what it finds, and no harm. */
static void test_damaged(void)
{
    static const char *const lines[] = {
        "step 200", "status", "packets 5", "x/4xw CP_RB_BASE", "backstep 50", "regs",
        "break reg GUI_SCRATCH_REG1", "continue", "set GUI_SCRATCH_REG0 = 1", "bs 10",
        "delete", "continue", "backstep 3", "bt",
    };
    g_autoptr(GByteArray) whole = record(60, 7);
    g_autoptr(GRand) rand = g_rand_new_with_seed(11);

    for (unsigned n = 0; n < 150; n++) {
        g_autofree guint8 *data = g_memdup2(whole->data, whole->len);
        g_auto(Capture) c = { 0 };
        g_autoptr(GString) out = g_string_new(NULL);
        g_autoptr(Recorded) m = NULL;
        g_autoptr(GError) error = NULL;

        for (unsigned k = n % 7 + 1; k; k--) {
            data[g_rand_int_range(rand, RV100_CAPTURE_HEADER, (gint32)whole->len)] ^=
                1 << g_rand_int_range(rand, 0, 8);
        }
        if (!capture_open(&c, "cap", data, whole->len, &error)
            || !(m = recorded_new(&c, out, &error))) {
            g_assert_nonnull(error);
            continue;
        }
        for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
            rv100_debug_command(recorded_debug(m), lines[i], strlen(lines[i]), out);
        }
        g_assert_cmpuint(out->len, >, 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/capture/continue", test_continue);
    g_test_add_func("/capture/halts", test_halts);
    g_test_add_func("/capture/time", test_time);
    g_test_add_func("/capture/time-of-writes", test_time_of_writes);
    g_test_add_func("/capture/slice-ends", test_slice_ends);
    g_test_add_func("/capture/backstep", test_backstep);
    g_test_add_func("/capture/changes", test_changes);
    g_test_add_func("/capture/cut", test_cut);
    g_test_add_func("/capture/cut-anywhere", test_cut_anywhere);
    g_test_add_func("/capture/damaged", test_damaged);
    return g_test_run();
}
