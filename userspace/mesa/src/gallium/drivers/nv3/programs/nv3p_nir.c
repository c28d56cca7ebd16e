/* SPDX-License-Identifier: MIT */
#include "programs/nv3p_nir.h"

#include "compiler/nir/nir_builder.h"

/* ---- rectangle textures ---- */

static bool
scale_rect(nir_builder *b, nir_instr *instr, void *data)
{
   const unsigned *first = data;
   nir_tex_instr *tex;
   nir_def *scale, *xyz;
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
   xyz = tex->src[coord].src.ssa;
   for (unsigned c = 0; c < 2; c++)
      xyz = nir_vector_insert_imm(b, xyz,
                                  nir_fmul(b, nir_channel(b, xyz, c),
                                           nir_channel(b, scale, c)), c);
   nir_src_rewrite(&tex->src[coord].src, xyz);
   tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
   return true;
}

bool
nv3p_nir_scale_rect(nir_shader *s, unsigned first)
{
   return nir_shader_instructions_pass(s, scale_rect, nir_metadata_control_flow,
                                       &first);
}

/* ---- polygon stipple ---- */

bool
nv3p_nir_stipple(nir_shader *s, unsigned unit)
{
   nir_builder b =
      nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(s)));
   nir_tex_instr *tex = nir_tex_instr_create(s, 1);
   nir_def *coord = nir_fmul_imm(
      &b, nir_trim_vector(&b, nir_load_frag_coord(&b), 2), 1.0f / 32);

   tex->op = nir_texop_tex;
   tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
   tex->coord_components = 2;
   tex->dest_type = nir_type_float32;
   tex->texture_index = tex->sampler_index = unit;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, coord);
   nir_def_init(&tex->instr, &tex->def, 4, 32);
   nir_builder_instr_insert(&b, &tex->instr);
   nir_discard_if(&b, nir_fneu_imm(&b, nir_channel(&b, &tex->def, 3), 0));
   return true;
}

/* ---- smooth points and lines ---- */

static bool
is_color(const nir_intrinsic_instr *intr)
{
   unsigned location;

   if (intr->intrinsic != nir_intrinsic_store_output)
      return false;
   location = nir_intrinsic_io_semantics(intr).location;
   return location == FRAG_RESULT_COLOR || location == FRAG_RESULT_DATA0;
}

static nir_def *
load_distances(nir_builder *b, unsigned slot)
{
   return nir_load_input(b, 4, 32, nir_imm_int(b, 0),
                         .io_semantics.location = slot,
                         .io_semantics.num_slots = 1,
                         .dest_type = nir_type_float32);
}

static bool
multiply_alpha(nir_builder *b, nir_intrinsic_instr *store, nir_def *factor)
{
   const int alpha = 3 - (int)nir_intrinsic_component(store);
   nir_def *value = store->src[0].ssa;

   if (!(nir_intrinsic_write_mask(store) & 1 << alpha))
      return false;
   value = nir_vector_insert_imm(
      b, value, nir_fmul(b, nir_channel(b, value, alpha), factor), alpha);
   nir_src_rewrite(&store->src[0], value);
   return true;
}

struct smooth {
   unsigned slot;
   bool points;
};

static bool
smooth(nir_builder *b, nir_intrinsic_instr *store, void *data)
{
   const struct smooth *smooth = data;
   nir_def *d, *x, *y, *coverage;

   if (!is_color(store))
      return false;
   b->cursor = nir_before_instr(&store->instr);
   d = load_distances(b, smooth->slot);
   x = nir_channel(b, d, 0);
   y = nir_channel(b, d, 2);
   if (smooth->points) {
      x = nir_fsqrt(b, nir_ffma(b, x, x, nir_fmul(b, y, y)));
      coverage = nir_fsat(b, nir_fsub(b, nir_channel(b, d, 1), x));
   } else {
      x = nir_fsub(b, nir_channel(b, d, 1), nir_fabs(b, x));
      y = nir_fsub(b, nir_channel(b, d, 3), nir_fabs(b, y));
      coverage = nir_fmul(b, nir_fsat(b, x), nir_fsat(b, y));
   }
   return multiply_alpha(b, store, coverage);
}

bool
nv3p_nir_smooth(nir_shader *s, unsigned slot, bool points)
{
   struct smooth data = { slot, points };

   return nir_shader_intrinsics_pass(s, smooth, nir_metadata_control_flow,
                                     &data);
}

/* ---- vertices of the draw module ---- */

static nir_def *
to_clip_coordinates(nir_builder *b, nir_def *window)
{
   nir_def *w = nir_frcp(b, nir_channel(b, window, 3));
   nir_def *xy = nir_fadd_imm(b, nir_fmul_imm(b, nir_trim_vector(b, window, 2),
                                              1 / NV3P_COPY_SCALE), -1);
   nir_def *z = nir_fmul(b, nir_channel(b, window, 2), w);

   xy = nir_fmul(b, xy, w);
   return nir_vec4(b, nir_channel(b, xy, 0), nir_channel(b, xy, 1), z, w);
}

nir_shader *
nv3p_nir_copy_vertices(const struct nir_shader_compiler_options *options,
                       uint64_t slots)
{
   nir_builder b = nir_builder_init_simple_shader(MESA_SHADER_VERTEX, options,
                                                  "copied vertices");
   unsigned attribute = 0;

   u_foreach_bit64(slot, slots) {
      nir_def *value = nir_load_input(
         &b, 4, 32, nir_imm_int(&b, 0), .base = attribute,
         .io_semantics.location = VERT_ATTRIB_GENERIC0 + attribute,
         .io_semantics.num_slots = 1, .dest_type = nir_type_float32);

      if (slot == VARYING_SLOT_POS)
         value = to_clip_coordinates(&b, value);
      else if (slot == VARYING_SLOT_PSIZ || slot == VARYING_SLOT_FOGC)
         value = nir_channel(&b, value, 0);
      nir_store_output(&b, value, nir_imm_int(&b, 0), .base = attribute,
                       .write_mask = nir_component_mask(value->num_components),
                       .io_semantics.location = slot,
                       .io_semantics.num_slots = 1,
                       .src_type = nir_type_float32);
      attribute++;
   }
   return b.shader;
}

/* ---- colour result ---- */

static bool
swap_red_blue(nir_builder *b, nir_intrinsic_instr *store, void *data)
{
   static const uint8_t place[] = { 2, 1, 0, 3 };
   unsigned component, mask, swapped = 0;
   nir_def *value, *channels[4];

   if (!is_color(store))
      return false;
   value = store->src[0].ssa;
   component = nir_intrinsic_component(store);
   mask = nir_intrinsic_write_mask(store);
   b->cursor = nir_before_instr(&store->instr);
   for (unsigned c = 0; c < 4; c++)
      channels[c] = nir_undef(b, 1, 32);
   u_foreach_bit(c, mask) {
      channels[place[component + c]] = nir_channel(b, value, c);
      swapped |= 1 << place[component + c];
   }
   nir_src_rewrite(&store->src[0], nir_vec(b, channels, 4));
   store->num_components = 4;
   nir_intrinsic_set_component(store, 0);
   nir_intrinsic_set_write_mask(store, swapped);
   return true;
}

bool
nv3p_nir_swap_red_blue(nir_shader *s)
{
   return nir_shader_intrinsics_pass(s, swap_red_blue,
                                     nir_metadata_control_flow, NULL);
}
