/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of fields as text, and back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gx-private.h"

#define HEX_FROM 24             /* bits of a number that is shown in hex */
#define RAW "raw:"

/* --- numbers without printf: a decoder spends its time here --- */

void gx_append_hex(GString *s, uint64_t v, unsigned digits)
{
    char text[16];

    for (unsigned i = digits; i > 0; i--, v >>= 4) {
        text[i - 1] = "0123456789abcdef"[v & 15];
    }
    gx_append(s, text, digits);
}

void gx_append_decimal(GString *s, uint64_t v)
{
    char text[20];
    unsigned at = sizeof(text);

    do {
        text[--at] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    gx_append(s, text + at, sizeof(text) - at);
}

static void append_hex(GString *s, uint64_t v, unsigned digits)
{
    gx_append(s, "0x", 2);
    gx_append_hex(s, v, MAX(digits, 1));
}

static void append_raw(GString *s, const GxField *f, uint64_t raw)
{
    g_string_append(s, RAW);
    append_hex(s, raw, (gx_field_bits(f) + 3) / 4);
}

/* --- floats --- */

/* IEEE half to double: every half is a double exactly. */
static double half_value(uint32_t h)
{
    int exp = h >> 10 & 31;
    uint32_t man = h & 0x3ff;
    double v = exp ? ldexp(man + 1024, exp - 25) : ldexp(man, -24);

    if (exp == 31) {
        v = man ? NAN : INFINITY;
    }
    return h >> 15 ? -v : v;
}

static double float_of(unsigned bits, uint64_t raw)
{
    uint32_t u32 = (uint32_t)raw;
    double v;
    float v32;

    if (bits == 16) {
        return half_value(u32);
    }
    if (bits == 32) {
        memcpy(&v32, &u32, sizeof(v32));
        return v32;
    }
    memcpy(&v, &raw, sizeof(v));
    return v;
}

/* The shortest text that is read back as the same number. */
static void append_double(GString *s, unsigned bits, double v)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    for (int digits = 6; digits <= 17; digits++) {
        char format[8];
        double back;

        g_snprintf(format, sizeof(format), "%%.%dg", digits);
        g_ascii_formatd(text, sizeof(text), format, v);
        back = g_ascii_strtod(text, NULL);
        if (bits == 32 ? (float)back == (float)v : back == v) {
            break;
        }
    }
    g_string_append(s, text);
}

static void append_float(GString *s, const GxField *f, uint64_t raw)
{
    unsigned bits = gx_field_bits(f);
    double v;

    if (bits != 16 && bits != 32 && bits != 64) {
        append_raw(s, f, raw);
        return;
    }
    v = float_of(bits, raw);
    if (isfinite(v)) {
        append_double(s, bits, v);
    } else {
        append_raw(s, f, raw);
    }
}

static bool parse_half(double v, uint64_t *raw)
{
    for (uint32_t h = 0; h < 0x7c00; h++) {
        if (half_value(h) == fabs(v)) {
            *raw = h | (signbit(v) ? 0x8000 : 0);
            return true;
        }
    }
    return false;
}

/* --- one value --- */

static int64_t sign_extend(uint64_t raw, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);

    return bits >= 64 ? (int64_t)raw : (int64_t)((raw ^ sign) - sign);
}

static void append_fixed(GString *s, const GxField *f, uint64_t raw)
{
    unsigned bits = gx_field_bits(f);
    double v;

    if (bits > 53) {
        append_raw(s, f, raw);      /* a double would round it */
        return;
    }
    v = f->type == GX_SFIXED ? (double)sign_extend(raw, bits) : (double)raw;
    append_double(s, 64, ldexp(v, -(int)f->frac_bits));
}

static bool is_address(const GxField *f)
{
    return f->type == GX_ADDRESS || f->type == GX_OFFSET;
}

/* Bits below an address, which the field leaves out. */
static unsigned left_out(const GxField *f)
{
    unsigned low = f->start % 32;

    return gx_field_bits(f) + low <= 64 ? low : 0;
}

/* Of the number, whether it has a name or not. */
static GxShape number_shape(const GxField *f)
{
    unsigned bits = MIN(gx_field_bits(f), 64);
    GxShape shape = { GX_AS_DECIMAL, 0, 0 };

    if (f->type == GX_INT) {
        shape.kind = GX_AS_SIGNED;
    } else if (is_address(f) || bits >= HEX_FROM) {
        shape.kind = GX_AS_HEX;
        shape.low = is_address(f) ? (uint8_t)left_out(f) : 0;
        shape.digits = (uint8_t)((bits + shape.low + 3) / 4);
    }
    return shape;
}

