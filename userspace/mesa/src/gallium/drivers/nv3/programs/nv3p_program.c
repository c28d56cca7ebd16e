/* SPDX-License-Identifier: MIT */
/*
 * Manages shaders, their variants, and their constants.
 *
 * Vertex programs and their constants are in the vertex engine's memories.
 * Program memory holds several programs. If a new program does not fit, the
 * driver discards all programs in program memory. Fragment programs are in
 * buffers and contain their constants. If a uniform changes, the driver
 * therefore writes a new copy of each program that uses the uniform.
 */
#include "draw/draw_context.h"
#include "nir/tgsi_to_nir.h"
#include "util/format/u_format.h"
#include "util/log.h"
#include "util/ralloc.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

#include "base/nv3_screen.h"
#include "programs/nv3p_methods.h"
#include "programs/nv3p_program.h"

#define RUN_WORDS 32  /* words of TRANSFORM_PROGRAM and TRANSFORM_CONSTANT */
#define FS_ALIGN 64

/*
 * The maximum number of variants of a shader for different values of loop
 * uniforms.
 */
#define INLINED_MAX 32

/* ---- shaders ---- */

static void *
nv3p_create_shader(struct pipe_context *pipe,
                   const struct pipe_shader_state *state)
{
   struct nv3p_shader *shader = CALLOC_STRUCT(nv3p_shader);

   if (!shader)
      return NULL;
   if (state->type == PIPE_SHADER_IR_TGSI) {
      shader->nir = tgsi_to_nir(state->tokens, pipe->screen, false);
      nv3c_finalize_nir(shader->nir);
   } else {
      shader->nir = state->ir.nir;
   }
   shader->has_textures = !BITSET_IS_EMPTY(shader->nir->info.textures_used);
   nv3p_nir_find_w(shader);
   shader->loop_count = nv3c_find_loop_uniforms(shader->nir,
                                                shader->loop_floats);
   return shader;
}

static void
delete_variant(struct nv3p_context *ctx, struct nv3p_variant *variant,
               gl_shader_stage stage)
{
   if (ctx->vs_variant == variant)
      ctx->vs_variant = NULL;
   if (ctx->fs_variant == variant)
      ctx->fs_variant = NULL;
   nv3c_finish(stage == MESA_SHADER_VERTEX ? &variant->vs : &variant->fs);
   pipe_resource_reference(&variant->buffer, NULL);
   FREE(variant->values);
   FREE(variant);
}

static void
nv3p_delete_shader(struct pipe_context *pipe, void *state)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_shader *shader = state;

   if (shader->draw) {
      /*
       * Unbind the shader, because the draw module would otherwise use it after
       * it has been freed.
       */
      draw_bind_vertex_shader(ctx->draw_module, NULL);
      draw_delete_vertex_shader(ctx->draw_module, shader->draw);
   }
   while (shader->variants) {
      struct nv3p_variant *variant = shader->variants;

      shader->variants = variant->next;
      delete_variant(ctx, variant, shader->nir->info.stage);
   }
   ralloc_free(shader->nir);
   FREE(shader);
}

static void
report(const struct nv3p_context *ctx, const struct nir_shader *nir,
       const char *error, bool bounded_loops, const struct nv3c_stats *stats)
{
   const char *stage = _mesa_shader_stage_to_abbrev(nir->info.stage);
   const char *name = nir->info.name ? nir->info.name : "shader";

   if (error)
      mesa_loge("nv3: %s %s can't be compiled: %s", stage, name, error);
   else if (bounded_loops && nir->info.stage == MESA_SHADER_FRAGMENT)
      mesa_logw("nv3: %s %s: a loop ends after as many iterations as fit into "
                "a program", stage, name);
   if (!error && ctx->screen->debug & NV3_DEBUG_SHADER)
      mesa_logi("nv3: %s %s: %u instructions, %u registers, %u constants, "
                "%u immediates, %u textures", stage, name, stats->instructions,
                stats->registers, stats->constants, stats->immediates,
                stats->textures);
}

/* ---- variants ---- */

