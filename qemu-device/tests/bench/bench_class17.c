/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_class17.h"
#include "chip/le.h"
#include "raster/tables.h"

/* ---- the texture in the chip's order ------------------------------------ */

static unsigned swizzle(unsigned x, unsigned y)
{
    unsigned i = 0;

    for (unsigned bit = 0; bit < SCENE_TEX_LOG2; bit++) {
        i |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1);
    }
    return i;
}

static void make_texture(Class17 *c, const uint16_t *linear)
{
    uint16_t *raw = (uint16_t *)(c->vram + CLASS17_TEXTURE);

    for (unsigned i = 0; i < 1u << (2 * SCENE_TEX_LOG2); i++) {
        raw[swizzle(i & ((1 << SCENE_TEX_LOG2) - 1), i >> SCENE_TEX_LOG2)] =
            NV3_LE16(linear[i]);
    }
    nv3_texture_pairs(c->pairs, raw, SCENE_TEX_LOG2);
}

static const uint32_t *get_texture(void *opaque, unsigned log2)
{
    return opaque;
}

void class17_open(Class17 *c, uint32_t config, NV3Simd simd, const uint16_t *linear)
{
    *c = (Class17) {
        .config = config,
        .simd = simd,
        .vram = calloc(1, CLASS17_VRAM_SIZE),
        .pairs = malloc(nv3_texture_pairs_size(SCENE_TEX_LOG2)),
    };
    if (!c->vram || !c->pairs) {
        abort();
    }
    make_texture(c, linear);
}

void class17_close(Class17 *c)
{
    free(c->vram);
    free(c->pairs);
}

/* ---- direct calls of the rasterizer ------------------------------------ */

void class17_clear(const Class17 *c)
{
    memset(c->vram + CLASS17_COLOR, 0, CLASS17_PITCH * SCENE_HEIGHT);
    memset(c->vram + CLASS17_ZETA, 0xff, CLASS17_PITCH * SCENE_HEIGHT);
}

NV3RasterState class17_state(const Class17 *c)
{
    const size_t size = CLASS17_PITCH * SCENE_HEIGHT;
    NV3RasterState st = {
        .color = { c->vram + CLASS17_COLOR, size, CLASS17_PITCH },
        .zeta = { c->vram + CLASS17_ZETA, size, CLASS17_PITCH },
        .tex_format = CLASS17_TEX_FORMAT,
        .config = c->config,
        .alpha = NV3_D3D_CMP_ALWAYS << 8,
        .dither = true,
        .simd = c->simd,
        .texture = get_texture,
        .opaque = c->pairs,
    };

    nv3_raster_prepare(&st);
    return st;
}

/*
 * Pixel and texel centres have half-integer coordinates in GL, and integer coordinates on
 * the chip. The function therefore subtracts half a pixel and half a texel.
 */
static NV3RasterVertex convert(const SceneVertex *v)
{
    const float texels = 16 << SCENE_TEX_LOG2;
    uint32_t rhw;

    memcpy(&rhw, &v->rhw, sizeof(rhw));
    return (NV3RasterVertex) {
        .x = lrintf(v->x * 16) - 8, .y = lrintf(v->y * 16) - 8,
        .z = v->z * 0xffffff, .m = rhw >> 6 & 0x1ffffff,
        .u = lrintf(v->u * texels) - 8, .v = lrintf(v->v * texels) - 8,
        .r = v->rgba[0], .g = v->rgba[1], .b = v->rgba[2],
        .a = v->rgba[3] >> 1,
    };
}

NV3RasterVertex *class17_vertices(const Scene *s)
{
    NV3RasterVertex *v = malloc(s->count * sizeof(*v));

    if (!v) {
        abort();
    }
    for (unsigned i = 0; i < s->count; i++) {
        v[i] = convert(&s->vertex[i]);
    }
    return v;
}

double class17_draw(const Class17 *c, Scene *s)
{
    const NV3Rect all = { 0, 0, SCENE_WIDTH, SCENE_HEIGHT };
    NV3RasterVertex *v = class17_vertices(s);
    uint64_t pixels = 0;
    double start, end;
    NV3RasterState st;

    start = scene_clock();
    st = class17_state(c);
    for (unsigned i = 0; i < s->count; i += 3) {
        pixels += nv3_raster_triangle(&st, &v[i], &v[i + 1], &v[i + 2], &all);
    }
    end = scene_clock();
    s->pixels = pixels;
    free(v);
    return end - start;
}
