/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The geometry engine's own structures.
 *
 * Vertices collect in chunks (NV3GeomStream): numbers of vertices and, by their places
 * in the chunk, the primitives that they make. When a chunk is complete, its vertices go
 * through the vertex program to slots of the batch, and its primitives are clipped,
 * culled and binned (NV3GeomBatch). A batch is drawn when it is full or flushed.
 */
#ifndef NV3_GEOM_INT_H
#define NV3_GEOM_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "geometry/geom.h"
#include "geometry/geom_coverage.h"

#define GEOM_ONE            (1 << NV3_GEOM_SUBPIXEL_BITS)   /* a pixel in fixed point */
/* Vertices of triangles that are drawn are within this of the origin, in pixels. */
#define GEOM_GUARD          8191.0f

/* A chunk. */
#define GEOM_CHUNK          960         /* vertices: whole triangles, quads and groups */
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
/* Slots after those: vertices of the chunk whose visibility is not known yet. */
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

/* What of a vertex is outside of the view volume, in NV3GeomBatch.code[]. */
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
 * A primitive of a chunk, by places in the chunk. Points and lines have fewer vertices.
 */
typedef struct GeomPrim {
    uint16_t v[3];
    uint16_t provoking;
    uint8_t edges;              /* bit i: edge from vertex i to the next is an outline */
} GeomPrim;

typedef struct GeomStream {
    NV3GeomPrimitive primitive; /* 0: outside of one */
    bool inlined;               /* its vertices are inline; false if there are none yet */
    /* Vertices of the primitive so far: see GEOM_COUNT_WRAP */
    unsigned n;
    /* Places of vertices that further ones need: the first, and the last three. */
    uint16_t first, last[3];

    unsigned vertices, prims;
    uint8_t corners;            /* vertices of each of @prim: 1 to 3 */
    bool sequential;            /* numbers count up by one, so that none is repeated */
    uint32_t element[GEOM_CHUNK];
    uint16_t slot[GEOM_CHUNK];
    GeomPrim prim[GEOM_CHUNK_PRIMS];
    /* Inline vertices: element[] are places here. */
    uint32_t (*attribute)[NV3_VP_ATTRIBUTES][4];
    unsigned inline_vertices;

    /* Post-transform cache: elements that this chunk has already, and their numbers. */
    struct {
        uint32_t element;
        uint32_t chunk;
        uint16_t number;
    } cache[GEOM_CACHE];
    uint32_t chunk;
} GeomStream;

/* An input of the fragment program that a draw interpolates. */
typedef struct GeomVarying {
    uint8_t input;              /* NV3FpInput */
    uint8_t output[2];          /* of the vertex program, for front and for back faces */
    uint8_t mask;               /* components */
    bool flat;
    bool sprite;                /* replaced on points */
} GeomVarying;

/* State of a part of the batch. */
typedef struct GeomDraw {
    NV3GeomState st;
    unsigned varyings;
    GeomVarying varying[NV3_FP_INPUTS];
    uint32_t outputs;           /* mask of the vertex program's outputs that are kept */
    unsigned output_count;
    uint8_t output[NV3_VP_OUTPUTS];     /* those outputs in order */
    bool filled;                /* both polygon modes are */
    uint32_t block_cost;        /* of 8 x 8 pixels, as NV3_GEOM_BATCH_COST */
} GeomDraw;

