/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the vertex program for the vertices of a chunk.
 *
 * If faces are culled, the program may run in two parts. The first part computes the
 * positions of all vertices. The second part computes the other outputs, but only for
 * vertices of visible triangles.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CULL_WIDTH      4
#define CULL_THIRD      3
#define CULL_TARGET
#define CULL_ANY(x)     cull_any((CullAny)(x))
#define CULL_FUNCTION   nv3_geom_cull_generic

typedef uint64_t CullAny __attribute__((vector_size(16)));

static inline bool cull_any(CullAny x)
{
    return (x[0] | x[1]) != 0;
}

#include "geometry/geom_cull_loops.h"

/*
 * The widest vectors have 16 lanes, so run_group() fetches attributes for a multiple of
 * 16 vertices.
 */
#define FETCH_LANES     16
#define NOT_MOVED       UINT16_MAX

unsigned nv3_geom_extra_slot(GeomBatch *b)
{
    if (b->extra_slots == GEOM_EXTRA_SLOTS) {
        return GEOM_NO_LINK;
    }
    return GEOM_SLOTS + b->extra_slots++;
}

/* NV3VpSampleGroupFn: @opaque is the engine. */
static void sample(void *opaque, unsigned unit, const NV3VpSlot *const coord[4],
                   NV3VpSlot *const result[4])
{
    /* nv3_fp_sample() reads NV3_FP_LANES coordinates, which are at least NV3_VP_LANES. */
    struct {
        float lane[NV3_FP_LANES] __attribute__((aligned(64)));
    } place[4] = { 0 }, texel[4];
    const NV3Geom *g = opaque;

    _Static_assert(NV3_VP_LANES <= NV3_FP_LANES, "a group fits the texture unit");

    for (unsigned c = 0; c < 4; c++) {
        memcpy(place[c].lane, coord[c]->lane, sizeof(coord[c]->lane));
    }
    nv3_fp_sample(g->fp_level, g->draw->st.unit[unit],
                  (const float *const[4]) {
                      place[0].lane, place[1].lane, place[2].lane, place[3].lane },
                  (float *const[4]) {
                      texel[0].lane, texel[1].lane, texel[2].lane, texel[3].lane });
    for (unsigned c = 0; c < 4; c++) {
        memcpy(result[c]->lane, texel[c].lane, sizeof(result[c]->lane));
    }
}

bool nv3_geom_init_passes(NV3Geom *g)
{
    for (unsigned i = 0; i < GEOM_PASSES; i++) {
        NV3VpFile *file = aligned_alloc(64, (sizeof(*file) + 63) & ~(size_t)63);

        if (!file) {
            return false;
        }
        memset(file, 0, sizeof(*file));
        file->sample = sample;
        file->sample_opaque = g;
        g->pass[i].file = file;
    }
    return true;
}

void nv3_geom_free_passes(NV3Geom *g)
{
    for (unsigned i = 0; i < GEOM_PASSES; i++) {
        free(g->pass[i].file);
    }
}

/* ---- groups --------------------------------------------------------------------- */

/* Prepares the register file of a pass for the chunk's vertices. */
static void start_pass(NV3Geom *g, GeomPass *pass, const NV3VpCode *code)
{
    const NV3GeomState *st = &g->draw->st;

    if (pass->loaded != code) {
        nv3_vp_load_constants(pass->file, code, st->constants);
        pass->loaded = code;
    }
    nv3_geom_fetch_numbers(pass->file, st, code->attributes, g->fetch);
}

/* Stores an output of the first @count vertices of a group. */
static void store_output(const NV3Geom *g, const GeomPass *pass, unsigned slot,
                         unsigned output, unsigned count)
{
    /* Copies of these two constant lengths take less time than copies of @count lanes. */
    const unsigned lanes = count <= NV3_VP_LANES / 4 ? NV3_VP_LANES / 4 : NV3_VP_LANES;

    for (unsigned c = 0; c < 4; c++) {
        memcpy(nv3_geom_output(g->batch, slot, output, c),
               &pass->file->slot[pass->loaded->output[output][c]],
               lanes * sizeof(float));
    }
}

