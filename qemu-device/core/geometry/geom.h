/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The geometry engine converts vertex arrays and indices to covered pixels.
 *
 * The engine fetches vertices, runs the vertex program for NV3_VP_LANES vertices at a
 * time, and assembles primitives. The engine clips and culls primitives, and sorts them
 * into bins of NV3_GEOM_BIN x NV3_GEOM_BIN pixels. nv3_geom_flush() draws all bins with
 * several threads. A thread sets up the triangles of a bin, computes which pixels they
 * cover, and passes blocks of 8 x 8 pixels to the fragment engine (fp/fp.h).
 *
 * A single thread draws the triangles of a bin, or of a part of a bin, in the order of
 * submission. Therefore the picture does not depend on the number of threads. The picture
 * does not depend on the SIMD level or the host either.
 *
 * The engine does not use DMA objects or methods. Its callers translate DMA objects to
 * pointers, and methods to calls. An engine has no lock, so only one thread at a time may
 * call functions for an engine.
 */
#ifndef NV3_GEOM_H
#define NV3_GEOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fp/fp.h"
#include "vp/vp_exec.h"

#define NV3_GEOM_BIN            64      /* pixels per side */
#define NV3_GEOM_SIZE_MAX       4096    /* pixels per side of the target */
#define NV3_GEOM_SUBPIXEL_BITS  8
#define NV3_GEOM_CLIP_PLANES    6
#define NV3_GEOM_THREADS_MAX    16
#define NV3_GEOM_STRIDE_MAX     0xffff
#define NV3_GEOM_POINT_MAX      256.0f  /* maximum size of points and lines, in pixels */

/*
 * Outputs of vertex programs. NV2A has outputs 0 to 12. This engine adds outputs 13 to
 * 18.
 */
typedef enum NV3GeomOutput {
    NV3_GEOM_O_POSITION = 0,
    NV3_GEOM_O_COLOR0 = 3,
    NV3_GEOM_O_COLOR1 = 4,
    NV3_GEOM_O_FOG = 5,                /* x: fog; y, z, w: clip distances 0 to 2 (NV30) */
    NV3_GEOM_O_POINT_SIZE = 6,        /* x: size; y, z, w: clip distances 3 to 5 (NV30) */
    NV3_GEOM_O_BACK_COLOR0 = 7,
    NV3_GEOM_O_BACK_COLOR1 = 8,
    NV3_GEOM_O_TEXCOORD0 = 9,           /* outputs 9 to 18: ten texture coordinates */
} NV3GeomOutput;

/* Primitive types. The values are those of Kelvin's method BEGIN_END. */
typedef enum NV3GeomPrimitive {
    NV3_GEOM_NONE = 0,
    NV3_GEOM_POINTS = 1,
    NV3_GEOM_LINES = 2,
    NV3_GEOM_LINE_LOOP = 3,
    NV3_GEOM_LINE_STRIP = 4,
    NV3_GEOM_TRIANGLES = 5,
    NV3_GEOM_TRIANGLE_STRIP = 6,
    NV3_GEOM_TRIANGLE_FAN = 7,
    NV3_GEOM_QUADS = 8,
    NV3_GEOM_QUAD_STRIP = 9,
    NV3_GEOM_POLYGON = 10,
    NV3_GEOM_PRIMITIVES
} NV3GeomPrimitive;

/*
 * Types of array elements. NV2A has types 0 to 6, and NV30 adds type 7. This engine adds
 * all further types.
 */
typedef enum NV3GeomType {
    NV3_GEOM_UBYTE_BGRA = 0,            /* normalised; 4 components */
    NV3_GEOM_SHORT_NORM = 1,
    NV3_GEOM_FLOAT = 2,
    NV3_GEOM_HALF = 3,
    NV3_GEOM_UBYTE_NORM = 4,
    NV3_GEOM_SHORT = 5,
    NV3_GEOM_PACKED_NORM = 6,           /* signed, normalised; x: 11 bits, y: 11, z: 10 */
    NV3_GEOM_UBYTE = 7,
    NV3_GEOM_USHORT_NORM = 8,
    NV3_GEOM_USHORT = 9,
    NV3_GEOM_BYTE_NORM = 10,
    NV3_GEOM_BYTE = 11,
    NV3_GEOM_TYPES
} NV3GeomType;

