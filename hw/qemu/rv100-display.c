/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The card's own displays on QEMU's consoles: one screen for each head. What a
 * screen shows is decoded by the chip (rv100/display.h); here only the lines
 * that changed are asked for and copied.
 */
#include "compat.h"

#include "qapi/error.h"

#include "device.h"

#define ANALOGUE_INPUT 0x08         /* EDID byte 20: analogue, 0.700, 0.300 V */

/* --- screens --- */

static void draw_lines(RV100Device *s, unsigned head, uint32_t first, uint32_t lines)
{
    RV100Screen *screen = &s->screen[head];
    DisplaySurface *surface = qemu_console_surface(screen->con);
    Rv100DisplayMode mode = screen->mode;

    if (!lines) {
        return;
    }
    mode.cursor &= s->guest_hwcursor;
    rv100_scanout(s->chip, head, &mode, first, lines,
                  (uint8_t *)surface_data(surface) + first * surface_stride(surface),
                  surface_stride(surface));
    dpy_gfx_update(screen->con, 0, first, mode.width, lines);
}

static void draw_cursor(RV100Device *s, unsigned head)
{
    RV100Screen *screen = &s->screen[head];
    uint32_t state[RV100_CURSOR_STATE], first, lines;
    bool seen;

    rv100_cursor_state(s->chip, head, state);
    if (!s->guest_hwcursor) {
        rv100_dev_host_cursor(s, head);
        return;
    }
    seen = rv100_cursor_lines(s->chip, head, &screen->mode, &first, &lines);
    if (memcmp(state, screen->cursor_state, sizeof(state))) {
        memcpy(screen->cursor_state, state, sizeof(state));
        draw_lines(s, head, screen->cursor_first,
                   MIN(screen->cursor_lines, screen->mode.height - screen->cursor_first));
        screen->cursor_lines = 0;
    }
    if (seen) {                     /* its picture is in VRAM: always */
        draw_lines(s, head, first, lines);
        screen->cursor_first = first;
        screen->cursor_lines = lines;
    }
}

/* Bytes of VRAM that a picture is made of. */
static uint64_t span_of(const Rv100DisplayMode *m)
{
    return MIN((uint64_t)m->pitch * m->height + (uint64_t)m->width * m->bytes, m->size);
}

/* What was written since the last time. Heads may show the same memory, so one
 * that takes notice tells the other. */
static DirtyBitmapSnapshot *take_dirty(RV100Device *s, unsigned head)
{
    const Rv100DisplayMode *m = &s->screen[head].mode;
    DirtyBitmapSnapshot *snap =
        memory_region_snapshot_and_clear_dirty(&s->vga.vram, m->offset, span_of(m),
                                               DIRTY_MEMORY_VGA);

    if (s->heads > 1 && memory_region_snapshot_get_dirty(&s->vga.vram, snap, m->offset,
                                                         span_of(m))) {
        s->screen[!head].invalid = true;
    }
    return snap;
}

/* Lines whose memory was written since the last time. */
static void draw_dirty(RV100Device *s, unsigned head)
{
    const Rv100DisplayMode *m = &s->screen[head].mode;
    uint64_t bytes = (uint64_t)m->width * m->bytes;
    uint64_t span = span_of(m);
    DirtyBitmapSnapshot *snap = take_dirty(s, head);
    uint32_t first = 0;

    for (uint32_t line = 0; line <= m->height; line++) {
        uint64_t at = (uint64_t)m->pitch * (m->double_scan ? line / 2 : line);
        bool dirty = line < m->height && at < span
            && memory_region_snapshot_get_dirty(&s->vga.vram, snap, m->offset + at,
                                                MIN(bytes, span - at));

        if (!dirty) {
            draw_lines(s, head, first, line - first);
            first = line + 1;
        }
    }
    g_free(snap);
}

void rv100_dev_scanout(RV100Device *s, unsigned head)
{
    RV100Screen *screen = &s->screen[head];
    DisplaySurface *surface = qemu_console_surface(screen->con);
    Rv100DisplayMode mode;

    rv100_display_mode(s->chip, head, &mode);
    if (screen->foreign || surface_width(surface) != (int)mode.width
        || surface_height(surface) != (int)mode.height) {
        dpy_gfx_replace_surface(screen->con,
                                qemu_create_displaysurface(mode.width, mode.height));
        screen->foreign = false;
        screen->invalid = true;
    }
    if (screen->invalid || memcmp(&mode, &screen->mode, sizeof(mode))) {
        screen->invalid = false;
        screen->mode = mode;
        screen->cursor_lines = 0;
        if (!mode.blank) {
            g_free(take_dirty(s, head));
        }
        draw_lines(s, head, 0, mode.height);
    } else if (!mode.blank) {
        draw_dirty(s, head);
    }
    draw_cursor(s, head);
}

/* --- host cursor --- */

/* A picture of its own on the host's side, as ati-vga does without
 * guest_hwcursor. */
