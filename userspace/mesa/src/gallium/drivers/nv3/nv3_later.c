/* SPDX-License-Identifier: MIT */
/*
 * What the CPU is to blend is put off: the chip draws it to the scratch (nv3_scratch.c)
 * and puts it aside, layer by layer and box by box, and goes on. It is blended, in its order, before
 * something else is drawn where it is or anyone looks at the picture: many draws with one
 * wait for the chip.
 */
#include "util/u_math.h"

#include "nv3_chip.h"
#include "nv3_context.h"
#include "nv3_later.h"
#include "nv3_resource.h"

/* To look through more triangles for each that is drawn takes longer than to wait. */
#define TRIANGLES_MAX 4096

void
nv3_later_fini(struct nv3_later *later)
{
   nv3_cover_fini(&later->cover);
}

bool
nv3_later_takes(const struct nv3_context *ctx, const struct nv3_target *target,
                const struct nv3_box *box)
{
   const struct nv3_later *later = &ctx->later;

   return !later->count ||
          (later->count < NV3_LATER_MAX && later->target == target &&
           nv3_aside_has_room(&ctx->scratch.aside, box));
}

bool
nv3_later_take(struct nv3_context *ctx, struct nv3_target *target,
               const struct nv3_box *box)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   struct nv3_later *later = &ctx->later;
   const struct nv3_later_part part = {
      .mix = scratch->mix,
      .box = *box,
      .at = scratch->aside.used,
   };

   if (!nv3_aside_take(ctx, &scratch->aside, scratch->drawn, box))
      return false;
   nv3_target_reference(&later->target, target);
   if (!later->count)
      nv3_cover_clear(&later->cover);
   later->parts[later->count++] = part;
   return true;
}

bool
nv3_later_add(struct nv3_later *later, const struct nv3_cover *cover)
{
   if (!later->count)
      return true;
   for (unsigned i = 0; i < cover->count; i++) {
      if (later->cover.count == TRIANGLES_MAX ||
          !nv3_cover_add(&later->cover, &cover->list[i]))
         return false;
   }
   return true;
}

bool
nv3_later_meets(const struct nv3_later *later, const int16_t corners[3][2])
{
   const struct nv3_cover_triangle triangle = nv3_cover_triangle(corners);

   return later->count && nv3_cover_meets(&later->cover, &triangle);
}

bool
nv3_later_is_under(const struct nv3_later *later, const struct nv3_cover *cover)
{
   unsigned count = 0;

   for (unsigned i = 0; i < cover->count; i++)
      count += nv3_cover_meets(&later->cover, &cover->list[i]);
   return 2 * count >= cover->count;
}

static void
blend(struct nv3_context *ctx, const struct nv3_later_part *part)
{
   const struct nv3_box *box = &part->box;
   const struct nv3_target *target = ctx->later.target;
   const struct nv3_mix_lines old = {
      .first = nv3_target_line(target, box->x0, box->y0),
      .pitch = target->pitch,
   };
   const struct nv3_mix_lines drawn = nv3_aside_lines(&ctx->scratch.aside, box,
                                                      part->at);

   nv3_mix_lines(&part->mix, &old, &drawn, box->y0, box->y1 - box->y0,
                 box->x1 - box->x0);
}

bool
nv3_later_settle(struct nv3_context *ctx)
{
   return !ctx->later.count || nv3_chip_flush(ctx);
}

void
nv3_later_finish(struct nv3_context *ctx, bool ok)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   struct nv3_later *later = &ctx->later;

   /*
    * An earlier batch may have drawn to the scratch what the lost one would have
    * copied from there.
    */
   if (!ok && !ctx->chip.lost)
      nv3_scratch_reset(scratch);
   if (!later->count)
      return;
   nv3_chip_wait(scratch->aside.bo);
   nv3_chip_wait(later->target->bo);
   for (unsigned i = 0; i < later->count && ok; i++)
      blend(ctx, &later->parts[i]);
   later->count = 0;
   scratch->aside.used = 0;
   nv3_target_reference(&later->target, NULL);
}
