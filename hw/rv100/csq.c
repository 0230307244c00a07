/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command stream queue: the words in front of the microengine.
 *
 * The primary queue holds words of the ring or of the PIO aperture, the
 * indirect queue those of the running indirect buffer (or of the indirect PIO
 * aperture). The engine reads a queue through a window (Rv100Me.in, in_end);
 * the queue's rd is brought up to date by rv100_csq_sync().
 *
 * An indirect buffer begins at the next header; when it is exhausted the next
 * word, header or not, comes from the primary queue [isa:2].
 */
#include <string.h>

#include "internal.h"

typedef enum Primary {
    PRIMARY_OFF, PRIMARY_PIO, PRIMARY_BM
} Primary;

typedef enum Indirect {
    INDIRECT_OFF, INDIRECT_PIO, INDIRECT_BM
} Indirect;

/* CP_CSQ_CNTL.CSQ_MODE [hw]; 5..8 as the Rage 128 divides the queue there
 * [inferred]; the others are off. */
static const struct {
    uint8_t primary, indirect;
} modes[16] = {
    [1] = { PRIMARY_PIO, INDIRECT_OFF },
    [2] = { PRIMARY_BM, INDIRECT_OFF },
    [3] = { PRIMARY_PIO, INDIRECT_BM },
    [4] = { PRIMARY_BM, INDIRECT_BM },
    [5] = { PRIMARY_PIO, INDIRECT_BM },
    [6] = { PRIMARY_BM, INDIRECT_BM },
    [7] = { PRIMARY_PIO, INDIRECT_BM },
    [8] = { PRIMARY_BM, INDIRECT_BM },
    [15] = { PRIMARY_PIO, INDIRECT_PIO },
};

static unsigned csq_mode(Rv100 *s)
{
    return RV100_GET(s->regs[R_CP_CSQ_CNTL], CP_CSQ_CNTL, CSQ_MODE);
}

bool rv100_csq_on(Rv100 *s)
{
    return modes[csq_mode(s)].primary != PRIMARY_OFF;
}

static bool bus_master_ring(Rv100 *s)
{
    return modes[csq_mode(s)].primary == PRIMARY_BM;
}

uint32_t rv100_ring_mask(Rv100 *s)
{
    /* RB_BUFSZ is log2 of the size in quadwords [hw]; 22 and more would be
     * beyond the pointer registers. */
    uint32_t log2 = RV100_GET(s->regs[R_CP_RB_CNTL], CP_RB_CNTL, RB_BUFSZ);

    return (2u << MIN(log2, 22)) - 1;
}

static bool queue_empty(const Rv100Queue *q)
{
    return q->rd == q->wr;
}

static Rv100Queue *active_queue(Rv100 *s)
{
    return s->cp.on_indirect ? &s->cp.indirect : &s->cp.primary;
}

void rv100_csq_sync(Rv100 *s)
{
    Rv100Queue *q = active_queue(s);

    q->rd = s->me.in - q->word;
    if (queue_empty(q)) {
        q->rd = q->wr = 0;
        rv100_csq_window(s);
    }
}

void rv100_csq_window(Rv100 *s)
{
    Rv100Queue *q = active_queue(s);

    s->me.in = q->word + q->rd;
    s->me.in_end = q->word + q->wr;
}

void rv100_csq_flush(Rv100 *s)
{
    Rv100Cp *cp = &s->cp;

    cp->primary.rd = cp->primary.wr = 0;
    cp->indirect.rd = cp->indirect.wr = 0;
    cp->ib_left = 0;
    cp->ib_pending = cp->on_indirect = cp->fault = 0;
    rv100_csq_window(s);
}

/* --- PIO --- */

void rv100_csq_push(Rv100 *s, Rv100Queue *q, uint32_t word)
{
    bool indirect = q == &s->cp.indirect;
    bool on = indirect ? modes[csq_mode(s)].indirect == INDIRECT_PIO
                       : modes[csq_mode(s)].primary == PRIMARY_PIO;
    uint32_t aperture = indirect ? A_CP_CSQ_APER_INDIRECT : A_CP_CSQ_APER_PRIMARY;

    if (!on) {
        rv100_guest_error(s, aperture, "0x%08x dropped: mode %u takes no such "
                          "words", word, csq_mode(s));
        return;
    }
    rv100_csq_sync(s);
    if (q->wr == RV100_QUEUE_WORDS && q->rd) {
        for (unsigned n = q->rd; n < q->wr; n++) {
            q->word[n - q->rd] = q->word[n];
        }
        q->wr -= q->rd;
        q->rd = 0;
    }
    if (q->wr == RV100_QUEUE_WORDS) {
        rv100_guest_error(s, aperture, "0x%08x dropped: the queue is full", word);
        return;
    }
    q->word[q->wr++] = word;
    rv100_csq_window(s);
    if (indirect && !s->cp.on_indirect) {
        rv100_me_at_header(&s->me);
    }
    rv100_cp_kick(s);
}

