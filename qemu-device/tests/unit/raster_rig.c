/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "nv3_class.h"
#include "raster_rig.h"

uint64_t rig_random(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

int32_t rig_range(uint64_t *seed, int32_t lo, int32_t hi)
{
    return lo + (int32_t)(rig_random(seed) % ((int64_t)hi - lo + 1));
}

uint32_t rig_rhw(float rhw)
{
    uint32_t bits;

    memcpy(&bits, &rhw, sizeof(bits));
    return bits >> 6 & 0x1ffffff;
}

unsigned rig_swizzle(unsigned x, unsigned y)
{
    unsigned i = 0;

    for (unsigned bit = 0; bit < 11; bit++) {
        i |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1);
    }
    return i;
}

static const uint32_t *rig_level(void *opaque, unsigned log2)
{
    RasterRig *rig = opaque;

    return rig->pairs[log2];
}

static uint16_t *rig_raw(RasterRig *rig, unsigned log2)
{
    size_t texels = (size_t)1 << (2 * log2);

    if (!rig->raw[log2]) {
        rig->raw[log2] = malloc(texels * sizeof(uint16_t));
        rig->pairs[log2] = malloc(nv3_texture_pairs_size(log2));
        assert(rig->raw[log2] && rig->pairs[log2]);
    }
    return rig->raw[log2];
}

void rig_texture_random(RasterRig *rig, unsigned log2, uint64_t *seed)
{
    uint16_t *raw = rig_raw(rig, log2);

    for (size_t i = 0; i < (size_t)1 << (2 * log2); i++) {
        nv3_stw(&raw[i], rig_random(seed));
    }
    nv3_texture_pairs(rig->pairs[log2], raw, log2);
}

void rig_texture_flat(RasterRig *rig, unsigned log2, uint16_t texel)
{
    uint16_t *raw = rig_raw(rig, log2);

    for (size_t i = 0; i < (size_t)1 << (2 * log2); i++) {
        raw[i] = NV3_LE16(texel);
    }
    nv3_texture_pairs(rig->pairs[log2], raw, log2);
}

void rig_texture_linear(RasterRig *rig, unsigned log2, const uint16_t *linear)
{
    uint16_t *raw = rig_raw(rig, log2);

    for (unsigned y = 0; y < 1u << log2; y++) {
        for (unsigned x = 0; x < 1u << log2; x++) {
            raw[rig_swizzle(x, y)] = NV3_LE16(linear[(y << log2) + x]);
        }
    }
    nv3_texture_pairs(rig->pairs[log2], raw, log2);
}

void rig_format(RasterRig *rig, unsigned format, unsigned min, unsigned max)
{
    rig->st.tex_format = format << NV3_D3D_TEX_FORMAT_SHIFT |
                         min << NV3_D3D_TEX_SIZE_MIN_SHIFT |
                         (uint32_t)max << NV3_D3D_TEX_SIZE_MAX_SHIFT;
}

void rig_init(RasterRig *rig, unsigned width, unsigned height)
{
    /*
     * The pitch must be a multiple of 16. The last line is not padded to the pitch, so
     * that an access beyond the last pixel is out of bounds.
     */
    unsigned pitch = (width * 2 + 15) & ~15u;
    size_t size = (size_t)pitch * (height - 1) + width * 2;

    *rig = (RasterRig) {
        .width = width,
        .height = height,
        .color = calloc(1, size),
        .zeta = calloc(1, size),
    };
    assert(rig->color && rig->zeta);
    rig->st = (NV3RasterState) {
        .color = { (uint8_t *)rig->color, size, pitch },
        .zeta = { (uint8_t *)rig->zeta, size, pitch },
        .config = NV3_D3D_INTERP_FOH_CENTER |
                  NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT |
                  NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT |
                  NV3_D3D_SOURCE_ALPHA_ONE << NV3_D3D_CONFIG_SOURCE_SHIFT |
                  NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT |
                  NV3_D3D_CMP_LESS << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
                  NV3_D3D_WRITE_ALPHA_Z << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
                  NV3_D3D_WRITE_ALPHA_Z << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT,
        .alpha = NV3_D3D_CMP_ALWAYS << 8,
        .texture = rig_level,
        .opaque = rig,
    };
    rig_clear(rig, 0, 0xffff);
    rig_format(rig, NV3_D3D_TEX_X1R5G5B5, 0, 0);
    rig_texture_flat(rig, 0, 0x7fff);
}

void rig_free(RasterRig *rig)
{
    free(rig->color);
    free(rig->zeta);
    for (unsigned i = 0; i < 12; i++) {
        free(rig->raw[i]);
        free(rig->pairs[i]);
    }
}

void rig_clear(RasterRig *rig, uint16_t color, uint16_t zeta)
{
    for (size_t i = 0; i < rig->st.color.size / 2; i++) {
        rig->color[i] = NV3_LE16(color);
        rig->zeta[i] = NV3_LE16(zeta);
    }
}

uint32_t rig_draw(RasterRig *rig, const NV3RasterVertex v[3])
{
    const NV3Rect all = { 0, 0, rig->width, rig->height };

    /* The test may have removed surfaces from the state, but @rig still owns them. */
    nv3_raster_prepare(&rig->st);
    return nv3_raster_triangle(&rig->st, &v[0], &v[1], &v[2], &all);
}
