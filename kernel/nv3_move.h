/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_MOVE_H
#define NV3_MOVE_H

#include <linux/atomic.h>
#include <linux/types.h>

struct nv3_device;
struct seq_file;
struct ttm_buffer_object;
struct ttm_operation_ctx;
struct ttm_place;
struct ttm_resource;

/* Moves that the processor has made: how many, of so many pages, in so many ns. */
struct nv3_moves {
	atomic64_t count;
	atomic64_t pages;
	atomic64_t ns;
};

/* struct ttm_device_funcs' move. */
int nv3_move(struct ttm_buffer_object *tbo, bool evict, struct ttm_operation_ctx *ctx,
	     struct ttm_resource *new_mem, struct ttm_place *hop);
/* The buffer's kernel mapping, if it has one, is not where it is any more. */
void nv3_move_forget_map(struct ttm_buffer_object *tbo);
/* For debugfs: who has moved how much. */
void nv3_move_show(struct nv3_device *nv3, struct seq_file *m);

#endif
