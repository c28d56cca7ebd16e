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

/* How often all of a scratch can be put aside. */
#define SCRATCHES 2

/* Bytes of a line of @box. */
static unsigned
pitch_of(const struct nv3_box *box)
{
   return align(box->x1 - box->x0, NV3_MIX_LANES) * 2;
}

static unsigned
size_of(const struct nv3_box *box)
{
   return pitch_of(box) * (box->y1 - box->y0);
}

bool
nv3_aside_prepare(struct nv3_context *ctx, struct nv3_aside *aside,
                  const struct nv3_target *scratch)
{
   void *map;

   aside->before = scratch->pitch;
   aside->size = SCRATCHES * scratch->pitch * scratch->height;
   if (nv3_bo_new(ctx->screen->dev, aside->before + aside->size,
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

bool
nv3_aside_has_room(const struct nv3_aside *aside, const struct nv3_box *box)
{
   return size_of(box) <= aside->size - aside->used;
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
      .to = aside->before + aside->used,
      .to_pitch = pitch_of(box),
      .length = pitch_of(box),
      .count = box->y1 - box->y0,
      .step = 1,
   };

   if (!nv3_m2mf_copy(ctx, aside->take, &take) ||
       !nv3_aside_drop(ctx, aside, scratch, box))
      return false;
   aside->used += size_of(box);
   return true;
}

struct nv3_mix_lines
nv3_aside_lines(const struct nv3_aside *aside, const struct nv3_box *box, unsigned at)
{
   return (struct nv3_mix_lines) {
      .first = (uint16_t *)(aside->map + aside->before + at),
      .pitch = pitch_of(box),
   };
}
