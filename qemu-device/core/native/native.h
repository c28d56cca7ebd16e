/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles programs to instructions of the host.
 *
 * Interpreted operations exchange their operands through memory. In compiled code, most
 * operands stay in registers. The results are the same, bit for bit, except for the sign
 * and the payload of a NaN.
 */
#ifndef NV3_NATIVE_H
#define NV3_NATIVE_H

#include "fp/fp_code.h"

/*
 * Compiles sequences of arithmetic operations in @code for draws with SIMD level @level.
 * Other operations, and draws with another level, are still interpreted. Does nothing if
 * the host is not supported, or if it has no executable memory. @code must be new.
 */
void nv3_native_compile_fp(NV3FpCode *code, NV3FpLevel level);

#endif