/*
 * Projects the positions that the program has computed. Stores the results in slots,
 * starting with @slot.
 */
static void project(NV3Geom *g, const GeomPass *pass, unsigned slot, unsigned count)
{
    const uint16_t *from = pass->loaded->output[NV3_GEOM_O_POSITION];
    const float *position[4];

    for (unsigned c = 0; c < 4; c++) {
        position[c] = pass->file->slot[from[c]].lane;
    }
    nv3_geom_project(g->batch, g->draw, slot, position, count, g->level);
}

static unsigned group_size(unsigned left)
{
    return left < NV3_VP_LANES ? left : NV3_VP_LANES;
}

/* Repeats the last of @count elements until their number is a multiple of FETCH_LANES. */
static void pad(uint32_t *element, unsigned count)
{
    for (unsigned i = count; i % FETCH_LANES; i++) {
        element[i] = element[count - 1];
    }
}

/*
 * Runs the program of @pass for @count vertices of @all, starting with index @first.
 * @count is at most NV3_VP_LANES. If @all has a list of elements, the caller must pad the
 * list to a multiple of FETCH_LANES. Returns false if a fetch fails.
 */
static bool run_group(NV3Geom *g, const GeomPass *pass, const GeomElements *all,
                      unsigned first, unsigned count)
{
    const NV3GeomState *st = &g->draw->st;
    const unsigned lanes = (count + FETCH_LANES - 1) & ~(FETCH_LANES - 1u);
    GeomElements e = { all->number ? all->number + first : NULL, all->first + first };
    uint32_t padded[NV3_VP_LANES];

    if (!e.number && count < lanes) {
        for (unsigned i = 0; i < count; i++) {
            padded[i] = e.first + i;
        }
        pad(padded, count);
        e.number = padded;
    }
    if (!nv3_geom_fetch(pass->file, st, pass->loaded->attributes, g->fetch, &e, lanes,
                        g->level)) {
        return false;
    }
    nv3_vp_execute(pass->file, pass->loaded, st->constants, count, g->level);
    return true;
}

/* ---- all vertices ---------------------------------------------------------------- */

/*
 * Runs the whole program. The results of vertex i are stored in slot @slot + i. Returns
 * false if a fetch fails.
 */
static bool transform_all(NV3Geom *g, const GeomElements *e, unsigned count,
                          unsigned slot)
{
    const GeomDraw *draw = g->draw;
    GeomPass *pass = &g->pass[0];

    start_pass(g, pass, draw->st.code);
    for (unsigned i = 0; i < count; i += NV3_VP_LANES) {
        const unsigned size = group_size(count - i);

        if (!run_group(g, pass, e, i, size)) {
            return false;
        }
        for (unsigned n = 0; n < draw->output_count; n++) {
            store_output(g, pass, slot + i, draw->output[n], size);
        }
        project(g, pass, slot + i, size);
    }
    return true;
}

/* ---- visible vertices ------------------------------------------------------------ */

/* Computes positions, and stores them in slots, starting with slot GEOM_SCRATCH. */
static void transform_positions(NV3Geom *g, const GeomElements *e, unsigned count)
{
    GeomPass *pass = &g->pass[0];

    start_pass(g, pass, g->draw->st.position);
    for (unsigned i = 0; i < count; i += NV3_VP_LANES) {
        const unsigned size = group_size(count - i);

        run_group(g, pass, e, i, size);
        project(g, pass, GEOM_SCRATCH + i, size);
    }
}

/*
 * Returns true if a filled triangle changes no pixel, because it is outside the view
 * volume, is culled, or has no pixel centre in its bounding box. Returns false for
 * triangles that must be clipped.
 */
