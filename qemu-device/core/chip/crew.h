/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A crew of threads that draw a batch together. The caller is one of the threads. The
 * workers access the batch only during nv3_crew_run().
 */
#ifndef NV3_CHIP_CREW_H
#define NV3_CHIP_CREW_H

typedef struct NV3Crew NV3Crew;

/*
 * Does a share of the work. @number: index of the thread, 0 for the caller of
 * nv3_crew_run(). The functions of all threads together must do all the work, even if
 * only the caller's function runs.
 */
typedef void NV3CrewFn(void *opaque, unsigned number);

/*
 * @threads: number of threads including the caller. The crew has fewer threads if the
 * system refuses to create more. Returns null if memory is exhausted.
 */
NV3Crew *nv3_crew_new(unsigned threads, NV3CrewFn *fn, void *opaque);
/* @crew may be null. */
void nv3_crew_free(NV3Crew *crew);

/* Returns the number of threads, including the caller. */
unsigned nv3_crew_threads(const NV3Crew *crew);

/*
 * Runs the function in the calling thread and in the workers. A worker that is not ready
 * before the caller's function returns does not run it. Returns when all functions have
 * returned. Only one thread at a time may call this function.
 */
void nv3_crew_run(NV3Crew *crew);

#endif
