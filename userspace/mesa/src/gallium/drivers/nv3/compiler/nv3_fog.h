/* SPDX-License-Identifier: MIT */
#ifndef NV3_FOG_H
#define NV3_FOG_H

#include "compiler/nv3_symbolic.h"

/* Indices of operations, or -1 without fog. A factor of 1 means no fog. */
struct nv3_fog {
   int factor, color;
};

/*
 * Extracts the fog of a channel with a texel: fills in @fog and removes it from
 * @v. Without fog, both stay unchanged.
 */
void
nv3_fog_extract(struct nv3_expr *expr, struct nv3_value *v,
                struct nv3_fog *fog);

/*
 * The same for a channel without a texel, which is a single sum. *@scale
 * becomes the colour without fog. Returns false if there is no fog.
 */
bool
nv3_fog_extract_plain(struct nv3_expr *expr, int *scale, struct nv3_fog *fog);

#endif
