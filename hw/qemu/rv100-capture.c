/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x-capture=FILE: the chip's recorder (include/rv100/capture.h) with a file
 * behind it. While it runs, the guest's writes to VRAM through BAR0 are
 * accesses of a device, so that each is recorded; that is slow.
 */
#include "compat.h"

#include "qapi/error.h"
#include "qemu/error-report.h"

#include "device.h"

static GSList *capturing;       /* RV100Device: closed when QEMU exits */

static bool write_file(void *opaque, const void *data, size_t len)
{
    RV100Device *s = opaque;
    const uint8_t *p = data;

    while (len) {
        ssize_t n = write(s->capture_fd, p, len);

        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            warn_report(TYPE_RV100 ": x-capture=%s: %s; the capture ends here", s->capture,
                        g_strerror(errno));
            return false;
        }
        p += n;
        len -= n;
    }
    return true;
}

static void stop_all(void)
{
    for (GSList *l = capturing; l; l = l->next) {
        RV100Device *s = l->data;

        rv100_capture_stop(s->chip);
    }
}

bool rv100_dev_capture_start(RV100Device *s, Error **errp)
{
    static bool registered;

    if (!s->capture) {
        return true;
    }
    s->capture_fd = open(s->capture, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (s->capture_fd < 0) {
        error_setg(errp, "x-capture=%s: %s", s->capture, g_strerror(errno));
        return false;
    }
    if (!registered) {
        atexit(stop_all);
        registered = true;
    }
    capturing = g_slist_prepend(capturing, s);
    rv100_capture_start(s->chip, write_file, s);
    return true;
}

void rv100_dev_capture_stop(RV100Device *s)
{
    if (s->capture) {
        rv100_capture_stop(s->chip);
        capturing = g_slist_remove(capturing, s);
        close(s->capture_fd);
    }
}

/* --- VRAM --- */

static uint64_t vram_read(void *opaque, hwaddr addr, unsigned size)
{
    RV100Device *s = opaque;
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++) {
        value |= (uint64_t)s->vga.vram_ptr[addr + i] << 8 * i;
    }
    return value;
}

static void vram_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    RV100Device *s = opaque;

    for (unsigned i = 0; i < size; i++) {
        s->vga.vram_ptr[addr + i] = value >> 8 * i;
    }
    memory_region_set_dirty(&s->vga.vram, addr, size);
    rv100_capture_vram(s->chip, addr, size);
}

static const MemoryRegionOps vram_ops = {
    .read = vram_read,
    .write = vram_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8 },
    .impl = { .min_access_size = 1, .max_access_size = 8 },
};

MemoryRegion *rv100_dev_vram_region(RV100Device *s)
{
    if (!s->capture) {
        return &s->vga.vram;
    }
    memory_region_init_io(&s->captured_vram, OBJECT(s), &vram_ops, s, "rv100.captured-vram",
                          s->vga.vram_size);
    return &s->captured_vram;
}
