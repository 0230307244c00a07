/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting text at a cursor: room, and the digits. */
#include "decode-put.h"

#define H(x) #x "0" #x "1" #x "2" #x "3" #x "4" #x "5" #x "6" #x "7" #x "8" \
    #x "9" #x "a" #x "b" #x "c" #x "d" #x "e" #x "f"
#define D(x) #x "0" #x "1" #x "2" #x "3" #x "4" #x "5" #x "6" #x "7" #x "8" \
    #x "9"

const char put_hex_pairs[512] = H(0) H(1) H(2) H(3) H(4) H(5) H(6) H(7) H(8)
    H(9) H(a) H(b) H(c) H(d) H(e) H(f);
const char put_decimal_pairs[200] = D(0) D(1) D(2) D(3) D(4) D(5) D(6) D(7)
    D(8) D(9);

char *put_long_decimal(char *p, uint64_t v)
{
    return put_4_digits(put_decimal(p, v / 10000), (unsigned)(v % 10000));
}

char *put_more_room(Decoder *d, char *p, size_t n)
{
    gsize len = (gsize)(p - d->out->str);

    /* Sets the length too, which is put right at once. */
    g_string_set_size(d->out, len + n + 2 * PUT_SLACK);
    d->out->len = len;
    return put_begin(d);
}
