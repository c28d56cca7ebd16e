/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The context classes. Their objects do not draw. Their methods set the blend factor,
 * raster operation, colour key, plane mask, clip, pattern and surfaces with which other
 * objects draw.
 *
 * Source: envytools hwtest/pgraph_class_ctx.cc, unless the comment of a class names
 * another source.
 */
#include "2d/classes.h"
#include "2d/rop.h"
#include "graph/vertex.h"

/* ---- class 0x01, BETA ------------------------------------------------------ */

/* The blend factor. */

static NV3MthdResult beta_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    if (mthd != NV3_BETA_BETA) {
        return NV3_MTHD_BAD_METHOD;
    }
    /* The factor has a sign bit and 8 fraction bits. Negative factors become 0. */
    s->pgraph.beta = data >> 31 ? 0 : data & 0x7f800000;
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_beta = {
    .id = NV3_CLASS_BETA, .name = "BETA", .method = beta_method,
};

/* ---- class 0x02, ROP ------------------------------------------------------- */

/* The raster operation: a truth table, indexed by pattern, source and destination. */

static NV3MthdResult rop_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    if (mthd != NV3_ROP_ROP) {
        return NV3_MTHD_BAD_METHOD;
    }
    /* Unlike NV1, NV3 does not check the value, and uses only its low byte. */
    s->pgraph.rop = data & 0xff;
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_rop = {
    .id = NV3_CLASS_ROP, .name = "ROP", .method = rop_method,
};

/* ---- class 0x03, CHROMA ---------------------------------------------------- */

/* The colour key: objects with the CHROMA option do not draw pixels of this colour. */

static NV3MthdResult chroma_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    if (mthd != NV3_CHROMA_COLOR) {
        return NV3_MTHD_BAD_METHOD;
    }
    g->chroma = nv3_color_pack(nv3_color_expand(g, data));
    return NV3_MTHD_OK;
}

const NV3Class nv3_class_chroma = {
    .id = NV3_CLASS_CHROMA, .name = "CHROMA", .method = chroma_method,
};

/* ---- class 0x04, PLANE ----------------------------------------------------- */

/* NV1's plane mask. NV3 accepts the method and ignores it (MthdPlane of hwtest). */

static NV3MthdResult plane_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    return mthd == NV3_PLANE_MASK ? NV3_MTHD_OK : NV3_MTHD_BAD_METHOD;
}

const NV3Class nv3_class_plane = {
    .id = NV3_CLASS_PLANE, .name = "PLANE", .method = plane_method,
};

/* ---- class 0x05, CLIP ------------------------------------------------------ */

/*
 * The user clip rectangle. Objects with the option CLIP draw only inside it
 * (hwtest/pgraph_class_clip.cc).
 */

static NV3MthdResult clip_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    switch (mthd) {
    case NV3_CLIP_POINT:
        nv3_clip_method(s, 0, NV3_CORNER_MIN, data);
        return NV3_MTHD_OK;
    case NV3_CLIP_SIZE:
        nv3_clip_method(s, 0, NV3_CORNER_SIZE, data);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

const NV3Class nv3_class_clip = {
    .id = NV3_CLASS_CLIP, .name = "CLIP", .method = clip_method,
};

/* ---- class 0x06, PATTERN --------------------------------------------------- */

/*
 * A pattern of 64 pixels in two colours, for raster operations that have the pattern as
 * an operand. On NV3 the object's options select the pattern's formats. (On later chips,
 * methods 0x300 and 0x304 select them.)
 */

static void pattern_color(NV3Pgraph *g, unsigned i, uint32_t data)
{
    NV3Color c = nv3_color_expand(g, data);

    g->pattern_rgb[i] = (uint32_t)c.r << 20 | (uint32_t)c.g << 10 | c.b;
    g->pattern_a[i] = c.a;
}

static NV3MthdResult pattern_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    switch (mthd) {
    case NV3_PATTERN_SHAPE:
        g->pattern_shape = data & 3;
        return data <= 2 ? NV3_MTHD_OK : NV3_MTHD_BAD_DATA;
    case NV3_PATTERN_COLOR(0):
    case NV3_PATTERN_COLOR(1):
        pattern_color(g, (mthd - NV3_PATTERN_COLOR(0)) / 4, data);
        return NV3_MTHD_OK;
    case NV3_PATTERN_BITMAP(0):
    case NV3_PATTERN_BITMAP(1):
        /*
         * A hardware bug: if this method switches objects, PGRAPH uses the options of the
         * previous object.
         */
        g->pattern_mono[(mthd - NV3_PATTERN_BITMAP(0)) / 4] =
            nv3_mono_expand(g->before.options, data);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

const NV3Class nv3_class_pattern = {
    .id = NV3_CLASS_PATTERN, .name = "PATTERN", .method = pattern_method,
};

/* ---- class 0x1c, SURFACE --------------------------------------------------- */

/*
 * A SURFACE object sets the registers of one of the four surfaces. The object's options
 * select this surface (hwtest/pgraph_class_surf.cc).
 */

#define SURF_VALID  4

static unsigned surface_index(const NV3Pgraph *g)
{
    return g->ctx_switch >> NV3_GROBJ_SURFACE_SHIFT & 3;
}

/*
 * PGRAPH raises an error for an undefined format, but nevertheless decodes and stores it.
 */
static NV3MthdResult surface_format(NV3Pgraph *g, uint32_t data)
{
    unsigned shift = surface_index(g) * 4;
    unsigned format = NV3_SURF_Y8;

    if (!(data & 0x01000000)) {
        format = NV3_SURF_X8R8G8B8;
    } else if (!(data & 0x00010000)) {
        format = NV3_SURF_X1R5G5B5;
    } else if (data & 1) {
        format = NV3_SURF_Y16;
    }
    g->surf_config &= ~(7u << shift);
    g->surf_config |= (format | SURF_VALID) << shift;
    switch (data) {
    case NV3_SURFACE_FORMAT_Y8:
    case NV3_SURFACE_FORMAT_Y16:
    case NV3_SURFACE_FORMAT_X1R5G5B5:
    case NV3_SURFACE_FORMAT_X8R8G8B8:
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_DATA;
    }
}

static uint32_t offset_mask(const NV3State *s)
{
    return s->config.revision == NV3_REVISION_C ?
           NV3_PGRAPH_SURF_OFFSET_MASK_8M : NV3_PGRAPH_SURF_OFFSET_MASK_4M;
}

static NV3MthdResult surface_method(NV3State *s, uint32_t mthd, uint32_t data)
{
    NV3Pgraph *g = &s->pgraph;

    switch (mthd) {
    case NV3_SURFACE_FORMAT:
        return surface_format(g, data);
    case NV3_SURFACE_PITCH:
        g->surf_pitch[surface_index(g)] = data & NV3_PGRAPH_SURF_PITCH_MASK;
        return NV3_MTHD_OK;
    case NV3_SURFACE_OFFSET:
        g->surf_offset[surface_index(g)] = data & offset_mask(s);
        return NV3_MTHD_OK;
    default:
        return NV3_MTHD_BAD_METHOD;
    }
}

const NV3Class nv3_class_surface = {
    .id = NV3_CLASS_SURFACE, .name = "SURFACE", .method = surface_method,
};