typedef enum NV3GeomError {
    NV3_GEOM_OK,
    NV3_GEOM_BAD_STATE,                 /* a field of NV3GeomState is out of range */
    NV3_GEOM_BAD_PRIMITIVE,
    NV3_GEOM_NOT_BEGUN,                 /* vertices outside a primitive */
    /* a primitive has both inline vertices and vertices from arrays */
    NV3_GEOM_MIXED,
    NV3_GEOM_OUT_OF_RANGE,              /* an array or index buffer is too small */
    NV3_GEOM_AGAIN,                    /* not an error; nv3_geom_run() must be repeated */
} NV3GeomError;

/*
 * A batch is drawn when its cost, divided by the number of threads, reaches this value. A
 * cost of 1 is roughly one nanosecond of a thread on a CPU with AVX2.
 */
#define NV3_GEOM_BATCH_COST     (1u << 18)

/*
 * Functions with which the engine accesses the memory of arrays. They are for callers
 * that do not know in advance which elements the engine uses. Offsets are relative to the
 * same address as NV3GeomArray.offset.
 */
typedef struct NV3GeomMemory {
    /*
     * Returns a pointer to @len bytes. The pointer must remain valid until the vertices
     * have been fetched. Returns null if the bytes are not contiguous in host memory.
     */
    const uint8_t *(*map)(void *opaque, uint64_t offset, uint64_t len);
    /* Copies @len bytes to @to. Returns false if a byte can't be accessed. */
    bool (*read)(void *opaque, uint64_t offset, void *to, uint32_t len);
    void *opaque;
} NV3GeomMemory;

/* The source of an attribute: an array in memory, or a constant if @components is 0. */
typedef struct NV3GeomArray {
    /*
     * Memory of the array: @size bytes at @base. The first of these bytes has offset
     * @start. Not used if NV3GeomState.memory is set.
     */
    const uint8_t *base;
    uint64_t start, size;
    uint64_t offset;                    /* of element 0 */
    uint16_t stride;
    uint8_t type;                       /* NV3GeomType */
    uint8_t components;                 /* 1 to 4; defaults: 0, 0, 0, 1 */
    uint32_t divisor;           /* 0: an element per vertex; else instances per element */
} NV3GeomArray;

typedef enum NV3GeomPolygonMode {
    NV3_GEOM_FILL,
    NV3_GEOM_LINE,
    NV3_GEOM_POINT,
} NV3GeomPolygonMode;

/* A half-open rectangle of pixels. */
typedef struct NV3GeomRect {
    int32_t x0, y0, x1, y1;
} NV3GeomRect;

/*
 * The complete state of a draw. Unless a comment states otherwise, 0 is a valid value
 * of a field.
 */
typedef struct NV3GeomState {
    /*
     * The vertex program and its constants. Both must remain valid until another state
     * has been set.
     */
    const NV3VpCode *code;
    /*
     * Two parts of @code, or null. @position computes only the position, and @others
     * computes all other outputs. To save time, the engine may run these parts instead of
     * @code.
     */
    const NV3VpCode *position, *others;
    const uint32_t (*constants)[4];     /* NV3_VP_CONSTANTS */
    /*
     * The program's texture units, which must be valid as long as @code. A null unit
     * returns 0, 0, 0, 1.
     */
    const NV3TexUnit *unit[NV3_VP_UNITS];

    const NV3GeomMemory *memory;        /* null: NV3GeomArray.base is used */
    NV3GeomArray array[NV3_VP_ATTRIBUTES];
    uint32_t attribute[NV3_VP_ATTRIBUTES][4];   /* for attributes without an array */
    uint32_t instance;                  /* instance number, for arrays with a divisor */

    bool restart;                       /* @restart_index starts a new primitive */
    uint32_t restart_index;

    /* Window coordinates are position / w * scale + translate. Row 0 is the top row. */
    float scale[3], translate[3];
    /* true: clip space has 0 <= z <= w; false: -w <= z <= w */
    bool depth_zero_to_one;
    bool depth_clamp;                   /* no clipping at the near and far planes */
    uint8_t clip_planes;                /* bit i: clip distance i is used */
    NV3GeomRect scissor;                /* within the target */

    /* front faces are counter-clockwise on the screen */
    bool front_ccw;
    bool cull_front, cull_back;
    uint8_t polygon_mode[2];            /* NV3GeomPolygonMode of front and back faces */
    bool offset_fill, offset_line, offset_point;
    float offset_factor, offset_units;  /* units: a depth offset; depth is 0 to 1 */

    /*
     * true: the target has NV3_PIXOPS_SAMPLES samples for each pixel, at the positions
     * @sample; false: a triangle covers a pixel if it covers the pixel's centre
     */
    bool multisample;
    NV3PixopsSample sample[NV3_PIXOPS_SAMPLES];

    float line_width;                   /* pixels, at least 1 */
    bool rectangular_lines;             /* ends are perpendicular to the line */
    float point_size;
    bool point_size_output;             /* the vertex program writes the size */
    float point_size_min, point_size_max;       /* max 0: NV3_GEOM_POINT_MAX */
    /* bit i: texture coordinate i goes from 0 to 1 across each point */
    uint16_t sprite;
    /* true: t is 0 in the bottom row of a point; false: t is 0 in the top row */
    bool sprite_lower_left;
    /*
     * true: a point or line is drawn even if all of its vertices are outside the view
     * volume on the same side (left, right, top or bottom)
     */
    bool wide_outside;

    bool flat;                      /* a primitive has its provoking vertex's colours */
    bool first_provokes; /* true: the first vertex provokes; false: the last */
    bool two_sided;                     /* back faces have the back colours */

    /* Fragment engine state. The pointer must be valid until nv3_geom_flush(). */
    const NV3FpDraw *draw;
    /* mask of each input's components that the fragment program reads; bit 0 is x */
    uint8_t inputs[NV3_FP_INPUTS];
} NV3GeomState;

