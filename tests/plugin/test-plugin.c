/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loading of the plugin in a real QEMU: what it accepts, what it refuses and
 * how, and what QEMU's lists say. No guest runs here.
 */
#include <dlfcn.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "spawn.h"

static char *qemu;              /* the binary */
static char *api;               /* its series, "7.2" */
static const char *plugin_dir, *skew_dir, *other_api;
static char *loader;            /* the loader of the build directory */
static char *build_name;        /* rv100-qemu-7.2.so */

/* --- a directory with copies of plugin files --- */

static char *new_dir(void)
{
    char *dir = g_dir_make_tmp("rv100-plugin-XXXXXX", NULL);

    g_assert_nonnull(dir);
    return dir;
}

static char *copy(const char *from, const char *dir, const char *name)
{
    g_autofree char *data = NULL;
    char *to = g_build_filename(dir, name, NULL);
    gsize len;

    g_assert_true(g_file_get_contents(from, &data, &len, NULL));
    g_assert_true(g_file_set_contents(to, data, len, NULL));
    return to;
}

static void remove_dir(char *dir)
{
    GDir *d = g_dir_open(dir, 0, NULL);
    const char *name;

    while ((name = g_dir_read_name(d))) {
        g_autofree char *path = g_build_filename(dir, name, NULL);

        g_unlink(path);
    }
    g_dir_close(d);
    g_rmdir(dir);
    g_free(dir);
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        g_test_message("'%s' is not in: %s", part, text);
        g_test_fail();
    }
}

/* One line of ours and nothing else. */
static void assert_line(const Run *run, int status, const char *part)
{
    g_test_message("%s", run->err);
    g_assert_cmpint(run->status, ==, status);
    g_assert_cmpuint(run->n_lines, ==, 1);
    g_assert_true(g_str_has_prefix(run->lines[0], "radeon-rv100: "));
    assert_contains(run->lines[0], part);
}

/* QEMU without a machine; it leaves when the monitor's input says so. */
#define IDLE_QEMU qemu, "-M", "none", "-display", "none", "-monitor", "stdio"
#define QUIT "quit\n"

/* --- with -plugin --- */

static void refuse_no_build(void)
{
    char *dir = new_dir();
    g_autofree char *alone = copy(loader, dir, "radeon-rv100.so");
    g_autoptr(Run) run = SPAWN(QUIT, NULL, IDLE_QEMU, "-plugin", alone);

    assert_line(run, 1, "no build for QEMU");
    assert_contains(run->err, "builds found: none");
    remove_dir(dir);
}

static void refuse_no_fitting_build(void)
{
    char *dir = new_dir();
    g_autofree char *lone = copy(loader, dir, "radeon-rv100.so");
    g_autofree char *a = copy(other_api, dir, "rv100-qemu-99.9.so");
    g_autofree char *b = copy(other_api, dir, "rv100-qemu-1.0.so");
    g_autoptr(Run) run = SPAWN(QUIT, NULL, IDLE_QEMU, "-plugin", lone);

    assert_line(run, 1, "no build for QEMU");
    assert_contains(run->err, "builds found: 1.0 99.9");
    remove_dir(dir);
}

static void refuse_other_version(void)
{
    char *dir = new_dir();
    g_autofree char *lone = copy(loader, dir, "radeon-rv100.so");
    g_autofree char *a = copy(other_api, dir, build_name);
    g_autoptr(Run) run = SPAWN(QUIT, NULL, IDLE_QEMU, "-plugin", lone);

    assert_line(run, 1, "built for QEMU 99.9, but this is QEMU");
    remove_dir(dir);
}

static void refuse_layout(void)
{
    char *dir = new_dir();
    g_autofree char *skewed = g_build_filename(skew_dir, build_name, NULL);
    g_autofree char *lone = copy(loader, dir, "radeon-rv100.so");
    g_autofree char *a = copy(skewed, dir, build_name);
    g_autoptr(Run) run = SPAWN(QUIT, NULL, IDLE_QEMU, "-plugin", lone);
    g_autoptr(Run) preloaded = SPAWN(QUIT, lone, IDLE_QEMU);

    assert_line(run, 1, "struct layout of this QEMU differs");
    assert_line(preloaded, 0, "struct layout of this QEMU differs");
    remove_dir(dir);
}

