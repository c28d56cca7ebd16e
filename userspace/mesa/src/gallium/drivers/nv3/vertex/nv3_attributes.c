/* SPDX-License-Identifier: MIT */
/* Access to vertex attributes and indices, and their conversion. */
#include "util/format/u_format.h"
#include "util/macros.h"
#include "util/u_math.h"

#include "base/nv3_context.h"
#include "resource/nv3_resource.h"
#include "vertex/nv3_attributes.h"

bool
nv3_attribute_find(const struct nv3_context *ctx, unsigned element,
                   uint64_t last, struct nv3_attribute *out)
{
   const struct pipe_vertex_element *ve = &ctx->velems->elements[element];
   const struct pipe_vertex_buffer *vb =
      &ctx->vertex_buffers[ve->vertex_buffer_index];
   uint64_t offset = (uint64_t)vb->buffer_offset + ve->src_offset;

   if (ve->vertex_buffer_index >= ctx->vertex_buffer_count)
      return false;
   out->format = ve->src_format;
   out->stride = ve->src_stride;
   out->offset = offset;
   out->content = 0;
   if (vb->is_user_buffer) {
      out->data = (const uint8_t *)vb->buffer.user + offset;
      return vb->buffer.user != NULL;
   }
   if (!vb->buffer.resource ||
       offset + last * ve->src_stride + util_format_get_blocksize(out->format) >
       vb->buffer.resource->width0)
      return false;
   out->data =
      (const uint8_t *)nv3_resource(vb->buffer.resource)->data + offset;
   out->content = nv3_buffer_content(nv3_resource(vb->buffer.resource));
   return true;
}

/*
 * Returns the number of floats of a format, or 0 if its components are not
 * floats.
 */
static unsigned
float_count(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_R32_FLOAT:
      return 1;
   case PIPE_FORMAT_R32G32_FLOAT:
      return 2;
   case PIPE_FORMAT_R32G32B32_FLOAT:
      return 3;
   case PIPE_FORMAT_R32G32B32A32_FLOAT:
      return 4;
   default:
      return 0;
   }
}

static void
fill(float *reg, float value, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      reg[i] = value;
}

/* n / 255 */
#define N4(n)  (n) / 255.0f, ((n) + 1) / 255.0f, ((n) + 2) / 255.0f, \
               ((n) + 3) / 255.0f
#define N16(n) N4(n), N4((n) + 4), N4((n) + 8), N4((n) + 12)
#define N64(n) N16(n), N16((n) + 16), N16((n) + 32), N16((n) + 48)
static const float bytes[256] = { N64(0), N64(64), N64(128), N64(192) };

void
nv3_attribute_fetch(const struct nv3_attribute *attr, const uint8_t *data,
                    unsigned c, float *reg, unsigned count)
{
   unsigned floats = float_count(attr->format), stride = attr->stride;

   if (floats && c >= floats) {
      fill(reg, c == 3 ? 1.0f : 0.0f, count);
   } else if (floats) {
      data += c * sizeof(float);
      for (unsigned i = 0; i < count; i++, data += stride)
         memcpy(&reg[i], data, sizeof(float));
   } else if (attr->format == PIPE_FORMAT_R8G8B8A8_UNORM) {
      for (unsigned i = 0; i < count; i++, data += stride)
         reg[i] = bytes[data[c]];
   } else {
      for (unsigned i = 0; i < count; i++, data += stride) {
         float rgba[4];

         util_format_unpack_rgba(attr->format, rgba, data, 1);
         reg[i] = rgba[c];
      }
   }
}

#define READ_INDICES(type)                       \
   do {                                          \
      const type *in = data;                     \
                                                 \
      for (unsigned i = 0; i < count; i++) {     \
         uint32_t index = in[i];                 \
                                                 \
         out[i] = index;                         \
         range.min = MIN2(range.min, index);     \
         range.max = MAX2(range.max, index);     \
      }                                          \
   } while (0)

struct nv3_index_range
nv3_indices_read(uint32_t *out, const void *data, unsigned size, unsigned count)
{
   struct nv3_index_range range = { UINT32_MAX, 0 };

   if (size == 1)
      READ_INDICES(uint8_t);
   else if (size == 2)
      READ_INDICES(uint16_t);
   else
      READ_INDICES(uint32_t);
   return range;
}
