# SPDX-License-Identifier: GPL-2.0-or-later
#
# rv100-free: command processor microcode for the Radeon R100 and RV100.
#
# Written from the layouts of the packets and the register writes that they
# stand for (xml/rv100-pm4.xml), not from any other image. Read it as a
# tutorial: each handler says what arrives and what goes out.
#
# How a packet gets here. The engine waits for a header. Then the header is in
# pkt, A and idx, and the words behind it are counted. "latch" looks at the next
# word (it is in pkt from then on), "adv" takes it away. When the last word is
# taken the packet is over at once, wherever the program stands: so a handler
# needs no end, and whatever it has to do with its last word must be done before
# or together with the adv of that word.
#
# Within one instruction everything sees the values from before it, but for pkt,
# which the latch replaces first. There is one address field: an instruction may
# write a register or jump, not both, unless the register is named by idx.

    .chip r100

# --- where packets begin ---------------------------------------------------

    .org 0x00
# Type 0: each word to the register in idx (the header: its low 13 bits count),
# then to the next one.
type0:
    latch adv ; write idx, pkt ; idx_inc ; rpt
# Type 0, one register: all words to the same one.
type0_one:
    latch adv ; write idx, pkt ; rpt
# Type 1: two words to two registers, their indices are bits 10:0 and 21:11 of
# the header. Bring the second index down while the first word is written.
type1:
    latch adv ; write idx, pkt ; shr11 ; jmp type1_second
# Type 3 with a settings block. The handler waits on the stack; GUI_CONTROL
# comes first and says what follows, so keep it in A and, as flags, in idx.
settings:
    latch ; ld_pkt ; idx_pkt ; jmp settings_block

# --- the jump table ----------------------------------------------------------
# One byte for each opcode of type 3. What has no handler is swallowed.

    .dispatch 0x10..0x7f, nop
    .dispatch PAINT, paint
    .dispatch BITBLT, bitblt
    .dispatch SMALLTEXT, smalltext
    .dispatch HOSTDATA_BLT, hostdata_blt
    .dispatch POLYLINE, polyline
    .dispatch POLYSCANLINES, polyscanlines
    .dispatch NEXTCHAR, nextchar
    .dispatch PAINT_MULTI, paint_multi
    .dispatch BITBLT_MULTI, bitblt
    .dispatch TRANS_BITBLT, trans_bitblt
    .dispatch PLY_NEXTSCAN, ply_nextscan
    .dispatch SET_SCISSORS, set_scissors
    .dispatch 3D_RNDR_GEN_INDX_PRIM, draw_list
    .dispatch LOAD_MICROCODE, load_microcode
    .dispatch 3D_RNDR_GEN_PRIM, draw
    .dispatch WAIT_FOR_IDLE, wait_for_idle
    .dispatch 3D_DRAW_VBUF, draw
    .dispatch 3D_DRAW_IMMD, draw
    .dispatch 3D_DRAW_INDX, draw
    .dispatch LOAD_PALETTE, load_palette
    .dispatch 3D_LOAD_VBPNTR, load_vbpntr
    .dispatch MPEG_IDCT_MACROBLOCK, macroblock
    .dispatch MPEG_IDCT_MACROBLOCK_REV, macroblock_rev
    .dispatch 3D_CLEAR_ZMASK, clear_zmask

    .org 0x20

# --- words for nobody --------------------------------------------------------

# WAIT_FOR_IDLE: have the stream wait until the engines are idle, drop the words.
wait_for_idle:
    ld =1
    write NQWAIT_UNTIL, a
# Swallow the packet. Latched words only: a word that was never looked at would
# stay in front of an empty queue.
nop:
    latch adv ; rpt

# Type 1, second word: bits 21:11 of the header are in A[10:0] now.
type1_second:
    idx_a
    latch adv ; write idx, pkt ; rpt

# --- shared pieces -----------------------------------------------------------

# Flush the 2D destination cache before anything is drawn.
flush_2d:
    ld =8
    write DSTCACHE_CTLSTAT, a ; ret

# Flush the 3D destination cache.
flush_3d:
    ld =4
    write RB3D_DSTCACHE_CTLSTAT, a ; ret

