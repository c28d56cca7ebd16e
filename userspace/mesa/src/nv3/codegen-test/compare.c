/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/glsl_types.h"
#include "fp/fp_insn.h"
#include "texture/texreference.h"
#include "tgsi/tgsi_util.h"
#include "util/bitscan.h"
#include "util/ralloc.h"
#include "util/u_math.h"
#include "vp/vp_program.h"

/*
 * The vertex engine truncates results, and the compiler may change the order of
 * operations. The result of an operation can therefore differ from the
 * evaluated result by several units in the last place, and these differences
 * add up over a program.
 */
#define TOLERANCE 2e-4f

/*
 * The tolerance of texels. Filter weights have 255 steps. A small error of a
 * coordinate may therefore change a weight by a step, and the texel by more
 * than TOLERANCE.
 */
#define TEX_TOLERANCE (1.5f / 255)

#define TEX_SIZE 8

/* A NaN, for attributes that a program does not read */
#define POISON 0xffffffffu

struct textures {
   uint8_t texels[6][TEX_SIZE * TEX_SIZE * 4];
   NV3TexUnit *unit[EVAL_UNITS];
};

static bool
fail(struct compare *c, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   vsnprintf(c->message, sizeof(c->message), format, args);
   va_end(args);
   return false;
}

/* ---- random inputs ----------------------------------------------------- */

/* Returns a random number from -@range to @range. */
static float
random_float(unsigned *seed, float range)
{
   *seed = *seed * 1664525u + 1013904223u;
   return ((int)(*seed >> 8 & 0xffff) - 0x8000) * (range / 0x8000);
}

/*
 * Fills the uniforms of a variable of @type with random numbers. The variable
 * starts at vec4 @at. Returns the index of the next vec4.
 */
static unsigned
fill_uniform(vec4 *uniforms, unsigned at, const struct glsl_type *type,
             unsigned *seed)
{
   unsigned rows;

   if (glsl_type_is_array(type)) {
      for (unsigned i = 0; i < glsl_get_length(type); i++)
         at = fill_uniform(uniforms, at, glsl_get_array_element(type), seed);
      return at;
   }
   if (glsl_type_is_struct(type)) {
      for (unsigned i = 0; i < glsl_get_length(type); i++)
         at = fill_uniform(uniforms, at, glsl_get_struct_field(type, i), seed);
      return at;
   }
   if (glsl_contains_opaque(type))
      return at;
   rows = glsl_get_matrix_columns(type);
   for (unsigned i = 0; i < rows && at < UNIFORMS; i++, at++) {
      for (unsigned k = 0; k < 4; k++) {
         float x = random_float(seed, 1.5f);

         if (glsl_get_base_type(type) == GLSL_TYPE_BOOL)
            x = x < 0;
         else if (glsl_get_base_type(type) != GLSL_TYPE_FLOAT)
            x = floorf(fabsf(x) * 2);
         uniforms[at][k] = x;
      }
   }
   return at;
}

static void
fill_uniforms(vec4 *uniforms, const nir_shader *nir, unsigned *seed)
{
   memset(uniforms, 0, UNIFORMS * sizeof(*uniforms));
   nir_foreach_uniform_variable(var, nir) {
      if (!glsl_contains_opaque(var->type))
         fill_uniform(uniforms, var->data.driver_location, var->type, seed);
   }
}

/* ---- textures ---------------------------------------------------------- */

static void
make_textures(struct textures *t, const uint8_t *targets, unsigned units,
              unsigned *seed)
{
   memset(t->unit, 0, sizeof(t->unit));
   for (unsigned face = 0; face < 6; face++) {
      for (unsigned i = 0; i < sizeof(t->texels[0]); i++)
         t->texels[face][i] = 128 + random_float(seed, 40);
   }
   for (unsigned i = 0; i < units; i++) {
      bool shadow = tgsi_is_shadow_target(targets[i]);
      NV3TexImage image = {
         .base = t->texels[0],
         .size = sizeof(t->texels),
         .format = shadow ? NV3_TEX_Z16 : NV3_TEX_A8R8G8B8,
         .dim = targets[i] == TGSI_TEXTURE_CUBE ? NV3_TEX_CUBE :
                targets[i] == TGSI_TEXTURE_3D ? NV3_TEX_3D : NV3_TEX_2D,
         .levels = 3,
         .width = TEX_SIZE,
         .height = TEX_SIZE,
         .depth = targets[i] == TGSI_TEXTURE_3D ? 4 : 1,
      };
      const NV3TexSampler sampler = {
         .wrap = { NV3_TEX_REPEAT, NV3_TEX_REPEAT, NV3_TEX_REPEAT },
         .min_linear = true,
         .mag_linear = true,
         .mip = NV3_TEX_MIP_LINEAR,
         .lod_max = 12,
         .compare = shadow,
         .compare_func = 3, /* less or equal */
      };

      for (unsigned level = 0; level < image.levels; level++) {
         image.level[level].pitch = TEX_SIZE * 4;
         image.level[level].slice = sizeof(t->texels[0]);
         image.level[level].offset = level * 8;
      }
      t->unit[i] = nv3_texunit_new(&image, &sampler);
   }
}

