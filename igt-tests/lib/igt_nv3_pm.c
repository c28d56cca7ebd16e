/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/mman.h>

#include "igt.h"
#include "igt_nv3_pm.h"

void igt_nv3_require_programs(int fd)
{
	igt_require_f(igt_nv3_has_class(fd, DRM_NV3_CLASS_PROGRAMS), "no class 0x1f\n");
}

/* ---- address spaces ---- */

uint32_t igt_nv3_vm_create(int fd)
{
	struct drm_nv3_vm_create req = { 0 };

	do_ioctl(fd, DRM_IOCTL_NV3_VM_CREATE, &req);
	igt_assert_neq_u32(req.vm, 0);
	return req.vm;
}

int __igt_nv3_vm_destroy(int fd, uint32_t vm)
{
	struct drm_nv3_vm_destroy req = { .vm = vm };

	return igt_nv3_ioctl(fd, DRM_IOCTL_NV3_VM_DESTROY, &req);
}

void igt_nv3_vm_destroy(int fd, uint32_t vm)
{
	igt_assert_eq(__igt_nv3_vm_destroy(fd, vm), 0);
}

int __igt_nv3_vm_map(int fd, uint32_t vm, uint32_t handle, uint64_t offset, uint64_t address,
		     uint64_t size, uint32_t flags)
{
	struct drm_nv3_vm_bind req = {
		.vm = vm, .op = DRM_NV3_VM_MAP, .handle = handle, .flags = flags,
		.address = address, .offset = offset, .size = size,
	};

	return igt_nv3_ioctl(fd, DRM_IOCTL_NV3_VM_BIND, &req);
}

int __igt_nv3_vm_unmap(int fd, uint32_t vm, uint64_t address, uint64_t size)
{
	struct drm_nv3_vm_bind req = {
		.vm = vm, .op = DRM_NV3_VM_UNMAP, .address = address, .size = size,
	};

	return igt_nv3_ioctl(fd, DRM_IOCTL_NV3_VM_BIND, &req);
}

void igt_nv3_vm_map(int fd, uint32_t vm, const struct igt_nv3_bo *bo, uint64_t address)
{
	igt_assert_eq(__igt_nv3_vm_map(fd, vm, bo->handle, 0, address, bo->size, 0), 0);
}

void igt_nv3_vm_unmap(int fd, uint32_t vm, uint64_t address, uint64_t size)
{
	igt_assert_eq(__igt_nv3_vm_unmap(fd, vm, address, size), 0);
}

struct igt_nv3_bo igt_nv3_bo_create_private(int fd, uint64_t size, uint32_t domains, uint32_t vm)
{
	struct drm_nv3_gem_create create = { .size = size, .domains = domains, .vm = vm };
	struct igt_nv3_bo bo = { .fd = fd, .size = size };
	struct drm_nv3_gem_mmap map = { 0 };

	do_ioctl(fd, DRM_IOCTL_NV3_GEM_CREATE, &create);
	bo.handle = create.handle;
	map.handle = create.handle;
	do_ioctl(fd, DRM_IOCTL_NV3_GEM_MMAP, &map);
	bo.map = mmap(NULL, bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, map.offset);
	igt_assert(bo.map != MAP_FAILED);
	return bo;
}

/* ---- a client ---- */

#define FORMAT_A8R8G8B8	8
#define ARRAY_BGRA	0
#define ARRAY_FLOAT	2
#define TRIANGLES	5
#define GL_FLAT		0x1d00

/*
 * This program copies attribute 0 to the position, and attribute 3 to the
 * colour.
 */
static const uint32_t vertex_program[] = {
	0x00000000, 0x0020001b, 0x0836086c, 0x1000f800,
	0x00000000, 0x0020061b, 0x0836086c, 0x1000f819,
};

/* This program copies the colour to R0. */
static const uint32_t fragment_program[] = {
	0x01003e01, 0x1c9dc801, 0x0001c801, 0x0001c801,
};

/* The triangle is twice as wide and twice as high as the target, and covers all of the target. */
static const float positions[3][4] = {
	{ -1, -1, 0, 1 }, { 3, -1, 0, 1 }, { -1, 3, 0, 1 },
};

static uint32_t float_bits(float x)
{
	uint32_t word;

	memcpy(&word, &x, sizeof(word));
	return word;
}

int __igt_nv3_pm_object(const struct igt_nv3_pm *pm, uint32_t name, uint32_t vm)
{
	struct drm_nv3_programs_args args = { .vm = vm };

	return __igt_nv3_object(pm->fd, pm->channel, name, DRM_NV3_CLASS_PROGRAMS, &args,
				sizeof(args));
}

