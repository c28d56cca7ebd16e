/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembles primitives: forms points, lines and triangles from a stream of vertices.
 *
 * A chunk collects up to GEOM_CHUNK vertices, and the primitives that these vertices
 * form. Primitives refer to vertices by their positions in the chunk. A full chunk is
 * transformed and binned. The next chunk starts with the vertices that the primitive in
 * progress still needs.
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/geom_int.h"

#define EDGE(i)     (1u << (i))
#define EDGES_ALL   7u

/*
 * Number of vertices of the points, lines or triangles into which a primitive is split.
 */
static const uint8_t corners[NV3_GEOM_PRIMITIVES] = {
    [NV3_GEOM_POINTS] = 1,
    [NV3_GEOM_LINES] = 2,
    [NV3_GEOM_LINE_LOOP] = 2,
    [NV3_GEOM_LINE_STRIP] = 2,
    [NV3_GEOM_TRIANGLES] = 3,
    [NV3_GEOM_TRIANGLE_STRIP] = 3,
    [NV3_GEOM_TRIANGLE_FAN] = 3,
    [NV3_GEOM_QUADS] = 3,
    [NV3_GEOM_QUAD_STRIP] = 3,
    [NV3_GEOM_POLYGON] = 3,
};

/* ---- primitives of the chunk ------------------------------------------------ */

GeomPrim nv3_geom_prim(const NV3Geom *g, unsigned i)
{
    const GeomStream *s = &g->stream;
    const unsigned provoking = g->draw->st.first_provokes ? 0 : 2;

    if (i >= s->listed) {
        return s->prim[i];
    }
    return (GeomPrim) { { 3 * i, 3 * i + 1, 3 * i + 2, 3 * i + provoking }, EDGES_ALL };
}

/*
 * Returns true if nv3_geom_prim() can compute the vertices of the next triangle, so that
 * the chunk need not store them. The triangle must belong to NV3_GEOM_TRIANGLES. @p:
 * position of its first vertex.
 */
static bool is_listed(const GeomStream *s, unsigned p)
{
    return s->listed == s->prims && p == 3 * s->prims;
}

static void add(GeomStream *s, unsigned v0, unsigned v1, unsigned v2, unsigned provoking,
                unsigned edges)
{
    s->prim[s->prims++] = (GeomPrim) { { v0, v1, v2, provoking }, edges };
}

/* Adds a quad as two triangles. @a, @b, @c, @d are its vertices in order. */
static void add_quad(GeomStream *s, unsigned a, unsigned b, unsigned c, unsigned d,
                     unsigned provoking)
{
    add(s, a, b, d, provoking, EDGE(0) | EDGE(2));
    add(s, b, c, d, provoking, EDGE(0) | EDGE(1));
}

/*
 * Adds a triangle of a polygon. Only the last triangle has the closing edge, so
 * assemble() adds a triangle only when the next vertex arrives. The polygon's first
 * vertex is the provoking vertex.
 */
static void add_polygon(GeomStream *s, unsigned v1, unsigned v2, bool closing)
{
    add(s, s->first, v1, v2, s->first,
        (s->n == 3 ? EDGE(0) : 0) | EDGE(1) | (closing ? EDGE(2) : 0));
}

/* Adds the primitives that the vertex at position @p completes. */
static void assemble(GeomStream *s, unsigned p, bool first_provokes)
{
    const unsigned a = s->last[0], b = s->last[1], c = s->last[2];
    const uint32_t n = s->n;

    switch (s->primitive) {
    case NV3_GEOM_POINTS:
        add(s, p, p, p, p, 0);
        break;
    case NV3_GEOM_LINES:
        if (n & 1) {
            add(s, c, p, p, first_provokes ? c : p, 0);
        }
        break;
    case NV3_GEOM_LINE_LOOP:
    case NV3_GEOM_LINE_STRIP:
        if (n) {
            add(s, c, p, p, first_provokes ? c : p, 0);
        }
        break;
    case NV3_GEOM_TRIANGLES:
        if (n % 3 == 2 && is_listed(s, p - 2)) {
            s->listed = ++s->prims;
        } else if (n % 3 == 2) {
            add(s, b, c, p, first_provokes ? b : p, EDGES_ALL);
        }
        break;
    case NV3_GEOM_TRIANGLE_STRIP:
        if (n >= 2) {
            /*
             * Two vertices of every second triangle are swapped, so that all triangles
             * have the same winding.
             */
            add(s, n & 1 ? c : b, n & 1 ? b : c, p, first_provokes ? b : p, EDGES_ALL);
        }
        break;
    case NV3_GEOM_TRIANGLE_FAN:
        if (n >= 2) {
            add(s, s->first, c, p, first_provokes ? c : p, EDGES_ALL);
        }
        break;
    case NV3_GEOM_QUADS:
        if (n % 4 == 3) {
            add_quad(s, a, b, c, p, first_provokes ? a : p);
        }
        break;
    case NV3_GEOM_QUAD_STRIP:
        if (n >= 3 && (n & 1)) {
            add_quad(s, a, b, p, c, first_provokes ? a : p);
        }
        break;
    case NV3_GEOM_POLYGON:
        if (n >= 3) {
            add_polygon(s, b, c, false);
        }
        break;
    default:
        break;
    }
    if (!n) {
        s->first = p;
    }
    s->last[0] = b;
    s->last[1] = c;
    s->last[2] = p;
    /* If n is at least 4, only n modulo 2, 3 and 4 matters, so 12 can be subtracted. */
    s->n = n + 1 == GEOM_COUNT_WRAP ? GEOM_COUNT_WRAP - 12 : n + 1;
}

