/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Executes the methods of class 0x1f, and saves and loads its context. */
#include <stdlib.h>
#include <string.h>

#include "programs/programs_int.h"

#define ONE     0x3f800000u
/* Cost of translating the address of a page, in nanoseconds. */
#define COST_PAGE   16

/* ---- memory ------------------------------------------------------------------ */

/* All addresses have 32 bits. */
static bool fits(NV3Programs *p, uint64_t offset, uint64_t len)
{
    p->fault = offset;
    return offset + len <= 1ull << 32;
}

uint8_t *nv3_programs_map(NV3Programs *p, uint32_t offset, uint64_t len, bool write)
{
    p->left -= len / 4096 * COST_PAGE;
    return p->memory.map(p->memory.opaque, offset, len, write);
}

static const uint8_t *map_array(void *opaque, uint64_t offset, uint64_t len)
{
    NV3Programs *p = opaque;

    return fits(p, offset, len) ? nv3_programs_map(p, offset, len, false) : NULL;
}

static bool read_array(void *opaque, uint64_t offset, void *to, uint32_t len)
{
    NV3Programs *p = opaque;

    return fits(p, offset, len) && p->memory.read(p->memory.opaque, offset, to, len);
}

/* ---- life -------------------------------------------------------------------- */

NV3Programs *nv3_programs_new(const NV3ProgramsMemory *memory, unsigned threads)
{
    NV3Programs *p = aligned_alloc(64, (sizeof(*p) + 63) & ~(size_t)63);

    if (!p) {
        return NULL;
    }
    memset(p, 0, sizeof(*p));
    p->memory = *memory;
    p->arrays = (NV3GeomMemory) { map_array, read_array, p };
    p->state.memory = &p->arrays;
    p->geom = nv3_geom_new(threads);
    if (!p->geom) {
        free(p);
        return NULL;
    }
    nv3_programs_reset(&p->context);
    p->dirty = p->program_dirty = true;
    p->left = INT64_MAX;
    p->limits = NV3_PROGRAMS_LIMITS;
    p->level = nv3_fp_best_level();
    return p;
}

void nv3_programs_set_simd(NV3Programs *p, NV3Simd allowed)
{
    static const struct {
        NV3VpLevel vp;
        NV3FpLevel fp;
    } levels[NV3_SIMD_COUNT] = {
        [NV3_SIMD_AVX2] = { NV3_VP_AVX2, NV3_FP_AVX2 },
        [NV3_SIMD_AVX512] = { NV3_VP_AVX512, NV3_FP_AVX512 },
        [NV3_SIMD_AVX512_VBMI2] = { NV3_VP_AVX512, NV3_FP_AVX512 },
        /* All other SIMD levels use NV3_VP_GENERIC and NV3_FP_GENERIC, which are 0. */
    };
    const NV3Simd simd = nv3_simd_select(allowed);

    if (levels[simd].fp < p->level) {
        p->level = levels[simd].fp;
    }
    nv3_geom_set_level(p->geom, levels[simd].vp);
    nv3_geom_set_fp_level(p->geom, levels[simd].fp);
}

void nv3_programs_free(NV3Programs *p)
{
    if (!p) {
        return;
    }
    nv3_geom_free(p->geom);
    nv3_programs_drop_textures(p);
    nv3_programs_drop_code(p);
    free(p);
}

/*
 * Registers whose initial values are not 0. The clip rectangles contain all pixels. The
 * other values are the initial state of OpenGL.
 */
