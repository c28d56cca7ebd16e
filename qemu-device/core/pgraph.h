/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH: the graphics engine's state, and what its files offer each other and
 * the graphics classes (class_*.c).
 *
 * Every register is held as software reads it back. Widths and side effects are
 * those that envytools' hwtest found on real cards (pgraph_state.cc); docs in
 * docs/reference/chip/pgraph.md.
 */
#ifndef NV3_PGRAPH_H
#define NV3_PGRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3.h"
#include "nv3_regs.h"

#define NV3_PGRAPH_SUBCHANNELS  8
#define NV3_PGRAPH_SURFACES     4

/* A rectangle of pixels, the right and bottom edges outside. */
typedef struct NV3Rect {
    int32_t x0, y0, x1, y1;
} NV3Rect;

/*
 * A method whose work can take long is carried out in slices: it leaves a job,
 * PGRAPH is busy until the job is done, and only then is the method over. Kinds are
 * numbers of the saved state: a new one comes last.
 */
typedef enum NV3JobKind {
    NV3_JOB_NONE,
    NV3_JOB_FILL,
    NV3_JOB_TRIANGLE,
    NV3_JOB_BLIT,
    NV3_JOB_M2MF,
    NV3_JOB_ITM,
    NV3_JOB_SIFC,
    NV3_JOB_SIFM,
    NV3_JOB_D3D,
    NV3_JOB_LINE,
    NV3_JOB_COUNT,
} NV3JobKind;

typedef struct NV3Job {
    NV3JobKind kind;
    uint32_t line;          /* lines done; LINE: steps along the line */
    uint32_t byte;          /* M2MF: bytes done of the next; ITM, SIFC: pixels;
                               D3D: which triangle of the two; LINE: 1 if its
                               second end is left out */
    NV3Rect rect;           /* what to draw, within the clip bounds */
    uint32_t color;         /* FILL, TRIANGLE, LINE: in the object's colour format */
    int32_t x[3], y[3];     /* TRIANGLE: clockwise; rect is around it. LINE: its ends */
    int32_t dx, dy;         /* BLIT: from destination to source */
    bool upwards;           /* BLIT: last line first */
} NV3Job;

/* PDMA: the DMA engine behind notifiers, M2MF and texture fetches. */
typedef struct NV3Pdma {
    uint32_t intr;
    uint32_t intr_en;
    uint32_t flags;         /* the DMA object used last, as it was loaded */
    uint32_t limit;
    uint32_t pte;
    uint32_t tag;
    uint32_t addr_virt;
    uint32_t addr_phys;
    uint32_t bytes;
    uint32_t inst;
    uint32_t lines;
    uint32_t lin_limit;
    uint32_t offset[3];     /* 0: M2MF source, D3D texture; 1: M2MF destination */
    uint32_t pitch;
    uint32_t format;
} NV3Pdma;

typedef struct NV3Pgraph {
    /* control */
    uint32_t debug[4];
    uint32_t intr;
    uint32_t intr_en;
    uint32_t invalid;
    uint32_t invalid_en;
    uint32_t ctx_switch;    /* the current object's options (object word 0) */
    uint32_t ctx_control;
    uint32_t ctx_user;
    uint32_t ctx_cache[NV3_PGRAPH_SUBCHANNELS];
    uint32_t fifo_enable;
    uint32_t trapped_addr;
    uint32_t trapped_data;
    uint32_t trapped_inst;

    /* the current object's DMA objects */
    uint32_t dma_inst;      /* object word 1, low half */
    uint32_t notify;        /* its high half, armed, select */
    uint32_t grobj_inst;
    uint32_t m2mf_inst;     /* object word 2 */

    /* vertices and the state of a primitive being put together */
    uint32_t vtx_x[32];
    uint32_t vtx_y[32];
    uint32_t vtx_z[16];
    uint32_t valid;
    uint32_t misc32[2];     /* 0: colour, TEX_FORMAT; 1: TEX_FILTER, colour 1 */
    uint32_t misc24[2];     /* 0: FOG_COLOR, LINE_LENGTH; 1: D3D's indices */
    uint32_t xy_misc[4];    /* XY_MISC_0 to 3 */
    uint32_t x_misc;        /* carries, out of bounds, comparison */
    uint32_t y_misc;
    uint32_t x_clip_status[2];
    uint32_t y_clip_status[2];

    /* clipping */
    uint32_t iclip[2];      /* x, y; 18 bits signed, as the next four */
    uint32_t uclip_min[2];
    uint32_t uclip_max[2];
    uint32_t oclip_min[2];
    uint32_t oclip_max[2];
    uint32_t src_canvas_min;
    uint32_t src_canvas_max;
    uint32_t dst_canvas_min;
    uint32_t dst_canvas_max;
    uint32_t cliprect_min[2];
    uint32_t cliprect_max[2];
    uint32_t cliprect_ctrl;

    /* how pixels are written */
    uint32_t pattern_rgb[2];
    uint32_t pattern_a[2];
    uint32_t pattern_mono[2];
    uint32_t pattern_shape;
    uint32_t bitmap_color_0;
    uint32_t rop;
    uint32_t chroma;
    uint32_t beta;
    uint32_t surf_offset[NV3_PGRAPH_SURFACES];
    uint32_t surf_pitch[NV3_PGRAPH_SURFACES];
    uint32_t surf_config;

    /* class 0x17 and 0x18 */
    uint32_t d3d_xy;
    uint32_t d3d_uv;
    uint32_t d3d_z;
    uint32_t d3d_rgb;
    uint32_t d3d_fog_tri;
    uint32_t d3d_rhw;
    uint32_t d3d_config;
    uint32_t d3d_alpha;

    NV3Pdma dma;

    NV3Job job;
    uint64_t ctx_timer_end; /* nanoseconds; CTX_CONTROL's time slice */

    /*
     * Not the chip's, and not saved. @epoch counts the moments at which software
     * may have learned that earlier methods are done, and so may have changed
     * memory that they read (a notification, STATUS read, PGRAPH started again),
     * and those at which a 2D class wrote memory. What class_d3d.c keeps from
     * draw to draw (decoded textures) is good for one epoch.
     */
    uint64_t epoch;
    struct NV3D3d *d3d;
    bool d3d_pending;       /* triangles wait: nv3_d3d_settle() */
    bool d3d_open;          /* registers wait for vertices: nv3_d3d_close() */

    /*
     * As they were when the current method came: what a switch of objects that it
     * brings is too late for.
     */
    struct {
        uint32_t options;       /* CTX_SWITCH */
        uint32_t class;
        uint32_t xy_misc_1;
    } before;
} NV3Pgraph;

