/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_DEBUG_H
#define NV3_DEBUG_H

struct drm_minor;
struct nv3_rm;
struct seq_file;

/* The hooks that debug/ registers with the resource manager, defined in nv3_coredump.c. */
extern const struct nv3_debug_ops nv3_debug_hooks;

void nv3_debugfs_init(struct drm_minor *minor);
void nv3_rm_debugfs_init(struct drm_minor *minor);
void nv3_freeze_debugfs_init(struct drm_minor *minor);
void nv3_freeze_show(struct nv3_rm *rm, struct seq_file *m);
int nv3_step(struct nv3_rm *rm);
int nv3_switch_test_show(struct nv3_rm *rm, struct seq_file *m);

#endif
