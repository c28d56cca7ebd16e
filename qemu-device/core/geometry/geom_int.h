/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The geometry engine's own structures.
 *
 * The engine collects vertices in chunks (NV3GeomStream). A chunk has the numbers of its
 * vertices, and primitives that refer to vertices by their places in the chunk. When a
 * chunk is complete, the vertex program writes the results of its vertices to slots of
 * the batch, and its primitives are clipped, culled and binned (NV3GeomBatch). A batch is
 * drawn when it is full or flushed.
 */
#ifndef NV3_GEOM_INT_H
#define NV3_GEOM_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "geometry/geom.h"
#include "geometry/geom_coverage.h"

#define GEOM_ONE            (1 << NV3_GEOM_SUBPIXEL_BITS)   /* a pixel in fixed point */
/* Maximum distance of a drawn triangle's vertices from the origin, in pixels. */
#define GEOM_GUARD          8191.0f

/* A chunk. */
#define GEOM_CHUNK          960         /* vertices; whole triangles, quads and groups */
#define GEOM_CHUNK_PRIMS    1024
#define GEOM_CACHE          1024        /* entries of the post-transform cache */
/* Vertices of a primitive are counted below this */
#define GEOM_COUNT_WRAP     16
/* Maximum number of vertices that the next primitive of a strip or fan reuses */
#define GEOM_KEPT           4

/*
 * Vertex slots of a batch: GEOM_SLOTS for the vertices of chunks, followed by
 * GEOM_EXTRA_SLOTS for vertices that clipping creates.
 */
#define GEOM_SLOTS          4096
#define GEOM_EXTRA_SLOTS    4096
#define GEOM_SLOTS_ALL      (GEOM_SLOTS + GEOM_EXTRA_SLOTS)
/* The slots after those hold vertices of the chunk whose visibility is not known yet. */
#define GEOM_SCRATCH        GEOM_SLOTS_ALL
#define GEOM_SLOTS_TOTAL    (GEOM_SCRATCH + GEOM_CHUNK)
#define GEOM_GROUPS         (GEOM_SLOTS_TOTAL / NV3_VP_LANES)
#define GEOM_GROUP_FLOATS   (NV3_VP_OUTPUTS * 4 * NV3_VP_LANES)
#define GEOM_TRIANGLES      8192
#define GEOM_DRAWS          64

#define GEOM_BIN_COLUMNS    (NV3_GEOM_SIZE_MAX / NV3_GEOM_BIN)
#define GEOM_BINS           (GEOM_BIN_COLUMNS * GEOM_BIN_COLUMNS)
#define GEOM_LINK_ENTRIES   30
#define GEOM_LINKS          32768
#define GEOM_NO_LINK        UINT16_MAX

/* Bits of NV3GeomBatch.code[]: how a vertex is outside the view volume. */
#define GEOM_OUT_LEFT       (1u << 0)
#define GEOM_OUT_RIGHT      (1u << 1)
#define GEOM_OUT_TOP        (1u << 2)
#define GEOM_OUT_BOTTOM     (1u << 3)
#define GEOM_OUT_NEAR       (1u << 4)
#define GEOM_OUT_FAR        (1u << 5)
#define GEOM_OUT_PLANE(i)   (1u << (6 + (i)))   /* clip distance i is negative */
#define GEOM_OUT_W          (1u << 12)          /* w is not positive */
#define GEOM_OUT_GUARD      (1u << 13)          /* too far away for fixed point */
#define GEOM_NOT_A_NUMBER   (1u << 14)
/* A primitive with all vertices outside one of these planes is not visible. */
#define GEOM_REJECT         0xfffu
/* A primitive with a vertex outside one of these planes must be clipped. */
#define GEOM_CLIP           (GEOM_OUT_NEAR | GEOM_OUT_FAR | 0xfc0u | GEOM_OUT_W | \
                             GEOM_OUT_GUARD)

/*
 * A primitive. @v has the indices of its vertices in the chunk. Points and lines have
 * fewer than three vertices.
 */
typedef struct GeomPrim {
    uint16_t v[3];
    uint16_t provoking;
    uint8_t edges;              /* bit i: edge from vertex i to the next is an outline */
} GeomPrim;

