/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes exponentials, logarithms, sines and cosines of vectors. fp/fp_code.h states
 * the accuracy of the results.
 *
 * The polynomials interpolate these functions at Chebyshev nodes. Their coefficients have
 * been computed in rational arithmetic and rounded to floats.
 */

/*
 * Evaluate polynomials by Estrin's scheme, which lets the CPU compute pairs of terms in
 * parallel.
 */
#define LANE_POLY1(x, c0, c1)       ((c1) * (x) + (c0))
#define LANE_POLY2(x, c0, c1, c2)   ((c2) * ((x) * (x)) + LANE_POLY1(x, c0, c1))
#define LANE_POLY3(x, x2, c0, c1, c2, c3) \
    (LANE_POLY1(x, c2, c3) * (x2) + LANE_POLY1(x, c0, c1))

/*
 * Returns 2^@x, computed as 2^floor(x) times a polynomial in x - floor(x). If @x is 0,
 * the result is exactly 1. If the result would be below 2^-126, or if @x is a NaN, the
 * result is 0.
 */
LANES_INLINE LaneF lane_ex2(LaneF x)
{
    LaneF bounded = lane_min(lane_max(x, lane_splat(-127)), lane_splat(128));
    LaneF whole = lane_floor(bounded), f = bounded - whole, f2 = f * f, p;

    p = LANE_POLY3(f, f2, 0.693147182f, 0.240227208f, 0.0554960221f, 0.0096521955f) +
        LANE_POLY1(f, 0.00126921665f, 0.000208179146f) * (f2 * f2);
    /*
     * The second factor, 2^@whole, is 0 if @whole is -127, and infinity if @whole is 128.
     */
    return (p * f + 1.0f) *
           (LaneF)(((LaneU)lane_to_int(whole) << 23) + (LaneU)lane_splat(1));
}

/*
 * The bits of these floats: the smallest normal number, infinity, a NaN, and the square
 * root of 1/2.
 */
#define LANE_NORMAL_MIN     0x00800000
#define LANE_INFINITY       0x7f800000
#define LANE_NAN            0x7fc00000
#define LANE_SQRT_HALF      0x3f3504f3

/*
 * Returns log2(@x), computed as e + t * P(t), where P is a polynomial and x is
 * 2^e * (1 + t). The mantissa 1 + t is between sqrt(1/2) and sqrt(2). If the magnitude of
 * @x is below 2^-126, @x is treated as 0.
 */
LANES_INLINE LaneF lane_lg2(LaneF x)
{
    LaneI bits = (LaneI)x, e = (LaneI)((LaneU)bits - LANE_SQRT_HALF) >> 23;
    LaneI special = (bits < LANE_NORMAL_MIN) | (bits >= LANE_INFINITY);
    LaneF t = (LaneF)((LaneU)bits - ((LaneU)e << 23)) - 1.0f, t2 = t * t, t4 = t2 * t2, p;

    p = LANE_POLY3(t, t2, 1.44269502f, -0.721347451f, 0.480910748f, -0.360693276f) +
        (LANE_POLY3(t, t2, 0.287903249f, -0.239169881f, 0.216078222f, -0.205861881f) +
         0.123109683f * t4) * t4;
    p = p * t + lane_to_float(e);
    if (lane_any(special)) {
        LaneI small = (bits & INT32_MAX) < LANE_NORMAL_MIN;
        LaneI other = lane_iselect(bits == LANE_INFINITY, bits, lane_isplat(LANE_NAN));

        other = lane_iselect(small, lane_isplat(LANE_INFINITY | INT32_MIN), other);
        p = lane_select(special, (LaneF)other, p);
    }
    return p;
}

/* Returns the sine of @x if @quadrant is 0, and the cosine of @x if @quadrant is 1. */
LANES_INLINE LaneF lane_sine(LaneF x, int quadrant)
{
    /*
     * part1 + part2 + part3 is pi / 2. If @turns does not exceed 2^11, the products
     * turns * part1 and turns * part2 are exact.
     */
    const float part1 = 1.5703125f, part2 = 0.0004838109f, part3 = 1.589325471e-8f;
    LaneF turns = lane_floor(x * 0.636619772f + 0.5f), r, u, s, c;
    LaneI q;

    r = x - turns * part1;
    r = r - turns * part2;
    r = r - turns * part3;
    u = r * r;
    s = r + r * (u * LANE_POLY2(u, -0.166666642f, 0.00833274797f, -0.000195878907f));
    c = (1.0f - 0.5f * u) +
        u * u * LANE_POLY2(u, 0.0416666642f, -0.00138883025f, 2.45479423e-5f);
    /*
     * Clamp @turns, because the conversion of larger values to int32_t is undefined. For
     * such a large @x, no digit of the result is correct anyway.
     */
    q = lane_to_int(lane_max(lane_min(turns, lane_splat(0x1p23f)),
                             lane_splat(-0x1p23f))) + quadrant;
    r = lane_select((q & 1) == 1, c, s);
    r = (LaneF)((LaneI)r ^ ((q & 2) << 30));
    r = lane_select(lane_abs(r) <= 1.0f, r, lane_select(r > 0.0f, lane_splat(1),
                    lane_select(r < 0.0f, lane_splat(-1), r)));
    return r;
}