/* Adds the closing line or triangle at the end of a primitive. */
static void close_primitive(GeomStream *s, bool first_provokes)
{
    if (s->primitive == NV3_GEOM_LINE_LOOP && s->n >= 2) {
        add(s, s->last[2], s->first, s->first, first_provokes ? s->last[2] : s->first, 0);
    } else if (s->primitive == NV3_GEOM_POLYGON && s->n >= 3) {
        add_polygon(s, s->last[1], s->last[2], true);
    }
    s->n = 0;
}

/* ---- chunks ------------------------------------------------------------------ */

void nv3_geom_add_prim(NV3Geom *g, unsigned i)
{
    const GeomStream *s = &g->stream;
    const GeomPrim p = nv3_geom_prim(g, i);
    const uint16_t slot[3] = { s->slot[p.v[0]], s->slot[p.v[1]], s->slot[p.v[2]] };

    switch (s->corners) {
    case 1:
        nv3_geom_point(g, slot[0]);
        break;
    case 2:
        nv3_geom_line(g, slot, s->slot[p.v[GEOM_PROVOKING]]);
        break;
    default:
        nv3_geom_triangle(g, slot, s->slot[p.v[GEOM_PROVOKING]], p.edges);
        break;
    }
}

/*
 * Returns true if primitives of later chunks do not need a vertex of the current chunk.
 */
static bool is_between(const GeomStream *s)
{
    switch (s->primitive) {
    case NV3_GEOM_NONE:
    case NV3_GEOM_POINTS:
        return true;
    case NV3_GEOM_LINES:
        return s->n % 2 == 0;
    case NV3_GEOM_TRIANGLES:
        return s->n % 3 == 0;
    case NV3_GEOM_QUADS:
        return s->n % 4 == 0;
    default:
        return s->n == 0;
    }
}

void nv3_geom_store_elements(GeomStream *s)
{
    for (unsigned i = 1; i < s->vertices && s->sequential; i++) {
        s->element[i] = s->element[0] + i;
    }
    s->sequential = false;
}

void nv3_geom_keep_vertices(GeomStream *s)
{
    const unsigned count = s->n < GEOM_KEPT - 1 ? s->n : GEOM_KEPT - 1;
    uint16_t from[GEOM_KEPT] = { s->first, s->last[0], s->last[1], s->last[2] };
    uint32_t element[GEOM_KEPT];

    if (is_between(s)) {
        s->vertices = s->prims = s->listed = s->inline_vertices = 0;
        s->sequential = true;
        s->n = 0;
        return;
    }
    nv3_geom_store_elements(s);
    s->prims = s->listed = s->inline_vertices = 0;
    for (unsigned i = 0; i < GEOM_KEPT; i++) {
        /*
         * If the primitive has fewer than three vertices, only the last @count entries of
         * @from are valid.
         */
        if (i && i < GEOM_KEPT - count) {
            from[i] = s->first;
        }
        element[i] = s->element[from[i]];
    }
    if (s->inlined) {
        static const size_t bytes = sizeof(s->attribute[0]);
        uint32_t (*kept)[NV3_VP_ATTRIBUTES][4] = s->attribute + GEOM_CHUNK;

        for (unsigned i = 0; i < GEOM_KEPT; i++) {
            memcpy(kept[i], s->attribute[element[i]], bytes);
            element[i] = i;
        }
        memcpy(s->attribute, kept, GEOM_KEPT * bytes);
        s->inline_vertices = GEOM_KEPT;
    }
    memcpy(s->element, element, sizeof(element));
    s->vertices = GEOM_KEPT;
    s->first = 0;
    for (unsigned i = 0; i < 3; i++) {
        s->last[i] = 1 + i;
    }
}

