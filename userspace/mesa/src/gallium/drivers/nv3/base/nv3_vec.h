/* SPDX-License-Identifier: MIT */
/* Vectors of eight floats or integers, as GCC's vector extensions. */
#ifndef NV3_VEC_H
#define NV3_VEC_H

#include <stdint.h>

typedef float nv3_vec __attribute__((vector_size(32), aligned(32)));
typedef int32_t nv3_ivec __attribute__((vector_size(32), aligned(32)));

#define NV3_SOA_ALIGN 8

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
/*
 * Compiles a function for any CPU and for CPUs with AVX2. The loader selects a
 * version.
 */
#define NV3_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define NV3_VECTORS
#endif

#define NV3_SPLAT(x)  ((nv3_vec) { 0 } + (x))
#define NV3_ISPLAT(x) ((nv3_ivec) { 0 } + (x))

/*
 * Selects elements of x or y by a mask. All bits of an element of the mask
 * are equal.
 */
#define NV3_CHOOSE(mask, x, y)                    \
   (((nv3_ivec)(mask) & (nv3_ivec)(x)) |          \
    (~(nv3_ivec)(mask) & (nv3_ivec)(y)))

/* Replaces negative floats by 0. */
#define NV3_POSITIVE(x) ((nv3_ivec)(x) & ~((nv3_ivec)(x) >> 31))

#endif
