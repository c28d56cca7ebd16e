/* SPDX-License-Identifier: MIT */
/*
 * Declares the backend for class 0x17. The screen and the contexts are
 * llvmpipe's, with some functions replaced. Resources, state objects, state,
 * queries and fences are therefore llvmpipe's, too. This backend adds a
 * channel to each context, and draws with class 0x17 where possible.
 */
#ifndef NV3_CLASS17_H
#define NV3_CLASS17_H

#include "llvmpipe/lp_context.h"
#include "llvmpipe/lp_screen.h"
#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "frontend/sw_winsys.h"
#include "util/list.h"
#include "util/simple_mtx.h"

#include <nv3.h>

#include "base/nv3_screen.h"

struct disk_cache;
struct hash_table;
struct nv3_render;
struct nv3_shader;
struct set;

/* The maximum number of levels of 2D textures, for the chip and llvmpipe. */
#define NV3_TEXTURE_LEVELS 12
/* The maximum number of levels of 3D textures. Only llvmpipe supports these. */
#define NV3_TEXTURE_3D_LEVELS 9
/* The maximum width and height of surfaces. */
#define NV3_SURFACE_MAX    2047

/*
 * The winsys of the llvmpipe screen, and this backend's data. The pipe_screen
 * itself is a struct llvmpipe_screen.
 */
struct nv3_screen {
   struct sw_winsys winsys;
   struct pipe_screen soft;  /* llvmpipe's functions before replacement */

   int fd;
   struct nv3_device *dev;
   uint32_t debug;
   uint64_t vram;  /* bytes of VRAM that surfaces can occupy */
   struct disk_cache *disk_cache;  /* may be NULL */

   /* The versions of textures, guarded by @lock (nv3_texture.c). */
   simple_mtx_t lock;
   struct hash_table *versions;
   uintptr_t last_version;
};

static inline struct nv3_screen *
nv3_screen(struct pipe_screen *screen)
{
   return (struct nv3_screen *)llvmpipe_screen(screen)->winsys;
}

/*
 * The render copy of the framebuffer's colour or depth buffer, in the format
 * X1R5G5B5 or Y16. The "resource" below is the buffer itself. The render copy
 * has the size of the framebuffer, and is in VRAM while the chip draws to it.
 */
struct nv3_target {
   struct nv3_bo *bo;
   void *map;
   unsigned pitch, width, height;
   bool valid;  /* has the contents of the resource, or newer contents */
   bool newer;  /* has newer contents than the resource */
};

enum {
   NV3_COLOR,
   NV3_ZETA,
   NV3_TARGETS,
};

enum {
   NV3_SUBCH_D3D,
   NV3_SUBCH_RECT,
   NV3_SUBCH_ZETA_RECT,
   NV3_SUBCH_CLIP,
   NV3_SUBCH_SURFACE,
};

/* The raster operation that copies the source. */
#define NV3_OPERATION_COPY 0x17

/* The surface slots for colour and depth. */
enum {
   NV3_SLOT_COLOR = 0,
   NV3_SLOT_ZETA = DRM_NV3_SURFACE_ZETA,
};

/* The number of methods from NV3_D3D_TEX_OFFSET to NV3_D3D_ALPHA. */
#define NV3_D3D_STATE 6

/* The state of a draw, translated to class 0x17 (nv3_validate.c). */
struct nv3_draw_state {
   /* Arguments of the methods from NV3_D3D_TEX_OFFSET to NV3_D3D_ALPHA. */
   uint32_t words[NV3_D3D_STATE];
   struct nv3_object *d3d;  /* reads the texture */

   bool zeta;       /* the draw uses the depth buffer */
   bool flat;       /* flat shading */
   bool blends;     /* alpha is a factor of the blend */
   bool uses_alpha; /* a blend or an alpha test uses alpha */
   /*
    * If not 0: the draw has an alpha test, but no blending, and the smallest
    * 8-bit alpha that passes is @threshold.
    */
   uint16_t threshold;

