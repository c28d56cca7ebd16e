/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs. A method that takes long leaves a job (NV3Job), which PGRAPH completes slice by
 * slice.
 */
#ifndef NV3_GRAPH_JOB_H
#define NV3_GRAPH_JOB_H

#include "chip/chip.h"

/*
 * Starts a job and does its first slice. A job with an empty rectangle completes at once.
 */
void nv3_job_start(NV3State *s, const NV3Job *job);
/* Starts a job whose first slice is done. */
void nv3_job_leave(NV3State *s, const NV3Job *job);
/* Does a slice of the current job. */
NV3JobResult nv3_job_run(NV3State *s);
/*
 * Returns how many lines of job->rect fit in the rest of the slice if each costs @cost;
 * at least 1. Accounts their cost.
 */
uint32_t nv3_job_lines(NV3State *s, const NV3Job *job, uint64_t cost);
/*
 * Checks a loaded job. Returns an error message if no class creates such a job, or
 * null.
 */
const char *nv3_job_check(NV3State *s);

#endif
