/* SPDX-License-Identifier: MIT */
#ifndef NV3_VARIANTS_H
#define NV3_VARIANTS_H

#include "vertex/nv3_program.h"

struct nv3_shader_info;
struct nv3_vs_info;

/* Cache of linked programs. */
struct nv3_variants;

struct nv3_variants *
nv3_variants_create(void);
void
nv3_variants_destroy(struct nv3_variants *variants);

/* Must precede the deletion of any shader. */
void
nv3_variants_clear(struct nv3_variants *variants);

/*
 * Returns the program for the position (@fs is NULL) or for all other results.
 * @fs_ops contains the fragment shader's operation for each result, or -1.
 * @vs_values and @fs_values contain the values of uniform operations. Returns
 * NULL, or the reason why linking has failed.
 */
const char *
nv3_variants_get(struct nv3_variants *variants, struct nv3_program *program,
                 const struct nv3_vs_info *vs, const float *vs_values,
                 const struct nv3_shader_info *fs, const float *fs_values,
                 const int fs_ops[NV3_RESULTS]);

#endif