static void
compile_fs(struct nv3p_context *ctx, struct nir_shader *nir,
           struct nv3p_variant *variant)
{
   nv3p_nir_lower_fs(nir, variant);
   variant->ok = nv3c_compile(nir, NULL, &variant->fs);
   report(ctx, nir, variant->fs.error, variant->fs.bounded_loops,
          &variant->fs.stats);
   if (variant->ok && ctx->screen->debug & NV3_DEBUG_FS)
      nv3c_print(stderr, &variant->fs);
   variant->values = CALLOC(4 * variant->fs.constant_count + 1,
                            sizeof(*variant->values));
   variant->ok &= variant->values != NULL;
}

static void
compile_vs(struct nv3p_context *ctx, struct nir_shader *nir,
           struct nv3p_variant *variant)
{
   variant->ok = nv3c_compile(nir, variant->key.texcoord, &variant->vs);
   report(ctx, nir, variant->vs.error, variant->vs.bounded_loops,
          &variant->vs.stats);
   if (variant->ok && ctx->screen->debug & NV3_DEBUG_VS)
      nv3c_print(stderr, &variant->vs);
}

static void
compile(struct nv3p_context *ctx, struct nv3p_shader *shader,
        struct nv3p_variant *variant)
{
   const struct nv3p_key *key = &variant->key;
   struct nir_shader *nir = nir_shader_clone(NULL, shader->nir);
   struct nir_lower_tex_options options = {
      .swizzle_result = 0xffff,
      .lower_txp = key->rect ? ~0 : 0,
   };

   if (key->inlined_count) {
      shader->loop_variants++;
      nv3c_inline_uniforms(nir, key->inlined_count, shader->loop_floats,
                           key->inlined);
   }
   if (key->ones)
      nv3p_nir_set_w(nir, &key->ones);
   memcpy(options.swizzles, key->swizzle, sizeof(key->swizzle));
   NIR_PASS(_, nir, nir_lower_tex, &options);
   if (nir->info.stage == MESA_SHADER_VERTEX)
      compile_vs(ctx, nir, variant);
   else
      compile_fs(ctx, nir, variant);
   ralloc_free(nir);
}

/*
 * Copies the current values of the loop uniforms to @key, unless the shader
 * already has INLINED_MAX variants for different values.
 */
static void
get_inlined(const struct nv3p_context *ctx, enum pipe_shader_type stage,
            const struct nv3p_shader *shader, struct nv3p_key *key)
{
   const uint32_t *uniforms;
   unsigned words;

   if (!shader->loop_count || shader->loop_variants == INLINED_MAX)
      return;
   uniforms = nv3p_map_constants(ctx, stage, &words);
   key->inlined_count = shader->loop_count;
   for (unsigned i = 0; i < shader->loop_count; i++)
      key->inlined[i] = shader->loop_floats[i] < words ?
                              uniforms[shader->loop_floats[i]] : 0;
}

/* Sets the members of @key for textures and loops. */
static void
init_key(const struct nv3p_context *ctx, enum pipe_shader_type stage,
         const struct nv3p_shader *shader, struct nv3p_key *key)
{
   const struct nv3p_textures *textures = &ctx->textures[stage];
   const BITSET_WORD units = shader->nir->info.textures_used[0];

   memset(key, 0, sizeof(*key));
   get_inlined(ctx, stage, shader, key);
   for (unsigned i = 0; i < NV3P_UNITS; i++) {
      const struct nv3p_view *view = (struct nv3p_view *)textures->views[i];
      const struct pipe_sampler_state *sampler = textures->samplers[i];
      bool never;

      for (unsigned c = 0; c < 4; c++)
         key->swizzle[i][c] = c;
      if (!(units & 1u << i) || !view || !sampler)
         continue;
      memcpy(key->swizzle[i], view->swizzle, sizeof(view->swizzle));
      key->rect |= sampler->unnormalized_coords << i;
      /* The class lacks the comparison that always fails. */
      never = sampler->compare_mode == PIPE_TEX_COMPARE_R_TO_TEXTURE &&
              sampler->compare_func == PIPE_FUNC_NEVER;
      for (unsigned c = 0; c < 4 && never; c++) {
         if (view->swizzle[c] <= PIPE_SWIZZLE_Z)
            key->swizzle[i][c] = PIPE_SWIZZLE_0;
      }
   }
}

