/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "description.h"

#include <stdio.h>
#include <string.h>

#include "gx-baked.h"
#include "tool.h"

/* The first error is the message; what follows from it helps nobody. */
static void first_error(const GxDoc *doc, GError **error)
{
    for (unsigned i = 0; i < doc->diags->len; i++) {
        const GxDiag *diag = doc->diags->pdata[i];

        if (diag->error) {
            tool_set_error(error, "%s:%d: %s%s", diag->loc.file,
                           diag->loc.line, diag->text,
                           doc->n_errors > 1 ? " (and more)" : "");
            return;
        }
    }
}

static GxDoc *load_file(const char *path, bool verbose, GError **error)
{
    g_autoptr(GxDoc) doc = gx_doc_new(GX_LENIENT);

    if (!gx_doc_load_file(doc, path) || !gx_doc_finish(doc)) {
        first_error(doc, error);
        return NULL;
    }
    if (verbose) {
        g_autofree char *text = gx_doc_diag_text(doc);

        fputs(text, stderr);
    }
    return g_steal_pointer(&doc);
}

bool description_load(Description *x, const char *xml, const char *engine,
                      bool verbose, GError **error)
{
    const GxDoc *doc = &gx_doc_gen75_media;

    *x = (Description) { NULL, NULL };
    if (!xml) {
        if (engine) {
            tool_set_error(error, "--engine needs --xml: our own packets have "
                           "no engines");
            return false;
        }
        x->set = decode_set_pm4();
        return true;
    }
    if (strcmp(xml, "gen75-media")) {
        x->loaded = load_file(xml, verbose, error);
        if (!x->loaded) {
            return false;
        }
        doc = x->loaded;
    }
    x->set = decode_set_other(doc, engine);
    if (gx_index_empty(x->set->index)) {
        tool_set_error(error, "%s: no instructions%s%s", xml,
                       engine ? " of engine " : "", engine ? engine : "");
        return false;
    }
    return true;
}

void description_clear(Description *x)
{
    decode_set_free(x->set);
    gx_doc_free(x->loaded);
}
