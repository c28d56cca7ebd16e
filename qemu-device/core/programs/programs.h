/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The class of vertex and fragment programs: its registers, and what its methods do.
 *
 * All addresses of the class are offsets in one memory, the object's DMA object. The
 * class knows it only by the functions of NV3ProgramsMemory, so it can be tested alone.
 *
 * The state that a context switch saves is NV3ProgramsContext: the words that methods
 * stored, the vertex engine's memories, and a primitive in progress.
 */
#ifndef NV3_PROGRAMS_H
#define NV3_PROGRAMS_H

#include "geometry/geom.h"
#include "nv3_programs.h"

#define NV3_PROGRAMS_METHODS    0x2000
#define NV3_PROGRAMS_VP_INSNS   NV3_VP_INSNS

typedef enum NV3ProgramsResult {
    NV3_PROGRAMS_OK,
    NV3_PROGRAMS_BAD_METHOD,
    NV3_PROGRAMS_BAD_DATA,
    NV3_PROGRAMS_FAULT,             /* memory at nv3_programs_fault() is out of reach */
    NV3_PROGRAMS_AGAIN,             /* the slice is over: repeat the method */
} NV3ProgramsResult;

/* The memory. Functions return null or false if a byte is out of reach. */
typedef struct NV3ProgramsMemory {
    /* A pointer to bytes in one piece, valid until the class is flushed. */
    uint8_t *(*map)(void *opaque, uint32_t offset, uint32_t len, bool write);
    bool (*read)(void *opaque, uint32_t offset, void *to, uint32_t len);
    bool (*write)(void *opaque, uint32_t offset, const void *from, uint32_t len);
    /* Mapped bytes that have been drawn to. */
    void (*dirty)(void *opaque, const uint8_t *from, uint32_t len);
    /* Nanoseconds, for reports. */
    uint64_t (*clock)(void *opaque);
    void *opaque;
} NV3ProgramsMemory;

typedef struct NV3ProgramsContext {
    uint32_t method[NV3_PROGRAMS_METHODS / 4];
    uint32_t program[NV3_VP_INSNS][NV3_VP_INSN_WORDS];
    uint32_t constant[NV3_VP_CONSTANTS][4];
    uint32_t attribute[NV3_VP_ATTRIBUTES][4];
    uint32_t inline_word[NV3_VP_ATTRIBUTES * 4];    /* of a vertex that is not complete */
    uint32_t inline_words;
    uint32_t samples;                               /* for GET_REPORT */
    NV3GeomPending pending;
} NV3ProgramsContext;

typedef struct NV3Programs NV3Programs;

/* Null without memory. @threads: 1 to NV3_GEOM_THREADS_MAX. */
NV3Programs *nv3_programs_new(const NV3ProgramsMemory *memory, unsigned threads);
void nv3_programs_free(NV3Programs *p);

/* OpenGL's initial state. */
void nv3_programs_reset(NV3ProgramsContext *context);

/*
 * Carries out a method. @method: a multiple of 4 below NV3_PROGRAMS_METHODS.
 *
 * A method that needs longer than the slice returns NV3_PROGRAMS_AGAIN. Then the caller
 * repeats it with another slice, and calls no other function that draws before.
 */
NV3ProgramsResult nv3_programs_method(NV3Programs *p, uint32_t method, uint32_t data);

/*
 * Limits how much the following methods do: nanoseconds of one thread, roughly, on a CPU
 * with AVX2. Initially there is no limit.
 */
void nv3_programs_set_slice(NV3Programs *p, int64_t cost);
/* The rest of the slice, which is negative if methods took longer. */
int64_t nv3_programs_slice_left(const NV3Programs *p);

/*
 * Draws all that has been assembled. To be called before software may see the results
 * or change memory that earlier methods named.
 */
NV3ProgramsResult nv3_programs_flush(NV3Programs *p);
/* The same, and forgets decoded textures: their memory has changed. Obeys the slice. */
NV3ProgramsResult nv3_programs_drop_caches(NV3Programs *p);
/*
 * True if nv3_programs_flush() has something to do: to draw, or to forget mapped memory.
 */
bool nv3_programs_has_work(const NV3Programs *p);
/* Drops the primitive in progress, everything that has not been drawn, and a method. */
void nv3_programs_drop(NV3Programs *p);
/*
 * Pages of the memory have moved. A primitive in progress continues with the new ones.
 * Must not be called while something waits to be drawn.
 */
void nv3_programs_remap(NV3Programs *p);

/* Counts of drawn and decoded work, for tests. */
typedef struct NV3ProgramsCounters {
    NV3GeomCounters geom;
    uint64_t texels;                /* decoded, or copied */
    uint64_t cleared;               /* pixels */
} NV3ProgramsCounters;

void nv3_programs_counters(const NV3Programs *p, NV3ProgramsCounters *counters);

/* The offset of the last NV3_PROGRAMS_FAULT. */
uint32_t nv3_programs_fault(const NV3Programs *p);

/* Copies the context; nv3_programs_flush() is part of it. */
NV3ProgramsResult nv3_programs_save(NV3Programs *p, NV3ProgramsContext *context);
/* True if nv3_programs_save() can give values like those that are not registers. */
bool nv3_programs_context_is_valid(const NV3ProgramsContext *context);
/*
 * False if the context is not valid. A primitive in progress continues with the next
 * method. If its state or memory is not what it was, that method fails, and no primitive
 * is in progress. Drops what has not been drawn.
 */
bool nv3_programs_load(NV3Programs *p, const NV3ProgramsContext *context);

#endif
