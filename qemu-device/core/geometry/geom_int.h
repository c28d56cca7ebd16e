/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private structures of the geometry engine.
 *
 * The engine collects vertices in chunks (GeomStream). A chunk has the indices of its
 * vertices in the arrays, and primitives that refer to vertices by their positions in
 * the chunk. When a chunk is complete, the engine runs the vertex program for its
 * vertices and stores the outputs in slots of the batch (GeomBatch). The engine then
 * clips, culls and bins the chunk's primitives. A batch is drawn when it is full or
 * flushed. With workers there are two batches, so that the engine can fill a batch while
 * workers draw the previous one.
 */
#ifndef NV3_GEOM_INT_H
#define NV3_GEOM_INT_H

#include <stdatomic.h>

#include "chip/crew.h"
#include "geometry/geom.h"
#include "geometry/geom_coverage.h"

#define GEOM_ONE            (1 << NV3_GEOM_SUBPIXEL_BITS)   /* a pixel in fixed point */
/*
 * The guard band: maximum magnitude of the window coordinates of drawn triangles, in
 * pixels.
 */
#define GEOM_GUARD          8191.0f

/* A chunk. */
#define GEOM_CHUNK          960  /* vertices; a multiple of 3, 4 and NV3_VP_LANES */
#define GEOM_CHUNK_SHORT    384 /* likewise; longer than one DRAW_ARRAYS or INDEX_BATCH */
#define GEOM_CHUNK_PRIMS    1024
#define GEOM_CACHE          1024        /* entries of the post-transform cache */
/* GeomStream.n is always less than this */
#define GEOM_COUNT_WRAP     16
/*
 * number of vertices that a chunk takes from the previous chunk if that ends within a
 * primitive
 */
#define GEOM_KEPT           4

/*
 * Vertex slots of a batch. The first GEOM_SLOTS slots are for vertices of chunks. They
 * are sufficient for GEOM_DRAWS small draws and a complete chunk. The next
 * GEOM_EXTRA_SLOTS slots are for vertices that clipping creates.
 */
#define GEOM_SLOTS          5120
#define GEOM_EXTRA_SLOTS    4096
#define GEOM_SLOTS_ALL      (GEOM_SLOTS + GEOM_EXTRA_SLOTS)
/*
 * The last slots hold vertices of the chunk until hidden triangles have been removed.
 */
#define GEOM_SCRATCH        GEOM_SLOTS_ALL
#define GEOM_SLOTS_TOTAL    (GEOM_SCRATCH + GEOM_CHUNK)
#define GEOM_GROUPS         (GEOM_SLOTS_TOTAL / NV3_VP_LANES)
#define GEOM_GROUP_FLOATS   (NV3_VP_OUTPUTS * 4 * NV3_VP_LANES)
#define GEOM_TRIANGLES      8192
#define GEOM_DRAWS          64
#define GEOM_CLEARS         16

#define GEOM_BIN_COLUMNS    (NV3_GEOM_SIZE_MAX / NV3_GEOM_BIN)
#define GEOM_BINS           (GEOM_BIN_COLUMNS * GEOM_BIN_COLUMNS)
#define GEOM_LINK_ENTRIES   30
#define GEOM_LINKS          32768
#define GEOM_NO_LINK        UINT16_MAX

/* Bits of GeomBatch.code[]. Most bits mean that the vertex is outside a plane. */
#define GEOM_OUT_LEFT       (1u << 0)
#define GEOM_OUT_RIGHT      (1u << 1)
#define GEOM_OUT_TOP        (1u << 2)
#define GEOM_OUT_BOTTOM     (1u << 3)
#define GEOM_OUT_NEAR       (1u << 4)
#define GEOM_OUT_FAR        (1u << 5)
#define GEOM_OUT_PLANE(i)   (1u << (6 + (i)))   /* clip distance i is negative */
#define GEOM_OUT_W          (1u << 12)          /* w is not positive */
#define GEOM_OUT_GUARD      (1u << 13)          /* outside the guard band */
#define GEOM_NOT_A_NUMBER   (1u << 14)
/* If all vertices of a primitive share one of these bits, the primitive is invisible. */
#define GEOM_REJECT         0xfffu
/* If any vertex of a primitive has any of these bits, the primitive must be clipped. */
#define GEOM_CLIP           (GEOM_OUT_NEAR | GEOM_OUT_FAR | 0xfc0u | GEOM_OUT_W | \
                             GEOM_OUT_GUARD)

