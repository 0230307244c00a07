/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages about what the guest did and what the model lacks: one line each,
 * at most one per register and second, so that a guest cannot fill the host's
 * disk. What is not emulated is said once per register.
 */
#include "internal.h"

const char *rv100_reg_name(uint32_t offset)
{
    const Rv100RegInfo *r = rv100_mmio_info(offset);

    return r ? r->name : "register";
}

static void emit(Rv100 *s, Rv100LogLevel level, uint32_t offset,
                 const char *format, va_list args)
{
    g_autofree char *text = g_strdup_vprintf(format, args);
    g_autofree char *line = g_strdup_printf("rv100: %s (0x%04x): %s",
                                            rv100_reg_name(offset), offset, text);

    s->host.log(s->opaque, level, line);
}

void rv100_guest_error(Rv100 *s, uint32_t offset, const char *format, ...)
{
    uint32_t *last = &s->log_second[offset / 4 % RV100_MMIO_DWORDS];
    uint32_t second = s->host.now(s->opaque) / 1000000000 + 1;
    va_list args;

    if (!s->host.log || s->debug.quiet || *last == second) {
        return;
    }
    *last = second;
    va_start(args, format);
    emit(s, RV100_LOG_GUEST_ERROR, offset, format, args);
    va_end(args);
}

void rv100_unimp(Rv100 *s, uint32_t offset, const char *format, ...)
{
    uint32_t n = offset / 4 % RV100_MMIO_DWORDS;
    uint32_t bit = 1u << n % 32;
    va_list args;

    if (!s->host.log || s->unimp_logged[n / 32] & bit) {
        return;
    }
    s->unimp_logged[n / 32] |= bit;
    va_start(args, format);
    emit(s, RV100_LOG_UNIMP, offset, format, args);
    va_end(args);
}