# count + 1 words of host data: the last one starts the drawing engine, so it
# goes to another register. With if_count the pass at count 0 does nothing and
# falls out of the loop.
host_words:
    if_count latch adv ; write HOST_DATA0, pkt ; cnt_dec ; loop
    latch adv ; write HOST_DATA_LAST, pkt ; ret

# Scissors for 24 bits a pixel: the engine counts bytes, the packets count
# pixels. The low half of A is the x coordinate: left * 3, right * 3 + 2.
scissors_24:
    latch ; ld_pkt
    mul3l
    adv ; write SC_TOP_LEFT, a
    latch ; ld_pkt
    mul3l
    addl 2
    adv ; write SC_BOTTOM_RIGHT, a ; ret

# --- the settings block --------------------------------------------------------
# GUI_CONTROL is in A and idx. Bit n of idx says whether word n is there; if_flag
# looks at the bit that ptr_inc has moved to, and gates latch, adv and write.

settings_block:
    adv ; write DP_GUI_MASTER_CNTL, pkt ; save
    if_flag latch adv ; write SRC_PITCH_OFFSET, pkt ; ptr_inc
    if_flag latch adv ; write DST_PITCH_OFFSET, pkt ; ptr_inc
    ld mode_24bpp
    jzl settings_scissors

    if_flag latch
    ld_pkt
    mul3l
    addl 2
    if_flag adv ; write SRC_SC_BOTTOM_RIGHT, a ; ptr_inc
    jf settings_scissors_24
    jmp settings_brush
settings_scissors_24:
    call scissors_24
    jmp settings_brush

settings_scissors:
    if_flag latch adv ; write SRC_SC_BOTTOM_RIGHT, pkt ; ptr_inc
    if_flag latch adv ; write SC_TOP_LEFT, pkt
    if_flag latch adv ; write SC_BOTTOM_RIGHT, pkt

# The engine knows how many words a brush has and where they go.
settings_brush:
    ld_s
    brush
    if_count latch adv ; write idx, pkt ; idx_inc_cnt_dec ; loop
    jnh settings_origin
    ret
settings_origin:
    latch adv ; write BRUSH_Y_X, pkt ; ret

# --- rectangles ------------------------------------------------------------------

# PAINT: [top|left], [bottom|right] for each rectangle. The size is the
# difference; a rectangle that is inside out gets no size and is not drawn.
paint:
    call flush_2d
paint_next:
    latch adv ; write DST_Y_X, pkt ; ld_pkt
    latch ; rsubh
    rsubl
    jnh paint_skip
    jnl paint_skip
    adv ; write DST_HEIGHT_WIDTH, a
    jmp paint_next
paint_skip:
    adv ; jmp paint_next

# PAINT_MULTI: [x|y], [width|height], as they are.
paint_multi:
    call flush_2d
paint_multi_next:
    latch adv ; write DST_X_Y, pkt
    latch adv ; write DST_WIDTH_HEIGHT, pkt
    jmp paint_multi_next

# TRANS_BITBLT: three colour compare registers, then rectangles.
trans_bitblt:
    latch adv ; write CLR_CMP_CNTL, pkt
    latch adv ; write CLR_CMP_CLR_SRC, pkt
    latch adv ; write CLR_CMP_CLR_DST, pkt
# BITBLT: [src x|src y], [dst x|dst y], [width|height]. Source and destination
# may overlap, so copy away from the source: right to left when the destination
# is not left of it, and then begin at the last pixel; the same for y.
bitblt:
    call flush_2d
bitblt_next:
    latch adv ; write me[source], pkt ; ld_pkt
    latch ; rsubh
    rsubl
    # The signs of dst - src are the directions. Keep them as flags: bit 0 of
    # idx for y, bit 1 for x.
    adv ; write DP_CNTL_XDIR_YDIR_YMAJOR, a ; ld_pkt ; idx_signs
    latch ; call last_pixel
    write DST_X_Y, a
    ld source
    call last_pixel
    write SRC_X_Y, a
    adv ; write DST_WIDTH_HEIGHT, pkt
    jmp bitblt_next

