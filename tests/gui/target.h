/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A 2D engine under test: the painter, the chip, or both at once for a
 * comparison.
 */
#ifndef TESTS_GUI_TARGET_H
#define TESTS_GUI_TARGET_H

#include "fake-host.h"
#include "ref-painter.h"

typedef struct GuiWrite {
    uint32_t offset, value;
} GuiWrite;

typedef struct Gui {
    FakeHost *h;                /* NULL: without the chip */
    RefPainter *p;              /* NULL: without the painter */
    uint8_t *mem;               /* system memory of the painter */
    GArray *writes;             /* GuiWrite: since the last gui_clear() */
} Gui;

Gui *gui_new(bool chip, bool painter);
void gui_free(Gui *g);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Gui, gui_free)
/* Power-on state, VRAM all 0. */
void gui_clear(Gui *g);
void gui_write(Gui *g, uint32_t offset, uint32_t value);
/* Only where one of the two is present. */
uint32_t gui_read(Gui *g, uint32_t offset);
uint8_t *gui_vram(Gui *g);
/* A pixel in VRAM by byte address; prefill of all targets. */
uint32_t gui_peek(Gui *g, uint32_t addr, uint32_t bytes);
void gui_poke(Gui *g, uint32_t addr, uint32_t bytes, uint32_t value);
/* The same pseudo-random bytes into VRAM and system memory, and a table for the
 * GART at FAKE_TABLE. */
void gui_noise(Gui *g, uint32_t seed);

/* NULL when chip and painter agree in every byte of VRAM and system memory and
 * in the registers that can be read; else what differs (to be freed). */
char *gui_difference(Gui *g);
/* The recorded writes as lines "w OFFSET VALUE". */
char *gui_reproducer(const Gui *g);

#endif
