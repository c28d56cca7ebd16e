/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs. A method that takes a long time creates a job (NV3Job), which PGRAPH executes in
 * slices.
 */
#ifndef NV3_GRAPH_JOB_H
#define NV3_GRAPH_JOB_H

#include "chip/chip.h"

/* Starts a job and executes its first slice. Ignores a job with an empty rectangle. */
void nv3_job_start(NV3State *s, const NV3Job *job);
/* Starts a job whose first slice the caller has already executed. */
void nv3_job_leave(NV3State *s, const NV3Job *job);
/* Executes a slice of the current job. */
NV3JobResult nv3_job_run(NV3State *s);
/*
 * Returns the number of lines of job->rect that the job can draw in this slice, at least
 * 1 if a line remains. Adds the cost of these lines to the slice. @cost: cost of a line.
 */
uint32_t nv3_job_lines(NV3State *s, const NV3Job *job, uint64_t cost);
/* Returns null if the loaded job is valid, else an error message. */
const char *nv3_job_check(NV3State *s);

#endif
