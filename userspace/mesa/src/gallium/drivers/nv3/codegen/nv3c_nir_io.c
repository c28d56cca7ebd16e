/* SPDX-License-Identifier: MIT */
/*
 * Implements NIR passes that assign inputs and outputs of the class, and a
 * function that finds textures. nir_to_tgsi() uses the base of a store_output
 * as the number of the output, and the driver_location of an input variable as
 * the number of the input.
 */
#include "codegen/nv3c_nir.h"

#include <string.h>

#include "codegen/nv3c_fs_encoding.h"
#include "codegen/nv3c_vs_encoding.h"
#include "compiler/nir/nir_builder.h"

/* ---- textures ---------------------------------------------------------- */

static bool
has_target(const nir_tex_instr *tex)
{
   switch (tex->sampler_dim) {
   case GLSL_SAMPLER_DIM_2D:
   case GLSL_SAMPLER_DIM_RECT:
   case GLSL_SAMPLER_DIM_EXTERNAL:
      return !tex->is_array;
   case GLSL_SAMPLER_DIM_3D:
   case GLSL_SAMPLER_DIM_CUBE:
      return !tex->is_array && !tex->is_shadow;
   default:
      return false;
   }
}

static bool
has_operation(const nir_tex_instr *tex)
{
   return (tex->op == nir_texop_tex || tex->op == nir_texop_txb ||
           tex->op == nir_texop_txl || tex->op == nir_texop_txd) &&
          nir_tex_instr_src_index(tex, nir_tex_src_offset) < 0 &&
          nir_tex_instr_src_index(tex, nir_tex_src_texture_offset) < 0;
}

const char *
nv3c_find_textures(nir_shader *s, unsigned units,
                   struct nv3c_textures *textures)
{
   nir_foreach_block(block, nir_shader_get_entrypoint(s)) {
      nir_foreach_instr(instr, block) {
         nir_tex_instr *tex;

         if (instr->type != nir_instr_type_tex)
            continue;
         tex = nir_instr_as_tex(instr);
         if (!has_target(tex) || !has_operation(tex) ||
             tex->texture_index >= units)
            return "no instruction for a kind of texture access";
         textures->units |= 1u << tex->texture_index;
         textures->targets[tex->texture_index] = tex->sampler_dim;
         if (tex->is_shadow)
            textures->shadow |= 1u << tex->texture_index;
      }
   }
   return NULL;
}

/*
 * Returns the varying that @intr accesses, or -1 if its index is not constant.
 */
static int
get_slot(nir_intrinsic_instr *intr)
{
   nir_src *offset = nir_get_io_offset_src(intr);

   if (!nir_src_is_const(*offset))
      return -1;
   return nir_intrinsic_io_semantics(intr).location + nir_src_as_uint(*offset);
}

/* ---- vertex shaders ---------------------------------------------------- */

/*
 * Returns the output that carries the varying @slot, or -1 if the class has no
 * such output, or if the fragment program does not read the varying.
 */
static int
find_output(const uint8_t *texcoord, unsigned slot)
{
   switch (slot) {
   case VARYING_SLOT_POS:
      return NV3C_VS_OUTPUT_POSITION;
   case VARYING_SLOT_COL0:
   case VARYING_SLOT_COL1:
      return NV3C_VS_OUTPUT_COLOR0 + (slot - VARYING_SLOT_COL0);
   case VARYING_SLOT_BFC0:
   case VARYING_SLOT_BFC1:
      return NV3C_VS_OUTPUT_BACK_COLOR0 + (slot - VARYING_SLOT_BFC0);
   case VARYING_SLOT_FOGC:
      return NV3C_VS_OUTPUT_FOG;
   case VARYING_SLOT_PSIZ:
      return NV3C_VS_OUTPUT_SIZE;
   default:
      for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
         if (texcoord[i] == slot)
            return NV3C_VS_OUTPUT_TEXCOORD0 + i;
      }
      return -1;
   }
}

/*
 * Replaces a store of clip distances by one store per distance. The distances
 * share the outputs for fog and for point sizes, from component y.
 */
