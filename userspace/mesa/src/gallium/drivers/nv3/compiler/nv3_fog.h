/* SPDX-License-Identifier: MIT */
#ifndef NV3_FOG_H
#define NV3_FOG_H

#include "compiler/nv3_symbolic.h"

/*
 * The operations of the fog's factor and colour, or -1 without fog. A factor
 * of 1 means no fog.
 */
struct nv3_fog {
   int factor, color;
};

/*
 * Extracts the fog of a channel with a texel. Sets @fog, and removes the fog
 * from @v. If there is no fog, @fog and @v stay unchanged.
 */
void
nv3_fog_extract(struct nv3_expr *expr, struct nv3_value *v,
                struct nv3_fog *fog);

/*
 * Extracts the fog of a channel without a texel, which is a single sum.
 * *@scale becomes the colour without fog. Returns false if there is no fog.
 */
bool
nv3_fog_extract_plain(struct nv3_expr *expr, int *scale, struct nv3_fog *fog);

#endif