/* Fields of registers that only the chip looks at. */
#define NV3_COORD_MASK          0x0003ffff  /* clip bounds: 18 bits, signed */
/* VALID: which methods of a primitive have come in (hwtest). */
#define NV3_VALID_X(i)          (1u << (i))
#define NV3_VALID_Y(i)          (1u << (8 | (i)))
#define NV3_VALID_COLOR         (1u << 16)
#define NV3_VALID_BITMAP_0      (1u << 17)
#define NV3_VALID_BITMAP_1      (1u << 18)
#define NV3_VALID_NOCLIP        (1u << 19)
#define NV3_VALID_OCLIP         (1u << 20)
#define NV3_VALID_VERTICES      (1u << 21)
#define NV3_VALID_D3D_CONFIG    (1u << 26)
#define NV3_VALID_CLIP_HALF     0x50000000  /* user clip: one corner of two */
#define NV3_VALID_OCLIP_HALF    0xa0000000
/* XY_MISC_0 */
#define NV3_XY0_IMAGE_ZERO      0x00100000  /* an image of no pixels */
#define NV3_XY0_VTX_SHIFT       28          /* index of the next vertex */
/* XY_MISC_1, and XY_MISC_2 for the output clip */
#define NV3_XY1_STARTED         0x00000001
/* X_MISC, Y_MISC */
#define NV3_XYMISC_OOB          0x000000f0
#define NV3_XYMISC_CMP          0x30000000
/* STATUS */
#define NV3_STATUS_M2MF         0x00000010
#define NV3_STATUS_DMA          0x00010000

static inline uint32_t nv3_pgraph_class(const NV3Pgraph *g)
{
    return (g->ctx_user & NV3_PGRAPH_CTX_USER_CLASS) >> 16;
}

static inline uint32_t nv3_pgraph_operation(const NV3Pgraph *g)
{
    return g->ctx_switch >> NV3_GROBJ_OP_SHIFT & 0x1f;
}

/*
 * What became of a method. BAD_DATA: the method was carried out as silicon
 * does with such a value; PGRAPH stops only when DEBUG_3.DATA_CHECK says so.
 * A method whose drawing was refused (nv3_pgraph_prep_draw()) is OK: prep_draw
 * has raised the interrupt already.
 */
typedef enum NV3MthdResult {
    NV3_MTHD_OK,
    NV3_MTHD_BAD_METHOD,
    NV3_MTHD_BAD_DATA,
} NV3MthdResult;

/*
 * A graphics class. @method is called for methods but 0x000 and 0x104, on the
 * thread that is in nv3_run(); @mthd is a multiple of 4 below 0x2000.
 */
typedef struct NV3Class {
    uint8_t id;
    const char *name;
    NV3MthdResult (*method)(NV3State *s, uint32_t mthd, uint32_t data);
} NV3Class;

extern const NV3Class nv3_class_d3d;

/* pgraph_class.c: null when this chip has no such class. */
const NV3Class *nv3_pgraph_find_class(const NV3State *s, uint32_t id);

/* pgraph.c */
/* Raises bits of INTR; an error among them stops PGRAPH. */
void nv3_pgraph_raise(NV3State *s, uint32_t intr);
/* Raises INTR.INVALID for NV3_PGRAPH_INVALID_* bits. */
void nv3_pgraph_raise_invalid(NV3State *s, uint32_t invalid);
/* DEBUG_0.RESET; what an object that is switched in resets (DEBUG_2). */
void nv3_pgraph_soft_reset(NV3State *s);
void nv3_pgraph_volatile_reset(NV3State *s);

