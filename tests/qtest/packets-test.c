/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of the stock image through the ring of the device: the register
 * writes, in order, as QEMU's trace shows them, with every size of a fetch.
 */
#include <stdio.h>
#include <string.h>

#include "reference.h"
#include "rv.h"
#include "rv100-me-isa.h"

#define IMAGE "R100_cp.bin"
#define EVENT "rv100_engine_write 0x"

/* One of each kind of handler. */
static const char *const sample[] = {
    "type0 consecutive", "type0 one-reg", "type1", "type2 filler",
    "10 nop, 4 words", "11 PAINT, 3 rects, middle one inverted in x",
    "91 CNTL_PAINT solid", "12 BITBLT 3 rects mixed", "92 CNTL_BITBLT",
    "13 SMALLTEXT two 8x8-ish glyphs",
    "14 HOSTDATA_BLT three bitmaps, NUMBER 1 / 0 / 2",
    "94 CNTL_HOSTDATA_BLT", "15 POLYLINE one segment", "9c CNTL_TRANS_BITBLT",
    "1e SET_SCISSORS", "24 LOAD_MICROCODE three entries",
    "2f 3D_LOAD_VBPNTR 3 arrays",
    "30 macroblock: 5, 6, 7, 3, six empty blocks",
    "32 3D_CLEAR_ZMASK 4 tiles", "settings: brush type 10, dst type 6",
};

