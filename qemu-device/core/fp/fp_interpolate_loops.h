/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that fp_shade_loops.h and fp_sample_loops.h share: interpolation, fog, and
 * running the program. Compiled once for each SIMD level.
 */
#include "fp/fp_code.h"

#define FP_VECTORS          (NV3_FP_LANES / LANES)

/* Forces the compiler to store @array in memory and to load single values from it. */
#define FP_IN_MEMORY(array)     __asm__("" : "+m" (array))

/*
 * FpGroupF and FpGroupI may be wider than the host's vectors. This does not affect the
 * ABI, because only inlined functions pass them.
 */
#pragma GCC diagnostic ignored "-Wpsabi"

/* ---- tables of triangles --------------------------------------------------- */

/* One element for each triangle of a group. */
typedef float FpGroupF __attribute__((vector_size(4 * NV3_FP_GROUP), may_alias));
typedef int32_t FpGroupI __attribute__((vector_size(4 * NV3_FP_GROUP), may_alias));

/* Sets the elements of @table that belong to the current group. */
LANES_INLINE void fp_set_table(void *table, unsigned first, FpGroupI value)
{
    FpGroupI *to = table;

    to[first / NV3_FP_GROUP] = value;
    to[first ? 1 : 2] = value;
}

LANES_INLINE void fp_set_planes(NV3FpPlanes *to, unsigned first, FpGroupF value,
                                FpGroupF dx, FpGroupF dy)
{
    fp_set_table(to->value, first, (FpGroupI)value);
    fp_set_table(to->dx, first, (FpGroupI)dx);
    fp_set_table(to->dy, first, (FpGroupI)dy);
}

/* Copies the planes of the group from @from to @to, and multiplies them by @scale. */
LANES_INLINE void fp_copy_planes(NV3FpPlanes *to, unsigned first,
                                 const NV3FpGroupPlanes *from, FpGroupF scale)
{
    fp_set_planes(to, first, *(const FpGroupF *)from->value * scale,
                  *(const FpGroupF *)from->dx * scale,
                  *(const FpGroupF *)from->dy * scale);
}

/* Sets the planes of one component of the window position or of the facing. */
static LANES_TARGET __attribute__((noinline))
void fp_set_special(NV3FpPlanes *to, unsigned first, const NV3FpTriangles *g,
                    const NV3FpCodeInput *in)
{
    const FpGroupF zero = { 0 };
    const unsigned c = in->component;

    if (in->input == NV3_FP_FACING) {
        const FpGroupI front = *(const FpGroupI *)g->front;
        const FpGroupI one = (FpGroupI)(zero + 1.0f);

        /* 1 or -1 */
        fp_set_planes(to, first, c ? zero : (FpGroupF)(one | (~front & INT32_MIN)), zero,
                      zero);
    } else if (c >= 2) {
        fp_copy_planes(to, first, c == 2 ? &g->z : &g->rhw, zero + 1.0f);
    } else {
        const FpGroupI reference = *(const FpGroupI *)(c ? g->y : g->x);

        fp_set_planes(to, first, __builtin_convertvector(reference, FpGroupF) + 0.5f,
                      zero + (float)!c, zero + (float)c);
    }
}

/*
 * Sets the planes of 1 / w. Returns the factors for the planes of inputs with
 * perspective.
 */
LANES_INLINE FpGroupF fp_set_rhw(NV3FpThread *t, const NV3FpTriangles *g)
{
    const FpGroupI one = (FpGroupI)((FpGroupF) { 0 } + 1.0f);
    const FpGroupI affine = *(const FpGroupI *)g->affine;
    const FpGroupI rhw = *(const FpGroupI *)g->rhw.value;

    fp_set_planes(&t->rhw, t->first, (FpGroupF)((one & affine) | (rhw & ~affine)),
                  (FpGroupF)(*(const FpGroupI *)g->rhw.dx & ~affine),
                  (FpGroupF)(*(const FpGroupI *)g->rhw.dy & ~affine));
    fp_set_table(t->affine, t->first, affine);
    return 1.0f / (FpGroupF)((rhw & affine) | (one & ~affine));
}

/*
 * Stores the triangles of @g in the half of the tables that begins at @t->first. No pixel
 * of the triangles that are currently in this half may be deferred.
 */
