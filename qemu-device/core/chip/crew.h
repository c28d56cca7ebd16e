/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A crew of threads that draw a batch together: the thread that calls nv3_crew_run(), and
 * workers that the crew creates. The workers access the batch only during nv3_crew_run().
 */
#ifndef NV3_CHIP_CREW_H
#define NV3_CHIP_CREW_H

typedef struct NV3Crew NV3Crew;

/*
 * Does a share of the work. @opaque: as in nv3_crew_new(). @number: index of the thread,
 * 0 for the caller of nv3_crew_run(). Each call should take parts of the work until no
 * part is left. The call with @number 0 must not wait for workers to take parts, because
 * it may be the only call.
 */
typedef void NV3CrewFn(void *opaque, unsigned number);

/*
 * Creates a crew. @threads: number of threads including the caller. The crew has fewer
 * threads if the system refuses to create more. Returns null if memory is exhausted.
 */
NV3Crew *nv3_crew_new(unsigned threads, NV3CrewFn *fn, void *opaque);
/* Ends the workers and frees @crew, which may be null. */
void nv3_crew_free(NV3Crew *crew);

/* Returns the number of threads, including the caller. */
unsigned nv3_crew_threads(const NV3Crew *crew);

/*
 * Calls the NV3CrewFn in the calling thread and in the workers. A worker skips the call
 * if the worker is not ready before the call in the calling thread returns. Returns after
 * all calls have returned. Only one thread at a time may use nv3_crew_run().
 */
void nv3_crew_run(NV3Crew *crew);

#endif
