// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Flips, a software class
 *
 * The methods of a flip object wait for the display. The argument of WAIT is a number of vertical
 * blanks. WAIT blocks the channel until this number of vertical blanks has begun. The argument of
 * FLIP is the id of a frame buffer. FLIP blocks the channel until this frame buffer, which contains
 * the results of all methods before FLIP, is on the screen. Methods after FLIP can draw to the
 * previous frame buffer, which is no longer visible. While the channel is blocked, other channels
 * can use the chip. A flip takes sleeping locks, so a worker executes the methods.
 *
 * A client can destroy the object or the channel without waiting for the display: the queued work
 * holds references to both. If the client exits or the channel faults during a WAIT, the work ends
 * at the next vertical blank.
 *
 * Every client may wait for a vertical blank, as with DRM_IOCTL_WAIT_VBLANK. A client may flip
 * under the rules of KMS: it must be the DRM master, or have a DRM lease of the CRTC and the plane.
 * The driver checks this rule when a file creates the object, and again at each FLIP
 * (nv3_kms_may_flip()), because a master may drop its rights and a DRM lease may be revoked. An
 * object that was created before its file became DRM master can't flip, so the client must create
 * another object.
 */

#include <linux/slab.h>

#include <drm/drm_auth.h>
#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "class/nv3_classes.h"
#include "kms/nv3_kms.h"
#include "nv3_class.h"
#include "rm/nv3_sched.h"
#include "rm/nv3_job.h"

/*
 * The maximum argument of WAIT (the number of vertical blanks in one second at 60 Hz), and the time
 * limit of WAIT and FLIP.
 */
#define NV3_FLIP_WAIT_MAX	60
#define NV3_FLIP_TIMEOUT_MS	3000

enum nv3_flip_state {
	NV3_FLIP_IDLE,
	NV3_FLIP_UNDER_WAY,
	NV3_FLIP_DONE,
};

struct nv3_flip {
	struct nv3_object base;
	/** @master: the DRM master whose rights the object uses to flip, or NULL */
	struct drm_master *master;
	/**
	 * @state: the progress of the method that blocks the channel. nv3_rm.lock guards @state and
	 * @result
	 */
	enum nv3_flip_state state;
	u32 mthd;
	u32 data;
	u32 result;
	struct work_struct work;
};

static inline struct nv3_flip *to_flip(struct nv3_object *obj)
{
	return container_of(obj, struct nv3_flip, base);
}

/* Returns DRM_NV3_FAULT_*. */
static u32 nv3_flip_show(struct nv3_flip *flip)
{
	struct nv3_device *nv3 = flip->base.chan->rm->nv3;
	int ret;

	if (!nv3_kms_may_flip(nv3, flip->master)) {
		drm_dbg(&nv3->drm, "flip: the client is not the DRM master\n");
		return DRM_NV3_FAULT_DENIED;
	}

	ret = nv3_kms_flip(nv3, flip->data);
	if (ret)
		drm_dbg(&nv3->drm, "flip: frame buffer %u: %d\n", flip->data, ret);
	return ret ? DRM_NV3_FAULT_DATA : DRM_NV3_FAULT_NONE;
}

/* Returns true if a method of this object still blocks the channel. */
static bool nv3_flip_is_awaited(void *data)
{
	struct nv3_flip *flip = data;
	struct nv3_channel *chan = flip->base.chan;
	bool awaited;

	spin_lock_irq(&chan->rm->lock);
	awaited = chan->queue.waits == &flip->base;
	spin_unlock_irq(&chan->rm->lock);

	return awaited;
}

/*
 * Executes the method. Returns DRM_NV3_FAULT_*. WAIT may take a second and must not delay an
 * unplug, so it runs outside drm_dev_enter().
 */