/* Words in front of those that the active queue holds. */
bool rv100_csq_insert(Rv100 *s, const uint32_t *words, uint32_t n,
                      uint32_t *room)
{
    Rv100Queue *q = active_queue(s);
    uint32_t pending;

    rv100_csq_sync(s);
    pending = q->wr - q->rd;
    *room = RV100_QUEUE_WORDS - pending;
    if (n > *room) {
        return false;
    }
    memmove(q->word + n, q->word + q->rd, 4 * pending);
    memcpy(q->word, words, 4 * n);
    q->rd = 0;
    q->wr = pending + n;
    rv100_csq_window(s);
    return true;
}

/* --- fetch --- */

uint32_t rv100_swap(uint32_t v, unsigned code)
{
    switch (code) {
    case R_CP_RB_CNTL_BUF_SWAP_16BIT:
        return (v & 0x00ff00ff) << 8 | (v >> 8 & 0x00ff00ff);
    case R_CP_RB_CNTL_BUF_SWAP_32BIT:
        return GUINT32_SWAP_LE_BE(v);
    case R_CP_RB_CNTL_BUF_SWAP_HALF_DWORD:
        return v << 16 | v >> 16;
    default:
        return v;
    }
}

/* Of the ring and of indirect buffers [doc]. */
static unsigned ring_swap(Rv100 *s)
{
    return RV100_GET(s->regs[R_CP_RB_CNTL], CP_RB_CNTL, BUF_SWAP);
}

/* Bring n dwords from a card address into q; false when none came. */
static bool fetch(Rv100 *s, Rv100Queue *q, uint32_t addr, uint32_t n)
{
    Rv100DmaResult result = rv100_card_access(s, false, addr, q->word, 4 * n);
    unsigned swap = ring_swap(s);

    if (result != RV100_DMA_OK) {
        bool held = result == RV100_DMA_DISABLED;

        rv100_guest_error(s, q == &s->cp.indirect ? A_CP_IB_BASE : A_CP_RB_BASE,
                          "fetch of %u dwords at card address 0x%08x: %s", n,
                          addr, held ? "bus mastering is off, held"
                          : "bus error, held until a soft reset of the CP");
        s->cp.fault |= !held;
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        q->word[i] = rv100_swap(GUINT32_FROM_LE(q->word[i]), swap);
    }
    q->rd = 0;
    q->wr = n;
    rv100_trace(s, RV100_TRACE_fetch, q == &s->cp.indirect, addr, n, 0);
    return true;
}

static void write_back_rptr(Rv100 *s)
{
    uint32_t addr = s->regs[R_CP_RB_RPTR_ADDR];
    unsigned swap = RV100_GET(addr, CP_RB_RPTR_ADDR, RB_RPTR_SWAP);
    uint32_t value = GUINT32_TO_LE(rv100_swap(s->cp.rptr, swap));

    if (RV100_GET(s->regs[R_CP_RB_CNTL], CP_RB_CNTL, RB_NO_UPDATE) || !addr) {
        return;
    }
    /* A bus address: it does not go through the memory controller [hw]. */
    if (rv100_bus_dma(s, true, addr & ~3u, &value, 4) != RV100_DMA_OK) {
        rv100_guest_error(s, A_CP_RB_RPTR_ADDR, "write-back to bus address "
                          "0x%08x failed", addr);
    }
}

static bool fetch_ring(Rv100 *s)
{
    uint32_t mask = rv100_ring_mask(s);
    uint32_t rptr = s->cp.rptr & mask, wptr = s->regs[R_CP_RB_WPTR] & mask;
    uint32_t n;

    if (!bus_master_ring(s) || rptr == wptr) {
        return false;
    }
    n = wptr > rptr ? wptr - rptr : mask + 1 - rptr;
    n = MIN(n, s->config.fetch_words);
    if (!fetch(s, &s->cp.primary, s->regs[R_CP_RB_BASE] + 4 * rptr, n)) {
        s->me.more_later = true;
        return false;
    }
    s->cp.rptr = (rptr + n) & mask;
    write_back_rptr(s);
    return true;
}

