// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The migration engine
 *
 * Buffers migrate between VRAM and system memory. The chip can copy a buffer with class M2MF, whose
 * methods copy lines from one DMA object to another. The kernel uses the class as a client does,
 * with a channel and an M2MF object of its own. The M2MF object has two DMA objects. Unlike the DMA
 * objects of clients, these DMA objects get new page tables for each copy. The driver writes these
 * page tables when the batch of the copy starts, while no other batch runs.
 *
 * A copy is requested while the reservation of the buffer is held, and is complete when the fence
 * of the copy has signalled. Copies are executed in the order of the requests. If the device is
 * unbound or the channel faults, the chip does not execute the remaining copies. A task that waits
 * for the fence of such a copy could not handle an error. The CPU therefore executes these copies,
 * in the same order, before their fences signal. Later requests fail, so that mem/nv3_migrate.c
 * copies with the CPU.
 */

#include <linux/dma-fence.h>
#include <linux/dma-mapping.h>
#include <linux/highmem.h>
#include <linux/io.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <drm/drm_print.h>
#include <drm/ttm/ttm_tt.h>

#include "mem/nv3_migrate.h"
#include "nv3_class.h"
#include "nv3_classes.h"
#include "nv3_migration.h"
#include "rm/nv3_channel.h"
#include "rm/nv3_fence.h"
#include "rm/nv3_job.h"

#define NV3_COPY_SUBCH		0
#define NV3_COPY_HANDLE		1	/* handle of the M2MF object */

/*
 * The maximum length of a copy in pages. M2MF copies each page as a line, and the argument of its
 * method LINE_COUNT has 11 bits.
 */
#define NV3_COPY_PAGES_MAX	0x7ffu

#define NV3_COPY_WORDS		11

/* The M2MF object, and the DMA objects of its source (@in) and destination (@out). */
struct nv3_copy_object {
	struct nv3_object base;
	struct nv3_ramin in;
	struct nv3_ramin out;
};

static struct nv3_copy_object *to_copy_object(struct nv3_object *obj)
{
	return container_of(obj, struct nv3_copy_object, base);
}

static unsigned int nv3_copy_pages_max(struct nv3_rm *rm)
{
	return rm->nv3->vram_available >> PAGE_SHIFT;
}

static void nv3_copy_object_write(struct nv3_object *base)
{
	struct nv3_copy_object *obj = to_copy_object(base);
	struct nv3_device *nv3 = base->chan->rm->nv3;
	u32 addr = nv3_ramin_addr(&base->inst);

	nv3_ramin_wr32(nv3, addr + NV3_GROBJ_OPTIONS, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT);
	nv3_ramin_wr32(nv3, addr + NV3_GROBJ_DMA, nv3_ramin_inst(&obj->in));
	nv3_ramin_wr32(nv3, addr + NV3_GROBJ_M2MF, nv3_ramin_inst(&obj->out));
}

static void nv3_copy_object_destroy(struct nv3_object *base)
{
	struct nv3_copy_object *obj = to_copy_object(base);
	struct nv3_rm *rm = base->chan->rm;

	nv3_ramin_free(&rm->ramin, &obj->in);
	nv3_ramin_free(&rm->ramin, &obj->out);
	nv3_object_fini(base);
	kfree(obj);
}

/*
 * This class is only for the kernel's channel, so it is not in the table of classes. Clients use
 * nv3_class_m2mf.
 */
static const struct nv3_class nv3_class_copy = {
	.id = NV3_CLASS_M2MF,
	.name = "copy",
	.write = nv3_copy_object_write,
	.destroy = nv3_copy_object_destroy,
};

static struct nv3_object *nv3_copy_object_create(struct nv3_channel *chan)
{
	const u32 size = NV3_DMAOBJ_PTE(nv3_copy_pages_max(chan->rm));
	struct nv3_copy_object *obj;
	int ret;

	obj = kzalloc(sizeof(*obj), GFP_KERNEL);
	if (!obj)
		return ERR_PTR(-ENOMEM);

	ret = nv3_object_init(&obj->base, chan, &nv3_class_copy, NV3_GROBJ_SIZE);
	if (ret)
		goto err_free;
	ret = nv3_ramin_alloc(&chan->rm->ramin, &obj->in, size);
	if (ret)
		goto err_object;
	ret = nv3_ramin_alloc(&chan->rm->ramin, &obj->out, size);
	if (ret)
		goto err_in;

	obj->base.key.ctx = nv3_object_ctx(&obj->base, true);
	nv3_copy_object_write(&obj->base);
	return &obj->base;

err_in:
	nv3_ramin_free(&chan->rm->ramin, &obj->in);
err_object:
	nv3_object_fini(&obj->base);
err_free:
	kfree(obj);
	return ERR_PTR(ret);
}