static void
free_textures(struct textures *t)
{
   for (unsigned i = 0; i < EVAL_UNITS; i++)
      nv3_texunit_free(t->unit[i]);
}

static void
sample(const struct textures *t, struct evaluate_tex *tex, NV3TexLod lod)
{
   NV3TexQuad quad = { .lod = lod };

   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned c = 0; c < 3; c++) {
         quad.coord[c][lane] = tex->coord[c][lane];
         quad.gradient[0][c][lane] = tex->gradient[0][c][lane];
         quad.gradient[1][c][lane] = tex->gradient[1][c][lane];
      }
      quad.coord[3][lane] = tex->w[lane];
   }
   nv3_tex_reference(t->unit[tex->unit], &quad);
   memcpy(tex->result, quad.result, sizeof(tex->result));
}

static void
sample_fragment(void *data, struct evaluate_tex *tex)
{
   sample(data, tex,
          tex->op == nir_texop_txb ? NV3_TEX_LOD_BIAS :
          tex->op == nir_texop_txl ? NV3_TEX_LOD_EXPLICIT :
          tex->op == nir_texop_txd ? NV3_TEX_LOD_GRADIENT :
                                     NV3_TEX_LOD_IMPLICIT);
}

/*
 * Samples a texture for a vertex shader. Without an explicit level, samples
 * level 0.
 */
static void
sample_vertex(void *data, struct evaluate_tex *tex)
{
   if (tex->op != nir_texop_txl)
      memset(tex->w, 0, sizeof(tex->w));
   sample(data, tex, NV3_TEX_LOD_EXPLICIT);
}

/* Implements NV3VpSampleFn: samples texture @unit for the vertex program. */
static void
sample_for_chip(void *opaque, unsigned unit, const float coord[4],
                float result[4])
{
   const struct textures *t = opaque;
   NV3TexQuad quad = { .lod = NV3_TEX_LOD_EXPLICIT };

   for (unsigned c = 0; c < 4; c++) {
      for (unsigned lane = 0; lane < LANES; lane++)
         quad.coord[c][lane] = coord[c];
   }
   nv3_tex_reference(t->unit[unit], &quad);
   for (unsigned c = 0; c < 4; c++)
      result[c] = quad.result[c][0];
}

/* ---- comparison -------------------------------------------------------- */

/*
 * Returns true if a result is close to the evaluated value. Accepts any result
 * if the evaluated value is a NaN or infinite.
 */
static bool
is_close(float got, float want, float tolerance)
{
   if (!isfinite(want))
      return true;
   return fabsf(got - want) <= tolerance * fmaxf(1, fabsf(want));
}

/* ---- vertices ---------------------------------------------------------- */

/*
 * Sets @output to the output that carries component @component of the varying
 * @slot, and @lane to the component of this output. Returns false if there is
 * no such output.
 */
static bool
find_output(const struct compare *c, unsigned slot, unsigned component,
            unsigned *output, unsigned *lane)
{
   static const uint8_t fixed[][2] = {
      { VARYING_SLOT_POS, 0 },  { VARYING_SLOT_COL0, 3 },
      { VARYING_SLOT_COL1, 4 }, { VARYING_SLOT_FOGC, 5 },
      { VARYING_SLOT_PSIZ, 6 }, { VARYING_SLOT_BFC0, 7 },
      { VARYING_SLOT_BFC1, 8 },
   };
   unsigned distance = 4 * (slot - VARYING_SLOT_CLIP_DIST0) + component;

   *lane = component;
   for (unsigned i = 0; i < ARRAY_SIZE(fixed); i++) {
      *output = fixed[i][1];
      if (fixed[i][0] == slot)
         return *output < 5 || *output > 6 || !component;
   }
   if (slot == VARYING_SLOT_CLIP_DIST0 || slot == VARYING_SLOT_CLIP_DIST1) {
      *output = distance < 3 ? 5 : 6;
      *lane = distance % 3 + 1;
      return distance < 6;
   }
   for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
      *output = 9 + i;
      if (c->fs_code.texcoord[i] == slot)
         return true;
   }
   return false;
}

