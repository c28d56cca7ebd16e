/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts the registers of the class to the state of the geometry engine and of fragment
 * programs. If a register has an undefined value, draws fail with NV3_PROGRAMS_BAD_DATA.
 */
#include <math.h>
#include <string.h>

#include "programs/programs_int.h"

#define GL_FLAT             0x1d00
#define GL_SMOOTH           0x1d01
#define GL_FUNC_ADD         0x8006
#define GL_FRONT            0x0404
#define GL_BACK             0x0405
#define GL_FRONT_AND_BACK   0x0408
#define GL_CW               0x0900
#define GL_CCW              0x0901
#define GL_POINT            0x1b00
#define GL_CLEAR            0x1500

#define UNIT_SIZE           (NV3_PM_TEX_WORDS * 4)
/* Cost of translating an instruction of a vertex program (nv3_programs_set_slice()). */
#define INSN_COST           128

static float word_float(const NV3Programs *p, unsigned method)
{
    uint32_t word = programs_word(p, method);
    float x;

    memcpy(&x, &word, sizeof(x));
    return x;
}

/* ---- targets ----------------------------------------------------------------- */

/*
 * Converts two registers to a rectangle. @horizontal: register with the left edge and the
 * width. @vertical: register with the upper edge and the height.
 */
static NV3GeomRect word_rect(const NV3Programs *p, unsigned horizontal, unsigned vertical)
{
    uint32_t h = programs_word(p, horizontal), v = programs_word(p, vertical);
    int32_t x = h & 0xffff, y = v & 0xffff;

    return (NV3GeomRect) { x, y, x + (h >> 16), y + (v >> 16) };
}

static NV3GeomRect intersect(NV3GeomRect a, NV3GeomRect b)
{
    return (NV3GeomRect) {
        a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
        a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1,
    };
}

NV3GeomRect nv3_programs_clip(const NV3Programs *p)
{
    NV3GeomRect r = intersect(word_rect(p, NV3_PM_SURFACE_CLIP_HORIZONTAL,
                                        NV3_PM_SURFACE_CLIP_VERTICAL),
                              word_rect(p, NV3_PM_SCISSOR_HORIZ, NV3_PM_SCISSOR_VERT));

    return intersect(r, (NV3GeomRect) { 0, 0, NV3_GEOM_SIZE_MAX, NV3_GEOM_SIZE_MAX });
}

/*
 * Positions of the four samples relative to the centre of their pixel, in 1/256 of a
 * pixel. The positions on real chips are not publicly documented. In this model,
 * SQUARE_ROTATED_4 has the standard pattern of Direct3D, and SQUARE_OFFSET_4 a square.
 */
static const NV3PixopsSample square[] = {
    { -64, -64 }, { 64, -64 }, { -64, 64 }, { 64, 64 },
};
static const NV3PixopsSample rotated[] = {
    { -32, -96 }, { 96, -32 }, { -96, 32 }, { 32, 96 },
};

/*
 * Reads the multisampling state. Returns false if the class does not support the
 * multisampling mode in SURFACE_FORMAT. If MULTISAMPLE_ENABLE is not set, all samples are
 * at the pixel's centre.
 */
static bool get_samples(NV3PixopsState *st, const NV3Programs *p)
{
    const uint32_t control = programs_word(p, NV3_PM_MULTISAMPLE_CONTROL);
    const unsigned mode = programs_word(p, NV3_PM_SURFACE_FORMAT) >>
                          NV3_PM_FORMAT_SAMPLES_SHIFT & 15;

    st->multisample = mode != NV3_PM_FORMAT_CENTER_1;
    st->sample_mask = (1u << NV3_PIXOPS_SAMPLES) - 1;
    if (!st->multisample) {
        return true;
    }
    if (mode != NV3_PM_FORMAT_SQUARE_OFFSET_4 && mode != NV3_PM_FORMAT_SQUARE_ROTATED_4) {
        return false;
    }
    if (control & NV3_PM_MULTISAMPLE_ENABLE) {
        st->sample_mask &= control >> NV3_PM_SAMPLE_MASK_SHIFT;
        st->alpha_to_coverage = control & NV3_PM_ALPHA_TO_COVERAGE;
        st->alpha_to_one = control & NV3_PM_ALPHA_TO_ONE;
        memcpy(st->sample, mode == NV3_PM_FORMAT_SQUARE_OFFSET_4 ? square : rotated,
               sizeof(st->sample));
    }
    return true;
}

