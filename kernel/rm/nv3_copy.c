// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Copies for the kernel
 *
 * Buffers move between VRAM and system memory, and the chip has a class for that: M2MF, which
 * copies lines from one DMA object to another. The kernel uses it as a client would, with a
 * channel and an object of its own. What a client has not are its two windows: DMA objects
 * whose page tables are written anew for each copy, when it is its turn and no other runs.
 *
 * A copy is asked for with the buffer's reservation held, and is over when its fence has
 * signalled; copies of the one channel are made in the order in which they were asked for. The
 * chip can be lost before it comes to one: it is unbound, or the channel faults. Nobody
 * who waits for the fence could do anything about that, so the processor makes the copy, in the
 * same order, before the fence signals. From then on there is no channel to ask.
 */

#include <linux/dma-fence.h>
#include <linux/dma-mapping.h>
#include <linux/highmem.h>
#include <linux/io.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <drm/drm_print.h>
#include <drm/ttm/ttm_tt.h>

#include "nv3_channel.h"
#include "nv3_class.h"
#include "nv3_copy.h"
#include "nv3_job.h"
#include "nv3_object.h"

#define NV3_COPY_SUBCH		0
#define NV3_COPY_NAME		1	/* the only one in its channel, but for the fence's */

/* LINE_COUNT has 11 bits, and a page is a line. */
#define NV3_COPY_PAGES_MAX	0x7ffu

#define NV3_COPY_WORDS		11

/* The M2MF object, with the windows that it copies through. */
struct nv3_copy_object {
	struct nv3_object base;
	struct nv3_ramin in;
	struct nv3_ramin out;
};

static struct nv3_copy_object *to_copy_object(struct nv3_object *obj)
{
	return container_of(obj, struct nv3_copy_object, base);
}

static unsigned int nv3_copy_window_pages(struct nv3_rm *rm)
{
	return rm->nv3->vram_available >> PAGE_SHIFT;
}

static void nv3_copy_object_write(struct nv3_object *obj)
{
	struct nv3_copy_object *copier = to_copy_object(obj);
	struct nv3_device *nv3 = obj->chan->rm->nv3;
	u32 addr = nv3_ramin_addr(&obj->inst);

	nv3_ramin_wr32(nv3, addr + NV3_GROBJ_OPTIONS, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT);
	nv3_ramin_wr32(nv3, addr + NV3_GROBJ_DMA, nv3_ramin_inst(&copier->in));
	nv3_ramin_wr32(nv3, addr + NV3_GROBJ_M2MF, nv3_ramin_inst(&copier->out));
}

static void nv3_copy_object_destroy(struct nv3_object *obj)
{
	struct nv3_copy_object *copier = to_copy_object(obj);
	struct nv3_rm *rm = obj->chan->rm;

	nv3_ramin_free(rm, &copier->in);
	nv3_ramin_free(rm, &copier->out);
	nv3_object_fini(obj);
	kfree(copier);
}

/* Not in the table of classes: clients have nv3_class_m2mf. */
static const struct nv3_class nv3_class_copy = {
	.id = NV3_CLASS_M2MF,
	.name = "copy",
	.write = nv3_copy_object_write,
	.destroy = nv3_copy_object_destroy,
};

static struct nv3_object *nv3_copy_object_create(struct nv3_channel *chan)
{
	const u32 size = NV3_DMAOBJ_PTE(nv3_copy_window_pages(chan->rm));
	struct nv3_copy_object *copier;
	int ret;

	copier = kzalloc(sizeof(*copier), GFP_KERNEL);
	if (!copier)
		return ERR_PTR(-ENOMEM);

	ret = nv3_object_init(&copier->base, chan, &nv3_class_copy, NV3_GROBJ_SIZE);
	if (ret)
		goto err_free;
	ret = nv3_ramin_alloc(chan->rm, &copier->in, size);
	if (ret)
		goto err_object;
	ret = nv3_ramin_alloc(chan->rm, &copier->out, size);
	if (ret)
		goto err_in;

	copier->base.ctx = nv3_object_ctx(&copier->base, true);
	nv3_copy_object_write(&copier->base);
	return &copier->base;

err_in:
	nv3_ramin_free(chan->rm, &copier->in);
err_object:
	nv3_object_fini(&copier->base);
err_free:
	kfree(copier);
	return ERR_PTR(ret);
}

/* ---- the windows ---- */

