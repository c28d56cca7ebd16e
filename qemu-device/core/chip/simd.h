/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which SIMD levels the code of this host may be built for. */
#ifndef NV3_CHIP_SIMD_H
#define NV3_CHIP_SIMD_H

#if defined(__x86_64__)
#define NV3_HAVE_AVX2 1
#endif
/* All Arm64 hosts have NEON; that of 32 bits lacks division and denormals. */
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NV3_HAVE_NEON 1
#endif

#endif
