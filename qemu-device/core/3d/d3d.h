/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Class 0x17, D3D, and class 0x18, ZPOINT: their interface for the rest of the chip. */
#ifndef NV3_3D_D3D_H
#define NV3_3D_D3D_H

#include "graph/class.h"
#include "graph/job.h"

extern const NV3Class nv3_class_d3d;
extern const NV3Class nv3_class_zpoint;

/* Executes a slice of large triangles. */
NV3JobRun nv3_d3d_run;

/* Number of words of a vertex: FOG_TRI and the following methods. */
#define NV3_D3D_VERTEX_WORDS    8

/*
 * Submits all words of a class 0x17 vertex, starting with method @mthd (FOG_TRI of any
 * vertex), like nv3_pgraph_submit(). Returns false, without an effect, if one of the
 * words would switch objects, trap or notify. The caller then submits them one by one.
 */
bool nv3_d3d_submit_vertex(NV3State *s, uint32_t chid, uint32_t subch,
                           uint32_t mthd,
                           const uint32_t words[NV3_D3D_VERTEX_WORDS],
                           uint32_t ctx);

#endif
