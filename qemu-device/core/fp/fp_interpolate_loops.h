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

/* ---- tables of blocks ------------------------------------------------------ */

/* One element for each triangle of a group, or for each block of an NV3FpBlocks. */
typedef float FpGroupF __attribute__((vector_size(4 * NV3_FP_GROUP), may_alias));
typedef int32_t FpGroupI __attribute__((vector_size(4 * NV3_FP_GROUP), may_alias));

/*
 * @from has one element for each triangle of the group. For each block, returns the
 * element that belongs to the block's triangle.
 */
LANES_INLINE FpGroupI fp_of_blocks(const void *from, const NV3FpBlocks *b)
{
#if LANES >= 8
    const __m256i *elements = from, *i = (const __m256i *)b->triangle;

    return (FpGroupI)_mm256_permutevar8x32_epi32(elements[0], i[0]);
#else
    const int32_t *element = from;
    const int32_t *i = b->triangle;

    return (FpGroupI) { element[i[0]], element[i[1]], element[i[2]], element[i[3]],
                        element[i[4]], element[i[5]], element[i[6]], element[i[7]] };
#endif
}

/* Sets the elements of @table that belong to the current blocks. */
LANES_INLINE void fp_set_table(void *table, unsigned first, FpGroupI value)
{
    FpGroupI *to = table;

    to[first / NV3_FP_GROUP] = value;
    to[first ? 1 : 2] = value;
}

/*
 * Values for each current block. @x, @y: offset of the block's first pixel from the
 * reference pixel of the block's triangle.
 */
typedef struct FpBegin {
    unsigned first;
    FpGroupF x, y;
    FpGroupI affine;
    FpGroupF scale;             /* factor for the planes of inputs with perspective */
} FpBegin;

LANES_INLINE void fp_set_planes(NV3FpPlanes *to, const FpBegin *s, FpGroupF value,
                                FpGroupF dx, FpGroupF dy)
{
    value += s->x * dx + s->y * dy;
    fp_set_table(to->value, s->first, (FpGroupI)value);
    fp_set_table(to->dx, s->first, (FpGroupI)dx);
    fp_set_table(to->dy, s->first, (FpGroupI)dy);
}

/*
 * Copies the plane of each block's triangle from @from to @to, and multiplies it by
 * @scale.
 */
LANES_INLINE void fp_copy_planes(NV3FpPlanes *to, const FpBegin *s, const NV3FpBlocks *b,
                                 const NV3FpGroupPlanes *from, FpGroupF scale)
{
    fp_set_planes(to, s, (FpGroupF)fp_of_blocks(from->value, b) * scale,
                  (FpGroupF)fp_of_blocks(from->dx, b) * scale,
                  (FpGroupF)fp_of_blocks(from->dy, b) * scale);
}

/* Sets the planes of one component of the window position or of the facing. */
static LANES_TARGET __attribute__((noinline))
void fp_set_special(NV3FpPlanes *to, const FpBegin *s, const NV3FpTriangles *g,
                    const NV3FpBlocks *b, const NV3FpCodeInput *in)
{
    const FpGroupF zero = { 0 };
    const unsigned c = in->component;

    if (in->input == NV3_FP_FACING) {
        const FpGroupI front = fp_of_blocks(g->front, b);
        const FpGroupI one = (FpGroupI)(zero + 1.0f);

        /* 1 or -1 */
        fp_set_planes(to, s, c ? zero : (FpGroupF)(one | (~front & INT32_MIN)), zero,
                      zero);
    } else if (c >= 2) {
        fp_copy_planes(to, s, b, c == 2 ? &g->z : &g->rhw, zero + 1.0f);
    } else {
        const FpGroupI reference = fp_of_blocks(c ? g->y : g->x, b);

        fp_set_planes(to, s, __builtin_convertvector(reference, FpGroupF) + 0.5f,
                      zero + (float)!c, zero + (float)c);
    }
}

LANES_INLINE void fp_set_rhw(NV3FpThread *t, FpBegin *s, const NV3FpTriangles *g,
                             const NV3FpBlocks *b)
{
    const FpGroupI one = (FpGroupI)((FpGroupF) { 0 } + 1.0f);
    const FpGroupI rhw = fp_of_blocks(g->rhw.value, b);

    s->affine = fp_of_blocks(g->affine, b);
    s->scale = 1.0f / (FpGroupF)((rhw & s->affine) | (one & ~s->affine));
    fp_set_planes(&t->rhw, s, (FpGroupF)((one & s->affine) | (rhw & ~s->affine)),
                  (FpGroupF)(fp_of_blocks(g->rhw.dx, b) & ~s->affine),
                  (FpGroupF)(fp_of_blocks(g->rhw.dy, b) & ~s->affine));
    fp_set_table(t->affine, s->first, s->affine);
}

/*
 * Stores blocks @b of group @g in one half of the tables. No pixel of the blocks that are
 * currently in this half may be deferred.
 */
