/* SPDX-License-Identifier: MIT */
/*
 * Declares the context of the backend for class 0x1f, which contains the
 * bound state and the batch under construction.
 *
 * A context has a channel with one object of class 0x1f. The kernel preserves
 * the object's state between the channel's batches, so the driver need not
 * emit all state again in a new batch.
 */
#ifndef NV3P_CONTEXT_H
#define NV3P_CONTEXT_H

#include "pipe/p_context.h"
#include "util/list.h"

#include "base/nv3p_screen.h"

struct blitter_context;
struct draw_context;
struct nv3p_query;
struct nv3p_shader;
struct nv3p_tnl;
struct nv3p_variant;

/* Flags for state that has changed since it was last emitted. */
enum {
   NV3P_NEW_BLEND = 1 << 0,  /* also the blend colour and the sample mask */
   NV3P_NEW_DSA = 1 << 1,    /* also the stencil reference values */
   NV3P_NEW_RASTERIZER = 1 << 2,  /* also the viewport and the scissor */
   NV3P_NEW_VS = 1 << 3,
   NV3P_NEW_FS = 1 << 4,
   NV3P_NEW_ARRAYS = 1 << 5,  /* vertex elements and buffers */
   NV3P_NEW_CONST_VS = 1 << 6,
   NV3P_NEW_CONST_FS = 1 << 7,
   NV3P_NEW_TEXTURES = 1 << 8,
   NV3P_NEW_FRAMEBUFFER = 1 << 9,
   NV3P_NEW_ALL = (1 << 10) - 1,
};

#define NV3P_ATTRIBUTES 16
#define NV3P_UNITS 16
#define NV3P_METHODS (0x2000 / 4)
#define NV3P_VP_CONSTANTS 512

struct nv3p_velems {
   unsigned count;
   struct pipe_vertex_element elements[NV3P_ATTRIBUTES];
};

/* A sampler view. It belongs to one context. */
struct nv3p_view {
   struct pipe_sampler_view base;
   /*
    * PIPE_SWIZZLE_*: for each component, the component of the texture unit's
    * result. Shaders apply this swizzle.
    */
   uint8_t swizzle[4];
   /*
    * The value of screen->serial when the context last invalidated the texels
    * of this texture
    */
   uint64_t seen;
};

/*
 * The value that was last emitted for each method, indexed by method / 4
 * (nv3p_emit.c).
 */
struct nv3p_emitted {
   uint32_t word[NV3P_METHODS];
   bool known[NV3P_METHODS];
};

/* Flags that describe how a batch uses a buffer. */
enum {
   NV3P_USE_READ = 1 << 0,
   NV3P_USE_WRITE = 1 << 1,
   /* the batch lists the buffer, so the kernel synchronizes accesses to it */
   NV3P_USE_LISTED = 1 << 2,
};

/* The contents of the vertex engine's memories (nv3p_program.c). */
struct nv3p_vp_memory {
   unsigned insns;       /* in use */
   uint32_t generation;  /* incremented when all programs are discarded */
   uint32_t constant[NV3P_VP_CONSTANTS][4];
   bool known[NV3P_VP_CONSTANTS];
};

/* The batch under construction (nv3p_batch.c). */
struct nv3p_batch {
   struct nv3_channel *chan;
   struct nv3_object *object;  /* of class 0x1f */
   struct nv3_pushbuf *push;
   unsigned words_max;
   uint32_t id;          /* increases with each batch */
   /* maps each buffer (nv3p_bo, with a reference) to its NV3P_USE_* flags */
   struct hash_table *bos;
   uint64_t vram;        /* size of the listed buffers that must be in VRAM */
   bool reads_unlisted;  /* the batch reads buffers not in its buffer list */
   enum pipe_reset_status reset;  /* status of a stopped channel */
   bool lost;            /* a stopped channel could not be replaced */
};

/* The textures of a stage. */
struct nv3p_textures {
   struct pipe_sampler_state *samplers[NV3P_UNITS];
   struct pipe_sampler_view *views[NV3P_UNITS];
};

struct nv3p_context {
   struct pipe_context base;
   struct nv3p_screen *screen;
   struct nv3p_batch batch;
   struct blitter_context *blitter;

   bool robust;          /* out-of-bounds reads must not stop the channel */
   struct pipe_device_reset_callback reset_callback;

   uint32_t dirty;       /* NV3P_NEW_* */
   uint32_t batch_seen;  /* batch.id when bound buffers were last listed */
   struct nv3p_emitted emitted;
   struct nv3p_vp_memory vp;
   struct nv3p_variant *vs_variant;
   struct nv3p_variant *fs_variant;
   unsigned fs_features;     /* NV3P_FS_*, see nv3p_update_fs() */
   bool window_coordinates;  /* vertices come from the draw module */
   /* NULL before the first use of the draw module */
   struct nv3p_tnl *tnl;
   struct draw_context *draw_module;

