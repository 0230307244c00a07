/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vectors.h"
#include "rv100-regs.h"

typedef struct Frame {
    uint32_t bytes, pitch, base;
} Frame;

static uint32_t pixel_addr(const Frame *f, uint32_t x, uint32_t y)
{
    return f->base + y * f->pitch + x * f->bytes;
}

/* Pixel (x, y) of the test picture of a size with a border. */
static uint32_t box_pixel(uint32_t size, uint32_t b, uint32_t x, uint32_t y)
{
    uint32_t far = size - b;

    if (x < b || y < b || x >= far || y >= far) {
        return 0x00cc3355;
    }
    if (x <= y || (x >= size - 3 * b && x < size - 2 * b && y >= 2 * b
                   && y < 3 * b)) {
        return 0x0055cc33;
    }
    return 0x003355cc;
}

static void box(const VectorTarget *t, const Frame *f, const uint32_t *arg)
{
    for (uint32_t y = 0; y < arg[0]; y++) {
        for (uint32_t x = 0; x < arg[0]; x++) {
            t->poke(t->opaque, pixel_addr(f, arg[2] + x, arg[3] + y), f->bytes,
                     box_pixel(arg[0], arg[1], x, y));
        }
    }
}

static void colorhost(const VectorTarget *t, const uint32_t *arg)
{
    uint32_t all = arg[0] * arg[0];

    for (uint32_t i = 0; i < all; i++) {
        t->write(t->opaque, i + 1 == all ? A_HOST_DATA_LAST : A_HOST_DATA0 + 4 * (i % 8),
                  box_pixel(arg[0], arg[1], i % arg[0], i / arg[0]));
    }
}

static void fill(const VectorTarget *t, const Frame *f, const uint32_t *arg)
{
    for (uint32_t y = arg[1]; y <= arg[3]; y++) {
        for (uint32_t x = arg[0]; x <= arg[2]; x++) {
            t->poke(t->opaque, pixel_addr(f, x, y), f->bytes, arg[4]);
        }
    }
}

static void wrong(const Step *s, const char *what, uint32_t got, uint32_t want)
{
    g_test_message("2d-vectors.txt:%u: %s is 0x%08x, must be 0x%08x", s->line,
                   what, got, want);
    g_test_fail();
}

static void expect(const VectorTarget *t, const Frame *f, const Step *s, uint32_t x, uint32_t y,
                   uint32_t want)
{
    uint32_t got = t->peek(t->opaque, pixel_addr(f, x, y), f->bytes);

    want = f->bytes == 4 ? want : want & ((1u << 8 * f->bytes) - 1);
    if (got != want) {
        g_autofree char *what = g_strdup_printf("pixel %u,%u", x, y);

        wrong(s, what, got, want);
    }
}

static void expect_rect(const VectorTarget *t, const Frame *f, const Step *s)
{
    for (uint32_t y = s->arg[1]; y <= s->arg[3]; y++) {
        for (uint32_t x = s->arg[0]; x <= s->arg[2]; x++) {
            expect(t, f, s, x, y, s->arg[4]);
        }
    }
}

static void expect_read(const VectorTarget *t, const Step *s)
{
    uint32_t got = t->read(t->opaque, s->arg[0]) & s->arg[1];

    if (got != s->arg[2]) {
        g_autofree char *what = g_strdup_printf("register 0x%04x", s->arg[0]);

        wrong(s, what, got, s->arg[2]);
    }
}

static void run_step(const VectorTarget *t, Frame *f, const Step *s)
{
    const uint32_t *a = s->arg;

    switch (s->kind) {
    case STEP_WRITE:
        t->write(t->opaque, a[0], a[1]);
        break;
    case STEP_READ:
        expect_read(t, s);
        break;
    case STEP_PUT:
        t->poke(t->opaque, pixel_addr(f, a[0], a[1]), f->bytes, a[2]);
        break;
    case STEP_FILL:
        fill(t, f, a);
        break;
    case STEP_MEM:
        t->poke(t->opaque, a[0], 4, a[1]);
        break;
    case STEP_BOX:
        box(t, f, a);
        break;
    case STEP_COLORHOST:
        colorhost(t, a);
        break;
    case STEP_EXPECT:
        expect(t, f, s, a[0], a[1], a[2]);
        break;
    case STEP_EXPECT_RECT:
        expect_rect(t, f, s);
        break;
    case STEP_EXPECT_MEM:
        if (t->peek(t->opaque, a[0], 4) != a[1]) {
            wrong(s, "dword", t->peek(t->opaque, a[0], 4), a[1]);
        }
        break;
    case STEP_FB:
        *f = (Frame) { a[0], a[1], a[2] };
        break;
    }
}

void vector_run(const VectorTarget *t, const Vector *vector)
{
    const Vectors *v = vectors_read();
    Frame f = { 4, 2560, 0 };

    for (guint i = 0; i < v->init->len; i++) {
        run_step(t, &f, &g_array_index(v->init, Step, i));
    }
    for (guint i = 0; i < vector->steps->len; i++) {
        run_step(t, &f, &g_array_index(vector->steps, Step, i));
    }
}
