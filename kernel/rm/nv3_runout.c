// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Runout
 *
 * A store to a channel's window that PFIFO can't take at once isn't lost: the chip writes it
 * to RAMRO with the reason, and interrupts. Windows aren't mapped by anyone yet, so an entry
 * there is nobody's method, and all that is left to do is to say so and empty RAMRO.
 */

#include <drm/drm_print.h>

#include "nv3_fault.h"

void nv3_runout(struct nv3_rm *rm, u32 intr)
{
	struct nv3_device *nv3 = rm->nv3;

	lockdep_assert_held(&rm->lock);

	drm_err_ratelimited(&nv3->drm, "stray method in RAMRO%s\n",
			    intr & NV3_PFIFO_INTR_RUNOUT_OVERFLOW ? ", which overflows" : "");
	nv3_wr32(nv3, NV3_PFIFO_RUNOUT_GET, nv3_rd32(nv3, NV3_PFIFO_RUNOUT_PUT));
}
