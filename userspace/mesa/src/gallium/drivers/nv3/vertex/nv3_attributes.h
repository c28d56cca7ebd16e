/* SPDX-License-Identifier: MIT */
#ifndef NV3_ATTRIBUTES_H
#define NV3_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

struct nv3_context;

struct nv3_attribute {
   const uint8_t *data;     /* vertex 0 */
   unsigned stride;
   enum pipe_format format;
   uint64_t content;        /* of its buffer; 0 if that may change at any time */
   unsigned offset;         /* in it */
};

/*
 * Where an element's vertex 0 is; false if vertex @last is beyond its buffer
 * (nv3_attributes.c).
 */
bool
nv3_attribute_find(const struct nv3_context *ctx, unsigned element,
                   uint64_t last, struct nv3_attribute *out);

/* Component @c of @count vertices from @data on (nv3_attributes.c). */
void
nv3_attribute_fetch(const struct nv3_attribute *attr, const uint8_t *data,
                    unsigned c, float *out, unsigned count);

#endif
