/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers of the 2D engine: aliases, initiators, the palette, host data.
 *
 * Registers that only keep a value for later mark the decoded state as stale.
 * What a register keeps and reads as is in xml/rv100-registers-gui.xml.
 */
#include "internal.h"

static void stale(Rv100 *s, uint32_t offset, uint32_t value)
{
    s->draw.valid = false;
}

/* Store into another register, with its mask. */
static void store(Rv100 *s, uint32_t dword, uint32_t value)
{
    s->regs[dword] = value & rv100_mmio_info(4 * dword)->mask;
}

/* --- operations --- */

typedef enum Drawn {
    DRAWN_RECTANGLE, DRAWN_HOST_DATA, DRAWN_LINE
} Drawn;

static void trace_draw(Rv100 *s, Drawn what)
{
    rv100_trace(s, RV100_TRACE_draw, what,
                s->regs[R_DST_Y] << 16 | (s->regs[R_DST_X] & 0xffff),
                s->regs[R_DST_HEIGHT] << 16 | (s->regs[R_DST_WIDTH] & 0xffff),
                rv100_peek(s, A_DP_GUI_MASTER_CNTL));
}

static void rectangle(Rv100 *s)
{
    const GuiDraw *d = rv100_gui_draw(s);
    GuiOp op;

    trace_draw(s, d->host ? DRAWN_HOST_DATA : DRAWN_RECTANGLE);

    if (d->host) {
        rv100_gui_host_start(s, d);
        return;
    }
    rv100_gui_abandon(s);
    if (d->path != GUI_NOTHING && rv100_gui_rect(s, d, &op)) {
        rv100_gui_paint(s, d, &op);
    }
    rv100_cp_worked(s);
}

static void start(Rv100 *s, uint32_t offset, uint32_t value)
{
    rectangle(s);
}

static void start_line(Rv100 *s, uint32_t offset, uint32_t value)
{
    trace_draw(s, DRAWN_LINE);
    rv100_gui_abandon(s);
    rv100_gui_line(s, rv100_gui_draw(s));
    rv100_cp_worked(s);
}

/* --- two registers in one --- */

