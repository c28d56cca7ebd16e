/* SPDX-License-Identifier: MIT */
#ifndef NV3_M2MF_H
#define NV3_M2MF_H

#include <stdbool.h>
#include <stdint.h>

struct nv3_bo;
struct nv3_context;
struct nv3_object;

/* A copy of lines by class 0x0d. Offsets and pitches are in bytes. */
struct nv3_m2mf_lines {
   uint32_t from, to;
   uint32_t from_pitch, to_pitch;
   uint32_t length;  /* bytes per line */
   uint32_t count;
   unsigned step;    /* destination bytes per source byte, 1 or 4 */
};

/* Creates an object that copies from @from to @to. Returns NULL without
 * memory.
 */
struct nv3_object *
nv3_m2mf_new(struct nv3_context *ctx, struct nv3_bo *from, struct nv3_bo *to);

/* Adds a copy to the batch. Returns false without memory. */
bool
nv3_m2mf_copy(struct nv3_context *ctx, struct nv3_object *object,
              const struct nv3_m2mf_lines *lines);

#endif
