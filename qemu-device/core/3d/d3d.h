/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what other folders use of class 0x17, D3D, and class 0x18, ZPOINT. */
#ifndef NV3_3D_D3D_H
#define NV3_3D_D3D_H

#include "graph/class.h"
#include "graph/job.h"

extern const NV3Class nv3_class_d3d;
extern const NV3Class nv3_class_zpoint;

/* Executes one slice of a job that draws large triangles. */
NV3JobRun nv3_d3d_run;

/* Number of words of a vertex: FOG_TRI and the seven methods after it. */
#define NV3_D3D_VERTEX_WORDS    8

/*
 * Submits all words of a vertex of class 0x17. Has the same effect as calling
 * nv3_pgraph_submit() for each word. @mthd is the method of the first word, one of the
 * FOG_TRI methods. If one of the methods would switch objects, trap or notify, returns
 * false without an effect. The caller must then submit the words one by one.
 */
bool nv3_d3d_submit_vertex(NV3State *s, uint32_t chid, uint32_t subch,
                           uint32_t mthd,
                           const uint32_t words[NV3_D3D_VERTEX_WORDS],
                           uint32_t ctx);

#endif