   const uint8_t *constants;  /* uniforms of the fragment shader, or NULL */
   unsigned constants_size;   /* in bytes */

   /*
    * Scale and bias that convert texture coordinates to the chip's
    * coordinates, and the maximum absolute value of the chip's coordinates.
    */
   float coord_scale[2], coord_bias[2], coord_limit[2];
   bool coord_repeats[2];  /* the texture repeats with a period of 1 */
};

/*
 * Counters that NV3_DEBUG=stats prints. @textures and @converted: copies of
 * textures and conversions of render copies.
 */
struct nv3_counters {
   uint64_t chip_draws, soft_draws, chip_triangles;
   uint64_t textures, converted;
};

struct nv3_context {
   struct pipe_context *pipe;  /* llvmpipe's context */
   struct pipe_context soft;   /* llvmpipe's functions before replacement */
   struct nv3_screen *screen;
   struct nv3_counters count;
   struct set *reasons;  /* the reasons printed for NV3_DEBUG=fallback */

   /* llvmpipe is executing a blit by calling functions of this context. */
   bool blits;
   /*
    * llvmpipe has drawn to the framebuffer since the last flush or change of
    * the framebuffer.
    */
   bool soft_drawn;

   /* The channel (nv3_chip.c). */
   struct nv3_channel *chan;
   struct nv3_pushbuf *push;
   struct nv3_object *rect, *zeta_rect, *clip;
   bool lost;  /* the channel has stopped, or has lost a batch */

   struct nv3_target targets[NV3_TARGETS];

   struct nv3_draw_state state;
   struct nv3_render *render;

   /* nv3_texture.c: textures, the most recently used first. */
   struct list_head textures;
   unsigned texture_count;
   uint64_t texture_bytes;

   struct hash_table *shaders;  /* nv3_shader by llvmpipe's fragment shader */
   struct nv3_shader *shader;   /* the bound shader, or NULL */
};

static inline struct nv3_context *
nv3_context(struct pipe_context *pipe)
{
   return pipe->priv;
}

/* For pipe_screen.context_create. Returns NULL on failure. */
struct pipe_context *
nv3_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

/* ---- the channel (nv3_chip.c) ---- */

/*
 * Opens the channel of a context. Returns false on failure. The caller must
 * call nv3_chip_fini() even on failure.
 */
bool
nv3_chip_init(struct nv3_context *ctx);
void
nv3_chip_fini(struct nv3_context *ctx);

/*
 * Submits the pushed methods. If the batch is lost, sets ctx->lost and returns
 * false. llvmpipe then executes all further draws.
 */
bool
nv3_chip_flush(struct nv3_context *ctx);

/*
 * Submits the pushed methods, and waits until the chip has executed them or the
 * batch is lost.
 */
void
nv3_chip_finish(struct nv3_context *ctx);

/*
 * Fills the selected surface for colour or depth (@zeta) with @value, a pixel
 * in the format of the surface. Returns false if the batch has no room and
 * can't be submitted.
 */
bool
nv3_chip_fill(struct nv3_context *ctx, bool zeta, uint16_t value);

/* ---- render copies (nv3_target.c) ---- */

/* True if a buffer with @format can have a render copy. */
bool
nv3_can_convert(enum pipe_format format);

/*
 * Returns NULL if the chip can draw to the framebuffer, or the reason why it
 * can't.
 */
const char *
nv3_targets_refuse(struct nv3_context *ctx);

/*
 * Creates and selects render copies of the framebuffer's size, unless they
 * exist. Does not initialize their contents. Returns false if memory is
 * exhausted. The caller must then draw with llvmpipe.
 */
bool
nv3_targets_create(struct nv3_context *ctx);

/*
 * Converts the resource to the render copy, unless the render copy is valid.
 * @which: NV3_COLOR or NV3_ZETA. Returns false if memory is exhausted.
 */
