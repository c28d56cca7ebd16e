/* SPDX-License-Identifier: MIT */
/*
 * Pushbuffers. A pushbuffer collects the words of a batch in a buffer object in system memory. The
 * buffer object grows up to the kernel's limit for a batch. SUBMIT copies the words, so all batches
 * reuse the buffer object. On a PIO channel, the words are in malloc()ed memory until submit_pio()
 * stores them to the USER aperture.
 *
 * A batch must list the buffers that it accesses. Bindings of subchannels and of surface slots
 * persist between batches. The library therefore lists an object's buffers at the first method on
 * the object in each batch, not when the object is bound.
 *
 * A batch must be submitted before the objects that it uses are destroyed. The pushbuffer therefore
 * keeps a reference to each object that the current batch has unbound, until the batch is
 * submitted.
 */
#include <errno.h>
#include <stdlib.h>

#include "nv3_priv.h"

#define FIRST_WORDS	4096u
/*
 * The kernel's limit for a batch must be at least this number of bytes: a header and NV3_RUN_MAX
 * arguments.
 */
#define MIN_SUBMIT	((NV3_RUN_MAX + 1) * 4u)

/* Size of a hash table from handles to indices in the buffer list */
#define HINTS		256u

struct pushbuf {
	struct nv3_pushbuf base;
	struct nv3_channel *chan;
	struct nv3_bo *bo;
	uint32_t *words;
	uint32_t capacity;		/* words */
	int error;

	struct nv3_object *subch[NV3_SUBCHANNELS];
	struct nv3_object *slots[DRM_NV3_SURFACE_SLOTS];
	struct nv3_object **replaced;	/* objects that this batch has unbound, with references */
	uint32_t replaced_count, replaced_size;

	struct drm_nv3_buffer *buffers;
	struct nv3_bo **bos;		/* buffers whose handles are in @buffers, with references */
	uint32_t buffer_count, buffer_size;
	uint16_t hints[HINTS];

	struct drm_nv3_sync *in;
	uint32_t in_count, in_size;

	uint32_t timeline;
	uint64_t seq;
};

static struct pushbuf *to_pushbuf(struct nv3_pushbuf *push)
{
	return (struct pushbuf *)push;
}

static int fd_of(const struct pushbuf *p)
{
	return p->chan->dev->fd;
}

/* Makes room for another element in an array of *@size elements, of which @count are in use. */
static int grow_array(void **array, uint32_t *size, uint32_t count,
		      size_t element)
{
	uint32_t new_size = *size ? *size * 2 : 16;
	void *grown;

	if (count < *size)
		return 0;
	grown = realloc(*array, new_size * element);
	if (!grown)
		return -ENOMEM;
	*array = grown;
	*size = new_size;
	return 0;
}

static void set_words(struct pushbuf *p, uint32_t *words, uint32_t capacity,
		      uint32_t used)
{
	p->words = words;
	p->capacity = capacity;
	p->base.cur = p->words + used;
	p->base.end = p->words + capacity;
}

static int set_pio_capacity(struct pushbuf *p, uint32_t capacity, uint32_t used)
{
	uint32_t *words = realloc(p->words, capacity * 4ull);

	if (!words)
		return -ENOMEM;
	set_words(p, words, capacity, used);
	return 0;
}

/* Moves the words of a pushbuffer to new memory with room for @capacity words. */
static int set_capacity(struct pushbuf *p, uint32_t capacity)
{
	uint32_t used = p->words ? p->base.cur - p->words : 0;
	struct nv3_bo *bo;
	void *map;
	int ret;

	if (p->chan->aperture)
		return set_pio_capacity(p, capacity, used);
	ret = nv3_bo_new(p->chan->dev, capacity * 4ull, DRM_NV3_GEM_SYSTEM,
			 &bo);
	if (ret)
		return ret;
	ret = nv3_bo_map(bo, &map);
	if (ret) {
		nv3_bo_unref(bo);
		return ret;
	}
	if (used)
		memcpy(map, p->words, used * 4ull);
	nv3_bo_unref(p->bo);
	p->bo = bo;
	set_words(p, map, capacity, used);
	return 0;
}

static void reset(struct pushbuf *p)
{
	uint32_t i;

	for (i = 0; i < p->buffer_count; i++)
		nv3_bo_unref(p->bos[i]);
	for (i = 0; i < p->replaced_count; i++)
		nv3_object_unref(p->replaced[i]);
	p->buffer_count = 0;
	p->replaced_count = 0;
	p->in_count = 0;
	p->base.cur = p->words;
	p->base.current = 0;
}

