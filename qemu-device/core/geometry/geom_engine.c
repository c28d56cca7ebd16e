/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates geometry engines, sets their state, runs their work in slices, and saves and
 * restores a primitive in progress.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chip/le.h"
#include "geometry/geom_int.h"

/*
 * Maximum offset of an array. It ensures that the offset of every element fits in 64
 * bits.
 */
#define OFFSET_MAX  (1ull << 48)

/*
 * Costs in the unit of NV3_GEOM_BATCH_COST (make bench, core.vertex and
 * core.tri25.programs).
 */
#define COST_BLOCK      24      /* coverage of 8 x 8 pixels */
#define COST_SAMPLES    512     /* with multisampling, in addition to COST_BLOCK */
#define COST_VERTEX     8      /* of a vertex, plus 1 for each operation */
#define COST_SAMPLE     64      /* of each TXL operation, in addition to 1 */
#define COST_SCALAR     32      /* of each operation of one lane at a time, likewise */
#define COST_PRIMITIVE  16
#define COST_BIN        16      /* of adding a triangle to a bin, or testing a bin */
#define COST_SLOT       32      /* of a vertex that clipping, a point or a line creates */

static void free_batch(GeomBatch *b)
{
    if (b) {
        free(b->output);
        free(b);
    }
}

/* Returns an empty batch, or null if memory is exhausted. */
static GeomBatch *new_batch(void)
{
    GeomBatch *b = aligned_alloc(64, (sizeof(*b) + 63) & ~(size_t)63);

    if (!b) {
        return NULL;
    }
    memset(b, 0, sizeof(*b));
    for (unsigned i = 0; i < GEOM_BINS; i++) {
        b->bin[i].head = GEOM_NO_LINK;
    }
    b->output = aligned_alloc(64, GEOM_GROUPS * GEOM_GROUP_FLOATS * sizeof(float));
    if (!b->output) {
        free_batch(b);
        return NULL;
    }
    return b;
}

NV3Geom *nv3_geom_new(unsigned threads)
{
    NV3Geom *g = aligned_alloc(64, (sizeof(*g) + 63) & ~(size_t)63);

    if (!g) {
        return NULL;
    }
    memset(g, 0, sizeof(*g));
    g->batch = new_batch();
    g->stream.attribute = calloc(GEOM_CHUNK + GEOM_KEPT, sizeof(g->stream.attribute[0]));
    g->stream.sequential = true;
    g->level = nv3_vp_best_level();
    g->fp_level = nv3_fp_best_level();
    if (!nv3_geom_start_workers(g, threads) || !nv3_geom_init_passes(g) || !g->batch ||
        !g->stream.attribute) {
        nv3_geom_free(g);
        return NULL;
    }
    if (g->threads > 1) {
        g->other = new_batch();
    }
    return g;
}

void nv3_geom_free(NV3Geom *g)
{
    if (!g) {
        return;
    }
    nv3_geom_stop_workers(g);
    free(g->staging.bytes);
    free(g->stream.attribute);
    free_batch(g->batch);
    free_batch(g->other);
    nv3_geom_free_passes(g);
    free(g);
}

void nv3_geom_set_level(NV3Geom *g, NV3VpLevel level)
{
    if (level < g->level) {
        g->level = level;
    }
}

void nv3_geom_set_fp_level(NV3Geom *g, NV3FpLevel level)
{
    if (level < g->fp_level) {
        g->fp_level = level;
    }
}

void nv3_geom_set_shade(NV3Geom *g, NV3GeomShadeFn *shade, void *opaque)
{
    g->shade = shade;
    g->shade_opaque = opaque;
}

/* ---- state ------------------------------------------------------------------ */

static bool array_is_valid(const NV3GeomArray *a)
{
    if (!a->components) {
        return true;
    }
    return a->components <= 4 && a->type < NV3_GEOM_TYPES && a->offset < OFFSET_MAX &&
           (a->type != NV3_GEOM_UBYTE_BGRA || a->components == 4) &&
           (a->base || !a->size) && a->start < OFFSET_MAX && a->size < OFFSET_MAX;
}

static bool arrays_are_valid(const NV3GeomState *st)
{
    for (unsigned i = 0; i < NV3_VP_ATTRIBUTES; i++) {
        if (!array_is_valid(&st->array[i])) {
            return false;
        }
    }
    return true;
}

static bool state_is_valid(const NV3GeomState *st)
{
    const NV3GeomRect *r = &st->scissor;

    return arrays_are_valid(st) && st->code && st->constants &&
           r->x0 >= 0 && r->y0 >= 0 &&
           r->x1 <= NV3_GEOM_SIZE_MAX && r->y1 <= NV3_GEOM_SIZE_MAX &&
           !(st->clip_planes >> NV3_GEOM_CLIP_PLANES) &&
           st->polygon_mode[0] <= NV3_GEOM_POINT && st->polygon_mode[1] <= NV3_GEOM_POINT;
}

