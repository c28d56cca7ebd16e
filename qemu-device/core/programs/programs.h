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
    NV3_PROGRAMS_TOO_LONG,          /* nv3_programs_flush() has dropped drawing */
} NV3ProgramsResult;

/* The memory. Functions return null or false if a byte is out of reach. */
typedef struct NV3ProgramsMemory {
    /*
     * Returns a pointer to contiguous bytes, which is valid until the class is flushed.
     */
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
 * Limits the work of the following methods to @cost, which is an estimate in nanoseconds
 * of one thread on a CPU with AVX2. Initially there is no limit.
 */
void nv3_programs_set_slice(NV3Programs *p, int64_t cost);
/* Returns the rest of the slice. It is negative if methods have exceeded the limit. */
int64_t nv3_programs_slice_left(const NV3Programs *p);

/*
 * Draws all assembled primitives. Must be called before software can read the targets or
 * change memory that earlier methods use. If they need more than NV3ProgramsLimits.flush,
 * drops the rest as nv3_programs_drop() does, and returns NV3_PROGRAMS_TOO_LONG.
 */
NV3ProgramsResult nv3_programs_flush(NV3Programs *p);
/*
 * Draws all assembled primitives as far as the slice allows, and drops the context's
 * decoded textures, whose memory may have changed.
 */
NV3ProgramsResult nv3_programs_drop_caches(NV3Programs *p);
/*
 * Returns true if nv3_programs_flush() would draw, or would drop pointers to memory.
 */
bool nv3_programs_has_work(const NV3Programs *p);
/*
 * Drops the primitive in progress, deferred drawing, and the method that would have been
 * repeated.
 */
void nv3_programs_drop(NV3Programs *p);
/*
 * To be called when pages of the memory have moved. A primitive in progress continues
 * with the new pages. Deferred drawing must be flushed before.
 */
void nv3_programs_remap(NV3Programs *p);

/* Counts of drawn and decoded work, for tests. */
typedef struct NV3ProgramsCounters {
    NV3GeomCounters geom;
    uint64_t texels;                /* decoded, or copied */
    uint64_t cleared;               /* pixels */
    uint64_t translated;            /* fragment programs */
    uint64_t texture_bytes;         /* of memory that textures have now */
} NV3ProgramsCounters;

void nv3_programs_counters(const NV3Programs *p, NV3ProgramsCounters *counters);

/* Limits of what a guest can demand. */
typedef struct NV3ProgramsLimits {
    /*
     * Bytes of decoded textures and copies. Above @cached, those are dropped that the
     * current draw does not use. A draw that needs more than @draw fails with
     * NV3_PROGRAMS_BAD_DATA.
     */
    uint64_t cached, draw;
    int64_t flush;                  /* as of nv3_programs_set_slice() */
} NV3ProgramsLimits;

#define NV3_PROGRAMS_LIMITS \
    ((NV3ProgramsLimits) { .cached = 512u << 20, .draw = 1024u << 20, .flush = 1ll << 32 })

/* For tests. Initially the limits are NV3_PROGRAMS_LIMITS. */
void nv3_programs_set_limits(NV3Programs *p, const NV3ProgramsLimits *limits);

/* The offset of the last NV3_PROGRAMS_FAULT. */
uint32_t nv3_programs_fault(const NV3Programs *p);

/* Copies the context. nv3_programs_flush() is part of it, with its limit. */
NV3ProgramsResult nv3_programs_save(NV3Programs *p, NV3ProgramsContext *context);
/* True if nv3_programs_save() can give values like those that are not registers. */
bool nv3_programs_context_is_valid(const NV3ProgramsContext *context);
/*
 * Returns false if the context is not valid. Drops what has not been drawn. @owner:
 * identifies the context until one of the same @owner is loaded in its @initial state.
 * Textures that the context has decoded stay decoded until then. The next method continues
 * the context's primitive in progress. If the primitive's state has become invalid, or its
 * memory has been unmapped, that method fails and the primitive ends.
 */
bool nv3_programs_load(NV3Programs *p, const NV3ProgramsContext *context, uint32_t owner,
                       bool initial);

#endif
