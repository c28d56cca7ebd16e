/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_BOUNCE_H
#define NV3_BOUNCE_H

#include <linux/types.h>

struct nv3_bo;
struct nv3_job;

/* A buffer of a batch that the chip sees a copy of. */
struct nv3_bounce {
	struct nv3_bo *bo;
	bool write;
};

int nv3_bounce_add(struct nv3_job *job, struct nv3_bo *bo, bool write);
int nv3_bounce_order(struct nv3_job *job);
void nv3_bounce_out(struct nv3_job *job);
bool nv3_bounce_in(struct nv3_job *job);

#endif
