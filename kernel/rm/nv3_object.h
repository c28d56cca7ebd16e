/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_OBJECT_H
#define NV3_OBJECT_H

#include "nv3_rm_types.h"

const struct nv3_class *nv3_class_find(struct nv3_rm *rm, u32 id);

int nv3_object_init(struct nv3_object *obj, struct nv3_channel *chan,
		    const struct nv3_class *class, u32 inst_size);
void nv3_object_fini(struct nv3_object *obj);
void nv3_object_put(struct nv3_object *obj);
u32 nv3_object_ctx(const struct nv3_object *obj, bool hw);

void nv3_object_init_table(struct nv3_channel *chan);
int nv3_object_add(struct nv3_object *obj, u32 handle);
struct nv3_object *nv3_object_find(struct nv3_channel *chan, u32 handle);
struct nv3_object *nv3_object_find_get(struct nv3_channel *chan, u32 handle,
				       const struct nv3_class *class);
struct nv3_object *nv3_object_find_inst(struct nv3_channel *chan, u32 inst);

bool nv3_object_has_many_dead(struct nv3_channel *chan);
bool nv3_object_reap(struct nv3_channel *chan);
void nv3_object_remove_all(struct nv3_channel *chan);
void nv3_object_wait_destroyed(struct nv3_channel *chan);
void nv3_object_flush_free(struct nv3_rm *rm);
void nv3_object_free_work(struct work_struct *work);

#endif
