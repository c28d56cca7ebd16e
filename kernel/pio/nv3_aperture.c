// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: USER apertures
 *
 * The client of a PIO channel maps the channel's 64 KiB of BAR0, and stores methods there. The
 * resource manager does not see these stores, and controls only the page table entries of the
 * mapping. The mapping has no entries until the client stores a method. The page fault handler
 * requests a timeslice (nv3_pio.c), waits until the timeslice begins, and then creates the entries.
 * The driver removes the entries at the end of the timeslice, and the next store causes another
 * page fault. Clients thus need not know about timeslices. A client can keep the chip busy only
 * during its own timeslices.
 *
 * A page of ordinary memory (the dummy page) replaces the aperture if the channel has faulted or
 * was closed, or if the device was unplugged. The free count in this page always reports an empty
 * cache. The client therefore gets no signal and does not wait for free space. The client learns of
 * the fault when it queries its channel. After an unplug, TTM replaces the pages of mapped buffers
 * in the same way.
 *
 * The aperture is a GEM object without a handle. Its mmap() offset is valid only in the file that
 * created the channel. Each mapping holds a reference to the channel.
 */

#include <linux/mm.h>
#include <linux/pci.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>
#include <drm/drm_vma_manager.h>

#include "nv3_pio.h"

static struct nv3_channel *nv3_aperture_channel(struct drm_gem_object *gem)
{
	return container_of(gem, struct nv3_pio, aperture.gem)->chan;
}

static unsigned long nv3_aperture_pfn(struct nv3_channel *chan)
{
	struct pci_dev *pdev = to_pci_dev(chan->rm->nv3->drm.dev);

	return PHYS_PFN(pci_resource_start(pdev, 0) + NV3_USER_ADDR(chan->chid, 0, 0));
}

/* Maps the dummy page in place of a page of the aperture. */
static vm_fault_t nv3_aperture_insert_dummy(struct vm_fault *vmf, struct nv3_channel *chan)
{
	return vmf_insert_pfn_prot(vmf->vma, vmf->address, page_to_pfn(chan->pio->aperture.dummy),
				   vm_get_page_prot(vmf->vma->vm_flags));
}

/*
 * Creates the page table entries of the page at which the fault occurred and of all pages that the
 * client has used so far.
 */
static vm_fault_t nv3_aperture_insert(struct vm_fault *vmf, struct nv3_channel *chan)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned long start = drm_vma_node_start(&chan->pio->aperture.gem.vma_node);
	unsigned long pfn = nv3_aperture_pfn(chan);
	vm_fault_t ret = VM_FAULT_NOPAGE;
	unsigned int i;

	chan->pio->aperture.touched |= BIT(vmf->pgoff - start);

	for (i = 0; i < vma_pages(vma) && ret == VM_FAULT_NOPAGE; i++) {
		unsigned long page = vma->vm_pgoff - start + i;

		if (chan->pio->aperture.touched & BIT(page))
			ret = vmf_insert_pfn(vma, vma->vm_start + i * PAGE_SIZE, pfn + page);
	}
	return ret;
}

/*
 * Creates page table entries for the aperture or for the dummy page. Returns 0 if the channel has
 * no open timeslice yet.
 */
static vm_fault_t nv3_aperture_try(struct vm_fault *vmf, struct nv3_channel *chan)
{
	struct nv3_aperture *aperture = &chan->pio->aperture;
	vm_fault_t ret = 0;

	mutex_lock(&aperture->lock);
	if (nv3_pio_is_dead(chan))
		aperture->gone = true;
	if (aperture->gone)
		ret = nv3_aperture_insert_dummy(vmf, chan);
	else if (nv3_pio_may_map(chan))
		ret = nv3_aperture_insert(vmf, chan);
	mutex_unlock(&aperture->lock);

	return ret;
}

/*
 * Requests a timeslice and waits until it begins. A signal that @task_state allows ends the wait.
 */
static void nv3_aperture_await(struct nv3_channel *chan, unsigned int task_state)
{
	int ret, idx;

	if (!drm_dev_enter(chan->pio->aperture.gem.dev, &idx))
		return;
	ret = nv3_pio_request(chan, task_state);
	drm_dev_exit(idx);

	if (!ret)
		nv3_pio_wait(chan, task_state);
}

/*
 * Waits until a timeslice begins, after which the CPU repeats the access. The wait may be long,
 * because the channel's buffers must be placed first. The function therefore releases the fault
 * lock, so that other threads can change the address space of the process. If the caller does not
 * permit this, for example for a futex in the aperture, the access fails. A system call that stores
 * to the aperture fails if a signal is pending.
 */
