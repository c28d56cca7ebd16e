/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up the planes of deferred pixels or quads. Compiled once for each SIMD level.
 *
 * A run of the program shades deferred pixels or quads of up to 16 triangles, whose
 * planes are in the tables of NV3FpThread.
 */

/* The position of a pixel in a block, as NV3FpDeferred stores it. */
#define FP_INSIDE(n)    ((uint32_t)(n) / 8 << 16 | (n) % 8)

/*
 * For each lane, the index of a triangle in the tables, and the distances from the
 * triangle's reference pixel.
 */
typedef struct FpDeferredLanes {
    /*
     * With 8 lanes, @index is relative to @first, and fp_make_room() limits its range to
     * 8 triangles. Therefore a lookup is a single permutation.
     */
    LaneI index;
    unsigned first;
    LaneF column, row;
} FpDeferredLanes;

/* Loads LANES bytes, and extends them to the lanes of a vector. */
LANES_INLINE LaneI fp_bytes(const uint8_t *from)
{
#if LANES == 16
    return (LaneI)_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)from));
#elif LANES == 8
    return (LaneI)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)from));
#else
    return (LaneI) { from[0], from[1], from[2], from[3] };
#endif
}

/* For each lane, returns the element of @table for the lane's triangle. */
LANES_INLINE LaneF fp_lookup(const float table[NV3_FP_TABLE], const FpDeferredLanes *l)
{
#if LANES == 16
    return (LaneF)_mm512_permutexvar_ps((__m512i)l->index, _mm512_load_ps(table));
#elif LANES == 8
    return (LaneF)_mm256_permutevar8x32_ps(_mm256_loadu_ps(table + l->first),
                                           (__m256i)l->index);
#else
    return (LaneF) { table[l->index[0]], table[l->index[1]], table[l->index[2]],
                     table[l->index[3]] };
#endif
}

/*
 * Describes the deferred pixels or quads of one vector. @place, @triangle: see
 * NV3FpDeferred. @first: triangle of the first lane.
 */
LANES_INLINE FpDeferredLanes fp_deferred_lanes(const NV3FpThread *t, LaneI place,
                                               LaneI triangle, unsigned first)
{
    const unsigned base = LANES == 8 ? first : 0;
    FpDeferredLanes l = { .index = triangle - (int32_t)base, .first = base };

    l.column = lane_to_float(place & 0xffff) - fp_lookup(t->x, &l);
    l.row = lane_to_float(place >> 16) - fp_lookup(t->y, &l);
    return l;
}

/*
 * Returns the byte offsets of positions (y << 16 | x) in a surface. @bytes: size of a
 * pixel.
 */
LANES_INLINE LaneU fp_offsets(LaneU place, uint32_t pitch, unsigned bytes)
{
    return (place >> 16) * pitch + ((place & 0xffff) << bytes / 2);
}

/* Returns the index of position @place in a dither pattern of 8 x 8 pixels. */
LANES_INLINE unsigned fp_dither_index(uint32_t place)
{
    return (place >> 13 & 0x38) | (place & 7);
}

/* Returns true if deferred pixels or quads are in the block at @x, @y. */
LANES_INLINE bool fp_is_waiting(const NV3FpThread *t, int32_t x, int32_t y)
{
    typedef uint16_t Halves __attribute__((vector_size(4 * LANES), may_alias));
    const NV3FpDeferred *d = &t->deferred;
    const Halves block = (Halves)lane_isplat(y << 16 | x);
    LaneI lane, found = { 0 };

    for (unsigned i = 0; i < LANES; i++) {
        lane[i] = i;
    }
    for (unsigned i = 0; i < d->count; i += LANES) {
        const Halves distance = *(const Halves *)&d->place[i] - block;

        found |= ((LaneI)(distance < 8) == -1) & (lane < (int32_t)(d->count - i));
    }
    return lane_any(found);
}

static LANES_TARGET void fp_shade_deferred(NV3FpThread *t);

/*
 * Must be called before pixels of triangle @n are deferred. Shades all deferred pixels if
 * a vector would otherwise contain pixels of two triangles that are too far apart in the
 * tables.
 */
LANES_INLINE void fp_make_room(NV3FpThread *t, unsigned n)
{
    const NV3FpDeferred *d = &t->deferred;

    /* The vector of the next entry begins with d->triangle[d->count & -LANES]. */
    if (LANES == 8 && d->count % LANES &&
        (n - d->triangle[d->count & -LANES]) % NV3_FP_TRIANGLES >= LANES) {
        fp_shade_deferred(t);
    }
}