LANES_INLINE void fp_load_group(NV3FpThread *t, const NV3FpTriangles *g)
{
    const FpGroupF one = (FpGroupF) { 0 } + 1.0f;
    const unsigned first = t->first;
    FpGroupF scale;

    t->loaded = true;
    t->linear = g->linear;
    fp_set_table(t->x, first, (FpGroupI)__builtin_convertvector(
        *(const FpGroupI *)g->x, FpGroupF));
    fp_set_table(t->y, first, (FpGroupI)__builtin_convertvector(
        *(const FpGroupI *)g->y, FpGroupF));
    fp_set_table(t->front, first, *(const FpGroupI *)g->front);
    scale = fp_set_rhw(t, g);
    for (unsigned i = 0; i < t->live_count; i++) {
        const NV3FpCodeInput *in = &t->live[i];

        if (in->input == NV3_FP_POSITION || in->input == NV3_FP_FACING) {
            fp_set_special(&t->input[i], first, g, in);
        } else {
            fp_copy_planes(&t->input[i], first, &g->input[in->input][in->component],
                           g->linear & 1u << in->input ? one : scale);
        }
    }
    if (t->zeta >= NV3_FP_ZETA_TWICE) {
        fp_copy_planes(&t->z, first, &g->z, one);
    }
    if (t->draw->pixops.fog) {
        fp_copy_planes(&t->fog, first, &g->input[NV3_FP_FOG][0], one);
        fp_copy_planes(&t->fog_rhw, first, &g->rhw, one);
    }
}

/* ---- interpolation --------------------------------------------------------- */

/*
 * A plane of an input has the value (value + row * dy) + column * dx at a pixel. @row and
 * @column are the pixel's distances from the reference pixel of the triangle. Therefore
 * the value does not depend on the block with which the pixel is shaded.
 */

/* The distances of a block's columns and rows. */
typedef struct FpGrid {
#if LANES == 16
    LaneF column, row;      /* both halves are equal */
#else
    LaneF column[2], row[NV3_FP_BLOCK / LANES];
#endif
} FpGrid;

/* @left, @top: the distances of the block's first pixel. */
LANES_INLINE FpGrid fp_grid(float left, float top)
{
    static const float number[16] __attribute__((aligned(64))) = {
        0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
    };
    FpGrid grid;
#if LANES == 16
    grid.column = *(const LaneF *)number + left;
    grid.row = *(const LaneF *)number + top;
#else
    grid.column[0] = *(const LaneF *)&number[0] + left;
    grid.column[1] = *(const LaneF *)&number[LANES % 8] + left;
    for (unsigned i = 0; i < NV3_FP_BLOCK / LANES; i++) {
        grid.row[i] = *(const LaneF *)&number[i * LANES] + top;
    }
#endif
    return grid;
}

/* Evaluates a plane at all pixels of a block. */
LANES_INLINE void fp_block_plane(LaneF *to, const FpGrid *grid, float value, float column,
                                 float line)
{
    const LaneF dx = lane_splat(column), dy = lane_splat(line);
#if LANES == 16
    /* the part of the value that all pixels of a row share */
    const LaneF left = value + grid->row * dy;
    const LaneF across = grid->column * dx;

    for (unsigned i = 0; i < FP_VECTORS; i++) {
        const LaneI rows = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1 };

        to[i] = (LaneF)_mm512_permutexvar_ps((__m512i)(rows + (int32_t)(2 * i)),
                                             (__m512)left) + across;
    }
#else
    const LaneF across[2] = { grid->column[0] * dx, grid->column[1] * dx };
    /* the part of the value that all pixels of a row share */
    float left[NV3_FP_BLOCK] __attribute__((aligned(64)));

    for (unsigned i = 0; i < NV3_FP_BLOCK / LANES; i++) {
        ((LaneF *)left)[i] = value + grid->row[i] * dy;
    }
    FP_IN_MEMORY(left);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        to[i] = lane_splat(left[i * LANES / 8]) + across[i % 2];
    }
#endif
}

/* Evaluates element @n of @p at all pixels of a block. */
LANES_INLINE void fp_plane(LaneF *to, const NV3FpPlanes *p, const FpGrid *grid,
                           unsigned n)
{
    fp_block_plane(to, grid, p->value[n], p->dx[n], p->dy[n]);
}

/*
 * Evaluates a depth at all pixels of a block: value + (row * dy + column * dx). In narrow
 * triangles, the two products can be far larger than their sum. If they were added to the
 * value one by one, as those of inputs are, rounding would remove small differences
 * between depths, such as polygon offsets (dEQP-GLES2.functional.polygon_offset).
 */
LANES_INLINE void fp_block_depth(LaneF *to, const FpGrid *grid, float value, float column,
                                 float line)
{
    fp_block_plane(to, grid, 0, column, line);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        to[i] += value;
    }
}

/*
 * Evaluates the depth of a triangle for block @i of @b. @value: depth at the centre of
 * the triangle's reference pixel.
 */
LANES_INLINE void fp_depth_plane(LaneF *to, float value, const NV3FpTriangles *g,
                                 const NV3FpBlocks *b, unsigned i)
{
    const unsigned n = b->triangle[i];
    const FpGrid grid = fp_grid(b->x[i] - g->x[n], b->y[i] - g->y[n]);

    fp_block_depth(to, &grid, value, g->z.dx[n], g->z.dy[n]);
}

/*
 * Computes the fog factor, clamped to [0, 1], of each pixel of a block. @n: index of the
 * triangle in the tables.
 */