static const struct {
    uint16_t method;
    uint32_t value;
} initial[] = {
    { NV3_PM_SURFACE_FORMAT, NV3_PM_FORMAT_TYPE_PITCH << NV3_PM_FORMAT_TYPE_SHIFT },
    { NV3_PM_ALPHA_FUNC, 0x207 },
    { NV3_PM_BLEND_FUNC_SFACTOR, 0x00010001 },
    { NV3_PM_BLEND_EQUATION, 0x80068006 },
    { NV3_PM_DEPTH_FUNC, 0x201 },
    { NV3_PM_COLOR_MASK, 0x01010101 },
    { NV3_PM_DEPTH_MASK, 1 },
    { NV3_PM_STENCIL_MASK, 0xff },
    { NV3_PM_STENCIL_FUNC, 0x207 },
    { NV3_PM_STENCIL_FUNC_MASK, 0xff },
    { NV3_PM_STENCIL_OP_FAIL, 0x1e00 },
    { NV3_PM_STENCIL_OP_ZFAIL, 0x1e00 },
    { NV3_PM_STENCIL_OP_ZPASS, 0x1e00 },
    { NV3_PM_BACK_STENCIL_MASK, 0xff },
    { NV3_PM_BACK_STENCIL_MASK + 4, 0x207 },
    { NV3_PM_BACK_STENCIL_MASK + 12, 0xff },
    { NV3_PM_BACK_STENCIL_MASK + 16, 0x1e00 },
    { NV3_PM_BACK_STENCIL_MASK + 20, 0x1e00 },
    { NV3_PM_BACK_STENCIL_MASK + 24, 0x1e00 },
    { NV3_PM_SHADE_MODE, 0x1d01 },
    { NV3_PM_LINE_WIDTH, 8 },
    { NV3_PM_POINT_SIZE, 8 },
    { NV3_PM_FRONT_POLYGON_MODE, 0x1b02 },
    { NV3_PM_BACK_POLYGON_MODE, 0x1b02 },
    { NV3_PM_CULL_FACE, 0x0405 },
    { NV3_PM_FRONT_FACE, 0x0901 },
    { NV3_PM_LOGIC_OP, 0x1503 },
    { NV3_PM_VIEWPORT_SCALE, ONE },
    { NV3_PM_VIEWPORT_SCALE + 4, ONE },
    { NV3_PM_VIEWPORT_SCALE + 8, 0x3f000000 },
    { NV3_PM_VIEWPORT_OFFSET + 8, 0x3f000000 },
    { NV3_PM_SCISSOR_HORIZ, 0xffff0000 },
    { NV3_PM_SCISSOR_VERT, 0xffff0000 },
    { NV3_PM_VIEWPORT_HORIZ, 0xffff0000 },
    { NV3_PM_VIEWPORT_VERT, 0xffff0000 },
    { NV3_PM_MULTISAMPLE_CONTROL, NV3_PROGRAMS_MULTISAMPLE },
    { NV3_PM_CLEAR_RECT_HORIZONTAL, 0xffff0000 },
    { NV3_PM_CLEAR_RECT_VERTICAL, 0xffff0000 },
    { NV3_PM_RESTART_INDEX, UINT32_MAX },
};

void nv3_programs_reset(NV3ProgramsContext *context)
{
    memset(context, 0, sizeof(*context));
    for (unsigned i = 0; i < sizeof(initial) / sizeof(initial[0]); i++) {
        context->method[initial[i].method / 4] = initial[i].value;
    }
    for (unsigned i = 0; i < NV3_VP_ATTRIBUTES; i++) {
        context->attribute[i][3] = ONE;
    }
}

/* ---- methods that only store their argument -------------------------------------- */

/* What a new argument of a stored method changes. */
typedef enum Change {
    CHANGES_STATE,      /* the state of the following draws */
    CHANGES_INPUT,      /* only how the following vertices are fetched and assembled */
    CHANGES_NOTHING,    /* other methods read the argument when they execute */
} Change;

typedef struct Range {
    uint16_t first, last;
    uint8_t change;                 /* Change */
} Range;

