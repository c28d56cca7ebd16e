/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of PGRAPH, the graphics engine, and of PDMA. Registers are stored in the
 * format in which software reads them. The widths and side effects of the registers
 * follow envytools' hwtest (pgraph_state.cc), which was run on real cards.
 */
#ifndef NV3_CHIP_PGRAPH_STATE_H
#define NV3_CHIP_PGRAPH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nv3.h"
#include "chip/rect.h"
#include "nv3_class.h"
#include "nv3_regs.h"

#define NV3_PGRAPH_SUBCHANNELS  8
#define NV3_PGRAPH_SURFACES     4

/*
 * A method that may take a long time creates a job, which PGRAPH executes in slices.
 * PGRAPH is busy until the job has completed. The method completes at the end of the job.
 * The saved state contains these values, so add new kinds only at the end.
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
    NV3_JOB_PROGRAMS,
    NV3_JOB_COUNT,
} NV3JobKind;

typedef struct NV3Job {
    NV3JobKind kind;
    /*
     * The number of completed lines. LINE: index of the next pixel. PROGRAMS: the method.
     */
    uint32_t line;
    /*
     * M2MF: number of copied bytes of line @line. SIFC: index of the next pixel in the
     * data word. D3D: index of the triangle, 0 or 1. LINE: 1 if the last pixel of the
     * line is not drawn. PROGRAMS: 1 if the job completes no method.
     */
    uint32_t byte;
    NV3Rect rect;           /* area to draw, within the clip bounds */
    /*
     * FILL, TRIANGLE, LINE: the colour in the object's format. PROGRAMS: the method's
     * data.
     */
    uint32_t color;
    int32_t x[3], y[3];     /* TRIANGLE: corners, clockwise. LINE: the two ends */
    int32_t dx, dy;         /* BLIT: source position minus destination position */
    bool upwards;           /* BLIT: draw the last line first */
} NV3Job;

/* A cached entry of a two-level page table (graph/dmaobj.c). */
typedef struct NV3DmaTlb {
    uint32_t tag;           /* address of the page directory; bit 0: entry is valid */
    uint32_t page;
    uint32_t pte;
} NV3DmaTlb;

#define NV3_DMA_TLB_SIZE    1024

/* PDMA: the part of PGRAPH that accesses memory through DMA objects. */
typedef struct NV3Pdma {
    uint32_t intr;
    uint32_t intr_en;
    uint32_t flags;         /* flags of the last loaded DMA object */
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

typedef struct NV3Class NV3Class;       /* graph/class.h */

typedef enum NV3JobResult {
    NV3_JOB_MORE,
    NV3_JOB_DONE,
    NV3_JOB_FAILED,         /* a DMA fault has ended the job */
} NV3JobResult;

/* Executes one slice of a job. */
typedef NV3JobResult NV3JobRun(NV3State *s, NV3Job *job);

/* Size of a context image of class 0x1F in 32-bit words (programs/class.c). */
#define NV3_PROGRAMS_IMAGE_WORDS    6540

typedef struct NV3Pgraph {
    /* control */
    uint32_t debug[4];
    uint32_t intr;
    uint32_t intr_en;
    uint32_t invalid;
    uint32_t invalid_en;
    uint32_t ctx_switch;    /* current object's options (word 0 of the object) */
    uint32_t ctx_control;
    uint32_t ctx_user;
    uint32_t ctx_cache[NV3_PGRAPH_SUBCHANNELS];
    uint32_t fifo_enable;
    uint32_t trapped_addr;
    uint32_t trapped_data;
    uint32_t trapped_inst;

    /* the current object's DMA objects */
    uint32_t dma_inst;      /* low half of object word 1 */
    uint32_t notify;        /* high half of object word 1, and ARMED and SELECT bits */
    uint32_t grobj_inst;
    uint32_t m2mf_inst;     /* object word 2 */

    /* vertices, and the state of an incomplete primitive */
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
    uint32_t iclip[2];      /* x, y; signed 18-bit values, like the next four fields */
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
    /*
     * Cached entries of two-level page tables. After a load, the chip reads the entries
     * again, so these copies are not saved.
     */
    NV3DmaTlb tlb[NV3_DMA_TLB_SIZE];

    NV3Job job;
    uint64_t ctx_timer_end; /* end of CTX_CONTROL's timeslice in nanoseconds */

    /*
     * The following fields are not registers.
     *
     * @epoch counts the events after which the memory of textures may have changed:
     * writes by 2D classes, loads of DMA objects, notifications, reads of STATUS and
     * restarts of PGRAPH. Notifications and reads of STATUS tell software that earlier
     * methods have completed. Software may then change textures. The texture cache
     * (3d/texture.h) checks a level again in each epoch.
     */
    uint64_t epoch;
    struct NV3D3d *d3d;
    struct NV3ProgramsUnit *programs;
    /*
     * The saved state of class 0x1F: a context image in the host's byte order.
     * The image is valid after NV3Class.save(), and between a load and the
     * first use of the class.
     */
    uint32_t programs_image[NV3_PROGRAMS_IMAGE_WORDS];
    const NV3Class *deferred;   /* class whose flush() must be called */
    const NV3Class *stream;     /* class whose end_stream() must be called */

    /*
     * Values before the current method. If the method has switched objects, they differ
     * from the current values.
     */
    struct {
        uint32_t options;       /* CTX_SWITCH */
        uint32_t class;
        uint32_t xy_misc_1;
    } before;
} NV3Pgraph;

/* Drivers do not use these register fields, so nv3_regs.h does not define them. */
#define NV3_COORD_MASK          0x0003ffff  /* clip bounds: 18 bits, signed */
/* VALID: a mask of the methods received so far for the primitive (hwtest). */
#define NV3_VALID_X(i)          (1u << (i))
#define NV3_VALID_Y(i)          (1u << (8 | (i)))
#define NV3_VALID_COLOR         (1u << 16)
#define NV3_VALID_BITMAP_0      (1u << 17)
#define NV3_VALID_BITMAP_1      (1u << 18)
#define NV3_VALID_NOCLIP        (1u << 19)
#define NV3_VALID_OCLIP         (1u << 20)
#define NV3_VALID_VERTICES      (1u << 21)
#define NV3_VALID_D3D_CONFIG    (1u << 26)
#define NV3_VALID_CLIP_HALF     0x50000000  /* user clip: one of two corners received */
#define NV3_VALID_OCLIP_HALF    0xa0000000
/* XY_MISC_0 */
#define NV3_XY0_IMAGE_ZERO      0x00100000  /* the image has no pixels */
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

#endif
