/* SPDX-License-Identifier: MIT */
#ifndef NV3_NIR_H
#define NV3_NIR_H

#include "compiler/nir/nir.h"

/*
 * Brings a shader to the form that nv3_shader.c and nv3_vs.c follow: inputs and
 * outputs by intrinsics, selection rather than short branches, values numbered.
 */
void
nv3_nir_prepare(nir_shader *nir, nir_lower_io_options options, bool scalar);

#endif
