/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_IMAGE_H
#define NV3_IMAGE_H

#include "rm/nv3_rm_types.h"

void nv3_image_init(struct nv3_rm *rm);
int nv3_image_alloc(struct nv3_channel *chan);
void nv3_image_free(struct nv3_channel *chan);
void nv3_image_apply(struct nv3_channel *chan);
void nv3_image_drop(struct nv3_rm *rm, struct nv3_channel *chan);

#endif
