/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in attributes: strict, no surprises from the C library. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gx-private.h"

bool gx_parse_number(const char *text, uint64_t *value)
{
    bool negative = text[0] == '-';
    const char *p = text + negative;
    int base = 10;
    char *end;
    uint64_t v;

    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        base = 16;
        p += 2;
    }
    if (!g_ascii_isxdigit(*p)) {
        return false;
    }
    errno = 0;
    v = g_ascii_strtoull(p, &end, base);
    if (errno || *end) {
        return false;
    }
    *value = negative ? -v : v;
    return true;
}

static bool parse_double(const char *text, double *value)
{
    char *end;

    *value = g_ascii_strtod(text, &end);
    return end != text && !*end && isfinite(*value);
}

static bool fixed_value(const GxField *f, const char *text, uint64_t *raw)
{
    double v, lo, hi;
    unsigned bits = gx_field_bits(f);

    if (!parse_double(text, &v)) {
        return false;
    }
    v = rint(ldexp(v, f->frac_bits));
    lo = f->type == GX_SFIXED ? -ldexp(1, bits - 1) : 0;
    hi = ldexp(1, f->type == GX_SFIXED ? bits - 1 : bits) - 1;
    if (v < lo || v > hi) {
        return false;
    }
    *raw = v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
    if (bits < 64) {
        *raw &= (UINT64_C(1) << bits) - 1;
    }
    return true;
}

static bool float_value(const GxField *f, const char *text, uint64_t *raw)
{
    double v;
    float v32;
    uint32_t u32;

    if (!parse_double(text, &v)) {
        return false;
    }
    switch (gx_field_bits(f)) {
    case 64:
        memcpy(raw, &v, sizeof(*raw));
        return true;
    case 32:
        v32 = (float)v;
        memcpy(&u32, &v32, sizeof(u32));
        *raw = u32;
        return true;
    default:
        return false;
    }
}

bool gx_parse_field_value(const GxField *f, const char *text, uint64_t *raw)
{
    unsigned bits = gx_field_bits(f);
    const GxValue *v = f->enumeration ? gx_enum_by_name(f->enumeration, text)
                                      : NULL;
    int64_t s;

    if (v) {
        *raw = v->value;
        return true;
    }
    if (f->type == GX_UFIXED || f->type == GX_SFIXED) {
        return fixed_value(f, text, raw);
    }
    if (f->type == GX_FLOAT) {
        return float_value(f, text, raw);
    }
    if (f->type == GX_BOOL && (!strcmp(text, "true") ||
                               !strcmp(text, "false"))) {
        *raw = text[0] == 't';
        return true;
    }
    if (!gx_parse_number(text, raw)) {
        return false;
    }
    if (bits >= 64) {
        return true;
    }
    s = (int64_t)*raw;
    if (text[0] == '-') {
        if (f->type != GX_INT || s < -(INT64_C(1) << (bits - 1))) {
            return false;
        }
        *raw &= (UINT64_C(1) << bits) - 1;
        return true;
    }
    return *raw >> bits == 0;
}
