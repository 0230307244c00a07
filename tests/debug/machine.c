/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine.h"

#include <string.h>

#include "asm.h"
#include "free-source.h"
#include "rv100-regs.h"

#define VRAM (1u << 20)

static void word(GArray *w, uint32_t v)
{
    g_array_append_val(w, v);
}

static void type0(GArray *w, uint32_t offset, uint32_t value)
{
    word(w, offset / 4);
    word(w, value);
}

static uint32_t point(GRand *r)
{
    return g_rand_int_range(r, 0, 60) << 16 | g_rand_int_range(r, 0, 60);
}

/* Registers so that packets draw something. */
static void set_up(GArray *w, bool draw)
{
    type0(w, A_DEFAULT_PITCH_OFFSET, 4 << R_DEFAULT_PITCH_OFFSET_PITCH_SHIFT);
    type0(w, A_DEFAULT_SC_BOTTOM_RIGHT, draw ? 0x1fff1fff : 0);
    type0(w, A_DP_WRITE_MASK, ~0u);
    type0(w, A_DP_CNTL, 3);
    type0(w, A_DP_BRUSH_FRGD_CLR, 0x12345678);
    type0(w, A_DP_GUI_MASTER_CNTL, 0x52f036d0);     /* fill, 32 bpp */
}

static void random_packet(GArray *w, GRand *r)
{
    unsigned n = g_rand_int_range(r, 1, 6);

    switch (g_rand_int_range(r, 0, 7)) {
    case 0:                     /* filler */
        word(w, 0x80000000);
        break;
    case 1:
        type0(w, A_GUI_SCRATCH_REG0 + 4 * n, g_rand_int(r));
        break;
    case 2:
        type0(w, A_DP_BRUSH_FRGD_CLR, g_rand_int(r));
        break;
    case 3:                     /* type 1 */
        word(w, 1u << 30 | A_GUI_SCRATCH_REG0 / 4 << 11 | A_GUI_SCRATCH_REG1 / 4);
        word(w, g_rand_int(r));
        word(w, g_rand_int(r));
        break;
    case 4:                     /* PAINT_MULTI */
        word(w, 0xc0001a00 | (2 * n - 1) << 16);
        while (n--) {
            word(w, point(r));
            word(w, point(r));
        }
        break;
    case 5:                     /* BITBLT */
        word(w, 0xc0001200 | (3 * n - 1) << 16);
        while (n--) {
            word(w, point(r));
            word(w, point(r));
            word(w, point(r));
        }
        break;
    default:                    /* POLYLINE */
        word(w, 0xc0001500 | n << 16);
        for (unsigned i = 0; i <= n; i++) {
            word(w, point(r));
        }
        break;
    }
}

static Machine *make(GArray *words, uint64_t max_steps)
{
    Machine *m = g_new0(Machine, 1);
    AsmResult r;

    g_assert_true(asm_text("free", rv100_free_source, strlen(rv100_free_source), &r));
    m->out = g_string_new(NULL);
    m->words = words;
    m->offline = offline_new(&(OfflineConfig) {
        .image = &r.image, .chip = r.chip, .words = (const uint32_t *)words->data,
        .n_words = words->len, .vram_size = VRAM, .max_steps = max_steps }, m->out);
    m->debug = offline_debug(m->offline);
    m->chip = offline_chip(m->offline);
    asm_result_clear(&r);
    return m;
}

Machine *machine_new(unsigned n_packets, guint32 seed, bool draw,
                     uint64_t max_steps)
{
    GArray *words = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    GRand *rand = g_rand_new_with_seed(seed);

    set_up(words, draw);
    for (unsigned i = 0; i < n_packets; i++) {
        random_packet(words, rand);
    }
    g_rand_free(rand);
    return make(words, max_steps);
}

Machine *machine_with(const uint32_t *words, size_t n)
{
    GArray *array = g_array_new(FALSE, FALSE, sizeof(uint32_t));

    g_array_append_vals(array, words, n);
    return make(array, 0);
}

void machine_free(Machine *m)
{
    offline_free(m->offline);
    g_string_free(m->out, TRUE);
    g_array_unref(m->words);
    g_free(m);
}

Rv100DebugResult machine_do(Machine *m, const char *format, ...)
{
    g_autofree char *line = NULL;
    va_list ap;

    va_start(ap, format);
    line = g_strdup_vprintf(format, ap);
    va_end(ap);
    g_string_truncate(m->out, 0);
    return rv100_debug_command(m->debug, line, strlen(line), m->out);
}

void machine_expect(Machine *m, const char *line, const char *text)
{
    Rv100DebugResult r = machine_do(m, "%s", line);

    if (r != RV100_DEBUG_OK || !strstr(m->out->str, text)) {
        g_error("'%s' is not in the answer to '%s':\n%s", text, line, m->out->str);
    }
}