NV3_EXPORT int nv3_pushbuf_new(struct nv3_channel *chan,
			       struct nv3_pushbuf **out)
{
	uint32_t max = chan->dev->submit_max / 4;
	struct pushbuf *p;
	int ret;

	if (chan->dev->submit_max < MIN_SUBMIT)
		return -ENOTSUP;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->chan = nv3_channel_ref(chan);
	ret = set_capacity(p, max < FIRST_WORDS ? max : FIRST_WORDS);
	if (!ret && drmSyncobjCreate(fd_of(p), 0, &p->timeline))
		ret = -errno;
	if (ret) {
		nv3_pushbuf_del(&p->base);
		return ret;
	}
	*out = &p->base;
	return 0;
}

static void release_all(struct nv3_object **objects, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		nv3_object_unref(objects[i]);
		objects[i] = NULL;
	}
}

static void unbind_all(struct pushbuf *p)
{
	release_all(p->subch, NV3_SUBCHANNELS);
	release_all(p->slots, DRM_NV3_SURFACE_SLOTS);
}

NV3_EXPORT void nv3_pushbuf_del(struct nv3_pushbuf *push)
{
	struct pushbuf *p = to_pushbuf(push);

	if (!p)
		return;
	reset(p);
	unbind_all(p);
	if (p->timeline)
		drmSyncobjDestroy(fd_of(p), p->timeline);
	if (p->chan->aperture)
		free(p->words);
	nv3_bo_unref(p->bo);
	nv3_channel_unref(p->chan);
	free(p->buffers);
	free(p->bos);
	free(p->replaced);
	free(p->in);
	free(p);
}

static void fail(struct pushbuf *p, int error)
{
	if (!p->error)
		p->error = error;
	reset(p);
}

/* Submits the batch. @out and the next point of the timeline signal when the batch is done. */
static int submit_dma(struct pushbuf *p, const struct drm_nv3_sync *out,
		      uint32_t out_count)
{
	struct drm_nv3_segment segment = {
		.handle = p->bo->handle,
		.length = (p->base.cur - p->words) * 4,
	};
	struct drm_nv3_sync own = {
		.handle = p->timeline,
		.point = p->seq + 1,
	};
	struct drm_nv3_sync few[8], *all = few;
	struct drm_nv3_submit req = {
		.channel = p->chan->id,
		.segment_count = 1,
		.segments = (uintptr_t)&segment,
		.buffer_count = p->buffer_count,
		.buffers = (uintptr_t)p->buffers,
		.in_sync_count = p->in_count,
		.in_syncs = (uintptr_t)p->in,
		.out_sync_count = out_count + 1,
		.segment_size = sizeof(struct drm_nv3_segment),
		.buffer_size = sizeof(struct drm_nv3_buffer),
		.sync_size = sizeof(struct drm_nv3_sync),
	};
	int ret;

	if (out_count >= sizeof(few) / sizeof(few[0])) {
		all = malloc((out_count + 1ull) * sizeof(*all));
		if (!all)
			return -ENOMEM;
	}
	if (out_count)
		memcpy(all, out, out_count * sizeof(*out));
	all[out_count] = own;
	req.out_syncs = (uintptr_t)all;

	ret = nv3_ioctl(fd_of(p), DRM_IOCTL_NV3_SUBMIT, &req);
	if (!ret)
		p->seq++;
	if (all != few)
		free(all);
	return ret;
}

/*
 * Returns flags for a wait on the timeline. On a long-running channel, a point may not have a fence
 * yet, so the caller must also wait until the point has a fence.
 */
static uint32_t wait_flags(const struct pushbuf *p)
{
	return p->chan->flags & DRM_NV3_CHANNEL_LONG_RUNNING ?
	       DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT : 0;
}

static int copy_fence(struct pushbuf *p, const struct drm_nv3_sync *out);

/*
 * On a PIO channel, waits for the in syncobjs on the CPU, because the kernel can't delay stores to
 * a USER aperture.
 */
static int wait_for_ins(struct pushbuf *p)
{
	uint32_t i;

	for (i = 0; i < p->in_count; i++) {
		uint32_t handle = p->in[i].handle;
		uint64_t point = p->in[i].point;

		if (drmSyncobjTimelineWait(fd_of(p), &handle, &point, 1,
					   INT64_MAX, 0, NULL))
			return -errno;
	}
	return 0;
}

