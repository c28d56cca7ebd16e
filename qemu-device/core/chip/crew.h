/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A crew of threads that draw a batch together: the calling thread, and workers that the
 * crew creates. The workers access the batch only from nv3_crew_start() to
 * nv3_crew_finish().
 */
#ifndef NV3_CHIP_CREW_H
#define NV3_CHIP_CREW_H

typedef struct NV3Crew NV3Crew;

/*
 * Does a share of the work. @opaque: as in nv3_crew_new(). @number: index of the thread,
 * 0 for the caller of nv3_crew_finish(). Each call should take parts of the work until no
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
 * nv3_crew_start() lets the workers call the NV3CrewFn, and returns at once. The caller
 * must then call nv3_crew_finish(), which calls the NV3CrewFn in the calling thread, and
 * returns after all calls have returned. A worker skips the call if the worker is not
 * ready before the call in the calling thread returns. Only one thread at a time may use
 * these functions.
 */
void nv3_crew_start(NV3Crew *crew);
void nv3_crew_finish(NV3Crew *crew);

/* Calls nv3_crew_start() and nv3_crew_finish(). */
void nv3_crew_run(NV3Crew *crew);

#endif
