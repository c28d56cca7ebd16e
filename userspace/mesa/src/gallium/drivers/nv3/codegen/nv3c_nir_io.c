/* SPDX-License-Identifier: MIT */
/*
 * Implements NIR passes that assign inputs and outputs of the class.
 * nir_to_tgsi() uses the base of a store_output as the number of the output,
 * and the driver_location of an input variable as the number of the input.
 */
#include "codegen/nv3c_nir.h"

#include <string.h>

#include "compiler/nir/nir_builder.h"

/* ---- varyings ---------------------------------------------------------- */

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

/* The number of an input or output that always carries the same varying. */
struct fixed_slot {
   uint8_t slot, number;
};

static const struct fixed_slot outputs[] = {
   { VARYING_SLOT_POS, NV3C_VS_OUTPUT_POSITION },
   { VARYING_SLOT_COL0, NV3C_VS_OUTPUT_COLOR0 },
   { VARYING_SLOT_COL1, NV3C_VS_OUTPUT_COLOR1 },
   { VARYING_SLOT_FOGC, NV3C_VS_OUTPUT_FOG },
   { VARYING_SLOT_PSIZ, NV3C_VS_OUTPUT_SIZE },
   { VARYING_SLOT_BFC0, NV3C_VS_OUTPUT_BACK_COLOR0 },
   { VARYING_SLOT_BFC1, NV3C_VS_OUTPUT_BACK_COLOR1 },
};

static const struct fixed_slot inputs[] = {
   { VARYING_SLOT_POS, NV3C_FS_POSITION },
   { VARYING_SLOT_COL0, NV3C_FS_COLOR0 },
   { VARYING_SLOT_COL1, NV3C_FS_COLOR1 },
   { VARYING_SLOT_FOGC, NV3C_FS_FOG },
   { VARYING_SLOT_FACE, NV3C_FS_FACE },
};

/*
 * Returns the number of the input or output that carries the varying @slot, or
 * -1 if there is none. Texture coordinate i has the number @first + i.
 */
static int
find_number(const struct fixed_slot *fixed, unsigned count,
            const uint8_t *texcoord, unsigned first, int slot)
{
   for (unsigned i = 0; i < count; i++) {
      if (fixed[i].slot == slot)
         return fixed[i].number;
   }
   for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
      if (texcoord[i] == slot)
         return first + i;
   }
   return -1;
}

/* ---- vertex shaders ---------------------------------------------------- */

static bool
is_clip_distance(int slot)
{
   return slot == VARYING_SLOT_CLIP_DIST0 || slot == VARYING_SLOT_CLIP_DIST1;
}

static bool
stores_clip_distance(const nir_instr *instr, const void *data)
{
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic((nir_instr *)instr);

   return is_clip_distance(get_slot(intr));
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
assign_output(nir_builder *b, nir_intrinsic_instr *store, void *texcoord)
{
   unsigned component, mask;
   int slot, output;

   if (store->intrinsic != nir_intrinsic_store_output)
      return false;
   component = nir_intrinsic_component(store);
   mask = nir_intrinsic_write_mask(store);
   slot = get_slot(store);
   output = find_number(outputs, ARRAY_SIZE(outputs), texcoord,
                        NV3C_VS_OUTPUT_TEXCOORD0, slot);
   if (is_clip_distance(slot)) {
      /* The distances share the outputs for fog and for point sizes. */
      component += 4 * (slot - VARYING_SLOT_CLIP_DIST0);
      output = component < 3 ? NV3C_VS_OUTPUT_FOG : NV3C_VS_OUTPUT_SIZE;
      output = component < 6 ? output : -1;
      nir_intrinsic_set_component(store, 1 + component % 3);
   } else if (output == NV3C_VS_OUTPUT_FOG || output == NV3C_VS_OUTPUT_SIZE) {
      mask &= 1u >> component;
      nir_intrinsic_set_write_mask(store, mask);
   }
   if (output < 0 || !mask)
      nir_instr_remove(&store->instr);
   else
      set_output(b, store, output);
   return true;
}

const char *
nv3c_nir_assign_outputs(nir_shader *s, const uint8_t *texcoord,
                        struct nv3c_program *program)
{
   NIR_PASS(_, s, nir_lower_io_to_scalar, nir_var_shader_out,
            stores_clip_distance, NULL);
   NIR_PASS(_, s, nir_shader_intrinsics_pass, assign_output,
            nir_metadata_control_flow, (void *)texcoord);
   return NULL;
}

/* ---- fragment shaders -------------------------------------------------- */

/* The varyings that only texture coordinates can carry. */
#define TEXCOORD_SLOTS (BITFIELD64_RANGE(VARYING_SLOT_TEX0, 8) | \
                        BITFIELD64_BIT(VARYING_SLOT_PNTC) | \
                        BITFIELD64_RANGE(VARYING_SLOT_VAR0, 32))