static void store_words(struct pushbuf *p)
{
	const uint32_t *word = p->words, *end = p->base.cur;
	struct nv3_pio pio = { .aperture = p->chan->aperture };

	while (word < end) {
		uint32_t header = *word++;
		uint32_t count = header >> 18;
		uint32_t subch = header >> 13 & 7;
		uint32_t mthd = header & 0x1ffc;

		for (; count && word < end; count--, mthd += 4)
			nv3_pio_method(&pio, subch, mthd & 0x1ffc, *word++);
	}
}

static int submit_pio(struct pushbuf *p, const struct drm_nv3_sync *out,
		      uint32_t out_count)
{
	struct drm_nv3_sync own = {
		.handle = p->timeline,
		.point = p->seq + 1,
	};
	uint32_t i;
	int ret;

	ret = wait_for_ins(p);
	if (ret)
		return ret;

	pthread_mutex_lock(&p->chan->pio_lock);
	store_words(p);
	ret = nv3_channel_flush(p->chan, &own);
	pthread_mutex_unlock(&p->chan->pio_lock);
	if (ret)
		return ret;

	p->seq++;
	/*
	 * On a long-running channel, the timeline point has no fence until the PIO timeslice ends,
	 * so copy_fence() would block. Pass each syncobj to a separate flush instead.
	 */
	for (i = 0; i < out_count && !ret; i++)
		ret = wait_flags(p) ? nv3_channel_flush(p->chan, &out[i]) :
				      copy_fence(p, &out[i]);
	return ret;
}

static int submit(struct pushbuf *p, const struct drm_nv3_sync *out,
		  uint32_t out_count)
{
	return p->chan->aperture ? submit_pio(p, out, out_count) :
				 submit_dma(p, out, out_count);
}

/* Makes @out signal when the last submitted batch is done, or at once if there is none. */
static int copy_fence(struct pushbuf *p, const struct drm_nv3_sync *out)
{
	uint64_t point = out->point;
	uint32_t handle = out->handle;
	int ret;

	if (p->seq)
		ret = drmSyncobjTransfer(fd_of(p), handle, point, p->timeline,
					 p->seq, wait_flags(p));
	else if (point)
		ret = drmSyncobjTimelineSignal(fd_of(p), &handle, &point, 1);
	else
		ret = drmSyncobjSignal(fd_of(p), &handle, 1);
	return ret ? -errno : 0;
}

NV3_EXPORT int nv3_pushbuf_flush(struct nv3_pushbuf *push,
				 const struct drm_nv3_sync *out,
				 uint32_t out_count)
{
	struct pushbuf *p = to_pushbuf(push);
	int ret = p->error;
	uint32_t i;

	if (!ret && push->cur == p->words) {
		for (i = 0; i < out_count && !ret; i++)
			ret = copy_fence(p, &out[i]);
		return ret;
	}
	if (!ret)
		ret = submit(p, out, out_count);
	reset(p);
	/* The failed batch may contain the methods that bind the current objects. */
	if (ret)
		unbind_all(p);
	p->error = 0;
	return ret;
}

/*
 * Makes room for @words words, which must fit into one batch. Submits the current batch if it has
 * too little room.
 */
static int make_room(struct pushbuf *p, uint32_t words)
{
	uint32_t max = p->chan->dev->submit_max / 4;
	uint32_t used = p->base.cur - p->words;
	uint32_t capacity = p->capacity;
	int ret;

	if (used + words > max) {
		ret = submit(p, NULL, 0);
		reset(p);
		if (ret)
			return ret;
		used = 0;
	}
	while (capacity < used + words)
		capacity *= 2;
	if (capacity > max)
		capacity = max;
	return capacity > p->capacity ? set_capacity(p, capacity) : 0;
}

NV3_EXPORT void nv3_pushbuf_make_room(struct nv3_pushbuf *push, uint32_t words)
{
	struct pushbuf *p = to_pushbuf(push);
	int ret;

	/* After an error, discard the words. nv3_pushbuf_flush() reports the error. */
	if (p->error) {
		reset(p);
		return;
	}
	ret = make_room(p, words);
	if (ret)
		fail(p, ret);
}

NV3_EXPORT int nv3_pushbuf_space(struct nv3_pushbuf *push, uint32_t words)
{
	struct pushbuf *p = to_pushbuf(push);

	if (words > p->chan->dev->submit_max / 4)
		return -E2BIG;
	if (push->end - push->cur < (int64_t)words)
		nv3_pushbuf_make_room(push, words);
	return p->error;
}