static const Range stored[] = {
    { NV3_PM_SURFACE_CLIP_HORIZONTAL, NV3_PM_SURFACE_ZETA_OFFSET, CHANGES_STATE },
    { NV3_PM_FOG_ENABLE, NV3_PM_FOG_COLOR, CHANGES_STATE },
    { NV3_PM_ALPHA_TEST_ENABLE, NV3_PM_DITHER_ENABLE, CHANGES_STATE },
    { NV3_PM_POINT_PARAMS_ENABLE, NV3_PM_POINT_PARAMS_ENABLE, CHANGES_STATE },
    { NV3_PM_STENCIL_TEST_ENABLE, NV3_PM_BACK_POLYGON_MODE, CHANGES_STATE },
    { NV3_PM_CULL_FACE, NV3_PM_FRONT_FACE, CHANGES_STATE },
    { NV3_PM_POINT_SIZE, NV3_PM_POINT_SIZE, CHANGES_STATE },
    { NV3_PM_SCISSOR_HORIZ, NV3_PM_SCISSOR_VERT, CHANGES_STATE },
    { NV3_PM_FP_ACTIVE_PROGRAM, NV3_PM_FP_ACTIVE_PROGRAM, CHANGES_STATE },
    { NV3_PM_VTXTEX, NV3_PM_VTXTEX + NV3_VP_UNITS * NV3_PM_TEX_WORDS * 4 - 4,
      CHANGES_STATE },
    { NV3_PM_VIEWPORT_HORIZ, NV3_PM_VIEWPORT_VERT, CHANGES_STATE },
    { NV3_PM_VIEWPORT_OFFSET, NV3_PM_VIEWPORT_OFFSET + 12, CHANGES_STATE },
    { NV3_PM_VIEWPORT_SCALE, NV3_PM_VIEWPORT_SCALE + 12, CHANGES_STATE },
    { NV3_PM_FLATSHADE_FIRST, NV3_PM_FLATSHADE_FIRST, CHANGES_STATE },
    { NV3_PM_CLIP_PLANES_ENABLE, NV3_PM_CLIP_PLANES_ENABLE, CHANGES_STATE },
    { NV3_PM_ARRAY_OFFSET, NV3_PM_ARRAY_OFFSET + 15 * 4, CHANGES_INPUT },
    { NV3_PM_ARRAY_FORMAT, NV3_PM_ARRAY_FORMAT + 15 * 4, CHANGES_INPUT },
    { NV3_PM_LOGIC_OP_ENABLE, NV3_PM_TWO_SIDE_LIGHT_ENABLE, CHANGES_STATE },
    { NV3_PM_IDXBUF_OFFSET, NV3_PM_IDXBUF_FORMAT, CHANGES_NOTHING },
    { NV3_PM_TEX_SIZE1, NV3_PM_TEX_SIZE1 + 15 * 4, CHANGES_STATE },
    { NV3_PM_TEX, NV3_PM_TEX + 16 * NV3_PM_TEX_WORDS * 4 - 4, CHANGES_STATE },
    { NV3_PM_FP_CONTROL, NV3_PM_FP_CONTROL, CHANGES_STATE },
    { NV3_PM_ZMIN_MAX_CONTROL, NV3_PM_MULTISAMPLE_CONTROL, CHANGES_STATE },
    { NV3_PM_ZSTENCIL_CLEAR_VALUE, NV3_PM_COLOR_CLEAR_VALUE, CHANGES_NOTHING },
    { NV3_PM_CLEAR_RECT_HORIZONTAL, NV3_PM_CLEAR_RECT_VERTICAL, CHANGES_NOTHING },
    { NV3_PM_RESTART_ENABLE, NV3_PM_RESTART_INDEX, CHANGES_INPUT },
    { NV3_PM_TRANSFORM_PROGRAM_LOAD, NV3_PM_TRANSFORM_PROGRAM_START, CHANGES_STATE },
    { NV3_PM_TRANSFORM_CONSTANT_LOAD, NV3_PM_TRANSFORM_CONSTANT_LOAD, CHANGES_NOTHING },
    { NV3_PM_POINT_SPRITE, NV3_PM_POINT_SPRITE, CHANGES_STATE },
    { NV3_PM_STENCIL_TWO_SIDE_ENABLE, NV3_PM_BACK_STENCIL_MASK + 24, CHANGES_STATE },
    { NV3_PM_INSTANCE, NV3_PM_INSTANCE, CHANGES_INPUT },
    { NV3_PM_ELEMENT_BASE, NV3_PM_ELEMENT_BASE, CHANGES_NOTHING },
    { NV3_PM_ELEMENT_BASE + 4, NV3_PM_TEX_CACHE_OFFSET, CHANGES_STATE },
    { NV3_PM_ARRAY_DIVISOR, NV3_PM_ARRAY_DIVISOR + 15 * 4, CHANGES_INPUT },
    { NV3_PM_VTXTEX_SIZE1, NV3_PM_VTXTEX_SIZE1 + (NV3_VP_UNITS - 1) * 4, CHANGES_STATE },
};

