/* SPDX-License-Identifier: MIT */
#ifndef NV3_VARIANTS_H
#define NV3_VARIANTS_H

#include "vertex/nv3_program.h"

struct nv3_shader_info;
struct nv3_vs_info;

/* What there was to link, and what has become of it. */
struct nv3_variants;

struct nv3_variants *
nv3_variants_create(void);
void
nv3_variants_destroy(struct nv3_variants *variants);

/* Before a shader is deleted. */
void
nv3_variants_clear(struct nv3_variants *variants);

/*
 * Either the position, where @fs is NULL, or all else. @fs_ops: which operation of
 * the fragment shader each result is, or -1 if it is not wanted.
 * @vs_values and @fs_values: the uniform operations' values. NULL, or why it can't be done.
 */
const char *
nv3_variants_get(struct nv3_variants *variants, struct nv3_program *program,
                 const struct nv3_vs_info *vs, const float *vs_values,
                 const struct nv3_shader_info *fs, const float *fs_values,
                 const int fs_ops[NV3_RESULTS]);

#endif
