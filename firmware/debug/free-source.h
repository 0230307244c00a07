/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RV100_FREE_SOURCE_H
#define RV100_FREE_SOURCE_H

/* The text of firmware/rv100-free.s. */
extern const char rv100_free_source[] __attribute__((visibility("hidden")));

#endif
