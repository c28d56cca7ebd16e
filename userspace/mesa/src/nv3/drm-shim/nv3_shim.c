/* SPDX-License-Identifier: MIT */
/*
 * Implements the entry point of the drm-shim, and defines the PCI device that libdrm finds, the
 * layout of memory, and the table of ioctls.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "util/macros.h"
#include "util/u_debug.h"

#include "nv3_shim.h"

bool drm_shim_driver_prefers_first_render_node = true;

struct nv3_shim nv3_shim;

int
nv3_shim_result(int ret)
{
   if (ret >= 0)
      return ret;
   errno = -ret;
   return -1;
}

/* Counters such as DRM_NV3_PARAM_BATCHES are always 0. */
static int
nv3_shim_getparam(int fd, unsigned long request, void *arg)
{
   struct drm_nv3_getparam *args = arg;

   switch (args->param) {
   case DRM_NV3_PARAM_CHIP_ID:
      args->value = 0x00030120; /* PMC_BOOT_0 of revision C */
      return 0;
   case DRM_NV3_PARAM_VRAM_SIZE:
      args->value = nv3_shim.vram_size;
      return 0;
   case DRM_NV3_PARAM_VRAM_AVAILABLE:
      args->value = nv3_shim.vram_size - NV3_RAMIN_SIZE;
      return 0;
   case DRM_NV3_PARAM_VRAM_LOW:
      args->value = MIN2(nv3_shim.vram_size - NV3_RAMIN_SIZE, NV3_BAR1_VRAM_MAX);
      return 0;
   case DRM_NV3_PARAM_CHANNELS:
      args->value = NV3_SHIM_CHANNELS;
      return 0;
   case DRM_NV3_PARAM_SUBMIT_MAX:
      args->value = NV3_SHIM_SUBMIT_MAX;
      return 0;
   case DRM_NV3_PARAM_VIRT_FEATURES:
      args->value = NV3_PVIRT_FEATURE_PROGRAMS | NV3_PVIRT_FEATURE_MULTISAMPLE;
      return 0;
   case DRM_NV3_PARAM_SWITCHES:
   case DRM_NV3_PARAM_BATCHES:
   case DRM_NV3_PARAM_RUNOUTS:
   case DRM_NV3_PARAM_ENGINE_NS:
      args->value = 0;
      return 0;
   default:
      return nv3_shim_result(-EINVAL);
   }
}

static ioctl_fn_t nv3_shim_ioctls[] = {
   [DRM_NV3_GETPARAM] = nv3_shim_getparam,
   [DRM_NV3_CLASS_ENUMERATE] = nv3_shim_class_enumerate,
   [DRM_NV3_CHANNEL_CREATE] = nv3_shim_channel_create,
   [DRM_NV3_CHANNEL_DESTROY] = nv3_shim_channel_destroy,
   [DRM_NV3_CHANNEL_QUERY] = nv3_shim_channel_query,
   [DRM_NV3_OBJECT_INSTANTIATE] = nv3_shim_object_instantiate,
   [DRM_NV3_OBJECT_DESTROY] = nv3_shim_object_destroy,
   [DRM_NV3_GEM_CREATE] = nv3_shim_gem_create,
   [DRM_NV3_GEM_MMAP] = nv3_shim_gem_mmap,
   [DRM_NV3_GEM_WAIT] = nv3_shim_gem_wait,
   [DRM_NV3_SUBMIT] = nv3_shim_submit,
   [DRM_NV3_VM_CREATE] = nv3_shim_vm_create,
   [DRM_NV3_VM_DESTROY] = nv3_shim_vm_destroy,
   [DRM_NV3_VM_BIND] = nv3_shim_vm_bind,
};

static void
fatal(const char *what)
{
   perror(what);
   abort();
}

static void
init_memory(void)
{
   size_t size = (size_t)4 << 30; /* as in drm-shim's device.c; bus addresses have 32 bits */

   nv3_shim.memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
                          shim_device.mem_fd, 0);
   if (nv3_shim.memory == MAP_FAILED)
      fatal("nv3-drm-shim: mmap of the device's memory");

   nv3_shim.vram_size = debug_get_num_option("NV3_SHIM_VRAM", 64) << 20;
   nv3_shim.vram_base = util_vma_heap_alloc(&shim_device.mem_heap, nv3_shim.vram_size,
                                            NV3_SHIM_PAGE);
   /*
    * The heap excludes RAMIN, which is at the end of VRAM. An address of the heap is an offset in
    * VRAM plus one page, because a heap can't return address 0.
    */
   util_vma_heap_init(&nv3_shim.vram, NV3_SHIM_PAGE, nv3_shim.vram_size - NV3_RAMIN_SIZE);
   util_vma_heap_init(&nv3_shim.ramin, NV3_SHIM_RAMIN_POOL,
                      NV3_RAMIN_SIZE - NV3_SHIM_RAMIN_POOL);
   /* allocate low addresses first, because surfaces need them */
   nv3_shim.vram.alloc_high = false;
   drm_shim_init_iomem_region(NV3_SHIM_VRAM_OFFSET, nv3_shim.vram_size,
                              nv3_shim_mmap_vram);
}

static void
init_simd(void)
{
   const char *name = debug_get_option("NV3_SHIM_SIMD", "auto");

   if (nv3_simd_by_name(name, &nv3_shim.simd))
      return;
   fprintf(stderr, "nv3-drm-shim: NV3_SHIM_SIMD: there is no SIMD level '%s'\n", name);
   exit(1);
}

void
drm_shim_driver_init(void)
{
   shim_device.bus_type = DRM_BUS_PCI;
   shim_device.driver_name = "nv3";
   shim_device.driver_ioctls = nv3_shim_ioctls;
   shim_device.driver_ioctl_count = ARRAY_SIZE(nv3_shim_ioctls);
   shim_device.driver_bo_free = nv3_shim_bo_free;
   shim_device.driver_bo_offset = nv3_shim_bo_offset;
   shim_device.driver_bo_import = nv3_shim_bo_import;
   shim_device.version_major = 1;

   drm_shim_override_file("PCI_ID=12D2:0018\nPCI_SUBSYS_ID=0000:0000\n"
                          "PCI_SLOT_NAME=0000:00:02.0\n",
                          "/sys/dev/char/%d:%d/device/uevent", DRM_MAJOR, render_node_minor);
   drm_shim_override_file("0x0", "/sys/dev/char/%d:%d/device/revision", DRM_MAJOR,
                          render_node_minor);
   drm_shim_override_file("0x12d2", "/sys/dev/char/%d:%d/device/vendor", DRM_MAJOR,
                          render_node_minor);
   drm_shim_override_file("0x0018", "/sys/dev/char/%d:%d/device/device", DRM_MAJOR,
                          render_node_minor);
   drm_shim_override_file("0x0000", "/sys/dev/char/%d:%d/device/subsystem_vendor", DRM_MAJOR,
                          render_node_minor);
   drm_shim_override_file("0x0000", "/sys/dev/char/%d:%d/device/subsystem_device", DRM_MAJOR,
                          render_node_minor);

   mtx_init(&nv3_shim.lock, mtx_plain | mtx_recursive);
   list_inithead(&nv3_shim.channels);
   list_inithead(&nv3_shim.vram_bos);
   list_inithead(&nv3_shim.placed_bos);
   list_inithead(&nv3_shim.vms);
   init_simd();
   init_memory();
}
