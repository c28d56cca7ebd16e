/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry points of the rasterizer. Translates registers to NV3RasterMode, and selects the
 * span loops.
 *
 * The final stages (depth and alpha tests, write enables, blending and dithering) compute
 * the same results as the silicon. They are the same as those of class 0x18, which
 * envytools models (nvhw/pgraph_d3d_nv3.c, nvhw/pgraph.c, hwtest/pgraph_rop.cc).
 * docs/reference/chip/3d.md describes the earlier stages.
 */
#include <math.h>

#include "raster/raster.h"
#include "raster/raster_int.h"

static NV3RasterCompare nv3_raster_compare(unsigned func)
{
    switch (func) {
    case NV3_D3D_CMP_NEVER:
        return (NV3RasterCompare) { 0, 0, 0 };
    case NV3_D3D_CMP_LESS:
        return (NV3RasterCompare) { 0xffff, 0, 0xffff };
    case NV3_D3D_CMP_EQUAL:
        return (NV3RasterCompare) { 0, 0xffff, 0 };
    case 0:     /* the same as LEQUAL (hwtest) */
    case NV3_D3D_CMP_LEQUAL:
        return (NV3RasterCompare) { 0xffff, 0xffff, 0xffff };
    case NV3_D3D_CMP_GREATER:
        return (NV3RasterCompare) { 0xffff, 0xffff, 0 };
    case NV3_D3D_CMP_NOTEQUAL:
        return (NV3RasterCompare) { 0, 0xffff, 0xffff };
    case NV3_D3D_CMP_GEQUAL:
        return (NV3RasterCompare) { 0xffff, 0, 0 };
    default:
        return (NV3RasterCompare) { 0, 0, 0xffff };
    }
}

static bool nv3_raster_is_always(const NV3RasterCompare *c)
{
    return c->inv && !c->ge && !c->eq;
}

static NV3RasterWrite nv3_raster_write(unsigned mode)
{
    return (NV3RasterWrite) {
        .alpha = mode == NV3_D3D_WRITE_ALPHA || mode == NV3_D3D_WRITE_ALPHA_Z ?
                 0 : 0xffff,
        .z = mode == NV3_D3D_WRITE_ALPHA_Z || mode == NV3_D3D_WRITE_Z ?
             0 : 0xffff,
    };
}

static bool nv3_raster_writes(unsigned mode)
{
    return mode >= NV3_D3D_WRITE_ALPHA && mode <= NV3_D3D_WRITE_ALWAYS;
}

static void nv3_raster_prepare_tests(NV3RasterState *st)
{
    NV3RasterMode *m = &st->mode;
    unsigned color_mode = st->config >> NV3_D3D_CONFIG_COLOR_WRITE_SHIFT & 7;
    unsigned zeta_mode = st->config >> NV3_D3D_CONFIG_Z_WRITE_SHIFT & 7;
    bool color = st->color.base && nv3_raster_writes(color_mode);
    bool zeta = st->zeta.base && nv3_raster_writes(zeta_mode);

    m->color_write = nv3_raster_write(color_mode);
    m->zeta_write = nv3_raster_write(zeta_mode);
    m->z_test = nv3_raster_compare(st->zeta.base ?
        st->config >> NV3_D3D_CONFIG_Z_FUNC_SHIFT & 0xf : NV3_D3D_CMP_ALWAYS);
    m->alpha_test = nv3_raster_compare(st->alpha >> 8 & 0xf);
    m->alpha_ref = st->alpha & 0xff;

    m->flags |= color ? NV3_RASTER_F_COLOR : 0;
    m->flags |= zeta ? NV3_RASTER_F_ZWRITE : 0;
    if (zeta || !nv3_raster_is_always(&m->z_test)) {
        m->flags |= NV3_RASTER_F_ZETA;
    }
    if ((!color || !m->color_write.z) && (!zeta || !m->zeta_write.z) &&
        !nv3_raster_is_always(&m->z_test)) {
        m->flags |= NV3_RASTER_F_EARLY_Z;
    }
    if (!nv3_raster_is_always(&m->alpha_test)) {
        m->flags |= NV3_RASTER_F_ALPHA_TEST;
    }
    if ((color && !m->color_write.alpha) || (zeta && !m->zeta_write.alpha)) {
        m->flags |= NV3_RASTER_F_ALPHA_WREN;
    }
    if (st->config & NV3_D3D_CONFIG_Z_PERSPECTIVE) {
        m->flags |= NV3_RASTER_F_Z_PERSP;
    }
}

