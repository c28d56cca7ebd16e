// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: PLLs
 *
 * The oscillator of a PLL runs at crystal * n / m, and the output frequency is the oscillator's
 * frequency divided by 2^p. The ranges of the oscillator and of m are from riva_hw.c of
 * xf86-video-nv. The range of m keeps the frequency of the phase comparator between 1.1 and 1.9
 * MHz.
 */

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "nv3_pll.h"
#include "nv3_regs.h"

#define NV3_VCO_MIN_KHZ		128000
#define NV3_VCO_MAX_KHZ		256000
#define NV3_PLL_P_MAX		3

struct nv3_pll_m_range {
	u32 min;
	u32 max;
};

static struct nv3_pll_m_range nv3_pll_m_range(u32 crystal_khz)
{
	if (crystal_khz == 13500)
		return (struct nv3_pll_m_range){ .min = 7, .max = 12 };

	return (struct nv3_pll_m_range){ .min = 8, .max = 13 };
}

/*
 * Finds the best n for @m and @p, and updates @best if the resulting frequency is nearer to @khz.
 * With the n whose frequency is nearest, the oscillator may leave its range, so n is clamped.
 */
static void nv3_pll_try(u32 crystal_khz, u32 khz, u32 m, u32 p,
			struct nv3_pll *best)
{
	u32 min = DIV_ROUND_UP(NV3_VCO_MIN_KHZ * m, crystal_khz);
	u32 max = min(NV3_VCO_MAX_KHZ * m / crystal_khz, U8_MAX);
	u32 n = DIV_ROUND_CLOSEST((khz << p) * m, crystal_khz);
	u32 made;

	n = clamp(n, min, max);
	made = crystal_khz * n / m >> p;
	if (best->n && abs_diff(made, khz) >= abs_diff(best->khz, khz))
		return;

	*best = (struct nv3_pll){ .khz = made, .m = m, .n = n, .p = p };
}

/**
 * nv3_pll_compute() - find the PLL setting whose frequency is nearest to a requested frequency
 * @crystal_khz: frequency of the crystal in kHz: 13500 or 14318
 * @khz: requested frequency, in kHz
 * @pll: set to the setting
 *
 * Context: any.
 * Return: 0, or -ERANGE if @khz is not between NV3_VPLL_MIN_KHZ and NV3_VPLL_MAX_KHZ.
 */
int nv3_pll_compute(u32 crystal_khz, u32 khz, struct nv3_pll *pll)
{
	const struct nv3_pll_m_range range = nv3_pll_m_range(crystal_khz);
	u32 m, p;

	*pll = (struct nv3_pll){};
	if (khz < NV3_VPLL_MIN_KHZ || khz > NV3_VPLL_MAX_KHZ)
		return -ERANGE;

	for (p = 0; p <= NV3_PLL_P_MAX; p++) {
		for (m = range.min; m <= range.max; m++)
			nv3_pll_try(crystal_khz, khz, m, p, pll);
	}

	return 0;
}

/**
 * nv3_pll_value() - encode a setting for the registers MPLL and VPLL
 * @pll: the setting
 *
 * Context: any.
 * Return: the register's value.
 */
u32 nv3_pll_value(const struct nv3_pll *pll)
{
	return pll->p << NV3_PLL_P_SHIFT | pll->n << NV3_PLL_N_SHIFT | pll->m;
}
