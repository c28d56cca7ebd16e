/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exponential, logarithm, sine and cosine of vectors. Their bounds: fp/fp_code.h.
 *
 * The polynomials interpolate at Chebyshev nodes, with coefficients computed in rational
 * arithmetic and rounded to floats.
 */

/*
 * Polynomials by pairs of terms (Estrin's scheme), which the CPU can compute side by side.
 */
#define LANE_POLY1(x, c0, c1)       ((c1) * (x) + (c0))
#define LANE_POLY2(x, c0, c1, c2)   ((c2) * ((x) * (x)) + LANE_POLY1(x, c0, c1))
#define LANE_POLY3(x, x2, c0, c1, c2, c3) \
    (LANE_POLY1(x, c2, c3) * (x2) + LANE_POLY1(x, c0, c1))

/* 2^@x: 2^floor(x) times a polynomial in the fraction; 2^0 is exactly 1. */
LANES_INLINE LaneF lane_ex2(LaneF x)
{
    LaneF bounded = lane_min(lane_max(x, lane_splat(-160)), lane_splat(160));
    LaneF whole = lane_floor(bounded), f = bounded - whole, f2 = f * f, p;
    LaneI e = lane_to_int(whole), half = e >> 1;

    p = LANE_POLY3(f, f2, 0.693147182f, 0.240227208f, 0.0554960221f, 0.0096521955f) +
        LANE_POLY1(f, 0.00126921665f, 0.000208179146f) * (f2 * f2);
    p = p * f + 1.0f;
    /* In two steps, as 2^128 and 2^-149 are no normal numbers. */
    p = p * (LaneF)((half + 127) << 23) * (LaneF)((e - half + 127) << 23);
    return lane_select(x == x, p, x);
}

/* The exponent plus t P(t), with a mantissa of 1 + t from sqrt(1/2) to sqrt(2). */
LANES_INLINE LaneF lane_lg2(LaneF x)
{
    const int32_t sqrt_half = 0x3f3504f3, infinity = 0x7f800000;
    LaneI denormal = x < 0x1p-126f;
    LaneI bits = (LaneI)lane_select(denormal, x * 0x1p23f, x);
    LaneI e = (bits - sqrt_half) >> 23;
    LaneF t = (LaneF)(bits - (e << 23)) - 1.0f, t2 = t * t, t4 = t2 * t2, p;

    p = LANE_POLY3(t, t2, 1.44269502f, -0.721347451f, 0.480910748f, -0.360693276f) +
        (LANE_POLY3(t, t2, 0.287903249f, -0.239169881f, 0.216078222f, -0.205861881f) +
         0.123109683f * t4) * t4;
    p = p * t + lane_to_float(e - (denormal & 23));
    p = lane_select(x == 0.0f, (LaneF)lane_isplat(infinity | INT32_MIN), p);
    /* Negative numbers and NaNs give NaNs, infinity itself. */
    p = lane_select(x >= 0.0f, p, (LaneF)lane_isplat(0x7fc00000));
    return lane_select((LaneI)x == infinity, x, p);
}

/* The sine (@quadrant 0) or the cosine (1) of @x. */
LANES_INLINE LaneF lane_sine(LaneF x, int quadrant)
{
    /* pi / 2 in three parts; products with the first two are exact up to 2^11. */
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
    /* An argument too large to reduce has a result, but no correct digit. */
    q = lane_to_int(lane_max(lane_min(turns, lane_splat(0x1p23f)),
                             lane_splat(-0x1p23f))) + quadrant;
    r = lane_select((q & 1) == 1, c, s);
    r = (LaneF)((LaneI)r ^ ((q & 2) << 30));
    r = lane_select(lane_abs(r) <= 1.0f, r, lane_select(r > 0.0f, lane_splat(1),
                    lane_select(r < 0.0f, lane_splat(-1), r)));
    return r;
}
