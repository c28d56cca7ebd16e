/* SPDX-License-Identifier: MIT */
#ifndef NV3_CONTEXT_H
#define NV3_CONTEXT_H

#include "pipe/p_context.h"
#include "pipe/p_state.h"
#include "util/slab.h"
#include "util/u_dynarray.h"

#include "nv3_resource.h"
#include "nv3_later.h"
#include "nv3_scratch.h"
#include "nv3_screen.h"
#include "nv3_texture.h"

struct draw_context;
struct nv3_shader_info;

struct nv3_arrays;
struct nv3_emit;
struct nv3_vs_info;
struct vbuf_render;

/* What has changed since the inner context, or the chip, was last told. */
enum {
   NV3_NEW_BLEND = 1 << 0,
   NV3_NEW_DSA = 1 << 1,
   NV3_NEW_RASTERIZER = 1 << 2,
   NV3_NEW_VS = 1 << 3,
   NV3_NEW_FS = 1 << 4,
   NV3_NEW_VELEMS = 1 << 5,
   NV3_NEW_VBUFS = 1 << 6,
   NV3_NEW_CONST_VS = 1 << 7,
   NV3_NEW_CONST_FS = 1 << 8,
   NV3_NEW_SAMPLERS = 1 << 9,
   NV3_NEW_VIEWS = 1 << 10,
   NV3_NEW_FRAMEBUFFER = 1 << 11,
   NV3_NEW_VIEWPORT = 1 << 12,
   NV3_NEW_SCISSOR = 1 << 13,
   NV3_NEW_CLIP = 1 << 14,
   NV3_NEW_BLEND_COLOR = 1 << 15,
   NV3_NEW_STENCIL_REF = 1 << 16,
   NV3_NEW_STIPPLE = 1 << 17,
   NV3_NEW_SAMPLE_MASK = 1 << 18,
   NV3_NEW_QUERY = 1 << 19,
   /* Texels, though not the state. */
   NV3_NEW_TEXELS = 1 << 20,
   NV3_NEW_ALL = (1 << 21) - 1,
};

/* The stages that the screen offers. */
enum {
   NV3_STAGE_VS,
   NV3_STAGE_FS,
   NV3_STAGES,
};

#define NV3_CONST_BUFFERS 16

struct nv3_blend {
   struct pipe_blend_state base;
   void *inner;
};

struct nv3_dsa {
   struct pipe_depth_stencil_alpha_state base;
   void *inner;
};

struct nv3_rasterizer {
   struct pipe_rasterizer_state base;
   void *inner;
};

struct nv3_sampler {
   struct pipe_sampler_state base;
   void *inner;
};

struct nv3_velems {
   unsigned count;
   struct pipe_vertex_element elements[PIPE_MAX_ATTRIBS];
   void *inner;
};

struct nv3_vs {
   void *inner;
   struct nv3_vs_info *info;
   struct draw_vertex_shader *draw;
   bool samples;  /* textures, which is the inner context's to do */
};

struct nv3_fs {
   void *inner;
   struct nv3_shader_info *info;
};

struct nv3_view {
   struct pipe_sampler_view base;
   struct pipe_sampler_view *inner;  /* made when used */
};

struct nv3_constants {
   struct pipe_constant_buffer cb;   /* as it was set, without user_buffer */
   uint8_t *copy;                    /* of a user buffer */
   unsigned copy_size;
};

/* ---- what the chip was told ---- */

enum {
   NV3_SUBCH_D3D,
   NV3_SUBCH_RECT,
   NV3_SUBCH_ZETA_RECT,
   NV3_SUBCH_CLIP,
   NV3_SUBCH_SURFACE,
   NV3_SUBCH_COPY,
   NV3_SUBCH_CONVERT,
};

/* A surface object on a target; a handful of the last used. */
#define NV3_SURFACE_CACHE 8

struct nv3_surface_object {
   struct nv3_target *target;
   struct nv3_object *object;
   unsigned slot;
   uint32_t used;
};

/* What converts a target into the picture that others see. */
#define NV3_CONVERTERS 4

struct nv3_converter {
   struct nv3_target *target;
   struct nv3_bo *bo;
   struct nv3_object *image, *surface;
   /* A copy of the target in system memory, and what makes it; or NULL. */
   struct nv3_bo *staging;
   struct nv3_object *copy;
   struct nv3_object *alpha;  /* what fills it in; or NULL */
   uint32_t used;
};

/* The words of NV3_D3D_TEX_OFFSET to NV3_D3D_ALPHA. */
#define NV3_D3D_STATE    6
#define NV3_STATE_CONFIG 4

/* What a triangle is drawn to. */
enum nv3_color_slot {
   NV3_SLOT_COLOR,
   NV3_SLOT_DRAWN,
   NV3_COLOR_SLOTS,
};

struct nv3_chip {
   struct nv3_channel *chan;
   struct nv3_pushbuf *push;
   struct nv3_surface_object surfaces[NV3_SURFACE_CACHE];
   struct nv3_converter converters[NV3_CONVERTERS];
   struct nv3_bo *opaque;            /* nothing but 255, for alpha */
   uint32_t surface_clock;
   struct nv3_target *color, *zeta, *drawn;  /* selected */
   uint64_t targets_batch, targets_bytes;  /* that this batch has drawn to */
   struct nv3_object *clip;
   struct nv3_object *rect, *zeta_rect;
   /* Without and with depth. */
   struct nv3_object *d3d[NV3_MAX_SLABS][NV3_COLOR_SLOTS][2];
   uint32_t d3d_generation[NV3_MAX_SLABS];  /* of the slab that those are on */
   struct nv3_object *selected;      /* of these */
   bool d3d_current;                 /* and nothing else was used since */
   uint64_t d3d_batch;               /* the batch before that */
   uint32_t d3d_config;
   uint32_t clip_point, clip_size;
   bool clip_known;
   bool lost;                        /* the channel stopped */
   bool no_memory;                   /* for all that a batch draws to */
   bool said_no_memory;
};