static bool fetch_indirect(Rv100 *s)
{
    uint32_t n = MIN(s->cp.ib_left, s->config.fetch_words);

    if (!n) {
        return false;
    }
    if (!fetch(s, &s->cp.indirect, s->cp.ib_addr, n)) {
        s->me.more_later = true;
        return false;
    }
    s->cp.ib_addr += 4 * n;
    s->cp.ib_left -= n;
    return true;
}

/* The engine's window is empty: next words of the stream. */
bool rv100_csq_refill(void *opaque)
{
    Rv100 *s = opaque;
    Rv100Cp *cp = &s->cp;

    rv100_csq_sync(s);
    s->me.more_later = false;
    if (!rv100_csq_on(s)) {
        return false;
    }
    if (cp->fault) {
        s->me.more_later = true;
        return false;
    }
    if (cp->on_indirect) {
        if (fetch_indirect(s)) {
            rv100_csq_window(s);
            return true;
        }
        if (s->me.more_later) {
            return false;
        }
        cp->on_indirect = 0;    /* exhausted: back to the primary stream */
        rv100_csq_window(s);
        if (!queue_empty(&cp->primary)) {
            return true;
        }
    }
    if (fetch_ring(s)) {
        rv100_csq_window(s);
        return true;
    }
    /* A buffer that waits for its header still counts as words to come. */
    s->me.more_later |= cp->ib_pending || !queue_empty(&cp->indirect);
    return false;
}

/* The engine is about to take a header: a waiting buffer begins. */
void rv100_csq_header(void *opaque)
{
    Rv100 *s = opaque;
    Rv100Cp *cp = &s->cp;

    rv100_csq_sync(s);
    if (cp->ib_pending) {
        /* One started inside another replaces what is left of it
         * [inferred]. */
        cp->indirect.rd = cp->indirect.wr = 0;
        cp->ib_addr = cp->next_addr;
        cp->ib_left = cp->next_left;
        cp->ib_pending = 0;
    }
    cp->on_indirect = cp->ib_left || !queue_empty(&cp->indirect);
    rv100_csq_window(s);
}

void rv100_csq_start_ib(Rv100 *s, uint32_t addr, uint32_t dwords)
{
    if (modes[csq_mode(s)].indirect != INDIRECT_BM) {
        rv100_guest_error(s, A_CP_IB_BUFSZ, "%u dwords at 0x%08x ignored: mode "
                          "%u has no indirect buffers", dwords, addr, csq_mode(s));
        return;
    }
    if (!dwords) {
        return;
    }
    s->cp.next_addr = addr & ~3u;
    s->cp.next_left = dwords;
    s->cp.ib_pending = 1;
    rv100_me_at_header(&s->me);
    rv100_cp_kick(s);
}

bool rv100_csq_pending(Rv100 *s)
{
    Rv100Cp *cp = &s->cp;
    uint32_t mask = rv100_ring_mask(s);

    return s->me.in != s->me.in_end || !queue_empty(&cp->indirect)
        || (cp->on_indirect && !queue_empty(&cp->primary))
        || cp->ib_pending || (cp->on_indirect && cp->ib_left)
        || (bus_master_ring(s)
            && ((cp->rptr ^ s->regs[R_CP_RB_WPTR]) & mask));
}

/* Words at a card address, as a fetch would bring them; the number. */
static uint32_t peek_memory(Rv100 *s, uint32_t addr, uint32_t *words, uint32_t n)
{
    if (!n || !rv100_debug_read(s, addr, words, 4 * n)) {
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        words[i] = rv100_swap(GUINT32_FROM_LE(words[i]), ring_swap(s));
    }
    return n;
}

uint32_t rv100_csq_peek(Rv100 *s, uint32_t *words, uint32_t n)
{
    uint32_t mask = rv100_ring_mask(s), wptr = s->regs[R_CP_RB_WPTR] & mask;
    uint32_t at = s->cp.rptr & mask;
    uint32_t got = MIN(n, (uint32_t)(s->me.in_end - s->me.in));

    for (uint32_t i = 0; i < got; i++) {
        words[i] = s->me.in[i];
    }
    if (s->cp.on_indirect) {
        return got + peek_memory(s, s->cp.ib_addr, words + got,
                                 MIN(n - got, s->cp.ib_left));
    }
    while (bus_master_ring(s) && got < n && at != wptr) {
        uint32_t more = MIN(n - got, (wptr > at ? wptr : mask + 1) - at);

        more = peek_memory(s, s->regs[R_CP_RB_BASE] + 4 * at, words + got, more);
        if (!more) {
            break;
        }
        got += more;
        at = (at + more) & mask;
    }
    return got;
}
