/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every vector of 2d-vectors.txt, on the painter and on the chip. */
#include "target.h"
#include "vectors.h"

typedef struct Frame {
    uint32_t bytes, pitch, base;
} Frame;

typedef struct Case {
    const Vector *vector;
    bool chip;
} Case;

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

static void box(Gui *g, const Frame *f, const uint32_t *arg)
{
    for (uint32_t y = 0; y < arg[0]; y++) {
        for (uint32_t x = 0; x < arg[0]; x++) {
            gui_poke(g, pixel_addr(f, arg[2] + x, arg[3] + y), f->bytes,
                     box_pixel(arg[0], arg[1], x, y));
        }
    }
}

static void colorhost(Gui *g, const uint32_t *arg)
{
    uint32_t all = arg[0] * arg[0];

    for (uint32_t i = 0; i < all; i++) {
        gui_write(g, i + 1 == all ? A_HOST_DATA_LAST : A_HOST_DATA0 + 4 * (i % 8),
                  box_pixel(arg[0], arg[1], i % arg[0], i / arg[0]));
    }
}

static void fill(Gui *g, const Frame *f, const uint32_t *arg)
{
    for (uint32_t y = arg[1]; y <= arg[3]; y++) {
        for (uint32_t x = arg[0]; x <= arg[2]; x++) {
            gui_poke(g, pixel_addr(f, x, y), f->bytes, arg[4]);
        }
    }
}

static void wrong(const Step *s, const char *what, uint32_t got, uint32_t want)
{
    g_test_message("2d-vectors.txt:%u: %s is 0x%08x, must be 0x%08x", s->line,
                   what, got, want);
    g_test_fail();
}

static void expect(Gui *g, const Frame *f, const Step *s, uint32_t x, uint32_t y,
                   uint32_t want)
{
    uint32_t got = gui_peek(g, pixel_addr(f, x, y), f->bytes);

    want = f->bytes == 4 ? want : want & ((1u << 8 * f->bytes) - 1);
    if (got != want) {
        g_autofree char *what = g_strdup_printf("pixel %u,%u", x, y);

        wrong(s, what, got, want);
    }
}

static void expect_rect(Gui *g, const Frame *f, const Step *s)
{
    for (uint32_t y = s->arg[1]; y <= s->arg[3]; y++) {
        for (uint32_t x = s->arg[0]; x <= s->arg[2]; x++) {
            expect(g, f, s, x, y, s->arg[4]);
        }
    }
}

static void expect_read(Gui *g, const Step *s)
{
    uint32_t got = gui_read(g, s->arg[0]) & s->arg[1];

    if (got != s->arg[2]) {
        g_autofree char *what = g_strdup_printf("register 0x%04x", s->arg[0]);

        wrong(s, what, got, s->arg[2]);
    }
}

static void run_step(Gui *g, Frame *f, const Step *s)
{
    const uint32_t *a = s->arg;

    switch (s->kind) {
    case STEP_WRITE:
        gui_write(g, a[0], a[1]);
        break;
    case STEP_READ:
        expect_read(g, s);
        break;
    case STEP_PUT:
        gui_poke(g, pixel_addr(f, a[0], a[1]), f->bytes, a[2]);
        break;
    case STEP_FILL:
        fill(g, f, a);
        break;
    case STEP_MEM:
        gui_poke(g, a[0], 4, a[1]);
        break;
    case STEP_BOX:
        box(g, f, a);
        break;
    case STEP_COLORHOST:
        colorhost(g, a);
        break;
    case STEP_EXPECT:
        expect(g, f, s, a[0], a[1], a[2]);
        break;
    case STEP_EXPECT_RECT:
        expect_rect(g, f, s);
        break;
    case STEP_EXPECT_MEM:
        if (gui_peek(g, a[0], 4) != a[1]) {
            wrong(s, "dword", gui_peek(g, a[0], 4), a[1]);
        }
        break;
    case STEP_FB:
        *f = (Frame) { a[0], a[1], a[2] };
        break;
    }
}

static void test_vector(gconstpointer data)
{
    const Case *c = data;
    const Vectors *v = vectors_read();
    g_autoptr(Gui) g = gui_new(c->chip, !c->chip);
    Frame f = { 4, 2560, 0 };

    for (guint i = 0; i < v->init->len; i++) {
        run_step(g, &f, &g_array_index(v->init, Step, i));
    }
    for (guint i = 0; i < c->vector->steps->len; i++) {
        run_step(g, &f, &g_array_index(c->vector->steps, Step, i));
    }
}

static void test_absent(void)
{
    ref_need(NULL, "reference/2d-vectors.txt");
}

int main(int argc, char **argv)
{
    const Vectors *v;

    g_test_init(&argc, &argv, NULL);
    v = vectors_read();
    if (!v) {
        g_test_add_func("/gui/painter/absent", test_absent);
        g_test_add_func("/gui/chip/absent", test_absent);
        return g_test_run();
    }
    for (guint i = 0; i < 2 * v->list->len; i++) {
        Case *c = g_new0(Case, 1);
        g_autofree char *path = NULL;

        c->chip = i >= v->list->len;
        c->vector = v->list->pdata[i % v->list->len];
        path = g_strdup_printf("/gui/%s/%s", c->chip ? "chip" : "painter",
                               c->vector->name);
        g_test_add_data_func_full(path, c, test_vector, g_free);
    }
    return g_test_run();
}
