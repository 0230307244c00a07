/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two protocols of a VM: qtest commands and the monitor. */
#include <inttypes.h>
#include <string.h>

#include "rv-vm-internal.h"

#define MAX_DUE 256             /* commands in flight: their replies fit every
                                 * socket buffer, so nobody blocks */
#define EVENT_TRIES 60000       /* two minutes: a guard against hangs */
#define CHUNK 0x4000            /* bytes of memory in one command */

static char *take_line(RvVm *vm, int fd, GString *in)
{
    char *line = rv_vm_line(vm, fd, in);

    if (!line) {
        rv_vm_fail(vm, "QEMU closed the connection");
    }
    return line;
}

/* --- qtest --- */

static char *reply(RvVm *vm)
{
    for (;;) {
        char *line = take_line(vm, vm->qtest, vm->in_qtest);

        if (g_str_has_prefix(line, "OK")) {
            return line;
        }
        if (!g_str_has_prefix(line, "IRQ")) {
            rv_vm_fail(vm, line);
        }
        g_free(line);
    }
}

void rv_vm_flush(RvVm *vm)
{
    if (vm->out->len) {
        rv_vm_send(vm, vm->qtest, vm->out->str, vm->out->len);
        g_string_truncate(vm->out, 0);
    }
    for (; vm->due; vm->due--) {
        g_free(reply(vm));
    }
}

static void G_GNUC_PRINTF(2, 3) post(RvVm *vm, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    g_string_append_vprintf(vm->out, format, ap);
    va_end(ap);
    g_string_append_c(vm->out, '\n');
    if (++vm->due >= MAX_DUE || vm->out->len > 4 * CHUNK) {
        rv_vm_flush(vm);
    }
}

/* Send now and return what follows "OK ". */
static char *G_GNUC_PRINTF(2, 3) ask(RvVm *vm, const char *format, ...)
{
    g_autofree char *line = NULL;
    va_list ap;

    rv_vm_flush(vm);
    va_start(ap, format);
    g_string_append_vprintf(vm->out, format, ap);
    va_end(ap);
    g_string_append_c(vm->out, '\n');
    rv_vm_send(vm, vm->qtest, vm->out->str, vm->out->len);
    g_string_truncate(vm->out, 0);
    line = reply(vm);
    return g_strdup(line[2] == ' ' ? line + 3 : "");
}

static uint64_t number(char *text)
{
    g_autofree char *s = text;

    return g_ascii_strtoull(s, NULL, 16);
}

void rv_outb(RvVm *vm, uint16_t port, uint8_t value)
{
    post(vm, "outb 0x%x 0x%x", port, value);
}

void rv_outw(RvVm *vm, uint16_t port, uint16_t value)
{
    post(vm, "outw 0x%x 0x%x", port, value);
}

void rv_outl(RvVm *vm, uint16_t port, uint32_t value)
{
    post(vm, "outl 0x%x 0x%x", port, value);
}

uint8_t rv_inb(RvVm *vm, uint16_t port)
{
    return number(ask(vm, "inb 0x%x", port));
}

uint16_t rv_inw(RvVm *vm, uint16_t port)
{
    return number(ask(vm, "inw 0x%x", port));
}

uint32_t rv_inl(RvVm *vm, uint16_t port)
{
    return number(ask(vm, "inl 0x%x", port));
}

int64_t rv_clock_step(RvVm *vm, int64_t ns)
{
    g_autofree char *now = ask(vm, "clock_step %" PRId64, ns);

    return g_ascii_strtoll(now, NULL, 10);
}

static char letter(unsigned size)
{
    g_assert(size == 1 || size == 2 || size == 4 || size == 8);
    return " bw l   q"[size];
}

uint64_t rv_cpu_rd(RvVm *vm, uint64_t addr, unsigned size)
{
    return number(ask(vm, "read%c 0x%" PRIx64, letter(size), addr));
}

void rv_cpu_wr(RvVm *vm, uint64_t addr, uint64_t value, unsigned size)
{
    post(vm, "write%c 0x%" PRIx64 " 0x%" PRIx64, letter(size), addr, value);
}

bool rv_vm_big_endian(RvVm *vm)
{
    if (!vm->endian) {
        g_autofree char *s = ask(vm, "endianness");
        vm->endian = g_str_equal(s, "big") ? 2 : 1;
    }
    return vm->endian == 2;
}

static uint64_t swap(uint64_t value, unsigned size)
{
    return GUINT64_SWAP_LE_BE(value) >> (64 - 8 * size);
}

uint64_t rv_mem_rd(RvVm *vm, uint64_t addr, unsigned size)
{
    uint64_t value = rv_cpu_rd(vm, addr, size);

    return rv_vm_big_endian(vm) ? swap(value, size) : value;
}

void rv_mem_wr(RvVm *vm, uint64_t addr, uint64_t value, unsigned size)
{
    rv_cpu_wr(vm, addr, rv_vm_big_endian(vm) ? swap(value, size) : value, size);
}

void rv_mem_read(RvVm *vm, uint64_t addr, void *buf, size_t len)
{
    uint8_t *p = buf;

    while (len) {
        size_t n = MIN(len, CHUNK), got;
        g_autofree char *text = ask(vm, "b64read 0x%" PRIx64 " 0x%zx", addr, n);
        g_autofree uint8_t *data = g_base64_decode(text, &got);

        if (got != n) {
            rv_vm_fail(vm, "short b64read");
        }
        memcpy(p, data, n);
        p += n;
        addr += n;
        len -= n;
    }
}