static void add_varying(GeomDraw *draw, unsigned input)
{
    const NV3GeomState *st = &draw->st;
    const unsigned texcoord = input - NV3_FP_TEXCOORD0;
    GeomVarying v = { .input = input, .mask = st->inputs[input] };

    if (input == NV3_FP_COLOR0 || input == NV3_FP_COLOR1) {
        unsigned n = input - NV3_FP_COLOR0;

        v.output[0] = NV3_GEOM_O_COLOR0 + n;
        v.output[1] = st->two_sided ? NV3_GEOM_O_BACK_COLOR0 + n : v.output[0];
        v.flat = st->flat;
    } else if (input == NV3_FP_FOG) {
        v.output[0] = v.output[1] = NV3_GEOM_O_FOG;
    } else {
        v.output[0] = v.output[1] = NV3_GEOM_O_TEXCOORD0 + texcoord;
        v.sprite = st->sprite & 1u << texcoord;
    }
    draw->outputs |= 1u << v.output[0] | 1u << v.output[1];
    draw->varying[draw->varyings++] = v;
}

static int64_t vertex_cost(const NV3VpCode *code)
{
    return COST_VERTEX + code->count + (int64_t)code->samples * COST_SAMPLE +
           (int64_t)code->scalars * COST_SCALAR;
}

/*
 * Returns the maximum number of vertices of a chunk. The engine transforms a chunk in one
 * step, so chunks are shorter if the program takes a long time.
 */
static unsigned chunk_size(const NV3VpCode *code)
{
    return vertex_cost(code) * GEOM_CHUNK > NV3_GEOM_BATCH_COST ? GEOM_CHUNK_SHORT :
                                                                  GEOM_CHUNK;
}

static void prepare_draw(GeomDraw *draw)
{
    const NV3GeomState *st = &draw->st;

    draw->varyings = draw->output_count = 0;
    draw->outputs = 1u << NV3_GEOM_O_POSITION;
    for (unsigned i = NV3_FP_COLOR0; i < NV3_FP_FACING; i++) {
        if (st->inputs[i]) {
            add_varying(draw, i);
        }
    }
    if (st->clip_planes & 7) {
        draw->outputs |= 1u << NV3_GEOM_O_FOG;
    }
    if ((st->clip_planes & 0x38) || st->point_size_output) {
        draw->outputs |= 1u << NV3_GEOM_O_POINT_SIZE;
    }
    for (unsigned i = 0; i < NV3_VP_OUTPUTS; i++) {
        if (draw->outputs & 1u << i) {
            draw->output[draw->output_count++] = i;
        }
    }
    draw->filled = st->polygon_mode[0] == NV3_GEOM_FILL &&
                   st->polygon_mode[1] == NV3_GEOM_FILL;
    draw->block_cost = st->multisample ? COST_BLOCK + COST_SAMPLES : COST_BLOCK;
    if (st->draw && st->draw->code) {
        draw->block_cost += nv3_fp_draw_cost(st->draw);
    }
    draw->begin_cost = st->draw && st->draw->code ? nv3_fp_begin_cost(st->draw) : 0;
    draw->chunk = chunk_size(st->code);
}

/* ---- batches ------------------------------------------------------------------ */

/* Makes @draw the only draw of the batch. */
static void set_only_draw(NV3Geom *g, const GeomDraw *draw)
{
    GeomBatch *b = g->batch;

    if (draw && draw != b->draw) {
        b->draw[0] = *draw;
    }
    g->draw = draw ? b->draw : NULL;
    b->draws = draw ? 1 : 0;
}

/*
 * Starts to draw the batch. If there is another batch, the engine fills that batch from
 * now on, with the current drawing state. This is not possible while primitives of the
 * chunk refer to slots of the batch.
 */
static void start_drawing(NV3Geom *g, int64_t *left)
{
    GeomBatch *full = g->batch;

    nv3_geom_start_bins(g, left);
    if (g->other && !g->transformed) {
        g->batch = g->other;
        g->other = full;
        set_only_draw(g, g->draw);
    }
}

/*
 * Draws parts of g->drawn. If this batch is complete, empties it. Slots of the chunk
 * remain valid.
 */
static void continue_drawing(NV3Geom *g, int64_t *left)
{
    GeomBatch *b = g->drawn;

    if (!nv3_geom_draw_bins(g, left)) {
        return;
    }
    g->drawn = NULL;
    nv3_geom_clear_bins(b);
    if (b != g->batch) {
        b->slots = 0;
        return;
    }
    set_only_draw(g, g->draw);
    if (!g->transformed) {
        b->slots = 0;
    }
}

