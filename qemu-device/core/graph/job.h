/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs: what is left of a method that takes long, which is done slice by slice (NV3Job).
 */
#ifndef NV3_GRAPH_JOB_H
#define NV3_GRAPH_JOB_H

#include "chip/chip.h"

/* Starts a job, and does its first slice. An empty rectangle is no work, and done at once. */
void nv3_job_start(NV3State *s, const NV3Job *job);
/* Does a slice of the job under way. */
NV3JobResult nv3_job_run(NV3State *s);
/*
 * How many lines of job->rect fit what is left of the slice when each costs @cost; at
 * least 1. They are charged.
 */
uint32_t nv3_job_lines(NV3State *s, const NV3Job *job, uint64_t cost);
/* What is wrong with the job under way, or null: a job that its class would not have made. */
const char *nv3_job_check(NV3State *s);

#endif
