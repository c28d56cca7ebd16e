/* SPDX-License-Identifier: MIT */
/* What the chip puts aside by class 0x0d. */
#include <string.h>

#include "util/u_math.h"

#include "nv3_aside.h"
#include "nv3_chip.h"
#include "nv3_context.h"
#include "nv3_m2mf.h"
#include "nv3_mix.h"
#include "nv3_resource.h"

/* Bytes of a line of @box. */
static unsigned
pitch_of(const struct nv3_box *box)
{
   return align(box->x1 - box->x0, NV3_MIX_LANES) * 2;
}

unsigned
nv3_aside_size(const struct nv3_box *box)
{
   return pitch_of(box) * (box->y1 - box->y0);
}

bool
nv3_aside_prepare(struct nv3_context *ctx, struct nv3_aside *aside,
                  const struct nv3_target *scratch)
{
   void *map;

   if (aside->bare)
      return true;
   if (nv3_bo_new(ctx->screen->dev, scratch->pitch * (scratch->height + 1),
                  DRM_NV3_GEM_SYSTEM, &aside->bo))
      return false;
   if (!nv3_bo_map(aside->bo, &map)) {
      aside->map = map;
      for (unsigned i = 0; i < scratch->pitch / 2; i++)
         ((uint16_t *)map)[i] = NV3_MIX_BARE;
      aside->take = nv3_m2mf_new(ctx, scratch->bo, aside->bo);
      aside->bare = nv3_m2mf_new(ctx, aside->bo, scratch->bo);
   }
   if (aside->take && aside->bare)
      return true;
   nv3_aside_fini(aside);
   return false;
}

void
nv3_aside_fini(struct nv3_aside *aside)
{
   nv3_object_unref(aside->take);
   nv3_object_unref(aside->bare);
   nv3_bo_unref(aside->bo);
   memset(aside, 0, sizeof(*aside));
}

unsigned
nv3_aside_room(const struct nv3_aside *aside, const struct nv3_target *scratch,
               const struct nv3_box *box)
{
   return (scratch->pitch * scratch->height - aside->used) / nv3_aside_size(box);
}

static unsigned
offset_of(const struct nv3_target *scratch, const struct nv3_box *box)
{
   return box->y0 * scratch->pitch + box->x0 * 2;
}

bool
nv3_aside_drop(struct nv3_context *ctx, struct nv3_aside *aside,
               const struct nv3_target *scratch, const struct nv3_box *box)
{
   const struct nv3_m2mf_lines bare = {
      .to = offset_of(scratch, box),
      .to_pitch = scratch->pitch,
      .length = pitch_of(box),
      .count = box->y1 - box->y0,
      .step = 1,
   };

   ctx->chip.d3d_current = false;
   return nv3_m2mf_copy(ctx, aside->bare, &bare);
}

bool
nv3_aside_take(struct nv3_context *ctx, struct nv3_aside *aside,
               const struct nv3_target *scratch, const struct nv3_box *box)
{
   const struct nv3_m2mf_lines take = {
      .from = offset_of(scratch, box),
      .from_pitch = scratch->pitch,
      .to = scratch->pitch + aside->used,
      .to_pitch = pitch_of(box),
      .length = pitch_of(box),
      .count = box->y1 - box->y0,
      .step = 1,
   };

   if (!nv3_m2mf_copy(ctx, aside->take, &take) ||
       !nv3_aside_drop(ctx, aside, scratch, box))
      return false;
   aside->used += nv3_aside_size(box);
   return true;
}

uint16_t *
nv3_aside_line(const struct nv3_aside *aside, const struct nv3_target *scratch,
               const struct nv3_box *box, unsigned at, unsigned y)
{
   return (uint16_t *)(aside->map + scratch->pitch + at +
                       (y - box->y0) * pitch_of(box));
}