/* In each pixel of a surface, replaces the bits in @mask by those of @value. */
typedef struct NV3GeomFill {
    uint8_t *base;                      /* first pixel of the surface */
    uint32_t pitch;                     /* bytes per line */
    uint8_t bytes;                      /* size of a pixel: 2 or 4 */
    uint32_t value, mask;               /* mask 0: no surface */
} NV3GeomFill;

typedef struct NV3GeomClear {
    NV3GeomRect rect;                   /* pixels; not empty, and within the surfaces */
    uint8_t scale;                      /* samples per pixel along each axis: 1 or 2 */
    NV3GeomFill fill[2];
} NV3GeomClear;

/*
 * Counts since the engine was created, for benchmarks, queries and tests. The counts do
 * not include what worker threads are drawing.
 */
typedef struct NV3GeomCounters {
    uint64_t vertices;                  /* vertices for which the vertex program ran */
    uint64_t primitives;                /* assembled points, lines and triangles */
    uint64_t triangles;                 /* binned, so neither clipped away nor culled */
    uint64_t blocks;                    /* passed to the fragment engine */
    uint64_t samples;                   /* that passed all tests */
    uint64_t cleared;                   /* pixels and samples of all surfaces */
} NV3GeomCounters;

typedef struct NV3Geom NV3Geom;

/*
 * For tests: receives the covered blocks instead of the fragment engine. Returns the
 * number of samples that have passed all tests. Several threads may call the function at
 * the same time.
 */
typedef unsigned NV3GeomShadeFn(void *opaque, const NV3FpTriangle *tri, int32_t x,
                                int32_t y, uint64_t mask);

/*
 * @threads: number of threads including the caller, 1 to NV3_GEOM_THREADS_MAX. Returns
 * null if memory is exhausted.
 */
NV3Geom *nv3_geom_new(unsigned threads);
void nv3_geom_free(NV3Geom *g);

/* Sets the maximum SIMD level for vertex processing and coverage. */
void nv3_geom_set_level(NV3Geom *g, NV3VpLevel level);
/* Sets the maximum SIMD level for texture sampling in vertex programs. */
void nv3_geom_set_fp_level(NV3Geom *g, NV3FpLevel level);
void nv3_geom_set_shade(NV3Geom *g, NV3GeomShadeFn *shade, void *opaque);

/*
 * Sets the state of all following primitives. Copies @st. Must not be called within a
 * primitive. If a field of @st is out of range, returns NV3_GEOM_BAD_STATE and keeps the
 * current state.
 */
NV3GeomError nv3_geom_set_state(NV3Geom *g, const NV3GeomState *st);
/*
 * Like nv3_geom_set_state(), but sets only the fields from @array to @restart_index. The
 * other fields of @st are ignored. The contents of @constants may have changed. Must not
 * be called before nv3_geom_set_state().
 */
NV3GeomError nv3_geom_set_input(NV3Geom *g, const NV3GeomState *st);

NV3GeomError nv3_geom_begin(NV3Geom *g, NV3GeomPrimitive primitive);
/* Adds vertices @first to @first + @count - 1 of the arrays. */
NV3GeomError nv3_geom_arrays(NV3Geom *g, uint32_t first, uint32_t count);
/* Adds the vertices whose indices in the arrays are @index[0] to @index[@count - 1]. */
NV3GeomError nv3_geom_elements(NV3Geom *g, const uint32_t *index, uint32_t count);
/*
 * Adds @count vertices whose indices are read from memory. @base, @size: the index
 * buffer. @offset: offset of the first index in the buffer. @bytes: size of an index, 1,
 * 2 or 4. @bias: added to each index.
 */