static vm_fault_t nv3_aperture_wait(struct vm_fault *vmf, struct nv3_channel *chan)
{
	const bool user = vmf->flags & FAULT_FLAG_USER;
	struct drm_gem_object *gem = &chan->pio->aperture.gem;
	struct file *file;

	if (!(vmf->flags & FAULT_FLAG_ALLOW_RETRY) || (!user && signal_pending(current)))
		return VM_FAULT_SIGBUS;
	if (vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return VM_FAULT_RETRY;

	file = get_file(vmf->vma->vm_file);
	drm_gem_object_get(gem);
	release_fault_lock(vmf);
	nv3_aperture_await(chan,
			   user && vmf->flags & FAULT_FLAG_INTERRUPTIBLE ? TASK_INTERRUPTIBLE :
									       TASK_KILLABLE);
	drm_gem_object_put(gem);
	fput(file);
	return VM_FAULT_RETRY;
}

static vm_fault_t nv3_aperture_fault(struct vm_fault *vmf)
{
	struct nv3_channel *chan = nv3_aperture_channel(vmf->vma->vm_private_data);
	vm_fault_t ret;
	int idx;

	if (!drm_dev_enter(chan->pio->aperture.gem.dev, &idx))
		return nv3_aperture_insert_dummy(vmf, chan);
	ret = nv3_aperture_try(vmf, chan);
	drm_dev_exit(idx);

	return ret ?: nv3_aperture_wait(vmf, chan);
}

static const struct vm_operations_struct nv3_aperture_vm_ops = {
	.fault = nv3_aperture_fault,
	.open = drm_gem_vm_open,
	.close = drm_gem_vm_close,
};

static int nv3_aperture_mmap(struct drm_gem_object *gem, struct vm_area_struct *vma)
{
	if (!(vma->vm_flags & VM_SHARED)) {
		drm_dbg(gem->dev, "aperture: the mapping is private\n");
		return -EINVAL;
	}
	if (vma->vm_flags & VM_EXEC) {
		drm_dbg(gem->dev, "aperture: the mapping is executable\n");
		return -EINVAL;
	}

	/* fork() does not copy the mapping, because the child is another client. */
	vm_flags_mod(vma, VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY,
		     VM_MAYEXEC);
	/* Each store is a method and must arrive exactly once and in order, so disable caching. */
	vma->vm_page_prot = pgprot_noncached(vm_get_page_prot(vma->vm_flags));
	return 0;
}

/* Called when the client has closed the channel and the last mapping of the aperture has ended. */
static void nv3_aperture_free(struct drm_gem_object *gem)
{
	drm_gem_object_release(gem);
	nv3_channel_put(nv3_aperture_channel(gem));
}

static const struct drm_gem_object_funcs nv3_aperture_funcs = {
	.free = nv3_aperture_free,
	.mmap = nv3_aperture_mmap,
	.vm_ops = &nv3_aperture_vm_ops,
};

static void nv3_aperture_fill_dummy(struct nv3_channel *chan)
{
	u32 *words = page_address(chan->pio->aperture.dummy);

	words[NV3_USER_FREE / sizeof(*words)] = (chan->rm->nv3->cache1_size - 1) * sizeof(*words);
}

/**
 * nv3_aperture_init() - &struct nv3_pio_ops.open
 * @chan: the channel. The aperture holds a reference to the channel until nv3_aperture_free()
 * @file: the only file that may map the aperture
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int nv3_aperture_init(struct nv3_channel *chan, struct drm_file *file)
{
	struct nv3_aperture *aperture = &chan->pio->aperture;
	struct drm_device *drm = &chan->rm->nv3->drm;
	int ret;

	aperture->dummy = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!aperture->dummy)
		return -ENOMEM;
	nv3_aperture_fill_dummy(chan);

	mutex_init(&aperture->lock);
	aperture->gem.funcs = &nv3_aperture_funcs;
	drm_gem_private_object_init(drm, &aperture->gem, NV3_USER_STRIDE);

	ret = drm_gem_create_mmap_offset(&aperture->gem) ?:
	      drm_vma_node_allow(&aperture->gem.vma_node, file);
	if (ret) {
		drm_gem_object_release(&aperture->gem);
		return ret;
	}

	aperture->file = file;
	nv3_channel_get(chan);
	return 0;
}

/**
 * nv3_aperture_unmap() - unmap the aperture, until the next timeslice
 * @chan: the channel. The channel has no open timeslice, so page faults create no entries
 *
 * Context: process context.
 */
void nv3_aperture_unmap(struct nv3_channel *chan)
{
	struct nv3_aperture *aperture = &chan->pio->aperture;

	/*
	 * A page fault handler that has found the timeslice open holds the lock until it has
	 * created the entries, so wait for the lock.
	 */
	mutex_lock(&aperture->lock);
	mutex_unlock(&aperture->lock);
	drm_vma_node_unmap(&aperture->gem.vma_node, chan->rm->nv3->drm.anon_inode->i_mapping);
}

/**
 * nv3_aperture_revoke() - &struct nv3_pio_ops.revoke: unmap the aperture permanently
 * @chan: the channel
 *
 * Context: process context.
 */
void nv3_aperture_revoke(struct nv3_channel *chan)
{
	mutex_lock(&chan->pio->aperture.lock);
	chan->pio->aperture.gone = true;
	mutex_unlock(&chan->pio->aperture.lock);

	nv3_aperture_unmap(chan);
	wake_up_all(&chan->pio->wait);
}

/**
 * nv3_aperture_mmap_offset() - &struct nv3_pio_ops.mmap_offset
 * @chan: the channel
 *
 * Return: the offset for mmap() in bytes.
 */
u64 nv3_aperture_mmap_offset(struct nv3_channel *chan)
{
	return drm_vma_node_offset_addr(&chan->pio->aperture.gem.vma_node);
}

/**
 * nv3_aperture_close() - &struct nv3_pio_ops.close
 * @chan: the channel, which the client has closed. The aperture may still be mapped
 *
 * Context: process context.
 */
void nv3_aperture_close(struct nv3_channel *chan)
{
	drm_vma_node_revoke(&chan->pio->aperture.gem.vma_node, chan->pio->aperture.file);
	drm_gem_object_put(&chan->pio->aperture.gem);
}