struct nv3_counters {
   uint64_t chip_draws, module_draws, mixed_draws, soft_draws, copied_draws;
   uint64_t chip_vertices, chip_triangles;
   uint64_t chip_clears, soft_clears, chip_copies, textures, converted, presented;
};

struct nv3_context {
   struct pipe_context base;
   struct nv3_screen *screen;

   struct pipe_context *inner;
   uint32_t inner_dirty;
   bool inner_busy;                  /* has drawn since it was last waited for */
   /* Where the inner context now draws, of each: the target or the master. */
   bool inner_on_target[PIPE_MAX_COLOR_BUFS + 1];

   struct draw_context *draw;
   struct vbuf_render *render;
   struct nv3_emit *emit;
   struct nv3_arrays *arrays;
   struct nv3_draw_state *states;    /* of each pass */
   struct nv3_draw_state *state;     /* of the one that is being drawn */
   const struct nv3_shader_info *shader;  /* that they draw */
   unsigned passes;
   bool passes_by_quad;              /* no more than one at a time */
   bool checks_vertices;             /* it depends on their colours whether it can be */
   bool checked_draw;                /* that has been done for all of the draw */
   bool clamped_draw;                /* it was not drawn: NV3_CLAMPED */
   bool mixes;                       /* the CPU blends, from the scratch */
   bool joins;                       /* only as it does so with what was put off */
   struct nv3_scratch scratch;
   struct nv3_later later;
   uint32_t dirty;
   uint32_t draw_dirty;              /* that the draw module has not been told */
   const char *reason;               /* why the state is not the chip's */
   struct hash_table *reasons;       /* that were named */
   char factors[64];                 /* a reason that says which */
   struct set *shared;               /* drawn to, for others to see */
   struct util_dynarray held;        /* textures' places (nv3_texture_hold) */

   struct nv3_chip chip;
   struct nv3_counters count;

   struct nv3_blend *blend;
   struct nv3_dsa *dsa;
   struct nv3_rasterizer *rast;
   struct nv3_vs *vs;
   struct nv3_fs *fs;
   struct nv3_velems *velems;
   struct pipe_vertex_buffer vertex_buffers[PIPE_MAX_ATTRIBS];
   unsigned vertex_buffer_count;
   struct nv3_constants constants[NV3_STAGES][NV3_CONST_BUFFERS];
   struct nv3_sampler *samplers[NV3_STAGES][PIPE_MAX_SAMPLERS];
   unsigned sampler_count[NV3_STAGES];
   struct pipe_sampler_view *views[NV3_STAGES][PIPE_MAX_SHADER_SAMPLER_VIEWS];
   unsigned view_count[NV3_STAGES];
   struct pipe_framebuffer_state fb;
   struct pipe_viewport_state viewport;
   struct pipe_scissor_state scissor;
   struct pipe_clip_state clip;
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   struct pipe_poly_stipple stipple;
   unsigned sample_mask;
   struct nv3_marks *marks;          /* times that queries have (nv3_query.c) */
   unsigned pixel_queries;           /* active, which count pixels */
   bool conditional;                 /* a render condition is set */
};

static inline struct nv3_context *
nv3_context(struct pipe_context *pipe)
{
   return (struct nv3_context *)pipe;
}

struct pipe_context *
nv3_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

/* nv3_state.c */
void
nv3_init_state(struct nv3_context *ctx);
/* The bytes of a constant buffer, and how many; NULL if there is none. */
const void *
nv3_constants_map(const struct nv3_constants *constants, unsigned *size);

/* nv3_fallback.c */
/* With NV3_DEBUG=fallback says @reason, if it is one and for the first time. */
void
nv3_name_reason(struct nv3_context *ctx, const char *reason);
/* Tells the inner context all that has changed. */
void
nv3_inner_validate(struct nv3_context *ctx);
/* Until it has drawn all that it was given. */
void
nv3_inner_finish(struct nv3_context *ctx);
/* @reason: why it is not the chip's, if it is not for want of memory. */
void
nv3_inner_draw(struct nv3_context *ctx, const char *reason,
               const struct pipe_draw_info *info,
               unsigned drawid_offset,
               const struct pipe_draw_indirect_info *indirect,
               const struct pipe_draw_start_count_bias *draws,
               unsigned num_draws);
/* The inner context has drawn to what nv3_inner_validate() gave it. */
void
nv3_inner_drew(struct nv3_context *ctx, unsigned buffers);

/* nv3_query.c */
void
nv3_init_query(struct nv3_context *ctx);
void
nv3_query_fini(struct nv3_context *ctx);

/* nv3_draw.c */
bool
nv3_init_draw(struct nv3_context *ctx);

/* nv3_clear.c, nv3_blit.c, nv3_transfer.c, nv3_fence.c */
void
nv3_init_clear(struct nv3_context *ctx);
void
nv3_init_blit(struct nv3_context *ctx);
void
nv3_init_transfer(struct nv3_context *ctx);
void
nv3_init_flush(struct nv3_context *ctx);
void
nv3_screen_init_fence(struct nv3_screen *screen);

#endif