/*
 * Maps a target, unless @m already is this mapping. Mapping costs time for each page, and
 * most draws have the targets of the previous draw. Returns null if the memory is not
 * contiguous.
 */
static uint8_t *map_target(NV3Programs *p, ProgramsMapping *m, uint32_t offset,
                           uint64_t size)
{
    if (!m->base || m->offset != offset || m->size != size) {
        *m = (ProgramsMapping) {
            offset, size, nv3_programs_map(p, offset, size, true),
        };
    }
    return m->base;
}

/*
 * Maps a surface up to the end of the rectangle @r, whose unit is the pixel. If
 * @multisample is true, each pixel has four samples.
 */
static NV3ProgramsResult map_surface(NV3Programs *p, ProgramsMapping *m,
                                     NV3PixopsSurface *s, uint32_t offset, uint32_t pitch,
                                     unsigned bytes, const NV3GeomRect *r,
                                     bool multisample)
{
    const uint32_t columns = multisample ? r->x1 * 2 : r->x1;
    const uint32_t lines = multisample ? r->y1 * 2 : r->y1;
    uint64_t size = (uint64_t)(lines - 1) * pitch + (uint64_t)columns * bytes;

    if (pitch < columns * bytes || (offset | pitch) % bytes) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    s->base = map_target(p, m, offset, size);
    if (!s->base) {
        return programs_fault(p, offset);
    }
    s->size = size;
    s->pitch = pitch;
    s->width = r->x1;
    s->height = r->y1;
    return NV3_PROGRAMS_OK;
}

static NV3ProgramsResult get_targets(NV3Programs *p, NV3PixopsState *st)
{
    static const uint8_t color[16] = {
        [1] = NV3_PIXOPS_X1R5G5B5, [2] = NV3_PIXOPS_X1R5G5B5, [3] = NV3_PIXOPS_R5G6B5,
        [4] = NV3_PIXOPS_X8R8G8B8, [5] = NV3_PIXOPS_X8R8G8B8, [8] = NV3_PIXOPS_A8R8G8B8,
    };
    const uint32_t format = programs_word(p, NV3_PM_SURFACE_FORMAT);
    const uint32_t pitch = programs_word(p, NV3_PM_SURFACE_PITCH);
    const unsigned zeta = format >> NV3_PM_FORMAT_ZETA_SHIFT & 15;
    const unsigned number = format & NV3_PM_FORMAT_COLOR;
    const NV3GeomRect largest = { 0, 0, NV3_GEOM_SIZE_MAX, NV3_GEOM_SIZE_MAX };
    NV3GeomRect r = intersect(word_rect(p, NV3_PM_SURFACE_CLIP_HORIZONTAL,
                                        NV3_PM_SURFACE_CLIP_VERTICAL), largest);
    NV3ProgramsResult result = NV3_PROGRAMS_OK;

    /*
     * Format 0 means that there is no target. It exists only in this class, not on NV2A
     * and NV30.
     */
    if ((format >> NV3_PM_FORMAT_TYPE_SHIFT & 15) != NV3_PM_FORMAT_TYPE_PITCH ||
        zeta > 2 || (number && !color[number]) || !get_samples(st, p)) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    st->color_format = color[number];
    st->zeta_format = zeta == 1 ? NV3_PIXOPS_Z16 :
                      zeta == 2 ? NV3_PIXOPS_Z24S8 : NV3_PIXOPS_ZETA_NONE;
    if (r.x0 >= r.x1 || r.y0 >= r.y1) {
        st->color_format = NV3_PIXOPS_COLOR_NONE;
        st->zeta_format = NV3_PIXOPS_ZETA_NONE;
        return NV3_PROGRAMS_OK;
    }
    if (st->color_format) {
        result = map_surface(p, &p->target[0], &st->color,
                             programs_word(p, NV3_PM_SURFACE_COLOR_OFFSET),
                             pitch & 0xffff,
                             st->color_format <= NV3_PIXOPS_R5G6B5 ? 2 : 4, &r,
                             st->multisample);
    }
    if (!result && zeta) {
        result = map_surface(p, &p->target[1], &st->zeta,
                             programs_word(p, NV3_PM_SURFACE_ZETA_OFFSET), pitch >> 16,
                             zeta == 1 ? 2 : 4, &r, st->multisample);
    }
    return result;
}