   /* For NV3_DEBUG=stats. @module_draws are those of the draw module. */
   uint64_t draws, module_draws;
   /* Bit i: NV3_DEBUG=fallback has printed reason i. */
   unsigned fallbacks_said;

   struct pipe_blend_state *blend;
   struct pipe_depth_stencil_alpha_state *dsa;
   struct pipe_rasterizer_state *rast;
   struct nv3p_shader *vs;
   struct nv3p_shader *fs;
   struct nv3p_velems *velems;
   struct pipe_vertex_buffer vbufs[NV3P_ATTRIBUTES];
   unsigned vbuf_count;
   /* The arrays are indexed by PIPE_SHADER_VERTEX or PIPE_SHADER_FRAGMENT. */
   struct pipe_constant_buffer constants[PIPE_SHADER_TYPES];
   struct nv3p_textures textures[PIPE_SHADER_TYPES];
   struct pipe_framebuffer_state fb;
   bool swaps_red_blue;  /* nv3p_swaps_red_blue() of the colour target */
   struct pipe_viewport_state viewport;
   struct pipe_scissor_state scissor;
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   unsigned sample_mask;

   /*
    * The polygon stipple, and its texture and sampler (nv3p_texture.c). The
    * view is NULL if it would be outdated.
    */
   struct pipe_poly_stipple stipple;
   struct pipe_sampler_view *stipple_view;
   struct pipe_sampler_state *stipple_sampler;

   /* The render condition (nv3p_query.c). */
   struct nv3p_query *condition;
   bool condition_value;
   enum pipe_render_cond_flag condition_mode;
   struct list_head active_queries;
};

static inline struct nv3p_context *
nv3p_context(struct pipe_context *pipe)
{
   return (struct nv3p_context *)pipe;
}

struct pipe_context *
nv3p_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

/* ---- batches (nv3p_batch.c) ---- */

/*
 * Opens the channel. Returns false on failure. The caller must call
 * nv3p_batch_fini() even on failure.
 */
bool
nv3p_batch_init(struct nv3p_context *ctx);
void
nv3p_batch_fini(struct nv3p_context *ctx);

/* The subchannel of the object of class 0x1f. */
#define NV3P_SUBCH 0

/*
 * Makes room for @words words, including headers, in the batch. The function
 * may flush the batch, so callers must afterwards call nv3p_batch_use() for
 * the buffers that these words use. Returns false if the context has lost its
 * channel.
 */
bool
nv3p_reserve(struct nv3p_context *ctx, unsigned words);

/* Adds @count consecutive methods, beginning with @method, to the batch. */
static inline void
nv3p_methods(struct nv3p_context *ctx, unsigned method, const uint32_t *words,
             unsigned count)
{
   nv3_push_begin(ctx->batch.push, NV3P_SUBCH, method, count);
   nv3_push_words(ctx->batch.push, words, count);
}

static inline void
nv3p_method(struct nv3p_context *ctx, unsigned method, uint32_t word)
{
   nv3p_methods(ctx, method, &word, 1);
}

/*
 * Adds @bo to the batch as a buffer that the batch reads and, if @write is set,
 * also writes.
 */
void
nv3p_batch_use(struct nv3p_context *ctx, struct nv3p_bo *bo, bool write);

/* Returns how the batch uses @bo, as NV3P_USE_* flags, or 0. */
unsigned
nv3p_batch_usage(const struct nv3p_context *ctx, const struct nv3p_bo *bo);

/*
 * Submits the batch. If @syncobj is not 0, it signals when the batch has
 * completed. Returns false if the batch is lost.
 */
bool
nv3p_flush(struct nv3p_context *ctx, uint32_t syncobj);

/*
 * Waits until the CPU may read @bo, or may read and write it if @write is set.
 * Flushes the batch first if the batch accesses @bo in a conflicting way. If
 * @wait is not set, returns false instead of waiting.
 */
bool
nv3p_bo_sync(struct nv3p_context *ctx, struct nv3p_bo *bo, bool write,
             bool wait);

/* ---- emission of state (nv3p_emit.c) ---- */

/*
 * The functions that emit methods require room in the batch (nv3p_reserve()),
 * and skip methods whose values the channel already has.
 */

/* The maximum number of words that nv3p_emit_draw_state() emits. */
#define NV3P_STATE_WORDS 8192

/*
 * Emits @count consecutive methods, beginning with @method, unless the
 * channel already has all @words. The methods must have no effect other than
 * to store their words.
 */
void
nv3p_emit_run(struct nv3p_context *ctx, unsigned method, const uint32_t *words,
              unsigned count);

