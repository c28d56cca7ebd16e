/* SPDX-License-Identifier: MIT */
/* Copies of the intermediate target in system memory, which class 0x0d makes.
 */
#include <string.h>

#include "util/u_math.h"

#include "base/nv3_context.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_m2mf.h"
#include "channel/nv3_target.h"
#include "sw/nv3_coverage.h"
#include "sw/nv3_spill.h"
#include "sw/nv3_sw_blend.h"

/* The size of the spill buffer, in intermediate targets. */
#define SPILL_TARGETS 2

/* The pitch of @box in the spill buffer, in bytes. */
static unsigned
pitch_of(const struct nv3_box *box)
{
   return align(box->x1 - box->x0, NV3_SW_BLEND_WIDTH) * 2;
}

static unsigned
size_of(const struct nv3_box *box)
{
   return pitch_of(box) * (box->y1 - box->y0);
}

bool
nv3_spill_prepare(struct nv3_context *ctx, struct nv3_spill *spill,
                  const struct nv3_target *intermediate)
{
   void *map;

   spill->cleared_size = intermediate->pitch;
   spill->size = SPILL_TARGETS * intermediate->pitch * intermediate->height;
   if (nv3_bo_new(ctx->screen->dev, spill->cleared_size + spill->size,
                  DRM_NV3_GEM_SYSTEM, &spill->bo))
      return false;
   if (!nv3_bo_map(spill->bo, &map)) {
      spill->map = map;
      for (unsigned i = 0; i < intermediate->pitch / 2; i++)
         ((uint16_t *)map)[i] = NV3_NOT_DRAWN;
      spill->copy = nv3_m2mf_new(ctx, intermediate->bo, spill->bo);
      spill->clear = nv3_m2mf_new(ctx, spill->bo, intermediate->bo);
   }
   if (spill->copy && spill->clear)
      return true;
   nv3_spill_fini(spill);
   return false;
}

void
nv3_spill_fini(struct nv3_spill *spill)
{
   nv3_object_unref(spill->copy);
   nv3_object_unref(spill->clear);
   nv3_bo_unref(spill->bo);
   memset(spill, 0, sizeof(*spill));
}

bool
nv3_spill_has_room(const struct nv3_spill *spill, const struct nv3_box *box)
{
   return size_of(box) <= spill->size - spill->used;
}

static unsigned
offset_of(const struct nv3_target *intermediate, const struct nv3_box *box)
{
   return box->y0 * intermediate->pitch + box->x0 * 2;
}

bool
nv3_spill_clear(struct nv3_context *ctx, struct nv3_spill *spill,
                const struct nv3_target *intermediate,
                const struct nv3_box *box)
{
   const struct nv3_m2mf_lines lines = {
      .to = offset_of(intermediate, box),
      .to_pitch = intermediate->pitch,
      .length = pitch_of(box),
      .count = box->y1 - box->y0,
      .step = 1,
   };

   ctx->chip->d3d_current = false;
   return nv3_m2mf_copy(ctx, spill->clear, &lines);
}

bool
nv3_spill_copy(struct nv3_context *ctx, struct nv3_spill *spill,
               const struct nv3_target *intermediate, const struct nv3_box *box)
{
   const struct nv3_m2mf_lines lines = {
      .from = offset_of(intermediate, box),
      .from_pitch = intermediate->pitch,
      .to = spill->cleared_size + spill->used,
      .to_pitch = pitch_of(box),
      .length = pitch_of(box),
      .count = box->y1 - box->y0,
      .step = 1,
   };

   if (!nv3_m2mf_copy(ctx, spill->copy, &lines) ||
       !nv3_spill_clear(ctx, spill, intermediate, box))
      return false;
   spill->used += size_of(box);
   return true;
}

struct nv3_sw_blend_lines
nv3_spill_lines(const struct nv3_spill *spill, const struct nv3_box *box,
                unsigned at)
{
   return (struct nv3_sw_blend_lines) {
      .first = (uint16_t *)(spill->map + spill->cleared_size + at),
      .pitch = pitch_of(box),
   };
}