/*
 * pgraph_notify.c: method 0x104, when @invalid has been raised for it so far,
 * and what follows the method after it.
 */
NV3MthdResult nv3_pgraph_notify_arm(NV3State *s, uint32_t data,
                                    uint32_t invalid);
void nv3_pgraph_notify_complete(NV3State *s);

/*
 * pgraph_prep.c: to be called before drawing, with the vertices in place.
 * False, with the interrupts raised, when the state does not allow it.
 * @poly: the vertices are of the second, connected, kind; @noclip: a GDI
 * rectangle without clip.
 */
bool nv3_pgraph_prep_draw(NV3State *s, bool poly, bool noclip);

/*
 * The same for a word of an image, that VALID has @need for: drawn little by
 * little, so nothing is used up.
 */
bool nv3_pgraph_prep_image(NV3State *s, uint32_t need);

/* pgraph_job.c: an empty rectangle is no work, and done at once. */
typedef enum NV3JobResult {
    NV3_JOB_MORE,
    NV3_JOB_DONE,
    NV3_JOB_FAILED,         /* a DMA fault has ended it */
} NV3JobResult;

/* Starts a job, and does its first slice. */
void nv3_job_start(NV3State *s, const NV3Job *job);
NV3JobResult nv3_job_run(NV3State *s);

/*
 * A slice of each kind: pgraph_fill.c (a rectangle or triangle in one colour),
 * class_*.c.
 */
NV3JobResult nv3_fill_run(NV3State *s, NV3Job *job);
NV3JobResult nv3_blit_run(NV3State *s, NV3Job *job);
NV3JobResult nv3_m2mf_run(NV3State *s, NV3Job *job);
NV3JobResult nv3_itm_run(NV3State *s, NV3Job *job);
NV3JobResult nv3_sifc_run(NV3State *s, NV3Job *job);
NV3JobResult nv3_sifm_run(NV3State *s, NV3Job *job);
NV3JobResult nv3_d3d_run(NV3State *s, NV3Job *job);
NV3JobResult nv3_line_run(NV3State *s, NV3Job *job);
/*
 * How many lines of job->rect fit what is left of the slice when each costs @cost; at
 * least 1. They are charged.
 */
uint32_t nv3_job_lines(NV3State *s, const NV3Job *job, uint64_t cost);

static inline bool nv3_rect_empty(const NV3Rect *r)
{
    return r->x0 >= r->x1 || r->y0 >= r->y1;
}

static inline NV3Rect nv3_rect_intersect(NV3Rect a, NV3Rect b)
{
    return (NV3Rect) {
        .x0 = a.x0 > b.x0 ? a.x0 : b.x0,
        .y0 = a.y0 > b.y0 ? a.y0 : b.y0,
        .x1 = a.x1 < b.x1 ? a.x1 : b.x1,
        .y1 = a.y1 < b.y1 ? a.y1 : b.y1,
    };
}

/* One of the four surfaces, in VRAM. */
typedef struct NV3Surface {
    uint8_t format;         /* NV3_SURF_* */
    uint8_t cpp;            /* bytes a pixel */
    uint32_t offset;        /* byte of pixel 0, 0 */
    uint32_t pitch;         /* bytes */
} NV3Surface;

/* pgraph_surface.c */
void nv3_surface_get(NV3State *s, unsigned index, NV3Surface *surf);
/* The surfaces that the current object draws to; returns how many. */
unsigned nv3_surface_destinations(NV3State *s,
                                  NV3Surface out[NV3_PGRAPH_SURFACES]);
/*
 * Pixels [@x, @x + @count) of line @y as an address in VRAM. Null, to be
 * skipped, when any of them lies beyond the end of VRAM: drawing never wraps.
 */
uint8_t *nv3_surface_line(NV3State *s, const NV3Surface *surf, int32_t x,
                          int32_t y, uint32_t count);
/* Tells the host which pixels of @surf have changed. */
void nv3_surface_dirty(NV3State *s, const NV3Surface *surf, const NV3Rect *r);

/* pgraph_clip.c: where the current object may draw. */
typedef struct NV3Clip {
    NV3Rect bounds;         /* canvas and user clip; nothing is drawn outside */
    unsigned count;         /* rectangles of CLIPRECT_CTRL */
    bool occluded;          /* draw outside them, not inside */
    NV3Rect rect[2];
} NV3Clip;

typedef struct NV3Span {
    int32_t x0, x1;
} NV3Span;

#define NV3_CLIP_SPANS  3

void nv3_clip_get(NV3State *s, NV3Clip *clip);
/* The source canvas. */
NV3Rect nv3_clip_source(NV3State *s);
/*
 * The parts of [@x0, @x1) of line @y that may be drawn, left to right. The range
 * must lie within the bounds already. Returns how many.
 */
unsigned nv3_clip_line(const NV3Clip *clip, int32_t y, int32_t x0, int32_t x1,
                       NV3Span out[NV3_CLIP_SPANS]);

#endif