GxShape gx_value_shape(const GxField *f)
{
    if (f->enumeration || f->type == GX_FLOAT || f->type == GX_UFIXED ||
        f->type == GX_SFIXED ||
        (f->type == GX_BOOL && gx_field_bits(f) == 1)) {
        return (GxShape) { GX_AS_OTHER, 0, 0 };
    }
    return number_shape(f);
}

static void append_number(GString *s, const GxField *f, uint64_t raw)
{
    GxShape shape = number_shape(f);

    if (shape.kind == GX_AS_SIGNED) {
        int64_t v = sign_extend(raw, MIN(gx_field_bits(f), 64));

        if (v < 0) {
            g_string_append_c(s, '-');
        }
        gx_append_decimal(s, v < 0 ? -(uint64_t)v : (uint64_t)v);
    } else if (shape.kind == GX_AS_HEX) {
        append_hex(s, raw << shape.low, shape.digits);
    } else {
        gx_append_decimal(s, raw);
    }
}

void gx_value_text(GString *s, const GxField *f, uint64_t raw)
{
    const GxValue *v;

    switch (f->type) {
    case GX_BOOL:
        if (gx_field_bits(f) == 1 && !f->enumeration) {
            gx_append(s, raw ? "true" : "false", raw ? 4 : 5);
            return;
        }
        break;
    case GX_FLOAT:
        append_float(s, f, raw);
        return;
    case GX_UFIXED:
    case GX_SFIXED:
        append_fixed(s, f, raw);
        return;
    default:
        break;
    }
    append_number(s, f, raw);
    v = f->enumeration ? gx_enum_by_value(f->enumeration, raw) : NULL;
    if (v) {
        gx_append(s, " (", 2);
        gx_append_text(s, v->name);
        gx_append(s, ")", 1);
    }
}

/* --- back --- */

static bool fits(const GxField *f, uint64_t raw)
{
    unsigned bits = gx_field_bits(f);

    return bits >= 64 || raw >> bits == 0;
}

static bool parse_address(const GxField *f, const char *text, uint64_t *raw,
                          const char **why)
{
    unsigned low = left_out(f);
    uint64_t v;

    if (!gx_parse_number(text, &v) || text[0] == '-') {
        *why = "no address";
        return false;
    }
    if (v & ((UINT64_C(1) << low) - 1)) {
        *why = "its low bits must be 0";
        return false;
    }
    *raw = v >> low;
    if (!fits(f, *raw)) {
        *why = "too large for the field";
        return false;
    }
    return true;
}

/* "13 (SOLID)": the number, and the name must be that of the number. */
static bool parse_named(const GxField *f, const char *text, uint64_t *raw,
                        const char **why)
{
    const char *open = strstr(text, " (");
    size_t len = strlen(text);
    g_autofree char *number = NULL, *name = NULL;
    const GxValue *v;

    if (!f->enumeration || !open || text[len - 1] != ')') {
        return false;
    }
    number = g_strndup(text, open - text);
    name = g_strndup(open + 2, text + len - 1 - (open + 2));
    if (!gx_parse_number(number, raw)) {
        return false;
    }
    if (f->type == GX_INT && gx_field_bits(f) < 64 && number[0] == '-') {
        *raw &= (UINT64_C(1) << gx_field_bits(f)) - 1;
    }
    v = gx_enum_by_value(f->enumeration, *raw);
    if (!v || strcmp(v->name, name)) {
        *why = "number and name differ";
        return false;
    }
    *why = "too large for the field";
    return fits(f, *raw);
}

bool gx_value_parse(const GxField *f, const char *text, uint64_t *raw,
                    const char **why)
{
    *why = "no value of this field";
    if (g_str_has_prefix(text, RAW)) {
        return gx_parse_number(text + strlen(RAW), raw) && fits(f, *raw);
    }
    if (is_address(f)) {
        return parse_address(f, text, raw, why);
    }
    if (f->type == GX_FLOAT && gx_field_bits(f) == 16) {
        char *end;
        double v = g_ascii_strtod(text, &end);

        return end != text && !*end && parse_half(v, raw);
    }
    return parse_named(f, text, raw, why) ||
           (gx_parse_field_value(f, text, raw) && fits(f, *raw));
}
