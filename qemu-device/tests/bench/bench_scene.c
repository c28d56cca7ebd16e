/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "bench_scene.h"

static SceneVertex *scene_alloc(Scene *s, unsigned triangles)
{
    s->count = triangles * 3;
    s->vertex = calloc(s->count, sizeof(SceneVertex));
    if (!s->vertex) {
        abort();
    }
    return s->vertex;
}

static float layer_depth(unsigned layer, unsigned layers)
{
    return 1 - (layer + 1.0f) / (layers + 1.0f);
}

/*
 * The corners of a layer's two triangles: bit 0 is set for the right side of the screen,
 * and bit 1 for the bottom.
 */
static const uint8_t corners[6] = { 0, 1, 2, 1, 3, 2 };

void scene_fill(Scene *s, unsigned layers, bool blend)
{
    SceneVertex *v;

    *s = (Scene) { .blend = blend };
    v = scene_alloc(s, layers * 2);
    for (unsigned i = 0; i < layers; i++) {
        for (unsigned j = 0; j < 6; j++) {
            unsigned right = corners[j] & 1, bottom = corners[j] >> 1;

            *v++ = (SceneVertex) {
                .x = right * SCENE_WIDTH, .y = bottom * SCENE_HEIGHT,
                .z = layer_depth(i, layers), .rhw = bottom ? 1 : 0.5f,
                .u = right * 2.5f, .v = bottom * 1.875f + i * 0.01f,
                .rgba = { right * 155 + 100, 255 - bottom * 100,
                          150 + i % 100, blend ? 64 + right * 64 : 255 },
            };
        }
    }
}

void scene_screen(Scene *s, unsigned layers)
{
    SceneVertex *v;

    *s = (Scene) { 0 };
    v = scene_alloc(s, layers * 2);
    for (unsigned i = 0; i < layers * 6; i++) {
        unsigned right = corners[i % 6] & 1, bottom = corners[i % 6] >> 1;

        *v++ = (SceneVertex) {
            .x = right * SCENE_WIDTH, .y = bottom * SCENE_HEIGHT, .z = 0.5f, .rhw = 1,
            .u = right * 2.5f, .v = bottom * 1.875f,
            .rgba = { right * 255, bottom * 255, 128, 255 },
        };
    }
}

void scene_small(Scene *s, unsigned layers)
{
    const unsigned columns = SCENE_WIDTH / 8, rows = SCENE_HEIGHT / 8;
    uint32_t seed = 1;
    SceneVertex *v;

    *s = (Scene) { 0 };
    v = scene_alloc(s, layers * columns * rows);
    for (unsigned i = 0; i < layers * columns * rows; i++) {
        unsigned cell = i % (columns * rows);
        float x, y;

        seed = seed * 1664525 + 1013904223;
        x = cell % columns * 8 + (seed >> 28) / 16.0f;
        y = cell / columns * 8 + (seed >> 24 & 15) / 16.0f;
        for (unsigned j = 0; j < 3; j++) {
            /* With legs of sqrt(50) pixels, the triangle has an area of 25 pixels. */
            float dx = j == 1 ? 7.0711f : 0, dy = j == 2 ? 7.0711f : 0;

            *v++ = (SceneVertex) {
                .x = x + dx, .y = y + dy,
                .z = layer_depth(i / (columns * rows), layers),
                .rhw = 1 / (1.0f + j),
                .u = (x + dx) / 256, .v = (y + dy) / 256,
                .rgba = { 100 * j + 55, 255 - 80 * j, 200, 255 },
            };
        }
    }
}

void scene_free(Scene *s)
{
    free(s->vertex);
    *s = (Scene) { 0 };
}

void scene_texture(uint16_t *linear)
{
    for (unsigned i = 0; i < 1u << (2 * SCENE_TEX_LOG2); i++) {
        unsigned x = i & ((1u << SCENE_TEX_LOG2) - 1), y = i >> SCENE_TEX_LOG2;
        bool dark = (x >> 4 ^ y >> 4) & 1;

        linear[i] = (dark ? 10 : 31) << 11 | (x >> 2) << 5 | y >> 3;
    }
}