/* Returns null if @method is not a stored method. */
static const Range *find_stored(uint32_t method)
{
    for (unsigned i = 0; i < sizeof(stored) / sizeof(stored[0]); i++) {
        if (method >= stored[i].first && method <= stored[i].last) {
            return &stored[i];
        }
    }
    return NULL;
}

static NV3ProgramsResult geom_result(NV3Programs *p, NV3GeomError error)
{
    switch (error) {
    case NV3_GEOM_OK:
        return NV3_PROGRAMS_OK;
    case NV3_GEOM_OUT_OF_RANGE:
        /* p->fault already contains the offset. */
        return NV3_PROGRAMS_FAULT;
    case NV3_GEOM_AGAIN:
        return NV3_PROGRAMS_AGAIN;
    default:
        return NV3_PROGRAMS_BAD_DATA;
    }
}

/* ---- drawing --------------------------------------------------------------------- */

static void update_samples(NV3Programs *p)
{
    NV3GeomCounters counters;

    nv3_geom_counters(p->geom, &counters);
    p->context.samples += counters.samples - p->samples_before;
    p->samples_before = counters.samples;
}

void nv3_programs_report_dirty(NV3Programs *p)
{
    const NV3PixopsSurface *surface[2] = { &p->drawn.color, &p->drawn.zeta };

    for (unsigned i = 0; i < 2 && p->memory.dirty; i++) {
        if (surface[i]->base) {
            p->memory.dirty(p->memory.opaque, surface[i]->base, surface[i]->size);
        }
    }
}

/*
 * Lets the next draw map the targets again. Must be called after a flush, because the
 * mappings may change.
 */
static void forget_targets(NV3Programs *p)
{
    p->target[0].base = p->target[1].base = NULL;
    p->dirty = true;
}

NV3ProgramsResult nv3_programs_draw(NV3Programs *p, bool all)
{
    NV3ProgramsResult result = geom_result(p, nv3_geom_run(p->geom, all, &p->left));

    if (all && result != NV3_PROGRAMS_AGAIN) {
        update_samples(p);
        nv3_programs_report_dirty(p);
        forget_targets(p);
    }
    return result;
}

NV3ProgramsResult nv3_programs_flush(NV3Programs *p)
{
    const int64_t left = p->left;
    NV3ProgramsResult result;

    p->left = p->limits.flush;
    result = nv3_programs_draw(p, true);
    p->left = left;
    if (result != NV3_PROGRAMS_AGAIN) {
        return result;
    }
    nv3_programs_drop(p);
    return NV3_PROGRAMS_TOO_LONG;
}

bool nv3_programs_has_work(const NV3Programs *p)
{
    return !p->dirty || p->target[0].base || p->target[1].base ||
           nv3_geom_has_work(p->geom);
}

void nv3_programs_drop(NV3Programs *p)
{
    nv3_geom_drop(p->geom);
    p->context.inline_words = 0;
    p->begun = p->resuming = false;
    /* Threads may have drawn a part. */
    update_samples(p);
    nv3_programs_report_dirty(p);
    forget_targets(p);
}

void nv3_programs_set_limits(NV3Programs *p, const NV3ProgramsLimits *limits)
{
    p->limits = *limits;
}

void nv3_programs_set_slice(NV3Programs *p, int64_t cost)
{
    p->left = cost;
}

int64_t nv3_programs_slice_left(const NV3Programs *p)
{
    return p->left;
}

/*
 * Makes room for @count vertices in the geometry engine. If the engine has too little
 * room, first processes the vertices that it already holds.
 */
static NV3ProgramsResult make_room(NV3Programs *p, unsigned count, bool inlined)
{
    return nv3_geom_can_add(p->geom, count, inlined) ? NV3_PROGRAMS_OK :
                                                       nv3_programs_draw(p, false);
}

