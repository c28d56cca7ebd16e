/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the structures and the internal functions of class 0x1f. */
#ifndef NV3_PROGRAMS_INT_H
#define NV3_PROGRAMS_INT_H

#include "programs/programs.h"

#define PROGRAMS_DRAWS      64      /* maximum number of draw states in use */
#define PROGRAMS_CODES      32      /* cached translations of fragment programs */
#define PROGRAMS_TEXTURES   64      /* decoded textures that are cached */

/*
 * A cached translation of a fragment program. The cache key consists of @control and
 * @words, a copy of the program in which all constants are 0.
 */
typedef struct ProgramsCode {
    NV3FpCode *code;
    uint32_t *words;
    unsigned count;
    uint32_t control;               /* NV3_FP_CONTROL_ bits */
    uint64_t used;
} ProgramsCode;

/*
 * A decoded texture. The cache key is @word, the texture unit's registers. If the image's
 * memory is not contiguous, @copy is a copy of this memory until the texture is decoded.
 */
typedef struct ProgramsTexture {
    NV3TexUnit *unit;
    uint8_t *copy;
    uint32_t size, copied;          /* bytes of the image, and bytes copied so far */
    uint64_t bytes;                 /* bytes of the host's memory */
    bool decoded;
    /* the memory may have changed, so the texture must be decoded again */
    bool stale;
    uint32_t owner;                 /* NV3Programs.owner */
    uint32_t word[NV3_PM_TEX_WORDS + 1];
    uint64_t used;
} ProgramsTexture;

/*
 * A mapping of memory that remains valid until the next flush. @base is null if there is
 * none.
 */
typedef struct ProgramsMapping {
    uint32_t offset;
    uint64_t size;
    uint8_t *base;
} ProgramsMapping;

struct NV3Programs {
    NV3ProgramsMemory memory;
    NV3ProgramsContext context;
    uint32_t owner;                 /* the argument of nv3_programs_load() */
    NV3GeomMemory arrays;
    NV3Geom *geom;
    NV3FpLevel level;               /* SIMD level of fragment programs */
    uint32_t fault;
    bool begun;                     /* a primitive has begun */
    bool resuming;                  /* the next method resumes the primitive */
    int64_t left;                   /* cost left in the slice */
    uint64_t texels, translated;    /* NV3ProgramsCounters */

    bool dirty;                     /* registers have changed since the last draw */
    bool input_dirty;               /* arrays, attributes, constants or indexing have */
    bool program_dirty;             /* the vertex program or its start has changed */
    NV3VpInsn insns[NV3_VP_INSNS];
    unsigned insn_count;
    NV3VpCode code;
    bool parts_dirty;               /* @position and @others are outdated */
    NV3VpCode position, others;
    NV3GeomState state;
    ProgramsMapping target[2];      /* colour and zeta */
    NV3PixopsState drawn;           /* the last targets that were used */
    unsigned draws;
    NV3FpDraw draw[PROGRAMS_DRAWS];
    /* the words of each draw's fragment program, or null */
    uint32_t *words[PROGRAMS_DRAWS];
    ProgramsCode fragment[PROGRAMS_CODES];
    ProgramsTexture texture[PROGRAMS_TEXTURES];
    NV3ProgramsLimits limits;
    uint64_t use;                   /* incremented at each use of a cache entry */
    /* value of @use at the start of the last validation */
    uint64_t use_before;
    uint64_t samples_before;
};

static inline uint32_t programs_word(const NV3Programs *p, unsigned method)
{
    return p->context.method[method / 4];
}

static inline NV3ProgramsResult programs_fault(NV3Programs *p, uint32_t offset)
{
    p->fault = offset;
    return NV3_PROGRAMS_FAULT;
}

/*
 * programs.c: maps memory like NV3ProgramsMemory.map, and charges the walk of the page
 * tables to the slice.
 */
uint8_t *nv3_programs_map(NV3Programs *p, uint32_t offset, uint64_t len, bool write);
/*
 * programs.c: fetches and transforms the vertices of all complete primitives. If @all is
 * true, also draws these primitives. Returns NV3_PROGRAMS_AGAIN if the work exceeds the
 * slice.
 */
NV3ProgramsResult nv3_programs_draw(NV3Programs *p, bool all);
/*
 * programs.c: reports the memory that drawing since the last call may have changed. The
 * next draws may have the same targets, so the next call reports them again.
 */
void nv3_programs_report_dirty(NV3Programs *p);

/* validate.c: computes the state of the following draws from the registers. */
NV3ProgramsResult nv3_programs_validate(NV3Programs *p);
/*
 * validate.c: updates the part of the state that describes vertices. The following draws
 * continue to use the last draw state, so that they are shaded together with earlier
 * draws.
 */
NV3ProgramsResult nv3_programs_validate_input(NV3Programs *p);
/*
 * validate.c: computes the formats, sizes and memory of the targets. If deferred drawing
 * has other targets, draws first. Threads draw different bins in any order, so all
 * drawing between two flushes must have the same memory for a pixel.
 */
NV3ProgramsResult nv3_programs_use_targets(NV3Programs *p, NV3PixopsState *st);
NV3GeomRect nv3_programs_clip(const NV3Programs *p);

/*
 * fragment.c: reads and translates the fragment program at FP_ACTIVE_PROGRAM, and stores
 * the translation in p->draw[@draw].
 */
NV3ProgramsResult nv3_programs_code(NV3Programs *p, unsigned draw);
/*
 * texture.c: sets *@unit to the decoded texture, or to null if the texture unit is
 * disabled. @words: method of the texture unit's first register. @size1: method of its
 * register TEX_SIZE1.
 */
NV3ProgramsResult nv3_programs_texture(NV3Programs *p, unsigned words, unsigned size1,
                                       const NV3TexUnit **unit);
void nv3_programs_drop_textures(NV3Programs *p);
/*
 * Marks the current owner's textures as stale if their memory overlaps
 * [@offset, @offset + @size).
 */
void nv3_programs_forget_texture_range(NV3Programs *p, uint64_t offset, uint64_t size);
/*
 * Marks the current owner's textures as stale if their decoding is not complete. Must be
 * called when pages of the DMA object's memory are mapped or unmapped.
 */
void nv3_programs_forget_undecoded(NV3Programs *p);
/* Drops the current owner's textures. */
void nv3_programs_drop_owned(NV3Programs *p);
void nv3_programs_drop_code(NV3Programs *p);

/* clear.c */
NV3ProgramsResult nv3_programs_clear(NV3Programs *p, uint32_t data);

#endif