/*
 * A primitive. @v holds the positions of its vertices in the chunk. Points have one
 * vertex, and lines have two. Element GEOM_PROVOKING is the provoking vertex.
 */
#define GEOM_PROVOKING      3
typedef uint16_t GeomCorners __attribute__((vector_size(8)));

typedef struct GeomPrim {
    GeomCorners v;
    uint8_t edges;              /* bit i: the edge that starts at v[i] is an outline */
} GeomPrim;

typedef struct GeomStream {
    NV3GeomPrimitive primitive; /* NV3_GEOM_NONE if no primitive is in progress */
    bool inlined; /* the vertices are inline; false if the chunk is empty */
    /*
     * number of the primitive's vertices; reduced by 12 whenever it reaches
     * GEOM_COUNT_WRAP
     */
    unsigned n;
    /* positions in the chunk of the primitive's first vertex and last three vertices */
    uint16_t first, last[3];

    unsigned vertices, prims;
    /*
     * The first @listed primitives are separate triangles, and @prim does not store them.
     * Triangle i has the vertices 3 * i to 3 * i + 2.
     */
    unsigned listed;
    uint8_t corners;            /* number of vertices of each @prim: 1 to 3 */
    /* element i is element[0] + i; only the first entry of @element is valid */
    bool sequential;
    uint32_t element[GEOM_CHUNK];
    uint16_t slot[GEOM_CHUNK];
    GeomPrim prim[GEOM_CHUNK_PRIMS];
    /* inline vertices, whose indices are in element[] */
    uint32_t (*attribute)[NV3_VP_ATTRIBUTES][4];
    unsigned inline_vertices;

    /*
     * Post-transform cache. An entry is valid if its @chunk is the number of the current
     * chunk. @number is the position of @element in NV3Geom.unique.
     */
    struct {
        uint32_t element;
        uint32_t chunk;
        uint16_t number;
    } cache[GEOM_CACHE];
    uint32_t chunk;
} GeomStream;

/* An interpolated input of a draw's fragment program. */
typedef struct GeomVarying {
    uint8_t input;              /* NV3FpInput */
    uint8_t output[2]; /* vertex program outputs: front faces, back faces */
    uint8_t mask;               /* components */
    bool flat;
    bool sprite;                /* points have generated values instead */
} GeomVarying;

/* State of a draw in the batch. */
typedef struct GeomDraw {
    NV3GeomState st;
    unsigned varyings;
    GeomVarying varying[NV3_FP_INPUTS];
    uint32_t outputs;           /* mask of vertex program outputs to store */
    unsigned output_count;
    uint8_t output[NV3_VP_OUTPUTS];     /* the stored outputs in order */
    bool filled;                /* both polygon modes are FILL */
    uint32_t block_cost;        /* cost of 8 x 8 pixels */
    uint32_t begin_cost;        /* cost of nv3_fp_begin() */
    unsigned chunk;             /* maximum number of vertices of a chunk */
} GeomDraw;

/* Flags of binned triangles. */
#define GEOM_TRI_BACK       (1u << 0)
#define GEOM_TRI_SPRITE     (1u << 1)   /* half of a point; slot[0]: top left corner */
#define GEOM_TRI_OFFSET     (1u << 2)   /* set-up adds the polygon offset */
#define GEOM_TRI_CLEAR      (1u << 3)   /* no triangle, but GeomBatch.clear[slot[0]] */

typedef struct GeomTriangle {
    uint16_t slot[3];
    uint16_t provoking;
    uint16_t draw;
    uint16_t flags;
} GeomTriangle;

typedef struct GeomLink {
    uint16_t next;
    uint16_t triangle[GEOM_LINK_ENTRIES];
} GeomLink;

typedef struct GeomBin {
    uint16_t head, tail;
    uint16_t used;              /* entries of the tail */
    uint16_t draw;              /* of the last triangle */
    uint32_t cost;
    uint32_t begin_cost;        /* of changes of the draw, in each part of the bin */
    atomic_uint taken;          /* number of parts that threads have started to draw */
} GeomBin;

