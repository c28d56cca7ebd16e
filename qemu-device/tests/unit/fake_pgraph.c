/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake_pgraph.h"

#include <limits.h>

#include "nv3_int.h"

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

void nv3_pgraph_vblank(NV3State *s)
{
    s->pgraph.intr |= NV3_PGRAPH_INTR_VBLANK;
    nv3_update_irq(s);
}

/* Words come one by one. */
bool nv3_pgraph_submit_vertex(NV3State *s, uint32_t chid, uint32_t subch,
                              uint32_t mthd,
                              const uint32_t data[NV3_D3D_VERTEX_WORDS],
                              uint32_t ctx)
{
    return false;
}

/* All of its registers are one. */
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

void nv3_d3d_flush(NV3State *s)
{
}

void nv3_d3d_free(NV3State *s)
{
}

void nv3_d3d_start_threads(NV3State *s)
{
}

void nv3_d3d_end_threads(NV3State *s)
{
}