static inline void
nv3p_emit(struct nv3p_context *ctx, unsigned method, uint32_t word)
{
   nv3p_emit_run(ctx, method, &word, 1);
}

/*
 * Emits a rectangle. @method sets x and width, and the next method sets y
 * and height.
 */
void
nv3p_emit_rect(struct nv3p_context *ctx, unsigned method, unsigned x0,
               unsigned y0, unsigned x1, unsigned y1);

/*
 * Makes the next draw emit all state. Must be called when the channel may have
 * lost state.
 */
void
nv3p_emit_all(struct nv3p_context *ctx);

/*
 * Moves the framebuffer's targets to VRAM. Flushes the batch if these targets
 * and the targets that the batch already lists do not fit into VRAM together.
 * Must be called before nv3p_reserve(). Returns false if memory is exhausted.
 */
bool
nv3p_prepare_targets(struct nv3p_context *ctx);

/* Emits the framebuffer and adds its buffers to the batch. */
void
nv3p_emit_framebuffer(struct nv3p_context *ctx);

/*
 * Marks the contents of the framebuffer's targets as changed. Must be called
 * after each draw and clear.
 */
void
nv3p_targets_written(struct nv3p_context *ctx);

/*
 * Returns the mask (1 << MESA_PRIM_*) of the types that the chip rasterizes for
 * primitives of type @prim: points, lines or triangles. For polygons, the types
 * depend on the polygon modes.
 */
unsigned
nv3p_rasterized_types(const struct pipe_rasterizer_state *rast,
                      enum mesa_prim prim);

/*
 * Emits the dirty state for a draw of primitives of type @prim. The caller
 * emits the vertex arrays.
 */
void
nv3p_emit_draw_state(struct nv3p_context *ctx, enum mesa_prim prim);

/*
 * Creates the texture of the polygon stipple, if necessary. Returns false if
 * memory is exhausted. (nv3p_texture.c)
 */
bool
nv3p_prepare_stipple(struct nv3p_context *ctx);

void
nv3p_emit_textures(struct nv3p_context *ctx);

/* ---- draws with the draw module (nv3p_tnl.c) ---- */

/*
 * The reasons why a draw needs vertices or primitives that Mesa's draw module
 * computes. The class lacks edge flags, stippled and smooth lines, and smooth
 * points. Its vertex programs are limited in size and in their textures. The
 * chip does not check the bounds of vertex buffers.
 */
enum nv3p_tnl_reason {
   NV3P_TNL_NONE,
   NV3P_TNL_LIMITS,
   NV3P_TNL_BOUNDS,
   NV3P_TNL_EDGE_FLAGS,
   NV3P_TNL_LINE_STIPPLE,
   NV3P_TNL_SMOOTH_LINES,
   NV3P_TNL_SMOOTH_POINTS,
};

/*
 * The viewport for the module's vertices extends from 0 to twice this value in
 * both directions.
 */
#define NV3P_COPY_SCALE 2048.0f

/*
 * Returns the reason why the bound state needs the draw module for primitives
 * of type @prim, or NV3P_TNL_NONE.
 */
enum nv3p_tnl_reason
nv3p_tnl_needed(const struct nv3p_context *ctx, enum mesa_prim prim);

void
nv3p_tnl_draw(struct nv3p_context *ctx, enum nv3p_tnl_reason reason,
              const struct pipe_draw_info *info, unsigned drawid_offset,
              const struct pipe_draw_start_count_bias *draws,
              unsigned num_draws);

void
nv3p_tnl_destroy(struct nv3p_context *ctx);

/* ---- state and other functions ---- */

/* Sets the dirty flags of all bound state that refers to @res's storage. */
void
nv3p_rebind(struct nv3p_context *ctx, struct nv3p_resource *res);

/* Deletes a state object that create_*_state() has allocated in one piece. */
void
nv3p_delete_state(struct pipe_context *pipe, void *state);

/*
 * Draws with the bound state, and with the shader variants that the caller has
 * selected for this state. (nv3p_draw.c)
 */
void
nv3p_draw(struct nv3p_context *ctx, const struct pipe_draw_info *info,
          const struct pipe_draw_start_count_bias *draw);

/* True if the render condition allows drawing. */
bool
nv3p_check_condition(struct nv3p_context *ctx);

void
nv3p_init_state(struct nv3p_context *ctx);
void
nv3p_init_texture(struct nv3p_context *ctx);
void
nv3p_init_program(struct nv3p_context *ctx);
void
nv3p_init_draw(struct nv3p_context *ctx);
void
nv3p_init_blit(struct nv3p_context *ctx);
void
nv3p_init_query(struct nv3p_context *ctx);

#endif