void igt_nv3_pm_init_bare(struct igt_nv3_pm *pm, int fd, uint32_t vm, uint32_t base,
			  uint32_t flags)
{
	struct igt_nv3_bo *data = &pm->data;

	memset(pm, 0, sizeof(*pm));
	pm->fd = fd;
	pm->vm = vm;
	pm->base = base;
	igt_assert_eq(__igt_nv3_channel_create_flags(fd, DRM_NV3_CHANNEL_DMA, flags,
						     &pm->channel), 0);
	igt_nv3_batch_init(&pm->batch, fd, pm->channel);
	pm->target = igt_nv3_bo_create(fd, IGT_NV3_PAGE, DRM_NV3_GEM_VRAM);
	*data = igt_nv3_bo_create(fd, IGT_NV3_PAGE, DRM_NV3_GEM_SYSTEM);
	memcpy(data->map, fragment_program, sizeof(fragment_program));
	memcpy((char *)data->map + IGT_NV3_PM_POSITIONS, positions, sizeof(positions));
	igt_nv3_vm_map(fd, vm, &pm->target, base + IGT_NV3_PM_TARGET);
	igt_nv3_vm_map(fd, vm, data, base + IGT_NV3_PM_DATA);
}

void igt_nv3_pm_init(struct igt_nv3_pm *pm, int fd, uint32_t vm, uint32_t base, uint32_t flags)
{
	igt_nv3_pm_init_bare(pm, fd, vm, base, flags);
	igt_assert_eq(__igt_nv3_pm_object(pm, IGT_NV3_PM, vm), 0);
	igt_nv3_select(&pm->batch, IGT_NV3_PM_SUB, IGT_NV3_PM);
	igt_nv3_pm_state(pm);
	igt_nv3_run_ok(&pm->batch);
}

void igt_nv3_pm_fini(struct igt_nv3_pm *pm)
{
	igt_nv3_batch_fini(&pm->batch);
	igt_nv3_channel_destroy(pm->fd, pm->channel);
	__igt_nv3_vm_unmap(pm->fd, pm->vm, pm->base, IGT_NV3_PM_MAPPED);
	igt_nv3_bo_destroy(&pm->target);
	igt_nv3_bo_destroy(&pm->data);
}

void igt_nv3_pm_method(struct igt_nv3_pm *pm, uint32_t mthd, uint32_t arg)
{
	igt_nv3_method(&pm->batch, IGT_NV3_PM_SUB, mthd, arg);
}

void igt_nv3_pm_use_target(struct igt_nv3_pm *pm)
{
	igt_nv3_use(&pm->batch, &pm->target, NV3_READ | NV3_WRITE);
}

static void push_array(struct igt_nv3_pm *pm, uint32_t i, uint32_t address, uint32_t type,
		       uint32_t stride)
{
	igt_nv3_pm_method(pm, NV3_PM_ARRAY_OFFSET + 4 * i, address);
	igt_nv3_pm_method(pm, NV3_PM_ARRAY_FORMAT + 4 * i,
			  type | 4 << NV3_PM_ARRAY_SIZE_SHIFT |
			  stride << NV3_PM_ARRAY_STRIDE_SHIFT);
}

void igt_nv3_pm_state(struct igt_nv3_pm *pm)
{
	const uint32_t data = pm->base + IGT_NV3_PM_DATA;
	unsigned int i;

	igt_nv3_pm_use_target(pm);
	igt_nv3_pm_method(pm, NV3_PM_SURFACE_CLIP_HORIZONTAL, IGT_NV3_PM_SIDE << 16);
	igt_nv3_pm_method(pm, NV3_PM_SURFACE_CLIP_VERTICAL, IGT_NV3_PM_SIDE << 16);
	igt_nv3_pm_method(pm, NV3_PM_SURFACE_FORMAT, FORMAT_A8R8G8B8 |
			  NV3_PM_FORMAT_TYPE_PITCH << NV3_PM_FORMAT_TYPE_SHIFT);
	igt_nv3_pm_method(pm, NV3_PM_SURFACE_PITCH, IGT_NV3_PM_SIDE * 4);
	igt_nv3_pm_method(pm, NV3_PM_SURFACE_COLOR_OFFSET, pm->base + IGT_NV3_PM_TARGET);
	for (i = 0; i < 2; i++) {
		igt_nv3_pm_method(pm, NV3_PM_VIEWPORT_SCALE + 4 * i,
				  float_bits(IGT_NV3_PM_SIDE / 2));
		igt_nv3_pm_method(pm, NV3_PM_VIEWPORT_OFFSET + 4 * i,
				  float_bits(IGT_NV3_PM_SIDE / 2));
	}
	igt_nv3_pm_method(pm, NV3_PM_SHADE_MODE, GL_FLAT);
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
	for (i = 0; i < ARRAY_SIZE(vertex_program); i++)
		igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM + 4 * i, vertex_program[i]);
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM_START, 0);
	igt_nv3_pm_method(pm, NV3_PM_FP_ACTIVE_PROGRAM, data);
	push_array(pm, 0, data + IGT_NV3_PM_POSITIONS, ARRAY_FLOAT, 16);
	push_array(pm, 3, data + IGT_NV3_PM_COLORS, ARRAY_BGRA, 4);
}