LANES_INLINE void fp_fog_factor(const NV3FpThread *t, LaneF *to, const FpGrid *grid,
                                unsigned n)
{
    LaneF rhw[FP_VECTORS];

    fp_plane(to, &t->fog, grid, n);
    fp_plane(rhw, &t->fog_rhw, grid, n);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        LaneF f = to[i];

        if (!(t->linear & 1u << NV3_FP_FOG)) {
            f = f / rhw[i];
        }
        to[i] = lane_saturate(f);
    }
}

/* Computes w of each pixel of a block. Returns false if no input needs w. */
LANES_INLINE bool fp_find_w(const NV3FpThread *t, LaneF *w, const FpGrid *grid,
                            unsigned n)
{
    if (t->affine[n] || !(t->draw->code->varyings & ~t->linear)) {
        return false;
    }
    fp_plane(w, &t->rhw, grid, n);
    for (unsigned v = 0; v < FP_VECTORS; v++) {
        w[v] = 1.0f / w[v];
    }
    return true;
}

/* Interpolates the inputs in @live for a block. */
LANES_INLINE void fp_interpolate_inputs(NV3FpThread *t, const FpGrid *grid, unsigned n,
                                        NV3FpSlot *fog)
{
    const NV3FpCode *code = t->draw->code;
    LaneF w[FP_VECTORS];
    const unsigned divided = fp_find_w(t, w, grid, n) ? code->varyings & ~t->linear : 0;
    /* Local copies, because the compiler must assume that stores change the originals. */
    const unsigned count = t->live_count;
    NV3FpSlot *const file = t->file;

    for (unsigned i = 0; i < count; i++) {
        const NV3FpCodeInput in = t->live[i];
        LaneF *to = (LaneF *)file[in.slot].pixel;

        fp_plane(to, &t->input[i], grid, n);
        for (unsigned v = 0; divided & 1u << in.input && v < FP_VECTORS; v++) {
            to[v] *= w[v];
        }
    }
    if (t->draw->pixops.fog) {
        fp_fog_factor(t, (LaneF *)fog->pixel, grid, n);
    }
}

/* ---- program --------------------------------------------------------------- */

/*
 * Blends @color with the fog colour according to the factors @fog. Stores the blended
 * colours in @result, and points @color to them.
 */
static LANES_TARGET void fp_fog(const NV3FpThread *t, const NV3FpSlot *fog,
                                const float *color[4], NV3FpSlot result[3])
{
    const NV3PixopsState *s = &t->draw->pixops;

    for (unsigned i = 0; i < FP_VECTORS; i++) {
        const LaneF f = ((const LaneF *)fog->pixel)[i];

        for (unsigned c = 0; c < 3; c++) {
            LaneF from = lane_saturate(((const LaneF *)color[c])[i]);

            ((LaneF *)result[c].pixel)[i] = s->fog_color[c] +
                                            (from - s->fog_color[c]) * f;
        }
    }
    for (unsigned c = 0; c < 3; c++) {
        color[c] = result[c].pixel;
    }
}

/*
 * Returns true if the program need not run, because the draw writes no colour and has no
 * alpha test, and the program neither kills pixels nor writes depth.
 */
LANES_INLINE bool fp_is_without_effect(const NV3FpDraw *draw)
{
    const NV3PixopsState *s = &draw->pixops;

    return s->color_format == NV3_PIXOPS_COLOR_NONE && !s->alpha_test &&
           !draw->code->kills && draw->code->depth == NV3_FP_NO_SLOT;
}

/*
 * Runs the program, applies fog with the factors @fog, and points @color to the resulting
 * colours.
 */
LANES_INLINE void fp_run(NV3FpThread *t, const NV3FpSlot *fog, const float *color[4],
                         NV3FpSlot fogged[3])
{
    const NV3FpCode *code = t->draw->code;

    t->killed = 0;
    FP_NAME(nv3_fp_run_code)(t);
    for (unsigned c = 0; c < 4; c++) {
        color[c] = t->file[code->color[c]].pixel;
    }
    if (t->draw->pixops.fog) {
        fp_fog(t, fog, color, fogged);
    }
}

/*
 * Returns the depths that late tests compare: @z, the depths of the triangle, unless the
 * program replaces them.
 */
LANES_INLINE const float *fp_late_depth(const NV3FpThread *t, const NV3FpSlot *z)
{
    const NV3FpCode *code = t->draw->code;

    return code->depth != NV3_FP_NO_SLOT ? t->file[code->depth].pixel : z->pixel;
}

/* A block, and its addresses in the surfaces. */
typedef struct FpBlock {
    int32_t x, y;
    NV3PixopsPlace color, zeta;
} FpBlock;

/* Computes the distances of @block from the reference pixel of triangle @n. */
LANES_INLINE FpGrid fp_block_grid(const NV3FpThread *t, const FpBlock *block, unsigned n)
{
    return fp_grid(block->x - t->x[n], block->y - t->y[n]);
}
