// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The ioctls of channels
 *
 * The ioctls in this file check the arguments of clients and maintain the table of each file's
 * channels. rm/nv3_channel.c implements the operations.
 */

#include <linux/capability.h>
#include <linux/slab.h>

#include <drm/drm_auth.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "nv3_ioctl.h"
#include "rm/nv3_channel.h"
#include "rm/nv3_rm.h"
#include "vm/nv3_vm.h"

static int nv3_channel_create_check(struct drm_device *drm, struct drm_file *file,
				    const struct drm_nv3_channel_create *args)
{
	if (args->flags & ~DRM_NV3_CHANNEL_LONG_RUNNING) {
		drm_dbg(drm, "channel_create: flags is %#x\n", args->flags);
		return -EINVAL;
	}
	if (args->budget_ms > NV3_HANG_BUDGET_MS) {
		drm_dbg(drm, "channel_create: budget_ms is %u, at most %u\n", args->budget_ms,
			NV3_HANG_BUDGET_MS);
		return -EINVAL;
	}
	if (args->pad) {
		drm_dbg(drm, "channel_create: pad is %#x\n", args->pad);
		return -EINVAL;
	}
	if (args->priority < DRM_NV3_PRIORITY_LOW || args->priority > DRM_NV3_PRIORITY_HIGH) {
		drm_dbg(drm, "channel_create: priority is %d\n", args->priority);
		return -EINVAL;
	}
	if (args->priority > DRM_NV3_PRIORITY_NORMAL && !drm_is_current_master(file) &&
	    !capable(CAP_SYS_NICE)) {
		drm_dbg(drm, "channel_create: priority %d needs CAP_SYS_NICE\n", args->priority);
		return -EPERM;
	}
	switch (args->type) {
	case DRM_NV3_CHANNEL_DMA:
		return 0;
	case DRM_NV3_CHANNEL_PIO:
		if (to_rm(drm)->hooks->pio)
			return 0;
		drm_dbg(drm, "channel_create: built without CONFIG_DRM_NV3_PIO\n");
		return -EOPNOTSUPP;
	default:
		drm_dbg(drm, "channel_create: type is %u\n", args->type);
		return -EINVAL;
	}
}

/**
 * nv3_channel_create_ioctl() - DRM_IOCTL_NV3_CHANNEL_CREATE
 * @drm: the device
 * @data: struct drm_nv3_channel_create
 * @file: the caller's file
 *
 * Context: process context.
 * Return: 0; -EINVAL, -EPERM or -EOPNOTSUPP for invalid arguments; -ENODEV; or an error of
 * nv3_channel_create().
 */
int nv3_channel_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct nv3_file *nv3_file = file->driver_priv;
	struct drm_nv3_channel_create *args = data;
	const struct nv3_pio_ops *pio;
	struct nv3_channel *chan;
	int ret, idx;
	u32 id;

	ret = nv3_channel_create_check(drm, file, args);
	if (ret)
		return ret;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;

	chan = nv3_channel_create(to_rm(drm), args->type, args->flags, file);
	if (IS_ERR(chan)) {
		ret = PTR_ERR(chan);
		goto out;
	}

	chan->budget_ms = args->budget_ms ?: NV3_HANG_BUDGET_MS;
	chan->queue.priority = args->priority;
	pio = nv3_channel_pio_ops(chan);
	args->mmap_offset = pio ? pio->mmap_offset(chan) : 0;

	/*
	 * Another thread of the client may destroy the channel as soon as it has an id, so do not
	 * use @chan afterwards.
	 */
	mutex_lock(&nv3_file->lock);
	ret = xa_alloc(&nv3_file->channels, &id, chan, XA_LIMIT(1, U32_MAX), GFP_KERNEL);
	mutex_unlock(&nv3_file->lock);
	if (ret) {
		nv3_channel_close(chan);
		goto out;
	}

	args->channel = id;

out:
	drm_dev_exit(idx);
	return ret;
}

/**
 * nv3_channel_destroy_ioctl() - DRM_IOCTL_NV3_CHANNEL_DESTROY
 * @drm: the device
 * @data: struct drm_nv3_channel_destroy
 * @file: the caller's file
 *
 * Context: process context.
 * Return: 0, -EINVAL or -ENOENT.
 */
int nv3_channel_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_channel_destroy *args = data;
	struct nv3_file *nv3_file = file->driver_priv;
	struct nv3_channel *chan;

	if (args->pad) {
		drm_dbg(drm, "channel_destroy: pad is %#x\n", args->pad);
		return -EINVAL;
	}

	mutex_lock(&nv3_file->lock);
	chan = xa_erase(&nv3_file->channels, args->channel);
	mutex_unlock(&nv3_file->lock);
	if (!chan) {
		drm_dbg(drm, "channel_destroy: no channel %u\n", args->channel);
		return -ENOENT;
	}

	nv3_channel_close(chan);
	return 0;
}

/**
 * nv3_channel_query_ioctl() - DRM_IOCTL_NV3_CHANNEL_QUERY
 * @drm: the device
 * @data: struct drm_nv3_channel_query
 * @file: the caller's file
 *
 * Context: process context.
 * Return: 0 or -ENOENT.
 */
int nv3_channel_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_channel_query *args = data;
	struct nv3_channel *chan;

	chan = nv3_file_get_channel(file, args->channel);
	if (!chan)
		return -ENOENT;

	spin_lock_irq(&chan->rm->lock);
	args->fault = chan->fault.reason;
	args->subch = chan->fault.subch;
	args->method = chan->fault.mthd;
	args->data = chan->fault.data;
	args->class_id = chan->fault.class_id;
	args->batches = chan->completed;
	spin_unlock_irq(&chan->rm->lock);

	nv3_channel_put(chan);
	return 0;
}

/**
 * nv3_file_open() - &struct drm_driver.open
 * @drm: the device
 * @file: the new file
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int nv3_file_open(struct drm_device *drm, struct drm_file *file)
{
	struct nv3_file *nv3_file;

	nv3_file = kzalloc(sizeof(*nv3_file), GFP_KERNEL);
	if (!nv3_file)
		return -ENOMEM;

	nv3_file->client = nv3_client_create();
	if (!nv3_file->client) {
		kfree(nv3_file);
		return -ENOMEM;
	}

	mutex_init(&nv3_file->lock);
	xa_init_flags(&nv3_file->channels, XA_FLAGS_ALLOC1);
	xa_init_flags(&nv3_file->vms, XA_FLAGS_ALLOC1);
	file->driver_priv = nv3_file;
	return 0;
}

/**
 * nv3_file_postclose() - &struct drm_driver.postclose
 * @drm: the device
 * @file: the file, whose channels are closed and whose address spaces are dropped
 *
 * Context: process context; waits like nv3_channel_stop().
 */
void nv3_file_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct nv3_file *nv3_file = file->driver_priv;
	struct nv3_channel *chan;
	struct nv3_vm *vm;
	unsigned long id;

	xa_for_each(&nv3_file->channels, id, chan)
		nv3_channel_close(chan);
	xa_for_each(&nv3_file->vms, id, vm)
		nv3_vm_put(vm);

	xa_destroy(&nv3_file->channels);
	xa_destroy(&nv3_file->vms);
	mutex_destroy(&nv3_file->lock);
	nv3_client_put(nv3_file->client);
	kfree(nv3_file);
}
