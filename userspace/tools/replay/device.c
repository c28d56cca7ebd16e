/* SPDX-License-Identifier: MIT */
/*
 * Implements Mesa's functions that the nv3 drm-shim uses (stand-in/), and gives the replay access
 * to the ioctls of the drm-shim.
 */
#include "device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format.h"
#include "util/os_time.h"
#include "util/u_debug.h"

/* Bus addresses have 32 bits. Page 0 is not used. */
#define MEMORY_SIZE	((uint64_t)4 << 30)

struct shim_device shim_device;
int render_node_minor;

static struct shim_fd *files[CAPTURE_FILES_MAX];
static uint32_t next_number;
static int64_t now;

/* ---- Mesa ---- */

const char *debug_get_option(const char *name, const char *value)
{
	const char *found = getenv(name);

	return found ? found : value;
}

int64_t debug_get_num_option(const char *name, int64_t value)
{
	const char *found = getenv(name);

	return found ? strtoll(found, NULL, 0) : value;
}

int64_t os_time_get_nano(void)
{
	return now;
}

/* Does nothing, because the replay neither looks for the device in sysfs nor maps buffers. */
void drm_shim_override_file(const char *contents, const char *path, ...)
{
}

void drm_shim_init_iomem_region(off64_t offset, size_t size,
				void *(*map)(size_t length, int prot, int flags, off64_t offset))
{
}

uint64_t drm_shim_bo_get_mmap_offset(struct shim_fd *file, struct shim_bo *bo)
{
	return 0;
}

struct shim_fd *drm_shim_fd_lookup(int fd)
{
	return fd >= 0 && (unsigned int)fd < CAPTURE_FILES_MAX ? files[fd] : NULL;
}

int drm_shim_bo_init(struct shim_bo *bo, size_t size)
{
	bo->mem_addr = util_vma_heap_alloc(&shim_device.mem_heap, size, NV3_SHIM_PAGE);
	bo->refcount = 1;
	bo->size = size;
	return bo->mem_addr ? 0 : -ENOMEM;
}

void drm_shim_bo_get(struct shim_bo *bo)
{
	bo->refcount++;
}

void drm_shim_bo_put(struct shim_bo *bo)
{
	if (--bo->refcount)
		return;
	shim_device.driver_bo_free(bo);
	util_vma_heap_free(&shim_device.mem_heap, bo->mem_addr, bo->size);
	free(bo);
}

struct shim_bo *drm_shim_bo_lookup(struct shim_fd *file, int handle)
{
	struct shim_bo *bo;

	if (!file || handle <= 0 || (uint32_t)handle >= file->handle_count)
		return NULL;
	bo = file->handles[handle];
	if (bo)
		bo->refcount++;
	return bo;
}

int drm_shim_bo_get_handle(struct shim_fd *file, struct shim_bo *bo)
{
	file->handles[next_number] = bo;
	bo->refcount++;
	return next_number;
}

/* ---- for the replay ---- */

static bool init_memory(void)
{
	mtx_init(&shim_device.mem_lock, mtx_plain);
	shim_device.mem_fd = memfd_create("nv3-replay", MFD_CLOEXEC);
	if (shim_device.mem_fd < 0 || ftruncate(shim_device.mem_fd, MEMORY_SIZE)) {
		perror("nv3-replay: memory of the device");
		return false;
	}
	util_vma_heap_init(&shim_device.mem_heap, NV3_SHIM_PAGE, MEMORY_SIZE - NV3_SHIM_PAGE);
	return true;
}

bool device_init(uint32_t vram_size)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", vram_size >> 20);
	setenv("NV3_SHIM_VRAM", text, 1);
	if (!init_memory())
		return false;
	drm_shim_driver_init();
	return true;
}

bool device_open(uint32_t number)
{
	struct shim_fd *file;

	if (files[number])
		return true;
	file = calloc(1, sizeof(*file));
	if (!file)
		return false;
	file->fd = number;
	/* The additional buffer holds the words of batches. */
	file->handle_count = CAPTURE_BUFFERS_MAX + 1;
	file->handles = calloc(file->handle_count, sizeof(*file->handles));
	if (!file->handles) {
		free(file);
		return false;
	}
	files[number] = file;
	return true;
}

int device_close_handle(uint32_t number, uint32_t handle)
{
	struct shim_fd *file = drm_shim_fd_lookup(number);
	struct shim_bo *bo;

	if (!file || handle >= file->handle_count || !file->handles[handle])
		return -ENOENT;
	bo = file->handles[handle];
	file->handles[handle] = NULL;
	drm_shim_bo_put(bo);
	return 0;
}

static void close_channels(struct shim_fd *file)
{
	list_for_each_entry_safe(struct nv3_shim_channel, chan, &nv3_shim.channels, link) {
		struct drm_nv3_channel_destroy args = { .channel = chan->id };

		if (chan->file == file)
			device_ioctl(file->fd, DRM_NV3_CHANNEL_DESTROY, &args);
	}
	list_for_each_entry_safe(struct nv3_shim_vm, vm, &nv3_shim.vms, link) {
		struct drm_nv3_vm_destroy args = { .vm = vm->id };

		if (vm->file == file && !vm->destroyed)
			device_ioctl(file->fd, DRM_NV3_VM_DESTROY, &args);
	}
}

void device_close(uint32_t number)
{
	struct shim_fd *file = drm_shim_fd_lookup(number);
	uint32_t i;

	if (!file)
		return;
	close_channels(file);
	for (i = 0; i < file->handle_count; i++) {
		if (file->handles[i])
			drm_shim_bo_put(file->handles[i]);
	}
	files[number] = NULL;
	free(file->handles);
	free(file);
}

int device_ioctl(uint32_t file, unsigned int number, void *arg)
{
	return shim_device.driver_ioctls[number](file, 0, arg) ? -errno : 0;
}

void device_set_next(uint32_t number)
{
	next_number = number;
	nv3_shim.next_channel = number - 1;
	nv3_shim.next_vm = number - 1;
}

void device_pass(uint64_t ns)
{
	now += ns;
}

struct nv3_shim_bo *device_buffer(uint32_t number, uint32_t buffer)
{
	struct nv3_shim_bo *bo = nv3_shim_bo_lookup(drm_shim_fd_lookup(number), buffer);

	if (bo)
		drm_shim_bo_put(&bo->base);
	return bo;
}

uint8_t *device_contents(const struct nv3_shim_bo *bo)
{
	return nv3_shim_in_vram(bo) ? nv3_shim.memory + nv3_shim.vram_base + bo->vram :
				      nv3_shim.memory + bo->base.mem_addr;
}