static bool
compare_vertex(struct compare *c, const struct evaluate *e, unsigned vertex,
               const NV3VpRegisters *r)
{
   for (unsigned slot = 0; slot < SLOTS; slot++) {
      u_foreach_bit(component, e->written[slot]) {
         float want = e->output[slot][component][vertex], got;
         unsigned output, lane;

         if (!find_output(c, slot, component, &output, &lane))
            continue;
         got = uif(r->output[output][lane]);
         if (!is_close(got, want,
                       c->vs_code.textures ? TEX_TOLERANCE : TOLERANCE))
            return fail(c, "%s.%c is %.8g, not %.8g",
                        gl_varying_slot_name_for_stage(slot,
                                                       MESA_SHADER_VERTEX),
                        "xyzw"[component], got, want);
      }
   }
   return true;
}

static void
load_constants(const struct nv3c_program *vs, const vec4 *uniforms,
               uint32_t constants[NV3_VP_CONSTANTS][4])
{
   memset(constants, 0xff, NV3_VP_CONSTANTS * sizeof(constants[0]));
   for (unsigned i = 0; i < vs->uniform_range_count; i++) {
      const struct nv3c_vs_uniforms *range = &vs->uniforms[i];

      memcpy(constants[range->reg], uniforms[range->uniform],
             range->count * sizeof(vec4));
   }
   for (unsigned i = 0; i < vs->immediate_count; i++)
      memcpy(constants[vs->first_immediate + i], vs->immediates[i],
             sizeof(vec4));
}

static bool
run_vertices(struct compare *c, const vec4 *uniforms, unsigned *seed)
{
   static NV3VpInsn insns[NV3_VP_INSNS];
   static uint32_t constants[NV3_VP_CONSTANTS][4];
   struct textures textures;
   struct evaluate e = {
      .nir = c->vs,
      .uniforms = uniforms,
      .tex = sample_vertex,
      .data = &textures,
   };
   bool same = true;
   unsigned count;
   NV3VpError error =
      nv3_vp_decode_program(insns, &count, c->vs_code.words,
                            c->vs_code.stats.instructions);

   if (error)
      return fail(c, "the chip refuses vertex instruction %u: %s", count,
                  nv3_vp_error_name(error));
   if (count != c->vs_code.stats.instructions)
      return fail(c, "the vertex program ends after %u instructions", count);
   for (unsigned i = 0; i < NV3_VP_ATTRIBUTES; i++) {
      for (unsigned k = 0; k < 4; k++) {
         for (unsigned lane = 0; lane < LANES; lane++)
            e.input[i][k][lane] = random_float(seed, 2);
      }
   }
   make_textures(&textures, c->vs_code.texture_targets, NV3C_VS_UNITS, seed);
   evaluate(&e);
   load_constants(&c->vs_code, uniforms, constants);
   for (unsigned lane = 0; lane < LANES && same; lane++) {
      NV3VpRegisters r = { .sample = sample_for_chip, .sample_opaque = &textures };

      for (unsigned i = 0; i < NV3_VP_ATTRIBUTES; i++) {
         for (unsigned k = 0; k < 4; k++) {
            /*
             * Attributes that the program does not read get POISON, because a
             * driver may leave them unset.
             */
            r.attribute[i][k] = c->vs_code.attributes >> i & 1 ?
                                fui(e.input[i][k][lane]) : POISON;
         }
      }
      nv3_vp_run(&r, insns, count, constants);
      same = e.unknown || compare_vertex(c, &e, lane, &r);
   }
   free_textures(&textures);
   if (e.unknown)
      return fail(c, "the evaluation does not know %s", e.unknown);
   return same;
}

/* ---- fragments --------------------------------------------------------- */

/*
 * Sets @value for the pixels of a quad to a random linear function of the
 * position.
 */