void igt_nv3_pm_scissor(struct igt_nv3_pm *pm, uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
	igt_nv3_pm_method(pm, NV3_PM_SCISSOR_HORIZ, w << 16 | x);
	igt_nv3_pm_method(pm, NV3_PM_SCISSOR_VERT, h << 16 | y);
}

void igt_nv3_pm_triangle(struct igt_nv3_pm *pm)
{
	igt_nv3_pm_use_target(pm);
	igt_nv3_pm_method(pm, NV3_PM_BEGIN_END, TRIANGLES);
	igt_nv3_pm_method(pm, NV3_PM_DRAW_ARRAYS, 2u << NV3_PM_DRAW_COUNT_SHIFT);
	igt_nv3_pm_method(pm, NV3_PM_BEGIN_END, 0);
}

void igt_nv3_pm_clear(struct igt_nv3_pm *pm, uint32_t color)
{
	igt_nv3_pm_use_target(pm);
	igt_nv3_pm_method(pm, NV3_PM_COLOR_CLEAR_VALUE, color);
	igt_nv3_pm_method(pm, NV3_PM_CLEAR_RECT_HORIZONTAL, (IGT_NV3_PM_SIDE - 1) << 16);
	igt_nv3_pm_method(pm, NV3_PM_CLEAR_RECT_VERTICAL, (IGT_NV3_PM_SIDE - 1) << 16);
	igt_nv3_pm_method(pm, NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS);
}

uint32_t igt_nv3_pm_pixel(const struct igt_nv3_pm *pm, uint32_t x, uint32_t y)
{
	return ((const uint32_t *)pm->target.map)[y * IGT_NV3_PM_SIDE + x];
}

void igt_nv3_pm_push_peeks(struct igt_nv3_pm *pm, const uint32_t *addresses, uint32_t count)
{
	uint32_t i;

	igt_assert(count <= IGT_NV3_PM_SIDE * IGT_NV3_PM_SIDE);
	for (i = 0; i < count; i++) {
		/*
		 * The array has a stride of 0, so the word at this address is the colour of all
		 * three vertices.
		 */
		push_array(pm, 3, addresses[i], ARRAY_BGRA, 0);
		igt_nv3_pm_scissor(pm, i % IGT_NV3_PM_SIDE, i / IGT_NV3_PM_SIDE, 1, 1);
		igt_nv3_pm_triangle(pm);
	}
	igt_nv3_pm_method(pm, NV3_PM_WAIT_FOR_IDLE, 0);
}

void igt_nv3_pm_assert_peeks(const struct igt_nv3_pm *pm, const uint32_t *values, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		const uint32_t got = igt_nv3_pm_pixel(pm, i % IGT_NV3_PM_SIDE,
						      i / IGT_NV3_PM_SIDE);

		igt_assert_f(got == values[i], "word %u is 0x%08x, not 0x%08x\n", i, got,
			     values[i]);
	}
}

uint32_t igt_nv3_pm_peek(struct igt_nv3_pm *pm, uint32_t address)
{
	igt_nv3_pm_push_peeks(pm, &address, 1);
	igt_nv3_run_ok(&pm->batch);
	return igt_nv3_pm_pixel(pm, 0, 0);
}

void igt_nv3_pm_push_report(struct igt_nv3_pm *pm, uint32_t address)
{
	igt_assert_eq_u32(address >> 24, 0);
	igt_nv3_pm_method(pm, NV3_PM_GET_REPORT, address);
}

void igt_nv3_pm_run_page_fault(struct igt_nv3_pm *pm)
{
	struct drm_nv3_channel_query query;

	igt_nv3_run(&pm->batch);
	igt_assert_eq(igt_nv3_fault(pm->fd, pm->channel, &query), DRM_NV3_FAULT_PAGE);
	igt_assert_eq_u32(query.class_id, DRM_NV3_CLASS_PROGRAMS);
}
