/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "reference.h"
#include "rv100/reginfo.h"

char *ref_path(const char *relative)
{
    const char *dir = g_getenv("RV100_SHARED");

    return g_build_filename(dir && *dir ? dir : RV100_SHARED_DIR, relative,
                            NULL);
}

bool ref_need(const void *found, const char *what)
{
    g_autofree char *why = NULL;

    if (found) {
        return true;
    }
    why = g_strdup_printf("%s is absent: give -Dshared=DIR or RV100_SHARED=DIR",
                          what);
    g_test_skip(why);
    return false;
}

uint32_t ref_register(const char *name)
{
    for (guint i = 0; i < rv100_n_mmio_regs; i++) {
        if (!strcmp(rv100_mmio_regs[i].name, name)) {
            return rv100_mmio_regs[i].offset / 4;
        }
    }
    g_error("no register is named '%s'", name);
}

/* The array that a file holds, or NULL when the file is absent. */
static Json *read_list(const char *relative)
{
    g_autofree char *path = ref_path(relative);
    g_autoptr(GError) err = NULL;
    Json *j;

    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        return NULL;
    }
    j = json_read_file(path, &err);
    if (!j) {
        g_error("%s", err->message);
    }
    if (j->type != JSON_ARRAY || !json_len(j)) {
        g_error("%s: not an array", path);
    }
    return j;
}

static const Json *need(const Json *j, const char *key, JsonType type)
{
    const Json *found = json_get(j, key);

    if (!found || found->type != type) {
        g_error("member '%s' is missing or has another type", key);
    }
    return found;
}

static RefWords read_words(const Json *list)
{
    RefWords w = { g_new0(uint32_t, json_len(list)), json_len(list) };

    for (guint i = 0; i < w.n; i++) {
        w.words[i] = json_hex(json_at(list, i));
    }
    return w;
}

static uint32_t key_number(const char *key)
{
    Json j = { .type = JSON_STRING, .string = (char *)key };

    return json_hex(&j);
}

static RefExpect read_expect(const char *key, const Json *value)
{
    RefExpect e = { .name = g_strdup(key), .value = json_hex(value) };
    guint at;

    e.me_high = sscanf(key, "ME[%u].high", &at) == 1;
    e.at = e.me_high ? at & 255 : ref_register(key);
    return e;
}

static RefProgram *read_program(const Json *j)
{
    RefProgram *p = g_new0(RefProgram, 1);
    const Json *ram = need(j, "me_ram", JSON_OBJECT);
    const Json *packets = need(j, "packets", JSON_ARRAY);
    const Json *expect = need(j, "expect", JSON_OBJECT);

    p->name = g_strdup(need(j, "name", JSON_STRING)->string);
    p->shows = g_strdup(need(j, "shows", JSON_STRING)->string);
    for (guint i = 0; i < json_len(ram); i++) {
        uint8_t at = key_number(ram->keys->pdata[i]);

        p->used[at] = true;
        p->image.hi[at] = json_hex(json_at(json_at(ram, i), 0));
        p->image.lo[at] = json_hex(json_at(json_at(ram, i), 1));
    }
    p->n_submits = json_len(packets);
    p->submits = g_new0(RefWords, p->n_submits);
    for (guint i = 0; i < p->n_submits; i++) {
        p->submits[i] = read_words(json_at(packets, i));
    }
    p->n_expect = json_len(expect);
    p->expect = g_new0(RefExpect, p->n_expect);
    for (guint i = 0; i < p->n_expect; i++) {
        p->expect[i] = read_expect(expect->keys->pdata[i], json_at(expect, i));
    }
    p->wedged = !strcmp(need(j, "engine", JSON_STRING)->string, "wedged");
    return p;
}

const GPtrArray *ref_programs(void)
{
    static GPtrArray *programs;
    g_autoptr(Json) list = NULL;

    if (!programs) {
        list = read_list("reference/evidence.json");
        if (list) {
            programs = g_ptr_array_new();
            for (guint i = 0; i < json_len(list); i++) {
                g_ptr_array_add(programs, read_program(json_at(list, i)));
            }
        }
    }
    return programs;
}

static RefPacket *read_packet(const Json *j)
{
    RefPacket *p = g_new0(RefPacket, 1);
    const Json *me = need(j, "me", JSON_OBJECT);
    const Json *writes = need(j, "writes", JSON_ARRAY);
    const Json *me_writes = need(j, "me_writes", JSON_ARRAY);

    p->name = g_strdup(need(j, "name", JSON_STRING)->string);
    p->words = read_words(need(j, "words", JSON_ARRAY));
    p->n_patch = json_len(me);
    p->patch = g_new0(RefMeWord, p->n_patch);
    for (guint i = 0; i < p->n_patch; i++) {
        p->patch[i].addr = key_number(me->keys->pdata[i]);
        p->patch[i].hi = json_hex(json_at(json_at(me, i), 0));
        p->patch[i].lo = json_hex(json_at(json_at(me, i), 1));
    }
    p->n_writes = json_len(writes);
    p->writes = g_new0(RefWrite, p->n_writes);
    for (guint i = 0; i < p->n_writes; i++) {
        p->writes[i].dword = json_hex(json_at(json_at(writes, i), 0));
        p->writes[i].value = json_hex(json_at(json_at(writes, i), 1));
    }
    p->n_me_writes = json_len(me_writes);
    p->me_writes = g_new0(RefMeWord, p->n_me_writes);
    for (guint i = 0; i < p->n_me_writes; i++) {
        p->me_writes[i].addr = json_hex(json_at(json_at(me_writes, i), 0));
        p->me_writes[i].hi = json_hex(json_at(json_at(me_writes, i), 1));
        p->me_writes[i].lo = json_hex(json_at(json_at(me_writes, i), 2));
    }
    p->waiting = !strcmp(need(j, "state", JSON_STRING)->string, "waiting");
    p->whole_only = g_str_has_prefix(p->name, "2b ") ||
                    g_str_has_prefix(p->name, "31 macroblock: code 8");
    return p;
}

const GPtrArray *ref_packets(void)
{
    static GPtrArray *packets;
    g_autoptr(Json) list = NULL;

    if (!packets) {
        list = read_list("reference/packets.json");
        if (list) {
            packets = g_ptr_array_new();
            for (guint i = 0; i < json_len(list); i++) {
                g_ptr_array_add(packets, read_packet(json_at(list, i)));
            }
        }
    }
    return packets;
}

bool ref_image_parse(const void *bytes, gsize len, RefImage *image)
{
    uint32_t pair[2];

    if (len != 256 * sizeof(pair)) {
        return false;
    }
    for (guint i = 0; i < 256; i++) {
        memcpy(pair, (const char *)bytes + i * sizeof(pair), sizeof(pair));
        image->hi[i] = GUINT32_FROM_BE(pair[0]);
        image->lo[i] = GUINT32_FROM_BE(pair[1]);
    }
    return true;
}

const RefImage *ref_image(const char *name)
{
    static GHashTable *images;
    g_autofree char *relative = g_strconcat("firmware/", name, NULL);
    g_autofree char *path = ref_path(relative);
    g_autofree char *bytes = NULL;
    RefImage *image;
    gsize len;

    images = images ? images : g_hash_table_new(g_str_hash, g_str_equal);
    image = g_hash_table_lookup(images, name);
    if (image || !g_file_get_contents(path, &bytes, &len, NULL)) {
        return image;
    }
    image = g_new0(RefImage, 1);
    if (!ref_image_parse(bytes, len, image)) {
        g_error("%s: not 2048 bytes long", path);
    }
    g_hash_table_insert(images, g_strdup(name), image);
    return image;
}