static struct nv3p_variant *
find_variant(struct nv3p_context *ctx, struct nv3p_shader *shader,
             const struct nv3p_key *key)
{
   struct nv3p_variant *variant;

   for (variant = shader->variants; variant; variant = variant->next) {
      if (!memcmp(&variant->key, key, sizeof(*key)))
         return variant;
   }
   variant = CALLOC_STRUCT(nv3p_variant);
   if (!variant)
      return NULL;
   variant->key = *key;
   compile(ctx, shader, variant);
   variant->next = shader->variants;
   shader->variants = variant;
   return variant;
}

/*
 * Returns the mask of the texture coordinates whose w the fragment shader reads
 * and which is always 1.
 */
static uint8_t
find_ones(const struct nv3p_context *ctx)
{
   uint8_t ones = 0;

   u_foreach_bit(i, ctx->vs && ctx->velems ? ctx->fs->reads_w : 0) {
      const unsigned source = ctx->vs->w_source[i];
      enum pipe_format format;

      if (source < ctx->velems->count) {
         format = ctx->velems->elements[source].src_format;
         if (util_format_description(format)->swizzle[3] == PIPE_SWIZZLE_1)
            ones |= 1 << i;
      } else if (source == NV3P_W_ONE) {
         ones |= 1 << i;
      }
   }
   return ones;
}

bool
nv3p_update_fs(struct nv3p_context *ctx, unsigned features)
{
   struct nv3p_variant *fs = ctx->fs_variant;
   struct nv3p_key key;
   uint8_t ones;

   if (!ctx->fs)
      return false;
   ones = find_ones(ctx);
   if (features != ctx->fs_features) {
      ctx->fs_features = features;
      ctx->dirty |= NV3P_NEW_FS;
   }
   if (!fs || fs->key.ones != ones ||
       ctx->dirty & (NV3P_NEW_FS | NV3P_NEW_TEXTURES) ||
       (ctx->fs->loop_count && ctx->dirty & NV3P_NEW_CONST_FS)) {
      init_key(ctx, PIPE_SHADER_FRAGMENT, ctx->fs, &key);
      key.swaps_red_blue = ctx->swaps_red_blue;
      key.features = features;
      key.ones = ones;
      fs = find_variant(ctx, ctx->fs, &key);
   }
   if (!fs || !fs->ok)
      return false;
   /*
    * The vertex program depends on the inputs of the fragment program. The
    * texture units depend on the unit that the fragment program uses for the
    * stipple.
    */
   if (fs != ctx->fs_variant)
      ctx->dirty |= NV3P_NEW_FS | NV3P_NEW_VS | NV3P_NEW_TEXTURES;
   ctx->fs_variant = fs;
   return true;
}

bool
nv3p_update_vs(struct nv3p_context *ctx, struct nv3p_shader *shader)
{
   struct nv3p_variant *vs = ctx->vs_variant;
   struct nv3p_key key;

   if (!shader)
      return false;
   if (!vs || ctx->dirty & NV3P_NEW_VS ||
       (shader->has_textures && ctx->dirty & NV3P_NEW_TEXTURES) ||
       (shader->loop_count && ctx->dirty & NV3P_NEW_CONST_VS)) {
      init_key(ctx, PIPE_SHADER_VERTEX, shader, &key);
      /* The vertex engine has fewer units, without rectangle textures. */
      if (key.rect || shader->nir->info.textures_used[0] >> NV3C_VS_UNITS)
         return false;
      /* The draw module's vertices have generic varyings (nv3p_tnl.c). */
      for (unsigned i = 0; i < NV3C_TEXCOORDS; i++)
         key.texcoord[i] = ctx->window_coordinates ?
                              VARYING_SLOT_VAR0 + i :
                              ctx->fs_variant->fs.texcoord[i];
      vs = find_variant(ctx, shader, &key);
   }
   if (!vs || !vs->ok || vs->vs.bounded_loops)
      return false;
   if (vs != ctx->vs_variant)
      ctx->dirty |= NV3P_NEW_VS | NV3P_NEW_ARRAYS;
   ctx->vs_variant = vs;
   return true;
}

/* ---- constants ---- */

