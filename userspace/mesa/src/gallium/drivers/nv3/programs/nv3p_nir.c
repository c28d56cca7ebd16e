/* SPDX-License-Identifier: MIT */
/* Implements NIR passes that analyse shaders and create variants. */
#include "compiler/nir/nir_builder.h"

#include "programs/nv3p_program.h"

/* ---- w of texture coordinates ---- */

/* True if @intr accesses its location without an offset. */
static bool
is_direct(const nir_intrinsic_instr *intr)
{
   const nir_src offset = intr->src[nir_get_io_offset_src_number(intr)];

   return nir_src_is_const(offset) && !nir_src_as_uint(offset);
}

/*
 * Returns the texture coordinate that @intr reads or writes. Returns -1 if @intr
 * accesses another varying, or does not access w.
 */
static int
texcoord_with_w(const nir_intrinsic_instr *intr, unsigned components)
{
   const int n = nir_intrinsic_io_semantics(intr).location - VARYING_SLOT_TEX0;
   const unsigned w = 3 - nir_intrinsic_component(intr);

   return n >= 0 && n < NV3P_TEX_SLOTS && components & 1 << w ? n : -1;
}

/* Returns the source of a w that @store writes (nv3p_shader::w_source). */
static unsigned
find_source(const nir_intrinsic_instr *store)
{
   const unsigned w = 3 - nir_intrinsic_component(store);
   nir_scalar from = nir_scalar_resolved(store->src[0].ssa, w);
   const nir_intrinsic_instr *load;

   /* A saturated 1 is also 1. */
   while (nir_scalar_is_alu(from) && nir_scalar_alu_op(from) == nir_op_fsat)
      from = nir_scalar_chase_movs(nir_scalar_chase_alu_src(from, 0));
   if (nir_scalar_is_const(from))
      return nir_scalar_as_float(from) == 1 ? NV3P_W_ONE : NV3P_W_UNKNOWN;
   if (!nir_scalar_is_intrinsic(from) ||
       nir_scalar_intrinsic_op(from) != nir_intrinsic_load_input)
      return NV3P_W_UNKNOWN;
   load = nir_instr_as_intrinsic(from.def->parent_instr);
   return is_direct(load) && nir_intrinsic_component(load) + from.comp == 3 ?
             nir_intrinsic_base(load) : NV3P_W_UNKNOWN;
}

/* True if @intr loads an input of a fragment shader, without an offset. */
static bool
is_fs_input(const nir_builder *b, const nir_intrinsic_instr *intr)
{
   return b->shader->info.stage == MESA_SHADER_FRAGMENT &&
          (intr->intrinsic == nir_intrinsic_load_input ||
           intr->intrinsic == nir_intrinsic_load_interpolated_input) &&
          is_direct(intr);
}

static bool
find_w(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   struct nv3p_shader *shader = data;
   int n;

   if (is_fs_input(b, intr)) {
      n = texcoord_with_w(intr, nir_def_components_read(&intr->def));
      if (n >= 0)
         shader->reads_w |= 1 << n;
   } else if (intr->intrinsic == nir_intrinsic_store_output &&
              b->shader->info.stage == MESA_SHADER_VERTEX) {
      n = texcoord_with_w(intr, nir_intrinsic_write_mask(intr));
      if (n < 0)
         return false;
      /*
       * If there are several stores, the last one is not known. With an offset,
       * a store may write any coordinate.
       */
      if (!is_direct(intr)) {
         memset(shader->w_source, NV3P_W_UNKNOWN, sizeof(shader->w_source));
         shader->writes_w = BITFIELD_MASK(NV3P_TEX_SLOTS);
         return false;
      }
      shader->w_source[n] = shader->writes_w & 1 << n ?
                               NV3P_W_UNKNOWN : find_source(intr);
      shader->writes_w |= 1 << n;
   }
   return false;
}

