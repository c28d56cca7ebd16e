/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_FAULT_H
#define NV3_FAULT_H

#include "nv3_channel.h"

void nv3_fault_raise(struct nv3_rm *rm, const struct nv3_fault *fault);
void nv3_fault_blocked(struct nv3_channel *chan, const struct nv3_fault *fault);
void nv3_fault_wedged_work(struct work_struct *work);

/* nv3_rm_irq.c */
bool nv3_rm_irq_service(struct nv3_rm *rm, u32 pmc_intr);

/* nv3_trap.c */
void nv3_trap_pfifo(struct nv3_rm *rm);
void nv3_trap_pgraph(struct nv3_rm *rm, u32 intr);
void nv3_trap_pdma(struct nv3_rm *rm, u32 intr);

#endif
