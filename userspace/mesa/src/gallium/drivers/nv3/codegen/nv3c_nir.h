/* SPDX-License-Identifier: MIT */
/*
 * Declares NIR passes that prepare a shader for the translation to
 * instructions.
 */
#ifndef NV3C_NIR_H
#define NV3C_NIR_H

#include "compiler/nir/nir.h"

/*
 * Lowers a variant of a shader to a single block of float operations for
 * nv3c_select.c. If the number of iterations of some loops is not known, the
 * copies of these loops' bodies have about @budget instructions in total.
 * Sets *@bounded to true if a loop may need more iterations than there are
 * copies of its body, otherwise to false. Returns an error, or NULL.
 */
const char *
nv3c_lower_nir(nir_shader *s, unsigned budget, bool *bounded);

/* Reorders the instructions to reduce the number of registers in use. */
void
nv3c_schedule_nir(nir_shader *s);

/* ---- passes (nv3c_nir_passes.c) ---------------------------------------- */

/* Each pass returns true if it has changed the shader. */

/*
 * For vertex programs: replaces integer divisions and remainders by
 * multiplications with reciprocals, and corrects the rounding errors.
 */
bool
nv3c_nir_lower_division(nir_shader *s);

/*
 * Adds the constant offset of each load_uniform to the base of the
 * instruction, because nir_lower_int_to_float() does not know that the offset
 * is an integer.
 */
bool
nv3c_nir_fold_uniform_offsets(nir_shader *s);

/*
 * For vertex programs: replaces selects by sums of products with 0 and 1. In
 * the vertex engine, the product of 0 and any value is 0.
 */
bool
nv3c_nir_lower_selects(nir_shader *s);

/*
 * Merges the coordinates, the reference value, and the bias, level or
 * projector into one vec4 (nir_tex_src_backend1), because a texture
 * instruction reads one vec4. If there is a projector, sets the instruction's
 * backend_flags.
 */
bool
nv3c_nir_lower_tex_sources(nir_shader *s);

/* ---- loops (nv3c_nir_loops.c) ---- */

/*
 * Unrolls the first outermost loop. If the number of iterations is not known,
 * the copies of the loop's body together have about @budget / N instructions,
 * where N is the number of outermost loops. Returns false if there is no loop.
 */
bool
nv3c_nir_unroll_loop(nir_shader *s, unsigned budget);

/*
 * Removes the barriers that nv3c_nir_unroll_loop() has added after the last
 * copy of each loop body. Returns true if optimizations have left a barrier.
 * The loop of such a barrier may need more iterations than there are copies of
 * its body.
 */
bool
nv3c_nir_remove_loop_ends(nir_shader *s);

#endif
