/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetches arrays of floats. Compiled once for each SIMD level. The including file
 * defines:
 *
 * FETCH_WIDTH      lanes of the level's vectors: 4, 8 or 16
 * FETCH_TARGET     attributes of every function
 * FETCH_FUNCTION   the name of the function
 */
#include <string.h>

#include "geometry/geom_int.h"

#define FETCH_INLINE    inline __attribute__((always_inline)) FETCH_TARGET
/* Prefetch distance in bytes, tuned for consecutive elements (core.vertex). */
#define FETCH_AHEAD     8192
#define FETCH_ROWS      4

typedef float FetchF __attribute__((vector_size(4 * FETCH_WIDTH), may_alias));
typedef float FetchElement __attribute__((vector_size(16)));

/*
 * Loads an element. @components is a constant after inlining. @wide: true if 16 bytes can
 * be read.
 */
static FETCH_INLINE FetchElement fetch_element(const uint8_t *from, unsigned components,
                                               bool wide)
{
    FetchElement x = { 0 };

    if (wide) {
        memcpy(&x, from, sizeof(x));
    } else {
        for (unsigned c = 0; c < components; c++) {
            float component;

            memcpy(&component, from + 4 * c, sizeof(component));
            x[c] = component;
        }
    }
    return x;
}

/*
 * Loads FETCH_WIDTH / 4 elements: number[0], number[4] and so on. If @number is null,
 * loads every fourth element instead, starting at @from. After inlining, the compiler
 * knows whether @number is null.
 */
static FETCH_INLINE FetchF fetch_row(const GeomFetch *f, const uint32_t *number,
                                     const uint8_t *from, unsigned components, bool wide)
{
    FetchElement part[FETCH_WIDTH / 4];

    for (unsigned i = 0; i < FETCH_WIDTH / 4; i++) {
        const uint8_t *at =
            number ? f->base + (uint64_t)(number[4 * i] - f->first) * f->stride :
                     from + 4 * i * f->stride;

        __builtin_prefetch(at + FETCH_AHEAD);
        part[i] = fetch_element(at, components, wide);
    }
#if FETCH_WIDTH == 16
    return __builtin_shufflevector(
        __builtin_shufflevector(part[0], part[1], 0, 1, 2, 3, 4, 5, 6, 7),
        __builtin_shufflevector(part[2], part[3], 0, 1, 2, 3, 4, 5, 6, 7),
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif FETCH_WIDTH == 8
    return __builtin_shufflevector(part[0], part[1], 0, 1, 2, 3, 4, 5, 6, 7);
#else
    return part[0];
#endif
}

/*
 * For each pair of elements in vectors a and b, FETCH_LOW interleaves their lower two
 * floats, and FETCH_HIGH interleaves their upper two floats. FETCH_FIRST joins the lower
 * two floats of both elements, and FETCH_SECOND joins the upper two floats.
 */
#if FETCH_WIDTH == 16
#define FETCH_LOW(a, b)     __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, \
                                                    8, 24, 9, 25, 12, 28, 13, 29)
#define FETCH_HIGH(a, b)    __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, \
                                                    10, 26, 11, 27, 14, 30, 15, 31)
#define FETCH_FIRST(a, b)   __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, \
                                                    8, 9, 24, 25, 12, 13, 28, 29)
#define FETCH_SECOND(a, b)  __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, \
                                                    10, 11, 26, 27, 14, 15, 30, 31)
#elif FETCH_WIDTH == 8
#define FETCH_LOW(a, b)     __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define FETCH_HIGH(a, b)    __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FETCH_FIRST(a, b)   __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define FETCH_SECOND(a, b)  __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define FETCH_LOW(a, b)     __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define FETCH_HIGH(a, b)    __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define FETCH_FIRST(a, b)   __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define FETCH_SECOND(a, b)  __builtin_shufflevector(a, b, 2, 3, 6, 7)
#endif

/*
 * Fetches @lanes elements to the slots of an attribute. @consecutive: the elements are
 * consecutive, so e->number is not used. @components, @wide and @consecutive are
 * constants after inlining.
 */
static FETCH_INLINE void fetch_all(NV3VpSlot slot[4], const GeomFetch *fetch,
                                   const GeomElements *e, unsigned lanes,
                                   unsigned components, bool wide, bool consecutive)
{
    /*
     * A local copy, because the compiler must assume that stores to slots change *@fetch.
     */
    const GeomFetch f = *fetch;
    const uint8_t *from = f.base + (uint64_t)(e->first - f.first) * f.stride;

    for (unsigned lane = 0; lane < lanes; lane += FETCH_WIDTH) {
        FetchF row[FETCH_ROWS], half[4], column[4];

        for (unsigned i = 0; i < FETCH_ROWS; i++) {
            row[i] = fetch_row(&f, consecutive ? NULL : e->number + lane + i,
                               from + i * f.stride, components, wide);
        }
        from += FETCH_WIDTH * f.stride;
        half[0] = FETCH_LOW(row[0], row[1]);
        half[1] = FETCH_LOW(row[2], row[3]);
        half[2] = FETCH_HIGH(row[0], row[1]);
        half[3] = FETCH_HIGH(row[2], row[3]);
        column[0] = FETCH_FIRST(half[0], half[1]);
        column[1] = FETCH_SECOND(half[0], half[1]);
        column[2] = FETCH_FIRST(half[2], half[3]);
        column[3] = FETCH_SECOND(half[2], half[3]);
        for (unsigned c = components; c < 4; c++) {
            column[c] = (c == 3 ? 1.0f : 0.0f) - (FetchF) { 0 };
        }
        for (unsigned c = 0; c < 4; c++) {
            *(FetchF *)&slot[c].lane[lane] = column[c];
        }
    }
}

static FETCH_INLINE void fetch_components(NV3VpSlot slot[4], const GeomFetch *f,
                                          const GeomElements *e, unsigned lanes,
                                          bool wide, bool consecutive)
{
    switch (f->components + (wide ? 4 : 0)) {
    case 1:
        fetch_all(slot, f, e, lanes, 1, false, consecutive);
        break;
    case 2:
        fetch_all(slot, f, e, lanes, 2, false, consecutive);
        break;
    case 3:
        fetch_all(slot, f, e, lanes, 3, false, consecutive);
        break;
    case 4 + 1:
        fetch_all(slot, f, e, lanes, 1, true, consecutive);
        break;
    case 4 + 2:
        fetch_all(slot, f, e, lanes, 2, true, consecutive);
        break;
    case 4 + 3:
        fetch_all(slot, f, e, lanes, 3, true, consecutive);
        break;
    default:
        fetch_all(slot, f, e, lanes, 4, true, consecutive);
        break;
    }
}

FETCH_TARGET void FETCH_FUNCTION(NV3VpSlot slot[4], const GeomFetch *f,
                                 const GeomElements *e, unsigned lanes, bool wide)
{
    if (e->number) {
        fetch_components(slot, f, e, lanes, wide, false);
    } else {
        fetch_components(slot, f, e, lanes, wide, true);
    }
}
