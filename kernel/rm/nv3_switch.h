/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_SWITCH_H
#define NV3_SWITCH_H

#include "nv3_rm_priv.h"

struct nv3_channel;
struct seq_file;
struct nv3_job;
struct nv3_object;

/* nv3_switch.c */
void nv3_switch_init(struct nv3_rm *rm);
void nv3_switch_fini(struct nv3_rm *rm);
void nv3_switch_go(struct nv3_rm *rm);
void nv3_switch_pfifo(struct nv3_channel *chan);
void nv3_switch_pgraph(struct nv3_channel *chan);
void nv3_switch_start(struct nv3_job *job);
void nv3_switch_abort(struct nv3_rm *rm);
void nv3_switch_reset(struct nv3_rm *rm);
void nv3_switch_bindings(struct nv3_channel *chan, u32 ctx[NV3_PFIFO_CACHE1_CTX_COUNT]);
void nv3_switch_unbind(struct nv3_channel *chan, struct nv3_object *obj,
		       u32 ctx[NV3_PFIFO_CACHE1_CTX_COUNT]);
void nv3_switch_refetch(struct nv3_channel *chan);
void nv3_switch_disown(struct nv3_channel *chan);
void nv3_switch_flush_pdma(struct nv3_rm *rm);
void nv3_switch_enable_intr(struct nv3_rm *rm);
int nv3_switch_show(struct nv3_rm *rm, struct seq_file *m);
void nv3_switch_dump(struct nv3_channel *chan, void (*add)(void *data, u32 reg, u32 val),
		     void *data);
bool nv3_switch_idle(struct nv3_rm *rm);
u64 nv3_switch_progress(struct nv3_rm *rm);

/* nv3_ramfc.c */
void nv3_ramfc_clear(struct nv3_channel *chan);
void nv3_ramfc_save(struct nv3_channel *chan);
void nv3_ramfc_load(struct nv3_channel *chan);
u32 nv3_ramfc_get(struct nv3_channel *chan, unsigned int subch);
void nv3_ramfc_set(struct nv3_channel *chan, unsigned int subch, u32 ctx);

#endif