static u32 nv3_flip_execute(struct nv3_flip *flip)
{
	struct nv3_device *nv3 = flip->base.chan->rm->nv3;
	u32 result;
	int idx;

	if (flip->mthd == NV3_FLIP_WAIT) {
		nv3_kms_wait_blanks(nv3, flip->data, nv3_flip_is_awaited, flip);
		return DRM_NV3_FAULT_NONE;
	}
	if (!drm_dev_enter(&nv3->drm, &idx))
		return DRM_NV3_FAULT_NONE;
	result = nv3_flip_show(flip);
	drm_dev_exit(idx);
	return result;
}

static void nv3_flip_work(struct work_struct *work)
{
	struct nv3_flip *flip = container_of(work, struct nv3_flip, work);
	struct nv3_channel *chan = flip->base.chan;
	u32 result = nv3_flip_execute(flip);
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	flip->state = NV3_FLIP_DONE;
	flip->result = result;
	if (chan->queue.waits == &flip->base)
		nv3_sched_wake(chan);
	nv3_rm_unlock(chan->rm, flags);

	nv3_object_put(&flip->base);
	nv3_channel_put(chan);
}

/*
 * Executes a method in two calls. The first call queues the work and blocks the channel. When the
 * work has ended, the method traps again, and the second call returns the result.
 */
static u32 nv3_flip_wait(struct nv3_flip *flip, u32 mthd, u32 data)
{
	if (flip->state == NV3_FLIP_DONE) {
		flip->state = NV3_FLIP_IDLE;
		return flip->result;
	}

	if (flip->state == NV3_FLIP_IDLE) {
		flip->state = NV3_FLIP_UNDER_WAY;
		flip->mthd = mthd;
		flip->data = data;
		nv3_channel_get(flip->base.chan);
		nv3_object_get(&flip->base);
		queue_work(flip->base.chan->rm->flip_wq, &flip->work);
	}
	return nv3_sched_block(flip->base.chan, &flip->base, NV3_FLIP_TIMEOUT_MS);
}

static u32 nv3_flip_method(struct nv3_object *obj, u32 subch, u32 mthd, u32 data)
{
	switch (mthd) {
	case NV3_FLIP_WAIT:
		if (data > NV3_FLIP_WAIT_MAX)
			return DRM_NV3_FAULT_DATA;
		return data ? nv3_flip_wait(to_flip(obj), mthd, data) : DRM_NV3_FAULT_NONE;
	case NV3_FLIP_FLIP:
		return nv3_flip_wait(to_flip(obj), mthd, data);
	default:
		return DRM_NV3_FAULT_METHOD;
	}
}

static struct nv3_object *nv3_flip_create(struct nv3_channel *chan, const struct nv3_class *class,
					  struct drm_file *file,
					  const union nv3_object_args *args)
{
	struct nv3_flip *flip;

	if (args->flip.flags || args->flip.pad) {
		drm_dbg(&chan->rm->nv3->drm, "flip: flags is %#x, pad %#x\n", args->flip.flags,
			args->flip.pad);
		return ERR_PTR(-EINVAL);
	}

	flip = kzalloc(sizeof(*flip), GFP_KERNEL_ACCOUNT);
	if (!flip)
		return ERR_PTR(-ENOMEM);

	/* The object needs no instance memory, so nv3_object_init() can't fail. */
	nv3_object_init(&flip->base, chan, class, 0);
	flip->base.key.ctx = nv3_object_ctx(&flip->base, false);
	INIT_WORK(&flip->work, nv3_flip_work);
	if (drm_is_current_master(file))
		flip->master = drm_file_get_master(file);
	return &flip->base;
}

static void nv3_flip_destroy(struct nv3_object *obj)
{
	struct nv3_flip *flip = to_flip(obj);

	if (flip->master)
		drm_master_put(&flip->master);
	nv3_object_fini(obj);
	kfree(flip);
}

const struct nv3_class nv3_class_flip = {
	.id = DRM_NV3_CLASS_FLIP,
	.name = "flip",
	.waits = true,
	.args_size = sizeof(struct drm_nv3_flip_args),
	.create = nv3_flip_create,
	.destroy = nv3_flip_destroy,
	.method = nv3_flip_method,
};