# A is a position, pkt a size: add size - 1 where the flag of the axis is clear.
last_pixel:
    jf last_pixel_x ; ptr_inc
    addl_pkt
    addl -1
last_pixel_x:
    jf last_pixel_end ; ptr_0
    addh_pkt
    addh -1
last_pixel_end:
    ret

# SET_SCISSORS: [top|left], [bottom|right]. Drivers send no more; with more the
# last register is written again (for 24 bits a pixel with the same value).
set_scissors:
    call flush_2d
    ld mode_24bpp
    jzl set_scissors_plain
    call scissors_24
    latch adv ; write SC_BOTTOM_RIGHT, a ; rpt
set_scissors_plain:
    latch adv ; write SC_TOP_LEFT, pkt
    latch adv ; write SC_BOTTOM_RIGHT, pkt ; rpt

# --- lines and spans ---------------------------------------------------------------

# POLYLINE: a point a word. A point ends a line and, if another follows, begins
# the next; the brush begins anew.
polyline:
    call flush_2d
    ld =0
    write BRUSH_Y_X, a
    latch adv ; write DST_LINE_START, pkt
polyline_next:
    latch adv ; write DST_LINE_END, pkt
    write DST_LINE_START, pkt
    jmp polyline_next

# POLYSCANLINES: number of scans (not needed: the packet ends), then for each
# scan the number of spans, [height|top], and the spans [end|start].
polyscanlines:
    call flush_2d
    latch adv
polyscanlines_scan:
    latch adv ; cnt_pkt
    latch adv ; write DST_HEIGHT_Y, pkt
polyscanlines_span:
    jcz polyscanlines_scan
    latch ; ld_pkt
    t_sub
    adv ; write DST_WIDTH_X, ta ; cnt_dec
    jmp polyscanlines_span

# PLY_NEXTSCAN: one scan; its spans go on to the end of the packet.
ply_nextscan:
    call flush_2d
    latch adv ; write DST_HEIGHT_Y, pkt
ply_nextscan_span:
    latch ; ld_pkt
    t_sub
    adv ; write DST_WIDTH_X, ta
    jmp ply_nextscan_span

# --- host data ---------------------------------------------------------------------

# SMALLTEXT: colour, [base y|base x], then for each glyph [height:8|width:8|
# dy:8|dx:8] and its bits. x moves on from glyph to glyph, y is base y - dy.
smalltext:
    call flush_2d
    latch adv ; write DP_SRC_FRGD_CLR, pkt
    latch adv ; ld_pkt
smalltext_glyph:
    latch ; addl_pkt0
    t_sub_pkt1
    write DST_Y_X, ta ; t_pkt2
    t_mul_pkt3
    t_words
    cnt_t
    jcz smalltext_empty
    adv ; write DST_HEIGHT_WIDTH_8, pkt ; cnt_dec
    call host_words
    jmp smalltext_glyph
smalltext_empty:
    adv ; jmp smalltext_glyph

# HOSTDATA_BLT: two colours, then for each bitmap [y|x], [height|width], number
# of words, words.
hostdata_blt:
    call flush_2d
    latch adv ; write DP_SRC_FRGD_CLR, pkt
    latch adv ; write DP_SRC_BKGD_CLR, pkt
hostdata_bitmap:
    latch adv ; write DST_Y_X, pkt
    latch adv ; write DST_HEIGHT_WIDTH, pkt
    latch adv ; cnt_pkt
    jcz hostdata_bitmap
    cnt_dec ; call host_words
    jmp hostdata_bitmap

# NEXTCHAR: [y|x], [height|width], words. Their number is in the header: bits
# 29:16 are all words - 1, so data words - 1 is two less.
nextchar:
    latch adv ; write DST_Y_X, pkt ; t_ah
    call flush_2d
    latch adv ; write DST_HEIGHT_WIDTH, pkt ; cnt_t
    cnt_dec
    cnt_dec ; call host_words
    jmp nop                     # not reached: the packet is over by then

# --- microcode and palette ---------------------------------------------------------

# LOAD_MICROCODE: first address, then pairs of high and low part. A write into
# the microcode takes its high part from T.
load_microcode:
    latch adv ; idx_pkt
