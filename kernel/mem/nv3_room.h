/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_ROOM_H
#define NV3_ROOM_H

#include <linux/types.h>

struct nv3_device;

/*
 * Locks and places buffers. If the function fails, it unlocks all of these buffers before it
 * returns. @retry is true if an earlier call has failed.
 */
typedef int (*nv3_room_fn)(void *data, bool retry);

int nv3_room_init(struct nv3_device *nv3);
int nv3_room_place(struct nv3_device *nv3, bool killable, nv3_room_fn place, void *data);
void nv3_room_enter(struct nv3_device *nv3);
void nv3_room_leave(struct nv3_device *nv3);
void nv3_room_pinned(struct nv3_device *nv3);
void nv3_room_unpinned(struct nv3_device *nv3);

#endif