typedef struct GeomBatch {
    unsigned slots, extra_slots, triangles, draws, clears, links, bins;
    uint64_t cost;              /* of all bins */
    uint32_t largest_cost;      /* largest cost of a triangle in one bin */
    /*
     * Vertices, indexed by slot: window coordinates in fixed point, depth, 1 / w,
     * GEOM_OUT_*.
     */
    int32_t x[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    int32_t y[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    float z[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    float rhw[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    uint32_t code[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    GeomTriangle triangle[GEOM_TRIANGLES];
    GeomDraw draw[GEOM_DRAWS];
    NV3GeomClear clear[GEOM_CLEARS];
    uint16_t used[GEOM_BINS];   /* bins that are not empty */
    GeomBin bin[GEOM_BINS];
    GeomLink link[GEOM_LINKS];
    /* vertex program outputs, ordered by group of slots, output, component and slot */
    float *output;
} GeomBatch;

/*
 * Copies of parts of arrays. The copies are valid until the vertex program has run for
 * the chunk.
 */
typedef struct GeomStaging {
    uint8_t *bytes;
    size_t size;
} GeomStaging;

/* Number of parts into which a vertex program may be split. */
#define GEOM_PASSES         2

typedef struct GeomPass {
    NV3VpFile *file;
    const NV3VpCode *loaded;    /* program whose constants are in @file, or null */
} GeomPass;

typedef enum GeomFetchKind {
    GEOM_FETCH_NOTHING,         /* no array */
    GEOM_FETCH_FLOATS,
    GEOM_FETCH_BYTES,           /* four normalised components */
    GEOM_FETCH_ELEMENTS,        /* other types, or elements may be out of range */
} GeomFetchKind;

/* Array elements: vertex i has element number[i], or @first + i if @number is null. */
typedef struct GeomElements {
    const uint32_t *number;
    uint32_t first;
} GeomElements;

static inline uint32_t nv3_geom_element(const GeomElements *e, unsigned i)
{
    return e->number ? e->number[i] : e->first + i;
}

/* How the chunk's elements of one array are fetched. */
typedef struct GeomFetch {
    uint8_t kind;               /* GeomFetchKind */
    uint8_t components;
    bool bgra;
    bool safe;                  /* all elements are in range */
    uint32_t first, last;       /* elements */
    const uint8_t *base;        /* of element @first */
    uint64_t stride;
} GeomFetch;

struct NV3Geom {
    GeomStream stream;
    GeomStaging staging;
    GeomFetch fetch[NV3_VP_ATTRIBUTES];
    /*
     * The engine fills @batch. If there are workers, they can draw one batch while the
     * engine fills the other. @other is null without workers, or if its memory could not
     * be allocated.
     */
    GeomBatch *batch, *other;
    GeomBatch *drawn;           /* the batch that is being drawn, or null */
    GeomDraw *draw;             /* the last draw of @batch */
    /* The progress of nv3_geom_run(). */
    bool transformed;           /* the chunk's vertices have been transformed */
    unsigned next_prim;
    int64_t tested_bins;        /* calls of misses(), times the samples of a pixel */
    GeomPass pass[GEOM_PASSES];
    uint32_t unique[GEOM_CHUNK];        /* elements of an indexed chunk */
    NV3VpLevel level;
    NV3FpLevel fp_level;        /* SIMD level for textures of vertex programs */
    NV3GeomShadeFn *shade;
    void *shade_opaque;
    NV3GeomCounters counters;

    /* Threads (geom_bins.c). Each thread has an NV3FpThread. */
    NV3Crew *crew;
    unsigned threads;           /* including the caller */
    NV3FpThread *fp[NV3_GEOM_THREADS_MAX];
    unsigned parts;     /* number of parts into which each bin of @drawn is divided */
    unsigned first;             /* first part to draw; parts are counted over all bins */
    unsigned end;               /* end of the parts to draw, exclusive */
    bool started;               /* the threads have started to draw these parts */
    bool shared;                /* workers draw some of these parts */
    atomic_uint free_parts;     /* number of parts before @end that no thread has taken */
    atomic_uint_fast64_t blocks, samples, cleared;
};

static inline int32_t nv3_geom_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t nv3_geom_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Returns a pointer to component @c of output @output of the vertex in @slot. */
static inline float *nv3_geom_output(const GeomBatch *b, unsigned slot, unsigned output,
                                     unsigned c)
{
    return b->output + (size_t)(slot / NV3_VP_LANES) * GEOM_GROUP_FLOATS +
           (output * 4 + c) * NV3_VP_LANES + slot % NV3_VP_LANES;
}

/*
 * Returns twice the triangle's area in fixed point. The result is positive if the
 * vertices are clockwise on the screen.
 */
static inline int64_t nv3_geom_area(const GeomBatch *b, unsigned v0, unsigned v1,
                                    unsigned v2)
{
    return (int64_t)(b->x[v1] - b->x[v0]) * (b->y[v2] - b->y[v0]) -
           (int64_t)(b->x[v2] - b->x[v0]) * (b->y[v1] - b->y[v0]);
}

/*
 * geom_fetch.c: maps the parts of arrays with vertices @first to @last, and copies the
 * parts that are not contiguous. Must be called only if st->memory is set. @vertices:
 * number of vertices that are used.
 */
void nv3_geom_map_arrays(GeomStaging *staging, NV3GeomState *st, uint32_t attributes,
                         uint32_t first, uint32_t last, unsigned vertices);
/*
 * nv3_geom_prepare_fetch() selects how vertices @first to @last of the arrays are
 * fetched, and returns true if no fetch can fail. nv3_geom_prepare_inline() selects how
 * inline vertices are fetched.
 */
bool nv3_geom_prepare_fetch(GeomFetch fetch[NV3_VP_ATTRIBUTES], const NV3GeomState *st,
                            uint32_t attributes, uint32_t first, uint32_t last);
void nv3_geom_prepare_inline(GeomFetch fetch[NV3_VP_ATTRIBUTES],
                             uint32_t (*vertex)[NV3_VP_ATTRIBUTES][4]);
/* Stores the values of attributes without an array in @file, for all following groups. */
void nv3_geom_fetch_numbers(NV3VpFile *file, const NV3GeomState *st, uint32_t attributes,
                            const GeomFetch fetch[NV3_VP_ATTRIBUTES]);
/*
 * Fetches attributes with an array. @lanes: number of vertices, a multiple of 16.
 * Returns false if an element is out of range.
 */
bool nv3_geom_fetch(NV3VpFile *file, const NV3GeomState *st, uint32_t attributes,
                    const GeomFetch fetch[NV3_VP_ATTRIBUTES], const GeomElements *e,
                    unsigned lanes, NV3VpLevel level);
/*
 * Fetches an array of floats to the four slots of an attribute. @wide: true if 16 bytes
 * of each element can be read.
 */
typedef void NV3GeomFloatsFn(NV3VpSlot slot[4], const GeomFetch *f,
                             const GeomElements *e, unsigned lanes, bool wide);
NV3GeomFloatsFn nv3_geom_fetch_floats_generic, nv3_geom_fetch_floats_avx2,
                nv3_geom_fetch_floats_avx512;
/* Converts one element of an array. @from: bytes of the element. */
void nv3_geom_convert(uint32_t value[4], unsigned type, unsigned components,
                      const uint8_t *from);
unsigned nv3_geom_element_bytes(unsigned type, unsigned components);

/*
 * geom_vertex.c: runs the vertex program for the chunk's vertices. The batch must have
 * GEOM_CHUNK free slots.
 */
NV3GeomError nv3_geom_transform(NV3Geom *g);
/*
 * Allocates the register file of each pass, and sets the function with which the pass
 * samples textures. Returns false if memory is exhausted.
 */
bool nv3_geom_init_passes(NV3Geom *g);
void nv3_geom_free_passes(NV3Geom *g);
/*
 * geom_project.c: functions that compute window coordinates and codes.
 * nv3_geom_project_one() projects the position output of one slot. nv3_geom_project()
 * projects @position to the first @count slots of the group that starts at @slot.
 */
void nv3_geom_project_one(GeomBatch *b, const GeomDraw *draw, unsigned slot);
void nv3_geom_project(GeomBatch *b, const GeomDraw *draw, unsigned slot,
                      const float *const position[4], unsigned count,
                      NV3VpLevel level);
/*
 * Arrays for the results of a group: coordinates in fixed point, depth, 1 / w, and
 * GEOM_OUT_* codes. Each array is aligned to 64 bytes.
 */
typedef struct GeomProjected {
    int32_t *x, *y;
    float *z, *rhw;
    uint32_t *code;
} GeomProjected;
typedef void NV3GeomProjectFn(const GeomProjected *out, const NV3GeomState *st,
                              const float *const position[4], unsigned count);
/*
 * Vertices of a list of triangles: coordinates in fixed point and GEOM_OUT_* codes. The
 * arrays must be readable up to the end of the last vector. @clockwise,
 * @counter_clockwise: true if triangles with this winding are culled.
 */
typedef struct NV3GeomCull {
    const int32_t *x, *y;
    const uint32_t *code;
    bool clockwise, counter_clockwise;
} NV3GeomCull;
/*
 * Lists, in order, those of the first @count triangles that may be visible. Returns the
 * length of the list. The list contains all visible triangles, and may contain hidden
 * triangles.
 */
typedef unsigned NV3GeomCullFn(uint16_t *visible, const NV3GeomCull *c, unsigned count);
NV3GeomCullFn nv3_geom_cull_generic, nv3_geom_cull_avx2, nv3_geom_cull_avx512;
NV3GeomProjectFn nv3_geom_project_generic, nv3_geom_project_avx2, nv3_geom_project_avx512;
/* Returns a slot for a new vertex, or GEOM_NO_LINK if no slot is free. */
unsigned nv3_geom_extra_slot(GeomBatch *b);

/* geom_stream.c: transforms the chunk's vertices and bins its primitives. */
NV3GeomError nv3_geom_finish_chunk(NV3Geom *g);
/*
 * If the chunk is sequential, stores the indices of its elements and clears @sequential.
 */
void nv3_geom_store_elements(GeomStream *s);
/* Starts a new chunk with the vertices that the primitive in progress needs. */
void nv3_geom_keep_vertices(GeomStream *s);
/* Returns primitive @i of the chunk. */
GeomPrim nv3_geom_prim(const NV3Geom *g, unsigned i);
/* Bins primitive @i of the chunk. */
void nv3_geom_add_prim(NV3Geom *g, unsigned i);

/* geom_prims.c: returns true if the batch has room for a primitive. */
bool nv3_geom_has_room(const NV3Geom *g);
/* Clip, cull and bin a primitive. @slot, @provoking: slots of its vertices. */
void nv3_geom_point(NV3Geom *g, unsigned slot);
void nv3_geom_line(NV3Geom *g, const uint16_t slot[2], unsigned provoking);
void nv3_geom_triangle(NV3Geom *g, const uint16_t slot[3], unsigned provoking,
                       unsigned edges);

/* geom_clip.c */
#define GEOM_POLYGON_MAX    (3 + 12)
/*
 * geom_clip.c: clips a line (@count 2) or a triangle (@count 3). Replaces the vertices
 * in @slot. Returns the new number of vertices, or 0 if nothing is visible.
 */
unsigned nv3_geom_clip(GeomBatch *b, const GeomDraw *draw, uint16_t *slot, unsigned count,
                       unsigned *edges);

/*
 * geom_setup.c: computes edges relative to a bin. Returns false if an edge or the
 * bounding box excludes all pixels of the bin.
 */
bool nv3_geom_edges(const GeomBatch *b, const GeomTriangle *t, int32_t bin_x,
                    int32_t bin_y, NV3GeomEdges *edges);

/*
 * Group set-up computes edges only for triangles with at most this width and height, in
 * pixels.
 */
#define GEOM_SMALL  31

/* Triangles of one draw that are set up together. */
typedef struct GeomGroup {
    NV3FpTriangles fp;
    const GeomTriangle *triangle[NV3_FP_GROUP];
    unsigned count;
    bool sprite;                /* all triangles have GEOM_TRI_SPRITE; else none */
    /*
     * @small is all ones for triangles that are at most GEOM_SMALL pixels wide and high.
     * @hit is all ones if the bounding box contains the centre of a pixel of the bin. The
     * other arrays are the fields of NV3GeomEdges. @a, @b, @c and @single are undefined
     * for triangles that are not small.
     */
    int32_t small[NV3_FP_GROUP] __attribute__((aligned(32)));
    int32_t hit[NV3_FP_GROUP];
    int32_t a[3][NV3_FP_GROUP], b[3][NV3_FP_GROUP], c[3][NV3_FP_GROUP];
    int32_t block_x0[NV3_FP_GROUP], block_y0[NV3_FP_GROUP];
    int32_t block_x1[NV3_FP_GROUP], block_y1[NV3_FP_GROUP];
    int32_t single[NV3_FP_GROUP], single_x[NV3_FP_GROUP], single_y[NV3_FP_GROUP];
} GeomGroup;

/*
 * Sets up the triangles of @g: computes their planes, ranges of blocks, and edges
 * relative to the bin.
 */
typedef void NV3GeomSetupFn(const GeomBatch *b, GeomGroup *g, int32_t bin_x,
                            int32_t bin_y);
NV3GeomSetupFn nv3_geom_setup_generic, nv3_geom_setup_avx2, nv3_geom_setup_avx512;
void nv3_geom_setup(NV3VpLevel level, const GeomBatch *b, GeomGroup *g, int32_t bin_x,
                    int32_t bin_y);
/* Copies the planes of triangle @i of a group. */
void nv3_geom_get_triangle(NV3FpTriangle *tri, const GeomBatch *b, const GeomGroup *g,
                           unsigned i);

/* Like NV3GeomCovered, with a mask for each sample. A mask may be 0. */
typedef struct GeomSampled {
    uint64_t mask[NV3_PIXOPS_SAMPLES];
    uint8_t x, y;
} GeomSampled;

/*
 * geom_samples.c: lists the blocks of the bin with covered samples, in any order.
 * Returns the number of blocks.
 */
unsigned nv3_geom_cover_samples(NV3VpLevel level, const GeomBatch *b,
                                const GeomTriangle *t, int32_t bin_x, int32_t bin_y,
                                GeomSampled sampled[64]);
/* Returns true if an edge or the bounding box excludes all samples of the bin. */
bool nv3_geom_misses_samples(const GeomBatch *b, const GeomTriangle *t, int32_t bin_x,
                             int32_t bin_y);

/*
 * geom_bins.c: computes the rectangle of pixels that have their centre in the triangle's
 * bounding box and are in the scissor. With multisampling, the rectangle contains all
 * pixels in the scissor that overlap the box. Returns false if the rectangle is empty.
 */
bool nv3_geom_box(NV3GeomRect *box, const GeomBatch *b, const uint16_t slot[3],
                  const NV3GeomState *st);
/* Adds a triangle to its bins. The batch must have room. */
void nv3_geom_bin(NV3Geom *g, const GeomTriangle *t);
/* Adds triangle @triangle to bin @n. @cost: of the part that is in the bin. */
void nv3_geom_push(GeomBatch *b, unsigned n, unsigned triangle, uint32_t cost);
/*
 * geom_clear.c: clears the part of a clear's rectangle that is in @part. Returns the
 * number of cleared pixels (or samples) of both surfaces.
 */
uint64_t nv3_geom_clear_part(const NV3GeomClear *clear, const NV3GeomRect *part);
/* geom_engine.c: returns true if the batch must be drawn before more is added. */
bool nv3_geom_is_full(const NV3Geom *g);
/*
 * Starts to draw g->batch, and subtracts the cost per thread from @left. The cost may
 * exceed @left by up to NV3_GEOM_BATCH_COST, because workers draw in the background.
 */
void nv3_geom_start_bins(NV3Geom *g, int64_t *left);
/*
 * Finishes the parts of g->drawn that have been started. If there are none, first starts
 * at least one part, and further parts until the cost reaches @left. Returns true if all
 * bins have been drawn.
 */
bool nv3_geom_draw_bins(NV3Geom *g, int64_t *left);
/* Empties the bins of a batch, and frees its extra slots. */
void nv3_geom_clear_bins(GeomBatch *b);
/* Waits until no worker draws, and empties the bins of all batches. */
void nv3_geom_drop_bins(NV3Geom *g);
/*
 * Creates workers, so that up to @threads threads draw, including the caller. Returns
 * false if memory is exhausted. The caller must call nv3_geom_stop_workers() even in this
 * case.
 */
bool nv3_geom_start_workers(NV3Geom *g, unsigned threads);
void nv3_geom_stop_workers(NV3Geom *g);

#endif