load_microcode_next:
    latch adv ; ld_pkt
    t_al
    latch adv ; write me[idx], pkt ; idx_inc
    jmp load_microcode_next

# LOAD_PALETTE: a word for nobody, then the palette from its beginning.
load_palette:
    ld =0
    latch adv ; write SRC_CLUT_ADDRESS, a
    latch adv ; write SRC_CLUT_DATA, pkt ; rpt

# --- 3D ------------------------------------------------------------------------------

# 3D_RNDR_GEN_INDX_PRIM: address of the vertices, their number (the hardware
# does not ask), then as the other draw packets.
draw_list:
    latch adv ; write SE_VTX_AOS_ADDR0, pkt
    latch adv
# 3D_DRAW_*: vertex format, what to draw, vertices or indices.
draw:
    call flush_3d
    latch adv ; write SE_VTX_FMT, pkt
    latch adv ; write SE_VF_CNTL, pkt
    latch adv ; write SE_PORT_DATA0, pkt ; rpt

# 3D_LOAD_VBPNTR: consecutive registers, as a packet of type 0.
load_vbpntr:
    idx_addr SE_VTX_NUM_ARRAYS
    jmp type0

# 3D_CLEAR_ZMASK: first tile, number of tiles, mask. loop without if_count runs
# once more than count says; a number of 0 means 0x4000.
clear_zmask:
    latch adv ; write RB3D_ZMASK_WRINDEX, pkt
    latch adv ; cnt_pkt
    latch ; cnt_dec
    write RB3D_ZMASK_DWORD, pkt ; cnt_dec ; loop
    adv ; jmp nop

# --- MPEG macroblocks ------------------------------------------------------------------
# A mode word, then records: a code word and its data. callt calls by the three
# low bits of A. A record still has its code word in front when it is called: a
# code without data may be the last word of the packet.

macroblock_rev:
    table 0
    .word block_end | block_runs_rev << 8 | block_bi << 16 | block_start << 24
    jmp macroblock_go
macroblock:
    table 0
    .word block_end | block_runs << 8 | block_bi << 16 | block_start << 24
macroblock_go:
    table 1
    .word block_one | block_bi_2 << 8 | block_one_2 << 16 | block_fill << 24
    call flush_3d
    latch adv ; write IDCT_CONTROL, pkt
macroblock_record:
    latch ; ld_pkt
    callt
    jmp macroblock_record

# 0: end of the block
block_end:
    ld =0xffffffff
    adv ; write IDCT_RUNS, a ; ret
# 1: runs and two words of levels, in the one order or the other
block_runs:
    adv
    latch adv ; write IDCT_RUNS, pkt
    latch adv ; write IDCT_LEVELS, pkt
    latch adv ; write IDCT_LEVELS, pkt ; ret
block_runs_rev:
    adv
    latch adv ; write IDCT_RUNS, pkt
    latch adv ; ld_pkt
    latch ; write IDCT_LEVELS, pkt
    adv ; write IDCT_LEVELS, a ; ret
# 5: two predictions from two sources each
block_bi_2:
    adv ; call predict_bi
    jmp predict_bi
# 6: two predictions from one source each
block_one_2:
    adv ; call predict_one
    jmp predict_one
# 7: no source
block_fill:
    ld =0x10000000
    write SE_MC_SRC1_CNTL, a
    adv ; jmp predict_none
# 3: start only
block_start:
    adv ; jmp predict_start
# 4: one source
block_one:
    adv ; jmp predict_one
# 2: two sources
block_bi:
    adv
predict_bi:
    latch adv ; write SE_MC_SRC2_CNTL, pkt
predict_one:
    latch adv ; write SE_MC_SRC1_CNTL, pkt
predict_none:
    latch adv ; write SE_MC_DST_CNTL, pkt
predict_start:
    latch adv ; write SE_MC_CNTL_START, pkt ; ret

# --- constants and memory ------------------------------------------------------------
# The host may set this flag by LOAD_MICROCODE; drivers know the address.
    .org 0xe4
source:                 # BITBLT: the source position
    .word 0
mode_24bpp:             # bit 0: 24 bits a pixel
    .word 0

    .pool