static void nv3_copy_open_linear(struct nv3_rm *rm, u32 window, u32 target, u32 start, u32 pages)
{
	nv3_ramin_wr32(rm->nv3, window + NV3_DMAOBJ_FLAGS, target << NV3_DMAOBJ_TARGET_SHIFT);
	nv3_ramin_wr32(rm->nv3, window + NV3_DMAOBJ_LIMIT, (pages << PAGE_SHIFT) - 1);
	nv3_ramin_wr32(rm->nv3, window + NV3_DMAOBJ_PTE(0),
		       start | NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE);
}

static void nv3_copy_open_pages(struct nv3_rm *rm, u32 window, const struct nv3_copy *copy)
{
	unsigned int i;

	nv3_ramin_wr32(rm->nv3, window + NV3_DMAOBJ_FLAGS,
		       NV3_DMAOBJ_PAGED | NV3_DMAOBJ_TARGET_PCI << NV3_DMAOBJ_TARGET_SHIFT);
	nv3_ramin_wr32(rm->nv3, window + NV3_DMAOBJ_LIMIT, (copy->pages << PAGE_SHIFT) - 1);
	for (i = 0; i < copy->pages; i++)
		nv3_ramin_wr32(rm->nv3, window + NV3_DMAOBJ_PTE(i),
			       lower_32_bits(copy->tt->dma_address[i]) |
			       NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE);
}

/* Those of one allocation often are, and then need no table. */
static bool nv3_copy_in_a_row(const struct nv3_copy *copy)
{
	const dma_addr_t *dma = copy->tt->dma_address;
	unsigned int i;

	for (i = 1; i < copy->pages; i++)
		if (dma[i] != dma[0] + ((dma_addr_t)i << PAGE_SHIFT))
			return false;
	return true;
}

static void nv3_copy_open_system(struct nv3_rm *rm, u32 window, const struct nv3_copy *copy)
{
	if (!copy->tt)
		nv3_copy_open_linear(rm, window, NV3_DMAOBJ_TARGET_PCI, rm->copier.zeroes_dma, 1);
	else if (nv3_copy_in_a_row(copy))
		nv3_copy_open_linear(rm, window, NV3_DMAOBJ_TARGET_PCI,
				     lower_32_bits(copy->tt->dma_address[0]), copy->pages);
	else
		nv3_copy_open_pages(rm, window, copy);
}

/* The copy's batch is about to start, and none runs: the windows become its own. */
void nv3_copy_begin(struct nv3_channel *chan, struct nv3_copy *copy)
{
	struct nv3_copy_object *copier = to_copy_object(nv3_object_find(chan, NV3_COPY_NAME));
	struct nv3_rm *rm = chan->rm;
	u32 in = nv3_ramin_addr(&copier->in), out = nv3_ramin_addr(&copier->out);

	lockdep_assert_held(&rm->lock);

	nv3_copy_open_linear(rm, copy->to_vram ? out : in, NV3_DMAOBJ_TARGET_VRAM, copy->vram,
			     copy->pages);
	nv3_copy_open_system(rm, copy->to_vram ? in : out, copy);
	nv3_switch_flush_pdma(rm);
}

/* ---- the batch ---- */

static void nv3_copy_words(const struct nv3_copy *copy, __le32 *words)
{
	const u32 list[NV3_COPY_WORDS] = {
		NV3_PUSH_HDR(NV3_COPY_SUBCH, NV3_MTHD_OBJECT, 1), NV3_COPY_NAME,
		NV3_PUSH_HDR(NV3_COPY_SUBCH, NV3_M2MF_OFFSET_IN, 8),
		0, 0,				/* offsets */
		copy->tt ? PAGE_SIZE : 0,	/* pitches: the one page of zeroes again */
		PAGE_SIZE,
		PAGE_SIZE, copy->pages,		/* bytes a line, lines */
		1 << 8 | 1,			/* byte after byte */
		0,				/* go */
	};
	unsigned int i;

	for (i = 0; i < NV3_COPY_WORDS; i++)
		words[i] = cpu_to_le32(list[i]);
}

static void nv3_copy_write_batch(struct nv3_job *job)
{
	const u32 size = (NV3_COPY_WORDS + NV3_NOTIFIER_TAIL) * sizeof(u32);
	struct nv3_channel *chan = job->chan;
	__le32 *words;

	wait_event(chan->retire_wait, nv3_ring_take(&chan->ring, size, &job->span));
	words = nv3_ring_cpu(&chan->ring, &job->span);
	nv3_copy_words(job->copy, words);
	nv3_notifier_tail(chan, words + NV3_COPY_WORDS);
	nv3_ring_flush(chan->rm, &chan->ring, &job->span);
}

