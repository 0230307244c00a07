/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * radeon-rv100.so: the one file that users name.
 *
 * The device needs a build for each QEMU series (rv100-qemu-X.Y.so), because it
 * embeds QEMU's structs. This file needs none: it has no reference to a QEMU
 * symbol and includes no QEMU header, so it loads in every QEMU, looks at the
 * version, loads the build that lies beside itself and hands over.
 *
 * Two doors:
 *  -plugin radeon-rv100.so   QEMU calls qemu_plugin_install();
 *  LD_PRELOAD                the constructor asks to be called while QEMU
 *                            registers its own types, early enough for
 *                            `-device help` and `-trace`.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin.h"

#define EXPORT __attribute__((visibility("default")))
#define BUILD_PREFIX "rv100-qemu-"
#define BUILD_SUFFIX ".so"
/* Place of MODULE_INIT_QOM in include/qemu/module.h, the same from 1.0 to 10.2. */
#define INIT_QOM 3

/* QAPI types VersionTriple and VersionInfo (qapi/control.json), unchanged since
 * they exist (2.4). */
typedef struct Triple {
    int64_t major, minor, micro;
} Triple;

typedef struct Version {
    Triple *qemu;
    char *package;
} Version;

/* Read by QEMU after the constructor has run and before qemu_plugin_install(). */
EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc,
                               char **argv);

static bool loaded;

static char *__attribute__((format(printf, 1, 2))) line(const char *fmt, ...)
{
    va_list ap;
    char *s;
    int n;

    va_start(ap, fmt);
    n = vasprintf(&s, fmt, ap);
    va_end(ap);
    return n < 0 ? strdup("out of memory") : s;
}

static const Version *running_version(void)
{
    static const Version *version;
    Version *(*query)(void **errp);

    if (!version) {
        *(void **)&query = dlsym(RTLD_DEFAULT, "qmp_query_version");
        version = query ? query(NULL) : NULL;
        if (version && !version->qemu) {
            version = NULL;
        }
    }
    return version;
}

/* Absolute name of this file, NULL when it cannot be found. */
static char *own_path(void)
{
    Dl_info info;

    if (!dladdr(&qemu_plugin_version, &info) || !info.dli_fname) {
        return NULL;
    }
    return realpath(info.dli_fname, NULL);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "7.2 10.0" for the builds in a directory, "none" without any. */
static char *list_builds(const char *dir)
{
    char *names[32], *out = strdup("");
    size_t n = 0;
    struct dirent *e;
    DIR *d = opendir(dir);

    while (d && n < 32 && (e = readdir(d))) {
        size_t len = strlen(e->d_name), pre = strlen(BUILD_PREFIX);
        size_t post = strlen(BUILD_SUFFIX);

        if (len > pre + post && !strncmp(e->d_name, BUILD_PREFIX, pre) &&
            !strcmp(e->d_name + len - post, BUILD_SUFFIX)) {
            names[n++] = strndup(e->d_name + pre, len - pre - post);
        }
    }
    if (d) {
        closedir(d);
    }
    qsort(names, n, sizeof(names[0]), compare_names);
    for (size_t i = 0; i < n; i++) {
        char *joined = line("%s%s%s", out, i ? " " : "", names[i]);

        free(out);
        free(names[i]);
        out = joined;
    }
    if (!n) {
        free(out);
        out = strdup("none");
    }
    return out;
}

/*
 * The entry of a build, or NULL and why not. Binding is lazy until the build has
 * told its version: one for another QEMU would only name a missing symbol.
 */
static Rv100PluginStart *load_build(const char *path, const Version *v, char **why)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    const char *api = handle ? dlsym(handle, RV100_PLUGIN_API) : NULL;
    char *running = line("%" PRId64 ".%" PRId64, v->qemu->major, v->qemu->minor);
    Rv100PluginStart *entry = NULL;

    if (api && strcmp(api, running)) {
        *why = line("%s is built for QEMU %s, but this is QEMU %s.%" PRId64 " %s: rebuild "
                    "the plugin", path, api, running, v->qemu->micro,
                    v->package ? v->package : "");
    } else if (!api || !dlopen(path, RTLD_NOW | RTLD_LOCAL) ||
               !(*(void **)&entry = dlsym(handle, RV100_PLUGIN_START))) {
        *why = line("this QEMU cannot load the build: %s", dlerror());
    }
    free(running);
    return entry;
}