static void
fill_plane(float value[LANES], unsigned *seed)
{
   float start = random_float(seed, 2);
   float dx = random_float(seed, 0.05f), dy = random_float(seed, 0.05f);

   for (unsigned lane = 0; lane < LANES; lane++)
      value[lane] = start + dx * (lane & 1) + dy * (lane >> 1);
}

static void
fill_fragment(struct evaluate *e, unsigned *seed)
{
   e->front = random_float(seed, 1) < 0;
   for (unsigned slot = 0; slot < SLOTS; slot++) {
      for (unsigned k = 0; k < 4; k++)
         fill_plane(e->input[slot][k], seed);
   }
   for (unsigned lane = 0; lane < LANES; lane++) {
      e->input[VARYING_SLOT_POS][0][lane] = 100.5f + (lane & 1);
      e->input[VARYING_SLOT_POS][1][lane] = 37.5f + (lane >> 1);
      e->input[VARYING_SLOT_FACE][0][lane] = e->front ? 1 : -1;
      /* The fog coordinate is a scalar. */
      e->input[VARYING_SLOT_FOGC][1][lane] = 0;
      e->input[VARYING_SLOT_FOGC][2][lane] = 0;
      e->input[VARYING_SLOT_FOGC][3][lane] = 1;
   }
   memcpy(e->point_coord, e->input[VARYING_SLOT_PNTC], sizeof(e->point_coord));
}

static void
copy_input(NV3FpQuad *quad, unsigned input, const struct evaluate *e,
           unsigned slot)
{
   memcpy(quad->input[input], e->input[slot], sizeof(quad->input[input]));
}

static void
load_inputs(NV3FpQuad *quad, const struct nv3c_program *fs, const struct evaluate *e)
{
   memset(quad, 0, sizeof(*quad));
   copy_input(quad, NV3_FP_POSITION, e, VARYING_SLOT_POS);
   copy_input(quad, NV3_FP_COLOR0, e, VARYING_SLOT_COL0);
   copy_input(quad, NV3_FP_COLOR1, e, VARYING_SLOT_COL1);
   copy_input(quad, NV3_FP_FOG, e, VARYING_SLOT_FOGC);
   copy_input(quad, NV3_FP_FACING, e, VARYING_SLOT_FACE);
   for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
      if (fs->texcoord[i] != NV3C_NO_SLOT)
         copy_input(quad, NV3_FP_TEXCOORD0 + i, e, fs->texcoord[i]);
   }
   for (unsigned i = 0; i < NV3_FP_INPUTS; i++) {
      if (!(fs->inputs & 1u << i))
         memset(quad->input[i], 0xff, sizeof(quad->input[i]));
   }
}

static void
patch_constants(struct nv3c_program *fs, const vec4 *uniforms)
{
   for (unsigned i = 0; i < fs->constant_count; i++) {
      const struct nv3c_fs_constant *constant = &fs->constants[i];

      for (unsigned k = 0; k < 4; k++) {
         int source = constant->source[k];

         if (source >= 0)
            fs->words[constant->word + k] = fui(uniforms[source / 4][source % 4]);
      }
   }
}

static bool
compare_component(struct compare *c, const struct evaluate *e, unsigned slot,
                  unsigned component, unsigned lane, float got)
{
   float want = e->output[slot][component][lane];
   float tolerance = c->fs_code.textures ? TEX_TOLERANCE : TOLERANCE;

   if (!(e->written[slot] & 1u << component) || is_close(got, want, tolerance))
      return true;
   return fail(c, "result %u.%c of pixel %u is %.8g, not %.8g", slot,
               "xyzw"[component], lane, got, want);
}

static bool
compare_pixel(struct compare *c, const struct evaluate *e, unsigned lane,
              const NV3FpQuad *quad)
{
   bool killed = quad->killed >> lane & 1;

   if (killed != (e->killed >> lane & 1))
      return fail(c, "pixel %u is %s", lane, killed ? "killed" : "not killed");
   for (unsigned k = 0; k < 4 && !killed; k++) {
      float got = quad->reg[NV3_FP_COLOR_TEMP][k][lane];

      if (!compare_component(c, e, FRAG_RESULT_COLOR, k, lane, got) ||
          !compare_component(c, e, FRAG_RESULT_DATA0, k, lane, got))
         return false;
   }
   return killed || compare_component(c, e, FRAG_RESULT_DEPTH, 0, lane,
                                      quad->reg[NV3_FP_DEPTH_TEMP][2][lane]);
}

