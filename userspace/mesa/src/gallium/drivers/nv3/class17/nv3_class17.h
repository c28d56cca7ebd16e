/* SPDX-License-Identifier: MIT */
/*
 * Declares the screen and the contexts of the backend for class 0x17. Almost
 * every member of a context belongs to one source file, and only this file
 * allocates, changes and frees the member.
 */
#ifndef NV3_CLASS17_H
#define NV3_CLASS17_H

#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "pipe/p_state.h"
#include "util/list.h"

#include <nv3.h>

#include "base/nv3_screen.h"

struct disk_cache;
struct draw_context;
struct hash_table;
struct nv3_chip;
struct nv3_resource;
struct nv3_shader;
struct nv3_target;
struct nv3_texture;
struct set;
struct sw_winsys;
struct vbuf_render;

/*
 * Textures of class 0x17 are square, and their size is a power of two. Pitches
 * and offsets of surfaces are multiples of 16 bytes.
 */
#define NV3_TEXTURE_LEVELS 12
/* Only the inner screen supports 3D textures. */
#define NV3_TEXTURE_3D_LEVELS 9
#define NV3_SURFACE_MAX    2047
#define NV3_SURFACE_ALIGN  16

struct nv3_screen {
   struct pipe_screen base;

   int fd;
   struct nv3_device *dev;
   uint32_t debug;
   uint64_t vram;  /* bytes available for buffers */

   /* The inner screen (llvmpipe) and its winsys. */
   struct sw_winsys *ws;
   struct pipe_screen *inner;

   struct disk_cache *disk_cache;  /* may be NULL */
   uint32_t flushes;
};

static inline struct nv3_screen *
nv3_screen(struct pipe_screen *screen)
{
   return (struct nv3_screen *)screen;
}

/* The shader stages that the screen supports. */
enum {
   NV3_STAGE_VS,
   NV3_STAGE_FS,
   NV3_STAGES,
};

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
   struct draw_vertex_shader *draw;
   bool samples;  /* the shader reads textures, so the inner context draws */
};

struct nv3_fs {
   void *inner;
   struct nv3_shader *shader;
};

struct nv3_view {
   struct pipe_sampler_view base;
   struct pipe_sampler_view *inner;  /* created on first use */
};

/* The number of methods from NV3_D3D_TEX_OFFSET to NV3_D3D_ALPHA. */
#define NV3_D3D_STATE 6

/* The state of a draw, translated to class 0x17 (nv3_validate.c). */
struct nv3_draw_state {
   /* Arguments of the methods from NV3_D3D_TEX_OFFSET to NV3_D3D_ALPHA. */
   uint32_t words[NV3_D3D_STATE];
   struct nv3_object *d3d;  /* reads the texture */
   struct nv3_target *color, *zeta;
   struct nv3_resource *color_res, *zeta_res;  /* resources that are drawn to */

   const struct nv3_shader *shader;
   bool flat;           /* flat shading */
   bool uses_alpha;     /* blending or the alpha test depends on alpha */
   bool opaque;         /* class 0x17 requires vertices with an alpha of 1 */
   bool blends;         /* colours are blended with alpha */
   bool clamps[4];      /* components that GL clamps before interpolation, as
                         * the chip does */

   /*
    * Scale and bias that convert texture coordinates to the chip's
    * coordinates, and the maximum absolute value of the chip's coordinates.
    */
   float coord_scale[2], coord_bias[2], coord_limit[2];
   /* period of the texture, or 0 if the coordinate is clamped */
   uint8_t coord_period[2];
};

/* Counters that NV3_DEBUG=stats prints. */
struct nv3_counters {
   uint64_t chip_draws, soft_draws, chip_triangles;
   uint64_t chip_clears, soft_clears;
   uint64_t textures, converted;
};

struct nv3_context {
   struct pipe_context base;
   struct nv3_screen *screen;
   struct nv3_chip *chip;
   struct nv3_counters count;

