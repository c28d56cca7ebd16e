// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The ioctls of objects
 *
 * The ioctls in this file check the arguments of clients and resolve conflicts of handles.
 * rm/nv3_object.c implements the operations.
 */

#include <linux/random.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "nv3_ioctl.h"
#include "rm/nv3_channel.h"
#include "rm/nv3_object.h"
#include "rm/nv3_rm.h"

/*
 * Gives the fence object another handle. No batch in flight may use the old handle. Returns -EEXIST
 * if @handle is in use.
 */
static int nv3_object_set_handle(struct nv3_object *obj, u32 handle)
{
	struct nv3_channel *chan = obj->chan;
	int ret;

	if (!handle)
		return -EEXIST;

	ret = xa_insert_irq(&chan->objects, handle, obj, GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret == -EBUSY ? -EEXIST : ret;

	spin_lock_irq(&chan->rm->lock);
	nv3_ramht_remove(&chan->rm->ramht, &obj->key);
	xa_erase(&chan->objects, obj->key.handle);
	obj->key.handle = handle;
	spin_unlock_irq(&chan->rm->lock);

	return 0;
}

/*
 * Gives the fence object a random unused handle. Called if the client has by chance chosen the
 * handle of the fence object for a new object. The client must not learn that the fence object had
 * this handle. The function first waits for batches in flight, because their tails contain the old
 * handle.
 */
static int nv3_object_rename_fence(struct nv3_channel *chan)
{
	int ret;

	ret = nv3_channel_wait_retired(chan, chan->submitted);
	if (ret)
		return ret;

	do {
		ret = nv3_object_set_handle(chan->fence_context.object, get_random_u32());
	} while (ret == -EEXIST);

	return ret;
}

/*
 * Makes a handle available for a new object. If the handle belongs to a destroyed object, the
 * function waits for the batches in flight that may use the object. If the handle belongs to the
 * fence object, the fence object gets another handle. Returns -EEXIST if an existing object of the
 * client has the handle.
 */
static int nv3_object_free_handle(struct nv3_channel *chan, u32 handle)
{
	struct nv3_object *obj;
	bool dying = false;
	u64 last = 0;
	int ret;

	spin_lock_irq(&chan->rm->lock);
	obj = nv3_object_find(chan, handle);
	if (obj) {
		dying = !list_empty(&obj->dying);
		last = obj->last;
	}
	spin_unlock_irq(&chan->rm->lock);

	if (!obj)
		return 0;
	if (obj == chan->fence_context.object)
		return nv3_object_rename_fence(chan);
	if (!dying)
		return -EEXIST;

	ret = nv3_channel_wait_retired(chan, last);
	if (ret)
		return ret;

	nv3_rm_reap_all(chan);
	return 0;
}

static int nv3_object_check(struct drm_device *drm, const struct nv3_class *class,
			    const struct drm_nv3_object_instantiate *args)
{
	if (args->pad) {
		drm_dbg(drm, "object_instantiate: pad is %#llx\n", args->pad);
		return -EINVAL;
	}
	if (!class) {
		drm_dbg(drm, "object_instantiate: no class_id %#x\n", args->class_id);
		return -EINVAL;
	}
	if (!args->name) {
		drm_dbg(drm, "object_instantiate: name is 0\n");
		return -EINVAL;
	}
	if (!args->args_size) {
		drm_dbg(drm, "object_instantiate: args_size is 0\n");
		return -EINVAL;
	}
	return 0;
}

/*
 * Copies the arguments of the class. The client may be older or newer than the driver, so the sizes
 * of the structure may differ (see copy_struct_from_user()).
 */
static int nv3_object_copy_args(struct drm_device *drm, const struct nv3_class *class,
				const struct drm_nv3_object_instantiate *args,
				union nv3_object_args *class_args)
{
	int ret = args->args_size > PAGE_SIZE ? -E2BIG :
		  copy_struct_from_user(class_args, class->args_size,
					u64_to_user_ptr(args->args), args->args_size);

	if (ret)
		drm_dbg(drm, "object_instantiate: args of %u bytes, %s takes %zu: %d\n",
			args->args_size, class->name, class->args_size, ret);
	return ret;
}

/*
 * Returns -EINVAL if methods of the class may block and the channel is not long-running. A batch
 * that waits for another client must not publish a fence, because that client may wait for the
 * fence.
 */
static int nv3_object_check_channel(struct nv3_channel *chan, const struct nv3_class *class)
{
	if (!class->waits || chan->long_running)
		return 0;

	drm_dbg(&chan->rm->nv3->drm,
		"object_instantiate: class %s needs DRM_NV3_CHANNEL_LONG_RUNNING\n", class->name);
	return -EINVAL;
}

static int nv3_object_instantiate(struct nv3_channel *chan, const struct nv3_class *class,
				  struct drm_file *file, u32 handle,
				  const union nv3_object_args *class_args)
{
	const struct nv3_pio_ops *pio = nv3_channel_pio_ops(chan);
	struct nv3_object *obj;
	int ret;

	ret = nv3_object_free_handle(chan, handle);
	if (ret) {
		drm_dbg(&chan->rm->nv3->drm, "object_instantiate: name %#x: %d\n", handle, ret);
		return ret;
	}

	obj = class->create(chan, class, file, class_args);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	/*
	 * Add the handle last, because a PIO client can bind the object as soon as the object has a
	 * handle.
	 */
	ret = pio && class->memory ? pio->add_memory(obj) : 0;
	if (!ret)
		ret = nv3_object_add(obj, handle);
	if (!ret)
		return 0;

	if (pio) {
		spin_lock_irq(&chan->rm->lock);
		pio->remove_memory(obj);
		spin_unlock_irq(&chan->rm->lock);
	}
	nv3_object_put(obj);
	return ret;
}

/*
 * Changes to a PIO channel's objects take effect in its next timeslice, so the function ends the
 * current timeslice.
 */
static void nv3_object_changed(struct nv3_channel *chan)
{
	if (nv3_channel_pio_ops(chan))
		nv3_channel_pio_ops(chan)->end_early(chan);
}

/**
 * nv3_object_instantiate_ioctl() - DRM_IOCTL_NV3_OBJECT_INSTANTIATE
 * @drm: the device
 * @data: struct drm_nv3_object_instantiate
 * @file: the caller's file
 *
 * Context: process context; takes nv3_channel.lock.
 * Return: 0; -EINVAL, -E2BIG, -EEXIST or -ENOENT for invalid arguments; -ENOSPC; -ENOMEM; -ENODEV;
 * or -ERESTARTSYS.
 */
int nv3_object_instantiate_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_object_instantiate *args = data;
	const struct nv3_class *class = nv3_class_find(to_rm(drm), args->class_id);
	union nv3_object_args class_args;
	struct nv3_channel *chan;
	int ret, idx;

	ret = nv3_object_check(drm, class, args);
	if (ret)
		return ret;

	ret = nv3_object_copy_args(drm, class, args, &class_args);
	if (ret)
		return ret;

	chan = nv3_file_get_channel(file, args->channel);
	if (!chan)
		return -ENOENT;

	if (!drm_dev_enter(drm, &idx)) {
		ret = -ENODEV;
		goto out_put;
	}

	ret = mutex_lock_interruptible(&chan->lock);
	if (ret)
		goto out_exit;

	if (chan->closed)
		ret = -ENOENT;
	else
		ret = nv3_object_check_channel(chan, class) ?:
		      nv3_object_instantiate(chan, class, file, args->name, &class_args);
	if (!ret)
		nv3_object_changed(chan);
	mutex_unlock(&chan->lock);

out_exit:
	drm_dev_exit(idx);
out_put:
	nv3_channel_put(chan);
	return ret;
}