static void
store_distances(nir_builder *b, nir_intrinsic_instr *store, unsigned slot)
{
   b->cursor = nir_before_instr(&store->instr);
   u_foreach_bit(i, nir_intrinsic_write_mask(store)) {
      const unsigned distance = 4 * (slot - VARYING_SLOT_CLIP_DIST0) +
                                nir_intrinsic_component(store) + i;
      const unsigned output = distance < 3 ? NV3C_VS_OUTPUT_FOG :
                                             NV3C_VS_OUTPUT_SIZE;

      if (distance < 6)
         nir_store_output(b, nir_channel(b, store->src[0].ssa, i),
                          nir_imm_int(b, 0), .base = output, .write_mask = 1,
                          .component = 1 + distance % 3,
                          .src_type = nir_type_float32,
                          .io_semantics.location = VARYING_SLOT_VAR0 + output,
                          .io_semantics.num_slots = 1);
   }
   nir_instr_remove(&store->instr);
}

/*
 * Sets the number of an output. Also sets a location that is unique for this
 * number, because nir_to_tgsi() gives equal numbers to equal locations.
 */
static void
set_output(nir_builder *b, nir_intrinsic_instr *store, unsigned output)
{
   nir_intrinsic_set_base(store, output);
   nir_intrinsic_set_io_semantics(store, (nir_io_semantics){
      .location = VARYING_SLOT_VAR0 + output,
      .num_slots = 1,
   });
   b->cursor = nir_before_instr(&store->instr);
   nir_src_rewrite(&store->src[1], nir_imm_int(b, 0));
}

static bool
assign_output(nir_builder *b, nir_intrinsic_instr *store, void *data)
{
   int slot, output;

   if (store->intrinsic != nir_intrinsic_store_output)
      return false;
   slot = get_slot(store);
   if (slot == VARYING_SLOT_CLIP_DIST0 || slot == VARYING_SLOT_CLIP_DIST1) {
      store_distances(b, store, slot);
      return true;
   }
   output = slot < 0 ? -1 : find_output(data, slot);
   /* The other components of these outputs are clip distances. */
   if (output == NV3C_VS_OUTPUT_FOG || output == NV3C_VS_OUTPUT_SIZE)
      nir_intrinsic_set_write_mask(store, nir_intrinsic_write_mask(store) &
                                          1u >> nir_intrinsic_component(store));
   if (output < 0 || !nir_intrinsic_write_mask(store))
      nir_instr_remove(&store->instr);
   else
      set_output(b, store, output);
   return true;
}

bool
nv3c_nir_assign_outputs(nir_shader *s, const uint8_t *texcoord)
{
   return nir_shader_intrinsics_pass(s, assign_output,
                                     nir_metadata_control_flow,
                                     (void *)texcoord);
}

/* ---- fragment shaders -------------------------------------------------- */

struct inputs {
   uint8_t *texcoord;
   uint64_t slots;     /* varyings that texture coordinates carry */
   nir_variable *input[NV3C_FS_INPUTS];
   const char *error;
};

static bool
is_input(const nir_intrinsic_instr *intr)
{
   return intr->intrinsic == nir_intrinsic_load_input ||
          intr->intrinsic == nir_intrinsic_load_interpolated_input;
}

/*
 * Returns the varying that @intr reads, or -1 if @intr does not read a varying
 * or reads a varying whose index is not constant.
 */
static int
input_slot(nir_intrinsic_instr *intr)
{
   if (is_input(intr))
      return get_slot(intr);
   switch (intr->intrinsic) {
   case nir_intrinsic_load_frag_coord:
      return VARYING_SLOT_POS;
   case nir_intrinsic_load_point_coord:
      return VARYING_SLOT_PNTC;
   case nir_intrinsic_load_front_face:
      return VARYING_SLOT_FACE;
   default:
      return -1;
   }
}

/*
 * True if a texture coordinate must carry the varying @slot, because the
 * class has no other input for the varying.
 */
static bool
is_texcoord(unsigned slot)
{
   return (slot >= VARYING_SLOT_TEX0 && slot <= VARYING_SLOT_TEX7) ||
          slot == VARYING_SLOT_PNTC || slot >= VARYING_SLOT_VAR0;
}

