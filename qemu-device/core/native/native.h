/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles programs to instructions of the host.
 *
 * The interpreter loads the operands of each operation from memory and stores its results
 * there. Compiled code keeps most values in registers. The results are the same, bit for
 * bit, except for the sign and the payload of a NaN.
 */
#ifndef NV3_NATIVE_H
#define NV3_NATIVE_H

#include "fp/fp_code.h"

/*
 * Compiles sequences of arithmetic operations in @code for draws with SIMD level @level.
 * Other operations, and draws with another level, are still interpreted. If the host is
 * not supported or does not permit executable memory, or if memory is exhausted, draws
 * interpret the whole program. Must be called at most once for @code, before any draw
 * uses @code. nv3_fp_code_free() frees the compiled code.
 */
void nv3_native_compile_fp(NV3FpCode *code, NV3FpLevel level);

#endif
