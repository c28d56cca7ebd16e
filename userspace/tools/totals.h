/* SPDX-License-Identifier: MIT */
/*
 * The work of all clients of an nv3 device. Clients may not see each other's work, so these values
 * are in debugfs, which only root can read.
 */
#ifndef NV3_TOTALS_H
#define NV3_TOTALS_H

#include <stdint.h>

struct nv3_totals {
	uint64_t switches;	/* switches of PFIFO to another channel */
	uint64_t batches;	/* completed batches and PIO timeslices */
};

/*
 * Reads the totals since the driver was loaded. @fd is a DRM file of the device. Returns 0 or a
 * negative errno, which is -EACCES or -ENOENT if the caller can't access debugfs.
 */
int nv3_totals_read(int fd, struct nv3_totals *totals);

#endif
