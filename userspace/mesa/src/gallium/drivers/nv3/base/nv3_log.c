/* SPDX-License-Identifier: MIT */
/* The output of NV3_DEBUG=fallback and NV3_DEBUG=stats. */
#include <inttypes.h>

#include "util/hash_table.h"
#include "util/log.h"
#include "util/ralloc.h"

#include "base/nv3_context.h"
#include "base/nv3_log.h"
#include "base/nv3_screen.h"

void
nv3_log_fallback(struct nv3_context *ctx, const char *reason)
{
   if (!(ctx->screen->debug & NV3_DEBUG_FALLBACK) || !reason ||
       _mesa_hash_table_search(ctx->reasons, reason))
      return;
   _mesa_hash_table_insert(ctx->reasons, ralloc_strdup(ctx->reasons, reason),
                           NULL);
   mesa_logi("nv3: software fallback: %s", reason);
}

void
nv3_log_counters(const struct nv3_context *ctx)
{
   const struct nv3_counters *count = &ctx->count;

   mesa_logi("nv3: draws %" PRIu64 " chip, %" PRIu64
             " of them through the draw"
             " module, %" PRIu64 " blended by the CPU, %" PRIu64
             " software, %" PRIu64 " copies; clears %" PRIu64
             " chip, %" PRIu64 " software; %" PRIu64
             " pictures copied by the chip; %" PRIu64 " triangles, %" PRIu64
             " vertices sent; %" PRIu64 " textures copied, %" PRIu64
             " pictures converted by the CPU, %" PRIu64 " by the chip",
             count->chip_draws, count->module_draws, count->sw_blended_draws,
             count->soft_draws, count->copied_draws, count->chip_clears,
             count->soft_clears, count->chip_copies, count->chip_triangles,
             count->chip_vertices, count->textures, count->converted,
             count->presented);
}
