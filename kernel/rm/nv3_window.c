// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Windows
 *
 * A PIO channel's client maps the channel's 64 KiB of BAR0 and stores methods there, to the
 * chip itself. Nobody is in between, so all that the resource manager has in hand is
 * whether the page table has entries. It has none, until the client stores: the page fault
 * asks for a turn on the chip (nv3_lease.c), waits for it, and then the entries are made. At
 * the end of the turn they are taken away again, nv3_window_shut(), and the next store faults.
 * So a client doesn't know of turns, and one that floods the chip has only its own turns to do
 * it in.
 *
 * A channel that has faulted, or was closed, or whose chip is gone, gets a page of plain
 * memory in place of the window, its own, where the free count always says that there is
 * room: an application that has lost its chip shall hear of that when it asks how its work went,
 * and not by a signal in the middle of something else. TTM does the same for buffers.
 *
 * The window is a GEM object without a handle. That puts it among the offsets that can be
 * mapped, for the file that made the channel only, and has the mapping keep the channel.
 */

#include <linux/mm.h>
#include <linux/pci.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>
#include <drm/drm_vma_manager.h>

#include "nv3_channel.h"

static struct nv3_channel *nv3_window_channel(struct drm_gem_object *gem)
{
	return container_of(gem, struct nv3_channel, window.gem);
}

static unsigned long nv3_window_pfn(struct nv3_channel *chan)
{
	struct pci_dev *pdev = to_pci_dev(chan->rm->nv3->drm.dev);

	return PHYS_PFN(pci_resource_start(pdev, 0) + NV3_USER_ADDR(chan->chid, 0, 0));
}

/* The page that stores nowhere lead to, in the place of page @page. */
static vm_fault_t nv3_window_insert_dummy(struct vm_fault *vmf, struct nv3_channel *chan)
{
	return vmf_insert_pfn_prot(vmf->vma, vmf->address, page_to_pfn(chan->window.dummy),
				   vm_get_page_prot(vmf->vma->vm_flags));
}

/* Makes the entries of all pages that the client has used so far, and of this one. */
static vm_fault_t nv3_window_insert(struct vm_fault *vmf, struct nv3_channel *chan)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned long start = drm_vma_node_start(&chan->window.gem.vma_node);
	unsigned long pfn = nv3_window_pfn(chan);
	vm_fault_t ret = VM_FAULT_NOPAGE;
	unsigned int i;

	chan->window.touched |= BIT(vmf->pgoff - start);

	for (i = 0; i < vma_pages(vma) && ret == VM_FAULT_NOPAGE; i++) {
		unsigned long page = vma->vm_pgoff - start + i;

		if (chan->window.touched & BIT(page))
			ret = vmf_insert_pfn(vma, vma->vm_start + i * PAGE_SIZE, pfn + page);
	}
	return ret;
}

/* 0 if there is no turn yet. */
static vm_fault_t nv3_window_try(struct vm_fault *vmf, struct nv3_channel *chan)
{
	struct nv3_window *window = &chan->window;
	vm_fault_t ret = 0;

	mutex_lock(&window->lock);
	if (nv3_lease_dead(chan))
		window->gone = true;
	if (window->gone)
		ret = nv3_window_insert_dummy(vmf, chan);
	else if (nv3_lease_arrive(chan))
		ret = nv3_window_insert(vmf, chan);
	mutex_unlock(&window->lock);

	return ret;
}

/* Asks for a turn, and waits for it. A signal that @task_state allows ends that. */
static void nv3_window_await(struct nv3_channel *chan, unsigned int task_state)
{
	int ret, idx;

	if (!drm_dev_enter(chan->window.gem.dev, &idx))
		return;
	ret = nv3_lease_ask(chan, task_state);
	drm_dev_exit(idx);

	if (!ret)
		nv3_lease_wait(chan, task_state);
}

/*
 * There is no turn: waits for one, and has the fault come again. That may take long, with buffers
 * of the channel to be placed first, so the address space is not locked meanwhile: other threads
 * may want to change it. Whoever can't have it unlocked (a futex in the window) gets an error, and
 * so does a system call that stores to the window when there is a signal for it.
 */