static void refuse_twice(void)
{
    char *dir = new_dir();
    g_autofree char *build = g_build_filename(plugin_dir, build_name, NULL);
    g_autofree char *second = copy(loader, dir, "radeon-rv100.so");
    g_autofree char *a = copy(build, dir, build_name);
    g_autoptr(Run) run = SPAWN(QUIT, NULL, IDLE_QEMU, "-plugin", loader, "-plugin", second);
    g_autoptr(Run) mixed = SPAWN(QUIT, loader, IDLE_QEMU, "-plugin", loader);

    assert_line(run, 1, "loaded twice");
    assert_line(mixed, 1, "loaded twice");
    remove_dir(dir);
}

static void arguments(void)
{
    g_autofree char *good = g_strconcat(loader, ",hmp=off,trace=rv100_reg*", NULL);
    g_autofree char *unknown = g_strconcat(loader, ",colour=red", NULL);
    g_autofree char *wrong = g_strconcat(loader, ",hmp=maybe", NULL);
    g_autoptr(Run) run = SPAWN("trace-event nosuch on\ninfo trace-events rv100_*\n" QUIT, NULL,
                               IDLE_QEMU, "-plugin", good);
    g_autoptr(Run) run_unknown = SPAWN(QUIT, NULL, IDLE_QEMU, "-plugin", unknown);
    g_autoptr(Run) run_wrong = SPAWN(QUIT, NULL, IDLE_QEMU, "-plugin", wrong);

    g_assert_cmpint(run->status, ==, 0);
    g_assert_cmpstr(run->err, ==, "");
    assert_contains(run->out, "rv100_reg_write : state 1");
    assert_contains(run->out, "rv100_dma : state 0");
    assert_line(run_unknown, 1, "unknown plugin argument 'colour=red'");
    assert_line(run_wrong, 1, "hmp is on or off");
}

/* --- with LD_PRELOAD --- */

static void preload_lists(void)
{
    static const char *const names[] = {
        "vgamem_mb", "model", "edid", "xres", "yres", "xmax", "ymax", "heads", "monitor",
        "guest_hwcursor", "debug", "x-capture", "x-cp-slice-steps", "x-cp-fetch-words",
        "x-legacy-vga", "cp-steps", "cp-pc", "cp-phase", "cp-coverage", "scratch0", "scratch5",
    };
    g_autoptr(Run) all = SPAWN("", loader, qemu, "-device", "help");
    g_autoptr(Run) one = SPAWN("", loader, qemu, "-device", "radeon-rv100,help");
    g_autoptr(Run) trace = SPAWN("", loader, qemu, "-trace", "help");

    g_assert_cmpint(all->status, ==, 0);
    g_assert_cmpstr(all->err, ==, "");
    assert_contains(all->out, "name \"radeon-rv100\", bus PCI, desc");
    g_assert_cmpstr(one->err, ==, "");
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *pattern = g_strdup_printf("(?m)^  %s=<.*> +- [a-zA-Z]", names[i]);

        if (!g_regex_match_simple(pattern, one->out, 0, 0)) {
            g_test_message("property %s is not there or has no description", names[i]);
            g_test_fail();
        }
    }
    assert_contains(trace->out, "rv100_packet\n");
}

static void preload_refused(void)
{
    char *dir = new_dir();
    g_autofree char *alone = copy(loader, dir, "radeon-rv100.so");
    g_autoptr(Run) run = SPAWN("", alone, qemu, "-device", "help");
    g_autoptr(Run) trace = SPAWN("", alone, qemu, "-trace", "help");

    assert_line(run, 0, "no build for QEMU");
    assert_contains(run->out, "name \"VGA\"");
    g_assert_null(strstr(run->out, "radeon-rv100"));
    g_assert_null(strstr(trace->out, "rv100_"));
    remove_dir(dir);
}

/* Programs that QEMU starts do not get the plugin; a shell hands it on. */
static void preload_environment(void)
{
    char *dir = new_dir();
    g_autofree char *log = g_build_filename(dir, "environment", NULL);
    g_autofree char *input = g_strdup_printf("migrate \"exec:env >%s; cat >/dev/null\"\n" QUIT,
                                             log);
    g_autofree char *seen = NULL;
    g_autoptr(Run) shell = SPAWN("", loader, "sh", "-c", "echo \"<$LD_PRELOAD>\"");
    g_autoptr(Run) run = SPAWN(input, loader, IDLE_QEMU);
    g_autofree char *kept = g_strdup_printf("<%s>\n", loader);

    g_assert_cmpstr(shell->out, ==, kept);
    g_assert_cmpstr(shell->err, ==, "");
    g_assert_true(g_file_get_contents(log, &seen, NULL, NULL));
    assert_contains(seen, "PATH=");
    g_assert_null(strstr(seen, "LD_PRELOAD"));
    remove_dir(dir);
}