static const RefPacket *find_packet(const char *name)
{
    const GPtrArray *all = ref_packets();

    for (guint i = 0; i < all->len; i++) {
        const RefPacket *p = all->pdata[i];

        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    g_error("no example is named '%s'", name);
}

static bool reference_there(void)
{
    return ref_need(ref_packets(), "reference/packets.json") &&
           ref_need(ref_image(IMAGE), "firmware/" IMAGE);
}

/* --- the writes that the engine made, from QEMU's trace --- */

typedef struct Trace {
    RvVm *vm;
    size_t seen;                /* bytes of standard error */
} Trace;

static void trace_start(Trace *t, RvVm *vm)
{
    g_autofree char *text = rv_vm_stderr(vm);

    *t = (Trace) { vm, strlen(text) };
}

/* The writes since trace_start(). */
static GArray *trace_writes(Trace *t)
{
    GArray *writes = g_array_new(FALSE, FALSE, sizeof(RefWrite));
    g_autofree char *text = rv_vm_stderr(t->vm);
    g_auto(GStrv) lines = g_strsplit(text + t->seen, "\n", -1);

    for (int i = 0; lines[i]; i++) {
        const char *at = strstr(lines[i], EVENT);
        unsigned offset;
        RefWrite w;

        if (at && sscanf(at + strlen(EVENT), "%x %*s %x", &offset,
                         &w.value) == 2) {
            w.dword = offset / 4;
            g_array_append_val(writes, w);
        }
    }
    return writes;
}

/* The longest fetch of the ring. */
static unsigned trace_longest_fetch(Trace *t)
{
    g_autofree char *text = rv_vm_stderr(t->vm);
    const char *at = text + t->seen;
    unsigned longest = 0, n;

    while ((at = strstr(at, "rv100_fetch stream 0"))) {
        if (sscanf(at, "rv100_fetch stream 0 addr %*x dwords %u", &n) == 1) {
            longest = MAX(longest, n);
        }
        at++;
    }
    return longest;
}

static void compare(const RefPacket *p, const GArray *got)
{
    for (guint i = 0; i < MAX(p->n_writes, got->len); i++) {
        RefWrite want = i < p->n_writes ? p->writes[i] : (RefWrite) { 0 };
        RefWrite have = i < got->len ? g_array_index(got, RefWrite, i)
                                     : (RefWrite) { 0 };

        if (i >= p->n_writes || i >= got->len || want.dword != have.dword ||
            want.value != have.value) {
            g_test_fail_printf("%s: write %u is %03x=%08x (of %u), expected "
                               "%03x=%08x (of %u)", p->name, i, have.dword,
                               have.value, got->len, want.dword, want.value,
                               p->n_writes);
            return;
        }
    }
}

static void load_image(RvDev *d)
{
    const RefImage *image = ref_image(IMAGE);

    rv_load_words(d, image->hi, image->lo);
}

static void run_packet(RvRing *r, const RefPacket *p)
{
    g_autoptr(GArray) got = NULL;
    Trace t;

    load_image(r->d);
    for (guint i = 0; i < p->n_patch; i++) {
        rv_load_word(r->d, p->patch[i].addr, p->patch[i].hi, p->patch[i].lo);
    }
    trace_start(&t, r->d->vm);
    rv_words(&r->out, p->words.words, p->words.n);
    rv_ring_kick(r);
    rv_settle(r->d);
    rv_assert_hex(rd_rbbm_status(r->d), p->waiting ? 0x80010140 : 0x140);
    got = trace_writes(&t);
    compare(p, got);
    for (guint i = 0; i < p->n_me_writes; i++) {
        wr_cp_me_ram_raddr(r->d, p->me_writes[i].addr);
        rv_assert_hex(rd_cp_me_ram_datah(r->d), p->me_writes[i].hi);
        rv_assert_hex(rd_cp_me_ram_datal(r->d), p->me_writes[i].lo);
    }
}

static RvDev *traced_device(const char *extra)
{
    g_autofree char *args =
        g_strdup_printf("-machine pc -m 64 -vga none -device radeon-rv100%s",
                        extra);
    RvVmConfig config = { .plugin_args = "trace=rv100_engine_write",
                          .args = args };
    RvVm *vm = rv_vm_new(&config);

    return vm ? rv_dev_probe(vm, 0) : NULL;
}

static void test_fetch_size(gconstpointer data)
{
    g_autofree char *extra = g_strdup_printf(",x-cp-fetch-words=%u",
                                             GPOINTER_TO_UINT(data));
    g_autofree char *out = NULL;
    g_autoptr(RvDev) d = NULL;
    unsigned words = 0;
    Trace t;

    if (!reference_there() || !(d = traced_device(extra))) {
        return;
    }
    out = rv_hmp(d->vm, "trace-event rv100_fetch on");
    trace_start(&t, d->vm);
    for (unsigned i = 0; i < G_N_ELEMENTS(sample); i++) {
        g_autoptr(RvRing) r = rv_ring_new(d, 8);
        const RefPacket *p = find_packet(sample[i]);

        run_packet(r, p);
        words = MAX(words, p->words.n);
    }
    g_assert_cmpuint(trace_longest_fetch(&t), ==,
                     MIN(words, GPOINTER_TO_UINT(data)));
}

/* Nothing reads packets behind the engine's back: with another address in the
 * word that type 0 begins with, the write goes elsewhere. */
static void test_changed_word(void)
{
    const RefPacket *p = NULL;
    g_autoptr(RvDev) d = NULL;
    g_autoptr(RvRing) r = NULL;
    g_autoptr(GArray) got = NULL;
    const RefImage *image;
    unsigned changed = 0;
    Trace t;

    if (!reference_there() || !(d = traced_device(""))) {
        return;
    }
    p = find_packet("11 PAINT");
    image = ref_image(IMAGE);
    load_image(d);
    r = rv_ring_new(d, 8);
    /* Every instruction that writes a fixed register DST_Y_X: one further. */
    for (unsigned i = 0x40; i < 256; i++) {
        uint32_t lo = image->lo[i];

        if ((lo & ME_WORD_ADDR_MASK) == R_DST_Y_X && (lo & ME_WORD_WR_MASK)) {
            rv_load_word(d, i, image->hi[i], lo + 1);
            changed++;
        }
    }
    g_assert_cmpuint(changed, >, 0);
    trace_start(&t, d->vm);
    rv_words(&r->out, p->words.words, p->words.n);
    rv_ring_run(r);
    got = trace_writes(&t);
    g_assert_cmpuint(got->len, ==, p->n_writes);
    for (guint i = 0; i < p->n_writes; i++) {
        uint32_t want = p->writes[i].dword;

        rv_assert_hex(g_array_index(got, RefWrite, i).dword,
                      want + (want == R_DST_Y_X));
        rv_assert_hex(g_array_index(got, RefWrite, i).value,
                      p->writes[i].value);
    }
}

int main(int argc, char **argv)
{
    static const unsigned sizes[] = { 1, 2, 3, 5, 8, 256 };

    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *path = g_strdup_printf("/packets/fetch-%u", sizes[i]);

        g_test_add_data_func(path, GUINT_TO_POINTER(sizes[i]),
                             test_fetch_size);
    }
    g_test_add_func("/packets/changed-word", test_changed_word);
    return g_test_run();
}