   /* The inner context (nv3_inner.c). */
   struct pipe_context *inner;
   bool inner_busy;  /* has drawn since the last nv3_inner_finish() */
   bool inner_fb_dirty;
   /*
    * For each colour buffer and for depth: true if the inner context draws to
    * the render copy, false if it draws to the canonical copy.
    */
   bool inner_on_target[PIPE_MAX_COLOR_BUFS + 1];
   struct hash_table *reasons; /* reasons that NV3_DEBUG=fallback has printed */

   /* Draws by class 0x17. */
   struct draw_context *draw;
   struct vbuf_render *render;
   struct nv3_draw_state state;
   bool dirty;          /* the state must be validated again */
   const char *reason;  /* why class 0x17 can't draw, or NULL */

   /* nv3_texture.c: textures, the most recently used first. */
   struct list_head textures;
   unsigned texture_count;
   uint64_t texture_bytes;
   struct nv3_texture *white;

   struct set *shared;  /* resources to convert at the next flush */

   struct nv3_blend *blend;
   struct nv3_dsa *dsa;
   struct nv3_rasterizer *rast;
   struct nv3_vs *vs;
   struct nv3_fs *fs;
   struct nv3_velems *velems;
   struct pipe_vertex_buffer vertex_buffers[PIPE_MAX_ATTRIBS];
   unsigned vertex_buffer_count;
   struct pipe_constant_buffer constants[NV3_STAGES];
   struct nv3_sampler *samplers[PIPE_MAX_SAMPLERS];  /* of fragment shaders */
   struct pipe_sampler_view *views[NV3_STAGES][PIPE_MAX_SHADER_SAMPLER_VIEWS];
   unsigned view_count[NV3_STAGES];
   struct pipe_framebuffer_state fb;
   struct pipe_viewport_state viewport;
   struct pipe_scissor_state scissor;
   unsigned pixel_queries;   /* active queries that count pixels */
   bool conditional;         /* a render condition is set */
};

static inline struct nv3_context *
nv3_context(struct pipe_context *pipe)
{
   return (struct nv3_context *)pipe;
}

struct pipe_context *
nv3_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

/*
 * Each function initializes the members of a context that belong to the
 * function's file, and sets the pipe_context functions that this file
 * implements.
 */
void
nv3_init_state(struct nv3_context *ctx);
void
nv3_init_query(struct nv3_context *ctx);
void
nv3_init_transfer(struct nv3_context *ctx);
void
nv3_init_clear(struct nv3_context *ctx);
void
nv3_init_copy(struct nv3_context *ctx);
/* Returns false if memory is exhausted. */
bool
nv3_init_draw(struct nv3_context *ctx);

/* ---- the steps of a draw by class 0x17 (nv3_validate.c, nv3_render.c) ---- */

/*
 * Translates the pipe state to ctx->state. Returns NULL, or the reason why
 * class 0x17 can't draw.
 */
const char *
nv3_validate(struct nv3_context *ctx);

/*
 * Updates the render copies of ctx->state.color_res and zeta_res, and stores
 * them in ctx->state.color and zeta. Returns false if memory is exhausted.
 */
bool
nv3_validate_targets(struct nv3_context *ctx);

/* Creates the draw module's back end. Returns NULL if memory is exhausted. */
struct vbuf_render *
nv3_render_create(struct nv3_context *ctx);

/*
 * Begins a draw with ctx->state. The back end collects primitives until
 * nv3_render_end(). Returns false if memory is exhausted.
 */
bool
nv3_render_begin(struct nv3_context *ctx);

/*
 * Returns NULL, or the reason why class 0x17 can't draw the collected
 * primitives. Unlike nv3_validate(), this function checks the vertices.
 */
const char *
nv3_render_refuse(struct nv3_context *ctx);

/*
 * Sends the collected primitives to the chip. Returns false if memory is
 * exhausted.
 */
bool
nv3_render_end(struct nv3_context *ctx);

#endif