static inline bool is_hidden(const GeomBatch *b, const NV3GeomState *st,
                             const uint16_t slot[3])
{
    const unsigned v0 = slot[0], v1 = slot[1], v2 = slot[2];
    const uint32_t any = b->code[v0] | b->code[v1] | b->code[v2];
    NV3GeomRect box;
    int64_t size;

    if (any) {
        if ((b->code[v0] & b->code[v1] & b->code[v2] & GEOM_REJECT) ||
            (any & GEOM_NOT_A_NUMBER)) {
            return true;
        }
        if (any & GEOM_CLIP) {
            return false;
        }
    }
    size = nv3_geom_area(b, v0, v1, v2);
    return !size || ((size < 0) == st->front_ccw ? st->cull_front : st->cull_back) ||
           !nv3_geom_box(&box, b, slot, st);
}

/* Assigns slots to the vertices in order, starting with @slot. */
static void number_all(GeomStream *s, unsigned slot)
{
    for (unsigned i = 0; i < s->vertices; i++) {
        s->slot[i] = slot + i;
    }
}

/*
 * Lists in @candidate the indices of the triangles that may be visible. Returns the
 * number of these triangles. @ordered: the slots of the vertices are consecutive. If
 * @ordered is false, or if not all triangles belong to NV3_GEOM_TRIANGLES, lists all
 * triangles.
 */
static unsigned find_candidates(const NV3Geom *g, uint16_t *candidate, bool ordered)
{
    const NV3GeomState *st = &g->draw->st;
    const GeomStream *s = &g->stream;
    const NV3GeomCull c = {
        .x = g->batch->x + GEOM_SCRATCH, .y = g->batch->y + GEOM_SCRATCH,
        .code = g->batch->code + GEOM_SCRATCH,
        .clockwise = st->front_ccw ? st->cull_back : st->cull_front,
        .counter_clockwise = st->front_ccw ? st->cull_front : st->cull_back,
    };

    if (s->listed < s->prims || !ordered) {
        for (unsigned i = 0; i < s->prims; i++) {
            candidate[i] = i;
        }
        return s->prims;
    }
    switch (g->level) {
#ifdef NV3_VP_HAVE_X86
    case NV3_VP_AVX512:
        return nv3_geom_cull_avx512(candidate, &c, s->prims);
    case NV3_VP_AVX2:
        return nv3_geom_cull_avx2(candidate, &c, s->prims);
#endif
    default:
        return nv3_geom_cull_generic(candidate, &c, s->prims);
    }
}

/*
 * Removes hidden triangles from the chunk. Returns the GEOM_OUT_ codes of the remaining
 * triangles. @ordered: the slots of the vertices are consecutive, and the caller has not
 * stored them in the stream.
 */
static uint32_t remove_hidden(NV3Geom *g, bool ordered)
{
    const NV3GeomState *st = &g->draw->st;
    const GeomBatch *b = g->batch;
    GeomStream *s = &g->stream;
    uint16_t candidate[GEOM_CHUNK_PRIMS + 1];
    const unsigned candidates = find_candidates(g, candidate, ordered);
    uint32_t codes = 0;
    unsigned kept = 0;

    if (candidates && ordered) {
        number_all(s, GEOM_SCRATCH);
    }
    for (unsigned i = 0; i < candidates; i++) {
        const GeomPrim p = nv3_geom_prim(g, candidate[i]);
        const uint16_t slot[3] = { s->slot[p.v[0]], s->slot[p.v[1]], s->slot[p.v[2]] };

        if (!is_hidden(b, st, slot)) {
            codes |= b->code[slot[0]] | b->code[slot[1]] | b->code[slot[2]];
            s->prim[kept++] = p;
        }
    }
    g->counters.primitives += s->prims - kept;
    s->prims = kept;
    s->listed = 0;
    return codes;
}

