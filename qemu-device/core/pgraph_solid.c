/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the classes that draw in one colour share (pgraph_solid.h). */
#include "pgraph_solid.h"

bool nv3_solid_in_range(const NV3Pgraph *g, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if ((uint32_t)nv3_lo16(g->vtx_x[i]) != g->vtx_x[i] ||
            (uint32_t)nv3_lo16(g->vtx_y[i]) != g->vtx_y[i]) {
            return false;
        }
    }
    return true;
}

void nv3_solid_color(NV3State *s, uint32_t data)
{
    s->pgraph.misc32[0] = data;
    s->pgraph.valid |= NV3_VALID_COLOR;
}

void nv3_solid_rect(NV3State *s, NV3Rect r)
{
    NV3Job job = { .kind = NV3_JOB_FILL, .color = s->pgraph.misc32[0] };
    NV3Clip clip;

    nv3_clip_get(s, &clip);
    job.rect = nv3_rect_intersect(r, clip.bounds);
    nv3_job_start(s, &job);
}
