/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations that Rankine's vertex engine adds to the operations of NV2A. Their exact
 * results on silicon are not known. EX2, LG2, SIN and COS are computed as power series in
 * doubles, without the host's mathematical library, so that results are the same on every
 * host.
 */
#include <string.h>

#include "vp/vp_float.h"

#define LN2         0.69314718055994530942
#define TWO_PI      6.28318530717958647693
/*
 * Maximum angle in radians. Above it, neighbouring floats differ by more than a
 * revolution.
 */
#define ANGLE_MAX   0x1p30

static float to_float(uint32_t x)
{
    float number;

    memcpy(&number, &x, sizeof(number));
    return number;
}

/* Returns the bit pattern of @number. Denormals become 0, and NaNs become NV3_VP_NAN. */
static uint32_t to_bits(float number)
{
    uint32_t x;

    memcpy(&x, &number, sizeof(x));
    if (nv3_vp_is_nan(x)) {
        return NV3_VP_NAN;
    }
    return nv3_vp_is_zero(x) ? 0 : x;
}

static float floor_of(float x)
{
    float whole;

    if (!(x < 0x1p23f && x > -0x1p23f)) {
        return x;
    }
    whole = (int32_t)x;
    return whole > x ? whole - 1 : whole;
}

static uint32_t raw_bits(float number)
{
    uint32_t x;

    memcpy(&x, &number, sizeof(x));
    return nv3_vp_is_nan(x) ? NV3_VP_NAN : x;
}

uint32_t nv3_vp_floor(uint32_t x)
{
    return raw_bits(floor_of(to_float(x)));
}

uint32_t nv3_vp_fraction(uint32_t x)
{
    float number = to_float(x);

    return raw_bits(number - floor_of(number));
}

uint32_t nv3_vp_ex2(uint32_t x)
{
    float number = to_float(x), whole = floor_of(number);
    double sum = 1, term = 1, fraction = ((double)number - whole) * LN2;
    uint64_t power;
    double scale;

    if (nv3_vp_is_nan(x)) {
        return NV3_VP_NAN;
    }
    if (number >= 128) {
        return NV3_VP_INFINITY;
    }
    if (number < -126) {
        return 0;
    }
    for (int i = 1; i <= 12; i++) {
        term *= fraction / i;
        sum += term;
    }
    power = (uint64_t)(1023 + (int)whole) << 52;
    memcpy(&scale, &power, sizeof(scale));
    return to_bits(sum * scale);
}

uint32_t nv3_vp_lg2(uint32_t x)
{
    int exponent = nv3_vp_exponent(x) - NV3_VP_BIAS;
    double s, square, power, sum = 0;
    float mantissa;

    if (nv3_vp_is_nan(x)) {
        return NV3_VP_NAN;
    }
    if (nv3_vp_is_infinite(x)) {
        return NV3_VP_INFINITY;
    }
    if (nv3_vp_is_zero(x)) {
        return NV3_VP_INFINITY | NV3_VP_SIGN;
    }
    /*
     * For a mantissa from 0.75 to 1.5, the sum below converges fast. For a mantissa of
     * 1, the sum is exactly 0.
     */
    mantissa = to_float((x & NV3_VP_FRACTION) | NV3_VP_ONE);
    if (mantissa >= 1.5f) {
        mantissa *= 0.5f;
        exponent++;
    }
    /* ln(m) = 2 (s + s^3 / 3 + s^5 / 5 ...) with s = (m - 1) / (m + 1) */
    s = (mantissa - 1.0) / (mantissa + 1.0);
    square = s * s;
    power = s;
    for (int i = 1; i <= 21; i += 2) {
        sum += power / i;
        power *= square;
    }
    return to_bits(exponent + 2 * sum / LN2);
}

/* Returns the sine of @x + @quarter * pi / 2. */
static uint32_t sine(uint32_t x, int quarter)
{
    double angle = to_float(x), turns, square, term, sum;

    if (!(angle < ANGLE_MAX && angle > -ANGLE_MAX)) {
        return nv3_vp_is_nan(x) || nv3_vp_is_infinite(x) ? NV3_VP_NAN : 0;
    }
    turns = angle / TWO_PI;
    turns -= (int64_t)turns;
    turns += quarter * 0.25;
    turns -= turns > 0.5 ? 1 : 0;
    turns += turns < -0.5 ? 1 : 0;
    /* Reduce the angle to -pi / 2 to pi / 2, using sin(a) = sin(pi - a). */
    turns = turns > 0.25 ? 0.5 - turns : turns;
    turns = turns < -0.25 ? -0.5 - turns : turns;
    angle = turns * TWO_PI;
    square = angle * angle;
    sum = term = angle;
    for (int i = 2; i <= 18; i += 2) {
        term *= -square / (i * (i + 1));
        sum += term;
    }
    return to_bits(sum);
}

uint32_t nv3_vp_sin(uint32_t x)
{
    return sine(x, 0);
}

uint32_t nv3_vp_cos(uint32_t x)
{
    return sine(x, 1);
}