static const char *nv3_copy_driver_name(struct dma_fence *fence)
{
	return NV3_DRIVER_NAME;
}

static const char *nv3_copy_timeline_name(struct dma_fence *fence)
{
	return "copy";
}

static const struct dma_fence_ops nv3_copy_fence_ops = {
	.get_driver_name = nv3_copy_driver_name,
	.get_timeline_name = nv3_copy_timeline_name,
};

/* ---- the end ---- */

/* By the processor, page by page, and without memory to be had: a fence waits for it. */
static void nv3_copy_by_cpu(struct nv3_copy *copy)
{
	void __iomem *vram = copy->rm->nv3->vram + copy->vram;
	unsigned int i;

	for (i = 0; i < copy->pages; i++, vram += PAGE_SIZE) {
		void *page;

		if (!copy->tt) {
			memset_io(vram, 0, PAGE_SIZE);
			continue;
		}
		page = kmap_local_page(copy->tt->pages[i]);
		if (copy->to_vram)
			memcpy_toio(vram, page, PAGE_SIZE);
		else
			memcpy_fromio(page, vram, PAGE_SIZE);
		kunmap_local(page);
	}
}

static void nv3_copy_signal(struct nv3_copy *copy)
{
	dma_fence_signal(&copy->base);
	dma_fence_put(&copy->base);
}

static struct nv3_copy *nv3_copy_next_failed(struct nv3_copier *copier)
{
	struct nv3_copy *copy;

	spin_lock_irq(&copier->done_lock);
	copy = list_first_entry_or_null(&copier->failed, struct nv3_copy, link);
	if (copy) {
		list_del(&copy->link);
		copier->rescues++;
	}
	spin_unlock_irq(&copier->done_lock);

	return copy;
}

static void nv3_copy_work(struct work_struct *work)
{
	struct nv3_copier *copier = container_of(work, struct nv3_copier, work);
	bool cookie = dma_fence_begin_signalling();
	struct nv3_copy *copy;

	while ((copy = nv3_copy_next_failed(copier))) {
		nv3_copy_by_cpu(copy);
		nv3_copy_signal(copy);
	}
	dma_fence_end_signalling(cookie);
}

/* Any context. Once one has failed, so do all after it: the channel has faulted. */
void nv3_copy_job_done(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct nv3_copy *copy = container_of(cb, struct nv3_copy, job_done);
	struct nv3_copier *copier = &copy->rm->copier;
	const bool failed = fence->error;
	unsigned long flags;

	spin_lock_irqsave(&copier->done_lock, flags);
	if (failed) {
		list_add_tail(&copy->link, &copier->failed);
	} else {
		copier->copies++;
		copier->pages += copy->pages;
		copier->ns += ktime_to_ns(ktime_sub(ktime_get(), copy->asked));
	}
	spin_unlock_irqrestore(&copier->done_lock, flags);

	if (failed)
		queue_work(copy->rm->signal_wq, &copier->work);
	else
		nv3_copy_signal(copy);
}

/* ---- asking for it ---- */