struct assignment {
   uint8_t *texcoord;
   const char *error;
};

static void
assign_texcoords(struct assignment *a, uint64_t slots)
{
   unsigned count = 0;

   memset(a->texcoord, NV3C_NO_SLOT, NV3C_TEXCOORDS);
   u_foreach_bit64(slot, slots) {
      if (count == NV3C_TEXCOORDS)
         a->error = "more than 10 varyings";
      else
         a->texcoord[count++] = slot;
   }
}

static bool
replace_input(nir_builder *b, nir_intrinsic_instr *load, struct assignment *a,
              int slot)
{
   const int number = find_number(inputs, ARRAY_SIZE(inputs), a->texcoord,
                                  NV3C_FS_TEXCOORD0, slot);
   const unsigned first = nir_intrinsic_has_component(load) ?
                          nir_intrinsic_component(load) : 0;
   nir_variable *var;
   nir_def *value;

   if (number < 0) {
      a->error = "no input for a varying, or a variable index of an input";
      return false;
   }
   var = nir_get_variable_with_location(b->shader, nir_var_shader_in,
                                        VARYING_SLOT_VAR0 + number,
                                        glsl_vec4_type());
   var->data.driver_location = number;
   b->cursor = nir_before_instr(&load->instr);
   value = nir_load_var(b, var);
   value = nir_channels(b, value, BITFIELD_RANGE(first,
                                                 load->def.num_components));
   /* The class's input is 1 for front faces and -1 for back faces. */
   if (number == NV3C_FS_FACE)
      value = nir_flt_imm(b, nir_fneg(b, value), 0);
   nir_def_replace(&load->def, value);
   return true;
}

/*
 * Removes colours other than the first, and results that the class does not
 * have.
 */
static bool
filter_result(nir_intrinsic_instr *store, struct assignment *a)
{
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
      a->error = "no result for stencil values and sample masks";
      break;
   default:
      break;
   }
   nir_instr_remove(&store->instr);
   return true;
}

static bool
assign_input(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      return replace_input(b, intr, data, get_slot(intr));
   case nir_intrinsic_load_frag_coord:
      return replace_input(b, intr, data, VARYING_SLOT_POS);
   case nir_intrinsic_load_front_face:
      return replace_input(b, intr, data, VARYING_SLOT_FACE);
   case nir_intrinsic_store_output:
      return filter_result(intr, data);
   default:
      return false;
   }
}

const char *
nv3c_nir_assign_inputs(nir_shader *s, const uint8_t *texcoord,
                       struct nv3c_program *program)
{
   struct assignment a = { .texcoord = program->texcoord };

   /* Without constant offsets, inputs_read contains only used elements. */
   NIR_PASS(_, s, nir_io_add_const_offset_to_base, nir_var_shader_in);
   nir_shader_gather_info(s, nir_shader_get_entrypoint(s));
   assign_texcoords(&a, s->info.inputs_read & TEXCOORD_SLOTS);
   NIR_PASS(_, s, nir_remove_dead_variables, nir_var_shader_in, NULL);
   NIR_PASS(_, s, nir_shader_intrinsics_pass, assign_input,
            nir_metadata_control_flow, &a);
   return a.error;
}