/* ---- the DMA objects ---- */

static void nv3_copy_write_linear(struct nv3_rm *rm, u32 inst, u32 target, u32 start, u32 pages)
{
	nv3_ramin_wr32(rm->nv3, inst + NV3_DMAOBJ_FLAGS, target << NV3_DMAOBJ_TARGET_SHIFT);
	nv3_ramin_wr32(rm->nv3, inst + NV3_DMAOBJ_LIMIT, (pages << PAGE_SHIFT) - 1);
	nv3_ramin_wr32(rm->nv3, inst + NV3_DMAOBJ_PTE(0),
		       start | NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE);
}

static void nv3_copy_write_pages(struct nv3_rm *rm, u32 inst, const struct nv3_copy *copy)
{
	unsigned int i;

	nv3_ramin_wr32(rm->nv3, inst + NV3_DMAOBJ_FLAGS,
		       NV3_DMAOBJ_PAGED | NV3_DMAOBJ_TARGET_PCI << NV3_DMAOBJ_TARGET_SHIFT);
	nv3_ramin_wr32(rm->nv3, inst + NV3_DMAOBJ_LIMIT, (copy->pages << PAGE_SHIFT) - 1);
	for (i = 0; i < copy->pages; i++)
		nv3_ramin_wr32(rm->nv3, inst + NV3_DMAOBJ_PTE(i),
			       lower_32_bits(copy->tt->dma_address[i]) |
			       NV3_DMAOBJ_PTE_PRESENT | NV3_DMAOBJ_PTE_WRITE);
}

/*
 * Returns true if the bus addresses of the pages are contiguous. Contiguous pages are common, and a
 * linear DMA object can describe them without a page table.
 */
static bool nv3_copy_is_contiguous(const struct nv3_copy *copy)
{
	const dma_addr_t *dma = copy->tt->dma_address;
	unsigned int i;

	for (i = 1; i < copy->pages; i++)
		if (dma[i] != dma[0] + ((dma_addr_t)i << PAGE_SHIFT))
			return false;
	return true;
}

static void nv3_copy_write_system(struct nv3_rm *rm, u32 inst, const struct nv3_copy *copy)
{
	if (!copy->tt)
		nv3_copy_write_linear(rm, inst, NV3_DMAOBJ_TARGET_PCI,
				      rm->migration->zeroes_dma, 1);
	else if (nv3_copy_is_contiguous(copy))
		nv3_copy_write_linear(rm, inst, NV3_DMAOBJ_TARGET_PCI,
				      lower_32_bits(copy->tt->dma_address[0]), copy->pages);
	else
		nv3_copy_write_pages(rm, inst, copy);
}

/* &struct nv3_job_ops.begin: writes the DMA objects for the copy. */
static void nv3_copy_begin(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_copy_object *obj = to_copy_object(nv3_object_find(chan, NV3_COPY_HANDLE));
	u32 in = nv3_ramin_addr(&obj->in), out = nv3_ramin_addr(&obj->out);
	struct nv3_copy *copy = job->copy;
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	nv3_copy_write_linear(rm, copy->to_vram ? out : in, NV3_DMAOBJ_TARGET_VRAM, copy->vram,
			      copy->pages);
	nv3_copy_write_system(rm, copy->to_vram ? in : out, copy);
	nv3_pgraph_flush_pdma(rm->nv3);
	nv3_batch_begin(job);
}

static const struct nv3_job_ops nv3_copy_job_ops = {
	.begin = nv3_copy_begin,
	.retire = nv3_batch_retire,
};

/* ---- the batch ---- */

static void nv3_copy_words(const struct nv3_copy *copy, __le32 *words)
{
	const u32 list[NV3_COPY_WORDS] = {
		NV3_PUSH_HDR(NV3_COPY_SUBCH, NV3_MTHD_OBJECT, 1), NV3_COPY_HANDLE,
		NV3_PUSH_HDR(NV3_COPY_SUBCH, NV3_M2MF_OFFSET_IN, 8),
		0, 0,				/* offsets */
		copy->tt ? PAGE_SIZE : 0,	/* pitches; 0 repeats the page of zeroes */
		PAGE_SIZE,
		PAGE_SIZE, copy->pages,		/* bytes per line, lines */
		1 << 8 | 1,			/* increments of one byte */
		0,				/* starts the copy */
	};
	unsigned int i;

	for (i = 0; i < NV3_COPY_WORDS; i++)
		words[i] = cpu_to_le32(list[i]);
}