static bool same_surface(const NV3PixopsSurface *a, const NV3PixopsSurface *b)
{
    return a->base == b->base && (!a->base || a->pitch == b->pitch);
}

/* Returns true if each pixel has the same addresses in the targets of both states. */
static bool same_targets(const NV3PixopsState *a, const NV3PixopsState *b)
{
    return same_surface(&a->color, &b->color) && same_surface(&a->zeta, &b->zeta) &&
           nv3_pixops_color_bytes(a) == nv3_pixops_color_bytes(b) &&
           nv3_pixops_zeta_bytes(a) == nv3_pixops_zeta_bytes(b) &&
           a->multisample == b->multisample;
}

/* Sets *@to to the memory of both surfaces, which differ only in their sizes. */
static void extend_surface(NV3PixopsSurface *to, const NV3PixopsSurface *s)
{
    if (s->size > to->size) {
        *to = *s;
    }
}

NV3ProgramsResult nv3_programs_use_targets(NV3Programs *p, NV3PixopsState *st)
{
    NV3ProgramsResult result = get_targets(p, st);

    if (!result && nv3_geom_has_work(p->geom) && !same_targets(&p->drawn, st)) {
        result = nv3_programs_draw(p, true);
        if (!result) {
            /* The flush has dropped the mappings. */
            result = get_targets(p, st);
        }
    }
    if (result) {
        return result;
    }
    if (!same_targets(&p->drawn, st)) {
        /* Drawing to the earlier targets may have ended without a flush. */
        nv3_programs_report_dirty(p);
        p->drawn = *st;
    } else {
        extend_surface(&p->drawn.color, &st->color);
        extend_surface(&p->drawn.zeta, &st->zeta);
    }
    return NV3_PROGRAMS_OK;
}

/* ---- pixel operations -------------------------------------------------------- */

/*
 * Converts a comparison function. Accepts OpenGL's values (0x200 to 0x207) and NV2A's (0
 * to 7). Returns false for all other values.
 */
static bool get_func(uint8_t *func, uint32_t word)
{
    *func = word & 7;
    return (word & ~7u) == 0x200 || word < 8;
}

static bool get_stencil_op(uint8_t *op, uint32_t word)
{
    switch (word) {
    case 0x1e00:
        *op = NV3_PIXOPS_KEEP;
        return true;
    case 0:
        *op = NV3_PIXOPS_ZERO;
        return true;
    case 0x1e01:
        *op = NV3_PIXOPS_REPLACE;
        return true;
    case 0x1e02:
        *op = NV3_PIXOPS_INCR;
        return true;
    case 0x1e03:
        *op = NV3_PIXOPS_DECR;
        return true;
    case 0x150a:
        *op = NV3_PIXOPS_INVERT;
        return true;
    case 0x8507:
        *op = NV3_PIXOPS_INCR_WRAP;
        return true;
    case 0x8508:
        *op = NV3_PIXOPS_DECR_WRAP;
        return true;
    default:
        return false;
    }
}

/*
 * Reads the stencil state of front or back faces from seven consecutive registers, of
 * which @method is the first: write mask, function, reference, mask, and three
 * operations.
 * Returns false if a value is undefined.
 */
static bool get_stencil(NV3PixopsStencil *s, const NV3Programs *p, unsigned method)
{
    s->write_mask = programs_word(p, method);
    s->ref = programs_word(p, method + 8);
    s->mask = programs_word(p, method + 12);
    return get_func(&s->func, programs_word(p, method + 4)) &&
           get_stencil_op(&s->fail, programs_word(p, method + 16)) &&
           get_stencil_op(&s->zfail, programs_word(p, method + 20)) &&
           get_stencil_op(&s->zpass, programs_word(p, method + 24));
}