void
nv3p_nir_find_w(struct nv3p_shader *shader)
{
   memset(shader->w_source, NV3P_W_UNKNOWN, sizeof(shader->w_source));
   nir_shader_intrinsics_pass(shader->nir, find_w, nir_metadata_all, shader);
}

static bool
set_w(nir_builder *b, nir_intrinsic_instr *load, void *data)
{
   const uint8_t *ones = data;
   nir_def *channels[4], *changed;
   int n;

   if (!is_fs_input(b, load))
      return false;
   n = texcoord_with_w(load, BITFIELD_MASK(load->num_components));
   if (n < 0 || !(*ones & 1 << n))
      return false;
   b->cursor = nir_after_instr(&load->instr);
   for (unsigned c = 0; c < load->num_components; c++)
      channels[c] = nir_channel(b, &load->def, c);
   channels[3 - nir_intrinsic_component(load)] = nir_imm_float(b, 1);
   changed = nir_vec(b, channels, load->num_components);
   nir_def_rewrite_uses_after(&load->def, changed, changed->parent_instr);
   return true;
}

/* Removes divisions of texture coordinates by 1. */
static bool
remove_projector(nir_builder *b, nir_instr *instr, void *data)
{
   nir_tex_instr *tex;
   nir_scalar w;
   int src;

   if (instr->type != nir_instr_type_tex)
      return false;
   tex = nir_instr_as_tex(instr);
   src = nir_tex_instr_src_index(tex, nir_tex_src_projector);
   if (src < 0)
      return false;
   w = nir_scalar_resolved(tex->src[src].src.ssa, 0);
   if (!nir_scalar_is_const(w) || nir_scalar_as_float(w) != 1)
      return false;
   nir_tex_instr_remove_src(tex, src);
   return true;
}

void
nv3p_nir_set_w(nir_shader *s, const uint8_t *ones)
{
   NIR_PASS(_, s, nir_shader_intrinsics_pass, set_w,
            nir_metadata_control_flow, (void *)ones);
   NIR_PASS(_, s, nir_shader_instructions_pass, remove_projector,
            nir_metadata_control_flow, NULL);
}

/* ---- features of fragment programs ---- */

/*
 * Scales the coordinates of rectangle textures, because the class supports
 * only normalized coordinates. The scale of unit i is vec4 *@data + i of
 * buffer 0.
 */
static bool
scale_rect(nir_builder *b, nir_instr *instr, void *data)
{
   const unsigned *first = data;
   nir_tex_instr *tex;
   nir_def *scale;
   int coord;

   if (instr->type != nir_instr_type_tex)
      return false;
   tex = nir_instr_as_tex(instr);
   coord = nir_tex_instr_src_index(tex, nir_tex_src_coord);
   if (tex->sampler_dim != GLSL_SAMPLER_DIM_RECT || coord < 0)
      return false;
   b->cursor = nir_before_instr(&tex->instr);
   scale = nir_load_uniform(b, 2, 32, nir_imm_int(b, 0),
                            .base = *first + tex->sampler_index, .range = 1,
                            .dest_type = nir_type_float32);
   nir_src_rewrite(&tex->src[coord].src,
                   nir_fmul(b, tex->src[coord].src.ssa, scale));
   tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
   return true;
}

/*
 * Kills fragments where the texture of the polygon stipple is not 0. The
 * texture uses the highest texture unit that the shader does not use. If there
 * is no such unit, the polygons are not stippled.
 */
static void
add_stipple(nir_shader *s, struct nv3p_variant *variant)
{
   const unsigned free = ~s->info.textures_used[0] & BITFIELD_MASK(NV3P_UNITS);
   nir_tex_instr *tex;
   nir_def *coord;
   nir_builder b;

   variant->stipple_unit = util_last_bit(free) - 1;
   if (!free)
      return;
   b = nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(s)));
   coord = nir_fmul_imm(&b, nir_trim_vector(&b, nir_load_frag_coord(&b), 2),
                        1.0f / 32);
   tex = nir_tex_instr_create(s, 1);
   tex->op = nir_texop_tex;
   tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
   tex->coord_components = 2;
   tex->dest_type = nir_type_float32;
   tex->texture_index = tex->sampler_index = variant->stipple_unit;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, coord);
   nir_def_init(&tex->instr, &tex->def, 4, 32);
   nir_builder_instr_insert(&b, &tex->instr);
   nir_discard_if(&b, nir_fneu_imm(&b, nir_channel(&b, &tex->def, 3), 0));
}