static void nv3_raster_prepare_texture(NV3RasterState *st)
{
    static const uint32_t wrap_u[4] = {
        [NV3_D3D_WRAP_MIRROR] = NV3_RASTER_F_MIRROR_U,
        [NV3_D3D_WRAP_CLAMP] = NV3_RASTER_F_CLAMP_U,
    };
    static const uint32_t wrap_v[4] = {
        [NV3_D3D_WRAP_MIRROR] = NV3_RASTER_F_MIRROR_V,
        [NV3_D3D_WRAP_CLAMP] = NV3_RASTER_F_CLAMP_V,
    };
    NV3RasterMode *m = &st->mode;
    unsigned interp = st->config & NV3_D3D_CONFIG_INTERP;

    m->key = st->tex_format & 0xffff;
    m->key_mask = 0xffff;
    switch (st->tex_format >> NV3_D3D_TEX_FORMAT_SHIFT & 3) {
    case NV3_D3D_TEX_A1R5G5B5:
        m->flags |= NV3_RASTER_F_TEX_ALPHA;
        break;
    case NV3_D3D_TEX_X1R5G5B5:
        m->key_mask = 0x7fff;
        break;
    case NV3_D3D_TEX_A4R4G4B4:
        m->flags |= NV3_RASTER_F_FMT_4444 | NV3_RASTER_F_TEX_ALPHA;
        break;
    case NV3_D3D_TEX_R5G6B5:
        m->flags |= NV3_RASTER_F_FMT_565;
        break;
    }
    m->key &= m->key_mask;
    if (st->tex_format & NV3_D3D_TEX_KEY_ENABLE) {
        /*
         * Texels with the key's colour have an alpha of zero. This is inferred from NV10,
         * which uses the mode "alpha" of its own colour key to emulate NV3's.
         */
        m->flags |= NV3_RASTER_F_KEY | NV3_RASTER_F_TEX_ALPHA;
    }
    if (interp >= NV3_D3D_INTERP_FOH_CENTER) {
        m->flags |= NV3_RASTER_F_BILINEAR;
    } else if (interp == NV3_D3D_INTERP_ZOH_CENTER) {
        m->flags |= NV3_RASTER_F_HALF;
    }
    m->flags |= wrap_u[st->config >> NV3_D3D_CONFIG_WRAP_U_SHIFT & 3];
    m->flags |= wrap_v[st->config >> NV3_D3D_CONFIG_WRAP_V_SHIFT & 3];
    /*
     * SIZE_ADJUST is a signed number of sixteenths of a mip level. This follows from
     * hwtest, in which NV4 converts SIZE_ADJUST to a bias with 3 fraction bits, and NV10
     * to one with 8. Each level changes the number of texels per pixel by a factor of 4.
     */
    m->lod_scale = exp2((int8_t)(st->tex_filter >> 16) / 8.0);
}