void rv100_dev_host_cursor(RV100Device *s, unsigned head)
{
    RV100Screen *screen = &s->screen[head];
    QEMUCursor *c = cursor_alloc(RV100_CURSOR_SIZE, RV100_CURSOR_SIZE);
    int x, y;
    bool on;

    if (!c) {
        return;
    }
    on = rv100_cursor_image(s->chip, head, c->data, &x, &y) && !screen->mode.blank;
    if (on && (!screen->host_cursor || memcmp(c->data, screen->host_cursor->data,
                                              4 * RV100_CURSOR_SIZE * RV100_CURSOR_SIZE))) {
        if (screen->host_cursor) {
            rv100_compat_cursor_unref(screen->host_cursor);
        }
        screen->host_cursor = c;
        dpy_cursor_define(screen->con, c);
    } else {
        rv100_compat_cursor_unref(c);
    }
    if (on != screen->host_on || (on && (x != screen->host_x || y != screen->host_y))) {
        screen->host_on = on;
        screen->host_x = x;
        screen->host_y = y;
        dpy_mouse_set(screen->con, x, y, on);
    }
}

/* --- second head --- */

static void head1_invalidate(void *opaque)
{
    RV100Device *s = opaque;

    s->screen[1].invalid = true;
}

static void head1_update(void *opaque)
{
    RV100Device *s = opaque;
    RV100Screen *screen = &s->screen[1];
    Rv100DisplayMode mode;

    rv100_display_mode(s->chip, 1, &mode);
    if (mode.native) {
        rv100_dev_scanout(s, 1);
    } else if (!screen->foreign || screen->invalid) {
        screen->foreign = true;
        screen->invalid = false;
        dpy_gfx_replace_surface(screen->con, qemu_create_placeholder_surface(
            640, 480, "The second display is off."));
    }
}

static const GraphicHwOps head1_ops = {
    .invalidate = head1_invalidate,
    .gfx_update = head1_update,
};

/* --- monitors --- */

/* QEMU's generator makes data of a digital monitor. */
static void make_analogue(uint8_t *edid)
{
    uint8_t sum = 0;

    edid[20] = ANALOGUE_INPUT;
    for (unsigned i = 0; i < 127; i++) {
        sum += edid[i];
    }
    edid[127] = -sum;
}

void rv100_dev_plug(RV100Device *s, Rv100Connector connector, bool plugged)
{
    uint8_t edid[RV100_EDID_MAX] = { 0 };
    qemu_edid_info info = s->edid_info;

    if (plugged && s->edid != ON_OFF_AUTO_OFF) {
        qemu_edid_generate(edid, sizeof(edid), &info);
        if (connector == RV100_CONNECTOR_VGA) {
            make_analogue(edid);
        }
        rv100_set_monitor(s->chip, connector, true, edid, sizeof(edid));
    } else {
        rv100_set_monitor(s->chip, connector, plugged, NULL, 0);
    }
}

static const char *const connector_names[RV100_CONNECTORS] = {
    [RV100_CONNECTOR_VGA] = "vga",
    [RV100_CONNECTOR_DVI] = "dvi",
};

/* "none", or the connectors with a monitor joined by "+". */
char *rv100_dev_get_plugged(Object *obj, Error **errp)
{
    RV100Device *s = RV100(obj);
    g_autoptr(GString) text = g_string_new("");

    for (unsigned n = 0; s->chip && n < RV100_CONNECTORS; n++) {
        if (rv100_monitor_plugged(s->chip, n)) {
            g_string_append_printf(text, "%s%s", text->len ? "+" : "", connector_names[n]);
        }
    }
    return g_strdup(text->len ? text->str : "none");
}

void rv100_dev_set_plugged(Object *obj, const char *value, Error **errp)
{
    RV100Device *s = RV100(obj);
    g_auto(GStrv) names = g_strsplit(value, "+", 0);
    bool plugged[RV100_CONNECTORS] = { false };
    bool none = g_str_equal(value, "none");

    if (!s->chip) {
        error_setg(errp, "plugged: the device is not realized; use monitor=");
        return;
    }
    for (unsigned i = 0; !none && names[i]; i++) {
        unsigned n = 0;

        while (n < RV100_CONNECTORS && !g_str_equal(names[i], connector_names[n])) {
            n++;
        }
        if (n == RV100_CONNECTORS) {
            error_setg(errp, "plugged=%s: none, vga, dvi or vga+dvi", value);
            return;
        }
        plugged[n] = true;
    }
    for (unsigned n = 0; n < RV100_CONNECTORS; n++) {
        if (plugged[n] != rv100_monitor_plugged(s->chip, n)) {
            rv100_dev_plug(s, n, plugged[n]);
        }
    }
}

void rv100_dev_display_realize(RV100Device *s)
{
    bool dvi = s->monitor && g_str_equal(s->monitor, "dvi");
    bool none = s->monitor && g_str_equal(s->monitor, "none");
    Rv100Connector first = dvi ? RV100_CONNECTOR_DVI : RV100_CONNECTOR_VGA;

    s->screen[0].con = s->vga.con;
    s->screen[0].foreign = true;
    if (s->heads > 1) {
        s->screen[1].con = graphic_console_init(DEVICE(s), 1, &head1_ops, s);
        s->screen[1].foreign = s->screen[1].invalid = true;
    }
    if (!none) {
        rv100_dev_plug(s, first, true);
        if (s->heads > 1) {         /* the second monitor has the other connector */
            rv100_dev_plug(s, !first, true);
        }
    }
}

void rv100_dev_display_exit(RV100Device *s)
{
    if (s->heads > 1) {
        graphic_console_close(s->screen[1].con);
    }
    for (unsigned n = 0; n < RV100_HEADS; n++) {
        if (s->screen[n].host_cursor) {
            rv100_compat_cursor_unref(s->screen[n].host_cursor);
        }
    }
}
