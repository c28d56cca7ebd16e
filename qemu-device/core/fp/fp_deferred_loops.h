/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the positions and planes of deferred pixels or quads. Compiled once for each
 * SIMD level.
 *
 * A run of the program shades deferred pixels or quads of up to 16 blocks. For each pixel
 * or quad, the tables of NV3FpThread hold the planes of its block.
 */

/* The numbers of a block's pixels, which fp_append_pixels() loads as vectors. */
static const uint8_t fp_numbers[NV3_FP_LANES] __attribute__((aligned(64), unused)) = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
};

/* For each lane, the index of a block in the tables, and a position in this block. */
typedef struct FpDeferredLanes {
    /*
     * With 8 lanes, @index is relative to @first, and fp_make_room() limits its range to
     * 8 blocks. Therefore a lookup is a single permutation.
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

/*
 * Describes the deferred pixels or quads of one vector. @block, @inside: see
 * NV3FpDeferred. @first: block of the first lane.
 */
LANES_INLINE FpDeferredLanes fp_deferred_lanes(LaneI block, LaneI inside, unsigned first)
{
    const unsigned base = LANES == 8 ? first : 0;

    return (FpDeferredLanes) {
        .index = block - (int32_t)base,
        .first = base,
        .column = lane_to_float(inside & 7),
        .row = lane_to_float(inside >> 3),
    };
}

/* For each lane, returns the element of @table for the lane's block. */
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

/* Returns the positions of the lanes in the surface: y << 16 | x. */
LANES_INLINE LaneU fp_deferred_places(const NV3FpThread *t, const FpDeferredLanes *l,
                                      LaneI inside)
{
    return (LaneU)fp_lookup((const float *)t->place, l) +
           (LaneU)((inside & 0x38) << 13 | (inside & 7));
}

/*
 * Returns the byte offsets of positions (y << 16 | x) in a surface. @bytes: size of a
 * pixel.
 */
LANES_INLINE LaneU fp_offsets(LaneU place, uint32_t pitch, unsigned bytes)
{
    return (place >> 16) * pitch + ((place & 0xffff) << bytes / 2);
}

/* Returns true if deferred pixels may be in the block at @x, @y. */
LANES_INLINE bool fp_is_waiting(const NV3FpThread *t, int32_t x, int32_t y)
{
    const LaneI block = lane_isplat(y << 16 | x);
    LaneI found = { 0 };

    for (unsigned i = 0; i < NV3_FP_BLOCKS / LANES; i++) {
        found |= (((const LaneI *)t->place)[i] == block) &
                 (((const LaneI *)t->waits)[i]);
    }
    return t->deferred.count && lane_any(found);
}

static LANES_TARGET void fp_shade_deferred(NV3FpThread *t);

/*
 * Must be called before pixels of block @n are deferred. Shades all deferred pixels if a
 * vector would otherwise contain pixels of two blocks that are too far apart in the
 * tables.
 */
LANES_INLINE void fp_make_room(NV3FpThread *t, unsigned n)
{
    const NV3FpDeferred *d = &t->deferred;

    /* The vector of the next entry begins with d->block[d->count & -LANES]. */
    if (LANES == 8 && d->count % LANES &&
        (n - d->block[d->count & -LANES]) % NV3_FP_BLOCKS >= LANES) {
        fp_shade_deferred(t);
    }
    t->waits[n] = -1;
}
