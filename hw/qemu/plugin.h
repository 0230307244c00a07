/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the loader (radeon-rv100.so) and the builds (rv100-qemu-X.Y.so).
 */
#ifndef RV100_PLUGIN_H
#define RV100_PLUGIN_H

#define RV100_PLUGIN_NAME "radeon-rv100"
/* const char[]: the series a build is for, "7.2" */
#define RV100_PLUGIN_API "rv100_plugin_api"
#define RV100_PLUGIN_START "rv100_plugin_start"

/*
 * Check that the structs of the running QEMU (of the same series) are those of
 * this build, parse the plugin's arguments and register the device. NULL, or one line (malloc) that says why nothing was
 * registered.
 */
typedef char *Rv100PluginStart(int argc, char **argv);

#endif
