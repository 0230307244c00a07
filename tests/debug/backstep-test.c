/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backstep: 100,000 steps forward, back to each of 1,000 random points; the
 * state, VRAM and memory are those of the way forward.
 */
#include <string.h>

#include "chip-state.h"
#include "machine.h"
#include "rv100/debug-hooks.h"

#define STEPS 100000
#define POINTS 1000
#define JUMPS 30
/* A count for the pace on the host: it depends on where slices ended. */
#define PACE "cp.idle_slices"

typedef struct Point {
    uint64_t units;
    GByteArray *state;
    guint64 memory;             /* sum over VRAM and memory */
} Point;

static guint64 sum(const uint8_t *data, size_t len)
{
    guint64 s = 0;

    for (size_t i = 0; i + 8 <= len; i += 8) {
        guint64 v;

        memcpy(&v, data + i, 8);
        s = (s << 7 | s >> 57) ^ (v + i);
    }
    return s;
}

static guint64 memory_sum(Machine *m)
{
    uint32_t size;
    const uint8_t *memory = offline_memory(m->offline, &size);
    guint64 s = sum(memory, size);

    return s ^ sum(offline_vram(m->offline), 1 << 20);
}

static int by_units(gconstpointer a, gconstpointer b)
{
    uint64_t x = ((const Point *)a)->units, y = ((const Point *)b)->units;

    return x < y ? -1 : x > y;
}

static GArray *choose_points(GRand *rand)
{
    GArray *points = g_array_new(FALSE, TRUE, sizeof(Point));

    for (unsigned i = 0; i < POINTS; i++) {
        Point p = { .units = g_rand_int_range(rand, 1, STEPS) };

        g_array_append_val(points, p);
    }
    g_array_sort(points, by_units);
    return points;
}

static void go_to(Machine *m, uint64_t units)
{
    uint64_t now = rv100_debug_units(m->chip);
    Rv100DebugResult r = RV100_DEBUG_OK;

    if (units > now) {
        r = machine_do(m, "step %" G_GUINT64_FORMAT, units - now);
    } else if (units < now) {
        r = machine_do(m, "backstep %" G_GUINT64_FORMAT, now - units);
    }
    if (r != RV100_DEBUG_OK) {
        g_error("%s", m->out->str);
    }
    g_assert_cmpuint(rv100_debug_units(m->chip), ==, units);
}

static void check_point(Machine *m, const Point *p)
{
    g_autoptr(GByteArray) state = snapshot_save(m->chip);
    const char *differs = chip_differ(state, p->state, PACE);

    if (differs) {
        g_error("at unit %" G_GUINT64_FORMAT " %s is not what it was", p->units,
                differs);
    }
    g_assert_cmpuint(memory_sum(m), ==, p->memory);
}

static void test_backstep(void)
{
    g_autoptr(Machine) m = machine_new(20000, 7, true, 0);
    GRand *rand = g_rand_new_with_seed(1000);
    GArray *points = choose_points(rand);
    guint64 first = memory_sum(m);

    for (unsigned i = 0; i < POINTS; i++) {
        Point *p = &g_array_index(points, Point, i);

        go_to(m, p->units);
        p->state = snapshot_save(m->chip);
        p->memory = memory_sum(m);
    }
    go_to(m, STEPS);
    g_assert_cmpuint(memory_sum(m), !=, first);
    for (unsigned i = POINTS; i-- > 0; ) {
        go_to(m, g_array_index(points, Point, i).units);
        check_point(m, &g_array_index(points, Point, i));
    }
    for (unsigned i = 0; i < JUMPS; i++) {
        const Point *p = &g_array_index(points, Point,
                                        g_rand_int_range(rand, 0, POINTS));

        go_to(m, p->units);
        check_point(m, p);
    }
    go_to(m, 0);
    g_assert_cmpuint(memory_sum(m), ==, first);
    for (unsigned i = 0; i < POINTS; i++) {
        g_byte_array_unref(g_array_index(points, Point, i).state);
    }
    g_array_unref(points);
    g_rand_free(rand);
}

/* A run without stops, stepped back, goes on to the same end; what the user
 * changed on the way stays part of it. */
static void test_change(void)
{
    g_autoptr(Machine) m = machine_new(3000, 8, true, 0);
    guint64 plain, changed;
    uint64_t end;

    machine_expect(m, "continue", "at its end");
    plain = memory_sum(m);
    end = rv100_debug_units(m->chip);
    go_to(m, end / 2);
    machine_expect(m, "set vram[0x400] = 0xdeadbeef", "vram[0x400] = 0xdeadbeef");
    machine_expect(m, "continue", "at its end");
    changed = memory_sum(m);
    go_to(m, end / 2 + 10);
    machine_expect(m, "print vram[0x400]", "0xdeadbeef");
    machine_expect(m, "continue", "at its end");
    g_assert_cmpuint(memory_sum(m), ==, changed);
    go_to(m, end / 2 - 10);
    machine_expect(m, "continue", "at its end");
    g_assert_cmpuint(memory_sum(m), ==, plain);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/backstep/points", test_backstep);
    g_test_add_func("/backstep/change", test_change);
    return g_test_run();
}
