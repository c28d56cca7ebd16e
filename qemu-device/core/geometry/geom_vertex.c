/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs vertex programs for a chunk's vertices. */
#include <string.h>

#include "geometry/geom_int.h"

unsigned nv3_geom_extra_slot(GeomBatch *b)
{
    if (b->extra_slots == GEOM_EXTRA_SLOTS) {
        return GEOM_NO_LINK;
    }
    return GEOM_SLOTS + b->extra_slots++;
}

static bool fetch_group(NV3Geom *g, const GeomDraw *draw, const uint32_t *element,
                        unsigned count)
{
    const NV3VpCode *code = draw->st.code;
    uint32_t (*vertex[NV3_VP_LANES])[NV3_VP_ATTRIBUTES][4];

    if (!g->stream.inlined) {
        return nv3_geom_fetch(g->file, &draw->st, code->attributes, element, count);
    }
    for (unsigned i = 0; i < count; i++) {
        vertex[i] = &g->stream.attribute[element[i]];
    }
    nv3_geom_fetch_inline(g->file, code->attributes, vertex, count);
    return true;
}

/* NV3VpSampleGroupFn: @opaque is the engine. */
static void sample(void *opaque, unsigned unit, const NV3VpSlot *const coord[4],
                   NV3VpSlot *const result[4])
{
    /* The texture unit takes more places at a time than a group has vertices. */
    struct {
        float lane[NV3_FP_LANES] __attribute__((aligned(64)));
    } place[4] = { 0 }, texel[4];
    const NV3Geom *g = opaque;

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

void nv3_geom_init_file(NV3Geom *g)
{
    memset(g->file, 0, sizeof(*g->file));
    g->file->sample = sample;
    g->file->sample_opaque = g;
}

/* Up to NV3_VP_LANES vertices, to slots from @slot on. */
static bool run_group(NV3Geom *g, const uint32_t *element, unsigned count, unsigned slot)
{
    const GeomDraw *draw = g->draw;
    GeomBatch *b = &g->batch;

    if (!fetch_group(g, draw, element, count)) {
        return false;
    }
    if (!g->constants_loaded) {
        nv3_vp_load_constants(g->file, draw->st.code, draw->st.constants);
        g->constants_loaded = true;
    }
    nv3_vp_execute(g->file, draw->st.code, draw->st.constants, count, g->level);
    for (unsigned i = 0; i < draw->output_count; i++) {
        const unsigned output = draw->output[i];

        for (unsigned c = 0; c < 4; c++) {
            memcpy(nv3_geom_output(b, slot, output, c),
                   g->file->slot[draw->st.code->output[output][c]].lane,
                   sizeof(NV3VpSlot));
        }
    }
    nv3_geom_project(b, draw, slot, g->level);
    g->counters.vertices += count;
    return true;
}

/* Transforms consecutive vertices. The slot of each is its place in the chunk. */
static NV3GeomError transform_sequence(NV3Geom *g)
{
    GeomStream *s = &g->stream;

    for (unsigned i = 0; i < s->vertices; i += NV3_VP_LANES) {
        unsigned count = s->vertices - i;

        count = count < NV3_VP_LANES ? count : NV3_VP_LANES;
        if (!run_group(g, s->element + i, count, g->batch.slots + i)) {
            return NV3_GEOM_OUT_OF_RANGE;
        }
    }
    for (unsigned i = 0; i < s->vertices; i++) {
        s->slot[i] = g->batch.slots + i;
    }
    return NV3_GEOM_OK;
}

/* A vertex that is in the cache keeps its slot; the others get the next free one. */
static unsigned find_unique(GeomStream *s, uint32_t *unique, unsigned first_slot)
{
    unsigned count = 0;

    s->chunk++;
    for (unsigned i = 0; i < s->vertices; i++) {
        uint32_t element = s->element[i];
        unsigned at = element % GEOM_CACHE;

        if (s->cache[at].chunk != s->chunk || s->cache[at].element != element) {
            s->cache[at].chunk = s->chunk;
            s->cache[at].element = element;
            s->cache[at].slot = first_slot + count;
            unique[count++] = element;
        }
        s->slot[i] = s->cache[at].slot;
    }
    return count;
}

static NV3GeomError transform_indexed(NV3Geom *g)
{
    uint32_t unique[GEOM_CHUNK];
    unsigned vertices = find_unique(&g->stream, unique, g->batch.slots);

    for (unsigned i = 0; i < vertices; i += NV3_VP_LANES) {
        unsigned count = vertices - i;

        count = count < NV3_VP_LANES ? count : NV3_VP_LANES;
        if (!run_group(g, unique + i, count, g->batch.slots + i)) {
            return NV3_GEOM_OUT_OF_RANGE;
        }
    }
    return NV3_GEOM_OK;
}

/* Maps the parts of the arrays that the chunk's vertices need. */
static void map_arrays(NV3Geom *g)
{
    const GeomStream *s = &g->stream;
    uint32_t first = UINT32_MAX, last = 0;

    if (s->inlined || !g->draw->st.memory) {
        return;
    }
    for (unsigned i = 0; i < s->vertices; i++) {
        first = s->element[i] < first ? s->element[i] : first;
        last = s->element[i] > last ? s->element[i] : last;
    }
    nv3_geom_map_arrays(&g->staging, &g->draw->st, g->draw->st.code->attributes, first,
                        last, s->vertices);
}

NV3GeomError nv3_geom_transform(NV3Geom *g)
{
    GeomStream *s = &g->stream;
    NV3GeomError error;

    map_arrays(g);
    error = s->sequential || s->inlined ? transform_sequence(g) : transform_indexed(g);
    /* The next chunk begins with a group of its own. */
    g->batch.slots += (s->vertices + NV3_VP_LANES - 1) & ~(NV3_VP_LANES - 1u);
    return error;
}
