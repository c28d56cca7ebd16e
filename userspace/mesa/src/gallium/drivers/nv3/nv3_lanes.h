/* SPDX-License-Identifier: MIT */
#ifndef NV3_LANES_H
#define NV3_LANES_H

#include <stdint.h>

#include "nv3_draw.h"
#include "nv3_program.h"

/* A vertex's words, flags and place on the screen, each of 64 vertices. */
struct nv3_lanes {
   float x[NV3_LANES], y[NV3_LANES], z[NV3_LANES];
   int32_t at_x[NV3_LANES], at_y[NV3_LANES];
   float rhw[NV3_LANES], u[NV3_LANES], v[NV3_LANES];
   uint32_t color[NV3_LANES], fog[NV3_LANES], flags[NV3_LANES];
} __attribute__((aligned(64)));

/*
 * Each for @lanes vertices, a multiple of NV3_LANE_ALIGN, from arrays that are
 * aligned as registers are.
 *
 * Clip coordinates to x, y, z, at_x, at_y and flags; 1/w goes to @rhws.
 */
void
nv3_lanes_project(const struct nv3_projection *p, const float *cx,
                  const float *cy, const float *cz, const float *cw,
                  float *rhws, struct nv3_lanes *out, unsigned lanes);

void
nv3_lanes_color(const float *red, const float *green, const float *blue,
                const float *alpha, enum nv3_alpha_use use,
                struct nv3_lanes *out, unsigned lanes);

void
nv3_lanes_fog(const float *fog, struct nv3_lanes *out, unsigned lanes);

/*
 * To u, v and flags. @q: what to divide coordinates by, and to multiply @rhws by
 * for out->rhw; or NULL, and then that is not written.
 */
void
nv3_lanes_coordinates(const struct nv3_draw_state *state, const float *u,
                      const float *v, const float *q, const float *rhws,
                      struct nv3_lanes *out, unsigned lanes);

#endif
