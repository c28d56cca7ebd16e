/* SPDX-License-Identifier: MIT */
/* Escapes (nv3_escapes.h) with the ioctls for address spaces. */
#include <fcntl.h>

#include "igt.h"
#include "nv3_escapes.h"

#define PAGE	IGT_NV3_PAGE
#define CLIENT	0x00010000u
#define OWN	0x00400000u

static int bind_bo(int fd, uint32_t vm, uint32_t op, uint32_t handle, uint64_t address,
		   uint64_t offset, uint64_t size)
{
	struct drm_nv3_vm_bind req = {
		.vm = vm, .op = op, .handle = handle, .address = address, .offset = offset,
		.size = size,
	};

	return igt_nv3_ioctl(fd, DRM_IOCTL_NV3_VM_BIND, &req);
}

static void escape_ranges(struct victim *v, int fd, uint32_t vm)
{
	static const struct {
		const char *what;
		uint64_t address, offset, size;
	} cases[] = {
		{ "beyond the buffer", OWN, 0, 3 * PAGE },
		{ "behind the buffer", OWN, 2 * PAGE, PAGE },
		{ "across the buffer's end", OWN, PAGE, 2 * PAGE },
		{ "offset that wraps", OWN, UINT64_MAX - PAGE + 1, 2 * PAGE },
		{ "offset of 32 bits", OWN, 1ull << 32, PAGE },
		{ "offset in VRAM", OWN, 0x700000, PAGE },
		{ "odd offset", OWN, 4, PAGE },
		{ "odd address", OWN + 4, 0, PAGE },
		{ "odd size", OWN, 0, PAGE + 4 },
		{ "part of a page", OWN, 0, 4 },
		{ "no size", OWN, 0, 0 },
		{ "size that wraps", OWN, 0, UINT64_MAX - PAGE + 1 },
		{ "offset and size that wrap", OWN, PAGE, UINT64_MAX - PAGE + 1 },
		{ "size of 32 bits", 0, 0, 1ull << 32 },
		{ "behind the last address", 1ull << 32, 0, PAGE },
		{ "across the last address", (1ull << 32) - PAGE, 0, 2 * PAGE },
		{ "address that wraps", UINT64_MAX - PAGE + 1, 0, 2 * PAGE },
		{ "address of 64 bits", UINT64_MAX - 2 * PAGE + 1, 0, PAGE },
	};
	static const uint32_t domains[] = { DRM_NV3_GEM_SYSTEM, DRM_NV3_GEM_VRAM };
	uint32_t d, i;

	for (d = 0; d < ARRAY_SIZE(domains); d++) {
		struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 2 * PAGE, domains[d]);

		for (i = 0; i < ARRAY_SIZE(cases); i++)
			nv3_refused(v, bind_bo(fd, vm, DRM_NV3_VM_MAP, bo.handle, cases[i].address,
					       cases[i].offset, cases[i].size),
				    EINVAL, cases[i].what);
		igt_nv3_bo_destroy(&bo);
	}
}

/*
 * Passes invalid ids and handles to ioctls on the attacker's file, including the id of the victim's
 * address space.
 */
