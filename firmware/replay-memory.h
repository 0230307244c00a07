/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guest's memory, as far as a capture knows it. */
#ifndef RV100_REPLAY_MEMORY_H
#define RV100_REPLAY_MEMORY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ReplayMemory ReplayMemory;

ReplayMemory *replay_memory_new(void);
void replay_memory_free(ReplayMemory *m);
void replay_memory_put(ReplayMemory *m, uint64_t addr, const uint8_t *data,
                       uint32_t len);
/* False: some of it is not known. */
bool replay_memory_get(const ReplayMemory *m, uint64_t addr, uint8_t *buf,
                       uint32_t len);

#endif
