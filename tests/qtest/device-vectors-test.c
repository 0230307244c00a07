/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every vector of 2d-vectors.txt on the device. */
#include <string.h>

#include "reference.h"
#include "rv.h"
#include "vectors.h"

#define VRAM (1u << 20)             /* that the vectors use */

/* One VM for all vectors, reset before each. */
static RvDev *device;

/* VRAM as it was after the last write. */
static uint8_t vram[VRAM];
static bool known;

static void on_write(void *opaque, uint32_t offset, uint32_t value)
{
    rv_wr32(opaque, offset, value);
    known = false;
}

static uint32_t on_read(void *opaque, uint32_t offset)
{
    return rv_rd32(opaque, offset);
}

static uint32_t on_peek(void *opaque, uint32_t addr, uint32_t bytes)
{
    uint32_t v = 0;

    if (!known) {
        rv_vram_read(opaque, 0, vram, sizeof(vram));
        known = true;
    }
    for (uint32_t n = 0; n < bytes; n++) {
        v |= (uint32_t)vram[(addr + n) % VRAM] << 8 * n;
    }
    return v;
}

static void on_poke(void *opaque, uint32_t addr, uint32_t bytes, uint32_t value)
{
    uint8_t le[4] = { value, value >> 8, value >> 16, value >> 24 };

    rv_vram_write(opaque, addr, le, bytes);
    known = false;
}

static void test_vector(gconstpointer data)
{
    const VectorTarget t = { on_write, on_read, on_peek, on_poke, device };

    if (!device) {
        g_test_skip(rv_vm_unavailable());
        return;
    }
    rv_vm_reset(device->vm);
    rv_dev_map(device);
    rv_vram_fill(device, 0, VRAM, 0);
    wr_mc_fb_location(device, (rd_config_memsize(device) - 1) & 0xffff0000);
    known = false;
    vector_run(&t, data);
}

static void test_absent(void)
{
    ref_need(NULL, "reference/2d-vectors.txt");
}

int main(int argc, char **argv)
{
    const Vectors *v;
    int status;

    g_test_init(&argc, &argv, NULL);
    v = vectors_read();
    for (guint i = 0; v && i < v->list->len; i++) {
        const Vector *vector = v->list->pdata[i];
        g_autofree char *path = g_strconcat("/gui/device/", vector->name, NULL);

        g_test_add_data_func(path, vector, test_vector);
    }
    if (!v) {
        g_test_add_func("/gui/device/absent", test_absent);
    } else if (!rv_vm_unavailable()) {
        device = rv_dev_new("");
    }
    status = g_test_run();
    g_clear_pointer(&device, rv_dev_free);
    return status;
}