NV3_EXPORT int nv3_pushbuf_use(struct nv3_pushbuf *push, struct nv3_bo *bo,
			       uint32_t flags)
{
	struct pushbuf *p = to_pushbuf(push);
	uint16_t *hint = &p->hints[bo->handle % HINTS];
	uint32_t i = *hint, size;
	int ret;

	if (i >= p->buffer_count || p->bos[i] != bo) {
		for (i = 0; i < p->buffer_count && p->bos[i] != bo; i++)
			;
	}
	if (i == p->buffer_count) {
		size = p->buffer_size;
		ret = grow_array((void **)&p->bos, &size, i, sizeof(*p->bos));
		if (!ret)
			ret = grow_array((void **)&p->buffers, &p->buffer_size,
					 i, sizeof(*p->buffers));
		if (ret) {
			fail(p, ret);
			return ret;
		}
		p->bos[i] = nv3_bo_ref(bo);
		p->buffers[i].handle = bo->handle;
		p->buffers[i].flags = 0;
		p->buffer_count++;
	}
	p->buffers[i].flags |= flags;
	*hint = i;
	return 0;
}

NV3_EXPORT void nv3_pushbuf_make_current(struct nv3_pushbuf *push,
					 uint32_t subch)
{
	struct pushbuf *p = to_pushbuf(push);
	struct nv3_object *obj;
	int i;

	push->current |= 1u << subch;
	if (subch >= NV3_SUBCHANNELS || !p->subch[subch])
		return;
	obj = p->subch[subch];
	if (obj->bo)
		nv3_pushbuf_use(push, obj->bo, obj->access);
	for (i = 0; i < NV3_OBJECT_NEEDS; i++) {
		if (obj->needs[i] && obj->needs[i]->bo)
			nv3_pushbuf_use(push, obj->needs[i]->bo,
					obj->needs[i]->access);
	}
	for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
		if (obj->slots & 1u << i && p->slots[i])
			nv3_pushbuf_use(push, p->slots[i]->bo,
					p->slots[i]->access);
	}
}

static void bind(struct pushbuf *p, struct nv3_object **where,
		 struct nv3_object *obj)
{
	int ret;

	if (*where == obj)
		return;
	if (*where) {
		ret = grow_array((void **)&p->replaced, &p->replaced_size,
				 p->replaced_count, sizeof(*p->replaced));
		if (ret) {
			fail(p, ret);
			return;
		}
		p->replaced[p->replaced_count++] = *where;
	}
	*where = nv3_object_ref(obj);
}

NV3_EXPORT int nv3_pushbuf_select(struct nv3_pushbuf *push, uint32_t subch,
				  struct nv3_object *obj)
{
	struct pushbuf *p = to_pushbuf(push);

	if (subch >= NV3_SUBCHANNELS || obj->chan != p->chan)
		return -EINVAL;
	bind(p, &p->subch[subch], obj);
	if (obj->class_id == NV3_CLASS_SURFACE) {
		/*
		 * List the buffers of all objects again, because objects that draw to this slot now
		 * access another buffer.
		 */
		bind(p, &p->slots[obj->slot], obj);
		push->current = 0;
	} else {
		push->current &= ~(1u << subch);
	}
	nv3_push_method(push, subch, NV3_MTHD_OBJECT, obj->name);
	return p->error;
}

NV3_EXPORT int nv3_pushbuf_after(struct nv3_pushbuf *push, uint32_t syncobj,
				 uint64_t point)
{
	struct pushbuf *p = to_pushbuf(push);
	int ret;

	ret = grow_array((void **)&p->in, &p->in_size, p->in_count,
			 sizeof(*p->in));
	if (ret)
		return ret;
	p->in[p->in_count].handle = syncobj;
	p->in[p->in_count].flags = 0;
	p->in[p->in_count].point = point;
	p->in_count++;
	return 0;
}

NV3_EXPORT uint32_t nv3_pushbuf_words(const struct nv3_pushbuf *push)
{
	return push->cur - ((const struct pushbuf *)push)->words;
}

NV3_EXPORT uint64_t nv3_pushbuf_seq(const struct nv3_pushbuf *push)
{
	return ((const struct pushbuf *)push)->seq;
}

NV3_EXPORT uint32_t nv3_pushbuf_timeline(const struct nv3_pushbuf *push)
{
	return ((const struct pushbuf *)push)->timeline;
}

NV3_EXPORT int nv3_pushbuf_wait(struct nv3_pushbuf *push, uint64_t seq,
				int64_t timeout_ns)
{
	struct pushbuf *p = to_pushbuf(push);

	if (!seq)
		return 0;
	if (seq > p->seq)
		return -EINVAL;
	if (drmSyncobjTimelineWait(fd_of(p), &p->timeline, &seq, 1,
				   nv3_deadline(timeout_ns), wait_flags(p),
				   NULL))
		return -errno;
	return 0;
}
