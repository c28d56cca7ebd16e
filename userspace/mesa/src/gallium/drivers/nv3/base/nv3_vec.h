/* SPDX-License-Identifier: MIT */
#ifndef NV3_VEC_H
#define NV3_VEC_H

#include <stdint.h>

/* Eight floats or whole numbers at once, in the compiler's terms. */
typedef float nv3_vec __attribute__((vector_size(32), aligned(32)));
typedef int32_t nv3_ivec __attribute__((vector_size(32), aligned(32)));

#define NV3_SOA_ALIGN 8

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
/* One build for any CPU, and one for those with vectors of 32 bytes. */
#define NV3_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define NV3_VECTORS
#endif

#define NV3_SPLAT(x)  ((nv3_vec) { 0 } + (x))
#define NV3_ISPLAT(x) ((nv3_ivec) { 0 } + (x))

/* By a mask, of all bits or none in each place. */
#define NV3_CHOOSE(mask, x, y)                    \
   (((nv3_ivec)(mask) & (nv3_ivec)(x)) |          \
    (~(nv3_ivec)(mask) & (nv3_ivec)(y)))

/* Nought instead of what is negative, as bits. */
#define NV3_POSITIVE(x) ((nv3_ivec)(x) & ~((nv3_ivec)(x) >> 31))

#endif