NV3GeomError nv3_geom_finish_chunk(NV3Geom *g)
{
    int64_t left = INT64_MAX;

    return nv3_geom_run(g, false, &left);
}

/*
 * Finishes the chunk unless it has room for a vertex, two primitives that the vertex may
 * complete, and a closing primitive.
 */
static inline NV3GeomError make_room(NV3Geom *g)
{
    const GeomStream *s = &g->stream;

    if (s->vertices >= g->draw->chunk || s->prims + 3 > GEOM_CHUNK_PRIMS) {
        return nv3_geom_finish_chunk(g);
    }
    return NV3_GEOM_OK;
}

/*
 * Returns true if the chunk's elements, followed by @element, are not consecutive. In
 * this case the caller must store each element.
 */
static inline bool must_store(GeomStream *s, uint32_t element)
{
    if (!s->vertices) {
        s->element[0] = element;
    }
    if (s->sequential && element != s->element[0] + s->vertices) {
        nv3_geom_store_elements(s);
    }
    return !s->sequential;
}

static inline void add_vertex(GeomStream *s, uint32_t element, bool first_provokes)
{
    if (must_store(s, element)) {
        s->element[s->vertices] = element;
    }
    assemble(s, s->vertices++, first_provokes);
}

/*
 * Adds as many complete triangles of NV3_GEOM_TRIANGLES as fit into a chunk of @chunk
 * vertices, which has fewer vertices. Returns the number of added vertices.
 */
static uint32_t add_list(GeomStream *s, unsigned chunk, uint32_t first, uint32_t count,
                         bool first_provokes)
{
    GeomPrim prim = { .edges = EDGES_ALL };
    unsigned p = s->vertices, room = (chunk - p) / 3, triangles = count / 3;

    if (s->primitive != NV3_GEOM_TRIANGLES || s->n % 3) {
        return 0;
    }
    room = room < GEOM_CHUNK_PRIMS - s->prims ? room : GEOM_CHUNK_PRIMS - s->prims;
    triangles = triangles < room ? triangles : room;
    if (!triangles) {
        return 0;
    }
    if (must_store(s, first)) {
        for (unsigned i = 0; i < 3 * triangles; i++) {
            s->element[p + i] = first + i;
        }
    }
    if (is_listed(s, p)) {
        s->listed += triangles;
    } else {
        prim.v = (GeomCorners) { p, p + 1, p + 2, p + (first_provokes ? 0 : 2) };
        for (unsigned i = 0; i < triangles; i++) {
            s->prim[s->prims + i] = prim;
            prim.v += 3;
        }
    }
    s->prims += triangles;
    s->vertices += 3 * triangles;
    s->n = 0;
    return 3 * triangles;
}

/*
 * Finishes the chunk if its vertices are inline and the next vertices are from arrays,
 * or vice versa. Returns NV3_GEOM_MIXED if the primitive in progress would have both
 * kinds of vertices.
 */
static NV3GeomError start_kind(NV3Geom *g, bool inlined)
{
    GeomStream *s = &g->stream;
    NV3GeomError error = NV3_GEOM_OK;

    if (s->inlined != inlined && s->n) {
        return NV3_GEOM_MIXED;
    }
    if (s->inlined != inlined) {
        error = nv3_geom_finish_chunk(g);
        s->inlined = inlined;
    }
    return error;
}

/* ---- calls ------------------------------------------------------------------- */

NV3GeomError nv3_geom_begin(NV3Geom *g, NV3GeomPrimitive primitive)
{
    GeomStream *s = &g->stream;
    NV3GeomError error = NV3_GEOM_OK;

    if (primitive <= NV3_GEOM_NONE || primitive >= NV3_GEOM_PRIMITIVES || s->primitive) {
        return NV3_GEOM_BAD_PRIMITIVE;
    }
    if (!g->draw) {
        return NV3_GEOM_BAD_STATE;
    }
    if (s->corners != corners[primitive]) {
        error = nv3_geom_finish_chunk(g);
        s->corners = corners[primitive];
    }
    s->primitive = primitive;
    s->n = 0;
    return error;
}

