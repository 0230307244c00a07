/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the kernel's DRM interface that gfx uses: numbers and layouts as
 * the kernel's ABI has them, names of our own.
 */
#ifndef GUEST_DRM_H
#define GUEST_DRM_H

#include <stdint.h>
#include <sys/ioctl.h>

typedef struct Mode {
    uint32_t clock;             /* kHz */
    uint16_t hdisplay, hsync_start, hsync_end, htotal, hskew;
    uint16_t vdisplay, vsync_start, vsync_end, vtotal, vscan;
    uint32_t vrefresh, flags, type;
    char name[32];
} Mode;

typedef struct Resources {
    uint64_t fbs, crtcs, connectors, encoders;      /* pointers */
    uint32_t n_fbs, n_crtcs, n_connectors, n_encoders;
    uint32_t min_width, max_width, min_height, max_height;
} Resources;

typedef struct Crtc {
    uint64_t connectors;
    uint32_t n_connectors, crtc, fb, x, y, gamma_size, mode_valid;
    Mode mode;
} Crtc;

typedef struct Gamma {
    uint32_t crtc, size;
    uint64_t red, green, blue;  /* pointers to 16-bit values */
} Gamma;

typedef struct Connector {
    uint64_t encoders, modes, props, values;
    uint32_t n_modes, n_props, n_encoders, encoder, id, type, type_id;
    uint32_t connection;        /* 1: connected */
    uint32_t mm_width, mm_height, subpixel, pad;
} Connector;

typedef struct Cursor {
    uint32_t flags, crtc;
    int32_t x, y;
    uint32_t width, height, handle;
} Cursor;

typedef struct Fb {
    uint32_t id, width, height, pitch, bpp, depth, handle;
} Fb;

typedef struct Flip {
    uint32_t crtc, fb, flags, pad;
    uint64_t data;
} Flip;

typedef struct Dumb {
    uint32_t height, width, bpp, flags, handle, pitch;
    uint64_t size;
} Dumb;

typedef struct MapDumb {
    uint32_t handle, pad;
    uint64_t offset;
} MapDumb;

typedef union Vblank {
    struct {
        uint32_t type, sequence;
        unsigned long signal;
    } request;
    struct {
        uint32_t type, sequence;
        long sec, usec;
    } reply;
} Vblank;

typedef struct FlipEvent {
    uint32_t type, length;
    uint64_t data;
    uint32_t sec, usec, sequence, crtc;
} FlipEvent;

typedef struct GemCreate {
    uint64_t size, alignment;
    uint32_t handle, domain, flags;
} GemCreate;

typedef struct GemWait {
    uint32_t handle, pad;
} GemWait;

typedef struct Chunk {
    uint32_t id, dwords;
    uint64_t data;
} Chunk;

typedef struct Reloc {
    uint32_t handle, read_domains, write_domain, flags;
} Reloc;

typedef struct Submit {
    uint32_t n_chunks, id;
    uint64_t chunks, gart_limit, vram_limit;
} Submit;

#define DRM_CALL(nr, type) _IOWR('d', nr, type)
#define WAIT_VBLANK DRM_CALL(0x3a, Vblank)
#define GET_RESOURCES DRM_CALL(0xa0, Resources)
#define GET_CRTC DRM_CALL(0xa1, Crtc)
#define SET_CRTC DRM_CALL(0xa2, Crtc)
#define SET_CURSOR DRM_CALL(0xa3, Cursor)
#define SET_GAMMA DRM_CALL(0xa5, Gamma)
#define GET_CONNECTOR DRM_CALL(0xa7, Connector)
#define ADD_FB DRM_CALL(0xae, Fb)
#define PAGE_FLIP DRM_CALL(0xb0, Flip)
#define CREATE_DUMB DRM_CALL(0xb2, Dumb)
#define MAP_DUMB DRM_CALL(0xb3, MapDumb)
/* radeon's own begin at 0x40 */
#define GEM_CREATE DRM_CALL(0x5d, GemCreate)
#define GEM_WAIT _IOW('d', 0x64, GemWait)
#define SUBMIT DRM_CALL(0x66, Submit)

#define VBLANK_RELATIVE 1u
#define VBLANK_HEAD1 2u         /* of the second CRTC */
#define FLIP_WITH_EVENT 1u
#define CURSOR_SET 1u
#define CURSOR_MOVE 2u
#define CHUNK_RELOCS 1u
#define CHUNK_IB 2u
#define DOMAIN_GTT 2u
#define DOMAIN_VRAM 4u

#endif
