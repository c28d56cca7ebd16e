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
struct nv3p_blend;
struct nv3p_dsa;
struct nv3p_query;
struct nv3p_rasterizer;
struct nv3p_sampler;
struct nv3p_shader;
struct nv3p_stipple;
struct nv3p_tnl;
struct nv3p_velems;
struct nv3p_variant;

/* Flags for state that has changed since it was last emitted. */
enum {
   NV3P_NEW_BLEND = 1 << 0,
   NV3P_NEW_DSA = 1 << 1,
   NV3P_NEW_RASTERIZER = 1 << 2,
   NV3P_NEW_VS = 1 << 3,
   NV3P_NEW_FS = 1 << 4,
   NV3P_NEW_VELEMS = 1 << 5,
   NV3P_NEW_VBUFS = 1 << 6,
   NV3P_NEW_CONST_VS = 1 << 7,
   NV3P_NEW_CONST_FS = 1 << 8,
   NV3P_NEW_TEXTURES = 1 << 9,
   NV3P_NEW_FRAMEBUFFER = 1 << 10,
   NV3P_NEW_VIEWPORT = 1 << 11,
   NV3P_NEW_SCISSOR = 1 << 12,
   NV3P_NEW_BLEND_COLOR = 1 << 13,
   NV3P_NEW_STENCIL_REF = 1 << 14,
   NV3P_NEW_SAMPLE_MASK = 1 << 15,
   NV3P_NEW_ALL = (1 << 16) - 1,
};

enum {
   NV3P_STAGE_VS,
   NV3P_STAGE_FS,
   NV3P_STAGES,
};

#define NV3P_ATTRIBUTES 16
#define NV3P_UNITS 16
#define NV3P_METHODS (0x2000 / 4)
#define NV3P_VP_CONSTANTS 512

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
   struct nv3p_sampler *samplers[NV3P_UNITS];
   unsigned sampler_count;
   struct pipe_sampler_view *views[NV3P_UNITS];
   unsigned view_count;
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
   struct draw_context *draw_module;  /* tnl->draw */
   /*
    * Draws with the bound state and with the shader variants that the caller
    * has selected for this state.
    */
   void (*draw)(struct nv3p_context *ctx, const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *draw);
   struct nv3p_stipple *polygon_stipple;  /* NULL before the first use */

   /* For NV3_DEBUG=stats. @module_draws are those of the draw module. */
   uint64_t draws, module_draws;
   /* Bit i: NV3_DEBUG=fallback has printed reason i. */
   unsigned fallbacks_said;

   struct nv3p_blend *blend;
   struct nv3p_dsa *dsa;
   struct nv3p_rasterizer *rast;
   struct nv3p_shader *vs;
   struct nv3p_shader *fs;
   struct nv3p_velems *velems;
   struct pipe_vertex_buffer vbufs[NV3P_ATTRIBUTES];
   unsigned vbuf_count;
   struct pipe_constant_buffer constants[NV3P_STAGES];
   struct nv3p_textures textures[NV3P_STAGES];
   struct pipe_framebuffer_state fb;
   bool swaps_red_blue;  /* nv3p_swaps_red_blue() of the colour target */
   struct pipe_viewport_state viewport;
   struct pipe_scissor_state scissor;
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   struct pipe_poly_stipple stipple;
   bool stipple_changed;  /* the stipple's texture is outdated */
   unsigned sample_mask;

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

/* ---- state and other functions ---- */

/* Sets the dirty flags of all bound state that refers to @res's storage. */
void
nv3p_rebind(struct nv3p_context *ctx, struct nv3p_resource *res);

void
nv3p_init_state(struct nv3p_context *ctx);
void
nv3p_init_texture(struct nv3p_context *ctx);
void
nv3p_init_program(struct nv3p_context *ctx);
void
nv3p_init_draw(struct nv3p_context *ctx);
void
nv3p_init_clear(struct nv3p_context *ctx);
void
nv3p_init_blit(struct nv3p_context *ctx);
void
nv3p_init_query(struct nv3p_context *ctx);

/* True if the render condition allows drawing. */
bool
nv3p_check_condition(struct nv3p_context *ctx);

#endif