static bool
run_fragments(struct compare *c, const vec4 *uniforms, unsigned *seed)
{
   static NV3FpInsn insns[NV3_FP_INSNS];
   static NV3FpQuad quad;
   struct textures textures;
   const NV3TexUnit *units[NV3_FP_UNITS];
   struct evaluate e = {
      .nir = c->fs,
      .uniforms = uniforms,
      .tex = sample_fragment,
      .data = &textures,
   };
   unsigned count, position = 0;
   NV3FpError error;

   patch_constants(&c->fs_code, uniforms);
   error = nv3_fp_decode_program(insns, &count, c->fs_code.words,
                                 c->fs_code.word_count, &position);
   if (error)
      return fail(c, "the chip refuses the fragment program at word %u: %s",
                  position, nv3_fp_error_name(error));
   fill_fragment(&e, seed);
   make_textures(&textures, c->fs_code.texture_targets, EVAL_UNITS, seed);
   for (unsigned i = 0; i < NV3_FP_UNITS; i++)
      units[i] = c->fs_code.textures >> i & 1 ? textures.unit[i] : NULL;
   evaluate(&e);
   load_inputs(&quad, &c->fs_code, &e);
   nv3_fp_run(&quad, insns, count, c->fs_code.words, units);
   free_textures(&textures);
   if (e.unknown)
      return fail(c, "the evaluation does not know %s", e.unknown);
   for (unsigned lane = 0; lane < LANES; lane++) {
      if (!compare_pixel(c, &e, lane, &quad))
         return false;
   }
   return true;
}

/* ---- both -------------------------------------------------------------- */

/*
 * Returns a copy of a shader for the compiler. If c->inlines is set and
 * @uniforms is not NULL, the values of the loop uniforms are constants in the
 * copy.
 */
static nir_shader *
prepare(const struct compare *c, const nir_shader *from, const vec4 *uniforms)
{
   nir_shader *nir = nir_shader_clone(NULL, from);
   uint16_t floats[NV3C_LOOP_UNIFORMS];
   uint32_t values[NV3C_LOOP_UNIFORMS];
   unsigned count;

   nv3c_finalize_nir(nir);
   if (!c->inlines || !uniforms)
      return nir;
   count = nv3c_find_loop_uniforms(nir, floats);
   for (unsigned i = 0; i < count; i++)
      values[i] = fui(uniforms[floats[i] / 4][floats[i] % 4]);
   nv3c_inline_uniforms(nir, count, floats, values);
   return nir;
}

static bool
compile_vs(struct compare *c, const vec4 *uniforms)
{
   nir_shader *nir = prepare(c, c->vs, uniforms);
   bool done = nv3c_compile(nir, c->fs_code.texcoord, &c->vs_code);

   if (!done)
      fail(c, "vertex program: %s", c->vs_code.error);
   else if (c->inlines && uniforms && c->vs_code.bounded_loops)
      done = fail(c, "vertex program: a loop is still unknown");
   ralloc_free(nir);
   return done;
}

static bool
compile_fs(struct compare *c, const vec4 *uniforms)
{
   nir_shader *nir = prepare(c, c->fs, uniforms);
   bool done = nv3c_compile(nir, NULL, &c->fs_code);

   if (!done)
      fail(c, "fragment program: %s", c->fs_code.error);
   else if (c->inlines && uniforms && c->fs_code.bounded_loops)
      done = fail(c, "fragment program: a loop is still unknown");
   ralloc_free(nir);
   return done;
}

bool
compare_compile(struct compare *c)
{
   return compile_fs(c, NULL) && (c->inlines || compile_vs(c, NULL));
}

bool
compare_run(struct compare *c, unsigned runs, unsigned seed)
{
   static vec4 uniforms[UNIFORMS];

   for (unsigned i = 0; i < runs; i++) {
      fill_uniforms(uniforms, c->vs, &seed);
      if (c->inlines) {
         nv3c_finish(&c->vs_code);
         if (!compile_vs(c, uniforms))
            return false;
      }
      if (!run_vertices(c, uniforms, &seed))
         return false;
      fill_uniforms(uniforms, c->fs, &seed);
      if (c->inlines) {
         nv3c_finish(&c->fs_code);
         if (!compile_fs(c, uniforms))
            return false;
      }
      if (!run_fragments(c, uniforms, &seed))
         return false;
   }
   return true;
}

void
compare_finish(struct compare *c)
{
   nv3c_finish(&c->vs_code);
   nv3c_finish(&c->fs_code);
}