/* Flags of binned triangles. */
#define GEOM_TRI_BACK       (1u << 0)
#define GEOM_TRI_SPRITE     (1u << 1)   /* half of a point; vertex 0 is its upper left */
#define GEOM_TRI_OFFSET     (1u << 2)   /* polygon offset by its own slope */

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
    uint32_t largest_cost;      /* of a triangle in one bin */
    /* By slot: window coordinates in fixed point, depth, 1 / w, and GEOM_OUT_*. */
    int32_t x[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    int32_t y[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    float z[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    float rhw[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    uint32_t code[GEOM_SLOTS_TOTAL] __attribute__((aligned(64)));
    GeomTriangle triangle[GEOM_TRIANGLES];
    GeomDraw draw[GEOM_DRAWS];
    uint16_t used[GEOM_BINS];   /* bins with something in them */
    GeomBin bin[GEOM_BINS];
    GeomLink link[GEOM_LINKS];
    /* By group of slots, output and component: a float of each slot. */
    float *output;
} GeomBatch;

/* Copies of parts of arrays, valid until the chunk's vertices are done. */
typedef struct GeomStaging {
    uint8_t *bytes;
    size_t size;
} GeomStaging;

/* Parts of a vertex program that run one after the other. */
#define GEOM_PASSES         2

typedef struct GeomPass {
    NV3VpFile *file;
    const NV3VpCode *loaded;    /* whose constants are in the file; null: nobody's */
} GeomPass;

typedef enum GeomFetchKind {
    GEOM_FETCH_NOTHING,         /* no array */
    GEOM_FETCH_FLOATS,
    GEOM_FETCH_BYTES,           /* four normalised ones */
    GEOM_FETCH_ELEMENTS,        /* anything else, or possibly out of range */
} GeomFetchKind;

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
    NV3FpLevel fp_level;        /* of texture units of vertex programs */
    NV3GeomShadeFn *shade;
    void *shade_opaque;
    NV3GeomCounters counters;

    /* Threads (geom_bins.c). Each has a fragment thread. */
    unsigned workers;
    pthread_t worker[NV3_GEOM_THREADS_MAX];
    NV3FpThread *fp[NV3_GEOM_THREADS_MAX];
    unsigned parts;             /* of each bin, which are drawn one by one */
    unsigned end;               /* parts of all bins that may be drawn now */
    atomic_uint next;           /* of these parts */
    atomic_uint_fast64_t blocks, samples;
    pthread_mutex_t lock;       /* of the fields below */
    pthread_cond_t opened, left;
    bool open, quit;
    unsigned inside;            /* workers at the batch */
};

/* The slot's value of @output, component @c. */
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
 * geom_fetch.c: maps the parts of arrays that vertices @first to @last need, if
 * st->memory has them, or copies those parts that are not in one piece. @vertices: how
 * many of them are used.
 */
void nv3_geom_map_arrays(GeomStaging *staging, NV3GeomState *st, uint32_t attributes,
                         uint32_t first, uint32_t last, unsigned vertices);
/*
 * How vertices @first to @last of the arrays are fetched; inline vertices. Returns true
 * if no fetch of one of them can fail.
 */
bool nv3_geom_prepare_fetch(GeomFetch fetch[NV3_VP_ATTRIBUTES], const NV3GeomState *st,
                            uint32_t attributes, uint32_t first, uint32_t last);
void nv3_geom_prepare_inline(GeomFetch fetch[NV3_VP_ATTRIBUTES],
                             uint32_t (*vertex)[NV3_VP_ATTRIBUTES][4]);
/* Attributes without an array, for all groups that follow. */
void nv3_geom_fetch_numbers(NV3VpFile *file, const NV3GeomState *st, uint32_t attributes,
                            const GeomFetch fetch[NV3_VP_ATTRIBUTES]);
/*
 * Attributes with an array, of @lanes (a multiple of 4) vertices. Returns false if an
 * element is out of range.
 */
bool nv3_geom_fetch(NV3VpFile *file, const NV3GeomState *st, uint32_t attributes,
                    const GeomFetch fetch[NV3_VP_ATTRIBUTES], const uint32_t *element,
                    unsigned lanes);
/* One element of an array, whose bytes begin at @from. */
void nv3_geom_convert(uint32_t value[4], unsigned type, unsigned components,
                      const uint8_t *from);
unsigned nv3_geom_element_bytes(unsigned type, unsigned components);

/*
 * geom_vertex.c: runs the vertex program for the stream's vertices. The batch needs
 * GEOM_CHUNK free slots.
 */
NV3GeomError nv3_geom_transform(NV3Geom *g);
/* Register files, connected with the texture units. False without memory. */
bool nv3_geom_init_passes(NV3Geom *g);
void nv3_geom_free_passes(NV3Geom *g);
/* geom_project.c: window coordinates and codes of a group of slots; of one slot. */
void nv3_geom_project_one(GeomBatch *b, const GeomDraw *draw, unsigned slot);
void nv3_geom_project(GeomBatch *b, const GeomDraw *draw, unsigned slot,
                      NV3VpLevel level);
/*
 * Where the results of a group are stored: fixed point, depth, 1 / w, and GEOM_OUT_*
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
/* A new slot for a vertex that clipping makes; GEOM_NO_LINK if there is none. */
unsigned nv3_geom_extra_slot(GeomBatch *b);

/* geom_stream.c: transforms the chunk's vertices and bins its primitives. */
NV3GeomError nv3_geom_finish_chunk(NV3Geom *g);
/* Begins another chunk with the vertices that the primitive in progress needs. */
void nv3_geom_keep_vertices(GeomStream *s);
/* Bins primitive @i of the chunk. */
void nv3_geom_add_prim(NV3Geom *g, unsigned i);

/* geom_prims.c: room in the batch for a primitive. */
bool nv3_geom_has_room(const GeomBatch *b);
/* A primitive of the chunk, by slots. */
void nv3_geom_point(NV3Geom *g, unsigned slot);
void nv3_geom_line(NV3Geom *g, const uint16_t slot[2], unsigned provoking);
void nv3_geom_triangle(NV3Geom *g, const uint16_t slot[3], unsigned provoking,
                       unsigned edges);

/* geom_clip.c */
#define GEOM_POLYGON_MAX    (3 + 12)
/* Clips @count (2: a line; 3: a triangle) vertices; returns how many @slot has then. */
unsigned nv3_geom_clip(GeomBatch *b, const GeomDraw *draw, uint16_t *slot, unsigned count,
                       unsigned *edges);

/* geom_setup.c: plane equations, and edges relative to a bin. */
bool nv3_geom_edges(const GeomBatch *b, const GeomTriangle *t, int32_t bin_x,
                    int32_t bin_y, NV3GeomEdges *edges);
void nv3_geom_setup(const GeomBatch *b, const GeomTriangle *t, NV3FpTriangle *tri);

/*
 * geom_bins.c: pixels of the scissor with their centres in the triangle's box. Returns
 * false if there are none.
 */
bool nv3_geom_box(NV3GeomRect *box, const GeomBatch *b, const uint16_t slot[3],
                  const NV3GeomRect *scissor);
/* Needs room in the batch. */
void nv3_geom_bin(NV3Geom *g, const GeomTriangle *t);
/* Begins to draw the batch. */
void nv3_geom_start_bins(NV3Geom *g);
/*
 * Draws bins until @left is used up, but at least one part of a bin. Returns true when
 * the batch has been drawn. It is empty then, except for the chunk's slots.
 */
bool nv3_geom_draw_bins(NV3Geom *g, int64_t *left);
void nv3_geom_clear_bins(NV3Geom *g);
bool nv3_geom_start_workers(NV3Geom *g, unsigned threads);
void nv3_geom_stop_workers(NV3Geom *g);

#endif