static bool get_factor(uint8_t *factor, uint32_t word)
{
    if (word <= 1) {
        *factor = word;
    } else if (word >= 0x300 && word <= 0x308) {
        *factor = NV3_PIXOPS_F_SRC_COLOR + (word - 0x300);
    } else if (word >= 0x8001 && word <= 0x8004) {
        *factor = NV3_PIXOPS_F_CONST_COLOR + (word - 0x8001);
    } else {
        return false;
    }
    return true;
}

static bool get_equation(uint8_t *equation, uint32_t word)
{
    switch (word) {
    case GL_FUNC_ADD:
        *equation = NV3_PIXOPS_EQ_ADD;
        return true;
    case 0x8007:
        *equation = NV3_PIXOPS_EQ_MIN;
        return true;
    case 0x8008:
        *equation = NV3_PIXOPS_EQ_MAX;
        return true;
    case 0x800a:
        *equation = NV3_PIXOPS_EQ_SUBTRACT;
        return true;
    case 0x800b:
        *equation = NV3_PIXOPS_EQ_REVERSE_SUBTRACT;
        return true;
    default:
        return false;
    }
}

static void get_color(float *rgba, uint32_t argb)
{
    rgba[0] = (argb >> 16 & 255) / 255.0f;
    rgba[1] = (argb >> 8 & 255) / 255.0f;
    rgba[2] = (argb & 255) / 255.0f;
    rgba[3] = (argb >> 24) / 255.0f;
}

static bool get_blend(NV3PixopsState *st, const NV3Programs *p)
{
    const uint32_t src = programs_word(p, NV3_PM_BLEND_FUNC_SFACTOR);
    const uint32_t dst = programs_word(p, NV3_PM_BLEND_FUNC_DFACTOR);
    const uint32_t equation = programs_word(p, NV3_PM_BLEND_EQUATION);
    const unsigned shift = programs_word(p, NV3_PM_BLEND_SEPARATE_ALPHA) ? 16 : 0;

    st->blend = programs_word(p, NV3_PM_BLEND_ENABLE);
    get_color(st->blend_color, programs_word(p, NV3_PM_BLEND_COLOR));
    return get_factor(&st->blend_src, src & 0xffff) &&
           get_factor(&st->blend_dst, dst & 0xffff) &&
           get_equation(&st->blend_equation, equation & 0xffff) &&
           get_factor(&st->blend_src_alpha, src >> shift & 0xffff) &&
           get_factor(&st->blend_dst_alpha, dst >> shift & 0xffff) &&
           get_equation(&st->blend_equation_alpha, equation >> shift & 0xffff);
}

static bool get_pixops(NV3PixopsState *st, const NV3Programs *p)
{
    const uint32_t mask = programs_word(p, NV3_PM_COLOR_MASK);
    const uint32_t logic = programs_word(p, NV3_PM_LOGIC_OP);
    const uint32_t fog = programs_word(p, NV3_PM_FOG_COLOR);

    st->depth_test = programs_word(p, NV3_PM_DEPTH_TEST_ENABLE);
    st->depth_write = programs_word(p, NV3_PM_DEPTH_MASK);
    st->stencil_test = programs_word(p, NV3_PM_STENCIL_TEST_ENABLE);
    st->alpha_test = programs_word(p, NV3_PM_ALPHA_TEST_ENABLE);
    st->alpha_ref = (programs_word(p, NV3_PM_ALPHA_REF) & 255) / 255.0f;
    st->logic = programs_word(p, NV3_PM_LOGIC_OP_ENABLE);
    st->logic_op = logic & 15;
    st->color_mask = (mask >> 16 & 1) | (mask >> 8 & 1) << 1 | (mask & 1) << 2 |
                     (mask >> 24 & 1) << 3;
    st->dither = !programs_word(p, NV3_PM_DITHER_ENABLE) ? NV3_PIXOPS_DITHER_NONE :
                 programs_word(p, NV3_PM_DITHER_MODE) ? NV3_PIXOPS_DITHER_MAGIC :
                                                    NV3_PIXOPS_DITHER_BAYER;
    st->fog = programs_word(p, NV3_PM_FOG_ENABLE);
    for (unsigned i = 0; i < 3; i++) {
        st->fog_color[i] = (fog >> 8 * i & 255) / 255.0f;
    }
    if (!get_stencil(&st->stencil[0], p, NV3_PM_STENCIL_MASK) ||
        !get_stencil(&st->stencil[1], p,
                     programs_word(p, NV3_PM_STENCIL_TWO_SIDE_ENABLE) ?
                     NV3_PM_BACK_STENCIL_MASK : NV3_PM_STENCIL_MASK)) {
        return false;
    }
    return get_func(&st->depth_func, programs_word(p, NV3_PM_DEPTH_FUNC)) &&
           get_func(&st->alpha_func, programs_word(p, NV3_PM_ALPHA_FUNC)) &&
           (logic & ~15u) == GL_CLEAR && get_blend(st, p);
}

