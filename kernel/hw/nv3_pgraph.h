/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_PGRAPH_H
#define NV3_PGRAPH_H

#include "device/nv3_device.h"

/* The number of registers of the drawing state, which is the size of the table in nv3_pgraph.c. */
#define NV3_GRAPH_WORDS		140

/* The number of registers in nv3_graph_state.fetched (nv3_pgraph_fetched_reg()). */
#define NV3_GRAPH_FETCHED	4

struct nv3_graph_state {
	u32 word[NV3_GRAPH_WORDS];
	u32 fetched[NV3_GRAPH_FETCHED];
};

/*
 * All interrupts of PGRAPH except the vertical blank: the interrupts that stop PGRAPH, and the
 * notification interrupt.
 */
#define NV3_RM_PGRAPH_INTR	(NV3_PGRAPH_INTR_ALL & ~NV3_PGRAPH_INTR_VBLANK)

/* PGRAPH_CTX_CONTROL while no channel owns PGRAPH. */
#define NV3_RM_CTX_CONTROL	NV3_PGRAPH_CTX_CONTROL_DEVICE

/*
 * The address of register @i of the drawing state. The registers are numbered in the order in which
 * nv3_pgraph_load() writes them.
 */
u32 nv3_pgraph_reg(unsigned int i);
u32 nv3_pgraph_fetched_reg(unsigned int i);
bool nv3_pgraph_table_is_complete(void);

void nv3_pgraph_init(struct nv3_device *nv3);
unsigned int nv3_pgraph_save(struct nv3_device *nv3, struct nv3_graph_state *state);
unsigned int nv3_pgraph_load(struct nv3_device *nv3, const struct nv3_graph_state *state,
			     const struct nv3_graph_state *old);
void nv3_pgraph_drop_object(struct nv3_device *nv3);
void nv3_pgraph_flush_pdma(struct nv3_device *nv3);

#endif
