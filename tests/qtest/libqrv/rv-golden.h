/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures that are compared pixel by pixel with a PNG of tests/golden.
 *
 * Small pictures are put side by side on a sheet, so that one file shows many
 * cases. With RV100_GOLDEN_UPDATE=1 in the environment the files are written
 * anew instead: look at each before it is committed. What differs is written to
 * RV100_PICTURES.
 */
#ifndef RV_GOLDEN_H
#define RV_GOLDEN_H

#include "rv-screen.h"

/* columns x rows cells of width x height, a line of magenta between them. */
typedef struct RvSheet {
    unsigned columns, rows, width, height, used;
    RvPicture *picture;
} RvSheet;

RvSheet *rv_sheet_new(unsigned columns, unsigned rows, unsigned width,
                      unsigned height);
void rv_sheet_free(RvSheet *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RvSheet, rv_sheet_free)
/* The next cell; the picture must have its size. */
void rv_sheet_add(RvSheet *s, const RvPicture *p);
/* All cells are used, and the sheet is tests/golden/NAME.png. */
void rv_sheet_check(RvSheet *s, const char *name);

void rv_assert_golden(const RvPicture *p, const char *name);
void rv_assert_same_picture(const RvPicture *a, const RvPicture *b);

#endif