static void nv3_copy_write_batch(struct nv3_job *job)
{
	const u32 size = (NV3_COPY_WORDS + NV3_FENCE_TAIL) * sizeof(u32);
	struct nv3_channel *chan = job->chan;
	__le32 *words;

	wait_event(chan->retire_wait, nv3_ring_alloc(&chan->ring, size, &job->span));
	words = nv3_ring_cpu(&chan->ring, &job->span);
	nv3_copy_words(job->copy, words);
	nv3_fence_write_tail(chan, words + NV3_COPY_WORDS);
	nv3_ring_flush(chan->rm->nv3, &chan->ring, &job->span);
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

/* ---- completion ---- */

/*
 * Executes a copy with the CPU. A fence depends on the copy, so the function must not allocate
 * memory.
 */
static void nv3_copy_on_cpu(struct nv3_copy *copy)
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

static struct nv3_copy *nv3_copy_next_failed(struct nv3_migration_engine *engine)
{
	struct nv3_copy *copy;

	spin_lock_irq(&engine->done_lock);
	copy = list_first_entry_or_null(&engine->failed, struct nv3_copy, link);
	if (copy) {
		list_del(&copy->link);
		engine->cpu_fallbacks++;
	}
	spin_unlock_irq(&engine->done_lock);

	return copy;
}

static void nv3_copy_work(struct work_struct *work)
{
	struct nv3_migration_engine *engine = container_of(work, struct nv3_migration_engine, work);
	bool cookie = dma_fence_begin_signalling();
	struct nv3_copy *copy;

	while ((copy = nv3_copy_next_failed(engine))) {
		nv3_copy_on_cpu(copy);
		nv3_copy_signal(copy);
	}
	dma_fence_end_signalling(cookie);
}

/**
 * nv3_copy_job_done() - complete a copy whose batch has ended
 * @fence: the fence of the batch. If this fence has an error, the channel has faulted, and the
 *   fences of all later batches also get an error
 * @cb: nv3_copy.job_done
 *
 * Context: any.
 */
void nv3_copy_job_done(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct nv3_copy *copy = container_of(cb, struct nv3_copy, job_done);
	struct nv3_migration_engine *engine = copy->rm->migration;
	const bool failed = fence->error;
	unsigned long flags;

	spin_lock_irqsave(&engine->done_lock, flags);
	if (failed) {
		list_add_tail(&copy->link, &engine->failed);
	} else {
		engine->copies++;
		engine->pages += copy->pages;
		engine->ns += ktime_to_ns(ktime_sub(ktime_get(), copy->requested));
	}
	spin_unlock_irqrestore(&engine->done_lock, flags);

	if (failed)
		queue_work(copy->rm->signal_wq, &engine->work);
	else
		nv3_copy_signal(copy);
}

/* ---- requests ---- */

/**
 * nv3_copy_alloc() - allocate a copy without submitting it
 * @rm: the resource manager
 * @vram: the offset of the first byte in VRAM
 * @tt: the pages in system memory, or NULL to fill VRAM with zeroes
 * @pages: the number of pages
 * @to_vram: true to copy from system memory to VRAM
 *
 * Context: process context; nv3_migration_engine.lock is held.
 * Return: the copy, with a reference that nv3_copy_job_done() drops, or NULL if memory is
 * exhausted.
 */
struct nv3_copy *nv3_copy_alloc(struct nv3_rm *rm, u32 vram, struct ttm_tt *tt,
				unsigned int pages, bool to_vram)
{
	struct nv3_migration_engine *engine = rm->migration;
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
	copy->requested = ktime_get();
	dma_fence_init(&copy->base, &nv3_copy_fence_ops, &copy->lock, engine->context,
		       ++engine->seqno);
	return copy;
}

static struct nv3_job *nv3_copy_job_alloc(struct nv3_channel *chan)
{
	struct nv3_job *job = nv3_job_create(chan, 0);

	if (IS_ERR(job))
		return NULL;

	job->fence = nv3_fence_create(chan);
	if (!job->fence) {
		nv3_job_destroy(job);
		return NULL;
	}
	return job;
}

/*
 * Submits the copy as a batch. Called with nv3_migration_engine.lock held. Returns the fence of the
 * copy, with a reference for the caller, or ERR_PTR(-ENOMEM).
 */
static struct dma_fence *nv3_copy_submit(struct nv3_channel *chan, struct nv3_copy *copy)
{
	struct nv3_job *job = nv3_copy_job_alloc(chan);
	bool cookie;

	if (!job) {
		dma_fence_put(&copy->base);
		return ERR_PTR(-ENOMEM);
	}

	job->ops = &nv3_copy_job_ops;
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

/* &struct nv3_copy_ops.copy */
static struct dma_fence *nv3_migration_copy(struct nv3_device *nv3, u32 vram, struct ttm_tt *tt,
					    unsigned int pages, bool to_vram)
{
	struct nv3_rm *rm = nv3->rm;
	struct nv3_migration_engine *engine = rm->migration;
	struct dma_fence *fence = ERR_PTR(-ENODEV);
	struct nv3_copy *copy;

	if (pages > min(nv3_copy_pages_max(rm), NV3_COPY_PAGES_MAX))
		return ERR_PTR(-E2BIG);

	mutex_lock(&engine->lock);
	if (engine->chan && !READ_ONCE(engine->chan->fault.reason)) {
		copy = nv3_copy_alloc(rm, vram, tt, pages, to_vram);
		fence = copy ? nv3_copy_submit(engine->chan, copy) : ERR_PTR(-ENOMEM);
	}
	mutex_unlock(&engine->lock);

	return fence;
}

static u64 nv3_migration_context(struct nv3_device *nv3)
{
	return nv3->rm->migration->context;
}

static void nv3_migration_show(struct nv3_device *nv3, struct seq_file *m)
{
	struct nv3_migration_engine *engine = nv3->rm->migration;

	spin_lock_irq(&engine->done_lock);
	seq_printf(m, "chip        %llu migrations, %llu pages, %llu ns\n", engine->copies,
		   engine->pages, engine->ns);
	seq_printf(m, "fallbacks   %llu migrations\n", engine->cpu_fallbacks);
	spin_unlock_irq(&engine->done_lock);
}

static const struct nv3_copy_ops nv3_migration_ops = {
	.copy = nv3_migration_copy,
	.context = nv3_migration_context,
	.show = nv3_migration_show,
};

/* ---- the channel ---- */

static int nv3_migration_create_channel(struct nv3_rm *rm)
{
	struct nv3_channel *chan = nv3_channel_create(rm, DRM_NV3_CHANNEL_DMA, 0, NULL);
	struct nv3_object *obj;
	int ret;

	if (IS_ERR(chan))
		return PTR_ERR(chan);
	chan->budget_ms = NV3_HANG_BUDGET_MS;

	obj = nv3_copy_object_create(chan);
	if (IS_ERR(obj)) {
		ret = PTR_ERR(obj);
		goto err_channel;
	}
	ret = nv3_object_add(obj, NV3_COPY_HANDLE);
	if (ret) {
		nv3_object_put(obj);
		goto err_channel;
	}

	rm->migration->chan = chan;
	return 0;

err_channel:
	nv3_channel_close(chan);
	return ret;
}

/**
 * nv3_migration_alloc() - allocate the migration engine, without its channel
 * @rm: the resource manager
 *
 * Context: process context.
 * Return: the engine, or NULL if memory is exhausted.
 */
struct nv3_migration_engine *nv3_migration_alloc(struct nv3_rm *rm)
{
	struct nv3_migration_engine *engine;

	engine = kzalloc(sizeof(*engine), GFP_KERNEL);
	if (!engine)
		return NULL;

	mutex_init(&engine->lock);
	spin_lock_init(&engine->done_lock);
	INIT_LIST_HEAD(&engine->failed);
	INIT_WORK(&engine->work, nv3_copy_work);
	engine->context = dma_fence_context_alloc(1);
	rm->migration = engine;
	return engine;
}

/**
 * nv3_migration_init() - &struct nv3_class_ops.init_migration
 * @rm: the resource manager
 *
 * If the chip lacks class M2MF, the function does not create the channel, and the CPU copies all
 * buffers.
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_migration_init(struct nv3_rm *rm)
{
	struct nv3_migration_engine *engine = nv3_migration_alloc(rm);
	int ret;

	if (!engine)
		return -ENOMEM;
	if (!nv3_class_find(rm, NV3_CLASS_M2MF))
		return 0;

	engine->zeroes = dmam_alloc_coherent(rm->nv3->drm.dev, PAGE_SIZE, &engine->zeroes_dma,
					     GFP_KERNEL | __GFP_ZERO);
	if (!engine->zeroes)
		return -ENOMEM;

	ret = nv3_migration_create_channel(rm);
	if (ret)
		return ret;
	rm->kernel_channels = 1;
	rm->nv3->copy_ops = &nv3_migration_ops;
	return 0;
}

/**
 * nv3_migration_fini() - &struct nv3_class_ops.fini_migration
 * @rm: the resource manager, which is dead
 *
 * Context: process context.
 */
void nv3_migration_fini(struct nv3_rm *rm)
{
	struct nv3_migration_engine *engine = rm->migration;
	struct nv3_channel *chan;

	mutex_lock(&engine->lock);
	chan = engine->chan;
	engine->chan = NULL;
	mutex_unlock(&engine->lock);

	if (chan)
		nv3_channel_close(chan);
}

/**
 * nv3_migration_release() - &struct nv3_class_ops.release_migration
 * @rm: the resource manager
 */
void nv3_migration_release(struct nv3_rm *rm)
{
	rm->nv3->copy_ops = NULL;
	kfree(rm->migration);
}
