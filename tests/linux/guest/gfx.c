/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gfx: what the tests do with the driver from inside the guest, by its DRM and
 * console interfaces. Statically linked; prints "name=value".
 *
 * A program that shows something stays until it is ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <linux/kd.h>

#include "drm.h"

#define LIST 16
#define MODES 128

static void die(const char *format, ...)
{
    va_list ap;

    fputs("gfx: ", stdout);
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
    putchar('\n');
    exit(1);
}

static void call(int fd, unsigned long request, void *arg, const char *what)
{
    while (ioctl(fd, request, arg) < 0) {
        if (errno != EINTR) {
            die("%s: %s", what, strerror(errno));
        }
    }
}

static int open_device(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);

    if (fd < 0) {
        die("%s: %s", path, strerror(errno));
    }
    return fd;
}

static uint64_t pointer(const void *p)
{
    return (uintptr_t)p;
}

/* --- a line of the standard input --- */

/* Not a byte more: the rest is for the next reader. */
static int line(char **args)
{
    char c;

    while (read(STDIN_FILENO, &c, 1) == 1) {
        if (c == '\n') {
            return 0;
        }
        putchar(c);
    }
    return 1;
}

/* --- console font --- */

static int font(char **args)
{
    static uint8_t rows[512 * 32];
    struct console_font_op op = {
        .op = KD_FONT_OP_GET, .width = 8, .height = 32, .charcount = 512, .data = rows,
    };
    int fd = open_device("/dev/tty1");

    call(fd, KDFONTOP, &op, "font");
    if (op.width != 8 || op.height != 16 || op.charcount < 256) {
        die("a font of %ux%u, %u glyphs", op.width, op.height, op.charcount);
    }
    for (unsigned c = 0; c < 256; c++) {
        for (unsigned y = 0; y < 16; y++) {
            printf("%02x", rows[c * 32 + y]);       /* 32 rows are kept for each */
        }
    }
    putchar('\n');
    return 0;
}

/* --- displays --- */

typedef struct Display {
    int fd;
    uint32_t crtcs[LIST];
    unsigned n_crtcs;
    struct {
        uint32_t id;
        Mode modes[MODES];
        unsigned n_modes;
    } monitor[LIST];            /* the connected ones */
    unsigned n_monitors;
} Display;

static void read_connector(Display *d, uint32_t id)
{
    Connector c = { .id = id };

    call(d->fd, GET_CONNECTOR, &c, "connector");    /* probes */
    if (c.connection != 1 || !c.n_modes) {
        return;
    }
    d->monitor[d->n_monitors].id = id;
    c = (Connector) { .id = id, .n_modes = MODES,
                      .modes = pointer(d->monitor[d->n_monitors].modes) };
    call(d->fd, GET_CONNECTOR, &c, "connector");
    d->monitor[d->n_monitors].n_modes = c.n_modes < MODES ? c.n_modes : MODES;
    d->n_monitors++;
}

static Display *open_display(const char *path)
{
    static Display d;
    uint32_t connectors[LIST];
    Resources r = {
        .crtcs = pointer(d.crtcs), .n_crtcs = LIST,
        .connectors = pointer(connectors), .n_connectors = LIST,
    };

    d.fd = open_device(path);
    call(d.fd, GET_RESOURCES, &r, "resources");
    d.n_crtcs = r.n_crtcs;
    for (unsigned i = 0; i < r.n_connectors; i++) {
        read_connector(&d, connectors[i]);
    }
    return &d;
}

static const Mode *find_mode(Display *d, unsigned monitor, const char *name)
{
    for (unsigned i = 0; i < d->monitor[monitor].n_modes; i++) {
        if (!strcmp(d->monitor[monitor].modes[i].name, name)) {
            return &d->monitor[monitor].modes[i];
        }
    }
    die("monitor %u has no mode %s", monitor, name);
    return NULL;
}

typedef struct Buffer {
    uint32_t fb, handle, pitch, width, height;
    uint8_t *pixels;
} Buffer;

static Buffer make_buffer(Display *d, unsigned width, unsigned height, unsigned bpp,
                          unsigned depth)
{
    Dumb dumb = { .width = width, .height = height, .bpp = bpp };
    MapDumb map = { 0 };
    Fb fb;

    call(d->fd, CREATE_DUMB, &dumb, "buffer");
    map.handle = dumb.handle;
    call(d->fd, MAP_DUMB, &map, "map");
    fb = (Fb) { .width = width, .height = height, .pitch = dumb.pitch, .bpp = bpp,
                .depth = depth, .handle = dumb.handle };
    call(d->fd, ADD_FB, &fb, "frame buffer");
    return (Buffer) {
        .fb = fb.id, .handle = dumb.handle, .pitch = dumb.pitch,
        .width = width, .height = height,
        .pixels = mmap(NULL, dumb.size, PROT_READ | PROT_WRITE, MAP_SHARED, d->fd,
                       map.offset),
    };
}

