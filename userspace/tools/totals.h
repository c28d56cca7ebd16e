/* SPDX-License-Identifier: MIT */
/*
 * What all clients of an nv3 have done together. A client may not know that of
 * the others, so it is in debugfs only, for root.
 */
#ifndef NV3_TOTALS_H
#define NV3_TOTALS_H

#include <stdint.h>

struct nv3_totals {
	uint64_t switches;	/* of PFIFO to another channel */
	uint64_t batches;	/* completed, and PIO turns */
};

/*
 * Since the driver was loaded, for the device of the open DRM file @fd. 0, or
 * a negative errno: -EACCES or -ENOENT for who may not read debugfs.
 */
int nv3_totals_read(int fd, struct nv3_totals *totals);

#endif