/* ---- geometry ---------------------------------------------------------------- */

/* Computes the part of the state that describes vertices. */
static void get_input(NV3GeomState *st, const NV3Programs *p)
{
    for (unsigned i = 0; i < NV3_VP_ATTRIBUTES; i++) {
        const uint32_t format = programs_word(p, NV3_PM_ARRAY_FORMAT + 4 * i);

        st->array[i] = (NV3GeomArray) {
            .offset = programs_word(p, NV3_PM_ARRAY_OFFSET + 4 * i),
            .type = format & NV3_PM_ARRAY_TYPE,
            .components = format >> NV3_PM_ARRAY_SIZE_SHIFT & 15,
            .stride = format >> NV3_PM_ARRAY_STRIDE_SHIFT & 0xffff,
            .divisor = programs_word(p, NV3_PM_ARRAY_DIVISOR + 4 * i),
        };
    }
    memcpy(st->attribute, p->context.attribute, sizeof(st->attribute));
    st->instance = programs_word(p, NV3_PM_INSTANCE);
    st->restart = programs_word(p, NV3_PM_RESTART_ENABLE);
    st->restart_index = programs_word(p, NV3_PM_RESTART_INDEX);
}

static bool get_polygon_mode(uint8_t *mode, uint32_t word)
{
    /* GL_POINT, GL_LINE, GL_FILL. */
    *mode = NV3_GEOM_POINT - (word - GL_POINT);
    return word >= GL_POINT && word <= GL_POINT + 2;
}

static bool get_faces(NV3GeomState *st, const NV3Programs *p)
{
    const uint32_t front = programs_word(p, NV3_PM_FRONT_FACE);
    const uint32_t cull = programs_word(p, NV3_PM_CULL_FACE);
    const bool on = programs_word(p, NV3_PM_CULL_FACE_ENABLE);

    st->front_ccw = front == GL_CCW;
    st->cull_front = on && cull != GL_BACK;
    st->cull_back = on && cull != GL_FRONT;
    st->two_sided = programs_word(p, NV3_PM_TWO_SIDE_LIGHT_ENABLE);
    return (front == GL_CW || front == GL_CCW) &&
           (cull == GL_FRONT || cull == GL_BACK || cull == GL_FRONT_AND_BACK) &&
           get_polygon_mode(&st->polygon_mode[0],
                            programs_word(p, NV3_PM_FRONT_POLYGON_MODE)) &&
           get_polygon_mode(&st->polygon_mode[1],
                            programs_word(p, NV3_PM_BACK_POLYGON_MODE));
}

/*
 * Computes the depths of the near plane and of the far plane. If ZCLAMP is enabled, the
 * depths of fragments are clamped to the range between them.
 */
static void get_depth_range(NV3PixopsState *pix, const NV3GeomState *st)
{
    const float far = st->translate[2] + st->scale[2];
    const float near = st->translate[2] - (st->depth_zero_to_one ? 0 : st->scale[2]);

    pix->depth_min = fminf(fmaxf(fminf(near, far), 0), 1);
    pix->depth_max = fminf(fmaxf(fmaxf(near, far), 0), 1);
    pix->depth_clamp = st->depth_clamp && (pix->depth_min > 0 || pix->depth_max < 1);
}

