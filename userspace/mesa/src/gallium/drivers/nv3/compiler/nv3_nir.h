/* SPDX-License-Identifier: MIT */
#ifndef NV3_NIR_H
#define NV3_NIR_H

#include "compiler/nir/nir.h"

/*
 * Lowers a shader to the form that nv3_shader.c and nv3_vs.c analyse:
 * intrinsics for inputs and outputs, selects instead of short branches, and
 * numbered SSA values. If @scalar is set, also splits vector operations.
 */
void
nv3_nir_prepare(nir_shader *nir, nir_lower_io_options options, bool scalar);

#endif
