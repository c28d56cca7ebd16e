/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The SIMD levels that the compiler supports for this architecture. */
#ifndef NV3_CHIP_SIMD_H
#define NV3_CHIP_SIMD_H

#if defined(__x86_64__)
#define NV3_HAVE_AVX2 1
#endif
/* All Arm64 hosts have NEON. On 32-bit Arm, NEON lacks division and denormals. */
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NV3_HAVE_NEON 1
#endif

#endif