static bool get_geometry(NV3GeomState *st, const NV3Programs *p, NV3PixopsState *pix)
{
    const uint32_t planes = programs_word(p, NV3_PM_CLIP_PLANES_ENABLE);
    const uint32_t sprite = programs_word(p, NV3_PM_POINT_SPRITE);
    const uint32_t shade = programs_word(p, NV3_PM_SHADE_MODE);

    get_input(st, p);
    for (unsigned i = 0; i < 3; i++) {
        st->scale[i] = word_float(p, NV3_PM_VIEWPORT_SCALE + 4 * i);
        st->translate[i] = word_float(p, NV3_PM_VIEWPORT_OFFSET + 4 * i);
    }
    st->depth_zero_to_one = programs_word(p, NV3_PM_DEPTH_CLIP_MODE);
    st->depth_clamp = programs_word(p, NV3_PM_ZMIN_MAX_CONTROL) & NV3_PM_ZCLAMP;
    get_depth_range(pix, st);
    st->clip_planes = 0;
    for (unsigned i = 0; i < NV3_GEOM_CLIP_PLANES; i++) {
        st->clip_planes |= (planes >> (1 + 4 * i) & 1) << i;
    }
    st->scissor = intersect(nv3_programs_clip(p),
                            word_rect(p, NV3_PM_VIEWPORT_HORIZ, NV3_PM_VIEWPORT_VERT));
    st->offset_point = programs_word(p, NV3_PM_POLY_OFFSET_POINT_ENABLE);
    st->offset_line = programs_word(p, NV3_PM_POLY_OFFSET_LINE_ENABLE);
    st->offset_fill = programs_word(p, NV3_PM_POLY_OFFSET_FILL_ENABLE);
    st->offset_factor = word_float(p, NV3_PM_POLYGON_OFFSET_SCALE);
    /*
     * The unit of POLYGON_OFFSET_BIAS is 1 / 2^16 or 1 / 2^24, about the resolution of
     * the zeta format.
     */
    st->offset_units = word_float(p, NV3_PM_POLYGON_OFFSET_BIAS) *
                       (pix->zeta_format == NV3_PIXOPS_Z16 ? 0x1p-16f : 0x1p-24f);
    st->multisample = pix->multisample;
    memcpy(st->sample, pix->sample, sizeof(st->sample));
    st->rectangular_lines = pix->multisample &&
                            (programs_word(p, NV3_PM_MULTISAMPLE_CONTROL) &
                             NV3_PM_MULTISAMPLE_ENABLE);
    st->line_width = (programs_word(p, NV3_PM_LINE_WIDTH) & 0xffff) / 8.0f;
    st->point_size = (programs_word(p, NV3_PM_POINT_SIZE) & 0xffff) / 8.0f;
    st->point_size_output = programs_word(p, NV3_PM_POINT_PARAMS_ENABLE);
    st->sprite = sprite & 1 ? sprite >> 8 & 0x3ff : 0;
    st->sprite_lower_left = sprite & 0x80000000u;
    st->wide_outside = sprite & NV3_PM_POINT_OUTSIDE;
    st->flat = shade == GL_FLAT;
    st->first_provokes = programs_word(p, NV3_PM_FLATSHADE_FIRST);
    return (shade == GL_FLAT || shade == GL_SMOOTH) && get_faces(st, p);
}

/* ---- all --------------------------------------------------------------------- */

static bool get_program(NV3Programs *p)
{
    unsigned start = programs_word(p, NV3_PM_TRANSFORM_PROGRAM_START);

    if (start >= NV3_VP_INSNS ||
        nv3_vp_decode_program(p->insns, &p->insn_count, p->context.program[start],
                              NV3_VP_INSNS - start)) {
        return false;
    }
    p->left -= (int64_t)p->insn_count * INSN_COST;
    nv3_vp_translate(&p->code, p->insns, p->insn_count, UINT32_MAX);
    p->program_dirty = false;
    p->parts_dirty = true;
    return true;
}