static void
nv3p_set_constant_buffer(struct pipe_context *pipe,
                         enum pipe_shader_type shader, uint index,
                         bool take_ownership,
                         const struct pipe_constant_buffer *cb)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   if (index)
      return;
   util_copy_constant_buffer(&ctx->constants[shader], cb, take_ownership);
   ctx->dirty |= shader == PIPE_SHADER_FRAGMENT ? NV3P_NEW_CONST_FS :
                                                  NV3P_NEW_CONST_VS;
}

const uint32_t *
nv3p_map_constants(const struct nv3p_context *ctx, enum pipe_shader_type stage,
                   unsigned *count)
{
   const struct pipe_constant_buffer *cb = &ctx->constants[stage];
   const uint8_t *map = cb->user_buffer;

   *count = cb->buffer_size / 4;
   if (!map && cb->buffer)
      map = nv3p_resource_map(nv3p_resource(cb->buffer));
   if (!map)
      *count = 0;
   return map ? (const uint32_t *)(map + cb->buffer_offset) : NULL;
}

/* ---- vertex programs ---- */

/*
 * Emits @count words with the methods @method to @method + 4 * RUN_WORDS - 4,
 * each of which continues where the previous method ended.
 */
static void
upload_words(struct nv3p_context *ctx, unsigned method, const uint32_t *words,
             unsigned count)
{
   for (unsigned i = 0; i < count; i += RUN_WORDS)
      nv3p_methods(ctx, method, words + i, MIN2(count - i, RUN_WORDS));
}

static void
upload_vs(struct nv3p_context *ctx, struct nv3p_variant *vs)
{
   struct nv3p_vp_memory *memory = &ctx->vp;

   if (memory->insns + vs->vs.stats.instructions > NV3C_VS_INSNS) {
      memory->insns = 0;
      memory->generation++;
   }
   vs->start = memory->insns;
   vs->generation = memory->generation;
   memory->insns += vs->vs.stats.instructions;
   nv3p_method(ctx, NV3_PM_TRANSFORM_PROGRAM_LOAD, vs->start);
   upload_words(ctx, NV3_PM_TRANSFORM_PROGRAM, vs->vs.words,
                vs->vs.stats.instructions * NV3C_INSN_WORDS);
}

static void
upload_vs_constants(struct nv3p_context *ctx, unsigned first, unsigned count)
{
   nv3p_method(ctx, NV3_PM_TRANSFORM_CONSTANT_LOAD, first);
   upload_words(ctx, NV3_PM_TRANSFORM_CONSTANT, ctx->vp.constant[first],
                4 * count);
}

/*
 * Records the value of constant register @reg. Returns true if the value has
 * changed.
 */
static bool
set_vs_constant(struct nv3p_context *ctx, unsigned reg, const uint32_t *value)
{
   struct nv3p_vp_memory *memory = &ctx->vp;

   if (memory->known[reg] &&
       !memcmp(memory->constant[reg], value, sizeof(memory->constant[reg])))
      return false;
   memcpy(memory->constant[reg], value, sizeof(memory->constant[reg]));
   memory->known[reg] = true;
   return true;
}

static void
emit_vs_uniforms(struct nv3p_context *ctx, const struct nv3c_vs_uniforms *range)
{
   unsigned words, first = range->count, end = 0;
   const uint32_t *uniforms = nv3p_map_constants(ctx, PIPE_SHADER_VERTEX,
                                                 &words);

   for (unsigned i = 0; i < range->count; i++) {
      const unsigned word = 4 * (range->uniform + i);
      uint32_t value[4] = { 0 };

      if (word < words)
         memcpy(value, uniforms + word, 4 * MIN2(words - word, 4));
      if (set_vs_constant(ctx, range->reg + i, value)) {
         first = MIN2(first, i);
         end = i + 1;
      }
   }
   if (end)
      upload_vs_constants(ctx, range->reg + first, end - first);
}

static void
emit_vs(struct nv3p_context *ctx, struct nv3p_variant *vs)
{
   if (vs->generation != ctx->vp.generation)
      upload_vs(ctx, vs);
   nv3p_emit(ctx, NV3_PM_TRANSFORM_PROGRAM_START, vs->start);
   for (unsigned i = 0; i < vs->vs.uniform_range_count; i++)
      emit_vs_uniforms(ctx, &vs->vs.uniforms[i]);
   for (unsigned i = 0; i < vs->vs.immediate_count; i++) {
      const unsigned reg = vs->vs.first_immediate + i;

      if (set_vs_constant(ctx, reg, (const uint32_t *)vs->vs.immediates[i]))
         upload_vs_constants(ctx, reg, 1);
   }
}