/*
 * The vertices of visible triangles. @from lists their indices in the list of all
 * elements of the chunk.
 */
typedef struct Visible {
    unsigned count;
    uint16_t from[GEOM_CHUNK];
    uint16_t moved[GEOM_CHUNK];         /* a vertex's index in @from, or NOT_MOVED */
    uint32_t element[GEOM_CHUNK];
} Visible;

static void add_visible(Visible *v, const GeomStream *s, const GeomElements *e,
                        unsigned place)
{
    const unsigned i = s->slot[place] - GEOM_SCRATCH;

    if (v->moved[i] == NOT_MOVED) {
        v->moved[i] = v->count;
        v->from[v->count] = i;
        v->element[v->count++] = nv3_geom_element(e, i);
    }
}

static void find_visible(Visible *v, const NV3Geom *g, const GeomElements *e,
                         unsigned count)
{
    const GeomStream *s = &g->stream;

    v->count = 0;
    memset(v->moved, 0xff, count * sizeof(v->moved[0]));
    for (unsigned i = 0; i < s->prims; i++) {
        for (unsigned n = 0; n < 3; n++) {
            add_visible(v, s, e, s->prim[i].v[n]);
        }
        if (g->draw->st.flat) {
            add_visible(v, s, e, s->prim[i].v[GEOM_PROVOKING]);
        }
    }
    pad(v->element, v->count);
}

/*
 * Copies the projected positions of the vertices in @from to slots, starting with @slot.
 */
static void move_positions(GeomBatch *b, const uint16_t *from, unsigned count,
                           unsigned slot)
{
    for (unsigned i = 0; i < count; i++) {
        const unsigned old = GEOM_SCRATCH + from[i], new = slot + i;

        b->x[new] = b->x[old];
        b->y[new] = b->y[old];
        b->z[new] = b->z[old];
        b->rhw[new] = b->rhw[old];
        b->code[new] = b->code[old];
    }
}

/*
 * Removes hidden triangles, and runs the second part of the program for vertices of the
 * remaining triangles. Stores the results in slots, starting with @slot. Returns the
 * number of slots.
 */
static unsigned transform_visible(NV3Geom *g, const GeomElements *e, unsigned count,
                                  bool ordered, unsigned slot)
{
    const bool clip = remove_hidden(g, ordered) & GEOM_CLIP;
    const GeomDraw *draw = g->draw;
    GeomPass *pass = &g->pass[1];
    GeomStream *s = &g->stream;
    GeomElements visible;
    Visible v;

    if (!s->prims) {
        return 0;
    }
    find_visible(&v, g, e, count);
    visible = (GeomElements) { .number = v.element };
    start_pass(g, pass, draw->st.others);
    for (unsigned i = 0; i < v.count; i += NV3_VP_LANES) {
        const unsigned size = group_size(v.count - i);

        move_positions(g->batch, v.from + i, size, slot + i);
        if (clip) {
            /* Clipping needs the unprojected positions, which have not been stored. */
            run_group(g, &g->pass[0], &visible, i, size);
            store_output(g, &g->pass[0], slot + i, NV3_GEOM_O_POSITION, size);
        }
        run_group(g, pass, &visible, i, size);
        for (unsigned n = 1; n < draw->output_count; n++) {
            store_output(g, pass, slot + i, draw->output[n], size);
        }
    }
    for (unsigned i = 0; i < s->vertices; i++) {
        const unsigned moved = v.moved[s->slot[i] - GEOM_SCRATCH];

        /*
         * Vertices that have not been moved belong only to hidden triangles, so their
         * slots are not used.
         */
        s->slot[i] = slot + (moved == NOT_MOVED ? 0 : moved);
    }
    return v.count;
}

/* ---- chunks ----------------------------------------------------------------------- */

/*
 * Numbers the vertices in s->slot, and lists their elements in @unique. Vertices with the
 * same element share a number while the element is in the cache. Returns the number of
 * different vertices.
 */
