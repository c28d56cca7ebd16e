/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The saved state of PGRAPH and PDMA, in the order of pgraph_state.h. */
#include "chip/state_table.h"
#include "graph/job.h"
#include "graph/pgraph.h"

#define PGRAPH_SAVE(member)             NV3_SAVE(pgraph.member)
#define PGRAPH_SAVE_BITS(member, mask)  NV3_SAVE_BITS(pgraph.member, mask)

/*
 * A mask contains the bits that a valid migration stream may set in a member. Most of the
 * masks are those of the registers in regs.c.
 */
static const NV3StateField pgraph_fields[] = {
    PGRAPH_SAVE_BITS(debug, NV3_PGRAPH_DEBUG_0_MASK | NV3_PGRAPH_DEBUG_1_MASK |
                     NV3_PGRAPH_DEBUG_2_MASK | NV3_PGRAPH_DEBUG_3_MASK),
    PGRAPH_SAVE_BITS(intr, NV3_PGRAPH_INTR_ALL),
    PGRAPH_SAVE_BITS(intr_en, NV3_PGRAPH_INTR_ALL),
    PGRAPH_SAVE_BITS(invalid, NV3_PGRAPH_INVALID_ALL),
    PGRAPH_SAVE_BITS(invalid_en, NV3_PGRAPH_INVALID_ALL),
    PGRAPH_SAVE_BITS(ctx_switch, NV3_PGRAPH_CTX_SWITCH_MASK),
    PGRAPH_SAVE(ctx_control),
    PGRAPH_SAVE(ctx_user),
    PGRAPH_SAVE_BITS(ctx_cache, NV3_PGRAPH_CTX_SWITCH_MASK),
    PGRAPH_SAVE_BITS(fifo_enable, 1),
    PGRAPH_SAVE(trapped_addr),
    PGRAPH_SAVE(trapped_data),
    PGRAPH_SAVE(trapped_inst),

    PGRAPH_SAVE(dma_inst),
    PGRAPH_SAVE(notify),
    PGRAPH_SAVE(grobj_inst),
    PGRAPH_SAVE(m2mf_inst),

    PGRAPH_SAVE(vtx_x),
    PGRAPH_SAVE(vtx_y),
    PGRAPH_SAVE(vtx_z),
    PGRAPH_SAVE(valid),
    PGRAPH_SAVE(misc32),
    PGRAPH_SAVE(misc24),
    PGRAPH_SAVE(xy_misc),
    PGRAPH_SAVE(x_misc),
    PGRAPH_SAVE(y_misc),
    PGRAPH_SAVE(x_clip_status),
    PGRAPH_SAVE(y_clip_status),

    PGRAPH_SAVE_BITS(iclip, NV3_COORD_MASK),
    PGRAPH_SAVE_BITS(uclip_min, NV3_COORD_MASK),
    PGRAPH_SAVE_BITS(uclip_max, NV3_COORD_MASK),
    PGRAPH_SAVE_BITS(oclip_min, NV3_COORD_MASK),
    PGRAPH_SAVE_BITS(oclip_max, NV3_COORD_MASK),
    PGRAPH_SAVE(src_canvas_min),
    PGRAPH_SAVE(src_canvas_max),
    PGRAPH_SAVE(dst_canvas_min),
    PGRAPH_SAVE(dst_canvas_max),
    PGRAPH_SAVE(cliprect_min),
    PGRAPH_SAVE(cliprect_max),
    PGRAPH_SAVE(cliprect_ctrl),

    PGRAPH_SAVE(pattern_rgb),
    PGRAPH_SAVE(pattern_a),
    PGRAPH_SAVE(pattern_mono),
    PGRAPH_SAVE(pattern_shape),
    PGRAPH_SAVE(bitmap_color_0),
    PGRAPH_SAVE(rop),
    PGRAPH_SAVE(chroma),
    PGRAPH_SAVE(beta),
    PGRAPH_SAVE(surf_offset),
    PGRAPH_SAVE(surf_pitch),
    PGRAPH_SAVE(surf_config),

    PGRAPH_SAVE(d3d_xy),
    PGRAPH_SAVE(d3d_uv),
    PGRAPH_SAVE(d3d_z),
    PGRAPH_SAVE(d3d_rgb),
    PGRAPH_SAVE(d3d_fog_tri),
    PGRAPH_SAVE(d3d_rhw),
    PGRAPH_SAVE(d3d_config),
    PGRAPH_SAVE(d3d_alpha),

    PGRAPH_SAVE(dma.intr),
    PGRAPH_SAVE(dma.intr_en),
    PGRAPH_SAVE(dma.flags),
    PGRAPH_SAVE(dma.limit),
    PGRAPH_SAVE(dma.pte),
    PGRAPH_SAVE(dma.tag),
    PGRAPH_SAVE(dma.addr_virt),
    PGRAPH_SAVE(dma.addr_phys),
    PGRAPH_SAVE(dma.bytes),
    PGRAPH_SAVE(dma.inst),
    PGRAPH_SAVE(dma.lines),
    PGRAPH_SAVE(dma.lin_limit),
    PGRAPH_SAVE(dma.offset),
    PGRAPH_SAVE(dma.pitch),
    PGRAPH_SAVE(dma.format),

    NV3_SAVE_TIME(pgraph.ctx_timer_end),

    /* Caches and their epoch counter. The model fills the caches again after a load. */
    NV3_NOT_SAVED(pgraph.epoch),
    NV3_NOT_SAVED(pgraph.d3d),
    NV3_NOT_SAVED(pgraph.programs),
    NV3_NOT_SAVED(pgraph.tlb),
    /*
     * These pointers are null when the state is saved, because nv3_finish_drawing() has
     * completed deferred drawing, and nv3_run() has ended the stream of methods.
     */
    NV3_NOT_SAVED(pgraph.deferred),
    NV3_NOT_SAVED(pgraph.stream),

    PGRAPH_SAVE_BITS(before.options, NV3_PGRAPH_CTX_SWITCH_MASK),
    PGRAPH_SAVE(before.class),
    PGRAPH_SAVE(before.xy_misc_1),
};

static void pgraph_loaded(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;

    nv3_pgraph_free(s);
    g->epoch++;
    /*
     * If the timeslice ended before time 0 of this host's clock, the unsigned
     * ctx_timer_end has wrapped around to a very large value, so clear it.
     */
    if (g->ctx_timer_end > INT64_MAX) {
        g->ctx_timer_end = 0;
    }
}

const NV3StateBlock nv3_pgraph_state =
    NV3_STATE_BLOCK("pgraph", pgraph_fields, .check = nv3_pgraph_check_regs,
                    .loaded = pgraph_loaded);

/* Saves the job of the current method. */
static const NV3StateField job_fields[] = {
    NV3_SAVE_MAX(pgraph.job.kind, NV3_JOB_COUNT - 1),
    PGRAPH_SAVE(job.line),
    PGRAPH_SAVE(job.byte),
    NV3_SAVE_WORDS(pgraph.job.rect),
    PGRAPH_SAVE(job.color),
    PGRAPH_SAVE(job.x),
    PGRAPH_SAVE(job.y),
    PGRAPH_SAVE(job.dx),
    PGRAPH_SAVE(job.dy),
    PGRAPH_SAVE(job.upwards),
};

static bool job_needed(void *opaque)
{
    const NV3Image *image = opaque;

    return image->chip.pgraph.job.kind != NV3_JOB_NONE;
}

const NV3StateBlock nv3_job_state =
    NV3_STATE_BLOCK("job", job_fields, .needed = job_needed,
                    .check = nv3_job_check);