struct nv3_copy *nv3_copy_alloc(struct nv3_rm *rm, u32 vram, struct ttm_tt *tt,
				unsigned int pages, bool to_vram)
{
	struct nv3_copier *copier = &rm->copier;
	struct nv3_copy *copy;

	copy = kzalloc(sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return NULL;

	spin_lock_init(&copy->lock);
	copy->rm = rm;
	copy->vram = vram;
	copy->tt = tt;
	copy->pages = pages;
	copy->to_vram = to_vram;
	copy->asked = ktime_get();
	dma_fence_init(&copy->base, &nv3_copy_fence_ops, &copy->lock, copier->context,
		       ++copier->seqno);
	return copy;
}

static struct nv3_job *nv3_copy_job_alloc(struct nv3_channel *chan)
{
	struct nv3_job *job = nv3_job_new(chan, 0);

	if (IS_ERR(job))
		return NULL;

	job->fence = nv3_fence_create(chan);
	if (!job->fence) {
		nv3_job_drop(job);
		return NULL;
	}
	return job;
}

/* With nv3_copier.lock. The fence, with a reference for the caller. */
static struct dma_fence *nv3_copy_submit(struct nv3_channel *chan, struct nv3_copy *copy)
{
	struct nv3_job *job = nv3_copy_job_alloc(chan);
	bool cookie;

	if (!job) {
		dma_fence_put(&copy->base);
		return ERR_PTR(-ENOMEM);
	}

	job->copy = copy;
	nv3_copy_write_batch(job);

	cookie = dma_fence_begin_signalling();
	nv3_job_arm(job);
	dma_fence_get(&copy->base);
	dma_fence_add_callback(&job->base.s_fence->finished, &copy->job_done, nv3_copy_job_done);
	nv3_job_push(job);
	dma_fence_end_signalling(cookie);
	return &copy->base;
}

struct dma_fence *nv3_rm_copy(struct nv3_device *nv3, u32 vram, struct ttm_tt *tt,
			      unsigned int pages, bool to_vram)
{
	struct nv3_rm *rm = nv3->rm;
	struct nv3_copier *copier = &rm->copier;
	struct dma_fence *fence = ERR_PTR(-ENODEV);
	struct nv3_copy *copy;

	if (pages > min(nv3_copy_window_pages(rm), NV3_COPY_PAGES_MAX))
		return ERR_PTR(-E2BIG);

	mutex_lock(&copier->lock);
	if (copier->chan && !READ_ONCE(copier->chan->fault.reason)) {
		copy = nv3_copy_alloc(rm, vram, tt, pages, to_vram);
		fence = copy ? nv3_copy_submit(copier->chan, copy) : ERR_PTR(-ENOMEM);
	}
	mutex_unlock(&copier->lock);

	return fence;
}

u64 nv3_rm_copy_context(struct nv3_device *nv3)
{
	return nv3->rm->copier.context;
}

/* ---- the channel ---- */

static int nv3_copy_make_channel(struct nv3_rm *rm)
{
	struct nv3_channel *chan = nv3_channel_create(rm, DRM_NV3_CHANNEL_DMA, 0, NULL);
	struct nv3_object *obj;
	int ret;

	if (IS_ERR(chan))
		return PTR_ERR(chan);
	chan->budget_ms = NV3_LIMIT_BUDGET_MS;

	obj = nv3_copy_object_create(chan);
	if (IS_ERR(obj)) {
		ret = PTR_ERR(obj);
		goto err_channel;
	}
	ret = nv3_object_add(obj, NV3_COPY_NAME);
	if (ret) {
		nv3_object_put(obj);
		goto err_channel;
	}

	rm->copier.chan = chan;
	return 0;

err_channel:
	nv3_channel_close(chan);
	return ret;
}

/* What may be asked for a copy even where there is no channel. */
void nv3_copy_prepare(struct nv3_rm *rm)
{
	struct nv3_copier *copier = &rm->copier;

	mutex_init(&copier->lock);
	spin_lock_init(&copier->done_lock);
	INIT_LIST_HEAD(&copier->failed);
	INIT_WORK(&copier->work, nv3_copy_work);
	copier->context = dma_fence_context_alloc(1);
}

/* On a chip that lacks the class there is no channel, and that is all right. */
int nv3_copy_init(struct nv3_rm *rm)
{
	struct nv3_copier *copier = &rm->copier;

	if (!nv3_class_find(rm, NV3_CLASS_M2MF))
		return 0;

	copier->zeroes = dmam_alloc_coherent(rm->nv3->drm.dev, PAGE_SIZE, &copier->zeroes_dma,
					     GFP_KERNEL | __GFP_ZERO);
	if (!copier->zeroes)
		return -ENOMEM;

	return nv3_copy_make_channel(rm);
}

/* The chip is gone, and every batch has been told so. */
void nv3_copy_fini(struct nv3_rm *rm)
{
	struct nv3_copier *copier = &rm->copier;
	struct nv3_channel *chan;

	mutex_lock(&copier->lock);
	chan = copier->chan;
	copier->chan = NULL;
	mutex_unlock(&copier->lock);

	if (chan)
		nv3_channel_close(chan);
}

/* Of the chip's, how many are not for clients. */
unsigned int nv3_copy_channels(struct nv3_rm *rm)
{
	return rm->copier.chan ? 1 : 0;
}

void nv3_rm_copy_show(struct nv3_device *nv3, struct seq_file *m)
{
	struct nv3_copier *copier = &nv3->rm->copier;

	spin_lock_irq(&copier->done_lock);
	seq_printf(m, "chip        %llu moves, %llu pages, %llu ns\n", copier->copies,
		   copier->pages, copier->ns);
	seq_printf(m, "rescued     %llu moves\n", copier->rescues);
	spin_unlock_irq(&copier->done_lock);
}