/* Makes progress towards an empty batch, when the batch is full or must be drawn. */
static void advance_drawing(NV3Geom *g, int64_t *left)
{
    if (g->drawn) {
        continue_drawing(g, left);
    } else {
        start_drawing(g, left);
    }
}

NV3GeomError nv3_geom_set_state(NV3Geom *g, const NV3GeomState *st)
{
    NV3GeomError error;

    if (g->stream.primitive || !state_is_valid(st)) {
        return NV3_GEOM_BAD_STATE;
    }
    error = nv3_geom_finish_chunk(g);
    while (g->batch->draws == GEOM_DRAWS) {
        int64_t left = INT64_MAX;

        advance_drawing(g, &left);
    }
    g->draw = &g->batch->draw[g->batch->draws++];
    g->draw->st = *st;
    prepare_draw(g->draw);
    g->pass[0].loaded = g->pass[1].loaded = NULL;
    return error;
}

NV3GeomError nv3_geom_set_input(NV3Geom *g, const NV3GeomState *st)
{
    NV3GeomError error;
    NV3GeomState *to;

    if (!g->draw || g->stream.primitive || !arrays_are_valid(st)) {
        return NV3_GEOM_BAD_STATE;
    }
    error = nv3_geom_finish_chunk(g);
    to = &g->draw->st;
    memcpy(to->array, st->array, sizeof(to->array));
    memcpy(to->attribute, st->attribute, sizeof(to->attribute));
    to->instance = st->instance;
    to->restart = st->restart;
    to->restart_index = st->restart_index;
    g->pass[0].loaded = g->pass[1].loaded = NULL;
    return error;
}

/* ---- drawing ----------------------------------------------------------------- */

bool nv3_geom_is_full(const NV3Geom *g)
{
    const GeomBatch *b = g->batch;

    return b->slots + GEOM_CHUNK > GEOM_SLOTS ||
           b->cost >= g->threads * NV3_GEOM_BATCH_COST;
}

static NV3GeomError run_transform(NV3Geom *g, int64_t *left)
{
    GeomStream *s = &g->stream;
    NV3GeomError error;

    if (nv3_geom_is_full(g)) {
        advance_drawing(g, left);
        return NV3_GEOM_OK;
    }
    error = nv3_geom_transform(g);
    if (error) {
        return error;
    }
    *left -= s->vertices * vertex_cost(g->draw->st.code);
    g->transformed = true;
    g->next_prim = 0;
    return NV3_GEOM_OK;
}

/* Returns a cost that increases with the work of binning primitives. */
static int64_t binning_cost(const NV3Geom *g)
{
    const GeomBatch *b = g->batch;

    return (b->links + g->tested_bins) * COST_BIN + b->extra_slots * COST_SLOT;
}

/*
 * Bins primitives of the chunk until the batch is full, the cost reaches @left, or no
 * primitive remains.
 */
static void run_prims(NV3Geom *g, int64_t *left)
{
    GeomStream *s = &g->stream;

    while (g->next_prim < s->prims && *left > 0) {
        const int64_t before = binning_cost(g);

        if (!nv3_geom_has_room(g)) {
            advance_drawing(g, left);
            return;
        }
        nv3_geom_add_prim(g, g->next_prim++);
        *left -= COST_PRIMITIVE + binning_cost(g) - before;
    }
    if (g->next_prim == s->prims) {
        g->transformed = false;
        nv3_geom_keep_vertices(s);
    }
}

NV3GeomError nv3_geom_run(NV3Geom *g, bool draw, int64_t *left)
{
    NV3GeomError error = NV3_GEOM_OK;

    for (;;) {
        if (g->drawn && g->drawn == g->batch) {
            continue_drawing(g, left);
        } else if (g->transformed) {
            run_prims(g, left);
        } else if (g->stream.prims && !error) {
            error = run_transform(g, left);
        } else if (draw && (g->drawn || g->batch->bins)) {
            advance_drawing(g, left);
        } else {
            break;
        }
        if (*left <= 0) {
            /* If a fetch has failed, the next call tries the chunk again. */
            return NV3_GEOM_AGAIN;
        }
    }
    nv3_geom_keep_vertices(&g->stream);
    if (draw) {
        g->batch->slots = 0;
    }
    return error;
}

NV3GeomError nv3_geom_fetch_all(NV3Geom *g)
{
    return nv3_geom_finish_chunk(g);
}

NV3GeomError nv3_geom_flush(NV3Geom *g)
{
    int64_t left = INT64_MAX;

    return nv3_geom_run(g, true, &left);
}

