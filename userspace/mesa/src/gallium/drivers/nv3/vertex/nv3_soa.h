/* SPDX-License-Identifier: MIT */
#ifndef NV3_SOA_H
#define NV3_SOA_H

#include <stdint.h>

#include "class17/nv3_draw_state.h"
#include "vertex/nv3_program.h"

/* A vertex's words, flags and position on the screen, each of 64 vertices. */
struct nv3_soa {
   float x[NV3_SOA_WIDTH], y[NV3_SOA_WIDTH], z[NV3_SOA_WIDTH];
   int32_t at_x[NV3_SOA_WIDTH], at_y[NV3_SOA_WIDTH];
   float rhw[NV3_SOA_WIDTH], u[NV3_SOA_WIDTH], v[NV3_SOA_WIDTH];
   uint32_t color[NV3_SOA_WIDTH], fog[NV3_SOA_WIDTH], flags[NV3_SOA_WIDTH];
} __attribute__((aligned(64)));

/*
 * Each for @lanes vertices, a multiple of NV3_SOA_ALIGN, from arrays that are
 * aligned as registers are.
 *
 * Clip coordinates to x, y, z, at_x, at_y and flags; 1/w goes to @rhws.
 */
void
nv3_soa_project(const struct nv3_projection *p, const float *cx,
                const float *cy, const float *cz, const float *cw,
                float *rhws, struct nv3_soa *out, unsigned lanes);

void
nv3_soa_color(const float *red, const float *green, const float *blue,
              const float *alpha, enum nv3_alpha_use use,
              struct nv3_soa *out, unsigned lanes);

void
nv3_soa_fog(const float *fog, struct nv3_soa *out, unsigned lanes);

/*
 * To u, v and flags. @q: what to divide coordinates by, and to multiply @rhws by
 * for out->rhw; or NULL, and then that is not written.
 */
void
nv3_soa_coordinates(const struct nv3_draw_state *state, const float *u,
                    const float *v, const float *q, const float *rhws,
                    struct nv3_soa *out, unsigned lanes);

#endif
