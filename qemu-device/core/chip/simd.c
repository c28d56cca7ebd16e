/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the SIMD levels, and detects the levels that the host supports. */
#include <string.h>

#include "chip/simd.h"
#include "api/nv3.h"

static const char *const names[NV3_SIMD_COUNT] = {
    [NV3_SIMD_AUTO] = "auto",
    [NV3_SIMD_SCALAR] = "scalar",
    [NV3_SIMD_NEON] = "neon",
    [NV3_SIMD_AVX2] = "avx2",
    [NV3_SIMD_AVX512] = "avx512",
    [NV3_SIMD_AVX512_VBMI2] = "avx512vbmi2",
};

const char *nv3_simd_name(NV3Simd simd)
{
    return names[simd];
}

bool nv3_simd_by_name(const char *name, NV3Simd *simd)
{
    for (unsigned i = 0; i < NV3_SIMD_COUNT; i++) {
        if (!strcmp(name, names[i])) {
            *simd = i;
            return true;
        }
    }
    return false;
}

bool nv3_simd_available(NV3Simd simd)
{
    switch (simd) {
    case NV3_SIMD_AUTO:
    case NV3_SIMD_SCALAR:
        return true;
#ifdef NV3_HAVE_NEON
    case NV3_SIMD_NEON:
        return true;
#endif
#ifdef NV3_HAVE_AVX2
    case NV3_SIMD_AVX2:
        return __builtin_cpu_supports("avx2");
    case NV3_SIMD_AVX512:
        return nv3_simd_available(NV3_SIMD_AVX2) &&
               __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    case NV3_SIMD_AVX512_VBMI2:
        return nv3_simd_available(NV3_SIMD_AVX512) &&
               __builtin_cpu_supports("avx512vbmi2");
#endif
    default:
        return false;
    }
}

NV3Simd nv3_simd_select(NV3Simd allowed)
{
    NV3Simd simd = allowed == NV3_SIMD_AUTO ? NV3_SIMD_COUNT - 1 : allowed;

    while (!nv3_simd_available(simd)) {
        simd--;
    }
    return simd;
}