static unsigned number_unique(GeomStream *s, uint32_t *unique)
{
    unsigned count = 0;

    s->chunk++;
    for (unsigned i = 0; i < s->vertices; i++) {
        uint32_t element = s->element[i];
        unsigned at = element % GEOM_CACHE;

        if (s->cache[at].chunk != s->chunk || s->cache[at].element != element) {
            s->cache[at].chunk = s->chunk;
            s->cache[at].element = element;
            s->cache[at].number = count;
            unique[count++] = element;
        }
        s->slot[i] = s->cache[at].number;
    }
    pad(unique, count);
    return count;
}

/* Maps the parts of arrays that the chunk needs. Returns true if no fetch can fail. */
static bool prepare_fetch(NV3Geom *g, const GeomElements *e, unsigned count)
{
    NV3GeomState *st = &g->draw->st;
    uint32_t first = e->first, last = e->first + count - 1;

    if (g->stream.inlined) {
        nv3_geom_prepare_inline(g->fetch, g->stream.attribute);
        return true;
    }
    if (e->number) {
        first = UINT32_MAX;
        last = 0;
    }
    for (unsigned i = 0; i < count && e->number; i++) {
        first = e->number[i] < first ? e->number[i] : first;
        last = e->number[i] > last ? e->number[i] : last;
    }
    if (st->memory) {
        nv3_geom_map_arrays(&g->staging, st, st->code->attributes, first, last, count);
    }
    return nv3_geom_prepare_fetch(g->fetch, st, st->code->attributes, first, last);
}

/* Returns true if the program runs in two parts. */
static bool is_split(const NV3Geom *g)
{
    const NV3GeomState *st = &g->draw->st;

    return st->position && (st->cull_front || st->cull_back) && g->stream.corners == 3 &&
           g->draw->filled && !st->clip_planes;
}

/*
 * Numbers the chunk's different vertices, and sets @e to their elements. If the number of
 * each vertex is its position in the chunk, sets *@ordered to true and does not store the
 * numbers. Returns the number of different vertices.
 */
static unsigned number_vertices(NV3Geom *g, GeomElements *e, bool *ordered)
{
    GeomStream *s = &g->stream;

    /* The indices of sequential elements may wrap around to 0. */
    if (s->sequential && s->element[0] + s->vertices - 1 < s->element[0]) {
        nv3_geom_store_elements(s);
    }
    *ordered = s->sequential || s->inlined;
    if (s->sequential) {
        *e = (GeomElements) { .first = s->element[0] };
        return s->vertices;
    }
    if (s->inlined) {
        *e = (GeomElements) { .number = s->element };
        pad(s->element, s->vertices);
        return s->vertices;
    }
    *e = (GeomElements) { .number = g->unique };
    return number_unique(s, g->unique);
}

NV3GeomError nv3_geom_transform(NV3Geom *g)
{
    GeomStream *s = &g->stream;
    GeomElements e;
    bool ordered;
    const unsigned count = number_vertices(g, &e, &ordered);
    const bool split = prepare_fetch(g, &e, count) && is_split(g);
    const unsigned first = split ? GEOM_SCRATCH : g->batch->slots;
    unsigned used = count;

    for (unsigned i = 0; i < s->vertices && !ordered; i++) {
        s->slot[i] += first;
    }
    g->counters.vertices += count;
    if (split) {
        transform_positions(g, &e, count);
        used = transform_visible(g, &e, count, ordered, g->batch->slots);
    } else {
        if (ordered) {
            number_all(s, first);
        }
        if (!transform_all(g, &e, count, first)) {
            return NV3_GEOM_OUT_OF_RANGE;
        }
    }
    /* The next chunk starts with a new group of slots. */
    g->batch->slots += (used + NV3_VP_LANES - 1) & ~(NV3_VP_LANES - 1u);
    return NV3_GEOM_OK;
}
