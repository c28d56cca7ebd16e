/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The geometry engine of geom_rig.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chip/le.h"
#include "geom_rig.h"

static GeomRig the_rig;
static uint32_t seed = 1;

uint32_t rig_random(void)
{
    uint32_t high;

    seed = seed * 1664525 + 1013904223;
    high = seed & 0xffff0000;
    seed = seed * 1664525 + 1013904223;
    return high | seed >> 16;
}

double rig_uniform(double low, double high)
{
    return low + (high - low) * (rig_random() / 4294967296.0);
}

double rig_plane(const NV3FpTriangle *tri, const NV3FpPlane *p, int32_t x, int32_t y)
{
    return p->value + (double)p->dx * (x - tri->x) + (double)p->dy * (y - tri->y);
}

static void draw_pixel(GeomRig *rig, const NV3FpTriangle *tri, int32_t x, int32_t y)
{
    const NV3FpPlane *red = &tri->input[NV3_FP_COLOR0][0];
    double value = rig_plane(tri, red, x, y);

    if (!(tri->linear & 1u << NV3_FP_COLOR0)) {
        value /= rig_plane(tri, &tri->rhw, x, y);
    }
    rig->count[y][x]++;
    rig->color[y][x] = value;
    /*
     * Clamp the colour, because the plane of an edge-on triangle may have infinite or NaN
     * values.
     */
    rig->order[y][x] = rig->order[y][x] * 31 +
                       (uint32_t)(int64_t)fmax(fmin(value * 64, 1e9), -1e9);
    if (rig->pixel) {
        rig->pixel(rig->opaque, tri, x, y);
    }
}

static unsigned shade(void *opaque, const NV3FpTriangle *tri, int32_t x, int32_t y,
                      uint64_t mask)
{
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned i = __builtin_ctzll(left);

        draw_pixel(opaque, tri, x + i % 8, y + i / 8);
    }
    return __builtin_popcountll(mask);
}

static void set_program(GeomRig *rig)
{
    for (unsigned i = 0; i < RIG_OUTPUTS; i++) {
        rig->insns[i] = (NV3VpInsn) {
            .vector_op = NV3_VP_VMOV,
            .src[0] = { .bank = NV3_VP_BANK_ATTRIBUTE, .component = { 0, 1, 2, 3 } },
            .attribute = i, .output = i, .output_mask = 15, .last = i == RIG_OUTPUTS - 1,
        };
    }
    nv3_vp_translate(&rig->code, rig->insns, RIG_OUTPUTS, UINT32_MAX);
}

GeomRig *rig_new(unsigned threads)
{
    GeomRig *rig = &the_rig;
    NV3GeomState *st = &rig->st;

    memset(rig, 0, sizeof(*rig));
    set_program(rig);
    st->code = &rig->code;
    st->constants = rig->constants;
    for (unsigned i = 0; i < NV3_VP_ATTRIBUTES; i++) {
        st->array[i] = (NV3GeomArray) {
            .base = (const uint8_t *)rig->vertex, .size = sizeof(rig->vertex),
            .offset = offsetof(RigVertex, output[i]), .stride = sizeof(RigVertex),
            .type = NV3_GEOM_FLOAT, .components = 4,
        };
    }
    for (unsigned i = 0; i < 2; i++) {
        st->scale[i] = st->translate[i] = RIG_SIZE / 2;
    }
    st->scale[2] = st->translate[2] = 0.5f;
    st->scissor = (NV3GeomRect) { 0, 0, RIG_SIZE, RIG_SIZE };
    st->inputs[NV3_FP_COLOR0] = 15;
    rig->g = nv3_geom_new(threads);
    if (!rig->g) {
        abort();
    }
    nv3_geom_set_shade(rig->g, shade, rig);
    rig_set(rig);
    return rig;
}

void rig_split_program(GeomRig *rig, bool split)
{
    const uint32_t position = 1u << NV3_GEOM_O_POSITION;

    nv3_vp_translate(&rig->position, rig->insns, RIG_OUTPUTS, position);
    nv3_vp_translate(&rig->others, rig->insns, RIG_OUTPUTS, ~position);
    rig->st.position = split ? &rig->position : NULL;
    rig->st.others = split ? &rig->others : NULL;
}

void rig_free(GeomRig *rig)
{
    nv3_geom_free(rig->g);
}

void rig_set(GeomRig *rig)
{
    if (nv3_geom_set_state(rig->g, &rig->st)) {
        abort();
    }
}

void rig_clear(GeomRig *rig)
{
    memset(rig->count, 0, sizeof(rig->count));
    memset(rig->order, 0, sizeof(rig->order));
    memset(rig->color, 0, sizeof(rig->color));
    rig->vertices = 0;
}

void rig_store(float *at, float value)
{
    uint32_t word;

    memcpy(&word, &value, sizeof(word));
    nv3_stl(at, word);
}

const uint32_t *rig_words(const GeomRig *rig, unsigned i)
{
    static uint32_t words[RIG_OUTPUTS * 4];

    for (unsigned n = 0; n < RIG_OUTPUTS * 4; n++) {
        words[n] = nv3_ldl(&rig->vertex[i].output[n / 4][n % 4]);
    }
    return words;
}

void rig_vertex(GeomRig *rig, double x, double y, double z, double w, float color)
{
    RigVertex *v = &rig->vertex[rig->vertices++];

    memset(v, 0, sizeof(*v));
    rig_store(&v->output[0][0], (x - RIG_SIZE / 2) / (RIG_SIZE / 2) * w);
    rig_store(&v->output[0][1], (y - RIG_SIZE / 2) / (RIG_SIZE / 2) * w);
    rig_store(&v->output[0][2], (z * 2 - 1) * w);
    rig_store(&v->output[0][3], w);
    for (unsigned i = 0; i < 4; i++) {
        rig_store(&v->output[NV3_GEOM_O_COLOR0][i], color);
    }
}

void rig_draw(GeomRig *rig, NV3GeomPrimitive primitive)
{
    if (nv3_geom_begin(rig->g, primitive) ||
        nv3_geom_arrays(rig->g, 0, rig->vertices) || nv3_geom_end(rig->g) ||
        nv3_geom_flush(rig->g)) {
        abort();
    }
}
