/* SPDX-License-Identifier: MIT */
#ifndef NV3_M2MF_H
#define NV3_M2MF_H

#include <stdbool.h>
#include <stdint.h>

struct nv3_bo;
struct nv3_context;
struct nv3_object;

/* Lines of bytes, which class 0x0d copies. Offsets and pitches are in bytes. */
struct nv3_m2mf_lines {
   uint32_t from, to;
   uint32_t from_pitch, to_pitch;
   uint32_t length;     /* bytes of a line that are copied */
   uint32_t count;
   unsigned step;       /* from one to the next where they go, 1 or 4 */
};

/* What copies from one buffer to another, or NULL. */
struct nv3_object *
nv3_m2mf_new(struct nv3_context *ctx, struct nv3_bo *from, struct nv3_bo *to);

/* Puts a copy into the batch. False without memory. */
bool
nv3_m2mf_copy(struct nv3_context *ctx, struct nv3_object *object,
              const struct nv3_m2mf_lines *lines);

#endif
