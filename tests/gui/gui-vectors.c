/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every vector of 2d-vectors.txt, on the painter and on the chip. */
#include "target.h"
#include "vectors.h"

typedef struct Case {
    const Vector *vector;
    bool chip;
} Case;

static void on_write(void *opaque, uint32_t offset, uint32_t value)
{
    gui_write(opaque, offset, value);
}

static uint32_t on_read(void *opaque, uint32_t offset)
{
    return gui_read(opaque, offset);
}

static uint32_t on_peek(void *opaque, uint32_t addr, uint32_t bytes)
{
    return gui_peek(opaque, addr, bytes);
}

static void on_poke(void *opaque, uint32_t addr, uint32_t bytes, uint32_t value)
{
    gui_poke(opaque, addr, bytes, value);
}

static void test_vector(gconstpointer data)
{
    const Case *c = data;
    g_autoptr(Gui) g = gui_new(c->chip, !c->chip);
    const VectorTarget t = { on_write, on_read, on_peek, on_poke, g };

    vector_run(&t, c->vector);
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
