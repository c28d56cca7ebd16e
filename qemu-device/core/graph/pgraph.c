/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PGRAPH: resets, interrupts, and readiness for methods. Source of the state after a
 * reset: envytools nvhw/pgraph.c (pgraph_reset(), pgraph_volatile_reset()); see
 * docs/reference/chip/pgraph.md.
 */
#include "bus/bus.h"
#include "chip/event.h"
#include "graph/pgraph.h"

/* CLIP_STATUS after a reset. */
#define CLIP_STATUS_RESET   0x55555555

/*
 * Bits of INTR that stop PGRAPH. A stopped PGRAPH accepts no methods until software
 * restarts it.
 */
#define INTR_STOPS  (NV3_PGRAPH_INTR_INVALID | NV3_PGRAPH_INTR_CTX_SWITCH | \
                     NV3_PGRAPH_INTR_RANGE | NV3_PGRAPH_INTR_MISSING_METHOD | \
                     NV3_PGRAPH_INTR_MISSING_FORMAT | \
                     NV3_PGRAPH_INTR_CLIP_SOFTWARE)

static void clip_status_reset(NV3Pgraph *g)
{
    for (unsigned i = 0; i < 2; i++) {
        g->x_clip_status[i] = CLIP_STATUS_RESET;
        g->y_clip_status[i] = CLIP_STATUS_RESET;
    }
}

/*
 * Drops the jobs and the deferred drawing of all classes. One class can have a job while
 * another class has deferred drawing, so the function calls the drop() hooks of all
 * classes.
 */
static void nv3_pgraph_drop(NV3State *s)
{
    for (unsigned id = 0; id < NV3_CLASS_MAX; id++) {
        if (s->classes[id] && s->classes[id]->drop) {
            s->classes[id]->drop(s);
        }
    }
    nv3_pgraph_flush(s);
}

void nv3_pgraph_reset(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    struct NV3D3d *d3d = g->d3d;
    struct NV3ProgramsUnit *programs = g->programs;
    uint64_t epoch = g->epoch;

    nv3_pgraph_drop(s);
    *g = (NV3Pgraph) { .d3d = d3d, .programs = programs, .epoch = epoch + 1 };
    clip_status_reset(g);
    g->d3d_alpha = 0x800;
    nv3_update_irq(s);
}

void nv3_pgraph_soft_reset(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;

    g->bitmap_color_0 &= 0x3fffffff;
    g->dma.intr_en = 0;
    g->xy_misc[0] &= NV3_XY0_IMAGE_ZERO;
    g->xy_misc[1] &= 0x0f000000;
    g->xy_misc[2] &= 0x0f000000;
    g->xy_misc[3] &= ~0x00001100;
    g->x_misc &= NV3_XYMISC_CMP;
    g->y_misc &= NV3_XYMISC_CMP;
    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        g->surf_offset[i] = 0;
    }
    g->d3d_config = 0;
    g->misc24[0] = 0;
    g->misc24[1] = 0;
    g->valid = 0;
    clip_status_reset(g);
    nv3_pgraph_drop(s);
    g->job.kind = NV3_JOB_NONE;
    nv3_update_irq(s);
    nv3_kick(s);
}

void nv3_pgraph_volatile_reset(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;

    g->xy_misc[0] = 0;
    g->bitmap_color_0 &= 0x3fffffff;
    g->xy_misc[1] &= ~0x001440ff;
    g->xy_misc[2] &= ~0x001440fe;
    g->xy_misc[3] &= ~0x00000011;
    g->d3d_alpha = 0x800;
    g->misc32[0] &= 0x00ff00ff;
    g->x_misc = 0;
    g->y_misc = 0;
    g->valid &= 0xf0000000;
    clip_status_reset(g);
}

void nv3_pgraph_raise(NV3State *s, uint32_t intr)
{
    NV3Pgraph *g = &s->pgraph;

    nv3_event(s, INTERRUPT, .data = intr, .detail = NV3_PMC_INTR_PGRAPH);
    g->intr |= intr;
    if (intr & INTR_STOPS) {
        g->fifo_enable = 0;
    }
    nv3_update_irq(s);
}

void nv3_pgraph_raise_invalid(NV3State *s, uint32_t invalid)
{
    s->pgraph.invalid |= invalid;
    nv3_pgraph_raise(s, NV3_PGRAPH_INTR_INVALID);
}

/*
 * A bit of INVALID that INVALID_EN enables raises the interrupt even if INTR_EN.INVALID
 * is 0 (NV1 documents).
 */
bool nv3_pgraph_irq(NV3State *s)
{
    const NV3Pgraph *g = &s->pgraph;

    return (g->intr & g->intr_en) || (g->invalid & g->invalid_en);
}

/*
 * PMC_INTR reports the vertical blank in bit 24, in addition to PGRAPH's own bit
 * (envytools, bus/pmc; 86Box).
 */
bool nv3_vblank_irq(NV3State *s)
{
    return s->pgraph.intr & s->pgraph.intr_en & NV3_PGRAPH_INTR_VBLANK;
}

bool nv3_pdma_irq(NV3State *s)
{
    return s->pgraph.dma.intr & s->pgraph.dma.intr_en;
}

bool nv3_pgraph_idle(NV3State *s)
{
    return s->pgraph.job.kind == NV3_JOB_NONE;
}

bool nv3_pgraph_ready(NV3State *s)
{
    return s->pgraph.fifo_enable && nv3_pgraph_idle(s) &&
           nv3_engine_enabled(s, NV3_PMC_ENABLE_PGRAPH);
}

const NV3Class *nv3_pgraph_find_class(const NV3State *s, uint32_t id)
{
    if (id >= NV3_CLASS_MAX || s->config.without_classes >> id & 1 ||
        (id == NV3_CLASS_PROGRAMS && !s->config.programs)) {
        return NULL;
    }
    return s->classes[id];
}

void nv3_pgraph_finish(NV3State *s)
{
    for (unsigned id = 0; id < NV3_CLASS_MAX; id++) {
        if (s->classes[id] && s->classes[id]->finish) {
            s->classes[id]->finish(s);
        }
    }
}

void nv3_pgraph_end_run(NV3State *s, bool more)
{
    for (unsigned id = 0; id < NV3_CLASS_MAX; id++) {
        if (s->classes[id] && s->classes[id]->end_run) {
            s->classes[id]->end_run(s, more);
        }
    }
}

void nv3_pgraph_save(NV3State *s)
{
    for (unsigned id = 0; id < NV3_CLASS_MAX; id++) {
        if (s->classes[id] && s->classes[id]->save) {
            s->classes[id]->save(s);
        }
    }
}

void nv3_pgraph_free(NV3State *s)
{
    for (unsigned id = 0; id < NV3_CLASS_MAX; id++) {
        if (s->classes[id] && s->classes[id]->free) {
            s->classes[id]->free(s);
        }
    }
}
