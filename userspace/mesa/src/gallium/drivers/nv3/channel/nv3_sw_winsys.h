/* SPDX-License-Identifier: MIT */
#ifndef NV3_SW_WINSYS_H
#define NV3_SW_WINSYS_H

struct nv3_bo;
struct sw_winsys;

/*
 * Memory that the inner screen is to use for a resource: com_obj of the handle
 * that its resource_from_handle() gets. It is copied, and the buffer held: what
 * the inner context has yet to draw keeps its resource, and that the mapping.
 */
struct nv3_memory {
   struct nv3_bo *bo;
   void *map;
   unsigned stride;
};

/* A winsys whose display targets are struct nv3_memory, and no others. */
struct sw_winsys *
nv3_sw_winsys_create(void);

#endif
