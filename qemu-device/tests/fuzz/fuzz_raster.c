/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the rasterizer without the chip. For any state and triangle, the host's fastest
 * span loops and the scalar span loops must draw the same pixels, and must write only
 * within the surfaces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "nv3_class.h"
#include "raster_rig.h"

#define WIDTH   61
#define HEIGHT  37

typedef struct Input {
    const uint8_t *data;
    size_t left;
} Input;

static uint32_t take(Input *in, unsigned bytes)
{
    uint32_t val = 0;

    for (unsigned i = 0; i < bytes && in->left; i++, in->left--) {
        val |= (uint32_t)*in->data++ << i * 8;
    }
    return val;
}

/*
 * Returns a 12.4 coordinate. In half of the cases, the coordinate is in or near the
 * surfaces, otherwise it is arbitrary.
 */
static int16_t take_coord(Input *in)
{
    int16_t v = take(in, 2);

    return v & 1 ? v : v % (80 * 16);
}

static NV3RasterVertex take_vertex(Input *in)
{
    NV3RasterVertex v = {
        .x = take_coord(in), .y = take_coord(in),
        .u = take(in, 2), .v = take(in, 2),
        .z = take(in, 3),
    };
    uint32_t m = take(in, 4), rgba = take(in, 4);

    /*
     * v.m represents 1 / w. If bit 31 of @m is clear, the value is from 1 to 2, otherwise
     * it is arbitrary.
     */
    v.m = m & 0x80000000 ? m & 0x1ffffff
                         : (127u << 17 | (m & 0x3ffff)) & 0x1ffffff;
    v.r = rgba;
    v.g = rgba >> 8;
    v.b = rgba >> 16;
    v.a = rgba >> 24 & 0x7f;
    v.fog = take(in, 1);
    return v;
}

static void set_state(Input *in, RasterRig *rig)
{
    uint32_t bits = take(in, 4);
    unsigned max = bits & 7, min = (bits >> 3 & 7) < max ? bits >> 3 & 7 : max;

    rig_format(rig, bits >> 6 & 3, min, max);
    if (bits & 0x100) {
        rig->st.tex_format |= NV3_D3D_TEX_KEY_ENABLE | bits >> 16;
    }
    rig->st.tex_filter = take(in, 4);
    rig->st.fog_color = take(in, 4);
    rig->st.config = take(in, 4);
    rig->st.alpha = take(in, 2);
    rig->st.dither = bits & 0x200;
}

static void add_levels(RasterRig *rig)
{
    uint64_t seed = 1;

    for (unsigned log2 = 0; log2 < 8; log2++) {
        rig_texture_random(rig, log2, &seed);
    }
}

static void compare(const RasterRig *a, const RasterRig *b)
{
    size_t color = a->st.color.size, zeta = a->st.zeta.size;

    if (memcmp(a->color, b->color, color) || memcmp(a->zeta, b->zeta, zeta)) {
        fprintf(stderr, "fuzz_raster: the span loops differ\n");
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input in = { data, size };
    RasterRig fast, scalar;

    rig_init(&fast, WIDTH, HEIGHT);
    rig_init(&scalar, WIDTH, HEIGHT);
    add_levels(&fast);
    add_levels(&scalar);
    rig_clear(&fast, 0x1234, 0x8000);
    rig_clear(&scalar, 0x1234, 0x8000);
    set_state(&in, &fast);
    for (unsigned i = 0; i < 16 && in.left; i++) {
        NV3RasterVertex v[3];

        for (unsigned j = 0; j < 3; j++) {
            v[j] = take_vertex(&in);
        }
        scalar.st.tex_format = fast.st.tex_format;
        scalar.st.tex_filter = fast.st.tex_filter;
        scalar.st.fog_color = fast.st.fog_color;
        scalar.st.config = fast.st.config;
        scalar.st.alpha = fast.st.alpha;
        scalar.st.dither = fast.st.dither;
        fast.st.simd = NV3_SIMD_AUTO;
        scalar.st.simd = NV3_SIMD_SCALAR;
        if (rig_draw(&fast, v) != rig_draw(&scalar, v)) {
            fprintf(stderr, "fuzz_raster: counts of pixels differ\n");
            abort();
        }
        compare(&fast, &scalar);
        if (take(&in, 1) & 1) {
            set_state(&in, &fast);
        }
    }
    rig_free(&fast);
    rig_free(&scalar);
    return 0;
}