bool
nv3_target_load(struct nv3_context *ctx, unsigned which);

/*
 * Converts render copies that are newer back to the resources. If memory is
 * exhausted, the resources lack the draws by the chip.
 */
void
nv3_targets_store(struct nv3_context *ctx);

/*
 * Calls nv3_targets_store() and makes the render copies invalid. Must be called
 * before llvmpipe draws to the framebuffer.
 */
void
nv3_targets_discard(struct nv3_context *ctx);

/* Frees the render copies, without converting them to the resources. */
void
nv3_targets_fini(struct nv3_context *ctx);

/* ---- textures (nv3_texture.c) ---- */

/*
 * Identifies a copy of a texture. Padding must be 0, because memcmp() compares
 * keys.
 */
struct nv3_texture_key {
   uintptr_t version;  /* of the resource, or 0 */
   uint16_t format;    /* of the view */
   uint8_t swizzle[4];
   uint8_t wrap[2];    /* NV3_D3D_WRAP_* */
   uint8_t first_level, last_level, layer;
   uint16_t threshold; /* if not 0: alphas below it become 0, others 1 */
};

struct nv3_texture {
   struct list_head link;
   struct nv3_texture_key key;
   struct nv3_bo *bo;
   /*
    * Objects of class 0x17 that read the texture: [0] draws without depth,
    * [1] with depth. NULL before the first use.
    */
   struct nv3_object *d3d[2];
   uint64_t size;
   uint8_t format;   /* NV3_D3D_TEX_* */
   uint8_t log2, log2_min;  /* of the largest and smallest level's size */
   float scale[2];   /* of coordinates, because the texture may be padded */
};

/*
 * Sets *@out to the context's copy of the texture for @view and @key. Creates
 * the copy if there is none for the current version of the texture. Creates the
 * copy's object d3d[@zeta] if it is NULL.
 *
 * The caller sets the levels, the swizzle, the wrap modes and the threshold of
 * @key. The levels and the swizzle are relative to the view. The function makes
 * them relative to the resource, and sets the other members of @key.
 *
 * If @view is NULL, the texture is one white texel, because class 0x17 can't
 * draw without a texture. The function then does not change @key.
 *
 * Returns NULL, or the reason why class 0x17 can't use the texture. The context
 * owns *@out, which is valid until the next call.
 */
const char *
nv3_texture_get(struct nv3_context *ctx, struct pipe_sampler_view *view,
                struct nv3_texture_key *key, bool zeta,
                const struct nv3_texture **out);

/*
 * Makes the copies of the texture @resource in all contexts outdated. Must be
 * called after each change of the contents, and before the resource is freed.
 */
void
nv3_texture_changed(struct nv3_screen *screen, struct pipe_resource *resource);

/*
 * Makes the copies of all shared textures outdated, because other processes may
 * have changed the textures.
 */
void
nv3_textures_shared_changed(struct nv3_screen *screen);

/* Frees all textures of a context. */
void
nv3_texture_fini(struct nv3_context *ctx);

/* ---- draws (nv3_validate.c, nv3_render.c) ---- */

/*
 * Translates the state of a draw to ctx->state. Returns NULL, or the reason why
 * class 0x17 can't draw.
 */
const char *
nv3_validate(struct nv3_context *ctx, const struct pipe_draw_info *info,
             const struct pipe_draw_indirect_info *indirect);

/* Returns NULL if memory is exhausted. */
struct nv3_render *
nv3_render_create(struct nv3_context *ctx);
void
nv3_render_destroy(struct nv3_render *render);

/*
 * Draws with ctx->state, after nv3_validate() has returned NULL. Returns NULL,
 * or the reason why class 0x17 can't draw. The reason can depend on the
 * vertices, which nv3_validate() does not check.
 */
const char *
nv3_render_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
                unsigned drawid_offset,
                const struct pipe_draw_start_count_bias *draws,
                unsigned num_draws);

#endif