/* ---- vertex programs and constants ---------------------------------------------- */

/*
 * Stores @data as word @word (0 to 3) of the instruction or constant whose index is in
 * the register @load. After word 3, increments this index.
 */
static NV3ProgramsResult upload(NV3Programs *p, uint32_t (*memory)[4], unsigned count,
                                unsigned load, unsigned word, uint32_t data)
{
    uint32_t *at = &p->context.method[load / 4];
    NV3ProgramsResult result;

    if (*at >= count) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    /*
     * First process the vertices of earlier methods, which must use the old contents of
     * @memory.
     */
    result = nv3_programs_draw(p, false);
    if (result == NV3_PROGRAMS_AGAIN) {
        return result;
    }
    memory[*at][word] = data;
    *at += word == 3;
    p->input_dirty = true;
    return result;
}

/* ---- vertices -------------------------------------------------------------------- */

/*
 * Sets components of an attribute. Between BEGIN and END, the last component of attribute
 * 0 completes a vertex.
 */
static NV3ProgramsResult set_attribute(NV3Programs *p, unsigned attribute, unsigned first,
                                       const uint32_t *value, unsigned count, bool last)
{
    NV3ProgramsResult result;

    memcpy(&p->context.attribute[attribute][first], value, count * sizeof(*value));
    p->input_dirty = true;
    if (attribute || !last || !p->begun) {
        return NV3_PROGRAMS_OK;
    }
    result = make_room(p, 1, true);
    return result ? result :
           geom_result(p, nv3_geom_vertex(p->geom, p->context.attribute));
}

static uint32_t float_bits(float x)
{
    uint32_t word;

    memcpy(&word, &x, sizeof(word));
    return word;
}

static NV3ProgramsResult vertex_data(NV3Programs *p, uint32_t method, uint32_t data)
{
    const uint32_t shorts[2] = {
        float_bits((int16_t)data), float_bits((int16_t)(data >> 16)),
    };
    uint32_t value[4] = { 0, 0, 0, ONE };
    unsigned i, word;

    if (method >= NV3_PM_VERTEX_DATA4F) {
        i = (method - NV3_PM_VERTEX_DATA4F) / 16;
        word = method / 4 % 4;
        return set_attribute(p, i, word, &data, 1, word == 3);
    }
    if (method >= NV3_PM_VERTEX_DATA4S) {
        i = (method - NV3_PM_VERTEX_DATA4S) / 8;
        word = method / 4 % 2;
        return set_attribute(p, i, 2 * word, shorts, 2, word == 1);
    }
    if (method >= NV3_PM_VERTEX_DATA4UB) {
        for (unsigned c = 0; c < 4; c++) {
            value[c] = float_bits((data >> 8 * c & 255) / 255.0f);
        }
        return set_attribute(p, (method - NV3_PM_VERTEX_DATA4UB) / 4, 0, value, 4, true);
    }
    if (method >= NV3_PM_VERTEX_DATA2S) {
        memcpy(value, shorts, sizeof(shorts));
        return set_attribute(p, (method - NV3_PM_VERTEX_DATA2S) / 4, 0, value, 4, true);
    }
    i = (method - NV3_PM_VERTEX_DATA2F) / 8;
    word = method / 4 % 2;
    if (word == 0) {
        value[0] = data;
        return set_attribute(p, i, 0, value, 4, false);
    }
    return set_attribute(p, i, 1, &data, 1, true);
}

static NV3ProgramsResult begin_end(NV3Programs *p, uint32_t data)
{
    NV3ProgramsResult result;

    p->context.inline_words = 0;
    if (!data) {
        p->begun = false;
        return geom_result(p, nv3_geom_end(p->geom));
    }
    if (data >= NV3_GEOM_PRIMITIVES || p->begun) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    if (p->dirty || p->input_dirty || !nv3_geom_can_begin(p->geom, data)) {
        result = nv3_programs_draw(p, !nv3_geom_can_set_state(p->geom));
        if (result) {
            return result;
        }
    }
    if (p->dirty || p->input_dirty) {
        result = p->dirty ? nv3_programs_validate(p) : nv3_programs_validate_input(p);
        if (result) {
            return result;
        }
        p->dirty = p->input_dirty = false;
    }
    result = geom_result(p, nv3_geom_begin(p->geom, data));
    p->begun = !result;
    return result;
}