static void escape_numbers(struct victim *v, int fd, uint32_t vm)
{
	const uint32_t theirs = v->pm.vm, handle = v->before.handle + 64;
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, PAGE, DRM_NV3_GEM_SYSTEM);
	struct drm_nv3_gem_create create = { .size = PAGE, .domains = DRM_NV3_GEM_SYSTEM };
	struct drm_nv3_programs_args args = { 0 };
	const uint32_t channel = igt_nv3_channel_create(fd);

	igt_assert_neq(theirs, vm);
	nv3_refused(v, bind_bo(fd, vm, DRM_NV3_VM_MAP, handle, OWN, 0, PAGE), ENOENT,
		    "mapping of an unknown buffer");
	nv3_refused(v, bind_bo(fd, vm, DRM_NV3_VM_MAP, 0, OWN, 0, PAGE), ENOENT,
		    "mapping of no buffer");
	nv3_refused(v, bind_bo(fd, theirs, DRM_NV3_VM_MAP, bo.handle, VICTIM_ADDRESS, 0, PAGE),
		    ENOENT, "mapping in the victim's address space");
	nv3_refused(v, bind_bo(fd, theirs, DRM_NV3_VM_UNMAP, 0, VICTIM_ADDRESS, 0, PAGE),
		    ENOENT, "unmapping in the victim's address space");
	nv3_refused(v, bind_bo(fd, 0, DRM_NV3_VM_MAP, bo.handle, OWN, 0, PAGE), ENOENT,
		    "address space 0");
	nv3_refused(v, bind_bo(fd, ~0u, DRM_NV3_VM_MAP, bo.handle, OWN, 0, PAGE), ENOENT,
		    "address space of all bits");
	nv3_refused(v, bind_bo(fd, vm, 2, bo.handle, OWN, 0, PAGE), EINVAL, "unknown operation");
	nv3_refused(v, __igt_nv3_vm_map(fd, vm, bo.handle, 0, OWN, PAGE, ~1u), EINVAL,
		    "unknown flags");
	nv3_refused(v, __igt_nv3_vm_destroy(fd, theirs), ENOENT,
		    "end of the victim's address space");
	create.vm = theirs;
	nv3_refused(v, igt_nv3_ioctl(fd, DRM_IOCTL_NV3_GEM_CREATE, &create), ENOENT,
		    "buffer for the victim's address space");
	args.vm = theirs;
	nv3_refused(v, __igt_nv3_object(fd, channel, 1, DRM_NV3_CLASS_PROGRAMS, &args,
					sizeof(args)), ENOENT,
		    "object with the victim's address space");
	args.vm = vm;
	args.dma_notify = VICTIM_DMA;
	nv3_refused(v, __igt_nv3_object(fd, channel, 1, DRM_NV3_CLASS_PROGRAMS, &args,
					sizeof(args)), ENOENT, "object with the victim's notifier");
	args.dma_notify = 0;
	args.flags = 1;
	nv3_refused(v, __igt_nv3_object(fd, channel, 1, DRM_NV3_CLASS_PROGRAMS, &args,
					sizeof(args)), EINVAL, "object with unknown flags");
	igt_nv3_channel_destroy(fd, channel);
	igt_nv3_bo_destroy(&bo);
}

/* Uses buffers that belong to one address space in another address space of the same file. */
static void escape_private(struct victim *v, int fd, uint32_t vm)
{
	const uint32_t other = igt_nv3_vm_create(fd);
	struct igt_nv3_bo bo = igt_nv3_bo_create_private(fd, PAGE, DRM_NV3_GEM_SYSTEM, other);
	const uint32_t channel = igt_nv3_channel_create(fd);
	struct drm_nv3_programs_args args = { .vm = vm };
	int file;

	nv3_refused(v, bind_bo(fd, vm, DRM_NV3_VM_MAP, bo.handle, OWN, 0, PAGE), EINVAL,
		    "private buffer elsewhere");
	nv3_refused(v, drmPrimeHandleToFD(fd, bo.handle, DRM_CLOEXEC, &file) ? -errno : 0, EPERM,
		    "export of a private buffer");
	igt_assert_eq(__igt_nv3_object(fd, channel, 1, DRM_NV3_CLASS_PROGRAMS, &args,
				       sizeof(args)), 0);
	args.vm = other;
	nv3_refused(v, __igt_nv3_object(fd, channel, 2, DRM_NV3_CLASS_PROGRAMS, &args,
					sizeof(args)), EINVAL, "second address space of a channel");
	igt_nv3_channel_destroy(fd, channel);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_vm_destroy(fd, other);
}

void nv3_escape_address_spaces(struct victim *v, int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);

	escape_ranges(v, fd, vm);
	escape_numbers(v, fd, vm);
	escape_private(v, fd, vm);
	igt_nv3_vm_destroy(fd, vm);
}

void nv3_victim_add_programs(struct victim *v)
{
	const uint32_t vm = igt_nv3_vm_create(v->fd);
	uint32_t i;

	/*
	 * The attacker's file has fewer than eight address spaces, so it has no address space with
	 * the id vms[7].
	 */
	for (i = 0; i < 8; i++)
		v->vms[i] = igt_nv3_vm_create(v->fd);
	igt_nv3_vm_destroy(v->fd, vm);
	igt_nv3_pm_init(&v->pm, v->fd, v->vms[7], CLIENT, 0);
	igt_nv3_vm_map(v->fd, v->vms[7], &v->system, VICTIM_ADDRESS);
	igt_nv3_vm_map(v->fd, v->vms[7], &v->before, VICTIM_ADDRESS + v->system.size);
	igt_nv3_vm_map(v->fd, v->vms[7], &v->after, VICTIM_ADDRESS + 2 * v->system.size);
}

void nv3_victim_remove_programs(struct victim *v)
{
	uint32_t i;

	igt_nv3_pm_fini(&v->pm);
	for (i = 0; i < 8; i++)
		igt_nv3_vm_destroy(v->fd, v->vms[i]);
}
