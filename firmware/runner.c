/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner.h"

static void reg_write(void *opaque, uint32_t dword, uint32_t value)
{
    Runner *r = opaque;

    if (r->reg) {
        r->reg(r, dword, value);
    }
}

static void me_write(void *opaque, uint8_t addr, uint8_t hi, uint32_t lo)
{
    Runner *r = opaque;

    if (r->me_word) {
        r->me_word(r, addr, hi, lo);
    }
}

static bool refill(void *opaque)
{
    Runner *r = opaque;
    size_t n = (size_t)(r->end - r->words);

    if (!n) {
        return false;
    }
    if (r->feed && r->feed < n) {
        n = r->feed;
    }
    r->me.in = r->words;
    r->me.in_end = r->words + n;
    r->words += n;
    return true;
}

/* Nothing is between headers here: no indirect buffers. */
static void header(void *opaque)
{
}

static const Rv100MeOps ops = {
    .reg_write = reg_write,
    .refill = refill,
    .header = header,
    .me_write = me_write,
};

void runner_init(Runner *r, const Image *image, const Rv100MeChip *chip)
{
    *r = (Runner) { .words = NULL };
    rv100_me_init(&r->me, chip, &ops, r);
    for (unsigned i = 0; i < RV100_ME_WORDS; i++) {
        rv100_me_load(&r->me, (uint8_t)i, image->hi[i], image->lo[i]);
    }
}

RunState runner_run(Runner *r, const uint32_t *words, size_t n,
                    uint64_t max_steps)
{
    r->words = words;
    r->end = words + n;
    for (;;) {
        uint64_t since = r->me.steps - r->me.last_word;

        if (since >= max_steps) {
            return RUN_WEDGED;
        }
        if (rv100_me_run(&r->me, max_steps - since, NULL) ==
            RV100_ME_STALLED) {
            return rv100_me_idle(&r->me) ? RUN_IDLE : RUN_WAITING;
        }
    }
}

const char *runner_state_name(RunState state)
{
    static const char *const names[] = { "idle", "waiting", "wedged" };

    return names[state];
}