LANES_INLINE void fp_begin_blocks(NV3FpThread *t, const NV3FpTriangles *g,
                                  const NV3FpBlocks *b)
{
    const FpGroupI x = *(const FpGroupI *)b->x, y = *(const FpGroupI *)b->y;
    const FpGroupF one = (FpGroupF) { 0 } + 1.0f;
    FpBegin s = {
        .first = t->first,
        .x = __builtin_convertvector(x - fp_of_blocks(g->x, b), FpGroupF),
        .y = __builtin_convertvector(y - fp_of_blocks(g->y, b), FpGroupF),
    };

    t->linear = g->linear;
    fp_set_table(t->place, s.first, y << 16 | x);
    fp_set_table(t->front, s.first, fp_of_blocks(g->front, b));
    *(FpGroupI *)&t->waits[s.first] = (FpGroupI) { 0 };
    fp_set_rhw(t, &s, g, b);
    for (unsigned i = 0; i < t->live_count; i++) {
        const NV3FpCodeInput *in = &t->live[i];

        if (in->input == NV3_FP_POSITION || in->input == NV3_FP_FACING) {
            fp_set_special(&t->input[i], &s, g, b, in);
        } else {
            fp_copy_planes(&t->input[i], &s, b, &g->input[in->input][in->component],
                           g->linear & 1u << in->input ? one : s.scale);
        }
    }
    if (t->zeta >= NV3_FP_ZETA_TWICE) {
        fp_copy_planes(&t->z, &s, b, &g->z, one);
    }
    if (t->draw->pixops.fog) {
        fp_copy_planes(&t->fog, &s, b, &g->input[NV3_FP_FOG][0], one);
        fp_copy_planes(&t->fog_rhw, &s, b, &g->rhw, one);
    }
}

/* ---- interpolation --------------------------------------------------------- */

/*
 * Evaluates a plane at all pixels of a block. @corner: value at the centre of the first
 * pixel. @column, @line: change per column and per line.
 */
LANES_INLINE void fp_block_plane(LaneF *to, float corner, float column, float line)
{
    static const float number[16] __attribute__((aligned(64))) = {
        0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
    };
    const LaneF dx = lane_splat(column), dy = lane_splat(line);
#if LANES == 16
    /* values at the left end of each row of the block, in both halves */
    const LaneF left = corner + *(const LaneF *)number * dy;
    const LaneF across = *(const LaneF *)number * dx;

    for (unsigned i = 0; i < FP_VECTORS; i++) {
        const LaneI rows = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1 };

        to[i] = (LaneF)_mm512_permutexvar_ps((__m512i)(rows + (int32_t)(2 * i)),
                                             (__m512)left) + across;
    }
#else
    const LaneF across[2] = {
        *(const LaneF *)&number[0] * dx, *(const LaneF *)&number[LANES % 8] * dx,
    };
    /* value at the left end of each row of the block */
    float left[NV3_FP_BLOCK] __attribute__((aligned(64)));

    for (unsigned i = 0; i < NV3_FP_BLOCK; i += LANES) {
        *(LaneF *)&left[i] = corner + *(const LaneF *)&number[i] * dy;
    }
    FP_IN_MEMORY(left);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        to[i] = lane_splat(left[i * LANES / 8]) + across[i % 2];
    }
#endif
}

/* Evaluates element @n of @p at all pixels of block @n. */
LANES_INLINE void fp_plane(LaneF *to, const NV3FpPlanes *p, unsigned n)
{
    fp_block_plane(to, p->value[n], p->dx[n], p->dy[n]);
}

/*
 * Evaluates the depth of a triangle for block @i of @b. @value: depth at the centre of
 * the triangle's reference pixel.
 */
LANES_INLINE void fp_depth_plane(LaneF *to, float value, const NV3FpTriangles *g,
                                 const NV3FpBlocks *b, unsigned i)
{
    const unsigned n = b->triangle[i];
    const float dx = g->z.dx[n], dy = g->z.dy[n];
    const float left = b->x[i] - g->x[n], top = b->y[i] - g->y[n];

    fp_block_plane(to, value + (left * dx + top * dy), dx, dy);
}

/* Computes the fog factor, clamped to [0, 1], of each pixel of block @n. */
LANES_INLINE void fp_fog_factor(const NV3FpThread *t, LaneF *to, unsigned n)
{
    LaneF rhw[FP_VECTORS];

    fp_plane(to, &t->fog, n);
    fp_plane(rhw, &t->fog_rhw, n);
    for (unsigned i = 0; i < FP_VECTORS; i++) {
        LaneF f = to[i];

        if (!(t->linear & 1u << NV3_FP_FOG)) {
            f = f / rhw[i];
        }
        to[i] = lane_saturate(f);
    }
}

/* Computes w of each pixel of block @n. Returns false if no input needs w. */
LANES_INLINE bool fp_find_w(const NV3FpThread *t, LaneF *w, unsigned n)
{
    if (t->affine[n] || !(t->draw->code->varyings & ~t->linear)) {
        return false;
    }
    fp_plane(w, &t->rhw, n);
    for (unsigned v = 0; v < FP_VECTORS; v++) {
        w[v] = 1.0f / w[v];
    }
    return true;
}

/* Interpolates the inputs in @live for block @n. */
LANES_INLINE void fp_interpolate_inputs(NV3FpThread *t, unsigned n, NV3FpSlot *fog)
{
    const NV3FpCode *code = t->draw->code;
    LaneF w[FP_VECTORS];
    const unsigned divided = fp_find_w(t, w, n) ? code->varyings & ~t->linear : 0;
    /* Local copies, because the compiler must assume that stores change the originals. */
    const unsigned count = t->live_count;
    NV3FpSlot *const file = t->file;

    for (unsigned i = 0; i < count; i++) {
        const NV3FpCodeInput in = t->live[i];
        LaneF *to = (LaneF *)file[in.slot].pixel;

        fp_plane(to, &t->input[i], n);
        for (unsigned v = 0; divided & 1u << in.input && v < FP_VECTORS; v++) {
            to[v] *= w[v];
        }
    }
    if (t->draw->pixops.fog) {
        fp_fog_factor(t, (LaneF *)fog->pixel, n);
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