static void show(Display *d, unsigned head, const Mode *mode, uint32_t fb)
{
    Crtc crtc = {
        .connectors = pointer(&d->monitor[head].id), .n_connectors = 1,
        .crtc = d->crtcs[head], .fb = fb, .mode_valid = 1, .mode = *mode,
    };

    call(d->fd, SET_CRTC, &crtc, "mode");
}

/* One colour all over, black at a frame of one pixel. */
static void paint(Buffer *b, uint32_t colour)
{
    for (unsigned y = 0; y < b->height; y++) {
        uint32_t *row = (uint32_t *)(b->pixels + (size_t)b->pitch * y);

        for (unsigned x = 0; x < b->width; x++) {
            row[x] = !x || !y || x == b->width - 1 || y == b->height - 1 ? 0 : colour;
        }
    }
}

static double rate(const Mode *m)
{
    return m->clock * 1000.0 / m->htotal / m->vtotal;
}

/* --- commands --- */

static Vblank wait_vblank(Display *d, uint32_t count)
{
    Vblank v = { .request = { .type = VBLANK_RELATIVE, .sequence = count } };

    call(d->fd, WAIT_VBLANK, &v, "vertical blank");
    return v;
}

static double seconds(const Vblank *v)
{
    return v->reply.sec + v->reply.usec / 1e6;
}

/* vblank DEVICE SECONDS: the first head's count against the guest's clock. */
static int vblank(char **args)
{
    Display *d = open_display(args[0]);
    Crtc crtc = { .crtc = d->crtcs[0] };
    Vblank from, to;

    call(d->fd, GET_CRTC, &crtc, "mode");
    from = wait_vblank(d, 1);
    do {
        to = wait_vblank(d, 1);
    } while (seconds(&to) - seconds(&from) < atof(args[1]));
    printf("count=%u seconds=%.4f rate=%.4f\n", to.reply.sequence - from.reply.sequence,
           seconds(&to) - seconds(&from), rate(&crtc.mode));
    return 0;
}

static FlipEvent flip_to(Display *d, uint32_t fb)
{
    Flip flip = { .crtc = d->crtcs[0], .fb = fb, .flags = FLIP_WITH_EVENT };
    FlipEvent e;

    call(d->fd, PAGE_FLIP, &flip, "flip");
    if (read(d->fd, &e, sizeof(e)) != sizeof(e)) {
        die("event: %s", strerror(errno));
    }
    return e;
}

/* flip DEVICE COUNT: page flips between two buffers. Each one's time is that of
 * a vertical blank, so that the time between two is a number of frames; `off` is
 * the largest deviation from that, in frames. The last buffer stays. */
static int flip(char **args)
{
    Display *d = open_display(args[0]);
    Crtc crtc = { .crtc = d->crtcs[0] };
    unsigned count = atoi(args[1]), late = 0;
    double frame, off = 0;
    Buffer b[2];
    FlipEvent last;

    call(d->fd, GET_CRTC, &crtc, "mode");
    frame = 1 / rate(&crtc.mode);
    for (unsigned i = 0; i < 2; i++) {
        b[i] = make_buffer(d, crtc.mode.hdisplay, crtc.mode.vdisplay, 32, 24);
        paint(&b[i], i ? 0x00ff00 : 0xff0000);
    }
    show(d, 0, &crtc.mode, b[0].fb);
    last = flip_to(d, b[1].fb);
    for (unsigned i = 0; i < count; i++) {
        FlipEvent e = flip_to(d, b[i % 2].fb);
        uint32_t frames = e.sequence - last.sequence;
        double time = (int32_t)(e.sec - last.sec)
            + ((int32_t)e.usec - (int32_t)last.usec) / 1e6;
        double by = time / frame - frames;

        if (!frames) {
            die("two flips in one frame");
        }
        off = by > off ? by : -by > off ? -by : off;
        late += frames > 1;
        last = e;
    }
    printf("flips=%u late=%u off=%.4f\n", count, late, off);
    return 0;
}

/* heads DEVICE MODE MODE: each monitor with a mode and a colour of its own. */
static int heads(char **args)
{
    static const uint32_t colours[2] = { 0x2040ff, 0xff8020 };
    Display *d = open_display(args[0]);

    if (d->n_monitors != 2 || d->n_crtcs != 2) {
        die("%u monitors, %u controllers", d->n_monitors, d->n_crtcs);
    }
    for (unsigned i = 0; i < 2; i++) {
        const Mode *mode = find_mode(d, i, args[1 + i]);
        Buffer b = make_buffer(d, mode->hdisplay, mode->vdisplay, 32, 24);

        paint(&b, colours[i]);
        show(d, i, mode, b.fb);
    }
    puts("shown=2");
    fflush(stdout);
    pause();
    return 0;
}

/* copy DEVICE MEGABYTES: the CPU copies from one buffer in VRAM to another, a
 * megabyte at a time. */