/*
 * Adds the vertex with index @first in the arrays and, if @count is 2, the vertex with
 * index @second.
 */
static NV3ProgramsResult elements(NV3Programs *p, uint32_t first, uint32_t second,
                                  unsigned count)
{
    const uint32_t base = programs_word(p, NV3_PM_ELEMENT_BASE);
    const uint32_t number[2] = { first + base, second + base };
    NV3ProgramsResult result = make_room(p, count, false);

    return result ? result : geom_result(p, nv3_geom_elements(p->geom, number, count));
}

static NV3ProgramsResult draw_arrays(NV3Programs *p, uint32_t data)
{
    const unsigned count = (data >> NV3_PM_DRAW_COUNT_SHIFT) + 1;
    const uint32_t first = (data & ((1u << NV3_PM_DRAW_COUNT_SHIFT) - 1)) +
                           programs_word(p, NV3_PM_ELEMENT_BASE);
    NV3ProgramsResult result = make_room(p, count, false);

    return result ? result : geom_result(p, nv3_geom_arrays(p->geom, first, count));
}

/*
 * Adds a word to the current inline vertex. An inline vertex consists of the words of its
 * attributes, in the formats of the arrays. The last word completes the vertex.
 */
static NV3ProgramsResult inline_array(NV3Programs *p, uint32_t data)
{
    NV3ProgramsContext *c = &p->context;
    unsigned words = nv3_geom_inline_words(p->geom);
    NV3ProgramsResult result;

    if (!p->begun || !words) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    result = make_room(p, 1, true);
    if (result) {
        return result;
    }
    c->inline_word[c->inline_words++] = data;
    if (c->inline_words < words) {
        return NV3_PROGRAMS_OK;
    }
    c->inline_words = 0;
    return geom_result(p, nv3_geom_inline(p->geom, c->inline_word));
}

/* Reads indices from memory, and adds the vertices with these indices. */
static NV3ProgramsResult index_batch(NV3Programs *p, uint32_t data)
{
    static const uint8_t log2_bytes[3] = { 2, 1, 0 };
    const unsigned type = programs_word(p, NV3_PM_IDXBUF_FORMAT) >> 4 & 15;
    const unsigned count = (data >> NV3_PM_DRAW_COUNT_SHIFT) + 1;
    const uint32_t first = data & ((1u << NV3_PM_DRAW_COUNT_SHIFT) - 1);
    uint8_t index[4 * 256];
    NV3ProgramsResult result;
    uint64_t offset;
    unsigned shift;

    if (type > 2) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    result = make_room(p, count, false);
    if (result) {
        return result;
    }
    shift = log2_bytes[type];
    offset = programs_word(p, NV3_PM_IDXBUF_OFFSET) + ((uint64_t)first << shift);
    if (!read_array(p, offset, index, count << shift)) {
        return NV3_PROGRAMS_FAULT;
    }
    return geom_result(p, nv3_geom_indices(p->geom, index, sizeof(index), 0, 1u << shift,
                                           count, programs_word(p, NV3_PM_ELEMENT_BASE)));
}

/* ---- others ---------------------------------------------------------------------- */

/*
 * Writes a report in the format of NV2A: the time, the number of samples that have
 * passed the tests since CLEAR_REPORT_VALUE, and 0.
 */
static NV3ProgramsResult get_report(NV3Programs *p, uint32_t data)
{
    const uint32_t offset = data & 0xffffff;
    NV3ProgramsResult result = nv3_programs_draw(p, true);
    uint8_t report[16] = { 0 };
    uint64_t time;

    if (result) {
        return result;
    }
    time = p->memory.clock ? p->memory.clock(p->memory.opaque) : 0;
    for (unsigned i = 0; i < 8; i++) {
        report[i] = time >> 8 * i;
    }
    for (unsigned i = 0; i < 4; i++) {
        report[8 + i] = p->context.samples >> 8 * i;
    }
    return p->memory.write(p->memory.opaque, offset, report, sizeof(report)) ?
           NV3_PROGRAMS_OK : programs_fault(p, offset);
}