void rv_mem_write(RvVm *vm, uint64_t addr, const void *buf, size_t len)
{
    const uint8_t *p = buf;

    while (len) {
        size_t n = MIN(len, CHUNK);
        g_autofree char *text = g_base64_encode(p, n);

        post(vm, "b64write 0x%" PRIx64 " 0x%zx %s", addr, n, text);
        p += n;
        addr += n;
        len -= n;
    }
}

void rv_mem_fill(RvVm *vm, uint64_t addr, size_t len, uint8_t byte)
{
    post(vm, "memset 0x%" PRIx64 " 0x%zx 0x%x", addr, len, byte);
}

void rv_mem_write_words(RvVm *vm, uint64_t addr, const uint32_t *words, size_t n)
{
    g_autofree uint32_t *le = g_new(uint32_t, n + 1);

    for (size_t i = 0; i < n; i++) {
        le[i] = GUINT32_TO_LE(words[i]);
    }
    rv_mem_write(vm, addr, le, n * 4);
}

void rv_mem_read_words(RvVm *vm, uint64_t addr, uint32_t *words, size_t n)
{
    rv_mem_read(vm, addr, words, n * 4);
    for (size_t i = 0; i < n; i++) {
        words[i] = GUINT32_FROM_LE(words[i]);
    }
}

/* --- monitor --- */

/* The next reply; events are set aside. */
static char *qmp_reply(RvVm *vm)
{
    for (;;) {
        char *line = take_line(vm, vm->qmp, vm->in_qmp);
        char *event = strstr(line, "\"event\": \"");

        if (!g_str_has_prefix(line, "{\"timestamp\"") || !event) {
            return line;
        }
        event += strlen("\"event\": \"");
        g_ptr_array_add(vm->events, g_strndup(event, strcspn(event, "\"")));
        g_free(line);
    }
}

static void qmp_send(RvVm *vm, const char *command, const char *arguments)
{
    g_autofree char *text =
        arguments ? g_strdup_printf("{\"execute\": \"%s\", \"arguments\": %s}\n",
                                    command, arguments)
                  : g_strdup_printf("{\"execute\": \"%s\"}\n", command);

    rv_vm_flush(vm);
    rv_vm_send(vm, vm->qmp, text, strlen(text));
}

char *rv_qmp_try(RvVm *vm, const char *command, const char *arguments)
{
    qmp_send(vm, command, arguments);
    return qmp_reply(vm);
}

char *rv_qmp(RvVm *vm, const char *command, const char *arguments)
{
    char *line = rv_qmp_try(vm, command, arguments);

    if (!g_str_has_prefix(line, "{\"return\"")) {
        rv_vm_fail(vm, line);
    }
    return line;
}

void rv_qmp_hello(RvVm *vm)
{
    g_free(qmp_reply(vm));      /* greeting */
    g_free(rv_qmp(vm, "qmp_capabilities", NULL));
}

void rv_qmp_quit(RvVm *vm)
{
    qmp_send(vm, "quit", NULL);
}

void rv_qmp_wait_event(RvVm *vm, const char *name)
{
    for (int tries = 0; tries < EVENT_TRIES; tries++) {
        g_autofree char *line = NULL;

        for (guint i = 0; i < vm->events->len; i++) {
            if (g_str_equal(g_ptr_array_index(vm->events, i), name)) {
                g_ptr_array_remove_index(vm->events, i);
                return;
            }
        }
        /* No event of that name yet: the reply of a harmless command comes
         * after all events sent so far. */
        line = rv_qmp(vm, "query-status", NULL);
        g_usleep(2000);
    }
    rv_vm_fail(vm, name);
}

void rv_vm_reset(RvVm *vm)
{
    g_free(rv_qmp(vm, "system_reset", NULL));
    rv_qmp_wait_event(vm, "RESET");
}

char *rv_json_quote(const char *s)
{
    GString *out = g_string_new("\"");

    for (; *s; s++) {
        if (*s == '"' || *s == '\\') {
            g_string_append_c(out, '\\');
            g_string_append_c(out, *s);
        } else if ((unsigned char)*s < ' ') {
            g_string_append_printf(out, "\\u%04x", *s);
        } else {
            g_string_append_c(out, *s);
        }
    }
    g_string_append_c(out, '"');
    return g_string_free(out, FALSE);
}

/* The JSON string at `s` (behind its opening quote). */
static char *unquote(const char *s)
{
    GString *out = g_string_new(NULL);

    for (; *s && *s != '"'; s++) {
        if (*s != '\\') {
            g_string_append_c(out, *s);
            continue;
        }
        s++;
        if (*s == 'u' && strlen(s) > 4) {
            g_autofree char *hex = g_strndup(s + 1, 4);
            g_string_append_unichar(out, g_ascii_strtoull(hex, NULL, 16));
            s += 4;
        } else if (*s == 'n') {
            g_string_append_c(out, '\n');
        } else if (*s == 't') {
            g_string_append_c(out, '\t');
        } else if (*s && *s != 'r') {   /* the monitor ends lines with \r\n */
            g_string_append_c(out, *s);
        } else if (!*s) {
            break;
        }
    }
    return g_string_free(out, FALSE);
}

char *rv_hmp(RvVm *vm, const char *format, ...)
{
    g_autofree char *line = NULL, *quoted = NULL, *args = NULL, *text = NULL;
    const char *result;
    va_list ap;

    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    quoted = rv_json_quote(text);
    args = g_strdup_printf("{\"command-line\": %s}", quoted);
    line = rv_qmp(vm, "human-monitor-command", args);
    result = strstr(line, "\"return\": \"");
    if (!result) {
        rv_vm_fail(vm, line);
    }
    return unquote(result + strlen("\"return\": \""));
}
