/* SPDX-License-Identifier: MIT */
/*
 * Declares the backend for class 0x17. The screen and the contexts are
 * llvmpipe's, with some functions replaced. Resources, state objects, state,
 * queries and fences are therefore llvmpipe's, too. This backend adds a
 * channel to each context, and draws with class 0x17 where possible.
 */
#ifndef NV3_CLASS17_H
#define NV3_CLASS17_H

#include "compiler/nir/nir.h"
#include "draw/draw_pipe.h"
#include "llvmpipe/lp_context.h"
#include "llvmpipe/lp_screen.h"
#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "frontend/sw_winsys.h"
#include "util/list.h"
#include "util/u_dynarray.h"

#include <nv3.h>

#include "base/nv3_screen.h"

struct disk_cache;
struct hash_table;
struct set;

/* The maximum number of levels of 2D textures, for the chip and llvmpipe. */
#define NV3_TEXTURE_LEVELS 12
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
   uint32_t last_version;  /* of textures, accessed atomically */
   struct disk_cache *disk_cache;  /* may be NULL */
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
   NV3_SUBCH_CLIP,
   NV3_SUBCH_SURFACE,
};

/* The raster operation that copies the source. */
#define NV3_OPERATION_COPY 0x17

/* The surface slot for colour. */
#define NV3_COLOR_SLOT     0

/* The arguments of the methods from NV3_D3D_TEX_OFFSET to NV3_D3D_ALPHA. */
enum {
   NV3_WORD_OFFSET,
   NV3_WORD_FORMAT,
   NV3_WORD_FILTER,
   NV3_WORD_FOG_COLOR,
   NV3_WORD_CONFIG,
   NV3_WORD_ALPHA,
   NV3_WORDS,
};

/*
 * An analysed fragment shader. If class 0x17 can execute the shader, each
 * component of the colour is a component of the texel, multiplied by a factor
 * that is affine in the varyings:
 *
 *   out[c] = texel[swizzle[c]] * color[c]
 *
 * Afterwards, the shader may apply fog. The driver computes the factors for
 * each vertex, by evaluating the shader's NIR with all components of the texel
 * set to 1.
 */
struct nv3_shader {
   const char *reason;  /* why class 0x17 can't execute the shader, or NULL */
   nir_shader *nir;

   nir_scalar color[4];

   const nir_tex_instr *tex;  /* NULL without a texture */
   uint8_t swizzle[4];        /* PIPE_SWIZZLE_X to _W, or _1 */
   nir_scalar coord[2];
   bool projective;           /* the coordinates are divided by q */
   nir_scalar q;

   bool fogged;
   nir_scalar fog;            /* factor of the colour: 1 means no fog */
   nir_scalar fog_color[3];   /* uniform */
};

/* The inputs of a shader. Uniforms beyond @size are 0. */
struct nv3_shader_inputs {
   const uint8_t *uniforms;
   unsigned size;  /* of @uniforms in bytes */
   /* Four floats for each varying, indexed by driver_location. */
   const float *varyings[PIPE_MAX_SHADER_INPUTS];
};

/* The state of a draw, translated to class 0x17 (nv3_validate.c). */
struct nv3_draw_state {
   uint32_t words[NV3_WORDS];
   struct nv3_object *d3d;           /* reads the texture */
   const struct nv3_shader *shader;
   struct nv3_shader_inputs inputs;  /* uniforms, and varyings of a vertex */

   bool zeta;       /* the draw uses the depth buffer */
   bool blends;     /* alpha is a factor of the blend */
   bool uses_alpha; /* a blend or an alpha test uses alpha */
   /*
    * If not 0: the draw has an alpha test, but no blending, and the smallest
    * 8-bit alpha that passes is @threshold.
    */
   uint16_t threshold;

   /*
    * Scale and bias that convert texture coordinates to the chip's
    * coordinates, and the maximum absolute value of the chip's coordinates.
    */
   float coord_scale[2], coord_bias[2], coord_limit[2];
   bool coord_repeats[2];  /* the texture repeats with a period of 1 */
};

/* The last stage of the draw module's pipeline (nv3_render.c). */
struct nv3_render {
   struct draw_stage base;
   struct draw_stage *flatshade;  /* the preceding stage */
   struct nv3_context *ctx;

   /* Outputs of the vertex shader: the position, and each varying or -1. */
   int position, outputs[PIPE_MAX_SHADER_INPUTS];
   unsigned varying_count;