/* ---- fragment programs ---- */

/*
 * Returns the value of float @source of buffer 0. If @source is beyond the
 * uniforms, returns a scale of a rectangle texture.
 */
static uint32_t
fs_value(const struct nv3p_context *ctx, const struct nv3p_variant *fs,
         const uint32_t *uniforms, unsigned words, unsigned source)
{
   const unsigned unit = source / 4 - fs->uniforms;
   const struct pipe_sampler_view *view;
   const struct pipe_resource *texture;

   if (source / 4 < fs->uniforms)
      return source < words ? uniforms[source] : 0;
   view = ctx->textures[PIPE_SHADER_FRAGMENT].views[unit];
   texture = view ? view->texture : NULL;
   if (!texture)
      return 0;
   return fui(1.0f / (source % 4 ? texture->height0 : texture->width0));
}

/*
 * Updates the values of the inline constants in @fs. Returns true if a value
 * has changed.
 */
static bool
update_fs_values(struct nv3p_context *ctx, struct nv3p_variant *fs)
{
   unsigned words;
   const uint32_t *uniforms = nv3p_map_constants(ctx, PIPE_SHADER_FRAGMENT,
                                                 &words);
   bool changed = false;

   for (unsigned i = 0; i < 4 * fs->fs.constant_count; i++) {
      int source = fs->fs.constants[i / 4].source[i % 4];
      uint32_t value = source < 0 ? 0 :
                       fs_value(ctx, fs, uniforms, words, source);

      changed |= fs->values[i] != value;
      fs->values[i] = value;
   }
   return changed;
}

static bool
upload_fs(struct nv3p_context *ctx, struct nv3p_variant *fs)
{
   const unsigned size = fs->fs.word_count * 4;
   uint32_t *map;

   u_upload_alloc(ctx->base.const_uploader, 0, size, FS_ALIGN, &fs->offset,
                  &fs->buffer, (void **)&map);
   if (!fs->buffer)
      return false;
   memcpy(map, fs->fs.words, size);
   for (unsigned i = 0; i < 4 * fs->fs.constant_count; i++) {
      const struct nv3c_fs_constant *constant = &fs->fs.constants[i / 4];

      if (constant->source[i % 4] >= 0)
         map[constant->word + i % 4] = fs->values[i];
   }
   return true;
}

static void
emit_fs(struct nv3p_context *ctx, struct nv3p_variant *fs)
{
   bool changed = update_fs_values(ctx, fs);
   struct nv3p_resource *res;

   if ((changed || !fs->buffer) && !upload_fs(ctx, fs))
      return;
   res = nv3p_resource(fs->buffer);
   nv3p_batch_use(ctx, res->bo, false);
   /*
    * Emit this method even if the address is the same, because the method
    * makes the chip read the program again.
    */
   nv3p_method(ctx, NV3_PM_FP_ACTIVE_PROGRAM,
               nv3p_resource_address(res, 0, 0) + fs->offset);
   nv3p_emit(ctx, NV3_PM_FP_CONTROL,
             fs->fs.writes_depth ? NV3P_FP_CONTROL_DEPTH : 0);
}

void
nv3p_emit_programs(struct nv3p_context *ctx)
{
   if (ctx->dirty & (NV3P_NEW_VS | NV3P_NEW_CONST_VS))
      emit_vs(ctx, ctx->vs_variant);
   if (ctx->dirty & (NV3P_NEW_FS | NV3P_NEW_CONST_FS | NV3P_NEW_TEXTURES))
      emit_fs(ctx, ctx->fs_variant);
}

void
nv3p_init_program(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   /*
    * New variants have generation 0, which means that they are not in program
    * memory.
    */
   ctx->vp.generation = 1;
   pipe->create_vs_state = nv3p_create_shader;
   pipe->delete_vs_state = nv3p_delete_shader;
   pipe->create_fs_state = nv3p_create_shader;
   pipe->delete_fs_state = nv3p_delete_shader;
   pipe->set_constant_buffer = nv3p_set_constant_buffer;
}
