/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs: the remaining work of methods that take a long time. The cost of a slice is
 * limited, so that each call into the core is short. The guest chooses the length of a
 * line, so a limit on the number of lines in a slice would not be sufficient.
 */
#include "chip/cost.h"
#include "graph/job.h"

uint32_t nv3_job_lines(NV3State *s, const NV3Job *job, uint64_t cost)
{
    uint32_t left = job->rect.y1 - job->rect.y0 - job->line;
    uint64_t lines;

    cost = cost ? cost : 1;
    lines = nv3_slice_left(s) / cost;
    lines = lines ? lines : 1;
    lines = lines < left ? lines : left;
    nv3_account(s, lines * cost);
    return lines;
}

NV3JobResult nv3_job_run(NV3State *s)
{
    NV3Job *job = &s->pgraph.job;
    NV3JobResult result;

    nv3_work_begin(s);
    if (s->work == NV3_WORK_NONE) {
        /*
         * Only tests run jobs outside nv3_run(). They do not start a slice, so clear the
         * cost of the previous slice.
         */
        s->cost = 0;
    }
    nv3_account(s, NV3_COST_DRAW);
    result = s->job_run[job->kind](s, job);

    if (result != NV3_JOB_MORE) {
        *job = (NV3Job) { .kind = NV3_JOB_NONE };
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
    nv3_job_leave(s, job);
    nv3_job_run(s);
}

void nv3_job_leave(NV3State *s, const NV3Job *job)
{
    s->pgraph.job = *job;
    s->pgraph.epoch++;
}

/* The maximum size of a canvas (NV3_PGRAPH_CANVAS_MASK). */
#define CANVAS_WIDTH    0x7ff
#define CANVAS_HEIGHT   0x7fff

static bool rect_ok(const NV3Job *job)
{
    const NV3Rect *r = &job->rect;

    return !nv3_rect_empty(r) && r->x0 >= 0 && r->y0 >= 0 &&
           r->x1 <= CANVAS_WIDTH && r->y1 <= CANVAS_HEIGHT &&
           job->line < (uint32_t)(r->y1 - r->y0);
}

static bool triangle_ok(const NV3Job *job)
{
    for (unsigned i = 0; i < 3; i++) {
        if (job->x[i] != (int16_t)job->x[i] ||
            job->y[i] != (int16_t)job->y[i]) {
            return false;
        }
    }
    return true;
}

/* Returns true if @d can be the difference between two 16-bit coordinates. */
static bool distance_ok(int32_t d)
{
    return d > -0x10000 && d < 0x10000;
}

static bool job_ok(const NV3Job *job)
{
    switch (job->kind) {
    case NV3_JOB_TRIANGLE:
        return rect_ok(job) && triangle_ok(job);
    case NV3_JOB_BLIT:
        return rect_ok(job) && distance_ok(job->dx) && distance_ok(job->dy);
    case NV3_JOB_D3D:
        return rect_ok(job) && job->byte < 2;
    case NV3_JOB_FILL:
    case NV3_JOB_SIFM:
        return rect_ok(job);
    case NV3_JOB_M2MF:
    case NV3_JOB_ITM:
        /*
         * The registers of PDMA limit the sizes of these jobs, so no check is necessary.
         */
        return true;
    case NV3_JOB_LINE:
        return triangle_ok(job) && job->byte < 2;
    case NV3_JOB_PROGRAMS:
        return job->byte < 2 && job->line % 4 == 0 && job->line <= NV3_FIFO_ADDR_MTHD;
    case NV3_JOB_SIFC:
        return job->byte <= 4 && (nv3_rect_empty(&job->rect) || rect_ok(job));
    case NV3_JOB_NONE:
        return true;
    case NV3_JOB_COUNT:
        break;
    }
    return false;
}

const char *nv3_job_check(NV3State *s)
{
    return job_ok(&s->pgraph.job) ? NULL :
           "no class has the job in progress";
}
