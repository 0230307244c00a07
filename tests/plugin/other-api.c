/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A build for a QEMU that does not exist; the loader must not come further. */
#include <stdlib.h>

char *rv100_plugin_start(int argc, char **argv);
extern const char rv100_plugin_api[];

const char rv100_plugin_api[] = "99.9";

char *rv100_plugin_start(int argc, char **argv)
{
    abort();
}