/*
 * If face culling is enabled, translates the vertex program in two parts: one computes
 * the position, and the other computes all other outputs.
 */
static void get_parts(NV3Programs *p, NV3GeomState *st)
{
    const uint32_t position = 1u << NV3_GEOM_O_POSITION;

    st->position = st->others = NULL;
    if (!st->cull_front && !st->cull_back) {
        return;
    }
    if (p->parts_dirty) {
        p->left -= 2 * (int64_t)p->insn_count * INSN_COST;
        nv3_vp_translate(&p->position, p->insns, p->insn_count, position);
        nv3_vp_translate(&p->others, p->insns, p->insn_count, ~position);
        p->parts_dirty = false;
    }
    st->position = &p->position;
    st->others = &p->others;
}

static NV3ProgramsResult get_vertex_units(NV3Programs *p, NV3GeomState *st)
{
    NV3ProgramsResult result = NV3_PROGRAMS_OK;

    for (unsigned i = 0; i < NV3_VP_UNITS && !result; i++) {
        st->unit[i] = NULL;
        if (p->code.units & 1u << i) {
            result = nv3_programs_texture(p, NV3_PM_VTXTEX + i * UNIT_SIZE,
                                          NV3_PM_VTXTEX_SIZE1 + i * 4, &st->unit[i]);
        }
    }
    return result;
}

static NV3ProgramsResult get_fragment(NV3Programs *p, NV3FpDraw *draw, NV3GeomState *st)
{
    NV3ProgramsResult result = nv3_programs_code(p, p->draws);
    unsigned units;

    if (result) {
        return result;
    }
    for (unsigned i = 0; i < NV3_FP_INPUTS; i++) {
        st->inputs[i] = nv3_fp_code_inputs(draw->code, i);
    }
    if (draw->pixops.fog) {
        st->inputs[NV3_FP_FOG] |= 1;
    }
    units = nv3_fp_code_units(draw->code);
    for (unsigned i = 0; i < NV3_FP_UNITS && !result; i++) {
        if (units & 1u << i) {
            result = nv3_programs_texture(p, NV3_PM_TEX + i * UNIT_SIZE,
                                          NV3_PM_TEX_SIZE1 + i * 4, &draw->unit[i]);
        }
    }
    draw->level = p->level;
    return result;
}

/*
 * Returns the result for a new state. The geometry engine first fetches the vertices of
 * earlier methods. This fetch may fail.
 */
static NV3ProgramsResult state_result(NV3GeomError error)
{
    return error == NV3_GEOM_OUT_OF_RANGE ? NV3_PROGRAMS_FAULT :
           error ? NV3_PROGRAMS_BAD_DATA : NV3_PROGRAMS_OK;
}

NV3ProgramsResult nv3_programs_validate(NV3Programs *p)
{
    NV3GeomState *st = &p->state;
    NV3ProgramsResult result;
    NV3FpDraw *draw;

    p->use_before = p->use;
    /*
     * If all draw states are in use, draw all primitives, so that the states can be used
     * again.
     */
    if (p->draws == PROGRAMS_DRAWS) {
        result = nv3_programs_draw(p, true);
        if (result) {
            return result;
        }
        p->draws = 0;
    }
    draw = &p->draw[p->draws];
    memset(draw, 0, sizeof(*draw));
    result = nv3_programs_use_targets(p, &draw->pixops);
    if (result) {
        return result;
    }
    if (!get_pixops(&draw->pixops, p) || !get_geometry(st, p, &draw->pixops) ||
        (p->program_dirty && !get_program(p))) {
        return NV3_PROGRAMS_BAD_DATA;
    }
    result = get_vertex_units(p, st);
    if (!result) {
        result = get_fragment(p, draw, st);
    }
    if (result) {
        return result;
    }
    st->draw = draw;
    st->code = &p->code;
    get_parts(p, st);
    st->constants = p->context.constant;
    p->draws++;
    return state_result(nv3_geom_set_state(p->geom, st));
}

NV3ProgramsResult nv3_programs_validate_input(NV3Programs *p)
{
    get_input(&p->state, p);
    return state_result(nv3_geom_set_input(p->geom, &p->state));
}