   struct util_dynarray triangles;  /* converted vertices */
   const char *reason;  /* why class 0x17 can't draw the triangles, or NULL */
};

/* A ralloc context for the context's hash tables, shaders and arrays. */
struct nv3_context {
   struct pipe_context *pipe;  /* llvmpipe's context */
   struct pipe_context soft;   /* llvmpipe's functions before replacement */
   struct nv3_screen *screen;

   uint64_t chip_draws, soft_draws, conversions;  /* for NV3_DEBUG=stats */
   struct set *reasons;  /* the reasons printed for NV3_DEBUG=fallback */

   /* llvmpipe is executing a blit by calling functions of this context. */
   bool blits;

   /* nv3_target.c: the channel and the render copies. */
   struct nv3_channel *chan;
   struct nv3_pushbuf *push;
   struct nv3_object *clip;
   bool lost;  /* the channel has stopped, or has lost a batch */
   struct nv3_target targets[NV3_TARGETS];

   struct nv3_draw_state state;
   struct nv3_render render;

   /* nv3_texture.c */
   struct list_head textures;
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

/* ---- the channel and the render copies (nv3_target.c) ---- */

/*
 * Opens the channel of a context. Returns false on failure. The caller must
 * call nv3_chip_fini() even on failure.
 */
bool nv3_chip_init(struct nv3_context *ctx);
/* Frees the channel and the render copies, without converting them. */
void nv3_chip_fini(struct nv3_context *ctx);

/*
 * Must be called if a batch is lost, with the errno. llvmpipe then executes all
 * further draws.
 */
void nv3_chip_lose(struct nv3_context *ctx, int error);

/*
 * Submits the pushed methods, and waits until the chip has executed them or the
 * batch is lost.
 */
void nv3_chip_finish(struct nv3_context *ctx);

/* True if a buffer with @format can have a render copy. */
bool nv3_can_convert(enum pipe_format format);

/* Returns the framebuffer's surface, or NULL. @which: NV3_COLOR or NV3_ZETA. */
struct pipe_surface *
nv3_target_surface(const struct nv3_context *ctx, unsigned which);

/*
 * Returns NULL if the chip can draw to the framebuffer, or the reason why it
 * can't.
 */
const char *nv3_targets_refuse(struct nv3_context *ctx);

/*
 * Creates and selects render copies of the framebuffer's size, unless they
 * exist. Converts the resources to those render copies that ctx->state needs,
 * unless they are valid. Returns false if memory is exhausted or a batch is
 * lost. The caller must then draw with llvmpipe.
 */
bool nv3_targets_prepare(struct nv3_context *ctx);

/*
 * Converts render copies that are newer back to the resources, and makes the
 * render copies invalid. Must be called before anything else accesses the
 * resources. Returns false if memory is exhausted. The resource then lacks
 * draws by the chip, and the render copy remains valid.
 */
bool nv3_targets_release(struct nv3_context *ctx);

/* ---- fragment shaders (nv3_shader.c) ---- */

/*
 * Analyses a copy of @nir. If class 0x17 can't execute the shader, sets the
 * result's reason. Returns NULL only if memory is exhausted.
 */
struct nv3_shader *nv3_shader_create(void *mem_ctx, const nir_shader *nir);

/*
 * Computes the value of @s in an analysed shader. Uniform values do not need
 * varyings in @inputs.
 */
float nv3_shader_value(const struct nv3_shader_inputs *inputs, nir_scalar s);

/* ---- textures (nv3_texture.c) ---- */

/*
 * Translates the texture of a draw to ctx->state. Copies the texture if there
 * is no copy of its current version. Returns NULL, or the reason why class 0x17
 * can't draw. ctx->state.d3d is valid until the next call.
 */
const char *nv3_texture_validate(struct nv3_context *ctx);

/*
 * Makes the copies of the texture @resource in all contexts outdated. Must be
 * called after each change of the contents.
 */
void
nv3_texture_changed(struct nv3_screen *screen, struct pipe_resource *resource);

/* Frees all textures of a context. */
void nv3_texture_fini(struct nv3_context *ctx);

/* ---- draws (nv3_validate.c, nv3_render.c) ---- */

/*
 * Translates the state of a draw to ctx->state. Returns NULL, or the reason why
 * class 0x17 can't draw.
 */
const char *
nv3_validate(struct nv3_context *ctx, const struct pipe_draw_info *info);

/* Returns false if memory is exhausted. */
bool nv3_render_init(struct nv3_context *ctx);

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