NV3GeomError nv3_geom_indices(NV3Geom *g, const uint8_t *base, uint64_t size,
                              uint64_t offset, unsigned bytes, uint32_t count,
                              uint32_t bias);
/* Adds one vertex with all its attributes. */
NV3GeomError nv3_geom_vertex(NV3Geom *g, const uint32_t attribute[NV3_VP_ATTRIBUTES][4]);
/*
 * Adds a vertex with inline attributes. @words: the attributes in order, in
 * nv3_geom_inline_words() words. The attributes have the types and components of the
 * arrays. Each attribute is padded to whole words.
 */
NV3GeomError nv3_geom_inline(NV3Geom *g, const uint32_t *words);
unsigned nv3_geom_inline_words(const NV3Geom *g);
NV3GeomError nv3_geom_end(NV3Geom *g);

/*
 * Clears a rectangle after all primitives that nv3_geom_run() has processed. The memory
 * of the surfaces must remain valid until the next flush. Must be called only outside of
 * a primitive, after nv3_geom_run(), and if nv3_geom_can_clear() returns true.
 */
void nv3_geom_clear(NV3Geom *g, const NV3GeomClear *clear);
bool nv3_geom_can_clear(const NV3Geom *g);

/*
 * Fetches all vertices of complete primitives. The caller must call this function before
 * it changes the vertex program, its constants or the memory of arrays.
 */
NV3GeomError nv3_geom_fetch_all(NV3Geom *g);

/* Drops the primitive in progress, and all vertices that no primitive has used yet. */
void nv3_geom_abort(NV3Geom *g);
/* Like nv3_geom_abort(), and also drops all primitives that have not been drawn. */
void nv3_geom_drop(NV3Geom *g);

/*
 * Executes a part of the work of nv3_geom_fetch_all() or, if @draw is true, of
 * nv3_geom_flush(). Stops when the cost reaches @left, and subtracts the cost from @left.
 * Returns NV3_GEOM_AGAIN if work remains. The caller must then call this function again,
 * or nv3_geom_drop().
 * With @draw false, worker threads may still draw after this function has returned. They
 * have finished after nv3_geom_flush() or nv3_geom_drop().
 */
NV3GeomError nv3_geom_run(NV3Geom *g, bool draw, int64_t *left);
/*
 * Returns true if nv3_geom_begin() with @primitive would neither fetch vertices nor draw.
 */
bool nv3_geom_can_begin(const NV3Geom *g, NV3GeomPrimitive primitive);
/*
 * Returns true if a call that adds @count vertices would neither fetch vertices nor draw.
 * @inlined: the vertices have inline attributes.
 */
bool nv3_geom_can_add(const NV3Geom *g, unsigned count, bool inlined);
/*
 * Returns true if nv3_geom_set_state(), called after nv3_geom_fetch_all(), would not
 * draw.
 */
bool nv3_geom_can_set_state(const NV3Geom *g);
/* Returns true if any assembled primitive or any clear has not been drawn. */
bool nv3_geom_has_work(const NV3Geom *g);

/*
 * Draws all assembled primitives and clears. Does not return errors of earlier calls: a
 * call that could not fetch a vertex has itself returned the error.
 */
NV3GeomError nv3_geom_flush(NV3Geom *g);

void nv3_geom_counters(const NV3Geom *g, NV3GeomCounters *counters);

/*
 * A saved primitive in progress: the vertices that will form points, lines or triangles
 * together with later vertices. nv3_geom_save() first draws the complete primitives.
 */
typedef struct NV3GeomPending {
    uint32_t primitive;                 /* NV3GeomPrimitive */
    uint32_t inline_vertices;           /* 1: @attribute has the vertices; 0: @element */
    /* number of vertices, reduced by 12 whenever it reaches 16 */
    uint32_t count;
    uint32_t kept;                      /* number of entries below, 0 or 4 */
    /* indices in the arrays: the first vertex, and the last three */
    uint32_t element[4];
    uint32_t attribute[4][NV3_VP_ATTRIBUTES][4];
} NV3GeomPending;

NV3GeomError nv3_geom_save(NV3Geom *g, NV3GeomPending *pending);
/* Must be called after nv3_geom_set_state(). Returns false if @pending is not valid. */
bool nv3_geom_restore(NV3Geom *g, const NV3GeomPending *pending);

const char *nv3_geom_error_name(NV3GeomError error);

#endif