typedef struct GeomStream {
    NV3GeomPrimitive primitive; /* 0: outside of one */
    bool inlined; /* the vertices are inline; false if there are none yet */
    /* Vertices of the primitive so far: see GEOM_COUNT_WRAP */
    unsigned n;
    /* Places of the vertices that later vertices need: the first, and the last three. */
    uint16_t first, last[3];

    unsigned vertices, prims;
    uint8_t corners;            /* vertices of each of @prim: 1 to 3 */
    bool sequential;            /* vertex numbers are consecutive, without duplicates */
    uint32_t element[GEOM_CHUNK];
    uint16_t slot[GEOM_CHUNK];
    GeomPrim prim[GEOM_CHUNK_PRIMS];
    /* Inline vertices; for them, element[] has indices of this array. */
    uint32_t (*attribute)[NV3_VP_ATTRIBUTES][4];
    unsigned inline_vertices;

    /*
     * Post-transform cache: elements that the chunk already contains, and their numbers.
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
    uint8_t output[2]; /* output of vertex programs, for front and back faces */
    uint8_t mask;               /* components */
    bool flat;
    bool sprite;                /* replaced on points */
} GeomVarying;

/* State of a part of the batch. */
typedef struct GeomDraw {
    NV3GeomState st;
    unsigned varyings;
    GeomVarying varying[NV3_FP_INPUTS];
    uint32_t outputs;           /* mask of the vertex program's outputs that are stored */
    unsigned output_count;
    uint8_t output[NV3_VP_OUTPUTS];     /* the stored outputs in order */
    bool filled;                /* both polygon modes are FILL */
    uint32_t block_cost;        /* cost of 8 x 8 pixels; unit: NV3_GEOM_BATCH_COST */
} GeomDraw;

/* Flags of binned triangles. */
#define GEOM_TRI_BACK       (1u << 0)
#define GEOM_TRI_SPRITE     (1u << 1)   /* half of a point; vertex 0 is its upper left */
#define GEOM_TRI_OFFSET     (1u << 2)   /* polygon offset includes its slope */

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
    uint32_t cost;
} GeomBin;