#define PAIR(name, reg, field_a, reg_a, field_b, reg_b) \
static void name(Rv100 *s, uint32_t offset, uint32_t value) \
{ \
    store(s, R_##reg_a, RV100_GET(value, reg, field_a)); \
    store(s, R_##reg_b, RV100_GET(value, reg, field_b)); \
}

PAIR(write_src_y_x, SRC_Y_X, X, SRC_X, Y, SRC_Y)
PAIR(write_src_x_y, SRC_X_Y, X, SRC_X, Y, SRC_Y)
PAIR(write_dst_y_x, DST_Y_X, X, DST_X, Y, DST_Y)
PAIR(write_dst_x_y, DST_X_Y, X, DST_X, Y, DST_Y)
PAIR(set_height_width, DST_HEIGHT_WIDTH, WIDTH, DST_WIDTH, HEIGHT, DST_HEIGHT)
PAIR(set_width_height, DST_WIDTH_HEIGHT, WIDTH, DST_WIDTH, HEIGHT, DST_HEIGHT)
PAIR(set_height_width_8, DST_HEIGHT_WIDTH_8, WIDTH, DST_WIDTH, HEIGHT, DST_HEIGHT)
PAIR(set_width_x, DST_WIDTH_X, WIDTH, DST_WIDTH, X, DST_X)
/* No start on this chip: the stock microcode writes it once for a line of spans
 * and then DST_WIDTH_X for each [inferred]. */
PAIR(write_height_y, DST_HEIGHT_Y, HEIGHT, DST_HEIGHT, Y, DST_Y)
PAIR(set_sc_top_left, SC_TOP_LEFT, LEFT, SC_LEFT, TOP, SC_TOP)
PAIR(set_sc_bottom_right, SC_BOTTOM_RIGHT, RIGHT, SC_RIGHT, BOTTOM, SC_BOTTOM)
PAIR(write_src_sc, SRC_SC_BOTTOM_RIGHT, RIGHT, SRC_SC_RIGHT, BOTTOM, SRC_SC_BOTTOM)

#define AND_THEN(name, set, then) \
static void name(Rv100 *s, uint32_t offset, uint32_t value) \
{ \
    set(s, offset, value); \
    then(s, offset, value); \
}

AND_THEN(write_height_width, set_height_width, start)
AND_THEN(write_width_height, set_width_height, start)
AND_THEN(write_height_width_8, set_height_width_8, start)
AND_THEN(write_width_x, set_width_x, start)
AND_THEN(write_sc_top_left, set_sc_top_left, stale)
AND_THEN(write_sc_bottom_right, set_sc_bottom_right, stale)

static void write_width_x_incy(Rv100 *s, uint32_t offset, uint32_t value)
{
    write_width_x(s, offset, value);
    store(s, R_DST_Y, s->regs[R_DST_Y] + s->regs[R_DST_HEIGHT]);   /* [inferred] */
}

/* --- surfaces --- */

static void write_src_pitch_offset(Rv100 *s, uint32_t offset, uint32_t value)
{
    store(s, R_SRC_OFFSET, RV100_GET(value, SRC_PITCH_OFFSET, OFFSET) << 10);
    store(s, R_SRC_PITCH, RV100_GET(value, SRC_PITCH_OFFSET, PITCH) << 6);
    store(s, R_SRC_TILE, RV100_GET(value, SRC_PITCH_OFFSET, TILE));
    stale(s, offset, value);
}

/* DST_TILE and the field of DP_CNTL are one thing [inferred]. */
static void set_dst_tile(Rv100 *s, uint32_t tile)
{
    store(s, R_DST_TILE, tile);
    s->regs[R_DP_CNTL] = RV100_SET(s->regs[R_DP_CNTL], DP_CNTL, DP_DST_TILE, tile);
}

static void write_dst_pitch_offset(Rv100 *s, uint32_t offset, uint32_t value)
{
    store(s, R_DST_OFFSET, RV100_GET(value, DST_PITCH_OFFSET, OFFSET) << 10);
    store(s, R_DST_PITCH, RV100_GET(value, DST_PITCH_OFFSET, PITCH) << 6);
    set_dst_tile(s, RV100_GET(value, DST_PITCH_OFFSET, TILE));
    stale(s, offset, value);
}

static void write_dst_tile(Rv100 *s, uint32_t offset, uint32_t value)
{
    set_dst_tile(s, s->regs[R_DST_TILE]);
}

static void write_dp_cntl(Rv100 *s, uint32_t offset, uint32_t value)
{
    set_dst_tile(s, RV100_GET(s->regs[R_DP_CNTL], DP_CNTL, DP_DST_TILE));
    stale(s, offset, value);
}

/* --- data path --- */

static void set_direction(Rv100 *s, uint32_t right, uint32_t down)
{
    uint32_t v = s->regs[R_DP_CNTL];

    v = RV100_SET(v, DP_CNTL, DST_X_LEFT_TO_RIGHT, right);
    s->regs[R_DP_CNTL] = RV100_SET(v, DP_CNTL, DST_Y_TOP_TO_BOTTOM, down);
}

static void write_direction(Rv100 *s, uint32_t offset, uint32_t value)
{
    set_direction(s,
        RV100_GET(value, DP_CNTL_XDIR_YDIR_YMAJOR, DST_X_DIR_LEFT_TO_RIGHT),
        RV100_GET(value, DP_CNTL_XDIR_YDIR_YMAJOR, DST_Y_DIR_TOP_TO_BOTTOM));
    stale(s, offset, value);
}

#define GMC(field) RV100_GET(value, DP_GUI_MASTER_CNTL, field)

/* The fields are those of DP_DATATYPE and DP_MIX; bits 28 and 30 act once
 * [linux]; drawing is forward again [linux]. Nothing else is latched [hw]. */
static void write_gmc(Rv100 *s, uint32_t offset, uint32_t value)
{
    uint32_t type = s->regs[R_DP_DATATYPE], mix = s->regs[R_DP_MIX];
    uint32_t cmp = s->regs[R_CLR_CMP_CNTL];

    type = RV100_SET(type, DP_DATATYPE, DP_BRUSH_DATATYPE, GMC(GMC_BRUSH_DATATYPE));
    type = RV100_SET(type, DP_DATATYPE, DP_DST_DATATYPE, GMC(GMC_DST_DATATYPE));
    type = RV100_SET(type, DP_DATATYPE, DP_SRC_DATATYPE,
                     GMC(GMC_SRC_DATATYPE)
                     | GMC(GMC_SRC_DATATYPE2) << 2);    /* [inferred] */
    type = RV100_SET(type, DP_DATATYPE, DP_BYTE_PIX_ORDER, GMC(GMC_BYTE_PIX_ORDER));
    mix = RV100_SET(mix, DP_MIX, DP_SRC_SOURCE, GMC(DP_SRC_SOURCE));
    mix = RV100_SET(mix, DP_MIX, DP_ROP3, GMC(GMC_ROP3));
    s->regs[R_DP_DATATYPE] = type;
    s->regs[R_DP_MIX] = mix;
    if (GMC(GMC_CLR_CMP_CNTL_DIS)) {
        cmp = RV100_SET(cmp, CLR_CMP_CNTL, CLR_CMP_FCN_SRC, 0u);
        s->regs[R_CLR_CMP_CNTL] = RV100_SET(cmp, CLR_CMP_CNTL, CLR_CMP_FCN_DST, 0u);
    }
    if (GMC(GMC_WR_MSK_DIS)) {
        s->regs[R_DP_WRITE_MASK] = s->regs[R_CLR_CMP_MASK] = ~0u;
    }
    set_direction(s, 1, 1);
    stale(s, offset, value);
}

/* --- palette --- */

static void next_entry(Rv100 *s)
{
    store(s, R_SRC_CLUT_ADDRESS, s->regs[R_SRC_CLUT_ADDRESS] + 1);
}

static void write_clut(Rv100 *s, uint32_t offset, uint32_t value)
{
    s->gui.clut[s->regs[R_SRC_CLUT_ADDRESS] % GUI_CLUT] = value;
    next_entry(s);
}

static uint32_t read_clut(Rv100 *s, uint32_t offset)
{
    uint32_t v = s->gui.clut[s->regs[R_SRC_CLUT_ADDRESS] % GUI_CLUT];

    next_entry(s);
    return v;
}

/* --- host data --- */

static void write_host_data(Rv100 *s, uint32_t offset, uint32_t value)
{
    rv100_gui_host_data(s, value, offset == A_HOST_DATA_LAST);
    rv100_cp_worked(s);
}

#define COUNT(first, last) ((A_##last - A_##first) / 4 + 1)

const Rv100Hook rv100_gui_hooks[] = {
    { A_DST_OFFSET, COUNT(DST_OFFSET, DST_PITCH), .write = stale },
    { A_SRC_OFFSET, COUNT(SRC_OFFSET, SRC_PITCH), .write = stale },
    { A_SRC_PITCH_OFFSET, .write = write_src_pitch_offset },
    { A_DST_PITCH_OFFSET, .write = write_dst_pitch_offset },
    { A_DEFAULT_PITCH_OFFSET, .write = stale },
    { A_DEFAULT2_PITCH_OFFSET, .write = stale },
    { A_DEFAULT_SC_BOTTOM_RIGHT, .write = stale },
    { A_DEFAULT2_SC_BOTTOM_RIGHT, .write = stale },
    { A_DST_TILE, .write = write_dst_tile },
    { A_SC_TOP_LEFT, .write = write_sc_top_left },
    { A_SC_BOTTOM_RIGHT, .write = write_sc_bottom_right },
    { A_SRC_SC_BOTTOM_RIGHT, .write = write_src_sc },
    { A_SC_LEFT, COUNT(SC_LEFT, SC_BOTTOM), .write = stale },
    { A_SRC_Y_X, .write = write_src_y_x },
    { A_SRC_X_Y, .write = write_src_x_y },
    { A_DST_Y_X, .write = write_dst_y_x },
    { A_DST_X_Y, .write = write_dst_x_y },
    { A_DST_HEIGHT_Y, .write = write_height_y },
    { A_DST_WIDTH, .write = start },                    /* [inferred] */
    { A_DST_HEIGHT_WIDTH, .write = write_height_width },
    { A_DST_WIDTH_HEIGHT, .write = write_width_height },
    { A_DST_HEIGHT_WIDTH_8, .write = write_height_width_8 },
    { A_DST_WIDTH_X, .write = write_width_x },
    { A_DST_WIDTH_X_INCY, .write = write_width_x_incy },
    { A_DST_LINE_END, .write = start_line },
    { A_DP_GUI_MASTER_CNTL, .write = write_gmc },
    { A_DP_CNTL, .write = write_dp_cntl },
    { A_DP_CNTL_XDIR_YDIR_YMAJOR, .write = write_direction },
    { A_DP_DATATYPE, COUNT(DP_DATATYPE, DP_WRITE_MASK), .write = stale },
    { A_DP_DST_ENDIAN, COUNT(DP_DST_ENDIAN, DP_SRC_BKGD_CLR), .write = stale },
    { A_BRUSH_Y_X, COUNT(BRUSH_Y_X, BRUSH_DATA63), .write = stale },
    { A_CLR_CMP_CNTL, COUNT(CLR_CMP_CNTL, CLR_CMP_MASK), .write = stale },
    { A_SRC_CLUT_DATA, .write = write_clut },
    { A_SRC_CLUT_DATA_RD, .read = read_clut },
    { A_HOST_DATA0, COUNT(HOST_DATA0, HOST_DATA_LAST), .write = write_host_data },
    { 0 }
};

/* --- reset and state --- */

void rv100_gui_abandon(Rv100 *s)
{
    s->gui.host = 0;
    s->gui.pending = 0;
}

void rv100_gui_reset(Rv100 *s)
{
    s->gui = (Rv100Gui) { 0 };
    rv100_gui_loaded(s);
}

void rv100_gui_loaded(Rv100 *s)
{
    s->draw.valid = false;
    s->work = 0;
}

bool rv100_gui_check(const Rv100 *s, const char **why)
{
    const Rv100Gui *g = &s->gui;
    const struct {
        bool ok;
        const char *name;
    } checks[] = {
        { g->host <= 1, "gui.host" },
        { g->x <= 0x3fff && g->y <= 0x3fff, "gui.x, gui.y" },
        { g->w <= 0x3fff && g->h <= 0x3fff, "gui.w, gui.h" },
        { !g->host || g->col < g->w, "gui.col" },
        { !g->host || g->row < g->h, "gui.row" },
        { g->col <= 0x3fff && g->row <= 0x3fff, "gui.col, gui.row" },
        { g->slot < GUI_RING, "gui.slot" },
        { g->pending < GUI_GROUP, "gui.pending" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(checks); i++) {
        if (!checks[i].ok) {
            *why = checks[i].name;
            return false;
        }
    }
    return true;
}
