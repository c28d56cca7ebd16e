/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_KMS_H
#define NV3_KMS_H

#include "device/nv3_device.h"

struct drm_master;

/* nv3_kms.c */
int nv3_kms_init(struct nv3_device *nv3);
void nv3_kms_quiesce(struct nv3_device *nv3);
void nv3_kms_fini(struct nv3_device *nv3);
void nv3_kms_vblank(struct nv3_device *nv3);

/* nv3_kms_flip.c */
bool nv3_kms_may_flip(struct nv3_device *nv3, struct drm_master *master);
int nv3_kms_flip(struct nv3_device *nv3, u32 fb_id);
void nv3_kms_wait_blanks(struct nv3_device *nv3, u32 count, bool (*wanted)(void *data),
			 void *data);

#endif
