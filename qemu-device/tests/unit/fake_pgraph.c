/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake_pgraph.h"

#include <limits.h>

#include "blocks.h"
#include "core.h"
#include "raster/threads.h"

FakePgraph fake_pgraph;

void fake_pgraph_init(void)
{
    memset(&fake_pgraph, 0, sizeof(fake_pgraph));
    fake_pgraph.accept = UINT_MAX;
}

bool nv3_pgraph_submit(NV3State *s, uint32_t chid, uint32_t subch,
                       uint32_t mthd, uint32_t data, uint32_t ctx)
{
    if (fake_pgraph.busy) {
        return false;
    }
    if (fake_pgraph.accept-- == 0) {
        fake_pgraph.busy = true;
        return false;
    }
    if (fake_pgraph.count < FAKE_PGRAPH_METHODS) {
        fake_pgraph.method[fake_pgraph.count] =
            (FakeMethod) { chid, subch, mthd, data, ctx };
    }
    fake_pgraph.count++;
    return true;
}

bool nv3_pgraph_report_and_submit(NV3State *s, uint32_t chid, uint32_t subch,
                                  uint32_t mthd, uint32_t data, uint32_t ctx)
{
    return nv3_pgraph_submit(s, chid, subch, mthd, data, ctx);
}

uint32_t nv3_classes(void)
{
    return FAKE_PGRAPH_CLASSES;
}

bool nv3_pgraph_ready(NV3State *s)
{
    return !fake_pgraph.busy;
}

bool nv3_pgraph_idle(NV3State *s)
{
    return !fake_pgraph.working;
}

bool nv3_pgraph_step(NV3State *s)
{
    return false;
}

bool nv3_pgraph_irq(NV3State *s)
{
    return fake_pgraph.irq;
}

bool nv3_pdma_irq(NV3State *s)
{
    return fake_pgraph.pdma_irq;
}

bool nv3_vblank_irq(NV3State *s)
{
    return s->pgraph.intr & s->pgraph.intr_en & NV3_PGRAPH_INTR_VBLANK;
}

/*
 * Refuses whole vertices, so that PFIFO submits each word of a vertex as a separate
 * method.
 */
bool nv3_d3d_submit_vertex(NV3State *s, uint32_t chid, uint32_t subch,
                              uint32_t mthd,
                              const uint32_t data[NV3_D3D_VERTEX_WORDS],
                              uint32_t ctx)
{
    return false;
}

/* All registers of the fake PGRAPH share a single value. */
uint32_t nv3_pgraph_read(NV3State *s, uint32_t addr)
{
    return s->pgraph.debug[0];
}

void nv3_pgraph_write(NV3State *s, uint32_t addr, uint32_t val)
{
    s->pgraph.debug[0] = val;
}

void nv3_pgraph_reset(NV3State *s)
{
    memset(&s->pgraph, 0, sizeof(s->pgraph));
    fake_pgraph.resets++;
}

void nv3_pgraph_finish(NV3State *s)
{
}

void nv3_pgraph_end_run(NV3State *s, bool more)
{
}

void nv3_pgraph_free(NV3State *s)
{
}

const NV3Class *const nv3_class_table[NV3_CLASS_MAX] = { NULL };
NV3JobRun *const nv3_job_table[NV3_JOB_COUNT] = { NULL };

NV3RasterPool *nv3_raster_pool_new(unsigned threads)
{
    return NULL;
}

void nv3_raster_pool_free(NV3RasterPool *p)
{
}
