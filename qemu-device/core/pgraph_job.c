/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs: what is left of a method that takes long. A slice is bounded by work, not
 * by lines of a guest's choosing, so one call into the core stays short.
 */
#include "nv3_int.h"

uint32_t nv3_job_lines(const NV3Job *job, uint32_t pixels)
{
    uint32_t width = job->rect.x1 - job->rect.x0;
    uint32_t left = job->rect.y1 - job->rect.y0 - job->line;
    uint32_t lines = pixels / width;

    lines = lines ? lines : 1;
    return lines < left ? lines : left;
}

NV3JobResult nv3_job_run(NV3State *s)
{
    static NV3JobResult (*const run[NV3_JOB_COUNT])(NV3State *, NV3Job *) = {
        [NV3_JOB_FILL] = nv3_fill_run,
        [NV3_JOB_TRIANGLE] = nv3_fill_run,
        [NV3_JOB_BLIT] = nv3_blit_run,
        [NV3_JOB_M2MF] = nv3_m2mf_run,
        [NV3_JOB_ITM] = nv3_itm_run,
        [NV3_JOB_SIFC] = nv3_sifc_run,
        [NV3_JOB_SIFM] = nv3_sifm_run,
    };
    NV3Job *job = &s->pgraph.job;
    NV3JobResult result = run[job->kind](s, job);

    if (result != NV3_JOB_MORE) {
        job->kind = NV3_JOB_NONE;
    }
    return result;
}

void nv3_job_start(NV3State *s, const NV3Job *job)
{
    bool has_rect = job->kind == NV3_JOB_FILL || job->kind == NV3_JOB_TRIANGLE ||
                    job->kind == NV3_JOB_BLIT;

    if (has_rect && nv3_rect_empty(&job->rect)) {
        return;
    }
    s->pgraph.job = *job;
    s->pgraph.epoch++;
    nv3_job_run(s);
}
