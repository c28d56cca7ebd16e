/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs. A method that takes long creates a job (NV3Job), which PGRAPH executes in slices.
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
 * Returns the number of remaining lines of job->rect that the slice can draw, at least
 * one line if any line remains. @cost is the cost of a line. Accounts the cost of these
 * lines.
 */
uint32_t nv3_job_lines(NV3State *s, const NV3Job *job, uint64_t cost);
/* Returns an error message if a loaded job is not valid, otherwise null. */
const char *nv3_job_check(NV3State *s);

#endif