/* Returns the coverage of a smooth line or point (NV3P_COVERAGE_SLOT). */
static nir_def *
load_coverage(nir_builder *b, bool point)
{
   nir_def *d = nir_load_input(b, 4, 32, nir_imm_int(b, 0),
                               .io_semantics.location = NV3P_COVERAGE_SLOT,
                               .io_semantics.num_slots = 1,
                               .dest_type = nir_type_float32);
   nir_def *x = nir_channel(b, d, 0), *y = nir_channel(b, d, 2);

   if (point) {
      x = nir_fsqrt(b, nir_ffma(b, x, x, nir_fmul(b, y, y)));
      return nir_fsat(b, nir_fsub(b, nir_channel(b, d, 1), x));
   }
   x = nir_fsub(b, nir_channel(b, d, 1), nir_fabs(b, x));
   y = nir_fsub(b, nir_channel(b, d, 3), nir_fabs(b, y));
   return nir_fmul(b, nir_fsat(b, x), nir_fsat(b, y));
}

/*
 * Multiplies alpha of the colour result by the coverage of smooth lines and
 * points, and swaps red and blue, as the nv3p_key @data requires. Discards
 * fragments without coverage, because they must write neither depth nor, if
 * blending is disabled, colour.
 */
static bool
lower_color(nir_builder *b, nir_intrinsic_instr *store, void *data)
{
   const struct nv3p_key *key = data;
   const unsigned red = key->swaps_red_blue ? 2 : 0;
   const uint8_t place[] = { red, 1, 2 - red, 3 };
   unsigned component, location, mask = 0;
   nir_def *channels[4];

   if (store->intrinsic != nir_intrinsic_store_output)
      return false;
   location = nir_intrinsic_io_semantics(store).location;
   if (location != FRAG_RESULT_COLOR && location != FRAG_RESULT_DATA0)
      return false;
   b->cursor = nir_before_instr(&store->instr);
   for (unsigned c = 0; c < 4; c++)
      channels[c] = nir_undef(b, 1, 32);
   component = nir_intrinsic_component(store);
   u_foreach_bit(c, nir_intrinsic_write_mask(store)) {
      channels[place[component + c]] = nir_channel(b, store->src[0].ssa, c);
      mask |= 1 << place[component + c];
   }
   if (key->features & NV3P_FS_SMOOTH) {
      nir_def *coverage =
         load_coverage(b, key->features & NV3P_FS_SMOOTH_POINTS);

      nir_discard_if(b, nir_fle_imm(b, coverage, 0));
      if (mask & 1 << 3)
         channels[3] = nir_fmul(b, channels[3], coverage);
   }
   nir_src_rewrite(&store->src[0], nir_vec(b, channels, 4));
   store->num_components = 4;
   nir_intrinsic_set_component(store, 0);
   nir_intrinsic_set_write_mask(store, mask);
   return true;
}

void
nv3p_nir_lower_fs(nir_shader *s, struct nv3p_variant *variant)
{
   struct nv3p_key *key = &variant->key;

   variant->uniforms = s->num_uniforms;
   variant->stipple_unit = -1;
   if (key->rect)
      NIR_PASS(_, s, nir_shader_instructions_pass, scale_rect,
               nir_metadata_control_flow, &variant->uniforms);
   if (key->features & NV3P_FS_SMOOTH || key->swaps_red_blue)
      NIR_PASS(_, s, nir_shader_intrinsics_pass, lower_color,
               nir_metadata_control_flow, key);
   if (key->features & NV3P_FS_STIPPLE)
      add_stipple(s, variant);
}
