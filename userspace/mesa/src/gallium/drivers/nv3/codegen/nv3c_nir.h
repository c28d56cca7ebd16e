/* SPDX-License-Identifier: MIT */
/* Declares NIR passes that prepare a shader for nir_to_tgsi(). */
#ifndef NV3C_NIR_H
#define NV3C_NIR_H

#include "codegen/nv3c.h"
#include "compiler/nir/nir.h"

/*
 * Lowers a variant of a shader to a single block without control flow. If the
 * number of iterations of some loops is not known, the copies of these loops'
 * bodies have about @budget instructions in total. Sets *@bounded to true if a
 * loop may need more iterations than there are copies of its body, otherwise to
 * false. Returns an error, or NULL.
 */
const char *
nv3c_lower_nir(nir_shader *s, unsigned budget, bool *bounded);

/* ---- inputs and outputs (nv3c_nir_io.c) ---- */

/* Output registers of vertex programs. */
enum {
   NV3C_VS_OUTPUT_POSITION = 0,
   NV3C_VS_OUTPUT_COLOR0 = 3,
   NV3C_VS_OUTPUT_COLOR1 = 4,
   NV3C_VS_OUTPUT_FOG = 5,  /* y, z, w: clip distances 0 to 2 */
   NV3C_VS_OUTPUT_SIZE = 6, /* y, z, w: clip distances 3 to 5 */
   NV3C_VS_OUTPUT_BACK_COLOR0 = 7,
   NV3C_VS_OUTPUT_BACK_COLOR1 = 8,
   NV3C_VS_OUTPUT_TEXCOORD0 = 9,
};

/* Inputs of fragment programs. */
enum {
   NV3C_FS_POSITION = 0,
   NV3C_FS_COLOR0 = 1,
   NV3C_FS_COLOR1 = 2,
   NV3C_FS_FOG = 3,
   NV3C_FS_TEXCOORD0 = 4,
   NV3C_FS_FACE = 14,
};

/*
 * Replace the inputs and outputs of a shader that was lowered by
 * nv3c_lower_nir(). @texcoord is the argument of nv3c_compile(). Return an
 * error if the class lacks an input or a result, otherwise NULL.
 *
 * nv3c_nir_assign_outputs() sets the base of each store_output of a vertex
 * shader to the output of the class that carries the varying. It removes the
 * stores of varyings that no output of the class can carry, or that the
 * fragment program does not read.
 *
 * nv3c_nir_assign_inputs() assigns texture coordinates to the varyings of a
 * fragment shader, and sets program->texcoord. It replaces each input by a
 * variable whose driver_location is the input of the class. It removes colours
 * other than the first.
 */
const char *
nv3c_nir_assign_outputs(nir_shader *s, const uint8_t *texcoord,
                        struct nv3c_program *program);
const char *
nv3c_nir_assign_inputs(nir_shader *s, const uint8_t *texcoord,
                       struct nv3c_program *program);

/* ---- loops (nv3c_nir_loops.c) ---- */

/*
 * Unrolls the first outermost loop. If the number of iterations is not known,
 * the copies of the loop's body together have about *@budget / N instructions,
 * where N is the number of outermost loops. Subtracts the instructions of the
 * copies from *@budget. Returns false if there is no loop.
 */
bool
nv3c_nir_unroll_loop(nir_shader *s, unsigned *budget);

/*
 * Removes the barriers that nv3c_nir_unroll_loop() has added after the last
 * copy of each loop body. Returns true if optimizations have left a barrier.
 * The loop of such a barrier may need more iterations than there are copies of
 * its body.
 */
bool
nv3c_nir_remove_loop_ends(nir_shader *s);

#endif