static NV3ProgramsResult clear_report(NV3Programs *p)
{
    NV3ProgramsResult result = nv3_programs_draw(p, true);

    if (result != NV3_PROGRAMS_AGAIN) {
        p->context.samples = 0;
    }
    return result;
}

/*
 * Saves and suspends the primitive in progress, because its textures and mappings are
 * about to become invalid. The next method validates the state again and resumes the
 * primitive.
 */
static void suspend(NV3Programs *p)
{
    if (p->begun) {
        nv3_geom_save(p->geom, &p->context.pending);
        nv3_geom_abort(p->geom);
        p->begun = false;
        p->resuming = true;
    }
}

static NV3ProgramsResult drop_cache(NV3Programs *p, uint64_t offset, uint64_t size)
{
    NV3ProgramsResult result = nv3_programs_draw(p, true);

    if (result != NV3_PROGRAMS_AGAIN) {
        suspend(p);
        nv3_programs_forget_texture_range(p, offset, size);
        p->dirty = true;
    }
    return result;
}

NV3ProgramsResult nv3_programs_drop_caches(NV3Programs *p)
{
    return drop_cache(p, 0, UINT64_MAX);
}

static NV3ProgramsResult store(NV3Programs *p, Change change, uint32_t method,
                               uint32_t data)
{
    uint32_t *word = &p->context.method[method / 4];
    NV3ProgramsResult result = NV3_PROGRAMS_OK;

    if (method == NV3_PM_TRANSFORM_PROGRAM_START) {
        /*
         * First process the vertices of earlier methods, which must use the old program.
         */
        result = nv3_programs_draw(p, false);
        if (result == NV3_PROGRAMS_AGAIN) {
            return result;
        }
        p->program_dirty = true;
    }
    /*
     * FP_ACTIVE_PROGRAM has an effect even if the address is the same, because the
     * program in memory may have changed.
     */
    if (*word != data || method == NV3_PM_FP_ACTIVE_PROGRAM) {
        *word = data;
        p->dirty |= change == CHANGES_STATE;
        p->input_dirty |= change == CHANGES_INPUT;
    }
    return result;
}

/*
 * Executes methods that add vertices, and methods that only store their argument. Methods
 * that add vertices are more frequent, so the list of stored methods is searched last.
 */
static NV3ProgramsResult draw_or_store(NV3Programs *p, uint32_t method, uint32_t data)
{
    const Range *range;

    switch (method) {
    case NV3_PM_BEGIN_END:
        return begin_end(p, data);
    case NV3_PM_ARRAY_ELEMENT16:
        return elements(p, data & 0xffff, data >> 16, 2);
    case NV3_PM_ARRAY_ELEMENT32:
        return elements(p, data, 0, 1);
    case NV3_PM_DRAW_ARRAYS:
        return draw_arrays(p, data);
    case NV3_PM_INDEX_BATCH:
        return index_batch(p, data);
    case NV3_PM_INLINE_ARRAY:
        return inline_array(p, data);
    default:
        range = find_stored(method);
        return range ? store(p, range->change, method, data) : NV3_PROGRAMS_BAD_METHOD;
    }
}

/*
 * Validates the state again, and resumes the suspended primitive of the context. Drops
 * the primitive if the result is neither NV3_PROGRAMS_OK nor NV3_PROGRAMS_AGAIN.
 */
static NV3ProgramsResult resume(NV3Programs *p)
{
    NV3ProgramsResult result = nv3_programs_validate(p);

    if (result == NV3_PROGRAMS_AGAIN) {
        return result;
    }
    p->resuming = false;
    if (result) {
        return result;
    }
    if (!nv3_geom_restore(p->geom, &p->context.pending)) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    p->dirty = p->input_dirty = false;
    p->begun = true;
    return NV3_PROGRAMS_OK;
}

