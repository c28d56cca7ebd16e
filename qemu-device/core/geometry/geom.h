/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The geometry engine: from vertex arrays and indices to covered pixels.
 *
 * It fetches vertices, runs the vertex program for NV3_VP_LANES of them at a time,
 * assembles primitives, clips and culls them, and sorts them into bins of
 * NV3_GEOM_BIN x NV3_GEOM_BIN pixels. nv3_geom_flush() then draws all bins, by several
 * threads: a thread sets up the triangles of a bin, computes which pixels they cover and
 * hands blocks of 8 x 8 pixels to the fragment engine (fp/fp.h).
 *
 * One thread draws a bin, in the order of its triangles. Therefore the picture does not
 * depend on the number of threads, the SIMD level or the host.
 *
 * The engine does not depend on DMA objects or methods: its callers resolve them to
 * pointers. An engine belongs to one thread at a time; it has no lock for callers.
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
#define NV3_GEOM_POINT_MAX      256.0f  /* the largest point or line, in pixels */

/*
 * Outputs of vertex programs. Outputs 0 to 12 are those of NV2A, and this engine adds
 * those from 13 on.
 */
typedef enum NV3GeomOutput {
    NV3_GEOM_O_POSITION = 0,
    NV3_GEOM_O_COLOR0 = 3,
    NV3_GEOM_O_COLOR1 = 4,
    NV3_GEOM_O_FOG = 5,                 /* x; y, z, w: clip distances 0 to 2 (NV30) */
    NV3_GEOM_O_POINT_SIZE = 6,          /* x; y, z, w: clip distances 3 to 5 (NV30) */
    NV3_GEOM_O_BACK_COLOR0 = 7,
    NV3_GEOM_O_BACK_COLOR1 = 8,
    NV3_GEOM_O_TEXCOORD0 = 9,           /* outputs 9 to 18: ten texture coordinates */
} NV3GeomOutput;

/* Kelvin's numbers of primitives (BEGIN_END). */
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
 * Types of array elements. 0 to 6 have NV2A's numbers, 7 has NV30's, and this engine adds
 * those from 8 on.
 */
typedef enum NV3GeomType {
    NV3_GEOM_UBYTE_BGRA = 0,            /* normalised; 4 components */
    NV3_GEOM_SHORT_NORM = 1,
    NV3_GEOM_FLOAT = 2,
    NV3_GEOM_HALF = 3,
    NV3_GEOM_UBYTE_NORM = 4,
    NV3_GEOM_SHORT = 5,
    NV3_GEOM_PACKED_NORM = 6,           /* x 11, y 11, z 10 bits, signed, normalised */
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
    NV3_GEOM_NOT_BEGUN,                 /* vertices outside of a primitive */
    /* a primitive mixes vertices of arrays and inline ones */
    NV3_GEOM_MIXED,
    NV3_GEOM_OUT_OF_RANGE,              /* beyond the end of an array or index buffer */
    NV3_GEOM_AGAIN,                     /* not an error: nv3_geom_run() has more to do */
} NV3GeomError;

/*
 * A batch is drawn when its cost reaches this value for each thread. Costs are roughly
 * nanoseconds of one thread on a CPU with AVX2.
 */
#define NV3_GEOM_BATCH_COST     (1u << 18)

/*
 * The memory of arrays, for callers that do not know in advance which elements are used.
 * Offsets are those of NV3GeomArray.
 */
typedef struct NV3GeomMemory {
    /*
     * Returns a pointer to @len contiguous bytes, which is valid until the chunk is
     * drawn, or null if they are not contiguous in host memory.
     */
    const uint8_t *(*map)(void *opaque, uint64_t offset, uint64_t len);
    /* Copies bytes. Returns false if one of them can't be accessed. */
    bool (*read)(void *opaque, uint64_t offset, void *to, uint32_t len);
    void *opaque;
} NV3GeomMemory;

