/* SPDX-License-Identifier: MIT */
/* Memory copies by class 0x0d. */
#include "util/u_math.h"

#include "base/nv3_context.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_m2mf.h"

/* Lines per operation. The class supports 2,047. */
#define LINES_MAX 1024

struct nv3_object *
nv3_m2mf_new(struct nv3_context *ctx, struct nv3_bo *from, struct nv3_bo *to)
{
   struct nv3_graph info = {
      .operation = NV3_OPERATION_COPY,
      .dma = { nv3_chip_dma(ctx, from, 0),
               nv3_chip_dma(ctx, to, DRM_NV3_DMA_WRITE) },
   };
   struct nv3_object *object;

   if (!info.dma[0] || !info.dma[1] ||
       nv3_graph_new(ctx->chip->chan, 0, NV3_CLASS_M2MF, &info, &object))
      object = NULL;
   nv3_object_unref(info.dma[0]);
   nv3_object_unref(info.dma[1]);
   return object;
}

bool
nv3_m2mf_copy(struct nv3_context *ctx, struct nv3_object *object,
              const struct nv3_m2mf_lines *lines)
{
   struct nv3_pushbuf *push = ctx->chip->push;

   if (nv3_pushbuf_select(push, NV3_SUBCH_COPY, object))
      return false;
   for (unsigned y = 0; y < lines->count; y += LINES_MAX) {
      if (nv3_pushbuf_space(push, 9))
         return false;
      nv3_push_begin(push, NV3_SUBCH_COPY, NV3_M2MF_OFFSET_IN, 8);
      nv3_push(push, lines->from + y * lines->from_pitch);
      nv3_push(push, lines->to + y * lines->to_pitch);
      nv3_push(push, lines->from_pitch);
      nv3_push(push, lines->to_pitch);
      nv3_push(push, lines->length);
      nv3_push(push, MIN2(lines->count - y, LINES_MAX));
      nv3_push(push, lines->step << 8 | 1);
      nv3_push(push, 0);
   }
   return true;
}