static void nv3_raster_prepare_blend(NV3RasterState *st)
{
    NV3RasterMode *m = &st->mode;

    m->src_mask = 0xffff;
    m->dst_mask = 0xffff;
    m->flags |= NV3_RASTER_F_BLEND;
    if (st->config & NV3_D3D_CONFIG_ROP_ADD) {
        m->flags |= NV3_RASTER_F_ADD;
    } else {
        if (st->config & NV3_D3D_CONFIG_BETA_DST_COLOR) {
            m->flags |= NV3_RASTER_F_BETA_DST;
        }
        if (st->config & NV3_D3D_CONFIG_SRC_ZERO) {
            m->src_mask = 0;
        }
        if (st->config & NV3_D3D_CONFIG_DST_ZERO) {
            m->dst_mask = 0;
        }
    }
    if (st->config & NV3_D3D_CONFIG_ALPHA) {
        m->flags |= NV3_RASTER_F_VTX_ALPHA;
    }
    switch (st->config >> NV3_D3D_CONFIG_SOURCE_SHIFT & 3) {
    case NV3_D3D_SOURCE_COLOR_INVERSE:
        m->flags |= NV3_RASTER_F_INV_COLOR | NV3_RASTER_F_INV_ALPHA;
        break;
    case NV3_D3D_SOURCE_ALPHA_INVERSE:
        m->flags |= NV3_RASTER_F_INV_ALPHA;
        break;
    case NV3_D3D_SOURCE_ALPHA_ONE:
        m->flags &= ~(NV3_RASTER_F_TEX_ALPHA | NV3_RASTER_F_VTX_ALPHA |
                      NV3_RASTER_F_KEY);
        break;
    }
}

/*
 * Returns how many of the first lines have NV3_RASTER_MAX_X pixels within the surface.
 * Returns INT32_MAX if all lines have this number of pixels, or if there is no surface.
 */
static int32_t nv3_raster_safe_rows(const NV3RasterSurface *s)
{
    const size_t line = NV3_RASTER_MAX_X * 2;

    if (!s->base) {
        return INT32_MAX;
    }
    if (s->size < line) {
        return 0;
    }
    if (!s->pitch || (s->size - line) / s->pitch > NV3_RASTER_MAX_X) {
        return INT32_MAX;
    }
    return (s->size - line) / s->pitch + 1;
}

void nv3_raster_prepare(NV3RasterState *st)
{
    NV3RasterMode *m = &st->mode;
    int32_t color_rows = nv3_raster_safe_rows(&st->color);
    int32_t zeta_rows = nv3_raster_safe_rows(&st->zeta);

    m->simd = nv3_simd_select(st->simd);
    m->safe_rows = color_rows < zeta_rows ? color_rows : zeta_rows;
    m->flags = st->dither ? NV3_RASTER_F_DITHER : 0;
    nv3_raster_prepare_tests(st);
    nv3_raster_prepare_texture(st);
    nv3_raster_prepare_blend(st);
    for (unsigned i = 0; i < 3; i++) {
        m->fog[i] = (st->fog_color >> (16 - 8 * i) & 0xff) * 0x101;
    }
}

uint32_t nv3_raster_draw_part(const NV3RasterState *st, const NV3RasterTri *tri,
                              const NV3Rect *rect)
{
#ifdef NV3_HAVE_AVX2
    if (st->mode.simd != NV3_SIMD_SCALAR) {
        return nv3_raster_draw_avx2(st, tri, rect);
    }
#endif
#ifdef NV3_HAVE_NEON
    if (st->mode.simd == NV3_SIMD_NEON) {
        return nv3_raster_draw_neon(st, tri, rect);
    }
#endif
    return nv3_raster_draw_scalar(st, tri, rect);
}

uint32_t nv3_raster_draw(const NV3RasterState *st, const NV3RasterTri *tri,
                         const NV3Rect *rect)
{
    NV3Rect r = nv3_rect_intersect(*rect, (NV3Rect) {
        .x0 = tri->col0 > 0 ? tri->col0 : 0,
        .y0 = tri->row0 > 0 ? tri->row0 : 0,
        .x1 = tri->col1,
        .y1 = tri->row1,
    });

    return nv3_rect_empty(&r) ? 0 : nv3_raster_draw_part(st, tri, &r);
}

uint32_t nv3_raster_triangle(const NV3RasterState *st,
                             const NV3RasterVertex *v0,
                             const NV3RasterVertex *v1,
                             const NV3RasterVertex *v2, const NV3Rect *rect)
{
    NV3RasterTri tri;

    if (!nv3_raster_setup(st, v0, v1, v2, &tri)) {
        return 0;
    }
    return nv3_raster_draw(st, &tri, rect);
}