static int copy(char **args)
{
    Display *d = open_display(args[0]);
    Buffer from = make_buffer(d, 512, 512, 32, 24), to = make_buffer(d, 512, 512, 32, 24);
    unsigned count = atoi(args[1]);
    struct timespec begin, end;
    double ms;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (unsigned i = 0; i < count; i++) {
        memcpy(to.pixels, from.pixels, 1 << 20);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    ms = (end.tv_sec - begin.tv_sec) * 1e3 + (end.tv_nsec - begin.tv_nsec) / 1e6;
    printf("megabytes=%u ms=%.1f rate=%.1f\n", count, ms, count / ms * 1e3);
    return 0;
}

/* A square of opaque white with a red left column. */
static uint32_t cursor_picture(Display *d)
{
    Buffer b = make_buffer(d, 64, 64, 32, 32);

    for (unsigned i = 0; i < 64 * 64; i++) {
        ((uint32_t *)b.pixels)[i] = i % 64 ? 0xffffffff : 0xffff0000;
    }
    return b.handle;
}

/* cursor DEVICE MODE X Y: the first monitor black with a cursor. */
static int cursor(char **args)
{
    Display *d = open_display(args[0]);
    const Mode *mode = find_mode(d, 0, args[1]);
    Buffer b = make_buffer(d, mode->hdisplay, mode->vdisplay, 32, 24);
    Cursor c = { .flags = CURSOR_SET | CURSOR_MOVE, .crtc = d->crtcs[0],
                 .x = atoi(args[2]), .y = atoi(args[3]), .width = 64, .height = 64 };

    paint(&b, 0);
    show(d, 0, mode, b.fb);
    c.handle = cursor_picture(d);
    call(d->fd, SET_CURSOR, &c, "cursor");
    puts("shown=1");
    fflush(stdout);
    pause();
    return 0;
}

/* Words that wait until the first controller is in line 100: CRTC_GUI_TRIG_VLINE
 * with begin and end, WAIT_UNTIL with CRTC_VLINE, and a NOP that names the
 * controller, all in the order that the kernel wants. */
static unsigned put_line_wait(uint32_t *ib, int fd)
{
    uint32_t crtcs[LIST];
    Resources r = { .crtcs = pointer(crtcs), .n_crtcs = LIST };
    const uint32_t words[] = {
        0x218 / 4, 100 | 100 << 16, 0x1720 / 4, 1 << 3, 0xc0001000, 0,
    };

    call(fd, GET_RESOURCES, &r, "resources");
    memcpy(ib, words, sizeof(words));
    ib[5] = crtcs[0];
    return 6;
}

/* submit DEVICE wait|line|leave: an indirect buffer of NOPs that uses a buffer
 * object, and a wait for it ("line": the stream itself waits for the beam first).
 * When the kernel knows of a lockup, it resets the GPU in the wait and says EAGAIN;
 * a lockup that comes later does not end a wait. */
static int submit(char **args)
{
    uint32_t nops[16] = { 0 };
    int fd = open_device(args[0]), error = 0;
    unsigned n = strcmp(args[1], "line") ? 0 : put_line_wait(nops, fd);
    GemCreate gem = { .size = 4096, .alignment = 4096, .domain = DOMAIN_VRAM };
    Reloc reloc;
    Chunk chunks[2];
    uint64_t list[2] = { pointer(&chunks[0]), pointer(&chunks[1]) };
    Submit cs = { .n_chunks = 2, .chunks = pointer(list) };
    GemWait wait;

    call(fd, GEM_CREATE, &gem, "buffer object");
    /* A NOP of one word, as buffer objects are named in a stream, and padding. */
    nops[n++] = 0xc0001000;
    n++;
    while (n < 16) {
        nops[n++] = 0x80000000;
    }
    reloc = (Reloc) { .handle = gem.handle, .read_domains = DOMAIN_VRAM };
    chunks[0] = (Chunk) { CHUNK_IB, 16, pointer(nops) };
    chunks[1] = (Chunk) { CHUNK_RELOCS, 4, pointer(&reloc) };
    wait.handle = gem.handle;
    if (ioctl(fd, SUBMIT, &cs) < 0) {
        die("submit: %s", strerror(errno));
    }
    if (!strcmp(args[1], "leave")) {
        puts("wait=no");
        return 0;
    }
    if (ioctl(fd, GEM_WAIT, &wait) < 0) {
        error = errno;
    }
    printf("wait=%s\n", error ? strerror(error) : "done");
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int args;
        int (*run)(char **args);
    } commands[] = {
        { "line", 0, line },
        { "font", 0, font },
        { "vblank", 2, vblank },
        { "flip", 2, flip },
        { "heads", 3, heads },
        { "copy", 2, copy },
        { "cursor", 4, cursor },
        { "submit", 2, submit },
    };

    for (unsigned i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (!strcmp(argv[1], commands[i].name) && argc - 2 == commands[i].args) {
            return commands[i].run(argv + 2);
        }
    }
    puts("usage: gfx line|font|vblank|flip|heads|copy|cursor|submit ARGUMENTS");
    return 2;
}
