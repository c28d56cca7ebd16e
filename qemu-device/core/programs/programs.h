/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x1f draws with vertex and fragment programs. This file declares the context of
 * the class, and the functions that execute its methods.
 *
 * All addresses of the class are offsets in the memory of one DMA object. The class
 * accesses this memory only through the functions of NV3ProgramsMemory, so that tests can
 * provide their own memory.
 *
 * A context switch saves and loads NV3ProgramsContext. It contains the registers
 * (arguments that methods have stored), the vertex programs and their constants, and the
 * primitive in progress.
 */
#ifndef NV3_PROGRAMS_H
#define NV3_PROGRAMS_H

#include "api/nv3.h"
#include "geometry/geom.h"
#include "nv3_programs.h"

#define NV3_PROGRAMS_METHODS    0x2000
#define NV3_PROGRAMS_VP_INSNS   NV3_VP_INSNS
/* Initial value of MULTISAMPLE_CONTROL: multisampling is enabled for all samples. */
#define NV3_PROGRAMS_MULTISAMPLE \
    (0xffffu << NV3_PM_SAMPLE_MASK_SHIFT | NV3_PM_MULTISAMPLE_ENABLE)

typedef enum NV3ProgramsResult {
    NV3_PROGRAMS_OK,
    NV3_PROGRAMS_BAD_METHOD,
    NV3_PROGRAMS_BAD_DATA,
    NV3_PROGRAMS_FAULT,             /* access at nv3_programs_fault() failed */
    NV3_PROGRAMS_AGAIN,             /* the slice is over: repeat the method */
    NV3_PROGRAMS_TOO_LONG,          /* nv3_programs_flush() has dropped draws */
} NV3ProgramsResult;

/*
 * Functions that access the memory of the DMA object. If one of the requested bytes is
 * not accessible, @map returns null, and @read and @write return false.
 */
typedef struct NV3ProgramsMemory {
    /*
     * Returns a pointer to @len bytes at @offset, or null if the bytes are not
     * contiguous. The pointer remains valid until the next flush.
     */
    uint8_t *(*map)(void *opaque, uint32_t offset, uint32_t len, bool write);
    bool (*read)(void *opaque, uint32_t offset, void *to, uint32_t len);
    bool (*write)(void *opaque, uint32_t offset, const void *from, uint32_t len);
    /* Reports that draws have changed mapped bytes. */
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
    uint32_t inline_word[NV3_VP_ATTRIBUTES * 4];    /* words of an incomplete vertex */
    uint32_t inline_words;
    uint32_t samples;                               /* for GET_REPORT */
    NV3GeomPending pending;
} NV3ProgramsContext;

typedef struct NV3Programs NV3Programs;

/* Returns null if memory is exhausted. @threads: 1 to NV3_GEOM_THREADS_MAX. */
NV3Programs *nv3_programs_new(const NV3ProgramsMemory *memory, unsigned threads);
void nv3_programs_free(NV3Programs *p);
/* Limits the SIMD level. Results do not depend on the level. */
void nv3_programs_set_simd(NV3Programs *p, NV3Simd allowed);

/* Sets OpenGL's initial state. */
void nv3_programs_reset(NV3ProgramsContext *context);

/*
 * Executes a method. @method must be a multiple of 4 below NV3_PROGRAMS_METHODS.
 *
 * If the method exceeds the slice, the function returns NV3_PROGRAMS_AGAIN. In this case,
 * the caller must set another slice and call the function again with the same arguments.
 * Before the method has completed, the caller must not call other functions that draw.
 */
NV3ProgramsResult nv3_programs_method(NV3Programs *p, uint32_t method, uint32_t data);

/*
 * Sets the total cost that the following methods may have. Before the first call, the
 * cost has no limit. Costs are estimates of the time in nanoseconds that one thread needs
 * on a CPU with AVX2.
 */
void nv3_programs_set_slice(NV3Programs *p, int64_t cost);
/*
 * Returns the remaining cost of the slice. The result is negative if methods have
 * exceeded the limit.
 */
