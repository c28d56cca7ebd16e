/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds those triangles of a list that may be visible. Compiled once for each SIMD level.
 * The including file defines:
 *
 * CULL_WIDTH       number of lanes of a vector: 4, 8 or 16.
 * CULL_THIRD       the inverse of 3 modulo CULL_WIDTH.
 * CULL_TARGET      attributes of every function.
 * CULL_ANY(x)      true if a lane of a vector of integers is not 0.
 * CULL_FUNCTION    name of the function.
 */
#include "geometry/geom_int.h"

#define CULL_INLINE     inline __attribute__((always_inline)) CULL_TARGET

typedef float CullF __attribute__((vector_size(4 * CULL_WIDTH), may_alias));
typedef int32_t CullI __attribute__((vector_size(4 * CULL_WIDTH), may_alias));
/* A vector at an address that need not be a multiple of its size. */
typedef int32_t CullLoad
    __attribute__((vector_size(4 * CULL_WIDTH), aligned(4), may_alias));

/*
 * Three vectors hold the vertices of CULL_WIDTH triangles. Corner @p (0 to 2) of triangle
 * t is vertex 3 * t + p. No two triangles have their corner @p in the same lane. Two
 * lane-wise selections therefore collect the corners @p of all triangles in one vector. A
 * permutation then sorts these corners by triangle.
 *
 * CULL_TRIANGLE is the triangle that has its corner @p in lane @l. CULL_SOURCE is the
 * number of the vector with this corner. CULL_FIRST is the index with which the first
 * selection fills lane @l from vectors 0 and 1. CULL_SECOND is the index with which the
 * second selection fills lane @l from vector 2 and the result of the first selection.
 * CULL_ORDER is the lane of corner @p of triangle @t.
 */
#define CULL_TRIANGLE(p, l) (CULL_THIRD * ((l) + CULL_WIDTH - (p)) % CULL_WIDTH)
#define CULL_SOURCE(p, l)   ((3 * CULL_TRIANGLE(p, l) + (p)) / CULL_WIDTH)
#define CULL_FIRST(p, l)    ((l) + (CULL_SOURCE(p, l) == 1 ? CULL_WIDTH : 0))
#define CULL_SECOND(p, l)   ((l) + (CULL_SOURCE(p, l) == 2 ? CULL_WIDTH : 0))
#define CULL_ORDER(p, t)    ((3 * (t) + (p)) % CULL_WIDTH)

#if CULL_WIDTH == 16
#define CULL_SHUFFLE(a, b, f, p) \
    __builtin_shufflevector(a, b, f(p, 0), f(p, 1), f(p, 2), f(p, 3), \
                            f(p, 4), f(p, 5), f(p, 6), f(p, 7), \
                            f(p, 8), f(p, 9), f(p, 10), f(p, 11), \
                            f(p, 12), f(p, 13), f(p, 14), f(p, 15))
#elif CULL_WIDTH == 8
#define CULL_SHUFFLE(a, b, f, p) \
    __builtin_shufflevector(a, b, f(p, 0), f(p, 1), f(p, 2), f(p, 3), \
                            f(p, 4), f(p, 5), f(p, 6), f(p, 7))
#else
#define CULL_SHUFFLE(a, b, f, p) \
    __builtin_shufflevector(a, b, f(p, 0), f(p, 1), f(p, 2), f(p, 3))
#endif

/* Selects corner @p of each triangle. */
#define CULL_CORNER(v, p) \
    CULL_SHUFFLE(CULL_SHUFFLE(CULL_SHUFFLE((v)[0], (v)[1], CULL_FIRST, p), \
                              (v)[2], CULL_SECOND, p), (CullI) { 0 }, CULL_ORDER, p)

typedef struct CullCorners {
    CullI corner[3];
} CullCorners;

static CULL_INLINE CullCorners cull_corners(const CullI v[3])
{
    return (CullCorners) { { CULL_CORNER(v, 0), CULL_CORNER(v, 1), CULL_CORNER(v, 2) } };
}

/* Loads one value for each vertex of CULL_WIDTH triangles. */
static CULL_INLINE CullCorners cull_load(const int32_t *from)
{
    const CullLoad *v = (const CullLoad *)from;

    return cull_corners((const CullI[3]) { v[0], v[1], v[2] });
}

/*
 * Returns the mask of the culled triangles. The sign of a triangle's area shows its
 * winding, and @c contains the windings that are culled. The area is a difference of two
 * products. If the rounded products differ, their difference has the sign of the area.
 * Otherwise this function does not cull the triangle.
 */
static CULL_INLINE CullI cull_faces(const NV3GeomCull *c, unsigned at)
{
    const CullCorners x = cull_load(c->x + at), y = cull_load(c->y + at);
    const CullF a = __builtin_convertvector(x.corner[1] - x.corner[0], CullF) *
                    __builtin_convertvector(y.corner[2] - y.corner[0], CullF);
    const CullF b = __builtin_convertvector(x.corner[2] - x.corner[0], CullF) *
                    __builtin_convertvector(y.corner[1] - y.corner[0], CullF);

    return ((a > b) & -(int32_t)c->clockwise) |
           ((a < b) & -(int32_t)c->counter_clockwise);
}

/* Returns @culled, corrected according to the codes @v of the triangles' vertices. */
static CULL_INLINE CullI cull_codes(CullI culled, const CullI v[3])
{
    const CullCorners code = cull_corners(v);
    const CullI all = code.corner[0] & code.corner[1] & code.corner[2];
    const CullI any = code.corner[0] | code.corner[1] | code.corner[2];

    /*
     * If a triangle must be clipped, its coordinates and its lane of @culled are not
     * valid.
     */
    return (culled & ((any & (int32_t)GEOM_CLIP) == 0)) |
           ((all & (int32_t)GEOM_REJECT) != 0) |
           ((any & (int32_t)GEOM_NOT_A_NUMBER) != 0);
}

CULL_TARGET unsigned CULL_FUNCTION(uint16_t *visible, const NV3GeomCull *c,
                                   unsigned count)
{
    unsigned found = 0;

    for (unsigned i = 0; i < count; i += CULL_WIDTH) {
        const CullLoad *from = (const CullLoad *)(c->code + 3 * i);
        const CullI code[3] = { from[0], from[1], from[2] };
        CullI culled = cull_faces(c, 3 * i);

        if (CULL_ANY(code[0] | code[1] | code[2])) {
            culled = cull_codes(culled, code);
        }
        if (!CULL_ANY(~culled)) {
            continue;
        }
        for (unsigned lane = 0; lane < CULL_WIDTH && i + lane < count; lane++) {
            visible[found] = i + lane;
            found += 1 + culled[lane];
        }
    }
    return found;
}