typedef struct GeomBatch {
    unsigned slots, extra_slots, triangles, draws, links, bins;
    uint64_t cost;              /* of all bins */
    uint32_t largest_cost;      /* largest cost of a triangle in one bin */
    /* By slot: window coordinates in fixed point, depth, 1 / w, and GEOM_OUT_*. */
    int32_t x[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    int32_t y[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    float z[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    float rhw[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    uint32_t code[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    GeomTriangle triangle[GEOM_TRIANGLES];
    GeomDraw draw[GEOM_DRAWS];
    uint16_t used[GEOM_BINS];   /* bins that are not empty */
    GeomBin bin[GEOM_BINS];
    GeomLink link[GEOM_LINKS];
    /* A float for each slot, by group of slots, output and component. */
    float *output;
} GeomBatch;

/* Copies of parts of arrays, valid until the vertices of the chunk have been computed. */
typedef struct GeomStaging {
    uint8_t *bytes;
    size_t size;
} GeomStaging;

/* Parts of a vertex program that run one after another. */
#define GEOM_PASSES         2

typedef struct GeomPass {
    NV3VpFile *file;
    const NV3VpCode *loaded;    /* program whose constants are in the file, or null */
} GeomPass;

typedef enum GeomFetchKind {
    GEOM_FETCH_NOTHING,         /* no array */
    GEOM_FETCH_FLOATS,
    GEOM_FETCH_BYTES,           /* four normalised ones */
    GEOM_FETCH_ELEMENTS,        /* any other fetch; elements may be out of range */
} GeomFetchKind;

/* The method of fetching the chunk's elements of one array. */
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
    GeomBatch batch;
    GeomDraw *draw;             /* the batch's last */
    /* The progress of nv3_geom_run(). */
    bool transformed;           /* the chunk's vertices; its primitives follow */
    unsigned next_prim;
    bool drawing;               /* the batch */
    bool new_slots;             /* the batch's slots are free when it has been drawn */
    GeomPass pass[GEOM_PASSES];
    uint32_t unique[GEOM_CHUNK];        /* elements of an indexed chunk */
    NV3VpLevel level;
    NV3FpLevel fp_level;        /* level of vertex programs' texture units */
    NV3GeomShadeFn *shade;
    void *shade_opaque;
    NV3GeomCounters counters;

    /* Threads (geom_bins.c). Each has a fragment thread. */
    unsigned workers;
    pthread_t worker[NV3_GEOM_THREADS_MAX];
    NV3FpThread *fp[NV3_GEOM_THREADS_MAX];
    unsigned parts;             /* parts of each bin, which are drawn one by one */
    unsigned end;               /* end of the parts to draw now, counted over all bins */
    atomic_uint next;           /* of these parts */
    atomic_uint_fast64_t blocks, samples;
    pthread_mutex_t lock;       /* guards the fields below */
    pthread_cond_t opened, left;
    bool open, quit;
    unsigned inside;            /* workers that draw the batch */
};

/* Returns component @c of the slot's @output. */
static inline float *nv3_geom_output(const GeomBatch *b, unsigned slot, unsigned output,
                                     unsigned c)
{
    return b->output + (size_t)(slot / NV3_VP_LANES) * GEOM_GROUP_FLOATS +
           (output * 4 + c) * NV3_VP_LANES + slot % NV3_VP_LANES;
}

/* Twice the triangle's area in fixed point. Rows go down: clockwise is positive. */
static inline int64_t nv3_geom_area(const GeomBatch *b, unsigned v0, unsigned v1,
                                    unsigned v2)
{
    return (int64_t)(b->x[v1] - b->x[v0]) * (b->y[v2] - b->y[v0]) -
           (int64_t)(b->x[v2] - b->x[v0]) * (b->y[v1] - b->y[v0]);
}

/*
 * geom_fetch.c: if st->memory is set, maps the parts of arrays that vertices @first to
 * @last need, and copies the parts that are not contiguous. @vertices: how many of these
 * vertices are used.
 */
void nv3_geom_map_arrays(GeomStaging *staging, NV3GeomState *st, uint32_t attributes,
                         uint32_t first, uint32_t last, unsigned vertices);
/*
 * Choose how vertices @first to @last of the arrays, or inline vertices, are fetched.
 * nv3_geom_prepare_fetch() returns true if no fetch of one of them can fail.
 */
bool nv3_geom_prepare_fetch(GeomFetch fetch[NV3_VP_ATTRIBUTES], const NV3GeomState *st,
                            uint32_t attributes, uint32_t first, uint32_t last);
void nv3_geom_prepare_inline(GeomFetch fetch[NV3_VP_ATTRIBUTES],
                             uint32_t (*vertex)[NV3_VP_ATTRIBUTES][4]);
/* Sets the attributes without an array, for all following groups. */
void nv3_geom_fetch_numbers(NV3VpFile *file, const NV3GeomState *st, uint32_t attributes,
                            const GeomFetch fetch[NV3_VP_ATTRIBUTES]);
/*
 * Fetches the attributes with an array, for @lanes (a multiple of 4) vertices. Returns
 * false if an element is out of range.
 */
bool nv3_geom_fetch(NV3VpFile *file, const NV3GeomState *st, uint32_t attributes,
                    const GeomFetch fetch[NV3_VP_ATTRIBUTES], const uint32_t *element,
                    unsigned lanes);
/* Converts one element of an array, whose bytes begin at @from. */
void nv3_geom_convert(uint32_t value[4], unsigned type, unsigned components,
                      const uint8_t *from);
unsigned nv3_geom_element_bytes(unsigned type, unsigned components);

/*
 * geom_vertex.c: runs the vertex program for the stream's vertices. The batch needs
 * GEOM_CHUNK free slots.
 */
NV3GeomError nv3_geom_transform(NV3Geom *g);
/*
 * Allocates register files, connected with the texture units. Returns false if memory is
 * exhausted.
 */
bool nv3_geom_init_passes(NV3Geom *g);
void nv3_geom_free_passes(NV3Geom *g);
/*
 * geom_project.c: compute window coordinates and codes of a group of slots, and
 * of one slot.
 */
void nv3_geom_project_one(GeomBatch *b, const GeomDraw *draw, unsigned slot);
void nv3_geom_project(GeomBatch *b, const GeomDraw *draw, unsigned slot,
                      NV3VpLevel level);
/*
 * The places to store the results of a group: fixed point, depth, 1 / w, and GEOM_OUT_*
 * codes. Aligned to 64 bytes.
 */
typedef struct GeomProjected {
    int32_t *x, *y;
    float *z, *rhw;
    uint32_t *code;
} GeomProjected;
typedef void NV3GeomProjectFn(const GeomProjected *out, const NV3GeomState *st,
                              const float position[4][NV3_VP_LANES]);
NV3GeomProjectFn nv3_geom_project_generic, nv3_geom_project_avx2, nv3_geom_project_avx512;
/*
 * Returns a new slot for a vertex that clipping creates, or GEOM_NO_LINK if there is
 * none.
 */
unsigned nv3_geom_extra_slot(GeomBatch *b);

/* geom_stream.c: transforms the chunk's vertices and bins its primitives. */
NV3GeomError nv3_geom_finish_chunk(NV3Geom *g);
/* Begins another chunk with the vertices that the primitive in progress needs. */
void nv3_geom_keep_vertices(GeomStream *s);
/* Bins primitive @i of the chunk. */
void nv3_geom_add_prim(NV3Geom *g, unsigned i);

/* geom_prims.c: returns true if the batch has room for a primitive. */
bool nv3_geom_has_room(const NV3Geom *g);
/* Draws a primitive of the chunk, given by slots. */
void nv3_geom_point(NV3Geom *g, unsigned slot);
void nv3_geom_line(NV3Geom *g, const uint16_t slot[2], unsigned provoking);
void nv3_geom_triangle(NV3Geom *g, const uint16_t slot[3], unsigned provoking,
                       unsigned edges);

/* geom_clip.c */
#define GEOM_POLYGON_MAX    (3 + 12)
/*
 * Clips a line (@count 2) or a triangle (@count 3). Returns the resulting number of
 * vertices in @slot.
 */
unsigned nv3_geom_clip(GeomBatch *b, const GeomDraw *draw, uint16_t *slot, unsigned count,
                       unsigned *edges);

/* geom_setup.c: plane equations, and edges relative to a bin. */
bool nv3_geom_edges(const GeomBatch *b, const GeomTriangle *t, int32_t bin_x,
                    int32_t bin_y, NV3GeomEdges *edges);
void nv3_geom_setup(const GeomBatch *b, const GeomTriangle *t, NV3FpTriangle *tri);

/* A block of 8 x 8 pixels, by sample: as NV3GeomCovered. A mask may be 0. */
typedef struct GeomSampled {
    uint64_t mask[NV3_PIXOPS_SAMPLES];
    uint8_t x, y;
} GeomSampled;

/*
 * geom_samples.c: lists the blocks of the bin with covered samples, in any order. Returns
 * their number.
 */
unsigned nv3_geom_cover_samples(NV3VpLevel level, const GeomBatch *b,
                                const GeomTriangle *t, int32_t bin_x, int32_t bin_y,
                                GeomSampled sampled[64]);
/* Returns true if an edge or the bounding box shows that no sample is covered. */
bool nv3_geom_misses_samples(const GeomBatch *b, const GeomTriangle *t, int32_t bin_x,
                             int32_t bin_y);

/*
 * geom_bins.c: computes the rectangle of pixels that are in the scissor and have their
 * centres, or with multisampling any part, in the triangle's bounding box. Returns false
 * if it is empty.
 */
bool nv3_geom_box(NV3GeomRect *box, const GeomBatch *b, const uint16_t slot[3],
                  const NV3GeomState *st);
/* Needs room in the batch. */
void nv3_geom_bin(NV3Geom *g, const GeomTriangle *t);
/* Begins to draw the batch. */
void nv3_geom_start_bins(NV3Geom *g);
/*
 * Draws at least one part of a bin, and more until @left is used up. Returns true when
 * the batch has been drawn. It is then empty, except for the chunk's slots.
 */
bool nv3_geom_draw_bins(NV3Geom *g, int64_t *left);
void nv3_geom_clear_bins(NV3Geom *g);
bool nv3_geom_start_workers(NV3Geom *g, unsigned threads);
void nv3_geom_stop_workers(NV3Geom *g);

#endif
