/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay-memory.h"

#include <string.h>

#define PAGE 4096u

typedef struct Page {
    uint64_t number;            /* the key */
    uint8_t data[PAGE];
    uint8_t known[PAGE];        /* of each byte */
} Page;

struct ReplayMemory {
    GHashTable *pages;
};

ReplayMemory *replay_memory_new(void)
{
    ReplayMemory *m = g_new0(ReplayMemory, 1);

    m->pages = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    return m;
}

void replay_memory_free(ReplayMemory *m)
{
    g_hash_table_unref(m->pages);
    g_free(m);
}

static Page *page_of(const ReplayMemory *m, uint64_t addr)
{
    uint64_t number = addr / PAGE;

    return g_hash_table_lookup(m->pages, &number);
}

static Page *new_page(ReplayMemory *m, uint64_t addr)
{
    Page *p = g_new0(Page, 1);

    p->number = addr / PAGE;
    g_hash_table_insert(m->pages, &p->number, p);
    return p;
}

void replay_memory_put(ReplayMemory *m, uint64_t addr, const uint8_t *data,
                       uint32_t len)
{
    while (len) {
        uint32_t at = addr % PAGE, n = MIN(len, PAGE - at);
        Page *p = page_of(m, addr);

        p = p ? p : new_page(m, addr);
        memcpy(p->data + at, data, n);
        memset(p->known + at, 1, n);
        addr += n;
        data += n;
        len -= n;
    }
}

bool replay_memory_get(const ReplayMemory *m, uint64_t addr, uint8_t *buf,
                       uint32_t len)
{
    while (len) {
        uint32_t at = addr % PAGE, n = MIN(len, PAGE - at);
        const Page *p = page_of(m, addr);

        if (!p || memchr(p->known + at, 0, n)) {
            return false;
        }
        memcpy(buf, p->data + at, n);
        addr += n;
        buf += n;
        len -= n;
    }
    return true;
}
