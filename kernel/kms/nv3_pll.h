/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_PLL_H
#define NV3_PLL_H

#include <linux/types.h>

/**
 * struct nv3_pll - setting of a PLL
 * @khz: output frequency in kHz
 * @m: divider
 * @n: multiplier
 * @p: exponent of the output divider: the oscillator's frequency is divided by 2^p
 */
struct nv3_pll {
	u32 khz;
	u8 m;
	u8 n;
	u8 p;
};

/*
 * The range of pixel clocks that the video PLL can generate with either crystal. The generated
 * clock differs from the requested clock by at most half a percent, which is the tolerance of
 * VESA's timings.
 */
#define NV3_VPLL_MIN_KHZ	16100
#define NV3_VPLL_MAX_KHZ	256000

int nv3_pll_compute(u32 crystal_khz, u32 khz, struct nv3_pll *pll);
u32 nv3_pll_value(const struct nv3_pll *pll);

#endif
