/* SPDX-License-Identifier: MIT */
/*
 * The state of a pipe context. Most members belong to one file, which
 * allocates, changes and frees them.
 */
#ifndef NV3_CONTEXT_H
#define NV3_CONTEXT_H

#include "pipe/p_context.h"
#include "pipe/p_state.h"
#include "util/slab.h"
#include "util/u_dynarray.h"

#include "base/nv3_screen.h"

struct draw_context;
struct nv3_translate;
struct nv3_chip;
struct nv3_draw_state;
struct nv3_emit;
struct nv3_deferred;
struct nv3_timestamps;
struct nv3_intermediate;
struct nv3_shader_info;
struct nv3_vs_info;
struct vbuf_render;

/*
 * Flags for changed state. Each consumer (class 0x17, draw module, inner
 * context) has its own set of these flags.
 */
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
   /* The contents of a texture changed, but no state did. */
   NV3_NEW_TEXELS = 1 << 20,
   NV3_NEW_ALL = (1 << 21) - 1,
};

/* The shader stages that the screen offers. */
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
   bool samples;  /* has texture lookups, so the inner context draws */
};

struct nv3_fs {
   void *inner;
   struct nv3_shader_info *info;
};

struct nv3_view {
   struct pipe_sampler_view base;
   struct pipe_sampler_view *inner;  /* created on first use */
};

struct nv3_constants {
   struct pipe_constant_buffer cb;  /* as set, without user_buffer */
   uint8_t *copy;                   /* copy of a user buffer */
   unsigned copy_size;
};

struct nv3_counters {
   uint64_t chip_draws, module_draws, sw_blended_draws;
   uint64_t soft_draws, copied_draws;
   uint64_t chip_vertices, chip_triangles;
   uint64_t chip_clears, soft_clears, chip_copies;
   uint64_t textures, converted, presented;
};

struct nv3_context {
   struct pipe_context base;
   struct nv3_screen *screen;

   struct pipe_context *inner;
   uint32_t inner_dirty;
   bool inner_busy;  /* has drawn since the last nv3_inner_finish() */
   /*
    * For each colour buffer and depth: whether the inner context draws to the
    * render copy instead of the canonical copy.
    */
   bool inner_on_target[PIPE_MAX_COLOR_BUFS + 1];

   struct draw_context *draw;
   struct vbuf_render *render;
   struct nv3_emit *emit;
   struct nv3_translate *translate;
   struct nv3_draw_state *states;         /* one for each pass */
   struct nv3_draw_state *state;          /* of the current pass */
   const struct nv3_shader_info *shader;  /* that the states belong to */
   unsigned passes;
   bool passes_by_quad;  /* all passes of a quad precede the next quad */
   bool checks_vertices;  /* vertex colours decide if class 0x17 can draw */
   bool checked_draw;  /* nv3_translate_check() has accepted the draw */
   bool clamped_draw;  /* not drawn, for the reason NV3_CLAMPED */
   bool blends_in_sw;  /* the CPU blends from the intermediate target */
   bool joins_deferred;  /* blends_in_sw, though class 0x17 could blend */
   struct nv3_intermediate *intermediate;
   struct nv3_deferred *deferred;
   uint32_t dirty;
   uint32_t draw_dirty;                   /* NV3_NEW_* for the draw module */
   const char *reason;  /* why class 0x17 can't draw, or NULL */
   struct hash_table *reasons;  /* that NV3_DEBUG=fallback has printed */
   char factors[64];  /* a reason with the names of blend factors */
   struct set *shared;  /* resources to convert at the next flush */
   struct util_dynarray held;  /* references to textures (nv3_texture_hold) */

   struct nv3_chip *chip;
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
   struct nv3_timestamps *timestamps;  /* memory for timestamps (nv3_query.c) */
   unsigned pixel_queries;   /* active queries that count pixels */
   bool conditional;         /* a render condition is set */
};

static inline struct nv3_context *
nv3_context(struct pipe_context *pipe)
{
   return (struct nv3_context *)pipe;
}

#endif