NV3ProgramsResult nv3_programs_method(NV3Programs *p, uint32_t method, uint32_t data)
{
    NV3ProgramsContext *c = &p->context;

    if (p->resuming) {
        NV3ProgramsResult result = resume(p);

        if (result) {
            return result;
        }
    }
    if (method >= NV3_PM_TRANSFORM_PROGRAM && method < NV3_PM_TRANSFORM_PROGRAM + 128) {
        p->dirty = p->program_dirty = true;
        return upload(p, c->program, NV3_VP_INSNS, NV3_PM_TRANSFORM_PROGRAM_LOAD,
                      method / 4 % 4, data);
    }
    if (method >= NV3_PM_TRANSFORM_CONSTANT && method < NV3_PM_TRANSFORM_CONSTANT + 128) {
        return upload(p, c->constant, NV3_VP_CONSTANTS, NV3_PM_TRANSFORM_CONSTANT_LOAD,
                      method / 4 % 4, data);
    }
    if (method >= NV3_PM_VERTEX4F && method < NV3_PM_VERTEX4F + 16) {
        return set_attribute(p, 0, (method - NV3_PM_VERTEX4F) / 4, &data, 1,
                             method == NV3_PM_VERTEX4F + 12);
    }
    if ((method >= NV3_PM_VERTEX_DATA2F && method < NV3_PM_VERTEX_DATA4S + 128) ||
        (method >= NV3_PM_VERTEX_DATA4F && method < NV3_PM_VERTEX_DATA4F + 256)) {
        return vertex_data(p, method, data);
    }
    switch (method) {
    case NV3_PM_NO_OPERATION:
        return NV3_PROGRAMS_OK;
    case NV3_PM_WAIT_FOR_IDLE:
        return nv3_programs_draw(p, true);
    case NV3_PM_CLEAR_REPORT_VALUE:
        return clear_report(p);
    case NV3_PM_GET_REPORT:
        return get_report(p, data);
    case NV3_PM_CLEAR_SURFACE:
        return p->begun ? NV3_PROGRAMS_BAD_DATA : nv3_programs_clear(p, data);
    case NV3_PM_TEX_CACHE_CTL:
        return nv3_programs_drop_caches(p);
    case NV3_PM_TEX_CACHE_SIZE:
        return drop_cache(p, programs_word(p, NV3_PM_TEX_CACHE_OFFSET), data);
    default:
        return draw_or_store(p, method, data);
    }
}

/* ---- saving and loading ---------------------------------------------------------- */

uint32_t nv3_programs_fault(const NV3Programs *p)
{
    return p->fault;
}

NV3ProgramsResult nv3_programs_save(NV3Programs *p, NV3ProgramsContext *context)
{
    NV3ProgramsResult result = nv3_programs_flush(p);

    if (!p->resuming) {
        nv3_geom_save(p->geom, &p->context.pending);
    }
    *context = p->context;
    return result;
}

bool nv3_programs_context_is_valid(const NV3ProgramsContext *c)
{
    return c->inline_words < NV3_VP_ATTRIBUTES * 4 &&
           c->pending.primitive < NV3_GEOM_PRIMITIVES;
}

bool nv3_programs_load(NV3Programs *p, const NV3ProgramsContext *context, uint32_t owner,
                       bool initial)
{
    if (!nv3_programs_context_is_valid(context)) {
        return false;
    }
    nv3_programs_drop(p);
    p->owner = owner;
    if (initial) {
        nv3_programs_drop_owned(p);
    } else {
        nv3_programs_forget_undecoded(p);
    }
    p->context = *context;
    p->program_dirty = true;
    p->resuming = context->pending.primitive;
    return true;
}

void nv3_programs_remap(NV3Programs *p)
{
    suspend(p);
    nv3_programs_forget_undecoded(p);
    forget_targets(p);
}

void nv3_programs_counters(const NV3Programs *p, NV3ProgramsCounters *counters)
{
    nv3_geom_counters(p->geom, &counters->geom);
    counters->texels = p->texels;
    counters->translated = p->translated;
}