static bool
collect_slot(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   const int slot = input_slot(intr);
   struct inputs *in = data;

   if (slot >= 0 && is_texcoord(slot))
      in->slots |= BITFIELD64_BIT(slot);
   if (slot < 0 && is_input(intr))
      in->error = "an input with a variable index";
   return false;
}

static void
assign_texcoords(struct inputs *in)
{
   unsigned count = 0;

   memset(in->texcoord, NV3C_NO_SLOT, NV3C_TEXCOORDS);
   u_foreach_bit64(slot, in->slots) {
      if (count == NV3C_TEXCOORDS)
         in->error = "more than 10 varyings";
      else
         in->texcoord[count++] = slot;
   }
}

static unsigned
find_input(struct inputs *in, unsigned slot)
{
   switch (slot) {
   case VARYING_SLOT_POS:
      return NV3C_FS_POSITION;
   case VARYING_SLOT_COL0:
   case VARYING_SLOT_COL1:
      return NV3C_FS_COLOR0 + (slot - VARYING_SLOT_COL0);
   case VARYING_SLOT_FOGC:
      return NV3C_FS_FOG;
   case VARYING_SLOT_FACE:
      return NV3C_FS_FACE;
   default:
      for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
         if (in->texcoord[i] == slot)
            return NV3C_FS_TEXCOORD0 + i;
      }
      in->error = "no input for a varying";
      return 0;
   }
}

/*
 * Returns the variable for input @number. nir_to_tgsi() uses the variable's
 * driver_location as the number of the input.
 */
static nir_variable *
get_variable(nir_shader *s, struct inputs *in, unsigned number)
{
   nir_variable *var = in->input[number];

   if (!var) {
      var = nir_variable_create(s, nir_var_shader_in, glsl_vec4_type(), NULL);
      var->data.location = VARYING_SLOT_VAR0 + number;
      var->data.driver_location = number;
      in->input[number] = var;
   }
   return var;
}

static bool
assign_input(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   const int slot = input_slot(intr);
   struct inputs *in = data;
   unsigned first = 0;
   nir_def *value;

   if (slot < 0)
      return false;
   if (nir_intrinsic_has_component(intr))
      first = nir_intrinsic_component(intr);
   b->cursor = nir_before_instr(&intr->instr);
   value = nir_load_var(b, get_variable(b->shader, in, find_input(in, slot)));
   value = nir_channels(b, value, BITFIELD_RANGE(first,
                                                 intr->def.num_components));
   /* The class's input is 1 for front faces and -1 for back faces. */
   if (slot == VARYING_SLOT_FACE)
      value = nir_flt_imm(b, nir_fneg(b, value), 0);
   nir_def_replace(&intr->def, value);
   return true;
}

/*
 * Removes colours other than the first. Sets in->error for other results that
 * the class does not have.
 */
static bool
filter_result(nir_builder *b, nir_intrinsic_instr *store, void *data)
{
   struct inputs *in = data;

   if (store->intrinsic != nir_intrinsic_store_output)
      return false;
   switch (nir_intrinsic_io_semantics(store).location) {
   case FRAG_RESULT_COLOR:
   case FRAG_RESULT_DATA0:
      if (!nir_intrinsic_io_semantics(store).dual_source_blend_index)
         return false;
      break;
   case FRAG_RESULT_DEPTH:
      return false;
   case FRAG_RESULT_STENCIL:
   case FRAG_RESULT_SAMPLE_MASK:
      in->error = "no result for stencil values and sample masks";
      return false;
   default:
      break;
   }
   nir_instr_remove(&store->instr);
   return true;
}

const char *
nv3c_nir_assign_inputs(nir_shader *s, uint8_t texcoord[NV3C_TEXCOORDS])
{
   struct inputs in = { .texcoord = texcoord };

   nir_shader_intrinsics_pass(s, collect_slot, nir_metadata_all, &in);
   assign_texcoords(&in);
   NIR_PASS(_, s, nir_shader_intrinsics_pass, assign_input,
            nir_metadata_control_flow, &in);
   NIR_PASS(_, s, nir_shader_intrinsics_pass, filter_result,
            nir_metadata_control_flow, &in);
   return in.error;
}
