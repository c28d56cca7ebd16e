/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the resource manager for the other folders of the driver. The functions for
 * channels, objects and batches are in other headers. nv3_rm_priv.h declares struct nv3_rm_hooks,
 * through which rm/ calls class/, pio/ and debug/.
 */
#ifndef NV3_RM_H
#define NV3_RM_H

#include <linux/irqreturn.h>
#include <linux/types.h>

#include "nv3_rm_priv.h"

struct drm_file;
struct drm_printer;
struct nv3_channel;
struct nv3_vm;

int nv3_rm_init(struct nv3_device *nv3, const struct nv3_rm_hooks *hooks);
void nv3_rm_fini(struct nv3_device *nv3);
int nv3_rm_wait_idle(struct nv3_device *nv3);
void nv3_rm_quiesce(struct nv3_device *nv3);
int nv3_rm_suspend(struct nv3_device *nv3);
void nv3_rm_resume(struct nv3_device *nv3);

irqreturn_t nv3_rm_irq(struct nv3_device *nv3, u32 pmc_intr);
void nv3_rm_vblank_enable(struct nv3_device *nv3, bool on);

int nv3_rm_getparam(struct nv3_device *nv3, struct drm_file *file, u32 param, u64 *value);
void nv3_rm_show_fdinfo(struct drm_printer *p, struct drm_file *file);

struct nv3_channel *nv3_file_get_channel(struct drm_file *file, u32 id);
struct nv3_vm *nv3_file_get_vm(struct drm_file *file, u32 id);

/* Only for rm/, class/, sw/, pio/ and debug/. */
struct nv3_channel *nv3_rm_get_channel(struct nv3_rm *rm, u32 chid);
void nv3_rm_set_freeze(struct nv3_rm *rm, enum nv3_freeze freeze);
void nv3_rm_reap_all(struct nv3_channel *chan);
void nv3_rm_reap_work(struct work_struct *work);
int nv3_rm_init_sched(struct nv3_channel *chan);

/* nv3_rm_irq.c */
void nv3_rm_irq_init(struct nv3_rm *rm);
void nv3_rm_mask_interrupts(struct nv3_rm *rm);
bool nv3_rm_irq_answer(struct nv3_rm *rm, u32 pmc_intr);

/* nv3_trap.c */
void nv3_trap_pfifo(struct nv3_rm *rm);
void nv3_trap_pgraph(struct nv3_rm *rm, u32 intr);
void nv3_trap_pdma(struct nv3_rm *rm, u32 intr);

#endif