/* Load the build for the running QEMU and start it. NULL, or why not. */
static char *start(int argc, char **argv)
{
    const Version *v = running_version();
    Rv100PluginStart *entry;
    char *self, *path, *why;

    if (!v) {
        return line("this program is no system emulator of QEMU, or it does not "
                    "export its symbols (a QEMU built with --enable-modules does)");
    }
    if (loaded) {
        return line("loaded twice: name it once, with -plugin or in LD_PRELOAD");
    }
    self = own_path();
    if (!self) {
        return line("the directory of the plugin cannot be found: %s", strerror(errno));
    }
    *strrchr(self, '/') = '\0';
    path = line("%s/" BUILD_PREFIX "%" PRId64 ".%" PRId64 BUILD_SUFFIX, self,
                v->qemu->major, v->qemu->minor);
    if (access(path, R_OK)) {
        char *found = list_builds(self);

        why = line("no build for QEMU %" PRId64 ".%" PRId64 " (this is %" PRId64 ".%"
                   PRId64 ".%" PRId64 " %s) in %s; builds found: %s",
                   v->qemu->major, v->qemu->minor, v->qemu->major, v->qemu->minor,
                   v->qemu->micro, v->package ? v->package : "", self, found);
        free(found);
    } else {
        entry = load_build(path, v, &why);
        why = entry ? entry(argc, argv) : why;
        loaded = !why;
    }
    free(path);
    free(self);
    return why;
}

/*
 * A refusal ends QEMU here and not by a return value: QEMU would exit with the
 * same status but add a line of its own that says less.
 */
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
    char *why = start(argc, argv);

    if (why) {
        fprintf(stderr, RV100_PLUGIN_NAME ": %s\n", why);
        exit(EXIT_FAILURE);
    }
    return 0;
}

/* All types of QEMU are registered now. */
static void preload_start(void)
{
    char *why = start(0, NULL);

    if (why) {
        fprintf(stderr, RV100_PLUGIN_NAME ": %s; going on without it\n", why);
        free(why);
    }
}

static void (*register_init)(void (*fn)(void), int type);

/* First in QEMU's list of type registrations: ask to be the last one, too. */
static void preload_first(void)
{
    register_init(preload_start, INIT_QOM);
}

/*
 * Take this file out of LD_PRELOAD, so that programs that QEMU starts do not
 * get it. False when it was not there: then QEMU loaded it with -plugin.
 */
static bool leave_preload(const char *self)
{
    const char *value = getenv("LD_PRELOAD");
    char *list, *rest, *save = NULL;
    bool found = false;

    if (!value || !self) {
        return false;
    }
    list = strdup(value);
    rest = strdup("");
    for (char *t = strtok_r(list, ": ", &save); t; t = strtok_r(NULL, ": ", &save)) {
        char *real = realpath(t, NULL);

        if (real && !strcmp(real, self)) {
            found = true;
        } else {
            char *joined = line("%s%s%s", rest, *rest ? ":" : "", t);

            free(rest);
            rest = joined;
        }
        free(real);
    }
    if (found && *rest) {
        setenv("LD_PRELOAD", rest, 1);
    } else if (found) {
        unsetenv("LD_PRELOAD");
    }
    free(rest);
    free(list);
    return found;
}

/* Nothing but QEMU's system emulators is touched: a shell, or qemu-img, keeps
 * LD_PRELOAD for the programs that it starts. */
static bool is_system_emulator(void)
{
    return dlsym(RTLD_DEFAULT, "qmp_query_version") &&
           dlsym(RTLD_DEFAULT, "pci_register_bar");
}

__attribute__((constructor)) static void init(void)
{
    char *self;

    if (!is_system_emulator()) {
        if (!strncmp(program_invocation_short_name, "qemu-system-", 12)) {
            fprintf(stderr, RV100_PLUGIN_NAME ": this QEMU does not export its "
                    "symbols (one built with --enable-modules does)\n");
        }
        return;
    }
    /* QEMU 9.0 refuses version 1, earlier ones refuse version 2. */
    qemu_plugin_version = running_version()->qemu->major >= 9 ? 2 : 1;
    self = own_path();
    if (leave_preload(self)) {
        *(void **)&register_init = dlsym(RTLD_DEFAULT, "register_module_init");
        if (register_init) {
            register_init(preload_first, INIT_QOM);
        }
    }
    free(self);
}