static vm_fault_t nv3_window_wait(struct vm_fault *vmf, struct nv3_channel *chan)
{
	const bool user = vmf->flags & FAULT_FLAG_USER;
	struct drm_gem_object *gem = &chan->window.gem;
	struct file *file;

	if (!(vmf->flags & FAULT_FLAG_ALLOW_RETRY) || (!user && signal_pending(current)))
		return VM_FAULT_SIGBUS;
	if (vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return VM_FAULT_RETRY;

	file = get_file(vmf->vma->vm_file);
	drm_gem_object_get(gem);
	release_fault_lock(vmf);
	nv3_window_await(chan, user && vmf->flags & FAULT_FLAG_INTERRUPTIBLE ? TASK_INTERRUPTIBLE :
									       TASK_KILLABLE);
	drm_gem_object_put(gem);
	fput(file);
	return VM_FAULT_RETRY;
}

static vm_fault_t nv3_window_fault(struct vm_fault *vmf)
{
	struct nv3_channel *chan = nv3_window_channel(vmf->vma->vm_private_data);
	vm_fault_t ret;
	int idx;

	if (!drm_dev_enter(chan->window.gem.dev, &idx))
		return nv3_window_insert_dummy(vmf, chan);
	ret = nv3_window_try(vmf, chan);
	drm_dev_exit(idx);

	return ret ?: nv3_window_wait(vmf, chan);
}

static const struct vm_operations_struct nv3_window_vm_ops = {
	.fault = nv3_window_fault,
	.open = drm_gem_vm_open,
	.close = drm_gem_vm_close,
};

static int nv3_window_mmap(struct drm_gem_object *gem, struct vm_area_struct *vma)
{
	if (!(vma->vm_flags & VM_SHARED)) {
		drm_dbg(gem->dev, "window: the mapping is private\n");
		return -EINVAL;
	}
	if (vma->vm_flags & VM_EXEC) {
		drm_dbg(gem->dev, "window: the mapping is executable\n");
		return -EINVAL;
	}

	/* A child of fork() is another client. */
	vm_flags_mod(vma, VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY,
		     VM_MAYEXEC);
	/* Stores are methods: each arrives, once, and in order. */
	vma->vm_page_prot = pgprot_noncached(vm_get_page_prot(vma->vm_flags));
	return 0;
}

/* Neither the client nor a mapping has it any more. */
static void nv3_window_free(struct drm_gem_object *gem)
{
	drm_gem_object_release(gem);
	nv3_channel_put(nv3_window_channel(gem));
}

static const struct drm_gem_object_funcs nv3_window_funcs = {
	.free = nv3_window_free,
	.mmap = nv3_window_mmap,
	.vm_ops = &nv3_window_vm_ops,
};

static void nv3_window_fill_dummy(struct nv3_channel *chan)
{
	u32 *words = page_address(chan->window.dummy);

	words[NV3_USER_FREE / sizeof(*words)] = (chan->rm->cache1_size - 1) * sizeof(*words);
}

/* On success the window has a reference to the channel, and nv3_window_close() ends it. */
int nv3_window_init(struct nv3_channel *chan, struct drm_file *file)
{
	struct nv3_window *window = &chan->window;
	struct drm_device *drm = &chan->rm->nv3->drm;
	int ret;

	window->dummy = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!window->dummy)
		return -ENOMEM;
	nv3_window_fill_dummy(chan);

	mutex_init(&window->lock);
	window->gem.funcs = &nv3_window_funcs;
	drm_gem_private_object_init(drm, &window->gem, NV3_USER_STRIDE);

	ret = drm_gem_create_mmap_offset(&window->gem) ?:
	      drm_vma_node_allow(&window->gem.vma_node, file);
	if (ret) {
		drm_gem_object_release(&window->gem);
		return ret;
	}

	window->file = file;
	nv3_channel_get(chan);
	return 0;
}

/*
 * No store that comes after this reaches the chip without a new turn. Sleeps; the turn, if
 * there is one, has been told to end, so that no fault makes new entries.
 */
void nv3_window_shut(struct nv3_channel *chan)
{
	struct nv3_window *window = &chan->window;

	/* Whoever found the turn open has made its entries by then. */
	mutex_lock(&window->lock);
	mutex_unlock(&window->lock);
	drm_vma_node_unmap(&window->gem.vma_node, chan->rm->nv3->drm.anon_inode->i_mapping);
}

/* Nor after a new turn. */
void nv3_window_end(struct nv3_channel *chan)
{
	mutex_lock(&chan->window.lock);
	chan->window.gone = true;
	mutex_unlock(&chan->window.lock);

	nv3_window_shut(chan);
	wake_up_all(&chan->lease.wait);
}

/* The client gives it up, though it may still be mapped. */
void nv3_window_close(struct nv3_channel *chan)
{
	drm_vma_node_revoke(&chan->window.gem.vma_node, chan->window.file);
	drm_gem_object_put(&chan->window.gem);
}