/* --- properties --- */

#define CARD(properties) qemu, "-plugin", loader, "-display", "none", "-vga", "none", "-S", \
    "-monitor", "stdio", "-device", "radeon-rv100" properties

static void wrong_values(void)
{
    static const char *const wrong[] = {
        "vgamem_mb=0", "vgamem_mb=4", "vgamem_mb=63", "vgamem_mb=256", "vgamem_mb=4294967295",
        "model=rv200", "heads=0", "heads=3", "monitor=lvds", "x-cp-fetch-words=0",
        "x-cp-fetch-words=257", "x-cp-slice-steps=1000001", "edid=maybe", "debug=nosuch",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *device = g_strconcat("radeon-rv100,", wrong[i], NULL);
        g_autofree char *name = g_strndup(wrong[i], strchr(wrong[i], '=') - wrong[i]);
        g_autoptr(Run) run = SPAWN(QUIT, NULL, qemu, "-plugin", loader, "-display", "none",
                                   "-vga", "none", "-S", "-monitor", "stdio", "-device", device);

        g_test_message("%s: %s", wrong[i], run->err);
        g_assert_cmpint(run->status, ==, 1);
        g_assert_cmpuint(run->n_lines, ==, 1);
        assert_contains(run->err, name);
    }
}

/* Every property at once, also with two cards: nothing is said. */
static void all_values(void)
{
    g_autoptr(Run) none = SPAWN(QUIT, NULL, CARD(",vgamem_mb=8,model=rv100"));
    g_autoptr(Run) run = SPAWN(QUIT, NULL,
        CARD(",edid=on,xres=1,yres=1,xmax=1,ymax=1,heads=2,monitor=dvi,guest_hwcursor=on,"
             "x-capture=/dev/null"),
        "-device", "radeon-rv100,xres=2");

    g_assert_cmpstr(none->err, ==, "");
    g_assert_cmpint(none->status, ==, 0);
    g_assert_cmpstr(run->err, ==, "");
    g_assert_cmpint(run->status, ==, 0);
}

static void second_vga(void)
{
    g_autoptr(Run) run = SPAWN(QUIT, NULL, qemu, "-plugin", loader, "-display", "none", "-S",
                               "-monitor", "stdio", "-device", "radeon-rv100");
    g_autoptr(Run) forced = SPAWN(QUIT, NULL, CARD(""), "-device",
                                  "radeon-rv100,x-legacy-vga=on");

    g_assert_cmpint(run->status, ==, 0);
    g_assert_cmpuint(run->n_lines, ==, 1);
    assert_contains(run->err, "-vga none leaves it out");
    g_assert_cmpint(forced->status, ==, 1);
    assert_contains(forced->err, "decodes the legacy VGA ranges already");
}

static void wrapper(void)
{
    g_autofree char *script = g_build_filename(plugin_dir, "qemu-rv100", NULL);
    g_autofree char *env = g_strconcat("QEMU=", qemu, NULL);
    g_autoptr(Run) list = SPAWN("", NULL, "env", env, script, "-device", "radeon-rv100,help");
    g_autoptr(Run) run = SPAWN("info pci\n" QUIT, NULL, "env", env, script, "-display", "none",
                               "-S", "-monitor", "stdio");

    g_assert_cmpint(list->status, ==, 0);
    assert_contains(list->out, "vgamem_mb=");
    g_assert_cmpint(run->status, ==, 0);
    g_assert_cmpstr(run->err, ==, "");
    assert_contains(run->out, "VGA controller: PCI device 1002:5159");
    g_assert_null(strstr(run->out, "1234:1111"));
}

/* --- symbols --- */

static GHashTable *symbols(const char *file, const char *types)
{
    GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(Run) run = SPAWN("", NULL, "nm", "-D", "-P", file);
    g_auto(GStrv) lines = g_strsplit(run->out, "\n", -1);

    g_assert_cmpint(run->status, ==, 0);
    for (char **l = lines; *l; l++) {
        g_auto(GStrv) f = g_strsplit(*l, " ", 3);

        if (g_strv_length(f) >= 2 && strchr(types, *f[1])) {
            *strchrnul(f[0], '@') = '\0';
            g_hash_table_add(set, g_strdup(f[0]));
        }
    }
    return set;
}