bool nv3_geom_can_set_state(const NV3Geom *g)
{
    return g->batch->draws < GEOM_DRAWS;
}

bool nv3_geom_has_work(const NV3Geom *g)
{
    return g->stream.prims || g->transformed || g->batch->bins || g->drawn;
}

void nv3_geom_drop(NV3Geom *g)
{
    nv3_geom_drop_bins(g);
    set_only_draw(g, g->draw);
    g->batch->slots = 0;
    if (g->other) {
        g->other->slots = 0;
    }
    nv3_geom_abort(g);
}

void nv3_geom_counters(const NV3Geom *g, NV3GeomCounters *counters)
{
    *counters = g->counters;
}

/* ---- inline vertices ---------------------------------------------------------- */

static unsigned array_words(const NV3GeomArray *a)
{
    return a->components ?
           (nv3_geom_element_bytes(a->type, a->components) + 3) / 4 : 0;
}

unsigned nv3_geom_inline_words(const NV3Geom *g)
{
    unsigned words = 0;

    for (unsigned i = 0; g->draw && i < NV3_VP_ATTRIBUTES; i++) {
        words += array_words(&g->draw->st.array[i]);
    }
    return words;
}

NV3GeomError nv3_geom_inline(NV3Geom *g, const uint32_t *words)
{
    uint32_t attribute[NV3_VP_ATTRIBUTES][4];
    const NV3GeomState *st;

    if (!g->stream.primitive) {
        return NV3_GEOM_NOT_BEGUN;
    }
    st = &g->draw->st;
    for (unsigned i = 0; i < NV3_VP_ATTRIBUTES; i++) {
        const NV3GeomArray *a = &st->array[i];
        unsigned count = array_words(a);
        uint8_t bytes[16];

        if (!count) {
            memcpy(attribute[i], st->attribute[i], sizeof(attribute[i]));
            continue;
        }
        assert(4 * count <= sizeof(bytes));
        for (unsigned n = 0; n < count; n++) {
            nv3_stl(bytes + 4 * n, words[n]);
        }
        nv3_geom_convert(attribute[i], a->type, a->components, bytes);
        words += count;
    }
    return nv3_geom_vertex(g, attribute);
}

/* ---- save and restore --------------------------------------------------------- */

NV3GeomError nv3_geom_save(NV3Geom *g, NV3GeomPending *pending)
{
    const GeomStream *s = &g->stream;
    NV3GeomError error = nv3_geom_flush(g);

    memset(pending, 0, sizeof(*pending));
    pending->primitive = s->primitive;
    pending->inline_vertices = s->inlined;
    pending->count = s->n;
    pending->kept = s->vertices;
    for (unsigned i = 0; i < s->vertices; i++) {
        pending->element[i] = s->element[i];
        if (s->inlined) {
            memcpy(pending->attribute[i], s->attribute[s->element[i]],
                   sizeof(pending->attribute[i]));
        }
    }
    return error;
}

bool nv3_geom_restore(NV3Geom *g, const NV3GeomPending *pending)
{
    GeomStream *s = &g->stream;

    nv3_geom_abort(g);
    if (!pending->primitive) {
        return true;
    }
    if (pending->primitive >= NV3_GEOM_PRIMITIVES || pending->count >= GEOM_COUNT_WRAP ||
        pending->inline_vertices > 1 ||
        pending->kept != (pending->count ? GEOM_KEPT : 0) ||
        nv3_geom_begin(g, pending->primitive)) {
        return false;
    }
    s->n = pending->count;
    s->inlined = pending->inline_vertices;
    s->vertices = pending->kept;
    for (unsigned i = 0; i < pending->kept; i++) {
        s->element[i] = s->inlined ? i : pending->element[i];
        memcpy(s->attribute[i], pending->attribute[i], sizeof(s->attribute[i]));
    }
    s->inline_vertices = s->inlined ? pending->kept : 0;
    s->sequential = !pending->kept;
    s->first = 0;
    for (unsigned i = 0; i < 3; i++) {
        s->last[i] = 1 + i;
    }
    return true;
}

const char *nv3_geom_error_name(NV3GeomError error)
{
    static const char *const names[] = {
        [NV3_GEOM_OK] = "no error",
        [NV3_GEOM_BAD_STATE] = "state that is out of range",
        [NV3_GEOM_BAD_PRIMITIVE] =
            "an unknown primitive, or one that begins within another",
        [NV3_GEOM_NOT_BEGUN] = "vertices outside of a primitive",
        [NV3_GEOM_MIXED] = "inline vertices and others in one primitive",
        [NV3_GEOM_OUT_OF_RANGE] = "a vertex or an index beyond its DMA object",
        [NV3_GEOM_AGAIN] = "more to do",
    };

    return names[error];
}
