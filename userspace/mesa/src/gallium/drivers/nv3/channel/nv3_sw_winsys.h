/* SPDX-License-Identifier: MIT */
#ifndef NV3_SW_WINSYS_H
#define NV3_SW_WINSYS_H

struct nv3_bo;
struct sw_winsys;

/*
 * The memory of an inner resource, passed as com_obj of the winsys handle to
 * resource_from_handle(). The winsys copies it and holds a reference to the
 * buffer. The mapping therefore outlives pending draws of the inner context.
 */
struct nv3_memory {
   struct nv3_bo *bo;
   void *map;
   unsigned stride;
};

/* Creates a winsys that supports only display targets of struct nv3_memory. */
struct sw_winsys *
nv3_sw_winsys_create(void);

#endif