/* Every symbol that the build of a series needs is in a QEMU of the series, or
 * in a library that this test is linked to as well. */
static void check_symbols(const char *binary, const char *series)
{
    g_autofree char *file = g_strdup_printf("%s/rv100-qemu-%s.so", plugin_dir, series);
    g_autoptr(GHashTable) needed = NULL, offered = NULL;
    GHashTableIter it;
    const char *name;
    unsigned found = 0;

    if (!g_file_test(file, G_FILE_TEST_EXISTS)) {
        g_autofree char *reason = g_strdup_printf("no build for QEMU %s", series);

        g_test_skip(reason);
        return;
    }
    needed = symbols(file, "U");
    offered = symbols(binary, "TDBRVWi");
    g_hash_table_iter_init(&it, needed);
    while (g_hash_table_iter_next(&it, (void **)&name, NULL)) {
        if (g_hash_table_contains(offered, name)) {
            found++;
        } else if (!dlsym(RTLD_DEFAULT, name)) {
            g_test_message("%s needs %s", file, name);
            g_test_fail();
        }
    }
    g_test_message("%u symbols, %u of them from QEMU", g_hash_table_size(needed), found);
    g_assert_cmpuint(found, >, 20);
}

static void symbols_installed(void)
{
    check_symbols(qemu, api);
}

static void symbols_qemu10(void)
{
    const char *root = g_getenv("RV100_QEMU10_ROOT");
    g_autofree char *binary = NULL;

    if (!root || !*root) {
        g_test_skip("no Debian 13 tree (-Dqemu10_root=)");
        return;
    }
    binary = g_build_filename(root, "usr/bin/qemu-system-x86_64", NULL);
    check_symbols(binary, "10.0");
}

/* --- */

static bool find_qemu(void)
{
    const char *name = g_getenv("RV100_QEMU");
    g_autoptr(Run) run = NULL;
    g_autoptr(GMatchInfo) match = NULL;
    g_autoptr(GRegex) regex = g_regex_new("version ([0-9]+\\.[0-9]+)", 0, 0, NULL);

    qemu = g_find_program_in_path(name && *name ? name : "qemu-system-x86_64");
    if (!qemu) {
        return false;
    }
    run = SPAWN("", NULL, qemu, "--version");
    if (!g_regex_match(regex, run->out, 0, &match)) {
        return false;
    }
    api = g_match_info_fetch(match, 1);
    build_name = g_strdup_printf("rv100-qemu-%s.so", api);
    return true;
}

static void skip_all(void)
{
    g_test_skip("no qemu-system-x86_64, or no build of the plugin for it");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *path;
        void (*func)(void);
    } tests[] = {
        { "/plugin/refuse/no-build", refuse_no_build },
        { "/plugin/refuse/no-fitting-build", refuse_no_fitting_build },
        { "/plugin/refuse/other-version", refuse_other_version },
        { "/plugin/refuse/layout", refuse_layout },
        { "/plugin/refuse/twice", refuse_twice },
        { "/plugin/arguments", arguments },
        { "/plugin/preload/lists", preload_lists },
        { "/plugin/preload/refused", preload_refused },
        { "/plugin/preload/environment", preload_environment },
        { "/plugin/properties/wrong", wrong_values },
        { "/plugin/properties/all-values", all_values },
        { "/plugin/properties/second-vga", second_vga },
        { "/plugin/wrapper", wrapper },
        { "/plugin/symbols/installed", symbols_installed },
    };
    g_autofree char *build = NULL;
    bool usable;

    g_test_init(&argc, &argv, NULL);
    plugin_dir = g_getenv("RV100_PLUGIN_DIR");
    skew_dir = g_getenv("RV100_SKEW_DIR");
    other_api = g_getenv("RV100_OTHER_API");
    g_assert_true(plugin_dir && skew_dir && other_api);
    loader = g_build_filename(plugin_dir, "radeon-rv100.so", NULL);
    usable = find_qemu();
    build = usable ? g_build_filename(plugin_dir, build_name, NULL) : NULL;
    usable = usable && g_file_test(build, G_FILE_TEST_EXISTS);
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++) {
        g_test_add_func(tests[i].path, usable ? tests[i].func : skip_all);
    }
    g_test_add_func("/plugin/symbols/qemu10", symbols_qemu10);
    return g_test_run();
}