int64_t nv3_programs_slice_left(const NV3Programs *p);

/*
 * Draws all assembled primitives. Must be called before software reads the targets, or
 * changes memory that earlier methods use. If the cost exceeds NV3ProgramsLimits.flush,
 * drops the remaining primitives, like nv3_programs_drop(), and returns
 * NV3_PROGRAMS_TOO_LONG.
 */
NV3ProgramsResult nv3_programs_flush(NV3Programs *p);
/*
 * Draws all assembled primitives, and drops the context's decoded textures, whose
 * memory may have changed. Returns NV3_PROGRAMS_AGAIN if drawing exceeds the slice.
 */
NV3ProgramsResult nv3_programs_drop_caches(NV3Programs *p);
/*
 * Returns true if nv3_programs_flush() has work: deferred primitives to draw, or pointers
 * to mapped memory to release.
 */
bool nv3_programs_has_work(const NV3Programs *p);
/*
 * Drops the primitive in progress, the deferred drawing, and the effects of an
 * interrupted method that returned NV3_PROGRAMS_AGAIN.
 */
void nv3_programs_drop(NV3Programs *p);
/*
 * Must be called when pages of the DMA object's memory are mapped or unmapped. The caller
 * must first flush deferred drawing. A primitive in progress continues with the new
 * mapping.
 */
void nv3_programs_remap(NV3Programs *p);

/* Amounts of completed work, for benchmarks and tests. */
typedef struct NV3ProgramsCounters {
    NV3GeomCounters geom;
    uint64_t texels;                /* decoded, or copied */
    uint64_t translated;            /* fragment programs */
} NV3ProgramsCounters;

void nv3_programs_counters(const NV3Programs *p, NV3ProgramsCounters *counters);

/* Returns the size of the host memory that textures use, in bytes. */
uint64_t nv3_programs_texture_bytes(const NV3Programs *p);

/* Limits of the resources that a guest can use. */
typedef struct NV3ProgramsLimits {
    /*
     * Limits of the memory for decoded textures and their copies, in bytes. If the total
     * size exceeds @cached, the class drops textures that the current draw does not use.
     * A draw whose textures exceed @draw fails with NV3_PROGRAMS_BAD_DATA.
     */
    uint64_t cached, draw;
    int64_t flush;                  /* in the unit of nv3_programs_set_slice() */
} NV3ProgramsLimits;

#define NV3_PROGRAMS_LIMITS \
    ((NV3ProgramsLimits) { \
        .cached = 512u << 20, .draw = 1024u << 20, .flush = 1ll << 32, \
    })

/* Sets the limits, which are NV3_PROGRAMS_LIMITS by default. For tests. */
void nv3_programs_set_limits(NV3Programs *p, const NV3ProgramsLimits *limits);

/* Returns the offset of the access that caused the last NV3_PROGRAMS_FAULT. */
uint32_t nv3_programs_fault(const NV3Programs *p);

/*
 * Calls nv3_programs_flush(), and then copies the context to @context. Returns the
 * result of the flush.
 */
NV3ProgramsResult nv3_programs_save(NV3Programs *p, NV3ProgramsContext *context);
/*
 * Returns true if nv3_programs_load() accepts @context. Does not check registers, because
 * methods check the registers that they use.
 */
bool nv3_programs_context_is_valid(const NV3ProgramsContext *context);
/*
 * Loads a context, and drops deferred drawing. Returns false if the context is not valid.
 * @owner identifies the context. Textures that an earlier call with the same @owner has
 * decoded are still cached. If @initial is true, drops these textures.
 *
 * The next method continues the context's primitive in progress. If the primitive's
 * state has become invalid, or its memory has been unmapped, the method fails and the
 * primitive ends.
 */
bool nv3_programs_load(NV3Programs *p, const NV3ProgramsContext *context, uint32_t owner,
                       bool initial);

#endif