static int nv3_object_destroy(struct nv3_channel *chan, u32 handle)
{
	struct nv3_object *obj;
	int ret = 0;

	spin_lock_irq(&chan->rm->lock);
	obj = nv3_object_find(chan, handle);
	if (!obj || obj == chan->fence_context.object || !list_empty(&obj->dying)) {
		ret = -ENOENT;
	} else {
		obj->last = chan->submitted;
		list_add_tail(&obj->dying, &chan->dying);
		if (nv3_object_reap(chan))
			nv3_sched_reap_later(chan);
	}
	spin_unlock_irq(&chan->rm->lock);

	if (ret)
		drm_dbg(&chan->rm->nv3->drm, "object_destroy: no object %#x\n", handle);
	return ret;
}

/**
 * nv3_object_destroy_ioctl() - DRM_IOCTL_NV3_OBJECT_DESTROY
 * @drm: the device
 * @data: struct drm_nv3_object_destroy
 * @file: the caller's file
 *
 * Context: process context; takes nv3_channel.lock.
 * Return: 0, -ENOENT or -ERESTARTSYS.
 */
int nv3_object_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_object_destroy *args = data;
	struct nv3_channel *chan;
	int ret;

	chan = nv3_file_get_channel(file, args->channel);
	if (!chan)
		return -ENOENT;

	ret = mutex_lock_interruptible(&chan->lock);
	if (!ret) {
		ret = nv3_object_destroy(chan, args->name);
		if (!ret)
			nv3_object_changed(chan);
		mutex_unlock(&chan->lock);
	}

	nv3_channel_put(chan);
	return ret;
}
