/* SPDX-License-Identifier: MIT */
#ifndef NV3_ATTRIBUTES_H
#define NV3_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

struct nv3_context;

struct nv3_attribute {
   const uint8_t *data;  /* of vertex 0 */
   unsigned stride;
   enum pipe_format format;
   uint64_t content;     /* of the buffer (nv3_buffer_content); 0: may change */
   unsigned offset;      /* in the buffer */
};

/*
 * Finds the attribute of a vertex element. Returns false if vertex @last is
 * beyond the buffer.
 */
bool
nv3_attribute_find(const struct nv3_context *ctx, unsigned element,
                   uint64_t last, struct nv3_attribute *out);

/* Converts component @c of @count vertices, starting at @data, to floats. */
void
nv3_attribute_fetch(const struct nv3_attribute *attr, const uint8_t *data,
                    unsigned c, float *out, unsigned count);

struct nv3_index_range {
   uint32_t min, max;
};

/* Converts @count indices of @size bytes. Returns the range of their values. */
struct nv3_index_range
nv3_indices_read(uint32_t *out, const void *data,
                 unsigned size, unsigned count);

#endif