NV3GeomError nv3_geom_arrays(NV3Geom *g, uint32_t first, uint32_t count)
{
    GeomStream *s = &g->stream;
    NV3GeomError error;

    if (!s->primitive) {
        return NV3_GEOM_NOT_BEGUN;
    }
    error = start_kind(g, false);
    while (count && !error) {
        uint32_t done;

        error = make_room(g);
        if (error) {
            break;
        }
        done = add_list(s, g->draw->chunk, first, count, g->draw->st.first_provokes);
        if (!done) {
            add_vertex(s, first, g->draw->st.first_provokes);
            done = 1;
        }
        first += done;
        count -= done;
    }
    return error;
}

static inline NV3GeomError add_index(NV3Geom *g, uint32_t index, uint32_t bias)
{
    const NV3GeomState *st = &g->draw->st;
    NV3GeomError error = make_room(g);

    if (error) {
        return error;
    }
    if (st->restart && index == st->restart_index) {
        close_primitive(&g->stream, st->first_provokes);
    } else {
        add_vertex(&g->stream, index + bias, st->first_provokes);
    }
    return NV3_GEOM_OK;
}

NV3GeomError nv3_geom_elements(NV3Geom *g, const uint32_t *index, uint32_t count)
{
    NV3GeomError error;

    if (!g->stream.primitive) {
        return NV3_GEOM_NOT_BEGUN;
    }
    error = start_kind(g, false);
    for (uint32_t i = 0; i < count && !error; i++) {
        error = add_index(g, index[i], 0);
    }
    return error;
}

NV3GeomError nv3_geom_indices(NV3Geom *g, const uint8_t *base, uint64_t size,
                              uint64_t offset, unsigned bytes, uint32_t count,
                              uint32_t bias)
{
    NV3GeomError error;

    if (!g->stream.primitive) {
        return NV3_GEOM_NOT_BEGUN;
    }
    if (offset > size || (uint64_t)count * bytes > size - offset) {
        return NV3_GEOM_OUT_OF_RANGE;
    }
    error = start_kind(g, false);
    for (uint32_t i = 0; i < count && !error; i++) {
        const uint8_t *from = base + offset + (uint64_t)i * bytes;
        uint32_t index = from[0];

        if (bytes >= 2) {
            index |= (uint32_t)from[1] << 8;
        }
        if (bytes == 4) {
            index |= (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
        }
        error = add_index(g, index, bias);
    }
    return error;
}

NV3GeomError nv3_geom_vertex(NV3Geom *g, const uint32_t attribute[NV3_VP_ATTRIBUTES][4])
{
    GeomStream *s = &g->stream;
    NV3GeomError error;

    if (!s->primitive) {
        return NV3_GEOM_NOT_BEGUN;
    }
    error = start_kind(g, true);
    if (!error) {
        error = make_room(g);
    }
    if (error) {
        return error;
    }
    memcpy(s->attribute[s->inline_vertices], attribute, sizeof(s->attribute[0]));
    add_vertex(s, s->inline_vertices++, g->draw->st.first_provokes);
    return NV3_GEOM_OK;
}

NV3GeomError nv3_geom_end(NV3Geom *g)
{
    GeomStream *s = &g->stream;

    if (!s->primitive) {
        return NV3_GEOM_NOT_BEGUN;
    }
    close_primitive(s, g->draw->st.first_provokes);
    s->primitive = NV3_GEOM_NONE;
    return NV3_GEOM_OK;
}

void nv3_geom_abort(NV3Geom *g)
{
    GeomStream *s = &g->stream;

    s->primitive = NV3_GEOM_NONE;
    s->n = 0;
    g->transformed = false;
    nv3_geom_keep_vertices(s);
}

bool nv3_geom_can_begin(const NV3Geom *g, NV3GeomPrimitive primitive)
{
    return primitive >= NV3_GEOM_PRIMITIVES || !g->stream.prims ||
           g->stream.corners == corners[primitive];
}

bool nv3_geom_can_add(const NV3Geom *g, unsigned count, bool inlined)
{
    const GeomStream *s = &g->stream;

    return s->vertices + count <= (g->draw ? g->draw->chunk : GEOM_CHUNK) &&
           s->prims + count + 3 <= GEOM_CHUNK_PRIMS &&
           (s->inlined == inlined || !s->prims);
}
