/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Class 0x17, D3D, and class 0x18, ZPOINT: what the rest of the chip uses of them. */
#ifndef NV3_3D_D3D_H
#define NV3_3D_D3D_H

#include "graph/class.h"
#include "graph/job.h"

extern const NV3Class nv3_class_d3d;
extern const NV3Class nv3_class_zpoint;

/* A slice of triangles that are large. */
NV3JobRun nv3_d3d_run;

/* Words of a vertex: FOG_TRI and the methods after it. */
#define NV3_D3D_VERTEX_WORDS    8

/*
 * As nv3_pgraph_submit(), for all words of a class 0x17 vertex, from method @mthd
 * (FOG_TRI of any vertex) on. False, and nothing is done, when that is not all there is
 * to do with them: the caller then submits them one by one.
 */
bool nv3_d3d_submit_vertex(NV3State *s, uint32_t chid, uint32_t subch,
                           uint32_t mthd,
                           const uint32_t words[NV3_D3D_VERTEX_WORDS],
                           uint32_t ctx);

#endif
