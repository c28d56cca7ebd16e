/* SPDX-License-Identifier: MIT */
#ifndef NV3_FOG_H
#define NV3_FOG_H

#include "compiler/nv3_symbolic.h"

/* Operations; -1 for none. 1 is no fog. */
struct nv3_fog {
   int factor, color;
};

/*
 * The fog of a channel with a texel, left alone if there is none. What is left in
 * @v is without it.
 */
void
nv3_fog_extract(struct nv3_expr *expr, struct nv3_value *v, struct nv3_fog *fog);

/*
 * The same for a channel without a texel, where all is in one sum: *@scale becomes
 * what is fogged. False if there is no fog.
 */
bool
nv3_fog_extract_plain(struct nv3_expr *expr, int *scale, struct nv3_fog *fog);

#endif
