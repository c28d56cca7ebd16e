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

/* ---- colour result ---- */

static bool
swap_red_blue(nir_builder *b, nir_intrinsic_instr *store, void *data)
{
   static const uint8_t place[] = { 2, 1, 0, 3 };
   unsigned component, mask, location, swapped = 0;
   nir_def *value, *channels[4];

   if (store->intrinsic != nir_intrinsic_store_output)
      return false;
   location = nir_intrinsic_io_semantics(store).location;
   if (location != FRAG_RESULT_COLOR && location != FRAG_RESULT_DATA0)
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
