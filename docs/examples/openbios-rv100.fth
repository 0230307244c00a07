\ SPDX-License-Identifier: GPL-2.0-or-later
\ radeon-rv100 under OpenBIOS: find the card, read the monitor's EDID header
\ through byte accesses, set 640x480 with 8 bits a pixel, show eight bars.
hex
0 value vram
0 value regs
8 buffer: edid

\ One record of assigned-addresses: 5 cells; base address register and address.
: record decode-int ff and >r decode-int drop decode-int >r decode-int drop
  decode-int drop r> r> ;
: keep dup 10 = if over to vram then 18 = if to regs else drop then ;
: find-card " /pci/pci1002,5159" find-package 0= abort" no RV100"
  >r " assigned-addresses" r> get-package-property abort" no addresses"
  begin dup while record keep repeat 2drop ;

\ Registers are little-endian, this CPU is not.
: reg! regs + swap lbflip swap l! ;

\ The VGA connector's lines: byte 62 pulls them low (1 data, 2 clock), byte 61
\ tells their level.
: lines regs 62 + c! ;
: start 2 lines 0 lines 1 lines 3 lines ;
: stop 3 lines 1 lines 0 lines ;
: bit 1 xor dup 2 or lines dup lines regs 61 + c@ 1 and swap 2 or lines ;
: put 8 0 do dup 7 rshift 1 and bit drop 2* loop drop
  1 bit abort" no monitor answers" ;
: get 0 8 0 do 2* 1 bit or loop swap bit drop ;
: read-edid start a0 put 0 put start a1 put
  8 0 do i 7 = 1 and get edid i + c! loop stop ;
: .edid ." EDID" 8 0 do edid i + c@ space 0 <# # # #> type loop cr ;

\ 27 MHz * 179 / (32 * 6) = 25.17 MHz; 800 x 525 pixels in all.
: pll! 380 or 8 reg! c reg! ;
: set-mode 20 3 pll! 600b3 7 pll! 4f0063 200 reg! 8c0290 204 reg!
  1df020c 208 reg! 8201e9 20c reg! 500050 22c reg! 0 224 reg!
  3000200 50 reg! 8040 54 reg! ;

\ Colours 0 to 7. The index is a byte, and goes on by itself.
: colour b4 reg! ;
: colours 0 regs b0 + c! 0 colour ff0000 colour ff00 colour ff colour
  ffff00 colour ff8000 colour 8040ff colour ffffff colour ;

\ Bars of 80 pixels; in the last 20 lines the pixels 0, 1, 2 ... 7 again and again,
\ stored as two words of 32 bits.
: bars 1cc 0 do vram i 280 * + 8 0 do 14 0 do j 1010101 * over l! 4 +
  loop loop drop loop ;
: bytes vram 1cc 280 * + 640 0 do 10203 over l! 4 + 4050607 over l! 4 + loop
  drop ;

find-card read-edid .edid set-mode colours bars bytes ." PICTURE" cr