/* The source of an attribute: an array in memory, or a constant if @components is 0. */
typedef struct NV3GeomArray {
    /*
     * @base points to the byte at offset @start, which is followed by @size - 1 more.
     * Not set if NV3GeomState.memory is set.
     */
    const uint8_t *base;
    uint64_t start, size;
    uint64_t offset;                    /* of element 0 */
    uint16_t stride;
    uint8_t type;                       /* NV3GeomType */
    uint8_t components;                 /* 1 to 4; others are 0, 0, 0, 1 */
    uint32_t divisor;                   /* 0: per vertex; else instances per element */
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

/* The complete state of a draw. Zeroes are valid unless a field says otherwise. */
typedef struct NV3GeomState {
    /* The vertex program and its constants. They must exist while the state is used. */
    const NV3VpCode *code;
    /*
     * Optional: two parts of @code, one that computes only the position and one that
     * computes all other outputs. The engine may run them instead of @code when that
     * takes less time.
     */
    const NV3VpCode *position, *others;
    const uint32_t (*constants)[4];     /* NV3_VP_CONSTANTS */
    /* The program's texture units, with the same lifetime. Null reads as 0, 0, 0, 1. */
    const NV3TexUnit *unit[NV3_VP_UNITS];

    const NV3GeomMemory *memory;        /* null: each array points to its memory */
    NV3GeomArray array[NV3_VP_ATTRIBUTES];
    uint32_t attribute[NV3_VP_ATTRIBUTES][4];   /* if they have no array */
    uint32_t instance;                  /* the instance, for arrays with a divisor */

    bool restart;                       /* @restart_index begins another primitive */
    uint32_t restart_index;

    /*
     * Clip space to window coordinates: position / w * scale + translate. Row 0 is on
     * top.
     */
    float scale[3], translate[3];
    /* Clip space has 0 <= z <= w, else -w <= z <= w */
    bool depth_zero_to_one;
    bool depth_clamp;                   /* the near and far planes do not clip */
    uint8_t clip_planes;                /* bit i: clip distance i is used */
    NV3GeomRect scissor;                /* within the target */

    /* Front faces are counter-clockwise on the screen */
    bool front_ccw;
    bool cull_front, cull_back;
    uint8_t polygon_mode[2];            /* NV3GeomPolygonMode of front and back faces */
    bool offset_fill, offset_line, offset_point;
    float offset_factor, offset_units;  /* units: of depth, already scaled to 0 ... 1 */

    /*
     * The target has NV3_PIXOPS_SAMPLES samples a pixel, at these positions. If it has
     * not, a pixel is covered if its centre is.
     */
    bool multisample;
    NV3PixopsSample sample[NV3_PIXOPS_SAMPLES];

    float line_width;                   /* pixels; at least 1 pixel is drawn */
    bool rectangular_lines;             /* the ends are perpendicular to the line */
    float point_size;
    bool point_size_output;             /* the vertex program writes the size */
    float point_size_min, point_size_max;       /* max 0: NV3_GEOM_POINT_MAX */
    uint16_t sprite;                    /* bit i: texture coordinate i goes 0 to 1 */
    /* T is 0 in the bottom row, else in the top row */
    bool sprite_lower_left;
    /* Points and lines that are left, right, above or below the view volume are drawn. */
    bool wide_outside;

    bool flat;                          /* colours of the provoking vertex */
    bool first_provokes; /* the first vertex is the provoking one, else the last */
    bool two_sided;                     /* back faces take the back colours */

    /* The fragment engine's state. It must stay until nv3_geom_flush(). */
    const NV3FpDraw *draw;
    /* Components that its program reads: bit 0 is x */
    uint8_t inputs[NV3_FP_INPUTS];
} NV3GeomState;

/* Counts since the engine was made, for benchmarks, queries and tests. */
typedef struct NV3GeomCounters {
    uint64_t vertices;                  /* vertices for which a vertex program ran */
    uint64_t primitives;                /* points, lines and triangles assembled */
    uint64_t triangles;                 /* binned: neither clipped away nor culled */
    uint64_t blocks;                    /* handed to the fragment engine */
    uint64_t samples;                   /* that passed all tests */
} NV3GeomCounters;

typedef struct NV3Geom NV3Geom;

/*
 * For tests: a function that receives the covered blocks instead of the fragment engine.
 * Returns how many samples passed. Several threads call it at once.
 */
typedef unsigned NV3GeomShadeFn(void *opaque, const NV3FpTriangle *tri, int32_t x,
                                int32_t y, uint64_t mask);

/*
 * @threads: 1 to NV3_GEOM_THREADS_MAX, including the caller's. Returns null if
 * memory is exhausted.
 */
NV3Geom *nv3_geom_new(unsigned threads);
void nv3_geom_free(NV3Geom *g);

/* Lowers the SIMD levels to at most @level; for tests. */
void nv3_geom_set_level(NV3Geom *g, NV3VpLevel level);
void nv3_geom_set_shade(NV3Geom *g, NV3GeomShadeFn *shade, void *opaque);

/*
 * Copies the state and uses it for all following primitives. Must not be called within a
 * primitive. After NV3_GEOM_BAD_STATE, the state is unchanged.
 */
NV3GeomError nv3_geom_set_state(NV3Geom *g, const NV3GeomState *st);

NV3GeomError nv3_geom_begin(NV3Geom *g, NV3GeomPrimitive primitive);
/* Adds vertices @first to @first + @count - 1 of the arrays. */
NV3GeomError nv3_geom_arrays(NV3Geom *g, uint32_t first, uint32_t count);
/* Vertices by number. */
NV3GeomError nv3_geom_elements(NV3Geom *g, const uint32_t *index, uint32_t count);
/*
 * Adds vertices by indices of @bytes (1, 2 or 4) bytes each, which begin at @offset of
 * the @size bytes at @base; @bias is added to each.
 */
NV3GeomError nv3_geom_indices(NV3Geom *g, const uint8_t *base, uint64_t size,
                              uint64_t offset, unsigned bytes, uint32_t count,
                              uint32_t bias);
/* Adds one vertex with all its attributes. */
NV3GeomError nv3_geom_vertex(NV3Geom *g, const uint32_t attribute[NV3_VP_ATTRIBUTES][4]);
/*
 * Adds vertices whose attributes are given as words. A vertex has nv3_geom_inline_words()
 * words: its attributes in order, with the types and components of the arrays, each
 * padded to whole words.
 */
NV3GeomError nv3_geom_inline(NV3Geom *g, const uint32_t *words);
unsigned nv3_geom_inline_words(const NV3Geom *g);
NV3GeomError nv3_geom_end(NV3Geom *g);

/*
 * Fetches all vertices of complete primitives. Must be called before the vertex program,
 * its constants or the arrays' memory change.
 */
NV3GeomError nv3_geom_fetch_all(NV3Geom *g);

/* Drops the primitive in progress, and all vertices that no primitive has used yet. */
void nv3_geom_abort(NV3Geom *g);
/* The same, and drops everything that has not been drawn. */
void nv3_geom_drop(NV3Geom *g);

/*
 * Does a part of nv3_geom_fetch_all() or, if @draw is true, of nv3_geom_flush(). Stops
 * when its cost reaches @left, and subtracts the cost from @left. Returns NV3_GEOM_AGAIN
 * if there is more to do. Then the caller may only call this function again, or
 * nv3_geom_drop().
 */
NV3GeomError nv3_geom_run(NV3Geom *g, bool draw, int64_t *left);
/*
 * Returns true if the following calls would not fetch or draw anything immediately:
 * nv3_geom_begin() of @primitive; @count vertices, whose attributes are inline or in
 * arrays; nv3_geom_set_state() after nv3_geom_fetch_all().
 */
bool nv3_geom_can_begin(const NV3Geom *g, NV3GeomPrimitive primitive);
bool nv3_geom_can_add(const NV3Geom *g, unsigned count, bool inlined);
bool nv3_geom_can_set_state(const NV3Geom *g);
/* Returns true if a primitive has been assembled but not drawn. */
bool nv3_geom_has_work(const NV3Geom *g);

/*
 * Draws all assembled primitives. The engine fetches vertices when a chunk is full, or in
 * this function. The call that fetches a vertex returns the error of its fetch.
 */
NV3GeomError nv3_geom_flush(NV3Geom *g);

void nv3_geom_counters(const NV3Geom *g, NV3GeomCounters *counters);

/*
 * The primitive in progress, for save and restore: the vertices that its next vertices
 * need. Saving first draws the complete primitives.
 */
typedef struct NV3GeomPending {
    uint32_t primitive;                 /* NV3GeomPrimitive */
    uint32_t inline_vertices;           /* 1: @attribute says what the vertices are */
    uint32_t count; /* number of vertices so far; modulo 12 from 4 on */
    uint32_t kept;                      /* entries used below: 0 or 4 */
    /* Numbers of vertices: the first, the last three */
    uint32_t element[4];
    uint32_t attribute[4][NV3_VP_ATTRIBUTES][4];
} NV3GeomPending;

NV3GeomError nv3_geom_save(NV3Geom *g, NV3GeomPending *pending);
/* Must be called after nv3_geom_set_state(). Returns false if @pending is not valid. */
bool nv3_geom_restore(NV3Geom *g, const NV3GeomPending *pending);

const char *nv3_geom_error_name(NV3GeomError error);

#endif
