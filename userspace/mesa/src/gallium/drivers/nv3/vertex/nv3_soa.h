/* SPDX-License-Identifier: MIT */
#ifndef NV3_SOA_H
#define NV3_SOA_H

#include <stdint.h>

#include "class17/nv3_draw_state.h"
#include "vertex/nv3_program.h"

/* Vertices in the chip's terms as a structure of arrays. */
struct nv3_soa {
   float x[NV3_SOA_WIDTH], y[NV3_SOA_WIDTH], z[NV3_SOA_WIDTH];
   int32_t at_x[NV3_SOA_WIDTH], at_y[NV3_SOA_WIDTH];
   float rhw[NV3_SOA_WIDTH], u[NV3_SOA_WIDTH], v[NV3_SOA_WIDTH];
   uint32_t color[NV3_SOA_WIDTH], fog[NV3_SOA_WIDTH], flags[NV3_SOA_WIDTH];
} __attribute__((aligned(64)));

/*
 * The functions below process @lanes vertices, a multiple of NV3_SOA_ALIGN.
 * Arrays are aligned like registers.
 *
 * nv3_soa_project() transforms clip coordinates to x, y, z, at_x, at_y and
 * flags. It stores 1/w in @rhws.
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
 * Computes u, v and flags. If @q is not NULL, coordinates are divided by it and
 * out->rhw is @rhws times @q. Otherwise out->rhw is not written.
 */
void
nv3_soa_coordinates(const struct nv3_draw_state *state, const float *u,
                    const float *v, const float *q, const float *rhws,
                    struct nv3_soa *out, unsigned lanes);

#endif
